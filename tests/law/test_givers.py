"""Points given by hand: who may give them, to whom, how many in all, and on what occasion."""

from __future__ import annotations

from typing import Any

import pytest

from nomicgen.law.reading import parse_provisions
from nomicgen.law.sentences import sentences
from tests.awards import MAJORITY, award
from tests.ledger import Ledger, day
from tests.turns import NEW
from tests.worked import cases_in, told_of

POET = {"in": "act", "to": "self"}
HERALD = {"roles": [{"role": "herald", "since": day("01-02"), "until": day("01-08")}]}
BODY = "Is it?\n\n## Ruling\n\nIt is.\n"


def game(*awards: dict[str, Any]) -> Ledger:
    """Rules 205, 206 and so on let points be given so; Wren is the herald from 01-02 to 01-07."""
    rules = {number: {"awards": said} for number, said in enumerate(awards, 205)}
    return Ledger.start({203: MAJORITY, **rules}).player("wren", **HERALD)


def act(made: Ledger, by: str | None, *points: dict[str, Any], on: str = "01-05") -> list[str]:
    return reasons(made.act("one", on, "", points=list(points), **({"by": by} if by else {})))


def reasons(made: Ledger) -> list[str]:
    return [one.split(": ", 1)[1] for one in made.told()]


def test_who_holds_a_role_gives() -> None:
    herald = {"in": "act", "by": {"role": "herald"}}
    one = award("quill", 2)
    assert act(game(herald), "wren", one) == []
    why = "an act gives quill 2 points; Rule 205 lets a herald give points, and {} (Rule 205)"
    assert act(game(herald), "tallow", one) == [why.format("tallow is none")]
    assert act(game(herald), None, one) == [why.format("the file does not say who gives them")]
    assert act(game(herald), "wren", one, on="01-01") == act(game(herald), "wren", one, on="01-08")
    assert act(game(herald), "wren", one, on="01-08") == [why.format("wren is none")]


def test_the_giver_is_whom_a_file_is_by() -> None:
    said = {"in": ["proposal", "judgement", "turn", "act"], "by": {"role": "herald"}}
    points = [award("quill", 2)]
    for who, slugs in (("wren", []), ("tallow", ["points-unlawful"])):
        assert game(said).act("one", "01-05", "", by=who, points=points).slugs() == slugs
        assert game(said).judgement(1, "01-05", BODY, judge=who, points=points).slugs() == slugs
        assert game(said).turn("R1T1", who, "01-04", "01-05", points=points).slugs() == slugs
        assert game(said).turn("R1T1", who, "01-04", points=points).slugs("01-06") == slugs
        assert game(said).proposal(301, "01-05", NEW, author=who, points=points).slugs() == slugs


def test_somebody_has_to_give() -> None:
    said = {"in": "act", "by": "author"}
    assert act(game(said), "tallow", award("quill", 2)) == []
    assert act(game(said), None, award("quill", 2)) == [
        "an act gives quill 2 points; Rule 205 lets whoever a file is by give points, and the "
        "file does not say who "
        "gives them (Rule 205)"
    ]


@pytest.mark.parametrize(
    ("to", "got", "why"),
    [
        ("others", "quill", ""),
        ("others", "tallow", "Rule 205 lets others get points, and tallow gives them"),
        ("self", "tallow", ""),
        ("self", "quill", "Rule 205 lets the giver get points, and quill is another"),
        ({"role": "herald"}, "wren", ""),
        ({"role": "herald"}, "quill", "Rule 205 lets a herald get points, and quill is none"),
    ],
)
def test_who_may_get_points(to: Any, got: str, why: str) -> None:
    found = act(game({"in": "act", "to": to}), "tallow", award(got, 2))
    assert found == ([f"an act gives {got} 2 points; {why} (Rule 205)"] if why else [])


def test_nobody_knows_who_the_others_are_where_the_giver_is_unknown() -> None:
    for to in ("others", "self"):
        (told,) = act(game({"in": "act", "to": to}), None, award("quill", 2))
        assert told.endswith("and the file does not say who gives them (Rule 205)")


def test_a_player_gets_an_award_once_from_a_file() -> None:
    """Pokey's bonus for a word: without a limit a poet could write it down for each of sixteen
    words.
    """
    said = [{**POET, "amount": "1", "once": "true"}, {**POET, "amount": "2", "once": "true"}]
    made = Ledger.start({203: MAJORITY, 205: {"awards": said}})
    made.act("two", "01-06", "", by="wren", points=[award("wren", 1)])
    assert act(made, "tallow", award("tallow", 1), award("tallow", 2)) == []
    made = Ledger.start({203: MAJORITY, 205: {"awards": said}})
    assert act(made, "tallow", award("tallow", 2), award("tallow", 1), award("tallow", 1)) == [
        "an act gives tallow 1 point; Rule 205 lets a file give them once to a player, and it "
        "has given them (Rule 205)"
    ]
    assert [one.amount for one in made.play()[1].awards] == [2, 1]


