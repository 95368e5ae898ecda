"""Drafts whose time has not come: the comment says what they wait for, and they get their numbers
by themselves.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.playing import TEA, proposal, run, snapshot
from tests.pulls.pulling import (
    CLOSING,
    DEBATED,
    Forge,
    address,
    asked,
    branch,
    draft,
    forged,
    play,
    replies,
    sound,
    subjects,
)
from tests.support import GitRepo

pytestmark = pytest.mark.deep

Repo = Callable[..., GitRepo]
TURNS = {**CLOSING, 201: {"turns": {"order": "seat", "proposals": 1, "own_turn": True}}, 202: {}}
WAITS = "Legal. It waits for wren's turn (R1T3), and then gets its number"


def begin(game: GitRepo, day: int, *more: str) -> None:
    run(game.path, f"turn --on 2026-01-{day:02} --commit", *more)


def to_wren(game: GitRepo) -> None:
    """Ends the turns before Wren's, and begins that, all on the third."""
    for _ in range(2):
        begin(game, 3, "--end")
        begin(game, 3)


@pytest.mark.nightly
def test_a_draft_waits_for_its_author_s_turn_and_then_is_registered_unasked(
    git_repo: Repo, forge: Forge
) -> None:
    game = forged(git_repo(), TURNS)
    begin(game, 2)
    asked(game, forge)
    kept = snapshot(game.path)
    said = play(game, forge, "2026-01-02T13:00")
    assert f"pull request 7: {WAITS}\n" in said
    assert "error" not in said
    assert snapshot(game.path) == kept
    comment = replies(forge)["7.md"]
    assert f"\n### ✅ {WAITS}\n" in comment
    assert "❌" not in comment
    assert "What could not be done" not in comment
    assert "- Its author has asked for the vote.\n" in comment
    assert "- Then in wren's turn it gets its number by itself, and the vote opens.\n" in comment
    to_wren(game)
    play(game, forge, "2026-01-04T13:00")
    assert subjects(game, 1) == ["Register proposal 301: Tea"]
    assert "turn: R1T3\nstatus: open\nopened: 2026-01-04T13:00\n" in proposal(game)
    assert "### 🗳️ The vote on Proposal 301 is open\n" in replies(forge)["7.md"]
    sound(game)


def test_a_draft_that_its_author_took_back_waits_for_nothing(git_repo: Repo, forge: Forge) -> None:
    game = forged(git_repo(), TURNS)
    begin(game, 2)
    asked(game, forge)
    forge.comment(7, "wren-gh", "/withdraw", "2026-01-02T13:00:00Z")
    assert WAITS not in play(game, forge, "2026-01-02T14:00")
    assert "- When it is ready, its author asks for the vote" in replies(forge)["7.md"]
    to_wren(game)
    play(game, forge, "2026-01-04T13:00")
    assert not (game.path / "proposals/301.md").exists()
    forge.open(7, forge.pulls[7]["head"]["sha"], labels=("open",))
    play(game, forge, "2026-01-04T14:00")  # set before or after: nobody knows
    assert not (game.path / "proposals/301.md").exists()
    forge.comment(7, "wren-gh", "/open", "2026-01-04T15:00:00Z")
    play(game, forge, "2026-01-04T16:00")
    assert subjects(game, 1) == ["Register proposal 301: Tea"]


@pytest.mark.nightly
def test_every_place_says_the_same(git_repo: Repo) -> None:
    game = forged(git_repo(), TURNS)
    begin(game, 2)
    head = branch(game, "tea", {"proposals/tea.md": draft()})
    pull = f"--base main --head {head} --on 2026-01-02"
    assert f"{WAITS}\n" in run(game.path, f"check {pull}")
    for form in ("text", "json", "markdown"):
        assert WAITS in run(game.path, f"proposal preview {pull} --format {form}")
    registering = f"register --from {head} --discussion {address(7)} --on 2026-01-02"
    assert WAITS.removeprefix("Legal. It ") in run(game.path, registering, code=2)
    game.git("merge", "--quiet", "tea")
    for line in (
        "next --on 2026-01-02",
        "status",
        "check --on 2026-01-02",
        "proposal preview tea --on 2026-01-02",
    ):
        assert WAITS in run(game.path, line)
    assert (
        f"error: proposals/tea.md {WAITS.removeprefix('Legal. It ')}\n"
        "help: R1T1 is the turn of osprey: wren may not propose in it\n"
        in run(game.path, "register tea --on 2026-01-02", code=2)
    )
    typed = "propose --title cake --author wren --on 2026-01-02 --body -"
    assert f"\n{WAITS}.\n" in run(game.path, typed, feed=TEA)


