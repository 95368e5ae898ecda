"""Which pull requests are read: anybody may open one, and each that is read takes calls of the
forge and time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from msgspec import Struct

from nomicgen.play.load import Game
from nomicgen.pulls.drafts import proposal_debated_at
from nomicgen.pulls.forge.pull_list import PullRequest
from nomicgen.pulls.request import players_of


class PullChoice(Struct, frozen=True, kw_only=True):
    """Pull requests: those to `read`; the numbers of those by `strangers`, who are no players;
    those left for `later` runs.
    """

    read: tuple[PullRequest, ...]
    strangers: tuple[int, ...] = ()
    later: tuple[int, ...] = ()


def choose(game: Game, pulls: Sequence[PullRequest], most: int) -> PullChoice:
    """Return which pull requests are read: all that hold a registered proposal, and at most
    `most` others that players have opened.

    Each player's oldest comes first, then each one's next: whoever opens many keeps nobody else's
    waiting.
    """
    read: list[PullRequest] = []
    strangers: list[int] = []
    others: dict[str, list[PullRequest]] = defaultdict(list)
    players = game.records.players.values()
    for pull in sorted(pulls, key=lambda pull: pull.number):
        login = pull.login or ""
        if proposal_debated_at(game, pull.url):
            read.append(pull)
        elif players_of(login, players):
            others[login.lower()].append(pull)
        else:
            strangers.append(pull.number)
    queue = [
        (rank, pull.number, pull) for mine in others.values() for rank, pull in enumerate(mine)
    ]
    queue.sort(key=lambda place: place[:2])
    read += [pull for _, _, pull in queue[:most]]
    return PullChoice(
        read=tuple(sorted(read, key=lambda pull: pull.number)),
        strangers=tuple(strangers),
        later=tuple(sorted(number for _, number, _ in queue[most:])),
    )
