"""What the replay does not look for, or does not look for again, is what it would have found."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from nomicgen.files.game_files import read_game
from nomicgen.law.replay.state import Rule


def test_an_amended_rule_is_the_same_but_for_its_text() -> None:
    rule = Rule(
        identity=1,
        number=203,
        revision=1,
        tier="mutable",
        text="Old.",
        title="Tea",
        section="Drinks",
        provisions={"effect": "at-once"},
        defines=("tea",),
        unread=("Old.",),
        void=True,
        note="steep",
    )
    assert rule.amended("Old.", 1) == rule
    amended = rule.amended(None, 2)
    # A passage goes with its text.
    assert (amended.text, amended.revision, amended.unread) == (None, 2, ())
    assert replace(amended.amended("Old.", 1), unread=("Old.",)) == rule
    assert amended.law is rule.law


@pytest.mark.parametrize("seed", [1, 2])
def test_instruments_are_given_by_number_whatever_they_were_read_in(seed: int) -> None:
    keys = "status: adopted\ndecided: 2026-02-01\nvotes: unrecorded\n"
    paths = [*(f"proposals/{number}.md" for number in (2, 10, 9)), "proposals/zeal.md", "proposals/draft.md"]
    tree = dict.fromkeys(paths[3:], b"---\nstatus: draft\n---\n\nWords.\n")
    tree |= {path: f"---\nnumber: {path[10:-3]}\n{keys}---\n\nWords.\n".encode() for path in paths[:3]}
    tree["acts/tea.md"] = b"---\ncause: Tea\ndate: 2026-02-01\n---\n\nWords.\n"
    mixed = [*tree.items()]
    Random(seed).shuffle(mixed)
    records, _ = read_game({"nomic.yml": b"format: 1\nname: Tea\n", **dict(mixed)})
    names = ["2", "9", "10", "draft", "zeal"]
    assert [one.path for one in records.of_kind("proposal")] == [f"proposals/{name}.md" for name in names]
    assert [one.path for one in records.of_kind("act")] == ["acts/tea.md"]
    assert records.of_kind("judgement") == ()
