"""An archive that is opened for play, typed: from a plain text to a vote that is resolved; what is
refused before.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from nomicgen.play.rulesets import shipped
from tests.cli.archives import drafted, lamps
from tests.cli.playing import refused, run
from tests.support import GitRepo

pytestmark = pytest.mark.deep

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
    """What the text does not say is said when it is imported: who plays, and how a change is
    adopted.
    """
    more = ("--player", "ada", "--player", "bob", "--adoption", "majority", "--adoption-rule", "2")
    game = lamps(git_repo(), *more)
    assert (game.path / "acts/2026-01-10-opening.md").read_text("utf-8") == (
        "---\ncause: opening\ndate: 2026-01-10\n---\n\n"
        "The game is played here from now on: what the rules' provisions say is judged.\n\n"
        "## Mark Rule 2\n\n```yaml rule\nprovisions:\n  adoption: {needs: majority}\n```\n"
    )
    played(game, "2026-01-11")


@pytest.mark.nightly
def test_an_archive_is_opened_later(archive: GitRepo) -> None:
    said = run(archive.path, f"{OPEN} --on 2026-01-20 --commit")
    assert (
        said.splitlines()[0] == f"Nomic is played from 2026-01-20 on: {ACT} says so (provisions: 2)"
    )
    assert archive.git("log", "-1", "--format=%(trailers:key=Instrument,valueonly)").strip() == ACT
    played(archive, "2026-01-21")


def test_no_command_is_a_dead_end(archive: GitRepo) -> None:
    """What cannot be done in an archive says how it can be."""
    drafted(archive.path, "2026-01-11")
    path = archive.path / "proposals"
    why = (
        "error: Nomic is an archive: no rule has provisions, so none says how a proposal is "
        "adopted\n"
    )
    help = (
        "help: `nomicgen open --adoption majority --adoption-rule N` opens it, if your rules adopt "
        "a proposal by more than half of the players; N is the rule that says how a proposal is "
        "adopted, perhaps 2; `nomicgen record` enters what happened before\n"
    )
    assert refused(archive.path, "register oil --on 2026-01-11").endswith(help)
    opened = "number: 301\nstatus: open\nopened: 2026-01-11"
    text = (path / "oil.md").read_text("utf-8").replace("status: draft", opened)
    (path / "301.md").write_text(text, "utf-8")
    for line in ("vote 301 for --player ada", "proposal resolve 301", "register 301 --open"):
        assert refused(archive.path, f"{line} --on 2026-01-11") == why + help


def test_which_rule_says_how_is_not_guessed(git_repo: Callable[..., GitRepo]) -> None:
    """Pokey's Rule 109 says most of votes, and is about transmutations alone."""
    game = git_repo()
    lines = [
        f"{number}. {text}\n"
        for number, text in (
            (105, "Every eligible player votes on every proposal."),
            (
                109,
                "To transmute a rule takes the unanimous vote of all; a majority, or two thirds, "
                "adopt nothing here.",
            ),
            (110, "There are lamps."),
            (203, "A proposal is adopted by a majority."),
        )
    ]
    file = game.path.parent / "post.txt"
    file.write_text("\n".join(lines), "utf-8")
    run(
        game.path.parent,
        f"import text {file} --map numbered --into {game.path} --player ada --on 2026-01-10 "
        "--commit",
    )
    said = refused(game.path, "open --adoption majority --on 2026-01-20")
    assert said.endswith(
        "N is the rule that says how a proposal is adopted, one of 105, 109, 203\n"
    )


def test_what_is_next_in_an_archive_is_to_open_it(archive: GitRepo) -> None:
    assert run(archive.path, "next --on 2026-01-20").splitlines()[:3] == [
        "Nomic is an archive, and nobody can vote: this opens it for play:",
        "  nomicgen open --adoption majority --adoption-rule N",
        "  N is the rule that says how a proposal is adopted, perhaps 2",
    ]
    run(archive.path, f"{OPEN} --on 2026-01-20 --commit")
    assert "archive" not in run(archive.path, "next --on 2026-01-20")


