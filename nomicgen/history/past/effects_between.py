"""What comes about between two states of a game: each effect with the rules that permit it, and
what else differs, such as a score or who may vote.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.history.differences import ReachChange, reach_changes
from nomicgen.history.supposed import Supposed
from nomicgen.law.possible_changes import possible_changes
from nomicgen.law.questions import Adoption, Quorum, electorate
from nomicgen.law.replay.awarded_points import totals
from nomicgen.law.replay.carrying_out import target_tier
from nomicgen.law.replay.effects import Effect, Licence
from nomicgen.law.replay.results import Replay, RuleChange
from nomicgen.law.replay.scene import Scene
from nomicgen.law.subjects import rule_words
from nomicgen.law.voting.conditions import requirements_for
from nomicgen.law.voting.thresholds import Threshold, is_share, needs_words, votes_needed
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Records
from nomicgen.model.values import Moment

StatePart = Literal["score", "winner", "turn", "due", "voters", "void"]


class StateDifference(Struct, frozen=True, kw_only=True):
    """Something in the state of a game that differs afterwards.

    It is a `player`'s score, who has won, the next turn, the rules that are due to change by
    themselves, who may vote, or the rules that are void. `before` and `after` have whole lists, not
    only what differs.
    """

    what: StatePart
    before: tuple[str, ...]
    after: tuple[str, ...]
    player: PlayerId | None = None


class Effects(Struct, frozen=True, kw_only=True):
    """The effects that the second of two states has and the first has not, in order; and what else
    differs.

    `reach` has the kinds of change that become possible or impossible, or that need other votes.
    """

    effects: tuple[Effect, ...] = ()
    differences: tuple[StateDifference, ...] = ()
    reach: tuple[ReachChange, ...] = ()


def brought_about(
    before: Records, was: Replay, after: Records, now: Replay, moment: Moment
) -> Effects:
    """Return what comes about between two replays of a game, `was` and `now`, both up to `moment`.
    `before` and `after` are their records.

    That is nothing if the first has neither initial rules nor effects: the game only begins.
    """
    if was is now or not (was.initial or was.effects):
        return Effects()
    old, new = Scene.of(was.current, before, moment), Scene.of(now.current, after, moment)
    return Effects(
        effects=tuple(_added(was.effects, now.effects)),
        differences=(*_scores(was, now), *_winner_turn_and_due(was, now), *_differences(old, new)),
        reach=_reach(old, new),
    )


def would_bring_about(supposed: Supposed) -> Effects:
    """Return what a proposal that is not decided would bring about if it passed. The licences of
    its effects say how many votes that takes.
    """
    before, after = supposed.before, supposed.after
    return Effects(
        effects=tuple(_supposed(supposed)),
        differences=tuple(_differences(before, after)),
        reach=_reach(before, after),
    )


def _added(was: Iterable[Effect], now: Iterable[Effect]) -> Iterator[Effect]:
    known = Counter(map(_key, was))
    for effect in now:
        if known[_key(effect)] > 0:
            known[_key(effect)] -= 1
        else:
            yield effect


def _key(effect: Effect) -> Effect:
    """Return what an effect is compared by: refusals are the same if only their words differ, and
    points if only the scores before and after them do.
    """
    if effect.refused:
        return replace(effect, words="", change=None)
    return replace(effect, words="") if effect.change is not None else effect


def _scores(was: Replay, now: Replay) -> Iterator[StateDifference]:
    old, new = totals(was.awards), totals(now.awards)
    for player in sorted(old | new):
        if old.get(player, 0) != new.get(player, 0):
            sides = [(str(many.get(player, 0)),) for many in (old, new)]
            yield StateDifference(what="score", before=sides[0], after=sides[1], player=player)


def _winner_turn_and_due(was: Replay, now: Replay) -> Iterator[StateDifference]:
    yield from _changed(
        "winner", *(played.winner.players if played.winner else () for played in (was, now))
    )
    turns = (played.next_turn for played in (was, now))
    yield from _changed(
        "turn", *((f"{turn.ident} of {turn.player}",) if turn else () for turn in turns)
    )
    yield from _changed(
        "due", *(tuple(due.rule.ref for due in played.due) for played in (was, now))
    )


def _changed(
    what: StatePart, before: tuple[str, ...], after: tuple[str, ...]
) -> Iterator[StateDifference]:
    if before != after:
        yield StateDifference(what=what, before=before, after=after)


def _differences(before: Scene, after: Scene) -> Iterator[StateDifference]:
    """Yield differences in who may vote (which is not known without provisions), and in which rules
    are void.
    """
    scenes = (before, after)
    if not after.lawless:
        yield from _changed(
            "voters",
            *(tuple(electorate(scene.players, scene.law, scene.moment)[0]) for scene in scenes),
        )
    yield from _changed(
        "void",
        *(
            tuple(rule.ref for rule in scene.ruleset if rule.void_on(scene.moment))
            for scene in scenes
        ),
    )


def _reach(before: Scene, after: Scene) -> tuple[ReachChange, ...]:
    # The answers of `possible_changes` are only comparable for the same tiers.
    same = before.settings.tiers == after.settings.tiers
    return (
        tuple(reach_changes(possible_changes(before), possible_changes(after)))
        if same and not after.lawless
        else ()
    )


def _supposed(supposed: Supposed) -> Iterator[Effect]:
    lines = [instruction.span.line for instruction in supposed.instrument.instructions]
    own = (
        finding
        for finding in supposed.findings
        if finding.is_error and finding.span.file == supposed.instrument.path
    )
    # An error in an instruction stands at its heading or below it.
    wrong = {
        max((line for line in lines if line <= finding.span.line), default=0) for finding in own
    }
    for change in supposed.changes:
        refused = change.instruction.span.line in wrong
        yield Effect(
            kind="rule",
            path=supposed.instrument.path,
            words=rule_words(change),
            moment=None,
            licences=() if refused else tuple(_licences(change, supposed)),
            refused=refused,
        )


def _licences(change: RuleChange, supposed: Supposed) -> Iterator[Licence]:
    """Yield the rules that say how a change is adopted, each with the votes that it asks for."""
    scene, instruction = supposed.before, change.instruction
    rule = scene.ruleset.get(instruction.target.number) if instruction.target else None
    tier = target_tier(instruction, rule, scene.settings)
    for where, adoption in requirements_for(instruction, rule, tier, scene.law, scene.ruleset):
        yield Licence(where.number, where.revision, "adoption", votes_asked(adoption, supposed))


def votes_asked(adoption: Adoption, supposed: Supposed) -> str:
    """Return how many votes a condition of adoption asks for: `3 of 4 needed, or a tie`."""
    first, *others = (_arithmetic(needs, group, supposed) for needs, group in adoption.parts)
    ways = ", or a tie" * (adoption.tied == "adopted") + ", or no vote at all" * (
        adoption.unvoted == "adopted"
    )
    return "; ".join((first + ways, *others))


def ballots_asked(quorum: Quorum, supposed: Supposed) -> str:
    """Return how many voters a quorum asks for: `2 of 4 must vote`."""
    voters = supposed.tally.players if quorum.of == "players" else supposed.tally.eligible
    if not voters:
        return f"{needs_words(quorum, quorum.of, 'ballot')}, and nobody can vote"
    return f"{_least(quorum, len(voters))} of {len(voters)} must vote"


def _arithmetic(needs: str | Threshold, group: str, supposed: Supposed) -> str:
    """Return `3 of 4 needed`: the smallest whole number of votes that is enough. `group` says of
    what the votes are a share, such as `players` or `cast` votes.
    """
    tally = supposed.tally
    base = tally.worth(tally.players if group == "players" else tally.eligible)
    if base == 0:
        return f"{needs_words(needs, group)}, and there are none"
    least = _least(needs, base)
    if group == "cast" and is_share(needs):
        return f"{least} of {base} needed if all vote"
    return f"{least} of {base} needed"


def _least(needs: str | Threshold, base: int) -> int:
    need, over = votes_needed(needs, base)
    return math.floor(need) + 1 if over else math.ceil(need)
