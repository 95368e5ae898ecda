"""Loads a game to publish: as of today, or of the day that SOURCE_DATE_EPOCH names.

With that variable, anybody can build the same site again on a later day.
"""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

from nomicgen.model.settings import Settings
from nomicgen.model.values import Moment
from nomicgen.play.load import Game, load, load_tree, zone_of
from nomicgen.play.refusal import Refused

_VARIABLE = "SOURCE_DATE_EPOCH"
_REMEDY = f"unset it, or take a commit's: `{_VARIABLE}=$(git log -1 --format=%ct)`"


def load_to_publish(start: Path) -> Game:
    """Return the game that `start` lies in, as of today or of the day of SOURCE_DATE_EPOCH.

    That variable holds seconds since 1970; many tools read it to build the same bytes again.
    Raises Refused if it holds no number, or a day before the game began; RepositoryError if there
    is no game.
    """
    game = load(start)
    seconds = os.environ.get(_VARIABLE)
    if seconds is None:
        return game
    on = _day(seconds, game.settings)
    return game if on == game.until else load_tree(game.root, game.tree, on, game)


def _day(seconds: str, settings: Settings) -> Moment:
    """Return the day of a number of seconds since 1970, in the game's time zone."""
    try:
        on = Moment.of(datetime.fromtimestamp(int(seconds), zone_of(settings)).date())
    except (ValueError, OverflowError, OSError) as error:
        raise Refused(
            f"{_VARIABLE} is {seconds!r}, which is no number of seconds since 1970", _REMEDY
        ) from error
    if settings.started is not None and on.day < settings.started.day:
        raise Refused(f"{_VARIABLE} is of {on}, and the game began on {settings.started}", _REMEDY)
    return on
