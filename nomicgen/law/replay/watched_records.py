"""The records of a game, watched: which instruments a replay looked up, and at which event.

So a later replay knows how much of this one it can keep: up to the event at which somebody first
looked up an instrument that has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from nomicgen.model.records import Instrument, Judgement, Proposal, Records

Question = tuple[int, Callable[[Instrument], bool]]
"""The place of the event at which somebody asked; whether an instrument may be the answer."""

_Kind = TypeVar("_Kind", Proposal, Judgement)


class WatchedRecords:
    """The records of one replay.

    `place` is the number of events taken before; `asked` has what was looked up so far.
    """

    def __init__(self, records: Records, asked: Iterable[Question] = ()) -> None:
        self.settings, self.players, self.turns = records.settings, records.players, records.turns
        self.turns_in_order = records.turns_in_order
        self.place = 0
        self.asked = [*asked]
        self._records = records

    def find(self, path: str) -> Instrument | None:
        """Return the instrument at a path, None if there is none; note that it was looked up."""
        self.asked.append((self.place, lambda instrument: instrument.path == path))
        return self._records.instruments.get(path)

    def matching(self, kind: type[_Kind], fits: Callable[[_Kind], bool]) -> Iterator[_Kind]:
        """Return the proposals, or the judgements, that fit; note what was looked for."""
        self.asked.append(
            (self.place, lambda instrument: isinstance(instrument, kind) and fits(instrument))
        )
        return (
            instrument
            for instrument in self._records.of_kind(kind.kind)
            if isinstance(instrument, kind) and fits(instrument)
        )
