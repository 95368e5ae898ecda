"""Makes the documents that a site publishes below `api/v1/`: every rule, instrument and player as
JSON, the turns, and what happened. `pages/time_page.py` makes the time machine's.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from nomicgen.history.activity import Activity, player_status
from nomicgen.history.game_events import GameEvent
from nomicgen.model.records import Instrument, Player
from nomicgen.site import addresses
from nomicgen.site.addresses import API_ROOT, FEED, SCORES, data_file, player_page
from nomicgen.site.data.api import (
    COUNTS,
    DOCUMENTS,
    EVENT,
    HISTORY,
    INDEX,
    NAMED,
    PLAYER,
    PLAYER_ITEM,
    PLAYER_VOTE,
    PLAYERS,
    TURN,
    TURNS,
    api_schema,
    document,
)
from nomicgen.site.data.instruments import instrument_documents
from nomicgen.site.data.places import instrument_place, page_place
from nomicgen.site.data.rules import rule_documents
from nomicgen.site.parts.page import Page
from nomicgen.site.site_view import Site

_INDEX_FILE = f"{API_ROOT}/index.json"
_LISTS = ("rules", "proposals", "judgements", "acts", "players", "turns", "history", "timeline")


def data_files(site: Site) -> Iterator[tuple[str, str]]:
    """Yield the path and the text of each of these documents, and of all schemas."""
    last, text = None, ""
    for path, value in chain(rule_documents(site), instrument_documents(site), _others(site)):
        # A rule that bore several numbers is one document with several paths: encode it once.
        if value is not last:
            last, text = value, document(value)
        yield path, text
    for name in DOCUMENTS:
        yield _schema_file(name), json.dumps(api_schema(name), ensure_ascii=False, indent=2) + "\n"


def _schema_file(name: str) -> str:
    return f"{API_ROOT}/schema/{name}.json"


def _others(site: Site) -> Iterator[tuple[str, dict[str, Any]]]:
    home = Page(site, addresses.INDEX)
    turns = site.records.turns_in_order
    yield _INDEX_FILE, _index(site)
    yield from _players(site)
    yield (
        f"{API_ROOT}/turns.json",
        TURNS.write(
            url=home.href(SCORES),
            turns=[
                TURN.write(turn.matter, turn=turn.ident, file=f"turns/{turn.ident}.yml")
                for turn in turns
            ],
            next_turn=site.replay.next_turn,
        ),
    )
    events = [EVENT.write(event, **_event_place(site, event)) for event in site.events]
    yield f"{API_ROOT}/history.json", HISTORY.write(url=home.href(addresses.HISTORY), events=events)


def _index(site: Site) -> dict[str, Any]:
    game_history, settings = site.game_history, site.settings
    return INDEX.write(
        name=settings.name,
        tagline=settings.tagline,
        repository=settings.repository,
        started=settings.started,
        timezone=settings.timezone,
        date=str(site.today),
        commit=game_history.git.head,
        tree=game_history.tree,
        ledger=game_history.digest,
        uncommitted=len(game_history.git.dirty),
        imported=game_history.records.imported,
        errors=len(site.errors),
        counts=_counts(site),
        url=Page(site, addresses.INDEX).href(addresses.INDEX),
        feed=FEED,
        lists={name: f"{API_ROOT}/{name}.json" for name in _LISTS},
        schemas={name: _schema_file(name) for name in DOCUMENTS},
    )


def _counts(site: Site) -> dict[str, Any]:
    records, histories = site.records, site.histories.rules.values()
    proposals = records.of_kind("proposal")
    return COUNTS.write(
        rules=len(site.replay.current),
        repealed=sum(history.current is None for history in histories),
        revisions=sum(len(history.revisions) for history in histories),
        proposals=sum(proposal.number is not None for proposal in proposals),
        drafts=sum(proposal.number is None for proposal in proposals),
        judgements=len(records.of_kind("judgement")),
        acts=len(records.of_kind("act")),
        players=len(records.players),
        turns=len(records.turns),
    )


def _players(site: Site) -> Iterator[tuple[str, dict[str, Any]]]:
    records = site.records
    players = sorted(records.players.values(), key=lambda player: player.ident)
    items = [PLAYER_ITEM.write(player.matter, **_player_fields(site, player)) for player in players]
    yield (
        data_file(addresses.PLAYERS),
        PLAYERS.write(url=Page(site, addresses.INDEX).href(addresses.PLAYERS), players=items),
    )
    for player in players:
        yield (
            data_file(player_page(player.ident)),
            _player(site, player, site.activities[player.ident]),
        )


def _player_fields(site: Site, player: Player) -> dict[str, Any]:
    score = site.standings.of(player.ident)
    return {
        **page_place(site, player_page(player.ident)),
        "id": player.ident,
        "standing": player_status(player, site.today),
        "score": score.total if score else 0,
    }


def _player(site: Site, player: Player, activity: Activity) -> dict[str, Any]:
    return PLAYER.write(
        player.matter,
        **_player_fields(site, player),
        proposals=_named(site, activity.proposals),
        votes=[
            PLAYER_VOTE.write(ballot, **instrument_place(site, ballot.proposal))
            for ballot in activity.votes
        ],
        judged=_named(site, activity.judged),
        called=_named(site, activity.called),
        acts=_named(site, activity.acts),
        turns=[turn.ident for turn in activity.turns],
    )


def _named(site: Site, many: Sequence[Instrument]) -> list[dict[str, Any]]:
    return [NAMED.write(instrument, **instrument_place(site, instrument)) for instrument in many]


def _event_place(site: Site, event: GameEvent) -> dict[str, str]:
    records = site.records
    if event.path in records.instruments:
        return instrument_place(site, records.instruments[event.path])
    if event.path.startswith("players/"):
        return page_place(
            site, player_page(event.path.removeprefix("players/").removesuffix(".yml"))
        )
    if event.path.startswith("turns/"):
        return {**page_place(site, SCORES), "data": f"{API_ROOT}/turns.json"}
    return page_place(site, addresses.INDEX)
