"""Who may propose only in their own turn: told when they write a draft, and refused when they
register it.
"""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.cli.playing import EVERYONE, MAJORITY, TEA, begun, proposal, refused, registered, run
from tests.support import GitRepo

pytestmark = pytest.mark.deep

PIE = TEA.replace("Tea", "Pie").replace("tea", "pie")
LAW = {201: {"turns": {"order": "seat", "own_turn": True}}}


@pytest.mark.nightly
def test_a_draft_waits_for_the_turn_of_its_author(git_repo: Callable[..., GitRepo]) -> None:
    game = begun(git_repo(), LAW)
    run(game.path, "turn --on 2026-01-02 --commit")
    told = "Legal. It waits for wren's turn (R1T3), and then gets its number."
    typed = "propose --title tea --author wren --on 2026-01-03 --commit --body -"
    assert run(game.path, typed, feed=TEA).splitlines()[2] == told
    assert "turn:" not in (game.path / "proposals/tea.md").read_text(), (
        "it is not the author's turn"
    )
    assert told not in run(
        game.path, "propose --title cake --author osprey --on 2026-01-03 --body -", feed=TEA
    )
    assert "turn R1T1: osprey, since 2026-01-02; only osprey proposes (Rule 201)\n" in run(
        game.path, "status"
    )
    assert "turn: R1T1\n" in (game.path / "proposals/cake.md").read_text()
    (game.path / "proposals/cake.md").unlink()
    said = refused(game.path, "register tea --on 2026-01-03")
    assert said == (
        "error: proposals/tea.md waits for wren's turn (R1T3), and then gets its number\n"
        "help: R1T1 is the turn of osprey: wren may not propose in it\n"
    )
    run(game.path, "turn R1T1 --end --dice 4 --on 2026-01-03 --commit")
    assert "only osprey proposes" not in run(game.path, "status")
    between = (
        "help: R1T2 of quill is the next turn, and has not begun; begin it with `nomicgen turn`, "
        "or with a pull request of quill's that adds turns/R1T2.yml: `player: quill` and `began: "
        "2026-01-04`\n"
    )
    run(game.path, "propose --title pie --author quill --on 2026-01-04 --commit --body -", feed=PIE)
    for draft, turn in (("tea", "wren's turn (R1T3)"), ("pie", "quill's turn (R1T2)")):
        waits = f"proposals/{draft}.md waits for {turn}, and then gets its number\n"
        assert refused(game.path, f"register {draft} --on 2026-01-04") == f"error: {waits}{between}"
    run(game.path, "turn --on 2026-01-04 --commit")
    assert "proposals/301.md" in run(game.path, "register pie --on 2026-01-04")
    assert "turn: R1T2\n" in proposal(game)


@pytest.mark.nightly
def test_a_second_proposal_waits_for_the_next_turn_of_its_author(
    git_repo: Callable[..., GitRepo],
) -> None:
    """Whether the draft names the turn, which has no room, or none."""
    game = begun(git_repo(), {201: {"turns": {"order": "seat", "proposals": 1}}})
    run(game.path, "turn --on 2026-01-02 --commit")
    registered(game, 301, "2026-01-02", author="osprey")
    told = run(game.path, "propose --title cake --author osprey --on 2026-01-02 --body -", feed=TEA)
    assert told.splitlines()[2] == (
        "Legal. It waits for osprey's turn (R2T1), and then gets its number."
    )
    draft = game.path / "proposals/cake.md"
    assert "turn:" not in draft.read_text()
    waits = (
        "error: proposals/cake.md waits for osprey's turn (R2T1), and then gets its number\n"
        "help: R1T1 has 1 proposal before this one; Rule 201 allows 1\n"
    )
    assert refused(game.path, "register cake --on 2026-01-02") == waits
    draft.write_text(draft.read_text().replace("status:", "turn: R1T1\nstatus:"))
    assert refused(game.path, "register cake --on 2026-01-02") == waits


def test_what_keeps_a_draft_from_a_number_is_shown_in_the_draft(
    git_repo: Callable[..., GitRepo],
) -> None:
    game = begun(git_repo(), {201: {}})
    draft = game.path / "proposals/cake.md"
    draft.write_text(
        "---\ntitle: Cake\nauthor: wren\nstatus: draft\n---\n\nWhy.\n\n"
        "## Amend Rule 999/0\n\nCake.\n"
    )
    assert refused(game.path, "register cake --on 2026-01-02", code=1).startswith(
        "proposals/cake.md:9:1: error[rule-unknown]: there is no Rule 999\n"
    )


