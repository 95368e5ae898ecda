"""`nomicgen plumbing tally`: what a vote was cast on: named, on a ballot, or by the commit of a
review.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from nomicgen.files.file_editing import set_keys
from tests.pulls.tally.tallying import (
    DRAFT,
    Json,
    Repo,
    at,
    ballot,
    digest,
    pulled,
    reasons,
    said,
    tally,
    votes,
)
from tests.recording import BOT, PULL, comment, marker, reaction, review, user
from tests.support import GitRepo


@pytest.fixture
def game(poll: GitRepo) -> GitRepo:
    return poll


@pytest.mark.deep
@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("/vote for", "it names no ballot: write `/vote for SHORT` on a line of its own"),
        (
            "/vote against SHORT.",
            "it names no ballot: write `/vote against SHORT` on a line of its own",
        ),
        (
            "/vote for 301-k000000999",
            "it is for the ballot 301-k000000999: write `/vote for SHORT` for this one",
        ),
        (
            "/vote for 302-k000000301",
            "it is for the ballot 302-k000000301: write `/vote for SHORT` for this one",
        ),
        ("/vote for 00000000", "it names no ballot: write `/vote for SHORT` on a line of its own"),
        ("/vote for SHORT0", "it names no ballot: write `/vote for SHORT` on a line of its own"),
        ("/vote aye SHORT", "after `/vote` it needs one of these words: for, against, abstain"),
        (
            "/vote for SHORT\n/vote against SHORT",
            "it holds more than one vote: write a single one, in a new comment",
        ),
        (
            "* /vote for SHORT",
            "its `/vote` is no plain line of its own: write it outside of lists, quotations, "
            "code and HTML",
        ),
    ],
)
def test_a_comment_that_does_not_vote_says_why(game: GitRepo, words: str, reason: str) -> None:
    short = ballot(game)
    made = tally(game, [said("wren-w", words.replace("SHORT", short), at(5))])
    assert (made["votes"], reasons(made)) == ([], [reason.replace("SHORT", short)])
    assert made["uncounted"][0]["player"] == "wren"


def test_capitals_and_small_letters_are_the_same(game: GitRepo) -> None:
    assert votes(tally(game, [said("wren-w", f"/vote for {ballot(game).upper()}", at(5))])) == {
        "wren": "for"
    }


class TestBallots:
    """Reactions count on the ballot of the workflow's own bot, and nowhere else."""

    def ballot(
        self, game: GitRepo, *given: Json, who: Json | str = BOT, body: str = "", **more: Any
    ) -> Json:
        return comment(
            2101,
            who,
            at(4),
            body or marker(ballot(game), digest(game)),
            reactions=list(given),
            **more,
        )

    def test_signs(self, game: GitRepo) -> None:
        given = [
            reaction(n, who, sign, at(5))
            for n, (who, sign) in enumerate(
                {"wren-w": "+1", "quill": "eyes", "osprey-o": "-1"}.items()
            )
        ]
        assert votes(tally(game, [self.ballot(game, *given)])) == {
            "osprey": "against",
            "quill": "abstain",
            "wren": "for",
        }

    def test_another_sign_is_none(self, game: GitRepo) -> None:
        made = tally(game, [self.ballot(game, reaction(1, "wren-w", "rocket", at(5)))])
        assert reasons(made) == ["no such sign is a vote: +1 is for, -1 against, eyes abstains"]

    @pytest.mark.parametrize("who", ["wren-w", user("github-actions"), user("other[bot]", "Bot")])
    def test_a_forged_ballot_is_none(self, game: GitRepo, who: Json | str) -> None:
        made = tally(game, [self.ballot(game, reaction(1, "wren-w", "+1", at(5)), who=who)])
        assert reasons(made) == [
            "the comment that it is on is marked as a ballot, and is not of github-actions[bot]"
        ]

    def test_an_edited_ballot_is_none(self, game: GitRepo) -> None:
        made = tally(
            game, [self.ballot(game, reaction(1, "wren-w", "+1", at(5)), updated=at(4, "11:00:00"))]
        )
        assert reasons(made) == [
            "the ballot that it is on was edited, or the recording does not say that it was not"
        ]

    def test_a_ballot_of_another_text_or_proposal(self, game: GitRepo) -> None:
        short = ballot(game)
        given = reaction(1, "wren-w", "+1", at(5))
        made = tally(game, [self.ballot(game, given, body=marker(short, "0" * 64))])
        assert reasons(made) == [
            f"the comment that it is on shows another text: write `/vote for {short}`"
        ]
        for other in ("302-k000000301", "301-k000000999"):
            made = tally(game, [self.ballot(game, given, body=marker(other, digest(game)))])
            assert reasons(made) == [
                f"it is for the ballot {other}: write `/vote for {short}` for this one"
            ]

    def test_reactions_that_were_not_recorded_are_told(self, game: GitRepo) -> None:
        items = [
            comment(
                2101,
                BOT,
                at(4),
                marker(ballot(game), digest(game)),
                reactions={"plus": 2, "heart": 3},
            )
        ]
        (note,) = tally(game, items)["notes"]
        assert (
            note == f"reactions on {PULL}#issuecomment-2101 were not recorded, and there are some"
        )


