"""`nomicgen plumbing tally`: votes that were cast on a forge, counted in a real repository, and how
that is shown.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

import pytest

from tests.cli.playing import refused, registered, run, snapshot
from tests.pulls.tally.tallying import (
    DRAFT,
    Json,
    at,
    ballot,
    digest,
    pulled,
    reasons,
    recorded,
    said,
    tally,
    votes,
)
from tests.recording import BOT, PULL, comment, marker, reaction, review
from tests.support import GitRepo


@pytest.fixture
def game(poll: GitRepo) -> GitRepo:
    return poll


def test_all_kinds_of_votes_are_counted(game: GitRepo) -> None:
    short, whole = ballot(game), digest(game)
    sha = pulled(game, {"proposals/tea.md": DRAFT})
    reviews = recorded(
        game, [review(1001, "wren-w", "APPROVED", at(5, "08:30:00"), commit=sha)], "reviews.json"
    )
    posted = comment(2101, BOT, at(4, "08:00:00"), marker(short, whole), reactions={"minus": 1})
    comments = recorded(
        game, [posted, said("QUILL", f"Why not.\n\n/vote for {short}", at(5))], "comments.json"
    )
    (game.path.parent / "reactions").mkdir()
    reactions = recorded(
        game, [reaction(4001, "osprey-o", "-1", at(5, "11:00:00"))], "reactions/2101.json"
    )
    files = [part for path in (reviews, comments, reactions) for part in ("--reviews", str(path))]
    before = snapshot(game.path)
    assert run(game.path, "plumbing tally 301 --on 2026-01-05", *files).splitlines() == [
        f"ballot {short}: 3 of the recorded votes count",
        f"  osprey  against  2026-01-05T11:00  reaction of osprey-o  {PULL}#issuecomment-2101",
        f"  quill   for      2026-01-05T10:00  comment of QUILL  {PULL}#issuecomment-2001",
        f"  wren    for      2026-01-05T08:30  review of wren-w  {PULL}#pullrequestreview-1001",
        "proposal 301: 2 for, 1 against; everyone voted: nomicgen proposal resolve 301",
    ]
    assert snapshot(game.path) == before


def test_the_count_as_json(game: GitRepo) -> None:
    short = ballot(game)
    items = [
        said("quill", f"/vote for {short}", at(5)),
        said("stranger", f"/vote against {short}", at(5), 2002),
    ]
    assert tally(game, items) == {
        "format": 1,
        "number": 301,
        "ballot": short,
        "digest": digest(game),
        "on": "2026-01-05",
        "votes": [
            {
                "player": "quill",
                "vote": "for",
                "at": "2026-01-05T10:00",
                "account": "quill",
                "kind": "comment",
                "url": f"{PULL}#issuecomment-2001",
            }
        ],
        "uncounted": [
            {
                "player": None,
                "account": "stranger",
                "kind": "comment",
                "at": "2026-01-05T10:00",
                "url": f"{PULL}#issuecomment-2002",
                "reason": "no player has this account",
            }
        ],
        "tally": {
            "for": ["quill"],
            "against": [],
            "abstain": [],
            "silent": [],
            "missing": ["osprey", "wren"],
            "closes": "2026-01-07",
            "may_end": False,
            "fewest": 1,
            "adopted": None,
        },
        "notes": [],
        "unread": [],
    }


NEARLY = (
    *(
        "for {}",
        "Against {}.",
        "{} for",
        "{}: against",
        "vote for {}",
        "Vote: for",
        "I vote for {}",
        "I vote against this!",
    ),
    *(
        "my vote is for",
        "I'm voting for this.",
        "My vote: abstain",
        "+1",
        "-1",
        "👍",
        "👎🏽",
        ":+1:",
        ":thumbsdown:",
    ),
    *("for", "Aye!", "nay", "in favour"),
)
"""What people write for a vote, and no line that is one."""
NOTHING_LIKE = (
    *(
        "I am for more lamps.",
        "What is it for?",
        "+1 point to wren would be better",
        "Who votes next?",
        "I voted by a review.",
    ),
    *("> +1", "> I vote for it", "* for", "`+1`", "Proposal 301 needs a vote."),
)


@pytest.mark.parametrize("words", NEARLY)
def test_what_looks_like_a_vote_and_is_none_is_listed(game: GitRepo, words: str) -> None:
    written = words.format(ballot(game))
    made = tally(game, [said("wren-w", f"Well thought.\n\n{written}\n", at(5))])
    (listed,) = made["uncounted"]
    assert (made["votes"], listed["player"], listed["reason"]) == (
        [],
        "wren",
        f"`{written}` looks like a vote and is not one: write `/vote` and its words on a line of "
        "their own",
    )


@pytest.mark.parametrize("words", NOTHING_LIKE)
def test_what_looks_like_no_vote_is_not_listed(game: GitRepo, words: str) -> None:
    assert tally(game, [said("wren-w", words, at(5))])["uncounted"] == []


def test_beside_a_vote_nothing_is_nearly_one(game: GitRepo) -> None:
    made = tally(game, [said("wren-w", f"+1\n\n/vote for {ballot(game)}", at(5))])
    assert (votes(made), made["uncounted"]) == ({"wren": "for"}, [])


def test_what_users_wrote_obeys_no_terminal(game: GitRepo) -> None:
    items = [
        comment(2001, "\x1b[2Jwren-w", at(5), "/vote for 12345678"),
        comment(2002, "quill\u202e", at(5), "/vote for 12345678"),
        comment(2003, "quill\ud800", at(5), "/vote for 12345678"),
        comment(2004, "quill\nnot counted:", at(5), "/vote for 12345678"),
    ]
    printed = run(
        game.path, "plumbing tally 301 --on 2026-01-05 --reviews", str(recorded(game, items))
    )
    assert "\x1b" not in printed
    shown = [line.split("  ")[2] for line in printed.splitlines() if line.startswith("  2026")]
    assert shown == [
        "comment of \\x1b[2Jwren-w",
        "comment of quill\\u202e",
        "comment of quill\\ud800",
        "comment of quill not counted:",
    ]
    assert [one["account"] for one in tally(game, items)["uncounted"]] == [
        "\x1b[2Jwren-w",
        "quill\u202e",
        "quill\ud800",
        "quill\nnot counted:",
    ]


def test_a_comment_that_ends_in_half_a_line_leaves_the_count_as_it_is(game: GitRepo) -> None:
    short = ballot(game)
    hostile = said("stranger", f"> /vote for {short}\n> - <!--\n> ", at(5), 2002)
    made = tally(game, [said("quill", f"/vote for {short}", at(5)), hostile])
    assert (votes(made), made["uncounted"]) == ({"quill": "for"}, [])


def test_a_comment_that_cannot_be_read_is_listed(game: GitRepo) -> None:
    short = ballot(game)
    deep = said("wren-w", f"/vote against {short}\n\n{'>' * 51} so there", at(5), 2002)
    items = [said("quill", f"/vote for {short}", at(5)), deep]
    made = tally(game, items)
    assert votes(made) == {"quill": "for"}
    why = "it cannot be read as Markdown: write `/vote` and its words alone in a new comment"
    assert [(one["player"], one["reason"]) for one in made["uncounted"]] == [("wren", why)]
    shown = run(
        game.path, "plumbing tally 301 --on 2026-01-05 --reviews", str(recorded(game, items))
    )
    assert f"  2026-01-05T10:00  comment of wren-w  {PULL}#issuecomment-2002\n    {why}\n" in shown


def test_the_last_vote_that_counts_is_the_one(game: GitRepo) -> None:
    short = ballot(game)
    items = [
        said("wren-w", f"/vote against {short}", at(5, "12:00:00"), 2003),
        said("wren-w", f"/vote for {short}", at(5, "11:00:00"), 2001),
        said("wren-w", "/vote for 301-k000000999", at(5, "13:00:00"), 2004),
        said("wren-w", f"/vote abstain {short}", at(5, "11:30:00"), 2002),
    ]
    made = tally(game, items)
    assert votes(made) == {"wren": "against"}
    assert reasons(made) == [
        "wren voted again later",
        "wren voted again later",
        f"it is for the ballot 301-k000000999: write `/vote for {short}` for this one",
    ]


def test_of_two_votes_of_one_second_the_later_counts(game: GitRepo) -> None:
    short = ballot(game)
    items = [
        said("wren-w", f"/vote {word} {short}", at(5), 2001 + n)
        for n, word in enumerate(("for", "against"))
    ]
    made = tally(game, items)
    assert votes(made) == {"wren": "against"}
    assert reasons(made) == ["wren voted again later"]
    assert votes(tally(game, [items[0], dict(items[0], id=2009, node_id="IC_9")])) == {
        "wren": "for"
    }


def refusal(game: GitRepo, items: object, line: str = "plumbing tally 301 --on 2026-01-05") -> str:
    return refused(game.path, f"{line} --reviews", str(recorded(game, items)))


def test_what_is_no_open_vote_is_not_counted(game: GitRepo) -> None:
    registered(game, 302, "2026-01-04")
    assert refusal(game, [], "plumbing tally 302 --on 2026-01-05") == (
        "error: proposal 302 is in debate, so there is no vote to count\n"
        "help: `nomicgen register 302 --open` opens it\n"
    )
    assert refusal(game, [], "plumbing tally 309").startswith("error: proposal 309 is not there\n")
    assert refusal(game, [], "plumbing tally 301 --on 2026-01-03").startswith(
        "error: the vote on proposal 301 opened on 2026-01-04\n"
    )
    path = game.path / "proposals/301.md"
    path.write_text(path.read_text().replace("There is tea", "There is no tea"))
    assert refusal(game, []) == (
        "error: the text of proposal 301 is not the one that was put to the vote\n"
        "help: nomicgen proposal resubmit 301\n"
    )


def test_what_is_not_whole_is_not_counted(game: GitRepo) -> None:
    page = {"nodes": [], "pageInfo": {"hasNextPage": True}, "totalCount": 2}
    bad = recorded(game, {"message": "Not Found", "status": "404"}, "bad.json")
    more = recorded(game, {"data": {"repository": {"pullRequest": {"reviews": page}}}}, "more.json")
    line = [
        "plumbing tally 301 --on 2026-01-05 --format json --reviews",
        str(bad),
        "--reviews",
        str(more),
    ]
    assert refused(game.path, *line) == (
        f"error: {bad}:1:1: GitHub answered with an error: Not Found\n"
        "help: see to that, and record it again\n"
        f"error: {more}:1:1: this is not of GitHub's REST API\n"
        "help: record it again, every page of it: `gh api --paginate`\n"
    )


def test_a_file_from_a_pipe(game: GitRepo) -> None:
    feed = json.dumps([said("quill", f"/vote for {ballot(game)}", at(5))])
    assert "  quill  for      " in run(
        game.path, "plumbing tally 301 --on 2026-01-05 --reviews -", feed=feed
    )


@pytest.mark.parametrize("name", ["missing.json", "."])
def test_a_file_that_is_none(game: GitRepo, name: str) -> None:
    assert "Error: Invalid value for '--reviews'" in run(
        game.path, "plumbing tally 301 --reviews", name, code=2
    )


def shuffled(items: Iterable[Json], by: int) -> list[Json]:
    return sorted(items, key=lambda one: str(hash((by, one["id"]))))


@pytest.mark.parametrize("by", range(4))
def test_the_order_of_a_recording_says_nothing(game: GitRepo, by: int) -> None:
    short = ballot(game)
    logins = ("wren-w", "quill", "osprey-o", "stranger", "wren-w", "quill")
    choices = ("for", "against", "abstain", "for", "against", "for")
    items = [
        said(login, f"/vote {choice} {short}", at(5, f"10:0{n % 5}:00"), 2001 + n)
        for n, (login, choice) in enumerate(zip(logins, choices, strict=True))
    ]
    assert tally(game, shuffled(items, by)) == tally(game, items)
