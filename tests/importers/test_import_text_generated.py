"""What holds of any text: its words stay, none is in two places, the game has no errors, and nothing fails."""

from __future__ import annotations

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from nomicgen.files.file_findings import Notes
from nomicgen.importers.printed.format import normalised
from nomicgen.importers.rule_text.blocks import plain_as_markdown
from nomicgen.importers.text_import import import_text
from nomicgen.importers.text_lines import lines_of
from nomicgen.importers.rule_text.lists import marks_of
from nomicgen.importers.rule_text.from_markdown import as_markdown, sound
from nomicgen.importers.text_reading import read_text
from nomicgen.importers.tiers import TierMap
from tests.deep import examples
from tests.importers.texts import bodies, expected, imported, tiers, unaccounted, visible
from tests.rulesets import archive, errors

MARKUP = st.sampled_from(
    [
        *("foo", "bar baz", "x", "Y", "é", "\xa0", "\n", "\n\n", "\n  ", "\n    ", "\n\t", "  ", "    "),
        *("*", "**", "_", "__", "`", "``", "~", "~~", "$", "[", "]", "(", ")", "<", ">", "|", "\\", "!", "&", "#"),
        *("*foo*", "_bar_", "**b**", "a_b_c", "<b>", "<!--", "<br>", "</sub>", "&amp;", "&#35;", ":tea:", "[a]: b"),
        *("## x", "- ", "+ ", "* ", "o ", "• ", "— ", "1. ", "2. ", "3) ", "10. ", "1.", "(a) ", "(b) ", "a. ", "i. "),
        *("ii. ", "---", "===", "|-|", "|a|b|", "|---|", "```", "~~~", "[x] ", "http://x.yz/_a_", "<http://a.bc>"),
    ]
)
PROSE = st.lists(MARKUP, max_size=25).map("".join)


@settings(max_examples=examples(3))
@given(PROSE, st.sampled_from([None, 60, 72]))
@example("1. a\n2. b\n\n1. c\n2. d", None)
@example("- a\n- b\n\n(a) c\n(b) d", 60)
@example("> - <!--\n> ", None)
def test_plain_text_reads_the_same_as_markdown(text: str, width: int | None) -> None:
    lines = lines_of(text)
    made = plain_as_markdown(lines, width)
    marks = marks_of([(line.indent, " ".join(line.text.split())) for line in lines])
    items = [line.number for line, mark in zip(lines, marks, strict=True) if mark is not None]
    assert visible(made) == expected(dict(enumerate(text.split("\n"), 1)), items)
    assert not text.strip() or sound(made)


@given(PROSE.map(lambda text: text.replace("\xa0", " ")))
@example("> - <!--\n> ")
def test_markdown_is_kept_or_refused(text: str) -> None:
    """A space that does not break is code to Markdown where it stands far enough in, and here it is a blank line."""
    found = as_markdown(lines_of(text))
    if found is not None:
        assert sound(found.text)
        flush = any(line[:1].strip() for line in text.split("\n"))
        if flush and sound(text) and not found.rewritten:
            assert visible(found.text) == visible(text)


HEADS = st.sampled_from(
    [
        *("Rule 101", "Rule 102: A", "RULE 103.", "101.", "102. ", "103. [void]", "201 The", "202) ", "1. ", "2. "),
        *(
            "## 101",
            "## 102. Title",
            "### 201/2 (MUTABLE)",
            "# A",
            "Immutable Rules",
            "II. Mutable Rules.",
            "Old Rules",
        ),
        *("Part II", "----", "=====", "-- ", "Back to top", "Editor: X", "0. ", "999999999. ", "Rule 0", "301. "),
        *("Old Rules", "[repealed]"),
        *(
            "The Initial Set is Rules 101-104 (immutable) and 201-299 (mutable).",
            "The numbers begin with 301.",
            "301. ",
        ),
    ]
)
BREAKS = st.sampled_from(["\n", "\n\n", "\n\n\n", " ", ". ", "\n   ", "\r\n", "\n\t"])
TEXTS = st.lists(st.one_of(HEADS, BREAKS, MARKUP), max_size=40).map("".join)
NAMES = st.sampled_from(["rules.txt", "rules.md"])
TYPED = st.sampled_from([None, "mutable", "immutable,mutable=200-", "a=101,b,c=1-", "mutable,immutable"])


@settings(max_examples=examples(2), suppress_health_check=[HealthCheck.too_slow])
@given(TEXTS, NAMES, TYPED)
@example("## 101\n\n> - <!--\n> ", "rules.md", None)
def test_no_text_makes_the_import_fail(text: str, name: str, typed: str | None) -> None:
    found = imported(text, name, typed)
    last = text.count("\n") + text.count("\r") + 1
    assert all(1 <= one.span.line <= last and one.span.column >= 1 for one in found.findings)
    if not found.files:
        assert found.findings
    assert list(found.numbers) == sorted(set(found.numbers))


@settings(max_examples=examples(2), suppress_health_check=[HealthCheck.too_slow])
@given(TEXTS, st.booleans())
@example("Rule 101\n```\n ", True)
@example("## 101\n\n> - <!--\n> ", True)
def test_every_letter_has_one_place(text: str, markdown: bool) -> None:
    words = normalised(text.encode(), Notes("r.txt"))
    assert words is not None
    read = read_text(words, markdown=markdown, tiers=TierMap(), notes=Notes("r.txt"))
    if read is not None:
        assert unaccounted(words, read.outline) == []


@given(st.binary(max_size=300))
@example(b"\xff\xfe1\x00.\x00")
@example(b"1. \x00\x1b[31m\n")
@example(b"1. \xe2\x80\xaeA\r2. B\r")
def test_no_bytes_make_the_import_fail(data: bytes) -> None:
    found = import_text(data, "rules.txt")
    assert found.files or found.findings
    assert not found.files or errors(archive(found.files)) == []


NUMBERS = st.lists(st.integers(1, 400), min_size=1, max_size=12, unique=True).map(sorted)
SENTENCES = st.lists(
    st.sampled_from(
        ["All obey.", "Of Rules 101-116, none is old.", "There are 25 (or more).", "See Rule 203, and 301."]
    ),
    min_size=1,
    max_size=4,
).map(" ".join)
STYLES = (
    *("Rule {n}\n\n{text}\n\n", "{n}. {text}\n\n", "{n} {text}\n\n"),
    *("## {n}\n\n{text}\n\n", "{n}.\n{text}\n", "  {n}) {text}\n"),
)


@given(NUMBERS, st.data(), st.sampled_from(STYLES))
def test_rules_of_any_numbers_come_back(numbers: list[int], data: st.DataObject, style: str) -> None:
    texts = {number: data.draw(SENTENCES) for number in numbers}
    split = data.draw(st.integers(0, len(numbers)))
    pieces = [style.format(n=number, text=text) for number, text in texts.items()]
    text = "Immutable Rules\n\n" + "".join(pieces[:split]) + "\nMutable Rules\n\n" + "".join(pieces[split:])
    found = imported(text)
    assert bodies(found) == texts
    assert list(tiers(found).values()) == ["immutable"] * split + ["mutable"] * (len(numbers) - split)


@given(NUMBERS, st.data())
def test_rules_in_one_paragraph_come_back(numbers: list[int], data: st.DataObject) -> None:
    texts = {number: data.draw(SENTENCES) for number in numbers}
    text = "Mail from 3 May. I. Mutable Rules. " + " ".join(f"{number}. {words}" for number, words in texts.items())
    assert bodies(imported(text)) == texts
