"""A change that is impossible or forbidden: whether it takes the others of its proposal with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicgen.play.preview.proposal import preview
from tests.ledger import Ledger, day
from tests.worked import came_of, cases_in, told_of

AMEND = "## Amend Rule 203/0\n\nBishops move diagonally."
MAJORITY = {"adoption": {"needs": "majority"}}
THAT = {"effect": {"impossible": "that"}}


def game(*laws: Mapping[str, Any], effect: Mapping[str, Any] = THAT) -> Ledger:
    """Rules 101 (immutable), 201 with what is said of effects, 202 with the majority, 203, and
    others from 204 on.
    """
    others = {204 + index: law for index, law in enumerate(laws)}
    return Ledger.start({101: {}, 201: effect, 202: MAJORITY, 203: {}, **others})


def told(made: Ledger) -> list[str]:
    return [
        f"{one.slug}: {one.message}"
        for one in made.applied().findings()
        if one.slug != "law-unread"
    ]


FALLS = "change-overtaken: this change is dropped, and the others are carried out: "
WRONG = [
    ("## Repeal Rule 210/0", (), "there is no Rule 210"),
    ("## Transmute Rule 203/0 to mutable", (), "Rule 203/0 is mutable already"),
    (
        "## Repeal Rule 101/0",
        ({"entrenchment": {"immutable": ["transmute"]}},),
        "Rule 101/0 is immutable; Rule 204 forbids the repeal of immutable rules (it allows: "
        "transmute)",
    ),
    (
        "## Enact Rule: Tea\n\nThere is tea.",
        ({"cap": {"mutable": 4}},),
        "this would leave 5 mutable rules; Rule 204 allows 4",
    ),
    (
        "## Repeal Rule 202/0",
        ({"floor": {"mutable": 4}},),
        "this would leave 3 mutable rules; Rule 204 demands 4",
    ),
]


@pytest.mark.parametrize(("wrong", "laws", "why"), WRONG)
@pytest.mark.parametrize("first", [True, False])
def test_only_what_is_wrong_falls(
    wrong: str, laws: tuple[Mapping[str, Any], ...], why: str, first: bool
) -> None:
    other = AMEND if "203" not in wrong else "## Retitle Rule 202/0: Votes"
    body = "\n\n".join([wrong, other] if first else [other, wrong])
    made = game(*laws).proposal(301, "01-06", body)
    assert told(made) == [FALLS + why]
    played = made.play()[1]
    (step,) = played.steps
    assert (step.outcome, len(step.changes)) == ("applied", 1)
    stands, falls = (one for one in played.effects if one.kind == "rule")
    assert (stands.refused, falls.refused) == (False, True)
    assert falls.words == wrong.partition("\n")[0][3:]
    assert [one.rule for one in stands.licences] == [202]


@pytest.mark.parametrize(("wrong", "laws", "why"), WRONG)
@pytest.mark.parametrize("effect", [{}, {"effect": {"impossible": "all"}}])
def test_unsaid_it_takes_all_with_it(
    wrong: str, laws: tuple[Mapping[str, Any], ...], why: str, effect: Mapping[str, Any]
) -> None:
    made = game(*laws, effect=effect).proposal(
        301, "01-06", f"{wrong}\n\n## Retitle Rule 201/0: When"
    )
    played = made.play()[1]
    assert all(one.refused for one in played.effects if one.kind == "rule")
    assert not any(FALLS in line for line in told(made))
    assert any(line.endswith(why) for line in told(made))


@pytest.mark.parametrize(("wrong", "laws", "why"), WRONG)
@pytest.mark.parametrize("status", ["debate", "open"])
def test_while_it_can_be_mended_it_is_an_error(
    wrong: str, laws: tuple[Mapping[str, Any], ...], why: str, status: str
) -> None:
    body = f"{wrong}\n\n## Retitle Rule 201/0: When"
    made = game(*laws).proposal(
        301, "01-06", body, "...." if status == "debate" else "f...", status
    )
    (found,) = [one for one in made.applied().findings() if one.is_error]
    assert found.message == why
    step = made.play()[1].previews["proposals/301.md"]
    assert (step.outcome, [one.verb for one in step.changes]) == ("applied", ["retitle"])


@pytest.mark.parametrize(("wrong", "laws", "why"), WRONG)
def test_a_proposal_of_which_nothing_stands_is_refused(
    wrong: str, laws: tuple[Mapping[str, Any], ...], why: str
) -> None:
    made = game(*laws).proposal(301, "01-06", wrong)
    (found,) = [one for one in made.applied().findings() if one.is_error]
    assert found.message == why


def test_what_would_leave_the_rules_unchangeable_takes_all_with_it() -> None:
    made = game({"changeable": "always"}).proposal(301, "01-06", f"{AMEND}\n\n## Repeal Rule 202/0")
    assert [line.partition(":")[0] for line in told(made)] == ["change-ossifies"]
    assert made.play()[1].steps[0].outcome == "failed"


def test_what_falls_asks_for_no_votes() -> None:
    laws = {"adoption": {"needs": "unanimous", "to": "enact"}}
    full = {"cap": {"mutable": 5}}
    body = f"## Enact Rule: Tea\n\nThere is tea.\n\n{AMEND}"
    assert game(laws, full).proposal(301, "01-06", body, "fffa").slugs() == ["change-overtaken"]
    assert "votes-few" in game(laws).proposal(301, "01-06", body, "fffa").slugs()


def test_what_was_sound_when_decided_may_fall_alone_when_it_takes_effect() -> None:
    made = game().proposal(301, "01-06", f"{AMEND}\n\n## Repeal Rule 101/0", effective=day("01-20"))
    made.proposal(302, "01-07", "## Repeal Rule 101/0", effective=day("01-07"))
    assert told(made) == [FALLS + "there is no Rule 101 any more: it was repealed"]
    assert made.numbers() == ["201/0", "202/0", "203/1"]


def test_the_law_of_the_day_of_decision_decides() -> None:
    made = game().proposal(301, "01-06", f"{AMEND}\n\n## Repeal Rule 210/0", effective=day("01-20"))
    block = "```yaml rule\nprovisions: {effect: {impossible: all}}\n```"
    made.proposal(
        302, "01-07", f"## Amend Rule 201/0\n\n{block}\n\nAll or nothing.", effective=day("01-07")
    )
    assert told(made) == [FALLS + "there is no Rule 210"]


@given(st.lists(st.booleans(), min_size=1, max_size=6), st.integers(0, 4))
def test_the_first_that_fit_stand(sound: list[bool], room: int) -> None:
    """Each instruction enacts a rule, or repeals one that is not there; the cap leaves room for so
    many rules.
    """
    bodies = [
        f"## Enact Rule {400 + at}: Tea {at}\n\nThere is tea, {at}."
        if good
        else f"## Repeal Rule {900 + at}/0"
        for at, good in enumerate(sound)
    ]
    made = game({"cap": {"mutable": 4 + room}}).proposal(301, "01-06", "\n\n".join(bodies))
    stands = [at for at, good in enumerate(sound) if good][:room]
    if stands:
        (step,) = made.play()[1].steps
        assert [one.rule.title for one in step.changes] == [f"Tea {at}" for at in stands]
        assert len(told(made)) == len(sound) - len(stands)
    else:
        assert any(one.is_error for one in made.applied().findings())


def test_a_preview_shows_what_stands_and_what_falls() -> None:
    laws = {"adoption": {"needs": "unanimous", "to": "enact"}}
    body = f"## Enact Rule: Tea\n\nThere is tea.\n\n{AMEND}"
    made = (
        game(laws, {"cap": {"mutable": 5}}).proposal(301, "01-06", body, "f...", "open").applied()
    )
    records, played = made.play()
    instrument = records.proposal("proposals/301.md")
    assert instrument is not None
    shown = preview(instrument, records, played, played.findings, day("01-07"), instrument.path)
    assert "Its instruction to enact a rule cannot be carried out." in shown.summary
    assert [one.rule for one in shown.needs] == [202]
    assert [one.words for one in shown.effects.effects] == ["Rule 203/0 becomes Rule 203/1"]
    assert not shown.legal


BY_ITSELF = """\
- case: A kind that nobody knows cannot be guarded.
  provisions: {guards: {keep: [adoption, nonsense]}}
  gives: |
    provision-wrong rules/initial/201.md:6:18
      guards.keep nonsense is no kind of provision (there are adoption, authority, awards,
        ballot, cap, changeable, deadline, effect, entrenchment, floor, guards, judgements,
        numbering, points, seconding, stay, sunset, turns, victory)
      > write it as in `guards: {keep: victory}`; the reference of provisions has all its keys
