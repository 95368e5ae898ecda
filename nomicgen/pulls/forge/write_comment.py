"""The step *Write the comment*: what a pull request would do, as the text that another job posts.

The pull request's commit is fetched as objects: nothing of it is checked out.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from nomicgen.pulls.forge.workflow import (
    LARGEST,
    MARKER,
    Failed,
    commands_stopped,
    fetch_commit,
    is_too_large,
    outputs,
    run_nomicgen,
    run_step,
    step_variable,
)


def main() -> None:
    """Write `replies/NUMBER.md`, and give the step the output `replies`. Raise Failed where the
    commit cannot be fetched, or nomicgen writes no comment.
    """
    if why := fetch_commit(step_variable("HEAD")):
        print(why, file=sys.stderr, flush=True)
        too_large = (
            f"::error::{step_variable('HEAD')} brings more than {LARGEST >> 20} MiB, and "
            "is not judged"
        )
        raise Failed(too_large if is_too_large(why) else why)
    fork, number = os.environ.get("FORK", ""), int(step_variable("NUMBER"))
    options = [
        "--base",
        "HEAD",
        "--head",
        step_variable("HEAD"),
        "--actor",
        f"github:{step_variable('ACTOR')}",
    ]
    options += ["--discussion", step_variable("ADDRESS")]
    options += ["--branch", f"{fork}/tree/{step_variable('BRANCH')}"] if fork else []
    options += ["--machinery"] if os.environ.get("MACHINERY") else []
    done = run_nomicgen("proposal", "preview", *options, "--format", "markdown")
    with commands_stopped():
        print(done.stderr, end="", file=sys.stderr, flush=True)
    # Status 1 means that the pull request is refused; or, if no comment came, that nomicgen failed.
    if done.returncode > 1:
        sys.exit(done.returncode)
    if done.stdout.split("\n", 1)[0] != MARKER:
        raise Failed("nomicgen wrote no comment")
    folder = Path(step_variable("GITHUB_WORKSPACE"), "replies")
    folder.mkdir()
    (folder / f"{number}.md").write_text(done.stdout, "utf-8")
    outputs(replies="true")


if __name__ == "__main__":
    run_step(main)
