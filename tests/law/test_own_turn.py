"""Who may propose while somebody has the turn, and how many proposals a turn has."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ledger import Ledger, day
from tests.turns import NEW, ORDER, game
from tests.worked import came_of, cases_in, told_of

OWN = {**ORDER, "own_turn": "true"}


def proposed(said: dict[str, Any], author: str | None, on: str, **matter: Any) -> list[str]:
    """What is told of one proposal: Osprey has the turn till 01-05, Quill from then on to 01-09."""
    made = (
        game(said).turn("R1T1", "osprey", "01-02", "01-05").turn("R1T2", "quill", "01-05", "01-09")
    )
    return made.proposal(301, on, NEW, author=author, **matter).told()


def mine(made: Ledger, number: int, on: str, author: str, **matter: Any) -> Ledger:
    return made.proposal(number, on, NEW, author=author, **matter)


@pytest.mark.parametrize(
    ("author", "on", "told"),
    [
        ("osprey", "01-03", []),
        ("wren", "01-03", ["R1T1 is the turn of osprey: wren may not propose in it (Rule 201)"]),
        ("quill", "01-03", ["R1T1 is the turn of osprey: quill may not propose in it (Rule 201)"]),
        ("osprey", "01-07", ["R1T2 is the turn of quill: osprey may not propose in it (Rule 201)"]),
        # On a day on which turns change nobody can tell.
        *((who, on, []) for who in ("osprey", "wren") for on in ("01-02", "01-05", "01-09")),
        # Before the first turn, and after the last, nobody plays.
        ("wren", "01-01", []),
        ("wren", "01-10", []),
        (None, "01-03", []),
    ],
)
def test_who_may_propose_in_a_turn(author: str | None, on: str, told: list[str]) -> None:
    found = [f"turn-proposals proposals/301.md:3:9: {one}" for one in told]
    assert proposed(OWN, author, on) == found
    assert proposed({**OWN, "proposals": "2"}, author, on) == found
    assert proposed({**OWN, "own_turn": "false"}, author, on) == []
    assert proposed(ORDER, author, on) == []


def test_a_proposal_that_names_a_turn_is_its_player_s() -> None:
    named = "R1T1 is the turn of osprey: wren may not propose in it (Rule 201)"
    for said in (OWN, {**ORDER, "proposals": "2"}):
        assert proposed(said, "wren", "01-02", turn="R1T1") == [
            f"turn-proposals proposals/301.md:3:9: {named}"
        ]
    assert (
        proposed({**ORDER, "own_turn": "false", "proposals": "2"}, "wren", "01-02", turn="R1T1")
        == []
    )
    # To name a turn of one's own does not help while somebody else plays.
    assert [one.split(": ", 1)[1] for one in proposed(OWN, "quill", "01-03", turn="R1T2")] == [
        "R1T1 of osprey is being played: quill may not propose in it (Rule 201)"
    ]


def test_hours_say_whose_turn_it_was() -> None:
    made = game(OWN).turn("R1T1", "osprey", "2026-01-02T08:00", "2026-01-02T12:00")
    made.turn("R1T2", "quill", "2026-01-02T12:00", "2026-01-02T20:00")
    for hour, slugs in (("07:00", []), ("09:00", ["turn-proposals"]), ("12:00", []), ("13:00", [])):
        made.proposal(301, f"2026-01-02T{hour}", NEW, author="quill")
        assert made.slugs() == slugs, hour


def test_a_turn_without_an_end_is_over_when_the_next_begins() -> None:
    made = game(OWN).turn("R1T1", "osprey", "01-02").turn("R1T2", "quill", "01-05")
    for author, on, slugs in (
        ("osprey", "01-03", []),
        ("osprey", "01-06", ["turn-proposals"]),
        ("quill", "01-06", []),
        ("quill", "01-03", ["turn-proposals"]),
    ):
        assert mine(made, 301, on, author).slugs() == slugs, (author, on)


def test_two_turns_at_a_time() -> None:
    """Each of the two proposes in a turn of their own, and each turn has its number."""
    made = game({**OWN, "proposals": "1"}).turn("R1T1", "osprey", "01-02", "01-09")
    made.turn("R1T2", "quill", "01-03", "01-08")
    for number, author in ((301, "osprey"), (302, "quill")):
        mine(made, number, "01-05", author)
    assert made.slugs() == []
    assert mine(made, 303, "01-06", "osprey").told() == [
        "turn-proposals proposals/303.md:1:1: R1T1 has 1 proposal before this one; Rule 201 "
        "allows 1 (Rule 201)"
    ]
    assert mine(made, 303, "01-06", "wren").slugs() == ["turn-proposals"]


def test_what_names_no_turn_counts_too() -> None:
    made = game({**OWN, "proposals": "1"}).turn("R1T1", "osprey", "01-01", "01-09")
    mine(made, 301, "01-02", "osprey")
    assert mine(made, 302, "01-03", "osprey").slugs() == ["turn-proposals"]
    assert mine(made, 302, "01-03", "osprey", turn="R1T1").slugs() == ["turn-proposals"]


def test_the_proposals_of_a_turn_may_be_anybody_s() -> None:
    made = game({**ORDER, "own_turn": "false", "proposals": "2"}).turn(
        "R1T1", "osprey", "01-01", "01-09"
    )
    mine(mine(made, 301, "01-02", "wren"), 302, "01-02", "tallow", turn="R1T1")
    assert made.slugs() == []
    assert mine(made, 303, "01-03", "osprey").told() == [
        "turn-proposals proposals/303.md:1:1: R1T1 has 2 proposals before this one; Rule 201 "
        "allows 2 (Rule 201)"
    ]


def test_anybody_s_proposal_is_one_of_the_turn() -> None:
    said = {**ORDER, "proposal_required": "true"}
    for own, slugs in (("false", []), (None, ["turn-empty"])):
        made = game({**said, "own_turn": own} if own else said).turn(
            "R1T1", "osprey", "01-01", "01-09"
        )
        assert mine(made, 301, "01-02", "wren").slugs() == slugs


def test_who_has_left_holds_nobody_up() -> None:
    made = game(OWN).turn("R1T1", "osprey", "01-02").player("osprey", left=day("01-04"))
    assert mine(made, 301, "01-03", "wren").slugs() == ["turn-proposals"]
    assert mine(made, 301, "01-05", "wren", votes=".fff").slugs() == []


def test_what_was_taken_back_was_no_fault() -> None:
    assert proposed(OWN, "wren", "01-03", status="withdrawn") == []


CLOCKS = """\
- case: "A judge is late, and no rule says what then."
  provisions: {deadline: {for: judgement, within: 3}}
  files: {judgements/1.md: {judge: wren, date: 2026-01-03, status: pending}}
  gives: |
    deadline-missed judgements/1.md:1:1 (Rule 201)
      Judgement 1 waits for wren's ruling; Rule 201 gave 3 days from 2026-01-03, until
        2026-01-06
      > do it now, or change the rule
