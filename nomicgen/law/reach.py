"""What kinds of change the rules leave possible: each as the next one, and by itself.

A change is possible if there is a rule to do it to, entrenchment allows it, the cap and the floor leave room, some
adoption condition covers it, and those that do could be met. Instruments that change rules under an authority do not
count: the question is whether a vote could.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from nomicgen.law.electorate import electorate, without_vote
from nomicgen.law.kinds import kinds_that
from nomicgen.law.precedence import Law, drop_defeated
from nomicgen.law.provisions.adoption import Adoption, covering, is_share, needs_words
from nomicgen.law.state import Rule, Ruleset
from nomicgen.law.tally import Count, conditions_of
from nomicgen.model import Moment, Player, Settings

__all__ = ["NOUNS", "Possible", "Proposed", "Reach", "Verb", "asked", "kinds_of_change", "possible_changes"]

_COUNTLESS = 10**10
"""Voters of a game that records no players: more than any count that a provision can ask for."""
Verb = Literal["enact", "amend", "repeal", "transmute"]
_KEPT: tuple[Verb, ...] = ("amend", "repeal")
NOUNS: dict[str, str] = {"enact": "enactment", "amend": "amendment", "repeal": "repeal", "transmute": "transmutation"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Possible:
    """Whether rules of a tier (`from_`), or into one (`into`), can be changed in one way.

    `from_` is None for an enactment, `into` for an amendment and a repeal. `needs` has what each condition asks for,
    in the words of its sentence, and `rules` the rules that ask; where it is impossible `needs` is empty, `reason` says
    all that stands against it, and `rules` which rules do.
    """

    verb: Verb
    from_: str | None
    into: str | None
    possible: bool
    needs: tuple[str, ...] = ()
    rules: tuple[int, ...] = ()
    reason: str = ""

    @property
    def words(self) -> str:
        """`amending a mutable rule`, `transmuting an immutable rule into a mutable one`."""
        verbs = {"enact": "enacting", "amend": "amending", "repeal": "repealing", "transmute": "transmuting"}
        into = f" into {_article(self.into)} one" if self.from_ and self.into else ""
        return f"{verbs[self.verb]} {_article(self.from_ or self.into)} rule{into}"


def _article(tier: str | None) -> str:
    return f"{'an' if (tier or '')[:1] in set('aeiou') else 'a'} {tier}"


def possible_changes(
    ruleset: Ruleset, law: Law, settings: Settings, players: Mapping[str, Player], moment: Moment | None
) -> tuple[Possible, ...]:
    """Every kind of change of every tier, by the tiers' order, and whether a vote at `moment` could make it."""
    reach = Reach.of(ruleset, law, players, moment)
    return tuple(reach.judge(*kind) for kind in kinds_of_change(settings))


def kinds_of_change(settings: Settings) -> Iterator[tuple[Verb, str | None, str | None]]:
    """Each kind of change of each tier: the verb, the tier that it is about, and the one that a rule comes into."""
    for tier in settings.tiers:
        yield "enact", None, tier
        for verb in _KEPT:
            yield verb, tier, None
        for other in settings.tiers:
            if other != tier:
                yield "transmute", tier, other


def _votes_for(eligible: list[str], players: Mapping[str, Player], law: Law) -> int:
    """How many could vote for: a dummy whose die has no face that is a vote for never does."""
    said = law.says("ballot", "dummy")
    hopeless = said is not None and not said.value.for_
    return sum(1 for one in eligible if not (hopeless and players[one].matter.kind == "dummy"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """A kind of change under a law; without `room`, as if other changes made room for it."""

    verb: Verb
    from_: str | None
    into: str | None
    ruleset: Ruleset
    law: Law
    room: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """The law of a moment, and what would be counted if everyone voted for who could."""

    ruleset: Ruleset
    law: Law
    count: Count

    @classmethod
    def of(cls, ruleset: Ruleset, law: Law, players: Mapping[str, Player], moment: Moment | None) -> Reach:
        everyone, breaker = electorate(players, law, moment)[1], without_vote(law)
        # Who is inactive today can come back for a vote: what no possible vote could change does not depend on that.
        eligible = [one for one in everyone if one != breaker]
        for_ = _votes_for(eligible, players, law) if players else _COUNTLESS
        voters = len(eligible) if players else _COUNTLESS
        seats = len(everyone) if players else _COUNTLESS
        return cls(
            ruleset=ruleset,
            law=law,
            count=Count(for_=for_, ballots=for_, eligible=voters, cast=for_, players=seats),
        )

    def judge(self, verb: Verb, from_: str | None, into: str | None, *, room: bool = True) -> Possible:
        """Whether a kind of change is possible; without `room`, as if other changes made room for it."""
        conditions = drop_defeated(covering(verb, from_, into, self.law), self.ruleset, self.law)
        change = Proposed(verb=verb, from_=from_, into=into, ruleset=self.ruleset, law=self.law, room=room)
        against = [
            *self._standing(from_),
            *(one for kind in kinds_that("hinders") if kind.hinders for one in kind.hinders(change)),
            *self._conditions(conditions),
        ]
        if against:
            rules = dict.fromkeys(rule for rule, _ in against if rule is not None)
            reason = "; ".join(dict.fromkeys(text for _, text in against))
            return Possible(verb=verb, from_=from_, into=into, possible=False, rules=tuple(rules), reason=reason)
        return Possible(
            verb=verb,
            from_=from_,
            into=into,
            possible=True,
            needs=asked(one for _, one in conditions),
            rules=tuple(dict.fromkeys(rule.number for rule, _ in conditions)),
        )

    def _standing(self, tier: str | None) -> Iterator[tuple[int | None, str]]:
        if tier is not None and self.ruleset.count(tier) == 0:
            yield None, f"there is no {tier} rule"

    def _conditions(self, conditions: tuple[tuple[Rule, Adoption], ...]) -> Iterator[tuple[int | None, str]]:
        if not conditions:
            yield None, "no rule in force says how it is adopted"
        for one in conditions_of(conditions, self.count, self.law):
            yield from ((one.rule, f"Rule {one.rule} asks for {words}, and {self._most()}") for words in one.lacks)

    def _most(self) -> str:
        if self.count.for_ == _COUNTLESS:
            return "no number of votes is as many"
        return f"{self.count.for_ or 'nobody'} can vote for"


def asked(conditions: Iterable[Adoption]) -> tuple[str, ...]:
    """What several conditions ask for together: each `more than half of eligible voters, and more than 15% of …`.

    A share is left out where the votes of all are asked for anyway.
    """
    many = tuple(dict.fromkeys(conditions))
    left = (one for one in many if not any(_implies(other, one) for other in many))
    return tuple(dict.fromkeys(", and ".join(needs_words(*part) for part in one.parts) for one in left))


def _implies(all_: Adoption, one: Adoption) -> bool:
    """Whether who meets a condition that asks for every vote meets another."""
    if all_.needs != "unanimous" or one.and_ is not None or not is_share(one.needs):
        return False
    wider = _WIDTH.index(all_.of) - _WIDTH.index(one.of)
    return wider > 0 or (wider == 0 and one.needs != "unanimous")


_WIDTH = ("cast", "eligible", "players")
