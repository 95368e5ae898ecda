"""The journal of a write: prepared, decided by one rename, rolled forward, removed. `write_plan.py`
explains this.

All functions that read or change a journal, except `has_journal` and `is_unfinished`, are called
with the game locked for one writer.

A journal writes files, so one that arrives with a pull request must not be believed. The manifest
of ours is read-only, a mode that git never gives to a file, and names its own inode and the game's,
which no archive can foresee. (It does not name the device: that number may change when the machine
starts again.)
"""

from __future__ import annotations

import errno
import logging
import os
import shutil
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import file_digest, sha256
from pathlib import Path

from msgspec import MsgspecError, Struct, json
from msgspec.structs import replace

from nomicgen.repository.durable_files import put_all
from nomicgen.repository.errors import Edited, ForeignJournal, Unfinished, WriteFailed
from nomicgen.repository.paths import JOURNAL, check_path

_MANIFEST = "manifest.json"
_MOST_MANIFEST = 32 << 20  # bytes
_LARGEST = 256 << 20
"""The most bytes of a file that is compared; no command writes a larger one."""
_READ_ONLY = 0o444
_ANY_WRITE = 0o222


class _Manifest(Struct, frozen=True, kw_only=True):
    """What is decided. `writes` has for each path its file in the journal and that file's SHA-256;
    `deletes` are the paths to delete.

    `before` has the SHA-256 of what was there (None for nothing), `made` the directories that the
    write makes. On trial the write stands only if it is committed. The journal then keeps the files
    that were there, under the names in `kept` (None: not on trial), and `head` is the branch's
    commit before the write (None before the first). `inode` and `root` are the inodes of the
    manifest and of the game's directory.
    """

    writes: Mapping[str, tuple[str, str]]
    deletes: tuple[str, ...]
    before: Mapping[str, str | None]
    made: tuple[str, ...]
    kept: Mapping[str, str] | None
    head: str | None
    inode: int = 0
    root: int = 0

    @property
    def paths(self) -> tuple[str, ...]:
        return (*self.writes, *self.deletes)


def digest_of(file: Path) -> str:
    """Return the SHA-256 of an ordinary file in hexadecimal.

    Raises OSError, also for a file that is too large to be compared.
    """
    with file.open("rb") as stream:
        if os.fstat(stream.fileno()).st_size > _LARGEST:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(file))
        return file_digest(stream, "sha256").hexdigest()


def has_journal(root: Path) -> bool:
    """Return whether there is a journal: of a write that is under way, or that was interrupted."""
    folder = root / JOURNAL
    return folder.is_dir() and not folder.is_symlink()


def is_unfinished(root: Path) -> bool:
    """Return whether the journal holds a write that was decided and has not ended, or anything else
    that is called `commit` or `undo`.
    """
    return has_journal(root) and any(
        os.path.lexists(root / JOURNAL / name) for name in ("commit", "undo")
    )


def make_journal(root: Path) -> Path:
    """Make the journal's folder if there is none, and return it. Raises ForeignJournal, OSError."""
    folder = root / JOURNAL
    if os.path.lexists(folder) and not has_journal(root):
        raise ForeignJournal(root, "it is no directory")
    folder.mkdir(exist_ok=True)
    return folder


def carry_out(
    root: Path,
    writes: Mapping[str, bytes],
    deletes: Iterable[str],
    before: Mapping[str, str | None],
    *,
    trial: bool = False,
    head: str | None = None,
) -> None:
    """Write and delete files at paths that were checked. `before` has the SHA-256 of what is there
    (None for nothing), `head` the branch's commit.

    On `trial` the journal stays until `keep` or `conclude` is called. Raises WriteFailed or
    ForeignJournal with nothing changed, Unfinished after the write was decided.
    """
    folder = root / JOURNAL
    prepared = folder / f"prepare-{os.getpid()}"
    is_decided = False
    try:
        deletes = tuple(sorted(deletes))
        missing = _missing(root, (*writes, *deletes))
        make_journal(root)
        prepared.mkdir()
        there = [path for path in (*writes, *deletes) if before.get(path) is not None]
        decided = _Manifest(
            writes=_prepare(prepared, writes),
            deletes=deletes,
            before=dict(before),
            made=missing,
            kept=_keep_old(root, prepared, there) if trial else None,
            head=head,
        )
        _write_manifest(root, prepared, decided)
        _sync(folder)
        _sync(root)
        prepared.rename(folder / "commit")
        is_decided = True
    except OSError as error:
        raise WriteFailed(root, error) from error
    finally:
        if not is_decided and not os.path.lexists(folder / "commit"):
            _remove(prepared)
            with suppress(OSError):
                folder.rmdir()
    try:
        _roll_forward(root, decided)
    except OSError as error:
        raise Unfinished(root, error) from error
    if not trial:
        keep(root)


