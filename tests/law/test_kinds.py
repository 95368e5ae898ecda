"""Each kind of provision is one module: whatever it lacks fails here by its name."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from nomicgen.law.examples import examples_of, meaning_of
from nomicgen.law.judging_kind import JudgingKind
from nomicgen.law.kind import Kind, Provision
from nomicgen.law.kinds import kinds, module_of
from nomicgen.law.reading import parse_provisions
from nomicgen.law.sentences import sentences
from tests.worked import cases_in, fields_of, game_of, outcome_of, told_of

EXAMPLES = [(kind, index) for kind in kinds() for index in range(len(examples_of(kind)))]


@pytest.mark.parametrize("name", kinds())
def test_a_kind_has_all_that_its_module_must_have(name: str) -> None:
    module, kind = module_of(name), kinds()[name]
    assert isinstance(kind, Kind)
    assert issubclass(kind.schema, Provision)
    assert {"EXAMPLES", "KIND"} <= set(vars(module))
    assert kind.schema.__doc__
    assert kind.schema.__doc__ != Provision.__doc__, (
        "the schema's docstring stands on the reference's page"
    )
    assert len(meaning_of(name)) > 20, "so does the module's docstring"
    assert examples_of(name), "a kind without an example"
    assert all(one.description for one in kind.schema.keys.values()), "a key without a description"
    hinders = isinstance(kind, JudgingKind) and (kind.demands or kind.hinders)
    assert kind.affects_changeability or not hinders, (
        "`affects_changeability` says whether votes can change rules for ever"
    )


@pytest.mark.parametrize("name", kinds())
def test_every_key_of_a_kind_has_an_example(name: str) -> None:
    shown = set[str]().union(*(fields_of(example, name) for example in examples_of(name)))
    assert set(kinds()[name].schema.keys) - {"over", "under"} <= shown


@pytest.mark.parametrize(("name", "index"), EXAMPLES)
def test_an_example_gives_what_it_says(name: str, index: int) -> None:
    example: Any = examples_of(name)[index]
    told, effects = outcome_of(game_of(example))
    wanted = [" ".join(line.split()) for line in example["gives"]]
    assert [line for line in wanted if line not in effects] == told
    assert wanted
    assert example["case"].endswith(".")


@pytest.mark.parametrize(("name", "index"), EXAMPLES)
def test_an_example_reads_as_sentences(name: str, index: int) -> None:
    example: Any = examples_of(name)[index]
    provisions, problems = parse_provisions(example["provisions"], ("immutable", "mutable"))
    assert problems == ()
    assert name in provisions.kinds
    for one in sentences(provisions):
        assert one[0].isupper()
        assert one.endswith(".")


READ = """\
- adoption: {needs: majority, tied: adopted, unvoted: defeated}
  reads: Rule-changes need the votes of more than half of eligible voters; votes that are tied
    are enough; where nobody votes, that is not enough.
- adoption: {needs: majority, tied: defeated, unvoted: adopted, under: [203, 204]}
  reads: Rule-changes need the votes of more than half of eligible voters; votes that are tied
    are not enough; where nobody votes, that is enough. It gives way to Rules 203 and 204.
- adoption: {needs: {at_least: 2}, of: cast, and: {needs: majority, of: players}}
  reads: Rule-changes need at least 2 votes, and the votes of more than half of all players.
- awards: {in: turn, by: author, to: self, amount: "-1"}
  reads: Whoever a turn is by may give −1 point to the giver, with the reason.
- awards:
    {in: [act, proposal], by: {role: umpire}, to: {role: cat}, at_most: 3, in_all: 1, once: true,
     on: [adopted, defeated]}
  reads: An umpire may give at most 3 points in an act or a proposal to a cat, when a proposal
    is adopted or a proposal is defeated, up to 1 point in all, once to each player, with the
    reason.
- awards: {in: act, between: [cat, dog, cow], to: others}
  reads: >-
    An act may give points to others, for a change of role: a player is one of cat,
    dog and cow, with the reason.
- awards: {in: [judgement, turn], on: [judged, turn, passed]}
  reads: A judgement or a turn may give points, when a judgement is given, a turn ends or a turn
    is passed, with the reason.
