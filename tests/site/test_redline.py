"""Redlines, word by word, and as they are laid out: no raw Markdown, and what was moved as
moved.
"""

from __future__ import annotations

import html
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicgen.history.redline import redline
from nomicgen.site.texts.player_html import seen_text
from nomicgen.site.texts.redline_html import redline_html, words_html

MARKS = {"equal": "{}", "insert": "[+{}+]", "delete": "[-{}-]"}
PIECES = [
    "a",
    "rule",
    "the",
    " ",
    " ",
    ", ",
    ".",
    "\n",
    "\n\n",
    "é",
    "don't",
    "\n- ",
    "  \n  ",
    "¶",
    "2/3",
    "by-law",
]
TEXTS = st.lists(st.sampled_from(PIECES)).map("".join)
WORDS = st.lists(
    st.sampled_from(["ferry", "bell", "by-law", "2/3", "1,000", "player's"]),
    min_size=1,
    max_size=12,
)
BLANKS = st.sampled_from([" ", "  ", "\n", " \n", "\n   ", "\t"])


def shown(old: str, new: str) -> str:
    return "".join(MARKS[one.kind].format(one.text) for one in redline(old, new))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "", ""),
        ("same", "same", "same"),
        ("", "new text", "[+new text+]"),
        ("old text", "", "[-old text-]"),
        (
            "A rule-change is adopted if all vote for it. So be it.",
            "A rule-change is adopted if a simple majority votes for it, openly. So be it.",
            "A rule-change is adopted if [-all vote-][+a simple majority votes+] for it[+, "
            "openly+]. So be it.",
        ),
        ("ten days", "twenty nights", "[-ten days-][+twenty nights+]"),
        ("It binds all.", "It binds nobody.", "It binds [-all-][+nobody+]."),
        ("One.\n\nTwo.", "One.\n\nTwo.\n\nThree.", "One.\n\nTwo.\n\n[+Three.+]"),
        ("One.\n\nTwo.\n\nThree.", "One.\n\nThree.", "One.\n\n[-Two.-]\n\nThree."),
        (
            "It is half. Enough.",
            "It is half. So it is. Enough.",
            "It is half. [+So it is.+] Enough.",
        ),
        (
            "It is half. So it is. Enough.",
            "It is half. Enough.",
            "It is half. [-So it is.-] Enough.",
        ),
        (
            "- More than half.\n\nWhere",
            "- More than half.\n- All.\n\nWhere",
            "- More than half.\n[+- All.+]\n\nWhere",
        ),
    ],
)
def test_redlines(old: str, new: str, expected: str) -> None:
    assert shown(old, new) == expected


@given(TEXTS, TEXTS)
def test_both_texts_can_be_read_out_of_a_redline(old: str, new: str) -> None:
    found = redline(old, new)
    assert "".join(one.old for one in found) == old
    assert "".join(one.new for one in found) == new
    assert all(one.text for one in found)
    # Only space differs in what is equal, be it before a comma.
    words = [
        ["".join(text.split()) for text in (one.old, one.new, one.text)]
        for one in found
        if one.kind == "equal"
    ]
    assert all(old == new == shown for old, new, shown in words)
    assert all(not one.new and one.text.strip() for one in found if one.kind == "delete")
    assert all(not one.old and one.text.strip() for one in found if one.kind == "insert")
    assert all(one.kind != other.kind for one, other in pairwise(found))
    assert ("insert", "delete") not in {(one.kind, other.kind) for one, other in pairwise(found)}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("The colour of it.", "The colours of it.", "The [-colour-][+colours+] of it."),
        (
            "A rule-change binds.",
            "A rule-changer binds.",
            "A [-rule-change-][+rule-changer+] binds.",
        ),
        ("The player's vote", "The players' vote", "The [-player's-][+players'+] vote"),
        ("at least 2/3 of us", "at least 3/4 of us", "at least [-2/3-][+3/4+] of us"),
        ("pays 1,000 points", "pays 1,500 points", "pays [-1,000-][+1,500+] points"),
        ("more than 15% of", "more than 20% of", "more than [-15%-][+20%+] of"),
        (
            "on 2020-07-01 at 18:30",
            "on 2020-07-02 at 18:45",
            "on [-2020-07-01-][+2020-07-02+] at [-18:30-][+18:45+]",
        ),
        ("Rule 203/1 stands", "Rule 203/2 stands", "Rule [-203/1-][+203/2+] stands"),
        ("So be it", "So be it.", "So be it[+.+]"),
        ("all, or none", "all or none", "all[-,-] or none"),
    ],
)
def test_a_changed_word_is_shown_whole(old: str, new: str, expected: str) -> None:
    assert shown(old, new) == expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("One line\nwrapped here.", "One\nline wrapped   here.", "One\nline wrapped   here."),
        ("It ends.  \nHere.", "It ends.\nHere.", "It ends.\nHere."),
        ("One.\n\n\nTwo.", "One.\n\nTwo.", "One.\n\nTwo."),
        ("- one\n- two", "- one\n\n- two", "- one\n\n- two"),
        ("One. Two.", "One.\n\nTwo.", "One.\n\n[+¶+]Two."),
        ("One.\n\nTwo.", "One. Two.", "One. [-¶-]Two."),
        ("either - or", "either\n- or", "either\n[+¶+]- or"),
        ("¶ One. Two.", "One. Two.", "[-¶-] One. Two."),
        ("Keep this word.", "Keep word.", "Keep [-this-] word."),
        ("Keep word.", "Keep this  word.", "Keep [+this+]  word."),
    ],
)
def test_blanks_are_no_change_and_paragraphs_are(old: str, new: str, expected: str) -> None:
    assert shown(old, new) == expected


