"""The replay: what each instruction does, in which order, and under whose law."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomicgen.files.game_files import read_game
from nomicgen.law.replay.run import replay
from tests.deep import examples
from tests.ledger import UNANIMOUS, VOIDING, Ledger, day
from tests.worked import cases_in, told_of

SUBER = {
    "enacted": "proposal",
    "amended": "proposal",
    "transmuted": "proposal",
    "taken": "error",
    "changes": "1",
}


def game(**rules: dict[str, object]) -> Ledger:
    base: dict[int, dict[str, object]] = {
        101: {},
        108: {"numbering": {"first": "301", **SUBER}},
        203: dict(UNANIMOUS),
    }
    return Ledger.start(base | {int(number[1:]): one for number, one in rules.items()})


def test_an_amended_rule_takes_its_proposals_number_and_keeps_its_history() -> None:
    made = game().proposal(301, "02-01", "## Amend Rule 203/0\n\nNew text.")
    assert made.numbers() == ["101/0*", "108/0*", "301/1"]
    _, played = made.play()
    before, after = played.initial.rules[203], played.current.rules[301]
    assert (before.identity, after.text, after.provisions) == (
        after.identity,
        "New text.",
        before.provisions,
    )
    assert played.current.once_numbered(203) is after
    assert made.slugs() == []


def test_enactment_repeal_transmutation_retitling_renumbering_and_marks() -> None:
    made = (
        game(r202={})
        .proposal(301, "02-01", "## Enact Rule: Tea\n\nThere is tea.")
        .proposal(302, "02-02", "## Repeal Rule 202/0")
        .proposal(303, "02-03", "## Transmute Rule 101/0 to mutable")
        .proposal(304, "02-04", "## Retitle Rule 301/0: Coffee")
        .proposal(305, "02-05", "## Renumber Rule 303/0 to 305")
        .proposal(
            306,
            "02-06",
            "## Mark Rule 305/0\n\n```yaml rule\nnote: looked at twice\ndefines: [tea]\n```",
        )
    )
    assert made.numbers() == ["108/0*", "203/0", "301/0", "305/0"]
    _, played = made.play()
    assert played.current.rules[301].title == "Coffee"
    assert (played.current.rules[305].note, played.current.rules[305].defines) == (
        "looked at twice",
        ("tea",),
    )
    assert made.slugs() == []


def test_a_reenacted_rule_is_the_same_rule() -> None:
    made = (
        game(r202={})
        .proposal(301, "02-01", "## Repeal Rule 202/0")
        .proposal(302, "02-02", "## Enact Rule\n\n```yaml rule\nreenacts: 202\n```\n\nBack again.")
    )
    _, played = made.play()
    assert played.current.rules[302].identity == played.initial.rules[202].identity
    assert made.slugs() == []


def test_what_was_not_repealed_cannot_be_reenacted() -> None:
    made = game(r202={}).proposal(
        301, "02-01", "## Enact Rule\n\n```yaml rule\nreenacts: 202\n```\n\nTwice."
    )
    assert made.slugs() == ["instruction-impossible"]


def test_the_cap_moves_with_the_rule_that_says_it() -> None:
    made = game(r209={"cap": {"mutable": "2"}})
    made.proposal(301, "02-01", "## Enact Rule\n\nOne too many.")
    assert made.slugs() == ["cap-exceeded"]
    cap = "```yaml rule\nprovisions:\n  cap: {mutable: 3}\n```"
    moved = game(r209={"cap": {"mutable": "2"}}).proposal(
        301, "02-01", f"## Amend Rule 209/0\n\n{cap}\n\nThree."
    )
    moved.proposal(302, "02-02", "## Enact Rule\n\nJust room.")
    assert moved.slugs() == []
    moved.proposal(303, "02-03", "## Enact Rule\n\nNo more room.")
    (found,) = moved.applied().findings()
    assert (found.slug, found.rule, str(found.span)) == (
        "cap-exceeded",
        301,
        "proposals/303.md:18:1",
    )
    assert found.message == "this would leave 4 mutable rules; Rule 301 allows 3"


def test_an_old_vote_is_judged_by_the_law_of_its_own_day() -> None:
    majority = "```yaml rule\nprovisions:\n  adoption: {needs: majority, of: eligible}\n```"
    made = game().proposal(301, "02-02", f"## Amend Rule 203/0\n\n{majority}\n\nMost is enough.")
    made.proposal(302, "02-03", "## Enact Rule\n\nBy three to one.", votes="fffa")
    assert made.slugs() == []
    early = game().proposal(301, "02-02", "## Enact Rule\n\nBy three to one.", votes="fffa")
    early.proposal(302, "02-03", f"## Amend Rule 203/0\n\n{majority}\n\nMost is enough.")
    assert early.slugs() == ["votes-few"]


def test_a_void_rule_has_no_force() -> None:
    made = game(r209={"cap": {"mutable": "2"}}, r190=VOIDING)
    body = "## Ruling\n\nIt is void.\n\n## Mark Rule 209/0\n\n```yaml rule\nvoid: 2026-02-01\n```"
    made.judgement(1, "01-05", body, under=190)
    made.proposal(301, "01-20", "## Enact Rule\n\nToo early.")
    assert made.slugs() == ["cap-exceeded"]
    late = game(r209={"cap": {"mutable": "2"}}, r190=VOIDING)
    late.judgement(1, "01-05", body, under=190)
    late.proposal(301, "02-20", "## Enact Rule\n\nLate enough.")
    assert late.slugs() == []


def test_several_changes_take_the_next_free_number() -> None:
    made = Ledger.start(
        {
            101: {
                "numbering": {
                    "first": "301",
                    "enacted": "proposal",
                    "taken": "next-free",
                    "changes": "any",
                }
            },
            203: UNANIMOUS,
        }
    ).proposal(301, "02-01", "## Enact Rule\n\nOne.\n\n## Enact Rule\n\nTwo.")
    assert made.numbers() == ["101/0*", "203/0", "301/0", "302/0"]
    assert made.slugs() == []


def test_an_instrument_is_carried_out_whole_or_not_at_all() -> None:
    made = Ledger.start({101: {"numbering": {"changes": "any"}}, 203: UNANIMOUS})
    made.proposal(301, "02-01", "## Enact Rule\n\nFine.\n\n## Repeal Rule 999/0")
    assert made.slugs() == ["rule-unknown"]
    assert made.numbers() == ["101/0*", "203/0"]


def test_every_reference_means_the_state_before_the_proposal() -> None:
    made = Ledger.start(
        {101: {"numbering": {"changes": "any", "amended": "keep"}}, 202: {}, 203: UNANIMOUS}
    )
    made.proposal(301, "02-01", "## Amend Rule 202/0\n\nOnce.\n\n## Amend Rule 202/0\n\nTwice.")
    assert made.numbers() == ["101/0*", "202/2", "203/0"]
    assert made.play()[1].current.rules[202].text == "Twice."


def test_effect_at_the_start_of_the_next_turn() -> None:
    def next_turn(effective: str) -> list[str]:
        made = game(r205={"effect": "next-turn"})
        made.file("turns/R1T1.yml", "player: wren\nbegan: 2026-02-01\n")
        made.file("turns/R1T2.yml", "player: quill\nbegan: 2026-02-05\n")
        made.proposal(301, "02-03", "## Enact Rule\n\nSoon.", effective=day(effective))
        return made.slugs()

    assert next_turn("02-05") == []
    assert next_turn("02-03") == ["effect-wrong"]
    assert next_turn("02-02") == ["effect-early"]


def test_a_change_waits_for_the_turn_that_it_takes_effect_with() -> None:
    made = game(r205={"effect": "next-turn"}).file(
        "turns/R1T1.yml", "player: wren\nbegan: 2026-02-01\n"
    )
    made.proposal(301, "02-03", "## Enact Rule\n\nSoon.")
    assert made.slugs() == []
    (step,) = made.play()[1].steps
    assert (step.outcome, step.effective) == ("pending", None)
    made.applied().file("turns/R1T2.yml", "player: quill\nbegan: 2026-02-05\n")
    (found,) = made.findings()
    assert (found.slug, found.help) == (
        "not-applied",
        "run `nomicgen apply`, or `nomicgen apply --commit`",
    )
    assert made.slugs() == []


def test_what_is_not_yet_due_waits() -> None:
    made = (
        game()
        .proposal(301, "02-03", "## Enact Rule\n\nLater.", effective=day("03-01"))
        .applied("02-10")
    )
    assert made.findings("02-10") == ()
    (found,) = made.findings("03-02")
    assert (found.slug, found.severity) == ("not-applied", "warning")
    assert found.message == "adopted, due and not applied to rules/: Proposal 301"


def test_authority_of_acts() -> None:
    def act(**matter: object) -> list[str]:
        made = game(
            r308={"authority": {"by": "act", "to": ["enact"], "numbers": {"from": "601"}}}, r309={}
        )
        body = matter.pop("body", "## Enact Rule 601\n\nA temporary rule.")
        made.act("one", "02-01", str(body), **matter)
        return made.slugs()

    assert act(under=308) == []
    assert act() == ["authority-missing"]
    assert act(under=309) == ["authority-missing"]
    assert act(under=308, body="## Enact Rule 600\n\nToo low.") == ["authority-missing"]
    assert act(under=308, body="## Repeal Rule 309/0") == ["authority-missing"]


def test_a_correction_only_restores() -> None:
    assert (
        game()
        .act("fix", "02-01", "## Amend Rule 203/0\n\nThe text of 203.", cause="correction")
        .slugs()
        == []
    )
    changed = game().act("fix", "02-01", "## Amend Rule 203/0\n\nAnother text.", cause="correction")
    assert changed.slugs() == ["correction-changes"]
    assert changed.numbers() == ["101/0*", "108/0*", "203/0"]


def test_two_instruments_of_one_moment() -> None:
    made = Ledger.start({101: {"authority": {"by": "act", "to": ["enact"]}}, 203: UNANIMOUS})
    made.act("a", "02-01", "## Enact Rule\n\nFirst?", under=101).act(
        "b", "02-01", "## Enact Rule\n\nSecond?", under=101
    )
    assert made.slugs() == []
    assert [rule.text for rule in made.play()[1].current][2:] == ["First?", "Second?"]
    told = Ledger.start({101: {"authority": {"by": "act", "to": ["enact"]}}, 203: UNANIMOUS})
    told.act("a", "02-01", "## Enact Rule\n\nSecond.", under=101, seq=2)
    told.act("b", "02-01", "## Enact Rule\n\nFirst.", under=101, seq=1)
    assert told.slugs() == []
    assert [rule.text for rule in told.play()[1].current][2:] == ["First.", "Second."]


def test_failed_and_open_proposals_show_what_they_would_make() -> None:
    made = game(r202={}).proposal(
        301, "02-01", "## Repeal Rule 202/0", votes="aaaf", status="defeated"
    )
    made.proposal(302, "02-02", "## Amend Rule 202/0\n\nOpen.", votes="ff..", status="open")
    _, played = made.play()
    assert made.slugs() == []
    assert [change.verb for change in played.previews["proposals/301.md"].changes] == ["repeal"]
    (change,) = played.previews["proposals/302.md"].changes
    assert change.after is not None
    assert (change.after.ref, change.after.text) == ("302/1", "Open.")
    assert played.tallies["proposals/302.md"].missing == ("tallow", "wren")


def test_a_game_without_provisions_is_not_judged() -> None:
    made = Ledger.start({101: {}, 201: {}}).proposal(
        301, "02-01", "## Repeal Rule 101/0", votes="a..f"
    )
    assert made.slugs() == ["law-unread"]
    assert made.numbers() == ["201/0"]


@settings(max_examples=examples(0.6))
@given(st.randoms(use_true_random=False), st.lists(st.sampled_from("earx"), min_size=1, max_size=8))
def test_replay_does_not_depend_on_the_order_of_files(random: Random, moves: list[str]) -> None:
    made = Ledger.start(
        {101: {"numbering": {"amended": "proposal"}}, 202: {}, 203: UNANIMOUS, 204: {}}
    )
    for index, move in enumerate(moves):
        current = [rule for rule in made.play()[1].current if rule.tier == "mutable"]
        target = current[index % len(current)].ref if current else "203/0"
        body = {
            "e": "## Enact Rule\n\nNew.",
            "a": f"## Amend Rule {target}\n\nAmended {index}.",
            "r": f"## Repeal Rule {target}",
            "x": f"## Transmute Rule {target} to immutable",
        }[move]
        made.proposal(301 + index, f"02-{index + 1:02}", body)
    made.applied()
    paths = list(made.tree)
    random.shuffle(paths)
    records, findings = read_game({path: made.tree[path] for path in paths})
    assert findings == ()
    assert replay(records, day("12-31")).current == made.play()[1].current


def test_a_number_that_is_taken() -> None:
    def numbering(taken: str) -> Ledger:
        said = {
            "first": "301",
            "enacted": "proposal",
            "amended": "proposal",
            "taken": taken,
            "changes": "any",
        }
        made = Ledger.start({101: {"numbering": said}, 202: {}, 203: UNANIMOUS, 204: {}})
        return made.proposal(
            301,
            "02-01",
            "## Amend Rule 202/0\n\nA.\n\n## Enact Rule\n\nB.\n\n## Amend Rule 204/0\n\nC.",
        )

    assert numbering("next-free").numbers() == ["101/0*", "203/0", "301/1", "302/0", "303/1"]
    assert numbering("next-free").slugs() == []
    assert numbering("error").slugs() == ["number-doubled", "number-doubled"]
    assert numbering("error").numbers() == ["101/0*", "202/0", "203/0", "204/0"]


INSTRUCTIONS = r"""
- case: Instructions about rules that are not as they say.
  provisions: {}
  rules: {204: {}, 205: {}}
  proposals:
    301:
      on: 01-02
      does: |-
        ## Repeal Rule 204/0

        ## Amend Rule 204/0

        New.
    302: {on: 01-02, does: "## Repeal Rule 205/0"}
    303: {on: 01-03, does: "## Amend Rule 205/0\n\nNew."}
    304: {on: 01-03, does: "## Amend Rule 999/0\n\nNew."}
    305: {on: 01-03, does: "## Amend Rule 203/4\n\nNew."}
    306: {on: 01-03, does: "## Amend Rule 203/0\n\nNew."}
    307: {on: 01-04, does: "## Amend Rule 203/0\n\nNewer."}
    308: {on: 01-04, does: "## Amend Rule 203/0\n\nNewer.", status: open}
    309: {on: 01-04, does: "## Amend Rule 203/0\n\nNewer.", status: debate, votes: ....}
  gives: |
    instruction-impossible proposals/301.md:19:1
      an instruction before this one repeals Rule 204/0
      > correct or remove this instruction
    rule-unknown proposals/303.md:17:1
      there is no Rule 205 any more: it was repealed
      > `nomicgen status --rules` lists the rules in force; to make a new rule, write `##
        Enact Rule: Title`
    rule-unknown proposals/304.md:17:1
      there is no Rule 999
      > `nomicgen status --rules` lists the rules in force; to make a new rule, write `##
        Enact Rule: Title`
    revision-stale proposals/305.md:17:1
      there is no revision 4 of Rule 203 yet: it is 203/0
      > write 203/0 in its place
    revision-stale proposals/307.md:17:1
      Rule 203/0 is not the revision in force, which is 203/1
      > compare with `nomicgen rule diff 203/0 203/1`, and write Rule 203/1
    revision-stale proposals/308.md:16:1
      Rule 203/0 is not the revision in force, which is 203/1
      > compare with `nomicgen rule diff 203/0 203/1`, and write Rule 203/1; then `nomicgen
        proposal resubmit 308`
    revision-stale proposals/309.md:13:1
      Rule 203/0 is not the revision in force, which is 203/1
      > `nomicgen proposal rebase 309` merges this change with the rule in force
