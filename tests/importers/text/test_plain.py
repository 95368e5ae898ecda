"""A rule's plain text as Markdown: paragraphs, labels, verses, and what Markdown would take for its
own.
"""

from __future__ import annotations

import textwrap

import pytest

from nomicgen.importers.lines import Line, ranges_of
from nomicgen.importers.rule_text.blocks import plain_as_markdown, room_in
from nomicgen.importers.rule_text.from_markdown import RuleMarkdown, as_markdown
from tests.importers.texts import bodies, imported, lines_of, said, visible

LONG = "A line that is long enough to show how wide the whole of this text is set"
"""73 characters."""


def plain(*lines: str, room: int | None = 58) -> str:
    return plain_as_markdown(lines_of("\n".join(lines)), room)


class TestParagraphs:
    def test_wrapped_lines_stay_lines_of_a_paragraph(self) -> None:
        assert (
            plain(LONG, LONG, "and its end.", "", "Another.")
            == f"{LONG}\n{LONG}\nand its end.\n\nAnother."
        )

    def test_indentation_is_dropped(self) -> None:
        assert plain("     One", "", "  two", "\tthree") == "One\n\ntwo  \nthree"
        assert plain(f"     {LONG}", "   two") == f"{LONG}\ntwo"

    def test_runs_of_spaces_are_one(self) -> None:
        assert (
            plain("One.  Two\xa0\xa0three.", "four\tfive ", "six", room=6)
            == "One. Two three.\nfour five\nsix"
        )

    def test_blank_lines_are_one(self) -> None:
        assert plain("One.", "", " ", "", "Two.") == "One.\n\nTwo."

    def test_the_first_line_may_follow_a_number(self) -> None:
        lines = [Line(1, 6, "One of these"), Line(2, 1, "     - a"), Line(3, 1, "     - b")]
        assert plain_as_markdown(lines, 58) == "One of these  \n\\- a  \n\\- b"


class TestVerses:
    VERSE = ("Lamp, lamp,", "burn till late,", "at the gate.")

    def test_a_verse_keeps_its_lines(self) -> None:
        assert plain(*self.VERSE) == "Lamp, lamp,  \nburn till late,  \nat the gate."

    def test_an_indented_verse(self) -> None:
        assert plain("Sing:", "", *(f"        {line}" for line in self.VERSE)) == (
            "Sing:\n\nLamp, lamp,  \nburn till late,  \nat the gate."
        )

    def test_a_short_line_above_a_paragraph(self) -> None:
        assert (
            plain("The lamps.", LONG, LONG, "and their end.")
            == f"The lamps.  \n{LONG}\n{LONG}\nand their end."
        )

    def test_a_ragged_paragraph_is_no_verse(self) -> None:
        lines = (LONG, LONG[:52], LONG[:66], "its end.")
        assert plain(*lines) == "\n".join(lines)

    def test_where_nothing_is_wrapped_every_break_is_meant(self) -> None:
        assert plain(LONG, "and more.", room=None) == f"{LONG}  \nand more."

    @pytest.mark.parametrize(
        ("lengths", "room"),
        [
            ([], None),
            ([10, 20], 48),
            ([72, 70, 71, 30], 57),
            ([72] * 40 + [30], 72),
            ([72] * 20 + [30] * 20, 57),
            ([40] * 40, 40),
            ([300, 20], None),
            ([72] * 99 + [300], 72),
            ([72] * 40 + [300, 300, 300], None),
        ],
    )
    def test_how_much_room_a_line_has(self, lengths: list[int], room: int | None) -> None:
        assert room_in([Line(at, 1, "x" * length) for at, length in enumerate(lengths)]) == room

    def test_a_verse_among_lines_that_are_filled(self) -> None:
        prose = textwrap.wrap("Whoever plays obeys the rules as they are read aloud. " * 30, 72)
        verse = [
            "Whoever lights a lamp at night and sings a song of it,",
            "may keep the oil that is not burnt and sell a little bit.",
        ]
        text = "\n".join(
            ["Rule 1", "", *prose, "", "Rule 2", "", *verse, "", "Rule 3", "", *prose, ""]
        )
        assert bodies(imported(text, "named")) == {
            1: "\n".join(prose),
            2: "  \n".join(verse),
            3: "\n".join(prose),
        }


