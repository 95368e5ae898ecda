"""The trials of a command that writes file after file: they must find it out. `python -m
tests.faults.naive`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from nomicgen.play import move
from nomicgen.repository.write_plan import WritePlan
from tests.faults.run import run


def _execute(root: Path, plan: WritePlan, *, still: Callable[[], None] | None = None) -> None:
    for path, data in plan.writes.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    for path in plan.deletes:
        (root / path).unlink()


if __name__ == "__main__":
    pytest.MonkeyPatch().setattr(move, "execute", _execute)
    sys.exit(
        not run(
            ["--scene", "register", "--fault", "kill", "--fault", "ENOSPC", "--fault", "SIGTERM"]
        )
    )
