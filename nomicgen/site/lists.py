"""The lists of proposals, judgements and acts, each with its filters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from nomicgen.diagnostics import counted
from nomicgen.model import Instrument, JudgementMatter
from nomicgen.site.further_pages import Leaf, leaf_links, leaves_of, weight
from nomicgen.site.player_html import excerpt
from nomicgen.site.render import render_page
from nomicgen.site.shared_pieces import (
    STATUS,
    choices,
    joined,
    knows_only_adopted,
    linked_changes,
    linked_words,
    moment_of,
    people,
    search_text,
    select,
    touched,
    turn_link,
    useful,
    verdict_of,
    year_of,
)
from nomicgen.site.site_view import Site, folder_of

PROPOSALS = ("proposals/index.md", "Proposals")
JUDGEMENTS = ("judgements/index.md", "Judgements")
ACTS = ("acts/index.md", "Acts")
_Item = Mapping[str, Any]
# More missing numbers than these are not listed.
_LISTED = 12


def proposal_list(site: Site, proposals: Sequence[Instrument]) -> Iterator[tuple[str, str]]:
    """The pages of all proposals, the newest first."""

    def item(one: Instrument, page: str) -> _Item:
        headings = ", ".join(instruction.heading for instruction in one.instructions)
        item = _item(site, one, page, title=one.title or headings or one.name)
        number = str(one.number) if one.number is not None else "draft"
        return {
            **item,
            "number": number,
            "excerpt": linked_changes(site, one, page) if one.title else "",
            "search": search_text(item["search"], number, headings),
            "data": {**item["data"], "author": choices(one.actor)},
        }

    yield from _list(
        site,
        PROPOSALS,
        proposals,
        item,
        name="proposals",
        lead=_counts(site, proposals),
        label="Filter by number, title or rule",
        selects=[
            _statuses(proposals),
            people(site, "author", "Author", (one.actor for one in proposals)),
            *_common(site, proposals),
        ],
        empty="Nothing has been proposed yet.",
    )


def judgement_list(site: Site, judgements: Sequence[Instrument]) -> Iterator[tuple[str, str]]:
    """The pages of all judgements, the newest first."""

    def item(one: Instrument, page: str) -> _Item:
        assert isinstance(one.matter, JudgementMatter)
        construes = joined(linked_words(site, f"Rule {ref}", ref, page) for ref in one.matter.rules)
        said = excerpt(one.ruling or one.preamble)
        item = _item(site, one, page, title=one.title or construes.striptags() or one.name)
        about = Markup(" · ").join(part for part in (construes if one.title else "", item["note"]) if part)
        return {
            **item,
            "excerpt": said,
            "note": about,
            "search": search_text(item["search"], construes, said),
            "data": {**item["data"], "judge": choices(one.actor)},
        }

    lead = Markup("What the rules were held to mean.")
    if site.archive.records.of_kind("act"):
        href = site.addresses.href(ACTS[0], JUDGEMENTS[0])
        lead += Markup(' The <a href="{}">acts</a> list what changed rules without a vote or a judgement.').format(href)
    yield from _list(
        site,
        JUDGEMENTS,
        judgements,
        item,
        name="judgements",
        lead=lead,
        label="Filter by number, rule or words",
        selects=[
            _statuses(judgements),
            people(site, "judge", "Judge", (one.actor for one in judgements)),
            *_common(site, judgements),
        ],
        empty="No judgement has been given yet.",
    )


def act_list(site: Site, acts: Sequence[Instrument]) -> Iterator[tuple[str, str]]:
    """The pages of all acts, the newest first."""

    def item(one: Instrument, page: str) -> _Item:
        item = _item(site, one, page, title=linked_changes(site, one, page) or "changed no rule")
        said = excerpt(one.preamble)
        return {
            **item,
            "number": one.name,
            "excerpt": said,
            "search": search_text(item["search"], said),
            "data": {**item["data"], "by": choices(one.actor)},
        }

    yield from _list(
        site,
        ACTS,
        acts,
        item,
        name="acts",
        lead="Changes and awards that no proposal made.",
        label="Filter by cause, rule or words",
        selects=[people(site, "by", "By", (one.actor for one in acts)), *_common(site, acts)],
        empty="",
    )


def _item(site: Site, one: Instrument, page: str, *, title: str) -> dict[str, Any]:
    matter = one.matter
    moment = moment_of(one)
    status, tone = verdict_of(site, one)
    by = site.who(one.actor, page) if one.actor else ""
    when = site.when(moment, page) if moment else ""
    parts = (by, when, turn_link(site, matter.turn, page))
    return {
        "href": site.instrument_href(one, page),
        "number": str(one.number),
        "title": title,
        "note": joined(part for part in parts if part),
        "state": status,
        "tone": tone,
        "search": search_text(one.name, title, by, status),
        "data": {
            "status": choices(getattr(matter, "status", "")),
            "rule": choices(*_numbers(site, one)),
            "year": year_of(one),
        },
    }


def _numbers(site: Site, one: Instrument) -> Sequence[int]:
    """The numbers by which one may look for the rules that an instrument is about: as it names them, and as of now."""
    found = {one.target.number for one in one.instructions if one.target is not None}
    for history, _ in touched(site, one):
        found.add(history.last.number)
        found.update(entry.rule.number for entry in history.entries if entry.path == one.path)
    if isinstance(one.matter, JudgementMatter):
        for ref in one.matter.rules:
            bearer = site.addresses.bearer(ref)
            found |= {ref.number} | ({bearer.last.number} if bearer else set())
    return sorted(found)


def _statuses(all_: Iterable[Instrument]) -> Mapping[str, Any]:
    found = sorted({str(getattr(one.matter, "status", "")) for one in all_})
    return select("status", "Status", ((one, STATUS.get(one, one)) for one in found))


def _common(site: Site, all_: Sequence[Instrument]) -> Sequence[Mapping[str, Any]]:
    rules = sorted({number for one in all_ for number in _numbers(site, one)})
    years = sorted({year for one in all_ if (year := year_of(one))}, reverse=True)
    return [
        select("rule", "Rule", ((one, f"Rule {one}") for one in rules)),
        select("year", "Year", ((one, one) for one in years)),
    ]


def _counts(site: Site, proposals: Sequence[Instrument]) -> str:
    kinds = [verdict_of(site, one)[0] for one in proposals]
    counts = [f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds)]
    lost = site.archive.records.settings.lost.proposals
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
    instruments: Sequence[Instrument],
    make: Callable[[Instrument, str], _Item],
    *,
    name: str,
    lead: str,
    label: str,
    selects: Sequence[Mapping[str, Any]],
    empty: str,
) -> Iterator[tuple[str, str]]:
    """The list's own page, and the further pages of a long one."""
    main, heading = place
    newest = tuple(reversed(instruments))
    items = [make(one, main) for one in newest]
    leaves = leaves_of(main, [weight(one) for one in items])
    ends = (dict.fromkeys((items[one.last - 1]["number"], items[one.first]["number"])) for one in leaves)
    names = ["–".join(both) for both in ends]
    for leaf in (Leaf(page=main, first=0, last=leaves[0].first if leaves else len(items)), *leaves):
        here = "" if leaf.page == main else names[leaves.index(leaf)]
        some = items[: leaf.last] if not here else [make(one, leaf.page) for one in newest[leaf.first : leaf.last]]
        yield (
            leaf.page,
            render_page(
                site,
                "index.html",
                leaf.page,
                kind="index",
                shows=tuple(one.path for one in newest[leaf.first : leaf.last]) if here else (folder_of(main),),
                title=f"{heading} {here}".rstrip(),
                crumbs=(place,) if here else (),
                here=here,
                heading=f"{heading} {here}".rstrip(),
                lead="" if here else lead,
                items=some,
                leaves=leaf_links(site, leaves, names, leaf.page),
                list=name,
                filter_label=label,
                selects=useful(selects),
                empty=empty,
            ),
        )
