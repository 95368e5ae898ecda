"""The revisions of a rule: which of them its page shows in full, and the pages that take the others.

A rule's page stays small however long its history is: beyond that, redlines leave out what did not change, and then
texts move to continuation pages. The anchor of each revision stays on the rule's own page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from nomicgen.archive.rule_history import TEXT_VERBS, HistoryEntry, RuleHistory
from nomicgen.site.addresses import revision_anchors
from nomicgen.site.linked_history import history_views
from nomicgen.site.redline_html import elided_html, redline_html
from nomicgen.site.render import render_page
from nomicgen.site.shared_pieces import instrument_link
from nomicgen.site.site_view import Site

BUDGET = 41_000
"""Bytes of HTML that a rule's page may have; the theme's frame comes on top of it."""
_VOLUME = 34_000
_HEAD = 550
_LINE = 80
_LINES = 3_500
_FEWEST = 3


class Volume(Struct, frozen=True, kw_only=True):
    """A continuation page: some lines of a history, in order, with the texts of the revisions among them."""

    page: str
    entries: tuple[tuple[int, HistoryEntry], ...]

    @property
    def name(self) -> str:
        first, last = self.entries[0][1].rule.ref, self.entries[-1][1].rule.ref
        return first if first == last else f"{first} to {last}"


class Volumes(Struct, frozen=True, kw_only=True):
    """How a rule's revisions are spread: with no `pages` all are on the rule's own, where `elide` says so, elided."""

    elide: bool = False
    pages: tuple[Volume, ...] = ()

    def of(self, index: int) -> Volume | None:
        """The continuation page that has the line of an index."""
        return next((one for one in self.pages if any(at == index for at, _ in one.entries)), None)


class Past(Struct, frozen=True, kw_only=True):
    """What a rule's page shows of its past.

    `lines` are those of its history, `gap` says what stands between the first and the others; `shown` are the revisions
    in full, `older` those with a line each, the newest first.
    """

    lines: Sequence[Mapping[str, Any]]
    gap: Markup | str = ""
    shown: Sequence[Mapping[str, Any]] = ()
    older: Sequence[Mapping[str, Any]] = ()


def plan_volumes(site: Site, history: RuleHistory, page: str, fixed: int) -> Volumes:
    """How the revisions of a rule are spread over pages; `fixed` are the bytes that all else on its page takes."""
    entries = tuple(enumerate(history.entries))
    lines = {index: _weight(view) for index, view in _told(site, history, page)}
    room = BUDGET - fixed - sum(lines.values())
    views: dict[int, Mapping[str, Any]] = {}
    for elide in (False, True):
        views = dict(_revisions(site, history, _texts(history), page, elide))
        if sum(map(_revision_weight, views.values())) <= room:
            return Volumes(elide=elide)
    stem = page.removesuffix(".md")
    volumes: list[Volume] = []
    taken: list[tuple[int, HistoryEntry]] = []
    size = 0
    for index, entry in entries:
        weight = lines[index] + (_revision_weight({**views[index], "current": False}) if index in views else 0)
        if taken and size + weight > _VOLUME and index in views:
            volumes.append(Volume(page=f"{stem}/revisions-{len(volumes) + 1}.md", entries=tuple(taken)))
            taken, size = [], 0
        taken.append((index, entry))
        size += weight
    volumes.append(Volume(page=f"{stem}/revisions-{len(volumes) + 1}.md", entries=tuple(taken)))
    return Volumes(elide=True, pages=tuple(volumes))


def past_of(site: Site, history: RuleHistory, number: int | None, page: str, volumes: Volumes, fixed: int) -> Past:
    """What the page of a rule shows of its past, or, with `number`, the page of a number that it bore once.

    The whole history stands on both; texts, on the latter, only of revisions that bore the number.
    """
    views = _anchored(site, history, number, page)
    chosen = [(at, one) for at, one in _texts(history) if number in (None, one.rule.number)]
    # A number that a rule took without a new text (transmuted, renumbered) shows the text that it bore it with.
    last = chosen or [next((at, one) for at, one in enumerate(history.entries) if one.rule.number == number)]
    if not volumes.pages:
        # What is lost is told at the top; its place in the page is its line of the history.
        told = [one for one in last if one[1].rule.text is not None] or last[-1:]
        shown = [view for _, view in _revisions(site, history, told, page, volumes.elide, number)]
        return Past(lines=_placed(views, shown), shown=_opened(shown, chosen)[::-1])
    room = BUDGET - fixed - _LINES - _LINE * len(chosen)
    newest: list[Mapping[str, Any]] = []
    # A number that was given up leads to the texts; the rule's own page has the newest.
    for index, entry in reversed(chosen if number is None else ()):
        if entry.rule.text is None and newest:
            continue
        view = next(view for _, view in _revisions(site, history, ((index, entry),), page, elide=True))
        room -= _revision_weight(view)
        if room < 0:
            break
        newest.insert(0, view)
    here, there = revision_anchors(history, number), revision_anchors(history)
    older = []
    taken = {view["anchor"] for view in newest}
    for at, entry in chosen:
        if here[at] in taken:
            continue
        volume = volumes.of(at)
        assert volume is not None
        href = site.addresses.href(volume.page, page, there[at])
        older.append({"anchor": here[at], "ref": entry.rule.ref, "href": href})
    kept = _fitting(views)
    gap = _gap(site, len(views) - len(kept), page, volumes)
    return Past(lines=kept, gap=gap, shown=_opened(newest, chosen), older=older[::-1])


def _placed(lines: Sequence[Mapping[str, Any]], shown: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """The lines of a history, with the anchors of those whose texts are not shown."""
    taken = {view["anchor"] for view in shown}
    return [{**one, "id": "" if one["text_href"] or one["anchor"] in taken else one["anchor"]} for one in lines]


def _texts(history: RuleHistory) -> tuple[tuple[int, HistoryEntry], ...]:
    """The lines of a history that gave the rule a text."""
    return tuple((at, one) for at, one in enumerate(history.entries) if one.verb in TEXT_VERBS)


def _told(
    site: Site, history: RuleHistory, page: str, number: int | None = None
) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Every line of a history, as its page shows it."""
    return enumerate(history_views(site, history, tuple(enumerate(history.entries)), page, number))


