"""Serving the site of a game of Agora's size: how long a rebuild takes after a sentence was
changed.

The time is that of the processor, of the server and of the git that it starts, from the change
until the page is there. It is compared with that of a plain site of as many pages (`plain.py`),
served as well, after a change of one of its pages: MkDocs makes all of it anew.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks.agora import write_agora
from tests.benchmarks.live import Live, live
from tests.benchmarks.plain import articles, write_plain
from tests.benchmarks.replay import Measure
from tests.benchmarks.site import build

__all__ = ["measures"]

_OVER_PLAIN = 1.2
_LONGEST = 600.0
_DRAFT = (
    "---\ntitle: Tea\nauthor: {}\nstatus: draft\n---\n\nThere is {} tea.\n\n"
    "## Enact Rule: Cups\n\nBring a cup.\n"
)


def measures(runs: int, size: float = 1) -> Iterator[Measure]:
    """Of a game so many times as large as Agora's; each figure the best of some runs."""
    with TemporaryDirectory() as name:
        folder = Path(name).resolve()
        game, plain = folder / "game", folder / "plain"
        write_agora(game, size)
        build(game, folder / "built")
        sizes = articles(folder / "built")
        write_plain(plain, (game / "mkdocs.yml").read_text("utf-8"), sizes)
        own, other = min(_of_game(game, runs)), min(_of_plain(plain, runs))
        what = f"served site like Agora's, {len(sizes)} pages"
        yield Measure(
            f"{what}: a sentence of an argument, over a plain one", own / other, _OVER_PLAIN
        )
        yield Measure(f"{what}: a sentence of an argument", own, None, "s")


def _of_game(game: Path, runs: int) -> list[float]:
    """The seconds after changes of an argument."""
    author = min((game / "players").iterdir()).stem
    draft = game / "proposals" / "tea.md"
    draft.write_text(_DRAFT.format(author, "some"), "utf-8")
    with live(game) as site:
        page = "proposals/draft-tea/"
        return [
            _taken(site, page, f"green{run} tea", draft, _DRAFT.format(author, f"green{run}"))
            for run in range(runs)
        ]


def _of_plain(plain: Path, runs: int) -> list[float]:
    file = min((plain / "docs" / "proposals").glob("*.md"))
    text, page = file.read_text("utf-8"), f"proposals/{file.stem}/"
    with live(plain) as site:
        return [
            _taken(site, page, f"Tea{run}", file, f"{text}\n\nTea{run}.\n") for run in range(runs)
        ]


def _taken(site: Live, page: str, words: str, file: Path, text: str) -> float:
    """Writes a text, and waits until words of it are on a page."""
    before = _cpu(site)
    file.write_text(text, "utf-8")
    site.until(page, words, within=_LONGEST)
    taken = _cpu(site) - before
    # What comes of it later is no part of the next change.
    time.sleep(1.0)
    return taken


def _cpu(site: Live) -> float:
    """The seconds of the processor that a server and what it started have taken; by the clock where
    nobody says so.
    """
    with suppress(OSError):
        parts = Path(f"/proc/{site.process}/stat").read_text("utf-8").rpartition(")")[2].split()
        return sum(map(int, parts[11:15])) / os.sysconf("SC_CLK_TCK")
    return time.monotonic()
