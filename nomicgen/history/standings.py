"""The scores as they stand: who has how many points, who has won, and what would win."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from nomicgen.law.precedence import Law
from nomicgen.law.questions import points_that_win
from nomicgen.law.replay.awarded_points import totals
from nomicgen.law.replay.player_spans import is_player
from nomicgen.law.replay.results import Replay, ScoreLine, Winner
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Records
from nomicgen.model.values import Moment


class Score(Struct, frozen=True, kw_only=True):
    """A player's points, and every award that makes them up. `plays` is False for a player who has
    left, is yet to come, is of the kind `past`, or has no file.
    """

    player: PlayerId
    total: Fraction
    lines: tuple[ScoreLine, ...]
    plays: bool


class Standings(Struct, frozen=True, kw_only=True):
    """All scores, the highest first, and who has won. `goal` is how many points win by the law of
    the day, and the number of the rule that says so; None if none does.
    """

    scores: tuple[Score, ...]
    winner: Winner | None = None
    goal: tuple[Fraction, int] | None = None

    def of(self, player: PlayerId) -> Score | None:
        return next((score for score in self.scores if score.player == player), None)


def standings_of(records: Records, replay: Replay, moment: Moment) -> Standings:
    """Return the scores of all persons in `players/`, and of everyone else who has been given
    points (such as a bot).
    """
    sums = totals(replay.awards)
    listed = {
        ident for ident, player in records.players.items() if player.matter.kind == "person"
    } | set(sums)
    lines: dict[PlayerId, list[ScoreLine]] = {ident: [] for ident in listed}
    for line in replay.awards:
        lines[line.player].append(line)
    scores = [
        Score(
            player=ident,
            total=sums.get(ident, Fraction(0)),
            lines=tuple(lines[ident]),
            plays=ident in records.players and is_player(records.players[ident], moment),
        )
        for ident in listed
    ]
    victory = points_that_win(Law.of(replay.current, records.settings, moment))
    return Standings(
        scores=tuple(sorted(scores, key=lambda score: (-score.total, score.player))),
        winner=replay.winner,
        goal=(victory.value, victory.rule) if victory else None,
    )
