"""What can be answered without git, if there is no repository or no sparse checkout. Then the
module that starts git is not loaded.
"""

from __future__ import annotations

import os
from pathlib import Path

from nomicgen.model.commits import GitState
from nomicgen.repository.errors import NOWHERE, GitHung, RepositoryError, SparseCheckout
from nomicgen.repository.named_files import read_file
from nomicgen.repository.paths import nearest_git

_MOST = 1 << 12  # bytes of a path


def state_of(root: Path) -> GitState:
    """Return what git says about the game in `root`, as `git_state.inspect` gives it.

    Raises DubiousOwner, GitFailed.
    """
    if nearest_git(root) is None:
        return GitState(present=False, reason=NOWHERE)
    from nomicgen.repository.git_state import inspect

    return inspect(root)


def require_full_checkout(root: Path) -> None:
    """Ensure that every file of the game that git has is on disk: what a sparse checkout leaves is
    another game.

    Raises SparseCheckout, and GitHung, as whoever asks git next would wait again.
    """
    git = nearest_git(root)
    if git is None:
        return
    try:
        if git.is_file():
            # Of a work tree that is one of several, what git keeps is elsewhere.
            git = git.parent / os.fsdecode(read_file(git, _MOST)).strip().removeprefix("gitdir: ")
        if os.path.lexists(git / "info" / "sparse-checkout"):
            from nomicgen.repository.git_state import require_present

            require_present(root)
    except (SparseCheckout, GitHung):
        raise
    except RepositoryError:
        return  # whoever needs git will hear of it
