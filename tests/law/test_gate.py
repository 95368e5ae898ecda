"""The gate: each effect of the ledger needs a rule that permits it, where rules speak of such
effects at all.
"""

from __future__ import annotations

from typing import Any

import pytest

from nomicgen.files.game_files import read_game
from nomicgen.law import gate
from nomicgen.law.replay import fold, gameplay
from nomicgen.law.replay.effects import Verdict
from nomicgen.law.replay.run import replay
from nomicgen.law.subjects import (
    PlayerChange,
    ProposalMade,
    State,
    Subject,
    TakesEffect,
    VoteOpened,
)
from nomicgen.play.rulesets import shipped
from tests.awards import NEW, award
from tests.ledger import UNANIMOUS, Ledger, day

BODY = "Is it?\n\n## Ruling\n\nIt is.\n"


def game(**rules: Any) -> Ledger:
    """A game of four with these provisions beside how rules are adopted: `r204={...}`."""
    return Ledger.start(
        {203: UNANIMOUS, **{int(number[1:]): said for number, said in rules.items()}}
    )


def reasons(made: Ledger, kind: str) -> list[str]:
    return [f"{one.words} — {one.reason}" for one in made.play()[1].effects if one.kind == kind]


# Points


@pytest.mark.parametrize("kind", ["act", "judgement", "turn", "proposal"])
def test_points_by_hand_need_a_rule_where_any_rule_speaks_of_points(kind: str) -> None:
    def given(made: Ledger) -> Ledger:
        points = [award("wren", 100, "because")]
        if kind == "act":
            return made.act("one", "02-01", "", points=points, by="wren")
        if kind == "judgement":
            return made.judgement(1, "02-01", BODY, points=points)
        if kind == "turn":
            return made.turn("R1T1", "wren", "01-30", "02-01", points=points)
        return made.proposal(301, "02-01", NEW, points=points)

    wins = {"victory": {"points": "100"}}
    refused = given(
        game(r202={"points": {"on": "defeated", "to": "author", "amount": "1"}}, r208=wins)
    )
    assert refused.slugs() == ["points-unlawful"]
    assert refused.play()[1].winner is None
    assert reasons(refused, "points") == ["wren: 0 → 100 points (because) — no rule permits it"]
    silent = given(game(r208=wins))
    assert silent.slugs() == []
    assert silent.play()[1].winner is not None
    assert reasons(silent, "points") == [
        "wren: 0 → 100 points (because) — no provision speaks of it"
    ]
    let = given(game(r202={"awards": {"in": kind, "at_most": "100"}}, r208=wins))
    assert let.slugs() == []
    assert reasons(let, "points") == ["wren: 0 → 100 points (because) — Rule 202/0"]
    assert given(game(r202={"awards": {"in": kind, "at_most": "99"}})).slugs() == [
        "points-unlawful"
    ]
    other = "turn" if kind != "turn" else "act"
    assert given(game(r202={"awards": {"in": other}})).slugs() == ["points-unlawful"]


def test_points_name_the_rule_that_gives_them() -> None:
    made = game(
        r202={"awards": {"in": "act", "amount": "1"}}, r204={"awards": {"in": "act", "amount": "1"}}
    )
    made.act(
        "one",
        "02-01",
        "",
        points=[{**award("wren", 1), "under": 204}, award("quill", 1)],
        by="wren",
    )
    assert [(one.player, one.rule) for one in made.play()[1].awards] == [
        ("wren", 204),
        ("quill", 202),
    ]
    made.act("one", "02-01", "", points=[{**award("wren", 1), "under": 203}], by="wren")
    assert made.slugs() == ["points-unlawful"]
    made.act("one", "02-01", "", points=[{**award("wren", 1), "under": 999}], by="wren")
    assert [one.split(": ", 1)[1] for one in made.told()][-1].startswith(
        "an act gives wren 1 point under Rule 999, but no rule in force allows it"
    )


# Turns