- case: A rule has another number by now.
  provisions: {numbering: {amended: proposal, transmuted: proposal, enacted: proposal}}
  proposals:
    301: {on: 01-02, does: "## Amend Rule 203/0\n\nNew."}
    302: {on: 01-03, does: "## Amend Rule 203/0\n\nNewer."}
    303: {on: 01-03, does: "## Amend Rule 203/0\n\nNewer.", status: open}
    304: {on: 01-03, does: "## Renumber Rule 301/1 to 400"}
    305: {on: 01-03, does: "## Enact Rule 400\n\nNew."}
  files: {acts/a.md: {date: 2026-01-05, by: osprey, does: "## Renumber Rule 202/0 to 500"}}
  gives: |
    authority-missing acts/a.md:7:1
      Renumber Rule 202/0 to 500: an act changes rules only under a rule that lets it, and
        names none
      > name in `under` a rule in force whose `authority` provision allows it, or make it a
        proposal
    revision-stale proposals/302.md:17:1
      Rule 203/0 is no longer in force: it is Rule 301/1 now
      > change the text that `nomicgen show 301/1` prints, and write Rule 301/1
    revision-stale proposals/303.md:16:1
      Rule 203/0 is no longer in force: it is Rule 301/1 now
      > change the text that `nomicgen show 301/1` prints, and write Rule 301/1; then
        `nomicgen proposal resubmit 303`
    number-wrong proposals/304.md:17:1 (Rule 201)
      a rule that this changes takes the number 304 (Rule 201), not 400
      > write `## Renumber Rule 301/1 to 304`
    number-wrong proposals/305.md:17:1 (Rule 201)
      the new rule must be Rule 305 (Rule 201), not Rule 400
      > write `## Enact Rule 305`, or leave the number out
