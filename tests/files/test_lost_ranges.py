"""`lost` in nomic.yml: numbers and ranges of them, and what is no such list."""

from __future__ import annotations

import pytest

from nomicgen.files.game_files import read_game
from nomicgen.model.findings import listed

HEAD = "format: 1\nname: Harbour\nlost:\n  "


def lost(written: str) -> tuple[list[int], list[int], list[str]]:
    """The numbers of proposals and of judgements, and the help with a nomic.yml that says `written` of them."""
    records, findings = read_game({"nomic.yml": f"{HEAD}{written}\n".encode()})
    known = records.settings.lost
    return known.proposals, known.judgements, [one.help for one in findings]


def test_numbers_and_ranges() -> None:
    assert lost("proposals: [302, 304-307, 9-9]\n  judgements: [1-2]") == ([302, 304, 305, 306, 307, 9], [1, 2], [])


@pytest.mark.parametrize("written", ["[7-2]", "[1-100001]", "[1-90000, 1-90000]", "[1-999999999]"])
def test_ranges_that_are_none(written: str) -> None:
    help = "it should name at most 100000 numbers, and each range the smaller one first, as in 2-7"
    assert lost(f"proposals: {written}") == ([], [], [help])


@pytest.mark.parametrize("written", ["[1-2-3]", "[0-4]", "[a-b]", "['1 - 2']"])
def test_words_that_are_no_range(written: str) -> None:
    found = lost(f"proposals: {written}")
    assert found[:2] == ([], [])
    assert found[2] == ["it should be a whole number such as 203"]


def test_many_numbers_are_told_by_their_first() -> None:
    assert listed([302, 307]) == "302, 307"
    assert listed(range(1, 21)).endswith("19, 20")
    assert listed(range(1, 31), 3) == "1, 2, 3 and 27 more"