def _opened(shown: Sequence[Mapping[str, Any]], chosen: Sequence[object]) -> list[Mapping[str, Any]]:
    """The last redline stands open."""
    return [{**one, "open": bool(chosen) and index == len(shown) - 1} for index, one in enumerate(shown)]


def _anchored(site: Site, history: RuleHistory, number: int | None, page: str) -> Sequence[Mapping[str, Any]]:
    """The lines of the history; those of another number than the page's lead to the text on the rule's own page."""
    found = []
    anchors = revision_anchors(history)
    for index, view in _told(site, history, page, number):
        known = history.entries[index].rule.text is not None
        away = number is not None and history.entries[index].rule.number != number
        href = f"{site.rule_href(history, page)}#{anchors.get(index)}" if away else f"#{view['anchor']}"
        found.append({**view, "id": "", "text_href": href if view["anchor"] and known else ""})
    return found


def _fitting(views: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """The first line of a long history, and as many of the last as fit."""
    size, count = _weight(views[0]), 0
    for view in reversed(views[1:]):
        size += _weight(view)
        if size > _LINES and count >= _FEWEST:
            break
        count += 1
    return [views[0], *views[len(views) - count :]] if count < len(views) - 1 else views


def _gap(site: Site, left: int, page: str, volumes: Volumes) -> Markup | str:
    if left <= 0:
        return ""
    links = Markup(", ").join(
        Markup('<a href="{}">{}</a>').format(site.addresses.href(one.page, page), one.name) for one in volumes.pages
    )
    return Markup("{} more {}, with all texts: {}.").format(left, "line" if left == 1 else "lines", links)


def _revisions(
    site: Site,
    history: RuleHistory,
    entries: Sequence[tuple[int, HistoryEntry]],
    page: str,
    elide: bool,
    number: int | None = None,
) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The revisions among some lines of a history, in order, by the index of their line."""
    anchors = revision_anchors(history, number)
    texts = _texts(history)
    before = {at: texts[place - 1][1].rule for place, (at, _) in enumerate(texts) if place}
    own = page == site.addresses.rule_page(history)
    for index, entry in entries:
        old = before.get(index)
        rule = entry.rule
        redline, same = None, False
        if old is not None and old.text is not None and rule.text is not None:
            same = old.text.split() == rule.text.split()
            html = (elided_html if elide else redline_html)(old.text, rule.text)
            redline = {"label": f"From {old.ref} to {rule.ref}", "html": html}
        current = own and history.current is not None and index == texts[-1][0]
        yield (
            index,
            {
                # A number that came without a text of its own shows the text that it bore.
                "anchor": anchors.get(index, f"r{rule.revision}"),
                "ref": rule.ref,
                "before": old.ref if old else "",
                "said": site.when(entry.moment, page),
                "by": instrument_link(site, entry.instrument, page) if entry.instrument else "",
                "redline": redline,
                "same": same,
                "lost": old.ref if old is not None and old.text is None else "",
                "current": current,
                "missing": rule.text is None,
                "text": site.text(rule, page, 4),
                "open": False,
            },
        )


def volume_pages(site: Site, history: RuleHistory, volumes: Volumes) -> Iterator[tuple[str, str]]:
    """The continuation pages of a rule."""
    page = site.addresses.rule_page(history)
    rule = history.last
    for place, one in enumerate(volumes.pages):
        held = dict(one.entries)
        texts = [(at, entry) for at, entry in _texts(history) if at in held]
        # Who comes here comes for what changed.
        views = {at: {**view, "open": True} for at, view in _revisions(site, history, texts, one.page, elide=True)}
        lines = history_views(site, history, one.entries, one.page)
        chapters = [
            {"line": {**line, "text_href": ""}, "revision": views.get(at)} for at, line in zip(held, lines, strict=True)
        ]
        around = (volumes.pages[at] if 0 <= at < len(volumes.pages) else None for at in (place - 1, place + 1))
        before, after = (
            other and {"href": site.addresses.href(other.page, one.page), "text": other.name} for other in around
        )
        yield (
            one.page,
            render_page(
                site,
                "revisions.html",
                one.page,
                kind="revisions",
                shows=tuple(dict.fromkeys(entry.path for entry in held.values())),
                title=f"Rule {rule.number}: {one.name}",
                description=f"The revisions {one.name} of Rule {rule.number}, with what changed",
                crumbs=(("rules/index.md", "Ruleset"), (page, f"Rule {rule.ref}")),
                here=one.name,
                heading=f"Rule {rule.number}: revisions {one.name}",
                rule={"href": site.addresses.href(page, one.page), "text": site.heading(rule)},
                chapters=chapters,
                before=before,
                after=after,
            ),
        )


def _weight(view: Mapping[str, Any]) -> int:
    """About how many bytes a line of a history takes on a page."""
    origin = view["origin"]
    links = 2 * len(str(origin["href"] or "")) if origin["sha"] else 0
    return len(view["line"].encode()) + len(str(view["effect"]).encode()) + links + len(origin["title"].encode()) + 150


def _revision_weight(view: Mapping[str, Any]) -> int:
    if view["missing"]:
        return _LINE
    redline = len(view["redline"]["html"].encode()) if view["redline"] else 0
    return _HEAD + redline + (0 if view["current"] else len(view["text"].encode()))
