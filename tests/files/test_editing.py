"""Changes to files that exist: the lines of the changed keys, and no others."""

from __future__ import annotations

import datetime
import difflib
import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from nomicgen.files.documents import read_instrument
from nomicgen.files.file_editing import set_body, set_keys, set_value
from nomicgen.files.file_findings import Notes
from nomicgen.files.front_matter import YamlPlace, compose
from nomicgen.files.rule_files import read_rule
from tests.reading import PROPOSAL, RULE

DOCUMENT = """---
# what this is
number: 329   # given by register
title: 'A floor'
status: open # since yesterday
votes: # by player
  wren: for
  # owl has yet to vote

# the rest
points:
- player: wren
  amount: 1
  reason: x
note: |
  # not a comment
  text

---

Why.\x20\x20

---
status: not a key
"""


def changed(before: bytes, after: bytes) -> list[str]:
    lines = difflib.ndiff(before.decode().splitlines(), after.decode().splitlines())
    return sorted(line for line in lines if line[0] in "+-")


@pytest.mark.parametrize(
    ("changes", "lines"),
    [
        (
            {"status": "adopted"},
            ["- status: open # since yesterday", "+ status: adopted # since yesterday"],
        ),
        (
            {"number": 330},
            ["- number: 329   # given by register", "+ number: 330   # given by register"],
        ),
        ({"title": "On"}, ["- title: 'A floor'", '+ title: "On"']),
        ({"title": None}, ["- title: 'A floor'"]),
        ({"status": "open"}, []),
        ({"decided": datetime.date(2020, 7, 27)}, ["+ decided: 2020-07-27"]),
        (
            {"votes": {"owl": "against"}},
            ["-   wren: for", "-   # owl has yet to vote", "+   owl: against"],
        ),
        ({"points": None}, ["- points:", "- - player: wren", "-   amount: 1", "-   reason: x"]),
        ({"note": "short"}, ["- note: |", "-   # not a comment", "-   text", "+ note: short"]),
        ({"seq": None}, []),
    ],
)
def test_only_the_lines_of_a_key_change(changes: dict[str, Any], lines: list[str]) -> None:
    before = DOCUMENT.encode()
    assert changed(before, set_keys(before, changes)) == sorted(lines)


def test_new_keys_stand_where_the_schema_has_them() -> None:
    written = set_keys(
        b"---\nstatus: open\nvotes:\n  wren: for\n---\n",
        {
            "digest": "a" * 64,
            "number": 329,
            "opened": datetime.date(2020, 7, 26),
            "title": "T",
            "house": "of birds",
        },
    )
    assert written.decode() == (
        "---\nnumber: 329\ntitle: T\nstatus: open\nopened: 2020-07-26\nvotes:\n  wren: for\n"
        f"digest: {'a' * 64}\nhouse: of birds\n---\n"
    )


@pytest.mark.parametrize(
    ("before", "changes", "after"),
    [
        (b"name: Wren", {"left": datetime.date(2020, 1, 2)}, b"name: Wren\nleft: 2020-01-02\n"),
        (b"name: Wren", {"name": "Owl"}, b"name: Owl\n"),
        (b"", {"name": "Owl"}, b"name: Owl\n"),
        (b"---\n", {"name": "Owl"}, b"---\nname: Owl\n"),
        (b"# empty\n", {"name": "Owl"}, b"# empty\nname: Owl\n"),
        (b"---\nname: Wren\n...\n", {"kind": "bot"}, b"---\nname: Wren\nkind: bot\n...\n"),
        (b"roles:\n  - role: judge\n    since: 2020-01-01\n...\n", {"roles": None}, b"...\n"),
        (
            b"  name: Wren\n  order: 1\n",
            {"kind": "bot", "order": 2},
            b"  name: Wren\n  kind: bot\n  order: 2\n",
        ),
        (b'name: "a\n  # b"\nkind: bot\n', {"name": "x"}, b"name: x\nkind: bot\n"),
        (b'name: "a\n  # b"\nkind: bot\n', {"kind": None}, b'name: "a\n  # b"\n'),
        (
            b"accounts: {a: b,\n  c: d} # two\nname: x\n",
            {"accounts": {"e": "f"}},
            b"accounts:\n  e: f\nname: x\n",
        ),
        (
            b"accounts: {} # none\nname: x\n",
            {"accounts": {"e": "f"}},
            b"accounts: # none\n  e: f\nname: x\n",
        ),
        (b"name:\nkind: bot\n", {"name": "x"}, b"name: x\nkind: bot\n"),
        (b"? name\n: Wren\nkind: bot\n", {"name": "Owl"}, b"name: Owl\nkind: bot\n"),
        (b"kind: bot\n? name\n", {"name": "Owl"}, b"kind: bot\nname: Owl\n"),
        (b"a: &x b\nc: *x\n", {"c": "d"}, b"a: &x b\nc: d\n"),
        (
            b"\xef\xbb\xbfname: a # b\r\nkind: bot\r\n",
            {"name": "x"},
            b"\xef\xbb\xbfname: x # b\r\nkind: bot\r\n",
        ),
        (b"name: # who\nkind: bot\n", {"name": "x"}, b"name: x # who\nkind: bot\n"),
    ],
)
def test_other_files_and_odd_layouts(before: bytes, changes: dict[str, Any], after: bytes) -> None:
    assert set_keys(before, changes) == after


