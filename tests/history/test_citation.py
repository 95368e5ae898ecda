"""What a citation says, and what it stands for."""

from __future__ import annotations

import re
from unittest.mock import patch

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nomicgen.history import references as module
from nomicgen.history.citations import (
    Citation,
    Resolved,
    RevisionPeriod,
    Unresolved,
    parse_citation,
    resolve_citation,
    revision_periods,
)
from nomicgen.history.game_history import GameHistory
from nomicgen.history.outdated_citations import outdated_citations
from nomicgen.history.references import references
from nomicgen.model.values import RuleRef
from tests.deep import examples
from tests.games import legal_games
from tests.ledger import UNANIMOUS, Ledger, day
from tests.rulesets import history_of_tree

ANY = {"numbering": {"changes": "any", "amended": "keep"}}
SUBER = {"numbering": {"first": "301", "enacted": "proposal", "amended": "proposal"}}


def renumbered() -> Ledger:
    """203 becomes 301 as it is amended, is amended again as 303, and is repealed."""
    made = Ledger.start({101: SUBER, 203: UNANIMOUS, 205: {}})
    made.proposal(301, "02-01", "## Amend Rule 203/0\n\nOne bell.", title="A bell")
    made.proposal(302, "02-05", "## Enact Rule: Tea\n\nThere is tea.")
    made.proposal(303, "02-09", "## Amend Rule 301/1\n\nTwo bells.")
    return made


def given_again() -> Ledger:
    """203 is repealed, and its number is given to another rule."""
    made = Ledger.start({101: {}, 202: {}, 203: UNANIMOUS, 204: {}})
    made.proposal(301, "02-01", "## Repeal Rule 202/0")
    made.proposal(302, "02-03", "## Renumber Rule 204/0 to 202")
    made.proposal(303, "02-07", "## Amend Rule 202/0\n\nA new text.")
    return made


def found(game_history: GameHistory, text: str) -> Resolved:
    citation = resolve_citation(game_history, parse_citation(text))
    assert isinstance(citation, Resolved), citation
    return citation


def revision(made: Ledger, text: str, until: str = "2026-12-31") -> str:
    """What a citation of a rule stands for: `203/0, 2026-01-01 to 2026-02-01`, and the note."""
    one = found(history_of_tree(made.tree, until), text)
    return f"{one.revision.rule.ref}, {one.revision.span}{f' ({one.note})' if one.note else ''}"


def refused(made: Ledger, text: str, until: str = "2026-12-31") -> list[str]:
    one = resolve_citation(history_of_tree(made.tree, until), parse_citation(text))
    assert isinstance(one, Unresolved), one
    return [one.message, *one.remedy.split("\n  ")]


