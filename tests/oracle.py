"""A second reading of a game's law, straight from the raw provisions, to hold the checker's
against.

It knows less: no dice, casting votes or turns. What it does know it reads in its own way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from nomicgen.law.replay.results import Rule, Ruleset, Step
from nomicgen.model.front_matters import ProposalMatter
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Player
from nomicgen.model.values import Moment

TIERS = ("immutable", "mutable")
CLASSES = {"retitle": "amend", "renumber": "amend"}


@dataclass(frozen=True)
class Oracle:
    """The rules in force that a ruleset has, the most entrenched tier first, then by number."""

    rules: tuple[Rule, ...]

    @classmethod
    def of(cls, ruleset: Ruleset) -> Oracle:
        standing = (rule for rule in ruleset.rules.values() if not rule.void)
        return cls(tuple(sorted(standing, key=lambda rule: (TIERS.index(rule.tier), rule.number))))

    def said(self, kind: str, name: str) -> Any:
        """What the first rule that says it says, as its source text."""
        told: Iterator[Any]
        told = (
            rule.provisions[kind]
            for rule in self.rules
            if rule.provisions and kind in rule.provisions
        )
        return next((one[name] for one in told if name in one), None)

    def broken(self, ruleset: Ruleset) -> list[str]:
        """The caps and floors in force that a ruleset breaks."""
        found = []
        for tier in TIERS:
            count = sum(1 for rule in ruleset.rules.values() if rule.tier == tier)
            cap, floor = self.said("cap", tier), self.said("floor", tier)
            if cap is not None and count > int(cap):
                found.append(f"{count} {tier} rules, and at most {cap}")
            if floor is not None and count < int(floor):
                found.append(f"{count} {tier} rules, and at least {floor}")
        return found

    def forbidden(self, verb: str, tier: str) -> bool:
        """Whether a tier is closed to a kind of change."""
        allowed = self.said("entrenchment", tier)
        return allowed is not None and verb not in _many(allowed)

    def conditions(self, verb: str, from_: str | None, into: str | None) -> list[Mapping[str, Any]]:
        """What is asked for a change: each condition that is about it, but those that another one
        overrides.
        """
        about = [
            (rule, one)
            for rule in self.rules
            for one in _many((rule.provisions or {}).get("adoption", []))
            if verb in _many(one.get("to", verb))
            and ("from" not in one or from_ in _many(one["from"]))
            and ("into" not in one or into in _many(one["into"]))
        ]
        places = range(len(about))
        claims = {
            (one, other) for one in places for other in places if _claims(about[one], about[other])
        }
        leads = set(claims)
        for via in places:
            leads |= {
                (one, other)
                for one in places
                for other in places
                if {(one, via), (via, other)} <= leads
            }
        # Claims that go round in a circle cancel out.
        beaten = {other for one, other in claims if (other, one) not in leads}
        return [about[one][1] for one in places if one not in beaten]

    def authorised(self, kind: str, verb: str, under: int | None) -> bool:
        """Whether a rule gives acts or judgements the authority for a kind of change."""
        rule = next((rule for rule in self.rules if rule.number == under), None)
        given = _many((rule.provisions or {}).get("authority", [])) if rule else []
        return any(one["by"] == kind and verb in _many(one["to"]) for one in given)

    def adopts(
        self,
        matter: ProposalMatter,
        wanted: list[Mapping[str, Any]],
        players: Mapping[PlayerId, Player],
    ) -> bool:
        """Whether the votes of a proposal meet every condition on the day of its decision.

        Who joined or left on that day took part if they voted, or if only that explains the
        outcome.
        """
        return any(self._adopts(matter, wanted, players, there) for there in (False, True))

    def _adopts(
        self,
        matter: ProposalMatter,
        wanted: list[Mapping[str, Any]],
        players: Mapping[PlayerId, Player],
        there: bool,
    ) -> bool:
        day = matter.decided
        assert day is not None
        settled = day
        if self.said("ballot", "electorate_at") == "opening":
            settled = matter.opened or day
        took_part = {ident for ident in players if there or ident in (matter.votes or {})}
        eligible, here = (
            {
                ident
                for ident, player in players.items()
                if plays(player, on, day, ident in took_part)
            }
            for on in (settled, day)
        )
        own = {
            voter
            for voter, vote in (matter.votes or {}).items()
            if voter in eligible and vote.cast_by != "silence"
        }
        votes = {
            voter: vote.vote for voter, vote in (matter.votes or {}).items() if voter in eligible
        }
        if self.said("ballot", "author_votes_for") == "true" and matter.author in eligible:
            votes.setdefault(PlayerId(str(matter.author)), "for")
        silent = (eligible & here) - set(votes)
        silence = self.said("ballot", "silence")
        if silence == "waits" or (
            silence is None and self.said("ballot", "everyone_votes") == "true"
        ):
            if silent:
                return False
        elif silence in ("for", "against"):
            votes |= dict.fromkeys(silent, silence)
        rule = self.said("ballot", "weights")
        weights = {ident: _weight(players[ident], rule, settled) for ident in eligible}
        for_, against, abstain = (
            sum(weights[voter] for voter, vote in votes.items() if vote == side)
            for side in ("for", "against", "abstain")
        )
        abstention = self.said("ballot", "abstention")
        bases = {
            "eligible": sum(weights.values()) - (abstain if abstention == "ignored" else 0),
            "cast": for_ + against + (abstain if abstention == "counts" else 0),
            "players": sum(weights.values()),
        }
        quorum = self.said("ballot", "quorum")
        if quorum is not None and not _enough(quorum, len(own), len(eligible)):
            return False
        for one in wanted:
            met = _enough(one, for_, bases[one.get("of", "eligible")])
            if not votes:
                met = {"adopted": True, "defeated": False}.get(one.get("unvoted", ""), met)
            elif for_ > 0 and for_ == against:
                met = {"adopted": True, "defeated": False}.get(one.get("tied", ""), met)
            second = one.get("and")
            if not met or (
                second and not _enough(second, for_, bases[second.get("of", "eligible")])
            ):
                return False
        return True


def faults(step: Step, players: Mapping[PlayerId, Player]) -> Iterator[str]:
    """What an instrument that was carried out did against the law of its day, by the oracle's
    reading.
    """
    oracle, instrument = Oracle.of(step.before), step.instrument
    matter = instrument.matter
    under = None if isinstance(matter, ProposalMatter) else matter.under
    wanted: list[Mapping[str, Any]] = []
    for change in step.changes:
        block = change.instruction.block
        if change.verb == "mark" and (block is None or block.provisions is None):
            continue
        target = change.instruction.target
        before = step.before.get(target.number) if target else None
        from_ = before.tier if before else None
        into = change.after.tier if change.after and change.verb in ("enact", "transmute") else None
        verb = "amend" if change.verb == "mark" else CLASSES.get(change.verb, change.verb)
        own = before is not None and before.number == under
        if not own and any(oracle.forbidden(verb, tier) for tier in (from_, into) if tier):
            yield f"{change.instruction.heading}: the tier is closed to it"
        if not isinstance(matter, ProposalMatter):
            if not oracle.authorised(instrument.kind, verb, under):
                yield f"{change.instruction.heading}: without authority"
            continue
        asked = oracle.conditions(verb, from_, into)
        if not asked:
            yield f"{change.instruction.heading}: no rule says how it is adopted"
        wanted += asked
    if isinstance(matter, ProposalMatter) and wanted and not oracle.adopts(matter, wanted, players):
        yield f"{instrument.name}: too few votes"
    yield from Oracle.of(step.after).broken(step.after)


def _weight(player: Player, rule: Any, on: Moment) -> int:
    """What a vote counts, by the days that the player's file has."""
    if rule is None:
        return 1
    if rule == "strength":
        at_work = [
            one
            for one in player.matter.strength
            if one.since.day <= on.day and _lasts(one.until, on)
        ]
        return max(at_work, key=lambda one: one.since.day).votes if at_work else 1
    held = [
        one.role for one in player.matter.roles if one.since.day <= on.day and _lasts(one.until, on)
    ]
    known = [int(weight) for role, weight in rule.items() if role in held]
    return sorted(known)[-1] if known else 1


