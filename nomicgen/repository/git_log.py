"""What `git log` prints, read, and the ids of the files that it tells of: pure."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from itertools import islice

from nomicgen.archive.provenance import CommitInfo, Log
from nomicgen.patterns import lazy_pattern

_SEPARATOR = "\x1f"
# Not %aN: a .mailmap is a file of the repository, and would say who wrote what.
FORMAT = "%H%x00%cI%x00%an%x00%s%x00%(trailers:key=Instrument,valueonly,unfold,separator=%x1f)"
"""The five fields of a commit; with `-z` a NUL ends each, and no field can hold one."""

_HEADER = lazy_pattern(r"[0-9a-f]{40}|[0-9a-f]{64}")
_CHANGE = lazy_pattern(r":[0-7]{6} ([0-7]{6}) [0-9a-f]+ ([0-9a-f]+) [A-Z]\d*\Z")


def blob_id(data: bytes, object_format: str = "sha1") -> str:
    """The id that git gives to a file of these bytes, in a repository of the format `sha1` or `sha256`."""
    framed = b"blob %d\0%b" % (len(data), data)
    return hashlib.new(object_format, framed, usedforsecurity=False).hexdigest()


def parse_log(output: bytes, boundaries: Collection[str] = ()) -> Log:
    """The commits of `git log -z --raw --no-abbrev --no-renames --format=FORMAT`, in the order of the output.

    `boundaries` are the commits where a shallow clone ends. Raises ValueError for what git does not print.
    """
    tokens = iter(output.decode("utf-8", "backslashreplace").split("\0"))
    commits: list[CommitInfo] = []
    told: tuple[str, ...] = ()
    blobs: list[tuple[str, str]] = []
    for token in tokens:
        # Git puts a line feed before a commit's first change. A change begins with a colon, a commit with its id, and
        # whatever a person may have written is taken by place.
        token = token.removeprefix("\n")
        if change := _CHANGE.match(token):
            mode, blob = change.groups()
            path = next(tokens, None)
            if path is None:
                raise ValueError("git log printed a change and no path")
            # Regular files only: neither links, nor submodules, nor what was deleted.
            if mode.startswith("100"):
                blobs.append((path, blob))
        elif _HEADER.fullmatch(token):
            if told:
                commits.append(_commit(told, tuple(blobs), len(commits), boundary=told[0] in boundaries))
            told, blobs = (token, *islice(tokens, 4)), []
        elif token:
            raise ValueError(f"git log printed {token[:80]!r}")
    if told:
        commits.append(_commit(told, tuple(blobs), len(commits), boundary=told[0] in boundaries))
    return Log(commits=tuple(commits))


def _commit(told: tuple[str, ...], blobs: tuple[tuple[str, str], ...], index: int, *, boundary: bool) -> CommitInfo:
    sha, date, author, subject, trailers = told
    return CommitInfo(
        sha=sha,
        date=date,
        author=author,
        subject=subject,
        instruments=tuple(value.strip() for value in trailers.split(_SEPARATOR) if value.strip()) if trailers else (),
        blobs=blobs,
        index=index,
        boundary=boundary,
    )