- case: "A judge is late, and replaced."
  provisions: {deadline: {for: judgement, within: 1, then: replaced, costs: 2}}
  files: {judgements/1.md: {judge: wren, date: 2026-01-03, status: pending}}
  gives: |
    deadline-missed judgements/1.md:1:1 (Rule 201)
      Judgement 1 waits for wren's ruling; Rule 201 gave a day from 2026-01-03, until
        2026-01-04
      > `nomicgen next --do` writes what the rule says: somebody other than wren judges and
        wren loses 2 points
- case: "Turns end before they began, and begin before others."
  provisions: {deadline: {for: turn, within: 3, then: ends}}
  files:
    turns/R1T1.yml: {player: osprey, began: 2026-01-05, until: 2026-01-04}
    turns/R1T2.yml: {player: quill, began: 2026-01-03, ended: 2026-01-02}
  gives: |
    deadline-missed turns/R1T1.yml:1:1 (Rule 201)
      R1T1 of osprey is being played, but was to last until 2026-01-04
      > `nomicgen next --do` writes what the rule says: R1T1 ends
    dates-disorder turns/R1T1.yml:3:8
      lasts until 2026-01-04, before it began on 2026-01-05
      > correct `until` or `began`
    dates-disorder turns/R1T2.yml:2:8
      R1T2 began on 2026-01-03, before R1T1 on 2026-01-05
      > turns are numbered in their order: correct `began` here or there
    dates-disorder turns/R1T2.yml:3:8
      ended on 2026-01-02, before it began on 2026-01-03
      > correct `ended` or `began`
