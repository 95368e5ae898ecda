"""Reading the pictures that a source shows: from a repository, each as it was last there; or from
the folder of a text.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

from nomicgen.files.text_encoding import PICTURE_LIMIT
from nomicgen.importers.commit_log import read_commit_log
from nomicgen.importers.shown_pictures import ReadPictures
from nomicgen.repository.errors import RepositoryError
from nomicgen.repository.git_objects import kinds_and_sizes, objects
from nomicgen.repository.named_files import read_given


def pictures_in(root: Path, branch: str) -> ReadPictures:
    """Return a function that reads pictures from a branch by their paths there."""

    def read(paths: Collection[str]) -> dict[str, bytes]:
        patterns = [
            re.sub(r"[*?\[\\]", r"\\\g<0>", path) for path in paths if not path.startswith("../")
        ]
        line = read_commit_log(root, branch, patterns).line if patterns else ()
        held = (
            (file.path, file.after or file.before) for commit in line for file in commit.touched
        )
        last = {path: oid for path, oid in held if oid is not None}
        found = kinds_and_sizes(root, set(last.values()))
        sizes = {oid: size for oid, (_, size) in found.items()}
        small = {
            path: oid for path, oid in last.items() if oid in sizes and sizes[oid] <= PICTURE_LIMIT
        }
        return {path: objects(root, [oid])[oid] for path, oid in small.items()}

    return read


def pictures_beside(file: Path) -> ReadPictures:
    """Return a function that reads pictures by their paths from the folder of a file. They must lie
    in the folder above that one, or anywhere below it.
    """

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