def test_files_that_cannot_be_edited() -> None:
    for data, reason in (
        (b"---\n{number: 1}\n---\n", "lines of their own"),
        (b"---\n- a\n---\n", "lines of their own"),
        (b"---\ntext\n---\n", "lines of their own"),
        (b"---\na: [\n---\n", "not YAML"),
        (b"[a]: b\n", "no plain word"),
        (b"?\n", "no plain word"),
        (b"?\n  a\n: b\n", "no plain word"),
        (b"a: b\na: c\n", "twice"),
        (b"a: \xff\n", "can't decode"),
        (b"a: b\n--- c\n", "one document"),
        (b"a: *x\n", "not YAML"),
    ):
        with pytest.raises(ValueError, match=reason):
            set_keys(data, {"title": "x"})
    for data in (b"name: Wren\n", b"\xef\xbb\xbfname: Wren\n"):
        with pytest.raises(ValueError, match="no front matter"):
            set_body(data, "x")


def test_a_body_is_replaced_whole() -> None:
    written = set_body(DOCUMENT.encode(), "\n\nNew.  \n\n---\n\n")
    front = DOCUMENT[: DOCUMENT.index("\n---\n", 4) + 5]
    assert written.decode() == f"{front}\nNew.  \n\n---\n"
    assert set_body(written, "") == front.encode()
    assert set_body(b"---\na: b\n---", "x") == b"---\na: b\n---\n\nx\n"


KEYS = ["number", "title", "author", "date", "status", "votes", "points", "note", "zebra"]
VALUES = st.sampled_from(
    [
        "x",
        "'it''s'",
        '"a # b"',
        "plain # comment",
        "",
        "|\n  # text\n\n  more",
        ">-\n  folded\n  text",
        "\n  wren: for\n  # note\n  owl: against",
        "\n- a\n- b: c",
        "\n  - {a: b}",
        "{a: b}",
        "[a,\n  b]",
        "two\n  lines",
        '"two\n  # lines"',
    ]
)
GAPS = st.lists(st.sampled_from(["", "# a comment", "  "]), max_size=2)
SET = st.sampled_from(
    [
        None,
        "y",
        "no",
        3,
        "a\nb",
        {"k": "v"},
        {},
        ["p", "q"],
        [{"k": "v"}],
        datetime.date(2020, 1, 1),
    ]
)


def data_of(text: str) -> dict[str, Any]:
    composed = compose(text, Notes("f"), YamlPlace("f", 1))
    assert composed is not None
    return composed.data


def as_read(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: as_read(one) for key, one in value.items()}
    return [as_read(one) for one in value] if isinstance(value, list) else str(value)


@given(
    st.lists(
        st.tuples(st.sampled_from(KEYS), VALUES, GAPS), max_size=6, unique_by=lambda one: one[0]
    ),
    st.sampled_from(KEYS),
    SET,
)
def test_setting_a_key_changes_that_key_and_its_lines_only(
    written: list[tuple[str, str, list[str]]], key: str, value: Any
) -> None:
    chunks = [
        (name, f"{name}: {text}".rstrip(" ") + "\n", "".join(f"{one}\n" for one in gap))
        for name, text, gap in written
    ]
    front = "".join(said + gap for _, said, gap in chunks)
    without = "".join(gap if name == key else said + gap for name, said, gap in chunks)
    body = "---\n\ntext  \n---\nstatus: x\n"
    before = data_of(front)
    after = set_keys(f"---\n{front}{body}".encode(), {key: value}).decode()
    assert after.startswith("---\n")
    assert after.endswith(body)
    inside = after[4 : -len(body)]
    expected = {**before, key: as_read(value)}
    if value is None:
        del expected[key]
    assert data_of(inside) == expected
    assert set_keys(after.encode(), {key: None}).decode() == f"---\n{without}{body}"
    assert set_keys(after.encode(), {key: value}).decode() == after


@given(st.sampled_from([PROPOSAL, RULE]))
def test_an_edited_file_reads(path: str) -> None:
    if path == PROPOSAL:
        edited = set_keys(
            DOCUMENT.encode(), {"decided": datetime.date(2020, 7, 27), "status": "adopted"}
        )
        found, findings = read_instrument(path, edited)
        assert (found is not None, findings) == (True, ())
    else:
        data = b"---\nnumber: 203\nmutability: mutable\n---\n\nx\n"
        rule, findings = read_rule(
            path, set_keys(data, {"revision": 4, "provisions": {"cap": {"mutable": "25"}}})
        )
        assert findings == ()
        assert rule is not None
        assert (rule.matter.revision, rule.matter.provisions) == (4, {"cap": {"mutable": "25"}})


