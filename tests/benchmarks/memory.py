"""Reads and replays the game in a folder, and prints the peak memory after each, in MiB.

A process of its own (`python -m tests.benchmarks.memory`), since a peak never falls: it says
nothing of one game once another was read.
"""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path

from nomicgen.files.game_files import read_game
from nomicgen.law.replay.run import replay
from nomicgen.repository.game_tree import read_tree

__all__ = ["peak"]

_STATUS = Path("/proc/self/status")


def peak() -> float:
    """The most memory that this process has held so far, in MiB."""
    if _STATUS.exists():
        # The kernel's other figure, below, counts what the process that started this one held.
        line = next(line for line in _STATUS.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) / 1024
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 1024 / 1024 if sys.platform == "darwin" else most / 1024


def main(folder: str) -> None:
    found = {"program": peak()}
    records, _ = read_game(read_tree(Path(folder)))
    found["reading"] = peak()
    replay(records)
    found["replay"] = peak()
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1])
