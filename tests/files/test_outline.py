"""What is read without the whole parser, of Markdown or of YAML, reads as with it."""

from __future__ import annotations

from typing import Any
from unittest import mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nomicgen.files import front_matter
from nomicgen.files.file_findings import Notes
from nomicgen.files.front_matter import YamlPlace, compose
from nomicgen.files.instructions import read_parts
from nomicgen.files.markdown import outline_body, parse_body
from nomicgen.files.quick_outline import outline
from nomicgen.files.yaml_events import read_flat
from nomicgen.model.records import InstrumentKind

# Lines that begin, end or go on with every kind of block, and those that only look as if they did.
_PROSE = (
    *(
        "",
        "",
        " ",
        "\t",
        "words",
        "More words  ",
        '"Quoted"',
        "12 men",
        "é",
        "\u00a0x",
        "x\\",
        "w\x00",
        "_u_",
        "[a](b)",
    ),
    *(
        "- item",
        "  goes on",
        "- - nested",
        "+",
        "1. one",
        "2) two",
        "10. ten",
        "> quoted",
        ">",
        "> - item",
        "    code",
    ),
    *(
        "\tcode",
        "| a | b |",
        "|---|---|",
        "---",
        "===",
        "  ===",
        "***",
        "=",
        "> ---",
        "- ===",
        "Amend Rule 3/1",
        "\x0b",
    ),
)
_HEADINGS = (
    *(
        "## Amend Rule 3/1",
        "## Amend Rule 4/1",
        "## Repeal Rule 5/0",
        "## Mark Rule 6/0",
        "## Enact Rule: New",
    ),
    *(
        "## Ruling",
        "### Sub",
        "# One",
        "#",
        "##X",
        "##\tTab",
        "## Closed ##",
        "## a\\",
        "##  Wide",
        "## Amend Rule 3/1 ",
    ),
    *(
        "  ## Amend Rule 3/1",
        "> ## Amend Rule 3/1",
        "- ## Amend Rule 3/1",
        "&#35;&#35; Amend Rule 3/1",
        "## \u00a0x",
    ),
)
_FENCES = (
    "```yaml rule",
    "```yml rule",
    "```",
    "```",
    "text: lost",
    "note: x",
    "~~~",
    "  ```",
    "> ```",
    "- ```",
    "````",
)
_OTHER = ("<sub>a</sub>", "<div>", "[a]: b")
_BODIES = st.lists(
    st.sampled_from(_PROSE) | st.sampled_from(_HEADINGS) | st.sampled_from(_FENCES + _OTHER),
    max_size=14,
) | st.lists(st.sampled_from(_PROSE) | st.sampled_from(_HEADINGS), max_size=20)


@given(_BODIES.map("\n".join), st.sampled_from(["proposal", "judgement", "act"]))
@example("> - <!--\n> ", "proposal")
@example("## Amend Rule 3/1\n\n> - <!--\n> ", "act")
def test_a_body_reads_the_same_with_and_without_the_parser(text: str, kind: InstrumentKind) -> None:
    outlined, parsed = Notes("f"), Notes("f")
    assert read_parts(kind, outline_body(text, 7), outlined) == read_parts(
        kind, parse_body(text, 7), parsed
    )
    assert outlined.findings() == parsed.findings()


def _said(token: Any) -> list[Any]:
    """What an outline says of a token."""
    names = (
        "type",
        "tag",
        "nesting",
        "map",
        "level",
        "children",
        "content",
        "markup",
        "info",
        "block",
    )
    return [getattr(token, name) for name in names]


def test_headings_and_fences_are_the_parsers_own_tokens() -> None:
    text = "## Amend Rule 3/1\n\n```yaml rule\ntext: lost\n\n  x\n```\n### Sub\n```\n```\n# One\n"
    found = outline(text.split("\n"))
    assert found is not None
    assert [_said(one) for one in found] == [_said(one) for one in parse_body(text, 1).tokens]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        (
            "words\nmore\n\n- item\n\n## Repeal Rule 5/0\n",
            ["other", "heading_open", "inline", "heading_close"],
        ),
        (
            "> quoted\n## Repeal Rule 5/0\nwords\n",
            ["other", "heading_open", "inline", "heading_close", "other"],
        ),
        ("```\nx\n```\n", ["fence"]),
        ("words\n---\n", None),
        ("- # One\n", None),
        ("words\n```\n", None),
        ("```\nx\n", None),
        ("```\nx ```\n```\n", None),
        ("## Closed ##\n", None),
        ("a\r===\n", None),
    ],
)
def test_the_parser_is_asked_where_something_may_be_hidden(
    text: str, kinds: list[str] | None
) -> None:
    found = outline(text.split("\n"))
    assert (None if found is None else [one.type for one in found]) == kinds