def test_a_draft_that_no_turn_makes_right_is_told_what_is_wrong_with_it(git_repo: Repo) -> None:
    game = forged(git_repo(), TURNS)
    begin(game, 2)
    branch(
        game, "tea", {"proposals/tea.md": draft(body="## Enact Rule 302: Tea\n\nTea is served.\n")}
    )
    wrong = "the new rule must be Rule 301 (Rule 108), not Rule 302"
    said = run(
        game.path, "check --base main --head tea --actor github:wren-gh --on 2026-01-02", code=1
    )
    assert f"error[number-wrong]: {wrong}" in said
    assert "nothing is wrong with it" not in said
    game.git("merge", "--quiet", "tea")
    for line in ("next --on 2026-01-02", "status", "check --on 2026-01-02"):
        assert f"It cannot get its number: {wrong}" in run(game.path, line)
    said = run(game.path, "register tea --on 2026-01-02", code=1)
    assert "turn-proposals" not in said
    assert "help: write `## Enact Rule 301`, or leave the number out\n" in said


@pytest.mark.nightly
def test_who_has_proposed_in_a_turn_waits_for_the_next(git_repo: Repo, forge: Forge) -> None:
    game = forged(git_repo(), TURNS)
    begin(game, 2)
    to_wren(game)
    asked(game, forge)
    asked(game, forge, 8, TEA.replace("tea", "gin"), "gin")
    once = f"--commit --replies {forge.folder.parent / 'replies'} --on 2026-01-04T13:00"
    run(game.path, f"plumbing pulls {forge.folder} {once}")
    first = replies(forge)["8.md"]
    play(game, forge, "2026-01-04T13:00")
    assert replies(forge)["8.md"] == first  # it is judged by what the run has just written
    assert "### 🗳️ The vote on Proposal 301 is open\n" in replies(forge)["7.md"]
    assert (
        "### ✅ Legal. It waits for wren's turn (R2T3), and then gets its number\n"
        in replies(forge)["8.md"]
    )


def test_before_the_first_turn_and_between_two_a_draft_waits_as_well(
    git_repo: Repo, forge: Forge
) -> None:
    game = forged(git_repo(), TURNS)
    asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    assert f"\n### ✅ {WAITS}\n" in replies(forge)["7.md"]
    begin(game, 3)
    begin(game, 3, "--end")
    play(game, forge, "2026-01-03T13:00")
    comment = replies(forge)["7.md"]
    assert f"\n### ✅ {WAITS}\n" in comment
    assert "adds turns/R1T2.yml: `player: quill` and `began: " in comment


@pytest.mark.nightly
def test_where_no_turn_has_a_proposal_none_is_waited_for(git_repo: Repo, forge: Forge) -> None:
    game = forged(git_repo(), {**TURNS, 201: {"turns": {"order": "seat", "proposals": 0}}})
    begin(game, 2)
    asked(game, forge)
    play(game, forge, "2026-01-02T13:00", code=1)
    comment = replies(forge)["7.md"]
    assert "### ❌ This proposal cannot get its number yet\n" in comment
    head = game.git("rev-parse", "tea")
    shown = run(
        game.path,
        f"proposal preview --base main --head {head} --format markdown --on 2026-01-02",
        code=1,
    )
    told = (
        "**What to do:** `no turn to come lets it be proposed, so take it back, or see to a "
        "change of that rule`"
    )
    assert [one.split("\n")[3] for one in (comment, shown)] == [told] * 2
    assert "It waits for" not in comment
    assert "/open" not in comment


@pytest.mark.nightly
def test_a_draft_that_names_another_turn_is_debated_in_that_in_which_it_was_put_forward(
    git_repo: Repo, forge: Forge
) -> None:
    """What it would do is told of the proposal as the game has it: its turn is not what the draft
    once said.
    """
    debated = {**TURNS, 111: {"ballot": {"debate": 2}}}
    game = forged(git_repo(), debated)
    begin(game, 2)
    early = draft().replace("status: draft\n", "turn: R1T1\nstatus: draft\n")
    forge.open(7, branch(game, "tea", {"proposals/tea.md": early}))
    forge.comment(7, "wren-gh", "/vote", "2026-01-02T12:00:00Z")
    to_wren(game)
    play(game, forge, "2026-01-04T13:00")
    assert "turn: R1T3\n" in proposal(game)
    comment = replies(forge)["7.md"]
    assert "### 💬 Proposal 301 is in debate\n" in comment
    assert "❌" not in comment


