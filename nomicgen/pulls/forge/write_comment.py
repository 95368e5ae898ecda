"""The step *Write the comment*: what a pull request would do, as the text that another job posts."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from nomicgen.pulls.forge.workflow import Failed, ends, nomicgen, outputs, setting, unheard

_MARKER = "<!-- nomicgen:comment -->"


def main() -> None:
    """Write `replies/NUMBER.md`, and give the step the output `replies`."""
    fork, number = os.environ.get("FORK", ""), int(setting("NUMBER"))
    options = ["--base", "HEAD", "--head", setting("HEAD"), "--actor", f"github:{setting('ACTOR')}"]
    options += ["--discussion", setting("ADDRESS")]
    options += ["--branch", f"{fork}/tree/{setting('BRANCH')}"] if fork else []
    options += ["--machinery"] if os.environ.get("MACHINERY") else []
    done = nomicgen("proposal", "preview", *options, "--format", "markdown")
    with unheard():
        print(done.stderr, end="", file=sys.stderr, flush=True)
    # 1 is a pull request that is refused; without the comment's first line it was something else.
    if done.returncode > 1:
        sys.exit(done.returncode)
    if done.stdout.split("\n", 1)[0] != _MARKER:
        raise Failed("nomicgen wrote no comment")
    folder = Path(setting("GITHUB_WORKSPACE"), "replies")
    folder.mkdir()
    (folder / f"{number}.md").write_text(done.stdout, "utf-8")
    outputs(replies="true")


if __name__ == "__main__":
    ends(main)
