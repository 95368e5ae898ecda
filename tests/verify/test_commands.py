"""What nomicgen's own commands write, and what pull requests bring that are merged, is no change of
the past.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from nomicgen.files.file_editing import set_keys
from nomicgen.play.rulesets import shipped
from tests.cli.playing import EVERYONE, MAJORITY, TEA, begun, passed, refused, registered, run
from tests.deep import sampled
from tests.pulls.pulling import account, forged
from tests.support import GitRepo, once
from tests.verify.histories import LAMP, OIL, clean, past_found

pytestmark = pytest.mark.deep

Repos = Callable[..., GitRepo]
SEEN = ("--evidence", "https://example.org/minutes/7")
PLAYED = ("suber", "nomic-iv", "paranomic", "pokey")
OVERLAP: dict[int, dict[str, Any]] = {
    201: {"turns": {"order": "seat", "passing": True, "overlap": True}},
    203: MAJORITY,
    111: {},
    104: {},
}


def moves(game: GitRepo, *lines: str, feed: str = TEA) -> None:
    """Commands, each with a commit of its own; what takes a text is fed one."""
    for line in lines:
        run(game.path, f"{line} --commit", feed=feed if line.endswith(" -") else None)


def turn(game: GitRepo) -> None:
    """A plain turn, of a proposal, a judgement and a throw."""
    moves(game, "turn --on 2026-01-02")
    passed(game, 301, LAMP, "2026-01-05", title="lamps", author="osprey")
    run(
        game.path,
        "judgement file --judge wren --on 2026-01-05 --title Why --commit --ruling -",
        feed="So.",
    )
    moves(game, "turn --dice 4 --end --on 2026-01-05", "turn --on 2026-01-05")


def seats(game: GitRepo) -> None:
    """Who joins, rests and leaves, one of them on the day of a decision, and again on the same
    day.
    """
    passed(game, 301, LAMP, "2026-01-05", title="lamps")
    moves(
        game,
        "player join marl --on 2026-01-06 --account marl-gh",
        "player rest quill --on 2026-01-07 --until 2026-01-20",
        "player rest wren --on 2026-01-08",
        "player return quill --on 2026-01-09",
        "player rest quill --on 2026-01-10",
        "player return quill --on 2026-01-10",
        "player return wren --on 2026-01-11",
        "player rest wren --on 2026-02-01 --until 2026-02-05",
        "player rest wren --on 2026-01-15 --until 2026-01-18",
        "player leave quill --on 2026-01-12",
    )


def votes(game: GitRepo) -> None:
    """Votes that are cast, taken back, put again, withdrawn, and decided on one day in any
    order.
    """
    for number in (301, 302, 303, 304):
        registered(game, number, "2026-01-02", TEA.replace("Tea", f"Tea {number}"))
    moves(
        game,
        "vote 301 for --on 2026-01-03 --player wren",
        "vote 301 against --on 2026-01-03 --player wren",
        "proposal resubmit 301 --on 2026-01-04",
        "proposal withdraw 303 --on 2026-01-04",
    )
    for number, vote in ((302, "for"), (304, "against"), (301, "for")):
        run(game.path, f"vote {number} {vote} --on 2026-01-05 --commit", *EVERYONE)
    moves(
        game,
        "proposal resolve 304 --on 2026-01-05",
        "proposal resolve 302 --on 2026-01-05",
        "proposal resolve 301 --on 2026-01-05",
    )


def judged(game: GitRepo) -> None:
    """A question, judgements that change a rule on the day of a decision, one that is overruled."""
    passed(game, 301, LAMP, "2026-01-05", title="lamps")
    run(
        game.path,
        "judgement file --called-by wren --judge quill --on 2026-01-05 --title What --commit "
        "--question -",
        feed="Eh?",
    )
    run(
        game.path,
        "judgement file --judge wren --on 2026-01-06 --title Why --commit --ruling -",
        feed="So.",
    )
    moves(game, "judgement overrule 2 --by osprey --by quill --on 2026-01-07")


def corrected(game: GitRepo) -> None:
    """A vote, a day of joining and a day of effect that were recorded wrongly."""
    passed(game, 301, LAMP, "2026-01-05", title="lamps")
    passed(game, 302, OIL, "2026-01-07", title="oil")
    for line in (
        "proposals/301.md votes.wren against",
        "players/quill.yml joined 2026-01-02",
        "proposals/302.md effective 2026-01-07T12:00",
        "proposals/302.md votes.wren against",
    ):
        run(game.path, f"correct {line} --on 2026-01-08 --commit", *SEEN)


def waiting(game: GitRepo) -> None:
    """Changes that wait for a turn, which begins on the day of another decision."""
    moves(game, "turn --on 2026-01-02")
    passed(game, 301, LAMP, "2026-01-05", title="lamps", author="osprey")
    moves(
        game, "turn --dice 4 --end --on 2026-01-05", "turn --on 2026-01-05", "apply --on 2026-01-05"
    )
    passed(game, 302, TEA, "2026-01-08", title="tea", author="quill")
    moves(
        game, "turn --dice 4 --end --on 2026-01-09", "turn --on 2026-01-09", "apply --on 2026-01-09"
    )


def due(game: GitRepo) -> None:
    """A rule that changes by itself and a turn that passes, written down days after others were
    decided.
    """
    moves(game, "turn --on 2026-01-02")
    passed(game, 301, LAMP, "2026-01-04", title="lamps")
    moves(game, "next --do --on 2026-01-20")


GAMES: dict[str, tuple[Callable[[GitRepo], None], Mapping[int, Mapping[str, Any]]]] = {
    "turn": (turn, {203: MAJORITY, 111: {}}),
    "seats": (seats, OVERLAP),
    "votes": (votes, OVERLAP),
    "judged": (judged, OVERLAP),
    "corrected": (corrected, {203: MAJORITY, 111: {}, 201: {}, 202: {}}),
    "waiting": (waiting, {107: {}, 205: {"effect": "next-turn"}, 203: MAJORITY, 111: {}}),
    "due": (
        due,
        {
            201: {
                "turns": {
                    "order": "seat",
                    "passing": True,
                    "passes_after": 7,
                    "proposal_required": False,
                }
            },
            202: {},
            203: MAJORITY,
            111: {},
            212: {"sunset": {"after": {"date": "2026-01-09"}, "becomes": "repealed"}},
        },
    ),
}


@pytest.mark.nightly
@pytest.mark.parametrize("name", sampled(GAMES, every=9))
def test_what_the_commands_write_is_no_change_of_the_past(name: str, git_repo: Repos) -> None:
    play, law = GAMES[name]

    def whole(new: GitRepo) -> None:
        play(begun(new, law))

    game = once(f"commands-{name}", git_repo(), whole)
    assert past_found(game) == []


def test_a_judgement_is_not_given_before_what_was_decided(git_repo: Repos) -> None:
    game = begun(git_repo(), OVERLAP)
    passed(game, 301, LAMP, "2026-01-05", title="lamps")
    said = refused(
        game.path, "judgement file --judge wren --title Why --ruling - --on 2026-01-04", feed="So."
    )
    assert "help: give --on 2026-01-05 or a later day\n" in said


@pytest.mark.nightly
def test_a_correction_is_no_fault_and_an_edit_beside_it_is(git_repo: Repos) -> None:
    game = begun(git_repo(), {203: MAJORITY, 111: {}, 201: {}, 202: {}})
    passed(game, 301, LAMP, "2026-01-05", title="lamps")
    run(game.path, "correct players/quill.yml joined 2026-01-02 --on 2026-01-08", *SEEN)
    path = game.path / "players/quill.yml"
    path.write_bytes(set_keys(path.read_bytes(), {"order": 9}))
    sha = game.commit("Corrected")
    assert past_found(game, {"SHA": sha}) == [
        "commit SHA (Ada Player, 2020-01-02) changed the past: `order` of quill is not what the "
        "correction makes of it"
    ]


@pytest.mark.nightly
def test_what_is_owned_up_to_counts_no_more(git_repo: Repos) -> None:
    game = begun(git_repo(), OVERLAP)
    passed(game, 301, LAMP, "2026-01-05", title="lamps")
    path = game.path / "players/quill.yml"
    sha = game.commit(
        "By hand", {"players/quill.yml": set_keys(path.read_bytes(), {"joined": "2026-01-04"})}
    )
    settings = (game.path / "nomic.yml").read_text()
    game.commit("Own up to it", {"nomic.yml": f"{settings}admitted: {{{sha}: Quill was late}}\n"})
    assert [one["finding"]["slug"] for one in clean(game)["admitted"][0]["faults"]] == [
        "verify-past"
    ]
    assert f"admitted {sha[:12]} (verify-past): Quill was late\n" in run(game.path, "verify")
    again = game.commit(
        "Once more", {"players/quill.yml": set_keys(path.read_bytes(), {"joined": "2026-01-03"})}
    )
    assert [line.partition(" (")[0] for line in past_found(game, {"AGAIN": again})] == [
        "commit AGAIN"
    ]


@pytest.mark.deep
@pytest.mark.parametrize("name", sampled(PLAYED, every=3))
def test_an_archive_that_is_brought_in_by_several_commits(name: str, git_repo: Repos) -> None:
    """First what was decided, then who voted, and the rules at last; nothing of it is held against
    the day before.
    """
    ships = shipped(name)
    game = git_repo()
    parts: list[dict[str, str | bytes | None]] = [
        {"nomic.yml": "format: 1\nname: Lanterns\nstarted: 2020-01-01\n"}
    ]
    parts += [{}, {}, {}, {}]
    order = ("proposals/", "acts/", "players/", "turns/", "rules/")
    for path, data in sorted(ships.tree().items()):
        place = next((at for at, folder in enumerate(order) if path.startswith(folder)), 0)
        parts[place % len(parts)][path] = data
    for part in parts:
        game.commit("A part of it", part)
    run(game.path, "apply --commit --on 2026-01-01")
    assert past_found(game) == []


@pytest.mark.nightly
@pytest.mark.parametrize("day", ["2026-01-06", "2026-01-04"])
def test_a_pull_request_of_a_player_who_joins_is_merged(day: str, git_repo: Repos) -> None:
    game = forged(git_repo(), OVERLAP)
    game.git("switch", "--quiet", "-c", "marl")
    files = {path: text.replace("2026-01-01", day) for path, text in account("marl").items()}
    game.commit("Marl joins", files)
    game.git("switch", "--quiet", "main")
    passed(game, 301, LAMP, "2026-01-05", title="lamps")
    late = int(day < "2026-01-05")
    said = run(
        game.path, "check --base main --head marl --actor github:marl-gh --on 2026-01-06", code=late
    )
    game.git("merge", "--quiet", "--no-ff", "--no-edit", "marl")
    wrong = [line.partition(": ")[2] for line in past_found(game)]
    assert wrong == [line for line in wrong if line in said]
    assert len(wrong) == late