@pytest.mark.parametrize(
    "text", ["203/1", "R203/1", "r203/1", "Rule 203/1", " rule  203/1 ", "R 203/1", "Rule #203/1"]
)
def test_a_revision_is_cited_in_many_ways(text: str) -> None:
    assert parse_citation(text) == Citation(rule=RuleRef(203, 1))
    dated = Citation(rule=RuleRef(203, 1), on=day("2020-07-27"))
    assert (
        parse_citation(f"{text.rstrip()}@2020-07-27")
        == parse_citation(f"{text} @ 2020-07-27")
        == dated
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("203", Citation(rule=RuleRef(203))),
        ("203@2020-07-27", Citation(rule=RuleRef(203), on=day("2020-07-27"))),
    ],
)
def test_forms(text: str, expected: Citation) -> None:
    assert parse_citation(text) == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a citation is such as 203"),
        ("P329", "a citation is such as 203"),
        ("203@２０２０-02-03", "should be a date such as"),
        ("203@yesterday", "should be a date such as"),
        ("203@2020-02-30", "2020-02-30 is not in the calendar"),
        ("203@2020-02-03T10:00", "is cited by the day, without a time"),
    ],
)
def test_what_is_none(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        parse_citation(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("303", "303/2, since 2026-02-09"),
        ("203", "303/2, since 2026-02-09 (Rule 203 is Rule 303 now)"),
        ("301", "303/2, since 2026-02-09 (Rule 301 is Rule 303 now)"),
        ("203/0", "203/0, 2026-01-01 to 2026-02-01 (Rule 203 is Rule 303 now)"),
        ("301/1", "301/1, 2026-02-01 to 2026-02-09 (Rule 301 is Rule 303 now)"),
        # It is one rule, and R counts on: whoever cites 203/1 means what was 301/1.
        ("203/1", "301/1, 2026-02-01 to 2026-02-09 (Rule 203 is Rule 303 now)"),
        ("303/1", "301/1, 2026-02-01 to 2026-02-09 (Rule 303 is the same rule as Rule 301)"),
        ("203@2026-01-31", "203/0, 2026-01-01 to 2026-02-01 (Rule 203 is Rule 303 now)"),
        ("203@2026-02-01", "301/1, 2026-02-01 to 2026-02-09 (Rule 203 is Rule 303 now)"),
        ("203@2026-02-08", "301/1, 2026-02-01 to 2026-02-09 (Rule 203 is Rule 303 now)"),
        ("203/0@2026-01-01", "203/0, 2026-01-01 to 2026-02-01 (Rule 203 is Rule 303 now)"),
        ("303/2@2026-12-31", "303/2, since 2026-02-09"),
    ],
)
def test_old_numbers_resolve(text: str, expected: str) -> None:
    assert revision(renumbered(), text) == expected


def test_a_rule_that_was_repealed_has_its_last_text() -> None:
    made = renumbered().proposal(304, "02-12", "## Repeal Rule 303/2")
    assert revision(made, "203") == (
        "303/2, 2026-02-09 to 2026-02-12 (Rule 203 is the same rule as Rule 303)"
    )
    assert refused(made, "303@2026-03-01") == [
        "there was no Rule 303 on 2026-03-01",
        "one of these:",
        "nomicgen rule cite R303/2@2026-02-09   Rule 303/2, 2026-02-09 to 2026-02-12",
    ]


def test_what_was_not_in_force_says_when_it_was() -> None:
    assert refused(renumbered(), "203/0@2026-02-03") == [
        "Rule 203/0 was not in force on 2026-02-03: it stood 2026-01-01 to 2026-02-01",
        "one of these:",
        "nomicgen rule cite R203/0@2026-01-01   Rule 203/0, 2026-01-01 to 2026-02-01",
        "nomicgen rule cite R301/1@2026-02-01   Rule 301/1, 2026-02-01 to 2026-02-09",
    ]
    assert refused(renumbered(), "302@2026-02-04") == [
        "there was no Rule 302 on 2026-02-04",
        "one of these:",
        "nomicgen rule cite R302/0@2026-02-05   Rule 302/0: Tea, since 2026-02-05",
    ]
    # The rule that bears the number had another on that day.
    assert refused(renumbered(), "303@2026-01-05")[2:] == [
        "nomicgen rule cite R203/0@2026-01-01   Rule 203/0, 2026-01-01 to 2026-02-01",
        "nomicgen rule cite R303/2@2026-02-09   Rule 303/2, since 2026-02-09",
    ]


def test_what_never_was() -> None:
    assert refused(renumbered(), "999") == [
        "there never was a Rule 999",
        "`nomicgen status --rules` lists the rules",
    ]
    assert refused(renumbered(), "203/9") == [
        "there never was a Rule 203/9",
        "revisions: 203/0, 301/1, 303/2",
    ]
    assert refused(renumbered(), "203@2025-12-31") == [
        "the game began on 2026-01-01",
        "nomicgen rule cite 203@2026-01-01",
    ]
    assert refused(renumbered(), "203/0@2027-01-01") == [
        "nobody knows the law of 2027-01-01 yet",
        "nomicgen rule cite 203/0",
    ]


