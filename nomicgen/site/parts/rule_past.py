"""The past of a rule: the lines of its history and the revisions that its page shows, and the
continuation pages, which have all of them if there are too many.

So a rule's page stays small however long its history is. The anchor of each revision is always on
the rule's own page.
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
"""The bytes of HTML of a continuation page, about."""
_NEWEST = 8
"""How many of the last lines of a long history are on the rule's own page, besides the first."""
_LINK = 80
"""About how many bytes a link to a revision takes."""


class ContinuationPage(Struct, frozen=True, kw_only=True):
    """A continuation page: the lines of a history from `first` to before `last`, and their texts.
    Its name is such as `203/0 to 203/41`.
    """

    path: str
    name: str
    first: int
    last: int


class RevisionLine(Struct, frozen=True, kw_only=True):
    """A line of a rule's history, with the commit that it came in.

    `line` has its words with links, and `effect` when it took effect, or ''. If the rule has
    another number from this line on, or bore several and this is the first, `era` says which: `As
    Rule 305`. If the line gave the rule a text, `anchor` is that of the text, and `text_href` the
    address of it, '' if the text is lost.
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
    """A text of a rule, and the redline against the text of the rule `before` it (None for the
    first, or if one of both is lost). `href` leads to the revision's page, or to its anchor.
    """

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

    `lines` are those of its history; with continuation `pages`, only the first and the last ones.
    `shown` are the revisions with their texts, the newest first. `older` are those on continuation
    pages, the newest first: the anchor, the reference, such as `203/1`, and the address.
    """

    lines: Sequence[RevisionLine] = ()
    pages: Sequence[ContinuationPage] = ()
    shown: Sequence[Revision] = ()
    older: Sequence[tuple[str, str, str]] = ()


def past_weight(page: Page, history: RuleHistory) -> int:
    """Return how many bytes the whole past of a rule takes, about."""
    return sum(_weights(page, history))


def _weights(page: Page, history: RuleHistory) -> Sequence[int]:
    """Return about how many bytes each line of a history takes, with the text that it gave."""
    revisions = _revisions(page, history, _texts(history))
    lines = enumerate(_lines(page, history))
    return [
        line.weight + (revisions[index].weight if index in revisions else 0)
        for index, line in lines
    ]


def continuation_pages(page: Page, history: RuleHistory) -> Sequence[ContinuationPage]:
    """Return the continuation pages of a rule; `page` is its own. Each begins with a line that gave
    a text.
    """
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

    Both have the lines of the whole history. The latter has only the texts that came under the
    number, or else the one that the rule had when it took the number. With continuation `pages`,
    the lines are only the first and the last ones, and the rule's own page has the newest texts, as
    many as have `room` (in bytes), the other page none.
    """
    entries, lines = history.entries, _lines(page, history, number)
    borne = [index for index in _texts(history) if number in (None, entries[index].rule.number)]
    if not pages:
        # If no text came under this number (the rule was renumbered, or transmuted), the page has
        # the text that the rule had when it took the number.
        borne = borne or [
            next(index for index, entry in enumerate(entries) if entry.rule.number == number)
        ]
        # The top of the page says which texts are lost; their anchors are at their lines.
        known = [index for index in borne if entries[index].rule.text is not None] or borne[-1:]
        return RulePast(
            lines=lines, shown=list(_revisions(page, history, known, number).values())[::-1]
        )
    room -= sum(line.weight for line in (lines[0], *lines[-_NEWEST:])) + _LINK * len(borne)
    shown: list[Revision] = []
    # The page of a former number only has links to the texts.
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
    """Return the revisions of some lines of a history, by the index of the line."""
    anchors, texts = revision_anchors(history, number), _texts(history)
    before = {index: history.entries[last].rule for last, index in pairwise(texts)}
    revisions = {}
    for index in indices:
        entry, old = history.entries[index], before.get(index)
        redline = None
        if old is not None and old.text is not None and entry.rule.text is not None:
            redline = redline_html(old.text, entry.rule.text)
        # A line that gave no text has no anchor: it shows the text that the rule had then.
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
    """Return what a continuation page shows: each line, with the revision that it began, if any."""
    indices = range(continuation.first, continuation.last)
    lines = _lines(page, history)
    revisions = _revisions(page, history, set(indices).intersection(_texts(history)))
    return [(lines[index], revisions.get(index)) for index in indices]
