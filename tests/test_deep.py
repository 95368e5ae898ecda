"""What is deep is told, and nothing is lost on the way from one task to the other."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.deep import PROFILE, PROFILES, examples, sampled
from tests.support import ROOT

DEEP = re.compile(r"\bmark\.deep\b|\bsampled\(")


def test_contributing_names_each_group_that_has_deep_tests() -> None:
    marked = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "tests").rglob("test_*.py")
        if path.name != "test_deep.py" and DEEP.search(path.read_text("utf-8"))
    }
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("## What only `make test-deep` runs\n", 1)[1]
    named = re.findall(r"^\| `(tests/[^`]*)` \| [^|]+ \| [^|]+ \|$", text, re.MULTILINE)
    assert [path for path in sorted(marked) if not path.startswith(tuple(named))] == []
    assert [name for name in named if not any(path.startswith(name) for path in marked)] == []


def test_the_two_tasks_run_everything() -> None:
    lines = (ROOT / "Makefile").read_text("utf-8").splitlines()
    calls = [line.partition("python -m pytest")[2].strip() for line in lines if "python -m pytest" in line]
    assert sorted(calls) == ["", '-m "deep or hypothesis"']
    assert '"-m=not deep"' in (ROOT / "pyproject.toml").read_text("utf-8")
    assert "for task in test test-deep; do\n" in (ROOT / ".ci/run").read_text("utf-8")


@pytest.mark.parametrize(
    ("cases", "every", "always", "quick"),
    [("abcdefg", 3, "", "adg"), ("abcdefg", 9, "f", "af"), ("", 2, "", ""), ("abc", 1, "", "abc")],
)
def test_of_a_family_some_are_quick_and_none_is_lost(cases: str, every: int, always: str, quick: str) -> None:
    def value(case: Any) -> str:
        return case if isinstance(case, str) else str(*case.values)

    given = sampled(cases, every=every, always=always)
    assert "".join(map(value, given)) == cases
    assert "".join(case for case in given if isinstance(case, str)) == quick
    assert all([mark.name for mark in case.marks] == ["deep"] for case in given if not isinstance(case, str))


def test_a_share_of_the_examples_goes_by_the_profile() -> None:
    assert PROFILES["quick"] < PROFILES["deep"] < PROFILES["nightly"]
    assert examples(0.5) == PROFILES[PROFILE] // 2
    assert examples(3) == 3 * PROFILES[PROFILE]
