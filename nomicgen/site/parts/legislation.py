"""A rule, a revision or an adopted proposal as data for the head of its page, in the words of
schema.org's `Legislation`.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urljoin

from nomicgen.history.rule_history import RuleHistory
from nomicgen.law.replay.results import Rule, RuleChange
from nomicgen.model.records import Instrument
from nomicgen.model.values import Moment
from nomicgen.site.addresses import INDEX, instrument_page
from nomicgen.site.parts.page import Page
from nomicgen.site.parts.page_source import plain
from nomicgen.site.revision_spans import RevisionSpan
from nomicgen.site.site_view import Site

_SCHEMA = "https://schema.org"


def rule_as_law(site: Site, history: RuleHistory) -> Mapping[str, object]:
    """Return a rule as law: its number and revision, its days, whether it is in force, and the
    instrument that gave it its last text.
    """
    rule, revisions = history.last, history.revisions
    force = "InForce" if site.is_in_force(history) else "NotInForce"
    makers = [entry.instrument for entry in revisions[-1:] if entry.instrument is not None]
    return {
        **_law(site, site.heading(rule), site.addresses.rule_page(history)),
        "legislationIdentifier": str(rule.ref),
        **_day("legislationDate", revisions[0].moment),
        **_day("legislationDateVersion", revisions[-1].moment),
        "legislationLegalForce": f"{_SCHEMA}/{force}",
        **({"legislationConsolidates": [_named(site, one) for one in makers]} if makers else {}),
    }


def revision_as_law(site: Site, history: RuleHistory, span: RevisionSpan) -> Mapping[str, object]:
    """Return a revision as law: its number, its days, whether it is in force, and the instrument
    with which it began.
    """
    in_force = span.ended is None and site.is_in_force(history)
    return {
        **_law(site, site.heading(span.rule), span.path),
        "legislationIdentifier": str(span.rule.ref),
        **_day("legislationDate", history.revisions[0].moment),
        **_day("legislationDateVersion", span.since),
        "legislationLegalForce": f"{_SCHEMA}/{'InForce' if in_force else 'NotInForce'}",
        **(
            {"legislationConsolidates": [_named(site, span.begun.instrument)]}
            if span.begun.instrument
            else {}
        ),
    }


def proposal_as_law(
    site: Site, instrument: Instrument, changes: tuple[RuleChange, ...]
) -> Mapping[str, object]:
    """Return an adopted proposal as law: its day, and the revisions it amended and repealed."""
    amended = [
        _revision(change.before)
        for change in changes
        if change.verb == "amend" and change.before is not None
    ]
    repealed = [
        _revision(change.before)
        for change in changes
        if change.verb == "repeal" and change.before is not None
    ]
    return {
        **_law(site, site.title_of(instrument), instrument_page(instrument)),
        "legislationIdentifier": plain(instrument.name),
        **_day("legislationDate", instrument.decided),
        **({"legislationAmends": amended} if amended else {}),
        **({"legislationRepeals": repealed} if repealed else {}),
    }


def _law(site: Site, name: str, page: str) -> dict[str, object]:
    game = {"@type": "Legislation", "name": plain(site.settings.name), **_url(site, INDEX)}
    known = {"@context": _SCHEMA, "@type": "Legislation", "name": plain(name)}
    return {**known, **_url(site, page), "isPartOf": game}


def _named(site: Site, instrument: Instrument) -> Mapping[str, str]:
    return {
        "@type": "Legislation",
        "name": plain(site.title_of(instrument)),
        **_url(site, instrument_page(instrument)),
    }


def _revision(rule: Rule) -> Mapping[str, str]:
    return {"@type": "Legislation", "legislationIdentifier": str(rule.ref)}


def _url(site: Site, page: str) -> dict[str, str]:
    return {"url": urljoin(site.url, Page(site, INDEX).href(page))} if site.url else {}


def _day(key: str, moment: Moment | None) -> dict[str, str]:
    return {key: moment.day.isoformat()} if moment is not None else {}
