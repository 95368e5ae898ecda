"""How a rule can be changed: what the law in force lets a proposal do to it, and what that needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from nomicgen.law.possible_changes import PossibleChange, possible_changes
from nomicgen.law.replay_state import Rule
from nomicgen.law.scene import Scene
from nomicgen.patterns import lazy_pattern
from nomicgen.site.page import Page
from nomicgen.site.shared_pieces import joined
from nomicgen.site.site_view import Site

_RULE = lazy_pattern(r"Rule (\d+)")
_DEEDS = {"amend": "amended", "repeal": "repealed"}


class Ways(Struct, frozen=True, kw_only=True):
    """What votes can do to the rules of each tier. Without `known` the rules tell a program nothing of it."""

    known: bool
    reach: Mapping[str, tuple[PossibleChange, ...]]

    @classmethod
    def of(cls, site: Site) -> Ways:
        """The ways of a game as it stands: computed once, not for each rule."""
        scene = Scene.of(site.replay.current, site.records, site.today)
        reach: dict[str, list[PossibleChange]] = {}
        for one in () if scene.lawless else possible_changes(scene):
            if one.from_ is not None:
                reach.setdefault(one.from_, []).append(one)
        return cls(known=not scene.lawless, reach={tier: tuple(ways) for tier, ways in reach.items()})


def ways_of(page: Page, rule: Rule, ways: Ways) -> Mapping[str, Any]:
    """What a rule's page says of how to change it: sentences, a command, and the forge's editor where it has one."""
    reach = ways.reach.get(rule.tier, ())
    if not ways.known:
        sentences: Sequence[Markup | str] = ("The texts of the rules say what a change needs. No program reads it.",)
    elif not reach:
        sentences = (f"No rule says what may be done to {rule.tier} rules.",)
    else:
        sentences = tuple(_sentences(page, reach))
    first = next((one for one in reach if one.possible), None)
    if ways.known and first is None:
        return {"sentences": sentences, "href": None, "command": ()}
    amends = first is None or first.verb == "amend"
    return {
        "sentences": sentences,
        "href": page.site.addresses.amend(rule) if amends else None,
        "command": ("nomicgen propose", "--title TITLE", "--author ID", _option(rule, first)),
    }


def _option(rule: Rule, first: PossibleChange | None) -> str:
    if first is not None and first.verb == "transmute":
        return f"--transmute {rule.number} {first.into}"
    return f"--{first.verb if first else 'amend'} {rule.number}"


def _sentences(page: Page, reach: Sequence[PossibleChange]) -> Iterator[Markup]:
    """One sentence for all ways that need the same, then one for all that the same rules close."""
    groups: dict[tuple[object, ...], list[PossibleChange]] = {}
    for one in reach:
        groups.setdefault((not one.possible, one.needs, one.rules, "" if one.rules else one.reason), []).append(one)
    for same in sorted(groups.values(), key=lambda group: not group[0].possible):
        first = same[0]
        *deeds, last = (_DEEDS.get(one.verb, f"made {one.into}") for one in same)
        what = f"{', '.join(deeds)} or {last}" if deeds else last
        links = joined(page.rule_link(number) for number in first.rules)
        if first.possible:
            yield Markup("It can be {} by {} ({}).").format(what, "; also by ".join(first.needs), links)
        elif len(same) == 1 or not first.rules:
            yield Markup("It cannot be {}: {}.").format(what, _linked(page, first.reason))
        else:
            yield Markup("It cannot be {} ({}).").format(what, links)
    possible = [one.verb for one in reach if one.possible]
    if "transmute" in possible and "amend" not in possible:
        yield Markup("To change its words, it must be transmuted first.")


def _linked(page: Page, words: str) -> Markup:
    """Words of nomicgen's own, in which each rule is a link."""
    parts = _RULE.split(words)
    return Markup("").join(page.rule_link(int(part)) if index % 2 else part for index, part in enumerate(parts))
