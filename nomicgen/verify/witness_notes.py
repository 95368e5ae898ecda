"""What players sign of a history that they saw: the note's text, and who saw how much of a line. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from nomicgen.model.findings import counted
from nomicgen.model.identifiers import CommitId, PlayerId
from nomicgen.repository.statements import is_ident, read_statement, require_lines, require_time, write_statement
from nomicgen.verify.seen_history import Commit, Id, LedgerDigest

NAMESPACE = "nomicgen-witness"
"""What a signature of a note is made for: none that was made for something else counts."""
REFS = "refs/witness/"

_TITLE = "nomicgen witness 1"


class Note(Struct, frozen=True, kw_only=True):
    """That a player verified a history without an error, up to `commit`, with this tree and this ledger.

    `began` is the commit that brought `nomic.yml`, `folder` the game's place in its repository, `.` where it is the
    whole; `date` is the signer's clock in the game's own time zone, ISO 8601 with its offset.
    """

    game: str
    began: Commit
    folder: str
    branch: str
    commit: Commit
    tree: Id
    ledger: LedgerDigest
    date: str
    player: PlayerId

    def __post_init__(self) -> None:
        require_lines(self.game, self.folder, self.branch)
        if not is_ident(self.player):
            raise ValueError("its player is no id")
        require_time(self.date)

    @property
    def day(self) -> str:
        return self.date[:10]


class LatestNote(Struct, frozen=True, kw_only=True):
    """What a player signed last of a line: `behind` says how many commits came after it."""

    player: PlayerId
    date: str
    commit: CommitId
    behind: int = 0


class WitnessSummary(Struct, frozen=True, kw_only=True):
    """Of how many `players` of the present, persons all, which have seen the line, the latest sighting first.

    Those who are `ahead` saw commits that are not here yet. `asked` is whether any of them has a key, or a note counts.
    """

    players: int = 0
    seen: tuple[LatestNote, ...] = ()
    ahead: tuple[LatestNote, ...] = ()
    asked: bool = False


def write_note(note: Note) -> bytes:
    """The text that is signed: its bytes are the same for the same note."""
    return write_statement(_TITLE, note)


def read_note(data: bytes) -> Note:
    """The note that a text is. Raises ValueError for any text that `write_note` does not give."""
    return read_statement(_TITLE, Note, data)


def witness_line(summary: WitnessSummary) -> str:
    """`seen by 4 of 5 players: wren (2026-11-20), quill (2026-11-19, 3 commits ago)`, and who is ahead."""
    named = ", ".join(f"{note.player} ({note.date}{_ago(note.behind)})" for note in summary.seen)
    ahead = _named(summary.ahead)
    return (
        f"seen by {len(summary.seen)} of {counted(summary.players, 'player')}{f': {named}' if named else ''}"
        f"{f'; a later commit than HEAD by {ahead}' if ahead else ''}"
    )


def _ago(behind: int) -> str:
    return f", {counted(behind, 'commit')} ago" if behind else ""


def _named(sightings: Iterable[LatestNote]) -> str:
    return ", ".join(f"{sighting.player} ({sighting.date})" for sighting in sightings)
