"""What votes can change for ever: the question of Suber's Rule 114, and of `changeable`.

One change that is possible now is not enough, if it is the last one, or leads to a last one. So
the question is asked again after each change, under the law that the change makes. What acts and
judgements may do to rules under a provision `authority` does not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from typing import Literal

from msgspec.structs import replace

from nomicgen.law.change_kinds import ChangeKind, kinds_of_change
from nomicgen.law.kinds import kinds
from nomicgen.law.possible_changes import ChangeReach
from nomicgen.law.provisions.numbering import Numbering
from nomicgen.law.reading import Provisions
from nomicgen.law.replay.results import Ruleset
from nomicgen.law.replay.scene import Scene

Lasting = Literal["nothing", "tiers", "texts"]
_Key = tuple[tuple[str, int], ...]
"""Equal for rulesets that votes can change in the same ways (`_key_of`)."""
_MOST_RULESETS = 500
"""How many rulesets are tried at most."""
_TEXTS = ("amend", "enact")
"""The changes that give a rule a text."""


def lasting_changes(scene: Scene) -> Lasting:
    """Return what votes can change time and again from now on: texts, or only the tiers of rules,
    or in the end nothing.

    If a rule can be amended or enacted now, that can go on: an amendment may leave the law as it
    is, and a new rule may bring any law. Otherwise transmutations and repeals are tried in every
    order, with the same voters; rules keep their numbers. If an instrument may hold several
    changes, some may make room for others, so caps and floors do not count.
    """
    one_by_one = scene.law.value(Numbering.changes) == 1

    def possible(now: Ruleset, *, bounded: bool) -> Iterator[ChangeKind]:
        """Yield the changes that are possible; unless `bounded`, caps and floors do not count.

        Changes of texts come first: if there is one, nobody asks for the others.
        """
        reach = ChangeReach.of(replace(scene, ruleset=now))
        in_turn = sorted(
            kinds_of_change(scene.settings), key=lambda change: change.verb not in _TEXTS
        )
        return (change for change in in_turn if reach.judge(change, bounded=bounded).possible)

    def search(now: Ruleset, best: Lasting, *, bounded: bool) -> Lasting:
        """Return what lasts: `best` at best; `best`, too, if there are too many rulesets to try."""
        waiting, leads = [now], dict[_Key, frozenset[_Key]]()
        while waiting:
            now = waiting.pop()
            if (key := _key_of(now)) in leads:
                continue
            changes = tuple(possible(now, bounded=bounded))
            if _has_texts(changes) or len(leads) == _MOST_RULESETS:
                return best
            following = {
                _key_of(ruleset): ruleset
                for change in changes
                for ruleset in _following(now, change)
            }
            leads[key] = frozenset(following)
            # Two rulesets that lead to each other are a circle already.
            if best == "tiers" and any(key in leads.get(other, ()) for other in following):
                return best
            waiting.extend(following.values())
        try:
            TopologicalSorter(leads).prepare()
        except CycleError:  # who goes round in a circle never comes to an end
            return "tiers"
        return "nothing"

    if _has_texts(possible(scene.ruleset, bounded=one_by_one)):
        return "texts"
    # Without caps and floors more is possible, and there are far fewer rulesets to try.
    lasting = search(_reduced(scene.ruleset, bounded=False), "texts", bounded=False)
    return (
        search(_reduced(scene.ruleset, bounded=True), lasting, bounded=True)
        if one_by_one and lasting != "nothing"
        else lasting
    )


def _has_texts(changes: Iterable[ChangeKind]) -> bool:
    return any(change.verb in _TEXTS for change in changes)


def _reduced(ruleset: Ruleset, *, bounded: bool) -> Ruleset:
    """Return the ruleset with what matters here: of rules that do not decide what is possible, only
    their tiers.

    Unless `bounded`, no cap or floor counts, and one such rule of each tier is as good as many.
    """
    decisive = {
        name
        for name, kind in kinds().items()
        if kind.affects_changeability and (bounded or not kind.counts_rules)
        if any(
            kind.affects_changeability(provision)
            for rule in ruleset
            for provision in rule.law.of(kind.schema)
        )
    }
    tiers = set[str]()
    for rule in ruleset:
        if decisive.isdisjoint(rule.law.kinds):
            ruleset = ruleset.replaced(
                rule, None if rule.tier in tiers else replace(rule, law=Provisions())
            )
            tiers.update(() if bounded else (rule.tier,))
    return ruleset


def _key_of(ruleset: Ruleset) -> _Key:
    """Return what decides the law of a ruleset and its changes: which rules with provisions stand
    in which tier, and how many others do.
    """
    return tuple(sorted((rule.tier, rule.identity if rule.law else 0) for rule in ruleset))


def _following(ruleset: Ruleset, change: ChangeKind) -> Iterator[Ruleset]:
    """Yield the rulesets that a kind of change, a transmutation or a repeal, can make of it.

    One rule without provisions is as good as another of its tier.
    """
    plain = next((rule for rule in ruleset if rule.tier == change.from_ and not rule.law), None)
    for rule in ruleset:
        if rule.tier == change.from_ and (rule.law or rule is plain):
            yield ruleset.replaced(
                rule, replace(rule, tier=change.into) if change.into is not None else None
            )