class TestReviews:
    """A review is of the one draft that its commit has of its own."""

    def reasons(self, game: GitRepo, commit: str | None, **more: Any) -> list[str]:
        made = tally(game, [review(1001, "wren-w", "APPROVED", at(5), commit=commit, **more)])
        assert votes(made) == ({} if made["uncounted"] else {"wren": "for"})
        return reasons(made)

    def test_of_the_draft(self, game: GitRepo) -> None:
        sha = pulled(game, {"proposals/tea.md": DRAFT, "images/pot.png": b"\x89PNG"})
        assert self.reasons(game, sha) == []
        assert self.reasons(game, sha, body=f"/vote for {ballot(game)}") == []
        assert self.reasons(game, sha, body="/vote for") == []

    def test_that_contradicts_itself(self, game: GitRepo) -> None:
        sha = pulled(game, {"proposals/tea.md": DRAFT})
        for words in ("/vote against", "/vote abstain", "/vote aye", "/vote for\n/vote against"):
            assert self.reasons(game, sha, body=words) == [
                "the review approves, and its words say otherwise"
            ]
        assert self.reasons(game, sha, body="/vote for 301-k000000999") == [
            f"it is for the ballot 301-k000000999: write `/vote for {ballot(game)}` for this one"
        ]

    def test_of_an_argument_that_changed(self, game: GitRepo) -> None:
        sha = pulled(game, {"proposals/tea.md": DRAFT.replace("Tea helps", "Tea harms")})
        assert self.reasons(game, sha) == [f"it is on another text, that of commit {sha[:12]}"]

    def test_before_the_vote_opened(self, game: GitRepo) -> None:
        """Of the day of the opening, which has no time, nobody knows whether it was before or
        after.
        """
        sha = pulled(game, {"proposals/tea.md": DRAFT})
        made = tally(game, [review(1001, "wren-w", "APPROVED", at(4, "23:59:59"), commit=sha)])
        assert reasons(made) == [
            "it may have come before the vote opened, on 2026-01-04: write `/vote for "
            f"{ballot(game)}`"
        ]
        path = game.path / "proposals/301.md"
        path.write_bytes(set_keys(path.read_bytes(), {"opened": "2026-01-04T12:00:00"}))
        for clock, count in (("11:59:59", 0), ("12:00:00", 1)):
            made = tally(game, [review(1001, "wren-w", "APPROVED", at(4, clock), commit=sha)])
            assert len(made["votes"]) == count, reasons(made)

    def test_of_another_text(self, game: GitRepo) -> None:
        sha = pulled(game, {"proposals/tea.md": DRAFT.replace("There is tea", "There is no tea")})
        assert self.reasons(game, sha) == [f"it is on another text, that of commit {sha[:12]}"]

    def test_of_a_commit_that_is_not_here(self, game: GitRepo) -> None:
        assert self.reasons(game, "ab" * 20) == [
            f"commit {'ab' * 20} is not here: `git fetch origin {'ab' * 20}`, then count again"
        ]
        for commit in (None, "HEAD", "main", "--all", "AB" * 20):
            assert self.reasons(game, commit) == [
                "the recording does not say which commit the review is on"
            ]

    @pytest.mark.parametrize(
        ("files", "count"),
        [
            ({"proposals/tea.md": DRAFT, "proposals/coffee.md": DRAFT}, "2 drafts"),
            ({"proposals/tea.md": DRAFT, "Proposals/tea.MD": DRAFT}, "2 drafts"),
            ({"docs/tea.md": DRAFT}, "no draft"),
            ({"proposals/302.md": DRAFT}, "no draft"),
            ({"proposals/deep/tea.md": DRAFT}, "no draft"),
        ],
    )
    def test_of_a_commit_without_one_draft(
        self, game: GitRepo, files: dict[str, str], count: str
    ) -> None:
        sha = pulled(game, files)
        assert self.reasons(game, sha) == [
            f"commit {sha[:12]} has {count} of its own, so nobody knows what the review is on"
        ]

    def test_of_a_draft_that_the_game_has(self, game: GitRepo) -> None:
        game.commit("A draft", {"proposals/tea.md": DRAFT})
        sha = pulled(game, {"docs/more.md": "More.\n"})
        assert self.reasons(game, sha)[0].startswith(f"commit {sha[:12]} has no draft of its own")

    def test_of_a_pull_request_that_is_older_than_another_draft_of_the_game(
        self, game: GitRepo
    ) -> None:
        begun_at = game.commit(
            "Another draft", {"proposals/coffee.md": DRAFT.replace("tea", "coffee")}
        )
        game.commit("It goes", {"proposals/coffee.md": None})
        assert self.reasons(game, pulled(game, {"proposals/tea.md": DRAFT}, since=begun_at)) == []

    def test_of_a_link_in_place_of_a_draft(self, game: GitRepo) -> None:
        game.commit("Elsewhere", {"docs/tea.md": DRAFT})
        game.git("checkout", "--quiet", "-b", "pull")
        (game.path / "proposals/tea.md").symlink_to("../docs/tea.md")
        sha = game.commit("Propose")
        game.git("checkout", "--quiet", "main")
        assert self.reasons(game, sha) == [f"the draft of commit {sha[:12]} is no ordinary file"]

    @pytest.mark.parametrize(
        "draft",
        [
            "",
            "no front matter\n",
            DRAFT.replace("## Enact", "### Enact"),
            DRAFT.replace("draft", "open"),
        ],
    )
    def test_of_a_draft_that_cannot_be_read(self, game: GitRepo, draft: str) -> None:
        sha = pulled(game, {"proposals/tea.md": draft})
        assert self.reasons(game, sha) == [f"the draft of commit {sha[:12]} cannot be read"]

    def test_of_a_draft_that_is_too_large(self, game: GitRepo) -> None:
        sha = pulled(game, {"proposals/tea.md": DRAFT + "x" * (1 << 20)})
        assert self.reasons(game, sha) == [f"the draft of commit {sha[:12]} is no ordinary file"]

    def test_in_a_game_that_lies_in_a_folder(self, git_repo: Repo, game: GitRepo) -> None:
        whole = git_repo("whole")
        shutil.copytree(game.path, whole.path / "games/tea", ignore=shutil.ignore_patterns(".git"))
        whole.commit("Games", {"proposals/elsewhere.md": DRAFT})
        sha = pulled(whole, {"games/tea/proposals/tea.md": DRAFT, "proposals/more.md": DRAFT})
        outside = pulled(whole, {"proposals/tea.md": DRAFT}, name="outside")
        whole.path /= "games/tea"
        assert self.reasons(whole, sha) == []
        assert self.reasons(whole, outside)[0].startswith(
            f"commit {outside[:12]} has no draft of its own"
        )

    def test_of_a_branch_with_no_common_past(self, game: GitRepo) -> None:
        game.git("checkout", "--quiet", "--orphan", "other")
        sha = game.commit("Propose", {"proposals/tea.md": DRAFT})
        game.git("checkout", "--quiet", "main")
        assert self.reasons(game, sha) == []


def test_without_git_no_review_is_bound(tmp_path: Path, game: GitRepo) -> None:
    (game.path / ".git").rename(tmp_path / "git-away")
    made = tally(
        game,
        [
            review(1001, "wren-w", "APPROVED", at(5)),
            said("quill", f"/vote for {ballot(game)}", at(5)),
        ],
    )
    assert votes(made) == {"quill": "for"}
    assert reasons(made)[0].startswith(f"commit {'a' * 40} is not here")
