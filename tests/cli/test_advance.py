"""What the rules do by themselves: rules that change when they are due, turns that pass; typed in a
repository.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.cli.playing import (
    EVERYONE,
    LOOSE,
    TEA,
    begun,
    proposal,
    refused,
    registered,
    run,
    snapshot,
)
from tests.support import GitRepo, once

pytestmark = pytest.mark.deep

Repo = Callable[..., GitRepo]
NO_TURNS: dict[int, dict[str, Any]] = {201: {}, 202: {}}
ACT = """\
---
cause: Rule 212
by: "212"
under: 212
date: 2026-01-05
seq: 1
---

Rule 212/0 says of itself when it changes, and that time has come.

"""
REPEAL = "## Repeal Rule 212/0\n"


def ending(after: dict[str, str], becomes: Any = "repealed", **more: Any) -> dict[str, Any]:
    return {"sunset": {"after": after, "becomes": becomes, **more}}


def turn(game: GitRepo, day: int, ends: str = "--end") -> str:
    run(game.path, f"turn --on 2026-01-{day:02} --commit")
    return run(game.path, f"turn {ends} --on 2026-01-{day:02} --commit")


def rule(game: GitRepo, number: int) -> str:
    return (game.path / f"rules/{number}.md").read_text()


@pytest.fixture
def dated(git_repo: Repo) -> GitRepo:
    """A game where Rule 212 repeals itself on 5 January, and says since when."""
    return begun(git_repo(), {**NO_TURNS, 212: ending({"date": "2026-01-05"})})


def test_a_rule_that_is_repealed_on_a_day(dated: GitRepo) -> None:
    assert run(dated.path, "next --do --on 2026-01-04").startswith("nothing was done\n")
    assert "Rule 212/0 should have changed by itself on 2026-01-05: nomicgen next --do\n" in run(
        dated.path, "status"
    )
    said = run(dated.path, "next --do --on 2026-01-09 --commit")
    assert (
        said.splitlines()[0]
        == "Rule 212 has changed by itself on 2026-01-05: acts/2026-01-05-rule-212.md"
    )
    assert (dated.path / "acts/2026-01-05-rule-212.md").read_text() == ACT + REPEAL
    assert not (dated.path / "rules/212.md").exists()
    assert dated.git("log", "-1", "--format=%s|%ad|%(trailers:only)", "--date=short").strip() == (
        "Rule 212 changes by itself|2026-01-05|Instrument: acts/2026-01-05-rule-212.md"
    )
    assert dated.git("show", "--name-status", "--format=").splitlines() == [
        "A\tacts/2026-01-05-rule-212.md",
        "D\trules/212.md",
    ]
    assert run(dated.path, "check --strict").endswith("nothing is wrong\n")
    assert "Repealed by Rule 212" in run(dated.path, "rule history 212")


def test_advancing_twice_is_advancing_once(dated: GitRepo) -> None:
    run(dated.path, "next --do --commit")
    before, head = snapshot(dated.path), dated.git("rev-parse", "HEAD")
    assert run(dated.path, "next --do --commit").startswith("nothing was done\n")
    assert (snapshot(dated.path), dated.git("rev-parse", "HEAD")) == (before, head)


def test_a_dry_run_shows_the_act_and_writes_nothing(dated: GitRepo) -> None:
    before = snapshot(dated.path)
    said = run(dated.path, "next --do --dry-run")
    assert said.startswith(
        "Rule 212 has changed by itself on 2026-01-05: acts/2026-01-05-rule-212.md\n"
    )
    assert "\n+## Repeal Rule 212/0\n" in said
    assert "\nnothing was written (--dry-run)\n" in said
    assert snapshot(dated.path) == before


def test_a_rule_that_becomes_another(git_repo: Repo) -> None:
    becomes = {
        "text": "A majority is enough.",
        "provisions": {"adoption": {"needs": "majority", "of": "eligible"}},
    }
    law = {
        "adoption": {"needs": "unanimous", "of": "eligible"},
        **ending({"date": "2026-01-05"}, becomes),
    }
    game = begun(git_repo(), {**NO_TURNS, 203: law})
    run(game.path, "next --do --commit")
    act = (game.path / "acts/2026-01-05-rule-203.md").read_text()
    assert act == ACT.replace("212", "203") + (
        "## Amend Rule 203/0\n\n```yaml rule\nprovisions:\n"
        "  adoption: {needs: majority, of: eligible}\n```\n\n"
        "A majority is enough.\n"
    )
    assert rule(game, 203).partition("provisions:")[2] == (
        "\n  adoption: {needs: majority, of: eligible}\n---\n\nA majority is enough.\n"
    )
    assert "Rule 203/1" in run(game.path, "show 203")


def test_a_rule_keeps_what_its_sunset_does_not_change(git_repo: Repo) -> None:
    cap = {"cap": {"mutable": "30"}}
    text = begun(
        git_repo("one"),
        {**NO_TURNS, 209: {**cap, **ending({"date": "2026-01-05"}, {"text": "Thirty."})}},
    )
    run(text.path, "next --do")
    assert rule(text, 209).endswith("provisions:\n  cap: {mutable: 30}\n---\n\nThirty.\n")
    law = begun(
        git_repo("two"),
        {**NO_TURNS, 209: {**cap, **ending({"date": "2026-01-05"}, {"provisions": {}})}},
    )
    words = rule(law, 209).partition("---\n\n")[2]
    run(law.path, "next --do")
    assert "provisions" not in rule(law, 209)
    assert rule(law, 209).partition("---\n\n")[2] == words
    assert run(law.path, "check").endswith("0 errors, 1 warning\n")  # not committed


@pytest.mark.nightly
def test_a_rule_that_changes_after_so_many_turns(git_repo: Repo) -> None:
    game = begun(git_repo(), {**LOOSE, 202: {}, 212: ending({"turns": "2"})})
    assert "Rule 212" not in turn(game, 2)
    assert turn(game, 3).splitlines()[:2] == [
        "R1T2 of quill ended on 2026-01-03",
        "  Rule 212/0 changes by itself now: nomicgen next --do",
    ]
    assert run(game.path, "next --do").startswith(
        "Rule 212 has changed by itself on 2026-01-03: acts"
    )


@pytest.mark.nightly
def test_a_rule_that_changes_after_so_many_rounds(git_repo: Repo) -> None:
    game = begun(git_repo(), {**LOOSE, 202: {}, 212: ending({"circuits": "1"})})
    turn(game, 2)
    turn(game, 3)
    assert "Rule 212" not in run(game.path, "next --do --on 2026-01-04 --commit")
    assert "Rule 212/0 changes by itself now" in run(
        game.path, "turn --end --on 2026-01-04 --commit"
    )
    run(game.path, "next --do --commit")
    assert (game.path / "acts/2026-01-04-rule-212.md").is_file()


@pytest.mark.deep
def test_a_rule_that_was_amended_stays(git_repo: Repo) -> None:
    law = {**NO_TURNS, 212: ending({"date": "2026-01-05"}, unless="amended")}
    game = begun(git_repo(), law)
    block = (
        "```yaml rule\nprovisions:\n"
        "  sunset: {after: {date: 2026-01-05}, becomes: repealed, unless: amended}\n```"
    )
    registered(
        game, 301, "2026-01-02", f"Keep it.\n\n## Amend Rule 212/0\n\n{block}\n\nJudges judge.\n"
    )
    run(game.path, "vote 301 for --on 2026-01-03", *EVERYONE)
    run(game.path, "proposal resolve 301 --on 2026-01-03 --commit")
    assert run(game.path, "next --do").startswith("nothing was done\n")


@pytest.mark.deep
def test_a_turn_passes_by_itself(git_repo: Repo) -> None:
    game = begun(git_repo(), ruleset="paranomic")
    run(game.path, "turn --on 2026-01-02 --commit")
    assert run(game.path, "next --do --on 2026-01-05").startswith("nothing was done\n")
    late = (
        "R1T1 of osprey has had no proposal since 2026-01-02; Rule 201 gave 3 days, until "
        "2026-01-05"
    )
    assert f"{late}, and then R1T1 passes by itself:\n  nomicgen next --do\n" in run(
        game.path, "status"
    )
    assert json.loads(run(game.path, "status --format json"))["turn"]["overdue"] == "2026-01-05"
    said = run(game.path, "next --do --on 2026-01-06 --commit")
    assert said.startswith("Rule 201 gave time until 2026-01-05: R1T1 passes by itself\n")
    assert (game.path / "turns/R1T1.yml").read_text() == (
        "player: osprey\nbegan: 2026-01-02\nended: 2026-01-05\npassed: true\n"
    )
    assert game.git("log", "-2", "--format=%s").splitlines() == [
        "Turn R1T2 of quill",
        "Rule 201: R1T1 passes by itself",
    ]


def test_a_turn_with_a_proposal_does_not_pass_by_itself(git_repo: Repo) -> None:
    game = begun(git_repo(), ruleset="paranomic")
    run(game.path, "turn --on 2026-01-02 --commit")
    registered(game, 301, "2026-01-04")
    assert "passed by itself" not in run(game.path, "next --do")


@pytest.mark.nightly
def test_what_follows_from_a_turn_that_passed_is_written_with_it(git_repo: Repo) -> None:
    game = begun(git_repo(), ruleset="paranomic")
    for day in range(2, 7):
        turn(game, day, "--pass")
    run(game.path, "turn --on 2026-01-07 --commit")
    assert run(game.path, "next --do --commit").splitlines()[:2] == [
        "Rule 201 gave time until 2026-01-10: R2T3 passes by itself",
        "Rule 204 has changed by itself on 2026-01-10: acts/2026-01-10-rule-204.md",
    ]
    assert game.git("log", "-3", "--reverse", "--format=%s").splitlines()[:2] == [
        "Rule 201: R2T3 passes by itself",
        "Rule 204 changes by itself",
    ]
    assert "adoption: {needs: majority, of: eligible}" in rule(game, 204)
    assert run(game.path, "check --strict").endswith("nothing is wrong\n")


@pytest.mark.nightly
def test_several_at_once_in_the_order_of_their_days(git_repo: Repo) -> None:
    law = {
        **LOOSE,
        202: {},
        206: ending({"date": "2026-01-04"}, {"text": "Defeat is free."}),
        212: ending({"turns": "2"}),
        213: ending({"circuits": "1"}),
    }
    game = begun(git_repo(), law)
    for day in (2, 3, 4):
        turn(game, day)
    assert run(game.path, "next --do --commit").splitlines()[:3] == [
        "Rule 212 has changed by itself on 2026-01-03: acts/2026-01-03-rule-212.md",
        "Rule 206 has changed by itself on 2026-01-04: acts/2026-01-04-rule-206.md",
        "Rule 213 has changed by itself on 2026-01-04: acts/2026-01-04-rule-213.md",
    ]
    assert len(game.git("log", "-4", "--format=%(trailers:key=Instrument,valueonly)").split()) == 3
    assert run(game.path, "check --strict").endswith("nothing is wrong\n")


@pytest.mark.deep
def test_nothing_is_decided_past_what_is_due(dated: GitRepo) -> None:
    registered(dated, 301, "2026-01-02")
    run(dated.path, "vote 301 for --on 2026-01-07", *EVERYONE)
    said = refused(dated.path, "proposal resolve 301 --on 2026-01-07", code=1)
    assert (
        "error[sunset-missed]: decided on 2026-01-07; Rule 212/0 should have changed by itself "
        "on 2026-01-05\n" in said
    )
    assert "  help: `nomicgen next --do` writes the act; " in said
    run(dated.path, "next --do --on 2026-01-07")
    run(dated.path, "proposal resolve 301 --on 2026-01-07")
    assert "0 errors" in run(dated.path, "check")


def test_advance_does_not_go_back_behind_a_decision(dated: GitRepo) -> None:
    registered(dated, 301, "2026-01-02")
    run(dated.path, "vote 301 for --on 2026-01-03", *EVERYONE)
    run(dated.path, "proposal resolve 301 --on 2026-01-04")
    assert refused(dated.path, "next --do --on 2026-01-03") == (
        "error: Proposal 301 was decided on 2026-01-04, after 2026-01-03\n"
        "help: give --on 2026-01-04 or a later day\n"
    )


@pytest.mark.deep
def test_a_rule_that_a_proposal_made_changes_by_itself_too(git_repo: Repo) -> None:
    game = begun(git_repo(), NO_TURNS)
    block = (
        "```yaml rule\nprovisions:\n  sunset: {after: {date: 2026-01-08}, becomes: repealed}\n```\n"
    )
    registered(game, 301, "2026-01-02", TEA.replace("There is", f"{block}\nThere is"))
    run(game.path, "vote 301 for --on 2026-01-03", *EVERYONE)
    said = run(game.path, "proposal resolve 301 --on 2026-01-03 --commit")
    assert "changes by itself" not in said  # it does on the 8th, which is in the past today
    assert (game.path / "rules/301.md").is_file()
    assert run(game.path, "next --do --on 2026-01-07").startswith("nothing was done\n")
    run(game.path, "next --do --on 2026-01-08 --commit")
    assert not (game.path / "rules/301.md").exists()


# Turns that end by the clock


@pytest.fixture
def clocked(git_repo: Repo) -> GitRepo:
    """Osprey's turn is over on 4 January; wren has not voted on the proposal in it."""

    def play(repo: GitRepo) -> None:
        game = begun(repo, ruleset="nomic-iv")
        run(game.path, "turn --on 2026-01-02 --commit")
        registered(game, 301, "2026-01-02")
        run(game.path, "vote 301 for --player osprey --player quill --on 2026-01-02 --commit")

    return once("clocked", git_repo(), play)


