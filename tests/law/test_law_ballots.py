"""The ballot: who votes, for how long, and what silence, abstention, ties, dice and authors make of a vote."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomicgen.law.ballot import die_of, electorate
from nomicgen.law.precedence import Law
from nomicgen.law.state import Tally
from tests.ledger import UNANIMOUS, Ledger, day

NEW = "## Enact Rule\n\nNew."
MAJORITY = {"needs": "majority", "of": "eligible"}
P301 = "proposals/301.md"


def game(ballot: Any = None, adoption: Any = None, **rules: Any) -> Ledger:
    """Rule 105 says how votes are held, Rule 203 how many are enough."""
    said = {105: {"ballot": ballot} if ballot else {}, 203: {"adoption": adoption or MAJORITY}}
    return Ledger.start({**said, **{int(number[1:]): one for number, one in rules.items()}})


def tally(made: Ledger, votes: str, until: str = "12-31", **matter: Any) -> Tally:
    """What the votes on proposal 301 come to."""
    return made.proposal(301, "02-01", NEW, votes, **matter).play(until)[1].tallies[P301]


def told(made: Ledger, votes: str, until: str = "12-31", **matter: Any) -> list[str]:
    """What is wrong with a vote whose status is what its votes come to."""
    adopted = tally(Ledger(dict(made.tree)), votes, until, **matter).adopted
    return made.proposal(301, "02-01", NEW, votes, "adopted" if adopted else "defeated", **matter).told(until)


def by_die(vote: str, face: int) -> dict[str, Any]:
    return {"vote": vote, "cast_by": "die", "die": face}


def silent(vote: str) -> dict[str, Any]:
    return {"vote": vote, "cast_by": "silence"}


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
    found = {name: (said.value, said.rule) for (kind, name), said in law.fields.items() if kind == "ballot"}
    assert found == {
        "silence": ("for", 105),
        "debate": (2, 105),
        "closes_after": (3, 201),
        "resubmissions": (1, 202),
        "abstention": ("counts", 205),
    }


def test_a_vote_is_judged_by_the_law_of_its_decision_and_before_its_own_effect() -> None:
    everyone = "```yaml rule\nprovisions:\n  ballot: {everyone_votes: true}\n```"
    made = game().proposal(301, "02-02", f"## Amend Rule 105/0\n\n{everyone}\n\nAll of them.", "fff.")
    made.proposal(302, "02-03", NEW, "fff.")
    assert made.told() == [
        "vote-missing proposals/302.md:8:1: adopted without the votes of wren; Rule 105 demands every vote (Rule 105)"
    ]


# Who may vote


def test_a_bot_never_votes_and_a_dummy_only_by_law() -> None:
    made = game().player("hal", kind="bot").player("seat", kind="dummy")
    assert told(made, "ff..", more={"hal": "for", "seat": "for"}) == [
        "voter-unknown proposals/301.md:11:3: hal voted, and was no eligible voter on 2026-02-01",
        "voter-unknown proposals/301.md:12:3: seat voted, and was no eligible voter on 2026-02-01",
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
    assert (found.eligible, found.players) == (("osprey", "quill", "tallow"), ("osprey", "quill", "tallow", "wren"))
    # Who wakes up while the vote goes on may vote.
    assert told(made, "ff.a", decided=day("02-02")) == []
    assert tally(made, "ff.a", decided=day("02-02")).against == ("wren",)


def test_who_breaks_ties_is_in_no_electorate() -> None:
    made = game({"tie_break": {"by": "wren"}})
    found = tally(made, "ffa.")
    assert (found.eligible, found.missing, found.tie_break) == (("osprey", "quill", "tallow"), (), None)


@given(st.sampled_from(["person", "bot", "dummy"]), st.booleans(), st.booleans(), st.booleans())
def test_the_electorate_is_never_larger_than_the_players(kind: str, active: bool, dummy: bool, breaks: bool) -> None:
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
    assert (die_of(records.players["seat"], found) is not None) == (breaks or (kind == "dummy" and dummy))


# Debate and resubmission


def test_a_vote_opens_after_the_debate() -> None:
    made = game({"debate": "3"})
    assert told(made, "ffff", opened=day("02-04"), decided=day("02-04")) == []
    assert told(made, "ffff", opened=day("02-03"), decided=day("02-05")) == [
        "debate-short proposals/301.md:6:9: the vote opened on 2026-02-03; Rule 105 leaves 3 days for debate, "
        "until 2026-02-04 (Rule 105)"
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
def test_a_debate_is_too_short_only_where_that_is_certain(date: str, opened: str, short: bool) -> None:
    found = told(game({"debate": "3"}), "ffff", date=day(date), opened=day(opened), decided=day("02-09"))
    assert [one.split()[0] for one in found] == ["debate-short"] * short


def test_the_debate_is_judged_by_the_law_at_the_opening() -> None:
    body = "## Amend Rule 105/0\n\n```yaml rule\nprovisions:\n  ballot: {debate: 9}\n```\n\nTalk."
    made = game({"debate": "1"}).proposal(301, "02-01", body, opened=day("02-02"), decided=day("02-06"))
    made.proposal(302, "02-02", NEW, opened=day("02-04"), decided=day("02-08"))
    assert made.told() == []
    made.proposal(303, "02-05", NEW, opened=day("02-07"), decided=day("02-20"))
    assert [one.split(" the ")[0] for one in made.told()] == ["debate-short proposals/303.md:6:9:"]


def test_an_opening_that_is_left_out_was_not_after_the_decision() -> None:
    made = game({"debate": "3", "resubmissions": "0"})
    assert told(made, "ffff", opened=None, decided=day("02-04")) == []
    earlier = [{"votes": {"wren": "for"}}]
    assert told(made, "ffff", opened=None, decided=day("02-03"), earlier=earlier) == [
        "debate-short proposals/301.md:6:10: adopted on 2026-02-03; Rule 105 leaves 3 days for debate, "
        "until 2026-02-04 (Rule 105)",
        "resubmissions-many proposals/301.md:13:3: put to the vote again 1 time; Rule 105 allows 0 (Rule 105)",
    ]


def test_a_proposal_is_resubmitted_so_often() -> None:
    earlier = [{"opened": day("01-20"), "votes": {"wren": "for"}}, {"opened": day("01-25"), "votes": {"wren": "for"}}]
    assert told(game({"resubmissions": "2"}), "ffff", earlier=earlier) == []
    assert told(game(), "ffff", earlier=earlier) == []
    assert told(game({"resubmissions": "1"}), "ffff", earlier=earlier) == [
        "resubmissions-many proposals/301.md:14:3: put to the vote again 2 times; Rule 105 allows 1 (Rule 105)"
    ]
    made = game({"resubmissions": "0"}).proposal(301, "02-01", NEW, "f...", "open", earlier=earlier[:1])
    assert made.told("02-02") == [
        "resubmissions-many proposals/301.md:10:3: put to the vote again 1 time; Rule 105 allows 0 (Rule 105)"
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
        f"vote-late proposals/301.md:12:3: wren voted on {day(at)}; the vote closed on {day(opened).plus(3)} (Rule 105)"
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
def test_a_decision_is_early_only_where_that_is_certain(opened: str | None, decided: str, early: bool) -> None:
    made = game({"closes_after": "3"})
    matter: dict[str, Any] = {"date": day("02-01"), "opened": opened and day(opened), "decided": day(decided)}
    found = made.proposal(301, "02-01", NEW, "fff.", **matter).told()
    closes = day(opened or "02-01").plus(3)
    line = 7 if opened else 6
    shown = (
        f"vote-early proposals/301.md:{line}:10: adopted on {day(decided)} without the votes of wren, "
        f"who could vote until {closes} (Rule 105)"
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
def test_silence(mode: str, for_: Any, against: Any, missing: tuple[str, ...], adopted: bool, everyone: str) -> None:
    law = {"silence": mode, "closes_after": "3", "everyone_votes": everyone}
    found = tally(game(law), "ff..", decided=day("02-04"))
    silence = () if mode == "ignored" else ("tallow", "wren")
    assert (found.for_, found.against, found.missing, found.silent) == (for_, against, missing, silence)
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
    for law in ({"silence": "waits", "closes_after": "3"}, {"everyone_votes": "true", "closes_after": "3"}):
        made = game(law).proposal(301, "02-01", NEW, "fff.", decided=day("02-20"))
        assert [one.split(": ")[0] for one in made.told()] == ["vote-missing proposals/301.md:8:1"]
        last = {"wren": {"vote": "against", "at": day("02-20")}}
        assert told(game(law), "fff.", more=last, decided=day("02-20")) == []


def test_without_a_word_on_silence_a_missing_vote_is_none() -> None:
    found = tally(game(), "ff..")
    assert (found.missing, found.silent, found.may_end, found.adopted) == (("tallow", "wren"), (), True, False)


@pytest.mark.parametrize(
    ("mode", "vote", "message"),
    [
        ("for", "for", ""),
        ("against", "against", ""),
        ("for", "against", "wren's silence counts as a vote for, and a vote against is recorded"),
        ("for", "abstain", "wren's silence counts as a vote for, and no vote is recorded"),
        ("ignored", "for", "wren's silence is no vote, and a vote for is recorded"),
        ("waits", "against", "wren's silence holds the vote open, and a vote against is recorded"),
    ],
)
def test_recorded_silence_is_what_the_law_makes_of_it(mode: str, vote: str, message: str) -> None:
    found = told(game({"silence": mode}), "fff.", more={"wren": silent(vote)}, author="quill")
    assert found == ([f"vote-unlawful proposals/301.md:12:3: {message} (Rule 105)"] if message else [])
    if mode in ("for", "against"):
        assert tally(game({"silence": mode}), "fff.", more={"wren": silent(vote)}, author="quill").silent == ("wren",)


def test_silence_that_no_rule_speaks_of() -> None:
    assert told(game(), "fff.", more={"wren": silent("for")}) == [
        "vote-unlawful proposals/301.md:12:3: wren's silence is no vote, and a vote for is recorded"
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
    base, words = bases[mode, of], {"eligible": "eligible voters", "cast": "votes cast", "players": "all players"}[of]
    needed = {3: "2", 4: "2.67"}[base]
    assert condition.arithmetic == f"2 for; at least 2/3 of {words} ({base}): {needed} needed"
    assert condition.met == (base == 3)
    assert told(made, "ffa-") == []


def test_a_forbidden_abstention() -> None:
    message = "vote-unlawful proposals/301.md:12:3: wren abstained:"
    assert told(game({"abstention": "forbidden"}), "fff-") == [f"{message} an abstention is not allowed (Rule 105)"]
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
    assert (found.for_, found.against, found.silent) == (("osprey", "quill", "wren"), ("tallow",), ("tallow",))
    recorded = {"tallow": silent("against"), "wren": silent("for")}
    assert told(made, "ff..", more=recorded) == []
    assert tally(made, "ff..", more=recorded) == found
    assert told(made, "ff..", more={"wren": silent("against")}) == [
        "vote-unlawful proposals/301.md:11:3: wren's silence counts as a vote for, and a vote against is recorded "
        "(Rule 105)"
    ]


# Ties

HAL = {"tie_break": {"by": "hal", "die": "3", "for": ["1"], "against": ["2"]}}


@pytest.mark.parametrize(
    ("votes", "face", "vote", "arithmetic", "adopted"),
    [
        ("ffaa", 1, "for", "3 for; more than half of eligible voters (5): more than 2.5 needed", True),
        ("ffaa", 2, "against", "2 for; more than half of eligible voters (5): more than 2.5 needed", False),
        ("ffaa", 3, "abstain", "2 for; more than half of eligible voters (4): more than 2 needed", False),
        ("f-a-", 1, "for", "2 for; more than half of eligible voters (5): more than 2.5 needed", False),
    ],
)
def test_a_tie_is_broken_by_die(votes: str, face: int, vote: str, arithmetic: str, adopted: bool) -> None:
    made = game(HAL).player("hal", kind="bot")
    found = tally(made, votes, more={"hal": by_die(vote, face)})
    assert (found.tie_break, [one.arithmetic for one in found.conditions], found.adopted) == (
        "hal",
        [arithmetic],
        adopted,
    )
    assert found.eligible == ("osprey", "quill", "tallow", "wren")
    assert told(made, votes, more={"hal": by_die(vote, face)}) == []


def test_a_vote_that_breaks_a_tie_joins_the_votes_cast() -> None:
    made = game(HAL, {"needs": "majority", "of": "cast"}).player("hal", kind="bot")
    for face, vote, cast in ((1, "for", 5), (2, "against", 5), (3, "abstain", 4)):
        (condition,) = tally(made, "ffaa", more={"hal": by_die(vote, face)}).conditions
        assert f"votes cast ({cast})" in condition.arithmetic


@pytest.mark.parametrize("votes", ["fffa", "----", "faaa"])
def test_no_tie_no_vote(votes: str) -> None:
    made = game(HAL).player("hal", kind="bot")
    assert tally(made, votes, more={"hal": by_die("for", 1)}).tie_break is None
    assert told(made, votes, more={"hal": by_die("for", 1)}) == [
        "vote-unlawful proposals/301.md:13:3: hal votes only to break a tie, and there was none (Rule 105)"
    ]


def test_a_tie_is_none_while_somebody_is_waited_for() -> None:
    waits = game({**HAL, "everyone_votes": "true"}).player("hal", kind="bot")
    found = tally(waits, "fa..", status="open", more={"hal": by_die("for", 1)})
    assert (found.tie_break, found.for_, found.missing) == (None, ("osprey",), ("tallow", "wren"))
    for_all = game({**HAL, "silence": "for", "closes_after": "3"}).player("hal", kind="bot")
    assert tally(for_all, "fa..", "02-02", status="open", more={"hal": by_die("for", 1)}).tie_break is None
    # Decided too soon, and tied: that the others did not vote is the one thing wrong.
    assert [one.split(": ")[0] for one in told(waits, "fa..", more={"hal": by_die("for", 1)})] == [
        "vote-missing proposals/301.md:8:1"
    ]
    # Silence that is no vote is not waited for.
    ignored = game({**HAL, "silence": "ignored", "closes_after": "3"}, {"needs": "majority", "of": "cast"})
    ignored.player("hal", kind="bot")
    late = {"hal": {**by_die("for", 1), "at": day("02-06")}}
    assert tally(ignored, "fa..", more=late, decided=day("02-06")).tie_break == "hal"
    assert told(ignored, "fa..", more=late, decided=day("02-06")) == []


@pytest.mark.parametrize(
    ("vote", "message"),
    [
        ({"vote": "for"}, "hal votes by die, and no throw is recorded"),
        ({"vote": "for", "cast_by": "die"}, "hal votes by die, and no throw is recorded"),
        (by_die("for", 0), "a die of 3 sides does not show 0"),
        (by_die("for", 4), "a die of 3 sides does not show 4"),
        (by_die("against", 1), "a throw of 1 is a vote for, and a vote against is recorded"),
        (by_die("for", 3), "a throw of 3 is no vote, and a vote for is recorded"),
        (silent("for"), "hal votes only to break a tie, and silence breaks none"),
    ],
)
def test_a_die_that_breaks_a_tie_says_what_its_face_is(vote: Any, message: str) -> None:
    made = game(HAL).player("hal", kind="bot")
    assert told(made, "ffaa", more={"hal": vote}) == [f"vote-unlawful proposals/301.md:13:3: {message} (Rule 105)"]


def test_somebody_who_breaks_ties_without_a_die() -> None:
    made = game({"tie_break": {"by": "wren"}})
    found = tally(made, "ff.a")
    assert (found.for_, found.against, found.tie_break) == (("osprey", "quill"), (), None)
    assert told(made, "ff.a") == [
        "vote-unlawful proposals/301.md:11:3: wren votes only to break a tie, and there was none (Rule 105)"
    ]
    assert tally(made, "fa-f").tie_break == "wren"
    assert told(made, "fa-f") == []
    assert told(made, "fa-.", more={"wren": by_die("for", 1)}) == [
        "vote-unlawful proposals/301.md:12:3: wren votes by a die, and no rule lets wren do so"
    ]


def test_who_breaks_ties_and_does_not_play() -> None:
    assert told(game(HAL), "ffaa") == []
    found = told(game(HAL), "ffaa", more={"hal": by_die("for", 1)})
    assert found == ["voter-unknown proposals/301.md:13:3: hal voted, and there is no players/hal.yml"]
    gone = game(HAL).player("hal", kind="bot", left=day("01-20"))
    assert told(gone, "ffaa", more={"hal": by_die("for", 1)}) == [
        "voter-unknown proposals/301.md:13:3: hal voted, and was no eligible voter on 2026-02-01"
    ]


# Dummies


@pytest.mark.parametrize(
    ("vote", "message"),
    [
        (by_die("for", 4), ""),
        (by_die("against", 2), ""),
        (by_die("abstain", 3), ""),
        (by_die("for", 2), "a throw of 2 is a vote against, and a vote for is recorded"),
        (by_die("against", 7), "a die of 6 sides does not show 7"),
        ("for", "seat votes by die, and no throw is recorded"),
    ],
)
def test_a_dummy_votes_by_die(vote: Any, message: str) -> None:
    law = {"dummy": {"die": "6", "for": ["4", "5", "6"], "against": ["1", "2"]}, "everyone_votes": "true"}
    made = game(law).player("seat", kind="dummy")
    found = told(made, "ffaf", more={"seat": vote})
    assert found == ([f"vote-unlawful proposals/301.md:13:3: {message} (Rule 105)"] if message else [])


def test_a_dummy_that_breaks_ties_has_the_die_of_that() -> None:
    law = {"dummy": {"die": "6", "for": ["6"]}, "tie_break": {"by": "seat", "die": "2", "for": ["1"]}}
    made = game({"dummy": law["dummy"]}, r205={"ballot": {"tie_break": law["tie_break"]}}).player("seat", kind="dummy")
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
    made = game({**HAL, "everyone_votes": "true"}, {"needs": "majority", "of": "cast"}).player("hal", kind="bot")
    assert tally(made, "fa..", status="open").fewest == 2
    assert tally(made, "fa..", status="open", more={"hal": by_die("for", 1)}).fewest == 1
    assert tally(made, "ffaa", status="open").fewest == 1
    assert tally(made, "ffaa", status="open", more={"hal": by_die("against", 2)}).fewest is None
    # Where nobody is there to break it, it stays a tie.
    assert tally(game(HAL), "ffaa", status="open").fewest is None


BASES = st.sampled_from(["eligible", "cast", "players"])
NEEDS = st.sampled_from(["unanimous", "majority", "two-thirds", {"at_least": "2"}, {"more_than": "1/4"}])


@settings(max_examples=120, deadline=None)
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
    waiting = [index for index, vote in enumerate(votes) if vote == "." and not (author and index == 3)]
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
        if not breaks and broken.tie_break and broken.adopted:
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
