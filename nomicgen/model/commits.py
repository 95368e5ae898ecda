"""What git says of a game: its state, its commits, and the commit that something came from."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from nomicgen.model.identifiers import CommitId

OriginKind = Literal["named", "trailer", "blob", "instrument", "missing"]


class GitState(Struct, frozen=True, kw_only=True):
    """What git says about a game's directory.

    If `present` is False, `reason` says why, and the fields from `shallow` on mean nothing.
    `remedy` says what to do then; '' if a new repository is all that is missing.

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
    `Instrument` trailers; `blobs` has a pair of path (in the game) and blob id for each file that
    it added or changed, against its first parent, perhaps only in `rules/`; `index` is its place in
    the log. A `boundary` is the oldest commit of a shallow clone: its parent is missing, so `blobs`
    has its whole tree.
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
    """The first-parent line of HEAD, oldest first. If the game is in a folder of the work tree,
    only the commits that touched it.
    """

    commits: tuple[CommitInfo, ...] = ()


class Origin(Struct, frozen=True, kw_only=True):
    """The commit that something came from, and how it was found.

    `named`: the file itself names it (it may be in another repository, and then only `sha` is
    known); `trailer`: its message has the trailer `Instrument: PATH`; `blob`: it was the first to
    write exactly these bytes; `instrument`: it wrote the instrument's file as it is now, and no
    commit has the rule in this revision; `missing`: none was found, and `sha` is None. `index` is
    the commit's place in the log.
    """

    kind: OriginKind
    sha: CommitId | None = None
    date: str | None = None
    author: str | None = None
    subject: str | None = None
    index: int = 0