LATE = "R1T1 of osprey is being played; Rule 206 gave 2 days from 2026-01-02, until 2026-01-04"


@pytest.mark.parametrize(
    ("typed", "day"),
    [("--dice 4 --end", 4), ("--dice 4 --end", 9), ("--dice 4", 9), ("R1T1 --dice 4", 9)],
)
def test_a_turn_that_is_over_ends_with_all_that_the_rules_write(
    clocked: GitRepo, typed: str, day: int
) -> None:
    on = f"--on 2026-01-{day:02}"
    if day == 9:
        asked = f"{LATE}, and osprey has to throw, and then R1T1 ends, and wren is inactive:\n"
        assert f"{asked}  nomicgen turn R1T1 --dice FACE --end {on}\n" in run(
            clocked.path, f"next {on}"
        )
        assert run(clocked.path, f"next --do {on}", code=1).startswith("nothing was done\n")
        assert refused(clocked.path, f"turn {on}").startswith(f"error: {LATE}\n")
    said = run(clocked.path, f"turn {typed} {on} --commit")
    assert said.startswith("Rule 206 gave time until 2026-01-04: R1T1 ends, and wren is inactive\n")
    turn = (clocked.path / "turns/R1T1.yml").read_text()
    assert turn == "player: osprey\nbegan: 2026-01-02\nended: 2026-01-04\ndice: [4]\n"
    assert "inactive:\n  - since: 2026-01-04\n" in (clocked.path / "players/wren.yml").read_text()
    run(clocked.path, f"next --do {on} --commit")
    assert "status: adopted\n" in (text := proposal(clocked))
    assert "decided: 2026-01-04\n" in text, "when wren became inactive, whenever that is typed"
    assert run(clocked.path, f"check --strict {on}").endswith("nothing is wrong\n")


