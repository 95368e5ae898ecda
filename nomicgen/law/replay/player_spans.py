"""Who plays on a day, who is active then, and what else a player's file says of days."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Player, Players
from nomicgen.model.values import Moment


def _within(moment: Moment | None, since: Moment | None, until: Moment | None) -> bool:
    """Return whether `moment` is in the span from `since` to before `until`; None leaves that side
    open.

    Without a moment, whether the span has no end.
    """
    if moment is None:
        return until is None
    return (since is None or not moment.precedes(since)) and (
        until is None or moment.precedes(until)
    )


def is_player(player: Player, moment: Moment | None) -> bool:
    """Return whether somebody plays at `moment`: from the moment of joining to before that of
    leaving. Without a moment everybody does.

    A player of the kind `past`, whom only an archive names, never does.
    """
    if player.matter.kind == "past":
        return False
    return moment is None or _within(moment, player.matter.joined, player.matter.left)


def has_left(player: Player, moment: Moment | None) -> bool:
    """Return whether somebody has left by `moment`; without a moment, whether the player ever
    leaves.
    """
    left = player.matter.left
    return left is not None and (moment is None or not moment.precedes(left))


def are_together(one: Player, other: Player) -> bool:
    """Return whether two are players at the same time. A player without a day of joining has always
    been there; one of the kind `past` never has.
    """
    if "past" in (one.matter.kind, other.matter.kind):
        return False
    return _reaches(one.matter.joined, other.matter.left) and _reaches(
        other.matter.joined, one.matter.left
    )


def _reaches(joined: Moment | None, left: Moment | None) -> bool:
    """Return whether one player had joined before another one left."""
    return joined is None or left is None or joined.precedes(left)


def is_active(player: Player, moment: Moment | None) -> bool:
    """Return whether a player is outside all spans of inactivity at `moment`. Without a moment
    everybody is.
    """
    return moment is None or not any(
        _within(moment, span.since, span.until) for span in player.matter.inactive
    )


def holds_role(player: Player, role: str, moment: Moment | None) -> bool:
    """Return whether a player has a role at `moment`, as the player's file says. Without a moment
    only roles count that have no end.
    """
    return any(
        held.role == role and _within(moment, held.since, held.until)
        for held in player.matter.roles
    )


def holders(role: str, players: Players, moment: Moment | None) -> tuple[PlayerId, ...]:
    """Return the ids of those who play and hold a role at a moment, in alphabetical order."""
    return tuple(
        sorted(
            player.ident
            for player in players.values()
            if is_player(player, moment) and holds_role(player, role, moment)
        )
    )


def strength_of(player: Player, moment: Moment | None) -> int:
    """Return how many votes a player's vote is worth at `moment`: what the span of `strength` that
    began last says, else 1.

    Without a moment, only spans without an end count.
    """
    current = [
        strength
        for strength in player.matter.strength
        if _within(moment, strength.since, strength.until)
    ]
    # Sorting keeps the order of spans that began together: the one that is written last holds.
    return sorted(current, key=lambda strength: strength.since)[-1].votes if current else 1


def revive_archived(players: Players) -> Players:
    """Return the players; those of the kind `past` are persons, as they were in the archive."""
    return {
        ident: replace(player, matter=player.matter.replace(kind="person"))
        if player.matter.kind == "past"
        else player
        for ident, player in players.items()
    }


def turning_points(player: Player) -> Iterator[Moment]:
    """Yield the moments at which a player joins, leaves, rests or comes back, in no order."""
    matter = player.matter
    spans = (moment for span in matter.inactive for moment in (span.since, span.until))
    yield from (moment for moment in (matter.joined, matter.left, *spans) if moment is not None)
