"""The page of each rule, that of each number that a rule bore before, and the continuation pages of
a rule with a long past.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nomicgen.history.references import references
from nomicgen.history.rule_history import RuleHistory
from nomicgen.law.checks.provisions import is_doubtful
from nomicgen.law.replay.results import Rule
from nomicgen.law.sentences import sentences
from nomicgen.law.unread_passages import said_unread
from nomicgen.site.addresses import RULES
from nomicgen.site.parts.authors import Authorship, authorship
from nomicgen.site.parts.filters import neighbours
from nomicgen.site.parts.legislation import rule_as_law
from nomicgen.site.parts.lifeline import LIFE_SCRIPTS, lifeline
from nomicgen.site.parts.metadata import rule_metadata
from nomicgen.site.parts.notices import ChangesByRule, changes_by_rule, lost_texts
from nomicgen.site.parts.page import Page
from nomicgen.site.parts.page_foot import rule_files
from nomicgen.site.parts.rule_past import (
    ContinuationPage,
    RulePast,
    chapters,
    continuation_pages,
    past_weight,
    rule_past,
)
from nomicgen.site.parts.ways_to_change import Ways, ways_of
from nomicgen.site.render import render_page
from nomicgen.site.site_view import Site
from nomicgen.site.texts.player_html import Target

_BUDGET = 41_000
"""The most bytes of HTML of a rule's page, about, without the theme's frame."""
_SHORT = 3_000
"""A past of at most so many bytes has room on any page."""
_TRIED = 12
"""The most failed proposals that a rule's page names: the last ones."""


def rule_pages(site: Site) -> Iterator[tuple[str, str]]:
    """Yield a page for each number of each rule, and the continuation pages of a long past.

    The page of the rule's present or last number tells all; that of a former number has the text
    as it was under that number, and leads there.
    """
    standing = sorted(
        (history for history in site.histories.rules.values() if history.current),
        key=lambda history: history.last.number,
    )
    places = {history.identity: index for index, history in enumerate(standing)}
    coming, ways = changes_by_rule(site), Ways.of(site)
    for history in site.histories.rules.values():
        page = Page(site, site.addresses.rule_page(history))
        present = _present(page, history, coming, ways)
        if history.current is not None:
            present |= neighbours(standing, places[history.identity])
        weight, room = past_weight(page, history), _BUDGET
        if weight > _SHORT:
            _, rest = _page(page, history, history.last.number, RulePast(), **present)
            room -= len(rest.encode())
        continuation = continuation_pages(page, history) if weight > room else ()
        for number in history.numbers:
            own = Page(site, site.addresses.number_page(number, history))
            if own.path == page.path:
                yield _page(
                    own,
                    history,
                    number,
                    rule_past(own, history, None, continuation, room),
                    **present,
                )
            else:
                yield _page(
                    own, history, number, rule_past(own, history, number, continuation, room)
                )
        yield from _continuations(site, history, continuation)


def _present(page: Page, history: RuleHistory, coming: ChangesByRule, ways: Ways) -> dict[str, Any]:
    """Return the values that only the page of a rule's present or last number has."""
    stands = history.current is not None
    return {
        "words": authorship(page, history),
        "stands": stands,
        "cited_by": page.site.cited_by.get(history.last.number, ()) if stands else (),
        "pending": coming.pending.get(history.identity, ()),
        "proposed": coming.proposed.get(history.identity, ()) if stands else (),
        "tried": coming.failed.get(history.identity, ())[-_TRIED:],
        "ways": ways_of(history.current, ways) if history.current else None,
    }


def _page(
    page: Page,
    history: RuleHistory,
    number: int,
    past: RulePast,
    *,
    words: Authorship | None = None,
    stands: bool = False,
    **values: Any,
) -> tuple[str, str]:
    """Return a page with the rule as it is, or, for a former number, as it was last under it."""
    site = page.site
    is_present = page.path == site.addresses.rule_page(history)
    rule = (
        history.last
        if is_present
        else [entry.rule for entry in history.entries if entry.rule.number == number][-1]
    )
    # A void rule has no force, so the program applies none of its provisions.
    is_void = rule.void_on(site.today)
    return render_page(
        page,
        "rule.html",
        kind="rule",
        meta={
            **rule_metadata(page, history),
            **({"law": rule_as_law(site, history)} if is_present else {}),
        },
        shows=rule_files(history),
        title=site.heading(rule)
        if is_present
        else f"Rule {number}, now Rule {history.last.number}",
        description=site.summary(rule, 160),
        crumbs=(RULES,),
        here=f"Rule {rule.ref}",
        history=history,
        number=number,
        rule=rule,
        is_present=is_present,
        stands=stands,
        is_void=is_void,
        words=words or Authorship(text=page.text(rule)),
        lost=list(lost_texts(history, rule, None if is_present else number)),
        life=lifeline(page, history, None if is_present else number),
        life_scripts=LIFE_SCRIPTS,
        sentences=() if is_void else [(text, "") for text in sentences(rule.law)],
        unread=said_unread(() if is_void else rule.unread),
        is_doubtful=not is_void and is_doubtful(rule, page.site.settings),
        cites=_cites(page, history, rule),
        past=past,
        cited=site.revision_page(history, history.entries.index(history.revisions[-1]))
        if is_present
        else None,
        **{
            **dict.fromkeys(("ways", "before", "after")),
            **dict.fromkeys(("pending", "proposed", "tried", "cited_by"), ()),
            **values,
        },
    )


def _cites(page: Page, history: RuleHistory, rule: Rule) -> Mapping[str, Target]:
    """Return the target of each reference in a rule's text that has a page, by its words."""
    targets: dict[str, Target] = {}
    for reference in references(rule.text or ""):
        target = page.target(reference, history.identity)
        if target is not None and target.href is not None:
            words = str(reference)
            if reference.until:
                words = f"{reference.kind.capitalize()}s {reference.number}–{reference.until}"
            targets.setdefault(words, target)
    return targets


def _continuations(
    site: Site, history: RuleHistory, pages: Sequence[ContinuationPage]
) -> Iterator[tuple[str, str]]:
    rule, main = history.last, site.addresses.rule_page(history)
    for place, continuation in enumerate(pages):
        page, name = Page(site, continuation.path), continuation.name
        yield render_page(
            page,
            "revisions.html",
            kind="revisions",
            shows=tuple(
                dict.fromkeys(
                    entry.path for entry in history.entries[continuation.first : continuation.last]
                )
            ),
            title=f"Rule {rule.number}: {name}",
            description=f"The revisions {name} of Rule {rule.number}, with what changed",
            crumbs=(RULES, (main, f"Rule {rule.ref}")),
            here=name,
            history=history,
            chapters=chapters(page, history, continuation),
            **neighbours(pages, place),
        )
