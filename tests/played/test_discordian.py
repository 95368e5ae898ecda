"""The Discordian game: two persons, and a seat that votes by die."""

from __future__ import annotations

from pathlib import Path

import pytest

from nomicgen.model.front_matters import ProposalMatter
from nomicgen.model.identifiers import PlayerId
from nomicgen.play.rulesets import shipped
from tests.played import account, broken, copied, decisions, played, scores, standing, texts

DISCORDIAN = "discordian"


def test_the_initial_set_is_suber_s() -> None:
    assert shipped(DISCORDIAN).initial == shipped("suber").initial
    assert len(shipped(DISCORDIAN).initial) == 29


def test_it_is_in_our_own_words(shared: Path) -> None:
    seed = (shared / "seeds" / "discordian-nomic.txt").read_text("utf-8")
    assert copied(seed, texts(DISCORDIAN)) == []


def test_every_decision() -> None:
    assert played(DISCORDIAN).findings == ()
    assert decisions(DISCORDIAN) == [
        "301 adopted 2-0 by 203: +301/0",
        "302 defeated 2-1 not by 203",
        "303 adopted 3-0 by 203: +303/0",
        "304 adopted 3-0 by 203: 203/0 > 304/1",
        "305 adopted 2-1 by 304: 206/0 > 305/1",
        "306 defeated 1-2 not by 304",
        "307 defeated 2-1 by 304 not by 109",
        "308 adopted 3-0 by 109 304: 111/0 > 308/0 mutable",
        "309 adopted 2-1 by 304: 301/0 > 309/1",
        "310 adopted 2-1 by 304: 308/0 > 310/1",
        "311 defeated 1-2 not by 304",
        "312 adopted 2-1 by 304: 208/0 > 312/1",
        "313 adopted 3-0 by 304: +313/0",
    ]


def test_the_die_of_the_chair_decides_both_ways() -> None:
    thrown = {}
    for instrument in played(DISCORDIAN).records.of_kind("proposal"):
        assert isinstance(instrument.matter, ProposalMatter)
        vote = (instrument.matter.votes or {}).get(PlayerId("chair"))
        if vote is not None:
            assert vote.cast_by == "die"
            thrown[instrument.number] = (vote.die, vote.vote)
    assert thrown == {
        302: (2, "against"),
        303: (5, "for"),
        304: (4, "for"),
        305: (6, "for"),
        306: (1, "against"),
        307: (3, "against"),
        308: (6, "for"),
        309: (5, "for"),
        # A three was a vote against until Proposal 309.
        310: (3, "for"),
        311: (2, "against"),
        312: (1, "against"),
        313: (4, "for"),
    }


def test_the_chair_has_a_vote_from_the_day_on_which_a_rule_gives_it_one() -> None:
    tallies = played(DISCORDIAN).replay.tallies
    assert tallies["proposals/301.md"].eligible == ("bramble", "sorrel")
    assert tallies["proposals/302.md"].eligible == ("bramble", "chair", "sorrel")


def test_the_rules_at_the_end() -> None:
    immutable = [number for number in range(101, 117) if number != 111]
    assert standing(DISCORDIAN) == {
        "immutable": " ".join(f"{number}/0" for number in immutable),
        "mutable": "201/0 202/0 204/0 205/0 207/0 209/0 210/0 211/0 212/0 213/0 "
        "303/0 304/1 305/1 309/1 310/1 312/1 313/0",
    }


def test_dice_at_each_turn_s_end_and_the_winner() -> None:
    assert account(DISCORDIAN, "bramble") == (
        "+3(202) +2(202) +6(202) -5(305) +1(202) +4(202) +10(204) -5(305) +2(202) +5(202)"
    )
    assert account(DISCORDIAN, "sorrel") == (
        "-10(206) +4(202) +1(202) +10(204) -5(305) +5(202) +2(202) +10(204) +3(202) +2(202)"
    )
    assert account(DISCORDIAN, "chair") == "+10(204)"
    assert scores(DISCORDIAN) == {"bramble": 23, "chair": 10, "sorrel": 22}
    winner = played(DISCORDIAN).replay.winner
    assert winner is not None
    assert (winner.players, int(winner.points), winner.rule) == (("bramble",), 23, 312)


@pytest.mark.parametrize(
    ("path", "changes", "found"),
    [
        # A four is a vote for, and a die has six sides.
        (
            "proposals/312.md",
            [("die: 1", "die: 4")],
            ["proposals/312.md: vote-unlawful (Rule 309)"],
        ),
        (
            "proposals/312.md",
            [("die: 1", "die: 7")],
            ["proposals/312.md: vote-unlawful (Rule 309)"],
        ),
        # Rule 301 took a three for a vote against, and its successor does not.
        (
            "proposals/310.md",
            [("vote: for", "vote: against")],
            [
                "proposals/310.md: votes-few (Rule 304)",
                "proposals/310.md: vote-unlawful (Rule 309)",
            ],
        ),
        # Nobody speaks for the chair, and no person lets a die vote.
        (
            "proposals/313.md",
            [("    cast_by: die\n    die: 4\n", "")],
            ["proposals/313.md: vote-unlawful (Rule 309)"],
        ),
        (
            "proposals/304.md",
            [("  sorrel: for", "  sorrel: {vote: for, cast_by: die, die: 5}")],
            ["proposals/304.md: vote-unlawful"],
        ),
        # It could not vote on the rule that gave it a vote.
        (
            "proposals/301.md",
            [("  bramble: for\n", "  bramble: for\n  chair: {vote: for, cast_by: die, die: 5}\n")],
            ["proposals/301.md: voter-unknown (Rule 105)"],
        ),
        (
            "turns/R3T2.yml",
            [("player: sorrel", "player: chair")],
            [
                "proposals/306.md: turn-proposals (Rule 201)",
                "turns/R3T2.yml: turn-order (Rule 201)",
            ],
        ),
        (
            "proposals/307.md",
            [("status: defeated", "status: adopted\neffective: 2025-05-26")],
            ["proposals/307.md: transmutation-votes (Rule 109)"],
        ),
    ],
)
def test_what_breaks_it_is_found(
    path: str, changes: list[tuple[str, str]], found: list[str]
) -> None:
    assert broken(DISCORDIAN, path, *changes) == found
