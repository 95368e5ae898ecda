"""The page of each rule, of each number that a rule bore, and the list of them all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup, escape
from msgspec import Struct

from nomicgen.archive.references import references
from nomicgen.archive.rule_history import RuleHistory
from nomicgen.law.replay_state import Rule
from nomicgen.law.sentences import sentences
from nomicgen.law.unread_provisions import said_unread
from nomicgen.model import JudgementMatter, Moment, RuleRef
from nomicgen.site.authors import Authorship, authorship
from nomicgen.site.charts import citations
from nomicgen.site.data_parts import data_file
from nomicgen.site.lifeline import lifeline, lifeline_weight
from nomicgen.site.linked_history import history_views
from nomicgen.site.notices import Coming, coming_changes, notices, proposed_changes
from nomicgen.site.page_foot import rule_files
from nomicgen.site.render import render_page
from nomicgen.site.revision_pages import Volumes, past_of, plan_volumes, volume_pages
from nomicgen.site.site_view import Site
from nomicgen.site.ways_to_change import Ways, ways_of

__all__ = ["RULES", "history_views", "rule_pages"]

RULES = ("rules/index.md", "Ruleset")
_TITLED = 24
_LISTED = 100
_PICTURE = 12_000
_DRAWN = 3
_TRIED = 12
# What stands about the text and its past: the head, the list of what it cites, links to elsewhere.
_ABOUT = 4_500


class _Book(Struct, frozen=True, kw_only=True):
    """What all pages of rules need: computed once."""

    site: Site
    ways: Ways
    pending: Coming
    live: Coming
    failed: Coming
    order: Sequence[RuleHistory]
    place: Mapping[int, int]

    def around(self, history: RuleHistory) -> tuple[RuleHistory | None, RuleHistory | None]:
        index = self.place.get(history.identity)
        if index is None:
            return None, None
        return (
            self.order[index - 1] if index else None,
            self.order[index + 1] if index + 1 < len(self.order) else None,
        )


def rule_pages(site: Site) -> Iterator[tuple[str, str]]:
    """The page of every number that was ever borne, and of each earlier bearer of one that was given again.

    A long past goes on, on continuation pages.
    """
    order = [history for history in site.archive.histories.rules.values() if history.current]
    order.sort(key=lambda one: one.last.number)
    pending, live, failed = coming_changes(site)
    place = {history.identity: index for index, history in enumerate(order)}
    book = _Book(site=site, ways=Ways.of(site), pending=pending, live=live, failed=failed, order=order, place=place)
    for history in site.archive.histories.rules.values():
        page = site.addresses.rule_page(history)
        words = authorship(site, history, page)
        picture = _picture(site, history, page)
        ways = ways_of(site, history.current, book.ways, page) if history.current else None
        editor = len(ways["href"] or "") if ways else 0
        life = lifeline(site, history, None, page)
        fixed = _fixed(site, history, words) + len((picture or "").encode()) + editor + lifeline_weight(life)
        volumes = plan_volumes(site, history, page, fixed)
        for number in history.numbers:
            own = site.addresses.number_page(number, history)
            yield own, _page(book, history, number, own, words, picture, ways, volumes, fixed)
        yield from volume_pages(site, history, volumes)


def _picture(site: Site, history: RuleHistory, page: str) -> Markup | None:
    """The citations around a rule, where they are enough for a picture to say more than a list, and not too many."""
    citing = len(site.cited_by.get(history.last.number, ()))
    cited = {number for one in references(history.last.text or "") if one.kind == "rule" for number in one.numbers[:9]}
    if history.current is None or not _DRAWN <= citing + len(cited) <= _LISTED:
        return None
    made = citations(site, history, page)
    # Its table has every rule.
    return made if made and len(made.encode()) <= _PICTURE else None


def _fixed(site: Site, history: RuleHistory, words: Authorship) -> int:
    """About how many bytes a rule's page has without its past."""
    legend = sum(len("".join(map(str, one.values())).encode()) + 260 for one in words.legend)
    citing = len(site.cited_by.get(history.last.number, ()))
    read = (*sentences(history.last.law), *said_unread(history.last.unread)[1])
    law = sum(len(one.encode()) + 10 for one in read)
    lists = 130 * min(citing, _TITLED) + 70 * max(min(citing, _LISTED) - _TITLED, 0)
    return len(words.text.encode()) + legend + law + lists + _ABOUT


def _page(
    book: _Book,
    history: RuleHistory,
    number: int,
    page: str,
    words: Authorship,
    picture: Markup | None,
    ways: Mapping[str, Any] | None,
    volumes: Volumes,
    fixed: int,
) -> str:
    """A rule as it is, or, on the page of a number that it bore once, as it was then."""
    site = book.site
    main = page == site.addresses.rule_page(history)
    rule = history.last if main else [one.rule for one in history.entries if one.rule.number == number][-1]
    before, after = book.around(history) if main else (None, None)
    force = main and site.is_force(history)
    shown = words if main else Authorship(text=site.text(rule, page))
    stands = main and history.current is not None
    return render_page(
        site,
        "rule.html",
        page,
        kind="rule",
        shows=rule_files(history),
        title=site.heading(rule) if main else f"Rule {number}, now Rule {history.last.number}",
        description=site.summary(rule, 160),
        crumbs=(RULES,),
        here=f"Rule {rule.ref}",
        rule=rule,
        gone=not force,
        badges=_badges(site, history, rule, page, main=main),
        notices=tuple(notices(site, history, rule, number, page, book.pending, main=main)),
        words=shown,
        life=lifeline(site, history, None if main else number, page),
        script=site.addresses.href("assets/rule.js", page) if shown.legend else None,
        # A void rule has no force, so a program reads nothing in it.
        sentences=[{"text": text, "mark": ""} for text in sentences(rule.law) if not rule.void_on(site.today)],
        unread=said_unread(() if rule.void_on(site.today) else rule.unread),
        ways=ways if stands else None,
        proposed=proposed_changes(site, history, page, book.live) if stands else (),
        tried=proposed_changes(site, history, page, book.failed)[-_TRIED:] if main else (),
        judgements=_judgements(site, history, page),
        cites=_cites(site, history, rule, page),
        cited_by=_cited_by(site, rule, page) if stands else {"listed": (), "more": 0},
        picture=picture if main else None,
        actions=_actions(site, history, rule, page) if stands else (),
        citation=_citation(site, rule, page),
        past=past_of(site, history, None if main else number, page, volumes, fixed),
        before=_neighbour(site, before, page),
        after=_neighbour(site, after, page),
    )