def _lasts(until: Moment | None, on: Moment) -> bool:
    return until is None or on.day < until.day


def plays(
    player: Player, day: Moment, decided: Moment | None = None, took_part: bool = False
) -> bool:
    """Whether somebody plays on a day, as a vote sees it in which they took part on the day of its
    decision, or not.
    """
    joined, left = player.matter.joined, player.matter.left
    ends = decided is not None and decided.day == day.day
    joins, leaves = (
        ends and moment is not None and moment.day == day.day for moment in (joined, left)
    )
    has_joined = joined is None or joined.day <= day.day
    return (
        has_joined
        and (took_part or not joins)
        and (left is None or day.day < left.day or (leaves and took_part))
    )


def _many(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _claims(one: tuple[Rule, Mapping[str, Any]], other: tuple[Rule, Mapping[str, Any]]) -> bool:
    if one[0] is other[0]:
        return False
    reaches = TIERS.index(one[0].tier) <= TIERS.index(other[0].tier)
    over, under = (
        _many(provision.get(key, [])) for provision, key in ((one[1], "over"), (other[1], "under"))
    )
    return (reaches and str(other[0].number) in over) or str(one[0].number) in under


def _enough(part: Mapping[str, Any], for_: int, base: int) -> bool:
    needs = part.get("needs", part)
    if isinstance(needs, str):
        share = {
            "unanimous": Fraction(1),
            "two-thirds": Fraction(2, 3),
            "majority": Fraction(1, 2),
        }[needs]
        return for_ > share * base if needs == "majority" else base > 0 and for_ >= share * base
    if "more_than" in needs:
        return for_ > _amount(needs["more_than"], base)
    # No share is reached where there is nobody; a count of votes may be none.
    return for_ >= _amount(needs["at_least"], base) and (base > 0 or needs["at_least"].isdigit())


def _amount(text: str, base: int) -> Fraction:
    if text.endswith("%"):
        return Fraction(int(text[:-1]), 100) * base
    return Fraction(text) * base if "/" in text else Fraction(text)
