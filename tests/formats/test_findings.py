"""Findings as text, as JSON, as GitHub's commands; Markdown as wrapped plain text, and read
back.
"""

from __future__ import annotations

import unicodedata
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from nomicgen.files.markdown import parse_body, same_tokens
from nomicgen.formats.findings import findings_github, findings_json
from nomicgen.formats.findings_text import finding_text, findings_text
from nomicgen.formats.plaintext import unwrap, wrap
from nomicgen.formats.sarif import findings_sarif
from nomicgen.formats.styled_text import style_text, without_style
from nomicgen.formats.terminal import safe
from nomicgen.model.findings import Finding
from nomicgen.model.values import Span

CAP = Finding(
    slug="cap-exceeded",
    span=Span(file="proposals/303.md", line=15, column=3),
    message="this would be the 26th mutable rule; Rule 209 allows 25",
    help="repeal a mutable rule first",
    rule=209,
)
DIFF = Finding(
    slug="rules-differ",
    span=Span(file="rules/203.md", line=8),
    message="differs",
    help="run `nomicgen apply`",
    detail="--- a\n+++ b\n@@ -1 +1 @@\n-old [bold]\n+new\n same\n ",
)
LOST = Finding(
    slug="text-lost",
    span=Span(file="a,b:c%\n.md"),
    message="50% are lost:\nall, of [red]them",
    help="",
)


def test_a_finding_as_text() -> None:
    assert without_style(finding_text(CAP)) == (
        "proposals/303.md:15:3: error[cap-exceeded]: this would be the 26th mutable rule; Rule "
        "209 allows 25\n"
        "  rule: Rule 209\n"
        "  help: repeal a mutable rule first"
    )
    assert style_text("error[cap-exceeded]", "bold red") in finding_text(CAP)


def test_a_detail_is_indented_and_markup_in_it_is_text() -> None:
    assert without_style(finding_text(DIFF)) == (
        "rules/203.md:8:1: error[rules-differ]: differs\n"
        "  help: run `nomicgen apply`\n"
        "    --- a\n    +++ b\n    @@ -1 +1 @@\n    -old [bold]\n    +new\n     same\n"
    )
    assert style_text("    -old [bold]", "red") in finding_text(DIFF)
    assert style_text("    +new", "green") in finding_text(DIFF)


def test_a_warning_on_one_line() -> None:
    assert (
        without_style(finding_text(LOST))
        == "a,b:c%\n.md:1:1: warning[text-lost]: 50% are lost: all, of [red]them"
    )
    assert style_text("warning[text-lost]", "bold yellow") in finding_text(LOST)


def test_findings_as_json() -> None:
    assert findings_json([CAP, LOST]) == {
        "format": 1,
        "findings": [
            {
                "slug": "cap-exceeded",
                "severity": "error",
                "file": "proposals/303.md",
                "line": 15,
                "column": 3,
                "message": "this would be the 26th mutable rule; Rule 209 allows 25",
                "rule": 209,
                "help": "repeal a mutable rule first",
                "detail": "",
                "mending": None,
            },
            {
                "slug": "text-lost",
                "severity": "warning",
                "file": "a,b:c%\n.md",
                "line": 1,
                "column": 1,
                "message": "50% are lost:\nall, of [red]them",
                "rule": None,
                "help": "",
                "detail": "",
                "mending": None,
            },
        ],
        "more": 0,
        "errors": 1,
        "warnings": 1,
    }
    assert findings_json([]) == {"format": 1, "findings": [], "more": 0, "errors": 0, "warnings": 0}


def test_of_many_findings_the_errors_are_told_and_the_rest_is_counted() -> None:
    many = [LOST] * 6000 + [CAP] * 10
    told = findings_json(many)
    assert [len(told["findings"]), told["more"], told["errors"], told["warnings"]] == [
        5000,
        1010,
        10,
        6000,
    ]
    assert [one["slug"] for one in told["findings"][-10:]] == ["cap-exceeded"] * 10
    texts = [without_style(text) for text in findings_text(many)]
    assert (len(texts), texts[-1]) == (501, "and 5510 more findings")
    lines = findings_github(many).splitlines()
    assert lines[500:] == ["::notice title=nomicgen::5510 more findings: nomicgen check"]
    assert findings_sarif(many)["runs"][0]["properties"] == {"resultsNotListed": 1010}


def test_a_message_is_cut_where_it_is_longer_than_anybody_reads() -> None:
    made = Finding(
        slug="text-lost",
        span=Span(file="a"),
        message="a" * 5000,
        help="b" * 5000,
        detail="c" * 50_000,
    )
    assert (len(made.message), len(made.help), len(made.detail)) == (1000, 1000, 20_000)
    assert made.message.endswith("a…")


def test_findings_as_commands_of_a_workflow() -> None:
    assert findings_github([CAP, LOST]) == (
        "::error file=proposals/303.md,line=15,col=3,title=cap-exceeded (Rule 209)::"
        "this would be the 26th mutable rule; Rule 209 allows 25%0Ahelp: repeal a mutable rule "
        "first\n"
        "::warning file=a%2Cb%3Ac%25%0A.md,line=1,col=1,title=text-lost::50%25 are lost: all, of "
        "[red]them\n"
    )
    assert findings_github([]) == ""


