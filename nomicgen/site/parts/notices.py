"""The notices on a rule's page: changes that are decided, proposed or failed, and lost texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from nomicgen.history.rule_history import RuleHistory
from nomicgen.law.replay.results import Rule, Ruleset
from nomicgen.model.records import Instruction, Instrument
from nomicgen.model.values import Moment
from nomicgen.site.site_view import Site, values_by_key

_UNDECIDED = ("draft", "debate", "open")
# What an instruction would do, by its verb, in the words of a notice.
_VERBS = {
    "amend": "amend this rule",
    "repeal": "repeal this rule",
    "transmute": "transmute this rule",
    "retitle": "give this rule another title",
    "renumber": "give this rule another number",
    "mark": "mark this rule anew",
}

_ByRule = Mapping[int, Sequence[tuple[Instrument, Instruction, Moment | None]]]


class ChangesByRule(Struct, frozen=True):
    """The changes of rules that have not happened: `pending` are decided and not yet in effect,
    `proposed` are of drafts and undecided proposals, `failed` of proposals that did not pass.

    Each has, by the identity of a rule, the instruments and instructions that would change it, and
    the moment of that (None if it is not known).
    """

    pending: _ByRule
    proposed: _ByRule
    failed: _ByRule


def changes_by_rule(site: Site) -> ChangesByRule:
    """Return the changes of rules that have not happened."""
    proposals = site.records.of_kind("proposal")
    pending = [(step.instrument, step.effective) for step in site.replay.pending]
    proposed = [(proposal, None) for proposal in proposals if proposal.matter.status in _UNDECIDED]
    failed = [
        (proposal, None)
        for proposal in proposals
        if proposal.matter.status not in (*_UNDECIDED, "adopted")
    ]
    now = {instrument.path: site.replay.current for instrument in site.records.instruments.values()}
    then = {path: step.before for path, step in site.steps.items()}
    return ChangesByRule(_by_rule(pending, now), _by_rule(proposed, now), _by_rule(failed, then))


def _by_rule(
    instruments: Sequence[tuple[Instrument, Moment | None]], rulesets: Mapping[str, Ruleset]
) -> _ByRule:
    """Return the instructions by rule. `rulesets` has, by the path of an instrument, the ruleset in
    which its numbers are looked up.
    """
    return values_by_key(
        (rule.identity, (instrument, instruction, moment))
        for instrument, moment in instruments
        for instruction in instrument.instructions
        if instruction.target is not None and instrument.path in rulesets
        if (rule := rulesets[instrument.path].once_numbered(instruction.target.number)) is not None
    )


def would_do(instruction: Instruction) -> str:
    """Return what an instruction would do to the rule of a page: `amend this rule`."""
    tier = f" to {instruction.tier}" if instruction.verb == "transmute" and instruction.tier else ""
    return f"{_VERBS[instruction.verb]}{tier}"


def lost_texts(history: RuleHistory, rule: Rule, number: int | None) -> Iterator[str]:
    """Yield sentences about the lost texts of a rule, first about that of `rule` if it is lost.
    With `number`, only the texts that the rule had under it count.
    """
    lost = [
        entry.rule
        for entry in history.revisions
        if entry.rule.text is None and number in (None, entry.rule.number)
    ]
    if rule.text is None:
        yield f"The text of {rule.ref} is lost: no copy of it has come down to us."
        lost = [revision for revision in lost if revision.ref != rule.ref]
    if lost:
        *before, last = _ranges(lost)
        refs = f"{', '.join(before)} and {last}" if before else last
        yield f"The text of {refs} is lost." if len(lost) == 1 else f"The texts of {refs} are lost."


def _ranges(rules: Sequence[Rule]) -> Sequence[str]:
    """Return the names of revisions; several in a row are one: `2154/0–60`."""
    ranges: list[tuple[Rule, Rule]] = []
    for revision in rules:
        if ranges and (revision.number, revision.revision) == (
            ranges[-1][1].number,
            ranges[-1][1].revision + 1,
        ):
            ranges[-1] = (ranges[-1][0], revision)
        else:
            ranges.append((revision, revision))
    return [
        first.ref if first is last else f"{first.ref}–{last.revision}" for first, last in ranges
    ]
