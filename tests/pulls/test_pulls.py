"""Whole pull requests, hostile and good, in cases of files: what each is called, and every word
that is said of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from nomicgen.cli import pulls
from nomicgen.cli.program import main
from nomicgen.play.load import load
from nomicgen.pulls.as_markdown import comment_markdown
from nomicgen.pulls.choice import choose
from nomicgen.pulls.forge.pull_list import PullRequest
from nomicgen.pulls.report import PullReport
from tests.case_files import case_names
from tests.cli.playing import run
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
from tests.pulls.pulling import branch, draft, forged
from tests.support import GitRepo

NAMES = case_names(CASES)
KINDS = {"proposal", "judgement", "act", "correction", "player", "turn", "machinery"}


@pytest.mark.parametrize("name", sampled(NAMES, every=16))
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
        comment = comment_markdown(pull.verdict, PullReport()).splitlines()
        assert pull.verdict.refused
        assert comment[1].startswith("### ❌ ")
        assert any(
            line.startswith("- ❌ ") and line.endswith(" no rule permits it") for line in comment
        )


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
    line = [
        "-C",
        str(where),
        "check",
        "--base",
        "main",
        "--head",
        "theirs",
        "--on",
        str(ON),
        *options,
    ]
    done = CliRunner().invoke(main, line)
    refused = said(name, "verdict").endswith(": refused\n")
    assert done.exit_code == (1 if refused else 0)
    findings = said(name, "text").splitlines()
    assert all(line.split(" ", 1)[0] in done.output for line in findings if line[:1] not in " (")


# Which pull requests are read: each player's oldest before anybody's next, and nothing of
# strangers.


HEAD = "ab" * 20
WHERE = "https://github.com/us/game/pull/"


def begun(root: Path) -> Path:
    """A game of two with accounts, whose proposal 301 is debated at pull request 9."""
    line = ["init", str(root), "--name", "Tea", "--on", "2026-01-01", "--forge", "none"]
    assert CliRunner().invoke(main, [*line, "--player", "wren", "--player", "quill"]).exit_code == 0
    for seat, ident in enumerate(("wren", "quill"), 1):
        text = (
            f"name: {ident.title()}\naccounts:\n  github: {ident.title()}-Plays\n"
            f"joined: 2026-01-01\norder: {seat}\n"
        )
        (root / "players" / f"{ident}.yml").write_text(text)
    (root / "proposals").mkdir(exist_ok=True)
    (root / "proposals" / "301.md").write_text(
        "---\nnumber: 301\ntitle: Tea\nauthor: wren\nstatus: debate\ndate: 2026-01-02\n"
        f"discussion: {WHERE}9\n---\n\n## Enact Rule: Tea\n\nThere is tea.\n"
    )
    return root


def asked(number: int, login: str | None) -> PullRequest:
    return PullRequest(number=number, url=f"{WHERE}{number}", login=login, head=HEAD)


def test_each_player_s_oldest_comes_before_anybody_s_next(tmp_path: Path) -> None:
    game = load(begun(tmp_path))
    pulls = [asked(number, "Wren-Plays") for number in (1, 2, 3, 4, 5)]
    pulls += [
        asked(8, "quill-plays"),
        asked(7, "QUILL-PLAYS"),
        asked(6, "stranger"),
        asked(10, None),
    ]
    pulls += [asked(9, "whoever")]
    found = choose(game, pulls, 3)
    assert [one.number for one in found.read] == [1, 2, 7, 9]
    assert (found.strangers, found.later) == ((6, 10), (3, 4, 5, 8))
    found = choose(game, pulls, 100)
    assert [one.number for one in found.read] == [1, 2, 3, 4, 5, 7, 8, 9]
    assert found.later == ()


def test_the_command_prints_them_and_says_what_it_leaves_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pulls, "_MOST", 1)
    root, forge = begun(tmp_path / "game"), tmp_path / "forge"
    repo = GitRepo(root)
    repo.commit("Begin")
    forge.mkdir()
    listed = [
        {
            "number": number,
            "html_url": f"{WHERE}{number}",
            "user": {"login": login},
            "head": {"sha": HEAD},
        }
        for number, login in (
            (1, "wren-plays"),
            (2, "wren-plays"),
            (5, "nobody"),
            *((n, "x") for n in range(20, 80)),
        )
    ]
    (forge / "pulls.json").write_text(json.dumps([[*listed, {"number": 3}]]))
    before = repo.git("rev-parse", "HEAD")
    done = CliRunner().invoke(main, ["-C", str(root), "plumbing", "pulls", str(forge), "--choose"])
    assert done.exit_code == 0, done.output
    assert done.stdout == f"1 {HEAD}\n"
    numbers = ", ".join(map(str, (5, *range(20, 69))))
    assert (
        f"not read, no player has the account of pull requests {numbers} and 11 more\n"
        in done.stderr
    )
    assert "not read, left for a later run: pull request 2\n" in done.stderr
    assert (
        "[0][63] is no pull request as GitHub lists it: Object missing required field `html_url`"
        in done.stderr
    )
    assert (repo.git("rev-parse", "HEAD"), repo.git("status", "--porcelain")) == (before, "")


def test_nothing_is_lawful_while_a_file_of_the_game_cannot_be_read(
    git_repo: Callable[..., GitRepo],
) -> None:
    """What would be wrong with it is left out then: a tick would say what nobody knows."""
    game = forged(git_repo())
    keys = "cause: Why not\nby: osprey\nunder: 203\ndate: 2026-01-03"
    act = f"---\n{keys}\n---\n\n## Repeal Rule 203/0\n"
    files = {"acts/2026-01-03-a.md": act}
    assert "error[authority-missing]" in check(game, branch(game, "before", files), 1)
    game.commit("Break it", {"acts/2026-01-02-x.md": "---\ncause: [\n---\n"})
    said = check(game, branch(game, "after", files), 1)
    assert "acts/2026-01-02-x.md:2:9: error[yaml-syntax]: in the base, this is not YAML" in said
    assert "help: a keeper has to mend that file first: until then nobody can tell" in said
    # A draft is not merged before its vote, and no vote ends while the game has errors.
    check(game, branch(game, "draft", {"proposals/tea.md": draft(author="osprey")}), 0)
    # Nor may anybody but a keeper do away with that file.
    said = check(game, branch(game, "gone", {"acts/2026-01-02-x.md": None}), 1)
    assert "past-rewritten]: the base's file cannot be read, so nobody can tell" in said


def check(game: GitRepo, head: str, code: int) -> str:
    """What is said of Osprey's pull request."""
    line = f"check --base main --head {head} --actor github:osprey-gh --on 2026-01-03"
    return run(game.path, line, code=code)
