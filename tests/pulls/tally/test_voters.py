"""`nomicgen plumbing tally`: whose vote it is, and whether the rules let them vote so, then."""

from __future__ import annotations

import pytest

from tests.cli.playing import MAJORITY
from tests.pulls.tally.tallying import Repo, at, ballot, put, reasons, said, tally, votes
from tests.recording import PULL, comment, deleted, review, user
from tests.support import GitRepo


@pytest.fixture
def game(poll: GitRepo) -> GitRepo:
    return poll


@pytest.mark.deep
@pytest.mark.parametrize(
    "login",
    [
        "quіll",
        "quıll",
        "ｑuill",
        "quill ",
        " quill",
        "@quill",
        "quill[bot]x",
        "qu\u200bill",
        "quill-",
        "QUİLL",
        "qu1ll",
    ],
)
def test_no_look_alike_votes(game: GitRepo, login: str) -> None:
    made = tally(game, [said(login, f"/vote for {ballot(game)}", at(5))])
    assert (made["votes"], reasons(made)) == ([], ["no player has this account"])


def test_no_look_alike_of_a_letter_is_folded(game: GitRepo) -> None:
    path = game.path / "players/wren.yml"
    path.write_text(path.read_text().replace("wren-w", "kestrel"))
    items = [
        said(login, f"/vote for {ballot(game)}", at(5))
        for login in ("\u212aestrel", "ke\u017ftrel")
    ]
    assert votes(tally(game, items)) == {}
    assert votes(tally(game, [said("KESTREL", f"/vote for {ballot(game)}", at(5))])) == {
        "wren": "for"
    }


def test_an_account_of_two_players_has_no_vote(game: GitRepo) -> None:
    path = game.path / "players/quill.yml"
    path.write_text(path.read_text().replace("github: quill", "github: WREN-W"))
    made = tally(game, [said("wren-w", f"/vote for {ballot(game)}", at(5))])
    assert (made["votes"], reasons(made)) == ([], ["quill and wren claim this account"])


def test_who_came_back_under_another_name_votes_once(game: GitRepo) -> None:
    path = game.path / "players/quill.yml"
    path.write_text(
        f"{path.read_text().replace('github: quill', 'github: wren-w')}left: 2026-01-02\n"
    )
    assert votes(tally(game, [said("wren-w", f"/vote for {ballot(game)}", at(5))])) == {
        "wren": "for"
    }


def test_who_did_not_vote_themselves(game: GitRepo) -> None:
    vote = f"/vote for {ballot(game)}"
    items = [
        comment(2001, None, at(5, "09:01:00"), vote),
        comment(2002, "ghost", at(5, "09:02:00"), vote),
        comment(2003, user("quill[bot]", "Bot"), at(5, "09:03:00"), vote),
        comment(2004, user("quill", "Bot"), at(5, "09:04:00"), vote),
        comment(2005, "wren-w", at(5, "09:05:00"), vote, updated=at(5, "09:06:00")),
        review(1001, "quill", "DISMISSED", at(5, "09:06:00")),
        review(1002, "quill", "PENDING", None),
        deleted(5001, "osprey-o", at(5, "09:07:00")),
    ]
    made = tally(game, items)
    assert made["votes"] == []
    assert [(one["account"], one["player"], one["reason"]) for one in made["uncounted"]] == [
        ("quill", "quill", "the review was never submitted"),
        (None, None, "the account is gone"),
        (None, None, "the account is gone"),
        ("quill[bot]", None, "a bot has no vote"),
        ("quill[bot]", None, "a bot has no vote"),
        ("wren-w", "wren", "it was edited"),
        ("quill", "quill", "the review was dismissed"),
        (None, None, "a comment was deleted by osprey-o, and what it said is not recorded"),
    ]


def test_a_vote_out_of_its_time(game: GitRepo) -> None:
    vote = f"/vote for {ballot(game)}"
    items = [
        said("wren-w", vote, at(3, "23:59:59"), 2001),
        said("wren-w", vote, at(8, "00:00:00"), 2002),
        said("osprey-o", vote, at(7, "23:59:59"), 2003),
    ]
    assert reasons(tally(game, items, on="2026-01-06")) == [
        "it was cast on 2026-01-03T23:59:59, before the vote opened on 2026-01-04",
        "it was cast on 2026-01-07T23:59:59, after 2026-01-06, the day of this count",
        "it was cast on 2026-01-08T00:00, after 2026-01-06, the day of this count",
    ]
    made = tally(game, items, on="2026-01-09")
    assert votes(made) == {"osprey": "for"}
    assert (
        reasons(made)[1]
        == "wren voted on 2026-01-08T00:00; the vote closed on 2026-01-07 (Rule 203)"
    )


def test_a_day_ends_where_the_game_is_played(game: GitRepo) -> None:
    settings = game.path / "nomic.yml"
    settings.write_text(
        settings.read_text().replace("timezone: UTC\n", "timezone: Pacific/Auckland\n")
    )
    vote = f"/vote for {ballot(game)}"
    made = tally(
        game,
        [said("wren-w", vote, at(3, "11:00:00")), said("quill", vote, at(3, "10:59:59"), 2002)],
    )
    assert [one["at"] for one in made["votes"]] == ["2026-01-04T00:00"]
    assert reasons(made) == [
        "it was cast on 2026-01-03T23:59:59, before the vote opened on 2026-01-04"
    ]