@pytest.mark.nightly
@pytest.mark.parametrize("turns", [{"proposals": 1}, {"own_turn": True}])
def test_before_the_first_turn_only_its_player_proposes(
    turns: dict[str, object], git_repo: Callable[..., GitRepo]
) -> None:
    game = begun(git_repo(), {201: {"turns": {"order": "seat", **turns}}})
    on = "--on 2026-01-02"
    assert "next turn: R1T1, osprey; no turn has begun yet: nomicgen turn\n" in run(
        game.path, "status"
    )
    for title, author in (("tea", "wren"), ("cake", "osprey")):
        run(
            game.path, f"propose --title {title} --author {author} {on} --commit --body -", feed=TEA
        )
    said = refused(game.path, f"register tea {on}")
    assert (
        "error: proposals/tea.md waits for wren's turn (R1T3), and then gets its number\n"
        "help: R1T1 of osprey is the next turn, and has not begun; begin it with "
        "`nomicgen turn`, or with a pull request" in said
    )
    assert "proposals/301.md" in run(game.path, f"register cake {on} --commit")
    warned = run(game.path, f"check {on}")
    assert (
        "warning[turn-unbegun]: no turn has begun: the first is R1T1 of osprey\n  rule: Rule 201\n"
        in warned
    )
    run(game.path, f"turn {on} --commit")
    assert run(game.path, f"check --strict {on}").endswith("nothing is wrong\n")
    assert "no turn has begun" not in run(game.path, "status")
    game.write({"turns/R1T1.yml": "player: [osprey\n"})  # there is a turn, and nobody can read it
    assert "no turn has begun" not in run(game.path, "status")


@pytest.mark.parametrize(
    "turns", [None, {"order": "seat"}, {"order": "seat", "proposals": 1, "own_turn": False}]
)
def test_where_no_rule_gives_proposals_to_turns_anybody_begins(
    turns: dict[str, object] | None, git_repo: Callable[..., GitRepo]
) -> None:
    game = begun(git_repo(), {201: {"turns": turns} if turns else {}})
    run(game.path, "propose --title tea --author wren --on 2026-01-02 --commit --body -", feed=TEA)
    run(game.path, "register tea --on 2026-01-02 --commit")
    assert run(game.path, "check --strict --on 2026-01-02").endswith("nothing is wrong\n")


def test_an_archive_may_have_recorded_no_turns(git_repo: Callable[..., GitRepo]) -> None:
    game = begun(git_repo())
    settings = game.path / "nomic.yml"
    game.commit(
        "An archive",
        {"nomic.yml": settings.read_text("utf-8").replace("started: 2026-01-01\n", "")},
    )
    run(game.path, "propose --title tea --author wren --on 2026-01-02 --commit --body -", feed=TEA)
    run(game.path, "register tea --on 2026-01-02 --commit")
    assert run(game.path, "check --strict --on 2026-01-02").endswith("nothing is wrong\n")


def test_the_throws_that_are_there_stay_beside_the_one_that_lacks(
    git_repo: Callable[..., GitRepo],
) -> None:
    dice = [{"on": "turn", "to": "player", "die": sides} for sides in (6, 8)]
    game = begun(git_repo(), {201: {"turns": {"order": "seat"}}, 202: {"points": dice}})
    turn = "player: osprey\nbegan: 2026-01-02\nended: 2026-01-02\ndice: [3]\n"
    game.commit("One throw", {"turns/R1T1.yml": turn})
    said = run(game.path, "check --on 2026-01-03", code=1)
    assert "its throw of a die of 8 sides is not recorded" in said
    assert "write `dice: [3, FACE]` into turns/R1T1.yml" in said
    assert "`nomicgen turn R1T1 --dice 3 --dice FACE --end`" in said


# Turns that overlap.


OVERLAP = {
    "order": "seat",
    "proposals": 1,
    "passing": False,
    "overlap": True,
    "proposal_required": "voted",
}
CAKE = TEA.replace("Tea", "Cake").replace("tea", "cake")


