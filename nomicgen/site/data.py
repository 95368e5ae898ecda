"""The data that a site publishes below `api/v1/`: every rule, instrument and player as JSON, and what happened."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
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
from nomicgen.site.data_parts import FEED, Place, Places, data_file
from nomicgen.site.data_rules import rule_documents
from nomicgen.site.site_view import Site

_HOME = "index.md"
_INDEX_FILE = f"{ROOT}/index.json"
_LISTS = ("status", "rules", "proposals", "judgements", "acts", "players", "scores", "turns", "history", "timeline")


def data_files(site: Site) -> Iterator[tuple[str, str]]:
    """Every document, by its path, and the schemas of them all."""
    places = Places(site)
    last, text = None, ""
    for path, one in chain(rule_documents(site, places), instrument_documents(site, places), _others(site, places)):
        # A rule that bore several numbers is one document under several names.
        if one is not last:
            last, text = one, document(one)
        yield path, text
    for name in DOCUMENTS:
        yield _schema_file(name), json.dumps(api_schema(name), ensure_ascii=False, indent=2) + "\n"


def proposal_data(site: Site, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The documents of some proposals, and what tells of all the data."""
    places = Places(site)
    yield _INDEX_FILE, document(_index(site, places.page(_HOME)))
    for path in paths:
        name, one = proposal_document(site, site.archive.records.instruments[path], places)
        yield name, document(one)


def _schema_file(name: str) -> str:
    return f"{ROOT}/schema/{name}.json"


def _others(site: Site, places: Places) -> Iterator[tuple[str, dict[str, Any]]]:
    archive = site.archive
    home, scores = places.page(_HOME), places.page(SCORES)
    errors = sum(one.is_error for one in archive.findings)
    yield _INDEX_FILE, _index(site, home)
    yield (
        f"{ROOT}/status.json",
        STATUS_PAGE.write(
            site.status, url=home.url, **status_fields(archive.records, archive.replay, site.status, errors)
        ),
    )
    yield from _players(site, places)
    yield f"{ROOT}/scores.json", SCORES_PAGE.write(site.standings, url=scores.url, **scores_fields(site.standings))
    yield f"{ROOT}/turns.json", _turns(site, scores)
    yield (
        f"{ROOT}/history.json",
        HISTORY.write(
            url=places.page(addresses.HISTORY).url,
            events=[EVENT.write(one, **_place(site, one, places)._asdict()) for one in site.events],
        ),
    )


def _index(site: Site, home: Place) -> dict[str, Any]:
    archive, settings = site.archive, site.archive.records.settings
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
        errors=sum(one.is_error for one in archive.findings),
        counts=_counts(site),
        url=home.url,
        feed=FEED,
        lists={name: f"{ROOT}/{name}.json" for name in _LISTS},
        schemas={name: _schema_file(name) for name in DOCUMENTS},
    )


def _counts(site: Site) -> dict[str, Any]:
    records, histories = site.archive.records, site.archive.histories.rules.values()
    proposals = records.of_kind("proposal")
    return COUNTS.write(
        rules=len(site.archive.replay.current),
        repealed=sum(one.current is None for one in histories),
        revisions=sum(len(one.revisions) for one in histories),
        proposals=sum(one.number is not None for one in proposals),
        drafts=sum(one.number is None for one in proposals),
        judgements=len(records.of_kind("judgement")),
        acts=len(records.of_kind("act")),
        players=len(records.players),
        turns=len(records.turns),
    )


def _turns(site: Site, place: Place) -> dict[str, Any]:
    turns = sorted(site.archive.records.turns.values(), key=lambda one: one.order)
    return TURNS.write(
        url=place.url,
        turns=[TURN.write(one.matter, turn=one.ident, file=f"turns/{one.ident}.yml") for one in turns],
        next_turn=site.archive.replay.next_turn,
    )


def _players(site: Site, places: Places) -> Iterator[tuple[str, dict[str, Any]]]:
    records = site.archive.records
    players = sorted(records.players.values(), key=lambda one: one.ident)
    items = [PLAYER_ITEM.write(one.matter, **_player_fields(site, one, places)) for one in players]
    yield data_file(addresses.PLAYERS), PLAYERS.write(url=places.page(addresses.PLAYERS).url, players=items)
    for one in players:
        yield data_file(player_page(one.ident)), _player(site, one, site.deeds[one.ident], places)


def _player_fields(site: Site, one: Player, places: Places) -> dict[str, Any]:
    score = site.standings.of(one.ident)
    return {
        **places.page(player_page(one.ident))._asdict(),
        "id": one.ident,
        "standing": player_status(one, site.today),
        "score": score.total if score else 0,
    }


def _player(site: Site, one: Player, deeds: Activity, places: Places) -> dict[str, Any]:
    return PLAYER.write(
        one.matter,
        **_player_fields(site, one, places),
        proposals=_named(deeds.proposals, places),
        votes=[PLAYER_VOTE.write(each, **places.instrument(each.proposal)._asdict()) for each in deeds.ballots],
        judged=_named(deeds.judged, places),
        called=_named(deeds.called, places),
        acts=_named(deeds.acts, places),
        turns=[each.ident for each in deeds.turns],
    )


def _named(many: Sequence[Instrument], places: Places) -> list[dict[str, Any]]:
    return [NAMED.write(one, **places.instrument(one)._asdict()) for one in many]


def _place(site: Site, one: GameEvent, places: Places) -> Place:
    records = site.archive.records
    if one.path in records.instruments:
        return places.instrument(records.instruments[one.path])
    if one.path.startswith("players/"):
        return places.page(player_page(one.path.removeprefix("players/").removesuffix(".yml")))
    if one.path.startswith("turns/"):
        return Place(places.page(SCORES).url, f"{ROOT}/turns.json")
    return places.page(_HOME)