def keep(root: Path) -> None:
    """End a write that was rolled forward: it stands."""
    _close(root, "commit")


def conclude(root: Path, finish_commit: Callable[[str | None, float], bool]) -> None:
    """End a write on trial, however far it got: it stands if the commit was made, else it is taken
    back.

    `finish_commit` says whether it was made, given the branch's commit before the write, and when
    the write was decided (in seconds of the epoch). Raises ForeignJournal, Unfinished, and what
    `finish_commit` raises.
    """
    if not is_unfinished(root):
        # It was not decided.
        return
    decided, since = _read_manifest(root, "commit")
    if finish_commit(decided.head, since):
        keep(root)
    else:
        _take_back(root, decided)


def recover(root: Path, finish_commit: Callable[[str | None, float], bool]) -> None:
    """End the write that an interrupted command left, if there is one: complete it, or take it back
    if it was on trial and not committed. Log a warning. Remove what was only prepared.

    `finish_commit` says whether its commit was made. Raises ForeignJournal, UnsafePath, Unreadable,
    Edited or Unfinished, and what `finish_commit` raises.
    """
    folder = root / JOURNAL
    if is_unfinished(root):
        is_undone = os.path.lexists(folder / "undo")
        decided, since = _read_manifest(root, "undo" if is_undone else "commit")
        for path in decided.paths:
            check_path(root, path)
        _require_untouched(root, decided, folder / ("undo" if is_undone else "commit"))
        if is_undone or (decided.kept is not None and not finish_commit(decided.head, since)):
            _take_back(root, decided)
            _warn("a command was interrupted before its commit: what it had written is taken back")
            return
        if decided.kept is None:
            try:
                _roll_forward(root, decided)
            except OSError as error:
                raise Unfinished(root, error) from error
            _warn("a command was interrupted while it wrote: its write is completed now")
        else:
            _warn("a command was interrupted after its commit: what it had written stands")
        keep(root)
    elif has_journal(root):
        _tidy(folder)


def _take_back(root: Path, decided: _Manifest) -> None:
    folder = root / JOURNAL
    try:
        if not os.path.lexists(folder / "undo"):
            (folder / "commit").rename(folder / "undo")
            _sync(folder)
        for path in decided.paths:
            # No file of the journal is called `-`.
            kept = folder / "undo" / (decided.kept or {}).get(path, "-")
            if os.path.lexists(kept):
                kept.replace(root / path)
            elif decided.before.get(path) is None:
                (root / path).unlink(missing_ok=True)
        for directory in sorted(decided.made, reverse=True):
            # A directory into which somebody else put a file stays.
            with suppress(OSError):
                (root / directory).rmdir()
        _sync_all(root, decided.paths)
    except OSError as error:
        raise Unfinished(root, error) from error
    _close(root, "undo")


def _close(root: Path, name: str) -> None:
    folder = root / JOURNAL
    try:
        (folder / name).rename(folder / f"done-{os.getpid()}")
        _sync(folder)
    except OSError as error:
        raise Unfinished(root, error) from error
    _tidy(folder)


def _missing(root: Path, paths: Collection[str]) -> tuple[str, ...]:
    """Return the directories that a write has to make.

    Raises OSError, before anything is decided, where the system would refuse the write: for lack of
    permission, or because a directory is on another file system than the game.
    """
    device = root.stat().st_dev
    effective = os.access in os.supports_effective_ids
    missing: set[str] = set()
    present: set[str] = set()
    for folder in _folders(paths):
        while folder and not os.path.lexists(root / folder):
            missing.add(folder)
            folder = folder.rpartition("/")[0]
        present.add(folder)
    for parent in sorted(root / folder for folder in present):
        if not os.access(parent, os.W_OK | os.X_OK, effective_ids=effective):
            why = errno.EROFS if os.statvfs(parent).f_flag & os.ST_RDONLY else errno.EACCES
            raise OSError(why, os.strerror(why), str(parent))
        if parent.stat().st_dev != device:
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), str(parent))
    return tuple(sorted(missing))


def _folders(paths: Iterable[str]) -> list[str]:
    return sorted({path.rpartition("/")[0] for path in paths})


def _prepare(prepared: Path, writes: Mapping[str, bytes]) -> dict[str, tuple[str, str]]:
    """Put new contents into the journal and on disk; return the name and SHA-256 of each."""
    names = {path: str(number) for number, path in enumerate(sorted(writes))}
    put_all({f"{prepared}/{name}": writes[path] for path, name in names.items()})
    return {path: (name, sha256(writes[path]).hexdigest()) for path, name in names.items()}


