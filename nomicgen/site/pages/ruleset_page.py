"""The whole ruleset: the list of rules, the ruleset in long and in short format as pages, and both
formats as files to download.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from nomicgen.formats.ruleset_text import long_md, long_txt, short_md, short_txt
from nomicgen.history.history_lines import judgement_credit, judgement_text, rule_judgements
from nomicgen.history.rule_history import RuleHistory
from nomicgen.law.replay.results import Rule
from nomicgen.model.records import Instrument
from nomicgen.site.addresses import RULES
from nomicgen.site.parts.filters import select, with_choices
from nomicgen.site.parts.further_pages import ListPage
from nomicgen.site.parts.metadata import page_metadata
from nomicgen.site.parts.page import Page
from nomicgen.site.parts.tiers import rules_by_tier
from nomicgen.site.render import render_page
from nomicgen.site.site_view import Site
from nomicgen.site.texts.player_html import excerpt

LONG = "ruleset/long.md"
SHORT = "ruleset/short.md"
_FEW = 100
"""The most void rules that the list's own page has; the same for repealed rules, and for former
numbers.
"""
# The words of the filter for each state, and the headings of the rules that are not in force.
_STATES = {"force": "in force", "void": "void", "repealed": "repealed", "former": "a former number"}
_GONE = {"void": "Void rules", "repealed": "Repealed rules", "former": "Former numbers"}
# By the name of a format: its page, and the functions that write it as Markdown and as plain text.
_FORMATS = {"long": (LONG, long_md, long_txt), "short": (SHORT, short_md, short_txt)}


def ruleset_pages(site: Site) -> Iterator[tuple[str, str]]:
    """Yield the list of rules, the page of each format, and the files of each."""
    yield from _index(site)
    for name, (path, markdown, text) in _FORMATS.items():
        yield _format(Page(site, path), name)
        # MkDocs and Zensical would take a file with `.md` at its end for a page.
        yield f"ruleset/rules-{name[0]}.md.txt", markdown(site.game_history)
        yield f"ruleset/rules-{name[0]}.txt", text(site.game_history)


def _index(site: Site) -> Iterator[tuple[str, str]]:
    """Yield the list of rules. If many are void, or repealed, or have former numbers, these stand
    on further pages.
    """
    page, settings = Page(site, RULES[0]), site.settings
    force = [rule for rule in site.replay.current if not rule.void_on(site.today)]
    histories = sorted(
        site.histories.rules.values(), key=lambda history: (history.last.number, history.identity)
    )
    # By each former number of a rule in the ruleset: the rule as it was last under that number.
    former = {
        (entry.rule.number, history.identity): entry.rule
        for history in histories
        for entry in history.entries
        if history.current and entry.rule.number != history.last.number
    }
    gone: Mapping[str, Sequence[Rule]] = {
        "void": [rule for rule in site.replay.current if rule.void_on(site.today)],
        "repealed": [history.last for history in histories if history.current is None],
        "former": [rule for _, rule in sorted(former.items())],
    }
    further, states = [], []
    for state, rules in gone.items():
        if len(rules) <= _FEW:
            continue
        for at in range(0, len(rules), _FEW):
            chunk = rules[at : at + _FEW]
            name = f"{_GONE[state]} {chunk[0].number}–{chunk[-1].number}"
            further.append(
                ListPage(path=f"rules/list_{state}_{at // _FEW + 1}.md", name=name, items=chunk)
            )
            states.append(state)
    for state, list_page in zip(states, further, strict=True):
        yield render_page(
            Page(site, list_page.path),
            "rules.html",
            kind="rules",
            shows=("rules/",),
            title=list_page.name,
            crumbs=(RULES,),
            here=list_page.name,
            tiers=(),
            hidden=((state, _GONE[state], list_page.items),),
            further=further,
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
        lead=_lead(len(force), len(gone["void"])),
        selects=_selects(site, force, [state for state, rules in gone.items() if rules]),
        tiers=tiers,
        hidden=[
            (state, _GONE[state], rules) for state, rules in gone.items() if 0 < len(rules) <= _FEW
        ],
        further=further,
    )


def _lead(force: int, void: int) -> str:
    more = f", and {void} that {'is' if void == 1 else 'are'} void" if void else ""
    return f"{force} {'rule is' if force == 1 else 'rules are'} in force{more}."


def _sections(page: Page, rules: Sequence[Rule]) -> Iterator[tuple[str, str, Sequence[Rule]]]:
    """Yield the name, the description and the rules of each section: first the rules without one,
    then the sections of the settings, then others in the order of their first rules.
    """
    order = page.settings.sections
    for name in dict.fromkeys((None, *order, *(rule.section for rule in rules))):
        members = [rule for rule in rules if rule.section == name]
        if members:
            yield name or "", order.get(name, "") if name else "", members


def _selects(
    site: Site, force: Sequence[Rule], states: Sequence[str]
) -> Sequence[Mapping[str, Any]]:
    tiers = dict.fromkeys(rule.tier for rule in force)
    sections = dict.fromkeys((*site.settings.sections, *(rule.section or "" for rule in force)))
    used = {rule.section for rule in force}
    return with_choices(
        (
            select("tier", "Tier", ((tier, tier) for tier in tiers)),
            select(
                "section",
                "Section",
                ((section, section) for section in sections if section in used),
            ),
            select("state", "State", ((state, _STATES[state]) for state in ("force", *states))),
        )
    )


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
    for judgement in rule_judgements(page.site.game_history, history):
        yield (
            judgement,
            excerpt(judgement_text(judgement), 400) + judgement_credit(judgement, page.site.names),
        )
