"""What the tests of `nomicgen proposal rebase` share: a small game, a draft in it, and what becomes
of it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from nomicgen.play.load import Game, load_tree
from nomicgen.play.rebasing import Rebased, rebase
from nomicgen.play.refusal import Refused
from tests.ledger import Ledger, day

VOTE = {"adoption": {"needs": "unanimous", "of": "eligible"}}
ACTS = {"authority": {"by": "act", "to": ["amend"]}}
MOVES = {"numbering": {"amended": "proposal", "transmuted": "proposal"}}
PATH = "proposals/quiet.md"
LAMPS = "Whoever holds a lamp may speak in the square after dusk."
AMENDED = f"## Amend Rule 203/0\n\n{LAMPS} Always."
BOATS = "A boat that is tied to the quay pays one coin for each night."


def ledger(numbering: bool = False, **rule: str) -> Ledger:
    """A game with Rules 203 and 204; with `numbering`, a rule that is changed takes the number of
    the proposal.
    """
    made = Ledger.start({101: VOTE, 103: ACTS, **({102: MOVES} if numbering else {})})
    made.file("rules/initial/203.md", initial(203, rule.get("text", LAMPS), rule.get("keys", "")))
    return made.file("rules/initial/204.md", initial(204, BOATS, ""))


def initial(number: int, text: str, keys: str) -> str:
    return f"---\nnumber: {number}\nmutability: mutable\nrevision: 0\n{keys}---\n" + (
        f"\n{text}\n" if text else ""
    )


def draft(made: Ledger, body: str, front: str = "date: 2026-01-02\nstatus: draft\n") -> Ledger:
    return made.file(PATH, f"---\n{front}---\n\nWhy not.\n\n{body}")


def game(made: Ledger) -> Game:
    return load_tree(Path("game"), made.applied().tree, day("12-31"))


def rebased(made: Ledger, name: str = "quiet") -> Rebased:
    return rebase(game(made), name, day("12-31"))


def body(found: Rebased, path: str = PATH) -> str:
    """What stands below the argument; everything above it must be as it was."""
    (part,) = found.move.parts
    before, after = found.move.before.tree[path], part.writes[path]
    assert isinstance(before, bytes)
    assert list(part.writes) == [path]
    above, _, _ = before.partition(b"Why not.\n\n")
    front, _, below = after.partition(b"Why not.\n\n")
    assert front == above
    return below.decode()


def slugs(found: Rebased, path: str = PATH) -> list[str]:
    return [one.slug for one in found.move.after.findings if one.span.file == path]


def refused(made: Ledger, name: str = "quiet") -> tuple[str, str, list[str]]:
    with pytest.raises(Refused) as caught:
        rebased(made, name)
    return (
        caught.value.message,
        caught.value.remedy,
        [f"{one.message} | {one.help}" for one in caught.value.findings],
    )
