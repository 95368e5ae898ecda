"""The journal of a write: prepared, decided by one rename, rolled forward, removed. `plan.py` tells the whole way.

Everything but `pending` is called with the game locked for one writer.

A journal writes files, so one that arrives with a pull request must not be believed. Ours has a manifest that nobody
may write to, a mode that git never gives to a file, and that names its own inode and the game's, which no archive can
foresee. (Not the device: its number may change when the machine starts again.)
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import stat
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from nomicgen.repository.errors import ForeignJournal, Unfinished, WriteFailed
from nomicgen.repository.paths import JOURNAL, check_path

__all__ = ["carry_out", "pending", "recover"]

_MANIFEST = "manifest.json"
_READ_ONLY = 0o444
_ANY_WRITE = 0o222


@dataclass(frozen=True, slots=True)
class _Decided:
    """What a manifest says: for each path its file in the journal and that file's SHA-256; and what to delete."""

    writes: Mapping[str, tuple[str, str]]
    deletes: tuple[str, ...]


def pending(root: Path) -> bool:
    """Whether a write was decided and not completed, or something else stands in the place of its journal."""
    folder = root / JOURNAL
    return folder.is_dir() and not folder.is_symlink() and os.path.lexists(folder / "commit")


def carry_out(root: Path, writes: Mapping[str, bytes], deletes: Iterable[str]) -> None:
    """Writes and deletes files at paths that were checked. Raises WriteFailed, ForeignJournal or Unfinished."""
    folder = root / JOURNAL
    prepared = folder / f"prepare-{os.getpid()}"
    if os.path.lexists(folder) and (folder.is_symlink() or not folder.is_dir()):
        raise ForeignJournal(root, "it is no directory")
    try:
        _make_room(root, (*writes, *deletes))
        folder.mkdir(exist_ok=True)
        _prepare(root, prepared, writes, tuple(sorted(deletes)))
        _sync(folder)
        _sync(root)
        prepared.rename(folder / "commit")
    except OSError as error:
        shutil.rmtree(prepared, ignore_errors=True)
        with suppress(OSError):
            folder.rmdir()
        raise WriteFailed(root, error) from error
    recover(root)


def recover(root: Path) -> None:
    """Completes the write that was decided, if there is one, and throws away what was only prepared.

    Raises ForeignJournal, UnsafePath or Unfinished.
    """
    folder = root / JOURNAL
    if pending(root):
        decided = _read(root)
        for path in (*decided.writes, *decided.deletes):
            check_path(root, path)
        try:
            _roll_forward(root, decided)
            (folder / "commit").rename(folder / f"done-{os.getpid()}")
            _sync(folder)
        except OSError as error:
            raise Unfinished(root, error) from error
    if folder.is_dir() and not folder.is_symlink():
        _tidy(folder)


def _make_room(root: Path, paths: Iterable[str]) -> None:
    """Finds out before the write is decided whether it can be carried out."""
    device = root.stat().st_dev
    effective = os.access in os.supports_effective_ids
    for parent in sorted({(root / path).parent for path in paths}):
        parent.mkdir(parents=True, exist_ok=True)
        if not os.access(parent, os.W_OK | os.X_OK, effective_ids=effective):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(parent))
        if parent.stat().st_dev != device:
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), str(parent))


def _prepare(root: Path, prepared: Path, writes: Mapping[str, bytes], deletes: tuple[str, ...]) -> None:
    prepared.mkdir()
    names = {path: str(number) for number, path in enumerate(sorted(writes))}
    for path, name in names.items():
        with (prepared / name).open("xb") as stream:
            stream.write(writes[path])
            stream.flush()
            os.fsync(stream.fileno())
    handle = os.open(prepared / _MANIFEST, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _READ_ONLY)
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        manifest = {
            "self": os.fstat(handle).st_ino,
            "root": root.stat().st_ino,
            "writes": {path: [name, sha256(writes[path]).hexdigest()] for path, name in names.items()},
            "deletes": deletes,
        }
        json.dump(manifest, stream)
        stream.flush()
        os.fsync(handle)
    _sync(prepared)


def _read(root: Path) -> _Decided:
    folder = root / JOURNAL / "commit"
    try:
        status = (folder / _MANIFEST).lstat()
        if folder.is_symlink() or not stat.S_ISREG(status.st_mode) or status.st_mode & _ANY_WRITE:
            raise ForeignJournal(root, "nomicgen did not write its manifest")
        manifest = json.loads((folder / _MANIFEST).read_bytes())
        if (manifest["self"], manifest["root"]) != (status.st_ino, root.stat().st_ino):
            raise ForeignJournal(root, "it was made for another directory")
        writes = {str(path): (str(name), str(digest)) for path, (name, digest) in manifest["writes"].items()}
        decided = _Decided(writes, tuple(str(path) for path in manifest["deletes"]))
        for name, digest in decided.writes.values():
            staged = folder / name
            # What is no longer there has been moved into its place.
            if os.path.lexists(staged) and sha256(staged.read_bytes()).hexdigest() != digest:
                raise ForeignJournal(root, "a file in it is not what its manifest says")
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ForeignJournal(root, "its manifest is damaged") from error
    except FileNotFoundError as error:
        raise ForeignJournal(root, "it has no manifest") from error
    except OSError as error:
        raise Unfinished(root, error) from error
    return decided


def _roll_forward(root: Path, decided: _Decided) -> None:
    folder = root / JOURNAL / "commit"
    for path, (name, _) in decided.writes.items():
        if os.path.lexists(folder / name):
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).replace(root / path)
    for path in decided.deletes:
        (root / path).unlink(missing_ok=True)
    for parent in sorted({(root / path).parent for path in (*decided.writes, *decided.deletes)}):
        if parent.is_dir():
            _sync(parent)


def _tidy(folder: Path) -> None:
    # The write is complete without this, and the next writer tries again.
    with suppress(OSError):
        for entry in sorted(folder.iterdir()):
            if entry.name.startswith(("prepare-", "done-")) and not entry.is_symlink():
                shutil.rmtree(entry, ignore_errors=True)
        folder.rmdir()


def _sync(directory: Path) -> None:
    handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    except OSError as error:
        # Some network file systems have no such thing as flushing a directory.
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(handle)
