"""One value of a file that exists: in its place where it can stand there, else its key anew."""

from __future__ import annotations

import pytest

from nomicgen.files import set_value

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
        ("votes.wren", "against", "{wren: for", "{wren: against"),
        ("votes.owl", "for", "'against'", "for"),
        ("votes.owl.at", "2026-01-03T18:30", "2026-01-02", "2026-01-03T18:30"),
        ("points.0.amount", "20/3", "3 # for", "20/3 # for"),
        ("points.0.reason", "a song: the one, 'yes' # 2", "reason: a song", "reason: \"a song: the one, 'yes' # 2\""),
        ("points.0.reason", "no", "reason: a song", 'reason: "no"'),
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
        ("votes.wren", None, "votes: # by hand\n  owl:\n    vote: against\n    at: 2026-01-02\n"),
        ("votes.wren.at", "2026-01-02", "votes: # by hand\n  wren:\n    vote: for\n    at: 2026-01-02\n  owl:\n"),
        ("votes.jay", "for", "    at: 2026-01-02\n  jay: for\n"),
    ],
)
def test_what_comes_or_goes_writes_its_key_anew(key: str, value: str | None, lines: str) -> None:
    written = set_value(FILE.encode(), key, value).decode()
    assert lines in written
    assert written.startswith("---\n# of a vote\nnumber: 301\ndecided: 2026-01-03 # at dusk\n")
    assert written.endswith("dice: 4\n---\n\nWhy: not.\n")


def test_a_place_that_is_too_far() -> None:
    for key, value in (("dice.2", "6"), ("dice.1", None), ("points.2.amount", "1")):
        with pytest.raises(ValueError, match="there is no place"):
            set_value(FILE.encode(), key, value)