def _badges(
    site: Site, history: RuleHistory, rule: Rule, page: str, *, main: bool
) -> Sequence[Mapping[str, str | Markup]]:
    badges: list[Mapping[str, str | Markup]] = [
        {"text": rule.ref, "kind": "number"},
        {"text": rule.tier, "kind": "tier"},
    ]
    badges += [{"text": rule.section, "kind": ""}] if rule.section else []
    if not main:
        return [*badges, {"text": "a former number", "kind": "bad"}]
    if history.current is None:
        return [*badges, {"text": _repealed(site, history, page), "kind": "bad"}]
    if rule.void_on(site.today):
        since = rule.void if isinstance(rule.void, Moment) else None
        return [*badges, {"text": _since(site, "void since", since, page), "kind": "bad"}]
    return [*badges, {"text": _since(site, "in force since", history.revisions[-1].moment, page), "kind": "good"}]


def _repealed(site: Site, history: RuleHistory, page: str) -> Markup | str:
    moment = history.entries[-1].moment
    return "repealed, day not recorded" if moment is None else _since(site, "repealed", moment, page)


def _since(site: Site, words: str, moment: Moment | None, page: str) -> Markup | str:
    if moment is None:
        return words.removesuffix(" since")
    return Markup("{} {}").format(words, site.when(moment, page))


def _judgements(site: Site, history: RuleHistory, page: str) -> Sequence[Mapping[str, Any]]:
    return [
        {
            "href": site.instrument_href(one, page),
            "text": f"{one.name}{f': {one.title}' if one.title else ''}",
            "note": _standing(site, one.matter, ref, history, page),
            "gone": one.matter.status == "overruled",
            "revision": "",
        }
        for one, ref in site.judgements_on.get(history.identity, ())
        if isinstance(one.matter, JudgementMatter)
    ]


def _standing(site: Site, matter: JudgementMatter, ref: RuleRef, history: RuleHistory, page: str) -> Markup:
    """Which revision a judgement construes, whether that is the rule as it is, and whether the judgement stands."""
    fate = site.fate(history, ref.number, ref.revision)
    said = Markup("construes {}{}; ").format(ref, f"; {fate}" if fate else "")
    if matter.status == "overruled" and matter.overruled is not None:
        return said + Markup("overruled {}").format(site.when(matter.overruled, page))
    return said + {"upheld": "it stands"}.get(matter.status, matter.status)


def _cites(site: Site, history: RuleHistory, rule: Rule, page: str) -> Sequence[Mapping[str, Any]]:
    found: dict[str, Mapping[str, Any]] = {}
    for one in references(rule.text or ""):
        target = site.target(one, page, history.identity)
        if target is None or target.href is None:
            continue
        text = f"{one.kind.capitalize()}s {one.number}–{one.until}" if one.until else str(one)
        note = target.note or ("" if one.until else target.title.partition(" · ")[2])
        view = {"href": target.href, "text": text, "note": note, "gone": target.gone, "revision": ""}
        found.setdefault(text, view)
    return tuple(found.values())


def _cited_by(site: Site, rule: Rule, page: str) -> Mapping[str, Any]:
    """The rules that cite a rule: many without their titles, and of very many the first."""
    numbers = site.cited_by.get(rule.number, ())
    found = []
    for number in numbers[:_LISTED]:
        history = site.archive.histories.of_number(number)
        if history is not None and history.current is not None:
            title = (history.current.title or "") if len(numbers) <= _TITLED else ""
            href = site.rule_href(history, page)
            found.append({"href": href, "text": f"Rule {number}", "note": title, "gone": False, "revision": ""})
    return {"listed": found, "more": max(len(numbers) - _LISTED, 0)}


def _actions(site: Site, history: RuleHistory, rule: Rule, page: str) -> Sequence[Mapping[str, str]]:
    data = site.addresses.href(data_file(site.addresses.rule_page(history)), page)
    file = site.file(f"rules/{rule.number}.md", rule)
    found = [{"href": data, "text": "This rule as data (JSON)"}]
    return [*found, *([{"href": file, "text": "Its file in the repository"}] if file else [])]


def _citation(site: Site, rule: Rule, page: str) -> Markup:
    """`Rule 203/1, The Lock House, https://…/rules/203/#r1`; the address may break before a slash."""
    address = f"{site.url}{site.addresses.href(page, 'index.md', f'r{rule.revision}')}" if site.url else ""
    name = site.archive.records.settings.name
    said = escape(", ".join(part for part in (f"Rule {rule.ref}", name) if part))
    scheme, colon, rest = address.partition("://")
    place = escape(scheme + colon) + escape(rest).replace("/", Markup("<wbr>/"))
    return said + Markup(", ") + place if address else said


def _neighbour(site: Site, history: RuleHistory | None, page: str) -> Mapping[str, str] | None:
    if history is None:
        return None
    return {"href": site.rule_href(history, page), "text": site.heading(history.last)}
