"""The lifeline of a rule: the slider by which a script leads through its history, line by line.
Without scripts the page has links to all texts.
"""

from __future__ import annotations

from markupsafe import Markup
from msgspec import Struct

from nomicgen.history.rule_history import TEXT_VERBS, HistoryEntry, RuleHistory
from nomicgen.site.parts.authors import outcome_words
from nomicgen.site.parts.linked_history import entry_html
from nomicgen.site.parts.page import Page

_TICKS = {**dict.fromkeys(TEXT_VERBS, "a"), "repeal": "r", "transmute": "t", "renumber": "t"}
LIFE_SCRIPTS = ("words.js", "life.js", "quote.js")


class Lifeline(Struct, frozen=True, kw_only=True):
    """What the page of a rule needs for its lifeline.

    `ticks` has a letter for each line of the history: `a` for a line that gave a text, `r` for a
    repeal, `t` for another tier or number, `-` for the rest. If there is only one line, a reader
    can only choose a day. `texts` are the references of the lines that gave a text. `shown` is the
    index of the line that is shown, `said` are its words.
    """

    ticks: str
    texts: str
    shown: int
    said: Markup


def lifeline(
    page: Page, history: RuleHistory, number: int | None, shown: int | None = None
) -> Lifeline:
    """Return the lifeline on the page of a rule, or, with `number`, on that of a number that it
    bore once.

    `shown` is the line of a revision, on the page of that.
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
