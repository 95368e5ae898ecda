"""Votes under many laws: debate, closing, silence, dice, ties and resubmissions, typed in a real
repository.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.cli.playing import MAJORITY, TEA, begun, refused, registered, run, vote, votes
from tests.support import GitRepo, once

Repo = Callable[..., GitRepo]
DUMMY = {"die": 6, "for": [1, 2, 3], "against": [4, 5]}
UMPIRE = {"by": "umpire", "die": 2, "for": [1], "against": [2]}
CHAIR = {"players/chair.yml": "name: The Chair\nkind: dummy\njoined: 2026-01-01\n"}
REFEREE = {"players/umpire.yml": "name: Umpire\nkind: bot\njoined: 2026-01-01\n"}


def status(game: GitRepo) -> list[str]:
    """What status says of the open vote."""
    lines = run(game.path, "status").splitlines()
    return [line.strip() for line in lines if line.startswith("  ")]


@pytest.fixture
def dicey(git_repo: Repo) -> GitRepo:
    """A game with a seat that votes by die, and an umpire that breaks ties by another."""
    ballot = {"debate": 1, "dummy": DUMMY, "tie_break": UMPIRE}

    def play(repo: GitRepo) -> None:
        game = begun(
            repo, {111: {"ballot": ballot}, 201: {}, 203: MAJORITY}, files={**CHAIR, **REFEREE}
        )
        registered(game, 301, "2026-01-02")

    return once("dicey", git_repo(), play)


def test_no_vote_opens_before_the_debate_is_over(game: GitRepo) -> None:
    registered(game, 301, "2026-01-02")
    assert refused(game.path, "vote 301 for --player wren --on 2026-01-02") == (
        "error: Rule 111 leaves 1 day for debate: the vote opens on 2026-01-03 or later\n"
        "help: if the vote was on a later day, say which: --on 2026-01-03\n"
    )
    assert vote(game, "for --player wren", 3).startswith(
        "proposal 301: 1 for, 0 against; waiting for osprey, quill\n"
    )


def test_a_vote_is_given_within_its_days(silent: GitRepo) -> None:
    vote(silent, "for --player osprey", 4)
    assert refused(silent.path, "vote 301 for --player quill --on 2026-01-03") == (
        "error: the vote on proposal 301 opened on 2026-01-04\n"
        "help: give --on that day or a later one\n"
    )
    assert vote(silent, "against --player quill", 7).startswith(
        "proposal 301: 2 for, 1 against, with the silence of w"
    )
    assert refused(silent.path, "vote 301 against --player wren --on 2026-01-08") == (
        "error: the vote on proposal 301 closed on 2026-01-07\n"
        "help: nomicgen proposal resolve 301 --on 2026-01-07\n"
    )
    assert votes(silent) == (
        "\n  osprey:\n    vote: for\n    at: 2026-01-04\n  quill:\n    vote: against\n"
        "    at: 2026-01-07\n"
    )


def test_what_is_said_of_an_open_vote_is_said_of_its_day(silent: GitRepo) -> None:
    assert vote(silent, "for --player osprey", 4) == (
        "proposal 301: 1 for, 0 against; waiting for quill, wren until 2026-01-07\n"
        "  it passes if nobody else votes\n"
    )
    assert status(silent) == ["proposal 301: 3 for, 0 against, with the silence of quill, wren"]
    assert "the vote on 301 is over: nomicgen proposal resolve 301 --on 2026-01-07\n" in run(
        silent.path, "status"
    )


def test_resolve_waits_for_the_day_that_the_vote_closes(silent: GitRepo) -> None:
    vote(silent, "for --player osprey", 4)
    assert refused(silent.path, "proposal resolve 301 --on 2026-01-06") == (
        "error: quill, wren must vote before proposal 301 is resolved, or the vote closes on "
        "2026-01-07\n"
        "help: nomicgen vote 301 for|against --player quill\n"
    )
    assert run(silent.path, "proposal resolve 301 --on 2026-01-07").startswith(
        "proposal 301 is adopted: 3 for"
    )


def test_silence_is_recorded_and_costs_points(silent: GitRepo) -> None:
    vote(silent, "against --player quill", 4)
    vote(silent, "for --player osprey", 5)
    assert run(silent.path, "proposal resolve 301 --on 2026-01-08 --commit").splitlines()[:-1] == [
        "proposal 301 is adopted: 2 for, 1 against, 0 abstaining (by silence: wren)",
        "  Rule 204: 2 for; more than half of eligible voters (3): more than 1.5, so at least 2 "
        "needed (met)",
        "  osprey +6 2/3: proposal 301 adopted, as its author (Rule 202)",
        "  quill +10: proposal 301 adopted, for a vote against (Rule 205)",
        "  osprey +10: proposal 301 adopted, as its author (Rule 207)",
        "  wren −3: silence on proposal 301 (Rule 203)",
    ]
    assert votes(silent).endswith(
        "    at: 2026-01-04\n  wren:\n    vote: for\n    cast_by: silence\n"
    )
    assert run(silent.path, "check --strict").endswith("nothing is wrong\n")
    assert run(silent.path, "scores").splitlines() == [
        "osprey  16 2/3",
        "quill       10",
        "wren        −3",
        "200 points win (Rule 210)",
    ]


@pytest.mark.deep
def test_silence_that_counts_against(git_repo: Repo) -> None:
    game = begun(
        git_repo(),
        {105: {"ballot": {"silence": "against", "closes_after": 2}}, 201: {}, 203: MAJORITY},
    )
    registered(game, 301, "2026-01-02")
    assert vote(game, "for --player wren", 3) == (
        "proposal 301: 1 for, 0 against; waiting for osprey, quill until 2026-01-05\n"
        "  1 more vote in favour would pass it\n"
    )
    said = run(game.path, "proposal resolve 301 --on 2026-01-05")
    assert said.startswith(
        "proposal 301 is defeated: 1 for, 2 against, 0 abstaining (by silence: osprey, quill)\n"
    )
    assert votes(game).count("cast_by: silence") == 2


@pytest.mark.deep
def test_silence_that_is_ignored(git_repo: Repo) -> None:
    adoption = {"adoption": {"needs": "majority", "of": "cast"}}
    game = begun(git_repo(), {105: {"ballot": {"silence": "ignored"}}, 201: {}, 203: adoption})
    registered(game, 301, "2026-01-02")
    assert vote(game, "for --player wren", 3) == (
        "proposal 301: 1 for, 0 against; waiting for osprey, quill\n"
        "  it passes if nobody else votes\n"
        "  nomicgen proposal resolve 301   ends it as it stands\n"
    )
    assert run(game.path, "proposal resolve 301 --on 2026-01-03").startswith(
        "proposal 301 is adopted: 1 for, 0 against"
    )
    assert votes(game) == "\n  wren:\n    vote: for\n    at: 2026-01-03\n"


@pytest.mark.deep
def test_the_author_votes_for_without_saying_so(git_repo: Repo) -> None:
    game = begun(
        git_repo(), {105: {"ballot": {"everyone_votes": True, "author_votes_for": True}}, 201: {}}
    )
    registered(game, 301, "2026-01-02", author="quill")
    assert vote(game, "for --player wren", 3).startswith(
        "proposal 301: 2 for, 0 against; waiting for osprey\n"
    )
    vote(game, "for --player osprey", 3)
    cast = [f"\n  {who}:\n    vote: for\n    at: 2026-01-03" for who in ("osprey", "wren")]
    assert votes(game) == f"{cast[0]}{cast[1]}\n"
    run(game.path, "proposal resolve 301 --on 2026-01-03")
    assert votes(game) == f"{cast[0]}\n  quill: for{cast[1]}\n"


def test_an_author_may_vote_otherwise(git_repo: Repo) -> None:
    game = begun(
        git_repo(), {105: {"ballot": {"everyone_votes": True, "author_votes_for": True}}, 201: {}}
    )
    registered(game, 301, "2026-01-02", author="quill")
    assert vote(game, "against --player quill", 3).startswith(
        "proposal 301: 0 for, 1 against; waiting for osprey, w"
    )


@pytest.mark.parametrize(
    ("typed", "message", "remedy"),
    [
        (
            "for --player chair",
            "chair votes by a die of 6 sides",
            "throw it, and give --die instead of a choice",
        ),
        ("--die 7 --player chair", "a die of 6 sides does not show 7", "give what was thrown"),
        ("--die 0 --player chair", "a die of 6 sides does not show 0", "give what was thrown"),
        (
            "--die 4 --player wren",
            "no rule lets wren vote by die",
            "leave out --die, and say for or against",
        ),
        (
            "--die 1 --player umpire",
            "umpire votes only to break a tie, and there is none",
            "`nomicgen status` shows the votes",
        ),
        (
            "for --player nobody",
            "there is no player nobody",
            "players: chair, osprey, quill, umpire, wren; `nomicgen",
        ),
    ],
)
def test_who_votes_how(dicey: GitRepo, typed: str, message: str, remedy: str) -> None:
    said = refused(dicey.path, f"vote 301 {typed} --on 2026-01-03")
    assert said.startswith(f"error: {message}\nhelp: {remedy}")


def test_a_choice_or_a_throw(dicey: GitRepo) -> None:
    for typed in ("--player chair", "for --die 3 --player chair"):
        said = run(dicey.path, f"vote 301 {typed}", code=2)
        assert said.endswith(
            "Error: say for, against, abstain or withdraw, or what was thrown: --die FACE\n"
        )


@pytest.mark.deep
@pytest.mark.parametrize(("face", "choice"), [(3, "for"), (5, "against"), (6, "abstain")])
def test_a_dummy_votes_by_die(dicey: GitRepo, face: int, choice: str) -> None:
    vote(dicey, f"--die {face} --player chair", 3)
    assert (
        votes(dicey) == f"\n  chair:\n    vote: {choice}\n    at: 2026-01-03\n    cast_by: die\n"
        f"    die: {face}\n"
    )
    vote(dicey, "for --player osprey --player wren --player quill", 3)
    run(dicey.path, "proposal resolve 301 --on 2026-01-03")
    assert "0 errors" in run(dicey.path, "check")


def test_a_die_is_thrown_once(dicey: GitRepo) -> None:
    vote(dicey, "--die 6 --player chair", 3)
    assert refused(dicey.path, "vote 301 --die 1 --player chair --on 2026-01-03") == (
        "error: chair has thrown 6 already\n"
        "help: delete the vote from proposals/301.md if that is wrong\n"
    )


@pytest.mark.deep
def test_without_a_rule_a_dummy_has_no_vote(git_repo: Repo) -> None:
    game = begun(git_repo(), files=CHAIR)
    registered(game, 301, "2026-01-02")
    for typed in ("for", "--die 3"):
        assert refused(game.path, f"vote 301 {typed} --player chair --on 2026-01-03") == (
            "error: chair may not vote on 2026-01-03\nhelp: eligible are osprey, quill, wren\n"
        )


def tied(game: GitRepo) -> None:
    vote(game, "--die 4 --player chair", 3)
    vote(game, "against --player quill", 3)
    vote(game, "for --player osprey --player wren", 3)


def test_a_tie_is_broken_before_the_vote_ends(dicey: GitRepo) -> None:
    tied(dicey)
    assert status(dicey) == [
        "proposal 301: 2 for, 2 against, a tie",
        "nomicgen vote 301-b000000001 --die FACE --player umpire",
    ]
    assert refused(dicey.path, "proposal resolve 301 --on 2026-01-03") == (
        "error: proposal 301 is tied; one more vote breaks the tie\n"
        "help: nomicgen vote 301 --die FACE --player umpire\n"
    )
    assert refused(dicey.path, "vote 301 for --player umpire --on 2026-01-03").startswith(
        "error: umpire votes by a die of 2 sides\n"
    )
    said = vote(dicey, "--die 1 --player umpire", 3)
    assert said == "proposal 301: 3 for, 2 against; everyone voted: nomicgen proposal resolve 301\n"
    assert run(dicey.path, "proposal resolve 301 --on 2026-01-03").splitlines()[:2] == [
        "proposal 301 is adopted: 3 for, 2 against, 0 abstaining",
        "  Rule 203: 3 for; more than half of eligible voters (5): more than 2.5, so at least 3 "
        "needed (met)",
    ]
    assert (
        "\n  umpire:\n    vote: for\n    at: 2026-01-03\n    cast_by: die\n    die: 1\n"
        in votes(dicey)
    )
    assert "0 errors" in run(dicey.path, "check")


def test_a_broken_tie_that_is_none_any_more(dicey: GitRepo) -> None:
    tied(dicey)
    vote(dicey, "--die 2 --player umpire", 3)
    vote(dicey, "for --player quill", 3)
    said = refused(dicey.path, "proposal resolve 301 --on 2026-01-03", code=1)
    assert (
        "error[vote-unlawful]: umpire votes only to break a tie, and there was none\n"
        "  rule: Rule 111\n" in said
    )


@pytest.mark.deep
def test_who_breaks_a_tie_by_word_alone(git_repo: Repo) -> None:
    ballot = {"everyone_votes": True, "tie_break": {"by": "wren"}}
    game = begun(git_repo(), {105: {"ballot": ballot}, 201: {}, 203: MAJORITY})
    registered(game, 301, "2026-01-02")
    assert refused(game.path, "vote 301 for --player wren --on 2026-01-03").startswith(
        "error: wren votes only to break a tie, and there is none\n"
    )
    vote(game, "for --player osprey", 3)
    vote(game, "against --player quill", 3)
    assert refused(game.path, "proposal resolve 301 --on 2026-01-03").endswith(
        "help: nomicgen vote 301 for|against --player wren\n"
    )
    assert refused(game.path, "vote 301 --die 1 --player wren --on 2026-01-03").startswith(
        "error: no rule lets wren vote by die\n"
    )
    vote(game, "against --player wren", 3)
    assert run(game.path, "proposal resolve 301 --on 2026-01-03").startswith(
        "proposal 301 is defeated: 1 for, 2 against"
    )


@pytest.mark.deep
def test_how_few_votes_would_pass_it(git_repo: Repo) -> None:
    game = begun(git_repo(), {201: {}, 203: MAJORITY})
    registered(game, 301, "2026-01-02")
    vote(game, "for --player osprey", 3)
    assert status(game)[1] == "1 more vote in favour would pass it"
    vote(game, "against --player osprey", 3)
    assert status(game)[1] == "2 more votes in favour would pass it"
    vote(game, "against --player wren", 3)
    assert status(game)[1] == "it cannot pass any more"
    vote(game, "for --player wren --player osprey", 3)
    assert status(game) == [
        "proposal 301: 2 for, 0 against; waiting for quill",
        "it passes whatever they vote",
    ]
    told = json.loads(run(game.path, "status --format json"))["open"][0]
    assert {
        key: told[key]
        for key in ("for", "missing", "fewest", "may_end", "adopted", "closes", "silent")
    } == {
        "for": ["osprey", "wren"],
        "missing": ["quill"],
        "fewest": 0,
        "may_end": False,
        "adopted": None,
        "closes": None,
        "silent": [],
    }


@pytest.mark.deep
@pytest.mark.parametrize(
    ("law", "why"),
    [
        (
            {105: {"ballot": {"everyone_votes": "true"}}},
            "everyone must vote, and no rule lets anyone abstain",
        ),
        ({}, "an abstention is not allowed"),
    ],
)
def test_nobody_sits_out_a_vote_that_all_must_cast(
    git_repo: Repo, law: dict[int, dict[str, Any]], why: str
) -> None:
    game = begun(git_repo(), law)
    registered(game, 301, "2026-01-02")
    said = refused(game.path, "vote 301 abstain --player wren --on 2026-01-03", code=1)
    assert f"error[vote-unlawful]: wren abstained: {why}\n  rule: Rule 105\n" in said


@pytest.mark.deep
@pytest.mark.parametrize(
    ("abstention", "of", "arithmetic"),
    [
        (
            "counts",
            "cast",
            "1 for; more than half of votes cast (3): more than 1.5, so at least 2 needed (not "
            "met)",
        ),
        (
            "ignored",
            "eligible",
            "1 for; more than half of eligible voters (1): more than 0.5, so at least 1 needed "
            "(met)",
        ),
    ],
)
def test_abstentions(git_repo: Repo, abstention: str, of: str, arithmetic: str) -> None:
    law: dict[int, dict[str, Any]] = {
        105: {"ballot": {"everyone_votes": True, "abstention": abstention}},
        201: {},
        203: {"adoption": {"needs": "majority", "of": of}},
    }
    game = begun(git_repo(), law)
    registered(game, 301, "2026-01-02")
    vote(game, "abstain --player osprey --player quill", 3)
    said = vote(game, "for --player wren", 3)
    assert (
        said == "proposal 301: 1 for, 0 against, 2 abstaining; everyone voted: nomicgen proposal "
        "resolve 301\n"
    )
    assert (
        run(game.path, "proposal resolve 301 --on 2026-01-03").splitlines()[1]
        == f"  Rule 203: {arithmetic}"
    )


def test_a_vote_may_be_changed_until_it_is_counted(game: GitRepo) -> None:
    registered(game, 301, "2026-01-02")
    vote(game, "against --player wren", 3)
    vote(game, "for --player wren --player osprey --player quill", 4)
    cast = "".join(
        f"  {who}:\n    vote: for\n    at: 2026-01-04\n" for who in ("osprey", "quill", "wren")
    )
    assert votes(game) == f"\n{cast}"
    run(game.path, "proposal resolve 301 --on 2026-01-04")
    assert refused(game.path, "vote 301 for --player wren").startswith(
        "error: proposal 301 is adopted, so nobody"
    )
    assert refused(game.path, "vote 999 for --player wren").startswith(
        "error: proposal 999 is not there\n"
    )


def test_a_vote_may_be_taken_back_while_the_vote_is_open(dicey: GitRepo) -> None:
    said = refused(dicey.path, "vote 301 withdraw --player wren --on 2026-01-03")
    assert said.startswith(
        "error: proposal 301 is in debate: votes are taken back only while it is open\n"
    )
    vote(dicey, "for --player wren --player quill", 3)
    said = vote(dicey, "withdraw --player wren", 4)
    assert said.startswith("proposal 301: 1 for, 0 against; waiting for ")
    assert "quill:" in votes(dicey)
    assert "wren:" not in votes(dicey)
    assert refused(dicey.path, "vote 301 withdraw --player wren --on 2026-01-04").startswith(
        "error: wren has not voted on proposal 301\n"
    )
    run(dicey.path, "vote 301 --die 2 --player chair --on 2026-01-04 --commit")
    assert refused(dicey.path, "vote 301 withdraw --player chair --on 2026-01-04") == (
        "error: chair has thrown 2\nhelp: a throw is not taken back\n"
    )
    vote(dicey, "withdraw --player quill", 4)
    vote(dicey, "for --player quill --player osprey --player wren", 5)
    assert run(dicey.path, "proposal resolve 301 --on 2026-01-05 --commit").startswith(
        "proposal 301 is adopted: 4 for"
    )
    said = refused(dicey.path, "vote 301 withdraw --player wren --on 2026-01-06")
    assert said.startswith(
        "error: proposal 301 is adopted: votes are taken back only while it is open\n"
    )


@pytest.mark.deep
def test_only_the_active_vote_where_the_rules_say_so(git_repo: Repo) -> None:
    game = begun(
        git_repo(), {201: {}, 105: {"ballot": {"electorate": "active", "everyone_votes": "true"}}}
    )
    registered(game, 301, "2026-01-02")
    run(game.path, "player rest quill --on 2026-01-03 --until 2026-01-05")
    assert refused(game.path, "vote 301 for --player quill --on 2026-01-04") == (
        "error: quill may not vote on 2026-01-04\nhelp: eligible are osprey, wren\n"
    )
    vote(game, "for --player osprey --player wren", 4)
    assert vote(game, "against --player quill", 5).startswith(
        "proposal 301: 2 for, 1 against; everyone voted"
    )


def test_voting_makes_active_again_where_the_rules_say_so(git_repo: Repo) -> None:
    game = begun(git_repo(), ruleset="nomic-iv")
    registered(game, 301, "2026-01-02")
    run(game.path, "player rest quill --on 2026-01-03 --until 2026-01-05")
    assert vote(game, "for --player quill", 4).splitlines()[:2] == [
        "quill is active again, from 2026-01-04",
        "proposal 301: 1 for, 0 against; waiting for osprey, wren",
    ]


def test_votes_are_resolved_in_their_order(git_repo: Repo) -> None:
    game = begun(git_repo(), {201: {}})
    for number in (301, 302):
        registered(game, number, "2026-01-02", TEA.replace("There is", f"There {number} is"))
        vote(game, "against --player osprey --player quill --player wren", 3, number)
    run(game.path, "proposal resolve 302 --on 2026-01-06")
    assert refused(game.path, "proposal resolve 301 --on 2026-01-05") == (
        "error: Proposal 302 was decided on 2026-01-06, after 2026-01-05\n"
        "help: give --on 2026-01-06 or a later day\n"
    )
    assert run(game.path, "proposal resolve 301 --on 2026-01-06").startswith(
        "proposal 301 is defeated"
    )


def test_nothing_is_said_to_have_happened_on_a_day_to_come(git_repo: Repo) -> None:
    game = begun(git_repo(), {201: {}, 203: MAJORITY})
    day = str(datetime.now(UTC).date() + timedelta(days=3))
    registered(game, 301, "2026-01-02")
    said = refused(game.path, f"vote 301 for --player wren --on {day}")
    assert said.startswith(f"error: {day} is in the future: today is ")
    assert f"\nhelp: type this again on {day}; with --dry-run you can see it today\n" in said
    assert "1 for" in run(game.path, f"vote 301 for --player wren --on {day} --dry-run")
    run(game.path, f"player rest wren --on {day}")
