"""GitPython, loaded once the environment of this process leads git nowhere else."""

from __future__ import annotations

import os

from nomicgen.repository.git_guard import cleanse

cleanse(os.environ)
# Else GitPython raises an error here where there is no git. `repository/git.py` raises NoGit when
# git is asked.
os.environ["GIT_PYTHON_REFRESH"] = "quiet"

from git import Actor, Git  # noqa: E402
from git.exc import GitCommandNotFound  # noqa: E402

__all__ = ["Actor", "Git", "GitCommandNotFound"]
