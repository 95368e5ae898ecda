"""Votes that bind title and argument, and withdrawals that a rule forbids: typed in a real
repository.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from nomicgen.files.documents import read_instrument
from tests.cli.playing import EVERYONE, MAJORITY, TEA, begun, proposal, refused, registered, run
from tests.pulls.tally.tallying import (
    ACCOUNTS,
    CLOSES,
    at,
    ballot,
    pulled,
    reasons,
    said,
    tally,
    votes,
)
from tests.recording import review
from tests.support import GitRepo

Repo = Callable[..., GitRepo]


def game(repo: GitRepo, *, votes: bool = True, **ballot: str) -> Path:
    begun(repo, {201: {}, 107: {}, 104: {}, 105: {"ballot": ballot}, 111: {}, 203: MAJORITY})
    run(
        repo.path, "propose --title tea --author osprey --on 2026-01-02 --commit --body -", feed=TEA
    )
    run(repo.path, "register tea --on 2026-01-02 --commit")
    if votes:
        run(repo.path, "vote 301 for --player osprey --on 2026-01-03 --commit")
    return repo.path / "proposals/301.md"


def reword(path: Path) -> None:
    path.write_text(path.read_text().replace("Tea helps.", "Tea helps, and warms."))


def digests(path: Path) -> tuple[str | None, str | None]:
    found, _ = read_instrument("proposals/301.md", path.read_bytes())
    assert found is not None
    return found.digest, found.whole_digest


@pytest.mark.deep
@pytest.mark.parametrize(
    "opens", ["register tea --open --on 2026-01-02", "vote 301 for --player osprey --on 2026-01-02"]
)
def test_the_digest_that_is_written_is_the_one_that_is_due(git_repo: Repo, opens: str) -> None:
    repo = begun(
        git_repo(), {201: {}, 107: {}, 105: {"ballot": {"edits": "lapse"}}, 111: {}, 203: MAJORITY}
    )
    run(
        repo.path, "propose --title tea --author osprey --on 2026-01-02 --commit --body -", feed=TEA
    )
    if "vote" in opens:
        run(repo.path, "register tea --on 2026-01-02 --commit")
    run(repo.path, f"{opens} --commit")
    assert f"digest: {digests(repo.path / 'proposals/301.md')[1]}\n" in proposal(repo)
    assert run(repo.path, "check --on 2026-01-02").endswith(" nothing is wrong\n")


@pytest.mark.nightly
def test_votes_lapse_with_the_argument(git_repo: Repo) -> None:
    repo = git_repo()
    path = game(repo, edits="lapse")
    before = digests(path)[1]
    reword(path)
    assert "error[digest-differs]" in refused(
        repo.path, "vote 301 for --player quill --on 2026-01-04", code=1
    )
    run(repo.path, "proposal resubmit 301 --on 2026-01-04 --commit")
    after = digests(path)[1]
    assert before != after
    assert f"digest: {after}\n" in proposal(repo)
    assert f"digest: {before}\n" in proposal(repo)  # under `earlier`
    run(repo.path, "vote 301 for --on 2026-01-05 --commit", *EVERYONE)
    run(repo.path, "proposal resolve 301 --on 2026-01-05 --commit")
    assert run(repo.path, "check --on 2026-01-05").endswith(" nothing is wrong\n")


@pytest.mark.nightly
def test_where_nothing_may_change_it_is_not_put_again_with_other_words(git_repo: Repo) -> None:
    repo = git_repo()
    path = game(repo, edits="forbidden")
    kept = path.read_bytes()
    reword(path)
    told = refused(repo.path, "proposal resubmit 301 --on 2026-01-04", code=1)
    assert "put to the vote again with other words; Rule 105 forbids that" in told
    path.write_bytes(kept)
    run(repo.path, "proposal resubmit 301 --on 2026-01-04 --commit")
    assert run(repo.path, "check --on 2026-01-04").endswith(" nothing is wrong\n")


@pytest.mark.deep
@pytest.mark.parametrize("votes", [True, False])
def test_a_proposal_that_may_never_be_withdrawn(git_repo: Repo, votes: bool) -> None:
    repo = git_repo()
    game(repo, votes=votes, withdrawal="never")
    told = refused(repo.path, "proposal withdraw 301 --on 2026-01-04", code=1)
    assert "[withdrawal-late]: Proposal 301 cannot be withdrawn; Rule 105 never allows that" in told


@pytest.mark.deep
def test_until_it_is_decided_it_may(git_repo: Repo) -> None:
    repo = git_repo()
    game(repo, withdrawal="until-decided")
    assert "proposal 301 is withdrawn" in run(
        repo.path, "proposal withdraw 301 --on 2026-01-04 --commit"
    )


@pytest.mark.deep
def test_votes_on_a_pull_request_are_on_the_whole_text(git_repo: Repo) -> None:
    """A comment names the ballot; a review counts if its commit has the title and the argument
    too.
    """
    game = begun(
        git_repo(),
        {201: {}, 105: {"ballot": {"edits": "lapse"}}, 111: {}, 203: {**MAJORITY, **CLOSES}},
    )
    for ident, login in ACCOUNTS.items():
        path = game.path / f"players/{ident}.yml"
        path.write_text(f"{path.read_text()}accounts: {{github: {login}}}\n")
    game.commit("Accounts")
    registered(game, 301, "2026-01-03")
    run(game.path, "register 301 --open --on 2026-01-04 --commit")
    bound = digests(game.path / "proposals/301.md")
    assert f"digest: {bound[1]}\n" in proposal(game)
    draft = f"---\ntitle: t301\nauthor: osprey\nstatus: draft\n---\n\n{TEA}"
    same = pulled(game, {"proposals/same.md": draft}, name="same")
    other = pulled(
        game, {"proposals/same.md": draft.replace("Tea helps.", "Tea harms.")}, name="other"
    )
    items = [
        said("wren-w", f"/vote for {ballot(game)}", at(5)),
        review(1, "quill", "APPROVED", at(5), commit=same),
        review(2, "Osprey-O", "APPROVED", at(5), commit=other),
    ]
    made = tally(game, items)
    assert votes(made) == {"quill": "for", "wren": "for"}
    assert reasons(made) == [f"it is on another text, that of commit {other[:12]}"]
