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
from nomicgen.law.replay.results import Rule
from nomicgen.law.sentences import sentences
from nomicgen.model.findings import Finding
from tests.law.test_told import unrecorded, whole
from tests.ledger import UNANIMOUS, Ledger, day
from tests.worked import cases_in, told_of

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
        == "the texts of 1 of 5 revisions are lost, so the program can check only the other 4"
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
    assert finding.help.startswith("nothing has to be done; if you still want the change")


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
    assert [step.outcome for step in played.steps] == ["failed"]


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


FILES = """\
- case: Files name what is not there.
  provisions: {}
  settings: {groups: {fixed: [immutable, stone]}}
  proposals: {301: {on: 01-02, votes: ffff, author: wrenn, turn: R9T9}}
  files:
    turns/R1T1.yml: {player: osprey, began: 2026-01-05}
    judgements/1.md:
      judge: wren
      date: 2026-01-03
      status: overruled
      overruled: 2026-01-04
      overruled_by: 7
      proposal: 310
      rules: [209]
      under: 210
  gives: |
    reference-unknown judgements/1.md:7:15
      there is no judgement 7
      > correct the name, or add what it names
    reference-unknown judgements/1.md:8:11
      there is no proposal 310
      > correct the name, or add what it names
    reference-unknown judgements/1.md:9:9
      there never was a Rule 209
      > correct the name, or add what it names
    reference-unknown judgements/1.md:10:8
      there never was a Rule 210
      > correct the name, or add what it names
    reference-unknown nomic.yml:5:22
      stone is no tier of this game
      > correct the name, or add what it names
    reference-unknown proposals/301.md:3:9
      there is no players/wrenn.yml
      > did you mean wren?
    reference-unknown proposals/301.md:13:7
      there is no turns/R9T9.yml
      > correct the name, or add what it names
- case: Judgements say half of their overruling.
  provisions: {}
  files:
    judgements/1.md: {judge: wren, date: 2026-01-03, status: overruled, overruled_by: [quill]}
    judgements/2.md: {judge: wren, date: 2026-01-03, status: upheld, overruled: 2026-01-02}
  gives: |
    status-incomplete judgements/1.md:5:9
      overruled, but no day in `overruled`
      > add `overruled: ` and the day
    status-incomplete judgements/2.md:5:9
      upheld, and overruled on 2026-01-02
      > correct `status`
    dates-disorder judgements/2.md:6:12
      overruled on 2026-01-02, before it was made on 2026-01-03
      > correct `overruled` or `date`
- case: Days and texts of votes are wrong.
  provisions: {}
  proposals:
    303:
      on: 01-02
      more: {wren: {vote: for, at: 2026-01-01}, quill: {vote: for, at: 2026-01-08}}
      votes: f.f.
    304:
      on: 01-02
      does: |-
        ## Amend Rule 203/0

        ```yaml rule
        text: lost
        ```
      status: open
      decided: 2026-01-04
    305: {on: 01-02, digest: 0000000000000000000000000000000000000000000000000000000000000000}
    306:
      on: 01-02
      digest: 0000000000000000000000000000000000000000000000000000000000000000
      status: open
  gives: |
    dates-disorder proposals/303.md:13:9
      wren voted on 2026-01-01, before the vote
      > a vote counts from when the vote opens to when it is decided: correct the day, or
        delete the vote
    dates-disorder proposals/303.md:16:9
      quill voted on 2026-01-08, after the vote
      > a vote counts from when the vote opens to when it is decided: correct the day, or
        delete the vote
    status-incomplete proposals/304.md:5:9
      votes were recorded on a text that is lost
      > bring back the text that was voted on: `git log -p` shows it
    text-lost proposals/304.md:16:1
      the texts of 1 of 8 revisions are lost, so the program can check only the other 7
      > if one turns up, delete its `text: lost`, and write it below the front matter, or
        below its instruction
    digest-differs proposals/305.md:12:9
      the instructions or `commences` changed after the vote opened
      > bring back the instructions that were voted on (`git diff proposals/305.md` shows a
        change that is not committed, `git log -p proposals/305.md` one that is); if the text
        is right and `digest` is wrong, write `digest:
        33fafc3f2fac8e45a23039959c1c5b70e0d99724400ada461810cda82d7e1e22`
    digest-differs proposals/306.md:11:9
      the instructions or `commences` changed after the vote opened
      > bring back the instructions that were voted on (`git diff proposals/306.md` shows a
        change that is not committed, `git log -p proposals/306.md` one that is), or vote
        again: `nomicgen proposal resubmit 306`
- case: A player has two roles of which a player has one at a time.
  provisions: {awards: {in: act, amount: 1, between: [cat, dog, cow]}}
  players: {wren: {roles: [{role: cat, since: 2026-01-01}, {role: dog, since: 2026-01-01}]}}
  gives: |
    dates-disorder players/wren.yml:4:3 (Rule 201)
      wren has the roles cat and dog; by Rule 201 a player has one of them at a time
      > end the one that the player gave up with `until`; `nomicgen player role` does so
- case: Votes have one token.
  provisions: {ballot: {edits: stand}}
  proposals:
    301: {on: 01-02, ballot: abcdefghjk}
    302: {on: 01-02, ballot: abcdefghjk}
    303: {on: 01-02, ballot: abcdefghjk, status: open}
  gives: |
    ballot-doubled proposals/302.md:12:9
      a vote on Proposal 301 already had the token abcdefghjk
      > bring back the token that it had (`git log -p` shows it)
    ballot-doubled proposals/303.md:11:9
      a vote on Proposal 301 already had the token abcdefghjk
      > delete it; then `nomicgen proposal resubmit 303` puts the proposal to the vote again
- case: "Numbers begin too low, and are out of order."
  provisions: {numbering: {first: 301}}
  proposals: {300: {on: 01-02}, 301: {on: 01-03}, 302: {on: 01-02}}
  gives: |
    number-wrong proposals/300.md:2:9 (Rule 201)
      proposals are numbered from 301, and this is 300
      > make it a draft again (proposals/NAME.md, without `number`): `nomicgen register NAME`
        gives the next number
    number-wrong proposals/302.md:4:7 (Rule 201)
      proposal 302 was put forward on 2026-01-02, before proposal 301 on 2026-01-03
      > numbers are given in the order in which proposals are put forward: correct number or
        date
- case: "A game begins with too many rules, and too few."
  provisions: {cap: {mutable: 2}, floor: {immutable: 2}}
  gives: |
    cap-exceeded rules/initial/201.md:1:1 (Rule 201)
      the game begins with 3 mutable rules; Rule 201 allows 2
      > begin with another number of rules, or let Rule 201 allow more
    floor-broken rules/initial/201.md:1:1 (Rule 201)
      the game begins with 1 immutable rule; Rule 201 demands 2
      > begin with another number of rules, or let Rule 201 demand fewer
- case: "Claims that no program reads a rule, or a passage that it does not have."
  provisions: {cap: {mutable: 9}}
  files:
    rules/initial/204.md:
      number: 204
      mutability: mutable
      unread: true
      provisions: {victory: {points: 9}}
      does: Some text.
    rules/initial/205.md:
      number: 205
      mutability: mutable
      unread: [Other text.]
      does: Some text.
  gives: |
    unread-wrong rules/initial/204.md:4:9
      `unread` says that no program reads this rule, but the rule has provisions
      > name the passages that no provision reads, or delete the provisions
    unread-wrong rules/initial/205.md:4:10
      `Other text.` is not in the rule's text
      > copy the passage from the text, word for word, or delete it from `unread`
- case: Votes are to be signed.
  provisions: {ballot: {signed: true, debate: 0}}
  proposals:
    301: {on: 01-02, votes: ff.., more: {wren: {vote: for, at: 2026-01-02, signature: abc}}}
  gives: |
    signature-unverified proposals/301.md:14:16
      the signature of wren's vote is not verified
      > nothing: the vote counts as it is recorded
    signature-unverified rules/201.md:1:1 (Rule 201)
      by Rule 201/0 only signed votes count, and no signature is verified: every vote counts
      > take `signed` out by a proposal with the instruction below, or by an act that a rule
        allows
      | ## Mark Rule 201/0
      |
      | ```yaml rule
      | provisions:
      |   ballot: {debate: 0}
      | ```
"""


@pytest.mark.parametrize("case", cases_in(FILES))
def test_what_is_told_of_files(case: Any) -> None:
    assert told_of(case) == case["gives"]