- case: "What is guarded would go, or may mean something else."
  provisions: {guards: {keep: [adoption]}}
  proposals:
    301: {on: 01-03, does: "## Repeal Rule 202/0"}
    302:
      on: 01-03
      status: debate
      votes: ....
      does: |-
        ## Amend Rule 202/0

        Other words.
  gives: |
    guard-broken proposals/301.md:17:1 (Rule 201)
      after this no rule would have an `adoption` provision, which Rule 201 guards
      > keep an `adoption` provision, perhaps with other values, or first change Rule 201
    provisions-kept proposals/302.md:13:1
      Rule 202/0 keeps its provisions (adoption), whatever the new text says
      > put this block below the heading and edit it (`provisions: {}` removes them); or, if
        the text means the same, `meaning: stands` in a block
      | ```yaml rule
      | provisions:
      |   adoption: {needs: majority}
      | ```
- case: A sunset, which is about its own rule alone, can be guarded too.
  provisions:
    guards: {keep: sunset}
    sunset: {after: {event: somebody thanks it}, becomes: repealed}
  proposals: {301: {on: 01-03, does: "## Repeal Rule 201/0"}}
  gives: |
    guard-broken proposals/301.md:17:1 (Rule 201)
      after this no rule would have a `sunset` provision, which Rule 201 guards
      > keep a `sunset` provision, perhaps with other values, or first change Rule 201
