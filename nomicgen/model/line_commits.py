"""A game's past as `nomicgen verify` judges it: each commit of the first-parent line, with what it
touched.
"""

from __future__ import annotations

from msgspec import Struct

from nomicgen.model.identifiers import CommitId


class TouchedFile(Struct, frozen=True):
    """A file of the game that a commit changed, against its first parent.

    `blob` is the id of its blob; None if the commit removed it. For a symbolic link or a submodule
    it is the mode and the id, `120000 1f2e…`, so that it never equals the blob of a ledger's file.
    """

    path: str
    blob: str | None


class LineCommit(Struct, frozen=True, kw_only=True):
    """A commit. `date` is the author's, ISO 8601 with its offset; `instruments` are its
    `Instrument` trailers.

    A `boundary` is the oldest commit of a shallow clone: it seems to have added every file. `index`
    is its place in the line.
    """

    sha: CommitId
    tree: str
    parents: tuple[str, ...] = ()
    date: str = ""
    author: str = ""
    subject: str = ""
    instruments: tuple[str, ...] = ()
    touched: tuple[TouchedFile, ...] = ()
    boundary: bool = False
    index: int = 0


class CommitLine(Struct, frozen=True, kw_only=True):
    """The first-parent line of HEAD, oldest first, with what each commit touched of the game.

    `head` and `tree` are the ids of HEAD and of its tree; `prefix` is the game's folder in its
    repository, with a slash at its end, or ''. If the game is in a folder, `commits` has only those
    that touched it. `object_format` is `sha1` or `sha256`.
    """

    head: CommitId
    tree: str
    commits: tuple[LineCommit, ...]
    prefix: str = ""
    shallow: bool = False
    object_format: str = "sha1"
