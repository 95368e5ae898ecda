"""The reader of maps: rulesets that a test writes are read back exactly, and no word of any file is
lost.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nomicgen.importers.map_reader import MapReader
from nomicgen.importers.source_map import parse_map, shipped_maps
from tests.importers.texts import read, shown, slips, texts, words, words_read

ROMAN = (
    (100, "C"),
    (90, "XC"),
    (50, "L"),
    (40, "XL"),
    (10, "X"),
    (9, "IX"),
    (5, "V"),
    (4, "IV"),
    (1, "I"),
)


def roman(number: int) -> str:
    for value, letters in ROMAN:
        if number >= value:
            return letters + roman(number - value)
    return ""


def letters(number: int) -> str:
    more, last = divmod(number - 1, 26)
    return (chr(64 + more) if more else "") + chr(65 + last)


@dataclass(frozen=True)
class Style:
    """A way to write rules, and the map's keys that read it; `head` is what stands above a rule's
    text.
    """

    rule: str
    head: str
    spelt: Callable[[int], str] = str
    sections: bool = True
    least: int = 2


COMMON = "omit: [{lines: '~~ page .* ~~', why: pages}]\n"
LINES = "section: ['== (?P<tier>immutable|mutable) ==$']\nends: ['# ']\n"
STYLES = {
    "headings": Style(r"heading: '## (?P<number>\d+)(?:: (?P<title>.+))?$'", "## {n}: {t}\n\n"),
    "dots": Style(r"heading: '(?P<number>\d+)\.$', range: '100-199, 250-'", "{n}.\n", least=300),
    "dots in a line": Style(r"heading: '(?P<number>\d+)\. ', range: 100-", "{n}. ", least=100),
    "roman": Style(
        r"heading: 'ARTICLE (?P<number>\w+)\. (?P<title>.+)$', number: roman",
        "ARTICLE {n}. {t}\n",
        roman,
    ),
    "letters": Style(r"heading: '§ (?P<number>[A-Z]+)$', number: letters", "§ {n}\n", letters),
    "below": Style(
        r"heading: '(?P<number>\d+)/0$', below: '\* (?P<title>.+) \*'", "{n}/0\n* {t} *\n"
    ),
    "split": Style(r"split: '\[(?P<number>\d+)\] '", "[{n}] ", sections=False),
}
CODE = (
    "```\n## 7: Code\n\n8.\n250. Code\nARTICLE IX. Code\n§ Q\n9/0\n* Code *\n[6] code\n# Code\n```"
)
BLOCKS = [
    "All obey.",
    "1. If so,\n2. if not",
    CODE,
    "- See 101. Or 102.\n- b",
    "Grüße, 3 May.\n301",
    "~~~\n# a\n~~~",
]
TITLES = ["Oil", "Of lamps: how", "Über 3"]
Rule = tuple[int, str, list[str], bool]


@st.composite
def rules(draw: st.DrawFn, least: int) -> list[Rule]:
    numbers = sorted(draw(st.sets(st.integers(least, least + 90), min_size=1, max_size=6)))
    bodies = st.lists(st.sampled_from(BLOCKS), min_size=1, max_size=3)
    return [
        (number, draw(st.sampled_from(TITLES)), draw(bodies), draw(st.booleans()))
        for number in numbers
    ]


@pytest.mark.parametrize("name", STYLES)
@given(data=st.data())
def test_what_is_written_is_read_back(name: str, data: st.DataObject) -> None:
    style = STYLES[name]
    drawn = data.draw(rules(style.least))
    cut = data.draw(st.integers(0, len(drawn))) if style.sections else len(drawn)
    notes = data.draw(st.booleans()) and style.sections
    text, expected, outside = "A club\n~~ page 1 ~~\n\n", [], ["A club"]
    # The lower numbers come last, below a heading that makes numbers begin anew.
    for at, (number, title, blocks, paged) in enumerate([*drawn[cut:], *drawn[:cut]]):
        tier = None if not style.sections else "immutable" if at < len(drawn) - cut else "mutable"
        if style.sections and at in (0, len(drawn) - cut):
            text += f"== {tier} ==\n"
        body = "\n\n".join(blocks)
        head = style.head.format(n=style.spelt(number), t=title)
        if not head.endswith("\n"):
            body = f"All play.\n\n{body}"
        text += f"{head}{body}\n{'~~ page 2 ~~' if paged else ''}\n\n"
        if notes:
            text += "# Notes\n\nNobody read this.\n\n"
            outside.append("# Notes\n\nNobody read this.")
        expected.append((number, title if "{t}" in style.head else None, tier, body))
    found = read(text, f"rule: {{{style.rule}}}\n{COMMON}{LINES if style.sections else ''}")
    assert [(one.number, one.title, one.tier, one.text) for one in found.passages] == expected
    assert [part.strip() for _, part in found.outside] == outside
    assert {one.slug for one in found.slips} <= {"outside"}
    assert found.above
    rows = text.split("\n")
    for line, one in found.rules:
        assert style.head.partition("{")[0] + style.spelt(one.number) in rows[line - 1]


PIECES = st.sampled_from(
    [
        *(
            "RULE 1\n",
            "RULE 7 Oil\n",
            "RULE 2",
            "RULE 0\n",
            "\nRULE 31 Lamps *a*\n",
            "RULE 7\n",
            "RULE 9999999999\n",
        ),
        *(
            "SECTION MUTABLE\n",
            "SECTION odd words\n",
            "END\n",
            "END of it\n",
            "OMIT\n",
            "OMIT\n\n",
            "\n",
            "\n\n",
            " ",
        ),
        *(
            "```\n",
            "~~~",
            "    ",
            "- a",
            "1. b",
            "> c\n",
            "---\n",
            "RULE ",
            "obey, all",
            "é",
            "e\u0301",
            "\r\n",
            "\t",
        ),
        *(
            "é101. Oil",
            " 102. é201. Lamps II. Mutable Rules.é ",
            "\nArticle IV.é\n",
            "\n== 7 é\n",
            "\n## 8 [void]: é\n",
        ),
        *("<!--", "-->\n", "a < b", "`x`", "\u200b", "\x00", "# h\n", "=====\n", "| a |\n|---|\n"),
    ]
)
FILES = st.lists(PIECES, max_size=25).map("".join)
OWN = r"""
section: ['SECTION(?: (?P<tier>MUTABLE))?']
ends: ['END']
omit: [{lines: OMIT, why: said}]
rule: {heading: 'RULE (?P<number>\d+)(?: (?P<title>\S.*))?$', sequence: SEQUENCE}
text: TEXT
"""


@pytest.mark.parametrize("form", ["markdown", "plain"])
@pytest.mark.parametrize("sequence", ["rising", "any"])
@given(text=FILES)
@example(text="RULE 1\nRULE 1 a\nb\nRULE 0\nc\nRULE 2\nd\n")
@example(text="RULE 1\n```\nRULE 2\n```\nRULE 3\n```\nRULE 4\n")
def test_no_word_is_lost_and_none_comes_twice(form: str, sequence: str, text: str) -> None:
    """What a heading says is no rule's text; all else is in a rule, or said to be in none."""
    found = read(text, OWN.replace("TEXT", form).replace("SEQUENCE", sequence))
    if not found.readable:
        assert "\0" in text
        return
    plain = text.replace("\u200b", "").replace("e\u0301", "é").replace("\r\n", "\n")
    there, placed = words(plain), words_read(found)
    assert not placed - there
    assert all(
        word in ("RULE", "SECTION", "MUTABLE", "OMIT") or word.isdigit() for word in there - placed
    )
    assert all(1 <= one.line <= plain.count("\n") + 1 for one in found.slips)
    assert not there.keys() - {"OMIT"} or found.rules or found.slips
    numbers = [one.number for one in found.passages]
    assert 0 not in numbers
    assert len(numbers) == len(set(numbers))


