"""Rules that change by themselves: when they are due, what they become, and what an act of theirs
may do.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomicgen.play.advancing import advance
from nomicgen.play.load import load_tree
from tests.deep import examples
from tests.ledger import PLAYERS, UNANIMOUS, VOIDING, Ledger, day

NEW = "## Enact Rule\n\nNew."
REPEALED = {"after": {"circuits": "1"}, "becomes": "repealed"}
HALF: dict[str, Any] = {"adoption": {"needs": "majority", "of": "eligible"}}
HALF_YAML = "provisions:\n  adoption: {needs: majority, of: eligible}"
ACT = {"cause": "Rule 204", "by": "204", "under": 204, "seq": 1}


def game(sunset: Any, more: Any = None, turns: int = 0, **rules: Any) -> Ledger:
    """Rule 204 changes by itself; so many turns of a day each, from the second of January on."""
    said = {
        201: {"turns": {"order": "alphabetical"}},
        203: UNANIMOUS,
        204: {"sunset": sunset, **(more or {})},
    }
    made = Ledger.start({**said, **{int(number[1:]): one for number, one in rules.items()}})
    for index in range(turns):
        ident = f"R{index // 4 + 1}T{index % 4 + 1}"
        made.turn(ident, PLAYERS[index % 4], f"01-{index + 2:02}", f"01-{index + 2:02}")
    return made


def due(made: Ledger, until: str = "12-31") -> list[str]:
    """The rules that are due, each with its day: `204/0 2026-01-05`."""
    return [f"{one.rule.ref} {one.moment}" for one in made.play(until)[1].due]


def amend(text: str, block: str | None = None, ref: str = "204/0") -> str:
    return (
        f"## Amend Rule {ref}\n\n"
        + (f"```yaml rule\n{block}\n```\n\n" if block is not None else "")
        + text
    )


# When


def test_after_so_many_rounds() -> None:
    for count, last in ((1, 4), (2, 8), (3, 12)):
        sunset = {**REPEALED, "after": {"circuits": str(count)}}
        assert due(game(sunset, turns=last - 1)) == []
        assert due(game(sunset, turns=last)) == [f"204/0 2026-01-{last + 1:02}"]
    made = game(REPEALED, turns=5)
    assert (due(made, "01-04"), due(made, "01-05")) == ([], ["204/0 2026-01-05"])
    assert made.told() == [
        "deadline-missed rules/204.md:1:1: Rule 204/0 should have changed by itself on "
        "2026-01-05 (Rule 204)"
    ]
    assert [one.severity for one in made.findings()] == ["warning"]
    assert due(game({**REPEALED, "after": {"circuits": "999999999"}}, turns=8)) == []


def test_a_round_ends_where_the_order_wraps() -> None:
    # Wren leaves, so that Tallow's turn is the last one.
    made = game(REPEALED, turns=3).player("wren", left=day("01-04"))
    assert due(made) == ["204/0 2026-01-04"]
    # Where no rule gives an order, a round is over when the next one begins.
    free = Ledger.start({203: UNANIMOUS, 204: {"sunset": REPEALED}})
    free.turn("R1T1", "wren", "01-02", "01-03").turn("R1T2", "quill", "01-03", "01-04")
    assert due(free) == []
    assert due(free.turn("R2T1", "osprey", "01-07")) == ["204/0 2026-01-07"]
    # The last turn of a round is not over while it is played.
    playing = game(REPEALED, turns=3).turn("R1T4", "wren", "01-05")
    assert due(playing) == []
    assert due(playing.turn("R2T1", "osprey", "01-09")) == ["204/0 2026-01-09"]


def test_rounds_count_from_the_day_on_which_the_rule_came_into_force() -> None:
    enact = (
        "## Enact Rule\n\n```yaml rule\nprovisions:\n"
        "  sunset: {after: {circuits: 1}, becomes: repealed}\n```\n\nShort."
    )

    def enacted(on: str, turns: int, **matter: Any) -> list[str]:
        made = game({**REPEALED, "after": {"circuits": "9"}}, turns=turns)
        return due(made.proposal(301, on, enact, **matter))

    assert enacted("01-03", 4, turn="R1T2") == ["301/0 2026-01-05"]
    assert enacted("01-05", 4, turn="R1T4") == ["301/0 2026-01-05"]
    assert enacted("01-06", 7, turn="R2T1") == []
    assert enacted("01-06", 8, turn="R2T1") == ["301/0 2026-01-09"]


def test_after_so_many_turns() -> None:
    sunset = {**REPEALED, "after": {"turns": "3"}}
    assert due(game(sunset, turns=2)) == []
    assert due(game(sunset, turns=3)) == ["204/0 2026-01-04"]
    assert due(game(sunset, turns=9)) == ["204/0 2026-01-04"]
    # A turn is over when the next begins, if nobody wrote down its end.
    made = game(sunset)
    for index, player in enumerate(PLAYERS, 1):
        made.turn(f"R1T{index}", player, f"01-{index:02}")
    assert due(made) == ["204/0 2026-01-04"]
    # They count from the day on which the sunset came into force.
    fresh = amend("Again.", "provisions:\n  sunset: {after: {turns: 2}, becomes: repealed}")
    again = game(sunset, turns=4).proposal(301, "01-03", fresh, turn="R1T2")
    assert due(again) == ["204/1 2026-01-04"]


@pytest.mark.parametrize(
    ("date", "until", "since"),
    [
        ("2026-03-01", "02-28", None),
        ("2026-03-01", "03-01", "2026-03-01"),
        ("2026-03-01", "12-31", "2026-03-01"),
        ("2026-03-01T18:00", "02-28", None),
        ("2026-03-01T18:00", "03-01", "2026-03-01T18:00"),
        ("2025-06-01", "01-01", "2026-01-01"),
        ("9999-12-31", "12-31", None),
    ],
)
def test_on_a_day(date: str, until: str, since: str | None) -> None:
    made = game({"after": {"date": date}, "becomes": "repealed"})
    assert due(made, until) == ([f"204/0 {since}"] if since else [])


def test_a_day_that_was_over_when_the_rule_came_into_force() -> None:
    block = "provisions:\n  sunset: {after: {date: 2026-01-02}, becomes: repealed}"
    enact = f"## Enact Rule\n\n```yaml rule\n{block}\n```\n\nShort."
    made = game({**REPEALED, "after": {"circuits": "9"}}).proposal(
        301, "02-01", enact, effective=day("02-05")
    )
    assert (due(made, "02-04"), due(made)) == ([], ["301/0 2026-02-05"])
    made.act(
        "2026-02-05-rule-301",
        "02-05",
        "## Repeal Rule 301/0",
        cause="Rule 301",
        by="301",
        under=301,
        seq=1,
    )
    assert (made.told(), made.numbers()) == ([], ["201/0", "203/0", "204/0"])


# Whether


def test_unless_it_was_amended() -> None:
    sunset = {**REPEALED, "unless": "amended"}
    kept = "provisions:\n  sunset: {after: {circuits: 1}, unless: amended, becomes: repealed}"
    assert due(game(sunset, turns=4)) == ["204/0 2026-01-05"]
    assert due(game(sunset, turns=4).proposal(301, "01-03", amend("Other.", kept))) == []
    # The same text once more is an amendment, and it may come after the rule was due.
    assert due(game(sunset, turns=4).proposal(301, "01-20", amend("The text of 204.", kept))) == []
    # A title is none, nor are marks; nor does it matter where the rule does not say so.
    assert due(game(sunset, turns=4).proposal(301, "01-03", "## Retitle Rule 204/0: Dusk")) == [
        "204/0 2026-01-05"
    ]
    marked = "## Mark Rule 204/0\n\n```yaml rule\nnote: It will not last.\n```"
    assert due(game(sunset, turns=4).proposal(301, "01-03", marked)) == ["204/0 2026-01-05"]
    without = kept.replace("unless: amended, ", "")
    assert due(game(REPEALED, turns=4).proposal(301, "01-03", amend("Other.", without))) == [
        "204/1 2026-01-05"
    ]
    # What was amended before the sunset came to it is not amended since.
    late = game(REPEALED, turns=8).proposal(301, "01-06", amend("Other.", kept), turn="R2T1")
    assert due(late) == ["204/1 2026-01-09"]


def test_a_sunset_that_is_amended_begins_anew() -> None:
    two = "provisions:\n  sunset: {after: {circuits: 2}, becomes: repealed}"
    made = game(REPEALED, turns=4).proposal(301, "01-05", amend("Other.", two), turn="R1T4")
    assert due(made) == []
    for index, player in enumerate(PLAYERS, 6):
        made.turn(f"R2T{index - 5}", player, f"01-{index:02}", f"01-{index:02}")
    assert due(made) == ["204/1 2026-01-09"]
    assert due(game(REPEALED, turns=4).proposal(301, "01-20", amend("Other.", two))) == []
    gone = game(REPEALED, turns=4).proposal(301, "01-20", amend("Other.", "provisions: {}"))
    missed = (
        "decided on 2026-01-20; Rule 204/0 should have changed by itself on 2026-01-05 (Rule 204)"
    )
    assert (due(gone), gone.told()) == ([], [f"sunset-missed proposals/301.md:7:10: {missed}"])
    assert due(game(REPEALED, turns=4).proposal(301, "01-03", "## Repeal Rule 204/0")) == []


def test_a_void_rule_does_nothing_by_itself() -> None:
    made = game(REPEALED, turns=4, r190=VOIDING)
    body = "Is it?\n\n## Ruling\n\nNo.\n\n## Mark Rule 204/0\n\n```yaml rule\nvoid: true\n```"
    made.judgement(1, "01-04", body, under=190)
    assert due(made) == []


def test_a_rule_is_the_same_under_another_number_and_in_another_tier() -> None:
    made = game(REPEALED, turns=4, r102={"numbering": {"transmuted": "keep"}})
    made.proposal(301, "01-03", "## Renumber Rule 204/0 to 301", turn="R1T2")
    made.proposal(302, "01-04", "## Transmute Rule 301/0 to immutable", turn="R1T3")
    assert due(made) == ["301/0 2026-01-05"]
    for number in ("204", "301"):
        acted = Ledger(dict(made.tree)).act(
            "one", "01-05", "## Repeal Rule 301/0", **{**ACT, "by": number, "under": 301}
        )
        assert (acted.told(), acted.numbers()) == ([], ["102/0*", "201/0", "203/0"])


# What it becomes


def test_what_a_rule_becomes() -> None:
    def after(said: Any) -> Any:
        made = game(
            {"after": {"circuits": "1"}, "becomes": said},
            {"cap": {"mutable": "9"}, **HALF},
            turns=4,
        )
        (one,) = made.play()[1].due
        return one.becomes

    both = {"cap": {"mutable": "9"}, **HALF}
    assert after("repealed") is None
    assert after({"text": "Later."}) == ("Later.", both)
    assert after({"provisions": {"floor": {"mutable": "1"}}}) == (
        "The text of 204.",
        {"floor": {"mutable": "1"}},
    )
    assert after({"text": "\n \nLater.  \n\n- on\n\t\n", "provisions": {}}) == (
        "Later.  \n\n- on",
        {},
    )


TEXT = {"after": {"circuits": "1"}, "becomes": {"text": "Later."}}
BOTH = {"after": {"circuits": "1"}, "becomes": {"text": "Later.", "provisions": HALF}}
WRONG = "sunset-wrong acts/one.md"


@pytest.mark.parametrize(
    ("sunset", "more", "body", "told"),
    [
        (REPEALED, None, "## Repeal Rule 204/0", None),
        (
            REPEALED,
            None,
            amend("Later."),
            "9:1: it does something else: by its `sunset` Rule 204/0 is repealed, and nothing more",
        ),
        (
            REPEALED,
            None,
            f"## Repeal Rule 204/0\n\n{NEW}",
            "9:1: it does something else: by its `sunset` Rule 204/0 is repealed, and nothing more",
        ),
        (TEXT, None, amend("Later.", "provisions: {}"), None),
        (
            TEXT,
            None,
            "## Repeal Rule 204/0",
            "9:1: it does something else: by its `sunset` Rule 204/0 is amended, and nothing more",
        ),
        (TEXT, None, amend("Now.", "provisions: {}"), "the text"),
        # What an amendment leaves unsaid it keeps: here it would keep the sunset.
        (TEXT, None, amend("Later."), "the provisions"),
        (TEXT, HALF, amend("Later.", HALF_YAML), None),
        (TEXT, HALF, amend("Later.", "provisions: {}"), "the provisions"),
        (BOTH, None, amend("Later.", HALF_YAML), None),
        (BOTH, None, amend("Later.", "provisions:\n  adoption:\n    needs: majority"), None),
        (
            BOTH,
            None,
            amend("Later.", HALF_YAML.replace("majority", "two-thirds")),
            "the provisions",
        ),
        (BOTH, None, amend("Later.", f"{HALF_YAML}\n  cap: {{mutable: 3}}"), "the provisions"),
    ],
)
def test_an_act_of_a_rule_does_what_its_sunset_says(
    sunset: Any, more: Any, body: str, told: str | None
) -> None:
    made = game(sunset, more, turns=4).act("one", "01-05", body, **ACT)
    if told is not None and told.startswith("the"):
        these = "these are not" if told.endswith("s") else "this is not"
        told = f"9:1: {these} {told} that Rule 204/0 is to have by its sunset"
    wrong = [one for one in made.told() if one.startswith("sunset-wrong")]
    assert wrong == ([f"{WRONG}:{told} (Rule 204)"] if told else [])
    if told is None:
        assert made.told() == []


@pytest.mark.parametrize("on", ["01-04", "01-01"])
def test_an_act_before_its_time(on: str) -> None:
    made = game(REPEALED, turns=4).act("one", on, "## Repeal Rule 204/0", **ACT)
    assert made.told() == [
        "sunset-wrong acts/one.md:5:8: Rule 204/0 does not change by itself yet (Rule 204)"
    ]
    amended = game({**REPEALED, "unless": "amended"}, turns=4)
    kept = "provisions:\n  sunset: {after: {circuits: 1}, unless: amended, becomes: repealed}"
    amended.proposal(301, "01-03", amend("Other.", kept)).act(
        "one", "01-05", "## Repeal Rule 204/1", **ACT
    )
    assert [one.split()[0] for one in amended.told()] == ["sunset-wrong"]


def test_an_act_of_the_hour_of_its_day() -> None:
    made = game({"after": {"date": "2026-03-01T18:00"}, "becomes": "repealed"})
    for on, told in (
        ("03-01", []),
        ("2026-03-01T18:00", []),
        ("2026-03-01T17:59", ["sunset-wrong"]),
    ):
        acted = Ledger(dict(made.tree)).act("one", on, "## Repeal Rule 204/0", **ACT)
        assert [one.split()[0] for one in acted.told()] == told


def test_a_rule_without_a_sunset_needs_authority_to_act() -> None:
    made = game(REPEALED, turns=4).act(
        "one", "01-05", "## Repeal Rule 203/0", **{**ACT, "by": "203", "under": 203}
    )
    assert [one.split()[0] for one in made.told()] == ["authority-missing", "deadline-missed"]


def test_an_act_that_lies_in_the_future_is_not_judged_yet() -> None:
    made = game(REPEALED).act("one", "03-05", "## Repeal Rule 204/0", **ACT)
    assert made.slugs("02-01") == ["date-future"]
    assert made.slugs("03-05") == ["sunset-wrong"]


# In time


def test_what_was_decided_after_a_rule_was_due() -> None:
    made = game(REPEALED, turns=4)
    made.proposal(301, "01-05", NEW)
    assert [one.split()[0] for one in made.told()] == ["deadline-missed"]
    made.proposal(302, "01-05", NEW, decided=day("01-06"), status="defeated", votes="aaaa")
    made.proposal(303, "01-07", NEW)
    missed = "should have changed by itself on 2026-01-05 (Rule 204)"
    assert made.told() == [
        f"sunset-missed proposals/302.md:7:10: decided on 2026-01-06; Rule 204/0 {missed}",
        "deadline-missed rules/204.md:1:1: Rule 204/0 should have changed by itself on "
        "2026-01-05 (Rule 204)",
    ]
    carried = made.act("one", "01-05", "## Repeal Rule 204/0", **ACT)
    assert carried.told() == []
    # Before the act, with it, and only then what came later.
    assert [step.instrument.path for step in carried.play()[1].steps] == [
        "proposals/301.md",
        "acts/one.md",
        "proposals/303.md",
    ]


@pytest.mark.parametrize("seq", [0, 1])
def test_an_act_that_comes_late_is_in_time_if_nothing_was_decided_meanwhile(seq: int) -> None:
    made = game(REPEALED, turns=4).act(
        "one", "02-01", "## Repeal Rule 204/0", **{**ACT, "seq": seq}
    )
    assert made.proposal(301, "02-02", NEW).told() == []
    assert [one.split()[0] for one in made.proposal(301, "01-20", NEW).told()] == ["sunset-missed"]


def test_withdrawn_votes_and_points_miss_nothing_and_judgements_and_acts_that_change_rules_do() -> (
    None
):
    made = game(REPEALED, turns=4, r308={"authority": {"by": "act", "to": ["enact"]}})
    made.proposal(301, "01-06", NEW, status="withdrawn", decided=day("01-06"))
    made.act("prize", "01-07", "", points=[{"player": "wren", "amount": 1, "reason": "Wit"}])
    made.act("fix", "01-07", "## Amend Rule 203/0\n\nThe text of 203.", cause="correction")
    made.judgement(1, "01-07", "Is it?\n\n## Ruling\n\nYes.")
    assert [one.split()[0] for one in made.told()] == ["deadline-missed"]
    made.act("two", "01-08", "## Enact Rule 601\n\nA fair.", under=308)
    assert [one.partition(":")[0] for one in made.told()] == [
        "sunset-missed acts/two.md",
        "deadline-missed rules/204.md",
    ]


def test_two_rules_of_one_day() -> None:
    made = game(REPEALED, turns=4, r205={"sunset": REPEALED})
    assert due(made) == ["204/0 2026-01-05", "205/0 2026-01-05"]
    made.act("one", "01-05", "## Repeal Rule 204/0", **ACT)
    assert due(made) == ["205/0 2026-01-05"]
    made.act(
        "two",
        "01-05",
        "## Repeal Rule 205/0",
        **{**ACT, "cause": "Rule 205", "by": "205", "under": 205, "seq": 2},
    )
    assert (made.told(), made.numbers()) == ([], ["201/0", "203/0"])


def test_what_a_rule_became_is_law_at_once() -> None:
    made = game(BOTH, {"adoption": {"needs": "unanimous"}}, turns=4)
    del made.tree["rules/initial/203.md"]
    made.proposal(301, "01-04", NEW, "fffa", turn="R1T3")
    assert [one.split()[0] for one in made.told()] == ["votes-few", "deadline-missed"]
    made.act("one", "01-05", amend("Later.", HALF_YAML), **ACT)
    made.proposal(301, "01-06", NEW, "fffa")
    assert made.told() == []


# Odd files


@pytest.mark.parametrize("by", ["٢٠٤", "0204", "9" * 5000, "204 ", "²", "-204", "wren", "204"])
def test_who_an_act_is_by_licenses_nothing(by: str) -> None:
    made = game(REPEALED, turns=4).act("one", "01-05", "## Repeal Rule 204/0", **{**ACT, "by": by})
    assert {one.split()[0] for one in made.told()} <= {"reference-unknown"}
    made.act("one", "01-05", "## Repeal Rule 203/0", **{**ACT, "by": by})
    assert "authority-missing" in {one.split()[0] for one in made.told()}


@pytest.mark.parametrize("path", ["players/wren.yml", "turns/R1T2.yml", "proposals/301.md"])
def test_what_could_not_be_read_may_have_been_what_matters(path: str) -> None:
    made = game(REPEALED, turns=4).act("one", "01-03", "## Repeal Rule 204/0", **ACT)
    assert [one.split()[0] for one in made.told()] == ["sunset-wrong"]
    assert {one.split()[0] for one in made.file(path, "---\nname: [\n---\n").told()} == {
        "yaml-syntax"
    }


WORDS = st.lists(
    st.sampled_from(
        [
            "Later.",
            "",
            "  ",
            "- a list",
            "    code",
            "Text  ",
            "```\n## In a fence\n```",
            "### Part",
            "\t",
        ]
    ),
    max_size=6,
)
SAID = st.one_of(
    st.just("repealed"),
    st.builds(
        lambda words, provisions: {"text": "\n".join(["Then:", *words]), **provisions},
        WORDS,
        st.sampled_from(
            [
                {},
                {"provisions": {}},
                {"provisions": HALF},
                {"provisions": {"sunset": {**REPEALED, "after": {"turns": "2"}}}},
            ]
        ),
    ),
    st.sampled_from([{"provisions": {}}, {"provisions": HALF}]),
)
AFTER = st.sampled_from(
    [{"circuits": "1"}, {"turns": "3"}, {"date": "2026-01-03"}, {"date": "2026-01-03T12:00"}]
)


@settings(max_examples=examples(0.4), deadline=None)
@given(SAID, AFTER, st.booleans())
def test_the_act_that_advance_writes_is_the_right_one(
    said: Any, after: dict[str, str], more: bool
) -> None:
    made = game(
        {"after": after, "becomes": said}, {"cap": {"mutable": "9"}} if more else None, turns=4
    ).applied()
    loaded = load_tree(Path(), made.tree, day("01-09"))
    assert [one.slug for one in loaded.findings] == ["deadline-missed"]
    after_all = advance(loaded, day("01-09"))
    assert after_all.after.findings == ()
    assert after_all.after.replay.due == ()
