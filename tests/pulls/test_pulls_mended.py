"""Drafts as people write them in a browser: whoever obeys the comment, and has nothing else, comes to a vote."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from markdown_it import MarkdownIt

from nomicgen.archive.mending import mended
from nomicgen.archive.preview import Preview
from nomicgen.diagnostics import Finding
from nomicgen.formats.pull_markdown import comment_markdown
from nomicgen.game import Game, load, load_tree
from nomicgen.game.pull import Pull, supposed_pull
from nomicgen.game.pull_preview import Told, preview_in, tell
from nomicgen.game.pulls_drafts import register_from
from nomicgen.game.voting import open_vote
from nomicgen.model import Moment
from tests.cli.playing import begun
from tests.deep import sampled
from tests.support import GitRepo

DRAFTS: Sequence[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "drafts.yml").read_text("utf-8"))
IN_PROPOSALS = [one for one in DRAFTS if one.get("path", "proposals/").startswith("proposals/")]
LOGIN = "osprey-plays"
PATH = "proposals/tea.md"
PULL, BRANCH = "https://forge.example/us/tea/pull/7", "https://forge.example/osprey/tea/tree/patch-1"


def named(case: Any) -> str:
    return str(case["name"])


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """A game that has just begun, in which osprey has an account and the first turn."""
    repo = begun(GitRepo(tmp_path_factory.mktemp("mended") / "game"))
    path = "players/osprey.yml"
    repo.write({path: (repo.path / path).read_text() + f"accounts: {{github: {LOGIN}}}\n"})
    return load(repo.path, Moment.parse("2026-01-05"))


def given(case: dict[str, Any]) -> tuple[str, bytes]:
    return case.get("path", PATH), case["text"].encode(case.get("encoding", "utf-8"))


def errors(base: Game, path: str, data: bytes) -> list[Finding]:
    """The errors of a pull request that brings one file, with those that its proposal would come to."""
    pull = supposed_pull(base, {path: data}, LOGIN)
    return errors_of(pull, preview_in(pull))


def judged(base: Game, path: str, data: bytes) -> tuple[Pull, Told, list[Finding]]:
    """A pull request that brings one file, what is told of it, and its errors."""
    pull = supposed_pull(base, {path: data}, LOGIN)
    told = tell(pull, PULL, BRANCH)
    return pull, told, errors_of(pull, told.preview)


def errors_of(pull: Pull, preview: Preview | None) -> list[Finding]:
    found = [*pull.verdict.findings, *(preview.findings if preview is not None else ())]
    return [one for one in found if one.is_error]


def comment(pull: Pull, told: Told) -> str:
    return comment_markdown(pull.verdict, told.preview, told.standing, mended=told.mended, editor=told.editor)


def pasted(text: str) -> bytes:
    """The one file that a comment shows whole, as a browser copies it."""
    (fence,) = [one for one in MarkdownIt().parse(text) if one.type == "fence" and one.info == "markdown"]
    return fence.content.encode()


def put_to_the_vote(base: Game, pull: Pull) -> Game:
    """The game in which the draft of a pull request has its number, and its vote is open."""
    after = register_from(base, pull, base.until, discussion=PULL).after
    later = Moment.parse("2026-01-25")
    return open_vote(load_tree(base.root, after.tree, later), 301, later).after


@pytest.mark.parametrize("case", DRAFTS, ids=named)
def test_the_file_that_the_comment_shows_comes_to_a_vote(base: Game, case: dict[str, Any]) -> None:
    path, data = given(case)
    pull, told, wrong = judged(base, path, data)
    assert wrong
    said = comment(pull, told)
    assert not re.search(r"What to do: .*`nomicgen ", said)
    assert told.mended is not None
    if told.mended.path != path:
        assert f"`{told.mended.path}`" in said
    assert ("A question: " in said) is case.get("asks", False)
    again, green, left = judged(base, told.mended.path, pasted(said))
    assert left == []
    assert green.mended is None
    (instruction,) = again.laid.records.instruments[told.mended.path].instructions
    assert instruction.heading == case["becomes"]
    after = put_to_the_vote(base, again)
    assert b"\nstatus: open\n" in bytes(after.tree["proposals/301.md"])  # type: ignore[arg-type]


@pytest.mark.parametrize("case", sampled(IN_PROPOSALS, every=4), ids=named)
def test_what_each_finding_says_makes_it_go(base: Game, case: dict[str, Any]) -> None:
    path, data = given(case)
    wrong = errors(base, path, data)
    for finding in wrong:
        if finding.mending and finding.mending.is_exact:
            left = errors(base, finding.mending.path or path, mended(data, [finding.mending]))
            assert (finding.slug, finding.message) not in {(one.slug, one.message) for one in left}
    for _ in range(2):
        mendings = [one.mending for one in wrong if one.mending and one.mending.is_exact]
        path = next((one.path for one in mendings if one.path is not None), path)
        data = mended(data, mendings)
        wrong = errors(base, path, data)
    assert wrong == []
