"""Which proposals belong to a turn.

`anybody` says that the law lets others than the turn's player propose in it.
"""

from __future__ import annotations

from nomicgen.law.replay.watched_records import WatchedRecords
from nomicgen.model.front_matters import ProposalMatter
from nomicgen.model.records import Proposal, Turn


def has_proposal(turn: Turn, records: WatchedRecords, *, anybody: bool) -> bool:
    """Return whether a proposal that has a number was or may have been put forward in a turn, even
    if it was withdrawn.
    """

    def fits(proposal: Proposal) -> bool:
        return proposal.number is not None and _may_be_in(proposal.matter, turn, anybody=anybody)

    return any(records.matching(Proposal, fits))


def keeps_proposal(turn: Turn, records: WatchedRecords, *, anybody: bool) -> bool:
    """Return whether a proposal was certainly put forward in a turn, and was not taken back: it is
    not withdrawn, void or a draft.

    The turn is taken to go on.
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
    """Return the proposals that name a turn, except drafts and those withdrawn or void."""
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
    """Return the numbers of the proposals in debate that name a turn."""
    fits = records.matching(
        Proposal, lambda one: one.matter.turn == turn.ident and one.matter.status == "debate"
    )
    return [proposal.number for proposal in fits]


def is_of_turn(matter: ProposalMatter, turn: Turn, *, anybody: bool) -> bool:
    """Return whether a proposal that names no turn belongs to the turn that is played.

    That of the turn's player does, and one without an author; with `anybody` each does.
    """
    return matter.author in (None, turn.matter.player) or anybody


def _may_be_in(matter: ProposalMatter, turn: Turn, *, anybody: bool) -> bool:
    """Return whether a proposal was put forward in a turn, or may have been: it names the turn, or
    it names none, and its author and its day fit.
    """
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
