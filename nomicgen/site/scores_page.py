"""The page of scores: who has how many points, where each came from, and whose turn it was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from markupsafe import Markup

from nomicgen.archive.activity import player_status
from nomicgen.archive.standings import Score
from nomicgen.formats.scores_text import amount, signed
from nomicgen.law.replay_state import ScoreLine, Winner
from nomicgen.model import Moment, Turn
from nomicgen.site.addresses import SCORES
from nomicgen.site.charts import scores as scores_picture
from nomicgen.site.correction_lines import corrected
from nomicgen.site.render import render_page
from nomicgen.site.shared_pieces import (
    choices,
    instrument_link,
    joined,
    people,
    rule_link,
    said_of_standing,
    score_view,
    search_text,
    select,
    turn_link,
    useful,
)
from nomicgen.site.site_view import Site


def score_pages(site: Site) -> Iterator[tuple[str, str]]:
    """The one page of scores and turns."""
    page = SCORES
    awards = site.archive.replay.awards
    turns = sorted(site.archive.records.turns.values(), key=lambda one: one.order, reverse=True)
    since = _last_turn(site)
    yield (
        page,
        render_page(
            site,
            "scores.html",
            page,
            kind="scores",
            shows=("players/", "turns/", *dict.fromkeys(one.span.file for one in site.archive.replay.awards)),
            title="Scores",
            description=f"Who has how many points in {site.archive.records.settings.name}",
            lead=_lead(site, page),
            standings=standing_rows(site, page),
            since=turn_link(site, since.ident, page) if since and awards else "",
            picture=scores_picture(site, page) if awards else None,
            rows=score_rows(site, awards, page),
            award_selects=_award_selects(site, awards),
            turns=turn_rows(site, turns, page),
            turn_selects=useful([people(site, "player", "Player", (one.matter.player for one in turns))]),
        ),
    )


def _lead(site: Site, page: str) -> Markup:
    said = []
    winner, goal = site.archive.replay.winner, site.standings.goal
    if winner is not None:
        said.append(winner_words(site, winner, page))
    if goal is not None:
        points, rule = goal
        still = "still " if winner is not None else ""
        said.append(
            Markup("{} points {}win ({}).").format(amount(points), still, rule_link(site, rule, page, site.today))
        )
    if not site.archive.replay.awards:
        said.append(Markup("No points have been given yet."))
    return joined(said, " ")


def winner_words(site: Site, winner: Winner, page: str) -> Markup:
    """Who has won, when, with how many points, and by which rule."""
    names = [site.who(ident, page) for ident in winner.players]
    who = joined([joined(names[:-1]), names[-1]], " and ") if len(names) > 1 else names[0]
    when = Markup(" on {}").format(site.when(winner.moment, page)) if winner.moment is not None else ""
    rule = rule_link(site, winner.rule, page, winner.moment)
    return Markup("{} won{}, with {} points or more ({}).").format(who, when, amount(winner.points), rule)


def is_over(site: Site) -> bool:
    """Whether the game was won, and nobody has begun a turn or put a proposal to the vote since."""
    winner, records = site.archive.replay.winner, site.archive.records
    if winner is None:
        return False
    begun = [one.matter.began for one in records.turns.values()]
    put = [one.matter.opened for one in records.of_kind("proposal")]
    return not any(one is not None and winner.moment and winner.moment.day < one.day for one in (*begun, *put))


def victory_view(site: Site, page: str) -> Mapping[str, Any] | None:
    """That the game was won, and what its rules say of what follows; None while it is not."""
    winner = site.archive.replay.winner
    if winner is None:
        return None
    rule = site.archive.replay.current.named(winner.rule)
    after = "Nobody has begun a turn or opened a vote since." if is_over(site) else "Play has gone on since."
    return {
        "said": winner_words(site, winner, page),
        "over": is_over(site),
        "after": after,
        "rule": rule_link(site, winner.rule, page),
        "words": site.summary(rule, 600) if rule is not None else "",
        "scores": site.addresses.href(SCORES, page),
    }


def rank_of(site: Site, ident: str) -> int | None:
    """The place of a player among those who play; equal scores share one. None for who does not play."""
    present = ranked(site)
    own = next((one for one in present if one.player == ident), None)
    return None if own is None else 1 + sum(one.total > own.total for one in present)


def ranked(site: Site) -> Sequence[Score]:
    """The scores of the persons who play, the highest first: nobody else has a place."""
    players = site.archive.records.players
    return [one for one in site.standings.scores if one.plays and players[one.player].matter.kind == "person"]


def standing_rows(site: Site, page: str, most: int | None = None) -> Sequence[Mapping[str, Any]]:
    """The scores, the highest first, with what each player got since the last turn began."""
    since = _last_turn(site)
    began = since.matter.began if since else None
    players = site.archive.records.players
    scores = site.standings.scores if most is None else ranked(site)[:most]
    return [
        {
            "rank": rank_of(site, one.player),
            "who": site.who(one.player, page),
            "total": amount(one.total),
            "change": _sum([line for line in one.lines if _is_since(line, began)]),
            "state": said_of_standing(player_status(players[one.player], site.today))
            if one.player in players
            else "no player",
        }
        for one in scores
    ]


def _last_turn(site: Site) -> Turn | None:
    """The turn that began last, as far as it is known when turns began."""
    begun = [one for one in site.archive.records.turns.values() if one.matter.began is not None]
    return max(begun, key=lambda one: one.order, default=None)


def _is_since(line: ScoreLine, began: Moment | None) -> bool:
    return began is not None and line.moment is not None and not line.moment.precedes(began)


def _sum(lines: Sequence[ScoreLine]) -> str:
    """The sum of some lines, with its sign; '' where there are none."""
    total = sum((line.amount for line in lines), Fraction(0))
    return (signed(total) if total else "±0") if lines else ""


def score_rows(site: Site, lines: Sequence[ScoreLine], page: str) -> Sequence[Mapping[str, Any]]:
    """Lines of scores, the newest first, each with what its player had after it."""
    totals: dict[str, Fraction] = {}
    rows = []
    for line in lines:
        totals[line.player] = totals.get(line.player, Fraction(0)) + line.amount
        view = score_view(site, line, page)
        rule = f"Rule {line.rule}" if line.rule is not None else ""
        rows.append(
            {
                **view,
                "total": amount(totals[line.player]),
                "search": search_text(view["when"], site.name(line.player), line.reason, rule, view["source_name"]),
                "data": {"player": choices(line.player), "rule": choices(line.rule)},
            }
        )
    return rows[::-1]


def _award_selects(site: Site, awards: Sequence[ScoreLine]) -> Sequence[Mapping[str, Any]]:
    rules = sorted({line.rule for line in awards if line.rule is not None})
    numbered = select("rule", "Rule", ((one, f"Rule {one}") for one in rules))
    return useful([people(site, "player", "Player", (line.player for line in awards)), numbered])


def turn_rows(site: Site, turns: Sequence[Turn], page: str) -> Sequence[Mapping[str, Any]]:
    """Turns: whose, from when till when, what was proposed in each, and the points that it gave."""
    return [
        {
            "ident": one.ident,
            "link": turn_link(site, one.ident, page),
            "who": site.who(one.matter.player, page),
            "began": site.when(one.matter.began, page) if one.matter.began else "",
            "ended": site.when(one.matter.ended, page) if one.matter.ended else "",
            "how": _how(one, site.status.turn),
            "dice": ", ".join(map(str, one.matter.dice)),
            "proposals": joined(instrument_link(site, each, page) for each in site.proposals_of.get(one.ident, ())),
            "points": _sum(site.awards_of.get(f"turns/{one.ident}.yml", ())),
            "note": one.matter.note or "",
            "corrected": tuple(corrected(site, f"turns/{one.ident}.yml", page)),
            "search": search_text(one.ident, site.name(one.matter.player)),
            "data": {"player": choices(one.matter.player)},
        }
        for one in turns
    ]


def _how(turn: Turn, last: Turn | None) -> str:
    if turn.matter.passed:
        return "passed"
    return "being played" if turn.matter.ended is None and last is not None and last.ident == turn.ident else ""
