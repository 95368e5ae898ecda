"""Who proposed how often, and what became of it: a bar for each player."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence

from markupsafe import Markup

from nomicgen.diagnostics import counted
from nomicgen.site import svg
from nomicgen.site.addresses import player_page
from nomicgen.site.chart_frame import Table
from nomicgen.site.page import Page
from nomicgen.site.render import render_chart
from nomicgen.site.shared_pieces import knows_only_adopted
from nomicgen.site.site_view import Site

_BARS = 15
_ROW = 42
_FATES = {
    "adopted": ("adopted",),
    "defeated": ("defeated",),
    "withdrawn": ("withdrawn", "void"),
    "undecided": ("debate", "open", "draft"),
}
_WORDS = {"withdrawn": "withdrawn or void"}

Fates = Mapping[str, int]


def proposals(page: Page) -> Markup | None:
    """Who proposed how often, and what became of it. None where nothing was ever proposed."""
    site, counts = page.site, dict[str | None, dict[str, int]]()
    for one in site.records.of_kind("proposal"):
        fate = next(name for name, kinds in _FATES.items() if one.matter.status in kinds)
        counts.setdefault(one.matter.author, dict.fromkeys(_FATES, 0))[fate] += 1
    if not counts:
        return None
    order = sorted(
        counts.items(), key=lambda one: (one[0] is None, -sum(one[1].values()), -one[1]["adopted"], one[0] or "")
    )
    sums = _summed([own for _, own in order])
    title, said = "Who proposed, and what became of it", _said(sums)
    if partial := knows_only_adopted(site):
        title, said = "Who proposed what was adopted", f"{counted(sums['adopted'], 'adopted proposal')}."
    best = "; ".join(
        f"{svg.bidi_isolated(_author(site, ident), 24)} {_fate_words(own, partial)}" for ident, own in order[:5]
    )
    by = "" if partial else ", by what became of them"
    shown = order if len(order) <= _BARS + 1 else order[:_BARS]
    rest = [own for _, own in order[len(shown) :]]
    return render_chart(
        page,
        "proposals",
        _table(page, order, partial=partial),
        title=title,
        desc=f"Bars of the proposals of each player{by}. {said} Most often: {best}.",
        said=said,
        note="What else was proposed is not in this archive." if partial else "",
        links=True,
        height=_ROW * (len(shown) + bool(rest)),
        partial=partial,
        sums=sums,
        words=_WORDS,
        fate_words=functools.partial(_fate_words, partial=partial),
        shown=[(svg.shortened(_author(site, ident), 22), _href(page, ident), own) for ident, own in shown],
        others=len(rest),
        rest=_summed(rest),
        widest=max(sum(own.values()) for _, own in order),
    )


def _table(page: Page, order: Sequence[tuple[str | None, Fates]], *, partial: bool) -> Table:
    cells = [(page.who(ident) if ident else "author not recorded", own) for ident, own in order]
    if partial:
        return Table(head=("Player", "adopted"), rows=[(cell, str(sum(own.values()))) for cell, own in cells])
    head = ("Player", "proposed", *(_WORDS.get(fate, fate) for fate in _FATES), "adopted, %")
    return Table(head=head, rows=[(cell, *_numbers(own)) for cell, own in cells])


def _said(sums: Fates) -> str:
    whole = sum(sums.values())
    told = ", ".join(f"{count} {_WORDS.get(fate, fate)}" for fate, count in sums.items() if count)
    return f"{whole} {'proposal' if whole == 1 else 'proposals'}: {told}."


def _summed(all_: Sequence[Fates]) -> Fates:
    return {fate: sum(own[fate] for own in all_) for fate in _FATES}


def _numbers(own: Fates) -> Iterator[str]:
    decided = own["adopted"] + own["defeated"]
    yield from map(str, (sum(own.values()), *own.values()))
    yield str(round(100 * own["adopted"] / decided)) if decided else "—"


def _author(site: Site, ident: str | None) -> str:
    return site.name(ident) if ident else "author not recorded"


def _href(page: Page, ident: str | None) -> str | None:
    return page.href(player_page(ident)) if ident in page.site.names and ident else None


def _fate_words(own: Fates, partial: bool) -> str:
    whole = sum(own.values())
    return str(whole) if partial else f"{own['adopted']} of {whole} adopted"
