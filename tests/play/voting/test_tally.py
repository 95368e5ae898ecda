"""Counting recorded votes: whatever is recorded, the count holds, and what it counts can be written
as it stands.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from nomicgen.files.documents import read_instrument
from nomicgen.files.file_editing import set_keys
from nomicgen.law.precedence import Law
from nomicgen.law.voting.voting_rights import electorate
from nomicgen.model.front_matters import ProposalMatter
from nomicgen.model.values import Moment
from nomicgen.play.load import Game, load_tree
from nomicgen.play.refusal import Refused
from nomicgen.play.resolving import with_votes
from nomicgen.play.voting.voting import votes_for_file as plain_votes
from nomicgen.pulls.forge.github import Cast, Recorded
from nomicgen.pulls.forge.json_documents import JsonProblem
from nomicgen.pulls.forge_tally import count_recorded
from nomicgen.pulls.tally_text import CountedVote, count_text
from tests.deep import examples
from tests.explain_pages import BASE

ON = Moment.parse("2026-02-10")
OPENED = datetime(2026, 2, 2, 9, tzinfo=UTC)
TOKEN = "k7q2m4x9ta"
LOGINS = ("wren-w", "WREN-W", "quill", "tallow", "stranger", "quıll", None)


def made() -> Game:
    """The small game of the explanations, with accounts, and a proposal that is open."""
    tree: dict[str, bytes] = {
        path.relative_to(BASE).as_posix(): path.read_bytes()
        for path in sorted(BASE.rglob("*"))
        if path.is_file()
    }
    for path in [path for path in tree if path.startswith("players/")]:
        login = {"wren": "wren-w"}.get(Path(path).stem, Path(path).stem)
        tree[path] = set_keys(tree[path], {"accounts": {"github": login}})
    number = load_tree(BASE, tree, ON).replay.current.highest + 1
    path = f"proposals/{number}.md"
    keys = (
        f"number: {number}\ntitle: Tea\nauthor: wren\ndate: 2026-02-01\nstatus: open\n"
        "opened: 2026-02-02\n"
    )
    body = "Tea.\n\n## Enact Rule: Tea\n\nThere is tea.\n"
    tree[path] = f"---\n{keys}---\n\n{body}".encode()
    instrument, _ = read_instrument(path, tree[path])
    assert instrument is not None
    tree[path] = set_keys(tree[path], {"ballot": TOKEN, "digest": instrument.whole_digest})
    game = load_tree(BASE, tree, ON)
    assert [one for one in game.errors if one.span.file == path] == []
    return game


GAME = made()
NUMBER = max(one.number or 0 for one in GAME.records.of_kind("proposal"))
DIGEST = GAME.records.instruments[f"proposals/{NUMBER}.md"].whole_digest or ""
BALLOT = f"{NUMBER}-{TOKEN}"

addresses = st.none() | st.from_regex(r"https?://[!-~]{1,40}", fullmatch=True)
moments = st.none() | st.integers(-5 * 24 * 3600, 12 * 24 * 3600).map(
    lambda more: OPENED + timedelta(seconds=more)
)
casts = st.builds(
    Cast,
    by=st.sampled_from(LOGINS),
    bot=st.sampled_from((False, False, False, True)),
    kind=st.sampled_from(("comment", "reaction")),
    at=moments
    | st.sampled_from((datetime(1970, 1, 1, tzinfo=UTC), datetime(9000, 12, 31, tzinfo=UTC))),
    choice=st.sampled_from(("for", "against", "abstain", None)),
    fault=st.sampled_from(("", "", "", "it was edited")),
    ballot=st.sampled_from(
        (BALLOT, BALLOT, BALLOT, f"{NUMBER + 1}-{TOKEN}", f"{NUMBER}-a000000000", None)
    ),
    digest=st.sampled_from((DIGEST, DIGEST, "0" * 64, None)),
    url=addresses,
)


@given(st.lists(casts, max_size=12))
@settings(max_examples=examples(0.8))
def test_every_recorded_vote_is_counted_or_has_a_reason(given: list[Cast]) -> None:
    recorded = Recorded(casts=tuple(given))
    count = count_recorded(GAME, NUMBER, recorded, ON).count
    listed: list[object] = [(vote.login, vote.kind, vote.url) for vote in count.votes]
    listed += [(vote.login, vote.kind, vote.url) for vote in count.uncounted]
    assert sorted(map(repr, listed)) == sorted(repr((one.by, one.kind, one.url)) for one in given)
    assert all(one.reason and "\n" not in one.reason for one in count.uncounted)
    players = [one.player for one in count.votes]
    assert players == sorted(set(players))
    law = Law.of(GAME.replay.current, GAME.settings, ON)
    eligible = electorate(GAME.records.players, law, ON)[0]
    sound = [one for one in given if not one.fault and not one.bot and one.ballot == BALLOT]
    for vote in count.votes:
        assert vote.player in eligible
        cast = [one for one in sound if (one.by, one.kind, one.url, one.choice) == astuple(vote)]
        assert vote.kind == "comment" or any(one.digest == DIGEST for one in cast)
        assert cast
        assert not vote.at.precedes(Moment.parse("2026-02-02"))
    assert set(count.tally.for_) == {vote.player for vote in count.votes if vote.vote == "for"}


def astuple(vote: CountedVote) -> tuple[object, ...]:
    return vote.login, vote.kind, vote.url, vote.vote


@given(st.lists(casts, max_size=12))
@settings(max_examples=examples(0.5))
def test_the_order_of_a_recording_says_nothing(given: list[Cast]) -> None:
    first = count_recorded(GAME, NUMBER, Recorded(casts=tuple(given)), ON)
    again = count_recorded(GAME, NUMBER, Recorded(casts=tuple(reversed(given))), ON)
    assert [astuple(vote) for vote in first.count.votes] == [
        astuple(vote) for vote in again.count.votes
    ]


@given(st.lists(casts, max_size=12))
@settings(max_examples=examples(0.8))
def test_what_is_counted_can_be_written_and_counted_again(given: list[Cast]) -> None:
    recorded = Recorded(casts=tuple(given))
    count = count_recorded(GAME, NUMBER, recorded, ON)
    written = with_votes(GAME, NUMBER, plain_votes(count.proposal.matter))
    path = f"proposals/{NUMBER}.md"
    assert [one for one in written.errors if one.span.file == path] == []
    matter = written.records.instruments[path].matter
    assert isinstance(matter, ProposalMatter)
    assert {player: vote.source for player, vote in (matter.votes or {}).items()} == {
        vote.player: vote.url for vote in count.count.votes
    }
    again = count_recorded(written, NUMBER, recorded, ON)
    assert again.proposal.matter.votes == count.proposal.matter.votes
    assert again.count.tally == count.count.tally


@given(
    st.lists(
        casts.map(lambda one: replace(one, by="wren-w", fault="", bot=False)),
        min_size=2,
        max_size=6,
    ),
    casts,
)
@settings(max_examples=examples(0.5))
def test_what_a_stranger_says_changes_nobodys_vote(mine: list[Cast], other: Cast) -> None:
    stranger = replace(other, by="stranger")
    alone = count_recorded(GAME, NUMBER, Recorded(casts=tuple(mine)), ON)
    beside = count_recorded(GAME, NUMBER, Recorded(casts=(*mine, stranger)), ON)
    assert alone.count.votes == beside.count.votes
    assert alone.count.tally == beside.count.tally


@given(
    st.lists(
        casts | casts.map(lambda one: replace(one, by="\x1b[2J\n# \ud800|`", fault="")), max_size=6
    )
)
@settings(max_examples=examples(0.5))
def test_every_count_can_be_shown(given: list[Cast]) -> None:
    recorded = Recorded(
        casts=tuple(given),
        notes=("a `note`\n# x",),
        problems=(JsonProblem(file="x", message="\x1b[1m\n- y"),),
    )
    count = count_recorded(GAME, NUMBER, recorded, ON).count
    assert all("\n" not in line for line in count_text(count))


def test_nothing_is_counted_of_what_is_not_whole() -> None:
    problem = JsonProblem(
        file="a.json", line=3, message="this is no JSON", help="record it again", fatal=True
    )
    with pytest.raises(Refused) as refused:
        count_recorded(GAME, NUMBER, Recorded(problems=(problem,)), ON)
    assert refused.value.message == "a.json:3:1: this is no JSON: no vote is counted"


def test_a_count_of_comments_needs_no_git(tmp_path: Path) -> None:
    """Comments alone need no git: the root is not looked at."""
    away = replace(GAME, root=tmp_path / "nowhere")
    vote = Cast(by="quill", kind="comment", at=OPENED, choice="for", ballot=BALLOT)
    assert [
        one.player for one in count_recorded(away, NUMBER, Recorded(casts=(vote,)), ON).count.votes
    ] == ["quill"]
