"""Numbers of proposals and judgements: none missing that is not listed as lost, and those of
proposals in the order of their dates. Also how many rules of a tier the game begins with.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise

from nomicgen.law.precedence import Law, rule_finding
from nomicgen.law.provisions.cap import CAP
from nomicgen.law.provisions.floor import FLOOR
from nomicgen.law.provisions.numbering import Numbering
from nomicgen.law.replay.results import Replay
from nomicgen.model.findings import Finding, counted
from nomicgen.model.records import Instrument, InstrumentKind, Proposal, Records
from nomicgen.model.values import Span


def check_numbers(records: Records, replay: Replay) -> Iterator[Finding]:
    """Yield wrong or missing numbers, and tiers that begin with too many or too few rules.

    The initial rules say with which number proposals begin: a later change of `first` in
    `numbering` changes no number.
    """
    law = Law.of(replay.initial, records.settings, records.settings.started)
    lost = records.settings.lost
    proposals = {
        proposal.number: proposal
        for proposal in records.of_kind("proposal")
        if proposal.number is not None
    }
    judgements = {judgement.matter.number: judgement for judgement in records.of_kind("judgement")}
    if proposals:
        numbered = law.says(Numbering.first)
        first, rule = (numbered.value, numbered.rule) if numbered else (min(proposals), None)
        yield from _gaps(records, "proposal", first, proposals, lost.proposals, rule)
        yield from _not_lost(records, proposals)
        yield from _out_of_order(proposals, first, rule)
    if judgements:
        yield from _gaps(records, "judgement", 1, judgements, lost.judgements, None)
    for limit in (CAP, FLOOR):
        for tier, bound, _ in limit.surpluses(replay.initial, law):
            count = counted(replay.initial.count(tier), f"{tier} rule")
            yield rule_finding(
                limit.slug,
                Span(file=f"rules/initial/{bound.rule}.md"),
                bound,
                f"the game begins with {count}; Rule {bound.rule} {limit.verb}s {bound.value}",
                f"begin with another number of rules, or let Rule {bound.rule} {limit.ease}",
            )


def _gaps(
    records: Records,
    kind: InstrumentKind,
    first: int,
    instruments: Mapping[int, Instrument],
    lost: Collection[int],
    rule: int | None,
) -> Iterator[Finding]:
    """Yield one finding for each gap, however wide: it may lack a thousand million numbers."""
    last = max(instruments)
    withheld = (
        path.rpartition("/")[2].removesuffix(".md")
        for path in records.withheld
        if path.startswith(kind)
    )
    known = {*instruments, *lost, *(int(name) for name in withheld if name.isdecimal())}
    for before, after in pairwise(
        (first - 1, *sorted(number for number in known if first <= number <= last))
    ):
        missing = range(before + 1, after)
        if not missing:
            continue
        which, others = f"{kind} {missing[0]} is", ""
        if len(missing) > 1:
            which, others = f"{kind}s {missing[0]} to {missing[-1]} are", " and the others"
        # The number after the gap may itself be lost or withheld: the finding needs a file.
        bearer = min(number for number in instruments if number >= after)
        yield Finding(
            slug="number-missing",
            span=instruments[bearer].source.at("number"),
            message=f"{which} missing before {kind} {bearer}",
            help=f"bring {kind}s/{missing[0]}.md{others} back: whatever became of a {kind}, its "
            f"number and its file stay. If it is lost, list it under `lost: {{{kind}s: [...]}}` in "
            "nomic.yml",
            rule=rule,
        )


def _not_lost(records: Records, proposals: Mapping[int, Proposal]) -> Iterator[Finding]:
    for index, number in enumerate(records.settings.lost.proposals):
        if number in proposals:
            yield Finding(
                slug="number-doubled",
                span=records.settings_source.at("lost", "proposals", index),
                message=f"proposal {number} is listed as lost, but {proposals[number].path} exists",
                help=f"delete {number} from `lost`",
            )


def _out_of_order(
    proposals: Mapping[int, Proposal], first: int, rule: int | None
) -> Iterator[Finding]:
    """Yield numbers below `first`, and proposals whose dates are not in the order of numbers."""
    latest = None
    for number, proposal in sorted(proposals.items()):
        if number < first:
            yield Finding(
                slug="number-wrong",
                span=proposal.source.at("number"),
                message=f"proposals are numbered from {first}, and this is {number}",
                help="make it a draft again (proposals/NAME.md, without `number`): `nomicgen "
                "register NAME` gives the next number",
                rule=rule,
            )
        # When a proposal was decided says nothing of when it was put forward.
        moment = proposal.matter.date or proposal.matter.opened
        if moment is None:
            continue
        if latest is not None and moment.precedes(latest[0]):
            yield Finding(
                slug="number-wrong",
                span=proposal.source.at("date"),
                message=f"proposal {number} was put forward on {moment}, before proposal "
                f"{latest[1]} on {latest[0]}",
                help="numbers are given in the order in which proposals are put forward: correct "
                "number or date",
                rule=rule,
            )
        latest = max(latest or (moment, number), (moment, number))
