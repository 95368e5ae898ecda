"""Scores as they are printed: who has what, why, and who has won."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.cli.playing import EVERYONE, MAJORITY, TEA, begun, passed, refused, registered, run
from tests.support import GitRepo, once

Repo = Callable[..., GitRepo]
LAW: dict[int, dict[str, Any]] = {
    201: {"turns": {"order": "seat"}},
    203: MAJORITY,
    206: {"points": [{"on": "decided", "to": "author", "amount": "10", "times": "share-for"}]},
    210: {"awards": {"in": "turn"}},
}


def throw(game: GitRepo, day: int, dice: int) -> str:
    run(game.path, f"turn --on 2026-01-{day:02}")
    return run(game.path, f"turn --dice {dice} --end --on 2026-01-{day:02}")


@pytest.fixture
def scored(git_repo: Repo) -> GitRepo:
    """A game where osprey threw a die, and a proposal of wren's was adopted against quill."""

    def play(repo: GitRepo) -> None:
        game = begun(repo, LAW)
        throw(game, 2, 4)
        registered(game, 301, "2026-01-03", author="wren")
        run(game.path, "vote 301 for --player osprey --player wren --on 2026-01-04")
        run(game.path, "vote 301 against --player quill --on 2026-01-04")
        run(game.path, "proposal resolve 301 --on 2026-01-04")

    return once("scores", git_repo(), play)


def test_a_game_without_points_says_where_they_come_from(game: GitRepo) -> None:
    assert run(game.path, "scores").splitlines() == [
        "osprey  0",
        "quill   0",
        "wren    0",
        "100 points win (Rule 208)",
        "no points have been given yet: `points` provisions of rules give them, and `points` in "
        "files",
    ]
    assert run(game.path, "scores --explain wren") == "wren: 0\n"


def test_the_scores_the_highest_first(scored: GitRepo) -> None:
    assert run(scored.path, "scores").splitlines() == [
        "quill      10",
        "wren    6 2/3",
        "osprey      4",
        "100 points win (Rule 208)",
    ]


def test_one_score_line_by_line(scored: GitRepo) -> None:
    throw(scored, 5, 1)
    throw(scored, 6, 6)
    assert run(scored.path, "scores --explain wren").splitlines() == [
        "2026-01-04  +6 2/3  proposal 301 adopted, as its author  Rule 206",
        "2026-01-06      +6  turn R1T3, a throw of 6              Rule 202",
        "wren: 12 2/3",
    ]
    assert run(scored.path, "scores --explain quill").splitlines()[0] == (
        "2026-01-04  +10  proposal 301 adopted, for a vote against  Rule 204"
    )


def test_points_that_a_file_gives_by_itself(scored: GitRepo) -> None:
    path = scored.path / "turns/R1T1.yml"
    path.write_text(
        path.read_text() + "points: [{player: quill, amount: -7/2, reason: A haiku of two lines}]\n"
    )
    assert run(scored.path, "scores --explain quill").splitlines() == [
        "2026-01-02  −3 1/2  A haiku of two lines                      Rule 210",
        "2026-01-04     +10  proposal 301 adopted, for a vote against  Rule 204",
        "quill: 6 1/2",
    ]


def test_points_of_which_no_rule_speaks_come_from_their_file(git_repo: Repo) -> None:
    game = begun(git_repo(), {201: {"turns": {"order": "seat"}}, 202: {}, 204: {}, 206: {}})
    run(game.path, "turn --on 2026-01-02")
    run(game.path, "turn --end --on 2026-01-02")
    path = game.path / "turns/R1T1.yml"
    path.write_text(
        path.read_text() + "points: [{player: quill, amount: -7/2, reason: A haiku of two lines}]\n"
    )
    assert run(game.path, "scores --explain quill").splitlines() == [
        "2026-01-02  −3 1/2  A haiku of two lines  turns/R1T1.yml",
        "quill: −3 1/2",
    ]


def test_scores_as_json(scored: GitRepo) -> None:
    told = json.loads(run(scored.path, "scores --format json"))
    assert told == {
        "format": 1,
        "scores": [
            {
                "player": "quill",
                "total": 10,
                "plays": True,
                "lines": [
                    {
                        "amount": 10,
                        "reason": "proposal 301 adopted, for a vote against",
                        "rule": 204,
                        "date": "2026-01-04",
                        "file": "proposals/301.md",
                    }
                ],
            },
            {
                "player": "wren",
                "total": "20/3",
                "plays": True,
                "lines": [
                    {
                        "amount": "20/3",
                        "reason": "proposal 301 adopted, as its author",
                        "rule": 206,
                        "date": "2026-01-04",
                        "file": "proposals/301.md",
                    }
                ],
            },
            {
                "player": "osprey",
                "total": 4,
                "plays": True,
                "lines": [
                    {
                        "amount": 4,
                        "reason": "turn R1T1, a throw of 4",
                        "rule": 202,
                        "date": "2026-01-02",
                        "file": "turns/R1T1.yml",
                    }
                ],
            },
        ],
        "goal": {"points": 100, "rule": 208},
        "winner": None,
    }
    one = json.loads(run(scored.path, "scores --explain wren --format json"))
    assert one == {**told, "scores": told["scores"][1:2]}


