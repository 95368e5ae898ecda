"""The step *Play*: what was read of the forge is played, and the commits are pushed.

Where the branch has moved meanwhile, it is played again from where it is now.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from nomicgen.pulls.forge.workflow import Failed, ends, git, outputs, setting, unheard, without_token

_ATTEMPTS = 5


def main() -> None:
    """Give the step the outputs `pushed`, `replies` and, where something could not be done, `keeper`."""
    temporary = Path(setting("RUNNER_TEMP"))
    pushed = _played(temporary / "forge", temporary / "replies")
    outputs(pushed="true" if pushed else "false", replies="true")
    left = temporary / "replies" / "keeper.txt"
    if left.is_file() and left.stat().st_size:
        outputs(keeper="true")


def _played(forge: Path, replies: Path) -> bool:
    """Play until the branch takes the commits. Return whether there were any to push."""
    branch = setting("BRANCH")
    remote = f"refs/remotes/origin/{branch}"
    for attempt in range(1, _ATTEMPTS + 1):
        _play(forge, replies)
        if git("rev-parse", "HEAD") == (before := git("rev-parse", remote)):
            return False
        with unheard():
            push = ["git", "push", "--quiet", "origin", f"HEAD:refs/heads/{branch}"]
            if subprocess.run(push, cwd=setting("GITHUB_WORKSPACE"), check=False).returncode == 0:
                return True
        git("fetch", "--quiet", "--no-tags", "origin", f"+refs/heads/{branch}:{remote}")
        if git("rev-parse", remote) == before:
            what = ".github/workflows/play.yml says what it needs"
            raise Failed(f"::error::{branch} does not take the commits, and git says why above; {what}")
        print(f"attempt {attempt}: {branch} has moved, so it is played again from where it is now", flush=True)
        git("reset", "--quiet", "--hard", remote)
    raise Failed(f"::error::{branch} has moved each time; the next run tries again")


def _play(forge: Path, replies: Path) -> None:
    """Let nomicgen play. Raise Failed where it could not; of what it could not do authors and keeper are told."""
    shutil.rmtree(replies, ignore_errors=True)
    command = ["nomicgen", "plumbing", "pulls", str(forge), "--commit", "--replies", str(replies)]
    with unheard():
        status = subprocess.run(command, cwd=setting("GITHUB_WORKSPACE"), env=without_token(), check=False).returncode
    if status > 1:
        sys.exit(status)
    if not (replies / "replies.json").is_file():
        raise Failed("nomicgen gave no replies")


if __name__ == "__main__":
    ends(main)
