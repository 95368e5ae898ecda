"""Corrections that restate a recorded field: what each may say, and how they follow each other."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ledger import PLAYERS, Ledger, day
from tests.worked import cases_in, told_of

ENACT = "## Enact Rule\n\nA lamp burns."
SEEN = "https://example.org/vote"


def game() -> Ledger:
    made = Ledger.start({203: {"adoption": {"needs": "majority", "of": "eligible"}}})
    made.proposal(
        301,
        "02-01",
        ENACT,
        votes="fffa",
        points=[{"player": "wren", "amount": 3, "reason": "a poem"}],
    )
    return made.turn("R1T1", "wren", "01-02", "01-09", dice=[4, 6])


def restated(
    made: Ledger, *entries: dict[str, Any], name: str = "fix", on: str = "03-01", **matter: Any
) -> Ledger:
    whole = [{"file": "proposals/301.md", "evidence": SEEN, **one} for one in entries]
    return made.act(name, on, "", **{"cause": "correction", "restates": whole, **matter})


def said(made: Ledger) -> list[str]:
    return [
        one.message for one in made.findings() if one.is_error and not one.slug.startswith("rules-")
    ]


@pytest.mark.parametrize(
    "entry",
    [
        {"key": "votes.wren", "was": "for", "now": "against"},
        {"key": "votes.wren.vote", "was": "for", "now": "against"},
        {"key": "votes.tallow", "now": "for"},
        {"key": "votes.wren.at", "was": "2026-02-01"},
        {"key": "decided", "was": "2026-02-03", "now": "2026-02-01"},
        {"key": "points.0.amount", "was": "2", "now": "3"},
        {"key": "dice.1", "was": "5", "now": "6", "file": "turns/R1T1.yml"},
        {"key": "dice.1", "was": "5", "file": "turns/R1T1.yml"},
        {"key": "ended", "was": "2026-01-10", "now": "2026-01-09", "file": "turns/R1T1.yml"},
        {"key": "joined", "was": "2026-01-05", "now": "2026-01-01", "file": "players/wren.yml"},
    ],
)
def test_a_recorded_field_is_what_its_correction_says(entry: dict[str, Any]) -> None:
    assert said(restated(game(), entry)) == []


@pytest.mark.parametrize(
    ("entry", "wrong"),
    [
        (
            {"key": "votes.wren", "was": "against", "now": "for"},
            "`votes.wren` of proposals/301.md is `against`, but this correction says `for`",
        ),
        (
            {"key": "votes.tallow.at", "was": "2026-02-01", "now": "2026-02-02"},
            "`votes.tallow.at` of proposals/301.md is not there, but this correction says "
            "`2026-02-02`",
        ),
        (
            {"key": "votes.wren", "was": "for"},
            "`votes.wren` of proposals/301.md is `against`, but this correction says not there",
        ),
        (
            {"key": "decided", "now": "2026-02-01", "file": "proposals/399.md"},
            "proposals/399.md is not there, so there is nothing to correct in it",
        ),
    ],
)
def test_what_a_correction_cannot_say(entry: dict[str, Any], wrong: str) -> None:
    assert said(restated(game(), entry)) == [wrong]


@pytest.mark.parametrize(
    "key",
    [
        *(
            "status",
            "number",
            "author",
            "digest",
            "seq",
            "title",
            "turn",
            "note",
            "votes",
            "earlier.0.digest",
        ),
        *(
            "dice",
            "dice.x",
            "points.0",
            "votes.wren.at.x",
            "restates.0.now",
            "player",
            "order",
            "text",
            "decided.0",
            "",
        ),
    ],
)
def test_only_what_was_recorded_may_be_restated(key: str) -> None:
    found = restated(game(), {"key": key, "was": "a", "now": "b"}).findings()
    assert "value-wrong" in [one.slug for one in found if one.span.file == "acts/fix.md"]


def test_only_a_correction_restates() -> None:
    made = restated(game(), {"key": "votes.wren", "was": "for", "now": "against"}, cause="A slip")
    (found,) = [one for one in made.findings() if one.is_error]
    assert (found.slug, found.help) == (
        "value-wrong",
        "it should stand in an act that says `cause: correction`",
    )


@pytest.mark.parametrize("evidence", ["", "  "])
def test_a_correction_says_where_it_can_be_seen(evidence: str) -> None:
    made = restated(
        game(), {"key": "votes.wren", "was": "for", "now": "against", "evidence": evidence}
    )
    assert [(one.slug, one.help) for one in made.findings() if one.is_error][:1] == [
        ("value-wrong", "it should say where to see it: an address, or a description")
    ]


def test_what_is_not_decided_is_not_corrected() -> None:
    made = game().proposal(302, "02-02", "## Enact Rule\n\nOpen.", votes="ff..", status="open")
    wrong = "proposals/302.md is not decided, so there is nothing to correct in it"
    assert said(
        restated(made, {"key": "votes.quill", "now": "for", "file": "proposals/302.md"})
    ) == [wrong]


def test_corrections_of_one_key_follow_each_other() -> None:
    made = restated(game(), {"key": "votes.wren", "was": "for"}, name="one", on="02-20")
    assert said(restated(made, {"key": "votes.wren", "now": "against"}, name="two")) == []
    broken = restated(
        game(), {"key": "votes.wren", "was": "for", "now": "abstain"}, name="one", on="02-20"
    )
    assert said(
        restated(broken, {"key": "votes.wren.vote", "was": "for", "now": "against"}, name="two")
    )[:1] == [
        "this says that `votes.wren` of proposals/301.md was `for`, and the correction before it "
        "made it `abstain`"
    ]


def test_the_replay_has_every_correction_in_the_order_of_the_ledger() -> None:
    made = restated(
        game(), {"key": "votes.wren", "was": "abstain", "now": "against"}, name="a", on="03-02"
    )
    made = restated(
        made, {"key": "votes.wren", "was": "for", "now": "abstain"}, name="b", on="03-01"
    )
    one, other = made.play()[1].corrections
    assert (one.file, one.key, one.was, one.now, one.evidence, one.act, one.moment) == (
        *("proposals/301.md", "votes.wren", "for", "abstain", SEEN, "acts/b.md"),
        day("03-01"),
    )
    assert (other.act, other.was, other.now) == ("acts/a.md", "abstain", "against")
    assert said(made) == []


def test_a_correction_that_restores_a_text_is_of_its_day_and_changes_nothing() -> None:
    made = game().act("fix", "03-01", "## Amend Rule 203/0\n\nThe text of 203.", cause="correction")
    *_, step = made.play()[1].steps
    assert (step.instrument.path, step.effective, step.outcome) == (
        "acts/fix.md",
        day("03-01"),
        "applied",
    )
    assert (step.changes, step.after is step.before) == ((), True)


def test_an_outcome_that_the_votes_no_longer_give_stays_red() -> None:
    made = game().proposal(302, "02-02", "## Enact Rule\n\nA bell.", votes="faaa")
    entries = [{"key": f"votes.{who}", "was": "for", "now": "against"} for who in PLAYERS[1:]]
    made = restated(made, *({**one, "file": "proposals/302.md"} for one in entries))
    assert made.slugs() == ["votes-few"]


def test_what_a_file_says_is_told_flat() -> None:
    made = game().proposal(
        301, "02-01", ENACT, more={"wren": {"vote": "for", "at": day("02-01")}}, seq=0
    )
    records, _ = made.play()
    told = records.instruments["proposals/301.md"].matter.fields()
    assert (told["votes.wren"], told["votes.wren.at"], told["votes.quill"]) == (
        "for",
        "2026-02-01",
        "for",
    )
    assert "seq" not in told
    assert "votes.wren.cast_by" not in told
    unrecorded = Ledger.start({}).file(
        "proposals/1.md", "---\nnumber: 1\nstatus: adopted\nvotes: unrecorded\n---\n"
    )
    assert (
        unrecorded.play()[0].instruments["proposals/1.md"].matter.fields()["votes"] == "unrecorded"
    )


WRONG = r"""
- case: "A correction restates what is not settled, or nowhere; another contradicts it."
  provisions: {}
  proposals: {301: {on: 01-02, votes: ffff}, 302: {on: 01-02, status: open, votes: f...}}
  files:
    acts/a.md:
      cause: correction
      date: 2026-02-01
      restates:
        - {file: proposals/302.md, key: votes.wren, was: for, evidence: "https://example.org"}
        - {file: proposals/309.md, key: votes.wren, was: for, evidence: "https://example.org"}
        - file: proposals/301.md
          key: votes.wren
          was: for
          now: against
          evidence: "https://example.org"
    acts/b.md:
      cause: correction
      date: 2026-02-02
      restates:
        - file: proposals/301.md
          key: votes.wren
          was: for
          now: abstain
          evidence: "https://example.org"
  gives: |
    correction-wrong acts/a.md:6:10
      proposals/302.md is not decided, so there is nothing to correct in it
      > name a file that is settled, such as proposals/305.md
    correction-wrong acts/a.md:10:10
      proposals/309.md is not there, so there is nothing to correct in it
      > name a file that is settled, such as proposals/305.md
    correction-wrong acts/b.md:6:10
      this says that `votes.wren` of proposals/301.md was `for`, and the correction before it
        made it `against`
      > say in `was` what acts/a.md says in `now`; acts follow each other by `date` and `seq`
    correction-wrong acts/b.md:6:10
      `votes.wren` of proposals/301.md is `for`, but this correction says `abstain`
      > write into the file what `now` says, or correct `now`
