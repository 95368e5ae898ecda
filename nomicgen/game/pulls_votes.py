"""The votes that were cast on pull requests, for whoever ends a vote."""

from __future__ import annotations

from collections.abc import Mapping

from nomicgen.forge.github import Recorded
from nomicgen.game.forge_tally import count_recorded
from nomicgen.game.load import Game
from nomicgen.game.voting import recorded
from nomicgen.model import Moment


def recorded_votes(game: Game, number: int, given: Recorded, on: Moment) -> Mapping[str, object]:
    """The votes on an open proposal as its file is to have them, with those of a recording that count at a moment.

    Raises Refused where the recording is not whole.
    """
    return recorded(count_recorded(game, number, given, on).matter)
