"""Whether what git reads are files: it would wait for ever for what a pipe says, and never come to a device's end."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path

from nomicgen.patterns import lazy_pattern
from nomicgen.repository.errors import SpecialFile
from nomicgen.repository.paths import nearest_git

_OF_TREE = (".gitattributes", ".gitignore", ".gitmodules", ".mailmap")
_KINDS = {stat.S_IFIFO: "a pipe", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device"}
_VALUE = lazy_pattern(r"^[^=\n]*=[ \t]*\"?([^\"\n]+?)\"?[ \t]*$", re.MULTILINE)
_MANY = 20_000
_MOST = 1 << 20
_DEEP = 5


def require_plain(root: Path) -> None:
    """Raises SpecialFile where git may read what keeps it waiting; of very many things only some are seen.

    This takes longer than git itself does, if nothing is wrong.
    """
    tree, git = _folders(root)
    if git is None:
        return
    common = git / (_text(git / "commondir").strip() or ".")
    for path in chain(
        _named(common, tree), _borrowed(common / "objects"), _all(git), _all(common), _all(tree, _OF_TREE)
    ):
        if kind := _kind(path):
            raise SpecialFile(path, kind)


def _folders(root: Path) -> tuple[Path, Path | None]:
    """The nearest directory that has a `.git`, and where git keeps what is of it; or a repository without files."""
    here = root.absolute()
    if os.path.lexists(here / "HEAD") and os.path.lexists(here / "objects"):
        return here, here
    git = nearest_git(root)
    return (here, None) if git is None else (git.parent, pointed(git))


def pointed(path: Path) -> Path:
    """Where git keeps what is of one work tree: `.git`, or what the file of that name says."""
    return path.parent / _text(path).strip().removeprefix("gitdir: ") if path.is_file() else path


def _text(path: Path) -> str:
    """What a file says, or its beginning; nothing where there is none."""
    try:
        if not path.is_file():
            return ""
        with path.open("rb") as stream:
            return os.fsdecode(stream.read(_MOST))
    except OSError:
        return ""  # what git says of that is said where git is asked


def _named(git: Path, tree: Path) -> Iterator[Path]:
    """What the settings may name: more settings, and lists of what is ignored, how files are read, and who is who."""
    for name in ("config", "config.worktree"):
        for named in islice(_VALUE.findall(_text(git / name)), _MANY):
            # Of an unknown user there is no home.
            with suppress(RuntimeError):
                yield from (git / Path(named).expanduser(), tree / named)


def _borrowed(objects: Path, depth: int = 0) -> Iterator[Path]:
    """The lists of other repositories whose objects are used as well."""
    listed = objects / "info" / "alternates"
    yield listed
    for borrowed in _text(listed).splitlines() if depth < _DEEP else ():
        yield from _borrowed(objects / borrowed, depth + 1)


def _all(folder: Path, names: tuple[str, ...] = ()) -> Iterator[Path]:
    for here, _, files in islice(os.walk(folder), _MANY):
        yield from (Path(here) / name for name in files if not names or name in names)


def _kind(path: Path) -> str | None:
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    if stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode) or path.samefile(os.devnull):
        return None
    return _KINDS.get(stat.S_IFMT(status.st_mode))
