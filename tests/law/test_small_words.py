"""The places and words of findings that nothing else asks for: each was found by changing the code
in a small way.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from nomicgen.files.game_files import read_game
from nomicgen.law.kind import DayCount
from nomicgen.law.reading import parse_provisions
from nomicgen.law.replay.state import Rule
from nomicgen.law.sentences import sentences
from nomicgen.model.findings import Finding
from tests.law.test_told import unrecorded, whole
from tests.ledger import UNANIMOUS, Ledger, day

PLAIN: dict[int, dict[str, Any]] = {101: {}, 201: {}, 203: UNANIMOUS}
TEA = "## Enact Rule: Tea\n\nThere is tea."


def found(ledger: Ledger, slug: str, until: str = "12-31") -> Finding:
    """The one finding of a slug, once `rules/` is applied."""
    (finding,) = [one for one in ledger.applied(until).findings(until) if one.slug == slug]
    return finding


def line_of(ledger: Ledger, path: str, begins: str) -> int:
    """The line of a file that begins so."""
    lines = ledger.tree[path].decode().split("\n")
    return 1 + next(at for at, line in enumerate(lines) if line.startswith(begins))


def test_days_are_counted() -> None:
    assert [str(DayCount(number)) for number in (0, 1, 7)] == ["0 days", "1 day", "7 days"]


def test_whose_proposals_a_turn_has() -> None:
    said = [
        " ".join(
            sentences(parse_provisions({"turns": {"proposals": number, "own_turn": own}}, None)[0])
        )
        for number in (1, 3)
        for own in (True, False)
    ]
    assert ["its player's" in words for words in said] == [True, False, True, False]


def test_a_judge_who_does_not_play_is_found_at_their_name() -> None:
    ledger = Ledger.start({**PLAIN, 212: {"judgements": {"judge": "anyone"}}})
    ledger.player("quill", left=day("01-20")).judgement(1, "02-01", "Is tea a drink?")
    finding = found(ledger, "judge-wrong")
    assert finding.span.line == line_of(ledger, "judgements/1.md", "judge:")


def test_a_role_that_two_hold_is_told_with_both() -> None:
    ledger = Ledger.start({**PLAIN, 212: {"judgements": {"judge": {"role": "umpire"}}}})
    for ident in ("osprey", "tallow"):
        ledger.player(ident, roles=[{"role": "umpire", "since": day("01-01")}])
    ledger.judgement(1, "02-01", "Is tea a drink?")
    assert found(ledger, "judge-wrong").message.endswith(
        "the judge is an umpire, that is osprey or tallow"
    )


def test_what_to_do_where_a_judgement_was_overruled_too_late() -> None:
    ledger = Ledger.start({**PLAIN, 212: {"judgements": {"judge": "anyone", "overruled_until": 3}}})
    ledger.judgement(1, "02-01", "Is tea a drink?", status="overruled", overruled=day("02-20"))
    finding = found(ledger, "overruling-wrong")
    assert finding.help == "bring `status: upheld` back and delete `overruled`, or correct its day"


def test_of_lost_texts_every_instruction_is_counted() -> None:
    lost = "## Amend Rule 201/0\n\n```yaml rule\ntext: lost\n```"
    ledger = Ledger.start(PLAIN).proposal(
        301, "02-01", f"## Retitle Rule 101/0: Fair\n\n{lost}\n\n{TEA}"
    )
    assert (
        found(ledger, "text-lost").message
        == "the texts of 1 of 5 revisions are lost, so replay proves 4"
    )


def test_what_is_due_and_not_applied_is_found_at_its_status() -> None:
    ledger = Ledger.start(PLAIN).applied()
    ledger.proposal(301, "02-01", TEA)
    (finding,) = [one for one in ledger.findings() if one.slug == "not-applied"]
    assert finding.span.line == line_of(ledger, "proposals/301.md", "status:")


def test_a_turn_that_ended_before_it_began() -> None:
    ledger = Ledger.start(PLAIN).turn("R1T1", "osprey", "02-05", "02-01")
    finding = found(ledger, "dates-disorder")
    assert finding.message == "ended on 2026-02-01, before it began on 2026-02-05"
    assert finding.span.line == line_of(ledger, "turns/R1T1.yml", "ended:")


def test_only_turns_before_the_first_that_was_recorded_are_known_to_an_archive() -> None:
    ledger = Ledger.start({101: {}, 201: {}})
    ledger.turn("R2T1", "osprey", "02-01", "02-02").turn("R2T3", "quill", "02-03", "02-04")
    ledger.proposal(301, "01-20", TEA, turn="R1T4").proposal(302, "02-02", TEA, turn="R2T2")
    finding = found(ledger, "reference-unknown")
    assert (finding.span.file, finding.message) == (
        "proposals/302.md",
        "there is no turns/R2T2.yml",
    )


def test_two_votes_with_one_token() -> None:
    ledger = Ledger.start(PLAIN).proposal(301, "02-01", TEA, ballot="a000000001")
    ledger.proposal(302, "02-02", TEA, ballot="a000000001")
    finding = found(ledger, "ballot-doubled")
    assert finding.message == "a vote on Proposal 301 already had the token a000000001"
    assert finding.span.line == line_of(ledger, "proposals/302.md", "ballot:")


def test_what_lies_in_the_future_is_found_at_its_day() -> None:
    ledger = Ledger.start(PLAIN).proposal(
        301, "06-01", TEA, status="debate", votes="....", opened=None
    )
    finding = found(ledger, "date-future", until="02-01")
    assert finding.span.line == line_of(ledger, "proposals/301.md", "date:")


def test_an_overtaken_proposal_that_is_decided_asks_for_nothing() -> None:
    ledger = Ledger.start(PLAIN).proposal(301, "02-01", "## Repeal Rule 201/0")
    ledger.proposal(
        302, "02-02", "## Amend Rule 201/0\n\nAnother.", opened=day("02-01"), date=day("02-01")
    )
    finding = found(ledger, "change-overtaken")
    assert finding.span.file == "proposals/302.md"
    assert finding.help.startswith("nothing; if you still want the change")


def test_what_happens_to_seats_and_proposals_is_said_in_words() -> None:
    ledger = Ledger.start(PLAIN).player(
        "quill", inactive=[{"since": day("02-01"), "until": day("02-10")}]
    )
    ledger.proposal(
        301, "02-20", TEA, status="withdrawn", votes="....", opened=None, decided=day("02-21")
    )
    _, played = ledger.play()
    said = [effect.words for effect in played.effects]
    assert {"quill rests", "quill returns", "Proposal 301: withdrawn"} <= {*said}


def test_an_act_without_leave_is_refused() -> None:
    _, played = (
        Ledger.start({**PLAIN, 205: {"authority": {"by": "judgement"}}})
        .act("a", "02-01", TEA)
        .play()
    )
    assert [step.outcome for step in played.steps] == ["refused"]


# What the replay does not look for, or does not look for again, is what it would have found.


def test_an_amended_rule_is_the_same_but_for_its_text() -> None:
    rule = Rule(
        identity=1,
        number=203,
        revision=1,
        tier="mutable",
        text="Old.",
        title="Tea",
        section="Drinks",
        provisions={"effect": "at-once"},
        defines=("tea",),
        unread=("Old.",),
        void=True,
        note="steep",
    )
    assert rule.amended("Old.", 1) == rule
    amended = rule.amended(None, 2)
    # A passage goes with its text.
    assert (amended.text, amended.revision, amended.unread) == (None, 2, ())
    assert replace(amended.amended("Old.", 1), unread=("Old.",)) == rule
    assert amended.law is rule.law


@pytest.mark.parametrize("seed", [1, 2])
def test_instruments_are_given_by_number_whatever_they_were_read_in(seed: int) -> None:
    keys = "status: adopted\ndecided: 2026-02-01\nvotes: unrecorded\n"
    paths = [
        *(f"proposals/{number}.md" for number in (2, 10, 9)),
        "proposals/zeal.md",
        "proposals/draft.md",
    ]
    tree = dict.fromkeys(paths[3:], b"---\nstatus: draft\n---\n\nWords.\n")
    tree |= {
        path: f"---\nnumber: {path[10:-3]}\n{keys}---\n\nWords.\n".encode() for path in paths[:3]
    }
    tree["acts/tea.md"] = b"---\ncause: Tea\ndate: 2026-02-01\n---\n\nWords.\n"
    mixed = [*tree.items()]
    Random(seed).shuffle(mixed)
    records, _ = read_game({"nomic.yml": b"format: 1\nname: Tea\n", **dict(mixed)})
    names = ["2", "9", "10", "draft", "zeal"]
    assert [one.path for one in records.of_kind("proposal")] == [
        f"proposals/{name}.md" for name in names
    ]
    assert [one.path for one in records.of_kind("act")] == ["acts/tea.md"]
    assert records.of_kind("judgement") == ()


# Where a finding stands that is seldom told, and what it says to do.


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
    made = Ledger.start({203: UNANIMOUS}).proposal(
        301, "02-01", "## Enact Rule\n\nNew.", "....", more=late
    )
    (place, message, _), *_ = whole(made, "dates-disorder")
    line = made.tree["proposals/301.md"].decode().split("\n").index("    at: 2026-02-03") + 1
    assert (place, message) == (
        f"proposals/301.md:{line}:9",
        "osprey voted on 2026-02-03, after the vote",
    )


def test_a_vote_that_opens_in_the_future_is_told_at_its_day() -> None:
    made = Ledger.start({203: UNANIMOUS}).proposal(
        301, "02-05", "## Enact Rule\n\nNew.", "....", "open", date=None
    )
    line = made.tree["proposals/301.md"].decode().split("\n").index("opened: 2026-02-05") + 1
    assert whole(made, "date-future", "02-01") == [
        (
            f"proposals/301.md:{line}:9",
            "opened on 2026-02-05, which is after 2026-02-01",
            "correct `opened`",
        )
    ]


def test_a_tier_that_a_provision_leads_into_is_told_at_its_key() -> None:
    wrong = {
        "adoption": {
            "to": ["transmute"],
            "into": ["sacred"],
            "needs": "unanimous",
            "of": "eligible",
        }
    }
    made = Ledger.start({203: wrong})
    assert [one[:2] for one in whole(made, "provision-wrong")] == [
        (
            "rules/initial/203.md:6:37",
            "adoption.into sacred is no tier of this game (nomic.yml has immutable, mutable)",
        )
    ]


def test_a_rule_that_is_no_more_is_told_from_one_that_never_was() -> None:
    made = Ledger.start({203: UNANIMOUS, 204: {}}).proposal(301, "02-01", "## Repeal Rule 204/0")
    made.proposal(302, "02-02", "## Repeal Rule 204/0").proposal(
        303, "02-03", "## Repeal Rule 299/0"
    )
    assert [one[1] for one in whole(made, "rule-unknown")] == [
        "there is no Rule 204 any more: it was repealed",
        "there is no Rule 299",
    ]
