"""Who took part in a vote that was decided on the day on which they joined, left, rested or came
back.

Events of one day are ordered by their times. Where these do not tell, the ledger does: whoever
voted was there. Whoever did not vote counts as absent, unless the outcome can be explained only if
they took part.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterator
from datetime import date

from msgspec.structs import replace

from nomicgen.law.replay.moments import unordered
from nomicgen.law.replay.player_spans import turning_points
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Player, Players
from nomicgen.model.values import Moment


class PlayerDays:
    """The days on which players join, leave, rest or return, in a game that `started` on a day."""

    def __init__(self, players: Players, started: Moment | None) -> None:
        self._started = started
        self._changing: defaultdict[date, list[Player]] = defaultdict(list)
        for player in players.values():
            for day in {moment.day for moment in turning_points(player)}:
                self._changing[day].append(player)

    def views(
        self, players: Players, decided: Moment | None, voters: Container[PlayerId]
    ) -> Iterator[Players]:
        """Yield the players as they may have been when a vote was decided, likeliest first."""
        known = self._changing.get(decided.day, ()) if decided is not None else ()
        if decided is None or not any(
            unordered(point, decided) for each in known for point in turning_points(each)
        ):
            yield players
            return
        for there in (False, True):
            seen = {
                player.ident: self._there(player, decided)
                if there or player.ident in voters
                else self._absent(player, decided)
                for player in known
            }
            yield {**players, **seen}

    def _there(self, player: Player, decided: Moment) -> Player:
        matter = player.matter
        left = None if unordered(matter.left, decided) else matter.left
        inactive = [span for span in matter.inactive if not unordered(span.since, decided)]
        return replace(player, matter=matter.replace(left=left, inactive=inactive))

    def _absent(self, player: Player, decided: Moment) -> Player:
        """Return a player as absent where the day leaves it open.

        If the game is not known to have started before they joined, they are not taken out.
        """
        matter = player.matter
        if (
            self._started is not None
            and self._started.precedes(matter.joined)
            and unordered(matter.joined, decided)
        ):
            return replace(player, matter=matter.replace(left=matter.joined))
        inactive = [
            span.replace(until=None) if unordered(span.until, decided) else span
            for span in matter.inactive
        ]
        return replace(player, matter=matter.replace(inactive=inactive))
