"""How the ruleset grew: the rules in force by tier, after each change of the law."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from nomicgen.history.history_lines import shown_date
from nomicgen.law.replay.results import Ruleset, Step
from nomicgen.model.findings import counted
from nomicgen.model.settings import Settings
from nomicgen.model.values import Moment
from nomicgen.site.charts.frame import BOTTOM, TOP, Axis, ChartTable, axis_of, render_chart
from nomicgen.site.charts.svg import WIDTH, Scale, round_ticks, step_area, without_small_steps
from nomicgen.site.parts.page import Page
from nomicgen.site.parts.tiers import fold_groups, tiers_by_group
from nomicgen.site.texts.short_words import shorten

_ROWS = 40
"""The most rows of the table, about."""
_LOOKS = 6
"""How many areas the stylesheet tells apart."""
_FINE = 300
"""So many changes are drawn to the pixel; if there are more, to two pixels."""

# Tiers by the name of their group; each step and the ruleset after it, first that before any step.
_Groups = Mapping[str, Sequence[str]]
_States = Sequence[tuple[Step | None, Ruleset]]


class _Stage(Struct, frozen=True, kw_only=True):
    """The ruleset after a change: how many rules each group of tiers has, and the place of the
    change on the axis, from 0 to 1.
    """

    moment: Moment | None
    sizes: Mapping[str, int]
    share: float

    @property
    def size(self) -> int:
        """How many rules it has in all."""
        return sum(self.sizes.values())


def growth(page: Page) -> Markup | None:
    """Return the number of rules in each tier through the game.

    None if there never was a rule, or the game's time has no axis (`axis_of`).
    """
    states, settings = list(page.replay.states()), page.settings
    since = settings.lost.rules
    axis = axis_of(page.site, [step.dated for step, _ in states if step], since)
    groups = _groups(settings, states)
    if axis is None or not groups:
        return None
    stages = list(_stages(_since(states, since), groups, axis, since or settings.started))
    begins = "at the beginning" if since is None else f"on {shown_date(since)}"
    most, now = max(stage.size for stage in stages), stages[-1].size
    never_more = f"; never more than {most}{' since' if since else ''}" if most > now else ""
    note = "Each mark below the axis is a change of the law."
    if since is not None:
        note += (
            f" Rules that were repealed before {shown_date(since)} are not in this archive: "
            "the chart begins there."
        )
    return render_chart(
        page,
        "growth",
        _table(page, stages, groups),
        title="Growth of the ruleset",
        said=f"{counted(stages[0].size, 'rule')} {begins}, {counted(now, 'rule')} now{never_more}.",
        note=note,
        axis=axis,
        **_drawing(stages, groups),
    )


def _groups(settings: Settings, states: _States) -> _Groups:
    """Return the tiers that ever had a rule, in groups: the largest, and all others together."""
    ever = {tier for _, ruleset in states for tier in ruleset.sizes}
    sizes = {tier: max(ruleset.count(tier) for _, ruleset in states) for tier in ever}
    tiers = (*settings.tiers, *sorted(ever - set(settings.tiers)))
    return fold_groups(
        tiers_by_group(settings, (tier for tier in tiers if sizes.get(tier))), sizes, _LOOKS
    )


def _since(states: _States, since: Moment | None) -> _States:
    """Return the last state before `since`, and those after it; all without `since`."""
    if since is None:
        return states
    later = (
        at
        for at, (step, _) in enumerate(states)
        if step and step.dated and not step.dated.precedes(since)
    )
    return states[max(0, next(later, len(states)) - 1) :]


def _stages(
    states: _States, groups: _Groups, axis: Axis, begins: Moment | None
) -> Iterator[_Stage]:
    """Yield the ruleset after each change. The first state is drawn at the day `begins`."""
    share = 0.0
    for index, (step, ruleset) in enumerate(states):
        moment = step.dated if step and index else begins
        share = axis.share(moment, share)
        sizes = {name: sum(map(ruleset.count, tiers)) for name, tiers in groups.items()}
        yield _Stage(moment=moment, sizes=sizes, share=share)


def _drawing(stages: Sequence[_Stage], groups: _Groups) -> dict[str, Any]:
    """Return the template's values for the drawing: the areas of the groups lie one on the other,
    the first at the bottom.
    """
    ticks = round_ticks(0, max(stage.size for stage in stages))
    levels = Scale(0, ticks[-1], BOTTOM, TOP)
    # Steps closer than a pixel cannot be told apart. Many steps are drawn coarser, so that the page
    # stays small.
    grain = 1 if len(stages) <= _FINE else 2
    areas, key, totals = list[str](), list[tuple[str, str]](), [0] * len(stages)
    for name in groups:
        totals = [total + stage.sizes[name] for total, stage in zip(totals, stages, strict=True)]
        steps = (
            (stage.share * WIDTH, levels(total))
            for stage, total in zip(stages, totals, strict=True)
        )
        areas.append(step_area(without_small_steps(steps, grain), WIDTH, levels(0)))
        key.append((str(stages[-1].sizes[name]), shorten(name, 22)))
    marks = dict.fromkeys(round(stage.share * WIDTH / grain) * grain for stage in stages[1:])
    return {
        "ticks": ticks,
        "levels": levels,
        "areas": areas,
        "key": key,
        "marks": "".join(f"M{x} {BOTTOM + 2}v6" for x in marks),
    }


def _table(page: Page, stages: Sequence[_Stage], groups: _Groups) -> ChartTable:
    """Return the numbers as a table, with a row for each time that they changed.

    If that makes too many rows, only every second (or third, and so on) is there, and always the
    last.
    """
    changed = [
        stages[0],
        *(after for before, after in pairwise(stages) if after.sizes != before.sizes),
    ]
    shown = changed[:: -(len(changed) // _ROWS + 1)][::-1]
    rows = [
        (
            page.when(stage.moment) if stage.moment else "the beginning",
            *(str(stage.sizes[name]) for name in groups),
            str(stage.size),
        )
        for stage in shown
    ]
    return ChartTable(head=("After", *groups, "all"), rows=rows)
