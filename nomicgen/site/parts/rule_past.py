"""The revisions of a rule: which of them its page shows in full, and the pages that take the
others.

A rule's page stays small however long its history is: what does not fit moves to continuation
pages. The anchor of each revision stays on the rule's own page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from markupsafe import Markup
from msgspec import Struct

from nomicgen.history.rule_history import TEXT_VERBS, HistoryEntry, RuleHistory
from nomicgen.law.replay.results import Rule
from nomicgen.site.addresses import revision_anchors
from nomicgen.site.parts.linked_history import CommitLink, effect_note, entry_commit, entry_html
from nomicgen.site.parts.page import Page
from nomicgen.site.texts.redline_html import redline_html

_MOST = 34_000
"""Bytes of HTML on a continuation page, about."""
_NEWEST = 8
"""Lines of a long history that stand on the rule's own page, besides the first."""
_LINK = 80
"""About how many bytes a link to a revision takes."""


class ContinuationPage(Struct, frozen=True, kw_only=True):
    """A continuation page: lines of a history from `first` to before `last`, and their texts."""

    path: str
    name: str
    first: int
    last: int


class RevisionLine(Struct, frozen=True, kw_only=True):
    """A line of a rule's history in Nomic IV's style, with its links and the commit that it came
    in.

    `era` names the number that the rule bore from there on, where it bore several. `anchor` is that
    of its text on the page, `text_href` where the text is.
    """

    entry: HistoryEntry
    line: Markup
    effect: Markup | str
    commit: CommitLink
    anchor: str
    era: str
    text_href: str

    @property
    def weight(self) -> int:
        """About how many bytes it takes on a page."""
        return len(self.line) + len(self.effect) + 3 * len(self.commit.href or "") + 200


class Revision(Struct, frozen=True, kw_only=True):
    """A text of a rule, and what became of the text `before` it."""

    entry: HistoryEntry
    anchor: str
    href: str
    before: Rule | None
    text: Markup
    redline: Markup | None

    @property
    def weight(self) -> int:
        """About how many bytes it takes on a page."""
        if self.entry.rule.text is None:
            return 0
        return len(self.text.encode()) + len((self.redline or "").encode()) + 600


class RulePast(Struct, frozen=True, kw_only=True):
    """What a rule's page shows of its past.

    `lines` are those of its history, without those that stand on the continuation `pages`; the
    first line is always there. `shown` are the revisions in full. `older` are those with a link
    each, the newest first: anchor, reference and address.
    """

    lines: Sequence[RevisionLine] = ()
    pages: Sequence[ContinuationPage] = ()
    shown: Sequence[Revision] = ()
    older: Sequence[tuple[str, str, str]] = ()


def past_weight(page: Page, history: RuleHistory) -> int:
    """Return how many bytes the whole past of a rule takes, about."""
    return sum(_weights(page, history))


def _weights(page: Page, history: RuleHistory) -> Sequence[int]:
    """Return about how many bytes each line of a history takes, with the text that it gave the
    rule.
    """
    revisions = _revisions(page, history, _texts(history))
    lines = enumerate(_lines(page, history))
    return [
        line.weight + (revisions[index].weight if index in revisions else 0)
        for index, line in lines
    ]


def continuation_pages(page: Page, history: RuleHistory) -> Sequence[ContinuationPage]:
    """Return the continuation pages of a rule: each begins with a text."""
    texts, starts, size = set(_texts(history)), [0], 0
    for index, weight in enumerate(_weights(page, history)):
        if size and size + weight > _MOST and index in texts:
            starts.append(index)
            size = 0
        size += weight
    ends = [*starts[1:], len(history.entries)]
    pages = []
    for number, (first, last) in enumerate(zip(starts, ends, strict=True), 1):
        refs = dict.fromkeys(history.entries[index].rule.ref for index in (first, last - 1))
        path = f"{page.path.removesuffix('.md')}/revisions-{number}.md"
        pages.append(ContinuationPage(path=path, name=" to ".join(refs), first=first, last=last))
    return pages


