"""`python -m benchmarks`: measures, prints a table, and ends with 1 where something is above what it may be."""

from __future__ import annotations

import sys
from argparse import ArgumentParser

from benchmarks import replay, site
from benchmarks.replay import Measure, table

_PARTS = ("replay", "site")


def main() -> int:
    parser = ArgumentParser(prog="python -m benchmarks", description="Measures nomicgen on long generated games.")
    parser.add_argument("--instruments", type=int, default=10_000, help="of the longest game (default %(default)s)")
    parser.add_argument("--rules", type=int, default=500, help="about as many stand at any time (default %(default)s)")
    parser.add_argument("--runs", type=int, default=5, help="of which the best counts (default %(default)s)")
    parser.add_argument("--site-rules", type=int, default=1_000, help="of the game of the site (default %(default)s)")
    parser.add_argument("--site-runs", type=int, default=2, help="of its build (default %(default)s)")
    parser.add_argument("--only", choices=_PARTS, help="one part of the measures; the whole takes ten minutes")
    said = parser.parse_args()
    found: list[Measure] = []
    if said.only in (None, "replay"):
        found += replay.measures(said.instruments, said.rules, said.runs)
    if said.only in (None, "site"):
        found += site.measures(said.site_rules, said.site_runs)
    print(table(found))
    return 0 if all(one.holds for one in found) else 1


if __name__ == "__main__":
    sys.exit(main())
