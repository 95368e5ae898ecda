"""Pull requests that are made to stop a game, or to have it vote on what nobody saw."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest

from tests.cli.playing import TEA, proposal, snapshot
from tests.pulls.pulling import (
    AGAINST,
    CLOSING,
    FOR,
    GIN,
    Forge,
    asked,
    branch,
    draft,
    forged,
    play,
    replies,
    sound,
    subjects,
)
from tests.support import GitRepo

Repo = Callable[..., GitRepo]


def bomb(game: GitRepo) -> str:
    """A commit of a dozen objects, which are ten thousand million files."""

    def tree(rows: str) -> str:
        line = ["git", "-C", str(game.path), "mktree"]
        return subprocess.run(
            line, input=rows, capture_output=True, check=True, encoding="utf-8"
        ).stdout.strip()

    row = f"100644 blob {game.git('rev-parse', 'HEAD:nomic.yml')}"
    for _ in range(10):
        row = "040000 tree " + tree("".join(f"{row}\tf{at}\n" for at in range(10)))
    top = tree(game.git("ls-tree", "HEAD").strip() + f"\n{row}\tjunk\n")
    return game.git("commit-tree", "-p", "HEAD", "-m", "Boom", top).strip()


@pytest.mark.nightly
def test_a_commit_of_few_objects_and_many_files_stops_nobody(game: GitRepo, forge: Forge) -> None:
    head = bomb(game)
    forge.open(5, head, labels=("open",))
    forge.open(6, head, "stranger", labels=("open",))
    asked(game, forge)
    said = play(game, forge, "2026-01-02T13:00", code=1)
    assert (
        "pull request 5: that commit holds more than is read of one: git prints more than 4 MiB "
        "of it" in said
    )
    assert "pull request 6: no player of this game has the account stranger" in said
    assert subjects(game, 1) == ["Register proposal 301: Tea"]
    forge.close(5)
    forge.review(7, "quill-gh", "APPROVED", head, "2026-01-02T14:00:00Z")
    play(game, forge, "2026-01-02T15:00", code=1)
    assert f"commit {head[:12]} is not read" in replies(forge)["7.md"]


def test_more_text_than_anybody_brings_is_not_read(game: GitRepo, forge: Forge) -> None:
    files = {f"proposals/tea-{at}.md": draft(body="tea " * 200_000) for at in range(6)}
    forge.open(7, branch(game, "tea", files), labels=("open",))
    kept = snapshot(game.path)
    said = play(game, forge, "2026-01-02T13:00", code=1)
    assert "the game's files that are new or changed have more than 4 MiB" in said
    assert snapshot(game.path) == kept


@pytest.mark.nightly
def test_two_pictures_of_one_name_are_not_taken_for_each_other(game: GitRepo, forge: Forge) -> None:
    for number, name in ((7, "tea"), (8, "gin")):
        body = (TEA if name == "tea" else GIN) + "\n![A lamp](images/lamp.png)\n"
        files: dict[str, str | bytes | None] = {
            f"proposals/{name}.md": draft(name, body=body),
            "images/lamp.png": name,
        }
        forge.open(number, branch(game, name, files), labels=("open",))
    said = play(game, forge, "2026-01-02T13:00", code=1)
    assert "pull request 8: images/lamp.png is now another picture" in said
    assert (game.path / "images/lamp.png").read_text() == "tea"
    assert not (game.path / "proposals/302.md").exists()


@pytest.mark.deep
def test_pictures_have_an_end(game: GitRepo, forge: Forge) -> None:
    files: dict[str, str | bytes | None] = {
        "proposals/tea.md": draft(),
        "images/lamp.png": b"\x89" * (9 << 20),
    }
    forge.open(7, branch(game, "tea", files), labels=("open",))
    assert "its pictures have more than 8 MiB" in play(game, forge, "2026-01-02T13:00", code=1)


@pytest.mark.nightly
def test_a_repository_that_is_renamed_gives_no_second_number(game: GitRepo, forge: Forge) -> None:
    asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    forge.pulls[7]["html_url"] = "https://forge.example/tea/renamed/pull/7"
    forge.write()
    assert "this draft is already proposal 301, which is debated at " in play(
        game, forge, "2026-01-02T14:00", code=1
    )
    assert not (game.path / "proposals/302.md").exists()


@pytest.mark.deep
def test_a_title_closes_no_issue_and_calls_nobody(game: GitRepo, forge: Forge) -> None:
    title = "Fixes #1, closes GH-2, resolves https://forge.example/tea/game/issues/3 for @everyone"
    forge.open(7, branch(game, "tea", {"proposals/tea.md": draft(title)}), labels=("open",))
    play(game, forge, "2026-01-02T13:00")
    told = "Fixes # 1, closes GH 2, resolves https: forge.example/tea/game/issues/3 for @ everyone"
    assert subjects(game, 1) == [f"Register proposal 301: {told}"]
    assert title in proposal(game)


@pytest.mark.nightly
def test_a_request_that_was_kept_back_opens_no_vote_in_the_past(
    git_repo: Repo, forge: Forge
) -> None:
    game = forged(git_repo(), {**CLOSING, 105: {"ballot": {"silence": "for", "closes_after": 3}}})
    asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    forge.comment(7, "wren-gh", "/resubmit", "2026-01-02T14:00:00Z")
    play(game, forge, "2026-01-02T15:00")
    forge.open(7, branch(game, "tea", {"proposals/tea.md": draft(body=GIN)}))
    play(game, forge, "2026-01-05T12:55")
    assert "\nopened: 2026-01-05T12:55\n" in proposal(game)
    play(game, forge, "2026-01-08T12:54")
    assert "status: open\n" in proposal(game)


@pytest.mark.nightly
def test_the_vote_of_who_left_is_told_as_the_law_counts_it(game: GitRepo, forge: Forge) -> None:
    asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    forge.comment(7, "quill-gh", FOR, "2026-01-02T14:00:00Z")
    quill = (game.path / "players/quill.yml").read_text()
    game.commit("Quill leaves", {"players/quill.yml": f"{quill}left: 2026-01-03T12:00\n"})
    forge.comment(7, "osprey-gh", AGAINST, "2026-01-03T14:00:00Z")
    forge.comment(7, "wren-gh", FOR, "2026-01-03T14:00:00Z")
    said = play(game, forge, "2026-01-04T12:55")
    assert "proposal 301 is defeated: 1 for, 1 against, 0 abstaining" in said
    told = replies(forge)
    assert "with 1 vote for and 1 against" in told["7.md"]
    assert "`quill`: `may not vote any more`" in told["7.md"]
    assert "1 for, 1 against, 0 abstaining" in told["7.close"]
    sound(game)