class TestLabels:
    """A list keeps its own labels, each at the start of a line."""

    @pytest.mark.parametrize(
        ("lines", "text"),
        [
            (("Say:", "  1. why", "  2. when"), "Say:  \n1\\. why  \n2\\. when"),
            (("(a) one", "  (i) in", "(b) two"), "(a) one  \n(i) in  \n(b) two"),
            (("I. one", "II. two"), "I. one  \nII. two"),
            (("- one", "- two"), "\\- one  \n\\- two"),
            (("•one", "•two"), "•one  \n•two"),
            ((LONG, "- and so on"), f"{LONG}  \n\\- and so on"),
            ((f"1. {LONG[3:]}", "goes on", "2. two"), f"1\\. {LONG[3:]}\ngoes on  \n2\\. two"),
            ((LONG, "305. That is a number."), f"{LONG}  \n305\\. That is a number."),
            (("1. alone",), "1\\. alone"),
        ],
    )
    def test_lines_with_labels(self, lines: tuple[str, ...], text: str) -> None:
        assert plain(*lines) == text


class TestEscapes:
    @pytest.mark.parametrize(
        ("text", "markdown"),
        [
            ("*all* and _most_ and **both**", "*all* and _most_ and **both**"),
            ("2*3*4 and snake_case and x*", "2\\*3\\*4 and snake_case and x\\*"),
            ("a _b c", "a \\_b c"),
            ("`code` and ``quote''", "\\`code\\` and \\`\\`quote''"),
            ("a\\b \\* c", "a\\\\b \\\\\\* c"),
            ("[sic] [a](b) [c][d] [e]: f", "[sic] [a\\](b) [c\\][d] [e\\]: f"),
            ("<b> 1 < 2 <!-- a@b <c@d>", "\\<b> 1 < 2 \\<!-- a@b \\<c@d>"),
            ("R&D &amp; &#65; &x", "R&D \\&amp; \\&#65; &x"),
            ("~20 and ~~30~~", "\\~20 and \\~\\~30\\~\\~"),
            ("~20 and $3", "~20 and $3"),
            ("$3 to $4", "\\$3 to \\$4"),
            ("at 12:30:00 :tea: now", "at 12:30:00 \\:tea: now"),
            (
                "see http://lamps.example/a_b_c?d=_e, now",
                "see http://lamps.example/a_b_c?d=_e, now",
            ),
            ("see http://lamps/_a_ or ftp://x", "see http\\://lamps/\\_a\\_ or ftp\\://x"),
            ("# one", "\\# one"),
            ("#one", "#one"),
            ("> one", "\\> one"),
            ("+ one", "\\+ one"),
            ("---", "\\---"),
            ("===", "\\==="),
            ("[ ] done", "\\[ ] done"),
            ("| a | b |", "| a | b |"),
        ],
    )
    def test_what_markdown_would_take_for_its_own(self, text: str, markdown: str) -> None:
        assert plain(text) == markdown

    def test_lines_within_a_paragraph(self) -> None:
        lines = f"{LONG}  \n\\# a {LONG}\n{LONG}  \n\\> b"
        assert plain(LONG, f"# a {LONG}", LONG, "> b") == lines
        assert plain(LONG, "---", LONG) == f"{LONG}\n\\---  \n{LONG}"
        assert plain("| a |", "|---|", "| b |", room=None) == "| a |  \n\\|---|  \n| b |"

    def test_emphasis_over_two_lines(self) -> None:
        assert plain(f"{LONG} *all", "of it* is") == f"{LONG} *all\nof it* is"