- case: A turn with a proposal whose vote has not opened.
  until: 2026-01-09
  provisions: {deadline: {for: turn, within: 3, with_proposal: 2, then: ends, idle: inactive}}
  proposals: {301: {on: 01-03, author: osprey, turn: R1T1, status: debate, votes: ....}}
  files: {turns/R1T1.yml: {player: osprey, began: 2026-01-02}}
  gives: |
    deadline-missed turns/R1T1.yml:1:1 (Rule 201)
      R1T1 of osprey is being played; Rule 201 gave 5 days from 2026-01-02, until 2026-01-07
      > `nomicgen next --do` writes what the rule says: R1T1 ends without a vote on 301
- case: A turn without a proposal.
  until: 2026-01-09
  provisions: {deadline: {for: turn, within: 3, then: ends, idle: inactive}}
  files: {turns/R1T1.yml: {player: osprey, began: 2026-01-02}}
  gives: |
    deadline-missed turns/R1T1.yml:1:1 (Rule 201)
      R1T1 of osprey is being played; Rule 201 gave 3 days from 2026-01-02, until 2026-01-05
      > `nomicgen next --do` writes what the rule says: R1T1 ends, and osprey is inactive
- case: A vote waits for two.
  until: 2026-01-09
  provisions: {deadline: {for: vote, within: 3, then: inactive}}
  proposals: {301: {on: 01-03, status: open, votes: ff..}}
  gives: |
    deadline-missed proposals/301.md:1:1 (Rule 201)
      the vote on 301 waits for tallow, wren; Rule 201 gave 3 days from 2026-01-03, until
        2026-01-06
      > `nomicgen next --do` writes what the rule says: tallow, wren are inactive
- case: A vote waits for everybody.
  until: 2026-01-09
  provisions: {deadline: {for: vote, within: 3, then: inactive}}
  proposals: {301: {on: 01-03, status: open, votes: ....}}
  gives: |
    deadline-missed proposals/301.md:1:1 (Rule 201)
      the vote on 301 waits for osprey, quill, tallow, wren; Rule 201 gave 3 days from
        2026-01-03, until 2026-01-06
      > do it now, or change the rule
- case: A vote is held again too late in its turn.
  provisions: {deadline: {for: resubmission, within: 3}}
  files: {turns/R1T1.yml: {player: wren, began: 2026-01-02}}
  proposals:
    301:
      on: 01-03
      status: debate
      votes: ....
      turn: R1T1
      opened: 2026-01-06
      ballot: abcdefghjk
      earlier: [{opened: 2026-01-03, ended: 2026-01-06, ballot: abcdefghjm}]
  gives: |
    resubmission-late proposals/301.md:6:9 (Rule 201)
      the vote began again on 2026-01-06; Rule 201 allows that only within 3 days of the
        beginning of R1T1, that is until 2026-01-05
      > withdraw it, and put forward another proposal; or, if the turn was prolonged,
        `nomicgen turn R1T1 --until DATE`
    digest-differs proposals/301.md:14:9
      title, argument, instructions or `commences` changed after the vote opened
      > bring back the text that was voted on (`git diff proposals/301.md` shows a change that
        is not committed, `git log -p proposals/301.md` one that is); if the text is right and
        `digest` is wrong, write `digest:
        56e042bcfbcab29f6247532df96a3aaa0cc5b49257e24c164aa32de017de1368`
