"""Which files a served site looks at."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from mkdocs.livereload import LiveReloadServer

from nomicgen.site.mkdocs.watching import follow


class Seen:
    """A server that looks, and whether it saw what an act did."""

    def __init__(self, server: LiveReloadServer) -> None:
        self.server = server

    def after(self, act: Callable[[], object], *, silent: bool = False) -> None:
        # What was done before may be told of more than once.
        time.sleep(0.3)
        with self.server._rebuild_cond:
            self.server._want_rebuild = False
        act()
        with self.server._rebuild_cond:
            wants = self.server._rebuild_cond.wait_for(lambda: self.server._want_rebuild, 0.6 if silent else 10)
        assert wants is not silent


@pytest.fixture
def seen(tmp_path: Path) -> Iterator[Seen]:
    (tmp_path / "docs").mkdir()
    (tmp_path / "nomic.yml").write_text("name: One\n", "utf-8")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/HEAD").write_text("ref: refs/heads/main\n", "utf-8")
    server = LiveReloadServer(lambda: None, "127.0.0.1", 0, str(tmp_path / "site"), polling_interval=0.05)
    server.watch(str(tmp_path / "docs"))
    follow(server, tmp_path, (tmp_path / ".git",))
    server.observer.start()
    yield Seen(server)
    server.observer.stop()
    server.observer.join()
    server.server_close()


def test_whatever_changes_is_seen(seen: Seen, tmp_path: Path) -> None:
    for name in ("nomic.yml", "docs/mine.md", ".git/HEAD"):
        place = tmp_path / name
        seen.after(lambda place=place: place.write_text("A word.\n", "utf-8"))  # type: ignore[misc]
        other = place.with_name("other~")
        other.write_text("Other words.\n", "utf-8")
        seen.after(lambda place=place, other=other: other.replace(place))  # type: ignore[misc]
        seen.after(lambda place=place: place.write_text("More.\n", "utf-8"))  # type: ignore[misc]


def test_a_folder_may_come_and_go(seen: Seen, tmp_path: Path) -> None:
    folder = tmp_path / "judgements"
    for _ in range(2):
        seen.after(folder.mkdir)
        seen.after(lambda: (folder / "1.md").write_text("One.\n", "utf-8"))
        seen.after(lambda: (folder / "1.md").write_text("Two.\n", "utf-8"))
        seen.after(lambda: folder.rename(tmp_path / "away"))
        seen.after(lambda: (tmp_path / "away").rename(folder))
        seen.after(lambda: (folder / "1.md").write_text("Three.\n", "utf-8"))
        seen.after((folder / "1.md").unlink)
        seen.after(folder.rmdir)


def test_what_is_no_change_is_not_seen(seen: Seen, tmp_path: Path) -> None:
    file = tmp_path / "docs" / "mine.md"
    seen.after(lambda: file.write_text("A word.\n", "utf-8"))
    seen.after(lambda: None, silent=True)
    seen.after(lambda: file.read_text("utf-8"), silent=True)
    seen.after(lambda: (tmp_path / ".git" / "index").write_text("", "utf-8"), silent=True)
    seen.after(lambda: (tmp_path / "notes.txt").write_text("", "utf-8"), silent=True)