def test_a_turn_that_overlaps_waits_for_a_judgement(git_repo: Callable[..., GitRepo]) -> None:
    game = begun(git_repo(), {201: {"turns": OVERLAP}})
    on = "--on 2026-01-02"
    run(game.path, f"turn {on} --commit")
    run(game.path, f"judgement file --judge wren --called-by quill --rule 203 --title Votes {on}")
    said = run(game.path, f"next {on}")
    assert "R1T2 of quill cannot begin while Judgement 1 is pending; Rule 212 asks" in said
    assert "comments `/waive 1` on a pull request" in said
    assert "can begin already" not in said
    for player in ("osprey", "wren"):
        run(game.path, f"do waive 1 --player {player} {on}")
    assert "R1T2 of quill can begin already" in run(game.path, f"next {on}")


def test_a_judgement_is_of_the_last_turn_that_began(git_repo: Callable[..., GitRepo]) -> None:
    """That turn began on the same day, perhaps later: it does not wait for the judgement."""
    game = begun(git_repo(), {201: {"turns": OVERLAP}})
    run(game.path, "turn --on 2026-01-02 --commit")
    run(game.path, "turn R1T2 --on 2026-01-03 --commit")
    asks = "--judge wren --called-by quill --rule 203 --title Votes --on 2026-01-03T17:00"
    run(game.path, f"judgement file {asks} --commit")
    assert "turn: R1T2\n" in (game.path / "judgements/1.md").read_text()
    assert run(game.path, "check").endswith("nothing is wrong\n")


@pytest.mark.nightly
def test_turns_that_overlap(git_repo: Callable[..., GitRepo]) -> None:
    """Whoever began first proposes in their own turn, though another has begun, and the votes keep
    that order.
    """
    game = begun(git_repo(), {111: {}, 201: {"turns": {**OVERLAP, "votes_in_order": True}}})
    on = "--on 2026-01-02"
    run(game.path, f"turn {on} --commit")
    assert "R1T2 of quill can begin already: nomicgen turn R1T2 --on 2026-01-02\n" in run(
        game.path, f"next {on}"
    )
    run(game.path, f"turn R1T2 {on} --commit")
    said = run(game.path, f"status {on}")
    assert "turn R1T1: osprey, since 2026-01-02\nturn R1T2: quill, since 2026-01-02\n" in said
    assert [
        turn["turn"] for turn in json.loads(run(game.path, f"status {on} --format json"))["running"]
    ] == [
        "R1T1",
        "R1T2",
    ]
    for who in ("osprey", "quill"):
        assert f"--author {who} {on}\n" in run(game.path, f"next {on}")
    assert "error: R1T1 of osprey, R1T2 of quill go on\n" in refused(
        game.path, f"turn --dice 4 --end {on}"
    )
    assert "has its throw before a proposal was voted on" in refused(
        game.path, f"turn R1T1 --dice 4 {on}", code=1
    )
    run(
        game.path,
        f"propose --title cake --author quill {on} --register --commit --body -",
        feed=CAKE,
    )
    assert "turn: R1T2\n" in proposal(game)
    said = refused(game.path, f"vote 301 for --player quill {on}")
    assert (
        "error: the vote on a proposal of R1T2 opens before a proposal of R1T1 has been voted on\n"
        in said
    )
    # A draft is nothing that anybody votes on, whatever turn it names.
    draft = (
        "---\ntitle: Pie\nauthor: osprey\nturn: R1T1\nstatus: draft\n---\n\nPie.\n\n"
        "## Enact Rule\n\nThere is pie.\n"
    )
    game.commit("Draft", {"proposals/pie.md": draft})
    assert "has been voted on" in refused(game.path, f"vote 301 for --player quill {on}")
    run(
        game.path,
        f"propose --title tea --author osprey {on} --register --commit --body -",
        feed=TEA,
    )
    assert "turn: R1T1\n" in proposal(game, 302)
    assert "before the vote on Proposal 302 of R1T1 has ended\n" in refused(
        game.path, f"vote 301 for --player quill {on}"
    )
    run(game.path, f"vote 302 for {on} --commit", *EVERYONE)
    for typed, how in (("--dice 4", "has its throw"), ("--dice 4 --end", "ended")):
        why = (
            f"R1T1 of osprey {how} before the vote on Proposal 302 had ended; Rule 201 asks "
            "for that first"
        )
        assert why in refused(game.path, f"turn R1T1 {typed} {on}", code=1)
    run(game.path, f"proposal resolve 302 {on} --commit")
    run(game.path, f"turn R1T1 --dice 4 --end {on} --commit")
    run(game.path, f"vote 301 for {on} --commit", *EVERYONE)
    run(game.path, f"proposal resolve 301 {on} --commit")
    run(game.path, f"turn --dice 4 --end {on} --commit")
    assert run(game.path, f"check --strict {on}").endswith("nothing is wrong\n")


