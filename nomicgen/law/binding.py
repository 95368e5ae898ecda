"""What of a proposal its votes bind: the whole text, or the instructions alone."""

from __future__ import annotations

from nomicgen.law.precedence import Law
from nomicgen.law.provisions.ballot import Ballot
from nomicgen.model.front_matters import ProposalMatter
from nomicgen.model.records import Instrument


def words_bound(law: Law, matter: ProposalMatter) -> str | None:
    """What `edits` comes to where a vote that opens under a law binds title and argument too; else None."""
    edits = law.value(Ballot.edits) or ("stand" if matter.ballot is None else "lapse")
    return None if edits == "stand" else edits


def due_digest(instrument: Instrument, law: Law) -> str | None:
    """The digest of a proposal whose vote opens now, with a token, under a law."""
    return instrument.digest if law.value(Ballot.edits) == "stand" else instrument.whole_digest