def test_a_file_gives_so_many_in_all() -> None:
    said = {"in": "act", "in_all": "5"}
    assert act(game(said), "tallow", award("quill", 2), award("wren", -3)) == []
    made = game(said)
    assert act(made, "tallow", award("quill", 2), award("wren", -3), award("osprey", "1/2")) == [
        "an act gives osprey 1/2 points; Rule 205 lets a file give 5 points in all, and these "
        "would be 11/2 (Rule 205)"
    ]
    assert [f"{one.player} {one.amount}" for one in made.play()[1].awards] == ["quill 2", "wren -3"]
    # What is too many is not given, and what comes after it may have room.
    assert (
        len(act(game(said), "tallow", award("quill", 4), award("wren", 2), award("osprey", 1))) == 1
    )
    # Another file, and another rule, count anew.
    two = game(said).act("two", "01-06", "", points=[award("quill", 5)])
    assert act(two, "tallow", award("quill", 5)) == []
    assert act(game(said, said), "tallow", award("quill", 5), award("quill", 5)) == []
    assert len(act(game(said, said), "tallow", *[award("quill", 4)] * 3)) == 1


def occasions(on: Any) -> list[str]:
    """On which of all occasions points may be given where a rule says `on`."""
    points = [award("quill", 2)]
    files: dict[str, Ledger] = {
        name: game({"in": ["proposal", "judgement", "turn"], "on": on}) for name in OCCASIONS
    }
    files["adopted"].proposal(301, "01-05", NEW, points=points)
    files["defeated"].proposal(301, "01-05", NEW, "aaaa", status="defeated", points=points)
    files["void"].proposal(301, "01-05", NEW, status="void", points=points)
    files["judged"].judgement(1, "01-05", BODY, points=points)
    files["turn"].turn("R1T1", "wren", "01-04", "01-05", points=points)
    files["passed"].turn("R1T1", "wren", "01-04", "01-05", passed=True, points=points)
    return [name for name, made in files.items() if made.slugs() == []]


OCCASIONS = ("adopted", "defeated", "judged", "turn", "passed", "void")


def test_points_are_given_on_an_occasion() -> None:
    for one in OCCASIONS[:-1]:
        assert occasions(one) == [one]
    assert occasions(["adopted", "passed"]) == ["adopted", "passed"]


def test_an_act_has_no_occasion() -> None:
    said = {"in": ["act", "proposal"], "on": ["adopted", "defeated"]}
    assert act(game(said), "tallow", award("quill", 2)) == [
        "an act gives quill 2 points; Rule 205 lets points be given only when a proposal is "
        "adopted or a proposal "
        "is defeated (Rule 205)"
    ]


def test_each_line_needs_one_rule_and_several_rules_add_up() -> None:
    made = game(
        {"in": "act", "amount": "2", "by": {"role": "herald"}},
        {"in": "act", "amount": "1", "to": "others"},
    )
    assert act(made, "wren", award("wren", 2), award("quill", 1)) == []
    assert act(made, "tallow", award("quill", 2)) == [
        "an act gives quill 2 points; Rule 205 lets a herald give points, and tallow is none "
        "(Rule 205)"
    ]
    assert act(made, "tallow", award("tallow", 1)) == [
        "an act gives tallow 1 point; Rule 206 lets others get points, and tallow gives them "
        "(Rule 205)"
    ]


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (
            {"in": "act", "by": {"role": "herald"}},
            "A herald may give points in an act, with the reason.",
        ),
        (
            {"in": ["proposal", "turn"], "by": "author", "amount": "2", "to": "others"},
            "Whoever a proposal or a turn is by may give 2 points to others, with the reason.",
        ),
        (
            {"in": "judgement", "to": "self", "in_all": "5", "on": "judged"},
            "A judgement may give points to the giver, when a judgement is given, up to 5 points "
            "in all, with the reason.",
        ),
        (
            {"in": "turn", "to": {"role": "oldest"}, "on": ["turn", "passed"]},
            "A turn may give points to an oldest, when a turn ends or a turn is passed, with the "
            "reason.",
        ),
    ],
)
def test_the_sentence(said: dict[str, Any], words: str) -> None:
    provisions, problems = parse_provisions({"awards": said}, ("immutable", "mutable"))
    assert (sentences(provisions), problems) == ((words,), ())


