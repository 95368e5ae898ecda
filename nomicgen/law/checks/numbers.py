"""Numbers: given once, serially, and what is missing is known to be lost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

from nomicgen.diagnostics import Finding, counted
from nomicgen.law.precedence import Law
from nomicgen.law.replay_state import Replay
from nomicgen.law.sizes import CAP, FLOOR
from nomicgen.model import Instrument, InstrumentKind, Moment, ProposalMatter, Records, Source, Span

_GAP = 20


def check_numbers(records: Records, replay: Replay) -> Iterator[Finding]:
    """Numbers of proposals, judgements and initial rules."""
    law = Law.of(replay.initial, records.settings, records.settings.started)
    lost = records.settings.lost
    yield from _doubled(records)
    yield from _serial(records, law, _numbered(records, "proposal"), set(lost.proposals))
    yield from _full(replay, law)
    yield from _gaps("judgement", 1, _numbered(records, "judgement"), set(lost.judgements), records)


def _numbered(records: Records, kind: InstrumentKind) -> dict[int, Instrument]:
    return {one.number: one for one in records.of_kind(kind) if one.number is not None}


def _full(replay: Replay, law: Law) -> Iterator[Finding]:
    """An initial set that is above its own cap or below its own floor."""
    bounds = (
        (CAP, "cap-exceeded", "fewer rules, or with a higher cap"),
        (FLOOR, "floor-broken", "more rules, or with a lower floor"),
    )
    for bound, slug, other in bounds:
        for tier, said, _ in bound.surpluses(replay.initial, law):
            count = counted(replay.initial.count(tier), f"{tier} rule")
            yield Finding(
                slug=slug,
                span=Span(file=f"rules/initial/{said.rule}.md"),
                message=f"the game begins with {count}; Rule {said.rule} {bound.verb}s {said.value}",
                help=f"begin with {other}",
                rule=said.rule,
            )


def _doubled(records: Records) -> Iterator[Finding]:
    bearers: dict[tuple[str, int], list[Source]] = defaultdict(list)
    for file in records.initial.values():
        bearers["initial rule", file.matter.number].append(file.source)
    for instrument in records.instruments.values():
        if instrument.number is not None:
            bearers[instrument.kind, instrument.number].append(instrument.source)
    for (kind, number), sources in bearers.items():
        if len(sources) == 1:
            continue
        first, *others = sorted(source.at("number") for source in sources)
        for span in others:
            yield Finding(
                slug="number-doubled",
                span=span,
                message=f"{kind} {number} is there already, in {first.file}",
                help="a number is given once: give this file the next free one (`nomicgen status` names it)",
            )


def _serial(records: Records, law: Law, numbers: dict[int, Instrument], lost: set[int]) -> Iterator[Finding]:
    if not numbers:
        return
    said = law.says("numbering", "first")
    first, rule = (said.value, said.rule) if said else (min(numbers), None)
    yield from _gaps("proposal", first, numbers, lost, records, rule)
    for number in sorted(lost & set(numbers)):
        yield Finding(
            slug="number-doubled",
            span=records.settings_source.at("lost", "proposals", records.settings.lost.proposals.index(number)),
            message=f"proposal {number} is said to be lost, and {numbers[number].path} is there",
            help=f"take {number} out of `lost`",
        )
    latest: tuple[Moment, int] | None = None
    for number, instrument in sorted(numbers.items()):
        if number < first:
            yield Finding(
                slug="number-wrong",
                span=instrument.source.at("number"),
                message=f"proposals are numbered from {first}, and this is {number}",
                help="the next number is the one that `nomicgen register` gives",
                rule=rule,
            )
        # When a proposal was decided says nothing of when it was put forward.
        matter = instrument.matter
        moment = (matter.date or matter.opened) if isinstance(matter, ProposalMatter) else None
        if moment is None:
            continue
        if latest is not None and moment.precedes(latest[0]):
            yield Finding(
                slug="number-wrong",
                span=instrument.source.at("date"),
                message=f"proposal {number} was put forward on {moment}, before proposal {latest[1]} on {latest[0]}",
                help="numbers are given in the order in which proposals are put forward: mend the number or the date",
                rule=rule,
            )
        latest = max(latest, (moment, number)) if latest else (moment, number)


def _gaps(
    kind: str, first: int, numbers: dict[int, Instrument], lost: set[int], records: Records, rule: int | None = None
) -> Iterator[Finding]:
    if not numbers:
        return
    withheld = {path.rpartition("/")[2].removesuffix(".md") for path in records.withheld if path.startswith(kind)}
    known = sorted({*numbers, *lost, *(int(name) for name in withheld if name.isdecimal())})
    given = sorted(numbers)
    for before, after in pairwise((first - 1, *(number for number in known if first <= number <= given[-1]))):
        if after - before == 1:
            continue
        bearer = numbers[next(number for number in given if number >= after)]
        # A gap can have a thousand million numbers: beyond a few it is told in one.
        gap = range(before + 1, after)
        parts = [(number, number) for number in gap] if len(gap) <= _GAP else [(gap[0], gap[-1])]
        for one, last in parts:
            yield _missing(kind, one, last, bearer, rule)


def _missing(kind: str, one: int, last: int, bearer: Instrument, rule: int | None) -> Finding:
    which, files, these = f"{kind}s {one} to {last} are", f"{kind}s/{one}.md and the others", "the numbers"
    if one == last:
        which, files, these = f"{kind} {one} is", f"{kind}s/{one}.md", "the number"
    remedy = f"bring {files} back; failed ones keep their number and their file"
    return Finding(
        slug="number-missing",
        span=bearer.source.at("number"),
        message=f"{which} missing before {kind} {bearer.number}",
        help=remedy + (f", or list {these} under `lost` in nomic.yml" if kind == "proposal" else ""),
        rule=rule,
    )
