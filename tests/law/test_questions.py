"""The law is asked by the fields of a kind, and by what was in force: before an amendment the old
law, then the new.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, assert_type

import pytest
import yaml

from nomicgen.files.game_files import read_game
from nomicgen.files.yaml_writing import write_front_matter
from nomicgen.formats.styled_text import without_style
from nomicgen.law.precedence import Law, Said
from nomicgen.law.provisions.adoption import Adoption
from nomicgen.law.provisions.ballot import Ballot, TieBreak
from nomicgen.law.provisions.cap import Cap
from nomicgen.law.provisions.changeable import Changeable
from nomicgen.law.provisions.effect import Effect
from nomicgen.law.provisions.sunset import Sunset
from nomicgen.law.provisions.victory import Victory
from nomicgen.law.replay.run import replay
from nomicgen.law.replay.state import Rule
from nomicgen.play.preview.as_text import preview_text
from nomicgen.play.preview.proposal import preview
from tests.ledger import Ledger, day
from tests.worked import cases_in, decide, game_of, outcome_of, told_of

LAWS: dict[int, dict[str, Any]] = {
    101: {
        "ballot": {"debate": "2 days", "edits": "lapse"},
        "cap": {"mutable": "25"},
        "effect": {"after": "3 days"},
    },
    102: {
        "adoption": [{"needs": "majority"}, {"needs": "unanimous", "to": "repeal"}],
        "changeable": "always",
    },
    103: {"sunset": {"after": {"turns": "2"}, "becomes": "repealed"}, "victory": {"points": "100"}},
}


@pytest.fixture(scope="module")
def law() -> Law:
    records, played = Ledger.start(LAWS).play()
    return Law.of(played.initial, records.settings, None)


def test_a_field_is_asked_by_its_name_in_the_schema(law: Law) -> None:
    assert_type(law.says(Ballot.debate), Said[int] | None)
    assert_type(law.value(Ballot.debate), int | None)
    assert_type(law.value(Ballot.tie_break), TieBreak | None)
    assert_type(law.value(Ballot.edits), Literal["stand", "lapse", "forbidden"] | None)
    assert_type(law.value(Changeable.when), Literal["always", "texts"] | None)
    assert_type(law.value(Victory.points), Fraction | None)
    assert law.says(Ballot.debate) == Said(2, 101, 0)
    assert (law.value(Ballot.edits), law.value(Ballot.tie_break)) == ("lapse", None)
    assert (law.value(Changeable.when), law.value(Victory.points)) == ("always", Fraction(100))


def test_a_field_may_be_made_of_several_keys(law: Law) -> None:
    assert_type(law.value(Effect.moment), str | int | None)
    assert (law.value(Effect.moment), Effect(after=3).moment, Effect(when="at-once").moment) == (
        3,
        3,
        "at-once",
    )


def test_tiers_lists_and_what_is_a_rule_s_own(law: Law) -> None:
    assert_type(law.of_tier(Cap, "mutable"), Said[int] | None)
    assert_type(law.every(Adoption), tuple[tuple[Rule, Adoption], ...])
    assert law.of_tier(Cap, "mutable") == Said(25, 101, 0)
    assert law.of_tier(Cap, "immutable") is None
    assert [(rule.number, needs.needs) for rule, needs in law.every(Adoption)] == [
        (102, "majority"),
        (102, "unanimous"),
    ]
    (sunset,) = Ledger.start(LAWS).play()[1].initial.rules[103].law.of(Sunset)
    assert_type(sunset, Sunset)
    assert sunset.after.turns == 2


def test_nothing_but_a_field_is_asked(law: Law) -> None:
    with pytest.raises(AttributeError, match="debat"):
        law.says(Ballot.debat)  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match="'debate' is no field of a kind of provision"):
        law.says("debate")
    with pytest.raises(TypeError, match="is no field"):
        law.value(Cap.tiers)
    with pytest.raises(TypeError, match=r"no rule decides adoption.needs alone"):
        law.says(Adoption.needs)


def test_a_provision_still_reads_its_own_keys() -> None:
    ballot = Ballot(debate=3)
    assert_type(ballot.debate, int | None)
    assert (ballot.debate, ballot.silence, ballot.over, ballot.said) == (3, None, (), ("debate",))


CASES: Mapping[str, dict[str, Any]] = yaml.load(
    Path(__file__).with_name("amended.yml").read_text("utf-8"), Loader=yaml.BaseLoader
)


def amendment(case: Mapping[str, Any]) -> str:
    block = yaml.safe_dump(
        {"provisions": case["amended"]}, sort_keys=False, default_flow_style=True, width=1000
    )
    return f"## Amend Rule 201/0\n\n```yaml rule\n{block}```\n\nAs it is read now."


def played(case: Mapping[str, Any]) -> Ledger:
    made = game_of({key: case[key] for key in ("provisions", "players", "files") if key in case})
    if "before" in case:
        decide(made, case["before"], 301, "01")
    votes = dict.fromkeys(("osprey", "quill", "tallow", "wren"), "for") | case.get("votes", {})
    made.proposal(
        302, "02-01", amendment(case), votes="....", more=votes, **case.get("adoption", {})
    )
    decide(made, case["after"], 303, "03")
    return made


@pytest.mark.parametrize("name", CASES)
def test_a_game_obeys_the_old_law_before_and_the_new_law_after(name: str) -> None:
    case = CASES[name]
    told, effects = outcome_of(played(case), 301, 303)
    wanted = [" ".join(line.split()) for line in case["gives"]]
    assert [line for line in wanted if line not in effects] == told


@pytest.mark.parametrize("name", CASES)
def test_a_preview_says_what_an_amendment_changes(name: str) -> None:
    case = CASES[name]
    made = game_of({key: case[key] for key in ("provisions", "players") if key in case})
    path = "proposals/try.md"
    made.tree[path] = write_front_matter(
        {"author": "osprey", "status": "draft"}, f"Why.\n\n{amendment(case)}"
    )
    records, _ = read_game(made.tree)
    now = replay(records, day("02-01"))
    draft = records.proposal(path)
    assert draft is not None
    shown = preview_text(preview(draft, records, now, now.findings, day("02-01"), path))
    text = " ".join(" ".join(without_style(line) for line in shown).split())
    for line in case["preview"]:
        assert " ".join(line.split()) in text
    assert case["preview"]


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
        turn it is, and no turn is played on 2026-01-03
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
      > write `overruled_by: [...]` with everyone who voted to overrule it, or bring `status:
        upheld` back
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
      > write `overruled_by: ` and the number of that judgement, or bring `status: upheld`
        back
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
