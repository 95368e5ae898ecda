"""An archive that is opened for play, typed: from a plain text to a vote that is resolved; what is refused before."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.archives import drafted, lamps
from tests.cli.playing import refused, run
from tests.support import GitRepo

ACT = "acts/2026-01-20-opening.md"
OPEN = "open --adoption majority --adoption-rule 2"


@pytest.fixture
def archive(git_repo: Callable[..., GitRepo]) -> GitRepo:
    """An archive of two who play."""
    return lamps(git_repo(), "--player", "ada=ada-plays", "--player", "bob")


def played(root: GitRepo, since: str) -> None:
    """Proposal 301, put forward, voted on and adopted."""
    drafted(root.path, since)
    run(root.path, f"register oil --on {since} --commit")
    run(root.path, f"vote 301 for --player ada --player bob --on {since} --commit")
    said = run(root.path, f"proposal resolve 301 --on {since} --commit")
    assert said.startswith("proposal 301 is adopted: 2 for, 0 against, 0 abstaining\n")
    assert not (root.path / "rules/4.md").exists()
    assert run(root.path, f"check --strict --on {since}").endswith("nothing is wrong\n")
    assert json.loads(run(root.path, "verify --strict --format json"))["faults"] == []


def test_a_plain_text_is_played_to_the_end(git_repo: Callable[..., GitRepo]) -> None:
    """What the text does not say is said when it is imported: who plays, and how a change is adopted."""
    more = ("--player", "ada", "--player", "bob", "--adoption", "majority", "--adoption-rule", "2")
    game = lamps(git_repo(), *more)
    assert (game.path / "acts/2026-01-10-opening.md").read_text("utf-8") == (
        "---\ncause: opening\ndate: 2026-01-10\n---\n\n"
        "The game is played here from now on: what the rules' provisions say is judged.\n\n"
        "## Mark Rule 2\n\n```yaml rule\nprovisions:\n  adoption: {needs: majority}\n```\n"
    )
    played(game, "2026-01-11")


def test_an_archive_is_opened_later(archive: GitRepo) -> None:
    said = run(archive.path, f"{OPEN} --on 2026-01-20 --commit")
    assert said.splitlines()[0] == f"Nomic is played from 2026-01-20 on: {ACT} says so (provisions: 2)"
    assert archive.git("log", "-1", "--format=%(trailers:key=Instrument,valueonly)").strip() == ACT
    played(archive, "2026-01-21")


def test_no_command_is_a_dead_end(archive: GitRepo) -> None:
    """What cannot be done in an archive says how it can be."""
    drafted(archive.path, "2026-01-11")
    path = archive.path / "proposals"
    why = "error: Nomic is an archive: no rule carries provisions, so none says how a proposal is adopted\n"
    help = (
        "help: `nomicgen open --adoption majority --adoption-rule 2` opens it, if more than half of the players are"
        " enough; `nomicgen record` enters what happened before\n"
    )
    assert refused(archive.path, "register oil --on 2026-01-11").endswith(help)
    opened = "number: 301\nstatus: open\nopened: 2026-01-11"
    text = (path / "oil.md").read_text("utf-8").replace("status: draft", opened)
    (path / "301.md").write_text(text, "utf-8")
    for line in ("vote 301 for --player ada", "proposal resolve 301", "register 301 --open"):
        assert refused(archive.path, f"{line} --on 2026-01-11") == why + help


def test_who_plays_is_said_when_it_is_opened(git_repo: Callable[..., GitRepo]) -> None:
    game = lamps(git_repo())
    run(game.path, f"{OPEN} --player ada=ada-plays --player bob --on 2026-01-20 --commit")
    assert (game.path / "players/ada.yml").read_text("utf-8") == (
        "name: ada\naccounts:\n  github: ada-plays\njoined: 2026-01-20\norder: 1\n"
    )
    played(game, "2026-01-21")


def test_nobody_may_play_yet(git_repo: Callable[..., GitRepo]) -> None:
    said = run(lamps(git_repo()).path, f"{OPEN} --on 2026-01-20")
    assert said.endswith("nobody plays yet: `nomicgen player join ID` adds a player\n")


def test_what_is_asked_at_a_terminal(archive: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nomicgen.cli.open._at_terminal", lambda: True)
    said = run(archive.path, "open --on 2026-01-20", feed="\n\n")
    assert "How are changes adopted (majority, two-thirds, unanimous) [majority]: " in said
    assert "Which rule says so [2]: " in said
    assert "adoption: {needs: majority}\n" in (archive.path / "rules/2.md").read_text("utf-8")


def test_the_provisions_of_a_ruleset(git_repo: Callable[..., GitRepo], archive: GitRepo) -> None:
    said = refused(archive.path, "open --provisions suber --on 2026-01-20")
    assert said == (
        "error: no rule has the number of a rule of `suber` that carries provisions\n"
        "help: `nomicgen open --adoption majority --adoption-rule 2`\n"
    )
    file = archive.path.parent / "more.txt"
    file.write_text("203. More than half.\n\n208. A hundred points win.\n\n209. Twenty-five are enough.\n", "utf-8")
    game = git_repo("other")
    run(archive.path, f"import text {file} --into {game.path} --player ada --on 2026-01-10 --commit")
    said = run(game.path, "open --provisions suber --on 2026-01-20 --commit")
    assert said.splitlines()[0].endswith("(provisions: 203, 208, 209)")
    assert "cap: {mutable: 25}" in (game.path / "rules/209.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("open", "say how changes are adopted, with --adoption NEEDS --adoption-rule N, or --provisions."),
        ("open --adoption most --adoption-rule 2", "'most' should be majority, two-thirds or unanimous"),
        ("open --adoption-rule 2", "--adoption-rule needs --adoption: give both, or neither."),
        (f"{OPEN} --provisions suber", "--provisions already says how changes are adopted: leave out --adoption."),
        (f"{OPEN} --player ada --player ada", "--player names ada twice: name each player once."),
        ("open --adoption majority", "help: name it with `--adoption-rule 2`"),
        ("open --adoption majority --adoption-rule 9", "error: there is no Rule 9 in force\nhelp: name it with"),
        (f"{OPEN} --player ada", "error: ada plays already\nhelp: leave that --player out"),
    ],
)
def test_what_opens_nothing(archive: GitRepo, line: str, said: str) -> None:
    assert said in run(archive.path, f"{line} --on 2026-01-20", code=2)
    assert archive.git("status", "--porcelain") == ""


def test_a_game_that_is_played_is_not_opened_again(archive: GitRepo) -> None:
    run(archive.path, f"{OPEN} --on 2026-01-20 --commit")
    said = refused(archive.path, f"{OPEN} --on 2026-01-21")
    assert said == "error: Nomic is played since 2026-01-20\nhelp: `nomicgen next` says what can be done now\n"
    text = (archive.path / "acts/2026-01-20-opening.md").read_text("utf-8").replace("2026-01-20", "2026-01-22")
    archive.commit("Once more", {"acts/2026-01-22-opening.md": text.replace("majority", "unanimous")})
    assert "error[authority-missing]" in run(archive.path, "check --on 2026-01-22", code=1)


def test_nothing_recorded_comes_after_the_opening(archive: GitRepo) -> None:
    run(archive.path, "record 4 --lost --on 2026-01-20 --commit")
    said = refused(archive.path, f"{OPEN} --on 2026-01-19")
    assert said.endswith("help: give --on 2026-01-20 or a later day\n")
    run(archive.path, f"{OPEN} --on 2026-01-20 --commit")
    run(archive.path, "check --on 2026-01-20")


def test_votes_are_recorded_from_the_opening_on(archive: GitRepo) -> None:
    run(archive.path, f"{OPEN} --on 2026-01-20 --commit")
    text = "---\nnumber: 301\nstatus: adopted\ndecided: 2026-01-21\nvotes: unrecorded\n---\n\n## Repeal Rule 4/0\n"
    archive.commit("By hand", {"proposals/301.md": text})
    said = run(archive.path, "check --on 2026-01-22", code=1)
    assert "error[status-incomplete]: the votes are unrecorded, and the game is played from 2026-01-20 on\n" in said


def test_where_it_lives_is_said_at_the_import(git_repo: Callable[..., GitRepo]) -> None:
    address = "https://github.com/us/lamps"
    game = lamps(git_repo(), "--forge", "github", "--no-wheel", "--repository", address, "--keeper", "ada-plays")
    assert (game.path / ".github/workflows").is_dir()
    settings = (game.path / "nomic.yml").read_text("utf-8")
    assert f"repository: {address}\nlinks:\n  commit: {address}/commit/{{sha}}\n" in settings


BLOB = "https://example.org/blob/{}/rules.md"
LONG = f"""\
# TEA CLUB RULESET (LONG FORMAT)
---
## 202/1

