"""Conflicts of a merge: how they are marked, found, and read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicgen.files.merge_conflicts import Conflict, Names, find_conflicts, mark
from tests.reading import FRONT, good, proposal, said

DRAFT = "number: 329\nstatus: debate\n"
NAMES = Names("Rule 203/1, in force", "this proposal")
MARKED = """<<<<<<< Rule 203/1, in force
It is so.
=======
It is not so.
>>>>>>> this proposal
"""


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ("<<<<<<< a/=======/>>>>>>> b", [(0, 1, 2)]),
        ("x/<<<<<<</y/=======/z/>>>>>>>", [(1, 3, 5)]),
        ("<<<<<<< a/||||||| base/x/=======/>>>>>>> b", [(0, 3, 4)]),
        ("<<<<<<< a/=======/>>>>>>> b/<<<<<<< a/=======/>>>>>>> b", [(0, 1, 2), (3, 4, 5)]),
        ("<<<<<<< a/=======/=======/>>>>>>> b", [(0, 1, 3)]),
        ("<<<<<<< a/<<<<<<< a/=======/>>>>>>> b", [(0, 2, 3)]),
        ("=======", []),
        ("<<<<<<< a/=======", []),
        ("<<<<<<< a/>>>>>>> b", []),
        ("=======/<<<<<<< a/>>>>>>> b", []),
        (">>>>>>> b/=======/<<<<<<< a", []),
        ("<<<<<<<a/=======/>>>>>>>b", []),
        ("<<<<<<< a/========/>>>>>>> b", []),
        ("<<<<<<< a/======= />>>>>>> b", []),
        (" <<<<<<< a/ =======/ >>>>>>> b", []),
    ],
)
def test_only_the_three_marks_in_their_order_are_a_conflict(
    lines: str, found: list[tuple[int, int, int]]
) -> None:
    assert list(find_conflicts(lines.split("/"))) == [Conflict(*one) for one in found]


def test_a_conflict_in_an_undecided_text_is_found_and_nothing_else_is_said_of_its_marks() -> None:
    instrument, findings = proposal(f"Why.\n\n## Amend Rule 203/1\n\n{MARKED}\nThe rest.\n", DRAFT)
    assert said(findings) == [
        "10:1 merge-conflict: a merge left two texts here: one above line 12, one below it, up "
        "to line 14"
    ]
    assert instrument is not None
    assert [one.text for one in instrument.instructions] == ["It is not so.\n\n\nThe rest."]


def test_a_conflict_between_keys_is_called_one() -> None:
    marked = "<<<<<<< HEAD\ntitle: Tea\n=======\ntitle: Gin\n>>>>>>> side\n"
    first = (
        "3:1 merge-conflict: a merge left two texts here: one above line 5, one below it, up "
        "to line 7"
    )
    keys = f"number: 329\n{marked}status: debate\n"
    assert said(proposal("Why.\n", keys)[1]) == [first]
    both = said(proposal(f"Why.\n\n## Amend Rule 203/1\n\n{MARKED}", keys)[1])
    assert both[0] == first
    assert [line.split(" ")[1] for line in both] == ["merge-conflict:"] * 2


@pytest.mark.parametrize(
    "body",
    [
        f"{MARKED}\n## Repeal Rule 203/0\n",
        f"Why.\n\n## Repeal Rule 203/0\n\n## Amend Rule 204/0\n\n```text\n{MARKED}```\n",
        "<<<<<<< a\n## Retitle Rule 203/0: One\n=======\n## Retitle Rule 203/0: Two\n>>>>>>> b\n",
        "## Amend Rule 203/0\n\n```yaml rule\n<<<<<<< a\nnote: 1\n=======\nsection: A\n"
        ">>>>>>> b\n```\n\nText.\n",
    ],
)
def test_a_conflict_is_found_wherever_it_stands(body: str) -> None:
    instrument, findings = proposal(body, DRAFT)
    assert [one.slug for one in findings] == ["merge-conflict"]
    assert instrument is not None


def test_each_conflict_is_found() -> None:
    _, findings = proposal(f"Why.\n\n## Amend Rule 203/1\n\n{MARKED}{MARKED}", DRAFT)
    assert [one.span.line for one in findings] == [10, 15]


@pytest.mark.parametrize("status", ["draft", "debate", "open"])
def test_a_conflict_is_found_while_nothing_is_decided(status: str) -> None:
    number = "" if status == "draft" else "number: 329\n"
    _, findings = proposal(f"## Amend Rule 203/1\n\n{MARKED}", f"{number}status: {status}\n")
    assert "merge-conflict" in [one.slug for one in findings]


@pytest.mark.parametrize("status", ["adopted", "defeated", "withdrawn", "void"])
def test_what_is_decided_may_hold_any_lines(status: str) -> None:
    body = f"Why.\n\n## Amend Rule 203/1\n\n```text\n{MARKED}```\n"
    assert (
        good(body, f"number: 329\nstatus: {status}\n").instructions[0].text
        == f"```text\n{MARKED}```"
    )


def test_a_rule_may_hold_such_lines_behind_a_space() -> None:
    indented = "".join(f" {line}\n" for line in MARKED.splitlines())
    assert (
        good(f"## Amend Rule 203/1\n\n```text\n{indented}```\n", FRONT).instructions[0].text
        is not None
    )


def test_a_mark_stands_on_a_line_of_its_own() -> None:
    assert mark("It is so.\n", "It is not so.\n", NAMES) == MARKED


LINES = st.lists(st.sampled_from(["a", "b", "", "=======", "- x"]), max_size=6).map(
    lambda lines: "".join(f"{line}\n" for line in lines)
)


@given(LINES, LINES)
def test_each_side_can_be_told_from_the_marks(ours: str, theirs: str) -> None:
    lines = mark(ours, theirs, NAMES).split("\n")
    if "=======" not in ours + theirs:
        (conflict,) = find_conflicts(lines)
        left, right = (
            lines[conflict.start + 1 : conflict.middle],
            lines[conflict.middle + 1 : conflict.end],
        )
        assert ("".join(f"{line}\n" for line in left), "".join(f"{line}\n" for line in right)) == (
            ours,
            theirs,
        )
    else:
        assert len(list(find_conflicts(lines))) == 1
