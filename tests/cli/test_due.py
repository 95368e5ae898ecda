"""Votes that are over, ended late: as of the moment at which each was over, under the law of that
moment.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from nomicgen.model.values import Moment
from nomicgen.play.load import load, load_tree, now
from nomicgen.play.possible_moves import whats_next
from nomicgen.play.refusal import Refused
from nomicgen.play.resolving import resolve
from nomicgen.play.voting.ended import MoveSequence, VoteSources, vote_end
from nomicgen.play.voting.status import vote_lines
from tests.cli.playing import (
    MAJORITY,
    TEA,
    begun,
    proposal,
    refused,
    registered,
    run,
    snapshot,
    vote,
)
from tests.deep import sampled
from tests.pulls.pulling import AUTHOR, CLOSING, forged, sound, subjects, trailers
from tests.support import GitRepo, once

Repo = Callable[..., GitRepo]
DUE = "next --do --commit"


def opened(
    game: GitRepo, number: int, day: int, body: str = TEA, typed: str = "for --player wren"
) -> None:
    """A proposal that is put to the vote on a day in January, with a first vote; all are registered
    on the second.
    """
    registered(game, number, "2026-01-02", body, author="wren")
    run(game.path, f"vote {number} {typed} --on 2026-01-{day:02} --commit")


def enact(word: str) -> str:
    return f"It helps.\n\n## Enact Rule: {word}\n\nThere is {word.lower()}.\n"


def decided(game: GitRepo, number: int) -> str:
    lines = proposal(game, number).splitlines()
    said = dict(line.split(": ", 1) for line in lines if ": " in line and not line.startswith(" "))
    return f"{said['status']} {said.get('decided', '')}"


@pytest.fixture
def three(git_repo: Repo) -> GitRepo:
    """Votes that close on the 7th, the 5th and the 9th: the second is adopted."""

    def play(repo: GitRepo) -> None:
        game = forged(repo)
        opened(game, 301, 4, enact("Gin"), "against --player quill")
        opened(game, 302, 2, enact("Tea"))
        run(game.path, "vote 302 for --player quill --on 2026-01-03 --commit")
        opened(game, 303, 6, enact("Ale"))

    return once("three votes", git_repo(), play)


@pytest.mark.deep
def test_each_ends_as_of_its_day_the_earliest_first(three: GitRepo) -> None:
    said = run(three.path, f"{DUE} --on 2026-01-20")
    assert [line for line in said.splitlines() if line.startswith("proposal")] == [
        "proposal 302 is adopted: 2 for, 1 against, 0 abstaining (by silence: osprey)",
        "proposal 301 is defeated: 0 for, 3 against, 0 abstaining (by silence: osprey, wren)",
        "proposal 303 is defeated: 1 for, 2 against, 0 abstaining (by silence: osprey, quill)",
    ]
    assert subjects(three, 3) == [
        "Adopted: proposal 302, t302",
        "Defeated: proposal 301, t301",
        "Defeated: proposal 303, t303",
    ]
    assert [decided(three, number) for number in (301, 302, 303)] == [
        "defeated 2026-01-07",
        "adopted 2026-01-05",
        "defeated 2026-01-09",
    ]
    dates = three.git(
        "log", "--first-parent", "-3", "--reverse", "--format=%ad", "--date=short"
    ).splitlines()
    assert dates == ["2026-01-05", "2026-01-07", "2026-01-09"]
    assert trailers(three, "HEAD~2") == [
        "Instrument: proposals/302.md",
        "Outcome: adopted",
        "Proposed-by: wren",
    ]
    assert three.git("log", "-1", "--format=%an <%ae>, %cn") == f"{AUTHOR}, Ada Player"
    sound(three)


@pytest.mark.nightly
def test_by_the_clock_they_end_as_they_do_on_a_day(three: GitRepo) -> None:
    run(three.path, DUE)
    assert [decided(three, number)[-2:] for number in (301, 302, 303)] == ["07", "05", "09"]
    assert run(three.path, DUE).startswith("nothing was done\n")


@pytest.mark.nightly
def test_run_again_it_changes_nothing(three: GitRepo) -> None:
    run(three.path, f"{DUE} --on 2026-01-20")
    kept = three.git("rev-parse", "HEAD")
    assert run(three.path, f"{DUE} --on 2026-01-20").startswith("nothing was done\n")
    assert three.git("rev-parse", "HEAD") == kept


@pytest.mark.parametrize("days", sampled([[5, 7, 9, 20], [6, 20], [8, 10]], every=3))
def test_a_missed_day_changes_nothing(git_repo: Repo, three: GitRepo, days: list[int]) -> None:
    late = git_repo("late")
    late.git("fetch", "--quiet", str(three.path), "main")
    late.git("reset", "--quiet", "--hard", "FETCH_HEAD")
    for day in days:
        run(three.path, f"{DUE} --on 2026-01-{day:02}")
    run(late.path, f"{DUE} --on 2026-01-20")
    assert snapshot(late.path) == snapshot(three.path)
    assert late.git("rev-parse", "HEAD^{tree}") == three.git("rev-parse", "HEAD^{tree}")


@pytest.mark.nightly
def test_a_vote_ends_with_the_last_one_that_is_waited_for(git_repo: Repo) -> None:
    game = forged(git_repo())
    opened(game, 301, 2)
    run(game.path, "vote 301 for --player quill --on 2026-01-03 --commit")
    assert run(game.path, f"{DUE} --on 2026-01-04").startswith("nothing was done\n")
    run(game.path, "vote 301 against --player osprey --on 2026-01-04 --commit")
    run(game.path, f"{DUE} --on 2026-01-31")
    assert decided(game, 301) == "adopted 2026-01-04"
    sound(game)


@pytest.mark.nightly
def test_who_leaves_is_not_waited_for(git_repo: Repo) -> None:
    law = {**CLOSING, 105: {"ballot": {"everyone_votes": True}}}
    game = forged(git_repo(), law)
    opened(game, 301, 2)
    run(game.path, "vote 301 for --player quill --on 2026-01-03 --commit")
    assert run(game.path, f"{DUE} --on 2026-01-09").startswith("nothing was done\n")
    run(game.path, "player leave osprey --on 2026-01-06 --commit")
    run(game.path, f"{DUE} --on 2026-01-09")
    assert decided(game, 301) == "adopted 2026-01-06", "when nobody was waited for any more"
    sound(game)


@pytest.mark.deep
def test_what_nothing_ends_goes_on(git_repo: Repo) -> None:
    """Where silence is no vote and no rule ends a vote, somebody has to say that it has lasted long
    enough.
    """
    game = forged(git_repo(), {**CLOSING, 105: {"ballot": {"silence": "ignored"}}})
    opened(game, 301, 2)
    assert run(game.path, f"{DUE} --on 2027-01-09").startswith("nothing was done\n")
    run(game.path, "proposal resolve 301 --on 2026-01-09 --commit")
    sound(game)


@pytest.mark.nightly
def test_the_law_is_that_of_the_day_on_which_it_closed(git_repo: Repo) -> None:
    """302 makes votes shorter as of the 5th: 301, which would have lasted till the 7th, is over
    then.
    """
    lasting = {"silence": "against", "closes_after": 3}
    game = forged(git_repo(), {**CLOSING, 105: {}, 203: {**MAJORITY, "ballot": lasting}})
    opened(game, 301, 4, enact("Gin"))
    shorter = (
        "Shorter votes.\n\n## Amend Rule 203/0\n\n```yaml rule\nprovisions:\n"
        "  adoption: {needs: majority, of: eligible}\n"
        "  ballot: {silence: against, closes_after: 1}\n```\n\n"
        "Votes last a day.\n"
    )
    opened(game, 302, 2, shorter)
    run(game.path, "vote 302 for --player quill --on 2026-01-03 --commit")
    run(game.path, f"{DUE} --on 2026-01-20")
    assert (decided(game, 302), decided(game, 301)) == ("adopted 2026-01-05", "defeated 2026-01-05")
    assert "seq: 1\n" in proposal(game, 301)  # after 302, whose number is higher
    sound(game)


@pytest.mark.nightly
def test_what_was_decided_later_is_not_overtaken(git_repo: Repo) -> None:
    game = forged(git_repo())
    opened(game, 301, 2, enact("Gin"))
    opened(game, 302, 2, enact("Tea"))
    run(game.path, "vote 302 for --player quill --player osprey --on 2026-01-03 --commit")
    run(game.path, "proposal resolve 302 --on 2026-01-08 --commit")
    run(game.path, f"{DUE} --on 2026-01-20")
    assert decided(game, 301) == "defeated 2026-01-08"
    assert "seq: 1\n" in proposal(game, 301)
    sound(game)


@pytest.mark.nightly
def test_what_is_withdrawn_meanwhile_holds_nothing_up(git_repo: Repo) -> None:
    game = forged(git_repo())
    opened(game, 301, 2)
    registered(game, 302, "2026-01-02", enact("Ale"))
    run(game.path, "proposal withdraw 302 --on 2026-01-09 --commit")
    run(game.path, f"{DUE} --on 2026-01-20")
    assert decided(game, 301) == "defeated 2026-01-05"
    sound(game)


@pytest.mark.nightly
def test_rules_that_change_by_themselves_do_so_in_their_turn(git_repo: Repo) -> None:
    """A week missed: a rule that ends on the 6th stands when one vote closes, and not when the
    other does.
    """
    game = forged(git_repo())
    temporary = (
        "For a while.\n\n## Enact Rule: Rum\n\n```yaml rule\nprovisions:\n"
        "  sunset: {after: {date: 2026-01-06}, becomes: repealed}\n```\n\n"
        "There is rum until the 6th.\n"
    )
    registered(game, 301, "2026-01-02", temporary, author="wren")
    run(
        game.path,
        "vote 301 for --player wren --player quill --player osprey --on 2026-01-02 --commit",
    )
    run(game.path, "proposal resolve 301 --on 2026-01-02 --commit")
    opened(game, 302, 2, enact("Gin"))
    opened(game, 303, 4, enact("Ale"))
    run(game.path, "vote 303 for --player quill --on 2026-01-05 --commit")
    said = run(game.path, f"{DUE} --on 2026-01-20")
    assert "has changed by itself on 2026-01-06: acts/" in said
    found = subjects(game, 3)
    assert [one.split(":")[0] for one in found] == ["Defeated", found[1], "Adopted"]
    assert found[1].endswith("changes by itself")
    assert decided(game, 303) == "adopted 2026-01-07"
    sound(game)


@pytest.mark.nightly
def test_one_that_cannot_be_ended_keeps_none_back(git_repo: Repo) -> None:
    tie = {"ballot": {"silence": "ignored", "closes_after": 2, "tie_break": {"by": "umpire"}}}
    cast = {"adoption": {"needs": "majority", "of": "cast"}}
    umpire = {"players/umpire.yml": "name: Umpire\nkind: bot\njoined: 2026-01-01\n"}
    game = begun(git_repo(), {105: tie, 111: {}, 201: {}, 203: cast}, files=umpire)
    opened(game, 301, 2, enact("Gin"))
    run(game.path, "vote 301 against --player quill --on 2026-01-03 --commit")
    opened(game, 302, 2, enact("Tea"))
    run(game.path, "vote 302 for --player osprey --on 2026-01-03 --commit")
    said = run(game.path, f"{DUE} --on 2026-01-09")
    assert said.startswith("proposal 302 is adopted: 2 for")
    assert "\nthe vote on 301 is tied, and umpire breaks ties:\n" in said
    kept = game.git("rev-parse", "HEAD")
    assert "the vote on 301 is tied" in run(game.path, f"{DUE} --on 2026-01-09")
    assert game.git("rev-parse", "HEAD") == kept
    run(game.path, "vote 301 for --player umpire --on 2026-01-09 --commit")
    run(game.path, f"{DUE} --on 2026-01-09")
    assert decided(game, 301) == "adopted 2026-01-09"
    sound(game)


@pytest.mark.nightly
def test_what_another_has_overtaken_ends_too(git_repo: Repo) -> None:
    game = forged(git_repo())
    for number, day, word in ((301, 3, "gin"), (302, 2, "tea")):
        opened(game, number, day, f"More.\n\n## Amend Rule 204/0\n\nThere is {word}.\n")
        run(game.path, f"vote {number} for --player quill --on 2026-01-{day:02} --commit")
    said = run(game.path, f"{DUE} --on 2026-01-20")
    assert (decided(game, 302), decided(game, 301)) == ("adopted 2026-01-05", "adopted 2026-01-06")
    assert (
        "  adopted, and none of its changes is carried out: Rule 204/0 is no longer in force"
        in said
    )
    assert "0 errors" in run(game.path, "check")


def test_the_last_day_is_the_voters(git_repo: Repo) -> None:
    """A vote of which only the day is known lasts until that day is over, for every command."""
    game = forged(git_repo())
    opened(game, 301, 2)
    on = Moment.parse("2026-01-05")
    loaded = load_tree(game.path, load(game.path).tree, on)
    assert vote_end(loaded, 301, on) is None
    assert vote_end(loaded, 301, Moment.parse("2026-01-05T23:59")) is None
    assert str(vote_end(loaded, 301, Moment.parse("2026-01-06T00:00"))) == "2026-01-05"
    assert str(vote_end(loaded, 301, Moment.parse("2026-01-06"))) == "2026-01-05"
    assert not {"resolve", "close"} & {task.kind for task in whats_next(loaded, on)}
    with pytest.raises(Refused, match="until the end of 2026-01-05") as refusal:
        resolve(loaded, 301, on)
    assert refusal.value.waits is not None
    assert str(refusal.value.waits.since) == "2026-01-06"
    line, *_ = vote_lines(loaded, 301, loaded.replay.tallies["proposals/301.md"])
    assert line.endswith(", until the end of 2026-01-05")
    # The day after, it can be recorded as of its last day.
    assert "is defeated" in run(game.path, "proposal resolve 301 --on 2026-01-05 --dry-run")


def test_a_vote_whose_days_are_over_is_counted_as_of_its_last_day(git_repo: Repo) -> None:
    """Quill voted, and left on the last day; the days after it count for nothing."""
    ballot = {"closes_after": "2", "silence": "ignored"}
    game = begun(git_repo(), {105: {}, 111: {}, 201: {}, 203: {**MAJORITY, "ballot": ballot}})
    registered(game, 301, "2026-01-03")
    run(game.path, "vote 301 for --player quill --on 2026-01-03")
    run(game.path, "player leave quill --on 2026-01-05")
    assert "  proposal 301: 1 for, 0 against; over since the end of 2026-01-05\n" in run(
        game.path, "status --on 2026-01-06"
    )


def test_a_vote_of_whoever_left_after_it_is_counted(git_repo: Repo) -> None:
    """All had voted. A vote that opened at a time closes at that time, and not at midnight."""
    ballot = {"ballot": {"silence": "ignored", "closes_after": 2}}
    game = begun(git_repo(), {105: ballot, 111: {}, 201: {}, 203: MAJORITY})
    opened(game, 301, 2, enact("Gin"))
    run(game.path, "vote 301 for --player osprey --on 2026-01-03 --commit")
    run(game.path, "vote 301 against --player quill --on 2026-01-03 --commit")
    registered(game, 302, "2026-01-02")
    run(game.path, "vote 302 for --player wren --on 2026-01-02T09:02 --commit")
    run(game.path, "player leave osprey --on 2026-01-06 --commit")
    said = run(game.path, "status --on 2026-01-07")
    assert "  proposal 301: 2 for, 1 against; everyone voted\n" in said
    assert "  proposal 302: 1 for, 0 against; over since 2026-01-04T09:02\n" in said
    assert "301 is adopted: 2 for" in run(game.path, f"{DUE} --on 2026-01-07")


def test_a_vote_that_closes_at_a_time_ends_on_that_day(git_repo: Repo) -> None:
    """Nobody can vote after that time, so nothing waits for the end of the day."""
    game = forged(git_repo())
    registered(game, 301, "2026-01-02", author="wren")
    run(game.path, "vote 301 for --player wren --on 2026-01-02T09:00 --commit")
    loaded = load_tree(game.path, load(game.path).tree, Moment.parse("2026-01-05"))
    line, *_ = vote_lines(loaded, 301, loaded.replay.tallies["proposals/301.md"])
    assert line.endswith(", until 2026-01-05T09:00")
    ended = {}
    for clock in ("08:59", "09:01", "23:59"):
        moves = MoveSequence(before=loaded, on=Moment.parse(f"2026-01-05T{clock}"))
        moves.decide(VoteSources())
        assert not moves.refused
        ended[clock] = [part.subject for part in moves.move.parts]
    assert ended["08:59"] == []
    assert ended["09:01"] == ended["23:59"] == ["Defeated: proposal 301, t301"]


def test_now_is_a_moment_where_the_game_is_played(git_repo: Repo) -> None:
    game = load(begun(git_repo()).path)
    moment = now(game.settings)
    assert moment.timed
    assert abs(moment.day - datetime.now(UTC).date()) <= timedelta(days=1)
    assert moment.clock.microsecond == 0


@pytest.mark.nightly
def test_hours_of_one_day_keep_their_order(git_repo: Repo) -> None:
    game = forged(git_repo())
    opened(game, 301, 2)
    run(game.path, "vote 301 for --player quill --player osprey --on 2026-01-03T10:00 --commit")
    run(game.path, "proposal resolve 301 --on 2026-01-03T12:00 --commit")
    opened(game, 302, 3, enact("Ale"))
    run(game.path, "vote 302 for --player quill --player osprey --on 2026-01-03T11:00 --commit")
    assert refused(game.path, "proposal resolve 302 --on 2026-01-03T11:00").startswith(
        "error: Proposal 301 was decided on 2026-01-03T12:00, after 2026-01-03T11:00\n"
    )


def test_what_is_decided_is_said_to_be(game: GitRepo) -> None:
    registered(game, 301, "2026-01-02")
    vote(game, "for --player osprey --player quill --player wren", 4)
    assert refused(game.path, "proposal resolve 302").startswith(
        "error: proposal 302 is not there\n"
    )
    run(game.path, "proposal resolve 301 --on 2026-01-04")
    kept = snapshot(game.path)
    said = "proposal 301 is adopted already, on 2026-01-04: nothing to do\n"
    for options in ("", "--commit", "--merge HEAD", "--on 2026-01-02"):
        assert run(game.path, f"proposal resolve 301 {options}") == said
    assert snapshot(game.path) == kept


def test_a_dry_run_writes_nothing(three: GitRepo) -> None:
    before = snapshot(three.path)
    said = run(three.path, "next --do --dry-run --on 2026-01-20")
    assert "proposal 302 is adopted" in said
    assert snapshot(three.path) == before
