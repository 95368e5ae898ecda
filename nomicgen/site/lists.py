"""The lists of proposals, judgements and acts, each with its filters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from markupsafe import Markup

from nomicgen.diagnostics import counted
from nomicgen.model import Act, Instrument, Judgement, Proposal
from nomicgen.site.further_pages import first_page, further_list_pages, list_page_links, weight
from nomicgen.site.metadata import page_metadata
from nomicgen.site.page import Page
from nomicgen.site.player_html import excerpt
from nomicgen.site.render import render_page
from nomicgen.site.shared_pieces import (
    STATUS,
    choices,
    joined,
    knows_only_adopted,
    moment_of,
    player_select,
    rules_changed_by,
    search_text,
    select,
    status_words,
    with_choices,
    year_of,
)
from nomicgen.site.site_view import Site, folder_of

PROPOSALS = ("proposals/index.md", "Proposals")
JUDGEMENTS = ("judgements/index.md", "Judgements")
ACTS = ("acts/index.md", "Acts")
_Item = Mapping[str, Any]
_Kind = TypeVar("_Kind", bound=Instrument)
# More missing numbers than these are not listed.
_LISTED = 12


def proposal_list(site: Site, proposals: Sequence[Proposal]) -> Iterator[tuple[str, str]]:
    """The pages of all proposals, the newest first."""

    def item(page: Page, one: Proposal) -> _Item:
        headings = ", ".join(instruction.heading for instruction in one.instructions)
        item = _item(page, one, title=one.title or headings or one.name)
        number = str(one.number) if one.number is not None else "draft"
        return {
            **item,
            "number": number,
            "excerpt": page.linked_changes(one) if one.title else "",
            "search": search_text(item["search"], number, headings),
        }

    yield from _list(
        site,
        PROPOSALS,
        proposals,
        item,
        by=("author", "Author"),
        lead=_counts(site, proposals),
        label="Filter by number, title or rule",
        empty="Nothing has been proposed yet.",
    )


def judgement_list(site: Site, judgements: Sequence[Judgement]) -> Iterator[tuple[str, str]]:
    """The pages of all judgements, the newest first."""

    def item(page: Page, one: Judgement) -> _Item:
        construes = joined(page.linked_words(f"Rule {ref}", ref) for ref in one.matter.rules)
        said = excerpt(one.ruling or one.preamble)
        item = _item(page, one, title=one.title or construes.striptags() or one.name)
        about = Markup(" · ").join(part for part in (construes if one.title else "", item["note"]) if part)
        return {
            **item,
            "excerpt": said,
            "note": about,
            "search": search_text(item["search"], construes, said),
        }

    lead = Markup("What the rules were held to mean.")
    if site.records.of_kind("act"):
        href = site.addresses.href(ACTS[0], JUDGEMENTS[0])
        lead += Markup(' The <a href="{}">acts</a> list what changed rules without a vote or a judgement.').format(href)
    yield from _list(
        site,
        JUDGEMENTS,
        judgements,
        item,
        by=("judge", "Judge"),
        lead=lead,
        label="Filter by number, rule or words",
        empty="No judgement has been given yet.",
    )


def act_list(site: Site, acts: Sequence[Act]) -> Iterator[tuple[str, str]]:
    """The pages of all acts, the newest first."""

    def item(page: Page, one: Act) -> _Item:
        item = _item(page, one, title=page.linked_changes(one) or "changed no rule")
        said = excerpt(one.preamble)
        return {
            **item,
            "number": one.name,
            "excerpt": said,
            "search": search_text(item["search"], said),
        }

    yield from _list(
        site,
        ACTS,
        acts,
        item,
        by=("by", "By"),
        lead="Changes and awards that no proposal made.",
        label="Filter by cause, rule or words",
        empty="",
    )


def _item(page: Page, one: Instrument, *, title: str) -> dict[str, Any]:
    matter = one.matter
    moment = moment_of(one)
    status, tone = status_words(page.site, one)
    by = page.who(one.actor) if one.actor else ""
    when = page.when(moment) if moment else ""
    parts = (by, when, page.turn_link(matter.turn))
    return {
        "href": page.instrument_href(one),
        "number": str(one.number),
        "title": title,
        "note": joined(part for part in parts if part),
        "state": status,
        "tone": tone,
        "search": search_text(one.name, title, by, status),
        "data": {
            "status": choices(getattr(matter, "status", "")),
            "rule": choices(*_numbers(page.site, one)),
            "year": year_of(one),
        },
    }


def _numbers(site: Site, one: Instrument) -> Sequence[int]:
    """The numbers by which one may look for the rules that an instrument is about: as it names them, and as of now."""
    found = {one.target.number for one in one.instructions if one.target is not None}
    for history, _ in rules_changed_by(site, one):
        found.add(history.last.number)
        found.update(entry.rule.number for entry in history.entries if entry.path == one.path)
    if isinstance(one, Judgement):
        for ref in one.matter.rules:
            bearer = site.addresses.rule_named(ref)
            found |= {ref.number} | ({bearer.last.number} if bearer else set())
    return sorted(found)


def _selects(site: Site, all_: Sequence[Instrument], by: tuple[str, str]) -> Sequence[Mapping[str, Any]]:
    statuses = sorted({str(getattr(one.matter, "status", "")) for one in all_})
    rules = sorted({number for one in all_ for number in _numbers(site, one)})
    years = sorted({year for one in all_ if (year := year_of(one))}, reverse=True)
    return with_choices(
        (
            select("status", "Status", ((one, STATUS.get(one, one)) for one in statuses)),
            player_select(site, *by, (one.actor for one in all_)),
            select("rule", "Rule", ((one, f"Rule {one}") for one in rules)),
            select("year", "Year", ((one, one) for one in years)),
        )
    )


def _counts(site: Site, proposals: Sequence[Instrument]) -> str:
    kinds = [status_words(site, one)[0] for one in proposals]
    counts = [f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds)]
    lost = site.settings.lost.proposals
    parts = [f"{len(kinds)} in all: {', '.join(counts)}."] if kinds else []
    if kinds and len(lost) > _LISTED and knows_only_adopted(site):
        return f"{counted(len(kinds), 'adopted proposal')}. What else was proposed is not in this archive."
    if len(lost) > _LISTED:
        parts.append(f"Others, from {min(lost)} to {max(lost)}, are not in this archive.")
    elif lost:
        parts.append(f"Not in this archive: {', '.join(map(str, sorted(lost)))}.")
    return " ".join(parts)


def _list(
    site: Site,
    place: tuple[str, str],
    instruments: Sequence[_Kind],
    make: Callable[[Page, _Kind], _Item],
    *,
    by: tuple[str, str],
    lead: str,
    label: str,
    empty: str,
) -> Iterator[tuple[str, str]]:
    """The list's own page, and the further pages of a long one; `by` is what its authors are called in a filter."""
    main, heading = place
    newest = instruments[::-1]

    def entries(page: Page, some: Sequence[_Kind]) -> Sequence[_Item]:
        made = ((make(page, one), one) for one in some)
        return [{**item, "data": {**item["data"], by[0]: choices(one.actor)}} for item, one in made]

    items = entries(Page(site, main), newest)
    leaves = further_list_pages(main, [weight(one) for one in items])
    ends = (dict.fromkeys((items[one.last - 1]["number"], items[one.first]["number"])) for one in leaves)
    names = ["–".join(both) for both in ends]
    for leaf, here in zip((first_page(main, leaves, len(items)), *leaves), ("", *names), strict=True):
        page, some = Page(site, leaf.page), newest[leaf.first : leaf.last]
        yield render_page(
            page,
            "index.html",
            kind="index",
            meta={} if here else page_metadata(page),
            shows=tuple(one.path for one in some) if here else (folder_of(main),),
            title=f"{heading} {here}".rstrip(),
            crumbs=(place,) if here else (),
            here=here,
            heading=f"{heading} {here}".rstrip(),
            lead="" if here else lead,
            items=entries(page, some) if here else items[: leaf.last],
            leaves=list_page_links(page, leaves, names),
            list=folder_of(main)[:-1],
            filter_label=label,
            selects=_selects(site, instruments, by),
            empty=empty,
        )
