"""YAML: what it may not hold, and what a hostile file cannot do."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from nomicgen.files.documents import read_instrument, read_player
from nomicgen.files.file_editing import set_keys
from nomicgen.files.mkdocs_config import SiteConfigError, read_site_config
from nomicgen.model.values import Span
from tests.reading import PROPOSAL, fronted, good, said


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("# hello\n", "1:1 front-matter: the file does not begin with front matter"),
        (
            " ---\nstatus: open\n---\n",
            "1:1 front-matter: the file does not begin with front matter",
        ),
        (
            "--- \nstatus: open\n---\n",
            "1:1 front-matter: the file does not begin with front matter",
        ),
        ("---\nstatus: open\n", "1:1 front-matter: the front matter never ends"),
        ("---\nstatus: open\n--- \n", "1:1 front-matter: the front matter never ends"),
        ("---\n---\n", "2:1 key-missing: the key `status` is missing"),
        ("---\n# a comment\n---\n", "2:1 key-missing: the key `status` is missing"),
        ("---\n- a\n---\n", "2:1 yaml-syntax: here stand no keys with values"),
        ("---\nfoo\n---\n", "2:1 yaml-syntax: here stand no keys with values"),
    ],
)
def test_front_matter_begins_and_ends_with_three_hyphens(data: str, expected: str) -> None:
    assert said(read_instrument(PROPOSAL, data.encode())[1]) == [expected]


def test_the_body_may_hold_such_lines() -> None:
    found = good("a\n\n---\n\nb: c\n\n---\n")
    assert (found.preamble, found.source.body_line) == ("a\n\n---\n\nb: c\n\n---", 5)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a: b: c", "3:5 yaml-syntax: this is not YAML: a value holds a colon and a space"),
        ("title: 'x", "3:10 yaml-syntax: this is not YAML: a quotation mark is not closed"),
        ("title: [a, b\nnote: x", "4:5 yaml-syntax: this is not YAML: a bracket is not closed"),
        ("\ttitle: x", "3:1 yaml-syntax: this is not YAML: a tab stands where only spaces may"),
        ("title: @x", "3:8 yaml-syntax: this is not YAML: no value begins with this character"),
        (
            'title: "a\\qb"',
            "3:11 yaml-syntax: this is not YAML: a backslash means something else here",
        ),
        ("title\nfoo: bar", "4:1 yaml-syntax: this is not YAML: here is no key"),
        (
            "a:\n  b: c\n c: d",
            "5:2 yaml-syntax: this is not YAML: this does not fit the line before",
        ),
    ],
)
def test_syntax_errors_have_the_line_of_the_file(line: str, expected: str) -> None:
    assert fronted(f"number: 329\n{line}\n") == [expected]


@pytest.mark.parametrize(
    ("front", "expected"),
    [
        (
            "status: open\ntitle: &t Foo\nnote: *t\n",
            ["3:8 yaml-alias: `&t` is an anchor", "4:7 yaml-alias: `*t` is an alias"],
        ),
        ("status: open\n<<: {a: b}\n", ["3:1 yaml-alias: `<<` is a merge key"]),
        (
            'status: open\n"<<": x\n',
            ["3:1 key-unknown: there is no key `<<` here"],
        ),
        (
            "status: !!str open\nnumber: !int 329\n",
            ["2:9 yaml-tag: `!!str` is a YAML tag", "3:9 yaml-tag: `!int` is a YAML tag"],
        ),
        (
            "number: 329\nstatus: open\nvotes: {a: for, b: against, a: against}\nstatus: draft\n",
            [
                "4:29 key-doubled: the key `a` is here a second time",
                "5:1 key-doubled: the key `status` is here a second time",
            ],
        ),
        (
            "status: open\n[a]: b\n{c: d}: e\n",
            [
                "3:1 yaml-syntax: a list, a mapping or an alias stands as a key",
                "4:1 yaml-syntax: a list, a mapping or an alias stands as a key",
            ],
        ),
        (
            "number: 329\n--- foo\nstatus: open\n",
            ["3:1 yaml-syntax: a second YAML document begins here"],
        ),
        (
            f"number: 329\nvotes: {'[' * 21}{']' * 21}\n",
            ["3:27 yaml-deep: the value is nested more than 20 levels deep"],
        ),
    ],
)
def test_what_these_files_do_not_have(front: str, expected: list[str]) -> None:
    assert fronted(front) == expected


def test_the_first_of_two_keys_counts_and_keeps_its_place() -> None:
    data = (
        b"---\nnumber: 329\nstatus: open\nvotes: {wren: for}\n"
        b"votes: {wren: against, owl: for}\n---\n"
    )
    found, findings = read_instrument(PROPOSAL, data)
    assert [one.slug for one in findings] == ["key-doubled"]
    assert found is not None
    assert found.source.at("votes", "wren") == Span(file=PROPOSAL, line=4, column=15)
    assert (
        found.source.key("votes", "owl")
        == found.source.at("votes")
        == Span(file=PROPOSAL, line=4, column=8)
    )


def test_scalars_are_source_texts() -> None:
    found = good("", "number: 329\nstatus: open\ntitle: 12e45\nnote: 'on'\nvotes:\n  no: for\n")
    assert found.matter.note == "on"
    assert found.matter.whole()["title"] == "12e45"
    assert list(found.matter.whole()["votes"]) == ["no"]


def test_spans_of_keys_and_values() -> None:
    source = good(
        "",
        "number: 329\nstatus: open\npoints:\n  - player: wren\n    amount: 20/3\n"
        "    reason: é: x\n".replace("é: x", "é"),
    ).source
    assert source.key("status") == Span(file=PROPOSAL, line=3, column=1)
    assert source.at("status") == Span(file=PROPOSAL, line=3, column=9)
    assert source.at("points", 0, "amount") == Span(file=PROPOSAL, line=6, column=13)
    assert (
        source.at("points", 0, "nothing")
        == source.at("points", 0)
        == Span(file=PROPOSAL, line=5, column=5)
    )


BOMBS = {
    "brackets": "[" * 100_000,
    "brackets on lines": "[\n" * 100_000 + "[",
    "braces": "{a: " * 100_000,
    "hyphens": "- " * 100_000,
    "question marks": "? " * 100_000,
    "indentation": "\n".join(" " * at + "a:" for at in range(1000)),
    "aliases": "a: &a [x]\n"
    + "".join(f"b{at}: &b{at} [*a, *a, *a]\n" for at in range(1000))
    + "c: *a",
    "colons": "a:" * 100_000,
    "tags": "!" * 100_000,
    "keys": "a: 1\n" * 49_999 + "a: 1",
}


@pytest.mark.deep
@pytest.mark.parametrize("name", BOMBS)
def test_bombs_end_in_findings(name: str) -> None:
    for read, data in (
        (read_instrument, f"---\nnumber: 329\nstatus: open\nvotes: {BOMBS[name]}\n---\n"),
        (read_instrument, f"---\n{BOMBS[name]}\n---\n"),
        (read_player, f"{BOMBS[name]}\n"),
    ):
        found, findings = read(PROPOSAL, data.encode())
        assert found is None
        assert 0 < len(findings) < 100
        assert {one.slug for one in findings} <= {
            "yaml-deep",
            "yaml-syntax",
            "yaml-alias",
            "yaml-tag",
            "key-doubled",
            "key-missing",
            "key-unknown",
            "value-wrong",
        }


YAMLISH = st.text(st.sampled_from("ab:- \n[]{},#&*!|>'\"%@?~<\\\t0é"), max_size=60)


@given(YAMLISH)
def test_whatever_stands_there_is_read_or_a_finding(text: str) -> None:
    for path, data in (
        (PROPOSAL, f"---\n{text}\n---\n"),
        (PROPOSAL, f"---\nstatus: open\nnumber: 329\nvotes: {text}\n---\n"),
    ):
        found, findings = read_instrument(path, data.encode())
        assert found is not None or findings
        lines = data.split("\n")
        for one in findings:
            assert 1 <= one.span.line <= len(lines)
            assert 1 <= one.span.column <= len(lines[one.span.line - 1]) + 1


@pytest.mark.parametrize(
    "front",
    [
        'note: "\\U00110000"',
        'note: "\\UFFFFFFFF"',
        f"%YAML {'9' * 5000}.1\n--- a: b",
        "note: \ufffe",
    ],
)
def test_where_libyaml_is_missing_nothing_else_is_raised(
    front: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nomicgen.files.yaml_events.Loader", yaml.SafeLoader)
    found, findings = read_player("players/wren.yml", f"name: Wren\n{front}\n".encode())
    assert found is None
    assert {one.slug for one in findings} <= {"yaml-syntax", "control-character"}
    with pytest.raises(ValueError, match="the front matter is not YAML"):
        set_keys(f"name: Wren\n{front}\n".encode(), {"note": None})
    with pytest.raises(SiteConfigError):
        read_site_config(f"site_name: A\n{front}\n", str)


@pytest.mark.parametrize("char", ["\x85", "\u2028", "\u2029"])
def test_what_only_yaml_takes_for_the_end_of_a_line_moves_no_place(char: str) -> None:
    data = f"---\nstatus: open\nnote: 'a{char}b'\nodd: [1]\n---\n".encode()
    assert [one.partition(": ")[0] for one in said(read_instrument(PROPOSAL, data)[1])] == [
        "3:9 control-character",
        "4:1 key-unknown",
    ]
    cut = f"---\nnote: a{char}b: c: d\n---\n".encode()
    assert [one.partition(": ")[0] for one in said(read_instrument(PROPOSAL, cut)[1])][
        -1
    ] == "2:10 yaml-syntax"
