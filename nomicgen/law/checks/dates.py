"""Days in an impossible order: of players, of turns, and of instruments before the game started.

Also days in the future on which something is said to have happened. The replay judges the days of
openings and decisions, and `votes.py` the order of the days of a proposal, and of a judgement.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nomicgen.law.replay.moments import disorder, precedes
from nomicgen.law.replay.results import Replay
from nomicgen.model.findings import Finding
from nomicgen.model.front_matters import ActMatter, Deed, JudgementMatter, ProposalMatter, Stretch
from nomicgen.model.records import Instrument, Player, Records, Turn
from nomicgen.model.values import Moment, Source, Span

_Dated = tuple[Span, str, Moment | None]
"""Where a file gives a day, the words before it in a message, and the day."""


def check_dates(records: Records, replay: Replay) -> Iterator[Finding]:
    """Yield the days of players, turns and instruments that cannot be in this order."""
    for player in records.players.values():
        yield from _player(player)
    yield from _turns(records.turns_in_order)
    if records.settings.started is not None:
        for instrument in records.instruments.values():
            yield from _before_start(instrument, records.settings.started)


def _player(player: Player) -> Iterator[Finding]:
    matter, source = player.matter, player.source
    if precedes(matter.left, matter.joined):
        message = f"left on {matter.left}, before joining on {matter.joined}"
        yield disorder(source.at("left"), message, "correct `left` or `joined`")
    for key in ("inactive", "roles", "strength", "keys"):
        stretches: Sequence[Stretch] = getattr(matter, matter.names[key])
        for index, stretch in enumerate(stretches):
            if precedes(stretch.until, stretch.since):
                message = f"until {stretch.until}, before it begins on {stretch.since}"
                yield disorder(
                    source.at(key, index, "until"), message, "correct `until` or `since`"
                )


def _turns(turns: Sequence[Turn]) -> Iterator[Finding]:
    latest: tuple[Moment, str] | None = None
    for turn in turns:
        began, ended = turn.matter.began, turn.matter.ended
        for key, how, moment in (
            ("ended", "ended on", ended),
            ("until", "lasts until", turn.matter.until),
        ):
            if precedes(moment, began):
                message = f"{how} {moment}, before it began on {began}"
                yield disorder(turn.source.at(key), message, f"correct `{key}` or `began`")
        if began is None:
            continue
        if latest is not None and began.precedes(latest[0]):
            message = f"{turn.ident} began on {began}, before {latest[1]} on {latest[0]}"
            remedy = "turns are numbered in their order: correct `began` here or there"
            yield disorder(turn.source.at("began"), message, remedy)
        latest = max(latest, (began, turn.ident)) if latest else (began, turn.ident)


def _before_start(instrument: Instrument, started: Moment) -> Iterator[Finding]:
    for key in ("date", "opened", "decided", "effective"):
        moment = getattr(instrument.matter, key, None)
        if precedes(moment, started):
            message = f"{key} on {moment}, before the game started on {started}"
            yield disorder(
                instrument.source.at(key), message, f"correct `{key}`, or `started` in nomic.yml"
            )
            return  # one finding for an instrument is enough


def future_findings(records: Records, today: Moment | None) -> Iterator[Finding]:
    """Yield the days after `today` on which something is said to have happened.

    If the game names no zone, tomorrow counts as today: somewhere on earth it has begun. The days
    on which players leave or are away may lie ahead.
    """
    if today is None:
        return
    zoned = records.settings_source.value(("timezone",)) is not None
    latest, where = (
        (today, f"in {records.settings.timezone}")
        if zoned
        else (today.plus(1), "anywhere on earth")
    )
    for span, what, moment in _dated(records):
        if moment is not None and latest.day < moment.day:
            yield Finding(
                slug="date-future",
                span=span,
                message=f"{what} {moment}, which has not begun {where}: today is {today.day}",
                help="write the day on which it happened; what is still to come is written when "
                "it has happened",
            )


def _dated(records: Records) -> Iterator[_Dated]:
    for player in records.players.values():
        yield player.source.at("joined"), f"{player.ident} joined on", player.matter.joined
    for turn in records.turns.values():
        for key in ("began", "ended"):
            yield turn.source.at(key), f"turn {turn.ident} {key} on", getattr(turn.matter, key)
        yield from _of_deeds(turn.matter.deeds, turn.source)
    for instrument in records.instruments.values():
        yield from _of_instrument(instrument)


def _of_instrument(instrument: Instrument) -> Iterator[_Dated]:
    matter, at = instrument.matter, instrument.source.at
    if isinstance(matter, ProposalMatter):
        yield at("date"), f"{instrument.name} was put forward on", matter.date
        for player, vote in (matter.votes or {}).items():
            yield at("votes", player, "at"), f"{player} voted on", vote.at
        yield from _of_deeds(matter.deeds, instrument.source)
    elif isinstance(matter, JudgementMatter):
        yield at("date"), f"{instrument.name} is of", matter.date
        yield at("overruled"), f"{instrument.name} was overruled on", matter.overruled
        yield from _of_deeds(matter.deeds, instrument.source)
    elif isinstance(matter, ActMatter):
        yield at("date"), f"{instrument.name} is of", matter.date


def _of_deeds(deeds: Sequence[Deed], source: Source) -> Iterator[_Dated]:
    for index, deed in enumerate(deeds):
        yield source.at("deeds", index, "at"), f"{deed.by} did `{deed.do}` on", deed.at
