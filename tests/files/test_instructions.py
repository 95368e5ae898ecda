"""Bodies: instructions and their texts, and everything that could pass for one and is none."""

from __future__ import annotations

import csv
import hashlib
import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nomicgen.files.change_table import read_changes
from nomicgen.files.documents import read_instrument
from nomicgen.files.instructions import instructions_digest
from nomicgen.model.values import RuleRef, Span
from tests.reading import MARKDOWN, PROPOSAL, good, proposal, said

EVERY = """Because.

   ## Enact Rule 5: The *best* one ##

Text\x20\x20
with a second line

## Amend Rule 2/0
    code first

## Repeal Rule 3/1

## Transmute Rule 4/0 to immutable

## Retitle Rule 6/0: Turns: who

## Renumber Rule 1/2 to 9

## Mark Rule 7/0

```yaml rule
note: see judgement 4
```

## Enact Rule
~~~yaml rule
text: lost
~~~
"""


def test_every_instruction() -> None:
    found = good(EVERY)
    assert found.preamble == "Because."
    assert [
        (one.verb, one.target, one.number, one.title, one.tier) for one in found.instructions
    ] == [
        ("enact", None, 5, "The *best* one", None),
        ("amend", RuleRef(2, 0), None, None, None),
        ("repeal", RuleRef(3, 1), None, None, None),
        ("transmute", RuleRef(4, 0), None, None, "immutable"),
        ("retitle", RuleRef(6, 0), None, "Turns: who", None),
        ("renumber", RuleRef(1, 2), 9, None, None),
        ("mark", RuleRef(7, 0), None, None, None),
        ("enact", None, None, None, None),
    ]
    assert [one.text for one in found.instructions[:3]] == [
        "Text  \nwith a second line",
        "    code first",
        None,
    ]
    assert [
        (one.index, one.span.line, one.span.column, one.text_line) for one in found.instructions[:3]
    ] == [
        (0, 8, 4, 10),
        (1, 13, 1, 14),
        (2, 16, 1, 0),
    ]
    assert [one.lost for one in found.instructions] == [False] * 7 + [True]


def test_a_block_has_the_places_of_its_keys() -> None:
    found = good(
        "## Enact Rule\n\n  ```yaml rule\n  section: Voting\n  defines: [x]\n  ```\n\n  Text\n"
    )
    (one,) = found.instructions
    assert one.block is not None
    assert one.block_source is not None
    assert (one.block.section, one.block.defines, one.block.provisions) == ("Voting", ["x"], None)
    assert one.block_source.at("section") == Span(file=PROPOSAL, line=9, column=12)
    assert one.block_source.key("defines") == Span(file=PROPOSAL, line=10, column=3)
    assert (one.text, one.text_line) == ("  Text", 13)


def test_empty_provisions_are_not_unsaid_ones() -> None:
    said_none, unsaid = good(
        "## Amend Rule 1/0\n\n```yaml rule\nprovisions: {}\n```\n\nA\n\n## Amend Rule 2/0\n\nB\n"
    ).instructions
    assert said_none.block is not None
    assert said_none.block.provisions == {}
    assert unsaid.block is None


def test_an_ordinary_yaml_fence_is_text() -> None:
    (one,) = good("## Enact Rule\n\n```yaml\nnote: x\n```\n").instructions
    assert (one.text, one.block) == ("```yaml\nnote: x\n```", None)


