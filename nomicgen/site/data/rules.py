"""The documents of rules: the list of them, and one for every number that a rule bore."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from nomicgen.formats.json_parts import entry_document
from nomicgen.history.references import Reference, references
from nomicgen.history.rule_history import TEXT_VERBS, HistoryEntry, RuleHistory
from nomicgen.model.values import RuleRef
from nomicgen.site.addresses import INDEX, RULES, data_file
from nomicgen.site.data.api_rules import (
    CITATION,
    CONSTRUING,
    RECORDED_ENTRY,
    REVISION,
    RULE,
    RULE_ITEM,
    RULE_LINK,
    RuleStatus,
)
from nomicgen.site.data.api_rules import RULES as RULES_DOCUMENT
from nomicgen.site.data.places import NOWHERE, instrument_place, rule_place
from nomicgen.site.parts.authors import outcome_words
from nomicgen.site.parts.page import Page
from nomicgen.site.site_view import Site


def rule_documents(site: Site) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the path and the document of the list of all rules, and those of each rule: under every
    number that it bore the same document.
    """
    histories = sorted(
        site.histories.rules.values(), key=lambda history: (history.last.number, history.identity)
    )
    yield (
        data_file(RULES[0]),
        RULES_DOCUMENT.write(
            url=Page(site, INDEX).href(RULES[0]),
            rules=[_item(site, history) for history in histories],
        ),
    )
    for history in histories:
        rule_document = _rule(site, history)
        for number in history.numbers:
            yield data_file(site.addresses.number_page(number, history)), rule_document


def _status(site: Site, history: RuleHistory) -> RuleStatus:
    if history.current is None:
        return "repealed"
    return "void" if history.current.void_on(site.today) else "in force"


def _item(site: Site, history: RuleHistory) -> dict[str, Any]:
    return RULE_ITEM.write(history.last, **_state(site, history))


def _state(site: Site, history: RuleHistory) -> dict[str, Any]:
    """Return the keys that come from a rule's history, and its addresses."""
    return {
        **rule_place(site, history),
        "status": _status(site, history),
        "since": history.revisions[-1].moment,
        "numbers": history.numbers,
    }


def _rule(site: Site, history: RuleHistory) -> dict[str, Any]:
    return RULE.write(
        history.last,
        **_state(site, history),
        revisions=[*_revisions(site, history)],
        entries=[
            _entry(site, history, index, entry) for index, entry in enumerate(history.entries)
        ],
        cites=[*_cites(site, history)],
        cited_by=[*_cited_by(site, history)],
        judgements=[*_judgements(site, history)],
    )


def _revisions(site: Site, history: RuleHistory) -> Iterator[dict[str, Any]]:
    revisions = [
        (index, entry) for index, entry in enumerate(history.entries) if entry.verb in TEXT_VERBS
    ]
    page = Page(site, site.addresses.rule_page(history))
    end = history.entries[-1].moment if history.current is None else None
    ends = [*(entry.moment for _, entry in revisions[1:]), end]
    for (index, entry), until in zip(revisions, ends, strict=True):
        yield REVISION.write(
            entry.rule,
            since=entry.moment,
            until=until,
            by=entry.instrument.name if entry.instrument else None,
            html=str(page.text(entry.rule, 4)),
            url=Page(site, INDEX).text_href(history, index),
        )


def _entry(site: Site, history: RuleHistory, index: int, entry: HistoryEntry) -> dict[str, Any]:
    place = instrument_place(site, entry.instrument) if entry.instrument else NOWHERE
    return entry_document(
        site.game_history,
        history.identity,
        index,
        RECORDED_ENTRY,
        outcome=outcome_words(site, entry),
        page=_shown_at(site, history, index),
        **place,
    )


def _shown_at(site: Site, history: RuleHistory, index: int) -> str:
    """Return the address where the revision after a line is shown: its page, or the rule's."""
    root, own = Page(site, INDEX), site.revision_page(history, index)
    if own is not None:
        return root.href(own)
    is_over = history.entries[index].verb == "repeal"
    return root.rule_href(history) if is_over else root.text_href(history, index)


def _cites(site: Site, history: RuleHistory) -> Iterator[dict[str, Any]]:
    seen = set()
    for reference in references(history.last.text or ""):
        key = (reference.kind, reference.number, reference.revision, reference.until)
        if key not in seen:
            seen.add(key)
            yield _citation(site, reference)


def _citation(site: Site, reference: Reference) -> dict[str, Any]:
    place, note = NOWHERE, ""
    if reference.kind == "rule":
        bearer = site.addresses.rule_named(RuleRef(reference.number, reference.revision))
        if bearer is not None:
            place, note = (
                rule_place(site, bearer),
                site.fate(bearer, reference.number, reference.revision),
            )
    else:
        instrument = site.instruments.get((reference.kind, reference.number))
        place = instrument_place(site, instrument) if instrument else NOWHERE
    return CITATION.write(reference, note=note or None, **place)


def _cited_by(site: Site, history: RuleHistory) -> Iterator[dict[str, Any]]:
    numbers = site.cited_by.get(history.current.number, ()) if history.current else ()
    for number in numbers:
        other = site.histories.of_number(number)
        if other is not None:
            yield RULE_LINK.write(number=number, title=other.last.title, **rule_place(site, other))


def _judgements(site: Site, history: RuleHistory) -> Iterator[dict[str, Any]]:
    for judgement, ref in site.judgements_on.get(history.identity, ()):
        yield CONSTRUING.write(
            judgement.matter, construes=str(ref), **instrument_place(site, judgement)
        )