- ballot: {quorum: {at_least: 3}}
  reads: A proposal is adopted only with at least 3 ballots.
- ballot: {quorum: {more_than: "50%", of: players}, signed: true}
  reads: A proposal is adopted only with the ballots of more than half of all players; only a
    vote counts that its voter signed.
- ballot: {weights: strength, signed: false}
  reads: A vote need not be signed; a vote counts as many votes as its voter's file says.
- ballot: {weights: {speaker: 2, umpire: 0}}
  reads: The vote of a speaker counts 2 and the vote of an umpire counts 0.
- ballot: {electorate_at: opening, inactive_may_vote: true}
  reads: Who may vote is settled when the vote opens; an inactive player may vote, and is active
    again.
- ballot: {electorate_at: close, inactive_may_vote: false}
  reads: Who may vote is settled when the vote is decided; no inactive player may vote.
- ballot: {withdrawal: until-decided, edits: stand}
  reads: An author may withdraw a proposal until it is decided; votes stand when the title or
    the argument changes.
- ballot: {withdrawal: when-inactive, edits: lapse}
  reads: A proposal is withdrawn only if its author has become inactive; votes lapse when the
    title or the argument changes.
- ballot: {withdrawal: never, edits: forbidden}
  reads: An author may not withdraw a proposal; nothing of a proposal may change while the vote
    on it is open.
- deadline:
    {for: turn, within: 3, with_proposal: 1, unless: all-voted, then: ends, idle: inactive}
  reads: A turn lasts 3 days; a day more with a proposal, unless everyone has voted by then and
    nobody has asked for a judgement; then it ends; whoever has not proposed or voted by then is
    inactive.
- deadline: {for: judgement, within: 1, then: replaced, costs: 3}
  reads: A judge rules within a day; then somebody else judges; a late judge loses 3 points.
- deadline: {for: vote, within: 7, then: inactive}
  reads: Everyone votes within 7 days; then the silent are inactive.
- deadline: {for: resubmission, within: 2}
  reads: A vote may begin again within 2 days of the beginning of the turn.
- effect: {after: 2, own_day: true, impossible: that}
  reads: An adopted change takes effect 2 days after the decision. A proposal may name a later
    day for itself. Where one change of a proposal cannot be made, the other changes are made
    all the same.
- effect: {own_day: false, impossible: all}
  reads: A proposal may not name a later day for itself. Where one change of a proposal cannot
    be made, it changes nothing at all.
- entrenchment: {immutable: []}
  reads: Immutable rules may not be changed at all.
- entrenchment: {immutable: [transmute], mutable: [amend, repeal]}
  reads: Immutable rules may only be transmuted; mutable rules may only be amended or repealed.
- guards: {keep: [victory, adoption]}
  reads: No change may take away the last provision of `victory` or `adoption`.
- judgements: {judge: next, overruled_until: next-turn}
  reads: The judge is the player after the one whose turn it is, and the one after that if
    overruled; a judgement may be overruled before the next turn begins.
- judgements: {judge: {role: umpire}, never: [caller], overruled_until: 1, voids: any}
  reads: The judge is an umpire, and another one if overruled; nobody judges a question that
    they asked; a judgement may be overruled within a day; a judgement may void a proposal.
- judgements: {judge: anyone, never: [author], voids: offended}
  reads: Any player may judge; nobody judges a question about their own proposal; a judgement
    may void a proposal that offends a rule in force.
- numbering:
    {first: 301, enacted: proposal, amended: proposal, transmuted: proposal, taken: next-free}
  reads: Proposals are numbered from 301; a newly enacted rule takes its proposal's number; an
    amended rule takes its proposal's number; a transmuted rule takes its proposal's number; in
    place of a number that is taken, the next free one is given.
- numbering: {enacted: next, amended: keep, transmuted: keep, taken: error}
  reads: A newly enacted rule takes the next free number; an amended rule keeps its number; a
    transmuted rule keeps its number; a number that is taken may not be given.
- seconding: {seconds: 1}
  reads: A vote opens only when 1 player other than the author has seconded its proposal.
- seconding: {seconds: 2}
  reads: A vote opens only when 2 players other than the author have seconded its proposal.