@pytest.mark.nightly
def test_who_rests_in_their_own_turn_and_is_skipped_in_the_next_round(
    git_repo: Callable[..., GitRepo],
) -> None:
    game = begun(git_repo(), {201: {"turns": {"order": "seat"}}, 202: {}})
    on = "--on 2026-01-02 --commit"
    run(game.path, f"turn {on}")
    run(game.path, f"player rest osprey {on}")
    assert run(game.path, "check --strict --on 2026-01-02").endswith("nothing is wrong\n")
    for _ in ("quill", "wren"):
        run(game.path, f"turn --end {on}")
        run(game.path, f"turn {on}")
    run(game.path, f"turn --end {on}")
    assert run(game.path, f"turn {on}").splitlines()[:2] == [
        "R2T1: the turn of quill, from 2026-01-02",
        "skipped, because inactive: osprey",
    ]


@pytest.mark.nightly
def test_a_proposal_that_its_player_takes_back_when_inactive_was_never_made(
    git_repo: Callable[..., GitRepo],
) -> None:
    """By Rule 207 of Nomic IV: so the turn is no longer for it, and nobody is inactive for not
    voting on it.
    """
    on = "--on 2026-01-02 --commit"
    game = begun(git_repo(), {104: {}}, ruleset="nomic-iv")
    run(game.path, f"turn {on}")
    registered(game, 301, "2026-01-02")
    run(game.path, f"vote 301 for --player quill {on}")
    run(game.path, f"player rest osprey {on}")
    run(game.path, f"proposal withdraw 301 {on}")
    said = run(game.path, "next --on 2026-01-02")
    assert (
        "R1T1 of osprey is being played, until 2026-01-03 (Rule 206), and then R1T1 ends\n" in said
    )
    assert "osprey can propose" not in said


# Who types: an option, the environment, git's settings; and whom a mistyped id was meant for.


PROPOSE = "propose --title Tea --on 2026-01-02"


@pytest.fixture
def game(git_repo: Callable[..., GitRepo]) -> GitRepo:
    return begun(git_repo(), {105: {}, 111: {}, 203: MAJORITY})


def test_git_s_settings_say_who_proposes_and_votes(game: GitRepo) -> None:
    game.git("config", "nomic.player", "quill")
    run(game.path, PROPOSE)
    assert "author: quill\n" in (game.path / "proposals/tea.md").read_text()
    registered(game, 301, "2026-01-02")
    run(game.path, "vote 301 for --on 2026-01-03")
    assert "quill:\n    vote: for\n" in (game.path / "proposals/301.md").read_text()
    run(game.path, "vote 301 against --on 2026-01-03 --player wren")
    assert "wren:\n    vote: against\n" in (game.path / "proposals/301.md").read_text()


def test_the_environment_says_it_before_git(game: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    game.git("config", "nomic.player", "quill")
    monkeypatch.setenv("NOMIC_PLAYER", "wren")
    run(game.path, PROPOSE)
    assert "author: wren\n" in (game.path / "proposals/tea.md").read_text()


@pytest.mark.parametrize(("line", "option"), [(PROPOSE, "--author"), ("vote 301 for", "--player")])
def test_where_nobody_is_named_the_option_is_asked_for(
    game: GitRepo, line: str, option: str
) -> None:
    said = run(game.path, line, code=2)
    assert (
        f"Say who it is: {option} ID. `git config nomic.player ID` or the variable NOMIC_PLAYER "
        "says it" in said
    )


def test_a_setting_that_is_no_id(game: GitRepo) -> None:
    game.git("config", "nomic.player", "Quill the First")
    assert "should name a player: 'Quill the First' is no id" in run(game.path, PROPOSE, code=2)


@pytest.mark.parametrize(
    ("typed", "meant"), [("qill", "quill"), ("ospray", "osprey"), ("wrenn", "wren")]
)
def test_a_mistyped_player_is_answered_with_the_nearest_one(
    game: GitRepo, typed: str, meant: str
) -> None:
    said = refused(game.path, f"{PROPOSE} --author {typed}")
    assert (
        f"error: there is no player {typed}\n"
        f"help: perhaps {meant} is meant; players: osprey, quill, wren; " in said
    )


def test_a_player_whom_no_name_is_like(game: GitRepo) -> None:
    said = refused(game.path, f"{PROPOSE} --author zzz")
    assert "help: players: osprey, quill, wren; `nomicgen player join zzz` adds one" in said
