"""What the rules do by themselves: rules that change, turns that pass, and what follows when a deadline has passed."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from nomicgen.files.instruction_text import amend, repeal
from nomicgen.files.yaml_writing import write_front_matter
from nomicgen.law.judging_kind import Due
from nomicgen.law.prospects import deadlines, has_deadlines
from nomicgen.law.replay.due_changes import sunset_result
from nomicgen.law.replay.events import place_at
from nomicgen.law.replay.state import DueChange
from nomicgen.model.records import Turn
from nomicgen.model.values import Moment
from nomicgen.play.load import Game, law_on, overlay
from nomicgen.play.move import Move, Part, edited, free_path, verified
from nomicgen.play.resolving import latest_as_of, with_rules


def advance(
    game: Game,
    on: Moment,
    counted: Callable[[Game], Game] = lambda game: game,
    waits: Callable[[str, Moment], bool] = lambda path, due: False,
) -> Move:
    """Writes all that is due by `on`: an act for each rule that changes by itself, the turn that passed by itself.

    `counted` gives a game with the votes that its files do not have yet. `waits` is asked of each deadline before it is
    written, the earliest first: whether what was due about a file at a moment has to wait.
    """
    game = played = latest_as_of(game, on)
    parts: list[Part] = []
    lines: list[str] = []
    seen: set[_DueItem] = set()
    while (owed := _owed(played, on, counted, waits)) is not None and owed not in seen:
        seen.add(owed)  # what is owed twice would be owed for ever: what is wrong with it is shown
        if owed.path:
            part, line = _overdue(counted(played), owed, on)
        else:
            part, line = _passed(played, owed) if owed.rule is None else _changed(played, owed.rule)
        parts.append(part)
        lines.append(line)
        played = overlay(played, part.writes, part.deletes)
    return verified(game, *parts, said=tuple(lines), on=on)


class _DueItem(Struct, frozen=True):
    """What is due next: a rule that changes by itself, a deadline about the file at `path`, or the turn that passes."""

    moment: Moment
    rule: int | None = None
    revision: int = 0
    path: str = ""


def _owed(
    game: Game, on: Moment, counted: Callable[[Game], Game], waits: Callable[[str, Moment], bool]
) -> _DueItem | None:
    """What has been due for longest by `on`; the law of a later day may be another when it is written."""
    changes = [_DueItem(due.moment, due.rule.number, due.rule.revision) for due in game.replay.due]
    passes = [_DueItem(game.replay.overdue)] if game.replay.overdue is not None else []
    late = [_DueItem(due.moment, due.rule, path=due.path) for due in _deadlines(game, on, counted)]
    due = (item for item in (*changes, *passes, *late) if not on.precedes(item.moment))
    for item in sorted(due, key=lambda item: (item.moment, item.rule or 0)):
        path = item.path if item.rule is not None else _path(_passing(game))
        if not path or not waits(path, item.moment):
            return item
    return None


def _passing(game: Game) -> Turn:
    """The turn that passes by itself: the last that has begun."""
    begun = (turn for turn in game.records.turns.values() if turn.matter.began is not None)
    return max((turn for turn in begun if not _after(game, turn)), key=lambda turn: turn.order)


def _path(turn: Turn) -> str:
    return f"turns/{turn.ident}.yml"


def _passed(game: Game, owed: _DueItem) -> tuple[Part, str]:
    turn = _passing(game)
    writes = {_path(turn): edited(game, _path(turn), {"ended": owed.moment, "passed": True})}
    subject = f"Turn {turn.ident} of {turn.matter.player} passed by itself"
    return Part(writes=writes, subject=subject), f"{subject}, on {owed.moment}"


def _deadlines(game: Game, on: Moment, counted: Callable[[Game], Game]) -> list[Due]:
    """The deadlines that have passed, where a rule says what is written then."""
    game = counted(game) if has_deadlines(law_on(game, on)) else game
    return [due for due in deadlines(game.records, game.replay, on) if due.writes and due.moment.precedes(on)]


def _overdue(game: Game, owed: _DueItem, on: Moment) -> tuple[Part, str]:
    due = next(
        due for due in deadlines(game.records, game.replay, on) if (due.rule, due.path) == (owed.rule, owed.path)
    )
    writes = {path: edited(game, path, keys) for path, keys in due.writes.items()}
    return Part(writes=writes, subject=f"Rule {due.rule}: {due.then}"), f"{due.missed}: {due.then}"


def _after(game: Game, turn: Turn) -> bool:
    return game.until.precedes(turn.matter.began)


def _changed(game: Game, number: int) -> tuple[Part, str]:
    due = next(due for due in game.replay.due if due.rule.number == number)
    path = free_path(game, f"acts/{due.moment.day}-rule-{due.rule.number}")
    matter = {
        "cause": f"Rule {due.rule.number}",
        "by": str(due.rule.number),
        "under": due.rule.number,
        "date": due.moment,
        "seq": max(place_at(game.records, due.moment), 1),  # after proposals that are decided at that moment
    }
    part = Part(
        writes={path: write_front_matter(matter, _body(due))}, subject=f"Rule {due.rule.number} changes by itself"
    )
    return with_rules(game, part, path), f"Rule {due.rule.ref} changes by itself, as of {due.moment}: {path}"


def _body(due: DueChange) -> str:
    wanted = sunset_result(due.rule, due.provision)
    argument = f"Rule {due.rule.ref} says of itself when it changes, and that time has come."
    if wanted is None:
        return f"{argument}\n\n{repeal(due.rule.ref)}\n"
    text, provisions = wanted
    return f"{argument}\n\n{amend(due.rule.ref, text, provisions=dict(provisions))}\n"
