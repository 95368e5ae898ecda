"""While a site is served: its files as the last build left them, of which the next one writes those that are others.

MkDocs clears the folder of a site before it builds. So the folder is renamed meanwhile, and comes back when it is known
that the build goes on from it.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from mkdocs.structure.files import File


class SiteOutput:
    """What stands in the folder of a served site, by address; `stands` is False where that is not known."""

    def __init__(self) -> None:
        self.stands = False
        self._folder = Path()
        self._signs: dict[str, object] = {}
        self._before: dict[str, object] = {}

    @property
    def _aside(self) -> Path:
        return self._folder.with_name(f"{self._folder.name}.kept")

    def set_aside(self, folder: str) -> None:
        """Before MkDocs clears the folder."""
        if self.stands and self._folder == Path(folder):
            with suppress(OSError):
                self._folder.rename(self._aside)
                return
        self.stands, self._folder = False, Path(folder)

    def bring_back(self, without: Iterable[str]) -> None:
        """After MkDocs would have cleared it; `without` files that it writes only where something is in them."""
        self._before, self._signs = self._signs, {}
        if self.stands and not self._folder.exists():
            self._aside.rename(self._folder)
            for address in without:
                (self._folder / address).unlink(missing_ok=True)
        else:
            self.forget()

    def forget(self) -> None:
        """Nothing is known of the folder any more: the next build begins anew."""
        self.stands, self._before = False, {}
        if self._folder.name:
            shutil.rmtree(self._aside, ignore_errors=True)

    def is_new(self, file: File) -> bool:
        """Whether a file that is copied as it is, is another than the one that stands there."""
        sign = _sign(file)
        self._signs[file.dest_uri] = sign
        return self._before.get(file.dest_uri) != sign

    def holds(self, file: File) -> None:
        """A page is to stay, or to be written."""
        self._signs[file.dest_uri] = None

    def clean(self) -> None:
        """After a build: without the files that it has no more, and folders that are left empty."""
        for address in self._before.keys() - self._signs.keys():
            path = self._folder / address
            path.unlink(missing_ok=True)
            for folder in path.parents:
                if folder == self._folder or any(folder.iterdir()):
                    break
                folder.rmdir()
        self.stands, self._before = True, {}


def _sign(file: File) -> object:
    """What tells a file from what it was before."""
    if file.abs_src_path is None:
        return sha256(file.content_bytes).digest()
    status = Path(file.abs_src_path).stat()
    return (file.abs_src_path, status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)
