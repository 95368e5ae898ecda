"""The ruleset as a whole: the list of rules, the long and the short format as pages, and the files to download."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from markupsafe import Markup

from nomicgen.archive.history_lines import judgement_credit, judgement_text, rule_judgements
from nomicgen.archive.rule_history import RuleHistory
from nomicgen.formats.ruleset_text import long_md, long_txt, short_md, short_txt
from nomicgen.law.replay_state import Rule
from nomicgen.site.addresses import CARDS, TIME, tier_anchor
from nomicgen.site.further_pages import Leaf, leaf_links, pieces_of, weight
from nomicgen.site.linked_history import entry_html
from nomicgen.site.player_html import excerpt
from nomicgen.site.render import render_page
from nomicgen.site.rules_page import RULES, history_views
from nomicgen.site.shared_pieces import choices, instrument_link, search_text, select, useful
from nomicgen.site.site_view import Site

LONG = "ruleset/long.md"
SHORT = "ruleset/short.md"
_FEW = 60_000
"""Bytes of rules that are gone, of one kind, which stand on the list's own page."""
_STATE = {"void": "void", "repealed": "repealed", "former": "a former number"}
# Both engines would take a file that ends in .md for a page.
_DOWNLOADS = {
    "long": (("ruleset/rules-l.md.txt", "rules-l.md"), ("ruleset/rules-l.txt", "rules-l.txt")),
    "short": (("ruleset/rules-s.md.txt", "rules-s.md"), ("ruleset/rules-s.txt", "rules-s.txt")),
}


def ruleset_pages(site: Site) -> Iterator[tuple[str, str]]:
    """The list of rules, both formats, and their files."""
    yield from _index(site)
    yield LONG, _format(site, LONG, "long", (SHORT, "short format"))
    yield SHORT, _format(site, SHORT, "short", (LONG, "long format"))
    archive = site.archive
    for made, name in ((long_md, "rules-l.md.txt"), (long_txt, "rules-l.txt")):
        yield f"ruleset/{name}", made(archive)
    for made, name in ((short_md, "rules-s.md.txt"), (short_txt, "rules-s.txt")):
        yield f"ruleset/{name}", made(archive)


def _index(site: Site) -> Iterator[tuple[str, str]]:
    """The list of rules. Of those that are gone, many stand on further pages."""
    page = RULES[0]
    settings = site.archive.records.settings
    force = [rule for rule in site.archive.replay.current if not rule.void_on(site.today)]
    void = [rule for rule in site.archive.replay.current if rule.void_on(site.today)]
    histories = sorted(site.archive.histories.rules.values(), key=lambda one: (one.last.number, one.identity))
    gone = [one for one in histories if one.current is None]
    moved = [(number, one) for one in histories if one.current for number in one.numbers if number != one.last.number]
    tiers = [
        {
            "name": tier,
            "anchor": tier_anchor(tier),
            "count": sum(rule.tier == tier for rule in force),
            "sections": _sections(site, [rule for rule in force if rule.tier == tier], settings.sections, page),
        }
        for tier in dict.fromkeys((*settings.tiers, *(rule.tier for rule in force)))
    ]
    moved.sort(key=lambda pair: pair[0])
    groups: dict[str, Sequence[Callable[[str], Mapping[str, Any]]]] = {
        "Void rules": [partial(_entry, site, rule, state="void") for rule in void],
        "Repealed rules": [partial(_entry, site, one.last, state="repealed") for one in gone],
        "Former numbers": [partial(_former, site, number, one) for number, one in moved],
    }
    hidden, leaves = [], []
    for name, makers in groups.items():
        rules = [make(page) for make in makers]
        cuts = pieces_of([weight(one) for one in rules])
        if rules and weight(rules) <= _FEW:
            hidden.append({"name": name, "rules": rules})
        elif rules:
            stem = f"rules/list_{name.partition(' ')[0].lower()}"
            leaves += [
                (
                    Leaf(page=f"{stem}_{at}.md", first=first, last=last),
                    f"{name} {rules[first]['number']}–{rules[last - 1]['number']}",
                    {"name": name, "rules": [make(f"{stem}_{at}.md") for make in makers[first:last]]},
                )
                for at, (first, last) in enumerate(cuts, 1)
            ]
    pages, names = [one for one, _, _ in leaves], [name for _, name, _ in leaves]
    for leaf, name, group in leaves:
        yield (
            leaf.page,
            render_page(
                site,
                "rules.html",
                leaf.page,
                kind="rules",
                shows=("rules/",),
                title=name,
                crumbs=(RULES,),
                here=name,
                tiers=(),
                hidden=(group,),
                leaves=leaf_links(site, pages, names, leaf.page),
            ),
        )
    yield (
        page,
        render_page(
            site,
            "rules.html",
            page,
            kind="rules",
            shows=("rules/",),
            title="Ruleset",
            description=f"The rules of {settings.name} in force",
            lead=_lead(force, void),
            long=site.addresses.href(LONG, page),
            short=site.addresses.href(SHORT, page),
            cards=site.addresses.href(CARDS, page),
            time=site.addresses.href(TIME, page),
            selects=_selects(
                [tier for tier in tiers if tier["count"]], [name for name, rules in groups.items() if rules]
            ),
            tiers=[tier for tier in tiers if tier["count"]],
            hidden=hidden,
            leaves=leaf_links(site, pages, names, page),
        ),
    )