@given(st.text(), st.text(), st.text())
def test_no_text_ends_a_command_or_begins_another(file: str, message: str, detail: str) -> None:
    finding = Finding(
        slug="text-lost", span=Span(file=file), message=message, help="", detail=detail
    )
    command = findings_github([finding])
    assert command.splitlines(keepends=True) == [command]
    properties = command.removeprefix("::warning ").split("::")[0]
    assert [one.partition("=")[0] for one in properties.split(",")] == [
        "file",
        "line",
        "col",
        "title",
    ]


def test_what_a_terminal_would_obey_is_spelt_out() -> None:
    assert safe("a\x1b[31mb\x9bc\rd\u202ee\u2028f\u200bg\x00") == (
        "a\\x1b[31mb\\x9bc\\rd\\u202ee\\u2028f\\u200bg\\x00"
    )
    assert safe("\ud800") == "\\ud800"
    assert safe("[bold]ß\tпример 日本 👩‍🚀\n") == "[bold]ß\tпример 日本 👩‍🚀\n"


@given(st.text(st.characters()))
def test_nothing_harmful_is_left(text: str) -> None:
    done = safe(text)
    assert safe(done) == done
    done.encode()
    assert not [
        one
        for one in done
        if unicodedata.category(one) in ("Cc", "Zl", "Zp", "Cs") and one not in "\n\t"
    ]


def laid(text: str, width: int = 30) -> list[str]:
    """The lines, of which the same text is read again."""
    lines = wrap(text, width, 2).split("\n")
    assert unwrap(lines, 2) == text
    return lines


def test_a_line_is_filled_to_its_last_column() -> None:
    words = "a" * 20 + " " + "b" * 43 + " c"
    assert wrap(words) == f"      {'a' * 20} {'b' * 43}\n      c"
    assert wrap(words.replace("b ", "bb ")) == f"      {'a' * 20}\n      {'b' * 44} c"


def test_only_spaces_break_a_line() -> None:
    assert laid("https://forge.example/a-very-long/address and self-evident-things") == [
        "  https://forge.example/a-very-long/address",
        "  and self-evident-things",
    ]
    assert laid("seventeen\u00a0lamps twelve\u00a0candles ten") == [
        "  seventeen\u00a0lamps",
        "  twelve\u00a0candles ten",
    ]


def test_markup_and_hard_breaks_stay() -> None:
    assert laid(
        "### Lamps\n\nlit *at* dusk,  \nout **at** `dawn` or when they have burnt\\\nand\nso on"
    ) == [
        "  ### Lamps",
        "",
        "  lit *at* dusk,  ",
        "  out **at** `dawn` or when",
        "  they have burnt\\",
        "  and ",
        "  so on",
    ]


def test_a_line_that_ends_in_the_text_as_well_says_so() -> None:
    assert laid("it was wrapped\nbefore") == ["  it was wrapped ", "  before"]


def test_items_hang_by_their_marker() -> None:
    assert laid(
        "Sold:\n* oil in bottles of every size\n* wicks\n\n  9. long\n"
        "  10. short and quite bendable"
    ) == [
        "  Sold:",
        "  * oil in bottles of every",
        "    size",
        "  * wicks",
        "",
        "    9. long",
        "    10. short and quite",
        "        bendable",
    ]
    assert laid("> said by the one who keeps the gate\n>\n> - twice, and then once more") == [
        "  > said by the one who keeps",
        "  > the gate",
        "  >",
        "  > - twice, and then once",
        "  >   more",
    ]


def test_code_and_tables_stand_out() -> None:
    text = (
        "```py\nx  =  1\n\n# far beyond the last column of the line\n```\n\n| lamp | *oil* |\n"
        "|---|--:|\n| big | 10 |"
    )
    assert laid(text) == [f"  {line}" if line else "" for line in text.split("\n")]


def test_what_would_begin_something_else_begins_no_line() -> None:
    assert laid("the lamps that are lit are 12. - and # and > are words too") == [
        "  the lamps that are lit",
        "  are 12. - and # and > are",
        "  words too",
    ]
    long = f"``` and then {'b' * 40} `c`"
    assert laid(long) == [f"  {long}"]


@given(st.lists(st.text("abc -*1.)>#`|\n_[]()<>&", max_size=30), max_size=12))
def test_it_reads_as_it_did(parts: list[str]) -> None:
    text = "\n".join(line.strip() for line in "\n".join(parts).split("\n"))
    lines = wrap(text).split("\n")
    assert all(line == "" or line.startswith(" " * 6) for line in lines)
    laid_out = "\n".join(line[6:] for line in lines)
    assert [one.type for one in parse_body(laid_out, 1).tokens] == [
        one.type for one in parse_body(text, 1).tokens
    ]
    assert same_tokens(parse_body(unwrap(lines), 1, True).tokens, parse_body(text, 1, True).tokens)


@given(st.lists(st.text("abcdefgh", min_size=1, max_size=64), min_size=1, max_size=60))
def test_wrapping_is_greedy_and_loses_no_word(words: list[str]) -> None:
    lines = wrap(" ".join(words)).split("\n")
    assert " ".join(lines).split() == words
    assert all(len(line) <= 70 for line in lines)
    for line, following in pairwise(lines):
        assert len(line) + 1 + len(following.split()[0]) > 70
