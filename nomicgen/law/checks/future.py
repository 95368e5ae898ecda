"""What files say has happened, on a day that has not come anywhere on earth. The replay judges days of decisions."""

from __future__ import annotations

from collections.abc import Iterator

from nomicgen.model.findings import Finding
from nomicgen.model.front_matters import ActMatter, JudgementMatter, ProposalMatter
from nomicgen.model.records import Instrument, Records
from nomicgen.model.values import Moment, Span

_Said = tuple[Span, str, Moment | None]


def future_findings(records: Records, today: Moment | None) -> Iterator[Finding]:
    """Moves, votes, judgements, joinings and turns that lie after `today`, the day in the game's zone.

    Where the game names no zone, its players may be anywhere, and before the day is over the next one begins somewhere.
    Somebody may say beforehand when they will leave or be away.
    """
    if today is None:
        return
    zone = records.settings.timezone if records.settings_source.value(("timezone",)) is not None else None
    latest, where = (today, f" in {zone}") if zone is not None else (today.plus(1), " anywhere on earth")
    for span, what, moment in _said(records):
        if moment is not None and latest.day < moment.day:
            yield Finding(
                slug="date-future",
                span=span,
                message=f"{what} {moment}, which is after {latest.day}{where}: it has not happened yet",
                help="write the day on which it happened; what is still to come is written when it has happened",
            )


def _said(records: Records) -> Iterator[_Said]:
    for player in records.players.values():
        yield player.source.at("joined"), f"{player.ident} joined on", player.matter.joined
    for turn in records.turns.values():
        for key in ("began", "ended"):
            yield turn.source.at(key), f"turn {turn.ident} {key} on", getattr(turn.matter, key)
    for instrument in records.instruments.values():
        yield from _of_instrument(instrument)


def _of_instrument(instrument: Instrument) -> Iterator[_Said]:
    matter, at = instrument.matter, instrument.source.at
    if isinstance(matter, ProposalMatter):
        yield at("date"), f"{instrument.name} was put forward on", matter.date
        for player, vote in (matter.votes or {}).items():
            yield at("votes", player, "at"), f"{player} voted on", vote.at
    elif isinstance(matter, JudgementMatter):
        yield at("date"), f"{instrument.name} is of", matter.date
        yield at("overruled"), f"{instrument.name} was overruled on", matter.overruled
    elif isinstance(matter, ActMatter):
        yield at("date"), f"{instrument.name} is of", matter.date
