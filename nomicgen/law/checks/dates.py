"""Dates that cannot follow each other so: of players, of turns, and of whatever happened before the game began."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nomicgen.diagnostics import Finding
from nomicgen.law.state import Replay
from nomicgen.model import Instrument, Moment, Player, Records, Span, Stretch, Turn

__all__ = ["check_dates"]


def check_dates(records: Records, replay: Replay) -> Iterator[Finding]:
    """The spans of players and turns, and the start of the game."""
    for player in records.players.values():
        yield from _player(player)
    yield from _turns(sorted(records.turns.values(), key=lambda one: one.order))
    if records.settings.started is not None:
        for instrument in records.instruments.values():
            yield from _before_start(instrument, records.settings.started)


def _player(player: Player) -> Iterator[Finding]:
    matter, source = player.matter, player.source
    if matter.joined is not None and matter.left is not None and matter.left.precedes(matter.joined):
        yield _disorder(
            source.at("left"), f"left on {matter.left}, before joining on {matter.joined}", "left", "joined"
        )
    spans: tuple[tuple[str, Sequence[Stretch]], ...] = (
        ("inactive", matter.inactive),
        ("roles", matter.roles),
        ("strength", matter.strength),
    )
    for key, stretches in spans:
        for index, one in enumerate(stretches):
            if one.until is not None and one.until.precedes(one.since):
                message = f"until {one.until}, before it begins on {one.since}"
                yield _disorder(source.at(key, index, "until"), message, "until", "since")


def _turns(turns: Sequence[Turn]) -> Iterator[Finding]:
    latest: tuple[Moment, str] | None = None
    for turn in turns:
        began, ended = turn.matter.began, turn.matter.ended
        if began is not None and ended is not None and ended.precedes(began):
            message = f"ended on {ended}, before it began on {began}"
            yield _disorder(turn.source.at("ended"), message, "ended", "began")
        if began is None:
            continue
        if latest is not None and began.precedes(latest[0]):
            yield Finding(
                slug="dates-disorder",
                span=turn.source.at("began"),
                message=f"{turn.ident} began on {began}, before {latest[1]} on {latest[0]}",
                help="turns are numbered in their order: mend `began` here or there",
            )
        latest = max(latest, (began, turn.ident)) if latest else (began, turn.ident)


def _before_start(instrument: Instrument, started: Moment) -> Iterator[Finding]:
    for key in ("date", "opened", "decided", "effective"):
        moment = getattr(instrument.matter, key, None)
        if moment is not None and moment.precedes(started):
            yield Finding(
                slug="dates-disorder",
                span=instrument.source.at(key),
                message=f"{key} on {moment}, before the game started on {started}",
                help=f"mend `{key}`, or `started` in nomic.yml",
            )
            return


def _disorder(span: Span, message: str, one: str, other: str) -> Finding:
    return Finding(slug="dates-disorder", span=span, message=message, help=f"mend `{one}` or `{other}`")
