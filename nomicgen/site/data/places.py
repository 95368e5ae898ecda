"""The addresses in documents: of the page of a thing (`url`) and of its document (`data`)."""

from __future__ import annotations

from collections.abc import Mapping

from nomicgen.history.rule_history import RuleHistory
from nomicgen.model.records import Instrument
from nomicgen.site.addresses import INDEX, data_file, instrument_page
from nomicgen.site.parts.page import Page
from nomicgen.site.site_view import Site

NOWHERE: Mapping[str, str | None] = {"url": None, "data": None}
"""The place of something that has no page."""


def page_place(site: Site, page: str) -> dict[str, str]:
    """Return the address of a page and of its document, both relative to the site's root."""
    href = Page(site, INDEX).href
    return {"url": href(page), "data": href(data_file(page))}


def rule_place(site: Site, history: RuleHistory) -> dict[str, str]:
    """Return the addresses of a rule's page, which has its whole history, and of its document."""
    return page_place(site, site.addresses.rule_page(history))


def instrument_place(site: Site, instrument: Instrument) -> dict[str, str]:
    """Return the addresses of an instrument's page and document."""
    return page_place(site, instrument_page(instrument))