- case: What was held again too late may be withdrawn.
  provisions: {deadline: {for: resubmission, within: 3}}
  files: {turns/R1T1.yml: {player: wren, began: 2026-01-02}}
  proposals:
    301: {on: 01-03, status: withdrawn, votes: ...., turn: R1T1, opened: 2026-01-06,
      decided: 2026-01-07, earlier: [{opened: 2026-01-03, ended: 2026-01-06}]}
  gives: ""
- case: A turn should have passed by itself.
  until: 2026-01-09
  provisions: {turns: {order: alphabetical, passes_after: 1}}
  files: {turns/R1T1.yml: {player: osprey, began: 2026-01-02}}
  gives: |
    deadline-missed turns/R1T1.yml:1:1 (Rule 201)
      R1T1 of osprey has had no proposal since 2026-01-02; Rule 201 gave a day, until
        2026-01-03
      > `nomicgen next --do` writes what the rule says: R1T1 passes by itself
"""


@pytest.mark.parametrize("case", cases_in(CLOCKS))
def test_what_is_told_of_deadlines(case: Any) -> None:
    assert told_of(case) == case["gives"]


TURNS = """\
- case: "Turns overlap, and are passed and ended as no rule lets them."
  provisions:
    turns:
      order: alphabetical
      overlap: false
      passing: false
      passes_after: 3
      proposal_required: true
  files:
    turns/R1T1.yml: {player: osprey, began: 2026-01-02, ended: 2026-01-04, passed: true}
    turns/R1T2.yml: {player: quill, began: 2026-01-03, ended: 2026-01-05}
    turns/R1T3.yml: {player: wren, began: 2026-01-05}
  gives: |
    turn-passed turns/R1T1.yml:4:9 (Rule 201)
      osprey passed R1T1; Rule 201 lets nobody pass before 2026-01-05
      > delete `passed`; if the turn was not played, delete `ended`, too: then it goes on
    turn-overlap turns/R1T2.yml:2:8 (Rule 201)
      R1T2 began on 2026-01-03, and R1T1 had not ended
      > if R1T1 ended earlier, `nomicgen correct turns/R1T1.yml ended DATE --evidence TEXT`;
        or correct `began`: Rule 201 lets no turns overlap
    turn-empty turns/R1T2.yml:3:8 (Rule 201)
      R1T2 of quill ended without a proposal; Rule 201 demands one
      > delete `ended` until quill has proposed something, or correct a proposal's `turn`;
        then `nomicgen turn R1T2 --end` records the end
    deadline-missed turns/R1T3.yml:1:1 (Rule 201)
      R1T3 of wren has had no proposal since 2026-01-05; Rule 201 gave 3 days, until
        2026-01-08
      > `nomicgen next --do` writes what the rule says: R1T3 passes by itself
    turn-order turns/R1T3.yml:1:9 (Rule 201)
      R1T3 of wren is not the turn that comes after R1T2: that is R1T3 of tallow
      > write `player: tallow`
- case: "A proposal in the turn of another, and one too many."
  provisions: {turns: {order: alphabetical, proposals: 1, own_turn: true}}
  files: {turns/R1T1.yml: {player: osprey, began: 2026-01-02, ended: 2026-01-09}}
  proposals:
    301: {on: 01-03, author: wren}
    302: {on: 01-03, author: osprey, turn: R1T1}
    303: {on: 01-03, author: osprey, turn: R1T1}
  gives: |
    turn-proposals proposals/301.md:3:9 (Rule 201)
      R1T1 is the turn of osprey: wren may not propose in it
      > only its player may propose in a turn: correct `author`, `turn` or `date`, or withdraw
        the proposal
    turn-proposals proposals/303.md:12:7 (Rule 201)
      R1T1 has 1 proposal before this one; Rule 201 allows 1
      > put it forward in another turn (change `turn`), or withdraw it