- case: A correction does more than it may.
  provisions: {}
  files:
    acts/a.md:
      cause: correction
      date: 2026-02-01
      points: [{player: wren, amount: 1, reason: rain}]
      does: |-
        ## Amend Rule 203/0

        Other.
  gives: |
    correction-changes acts/a.md:5:5
      a correction gives no points
      > points that were recorded wrongly are mended in their file, with `restates` here;
        others are given by an act with a `cause` of its own, and `by`
    correction-changes acts/a.md:10:1
      Amend Rule 203/0: a correction may only restore the text that the ledger gives
      > give the act another `cause` and the rule that allows it (`under: N`), or put the
        change to the vote as a proposal
- case: "A number is listed as lost, and there."
  settings: {lost: {proposals: [300, 301]}}
  provisions: {}
  proposals: {301: {on: 01-02}}
  gives: |
    proposals-lost nomic.yml:5:14
      2 proposals did not survive: 300, 301
      > if one turns up, add its file and delete its number from `lost`
    number-doubled nomic.yml:5:22
      proposal 301 is listed as lost, but proposals/301.md exists
      > delete 301 from `lost`
- case: "Players have one account, and one name, at the same time."
  until: 01-20
  provisions: {}
  players: {quill: {left: 2026-02-01, accounts: {github: feather}}}
  files: {players/lark.yml: {name: quill, joined: 2026-01-15, accounts: {github: Feather}}}
  gives: |
    name-doubled players/lark.yml:1:7
      quill plays under that name too
      > give each player their own name, or write when one of the two `left`
    account-doubled players/lark.yml:4:11
      quill has that account on github already, so no vote from it could count
      > give each player their own account, or write when one of the two `left`
