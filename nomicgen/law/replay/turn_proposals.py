"""Which proposals belong to a turn. `anybody` says that the law lets others than the turn's player
propose in it.
"""

from __future__ import annotations

from nomicgen.law.replay.watched_records import WatchedRecords
from nomicgen.model.front_matters import ProposalMatter
from nomicgen.model.records import Proposal, Turn


def has_proposal(turn: Turn, records: WatchedRecords, *, anybody: bool) -> bool:
    """Return whether a proposal was or may have been put forward in a turn: by its player, on its
    days.
    """

    def fits(proposal: Proposal) -> bool:
        return proposal.number is not None and _may_be_in(proposal.matter, turn, anybody=anybody)

    return any(records.matching(Proposal, fits))


def holds_proposal(turn: Turn, records: WatchedRecords, *, anybody: bool) -> bool:
    """Return whether a proposal stands that was certainly put forward in a turn; one that was taken
    back does not stand.
    """

    def fits(proposal: Proposal) -> bool:
        matter = proposal.matter
        is_later = (
            matter.date is not None
            and turn.matter.began is not None
            and turn.matter.began.precedes(matter.date)
        )
        is_own = matter.turn is None and is_later and is_of_turn(matter, turn, anybody=anybody)
        return matter.status not in ("draft", "withdrawn", "void") and (
            matter.turn == turn.ident or is_own
        )

    return any(records.matching(Proposal, fits))


def standing_in(turn: Turn, records: WatchedRecords) -> list[Proposal]:
    """Return what stands of the proposals that name a turn: no drafts, nothing taken back."""
    return list(
        records.matching(
            Proposal,
            lambda one: (
                one.matter.turn == turn.ident
                and one.matter.status not in ("draft", "withdrawn", "void")
            ),
        )
    )


def unopened_in(turn: Turn, records: WatchedRecords) -> list[int | None]:
    """Return the numbers of the proposals of a turn whose vote has not opened."""
    fits = records.matching(
        Proposal, lambda one: one.matter.turn == turn.ident and one.matter.status == "debate"
    )
    return [proposal.number for proposal in fits]


def is_of_turn(matter: ProposalMatter, turn: Turn, *, anybody: bool) -> bool:
    """Return whether a proposal that names no turn belongs to the turn that is played: that of the
    turn's player does, and one without an author.
    """
    return matter.author in (None, turn.matter.player) or anybody


def _may_be_in(matter: ProposalMatter, turn: Turn, *, anybody: bool) -> bool:
    """Return whether a proposal may have been put forward in a turn; without a date it was not."""
    if matter.turn is not None:
        return matter.turn == turn.ident
    began, ended = turn.matter.began, turn.matter.ended
    if (
        matter.date is None
        or matter.author is None
        or not is_of_turn(matter, turn, anybody=anybody)
    ):
        return False
    is_early = matter.date.precedes(began)
    return not is_early and not (ended is not None and ended.precedes(matter.date))
