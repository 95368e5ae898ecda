"""The proof of an import: it finds each fault of a reader, and none where there is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomicgen.files.game_files import read_game
from nomicgen.files.yaml_writing import write_rule
from nomicgen.importers.certificate import Observed, certify, digest_of, events_at
from nomicgen.importers.omissions import Omission, left_out
from nomicgen.importers.proof import ProofState, prove
from nomicgen.law.replay.run import replay
from nomicgen.model.import_record import Imported
from tests.deep import examples


@dataclass(frozen=True)
class Read:
    """A rule as a reader has it."""

    number: int
    text: str | None
    title: str | None = None
    tier: str = "mutable"


def told(
    source: Mapping[str, str],
    rules: Sequence[Read],
    omit: Sequence[Omission] = (),
    pages: Sequence[str] = (),
    plain: bool = False,
) -> Imported:
    """What the proof says of a source and of what was read of it."""
    files = {
        f"rules/initial/{rule.number}.md": write_rule(
            number=rule.number, mutability=rule.tier, revision=0, title=rule.title, text=rule.text
        )
        for rule in rules
    }
    records, _ = read_game(
        {"nomic.yml": b"format: 1\nname: Lantern\ntiers: [immutable, mutable]\n", **files}
    )
    played = replay(records)
    assert len(played.initial.rules) == len(rules)
    state = ProofState(place="c1", changed={path: text.encode() for path, text in source.items()})
    seen = Observed(
        kind="text",
        digest=digest_of(source.values()),
        compare=lambda records, played, pages: prove(
            [state], events_at(["c1"], records, played), omit, records.settings.name, pages, plain
        ),
    )
    return certify(seen, records, played, "source", {}, pages)


def faults(found: Imported) -> list[str]:
    """Everything that the proof finds, a line each."""
    return [
        *(f"{one.rule} {one.why}" for one in found.differing),
        *(f"{one.place} nowhere: {one.text}" for one in found.passages),
        *(f"{one.rule} foreign: {one.text}" for one in found.foreign_passages),
    ]


HEADED = {
    "lantern.md": """# LANTERN RULES

## Immutable Rules

## 101/0: Fair play

Whoever plays obeys
the rules &amp; writes it down.

## 102/0: Lamps

Lamps are lit at dusk:

- by *one* keeper,
- and never by two.

### Wicks