def rule_past(
    page: Page,
    history: RuleHistory,
    number: int | None,
    pages: Sequence[ContinuationPage],
    room: int,
) -> RulePast:
    """Return what the page of a rule shows of its past, or, with `number`, the page of a number
    that it bore once.

    The whole history stands on both; texts, on the latter, only of revisions that bore the number.
    With continuation `pages` the rule's own has as many texts as have `room`, in bytes.
    """
    entries, lines = history.entries, _lines(page, history, number)
    borne = [index for index in _texts(history) if number in (None, entries[index].rule.number)]
    if not pages:
        # A number that a rule took without a new text (transmuted, renumbered) shows the text that
        # it bore it with.
        borne = borne or [
            next(index for index, entry in enumerate(entries) if entry.rule.number == number)
        ]
        # What is lost is told at the top; its place in the page is its line of the history.
        known = [index for index in borne if entries[index].rule.text is not None] or borne[-1:]
        return RulePast(
            lines=lines, shown=list(_revisions(page, history, known, number).values())[::-1]
        )
    room -= sum(line.weight for line in (lines[0], *lines[-_NEWEST:])) + _LINK * len(borne)
    shown: list[Revision] = []
    # A number that was given up leads to the texts; the rule's own page has the newest.
    for index in reversed(borne if number is None else ()):
        [revision] = _revisions(page, history, [index]).values()
        # The text in force stands at the top of the page, not here.
        is_current = history.current is not None and not shown
        room -= revision.weight - (len(revision.text.encode()) if is_current else 0)
        if room < 0:
            break
        shown.append(revision)
    here, there = revision_anchors(history, number), revision_anchors(history)
    paths = {
        index: continuation.path
        for continuation in pages
        for index in range(continuation.first, continuation.last)
    }
    older = [
        (here[index], entries[index].rule.ref, page.href(paths[index], there[index]))
        for index in borne[: len(borne) - len(shown)]
    ]
    if len(lines) > _NEWEST + 1:
        lines = [lines[0], *lines[-_NEWEST:]]
    return RulePast(lines=lines, pages=pages, shown=shown, older=older[::-1])


def _texts(history: RuleHistory) -> Sequence[int]:
    """Return the indices of the lines of a history that gave the rule a text."""
    return [index for index, entry in enumerate(history.entries) if entry.verb in TEXT_VERBS]


def _lines(page: Page, history: RuleHistory, number: int | None = None) -> Sequence[RevisionLine]:
    """Return the lines of a history.

    A line under another number than the page's leads to its text on the rule's own page.
    """
    anchors, era, lines = revision_anchors(history, number), 0, []
    for index, entry in enumerate(history.entries):
        rule, commit = entry.rule, entry_commit(page.site, history, index)
        changed = len(history.numbers) > 1 and rule.number != era
        era = rule.number
        text_href = ""
        if index in anchors and rule.text is not None:
            here = number in (None, rule.number)
            text_href = f"#{anchors[index]}" if here else page.text_href(history, index)
        lines.append(
            RevisionLine(
                entry=entry,
                line=entry_html(page, entry, commit),
                effect=effect_note(page, entry),
                commit=commit,
                anchor=anchors.get(index, ""),
                era=f"As Rule {era}" if changed else "",
                text_href=text_href,
            )
        )
    return lines


def _revisions(
    page: Page, history: RuleHistory, indices: Iterable[int], number: int | None = None
) -> dict[int, Revision]:
    """Return the revisions of some lines of a history, by line index, with numbers' anchors."""
    anchors, texts = revision_anchors(history, number), _texts(history)
    before = {index: history.entries[last].rule for last, index in pairwise(texts)}
    revisions = {}
    for index in indices:
        entry, old = history.entries[index], before.get(index)
        redline = None
        if old is not None and old.text is not None and entry.rule.text is not None:
            redline = redline_html(old.text, entry.rule.text)
        # A number that came without a text of its own shows the text that it bore.
        anchor, own = (
            anchors.get(index, f"r{entry.rule.revision}"),
            page.site.revision_page(history, index),
        )
        revisions[index] = Revision(
            entry=entry,
            anchor=anchor,
            href=page.href(own) if own else f"#{anchor}",
            before=old,
            text=page.text(entry.rule, 4),
            redline=redline,
        )
    return revisions


def chapters(
    page: Page, history: RuleHistory, continuation: ContinuationPage
) -> Sequence[tuple[RevisionLine, Revision | None]]:
    """Return what a continuation page shows: each line, with the text that it gave the rule."""
    indices = range(continuation.first, continuation.last)
    lines = _lines(page, history)
    revisions = _revisions(page, history, set(indices).intersection(_texts(history)))
    return [(lines[index], revisions.get(index)) for index in indices]
