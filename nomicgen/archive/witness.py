"""What players sign of a history that they saw: the note's text, and who saw how much of a line. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import msgspec
from msgspec import Struct

from nomicgen.archive.seen import Digest, Id
from nomicgen.diagnostics import counted
from nomicgen.files.text import CONTROLS
from nomicgen.patterns import lazy_pattern

__all__ = [
    "NAMESPACE",
    "NOTE_LIMIT",
    "REFS",
    "Note",
    "Sighting",
    "Witnessed",
    "read_note",
    "witness_line",
    "write_note",
]

NAMESPACE = "nomicgen-witness"
"""What a signature of a note is made for: none that was made for something else counts."""
REFS = "refs/witness/"
NOTE_LIMIT = 4 << 10
"""Bytes of a note."""

_TITLE = "nomicgen witness 1"
_KEYS = ("game", "began", "folder", "branch", "commit", "tree", "ledger", "date", "player")
_LONGEST = 200
_LINE = lazy_pattern(r"(?!\s)[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]{1,200}(?<!\s)\Z")
_IDENT = lazy_pattern(r"[a-z][a-z0-9-]{0,63}\Z")
_TIME = lazy_pattern(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[+-][0-9]{2}:[0-9]{2}\Z")


class Note(Struct, frozen=True, kw_only=True):
    """That a player verified a history without an error, up to `commit`, with this tree and this ledger.

    `began` is the commit that brought `nomic.yml`, `folder` the game's place in its repository, `.` where it is the
    whole; `date` is the signer's clock in the game's own time zone, ISO 8601 with its offset.
    """

    game: str
    began: Id
    folder: str
    branch: str
    commit: Id
    tree: Id
    ledger: Digest
    date: str
    player: str

    def __post_init__(self) -> None:
        for text in (self.game, self.folder, self.branch):
            if not _LINE.match(text) or CONTROLS.search(text):
                raise ValueError("a line of it is empty, too long or has characters that nobody can see")
        if not _IDENT.match(self.player):
            raise ValueError("its player is no id")
        if not _TIME.match(self.date):
            raise ValueError("its date is none")
        datetime.fromisoformat(self.date)

    @property
    def day(self) -> str:
        return self.date[:10]


class Sighting(Struct, frozen=True, kw_only=True):
    """What a player signed last of a line: `behind` says how many commits came after it."""

    player: str
    date: str
    commit: str
    behind: int = 0


class Witnessed(Struct, frozen=True, kw_only=True):
    """Of how many `players` of the present, persons all, which have seen the line, the latest sighting first.

    Those who are `ahead` saw commits that are not here yet. `asked` is whether any of them has a key, or a note counts.
    """

    players: int = 0
    seen: tuple[Sighting, ...] = ()
    ahead: tuple[Sighting, ...] = ()
    asked: bool = False


def write_note(note: Note) -> bytes:
    """The text that is signed: its bytes are the same for the same note."""
    lines = (f"{key:<7}{getattr(note, key)}\n" for key in _KEYS)
    return f"{_TITLE}\n{''.join(lines)}".encode()


def read_note(data: bytes) -> Note:
    """The note that a text is. Raises ValueError for any text that `write_note` does not give."""
    if len(data) > NOTE_LIMIT:
        raise ValueError(f"it has more than {NOTE_LIMIT} bytes")
    try:
        lines = data.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8") from None
    if len(lines) != len(_KEYS) + 2 or lines[0] != _TITLE:
        raise ValueError(f"it is no note of the form `{_TITLE}`")
    try:
        note = msgspec.convert({key: line[7:] for key, line in zip(_KEYS, lines[1:], strict=False)}, Note)
    except msgspec.ValidationError as error:
        said = str(error)
        raise ValueError("one of its ids is none" if said.startswith("Expected") else said) from None
    if write_note(note) != data:
        raise ValueError("it is not written as a note is")
    return note


def witness_line(found: Witnessed) -> str:
    """`seen by 4 of 5 players: wren (2026-11-20), quill (2026-11-19, 3 commits ago)`, and who is ahead."""
    named = ", ".join(f"{one.player} ({one.date}{_ago(one.behind)})" for one in found.seen)
    ahead = _named(found.ahead)
    return (
        f"seen by {len(found.seen)} of {counted(found.players, 'player')}{f': {named}' if named else ''}"
        f"{f'; a later commit than HEAD by {ahead}' if ahead else ''}"
    )


def _ago(behind: int) -> str:
    return f", {counted(behind, 'commit')} ago" if behind else ""


def _named(sightings: Iterable[Sighting]) -> str:
    return ", ".join(f"{one.player} ({one.date})" for one in sightings)
