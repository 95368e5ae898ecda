"""The ballot: who votes, for how long, and what silence, abstention and authors make of a vote."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicgen.law.precedence import Law
from nomicgen.law.voting.voting_rights import die_of, electorate
from nomicgen.model.identifiers import PlayerId
from tests.ballots import NEW, game, silent, tally, told
from tests.ledger import UNANIMOUS, Ledger, day

# Which rule says what


def test_each_field_of_a_ballot_has_its_own_winner() -> None:
    made = Ledger.start(
        {
            105: {"ballot": {"silence": "for", "debate": "2"}},
            201: {"ballot": {"silence": "against", "closes_after": "3", "debate": "5"}},
            202: {"ballot": {"closes_after": "9", "resubmissions": "1"}},
            203: {"ballot": {"debate": "1", "over": "201"}, **UNANIMOUS},
            204: {"ballot": {"abstention": "forbidden", "under": "205"}},
            205: {"ballot": {"abstention": "counts"}},
        }
    )
    records, played = made.play()
    law = Law.of(played.current, records.settings, day("02-01"))
    found = {
        name: (said.value, said.rule)
        for (kind, name), said in law.fields.items()
        if kind == "ballot"
    }
    assert found == {
        "silence": ("for", 105),
        "debate": (2, 105),
        "closes_after": (3, 201),
        "resubmissions": (1, 202),
        "abstention": ("counts", 205),
    }


def test_a_vote_is_judged_by_the_law_of_its_decision_and_before_its_own_effect() -> None:
    everyone = "```yaml rule\nprovisions:\n  ballot: {everyone_votes: true}\n```"
    made = game().proposal(
        301, "02-02", f"## Amend Rule 105/0\n\n{everyone}\n\nAll of them.", "fff."
    )
    made.proposal(302, "02-03", NEW, "fff.")
    assert made.told() == [
        "vote-missing proposals/302.md:8:1: adopted without the votes of wren; Rule 105 demands "
        "every vote (Rule 105)"
    ]


# Who may vote


def test_a_bot_never_votes_and_a_dummy_only_by_law() -> None:
    made = game().player("hal", kind="bot").player("seat", kind="dummy")
    assert told(made, "ff..", more={"hal": "for", "seat": "for"}) == [
        "voter-unknown proposals/301.md:11:3: hal voted, but was not an eligible voter on "
        "2026-02-01",
        "voter-unknown proposals/301.md:12:3: seat voted, but was not an eligible voter on "
        "2026-02-01",
    ]
    found = tally(made, "ff..")
    assert found.eligible == found.players == ("osprey", "quill", "tallow", "wren")
    law = {"dummy": {"die": "6", "for": ["4", "5", "6"]}}
    found = tally(game(law).player("hal", kind="bot").player("seat", kind="dummy"), "ff..")
    assert found.eligible == found.players == ("osprey", "quill", "seat", "tallow", "wren")


def test_only_the_active_are_eligible_and_everyone_is_a_player() -> None:
    made = game({"electorate": "active"})
    made.player("wren", inactive=[{"since": day("01-20"), "until": day("02-02")}])
    found = tally(made, "fa..")
    assert (found.eligible, found.players) == (
        ("osprey", "quill", "tallow"),
        ("osprey", "quill", "tallow", "wren"),
    )
    # Who wakes up while the vote goes on may vote.
    assert told(made, "ff.a", decided=day("02-02")) == []
    assert tally(made, "ff.a", decided=day("02-02")).against == ("wren",)


def test_who_breaks_ties_is_in_no_electorate() -> None:
    made = game({"tie_break": {"by": "wren"}})
    found = tally(made, "ffa.")
    assert (found.eligible, found.missing, found.tie_broken_by) == (
        ("osprey", "quill", "tallow"),
        (),
        None,
    )


@given(st.sampled_from(["person", "bot", "dummy"]), st.booleans(), st.booleans(), st.booleans())
def test_the_electorate_is_never_larger_than_the_players(
    kind: str, active: bool, dummy: bool, breaks: bool
) -> None:
    law: dict[str, Any] = {"electorate": "active" if active else "players"}
    law |= {"dummy": {"die": "6", "for": ["6"]}} if dummy else {}
    law |= {"tie_break": {"by": "seat", "die": "2", "for": ["1"]}} if breaks else {}
    made = game(law).player("seat", kind=kind, inactive=[{"since": day("01-10")}])
    records, played = made.play()
    found = Law.of(played.current, records.settings, None)
    eligible, players = electorate(records.players, found, day("02-01"))
    assert set(eligible) <= set(players)
    assert ("seat" in players) == (kind == "person" or (kind == "dummy" and dummy))
    assert ("seat" in eligible) == ("seat" in players and not active and not breaks)
    assert (die_of(records.players[PlayerId("seat")], found) is not None) == (
        breaks or (kind == "dummy" and dummy)
    )


# Debate and resubmission


def test_a_vote_opens_after_the_debate() -> None:
    made = game({"debate": "3"})
    assert told(made, "ffff", opened=day("02-04"), decided=day("02-04")) == []
    assert told(made, "ffff", opened=day("02-03"), decided=day("02-05")) == [
        "debate-short proposals/301.md:6:9: the vote opened on 2026-02-03; Rule 105 leaves 3 days "
        "for debate, so not before 2026-02-04 (Rule 105)"
    ]


@pytest.mark.parametrize(
    ("date", "opened", "short"),
    [
        ("02-01", "2026-02-04T00:01", False),
        ("2026-02-01T18:00", "02-04", False),
        ("2026-02-01T18:00", "2026-02-04T18:00", False),
        ("2026-02-01T18:00", "2026-02-04T17:59", True),
        ("2026-02-01T18:00", "02-03", True),
    ],
)
def test_a_debate_is_too_short_only_where_that_is_certain(
    date: str, opened: str, short: bool
) -> None:
    found = told(
        game({"debate": "3"}), "ffff", date=day(date), opened=day(opened), decided=day("02-09")
    )
    assert [one.split()[0] for one in found] == ["debate-short"] * short


def test_the_debate_is_judged_by_the_law_at_the_opening() -> None:
    body = "## Amend Rule 105/0\n\n```yaml rule\nprovisions:\n  ballot: {debate: 9}\n```\n\nTalk."
    made = game({"debate": "1"}).proposal(
        301, "02-01", body, opened=day("02-02"), decided=day("02-06")
    )
    made.proposal(302, "02-02", NEW, opened=day("02-04"), decided=day("02-08"))
    assert made.told() == []
    made.proposal(303, "02-05", NEW, opened=day("02-07"), decided=day("02-20"))
    assert [one.split(" the ")[0] for one in made.told()] == ["debate-short proposals/303.md:6:9:"]


def test_an_opening_that_is_left_out_was_not_after_the_decision() -> None:
    made = game({"debate": "3", "resubmissions": "0"})
    assert told(made, "ffff", opened=None, decided=day("02-04")) == []
    earlier = [{"votes": {"wren": "for"}}]
    assert told(made, "ffff", opened=None, decided=day("02-03"), earlier=earlier) == [
        "debate-short proposals/301.md:6:10: adopted on 2026-02-03; Rule 105 leaves 3 days for "
        "debate, so not before 2026-02-04 (Rule 105)",
        "resubmissions-many proposals/301.md:13:3: put to the vote again 1 time; Rule 105 allows "
        "0 (Rule 105)",
    ]


def test_a_proposal_is_resubmitted_so_often() -> None:
    earlier = [
        {"opened": day("01-20"), "votes": {"wren": "for"}},
        {"opened": day("01-25"), "votes": {"wren": "for"}},
    ]
    assert told(game({"resubmissions": "2"}), "ffff", earlier=earlier) == []
    assert told(game(), "ffff", earlier=earlier) == []
    assert told(game({"resubmissions": "1"}), "ffff", earlier=earlier) == [
        "resubmissions-many proposals/301.md:14:3: put to the vote again 2 times; Rule 105 "
        "allows 1 (Rule 105)"
    ]
    made = game({"resubmissions": "0"}).proposal(
        301, "02-01", NEW, "f...", "open", earlier=earlier[:1]
    )
    assert made.told("02-02") == [
        "resubmissions-many proposals/301.md:10:3: put to the vote again 1 time; Rule 105 allows "
        "0 (Rule 105)"
    ]


# Closing and silence

TIMED = {"closes_after": "3", "silence": "against"}


@pytest.mark.parametrize(
    ("opened", "at", "late"),
    [
        ("02-01", "02-04", False),
        ("02-01", "2026-02-04T23:59", False),
        ("02-01", "02-05", True),
        ("02-01", "2026-02-05T00:00", True),
        ("2026-02-01T18:00", "2026-02-04T18:00", False),
        ("2026-02-01T18:00", "2026-02-04T18:01", True),
        ("2026-02-01T18:00", "02-04", False),
    ],
)
def test_a_vote_is_late_only_where_that_is_certain(opened: str, at: str, late: bool) -> None:
    vote = {"vote": "for", "at": day(at)}
    matter: dict[str, Any] = {"date": day("02-01"), "opened": day(opened), "decided": day("02-09")}
    found = told(game(TIMED), "fff.", more={"wren": vote}, **matter)
    shown = (
        f"vote-late proposals/301.md:12:3: wren voted on {day(at)}; the vote closed on "
        f"{day(opened).plus(3)} (Rule 105)"
    )
    assert found == [shown] * late


def test_a_vote_that_closed_unknown_when_is_not_late() -> None:
    vote = {"vote": "for", "at": day("02-08")}
    assert told(game(TIMED), "fff.", more={"wren": vote}, opened=None, decided=day("02-09")) == []


@pytest.mark.parametrize(
    ("opened", "decided", "early"),
    [
        ("02-01", "02-04", False),
        ("02-01", "2026-02-04T00:00", False),
        ("02-01", "02-03", True),
        ("2026-02-01T18:00", "2026-02-04T17:59", True),
        ("2026-02-01T18:00", "2026-02-04T18:00", False),
        ("2026-02-01T18:00", "02-04", False),
        (None, "02-04", False),
        (None, "02-03", True),
    ],
)
def test_a_decision_is_early_only_where_that_is_certain(
    opened: str | None, decided: str, early: bool
) -> None:
    made = game({"closes_after": "3"})
    matter: dict[str, Any] = {
        "date": day("02-01"),
        "opened": opened and day(opened),
        "decided": day(decided),
    }
    found = made.proposal(301, "02-01", NEW, "fff.", **matter).told()
    closes = day(opened or "02-01").plus(3)
    line = 7 if opened else 6
    shown = (
        f"vote-early proposals/301.md:{line}:10: adopted on {day(decided)} without the votes of "
        f"wren, who could vote until {closes} (Rule 105)"
    )
    assert found == [shown] * early
    # Where everyone has voted there is nothing to wait for.
    assert game({"closes_after": "3"}).proposal(301, "02-01", NEW, "fffa", **matter).told() == []


@pytest.mark.parametrize(
    ("mode", "for_", "against", "missing", "adopted"),
    [
        ("for", ("osprey", "quill", "tallow", "wren"), (), (), True),
        ("against", ("osprey", "quill"), ("tallow", "wren"), (), False),
        ("ignored", ("osprey", "quill"), (), ("tallow", "wren"), False),
    ],
)
@pytest.mark.parametrize("everyone", ["true", "false"])
def test_silence(
    mode: str, for_: Any, against: Any, missing: tuple[str, ...], adopted: bool, everyone: str
) -> None:
    law = {"silence": mode, "closes_after": "3", "everyone_votes": everyone}
    found = tally(game(law), "ff..", decided=day("02-04"))
    silence = () if mode == "ignored" else ("tallow", "wren")
    assert (found.for_, found.against, found.missing, found.silent) == (
        for_,
        against,
        missing,
        silence,
    )
    assert (found.may_end, found.adopted, found.must_vote) == (True, adopted, False)
    # A day before the end nobody's silence is anything yet.
    early = tally(game(law), "ff..", decided=day("02-03"))
    assert (early.for_, early.against, early.silent) == (("osprey", "quill"), (), ())
    assert (early.missing, early.may_end, early.adopted, early.closes) == (
        ("tallow", "wren"),
        False,
        None,
        day("02-04"),
    )


def test_silence_that_waits_holds_a_vote_open_beyond_its_end() -> None:
    for law in (
        {"silence": "waits", "closes_after": "3"},
        {"everyone_votes": "true", "closes_after": "3"},
    ):
        made = game(law).proposal(301, "02-01", NEW, "fff.", decided=day("02-20"))
        assert [one.split(": ")[0] for one in made.told()] == ["vote-missing proposals/301.md:8:1"]
        last = {"wren": {"vote": "against", "at": day("02-20")}}
        assert told(game(law), "fff.", more=last, decided=day("02-20")) == []


def test_without_a_word_on_silence_a_missing_vote_is_none() -> None:
    found = tally(game(), "ff..")
    assert (found.missing, found.silent, found.may_end, found.adopted) == (
        ("tallow", "wren"),
        (),
        True,
        False,
    )


@pytest.mark.parametrize(
    ("mode", "vote", "message"),
    [
        ("for", "for", ""),
        ("against", "against", ""),
        ("for", "against", "wren's silence counts as a vote for, and `against` is recorded"),
        ("for", "abstain", "wren's silence counts as a vote for, and `abstain` is recorded"),
        ("ignored", "for", "wren's silence is no vote, and `for` is recorded"),
        ("waits", "against", "wren's silence holds the vote open, and `against` is recorded"),
    ],
)
def test_recorded_silence_is_what_the_law_makes_of_it(mode: str, vote: str, message: str) -> None:
    found = told(game({"silence": mode}), "fff.", more={"wren": silent(vote)}, author="quill")
    assert found == (
        [f"vote-unlawful proposals/301.md:12:3: {message} (Rule 105)"] if message else []
    )
    if mode in ("for", "against"):
        assert tally(
            game({"silence": mode}), "fff.", more={"wren": silent(vote)}, author="quill"
        ).silent == ("wren",)


def test_silence_that_no_rule_speaks_of() -> None:
    assert told(game(), "fff.", more={"wren": silent("for")}) == [
        "vote-unlawful proposals/301.md:12:3: wren's silence is no vote, and `for` is recorded"
    ]


def test_a_dummy_may_be_silent_too() -> None:
    law = {"silence": "against", "dummy": {"die": "6", "for": ["4", "5", "6"]}}
    made = game(law).player("seat", kind="dummy")
    assert told(made, "ffff", more={"seat": silent("against")}) == []
    assert tally(made, "ffff").silent == ("seat",)


# Abstention


@pytest.mark.parametrize("mode", [None, "counts", "ignored"])
@pytest.mark.parametrize("of", ["eligible", "cast", "players"])
def test_an_abstention_and_what_a_share_is_of(mode: str | None, of: str) -> None:
    bases = {
        (None, "eligible"): 4,
        (None, "cast"): 3,
        (None, "players"): 4,
        ("counts", "eligible"): 4,
        ("counts", "cast"): 4,
        ("counts", "players"): 4,
        ("ignored", "eligible"): 3,
        ("ignored", "cast"): 3,
        ("ignored", "players"): 4,
    }
    made = game({"abstention": mode} if mode else None, {"needs": {"at_least": "2/3"}, "of": of})
    (condition,) = tally(made, "ffa-").conditions
    base, words = (
        bases[mode, of],
        {"eligible": "eligible voters", "cast": "votes cast", "players": "all players"}[of],
    )
    needed = {3: "2", 4: "2.67, so at least 3"}[base]
    assert (
        condition.arithmetic == f"2 for; at least two thirds of {words} ({base}): {needed} needed"
    )
    assert condition.met == (base == 3)
    assert told(made, "ffa-") == []


def test_a_forbidden_abstention() -> None:
    message = "vote-unlawful proposals/301.md:12:3: wren abstained:"
    assert told(game({"abstention": "forbidden"}), "fff-") == [
        f"{message} an abstention is not allowed (Rule 105)"
    ]
    everyone = {"everyone_votes": "true"}
    why = "everyone must vote, and no rule lets anyone abstain"
    assert told(game(everyone), "fff-") == [f"{message} {why} (Rule 105)"]
    assert told(game({**everyone, "abstention": "ignored"}), "fff-") == []
    # Another rule may say what an abstention is.
    assert told(game(everyone, r205={"ballot": {"abstention": "counts"}}), "fff-") == []


# The author


def test_an_author_who_has_not_voted_votes_for() -> None:
    made = game({"author_votes_for": "true", "everyone_votes": "true"})
    assert tally(made, "ffa.").for_ == ("osprey", "quill", "wren")
    assert told(made, "ffa.") == []
    assert tally(made, "faaa").for_ == ("osprey",)
    assert tally(made, "faa.", author=None).missing == ("wren",)
    assert tally(game({"author_votes_for": "false"}), "ff..").for_ == ("osprey", "quill")
    # Who proposed and left is no voter any more.
    gone = game({"author_votes_for": "true"}).player("wren", left=day("02-03"))
    assert tally(gone, "ff..", decided=day("02-05")).for_ == ("osprey", "quill")


def test_an_author_s_silence_is_a_vote_for_whatever_silence_is() -> None:
    made = game({"author_votes_for": "true", "silence": "against"})
    found = tally(made, "ff..")
    assert (found.for_, found.against, found.silent) == (
        ("osprey", "quill", "wren"),
        ("tallow",),
        ("tallow",),
    )
    recorded = {"tallow": silent("against"), "wren": silent("for")}
    assert told(made, "ff..", more=recorded) == []
    assert tally(made, "ff..", more=recorded) == found
    assert told(made, "ff..", more={"wren": silent("against")}) == [
        "vote-unlawful proposals/301.md:11:3: wren's silence counts as a vote for, and "
        "`against` is recorded "
        "(Rule 105)"
    ]
