"""Where what is cited stands on the site: for good, as far as a number is not given to another rule."""

from __future__ import annotations

from urllib.parse import urljoin

from nomicgen.archive.citations import Resolved, RevisionPeriod
from nomicgen.site.addresses import SCORES, Addresses, instrument_page, revision_anchors


def cited_address(addresses: Addresses, found: Resolved, url: str = "") -> str:
    """The address of what a citation stands for, from the site's root where `url`, the site's own, is ''."""
    path = _path(addresses, found)
    return urljoin(f"{url.rstrip('/')}/", path) if url else path


def _path(addresses: Addresses, found: Resolved) -> str:
    if found.standing is not None:
        return _revision(addresses, found.standing)
    if found.turn is not None:
        return addresses.href(SCORES, "index.md", found.turn.ident)
    assert found.instrument is not None
    return addresses.href(instrument_page(found.instrument), "index.md")


def _revision(addresses: Addresses, one: RevisionPeriod) -> str:
    """A revision's anchor on the page of the number that it bore, which shows the texts that bore it."""
    history = one.history
    number = history.entries[one.text].rule.number
    if number != one.rule.number:
        # The text came under another number; on the rule's own page are all of them.
        return addresses.href(addresses.rule_page(history), "index.md", revision_anchors(history)[one.text])
    page = addresses.number_page(number, history)
    return addresses.href(page, "index.md", revision_anchors(history, number)[one.text])