@pytest.mark.parametrize(
    "said",
    [
        {"in": "act", "on": "adopted"},
        {"in": "proposal", "on": ["adopted", "judged"]},
        {"in": "act", "in_all": "0"},
        {"in": "act", "by": "others"},
        {"in": "act", "to": {"role": "herald", "other": "x"}},
        {"in": "act", "by": {}},
        {"in": "turn", "on": []},
    ],
)
def test_what_is_no_award(said: dict[str, Any]) -> None:
    assert parse_provisions({"awards": said}, ("immutable", "mutable"))[1]


JUDGES = """\
- case: Nobody holds the role of those who judge.
  provisions: {judgements: {judge: {role: umpire}}}
  files: {judgements/1.md: {judge: wren, date: 2026-01-03, status: upheld}}
  gives: |
    judge-wrong judgements/1.md:3:8 (Rule 201)
      wren judges; by Rule 201 the judge is an umpire, and nobody is one on 2026-01-03
      > let an umpire judge: correct `judge`, or `roles` in the file of a player
- case: "The turn says who judges, and a rule says who does not."
  provisions:
    judgements: {judge: previous, never: [caller, author]}
    turns: {order: alphabetical}
  proposals: {301: {on: 01-02, author: wren}}
  files:
    turns/R1T1.yml: {player: osprey, began: 2026-01-02, ended: 2026-01-04}
    judgements/1.md: {judge: tallow, date: 2026-01-03, status: upheld, called_by: tallow}
    judgements/2.md: {judge: wren, date: 2026-01-03, status: upheld, proposal: 301}
    judgements/3.md: {judge: quill, date: 2026-01-03, turn: R1T1, status: upheld}
    judgements/4.md: {judge: wren, date: 2026-01-06, turn: R1T1, status: upheld}
  gives: |
    judge-wrong judgements/1.md:3:8 (Rule 201)
      tallow judges, and called for it; Rule 201 forbids that
      > let somebody else judge: correct `judge`
    judge-wrong judgements/1.md:3:8 (Rule 201)
      tallow judges in R1T1 of osprey; by Rule 201 the judge is wren
      > write `judge: wren`, and let them judge
    judge-wrong judgements/2.md:3:8 (Rule 201)
      wren judges, and is the author of Proposal 301; Rule 201 forbids that
      > let somebody else judge: correct `judge`
    judge-wrong judgements/3.md:3:8 (Rule 201)
      quill judges in R1T1 of osprey; by Rule 201 the judge is wren
      > write `judge: wren`, and let them judge; or correct `turn`
    judge-wrong judgements/4.md:5:7 (Rule 201)
      R1T1 was not being played on 2026-01-06; by Rule 201 the turn says who judges
      > name the turn in which the judgement is given, or leave `turn` out
- case: A judge has left.
  provisions: {judgements: {judge: anyone}}
  players: {wren: {left: 2026-01-02}}
  files: {judgements/1.md: {judge: wren, date: 2026-01-03, status: upheld}}
  gives: |
    judge-wrong judgements/1.md:3:8 (Rule 201)
      wren judges, and does not play on 2026-01-03
      > let a player judge, as Rule 201 says: correct `judge`
- case: Judgements change rules where nobody knows who judges.
  provisions: {judgements: {judge: next}, authority: {by: judgement, to: repeal}}
  files:
    judgements/1.md:
      judge: tallow
      date: 2026-01-03
      status: upheld
      under: 201
      does: |-
        ## Ruling

        So.

        ## Repeal Rule 203/0
    turns/R1T1.yml: {player: osprey, began: 2026-01-05, ended: 2026-01-08}
    judgements/2.md:
      judge: tallow
      date: 2026-01-06
      status: upheld
      under: 201
      does: |-
        ## Ruling

        So.

        ## Repeal Rule 203/0
    judgements/3.md:
      judge: tallow
      date: 2026-01-06
      turn: R7T1
      status: upheld
      under: 201
      does: |-
        ## Ruling

        So.

        ## Repeal Rule 203/0
  gives: |
    judge-wrong judgements/1.md:13:1 (Rule 201)
      Judgement 1 changes rules, and by Rule 201 the judge is the player after the one whose
        turn it is, and no turn was played on 2026-01-03
      > delete the instructions, and propose the change; or give it when the judge is known
    judge-wrong judgements/2.md:13:1 (Rule 201)
      Judgement 2 changes rules, and by Rule 201 the judge is the player after the one whose
        turn it is, and no rule says who plays before or after whom in R1T1
      > delete the instructions, and propose the change; or give it when the judge is known
    reference-unknown judgements/3.md:5:7
      there is no turns/R7T1.yml
      > did you mean R1T1?
    judge-wrong judgements/3.md:14:1 (Rule 201)
      Judgement 3 changes rules, and by Rule 201 the judge is the player after the one whose
        turn it is, and there is no turn R7T1
      > delete the instructions, and propose the change; or give it when the judge is known
- case: A judgement changes rules where no rule says who judges.
  provisions: {authority: {by: judgement, to: repeal}}
  files:
    judgements/1.md:
      judge: tallow
      date: 2026-01-03
      status: upheld
      under: 201
      does: |-
        ## Ruling

        So.

        ## Repeal Rule 203/0
  gives: |
    judge-wrong judgements/1.md:13:1
      Judgement 1 changes rules, and no rule says who judges
      > delete the instructions, and propose the change; or first enact a rule with a
        `judgements` provision
- case: "A judgement is overruled by too few, and too late."
  provisions: {judgements: {overruled_by: others, overruled_until: next-turn}}
  files:
    turns/R1T1.yml: {player: osprey, began: 2026-01-02, ended: 2026-01-04}
    turns/R1T2.yml: {player: quill, began: 2026-01-05}
    judgements/1.md:
      judge: tallow
      date: 2026-01-03
      status: overruled
      overruled: 2026-01-08
      overruled_by: [wren]
  gives: |
    overruling-wrong judgements/1.md:6:12 (Rule 201)
      Judgement 1 is overruled on 2026-01-08; by Rule 201 that was possible until 2026-01-05
      > bring `status: upheld` back and delete `overruled`, or correct its day
    overruling-wrong judgements/1.md:7:15 (Rule 201)
      Judgement 1 is overruled; by Rule 201 all other players have to vote to overrule it, and
        it lacks osprey, quill
      > name all who voted so: `overruled_by: [...]` (in `judgement overrule`: --by ID), or
        bring `status: upheld` back
- case: A judge overrules their own judgement.
  provisions: {judgements: {overruled_by: judgement}}
  files:
    judgements/1.md:
      judge: tallow
      date: 2026-01-03
      status: overruled
      overruled: 2026-01-05
      overruled_by: 2
    judgements/2.md: {judge: tallow, date: 2026-01-05, status: upheld}
  gives: |
    overruling-wrong judgements/1.md:7:15 (Rule 201)
      Judgement 1 is overruled; by Rule 201 only a judgement by another judge, given by then,
        overrules it
      > write `overruled_by: N` (or type `--judgement N`), the number of that judgement, or
        bring `status: upheld` back
- case: No judgement voids a proposal.
  provisions: {judgements: {voids: none}}
  proposals: {301: {on: 01-02, status: void}}
  files: {judgements/1.md: {judge: tallow, date: 2026-01-03, status: upheld, voids: 301}}
  gives: |
    voids-unlawful judgements/1.md:6:8 (Rule 201)
      Judgement 1 voids Proposal 301; Rule 201 lets no judgement void a proposal
      > delete `voids`
- case: "Judgements void proposals that break no rule, or one that nobody knew."
  provisions: {judgements: {voids: offended}}
  proposals: {301: {on: 01-02, status: void}, 302: {on: 01-02, status: void}}
  files:
    judgements/1.md: {judge: tallow, date: 2026-01-03, status: upheld, voids: 301}
    judgements/2.md: {judge: tallow, date: 2026-01-03, status: upheld, voids: 302, under: 204}
  gives: |
    voids-unlawful judgements/1.md:6:8 (Rule 201)
      Judgement 1 voids Proposal 301, and names no rule in `under`; Rule 201 asks for one that
        the proposal breaks
      > name in `under` the rule that it breaks, which was in force at the decision, or delete
        `voids`
    voids-unlawful judgements/2.md:6:8 (Rule 201)
      Judgement 2 voids Proposal 302, and Rule 204 was not in force then; Rule 201 asks for
        one that the proposal breaks
      > name in `under` the rule that it breaks, which was in force at the decision, or delete
        `voids`
    reference-unknown judgements/2.md:7:8
      there never was a Rule 204
      > correct the name, or add what it names
"""


@pytest.mark.parametrize("case", cases_in(JUDGES))
def test_what_is_told_of_judges(case: Any) -> None:
    assert told_of(case) == case["gives"]
