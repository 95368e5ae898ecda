"""The lists of proposals, judgements and acts, each with its filters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nomicgen.model.findings import counted, listed
from nomicgen.model.records import Instrument, InstrumentKind, Judgement
from nomicgen.site.parts.filters import player_select, select, with_choices
from nomicgen.site.parts.further_pages import list_pages
from nomicgen.site.parts.instrument_lists import LISTS
from nomicgen.site.parts.metadata import page_metadata
from nomicgen.site.parts.page import Page
from nomicgen.site.parts.status_words import (
    STATUS,
    knows_only_adopted,
    rules_changed_by,
    status_words,
    year_of,
)
from nomicgen.site.render import render_page
from nomicgen.site.site_view import Site, folder_of

# The most missing numbers that are listed; of more, the first so many.
_LISTED = 12


def instrument_lists(site: Site, kind: InstrumentKind) -> Iterator[tuple[str, str]]:
    """Yield the list of all instruments of a kind, the newest first: its own page, and the further
    pages of a long list.

    A game without acts has no list of acts.
    """
    instruments, words = site.records.of_kind(kind), LISTS[kind]
    if kind == "act" and not instruments:
        return
    main, heading = words.place
    shown = list_pages(main, instruments[::-1], _span)
    for list_page in shown:
        page, here = Page(site, list_page.path), list_page.name
        yield render_page(
            page,
            "index.html",
            kind="index",
            meta={} if here else page_metadata(page),
            shows=tuple(instrument.path for instrument in list_page.items)
            if here
            else (folder_of(main),),
            title=f"{heading} {here}".rstrip(),
            crumbs=(words.place,) if here else (),
            here=here,
            lead=_counts(site, instruments) if kind == "proposal" else words.lead,
            words=words,
            items=list_page.items,
            rule_numbers=_rule_numbers,
            further=shown[1:],
            list=folder_of(main)[:-1],
            selects=() if here else _selects(site, instruments, words.by),
        )


def _span(instruments: Sequence[Instrument]) -> str:
    """Return a span of numbers, such as `301–325`; acts have names in place of numbers."""
    ends = (
        str(instrument.number or instrument.name)
        for instrument in (instruments[-1], instruments[0])
    )
    return "–".join(dict.fromkeys(ends))


def _rule_numbers(site: Site, instrument: Instrument) -> Sequence[int]:
    """Return the numbers under which a reader may look for the rules that an instrument is about.

    They are the numbers that it names, those that it gave, and the present or last ones.
    """
    refs = [
        instruction.target
        for instruction in instrument.instructions
        if instruction.target is not None
    ]
    histories = [history for history, _ in rules_changed_by(site, instrument)]
    if isinstance(instrument, Judgement):
        refs += instrument.matter.rules
        histories += filter(None, map(site.addresses.rule_named, instrument.matter.rules))
    given = [
        entry.rule.number
        for history in histories
        for entry in history.entries
        if entry.path == instrument.path
    ]
    return sorted(
        {*(ref.number for ref in refs), *(history.last.number for history in histories), *given}
    )


def _selects(
    site: Site, instruments: Sequence[Instrument], by: tuple[str, str]
) -> Sequence[Mapping[str, Any]]:
    statuses = sorted({str(getattr(instrument.matter, "status", "")) for instrument in instruments})
    rules = sorted(
        {number for instrument in instruments for number in _rule_numbers(site, instrument)}
    )
    years = sorted(
        {year for instrument in instruments if (year := year_of(instrument))}, reverse=True
    )
    return with_choices(
        (
            select(
                "status", "Status", ((status, STATUS.get(status, status)) for status in statuses)
            ),
            player_select(site, *by, (instrument.actor for instrument in instruments)),
            select("rule", "Rule", ((number, f"Rule {number}") for number in rules)),
            select("year", "Year", ((year, year) for year in years)),
        )
    )


def _counts(site: Site, proposals: Sequence[Instrument]) -> str:
    statuses = [status_words(site, proposal)[0] for proposal in proposals]
    counts = [f"{statuses.count(status)} {status}" for status in dict.fromkeys(statuses)]
    lost = sorted(site.settings.lost.proposals)
    if statuses and len(lost) > _LISTED and knows_only_adopted(site):
        return (
            f"{counted(len(statuses), 'adopted proposal')}. What else was proposed is not in "
            "this archive."
        )
    parts = [f"{len(statuses)} in all: {', '.join(counts)}."] if statuses else []
    if lost:
        parts.append(f"Not in this archive: {listed(lost, _LISTED)}.")
    return " ".join(parts)
