"""Everything that happened in a game, in order, for pages, feeds and data.

Events without a date, as archives have them, come last. Nothing here is decided anew: outcomes,
effects and points are those of the replay.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Literal, get_args

from msgspec import Struct

from nomicgen.history.game_history import GameHistory
from nomicgen.history.history_lines import history_line
from nomicgen.model.findings import counted
from nomicgen.model.front_matters import JudgementMatter, PlayerMatter, ProposalMatter, TurnMatter
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Instrument
from nomicgen.model.values import Moment, RuleRef

EventKind = Literal[
    "begun",
    "joined",
    "returned",
    "turn-began",
    "proposed",
    "opened",
    "decided",
    "judged",
    "overruled",
    "acted",
    "changed",
    "awarded",
    "turn-ended",
    "won",
    "paused",
    "left",
]
_ORDER = {kind: place for place, kind in enumerate(get_args(EventKind))}
# The events that come first and last within a moment, in this order.
_FIRST = ("begun", "joined", "returned")
_LAST = ("won", "paused", "left")


class GameEvent(Struct, frozen=True, kw_only=True):
    """One thing that happened.

    `path` is the file of the game that tells of it: an instrument, `players/wren.yml`,
    `turns/R4T3.yml` or `nomic.yml`. `player` is the one who did it, or to whom it happened; where a
    rule acted by itself, the rule's number; of several who won, the first. `rules` are those that
    it is about: that it proposed to change, changed or construed, or under which it happened.

    `said` is plain text: what became of its subject (`adopted, 4 for, 1 against`), the name of an
    act, or, for a change of a rule, the whole history line. `outcome` is the status of what was
    decided or judged, how a turn ended, or the verb of a change; '' for other events. `entry` is
    the line of a rule's history (identity, index) if the event is a change. `points` says who was
    given how many, summed up; `players` are those who won. `turn` is the id of the turn in which it
    happened.
    """

    kind: EventKind
    moment: Moment | None
    path: str
    said: str
    player: PlayerId | None = None
    rules: tuple[RuleRef, ...] = ()
    outcome: str = ""
    entry: tuple[int, int] | None = None
    points: tuple[tuple[PlayerId, Fraction], ...] = ()
    players: tuple[PlayerId, ...] = ()
    turn: str | None = None


def game_events(game_history: GameHistory) -> tuple[GameEvent, ...]:
    """Return every event of a game, the earliest first, those without a date last."""
    events = [
        *_of_game(game_history),
        *_of_players(game_history),
        *_of_turns(game_history),
        *_of_instruments(game_history),
    ]
    events += [*_changes(game_history), *_awards(game_history)]
    orders = {ident: turn.order for ident, turn in game_history.records.turns.items()}
    keyed = [
        (_key(event, orders, game_history), index, event) for index, event in enumerate(events)
    ]
    keyed.sort(key=lambda entry: entry[:2])
    return tuple(event for _, _, event in keyed)


def _key(
    event: GameEvent, orders: Mapping[str, tuple[int, int]], game_history: GameHistory
) -> tuple[object, ...]:
    """Return a sort key: within a moment, arrivals, turns and their events, the rest, wins and
    departures.
    """
    # False comes before True; the day only fills the place of one that is not known.
    when = (False, event.moment) if event.moment else (True, Moment.parse("0001-01-01"))
    instrument = game_history.records.instruments.get(event.path)
    number = (instrument.number or 0) if instrument else 0
    if event.kind in _FIRST:
        return (*when, 0, (0, 0), "", _FIRST.index(event.kind))
    if event.kind in _LAST:
        return (*when, 3, (0, 0), "", _LAST.index(event.kind))
    order = orders.get(event.turn or "")
    # Within a turn: its beginning, its instruments by number (at most nine digits), its end.
    inner = (
        -1
        if event.kind == "turn-began"
        else 10**9 + 1
        if event.path.startswith("turns/")
        else number
    )
    return (*when, 1 if order else 2, order or (0, 0), inner, event.path, _ORDER[event.kind])


def _of_game(game_history: GameHistory) -> Iterator[GameEvent]:
    count, started = len(game_history.replay.initial), game_history.records.settings.started
    if count or started:
        said = f"the game began with {counted(count, 'rule')}"
        yield GameEvent(kind="begun", moment=started, path="nomic.yml", said=said)
    winner = game_history.replay.winner
    if winner is not None:
        yield GameEvent(
            kind="won",
            moment=winner.moment,
            path="nomic.yml",
            said=f"won with {winner.points} points",
            player=winner.players[0],
            players=winner.players,
            rules=(RuleRef(winner.rule),),
        )


def _of_players(game_history: GameHistory) -> Iterator[GameEvent]:
    for ident, player in sorted(game_history.records.players.items()):
        for kind, moment, said in _days_of_player(
            player.matter, game_history.records.settings.started
        ):
            yield GameEvent(
                kind=kind, moment=moment, path=f"players/{ident}.yml", said=said, player=ident
            )


def _days_of_player(
    matter: PlayerMatter, started: Moment | None
) -> Iterator[tuple[EventKind, Moment, str]]:
    if matter.joined is not None:
        is_later = started is None or started.precedes(matter.joined)
        yield "joined", matter.joined, "joined" if is_later else "was there from the first day"
    for span in matter.inactive:
        yield "paused", span.since, "became inactive"
        if span.until is not None and span.until != matter.left:
            yield "returned", span.until, "was active again"
    if matter.left is not None:
        yield "left", matter.left, "left"


def _of_turns(game_history: GameHistory) -> Iterator[GameEvent]:
    for turn in game_history.records.turns_in_order:
        for kind, moment, said in _days_of_turn(turn.matter):
            yield GameEvent(
                kind=kind,
                moment=moment,
                path=f"turns/{turn.ident}.yml",
                said=said,
                player=turn.matter.player,
                outcome="" if kind == "turn-began" else "passed" if turn.matter.passed else "ended",
                turn=turn.ident,
            )


def _days_of_turn(matter: TurnMatter) -> Iterator[tuple[EventKind, Moment | None, str]]:
    if matter.began is not None or matter.ended is None:
        yield "turn-began", matter.began, "began"
    if matter.ended is not None:
        thrown = f", throwing {' and '.join(map(str, matter.dice))}" if matter.dice else ""
        yield "turn-ended", matter.ended, f"{'passed' if matter.passed else 'ended'}{thrown}"


def _of_instruments(game_history: GameHistory) -> Iterator[GameEvent]:
    for kind in ("act", "judgement", "proposal"):
        for instrument in game_history.records.of_kind(kind):
            matter = instrument.matter
            if isinstance(matter, ProposalMatter):
                rules = tuple(
                    dict.fromkeys(each.target for each in instrument.instructions if each.target)
                )
                events = _days_of_proposal(game_history, instrument, matter)
            elif isinstance(matter, JudgementMatter):
                rules, events = tuple(matter.rules), _days_of_judgement(matter)
            else:
                rules = (RuleRef(matter.under),) if matter.under else ()
                events = iter([("acted", matter.date, instrument.name, "")])
            for event, moment, said, outcome in events:
                yield GameEvent(
                    kind=event,
                    moment=moment,
                    path=instrument.path,
                    said=said,
                    player=instrument.actor,
                    rules=rules,
                    outcome=outcome,
                    turn=matter.turn,
                )


_Day = tuple[EventKind, Moment | None, str, str]
"""Something that an instrument tells of: what, when, in words, and its outcome."""


def _days_of_proposal(
    game_history: GameHistory, instrument: Instrument, matter: ProposalMatter
) -> Iterator[_Day]:
    if matter.status == "draft":
        return
    if matter.date is not None or (
        matter.opened is None and matter.decided is None and matter.is_undecided
    ):
        yield "proposed", matter.date, "put forward", ""
    if matter.opened is not None:
        yield "opened", matter.opened, "put to the vote", ""
    if not matter.is_undecided:
        yield "decided", matter.decided, _outcome(game_history, instrument, matter), matter.status


def _outcome(game_history: GameHistory, instrument: Instrument, matter: ProposalMatter) -> str:
    tally = game_history.replay.tallies.get(instrument.path)
    if tally is None or not tally.recorded or matter.status == "withdrawn":
        return matter.status
    return (
        f"{matter.status}, {count_votes(tally.votes_for, tally.votes_against, tally.abstentions)}"
    )


def count_votes(for_: int, against: int, abstained: int) -> str:
    """Return `3 for, 1 against`, or `3 for, 1 against, 2 abstained`."""
    return f"{for_} for, {against} against{f', {abstained} abstained' if abstained else ''}"


def _days_of_judgement(matter: JudgementMatter) -> Iterator[_Day]:
    if matter.status != "pending":
        yield "judged", matter.date, "given", matter.status
        if matter.overruled is not None:
            yield "overruled", matter.overruled, "overruled", "overruled"


def _changes(game_history: GameHistory) -> Iterator[GameEvent]:
    """Yield the lines of rules' histories, except those of the initial set, in the order in which
    the ledger carries them out.
    """
    names = game_history.records.names
    events: list[tuple[int, int, GameEvent]] = []
    order = {step.instrument.path: place for place, step in enumerate(game_history.replay.steps)}
    for identity, history in game_history.histories.rules.items():
        for index, entry in enumerate(history.entries):
            if entry.step is None or entry.change is None:
                continue
            event = GameEvent(
                kind="changed",
                moment=entry.moment,
                path=entry.path,
                said=history_line(entry, names),
                player=entry.actor,
                rules=(RuleRef(entry.rule.number, entry.rule.revision),),
                outcome=entry.verb,
                entry=(identity, index),
                turn=entry.turn,
            )
            events.append((order[entry.path], entry.change.instruction.index, event))
    events.sort(key=lambda entry: entry[:2])
    yield from (event for _, _, event in events)


def _awards(game_history: GameHistory) -> Iterator[GameEvent]:
    """Yield the points of each occasion, summed up by player."""
    occasions: dict[tuple[str, Moment | None], dict[PlayerId, Fraction]] = {}
    for line in game_history.replay.awards:
        sums = occasions.setdefault((line.span.file, line.moment), {})
        sums[line.player] = sums.get(line.player, Fraction(0)) + line.amount
    for (path, moment), sums in occasions.items():
        instrument = game_history.records.instruments.get(path)
        turn = (
            path.removeprefix("turns/").removesuffix(".yml") if path.startswith("turns/") else None
        )
        points = tuple(sums.items())
        yield GameEvent(
            kind="awarded",
            moment=moment,
            path=path,
            said=", ".join(f"{player} {_signed(amount)}" for player, amount in points),
            player=instrument.actor if instrument else None,
            points=points,
            turn=instrument.matter.turn if instrument else turn,
        )


def _signed(amount: Fraction) -> str:
    return f"{'+' if amount > 0 else ''}{amount}"
