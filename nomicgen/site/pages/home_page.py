"""The first page: what the game is, what can be done now, and what changed last."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from nomicgen.files.urls import is_web
from nomicgen.history.rule_history import HistoryEntry, RuleHistory
from nomicgen.law.replay.player_spans import is_player
from nomicgen.model.values import Moment
from nomicgen.play.game_status import unguarded_words
from nomicgen.site.addresses import INDEX, JUDGEMENTS, PLAYERS, PROPOSALS, RULES, tier_anchor
from nomicgen.site.data.recent_changes import NEWS, NEWS_SCRIPTS
from nomicgen.site.parts.metadata import page_metadata
from nomicgen.site.parts.page import Page
from nomicgen.site.parts.status_words import knows_only_adopted
from nomicgen.site.parts.task_list import grouped_tasks
from nomicgen.site.parts.tiers import tiers_by_group
from nomicgen.site.render import render_page
from nomicgen.site.site_view import Site

VERIFYING = "https://nomicgen.github.io/nomicgen/guide/reader/verify/"
"""The page of nomicgen's guide that says how to verify a game."""

# How many of the last changes the page shows, and how many of the best scores.
_LAST = 8
_BEST = 5
# The id of a turn, such as `R4T1`: its round, and its number in it.
_TURN = re.compile(r"R([0-9]+)T([0-9]+)")


def home_pages(site: Site) -> Iterator[tuple[str, str]]:
    """Yield the page `index.md`."""
    page, repository = Page(site, INDEX), site.settings.repository
    yield render_page(
        page,
        "home.html",
        kind="home",
        meta=page_metadata(page),
        title=site.settings.name,
        description=site.settings.tagline or "",
        numbers=[number for number in _numbers(page) if number[1]],
        tasks=list(grouped_tasks(page)),
        news=NEWS,
        changes=list(islice(_changes(site), _LAST)),
        best=site.ranking[:_BEST] if site.replay.awards else (),
        goal=site.standings.goal,
        players=[] if site.is_archive else sorted(score.player for score in site.ranking),
        repository=repository if is_web(repository) else None,
        verifying=VERIFYING,
        unguarded=unguarded_words(site.status),
        played=_played(site),
        scripts=NEWS_SCRIPTS,
    )


def _played(site: Site) -> tuple[Moment | None, Moment | None, str | None]:
    """Return the first and the last day on which something happened, and the last turn in which a
    rule changed: when an archive was played.
    """
    moments = [event.moment for event in site.events if event.moment is not None]
    turns = [
        entry.turn
        for history in site.histories.rules.values()
        for entry in history.entries
        if entry.turn
    ]
    orders = [order for order in map(_TURN.fullmatch, turns) if order is not None]
    last = max(orders, key=lambda order: (int(order[1]), int(order[2])), default=None)
    return min(moments, default=None), max(moments, default=None), last[0] if last else None


def _numbers(page: Page) -> Iterator[tuple[str, int, str, str]]:
    """Yield how many there are of each kind of thing: its name, the count, a link to the list, and
    a note, such as `20 at most`.
    """
    site, tiers = page.site, page.site.status.tiers
    for name, members in tiers_by_group(site.settings, tiers).items():
        count = sum(tiers[tier][0] for tier in members)
        caps = [cap for _, cap in (tiers[tier] for tier in members) if cap is not None]
        anchor = next((tier_anchor(tier) for tier in members if tiers[tier][0]), "")
        note = f"{sum(caps)} at most" if len(caps) == len(members) else ""
        yield f"{name} rules", count, page.href(RULES[0], anchor), note
    proposals = site.records.of_kind("proposal")
    adopted = sum(proposal.matter.status == "adopted" for proposal in proposals)
    only_adopted = knows_only_adopted(site)
    name = "adopted proposals" if adopted and only_adopted else "proposals"
    yield (
        name,
        len(proposals),
        page.href(PROPOSALS),
        f"{adopted} adopted" if adopted and not only_adopted else "",
    )
    yield "judgements", len(site.records.of_kind("judgement")), page.href(JUDGEMENTS), ""
    players = site.records.players.values()
    people = [
        player
        for player in players
        if player.matter.kind == "person" and is_player(player, site.today)
    ]
    yield "players", len(players if site.is_archive else people), page.href(PLAYERS), ""


def _changes(site: Site) -> Iterator[tuple[RuleHistory, int, HistoryEntry]]:
    """Yield the dated lines of all rules' histories, the newest first, without the initial set.

    Each is a triple: the history, the index of the line in it, and the line.
    """
    for step in reversed(site.replay.steps):
        for identity, index in reversed(site.entries_of.get(step.instrument.path, ())):
            history = site.histories.rules[identity]
            if history.entries[index].moment is not None:
                yield history, index, history.entries[index]
