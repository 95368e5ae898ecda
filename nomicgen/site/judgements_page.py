"""The pages of judgements and acts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from nomicgen.archive.history_lines import shown_date
from nomicgen.model import ActMatter, Instrument, JudgementMatter, RuleRef
from nomicgen.site.addresses import instrument_page
from nomicgen.site.change_view import change_views
from nomicgen.site.correction_lines import corrected, restated
from nomicgen.site.lists import ACTS, JUDGEMENTS, act_list, judgement_list
from nomicgen.site.player_html import excerpt
from nomicgen.site.proposals_page import recorded, touched_views
from nomicgen.site.render import render_page
from nomicgen.site.shared_pieces import award_views, elsewhere, joined, neighbours, turn_badge, verdict_of
from nomicgen.site.site_view import Site

_STANDS = "unchanged since"
_ANCHOR = Markup('<a class="n-ref" href="{}">{}</a>')


def judgement_pages(site: Site) -> Iterator[tuple[str, str]]:
    """Every judgement's page, and their index."""
    judgements = site.archive.records.of_kind("judgement")
    yield from judgement_list(site, judgements)
    for index, one in enumerate(judgements):
        if isinstance(one.matter, JudgementMatter):
            yield instrument_page(one), _judgement(site, one, one.matter, neighbours(site, judgements, index))


def act_pages(site: Site) -> Iterator[tuple[str, str]]:
    """Every act's page, and their index where there are any."""
    acts = site.archive.records.of_kind("act")
    if acts:
        yield from act_list(site, acts)
    for index, one in enumerate(acts):
        if isinstance(one.matter, ActMatter):
            yield instrument_page(one), _act(site, one, one.matter, neighbours(site, acts, index))


def _overruled_by(site: Site, matter: JudgementMatter, page: str) -> Markup | str:
    """The players whose votes overruled it, or the judgement that did."""
    by = matter.overruled_by
    return joined(site.who(ident, page) for ident in by) if isinstance(by, list) else f"Judgement {by}" if by else ""


def _judgement(
    site: Site, one: Instrument, matter: JudgementMatter, around: tuple[Mapping[str, str] | None, ...]
) -> str:
    page = instrument_page(one)
    question = site.prose(one.preamble, page, "judgements")
    ruling = site.prose(one.ruling, page, "judgements")
    parts = [("question", "Question and reasoning", question), ("ruling", "Ruling", ruling)]
    facts = [
        ("Called by", matter.called_by and site.who(matter.called_by, page)),
        ("Judge", matter.judge and site.who(matter.judge, page)),
        ("Out of time", joined(site.who(ident, page) for ident in matter.late)),
        ("Given", matter.date and site.when(matter.date, page)),
        ("Overruled", matter.overruled and site.when(matter.overruled, page)),
        ("Overruled by", _overruled_by(site, matter, page)),
    ]
    construed = [_construed(site, ref, page) for ref in matter.rules]
    status, tone = verdict_of(site, one)
    return _instrument(
        site,
        one,
        around,
        crumb=JUDGEMENTS,
        title=site.titled(one),
        title_words=matter.title or "",
        badges=[{"text": status, "kind": tone}, *turn_badge(site, matter.turn, page)],
        notices=(*_stale(site, construed, matter, page), *corrected(site, one.path, page)),
        parts_of_text=[{"anchor": anchor, "name": name, "html": html} for anchor, name, html in parts if html],
        facts=[{"name": name, "value": value} for name, value in facts if value],
        links_heading="Construes",
        links=[*construed, *_proposal(site, matter, page)],
    )


def _act(site: Site, one: Instrument, matter: ActMatter, around: tuple[Mapping[str, str] | None, ...]) -> str:
    page = instrument_page(one)
    body = site.prose(one.preamble, page, "acts")
    under = [_construed(site, RuleRef(matter.under), page)] if matter.under else []
    facts = [("By", matter.by and site.who(matter.by, page)), ("Date", site.when(matter.date, page))]
    if matter.effective and matter.effective != matter.date:
        facts.append(("In effect", site.when(matter.effective, page)))
    return _instrument(
        site,
        one,
        around,
        crumb=ACTS,
        title=f"{matter.cause}, act of {shown_date(matter.date)}",
        title_words=f"act of {shown_date(matter.date)}",
        badges=[{"text": "act", "kind": ""}, *turn_badge(site, matter.turn, page)],
        notices=(*restated(site, one.path, page), *corrected(site, one.path, page)),
        parts_of_text=[{"anchor": "reason", "name": "Reason", "html": body}] if body else (),
        facts=[
            *({"name": name, "value": value} for name, value in facts if value),
            *({"name": "Under", "value": _ANCHOR.format(view["href"], view["text"])} for view in under),
        ],
        links_heading="Rules touched",
        links=touched_views(site, one, page),
    )


def _instrument(
    site: Site,
    one: Instrument,
    around: tuple[Mapping[str, str] | None, ...],
    *,
    crumb: tuple[str, str],
    title: str,
    facts: Sequence[Mapping[str, Any]],
    **values: Any,
) -> str:
    page = instrument_page(one)
    return render_page(
        site,
        "proposal.html",
        page,
        kind=one.kind,
        shows=(one.path,),
        title=title,
        description=excerpt(one.ruling or one.preamble, 160),
        crumbs=(crumb,),
        here=one.name,
        name=one.name,
        changes=change_views(site, one, site.steps.get(one.path), page),
        changes_heading="What it changed",
        changes_note="",
        vote=None,
        dates_heading="Record",
        facts=[*facts, *recorded(site, one)],
        points=award_views(site, one, page),
        earlier=(),
        note=one.matter.note,
        actions=elsewhere(site, one, page),
        before=around[0],
        after=around[1],
        **values,
    )


def _construed(site: Site, ref: RuleRef, page: str) -> Mapping[str, Any]:
    history = site.addresses.bearer(ref)
    if history is None:
        return _link(site.addresses.href("rules/index.md", page), f"Rule {ref}", "no such rule")
    fate = site.fate(history, ref.number, ref.revision) or (_STANDS if ref.revision is not None else "")
    return _link(site.rule_href(history, page, ref.number, ref.revision), f"Rule {ref}", fate)


def _link(href: str, text: str, note: str = "") -> Mapping[str, Any]:
    return {"href": href, "text": text, "note": note, "gone": False, "revision": ""}


def _stale(
    site: Site, construed: Sequence[Mapping[str, Any]], matter: JudgementMatter, page: str
) -> Iterator[str | Markup]:
    if matter.status == "pending":
        judge = Markup(" from {}").format(site.who(matter.judge, page)) if matter.judge else ""
        yield Markup("This judgement is awaited{}.").format(judge)
    if matter.status == "overruled":
        when = Markup(" on {}").format(site.when(matter.overruled, page)) if matter.overruled else ""
        yield Markup("This judgement was overruled{}. From then on it has no force.").format(when)
    old = [_ANCHOR.format(one["href"], one["text"]) for one in construed if one["note"] not in ("", _STANDS)]
    if old and matter.status != "pending":
        yield Markup("It construes a text that is no longer in force: {}.").format(joined(old))


def _proposal(site: Site, matter: JudgementMatter, page: str) -> Sequence[Mapping[str, Any]]:
    one = site.instruments.get(("proposal", matter.proposal)) if matter.proposal else None
    return [_link(site.instrument_href(one, page), one.name)] if one else []
