"""Building the site of a game as old and as large as Agora: over a plain site of as many pages, and
at many times the size, where each of both is measured, since MkDocs and Material by themselves take
longer than the number of pages says.

`site.py` says how a build is measured, `plain.py` what it is compared with, and `agora.py` how the
game is made; or it is imported from rules data that are at hand. Ten times the size is 25,000
pages, of which a build takes minutes: the best of two counts there, of the smaller ones that of
more.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks.agora import import_agora, write_agora
from tests.benchmarks.plain import articles, write_plain
from tests.benchmarks.replay import Measure
from tests.benchmarks.site import Taken, build

__all__ = ["measures"]

_OVER_PLAIN, _MEMORY, _GROWTH = 1.2, 600.0, 1.1
_FEW = 2
_OTHERS = 20


@dataclass(slots=True)
class _Site:
    """A game's site and the plain one of as many pages, and what their builds took."""

    pages: int
    own: list[Taken] = field(default_factory=list)
    other: list[Taken] = field(default_factory=list)

    def best(self, *, plain: bool = False, kind: str = "cpu") -> float:
        return min(float(getattr(one, kind)) for one in (self.other if plain else self.own))


def measures(runs: int, times: int, data: Path | None = None, size: float = 1) -> Iterator[Measure]:
    """The game that `data` makes, if there are any; a generated one of Agora's size, and one of so
    many times its size.

    `size` is by how much both generated ones are larger, or smaller.
    """
    with TemporaryDirectory() as name:
        folder = Path(name)
        if data is not None:
            import_agora(data, folder / "real")
            yield from _over_plain("Agora's site", _measured(folder / "real", runs))
        write_agora(folder / "one", size)
        one = _measured(folder / "one", runs)
        yield from _over_plain("site like Agora's", one)
        yield _neighbours(folder / "one")
        if times > 1:
            write_agora(folder / "many", size * times)
            many = _measured(folder / "many", min(runs, _FEW))
            yield from _over_plain(f"site like {times} Agoras", many, most=None)
            yield from _growth(one, many, times)


def _measured(folder: Path, runs: int) -> _Site:
    """Builds the site of the game in a folder and the plain one beside it, in turn."""
    built = folder.with_name(f"{folder.name}-built")
    first = build(folder, built)
    sizes = articles(built)
    plain = folder.with_name(f"{folder.name}-plain")
    write_plain(plain, (folder / "mkdocs.yml").read_text("utf-8"), sizes)
    site = _Site(pages=len(sizes), own=[first])
    for run in range(runs):
        if run:
            site.own.append(build(folder, built))
        site.other.append(build(plain, plain.with_name(f"{plain.name}-built")))
    return site


def _neighbours(folder: Path) -> Measure:
    """How many files of a site are others after one sentence of an argument was committed."""
    file = max((folder / "proposals").iterdir())
    file.write_text(
        file.read_text("utf-8").replace("\n---\n", "\n---\n\nIt is for the best.\n", 1), "utf-8"
    )
    subprocess.run(["git", "commit", "-qam", "A sentence"], cwd=folder, check=True)
    old, new = folder.with_name(f"{folder.name}-built"), folder.with_name(f"{folder.name}-after")
    build(folder, new)
    before, after = _digests(old), _digests(new)
    count = sum(before.get(path) != after.get(path) for path in before.keys() | after.keys())
    return Measure(
        f"site like Agora's, {len(after)} files: others after one sentence", count, _OTHERS
    )


def _digests(site: Path) -> dict[Path, bytes]:
    return {
        path.relative_to(site): sha256(path.read_bytes()).digest()
        for path in site.rglob("*")
        if path.is_file()
    }


def _over_plain(what: str, site: _Site, most: float | None = _MEMORY) -> Iterator[Measure]:
    named = f"{what}, {site.pages} pages"
    yield Measure(
        f"{named}: time over that of a plain one", site.best() / site.best(plain=True), _OVER_PLAIN
    )
    yield Measure(
        "  by the clock", site.best(kind="wall") / site.best(plain=True, kind="wall"), None
    )
    yield Measure(f"{named}: time", site.best(), None, "s")
    yield Measure(f"{named}: peak memory", site.best(kind="peak"), most, "MiB")
    yield Measure("  that of a plain one", site.best(plain=True, kind="peak"), None, "MiB")


def _growth(one: _Site, many: _Site, times: int) -> Iterator[Measure]:
    what = f"site like Agora's: time of {times} times the game"
    yield Measure(f"{what} over once", many.best() / one.best(), times * _GROWTH)
    yield Measure("  by the clock", many.best(kind="wall") / one.best(kind="wall"), None)
    yield Measure("  that of a plain one", many.best(plain=True) / one.best(plain=True), None)
    yield Measure("  pages", many.pages / one.pages, None)
