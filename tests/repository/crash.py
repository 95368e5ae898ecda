"""Kills a write with SIGKILL before each of its system calls in turn, and tells what is left.

Run as `python -m tests.repository.crash DIRECTORY`; prints a JSON list. A process of its own,
because it forks.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from nomicgen.repository.game_tree import read_tree
from nomicgen.repository.write_plan import WritePlan, execute, fingerprint
from tests.repository.places import contents, fill

OLD = {
    "nomic.yml": b"format: 1\n",
    "rules/203.md": b"unanimous\n",
    "rules/209.md": b"at most twenty-five\n",
    "proposals/turnout.md": b"a draft\n",
}
NEW = {
    "nomic.yml": b"format: 1\n",
    "rules/203.md": b"a majority\n",
    "rules/301.md": b"new\n" * 30_000,
    "proposals/301.md": b"a draft with a number\n",
    "turns/R1T1.yml": b"player: wren\n",
}
PLAN = WritePlan(
    writes={path: data for path, data in NEW.items() if OLD.get(path) != data},
    deletes=frozenset(OLD) - NEW.keys(),
    expects={"rules/203.md": fingerprint(OLD["rules/203.md"]), "rules/301.md": None},
)
_CALLS = frozenset(
    {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.scandir", "fcntl.flock"}
)


def _die_before(number: int) -> None:
    """From now on this process dies just before the call of that number that touches the disk."""
    made = 0

    def count() -> None:
        nonlocal made
        made += 1
        if made == number:
            os.kill(os.getpid(), signal.SIGKILL)

    def hook(event: str, _: tuple[object, ...]) -> None:
        if event in _CALLS:
            count()

    def counted(_: int) -> None:
        # A process that is killed loses nothing that it gave to the system, so the disk need not be
        # waited for.
        count()

    sys.addaudithook(hook)
    pytest.MonkeyPatch().setattr(os, "fsync", counted)


def killed(number: int, action: Callable[[], object]) -> bool:
    """Whether `action`, in a child, came to its call of that number and died there."""
    child = os.fork()
    if child == 0:
        _die_before(number)
        action()
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    if not os.WIFSIGNALED(status) and os.WEXITSTATUS(status):
        raise AssertionError(f"the child failed at call {number}")
    return os.WIFSIGNALED(status)


def named(files: dict[str, bytes]) -> str:
    return "old" if files == OLD else "new" if files == NEW else "mixed"


def read(root: Path) -> str:
    return named({path: data for path, data in read_tree(root).items() if isinstance(data, bytes)})


def on_disk(root: Path) -> frozenset[tuple[str, int]]:
    """What is there, journal included, whatever the number of the process that made it."""
    paths = (path for path in root.rglob("*"))
    return frozenset(
        (re.sub(r"-\d+", "", str(path.relative_to(root))), path.stat().st_size) for path in paths
    )


def killed_again(place: Path, number: int) -> list[str]:
    """How a write that died at `number` ends when the reader after it dies too, at each of its
    calls.
    """
    ends = []
    for second in range(1, 1000):
        root = fill(place / "again" / str(second), OLD)
        killed(number, partial(execute, root, PLAN))
        died = killed(second, partial(read_tree, root))
        ends.append(read(root))
        shutil.rmtree(root)
        if not died:
            return ends
    raise AssertionError("the reader never ends")


def main(place: Path) -> None:
    report = []
    seen = set()
    for number in range(1, 1000):
        root = fill(place / str(number), OLD)
        if not killed(number, partial(execute, root, PLAN)):
            break
        left = named(contents(root))
        state = on_disk(root)
        again = [] if state in seen else killed_again(place, number)
        seen.add(state)
        after = read(root)
        execute(root, WritePlan(writes={"nomic.yml": b"format: 1\n"}))
        settled = named(contents(root))
        journal = (root / ".nomicgen").exists()
        report.append(
            {"left": left, "after": after, "again": again, "settled": settled, "journal": journal}
        )
        shutil.rmtree(root)
    print(json.dumps(report))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
