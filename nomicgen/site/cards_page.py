"""The rules in force as index cards, each tier on sheets of its own, to be printed and cut."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nomicgen.law.replay_state import Rule
from nomicgen.site.addresses import CARDS, tier_anchor
from nomicgen.site.linked_history import entry_html
from nomicgen.site.page_foot import commit_view
from nomicgen.site.render import render_page
from nomicgen.site.rules_page import RULES
from nomicgen.site.shared_pieces import choices, search_text, select, useful
from nomicgen.site.site_view import Site

_MARKS = 6
# Letters of a text that is set in smaller type: to save paper, for a card holds any text.
_LONG = 400


def card_pages(site: Site) -> Iterator[tuple[str, str]]:
    """The page of cards."""
    settings = site.archive.records.settings
    force = [rule for rule in site.archive.replay.current if not rule.void_on(site.today)]
    tiers = [
        _tier(site, tier, index, [rule for rule in force if rule.tier == tier])
        for index, tier in enumerate(dict.fromkeys((*settings.tiers, *(rule.tier for rule in force))))
    ]
    shown = [tier for tier in tiers if tier["cards"]]
    yield (
        CARDS,
        render_page(
            site,
            "cards.html",
            CARDS,
            kind="cards",
            shows=("rules/",),
            title="Cards",
            crumbs=((RULES[0], "Ruleset"),),
            here="Cards",
            description=f"The rules of {settings.name} in force, as cards to print",
            lead=_lead(len(force)),
            selects=useful([select("tier", "Tier", ((tier["name"], tier["name"]) for tier in shown))]),
            tiers=shown,
            game=settings.name,
        ),
    )


def _lead(rules: int) -> str:
    match rules:
        case 0:
            return "No rule is in force."
        case 1:
            return "The rule in force, on a card."
        case _:
            return f"The {rules} rules in force, each on a card."


def _tier(site: Site, name: str, index: int, rules: Sequence[Rule]) -> Mapping[str, Any]:
    return {
        "name": name,
        "anchor": tier_anchor(name),
        "mark": index % _MARKS + 1,
        "cards": [_card(site, rule) for rule in rules],
    }


def _card(site: Site, rule: Rule) -> Mapping[str, Any]:
    history = site.archive.histories.rules[rule.identity]
    return {
        "href": site.rule_href(history, CARDS),
        "number": rule.number,
        "revision": rule.revision,
        "title": rule.title or "",
        "tier": rule.tier,
        "section": rule.section or "",
        "long": len(rule.text or "") > _LONG,
        "text": site.text(rule, CARDS, 4),
        "commit": commit_view(site, site.archive.touched.get(f"rules/{rule.number}.md")),
        "since": entry_html(site, history.entries[-1], CARDS),
        "search": search_text(rule.ref, rule.title, rule.section, site.summary(rule, 600)),
        "data": {"tier": choices(rule.tier)},
    }
