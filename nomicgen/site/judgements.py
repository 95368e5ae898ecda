"""The pages of judgements and acts, and their lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from nomicgen.model import ActMatter, Instrument, JudgementMatter, RuleRef
from nomicgen.site.addresses import instrument_page
from nomicgen.site.changes import change_views
from nomicgen.site.markup import excerpt
from nomicgen.site.proposals import award_views, elsewhere, neighbours
from nomicgen.site.render import recorded_view, render_page
from nomicgen.site.view import Site, moment_time

__all__ = ["act_pages", "judgement_pages"]

JUDGEMENTS = ("judgements/index.md", "Judgements")
ACTS = ("acts/index.md", "Acts")
_STANDS = "which still reads so"
_ANCHOR = Markup('<a class="n-ref" href="{}">{}</a>')
_TONES = {"upheld": "good", "overruled": "bad", "pending": "open"}


def judgement_pages(site: Site) -> Iterator[tuple[str, str]]:
    """Every judgement's page, and their index."""
    judgements = site.archive.records.of_kind("judgement")
    yield JUDGEMENTS[0], _judgement_index(site, judgements)
    for index, one in enumerate(judgements):
        if isinstance(one.matter, JudgementMatter):
            yield instrument_page(one), _judgement(site, one, one.matter, neighbours(site, judgements, index))


def act_pages(site: Site) -> Iterator[tuple[str, str]]:
    """Every act's page, and their index where there are any."""
    acts = site.archive.records.of_kind("act")
    if acts:
        yield ACTS[0], _act_index(site, acts)
    for index, one in enumerate(acts):
        if isinstance(one.matter, ActMatter):
            yield instrument_page(one), _act(site, one, one.matter, neighbours(site, acts, index))


def _judgement(
    site: Site, one: Instrument, matter: JudgementMatter, around: tuple[Mapping[str, str] | None, ...]
) -> str:
    page = instrument_page(one)
    question = site.prose(one.preamble, page, "judgements")
    ruling = site.prose(one.ruling, page, "judgements")
    parts = [("question", "Question and reasoning", question), ("ruling", "Ruling", ruling)]
    facts = [
        ("Called by", matter.called_by and site.name(matter.called_by)),
        ("Judge", matter.judge and site.name(matter.judge)),
        ("Given", moment_time(matter.date) if matter.date else None),
        ("Overruled", moment_time(matter.overruled) if matter.overruled else None),
    ]
    construed = [_construed(site, ref, page) for ref in matter.rules]
    return _instrument(
        site,
        one,
        around,
        crumb=JUDGEMENTS,
        title=f"{one.name}{f' · {matter.title}' if matter.title else ''}",
        title_words=matter.title or "",
        badges=[{"text": matter.status, "kind": _TONES[matter.status]}, *_turn(matter.turn)],
        notices=tuple(_stale(construed, matter)),
        parts_of_text=[{"anchor": anchor, "name": name, "html": html} for anchor, name, html in parts if html],
        facts=[{"name": name, "value": value} for name, value in facts if value],
        construes=[*construed, *_proposal(site, matter, page)],
    )


def _act(site: Site, one: Instrument, matter: ActMatter, around: tuple[Mapping[str, str] | None, ...]) -> str:
    page = instrument_page(one)
    body = site.prose(one.preamble, page, "acts")
    under = [_construed(site, RuleRef(matter.under), page)] if matter.under else []
    facts = [("By", matter.by and site.name(matter.by)), ("Date", moment_time(matter.date))]
    if matter.effective and matter.effective != matter.date:
        facts.append(("In effect", moment_time(matter.effective)))
    return _instrument(
        site,
        one,
        around,
        crumb=ACTS,
        title=matter.cause,
        title_words="",
        badges=[{"text": "act", "kind": ""}, *_turn(matter.turn)],
        notices=(),
        parts_of_text=[{"anchor": "reason", "name": "Reason", "html": body}] if body else (),
        facts=[
            *({"name": name, "value": value} for name, value in facts if value),
            *({"name": "Under", "value": _ANCHOR.format(view["href"], view["text"])} for view in under),
        ],
        construes=(),
    )