Wicks are trimmed on [Mondays](https://example.org/monday).

## Mutable Rules

## 201/0

A turn is one day long.
A turn is never longer.
""",
    "harbour.md": "# Harbour\n\n## 301/0 (MUTABLE)\n\nShips moor at noon.\n\n## 302/0 (MUTABLE)\n"
    "\nRopes are dry.\n",
}
FAIR = Read(101, "Whoever plays obeys the rules & writes it down.", "Fair play", "immutable")
WICKS = "Wicks are trimmed on [Mondays](https://example.org/monday)."
LAMPS = Read(
    102,
    f"Lamps are lit at dusk:\n\n- by *one* keeper,\n- and never by two.\n\n#### Wicks\n\n{WICKS}",
    "Lamps",
    "immutable",
)
TURNS = Read(201, "A turn is one day long.\nA turn is never longer.")
SHIPS, ROPES = Read(301, "Ships moor at noon."), Read(302, "Ropes are dry.")
RIGHT = (FAIR, LAMPS, TURNS, SHIPS, ROPES)
PLAIN = {
    "rules.txt": "Rule 101. Whoever plays obeys the rules.\nAll of them.\n\n"
    "Rule 102. Lamps are lit at dusk.\n\n"
    "Rule 103. A turn is one\nday long.\n"
}
PLAINLY = (
    Read(101, "Whoever plays obeys the rules. All of them."),
    Read(102, "Lamps are lit at dusk."),
    Read(103, "A turn is one day long."),
)


def but(rule: Read, old: str, new: str) -> Read:
    assert rule.text is not None
    assert old in rule.text
    return replace(rule, text=rule.text.replace(old, new))


@pytest.mark.parametrize(("source", "rules"), [(HEADED, RIGHT), (PLAIN, PLAINLY)])
def test_a_right_reading_is_identical(source: Mapping[str, str], rules: Sequence[Read]) -> None:
    found = told(source, rules)
    if "harbour.md" in source:
        assert faults(found) == ["c1:harbour.md:1 nowhere: Harbour"]
        found = told(
            {**source, "harbour.md": source["harbour.md"].removeprefix("# Harbour\n")}, rules
        )
    assert faults(found) == []
    assert found.told == "1 of 1 states identical, every word placed"


def test_a_long_text_that_differs_in_two_words_differs_in_two_words() -> None:
    words = [f"{'lamp' if at % 7 else 'the'}{at if at % 7 else ''}" for at in range(2500)]
    changed = [f"wide{at}" if at in (10, 2490) else word for at, word in enumerate(words)]
    found = told(
        {"rules.txt": f"Rule 101. {' '.join(words)}.\n"}, [Read(101, f"{' '.join(changed)}.")]
    )
    assert (found.nowhere, found.foreign, found.words - found.placed) == (2, 2, 2)


SOURCE = {**HEADED, "harbour.md": HEADED["harbour.md"].removeprefix("# Harbour\n\n")}
MUTANTS = {
    "a line dropped": (
        (FAIR, LAMPS, but(TURNS, "\nA turn is never longer.", ""), SHIPS, ROPES),
        ["c1:lantern.md:26 nowhere: A turn is never longer"],
    ),
    "a line dropped in the middle": (
        (FAIR, but(LAMPS, "- by *one* keeper,\n", ""), TURNS, SHIPS, ROPES),
        ["c1:lantern.md:14 nowhere: by one keeper"],
    ),
    "two rules glued": (
        (FAIR, replace(LAMPS, text=f"{LAMPS.text}\n\n{TURNS.text}"), SHIPS, ROPES),
        ["c1:lantern.md:21 nowhere: Mutable Rules 201 0"],
    ),
    "two rules glued, with the heading": (
        (
            FAIR,
            LAMPS,
            TURNS,
            replace(SHIPS, text="Ships moor at noon.\n\n### 302/0 (MUTABLE)\n\nRopes are dry."),
        ),
        ["301 glued"],
    ),
    "two games mixed": (
        (FAIR, LAMPS, replace(TURNS, text=SHIPS.text), ROPES),
        [
            "201 number",
            "c1:harbour.md:1 nowhere: 301",
            "c1:lantern.md:21 nowhere: Mutable",
            "c1:lantern.md:23 nowhere: 201 0",
            "c1:lantern.md:25 nowhere: A turn is one day long A turn is never longer",
        ],
    ),
    "a number shifted": (
        (FAIR, LAMPS, replace(TURNS, number=202), SHIPS, ROPES),
        ["202 number", "c1:lantern.md:23 nowhere: 201"],
    ),
    "two numbers swapped": (
        (FAIR, LAMPS, TURNS, replace(SHIPS, number=302), replace(ROPES, number=301)),
        [
            "301 number",
            "302 number",
            "c1:harbour.md:1 nowhere: 301",
            "c1:harbour.md:5 nowhere: 302",
        ],
    ),
    "a heading swallowed": (
        (FAIR, but(LAMPS, "#### Wicks\n\n", ""), TURNS, SHIPS, ROPES),
        ["c1:lantern.md:17 nowhere: Wicks"],
    ),
    "a heading taken for text": (
        (FAIR, but(LAMPS, "#### Wicks", "Wicks"), TURNS, SHIPS, ROPES),
        ["102 heading"],
    ),
    "a title taken for text": (
        (FAIR, replace(LAMPS, title=None, text=f"Lamps\n\n{LAMPS.text}"), TURNS, SHIPS, ROPES),
        ["102 heading"],
    ),
    "another title": (
        (replace(FAIR, title="Foul play"), LAMPS, TURNS, SHIPS, ROPES),
        ["c1:lantern.md:5 nowhere: Fair", "101 foreign: foul play"],
    ),
    "another tier": (
        (FAIR, LAMPS, TURNS, SHIPS, replace(ROPES, tier="immutable")),
        ["c1:harbour.md:5 nowhere: MUTABLE"],
    ),
    "a rule from nowhere": (
        (*RIGHT, Read(303, "Bells ring when somebody hears them.")),
        ["303 foreign: Bells ring when somebody hears them"],
    ),
    "a rule lost": (
        (FAIR, LAMPS, TURNS, SHIPS),
        ["c1:harbour.md:5 nowhere: 302 0 MUTABLE", "c1:harbour.md:7 nowhere: Ropes are dry"],
    ),
    "a text lost": (
        (FAIR, LAMPS, TURNS, SHIPS, replace(ROPES, text=None)),
        ["c1:harbour.md:7 nowhere: Ropes are dry"],
    ),
    "a passage placed twice": (
        (FAIR, LAMPS, TURNS, but(SHIPS, "noon.", "noon.\n\nRopes are dry."), ROPES),
        ["301 foreign: Ropes are dry"],
    ),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_of_the_reader_is_found(name: str) -> None:
    rules, expected = MUTANTS[name]
    found = told(SOURCE, rules)
    assert faults(found) == expected
    assert found.identical == 0


@pytest.mark.parametrize(
    "rules",
    [
        (but(PLAINLY[0], " All of them.", ""), *PLAINLY[1:]),
        (replace(PLAINLY[0], text=f"{PLAINLY[0].text}\n\nRule 102. {PLAINLY[1].text}"), PLAINLY[2]),
        (replace(PLAINLY[0], text=f"{PLAINLY[0].text} {PLAINLY[1].text}"), PLAINLY[2]),
        (PLAINLY[0], replace(PLAINLY[1], number=104), PLAINLY[2]),
        (
            PLAINLY[0],
            replace(PLAINLY[1], text=PLAINLY[2].text),
            replace(PLAINLY[2], text=PLAINLY[1].text),
        ),
        (but(PLAINLY[0], "the rules.", "the."), *PLAINLY[1:]),
    ],
)
def test_so_is_one_of_a_plain_text(rules: Sequence[Read]) -> None:
    assert told(PLAIN, rules).identical == 0


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Article 4a", ["4 glued"]),
        ("Article 4 bis. Lamps", ["4 glued"]),
        ("Section 4A. Lamps", ["4 glued"]),
        ("Article 4a applies to lamps.", []),
        ("section 4a.", []),
        ("Article 4 a lamp", []),
    ],
)
def test_a_rule_whose_number_has_a_letter_is_no_part_of_another(
    line: str, expected: list[str]
) -> None:
    found = told(
        {"rules.txt": f"Article 4\nWicks are dry.\n{line}\nLamps are lit.\n"},
        [Read(4, f"Wicks are dry.  \n{line}  \nLamps are lit.")],
        plain=True,
    )
    assert faults(found) == expected


def test_words_that_stand_twice_in_a_state_are_in_one_state() -> None:
    text = "## 1\n\nLit.\n\nedit\n\n## 2\n\nDry.\n\nedit\n"
    found = told({"r.md": text}, [Read(1, "Lit. Wet."), Read(2, "Dry.")])
    (passage,) = found.passages
    assert (passage.place, passage.text, passage.states) == ("c1:r.md:5", "edit", 1)
    assert (found.nowhere, found.words - found.placed) == (1, 2)


def test_words_on_a_page_are_placed_there_as_often_as_they_stand_there() -> None:
    text = "In short: lit lamps.\n\n## 1\n\nDry.\n\n{0}## 2\n\nWet.\n"
    rules = Read(1, "Dry."), Read(2, "Wet.")
    page = "# Above the rules\n\nIn short: lit lamps."
    assert faults(told({"r.md": text.format("")}, rules, pages=[page])) == []
    twice = {"r.md": text.format("In short: lit lamps.\n\n")}
    assert faults(told(twice, rules, pages=[page])) == ["c1:r.md:7 nowhere: In short lit lamps"]
    assert faults(told(twice, rules, pages=[page, page])) == []


def test_a_number_in_code_begins_no_rule() -> None:
    text = "Say so:\n\n```\n## 9\n```\n\nLoud."
    assert faults(told({"r.md": f"## 1\n\n{text}\n"}, [Read(1, text)])) == []
    glued = f"{text}\n\n### 9\n\n~~~\nA.\n~~~"
    assert faults(told({"r.md": f"## 1\n\n{glued}\n"}, [Read(1, glued)])) == ["1 glued"]


def test_a_plain_text_has_no_headings_of_markdown() -> None:
    text = "1. Peace.\n\nScope\n-----\n\n# Not a heading\n\n2. Lamps.\n"
    source = {"rules.txt": f"Lantern\n=======\n\n{text}"}
    rules = Read(1, "Peace.\n\nScope  \n\\-----\n\n\\# Not a heading"), Read(2, "Lamps.")
    page = "# Above the rules\n\nLantern  \n\\======="
    assert faults(told(source, rules, pages=[page], plain=True)) == []
    assert faults(told(source, rules, pages=[page])) == ["1 heading"], "the page has one, too"


def test_a_rule_glued_to_another_in_a_plain_text_is_found_though_its_number_is_escaped() -> None:
    source = {"rules.txt": "1. Wicks are dry.\n\n2. Lamps are lit.\n\n3. A turn is a day.\n"}
    glued = Read(1, "Wicks are dry.\n\n2\\. Lamps are lit.")
    assert faults(told(source, [glued, Read(3, "A turn is a day.")])) == ["1 glued"]
    listed = {"rules.txt": "1. Wicks are:\n\n1. dry;\n2. short.\n\n3. A turn is a day.\n"}
    items = Read(1, "Wicks are:\n\n1\\. dry;  \n2\\. short.")
    assert faults(told(listed, [items, Read(3, "A turn is a day.")])) == []


def test_a_passage_that_occurs_twice_is_placed_twice() -> None:
    source = {"r.md": "## 1\n\nRepealed.\n\n## 2\n\nLamps.\n\n## 3\n\nRepealed.\n"}
    rules = (Read(1, "Repealed."), Read(2, "Lamps."), Read(3, "Repealed."))
    assert faults(told(source, rules)) == []
    assert faults(told(source, rules[:2])) == [
        "c1:r.md:9 nowhere: 3",
        "c1:r.md:11 nowhere: Repealed",
    ]
    assert faults(told({"r.md": source["r.md"].replace("## 3\n\nRepealed.\n", "")}, rules)) == [
        "3 foreign: Repealed"
    ]


def test_many_alike_are_told_by_their_numbers_in_any_order() -> None:
    numbers = [*range(90, 0, -1)]
    source = {"r.md": "".join(f"## {number}\n\nRepealed.\n\n" for number in numbers)}
    assert faults(told(source, [Read(number, "Repealed.") for number in numbers])) == []


def test_rules_that_were_counted_may_have_other_numbers_in_their_titles() -> None:
    source = {"r.md": "## § 1-101. Lamps\n\nLit.\n\n## § 1-102. Wicks\n\nDry.\n"}
    lamps, wicks = Read(1, "Lit.", "§ 1-101. Lamps"), Read(2, "Dry.", "§ 1-102. Wicks")
    assert faults(told(source, [lamps, wicks])) == []
    assert "2 number" in faults(told(source, [lamps, replace(wicks, title="Wicks")]))


def test_a_number_may_have_zeros_before_it_in_the_name_of_a_file() -> None:
    rules = Read(10, "Lamps are lit."), Read(11, "Wicks are dry.")
    source = {"r/00010.md": "Lamps are lit.\n", "r/000000011.md": "Wicks are dry.\n"}
    assert faults(told(source, rules)) == []


def test_a_rule_without_a_text_has_its_heading() -> None:
    source = {"r/101.md": "## 101/0 (VOID)\n", "r/102.md": "Lamps are lit.\n"}
    assert faults(told(source, (Read(101, None), Read(102, "Lamps are lit.")))) == [
        "c1:r/101.md:1 nowhere: VOID"
    ]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("Caf&eacute;s &lt;open&gt; at 8.", "Cafés \\<open\\> at 8."),
        ("<p>Lamps <b>burn</b><br>all night.</p>", "Lamps **burn**\\\nall night."),
        ("• lamps\n• and\nwicks", "- lamps\n- and wicks"),
        ("See [the rule](r/203.md).", "See [the rule](https://example.org/rules/203)."),
        ("Wicks\n-----\n\nburn", "### Wicks\n\nburn"),
        ("<h3>Wicks</h3>\nburn", "### Wicks\n\nburn"),
        ("<a\nhref='x y z'>Wicks</a> burn", "[Wicks](x%20y%20z) burn"),
    ],
)
def test_what_an_import_may_change(line: str, text: str) -> None:
    assert faults(told({"r.md": f"## 7\n\n{line}\n"}, (Read(7, text),))) == []


def test_what_is_left_out_is_shown_in_full_with_its_reason() -> None:
    source = {"r.txt": f"Editor: Wren\n{PLAIN['rules.txt']}-- \nWren Keeper,\nat the harbour\n"}
    signature = Omission(why="a signature", from_="--")
    found = told(source, PLAINLY, (Omission(why="who keeps it", lines="Editor: .*"), signature))
    assert faults(found) == []
    assert [(one.why, one.words, one.lines) for one in found.left_out] == [
        ("who keeps it", 2, ["Editor: Wren"]),
        ("a signature", 5, ["--", "Wren Keeper,", "at the harbour"]),
    ]
    assert found.told == "1 of 1 states identical, every word placed, 21.8 % left out"


def test_what_stands_on_a_page_of_the_game_is_placed() -> None:
    source = {"r.txt": f"Bring a lamp, and be kind.\n\n{PLAIN['rules.txt']}"}
    assert (
        faults(told(source, PLAINLY, pages=["# How to play\n\nBring a *lamp*, and be kind."])) == []
    )


@pytest.mark.parametrize(
    ("keys", "wrong"),
    [
        ({"lines": "("}, "`(` is no pattern that RE2 takes: missing ): ("),
        ({"lines": r"(a)\1"}, r"`(a)\1` is no pattern that RE2 takes: invalid escape sequence: \1"),
        ({}, "either `lines`, or `from` and perhaps `to`"),
        ({"lines": "a", "from": "b"}, "either `lines`, or `from` and perhaps `to`"),
        ({"to": "b"}, "either `lines`, or `from` and perhaps `to`"),
        ({"lines": "a", "why": " "}, "needs a reason"),
    ],
)
def test_what_cannot_be_left_out(keys: Mapping[str, str], wrong: str) -> None:
    with pytest.raises(ValueError, match=r"what is left out|no pattern") as raised:
        Omission.read({"why": "x", **keys})
    assert wrong in str(raised.value)


def test_blocks_end_with_a_line_and_begin_again() -> None:
    lines = ["a", "BEGIN", "b", "END", "c", " BEGIN ", "d"]
    assert left_out(lines, [Omission(why="x", from_="BEGIN", to="END")]) == dict.fromkeys(
        (2, 3, 4, 6, 7), "x"
    )


WORD = st.sampled_from(
    [
        "Rule",
        "rules",
        "the",
        "Lamps",
        "lamps",
        "are",
        "mutable",
        "7",
        "201",
        "Power",
        "article",
        "void",
        "of",
        "keeper",
        "dusk",
    ]
)
TEXT = st.lists(WORD, min_size=2, max_size=12)


@settings(max_examples=examples(3))
@given(st.lists(TEXT, min_size=1, max_size=5), st.data())
def test_generated_rules_are_identical_and_no_word_can_be_dropped(
    texts: list[list[str]], data: st.DataObject
) -> None:
    rules = [Read(number, " ".join(words)) for number, words in enumerate(texts, 201)]
    breaks = data.draw(st.sampled_from(("\n", " ")))
    source = "# RULES\n\n" + "".join(
        f"## {one.number}/0 (MUTABLE)\n\n{breaks.join(texts[at])}\n\n"
        for at, one in enumerate(rules)
    )
    found = told({"r.md": source}, rules)
    assert faults(found) == []
    at = data.draw(st.integers(0, len(texts) - 1))
    word = data.draw(st.integers(0, len(texts[at]) - 1))
    spoilt = texts[at][:word] + texts[at][word + 1 :]
    rules[at] = replace(rules[at], text=" ".join(spoilt) or None)
    found = told({"r.md": source}, rules)
    assert found.identical == 0
    assert found.placed < found.words