- case: "A turn ends before its proposal has been voted on, and throws."
  provisions:
    turns: {order: alphabetical, proposal_required: voted}
    points: {on: turn, to: player, die: 6}
  files:
    turns/R1T1.yml: {player: osprey, began: 2026-01-02, ended: 2026-01-04, dice: [7]}
    turns/R1T2.yml: {player: quill, began: 2026-01-04, dice: [3]}
  proposals: {301: {on: 01-03, author: osprey, turn: R1T1, decided: 2026-01-06}}
  gives: |
    turn-empty turns/R1T1.yml:3:8 (Rule 201)
      R1T1 of osprey ended before the vote on Proposal 301 had ended; Rule 201 asks for that
        first
      > leave `ended` out until then: `nomicgen turn R1T1 --end` writes it
    dice-wrong turns/R1T1.yml:4:8 (Rule 201)
      a die of 6 sides does not show 7
      > give what was thrown; if it is recorded already: `nomicgen correct turns/R1T1.yml dice
        FACE --evidence TEXT`
    dice-wrong turns/R1T2.yml:3:8 (Rule 201)
      R1T2 of quill has its throw before a proposal was voted on; Rule 201 asks for that first
      > leave `dice` out until then: `nomicgen turn R1T2 --dice FACE --end` writes it
- case: "A turn lacks a throw; another has one too many."
  provisions: {points: {on: turn, to: player, die: 6}}
  files:
    turns/R1T1.yml: {player: osprey, began: 2026-01-02, ended: 2026-01-04}
    turns/R1T2.yml: {player: quill, began: 2026-01-04, ended: 2026-01-05, dice: [3, 4]}
  gives: |
    dice-wrong turns/R1T1.yml:3:8 (Rule 201)
      R1T1 ended, and its throw of a die of 6 sides is not recorded
      > throw, and write `dice: [FACE]` into turns/R1T1.yml, or type `nomicgen turn R1T1
        --dice FACE --end`; if the end is recorded already: `nomicgen correct turns/R1T1.yml
        dice FACE --evidence TEXT`
    dice-wrong turns/R1T2.yml:4:13
      2 throws, but the rules ask for 1
      > leave out the throws that do not count; if it is recorded already: `nomicgen correct
        turns/R1T2.yml dice FACE --evidence TEXT`
- case: >-
    A vote opens before that of an earlier turn, and before an earlier turn has a proposal.
  until: 01-05
  provisions: {turns: {order: alphabetical, overlap: true, votes_in_order: true}}
  files:
    turns/R1T1.yml: {player: osprey, began: 2026-01-02}
    turns/R1T2.yml: {player: quill, began: 2026-01-03}
    turns/R1T3.yml: {player: tallow, began: 2026-01-03}
  proposals:
    301: {on: 01-03, author: quill, turn: R1T2, status: debate, votes: ...., opened: 2026-01-03}
    302: {on: 01-04, author: tallow, turn: R1T3, status: open, votes: f...}
  gives: |
    vote-disorder proposals/301.md:6:9 (Rule 201)
      the vote on a proposal of R1T2 opens before a proposal of R1T1 has been voted on
      > the vote is void: set `status: debate`, delete `opened`, `digest` and `votes`, and
        open it again once a proposal of R1T1 has been voted on
      ~ It waits until a proposal of R1T1 has been voted on (Rule 201)
    vote-disorder proposals/302.md:6:9 (Rule 201)
      the vote on a proposal of R1T3 opens before a proposal of R1T1 has been voted on
      > the vote is void: set `status: debate`, delete `opened`, `digest` and `votes`, and
        open it again once a proposal of R1T1 has been voted on
      ~ It waits until a proposal of R1T1 has been voted on (Rule 201)