- stay: {of: vote}
  reads: While a judgement is pending, the vote on the proposal that it is about does not open.
- stay: {of: [next-turn, vote]}
  reads: While a judgement is pending, the next turn begins only if more than half of the other
    players consent and the vote on the proposal that it is about does not open.
- cap: {mutable: 1, immutable: 2}
  reads: There may be at most 1 mutable rule and 2 immutable rules.
- turns: {own_turn: true, votes_in_order: true, proposals: 2}
  reads: A turn has up to 2 proposals, all its player's; players propose in their own turn only;
    the vote on a turn's proposal opens after the votes of earlier turns have ended.
- turns: {own_turn: false, votes_in_order: false, proposal_required: voted}
  reads: Anybody may propose in a turn; a turn must have a proposal, voted on before its die is
    thrown and it ends; votes need not follow the order of turns.
- authority: {by: act, to: enact, numbers: {from: 601}, when: turn-begins, defers: true}
  reads: An act under this rule may enact rules numbered from 601 when a turn begins; rules that
    it enacts supersede no other.
- authority: {by: judgement, to: [amend, repeal, void]}
  reads: A judgement under this rule may amend, repeal or void rules.
- points: {on: turn, to: player, die: 6, over: [1, 2]}
  reads: At the end of a turn that is not passed, the player whose turn it was gets the throw of
    a die of 6 sides. It goes before what Rules 1 and 2 say about this.
- points: {on: passed, to: {role: umpire}, die: 4}
  reads: At the end of a turn that is passed, the player whose turn it was, if a holder of the
    role umpire, gets the throw of a die of 4 sides.
- points: {on: defeated, to: for, amount: 1, times: changes, if: unanimity-needed}
  reads: When a proposal that needed every eligible vote is defeated, each voter for gets 1
    point for each change in it.
- points: {on: decided, to: against, amount: 1, times: share-for}
  reads: When a proposal is decided, each voter against gets 1 point times the share of votes
    for, abstentions not counted.
"""


@pytest.mark.parametrize("entry", yaml.load(READ, Loader=yaml.BaseLoader))
def test_a_provision_reads_as_one_sentence(entry: dict[str, Any]) -> None:
    """What no example of its kind says."""
    provisions, _ = parse_provisions(
        {kind: said for kind, said in entry.items() if kind != "reads"}, ("immutable", "mutable")
    )
    assert sentences(provisions) == (entry["reads"],)


def test_a_field_that_one_rule_decides_is_none_where_it_is_left_out() -> None:
    """So `unsaid` and the default are the same, and a law falls back on the next rule."""
    for name, kind in kinds().items():
        if kind.combines == "fields" and not kind.as_word:
            empty: Any = kind.schema.read({})
            assert {getattr(empty, field) for field in kind.schema.keys} <= {None, ()}, name


def test_a_judge_who_stays_does_not_pay_again_and_again() -> None:
    raw = {"deadline": {"for": "judgement", "within": "3", "costs": "3"}}
    (problem,) = parse_provisions(raw, ("immutable", "mutable"))[1]
    assert problem.path == ("deadline", "costs")
    raw["deadline"]["then"] = "replaced"
    assert parse_provisions(raw, ("immutable", "mutable"))[1] == ()


DEEDS_AND_OPENINGS = """\
- case: "No rule speaks of such a deed, but of another one."
  provisions: {seconding: {seconds: 1}}
  proposals:
    301: {on: 01-02, status: debate, votes: ....,
      deeds: [{do: praise, by: quill, at: 2026-01-02}]}
  gives: |
    seconds-few proposals/301.md:6:9 (Rule 201)
      Rule 201 asks for 1 other player to second it before the vote opens, and there are none
      > `nomicgen do second 301 --player ID` records another player's second
      ~ It waits until 1 more player seconds it (Rule 201)
    deed-unlawful proposals/301.md:9:9
      no rule lets a player praise proposal 301
      > delete the entry; the rules let players do `second`
- case: No rule lets players do anything of that kind.
  provisions: {victory: {points: 9}}
  proposals:
    301: {on: 01-02, status: debate, votes: ....,
      deeds: [{do: second, by: quill, at: 2026-01-02}]}
  gives: |
    deed-unlawful proposals/301.md:9:9
      no rule lets a player second proposal 301
      > delete the entry; the rules let players do nothing of that kind
