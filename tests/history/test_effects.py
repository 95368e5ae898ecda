"""What comes about between two states of a game: every kind of instrument, and what differs
then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from nomicgen.history.past.effects_between import Effects, brought_about, would_bring_about
from nomicgen.history.supposed import suppose
from nomicgen.law.replay.scene import Scene
from tests.ledger import Ledger, day

ON = day("03-01")
LAW: dict[int, dict[str, Any]] = {
    101: {"adoption": {"needs": "unanimous", "of": "eligible", "to": ["transmute"], "over": [203]}},
    105: {"ballot": {"electorate": "players", "everyone_votes": True}},
    201: {"turns": {"order": "alphabetical"}},
    202: {"points": {"on": "turn", "to": "player", "die": 6}},
    203: {"adoption": {"needs": "majority", "of": "eligible"}},
    204: {},
    205: {
        "authority": {"by": "judgement", "to": ["amend", "void"]},
        "judgements": {"judge": "anyone"},
    },
    206: {"victory": {"points": 100}},
}


def game() -> Ledger:
    return Ledger.start(LAW).proposal(301, "02-01", "## Enact Rule\n\nMore.")


def made(
    change: Callable[[Ledger], object], until: str = "03-01", start: Ledger | None = None
) -> Effects:
    """What comes about by a change of the files."""
    before = start or game()
    after = Ledger(dict(before.tree))
    change(after)
    return brought_about(*before.play(until), *after.play(until), day(until))


def told(found: Effects) -> list[str]:
    effects = [f"{one.words} | {one.reason}" for one in found.effects]
    assert all(one.refused == (one.reason == "no rule permits it") for one in found.effects)
    return [*effects, *(differs(one) for one in found.differences)]


def differs(one: Any) -> str:
    return f"{one.what} {one.player or ''}: {', '.join(one.before)} -> {', '.join(one.after)}"


def points(player: str, amount: int) -> list[dict[str, object]]:
    return [{"player": player, "amount": amount, "reason": "verse"}]


EVERYONE = "osprey, quill, tallow, wren"
CASES: dict[str, tuple[Callable[[Ledger], object], list[str]]] = {
    "a proposal": (
        lambda one: one.proposal(302, "02-02", "## Transmute Rule 105/0 to mutable"),
        ["Rule 105/0 becomes mutable | Rule 101/0, 4 for; all eligible voters (4): 4 needed"],
    ),
    "an act that gives points by hand": (
        lambda one: one.act("verse", "02-02", "So.", by="wren", points=points("wren", 100)),
        ["wren: 0 → 100 points (verse) | no rule permits it"],
    ),
    "an act that nobody lets": (
        lambda one: one.act("more", "02-02", "## Repeal Rule 204/0", by="wren"),
        ["Repeal Rule 204/0 | no rule permits it"],
    ),
    "a judgement that voids a rule": (
        lambda one: one.judgement(
            1,
            "02-02",
            "So.\n\n## Mark Rule 204/0\n\n```yaml rule\nvoid: 2026-02-02\n```",
            under=205,
        ),
        [
            "Judgement 1 is given | Rule 205/0",
            "Rule 204/0 has no force from 2026-02-02 on | Rule 205/0",
            "void :  -> 204/0",
        ],
    ),
    "a turn begins": (
        lambda one: one.turn("R1T1", "osprey", "02-02"),
        ["osprey begins R1T1 | Rule 201/0", "turn : R1T1 of osprey -> R1T2 of quill"],
    ),
    "a turn of somebody else": (
        lambda one: one.turn("R1T1", "wren", "02-02"),
        ["wren begins R1T1 | no rule permits it", "turn : R1T1 of osprey -> R2T1 of osprey"],
    ),
    "a player": (
        lambda one: one.player("marl", joined=day("02-02")),
        [
            "marl joins | no provision speaks of it",
            "turn : R1T1 of osprey -> R1T1 of marl",
            f"voters : {EVERYONE} -> marl, {EVERYONE}",
        ],
    ),
    "a player who leaves": (
        lambda one: one.player("wren", left=day("02-02")),
        [
            "wren leaves | no provision speaks of it",
            f"voters : {EVERYONE} -> osprey, quill, tallow",
        ],
    ),
    "a question": (lambda one: one.judgement(1, "02-02", "Why?", status="pending"), []),
    "a day that is to come": (lambda one: one.player("marl", joined=day("05-02")), []),
}


@pytest.mark.parametrize("name", CASES)
def test_each_kind_of_instrument(name: str) -> None:
    change, expected = CASES[name]
    assert told(made(change)) == expected


def test_what_time_brings_about() -> None:
    """A throw at the end of a turn gives points, and they win."""
    start = game().turn("R1T1", "osprey", "02-02")
    start.tree["rules/initial/206.md"] = start.tree["rules/initial/206.md"].replace(b"100", b"5")
    found = made(lambda one: one.turn("R1T1", "osprey", "02-02", "02-03", dice=[6]), start=start)
    assert told(found) == [
        "osprey ends R1T1 | Rule 201/0",
        "osprey: 0 → 6 points (turn R1T1, a throw of 6) | Rule 202/0",
        "score osprey: 0 -> 6",
        "winner :  -> osprey",
    ]


def test_what_was_there_before_is_not_told_again() -> None:
    start = game().act("verse", "02-02", "So.", by="wren", points=points("osprey", 3))
    assert made(lambda one: one, start=start) == Effects()
    # What was refused is not refused anew, though there are other points that it would have been
    # added to.
    turn = made(lambda one: one.turn("R1T1", "osprey", "02-01", "02-01", dice=[4]), start=start)
    assert [one.kind for one in turn.effects] == ["turn", "turn", "points"]
    assert not any(one.refused for one in turn.effects)
    twice = made(
        lambda one: one.act("verse-2", "02-02", "So.", by="wren", points=points("osprey", 3)),
        start=start,
    )
    assert [one.path for one in twice.effects if one.refused] == ["acts/verse-2.md"]


def test_of_a_game_that_begins_nothing_is_said() -> None:
    _, played = Ledger({}).play()
    records, now = game().play()
    assert brought_about(records, played, records, now, ON) == Effects()


def test_ways_of_changing_the_rules_that_are_lost() -> None:
    found = made(lambda one: one.proposal(302, "02-02", "## Repeal Rule 203/0"))
    assert [one.words for one in found.effects] == ["Rule 203/0 is repealed"]
    lost = {
        one.after.words for one in found.reach if one.before.possible and not one.after.possible
    }
    assert {
        "enacting a mutable rule",
        "amending a mutable rule",
        "repealing a mutable rule",
    } <= lost


def supposed(body: str, law: dict[int, dict[str, Any]] | None = None) -> Effects:
    """What an open proposal would bring about."""
    one = Ledger.start(LAW if law is None else law).proposal(301, "02-01", body, "....", "open")
    records, played = one.play("03-01")
    scene = Scene.of(played.current, records, ON)
    proposal = records.proposal("proposals/301.md")
    assert proposal is not None
    return would_bring_about(suppose(proposal, scene))


def test_a_proposal_that_is_not_decided_says_what_it_needs() -> None:
    found = supposed("## Transmute Rule 105/0 to mutable\n\n## Amend Rule 204/0\n\nFewer.")
    assert told(found) == [
        "Rule 105/0 becomes mutable | Rule 101/0, 4 of 4 needed",
        "Rule 204/0 becomes Rule 204/1 | Rule 203/0, 3 of 4 needed",
    ]
    assert {one.path for one in found.effects} == {"proposals/301.md"}


def test_what_of_a_proposal_no_rule_permits() -> None:
    law = {**LAW, 103: {"entrenchment": {"immutable": ["transmute"]}}}
    found = supposed(
        "## Amend Rule 204/0\n\nFewer.\n\n## Repeal Rule 105/0\n\n## Amend Rule 205/3\n\nStale.",
        law,
    )
    assert told(found) == [
        "Rule 204/0 becomes Rule 204/1 | Rule 203/0, 3 of 4 needed",
        "Rule 105/0 is repealed | no rule permits it",
    ]


def test_who_may_vote_by_what_a_proposal_says() -> None:
    block = "```yaml rule\nprovisions:\n  ballot: {electorate: players, tie_break: {by: wren}}\n```"
    assert told(supposed(f"## Amend Rule 105/0\n\n{block}\n\nWren breaks ties."))[1:] == [
        f"voters : {EVERYONE} -> osprey, quill, tallow"
    ]


def test_a_game_without_provisions() -> None:
    found = supposed("## Repeal Rule 204/0", {101: {}, 204: {}})
    assert (told(found), found.reach) == (
        ["Rule 204/0 is repealed | no provision speaks of it"],
        (),
    )


def test_points_whose_score_before_them_differs_were_there_already() -> None:
    start = Ledger.start({**LAW, 206: {"awards": {"in": "act"}}})
    start = start.act("later", "02-03", "So.", by="wren", points=points("wren", 5))
    found = made(
        lambda one: one.act("verse", "02-02", "So.", by="wren", points=points("wren", 100)),
        start=start,
    )
    assert told(found) == [
        "wren: 0 → 100 points (verse) | Rule 206/0",
        "score wren: 5 -> 105",
    ]
