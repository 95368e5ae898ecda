"""How the law of two rulesets differs, field by field, and what is said to no effect."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicgen.history.differences import (
    LawChange,
    Overruled,
    law_changes,
    overruled_provisions,
    reach_changes,
)
from nomicgen.history.passages import sentence_authors, sentence_parts
from nomicgen.history.rule_history import build_histories
from nomicgen.law.possible_changes import possible_changes
from nomicgen.law.precedence import Law, Laws
from nomicgen.law.reading import parse_provisions
from nomicgen.law.replay.results import Rule, Ruleset
from nomicgen.law.replay.scene import Scene
from nomicgen.model.settings import Settings
from tests.ledger import Ledger

TIERS = ("immutable", "mutable")
SETTINGS = Settings(format=1, name="Test", tiers=list(TIERS))
MAJORITY = {"adoption": {"needs": "majority"}}


def rule(number: int, said: dict[str, Any], identity: int | None = None) -> Rule:
    tier = TIERS[number >= 200]
    law = parse_provisions(said, TIERS)[0]
    return Rule(
        identity=identity or number, number=number, revision=0, tier=tier, text="Text.", law=law
    )


def law(*rules: Rule) -> tuple[Law, Ruleset]:
    made = Ruleset.of(rules)
    return Law.of(made, SETTINGS, None), made


def changes(before: list[Rule], after: list[Rule]) -> list[LawChange]:
    return list(law_changes(*law(*before), *law(*after)))


def said(one: LawChange) -> tuple[str, str | None, int | None, str | None, int | None]:
    sides = (
        (None, None) if side is None else (side.value, side.rule)
        for side in (one.before, one.after)
    )
    before, after = sides
    return one.what, *before, *after


def test_fields_that_another_value_or_another_rule_decides() -> None:
    before = [
        rule(105, {"ballot": {"electorate": "players", "everyone_votes": "true"}}),
        rule(209, {"cap": {"mutable": "25"}}),
    ]
    after = [
        rule(105, {"ballot": {"everyone_votes": "true"}}),
        rule(315, {"cap": {"mutable": "30"}}, 209),
    ]
    after.append(
        rule(
            301,
            {"ballot": {"electorate": "players", "silence": "for", "tie_break": {"by": "wren"}}},
        )
    )
    assert [said(one) for one in changes(before, after)] == [
        ("ballot: electorate", "players", 105, "players", 301),
        ("ballot: silence", None, None, "for", 301),
        ("ballot: tie break", None, None, "by wren", 301),
        ("cap of mutable rules", "25", 209, "30", 315),
    ]


def test_a_rule_that_only_takes_another_number_changes_nothing() -> None:
    effect = {"effect": "at-once", "entrenchment": {"mutable": []}, "numbering": {"changes": "any"}}
    assert changes([rule(205, effect)], [rule(301, effect, 205)]) == []


def test_tables_words_and_truths() -> None:
    before = [rule(103, {"entrenchment": {"immutable": ["transmute"]}, "changeable": "always"})]
    after = [
        rule(
            103,
            {
                "entrenchment": {"immutable": []},
                "effect": "next-turn",
                "turns": {"passing": "false"},
            },
        )
    ]
    assert [said(one) for one in changes(before, after)] == [
        ("changeable", "always", 103, None, None),
        ("effect", None, None, "next-turn", 103),
        ("what may be done to immutable rules", "transmute", 103, "nothing", 103),
        ("turns: passing", None, None, "no", 103),
    ]


def test_a_part_with_keys_of_its_own_is_told_key_by_key() -> None:
    quorum = {
        "quorum": {"at_least": "2/3", "of": "players"},
        "weights": {"speaker": "2"},
        "closes_after": "3 days",
    }
    assert [
        said(one) for one in changes([rule(203, {"ballot": {}})], [rule(203, {"ballot": quorum})])
    ] == [
        ("ballot: quorum", None, None, "at least two thirds; of players", 203),
        ("ballot: weights", None, None, "speaker 2", 203),
        ("ballot: closes after", None, None, "3 days", 203),
    ]


def test_points_and_authority_add_up() -> None:
    one, other = ({"on": "adopted", "to": "author", "amount": amount} for amount in ("2", "3"))
    authority = {"authority": {"by": "act", "to": "enact"}}
    before = [rule(202, {"points": [one, one]}), rule(203, authority)]
    after = [rule(202, {"points": [one, other]}), rule(204, authority)]
    assert [said(each) for each in changes(before, after)] == [
        ("points", "When a proposal is adopted, its author gets 2 points.", 202, None, None),
        ("points", None, None, "When a proposal is adopted, its author gets 3 points.", 202),
    ]


def test_reach_differs_in_what_it_means() -> None:
    def reach(*rules: Rule) -> Any:
        return possible_changes(
            Scene(ruleset=Ruleset.of(rules), laws=Laws(SETTINGS), players={}, moment=None)
        )

    majority, all_ = rule(203, MAJORITY), rule(203, {"adoption": {"needs": "unanimous"}})
    assert list(reach_changes(reach(majority), reach(rule(301, MAJORITY, 203)))) == []
    found = list(
        reach_changes(
            reach(majority), reach(all_, rule(103, {"entrenchment": {"mutable": ["amend"]}}))
        )
    )
    half, everyone = "more than half of eligible voters", "all eligible voters"
    assert [(one.after.words, *one.before.needs, "->", *one.after.needs) for one in found] == [
        ("enacting an immutable rule", half, "->", everyone),
        ("amending an immutable rule", "->", everyone),
        ("repealing an immutable rule", "->", everyone),
        ("enacting a mutable rule", half, "->"),
        ("amending a mutable rule", half, "->", everyone),
        ("repealing a mutable rule", half, "->"),
        ("transmuting a mutable rule into an immutable one", half, "->"),
    ]


def test_what_a_rule_says_to_no_effect() -> None:
    first = rule(
        105, {"ballot": {"electorate": "players", "silence": "for"}, "cap": {"mutable": "9"}}
    )
    was = rule(205, {"ballot": {"electorate": "active"}})
    now = rule(
        205,
        {
            "ballot": {"electorate": "active", "silence": "for", "debate": "2"},
            "cap": {"mutable": "7"},
        },
    )
    made, _ = law(first, now)
    assert list(overruled_provisions(was, now, made)) == [
        Overruled(what="cap of mutable rules", rule=205, value="7", by=105, decides="9")
    ]
    assert [one.what for one in overruled_provisions(None, now, made)] == [
        "ballot: electorate",
        "cap of mutable rules",
    ]
    assert list(overruled_provisions(None, now, law(now)[0])) == []


@pytest.mark.parametrize(
    ("provisions", "what"),
    [
        ({"points": {"on": "silence", "to": "silent", "amount": "-5"}}, "points for silence"),
        ({"ballot": {"penalty": {"points": "5"}}}, "a penalty for silence"),
    ],
)
def test_what_silence_costs_has_no_effect_where_silence_never_counts(
    provisions: dict[str, Any], what: str
) -> None:
    priced = rule(301, provisions)
    for silence, count in {"waits": 1, "ignored": 1, "for": 0, "against": 0}.items():
        made, _ = law(rule(105, {"ballot": {"silence": silence}}), priced)
        found = list(overruled_provisions(None, priced, made))
        assert [(one.what, one.rule, one.by) for one in found] == [(what, 301, 105)] * count
        assert list(overruled_provisions(priced, priced, made)) == []
    assert list(overruled_provisions(None, priced, law(priced)[0])) == []


# The sentences of a rule's text, and whose words they are made of.


PIECES = [
    "All agree.",
    "So it is!",
    "e.g. tea",
    "\n\n",
    "\n- ",
    "\n",
    " ",
    "1. ",
    "| a | b |",
    "---",
    "J. Heron",
    "?",
    "(Aye.)",
]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("No end", ["No end"]),
        ("One. Two.", ["One. ", "Two."]),
        ("Is it? It is! So…", ["Is it? ", "It is! ", "So…"]),
        (
            'He said "no." Then "Yes." *Done.* Rest',
            ['He said "no." ', 'Then "Yes." ', "*Done.* ", "Rest"],
        ),
        (
            "Drinks, e.g. Tea, i.e. Brew, cf. Rule 3. End",
            ["Drinks, e.g. Tea, i.e. Brew, cf. Rule 3. ", "End"],
        ),
        ("A. Heron plays. So do I. Good.", ["A. Heron plays. ", "So do I. ", "Good."]),
        ("At 3.5 points vs. Two. then more.", ["At 3.5 points vs. Two. then more."]),
        ("One\nline.\n\nTwo. Three.", ["One\nline.\n\n", "Two. ", "Three."]),
        (
            "Items:\n- one. Two\n- three\n  more.",
            ["Items:\n", "- one. ", "Two\n", "- three\n  more."],
        ),
        ("1. First. More.\n2. Second.", ["1. First. ", "More.\n", "2. Second."]),
        ("### Heading\n\nText.\n\n---\n\nMore.", ["### Heading\n\n", "Text.\n\n---\n\n", "More."]),
        (
            "| a | b |\n|---|---|\n| One. Two. | c |",
            ["| a | b |\n|---|---|\n", "| One. Two. | c |"],
        ),
        ("See no. 5 and nos. 6, 7. No. Never.", ["See no. 5 and nos. 6, 7. ", "No. ", "Never."]),
        ("100 points. 200 points.", ["100 points. ", "200 points."]),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert list(sentence_parts(text)) == expected


@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join))
def test_sentences_together_are_the_text(text: str) -> None:
    parts = sentence_parts(text)
    assert "".join(parts) == text
    assert all(parts)
    assert all(any(letter.isalnum() for letter in part) for part in parts[1:])


def test_a_long_word_or_blank_takes_no_time() -> None:
    text = "." * 40_000 + " " * 40_000 + "\n" * 40_000 + "a" * 40_000 + ". " * 20_000
    assert "".join(sentence_parts(text)) == text


def told(made: Ledger, number: int, at: int | None = None) -> list[list[tuple[int, str]]]:
    _, played = made.play()
    sources = {rule.number: (f"rules/initial/{rule.number}.md", None) for rule in played.initial}
    history = build_histories(played, sources).of_number(number)
    assert history is not None
    return [[(run.index, run.text) for run in one.runs] for one in sentence_authors(history, at)]


def test_each_sentence_has_its_origins_through_lines_that_gave_no_text() -> None:
    made = Ledger.start({201: {}})
    made.proposal(301, "01-05", "## Amend Rule 201/0\n\nThe text of 201. A bell rings at noon.")
    made.proposal(302, "01-06", "## Retitle Rule 201/1: The bell")
    made.proposal(303, "01-07", "## Renumber Rule 201/1 to 401")
    made.proposal(
        304,
        "01-08",
        "## Amend Rule 401/1\n\nThe text of 201. A loud bell rings, at noon. So be it.",
    )
    expected = [
        [(0, "The text of 201. ")],
        [(1, "A "), (4, "loud "), (1, "bell rings, at noon. ")],
        [(4, "So be it.")],
    ]
    assert told(made, 401) == expected
    assert told(made, 201) == expected
    assert told(made, 401, 3) == [[(0, "The text of 201. ")], [(1, "A bell rings at noon.")]]
