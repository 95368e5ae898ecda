"""Points: what the rules in force award for a decision, a turn or a judgement, and what instruments say besides.

Every line of a score has its reason. Amounts are exact fractions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from nomicgen.diagnostics import Finding, counted
from nomicgen.identifiers import PlayerId
from nomicgen.law.electorate import holds_role, is_player
from nomicgen.law.licence import State
from nomicgen.law.precedence import Law
from nomicgen.law.provisions.points import Points
from nomicgen.law.replay_state import Rule, ScoreLine, Tally
from nomicgen.model import Award, Instrument, JudgementMatter, Moment, Players, ProposalMatter, Source, Turn


def totals(lines: Iterable[ScoreLine]) -> dict[PlayerId, Fraction]:
    """The score of everybody who ever got points, by id."""
    found: dict[PlayerId, Fraction] = {}
    for line in lines:
        found[line.player] = found.get(line.player, Fraction(0)) + line.amount
    return found


def points_in_file(points: Iterable[Award] | None, source: Source, moment: Moment | None) -> Iterator[ScoreLine]:
    """The points that a file awards by itself."""
    for index, award in enumerate(points or ()):
        yield ScoreLine(
            player=award.player,
            amount=award.amount,
            reason=award.reason,
            rule=None,
            moment=moment,
            span=source.at("points", index),
        )


def points_for_instrument(instrument: Instrument, tally: Tally | None, now: State) -> Iterator[ScoreLine]:
    """What the law awards for a decision, of which there is a tally, or for a judgement, and takes for silence."""
    points, penalty = now.law.every("points"), now.law.says("ballot", "penalty")
    if not points and penalty is None:
        return
    occasions = _occasions(instrument, tally)
    awards: list[tuple[tuple[PlayerId, ...], Fraction, str, int]] = []
    for rule, one in points:
        fits = one.if_ is None or (tally is not None and tally.unanimity == (one.if_ == "unanimity-needed"))
        if one.on not in occasions or not fits:
            continue
        what, parts = occasions[one.on]
        if isinstance(one.to, str):
            players, why = parts[one.to]
        else:
            # A role gets something for the silence or the lateness of others only where there was any.
            some = one.on not in ("silence", "late-judge") or any(players for players, _ in parts.values())
            players = holders(one.to["role"], now.records.players, now.moment) if some else ()
            why = f", for each {one.to['role']}"
        awards.append((players, _amount(one, tally, instrument), what + why, rule.number))
    if penalty is not None and tally is not None and "silence" in occasions:
        awards.append((tally.silent, -penalty.value.points, occasions["silence"][0], penalty.rule))
    span = instrument.source.at("date" if tally is None else "decided")
    for players, amount, reason, number in awards:
        for player in players:
            yield ScoreLine(player=player, amount=amount, reason=reason, rule=number, moment=now.moment, span=span)


_Parts = dict[str, tuple[tuple[PlayerId, ...], str]]


def _occasions(instrument: Instrument, tally: Tally | None) -> dict[str, tuple[str, _Parts]]:
    """What has happened, as `on` has it: how it is called, and who had which part in it, as `to` has it."""
    matter, name = instrument.matter, f"{instrument.kind} {instrument.number}"
    if isinstance(matter, JudgementMatter):
        judge: _Parts = {"judge": ((matter.judge,) if matter.judge else (), ", as its judge")}
        late: _Parts = {"judge": (tuple(matter.late), ", as a judge who was late")}
        return {"judged": (name, judge), "late-judge": (name, late)}
    if not isinstance(matter, ProposalMatter) or tally is None or not tally.recorded:
        return {}
    if matter.status not in ("adopted", "defeated"):
        return {}
    parts: _Parts = {
        "author": ((matter.author,) if matter.author else (), ", as its author"),
        "for": (tally.for_, ", for a vote for"),
        "against": (tally.against, ", for a vote against"),
        "silent": (tally.silent, ", for silence"),
    }
    decided = f"{name} {matter.status}", parts
    silence: _Parts = {"silent": (tally.silent, "")}
    return {matter.status: decided, "decided": decided, "silence": (f"silence on {name}", silence)}


def _amount(one: Points, tally: Tally | None, instrument: Instrument) -> Fraction:
    assert one.amount is not None
    if one.times == "changes":
        return one.amount * len(instrument.instructions)
    if one.times is None or tally is None:
        return one.amount
    for_, against = tally.votes_for, tally.votes_against
    return one.amount * Fraction(for_, for_ + against or 1)


def holders(role: str, players: Players, moment: Moment | None) -> tuple[PlayerId, ...]:
    """Ids of who holds a role at a moment, in alphabetical order."""
    return tuple(
        sorted(
            player.ident
            for player in players.values()
            if is_player(player, moment) and holds_role(player, role, moment)
        )
    )


def points_for_turn(turn: Turn, now: State) -> tuple[list[ScoreLine], list[Finding]]:
    """What the law awards at the end of a turn, and what is wrong with its dice."""
    matter, moment = turn.matter, turn.matter.ended
    occasion, passed = ("passed", " passed") if matter.passed else ("turn", "")
    lines: list[ScoreLine] = []
    findings: list[Finding] = []
    thrown = 0
    for rule, one in sorted(now.law.every("points"), key=lambda pair: pair[0].number):
        if one.on != occasion:
            continue
        receivers = _receivers(one, turn, now.records.players, moment)
        amount, what = one.amount, ""
        if one.die is not None:
            if matter.player not in receivers:
                continue
            thrown += 1
            face = _throw(turn, rule, one.die, thrown)
            if isinstance(face, Finding):
                findings.append(face)
                continue
            receivers, amount, what = (matter.player,), Fraction(face), f", a throw of {face}"
        assert amount is not None
        lines.extend(
            ScoreLine(
                player=player,
                amount=amount,
                reason=f"turn {turn.ident}{passed}{what}",
                rule=rule.number,
                moment=moment,
                span=turn.source.at("ended"),
            )
            for player in receivers
        )
    dice = any(one.die is not None for _, one in now.law.every("points"))
    if dice and len(matter.dice) > thrown:
        findings.append(
            Finding(
                slug="dice-wrong",
                span=turn.source.at("dice", thrown),
                message=f"{counted(len(matter.dice), 'throw')}, and the rules ask for {thrown or 'none'}",
                help="take out the throws that do not count",
            )
        )
    return lines, findings


def _receivers(one: Points, turn: Turn, players: Players, moment: Moment | None) -> tuple[PlayerId, ...]:
    return (turn.matter.player,) if isinstance(one.to, str) else holders(one.to["role"], players, moment)


def throws_asked(turn: Turn, law: Law, players: Players, moment: Moment) -> int:
    """How many throws the rules ask of a turn that would end, and not be passed, at a moment."""
    dice = (one for _, one in law.every("points") if one.on == "turn" and one.die is not None)
    return sum(turn.matter.player in _receivers(one, turn, players, moment) for one in dice)


def _throw(turn: Turn, rule: Rule, die: int, index: int) -> int | Finding:
    """What a throw shows, by its number in the turn; or what is wrong with it."""
    path, dice = f"turns/{turn.ident}.yml", turn.matter.dice
    if len(dice) < index:
        message = f"{turn.ident} ended, and its throw of a die of {die} sides is not recorded"
        span, remedy = turn.source.at("ended"), f"throw, and give --dice FACE, or add it to `dice` in {path}"
    elif 1 <= dice[index - 1] <= die:
        return dice[index - 1]
    else:
        message = f"a die of {die} sides does not show {dice[index - 1]}"
        span, remedy = turn.source.at("dice", index - 1), f"give what was thrown: --dice, or `dice` in {path}"
    return Finding(slug="dice-wrong", span=span, message=message, help=remedy, rule=rule.number)
