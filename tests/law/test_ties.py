"""Ties, dice and dummies; and how few votes would still pass a proposal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomicgen.model.identifiers import PlayerId
from nomicgen.play.load import load_tree
from nomicgen.play.refusal import Refused
from nomicgen.play.voting.voting import cast_vote
from tests.ballots import HAL, MAJORITY, NEW, by_die, game, silent, tally, told
from tests.deep import examples
from tests.ledger import Ledger, day

# Ties


@pytest.mark.parametrize(
    ("votes", "face", "vote", "arithmetic", "adopted"),
    [
        (
            "ffaa",
            1,
            "for",
            "3 for; more than half of eligible voters (5): more than 2.5, so at least 3 needed",
            True,
        ),
        (
            "ffaa",
            2,
            "against",
            "2 for; more than half of eligible voters (5): more than 2.5, so at least 3 needed",
            False,
        ),
        (
            "ffaa",
            3,
            "abstain",
            "2 for; more than half of eligible voters (4): more than 2 needed",
            False,
        ),
        (
            "f-a-",
            1,
            "for",
            "2 for; more than half of eligible voters (5): more than 2.5, so at least 3 needed",
            False,
        ),
    ],
)
def test_a_tie_is_broken_by_die(
    votes: str, face: int, vote: str, arithmetic: str, adopted: bool
) -> None:
    made = game(HAL).player("hal", kind="bot")
    found = tally(made, votes, more={"hal": by_die(vote, face)})
    assert (found.tie_broken_by, [one.arithmetic for one in found.conditions], found.adopted) == (
        "hal",
        [arithmetic],
        adopted,
    )
    assert found.eligible == ("osprey", "quill", "tallow", "wren")
    assert told(made, votes, more={"hal": by_die(vote, face)}) == []


def test_silence_breaks_no_tie() -> None:
    made = game(HAL).player("hal", kind="bot")
    found = tally(made, "ffaa", more={"hal": silent("for")})
    assert (found.tie_broken_by, found.for_, found.adopted) == (None, ("osprey", "quill"), False)


def test_a_vote_that_breaks_a_tie_joins_the_votes_cast() -> None:
    made = game(HAL, {"needs": "majority", "of": "cast"}).player("hal", kind="bot")
    for face, vote, cast in ((1, "for", 5), (2, "against", 5), (3, "abstain", 4)):
        (condition,) = tally(made, "ffaa", more={"hal": by_die(vote, face)}).conditions
        assert f"votes cast ({cast})" in condition.arithmetic


@pytest.mark.parametrize("votes", ["fffa", "----", "faaa"])
def test_no_tie_no_vote(votes: str) -> None:
    made = game(HAL).player("hal", kind="bot")
    assert tally(made, votes, more={"hal": by_die("for", 1)}).tie_broken_by is None
    assert told(made, votes, more={"hal": by_die("for", 1)}) == [
        "vote-unlawful proposals/301.md:13:3: hal votes only to break a tie, and there was none "
        "(Rule 105)"
    ]


def test_a_tie_is_none_while_somebody_is_waited_for() -> None:
    waits = game({**HAL, "everyone_votes": "true"}).player("hal", kind="bot")
    found = tally(waits, "fa..", status="open", more={"hal": by_die("for", 1)})
    assert (found.tie_broken_by, found.for_) == (None, ("osprey",))
    assert found.missing == ("tallow", "wren")
    for_all = game({**HAL, "silence": "for", "closes_after": "3"}).player("hal", kind="bot")
    assert (
        tally(for_all, "fa..", "02-02", status="open", more={"hal": by_die("for", 1)}).tie_broken_by
        is None
    )
    # Decided too soon, and tied: that the others did not vote is the one thing wrong.
    assert [one.split(": ")[0] for one in told(waits, "fa..", more={"hal": by_die("for", 1)})] == [
        "vote-missing proposals/301.md:8:1"
    ]
    # Silence that is no vote is not waited for.
    ignored = game(
        {**HAL, "silence": "ignored", "closes_after": "3"}, {"needs": "majority", "of": "cast"}
    )
    ignored.player("hal", kind="bot")
    late = {"hal": {**by_die("for", 1), "at": day("02-06")}}
    assert tally(ignored, "fa..", more=late, decided=day("02-06")).tie_broken_by == "hal"
    assert told(ignored, "fa..", more=late, decided=day("02-06")) == []


@pytest.mark.parametrize(
    ("vote", "message"),
    [
        ({"vote": "for"}, "hal votes by die, and no throw is recorded"),
        ({"vote": "for", "cast_by": "die"}, "hal votes by die, and no throw is recorded"),
        (by_die("for", 0), "a die of 3 sides does not show 0"),
        (by_die("for", 4), "a die of 3 sides does not show 4"),
        (by_die("against", 1), "a throw of 1 is a vote for, and `against` is recorded"),
        (by_die("for", 3), "a throw of 3 is no vote, and `for` is recorded"),
        (silent("for"), "hal votes only to break a tie, and silence breaks none"),
    ],
)
def test_a_die_that_breaks_a_tie_says_what_its_face_is(vote: Any, message: str) -> None:
    made = game(HAL).player("hal", kind="bot")
    assert told(made, "ffaa", more={"hal": vote}) == [
        f"vote-unlawful proposals/301.md:13:3: {message} (Rule 105)"
    ]


def test_somebody_who_breaks_ties_without_a_die() -> None:
    made = game({"tie_break": {"by": "wren"}})
    found = tally(made, "ff.a")
    assert (found.for_, found.against, found.tie_broken_by) == (("osprey", "quill"), (), None)
    assert told(made, "ff.a") == [
        "vote-unlawful proposals/301.md:11:3: wren votes only to break a tie, and there was none "
        "(Rule 105)"
    ]
    assert tally(made, "fa-f").tie_broken_by == "wren"
    assert told(made, "fa-f") == []
    assert told(made, "fa-.", more={"wren": by_die("for", 1)}) == [
        "vote-unlawful proposals/301.md:12:3: wren votes by a die, and no rule lets wren do so"
    ]


def test_who_breaks_ties_and_does_not_play() -> None:
    assert told(game(HAL), "ffaa") == []
    found = told(game(HAL), "ffaa", more={"hal": by_die("for", 1)})
    assert found == [
        "voter-unknown proposals/301.md:13:3: hal voted, and there is no players/hal.yml"
    ]
    gone = game(HAL).player("hal", kind="bot", left=day("01-20"))
    assert told(gone, "ffaa", more={"hal": by_die("for", 1)}) == [
        "voter-unknown proposals/301.md:13:3: hal voted, but was not an eligible voter on "
        "2026-02-01"
    ]


# Dummies


@pytest.mark.parametrize(
    ("vote", "message"),
    [
        (by_die("for", 4), ""),
        (by_die("against", 2), ""),
        (by_die("abstain", 3), ""),
        (by_die("for", 2), "a throw of 2 is a vote against, and `for` is recorded"),
        (by_die("against", 7), "a die of 6 sides does not show 7"),
        ("for", "seat votes by die, and no throw is recorded"),
    ],
)
def test_a_dummy_votes_by_die(vote: Any, message: str) -> None:
    law = {
        "dummy": {"die": "6", "for": ["4", "5", "6"], "against": ["1", "2"]},
        "everyone_votes": "true",
    }
    made = game(law).player("seat", kind="dummy")
    found = told(made, "ffaf", more={"seat": vote})
    assert found == (
        [f"vote-unlawful proposals/301.md:13:3: {message} (Rule 105)"] if message else []
    )


def test_a_dummy_that_breaks_ties_has_the_die_of_that() -> None:
    law = {
        "dummy": {"die": "6", "for": ["6"]},
        "tie_break": {"by": "seat", "die": "2", "for": ["1"]},
    }
    made = game({"dummy": law["dummy"]}, r205={"ballot": {"tie_break": law["tie_break"]}}).player(
        "seat", kind="dummy"
    )
    assert told(made, "ffaa", more={"seat": by_die("for", 1)}) == []
    assert told(made, "ffaa", more={"seat": by_die("for", 6)}) == [
        "vote-unlawful proposals/301.md:13:3: a die of 2 sides does not show 6 (Rule 205)"
    ]


def test_nobody_else_votes_by_die() -> None:
    assert told(game(), "fff.", more={"wren": by_die("for", 4)}) == [
        "vote-unlawful proposals/301.md:12:3: wren votes by a die, and no rule lets wren do so"
    ]


# What a vote still needs


@pytest.mark.parametrize(
    ("law", "adoption", "votes", "fewest"),
    [
        ({"everyone_votes": "true"}, MAJORITY, "....", 3),
        ({"everyone_votes": "true"}, MAJORITY, "ff..", 1),
        ({"everyone_votes": "true"}, MAJORITY, "aa..", None),
        ({"everyone_votes": "true"}, MAJORITY, "fff.", 0),
        ({"silence": "for", "closes_after": "3"}, MAJORITY, "aa..", None),
        ({"silence": "for", "closes_after": "3"}, MAJORITY, "a...", 0),
        ({"silence": "against", "closes_after": "3"}, MAJORITY, "f...", 2),
        (None, {"needs": "majority", "of": "cast"}, "a...", 2),
        (None, {"needs": "majority", "of": "cast"}, "....", 1),
        (None, {"needs": "unanimous", "of": "eligible"}, "ff-.", None),
        ({"abstention": "ignored"}, {"needs": "unanimous", "of": "eligible"}, "ff-.", 1),
        ({"author_votes_for": "true"}, MAJORITY, "f...", 1),
        (None, {"needs": {"at_least": "9"}}, "....", None),
    ],
)
def test_fewest(law: Any, adoption: Any, votes: str, fewest: int | None) -> None:
    assert tally(game(law, adoption), votes, "02-02", status="open").fewest == fewest


def test_a_tie_that_will_be_broken_needs_fewer() -> None:
    made = game({**HAL, "everyone_votes": "true"}, {"needs": "majority", "of": "cast"}).player(
        "hal", kind="bot"
    )
    assert tally(made, "fa..", status="open").fewest == 2
    assert tally(made, "fa..", status="open", more={"hal": by_die("for", 1)}).fewest == 1
    assert tally(made, "ffaa", status="open").fewest == 1
    assert tally(made, "ffaa", status="open", more={"hal": by_die("against", 2)}).fewest is None
    # Where nobody is there to break it, it stays a tie.
    assert tally(game(HAL), "ffaa", status="open").fewest is None


BASES = st.sampled_from(["eligible", "cast", "players"])
NEEDS = st.sampled_from(
    ["unanimous", "majority", "two-thirds", {"at_least": "2"}, {"more_than": "1/4"}]
)


@settings(max_examples=examples(1.2), deadline=None)
@given(
    st.sampled_from(["waits", "for", "against", "ignored"]),
    st.sampled_from([None, "counts", "ignored"]),
    st.booleans(),
    NEEDS,
    BASES,
    NEEDS,
    BASES,
    st.text("fa-.", min_size=4, max_size=4),
    st.sampled_from(["", "f", "a"]),
)
def test_fewest_is_the_smallest_number_that_passes(
    mode: str,
    abstention: str | None,
    author: bool,
    needs: Any,
    of: str,
    more: Any,
    also: str,
    votes: str,
    breaks: str,
) -> None:
    """Every number of further votes for is tried, as a vote that is decided."""
    law = {"silence": mode, "author_votes_for": str(author).lower(), "tie_break": {"by": "umpire"}}
    law |= {"abstention": abstention} if abstention else {}
    second = {"needs": more, "of": also} if isinstance(more, str) else {**more, "of": also}
    adoption = {"needs": needs, "of": of, "and": second}
    given = {"umpire": "for" if breaks == "f" else "against"} if breaks else {}

    def made() -> Ledger:
        return game(law, adoption).player("umpire", joined=day("01-01"))

    open_ = tally(made(), votes, "02-02", status="open", more=given)
    waiting = [
        index for index, vote in enumerate(votes) if vote == "." and not (author and index == 3)
    ]
    passing = []
    for count in range(len(waiting) + 1):
        others = "a" if mode == "waits" else "."
        tried = "".join(
            ("f" if waiting.index(index) < count else others) if index in waiting else vote
            for index, vote in enumerate(votes)
        )
        if tally(made(), tried, more=given).adopted:
            passing.append(count)
        broken = tally(made(), tried, more=given | {"umpire": "for"})
        if not breaks and broken.tie_broken_by and broken.adopted:
            passing.append(count + 1)
    assert open_.fewest == min(passing, default=None)


def test_a_vote_that_is_decided_has_no_fewest() -> None:
    assert tally(game(), "ffff").fewest is None


# Files that could not be read, and odd ones


def test_a_player_who_could_not_be_read_makes_no_other_s_fault() -> None:
    made = game({**HAL, "closes_after": "3"}).player("hal", kind="bot")
    made.proposal(301, "02-01", NEW, "fffa", more={"hal": by_die("for", 1)}, decided=day("02-02"))
    made.file("players/wren.yml", "name: [Wren\n")
    assert made.slugs() == ["yaml-syntax"]


@pytest.mark.parametrize(
    "matter", [{"author": None}, {"opened": None}, {"date": None, "opened": None}, {"turn": "R9T9"}]
)
@pytest.mark.parametrize("status", ["debate", "open", "adopted", "defeated", "withdrawn", "void"])
def test_what_is_missing_is_no_crash(matter: Any, status: str) -> None:
    law = {
        **HAL,
        "closes_after": "3",
        "debate": "2",
        "author_votes_for": "true",
        "silence": "for",
        "resubmissions": "0",
    }
    law |= {"penalty": {"points": "1/3"}, "dummy": {"die": "6", "for": ["6"]}}
    made = game(law).player("seat", kind="dummy")
    more = {"ghost": "for", "hal": by_die("for", 0), "seat": silent("abstain")}
    made.proposal(301, "02-01", NEW, "f-..", status, more=more, earlier=[{}], **matter)
    for until in ("01-01", "02-01", "02-09", "12-31"):
        assert isinstance(made.findings(until), tuple)


@given(st.integers(1, 10**9 - 1))
def test_days_beyond_the_calendar(days: int) -> None:
    made = game({"closes_after": str(days), "debate": str(days), "silence": "for"})
    found = tally(made, "f...", status="open")
    assert found.closes == day("02-01").plus(days)
    assert (found.may_end, found.adopted) == ((True, True) if days <= 333 else (False, None))


# The vote of an inactive player, where a rule lets it count, and where none does.


MAY: dict[str, Any] = {
    "electorate": "active",
    "everyone_votes": "true",
    "inactive_may_vote": "true",
}
AWAY = {"inactive": [{"since": day("01-20")}]}


def away(ballot: dict[str, Any] = MAY, **rules: Any) -> Ledger:
    return game(ballot, **rules).player("quill", **AWAY)


def test_the_vote_of_an_inactive_player_counts() -> None:
    found = tally(away(), "fffa")
    assert (found.eligible, found.for_) == (
        ("osprey", "quill", "tallow", "wren"),
        ("osprey", "quill", "tallow"),
    )
    assert told(away(), "fffa") == [
        "voter-unknown proposals/301.md:10:3: quill voted, but was inactive on 2026-02-01 (Rule "
        "105)"
    ]
    # Nobody waits for a player who does not vote, and silence wakes nobody.
    assert tally(away(), "f.ff").eligible == ("osprey", "tallow", "wren")
    assert [one.split()[0] for one in told(away(), "f.ff", more={"quill": silent("for")})] == [
        "voter-unknown"
    ]
    assert "quill" not in tally(away(), "f.ff", more={"quill": silent("for")}).eligible


def test_unsaid_it_does_not_count() -> None:
    for said in ({}, {"inactive_may_vote": "false"}):
        made = away({"electorate": "active", **said})
        assert tally(made, "fffa").eligible == ("osprey", "tallow", "wren")
        assert told(made, "fffa") == [
            "voter-unknown proposals/301.md:10:3: quill voted, but was not an eligible voter on "
            "2026-02-01 (Rule 105)"
        ]


def test_a_player_who_falls_asleep_after_the_vote_was_not_inactive_when_it_was_cast() -> None:
    made = game(MAY).player("quill", inactive=[{"since": day("02-03")}])
    assert tally(made, "fffa", decided=day("02-05")).eligible == ("osprey", "tallow", "wren")
    assert told(made, "fffa", decided=day("02-05")) == []


def test_voting_ends_the_inactivity() -> None:
    made = away().proposal(301, "02-01", NEW, "f...", "open").applied()
    loaded = load_tree(Path(), made.tree, day("02-03"))
    move = cast_vote(loaded, 301, {PlayerId("quill"): "for"}, day("02-03"))
    assert move.said[0] == "quill is active again, from 2026-02-03"
    assert sorted(move.parts[0].writes) == ["players/quill.yml", "proposals/301.md"]
    assert move.after.findings == ()
    player = move.after.records.players[PlayerId("quill")].matter
    assert [(one.since, one.until) for one in player.inactive] == [(day("01-20"), day("02-03"))]
    assert "waiting for tallow, wren" in move.said[1]
    unsaid = away({"electorate": "active"}).proposal(301, "02-01", NEW, "f...", "open").applied()
    with pytest.raises(Refused, match="quill may not vote on 2026-02-03"):
        cast_vote(
            load_tree(Path(), unsaid.tree, day("02-03")),
            301,
            {PlayerId("quill"): "for"},
            day("02-03"),
        )


def test_the_sentences_of_both() -> None:
    from nomicgen.law.reading import parse_provisions
    from nomicgen.law.sentences import sentences

    for value, words in (
        ("true", "An inactive player may vote, and is active again."),
        ("false", "No inactive player may vote."),
    ):
        assert list(
            sentences(parse_provisions({"ballot": {"inactive_may_vote": value}}, None)[0])
        ) == [words]
