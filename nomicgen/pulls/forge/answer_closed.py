"""The bot's answers to pull requests that were closed lately, and got none because a run ended too
soon: the last part of the step *Play*.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from nomicgen.pulls.forge.workflow import commands_stopped, run_nomicgen, step_variable


def answer() -> None:
    """Write `replies/N.md` for each pull request of `closed.json` that has none, or warn that
    nothing can be said of it.
    """
    temporary = Path(step_variable("RUNNER_TEMP"))
    for number, head, address in json.loads((temporary / "closed.json").read_text("utf-8")):
        reply = temporary / "replies" / f"{number}.md"
        if reply.exists():
            continue
        options = (
            "--base",
            "HEAD",
            "--head",
            head,
            "--discussion",
            address,
            "--format",
            "markdown",
        )
        done = run_nomicgen("proposal", "preview", *options)
        with commands_stopped():
            print(done.stderr, end="", file=sys.stderr, flush=True)
        # The game is pushed already. If one answer fails, the others are still written.
        if done.returncode < 2:
            reply.write_text(done.stdout, "utf-8")
        else:
            print(
                f"::warning::pull request {number} was closed lately, and nothing could be said "
                "of it",
                flush=True,
            )
