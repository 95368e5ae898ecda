"""The open tasks, tried: why some would be refused, and the moves of those that need no choice."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import get_args

from msgspec.structs import replace

from nomicgen.law.checks.run import is_ledger
from nomicgen.law.questions import has_turn_order, rule_of_proposers
from nomicgen.model.values import Moment
from nomicgen.play.advancing import advance
from nomicgen.play.load import Game, as_of, law_on, now, today
from nomicgen.play.move import Move, blocking_errors
from nomicgen.play.next_step import NextStep, next_step, try_step
from nomicgen.play.open_tasks import is_held_elsewhere, open_tasks
from nomicgen.play.players_and_turns import record_turn
from nomicgen.play.proposing import proposal_of
from nomicgen.play.resolving import apply_rules, decisions_and_effects, require_nothing_since
from nomicgen.play.tasks import Kind, Task, urgency
from nomicgen.play.voting.ended import MoveSequence, VoteSources, open_votes, votes_with_ends


def whats_next(game: Game, on: Moment | None = None) -> tuple[Task, ...]:
    """Return what can be done on a day (None: at this moment), the most pressing first.

    If a task would be refused, it says why. Raises Refused if something was decided after that day.
    """
    if on is not None:
        require_nothing_since(game, on, effects=False)
    return tuple(sorted((task for task, _ in _try_tasks(game, on)), key=urgency))


def has_no_turns(game: Game) -> bool:
    """Return whether a game that goes on is one without turns: players propose at any time."""
    replay, law = game.replay, law_on(game, game.until)
    is_over = replay.is_lawless or replay.winner is not None or bool(blocking_errors(game))
    has_turns = (
        bool(game.records.turns) or has_turn_order(law) or rule_of_proposers(law) is not None
    )
    return not (is_over or has_turns)


def do_next(
    game: Game, on: Moment | None = None, kinds: Collection[Kind] = get_args(Kind)
) -> MoveSequence:
    """Return the moves for all tasks of these `kinds` that need no choice, and for those that come
    up once they are done.

    Raises Refused if something was decided after that day.
    """
    if on is not None:
        require_nothing_since(game, on, effects=False)
    moves = MoveSequence(before=game, on=on or game.until)
    done: set[tuple[object, ...]] = set()
    while (task_and_move := _first_free(moves.game, on, kinds)) is not None:
        task, move = task_and_move
        key = (task.kind, task.path, task.since)
        if key in done:  # It is due again although it was done: it would be due for ever.
            break
        done.add(key)
        moves.make(move)
    if not moves.parts:
        moves.said.append("nothing was done")
    return moves


def _first_free(game: Game, on: Moment | None, kinds: Collection[Kind]) -> tuple[Task, Move] | None:
    """Return the first task of these kinds that needs no choice and is not refused, and its move.

    None if there is none, or none that writes anything.
    """
    moment = on or now(game.settings)
    # A debate that ends later today is not over.
    tasks = (
        task
        for task in _open_tasks(game, on)
        if task.kind in kinds and not (task.since is not None and moment.precedes(task.since))
    )
    free = sorted((task for task in tasks if not task.needs_choice), key=urgency)
    tries = ((task, _try(game, task, on).move) for task in free)
    return next(((task, move) for task, move in tries if move is not None and move.writes), None)


def _open_tasks(game: Game, on: Moment | None) -> tuple[Task, ...]:
    """Return the open tasks on a day, with `--on` in their commands where they need it."""
    then = as_of(game, on or game.until)
    moment = on or now(game.settings)
    held = frozenset(
        number for number in open_votes(then) if is_held_elsewhere(proposal_of(then, number).matter)
    )
    ends = {
        number: end
        for number, end in votes_with_ends(then, moment, VoteSources(skips=held))
        if isinstance(end, Moment)
    }
    # Nothing may be decided before what was decided last.
    floor = max((at for _, _, at in decisions_and_effects(then)), default=None)
    tasks = []
    for task in open_tasks(then.records, then.replay, on or then.until, ends):
        since = task.since
        if task.kind == "advance" and since is not None:
            since = since if floor is None else max(since, floor)
        tasks.append(_with_day(replace(task, since=since), game, on))
    return tuple(tasks)


def _with_day(task: Task, game: Game, on: Moment | None) -> Task:
    """Return a task, with `--on` in its command if it is to be done as of another day."""
    moment = task.since if task.kind == "resolve" else on
    command = task.command
    if command is not None and moment is not None and moment.day != today(game.settings).day:
        command = f"{command} --on {moment}"
    return replace(task, command=command)


def _try_tasks(game: Game, on: Moment | None) -> Iterator[tuple[Task, Move | None]]:
    """Yield each task, with its move if that was tried and is not refused.

    A task whose move is refused says why, and has no command. One whose move writes nothing is left
    out. Errors of the game, and drafts that cannot be read, are tasks, too. While there are errors
    that hinder every move, choices that are not tried are left out: what is in a broken file is not
    known.
    """
    if wrong := blocking_errors(as_of(game, on or game.until)):
        what = "the game has errors, and nothing can be done before they are mended"
        yield (
            Task(
                kind="mend",
                what=what,
                path=wrong[0].span.file,
                command="nomicgen check",
                is_stuck=True,
            ),
            None,
        )
    for path in sorted(game.tree):
        if (
            path.startswith("proposals/")
            and not is_ledger(path)
            and path not in game.records.instruments
        ):
            for finding in [one for one in game.findings if one.span.file == path][:1]:
                what = f"{path} cannot be read: {finding.message}"
                yield Task(kind="mend", what=what, path=path, command="nomicgen check"), None
    for task in _open_tasks(game, on):
        # Of moves that need a choice, only these are tried: the choice is whether to make them.
        if task.needs_choice and task.kind not in ("register", "put"):
            if not wrong:
                yield task, None
            continue
        step = _try(game, task, on)
        if step.move is None:
            stuck = not task.needs_choice and task.kind != "begin"  # a turn can begin later
            what = f"{task.path}: {step.words}"
            yield (
                replace(
                    task,
                    what=what,
                    # The remedy is that of an error elsewhere, which `nomicgen check` shows.
                    help="" if wrong else step.remedy,
                    command=None,
                    needs_choice=True,
                    is_stuck=stuck,
                ),
                None,
            )
        elif step.move.writes:
            yield task, step.move


def _try(game: Game, task: Task, on: Moment | None) -> NextStep:
    """Return the step that a task's command would make, tried: its move, or what prevents it."""
    day = on or game.until
    match task.kind:
        case "register" | "put" | "open" | "resolve":
            since = task.since if task.kind == "resolve" else None
            step = next_step(game, task.path, since or day)
            assert step is not None, "the status of its file made it a task"
            return step
        case "advance":
            return try_step("advance", lambda: advance(game, task.since or day))
        case "apply":
            return try_step("apply", lambda: replace(apply_rules(as_of(game, day)), on=day))
        case _:
            return try_step("begin", lambda: record_turn(game, None, day))
