"""The page of scores: how many points each player has, what gave them, and the turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nomicgen.law.replay.results import ScoreLine
from nomicgen.model.values import Moment
from nomicgen.site.addresses import SCORES, data_file
from nomicgen.site.charts.scores import scores as scores_picture
from nomicgen.site.parts.filters import player_select, select, with_choices
from nomicgen.site.parts.page import Page
from nomicgen.site.parts.points import score_rows, signed_sum
from nomicgen.site.render import render_page
from nomicgen.site.site_view import Site


def score_pages(site: Site) -> Iterator[tuple[str, str]]:
    """Yield the one page of scores and turns."""
    page, awards = Page(site, SCORES), site.replay.awards
    turns = site.records.turns_in_order[::-1]
    # The last turn of which the beginning is known.
    since = next((turn for turn in turns if turn.matter.began is not None), None)
    began = since.matter.began if since else None
    rules = sorted({line.rule for line in awards if line.rule is not None})
    yield render_page(
        page,
        "scores.html",
        kind="scores",
        meta={"data": data_file("turns.md")},
        shows=("players/", "turns/", *dict.fromkeys(line.span.file for line in awards)),
        title="Scores",
        description=f"Who has how many points in {site.settings.name}",
        since=since if awards else None,
        standings=[
            (score, signed_sum(_after(score.lines, began)) if began else "")
            for score in site.standings.scores
        ],
        picture=scores_picture(page) if awards else None,
        rows=score_rows(awards),
        award_selects=with_choices(
            [
                player_select(site, "player", "Player", (line.player for line in awards)),
                select("rule", "Rule", ((number, f"Rule {number}") for number in rules)),
            ]
        ),
        turns=turns,
        turn_selects=with_choices(
            [player_select(site, "player", "Player", (turn.matter.player for turn in turns))]
        ),
    )


def _after(lines: Sequence[ScoreLine], began: Moment) -> Iterator[ScoreLine]:
    return (line for line in lines if line.moment is not None and not line.moment.precedes(began))