- case: A rule is changed by itself before its day.
  provisions:
    sunset:
      after: {date: 2026-02-01}
      becomes: {text: Evening., provisions: {cap: {mutable: 9}}}
  files: {acts/a.md: {date: 2026-01-03, under: 201, does: "## Repeal Rule 201/0"}}
  gives: |
    sunset-wrong acts/a.md:4:8 (Rule 201)
      Rule 201/0 does not change by itself yet
      > delete acts/a.md, then `nomicgen next --do`, which writes the act when it is due
- case: Nobody says who saw what a rule waits for.
  provisions: {sunset: {after: {event: somebody thanks it}, becomes: repealed}}
  files: {acts/a.md: {date: 2026-01-03, under: 201, does: "## Repeal Rule 201/0"}}
  gives: |
    sunset-wrong acts/a.md:2:8 (Rule 201)
      the act does not say who saw the event that changes Rule 201/0
      > write `by: ` and your id
- case: A rule becomes another one than it says.
  provisions:
    sunset:
      after: {event: somebody thanks it}
      becomes: {text: Evening., provisions: {cap: {mutable: 9}}}
  files:
    acts/a.md:
      date: 2026-01-03
      under: 201
      by: wren
      does: |-
        ## Amend Rule 201/0

        Evening.
  gives: |
    sunset-wrong acts/a.md:8:1 (Rule 201)
      these are not the provisions that Rule 201/0 is to have by its sunset
      > write `## Amend Rule 201/0` with the text and the provisions that its `sunset` says,
        and nothing else
- case: A rule gets another text than it says.
  provisions: {sunset: {after: {event: somebody thanks it}, becomes: {text: Evening.}}}
  files:
    acts/a.md:
      date: 2026-01-03
      under: 201
      by: wren
      does: |-
        ## Amend Rule 201/0

        Night.
  gives: |
    sunset-wrong acts/a.md:8:1 (Rule 201)
      this is not the text that Rule 201/0 is to have by its sunset
      > write `## Amend Rule 201/0` with the text and the provisions that its `sunset` says,
        and nothing else
- case: A rule that is to be repealed is amended.
  provisions: {sunset: {after: {event: somebody thanks it}, becomes: repealed}}
  files:
    acts/a.md:
      date: 2026-01-03
      under: 201
      by: wren
      does: |-
        ## Amend Rule 201/0

        Evening.
  gives: |
    sunset-wrong acts/a.md:8:1 (Rule 201)
      it does something else: by its `sunset` Rule 201/0 is repealed, and nothing more
      > write `## Repeal Rule 201/0`, and nothing else
- case: A rule should have changed by itself.
  provisions: {sunset: {after: {date: 2026-01-02}, becomes: repealed}}
  proposals: {301: {on: 01-05}}
  gives: |
    sunset-missed proposals/301.md:7:10 (Rule 201)
      decided on 2026-01-05; Rule 201/0 should have changed by itself on 2026-01-02
      > `nomicgen next --do` writes the act; later decisions are then judged by the changed
        rules
    deadline-missed rules/201.md:1:1 (Rule 201)
      Rule 201/0 should have changed by itself on 2026-01-02
      > `nomicgen next --do` writes what the rule says: it is repealed by itself
