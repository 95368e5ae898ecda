"""Writing to a game: a plan is carried out whole or not at all, even if the power fails.

The new contents are first written to a journal inside the game, `.nomicgen/prepare-PID/`, with a
manifest. Renaming that directory to `.nomicgen/commit` decides the write: before it nothing has
happened, after it everything will, since whoever reads or writes the game next rolls the journal
forward. Then the journal is renamed again, and removed.

A write that is to be committed is on trial until git has the commit. The journal then keeps the old
files as well. If the branch has not moved when the trial ends, or when the next command comes, the
write is taken back: the journal becomes `.nomicgen/undo`, and is rolled backward.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from nomicgen.repository import journal
from nomicgen.repository.errors import Changed, Unreadable
from nomicgen.repository.lock import WAIT, lock
from nomicgen.repository.paths import check_apart, check_path


class WritePlan(Struct, frozen=True, kw_only=True):
    """Files to write and to delete, by path in the game's root with `/`. A file to delete may be
    gone already.

    `expects` gives for a path the `fingerprint` that its file must have when the write begins, None
    where there must be no file.
    """

    writes: Mapping[str, bytes] = {}
    deletes: frozenset[str] = frozenset()
    expects: Mapping[str, str | None] = {}

    def __post_init__(self) -> None:
        if both := self.deletes & self.writes.keys():
            raise ValueError(f"to be written and deleted: {sorted(both)}")


def fingerprint(data: bytes) -> str:
    """Return the SHA-256 in hexadecimal, as `WritePlan.expects` has it."""
    return sha256(data).hexdigest()


def execute(
    root: Path, plan: WritePlan, *, wait: float = WAIT, still: Callable[[], None] | None = None
) -> None:
    """Carry out a plan in the existing directory `root`. `still` is called before anything is
    written, while nobody else can write: it may raise an error if the game is not as it was.

    Raises, with nothing changed: UnsafePath for a path that leads out of `root`, into git's own
    files, through a link or to something that is no file; Changed when a file is not as expected;
    Locked after `wait` seconds; WriteFailed or Unreadable when the system refuses; ForeignJournal
    when something else is in the journal's place; Edited when somebody edited a file that an
    interrupted command was writing. Raises Unfinished when the system refuses after the write was
    decided: the next reader or writer completes it.
    """
    with _begun(root, plan, wait, still) as before:
        if plan.writes or plan.deletes:
            try:
                journal.carry_out(root, plan.writes, plan.deletes, before)
            except KeyboardInterrupt:
                journal.recover(root, partial(_finish_commit, root))
                raise


@contextmanager
def attempt(
    root: Path, plan: WritePlan, *, wait: float = WAIT, still: Callable[[], None] | None = None
) -> Iterator[None]:
    """Carry out a plan as `execute` does, then run the block, which commits it. If the block raises
    an error and the branch is where it was, the write is taken back.

    Nobody else reads or writes the game meanwhile. Raises what `execute` and `head_of` raise.
    """
    with _begun(root, plan, wait, still) as before:
        from nomicgen.repository.git import head_of

        head = head_of(root)
        is_made = False
        try:
            journal.carry_out(root, plan.writes, plan.deletes, before, trial=True, head=head)
            yield
            is_made = True
        finally:
            if is_made:
                journal.keep(root)
            else:
                journal.conclude(root, partial(_finish_commit, root))


@contextmanager
def _begun(
    root: Path, plan: WritePlan, wait: float, still: Callable[[], None] | None
) -> Iterator[dict[str, str | None]]:
    """Lock the game for a plan that can be carried out; yield the fingerprints of what is there."""
    with lock(root, shared=False, wait=wait):
        journal.recover(root, partial(_finish_commit, root))
        for path in sorted({*plan.writes, *plan.deletes, *plan.expects}):
            check_path(root, path)
        check_apart(plan.writes)
        if still is not None:
            still()
        before = {
            path: _found(root, path)
            for path in sorted({*plan.writes, *plan.deletes, *plan.expects})
        }
        changed = tuple(
            path for path, wanted in sorted(plan.expects.items()) if before[path] != wanted
        )
        if changed:
            raise Changed(changed)
        yield before


@contextmanager
def hold_still(root: Path, *, wait: float = WAIT) -> Iterator[None]:
    """Keep writers out while the block runs: no write is under way or half done.

    Raises Locked, Unreadable, and what completing an interrupted write may raise: UnsafePath,
    ForeignJournal, Edited, Unfinished, and what asking git raises.
    """
    must_recover = journal.has_journal
    while True:
        with lock(root, shared=True, wait=wait):
            if not must_recover(root):
                yield
                return
        with lock(root, shared=False, wait=wait):
            journal.recover(root, partial(_finish_commit, root))
        # If the journal is still there, only a `commit` or `undo` in it has to be dealt with: its
        # other files keep nobody from reading.
        must_recover = journal.is_unfinished


def _finish_commit(root: Path, head: str | None, since: float) -> bool:
    # Git is asked only where a commit was under way.
    from nomicgen.repository.commit_recovery import finish_commit

    return finish_commit(root, head, since)


def _found(root: Path, path: str) -> str | None:
    if not os.path.lexists(f"{root}/{path}"):
        return None
    try:
        return journal.digest_of(root / path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Unreadable(path, error.strerror) from error
