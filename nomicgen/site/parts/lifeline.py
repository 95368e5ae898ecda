"""The lifeline on a rule's page: a slider with which a reader goes through the rule's history, line
by line. `life.js` moves it; without scripts, the page has links to all texts.
"""

from __future__ import annotations

from markupsafe import Markup
from msgspec import Struct

from nomicgen.history.rule_history import TEXT_VERBS, HistoryEntry, RuleHistory
from nomicgen.site.parts.authors import outcome_words
from nomicgen.site.parts.linked_history import entry_html
from nomicgen.site.parts.page import Page

# The letters of `Lifeline.ticks`, by the verb of a line.
_TICKS = {**dict.fromkeys(TEXT_VERBS, "a"), "repeal": "r", "transmute": "t", "renumber": "t"}
LIFE_SCRIPTS = ("words.js", "life.js", "quote.js")
"""The scripts of a page that has a lifeline."""


class Lifeline(Struct, frozen=True, kw_only=True):
    """The values of a lifeline, for the template.

    `ticks` has a letter for each line of the history: `a` for a line that gave a text, `r` for a
    repeal, `t` for another tier or number, `-` for the rest. `texts` has the revisions with a text
    of their own: `203/0 203/1`. `shown` is the index of the line that the page shows first, and
    `said` is that line.
    """

    ticks: str
    texts: str
    shown: int
    said: Markup


def lifeline(
    page: Page, history: RuleHistory, number: int | None, shown: int | None = None
) -> Lifeline:
    """Return the lifeline on the page of a rule, or, with `number`, on the page of a number
    that the rule once had.

    `shown` is the index of the line that it shows; None: the last, or the last under the number.
    """
    entries = history.entries
    if shown is None:
        shown = max(at for at, entry in enumerate(entries) if number in (None, entry.rule.number))
    return Lifeline(
        ticks="".join(_TICKS.get(entry.verb, "-") for entry in entries),
        texts=" ".join(entry.rule.ref for entry in history.revisions),
        shown=shown,
        said=_entry_line(page, entries[shown]),
    )


def _entry_line(page: Page, entry: HistoryEntry) -> Markup:
    """Return `305/1 Amended (1) by Proposal 305 (osprey), Oct 8, 2026 (R2T1) adopted 4–1`."""
    outcome = outcome_words(page.site, entry)
    note = Markup(' <span class="n-note">{}</span>').format(outcome) if outcome else Markup("")
    return Markup("<strong>{}</strong> {}{}").format(
        entry.rule.ref, entry_html(page, entry, brief=True), note
    )