def _keep_old(root: Path, prepared: Path, paths: Collection[str]) -> dict[str, str]:
    """Put the present files at `paths` into the journal, and return the name of each there."""
    kept = {path: f"kept-{number}" for number, path in enumerate(paths)}
    for path, name in kept.items():
        _copy(root / path, prepared / name)
    return kept


def _copy(source: Path, target: Path) -> None:
    """Keep a file: as a link, which goes on to hold the old bytes, since a write replaces files and
    never changes them; as a copy where there are no links.
    """
    try:
        target.hardlink_to(source)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK):
            raise
        shutil.copy2(source, target)
        with target.open("rb") as stream:
            os.fsync(stream.fileno())


def _write_manifest(root: Path, prepared: Path, decided: _Manifest) -> None:
    handle = os.open(
        prepared / _MANIFEST, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _READ_ONLY
    )
    with os.fdopen(handle, "wb") as stream:
        stream.write(
            json.encode(replace(decided, inode=os.fstat(handle).st_ino, root=root.stat().st_ino))
        )
        stream.flush()
        os.fsync(handle)
    _sync(prepared)


def _read_manifest(root: Path, name: str) -> tuple[_Manifest, float]:
    """Return what the manifest says, and when it was written, in seconds of the epoch. Raises
    ForeignJournal, Unfinished.
    """
    folder = root / JOURNAL / name
    try:
        status = (folder / _MANIFEST).lstat()
        if folder.is_symlink() or not stat.S_ISREG(status.st_mode) or status.st_mode & _ANY_WRITE:
            raise ForeignJournal(root, "nomicgen did not write its manifest")
        if status.st_size > _MOST_MANIFEST:
            raise ForeignJournal(root, "its manifest is larger than any that nomicgen writes")
        decided = json.decode((folder / _MANIFEST).read_bytes(), type=_Manifest)
        if (decided.inode, decided.root) != (status.st_ino, root.stat().st_ino):
            raise ForeignJournal(root, "it was made for another directory")
        for name, digest in decided.writes.values():
            staged = folder / name
            # A file that is no longer there has been moved into its place.
            if os.path.lexists(staged) and digest_of(staged) != digest:
                raise ForeignJournal(root, "a file in it is not what its manifest says")
    except (MsgspecError, RecursionError, ValueError) as error:
        raise ForeignJournal(root, "its manifest is damaged") from error
    except FileNotFoundError as error:
        raise ForeignJournal(root, "it has no manifest") from error
    except OSError as error:
        raise Unfinished(root, error) from error
    return decided, status.st_mtime


def _require_untouched(root: Path, decided: _Manifest, folder: Path) -> None:
    """Raise Edited if a file that is there is neither as before the write nor as after it: somebody
    has edited it.
    """
    edited = []
    for path in decided.paths:
        name, after = decided.writes.get(path, ("", None))
        if decided.kept is None and name and not os.path.lexists(folder / name):
            continue  # it is in its place, and whatever became of it there stays
        try:
            there = digest_of(root / path)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise Unfinished(root, error) from error
        if there not in (decided.before.get(path), after):
            edited.append(path)
    if edited:
        raise Edited(tuple(edited))


def _roll_forward(root: Path, decided: _Manifest) -> None:
    folder = root / JOURNAL / "commit"
    # A file that is no longer there has been moved into its place.
    staged = {
        path: name
        for path, (name, _) in decided.writes.items()
        if os.path.lexists(f"{folder}/{name}")
    }
    for parent in _folders(staged):
        if parent:
            (root / parent).mkdir(parents=True, exist_ok=True)
    with _held(folder) as held:
        for path, name in staged.items():
            os.replace(name, f"{root}/{path}", src_dir_fd=held)
    for path in decided.deletes:
        (root / path).unlink(missing_ok=True)
    _sync_all(root, decided.paths)


def _sync_all(root: Path, paths: Iterable[str]) -> None:
    for parent in _folders(paths):
        if (root / parent).is_dir():
            _sync(root / parent)


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


def _warn(message: str) -> None:
    logging.getLogger("nomicgen").warning(message)


def _tidy(folder: Path) -> None:
    # The write is complete without this, and the next command tries again.
    with suppress(OSError):
        for entry in sorted(folder.iterdir()):
            if entry.name.startswith(("prepare-", "done-")) and not entry.is_symlink():
                _remove(entry)
        folder.rmdir()


def _sync(directory: Path) -> None:
    with _held(directory) as handle:
        try:
            os.fsync(handle)
        except OSError as error:
            # Some network file systems have no such thing as flushing a directory.
            if error.errno not in (errno.EINVAL, errno.ENOTSUP):
                raise


@contextmanager
def _held(directory: Path) -> Iterator[int]:
    handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield handle
    finally:
        os.close(handle)