ROUND = {"turns": {"order": "alphabetical"}}


def turns(**said: Any) -> Ledger:
    return game(r201={"turns": {"order": "alphabetical", **said}})


def test_a_turn_begins_over_a_running_one_only_where_the_rules_let_it() -> None:
    def over(made: Ledger) -> list[str]:
        return (
            made.turn("R1T1", "osprey", "01-02", "01-09")
            .turn("R1T2", "quill", "01-03", "01-04")
            .slugs()
        )

    assert over(turns()) == over(turns(overlap="true")) == []
    assert over(turns(overlap="false")) == ["turn-overlap"]
    unended = (
        turns(overlap="false")
        .turn("R1T1", "osprey", "01-02")
        .turn("R1T2", "quill", "01-03", "01-04")
    )
    assert unended.slugs() == ["turn-overlap"]
    next_day = (
        turns(overlap="false")
        .turn("R1T1", "osprey", "01-02", "01-03")
        .turn("R1T2", "quill", "01-03")
    )
    assert next_day.slugs() == []


def test_a_turn_has_its_proposal_where_the_rules_demand_one() -> None:
    def ended(made: Ledger, **turn: Any) -> Ledger:
        return made.turn("R1T1", "osprey", "01-02", "01-05", **turn)

    assert ended(turns()).slugs() == []
    assert ended(turns(proposal_required="true")).slugs() == ["turn-empty"]
    assert ended(turns(proposal_required="true"), passed=True).slugs() == []
    assert ended(turns(proposal_required="true", passing="false"), passed=True).slugs() == [
        "turn-passed"
    ]
    matters: list[dict[str, Any]] = [{"turn": "R1T1"}, {}]
    for matter in matters:
        for status in ("adopted", "withdrawn"):
            made = ended(turns(proposal_required="true"))
            made.proposal(
                301, "01-02", NEW, status=status, decided=day("01-03"), author="osprey", **matter
            )
            assert made.slugs() == []
    before = ended(turns(proposal_required="true")).proposal(301, "01-01", NEW, author="osprey")
    assert before.slugs() == ["turn-empty"]
    # What cannot be read may be that proposal.
    unread = ended(turns(proposal_required="true")).file("proposals/301.md", "---\ntitle: [\n---\n")
    assert unread.slugs() == ["yaml-syntax"]


def test_a_newcomer_takes_no_seat_before_those_that_are_taken() -> None:
    def joined(seat: int, **said: Any) -> list[str]:
        made = game(r201={"turns": {"order": "seat", **said}})
        for place, ident in enumerate(("osprey", "quill", "tallow", "wren"), 1):
            made.player(ident, order=place)
        made.turn("R1T1", "osprey", "01-02", "01-03").turn("R1T2", "quill", "01-03")
        return made.player("marl", order=seat, joined=day("01-04")).slugs()

    assert joined(0) == joined(4) == ["seat-taken"]
    assert joined(5) == []
    assert joined(0, joins="last") == []
    free = (
        game(r201=ROUND)
        .turn("R1T1", "osprey", "01-02")
        .player("marl", order=0, joined=day("01-04"))
    )
    assert free.slugs() == []


def test_anybody_may_leave() -> None:
    made = (
        turns(overlap="false").turn("R1T1", "osprey", "01-02").player("osprey", left=day("01-03"))
    )
    assert made.slugs() == []
    assert reasons(made, "seat")[-1] == "osprey leaves — no provision speaks of it"


# Judgements


def judgement(said: Any, judge: str, **matter: Any) -> list[str]:
    made = game(r201=ROUND, **({"r212": {"judgements": said}} if said else {}))
    made.turn("R1T1", "osprey", "01-02", "01-03").turn("R1T2", "quill", "01-03", "01-05")
    made.proposal(301, "01-03", NEW, author="quill", turn="R1T2")
    return made.judgement(1, "01-04", BODY, judge=judge, **{"turn": "R1T2", **matter}).slugs()


