"""The bounds of the Markdown parser: what is refused, and that nothing else reads otherwise."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from nomicgen.files.bounds import NESTING, is_tame
from nomicgen.files.markdown import parse_body, parser, same_tokens, sketch_body

PIECES = ["*", "_", "~~", "[", "]", "(", ")", "<b>", "`", "a", "b ", "\n", "\n\n", "> ", "- ", "1. ", "#", "![", "|"]
PIECES += ["http://a.b", "mailto:a@b.c", "//", "|-|-|\n", "[a]: /u\n", "&amp;", "\\", "    ", "<"]


def plain() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"maxNesting": NESTING, "linkify": True})
    assert made.linkify is not None
    made.linkify.set({"fuzzy_link": False, "fuzzy_email": False})
    return made.enable(["table", "strikethrough", "linkify"])


PLAIN = plain()


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_within_bounds_all_reads_as_the_parser_reads_it(text: str) -> None:
    assert same_tokens(parser().parse(text), PLAIN.parse(text))


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join), st.sampled_from([1, 5, 60, 400]))
def test_what_is_tame_is_within_bounds(text: str, times: int) -> None:
    if is_tame(text * times):
        env: dict[str, Any] = {}
        parser().parse(text * times, env)
        assert "beyond" not in env


@pytest.mark.parametrize("text", ["> " * 60 + "a <b>&", "![" * 2000 + "<b>", "*a " * 60 + "b*" * 60])
def test_beyond_bounds_every_word_is_shown_as_it_is(text: str) -> None:
    env: dict[str, Any] = {}
    shown = parser().renderer.render(parser().parse(text, env), parser().options, env)
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert shown == f"<p>{escaped}</p>\n"
    for body in (parse_body(text, 1), sketch_body(text, 1)):
        assert body.beyond is not None
        assert body.beyond.slug == env["beyond"].slug


@pytest.mark.parametrize("levels", [NESTING - 1, NESTING])
def test_the_last_level_that_is_read(levels: int) -> None:
    assert (parse_body(">" * levels + " a", 1).beyond is None) == (levels < NESTING)
    assert (parse_body("*a " * levels + "b*" * levels, 1).beyond is None) == (levels < NESTING)


def test_an_address_that_nobody_writes_is_words() -> None:
    children = parser().parse(f"see http://a.b/{'c' * 1980} and http://a.b/{'c' * 2000} and //a.bc")[1].children
    assert [one.attrs["href"] for one in children or () if one.type == "link_open"] == [
        f"http://a.b/{'c' * 1980}",
        "//a.bc",
    ]
