"""What holds of any text: its words stay as Markdown, the game has no errors, and nothing fails."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nomicgen.importers.rule_text.blocks import plain_as_markdown
from nomicgen.importers.rule_text.from_markdown import as_markdown, is_rule_text, sound_by_parser
from nomicgen.importers.source_map import shipped_maps
from tests.deep import examples
from tests.importers.texts import expected, imported, lines_of, visible
from tests.reading import MARKDOWN

HEADS = st.sampled_from(
    [
        *(
            "\nRule 101\n",
            "\nRule 102: A\n",
            "\n201. ",
            "\n203. [void]",
            "\n204 The",
            "\n## 101\n",
            "\n### 201/2 (MUTABLE)\n",
        ),
        *(
            "\n# A\n",
            "\nImmutable Rules\n",
            " II. Mutable Rules. ",
            "\n----\n",
            "\nBack to top",
            "\nArticle IV. Oil\n",
        ),
        *(
            "\n== 7 Oil\n",
            "\nRule 7/0 (Power=1)\nOil\n",
            "\n## 303 [repealed]\n",
            "\nRule 0\n",
            "---\nnumber: 7\n---\n",
        ),
        *("\n999999999. ", "\nArticle B\n", "\r\n", "\x00", "\u200b"),
    ]
)
MARKUP = st.sampled_from(
    [
        *(
            "foo",
            "bar baz",
            "x",
            "Y",
            "é",
            "\xa0",
            "\n",
            "\n\n",
            "\n  ",
            "\n    ",
            "\n\t",
            "  ",
            "    ",
        ),
        *(
            "*",
            "**",
            "_",
            "__",
            "`",
            "``",
            "~",
            "~~",
            "$",
            "[",
            "]",
            "(",
            ")",
            "<",
            ">",
            "|",
            "\\",
            "!",
            "&",
            "#",
        ),
        *(
            "*foo*",
            "_bar_",
            "**b**",
            "a_b_c",
            "<b>",
            "<!--",
            "<br>",
            "</sub>",
            "&amp;",
            "&#35;",
            ":tea:",
            "[a]: b",
        ),
        *(
            "## x",
            "- ",
            "+ ",
            "* ",
            "o ",
            "• ",
            "— ",
            "1. ",
            "2. ",
            "3) ",
            "10. ",
            "1.",
            "(a) ",
            "(b) ",
            "a. ",
            "i. ",
        ),
        *(
            "ii. ",
            "---",
            "===",
            "|-|",
            "|a|b|",
            "|---|",
            "```",
            "~~~",
            "[x] ",
            "http://x.yz/_a_",
            "<http://a.bc>",
        ),
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
    assert visible(made) == expected(text)
    assert not text.strip() or is_rule_text(made)


@given(PROSE.map(lambda text: text.replace("\xa0", " ")))
@example("> - <!--\n> ")
def test_markdown_is_kept_or_refused(text: str) -> None:
    """A space that does not break is code to Markdown where it stands far enough in, and here it is
    a blank line.
    """
    found = as_markdown(lines_of(text))
    if found is not None:
        assert is_rule_text(found.text)
        flush = any(line[:1].strip() for line in text.split("\n"))
        if flush and is_rule_text(text) and not found.rewritten:
            assert visible(found.text) == visible(text)


@given(MARKDOWN | PROSE | st.text(st.sampled_from("a -=#<`~\n\r>"), max_size=12))
@example("Title\r---\ra")
@example("> Title\n> ---")
@example("> - <!--\n> ")
def test_a_text_is_sound_as_the_parser_says(text: str) -> None:
    assert is_rule_text(text) == (bool(text.strip()) and sound_by_parser(text))


@pytest.mark.parametrize("name", shipped_maps())
@given(
    st.lists(MARKUP | HEADS, max_size=30).map("".join),
    st.sampled_from([None, "mutable", "a=101,b,c=1-"]),
)
@example("## 101\n\n> - <!--\n> ", None)
@example("Rule 101\n```\n ", None)
@example("## 101\n\xa0", None)
def test_no_text_makes_an_import_fail(name: str, text: str, typed: str | None) -> None:
    found = imported(text, name, tiers=typed)
    last = text.count("\n") + text.count("\r") + 1
    assert all(1 <= one.span.line <= last and one.span.column >= 1 for one in found.findings)
    assert found.files or found.findings
