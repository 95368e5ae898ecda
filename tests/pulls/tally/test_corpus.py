"""A corpus of 208 comments on a vote that began anew: each counts, or has the one reason that it
should.

What is expected is said beside each comment, by hand; nothing of it is asked of the program.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

from nomicgen.files.documents import read_instrument
from tests.cli.playing import MAJORITY, TEA, begun, registered, run
from tests.pulls.tally.tallying import CLOSES, Json, Repo, tally
from tests.recording import BOT, comment, user
from tests.support import GitRepo

VOTERS = ("osprey", "quill", "wren", "heron", "finch", "linnet", "tallow", "marl")
OLD, NEW = "301-b000000001", "301-b000000002"
OPENED, AGAIN, CLOSED = "2026-01-04T12:00:00", "2026-01-05T09:00:00", "2026-01-08T09:00:00"
SILENT = "-"
"""What is nobody's vote, and is not listed."""
COUNTED = ""

NO_LINE = r"its `/vote` is no plain line of its own"
NO_BALLOT = (
    r"it names no ballot: write `/vote (for|against|abstain) 301-b000000002` on a line of its own"
)
EARLY = rf"it was cast on .*, before the vote opened on {AGAIN[:16]}"
OTHER = r"it is for the ballot {}: write `/vote \w+ 301-b000000002` for this one"
LATER = r"\w+ voted again later"


def of_voter(
    voter: str, login: str, digest: str, prefix: str, final: str
) -> list[tuple[str, Json]]:
    """What should become of each comment of one voter, whose last good one is a vote `final`; with
    the comment.
    """
    where = VOTERS.index(voter) * 100

    def one(number: int, expected: str, words: str, at: str, **more: Any) -> tuple[str, Json]:
        who = more.pop("who", login)
        return expected, comment(where + number, who, f"{at}Z", words, **more)

    day, alike = "2026-01-06T", login.replace("-", "\u2010")
    return [
        # A digest, in part or whole, names no ballot any more: two texts with one prefix are a
        # second's work.
        one(1, NO_BALLOT, f"/vote against {prefix}", f"{day}10:00:00"),
        one(2, NO_BALLOT, f"/vote against {digest}", f"{day}10:01:00"),
        # Before the vote opened, before it opened again, to the second; and a recording that lies
        # about the time.
        one(3, EARLY, "/vote against 301-b000000001", "2026-01-04T11:59:59"),
        one(4, EARLY, "/vote against 301-b000000001", "2026-01-04T18:00:00"),
        one(5, EARLY, "/vote against 301-b000000002", "2026-01-05T08:59:59"),
        # The ballot that was resubmitted, another proposal's, and one that never was.
        one(
            6,
            OTHER.format(
                f"{OLD}, which opened on {OPENED[:16]} and was put to the vote again since"
            ),
            f"/vote against {OLD}",
            f"{day}10:02:00",
        ),
        one(7, OTHER.format("302-b000000002"), "/vote against 302-b000000002", f"{day}10:03:00"),
        one(8, OTHER.format("301-b000000003"), "/vote against 301-b000000003", f"{day}10:04:00"),
        # Not a plain line: quoted, in a list, in emphasis, hidden in HTML; a quotation and a fence
        # are nobody's.
        one(9, SILENT, f"> /vote against {NEW}\n\nI do not agree.", f"{day}10:05:00"),
        one(10, NO_LINE, f"- /vote against {NEW}", f"{day}10:06:00"),
        one(11, NO_LINE, f"**/vote against {NEW}**", f"{day}10:07:00"),
        one(12, NO_LINE, f"<details>\n\n/vote against {NEW}\n\n</details>", f"{day}10:08:00"),
        # Edited, doubled, with words that are none.
        one(
            13, "it was edited", f"/vote against {NEW}", f"{day}10:09:00", updated=f"{day}10:09:01Z"
        ),
        one(
            14,
            "it holds more than one vote: write a single one, in a new comment",
            f"/vote for {NEW}\n/vote against {NEW}",
            f"{day}10:10:00",
        ),
        one(15, "after `/vote` it needs one", f"/vote nay {NEW}", f"{day}10:11:00"),
        one(16, NO_BALLOT, f"/vote against {NEW} with joy", f"{day}10:12:00"),
        one(17, NO_BALLOT, "/vote against 301-b00000000\N{FULLWIDTH DIGIT TWO}", f"{day}10:13:00"),
        one(18, NO_BALLOT, f"/vote against {NEW[:-1]}\N{ZERO WIDTH SPACE}2", f"{day}10:14:00"),
        # Others: a stranger, a look-alike, a bot, an account that is gone.
        one(
            19,
            "no player has this account",
            f"/vote against {NEW}",
            f"{day}10:15:00",
            who=f"{login}-2",
        ),
        one(20, "no player has this account", f"/vote against {NEW}", f"{day}10:16:00", who=alike),
        one(
            21,
            "a bot has no vote",
            f"/vote against {NEW}",
            f"{day}10:17:00",
            who=user(f"{login}[bot]", "Bot"),
        ),
        one(22, SILENT, f"/vote against {NEW}", f"{day}10:18:00", who=BOT),
        # Good ones, of which the last counts; then one that comes too late.
        one(23, LATER, f"/vote {'for' if final == 'against' else 'against'} {NEW}", AGAIN),
        one(24, LATER, f"/vote abstain {NEW.upper()}", "2026-01-06T09:00:00"),
        one(25, COUNTED, f"So be it.\n\n/VOTE {final.upper()} {NEW}\n", "2026-01-07T09:00:00"),
        one(
            26,
            r"\w+ voted on .*; the vote closed on",
            f"/vote against {NEW}",
            "2026-01-08T09:00:01",
        ),
    ]


