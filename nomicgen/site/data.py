"""The data that a site publishes below `api/v1/`: every rule, instrument and player as JSON, and what happened."""

from __future__ import annotations

import json
from collections.abc import Container, Iterator, Sequence
from itertools import chain
from typing import Any

from nomicgen.archive.activity import Activity, player_status
from nomicgen.archive.game_events import GameEvent
from nomicgen.formats.api import (
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
    ROOT,
    SCORES_PAGE,
    STATUS_PAGE,
    TURN,
    TURNS,
    api_schema,
    document,
)
from nomicgen.formats.command_json import status_fields
from nomicgen.formats.json_parts import scores_fields
from nomicgen.formats.witness_json import asked_witnesses
from nomicgen.model import Instrument, Player
from nomicgen.site import addresses
from nomicgen.site.addresses import SCORES, player_page
from nomicgen.site.data_instruments import instrument_documents, proposal_document
from nomicgen.site.data_parts import FEED, data_file, instrument_place, page_place
from nomicgen.site.data_rules import rule_documents
from nomicgen.site.page import Page
from nomicgen.site.site_view import Site

_INDEX_FILE = f"{ROOT}/index.json"
_LISTS = ("status", "rules", "proposals", "judgements", "acts", "players", "scores", "turns", "history", "timeline")


def data_files(site: Site) -> Iterator[tuple[str, str]]:
    """Every document, by its path, and the schemas of them all."""
    last, text = None, ""
    for path, one in chain(rule_documents(site), instrument_documents(site), _others(site)):
        # A rule that bore several numbers is one document under several names.
        if one is not last:
            last, text = one, document(one)
        yield path, text
    for name in DOCUMENTS:
        yield _schema_file(name), json.dumps(api_schema(name), ensure_ascii=False, indent=2) + "\n"


def proposal_data(site: Site, paths: Container[str]) -> Iterator[tuple[str, str]]:
    """The documents of some proposals, and what tells of all the data."""
    yield _INDEX_FILE, document(_index(site))
    documents = (proposal_document(site, one) for one in site.records.of_kind("proposal") if one.path in paths)
    yield from ((name, document(one)) for name, one in documents)


def _schema_file(name: str) -> str:
    return f"{ROOT}/schema/{name}.json"


def _others(site: Site) -> Iterator[tuple[str, dict[str, Any]]]:
    home = Page(site, addresses.INDEX)
    status = status_fields(site.records, site.replay, site.status, len(site.errors))
    turns = site.records.turns_in_order
    yield _INDEX_FILE, _index(site)
    yield f"{ROOT}/status.json", STATUS_PAGE.write(site.status, url=home.href(home.path), **status)
    yield from _players(site)
    scores = scores_fields(site.standings)
    yield f"{ROOT}/scores.json", SCORES_PAGE.write(site.standings, url=home.href(SCORES), **scores)
    yield (
        f"{ROOT}/turns.json",
        TURNS.write(
            url=home.href(SCORES),
            turns=[TURN.write(one.matter, turn=one.ident, file=f"turns/{one.ident}.yml") for one in turns],
            next_turn=site.replay.next_turn,
        ),
    )
    events = [EVENT.write(one, **_event_place(site, one)) for one in site.events]
    yield f"{ROOT}/history.json", HISTORY.write(url=home.href(addresses.HISTORY), events=events)


def _index(site: Site) -> dict[str, Any]:
    archive, settings = site.archive, site.settings
    return INDEX.write(
        name=settings.name,
        tagline=settings.tagline,
        repository=settings.repository,
        started=settings.started,
        timezone=settings.timezone,
        date=str(site.today),
        commit=archive.git.head,
        tree=archive.tree,
        ledger=archive.digest,
        uncommitted=len(archive.git.dirty),
        witnessed=asked_witnesses(archive.witnessed),
        imported=archive.records.imported,
        errors=len(site.errors),
        counts=_counts(site),
        url=Page(site, addresses.INDEX).href(addresses.INDEX),
        feed=FEED,
        lists={name: f"{ROOT}/{name}.json" for name in _LISTS},
        schemas={name: _schema_file(name) for name in DOCUMENTS},
    )


def _counts(site: Site) -> dict[str, Any]:
    records, histories = site.records, site.histories.rules.values()
    proposals = records.of_kind("proposal")
    return COUNTS.write(
        rules=len(site.replay.current),
        repealed=sum(one.current is None for one in histories),
        revisions=sum(len(one.revisions) for one in histories),
        proposals=sum(one.number is not None for one in proposals),
        drafts=sum(one.number is None for one in proposals),
        judgements=len(records.of_kind("judgement")),
        acts=len(records.of_kind("act")),
        players=len(records.players),
        turns=len(records.turns),
    )


def _players(site: Site) -> Iterator[tuple[str, dict[str, Any]]]:
    records = site.records
    players = sorted(records.players.values(), key=lambda one: one.ident)
    items = [PLAYER_ITEM.write(one.matter, **_player_fields(site, one)) for one in players]
    yield (
        data_file(addresses.PLAYERS),
        PLAYERS.write(url=Page(site, addresses.INDEX).href(addresses.PLAYERS), players=items),
    )
    for one in players:
        yield data_file(player_page(one.ident)), _player(site, one, site.deeds[one.ident])


def _player_fields(site: Site, one: Player) -> dict[str, Any]:
    score = site.standings.of(one.ident)
    return {
        **page_place(site, player_page(one.ident)),
        "id": one.ident,
        "standing": player_status(one, site.today),
        "score": score.total if score else 0,
    }


def _player(site: Site, one: Player, deeds: Activity) -> dict[str, Any]:
    return PLAYER.write(
        one.matter,
        **_player_fields(site, one),
        proposals=_named(site, deeds.proposals),
        votes=[PLAYER_VOTE.write(each, **instrument_place(site, each.proposal)) for each in deeds.ballots],
        judged=_named(site, deeds.judged),
        called=_named(site, deeds.called),
        acts=_named(site, deeds.acts),
        turns=[each.ident for each in deeds.turns],
    )


def _named(site: Site, many: Sequence[Instrument]) -> list[dict[str, Any]]:
    return [NAMED.write(one, **instrument_place(site, one)) for one in many]


def _event_place(site: Site, one: GameEvent) -> dict[str, str]:
    records = site.records
    if one.path in records.instruments:
        return instrument_place(site, records.instruments[one.path])
    if one.path.startswith("players/"):
        return page_place(site, player_page(one.path.removeprefix("players/").removesuffix(".yml")))
    if one.path.startswith("turns/"):
        return {**page_place(site, SCORES), "data": f"{ROOT}/turns.json"}
    return page_place(site, addresses.INDEX)
