"""The edges: the tree of files on disk, and git. I/O, and nothing that decides.

`nomicgen.repository.git` is imported by its own name, where git is needed: it loads GitPython.
"""

from nomicgen.repository.errors import (
    Changed,
    DubiousOwner,
    ForeignJournal,
    GitBusy,
    GitFailed,
    Locked,
    NoGame,
    NoGit,
    NoIdentity,
    NothingToCommit,
    NotVersioned,
    RepositoryError,
    TooMuch,
    Unfinished,
    UnknownRevision,
    Unreadable,
    UnsafePath,
    WriteFailed,
)
from nomicgen.repository.plan import WritePlan, execute, fingerprint
from nomicgen.repository.tree import find_root, read_tree

__all__ = [
    "Changed",
    "DubiousOwner",
    "ForeignJournal",
    "GitBusy",
    "GitFailed",
    "Locked",
    "NoGame",
    "NoGit",
    "NoIdentity",
    "NotVersioned",
    "NothingToCommit",
    "RepositoryError",
    "TooMuch",
    "Unfinished",
    "UnknownRevision",
    "Unreadable",
    "UnsafePath",
    "WriteFailed",
    "WritePlan",
    "execute",
    "find_root",
    "fingerprint",
    "read_tree",
]
