"""`nomicgen` as it would run at the moment that FORGE_NOW names: nothing else differs from the real
program.
"""

from __future__ import annotations

import os
from datetime import datetime, tzinfo
from typing import Self

from nomicgen.cli.program import main
from nomicgen.play import load

_NOW = datetime.fromisoformat(os.environ["FORGE_NOW"])


class _Clock(datetime):
    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        there = _NOW.astimezone(tz)
        return cls.fromisoformat(there.isoformat())


if __name__ == "__main__":
    vars(load)["datetime"] = _Clock
    main()
