"""The records of a game as a replay asks for them: what it asks about instruments beside its own event is kept.

So a replay can be gone on from: till somebody asked about an instrument, it makes no difference what that says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from nomicgen.model import Instrument, InstrumentKind, Records

Question = tuple[int, Callable[[Instrument], bool]]
"""The place of the event at which somebody asked, and whether an instrument could have been the answer."""


class Ledger:
    """The records of one replay. `place` is that of the event that is taken, `asked` what was asked so far."""

    def __init__(self, records: Records, asked: Iterable[Question] = ()) -> None:
        self.settings, self.players, self.turns = records.settings, records.players, records.turns
        self.place = 0
        self.asked = [*asked]
        self._records = records

    def find(self, path: str) -> Instrument | None:
        """The instrument at a path."""
        self.asked.append((self.place, lambda one: one.path == path))
        return self._records.instruments.get(path)

    def matching(self, kind: InstrumentKind, fits: Callable[[Instrument], bool]) -> Iterator[Instrument]:
        """The instruments of a kind that fit."""
        self.asked.append((self.place, lambda one: one.kind == kind and fits(one)))
        return filter(fits, self._records.of_kind(kind))
