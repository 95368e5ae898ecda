"""What nomicgen's own commands write, and what pull requests bring that are merged, is no change of the past."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from nomicgen.files import set_keys
from nomicgen.game.rulesets import names, shipped
from tests.cli.playing import EVERYONE, MAJORITY, TEA, begun, passed, registered, run
from tests.cli.pulling import account, forged
from tests.deep import sampled
from tests.support import GitRepo, once
from tests.verify.histories import LAMP, OIL, clean, past_found

Repos = Callable[..., GitRepo]
SEEN = ("--evidence", "https://example.org/minutes/7")
OVERLAP = {201: {"turns": {"order": "seat", "passing": True, "overlap": True}}, 203: MAJORITY, 111: {}}


def moves(game: GitRepo, *lines: str, feed: str = TEA) -> None:
    """Commands, each with a commit of its own; what takes a text is fed one."""
    for line in lines:
        run(game.path, f"{line} --commit", feed=feed if line.endswith(" -") else None)


def turn(game: GitRepo) -> None:
    """A plain turn, of a proposal, a judgement and a throw."""
    moves(game, "turn --on 2026-01-02")
    passed(game, 301, LAMP, "2026-01-05", title="lamps")
    run(game.path, "judge --judge wren --on 2026-01-05 --title Why --commit --ruling -", feed="So.")
    moves(game, "turn --dice 4 --end --on 2026-01-05", "turn --on 2026-01-05")


def seats(game: GitRepo) -> None:
    """Who joins, rests and leaves, one of them on the day of a decision, and again on the same day."""
    passed(game, 301, LAMP, "2026-01-05", title="lamps")
    moves(
        game,
        "join marl --on 2026-01-06 --github marl-gh",
        "inactive quill --on 2026-01-07 --until 2026-01-20",
        "inactive wren --on 2026-01-08",
        "active quill --on 2026-01-09",
        "inactive quill --on 2026-01-10",
        "active quill --on 2026-01-10",
        "active wren --on 2026-01-11",
        "inactive wren --on 2026-02-01 --until 2026-02-05",
        "inactive wren --on 2026-01-15 --until 2026-01-18",
        "leave quill --on 2026-01-12",
    )


def votes(game: GitRepo) -> None:
    """Votes that are cast, taken back, put again, withdrawn, and decided on one day in any order."""
    for number in (301, 302, 303, 304):
        registered(game, number, "2026-01-02", TEA.replace("Tea", f"Tea {number}"))
    moves(
        game,
        "vote 301 for --on 2026-01-03 --player wren",
        "vote 301 against --on 2026-01-03 --player wren",
        "resubmit 301 --on 2026-01-04",
        "withdraw 303 --on 2026-01-04",
    )
    for number, vote in ((302, "for"), (304, "against"), (301, "for")):
        run(game.path, f"vote {number} {vote} --on 2026-01-05 --commit", *EVERYONE)
    moves(game, "resolve 304 --on 2026-01-05", "resolve 302 --on 2026-01-05", "resolve 301 --on 2026-01-05")


def late(game: GitRepo) -> None:
    """Two votes that ended on one day after the other, and were decided the other way round."""
    for number in (301, 302):
        registered(game, number, "2026-01-02", TEA.replace("Tea", f"Tea {number}"))
        run(game.path, f"vote {number} for --on 2026-01-03 --commit", *EVERYONE)
    moves(game, "resolve 302 --on 2026-01-06", "resolve 301 --on 2026-01-05")


def judged(game: GitRepo) -> None:
    """A question, judgements that change a rule on the day of a decision, one that is overruled."""
    passed(game, 301, LAMP, "2026-01-05", title="lamps")
    run(game.path, "judge --called-by wren --judge quill --on 2026-01-05 --title What --commit --question -", feed="Eh?")
    run(game.path, "judge --judge wren --on 2026-01-06 --title Why --commit --ruling -", feed="So.")
    moves(game, "overrule 2 --by osprey --by quill --on 2026-01-07")


def corrected(game: GitRepo) -> None:
    """A vote, a day of joining and a day of effect that were recorded wrongly."""
    passed(game, 301, LAMP, "2026-01-05", title="lamps")
    passed(game, 302, OIL, "2026-01-07", title="oil")
    for line in (
        "proposals/301.md votes.wren against",
        "players/quill.yml joined 2026-01-02",
        "proposals/302.md effective 2026-01-07T12:00",
        "proposals/302.md votes.wren abstain",
    ):
        run(game.path, f"correct {line} --on 2026-01-08 --commit", *SEEN)


def waiting(game: GitRepo) -> None:
    """Changes that wait for a turn, which begins on the day of another decision."""
    moves(game, "turn --on 2026-01-02")
    passed(game, 301, LAMP, "2026-01-05", title="lamps")
    passed(game, 302, OIL, "2026-01-06", title="oil")
    moves(game, "turn --dice 4 --end --on 2026-01-06", "turn --on 2026-01-06", "apply --on 2026-01-06")
    passed(game, 303, TEA, "2026-01-08", title="tea")
    moves(game, "turn --dice 4 --end --on 2026-01-09", "turn --on 2026-01-09", "apply --on 2026-01-09")


def ahead(game: GitRepo) -> None:
    """Changes that take effect days after others were decided."""
    for number, on in ((301, 5), (302, 7), (303, 9)):
        passed(game, number, TEA.replace("Tea", f"Tea {number}"), f"2026-01-0{on}", title=f"tea{number}")
    moves(game, "apply --on 2026-01-11", "apply --on 2026-01-20")


def due(game: GitRepo) -> None:
    """A rule that changes by itself and a turn that passes, written down days after others were decided."""
    moves(game, "turn --on 2026-01-02")
    passed(game, 301, LAMP, "2026-01-04", title="lamps")
    moves(game, "advance --on 2026-01-20")


GAMES: dict[str, tuple[Callable[[GitRepo], None], Mapping[int, Mapping[str, Any]]]] = {
    "turn": (turn, {203: MAJORITY, 111: {}}),
    "seats": (seats, OVERLAP),
    "votes": (votes, OVERLAP),
    "late": (late, OVERLAP),
    "judged": (judged, OVERLAP),
    "corrected": (corrected, {203: MAJORITY, 111: {}, 201: {}, 202: {}}),
    "waiting": (waiting, {107: {}, 205: {"effect": "next-turn"}, 203: MAJORITY, 111: {}}),
    "ahead": (ahead, {107: {}, 205: {"effect": {"after": 5}}, **OVERLAP}),
    "due": (
        due,
        {
            201: {"turns": {"order": "seat", "passing": True, "passes_after": 7, "proposal_required": False}},
            202: {},
            203: MAJORITY,
            111: {},
            212: {"sunset": {"after": {"date": "2026-01-09"}, "becomes": "repealed"}},
        },
    ),
}


@pytest.mark.parametrize("name", sampled(GAMES, every=3))
def test_what_the_commands_write_is_no_change_of_the_past(name: str, git_repo: Repos) -> None:
    play, law = GAMES[name]

    def whole(new: GitRepo) -> None:
        play(begun(new, law))

    game = once(f"commands-{name}", git_repo(), whole)
    assert past_found(game) == []
