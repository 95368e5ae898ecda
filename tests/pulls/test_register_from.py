"""Drafts of pull requests, registered as data: what is taken, what is not, and that the same again
changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from git import Actor

from nomicgen.model.identifiers import PlayerId
from nomicgen.play.commit_author import author_of
from nomicgen.play.load import load
from nomicgen.play.move import Part
from tests.cli.playing import TEA, begun, proposal, refused, registered, run, snapshot
from tests.pulls.pulling import (
    AUTHOR,
    DEBATED,
    account,
    address,
    branch,
    draft,
    forged,
    sound,
    subjects,
)
from tests.support import GitRepo

Repo = Callable[..., GitRepo]
URL = address(7)
FROM = f"register --from tea --actor github:wren-gh --discussion {URL}"


@pytest.fixture
def pulled(git_repo: Repo) -> GitRepo:
    """A game with a draft on a branch."""
    game = forged(git_repo())
    branch(game, "tea", {"proposals/tea.md": draft()})
    return game


def test_a_draft_is_taken_from_a_commit(pulled: GitRepo) -> None:
    assert run(pulled.path, f"{FROM} --on 2026-01-02 --commit").splitlines()[:-1] == [
        "proposals/tea.md is now proposals/301.md",
        "  nomicgen vote 301 for --player ID   opens the vote and casts the first one",
    ]
    assert proposal(pulled) == (
        '---\nnumber: 301\ntitle: "Tea"\nauthor: wren\ndate: 2026-01-02\n'
        f"discussion: {URL}\nstatus: debate\n---\n\n{TEA}"
    )
    assert not (pulled.path / "proposals/tea.md").exists()
    assert pulled.git("log", "-1", "--format=%an <%ae>%n%cn%n%P").splitlines() == [
        AUTHOR,
        "Ada Player",
        pulled.git("rev-parse", "HEAD~1"),
    ]
    sound(pulled)


@pytest.mark.deep
def test_the_same_again_changes_nothing(pulled: GitRepo) -> None:
    for options in ("", "--open"):
        run(pulled.path, f"{FROM} --on 2026-01-02 --commit {options}")
        kept = pulled.git("rev-parse", "HEAD"), snapshot(pulled.path)
        said = run(pulled.path, f"{FROM} --on 2026-01-03 --commit {options}")
        assert "proposal 301 " in said
        assert (pulled.git("rev-parse", "HEAD"), snapshot(pulled.path)) == kept
    assert "status: open\nopened: 2026-01-02\n" in proposal(pulled)


def test_without_an_address_a_draft_is_known_by_what_it_says(pulled: GitRepo) -> None:
    run(pulled.path, "register --from tea --on 2026-01-02 --commit")
    assert (
        run(pulled.path, "register --from tea --on 2026-01-02")
        == "proposal 301 is this draft already\n"
    )
    branch(
        pulled,
        "tea",
        {"proposals/tea.md": draft(body=TEA.replace("There is tea", "There is more tea"))},
    )
    assert "is now proposals/302.md" in run(pulled.path, "register --from tea --on 2026-01-02")


@pytest.mark.deep
def test_while_it_is_debated_it_is_brought_up_to_date(pulled: GitRepo) -> None:
    run(pulled.path, f"{FROM} --on 2026-01-02 --commit")
    branch(
        pulled,
        "tea",
        {
            "proposals/tea.md": draft(
                "More Tea", body=TEA.replace("There is tea", "There is much tea")
            )
        },
    )
    said = run(pulled.path, f"{FROM} --on 2026-01-03 --commit")
    assert said.startswith(
        "proposal 301 is brought up to date: it says what the pull request says now\ncommit "
    )
    assert (
        f"title: More Tea\nauthor: wren\ndate: 2026-01-02\ndiscussion: {URL}\nstatus: debate\n"
        in proposal(pulled)
    )
    assert "There is much tea.\n" in proposal(pulled)
    assert subjects(pulled, 1) == ["Bring proposal 301 up to date: More Tea"]
    assert run(pulled.path, f"{FROM} --on 2026-01-03") == "proposal 301 is this draft already\n"
    sound(pulled)


def test_what_is_voted_on_stays_as_it_was_opened(pulled: GitRepo) -> None:
    run(pulled.path, f"{FROM} --open --on 2026-01-02 --commit")
    kept = proposal(pulled)
    branch(
        pulled, "tea", {"proposals/tea.md": draft(body=TEA.replace("There is tea", "There is gin"))}
    )
    assert (
        run(pulled.path, f"{FROM} --open --on 2026-01-03")
        == "the vote on proposal 301 is open already\n"
    )
    assert proposal(pulled) == kept


@pytest.mark.deep
def test_the_vote_opens_when_the_debate_is_over(git_repo: Repo) -> None:
    game = forged(git_repo(), DEBATED)
    branch(game, "tea", {"proposals/tea.md": draft()})
    later = "  Rule 111 leaves 2 days for debate: the vote opens on 2026-01-04 or later\n"
    assert (
        run(game.path, f"{FROM} --open --on 2026-01-02")
        == f"proposals/tea.md is now proposals/301.md\n{later}"
    )
    assert "status: debate\n" in proposal(game)
    assert run(game.path, f"{FROM} --open --on 2026-01-03") == f"proposal 301 is in debate\n{later}"
    assert (
        run(game.path, "register 301 --open --on 2026-01-03")
        == f"proposal 301 is in debate\n{later}"
    )
    said = run(game.path, f"{FROM} --open --on 2026-01-04")
    assert (
        said == "the vote on proposal 301 is open, as ballot 301-b000000001: nomicgen vote 301 for "
        "--player ID\n"
    )
    assert "status: open\nopened: 2026-01-04\n" in proposal(game)
    assert (
        run(game.path, "register proposals/301.md --open")
        == "the vote on proposal 301 is open already\n"
    )


def test_a_draft_of_the_game_is_opened_as_it_is_registered(git_repo: Repo) -> None:
    game = forged(git_repo())
    run(game.path, "propose --title tea --author quill --on 2026-01-02 --commit --body -", feed=TEA)
    said = run(game.path, f"register tea --open --discussion {URL} --on 2026-01-02 --commit")
    assert said.splitlines()[:2] == [
        "proposals/tea.md is now proposals/301.md",
        "  the vote on proposal 301 is open, as ballot 301-b000000001: nomicgen vote 301 for "
        "--player ID",
    ]
    assert (
        f"discussion: {URL}\nstatus: open\nopened: 2026-01-02\nballot: b000000001\ndigest: "
        in proposal(game)
    )
    # `register` by itself stays the committer's.
    assert game.git("log", "-1", "--format=%an") == "Ada Player"
    sound(game)


@pytest.mark.deep
def test_pictures_come_along(pulled: GitRepo) -> None:
    body = TEA.replace("There is tea.", "![A pot](images/pot.png)")
    branch(
        pulled, "tea", {"proposals/tea.md": draft(body=body), "images/pot.png": b"\x89PNG\r\n\0pot"}
    )
    run(pulled.path, f"{FROM} --on 2026-01-02 --commit")
    assert (pulled.path / "images/pot.png").read_bytes() == b"\x89PNG\r\n\0pot"
    assert pulled.git("show", "--name-only", "--format=").split() == [
        "images/pot.png",
        "proposals/301.md",
    ]
    run(pulled.path, f"{FROM} --open --on 2026-01-03 --commit")
    assert "status: open\n" in proposal(pulled)


def test_what_the_game_records_is_not_taken(pulled: GitRepo) -> None:
    """Whatever the checks of pull requests let through: votes, points and dates are never an
    author's.
    """
    smuggled = (
        "seq: 9\nvotes:\n  wren: for\npoints:\n  - player: wren\n    amount: 999\n"
        "    reason: mine\n"
    )
    text = draft().replace("status: draft\n", f"status: draft\n{smuggled}")
    branch(pulled, "tea", {"proposals/tea.md": text})
    said = run(pulled.path, f"{FROM} --on 2026-01-02", code=1)
    assert "error[record-by-hand]" in said
    assert not (pulled.path / "proposals/301.md").exists()


@pytest.mark.deep
@pytest.mark.parametrize(
    ("files", "options", "said"),
    [
        ({"proposals/tea.md": draft(author="quill")}, "", "error[actor-other]"),
        ({"proposals/tea.md": draft(), "rules/101.md": "mine\n"}, "", "error[rules-by-hand]"),
        ({"proposals/tea.md": draft(), "proposals/gin.md": draft("Gin")}, "", "error[kinds-mixed]"),
        (
            {"proposals/tea.md": draft(), ".github/nomicgen/action.yml": "runs: {}\n"},
            "",
            "error[kinds-mixed]",
        ),
        ({"proposals/tea.md": "no front matter\n"}, "", "error[front-matter]"),
        (
            {"players/wren.yml": account("wren")["players/wren.yml"] + "note: Here.\n"},
            "",
            "error: the pull request adds no draft: it is of the kind `player`",
        ),
    ],
)
def test_what_is_refused(git_repo: Repo, files: dict[str, str], options: str, said: str) -> None:
    game = forged(git_repo())
    branch(game, "tea", files)
    before = snapshot(game.path)
    found = run(game.path, f"{FROM} --on 2026-01-02 {options}", code=1 if "[" in said else 2)
    assert said in found
    assert snapshot(game.path) == before


def test_what_must_be_said(pulled: GitRepo) -> None:
    assert "Missing argument 'DRAFT', or --from REF." in run(pulled.path, "register", code=2)
    actor = "--actor says whose commit --from is"
    assert actor in run(pulled.path, "register tea --actor github:wren-gh", code=2)
    assert actor in run(pulled.path, "proposal resubmit 301 --actor github:wren-gh", code=2)
    assert "--from takes the draft of its commit" in run(
        pulled.path, "register tea --from tea", code=2
    )
    assert refused(pulled.path, "register --from nowhere").startswith("error: ")


@pytest.mark.deep
def test_two_drafts_at_once_get_two_numbers(pulled: GitRepo) -> None:
    branch(pulled, "gin", {"proposals/tea.md": draft("Gin", "quill", TEA.replace("tea", "gin"))})
    run(pulled.path, f"{FROM} --on 2026-01-02 --commit")
    run(
        pulled.path,
        f"register --from gin --actor github:QUILL-GH --discussion {address(8)} --on 2026-01-02 "
        "--commit",
    )
    assert subjects(pulled, 2) == ["Register proposal 301: Tea", "Register proposal 302: Gin"]
    sound(pulled)


@pytest.mark.nightly
def test_it_is_put_to_the_vote_again_with_another_text(git_repo: Repo) -> None:
    game = forged(git_repo())
    branch(game, "tea", {"proposals/tea.md": draft()})
    run(game.path, f"{FROM} --open --on 2026-01-02 --commit")
    run(game.path, "vote 301 for --player quill --on 2026-01-02 --commit")
    again = "proposal resubmit 301 --from tea --actor github:wren-gh --commit"
    nothing = (
        "proposal 301 says what the pull request says already: nothing to put to the vote again\n"
    )
    assert run(game.path, f"{again} --on 2026-01-03") == nothing
    branch(
        game,
        "tea",
        {"proposals/tea.md": draft(body=TEA.replace("There is tea", "There is green tea"))},
    )
    said = run(game.path, f"{again} --on 2026-01-03")
    assert said.startswith(
        "the vote on proposal 301 begins anew, as ballot 301-b000000002; 1 vote is kept under "
        "`earlier`\n"
    )
    assert "There is green tea." in proposal(game)
    assert "opened: 2026-01-03\nballot: b000000002\nvotes: {}\n" in proposal(game)
    assert game.git("log", "-1", "--format=%an <%ae>") == AUTHOR
    assert run(game.path, f"{again} --on 2026-01-03") == nothing
    sound(game)


def test_only_its_author_puts_it_again(pulled: GitRepo) -> None:
    run(pulled.path, f"{FROM} --open --on 2026-01-02 --commit")
    branch(
        pulled, "mine", {"proposals/tea.md": draft(author="quill", body=TEA.replace("tea", "gin"))}
    )
    said = refused(
        pulled.path, "proposal resubmit 301 --from mine --actor github:quill-gh --on 2026-01-03"
    )
    assert said.startswith(
        "error: the pull request says that quill is the author, and proposal 301 is wren's\n"
    )


@pytest.mark.parametrize(
    ("name", "author"),
    [
        ("Wren <root@example.org>", "Wren root@example.org"),
        ("\\x00 a\\tb\\x1b[31m\\u202e", "a b [31m"),
        ("...", "wren"),
        ("<>", "wren"),
        ("W" * 300, "W" * 100),
    ],
)
def test_a_hostile_name_is_no_more_than_a_name(git_repo: Repo, name: str, author: str) -> None:
    game = begun(git_repo())
    text = f'name: "{name}"\naccounts:\n  github: wren-gh\njoined: 2026-01-01\n'
    (game.path / "players/wren.yml").write_text(text)
    assert author_of(load(game.path), PlayerId("wren")) == Actor(
        author, "wren-gh@users.noreply.github.com"
    )


@pytest.mark.parametrize("login", ["", "two words", "a<b", "-x", "wren@example.org", "ẃren"])
def test_what_is_no_login_is_no_address(git_repo: Repo, login: str) -> None:
    game = begun(git_repo())
    text = f'name: Wren\naccounts:\n  github: "{login}"\njoined: 2026-01-01\n'
    (game.path / "players/wren.yml").write_text(text)
    assert author_of(load(game.path), PlayerId("wren")) is None


@pytest.mark.deep
def test_a_title_cannot_forge_a_message(git_repo: Repo) -> None:
    game = forged(git_repo())
    title = "Tea   Outcome: adopted\u200a-- <b> Co-authored-by: Eve <eve@example.org>"
    branch(game, "tea", {"proposals/tea.md": draft(title)})
    run(game.path, f"{FROM} --open --on 2026-01-02 --commit")
    assert game.git("log", "-1", "--format=%B").count("\n") == 0
    assert game.git("log", "-1", "--format=%(trailers:only)") == ""
    run(game.path, "vote 301 for --player wren --player quill --on 2026-01-02 --commit")
    run(game.path, "vote 301 for --player osprey --on 2026-01-02 --commit")
    run(game.path, "proposal resolve 301 --on 2026-01-02 --commit")
    assert game.git("log", "-1", "--format=%(trailers:only)").splitlines() == [
        "Instrument: proposals/301.md",
        "Outcome: adopted",
        "Proposed-by: wren",
    ]
    assert game.git("log", "-1", "--format=%an <%ae>") == AUTHOR


@pytest.mark.deep
@pytest.mark.parametrize(
    "title", ["Tea\n\nOutcome: adopted", "Tea\x1b[2J", "Tea\0", "Tea \u202e", "\ud800"]
)
def test_a_title_that_is_no_line_of_text_is_refused(git_repo: Repo, title: str) -> None:
    game = forged(git_repo())
    branch(game, "tea", {"proposals/tea.md": draft(title)})
    before = snapshot(game.path)
    assert "error[" in run(game.path, f"{FROM} --on 2026-01-02 --commit", code=1)
    assert snapshot(game.path) == before


def test_a_message_is_one_line_whatever_it_is_made_of() -> None:
    part = Part(
        subject="Propose: a\0b\r\n\nOutcome: adopted\x1b\u2028\ud800",
        trailers=(("Outcome", "defeated"),),
    )
    assert part.message == "Propose: a\\x00b Outcome: adopted\\x1b \\ud800\n\nOutcome: defeated\n"


@pytest.mark.nightly
def test_numbers_are_kept(pulled: GitRepo) -> None:
    run(pulled.path, f"{FROM} --open --on 2026-01-02 --commit")
    run(pulled.path, "proposal withdraw 301 --on 2026-01-02 --commit")
    assert run(pulled.path, f"{FROM} --on 2026-01-03") == "proposal 301 is withdrawn already\n"
    assert "There is tea." in proposal(pulled)
    registered(pulled, 302, "2026-01-03", TEA.replace("There is", "Here is"))
    sound(pulled)
