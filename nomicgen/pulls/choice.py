"""Which pull requests a run reads. Anybody may open one, and to read one takes time, and calls of
the forge's API.
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
    """The pull requests to `read`, and the numbers of the others: `strangers` are those that were
    not opened by players, `later` those that are left for later runs.
    """

    read: tuple[PullRequest, ...]
    strangers: tuple[int, ...] = ()
    later: tuple[int, ...] = ()


def choose(game: Game, pulls: Sequence[PullRequest], most: int) -> PullChoice:
    """Return which pull requests are read: all that hold a registered proposal, and at most
    `most` others that players have opened.

    Of these others, each player's oldest comes first, then each player's second, and so on: nobody
    waits for those who open many.
    """
    read: list[PullRequest] = []
    strangers: list[int] = []
    others: dict[str, list[PullRequest]] = defaultdict(list)
    for pull in sorted(pulls, key=lambda pull: pull.number):
        login = pull.login or ""
        if proposal_debated_at(game, pull.url):
            read.append(pull)
        elif players_of(login, game.records.players.values()):
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
