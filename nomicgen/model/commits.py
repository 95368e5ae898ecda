"""What git says of a game: its state, its commits, and the commit that something came from."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from nomicgen.model.identifiers import CommitId

OriginKind = Literal["named", "trailer", "blob", "instrument", "missing"]


class GitState(Struct, frozen=True, kw_only=True):
    """What git says about a game's directory.

    Where `present` is False, `reason` says why, `remedy` what to do if that is something else than
    to begin a repository, and the rest says nothing.

    `head` is None before the first commit; `prefix` is the game's path below the work tree's top,
    with a slash at its end, or ''; `dirty` has the paths (in the game) of files that are changed or
    were never committed; `object_format` is `sha1` or `sha256`.
    """

    present: bool
    reason: str = ""
    remedy: str = ""
    shallow: bool = False
    head: CommitId | None = None
    prefix: str = ""
    dirty: tuple[str, ...] = ()
    object_format: str = "sha1"


class CommitInfo(Struct, frozen=True, kw_only=True):
    """A commit on the first-parent line.

    `date` is the committer's, ISO 8601 with its offset; `instruments` has the values of its
    `Instrument` trailers; `blobs` pairs of path (in the game) and blob id for each file that it
    added or changed, against its first parent; `index` its place in the log. A `boundary` is where
    a shallow clone ends: its blobs are the whole tree, whoever wrote it.
    """

    sha: CommitId
    date: str
    author: str
    subject: str
    instruments: tuple[str, ...] = ()
    blobs: tuple[tuple[str, str], ...] = ()
    index: int = 0
    boundary: bool = False


class Log(Struct, frozen=True, kw_only=True):
    """The first-parent line of HEAD, oldest first: only commits that touched the game."""

    commits: tuple[CommitInfo, ...] = ()


class Origin(Struct, frozen=True, kw_only=True):
    """The commit that something came from, and how it was found.

    `named`: the file itself names it (it may lie in another repository, and then only `sha` is
    known); `trailer`: its message has the trailer `Instrument: PATH`; `blob`: it wrote these
    very bytes first; `instrument`: it made the instrument's file what it is, and the revision was
    never written on its own; `missing`: none was found, and `sha` is None. `index` is the commit's
    place in the log.
    """

    kind: OriginKind
    sha: CommitId | None = None
    date: str | None = None
    author: str | None = None
    subject: str | None = None
    index: int = 0
