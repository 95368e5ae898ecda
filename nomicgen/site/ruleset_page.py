"""The ruleset as a whole: the list of rules, the long and the short format as pages, and the files to download."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from markupsafe import Markup

from nomicgen.archive.history_lines import judgement_credit, judgement_text, rule_judgements
from nomicgen.archive.rule_history import RuleHistory
from nomicgen.formats.ruleset_text import long_md, long_txt, short_md, short_txt
from nomicgen.law.replay_state import Rule
from nomicgen.model import Instrument
from nomicgen.site.further_pages import ListPage, cut_by_size, list_page_links, weight
from nomicgen.site.linked_history import entry_html
from nomicgen.site.metadata import page_metadata
from nomicgen.site.page import Page
from nomicgen.site.player_html import excerpt
from nomicgen.site.render import render_page
from nomicgen.site.rules_page import RULES
from nomicgen.site.shared_pieces import choices, search_text, select, with_choices
from nomicgen.site.site_view import Site
from nomicgen.site.tiers import rules_by_tier

_Entry = Mapping[str, Any]
_Section = tuple[str, str, Sequence[_Entry]]
LONG = "ruleset/long.md"
SHORT = "ruleset/short.md"
_FEW = 60_000
"""Bytes of rules that are gone, of one kind, which stand on the list's own page."""
_HIDDEN = {"Void rules": "void", "Repealed rules": "repealed", "Former numbers": "former"}
"""The groups of what is not in force, and by which state they are filtered."""
_STATES = {"force": "in force", "void": "void", "repealed": "repealed", "former": "a former number"}
# Both engines would take a file that ends in .md for a page.
_FORMATS = {"long": (LONG, long_md, long_txt), "short": (SHORT, short_md, short_txt)}


def ruleset_pages(site: Site) -> Iterator[tuple[str, str]]:
    """The list of rules, both formats, and their files."""
    yield from _index(site)
    for name, (path, markdown, text) in _FORMATS.items():
        yield _format(Page(site, path), name)
        yield f"ruleset/rules-{name[0]}.md.txt", markdown(site.archive)
        yield f"ruleset/rules-{name[0]}.txt", text(site.archive)


def _index(site: Site) -> Iterator[tuple[str, str]]:
    """The list of rules. Of those that are gone, many stand on further pages."""
    page, settings = Page(site, RULES[0]), site.settings
    force = [rule for rule in site.replay.current if not rule.void_on(site.today)]
    void = [rule for rule in site.replay.current if rule.void_on(site.today)]
    histories = sorted(site.histories.rules.values(), key=lambda one: (one.last.number, one.identity))
    former = [
        (entry.rule, number)
        for one in histories
        if one.current
        for number in one.numbers
        if number != one.last.number
        for entry in [next(entry for entry in reversed(one.entries) if entry.rule.number == number)]
    ]
    groups: dict[str, Sequence[tuple[Rule, int | None]]] = {
        "Void rules": [(rule, None) for rule in void],
        "Repealed rules": [(one.last, None) for one in histories if one.current is None],
        "Former numbers": sorted(former, key=lambda pair: pair[1] or 0),
    }
    hidden, further = [], []
    for name, rules in groups.items():
        entries = _entries(page, name, rules)
        if rules and weight(entries) <= _FEW:
            hidden.append((name, entries))
        elif rules:
            stem = f"rules/list_{name.partition(' ')[0].lower()}"
            further += [
                (
                    ListPage(page=f"{stem}_{at}.md", first=first, last=last),
                    f"{name} {entries[first]['number']}–{entries[last - 1]['number']}",
                    name,
                )
                for at, (first, last) in enumerate(cut_by_size([weight(one) for one in entries]), 1)
            ]
    leaves, names = [leaf for leaf, _, _ in further], [words for _, words, _ in further]
    for leaf, words, name in further:
        here = Page(site, leaf.page)
        yield render_page(
            here,
            "rules.html",
            kind="rules",
            shows=("rules/",),
            title=words,
            crumbs=(RULES,),
            here=words,
            tiers=(),
            hidden=((name, _entries(here, name, groups[name][leaf.first : leaf.last])),),
            leaves=list_page_links(here, leaves, names),
        )
    tiers = [
        (tier, len(rules), list(_sections(page, rules)))
        for tier, rules in rules_by_tier(settings, force).items()
        if rules
    ]
    yield render_page(
        page,
        "rules.html",
        kind="rules",
        meta=page_metadata(page),
        shows=("rules/",),
        title="Ruleset",
        description=f"The rules of {settings.name} in force",
        lead=_lead(len(force), len(void)),
        selects=_selects(tiers, [_HIDDEN[name] for name, rules in groups.items() if rules]),
        tiers=tiers,
        hidden=hidden,
        leaves=list_page_links(page, leaves, names),
    )


