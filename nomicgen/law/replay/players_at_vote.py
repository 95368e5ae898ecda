"""Who takes part in a vote on the day on which they join, leave, rest or come back.

Events of one day are ordered by their times. Where these do not tell, the ledger does: whoever
voted was there. In a vote that was decided then, whoever did not vote counts as absent, unless the
outcome can be explained only if they took part. In one that is not decided yet, whoever has come by
then can still vote, and whoever has gone cannot.
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
        self,
        players: Players,
        decided: Moment | None,
        voters: Container[PlayerId],
        *,
        is_undecided: bool = False,
    ) -> Iterator[Players]:
        """Yield the players as they may have been when a vote was `decided`, likeliest first; if it
        is undecided, as they take part in it at that moment.
        """
        known = self._changing.get(decided.day, ()) if decided is not None else ()
        if decided is None or not any(
            unordered(point, decided) for each in known for point in turning_points(each)
        ):
            yield players
            return
        if is_undecided:
            voted = (each for each in known if each.ident in voters)
            yield {**players, **{each.ident: self._there(each, decided) for each in voted}}
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
