"""The test helpers do what the other tests trust them to do."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.deep import PROFILE, PROFILES, examples, sampled
from tests.support import ROOT, GitRepo, opened

GOOD = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Rule 203</title></head>
<body><main><h1>Rule 203</h1><p>A rule-change is adopted.</p></main></body></html>"""
BAD = GOOD.replace("<p>", '<img src="data:,"><p>')


def test_commits_are_the_same_on_every_run(git_repo: Callable[..., GitRepo]) -> None:
    repo, again = git_repo("one"), git_repo("two")
    for each in (repo, again):
        each.commit("Begin", {"rules/101.md": "All players must obey the rules.\n"})
        each.commit("Amend", {"rules/101.md": "All players should.\n"})
    assert repo.git("rev-parse", "HEAD") == again.git("rev-parse", "HEAD")
    assert repo.git("log", "--format=%s %an %cI") == (
        "Amend Ada Player 2020-01-02T12:00:00+00:00\nBegin Ada Player 2020-01-01T12:00:00+00:00"
    )


@pytest.mark.browser
def test_browser_reads_a_served_folder(
    tmp_path: Path, serve: Callable[[Path], str], page: Page, axe: Callable[[Page], list[str]]
) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "index.html").write_text(GOOD, "utf-8")
    (tmp_path / "bad.html").write_text(BAD, "utf-8")
    address = serve(tmp_path)

    page.goto(f"{address}rules/")
    assert page.inner_text("h1") == "Rule 203"
    assert axe(page) == []

    page.goto(f"{address}bad.html")
    assert [line.split()[0] for line in axe(page)] == ["image-alt"]


@pytest.mark.browser
def test_page_refuses_what_is_not_here(
    tmp_path: Path, serve: Callable[[Path], str], browser: Browser
) -> None:
    (tmp_path / "index.html").write_text(
        GOOD.replace("</head>", '<link rel="icon" href="data:,"></head>'), "utf-8"
    )
    (tmp_path / "far.html").write_text(
        GOOD.replace("<p>", '<img src="https://example.org/a.png"><p>'), "utf-8"
    )
    address = serve(tmp_path)
    with opened(browser) as (page, trouble):
        page.goto(address)
        assert trouble == []
        page.goto(f"{address}far.html")
        assert trouble == ["asked for https://example.org/a.png"]


# What is deep is told, and nothing is lost on the way from one task to the other.


DEEP = re.compile(r"\bmark\.(?:deep|nightly)\b|\bsampled\(")


def test_contributing_names_each_group_that_has_deep_tests() -> None:
    marked = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "tests").rglob("test_*.py")
        if path.name != "test_support.py" and DEEP.search(path.read_text("utf-8"))
    }
    text = (
        (ROOT / "CONTRIBUTING.md")
        .read_text("utf-8")
        .split("## What `make test` does not run\n", 1)[1]
    )
    named = re.findall(r"^\| `(tests/[^`]*)` \| [^|]+ \| [^|]+ \|$", text, re.MULTILINE)
    assert [path for path in sorted(marked) if not path.startswith(tuple(named))] == []
    assert [name for name in named if not any(path.startswith(name) for path in marked)] == []


def test_the_three_tasks_run_everything() -> None:
    lines = (ROOT / "Makefile").read_text("utf-8").splitlines()
    calls = [
        line.partition("python -m pytest")[2].strip()
        for line in lines
        if "python -m pytest" in line
    ]
    deep, nightly = '-m "deep and not nightly"', '-m "nightly or hypothesis"'
    assert sorted(calls) == ["", deep, nightly]
    assert '"-m=not deep and not nightly"' in (ROOT / "pyproject.toml").read_text("utf-8")
    assert "|| tasks=(test test-deep)\n" in (ROOT / ".ci/run").read_text("utf-8")


@pytest.mark.parametrize(
    ("cases", "every", "always", "quick"),
    [("abcdefg", 3, "", "adg"), ("abcdefg", 9, "f", "af"), ("", 2, "", ""), ("abc", 1, "", "abc")],
)
def test_of_a_family_some_are_quick_and_none_is_lost(
    cases: str, every: int, always: str, quick: str
) -> None:
    def value(case: Any) -> str:
        return case if isinstance(case, str) else str(*case.values)

    given = sampled(cases, every=every, always=always)
    assert "".join(map(value, given)) == cases
    assert "".join(case for case in given if isinstance(case, str)) == quick
    assert all(
        [mark.name for mark in case.marks] == ["nightly"]
        for case in given
        if not isinstance(case, str)
    )


def test_a_share_of_the_examples_goes_by_the_profile() -> None:
    assert PROFILES["quick"] < PROFILES["nightly"]
    assert examples(0.5) == PROFILES[PROFILE] // 2
    assert examples(3) == 3 * PROFILES[PROFILE]
