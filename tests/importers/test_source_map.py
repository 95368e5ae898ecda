"""Maps: what is wrong with one is said with its line, no pattern runs for ever, and what is written
reads back.
"""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicgen.importers.omissions import Omission
from nomicgen.importers.source_map import (
    BadMap,
    RulePattern,
    SourceMap,
    map_bytes,
    parse_map,
    shipped_maps,
)
from tests.importers.texts import read, texts

HEAD = "rule:\n  heading: 'Rule (?P<number>\\d+)'\n"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", 1, "rule: is missing: what begins a rule"),
        ("description: A club.\n", 1, "rule: is missing: what begins a rule"),
        ("- a\n", 1, "here stand no keys with values; write each line as `key: value`"),
        (f"{HEAD}text: [\n", 3, "this is not YAML: no value can begin like this"),
        (f"{HEAD}heading: x\n", 3, "heading: is a key that is not known here"),
        (f"{HEAD}  depth: 2\n", 3, "rule.depth: is a key that is not known here"),
        (f"{HEAD}text: html\n", 3, "text: should be markdown or plain"),
        (f"{HEAD}  number: greek\n", 3, "rule.number: should be arabic, roman, letters or order"),
        (f"{HEAD}section: x\n", 3, "section: should be a list, e.g. `[one, another]`"),
        (
            f"{HEAD}first_proposal: many\n",
            3,
            "first_proposal: should be a whole number such as 203",
        ),
        ("description: x\nrule: x\n", 2, "rule: should be a table of keys"),
        (f"{HEAD}subjects:\n  law: x\n", 4, "subjects.law: should be proposal, judgement or act"),
        (f"{HEAD}rule: {{}}\n", 3, "the key `rule` is here a second time"),
        (
            "rule:\n  range: 1-9\n",
            1,
            "rule: nothing says what begins a rule: give `heading`, `split` or `path`",
        ),
        (
            f"{HEAD}  split: x\n",
            1,
            "rule: a rule begins at a `heading` or at a `split`, and not at both",
        ),
        (
            "rule:\n  heading: Rule\n",
            1,
            "the map: no group (?P<number>…) says which number a rule has",
        ),
        (f"{HEAD}name: The .*\n", 1, "the map: `name` needs a group (?P<name>…)"),
        (
            "rule:\n  number: roman\n  heading: '(a'\n",
            3,
            "rule.heading: `(a` is no pattern that RE2 takes: missing )",
        ),
        (
            f"{HEAD}  below: '(?=x)'\n",
            3,
            "rule.below: `(?=x)` is no pattern that RE2 takes: invalid perl operator",
        ),
        (f"{HEAD}  below: '\\C'\n", 3, "\\C matches a byte, which may be a part of a letter"),
        (
            f"{HEAD}ends:\n- x\n- '*'\n",
            5,
            "ends[1]: `*` is no pattern that RE2 takes: no argument for repetition",
        ),
        (
            f"{HEAD}  range: 9-1\n",
            3,
            "rule.range: should say numbers that ascend, and '9-1' does not",
        ),
        (
            f"{HEAD}  range: all\n",
            3,
            "rule.range: should say numbers such as 101-199, 200- or 305, and 'all' does not",
        ),
        (
            f"{HEAD}tiers: {{a: x}}\n",
            3,
            "tiers: should say numbers such as 101-199, 200- or 305, and 'x' does not",
        ),
        (f"{HEAD}omit:\n- lines: x\n", 4, "omit[0]: what is left out needs a reason: `why`"),
        (
            f"{HEAD}omit:\n- to: x\n  why: y\n",
            4,
            "what is left out is either `lines`, or `from` and perhaps `to`",
        ),
        (
            f"{HEAD}omit:\n- lines: '('\n  why: y\n",
            4,
            "omit[0].lines: `(` is no pattern that RE2 takes: missing )",
        ),
        ("a: &a [x, x]\nb: [*a, *a]\n", 1, "`&a` is an anchor; write the value out"),
        ("a: " + "[" * 5000, 1, "the value is nested more than 20 levels deep"),
        ("a: \0\n", 1, "YAML does not allow a character here"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, line: int, said: str) -> None:
    with pytest.raises(BadMap) as caught:
        parse_map(text)
    assert said in str(caught.value)
    assert caught.value.line == line


def test_the_last_tier_may_have_all_other_numbers() -> None:
    typed = parse_map(f"{HEAD}tiers: {{immutable: 101-199, mutable: }}\n").tier_map
    assert typed is not None
    assert [typed.tier_of(number) for number in (101, 305)] == ["immutable", "mutable"]


def test_no_pattern_takes_more_than_linear_time() -> None:
    """Python's own patterns would take until the end of the world."""
    slow = (
        "rule: {heading: '(?P<number>\\d+)(a*)*b'}\nends: ['(a|aa)+$']\n"
        "omit: [{lines: '(a*)*c', why: x}]\n"
    )
    began = process_time()
    assert texts(read(f"1{'a' * 100_000}\n2b x\n{'a' * 100_000}!\n", slow)) == {
        2: "x\n" + "a" * 100_000 + "!"
    }
    assert process_time() - began < 2


LETTERS = st.characters(
    codec="utf-8", categories=("L", "N", "P", "S", "Zs"), exclude_characters="\\"
)
WORDS = st.text(LETTERS, min_size=1, max_size=20)
LISTS = st.lists(WORDS.map(lambda word: f"\\Q{word}"), max_size=3)
MAPS = st.builds(
    SourceMap,
    description=WORDS,
    paths=st.lists(WORDS, max_size=3),
    commits=st.none() | WORDS,
    text=st.sampled_from(["markdown", "plain"]),
    rule=st.builds(
        RulePattern,
        heading=WORDS.map(lambda word: f"(?P<number>\\d+)\\Q{word}"),
        below=st.none() | WORDS.map(lambda word: f"\\Q{word}"),
        number=st.sampled_from(["arabic", "roman", "letters"]),
        sequence=st.sampled_from(["rising", "any"]),
        range=st.none() | st.just("1-9, 20-"),
    ),
    section=LISTS,
    ends=LISTS,
    omit=st.lists(
        st.builds(Omission, lines=WORDS.map(lambda word: f"\\Q{word}"), why=st.just("x"))
    ),
    tiers=st.sampled_from([{}, {"high": "1-9", "low": ""}]),
    subjects=st.dictionaries(st.sampled_from(["proposal", "judgement", "act"]), LISTS.map("".join)),
    front_matter=st.dictionaries(st.sampled_from(["number", "title", "tier"]), WORDS),
    first_proposal=st.none() | st.integers(1, 999),
)


@given(MAPS)
def test_what_is_written_reads_back(one: SourceMap) -> None:
    assert parse_map(map_bytes(one).decode()) == one


@pytest.mark.parametrize("name", sorted(shipped_maps()))
def test_a_map_that_ships_reads_back(name: str) -> None:
    one = shipped_maps()[name]
    assert parse_map(map_bytes(one).decode()) == one
    assert one.description.endswith(".")
