"""Where a finding stands that is seldom told, and what it says to do."""

from __future__ import annotations

from tests.law.test_told import unrecorded, whole
from tests.ledger import UNANIMOUS, Ledger, day


def test_what_takes_effect_before_the_game_began() -> None:
    body = "## Enact Rule\n\nNew."
    made = Ledger.start({203: UNANIMOUS}).proposal(301, "02-01", body, effective=day("2025-12-31"))
    assert whole(made, "dates-disorder")[0] == (
        "proposals/301.md:13:12",
        "effective on 2025-12-31, before the game started on 2026-01-01",
        "correct `effective`, or `started` in nomic.yml",
    )


def test_a_judgement_that_did_not_survive_is_told_where_it_is_said_to_be_lost() -> None:
    made = Ledger.start({203: UNANIMOUS}, lost={"proposals": [301], "judgements": [1, 2]})
    assert [one[:2] for one in whole(made, "proposals-lost")] == [
        ("nomic.yml:5:14", "1 proposal did not survive: 301"),
        ("nomic.yml:6:15", "2 judgements did not survive: 1, 2"),
    ]


def test_votes_that_go_unrecorded_after_others_were() -> None:
    made = Ledger.start({203: UNANIMOUS}).proposal(301, "02-01", "## Enact Rule\n\nNew.")
    made.file(*unrecorded(302, "date: 2026-02-02", "decided: 2026-02-02"))
    assert whole(made, "status-incomplete") == [
        (
            "proposals/302.md:4:9",
            "the votes are unrecorded, and those of Proposal 301 before it are recorded",
            "record the votes (`votes:`), each under its player's id",
        )
    ]


def test_a_vote_after_the_vote_is_told_at_its_day() -> None:
    late = {"osprey": {"vote": "for", "at": day("02-03")}}
    made = Ledger.start({203: UNANIMOUS}).proposal(301, "02-01", "## Enact Rule\n\nNew.", "....", more=late)
    (place, message, _), *_ = whole(made, "dates-disorder")
    line = made.tree["proposals/301.md"].decode().split("\n").index("    at: 2026-02-03") + 1
    assert (place, message) == (f"proposals/301.md:{line}:9", "osprey voted on 2026-02-03, after the vote")


def test_a_vote_that_opens_in_the_future_is_told_at_its_day() -> None:
    made = Ledger.start({203: UNANIMOUS}).proposal(301, "02-05", "## Enact Rule\n\nNew.", "....", "open", date=None)
    line = made.tree["proposals/301.md"].decode().split("\n").index("opened: 2026-02-05") + 1
    assert whole(made, "date-future", "02-01") == [
        (f"proposals/301.md:{line}:9", "opened on 2026-02-05, which is after 2026-02-01", "correct `opened`")
    ]


def test_a_tier_that_a_provision_leads_into_is_told_at_its_key() -> None:
    wrong = {"adoption": {"to": ["transmute"], "into": ["sacred"], "needs": "unanimous", "of": "eligible"}}
    made = Ledger.start({203: wrong})
    assert [one[:2] for one in whole(made, "provision-wrong")] == [
        ("rules/initial/203.md:6:37", "adoption.into sacred is no tier of this game (nomic.yml has immutable, mutable)")
    ]


def test_a_rule_that_is_no_more_is_told_from_one_that_never_was() -> None:
    made = Ledger.start({203: UNANIMOUS, 204: {}}).proposal(301, "02-01", "## Repeal Rule 204/0")
    made.proposal(302, "02-02", "## Repeal Rule 204/0").proposal(303, "02-03", "## Repeal Rule 299/0")
    assert [one[1] for one in whole(made, "rule-unknown")] == [
        "there is no Rule 204 any more: it was repealed",
        "there is no Rule 299",
    ]