def test_who_judges_is_who_came_before() -> None:
    previous = {"judge": "previous"}
    assert judgement(previous, "osprey") == []
    assert judgement(previous, "osprey", called_by="osprey") == []
    for judge in ("quill", "tallow", "wren"):
        assert judgement(previous, judge) == ["judge-wrong"]
        assert judgement(None, judge) == []
    assert judgement(previous, "osprey", turn=None) == []
    assert judgement(previous, "wren", turn="R1T1") == [
        "judge-wrong"
    ]  # that turn was over: it chooses no judge
    assert judgement(previous, "wren", turn="R1T1", date=day("01-03")) == []
    assert judgement(previous, "osprey", date=day("01-02")) == ["judge-wrong"]
    assert judgement(None, "wren", turn="R1T1") == []


def test_who_called_for_a_judgement_or_proposed_what_it_is_about_does_not_judge() -> None:
    assert judgement({"never": "caller"}, "wren", called_by="wren") == ["judge-wrong"]
    assert judgement({"never": "caller"}, "wren", called_by="quill") == []
    assert judgement({"never": ["caller", "author"]}, "quill", proposal=301) == ["judge-wrong"]
    assert judgement({"never": ["author"]}, "quill") == []
    assert judgement(None, "quill", proposal=301, called_by="quill") == []


def overruled(said: Any, by: Any, second: dict[str, Any] | None = None) -> list[str]:
    made = game(r201=ROUND, **({"r212": {"judgements": {"overruled_by": said}}} if said else {}))
    matter = {} if by is None else {"overruled_by": by}
    made.judgement(
        1, "01-04", BODY, judge="quill", status="overruled", overruled=day("01-05"), **matter
    )
    if second is not None:
        made.judgement(2, "01-05", BODY, **{"judge": "wren", **second})
    return made.slugs()


def test_what_overrules_a_judgement() -> None:
    assert overruled(None, None) == []
    assert overruled("others", None) == overruled("others", ["quill"]) == ["overruling-wrong"]
    assert overruled("others", ["osprey", "tallow"]) == ["overruling-wrong"]
    assert overruled("others", ["osprey", "tallow", "wren"]) == []
    assert overruled("others", 2, {}) == ["overruling-wrong"]
    assert overruled("judgement", 2, {}) == []
    assert overruled("judgement", 2) == ["overruling-wrong", "reference-unknown"]
    assert overruled("judgement", None, {}) == overruled("judgement", 1, {}) == ["overruling-wrong"]
    assert overruled("judgement", 2, {"judge": "quill"}) == ["overruling-wrong"]
    assert overruled("judgement", 2, {"date": day("01-06")}) == ["overruling-wrong"]
    assert overruled("judgement", 2, {"status": "pending"}) == ["overruling-wrong"]


def test_who_was_before_judges_what_was_overruled() -> None:
    made = game(r201=ROUND, r212={"judgements": {"judge": "previous"}})
    made.turn("R1T1", "osprey", "01-02", "01-03").turn("R1T2", "quill", "01-03", "01-09")
    made.judgement(
        1, "01-04", BODY, judge="osprey", turn="R1T2", status="overruled", overruled=day("01-05")
    )
    made.judgement(2, "01-06", BODY, judge="wren", turn="R1T2")
    assert made.slugs() == []
    assert made.judgement(2, "01-06", BODY, judge="tallow", turn="R1T2").slugs() == ["judge-wrong"]


# Votes that are over


