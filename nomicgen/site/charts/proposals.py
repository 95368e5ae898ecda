"""Who proposed how often, and what became of it: a bar for each player."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from markupsafe import Markup

from nomicgen.model.findings import counted
from nomicgen.site.charts.frame import ChartTable, render_chart
from nomicgen.site.parts.page import Page
from nomicgen.site.parts.status_words import knows_only_adopted

_BARS = 16
_ROW = 42
_FATES = {
    "adopted": ("adopted",),
    "defeated": ("defeated",),
    "withdrawn or void": ("withdrawn", "void"),
    "undecided": ("debate", "open", "draft"),
}

_Fates = Mapping[str, int]


def proposals(page: Page) -> Markup | None:
    """Who proposed how often, and what became of it. None where nothing was ever proposed."""
    site, counts = page.site, dict[str | None, dict[str, int]]()
    for proposal in site.records.of_kind("proposal"):
        fate = next(name for name, statuses in _FATES.items() if proposal.matter.status in statuses)
        counts.setdefault(proposal.matter.author, dict.fromkeys(_FATES, 0))[fate] += 1
    if not counts:
        return None
    authors = sorted(
        counts, key=lambda ident: (ident is None, -sum(counts[ident].values()), -counts[ident]["adopted"], ident or "")
    )
    sums = {fate: sum(fates[fate] for fates in counts.values()) for fate in _FATES}
    partial = knows_only_adopted(site)
    if partial:
        said = f"{counted(sums['adopted'], 'adopted proposal')}."
        note = "What else was proposed is not in this archive."
    else:
        counted_fates = ", ".join(f"{count} {fate}" for fate, count in sums.items() if count)
        said, note = f"{counted(sum(sums.values()), 'proposal')}: {counted_fates}.", ""
    shown = authors[:_BARS]
    if len(authors) > _BARS:
        note = f"{note} {len(authors) - _BARS} more players are in the table.".strip()
    return render_chart(
        page,
        "proposals",
        ChartTable(
            head=("Player", "adopted") if partial else ("Player", "proposed", *_FATES, "adopted, %"),
            rows=[
                (page.who(ident) if ident else _NOBODY, *_numbers(counts[ident], partial=partial)) for ident in authors
            ],
        ),
        title="Who proposed what was adopted" if partial else "Who proposed, and what became of it",
        said=said,
        note=note,
        links=True,
        height=_ROW * len(shown),
        partial=partial,
        sums=sums,
        shown=[(ident, counts[ident]) for ident in shown],
        widest=max(sum(fates.values()) for fates in counts.values()),
    )


_NOBODY = "author not recorded"


def _numbers(fates: _Fates, *, partial: bool) -> Iterator[str]:
    yield str(sum(fates.values()))
    if not partial:
        decided = fates["adopted"] + fates["defeated"]
        yield from map(str, fates.values())
        yield str(round(100 * fates["adopted"] / decided)) if decided else "—"