@given(WORDS, st.data())
def test_moved_blanks_are_no_change(words: list[str], data: st.DataObject) -> None:
    old, new = ("".join(f"{word}{data.draw(BLANKS)}" for word in words) for _ in range(2))
    assert shown(old, new) == new


@given(WORDS, WORDS)
def test_words_are_never_cut(old: list[str], new: list[str]) -> None:
    found = redline(" ".join(old), " ".join(new))
    assert [word for one in found if one.kind != "insert" for word in one.text.split()] == old
    assert [word for one in found if one.kind != "delete" for word in one.text.split()] == new


def test_very_long_texts_are_compared_by_paragraphs() -> None:
    old = "".join(f"Paragraph {number} says little.\n\n" for number in range(1500))
    new = old.replace("Paragraph 700 says", "Paragraph 700 said")
    changed = [one for one in redline(old, new) if one.kind != "equal"]
    assert [one.text for one in changed] == [
        "Paragraph 700 says little.",
        "Paragraph 700 said little.",
    ]
    moved = [one.kind for one in redline(old, old.replace(" says ", "  says\n"))]
    assert moved == ["equal"]


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
        (
            "```\na\nb\n```",
            "```\na\nb\nc\n```",
            '<pre class="n-b-code"><code>a\nb\n<ins>c</ins></code></pre>',
        ),
        (
            TABLE,
            TABLE.replace("10", "12"),
            '<div class="n-scroll"><table '
            'class="n-table"><tbody><tr><th>votes</th><th>points</th></tr>'
            "<tr><td>one</td><td>5</td></tr><tr><td>two</td><td><del>10</del><ins>12</ins></td></tr></tbody></table></div>",
        ),
        ("Gone.", "", '<p class="n-b-paragraph"><del>Gone.</del></p>'),
        (
            "",
            "Come <b>x</b>.",
            '<p class="n-b-paragraph"><ins>Come &lt;b&gt;x&lt;/b&gt;.</ins></p>',
        ),
        (
            "Votes are cast in writing. The chair counts them all at noon.",
            "The chair counts them all at noon. Votes are cast in writing.",
            '<p class="n-b-paragraph"><del class="n-moved">Votes are cast in writing.</del> '
            'The chair counts them all at noon. <ins class="n-moved">Votes are cast in '
            "writing.</ins></p>",
        ),
    ],
)
def test_a_redline_is_laid_out(old: str, new: str, expected: str) -> None:
    assert laid_out(old, new) == expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("It is half. So it is. Enough.", "It is half. Enough.", "It is half. So it is. Enough."),
        ("First. Then all.", "Then all.", "First. Then all."),
        ("One. Two goes.\n\nThree.", "One.\n\nThree.", "One. Two goes.Three."),
    ],
)
def test_deleted_words_are_parted_from_their_neighbours(old: str, new: str, expected: str) -> None:
    assert words(laid_out(old, new)) == expected


def test_no_raw_markdown_is_left() -> None:
    found = words(
        str(
            redline_html(
                f"So be it.\n\n{TABLE}", f"So **be** it.\n\n- one\n- two\n\n{TABLE}\n| three | 15 |"
            )
        )
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
LAID_OUT = st.lists(st.sampled_from(BLOCKS), max_size=5).map("\n\n".join)


def bare(text: str) -> str:
    return re.sub(r"[\s¶·¦]|\d\.|•", "", text)


@given(LAID_OUT, LAID_OUT)
def test_both_texts_can_be_read_from_it(old: str, new: str) -> None:
    found = str(redline_html(old, new))
    found = re.sub(r'<span class="n-b-marker">[^<]*</span>', "", found)
    now = words(re.sub(r"<del[^>]*>.*?</del>", "", found, flags=re.DOTALL))
    before = words(re.sub(r"<ins[^>]*>.*?</ins>", "", found, flags=re.DOTALL))
    assert bare(now) == bare(seen_text(new))
    assert sorted(bare(before)) == sorted(bare(seen_text(old)))


def test_a_line_of_words_is_no_paragraph() -> None:
    assert words_html("a < b", "a < c") == "a &lt; <del>b</del><ins>c</ins>"
