"""Points: what the rules in force award for a decision, a turn or a judgement, and what instruments say besides.

Every line of a score has its reason. Amounts are exact fractions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from nomicgen.diagnostics import Finding, counted
from nomicgen.law.precedence import Law
from nomicgen.law.provisions.points import Points
from nomicgen.law.roll import holds_role, is_player
from nomicgen.law.state import Rule, ScoreLine, Tally
from nomicgen.model import Award, Instrument, JudgementMatter, Moment, Player, ProposalMatter, Source, Turn

__all__ = ["of_decision", "of_judgement", "of_turn", "totals", "written"]


def totals(lines: Iterable[ScoreLine]) -> dict[str, Fraction]:
    """The score of everybody who ever got points, by id."""
    found: dict[str, Fraction] = {}
    for line in lines:
        found[line.player] = found.get(line.player, Fraction(0)) + line.amount
    return found


def written(points: Iterable[Award] | None, source: Source, moment: Moment | None) -> Iterator[ScoreLine]:
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


def of_decision(
    instrument: Instrument, tally: Tally, law: Law, players: Mapping[str, Player], moment: Moment | None
) -> Iterator[ScoreLine]:
    """What the law of a decision awards for it, and takes for silence."""
    matter = instrument.matter
    assert isinstance(matter, ProposalMatter)
    if matter.status not in ("adopted", "defeated") or not tally.recorded:
        return
    span = instrument.source.at("decided")
    for rule, one in law.every("points"):
        if one.on not in (matter.status, "decided", "silence"):
            continue
        if one.if_ is not None and tally.unanimity != (one.if_ == "unanimity-needed"):
            continue
        amount, reason = _amount(one, tally, instrument), _reason(one, f"proposal {instrument.number}", matter.status)
        for player in _receivers(one, matter, tally, players, moment):
            yield ScoreLine(
                player=player,
                amount=amount,
                reason=reason,
                rule=rule.number,
                moment=moment,
                span=span,
            )
    penalty = law.says("ballot", "penalty")
    for player in tally.silent if penalty else ():
        assert penalty is not None
        yield ScoreLine(
            player=player,
            amount=-penalty.value.points,
            reason=f"silence on proposal {instrument.number}",
            rule=penalty.rule,
            moment=moment,
            span=span,
        )


def _amount(one: Points, tally: Tally, instrument: Instrument) -> Fraction:
    assert one.amount is not None
    if one.times == "changes":
        return one.amount * len(instrument.instructions)
    for_, against = tally.worth(tally.for_), tally.worth(tally.against)
    return one.amount * Fraction(for_, for_ + against or 1) if one.times == "share-for" else one.amount


def _reason(one: Points, proposal: str, outcome: str) -> str:
    """`proposal 301 adopted, for a vote against`."""
    why = f"silence on {proposal}" if one.on == "silence" else f"{proposal} {outcome}"
    if not isinstance(one.to, str):
        return f"{why}, for each {one.to['role']}"
    parts = {"author": ", as its author", "silent": "" if one.on == "silence" else ", for silence"}
    return why + parts.get(one.to, f", for a vote {one.to}")


def _receivers(
    one: Points, matter: ProposalMatter, tally: Tally, players: Mapping[str, Player], moment: Moment | None
) -> tuple[str, ...]:
    if not isinstance(one.to, str):
        return holders(one.to["role"], players, moment) if one.on != "silence" or tally.silent else ()
    if one.to == "author":
        return (matter.author,) if matter.author else ()
    groups = {"for": tally.for_, "against": tally.against, "silent": tally.silent}
    return groups[one.to]


def holders(role: str, players: Mapping[str, Player], moment: Moment | None) -> tuple[str, ...]:
    """Ids of who holds a role at a moment, in alphabetical order."""
    return tuple(
        sorted(
            player.ident
            for player in players.values()
            if is_player(player, moment) and holds_role(player, role, moment)
        )
    )


def of_judgement(
    instrument: Instrument, law: Law, players: Mapping[str, Player], moment: Moment | None
) -> Iterator[ScoreLine]:
    """What the law awards for a judgement, and takes from judges who were late."""
    matter = instrument.matter
    assert isinstance(matter, JudgementMatter)
    for rule, one in law.every("points"):
        if one.on == "judged":
            judges: tuple[str, ...] = (matter.judge,) if matter.judge else ()
            why = f"judgement {instrument.number}, as its judge"
        elif one.on == "late-judge":
            judges, why = tuple(matter.late), f"judgement {instrument.number}, as a judge who was late"
        else:
            continue
        assert one.amount is not None
        if not isinstance(one.to, str):
            judges = holders(one.to["role"], players, moment) if one.on == "judged" or matter.late else ()
            why = f"judgement {instrument.number}, for each {one.to['role']}"
        for player in judges:
            yield ScoreLine(
                player=player,
                amount=one.amount,
                reason=why,
                rule=rule.number,
                moment=moment,
                span=instrument.source.at("date"),
            )


def of_turn(turn: Turn, law: Law, players: Mapping[str, Player]) -> tuple[tuple[ScoreLine, ...], tuple[Finding, ...]]:
    """What the law awards at the end of a turn, and what is wrong with its dice."""
    matter, moment = turn.matter, turn.matter.ended
    occasion = "passed" if matter.passed else "turn"
    lines: list[ScoreLine] = []
    findings: list[Finding] = []
    thrown = 0
    for rule, one in sorted(law.every("points"), key=lambda pair: pair[0].number):
        if one.on != occasion:
            continue
        role = None if isinstance(one.to, str) else holders(one.to["role"], players, moment)
        if one.die is None:
            assert one.amount is not None
            receivers, amount, what = role if role is not None else (matter.player,), one.amount, ""
        elif role is not None and matter.player not in role:
            continue
        else:
            thrown += 1
            face = matter.dice[thrown - 1] if len(matter.dice) >= thrown else None
            findings.extend(_face(turn, rule, one.die, face, thrown))
            if face is None or not 1 <= face <= one.die:
                continue
            receivers, amount, what = (matter.player,), Fraction(face), f", a throw of {face}"
        lines.extend(
            ScoreLine(
                player=player,
                amount=amount,
                reason=f"turn {turn.ident}{' passed' if matter.passed else ''}{what}",
                rule=rule.number,
                moment=moment,
                span=turn.source.at("ended"),
            )
            for player in receivers
        )
    dice = any(one.die is not None for _, one in law.every("points"))
    if dice and len(matter.dice) > thrown:
        findings.append(
            Finding(
                slug="dice-wrong",
                span=turn.source.at("dice", thrown),
                message=f"{counted(len(matter.dice), 'throw')}, and the rules ask for {thrown or 'none'}",
                help="take out what does not count",
            )
        )
    return tuple(lines), tuple(findings)


def _face(turn: Turn, rule: Rule, die: int, face: int | None, index: int) -> Iterator[Finding]:
    path = f"turns/{turn.ident}.yml"
    if face is None:
        message = f"{turn.ident} ended, and its throw of a die of {die} sides is not recorded"
        span, remedy = turn.source.at("ended"), f"throw, and give --dice FACE, or add it to `dice` in {path}"
    elif not 1 <= face <= die:
        message = f"a die of {die} sides does not show {face}"
        span, remedy = turn.source.at("dice", index - 1), f"give what was thrown: --dice, or `dice` in {path}"
    else:
        return
    yield Finding(slug="dice-wrong", span=span, message=message, help=remedy, rule=rule.number)
