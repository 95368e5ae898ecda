"""A move: what a command would write, what it says of it, and carrying it out whole or not at
all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, date, datetime
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

from msgspec import Struct

from nomicgen.files.file_editing import set_keys
from nomicgen.formats.terminal import safe
from nomicgen.history.past.effects_between import Effects, brought_about
from nomicgen.law.checks.run import is_ledger
from nomicgen.model.findings import Findings
from nomicgen.model.values import Moment
from nomicgen.play.load import Game, Tree, overlay
from nomicgen.play.mending.shown import with_mends
from nomicgen.play.refusal import Refused, Wait
from nomicgen.repository.commits import commit, ready
from nomicgen.repository.game_tree import require_same
from nomicgen.repository.write_plan import WritePlan, attempt, execute, fingerprint

if TYPE_CHECKING:
    from nomicgen.repository.gitpython import Actor

# On its default branch a forge closes the issue that a message says it fixes, and calls whom it
# names.
_OBEYED = r"(?i)(?<=[#@])(?=\w)|(?<=\bGH)-(?=[0-9])|(?<=:)//"


class Part(Struct, frozen=True, kw_only=True):
    """What one commit holds, and `on` which day it happened, if on another than its move.

    `trailers` are its last lines, e.g. `Instrument: proposals/305.md`; `author` is whose work it
    is; `merges` is a commit that becomes its second parent, of which nothing else is taken.
    """

    writes: Mapping[str, bytes] = {}
    deletes: frozenset[str] = frozenset()
    subject: str
    trailers: tuple[tuple[str, str], ...] = ()
    on: Moment | None = None
    author: Actor | None = None
    merges: str | None = None

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(sorted({*self.writes, *self.deletes}))

    @property
    def message(self) -> str:
        """The commit's message.

        What players wrote is kept to one line, so that it cannot forge a trailer, and with a space
        in whatever a forge obeys.
        """
        subject = re.sub(_OBEYED, " ", safe(" ".join(self.subject.split())))
        trailers = "\n".join(f"{key}: {value}" for key, value in self.trailers)
        return f"{subject}\n\n{trailers}\n" if trailers else f"{subject}\n"


class Move(Struct, frozen=True, kw_only=True):
    """What a command would do: its parts, the lines that say so, the game before and after."""

    before: Game
    after: Game
    parts: tuple[Part, ...]
    said: tuple[str, ...] = ()
    on: Moment | None = None

    @property
    def writes(self) -> bool:
        return any(part.paths for part in self.parts)

    @property
    def effects(self) -> Effects:
        """What it brings about."""
        before, after = self.before, self.after
        return brought_about(
            before.records, before.replay, after.records, after.replay, after.until
        )


def idle(game: Game, on: Moment, *said: str) -> Move:
    """Return the move of a command that has nothing to do, and says why."""
    return Move(before=game, after=game, parts=(), said=said, on=on)


def free_path(game: Game, stem: str) -> str:
    """Return the first of `stem.md`, `stem-2.md`, `stem-3.md` that the game does not have."""
    paths = (f"{stem}{f'-{number}' if number > 1 else ''}.md" for number in count(1))
    return next(path for path in paths if path not in game.tree)


def edit_file(game: Game, path: str, changes: Mapping[str, object | None]) -> bytes:
    """Return a file of the game with other values for some keys; None takes a key out.

    Raises Refused where it is written so that its keys do not stand on lines of their own.
    """
    data = game.tree[path]
    assert isinstance(data, bytes)
    try:
        return set_keys(data, changes)
    except ValueError as error:
        raise Refused(
            f"{path}: {error}",
            "write each key on a line of its own, `key: value`, then run it again",
        ) from None


def blocking_errors(game: Game, touched: Collection[str] = ()) -> Findings:
    """Return the errors that no move can be made with: all except those of undecided proposals
    that it does not touch.

    An adoption may well make another proposal stale, or unlawful: its author mends that, and it
    hinders nobody else. Nor does what was withdrawn later hinder what is done as of an earlier day.
    """
    return tuple(
        error
        for error in game.errors
        if error.span.file in touched
        or not (
            _is_undecided(game, error.span.file)
            or (error.slug == "date-future" and _is_idle(game, error.span.file))
        )
    )


def _is_undecided(game: Game, path: str) -> bool:
    proposal = game.records.proposal(path)
    if proposal is None:
        return path.startswith("proposals/") and not is_ledger(path)
    return proposal.matter.is_undecided


def _is_idle(game: Game, path: str) -> bool:
    proposal = game.records.proposal(path)
    return proposal is not None and proposal.matter.status in ("withdrawn", "void")


def verify_move(
    game: Game, *parts: Part, said: tuple[str, ...] = (), on: Moment | None = None
) -> Move:
    """Return the move, if the game is without errors that hinder it. Raises Refused, with the
    errors, if it is not.
    """
    after = game
    for part in parts:
        after = overlay(after, part.writes, part.deletes)
    if wrong := blocking_errors(after, {path for part in parts for path in part.paths}):
        before = blocking_errors(game)
        raise Refused(
            "the game would have errors after this, so nothing was written",
            "correct them first; `nomicgen check` shows them all" if before else "",
            with_mends(after, wrong),
            Wait(words="The game has errors, and this waits until they are corrected")
            if {*wrong} <= {*before}
            else waits_of(wrong),
        )
    return Move(
        before=game,
        after=after,
        parts=tuple(part for part in parts if part.paths),
        said=said,
        on=on,
    )


def waits_of(wrong: Findings) -> Wait | None:
    """Return what a move waits for where all that stands against it only needs time, or somebody's
    deed.

    The last of it.
    """
    waits = [finding.waits for finding in wrong if finding.waits is not None]
    if len(waits) < len(wrong):
        return None
    return max(
        waits,
        key=lambda wait: (wait.since is None, wait.since or Moment.of(date.min)),
        default=None,
    )


def perform(move: Move, *, commits: bool) -> tuple[str, ...]:
    """Write a move, and with `commits` commits each of its parts. Gives the commits' ids.

    Without commits all of it is one write. Raises RepositoryError when the game changed since it
    was read, cannot be written, or cannot be committed: then the part that it happened to is
    undone, and those before it stand.
    """
    root, tree = move.before.root, move.before.tree
    still: Callable[[], None] | None = partial(require_same, root, tree) if tree else None
    if not commits:
        whole = Part(subject="")
        for part in move.parts:
            kept = {path: data for path, data in whole.writes.items() if path not in part.deletes}
            deletes = (whole.deletes - part.writes.keys()) | part.deletes
            whole = Part(subject="", writes={**kept, **part.writes}, deletes=deletes)
        execute(root, _plan(whole, tree), still=still)
        return ()
    if move.parts:
        ready(root, date=_when(move.on))
    ids = []
    for part in move.parts:
        with attempt(root, _plan(part, tree), still=still):
            date = _when(part.on or move.on)
            ids.append(
                commit(
                    root,
                    part.paths,
                    part.message,
                    author=part.author,
                    date=date,
                    merges=part.merges,
                )
            )
        still = None
        tree = {path: data for path, data in tree.items() if path not in part.deletes} | dict(
            part.writes
        )
    return tuple(ids)


def _plan(part: Part, tree: Tree) -> WritePlan:
    """Return what writes a part over `tree`."""
    there = {path: tree.get(path) for path in part.paths}
    expects = {
        path: fingerprint(data) if isinstance(data, bytes) else None for path, data in there.items()
    }
    return WritePlan(writes=part.writes, deletes=part.deletes, expects=expects)


def _when(moment: Moment | None) -> datetime | None:
    return commit_time(moment) if moment else None


def commit_time(moment: Moment) -> datetime | None:
    """Return the author's date of a commit for a move on `moment`: what the player said, in UTC.

    None before 1970, which git has no dates for.
    """
    when = datetime.combine(moment.day, moment.clock, UTC)
    return when if when.timestamp() >= 0 else None
