"""The revisions of a rule as readers name them, such as `305/1`: the lines of the history at which
each stood, and the path of its page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from nomicgen.history.rule_history import TEXT_VERBS, HistoryEntry, RuleHistory
from nomicgen.law.replay.results import Rule
from nomicgen.model.values import Moment
from nomicgen.site.addresses import Addresses

MOST_PAGES = 500
"""If a game has more revisions than these in all, no revision has a page of its own."""


class RevisionSpan(Struct, frozen=True, kw_only=True):
    """A revision: the lines of the history from `first` to `last`, at which a rule had one number
    and one text.

    `begun` is the first of these lines, and `ended` the line that ended it, None while it stands.
    `path` is the page that it has unless the game has too many revisions (`MOST_PAGES`).
    """

    first: int
    last: int
    rule: Rule
    begun: HistoryEntry
    ended: HistoryEntry | None
    path: str

    @property
    def since(self) -> Moment | None:
        """When it came into force; None if that is not known."""
        return self.begun.moment

    @property
    def until(self) -> Moment | None:
        """When it was replaced or repealed; None while it stands, or if that is not known."""
        return self.ended.moment if self.ended is not None else None


def revision_spans(addresses: Addresses, history: RuleHistory) -> Sequence[RevisionSpan]:
    """Return the revisions of a rule, in order."""
    entries, spans, named = history.entries, list[RevisionSpan](), Counter[str]()
    starts = [
        at for at, entry in enumerate(entries) if entry.verb != "repeal" and _begins(history, at)
    ]
    for first, following in zip(starts, [*starts[1:], len(entries)], strict=True):
        lines = entries[first:following]
        last = max(at for at, entry in enumerate(lines, first) if entry.verb != "repeal")
        rule = entries[last].rule
        named[rule.ref] += 1
        again = f"-{named[rule.ref]}" if named[rule.ref] > 1 else ""
        folder = addresses.number_page(rule.number, history).removesuffix(".md")
        spans.append(
            RevisionSpan(
                first=first,
                last=last,
                rule=rule,
                begun=entries[first],
                ended=entries[last + 1] if last + 1 < len(entries) else None,
                path=f"{folder}/{rule.revision}{again}.md",
            )
        )
    return spans


def _begins(history: RuleHistory, at: int) -> bool:
    """Return whether a revision begins with a line: the first one, or one that gave the rule a text
    or another number.
    """
    entry = history.entries[at]
    return (
        entry.verb in TEXT_VERBS
        or at == 0
        or entry.rule.number != history.entries[at - 1].rule.number
    )
