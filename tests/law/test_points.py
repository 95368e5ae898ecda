"""Points: what the rules award, line by line and exact."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.awards import NEW, ONCE, game, lines
from tests.ledger import VOIDING, Ledger, day

# Decisions


@pytest.mark.parametrize(
    ("on", "to", "adopted", "defeated"),
    [
        ("adopted", "author", ["wren 5 by 202: proposal 301 adopted, as its author"], []),
        ("defeated", "author", [], ["wren 5 by 202: proposal 302 defeated, as its author"]),
        (
            "decided",
            "author",
            ["wren 5 by 202: proposal 301 adopted, as its author"],
            ["wren 5 by 202: proposal 302 defeated, as its author"],
        ),
        ("adopted", "against", ["wren 5 by 202: proposal 301 adopted, for a vote against"], []),
        (
            "decided",
            "for",
            [
                f"{who} 5 by 202: proposal 301 adopted, for a vote for"
                for who in ("osprey", "quill", "tallow")
            ],
            ["osprey 5 by 202: proposal 302 defeated, for a vote for"],
        ),
        ("decided", "silent", [], []),
    ],
)
def test_what_a_decision_awards(on: str, to: str, adopted: list[str], defeated: list[str]) -> None:
    made = game({"on": on, "to": to, "amount": "5"}).proposal(301, "02-01", NEW, "fffa")
    made.proposal(302, "02-02", NEW, "faa-", "defeated")
    assert (lines(made), made.told()) == (adopted + defeated, [])
    assert all(
        str(one.span) in ("proposals/301.md:7:10", "proposals/302.md:7:10")
        for one in made.play()[1].awards
    )
    assert [one.moment for one in made.play()[1].awards] == [day("02-01")] * len(adopted) + [
        day("02-02")
    ] * len(defeated)


@pytest.mark.parametrize("status", ["withdrawn", "void", "open", "debate"])
def test_what_is_not_decided_awards_nothing_of_itself(status: str) -> None:
    made = game({"on": "decided", "to": "author", "amount": "5"})
    assert lines(made.proposal(301, "02-01", NEW, "ffff", status)) == []


def test_votes_that_nobody_recorded_award_nothing() -> None:
    made = game({"on": "adopted", "to": "author", "amount": "5"}).proposal(
        301, "02-01", NEW, "...."
    )
    text = made.tree["proposals/301.md"].decode().replace("votes: {}\n", "votes: unrecorded\n")
    assert lines(made.file("proposals/301.md", text)) == []


@pytest.mark.parametrize(
    ("votes", "amount"),
    [
        ("fffa", "15/2"),
        ("fff-", "10"),
        ("fff.", "10"),
        ("faa.", "10/3"),
        ("aaaa", "0"),
        ("----", "0"),
        ("....", "0"),
    ],
)
def test_a_share_of_the_votes_is_exact(votes: str, amount: str) -> None:
    made = game({"on": "decided", "to": "author", "amount": "10", "times": "share-for"})
    status = "adopted" if votes.startswith("fff") else "defeated"
    made.proposal(301, "02-01", NEW, votes, status)
    assert (lines(made), made.told()) == (
        [f"wren {amount} by 202: proposal 301 {status}, as its author"],
        [],
    )


def test_a_share_counts_silence_and_who_broke_a_tie() -> None:
    share = {"on": "decided", "to": "author", "amount": "1", "times": "share-for"}
    silence = game(share, r105={"ballot": {"silence": "for"}}).proposal(
        301, "02-01", NEW, "aa..", "defeated"
    )
    assert lines(silence) == ["wren 1/2 by 202: proposal 301 defeated, as its author"]
    tie = game(share, r105={"ballot": {"tie_break": {"by": "hal"}}}).player("hal", kind="bot")
    tie.proposal(301, "02-01", NEW, "ffaa", more={"hal": "for"})
    assert (lines(tie), tie.told()) == (
        ["wren 3/5 by 202: proposal 301 adopted, as its author"],
        [],
    )


def test_so_much_for_each_change() -> None:
    made = game({"on": "adopted", "to": "author", "amount": "-2/3", "times": "changes"})
    made.proposal(301, "02-01", f"{NEW}\n\n## Repeal Rule 202/0\n\n## Enact Rule\n\nMore.")
    assert lines(made) == ["wren -2 by 202: proposal 301 adopted, as its author"]


@pytest.mark.parametrize(
    ("adoption", "needed"),
    [
        ({"needs": "unanimous"}, True),
        ({"needs": "unanimous", "of": "players"}, True),
        ({"needs": {"at_least": "100%"}}, True),
        ({"needs": "majority", "and": {"needs": "unanimous"}}, True),
        ({"needs": "unanimous", "of": "cast"}, False),
        ({"needs": "majority"}, False),
        ({"needs": {"at_least": "99%"}}, False),
        ({"needs": {"at_least": "4"}}, False),
    ],
)
def test_where_unanimity_was_needed(adoption: Any, needed: bool) -> None:
    points = [
        {"on": "decided", "to": "author", "amount": "1", "if": "unanimity-needed"},
        {"on": "decided", "to": "author", "amount": "2", "if": "unanimity-not-needed"},
    ]
    made = Ledger.start({202: {"points": points}, 203: {"adoption": adoption}}).proposal(
        301, "02-01", NEW
    )
    assert [one.amount for one in made.play()[1].awards] == [1 if needed else 2]


def test_unanimity_is_that_of_the_vote_on_this_change() -> None:
    """Suber's Rule 204: who voted against an adopted proposal gets points where unanimity was not
    needed.
    """
    said = [{"needs": "majority"}, {"needs": "unanimous", "to": "repeal"}]
    points = {"on": "adopted", "to": "against", "amount": "10", "if": "unanimity-not-needed"}
    made = Ledger.start({202: {"points": points}, 203: {"adoption": said}, 204: {}})
    made.proposal(301, "02-01", NEW, "fffa").proposal(
        302, "02-02", "## Repeal Rule 204/0", "fffa", "defeated"
    )
    assert (lines(made), made.told()) == (
        ["wren 10 by 202: proposal 301 adopted, for a vote against"],
        [],
    )


def test_a_decision_is_judged_before_its_own_effect() -> None:
    made = game({"on": "adopted", "to": "author", "amount": "1"})
    made.proposal(301, "02-01", f"## Amend Rule 202/0\n\n{ONCE}\n\nMore.")
    made.proposal(302, "02-01", NEW)
    assert lines(made) == [
        "wren 1 by 202: proposal 301 adopted, as its author",
        "wren 99 by 202: proposal 302 adopted, as its author",
    ]
    # What took effect the day after is not yet the law of the day.
    later = game({"on": "adopted", "to": "author", "amount": "1"})
    later.proposal(301, "02-01", f"## Amend Rule 202/0\n\n{ONCE}\n\nMore.", effective=day("02-02"))
    later.proposal(302, "02-01", NEW)
    assert [one.amount for one in later.play()[1].awards] == [1, 1]


def test_what_several_rules_award_adds_up_but_what_another_names_in_over() -> None:
    one: dict[str, Any] = {"on": "adopted", "to": "author", "amount": "1"}
    rules = {
        "r204": {"points": [{**one, "amount": "2"}, {**one, "amount": "3"}]},
        "r102": {"points": {**one, "amount": "4"}},
    }
    amounts = [
        line.amount for line in game(one, **rules).proposal(301, "02-01", NEW).play()[1].awards
    ]
    assert amounts == [4, 1, 2, 3]

    def awarded(first: dict[str, Any], **more: Any) -> list[Fraction]:
        made = game(
            {**one, **first},
            **(rules | {number: {"points": {**one, **said}} for number, said in more.items()}),
        )
        return [line.amount for line in made.proposal(301, "02-01", NEW).play()[1].awards]

    assert awarded({"over": "204"}) == [4, 1]
    assert awarded({"over": "102"}) == [4, 1, 2, 3]
    assert awarded({"under": "204"}) == [4, 2, 3]
    assert awarded({}, r102={"amount": "4", "under": "204"}) == [1, 2, 3]
    assert awarded({"over": "204"}, r204={"over": "202"}) == [4, 1, 1]
    # What gives way to a rule that says nothing of points gives way to nothing.
    assert awarded({"under": "203"}) == [4, 1, 2, 3]


def test_a_void_rule_awards_nothing_from_its_day_on() -> None:
    made = game({"on": "adopted", "to": "author", "amount": "1"})
    body = "## Ruling\n\nVoid.\n\n## Mark Rule 202/0\n\n```yaml rule\nvoid: 2026-02-02\n```"
    made.rule(190, VOIDING).judgement(1, "01-05", body, under=190)
    made.proposal(301, "02-01", NEW).proposal(302, "02-02", NEW)
    assert lines(made) == ["wren 1 by 202: proposal 301 adopted, as its author"]


# Silence

TIMED = {"ballot": {"silence": "for", "closes_after": "3", "penalty": {"points": "3"}}}


def test_what_silence_costs() -> None:
    made = game({"on": "silence", "to": "silent", "amount": "-1/2"}, r105=TIMED)
    made.proposal(301, "02-01", NEW, "f-..", decided=day("02-04"))
    penalties = [
        "tallow -3 by 105: silence on proposal 301",
        "wren -3 by 105: silence on proposal 301",
    ]
    assert (lines(made), made.told()) == (
        [
            "tallow -1/2 by 202: silence on proposal 301",
            "wren -1/2 by 202: silence on proposal 301",
            *penalties,
        ],
        [],
    )
    # Recorded or not, it is silence.
    recorded = {"wren": {"vote": "for", "cast_by": "silence"}}
    assert (
        lines(made.proposal(301, "02-01", NEW, "f-..", more=recorded, decided=day("02-04")))[2:]
        == penalties
    )
    # And who is only not waited for loses nothing.
    ignored = {"ballot": {"silence": "ignored", "penalty": {"points": "3"}}}
    assert lines(game(r105=ignored).proposal(301, "02-01", NEW, "fff.")) == []
    waits = {"ballot": {"everyone_votes": "true", "penalty": {"points": "3"}}}
    assert lines(game(r105=waits).proposal(301, "02-01", NEW, "fff.")) == []


def test_silence_costs_nothing_before_the_vote_is_over() -> None:
    made = game(r105=TIMED).proposal(301, "02-01", NEW, "f...", "open")
    assert lines(made) == []
    assert lines(made.proposal(301, "02-01", NEW, "fff.", decided=day("02-02"))) == []


def test_an_author_who_votes_for_by_proposing_is_not_silent() -> None:
    said = {"ballot": {**TIMED["ballot"], "author_votes_for": "true"}}
    made = game(r105=said).proposal(301, "02-01", NEW, "ff..", decided=day("02-04"))
    assert lines(made) == ["tallow -3 by 105: silence on proposal 301"]


# Roles


def test_a_role_gets_points_while_it_is_held() -> None:
    made = game([{"on": "decided", "to": {"role": "piper"}, "amount": "1"}])
    spans = [
        {"role": "piper", "since": day("02-01"), "until": day("02-02")},
        {"role": "piper", "since": day("02-01")},
    ]
    made.player("quill", roles=spans).player(
        "osprey", roles=[{"role": "drummer", "since": day("01-01")}]
    )
    made.player("tallow", roles=[{"role": "piper", "since": day("01-01"), "until": day("02-01")}])
    made.player("wren", roles=[{"role": "piper", "since": day("01-01")}], left=day("02-02"))
    made.player("zed", joined=day("02-02"), roles=[{"role": "piper", "since": day("01-01")}])
    # Who joins on the day of a decision takes part in it with a vote.
    made.player("zoe", joined=day("02-02"), roles=[{"role": "piper", "since": day("01-01")}])
    made.proposal(301, "02-01", NEW).proposal(
        302, "02-02", NEW, "fff.", more={"zed": "for"}, author="quill"
    )
    assert lines(made) == [
        "quill 1 by 202: proposal 301 adopted, for each piper",
        "wren 1 by 202: proposal 301 adopted, for each piper",
        "quill 1 by 202: proposal 302 adopted, for each piper",
        "zed 1 by 202: proposal 302 adopted, for each piper",
    ]


def test_a_role_gets_points_for_silence_only_where_there_was_some() -> None:
    made = game(
        [{"on": "silence", "to": {"role": "piper"}, "amount": "1"}],
        r105={"ballot": {"silence": "for"}},
    )
    made.player("quill", roles=[{"role": "piper", "since": day("01-01")}])
    made.proposal(301, "02-01", NEW).proposal(302, "02-02", NEW, "ff..")
    assert lines(made) == ["quill 1 by 202: silence on proposal 302, for each piper"]


# Judgements


def test_what_judges_get() -> None:
    made = game(
        [
            {"on": "judged", "to": "judge", "amount": "2"},
            {"on": "late-judge", "to": "judge", "amount": "-3"},
            {"on": "late-judge", "to": {"role": "clerk"}, "amount": "1"},
            {"on": "judged", "to": {"role": "clerk"}, "amount": "5"},
        ]
    ).player("osprey", roles=[{"role": "clerk", "since": day("01-01")}])
    made.judgement(1, "02-01", "Is it?\n\n## Ruling\n\nIt is.")
    made.judgement(2, "02-02", "Is it?\n\n## Ruling\n\nIt is not.", late=["wren", "tallow"])
    made.judgement(3, "02-03", "Is it?", status="pending", late=["wren"])
    made.judgement(
        4,
        "02-04",
        "Is it?\n\n## Ruling\n\nYes.",
        status="overruled",
        overruled=day("02-05"),
        judge=None,
    )
    assert lines(made) == [
        "quill 2 by 202: judgement 1, as its judge",
        "osprey 5 by 202: judgement 1, for each clerk",
        "quill 2 by 202: judgement 2, as its judge",
        "wren -3 by 202: judgement 2, as a judge who was late",
        "tallow -3 by 202: judgement 2, as a judge who was late",
        "osprey 1 by 202: judgement 2, for each clerk",
        "osprey 5 by 202: judgement 2, for each clerk",
        "osprey 5 by 202: judgement 4, for each clerk",
    ]
    assert made.told() == []


# Turns and dice

DIE = {"on": "turn", "to": "player", "die": "6"}


def test_a_die_at_the_end_of_a_turn() -> None:
    made = (
        game(DIE)
        .turn("R1T1", "wren", "02-01", "02-02", dice=4)
        .turn("R1T2", "quill", "02-02", dice=[6])
    )
    assert (lines(made), made.told()) == (["wren 4 by 202: turn R1T1, a throw of 4"], [])
    (found,) = made.play()[1].awards
    assert (str(found.span), found.moment) == ("turns/R1T1.yml:3:8", day("02-02"))


def test_a_turn_that_was_passed_has_awards_of_its_own() -> None:
    said = [
        DIE,
        {"on": "passed", "to": "player", "amount": "-1"},
        {"on": "passed", "to": "player", "die": "4"},
    ]
    made = game(said).turn("R1T1", "wren", "02-01", "02-02", passed=True, dice=3)
    made.turn("R1T2", "quill", "02-02", "02-03", dice=6)
    assert (lines(made), made.told()) == (
        [
            "wren -1 by 202: turn R1T1 passed",
            "wren 3 by 202: turn R1T1 passed, a throw of 3",
            "quill 6 by 202: turn R1T2, a throw of 6",
        ],
        [],
    )


def test_dice_are_thrown_in_the_order_of_rule_numbers() -> None:
    """Whatever their tiers: an immutable rule of a high number comes last."""
    made = game([{**DIE, "die": "10"}, {**DIE, "die": "8"}], r102={"points": {**DIE, "die": "4"}})
    made.rule(303, {"points": {**DIE, "die": "20"}}, "immutable")
    made.turn("R1T1", "wren", "02-01", "02-02", dice=[4, 10, 8, 20])
    assert (lines(made), made.told()) == (
        [
            f"wren {face} by {rule}: turn R1T1, a throw of {face}"
            for face, rule in ((4, 102), (10, 202), (8, 202), (20, 303))
        ],
        [],
    )


def test_a_role_and_a_die() -> None:
    said = [
        {**DIE, "to": {"role": "piper"}},
        {**DIE, "die": "2"},
        {"on": "turn", "to": {"role": "piper"}, "amount": "1/3"},
    ]
    made = game(said).player(
        "quill", roles=[{"role": "piper", "since": day("01-01"), "until": day("02-04")}]
    )
    made.turn("R1T1", "wren", "02-01", "02-02", dice=1).turn(
        "R1T2", "quill", "02-02", "02-03", dice=[6, 2]
    )
    made.turn("R1T3", "quill", "02-03", "02-04", dice=2)
    assert (lines(made), made.told()) == (
        [
            "quill 1/3 by 202: turn R1T1, for each piper",
            "wren 1 by 202: turn R1T1, a throw of 1",
            "quill 1/3 by 202: turn R1T2, for each piper",
            "quill 6 by 202: turn R1T2, a throw of 6",
            "quill 2 by 202: turn R1T2, a throw of 2",
            "quill 2 by 202: turn R1T3, a throw of 2",
        ],
        [],
    )


@pytest.mark.parametrize(
    ("dice", "passed", "told", "awarded"),
    [
        (
            [],
            False,
            "3:8: R1T1 ended, and its throw of a die of 6 sides is not recorded (Rule 202)",
            [],
        ),
        ([0], False, "4:8: a die of 6 sides does not show 0 (Rule 202)", []),
        ([7], False, "4:8: a die of 6 sides does not show 7 (Rule 202)", []),
        ([6, 1], False, "4:11: 2 throws, but the rules ask for 1", [6]),
        ([1], True, "5:8: 1 throw, but the rules ask for none", []),
    ],
)
def test_throws_that_are_wrong(
    dice: list[int], passed: bool, told: str, awarded: list[int]
) -> None:
    made = game(DIE).turn(
        "R1T1", "wren", "02-01", "02-02", **({"passed": True} if passed else {}), dice=dice
    )
    assert made.told() == [f"dice-wrong turns/R1T1.yml:{told}"]
    assert [one.amount for one in made.play()[1].awards] == awarded


def test_throws_that_no_rule_asks_for_are_no_fault_where_none_speaks_of_dice() -> None:
    assert game().turn("R1T1", "wren", "02-01", "02-02", dice=[7, 0]).told() == []
    # Nor is a throw missing from a turn that has not ended.
    assert game(DIE).turn("R1T1", "wren", "02-01").told() == []


@pytest.mark.parametrize(
    ("dice", "told"),
    [
        ([60], "a die of 6 sides does not show 60 (Rule 202)"),
        ([6, 6, 6], "3 throws, but the rules ask for 1"),
        ([1] * 400, "400 throws, but the rules ask for 1"),
        ([6], None),
        ([], None),
    ],
)
def test_throws_are_judged_while_the_turn_goes_on(dice: list[int], told: str | None) -> None:
    made = game(DIE).turn("R1T1", "wren", "02-01", dice=dice)
    found = [one.partition(": ")[2] for one in made.told()]
    assert found == ([told] if told else [])


def test_a_turn_that_goes_on_may_have_the_throw_of_one_that_is_passed() -> None:
    said = [DIE, {"on": "passed", "to": "player", "die": "20"}]
    assert game(said).turn("R1T1", "wren", "02-01", dice=17).told() == []
    assert len(game(said).turn("R1T1", "wren", "02-01", dice=21).told()) == 1


def test_an_adoption_makes_no_throw_wrong_before_the_turn_ends() -> None:
    four = (
        "## Amend Rule 202/0\n\n```yaml rule\nprovisions:\n"
        "  points: {on: turn, to: player, die: 4}\n```\n\nLess."
    )
    made = game(DIE).turn("R1T1", "wren", "02-01", dice=5).proposal(301, "02-02", four, turn="R1T1")
    assert made.told() == []
    assert [
        one.partition(": ")[2] for one in made.turn("R1T1", "wren", "02-01", "02-03", dice=5).told()
    ] == ["a die of 4 sides does not show 5 (Rule 202)"]


def test_a_turn_whose_end_nobody_recorded_is_not_judged() -> None:
    made = game(DIE).turn("R1T1", "wren", "02-01", dice=60).turn("R1T2", "quill", "02-02")
    assert made.told() == []


@pytest.mark.parametrize("timed", ["02-02", "2026-02-02T18:00"])
def test_a_die_is_thrown_after_what_was_decided_in_its_turn_took_effect(timed: str) -> None:
    """A twenty-sided die, adopted on the day on which the turn ends, is thrown at its end."""
    twenty = (
        "## Amend Rule 202/0\n\n```yaml rule\nprovisions:\n"
        "  points: {on: turn, to: player, die: 20}\n```\n\nMore."
    )
    made = (
        game(DIE)
        .turn("R1T1", "wren", "02-01", "02-02", dice=17)
        .turn("R1T2", "quill", "02-02", "02-03", dice=18)
    )
    made.proposal(301, "02-01", twenty, decided=day(timed), turn="R1T1")
    assert (lines(made), made.told()) == (
        ["wren 17 by 202: turn R1T1, a throw of 17", "quill 18 by 202: turn R1T2, a throw of 18"],
        [],
    )
    # In the next turn it is too late for the one before.
    made.proposal(301, "02-01", twenty, decided=day(timed), turn="R1T2")
    assert made.told() == [
        "dice-wrong turns/R1T1.yml:4:7: a die of 6 sides does not show 17 (Rule 202)"
    ]


def test_what_takes_effect_with_the_next_turn_is_not_yet_law_at_the_end_of_this_one() -> None:
    twenty = (
        "## Amend Rule 202/0\n\n```yaml rule\nprovisions:\n"
        "  points: {on: turn, to: player, die: 20}\n```\n\nMore."
    )
    made = game(DIE, r205={"effect": "next-turn"})
    made.turn("R1T1", "wren", "02-01", "02-02", dice=6).turn(
        "R1T2", "quill", "02-02", "02-03", dice=20
    )
    made.proposal(301, "02-01", twenty, decided=day("02-02"), effective=day("02-02"), turn="R1T1")
    assert lines(made) == [
        "wren 6 by 202: turn R1T1, a throw of 6",
        "quill 20 by 202: turn R1T2, a throw of 20",
    ]
    assert made.told() == []