def test_until_when_a_vote_waits_for_those_who_have_not_voted(clocked: GitRepo) -> None:
    assert "    after 2026-01-04, R1T1 ends, and wren is inactive (Rule 206)\n" in run(
        clocked.path, "status --on 2026-01-02"
    )


def test_a_turn_that_is_ended_sooner_makes_nobody_inactive(clocked: GitRepo) -> None:
    run(clocked.path, "turn --dice 4 --on 2026-01-03")
    assert "ended:" not in (clocked.path / "turns/R1T1.yml").read_text()
    assert run(clocked.path, "turn --end --on 2026-01-03") == (
        "R1T1 of osprey ended on 2026-01-03\n  osprey +4: turn R1T1, a throw of 4 (Rule 212)\n"
    )
    assert "inactive" not in (clocked.path / "players/wren.yml").read_text()


def test_a_vote_is_decided_as_of_the_day_on_which_it_was_complete(clocked: GitRepo) -> None:
    run(clocked.path, "vote 301 against --player wren --on 2026-01-03 --commit")
    run(clocked.path, "next --do --on 2026-01-09 --commit", code=1)
    assert "decided: 2026-01-03\n" in proposal(clocked)


def test_a_vote_is_not_over_while_it_may_begin_again(clocked: GitRepo) -> None:
    """Everyone has voted on the first day of the turn, on which votes may be changed, and the text
    put anew.
    """
    run(clocked.path, "vote 301 against --player wren --on 2026-01-02 --commit")
    ends = (
        "the vote on 301 can be ended as it stands, or begin again until 2026-01-03 (Rule 210):\n"
    )
    assert (
        f"{ends}  nomicgen proposal resolve 301 --on 2026-01-02\n"
        "  `nomicgen proposal resubmit 301` begins it again\n"
    ) in run(clocked.path, "next --on 2026-01-02")
    assert (
        "proposal 301: 2 for, 1 against; everyone voted\n"
        "    it may begin again until 2026-01-03 (Rule 210), and after that it is counted\n"
    ) in run(clocked.path, "status --on 2026-01-02")
    assert run(clocked.path, "next --do --on 2026-01-02").startswith("nothing was done\n")
    run(clocked.path, "vote 301 for --player wren --on 2026-01-02 --commit")
    run(clocked.path, "next --do --on 2026-01-09 --commit", code=1)
    assert "decided: 2026-01-03\n" in (text := proposal(clocked))
    assert "wren:\n    vote: for\n" in text


