"""The electorate of a game: who plays on a day and who may vote then, each span of days looked up once."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from nomicgen.identifiers import PlayerId
from nomicgen.model import Moment, Player, Players, bare_key

VotersAndPlayers = tuple[tuple[PlayerId, ...], tuple[PlayerId, ...]]
"""The ids of those who may vote, and of all who have a seat, each in alphabetical order."""


def _within(moment: Moment | None, since: Moment | None, until: Moment | None) -> bool:
    """Whether `moment` is in the span from `since` to before `until`, as far as these are said.

    Without a moment, whether the span has no end.
    """
    if moment is None:
        return until is None
    return (since is None or not moment.precedes(since)) and (until is None or moment.precedes(until))


def is_player(player: Player, moment: Moment | None) -> bool:
    """Whether somebody plays at `moment`: from the moment of joining to before that of leaving.

    Nobody whom only an archive names does.
    """
    if player.matter.kind == "past":
        return False
    return moment is None or _within(moment, player.matter.joined, player.matter.left)


def has_left(player: Player, moment: Moment | None) -> bool:
    """Whether somebody has left by `moment`; without a moment, whether the player ever leaves."""
    left = player.matter.left
    return left is not None and (moment is None or not moment.precedes(left))


def are_together(one: Player, other: Player) -> bool:
    """Whether two are players at the same time. Who has no day of joining has always been there, if not in the past."""
    if "past" in (one.matter.kind, other.matter.kind):
        return False
    return _reaches(one.matter.joined, other.matter.left) and _reaches(other.matter.joined, one.matter.left)


def _reaches(joined: Moment | None, left: Moment | None) -> bool:
    return joined is None or left is None or joined.precedes(left)


def is_active(player: Player, moment: Moment | None) -> bool:
    """Whether a player is outside all spans of inactivity at `moment`."""
    return moment is None or not any(_within(moment, span.since, span.until) for span in player.matter.inactive)


def holds_role(player: Player, role: str, moment: Moment | None) -> bool:
    """Whether a player has a role at `moment`, as the player's file says."""
    return any(held.role == role and _within(moment, held.since, held.until) for held in player.matter.roles)


def keys_of(player: Player, moment: Moment | None) -> tuple[str, ...]:
    """The public SSH keys that sign in a player's name at `moment`, without their comments."""
    held = (bare_key(one.key) for one in player.matter.keys_ if _within(moment, one.since, one.until))
    return tuple(dict.fromkeys(held))


def strength_of(player: Player, moment: Moment | None) -> int:
    """How many votes a player's vote counts at `moment`: as the stretch says that began last, else 1.

    Without a moment it is the last stretch that has no end.
    """
    at_work = [one for one in player.matter.strength if _within(moment, one.since, one.until)]
    # Of stretches that began together the one that is written last holds: sorting keeps their order.
    return sorted(at_work, key=lambda one: one.since)[-1].votes if at_work else 1


class Electorate(Mapping[PlayerId, Player]):
    """The players by id, and what was found out about them: a ledger asks for the voters of each of its votes.

    Between two days on which somebody joins, leaves, rests or comes back, the answer is the same. On such a day the
    hour counts.
    """

    def __init__(self, players: Players) -> None:
        self._players = players
        self._days = sorted({one.day for player in players.values() for one in turning_points(player)})
        self._known: dict[tuple[object, ...], VotersAndPlayers] = {}

    @classmethod
    def of(cls, players: Players) -> Electorate:
        """The electorate of these players; they themselves, if they are one."""
        return players if isinstance(players, Electorate) else cls(players)

    def revived(self) -> Electorate:
        """The electorate as it was in the days of those whom an archive names: they play too."""
        persons = {ident: _as_person(one) if one.matter.kind == "past" else one for ident, one in self.items()}
        return Electorate(persons)

    def __getitem__(self, ident: PlayerId) -> Player:
        return self._players[ident]

    def __iter__(self) -> Iterator[PlayerId]:
        return iter(self._players)

    def __len__(self) -> int:
        return len(self._players)

    def lists(
        self, moment: Moment | None, *, dummies: bool, active: bool, breaker: PlayerId | None
    ) -> VotersAndPlayers:
        """Who may vote and who has a seat at `moment`.

        `dummies` says whether dummies vote, `active` whether only who is active does; `breaker` has no vote.
        """
        key = (self._span(moment), dummies, active, breaker)
        found = self._known.get(key)
        if found is None:
            kinds = ("person", "dummy") if dummies else ("person",)
            seated = [one for one in self._players.values() if one.matter.kind in kinds and is_player(one, moment)]
            voting = [one for one in seated if one.ident != breaker and (not active or is_active(one, moment))]
            found = tuple(sorted(one.ident for one in voting)), tuple(sorted(one.ident for one in seated))
            self._known[key] = found
        return found

    def _span(self, moment: Moment | None) -> object:
        """What two moments have in common between which nothing changes."""
        if moment is None:
            return None
        place = bisect_left(self._days, moment.day)
        if place < len(self._days) and self._days[place] == moment.day:
            return moment.day, moment.clock, moment.timed
        return place


def _as_person(player: Player) -> Player:
    return replace(player, matter=player.matter.replace(kind="person"))


def turning_points(player: Player) -> Iterator[Moment]:
    """When a player joins, leaves, rests or comes back."""
    matter = player.matter
    spans = (one for span in matter.inactive for one in (span.since, span.until))
    return (one for one in (matter.joined, matter.left, *spans) if one is not None)
