"""`python -m benchmarks`: measures, prints a table, and ends with 1 where something is above what it may be."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable
from pathlib import Path

from benchmarks import agora_site, checking, history, importing, replay, serving, site, starting, verifying
from benchmarks.replay import Measure, table

_PARTS = ("start", "replay", "check", "history", "import", "verify", "site", "agora", "live")


def main() -> int:
    parser = ArgumentParser(prog="python -m benchmarks", description="Measures nomicgen on long generated games.")
    parser.add_argument("--instruments", type=int, default=10_000, help="of the longest game (default %(default)s)")
    parser.add_argument("--rules", type=int, default=500, help="about as many stand at any time (default %(default)s)")
    parser.add_argument("--runs", type=int, default=5, help="of which the best counts (default %(default)s)")
    parser.add_argument("--site-rules", type=int, default=1_000, help="of the game of the site (default %(default)s)")
    parser.add_argument("--site-runs", type=int, default=2, help="of its build (default %(default)s)")
    parser.add_argument("--commits", type=int, default=1_500, help="of the game of the history (default %(default)s)")
    parser.add_argument("--commit-rules", type=int, default=200, help="of that game (default %(default)s)")
    parser.add_argument("--import-commits", type=int, default=270, help="of the archive (default %(default)s)")
    parser.add_argument("--import-rules", type=int, default=60, help="of that archive (default %(default)s)")
    parser.add_argument("--times", type=int, default=10, help="the size of Agora (default %(default)s; 1: no more)")
    parser.add_argument("--agora", type=Path, metavar="DATA", help="Agora's rules data, to be measured as well")
    parser.add_argument("--only", choices=_PARTS, help="one part of the measures; the whole takes an hour")
    said = parser.parse_args()
    parts: dict[str, Callable[[], Iterable[Measure]]] = {
        "start": lambda: starting.measures(max(said.runs, 10), Path(__file__).parents[1]),
        "replay": lambda: replay.measures(said.instruments, said.rules, said.runs),
        "check": lambda: checking.measures(said.runs, said.times, said.agora),
        "history": lambda: history.measures(said.commits, said.commit_rules, said.runs),
        "import": lambda: importing.measures(said.import_commits, said.import_rules, said.runs),
        "verify": lambda: verifying.measures(said.commits, said.commit_rules, said.runs),
        "site": lambda: site.measures(said.site_rules, said.site_runs),
        "agora": lambda: agora_site.measures(said.site_runs, said.times, said.agora),
        "live": lambda: serving.measures(said.site_runs),
    }
    found = [measure for name in _PARTS if said.only in (None, name) for measure in parts[name]()]
    print(table(found))
    return 0 if all(one.holds for one in found) else 1


if __name__ == "__main__":
    sys.exit(main())