def test_a_vote_that_may_not_begin_again_is_over_with_the_last_vote(clocked: GitRepo) -> None:
    for _ in range(2):
        run(clocked.path, "proposal resubmit 301 --on 2026-01-02 --commit")
        run(clocked.path, "vote 301 for --on 2026-01-02 --commit", *EVERYONE)
    assert "the vote on 301 is over: nomicgen" in run(clocked.path, "next --on 2026-01-02")


def test_an_inactive_player_may_still_change_an_outcome(clocked: GitRepo) -> None:
    assert "\n    it passes whatever they vote\n" in run(clocked.path, "status --on 2026-01-02")
    run(clocked.path, "player join tallow --on 2026-01-02 --commit")
    run(clocked.path, "player rest tallow --on 2026-01-02 --commit")
    told = "it passes whatever they vote, unless an inactive player votes: tallow\n"
    assert told in run(clocked.path, "status --on 2026-01-02")
    run(clocked.path, "vote 301 against --player wren --player tallow --on 2026-01-03 --commit")
    run(clocked.path, "proposal resolve 301 --on 2026-01-03 --commit")
    assert "status: defeated\n" in proposal(clocked)


def test_a_turn_that_ends_says_which_vote_has_not_opened(git_repo: Repo) -> None:
    game = begun(git_repo(), ruleset="nomic-iv")
    run(game.path, "turn --on 2026-01-02 --commit")
    registered(game, 301, "2026-01-02")
    then = "R1T1 ends without a vote on 301\n"
    assert f"R1T1 of osprey is being played, until 2026-01-04 (Rule 206), and then {then}" in run(
        game.path, "next --on 2026-01-03"
    )
    early = run(game.path, "turn --dice 4 --end --on 2026-01-03 --dry-run")
    assert "  301 was put forward in it, and its vote has not opened\n" in early
    assert f": {then}" in run(game.path, "turn --dice 4 --end --on 2026-01-09 --commit")
    assert "osprey can put 301 to the vote: nomicgen register 301 --open" in run(
        game.path, "next --on 2026-01-09"
    )


