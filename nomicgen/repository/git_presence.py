"""Questions that need no git if there is no repository, or no sparse checkout: then the module that
starts git is not loaded.
"""

from __future__ import annotations

import os
from pathlib import Path

from nomicgen.model.commits import GitState
from nomicgen.repository.errors import NO_REPOSITORY, GitHung, RepositoryError, SparseCheckout
from nomicgen.repository.named_files import read_file
from nomicgen.repository.paths import nearest_git

_MOST = 1 << 12  # bytes of a path


def state_of(root: Path) -> GitState:
    """Return what git says about the game in `root`, as `git_state.inspect` gives it.

    Raises Unreadable, and what `inspect` raises.
    """
    if nearest_git(root) is None:
        return GitState(present=False, reason=NO_REPOSITORY)
    from nomicgen.repository.git_state import inspect

    return inspect(root)


def require_full_checkout(root: Path) -> None:
    """Ensure that a sparse checkout leaves no file of the game out: the rest would be another game.

    Raises SparseCheckout, Unreadable, and GitHung, since the next question to git would hang as
    well. Other errors of git are not raised: the next question meets them too.
    """
    git = nearest_git(root)
    if git is None:
        return
    try:
        if git.is_file():
            # If a repository has several work trees, `.git` is a file that names the folder.
            git = git.parent / os.fsdecode(read_file(git, _MOST)).strip().removeprefix("gitdir: ")
        if os.path.lexists(git / "info" / "sparse-checkout"):
            from nomicgen.repository.git_state import require_present

            require_present(root)
    except (SparseCheckout, GitHung):
        raise
    except RepositoryError:
        return
