"""The vote of an inactive player, where a rule lets it count, and where none does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nomicgen.model.identifiers import PlayerId
from nomicgen.play.load import load_tree
from nomicgen.play.refusal import Refused
from nomicgen.play.voting.voting import cast_vote
from tests.ballots import NEW, game, silent, tally, told
from tests.ledger import Ledger, day

MAY: dict[str, Any] = {"electorate": "active", "everyone_votes": "true", "inactive_may_vote": "true"}
AWAY = {"inactive": [{"since": day("01-20")}]}


def away(ballot: dict[str, Any] = MAY, **rules: Any) -> Ledger:
    return game(ballot, **rules).player("quill", **AWAY)


def test_the_vote_of_an_inactive_player_counts() -> None:
    found = tally(away(), "fffa")
    assert (found.eligible, found.for_) == (("osprey", "quill", "tallow", "wren"), ("osprey", "quill", "tallow"))
    assert told(away(), "fffa") == [
        "voter-unknown proposals/301.md:10:3: quill voted, but was inactive on 2026-02-01 (Rule 105)"
    ]
    # Nobody waits for a player who does not vote, and silence wakes nobody.
    assert tally(away(), "f.ff").eligible == ("osprey", "tallow", "wren")
    assert [one.split()[0] for one in told(away(), "f.ff", more={"quill": silent("for")})] == ["voter-unknown"]
    assert "quill" not in tally(away(), "f.ff", more={"quill": silent("for")}).eligible


def test_unsaid_it_does_not_count() -> None:
    for said in ({}, {"inactive_may_vote": "false"}):
        made = away({"electorate": "active", **said})
        assert tally(made, "fffa").eligible == ("osprey", "tallow", "wren")
        assert told(made, "fffa") == [
            "voter-unknown proposals/301.md:10:3: quill voted, but was not an eligible voter on 2026-02-01 (Rule 105)"
        ]


def test_a_player_who_falls_asleep_after_the_vote_was_not_inactive_when_it_was_cast() -> None:
    made = game(MAY).player("quill", inactive=[{"since": day("02-03")}])
    assert tally(made, "fffa", decided=day("02-05")).eligible == ("osprey", "tallow", "wren")
    assert told(made, "fffa", decided=day("02-05")) == []


def test_voting_ends_the_inactivity() -> None:
    made = away().proposal(301, "02-01", NEW, "f...", "open").applied()
    loaded = load_tree(Path(), made.tree, day("02-03"))
    move = cast_vote(loaded, 301, {PlayerId("quill"): "for"}, day("02-03"))
    assert move.said[0] == "quill is active again, from 2026-02-03"
    assert sorted(move.parts[0].writes) == ["players/quill.yml", "proposals/301.md"]
    assert move.after.findings == ()
    player = move.after.records.players[PlayerId("quill")].matter
    assert [(one.since, one.until) for one in player.inactive] == [(day("01-20"), day("02-03"))]
    assert "waiting for tallow, wren" in move.said[1]
    unsaid = away({"electorate": "active"}).proposal(301, "02-01", NEW, "f...", "open").applied()
    with pytest.raises(Refused, match="quill may not vote on 2026-02-03"):
        cast_vote(load_tree(Path(), unsaid.tree, day("02-03")), 301, {PlayerId("quill"): "for"}, day("02-03"))


def test_the_sentences_of_both() -> None:
    from nomicgen.law.reading import parse_provisions
    from nomicgen.law.sentences import sentences

    for value, words in (
        ("true", "An inactive player may vote, and is active again."),
        ("false", "No inactive player may vote."),
    ):
        assert list(sentences(parse_provisions({"ballot": {"inactive_may_vote": value}}, None)[0])) == [words]
