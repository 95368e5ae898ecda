"""The bytes of a file: each departure is found at its place, and reading goes on wherever it
can.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicgen.files.documents import read_instrument, read_player
from nomicgen.files.file_findings import LIMIT, quoted
from nomicgen.files.urls import pages_address
from tests.reading import PROPOSAL, good, proposal, said

OK = b"---\nnumber: 329\nstatus: open\n---\n"


@pytest.mark.parametrize(
    ("data", "expected", "read"),
    [
        (b"", ["1:1 file-empty: the file is empty"], False),
        (b"x" * ((1 << 20) + 1), ["1:1 file-too-large: the file has 1048577 bytes"], False),
        (
            OK + b"\ncaf\xe9 ol\xe9\n",
            ["6:4 encoding: byte 38 of the file, 0xE9, is not UTF-8"],
            False,
        ),
        (
            OK + "\né\n".encode() + b"\xc3\n",
            ["7:1 encoding: byte 38 of the file, 0xC3, is not UTF-8"],
            False,
        ),
        ("---\n".encode("utf-16"), ["1:1 encoding: byte 1 of the file, 0xFF, is not UTF-8"], False),
        (b"\xef\xbb\xbf" + OK, ["1:1 encoding: the file begins with a byte order mark"], True),
        (OK + b"\nfoo\rbar\n", ["6:4 line-ending: the line holds a carriage return"], True),
        (OK + b"\nx\r\r\n", ["6:2 line-ending: the line holds a carriage return"], True),
        (
            OK + "\nplain\ncafe\u0301 x\n\u212b\n".encode(),
            [
                "7:4 not-nfc: the line is not in Unicode normal form C: the same word can be "
                "spelt in two ways",
                "8:1 not-nfc: the line is not in Unicode normal form C: the same word can be "
                "spelt in two ways",
            ],
            True,
        ),
        (
            OK + "\na\x00b\u202ec\u200b\n\ttab\n".encode(),
            [
                "6:2 control-character: the line holds U+0000, which readers cannot see",
                "6:4 control-character: the line holds U+202E (right-to-left override), which "
                "readers cannot see",
                "6:6 control-character: the line holds U+200B (zero width space), which readers "
                "cannot see",
            ],
            True,
        ),
        (OK + b"\nfoo", ["6:4 final-newline: the last line has no line feed"], True),
        (OK + b"\nfoo\n\n\n", ["7:1 final-newline: the file ends in blank lines"], True),
    ],
)
def test_each_departure_at_its_place(data: bytes, expected: list[str], read: bool) -> None:
    found, findings = read_instrument(PROPOSAL, data)
    assert said(findings) == expected
    assert (found is not None) is read


@pytest.mark.parametrize("text", ["❤️‍🔥, 👨‍👩‍👧", "1️⃣ #️⃣ ©️", "می‌خواهم", "क्‍ष and क्‍", "葛󠄀城", "ᠮᠣᠩ᠋"])
def test_joiners_and_variants_stay_where_something_is_made_with_them(text: str) -> None:
    found, findings = read_instrument(PROPOSAL, OK + f"\n{text}\n".encode())
    assert said(findings) == []
    assert found is not None


@pytest.mark.parametrize(
    ("text", "column", "name"),
    [
        ("Ad\u200da", 3, "U+200D (zero width joiner)"),
        ("\u200cAda", 1, "U+200C (zero width non-joiner)"),
        ("Ada\ufe0f", 4, "U+FE0F (variation selector-16)"),
        ("☃\ufe0f\ufe01", 3, "U+FE01 (variation selector-2)"),
        ("☃\U000e0101\U000e0102", 3, "U+E0102 (variation selector-19)"),
        ("A\u00adda", 2, "U+00AD (soft hyphen)"),
        ("\u3164", 1, "U+3164 (hangul filler)"),
        ("a\u034fb", 2, "U+034F (combining grapheme joiner)"),
        ("a\U000e0041", 2, "U+E0041 (tag latin capital letter a)"),
    ],
)
def test_what_cannot_be_seen_is_found_in_whatever_alphabet(
    text: str, column: int, name: str
) -> None:
    _, findings = read_instrument(PROPOSAL, OK + f"\n{text}\n".encode())
    assert said(findings) == [
        f"6:{column} control-character: the line holds {name}, which readers cannot see"
    ]


def test_windows_line_ends_are_said_once() -> None:
    _, findings = read_instrument(PROPOSAL, (OK + b"\nfoo\n").replace(b"\n", b"\r\n"))
    assert said(findings) == ["1:4 line-ending: the line ends in CR LF, and so do 5 others"]
    _, findings = read_instrument(PROPOSAL, OK + b"\nfoo\r\nbar\rx\nfoo\r\n")
    assert said(findings) == [
        "6:4 line-ending: the line ends in CR LF, and so does 1 other",
        "7:4 line-ending: the line holds a carriage return",
    ]


def test_departures_do_not_hide_each_other() -> None:
    text = "---\r\nnumber: 329\nstatus: open\ntitle: e\u0301\n---\n\n\u200e<b>x\n\n"
    _, findings = read_instrument(PROPOSAL, b"\xef\xbb\xbf" + text.encode())
    assert said(findings) == [
        "1:1 encoding: the file begins with a byte order mark",
        "1:4 line-ending: the line ends in CR LF",
        "4:8 not-nfc: the line is not in Unicode normal form C: the same word can be spelt in "
        "two ways",
        "7:1 control-character: the line holds U+200E (left-to-right mark), which readers cannot "
        "see",
        "7:2 html: `<b>` is raw HTML",
        "8:1 final-newline: the file ends in blank lines",
    ]


def test_a_file_of_blank_lines() -> None:
    assert said(read_player("players/wren.yml", b"\n")[1]) == [
        "1:1 final-newline: the file ends in blank lines",
        "1:1 key-missing: the key `name` is missing",
    ]


def test_emoji_with_joiners_and_scripts_that_need_them_are_text() -> None:
    assert good("👩‍🔬 می‌خواهم é\n").preamble == "👩‍🔬 می‌خواهم é"


def test_a_flood_is_bounded_and_counted() -> None:
    _, findings = proposal("x\x07\n" * 100)
    assert len(findings) == LIMIT + 1
    assert said(findings)[-1] == (
        "26:2 control-character: the line holds U+0007, which readers cannot see"
        " (and 79 more of this kind further down)"
    )
    _, findings = proposal("x\x07\n" * (LIMIT + 1))
    assert (
        said(findings)[-1]
        == "26:2 control-character: the line holds U+0007, which readers cannot see"
    )


def test_quoted_words_are_printable_and_short() -> None:
    assert quoted("a\nb\x1b[31m") == "`a\\nb\\x1b[31m`"
    assert quoted("x" * 61) == f"`{'x' * 59}…`"
    assert quoted("x" * 60) == f"`{'x' * 60}`"


@given(st.binary(max_size=200))
def test_no_bytes_raise(data: bytes) -> None:
    for content in (data, OK + data, b"---\n" + data + b"\n---\n" + data):
        found, findings = read_instrument(PROPOSAL, content)
        assert found is not None or findings


# Addresses that players wrote, and what is known by them.


@pytest.mark.parametrize(
    ("repository", "address"),
    [
        ("https://github.com/us/lanterns", "https://us.github.io/lanterns/"),
        ("https://github.com/Us/Lanterns.git", "https://us.github.io/Lanterns/"),
        ("https://github.com/us/lanterns/", "https://us.github.io/lanterns/"),
        ("https://github.com/Us/us.github.io", "https://us.github.io/"),
        ("https://codeberg.org/us/pages", "https://us.codeberg.page/"),
        ("https://codeberg.org/us/tea", "https://us.codeberg.page/tea/"),
        ("https://github.com/us", None),
        ("https://github.com/us/tea/tree/main", None),
        ("https://forge.example/us/tea", None),
        ("git@github.com:us/tea.git", None),
        ("https://[github.com/us/tea", None),
        ("", None),
        (None, None),
    ],
)
def test_where_a_forge_publishes_the_site_of_a_repository(
    repository: str | None, address: str | None
) -> None:
    assert pages_address(repository) == address