def test_a_number_that_several_rules_bore_is_ambiguous() -> None:
    made = given_again()
    assert refused(made, "Rule 202") == [
        "Rule 202 may be one of 2",
        "one of these:",
        "nomicgen rule cite R202/0@2026-01-01   Rule 202/0, 2026-01-01 to 2026-02-01",
        "nomicgen rule cite R202/1@2026-02-07   Rule 202/1, since 2026-02-07",
    ]
    assert refused(made, "202/0") == [
        "Rule 202/0 may be one of 2",
        "one of these:",
        "nomicgen rule cite R202/0@2026-01-01   Rule 202/0, 2026-01-01 to 2026-02-01",
        "nomicgen rule cite R202/0@2026-02-03   Rule 202/0, 2026-02-03 to 2026-02-07",
    ]
    assert revision(made, "202/1") == "202/1, since 2026-02-07"
    texts = {
        text: found(history_of_tree(made.tree, "2026-12-31"), text).revision.rule.text
        for text in ("202@2026-01-31", "202@2026-02-03", "202/0@2026-01-01", "202/0@2026-02-06")
    }
    assert texts == {
        "202@2026-01-31": "The text of 202.",
        "202@2026-02-03": "The text of 204.",
        "202/0@2026-01-01": "The text of 202.",
        "202/0@2026-02-06": "The text of 204.",
    }


def test_a_revision_that_stood_for_a_part_of_a_day_can_be_cited() -> None:
    made = Ledger.start({101: ANY, 202: {}, 203: UNANIMOUS})
    made.proposal(301, "02-01", "## Amend Rule 202/0\n\nOnce.\n\n## Amend Rule 202/0\n\nTwice.")
    assert revision(made, "202/1@2026-02-01") == "202/1, 2026-02-01 to 2026-02-01"
    assert revision(made, "202@2026-02-01") == "202/2, since 2026-02-01"
    assert refused(made, "202/0@2026-02-01")[0].startswith(
        "Rule 202/0 was not in force on 2026-02-01: it stood "
    )


def test_without_days_a_citation_has_none() -> None:
    made = renumbered()
    made.tree["nomic.yml"] = b"format: 1\nname: Test\n"
    one = found(history_of_tree(made.tree, "2026-12-31"), "203/0")
    assert (one.revision.citation, one.revision.span) == ("R203/0", "the beginning to 2026-02-01")


def every(whole: GameHistory) -> list[RevisionPeriod]:
    return [one for history in whole.histories.rules.values() for one in revision_periods(history)]


@settings(deadline=None, max_examples=examples(0.25))
@given(legal_games())
def test_every_revision_is_found_by_its_own_citation_and_stands_on_its_days(made: Ledger) -> None:
    whole = history_of_tree(made.tree, "2026-12-31")
    standings = every(whole)
    assert {one.rule.number for one in standings if not one.ended} == {
        rule.number for rule in whole.replay.current
    }
    for one in standings:
        assert one.since is not None
        same = [other for other in standings if other.citation == one.citation]
        again = found(whole, one.citation).revision
        assert again in same
        assert again.rule.text == same[-1].rule.text
        stands = whole.replay.on(one.since).by_identity(one.history.identity)
        alike = [
            other
            for other in standings
            if other.history is one.history and other.since == one.since
        ]
        if alike[-1] is one and not (one.ended and one.until == one.since):
            assert stands is not None
            assert (stands.ref, stands.text) == (one.rule.ref, one.rule.text)


# Texts in which no reference can be are not parsed to look for one.


_WORDS = (
    "Rule",
    "rules",
    "RULE",
    "Proposal",
    "judgement",
    "judgments",
    "Rul&#101;",
    "r\\ule",
    "prule",
)
_BETWEEN = (
    " ",
    "\n",
    "\n> ",
    "\n   ",
    " #",
    "&nbsp;",
    " \\#",
    " *",
    "_",
    "  \n",
    "\\\n",
    "\u00a0",
    " no. ",
    "\t",
    "",
)
_NUMBERS = ("203", "203/1", "5-7", "0", "x", "`4`", "[8](y)", "１", "&#50;03", "*9*")
_TEXTS = st.lists(
    st.tuples(
        st.sampled_from(("", "> ", "- ", "the ")),
        *map(st.sampled_from, (_WORDS, _BETWEEN, _NUMBERS)),
    ).map("".join),
    max_size=3,
).map("\n".join)


