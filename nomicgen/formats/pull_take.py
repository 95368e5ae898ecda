"""The part of the comment that holds the whole file as it could be, and how its author takes it over."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote, urlencode

from msgspec import Struct

from nomicgen.archive.mending import Mended
from nomicgen.diagnostics import counted
from nomicgen.files.urls import is_web
from nomicgen.formats.preview_parts import Line, Name
from nomicgen.formats.terminal import safe
from nomicgen.patterns import lazy_pattern

_LONGEST = 16_000
"""Characters of a file that a comment holds; it has room for others besides."""
_ADDRESS = 6000
_SHOWN = 8
_PULL = lazy_pattern(r"(https?://[^\s/]+/[^\s/]+/[^\s/]+)/pull/[0-9]+")
_TREE = lazy_pattern(r"(https?://[^\s/]+/[^\s/]+/[^\s/]+)/tree/(\S+)")
_PLAIN = lazy_pattern(r"[!-;=?-Z^-_a-z~]+")


class Link(Struct, frozen=True):
    """Own words that lead to an address of the forge."""

    words: str
    address: str


class Whole(Struct, frozen=True):
    """A whole file, to be copied."""

    text: str


Step = Iterator[Line | Link | Whole]


def editor_of(mended: Mended, *, branch: str | None, discussion: str | None, folder: str) -> str | None:
    """The address of the forge's editor: of the file on the pull request's own `branch`, or of a new file.

    `branch` is an address such as `https://github.com/wren/tea/tree/patch-1`, `discussion` that of the pull request;
    `folder` is the game's place in its repository. None where it is not known.
    """
    if mended.fresh:
        match = _PULL.fullmatch(discussion or "")
        if match is None:
            return None
        path = f"{folder}/{mended.path}" if folder else mended.path
        words = urlencode({"filename": path, "value": mended.text}, quote_via=quote)
        address = f"{match[1]}/new/main?{words}"
    else:
        match = _TREE.fullmatch(branch or "")
        if match is None:
            return None
        path = f"{folder}/{mended.before}" if folder else mended.before
        address = f"{match[1]}/edit/{quote(match[2], safe='/%')}/{quote(path)}"
    return address if len(address) <= _ADDRESS and is_web(address) and _PLAIN.fullmatch(address) else None


def take_over(mended: Mended, editor: str | None) -> Step:
    """The file with what was changed in it, and how to take it over; `editor` is the address of the forge's editor."""
    yield Line(("This is the whole file as it could be. Read it: nothing is taken over by itself.",))
    yield Line(("What is mended in it:",))
    yield from (Line((Name(one),), level=1) for one in mended.said)
    yield from (Line(("A question: ", Name(one)), "warn") for one in mended.asks)
    if mended.left:
        yield Line((f"{counted(len(mended.left), 'thing')} it does not put right:",), "warn")
        yield from (Line((Name(one.message),), level=1) for one in mended.left[:_SHOWN])
    if len(mended.text) > _LONGEST or safe(mended.text) != mended.text:
        yield Line(("The file is too long to be shown here: change it as is said below.",))
        return
    yield from _how(mended, editor)
    yield Whole(mended.text)


def _how(mended: Mended, editor: str | None) -> Step:
    if mended.fresh:
        yield Line(("Close this pull request, and open another with this new file: ", Name(mended.path)))
        if editor is not None:
            yield Link("Open the editor with the new file in it", editor)
        return
    where: tuple[str | Name, ...] = (" in the editor: under ", Name("Files changed"), ", ", Name("…"), ", ")
    opened = (" in the editor",) if editor is not None else (*where, Name("Edit file"))
    yield Line(
        ("Copy the text below, open ", Name(mended.before), *opened, ", and put it in place of all that is there.")
    )
    if mended.path != mended.before:
        yield Line(("Above the text, change the name of the file: ", Name(mended.path)))
    if editor is not None:
        yield Link("Open the file in the editor", editor)
