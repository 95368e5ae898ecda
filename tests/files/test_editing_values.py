"""One value of a file that exists: the lines of its key are written anew."""

from __future__ import annotations

import pytest

from nomicgen.files.file_editing import set_value

FILE = """---
# of a vote
number: 301
decided: 2026-01-03 # at dusk
votes: {wren: for, owl: {vote: 'against', at: 2026-01-02}} # by hand
points:
- player: wren
  amount: 3 # for a song
  reason: a song
dice: 4
---

Why: not.
"""


@pytest.mark.parametrize(
    ("key", "value", "old", "new"),
    [
        ("decided", "2026-01-04", "2026-01-03 #", "2026-01-04 #"),
        ("dice.0", "6", "dice: 4", "dice: [6]"),
        ("dice.1", "6", "dice: 4", "dice: [4, 6]"),
        ("decided", None, "decided: 2026-01-03 # at dusk\n", ""),
    ],
)
def test_nothing_else_changes(key: str, value: str | None, old: str, new: str) -> None:
    assert set_value(FILE.encode(), key, value).decode() == FILE.replace(old, new, 1)


@pytest.mark.parametrize(
    ("key", "value", "lines"),
    [
        ("votes.wren", "against", "votes: # by hand\n  wren: against\n  owl:\n    vote: against\n    at: 2026-01-02\n"),
        ("votes.owl", "for", "  wren: for\n  owl:\n    vote: for\n    at: 2026-01-02\n"),
        ("votes.owl.at", "2026-01-03T18:30", "    vote: against\n    at: 2026-01-03T18:30\n"),
        ("points.0.amount", "20/3", "points:\n  - player: wren\n    amount: 20/3\n    reason: a song\n"),
        ("points.0.reason", "a: 'yes' # 2", "    reason: \"a: 'yes' # 2\"\n"),
        ("points.0.reason", "no", '    reason: "no"\n'),
        ("votes.wren", None, "votes: # by hand\n  owl:\n    vote: against\n    at: 2026-01-02\n"),
        ("votes.wren.at", "2026-01-02", "votes: # by hand\n  wren:\n    vote: for\n    at: 2026-01-02\n  owl:\n"),
        ("votes.jay", "for", "    at: 2026-01-02\n  jay: for\n"),
    ],
)
def test_what_stands_in_a_key_is_written_anew(key: str, value: str | None, lines: str) -> None:
    written = set_value(FILE.encode(), key, value).decode()
    assert lines in written
    assert written.startswith("---\n# of a vote\nnumber: 301\ndecided: 2026-01-03 # at dusk\n")
    assert written.endswith("dice: 4\n---\n\nWhy: not.\n")


def test_a_place_that_is_too_far() -> None:
    for key, value in (("dice.2", "6"), ("dice.1", None), ("points.2.amount", "1")):
        with pytest.raises(ValueError, match="there is no place"):
            set_value(FILE.encode(), key, value)
