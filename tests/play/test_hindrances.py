"""Which errors keep a move from being made."""

from __future__ import annotations

from pathlib import Path

import pytest

from nomicgen.play.load import Game, load_tree
from nomicgen.play.mending.shown import with_mends
from nomicgen.play.move import Part, blocking_errors, verified
from nomicgen.play.refusal import Refused
from tests.ledger import Ledger, day

VOTE = {"adoption": {"needs": "unanimous", "of": "eligible"}}
STALE = "---\n{}status: {}\n---\n\nWhy not.\n\n## Repeal Rule 201/7\n"


def game(path: str, text: str) -> Game:
    made = Ledger.start({101: VOTE, 201: {}}).file(path, text)
    return load_tree(Path("game"), made.applied().tree, day("12-31"))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("proposals/lamps.md", STALE.format("", "draft")),
        ("proposals/301.md", STALE.format("number: 301\n", "debate")),
        ("proposals/lamps.md", "no front matter\n"),
    ],
)
def test_an_undecided_proposal_keeps_nobody_else(path: str, text: str) -> None:
    found = game(path, text)
    assert found.errors
    assert blocking_errors(found) == ()
    assert blocking_errors(found, {path}) == found.errors
    other = Part(
        writes={"proposals/tea.md": STALE.format("", "draft").replace("201/7", "201/0").encode()}, subject="Tea"
    )
    assert verified(found, other).parts == (other,)
    with pytest.raises(Refused) as caught:
        verified(found, Part(writes={path: text.encode()}, subject="The same"))
    assert caught.value.findings == with_mends(found, found.errors)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("proposals/301.md", STALE.format("number: 301\ndecided: 2026-01-05\n", "adopted")),
        ("proposals/301.md", "no front matter\n"),
        ("judgements/1.md", "no front matter\n"),
        ("players/owl.yml", "nothing\n"),
        ("rules/999.md", "nothing\n"),
    ],
)
def test_errors_of_the_ledger_keep_everybody(path: str, text: str) -> None:
    made = Ledger.start({101: VOTE, 201: {}}).applied().file(path, text)
    found = load_tree(Path("game"), made.tree, day("12-31"))
    assert blocking_errors(found) == found.errors
    assert found.errors
