"""Files that an archive moved, so that their history goes on under another path."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from msgspec import Struct

from nomicgen.importers.commit_log import CommitLog, PastCommit
from nomicgen.importers.git.past import Followed

_RENAME = r":[0-7]{6} [0-7]{6} [0-9a-f]+ [0-9a-f]+ R100"
"""What `git diff-tree` prints of a move, before the two paths."""
_MOST = 20
"""The most commits that are looked at."""


class Renamed(Struct, frozen=True, kw_only=True):
    """A file that a commit moved without a change."""

    old: str
    new: str


def suspects(log: CommitLog) -> Iterator[PastCommit]:
    """Yield the commits of the line that may have moved the files: one that brings files where
    there were none, or that takes away at least half of them and brings none.

    One that takes files away counts only if no later commit brings or changes any: otherwise those
    were the files of an earlier game.
    """
    present: set[str] = set()
    count = 0
    last = max(
        (at for at, commit in enumerate(log.line) if any(file.after for file in commit.touched)),
        default=0,
    )
    for at, commit in enumerate(log.line):
        came = {file.path for file in commit.touched if file.after is not None}
        went = {file.path for file in commit.touched if file.after is None} & present
        is_new = bool(came) and not present
        is_left = len(went) * 2 >= len(present) > 0 and not came - present and at >= last
        if (is_new or is_left) and commit.parents and not commit.boundary and count < _MOST:
            count += 1
            yield commit
        present = (present | came) - went


def parse_renames(output: bytes) -> list[Renamed]:
    """Return what `git diff-tree -r -z -M100% --diff-filter=R --raw` printed of a commit."""
    tokens = iter(output.decode("utf-8", "backslashreplace").split("\0"))
    pairs = [tuple(islice(tokens, 2)) for token in tokens if re.fullmatch(_RENAME, token)]
    return [Renamed(old=old, new=new) for old, new in pairs]


def follow_moves(
    commit: PastCommit, patterns: Sequence[str], renamed: Iterable[Renamed]
) -> Iterator[Followed]:
    """Yield the patterns under which the files of `patterns` stood before a commit, or stand since.

    As many files must have moved from one folder to one other as are half of those that the commit
    brings, and of those that it takes away. If a pattern is a single file's path, that file counts.
    """
    came = {file.path for file in commit.touched if file.before is None and file.after is not None}
    went = {file.path for file in commit.touched if file.after is None}
    moves = [*renamed]
    pairs = [(move.new, move.old) for move in moves if move.new in came and move.old not in went]
    pairs += [(move.old, move.new) for move in moves if move.old in went and move.new not in came]
    ways = Counter(
        (here, there) if here in patterns else _way(here, there) for here, there in pairs
    )
    for (here, there), count in ways.items():
        for pattern in patterns if count * 2 >= max(len(came), len(went)) else ():
            other = there + pattern.removeprefix(here)
            if pattern.startswith(here) and other not in patterns:
                yield Followed(commit=commit, pattern=pattern, other=other)


def _way(here: str, there: str) -> tuple[str, str]:
    """Return the folders of two paths, without the inner folders that both have."""
    folders, others = here.split("/")[:-1], there.split("/")[:-1]
    while folders and others and folders[-1] == others[-1]:
        folders.pop()
        others.pop()
    return _folder(folders), _folder(others)


def _folder(parts: Sequence[str]) -> str:
    return "".join(f"{part}/" for part in parts)
