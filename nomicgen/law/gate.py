"""The gate: one question for every effect of the ledger, whether a rule in force permits it.

A change of the rules always needs a rule that permits it. Points, turns, seats and judgements need one where a rule in
force has a provision of that kind; where none has, the effect stands, and no rule speaks of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from nomicgen.diagnostics import Finding
from nomicgen.law.authority import license_change
from nomicgen.law.decision import judge_withdrawal
from nomicgen.law.effects import Verdict
from nomicgen.law.judging import license_judgement, license_overruling
from nomicgen.law.licence import (
    JudgementGiven,
    JudgementOverruled,
    PlayerChange,
    PointsGiven,
    ProposalMade,
    ProposalWithdrawn,
    RuleChange,
    State,
    Subject,
    TurnBegun,
    TurnEnded,
    license_of,
)
from nomicgen.law.sentences import points_words, sentence
from nomicgen.law.state import Rule
from nomicgen.law.turns import judge_end, judge_overlap, judge_proposal, judge_seat, judge_turn

__all__ = ["license_effect"]


def license_effect(subject: Subject, state: State) -> Verdict:
    """The rules in force that permit an effect, or why it is not permitted."""
    if state.lawless:
        return Verdict()
    match subject:
        case RuleChange():
            return license_change(subject, state)
        case PointsGiven():
            return _points(subject, state)
        case JudgementGiven():
            return license_judgement(subject, state)
        case JudgementOverruled():
            return license_overruling(subject.instrument, state)
        case ProposalWithdrawn(instrument, tally):
            findings = judge_withdrawal(instrument, tally, state.law, state.records)
            return Verdict(state.licences("ballot", "withdrawal"), tuple(findings))
        case ProposalMade(instrument, turn, earlier):
            findings = judge_proposal(instrument, turn, earlier, state.law)
            return Verdict(state.licences("turns", "proposals"), tuple(findings))
        case PlayerChange():
            findings = _seat(subject, state)
            return Verdict(state.licences("turns", "joins"), tuple(findings))
        case TurnBegun() | TurnEnded():
            return Verdict(state.licences("turns", "order"), tuple(_turn(subject, state)))


def _seat(subject: PlayerChange, state: State) -> Iterator[Finding]:
    """Anybody may leave, rest and come back; a newcomer takes no seat before those who have one."""
    if subject.what == "joins":
        yield from judge_seat(subject.player, state.records.players, state.played, state.law)


def _turn(subject: TurnBegun | TurnEnded, state: State) -> Iterator[Finding]:
    if isinstance(subject, TurnEnded):
        yield from judge_end(subject.turn, state.law, proposed=subject.proposed)
        return
    assert state.moment is not None
    yield from judge_turn(subject.turn, state.played, state.records.players, state.law, state.moment)
    yield from judge_overlap(subject.turn, subject.running, state.law)


def _points(subject: PointsGiven, state: State) -> Verdict:
    """Points that a file gives by hand: a rule with `awards` must let it, where any rule speaks of points."""
    law, line = state.law, subject.line
    named = None if subject.under is None else state.ruleset.named(subject.under)
    for rule, one in law.awards:
        if subject.source in one.in_ and one.covers(line.amount) and (subject.under is None or named is rule):
            return Verdict((license_of(rule, "awards"),))
    speaking = sorted({rule.number for rule, _ in (*law.awards, *law.points)})
    return Verdict(findings=(_unlawful(subject, named, state, speaking),)) if speaking else Verdict()


def _unlawful(subject: PointsGiven, named: Rule | None, state: State, speaking: list[int]) -> Finding:
    """Why no rule lets a file give points, and what one would let it give."""
    kind = f"{'an' if subject.source == 'act' else 'a'} {subject.source}"
    given = f"{kind} gives {subject.line.player} {points_words(subject.line.amount)}"
    lets = [(rule, one) for rule, one in state.law.awards if subject.source in one.in_]
    own = [(rule, one) for rule, one in lets if rule is named]
    if subject.under is not None and named is not None and not own:
        message = f"{given} under Rule {named.number}, which lets {kind} give none"
    elif subject.under is not None and named is None:
        message = f"{given}, and no rule in force lets it; there is no Rule {subject.under}"
    elif lets:
        message = f"{given}, and no rule in force lets it give that"
    else:
        message = f"{given}, and no rule in force lets it"
    rules = f"Rule{'s' * (len(speaking) > 1)} {', '.join(map(str, speaking))}"
    remedy = f"take them out: what earns points stands in {rules}; "
    if lets:
        said = " ".join(f"Rule {rule.number}: {sentence('awards', one)}" for rule, one in own or lets)
        remedy = f"take them out, or mend them. {said}"
    else:
        remedy += f"only a rule with an `awards` provision lets {kind} give any by hand"
    rule = (own or lets)[0][0].number if lets else speaking[0]
    return Finding(slug="points-unlawful", span=subject.line.span, message=message, help=remedy, rule=rule)
