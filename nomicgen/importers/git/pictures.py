"""The pictures of what is imported: of a repository as its newest commit has them, or the last that did; of a text as
they lie beside it."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from nomicgen.files.text_encoding import PICTURE_LIMIT
from nomicgen.importers.git.history import file_before, listing
from nomicgen.importers.shown_pictures import ReadPictures
from nomicgen.model.identifiers import CommitId
from nomicgen.repository.errors import RepositoryError
from nomicgen.repository.git import run
from nomicgen.repository.git_objects import kinds, objects
from nomicgen.repository.named_files import read_given

_GONE = 200
"""So many pictures that the newest commit does not have are looked for in the past."""


def pictures_in(root: Path, branch: str) -> ReadPictures:
    """Reads pictures of a repository by their paths there."""

    def read(paths: Collection[str]) -> dict[str, bytes]:
        now = listing(root, branch)
        ids = {path: now[path].oid for path in paths if path in now}
        for path in [path for path in paths if path not in now][:_GONE]:
            oid = _last(root, branch, path)
            if oid is not None:
                ids[path] = oid
        sizes = kinds(root, set(ids.values()))
        small = {path: oid for path, oid in ids.items() if oid in sizes and sizes[oid][1] <= PICTURE_LIMIT}
        return {path: objects(root, [oid])[oid] for path, oid in small.items()}

    return read


def _last(root: Path, branch: str, path: str) -> str | None:
    """The id of what a path had before the commit that last took it away, None where it never was."""
    if path.startswith("../"):
        return None
    asked = ("--format=%H", "-1", "--diff-filter=D", "--no-renames", "--end-of-options", f"{branch}^{{commit}}")
    commit = run(root, "log", *asked, "--", f":(top,literal){path}").decode().strip()
    if not commit:
        return None
    return file_before(root, CommitId(commit), path)


def pictures_beside(file: Path) -> ReadPictures:
    """Reads pictures by their paths from the folder of a file; none that lie outside of the folder above that."""

    def read(paths: Collection[str]) -> dict[str, bytes]:
        folder = file.resolve().parent
        pictures: dict[str, bytes] = {}
        for path in paths:
            place = (folder / path).resolve()
            if not place.is_relative_to(folder.parent) or not place.is_file():
                continue
            try:
                data = read_given(place, PICTURE_LIMIT)
            except RepositoryError:
                continue
            if len(data) <= PICTURE_LIMIT:
                pictures[path] = data
        return pictures

    return read