def test_what_stands_against_the_opening_is_said_before(archive: GitRepo) -> None:
    text = (
        "---\nnumber: 301\nstatus: adopted\ndecided: 2026-01-12\neffective: 2026-02-01\n"
        "votes: unrecorded\n---\n\n"
    )
    archive.commit("By hand", {"proposals/301.md": f"{text}## Repeal Rule 4\n"})
    assert run(archive.path, "next --on 2026-01-20").splitlines()[:2] == [
        "Nomic is an archive, and cannot be opened for play yet: "
        "Proposal 301 took effect on 2026-02-01, after 2026-01-20",
        "  give --on 2026-02-01 or a later day",
    ]


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
        "error: no rule has the words of a rule of `suber` that carries provisions\n"
        "help: `nomicgen open --adoption majority --adoption-rule N`: "
        "N is the rule that says how a proposal is adopted, perhaps 2\n"
    )
    rules = "\n\n".join(
        f"{number}. {' '.join(shipped_text(number).split())}" for number in (203, 208, 209)
    )
    file = archive.path.parent / "more.txt"
    file.write_text(f"{rules}\n", "utf-8")
    game = git_repo("other")
    run(
        archive.path,
        f"import text {file} --map numbered --into {game.path} --player ada --on 2026-01-10 "
        "--commit",
    )
    said = run(game.path, "open --provisions suber --on 2026-01-20 --commit")
    assert said.splitlines()[0].endswith("(provisions: 203, 208, 209)")
    assert "cap: {mutable: 25}" in (game.path / "rules/209.md").read_text("utf-8")


UNGUARDED = (
    "no provision guards the immutable rules: whatever their texts say, they are amended "
    "and repealed like any rule\n"
)


def shipped_text(number: int) -> str:
    return (
        shipped("suber").initial[f"rules/initial/{number}.md"].decode().split("---\n", 2)[2].strip()
    )


@pytest.fixture
def like_suber(git_repo: Callable[..., GitRepo]) -> GitRepo:
    """An archive that has the words of Suber's rules, 208 under the number of 209; its 211 is about
    something else.
    """
    kept, game = git_repo("kept"), git_repo("club")
    texts = {number: shipped_text(number) for number in (*range(101, 117), *range(201, 211))}
    texts |= {
        208: texts[209],
        209: texts[208],
        211: "Whoever is last to arrive makes the tea for all the others.",
    }
    files = {
        f"rules/{number}.md": f"## {number}/0{' (IMMUTABLE)' * (number < 200)}\n\n{text}\n"
        for number, text in texts.items()
    }
    kept.commit("Begin", files)
    line = f"import git {kept.path} --path rules/*.md --into {game.path} --on 2026-01-10 --commit"
    said = run(game.path.parent, line).splitlines()
    assert said[-2:] == [
        "  no words of `suber`, so nothing is offered: 211",
        f"  nomicgen -C {game.path} open --provisions suber",
    ]
    return game


