"""Seats that nobody has claimed: present players whose files name no account and no key."""

from __future__ import annotations

from collections.abc import Iterable

from nomicgen.law.replay.player_spans import is_player
from nomicgen.model.records import Player
from nomicgen.model.values import Moment

# What somebody has to do who does not play.
JOIN = "join first, by a pull request with a file of your own in players/"
_SHOWN = 5
"""Ids that a message lists, at most."""


def is_unclaimed(player: Player, until: Moment) -> bool:
    """Return whether somebody plays at `until`, and is a person without account or signing key."""
    matter = player.matter
    return (
        matter.kind == "person"
        and not matter.accounts
        and not matter.keys_
        and is_player(player, until)
    )


def unclaimed_seats(players: Iterable[Player], until: Moment) -> tuple[str, ...]:
    """Return the ids of the players whose seats are unclaimed."""
    return tuple(player.ident for player in players if is_unclaimed(player, until))


def claim_line(login: str) -> str:
    """Return the line that claims a seat on GitHub."""
    return f"accounts: {{github: {login}}}"


def how_to_join(login: str, unclaimed: tuple[str, ...]) -> str:
    """Return what the owner of an account does to play: claim one of these seats, or join."""
    return f"{claim_seat(login, unclaimed)}; else {JOIN}" if unclaimed else JOIN


def claim_seat(login: str, unclaimed: tuple[str, ...]) -> str:
    """Return how the owner of an account claims one of these seats."""
    more = f" or {len(unclaimed) - _SHOWN} more" if len(unclaimed) > _SHOWN else ""
    return (
        f"if you are {', '.join(unclaimed[:_SHOWN])}{more}: add the line `{claim_line(login)}` to "
        "your file in players/, in a pull request of its own"
    )
