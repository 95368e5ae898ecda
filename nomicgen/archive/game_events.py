"""Everything that happened in a game, in order: what pages, feeds and data tell of its course.

What an archive has no date for stands at the end. Nothing here is decided anew: outcomes, effects and points are those
of the replay.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Literal, get_args

from msgspec import Struct

from nomicgen.archive.archive_view import Archive
from nomicgen.archive.history_lines import history_line
from nomicgen.identifiers import PlayerId
from nomicgen.model import (
    ActMatter,
    Instrument,
    JudgementMatter,
    Moment,
    Player,
    ProposalMatter,
    RuleRef,
    Turn,
)

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
_FIRST = ("begun", "joined", "returned")
_LAST = ("won", "paused", "left")


class GameEvent(Struct, frozen=True, kw_only=True):
    """One thing that happened.

    `path` is the file of the game that tells of it (an instrument, `players/wren.yml`, `turns/R4T3.yml`, `nomic.yml`);
    `player` whose doing it was, or whom it befell (a rule's number where a rule acted by itself); `rules` what it
    changed or construed. `said` is plain text: what befell its subject (`adopted, 4 for, 1 against`), of a change the
    whole history line. `outcome` is the status of what was decided or judged, the verb of a change; `entry` the line of
    a rule's history that a change is (identity, index); `points` who was given how many, summed up; `players` who won.
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


def game_events(archive: Archive) -> tuple[GameEvent, ...]:
    """Every event of a game, the earliest first; in the ledger's order within a moment, those without a date last."""
    found = [*_of_game(archive), *_of_players(archive), *_of_turns(archive), *_of_instruments(archive)]
    found += [*_changes(archive), *_awards(archive)]
    orders = {ident: turn.order for ident, turn in archive.records.turns.items()}
    keyed = [(_key(event, orders, archive), index, event) for index, event in enumerate(found)]
    keyed.sort(key=lambda one: one[:2])
    return tuple(event for _, _, event in keyed)


def _key(event: GameEvent, orders: Mapping[str, tuple[int, int]], archive: Archive) -> tuple[object, ...]:
    """Of one moment: who came, the turns with what was done in them, the rest, then who won and who went."""
    when = (False, event.moment) if event.moment else (True, Moment.parse("0001-01-01"))
    instrument = archive.records.instruments.get(event.path)
    number = (instrument.number or 0) if instrument else 0
    if event.kind in _FIRST:
        return (*when, 0, (0, 0), "", _FIRST.index(event.kind))
    if event.kind in _LAST:
        return (*when, 3, (0, 0), "", _LAST.index(event.kind))
    order = orders.get(event.turn or "")
    inner = -1 if event.kind == "turn-began" else 10**9 + 1 if event.path.startswith("turns/") else number
    return (*when, 1 if order else 2, order or (0, 0), inner, event.path, _ORDER[event.kind])


def _of_game(archive: Archive) -> Iterator[GameEvent]:
    count = len(archive.replay.initial)
    if count or archive.records.settings.started:
        said = f"the game began with {count} {'rule' if count == 1 else 'rules'}"
        yield GameEvent(kind="begun", moment=archive.records.settings.started, path="nomic.yml", said=said)
    winner = archive.replay.winner
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


def _of_players(archive: Archive) -> Iterator[GameEvent]:
    for player in sorted(archive.records.players.values(), key=lambda one: one.ident):
        yield from _of_player(player, archive.records.settings.started)


def _of_player(player: Player, started: Moment | None) -> Iterator[GameEvent]:
    matter, path = player.matter, f"players/{player.ident}.yml"
    if matter.joined is not None:
        said = "joined" if started is None or started.precedes(matter.joined) else "was there from the first day"
        yield GameEvent(kind="joined", moment=matter.joined, path=path, said=said, player=player.ident)
    for span in matter.inactive:
        yield GameEvent(kind="paused", moment=span.since, path=path, said="became inactive", player=player.ident)
        if span.until is not None and span.until != matter.left:
            yield GameEvent(kind="returned", moment=span.until, path=path, said="was active again", player=player.ident)
    if matter.left is not None:
        yield GameEvent(kind="left", moment=matter.left, path=path, said="left", player=player.ident)


def _of_turns(archive: Archive) -> Iterator[GameEvent]:
    for turn in archive.records.turns_in_order:
        yield from _of_turn(turn)


def _of_turn(turn: Turn) -> Iterator[GameEvent]:
    matter, path = turn.matter, f"turns/{turn.ident}.yml"
    if matter.began is not None or matter.ended is None:
        yield GameEvent(
            kind="turn-began", moment=matter.began, path=path, said="began", player=matter.player, turn=turn.ident
        )
    if matter.ended is not None:
        thrown = f", throwing {' and '.join(map(str, matter.dice))}" if matter.dice else ""
        outcome = "passed" if matter.passed else "ended"
        yield GameEvent(
            kind="turn-ended",
            moment=matter.ended,
            path=path,
            said=f"{outcome}{thrown}",
            player=matter.player,
            outcome=outcome,
            turn=turn.ident,
        )


def _of_instruments(archive: Archive) -> Iterator[GameEvent]:
    for kind in ("act", "judgement", "proposal"):
        for one in archive.records.of_kind(kind):
            if isinstance(one.matter, ProposalMatter):
                yield from _of_proposal(archive, one, one.matter)
            elif isinstance(one.matter, JudgementMatter):
                yield from _of_judgement(one, one.matter)
            elif isinstance(one.matter, ActMatter):
                yield GameEvent(
                    kind="acted",
                    moment=one.matter.date,
                    path=one.path,
                    said=one.name,
                    player=one.actor,
                    rules=(RuleRef(one.matter.under),) if one.matter.under else (),
                    turn=one.matter.turn,
                )


def _of_proposal(archive: Archive, one: Instrument, matter: ProposalMatter) -> Iterator[GameEvent]:
    if matter.status == "draft":
        return
    rules = tuple(dict.fromkeys(each.target for each in one.instructions if each.target))
    if matter.date is not None or (matter.opened is None and matter.decided is None and matter.is_undecided):
        yield _event(one, "proposed", matter.date, "put forward", rules)
    if matter.opened is not None:
        yield _event(one, "opened", matter.opened, "put to the vote", rules)
    if not matter.is_undecided:
        yield _event(one, "decided", matter.decided, _outcome(archive, one, matter), rules, matter.status)


def _outcome(archive: Archive, one: Instrument, matter: ProposalMatter) -> str:
    tally = archive.replay.tallies.get(one.path)
    if tally is None or not tally.recorded or matter.status == "withdrawn":
        return matter.status
    for_, against, abstained = tally.votes_for, tally.votes_against, tally.abstentions
    return f"{matter.status}, {count_votes(for_, against, abstained)}"


def count_votes(for_: int, against: int, abstained: int) -> str:
    """`3 for, 1 against`: those who abstained are named where there are any."""
    return f"{for_} for, {against} against{f', {abstained} abstained' if abstained else ''}"


def _of_judgement(one: Instrument, matter: JudgementMatter) -> Iterator[GameEvent]:
    if matter.status == "pending":
        return
    rules = tuple(matter.rules)
    yield _event(one, "judged", matter.date, "given", rules, matter.status)
    if matter.overruled is not None:
        yield _event(one, "overruled", matter.overruled, "overruled", rules, "overruled")


def _event(
    one: Instrument,
    kind: EventKind,
    moment: Moment | None,
    said: str,
    rules: tuple[RuleRef, ...],
    outcome: str = "",
) -> GameEvent:
    return GameEvent(
        kind=kind,
        moment=moment,
        path=one.path,
        said=said,
        player=one.actor,
        rules=rules,
        outcome=outcome,
        turn=one.matter.turn,
    )


def _changes(archive: Archive) -> Iterator[GameEvent]:
    """Each line of a rule's history but the initial ones, in the order of the instruments' own instructions."""
    names = archive.records.names
    found: list[tuple[int, int, GameEvent]] = []
    order = {step.instrument.path: place for place, step in enumerate(archive.replay.steps)}
    for identity, history in archive.histories.rules.items():
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
            found.append((order[entry.path], entry.change.instruction.index, event))
    found.sort(key=lambda one: one[:2])
    yield from (event for _, _, event in found)


def _awards(archive: Archive) -> Iterator[GameEvent]:
    """The points of each occasion, summed up by player."""
    found: dict[tuple[str, Moment | None], dict[PlayerId, Fraction]] = {}
    for line in archive.replay.awards:
        sums = found.setdefault((line.span.file, line.moment), {})
        sums[line.player] = sums.get(line.player, Fraction(0)) + line.amount
    for (path, moment), sums in found.items():
        one = archive.records.instruments.get(path)
        turn = path.removeprefix("turns/").removesuffix(".yml") if path.startswith("turns/") else None
        points = tuple(sums.items())
        yield GameEvent(
            kind="awarded",
            moment=moment,
            path=path,
            said=", ".join(f"{player} {_signed(amount)}" for player, amount in points),
            player=one.actor if one else None,
            points=points,
            turn=one.matter.turn if one else turn,
        )


def _signed(amount: Fraction) -> str:
    return f"{'+' if amount > 0 else ''}{amount}"
