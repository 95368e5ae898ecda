"""Tables of changes, in YAML and CSV: whatever stands in one, it gives rows or findings, and never both."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicgen.files.change_table import read_changes

CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=20)
KEYS = st.sampled_from(
    ["rule", "on", "by", "text", "file", "enact", "repeal", "title", "renumber", "transmute", "x", ""]
)


@given(st.sampled_from(["a.csv", "a.yml"]), st.binary(max_size=200))
def test_no_bytes_crash_it(name: str, data: bytes) -> None:
    rows, findings = read_changes(name, data)
    assert bool(rows) != bool(findings)


@given(st.lists(st.dictionaries(KEYS, CELLS, max_size=5), min_size=1, max_size=4))
def test_no_words_crash_it(rows: list[dict[str, str]]) -> None:
    keys = sorted({key for row in rows for key in row})
    stream = io.StringIO()
    csv.writer(stream).writerows([keys, *([row.get(key, "") for key in keys] for row in rows)])
    found, findings = read_changes("a.csv", stream.getvalue().encode())
    assert bool(found) != bool(findings)
    said = "".join(f"- {key or 'y'}: {value!r}\n" for row in rows for key, value in row.items())
    found, findings = read_changes("a.yml", said.encode())
    assert bool(found) != bool(findings)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yml", "---\n# What they decided\n- rule: 203\n  on: 2020-06-01\n  repeal: yes\n"),
        ("a.yml", "# Decided\nchanges:\n  - rule: 203\n    on: 2020-06-01\n    repeal: x\n\n\n"),
        ("a.csv", "rule,on,repeal\n\n203,2020-06-01,yes\n"),
        ("A.CSV", "\ufeffRule; On ;repeal\r\n;;\r\n203;2020-06-01;TRUE\r\n"),
    ],
)
def test_how_a_table_may_look(name: str, text: str) -> None:
    (row,), findings = read_changes(name, text.encode())
    assert findings == ()
    assert row.span.line == 3
    matter = row.matter
    assert (matter.rule, str(matter.on), matter.repeal, matter.text) == (203, "2020-06-01", True, None)


def test_a_text_has_lines() -> None:
    data = b'rule,on,text\n203,2020-06-01,"One.\n\n""Two."""\n204,2020-06-02,lost\n'
    (one, two), findings = read_changes("a.csv", data)
    assert findings == ()
    assert (one.matter.text, one.span.line) == ('One.\n\n"Two."', 2)
    assert (two.matter.is_lost, two.span.line) == (True, 5)
