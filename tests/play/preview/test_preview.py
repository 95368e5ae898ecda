"""What if: what a preview says is what then happens, and independent proposals are."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from nomicgen.files.game_files import read_game
from nomicgen.history.supposed import Supposed, suppose
from nomicgen.law.checks.run import check
from nomicgen.law.replay.results import Rule, Ruleset
from nomicgen.law.replay.run import replay
from nomicgen.law.replay.scene import Scene
from nomicgen.model.records import Proposal, Records
from nomicgen.play.preview.as_text import preview_text
from nomicgen.play.preview.interactions import interactions
from nomicgen.play.preview.proposal import Preview, preview
from tests.deep import examples
from tests.ledger import UNANIMOUS, Ledger, day

ON = day("03-01")
LAW = "```yaml rule\nprovisions:\n  {}\n```\n\n"
BODIES = (
    "## Enact Rule\n\nOne more.",
    "## Enact Rule: Tea\n\n```yaml rule\nmutability: immutable\n```\n\nThere is tea.",
    "## Amend Rule 201/0\n\nAnother text, which names Rule 204.",
    "## Retitle Rule 201/0: Called otherwise",
    "## Repeal Rule 201/0",
    "## Transmute Rule 201/0 to immutable",
    "## Transmute Rule 101/0 to mutable",
    "## Repeal Rule 204/0",
    "## Mark Rule 204/0\n\n```yaml rule\nnote: looked at\n```",
    "## Mark Rule 204/0\n\n" + LAW.format("floor: {mutable: 4}"),
    "## Amend Rule 209/0\n\n" + LAW.format("cap: {mutable: 5}") + "Five.",
    "## Amend Rule 209/0\n\n" + LAW.format("cap: {mutable: 7, immutable: 2}") + "Seven.",
    "## Repeal Rule 209/0",
    "## Amend Rule 203/0\n\n"
    + LAW.format("adoption: {needs: majority, to: [amend], from: [mutable]}")
    + "Fewer.",
    "## Amend Rule 203/0\n\n" + LAW.format("adoption: {needs: {at_least: 9}}") + "Nine.",
    "## Repeal Rule 203/0",
    "## Amend Rule 103/0\n\n" + LAW.format("entrenchment: {mutable: [amend]}") + "Closed.",
    "## Enact Rule\n\n" + LAW.format("numbering: {enacted: next}") + "Counted on.",
    "## Repeal Rule 999/0",
    "## Amend Rule 201/3\n\nToo late.",
)
SILENCE = {"ballot": {"silence": "for"}}
NUMBERING = {
    "first": "301",
    "enacted": "proposal",
    "amended": "proposal",
    "transmuted": "keep",
    "changes": "any",
}


def game(bodies: list[str], *, changeable: bool = True) -> Ledger:
    """A game with these proposals in debate, from 301."""
    made = Ledger.start(
        {
            101: {"numbering": NUMBERING},
            103: {"changeable": "always"} if changeable else {},
            201: {},
            203: UNANIMOUS,
            204: {"turns": {"proposals": "1"}},
            209: {"cap": {"mutable": "6"}},
        }
    )
    for index, body in enumerate(bodies):
        made.proposal(
            301 + index, f"02-{index + 1:02}", body, "....", "debate", opened=None, digest=None
        )
    return made


def previews(made: Ledger) -> tuple[Records, list[Preview]]:
    records, unread = read_game(made.tree)
    played = replay(records, ON)
    found = (*unread, *check(records, played))
    proposals = records.of_kind("proposal")
    return records, [preview(one, records, played, found, ON, one.path) for one in proposals]


def bare(ruleset: Ruleset) -> list[Rule]:
    return [replace(rule, identity=0) for rule in ruleset]


def supposed(one: Preview) -> Supposed:
    assert one.supposed is not None
    return one.supposed


@settings(max_examples=examples(0.8), deadline=None)
@given(st.lists(st.sampled_from(BODIES), min_size=1, max_size=2), st.booleans())
def test_what_a_preview_says_is_what_happens_when_everyone_votes_for_it(
    bodies: list[str], changeable: bool
) -> None:
    body = "\n\n".join(bodies)
    made = game([body], changeable=changeable)
    before = dict(made.tree)
    _, (one,) = previews(made)
    assert made.tree == before
    passed = Ledger(dict(made.tree)).proposal(301, "02-01", body)
    _, played = passed.play("03-01")
    errors = {
        found.slug
        for found in passed.findings("03-01")
        if found.is_error and found.span.file == "proposals/301.md"
    }
    assert errors == {found.slug for found in one.findings if found.is_error}
    if one.legal:
        assert bare(supposed(one).after.ruleset) == bare(played.current)
        assert [(change.before, change.after) for change in supposed(one).changes] == [
            (change.before, change.after) for step in played.steps for change in step.changes
        ]


def test_two_new_rules_that_would_have_one_number_are_both_shown() -> None:
    made = Ledger.start({101: {"numbering": {**NUMBERING, "changes": "1"}}, 203: UNANIMOUS})
    body = "## Enact Rule: Lamps\n\nIt is light.\n\n## Enact Rule: Oil\n\nIt is dark."
    made.proposal(301, "02-01", body, "....", "debate", opened=None, digest=None)
    (one,) = previews(made)[1]
    assert "changes-many" in {found.slug for found in one.findings}
    assert [change.after.title for change in one.rules if change.after] == ["Lamps", "Oil"]
    assert len([line for line in one.summary if line.startswith("It enacts Rule 301, ")]) == 2


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            BODIES[3],
            "Its votes are counted as for the amendment of a rule. Whether the rules let a vote "
            "be held to retitle",
        ),
        (
            "## Mark Rule 204/0\n\n```yaml rule\nvoid: true\n```",
            "Whether the rules let a vote be held to say whether a rule",
        ),
        (BODIES[2], None),
        (BODIES[8], None),
    ],
)
def test_what_is_no_change_of_rules_by_name_is_for_the_players(body: str, said: str | None) -> None:
    """Rule 103 lists enactment, repeal, amendment and transmutation."""
    (one,) = previews(game([body]))[1]
    words = " ".join(one.summary)
    assert (said or "is for the players") in words if said else "is for the players" not in words


def test_an_amendment_of_a_void_rule_says_that_it_stays_void() -> None:
    made = game([f"## Amend Rule 201/0\n\n{LAW.format('awards: {in: act}')}Lamps for all."])
    words = "it has no force, and this gives it none"
    assert words not in "".join(preview_text(previews(made)[1][0]))
    path = "rules/initial/201.md"
    made.tree[path] = made.tree[path].replace(b"number: 201\n", b"number: 201\nvoid: true\n")
    assert words in "".join(preview_text(previews(made)[1][0]))


@settings(max_examples=examples(0.8), deadline=None)
@given(st.lists(st.sampled_from(BODIES), min_size=2, max_size=5))
def test_independent_proposals_may_pass_in_any_order(bodies: list[str]) -> None:
    records, made = previews(game(bodies))
    scene = Scene.of(replay(records, ON).current, records, ON)
    for one, other in combinations(records.of_kind("proposal"), 2):
        first = suppose(one, scene)
        (met,) = interactions(first, [other], ())
        if met.independent:
            _assert_same(scene, one, other)
    told = {(told.path, met.other.path): met for told in made for met in told.interactions}
    for (path, against), met in told.items():
        other_way = told[against, path]
        assert (met.this_after, met.other_after) == (other_way.other_after, other_way.this_after)


def _assert_same(scene: Scene, one: Proposal, other: Proposal) -> None:
    """Each passes whichever passes first, and the rules come out the same."""
    first, second = suppose(one, scene), suppose(other, scene)
    then, instead = suppose(other, first.after), suppose(one, second.after)
    assert [part.legal for part in (first, second, then, instead)] == [True] * 4
    assert bare(then.after.ruleset) == bare(instead.after.ruleset)
    assert [
        sorted(one.arithmetic for one in part.tally.conditions) for part in (first, second)
    ] == [sorted(one.arithmetic for one in part.tally.conditions) for part in (instead, then)]


def test_a_draft_is_judged_with_the_number_that_it_would_get() -> None:
    made = game(["## Repeal Rule 201/0"])
    for name in ("tea", "milk"):
        made.file(
            f"proposals/{name}.md",
            "---\nstatus: draft\n---\n\nSo.\n\n## Enact Rule\n\nThere is more.\n",
        )
    _, told = previews(made)
    numbered = {
        one.path: (one.next_number, [rule.after and rule.after.number for rule in one.rules])
        for one in told
    }
    assert numbered == {
        "proposals/301.md": (None, [None]),
        "proposals/milk.md": (302, [302]),
        "proposals/tea.md": (302, [302]),
    }
    (milk,) = (one for one in told if one.path == "proposals/milk.md")
    assert {met.other.path: met.independent for met in milk.interactions} == {
        "proposals/301.md": True,
        "proposals/tea.md": True,
    }


def test_nobody_has_voted_before_the_vote_is_open() -> None:
    """A silence that will count as a vote for it is no vote yet."""
    made = Ledger.start({101: {"numbering": NUMBERING}, 203: {**UNANIMOUS, **SILENCE}})
    for number, status in ((301, "debate"), (302, "open")):
        opened = {"opened": None, "digest": None} if status == "debate" else {}
        made.proposal(number, "02-01", "## Repeal Rule 203/0", "....", status, **opened)
    debated, voted = ("\n".join(preview_text(one)) for one in previews(made)[1])
    assert ("so far:" in debated, "so far:" in voted) == (False, True)


def test_a_game_without_provisions_is_not_judged() -> None:
    made = Ledger.start({101: {}, 201: {}}).proposal(
        301, "02-01", "## Repeal Rule 101/0", "....", "debate"
    )
    _, (one,) = previews(made)
    assert (one.legal, one.changeable, one.ossifies, one.effects.reach, one.needs) == (
        True,
        None,
        False,
        (),
        (),
    )


def test_what_an_instruction_would_say_is_shown_though_it_cannot_be_carried_out() -> None:
    made = game(["## Amend Rule 201/3\n\nToo late.\n\n## Repeal Rule 204/0"])
    _, (one,) = previews(made)
    assert not one.legal
    assert one.summary == (
        "It repeals Rule 204/0, mutable; 1 provision gone.",
        "Its instruction to amend Rule 201/3 cannot be carried out.",
    )
    assert supposed(one).after.ruleset is supposed(one).before.ruleset


def test_what_was_adopted_and_takes_effect_later_comes_first() -> None:
    made = game(["## Amend Rule 201/0\n\nMore lamps.", "## Amend Rule 203/0\n\nOther votes."])
    later = day("2027-01-01")
    made.proposal(303, "02-03", "## Amend Rule 201/0\n\nFewer lamps.", effective=later)
    made.proposal(304, "02-04", "## Amend Rule 201/4\n\nToo late.", effective=later)
    _, told = previews(made)
    lamps, votes, *_ = (
        {met.other.number: met.this_after for met in one.interactions if met.pending}
        for one in told
    )
    assert {number: after and after.kind for number, after in lamps.items()} == {
        303: "stale",
        304: None,
    }
    assert {number: after and after.kind for number, after in votes.items()} == {
        303: "independent",
        304: None,
    }
