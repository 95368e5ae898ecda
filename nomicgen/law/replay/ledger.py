"""The records of a game as a replay asks for them: what it asks about instruments beside its own
event is kept.

So a replay can be gone on from: till somebody asked about an instrument, it makes no difference
what that says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from nomicgen.model.records import Instrument, Judgement, Proposal, Records

Question = tuple[int, Callable[[Instrument], bool]]
"""The place of the event at which somebody asked; whether an instrument may be the answer."""

_Kind = TypeVar("_Kind", Proposal, Judgement)


class Ledger:
    """The records of one replay. `place` is that of the event that is taken, `asked` what was asked
    so far.
    """

    def __init__(self, records: Records, asked: Iterable[Question] = ()) -> None:
        self.settings, self.players, self.turns = records.settings, records.players, records.turns
        self.turns_in_order = records.turns_in_order
        self.place = 0
        self.asked = [*asked]
        self._records = records

    def find(self, path: str) -> Instrument | None:
        """Return the instrument at a path."""
        self.asked.append((self.place, lambda instrument: instrument.path == path))
        return self._records.instruments.get(path)

    def matching(self, kind: type[_Kind], fits: Callable[[_Kind], bool]) -> Iterator[_Kind]:
        """Return the proposals, or the judgements, that fit."""
        self.asked.append(
            (self.place, lambda instrument: isinstance(instrument, kind) and fits(instrument))
        )
        return (
            instrument
            for instrument in self._records.of_kind(kind.kind)
            if isinstance(instrument, kind) and fits(instrument)
        )
