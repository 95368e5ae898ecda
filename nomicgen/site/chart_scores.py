"""The scores of all players through the game, and how many points win."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from markupsafe import Markup
from msgspec.structs import replace

from nomicgen.archive.standings import Score, Standings
from nomicgen.formats.scores_text import amount
from nomicgen.identifiers import PlayerId
from nomicgen.law.replay_state import ScoreLine
from nomicgen.model import Moment
from nomicgen.site import svg
from nomicgen.site.chart_frame import HEIGHT, TOP, Axis, Label, Table, axis_of, count_axis, placed
from nomicgen.site.page import Page
from nomicgen.site.render import render_chart
from nomicgen.site.site_view import Site
from nomicgen.site.svg import WIDTH, Scale

_NAMED = 8
_STEPS = 1000


def scores(page: Page, player: PlayerId | None = None) -> Markup | None:
    """The score of each player through the game, or of one alone. None where no point was given."""
    standings = page.site.standings
    if player is not None:
        own = standings.of(player)
        standings = replace(standings, scores=(own,) if own else ())
    awards = page.replay.awards
    if not any(one.lines for one in standings.scores):
        return None
    axis = axis_of(page.site, [line.moment for line in awards]) or count_axis(len(awards))
    index = {id(line): place for place, line in enumerate(awards, 1)}
    paths = {one.player: _course(one, axis, index) for one in standings.scores}
    title = "Scores" if player is None else f"The score of {svg.shortened(page.site.name(player), 40)}"
    best = standings.scores[:_NAMED]
    told = "; ".join(f"{svg.bidi_isolated(page.site.name(one.player), 24)} {amount(one.total)}" for one in best)
    others = len(standings.scores) - len(best)
    whose = "each player" if player is None else "one player"
    desc = f"A chart of the points of {whose} from {axis.first} to {axis.last}. At the end: {told}"
    desc += f"; and {others} more in the table." if others else "."
    desc += f" {amount(standings.goal[0])} points win." if standings.goal else ""
    note = "" if axis.dated else "The archive has few dates: every award takes the same room, one after the other."
    return render_chart(
        page,
        "scores",
        _scores_table(page, standings),
        title=title,
        desc=desc,
        note=note,
        standings=standings if player is None else None,
        axis=axis,
        **_drawing(page.site, standings, paths, axis),
    )


def _course(score: Score, axis: Axis, index: Mapping[int, int]) -> list[tuple[float, Fraction]]:
    """What a player had, and from where on the axis on."""
    found, total, before = [(0.0, Fraction(0))], Fraction(0), 0.0
    for line in score.lines:
        total += line.amount
        before = axis.share(line.moment, index[id(line)], before)
        found.append((before, total))
    return found


_Paths = Mapping[PlayerId, Sequence[tuple[float, Fraction]]]


def _drawing(site: Site, standings: Standings, paths: _Paths, axis: Axis) -> dict[str, Any]:
    heights = [float(total) for path in paths.values() for _, total in path]
    # A goal that is far off would press the lines flat: the sentence below the headline has it.
    goals = [one for one, _ in [standings.goal] if one <= 3 * max(heights)] if standings.goal else []
    ticks = svg.round_ticks(min(heights), max([*heights, *map(float, goals)]))
    levels = Scale(ticks[0], ticks[-1], HEIGHT, TOP)
    lines, named = list[tuple[str, str]](), list[Label]()
    # The lines in the background share so many steps, however many they are.
    coarse = max(4, len(standings.scores) * WIDTH // _STEPS)
    for place, one in reversed(tuple(enumerate(standings.scores))):
        kind = f"n-series-{place + 1}" if place < _NAMED else "n-series-0"
        steps = ((x * WIDTH, levels(float(y))) for x, y in paths[one.player])
        points = svg.without_small_steps(steps, 2 if place < _NAMED else coarse)
        lines.append((kind, svg.step_line(points, WIDTH)))
        if place < _NAMED:
            name = svg.shortened(site.name(one.player), 13)
            named.append(Label(y=levels(float(one.total)), strong=amount(one.total), text=name, dot=kind))
    return {
        "ticks": ticks,
        "levels": levels,
        "goal": next(((levels(float(goal)), amount(goal)) for goal in goals), None),
        "lines": lines,
        "won": list(_won(standings, paths, axis, levels)),
        "named": placed(named),
    }


def _won(standings: Standings, paths: _Paths, axis: Axis, levels: Scale) -> Iterator[tuple[str, float]]:
    """Where somebody won."""
    winner = standings.winner
    if winner is None or winner.moment is None or not axis.dated:
        return
    share = axis.share(winner.moment, 0)
    for player in winner.players:
        reached = [total for at, total in paths.get(player, ()) if at <= share]
        if reached:
            yield svg.percent(share), levels(float(reached[-1]))


def _scores_table(page: Page, standings: Standings) -> Table:
    rows = []
    for one in standings.scores:
        sums, total = [Fraction(0)], Fraction(0)
        for line in one.lines:
            total += line.amount
            sums.append(total)
        last = _last_moment(one.lines)
        rows.append(
            (
                page.who(one.player),
                amount(one.total),
                amount(min(sums)),
                amount(max(sums)),
                page.when(last) if last else "—",
            )
        )
    return Table(head=("Player", "points", "lowest", "highest", "last change"), rows=rows, words=frozenset({4}))


def _last_moment(lines: Sequence[ScoreLine]) -> Moment | None:
    return max((line.moment for line in lines if line.moment is not None), default=None)