@pytest.mark.parametrize(
    ("heading", "help"),
    [
        ("Enact", "write it like `## Enact Rule: Title`"),
        ("Enact Rule 0", "write it like `## Enact Rule: Title`"),
        ("Enact Rule 5 : x", "write it like `## Enact Rule 5: x`"),
        ("Enact Rule:", "write it like `## Enact Rule: Title`"),
        ("enact rule 5", "write it like `## Enact Rule 5: Title`"),
        ("Create Rule 5", "write it like `## Enact Rule 5: Title`"),
        ("Amend Rule 203", "name the revision that you mean: `## Amend Rule 203/R`"),
        ("Amend 203/1", "write it like `## Amend Rule 203/1`"),
        ("Amend Rule 203/01", "write it like `## Amend Rule 203/1`"),
        ("Amend  Rule 203/1", "write it like `## Amend Rule 203/1`"),
        ("Ammend Rule 203/1", "write it like `## Amend Rule 203/1`"),
        ("Amned Rule 203/1", "write it like `## Amend Rule 203/1`"),
        ("Repeal Rules 203/0", "write it like `## Repeal Rule 203/0`"),
        ("Repeal Rule 203/0 and 204/0", "write it like `## Repeal Rule 203/0`"),
        ("Delete Rule 203", "name the revision that you mean: `## Repeal Rule 203/R`"),
        ("Transmute Rule 203/0", "write it like `## Transmute Rule 203/0 to immutable`"),
        (
            "Transmute Rule 203 to mutable",
            "name the revision that you mean: `## Transmute Rule 203/R to mutable`",
        ),
        ("Transmute Rule 203/0 into mutable", "write it like `## Transmute Rule 203/0 to mutable`"),
        ("Retitle Rule 203/1", "write it like `## Retitle Rule 203/1: Title`"),
        ("Renumber Rule 203/0 to 0", "write it like `## Renumber Rule 203/0 to 305`"),
        ("Mark Rule 203", "name the revision that you mean: `## Mark Rule 203/R`"),
        (
            "Why",
            "write one such as `## Amend Rule 203/0`, or make it a heading of level 3 with `###`",
        ),
        (
            "Ruling",
            "write one such as `## Amend Rule 203/0`, or make it a heading of level 3 with `###`",
        ),
        ("", "write one such as `## Amend Rule 203/0`, or make it a heading of level 3 with `###`"),
    ],
)
def test_a_heading_that_is_no_instruction(heading: str, help: str) -> None:
    found, findings = proposal(f"Because.\n\n## {heading}\n\nText.\n")
    assert found is None
    assert [(str(one.span), one.slug, one.help) for one in findings] == [
        (f"{PROPOSAL}:8:1", "instruction-unknown", help)
    ]


def test_what_is_said_of_such_headings() -> None:
    _, findings = proposal("## Amend Rule 203\n\nx\n\n## Why\n\n## Repeal Rule\n\n##\n")
    assert said(findings) == [
        "6:1 instruction-unknown: `Amend Rule 203` names no revision of Rule 203",
        "10:1 instruction-unknown: `Why` is no instruction",
        "12:1 instruction-unknown: `Repeal Rule` is not how an instruction is written",
        "14:1 instruction-unknown: an empty heading is no instruction",
    ]


BODY = "Why.\n\n## Repeal Rule 1/0\n"
JUDGEMENT = "---\nnumber: 4\nstatus: upheld\n---\n\n"


def test_a_judgement() -> None:
    text = f"{JUDGEMENT}May she?\n\n### Reasons\n\nx\n\n## Ruling\n\nNo.\n\n## Repeal Rule 1/0\n"
    found, findings = read_instrument("judgements/4.md", text.encode())
    assert findings == ()
    assert found is not None
    assert (found.kind, found.preamble, found.ruling) == (
        "judgement",
        "May she?\n\n### Reasons\n\nx",
        "No.",
    )
    assert [one.heading for one in found.instructions] == ["Repeal Rule 1/0"]
    assert found.digest == hashlib.sha256(b"## Repeal Rule 1/0\n").hexdigest()


def test_a_judgement_in_the_wrong_order() -> None:
    text = (
        f"{JUDGEMENT}Q\n\n## Repeal Rule 2/0\n\n## Ruling\n\nR\n\n## Repeal Rule 1/0\n\n"
        "## Ruling\n\nS\n"
    )
    assert said(read_instrument("judgements/4.md", text.encode())[1]) == [
        "8:1 heading-misplaced: an instruction stands before the ruling",
        "10:1 heading-misplaced: the ruling stands after an instruction",
        "16:1 heading-misplaced: a second ruling stands here",
    ]


def test_an_act() -> None:
    text = (
        "---\ncause: Temporary Rule 601\ndate: 2020-08-14\n---\n\nBy itself.\n\n"
        "## Repeal Rule 601/0\n"
    )
    found, findings = read_instrument("acts/2020-08-14-temporary-rule-601.md", text.encode())
    assert findings == ()
    assert found is not None
    assert (found.kind, found.name, found.number, len(found.instructions)) == (
        "act",
        "Temporary Rule 601",
        None,
        1,
    )


