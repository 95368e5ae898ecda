"""Ordinary commits by hand that make another past: each is found, at its commit."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nomicgen.files.file_editing import set_keys, set_value
from nomicgen.history.past.rewrites import changed_outcomes
from tests.cli.playing import begun, passed, run
from tests.deep import sampled
from tests.ledger import UNANIMOUS, Ledger, day
from tests.support import GitRepo, once
from tests.verify.histories import LAMP, LAW, OIL, found, log, past_found

pytestmark = pytest.mark.deep

Repos = Callable[..., GitRepo]
Files = dict[str, str | bytes | None]
PICTURE = "A lamp.\n\n## Enact Rule: Sign\n\n![The sign](../images/sign.png) hangs over the door.\n"
WHO, LATER = "(Ada Player, 2020-01-02)", "(Ada Player, 2020-01-03)"
SEATS = """name: Wren
accounts: {github: wren-gh, forum: wren}
joined: 2026-01-01
order: 3
inactive: [{since: 2026-01-02, until: 2026-01-03}]
roles: [{role: speaker, since: 2026-01-02}]
strength: [{votes: 2, since: 2026-01-02, until: 2026-01-03}]
"""
TURNS = {201: {"turns": {"order": "seat", "passing": True}}}
VICTORY = {208: {"victory": {"points": 100}}}


def sign(repo: GitRepo) -> GitRepo:
    """A game with seats, turns, pictures and a victory: 301 of 5 January and 302 of 6, then a turn
    to 7 January.
    """
    files = {
        "players/wren.yml": SEATS,
        "images/sign.png": "one",
        "images/draft.png": "one",
        "images/first.png": "one",
    }
    return once("sign", repo, lambda new: _play(new, files))


def _play(repo: GitRepo, files: dict[str, str]) -> None:
    game = begun(repo, {**LAW, **TURNS, **VICTORY}, files=files)
    run(game.path, "turn --on 2026-01-02 --commit")
    passed(game, 301, LAMP, "2026-01-05", title="lamps")
    passed(game, 302, PICTURE, "2026-01-06", title="sign")
    run(game.path, "turn --dice 4 --end --on 2026-01-07 --commit")
    run(
        game.path,
        "judgement file --judge wren --on 2026-01-07 --title Why --commit --ruling -",
        feed="So.",
    )
    run(game.path, "turn --on 2026-01-08 --commit")
    draft = OIL.replace("the oil", "![](images/draft.png)")
    run(
        game.path, "propose --title oil --author wren --on 2026-01-08 --commit --body -", feed=draft
    )


def keys(path: str, **values: object) -> Callable[[GitRepo], Files]:
    """A file with other values for some keys."""
    return lambda game: {path: set_keys((game.path / path).read_bytes(), values)}


def value(path: str, key: str, now: str | None) -> Callable[[GitRepo], Files]:
    """A file with another value for one field."""
    return lambda game: {path: set_value((game.path / path).read_bytes(), key, now)}


def said(path: str, text: str | None) -> Callable[[GitRepo], Files]:
    """A file with this text; without any, no such file."""
    return lambda game: {path: text}


def player(ident: str, **matter: str) -> Callable[[GitRepo], Files]:
    return said(
        f"players/{ident}.yml",
        f"name: {ident}\n" + "".join(f"{key}: {one}\n" for key, one in matter.items()),
    )


ACT = (
    "---\ncause: Storm\nby: wren\ndate: {}\n"
    "points: [{{player: wren, amount: {}, reason: kindness}}]\n---\n\nSo.\n"
)
WREN, TURN, JUDGED = "players/wren.yml", "turns/R1T1.yml", "judgements/1.md"
CASES: dict[str, tuple[Callable[[GitRepo], Files], str]] = {
    "act-of-an-earlier-day": (
        said("acts/storm.md", ACT.format("2026-01-05", 100)),
        "Storm is of 2026-01-05, and something was decided on 2026-01-07: the past is not "
        "rewritten",
    ),
    "judgement-of-an-earlier-day": (
        said(
            "judgements/2.md",
            "---\nnumber: 2\njudge: quill\ndate: 2026-01-05\nstatus: upheld\n---\n\nQ.\n",
        ),
        "Judgement 2 is of 2026-01-05, and something was decided on 2026-01-07: the past is not "
        "rewritten",
    ),
    "proposal-with-points-of-an-earlier-day": (
        lambda game: {
            "proposals/303.md": set_keys(
                (game.path / "proposals/301.md").read_bytes(),
                {"number": 303, "points": [{"player": "wren", "amount": "3", "reason": "verse"}]},
            )
        },
        "Proposal 303 gives points on 2026-01-05, and something was decided on 2026-01-07",
    ),
    "die": (keys(TURN, dice=[6]), "turn R1T1 is over: `dice` stays"),
    "turn-of-another": (keys(TURN, player="quill"), "turn R1T1 is over: `player` stays"),
    "turn-that-ended-earlier": (keys(TURN, ended="2026-01-04"), "turn R1T1 is over: `ended` stays"),
    "turn-removed": (said(TURN, None), "turn R1T1 was played, and stays in the archive"),
    "last-turn-removed": (
        said("turns/R1T2.yml", None),
        "turn R1T2 was played, and stays in the archive",
    ),
    "turn-that-goes-on-is-of-another": (
        keys("turns/R1T2.yml", player="wren"),
        "turn R1T2 has begun: `player` stays",
    ),
    "turn-before-others": (
        said("turns/R1T3.yml", "player: wren\nbegan: 2026-01-03\n"),
        "turn R1T3 began on 2026-01-03, and R1T2 began on 2026-01-08",
    ),
    "joined": (
        keys(WREN, joined="2026-01-04"),
        "`joined` of wren would change the state before 2026-01-07",
    ),
    "joined-taken-out": (
        keys(WREN, joined=None),
        "`joined` of wren would change the state before 2026-01-07",
    ),
    "joins-before-a-vote": (
        player("marl", joined="2026-01-04"),
        "`joined` of marl would change the state before 2026-01-07",
    ),
    "joins-on-no-day": (
        player("marl"),
        "`joined` of marl would change the state before 2026-01-07",
    ),
    "account": (
        keys(WREN, accounts={"github": "mallory", "forum": "wren"}),
        "the votes of wren were those of the account wren-gh, and would be those of another",
    ),
    "left": (
        keys(WREN, left="2026-01-04"),
        "`left` of wren would change the state before 2026-01-07",
    ),
    "kind": (keys(WREN, kind="dummy"), "`kind` of wren would change the state before 2026-01-07"),
    "order": (keys(WREN, order=9), "`order` of wren would change the state before 2026-01-07"),
    "player-removed": (
        said("players/quill.yml", None),
        "quill has played, and stays in the archive",
    ),
    "inactive-span-gone": (
        keys(WREN, inactive=None),
        "`inactive` of wren would change the state before 2026-01-07",
    ),
    "inactive-longer": (
        keys(WREN, inactive=[{"since": "2026-01-02", "until": "2026-01-06"}]),
        "`inactive` of wren would change the state before 2026-01-07",
    ),
    "inactive-added": (
        keys(
            WREN, inactive=[{"since": "2026-01-02", "until": "2026-01-03"}, {"since": "2026-01-05"}]
        ),
        "`inactive` of wren would change the state before 2026-01-07",
    ),
    "role-of-earlier-days": (
        keys(
            WREN,
            roles=[
                {"role": "speaker", "since": "2026-01-02"},
                {"role": "judge", "since": "2026-01-02"},
            ],
        ),
        "`roles` of wren would change the state before 2026-01-07",
    ),
    "role-ended-earlier": (
        keys(WREN, roles=[{"role": "speaker", "since": "2026-01-02", "until": "2026-01-04"}]),
        "`roles` of wren would change the state before 2026-01-07",
    ),
    "strength": (
        keys(WREN, strength=None),
        "`strength` of wren would change the state before 2026-01-07",
    ),
    "vote": (
        value("proposals/301.md", "votes.quill", "against"),
        "Proposal 301 is decided: `votes` can no longer change",
    ),
    "vote-by-die": (
        value("proposals/301.md", "votes.quill.die", "6"),
        "Proposal 301 is decided: `votes` can no longer change",
    ),
    "decided": (
        keys("proposals/302.md", decided="2026-01-05"),
        "Proposal 302 is decided: `decided` can no longer change",
    ),
    "points-of-a-decided-proposal": (
        keys("proposals/302.md", points=[{"player": "wren", "amount": "3", "reason": "verse"}]),
        "Proposal 302 is decided: `points` can no longer change",
    ),
    "effective": (
        keys("proposals/301.md", effective="2026-01-07"),
        "Proposal 301 is decided: `effective` can no longer change",
    ),
    "proposal-removed": (
        said("proposals/301.md", None),
        "Proposal 301 is removed, and it is decided: it stays in the archive",
    ),
    "judgement-removed": (
        said(JUDGED, None),
        "Judgement 1 is removed, and it is decided: it stays in the archive",
    ),
    "judge": (keys(JUDGED, judge="quill"), "Judgement 1 is decided: `judge` can no longer change"),
    "timezone": (
        keys("nomic.yml", timezone="Asia/Tokyo"),
        "`timezone` is what the whole past is judged by",
    ),
    "started": (
        keys("nomic.yml", started="2026-01-02"),
        "`started` is what the whole past is judged by",
    ),
    "tiers": (
        keys("nomic.yml", tiers=["immutable", "mutable", "loose"]),
        "`tiers` is what the whole past is judged by",
    ),
    "lost": (
        keys("nomic.yml", lost={"proposals": ["7"]}),
        "`lost` is what the whole past is judged by",
    ),
    "picture-swapped": (
        said("images/sign.png", "two"),
        "images/sign.png is another picture, and proposals/302.md shows it",
    ),
    "picture-removed": (
        said("images/sign.png", None),
        "images/sign.png is gone, and proposals/302.md shows it",
    ),
}


@pytest.fixture
def game(git_repo: Repos) -> GitRepo:
    return sign(git_repo())


@pytest.mark.parametrize(
    "name", sampled(CASES, every=16, always=("act-of-an-earlier-day", "die", "account"))
)
def test_a_commit_by_hand_that_makes_another_past_is_found(name: str, game: GitRepo) -> None:
    make, message = CASES[name]
    sha = game.commit("A slip of the pen", make(game))
    assert past_found(game, {"SHA": sha}) == [f"commit SHA {WHO} changed the past: {message}"]


def test_what_was_changed_or_removed_and_is_put_back_is_found_once(game: GitRepo) -> None:
    data = (game.path / TURN).read_bytes()
    names = {"ONE": game.commit("Six", {TURN: data.replace(b"4", b"6")})}
    game.commit("Four", {TURN: data})
    names["GONE"] = game.commit("Away", {TURN: None})
    game.commit("Back", {TURN: data})
    names["SIGN"] = game.commit("Another sign", {"images/sign.png": "two"})
    game.commit("The sign", {"images/sign.png": "one"})
    assert [line.partition(" (")[0] for line in found(game, names=names)] == [
        f"verify-past: commit {name}" for name in names
    ]


@pytest.mark.deep
def test_a_file_that_comes_back_otherwise_or_was_unreadable_meanwhile(game: GitRepo) -> None:
    data = (game.path / WREN).read_bytes()
    game.commit("Broken", {WREN: "name: [\n"})
    sha = game.commit("Mended", {WREN: data.replace(b"joined: 2026-01-01", b"joined: 2026-01-03")})
    assert found(game, names={"SHA": sha}) == [
        f"verify-past: commit SHA {LATER} changed the past: `joined` of wren would change the "
        "state before 2026-01-07"
    ]


@pytest.mark.deep
def test_an_account_that_is_taken_out_and_another_that_is_put_in(game: GitRepo) -> None:
    game.commit("No account", keys(WREN, accounts=None)(game))
    sha = game.commit("Another", keys(WREN, accounts={"github": "mallory"})(game))
    assert found(game, names={"SHA": sha}) == [
        f"verify-past: commit SHA {LATER} changed the past: the votes of wren were those of the "
        "account wren-gh, and "
        "would be those of another"
    ]


def test_who_did_not_vote_and_leaves_on_the_day_of_the_vote_recounts_it() -> None:
    """The day is none on which a file could not be written; what it does to the vote of that day, a
    replay tells.
    """
    made = Ledger.start({203: UNANIMOUS}).proposal(
        301, "01-05", "## Enact Rule\n\nNew.", votes="fff."
    )
    assert made.slugs() == ["votes-few"]
    (records, before), (_, after) = made.play(), made.player("wren", left=day("01-05")).play()
    assert [one.message for one in changed_outcomes(records, before, after, WREN)][:1] == [
        "the vote on Proposal 301, which ended on 2026-01-05, would be counted otherwise"
    ]


@pytest.mark.nightly
@pytest.mark.parametrize("path", ["players/marl.yml", WREN])
def test_who_joins_or_leaves_on_the_day_of_a_vote_recounts_nothing(
    game: GitRepo, path: str
) -> None:
    passed(game, 303, OIL, "2026-01-09", votes="for", title="more")
    came_or_went = (
        player("marl", joined="2026-01-09") if path != WREN else keys(WREN, left="2026-01-09")
    )
    game.commit("That day", came_or_went(game))
    assert past_found(game) == []


@pytest.mark.nightly
def test_an_act_before_what_was_carried_out_and_after_what_was_decided(git_repo: Repos) -> None:
    law = {
        **LAW,
        107: {},
        205: {"effect": {"after": 10}},
        212: {"authority": {"by": "act", "to": "amend"}},
    }
    game = begun(git_repo(), law)
    passed(game, 301, LAMP, "2026-01-05", title="lamps")
    run(game.path, "apply --on 2026-01-15 --commit")
    act = (
        "---\ncause: Storm\nby: wren\nunder: 212\ndate: 2026-01-10\n---\n\nRain.\n\n"
        "## Amend Rule 213/0\n\nWet.\n"
    )
    game.write({"acts/storm.md": act})
    run(game.path, "apply --on 2026-01-15")
    names = {
        "SHA": game.commit("The storm\n\nInstrument: acts/storm.md"),
        "LAMP": log(game, "Apply"),
    }
    assert past_found(game, names) == [
        f"commit SHA {WHO} added Storm, which takes effect before what commit LAMP had carried out"
    ]


LAWFUL: dict[str, Callable[[GitRepo], Files]] = {
    "who-joins-after-it": player("marl", joined="2026-01-09"),
    "who-leaves-after-it": keys(WREN, left="2026-01-09"),
    "a-name": keys(WREN, name="Wren the Elder"),
    "no-account": keys(WREN, accounts={"forum": "other"}),
    "an-account-in-capitals": keys(WREN, accounts={"github": "Wren-GH", "forum": "wren"}),
    "a-first-account": keys("players/quill.yml", accounts={"github": "quill-gh"}),
    "a-role-that-ends": keys(
        WREN, roles=[{"role": "speaker", "since": "2026-01-02", "until": "2026-01-09"}]
    ),
    "an-act-of-the-same-day": said("acts/storm.md", ACT.format("2026-01-07", 1)),
    "a-note": keys(TURN, note="It was late."),
    "a-die-of-the-turn-that-goes-on": keys("turns/R1T2.yml", dice=[3]),
    "the-picture-of-a-draft": said("images/draft.png", "two"),
    "a-picture-that-nothing-shows": said("images/first.png", None),
    "a-draft-is-another": lambda game: {
        "proposals/oil.md": (game.path / "proposals/oil.md").read_bytes() + b"\nMore.\n"
    },
    "a-draft-is-gone": said("proposals/oil.md", None),
    "a-section": keys("nomic.yml", sections={"Foundations": "What the game is."}),
    "zone-that-is-the-same": keys("nomic.yml", timezone="UTC"),
}


@pytest.mark.deep
@pytest.mark.parametrize("name", sampled(LAWFUL, every=6))
def test_what_changes_nothing_that_was_is_no_fault(name: str, game: GitRepo) -> None:
    game.commit("By hand", LAWFUL[name](game))
    assert past_found(game) == []


def test_who_looks_like_another_is_told_of(git_repo: Repos) -> None:
    game = begun(git_repo(), LAW)
    game.commit("Another seat", {"players/marl.yml": "name: Wr\u0435n\njoined: 2026-01-01\n"})
    assert "warning[name-alike]: marl already has a name that looks like wren's" in run(
        game.path, "verify"
    )
