"""The rules in force as index cards: sheets of six, each tier on sheets of its own, to be printed and cut."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nomicgen.law.state import Rule
from nomicgen.site.addresses import CARDS, tier_anchor
from nomicgen.site.cutting import Cut, cut
from nomicgen.site.history_lines import entry_html
from nomicgen.site.markup import render_text
from nomicgen.site.pieces import choices, search_text, select, useful
from nomicgen.site.render import render_page
from nomicgen.site.rules import RULES
from nomicgen.site.view import Site

__all__ = ["card_pages"]

_ON_A_SHEET = 6
_MARKS = 6
_TITLE = 34


def card_pages(site: Site) -> Iterator[tuple[str, str]]:
    """The page of cards."""
    settings = site.archive.records.settings
    force = [rule for rule in site.archive.replay.current if not rule.void_on(site.today)]
    tiers = [
        _tier(site, tier, index, [rule for rule in force if rule.tier == tier])
        for index, tier in enumerate(dict.fromkeys((*settings.tiers, *(rule.tier for rule in force))))
    ]
    shown = [tier for tier in tiers if tier["rules"]]
    cards = sum(tier["cards"] for tier in shown)
    sheets = sum(len(tier["sheets"]) for tier in shown)
    yield (
        CARDS,
        render_page(
            site,
            "cards.html",
            CARDS,
            kind="cards",
            title="Cards",
            crumbs=((RULES[0], "Ruleset"),),
            here="Cards",
            description=f"The rules of {settings.name} in force, as cards to print",
            boost=0,
            lead=_lead(cards, sheets),
            selects=useful([select("tier", "Tier", ((tier["name"], tier["name"]) for tier in shown))]),
            tiers=shown,
            game=settings.name,
        ),
    )


def _lead(cards: int, sheets: int) -> str:
    if not cards:
        return "No rule is in force."
    return (
        f"The rules in force on {cards} {'card' if cards == 1 else 'cards'}, "
        f"{sheets} {'sheet' if sheets == 1 else 'sheets'} of paper."
    )


def _tier(site: Site, name: str, index: int, rules: Sequence[Rule]) -> Mapping[str, Any]:
    cards = [card for rule in rules for card in _cards(site, rule, index % _MARKS + 1)]
    return {
        "name": name,
        "anchor": tier_anchor(name),
        "rules": len(rules),
        "cards": len(cards),
        "sheets": [cards[at : at + _ON_A_SHEET] for at in range(0, len(cards), _ON_A_SHEET)],
    }


def _cards(site: Site, rule: Rule, mark: int) -> Iterator[Mapping[str, Any]]:
    history = site.archive.histories.rules[rule.identity]
    made = _cut(rule)
    linker = site.linker(CARDS, rule.identity)
    whole = len(made.parts) == 1
    for index, part in enumerate(made.parts, start=1):
        yield {
            "href": site.rule_href(history, CARDS),
            "number": rule.number,
            "revision": rule.revision,
            "title": rule.title or "",
            "tier": rule.tier,
            "section": rule.section or "",
            "mark": mark,
            "step": made.step,
            "text": site.text(rule, CARDS, 4) if whole else render_text(part, linker, level=4),
            "of": "" if whole else f"{index} of {len(made.parts)}",
            "more": index < len(made.parts),
            "since": entry_html(site, history.entries[-1], CARDS),
            "search": search_text(rule.ref, rule.title, rule.section, site.summary(rule, 600)),
            "data": {"tier": choices(rule.tier)},
        }


def _cut(rule: Rule) -> Cut:
    if rule.text is None:
        return Cut(1, ("",))
    # A title of more than two lines is cut off on the card; its rule's page has it whole.
    lines = min(2, math.ceil(len(rule.title) / _TITLE)) if rule.title else 0
    return cut(rule.text, taken=lines * 1.05 + 0.3 if lines else 0)
