"""Votes and outcomes: what a status needs, the order of a proposal's days, the tokens of votes, and
that no text changed after its vote opened.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import pairwise

from nomicgen.law.precedence import Law
from nomicgen.law.questions import command_after_change
from nomicgen.law.replay.moments import disorder, precedes
from nomicgen.law.replay.results import Replay
from nomicgen.model.findings import Finding
from nomicgen.model.records import Act, Instrument, Judgement, Proposal, Records
from nomicgen.model.values import Moment, Span

_VOTED = ("open", "adopted", "defeated")
"""Statuses of a proposal whose vote has opened: not of one that was then withdrawn or void."""


def check_votes(records: Records, replay: Replay) -> Iterator[Finding]:
    """Yield what is wrong with the statuses, days, tokens and digests of instruments."""
    is_judged = not replay.is_lawless
    yield from _doubled_tokens(records)
    undated = {
        step.instrument.path
        for step in replay.steps
        if step.lacks_effective or step.outcome == "pending"
    }
    yield from _unrecorded_votes(records, undated, replay.judged_from)
    for instrument in records.instruments.values():
        if isinstance(instrument, Proposal):
            yield from _status(instrument)
            yield from without_change(instrument)
            yield from _dates(instrument)
            yield from _digest(instrument, replay)
        elif isinstance(instrument, Judgement):
            yield from _judgement(instrument, is_judged=is_judged)
        elif isinstance(instrument, Act) and not (
            instrument.instructions or instrument.matter.points or instrument.matter.restates
        ):
            yield Finding(
                slug="status-incomplete",
                span=instrument.source.at("cause"),
                message="an act without instructions, points or `restates` does nothing",
                help="say what it changed, as instructions or as points",
            )


def without_change(instrument: Proposal) -> Iterator[Finding]:
    """Yield a finding for a proposal that would change nothing.

    There is none for a withdrawn or void one, for one that names a commit, and for one defeated
    without recorded votes: its text may be lost.
    """
    matter = instrument.matter
    is_lost = matter.status in ("withdrawn", "void") or (
        matter.status == "defeated" and matter.votes is None
    )
    if not (instrument.instructions or matter.points or matter.commit or is_lost):
        yield Finding(
            slug="instruction-missing",
            span=Span(file=instrument.path, line=instrument.source.body_line),
            message="this proposal would change nothing: it has no heading that changes a rule",
            help="write it below the argument: `## Enact Rule: Title` with the text of a new rule "
            "below it, `## Amend Rule N/R` with the whole new text, `## Repeal Rule N/R`, or `## "
            "Transmute Rule N/R to TIER`",
        )


def _doubled_tokens(records: Records) -> Iterator[Finding]:
    """Yield tokens that two ballots share: nobody could tell for which of them a vote was given."""
    first: dict[str, str] = {}
    for proposal in records.of_kind("proposal"):
        earlier = [
            (each.ballot, ("earlier", index, "ballot"))
            for index, each in enumerate(proposal.matter.earlier or ())
        ]
        for token, place in (*earlier, (proposal.matter.ballot, ("ballot",))):
            if token is None:
                continue
            if token in first:
                yield Finding(
                    slug="ballot-doubled",
                    span=proposal.source.at(*place),
                    message=f"a vote on {first[token]} already had the token {token}",
                    help=f"delete it; then `nomicgen proposal resubmit {proposal.number}` puts the "
                    "proposal to the vote again"
                    if proposal.matter.is_undecided
                    else "bring back the token that it had (`git log -p` shows it)",
                )
            first.setdefault(token, proposal.name)


def _unrecorded_votes(
    records: Records, undated: Container[str], since: Moment | None
) -> Iterator[Finding]:
    """Yield decided proposals that lack votes or days which an earlier one has: an archive may have
    holes at its beginning, and none later.

    From `since` on, when a rule first got provisions, none may lack votes. A proposal whose
    path is in `undated` may lack `effective`: it waits for its day, or took effect with a turn.
    """
    remedy = "record the votes (`votes:`), each under its player's id"
    first: dict[str, Instrument] = {}
    for instrument in records.of_kind("proposal"):
        matter = instrument.matter
        if matter.status not in ("adopted", "defeated"):
            continue
        if matter.votes is None:
            if "votes" in first:
                message = (
                    f"the votes are unrecorded, and those of {first['votes'].name} before "
                    "it are recorded"
                )
                yield _lacks(instrument, message, remedy)
            if (
                since is not None
                and matter.decided is not None
                and not matter.decided.precedes(since)
            ):
                yield _lacks(
                    instrument,
                    f"the votes are unrecorded, but the rules have counted since {since}",
                    remedy,
                )
            continue
        if matter.votes:
            first.setdefault("votes", instrument)
        for key in ("date", "opened", "effective")[: 3 if matter.status == "adopted" else 2]:
            if getattr(matter, key) is not None:
                first.setdefault(key, instrument)
            elif key in first and not (key == "effective" and instrument.path in undated):
                message = (
                    f"{matter.status}, but no day in `{key}`, which {first[key].name} before it has"
                )
                yield _lacks(instrument, message, f"add `{key}: ` and the day")


def _status(instrument: Proposal) -> Iterator[Finding]:
    matter = instrument.matter
    recorded = matter.votes is not None
    needs = {"open": ("opened",), "adopted": ("decided",), "defeated": ("decided",)}.get(
        matter.status, ()
    )
    for key in needs:
        if getattr(matter, key) is None and recorded:
            before, command = (
                ("debate", f"vote {instrument.number} for --player ID")
                if key == "opened"
                else ("open", f"proposal resolve {instrument.number}")
            )
            remedy = (
                f"add `{key}: ` and the day; or put back `status: {before}`; then `nomicgen "
                f"{command}` writes `status` and `{key}`"
            )
            yield _lacks(instrument, f"{matter.status}, but no day in `{key}`", remedy)
    if matter.is_undecided and matter.decided is not None:
        yield _lacks(
            instrument,
            f"{matter.status}, and decided on {matter.decided}",
            "correct `status` or delete `decided`",
        )
    if matter.status in ("draft", "debate") and matter.votes:
        remedy = "delete `votes`: votes are cast when the vote is open"
        yield _lacks(instrument, f"{matter.status}, but there are votes", remedy)
    if (
        recorded
        and matter.status in _VOTED
        and any(instruction.lost for instruction in instrument.instructions)
    ):
        remedy = "bring back the text that was voted on: `git log -p` shows it"
        yield _lacks(instrument, "votes were recorded on a text that is lost", remedy)


def _lacks(instrument: Instrument, message: str, remedy: str) -> Finding:
    return Finding(
        slug="status-incomplete", span=instrument.source.at("status"), message=message, help=remedy
    )


def _dates(instrument: Proposal) -> Iterator[Finding]:
    matter = instrument.matter
    order = [
        (key, value)
        for key in ("date", "opened", "decided")
        if (value := getattr(matter, key)) is not None
    ]
    for (before, earlier), (after, later) in pairwise(order):
        if later.precedes(earlier):
            message = f"{after} on {later}, before `{before}` on {earlier}"
            remedy = (
                f"correct `{after}` or `{before}`: a proposal is put forward, then opened, "
                "then decided"
            )
            yield disorder(instrument.source.at(after), message, remedy)
    for voter, vote in (matter.votes or {}).items():
        late = precedes(matter.decided, vote.at)
        if late or precedes(vote.at, matter.opened):
            message = f"{voter} voted on {vote.at}, {'after' if late else 'before'} the vote"
            remedy = (
                "a vote counts from when the vote opens to when it is decided: correct the "
                "day, or delete the vote"
            )
            yield disorder(instrument.source.at("votes", voter, "at"), message, remedy)


_ONWARD = {"resubmit": "vote again", "withdraw": "take it back"}
"""What a command of `command_after_change` does, in words."""


def has_changed(proposal: Proposal, edits: str | None) -> bool:
    """Return whether the text has changed since the vote on it opened.

    `edits` is what `Replay.edits` says of the proposal; None if its vote binds the instructions
    alone.
    """
    return proposal.matter.digest is not None and proposal.matter.digest != _due_digest(
        proposal, edits
    )


def _due_digest(instrument: Instrument, edits: str | None) -> str | None:
    return instrument.digest if edits is None else instrument.whole_digest


def _digest(instrument: Proposal, replay: Replay) -> Iterator[Finding]:
    """Yield what is wrong with the digest, which covers what the law bound when the vote opened."""
    matter, edits = instrument.matter, replay.edits.get(instrument.path)
    due = _due_digest(instrument, edits)
    if matter.digest is None:
        if matter.status in _VOTED and matter.votes is not None and due is not None:
            yield Finding(
                slug="digest-missing",
                span=instrument.source.at("status"),
                message="the vote opened without the digest of what is voted on",
                help=f"add `digest: {due}`",
            )
    elif has_changed(instrument, edits):
        what, then = "title, argument, instructions or `commences`", "the text that was voted on"
        if edits is None:
            what, then = "the instructions or `commences`", "the instructions that were voted on"
        if matter.status != "open":
            anew = f"; if the text is right and `digest` is wrong, write `digest: {due}`"
        else:
            law = Law.of(replay.current, replay.settings, replay.until)
            command = command_after_change(matter, edits, law)
            how = _ONWARD.get(command, "")
            anew = how and f", or {how}: `nomicgen proposal {command} {instrument.number}`"
        yield Finding(
            slug="digest-differs",
            span=instrument.source.at("digest"),
            message=f"{what} changed after the vote opened",
            help=f"bring back {then} (`git diff {instrument.path}` shows a change that is not "
            f"committed, `git log -p {instrument.path}` one that is){anew}",
        )


def _judgement(instrument: Judgement, *, is_judged: bool) -> Iterator[Finding]:
    """Yield what is wrong with the day, the judge and the status of a judgement.

    In an archive without provisions (not `is_judged`) it may lack day and judge.
    """
    matter = instrument.matter
    for key in ("date", "judge"):
        if is_judged and instrument.instructions and getattr(matter, key) is None:
            yield _lacks(
                instrument,
                f"changes rules, and no `{key}`",
                f"add `{key}`: who changes rules says when and who",
            )
    if matter.status == "overruled" and matter.overruled is None:
        yield _lacks(
            instrument, "overruled, but no day in `overruled`", "add `overruled: ` and the day"
        )
    if matter.status != "overruled" and matter.overruled is not None:
        yield _lacks(
            instrument, f"{matter.status}, and overruled on {matter.overruled}", "correct `status`"
        )
    if precedes(matter.overruled, matter.date):
        message = f"overruled on {matter.overruled}, before it was made on {matter.date}"
        yield disorder(instrument.source.at("overruled"), message, "correct `overruled` or `date`")
