"""Folders for a site: those from which files that a person made are read, and the one into which
a command writes Markdown for another program to build a site from.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Literal

from msgspec import MsgspecError, Struct, json

from nomicgen.repository.errors import RepositoryError, Unreadable
from nomicgen.repository.game_tree import shown_path
from nomicgen.repository.named_files import read_file
from nomicgen.repository.paths import JOURNAL, real
from nomicgen.repository.write_plan import WritePlan, execute, fingerprint, hold_still

MANIFEST = ".nomicgen-pages.json"
"""The file, in the folder, that lists what the last run wrote there."""
# The most files that a folder may have, and their bytes together: pictures and films included.
_MOST_FILES, _MOST_BYTES = 20_000, 256 << 20
_MOST_MANIFEST = 32 << 20  # bytes
# Folders that do not make a folder count as used: a repository, and what an interrupted run left.
_NO_CONTENT = frozenset({".git", JOURNAL})


class _Manifest(Struct, kw_only=True):
    """What the last run wrote: the digest of each file by its path."""

    format: Literal[1]
    files: dict[str, str]


class NotOurs(RepositoryError):
    """Raised for a folder that holds what this command did not write, or what someone has changed
    since.
    """


class Mirror(Struct, frozen=True, kw_only=True):
    """How the folder `root` is brought up to date: the plan, the paths of files that are new or
    changed (`written`) or `removed`, and how many are as they should be (`kept`).
    """

    root: Path
    plan: WritePlan
    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    kept: int = 0


def read_folder(folder: Path, *, without: Collection[Path] = ()) -> dict[str, bytes]:
    """Return every file below a folder by its path there, except hidden ones and those in the
    folders `without`. Links are followed.

    Raises Unreadable, and RepositoryError for more files or bytes than a site's folder has.
    """
    return read_files(folder, _paths(folder, {real(path) for path in without}))


def read_files(folder: Path, paths: Iterable[str]) -> dict[str, bytes]:
    """Return the bytes of a folder's files at `paths`. Raises what `read_folder` raises."""
    names = sorted(islice(paths, _MOST_FILES + 1))
    if len(names) > _MOST_FILES:
        raise RepositoryError(
            f"{folder} has more than {_MOST_FILES:,} files", "name a folder that is a site's alone"
        )
    contents: dict[str, bytes] = {}
    left = _MOST_BYTES
    for path in names:
        contents[path] = read_file(folder / path, left)
        left -= len(contents[path])
    return contents


def _paths(folder: Path, without: Collection[Path]) -> Iterator[str]:
    def refuse(error: OSError) -> None:
        raise Unreadable(shown_path(error.filename), error.strerror) from error

    seen: set[Path] = set()
    for here, folders, names in os.walk(folder, onerror=refuse, followlinks=True):
        place = real(Path(here))
        if place in seen or place in without:
            # A link to a folder that was read already, or what is being written.
            folders.clear()
            continue
        seen.add(place)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in names:
            if not name.startswith("."):
                yield (Path(here) / name).relative_to(folder).as_posix()


def compare(root: Path, wanted: Mapping[str, bytes]) -> Mirror:
    """Return the changes after which the folder `root` holds the files `wanted`, and no others that
    an earlier run wrote.

    Only files that a run wrote, and nobody changed since, are ever changed or removed. Raises
    NotOurs where `root` is no folder, or holds other things and no manifest, or a damaged one, and
    where a file would have to be changed or removed that no run wrote so; and what `hold_still` and
    `read_file` raise.
    """
    known, held = _held(root, wanted)
    digests = {path: fingerprint(data) for path, data in wanted.items()}
    changed = [
        path
        for path, there in held.items()
        if there not in (None, known.get(path), digests.get(path))
    ]
    if changed:
        more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
        raise NotOurs(
            f"{root} holds what was not written there by this command: "
            f"{', '.join(changed[:3])}{more}",
            "pages are changed in the game, and docs in its own docs folder; move these away, "
            "then run it again",
        )
    written = tuple(path for path, digest in sorted(digests.items()) if held[path] != digest)
    removed = tuple(path for path in sorted(known) if path not in wanted and held[path] is not None)
    manifest = (
        json.format(json.encode(_Manifest(format=1, files=digests), order="sorted"), indent=1)
        + b"\n"
    )
    writes = {path: wanted[path] for path in written}
    if known != digests:
        writes[MANIFEST] = manifest
    return Mirror(
        root=root,
        plan=WritePlan(
            writes=writes,
            deletes=frozenset(removed),
            expects={path: held[path] for path in (*written, *removed)},
        ),
        written=written,
        removed=removed,
        kept=len(wanted) - len(written),
    )


def bring_over(mirror: Mirror) -> None:
    """Carry the changes out, all or none. Raises what `execute` raises."""
    mirror.root.mkdir(parents=True, exist_ok=True)
    execute(mirror.root, mirror.plan)
    for path in mirror.removed:
        # A folder that is empty now is removed, too.
        with suppress(OSError):
            for parent in (mirror.root / path).parents:
                if parent == mirror.root:
                    break
                parent.rmdir()


def _held(root: Path, wanted: Collection[str]) -> tuple[dict[str, str], dict[str, str | None]]:
    """Return by path the digests of the files that the last run wrote, and the present digests of
    these and of `wanted` ones, None for no file.
    """
    if not os.path.lexists(root):
        return {}, dict.fromkeys(wanted)
    if not root.is_dir():
        raise NotOurs(f"{root} is no folder", "name a new folder")
    with hold_still(root):
        known = _manifest(root)
        return known, {path: _digest(root / path) for path in sorted({*known, *wanted})}


def _manifest(root: Path) -> dict[str, str]:
    if not os.path.lexists(root / MANIFEST):
        if _is_used(root):
            raise NotOurs(f"{root} holds other things", "name a new folder, or an empty one")
        return {}
    try:
        return json.decode(read_file(root / MANIFEST, _MOST_MANIFEST), type=_Manifest).files
    except (MsgspecError, RecursionError, ValueError) as error:
        raise NotOurs(
            f"{root / MANIFEST} is damaged", f"remove {root}, then run the command again"
        ) from error


def _is_used(root: Path) -> bool:
    """Return whether there is any file in a folder, except in those of `_NO_CONTENT`."""

    def refuse(error: OSError) -> None:
        raise Unreadable(shown_path(error.filename), error.strerror) from error

    for here, folders, names in os.walk(root, onerror=refuse):
        if Path(here) == root:
            folders[:] = [name for name in folders if name not in _NO_CONTENT]
        if names or any((Path(here) / name).is_symlink() for name in folders):
            return True
    return False


def _digest(path: Path) -> str | None:
    if not path.exists():
        return None
    return fingerprint(read_file(path, _MOST_BYTES))
