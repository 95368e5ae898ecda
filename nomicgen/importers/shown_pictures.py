"""The pictures that texts of a source show: their paths there, and their names in a game's
`images/`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Mapping
from urllib.parse import unquote

from nomicgen.files.file_findings import Notes, quoted
from nomicgen.files.text_encoding import PICTURE_LIMIT
from nomicgen.files.urls import split_address

ReadPictures = Callable[[Collection[str]], Mapping[str, bytes]]
"""Gives the contents of those files of a source, by path, that are there and not too large."""

_PICTURE = r"(?P<before>!\[[^\[\]]*\]\([ \t]*)(?:<(?P<wide>[^<>\n]+)>|(?P<address>[^\s()<>]+))"
_NAME = r"(?is)(?P<stem>.*?)(?P<ext>\.(?:png|jpe?g|gif|webp|avif))"
_ODD = r"[^a-z0-9._-]+"
_LONGEST = 96
"""The most characters that a picture's name takes from its name in the source."""
_ALL = 64 << 20
"""The most bytes that all pictures of a source may have together."""


class Pictures:
    """The pictures that texts show. `names` are their names in `images/`, by path; `left` says why
    a picture is not brought along, by path.
    """

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.left: dict[str, str] = {}

    def rebase(self, text: str, folder: str) -> str:
        """Return the text of a file in `folder` with its pictures shown from `images/`. Those at
        web addresses, and those that no game can have, stay as they are.
        """
        return (
            re.sub(_PICTURE, lambda match: self._rebased(match, folder), text)
            if "![" in text
            else text
        )

    def bring(self, read: ReadPictures | None) -> dict[str, bytes]:
        """Return the files of the pictures that `read` gives, and put the others into `left`.

        Without `read` no picture is wanted: then `left` is empty, too.
        """
        if read is None:
            self.left.clear()
            return {}
        files: dict[str, bytes] = {}
        size = 0
        given = read([*self.names]) if self.names else {}
        for path, name in self.names.items():
            data = given.get(path)
            if data is None:
                self.left[path] = (
                    f"it is not in the source, or is larger than {PICTURE_LIMIT >> 20} MiB"
                )
            elif size + len(data) > _ALL:
                self.left[path] = f"all pictures together are larger than {_ALL >> 20} MiB"
            else:
                size += len(data)
                files[f"images/{name}"] = data
        return files

    def note(self, notes: Notes) -> None:
        """Note the pictures that are not brought along."""
        for path, why in self.left.items():
            message = f"the picture {quoted(path)} is not brought along"
            notes.at(
                "import-unread",
                1,
                1,
                message,
                f"{why}; put it into images/, and show it as ../images/NAME.png",
            )

    def _rebased(self, match: re.Match[str], folder: str) -> str:
        address = match["wide"] or match["address"]
        parts = split_address(address)
        if parts is None or parts.scheme or parts.netloc or not parts.path:
            return match[0]
        start = "" if parts.path.startswith("/") else folder
        path = posixpath.normpath(posixpath.join(start, unquote(parts.path).lstrip("/")))
        named = re.fullmatch(_NAME, posixpath.basename(path))
        if named is None or not path.isprintable():
            self.left[path] = "a game's pictures are png, jpg, gif, webp or avif"
            return match[0]
        name = self.names.get(path) or self._name(named)
        self.names[path] = name
        plain = posixpath.normpath(unquote(parts.path))
        if plain in (f"images/{name}", f"../images/{name}"):
            return match[0]
        return f"{match['before']}../images/{name}"

    def _name(self, named: re.Match[str]) -> str:
        """Return a name in `images/` that no other picture has."""
        stem, ext = _slug(named["stem"]), named["ext"].lower()
        taken = set(self.names.values())
        names = (
            f"{stem}{f'-{count}' if count > 1 else ''}{ext}" for count in range(1, len(taken) + 2)
        )
        return next(name for name in names if name not in taken)


def _slug(words: str) -> str:
    return re.sub(_ODD, "-", words.casefold()).strip("-._")[:_LONGEST]
