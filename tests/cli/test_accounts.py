"""Accounts of founders and newcomers, and seats that nobody has claimed: from the first command to
a merged claim.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from nomicgen.cli.program import main
from tests.cli.playing import TEA, run
from tests.pulls.pulling import branch
from tests.support import GitRepo

ON = "--on 2026-01-03"
CLAIM = "accounts: {github: ada-plays}\n"
LINE = "add the line `accounts: {github: ada-plays}`"


@pytest.fixture(name="game")
def _game(git_repo: Callable[..., GitRepo]) -> GitRepo:
    """A game whose founders ada and wren have no account, and quill has one."""
    repo = git_repo()
    line = (
        "init --name Tea --player ada --player wren --player quill=quill-gh --on 2026-01-01 "
        "--commit"
    )
    run(repo.path, line, str(repo.path))
    return repo


def test_founders_have_accounts_from_the_start(tmp_path: Path) -> None:
    root = tmp_path / "game"
    run(
        tmp_path,
        "init --player ada=ada-plays --player wren=gitlab:wren.x --player quill --on 2026-01-01",
        str(root),
    )
    assert (root / "players/ada.yml").read_text("utf-8") == (
        "name: ada\naccounts:\n  github: ada-plays\njoined: 2026-01-01\norder: 1\n"
    )
    assert "\naccounts:\n  gitlab: wren.x\n" in (root / "players/wren.yml").read_text("utf-8")
    assert "accounts" not in (root / "players/quill.yml").read_text("utf-8")
    assert "29 rules in force, 0 instruments replayed: 0 errors, 1 warning\n" in run(
        root, "check --on 2026-01-01"
    )


def test_who_joins_may_have_several_accounts(game: GitRepo) -> None:
    run(game.path, f"player join marl {ON} --account marl-plays --account gitlab:marl --commit")
    said = (game.path / "players/marl.yml").read_text("utf-8")
    assert "accounts:\n  github: marl-plays\n  gitlab: marl\n" in said


@pytest.mark.parametrize(
    ("player", "told"),
    [
        (
            "ada=@ada",
            "'@ada' should be an account such as wren-plays, or gitlab:wren, without the @",
        ),
        ("ada=", "'' should be an account"),
        ("ada=Git Lab:ada", "'Git Lab:ada' should be an account"),
        ("Ada=ada", "'Ada' is no id"),
    ],
)
def test_what_is_no_account_is_refused(player: str, told: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["init", str(tmp_path / "game"), "--player", player])
    assert done.exit_code == 2
    assert told in done.output
    assert not (tmp_path / "game").exists()


@pytest.mark.deep
def test_nobody_is_named_twice_and_no_account_is_two_players(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    twice = run(tmp_path, "init game --player ada=one --player ada=two", code=2)
    assert "--player names ada twice: name each player once." in twice
    both = run(tmp_path, "init game --player ada=one --player wren=ONE", code=1)
    assert "error[account-doubled]: ada has that account on github already" in both


@pytest.mark.deep
def test_a_founder_claims_the_seat_in_one_pull_request_and_plays(game: GitRepo) -> None:
    file = (game.path / "players/ada.yml").read_text("utf-8")
    branch(game, "ada", {"players/ada.yml": file + CLAIM})
    said = run(game.path, f"check --base main --head ada --actor github:ada-plays {ON}")
    assert "from ada-plays, who is no player, and claims the seat of ada\n" in said
    assert said.endswith("nothing is wrong with it\n")
    other = run(game.path, f"check --base main --head ada --actor github:mallory {ON}", code=1)
    assert "nobody has claimed the seat of ada, and this does not say that it is mallory's" in other
    game.git("merge", "--quiet", "--no-ff", "--no-edit", "ada")
    assert run(game.path, "verify --no-memory").endswith("nothing is wrong\n")
    branch(
        game,
        "tea",
        {"proposals/tea.md": f"---\ntitle: Tea\nauthor: ada\nstatus: draft\n---\n\n{TEA}"},
    )
    run(game.path, f"check --base main --head tea --actor github:ada-plays {ON}")
    branch(game, "mallory", {"players/ada.yml": file + CLAIM.replace("ada-plays", "mallory")})
    taken = run(game.path, f"check --base main --head mallory --actor github:mallory {ON}", code=1)
    assert "the seat of ada is somebody else's, and mallory cannot take it over" in taken


@pytest.mark.deep
def test_who_is_no_player_is_told_of_the_seats_that_nobody_has_claimed(game: GitRepo) -> None:
    branch(
        game,
        "tea",
        {"proposals/tea.md": f"---\ntitle: Tea\nauthor: ada\nstatus: draft\n---\n\n{TEA}"},
    )
    said = run(game.path, f"check --base main --head tea --actor github:ada-plays {ON}", code=1)
    assert f"help: if you are ada, wren: {LINE} to your file in players/" in said
    assert "else join first, by a pull request with a file of your own in players/" in said
    # Under another name they may join, and under their own they come to the same seat.
    for name, code in (("Marl", 0), ("Ada", 1)):
        newcomer = {
            "players/ada-two.yml": f"name: {name}\njoined: 2026-01-03\n"
            f"accounts: {{github: ada-plays}}\n"
        }
        branch(game, f"as-{name}", newcomer)
        line = (
            f"proposal preview --base main --head as-{name} --actor github:ada-plays --format "
            f"markdown {ON}"
        )
        told = run(game.path, line, code=code)
        assert ("ada already has a name that looks like ada-two's" in told) == (code == 1)
        assert "- Nobody has claimed these seats yet: `ada`, `wren`.\n" in told
        assert "\naccounts: {github: ada-plays}\n" in told
