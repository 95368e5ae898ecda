"""`python -m tests.benchmarks`: measures, prints a table, and ends with 1 where something is above
what it may be.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable
from pathlib import Path

from tests.benchmarks import (
    agora_site,
    checking,
    history,
    importing,
    moving,
    painting,
    replay,
    serving,
    site,
    starting,
    verifying,
    writing,
)
from tests.benchmarks.replay import Measure, table

_PARTS = (
    "start",
    "replay",
    "check",
    "move",
    "history",
    "import",
    "verify",
    "site",
    "paint",
    "agora",
    "write",
    "live",
)


_SIZES = {
    "instruments": (1_000, 10_000, "of the longest game"),
    "rules": (100, 500, "about as many stand at any time"),
    "runs": (2, 5, "of which the best counts"),
    "site-rules": (64, 1_000, "of the game of the site"),
    "site-runs": (1, 2, "of its build"),
    "commits": (60, 1_500, "of the game of the history"),
    "commit-rules": (20, 200, "of that game"),
    "import-commits": (30, 270, "of the archive"),
    "import-rules": (15, 60, "of that archive"),
    "moved": (800, 4_000, "instruments of the game that is moved in"),
    "times": (1, 10, "the size of Agora (1: no more)"),
}
"""What is measured in a few minutes, and in an hour; and what it is. The limits are for the long
ones.
"""


def main() -> int:
    parser = ArgumentParser(
        prog="python -m tests.benchmarks", description="Measures nomicgen on long generated games."
    )
    for name, (short, long, what) in _SIZES.items():
        parser.add_argument(
            f"--{name}", type=int, help=f"{what} (default {short}; {long} with --long)"
        )
    parser.add_argument(
        "--long",
        action="store_true",
        help="at the sizes that the limits are for, which takes an hour",
    )
    parser.add_argument(
        "--agora", type=Path, metavar="DATA", help="Agora's rules data, to be measured as well"
    )
    parser.add_argument("--only", choices=_PARTS, help="one part of the measures")
    said = parser.parse_args()
    for name, (short, long, _) in _SIZES.items():
        if getattr(said, key := name.replace("-", "_")) is None:
            setattr(said, key, long if said.long else short)
    parts: dict[str, Callable[[], Iterable[Measure]]] = {
        "start": lambda: starting.measures(max(said.runs, 10), Path(__file__).parents[2]),
        "replay": lambda: replay.measures(said.instruments, said.rules, said.runs),
        "check": lambda: checking.measures(said.runs, said.times, said.agora),
        "move": lambda: moving.measures(said.moved, said.runs),
        "history": lambda: history.measures(said.commits, said.commit_rules, said.runs),
        "import": lambda: importing.measures(said.import_commits, said.import_rules, said.runs),
        "verify": lambda: verifying.measures(said.commits, said.commit_rules, said.runs),
        "site": lambda: site.measures(said.site_rules, said.site_runs),
        "paint": lambda: painting.measures(said.site_rules, max(said.site_runs, 9)),
        "agora": lambda: agora_site.measures(
            said.site_runs, said.times, said.agora, 1 if said.long else 0.1
        ),
        "write": lambda: writing.measures(
            Path(__file__).parents[2], said.site_rules, said.site_runs
        ),
        "live": lambda: serving.measures(said.site_runs),
    }
    found = [measure for name in _PARTS if said.only in (None, name) for measure in parts[name]()]
    print(table(found))
    return 0 if all(one.holds for one in found) else 1


if __name__ == "__main__":
    sys.exit(main())
