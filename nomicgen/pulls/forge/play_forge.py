"""The step *Play*: the forge is read, what was read is played, and the commits are pushed.

If the branch has moved meanwhile, all is played again on its newest commit.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from nomicgen.pulls.forge.answer_closed import answer
from nomicgen.pulls.forge.read_forge import read
from nomicgen.pulls.forge.workflow import (
    GIT,
    Failed,
    commands_stopped,
    git,
    outputs,
    run_step,
    step_variable,
    without_token,
)

_ATTEMPTS = 5
_BOT = {
    "NAME": "github-actions[bot]",
    "EMAIL": "41898282+github-actions[bot]@users.noreply.github.com",
}
# Variables by which git makes commits in the bot's name.
_NAMED = {
    f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in _BOT.items()
}


def main() -> None:
    """Give the step the outputs `pushed` and `replies`. Raise Failed where something could not be
    done.
    """
    temporary = Path(step_variable("RUNNER_TEMP"))
    read()
    pushed = _play_and_push(temporary / "forge", temporary / "replies")
    outputs(pushed="true" if pushed else "false")
    answer()
    outputs(replies="true")
    left = temporary / "replies" / "keeper.txt"
    if left.is_file() and left.stat().st_size:
        raise Failed("::error::something could not be done: it says above what, and how to mend it")


def _play_and_push(forge: Path, replies: Path) -> bool:
    """Play until the branch takes the commits. Return whether there were any to push. Raise Failed
    if it takes none.
    """
    branch = step_variable("BRANCH")
    remote = f"refs/remotes/origin/{branch}"
    for attempt in range(1, _ATTEMPTS + 1):
        _play(forge, replies)
        if git("rev-parse", "HEAD") == (before := git("rev-parse", remote)):
            return False
        with commands_stopped():
            push = [*GIT, "push", "--quiet", "origin", f"HEAD:refs/heads/{branch}"]
            if (
                subprocess.run(push, cwd=step_variable("GITHUB_WORKSPACE"), check=False).returncode
                == 0
            ):
                return True
        git("fetch", "--quiet", "--no-tags", "origin", f"+refs/heads/{branch}:{remote}")
        if git("rev-parse", remote) == before:
            what = ".github/workflows/play.yml says what it needs"
            raise Failed(
                f"::error::{branch} does not take the commits, and git says why above; {what}"
            )
        print(
            f"attempt {attempt}: {branch} has moved, so it is played again from where it is now",
            flush=True,
        )
        git("reset", "--quiet", "--hard", remote)
    raise Failed(f"::error::{branch} has moved each time; the next run tries again")


def _play(forge: Path, replies: Path) -> None:
    """Let nomicgen play, and write the replies to authors and the keeper. Raise Failed."""
    shutil.rmtree(replies, ignore_errors=True)
    command = ["nomicgen", "plumbing", "pulls", str(forge), "--commit", "--replies", str(replies)]
    command += ["--by-hand"] if os.environ.get("GITHUB_EVENT_NAME") == "workflow_dispatch" else []
    with commands_stopped():
        status = subprocess.run(
            command,
            cwd=step_variable("GITHUB_WORKSPACE"),
            env={**without_token(), **_NAMED},
            check=False,
        ).returncode
    if status > 1:
        sys.exit(status)
    if not (replies / "replies.json").is_file():
        raise Failed("nomicgen gave no replies")


if __name__ == "__main__":
    run_step(main)