class TestMarkdown:
    """A text in Markdown is kept as it stands, but for what no rule's text can hold."""

    @pytest.mark.parametrize(
        "text",
        [
            "Some `code*` and [a link](https://lamps.example), **bold**.",
            "- a\n  - b\n\n1. c\n\n| d | e |\n|---|---|\n| 1 | 2 |",
            "Two lines  \nwith a break<br>and H<sub>2</sub>O",
            "### A heading\n\n> quoted\n\n```\n# code\n```",
            "    indented code",
        ],
    )
    def test_it_is_kept(self, text: str) -> None:
        assert as_markdown(lines_of(text)) == RuleMarkdown(
            text=text if text[0] != " " else text.lstrip()
        )

    @pytest.mark.parametrize(
        ("text", "made"),
        [
            ("# One\n\nx\n\n## Two", "### One\n\nx\n\n### Two"),
            ("One\n\nTwo *of*\nthree\n===\n\nx", "One\n\n### Two *of* three\n\nx"),
            ("> ## One", "> ### One"),
            ("```yaml rule\na: b\n```", "```yaml\na: b\n```"),
        ],
    )
    def test_what_no_rule_can_hold(self, text: str, made: str) -> None:
        assert as_markdown(lines_of(text)) == RuleMarkdown(text=made, rewritten=True)

    @pytest.mark.parametrize(
        ("text", "made"),
        [
            ("*A*\n\n<br/>\n\n- x\n- y", "*A*\n\n- x\n- y"),
            ("a<br/>b <BR>c\n\n<hr>\nd", "a<br>b <br>c\n\n---\n\nd"),
            (
                "a <b>c</b> `<b>` <i> d</i>e <sub class=x>f</sub>",
                "a **c** `<b>`  *d*e <sub>f</sub>",
            ),
            ("<p>One <em>two</em>\n</p>\n<center>Three</center>", "One *two*\n\nThree"),
            (
                "<h2>Lamps</h2>\n<ul>\n<li>a</li>\n<li><code>b</code>\n</ul>\nend",
                "### Lamps\n\n- a\n- `b`\n\nend",
            ),
            ("<div>\n\n# One\n\n</div>", "### One"),
            ('<a href="https://a.example/(x)">**y**</a>', "[**y**](<https://a.example/(x)>)"),
            ("<img src='../i/a b.png' alt=\"A [b]\" onerror=x>", "![A \\[b\\]](<../i/a b.png>)"),
            ("<a href='javascript:x'>k</a> <a href=\"//e.example\">k</a>", None),
            ("<img src='data:image/png;base64,AA'> <img alt=x>", None),
            ("<b>\n- x\n</b> <b><b>", None),
            ("<script>alert(1)</script> <!-- e --> <u>v</u>", None),
            (
                "```\n<b>a</b>\n```\n\n<span>\nx\n</span>",
                "```\n<b>a</b>\n```\n\n\\<span>\nx\n\\</span>",
            ),
        ],
    )
    def test_html_is_written_as_markdown_or_shown(self, text: str, made: str | None) -> None:
        found = as_markdown(lines_of(text))
        assert found is not None
        assert found.text == (text.replace("<", "\\<") if made is None else made)

    def test_html_is_told_of(self) -> None:
        found = as_markdown(lines_of("<b>a</b>\n\n<u>b</u> <b>c</b>\n\nd<br>"))
        assert found == RuleMarkdown(text="**a**\n\n\\<u>b\\</u> **c**\n\nd<br>", rewritten=True)
        whole = imported("## 201\n\n<b>a</b>\n\n- *b*\n", "headings")
        assert bodies(whole) == {201: "**a**\n\n- *b*"}
        told = "a heading of level 1 or 2, a block of provisions or HTML is in the rule's text"
        assert f"3 import-markdown: {told}" in said(whole)

    def test_what_is_no_text_of_a_rule_is_kept_as_plain_words(self) -> None:
        assert as_markdown(lines_of("```\nnever closed")) is None
        found = imported("## 201\n\n```\nnever closed\n\n> # x\n", "headings")
        assert visible(bodies(found)[201]) == "``` never closed > # x"
        assert "3 import-markdown: the text holds HTML or Markdown that a rule cannot have" in said(
            found
        )

    def test_a_text_is_markdown_where_the_map_says_so(self) -> None:
        for form, text in (("plain", "A \\`b\\`."), ("markdown", "A `b`.")):
            found = imported(
                "201. A `b`.\n", f"rule: {{heading: '(?P<number>\\d+)\\. '}}\ntext: {form}\n"
            )
            assert bodies(found) == {201: text}

    def test_the_text_of_a_numbered_list_is_moved_to_the_margin(self) -> None:
        found = imported(
            "201. A:\n\n     - b\n\n         code\n202. C\n",
            "rule: {heading: '(?P<number>\\d+)\\. '}",
        )
        assert bodies(found) == {201: "A:\n\n- b\n\n    code", 202: "C"}


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ([], ""),
        ([5], "5"),
        ([1, 2, 3, 5], "1–3, 5"),
        (range(1, 40, 2), "1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23 and 8 more runs"),
    ],
)
def test_numbers_are_spelt_in_runs(numbers: list[int], text: str) -> None:
    assert ranges_of(numbers) == text
