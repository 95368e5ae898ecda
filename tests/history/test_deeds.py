"""What each player did, and what is asked of whom."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest

from nomicgen.history.activity import activity_of, player_status
from nomicgen.history.decisive_votes import decisive_votes
from nomicgen.history.game_history import GameHistory
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.values import Moment
from nomicgen.play.open_tasks import open_tasks
from nomicgen.site.pages.home_page import home_pages
from tests.ledger import UNANIMOUS, Ledger
from tests.site.small import LANTERN, ON, site_of, small_history, words

ARCHIVE = small_history(LANTERN)
DEEDS = activity_of(ARCHIVE.records, ARCHIVE.replay)


def asked(ident: str, game_history: GameHistory = ARCHIVE) -> list[tuple[str, str]]:
    """What can be done by a player: its kind, and the file that it is about."""
    found = open_tasks(game_history.records, game_history.replay, ON)
    return [(one.kind, one.path) for one in found if one.who == ident]


def ballots(ident: str) -> list[tuple[int | None, str, str, bool, bool | None]]:
    return [
        (one.proposal.number, one.choice, one.how, one.counted, one.majority)
        for one in DEEDS[PlayerId(ident)].votes
    ]


def test_votes_are_those_of_the_tally() -> None:
    assert ballots("ada") == [
        (301, "for", "", True, True),
        (302, "for", "", True, True),
        (303, "for", "", True, True),
        (305, "against", "", True, True),
    ]
    assert ballots("bo") == [
        (301, "for", "", True, True),
        (302, "abstain", "", True, None),
        (305, "against", "", True, True),
    ]
    assert ballots("cy")[-1] == (305, "for", "", True, False)
    assert ballots("robin") == [(302, "for", "", False, None)]


def test_there_is_no_majority_in_a_tie() -> None:
    tied = LANTERN["proposals/305.md"].replace("bo: against, ", "")
    game_history = small_history({**LANTERN, "proposals/305.md": tied})
    found = activity_of(game_history.records, game_history.replay)[PlayerId("ada")].votes
    assert [one.majority for one in found] == [True, True, True, None]


def test_silence_is_a_vote_where_the_rules_say_so_when_the_vote_has_ended() -> None:
    law = (
        "---\nnumber: 204\nmutability: mutable\nrevision: 0\n"
        "provisions: {ballot: {silence: against}}\n---\n\nHush.\n"
    )
    game_history = small_history({**LANTERN, "rules/initial/204.md": law})
    found = activity_of(game_history.records, game_history.replay)[PlayerId("bo")].votes
    assert [(one.proposal.number, one.choice, one.how) for one in found if one.how] == [
        (303, "against", "by silence")
    ]
    assert asked("bo", game_history) == [("change-vote", "proposals/304.md")]
    [(_, page)] = home_pages(site_of(game_history))
    assert (
        "Yet to vote: Ada (silence counts against), Bo &lt;b&gt; (silence counts against)"
        in words(page)
    )


def test_what_others_did_is_nobodys() -> None:
    stranger = LANTERN["proposals/305.md"].replace("author: cy", "author: nemo")
    game_history = small_history({**LANTERN, "proposals/305.md": stranger})
    found = activity_of(game_history.records, game_history.replay)
    assert "nemo" not in found
    assert found[PlayerId("cy")].proposals == []


def test_judgements_acts_and_turns() -> None:
    assert [one.name for one in DEEDS[PlayerId("ada")].judged] == ["Judgement 1"]
    assert [one.name for one in DEEDS[PlayerId("bo")].called] == ["Judgement 1"]
    assert [one.name for one in DEEDS[PlayerId("ada")].acts] == ["Candlemas"]
    assert [one.ident for one in DEEDS[PlayerId("bo")].turns] == ["R1T2"]
    late = LANTERN["judgements/1.md"].replace("judge: ada", "judge: ada\nlate: [index]")
    game_history = small_history({**LANTERN, "judgements/1.md": late})
    assert [
        one.name
        for one in activity_of(game_history.records, game_history.replay)[PlayerId("index")].late
    ] == ["Judgement 1"]


@pytest.mark.parametrize(
    ("ident", "day", "expected"),
    [
        ("ada", "2021-03-01", "playing"),
        ("bo", "2021-01-02", "playing"),
        ("bo", "2021-01-03", "inactive"),
        ("bo", "2021-01-04", "playing"),
        ("cy", "2021-02-09", "playing"),
        ("cy", "2021-02-10", "left"),
        ("eve", "2021-05-31", "to come"),
        ("eve", "2021-06-01", "playing"),
        ("post", "2021-03-01", "dummy"),
        ("robin", "2021-03-01", "bot"),
    ],
)
def test_how_a_player_stands_on_a_day(ident: str, day: str, expected: str) -> None:
    assert player_status(ARCHIVE.records.players[PlayerId(ident)], Moment.parse(day)) == expected


def test_what_is_asked_of_whom() -> None:
    assert asked("ada") == [("vote", "proposals/304.md"), ("judge", "judgements/1.md")]
    assert asked("index") == [("begin", "turns/R1T3.yml")]
    assert asked("cy") == []


def test_a_turn_that_is_being_played_is_asked_of_its_player_and_the_next_of_nobody() -> None:
    game_history = small_history(
        {**LANTERN, "turns/R1T3.yml": "player: index\nbegan: 2021-02-28\n"}
    )
    assert {path for _, path in asked("index", game_history)} == {"turns/R1T3.yml"}
    assert game_history.replay.next_turn is not None
    assert asked(game_history.replay.next_turn.player, game_history) == [
        one for one in asked(game_history.replay.next_turn.player) if one[0] != "begin"
    ]


# Where one vote decided: counted again with that vote alone changed, and held against sums done by
# hand.


MAJORITY = {"adoption": {"needs": "majority", "of": "cast"}}
VOTERS = ("osprey", "quill", "tallow", "wren")


def _decided(law: Mapping[str, Any], votes: str, *, adopted: bool) -> set[str]:
    status = "adopted" if adopted else "defeated"
    made = Ledger.start({203: law})
    made.proposal(301, "01-02", "## Enact Rule\n\nTea.", votes=votes, status=status)
    records, replay = made.play()
    found = decisive_votes(records, replay)
    return {voter for voter, (proposals, count) in found.items() if proposals and count == 1}


@pytest.mark.parametrize("votes", ["".join(each) for each in product("fa", repeat=4)])
def test_of_a_majority_those_decided_without_whom_it_is_none(votes: str) -> None:
    cast = dict(zip(VOTERS, votes, strict=True))
    passes = votes.count("f") * 2 > 4

    def otherwise(voter: str) -> bool:
        turned = sum((vote == "f") != (other == voter) for other, vote in cast.items())
        return (turned * 2 > 4) is not passes

    assert _decided(MAJORITY, votes, adopted=passes) == {
        voter for voter in VOTERS if otherwise(voter)
    }


def test_where_all_must_agree_each_decided_and_against_one_that_one() -> None:
    assert _decided(UNANIMOUS, "ffff", adopted=True) == set(VOTERS)
    assert _decided(UNANIMOUS, "fffa", adopted=False) == {"wren"}
    assert _decided(UNANIMOUS, "ffaa", adopted=False) == set()


def test_an_outcome_that_the_votes_do_not_give_says_nothing() -> None:
    assert _decided(UNANIMOUS, "ffff", adopted=False) == set()


def test_what_is_not_decided_counts_for_nobody() -> None:
    made = Ledger.start({203: UNANIMOUS}).proposal(
        301, "01-02", "## Enact Rule\n\nTea.", votes="ff..", status="open"
    )
    assert decisive_votes(*made.play("01-03")) == {}
