"""The test helpers do what the other tests trust them to do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.support import GitRepo, opened

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
def test_page_refuses_what_is_not_here(tmp_path: Path, serve: Callable[[Path], str], browser: Browser) -> None:
    (tmp_path / "index.html").write_text(GOOD.replace("</head>", '<link rel="icon" href="data:,"></head>'), "utf-8")
    (tmp_path / "far.html").write_text(GOOD.replace("<p>", '<img src="https://example.org/a.png"><p>'), "utf-8")
    address = serve(tmp_path)
    with opened(browser) as (page, trouble):
        page.goto(address)
        assert trouble == []
        page.goto(f"{address}far.html")
        assert trouble == ["asked for https://example.org/a.png"]
