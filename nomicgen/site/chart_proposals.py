"""Who proposed how often, and what became of it: a bar for each player."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from markupsafe import Markup

from nomicgen.diagnostics import counted
from nomicgen.model import ProposalMatter
from nomicgen.site import svg
from nomicgen.site.addresses import player_page
from nomicgen.site.chart_frame import Table, drawing, figure
from nomicgen.site.shared_pieces import knows_only_adopted
from nomicgen.site.site_view import Site
from nomicgen.site.svg import element

_BARS = 15
_ROW = 42
_FATES = {
    "adopted": ("adopted",),
    "defeated": ("defeated",),
    "withdrawn": ("withdrawn", "void"),
    "undecided": ("debate", "open", "draft"),
}
_FILLS = {"defeated": "url(#n-proposals-hatched)", "undecided": "url(#n-proposals-dotted)"}
_WORDS = {"withdrawn": "withdrawn or void"}

Fates = Mapping[str, int]


def proposals(site: Site, page: str) -> Markup | None:
    """Who proposed how often, and what became of it. None where nothing was ever proposed."""
    counts: dict[str | None, dict[str, int]] = {}
    for one in site.archive.records.of_kind("proposal"):
        if isinstance(one.matter, ProposalMatter):
            status = one.matter.status
            fate = next(name for name, kinds in _FATES.items() if status in kinds)
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
        f"{svg.isolated(_author(site, ident), 24)} {_fate_words(own, partial=partial)}" for ident, own in order[:5]
    )
    by = "" if partial else ", by what became of them"
    desc = f"Bars of the proposals of each player{by}. {said} Most often: {best}."
    shown = order if len(order) <= _BARS + 1 else order[:_BARS]
    rest = [own for _, own in order[len(shown) :]]
    widest = max(sum(own.values()) for _, own in order)
    bars = [_bar(row, _link(site, ident, page), own, widest, partial=partial) for row, (ident, own) in enumerate(shown)]
    if rest:
        # No bar: together they may well be more than the longest one stands for.
        others = element("text", f"{len(rest)} others", y=15, class_="n-label")
        bars.append(_bar(len(shown), others, _summed(rest), 0, partial=partial))
    defs = element("defs", _hatched(), _dotted())
    chart = drawing("proposals", title, desc, defs, *bars, height=_ROW * len(bars), links=True)
    if partial:
        rows = [(_cell(site, ident, page), str(sum(own.values()))) for ident, own in order]
        note = "What else was proposed is not in this archive."
        return figure("proposals", title, said, chart, Table(head=("Player", "adopted"), rows=rows), note)
    key = element("ul", *(_key(fate) for fate, count in sums.items() if count), class_="n-fates", aria_hidden="true")
    head = ("Player", "proposed", *(_WORDS.get(fate, fate) for fate in _FATES), "adopted, %")
    table = Table(head=head, rows=[(_cell(site, ident, page), *_numbers(own)) for ident, own in order])
    return figure("proposals", title, said, key + chart, table)


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


def _cell(site: Site, ident: str | None, page: str) -> str:
    return site.who(ident, page) if ident else "author not recorded"


def _link(site: Site, ident: str | None, page: str) -> Markup:
    name = element("text", svg.cut(_author(site, ident), 22), y=15, class_="n-label")
    if ident not in site.names:
        return name
    return element("a", name, href=site.addresses.href(player_page(ident or ""), page))


def _fate_words(own: Fates, *, partial: bool) -> str:
    whole = sum(own.values())
    return str(whole) if partial else f"{own['adopted']} of {whole} adopted"


def _bar(row: int, name: Markup, own: Fates, widest: int, *, partial: bool) -> Markup:
    """A name with its numbers, and below it one part for each fate, as wide as its share of the longest bar."""
    reached = 0
    parts = []
    for fate, count in own.items():
        if count and widest:
            x, width = svg.percent(reached / widest), svg.percent(count / widest)
            kind = f"n-fate n-fate--{fate}"
            parts.append(element("rect", x=x, y=21, width=width, height=12, class_=kind, fill=_FILLS.get(fate)))
            reached += count
    said = element("text", _fate_words(own, partial=partial), x="100%", y=15, class_="n-tick n-tick--last")
    return element("svg", name, said, *parts, y=row * _ROW, width="100%", height=_ROW, overflow="visible")


def _hatched() -> Markup:
    lines = element("path", d="M-1 1L1 -1M0 6L6 0M5 7L7 5", class_="n-hatch")
    return element("pattern", lines, id="n-proposals-hatched", width=6, height=6, patternUnits="userSpaceOnUse")


def _dotted() -> Markup:
    dots = element("circle", cx=2.5, cy=2.5, r=1.1, class_="n-dots")
    return element("pattern", dots, id="n-proposals-dotted", width=5, height=5, patternUnits="userSpaceOnUse")


def _key(fate: str) -> Markup:
    swatch = element("rect", x=1, y=1, width=16, height=10, class_=f"n-fate n-fate--{fate}", fill=_FILLS.get(fate))
    return element("li", element("svg", swatch, width=18, height=12), " ", _WORDS.get(fate, fate))