- case: A deed is about another kind of thing than it can be.
  provisions: {seconding: {seconds: 1}, stay: {of: next-turn}}
  files:
    judgements/1.md:
      judge: wren
      date: 2026-01-03
      status: pending
      deeds: [{do: second, by: quill, at: 2026-01-04}]
    turns/R1T1.yml:
      player: osprey
      began: 2026-01-05
      deeds: [{do: waive, by: quill, at: 2026-01-05}]
  gives: |
    deed-unlawful judgements/1.md:7:9
      no rule lets a player second judgement 1
      > delete the entry; the rules let players do `second`, `waive`
    deed-unlawful turns/R1T1.yml:4:9
      no rule lets a player waive R1T1
      > delete the entry; the rules let players do `second`, `waive`
- case: "Seconds that come too early, twice, of the author, or of nobody who plays."
  provisions: {seconding: {seconds: 1}}
  players: {tallow: {left: 2026-01-01}}
  proposals:
    301:
      on: 01-02
      status: debate
      votes: ....
      deeds:
        - {do: second, by: quill, at: 2026-01-01}
        - {do: second, by: tallow, at: 2026-01-02}
        - {do: second, by: wren, at: 2026-01-02}
        - {do: second, by: quill, at: 2026-01-02}
        - {do: second, by: nobody, at: 2026-01-02}
  gives: |
    deed-unlawful proposals/301.md:9:9 (Rule 201)
      quill seconds proposal 301 on 2026-01-01; that could be done from 2026-01-02
      > do it again, or correct `at`
    deed-unlawful proposals/301.md:12:9 (Rule 201)
      tallow does not play on 2026-01-02, and seconds proposal 301
      > delete the entry
    deed-unlawful proposals/301.md:15:9 (Rule 201)
      wren is the author of proposal 301: nobody seconds their own
      > delete the entry
    deed-unlawful proposals/301.md:18:9 (Rule 201)
      quill has seconded proposal 301 already
      > delete the entry
    deed-unlawful proposals/301.md:21:9 (Rule 201)
      nobody does not play on 2026-01-02, and seconds proposal 301
      > delete the entry
    reference-unknown proposals/301.md:22:9
      there is no players/nobody.yml
      > correct the name, or add what it names
- case: "A vote has opened with too few seconds; another proposal waits for its seconds."
  provisions: {seconding: {seconds: 3}}
  proposals:
    301:
      on: 01-02
      status: open
      votes: ....
      opened: 2026-01-03
      deeds: [{do: second, by: quill, at: 2026-01-04}]
    302:
      on: 01-02
      status: debate
      votes: ....
      deeds: [{do: second, by: quill, at: 2026-01-02}]
  gives: |
    seconds-few proposals/301.md:6:9 (Rule 201)
      Rule 201 asks for 3 other players to second it before the vote opens, and there are none
      > the vote is void: set `status: debate`, delete `opened`, `digest` and `votes`, and
        open it again once enough players second it
      ~ It waits until 3 more players second it (Rule 201)
    deed-unlawful proposals/301.md:9:9 (Rule 201)
      quill seconds proposal 301 on 2026-01-04, and its vote opened on 2026-01-03
      > delete the entry
    seconds-few proposals/302.md:6:9 (Rule 201)
      Rule 201 asks for 3 other players to second it before the vote opens, and there is 1
      > `nomicgen do second 302 --player ID` records another player's second
      ~ It waits until 2 more players second it (Rule 201)
