"""Data that was kept elsewhere, as a folder or as a tar archive of one: read into memory, never
unpacked.

There are limits on files and bytes. Links, devices, files that are too large, and paths that lead
out of the folder are skipped, and listed.
"""

from __future__ import annotations

import tarfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from lzma import LZMAError
from pathlib import Path, PurePosixPath
from stat import S_ISREG
from typing import Self

from msgspec import Struct

from nomicgen.repository.errors import RepositoryError, Unreadable
from nomicgen.repository.game_tree import shown_path
from nomicgen.repository.named_files import read_given, require_ordinary

_FILES = 200_000  # files that are read, and members of an archive
_BYTES = 512 << 20  # of all files together
_FILE = 8 << 20  # bytes of one file
_PACKED = 256 << 20  # bytes of an archive's file
_UNPACKED = 1 << 30  # bytes that come out of an archive
_NAMED = 1 << 20  # bytes of a member that holds only the long name of another

Wanted = Callable[[str], bool]
"""A function that says by a file's path in the folder whether the file is wanted."""


class Bundle(Struct, kw_only=True):
    """Files by their paths in the folder, and the paths of what was skipped."""

    files: dict[str, bytes] = {}
    skipped: list[str] = []
    _size: int = 0

    def take(self, path: str, data: bytes) -> None:
        """Add a file. Raises RepositoryError where there are too many bytes or files."""
        self._size += len(data)
        self.files[path] = data
        if self._size > _BYTES or len(self.files) > _FILES:
            message = f"more than {_FILES} files or {_BYTES >> 20} MiB stand there"
            raise RepositoryError(message, "name the folder of the data alone")


def read_bundle(source: Path, folders: Sequence[str], wanted: Wanted) -> Bundle:
    """Return the files of `source`, a folder or a tar archive, that lie directly in its `folders`
    and are `wanted`.

    In an archive the data may lie deeper: the folder that has the most files in `folders` then
    counts as `source`. Raises Unreadable, or RepositoryError where it is too large.
    """
    return (
        _of_folder(source, folders, wanted)
        if source.is_dir()
        else _of_archive(source, folders, wanted)
    )


def _of_folder(source: Path, folders: Sequence[str], wanted: Wanted) -> Bundle:
    bundle = Bundle()
    for folder in folders:
        place = source / folder
        try:
            if place.is_symlink():
                bundle.skipped.append(folder)
                continue
            names = sorted(file.name for file in place.iterdir()) if place.is_dir() else []
            for name in names:
                path = f"{folder}/{name}"
                if not wanted(path):
                    continue
                about = (place / name).lstat()
                if not S_ISREG(about.st_mode) or about.st_size > _FILE:
                    bundle.skipped.append(path)
                    continue
                bundle.take(path, read_given(place / name, _FILE)[:_FILE])
        except OSError as error:
            raise Unreadable(shown_path(str(place)), error.strerror) from error
    return bundle


def _of_archive(source: Path, folders: Sequence[str], wanted: Wanted) -> Bundle:
    bundle, skipped = Bundle(), []
    require_ordinary(source, _PACKED)
    try:
        with tarfile.open(source, mode="r|*", tarinfo=_Member) as archive:
            for member in _members(archive):
                path = PurePosixPath(member.name)
                if member.isdir():
                    continue
                stream = archive.extractfile(member) if _is_plain(member, path) else None
                if stream is None:
                    skipped.append(member.name)
                elif path.parent.name in folders:
                    bundle.take(str(path), stream.read())
    except (tarfile.TarError, EOFError, zlib.error, LZMAError, ValueError, OverflowError) as error:
        raise Unreadable(
            shown_path(str(source)), "it is no tar archive that can be read"
        ) from error
    except OSError as error:
        raise Unreadable(
            shown_path(str(source)), error.strerror or "it is no tar archive that can be read"
        ) from error
    root = _root(bundle.files)
    inside = (
        (path, str(PurePosixPath(path).relative_to(root)))
        for path in bundle.files
        if _is_in(path, root)
    )
    return Bundle(
        files={name: bundle.files[path] for path, name in inside if wanted(name)}, skipped=skipped
    )


class _Member(tarfile.TarInfo):
    """A member of an archive. A long name stands in a member of its own, which tarfile would read
    whole: it has a limit.
    """

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        member = super().frombuf(buf, encoding, errors)
        if not member.isfile() and not member.isdir() and member.size > _NAMED:
            raise tarfile.ReadError("a header is too large")
        return member


def _members(archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """Yield the members. Raises RepositoryError for too many, or too many bytes: a small archive
    may unpack to very much.
    """
    for count, member in enumerate(archive):
        if member.offset_data + member.size > _UNPACKED:
            message = f"more than {_UNPACKED >> 20} MiB come out of the archive"
            raise RepositoryError(message, "pack the data's folder alone")
        if count > _FILES:
            raise RepositoryError(
                f"the archive has more than {_FILES} members", "pack the data's folder alone"
            )
        yield member


def _is_plain(member: tarfile.TarInfo, path: PurePosixPath) -> bool:
    return (
        member.isreg()
        and member.size <= _FILE
        and not path.is_absolute()
        and ".." not in path.parts
    )


def _root(paths: dict[str, bytes]) -> PurePosixPath:
    """Return the folder with the most files two levels below it; of equals, the upper one."""
    counts = Counter(PurePosixPath(path).parent.parent for path in paths)
    return max(
        counts,
        key=lambda folder: (counts[folder], -len(folder.parts), str(folder)),
        default=PurePosixPath("."),
    )


def _is_in(path: str, root: PurePosixPath) -> bool:
    return PurePosixPath(path).is_relative_to(root)
