"""Where the documents of a site's data stand, beside the pages that tell of the same."""

from __future__ import annotations

from typing import NamedTuple

from nomicgen.archive.rule_history import RuleHistory
from nomicgen.formats.api import ROOT
from nomicgen.model import Instrument
from nomicgen.site.addresses import instrument_page
from nomicgen.site.page import Page
from nomicgen.site.site_view import Site

FEED = "feed.xml"
_LIST = "/index.md"


def data_file(page: str) -> str:
    """The document that tells what a page does: `api/v1/rules/203.json` for `rules/203.md`."""
    stem = page.removesuffix(_LIST) if page.endswith(_LIST) else page.removesuffix(".md")
    return f"{ROOT}/{stem}.json"


class Place(NamedTuple):
    """The page of something and its document, both relative to the site's root."""

    url: str
    data: str


class Places:
    """The places of everything in a site, each found once."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._pages: dict[str, Place] = {}
        self._rules: dict[int, Place] = {}
        self._instruments: dict[str, Place] = {}

    def page(self, page: str) -> Place:
        """The place of a page."""
        if page not in self._pages:
            href = self._site.addresses.href
            self._pages[page] = Place(href(page, "index.md"), href(data_file(page), "index.md"))
        return self._pages[page]

    def rule(self, history: RuleHistory) -> Place:
        """Where a rule's whole history is told."""
        if history.identity not in self._rules:
            self._rules[history.identity] = self.page(self._site.addresses.rule_page(history))
        return self._rules[history.identity]

    def revision(self, history: RuleHistory, index: int) -> str:
        """The address of the text that a rule had after a line of its history."""
        return Page(self._site, "index.md").text_href(history, index)

    def instrument(self, instrument: Instrument) -> Place:
        """Where an instrument is told."""
        if instrument.path not in self._instruments:
            self._instruments[instrument.path] = self.page(instrument_page(instrument))
        return self._instruments[instrument.path]