- case: A newcomer takes a seat before others.
  provisions: {turns: {order: seat}}
  players: {osprey: {order: 1}, quill: {order: 2}, tallow: {order: 3}, wren: {order: 4}}
  files:
    turns/R1T1.yml: {player: osprey, began: 2026-01-02}
    players/lark.yml: {name: lark, joined: 2026-01-04, order: 4}
  gives: |
    seat-taken players/lark.yml:3:8 (Rule 201)
      lark joins at seat 4, not after the players who joined before (the last is at 4); turns
        go round by seats (Rule 201)
      > write `order: 5`, or leave `order` out
- case: An act changes rules on a day without a turn.
  provisions: {authority: {by: act, to: enact, when: turn-begins}}
  files:
    turns/R1T1.yml: {player: osprey, began: 2026-01-02}
    acts/a.md:
      date: 2026-01-03
      by: osprey
      under: 201
      does: |-
        ## Enact Rule

        New.
  gives: |
    effect-wrong acts/a.md:3:7 (Rule 201)
      A rule at work changes rules on 2026-01-03; Rule 201 allows this only when a turn begins
      > record it when the next turn has begun, with that day as its date
"""


@pytest.mark.parametrize("case", cases_in(TURNS))
def test_what_is_told_of_turns(case: Any) -> None:
    assert told_of(case) == case["gives"]


DUE = """\
- case: Rules change by themselves.
  until: 01-06
  provisions:
    sunset:
      after: {date: 2026-01-09}
      unless: amended
      becomes: {text: Evening., provisions: {cap: {mutable: 9}}}
  rules:
    204: {sunset: {after: {turns: 2}, becomes: repealed}}
    205: {sunset: {after: {circuits: 1}, becomes: {text: Dusk.}}}
    206: {sunset: {after: {date: 2026-01-03}, becomes: repealed}}
    207: {sunset: {after: {event: It rains}, becomes: repealed}}
    208: {turns: {order: joined}}
  files:
    turns/R1T1.yml: {player: osprey, began: 2026-01-02, ended: 2026-01-03}
    turns/R1T2.yml: {player: quill, began: 2026-01-03, ended: 2026-01-04}
    acts/a.md: {date: 2026-01-04, under: 206, does: "## Repeal Rule 206/0"}
    acts/b.md: {date: 2026-01-04, under: 207, by: wren, does: "## Repeal Rule 207/0"}
    acts/c.md: {date: 2026-01-04, under: 205, does: "## Repeal Rule 205/0"}
  gives: |
    2026-01-02: turn of turns/R1T1.yml: osprey begins R1T1 [Rule 208/0]
    2026-01-03: turn of turns/R1T1.yml: osprey ends R1T1 [Rule 208/0]
    2026-01-03: turn of turns/R1T2.yml: quill begins R1T2 [Rule 208/0]
    2026-01-04: turn of turns/R1T2.yml: quill ends R1T2 [Rule 208/0]
    2026-01-04: rule of acts/a.md: Rule 206/0 is repealed [Rule 206/0]
    2026-01-04: rule of acts/b.md: Rule 207/0 is repealed [Rule 207/0]
    2026-01-04: rule of acts/c.md: Repeal Rule 205/0 [no rule permits it]
    2026-01-04: acts/c.md is failed
    due: 2026-01-04: rules/204.md: Rule 204/0 stands (Rule 204); then it is repealed by itself;
        Rule 204/0 says of itself when it changes, and that time has come. ## Repeal Rule 204/0
    due: 2026-01-09: rules/201.md: Rule 201/0 stands, unless its text is amended (Rule 201);
        then it is changed by itself; Rule 201/0 says of itself when it changes, and that time
        has come. ## Amend Rule 201/0 ```yaml rule provisions: cap: {mutable: 9} ``` Evening.
    next: R1T3 of tallow
