"""How a served site hears of changes: from the system, and by looking where the system tells nothing."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from mkdocs.livereload import LiveReloadServer
from watchdog.events import FileSystemEventHandler
from watchdog.observers.polling import PollingObserver

from nomicgen.site.mkdocs.plugin import watching
from nomicgen.site.mkdocs.plugin.watching import Follower, follow


class Heard:
    """How often something was said: `after` does something, and waits for more."""

    def __init__(self) -> None:
        self._told = threading.Event()

    def __call__(self, *_: object) -> None:
        self._told.set()

    def after(self, act: Callable[[], object], *, silent: bool = False) -> None:
        # What was done before may be told of more than once.
        time.sleep(0.2)
        self._told.clear()
        act()
        assert self._told.wait(0.6 if silent else 10) is not silent


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveReloadServer]:
    (tmp_path / "docs").mkdir()
    (tmp_path / "mkdocs.yml").write_text("site_name: One\n", "utf-8")
    server = LiveReloadServer(lambda: None, "127.0.0.1", 0, str(tmp_path / "site"))
    server.watch(str(tmp_path / "docs"))
    server.watch(str(tmp_path / "mkdocs.yml"))
    yield server
    server.server_close()


@pytest.fixture
def heard(server: LiveReloadServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Heard]:
    heard = Heard()
    git = tmp_path / ".git"
    (git / "refs" / "heads").mkdir(parents=True)
    follow(server, tmp_path, (git,))
    observer: object = server.observer
    assert isinstance(observer, Follower)
    handler = FileSystemEventHandler()
    monkeypatch.setattr(handler, "on_any_event", heard)
    observer.schedule(handler, str(tmp_path / "docs"))
    yield heard
    observer.stop()
    observer.join()


def test_whatever_changes_is_told(heard: Heard, tmp_path: Path) -> None:
    for place in (
        tmp_path / "nomic.yml",
        tmp_path / "mkdocs.yml",
        tmp_path / "docs" / "mine.md",
        tmp_path / ".git/HEAD",
    ):
        heard.after(lambda place=place: place.write_text("A word.\n", "utf-8"))  # type: ignore[misc]
        heard.after(lambda place=place: place.write_text("Words.\n", "utf-8"))  # type: ignore[misc]
        other = place.with_name("other~")
        other.write_text("Other words.\n", "utf-8")
        heard.after(lambda place=place, other=other: other.replace(place))  # type: ignore[misc]
        heard.after(lambda place=place: place.write_text("More.\n", "utf-8"))  # type: ignore[misc]
        heard.after(place.unlink)


def test_a_folder_may_come_and_go(heard: Heard, tmp_path: Path) -> None:
    folder = tmp_path / "judgements"
    for _ in range(2):
        heard.after(folder.mkdir)
        heard.after(lambda: (folder / "1.md").write_text("One.\n", "utf-8"))
        heard.after(lambda: (folder / "1.md").write_text("Two.\n", "utf-8"))
        heard.after(lambda: folder.rename(tmp_path / "away"))
        heard.after(lambda: (tmp_path / "away").rename(folder))
        heard.after(lambda: (folder / "1.md").write_text("Three.\n", "utf-8"))
        heard.after((folder / "1.md").unlink)
        heard.after(folder.rmdir)


def test_what_is_no_change_is_not_told(heard: Heard, tmp_path: Path) -> None:
    file = tmp_path / "docs" / "mine.md"
    heard.after(lambda: file.write_text("A word.\n", "utf-8"))
    heard.after(lambda: None, silent=True)
    heard.after(lambda: file.read_text("utf-8"), silent=True)
    heard.after(lambda: list(tmp_path.rglob("*")), silent=True)
    heard.after(lambda: (tmp_path / ".git" / "index").write_text("", "utf-8"), silent=True)
    heard.after(lambda: (tmp_path / "notes.txt").write_text("", "utf-8"), silent=True)


def _looks(server: LiveReloadServer, root: Path) -> bool:
    observer = server.observer
    (root / "nomic.yml").write_text("name: One\n", "utf-8")
    (root / ".git").mkdir()
    (root / ".git/HEAD").write_text("ref: refs/heads/main\n", "utf-8")
    follow(server, root, (root / ".git",))
    watched = {str(root / name) for name in ("docs", "mkdocs.yml", "nomic.yml", ".git/HEAD")}
    return server.observer is observer and watched == {*server._watched_paths}


def test_a_link_is_looked_at(server: LiveReloadServer, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "docs" / "mine").symlink_to(tmp_path / "elsewhere")
    assert _looks(server, tmp_path)


def test_the_disk_of_another_machine_is_looked_at(
    server: LiveReloadServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounts = tmp_path / "mounts"
    place = tmp_path.resolve()
    mounts.write_text(f"1 1 0:1 / / rw - ext4 a rw\n2 1 0:2 / {place.parent} rw shared:1 - nfs4 b:/ rw\n", "utf-8")
    monkeypatch.setattr(watching, "_MOUNTS", mounts)
    assert _looks(server, tmp_path)


def test_where_the_system_watches_no_more_it_is_looked_at(
    server: LiveReloadServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(_: object, place: Path) -> None:
        raise OSError(28, "inotify watch limit reached")

    monkeypatch.setattr(Follower, "watch", none)
    assert _looks(server, tmp_path)


def test_a_system_that_tells_nothing_is_looked_at(
    server: LiveReloadServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "Observer", PollingObserver)
    assert _looks(server, tmp_path)