def test_the_ruleset_that_the_rules_are_like_is_offered(
    like_suber: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer = "; or, since its rules have that ruleset's words: `nomicgen open --provisions suber`"
    assert offer in run(like_suber.path, "next --on 2026-01-20")
    said = run(like_suber.path, "open --on 2026-01-20", code=2)
    assert "  Rule 209: The first player with 100 points wins.\n" in said
    assert (
        "  no words of `suber`, so nothing is offered: 211\n  nomicgen open --provisions suber\n"
        in said
    )
    monkeypatch.setattr("nomicgen.cli.open._at_terminal", lambda: True)
    said = run(like_suber.path, "open --player ada --on 2026-01-20", feed="y\n")
    assert "Enforce this [y/N]: y\nNomic is played from 2026-01-20 on: " in said
    assert UNGUARDED not in said


def test_a_tier_that_nothing_guards_is_said(like_suber: GitRepo) -> None:
    """Immutable rules are then amended like any other, whatever they say."""
    said = run(
        like_suber.path,
        "open --adoption majority --adoption-rule 203 --player ada --on 2026-01-20 --commit",
    )
    assert UNGUARDED in said
    assert UNGUARDED in run(like_suber.path, "status --on 2026-01-20")
    assert json.loads(run(like_suber.path, "status --format json --on 2026-01-20"))[
        "unguarded"
    ] == ["immutable"]
    text = (
        "---\ntitle: Guard\nauthor: ada\nstatus: draft\n---\n\n## Mark Rule 103/0\n\n```yaml rule\n"
    )
    text += "provisions:\n  entrenchment: {immutable: [transmute]}\n```\n"
    like_suber.commit("By hand", {"proposals/guard.md": text})
    run(like_suber.path, "register guard --on 2026-01-20 --commit")
    run(like_suber.path, "vote 301 for --player ada --on 2026-01-20 --commit")
    run(like_suber.path, "proposal resolve 301 --on 2026-01-20 --commit")
    assert UNGUARDED not in run(like_suber.path, "status --on 2026-01-20")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "open",
            "say how changes are adopted, with --adoption NEEDS --adoption-rule N, or "
            "--provisions.",
        ),
        (
            "open --adoption most --adoption-rule 2",
            "'most' should be majority, two-thirds or unanimous",
        ),
        ("open --adoption-rule 2", "--adoption-rule needs --adoption: give both, or neither."),
        (
            f"{OPEN} --provisions suber",
            "--provisions already says how changes are adopted: leave out --adoption.",
        ),
        (f"{OPEN} --player ada --player ada", "--player names ada twice: name each player once."),
        (
            "open --adoption majority",
            "help: name it with `--adoption-rule N`: N is the rule that says how a proposal is "
            "adopted, perhaps 2",
        ),
        (
            "open --adoption majority --adoption-rule 9",
            "error: there is no Rule 9 in force\nhelp: name it with",
        ),
        (f"{OPEN} --player ada", "error: ada plays already, or has left\nhelp: leave"),
    ],
)
def test_what_opens_nothing(archive: GitRepo, line: str, said: str) -> None:
    assert said in run(archive.path, f"{line} --on 2026-01-20", code=2)
    assert archive.git("status", "--porcelain") == ""


def test_a_game_that_is_played_is_not_opened_again(archive: GitRepo) -> None:
    run(archive.path, f"{OPEN} --on 2026-01-20 --commit")
    said = refused(archive.path, f"{OPEN} --on 2026-01-21")
    assert (
        said == "error: Nomic has been played since 2026-01-20\n"
        "help: `nomicgen next` says what can be done now\n"
    )
    text = (
        (archive.path / "acts/2026-01-20-opening.md")
        .read_text("utf-8")
        .replace("2026-01-20", "2026-01-22")
    )
    archive.commit(
        "Once more", {"acts/2026-01-22-opening.md": text.replace("majority", "unanimous")}
    )
    assert "error[authority-missing]" in run(archive.path, "check --on 2026-01-22", code=1)


def test_nothing_recorded_comes_after_the_opening(archive: GitRepo) -> None:
    run(archive.path, "record 4 --lost --on 2026-01-20 --commit")
    said = refused(archive.path, f"{OPEN} --on 2026-01-19")
    assert said.endswith("help: give --on 2026-01-20 or a later day\n")
    run(archive.path, f"{OPEN} --on 2026-01-20 --commit")
    run(archive.path, "check --on 2026-01-20")


def test_votes_are_recorded_from_the_opening_on(archive: GitRepo) -> None:
    run(archive.path, f"{OPEN} --on 2026-01-20 --commit")
    text = (
        "---\nnumber: 301\nstatus: adopted\ndecided: 2026-01-21\nvotes: unrecorded\n---\n\n"
        "## Repeal Rule 4/0\n"
    )
    archive.commit("By hand", {"proposals/301.md": text})
    said = run(archive.path, "check --on 2026-01-22", code=1)
    assert (
        "error[status-incomplete]: the votes are unrecorded, but the rules have counted "
        "since 2026-01-20\n" in said
    )


