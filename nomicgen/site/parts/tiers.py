"""Rules by tier, and tiers in groups: the settings may name several tiers together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from nomicgen.law.replay.results import Rule
from nomicgen.model.settings import Settings

_OTHERS = "other tiers"


def rules_by_tier(settings: Settings, rules: Iterable[Rule]) -> dict[str, list[Rule]]:
    """Return the rules of each tier, in the order of the settings: the hardest to change first.
    Tiers that the settings do not name come at the end.
    """
    tiers: dict[str, list[Rule]] = {tier: [] for tier in settings.tiers}
    for rule in rules:
        tiers.setdefault(rule.tier, []).append(rule)
    return tiers


def tiers_by_group(settings: Settings, tiers: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return `tiers` in the groups of the settings, by the name of the group. A tier of no group is
    a group of its own, with its own name.
    """
    names = {
        tier: name
        for name, tiers_of_group in reversed(settings.groups.items())
        for tier in tiers_of_group
    }
    groups: dict[str, tuple[str, ...]] = {}
    for tier in tiers:
        name = names.get(tier, tier)
        groups[name] = (*groups.get(name, ()), tier)
    return groups


def fold_groups(
    groups: Mapping[str, Sequence[str]], sizes: Mapping[str, int], most: int
) -> dict[str, tuple[str, ...]]:
    """Return at most `most` groups: the largest by `sizes` (of tiers), and all others as one group,
    `other tiers`, last.
    """
    if len(groups) <= most:
        return {name: tuple(tiers) for name, tiers in groups.items()}
    order = sorted(groups, key=lambda name: -sum(sizes[tier] for tier in groups[name]))
    kept = {name: tuple(groups[name]) for name in groups if name in order[: most - 1]}
    return {**kept, _OTHERS: tuple(tier for name in order[most - 1 :] for tier in groups[name])}
