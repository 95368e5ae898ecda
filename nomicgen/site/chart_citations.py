"""The citations around one rule: who relies on it, and what it relies on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from nomicgen.archive.references import references
from nomicgen.archive.rule_history import RuleHistory
from nomicgen.law.replay_state import Rule
from nomicgen.site import svg
from nomicgen.site.chart_frame import Table
from nomicgen.site.page import Page
from nomicgen.site.render import render_chart
from nomicgen.site.site_view import Site

_MOST = 12
_ROW = 40
_HEAD = 20


def citations(page: Page, history: RuleHistory) -> Markup | None:
    """The rules in force that cite a rule, and those that it cites. None without any, and for a rule that is gone."""
    rule = history.current
    if rule is None:
        return None
    current = page.replay.current
    citing = [one for number in page.site.cited_by.get(rule.number, ()) if (one := current.get(number))]
    cited = _cited(page.site, rule)
    if not citing and not cited:
        return None
    rows = max(_rows(citing), _rows(cited), 1)
    return render_chart(
        page,
        "citations",
        _table(page, citing, cited),
        title=f"Citations around Rule {rule.number}",
        desc=f"Rule {rule.number} in the middle. {_sentence('Cited by', citing)} {_sentence('Cites', cited)}",
        said=f"Cited by {_counted(citing)}; cites {_counted(cited)}.",
        links=True,
        height=_HEAD + rows * _ROW,
        middle=_HEAD + rows * _ROW / 2,
        rule=rule,
        citing=_side(citing, rows, 0),
        cited=_side(cited, rows, 0.66),
    )


def _cited(site: Site, rule: Rule) -> list[Rule]:
    """The rules in force that a rule cites, by number, without itself."""
    found: dict[int, Rule] = {}
    for reference in references(rule.text or ""):
        if reference.kind == "rule":
            for number in reference.numbers[:1000]:
                one = site.replay.current.named(number)
                if one is not None and one.identity != rule.identity:
                    found[one.number] = one
    return [found[number] for number in sorted(found)]


def _sentence(words: str, rules: Sequence[Rule]) -> str:
    if not rules:
        return f"{words} none."
    names = [f"{one.number}{f' ({svg.bidi_isolated(one.title, 40)})' if one.title else ''}" for one in rules[:_MOST]]
    more = f" and {len(rules) - _MOST} more" if len(rules) > _MOST else ""
    return f"{words} {len(rules)}: {', '.join(names)}{more}."


def _counted(rules: Sequence[Rule]) -> str:
    return "no rule" if not rules else "1 rule" if len(rules) == 1 else f"{len(rules)} rules"


def _rows(rules: Sequence[Rule]) -> int:
    """How many boxes stand for them; the last may stand for all the rest."""
    return min(len(rules), _MOST + 1)


def _side(rules: Sequence[Rule], rows: int, x: float) -> dict[str, Any]:
    """The boxes of one side, each with its middle, as one block half-way down; None stands for all the rest."""
    count = _rows(rules)
    places = (_HEAD + (rows - count) * _ROW / 2 + (index + 0.5) * _ROW for index in range(count))
    return {"x": x, "boxes": list(zip([*rules[:_MOST], None], places, strict=False)), "more": len(rules) - _MOST}


def _table(page: Page, citing: Sequence[Rule], cited: Sequence[Rule]) -> Table:
    """Every rule on either side, without a bound."""
    sides = {one.number: one for one in (*citing, *cited)}
    yes = {True: "yes", False: "—"}
    by, to = {one.number for one in citing}, {one.number for one in cited}
    rows = []
    for number, one in sorted(sides.items()):
        href = page.rule_href(page.histories.rules[one.identity])
        link = Markup('<a class="n-ref" href="{}">{}</a>').format(href, page.site.heading(one))
        rows.append((link, yes[number in by], yes[number in to]))
    return Table(head=("Rule", "cites it", "is cited by it"), rows=rows, words=frozenset({1, 2}), called="As a table")
