"""While a site is served: what of the game is watched, and how MkDocs is told that it changed.

MkDocs watches folders that are there when it starts. A game's folders come and go (its first judgement makes one), and
a commit changes no file of the game at all; so the game's folder is looked at as a whole, with all else in it left out.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers.polling import PollingObserverVFS

from nomicgen.repository.tree import FOLDERS, SETTINGS

__all__ = ["watcher"]

# Seconds between two looks. With what MkDocs waits for a change to be over, a page follows its file within two.
_PAUSE = 0.2
_OF_GIT: Mapping[str, Collection[str]] = {
    "": frozenset({"HEAD", "logs", "packed-refs", "refs"}),
    "logs": frozenset({"HEAD"}),
    "refs": frozenset({"heads"}),
}


class _Handler(FileSystemEventHandler):
    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed

    def on_any_event(self, event: FileSystemEvent) -> None:
        if not event.is_directory:
            self._changed()


def watcher(root: Path, git: Collection[Path], changed: Callable[[], None]) -> PollingObserverVFS:
    """An observer, not yet started, that calls `changed` when a file of the game in `root` does, or when git's HEAD
    moves; `git` are the folders that git keeps for the game."""
    names: dict[str, Collection[str]] = {str(root): FOLDERS | {SETTINGS}}
    for folder in git:
        names |= {str(folder / part): found for part, found in _OF_GIT.items()}

    def entries(folder: str | None) -> Iterator[os.DirEntry[str]]:
        wanted = names.get(folder or "")
        with os.scandir(folder) as found:
            yield from (one for one in found if wanted is None or one.name in wanted)

    observer = PollingObserverVFS(os.stat, entries, polling_interval=_PAUSE)
    for place in (root, *git):
        observer.schedule(_Handler(changed), str(place), recursive=True)
    return observer
