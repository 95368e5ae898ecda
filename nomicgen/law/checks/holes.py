"""Holes of an archive: texts, votes, proposals, judgements, dates or provisions that it lacks."""

from __future__ import annotations

from collections.abc import Iterator

from nomicgen.law.replay.results import Replay
from nomicgen.model.findings import Finding, counted, listed
from nomicgen.model.records import Records
from nomicgen.model.values import Span


def check_holes(records: Records, replay: Replay) -> Iterator[Finding]:
    """Yield one warning for each kind of hole."""
    yield from _texts(records)
    yield from _proposals(records)
    if replay.is_lawless and (records.initial or records.instruments):
        yield Finding(
            slug="law-unread",
            span=records.settings_source.at("name"),
            message="no rule has provisions, so numbers, votes, tiers and caps are not judged",
            help="an archive may stay so; `nomicgen explain law-unread` says how to play on",
        )


def _texts(records: Records) -> Iterator[Finding]:
    lost: list[Span] = [
        file.source.at("text") for file in records.initial.values() if file.text is None
    ]
    known = len(records.initial) - len(lost)
    for instrument in records.instruments.values():
        for instruction in instrument.instructions:
            if instruction.verb not in ("enact", "amend"):
                continue
            if instruction.lost:
                lost.append(instruction.span)
            else:
                known += 1
    if lost:
        yield Finding(
            slug="text-lost",
            span=min(lost),
            message=f"the texts of {len(lost)} of {len(lost) + known} revisions are lost, so "
            f"the program can check only the other {known}",
            help="if one turns up, delete its `text: lost`, and write it below the front matter, "
            "or below its instruction",
        )


def _proposals(records: Records) -> Iterator[Finding]:
    unrecorded = [
        proposal for proposal in records.of_kind("proposal") if proposal.matter.votes is None
    ]
    if unrecorded:
        yield Finding(
            slug="votes-unrecorded",
            span=unrecorded[0].source.at("votes"),
            message=f"the votes on {counted(len(unrecorded), 'proposal')} were not recorded: "
            "the outcome is unproved",
            help="if a record turns up, replace `unrecorded` with the votes",
        )
    lost, highest = records.settings.lost, 0
    if records.imported is None:
        # A new game that begins with another game's rules does not miss that game's proposals.
        highest = max((file.matter.number for file in records.initial.values()), default=0)
    proposals = [number for number in lost.proposals if number > highest]
    for kind, numbers in (("proposal", proposals), ("judgement", lost.judgements)):
        if numbers:
            yield Finding(
                slug="proposals-lost",
                span=records.settings_source.at("lost", f"{kind}s"),
                message=f"{counted(len(numbers), kind)} did not survive: {listed(sorted(numbers))}",
                help="if one turns up, add its file and delete its number from `lost`",
            )
    decided = (
        proposal for proposal in unrecorded if proposal.matter.status in ("adopted", "defeated")
    )
    undated = [proposal for proposal in decided if proposal.matter.decided is None]
    if undated:
        yield Finding(
            slug="date-missing",
            span=undated[0].source.at("status"),
            message=f"{counted(len(undated), 'decided proposal')} without a date, placed by number",
            help="if you know a date, add `decided`",
        )
