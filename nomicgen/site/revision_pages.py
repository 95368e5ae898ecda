"""The revisions of a rule: which of them its page shows in full, and the pages that take the others.

A rule's page stays small however long its history is: beyond that, redlines leave out what did not change, and then
texts move to continuation pages. The anchor of each revision stays on the rule's own page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from nomicgen.archive.rule_history import TEXT_VERBS, HistoryEntry, RuleHistory
from nomicgen.law.replay_state import Rule
from nomicgen.site.addresses import revision_anchors
from nomicgen.site.linked_history import CommitLink, effect_note, entry_commit, entry_html
from nomicgen.site.page import Page
from nomicgen.site.redline_html import elided_html, redline_html
from nomicgen.site.render import render_page
from nomicgen.site.shared_pieces import neighbours
from nomicgen.site.site_view import Site

BUDGET = 41_000
"""Bytes of HTML that a rule's page may have; the theme's frame comes on top of it."""
_VOLUME = 34_000
_HEAD = 550
_LINE = 80
_LINES = 3_500
_FEWEST = 3


class ContinuationPage(Struct, frozen=True, kw_only=True):
    """A continuation page: some lines of a history, in order, with the texts of the revisions among them."""

    page: str
    entries: tuple[tuple[int, HistoryEntry], ...]

    @property
    def name(self) -> str:
        first, last = self.entries[0][1].rule.ref, self.entries[-1][1].rule.ref
        return first if first == last else f"{first} to {last}"


class RevisionPlan(Struct, frozen=True, kw_only=True):
    """How a rule's revisions are spread: with no `pages` all are on the rule's own, where `elide` says so, elided."""

    elide: bool = False
    pages: tuple[ContinuationPage, ...] = ()

    def of(self, index: int) -> ContinuationPage:
        """The continuation page that has the line of an index."""
        return next(one for one in self.pages if any(at == index for at, _ in one.entries))


class HistoryLine(Struct, frozen=True, kw_only=True):
    """A line of a rule's history in Nomic IV's style, with its links and the commit that it came in.

    `era` names the number that the rule bore from there on, where it bore several. `anchor` is that of its text on the
    page, `text_href` where the text is; `id` is the anchor if the line itself takes it.
    """

    entry: HistoryEntry
    line: Markup
    effect: Markup | str
    commit: CommitLink
    anchor: str
    era: str
    text_href: str = ""
    id: str = ""

    @property
    def weight(self) -> int:
        """About how many bytes it takes on a page."""
        links = 2 * len(self.commit.href or "") if self.commit.sha else 0
        return len(self.line.encode()) + len(self.effect.encode()) + links + len(self.commit.title.encode()) + 150


class Revision(Struct, frozen=True, kw_only=True):
    """A text of a rule, and what became of the text `before` it; `same` where only blanks changed.

    `is_current` says that it is the text in force, which stands at the top of the page; `is_open` that its redline is.
    """

    entry: HistoryEntry
    anchor: str
    before: Rule | None
    text: Markup
    redline: Markup | None
    same: bool = False
    is_current: bool = False
    is_open: bool = False

    @property
    def weight(self) -> int:
        """About how many bytes it takes on a page."""
        if self.entry.rule.text is None:
            return _LINE
        redline = len(self.redline.encode()) if self.redline is not None else 0
        return _HEAD + redline + (0 if self.is_current else len(self.text.encode()))


class RulePast(Struct, frozen=True, kw_only=True):
    """What a rule's page shows of its past.

    `lines` are those of its history, `gap` how many stand on other pages, after the first; `shown` are the revisions
    in full, `older` the anchor, the reference and the address of those with a line each, the newest first.
    """

    lines: Sequence[HistoryLine]
    gap: int = 0
    shown: Sequence[Revision] = ()
    older: Sequence[tuple[str, str, str]] = ()


def plan_revisions(page: Page, history: RuleHistory, fixed: int) -> RevisionPlan:
    """How the revisions of a rule are spread over pages; `fixed` are the bytes that all else on its page takes."""
    entries = tuple(enumerate(history.entries))
    lines = [line.weight for line in _lines(page, history, entries)]
    room = BUDGET - fixed - sum(lines)
    revisions: dict[int, Revision] = {}
    for elide in (False, True):
        revisions = _revisions(page, history, _texts(history), elide)
        if sum(one.weight for one in revisions.values()) <= room:
            return RevisionPlan(elide=elide)
    pieces: list[list[tuple[int, HistoryEntry]]] = [[]]
    size = 0
    for index, entry in entries:
        weight = lines[index] + (replace(revisions[index], is_current=False).weight if index in revisions else 0)
        if pieces[-1] and size + weight > _VOLUME and index in revisions:
            pieces.append([])
            size = 0
        pieces[-1].append((index, entry))
        size += weight
    stem = page.path.removesuffix(".md")
    pages = (
        ContinuationPage(page=f"{stem}/revisions-{at}.md", entries=tuple(some)) for at, some in enumerate(pieces, 1)
    )
    return RevisionPlan(elide=True, pages=tuple(pages))


def rule_past(page: Page, history: RuleHistory, number: int | None, plan: RevisionPlan, fixed: int) -> RulePast:
    """What the page of a rule shows of its past, or, with `number`, the page of a number that it bore once.

    The whole history stands on both; texts, on the latter, only of revisions that bore the number.
    """
    lines = _linked_lines(page, history, number)
    chosen = [(at, one) for at, one in _texts(history) if number in (None, one.rule.number)]
    # A number that a rule took without a new text (transmuted, renumbered) shows the text that it bore it with.
    last = chosen or [next((at, one) for at, one in enumerate(history.entries) if one.rule.number == number)]
    if not plan.pages:
        # What is lost is told at the top; its place in the page is its line of the history.
        told = [one for one in last if one[1].rule.text is not None] or last[-1:]
        revisions = list(_revisions(page, history, told, plan.elide, number).values())
        taken = {one.anchor for one in revisions}
        placed = [replace(one, id="" if one.text_href or one.anchor in taken else one.anchor) for one in lines]
        return RulePast(lines=placed, shown=_newest_first(revisions, is_open=bool(chosen)))
    room = BUDGET - fixed - _LINES - _LINE * len(chosen)
    newest: list[Revision] = []
    # A number that was given up leads to the texts; the rule's own page has the newest.
    for index, entry in reversed(chosen if number is None else ()):
        if entry.rule.text is None and newest:
            continue
        [revision] = _revisions(page, history, ((index, entry),), elide=True).values()
        room -= revision.weight
        if room < 0:
            break
        newest.insert(0, revision)
    here, there = revision_anchors(history, number), revision_anchors(history)
    taken = {one.anchor for one in newest}
    older = [
        (here[at], entry.rule.ref, page.href(plan.of(at).page, there[at]))
        for at, entry in chosen
        if here[at] not in taken
    ]
    kept = _fitting(lines)
    shown = _newest_first(newest, is_open=bool(chosen))
    return RulePast(lines=kept, gap=len(lines) - len(kept), shown=shown, older=older[::-1])


def _texts(history: RuleHistory) -> tuple[tuple[int, HistoryEntry], ...]:
    """The lines of a history that gave the rule a text."""
    return tuple((at, one) for at, one in enumerate(history.entries) if one.verb in TEXT_VERBS)


def _newest_first(revisions: Sequence[Revision], *, is_open: bool) -> Sequence[Revision]:
    """Revisions of which the last, which stands first, is open."""
    return [replace(one, is_open=is_open and not place) for place, one in enumerate(reversed(revisions))]


def _lines(
    page: Page, history: RuleHistory, entries: Iterable[tuple[int, HistoryEntry]], number: int | None = None
) -> Iterator[HistoryLine]:
    """Lines of a history, with the anchors of the page of `number`, else of the rule's own."""
    anchors, era = revision_anchors(history, number), 0
    for index, entry in entries:
        commit = entry_commit(page.site, history, index)
        changed = len(history.numbers) > 1 and entry.rule.number != era
        era = entry.rule.number
        yield HistoryLine(
            entry=entry,
            line=entry_html(page, entry, commit),
            effect=effect_note(page, entry),
            commit=commit,
            anchor=anchors.get(index, ""),
            era=f"As Rule {era}" if changed else "",
        )


