"""The data that a site publishes below `api/v1/`: every rule, instrument and player as JSON, and what happened."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain
from typing import Any

from nomicgen.archive.activity import Deeds, standing_of
from nomicgen.archive.game_events import Event
from nomicgen.formats.api import (
    DOCUMENTS,
    ROOT,
    CountsView,
    EventView,
    HistoryDocument,
    ImportedView,
    IndexDocument,
    NamedView,
    PlayerDocument,
    PlayerItem,
    PlayersDocument,
    PlayerVoteView,
    RoleView,
    ScoresDocument,
    SpanView,
    StatusDocument,
    StrengthView,
    TurnItem,
    TurnsDocument,
    api_schema,
    document,
)
from nomicgen.formats.command_json import NextTurnView, status_fields
from nomicgen.formats.json_parts import Document, date_of, exact, scores_fields
from nomicgen.formats.witness_json import witnessed_view
from nomicgen.model import Imported, Instrument, Player, Stretch
from nomicgen.site.addresses import HISTORY, PLAYERS, SCORES, player_page
from nomicgen.site.data_instruments import instrument_documents, proposal_document
from nomicgen.site.data_parts import FEED, Place, Places, data_file
from nomicgen.site.data_rules import rule_documents
from nomicgen.site.site_view import Site

_HOME = "index.md"
INDEX = f"{ROOT}/index.json"
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
    yield INDEX, document(_index(site, places.page(_HOME)))
    for path in paths:
        name, one = proposal_document(site, site.archive.records.instruments[path], places)
        yield name, document(one)


def _schema_file(name: str) -> str:
    return f"{ROOT}/schema/{name}.json"


def _others(site: Site, places: Places) -> Iterator[tuple[str, Document]]:
    archive = site.archive
    home, scores = places.page(_HOME), places.page(SCORES)
    errors = sum(one.is_error for one in archive.findings)
    yield INDEX, _index(site, home)
    yield (
        f"{ROOT}/status.json",
        StatusDocument(url=home.url, **status_fields(archive.records, archive.replay, site.status, errors)),
    )
    yield from _players(site, places)
    yield f"{ROOT}/scores.json", ScoresDocument(url=scores.url, **scores_fields(site.standings))
    yield f"{ROOT}/turns.json", _turns(site, scores)
    yield (
        f"{ROOT}/history.json",
        HistoryDocument(
            url=places.page(HISTORY).url,
            events=tuple(_event(site, one, places) for one in site.events),
        ),
    )


def _index(site: Site, home: Place) -> IndexDocument:
    archive, settings = site.archive, site.archive.records.settings
    return IndexDocument(
        name=settings.name,
        tagline=settings.tagline,
        repository=settings.repository,
        started=date_of(settings.started),
        timezone=settings.timezone,
        date=str(site.today),
        commit=archive.git.head,
        tree=archive.tree,
        ledger=archive.digest,
        uncommitted=len(archive.git.dirty),
        witnessed=witnessed_view(archive.witnessed),
        imported=_imported(archive.records.imported),
        errors=sum(one.is_error for one in archive.findings),
        counts=_counts(site),
        url=home.url,
        feed=FEED,
        lists={name: f"{ROOT}/{name}.json" for name in _LISTS},
        schemas={name: _schema_file(name) for name in DOCUMENTS},
    )


def _imported(found: Imported | None) -> ImportedView | None:
    if found is None:
        return None
    return ImportedView(
        kind=found.kind,
        source=found.source,
        digest=found.digest,
        states=found.states,
        identical=found.identical,
        rewrapped=found.rewrapped,
    )


def _counts(site: Site) -> CountsView:
    records, histories = site.archive.records, site.archive.histories.rules.values()
    proposals = records.of_kind("proposal")
    return CountsView(
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


def _turns(site: Site, place: Place) -> TurnsDocument:
    following = site.archive.replay.next_turn
    return TurnsDocument(
        url=place.url,
        turns=tuple(
            TurnItem(
                turn=one.ident,
                player=one.matter.player,
                began=date_of(one.matter.began),
                ended=date_of(one.matter.ended),
                passed=one.matter.passed,
                dice=tuple(one.matter.dice),
                note=one.matter.note,
                file=f"turns/{one.ident}.yml",
            )
            for one in sorted(site.archive.records.turns.values(), key=lambda one: one.order)
        ),
        next_turn=NextTurnView(turn=following.ident, player=following.player) if following else None,
    )


def _players(site: Site, places: Places) -> Iterator[tuple[str, Document]]:
    records = site.archive.records
    players = sorted(records.players.values(), key=lambda one: one.ident)
    yield (
        data_file(PLAYERS),
        PlayersDocument(
            url=places.page(PLAYERS).url,
            players=tuple(PlayerItem(**_player_fields(site, one, places)) for one in players),
        ),
    )
    for one in players:
        yield data_file(player_page(one.ident)), _player(site, one, site.deeds[one.ident], places)


def _player_fields(site: Site, one: Player, places: Places) -> dict[str, Any]:
    score = site.standings.of(one.ident)
    return {
        **places.page(player_page(one.ident))._asdict(),
        "id": one.ident,
        "name": one.matter.name,
        "standing": standing_of(one, site.today),
        "joined": date_of(one.matter.joined),
        "left": date_of(one.matter.left),
        "order": one.matter.order,
        "score": exact(score.total if score else Fraction(0)),
    }


def _player(site: Site, one: Player, deeds: Deeds, places: Places) -> PlayerDocument:
    matter = one.matter
    return PlayerDocument(
        **_player_fields(site, one, places),
        accounts=matter.accounts,
        inactive=tuple(SpanView(**_span(each)) for each in matter.inactive),
        roles=tuple(RoleView(**_span(each), role=each.role) for each in matter.roles),
        strength=tuple(StrengthView(**_span(each), votes=each.votes) for each in matter.strength),
        note=matter.note,
        proposals=_named(deeds.proposals, places),
        votes=tuple(
            PlayerVoteView(
                **places.instrument(each.proposal)._asdict(),
                proposal=each.proposal.number,
                vote=each.choice,
                how=each.how or None,
                counted=each.counted,
            )
            for each in deeds.ballots
        ),
        judged=_named(deeds.judged, places),
        called=_named(deeds.called, places),
        acts=_named(deeds.acts, places),
        turns=tuple(each.ident for each in deeds.turns),
    )


def _span(one: Stretch) -> dict[str, Any]:
    return {"since": str(one.since), "until": date_of(one.until)}


def _named(many: Sequence[Instrument], places: Places) -> tuple[NamedView, ...]:
    return tuple(NamedView(**_name(one, places)) for one in many)


def _name(one: Instrument, places: Places) -> dict[str, Any]:
    return {**places.instrument(one)._asdict(), "name": one.name, "title": one.title or None}


def _event(site: Site, one: Event, places: Places) -> EventView:
    place = _place(site, one, places)
    return EventView(
        kind=one.kind,
        date=date_of(one.moment),
        said=one.said,
        player=one.player,
        players=one.players,
        outcome=one.outcome or None,
        rules=tuple(map(str, one.rules)),
        points={player: exact(amount) for player, amount in one.points},
        turn=one.turn,
        file=one.path,
        url=place.url,
        data=place.data,
    )


def _place(site: Site, one: Event, places: Places) -> Place:
    records = site.archive.records
    if one.path in records.instruments:
        return places.instrument(records.instruments[one.path])
    if one.path.startswith("players/"):
        return places.page(player_page(one.path.removeprefix("players/").removesuffix(".yml")))
    if one.path.startswith("turns/"):
        return Place(places.page(SCORES).url, f"{ROOT}/turns.json")
    return places.page(_HOME)