def test_who_has_left_keeps_the_points(scored: GitRepo) -> None:
    run(scored.path, "player leave quill --on 2026-01-05")
    assert run(scored.path, "scores").splitlines()[0] == "quill      10  does not play"
    assert json.loads(run(scored.path, "scores --format json"))["scores"][0]["plays"] is False


def test_who_joins_later_is_not_said_to_have_left(scored: GitRepo) -> None:
    run(scored.path, "player join marl --on 2026-01-06")
    assert "marl        0  does not play" in run(scored.path, "scores --on 2026-01-05").splitlines()


def test_nobody_else_has_a_score(scored: GitRepo) -> None:
    assert refused(scored.path, "scores --explain nobody") == (
        "error: nobody has no score\nhelp: players: quill, wren, osprey\n"
    )
    assert refused(scored.path, "scores --explain nobody --format json").startswith(
        "error: nobody has no score\n"
    )


@pytest.fixture
def short(git_repo: Repo) -> GitRepo:
    """A game to five points."""
    return begun(git_repo(), {**LAW, 208: {"victory": {"points": "5"}}})


def test_who_has_enough_points_has_won(short: GitRepo) -> None:
    throw(short, 2, 4)
    assert run(short.path, "scores").splitlines()[-1] == "5 points win (Rule 208)"
    assert throw(short, 3, 5).splitlines() == [
        "R1T2 of quill ended on 2026-01-03",
        "  quill +5: turn R1T2, a throw of 5 (Rule 202)",
        "  quill won on 2026-01-03, with 5 points or more (Rule 208)",
    ]
    assert "quill won on 2026-01-03, with 5 points or more (Rule 208)\n" in run(
        short.path, "status"
    )
    assert throw(short, 4, 6).splitlines()[1:] == ["  wren +6: turn R1T3, a throw of 6 (Rule 202)"]
    assert run(short.path, "scores").splitlines() == [
        "wren    6",
        "quill   5",
        "osprey  4",
        "quill won on 2026-01-03, with 5 points or more (Rule 208)",
    ]
    told = json.loads(run(short.path, "scores --format json"))
    assert told["winner"] == {"players": ["quill"], "rule": 208, "date": "2026-01-03"}
    assert json.loads(run(short.path, "status --format json"))["winner"] == told["winner"]


@pytest.mark.deep
def test_several_win_at_once(git_repo: Repo) -> None:
    law = {
        **LAW,
        204: {"points": {"on": "adopted", "to": "for", "amount": "7"}},
        201: {},
        206: {},
        208: {"victory": {"points": "5"}},
    }
    game = begun(git_repo(), law)
    said = passed(game, 301, TEA, "2026-01-04").splitlines()
    assert "  osprey, quill and wren won on 2026-01-04, with 5 points or more (Rule 208)" in said
    assert run(game.path, "next --on 2026-01-04").startswith(
        "the game is won, and waits for nobody"
    )


def test_where_no_rule_says_what_wins(git_repo: Repo) -> None:
    game = begun(git_repo(), {**LAW, 208: {}})
    throw(game, 2, 4)
    assert run(game.path, "scores").splitlines() == ["osprey  4", "quill   0", "wren    0"]
    assert json.loads(run(game.path, "scores --format json"))["goal"] is None


def test_a_rule_that_is_amended_awards_what_it_says_from_then_on(scored: GitRepo) -> None:
    block = "```yaml rule\nprovisions:\n  points: {on: turn, to: player, amount: 1}\n```"
    registered(
        scored,
        302,
        "2026-01-05",
        f"No dice.\n\n## Amend Rule 202/0\n\n{block}\n\nA point a turn.\n",
        author="wren",
    )
    run(scored.path, "vote 302 for --on 2026-01-06", *EVERYONE)
    run(scored.path, "proposal resolve 302 --on 2026-01-06")
    run(scored.path, "turn --on 2026-01-07")
    assert (
        run(scored.path, "turn --end --on 2026-01-07").splitlines()[1]
        == "  quill +1: turn R1T2 (Rule 302)"
    )
    assert run(scored.path, "scores --explain osprey").splitlines()[-1] == "osprey: 4"