@given(
    st.binary(max_size=60) | FILES.map(str.encode),
    st.sampled_from(sorted(shipped_maps())),
    st.sampled_from(["rules.txt", "rules/101.md"]),
)
@example(b"---\nnumber: 1\n---\n", "front-matter", "a.md")
@example(b"\xff\xfe\x00\xd8", "headings", "a.md")
@example(b"\xef\xbb\xbf## 1\n\nA", "headings", "a.md")
def test_no_bytes_make_a_map_that_ships_fail(data: bytes, name: str, path: str) -> None:
    shown(read(data, name, path))


@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "cp1252"])
def test_a_file_may_be_coded_in_many_ways(coding: str) -> None:
    data = ("\ufeff" if coding == "utf-16-be" else "").encode(
        coding
    ) + "## 101\r\n\r\nGrüße.\r\n".encode(coding)
    assert texts(read(data, "headings")) == {101: "Grüße."}


def test_what_is_left_out_is_told() -> None:
    found = read("## 0\n\nBe.\n\n## 5\n\nDo.\n\n## 3\n\nAgain.\n\n## 6\n", "headings")
    assert texts(found) == {5: "Do.\n\n### 3\n\nAgain.", 6: None}
    assert slips(found) == [
        "1 outside: no rule of a game has the number 0",
        "7 text-html: a heading of level 1 or 2, a block of provisions or HTML is in the "
        "rule's text",
        "9 number-unrisen: 3 stands below 5, and by the map numbers rise",
        "13 text-empty: Rule 6 has no text",
    ]
    assert found.outside == ((1, "## 0\n\nBe.\n"),)


