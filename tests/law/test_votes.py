"""Votes under the law of their day: electorates, thresholds, precedence."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicgen.law.precedence import Law
from nomicgen.law.provisions.ballot import Ballot
from nomicgen.law.provisions.cap import Cap
from nomicgen.law.reading import parse_provisions
from nomicgen.law.sentences import sentences
from nomicgen.law.voting.tally import Condition
from tests.ledger import UNANIMOUS, VOIDING, Ledger, day

TIERS = ("immutable", "mutable")


def outcome(
    adoption: Any, votes: str, body: str = "## Enact Rule\n\nNew.", **rules: Any
) -> tuple[bool | None, list[str]]:
    """Whether a vote adopts, and the slugs of the findings when the proposal's status agrees."""
    made = Ledger.start(
        {203: {"adoption": adoption}, **{int(one[1:]): said for one, said in rules.items()}}
    )
    made.proposal(301, "02-01", body, votes)
    adopted = made.play()[1].tallies["proposals/301.md"].adopted
    agreed = Ledger(dict(made.tree)).proposal(
        301, "02-01", body, votes, "adopted" if adopted else "defeated"
    )
    return adopted, agreed.slugs()


@pytest.mark.parametrize(
    ("adoption", "votes", "adopted"),
    [
        ({"needs": "unanimous", "of": "eligible"}, "ffff", True),
        ({"needs": "unanimous", "of": "eligible"}, "fff.", False),
        ({"needs": "unanimous", "of": "cast"}, "fff.", True),
        ({"needs": "unanimous", "of": "cast"}, "....", False),
        ({"needs": "majority", "of": "eligible"}, "ff..", False),
        ({"needs": "majority", "of": "eligible"}, "fffa", True),
        ({"needs": "majority", "of": "cast"}, "f---", True),
        ({"needs": "two-thirds", "of": "cast"}, "ffa.", True),
        ({"needs": "two-thirds", "of": "eligible"}, "ffaa", False),
        ({"needs": {"more_than": "50%"}, "of": "eligible"}, "ffaa", False),
        ({"needs": {"at_least": "50%"}, "of": "eligible"}, "ffaa", True),
        ({"needs": {"at_least": "3"}}, "fff.", True),
        ({"needs": {"at_least": "3"}}, "ff..", False),
        (
            {"needs": "majority", "of": "cast", "and": {"more_than": "1/4", "of": "players"}},
            "f...",
            False,
        ),
        (
            {"needs": "majority", "of": "cast", "and": {"at_least": "1/4", "of": "players"}},
            "f...",
            True,
        ),
    ],
)
def test_thresholds(adoption: Any, votes: str, adopted: bool) -> None:
    assert outcome(adoption, votes) == (adopted, [])


def test_a_status_must_agree_with_the_votes() -> None:
    made = Ledger.start({203: UNANIMOUS}).proposal(301, "02-01", "## Enact Rule\n\nNew.", "fffa")
    (found,) = made.applied().findings()
    assert (found.slug, found.rule, str(found.span)) == ("votes-few", 203, "proposals/301.md:5:9")
    assert found.message == "adopted with too few votes: 3 for; all eligible voters (4): 4 needed"
    made = Ledger.start({203: UNANIMOUS}).proposal(
        301, "02-01", "## Enact Rule\n\nNew.", "ffff", "defeated"
    )
    assert made.slugs() == ["votes-enough"]


def test_a_transmutation_has_a_finding_of_its_own() -> None:
    rules: dict[int, Any] = {
        109: {"adoption": {"needs": "unanimous", "to": ["transmute"], "over": ["203"]}},
        110: {},
        203: {"adoption": {"needs": "majority"}},
    }
    made = Ledger.start(rules).proposal(301, "02-01", "## Transmute Rule 110/0 to mutable", "fffa")
    assert made.slugs() == ["transmutation-votes"]
    assert Ledger.start(rules).proposal(301, "02-01", "## Enact Rule\n\nNew.", "fffa").slugs() == []


def test_all_matching_conditions_must_be_met_but_those_that_another_goes_over() -> None:
    both: dict[str, Any] = {"r204": {"adoption": {"needs": {"at_least": "4"}, "to": "enact"}}}
    assert outcome({"needs": "majority"}, "fffa", **both) == (False, [])
    over: dict[str, Any] = {
        "r204": {"adoption": {"needs": {"at_least": "1"}, "to": "enact", "over": "203"}}
    }
    assert outcome({"needs": "majority"}, "faaa", **over) == (True, [])