@given(_TEXTS)
def test_a_text_without_a_hint_refers_to_nothing(text: str) -> None:
    found = references(text)
    with patch.object(module, "_HINT", re.compile("")):
        assert references(text) == found


_PIECES = st.sampled_from(
    [
        *(
            "Rule 101",
            "Rules 101, 102 and 103/4",
            "rules 5-9",
            "Rules 1 to",
            "Proposals 3,",
            "judgement 3.",
            "Rule #7",
        ),
        *(
            "Rule",
            "101",
            "and 7",
            "The word",
            "see",
            "- a",
            "(Rule 4)",
            "x/y",
            "5.",
            "1)",
            "-",
            "\u2014",
            "\u00e9",
            "mailto:",
        ),
        *(
            "http://a.org/Rule 3",
            "Rule\u00a08",
            "*Rule* 3",
            "`Rule 3`",
            "> Rule 3",
            "    Rule 3",
            "---",
            "Rule 4  ",
        ),
    ]
)
_PROSE = st.lists(
    st.tuples(_PIECES, st.sampled_from([" ", "\n", "\n\n", "\n- "])).map("".join), max_size=8
).map("".join)


@given(_PROSE.map(str.strip))
@example("- see Rules 101,\n102 and\n103\n- Rule 5\n\nRule\n6")
def test_plain_words_are_read_without_the_parser_as_it_reads_them(text: str) -> None:
    found = references(text)
    with patch.object(module, "_is_plain", return_value=False):
        assert references(text) == found


def test_plain_words_are_not_parsed() -> None:
    with patch.object(module, "parser", side_effect=AssertionError):
        found = references("By Rule 101:\n\n- as in Rules 5, 6\nand 7/1; and so on.")
    assert [(str(one), one.line) for one in found] == [
        ("Rule 101", 1),
        ("Rule 5", 3),
        ("Rule 6", 3),
        ("Rule 7/1", 4),
    ]


def test_a_text_without_a_hint_is_not_parsed() -> None:
    with patch.object(module, "parser", side_effect=AssertionError):
        assert references("The rule of three, and 203 rules; prosper, 4.") == ()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "See R203/0@2026-01-15.",
            "its words were changed by Proposal 301 on 2026-02-01, and it was repealed",
        ),
        ("See R303/2@2026-02-10.", "the rule was repealed by Proposal 304 on 2026-02-12"),
        ("See R302/0@2026-02-10, R205/0@2026-01-15.", ""),
        (
            "See R302/0@2026-01-01.",
            "Rule 302/0 was not in force on 2026-01-01: it stood since 2026-02-05",
        ),
        ("See R999/0@2026-01-15.", "there never was a Rule 999"),
        ("R203/0 and Rule 203 without a day, a@b.org, XR203/0@2026-01-15", ""),
        ("https://x.org/rules/302/?quote=302/0:is+tea", ""),
        ("https://x.org/rules/302/?quote=302/0:There\N{HORIZONTAL ELLIPSIS}tea.", ""),
        ("https://x.org/rules/302/?quote=302/0:no%20tea)", "Rule 302/0 never had these words"),
        (
            "<https://x.org/rules/303/?quote=301/1:One%20bell>",
            "changed by Proposal 303 on 2026-02-09",
        ),
    ],
)
def test_citations_in_other_files_are_held_against_the_law(text: str, told: str) -> None:
    made = renumbered()
    made.proposal(304, "02-12", "## Repeal Rule 303/2")
    found = [*outdated_citations(history_of_tree(made.tree), f"# A page\n\n{text}\n")]
    assert [(one.line, told in one.why) for one in found] == ([(3, True)] if told else [])
