"""A page for each revision of each rule: its text, its dates, and its redline against the revision
before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nomicgen.history.rule_history import RuleHistory
from nomicgen.law.sentences import sentences
from nomicgen.site.addresses import RULES, data_file
from nomicgen.site.parts.legislation import revision_as_law
from nomicgen.site.parts.lifeline import LIFE_SCRIPTS, lifeline
from nomicgen.site.parts.linked_history import entry_html
from nomicgen.site.parts.metadata import revision_metadata
from nomicgen.site.parts.page import Page
from nomicgen.site.render import render_page
from nomicgen.site.revision_spans import RevisionSpan
from nomicgen.site.site_view import Site
from nomicgen.site.texts.redline_html import redline_html


def revision_pages(site: Site) -> Iterator[tuple[str, str]]:
    """Yield the pages of all revisions; none if the game has more than `MOST_PAGES` of them."""
    for history in site.histories.rules.values():
        spans = site.revisions_with_pages(history)
        for place, span in enumerate(spans):
            yield _page(site, history, spans, place, span)


def _page(
    site: Site, history: RuleHistory, spans: Sequence[RevisionSpan], place: int, span: RevisionSpan
) -> tuple[str, str]:
    page, rule, main = Page(site, span.path), span.rule, site.addresses.rule_page(history)
    before, after = (spans[at] if 0 <= at < len(spans) else None for at in (place - 1, place + 1))
    old = before.rule.text if before else None
    return render_page(
        page,
        "revision.html",
        kind="rule",
        meta={**revision_metadata(page, main, span), "law": revision_as_law(site, history, span)},
        # The entry after the span, if there is one, ended the revision.
        shows=tuple(
            dict.fromkeys(entry.path for entry in history.entries[span.first : span.last + 2])
        ),
        title=site.heading(rule),
        description=site.summary(rule, 160),
        crumbs=(RULES, (main, f"Rule {history.last.ref}")),
        here=rule.ref,
        history=history,
        span=span,
        rule=rule,
        main=main,
        data=page.href(data_file(main)),
        text=page.text(rule),
        life=lifeline(page, history, None, span.last),
        life_scripts=LIFE_SCRIPTS,
        lines=[entry_html(page, history.entries[at]) for at in range(span.first, span.last + 1)],
        sentences=[(text, "") for text in sentences(rule.law)],
        redline=redline_html(old, rule.text) if old is not None and rule.text is not None else None,
        before=before,
        after=after,
    )