def _lead(force: Sequence[Rule], void: Sequence[Rule]) -> str:
    count = len(force)
    more = f", and {len(void)} that {'is' if len(void) == 1 else 'are'} void" if void else ""
    return f"{count} {'rule is' if count == 1 else 'rules are'} in force{more}."


def _sections(site: Site, rules: Sequence[Rule], order: Mapping[str, str], page: str) -> Sequence[Mapping[str, Any]]:
    """The rules by section: those of no section first, then in the order of the settings, then as they come."""
    found = []
    for name in dict.fromkeys((None, *order, *(rule.section for rule in rules))):
        members = [rule for rule in rules if rule.section == name]
        if members:
            note = order.get(name, "") if name else ""
            found.append({"name": name or "", "note": note, "rules": [_entry(site, one, page) for one in members]})
    return found


def _selects(tiers: Sequence[Mapping[str, Any]], hidden: Sequence[str]) -> Sequence[Mapping[str, Any]]:
    """What rules can be chosen by; a select with a single choice would be none."""
    sections = dict.fromkeys(section["name"] for tier in tiers for section in tier["sections"] if section["name"])
    states = {"Void rules": "void", "Repealed rules": "repealed", "Former numbers": "former"}
    return useful(
        (
            select("tier", "Tier", ((tier["name"], tier["name"]) for tier in tiers)),
            select("section", "Section", ((name, name) for name in sections)),
            select(
                "state", "State", [("force", "in force"), *((states[name], _STATE[states[name]]) for name in hidden)]
            ),
        )
    )


def _entry(site: Site, rule: Rule, page: str, state: str = "force", note: str = "") -> Mapping[str, Any]:
    history = site.archive.histories.rules[rule.identity]
    said = site.summary(rule)
    return {
        "href": site.rule_href(history, page),
        "ref": rule.ref,
        "number": rule.number,
        "revision": rule.revision,
        "title": rule.title,
        "excerpt": said,
        "note": note,
        "since": entry_html(site, history.entries[-1], page),
        "search": search_text(rule.ref, rule.title, rule.section, site.summary(rule, 600)),
        "data": {"tier": choices(rule.tier), "section": choices(rule.section), "state": state},
    }


def _former(site: Site, number: int, history: RuleHistory, page: str) -> Mapping[str, Any]:
    rule = [one.rule for one in history.entries if one.rule.number == number][-1]
    href = site.rule_href(history, page, number)
    now = Markup('now <a class="n-ref" href="{}">Rule {}</a>').format(
        site.rule_href(history, page), history.last.number
    )
    return {**_entry(site, rule, page, "former", now), "href": href}


def _format(site: Site, page: str, kind: str, other: tuple[str, str]) -> str:
    settings = site.archive.records.settings
    rules = [_whole(site, rule, page, kind == "long") for rule in site.archive.replay.current]
    return render_page(
        site,
        "ruleset.html",
        page,
        kind="whole",
        shows=("rules/",),
        title=f"Ruleset, {kind} format",
        description=f"The whole ruleset of {settings.name} in {kind} format",
        crumbs=(RULES,),
        here=f"{kind.capitalize()} format",
        heading=f"{settings.name} ruleset, {kind} format",
        lead=_as_of(site, page),
        downloads=[{"href": site.addresses.href(path, page), "name": name} for path, name in _DOWNLOADS[kind]],
        other={"href": site.addresses.href(other[0], page), "text": other[1]},
        rules=rules,
    )


def _as_of(site: Site, page: str) -> Markup:
    """Since when the law stands as it does."""
    changes = [step for step in site.archive.replay.steps if step.outcome == "applied" and step.changes]
    if not changes:
        return Markup("The law as it stood when the game began.")
    last = changes[-1]
    moment = last.effective or last.dated
    since = Markup(", since {}").format(site.when(moment, page)) if moment else ""
    return Markup("The law as it stands{}, when {} changed it last.").format(
        since, instrument_link(site, last.instrument, page)
    )


def _whole(site: Site, rule: Rule, page: str, long: bool) -> Mapping[str, Any]:
    history = site.archive.histories.rules[rule.identity]
    least = site.archive.records.settings.tiers[-1]
    entries = tuple(enumerate(history.entries))
    return {
        "anchor": f"rule-{rule.number}",
        "href": site.rule_href(history, page),
        "label": rule.ref if long else str(rule.number),
        "tier": "" if rule.tier == least else rule.tier.upper(),
        "title": rule.title or "",
        "text": site.text(rule, page),
        "history": history_views(site, history, entries, page) if long else (),
        "judgements": tuple(_judgements(site, history, page)) if long else (),
    }


def _judgements(site: Site, history: RuleHistory, page: str) -> Iterable[Mapping[str, str]]:
    for one in rule_judgements(site.archive, history):
        said = f"{excerpt(judgement_text(one), 400)}{judgement_credit(one, site.names)}"
        yield {"href": site.instrument_href(one, page), "text": said}
