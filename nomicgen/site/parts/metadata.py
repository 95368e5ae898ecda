"""The data for programs in a page's head: the address of its document, how it is cited, and more.

It goes into the page's front matter, under `nomic`; `theme/main.html` makes elements of it. `data`
is the address of the page's document, `within` that of the list that names the page, and `feed`
that of its feed, all relative to the site's root. `title`, `authors` and `date` (`2020/07/27`) are
how it is cited. `canonical`, on the page of a former number, is the whole address of the rule's
present page, if the site's address is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urljoin

from nomicgen.history.rule_history import RuleHistory
from nomicgen.model.records import Instrument
from nomicgen.model.values import Moment
from nomicgen.site.addresses import INDEX, data_file, feed_file
from nomicgen.site.parts.page import Page
from nomicgen.site.parts.page_source import Metadata, plain
from nomicgen.site.revision_spans import RevisionSpan


def page_metadata(page: Page) -> Metadata:
    """Return the metadata that any page has: `data`, and `within` if it lies in a folder."""
    href, (folder, _, name) = Page(page.site, INDEX).href, page.path.partition("/")
    within = {"within": href(f"{folder}/{INDEX}")} if name else {}
    return {"data": href(data_file(page.path)), **within}


def player_metadata(page: Page) -> Metadata:
    """Return the metadata of a player's page; it names a feed if the site's address is known."""
    feed = {"feed": Page(page.site, INDEX).href(feed_file(page.path))} if page.site.url else {}
    return {**page_metadata(page), **feed}


def rule_metadata(page: Page, history: RuleHistory) -> Metadata:
    """Return the metadata of a rule: its authors are all who wrote one of its texts, the last one
    first.
    """
    site, main = page.site, page.site.addresses.rule_page(history)
    writers = [entry.actor for entry in reversed(history.revisions) if entry.actor]
    metadata = _cited(
        page, site.heading(history.last), list(dict.fromkeys(writers)), history.revisions[-1].moment
    )
    if not site.url:
        return metadata
    metadata = {**metadata, "feed": Page(site, INDEX).href(feed_file(main))}
    if page.path == main:
        return metadata
    return {**metadata, "canonical": urljoin(site.url, Page(site, INDEX).href(main))}


def revision_metadata(page: Page, main: str, span: RevisionSpan) -> Metadata:
    """Return the metadata of a revision's page. Its data is that of the rule's page, `main`."""
    metadata = _cited(
        page,
        page.site.heading(span.rule),
        [span.begun.actor] if span.begun.actor else [],
        span.since,
    )
    return {**metadata, **page_metadata(Page(page.site, main))}


def instrument_metadata(page: Page, instrument: Instrument) -> Metadata:
    """Return the metadata of a proposal, a judgement or an act."""
    return _cited(
        page,
        page.site.title_of(instrument),
        [instrument.actor] if instrument.actor else [],
        instrument.matter.date,
    )


def _cited(page: Page, title: str, authors: Sequence[str], moment: Moment | None) -> Metadata:
    game = page.settings.name
    names = [plain(page.site.name(author)) for author in authors] or [plain(game)]
    date = {"date": f"{moment.day:%Y/%m/%d}"} if moment else {}
    return {**page_metadata(page), "title": plain(f"{title} — {game}"), "authors": names, **date}
