"""How the ruleset grew: the rules in force by tier, the caps that the law sets them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from nomicgen.archive.history_lines import shown_date
from nomicgen.law.precedence import Laws
from nomicgen.law.replay_state import Ruleset, Step
from nomicgen.model import Moment
from nomicgen.site import svg
from nomicgen.site.chart_frame import HEIGHT, TOP, Axis, Label, Table, axis_of, count_axis, counted_words, placed
from nomicgen.site.page import Page
from nomicgen.site.render import render_chart
from nomicgen.site.site_view import Site
from nomicgen.site.svg import WIDTH, Scale
from nomicgen.site.tiers import folded, grouped

_ROWS = 40
_LOOKS = 6
_FINE = 300


class _Stage(Struct, frozen=True, kw_only=True):
    """The ruleset after a change: its rules by tier, or group of tiers, how many each may have, where on the axis."""

    moment: Moment | None
    sizes: Mapping[str, int]
    caps: Mapping[str, int]
    share: float


def growth(page: Page) -> Markup | None:
    """The number of rules in each tier through the game. None where there never was a rule, or no change of any."""
    replay, settings = page.replay, page.settings
    states = list(replay.states())
    ever = dict.fromkeys(tier for _, ruleset in states for tier, count in ruleset.sizes.items() if count)
    if not ever or len(states) == 1:
        return None
    since = settings.lost.rules
    axis = axis_of(page.site, [step.dated for step, _ in states if step], since) or count_axis(len(states) - 1)
    if not axis.dated:
        since = None
    stages, groups = _stages(page.site, _from(states, since), ever, axis, since)
    tiers = list(groups)
    first, last = stages[0].sizes, stages[-1].sizes
    counts = [sum(one.sizes.values()) for one in stages]
    begins = "the beginning" if since is None else shown_date(since)
    desc = (
        f"A chart of the number of rules in each tier. It begins with {_rules(counts[0])} "
        f"({counted_words(first)}) at {axis.first} and ends with {_rules(counts[-1])} ({counted_words(last)}) "
        f"at {axis.last}. The most at one time: {max(counts)}."
    )
    said_now = f"{_rules(counts[0])} {'at' if since is None else 'on'} {begins}, {_rules(counts[-1])} now"
    said_now += f"; never more than {max(counts)}{' since' if since else ''}." if max(counts) > counts[-1] else "."
    note = "Each mark below the base is a change of the law."
    if since is not None:
        note += f" Rules that were repealed before {begins} are not in this archive: the chart begins there."
    if not axis.dated:
        note = "The archive has few dates: every change takes the same room, one after the other."
    title = "Growth of the ruleset"
    return render_chart(
        page,
        "growth",
        _growth_table(page, stages, tiers, axis),
        title=title,
        desc=desc,
        said=said_now,
        note=note,
        axis=axis,
        **_drawing(stages, tiers),
    )


_State = tuple[Step | None, Ruleset]


def _from(states: Sequence[_State], since: Moment | None) -> Sequence[_State]:
    """The state as it was when `since` began, and those after it."""
    if since is None:
        return states
    later = (at for at, (step, _) in enumerate(states) if step and step.dated and not step.dated.precedes(since))
    return states[max(0, next(later, len(states)) - 1) :]


def _stages(
    site: Site, states: Sequence[_State], ever: Iterable[str], axis: Axis, since: Moment | None
) -> tuple[Sequence[_Stage], Mapping[str, Sequence[str]]]:
    """The ruleset after each change, by groups of tiers; the tiers of each group."""
    settings = site.settings
    most = {tier: max(ruleset.count(tier) for _, ruleset in states) for tier in ever}
    known = [*settings.tiers, *sorted(set(most) - set(settings.tiers))]
    groups = folded(grouped(settings, (tier for tier in known if most.get(tier))), most, _LOOKS)
    laws, stages, before = Laws(settings), list[_Stage](), 0.0
    for index, (step, ruleset) in enumerate(states):
        moment = step.dated if step else settings.started
        law = laws.of(ruleset, step.effective if step else moment)
        caps = {name: law.says("cap", tiers[0]) for name, tiers in groups.items() if len(tiers) == 1}
        if since is not None and not index:
            moment = since
        before = axis.share(moment, index, before)
        stages.append(
            _Stage(
                moment=moment,
                sizes={name: sum(map(ruleset.count, tiers)) for name, tiers in groups.items()},
                caps={name: cap.value for name, cap in caps.items() if cap},
                share=before,
            )
        )
    return stages, groups


def _rules(count: int) -> str:
    return "1 rule" if count == 1 else f"{count} rules"


def _drawing(stages: Sequence[_Stage], tiers: Sequence[str]) -> dict[str, Any]:
    """The most entrenched tier lies at the bottom, as what the others stand on."""
    most = max(sum(one.sizes.values()) for one in stages)
    ceilings = {tier: _ceiling(stages, tiers, tier) for tier in tiers}
    # A cap far above all that ever stood would press the picture flat: the words have it.
    near = {tier: line for tier, line in ceilings.items() if line and max(y for _, y in line) <= max(most * 1.5, 8)}
    ticks = svg.round_ticks(0, max([most, *(y for line in near.values() for _, y in line)]))
    levels = Scale(0, ticks[-1], HEIGHT, TOP)
    # What lies closer than a pixel cannot be told apart; many steps are drawn coarser: the page stays small.
    grain = 1 if len(stages) <= _FINE else 2
    areas, named, sums = list[tuple[int, str]](), list[Label](), [0] * len(stages)
    for index, tier in enumerate(tiers):
        below = sums[-1]
        sums = [total + one.sizes[tier] for total, one in zip(sums, stages, strict=True)]
        steps = ((one.share * WIDTH, levels(total)) for one, total in zip(stages, sums, strict=True))
        line = svg.without_small_steps(steps, grain)
        areas.append((min(index, _LOOKS - 1) + 1, svg.step_area(line, WIDTH, levels(0))))
        if stages[-1].sizes[tier]:
            middle = levels((below + sums[-1]) / 2)
            named.append(Label(y=middle, strong=str(stages[-1].sizes[tier]), text=svg.shortened(tier, 13)))
    lines, bounds = list[str](), list[tuple[float, str]]()
    for tier, course in near.items():
        points = svg.without_small_steps(((x * WIDTH, levels(y)) for x, y in course), grain)
        lines.append(svg.step_line(points, WIDTH))
        cap = stages[-1].caps.get(tier)
        if cap is not None:
            bounds.append(
                (_clear(points), f"at most {cap} {svg.shortened(tier, 16)} {'rule' if cap == 1 else 'rules'}")
            )
    marks = dict.fromkeys(round(one.share * WIDTH / grain) * grain for one in stages[1:])
    return {
        "ticks": ticks,
        "levels": levels,
        "areas": areas,
        "named": placed(named),
        "ceilings": lines,
        "bounds": bounds,
        "marks": "".join(f"M{x} {HEIGHT + 2}v6" for x in marks),
    }


def _clear(points: Sequence[tuple[float, float]]) -> float:
    """The highest place of a line where the words above its right end stand."""
    under = [y for (_, y), (after, _) in zip(points, [*points[1:], (WIDTH, 0)], strict=True) if after > WIDTH * 0.4]
    return min(under)


def _ceiling(stages: Sequence[_Stage], tiers: Sequence[str], tier: str) -> list[tuple[float, float]]:
    """How high the top of a tier's area may reach: what lies below it, and the cap of the law of the time."""
    below = tiers[: tiers.index(tier)]
    capped = [one for one in stages if tier in one.caps]
    return [(one.share, sum(one.sizes[name] for name in below) + one.caps[tier]) for one in capped]


def _growth_table(page: Page, stages: Sequence[_Stage], tiers: Sequence[str], axis: Axis) -> Table:
    """A row for each change of the numbers, or for the last of each month, or year, where that would be too long."""
    kept = [(index, one) for index, one in enumerate(stages) if not index or one.sizes != stages[index - 1].sizes]
    for length in (10, 7, 4, 3, 2):
        last = {str(one.moment)[:length] if one.moment else f"#{index}": (index, one) for index, one in kept}
        if length < 10 and not axis.dated:
            break
        if len(last) <= _ROWS:
            kept = list(last.values())
            break
    if len(kept) > _ROWS:
        step = -(-len(kept) // _ROWS)
        kept = [*kept[:-1:step], kept[-1]]
    rows = [
        (
            page.when(one.moment) if one.moment else f"change {index}" if index else "the beginning",
            *(str(one.sizes[tier]) for tier in tiers),
            str(sum(one.sizes.values())),
        )
        for index, one in kept
    ]
    return Table(head=("After", *tiers, "all"), rows=rows)
