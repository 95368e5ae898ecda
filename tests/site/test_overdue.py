"""A vote whose time is over, and that nobody has counted."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from tests.site.test_rule import made, rule, words

DAYS = "provisions:\n  adoption: {needs: majority, of: cast}\n  ballot: {closes_after: 3}\n"
CHANGE = "## Repeal Rule 203/0"
DIGEST = hashlib.sha256(f"{CHANGE}\n".encode()).hexdigest()
GAME = {
    "rules/initial/105.md": rule(105, "Votes last three days.", DAYS),
    "rules/initial/203.md": rule(203, "For now."),
    "proposals/301.md": (
        "---\nnumber: 301\ntitle: Away\nauthor: wren\ndate: 2020-05-15\nstatus: open\nopened: 2020-05-16\n"
        f"votes:\n  wren: for\ndigest: {DIGEST}\n---\n\nAway with it.\n\n{CHANGE}\n"
    ),
}


def on(day: str) -> Mapping[str, str]:
    return {path: words(page) for path, page in made(GAME, day).items() if path.endswith(".md")}


def test_a_vote_that_goes_on_waits_for_voters() -> None:
    site = on("2020-05-18")
    assert "open since May 16, 2020 until May 19, 2020" in site["index.md"]
    assert "Yet to vote: Quill" in site["index.md"]
    assert "Yet to vote 1Quill" in site["proposals/301.md"]
    assert "over since" not in site["index.md"].lower()


def test_a_vote_that_is_over_waits_to_be_resolved() -> None:
    site = on("2020-11-22")
    assert "over since May 19, 2020, waits to be resolved" in site["index.md"]
    assert "Over since May 19, 2020: it waits to be resolved." in site["proposals/301.md"]
    assert "Did not vote 1Quill" in site["proposals/301.md"]
    assert "over, to be resolved" in site["proposals/index.md"]
    for page in ("index.md", "proposals/301.md", "proposals/index.md", "players/wren.md"):
        assert "Yet to vote" not in site[page]
        assert "until May 19" not in site[page]
        assert "open for votes" not in site[page].replace("No proposal is open for votes", "")