- case: Days of proposals are out of order.
  provisions: {}
  files:
    proposals/301.md:
      number: 301
      author: wren
      date: 2026-01-05
      status: open
      opened: 2026-01-03
      decided: 2026-01-02
      votes: {wren: for}
      digest: eea44300f524fdf943d877aada6b4d9de031dcc40667cf9578ac547f991e6f18
      does: "## Enact Rule\n\nNew."
  gives: |
    status-incomplete proposals/301.md:5:9
      open, and decided on 2026-01-02
      > correct `status` or delete `decided`
    dates-disorder proposals/301.md:6:9
      opened on 2026-01-03, before `date` on 2026-01-05
      > correct `opened` or `date`: a proposal is put forward, then opened, then decided
    dates-disorder proposals/301.md:7:10
      decided on 2026-01-02, before `opened` on 2026-01-03
      > correct `decided` or `opened`: a proposal is put forward, then opened, then decided
- case: An id looks like another.
  provisions: {}
  files: {players/tal1ow.yml: {name: Lark, joined: 2026-01-02}}
  gives: |
    name-alike players/tal1ow.yml:1:7
      tallow already has an id that looks like tal1ow's
      > let one of the two play under another name, so that nobody mistakes one for the other
"""


@pytest.mark.parametrize("case", cases_in(WRONG))
def test_what_is_told_of_corrections(case: Any) -> None:
    assert told_of(case) == case["gives"]