def test_adoption_by_tier() -> None:
    said = [{"needs": "unanimous", "into": "immutable"}, {"needs": "majority", "into": "mutable"}]
    block = "```yaml rule\nmutability: immutable\n```\n\n"
    assert outcome(said, "fffa") == (True, [])
    assert outcome(said, "fffa", f"## Enact Rule\n\n{block}New.") == (False, [])
    made = Ledger.start({202: {}, 203: {"adoption": said}}).proposal(
        301, "02-01", "## Repeal Rule 202/0"
    )
    assert made.slugs() == ["adoption-missing"]


def test_entrenchment() -> None:
    rules: dict[int, Any] = {103: {"entrenchment": {"immutable": ["transmute"]}}, 203: UNANIMOUS}
    for body in ("## Amend Rule 103/0\n\nNo.", "## Repeal Rule 103/0"):
        made = Ledger.start(rules).proposal(301, "02-01", body)
        (found,) = made.applied().findings()
        assert (found.slug, found.rule) == ("tier-protected", 103)
        assert found.help == "transmute it first (`## Transmute Rule 103/0 to mutable`)"
    enact = "## Enact Rule\n\n```yaml rule\nmutability: immutable\n```\n\nForever."
    assert Ledger.start(rules).proposal(301, "02-01", enact).slugs() == ["tier-protected"]
    assert (
        Ledger.start(rules).proposal(301, "02-01", "## Transmute Rule 103/0 to mutable").slugs()
        == []
    )


def test_everyone_votes() -> None:
    rules: dict[int, Any] = {
        105: {"ballot": {"everyone_votes": "true"}},
        203: {"adoption": {"needs": "majority"}},
    }
    (found,) = (
        Ledger.start(rules)
        .proposal(301, "02-01", "## Enact Rule\n\nNew.", "fff.")
        .applied()
        .findings()
    )
    assert (found.slug, found.rule) == ("vote-missing", 105)
    assert found.message == "adopted without the votes of wren; Rule 105 demands every vote"


def test_who_may_vote() -> None:
    rules: dict[int, Any] = {
        105: {"ballot": {"electorate": "active"}},
        203: {"adoption": {"needs": "majority"}},
    }

    def made(**matter: Any) -> Ledger:
        return (
            Ledger.start(rules)
            .player("wren", **matter)
            .proposal(301, "02-01", "## Enact Rule\n\nNew.", "fffa")
        )

    assert made().slugs() == []
    assert made(joined=day("02-02")).slugs() == ["voter-unknown"]
    assert made(left=day("01-31")).slugs() == ["voter-unknown"]
    assert made(left=day("02-01")).slugs() == []  # they voted, so they left after that
    assert made(inactive=[{"since": day("01-15")}]).slugs() == ["voter-unknown"]
    assert made(inactive=[{"since": day("01-15"), "until": day("02-01")}]).slugs() == []
    gone = made()
    del gone.tree["players/wren.yml"]
    assert sorted(set(gone.slugs())) == ["reference-unknown", "voter-unknown"]


def test_unrecorded_votes_are_not_judged() -> None:
    made = Ledger.start({203: UNANIMOUS}).proposal(
        301, "02-01", "## Enact Rule\n\nNew.", votes="...."
    )
    text = made.tree["proposals/301.md"].decode().replace("votes: {}\n", "votes: unrecorded\n")
    assert "votes: unrecorded" in text
    assert made.file("proposals/301.md", text).slugs() == ["votes-unrecorded"]


def law(**rules: Any) -> Law:
    made = Ledger.start({int(one[1:]): said for one, said in rules.items()})
    records, played = made.play()
    return Law.of(played.initial, records.settings, None)


