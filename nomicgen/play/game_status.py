"""Where a game stands: rules by tier, whose turn it is, what is before the players."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from nomicgen.law.judging_kind import Due
from nomicgen.law.precedence import Law
from nomicgen.law.prospects import overdue_turn
from nomicgen.law.questions import (
    awaited_turn,
    bounds_of,
    first_number,
    is_guarded,
    rule_of_own_turn,
)
from nomicgen.law.replay.results import Replay, Step
from nomicgen.law.sentences import joined
from nomicgen.law.voting.tally import Tally
from nomicgen.model.front_matters import JudgementMatter, ProposalMatter
from nomicgen.model.records import Instrument, Records, Turn
from nomicgen.model.values import Moment


class Status(Struct, frozen=True, kw_only=True):
    """Where a game stands: its rules by tier, its turns, proposals and judgements.

    `tiers` has for each tier the number of rules and the cap, None if there is none. `turn` is the
    turn that began last, None before the first; `running` are those that have not ended. `overdue`
    says why one of these is over by the rules, although its file does not say so. `own_turn` is the
    rule that lets only the player of the last turn propose, if there is such a rule and that turn
    has not ended. `voting`, `debated` and `drafts` are proposals, by their status on the day that
    was asked about. The proposals of `decided_since` had an open vote on that day, and are decided
    by now. `pending` are judgements that are not given. `unguarded` are the tiers of an opened
    archive, above the least entrenched, that no provision guards: their rules are as easy to amend
    as others. `coming` are the changes that are decided and take effect later.
    """

    tiers: Mapping[str, tuple[int, int | None]]
    turn: Turn | None
    running: tuple[Turn, ...]
    overdue: Due | None
    own_turn: int | None
    voting: tuple[tuple[Instrument, Tally], ...]
    decided_since: tuple[Instrument, ...]
    debated: tuple[Instrument, ...]
    drafts: tuple[Instrument, ...]
    pending: tuple[Instrument, ...]
    next_number: int
    unguarded: tuple[str, ...] = ()
    coming: tuple[Step, ...] = ()


def status_of(records: Records, replay: Replay, moment: Moment) -> Status:
    """Return the state of a game under the rules in force at `moment`."""
    law = Law.of(replay.current, records.settings, moment)
    proposals = records.of_kind("proposal")
    tiers = {}
    for tier in records.settings.tiers:
        tiers[tier] = (replay.current.count(tier), bounds_of(tier, law)[1])
    begun = (
        turn
        for turn in records.turns.values()
        if turn.matter.began is None or not moment.precedes(turn.matter.began)
    )
    turns = sorted(begun, key=lambda turn: turn.order)
    opened = [proposal for proposal in proposals if _had_status(proposal, "open", moment)]
    turn = turns[-1] if turns else None
    return Status(
        tiers=tiers,
        turn=turn,
        running=replay.running,
        overdue=overdue_turn(records, replay, moment),
        own_turn=rule_of_own_turn(law) if turn and turn.matter.ended is None else None,
        voting=tuple(
            (proposal, replay.tallies[proposal.path])
            for proposal in opened
            if _is_undecided(proposal)
        ),
        decided_since=tuple(proposal for proposal in opened if not _is_undecided(proposal)),
        debated=tuple(
            proposal for proposal in proposals if _had_status(proposal, "debate", moment)
        ),
        drafts=tuple(proposal for proposal in proposals if _had_status(proposal, "draft", moment)),
        pending=tuple(
            judgement
            for judgement in records.of_kind("judgement")
            if _is_pending(judgement, moment)
        ),
        next_number=next_number(records, replay, moment),
        unguarded=tuple(_unguarded(tiers, law)) if replay.judged_from is not None else (),
        coming=tuple(
            step
            for step in replay.pending
            if step.decided is None or not moment.precedes(step.decided)
        ),
    )


def _unguarded(tiers: Mapping[str, tuple[int, int | None]], law: Law) -> Iterator[str]:
    yield from (tier for tier in [*tiers][:-1] if tiers[tier][0] and not is_guarded(tier, law))


def unguarded_words(status: Status) -> tuple[str, ...]:
    """Return a sentence about the tiers that are `unguarded`; none if there are none."""
    if not status.unguarded:
        return ()
    rules = f"the {joined(status.unguarded)} rules"
    return (
        f"no provision guards {rules}: whatever their texts say, they are amended and repealed "
        "like any rule",
    )


def next_number(records: Records, replay: Replay, moment: Moment) -> int:
    """Return the number that the next registered proposal gets."""
    first = first_number(Law.of(replay.current, records.settings, moment))
    given = [
        proposal.number for proposal in records.of_kind("proposal") if proposal.number is not None
    ]
    return max([*given, *records.settings.lost.proposals], default=first - 1) + 1


def turn_missing(records: Records, replay: Replay, moment: Moment) -> Iterator[str]:
    """Yield a line if a proposal made now belongs to no turn, because the first has not begun."""
    law = Law.of(replay.current, records.settings, moment)
    awaited = awaited_turn(records, replay, law) if not records.turns else None
    if awaited is not None:
        turn = awaited[0]
        yield (
            f"  it belongs to no turn, since none has begun: `nomicgen turn` begins {turn.ident} "
            f"of {turn.player}"
        )


def _had_status(instrument: Instrument, status: str, moment: Moment) -> bool:
    return (
        isinstance(instrument.matter, ProposalMatter)
        and _status(instrument.matter, moment) == status
    )


def _is_undecided(instrument: Instrument) -> bool:
    return isinstance(instrument.matter, ProposalMatter) and instrument.matter.is_undecided


def _status(matter: ProposalMatter, moment: Moment) -> str | None:
    """Return the status that a proposal had at a moment; None before it was put forward."""

    def by_then(day: Moment | None) -> bool:
        return day is None or not moment.precedes(day)

    if by_then(matter.decided) and by_then(matter.opened) and by_then(matter.date):
        return matter.status
    if not by_then(matter.date):
        return None
    return "open" if matter.opened is not None and by_then(matter.opened) else "debate"


def _is_pending(instrument: Instrument, moment: Moment) -> bool:
    matter = instrument.matter
    if not isinstance(matter, JudgementMatter) or moment.precedes(matter.date):
        return False
    return matter.status == "pending"
