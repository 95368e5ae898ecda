"""Whether there is git at all: a game that is in no repository is checked without loading what git is called with."""

from __future__ import annotations

import os
from pathlib import Path

from nomicgen import repository
from nomicgen.archive.provenance import GitState
from nomicgen.repository.paths import real

NOWHERE = "the game is in no git repository"  # the path is nobody's business


def state_of(root: Path) -> GitState:
    """What git says about the game in `root`, as `repository.git.inspect` gives it. Raises DubiousOwner, GitFailed."""
    here = real(root)
    if not any(os.path.lexists(directory / ".git") for directory in (here, *here.parents)):
        return GitState(present=False, reason=NOWHERE)
    return repository.inspect(root)