def test_code_that_is_never_closed_hides_no_rule() -> None:
    assert texts(read("## 1\n\n```\n\n## 2\n\nB.\n", "headings")) == {1: "\\`\\`\\`", 2: "B."}


PAGE = """<html><body>
<h2><span>Rule 1: Peace</span></h2>
<p>Keep the <b>peace</b>.</p>
<!--
<h2><span>Rule 2: War</span></h2>
-->
<h2><span>Rule 3: Lamps</span></h2>
<p>Lamps are lit.</p>
</body></html>
"""


def test_a_pattern_for_a_tag_finds_rules_in_a_web_page() -> None:
    found = read(
        PAGE,
        r"""rule: {heading: '<h2>.*?Rule (?P<number>\d+): (?P<title>[^<]*).*'}
omit: [{from: '<!--', to: '-->', why: a comment}]
""",
    )
    assert [(one.number, one.title) for one in found.passages] == [(1, "Peace"), (3, "Lamps")]
    assert texts(found) == {1: "Keep the **peace**.", 3: "Lamps are lit."}
    commented = read(
        "## 1\n\nA.\n<!--\n<h2>2\n-->\n", r"rule: {heading: '(## |<h2>)(?P<number>\d+)'}"
    )
    assert [one.number for one in commented.passages] == [1]


@pytest.mark.parametrize(
    ("rule", "text", "why"),
    [
        (
            r"{heading: '§ (?P<number>[\d-]+)'}",
            "§ 1-2\nA.\n",
            "`1-2` is no number by `number: arabic`",
        ),
        (r"{heading: '§ (?P<number>\d+)', range: 5-}", "§ 1\nA.\n", "1 is not in `range`"),
        (
            r"{heading: '§ (?P<number>\d+)', below: '\*.*'}",
            "§ 1\nA.\n",
            "the line below it does not match `below`",
        ),
        (r"{heading: '§ (?P<number>\d+)'}", "```\n§ 1\n```\n", "it stands in code or HTML"),
    ],
)
def test_why_a_heading_begins_no_rule(rule: str, text: str, why: str) -> None:
    (said,) = slips(read(text, f"rule: {rule}"))
    assert said.startswith("1 file-without-rule: no line in this file begins a rule; line ")
    assert said.endswith(f" has the form of a heading, but {why}")


def test_many_headings_in_code_are_passed_over_at_once() -> None:
    code = "```\n" + "".join(f"## {number}\n" for number in range(2, 800)) + "```"
    assert texts(read(f"## 1\n\n{code}\n\n## 4000\n\nB.\n", "headings")) == {1: code, 4000: "B."}


@given(
    st.lists(
        st.sampled_from(["## 9\n", "```\n", "<!--\n", "-->\n", "a\n", "~~~\n", "\n"]), max_size=8
    ).map("".join)
)
@example("```\n## 9\n```\n")
def test_what_stands_beside_a_rule_does_not_change_it(text: str) -> None:
    """Texts are kept by their words, and read once."""
    alone = read(f"## 10\n\n{text}", "headings").passages[0]
    again = read(f"## 1\n\nA.\n\n## 10\n\n{text}", "headings").passages[1]
    assert alone == again


def test_what_is_left_out_of_a_file_that_is_one_rule_leaves_nothing_behind() -> None:
    own = (
        "rule: {path: 'r/(?P<number>[0-9]+)[.]md'}\nends: ['# ']\n"
        "omit: [{lines: '# .*', why: titles}]\n"
    )
    found = MapReader(parse_map(own)).read(b"Obey.\n\n# Footer\n\nAlways.\n", "r/7.md")
    assert [(one.number, one.text) for one in found.passages] == [(7, "Obey.\n\n\nAlways.")]


def test_a_section_and_a_rule_may_begin_in_one_place() -> None:
    own = "rule: {split: '(?P<number>[0-9]{3})[.] '}\nsection: ['[0-9]{3}']\ntext: plain\n"
    assert texts(MapReader(parse_map(own)).read(b"101. Obey. 102. Rest.")) == {
        101: "Obey.",
        102: "Rest.",
    }


def test_a_number_that_the_heading_contradicts_is_told_with_who_says_it() -> None:
    own = "rule: {path: 'r/(?P<number>[0-9]+)[.]md', heading: '# (?P<number>[0-9]+)$'}\n"
    keys = "front_matter: {number: number}\n"
    for before, keyed, says in (
        ("", own, "file's name"),
        ("---\nnumber: 7\n---\n", own + keys, "front matter"),
    ):
        found = MapReader(parse_map(keyed)).read(f"{before}# 8\n\nObey.\n".encode(), "r/7.md")
        assert [one.outcome for one in found.slips] == [f"it is Rule 7, as the {says} says"]