@pytest.mark.parametrize(
    ("votes", "judgement", "ends"),
    [
        ("--on 2026-01-03", "", 3),
        ("--on 2026-01-04", "", 4),
        ("--on 2026-01-03", "2026-01-03", 4),
        ("--on 2026-01-03", "2026-01-04", 3),
    ],
)
def test_a_turn_ends_sooner_if_everyone_has_voted(
    git_repo: Repo, votes: str, judgement: str, ends: int
) -> None:
    """What Rule 206/1 of Nomic IV says: after a day, unless a judgement was asked for."""
    clock = {
        "for": "turn",
        "within": 1,
        "with_proposal": 1,
        "unless": "all-voted",
        "then": "ends",
        "idle": "inactive",
    }
    game = begun(
        git_repo(),
        {206: {"deadline": clock, "turns": {"proposal_required": False}}},
        ruleset="nomic-iv",
    )
    run(game.path, "turn --on 2026-01-02 --commit")
    registered(game, 301, "2026-01-02")
    run(game.path, "vote 301 for --player osprey --player quill --on 2026-01-02 --commit")
    run(game.path, f"vote 301 for --player wren {votes} --commit")
    if judgement:
        game.commit(
            "Asked",
            {
                "judgements/1.md": f"---\nnumber: 1\ndate: {judgement}\nstatus: pending\n---\n\n"
                "Is it?\n"
            },
        )
    run(game.path, "turn --dice 4 --on 2026-01-09 --commit")
    assert f"ended: 2026-01-0{ends}\n" in (game.path / "turns/R1T1.yml").read_text()