def test_precedence_is_tier_then_number_then_what_rules_say_of_each_other() -> None:
    def winner(**rules: Any) -> tuple[int, int]:
        said = law(**rules).of_tier(Cap, "mutable")
        assert said is not None
        return said.value, said.rule

    five, six = {"cap": {"mutable": "5"}}, {"cap": {"mutable": "6"}}
    assert winner(r202=six, r201=five) == (5, 201)
    assert winner(r102=six, r201=five) == (6, 102)
    assert winner(r202={"cap": {"mutable": "6", "over": "201"}}, r201=five) == (6, 202)
    assert winner(r202=six, r101={"cap": {"mutable": "5", "under": ["202"]}}) == (6, 202)
    mutual = {"cap": {"mutable": "6", "over": "201"}}, {"cap": {"mutable": "5", "over": "202"}}
    assert winner(r202=mutual[0], r201=mutual[1]) == (5, 201)


def test_precedence_is_settled_field_by_field() -> None:
    found = law(
        r105={"ballot": {"electorate": "active"}},
        r201={"ballot": {"electorate": "players", "debate": "2"}},
    )
    electorate, debate = found.says(Ballot.electorate), found.says(Ballot.debate)
    assert electorate is not None
    assert debate is not None
    assert (electorate.value, electorate.rule, debate.value, debate.rule) == ("active", 105, 2, 201)


@given(st.integers(0, 4), st.integers(0, 4), st.fractions(0, Fraction(10**9 - 1, 10**9)))
def test_the_arithmetic_is_exact(for_: int, against: int, share: Any) -> None:
    votes = ("f" * for_ + "a" * against + "....")[:4]
    made = Ledger.start(
        {203: {"adoption": {"needs": {"more_than": f"{share.numerator}/{share.denominator}"}}}}
    )
    made.proposal(301, "02-01", "## Enact Rule\n\nNew.", votes)
    if share.denominator >= 10**9:
        return
    (condition,) = made.play()[1].tallies["proposals/301.md"].conditions
    assert isinstance(condition, Condition)
    assert condition.met == (votes.count("f") > 4 * share)


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (
            {
                "adoption": {
                    "needs": "majority",
                    "of": "eligible",
                    "and": {"more_than": "15%", "of": "players"},
                }
            },
            "Rule-changes need the votes of more than half of eligible voters, and of more than "
            "15% of all players.",
        ),
        ({"entrenchment": {"immutable": ["transmute"]}}, "Immutable rules may only be transmuted."),
        ({"cap": {"mutable": "25"}}, "There may be at most 25 mutable rules."),
        (
            {"points": {"on": "defeated", "to": "author", "amount": "-10"}},
            "When a proposal is defeated, its author loses 10 points.",
        ),
        (
            {"adoption": {"needs": "unanimous", "to": ["transmute"], "over": ["203"]}},
            "Transmutations need the votes of all eligible voters. It goes before what Rule 203 "
            "says about this.",
        ),
    ],
)
def test_the_sentence_of_a_provision(raw: Any, said: str) -> None:
    provisions, problems = parse_provisions(raw, TIERS)
    assert (sentences(provisions), problems) == ((said,), ())


@pytest.mark.parametrize(
    ("raw", "path", "message"),
    [
        ({"cap": "25"}, ("cap",), "should be a table of keys"),
        (
            {"cap": {"constitutional": "3"}},
            ("cap", "constitutional"),
            "constitutional is no tier of this game",
        ),
        (
            {"adoption": {"needs": "most"}},
            ("adoption", "needs"),
            "should be unanimous, majority or two-thirds",
        ),
        (
            {"adoption": {"needs": {"more_than": "1.5"}}},
            ("adoption", "needs", "more_than"),
            "should be an exact number",
        ),
        ({"effect": "later"}, ("effect", "when"), "should be at-once or next-turn"),
        (
            {"numbering": {"frist": "301"}},
            ("numbering", "frist"),
            "is a key that this provision does not have",
        ),
    ],
)
def test_provisions_that_do_not_fit(raw: Any, path: tuple[str, ...], message: str) -> None:
    provisions, (problem,) = parse_provisions(raw, TIERS)
    assert not provisions
    assert (problem.path, problem.message[: len(message)]) == (path, message)


def test_who_left_while_a_vote_was_open_voted_lawfully_and_does_not_count() -> None:
    made = Ledger.start({203: UNANIMOUS}).player("wren", left=day("02-03"))
    made.proposal(301, "02-01", "## Enact Rule\n\nNew.", "fffa", decided=day("02-05"))
    assert made.slugs() == []
    tally = made.play()[1].tallies["proposals/301.md"]
    assert (tally.for_, tally.against, tally.eligible) == (
        ("osprey", "quill", "tallow"),
        (),
        ("osprey", "quill", "tallow"),
    )


