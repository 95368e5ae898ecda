"""Redlines as they are laid out: no raw Markdown, tables and lists as such, and what was moved as moved."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicgen.site.texts.player_html import seen_text
from nomicgen.site.texts.redline_html import redline_html, words_html

TABLE = "| votes | points |\n|:---:|---:|\n| one | 5 |\n| two | 10 |"


def laid_out(old: str, new: str) -> str:
    found = str(redline_html(old, new))
    assert found.startswith('<div class="n-blocks">')
    assert found.endswith("</div>")
    return found.removeprefix('<div class="n-blocks">').removesuffix("</div>")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "All *must* agree.",
            "All players *must* agree.",
            '<p class="n-b-paragraph">All <ins>players</ins> <em>must</em> agree.</p>',
        ),
        (
            "Keep.",
            "Keep.\n\nNew.\n\n# Newer",
            '<p class="n-b-paragraph">Keep.</p><p class="n-b-paragraph"><ins>New.</ins></p>'
            '<p class="n-b-heading"><ins>Newer</ins></p>',
        ),
        (
            "- tea\n- rum",
            "- tea\n- ale\n- rum",
            '<p class="n-b-item n-b-depth-1"><span class="n-b-marker">•</span> tea</p>'
            '<p class="n-b-item n-b-depth-1"><span class="n-b-marker">•</span> <ins>ale</ins></p>'
            '<p class="n-b-item n-b-depth-1"><span class="n-b-marker">•</span> rum</p>',
        ),
        (
            "One.\n\nTwo goes.\n\nThree.",
            "One.\n\nThree.",
            '<p class="n-b-paragraph">One.</p><p class="n-b-paragraph"><del>Two goes.</del></p>'
            '<p class="n-b-paragraph">Three.</p>',
        ),
        ("```\na\nb\n```", "```\na\nb\nc\n```", '<pre class="n-b-code"><code>a\nb\n<ins>c</ins></code></pre>'),
        (
            TABLE,
            TABLE.replace("10", "12"),
            '<div class="n-scroll"><table class="n-table"><tbody><tr><th>votes</th><th>points</th></tr>'
            "<tr><td>one</td><td>5</td></tr><tr><td>two</td><td><del>10</del><ins>12</ins></td></tr></tbody></table></div>",
        ),
        ("Gone.", "", '<p class="n-b-paragraph"><del>Gone.</del></p>'),
        ("", "Come <b>x</b>.", '<p class="n-b-paragraph"><ins>Come &lt;b&gt;x&lt;/b&gt;.</ins></p>'),
        (
            "Votes are cast in writing. The chair counts them all at noon.",
            "The chair counts them all at noon. Votes are cast in writing.",
            '<p class="n-b-paragraph"><del class="n-moved">Votes are cast in writing.</del>'
            'The chair counts them all at noon. <ins class="n-moved">Votes are cast in writing.</ins></p>',
        ),
    ],
)
def test_a_redline_is_laid_out(old: str, new: str, expected: str) -> None:
    assert laid_out(old, new) == expected


def test_no_raw_markdown_is_left() -> None:
    found = words(
        str(redline_html(f"So be it.\n\n{TABLE}", f"So **be** it.\n\n- one\n- two\n\n{TABLE}\n| three | 15 |"))
    )
    assert not re.search(r"\|:?-|\*\*|^-|¶-", found)


def words(found: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", found))


BLOCKS = [
    "Two gulls vote.",
    "- a *ferry*\n- the `bell`",
    "1. one\n2. two",
    TABLE,
    "# Tide",
    "> A pilot says so.",
    "So.",
]
TEXTS = st.lists(st.sampled_from(BLOCKS), max_size=5).map("\n\n".join)


def bare(text: str) -> str:
    return re.sub(r"[\s¶·¦]|\d\.|•", "", text)


@given(TEXTS, TEXTS)
def test_both_texts_can_be_read_from_it(old: str, new: str) -> None:
    found = str(redline_html(old, new))
    found = re.sub(r'<span class="n-b-marker">[^<]*</span>', "", found)
    now = words(re.sub(r"<del[^>]*>.*?</del>", "", found, flags=re.DOTALL))
    before = words(re.sub(r"<ins[^>]*>.*?</ins>", "", found, flags=re.DOTALL))
    assert bare(now) == bare(seen_text(new))
    assert sorted(bare(before)) == sorted(bare(seen_text(old)))


def test_a_line_of_words_is_no_paragraph() -> None:
    assert words_html("a < b", "a < c") == "a &lt; <del>b</del><ins>c</ins>"
