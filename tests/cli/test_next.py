"""`nomicgen next`: what can be done now, by whom, with what command; typed in a repository."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from unittest.mock import Mock

import pytest

from nomicgen.play import load
from tests.cli.playing import MAJORITY, TEA, begun, proposal, registered, run, snapshot, vote
from tests.pulls.pulling import forged
from tests.support import GitRepo

Repo = Callable[..., GitRepo]
NO_TURNS: dict[int, dict[str, Any]] = {201: {}, 202: {}}
KINDS = {"chair": "dummy", "umpire": "bot"}
PASSING: dict[int, dict[str, Any]] = {
    201: {"turns": {"order": "seat", "proposals": 1, "passes_after": 3}},
    202: {},
}
NOTHING = "the game waits for nobody; `nomicgen status` shows its state\n"
PROPOSE = "anybody can propose: nomicgen propose --title TITLE --author ID\n"
"""The last line, in a game without turns."""


def todo(game: GitRepo, day: int) -> str:
    """What can be done on a day in January, without that day in the commands, each on the line of
    its sentence, and the line of a game without turns left out.
    """
    said = run(game.path, f"next --on 2026-01-{day:02}").replace(f" --on 2026-01-{day:02}", "")
    return said.removesuffix(PROPOSE).replace(":\n  nomicgen", ": nomicgen")


def do(game: GitRepo, day: int, more: str = "--commit", code: int = 0) -> str:
    return run(game.path, f"next --do --on 2026-01-{day:02} {more}", code=code)


def test_a_debate_that_ends_at_a_time_of_the_day(
    game: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    do(game, 2)
    typed = "propose --title tea --author osprey --register --on 2026-01-02T14:00 --commit --body -"
    run(game.path, typed, feed=TEA)
    ends = "the debate of 301 ends on 2026-01-03T14:00, and then its vote can open:"
    assert todo(game, 3).startswith(ends)
    said = run(game.path, "next --on 2026-01-03T14:00")
    assert "the debate of 301 is over, and its vote can open:" in said
    for hour, becomes in ((13, "debate"), (15, "open")):
        clock = datetime(2026, 1, 3, hour, tzinfo=UTC)
        monkeypatch.setattr(load, "datetime", Mock(now=Mock(return_value=clock)))
        run(game.path, "next --do --commit")
        assert f"status: {becomes}\n" in proposal(game)


def test_a_turn_of_suber_s_game(game: GitRepo) -> None:
    assert PROPOSE not in run(game.path, "next --on 2026-01-02")
    assert todo(game, 2) == "R1T1 of osprey can begin: nomicgen turn\n"
    assert do(game, 2).startswith("R1T1: the turn of osprey, from 2026-01-02\n")
    assert todo(game, 2) == (
        "it is osprey's turn (R1T1): osprey can propose: nomicgen propose --title TITLE --author "
        "osprey\n"
    )
    run(
        game.path, "propose --title tea --author osprey --on 2026-01-02 --commit --body -", feed=TEA
    )
    assert todo(game, 2) == "osprey can put the draft tea forward: nomicgen register tea\n"
    run(game.path, "register tea --on 2026-01-02 --commit")
    assert todo(game, 2) == (
        "301 is in debate (Rule 111): its vote opens on 2026-01-03 or later\n"
        "  type `nomicgen register 301 --open` then, or let `nomicgen next --do` do it\n"
    )
    assert (
        todo(game, 3)
        == "the debate of 301 is over, and its vote can open: nomicgen register 301 --open\n"
    )
    assert do(game, 3).startswith("the vote on proposal 301 is open, as ballot 301-")
    name = f"301-{proposal(game).partition('ballot: ')[2].split()[0]}"
    assert todo(game, 3) == "".join(
        f"{who} has not voted on 301: nomicgen vote {name} for|against --player {who}\n"
        for who in ("osprey", "quill", "wren")
    )
    vote(game, "for --player osprey --player quill --commit", 3)
    assert (
        todo(game, 3)
        == f"wren has not voted on 301: nomicgen vote {name} for|against --player wren\n"
    )
    vote(game, "for --player wren --commit", 3)
    assert (
        todo(game, 4) == "the vote on 301 is over: nomicgen proposal resolve 301 --on 2026-01-03\n"
    )
    assert do(game, 4).startswith("proposal 301 is adopted: 3 for")
    assert (
        todo(game, 4)
        == "osprey's turn (R1T1) has a die to throw: nomicgen turn --dice FACE --end\n"
    )
    run(game.path, "turn --dice 4 --end --on 2026-01-04 --commit")
    assert todo(game, 5) == "R1T2 of quill can begin: nomicgen turn\n"
    before = game.git("rev-parse", "HEAD")
    assert "nothing was written (--dry-run)\n" in do(game, 5, "--dry-run")
    assert game.git("rev-parse", "HEAD") == before
    do(game, 5)
    head = game.git("rev-parse", "HEAD")
    assert do(game, 5).startswith("nothing was done\nit is quill's turn (R1T2)")
    assert game.git("rev-parse", "HEAD") == head
    assert game.git("status", "--porcelain") == ""


def test_who_may_abstain_is_offered_that(git_repo: Repo) -> None:
    for abstention, offered in (("ignored", "for|against|abstain"), ("forbidden", "for|against")):
        game = begun(
            git_repo(abstention), {**NO_TURNS, 105: {"ballot": {"abstention": abstention}}, 111: {}}
        )
        registered(game, 301, "2026-01-02")
        vote(game, "for --player osprey --commit", 2)
        assert f" {offered} --player quill\n" in todo(game, 2)


def test_without_commit_it_writes_alone(game: GitRepo) -> None:
    head = game.git("rev-parse", "HEAD")
    do(game, 2, "")
    assert (game.path / "turns/R1T1.yml").exists()
    assert game.git("rev-parse", "HEAD") == head


@pytest.mark.deep
def test_votes_that_are_over_end_as_of_their_days(git_repo: Repo) -> None:
    game = forged(git_repo())
    for number, day in ((301, 4), (302, 3)):
        registered(game, number, "2026-01-02", TEA.replace("Tea", f"Tea {number}"), author="wren")
        run(game.path, f"vote {number} for --player wren --on 2026-01-{day:02} --commit")
    assert todo(game, 20) == (
        "the vote on 302 is over: nomicgen proposal resolve 302 --on 2026-01-06\n"
        "the vote on 301 is over: nomicgen proposal resolve 301 --on 2026-01-07\n"
    )
    do(game, 20)
    assert "decided: 2026-01-06" in proposal(game, 302)
    assert "decided: 2026-01-07" in proposal(game, 301)
    assert todo(game, 20) == NOTHING


def test_rules_that_change_by_themselves(git_repo: Repo) -> None:
    sunset = {"sunset": {"after": {"date": "2026-01-05"}, "becomes": "repealed"}}
    game = begun(git_repo(), {**NO_TURNS, 212: sunset})
    assert run(game.path, "next --on 2026-01-04").endswith(PROPOSE)
    assert todo(game, 4) == (
        "Rule 212/0 stands, until 2026-01-05 (Rule 212), and then it is repealed by itself\n"
    )
    assert todo(game, 9) == (
        "Rule 212/0 should have changed by itself on 2026-01-05: nomicgen next --do\n"
    )
    assert do(game, 9).startswith(
        "Rule 212 has changed by itself on 2026-01-05: acts/2026-01-05-rule-212.md\n"
    )
    assert todo(game, 9) == NOTHING


@pytest.mark.deep
def test_a_turn_that_passes_by_itself(git_repo: Repo) -> None:
    game = begun(git_repo(), PASSING)
    do(game, 2)
    propose = (
        "it is osprey's turn (R1T1): osprey can propose: nomicgen propose --title TITLE "
        "--author osprey\n"
    )
    ends = "osprey can end the turn (R1T1): nomicgen turn --end\n"
    soon = (
        "R1T1 of osprey waits for a proposal, until 2026-01-05 (Rule 201), and then R1T1 passes by "
        "itself\n"
    )
    assert todo(game, 3) == f"{propose}{ends}{soon}"
    late = (
        "R1T1 of osprey has had no proposal since 2026-01-02; Rule 201 gave 3 days, until "
        "2026-01-05"
    )
    assert todo(game, 9) == f"{late}, and then R1T1 passes by itself: nomicgen next --do\n"
    said = do(game, 9)
    done = "Rule 201 gave time until 2026-01-05: R1T1 passes by itself\n"
    assert said.startswith(f"{done}R1T2: the turn of quill")
    assert "quill can end the turn (R1T2): nomicgen turn --end" in said


@pytest.mark.parametrize("required", [True, False])
def test_a_turn_that_may_be_passed(git_repo: Repo, required: bool) -> None:
    turns = {"order": "seat", "passing": True, "proposals": 1, "proposal_required": required}
    game = begun(git_repo(), {201: {"turns": turns}, 202: {}})
    do(game, 2)
    assert (
        "osprey can end the turn (R1T1): nomicgen turn --end\n" in todo(game, 3)
    ) is not required
    assert "osprey can pass the turn (R1T1): nomicgen turn --pass\n" in todo(game, 3)
    run(game.path, "turn --pass --on 2026-01-03 --commit")
    assert "R1T2 of quill can begin" in todo(game, 3)


@pytest.mark.deep
def test_a_tie_and_a_die(git_repo: Repo) -> None:
    ballot = {
        "debate": 1,
        "everyone_votes": True,
        "dummy": {"die": 6, "for": [1, 2, 3], "against": [4, 5]},
        "tie_break": {"by": "umpire", "die": 2, "for": [1], "against": [2]},
    }
    seats = {
        name: f"name: {name.title()}\nkind: {kind}\njoined: 2026-01-01\n"
        for name, kind in KINDS.items()
    }
    files = {f"players/{name}.yml": text for name, text in seats.items()}
    game = begun(
        git_repo(), {**NO_TURNS, 105: {}, 111: {"ballot": ballot}, 203: MAJORITY}, files=files
    )
    registered(game, 301, "2026-01-02")
    vote(game, "for --player wren --player quill", 3)
    vote(game, "against --player osprey", 3)
    name = f"301-{proposal(game).partition('ballot: ')[2].split()[0]}"
    assert (
        todo(game, 3)
        == f"chair has not voted on 301: nomicgen vote {name} --die FACE --player chair\n"
    )
    vote(game, "--die 4 --player chair", 3)
    assert todo(game, 3) == (
        f"the vote on 301 is tied, and umpire breaks ties: nomicgen vote {name} --die FACE "
        "--player umpire\n"
    )
    vote(game, "--die 1 --player umpire", 3)
    assert todo(game, 3) == "the vote on 301 is over: nomicgen proposal resolve 301\n"


@pytest.mark.deep
def test_silence_that_counts(silent: GitRepo) -> None:
    vote(silent, "for --player osprey", 4)
    lines = [line for line in todo(silent, 5).splitlines() if "301" in line]
    name = f"301-{proposal(silent).partition('ballot: ')[2].split()[0]}"
    assert lines == [
        f"{who} has not voted on 301, which closes on 2026-01-07: nomicgen vote {name} "
        f"for|against --player {who}"
        for who in ("quill", "wren")
    ]
    assert (
        todo(silent, 8).splitlines()[0]
        == "the vote on 301 is over: nomicgen proposal resolve 301 --on 2026-01-07"
    )


@pytest.mark.deep
def test_a_text_that_changed_after_the_vote_opened(game: GitRepo) -> None:
    registered(game, 301, "2026-01-02")
    vote(game, "for --player wren", 3)
    (game.path / "proposals/301.md").write_text(
        proposal(game).replace("There is tea.", "There is cocoa.")
    )
    resubmit = (
        "301 no longer has the text of its vote: osprey brings that back, or types: "
        "nomicgen proposal resubmit 301\n"
    )
    assert resubmit in todo(game, 3)
    assert "nomicgen vote" not in todo(game, 3)
    run(game.path, "proposal resubmit 301 --on 2026-01-03")
    assert resubmit not in todo(game, 3)


@pytest.mark.deep
def test_a_debate_without_days_is_over_when_its_author_says_so(git_repo: Repo) -> None:
    game = begun(git_repo(), {**NO_TURNS, 111: {}})
    registered(game, 301, "2026-01-02")
    assert todo(game, 2) == "osprey can put 301 to the vote: nomicgen register 301 --open\n"
    assert do(game, 2).startswith("nothing was done\n")


@pytest.mark.deep
def test_a_question_waits_for_its_judge(game: GitRepo) -> None:
    run(
        game.path,
        "judgement file --judge quill --called-by wren --rule 203 --title Tea --on 2026-01-02",
    )
    assert todo(game, 2).splitlines()[1:] == [
        "Judgement 1 waits for quill",
        "  write `## Ruling` with the ruling, `date: 2026-01-02` and `status: upheld` into "
        "judgements/1.md",
    ]
    file = game.path / "judgements/1.md"
    file.write_text(f"{file.read_text()}\n## Ruling\n\nNo.\n")
    # By the day on which it was asked for, it would stand before what was decided since.
    keys = "`date: 2026-01-03` and `status: upheld`"
    assert f"  write {keys} into judgements/1.md\n" in todo(game, 3)
    file.write_text(file.read_text().replace("judge: quill\n", ""))
    assert f"  write `judge: ID`, {keys} into judgements/1.md\n" in todo(game, 3)


@pytest.mark.deep
def test_a_question_whose_judge_was_late_waits_for_the_only_other(git_repo: Repo) -> None:
    law = {"judgements": {"judge": {"role": "herald"}, "never": ["caller"]}}
    game = begun(git_repo(), {**NO_TURNS, 212: law})
    run(game.path, "player role osprey herald --on 2026-01-02")
    run(game.path, "judgement file --called-by wren --rule 203 --title Tea --on 2026-01-02")
    file = game.path / "judgements/1.md"
    file.write_text(file.read_text().replace("judge: osprey\n", "late: [osprey]\n"))
    assert todo(game, 3).startswith("Judgement 1 waits for osprey\n")  # nobody else has the role
    run(game.path, "player role wren herald --on 2026-01-03")
    assert todo(game, 3).startswith("Judgement 1 waits for a judge\n")  # wren asked for it
    file.write_text(file.read_text().replace("called_by: wren\n", ""))
    assert todo(game, 3).startswith(
        "Judgement 1 waits for wren\n  write `## Ruling` with the ruling, `judge: wren`, "
    )


@pytest.mark.deep
def test_drafts_that_cannot_be_registered_say_why(loose: GitRepo) -> None:
    run(loose.path, "turn --on 2026-01-02")
    run(loose.path, "propose --title mine --author quill --on 2026-01-02 --body -", feed=TEA)
    run(loose.path, "propose --title blank --author osprey --enact --on 2026-01-02")
    (loose.path / "proposals/spoilt.md").write_bytes(b"---\n\xff\n---\n")
    said = todo(loose, 2)
    assert (
        "proposals/mine.md: Legal. It waits for quill's turn (R1T2), and then gets its number\n"
        "  R1T1 is the turn of osprey: quill may not propose in it\n"
    ) in said
    assert (
        "proposals/blank.md: It cannot get its number: proposals/blank.md still has the "
        "template's words\n" in said
    )
    assert "proposals/spoilt.md cannot be read: " in said
    assert "nomicgen register" not in said


@pytest.mark.deep
def test_whoever_names_a_draft_types_nothing_for_others(game: GitRepo) -> None:
    run(game.path, "turn --on 2026-01-02")
    run(game.path, "propose --title tea --author osprey --on 2026-01-02 --body -", feed=TEA)
    draft = game.path / "proposals/tea.md"
    draft.rename(draft.with_name("--x $(touch pwned);.md"))
    said = run(game.path, "next --on 2026-01-02 --format json")
    for task in json.loads(said)["tasks"]:
        if task["command"] is not None:
            typed = shlex.split(task["command"])
            assert "$" not in task["command"] or typed[2] == "proposals/--x $(touch pwned);.md"


@pytest.mark.deep
def test_nothing_is_done_before_errors_are_mended(game: GitRepo) -> None:
    (game.path / "rules/203.md").write_text("spoilt")
    assert todo(game, 2).splitlines()[0] == (
        "the game has errors, and nothing can be done before they are mended: nomicgen check"
    )
    assert todo(game, 2).splitlines()[1:] == [
        "turns/R1T1.yml: The game has errors; this waits until they are corrected"
    ]
    run(game.path, "apply --on 2026-01-02")
    run(game.path, "turn --on 2026-01-02")
    assert "osprey can propose" in todo(game, 2)
    (game.path / "rules/203.md").write_text("spoilt")
    assert "can propose" not in todo(game, 2)
    before = snapshot(game.path)
    said = do(game, 2, code=1)
    assert said.startswith("nothing was done\n")
    assert said.endswith("\nerror: this is due, and cannot be done yet: rules/203.md\n")
    assert snapshot(game.path) == before


@pytest.mark.deep
def test_on_a_forge_there_is_an_address_to_click(git_repo: Repo) -> None:
    game = forged(git_repo())
    line = "register tea --discussion https://github.com/us/game/pull/7 --open --on 2026-01-03"
    run(game.path, "propose --title tea --author wren --on 2026-01-03 --body -", feed=TEA)
    run(game.path, line)
    held = json.loads(run(game.path, "next --on 2026-01-20 --format json"))["tasks"]
    assert [(one["kind"], one["address"], one["needs_choice"]) for one in held] == [
        ("poll", "https://github.com/us/game/pull/7", True)
    ]
    said = run(game.path, "status --on 2026-01-03")
    assert "  the votes are on its pull request: https://github.com/us/game/pull/7\n" in said
    assert " for, " not in said
    assert "waiting for" not in said
    vote(game, "for --player wren", 4)
    voted = json.loads(run(game.path, "next --on 2026-01-20 --format json"))["tasks"]
    assert [(one["kind"], one["proposal"], one["since"], one["address"]) for one in voted] == [
        ("resolve", 301, "2026-01-06", "https://github.com/us/game/pull/7")
    ]


@pytest.mark.deep
def test_what_does_not_go_together(game: GitRepo) -> None:
    for more in ("--commit", "--dry-run", "--do --format json"):
        assert "Error: " in run(game.path, f"next {more}", code=2)
