"""A move: what a command would write, in parts, and the lines that it prints. Each part is carried
out as a whole, or not at all.
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
from nomicgen.play.mending.shown import as_shown
from nomicgen.play.refusal import Refused, Wait
from nomicgen.repository.commits import commit, require_ready
from nomicgen.repository.game_tree import require_same
from nomicgen.repository.write_plan import WritePlan, attempt, execute, fingerprint

if TYPE_CHECKING:
    from nomicgen.repository.gitpython import Actor

# When a commit reaches the default branch, a forge closes the issues that its message says it
# fixes, and notifies the people whom it mentions.
_FORGE_TRIGGERS = r"(?i)(?<=[#@])(?=\w)|(?<=\bGH)-(?=[0-9])|(?<=:)//"


class Part(Struct, frozen=True, kw_only=True):
    """What one commit holds. `on` is its day, if that is not the day of its move.

    `trailers` are the last lines, such as `Instrument: proposals/305.md`. `author` is the author of
    the commit, None for whoever makes it. `merges` is a commit that becomes its second parent; no
    file of that one is taken.
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

        What players wrote is kept to one line, so that it cannot forge a trailer. A space breaks up
        what a forge would act upon: `#12`, `@name`, `GH-3`, addresses.
        """
        subject = re.sub(_FORGE_TRIGGERS, " ", safe(" ".join(self.subject.split())))
        trailers = "\n".join(f"{key}: {value}" for key, value in self.trailers)
        return f"{subject}\n\n{trailers}\n" if trailers else f"{subject}\n"


class Move(Struct, frozen=True, kw_only=True):
    """What a command would do: its parts, the lines to print, the game before and after."""

    before: Game
    after: Game
    parts: tuple[Part, ...]
    said: tuple[str, ...] = ()
    on: Moment | None = None

    @property
    def writes(self) -> bool:
        """Whether any part writes or deletes a file."""
        return any(part.paths for part in self.parts)

    @property
    def effects(self) -> Effects:
        """What it changes in the state of the game, such as a rule or a score."""
        before, after = self.before, self.after
        return brought_about(
            before.records, before.replay, after.records, after.replay, after.until
        )


_NO_CHANGE = "  the files say so already: nothing to do"


def idle(game: Game, on: Moment, *said: str) -> Move:
    """Return the move of a command that has nothing to do; `said` says why, or is empty."""
    return Move(before=game, after=game, parts=(), said=said, on=on)


def free_path(game: Game, stem: str) -> str:
    """Return the first of `stem.md`, `stem-2.md`, `stem-3.md` and so on that the game lacks."""
    paths = (f"{stem}{f'-{number}' if number > 1 else ''}.md" for number in count(1))
    return next(path for path in paths if path not in game.tree)


def edit_file(game: Game, path: str, changes: Mapping[str, object | None]) -> bytes:
    """Return the content of a file with some keys changed; None removes a key.

    Raises Refused if a key does not stand on a line of its own.
    """
    data = game.tree[path]
    assert isinstance(data, bytes)
    try:
        return set_keys(data, changes)
    except ValueError as error:
        raise Refused(
            f"{path}: {error}",
            "write each key on a line of its own, `key: value`, then run the command again",
        ) from None


def blocking_errors(game: Game, touched: Collection[str] = ()) -> Findings:
    """Return the errors of a game that block a move which touches the files `touched`.

    Errors in undecided proposals that it does not touch do not block it: an adoption may make
    another proposal stale, or unlawful, and then its author mends that one. Nor does `date-future`
    in a withdrawn or void proposal: the move may be of a day before the withdrawal.
    """
    return tuple(
        error
        for error in game.errors
        if error.span.file in touched
        or not (
            _is_undecided(game, error.span.file)
            or (error.slug == "date-future" and _is_withdrawn_or_void(game, error.span.file))
        )
    )


def _is_undecided(game: Game, path: str) -> bool:
    """Return whether a file is an undecided proposal, or an unnumbered one that cannot be read."""
    proposal = game.records.proposal(path)
    if proposal is None:
        return path.startswith("proposals/") and not is_ledger(path)
    return proposal.matter.is_undecided


def _is_withdrawn_or_void(game: Game, path: str) -> bool:
    proposal = game.records.proposal(path)
    return proposal is not None and proposal.matter.status in ("withdrawn", "void")


def verify_move(
    game: Game, *parts: Part, said: tuple[str, ...] = (), on: Moment | None = None
) -> Move:
    """Return the move that these parts make, without parts that change nothing.

    Raises Refused if the game after it would have errors that block it.
    """
    after, kept = game, list[Part]()
    for part in parts:
        if part.deletes or any(after.tree.get(path) != data for path, data in part.writes.items()):
            after = overlay(after, part.writes, part.deletes)
            kept.append(part)
    if wrong := blocking_errors(after, {path for part in parts for path in part.paths}):
        # If all of them are there before the move, the move itself is right and only has to wait.
        already_wrong = {*blocking_errors(game)} & {*wrong}
        if already_wrong:
            message = "the game has errors, so nothing was written"
            remedy = "correct them first; `nomicgen check` shows them all"
        else:
            message, remedy = "the game would have errors after this, so nothing was written", ""
        raise Refused(
            message,
            remedy,
            as_shown(after, wrong),
            Wait(subject="The game", predicate="has errors; this waits until they are corrected")
            if {*wrong} == already_wrong
            else last_wait(wrong),
        )
    return Move(
        before=game,
        after=after,
        parts=tuple(kept),
        said=said if kept or not any(part.paths for part in parts) else (*said, _NO_CHANGE),
        on=on,
    )


def last_wait(wrong: Findings) -> Wait | None:
    """Return the wait that ends last; None unless each of these errors only has to wait.

    A wait without a day counts as the last.
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
    """Write a move and, with `commits`, commit each of its parts. Return the ids of the commits.

    Without commits, all parts are one write. Raises RepositoryError if the game has changed since
    it was read, cannot be written, or cannot be committed. Then nothing of that part stays, but the
    parts before it do.
    """
    root, tree = move.before.root, move.before.tree
    # Asked only before the first part: after that, the move's own writes have changed the game.
    unchanged: Callable[[], None] | None = partial(require_same, root, tree) if tree else None
    if not commits:
        whole = Part(subject="")
        for part in move.parts:
            kept = {path: data for path, data in whole.writes.items() if path not in part.deletes}
            deletes = (whole.deletes - part.writes.keys()) | part.deletes
            whole = Part(subject="", writes={**kept, **part.writes}, deletes=deletes)
        execute(root, _plan(whole, tree), still=unchanged)
        return ()
    if move.parts:
        require_ready(root, date=_when(move.on))
    ids = []
    for part in move.parts:
        with attempt(root, _plan(part, tree), still=unchanged):
            when = _when(part.on or move.on)
            ids.append(
                commit(
                    root,
                    part.paths,
                    part.message,
                    author=part.author,
                    date=when,
                    merges=part.merges,
                )
            )
        unchanged = None
        tree = {path: data for path, data in tree.items() if path not in part.deletes} | dict(
            part.writes
        )
    return tuple(ids)


def _plan(part: Part, tree: Tree) -> WritePlan:
    """Return the plan that writes a part, given the files of the game."""
    there = {path: tree.get(path) for path in part.paths}
    expects = {
        path: fingerprint(data) if isinstance(data, bytes) else None for path, data in there.items()
    }
    return WritePlan(writes=part.writes, deletes=part.deletes, expects=expects)


def _when(moment: Moment | None) -> datetime | None:
    return commit_time(moment) if moment else None


def commit_time(moment: Moment) -> datetime | None:
    """Return the author's date of a commit for a move on `moment`: that day and time, as UTC.

    None for a day before 1970: git cannot store it.
    """
    when = datetime.combine(moment.day, moment.clock, UTC)
    return when if when.timestamp() >= 0 else None
