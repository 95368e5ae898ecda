"""What the rules leave possible: every kind of change of every tier, and why not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicgen.law.possible_changes import PossibleChange, possible_changes
from nomicgen.law.precedence import Laws
from nomicgen.law.reading import parse_provisions
from nomicgen.law.replay.results import Rule, Ruleset
from nomicgen.law.replay.scene import Scene
from nomicgen.model.front_matters import PlayerMatter
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Player
from nomicgen.model.settings import Settings
from nomicgen.model.values import Moment, Source

ALL = {"adoption": {"needs": "unanimous", "of": "eligible"}}
BOT = {"name": "Bot", "kind": "bot"}
GONE = {"name": "Gone", "left": "2026-01-31"}
DAY = Moment.parse("2026-02-01")


def ruleset(rules: dict[int, dict[str, Any]], tiers: tuple[str, ...]) -> Ruleset:
    """Rules from 100 are of the first tier, from 200 of the second, and so on."""
    made = Ruleset()
    for number, said in rules.items():
        law = parse_provisions(said, tiers)[0]
        tier = tiers[number // 100 - 1]
        rule = Rule(
            identity=number,
            number=number,
            revision=0,
            tier=tier,
            text="Text.",
            provisions=said,
            law=law,
        )
        made = made.replaced(None, rule)
    return made


def people(count: int = 4, *more: dict[str, Any]) -> dict[PlayerId, Player]:
    matters = [*({"name": "One", "joined": "2026-01-01"} for _ in range(count)), *more]
    return {
        ident: Player(ident=ident, matter=PlayerMatter.read(one), source=Source(file=ident))
        for ident, one in ((PlayerId(f"p{index}"), one) for index, one in enumerate(matters))
    }


def scene(
    rules: Ruleset, settings: Settings, players: dict[PlayerId, Player], moment: Moment | None = DAY
) -> Scene:
    return Scene(ruleset=rules, laws=Laws(settings), players=players, moment=moment)


def reach(
    rules: dict[int, dict[str, Any]],
    players: dict[PlayerId, Player] | None = None,
    tiers: tuple[str, ...] = ("immutable", "mutable"),
) -> dict[str, PossibleChange]:
    settings = Settings(format=1, name="Test", tiers=list(tiers))
    state = ruleset(rules, tiers)
    found = possible_changes(scene(state, settings, people() if players is None else players))
    return {
        " ".join(word for word in (one.verb, one.from_, one.into and f"> {one.into}") if word): one
        for one in found
    }


def possible(found: dict[str, PossibleChange]) -> list[str]:
    return [kind for kind, one in found.items() if one.possible]


KINDS = [
    "enact > immutable",
    "amend immutable",
    "repeal immutable",
    "transmute immutable > mutable",
    "enact > mutable",
    "amend mutable",
    "repeal mutable",
    "transmute mutable > immutable",
]


def test_every_kind_of_every_tier_is_judged() -> None:
    found = reach({101: {}, 203: ALL})
    assert list(found) == possible(found) == KINDS
    assert found["amend mutable"] == PossibleChange(
        verb="amend",
        from_="mutable",
        into=None,
        possible=True,
        needs=("all eligible voters",),
        rules=(203,),
    )
    assert [one.words for one in found.values()][2:5] == [
        "repealing an immutable rule",
        "transmuting an immutable rule into a mutable one",
        "enacting a mutable rule",
    ]


def test_three_tiers_transmute_each_into_each() -> None:
    found = reach({101: {}, 201: {}, 301: ALL}, tiers=("constitutional", "immutable", "mutable"))
    assert [kind for kind in found if kind.startswith("transmute constitutional")] == [
        "transmute constitutional > immutable",
        "transmute constitutional > mutable",
    ]
    assert len(found) == 15


def test_entrenchment() -> None:
    found = reach({101: {"entrenchment": {"immutable": ["transmute"]}}, 203: ALL})
    assert possible(found) == [
        "transmute immutable > mutable",
        "enact > mutable",
        "amend mutable",
        "repeal mutable",
        "transmute mutable > immutable",
    ]
    assert found["amend immutable"] == PossibleChange(
        verb="amend",
        from_="immutable",
        into=None,
        possible=False,
        rules=(101,),
        reason="Rule 101 forbids the amendment of immutable rules",
    )
    nothing = reach({101: {"entrenchment": {"immutable": [], "mutable": []}}, 203: ALL})
    assert possible(nothing) == []
    assert nothing["transmute immutable > mutable"].reason == (
        "Rule 101 forbids the transmutation of immutable rules; Rule 101 forbids the "
        "transmutation of mutable rules"
    )


def test_a_change_that_no_condition_covers() -> None:
    found = reach(
        {101: {}, 203: {"adoption": {"needs": "majority", "to": ["amend"], "from": ["mutable"]}}}
    )
    assert possible(found) == ["amend mutable"]
    assert found["repeal mutable"].reason == "no rule in force says how it is adopted"
    assert found["repeal mutable"].rules == ()


def test_all_conditions_that_remain_are_named_and_those_defeated_are_not() -> None:
    into = {"needs": "unanimous", "into": ["immutable"]}
    found = reach(
        {
            101: {},
            201: {"adoption": into},
            203: {
                "adoption": {
                    "needs": "majority",
                    "of": "cast",
                    "and": {"more_than": "15%", "of": "players"},
                }
            },
        }
    )
    assert found["transmute mutable > immutable"].needs == (
        "all eligible voters",
        "more than half of votes cast, and more than 15% of all players",
    )
    assert found["transmute mutable > immutable"].rules == (201, 203)
    assert found["amend mutable"].rules == (203,)
    defeated = reach(
        {
            101: {},
            201: {"adoption": {**into, "over": "203"}},
            203: {"adoption": {"needs": "majority"}},
        }
    )
    assert defeated["transmute mutable > immutable"].rules == (201,)


@pytest.mark.parametrize(
    ("first", "second", "needs"),
    [
        ({"needs": "unanimous"}, {"needs": "majority"}, ["all eligible voters"]),
        ({"needs": "two-thirds", "of": "cast"}, {"needs": "unanimous"}, ["all eligible voters"]),
        ({"needs": "unanimous"}, {"needs": "unanimous", "of": "cast"}, ["all eligible voters"]),
        ({"needs": "unanimous"}, {"needs": "unanimous", "of": "players"}, ["all players"]),
        (
            {"needs": "unanimous"},
            {"needs": {"at_least": "2"}},
            ["all eligible voters", "at least 2 votes"],
        ),
        (
            {"needs": "unanimous", "of": "cast"},
            {"needs": "majority"},
            ["all votes cast", "more than half of eligible voters"],
        ),
        ({"needs": "majority"}, {"needs": "majority"}, ["more than half of eligible voters"]),
    ],
)
def test_a_share_goes_unsaid_where_all_are_asked_for(
    first: Any, second: Any, needs: list[str]
) -> None:
    found = reach({101: {}, 201: {"adoption": first}, 203: {"adoption": second}})["amend mutable"]
    assert (list(found.needs), found.rules) == (needs, (201, 203))


@pytest.mark.parametrize(
    ("needs", "players", "reason"),
    [
        ({"needs": "unanimous"}, people(1), ""),
        ({"needs": {"at_least": "4"}}, people(4), ""),
        ({"needs": {"at_least": "5"}}, people(4), "at least 5 votes, and 4 can vote for"),
        ({"needs": {"more_than": "3"}}, people(4), ""),
        ({"needs": {"more_than": "4"}}, people(4), "more than 4 votes, and 4 can vote for"),
        (
            {"needs": "majority", "and": {"at_least": "9"}},
            people(4),
            "at least 9 votes, and 4 can vote for",
        ),
        ({"needs": "unanimous"}, people(0, BOT), "all eligible voters, and nobody can vote for"),
        ({"needs": {"at_least": "900000000"}}, {}, ""),
        ({"needs": "unanimous", "of": "players"}, {}, ""),
        ({"needs": {"at_least": "2"}}, people(1, GONE), "at least 2 votes, and 1 can vote for"),
    ],
)
def test_what_cannot_be_reached_with_every_vote_for(
    needs: dict[str, Any], players: dict[PlayerId, Player], reason: str
) -> None:
    found = reach({101: {}, 203: {"adoption": needs}}, players)
    assert found["amend mutable"].reason == (f"Rule 203 asks for {reason}" if reason else "")
    assert found["amend mutable"].possible is not bool(reason)
    assert found["amend mutable"].rules == (203,)


@pytest.mark.parametrize(
    ("outcomes", "needs"),
    [
        ({"tied": "adopted"}, "more than half of eligible voters, or a tie"),
        ({"unvoted": "adopted"}, "more than half of eligible voters, or no vote at all"),
        (
            {"tied": "adopted", "unvoted": "adopted"},
            "more than half of eligible voters, or a tie, or no vote at all",
        ),
        ({"tied": "defeated", "unvoted": "defeated"}, "more than half of eligible voters"),
    ],
)
def test_what_else_would_do_is_said(outcomes: dict[str, str], needs: str) -> None:
    found = reach({101: {}, 203: {"adoption": {"needs": "majority", **outcomes}}})
    assert found["amend mutable"].needs == (needs,)


def test_inactive_players_can_come_back_to_vote() -> None:
    away = {"name": "Away", "inactive": [{"since": "2026-01-15"}]}
    active = {"ballot": {"electorate": "active"}}
    everyone = {"adoption": {"needs": "unanimous", "of": "players"}}
    assert len(possible(reach({101: {}, 203: everyone}, people(3, away)))) == 8
    assert len(possible(reach({101: {}, 105: active, 203: everyone}, people(3, away)))) == 8
    assert len(possible(reach({101: {}, 105: active, 203: ALL}, people(3, away)))) == 8


def test_a_dummy_whose_die_never_votes_for() -> None:
    dummy = {"name": "Chair", "kind": "dummy"}
    hopeless = {"ballot": {"dummy": {"die": "6", "against": ["1"]}}}
    assert possible(reach({105: hopeless, 203: ALL}, people(3, dummy))) == []
    fair = {"ballot": {"dummy": {"die": "6", "for": ["1"], "against": ["2"]}}}
    assert len(possible(reach({105: fair, 203: ALL}, people(3, dummy)))) == 8


def test_cap_and_floor_leave_room() -> None:
    found = reach({101: {"cap": {"mutable": "2"}, "floor": {"immutable": "1"}}, 203: ALL, 204: {}})
    assert found["enact > mutable"].reason == "Rule 101 allows 2 mutable rules, and there are 2"
    assert found["transmute immutable > mutable"].reason == (
        "Rule 101 allows 2 mutable rules, and there are 2; Rule 101 demands 1 immutable rules, "
        "and there are 1"
    )
    assert found["repeal immutable"].reason == "Rule 101 demands 1 immutable rules, and there are 1"
    assert possible(found) == [
        "enact > immutable",
        "amend immutable",
        "amend mutable",
        "repeal mutable",
        "transmute mutable > immutable",
    ]


def test_a_tier_without_rules() -> None:
    found = reach({203: ALL})
    assert found["amend immutable"].reason == "there is no immutable rule"
    assert found["enact > immutable"].possible


def test_no_proposal_can_be_made() -> None:
    found = reach({201: {"turns": {"proposals": "0"}}, 203: ALL, 101: {}})
    assert possible(found) == []
    assert found["enact > mutable"].reason == "Rule 201 lets no proposal be made"


def test_a_void_rule_says_nothing_of_how() -> None:
    settings = Settings(format=1, name="Test")
    state = ruleset({101: {}, 203: ALL}, ("immutable", "mutable"))
    rule = state.rules[203]
    void = Rule(
        identity=203,
        number=203,
        revision=0,
        tier="mutable",
        text="Text.",
        law=rule.law,
        void=Moment.parse("2026-02-01"),
    )
    changed = state.replaced(rule, void)
    for on, expected in (("2026-01-31", True), ("2026-02-01", False)):
        moment = Moment.parse(on)
        found = possible_changes(scene(changed, settings, people(), moment))
        assert any(one.possible for one in found) is expected


@given(st.integers(0, 6), st.integers(0, 6), st.sampled_from(["at_least", "more_than"]))
def test_a_count_is_in_reach_exactly_while_there_are_as_many(
    voters: int, votes: int, word: str
) -> None:
    found = reach({101: {}, 203: {"adoption": {"needs": {word: str(votes)}}}}, people(voters))
    assert found["amend mutable"].possible is (
        not voters or votes + (word == "more_than") <= voters
    )


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 9))
def test_every_share_up_to_all_is_in_reach_of_whoever_plays(
    voters: int, above: int, below: int
) -> None:
    share = f"{min(above, below)}/{max(above, below)}"
    assert (
        len(
            possible(
                reach({101: {}, 203: {"adoption": {"needs": {"at_least": share}}}}, people(voters))
            )
        )
        == 8
    )