A proposal is adopted when most vote for it.

##### *History*

[*Initial mutable Rule 202, May 1, 2020*]({BLOB.format("1f3a" * 10)}){"  "}
[*Amended (1) by Proposal 301 (Wren), May 9, 2020*]({BLOB.format("2c4b" * 10)})
"""


def test_who_played_in_the_archive_may_play_on(tmp_path: Path) -> None:
    """The same person under the same id; everybody else of the past is not waited for."""
    (tmp_path / "club.md").write_text(LONG, "utf-8")
    root = tmp_path / "club"
    line = (
        f"import long {tmp_path}/club.md --into {root} --player wren=wren-plays --adoption majority --adoption-rule 202"
    )
    run(tmp_path, f"{line} --on 2026-01-10 --commit")
    assert (root / "players/wren.yml").read_text("utf-8") == (
        "name: Wren\naccounts:\n  github: wren-plays\njoined: 2026-01-10\norder: 1\n"
    )
    assert run(root, "rule history 202").endswith("  Marked by opening, Jan 10, 2026\n")
    run(root, "check --on 2026-01-11")


def test_a_judged_archive_has_players_who_left(shared: Path, tmp_path: Path) -> None:
    """Where provisions judge the history itself, whom it names played then, and no longer."""
    root, seed = tmp_path / "four", shared / "seeds/nomic-4-long-format.md"
    run(tmp_path, f"import text {seed} --into {root} --provisions nomic-iv --player ada --on 2026-01-10 --commit")
    assert "left: 2026-01-10\n" in (root / "players/coconutpies.yml").read_text("utf-8")
    run(root, "check --on 2026-01-11")
