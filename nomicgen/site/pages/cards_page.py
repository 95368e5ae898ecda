"""The rules in force as index cards, each tier on its own sheets, to be printed and cut."""

from __future__ import annotations

from collections.abc import Iterator

from nomicgen.site.addresses import CARDS, RULES
from nomicgen.site.parts.filters import select, with_choices
from nomicgen.site.parts.page import Page
from nomicgen.site.parts.tiers import rules_by_tier
from nomicgen.site.render import render_page
from nomicgen.site.site_view import Site

# The lead, a sentence under the title, for no rule and for one; `card_pages` has that for more.
_LEADS = {0: "No rule is in force.", 1: "The rule in force, on a card."}
_BANDS = 6  # the patterns of a card's band; the stylesheet has so many


def card_pages(site: Site) -> Iterator[tuple[str, str]]:
    """Yield the page of cards."""
    page, settings = Page(site, CARDS), site.settings
    force = [rule for rule in site.replay.current if not rule.void_on(site.today)]
    by_tier = rules_by_tier(settings, force)
    tiers = [
        (tier, place % _BANDS + 1, rules)
        for place, (tier, rules) in enumerate(by_tier.items())
        if rules
    ]
    yield render_page(
        page,
        "cards.html",
        kind="cards",
        shows=("rules/",),
        title="Cards",
        crumbs=(RULES,),
        here="Cards",
        description=f"The rules of {settings.name} in force, as cards to print",
        lead=_LEADS.get(len(force), f"The {len(force)} rules in force, each on a card."),
        selects=with_choices([select("tier", "Tier", ((tier, tier) for tier, _, _ in tiers))]),
        tiers=tiers,
    )
