"""`nomicgen` as it would run at the moment that FORGE_NOW names: nothing else differs from the real program."""

from __future__ import annotations

import os
from datetime import datetime, tzinfo
from importlib import import_module
from typing import Self

from nomicgen.cli import main

_NOW = datetime.fromisoformat(os.environ["FORGE_NOW"])


class _Clock(datetime):
    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        there = _NOW.astimezone(tz)
        return cls.fromisoformat(there.isoformat())


if __name__ == "__main__":
    # `nomicgen.game.load` is a function for whoever asks the package.
    for name in ("nomicgen.game.ended_votes", "nomicgen.game.load"):
        vars(import_module(name))["datetime"] = _Clock
    main()
