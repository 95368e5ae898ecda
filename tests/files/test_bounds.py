"""The bounds of the Markdown parser: what is refused, that nothing else reads otherwise, and what
it fails on.
"""

from __future__ import annotations

import re
from typing import Any, NoReturn

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from msgspec.structs import replace

from nomicgen.files.markdown import outline_body, parse_body, parser, same_tokens
from nomicgen.files.markdown_limits import NESTING, is_tame
from nomicgen.files.rule_files import read_rule
from tests.reading import RULE, proposal, said
from tests.support import ROOT

PIECES = [
    "*",
    "_",
    "~~",
    "[",
    "]",
    "(",
    ")",
    "<b>",
    "`",
    "a",
    "b ",
    "\n",
    "\n\n",
    "> ",
    "- ",
    "1. ",
    "#",
    "![",
    "|",
]
PIECES += ["http://a.b", "mailto:a@b.c", "//", "|-|-|\n", "[a]: /u\n", "&amp;", "\\", "    ", "<"]
PIECES += ["<!--", "-->", "<div>", "```", "~~~", "\t", "\f", "\r", "\u2028", "\x00"]


def plain() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"maxNesting": NESTING, "linkify": True})
    assert made.linkify is not None
    made.linkify.set({"fuzzy_link": False, "fuzzy_email": False})
    return made.enable(["table", "strikethrough", "linkify"])


PLAIN = plain()


def whole(text: str) -> str:
    return text if text.endswith(("\n", "\r")) else f"{text}\n"


# What the parser itself raises an error on, where the last line is not whole.
HALF = [
    *("> - <!--\n> ", ">    -  <!--\n>", "> /vote for 301-k9f2c1a7bx\n> - <!--\n> ", "> 1. <?\n> "),
    "> - <![CDATA[\n>",
]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
@example(HALF[0])
@example(HALF[1])
@example(HALF[2])
def test_within_bounds_all_reads_as_the_parser_reads_it(text: str) -> None:
    assert same_tokens(parser().parse(text), PLAIN.parse(whole(text)))


@given(
    st.lists(st.sampled_from(PIECES), max_size=40).map("".join), st.sampled_from([1, 5, 60, 400])
)
@example(HALF[0], 1)
@example(HALF[0], 400)
def test_what_is_tame_is_within_bounds(text: str, times: int) -> None:
    if is_tame(text * times):
        env: dict[str, Any] = {}
        parser().parse(text * times, env)
        assert "beyond" not in env


@pytest.mark.parametrize(
    "text", ["> " * 60 + "a <b>&", "![" * 2000 + "<b>", "*a " * 60 + "b*" * 60]
)
def test_beyond_bounds_every_word_is_shown_as_it_is(text: str) -> None:
    env: dict[str, Any] = {}
    shown = parser().renderer.render(parser().parse(text, env), parser().options, env)
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert shown == f"<p>{escaped}</p>\n"
    for body in (parse_body(text, 1), outline_body(text, 1)):
        assert body.beyond is not None
        assert body.beyond.slug == env["beyond"].slug


@pytest.mark.parametrize("levels", [NESTING - 1, NESTING])
def test_the_last_level_that_is_read(levels: int) -> None:
    assert (parse_body(">" * levels + " a", 1).beyond is None) == (levels < NESTING)
    assert (parse_body("*a " * levels + "b*" * levels, 1).beyond is None) == (levels < NESTING)


def test_an_address_that_nobody_writes_is_words() -> None:
    children = (
        parser()
        .parse(f"see http://a.b/{'c' * 1980} and http://a.b/{'c' * 2000} and //a.bc")[1]
        .children
    )
    assert [one.attrs["href"] for one in children or () if one.type == "link_open"] == [
        f"http://a.b/{'c' * 1980}",
        "//a.bc",
    ]


@pytest.mark.parametrize("text", HALF)
def test_half_a_line_at_the_end_is_read_as_a_whole_one(text: str) -> None:
    with pytest.raises(IndexError):
        PLAIN.parse(text)
    assert parse_body(text, 1) == replace(parse_body(f"{text}\n", 1), lines=text.split("\n"))
    assert parse_body(text, 1).beyond is None


class _Odd(Exception):
    pass


@pytest.fixture(params=[IndexError, RecursionError, _Odd])
def failing(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A parser that fails at each `<` in a line, for whatever reason."""

    def fail(*_: object) -> NoReturn:
        raise request.param("what no reader knows")

    monkeypatch.setattr("nomicgen.files.markdown_parser.html_inline", fail)


FAILS = "markdown-intricate: the Markdown parser fails on the text, about here"


@pytest.mark.usefixtures("failing")
def test_what_the_parser_fails_on_is_a_finding_at_its_place() -> None:
    found, findings = proposal("Why.\n\n## Enact Rule: A\n\nA\ntext\n\nwith a < b.\n")
    assert found is None
    assert said(findings) == [f"13:1 {FAILS}"]
    rule, findings = read_rule(RULE, b"---\nnumber: 203\nmutability: mutable\n---\n\n> a < b\n")
    assert rule is None
    assert said(findings) == [f"6:1 {FAILS}"]


@pytest.mark.usefixtures("failing")
def test_what_the_parser_fails_on_is_shown_as_it_is() -> None:
    env: dict[str, Any] = {}
    assert parser().render("[a]: /u\n\n*a* < b", env) == "<p>[a]: /u\n\n*a* &lt; b</p>\n"
    assert "references" not in env


def test_nothing_else_makes_a_parser() -> None:
    files = (ROOT / "nomicgen").rglob("*.py")
    assert [one.name for one in files if re.search(r"\bMarkdownIt\b", one.read_text("utf-8"))] == [
        "markdown_parser.py"
    ]