def test_where_it_lives_is_said_at_the_import(git_repo: Callable[..., GitRepo]) -> None:
    address = "https://github.com/us/lamps"
    game = lamps(
        git_repo(),
        "--forge",
        "github",
        "--no-wheel",
        "--repository",
        address,
        "--keeper",
        "ada-plays",
    )
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
        f"import long {tmp_path}/club.md --into {root} --player wren=wren-plays --adoption "
        "majority --adoption-rule 202"
    )
    run(tmp_path, f"{line} --on 2026-01-10 --commit")
    assert (root / "players/wren.yml").read_text("utf-8") == (
        "name: Wren\naccounts:\n  github: wren-plays\njoined: 2026-01-10\norder: 1\n"
    )
    assert run(root, "rule history 202").endswith("  Marked by opening, Jan 10, 2026\n")
    run(root, "check --on 2026-01-11")


@pytest.fixture
def four(shared: Path, tmp_path: Path) -> Path:
    """Nomic IV, whose 29 instruments name turns that nobody recorded, opened under its own
    rules.
    """
    root, seed = tmp_path / "four", shared / "seeds/nomic-4-long-format.md"
    line = f"import long {seed} --into {root} --provisions nomic-iv --player ada --player bob"
    said = run(tmp_path, f"{line} --on 2026-01-10 --commit")
    law = (
        "Rule-changes need the votes of more than half of eligible voters, and of more than "
        "15% of all players."
    )
    assert f"  Rule 203: {law}\n" in said, "as it was amended"
    return root


@pytest.mark.nightly
def test_play_begins_behind_the_archives_turns(four: Path) -> None:
    """The last turn that its instruments name is R5T8."""
    assert "next turn: R6T1, ada; no turn has begun yet: nomicgen turn\n" in run(
        four, "status --on 2026-01-11"
    )
    said = refused(four, "turn R1T1 --on 2026-01-11")
    assert said.startswith("error: the next turn is R6T1 of ada, not R1T1\n")
    assert run(four, "turn --on 2026-01-11 --commit").startswith(
        "R6T1: the turn of ada, from 2026-01-11\n"
    )
    run(
        four,
        "propose --title oil --author ada --on 2026-01-11 --commit --body -",
        feed="## Enact Rule\n\nOil.\n",
    )
    run(four, "register oil --on 2026-01-11 --commit")
    run(four, "vote 340 for --player ada --player bob --on 2026-01-12 --commit")
    assert run(four, "proposal resolve 340 --on 2026-01-12 --commit").startswith(
        "proposal 340 is adopted: 2 for"
    )
    # Everyone has voted, so the turn has its first day alone.
    said = run(four, "turn --end --dice 4 --on 2026-01-12 --commit")
    assert "Rule 206 gave time until 2026-01-12: R6T1 ends\n" in said
    assert run(four, "turn --on 2026-01-13 --commit").splitlines()[:2] == [
        "R6T2: the turn of bob, from 2026-01-13",
        "Proposal 340 takes effect",
    ]
    assert "Oil." in (four / "rules/340.md").read_text("utf-8")
    assert " 0 errors" in run(four, "check --on 2026-01-13")
    assert json.loads(run(four, "verify --strict --format json"))["faults"] == []


def test_the_first_turn_may_begin_on_the_day_of_the_opening(four: Path) -> None:
    assert run(four, "turn --on 2026-01-10 --commit").startswith(
        "R6T1: the turn of ada, from 2026-01-10\n"
    )
    said = run(four, "turn --on 2026-01-10 --pass", code=1)
    assert "error[turn-passed]: ada passed R6T1; Rule 201 lets nobody pass\n" in said
    assert " 0 errors" in run(four, "check --on 2026-01-10")
