"""The text of a witness's note, and the line that says who saw a history."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import asdict, replace

from nomicgen.model.identifiers import CommitId, Digest, PlayerId
from nomicgen.repository.statements import STATEMENT_LIMIT
from nomicgen.verify.witness_notes import LatestNote, Note, WitnessSummary, read_note, witness_line, write_note

NOTE = Note(
    game="The Lantern Game",
    began=CommitId("f4" * 20),
    folder="games/lanterns",
    branch="main",
    commit=CommitId("6b" * 20),
    tree="bd" * 32,
    ledger=Digest("35" * 32),
    date="2026-11-20T18:30:05+13:00",
    player=PlayerId("wren"),
)
TEXT = f"""nomicgen witness 1
game   The Lantern Game
began  {"f4" * 20}
folder games/lanterns
branch main
commit {"6b" * 20}
tree   {"bd" * 32}
ledger {"35" * 32}
date   2026-11-20T18:30:05+13:00
player wren
"""


def test_a_note_is_text_of_one_form() -> None:
    assert write_note(NOTE) == TEXT.encode()
    assert read_note(TEXT.encode()) == NOTE
    assert NOTE.day == "2026-11-20"


@given(st.text(min_size=1, max_size=60), st.sampled_from(["game", "folder", "branch"]))
def test_whatever_can_be_written_is_read_as_it_was(text: str, key: str) -> None:
    try:
        note = Note(**{**asdict(NOTE), key: text})
    except ValueError:
        return
    assert read_note(write_note(note)) == note
    assert write_note(note).count(b"\n") == 10


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("game", ""),
        ("game", " x"),
        ("game", "x\ny"),
        ("game", "x\x1b"),
        ("game", "x\u202ey"),
        ("game", "x" * 201),
        ("branch", "x\r"),
        ("player", "Wren"),
        ("player", "w" * 65),
        ("player", "../wren"),
        ("date", "2026-11-20"),
        ("date", "2026-02-30T00:00:00+00:00"),
        ("date", "2026-02-20T25:00:00+00:00"),
        ("date", "2026-02-20T00:00:00Z"),
    ],
)
def test_what_no_note_says(key: str, value: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        Note(**{**asdict(NOTE), key: value})
    with pytest.raises(ValueError):  # noqa: PT011
        read_note(TEXT.replace(getattr(NOTE, key), value).encode())


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it is none of the form `nomicgen witness 1`"),
        (TEXT[:-1], "it is none of the form `nomicgen witness 1`"),
        (TEXT + "\n", "it is none of the form `nomicgen witness 1`"),
        (TEXT.replace("began  ", "BEGAN  "), "it is not written as such a statement is"),
        (TEXT.replace("6b", "6B"), "one of its values is none"),
        ("x" * (STATEMENT_LIMIT + 1), f"it has more than {STATEMENT_LIMIT} bytes"),
    ],
)
def test_why_a_text_is_no_note(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why.split("`", maxsplit=1)[0]):
        read_note(text.encode())


def test_bytes_are_no_note() -> None:
    with pytest.raises(ValueError, match="it is not UTF-8"):
        read_note(b"\xff")


def test_who_saw_it_is_one_line() -> None:
    wren = LatestNote(player=PlayerId("wren"), date="2026-11-20", commit=NOTE.commit)
    quill = replace(wren, player="quill", behind=1)
    assert witness_line(WitnessSummary(players=1)) == "seen by 0 of 1 player"
    assert witness_line(WitnessSummary(players=3, seen=(wren, quill), ahead=(wren,))) == (
        "seen by 2 of 3 players: wren (2026-11-20), quill (2026-11-20, 1 commit ago); a later commit than HEAD by wren "
        "(2026-11-20)"
    )
