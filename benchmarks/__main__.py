"""`python -m benchmarks`: measures, prints a table, and ends with 1 where something is above what it may be."""

from __future__ import annotations

import sys
from argparse import ArgumentParser

from benchmarks.replay import measures, table


def main() -> int:
    parser = ArgumentParser(prog="python -m benchmarks", description="Measures nomicgen on long generated games.")
    parser.add_argument("--instruments", type=int, default=10_000, help="of the longest game (default %(default)s)")
    parser.add_argument("--rules", type=int, default=500, help="about as many stand at any time (default %(default)s)")
    parser.add_argument("--runs", type=int, default=5, help="of which the best counts (default %(default)s)")
    found = list(measures(**vars(parser.parse_args())))
    print(table(found))
    return 0 if all(one.holds for one in found) else 1


if __name__ == "__main__":
    sys.exit(main())
