"""A preview as text, Markdown and JSON: nothing that players wrote passes for a part of it."""

from __future__ import annotations

import functools
import json
import re

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from nomicgen.formats.markdown_escapes import code_span, fenced, plain_words
from nomicgen.formats.styled_text import unstyled
from nomicgen.model.values import Moment
from nomicgen.play.load import Game, load_tree
from nomicgen.play.preview.as_json import PREVIEW, preview_json
from nomicgen.play.preview.as_markdown import preview_markdown
from nomicgen.play.preview.as_text import preview_text
from nomicgen.play.preview.previewing import preview_file
from nomicgen.play.preview.proposal import Preview
from nomicgen.repository.game_tree import read_tree
from tests.deep import examples
from tests.explain_pages import BASE, ON

WORDS = (
    *("`", "``", "```", "~~~~", "@wren", "#123", "<b>", "</pre>", "<!-- x", "-->", "![x](y)", "[x](http://y.example)"),
    *("-", "|", "\\", "*", "_", "a", "{+", "+}", "[-", "-]", "\n### Findings\n", "\n#### Findings\n"),
    *("\n", "\n\n", "- legal", "    x", " "),
)
NASTY = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map("".join)
HEADINGS = (
    *("In short", "The rules", "What it needs", "Findings", "What it would bring about"),
    *("What the rules in force would say", "References", "Other proposals"),
)


@functools.cache
def base() -> Game:
    return load_tree(BASE, read_tree(BASE), Moment.parse(ON))


def made_of(title: str, text: str) -> Preview:
    """The preview of a proposal with such a title and text; what does not parse is previewed as what it is."""
    quoted = json.dumps(" ".join(title.split()) or "x", ensure_ascii=False)
    data = f"---\ntitle: {quoted}\nauthor: wren\nstatus: draft\n---\n\nWhy.\n\n## Amend Rule 302/1\n\n{text}\n"
    return preview_file(base(), data.encode(), "x.md")


@settings(max_examples=examples(0.6), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(NASTY, NASTY)
def test_what_players_write_cannot_pass_for_a_part_of_the_comment(title: str, text: str) -> None:
    told = made_of(title, text)
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(preview_markdown(told))
    kinds = {token.type for token in tokens} | {one.type for token in tokens for one in token.children or ()}
    allowed = {"heading_open", "heading_close", "inline", "text", "code_inline", "fence", "softbreak"}
    lists = {"bullet_list_open", "bullet_list_close", "list_item_open", "list_item_close"}
    assert kinds <= allowed | lists | {"paragraph_open", "paragraph_close"}
    headings = [tokens[at + 1].content for at, token in enumerate(tokens) if token.tag == "h4" and token.nesting == 1]
    assert headings == [one for one in HEADINGS if one in headings]
    plain = "".join(one.content for token in tokens for one in token.children or () if one.type == "text")
    assert not re.search(r"[@#]\w|<", plain)
    infos = [token.info for token in tokens if token.type == "fence"]
    assert set(infos) <= {"diff", "text"}
    for token in tokens:
        if token.info == "diff":
            assert all(line[:2] in ("", "+", "-", "+ ", "- ", "  ") for line in token.content.split("\n"))


@settings(max_examples=examples(0.6), deadline=None)
@given(NASTY)
def test_code_reads_as_what_was_put_into_it(text: str) -> None:
    (paragraph,) = (token for token in MarkdownIt().parse(f"x {code_span(text)} y") if token.type == "inline")
    assert paragraph.children is not None
    before, code, after = paragraph.children
    assert (before.content, code.type, after.content) == ("x ", "code_inline", " y")
    assert code.content.strip() == " ".join(text.split())
    (fence,) = MarkdownIt().parse(fenced(text, "text"))
    assert (fence.type, fence.content) == ("fence", f"{text}\n")


@given(st.text(alphabet="ab `*_[]<>#@&~|!\\{}", min_size=1).filter(lambda text: text.strip() == text))
def test_own_words_are_never_markup(text: str) -> None:
    (inline,) = (token for token in MarkdownIt("gfm-like").parse(f"x{plain_words(text)}x") if token.type == "inline")
    assert {one.type for one in inline.children or ()} <= {"text", "text_special"}
    said = "".join(one.content for one in inline.children or ())
    assert said.replace("\N{WORD JOINER}", "") == f"x{text}x"


@settings(max_examples=examples(0.6), deadline=None)
@given(NASTY, NASTY)
def test_no_line_of_a_rule_passes_for_one_of_the_preview(title: str, text: str) -> None:
    told = made_of(title, text)
    lines = "\n".join(unstyled(one) for one in preview_text(told)).split("\n")
    first, *heads = (line for line in lines if line and not line.startswith(" "))
    assert re.fullmatch(r"What (?:the draft )?x\.md(?:, as Proposal 303,)? would do", first)
    assert heads == [one for one in HEADINGS if one in heads]
    deep = [line for line in lines if line.startswith("    ") and not line.startswith("    |")]
    known = ("its text stays the same", "help: ", "- ", "+ ", "refer")
    assert [line for line in deep if not any(one in line for one in known)] == []


def test_a_redline_of_a_text_with_such_brackets_has_longer_ones() -> None:
    told = made_of("x", "Whoever holds a {+lamp+} may speak in the square after dusk. [-Who-] holds two lends one.")
    assert (
        "    | Whoever holds a {++{+++}lamp{+++}++} may speak in the square after dusk. {++[-++}Who{++-]++} holds"
        in ("\n".join(unstyled(one) for one in preview_text(told)))
    )


def test_json_says_what_the_others_say() -> None:
    told = made_of("Tea & <b>", "There is tea.")
    document = preview_json(told)
    assert list(document) == list(PREVIEW.keys)
    assert json.loads(json.dumps(document)) == document
    assert (document["title"], document["legal"], document["number"]) == ("Tea & <b>", True, 303)
    assert [one["text"] for one in document["rules"][0]["segments"] if one["kind"] == "insert"]
