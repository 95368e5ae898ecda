"""A game's past as `nomicgen verify` judges it: each commit of the first-parent line, with what it
touched.
"""

from __future__ import annotations

from msgspec import Struct

from nomicgen.model.identifiers import CommitId


class TouchedFile(Struct, frozen=True):
    """A file of the game that a commit changed, against its first parent.

    `blob` is the id of its blob; None where it is gone. Of what is no regular file (a symbolic
    link, a submodule) it is the mode and the id, `120000 1f2e…`, which no file of a ledger has.
    """

    path: str
    blob: str | None


class LineCommit(Struct, frozen=True, kw_only=True):
    """A commit. `date` is the author's, ISO 8601 with its offset; `instruments` are its
    `Instrument` trailers.

    A `boundary` is where a shallow clone ends: it seems to have made everything. `index` is its
    place in the line.
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
    """The first-parent line of HEAD, oldest first: every commit, with what it touched of the game.

    `head` and `tree` are the ids of HEAD and of its tree; `prefix` is the game's folder in its
    repository, with a slash at its end, or ''; of a game in a folder only the commits are there
    that touched it. `object_format` is `sha1` or `sha256`.
    """

    head: CommitId
    tree: str
    commits: tuple[LineCommit, ...]
    prefix: str = ""
    shallow: bool = False
    object_format: str = "sha1"
