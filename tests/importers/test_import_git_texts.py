"""Files of an archive: their rules, part by part; and whether a text is sound."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from nomicgen.importers.git_texts import read_whole
from nomicgen.importers.rule_text.from_markdown import sound, sound_by_parser
from tests.reading import MARKDOWN

LINES = st.sampled_from(
    [
        *(
            "# RULES",
            "## 101/0 (IMMUTABLE)",
            "## 102",
            "## 102/1 (MUTABLE)",
            "## 103/2 (VOID)",
            "##104/0",
            "## 105 players",
        ),
        *("### 7", "# Rule 106", "## Adoption", "## 101/1 (IMUTABLE)", "## History", "##### *History*", "  ## 107/0"),
        *("Words.", "- a list", "", "", " ", "---", "===", "```", "~~~", "    code", "\tcode", "<b>bold</b>", "a < b"),
        *("**108/0**", "## 109/0: A title", "## 110/0 - A title  ", "Caf\u00e9", "Cafe\u0301", "zero\u200bwidth"),
        *(
            "<!-- a comment",
            "-->",
            "Title\n-----",
            "[*Enacted by Proposal 301, Mar 2, 2021*](x)",
            "## 111/0 (REPEALED)",
        ),
    ]
)
FILES = st.lists(LINES, max_size=16).map("\n".join)


@given(FILES, FILES)
@example("## 101/0\n\nOne.", "## 102/0 (VOID)\n\nTwo.")
@example("```", "```\n## 101/0")
def test_what_was_read_before_changes_nothing(above: str, below: str) -> None:
    """Parts of files are known by their words: what stands beside them is read anew."""
    text = f"{above}\n{below}"
    before = read_whole(text.encode(), None)
    read_whole(above.encode(), None)
    read_whole(below.encode(), None)
    assert read_whole(text.encode(), None) == before


@given(st.lists(st.integers(101, 130), unique=True, min_size=1), st.data())
def test_a_plain_file_is_read_part_by_part(numbers: list[int], data: st.DataObject) -> None:
    words = st.lists(st.sampled_from(["Words, and more.", "", "- a list", "### A heading", "## No rule"]), max_size=5)
    parts = [f"## {number}/{number % 3}\n\n" + "\n".join(data.draw(words)) for number in numbers]
    found = read_whole("\n\n".join(["# RULES", *parts]).encode(), None)
    assert [one.number for one in found.passages] == numbers
    assert [one.revision for one in found.passages] == [number % 3 for number in numbers]


def test_the_lines_of_rules_are_those_of_the_file() -> None:
    rules = [f"## {number}/0\n\nRule {number}.\n\n" for number in range(101, 106)]
    first = read_whole("".join(rules).encode(), None)
    then = read_whole("".join([*rules[:2], "## 103/1\n\nAnother\ntext.\n\n", *rules[3:]]).encode(), None)
    less = read_whole("".join([rules[0], *rules[3:]]).encode(), None)
    assert [[line for line, _ in file.rules] for file in (first, then, less)] == [
        [1, 5, 9, 13, 17],
        [1, 5, 9, 14, 18],
        [1, 5, 9],
    ]
    assert [one.number for one in less.passages] == [101, 104, 105]
    assert then.passages[2].text == "Another\ntext."


@given(st.sampled_from(["```\n## 102/0\n```", "<!--\n## 102/0\n-->", "~~~\n\n## 102/0\n\n~~~"]))
def test_a_heading_in_code_begins_no_rule(code: str) -> None:
    found = read_whole(f"## 101/0\n\n{code}\n\n## 103/0\n\nThree.\n".encode(), None)
    assert [one.number for one in found.passages] == [101, 103]


def test_code_that_is_never_closed_hides_no_rule() -> None:
    found = read_whole(b"## 101/0\n\n```\n\n## 102/0\n\nTwo.\n\n## 103/0\n\nThree.\n", None)
    assert [one.number for one in found.passages] == [101, 102, 103]
    assert ("fence-open", 5) in {(one.slug, one.line) for one in found.slips}


def test_what_is_as_it_was_is_the_same() -> None:
    first = read_whole(b"# RULES\n\n## 101/0\n\nOne.\n\n## 102/0\n\nTwo.\n", None)
    then = read_whole(b"# RULES\n\n## 101/1\n\nOne,\nand a half.\n\n## 102/0\n\nTwo.\n", None)
    assert [[line for line, _ in file.rules] for file in (first, then)] == [[3, 7], [3, 8]]
    assert first.passages[1] is then.passages[1]


@given(MARKDOWN | FILES | st.text(st.sampled_from("a -=#<`~\n\r>"), max_size=12))
@example("Title\r---\ra")
@example("> Title\n> ---")
@example("> - <!--\n> ")
def test_a_text_is_sound_as_the_parser_says(text: str) -> None:
    assert sound(text) == (bool(text.strip()) and sound_by_parser(text))
