"""The data of rules: the list of them, and a document for every number that a rule bore."""

from __future__ import annotations

from collections.abc import Iterator

from nomicgen.archive.references import Reference, references
from nomicgen.archive.rule_history import TEXTS, Entry, RuleHistory
from nomicgen.formats.api_rules import (
    CitationView,
    ConstruingView,
    RecordedEntryView,
    RevisionView,
    RuleDocument,
    RuleItem,
    RuleLinkView,
    RulesDocument,
    RuleStatus,
)
from nomicgen.formats.json_parts import Document, date_of, entry_fields, rule_fields
from nomicgen.model import JudgementMatter, RuleRef
from nomicgen.site.authors import verdict
from nomicgen.site.data_parts import Places, data_file
from nomicgen.site.page import Page
from nomicgen.site.rules_page import RULES
from nomicgen.site.site_view import Site


def rule_documents(site: Site, places: Places) -> Iterator[tuple[str, Document]]:
    """The list of all rules, and each rule under every number that it bore."""
    histories = sorted(site.archive.histories.rules.values(), key=lambda one: (one.last.number, one.identity))
    yield (
        data_file(RULES[0]),
        RulesDocument(url=places.page(RULES[0]).url, rules=tuple(_item(site, one, places) for one in histories)),
    )
    for history in histories:
        made = _rule(site, history, places)
        for number in history.numbers:
            yield data_file(site.addresses.number_page(number, history)), made


def _status(site: Site, history: RuleHistory) -> RuleStatus:
    if history.current is None:
        return "repealed"
    return "void" if history.current.void_on(site.today) else "in force"


def _item(site: Site, history: RuleHistory, places: Places) -> RuleItem:
    rule, place = history.last, places.rule(history)
    return RuleItem(
        url=place.url,
        data=place.data,
        number=rule.number,
        revision=rule.revision,
        tier=rule.tier,
        title=rule.title,
        section=rule.section,
        status=_status(site, history),
        since=date_of(history.revisions[-1].moment),
        numbers=history.numbers,
    )


def _rule(site: Site, history: RuleHistory, places: Places) -> RuleDocument:
    rule, place = history.last, places.rule(history)
    return RuleDocument(
        url=place.url,
        data=place.data,
        **rule_fields(rule),
        status=_status(site, history),
        since=date_of(history.revisions[-1].moment),
        numbers=history.numbers,
        revisions=tuple(_revisions(site, history, places)),
        entries=tuple(_entry(site, history, index, entry, places) for index, entry in enumerate(history.entries)),
        cites=tuple(_cites(site, history, places)),
        cited_by=tuple(_cited_by(site, history, places)),
        judgements=tuple(_judgements(site, history, places)),
    )


def _revisions(site: Site, history: RuleHistory, places: Places) -> Iterator[RevisionView]:
    revisions = [(index, one) for index, one in enumerate(history.entries) if one.verb in TEXTS]
    page = Page(site, site.addresses.rule_page(history))
    end = history.entries[-1].moment if history.current is None else None
    ends = [*(one.moment for _, one in revisions[1:]), end]
    for (index, entry), until in zip(revisions, ends, strict=True):
        yield RevisionView(
            **rule_fields(entry.rule),
            since=date_of(entry.moment),
            until=date_of(until),
            by=entry.instrument.name if entry.instrument else None,
            html=str(page.text(entry.rule, 4)),
            url=places.revision(history, index),
        )


def _entry(site: Site, history: RuleHistory, index: int, entry: Entry, places: Places) -> RecordedEntryView:
    place = places.instrument(entry.instrument) if entry.instrument else None
    return RecordedEntryView(
        **entry_fields(site.archive, history.identity, index, entry),
        outcome=verdict(site, entry),
        url=place.url if place else None,
        data=place.data if place else None,
    )


def _cites(site: Site, history: RuleHistory, places: Places) -> Iterator[CitationView]:
    seen = set()
    for one in references(history.last.text or ""):
        key = (one.kind, one.number, one.revision, one.until)
        if key not in seen:
            seen.add(key)
            yield _citation(site, one, places)


def _citation(site: Site, one: Reference, places: Places) -> CitationView:
    place, note = None, None
    if one.kind == "rule":
        bearer = site.addresses.bearer(RuleRef(one.number, one.revision))
        if bearer is not None:
            place, note = places.rule(bearer), site.fate(bearer, one.number, one.revision)
    else:
        instrument = site.instruments.get((one.kind, one.number))
        place = places.instrument(instrument) if instrument else None
    return CitationView(
        kind=one.kind,
        number=one.number,
        revision=one.revision,
        to=one.until,
        note=note or None,
        url=place.url if place else None,
        data=place.data if place else None,
    )


def _cited_by(site: Site, history: RuleHistory, places: Places) -> Iterator[RuleLinkView]:
    numbers = site.cited_by.get(history.current.number, ()) if history.current else ()
    for number in numbers:
        other = site.archive.histories.of_number(number)
        if other is not None:
            place = places.rule(other)
            yield RuleLinkView(url=place.url, data=place.data, number=number, title=other.last.title)


def _judgements(site: Site, history: RuleHistory, places: Places) -> Iterator[ConstruingView]:
    for one, ref in site.judgements_on.get(history.identity, ()):
        if isinstance(one.matter, JudgementMatter):
            place = places.instrument(one)
            yield ConstruingView(
                url=place.url,
                data=place.data,
                number=one.matter.number,
                title=one.matter.title,
                status=one.matter.status,
                construes=str(ref),
            )
