"""`python -m tests.benchmarks.live`: how long after a file of a game was written `mkdocs serve`
shows the new page.

It works on a copy of the game, changes one word of a proposal's argument again and again, and asks
for its page as a browser does: it waits at MkDocs' own address for news, and then loads.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import urlopen

from nomicgen.repository.game_tree import FOLDERS, SETTINGS

__all__ = ["LIMIT", "Live", "live", "main"]

LIMIT = 2.0
"""Seconds after which a changed page must be there."""
_START = 120.0


class Live:
    """A site that is served: `get` is what a page holds now, `until` waits for a page to hold a
    text.

    `process` is the number of the server's.
    """

    def __init__(self, address: str, process: int, log: Path) -> None:
        self.address, self.process = address, process
        self._log = log

    @property
    def said(self) -> str:
        """What MkDocs has printed so far."""
        return self._log.read_text("utf-8")

    def get(self, page: str) -> str:
        """The text of a page, '' where there is none."""
        try:
            with urlopen(f"{self.address}{page}", timeout=30) as answer:
                return str(answer.read().decode())
        except (URLError, TimeoutError):
            return ""

    def until(self, page: str, text: str, *, within: float = 60.0) -> float:
        """Waits until a page holds a text; gives the seconds. Raises TimeoutError, with what MkDocs
        said.
        """
        return self._wait(
            lambda: text in self.get(page), f"{text!r} does not come to {page!r}", within
        )

    def hear(self, text: str, *, within: float = 60.0) -> float:
        """Waits until MkDocs has said something; gives the seconds. Raises TimeoutError."""
        return self._wait(lambda: text in self.said, f"{text!r} is not said", within)

    def _wait(self, come: Callable[[], bool], fault: str, within: float) -> float:
        began = time.monotonic()
        while not come():
            if time.monotonic() - began > within:
                raise TimeoutError(f"{fault}\n{self.said}")
            time.sleep(0.02)
        return time.monotonic() - began


@contextmanager
def live(game: Path, *options: str) -> Iterator[Live]:
    """Serves the site of a game until the block ends."""
    with socket.socket() as free, tempfile.TemporaryDirectory() as folder:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        log = Path(folder) / "log"
        with log.open("wb") as stream:
            process = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "mkdocs",
                    "serve",
                    "--livereload",
                    "-a",
                    f"127.0.0.1:{port}",
                    *options,
                ],
                cwd=game,
                stdout=stream,
                stderr=subprocess.STDOUT,
                env={**os.environ, "NO_MKDOCS_2_WARNING": "true", "PYTHONUNBUFFERED": "1"},
            )
        try:
            yield _started(process, port, log)
        finally:
            process.terminate()
            process.wait()


def _started(process: subprocess.Popen[bytes], port: int, log: Path) -> Live:
    """Waits until MkDocs says where it serves: a site with an address of its own lies in a folder
    here as well.
    """
    end = time.monotonic() + _START
    while time.monotonic() < end and process.poll() is None:
        for line in log.read_text("utf-8", "replace").splitlines():
            if f"Serving on http://127.0.0.1:{port}" in line:
                path = urlsplit(line.split("Serving on ", 1)[1].split()[0]).path
                return Live(f"http://127.0.0.1:{port}{path}", process.pid, log)
        time.sleep(0.05)
    raise TimeoutError(f"mkdocs serve does not start\n{log.read_text('utf-8', 'replace')}")


def _changes(game: Path, site: Live, proposal: Path, runs: int) -> Iterator[float]:
    text = proposal.read_text("utf-8")
    head, _, body = text.partition("\n---\n")
    page = f"{proposal.relative_to(game).with_suffix('').as_posix()}/"
    for run in range(runs):
        word = f"Livereload{run}"
        proposal.write_text(f"{head}\n---\n\n{word} said so.\n{body}", "utf-8")
        yield site.until(page, word)
        # What comes at another moment between two looks takes another time.
        time.sleep(0.3 + 0.07 * run)


def _copy(source: Path, game: Path) -> None:
    """The game, its site's settings and its git repository, without what else lies there."""
    game.mkdir()
    for path in source.iterdir():
        if path.name in FOLDERS | {SETTINGS, "mkdocs.yml", "docs", ".git"}:
            (shutil.copytree if path.is_dir() else shutil.copy)(path, game / path.name)


def main() -> int:
    """Prints the seconds of each change, and ends with 1 where the slowest took longer than
    `LIMIT`.
    """
    parser = ArgumentParser(prog="python -m tests.benchmarks.live", description=__doc__)
    parser.add_argument(
        "game", type=Path, nargs="?", default=Path(), help="its folder, with mkdocs.yml (here)"
    )
    parser.add_argument("--runs", type=int, default=8, help="changes to make (default %(default)s)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        game = Path(folder).resolve() / "game"
        _copy(given.game, game)
        proposal = sorted(game.glob("proposals/[0-9]*.md"))[-1]
        with live(game) as site:
            taken = list(_changes(game, site, proposal, given.runs))
    print(
        " ".join(f"{one:.2f}" for one in taken), f"s; the slowest {max(taken):.2f} s of {LIMIT} s"
    )
    return 0 if max(taken) <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
