"""Files of an archive: what is read quickly, since most of it was read before, is what is read carefully."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from nomicgen.importers.git_pieces import Reader, read_plain, read_rules
from nomicgen.importers.git_texts import read_whole
from nomicgen.importers.text_markdown import sound, sound_by_parser
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


@given(FILES, st.sampled_from(["", "\n", "\n\n", "\r\n"]))
@example("## 101/0\n\nOne.\n\n## 102/0 (VOID)\n\nTwo.", "\n")
def test_one_file_is_read_by_pieces_as_it_is_read_whole(text: str, end: str) -> None:
    data = f"{text}{end}".encode()
    assert read_plain(data) in (None, read_whole(data, None))


@given(st.lists(st.integers(101, 130), unique=True, min_size=1), st.data())
def test_a_plain_file_is_read_by_pieces(numbers: list[int], data: st.DataObject) -> None:
    words = st.lists(st.sampled_from(["Words, and more.", "", "- a list", "### A heading", "## No rule"]), max_size=5)
    parts = [f"## {number}/{number % 3}\n\n" + "\n".join(data.draw(words)) for number in numbers]
    found = read_plain("\n\n".join(["# RULES", *parts]).encode())
    assert found is not None
    assert [one.number for one in found.passages] == numbers
    assert found == read_whole("\n\n".join(["# RULES", *parts]).encode(), None)


@given(st.lists(st.tuples(FILES, st.sampled_from([None, None, 101])), min_size=2, max_size=5))
@example([("## 101/0\n\nOne.\n\n## 102/0\n\nTwo.", None), ("## 102/0\n\nTwo.", None)])
@example([("# R\n\n## 101/0\n\nA.\n\n## 102/0\n\nA.", None), ("# R\n\n## 101/0\n\nA.", None)])
def test_versions_that_are_read_one_after_the_other_are_each_read_as_alone(
    versions: list[tuple[str, int | None]],
) -> None:
    reader = Reader()
    for text, named in versions:
        assert reader.read(text.encode(), named) == read_rules(text.encode(), named)


def test_a_reader_knows_what_it_has_read() -> None:
    rules = [f"## {number}/0\n\nRule {number}.\n\n" for number in range(101, 106)]
    reader = Reader()
    first = reader.read("".join(rules).encode(), None)
    then = reader.read("".join([*rules[:2], "## 103/1\n\nAnother\ntext.\n\n", *rules[3:]]).encode(), None)
    less = reader.read("".join([rules[0], *rules[3:]]).encode(), None)
    assert (first.lines, then.lines, less.lines) == ((1, 5, 9, 13, 17), (1, 5, 9, 14, 18), (1, 5, 9))
    assert [one.number for one in less.passages] == [101, 104, 105]
    assert then.passages[2].text == "Another\ntext."


def test_what_is_certain_by_itself_is_read_once() -> None:
    first = read_rules(b"# RULES\n\n## 101/0\n\nOne.\n\n## 102/0\n\nTwo.\n", None)
    then = read_rules(b"# RULES\n\n## 101/1\n\nOne,\nand a half.\n\n## 102/0\n\nTwo.\n", None)
    assert (first.lines, then.lines) == ((3, 7), (3, 8))
    assert first.passages[1] is then.passages[1]


@given(MARKDOWN | FILES | st.text(st.sampled_from("a -=#<`~\n\r>"), max_size=12))
@example("Title\r---\ra")
@example("> Title\n> ---")
@example("> - <!--\n> ")
def test_a_text_is_sound_as_the_parser_says(text: str) -> None:
    assert sound(text) == (bool(text.strip()) and sound_by_parser(text))