@pytest.mark.parametrize("status", ["withdrawn", "void"])
def test_what_is_lost_is_not_taken_back(status: str) -> None:
    def ended(until: str | None, votes: str, **more: Any) -> Ledger:
        made = game(r104={"ballot": {"withdrawal": until}}) if until else game()
        return made.proposal(301, "02-01", NEW, votes, status=status, decided=day("02-01"), **more)

    assert ended(None, "faaa").slugs() == []
    assert ended("until-complete", "faaa").slugs() == ["withdrawal-late"]
    assert ended("until-complete", "faa.").slugs() == []
    assert ended("until-opened", "....").slugs() == ["withdrawal-late"]
    assert ended("until-opened", "....", opened=None).slugs() == []
    assert ended("until-complete", "ffff").judgement(1, "02-01", BODY, proposal=301).slugs() == [
        "withdrawal-late"
    ]
    judged = ended("until-complete", "ffff").judgement(1, "02-01", BODY, voids=301)
    assert judged.slugs() == ([] if status == "void" else ["withdrawal-late"])


def test_what_a_game_dated_once_it_goes_on_dating() -> None:
    def played(**matter: Any) -> list[str]:
        made = game().proposal(301, "02-01", NEW, effective=day("02-01"))
        return made.proposal(302, "02-02", NEW, **{"effective": day("02-02"), **matter}).slugs()

    assert played() == []
    for key in ("date", "opened", "effective"):
        assert played(**{key: None}) == ["status-incomplete"]
    assert played(status="defeated", votes="faaa", effective=None) == []
    assert game().proposal(301, "02-01", NEW, date=None).proposal(302, "02-02", NEW).slugs() == []


# What was tried against it


def test_a_proposal_of_nobody_on_no_day_is_no_turns_proposal() -> None:
    matters: list[dict[str, Any]] = [{"author": None}, {"date": None, "opened": None}]
    for matter in matters:
        made = turns(proposal_required="true").turn("R1T1", "osprey", "02-01", "02-02")
        made.proposal(301, "02-01", NEW, **{"author": "osprey", **matter})
        assert "turn-empty" in made.slugs()


def test_who_leaves_in_their_own_turn_owes_nothing() -> None:
    rules = {
        "order": "alphabetical",
        "overlap": "false",
        "proposal_required": "true",
        "passing": "false",
    }
    for ended in ("01-03", None):
        made = game(
            r201={"turns": rules}, r202={"points": {"on": "turn", "to": "player", "die": "6"}}
        )
        made.turn("R1T1", "osprey", "01-02", ended).player("osprey", left=day("01-03"))
        assert made.turn("R1T2", "quill", "01-04").slugs() == []


def test_of_two_turns_of_one_day_a_judgement_may_be_in_either() -> None:
    made = game(r201=ROUND, r212={"judgements": {"judge": "previous"}})
    made.turn("R1T1", "osprey", "01-02", "01-03").turn("R1T2", "quill", "01-03", "01-05")
    for judge, slugs in (("osprey", []), ("wren", []), ("tallow", ["judge-wrong"])):
        assert made.judgement(1, "01-03", BODY, judge=judge).slugs() == slugs
    assert made.judgement(1, "01-05", BODY, judge="quill", turn="R1T1").slugs() == ["judge-wrong"]


def test_what_was_overruled_in_one_turn_chooses_no_judge_in_another() -> None:
    made = game(r201=ROUND, r212={"judgements": {"judge": "previous"}})
    made.turn("R1T1", "osprey", "01-02", "01-03").turn("R1T2", "quill", "01-05", "01-09")
    made.judgement(1, "01-02", BODY, judge="wren", status="overruled", overruled=day("01-03"))
    assert made.judgement(2, "01-06", BODY, judge="wren").slugs() == ["judge-wrong"]
    assert made.judgement(2, "01-06", BODY, judge="osprey").slugs() == []


def test_who_does_not_play_does_not_judge() -> None:
    made = game(r212={"judgements": {"judge": "previous"}}).player("marl", left=day("01-03"))
    made.player("die", kind="bot")
    for judge in ("marl", "die"):
        assert made.judgement(1, "01-04", BODY, judge=judge).slugs() == ["judge-wrong"]


