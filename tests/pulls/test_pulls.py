"""Whole pull requests, hostile and good, in cases of files: what each is called, and every word that is said of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from nomicgen.cli.program import main
from nomicgen.pulls.as_markdown import comment_markdown
from tests.case_files import case_names
from tests.deep import sampled
from tests.pulls.cases import (
    CASES,
    ON,
    effects_text,
    findings_text,
    git,
    judged,
    lay_out,
    read_case,
    said,
    verdict_line,
)

NAMES = case_names(CASES)
KINDS = {"proposal", "judgement", "act", "correction", "player", "turn", "machinery"}


@pytest.mark.parametrize("name", sampled(NAMES, every=8))
def test_a_pull_request_is_told_this(name: str, tmp_path: Path) -> None:
    story = read_case(name)
    where = lay_out(story, tmp_path / "game")
    pull = judged(story, where)
    assert verdict_line(pull) == said(name, "verdict")
    assert findings_text(pull) == said(name, "text")
    if effects := said(name, "effects"):
        assert effects_text(pull) == effects
    assert git(where, "status", "--porcelain") == ""
    if any(one.refused for one in pull.verdict.effects.effects):
        comment = comment_markdown(pull.verdict, None, None).splitlines()
        assert pull.verdict.refused
        assert comment[1].startswith("### ❌ ")
        assert any(line.startswith("- ❌ ") and line.endswith(" no rule permits it") for line in comment)


def test_every_kind_has_a_good_pull_request() -> None:
    accepted = {name: said(name, "verdict") for name in NAMES if name.startswith("good-")}
    assert all(line.endswith(": accepted\n") for line in accepted.values())
    assert {line.partition(" ")[0] for line in accepted.values()} == {*KINDS, "nothing"}


@pytest.mark.parametrize(
    "name",
    [
        "checker-along-with-rule-change",
        "draft-that-ends-in-a-comment",
        "good-act",
        "good-machinery",
        "good-proposal",
        "good-turn-brings-what-waited",
        "link-as-draft",
        "player-seat-taken-over",
    ],
)
def test_the_exit_status_is_the_verdict(name: str, tmp_path: Path) -> None:
    story = read_case(name)
    where = lay_out(story, tmp_path / "game")
    options = [word for option in story.options.items() for word in option]
    options += ["--machinery"] if story.machinery else []
    line = ["-C", str(where), "check", "--base", "main", "--head", "theirs", "--on", str(ON), *options]
    done = CliRunner().invoke(main, line)
    refused = said(name, "verdict").endswith(": refused\n")
    assert done.exit_code == (1 if refused else 0)
    findings = said(name, "text").splitlines()
    assert all(line.split(" ", 1)[0] in done.output for line in findings if line[:1] not in " (")