def test_a_turn_that_is_prolonged_ends_as_its_file_says(clocked: GitRepo) -> None:
    """A judgement, or votes to extend: what rules leave to people is recorded, and the clock takes
    it up.
    """
    assert "lasts until 2026-01-01, before it began" in refused(
        clocked.path, "turn --until 2026-01-01 --on 2026-01-03", code=1
    )
    said = run(clocked.path, "turn --until 2026-01-05 --on 2026-01-03 --commit")
    assert said.startswith("R1T1 of osprey lasts until 2026-01-05\n")
    soon = (
        "R1T1 of osprey is being played, until 2026-01-05 (Rule 206), and then R1T1 ends, and wren "
        "is inactive\n"
    )
    assert soon in run(clocked.path, "next --on 2026-01-05")
    late = "R1T1 of osprey is being played, but was to last until 2026-01-05"
    assert f"warning[deadline-missed]: {late}\n" in run(clocked.path, "check --on 2026-01-06")
    assert run(clocked.path, "proposal resubmit 301 --on 2026-01-04").startswith(
        "the vote on proposal 301 begins anew"
    )
    run(clocked.path, "vote 301 for --player osprey --player quill --on 2026-01-05 --commit")
    run(clocked.path, "turn --dice 4 --on 2026-01-09 --commit")
    assert "ended: 2026-01-05\n" in (clocked.path / "turns/R1T1.yml").read_text()
    assert "inactive:\n  - since: 2026-01-05\n" in (clocked.path / "players/wren.yml").read_text()


def test_without_that_a_vote_begins_again_on_the_first_day_alone(clocked: GitRepo) -> None:
    assert "resubmission-late" in refused(
        clocked.path, "proposal resubmit 301 --on 2026-01-04", code=1
    )
    assert run(clocked.path, "proposal resubmit 301 --on 2026-01-03").startswith(
        "the vote on proposal 301 begins anew"
    )