_SCALARS = st.sampled_from(
    (
        "a",
        "b",
        "no",
        "2020-07-27",
        "12e4567",
        "<<",
        "''",
        '"q"',
        '"\\e"',
        "'x: y'",
        "&a b",
        "*a",
        "!!str c",
        "",
        "{}",
        "[]",
    )
)
_LINES = st.builds(
    "{}{}{}".format, st.sampled_from(("", "", "  ", "    ", "- ", "  - ")), _SCALARS, st.just("")
)
_PAIRS = st.builds(
    "{}{}: {}".format, st.sampled_from(("", "", "  ", "- ", "  - ")), _SCALARS, _SCALARS
)
_FLOWS = st.recursive(
    _SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda found: f"[{', '.join(found)}]")
        | st.lists(st.tuples(_SCALARS, inner), max_size=3).map(
            lambda found: "{" + ", ".join(f"{key}: {value}" for key, value in found) + "}"
        )
    ),
    max_leaves=8,
)
_WORDS = st.sampled_from(
    (
        "a",
        "b-c",
        "-",
        "'",
        "d'e",
        "(f)",
        "1/2",
        "2020-07-27",
        "~",
        "x:",
        ":y",
        "#",
        "g#",
        "é",
        ",",
        "",
    )
)
_PROSE_VALUES = st.lists(_WORDS, max_size=4).map(" ".join)
_FLAT = st.builds(
    "{}: {}".format, st.sampled_from(("a", "b", "c_d", "note", "A", "-", "?")), _PROSE_VALUES
)
_YAML = (
    st.lists(_FLAT, max_size=4).map("".join)
    | st.lists(_FLAT.map("{}\n".format), max_size=5).map("".join)
    | st.lists(_PAIRS | _LINES | _FLOWS.map("f: {}".format) | st.just("---"), max_size=6).map(
        "\n".join
    )
)


@given(_YAML, st.integers(1, 40))
def test_yaml_is_composed_the_same_without_libyaml(text: str, first: int) -> None:
    """Where each line is a key and a plain word, it is read without libyaml."""
    place, short, long = YamlPlace("f", first), Notes("f"), Notes("f")
    found = compose(text, short, place, 5)
    with mock.patch.object(front_matter, "read_flat", return_value=None):
        wanted = compose(text, long, place, 5)
    assert (found, short.findings()) == (wanted, long.findings())
    if read_flat(text, first) is not None:
        assert wanted is not None
        assert (long.findings(), wanted.holes, wanted.complete) == ((), frozenset(), True)


@pytest.mark.parametrize(
    ("text", "flat"), [("a: b\nc: d e\n", True), ("a: b\na: c\n", False), ("a: [b]\n", False)]
)
def test_flat_lines_are_read_without_libyaml(text: str, flat: bool) -> None:
    assert (read_flat(text, 1) is not None) == flat


@pytest.mark.parametrize("depth", [19, 20, 21])
def test_yaml_goes_so_deep(depth: int) -> None:
    notes = Notes("f")
    compose(f"a: {'[' * (depth - 1)}{']' * (depth - 1)}\n", notes, YamlPlace("f", 1))
    assert bool(notes) == (depth > 20)


def test_blocks_that_say_the_same_stand_each_in_its_place() -> None:
    text = (
        "## Amend Rule 3/1\n\n```yaml rule\ntext: lost\n```\n\n## Amend Rule 4/1\n\n"
        "```yaml rule\ntext: lost\n```\n"
    )
    notes = Notes("f")
    one, other = read_parts("proposal", outline_body(text, 5), notes).instructions
    assert one.block == other.block
    assert one.block_source is not None
    assert other.block_source is not None
    assert [str(source.at("text")) for source in (one.block_source, other.block_source)] == [
        "f:8:7",
        "f:14:7",
    ]
    assert [str(source.key("text")) for source in (one.block_source, other.block_source)] == [
        "f:8:1",
        "f:14:1",
    ]
    assert (one.block_source.body_line, other.block_source.body_line) == (8, 14)


def test_a_block_that_is_wrong_is_said_wherever_it_stands_again() -> None:
    block = "```yaml rule\nprovision: {}\n```\n"
    notes = Notes("f")
    read_parts(
        "proposal",
        outline_body(f"## Mark Rule 3/1\n\n{block}\n## Mark Rule 4/1\n\n{block}", 1),
        notes,
    )
    assert [(one.span.line, one.slug) for one in notes.findings()] == [
        (4, "key-unknown"),
        (10, "key-unknown"),
    ]
