"""Votes that are over: when each ended, and the moves that decide them, in the order in which they
ended. Each is decided as of the moment at which it ended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from msgspec.structs import replace

from nomicgen.law.checks.derived import ruleset_status
from nomicgen.law.questions import again_until, vote_closes
from nomicgen.law.replay.player_spans import turning_points
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.values import Moment
from nomicgen.play.advancing import advance
from nomicgen.play.load import Game, as_of, law_on, load_tree
from nomicgen.play.move import Move, Part
from nomicgen.play.proposing import proposal_of
from nomicgen.play.refusal import Refused
from nomicgen.play.resolving import apply_rules, decisions_and_effects, resolve, with_votes

Votes = Mapping[PlayerId, object]
"""Votes on a proposal, as its file has them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteSources:
    """Where to find votes that the game's files do not have yet, such as on a forge. By default
    there is no such place.

    `votes` returns the votes on a proposal that count at a moment (None: those in its file), and
    may raise Refused. `merges` returns the commit that becomes the second parent if the proposal is
    adopted, or None and a line that says why there is none. `skips` has the numbers of proposals to
    leave alone. `waits` gets a file and its deadline, and says whether to write the end later.
    """

    votes: Callable[[Game, int, Moment], Votes | None] = lambda game, number, on: None
    merges: Callable[[Game, int], tuple[str | None, str]] = lambda game, number: (None, "")
    skips: frozenset[int] = frozenset()
    waits: Callable[[str, Moment], bool] = lambda path, due: False

    def counted(self, game: Game, on: Moment) -> Game:
        """Return the game with the votes that count at a moment, as far as they can be read."""
        for number in open_votes(game):
            with suppress(Refused):
                game = with_votes(
                    game, number, self.votes(game, number, on) if number not in self.skips else None
                )
        return game


def open_votes(game: Game) -> Iterator[int]:
    """Yield the numbers of the proposals whose votes are open."""
    for proposal in game.records.of_kind("proposal"):
        if proposal.matter.status == "open" and proposal.number is not None:
            yield proposal.number


def vote_end(game: Game, number: int, on: Moment) -> Moment | None:
    """Return when the vote on a proposal ended by `on`, None where it goes on.

    It ends once all have voted who may, or else when its time is up: after its last day, since a
    vote of that day counts. While it may be opened again, it goes on. It ends no earlier than the
    last decision and the last change of the rules, since nothing may be decided before these.
    """
    matter = proposal_of(game, number).matter
    if matter.status != "open":
        return None
    closes = vote_closes(law_on(game, on), matter.opened or matter.date)
    over = closes is not None and closes.precedes(on)
    floor = max((moment for _, _, moment in decisions_and_effects(game)), default=None)
    limit = closes if closes is not None and over else on
    end = _all_voted(game, number, limit if floor is None else max(limit, floor), floor) or (
        closes if over else None
    )
    again = again_until(proposal_of(game, number), game.records.turns, law_on(game, on))
    if again is not None and end is not None and not again[0].precedes(on):
        return None
    # A tie is broken after the time is up, so a vote may be later than the end.
    last = max(
        (vote.at for vote in (matter.votes or {}).values() if vote.at is not None), default=None
    )
    starts = [
        moment
        for moment in (end, floor, matter.opened, last, again and again[0])
        if moment is not None
    ]
    return max(starts) if end is not None else None


def _all_voted(game: Game, number: int, limit: Moment, floor: Moment | None) -> Moment | None:
    """Return the first moment, from `floor` to `limit`, at which everyone had voted who could; None
    if there is none.

    That may also be when the last player who had not voted left or became inactive.
    """
    instrument = proposal_of(game, number)
    matter = instrument.matter
    cast = [vote.at for vote in (matter.votes or {}).values()]
    dated = [moment for moment in cast if moment is not None]
    # A vote without a day counts as given at `limit`.
    first = max(dated) if cast and len(dated) == len(cast) else limit
    first = first if floor is None else max(first, floor)
    changes = {
        moment for player in game.records.players.values() for moment in turning_points(player)
    }
    for moment in (first, *sorted(change for change in changes if first < change)):
        if limit.precedes(moment):
            break
        tally = as_of(game, moment).replay.tallies.get(instrument.path)
        if tally is not None and tally.eligible and not tally.missing and not tally.silent:
            return moment
    return None


def votes_with_ends(
    game: Game, on: Moment, sources: VoteSources
) -> Iterator[tuple[int, Moment | Refused | None]]:
    """Yield the number of each open vote that is not skipped, and when it ended by `on`: None if it
    goes on, Refused if it cannot be counted.
    """
    for number in open_votes(game):
        if number not in sources.skips:
            try:
                counted = with_votes(game, number, sources.votes(game, number, on))
                yield number, vote_end(counted, number, on)
            except Refused as refused:
                yield number, refused


@dataclass(slots=True)
class MoveSequence:
    """Moves that are made one after the other, in memory.

    It has their `parts`, the lines to print, and in `refused`, by number, why a vote could not be
    ended.
    """

    before: Game
    on: Moment
    game: Game = field(init=False)
    parts: list[Part] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    refused: dict[int, Refused] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.game = self.before

    def make(self, move: Move) -> None:
        """Add a move, and go on with the game after it, as of the day of `before`."""
        if move.parts:
            self.parts += [replace(part, on=part.on or move.on) for part in move.parts]
            self.said += move.said
            self.game = load_tree(self.before.root, move.after.tree, self.before.until, move.after)

    def catch_up(self, on: Moment, sources: VoteSources) -> None:
        """Add what the rules did by themselves up to `on`, and bring `rules/` up to date."""
        self.make(advance(self.game, on, lambda game: sources.counted(game, on), sources.waits))
        then = as_of(self.game, on)
        if ruleset_status(then.records, then.replay).waiting:
            self.make(replace(apply_rules(then), on=on))

    def decide(self, sources: VoteSources) -> None:
        """End every vote that is over, the earliest first.

        Each end can change the outcome of the others, so they are looked at anew after it, also
        those that were refused.
        """
        while any(self._end(number, moment, sources) for moment, number in self._over(sources)):
            pass

    def _over(self, sources: VoteSources) -> list[tuple[Moment, int]]:
        """Return the votes that are over, with when they ended, in that order."""
        over = []
        for number, moment in votes_with_ends(self.game, self.on, sources):
            if isinstance(moment, Refused):
                self.refused[number] = moment
                continue
            self.refused.pop(number, None)
            if moment is not None:
                over.append((moment, number))
        return sorted(over)

    def _end(self, number: int, moment: Moment, sources: VoteSources) -> bool:
        """End one vote as of a moment; return whether that could be done."""
        try:
            self.catch_up(moment, sources)
            votes = sources.votes(self.game, number, moment)
            merges, why = sources.merges(self.game, number)
            move = resolve(self.game, number, moment, votes=votes, merges=merges, now=self.on)
        except Refused as refused:
            self.refused[number] = refused
            return False
        adopted = any(("Outcome", "adopted") in part.trailers for part in move.parts)
        self.make(replace(move, said=(*move.said, f"  {why}")) if adopted and why else move)
        return True

    @property
    def move(self) -> Move:
        """All moves as one."""
        return Move(
            before=self.before,
            after=self.game,
            parts=tuple(self.parts),
            said=tuple(self.said),
            on=self.on,
        )