- case: Clocks run.
  until: 01-06
  provisions:
    deadline:
      - {for: turn, within: 3, with_proposal: 2, unless: all-voted, then: ends, idle: inactive}
      - {for: judgement, within: 4, then: replaced, costs: 2}
      - {for: vote, within: 7, then: inactive}
    turns: {order: alphabetical, overlap: true}
  files:
    turns/R1T1.yml: {player: osprey, began: 2026-01-02}
    turns/R1T2.yml: {player: quill, began: 2026-01-03, until: 2026-01-08}
    judgements/1.md:
      judge: tallow
      date: 2026-01-05
      status: pending
      points: [{player: wren, amount: 1, reason: rain}]
  proposals:
    301: {on: 01-03, votes: f..f, status: open, author: osprey, turn: R1T1}
    302: {on: 01-04, votes: ...., status: debate, author: osprey, turn: R1T1}
  gives: |
    2026-01-02: turn of turns/R1T1.yml: osprey begins R1T1 [Rule 201/0]
    2026-01-03: turn of turns/R1T2.yml: quill begins R1T2 [Rule 201/0]
    proposals/301.md: for osprey wren; missing quill tallow; 4 of 4 are eligible; 1 more for
        would do
    proposals/301.md: Rule 202: 2 for; more than half of eligible voters (4): more than 2
        needed, lacks more than half of eligible voters
    due: 2026-01-07: turns/R1T1.yml: R1T1 of osprey is being played (Rule 201); then R1T1 ends
        without a vote on 302, and quill, tallow are inactive; turns/R1T1.yml: ended 2026-01-07;
        players/quill.yml: inactive [{since: 2026-01-07}]; players/tallow.yml: inactive [{since:
        2026-01-07}]
    due: 2026-01-08: turns/R1T2.yml: R1T2 of quill is being played (Rule 201); then R1T2 ends,
        and quill is inactive; turns/R1T2.yml: ended 2026-01-08; players/quill.yml: inactive
        [{since: 2026-01-08}]
    due: 2026-01-09: judgements/1.md: Judgement 1 waits for tallow's ruling (Rule 201); then
        somebody other than tallow judges and tallow loses 2 points; judgements/1.md: judge None
        late [tallow] date 2026-01-09 points [{player: wren, amount: 1, reason: rain}, {player:
        tallow, amount: -2, reason: late, under: 201}]
    due: 2026-01-10: proposals/301.md: the vote on 301 waits for quill, tallow (Rule 201); then
        quill, tallow are inactive; players/quill.yml: inactive [{since: 2026-01-10}];
        players/tallow.yml: inactive [{since: 2026-01-10}]
    next: R1T3 of tallow
- case: "A turn passes by itself, unless its player has proposed something."
  until: 01-06
  provisions: {turns: {order: joined, passes_after: 3, overlap: true}}
  files:
    turns/R1T1.yml: {player: osprey, began: 2026-01-02}
    turns/R1T2.yml: {player: quill, began: 2026-01-05}
  proposals: {301: {on: 01-03, votes: ...., status: debate, author: osprey, turn: R1T1}}
  gives: |
    2026-01-02: turn of turns/R1T1.yml: osprey begins R1T1 [Rule 201/0]
    2026-01-05: turn of turns/R1T2.yml: quill begins R1T2 [Rule 201/0]
    due: 2026-01-08: turns/R1T2.yml: R1T2 of quill waits for a proposal (Rule 201); then R1T2
        passes by itself; turns/R1T2.yml: ended 2026-01-08 passed True
    next: R1T3 of tallow
- case: Nobody active would be left.
  until: 01-06
  provisions: {deadline: {for: vote, within: 1, then: inactive}}
  proposals: {301: {on: 01-03, votes: ...., status: open}}
  gives: |
    proposals/301.md: missing osprey quill tallow wren; 4 of 4 are eligible; 3 more for would do
    proposals/301.md: Rule 202: 0 for; more than half of eligible voters (4): more than 2
        needed, lacks more than half of eligible voters
    due: 2026-01-04: proposals/301.md: the vote on 301 waits for osprey, quill, tallow, wren
        (Rule 201); then nobody active would be left, so the players decide
"""


@pytest.mark.parametrize("case", cases_in(DUE))
def test_what_is_due_and_what_then(case: Any) -> None:
    assert came_of(case) == case["gives"]
