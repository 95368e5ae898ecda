"""`python -m benchmarks`: measures, prints a table, and ends with 1 where something is above what it may be."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path

from benchmarks import agora_site, history, replay, site
from benchmarks.replay import Measure, table

_PARTS = ("replay", "history", "site", "agora")


def main() -> int:
    parser = ArgumentParser(prog="python -m benchmarks", description="Measures nomicgen on long generated games.")
    parser.add_argument("--instruments", type=int, default=10_000, help="of the longest game (default %(default)s)")
    parser.add_argument("--rules", type=int, default=500, help="about as many stand at any time (default %(default)s)")
    parser.add_argument("--runs", type=int, default=5, help="of which the best counts (default %(default)s)")
    parser.add_argument("--site-rules", type=int, default=1_000, help="of the game of the site (default %(default)s)")
    parser.add_argument("--site-runs", type=int, default=2, help="of its build (default %(default)s)")
    parser.add_argument("--commits", type=int, default=1_500, help="of the game of the history (default %(default)s)")
    parser.add_argument("--commit-rules", type=int, default=200, help="of that game (default %(default)s)")
    parser.add_argument("--times", type=int, default=10, help="the size of Agora (default %(default)s; 1: no more)")
    parser.add_argument("--agora", type=Path, metavar="DATA", help="Agora's rules data, to be measured as well")
    parser.add_argument("--only", choices=_PARTS, help="one part of the measures; the whole takes an hour")
    said = parser.parse_args()
    found: list[Measure] = []
    if said.only in (None, "replay"):
        found += replay.measures(said.instruments, said.rules, said.runs)
    if said.only in (None, "history"):
        found += history.measures(said.commits, said.commit_rules, said.runs)
    if said.only in (None, "site"):
        found += site.measures(said.site_rules, said.site_runs)
    if said.only in (None, "agora"):
        found += agora_site.measures(said.site_runs, said.times, said.agora)
    print(table(found))
    return 0 if all(one.holds for one in found) else 1


if __name__ == "__main__":
    sys.exit(main())