- case: "Who has consented does not do so again, nor does who plays next."
  provisions: {stay: {of: next-turn}, turns: {order: alphabetical}}
  files:
    turns/R1T1.yml: {player: osprey, began: 2026-01-02, ended: 2026-01-04}
    judgements/1.md:
      judge: wren
      date: 2026-01-03
      status: pending
      deeds:
        - {do: waive, by: tallow, at: 2026-01-04}
        - {do: waive, by: tallow, at: 2026-01-04}
        - {do: waive, by: quill, at: 2026-01-04}
    turns/R1T2.yml: {player: quill, began: 2026-01-05}
  gives: |
    deed-unlawful judgements/1.md:10:9 (Rule 201)
      tallow has waived judgement 1 already
      > delete the entry
    deed-unlawful judgements/1.md:13:9 (Rule 201)
      quill waives judgement 1, and R1T2 is theirs; Rule 201 asks the other players
      > delete the entry
    judgement-pending turns/R1T2.yml:2:8 (Rule 201)
      R1T2 begins while Judgement 1 is pending; Rule 201 asks for the consent of more than
        half of the other players (3), and 1 consents
      > give the judgement; or each who consents comments `/waive 1` on a pull request, or
        types `nomicgen do waive 1 --player ID`
- case: "Where only votes wait for a judgement, nobody is asked to consent."
  provisions: {stay: {of: vote}}
  files:
    judgements/1.md:
      judge: wren
      date: 2026-01-03
      status: pending
      deeds: [{do: waive, by: tallow, at: 2026-01-04}]
  gives: |
    deed-unlawful judgements/1.md:7:9
      tallow waives judgement 1, and no rule in force lets the next turn wait for it
      > delete the entry
- case: "Before the first turn nobody is asked to consent; the vote waits."
  provisions: {stay: {of: [next-turn, vote]}}
  proposals: {301: {on: 01-04, status: debate, votes: ....}}
  files:
    judgements/1.md:
      judge: wren
      date: 2026-01-03
      status: pending
      proposal: 301
      deeds: [{do: waive, by: tallow}]
  gives: |
    deed-unlawful judgements/1.md:8:9 (Rule 201)
      tallow waives judgement 1, and no turn has been played
      > delete the entry
    judgement-pending proposals/301.md:6:9 (Rule 201)
      the vote on Proposal 301 opens while Judgement 1, which is about it, is pending
      > the vote is void: set `status: debate`, delete `opened`, `digest` and `votes`, and
        open it again when the judgement is given
      ~ It waits for Judgement 1 (Rule 201), and then its vote can open
- case: Proposals are withdrawn after their votes opened.
  provisions: {ballot: {withdrawal: until-opened}}
  proposals:
    301: {on: 01-02, status: withdrawn, votes: f..., decided: 2026-01-03}
    302: {on: 01-02, status: void, votes: ffff}
  gives: |
    withdrawal-late proposals/301.md:5:9 (Rule 201)
      Proposal 301 was withdrawn when the vote on it had opened; Rule 201 allows that only
        before
      > put back `status: open`, delete `decided`, then `nomicgen proposal resolve 301`
    withdrawal-late proposals/302.md:5:9 (Rule 201)
      Proposal 302 was called void when everyone had voted on it; Rule 201 allows that only
        before
      > put back `status: open`, delete `decided`, then `nomicgen proposal resolve 302`
- case: Proposals are never withdrawn.
  provisions: {ballot: {withdrawal: never}}
  proposals: {301: {on: 01-02, status: withdrawn, votes: ....}}
  gives: |
    withdrawal-late proposals/301.md:5:9 (Rule 201)
      Proposal 301 was withdrawn; Rule 201 never allows that
      > put back `status: open`, delete `decided`, then `nomicgen proposal resolve 301`
- case: Proposals are withdrawn only of who has become inactive.
  provisions: {ballot: {withdrawal: when-inactive}}
  proposals: {301: {on: 01-02, status: withdrawn, votes: ...., decided: 2026-01-02}}
  gives: |
    withdrawal-late proposals/301.md:5:9 (Rule 201)
      Proposal 301 was withdrawn; Rule 201 allows that only when wren is inactive
      > put back `status: open`, delete `decided`, then `nomicgen proposal resolve 301`
- case: Votes open before the debate is over.
  provisions: {ballot: {debate: 2}}
  proposals:
    301: {on: 01-02}
    302: {on: 01-02, status: open, date: 2026-01-03, opened: 2026-01-03}
  gives: |
    debate-short proposals/301.md:6:9 (Rule 201)
      the vote opened on 2026-01-02; Rule 201 leaves 2 days for debate, so not before
        2026-01-04
      > correct `opened` or `date`, if a day is wrong; else the vote is void: set `status:
        debate`, delete `opened`, `digest`, `votes` and `decided`, and open it again from
        2026-01-04 on
      ~ It is in debate until 2026-01-04 (Rule 201), and then its vote can open
    debate-short proposals/302.md:6:9 (Rule 201)
      the vote opened on 2026-01-03; Rule 201 leaves 2 days for debate, so not before
        2026-01-05
      > correct `opened` or `date`, if a day is wrong; else the vote is void: set `status:
        debate`, delete `opened`, `digest` and `votes`, and open it again from 2026-01-05 on
      ~ It is in debate until 2026-01-05 (Rule 201), and then its vote can open
