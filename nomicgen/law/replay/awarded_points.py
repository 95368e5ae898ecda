"""Points: what the rules in force award for a decision, a turn or a judgement, and what files give
by hand.

Every line of a score has its reason. Amounts are exact fractions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from msgspec import structs

from nomicgen.law.precedence import Law
from nomicgen.law.provisions.ballot import Ballot
from nomicgen.law.provisions.points import Points
from nomicgen.law.replay.player_spans import holders, is_player
from nomicgen.law.replay.results import Rule, ScoreLine
from nomicgen.law.subjects import State
from nomicgen.law.voting.tally import Tally
from nomicgen.model.findings import Finding, counted
from nomicgen.model.front_matters import Award, JudgementMatter, ProposalMatter
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Instrument, Players, Turn
from nomicgen.model.values import Moment, Source


def totals(lines: Iterable[ScoreLine]) -> dict[PlayerId, Fraction]:
    """Return the score of everybody who ever got points, by id."""
    scores: dict[PlayerId, Fraction] = {}
    for line in lines:
        scores[line.player] = scores.get(line.player, Fraction(0)) + line.amount
    return scores


def points_in_file(
    points: Iterable[Award] | None, source: Source, moment: Moment | None
) -> Iterator[ScoreLine]:
    """Yield the points that a file gives by hand."""
    for index, award in enumerate(points or ()):
        yield ScoreLine(
            player=award.player,
            amount=award.amount,
            reason=award.reason,
            rule=None,
            moment=moment,
            span=source.at("points", index),
        )


def rules_of_points(law: Law) -> tuple[Rule, ...]:
    """Return the rules that award points."""
    return tuple(rule for rule, _ in law.every(Points))


def points_for(record: Instrument | Turn, tally: Tally | None, now: State) -> Iterator[ScoreLine]:
    """Yield the points that the law awards for the decision of a proposal, for a judgement or for a
    turn, and those that silence costs. Only a proposal has a `tally`.
    """
    occasions, penalty = _occasions(record, tally), now.law.says(Ballot.penalty)
    awards: list[tuple[tuple[PlayerId, ...], Fraction, str, int]] = []
    for rule, points in now.law.every(Points):
        fits = points.if_ is None or (
            tally is not None and tally.unanimity == (points.if_ == "unanimity-needed")
        )
        if points.on not in occasions or not fits or points.amount is None:
            continue
        what, parts = occasions[points.on]
        if isinstance(points.to, str):
            players, why = parts[points.to]
        else:
            # A role gets something for the silence or the lateness of others only if somebody was
            # silent or late.
            is_due = points.on not in ("silence", "late-judge") or any(
                players for players, _ in parts.values()
            )
            players = holders(points.to["role"], now.players, now.moment) if is_due else ()
            why = f", for each {points.to['role']}"
        awards.append(
            (players, points.amount * _times(points, tally, record), what + why, rule.number)
        )
    if penalty is not None and tally is not None and "silence" in occasions:
        awards.append((tally.silent, -penalty.value.points, occasions["silence"][0], penalty.rule))
    if isinstance(record, Turn):
        asked = _dice_asked(record, now.law, now.records.players, now.moment)
        for (number, sides), face in zip(asked, record.matter.dice, strict=False):
            if 1 <= face <= sides:
                reason = f"{_turn_words(record)}, a throw of {face}"
                awards.append(((record.matter.player,), Fraction(face), reason, number))
    key = "ended" if isinstance(record, Turn) else "date" if tally is None else "decided"
    for players, amount, reason, number in awards:
        for player in players:
            yield ScoreLine(
                player=player,
                amount=amount,
                reason=reason,
                rule=number,
                moment=now.moment,
                span=record.source.at(key),
            )


_Parts = dict[str, tuple[tuple[PlayerId, ...], str]]
"""By the value of `to`, such as `author`: the players who get something, and why, in words."""


def _occasions(record: Instrument | Turn, tally: Tally | None) -> dict[str, tuple[str, _Parts]]:
    """Return what has happened, by the value of `on`, such as `adopted`: what it is called, such as
    `proposal 305 adopted`, and who took part.
    """
    if isinstance(record, Turn):
        return {
            _turn_ended(record): (_turn_words(record), {"player": ((record.matter.player,), "")})
        }
    matter, name = record.matter, f"{record.kind} {record.number}"
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


def _turn_ended(turn: Turn) -> str:
    """Return the value of `on` for how a turn ends."""
    return "passed" if turn.matter.passed else "turn"


def _turn_words(turn: Turn) -> str:
    return f"turn {turn.ident}{' passed' if turn.matter.passed else ''}"


def _times(points: Points, tally: Tally | None, record: Instrument | Turn) -> Fraction:
    """Return what an amount is multiplied by, as `Points.times` says; 1 if it says nothing."""
    if points.times == "changes" and isinstance(record, Instrument):
        return Fraction(len(record.instructions))
    if points.times is None or tally is None:
        return Fraction(1)
    return Fraction(tally.votes_for, tally.votes_for + tally.votes_against or 1)


def _dice_asked(
    turn: Turn, law: Law, players: Players, moment: Moment | None
) -> list[tuple[int, int]]:
    """Return the throws that the rules ask of a turn's player at its end: each rule's number and
    the sides of its die, in the order of the numbers.
    """
    asked = (
        (rule.number, points.die)
        for rule, points in law.every(Points)
        if points.on == _turn_ended(turn) and points.die is not None
        if isinstance(points.to, str)
        or turn.matter.player in holders(points.to["role"], players, moment)
    )
    return sorted(asked, key=lambda pair: pair[0])


def throws_asked(turn: Turn, law: Law, players: Players, moment: Moment) -> int:
    """Return how many throws the rules ask of a turn that would end at a moment."""
    return len(_dice_asked(turn, law, players, moment))


def missing_throws(turn: Turn, law: Law, players: Players, moment: Moment, *, passed: bool) -> int:
    """Return how many throws a turn would lack if it ended at a moment, `passed` or not.

    0 once some are recorded; a player who has left the game throws none.
    """
    player = players.get(turn.matter.player)
    if turn.matter.dice or player is None or not is_player(player, moment):
        return 0
    ended = structs.replace(turn, matter=turn.matter.replace(passed=passed))
    return throws_asked(ended, law, players, moment)


def wrong_dice(turn: Turn, law: Law, players: Players, moment: Moment | None) -> list[Finding]:
    """Return what is wrong with the throws of a turn: once it has ended, also which are missing.

    A turn that goes on may yet be passed, and then other throws may be asked of it. Its throws are
    right if they fit either end.
    """
    found = _wrong_dice(turn, law, players, moment)
    if found and turn.matter.ended is None:
        passed = structs.replace(turn, matter=turn.matter.replace(passed=True))
        return found if _wrong_dice(passed, law, players, moment) else []
    return found


def _wrong_dice(turn: Turn, law: Law, players: Players, moment: Moment | None) -> list[Finding]:
    dice, at, file, found = (
        turn.matter.dice,
        turn.source.at,
        f"turns/{turn.ident}.yml",
        list[Finding](),
    )
    asked = _dice_asked(turn, law, players, moment)
    already = f"is recorded already: `nomicgen correct {file} dice FACE --evidence TEXT`"
    faces = [*map(str, dice), *["FACE"] * (len(asked) - len(dice))]
    typed = f"nomicgen turn {turn.ident} --dice {' --dice '.join(faces)} --end"
    for index, (rule, sides) in enumerate(asked):
        if index < len(dice) and not 1 <= dice[index] <= sides:
            message = f"a die of {sides} sides does not show {dice[index]}"
            span, remedy = at("dice", index), f"give what was thrown; if it {already}"
        elif index >= len(dice) and turn.matter.ended is not None:
            message = f"{turn.ident} ended, and its throw of a die of {sides} sides is not recorded"
            span, remedy = (
                at("ended"),
                f"throw, and write `dice: [{', '.join(faces)}]` into {file}, or type `{typed}`; "
                f"if the end {already}",
            )
        else:
            continue
        found.append(Finding(slug="dice-wrong", span=span, message=message, help=remedy, rule=rule))
    if len(dice) > len(asked) and any(points.die is not None for _, points in law.every(Points)):
        message = f"{counted(len(dice), 'throw')}, but the rules ask for {len(asked) or 'none'}"
        remedy = f"leave out the throws that do not count; if it {already}"
        found.append(
            Finding(slug="dice-wrong", span=at("dice", len(asked)), message=message, help=remedy)
        )
    return found
