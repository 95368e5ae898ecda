"""The lifeline of a rule: what a script shows its texts by, line by line. Without it the page has them all."""

from __future__ import annotations

from markupsafe import Markup
from msgspec import Struct

from nomicgen.archive.rule_history import TEXT_VERBS, HistoryEntry, RuleHistory
from nomicgen.site.addresses import TIME
from nomicgen.site.authors import verdict
from nomicgen.site.data_parts import data_file
from nomicgen.site.linked_history import entry_html
from nomicgen.site.site_view import Site

_TICKS = {**dict.fromkeys(TEXT_VERBS, "a"), "repeal": "r", "transmute": "t", "renumber": "t"}
LIFE_SCRIPTS = ("words.js", "life.js", "quote.js")


class Lifeline(Struct, frozen=True, kw_only=True):
    """What the page of a rule needs for it.

    `ticks` has a letter for each line: `a` for one that gave a text, `r` for a repeal, `t` for another tier or number,
    `-` for the rest; with one there is nothing to choose from but a day. `texts` are the
    references of those with a text. `shown` is the index of the line that is shown, `said` that line. `data` is the
    rule's document, `root` leads to the first page, `time` to the time machine, `url` is the page's whole
    address, '' where nobody knows it.
    """

    ref: str
    data: str
    root: str
    time: str
    url: str
    ticks: str
    shown: int
    texts: str
    said: Markup
    scripts: tuple[str, ...]


def lifeline(site: Site, history: RuleHistory, number: int | None, page: str) -> Lifeline:
    """The lifeline on the page of a rule, or, with `number`, on that of a number that it bore once."""
    entries = history.entries
    shown = max(at for at, one in enumerate(entries) if number in (None, one.rule.number))
    href = site.addresses.href
    return Lifeline(
        ref=entries[shown].rule.ref,
        data=href(data_file(site.addresses.rule_page(history)), page),
        root=site.addresses.root(page),
        time=href(TIME, page),
        url=f"{site.url}{href(page, 'index.md')}" if site.url else "",
        ticks="".join(_TICKS.get(one.verb, "-") for one in entries),
        shown=shown,
        texts=" ".join(one.rule.ref for one in history.revisions),
        said=_said(site, entries[shown], page),
        scripts=tuple(href(f"assets/{one}", page) for one in LIFE_SCRIPTS),
    )


def _said(site: Site, entry: HistoryEntry, page: str) -> Markup:
    """`305/1 Amended (1) by Proposal 305 (osprey), Oct 8, 2026 (R2T1) adopted 4–1`."""
    outcome = verdict(site, entry)
    note = Markup(' <span class="n-note">{}</span>').format(outcome) if outcome else Markup("")
    return Markup("<strong>{}</strong> {}{}").format(entry.rule.ref, entry_html(site, entry, page, brief=True), note)


def lifeline_weight(one: Lifeline) -> int:
    """About how many bytes a lifeline takes on a page."""
    return 1_200 + len(one.ticks) + len(one.texts) + len(one.said.encode())
