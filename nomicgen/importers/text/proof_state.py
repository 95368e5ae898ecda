"""A text as the proof takes it: a single state, whose rules are the initial set."""

from __future__ import annotations

from collections.abc import Sequence

from nomicgen.importers.certificate import Observed, StateTally, digest_of, events_at
from nomicgen.importers.omissions import Omission
from nomicgen.importers.proof import ProofState, prove
from nomicgen.law.replay.results import Replay
from nomicgen.model.records import Records


def observed_text(
    filename: str, data: bytes, omit: Sequence[Omission] = (), said: str = ""
) -> Observed:
    """Return a text as a source to compare a game with.

    `omit` is what the map leaves out, and `said` are words that may stand in headings.
    """

    def compare(records: Records, played: Replay, pages: Sequence[str]) -> StateTally:
        state = ProofState(place=filename, changed={filename: data})
        events = events_at([filename], records, played)
        return prove([state], events, omit, f"{records.settings.name} {said}", pages)

    return Observed(kind="text", digest=digest_of([data]), compare=compare)
