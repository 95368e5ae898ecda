"""GitPython, imported after the environment of this process is cleansed."""

from __future__ import annotations

import os

from nomicgen.repository.git_guard import cleanse

cleanse(os.environ)
# Otherwise GitPython cannot be imported where there is no git. `repository/git.py` raises NoGit
# then.
os.environ["GIT_PYTHON_REFRESH"] = "quiet"

from git import Actor, Git  # noqa: E402
from git.exc import GitCommandNotFound  # noqa: E402

__all__ = ["Actor", "Git", "GitCommandNotFound"]