def test_a_judgement_that_fell_before_its_effect_changes_nothing() -> None:
    lets = {"authority": {"by": "judgement", "to": "repeal"}, "judgements": {"judge": "anyone"}}
    made = game(r204=lets, r205={})
    days = {"effective": day("01-09"), "status": "overruled", "under": 204}
    made.judgement(1, "01-04", f"{BODY}\n## Repeal Rule 205/0\n", **days, overruled=day("01-07"))
    assert made.numbers() == ["203/0", "204/0", "205/0"]
    made.judgement(1, "01-04", f"{BODY}\n## Repeal Rule 205/0\n", **days, overruled=day("01-10"))
    assert made.numbers() == ["203/0", "204/0"]


def test_a_vote_without_its_days_is_no_debate() -> None:
    made = game(r111={"ballot": {"debate": "1"}})
    assert made.proposal(301, "02-01", NEW, date=None, opened=None).slugs() == ["status-incomplete"]
    assert made.proposal(301, "02-01", NEW, date=None).slugs() == ["status-incomplete"]
    closes = game(r111={"ballot": {"closes_after": "3", "silence": "for"}})
    assert closes.proposal(301, "02-01", NEW, date=None, opened=None).slugs() == [
        "status-incomplete"
    ]
    assert closes.proposal(301, "02-01", NEW, opened=None).slugs() == []


def test_a_lost_vote_is_not_withdrawn_by_leaving_out_when_it_opened() -> None:
    made = game(r104={"ballot": {"withdrawal": "until-complete"}})
    made.proposal(301, "02-01", NEW, "faaa", status="withdrawn", decided=day("02-01"), opened=None)
    assert made.slugs() == ["withdrawal-late"]
    voided = made.judgement(1, "02-09", BODY, voids=301)
    voided.proposal(301, "02-01", NEW, "faaa", status="void")
    assert voided.slugs() == []
    path = "proposals/301.md"
    voided.tree[path] = voided.tree[path].replace(
        b"opened: 2026-02-01\n", b"opened: 2026-02-01\ndecided: 2026-02-01\n"
    )
    assert voided.slugs() == ["withdrawal-late"]


def test_an_act_chooses_no_number_where_rules_give_them() -> None:
    made = game(
        r108={"numbering": {"amended": "proposal"}},
        r204={"authority": {"by": "act", "to": "amend"}},
    )
    assert made.act(
        "one", "02-01", "## Renumber Rule 203/0 to 1", under=204, by="wren"
    ).slugs() == ["number-wrong"]


# All of it


def test_without_its_licence_no_effect_comes_about(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each licence of a played game is taken away in turn; what it permitted does not come
    about.
    """
    records, _ = read_game(shipped("suber").tree())
    asked: list[Subject] = []
    real = gate.license_effect

    def listen(subject: Subject, state: State) -> Verdict:
        asked.append(subject)
        return real(subject, state)

    def listening(one: Any) -> Any:
        monkeypatch.setattr(gameplay, "license_effect", one)
        monkeypatch.setattr(fold, "license_effect", one)
        return replay(records)

    whole = listening(listen)
    for index in [
        at for at, one in enumerate(asked) if not isinstance(one, PlayerChange | VoteOpened)
    ]:
        count = iter(range(len(asked) * 2))

        def refuse(
            subject: Subject, state: State, index: int = index, count: Any = count
        ) -> Verdict:
            verdict = real(subject, state)
            if next(count) != index:
                return verdict
            return Verdict(findings=tuple(_refusal(state)))

        without = listening(refuse)
        assert any(one.message == "refused" for one in without.findings), asked[index]
        if not isinstance(asked[index], ProposalMade | TakesEffect):  # which change nothing yet
            assert [one for one in whole.effects if one not in without.effects], asked[index]
            assert [one for one in without.effects if one.refused], asked[index]


def _refusal(state: State) -> Any:
    from nomicgen.model.findings import Finding
    from nomicgen.model.values import Span

    yield Finding(slug="points-unlawful", span=Span(file="nomic.yml"), message="refused", help="")
