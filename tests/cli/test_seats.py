"""Who plays, who rests, and whose turn it is, typed in a real repository."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.playing import begun, refused, run
from tests.support import GitRepo

NO_DIE: dict[int, dict[str, Any]] = {202: {}}


def player(game: GitRepo, ident: str) -> str:
    return (game.path / f"players/{ident}.yml").read_text()


def turns(root: Path) -> dict[str, str]:
    return {file.stem: file.read_text() for file in sorted((root / "turns").glob("*.yml"))}


def played(game: GitRepo, *days: int, dice: int = 3) -> None:
    """A turn a day, begun and ended."""
    for day in days:
        run(game.path, f"turn --on 2026-01-{day:02}")
        run(game.path, f"turn --dice {dice} --end --on 2026-01-{day:02}")


def test_who_joins_gets_the_next_seat(game: GitRepo) -> None:
    assert run(game.path, "player join marl --name Marl --on 2026-01-04 --commit").startswith(
        "marl plays from 2026-01-04\n"
    )
    run(game.path, "player join plume --order 9 --on 2026-01-04")
    run(game.path, "player join crake --on 2026-01-04")
    assert player(game, "marl") == "name: Marl\njoined: 2026-01-04\norder: 4\n"
    assert player(game, "plume").endswith("order: 9\n")
    assert player(game, "crake").endswith("order: 10\n")


def test_where_nobody_has_a_seat_nobody_is_given_one(git_repo: Callable[..., GitRepo]) -> None:
    game = git_repo()
    run(game.path, "init --name Tea --on 2026-01-01", str(game.path))
    run(game.path, "player join marl --on 2026-01-04")
    assert player(game, "marl") == "name: marl\njoined: 2026-01-04\n"


def test_a_dummy_has_no_seat(game: GitRepo) -> None:
    run(game.path, "player join chair --kind dummy --on 2026-01-04")
    assert player(game, "chair") == "name: chair\nkind: dummy\njoined: 2026-01-04\n"
    assert "next turn: R1T1, osprey" in run(game.path, "status")


def test_who_plays_under_a_name_keeps_it(game: GitRepo) -> None:
    run(game.path, "player join marl --name Marl --on 2026-01-04")
    before = sorted(path.name for path in (game.path / "players").iterdir())
    said = refused(game.path, "player join crake --name Marl --on 2026-01-04", code=1)
    assert "error[name-doubled]: crake plays under that name too\n" in said
    assert sorted(path.name for path in (game.path / "players").iterdir()) == before
    run(game.path, "player join crake --name MARL --on 2026-01-04")
    run(game.path, "player leave marl --on 2026-01-05")
    run(game.path, "player join plume --name Marl --on 2026-01-05")


def test_who_is_there_already_does_not_join(game: GitRepo) -> None:
    assert refused(game.path, "player join wren") == (
        "error: players/wren.yml is there already\n"
        "help: wren plays already, so somebody else needs another id; `nomicgen player return "
        "wren` ends an absence\n"
    )
    run(game.path, "player leave wren --on 2026-01-04")
    assert refused(game.path, "player return wren").endswith("to come back, join with another\n")
    assert refused(game.path, "player join wren") == (
        "error: players/wren.yml is there already\n"
        "help: wren left on 2026-01-04, and that id stays theirs: to come back, join with another\n"
    )


def test_leaving_is_a_day_in_the_file(game: GitRepo) -> None:
    assert run(game.path, "player leave wren --on 2026-01-04 --commit").startswith(
        "wren no longer plays, from 2026-01-04 on\n"
    )
    assert player(game, "wren") == "name: wren\njoined: 2026-01-01\nleft: 2026-01-04\norder: 3\n"
    assert game.git("log", "-1", "--format=%s") == "wren leaves"
    assert refused(game.path, "player leave wren") == (
        "error: wren left on 2026-01-04\n"
        "help: if that is wrong: `nomicgen correct players/wren.yml left DATE --evidence TEXT`\n"
    )
    said = refused(game.path, "player leave quill --on 2025-12-31", code=1)
    assert "error[dates-disorder]: left on 2025-12-31, before joining on 2026-01-01\n" in said
    assert refused(game.path, "player leave nobody").startswith(
        "error: there is no player nobody\nhelp: players: osprey"
    )
    assert refused(game.path, "player rest wren --on 2026-01-05") == (
        "error: wren does not play on 2026-01-05\nhelp: players/wren.yml says from when to when\n"
    )


def test_an_absence_and_its_end(game: GitRepo) -> None:
    assert (
        run(game.path, "player rest wren --on 2026-01-04") == "wren is inactive, from 2026-01-04\n"
    )
    assert player(game, "wren").splitlines()[2:4] == ["inactive:", "  - since: 2026-01-04"]
    assert refused(game.path, "player rest wren --on 2026-01-05") == (
        "error: wren is inactive on 2026-01-05 already\n"
        "help: `nomicgen player return wren` ends that\n"
    )
    assert (
        run(game.path, "player return wren --on 2026-01-07")
        == "wren is active again, from 2026-01-07\n"
    )
    run(game.path, "player rest wren --on 2026-01-09 --until 2026-01-12")
    assert player(game, "wren") == (
        "name: wren\njoined: 2026-01-01\ninactive:\n  - since: 2026-01-04\n    until: 2026-01-07\n"
        "  - since: 2026-01-09\n    until: 2026-01-12\norder: 3\n"
    )
    assert refused(game.path, "player return wren --on 2026-01-12") == (
        "error: wren is active on 2026-01-12\nhelp: `nomicgen player rest wren` begins an absence\n"
    )


def test_an_absence_that_ends_on_its_first_day_was_none(game: GitRepo) -> None:
    before = player(game, "wren")
    run(game.path, "player rest wren --on 2026-01-04")
    run(game.path, "player return wren --on 2026-01-04")
    assert player(game, "wren") == before


def test_an_absence_before_another(game: GitRepo) -> None:
    run(game.path, "player rest wren --on 2026-01-09")
    said = refused(game.path, "player rest wren --on 2026-01-05 --until 2026-01-04", code=1)
    assert "error[dates-disorder]: until 2026-01-04, before it begins on 2026-01-05\n" in said
    run(game.path, "player rest wren --on 2026-01-05 --until 2026-01-09")
    assert player(game, "wren").count("since") == 2
    assert player(game, "wren").index("2026-01-05") < player(game, "wren").rindex("2026-01-09")


def test_the_next_turn_by_itself(loose: GitRepo) -> None:
    assert "next turn: R1T1, osprey; no turn has begun yet: nomicgen turn\n" in run(
        loose.path, "status"
    )
    assert run(loose.path, "turn --on 2026-01-02") == "R1T1: the turn of osprey, from 2026-01-02\n"
    assert run(loose.path, "turn --dice 4 --end --on 2026-01-03") == (
        "R1T1 of osprey ended on 2026-01-03\n  osprey +4: turn R1T1, a throw of 4 (Rule 202)\n"
    )
    played(loose, 4, 5)
    assert run(loose.path, "turn --on 2026-01-06").startswith("R2T1: the turn of osprey")
    assert turns(loose.path) == {
        "R1T1": "player: osprey\nbegan: 2026-01-02\nended: 2026-01-03\ndice: [4]\n",
        "R1T2": "player: quill\nbegan: 2026-01-04\nended: 2026-01-04\ndice: [3]\n",
        "R1T3": "player: wren\nbegan: 2026-01-05\nended: 2026-01-05\ndice: [3]\n",
        "R2T1": "player: osprey\nbegan: 2026-01-06\n",
    }
    said = run(loose.path, "status")
    assert "turn R2T1: osprey, since 2026-01-06\nnext turn: R2T2, quill\n" in said


def test_a_turn_as_json(game: GitRepo) -> None:
    assert json.loads(run(game.path, "status --format json"))["turn"] is None
    run(game.path, "turn --on 2026-01-02")
    told = json.loads(run(game.path, "status --format json"))
    assert told["turn"] == {
        "turn": "R1T1",
        "player": "osprey",
        "began": "2026-01-02",
        "ended": None,
        "overdue": None,
    }
    assert told["next_turn"] == {"turn": "R1T2", "player": "quill"}


@pytest.mark.deep
def test_a_turn_goes_on_until_it_is_ended(git_repo: Callable[..., GitRepo]) -> None:
    game = begun(git_repo(), {201: {"turns": {"order": "seat"}}})
    run(game.path, "turn --on 2026-01-02")
    assert refused(game.path, "turn --on 2026-01-03") == (
        "error: R1T1 of osprey goes on\n"
        "help: `nomicgen turn --end` ends it, --pass passes it; `nomicgen turn R1T2` begins "
        "another meanwhile\n"
    )
    assert refused(game.path, "turn R1T1 --on 2026-01-03") == (
        "error: R1T1 of osprey goes on\nhelp: say what happened: --dice, --end, --pass or --until\n"
    )
    said = refused(game.path, "turn --dice 2 --end --on 2026-01-01", code=1)
    assert "error[dates-disorder]: ended on 2026-01-01, before it began on 2026-01-02\n" in said
    assert (
        run(game.path, "turn R1T2 --on 2026-01-03") == "R1T2: the turn of quill, from 2026-01-03\n"
    )


def test_no_turn_begins_while_another_goes_on_where_the_rules_forbid_it(game: GitRepo) -> None:
    run(game.path, "turn --on 2026-01-02")
    assert refused(game.path, "turn --on 2026-01-03") == (
        "error: R1T1 of osprey goes on\nhelp: `nomicgen turn --end` ends it\n"
    )
    said = refused(game.path, "turn R1T2 --on 2026-01-03", code=1)
    assert (
        "error[turn-overlap]: R1T2 began on 2026-01-03, and R1T1 had not ended\n  rule: Rule 201\n"
        in said
    )
    said = refused(game.path, "turn --dice 4 --end --on 2026-01-03", code=1)
    assert (
        "error[turn-empty]: R1T1 of osprey ended without a proposal; Rule 201 demands one\n" in said
    )


def test_a_throw_stands(loose: GitRepo) -> None:
    run(loose.path, "turn --on 2026-01-02")
    assert run(loose.path, "turn --dice 4 --on 2026-01-02") == "R1T1 of osprey has its throw\n"
    assert refused(loose.path, "turn --dice 6 --end --on 2026-01-02") == (
        "error: R1T1 has its throw already: 4\n"
        "help: if it is wrong, `nomicgen correct turns/R1T1.yml dice FACE --evidence TEXT`, "
        "once the turn has ended, or at once where the rules refuse the throw\n"
    )
    run(loose.path, "turn --end --on 2026-01-02")
    for line in ("turn --dice 4 --end", "turn --end", "turn --pass"):
        # Typed twice, it is not another player's turn.
        assert refused(loose.path, f"{line} --on 2026-01-02") == (
            "error: no turn is being played\nhelp: `nomicgen turn R1T2` begins one\n"
        )
    assert refused(loose.path, "turn R1T1 --dice 6 --on 2026-01-02").startswith(
        "error: R1T1 ended on 2026-01-02\n"
    )


@pytest.mark.deep
@pytest.mark.parametrize(
    ("typed", "wrong"),
    [
        (
            "",
            "2:8: error[dice-wrong]: R1T1 ended, and its throw of a die of 6 sides is not recorded",
        ),
        ("--dice 7", "4:8: error[dice-wrong]: a die of 6 sides does not show 7"),
        ("--dice 0", "4:8: error[dice-wrong]: a die of 6 sides does not show 0"),
        ("--dice 2 --dice 3", "4:11: error[dice-wrong]: 2 throws, but the rules ask for 1"),
    ],
)
def test_a_throw_is_what_the_die_gives(game: GitRepo, typed: str, wrong: str) -> None:
    run(game.path, "turn --on 2026-01-02")
    said = refused(game.path, f"turn {typed} --end --on 2026-01-02", code=1)
    assert wrong.partition(" ")[2] in said
    assert said.endswith("error: the game would have errors after this, so nothing was written\n")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("turn --player wren", "the next turn is R1T1 of osprey, not R1T1 of wren"),
        ("turn R1T1 --player wren", "the next turn is R1T1 of osprey, not R1T1 of wren"),
        ("turn R1T2", "the next turn is R1T1 of osprey, not R1T2"),
        ("turn R2T1 --player osprey", "the next turn is R1T1 of osprey, not R2T1 of osprey"),
    ],
)
def test_no_other_turn_than_the_next(game: GitRepo, line: str, message: str) -> None:
    assert (
        refused(game.path, f"{line} --on 2026-01-02")
        == f"error: {message}\nhelp: `nomicgen turn R1T1` begins it\n"
    )
    assert refused(game.path, "turn R1T1 --player nobody").startswith(
        "error: there is no player nobody\n"
    )


def test_where_no_rule_orders_the_turns_they_are_named(git_repo: Callable[..., GitRepo]) -> None:
    game = begun(git_repo(), {201: {}, **NO_DIE})
    assert refused(game.path, "turn") == (
        "error: the rules do not say whose turn is next\n"
        "help: name it: `nomicgen turn R1T1 --player ID`\n"
    )
    assert refused(game.path, "turn R1T1") == (
        "error: the rules do not say whose turn R1T1 is\nhelp: nomicgen turn R1T1 --player ID\n"
    )
    assert refused(game.path, "turn --end") == (
        "error: no turn is being played\nhelp: `nomicgen turn R1T1 --player ID` begins one\n"
    )
    run(game.path, "turn R1T1 --player wren --on 2026-01-02")
    run(game.path, "turn --pass --on 2026-01-03")
    assert turns(game.path) == {
        "R1T1": "player: wren\nbegan: 2026-01-02\nended: 2026-01-03\npassed: true\n"
    }
    assert refused(game.path, "turn") == (
        "error: the rules do not say whose turn is next\n"
        "help: name it: `nomicgen turn R1T2 --player ID`\n"
    )


def test_passing_where_the_rules_let_nobody_pass(game: GitRepo) -> None:
    run(game.path, "turn --on 2026-01-02")
    said = refused(game.path, "turn --pass --on 2026-01-03", code=1)
    assert (
        "error[turn-passed]: osprey passed R1T1; Rule 201 lets nobody pass\n  rule: Rule 201\n"
        in said
    )


def test_a_passed_turn(git_repo: Callable[..., GitRepo]) -> None:
    game = begun(git_repo(), ruleset="paranomic")
    run(game.path, "turn --on 2026-01-02")
    assert (
        run(game.path, "turn --pass --on 2026-01-03") == "R1T1 of osprey was passed on 2026-01-03\n"
    )
    assert run(game.path, "turn --on 2026-01-03") == "R1T2: the turn of quill, from 2026-01-03\n"


def test_a_turn_that_passed_by_itself_is_written_first(git_repo: Callable[..., GitRepo]) -> None:
    game = begun(git_repo(), ruleset="paranomic")
    run(game.path, "turn --on 2026-01-02")
    for line in ("turn", "turn --pass", "turn --end"):
        assert refused(game.path, f"{line} --on 2026-01-09") == (
            "error: R1T1 of osprey has had no proposal since 2026-01-02; Rule 201 gave 3 days, "
            "until 2026-01-05\n"
            "help: nomicgen next --do\n"
        )
    run(game.path, "turn --end --on 2026-01-05")


@pytest.mark.deep
def test_turns_skip_who_is_not_there_on_their_day(loose: GitRepo) -> None:
    run(loose.path, "player rest quill --on 2026-01-03 --until 2026-01-06")
    run(loose.path, "player leave osprey --on 2026-01-08")
    played(loose, 2)
    assert run(loose.path, "turn --on 2026-01-04").startswith("R1T2: the turn of wren")
    run(loose.path, "turn --dice 1 --end --on 2026-01-07")
    played(loose, 7)
    assert turns(loose.path)["R2T1"].startswith("player: osprey\n")
    assert run(loose.path, "turn --on 2026-01-08").startswith("R2T2: the turn of quill")
    run(loose.path, "turn --dice 1 --end --on 2026-01-08")
    played(loose, 9)
    assert run(loose.path, "turn --on 2026-01-10").startswith("R3T1: the turn of quill")
    assert "0 errors" in run(loose.path, "check")


@pytest.mark.deep
@pytest.mark.parametrize(
    ("joins", "order"),
    [
        ("last", ["R1T3 wren", "R1T4 marl", "R2T1 osprey", "R2T2 quill"]),
        ("before-current", ["R1T3 wren", "R2T1 osprey", "R2T2 marl", "R2T3 quill"]),
        ("next-circuit", ["R1T3 wren", "R2T1 osprey", "R2T2 quill", "R2T3 wren"]),
    ],
)
def test_where_a_newcomer_plays(
    git_repo: Callable[..., GitRepo], joins: str, order: list[str]
) -> None:
    game = begun(git_repo(), {201: {"turns": {"order": "seat", "joins": joins}}, **NO_DIE})
    run(game.path, "turn --on 2026-01-02")
    run(game.path, "turn --end --on 2026-01-02")
    run(game.path, "turn --on 2026-01-02")
    run(game.path, "player join marl --on 2026-01-03")
    found = []
    for day in range(4, 8):
        run(game.path, f"turn --end --on 2026-01-{day:02}")
        said = run(game.path, f"turn --on 2026-01-{day:02}")
        found.append(said.partition(",")[0].replace(": the turn of", ""))
    assert found == order


def test_files_that_hold_everything_on_one_line_are_not_edited(game: GitRepo) -> None:
    (game.path / "players/wren.yml").write_text("{name: wren, joined: 2026-01-01, order: 3}\n")
    (game.path / "turns").mkdir()
    (game.path / "turns/R1T1.yml").write_text("{player: osprey, began: 2026-01-02}\n")
    for line, path in (
        ("player leave wren", "players/wren"),
        ("player rest wren", "players/wren"),
        ("turn --end", "turns/R1T1"),
    ):
        assert refused(game.path, line) == (
            f"error: {path}.yml: the keys are not on lines of their own\n"
            "help: write each key on a line of its own, `key: value`, then run the command again\n"
        )


@pytest.mark.deep
def test_a_draft_counts_in_the_turn_in_which_it_is_put_forward(loose: GitRepo) -> None:
    run(loose.path, "turn --on 2026-01-02")
    for title in ("early", "late"):
        body = f"{title}.\n\n## Enact Rule: {title}\n\nSo it is.\n"
        run(
            loose.path,
            f"propose --title {title} --author quill --on 2026-01-02 --body -",
            feed=body,
        )
    assert refused(loose.path, "register early --on 2026-01-02") == (
        "error: proposals/early.md waits for quill's turn (R1T2), and then gets its number\n"
        "help: R1T1 is the turn of osprey: quill may not propose in it\n"
    )
    typed = "propose --title third --author quill --on 2026-01-02 --register --body -"
    assert run(loose.path, typed, code=2, feed="Tea.\n\n## Enact Rule: Tea\n\nTea.\n") == (
        "error: the proposal waits for quill's turn (R1T2), and then gets its number\n"
        "help: R1T1 is the turn of osprey: quill may not propose in it; "
        "without --register it is kept as a draft\n"
    )
    run(loose.path, "turn --dice 3 --end --on 2026-01-02")
    said = refused(loose.path, "register early --on 2026-01-03")
    assert "R1T2 of quill is the next turn, and has not begun; begin it" in said
    run(loose.path, "turn --on 2026-01-04")
    run(loose.path, "register late --on 2026-01-04")
    assert "\nturn: R1T2\n" in (loose.path / "proposals/301.md").read_text()


def test_a_seat_without_an_account_is_claimed_once(game: GitRepo) -> None:
    said = run(game.path, "player claim wren --account wren-plays --on 2026-01-04 --commit")
    assert said.startswith("wren plays as wren-plays on github, from 2026-01-04\n")
    assert "\naccounts:\n  github: wren-plays\n" in (game.path / "players/wren.yml").read_text()
    assert refused(game.path, "player claim wren --account gitlab:wren --on 2026-01-05") == (
        "error: the seat of wren cannot be claimed: it is that of github:wren-plays\n"
        "help: to join as a new player: nomicgen player join ID --account LOGIN\n"
    )
    run(game.path, "player leave quill --on 2026-01-05 --commit")
    assert "cannot be claimed: it is nobody's on 2026-01-06\n" in refused(
        game.path, "player claim quill --account quill-plays --on 2026-01-06"
    )
    run(game.path, "verify --no-memory")
