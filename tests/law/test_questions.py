"""The law is asked by the fields of a kind, and by what was in force: before an amendment the old
law, then the new.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, assert_type

import pytest
import yaml

from nomicgen.files.game_files import read_game
from nomicgen.files.yaml_writing import write_front_matter
from nomicgen.formats.styled_text import without_style
from nomicgen.law import questions
from nomicgen.law.precedence import Law, Said
from nomicgen.law.provisions.adoption import Adoption
from nomicgen.law.provisions.ballot import Ballot, TieBreak
from nomicgen.law.provisions.cap import Cap
from nomicgen.law.provisions.changeable import Changeable
from nomicgen.law.provisions.effect import EffectTiming
from nomicgen.law.provisions.sunset import Sunset
from nomicgen.law.provisions.victory import Victory
from nomicgen.law.replay.results import Rule
from nomicgen.law.replay.run import replay
from nomicgen.model.front_matters import ProposalMatter
from nomicgen.model.records import Proposal
from nomicgen.play.preview.as_text import preview_text
from nomicgen.play.preview.proposal import preview
from tests.ledger import Ledger, day
from tests.worked import decide, game_of, outcome_of

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
    assert_type(law.value(EffectTiming.timing), str | int | None)
    assert (
        law.value(EffectTiming.timing),
        EffectTiming(after=3).timing,
        EffectTiming(when="at-once").timing,
    ) == (
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


def _asked(said: Any) -> Law:
    """The law of a game of which Rule 201 alone says something."""
    records, played = Ledger.start({201: said}).play()
    return Law.of(played.initial, records.settings, None)


CATS = {"in": "act", "between": ["cat", "dog"], "amount": "3"}
OPEN, DEBATED = ({"author": "wren", "status": one} for one in ("open", "debate"))


@pytest.mark.parametrize(
    ("question", "said", "answer"),
    [
        (questions.first_number, {}, 301),
        (questions.first_number, {"numbering": {"first": "401"}}, 401),
        (questions.most_changes, {}, None),
        (questions.most_changes, {"numbering": {"changes": "any"}}, None),
        (questions.most_changes, {"numbering": {"changes": "2"}}, Said(2, 201, 1)),
        (lambda law: questions.bounds_of("mutable", law), {}, (None, None)),
        (lambda law: questions.bounds_of("mutable", law), {"cap": {"mutable": "9"}}, (None, 9)),
        (lambda law: questions.bounds_of("mutable", law), {"floor": {"mutable": "2"}}, (2, None)),
        (lambda law: questions.is_guarded("mutable", law), {}, False),
        (
            lambda law: questions.is_guarded("mutable", law),
            {"entrenchment": {"mutable": ["amend"]}},
            True,
        ),
        *(
            (
                lambda law: questions.is_guarded("mutable", law),
                {"adoption": {"needs": "unanimous", **about}},
                guarded,
            )
            for about, guarded in (
                ({"from": "mutable"}, True),
                ({"from": "mutable", "to": ["amend", "repeal"]}, True),
                ({"from": "mutable", "to": "repeal"}, False),
                ({"from": "immutable"}, False),
                ({}, False),
            )
        ),
        (questions.rule_of_effect, {}, None),
        (questions.rule_of_effect, {"effect": {"own_day": "true"}}, 201),
        (questions.rule_of_effect, {"effect": "next-turn"}, 201),
        (questions.debate_of, {"ballot": {"debate": "0"}}, None),
        (questions.debate_of, {"ballot": {"debate": "2"}}, Said(2, 201, 1)),
        (questions.exclusive_roles, {"awards": {"in": "act"}}, ()),
        (
            questions.exclusive_roles,
            {"awards": CATS},
            (questions.RoleGroup(201, ("cat", "dog"), Fraction(3)),),
        ),
        (
            questions.exclusive_roles,
            {"awards": {**CATS, "in": "turn"}},
            (questions.RoleGroup(201, ("cat", "dog"), None),),
        ),
        (questions.roles_named, {"judgements": {"judge": "anyone"}}, set()),
        (
            questions.roles_named,
            {
                "awards": {**CATS, "by": {"role": "bard"}, "to": {"role": "fool"}},
                "ballot": {"weights": {"speaker": "2"}},
                "judgements": {"judge": {"role": "umpire"}},
                "points": {"on": "judged", "to": {"role": "clerk"}, "amount": "1"},
            },
            {"cat", "dog", "bard", "fool", "speaker", "umpire", "clerk"},
        ),
        (questions.overruled_before_next_turn, {"judgements": {"overruled_until": "7"}}, None),
        (
            questions.overruled_before_next_turn,
            {"judgements": {"overruled_until": "next-turn"}},
            201,
        ),
        (questions.rule_of_electorate_moment, {}, None),
        (questions.rule_of_electorate_moment, {"ballot": {"electorate_at": "close"}}, 201),
        (questions.wakes_voters, {}, False),
        (questions.wakes_voters, {"ballot": {"inactive_may_vote": "true"}}, True),
        *(
            (questions.lets_abstain, {"ballot": {"abstention": how}}, how != "forbidden")
            for how in ("counts", "ignored", "forbidden")
        ),
        (questions.has_turn_order, {}, False),
        (questions.has_turn_order, {"turns": {"order": "joined"}}, True),
        (questions.rule_of_own_turn, {"turns": {"own_turn": "true"}}, 201),
        (questions.rule_of_own_turn, {"turns": {"own_turn": "false"}}, None),
        (lambda law: [questions.has_room(made, law) for made in (1, 2)], {}, [True, True]),
        (
            lambda law: [questions.has_room(made, law) for made in (1, 2, 3)],
            {"turns": {"proposals": "2"}},
            [True, False, False],
        ),
        (questions.needs_proposal, {}, False),
        (questions.needs_proposal, {"turns": {"proposal_required": "voted"}}, True),
        *(
            (lambda law: (questions.may_pass(law), questions.lets_pass(law)), {"turns": said}, able)
            for said, able in (
                ({}, (True, False)),
                ({"passing": "true"}, (True, True)),
                ({"passing": "false"}, (False, False)),
            )
        ),
        *(
            (questions.may_overlap, {"turns": said}, able)
            for said, able in (
                ({}, True),
                ({"overlap": "true"}, True),
                ({"overlap": "false"}, False),
            )
        ),
        *(
            (
                questions.uncounted_silence,
                {"ballot": {"silence": how}},
                Said(how, 201, 1) if how in ("waits", "ignored") else None,
            )
            for how in ("waits", "ignored", "for", "against")
        ),
        (questions.may_overlap, {}, True),
        (questions.points_that_win, {"victory": {"points": "7/2"}}, Said(Fraction(7, 2), 201, 1)),
        *(
            (
                lambda law: [
                    questions.may_withdraw(ProposalMatter.read(matter), law)
                    for matter in (OPEN, DEBATED)
                ],
                {"ballot": {"withdrawal": until}},
                able,
            )
            for until, able in (
                ("until-opened", [False, True]),
                ("until-complete", [True, True]),
                ("when-inactive", [False, False]),
                ("never", [False, False]),
            )
        ),
        *(
            (
                lambda law, edits=edits: questions.command_after_change(
                    ProposalMatter.read(OPEN), edits, law
                ),
                {"ballot": ballot},
                command,
            )
            for edits, ballot, command in (
                (None, {}, "resubmit"),
                ("lapse", {"resubmissions": "1"}, "resubmit"),
                ("lapse", {"resubmissions": "0"}, "withdraw"),
                ("forbidden", {}, "withdraw"),
                ("forbidden", {"withdrawal": "never"}, ""),
            )
        ),
    ],
)
def test_what_other_rooms_ask_of_the_law(
    question: Callable[[Law], object], said: Any, answer: object
) -> None:
    assert question(_asked(said)) == answer


def test_until_when_a_vote_may_begin_again() -> None:
    """Until its turn ends, if that is sooner; not where no rule limits it, nor without a turn."""
    law = _asked(
        {"ballot": {"resubmissions": "1"}, "deadline": {"for": "resubmission", "within": "3"}}
    )
    made = Ledger.start({201: {}}).turn("R1T1", "wren", "01-02")
    made.turn("R1T2", "quill", "01-02", "01-04").turn("R1T3", "quill", "01-02", until=day("01-08"))
    turns = made.play()[0].turns

    def until(turn: str | None, asked: Law = law, earlier: int = 0) -> object:
        proposal = (
            made.proposal(
                301,
                "01-02",
                "## Enact Rule\n\nTea.",
                status="open",
                turn=turn,
                earlier=[{"opened": day("01-02"), "ended": day("01-03")}] * earlier or None,
            )
            .play()[0]
            .instruments["proposals/301.md"]
        )
        assert isinstance(proposal, Proposal)
        return questions.again_until(proposal, turns, asked)

    assert until("R1T1") == (day("01-05"), 201)
    assert until("R1T2") == (day("01-04"), 201)
    assert until("R1T3") == (day("01-08"), 201)
    assert [until(None), until("R1T1", earlier=1)] == [None, None]
    assert until("R1T1", _asked({"ballot": {"resubmissions": "1"}})) is None
    assert until("R1T1", _asked({"deadline": {"for": "resubmission", "within": "3"}})) is None