@pytest.mark.deep
def test_who_may_not_vote_that_day(git_repo: Repo) -> None:
    game = put(git_repo, {203: {**MAJORITY, "ballot": {"electorate": "active"}}})
    for ident, line in {
        "osprey": "inactive: [{since: 2026-01-05}]",
        "quill": "left: 2026-01-05",
        "wren": "kind: bot",
    }.items():
        path = game.path / f"players/{ident}.yml"
        path.write_text(f"{path.read_text()}{line}\n")
    (game.path / "players/lark.yml").write_text(
        "name: Lark\njoined: 2026-01-06\naccounts: {github: lark}\n"
    )
    vote = f"/vote for {ballot(game)}"
    items = [
        said(login, vote, at(5), 2001 + n)
        for n, login in enumerate(("osprey-o", "quill", "wren-w", "lark"))
    ]
    made = tally(game, items, on="2026-01-06")
    assert reasons(made) == [
        "osprey was not active on 2026-01-05T10:00 (Rule 203)",
        "quill had left, on 2026-01-05",
        "wren voted, but was not an eligible voter on 2026-01-05T10:00 (Rule 203)",
        "lark joined on 2026-01-06, later",
    ]
    assert votes(
        tally(game, [said("quill", vote, at(4)), said("lark", vote, at(6), 2)], on="2026-01-06")
    ) == {
        "lark": "for",
        "quill": "for",
    }


@pytest.mark.deep
def test_an_abstention_that_the_rules_forbid(git_repo: Repo) -> None:
    game = put(git_repo, {203: {**MAJORITY, "ballot": {"abstention": "forbidden"}}})
    made = tally(game, [said("wren-w", f"/vote abstain {ballot(game)}", at(5))])
    assert reasons(made) == ["wren abstained: an abstention is not allowed (Rule 203)"]


@pytest.mark.deep
def test_who_votes_by_die_does_not_vote_here(git_repo: Repo) -> None:
    dummy = {"die": 6, "for": [1, 2, 3], "against": [4, 5, 6]}
    files = {
        "players/chair.yml": "name: Chair\nkind: dummy\njoined: 2026-01-01\n"
        "accounts: {github: the-chair}\n"
    }
    game = put(git_repo, {203: {**MAJORITY, "ballot": {"dummy": dummy}}}, files=files)
    made = tally(game, [said("the-chair", f"/vote for {ballot(game)}", at(5))])
    assert reasons(made) == [
        "chair votes by a die of 6 sides: throw it, and `nomicgen vote 301 --die FACE --player "
        "chair`"
    ]


@pytest.mark.deep
def test_who_breaks_ties_votes_when_there_is_one(git_repo: Repo) -> None:
    files = {
        "players/umpire.yml": "name: Umpire\nkind: bot\njoined: 2026-01-01\n"
        "accounts: {github: umpire}\n"
    }
    game = put(
        git_repo, {203: {**MAJORITY, "ballot": {"tie_break": {"by": "umpire"}}}}, files=files
    )
    short = ballot(game)
    breaks = said("umpire", f"/vote for {short}", at(5), 2004)
    sides = [
        said("wren-w", f"/vote for {short}", at(5)),
        said("quill", f"/vote against {short}", at(5), 2002),
    ]
    made = tally(game, [*sides, said("osprey-o", f"/vote for {short}", at(5), 2003), breaks])
    assert votes(made) == {"osprey": "for", "quill": "against", "wren": "for"}
    assert reasons(made) == ["umpire votes only to break a tie, and there is none"]
    made = tally(game, [*sides, said("osprey-o", f"/vote abstain {short}", at(5), 2003), breaks])
    assert votes(made)["umpire"] == "for"
    assert made["tally"]["for"] == ["wren", "umpire"]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("for", ["another vote is recorded: for"]),
        ("{vote: for, at: 2026-01-06}", ["another vote is recorded: for, on 2026-01-06"]),
        ("{vote: for, at: 2026-01-05}", ["another vote is recorded: for, on 2026-01-05"]),
        ("{vote: for, at: 2026-01-04}", []),
        ("{vote: for, at: 2026-01-05T09:59:59}", []),
        (f"{{vote: for, at: 2026-01-05T10:00, source: '{PULL}#issuecomment-2001'}}", []),
        ("{vote: for, source: 'https://lists.example/1'}", ["another vote is recorded: for"]),
    ],
)
def test_a_vote_recorded_by_hand_stays_unless_it_is_older(
    game: GitRepo, typed: str, expected: list[str]
) -> None:
    path = game.path / "proposals/301.md"
    path.write_text(path.read_text().replace("digest:", f"votes:\n  wren: {typed}\ndigest:", 1))
    made = tally(game, [said("wren-w", f"/vote against {ballot(game)}", at(5))], on="2026-01-06")
    assert reasons(made) == expected
    assert made["tally"]["for" if expected else "against"] == ["wren"]
