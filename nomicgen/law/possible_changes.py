"""Which kinds of change a vote could make now, each as a proposal's only change.

A change is possible if there is a rule to do it to, no provision prevents it (`hinders`: the cap,
for example), some adoption condition covers it, and a vote could meet all that cover it, and what
rules ask of every vote, such as a quorum. Acts and judgements that change rules under an authority
do not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import asdict, replace

from nomicgen.law.change_kinds import ChangeKind, kinds_of_change
from nomicgen.law.judging_kind import judging_kinds
from nomicgen.law.precedence import drop_defeated
from nomicgen.law.provisions.adoption import Adoption
from nomicgen.law.provisions.ballot import Ballot
from nomicgen.law.replay.scene import Scene
from nomicgen.law.voting.conditions import Requirements, conditions_for
from nomicgen.law.voting.tally import Condition, Tally, VoteTotals
from nomicgen.law.voting.thresholds import is_share, needs_words
from nomicgen.law.voting.vote_count import conditions_of, count_of
from nomicgen.law.voting.voting_rights import (
    author_votes,
    electorate,
    player_without_vote,
    silence,
    weights_of,
)

_MANY = 10**10
"""More than any count that a provision can ask for."""
_COUNTLESS = VoteTotals(_MANY, 0, *(_MANY,) * 7)
"""The count by which a change is judged in a game that records no players: any vote could pass."""


class PossibleChange(ChangeKind, frozen=True, kw_only=True):
    """A kind of change, and whether it is possible.

    If it is, `needs` has in words what the conditions ask for, and `rules` the rules that ask. If
    not, `reason` says all that prevents it, and `rules` which rules do.
    """

    possible: bool
    needs: tuple[str, ...] = ()
    rules: tuple[int, ...] = ()
    reason: str = ""


def possible_changes(scene: Scene) -> tuple[PossibleChange, ...]:
    """Return each kind of change of each tier, with whether a vote could make it."""
    reach = ChangeReach.of(scene)
    return tuple(reach.judge(kind) for kind in kinds_of_change(scene.settings))


def _best_tallies(scene: Scene) -> Iterator[Tally]:
    """Yield the best tallies for a change: all who can vote for it do; or nobody votes, if nobody
    has to.

    A dummy never votes for a change if no face of its die does. A tie, which may be enough too, is
    not considered.
    """
    players, law, moment = scene.players, scene.law, scene.moment
    everyone, breaker = electorate(players, law, moment)[1], player_without_vote(law)
    # The inactive count too: they can come back before a vote, so they make nothing impossible.
    eligible = tuple(voter for voter in everyone if voter != breaker)
    nobody = Tally(
        eligible=eligible, players=everyone, weights=weights_of(everyone, players, law, moment)
    )
    die = law.value(Ballot.dummy)
    hopeless = die is not None and not die.for_
    able = tuple(
        voter for voter in eligible if not (hopeless and players[voter].matter.kind == "dummy")
    )
    yield replace(nobody, for_=able, ballots=len(able))
    if not eligible or (silence(law) == "ignored" and author_votes(law) is None):
        yield nobody


class ChangeReach(Struct, frozen=True, kw_only=True):
    """What votes can change in a scene; `counts` has the totals of the best possible votes."""

    scene: Scene
    counts: tuple[VoteTotals, ...]

    @classmethod
    def of(cls, scene: Scene) -> ChangeReach:
        counted = (
            tuple(count_of(tally, scene.law) for tally in _best_tallies(scene))
            if scene.players
            else (_COUNTLESS,)
        )
        return cls(scene=scene, counts=counted)

    def judge(self, change: ChangeKind, *, bounded: bool = True) -> PossibleChange:
        """Return whether a kind of change is possible, and why or why not.

        Unless `bounded`, no cap or floor counts: other changes could make room for this one.
        """
        ruleset, law = self.scene.ruleset, self.scene.law
        conditions = drop_defeated(
            conditions_for(change.verb, change.from_, change.into, law), ruleset, law
        )
        against: list[tuple[int | None, str]] = []
        if change.from_ is not None and ruleset.count(change.from_) == 0:
            against.append((None, f"there is no {change.from_} rule"))
        for kind in judging_kinds():
            if kind.hinders is not None and (bounded or not kind.counts_rules):
                against.extend(kind.hinders(change, self.scene))
        against.extend(self._votes(conditions))
        judged = PossibleChange(**asdict(change), possible=not against)
        if against:
            rules = dict.fromkeys(rule for rule, _ in against if rule is not None)
            return replace(
                judged,
                rules=tuple(rules),
                reason="; ".join(dict.fromkeys(text for _, text in against)),
            )
        # What rules ask of every vote, such as a quorum: a count of nobody lacks all of it.
        others = conditions_of((), count_of(Tally(), law), law)
        rules = dict.fromkeys(
            (*(rule.number for rule, _ in conditions), *(condition.rule for condition in others))
        )
        needs = (
            *needs_together(condition for _, condition in conditions),
            *(words for condition in others for words in condition.lacks),
        )
        return replace(judged, needs=needs, rules=tuple(rules))

    def _votes(self, conditions: Requirements) -> list[tuple[int | None, str]]:
        if not conditions:
            return [(None, "no rule in force says how it is adopted")]
        lacking = (
            [
                condition
                for condition in conditions_of(conditions, count, self.scene.law)
                if not condition.met
            ]
            for count in self.counts
        )
        first = next(lacking)
        if not first or not all(lacking):
            return []  # one of the votes meets all conditions
        most = self.counts[0]
        return [
            (
                condition.rule,
                f"Rule {condition.rule} asks for {words}, and {_most_votes(condition, most)}",
            )
            for condition in first
            for words in condition.lacks
        ]


def _most_votes(condition: Condition, count: VoteTotals) -> str:
    if condition.is_quorum:
        return f"{count.voters or 'nobody'} can vote"
    if count.for_ != count.votes:
        return f"the votes of all who can vote for count {count.for_}"
    return f"{count.for_ or 'nobody'} can vote for"


def needs_together(conditions: Iterable[Adoption]) -> tuple[str, ...]:
    """Return in words what each condition asks for, such as `more than half of eligible voters`.

    A condition that another one implies is left out: if all votes are needed, so is half of them.
    """
    many = tuple(dict.fromkeys(conditions))
    left = (
        condition for condition in many if not any(_implies(other, condition) for other in many)
    )
    return tuple(dict.fromkeys(", and ".join(_parts(condition)) for condition in left))


def _parts(adoption: Adoption) -> Iterator[str]:
    first, *others = (needs_words(*part) for part in adoption.parts)
    yield (
        first
        + ", or a tie" * (adoption.tied == "adopted")
        + ", or no vote at all" * (adoption.unvoted == "adopted")
    )
    yield from others


def _implies(stricter: Adoption, adoption: Adoption) -> bool:
    """Return whether `stricter` asks for every vote, so that a vote that meets it meets another."""
    if (
        stricter.needs != "unanimous"
        or "adopted" in (stricter.tied, stricter.unvoted)
        or adoption.and_ is not None
        or not is_share(adoption.needs)
    ):
        return False
    wider = _WIDTH.index(stricter.of) - _WIDTH.index(adoption.of)
    return wider > 0 or (wider == 0 and adoption.needs != "unanimous")


_WIDTH = ("cast", "eligible", "players")
"""Whose votes a condition is about (`of`), from the fewest to the most."""