def test_no_over_reaches_a_more_entrenched_tier() -> None:
    rules: dict[int, Any] = {
        103: {"entrenchment": {"immutable": ["transmute"]}},
        109: {"adoption": {"needs": "unanimous", "to": "transmute"}},
        203: {"adoption": {"needs": "majority"}},
        204: {
            "entrenchment": {"immutable": ["enact", "amend", "repeal", "transmute"], "over": "103"}
        },
        205: {"adoption": {"needs": {"at_least": "1"}, "over": ["109", "203"]}},
    }
    amended = Ledger.start(rules).proposal(301, "02-01", "## Amend Rule 103/0\n\nOpen.")
    assert amended.slugs() == ["tier-protected"]
    transmuted = Ledger.start(rules).proposal(
        301, "02-01", "## Transmute Rule 103/0 to mutable", "faaa"
    )
    assert transmuted.slugs() == ["transmutation-votes"]
    enacted = Ledger.start(rules).proposal(301, "02-01", "## Enact Rule\n\nNew.", "faaa")
    assert enacted.slugs() == []


def test_mutual_claims_cancel_out() -> None:
    rules: dict[int, Any] = {
        203: {"adoption": {"needs": "majority", "over": "204"}},
        204: {"adoption": {"needs": {"at_least": "1"}, "over": "203"}},
    }
    assert Ledger.start(rules).proposal(301, "02-01", "## Enact Rule\n\nNew.", "faaa").slugs() == [
        "votes-few"
    ]


def test_records_that_have_begun_have_no_holes() -> None:
    made = Ledger.start({203: UNANIMOUS}).proposal(301, "02-01", "## Enact Rule\n\nNew.")
    made.proposal(302, "02-02", "## Enact Rule\n\nMore.", votes="....")
    text = made.tree["proposals/302.md"].decode().replace("votes: {}\n", "votes: unrecorded\n")
    assert made.file("proposals/302.md", text).slugs() == ["status-incomplete", "votes-unrecorded"]


def test_what_was_voted_on_is_not_lost() -> None:
    body = "## Enact Rule\n\n```yaml rule\ntext: lost\n```"
    assert Ledger.start({203: UNANIMOUS}).proposal(301, "02-01", body).slugs() == [
        "status-incomplete",
        "text-lost",
    ]


def test_a_judgement_that_changes_rules_has_a_day_and_a_judge() -> None:
    made = Ledger.start({203: {**UNANIMOUS, **VOIDING}, 204: {}})
    body = "## Ruling\n\nIt is void.\n\n## Mark Rule 204/0\n\n```yaml rule\nvoid: true\n```"
    text = "---\nnumber: 1\nstatus: upheld\nunder: 203\n---\n\n" + body + "\n"
    assert made.file("judgements/1.md", text).slugs() == ["status-incomplete", "status-incomplete"]


def test_an_initial_set_keeps_its_own_cap() -> None:
    made = Ledger.start({203: {**UNANIMOUS, "cap": {"mutable": "1"}}, 204: {}})
    (found,) = made.applied().findings()
    assert (found.slug, found.rule, found.span.file) == (
        "cap-exceeded",
        203,
        "rules/initial/203.md",
    )


def test_a_number_is_not_chosen_by_renumbering() -> None:
    numbering = {"numbering": {"amended": "proposal"}}
    made = Ledger.start({101: numbering, 203: UNANIMOUS}).proposal(
        301, "02-01", "## Renumber Rule 203/0 to 1"
    )
    (found,) = made.applied().findings()
    assert (found.slug, found.rule, found.help) == (
        "number-wrong",
        101,
        "write `## Renumber Rule 203/0 to 301`",
    )


def test_a_vote_that_opens_in_the_future() -> None:
    made = Ledger.start({203: UNANIMOUS}).proposal(
        301, "12-01", "## Enact Rule\n\nNew.", votes="....", status="open", date=day("11-01")
    )
    assert made.slugs("11-01") == ["date-future"]
    assert made.slugs("12-02") == []
