"""The citations around one rule: who relies on it, and what it relies on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from nomicgen.history.references import references
from nomicgen.history.rule_history import RuleHistory
from nomicgen.law.replay.state import Rule
from nomicgen.model.findings import counted
from nomicgen.site.charts.frame import ChartTable, render_chart
from nomicgen.site.parts.page import Page
from nomicgen.site.site_view import Site

_MOST = 12
_ROW = 40
_HEAD = 20


def citations(page: Page, history: RuleHistory) -> Markup | None:
    """The rules in force that cite a rule, and those that it cites. None without any, and for a rule that is gone."""
    rule, current = history.current, page.replay.current
    if rule is None:
        return None
    citing = [other for number in page.site.cited_by.get(rule.number, ()) if (other := current.get(number))]
    cited = _cited(page.site, rule)
    if not citing and not cited:
        return None
    rows = max(_rows(citing), _rows(cited))
    return render_chart(
        page,
        "citations",
        _table(page, citing, cited),
        title=f"Citations around Rule {rule.number}",
        said=f"Cited by {counted(len(citing), 'rule')}; cites {counted(len(cited), 'rule')}.",
        links=True,
        height=_HEAD + rows * _ROW,
        middle=_HEAD + rows * _ROW / 2,
        rule=rule,
        citing=_side(citing, rows, 0),
        cited=_side(cited, rows, 0.66),
    )


def _cited(site: Site, rule: Rule) -> Sequence[Rule]:
    """The rules in force that a rule cites, by number, without itself."""
    numbers = {
        number
        for reference in references(rule.text or "")
        if reference.kind == "rule"
        for number in reference.numbers[:1000]
    }
    cited = {other.number: other for number in numbers if (other := site.replay.current.named(number)) is not None}
    return [other for _, other in sorted(cited.items()) if other.identity != rule.identity]


def _rows(rules: Sequence[Rule]) -> int:
    """How many boxes stand for them; the last may stand for all the rest."""
    return min(len(rules), _MOST + 1)


def _side(rules: Sequence[Rule], rows: int, x: float) -> dict[str, Any]:
    """The boxes of one side, each with its middle, as one block half-way down; None stands for all the rest."""
    count = _rows(rules)
    places = (_HEAD + (rows - count) * _ROW / 2 + (index + 0.5) * _ROW for index in range(count))
    return {"x": x, "boxes": list(zip([*rules[:_MOST], None], places, strict=False)), "more": len(rules) - _MOST}


def _table(page: Page, citing: Sequence[Rule], cited: Sequence[Rule]) -> ChartTable:
    """Every rule on either side, without a bound."""
    by, to = {rule.number for rule in citing}, {rule.number for rule in cited}
    yes = {True: "yes", False: "—"}
    rows = []
    for number, rule in sorted({rule.number: rule for rule in (*citing, *cited)}.items()):
        href = page.rule_href(page.histories.rules[rule.identity])
        link = Markup('<a class="n-ref" href="{}">{}</a>').format(href, page.site.heading(rule))
        rows.append((link, yes[number in by], yes[number in to]))
    return ChartTable(
        head=("Rule", "cites it", "is cited by it"), rows=rows, words=frozenset({1, 2}), called="As a table"
    )
