"""While a site is served: how MkDocs hears that something changed.

MkDocs looks at every file that it watches twice a second, which takes a sixth of a processor for a long game. It builds
anew for whatever it is told, and the system tells of each file that is read, too; and a file that is watched itself is
lost when another takes its place, as editors do it. So `Follower` takes the place of its observer: it lets through what
changes files, and watches each path from the folder above it, so that it may come and go.

A game's folders come and go as well (its first judgement makes one), and a commit changes no file of it at all: they
are watched beside what MkDocs watches. Where the system tells nothing (on a disk of another machine, of what a link
leads to, or where it can watch no more), MkDocs goes on looking, and so do we: `poller`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from mkdocs.livereload import LiveReloadServer
from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver, ObservedWatch
from watchdog.observers.polling import PollingObserver

from nomicgen.repository.game_tree import FOLDERS, SETTINGS

_CHANGES: list[type[FileSystemEvent]] = [
    *(FileCreatedEvent, FileModifiedEvent, FileMovedEvent, FileDeletedEvent),
    *(DirCreatedEvent, DirMovedEvent, DirDeletedEvent),
]
_OF_GIT = ("HEAD", "packed-refs", "logs", "refs/heads")
_FOREIGN = ("9p", "afs", "ceph", "cifs", "fuse", "nfs", "prl_fs", "smb", "vboxsf", "virtiofs")
"""What the kinds of file systems begin with whose files may be changed where this system does not see it."""
_MOUNTS = Path("/proc/self/mountinfo")


class _Told(FileSystemEventHandler):
    """Tells `changed` of what concerns a path; with None of everything."""

    def __init__(self, changed: Callable[[], None], path: Path | None = None) -> None:
        self._changed, self._path = changed, path

    def on_any_event(self, event: FileSystemEvent) -> None:
        places = (os.fsdecode(place) for place in (event.src_path, event.dest_path) if place)
        if self._path is None or self._path in map(Path, places):
            self._changed()


class Follower:
    """An observer that runs from the start, and says when something at a path, or below it, is another.

    Raises OSError where the system does not let it.
    """

    def __init__(self) -> None:
        self._observer: BaseObserver = Observer()
        if isinstance(self._observer, PollingObserver):
            raise OSError("the system tells nothing")
        self._observer.start()
        self._mkdocs: FileSystemEventHandler | None = None
        self._places: set[Path] = set()
        self._within: dict[Path, ObservedWatch] = {}

    def tell(self) -> None:
        """Tells MkDocs that something changed."""
        if self._mkdocs is not None:
            self._mkdocs.dispatch(FileModifiedEvent(""))

    def schedule(self, handler: FileSystemEventHandler, path: str, *, recursive: bool = True) -> Path:
        """As an observer's, for MkDocs: `handler` hears of every change as of that of a file."""
        self._mkdocs = handler
        self.watch(Path(path))
        return Path(path)

    def watch(self, place: Path) -> None:
        """Tells of what changes at a path from now on, and below it. Raises OSError."""
        if place in self._places:
            return
        self._places.add(place)

        def replaced() -> None:
            self._leave(place)
            with suppress(OSError):
                self._enter(place)
            self.tell()

        above = _Told(replaced, place)
        self._observer.schedule(above, str(place.parent), recursive=False, event_filter=_CHANGES)
        self._enter(place)

    def _enter(self, place: Path) -> None:
        if place.is_dir():
            below = _Told(self.tell)
            self._within[place] = self._observer.schedule(below, str(place), recursive=True, event_filter=_CHANGES)

    def _leave(self, place: Path) -> None:
        watch = self._within.pop(place, None)
        if watch is not None:
            with suppress(KeyError):
                self._observer.unschedule(watch)

    def unschedule(self, place: Path) -> None:
        """As an observer's, for MkDocs: which never asks for it by itself."""
        self._leave(place)

    def start(self) -> None:
        """It runs already."""

    def stop(self) -> None:
        self._observer.stop()

    def join(self) -> None:
        self._observer.join()


def follow(server: LiveReloadServer, root: Path, git: Collection[Path]) -> None:
    """Has a server told of what it watches, of the game in `root`, and of git's HEAD.

    `git` are the folders that git keeps for the game. Where the system does not tell of all that, the server looks.
    """
    of_game = tuple(_of_game(root, git))
    watched = tuple(map(Path, server._watched_paths))
    follower = _follower((*of_game, *watched))
    if follower is None:
        for path in of_game:
            if path.exists():
                server.watch(str(path))
        return
    for path in watched:
        server.unwatch(str(path))
    vars(server)["observer"] = follower
    for path in watched:
        server.watch(str(path))


def _follower(paths: Collection[Path]) -> Follower | None:
    """A follower of some paths; None where the system does not tell of them all."""
    if not all(map(_is_told_of, paths)):
        return None
    try:
        follower = Follower()
    except OSError:
        return None
    try:
        for path in paths:
            follower.watch(path)
    except OSError:
        # It may watch no more folders, or files, than the system lets it.
        follower.stop()
        return None
    return follower


def _of_game(root: Path, git: Iterable[Path]) -> Iterator[Path]:
    yield from (root / name for name in (SETTINGS, *sorted(FOLDERS)))
    for folder in git:
        yield from (folder / name for name in _OF_GIT if (folder / name).parent.is_dir())


def _is_told_of(place: Path) -> bool:
    """Whether the system says what changes there: it follows no links, and sees what happens on this machine alone."""
    links = (path for path in (place, *place.rglob("*")) if path.is_symlink())
    return next(links, None) is None and not _kind(place.resolve()).startswith(_FOREIGN)


def _kind(place: Path) -> str:
    """The kind of the file system that a path lies on; '' where it cannot be known."""
    try:
        mounts = [line.split() for line in _MOUNTS.read_text("utf-8", "surrogateescape").splitlines()]
    except OSError:
        return ""
    kinds = {parts[4]: parts[parts.index("-") + 1] for parts in mounts}
    return next((kinds[str(folder)] for folder in (place, *place.parents) if str(folder) in kinds), "")
