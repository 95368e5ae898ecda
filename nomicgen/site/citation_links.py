"""The lasting address of a revision that is cited: it changes only if the number is given to
another rule.
"""

from __future__ import annotations

from urllib.parse import urljoin

from nomicgen.history.citations import RevisionPeriod
from nomicgen.site.addresses import Addresses, revision_anchors


def cited_address(addresses: Addresses, revision: RevisionPeriod, url: str = "") -> str:
    """Return the address of a revision: its anchor on the page of the number that it bore.

    `url` is the site's address; without it, the result is relative to the site's root.
    """
    path = _path(addresses, revision)
    return urljoin(f"{url.rstrip('/')}/", path) if url else path


def _path(addresses: Addresses, revision: RevisionPeriod) -> str:
    history = revision.history
    number = history.entries[revision.text_index].rule.number
    if number != revision.rule.number:
        # The text came under another number; on the rule's own page are all of them.
        return addresses.href(
            addresses.rule_page(history), "index.md", revision_anchors(history)[revision.text_index]
        )
    page = addresses.number_page(number, history)
    return addresses.href(page, "index.md", revision_anchors(history, number)[revision.text_index])
