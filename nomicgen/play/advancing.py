"""What the rules do by themselves: rules that change, turns that pass, and what follows when a
deadline has passed.
"""

from __future__ import annotations

from collections.abc import Callable

from nomicgen.files.yaml_writing import write_front_matter
from nomicgen.law.judging_kind import Due
from nomicgen.law.prospects import deadlines, throws_before
from nomicgen.law.replay.events import next_seq
from nomicgen.model.values import Moment
from nomicgen.play.load import Game, overlay
from nomicgen.play.move import Move, Part, edit_file, free_path, verify_move
from nomicgen.play.resolving import as_of_if_latest, with_rules


def advance(
    game: Game,
    on: Moment,
    counted: Callable[[Game], Game] = lambda game: game,
    waits: Callable[[str, Moment], bool] = lambda path, due: False,
) -> Move:
    """Return the move that writes all that is due by `on`: acts of rules that change by themselves,
    and what follows from deadlines that have passed.

    `counted` returns a game with the votes that its files do not have yet. `waits` gets the path of
    a file and the moment of its deadline, and says whether to write the end later. The end of a
    turn waits for its player's throw. Raises Refused if something was decided, or took effect,
    after `on`.
    """
    game = played = as_of_if_latest(game, on)
    parts: list[Part] = []
    lines: list[str] = []
    seen: set[tuple[object, ...]] = set()
    while (due := _longest_due(played, on, counted, waits)) is not None and (
        known := (due.missed, due.moment)
    ) not in seen:
        seen.add(known)  # what is due again after it was written would be due for ever
        part, line = _act_of_rule(played, due) if due.act else _end_written(counted(played), due)
        parts.append(part)
        lines.append(line)
        played = overlay(played, part.writes, part.deletes)
    return verify_move(game, *parts, said=tuple(lines), on=on)


def _longest_due(
    game: Game, on: Moment, counted: Callable[[Game], Game], waits: Callable[[str, Moment], bool]
) -> Due | None:
    """Return what has been due longest by `on`, without the ends that wait; None if nothing is."""
    game = counted(game)
    late = [
        due
        for due in deadlines(game.records, game.replay, on)
        if due.happens and due.is_over(on) and not throws_before(due, game.records, game.replay, on)
    ]
    late.sort(key=lambda due: (due.moment, due.rule))
    return next((due for due in late if due.act or not waits(due.path, due.moment)), None)


def _end_written(game: Game, due: Due) -> tuple[Part, str]:
    writes = {path: edit_file(game, path, keys) for path, keys in due.writes.items()}
    return Part(writes=writes, subject=f"Rule {due.rule}: {due.then}"), due.done


def _act_of_rule(game: Game, due: Due) -> tuple[Part, str]:
    path = free_path(game, f"acts/{due.moment.day}-rule-{due.rule}")
    matter = {
        "cause": f"Rule {due.rule}",
        "by": str(due.rule),
        "under": due.rule,
        "date": due.moment,
        # With a `seq` it comes after the proposals that are decided at that moment.
        "seq": max(next_seq(game.records, due.moment), 1),
    }
    part = Part(
        writes={path: write_front_matter(matter, due.act)},
        subject=f"Rule {due.rule} changes by itself",
    )
    said = f"Rule {due.rule} has changed by itself on {due.moment}: {path}"
    return with_rules(game, part, path), said