"""


@pytest.mark.parametrize("case", cases_in(BY_ITSELF))
def test_what_is_told_of_guards_and_sunsets(case: Any) -> None:
    assert told_of(case) == case["gives"]


LASTING = """\
- case: "Of turns in which everybody voted, one waits, for a judgement was asked for."
  until: 01-06
  provisions:
    deadline: {for: turn, within: 3, with_proposal: 2, unless: all-voted, then: ends}
    turns: {order: alphabetical, overlap: true}
  files:
    turns/R1T1.yml: {player: osprey, began: 2026-01-02}
    turns/R1T2.yml: {player: quill, began: 2026-01-02}
    turns/R1T3.yml: {player: tallow, began: 2026-01-02}
    judgements/1.md: {judge: tallow, date: 2026-01-04, turn: R1T1, status: upheld}
  proposals:
    301:
      on: 01-03
      author: osprey
      turn: R1T1
      status: open
      votes: ....
      more:
        osprey: {vote: for, at: 2026-01-03}
        quill: {vote: for, at: 2026-01-03}
        tallow: {vote: for, at: 2026-01-03}
        wren: {vote: for, at: 2026-01-03}
    302:
      on: 01-03
      author: quill
      turn: R1T2
      status: open
      votes: ....
      more:
        osprey: {vote: for, at: 2026-01-03}
        quill: {vote: for, at: 2026-01-03}
        tallow: {vote: for, at: 2026-01-03}
        wren: {vote: for, at: 2026-01-05}
    303:
      on: 01-03
      author: tallow
      turn: R1T3
      status: open
      votes: ....
      more:
        osprey: {vote: for, at: 2026-01-03}
        quill: {vote: against, at: 2026-01-05}
        tallow: {vote: for, at: 2026-01-03}
        wren: {vote: for, at: 2026-01-06}
  gives: |
    2026-01-02: turn of turns/R1T1.yml: osprey begins R1T1 [Rule 201/0]
    2026-01-02: turn of turns/R1T2.yml: quill begins R1T2 [Rule 201/0]
    2026-01-02: turn of turns/R1T3.yml: tallow begins R1T3 [Rule 201/0]
    2026-01-04: judgement of judgements/1.md: Judgement 1 is given [no provision speaks of it]
    proposals/301.md: for osprey quill tallow wren; 4 of 4 are eligible; 0 more for would do
    proposals/301.md: Rule 202: 4 for; more than half of eligible voters (4): more than 2 needed
    proposals/302.md: for osprey quill tallow wren; 4 of 4 are eligible; 0 more for would do
    proposals/302.md: Rule 202: 4 for; more than half of eligible voters (4): more than 2 needed
    proposals/303.md: for osprey tallow wren; against quill; 4 of 4 are eligible; 0 more for
        would do
    proposals/303.md: Rule 202: 3 for; more than half of eligible voters (4): more than 2 needed
    due: 2026-01-05: turns/R1T2.yml: R1T2 of quill is being played (Rule 201); then R1T2 ends;
        turns/R1T2.yml: ended 2026-01-05
    due: 2026-01-07: turns/R1T1.yml: R1T1 of osprey is being played (Rule 201); then R1T1 ends;
        turns/R1T1.yml: ended 2026-01-07
    due: 2026-01-07: turns/R1T3.yml: R1T3 of tallow is being played (Rule 201); then R1T3 ends;
        turns/R1T3.yml: ended 2026-01-07
    next: R1T4 of wren
- case: "A round is over, and who would begin the next one rests."
  until: 01-06
  provisions: {turns: {order: alphabetical}}
  players: {osprey: {inactive: [{since: 2026-01-05}]}}
  files:
    turns/R1T1.yml: {player: osprey, began: 2026-01-02}
    turns/R1T2.yml: {player: quill, began: 2026-01-03}
    turns/R1T3.yml: {player: tallow, began: 2026-01-04}
    turns/R1T4.yml: {player: wren, began: 2026-01-05}
  gives: |
    2026-01-02: turn of turns/R1T1.yml: osprey begins R1T1 [Rule 201/0]
    2026-01-03: turn of turns/R1T2.yml: quill begins R1T2 [Rule 201/0]
    2026-01-04: turn of turns/R1T3.yml: tallow begins R1T3 [Rule 201/0]
    2026-01-05: seat of players/osprey.yml: osprey rests [no provision speaks of it]
    2026-01-05: turn of turns/R1T4.yml: wren begins R1T4 [Rule 201/0]
    next: R2T1 of quill, without osprey
"""


@pytest.mark.parametrize("case", cases_in(LASTING))
def test_how_long_turns_last(case: Any) -> None:
    assert came_of(case) == case["gives"]
