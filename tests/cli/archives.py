"""A ruleset as a mailing list kept it, imported to be played with."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.playing import run
from tests.support import GitRepo, once

LAMPS = """\
1. Whoever plays obeys the rules.

2. A proposal is adopted when more than half of the players vote for it.

3. There are lamps.

4. There is oil.
"""
TIERS = "--tiers immutable,mutable=3-"


def lamps(repo: GitRepo, *more: str) -> GitRepo:
    """The archive of the lamplighters, imported and committed; opened on 10 January 2026 where
    `more` says how.
    """
    file = repo.path.parent / "lamps.txt"
    file.write_text(LAMPS, "utf-8")
    # What opens it opens it on that day; without that a day would be the one on which its rules
    # were in force.
    day = "--on 2026-01-10" if more else ""
    line = f"import text {file} --map numbered --into {repo.path} {TIERS} {day} --commit"
    return once(("lamps", more), repo, lambda new: run(new.path.parent, line, *more))


def drafted(root: Path, on: str, *, author: str = "ada") -> None:
    """A draft `oil` that repeals Rule 4."""
    run(root, f"propose --title Oil --author {author} --repeal 4 --on {on}")
    draft = root / "proposals/oil.md"
    lines = draft.read_text("utf-8").splitlines(keepends=True)
    draft.write_text(
        "".join("No oil.\n" if one.startswith("Why the rules") else one for one in lines), "utf-8"
    )


def entered(archive: GitRepo, *lines: str) -> None:
    """Types commands that record something, each committed."""
    for line in lines:
        run(archive.path, f"record {line} --commit")


def faults(archive: GitRepo) -> list[str]:
    """What `verify` finds."""
    return [
        one["finding"]["slug"]
        for one in json.loads(run(archive.path, "verify --format json"))["faults"]
    ]