def replaced(before: bytes, after: bytes) -> tuple[list[str], list[str]]:
    """The lines, with their ends, that one file has and the other has not, where all lines around
    them are equal.
    """
    old, new = (one.decode().splitlines(keepends=True) for one in (before, after))
    while old and new and old[0] == new[0]:
        del old[0], new[0]
    while old and new and old[-1] == new[-1]:
        del old[-1], new[-1]
    return old, new


def keys_in(lines: list[str]) -> list[str]:
    text = "".join(lines).lstrip("\ufeff").replace("*", "")
    return list(yaml.load(text, Loader=yaml.CBaseLoader)) if lines else []


def test_of_the_ways_in_which_people_write_yaml_none_is_changed(shared: Path) -> None:
    """A key more, and another value for each key: every other byte stays."""
    styles: dict[str, str] = json.loads((shared / "data" / "yaml-styles.json").read_text("utf-8"))
    assert len(styles) == 51
    refused = set()
    for name, text in styles.items():
        for word in ("zebra", *keys_in(text.splitlines(keepends=True))):
            try:
                after = set_keys(text.encode(), {word: "new"})
            except ValueError:
                refused.add(f"{name}: {word}")
                continue
            old, new = replaced(text.encode(), after)
            # What ends without a line feed gets one where something is put below it.
            assert keys_in(old) == (
                []
                if word == "zebra" and name != "no eol"
                else ["title" if word == "zebra" else word]
            )
            assert keys_in(new)[-1] == word, name
            assert (
                dict(yaml.load(after.decode().lstrip("\ufeff"), yaml.CBaseLoader))[word] == "new"
            ), name
    # What stands twice, and what another value repeats: a person has to say what is meant.
    assert refused == {"dup: zebra", "dup: title", "anchors: a", "merge: a"}


# One value of a file that exists: the lines of its key are written anew.


FILE = """---
# of a vote
number: 301
decided: 2026-01-03 # at dusk
votes: {wren: for, owl: {vote: 'against', at: 2026-01-02}} # by hand
points:
- player: wren
  amount: 3 # for a song
  reason: a song
dice: 4
---

Why: not.
"""


@pytest.mark.parametrize(
    ("key", "value", "old", "new"),
    [
        ("decided", "2026-01-04", "2026-01-03 #", "2026-01-04 #"),
        ("dice.0", "6", "dice: 4", "dice: [6]"),
        ("dice.1", "6", "dice: 4", "dice: [4, 6]"),
        ("decided", None, "decided: 2026-01-03 # at dusk\n", ""),
    ],
)
def test_nothing_else_changes(key: str, value: str | None, old: str, new: str) -> None:
    assert set_value(FILE.encode(), key, value).decode() == FILE.replace(old, new, 1)


@pytest.mark.parametrize(
    ("key", "value", "lines"),
    [
        (
            "votes.wren",
            "against",
            "votes: # by hand\n  wren: against\n  owl:\n    vote: against\n    at: 2026-01-02\n",
        ),
        ("votes.owl", "for", "  wren: for\n  owl:\n    vote: for\n    at: 2026-01-02\n"),
        ("votes.owl.at", "2026-01-03T18:30", "    vote: against\n    at: 2026-01-03T18:30\n"),
        (
            "points.0.amount",
            "20/3",
            "points:\n  - player: wren\n    amount: 20/3\n    reason: a song\n",
        ),
        ("points.0.reason", "a: 'yes' # 2", "    reason: \"a: 'yes' # 2\"\n"),
        ("points.0.reason", "no", '    reason: "no"\n'),
        ("votes.wren", None, "votes: # by hand\n  owl:\n    vote: against\n    at: 2026-01-02\n"),
        (
            "votes.wren.at",
            "2026-01-02",
            "votes: # by hand\n  wren:\n    vote: for\n    at: 2026-01-02\n  owl:\n",
        ),
        ("votes.jay", "for", "    at: 2026-01-02\n  jay: for\n"),
    ],
)
def test_what_stands_in_a_key_is_written_anew(key: str, value: str | None, lines: str) -> None:
    written = set_value(FILE.encode(), key, value).decode()
    assert lines in written
    assert written.startswith("---\n# of a vote\nnumber: 301\ndecided: 2026-01-03 # at dusk\n")
    assert written.endswith("dice: 4\n---\n\nWhy: not.\n")


def test_a_place_that_is_too_far() -> None:
    for key, value in (("dice.2", "6"), ("dice.1", None), ("points.2.amount", "1")):
        with pytest.raises(ValueError, match="there is no place"):
            set_value(FILE.encode(), key, value)