- case: "Rules keep their numbers, and new ones have those of their proposals."
  provisions: {numbering: {amended: keep, enacted: proposal}}
  proposals:
    301: {on: 01-02, does: "## Renumber Rule 203/0 to 301"}
    302: {on: 01-03, does: "## Transmute Rule 203/0 to mutable"}
    303: {on: 01-03, does: "## Transmute Rule 203/0 to sacred"}
    304:
      on: 01-03
      does: |-
        ## Amend Rule 203/0

        ```yaml rule
        revision: 7
        ```

        New.
    305:
      on: 01-03
      does: |-
        ## Enact Rule

        ```yaml rule
        reenacts: 203
        ```

        New.
    306:
      on: 01-03
      does: |-
        ## Enact Rule

        ```yaml rule
        mutability: sacred
        ```

        New.
  gives: |
    number-wrong proposals/301.md:17:1 (Rule 201)
      a rule that this changes keeps its number (Rule 201)
      > delete it, or amend Rule 201 first
    instruction-impossible proposals/302.md:17:1
      Rule 203/0 is mutable already
      > correct or remove this instruction
    instruction-impossible proposals/303.md:17:1
      sacred is no tier of this game (nomic.yml has immutable, mutable)
      > correct or remove this instruction
    instruction-impossible proposals/304.md:17:1
      a revision can be written only with `reenacts`, or with a `commit` in the front matter
      > correct or remove this instruction
    instruction-impossible proposals/305.md:17:1
      Rule 203 was not repealed, so it cannot be reenacted
      > correct or remove this instruction
    instruction-impossible proposals/306.md:17:1
      sacred is no tier of this game (nomic.yml has immutable, mutable)
      > correct or remove this instruction
- case: A number is taken.
  provisions: {}
  proposals:
    301: {on: 01-02, does: "## Enact Rule 203\n\nNew."}
    302:
      on: 01-02
      does: |-
        ## Retitle Rule 203/0: Tea

        ## Renumber Rule 202/0 to 203
  gives: |
    number-doubled proposals/301.md:17:1
      the number 203 is already taken by Rule 203/0
      > a number belongs to one rule at a time: give another, or repeal that rule first
    number-doubled proposals/302.md:19:1
      the number 203 is already taken by Rule 203/0 (Tea)
      > a number belongs to one rule at a time: give another, or repeal that rule first
"""


@pytest.mark.parametrize("case", cases_in(INSTRUCTIONS))
def test_what_is_told_of_instructions(case: Any) -> None:
    assert told_of(case) == case["gives"]