@pytest.fixture
def game(git_repo: Repo) -> GitRepo:
    """A vote of eight that opened on the 4th, and again on the 5th, with another argument."""
    more = {
        f"players/{one}.yml": f"name: {one.capitalize()}\njoined: 2026-01-01\n"
        for one in VOTERS[3:]
    }
    game = begun(git_repo(), {105: {}, 111: {}, 203: {**MAJORITY, **CLOSES}, 204: {}}, files=more)
    for voter in VOTERS:
        path = game.path / f"players/{voter}.yml"
        path.write_text(f"{path.read_text()}accounts: {{github: {voter}-plays}}\n")
    game.commit("Accounts")
    registered(game, 301, "2026-01-03", TEA)
    run(game.path, f"register 301 --open --on {OPENED} --commit")
    path = game.path / "proposals/301.md"
    path.write_text(path.read_text().replace("Tea helps.", "Tea helps, and warms."))
    run(game.path, f"proposal resubmit 301 --on {AGAIN} --commit")
    return game


def test_each_comment_counts_or_has_its_reason(game: GitRepo) -> None:
    instrument, _ = read_instrument(
        "proposals/301.md", (game.path / "proposals/301.md").read_bytes()
    )
    assert instrument is not None
    digest = instrument.whole_digest or ""
    final = {voter: ("for", "against", "abstain")[at % 3] for at, voter in enumerate(VOTERS)}
    corpus = [
        one
        for voter in VOTERS
        for one in of_voter(voter, f"{voter}-plays", digest, digest[:8], final[voter])
    ]
    assert len(corpus) == 208
    made = tally(game, [item for _, item in corpus], on="2026-01-09")
    assert {one["player"]: one["vote"] for one in made["votes"]} == final
    # By its address each comment is found again, so that none stands for another.
    reasons = {one["url"].rpartition("-")[2]: one["reason"] for one in made["uncounted"]}
    counted = {one["url"].rpartition("-")[2] for one in made["votes"]}
    wrong = Counter[str]()
    for expected, item in corpus:
        ident = str(item["id"])
        told = COUNTED if ident in counted else reasons.get(ident, SILENT)
        agrees = (
            told == expected
            if expected in (SILENT, COUNTED)
            else re.match(expected, told) is not None
        )
        wrong[f"{ident}: {told!r} in place of {expected!r}"] += not agrees
    assert +wrong == Counter()
    assert len(counted) + len(reasons) + 2 * len(VOTERS) == len(corpus)