def _linked_lines(page: Page, history: RuleHistory, number: int | None) -> Sequence[HistoryLine]:
    """The lines of the history; those of another number than the page's lead to the text on the rule's own page."""
    found = []
    anchors = revision_anchors(history)
    for index, line in enumerate(_lines(page, history, enumerate(history.entries), number)):
        rule = line.entry.rule
        away = number is not None and rule.number != number
        href = f"{page.rule_href(history)}#{anchors.get(index)}" if away else f"#{line.anchor}"
        found.append(replace(line, text_href=href if line.anchor and rule.text is not None else ""))
    return found


def _fitting(lines: Sequence[HistoryLine]) -> Sequence[HistoryLine]:
    """The first line of a long history, and as many of the last as fit."""
    size, count = lines[0].weight, 0
    for line in reversed(lines[1:]):
        size += line.weight
        if size > _LINES and count >= _FEWEST:
            break
        count += 1
    return [lines[0], *lines[len(lines) - count :]] if count < len(lines) - 1 else lines


def _revisions(
    page: Page,
    history: RuleHistory,
    entries: Sequence[tuple[int, HistoryEntry]],
    elide: bool,
    number: int | None = None,
) -> dict[int, Revision]:
    """The revisions among some lines of a history, in order, by the index of their line."""
    anchors, texts = revision_anchors(history, number), _texts(history)
    before = {at: texts[place - 1][1].rule for place, (at, _) in enumerate(texts) if place}
    stands = page.path == page.site.addresses.rule_page(history) and history.current is not None
    found = {}
    for index, entry in entries:
        old, new = before.get(index), entry.rule
        compared = (old.text, new.text) if old and old.text is not None and new.text is not None else None
        found[index] = Revision(
            entry=entry,
            # A number that came without a text of its own shows the text that it bore.
            anchor=anchors.get(index, f"r{new.revision}"),
            before=old,
            text=page.text(new, 4),
            redline=(elided_html if elide else redline_html)(*compared) if compared else None,
            same=compared is not None and compared[0].split() == compared[1].split(),
            is_current=stands and index == texts[-1][0],
        )
    return found


def continuation_pages(site: Site, history: RuleHistory, plan: RevisionPlan) -> Iterator[tuple[str, str]]:
    """The continuation pages of a rule."""
    rule, main = history.last, site.addresses.rule_page(history)
    for place, one in enumerate(plan.pages):
        page = Page(site, one.page)
        texts = [(at, entry) for at, entry in one.entries if entry.verb in TEXT_VERBS]
        revisions = _revisions(page, history, texts, elide=True)
        yield render_page(
            page,
            "revisions.html",
            kind="revisions",
            shows=tuple(dict.fromkeys(entry.path for _, entry in one.entries)),
            title=f"Rule {rule.number}: {one.name}",
            description=f"The revisions {one.name} of Rule {rule.number}, with what changed",
            crumbs=(("rules/index.md", "Ruleset"), (main, f"Rule {rule.ref}")),
            here=one.name,
            history=history,
            # Who comes here comes for what changed.
            chapters=[
                (line, replace(revisions[at], is_open=True) if at in revisions else None)
                for (at, _), line in zip(one.entries, _lines(page, history, one.entries), strict=True)
            ],
            **neighbours(plan.pages, place),
        )