def _instrument(
    site: Site,
    one: Instrument,
    around: tuple[Mapping[str, str] | None, ...],
    *,
    crumb: tuple[str, str],
    title: str,
    **values: Any,
) -> str:
    page = instrument_page(one)
    origin = recorded_view(site, one)
    return render_page(
        site,
        "proposal.html",
        page,
        kind=one.kind,
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
        points=award_views(site, one.matter.points),
        earlier=(),
        note=one.matter.note,
        actions=[
            *([{"href": origin["href"], "text": f"Recorded in {origin['sha'][:7]}"}] if origin["href"] else []),
            *elsewhere(site, one),
        ],
        before=around[0],
        after=around[1],
        **values,
    )


def _turn(turn: str | None) -> Sequence[Mapping[str, str]]:
    return [{"text": turn, "kind": "number"}] if turn else []


def _construed(site: Site, ref: RuleRef, page: str) -> Mapping[str, Any]:
    history = site.addresses.bearer(ref)
    if history is None:
        return _link(site.addresses.href("rules/index.md", page), f"Rule {ref}", "no such rule")
    fate = site.fate(history, ref.number, ref.revision) or (_STANDS if ref.revision is not None else "")
    return _link(site.rule_href(history, page, ref.number, ref.revision), f"Rule {ref}", fate)


def _link(href: str, text: str, note: str = "") -> Mapping[str, Any]:
    return {"href": href, "text": text, "note": note, "gone": False, "revision": ""}


def _stale(construed: Sequence[Mapping[str, Any]], matter: JudgementMatter) -> Iterator[str]:
    if matter.status == "overruled":
        when = f" on {moment_time(matter.overruled).striptags()}" if matter.overruled else ""
        yield f"This judgement was overruled{when}. From then on it has no force."
    old = [one["text"] for one in construed if one["note"] not in ("", _STANDS)]
    if old and matter.status != "pending":
        yield f"It construes a text that is no longer in force: {', '.join(old)}."


def _proposal(site: Site, matter: JudgementMatter, page: str) -> Sequence[Mapping[str, Any]]:
    one = site.instruments.get(("proposal", matter.proposal)) if matter.proposal else None
    return [_link(site.instrument_href(one, page), one.name)] if one else []


def _judgement_index(site: Site, judgements: Sequence[Instrument]) -> str:
    page = JUDGEMENTS[0]
    items = []
    for one in reversed(judgements):
        matter = one.matter
        assert isinstance(matter, JudgementMatter)
        construes = ", ".join(f"Rule {ref}" for ref in matter.rules)
        said = excerpt(one.ruling or one.preamble)
        items.append(
            _item(site, one, page, said, construes, matter.judge)
            | {"state": matter.status, "tone": _TONES[matter.status], "data": {"status": matter.status}}
        )
    return _list(
        site,
        page,
        "Judgements",
        items,
        "judgements",
        "What the rules were held to mean.",
        "No judgement was given yet.",
    )


def _act_index(site: Site, acts: Sequence[Instrument]) -> str:
    page = ACTS[0]
    items = []
    for one in reversed(acts):
        changed = ", ".join(each.heading for each in one.instructions) or "changed no rule"
        item = _item(site, one, page, excerpt(one.preamble), changed, one.actor)
        items.append(item | {"number": one.name, "state": "", "tone": "plain", "data": {}})
    return _list(site, page, "Acts", items, "acts", "Changes and awards that no proposal made.", "")


def _item(site: Site, one: Instrument, page: str, said: str, about: str, actor: str | None) -> dict[str, Any]:
    title = one.title or about or one.name
    by = f"{site.name(actor)}, " if actor else ""
    return {
        "href": site.instrument_href(one, page),
        "number": str(one.number),
        "title": title,
        "excerpt": said,
        "note": f"{by}{moment_time(one.matter.date).striptags()}" if one.matter.date else by.rstrip(", "),
        "search": f"{one.name} {title} {about} {said} {by}".lower(),
    }


def _list(
    site: Site, page: str, heading: str, items: Sequence[Mapping[str, Any]], name: str, lead: str, empty: str
) -> str:
    return render_page(
        site,
        "index.html",
        page,
        kind="index",
        title=heading,
        heading=heading,
        lead=lead,
        items=items,
        list=name,
        filter_label="Filter by number, rule or words",
        selects=(),
        empty=empty,
    )
