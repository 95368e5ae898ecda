"""One text as a proof takes it: a single state, whose rules are the initial set."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from nomicgen.importers.certificate import Observed, StateTally, digest_of, given_at
from nomicgen.importers.omissions import Omission
from nomicgen.importers.proof import ProofState, prove
from nomicgen.law.replay.state import Replay
from nomicgen.model.records import Records


def observed_text(filename: str, data: bytes, omit: Sequence[Omission] = (), said: str = "") -> Observed:
    """What a text says; `said` are words that may stand in headings."""
    state = ProofState(place=filename, changed={filename: data})
    return Observed(kind="text", digest=digest_of([data]), compare=partial(_compare, state, omit, said))


def _compare(
    state: ProofState, omit: Sequence[Omission], said: str, records: Records, played: Replay, pages: Sequence[str]
) -> StateTally:
    return prove([state], given_at([state.place], records, played), omit, f"{records.settings.name} {said}", pages)