def test_numbers_names_and_status() -> None:
    def about(path: str, front: str) -> list[str]:
        return said(read_instrument(path, f"---\n{front}---\n".encode())[1])

    assert about("proposals/329.md", "number: 330\nstatus: open\n") == [
        "2:9 number-mismatch: the file is named 329, but its number is 330"
    ]
    assert about("proposals/turnout.md", "number: 330\nstatus: open\n") == [
        "2:9 number-mismatch: the proposal has the number 330, but its file is named turnout.md"
    ]
    assert about("proposals/turnout.md", "status: open\n") == [
        "2:9 number-mismatch: a proposal with the status `open` needs a number"
    ]
    assert about("proposals/329.md", "status: open\n") == [
        "2:9 number-mismatch: the file is named 329, but it has no number"
    ]
    assert about("proposals/329.md", "number: 329\nstatus: draft\n") == [
        "2:9 number-mismatch: a draft has no number, and this is 329"
    ]
    assert about("judgements/5.md", "number: 4\nstatus: upheld\n") == [
        "2:9 number-mismatch: the file is named 5, but its number is 4"
    ]
    assert about("proposals/turnout.md", "status: draft\n") == []


def test_the_digest_is_of_the_bytes_from_the_first_instruction() -> None:
    body = "Why.\n\n  ## Repeal Rule 1/0\n\n## Amend Rule 2/0\n\nÜ  \n"
    expected = hashlib.sha256(
        "  ## Repeal Rule 1/0\n\n## Amend Rule 2/0\n\nÜ  \n".encode()
    ).hexdigest()
    assert good(body).digest == expected
    resubmitted, _ = proposal(f"Other.\n\n{body}\n \n\n")
    assert resubmitted is not None
    assert resubmitted.digest == expected
    assert good("Why.\n").digest is None


@given(st.text("a \t\n#", max_size=30), st.text(" \t\n", max_size=8))
def test_trailing_blank_lines_do_not_change_a_digest(text: str, blank: str) -> None:
    lines = f"{text}x"
    assert (
        instructions_digest(f"{lines}\n{blank}".encode())
        == hashlib.sha256(f"{lines}\n".encode()).hexdigest()
    )


@given(MARKDOWN)
@example("> - <!--\n> ")
@example("## Enact Rule: A\n\n> - <!--\n> ")
def test_whatever_stands_in_a_body_is_read_or_a_finding(body: str) -> None:
    found, findings = proposal(body)
    assert found is not None or findings
    lines = f"---\nnumber: 329\nstatus: open\n---\n\n{body}".split("\n")
    for one in findings:
        assert 1 <= one.span.line <= len(lines)
        assert 1 <= one.span.column <= len(lines[one.span.line - 1]) + 1
    for instruction in found.instructions if found else ():
        if instruction.text is not None:
            start = instruction.text_line - 1
            assert lines[
                start : start + instruction.text.count("\n") + 1
            ] == instruction.text.split("\n")


def test_the_digest_covers_the_day_on_which_a_proposal_commences() -> None:
    def digest(key: str) -> str | None:
        found, findings = read_instrument(
            "proposals/tea.md", f"---\nstatus: draft\n{key}---\n\n{BODY}".encode()
        )
        assert findings == ()
        assert found is not None
        return found.digest

    instructions = BODY.partition("Why.\n\n")[2]
    dated = hashlib.sha256(f"commences: 2027-01-01\n{instructions}".encode()).hexdigest()
    assert (
        digest("")
        == hashlib.sha256(instructions.encode()).hexdigest()
        == instructions_digest(instructions.encode())
    )
    assert digest("commences: 2027-01-01\n") == digest("commences: '2027-01-01'\n") == dated
    assert digest("commences: 2027-01-01 18:30\n") == digest("commences: 2027-01-01T18:30:00\n")
    assert len({digest(f"commences: 2027-01-01{time}\n") for time in ("", "T00:00", "T18:30")}) == 3


def test_the_day_of_a_proposal_without_instructions_has_no_digest() -> None:
    found, _ = read_instrument(
        "proposals/tea.md", b"---\nstatus: draft\ncommences: 2027-01-01\n---\n\nWhy.\n"
    )
    assert found is not None
    assert found.digest is None


# Tables of changes, in YAML and CSV: whatever stands in one, it gives rows or findings, and never
# both.


CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=20)
KEYS = st.sampled_from(
    [
        "rule",
        "on",
        "by",
        "text",
        "file",
        "enact",
        "repeal",
        "title",
        "renumber",
        "transmute",
        "x",
        "",
    ]
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
    assert (matter.rule, str(matter.on), matter.repeal, matter.text) == (
        203,
        "2020-06-01",
        True,
        None,
    )


def test_a_text_has_lines() -> None:
    data = b'rule,on,text\n203,2020-06-01,"One.\n\n""Two."""\n204,2020-06-02,lost\n'
    (one, two), findings = read_changes("a.csv", data)
    assert findings == ()
    assert (one.matter.text, one.span.line) == ('One.\n\n"Two."', 2)
    assert (two.matter.is_lost, two.span.line) == (True, 5)