def _lead(force: int, void: int) -> str:
    more = f", and {void} that {'is' if void == 1 else 'are'} void" if void else ""
    return f"{force} {'rule is' if force == 1 else 'rules are'} in force{more}."


def _sections(page: Page, rules: Sequence[Rule]) -> Iterator[_Section]:
    """The rules by section: those of no section first, then in the order of the settings, then as they come."""
    order = page.settings.sections
    for name in dict.fromkeys((None, *order, *(rule.section for rule in rules))):
        members = [_entry(page, rule) for rule in rules if rule.section == name]
        if members:
            yield name or "", order.get(name, "") if name else "", members


def _selects(
    tiers: Sequence[tuple[str, int, Sequence[_Section]]], states: Sequence[str]
) -> Sequence[Mapping[str, Any]]:
    """What rules can be chosen by; a select with a single choice would be none."""
    names = dict.fromkeys(name for _, _, sections in tiers for name, _, _ in sections if name)
    return with_choices(
        (
            select("tier", "Tier", ((tier, tier) for tier, _, _ in tiers)),
            select("section", "Section", ((name, name) for name in names)),
            select("state", "State", ((state, _STATES[state]) for state in ("force", *states))),
        )
    )


def _entries(page: Page, group: str, rules: Sequence[tuple[Rule, int | None]]) -> Sequence[_Entry]:
    return [_entry(page, rule, _HIDDEN[group], number) for rule, number in rules]


def _entry(page: Page, rule: Rule, state: str = "force", number: int | None = None) -> _Entry:
    """An entry of the list: a rule as it is or was last, or, with `number`, as it was under a former number."""
    history = page.histories.rules[rule.identity]
    now = Markup('now <a class="n-ref" href="{}">Rule {}</a>').format(page.rule_href(history), history.last.number)
    return {
        "href": page.rule_href(history, number),
        "ref": rule.ref,
        "number": rule.number,
        "revision": rule.revision,
        "title": rule.title,
        "excerpt": page.site.summary(rule),
        "note": now if number else "",
        "since": entry_html(page, history.entries[-1]),
        "search": search_text(rule.ref, rule.title, rule.section, page.site.summary(rule, 600)),
        "data": {"tier": choices(rule.tier), "section": choices(rule.section), "state": state},
    }


def _format(page: Page, name: str) -> tuple[str, str]:
    changes = [step for step in page.replay.steps if step.outcome == "applied" and step.changes]
    return render_page(
        page,
        "ruleset.html",
        kind="whole",
        shows=("rules/",),
        title=f"Ruleset, {name} format",
        description=f"The whole ruleset of {page.settings.name} in {name} format",
        crumbs=(RULES,),
        here=f"{name.capitalize()} format",
        format=name,
        last_change=changes[-1] if changes else None,
        rules=[(rule, page.histories.rules[rule.identity]) for rule in page.replay.current],
        judgements_on=partial(_judgements, page),
    )


def _judgements(page: Page, history: RuleHistory) -> Iterator[tuple[Instrument, str]]:
    for one in rule_judgements(page.site.archive, history):
        yield one, f"{excerpt(judgement_text(one), 400)}{judgement_credit(one, page.site.names)}"
