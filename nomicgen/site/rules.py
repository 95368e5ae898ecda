"""The page of each rule, of each number that a rule bore, and the list of them all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from nomicgen.archive.history import Entry, RuleHistory
from nomicgen.archive.lines import history_line, history_link, shown_date
from nomicgen.archive.references import references
from nomicgen.law.sentences import sentences
from nomicgen.law.state import Rule
from nomicgen.model import JudgementMatter, RuleRef
from nomicgen.site.markup import redline_html
from nomicgen.site.render import origin_view, render_page
from nomicgen.site.view import Site, moment_time

__all__ = ["history_views", "rule_pages"]

RULES = ("rules/index.md", "Ruleset")


def rule_pages(site: Site) -> Iterator[tuple[str, str]]:
    """The page of every number that was ever borne, and of each earlier bearer of one that was given again."""
    order = [history for history in site.archive.histories.rules.values() if history.current]
    order.sort(key=lambda one: one.last.number)
    place = {history.identity: index for index, history in enumerate(order)}
    for history in site.archive.histories.rules.values():
        index = place.get(history.identity)
        around = (
            order[index - 1] if index else None,
            order[index + 1] if index is not None and index + 1 < len(order) else None,
        )
        for number in history.numbers:
            page = site.addresses.number_page(number, history)
            yield page, _page(site, history, number, page, around)


def _page(
    site: Site,
    history: RuleHistory,
    number: int,
    page: str,
    around: tuple[RuleHistory | None, RuleHistory | None],
) -> str:
    """A rule as it is, or, on the page of a number that it bore once, as it was then."""
    main = page == site.addresses.rule_page(history)
    rule = history.last if main else [one.rule for one in history.entries if one.rule.number == number][-1]
    entries = [(index, one) for index, one in enumerate(history.entries) if main or one.rule.number == number]
    before, after = around if main else (None, None)
    force = main and site.is_force(history)
    return render_page(
        site,
        "rule.html",
        page,
        kind="rule",
        title=site.heading(rule),
        description=site.summary(rule, 160),
        boost=2 if force else 0.5,
        crumbs=(RULES,),
        here=f"Rule {rule.ref}",
        rule=rule,
        gone=not force,
        badges=_badges(site, history, rule, main),
        notices=tuple(_notices(site, history, rule, number, page, main)),
        text=site.text(rule, page),
        # A void rule has no force, so a program reads nothing in it.
        sentences=[{"text": text, "mark": ""} for text in sentences(rule.law) if not rule.void_on(site.today)],
        judgements=_judgements(site, history, page),
        cites=_cites(site, history, rule, page),
        cited_by=_cited_by(site, rule, page) if main and history.current else (),
        actions=_actions(site, history, rule, main),
        history=history_views(site, history, entries, page, main),
        revisions=_revisions(site, history, number if not main else None, page),
        before=_neighbour(site, before, page),
        after=_neighbour(site, after, page),
    )


def _badges(site: Site, history: RuleHistory, rule: Rule, main: bool) -> Sequence[Mapping[str, str]]:
    badges = [{"text": rule.ref, "kind": "number"}, {"text": rule.tier, "kind": "tier"}]
    badges += [{"text": rule.section, "kind": ""}] if rule.section else []
    if not main:
        return [*badges, {"text": "a former number", "kind": "bad"}]
    last = history.entries[-1]
    if history.current is None:
        return [*badges, {"text": f"repealed{f' {shown_date(last.moment)}' if last.moment else ''}", "kind": "bad"}]
    if rule.void_on(site.today):
        since = f" since {shown_date(rule.void)}" if rule.void and not isinstance(rule.void, bool) else ""
        return [*badges, {"text": f"void{since}", "kind": "bad"}]
    moment = history.revisions[-1].moment
    return [*badges, {"text": f"in force since {shown_date(moment)}" if moment else "in force", "kind": "good"}]


def _notices(
    site: Site, history: RuleHistory, rule: Rule, number: int, page: str, main: bool
) -> Iterator[str | Markup]:
    if not main:
        fate = "was repealed; it was last" if history.current is None else "is now"
        was = "The rule that was" if len(site.archive.histories.bearers[number]) > 1 else "What was"
        yield Markup("{} Rule {} {} {}.").format(was, number, fate, _link(site, history, page))
    elif history.current is None:
        yield _repealed(site, history, page)
    elif rule.void_on(site.today):
        yield "This rule stands in the ruleset but has no force."
    former = [one for one in history.numbers if one != rule.number] if main else []
    if former:
        links = Markup(", ").join(_link(site, history, page, one) for one in former)
        yield Markup("This rule was formerly {}.").format(links)
    for other in site.archive.histories.bearers[number]:
        if other != history.identity:
            bearer = site.archive.histories.rules[other]
            yield Markup("Another rule bore this number too: {}.").format(_link(site, bearer, page, number))


def _repealed(site: Site, history: RuleHistory, page: str) -> Markup:
    one = history.entries[-1].instrument
    by = (
        Markup(' by <a class="n-ref" href="{}">{}</a>').format(site.instrument_href(one, page), one.name) if one else ""
    )
    return Markup("This rule was repealed{}. It is kept here as it stood last.").format(by)


def _link(site: Site, history: RuleHistory, page: str, number: int | None = None) -> Markup:
    """A link to a rule, or to what it was under a number."""
    rule = history.last
    if number is not None:
        rule = [one.rule for one in history.entries if one.rule.number == number][-1]
    href = site.rule_href(history, page, number)
    return Markup('<a class="n-ref" href="{}">{}</a>').format(href, site.heading(rule))


def _judgements(site: Site, history: RuleHistory, page: str) -> Sequence[Mapping[str, Any]]:
    return [
        {
            "href": site.instrument_href(one, page),
            "text": f"{one.name}{f': {one.title}' if one.title else ''}",
            "note": _standing(site, one.matter, ref, history),
            "gone": False,
            "revision": "",
        }
        for one, ref in site.judgements_on.get(history.identity, ())
        if isinstance(one.matter, JudgementMatter)
    ]


def _standing(site: Site, matter: JudgementMatter, ref: RuleRef, history: RuleHistory) -> str:
    said = [f"construes {ref}"]
    said += ["pending"] if matter.status == "pending" else ["overruled"] if matter.status == "overruled" else []
    fate = site.fate(history, ref.number, ref.revision)
    return "; ".join([*said, *([fate] if fate else [])])


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


def _cited_by(site: Site, rule: Rule, page: str) -> Sequence[Mapping[str, Any]]:
    found = []
    for number in site.cited_by.get(rule.number, ()):
        history = site.archive.histories.of_number(number)
        if history is not None and history.current is not None:
            title = history.current.title or ""
            href = site.rule_href(history, page)
            found.append({"href": href, "text": f"Rule {number}", "note": title, "gone": False, "revision": ""})
    return found


def _actions(site: Site, history: RuleHistory, rule: Rule, main: bool) -> Sequence[Mapping[str, str]]:
    if not main or history.current is None:
        return ()
    found = (
        (site.addresses.amend(rule), "Propose an amendment"),
        (site.addresses.file(f"rules/{rule.number}.md", rule), "Its file in the repository"),
    )
    return [{"href": href, "text": text} for href, text in found if href]


def history_views(
    site: Site, history: RuleHistory, entries: Sequence[tuple[int, Entry]], page: str, own_anchors: bool = True
) -> Sequence[Mapping[str, Any]]:
    """The lines of a history in Nomic IV's style, each with the commit that it came in."""
    found = []
    for index, entry in entries:
        link = history_link(site.archive, history.identity, index)
        origin = origin_view(site, site.archive.origins.get((history.identity, index)), link)
        instrument = entry.instrument
        source = instrument and {"href": site.instrument_href(instrument, page), "text": instrument.name}
        revision = entry in history.revisions
        found.append(
            {
                "text": history_line(entry, site.names),
                "href": origin["href"] or (source["href"] if source else None),
                "origin": origin,
                "source": source,
                "ref": entry.rule.ref,
                "anchor": f"r{entry.rule.revision}" if revision and own_anchors else "",
            }
        )
    return found


def _revisions(site: Site, history: RuleHistory, number: int | None, page: str) -> Sequence[Mapping[str, Any]]:
    found = []
    before: Entry | None = None
    chosen = [one for one in history.revisions if number is None or one.rule.number == number]
    # A number that a rule took without a new text (transmuted, renumbered) shows the text that it bore it with.
    for entry in chosen or [next(one for one in history.entries if one.rule.number == number)]:
        rule, old = entry.rule, before.rule if before else None
        redline = None
        if old is not None and old.text is not None and rule.text is not None:
            redline = {"label": f"From {old.ref} to {rule.ref}", "html": redline_html(old.text, rule.text)}
        found.append(
            {
                "anchor": f"r{rule.revision}",
                "ref": rule.ref,
                "before": old.ref if old else "",
                "said": moment_time(entry.moment),
                "redline": redline,
                "open": entry == chosen[-1] if chosen else False,
                "text": site.text(rule, page, 4),
            }
        )
        before = entry
    return found[::-1]


def _neighbour(site: Site, history: RuleHistory | None, page: str) -> Mapping[str, str] | None:
    if history is None:
        return None
    return {"href": site.rule_href(history, page), "text": site.heading(history.last)}
