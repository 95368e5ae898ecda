"""A text as the proof takes it: a single state, whose rules are the initial set."""

from __future__ import annotations

from collections.abc import Sequence

from nomicgen.importers.certificate import Observed, StateTally, digest_of, events_at
from nomicgen.importers.proof import ProofState, prove
from nomicgen.importers.source_map import SourceMap
from nomicgen.law.replay.results import Replay
from nomicgen.model.records import Records


def observed_text(filename: str, data: bytes, source_map: SourceMap) -> Observed:
    """Return a text as a source to compare a game with.

    The map says what is left out, which words may stand in headings, and whether the text is plain.
    """

    def compare(records: Records, played: Replay, pages: Sequence[str]) -> StateTally:
        state = ProofState(place=filename, changed={filename: data})
        events = events_at([filename], records, played)
        said = f"{records.settings.name} {source_map.heading_words}"
        return prove([state], events, source_map.omit, said, pages, source_map.text == "plain")

    return Observed(kind="text", digest=digest_of([data]), compare=compare)
