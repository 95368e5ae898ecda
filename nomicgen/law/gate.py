"""The gate: which rules in force permit an effect, or why none does.

Until a rule of the game has a provision, the gate permits everything. From then on, an act or a
judgement that changes a rule, and a deed, need a rule that permits them. Points given by hand,
turns, players' changes and judgements need one only if a rule in force has a provision about them;
if none has, people judge by the texts. The gate judges a proposal when it is offered, numbered,
opened or withdrawn, and its day of effect when it is adopted; `voting/assessment.py` judges its
votes and changes. The gate is not asked about points that rules give by themselves, about
corrections, or about what a rule does to itself (`sunset`).

The gate only answers. The replay acts on it: acts, judgements and points by hand that are not
permitted change nothing; a turn, a player's change, a withdrawal or a deed that is not permitted is
an error, and has happened all the same.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from nomicgen.law.judging_kind import DeedKind, deed_kinds, judging_kinds
from nomicgen.law.precedence import Law
from nomicgen.law.replay.effects import Verdict
from nomicgen.law.replay.player_spans import is_player
from nomicgen.law.subjects import DeedDone, State, Subject, license_of
from nomicgen.model.findings import Finding
from nomicgen.model.records import Instrument


def license_effect(subject: Subject, state: State) -> Verdict:
    """Return the rules in force that permit an effect, and why it is not permitted, if it is not.

    Each kind of provision that judges effects of this type is asked.
    """
    if state.lawless:
        return Verdict()
    verdicts = [judge(subject, state) for judge in _judges(type(subject))]
    verdicts += [_license_deed(subject, state)] if isinstance(subject, DeedDone) else []
    return Verdict(
        tuple(licence for verdict in verdicts for licence in verdict.licences),
        tuple(finding for verdict in verdicts for finding in verdict.findings),
    )


@cache
def _judges(effect: type[Subject]) -> tuple[Callable[[Subject, State], Verdict], ...]:
    return tuple(
        entry.judge for kind in judging_kinds() for entry in kind.licenses if entry.effect is effect
    )


def deeds_in_force(law: Law) -> tuple[DeedKind, ...]:
    """Return the kinds of deed that the rules in force let players do."""
    return tuple(deed for schema, deed in deed_kinds().values() if law.rules_of(schema))


def _license_deed(subject: DeedDone, state: State) -> Verdict:
    """Return the rules that let players do a deed, and why this player may not, if so."""
    deed, player = subject.deed, state.records.players.get(subject.deed.by)
    schema, kind = deed_kinds().get(deed.do, (None, None))
    numbers = state.law.rules_of(schema) if schema is not None else ()
    rules = [rule for number in numbers if (rule := state.ruleset.get(number)) is not None]
    about = subject.about.kind if isinstance(subject.about, Instrument) else "turn"
    if schema is None or kind is None or not rules or kind.about != about:
        names = [f"`{each.name}`" for each in deeds_in_force(state.law)]
        possible = ", ".join(names) or "nothing of that kind"
        why, remedy = (
            f"no rule lets a player {deed.do} {subject.name}",
            f"delete the entry; the rules let players do {possible}",
        )
        return Verdict(findings=(_unlawful(subject, None, why, remedy),))
    if player is None or not (
        player.matter.kind == "person" and is_player(player, deed.at or state.moment)
    ):
        why = (
            f"{deed.by} does not play on {deed.at or state.moment}, and {kind.done} {subject.name}"
        )
        return Verdict(findings=(_unlawful(subject, rules[0].number, why, "delete the entry"),))
    if deed.at is not None and deed.at.precedes(subject.since):
        why = (
            f"{deed.by} {kind.done} {subject.name} on {deed.at}; that could be done from "
            f"{subject.since}"
        )
        return Verdict(
            findings=(_unlawful(subject, rules[0].number, why, "do it again, or correct `at`"),)
        )
    licences = tuple(license_of(rule, schema) for rule in rules)
    return Verdict(licences, tuple(kind.judge(subject, state)))


def _unlawful(subject: DeedDone, rule: int | None, message: str, remedy: str) -> Finding:
    return Finding(slug="deed-unlawful", span=subject.span, message=message, help=remedy, rule=rule)
