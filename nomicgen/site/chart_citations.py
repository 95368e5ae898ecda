"""The citations around one rule: who relies on it, and what it relies on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from nomicgen.archive.references import references
from nomicgen.archive.rule_history import RuleHistory
from nomicgen.law.replay_state import Rule
from nomicgen.site import svg
from nomicgen.site.chart_frame import Table, drawing, figure
from nomicgen.site.site_view import Site
from nomicgen.site.svg import WIDTH, Scale, element

_MOST = 12
_ROW = 40
_BOX = 34
_HEAD = 20
# Where the boxes of the two sides and of the middle begin, and how wide they are, as shares of the whole.
_LEFT, _MIDDLE, _RIGHT = (0.0, 0.34), (0.42, 0.16), (0.66, 0.34)


def citations(site: Site, history: RuleHistory, page: str) -> Markup | None:
    """The rules in force that cite a rule, and those that it cites. None without any, and for a rule that is gone."""
    rule = history.current
    if rule is None:
        return None
    current = site.archive.replay.current
    citing = [one for number in site.cited_by.get(rule.number, ()) if (one := current.get(number))]
    cited = _cited(site, rule)
    if not citing and not cited:
        return None
    title = f"Citations around Rule {rule.number}"
    said = f"{_sentence('Cited by', citing)} {_sentence('Cites', cited)}"
    desc = f"Rule {rule.number} in the middle. {said}"
    rows = max(_rows(citing), _rows(cited), 1)
    height = _HEAD + rows * _ROW
    middle = _HEAD + rows * _ROW / 2
    lines = [*_curves(_rows(citing), rows, left=True), *_curves(_rows(cited), rows, left=False)]
    drawn = [
        _word("Cited by" if citing else "Cited by no rule", _LEFT),
        _word("Cites" if cited else "Cites no rule", _RIGHT),
        svg.stretched(height, *lines),
        *_boxes(site, citing, rows, _LEFT, page),
        *_boxes(site, cited, rows, _RIGHT, page),
        _own(rule, middle),
    ]
    chart = drawing("citations", title, desc, *drawn, height=height, links=True)
    return figure("citations", title, _shortly(citing, cited), chart, _table(site, citing, cited, page))


def _cited(site: Site, rule: Rule) -> list[Rule]:
    """The rules in force that a rule cites, by number, without itself."""
    found: dict[int, Rule] = {}
    for reference in references(rule.text or ""):
        if reference.kind == "rule":
            for number in reference.numbers[:1000]:
                one = site.archive.replay.current.named(number)
                if one is not None and one.identity != rule.identity:
                    found[one.number] = one
    return [found[number] for number in sorted(found)]


def _sentence(words: str, rules: Sequence[Rule]) -> str:
    if not rules:
        return f"{words} none."
    names = [f"{one.number}{f' ({svg.isolated(one.title, 40)})' if one.title else ''}" for one in rules[:_MOST]]
    more = f" and {len(rules) - _MOST} more" if len(rules) > _MOST else ""
    return f"{words} {len(rules)}: {', '.join(names)}{more}."


def _shortly(citing: Sequence[Rule], cited: Sequence[Rule]) -> str:
    def count(rules: Sequence[Rule]) -> str:
        return "no rule" if not rules else "1 rule" if len(rules) == 1 else f"{len(rules)} rules"

    return f"Cited by {count(citing)}; cites {count(cited)}."


def _rows(rules: Sequence[Rule]) -> int:
    """How many boxes stand for them; the last may stand for all the rest."""
    return min(len(rules), _MOST + 1)


def _places(count: int, rows: int) -> Iterator[float]:
    """The middles of so many boxes, as one block half-way down."""
    for index in range(count):
        yield _HEAD + (rows - count) * _ROW / 2 + (index + 0.5) * _ROW


def _curves(count: int, rows: int, *, left: bool) -> Iterator[Markup]:
    """A line from each box to the middle, with a point where it arrives: that is what is cited."""
    start, end = (_LEFT[1], _MIDDLE[0]) if left else (sum(_MIDDLE), _RIGHT[0])
    across = Scale(0, 1, start * WIDTH, end * WIDTH)
    middle = _HEAD + rows * _ROW / 2
    for y in _places(count, rows):
        y1, y2 = (y, middle) if left else (middle, y)
        points = (across(0), y1, across(0.5), y1, across(0.5), y2, across(1), y2)
        x0, b0, x1, b1, x2, b2, x3, b3 = map(svg.number, points)
        yield element("path", d=f"M{x0} {b0}C{x1} {b1} {x2} {b2} {x3} {b3}", class_="n-cite")


def _word(text: str, place: tuple[float, float]) -> Markup:
    return element("text", text, x=svg.percent(place[0]), y=12, class_="n-tick")


def _boxes(site: Site, rules: Sequence[Rule], rows: int, place: tuple[float, float], page: str) -> Iterator[Markup]:
    x, width = svg.percent(place[0]), svg.percent(place[1])
    for one, y in zip([*rules[:_MOST], None], _places(_rows(rules), rows), strict=False):
        top = y - _BOX / 2
        if one is None:
            text = element("text", f"+ {len(rules) - _MOST} more", x=9, y=21, class_="n-tick")
            yield element("svg", text, x=x, y=top, width=width, height=_BOX)
            continue
        href = site.rule_href(site.archive.histories.rules[one.identity], page)
        box = element("rect", y="0.5", width="100%", height=_BOX - 1, class_="n-box")
        words = [element("text", str(one.number), x=9, y=15, class_="n-value")]
        if one.title:
            # Which of the two is shown is the stylesheet's decision: it knows how wide the picture is.
            words.append(element("text", svg.cut(one.title, 30), x=9, y=28, class_="n-name-long"))
            words.append(element("text", svg.cut(one.title, 14), x=9, y=28, class_="n-name-short"))
        name = f"Rule {one.number}{f', {svg.isolated(one.title, 60)}' if one.title else ''}"
        # The words are cut off where the box ends; the line around it is not.
        inner = element("svg", *words, width="97%", height=_BOX)
        link = element("a", box, inner, href=href, aria_label=name)
        yield element("svg", link, x=x, y=top, width=width, height=_BOX, overflow="visible")


def _own(rule: Rule, middle: float) -> Markup:
    x, width = map(svg.percent, _MIDDLE)
    box = element("rect", width="100%", height=_BOX, class_="n-box n-box--own")
    text = element("text", str(rule.number), x="50%", y=_BOX / 2 + 5, class_="n-own")
    return element("svg", box, text, x=x, y=middle - _BOX / 2, width=width, height=_BOX)


def _table(site: Site, citing: Sequence[Rule], cited: Sequence[Rule], page: str) -> Table:
    """Every rule on either side, without a bound."""
    sides = {one.number: one for one in (*citing, *cited)}
    yes = {True: "yes", False: "—"}
    by, to = {one.number for one in citing}, {one.number for one in cited}
    rows = []
    for number, one in sorted(sides.items()):
        href = site.rule_href(site.archive.histories.rules[one.identity], page)
        link = Markup('<a class="n-ref" href="{}">{}</a>').format(href, site.heading(one))
        rows.append((link, yes[number in by], yes[number in to]))
    return Table(head=("Rule", "cites it", "is cited by it"), rows=rows, words=frozenset({1, 2}), called="As a table")
