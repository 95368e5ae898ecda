"""The page of each player, and the list of them all."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from nomicgen.files.urls import is_web
from nomicgen.history.activity import CastVote, PlayerStatus, player_status
from nomicgen.history.game_events import count_votes
from nomicgen.history.rule_history import TEXT_VERBS, RuleHistory
from nomicgen.law.replay.player_spans import is_player
from nomicgen.model.front_matters import Stretch
from nomicgen.model.records import Player
from nomicgen.model.values import Moment
from nomicgen.site.addresses import PLAYERS, player_page
from nomicgen.site.charts.scores import scores as scores_picture
from nomicgen.site.parts.filters import neighbours, select, with_choices
from nomicgen.site.parts.metadata import page_metadata, player_metadata
from nomicgen.site.parts.page import Page
from nomicgen.site.parts.points import score_rows
from nomicgen.site.parts.status_words import STATUS, knows_only_adopted, standing_words
from nomicgen.site.parts.task_list import what_to_do
from nomicgen.site.render import render_page
from nomicgen.site.site_view import Site

# The order of players on the list, and that of proposals on a player's page.
_ORDER: Sequence[PlayerStatus] = ("playing", "inactive", "to come", "left", "past", "dummy", "bot")
_STATUSES = ("open", "debate", "draft", "adopted", "defeated", "withdrawn", "void")
# How a login becomes an address, on the forges that are known; nothing else in a player's file
# becomes a link.
_FORGES = {
    "github": "https://github.com/{}",
    "gitlab": "https://gitlab.com/{}",
    "codeberg": "https://codeberg.org/{}",
    "bitbucket": "https://bitbucket.org/{}",
    "sourcehut": "https://sr.ht/~{}",
}
_LOGIN = r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?"


def player_pages(site: Site) -> Iterator[tuple[str, str]]:
    """Yield the page of everyone in `players/`, and their list."""
    written = _written(site)
    players = sorted(
        site.records.players.values(), key=lambda player: _sort_key(player, site.today)
    )
    yield _list(Page(site, PLAYERS), players)
    for index, player in enumerate(players):
        page = Page(site, player_page(player.ident))
        yield _page(page, player, written.get(player.ident, ()), players, index)


def _written(site: Site) -> Mapping[str, Sequence[RuleHistory]]:
    """Return the rules in force that each player wrote or amended, by the player's id, in the order
    of numbers.
    """
    written: dict[str, dict[int, RuleHistory]] = {}
    for history in site.histories.rules.values():
        for entry in history.entries if site.is_in_force(history) else ():
            if entry.verb in TEXT_VERBS and entry.actor is not None:
                written.setdefault(entry.actor, {})[history.identity] = history
    return {
        ident: sorted(rules.values(), key=lambda history: history.last.number)
        for ident, rules in written.items()
    }


def _sort_key(player: Player, today: Moment) -> tuple[object, ...]:
    return (_ORDER.index(player_status(player, today)), player.matter.name.casefold(), player.ident)


def _list(page: Page, players: Sequence[Player]) -> tuple[str, str]:
    states = [player_status(player, page.today) for player in players]
    return render_page(
        page,
        "players.html",
        kind="players",
        meta=page_metadata(page),
        shows=("players/",),
        title="Players",
        description=f"The players of {page.settings.name}",
        present=sum(state in ("playing", "inactive") for state in states),
        selects=with_choices(
            [
                select(
                    "state",
                    "State",
                    ((state, standing_words(state)) for state in dict.fromkeys(states)),
                )
            ]
        ),
        players=list(zip(players, states, strict=True)),
        knows_failed=not knows_only_adopted(page.site),
        knows_votes=any(activity.votes for activity in page.site.activities.values()),
    )


def _page(
    page: Page,
    player: Player,
    written: Sequence[RuleHistory],
    players: Sequence[Player],
    index: int,
) -> tuple[str, str]:
    site, name, activity = page.site, player.matter.name, page.site.activities[player.ident]
    score = site.standings.of(player.ident) if site.replay.awards else None
    tasks = site.tasks if is_player(player, site.today) else ()
    return render_page(
        page,
        "player.html",
        kind="player",
        meta=player_metadata(page),
        shows=(f"players/{player.ident}.yml",),
        title=name,
        description=f"{name}, a player of {site.settings.name}",
        crumbs=((PLAYERS, "Players"),),
        here=name,
        player=player,
        state=player_status(player, site.today),
        present_roles=[role for role in player.matter.roles if _includes(role, site.today)],
        tasks={
            what_to_do(page, task): page.records.instruments[task.path]
            if task.kind in ("vote", "change-vote", "tie")
            else None
            for task in tasks
            if task.who == player.ident
        },
        score=score,
        score_rows=score_rows(score.lines) if score else (),
        rank=site.rank_of(player.ident),
        picture=scores_picture(page, player=player.ident) if score else None,
        statuses={status: STATUS.get(status, status) for status in _STATUSES},
        votes=_votes(activity.votes),
        activity=activity,
        written=written,
        accounts=[
            (forge, login, _account(forge, login))
            for forge, login in sorted(player.matter.accounts.items())
        ],
        **neighbours(players, index),
    )


def _includes(span: Stretch, day: Moment) -> bool:
    return not day.precedes(span.since) and (span.until is None or day.precedes(span.until))


def _votes(ballots: Sequence[CastVote]) -> str:
    """Return `3 for, 1 against; 3 of 4 with the majority.` for a player's votes."""
    counts = Counter(ballot.choice for ballot in ballots if ballot.counted)
    sided = [ballot.majority for ballot in ballots if ballot.majority is not None]
    uncounted = sum(not ballot.counted for ballot in ballots)
    more = f", {uncounted} not counted" if uncounted else ""
    majority = f"; {sum(sided)} of {len(sided)} with the majority" if sided else ""
    return f"{count_votes(counts['for'], counts['against'], counts['abstain'])}{more}{majority}."


def _account(forge: str, login: str) -> str | None:
    """Return the address of an account; None if its forge is not known."""
    template = _FORGES.get(forge)
    address = template.format(login) if template and re.fullmatch(_LOGIN, login) else None
    return address if is_web(address) else None
