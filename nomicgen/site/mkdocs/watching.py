"""Which files MkDocs watches while it serves a site, besides those that it watches anyway.

A game's folders come and go: its first judgement, for example, makes `judgements/`. And a commit
changes no file of the game, so git's own files are watched, too.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from mkdocs.livereload import LiveReloadServer
from watchdog.events import FileModifiedEvent, FileSystemEvent, FileSystemEventHandler
from watchdog.observers.api import ObservedWatch

from nomicgen.repository.game_tree import FOLDERS, SETTINGS

# The files and folders in `.git` that a commit changes.
_OF_GIT = ("HEAD", "packed-refs", "logs", "refs/heads")


class _Folders(FileSystemEventHandler):
    """Has a server watch each folder of the game in `root` for as long as it exists."""

    def __init__(self, server: LiveReloadServer, root: Path) -> None:
        self._server = server
        self._folders = [root / name for name in sorted(FOLDERS)]
        self._seen: set[Path] = set()
        self.look()

    def look(self) -> bool:
        """Watch the folders that exist now. Return whether they are others than before."""
        there = {folder for folder in self._folders if folder.is_dir()}
        for folder in there - self._seen:
            self._server.watch(str(folder))
        for folder in self._seen - there:
            self._server.unwatch(str(folder))
        changed, self._seen = there != self._seen, there
        return changed

    def on_any_event(self, event: FileSystemEvent) -> None:
        if event.is_directory and self.look():
            # MkDocs builds when a file changes, and does not hear of the files that came with a new
            # folder. So it is told that the docs changed: of what it watches, they come first.
            docs = next(iter(self._server._watched_paths))
            change = (FileModifiedEvent(docs), ObservedWatch(docs, recursive=True))
            self._server.observer.event_queue.put(change)


def follow(server: LiveReloadServer, root: Path, git: Collection[Path]) -> None:
    """Have a server watch the game in `root`, and its folders `git`, such as `.git`."""
    for path in (root / SETTINGS, *(folder / name for folder in git for name in _OF_GIT)):
        if path.exists():
            server.watch(str(path))
    server.observer.schedule(_Folders(server, root), str(root), recursive=False)
