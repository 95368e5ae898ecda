"""What time asks for: deadlines that have passed, and a first turn that nobody has begun."""

from __future__ import annotations

from collections.abc import Iterator

from nomicgen.law.judging_kind import Due
from nomicgen.law.precedence import Law, rule_finding
from nomicgen.law.prospects import deadlines, throws_before
from nomicgen.law.replay.results import Replay
from nomicgen.law.replay.turn_order import awaited_turn
from nomicgen.model.findings import Finding
from nomicgen.model.records import Records
from nomicgen.model.values import Moment, Span


def check_overdue(records: Records, replay: Replay) -> Iterator[Finding]:
    """Yield what should have been done by the day of the replay."""
    until = replay.until
    if until is None:
        return
    for due in deadlines(records, replay, until):
        if due.is_over(until):
            does = f"{_what_to_do(due, records, replay, until)} {due.then}"
            yield Finding(
                slug="deadline-missed",
                span=Span(file=due.path),
                message=due.missed,
                help=does if due.happens else "do it now, or change the rule",
                rule=due.rule,
            )


def _what_to_do(due: Due, records: Records, replay: Replay, until: Moment) -> str:
    """Return the first words of the help: a command does it, or the player has to throw before."""
    turn = records.turn_at(due.path)
    if turn is not None and throws_before(due, records, replay, until):
        return f"{turn.matter.player} has to throw (`nomicgen next` says how), and then"
    return "`nomicgen next --do` writes what the rule says:"


def check_unbegun(records: Records, replay: Replay) -> Iterator[Finding]:
    """Yield a warning at the first numbered proposal, if a first turn is due and has not begun."""
    first = next(
        (proposal for proposal in records.of_kind("proposal") if proposal.number is not None), None
    )
    if first is None or records.turns:
        return
    law = Law.of(replay.current, records.settings, replay.until)
    awaited = awaited_turn(records, replay, law)
    if awaited is not None:
        turn, rule_value = awaited
        message = f"no turn has begun: the first is {turn.ident} of {turn.player}"
        remedy = (
            f"run `nomicgen turn`, or add turns/{turn.ident}.yml with `player: "
            f"{turn.player}`, and `began: ` with the day"
        )
        yield rule_finding("turn-unbegun", first.source.at("date"), rule_value, message, remedy)