- case: A debate goes on.
  until: 01-03
  provisions: {ballot: {debate: 2}}
  proposals: {301: {on: 01-02, status: debate, votes: ....}}
  gives: |
    debate-short proposals/301.md:4:7 (Rule 201)
      Rule 201 leaves 2 days for debate: the vote opens on 2026-01-04 or later
      > wait until 2026-01-04, or correct `date`
      ~ It is in debate until 2026-01-04 (Rule 201), and then its vote can open
- case: "A vote is held again on other words, and cannot be withdrawn."
  provisions: {ballot: {resubmissions: 0, edits: forbidden, withdrawal: until-opened}}
  proposals:
    301:
      on: 01-02
      ballot: abcdefghjk
      status: open
      earlier:
        - opened: 2026-01-02
          ended: 2026-01-02
          ballot: abcdefghjm
          digest: 0000000000000000000000000000000000000000000000000000000000000000
  gives: |
    resubmissions-many proposals/301.md:13:3 (Rule 201)
      put to the vote again 1 time; Rule 201 allows 0
      > let the earlier vote go on
    digest-differs proposals/301.md:17:9 (Rule 201)
      put to the vote again with other words; Rule 201 forbids that
      > bring back the text that was voted on before
    digest-differs proposals/301.md:17:9
      title, argument, instructions or `commences` changed after the vote opened
      > bring back the text that was voted on (`git diff proposals/301.md` shows a change that
        is not committed, `git log -p proposals/301.md` one that is)
- case: "A vote is held again on other words, and can be withdrawn."
  provisions: {ballot: {resubmissions: 0, edits: forbidden}}
  proposals:
    301:
      on: 01-02
      ballot: abcdefghjk
      status: open
      earlier:
        - opened: 2026-01-02
          ended: 2026-01-02
          ballot: abcdefghjm
          digest: 0000000000000000000000000000000000000000000000000000000000000000
  gives: |
    resubmissions-many proposals/301.md:13:3 (Rule 201)
      put to the vote again 1 time; Rule 201 allows 0
      > withdraw it, and put forward another proposal
    digest-differs proposals/301.md:17:9 (Rule 201)
      put to the vote again with other words; Rule 201 forbids that
      > bring back the text that was voted on before, or withdraw it, and put forward another
        proposal
    digest-differs proposals/301.md:17:9
      title, argument, instructions or `commences` changed after the vote opened
      > bring back the text that was voted on (`git diff proposals/301.md` shows a change that
        is not committed, `git log -p proposals/301.md` one that is), or take it back:
        `nomicgen proposal withdraw 301`
"""


@pytest.mark.parametrize("case", cases_in(DEEDS_AND_OPENINGS))
def test_what_is_told_of_deeds_and_openings(case: Any) -> None:
    assert told_of(case) == case["gives"]


def test_a_consent_stays_lawful_when_the_judgement_is_given() -> None:
    """It was recorded while the judgement was pending, though the file no longer says so."""
    deeds = [{"do": "waive", "by": who, "at": "2026-01-04"} for who in ("osprey", "tallow")]
    files = {
        "turns/R1T1.yml": {"player": "osprey", "began": "2026-01-02", "ended": "2026-01-04"},
        "turns/R1T2.yml": {"player": "quill", "began": "2026-01-05"},
    }
    for status in ("pending", "upheld"):
        asked = {"judge": "wren", "date": "2026-01-03", "status": status, "deeds": deeds}
        case = {
            "provisions": {"stay": {"of": "next-turn"}, "turns": {"order": "alphabetical"}},
            "files": {**files, "judgements/1.md": asked},
        }
        assert told_of(case) == ""
