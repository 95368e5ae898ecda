"""What a rule can have against the opening of a vote, and whether a proposal may be withdrawn."""

from __future__ import annotations

from collections.abc import Iterator

from nomicgen.law.precedence import Said, rule_finding
from nomicgen.law.sentences import joined
from nomicgen.model.findings import Finding, Wait, counted
from nomicgen.model.records import Proposal
from nomicgen.model.values import Moment

_ANOTHER = "withdraw it, and put forward another proposal"


def may_withdraw(withdrawal: str | None, *, opened: bool) -> bool:
    """Return whether `withdrawal` (`Ballot.withdrawal`) lets an active author withdraw a proposal.

    With `until-complete` the answer is yes: here nobody looks whether all have voted.
    """
    forbidding = ("never", "when-inactive", *(["until-opened"] if opened else []))
    return withdrawal not in forbidding


def void_vote(proposal: Proposal, due: str) -> str:
    """Return how to hold a vote again that opened too early; `due`: `from 2026-01-08 on`."""
    matter = proposal.matter
    keys = ("opened", "ballot", "digest", "votes", "decided", "effective")
    gone = [f"`{key}`" for key in keys if key in matter.written]
    delete = f", delete {joined(gone)}" if gone else ""
    return f"the vote is void: set `status: debate`{delete}, and open it again {due}"


def undated_votes(proposal: Proposal, dating: Said[int], *, debated: bool) -> Iterator[Finding]:
    """Yield that a proposal with votes has no `date`, from which the rule `dating` counts days.

    `debated`: it counts the days of debate. Else it counts the days of the vote, and these begin
    with `date` only if the file has no day of opening.
    """
    matter = proposal.matter
    if matter.votes and matter.date is None and (debated or matter.opened is None):
        message = f"{matter.status}, but no day in `date`, from which Rule {dating.rule} counts"
        remedy = "add `date: ` and the day on which it was put forward"
        yield rule_finding(
            "status-incomplete", proposal.source.at("status"), dating, message, remedy
        )


def too_early(proposal: Proposal, debate: Said[int], now: Moment | None) -> Iterator[Finding]:
    """Yield that a vote opened before the debate was over, or would if it opened `now`."""
    matter = proposal.matter
    has_opened = matter.status != "debate" and (matter.opened or matter.decided) is not None
    key, how = (
        ("opened", "the vote opened") if matter.opened is not None else ("decided", matter.status)
    )
    opened = (matter.opened or matter.decided) if has_opened else now
    due = matter.date.plus(debate.value) if matter.date is not None else None
    if due is None or opened is None or not opened.precedes(due):
        return
    left = f"Rule {debate.rule} leaves {counted(debate.value, 'day')} for debate"
    void = void_vote(proposal, f"from {due} on")
    yield Finding(
        slug="debate-short",
        span=proposal.source.at(key if has_opened else "date"),
        message=f"{how} on {opened}; {left}, so not before {due}"
        if has_opened
        else f"{left}: the vote opens on {due} or later",
        help=f"correct `{key}` or `date`, if a day is wrong; else {void}"
        if has_opened
        else f"wait until {due}, or correct `date`",
        rule=debate.rule,
        waits=Wait(
            predicate=f"is in debate until {due} (Rule {debate.rule}), and then its vote can open",
            since=due,
        ),
    )


def put_again(
    proposal: Proposal, most: Said[int] | None, edits: Said[str] | None, *, withdrawable: bool
) -> Iterator[Finding]:
    """Yield that a vote is held again more often than `most` (`Ballot.resubmissions`) allows, or on
    another text where a rule forbids that.
    """
    matter, at = proposal.matter, proposal.source.at
    times = len(matter.earlier or ())
    before = matter.earlier[-1].digest if matter.earlier else None
    if (
        edits is not None
        and edits.value == "forbidden"
        and before is not None
        and not proposal.is_bound_by(before)
    ):
        message = f"put to the vote again with other words; Rule {edits.rule} forbids that"
        remedy = f"bring back the text that was voted on before{f', or {_ANOTHER}' * withdrawable}"
        yield rule_finding("digest-differs", at("digest"), edits, message, remedy)
    if most is not None and times > most.value and matter.status not in ("withdrawn", "void"):
        message = (
            f"put to the vote again {counted(times, 'time')}; Rule {most.rule} allows {most.value}"
        )
        remedy = _ANOTHER if withdrawable else "let the earlier vote go on"
        yield rule_finding("resubmissions-many", at("earlier"), most, message, remedy)
