"""A proposal that is put to the vote again, typed in a real repository."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.playing import begun, proposal, refused, registered, run, vote
from tests.support import GitRepo

Repo = Callable[..., GitRepo]


def resubmitted(git_repo: Repo) -> GitRepo:
    """A game where a proposal may be put again twice, with one that somebody has voted on."""
    game = begun(git_repo(), {202: {}}, ruleset="nomic-iv")
    registered(game, 301, "2026-01-02")
    vote(game, "for --player osprey", 3)
    vote(game, "against --player quill", 3)
    return game


def test_a_vote_that_comes_to_light_late_does_not_replace_a_later_one(git_repo: Repo) -> None:
    game = begun(git_repo(), {202: {}}, ruleset="nomic-iv")
    registered(game, 301, "2026-01-02")
    vote(game, "for --player osprey", 3)
    vote(game, "against --player quill", 5)
    assert refused(game.path, "vote 301 for --player quill --on 2026-01-04") == (
        "error: quill voted against on 2026-01-05, after 2026-01-04: the last vote counts\n"
        "help: if that day is wrong, first `nomicgen vote 301 withdraw --player quill`\n"
    )
    vote(game, "withdraw --player quill", 5)
    assert vote(game, "for --player quill", 4).startswith("proposal 301: 2 for, 0 against")


@pytest.mark.deep
def test_a_proposal_is_put_again_as_it_is_written_now(git_repo: Repo) -> None:
    game = resubmitted(git_repo)
    before = proposal(game)
    (game.path / "proposals/301.md").write_text(
        before.replace("There is tea.", "There is green tea.")
    )
    said = refused(game.path, "vote 301 for --player wren --on 2026-01-04", code=1)
    assert (
        "error[digest-differs]: title, argument, instructions or `commences` changed after the "
        "vote opened\n" in said
    )
    assert "or vote again: `nomicgen proposal resubmit 301`\n" in said
    assert run(game.path, "proposal resubmit 301 --on 2026-01-04") == (
        "the vote on proposal 301 begins anew, as ballot 301-b000000002; 2 votes are kept under "
        "`earlier`\n"
        "  these had voted, and vote again: osprey, quill\n"
        "  nomicgen vote 301 for --player ID\n"
    )
    digests = [
        line.split()[1]
        for line in proposal(game).splitlines()
        if line.strip().startswith("digest:")
    ]
    assert len(set(digests)) == 2
    assert proposal(game) == before.replace("There is tea.", "There is green tea.").replace(
        "opened: 2026-01-03\nballot: b000000001\nvotes:\n  osprey:\n    vote: for\n"
        "    at: 2026-01-03\n  quill:\n"
        f"    vote: against\n    at: 2026-01-03\ndigest: {digests[1]}\n",
        f"opened: 2026-01-04\nballot: b000000002\nvotes: {{}}\ndigest: {digests[0]}\nearlier:\n"
        "  - opened: 2026-01-03\n"
        "    ended: 2026-01-04\n    ballot: b000000001\n"
        f"    digest: {digests[1]}\n    votes:\n      osprey:\n        vote: for\n"
        "        at: 2026-01-03\n"
        "      quill:\n        vote: against\n        at: 2026-01-03\n",
    )
    vote(game, "for --player osprey --player quill --player wren", 4)
    run(game.path, "proposal resolve 301 --on 2026-01-04")
    assert "0 errors" in run(game.path, "check")


@pytest.mark.deep
def test_a_proposal_is_put_again_only_so_often(git_repo: Repo) -> None:
    game = resubmitted(git_repo)
    for day in (4, 5):
        run(game.path, f"proposal resubmit 301 --on 2026-01-{day:02}")
        vote(game, "against --player quill", day)
    kept = proposal(game)
    said = refused(game.path, "proposal resubmit 301 --on 2026-01-06", code=1)
    assert (
        "error[resubmissions-many]: put to the vote again 3 times; Rule 210 allows 2\n"
        "  rule: Rule 210\n" in said
    )
    assert kept.count("  - opened: 2026-01-0") == 2
    # What is kept of a vote that was cast on a day, or by something else, is all of it.
    assert (
        "      quill:\n        vote: against\n        at: 2026-01-03\n  - opened: 2026-01-04\n"
        in kept
    )


def test_earlier_votes_keep_their_days(silent: GitRepo) -> None:
    path = silent.path / "rules/initial/105.md"
    path.write_text(path.read_text().replace("resubmissions: 0", "resubmissions: 9"))
    run(silent.path, "apply")
    vote(silent, "for --player osprey", 4)
    run(silent.path, "proposal resubmit 301 --on 2026-01-05")
    run(silent.path, "proposal resubmit 301 --on 2026-01-06", code=2)
    vote(silent, "for --player wren", 6)
    run(silent.path, "proposal resubmit 301 --on 2026-01-07")
    assert (
        proposal(silent).count(
            "    votes:\n      osprey:\n        vote: for\n        at: 2026-01-04\n"
        )
        == 1
    )
    assert (
        proposal(silent).count(
            "    votes:\n      wren:\n        vote: for\n        at: 2026-01-06\n"
        )
        == 1
    )
    assert "0 errors" in run(silent.path, "check")


@pytest.mark.deep
@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "proposal resubmit 302 --on 2026-01-04",
            "proposal 302 is in debate: only an open vote can begin again",
        ),
        ("proposal resubmit 999", "proposal 999 is not there"),
        ("proposal resubmit 301 --on 2026-01-02", "the vote on proposal 301 opened on 2026-01-03"),
    ],
)
def test_only_an_open_vote_begins_anew(git_repo: Repo, line: str, message: str) -> None:
    game = resubmitted(git_repo)
    registered(game, 302, "2026-01-04", author="quill")
    assert refused(game.path, line).startswith(f"error: {message}\nhelp: ")


def test_what_nobody_voted_on_is_not_put_again(git_repo: Repo) -> None:
    game = resubmitted(git_repo)
    run(game.path, "proposal resubmit 301 --on 2026-01-04")
    assert refused(game.path, "proposal resubmit 301 --on 2026-01-04") == (
        "error: nobody has voted on proposal 301, and it has not changed\nhelp: edit it first\n"
    )


def test_a_changed_text_has_only_the_ways_on_that_the_rules_allow(git_repo: Repo) -> None:
    """Where it can neither be put again nor be withdrawn, the text has to come back."""
    game = begun(
        git_repo(), {202: {}, 105: {"ballot": {"resubmissions": 0, "withdrawal": "never"}}}
    )
    registered(game, 301, "2026-01-02")
    vote(game, "for --player osprey", 3)
    file = game.path / "proposals/301.md"
    file.write_text(file.read_text().replace("There is tea.", "There is green tea."))
    back = (
        "bring back the text that was voted on (`git diff proposals/301.md` shows a change that "
        "is not committed, `git log -p proposals/301.md` one that is)\n"
    )
    assert back in refused(game.path, "vote 301 for --player wren --on 2026-01-04", code=1)
    assert (
        "301 no longer has the text of its vote: osprey brings that back "
        "(`nomicgen check` says how)\n" in run(game.path, "next --on 2026-01-04")
    )
    said = refused(game.path, "proposal resubmit 301 --on 2026-01-04", code=1)
    assert "  help: let the earlier vote go on\n" in said
    file.write_text(file.read_text().replace("There is green tea.", "There is tea."))
    said = refused(game.path, "proposal withdraw 301 --on 2026-01-04", code=1)
    assert "error[withdrawal-late]" in said
    assert "Proposal 301 cannot be withdrawn" in said
    assert "vote against it\n" in said


def test_what_was_put_again_too_often_can_be_withdrawn(git_repo: Repo) -> None:
    game = begun(git_repo(), {202: {}, 104: {"ballot": {"resubmissions": 0}}})
    registered(game, 301, "2026-01-02")
    vote(game, "for --player osprey", 3)
    file = game.path / "proposals/301.md"
    earlier = "earlier:\n  - opened: 2026-01-03\n    ended: 2026-01-03\n"
    file.write_text(file.read_text().replace("opened: ", f"{earlier}opened: ", 1))
    assert "error[resubmissions-many]" in run(game.path, "check", code=1)
    run(game.path, "proposal withdraw 301 --on 2026-01-04")
    assert "resubmissions-many" not in run(game.path, "check")


def test_a_role_of_which_no_provision_speaks_is_recorded(git_repo: Repo) -> None:
    game = begun(git_repo(), {})
    assert run(game.path, "player role wren brick --on 2026-01-03") == (
        "wren is a brick from 2026-01-03\n  no provision speaks of the role brick\n"
    )


@pytest.mark.parametrize("typed", ["proposal withdraw tea", "vote tea for --player wren"])
def test_a_draft_has_no_number(git_repo: Repo, typed: str) -> None:
    said = run(begun(git_repo(), {}).path, typed, code=2)
    assert (
        "'tea' is no proposal's number, such as 305; if it is a draft, it gets one by "
        "`nomicgen register tea`\n" in said
    )


def test_a_proposal_may_be_named_by_its_file(silent: GitRepo) -> None:
    said = run(silent.path, "vote proposals/301.md for --player osprey --on 2026-01-04")
    assert said.startswith("proposal 301: 1 for")


def test_a_game_with_errors_is_told_from_a_move_that_makes_them(silent: GitRepo) -> None:
    silent.write({"turns/R1T1.yml": "player: nobody\nbegan: 2026-01-02\n"})
    said = run(silent.path, "vote 301 for --player osprey --on 2026-01-04", code=1)
    assert said.endswith(
        "error: the game has errors, so nothing was written\n"
        "help: correct them first; `nomicgen check` shows them all\n"
    )


def test_the_same_vote_twice_changes_nothing(silent: GitRepo) -> None:
    vote(silent, "for --player osprey", 4)
    run(silent.path, "vote 301 for --player osprey --on 2026-01-04 --commit")
    kept = silent.git("rev-parse", "HEAD")
    said = run(silent.path, "vote 301 for --player osprey --on 2026-01-04 --commit")
    assert said.endswith("\n  the files say so already: nothing to do\n")
    assert silent.git("rev-parse", "HEAD") == kept
    assert "; perhaps wren is meant\n" in run(silent.path, "vote 301 for --player Wren", code=2)
