"""Building the site of a long game: how long it takes against a plain site, how that grows, what
memory it takes.

Each build is a process of its own, `mkdocs build` as a person runs it, and each figure the best of
a few. The time is that of the processor, of the build and of the git that it starts: it is steadier
than that of the clock, to which other processes of the machine add. On an idle machine both are
nearly the same.

Two sites are compared with. One is plain: `plain.py` says how it is made alike. The other is
harder, and has no limit: the sources of the very same pages and data, written beforehand by
`nomicgen plumbing pages` and built without the plugin. What the game has to do besides is to be
read, replayed and rendered.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory

from tests.benchmarks.books import bind, write_book
from tests.benchmarks.plain import articles, write_plain
from tests.benchmarks.replay import Measure

__all__ = ["Taken", "build", "measures"]

_GROWTH, _OVER_PLAIN, _MEMORY, _PAGE = 4.4, 1.5, 600.0, 60.0
_SAME = 1.1
"""A page that is no list may be so much larger in the longer game: texts are made by chance."""

_CITED = "rules/101/index.html"
"""A rule that one in so many cites, whatever the game's length."""

_KINDS = {
    "the home page": "index.html",
    "the time machine": "time/index.html",
    "a rule's page": "rules/*/index.html",
    "a proposal's page": "proposals/*/index.html",
    "a judgement's page": "judgements/*/index.html",
    "an act's page": "acts/*/index.html",
}
"""Pages that are no lists. The lists, which show all that there is of a kind, are: the ruleset,
also long, short and on cards; proposals, judgements, players, scores, history; a player's page,
with what the player proposed and voted.
"""


@dataclass(frozen=True, slots=True)
class Taken:
    """Seconds and MiB."""

    wall: float
    cpu: float
    peak: float


def measures(rules: int, runs: int) -> Iterator[Measure]:
    """Everything that is measured of the site of a game of so many rules, and of one of a quarter
    of them.
    """
    with TemporaryDirectory() as name:
        folder, least = Path(name), rules // 4
        for size in (least, rules):
            (folder / str(size)).mkdir()
            write_book(bind(size), folder / str(size))
        built = {"least": folder / "built" / "least", "game": folder / "built" / "game"}
        first = build(folder / str(rules), built["game"])
        _write_others(folder, folder / str(rules), built["game"])
        sites = {"least": str(least), "game": str(rules), "plain": "plain", "sources": "sources"}
        taken: dict[str, list[Taken]] = {site: [] for site in sites}
        for run in range(runs):
            for site, source in sites.items():
                done = (
                    first
                    if site == "game" and run == 0
                    else build(folder / source, folder / "built" / site)
                )
                taken[site].append(done)
        yield from _times(taken, rules, least)
        yield from _sizes(built["game"], built["least"], folder / "built" / "plain", rules, least)


def _write_others(folder: Path, game: Path, built: Path) -> None:
    """The two sites that the game's is compared with."""
    settings = (game / "mkdocs.yml").read_text("utf-8")
    write_plain(folder / "plain", settings, articles(built))
    command = (
        sys.executable,
        "-m",
        "nomicgen",
        "-C",
        game,
        "plumbing",
        "pages",
        folder / "sources",
    )
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def build(source: Path, built: Path) -> Taken:
    """Builds the site of the `mkdocs.yml` in a folder, in a process of its own."""
    command = (
        sys.executable,
        "-m",
        "mkdocs",
        "build",
        "--quiet",
        "--config-file",
        source / "mkdocs.yml",
    )
    done = subprocess.run(
        (sys.executable, "-m", "tests.benchmarks.timing", *command, "--site-dir", built),
        check=True,
        stdout=subprocess.PIPE,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "true"},
    )
    return Taken(**json.loads(done.stdout))


def _times(taken: Mapping[str, list[Taken]], rules: int, least: int) -> Iterator[Measure]:
    cpu = {site: min(one.cpu for one in found) for site, found in taken.items()}
    wall = {site: min(one.wall for one in found) for site, found in taken.items()}
    yield Measure(
        f"site of {rules} rules: time over that of a plain one",
        cpu["game"] / cpu["plain"],
        _OVER_PLAIN,
    )
    yield Measure("  by the clock", wall["game"] / wall["plain"], None)
    yield Measure("  over that of its own sources", cpu["game"] / cpu["sources"], None)
    yield Measure(f"site: time of {rules} over {least}", cpu["game"] / cpu["least"], _GROWTH)
    yield Measure("  by the clock", wall["game"] / wall["least"], None)
    yield Measure(f"site of {rules} rules: time", cpu["game"], None, "s")
    yield Measure(
        f"site of {rules} rules: peak memory",
        min(one.peak for one in taken["game"]),
        _MEMORY,
        "MiB",
    )
    yield Measure("  that of a plain one", min(one.peak for one in taken["plain"]), None, "MiB")


def _sizes(game: Path, least: Path, plain: Path, rules: int, few: int) -> Iterator[Measure]:
    yield Measure("  its bytes of HTML over those of a plain one", _html(game) / _html(plain), None)
    yield Measure(
        f"site of {rules} rules: the largest page of a rule",
        max(_of_kind(game, "rules/*/index.html")),
        _PAGE,
        "kB",
    )
    for kind, pattern in _KINDS.items():
        large, small = _of_kind(game, pattern), _of_kind(least, pattern)
        if large and small:
            yield Measure(
                f"{kind}: size with {rules} rules over {few}", mean(large) / mean(small), _SAME
            )
    # It lists the rules that cite it, up to a bound: until that is reached it grows.
    cited = mean(_of_kind(game, _CITED)) / mean(_of_kind(least, _CITED))
    yield Measure("  that of a rule that one in so many cites", cited, None)


def _html(site: Path) -> int:
    return sum(file.stat().st_size for file in site.rglob("*.html"))


def _of_kind(site: Path, pattern: str) -> list[float]:
    """The sizes of some pages, in kB."""
    return [file.stat().st_size / 1000 for file in site.glob(pattern)]
