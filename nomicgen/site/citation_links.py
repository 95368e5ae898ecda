"""The address of a revision that is cited, such as `rules/203/#r1`.

It has the number under which the text came, so that it mostly stays when the rule is renumbered.
"""

from __future__ import annotations

from urllib.parse import urljoin

from nomicgen.history.citations import RevisionPeriod
from nomicgen.site.addresses import Addresses, revision_anchors


def cited_address(addresses: Addresses, revision: RevisionPeriod, url: str = "") -> str:
    """Return the address of a revision: its anchor on the page of the number under which it got its
    text. If it has another number since, on the rule's own page.

    `url` is the site's address; without it, the result is relative to the site's root.
    """
    path = _path(addresses, revision)
    return urljoin(f"{url.rstrip('/')}/", path) if url else path


def _path(addresses: Addresses, revision: RevisionPeriod) -> str:
    history = revision.history
    number = history.entries[revision.text_index].rule.number
    if number != revision.rule.number:
        # The page of a former number has anchors only for the texts that came under that number.
        return addresses.href(
            addresses.rule_page(history), "index.md", revision_anchors(history)[revision.text_index]
        )
    page = addresses.number_page(number, history)
    return addresses.href(page, "index.md", revision_anchors(history, number)[revision.text_index])
