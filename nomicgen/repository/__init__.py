"""The edges: the tree of files on disk, and git. I/O, and nothing that decides.

What asks git only in passing says `repository.inspect`, and loads what starts git then.
"""

from typing import TYPE_CHECKING

from nomicgen.lazy_imports import later
from nomicgen.repository.errors import (
    Changed,
    RepositoryError,
    TooMuch,
)
from nomicgen.repository.game_tree import find_root, read_tree
from nomicgen.repository.write_plan import WritePlan, execute, fingerprint

if TYPE_CHECKING:
    from nomicgen.repository.git_state import inspect, require_present, scan

__all__ = [
    "Changed",
    "RepositoryError",
    "TooMuch",
    "WritePlan",
    "execute",
    "find_root",
    "fingerprint",
    "inspect",
    "read_tree",
    "require_present",
    "scan",
]

__getattr__ = later(__name__, {"git_state": ("inspect", "require_present", "scan")})
