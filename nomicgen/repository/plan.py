"""Writing to a game: a plan of files is carried out whole or not at all, even if the power fails.

The new contents are first written to a journal inside the game, `.nomicgen/prepare-PID/`, with a manifest. Renaming
that directory to `.nomicgen/commit` decides the write: before it nothing has happened, after it everything will, since
whoever reads or writes the game next rolls the journal forward. Then the journal is renamed again, and removed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from nomicgen.repository import journal
from nomicgen.repository.errors import Changed, Unreadable
from nomicgen.repository.lock import WAIT, lock
from nomicgen.repository.paths import check_apart, check_path

__all__ = ["WritePlan", "execute", "fingerprint", "settled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WritePlan:
    """Files to write and to delete, by path in the game's root with `/`; to delete what is gone is no error.

    `expects` gives for a path the `fingerprint` that its file must have when the write begins, None where there must
    be no file.
    """

    writes: Mapping[str, bytes] = field(default_factory=dict)
    deletes: frozenset[str] = frozenset()
    expects: Mapping[str, str | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if both := self.deletes & self.writes.keys():
            raise ValueError(f"to be written and deleted: {sorted(both)}")


def fingerprint(data: bytes) -> str:
    """SHA-256 in hexadecimal, as `WritePlan.expects` has it."""
    return sha256(data).hexdigest()


def execute(root: Path, plan: WritePlan, *, wait: float = WAIT) -> None:
    """Carries out a plan in the existing directory `root`.

    Raises, with nothing changed: UnsafePath for a path that leads out of `root`, into git's own files, through a link
    or to something that is no file; Changed when a file is not as expected; Locked after `wait` seconds; WriteFailed
    or Unreadable when the system refuses; ForeignJournal when something else is in the journal's place. Raises
    Unfinished when the system refuses after the write was decided: the next reader or writer completes it.
    """
    with lock(root, shared=False, wait=wait):
        journal.recover(root)
        for path in sorted({*plan.writes, *plan.deletes, *plan.expects}):
            check_path(root, path)
        check_apart(plan.writes)
        changed = tuple(path for path, wanted in sorted(plan.expects.items()) if _found(root, path) != wanted)
        if changed:
            raise Changed(changed)
        if plan.writes or plan.deletes:
            journal.carry_out(root, plan.writes, plan.deletes)


@contextmanager
def settled(root: Path, *, wait: float = WAIT) -> Iterator[None]:
    """Holds the game still: no write is under way or half done while the block runs.

    Raises Locked, Unreadable, and what completing an interrupted write may raise: UnsafePath, ForeignJournal,
    Unfinished.
    """
    while True:
        with lock(root, shared=True, wait=wait):
            if not journal.pending(root):
                yield
                return
        with lock(root, shared=False, wait=wait):
            journal.recover(root)


def _found(root: Path, path: str) -> str | None:
    try:
        return fingerprint((root / path).read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Unreadable(path, error.strerror) from error
