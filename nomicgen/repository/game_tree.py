"""The files of a game, read from disk in one go. No symbolic link is followed."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

from nomicgen.files.text_encoding import PICTURE_LIMIT, SIZE_LIMIT, Oddity
from nomicgen.model.import_record import IMPORT, IMPORT_MAP
from nomicgen.repository.errors import Changed, NoGame, TooManyFiles, Unreadable
from nomicgen.repository.journal import is_unfinished
from nomicgen.repository.lock import WAIT
from nomicgen.repository.paths import real
from nomicgen.repository.write_plan import hold_still

SETTINGS = "nomic.yml"
_NEARLY_SETTINGS = (SETTINGS, "nomic.yaml")  # in small letters
FOLDERS = frozenset({"acts", "images", "judgements", "players", "proposals", "rules", "turns"})
_KNOWN = FOLDERS | {SETTINGS, IMPORT, IMPORT_MAP}  # what belongs to a game, in its root
# Twice the files of the longest game that is known, and few bytes even for a small machine.
_MOST_FILES = 50_000
_MOST_BYTES = 256 << 20


def find_root(start: Path) -> Path:
    """Return the nearest directory, from `start` upwards, that holds nomic.yml or an interrupted
    write. Raises NoGame where there is none, and Unreadable.
    """
    here = real(start)
    for directory in (here, *here.parents):
        # A link by that name counts as well: `read_tree` then says what is wrong with it. If the
        # writing of a new game was interrupted, `read_tree` completes it.
        if os.path.lexists(directory / SETTINGS) or is_unfinished(directory):
            return directory
    raise NoGame(here, _misnamed_settings(here))


def _misnamed_settings(directory: Path) -> str | None:
    try:
        names = sorted(file.name for file in directory.iterdir())
    except OSError:  # the error is that there is no game
        return None
    return next((name for name in names if name.casefold() in _NEARLY_SETTINGS), None)


def read_tree(root: Path, *, wait: float = WAIT) -> dict[str, bytes | Oddity]:
    """Return the bytes of every file of the game in `root`, by its path there (with `/`), sorted. A
    picture has b'': nothing needs to know more than that it is there.

    A write that was interrupted is completed first, and none happens meanwhile. For a symbolic
    link, or a file that is too large, there is an Oddity in place of the bytes. Paths have escapes
    for what is not UTF-8 or does not print. Folders are known whatever their case, since some
    systems do not tell `Rules` from `rules`.

    Raises Unreadable for what the system refuses and for pipes, sockets and devices, TooManyFiles
    for more files or bytes than are read, Locked when another command writes for more than `wait`
    seconds, and what `hold_still` raises.
    """
    with hold_still(root, wait=wait):
        return {shown_path(path): content for path, content in sorted(_walk(root))}


def require_same(root: Path, tree: Mapping[str, bytes | Oddity]) -> None:
    """Raise Changed where the game in `root` is no longer `tree`; the caller holds the lock."""
    there = {shown_path(path): content for path, content in _walk(root)}
    changed = {path for path in (*there, *tree) if there.get(path) != tree.get(path)}
    if changed:
        raise Changed(tuple(sorted(changed)))


def require_readable(files: int, size: int) -> None:
    """Raise TooManyFiles if a game has too many `files`, or in them more bytes (`size`) than are
    read.
    """
    if files > _MOST_FILES:
        raise TooManyFiles(f"{_MOST_FILES:,} files")
    if size > _MOST_BYTES:
        raise TooManyFiles(f"{_MOST_BYTES >> 20} MiB of text")


def _walk(root: Path) -> Iterator[tuple[str, bytes | Oddity]]:
    files = size = 0
    folders = [""]
    while folders:
        folder = folders.pop()
        for entry in _entries(root, folder):
            path = f"{folder}{entry.name}"
            if not is_of_game(path):
                continue
            if entry.is_dir(follow_symlinks=False):
                folders.append(f"{path}/")
            else:
                content = _content(f"{root}/{path}", path)
                files, size = files + 1, size + (len(content) if isinstance(content, bytes) else 0)
                require_readable(files, size)
                yield path, content


def is_of_game(path: str) -> bool:
    """Return whether a path from the game's root belongs to the game. The case of its first part
    does not matter.
    """
    return path.partition("/")[0].casefold() in _KNOWN


def _entries(root: Path, folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(root / folder) as entries:
            return list(entries)
    except OSError as error:
        raise Unreadable(shown_path(folder) or str(root), error.strerror) from error


def _content(file: str, path: str) -> bytes | Oddity:
    try:
        status = os.lstat(file)
        if stat.S_ISLNK(status.st_mode):
            return Oddity("symlink", shown_path(str(Path(file).readlink())))
        if not stat.S_ISREG(status.st_mode):
            raise Unreadable(shown_path(path), "it is no ordinary file")
        stand_in = stand_in_for(path, status.st_size)
        if stand_in is not None:
            return stand_in
        # O_NOFOLLOW, should it have become a link since.
        handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            data = os.read(handle, status.st_size + 1)
            while (
                len(data) > status.st_size
                and len(data) <= SIZE_LIMIT
                and (more := os.read(handle, SIZE_LIMIT))
            ):
                data += more  # it has grown since
        finally:
            os.close(handle)
        return (
            data
            if len(data) <= SIZE_LIMIT
            else Oddity("file-too-large", f"more than {SIZE_LIMIT} bytes")
        )
    except OSError as error:
        raise Unreadable(shown_path(path), error.strerror) from error


def stand_in_for(path: str, size: int) -> bytes | Oddity | None:
    """Return what stands in a tree for a file of `size` bytes that is not read: b'' for a picture,
    an Oddity for a file that is too large. None for a file that is read.
    """
    is_picture = path.casefold().startswith("images/")
    if size > (PICTURE_LIMIT if is_picture else SIZE_LIMIT):
        return Oddity("file-too-large", f"{size} bytes")
    return b"" if is_picture else None


def shown_path(path: str | bytes) -> str:
    """Return a path on one line, with escapes for what is not UTF-8 or does not print."""
    text = os.fsencode(path).decode("utf-8", "backslashreplace")
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )
