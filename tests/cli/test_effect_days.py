"""Changes that take effect days after their decision, or on a day of their own: typed in a real
repository.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from nomicgen.files.file_editing import set_keys
from nomicgen.formats.terminal import safe
from nomicgen.model.values import Moment
from nomicgen.play.load import load
from tests.cli.playing import (
    EVERYONE,
    LOOSE,
    MAJORITY,
    TEA,
    begun,
    passed,
    proposal,
    refused,
    run,
    snapshot,
)
from tests.support import GitRepo, once

Repo = Callable[..., GitRepo]
Provisions = Mapping[str, Any]


def game(
    repo: GitRepo,
    effect: Any,
    commences: str | None = None,
    more: Mapping[int, Provisions] | None = None,
) -> None:
    begun(repo, {107: {}, 201: {}, 205: {"effect": effect}, 203: MAJORITY, **(more or {})})
    own = f" --commences {commences}" if commences else ""
    run(
        repo.path,
        f"propose --title tea --author osprey --on 2026-01-02{own} --commit --body -",
        feed=TEA,
    )
    run(repo.path, "register tea --on 2026-01-02 --commit")
    run(repo.path, "vote 301 for --on 2026-01-03 --commit", *EVERYONE)


@pytest.mark.nightly
def test_a_change_waits_for_its_days_and_is_applied_then(git_repo: Repo) -> None:
    repo = git_repo()
    game(repo, {"after": "7 days"})
    told = run(repo.path, "proposal preview 301 --on 2026-01-03")
    assert "It takes effect 7 days after the decision (Rule 205).\n" in told
    assert "  it takes effect on 2026-01-10: nomicgen apply\n" in run(
        repo.path, "proposal resolve 301 --on 2026-01-03 --commit"
    )
    assert "decided: 2026-01-03\neffective: 2026-01-10\n" in proposal(repo)
    assert not (repo.path / "rules/301.md").exists()
    told = run(repo.path, "status --on 2026-01-09")
    assert "decided: Proposal 301, tea; takes effect on 2026-01-10\n" in told
    run(repo.path, "apply --on 2026-01-10 --commit")
    assert "decided:" not in run(repo.path, "status --on 2026-01-10")
    assert (repo.path / "rules/301.md").exists()
    assert run(repo.path, "check --on 2026-01-10").endswith(" nothing is wrong\n")


@pytest.mark.deep
def test_the_later_of_two_days_is_written(git_repo: Repo) -> None:
    repo = git_repo()
    game(repo, {"after": "7 days", "own_day": True}, "2026-02-01")
    assert "It takes effect on 2026-02-01, by its own words.\n" in run(
        repo.path, "proposal preview 301 --on 2026-01-03"
    )
    run(repo.path, "proposal resolve 301 --on 2026-01-03 --commit")
    assert "effective: 2026-02-01\n" in proposal(repo)
    assert run(repo.path, "check --on 2026-01-10").endswith(" nothing is wrong\n")


def test_a_day_that_may_not_be_named_is_refused(git_repo: Repo) -> None:
    repo = begun(git_repo(), {107: {}, 201: {}, 205: {"effect": {"own_day": False}}, 203: MAJORITY})
    line = "propose --title tea --author osprey --on 2026-01-02 --commit --body -"
    told = run(repo.path, f"{line} --commences 2026-02-01", feed=TEA, code=1)
    assert "Rule 205 lets no proposal name its day\n" in told
    run(repo.path, line, feed=TEA)
    path = repo.path / "proposals/tea.md"
    path.write_bytes(set_keys(path.read_bytes(), {"commences": "2026-02-01"}))
    told = refused(repo.path, "register tea --on 2026-01-02", code=1)
    assert (
        "error[effect-wrong]: says that it takes effect on 2026-02-01; Rule 205 lets no proposal "
        "name its day" in told
    )
    assert "delete `commences`" in told
    said = run(repo.path, "proposal preview tea --on 2026-01-02", code=1)
    assert "It says that it takes effect on 2026-02-01, but Rule 205 says when it does.\n" in said


@pytest.mark.nightly
def test_a_turn_writes_the_later_day(git_repo: Repo) -> None:
    repo = git_repo()
    game(repo, {"when": "next-turn", "own_day": True}, "2026-02-01", LOOSE)
    told = run(repo.path, "proposal preview 301 --on 2026-01-03")
    assert (
        "on 2026-02-01 or at the start of the next turn, whichever is later (Rule 205).\n" in told
    )
    run(repo.path, "proposal resolve 301 --on 2026-01-03 --commit")
    assert "\neffective:" not in proposal(repo)
    told = run(repo.path, "status --on 2026-01-04")
    assert "decided: Proposal 301, tea; takes effect with the next turn\n" in told
    assert "Proposal 301 takes effect on 2026-02-01: nomicgen apply\n" in run(
        repo.path, "turn R1T1 --player osprey --on 2026-01-05 --commit"
    )
    assert "effective: 2026-02-01\n" in proposal(repo)
    assert run(repo.path, "check --on 2026-01-06").endswith(" nothing is wrong\n")


def test_the_next_turn_goes_to_whom_the_rules_that_come_with_it_name(git_repo: Repo) -> None:
    repo = git_repo()
    turns = {"order": "alphabetical", "proposals": 1}
    seats = {
        f"players/{ident}.yml": f"name: {ident}\njoined: 2026-01-01\norder: {seat}\n"
        for seat, ident in enumerate(("osprey", "wren", "quill"), 1)
    }
    law: dict[int, Provisions] = {number: {} for number in (107, 111, 202)}
    law |= {201: {"turns": turns}, 203: MAJORITY, 205: {"effect": "next-turn"}}
    begun(repo, law, files=seats)
    run(repo.path, "turn --on 2026-01-02 --commit")
    body = "```yaml rule\nprovisions:\n  turns: {order: seat, proposals: 1}\n```\n\nSeats.\n"
    run(
        repo.path,
        "propose --title seats --author osprey --on 2026-01-02 --commit --body -",
        feed=f"Seats.\n\n## Amend Rule 201/0\n\n{body}",
    )
    run(repo.path, "register seats --on 2026-01-02 --commit")
    run(repo.path, "vote 301 for --on 2026-01-02 --commit", *EVERYONE)
    run(repo.path, "proposal resolve 301 --on 2026-01-02 --commit")
    run(repo.path, "turn --end --on 2026-01-03 --commit")
    assert "next turn: R1T2, wren\n" in run(repo.path, "status --on 2026-01-03")
    assert "R1T2 of wren can begin: nomicgen turn" in run(repo.path, "next --on 2026-01-03")
    tea = "propose --title tea --author quill --on 2026-01-03 --commit --body -"
    run(repo.path, tea, feed=TEA)
    waits = "proposals/tea.md waits for quill's turn (R1T3), and then gets its number"
    assert waits in refused(repo.path, "register tea --on 2026-01-03", code=2)
    assert run(repo.path, "turn --on 2026-01-03 --commit").startswith("R1T2: the turn of wren")
    assert run(repo.path, "check --strict --on 2026-01-03").endswith("nothing is wrong\n")


@pytest.mark.deep
def test_what_is_done_is_not_asked_for(git_repo: Repo) -> None:
    repo = git_repo()
    more: dict[int, Provisions] = {**LOOSE, 201: {"turns": {"order": "alphabetical"}}}
    game(repo, {"when": "next-turn"}, None, more)
    run(repo.path, "proposal resolve 301 --on 2026-01-03 --commit")
    told = run(repo.path, "next --do --on 2026-01-05 --commit")
    assert "Proposal 301 takes effect\n" in told
    assert (repo.path / "rules/301.md").exists()


# What `--dry-run` says that a move brings about, with the rules that permit it.


LAW: dict[int, dict[str, Any]] = {
    105: {"ballot": {"everyone_votes": True}},
    111: {"turns": {"order": "alphabetical"}},
    202: {"points": {"on": "adopted", "to": "author", "amount": 10}},
    203: MAJORITY,
    208: {"victory": {"points": 10}},
    212: {"authority": {"by": "judgement", "to": ["repeal"]}, "judgements": {"judge": "anyone"}},
}


def brings(game: GitRepo, line: str, feed: str | None = None) -> list[str]:
    """The lines of the section that a dry run has."""
    before = snapshot(game.path)
    shown = run(game.path, f"{line} --dry-run", feed=feed)
    assert snapshot(game.path) == before
    assert "\nnothing was written (--dry-run)\n" in shown
    assert safe(shown) == shown
    section = shown.partition("What it brings about\n")[2].partition("\n\n")[0]
    return section.splitlines()


@pytest.mark.nightly
def test_a_dry_run_says_what_comes_about_and_what_permits_it(
    git_repo: Callable[..., GitRepo],
) -> None:
    game = begun(git_repo(), LAW)
    assert brings(game, "turn --on 2026-01-02") == [
        "  osprey begins R1T1 \N{EM DASH} Rule 111/0",
        "  next turn: R1T1 of osprey -> R1T2 of quill",
    ]
    assert brings(game, "player join marl --on 2026-01-02") == [
        "  marl joins \N{EM DASH} no provision speaks of it",
        "  next turn: R1T1 of osprey -> R1T1 of marl",
        "  may vote: 3 -> 4, with marl",
    ]
    run(game.path, "turn --on 2026-01-02 --commit")
    run(
        game.path, "propose --title tea --author osprey --on 2026-01-02 --commit --body -", feed=TEA
    )
    assert brings(game, "register tea --on 2026-01-02") == []
    run(game.path, "register tea --on 2026-01-02 --commit")
    run(game.path, "vote 301 for --on 2026-01-03 --commit", *EVERYONE)
    resolved = [
        "  osprey: 0 → 10 points (proposal 301 adopted, as its author) \N{EM DASH} Rule 202/0",
        "  Rule 301/0 is enacted, mutable \N{EM DASH} Rule 203/0, 3 for; "
        "more than half of eligible voters (3): more than 1.5, so at least 2 needed",
        "  points of osprey: 0 -> 10",
        "  won by: none -> osprey",
    ]
    assert brings(game, "proposal resolve 301 --on 2026-01-03") == resolved
    assert brings(game, "next --do --on 2026-01-03") == resolved
    ruling, changes = put(game, "So."), put(game, "## Repeal Rule 213/0")
    given = f"judgement file --judge quill --under 212 --ruling {ruling} --changes {changes}"
    assert brings(game, f"{given} --on 2026-01-03") == [
        "  Judgement 1 is given \N{EM DASH} Rule 212/0",
        "  Rule 213/0 is repealed \N{EM DASH} Rule 212/0",
    ]
    # What is refused has no dry run, but what is wrong with it.
    assert "authority-missing" in run(
        game.path, f"{given.replace('212', '213')} --on 2026-01-03 --dry-run", code=1
    )


def put(game: GitRepo, text: str) -> Path:
    """A file beside the game."""
    path = game.path.parent / f"{len(text)}.md"
    path.write_text(text)
    return path


# Who joins, leaves or rests on the day on which a vote was decided: typed in a real repository.


ON = "2026-01-04"
MOVES = [
    "player leave quill",
    "player leave osprey",
    "player rest wren",
    "player join newt",
]


def decided(repo: GitRepo, ruleset: str) -> GitRepo:
    def play(new: GitRepo) -> None:
        passed(
            begun(new, ruleset=ruleset, law={201: {}} if ruleset == "suber" else None), 301, TEA, ON
        )

    return once(("decided", ruleset), repo, play)


@pytest.mark.parametrize("ruleset", ["suber", "paranomic"])
@pytest.mark.parametrize("move", MOVES)
@pytest.mark.parametrize("time", ["", "T20:00"])
def test_on_the_day_of_a_decided_vote(git_repo: Repo, ruleset: str, move: str, time: str) -> None:
    game = decided(git_repo(), ruleset)
    before = load(game.path, Moment.parse(ON)).replay
    run(game.path, f"{move} --on {ON}{time} --commit")
    after = load(game.path, Moment.parse(ON))
    assert after.errors == ()
    (was,), (tally,) = before.tallies.values(), after.replay.tallies.values()
    assert (tally.for_, tally.against, tally.adopted) == (was.for_, was.against, was.adopted)
    assert after.replay.awards == before.awards
