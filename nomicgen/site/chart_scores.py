"""The scores of all players through the game, and how many points win."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from markupsafe import Markup
from msgspec.structs import replace

from nomicgen.archive.standings import Score, Standings
from nomicgen.formats.scores_text import amount
from nomicgen.law.replay_state import ScoreLine
from nomicgen.model import Moment
from nomicgen.site import svg
from nomicgen.site.chart_frame import (
    HEIGHT,
    TOP,
    Axis,
    Label,
    Table,
    axis_of,
    bound,
    count_axis,
    drawing,
    figure,
    grid,
    labels,
)
from nomicgen.site.site_view import Site
from nomicgen.site.svg import WIDTH, Scale, element

_NAMED = 8
_STEPS = 1000


def scores(site: Site, page: str, player: str | None = None) -> Markup | None:
    """The score of each player through the game, or of one alone. None where no point was given."""
    standings = site.standings
    if player is not None:
        own = standings.of(player)
        standings = replace(standings, scores=(own,) if own else ())
    awards = site.archive.replay.awards
    if not any(one.lines for one in standings.scores):
        return None
    axis = axis_of(site, [line.moment for line in awards]) or count_axis(len(awards))
    index = {id(line): place for place, line in enumerate(awards, 1)}
    paths = {one.player: _course(one, axis, index) for one in standings.scores}
    title = "Scores" if player is None else f"The score of {svg.cut(site.name(player), 40)}"
    said = _said_of_scores(site, standings, page) if player is None else ""
    best = standings.scores[:_NAMED]
    told = "; ".join(f"{svg.isolated(site.name(one.player), 24)} {amount(one.total)}" for one in best)
    others = len(standings.scores) - len(best)
    whose = "each player" if player is None else "one player"
    desc = f"A chart of the points of {whose} from {axis.first} to {axis.last}. At the end: {told}"
    desc += f"; and {others} more in the table." if others else "."
    desc += f" {amount(standings.goal[0])} points win." if standings.goal else ""
    note = "" if axis.dated else "The archive has few dates: every award takes the same room, one after the other."
    chart = drawing("scores", title, desc, *_lines(site, standings, paths, axis))
    return figure("scores", title, said, chart, _scores_table(site, standings, page), note)


def _course(score: Score, axis: Axis, index: Mapping[int, int]) -> list[tuple[float, Fraction]]:
    """What a player had, and from where on the axis on."""
    found, total, before = [(0.0, Fraction(0))], Fraction(0), 0.0
    for line in score.lines:
        total += line.amount
        before = axis.share(line.moment, index[id(line)], before)
        found.append((before, total))
    return found


def _lines(
    site: Site, standings: Standings, paths: Mapping[str, Sequence[tuple[float, Fraction]]], axis: Axis
) -> Iterator[Markup]:
    heights = [float(total) for path in paths.values() for _, total in path]
    goal = float(standings.goal[0]) if standings.goal else None
    # A goal that is far off would press the lines flat: the sentence below the headline has it.
    goal = goal if goal is not None and goal <= 3 * max(heights) else None
    ticks = svg.nice_ticks(min(heights), max([*heights, *([goal] if goal is not None else [])]))
    levels = Scale(ticks[0], ticks[-1], HEIGHT, TOP)
    drawn, named = list[Markup](), list[Label]()
    # The lines in the background share so many steps, however many they are.
    coarse = max(4, len(standings.scores) * WIDTH // _STEPS)
    for place, one in reversed(tuple(enumerate(standings.scores))):
        kind = f"n-series-{place + 1}" if place < _NAMED else "n-series-0"
        points = svg.thinned(
            ((x * WIDTH, levels(float(y))) for x, y in paths[one.player]), 2 if place < _NAMED else coarse
        )
        drawn.append(element("path", d=svg.step_line(points, WIDTH), class_=f"n-series {kind}"))
        if place < _NAMED:
            name = svg.cut(site.name(one.player), 13)
            named.append(Label(y=levels(float(one.total)), strong=amount(one.total), text=name, dot=kind))
    if goal is not None and standings.goal is not None:
        y = levels(goal)
        yield bound(y, f"{amount(standings.goal[0])} points win")
        drawn.append(element("path", d=f"M0 {svg.number(y)}H{WIDTH}", class_="n-cap"))
    yield from grid(axis, levels, ticks)
    yield svg.stretched(HEIGHT + 6, *drawn)
    yield from _won(standings, paths, axis, levels)
    yield labels(named, HEIGHT)


def _won(
    standings: Standings, paths: Mapping[str, Sequence[tuple[float, Fraction]]], axis: Axis, levels: Scale
) -> Iterator[Markup]:
    """A ring where somebody won."""
    winner = standings.winner
    if winner is None or winner.moment is None or not axis.dated:
        return
    share = axis.share(winner.moment, 0)
    for player in winner.players:
        reached = [total for at, total in paths.get(player, ()) if at <= share]
        if reached:
            x, y = svg.percent(share), levels(float(reached[-1]))
            yield element("circle", cx=x, cy=y, r=5, class_="n-won")
            yield element("text", "won", x=x, dx="-9", y=y + 4, class_="n-bound n-bound--won")


def _said_of_scores(site: Site, standings: Standings, page: str) -> str:
    parts = []
    winner = standings.winner
    if winner is not None:
        who = Markup(" and ").join(site.who(one, page) for one in winner.players)
        on = Markup(" on {}").format(site.when(winner.moment, page)) if winner.moment else ""
        parts.append(Markup("{} won{}.").format(who, on))
    else:
        best = [one for one in standings.scores if one.total == standings.scores[0].total]
        if len(best) <= 3:
            who = Markup(" and ").join(site.who(one.player, page) for one in best)
            leads = "leads" if len(best) == 1 else "lead"
            parts.append(Markup("{} {} with {}.").format(who, leads, amount(best[0].total)))
    if standings.goal is not None:
        history = site.archive.histories.of_number(standings.goal[1])
        rule = f"Rule {standings.goal[1]}"
        link = (
            Markup('<a class="n-ref" href="{}">{}</a>').format(site.rule_href(history, page), rule) if history else rule
        )
        parts.append(Markup("{} points win, by {}.").format(amount(standings.goal[0]), link))
    return Markup(" ").join(parts)


def _scores_table(site: Site, standings: Standings, page: str) -> Table:
    rows = []
    for one in standings.scores:
        sums, total = [Fraction(0)], Fraction(0)
        for line in one.lines:
            total += line.amount
            sums.append(total)
        last = _last_moment(one.lines)
        rows.append(
            (
                site.who(one.player, page),
                amount(one.total),
                amount(min(sums)),
                amount(max(sums)),
                site.when(last, page) if last else "—",
            )
        )
    return Table(head=("Player", "points", "lowest", "highest", "last change"), rows=rows, words=frozenset({4}))


def _last_moment(lines: Sequence[ScoreLine]) -> Moment | None:
    return max((line.moment for line in lines if line.moment is not None), default=None)