@pytest.mark.nightly
def test_where_no_rule_orders_turns_it_is_known_whose_turn_and_not_which(
    git_repo: Repo, forge: Forge
) -> None:
    game = forged(git_repo(), {**TURNS, 201: {"turns": {"own_turn": True}}})
    begin(game, 2, "R1T1", "--player", "osprey")
    asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    assert (
        "\n### ✅ Legal. It waits for wren's turn, and then gets its number\n"
        in replies(forge)["7.md"]
    )
    begin(game, 3, "R1T1", "--end")
    begin(game, 3, "R1T2", "--player", "wren")
    play(game, forge, "2026-01-04T13:00")
    assert "turn: R1T2\nstatus: open\n" in proposal(game)


@pytest.mark.nightly
def test_a_number_in_the_text_may_be_another_s_by_then(git_repo: Repo, forge: Forge) -> None:
    game = forged(git_repo(), TURNS)
    begin(game, 2)
    asked(game, forge, body=TEA.replace("Enact Rule: Tea", "Enact Rule 301: Tea"))
    play(game, forge, "2026-01-02T13:00")
    says = f"{WAITS}, if that is still 301: its text names it, so leave it out"
    assert f"\n### ✅ {says}\n" in replies(forge)["7.md"]
    asked(game, forge, 8, TEA.replace("tea", "gin"), "gin")
    run(
        game.path,
        "propose --title cake --author osprey --on 2026-01-03 --commit --body -",
        feed=TEA,
    )
    run(game.path, "register cake --on 2026-01-03 --commit")
    play(game, forge, "2026-01-03T13:00", code=1)
    comment = replies(forge)["7.md"]
    assert "\n### ❌ This proposal is against the rules as they now stand\n" in comment
    assert "write `## Enact Rule 302`, or leave the number out" in comment
    assert f"\n### ✅ {WAITS}\n" in replies(forge)["8.md"]


def test_a_template_that_is_asked_about_is_told_once_what_stands_against_it(
    git_repo: Repo, forge: Forge
) -> None:
    game = forged(git_repo())
    head = branch(
        game,
        "tea",
        {
            "proposals/tea.md": draft(
                body="Why.\n\n## Enact Rule: Tea\n\nThe full text of the new rule.\n"
            )
        },
    )
    forge.open(7, head)
    play(game, forge, "2026-01-02T13:00")
    comment = replies(forge)["7.md"]
    assert "\n### ❌ This proposal cannot get its number yet\n" in comment
    assert comment.count("still has the template's words") == 1
    assert "/open" not in comment
    forge.comment(7, "wren-gh", "/open", "2026-01-02T12:00:00Z")
    play(game, forge, "2026-01-02T14:00", code=1)
    assert "asked for" in replies(forge)["7.md"]
    assert replies(forge)["7.md"].count("still has the template's words") == 1


def test_a_debated_file_that_cannot_be_taken_is_told_first(git_repo: Repo, forge: Forge) -> None:
    game = forged(git_repo(), DEBATED)
    asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    counted = draft().replace("status: draft", "status: draft\nvotes: {quill: for}")
    forge.open(7, branch(game, "tea", {"proposals/tea.md": counted}))
    play(game, forge, "2026-01-02T14:00", code=1)
    assert replies(forge)["7.md"].split("\n")[1:4] == [
        "### ❌ Proposal 301 is in debate, and its changed file cannot be taken as it is",
        "",
        "**What to do:** ``delete `votes`: votes are cast when the vote is open``",
    ]
    play(game, forge, "2026-01-05T13:00", code=1)
    assert "status: debate\n" in proposal(game)
    assert "it opens by itself once that is corrected.\n" in replies(forge)["7.md"]


def test_what_is_wrong_in_its_own_file_is_told_first(git_repo: Repo) -> None:
    game = forged(git_repo(), TURNS)
    begin(game, 2)
    run(game.path, "propose --title tea --author osprey --on 2026-01-02 --body -", feed=TEA)
    run(game.path, "register tea --open --on 2026-01-02 --commit")
    everybody = "--player osprey --player quill --player wren"
    run(game.path, f"vote 301 for {everybody} --on 2026-01-03 --commit")
    run(game.path, "proposal resolve 301 --on 2026-01-03 --commit")
    left = (game.path / "players/osprey.yml").read_text() + "left: 2026-01-01\n"
    other = "player: quill\nbegan: 2026-01-03\n"
    heads = {
        "osprey-gh": branch(game, "left", {"players/osprey.yml": left}),
        "wren-gh": branch(game, "turn", {"turns/R1T2.yml": other.replace("quill", "wren")}),
    }
    said = {}
    for login, head in heads.items():
        shown = f"--base main --head {head} --actor github:{login} --format markdown"
        said[login] = run(game.path, f"proposal preview {shown} --on 2026-01-03", code=1)
    assert "**What to do:** `leave those days as they were" in said["osprey-gh"]
    assert "- R1T2 comes next, and is quill's: close this pull request.\n" in said["wren-gh"]
    assert "Edit file" not in said["wren-gh"]
