"""What `nomicgen verify` found: for a terminal, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from pydantic import Field

from nomicgen.archive.seen_history import Seen
from nomicgen.archive.verify_findings import Admission, Fault, Verdict
from nomicgen.archive.vote_vouchers import vouchers_line
from nomicgen.archive.witness_notes import Witnessed, witness_line
from nomicgen.diagnostics import Finding, counted, picked
from nomicgen.formats.findings import LISTED, FindingView, finding_view
from nomicgen.formats.findings_text import findings_text
from nomicgen.formats.json_parts import Document, View
from nomicgen.formats.styled_text import Text
from nomicgen.formats.terminal import safe
from nomicgen.formats.witness_json import WitnessedView, witnessed_view


class FaultView(View):
    """Something that is wrong with the history."""

    commit: str | None = Field(description="the commit that it is about; null where it is about none")
    author: str | None = Field(description="who made the commit, as the commit says")
    date: str | None = Field(description="when, as its author's clock had it; ISO 8601")
    finding: FindingView = Field(description="what is wrong, and what to do")


class AdmissionView(View):
    """A commit that the game owns up to in `nomic.yml`."""

    commit: str = Field(description="its id")
    why: str = Field(description="what happened, as `nomic.yml` says it")
    faults: tuple[FaultView, ...] = Field(description="what is found of it, and counts no more; may be empty")


class SeenView(View):
    """How a history compares with what this reader saw of it before, on the same branch."""

    state: Literal["first", "contained", "apart", "unknown", "ignored"] = Field(
        description="`first`: nothing was seen; `contained`: what was seen is part of it; `apart`: it is not; "
        "`unknown`: nobody can tell; `ignored`: nobody asked"
    )
    game: str | None = Field(description="what the game is known by: where it was cloned from, else its folder")
    branch: str | None = Field(description="the branch that HEAD is on")
    commit: str | None = Field(description="the commit that was seen; null where there is none")
    tree: str | None = Field(description="the id of its tree, of the whole repository")
    ledger: str | None = Field(description="the digest of its ledger")
    date: str | None = Field(description="the day on which it was seen")
    gone: int | None = Field(
        description="how many of its commits are gone; null where that is not known, or it is here"
    )
    forgotten: bool = Field(description="whether it was given up, by `--forget`")
    remembered: bool = Field(description="whether the present history is remembered now")
    why: str | None = Field(description="why it is not remembered, or why nobody asked; null where that is no question")


class VouchersView(View):
    """Who vouches for the votes that players cast themselves."""

    signed: dict[str, int] = Field(description="how many votes each player signed, by the player's id")
    forges: dict[str, int] = Field(description="how many others were recorded from a forge, by its host")
    typed: int = Field(description="how many others nobody but whoever typed them vouches for")


class VerifyView(Document):
    """A game's history, held against its ledger."""

    commit: str = Field(description="the commit that was verified: HEAD")
    tree: str = Field(description="the id of its tree, of the whole repository")
    ledger: str = Field(description="the digest of its ledger, SHA-256")
    since: str = Field(description="the commit from which the ledger counts")
    archive: bool = Field(description="whether that is the last of an archive, of whose past nothing is proved")
    commits: int = Field(description="how many commits from there on touched the game")
    instruments: int = Field(description="how many instruments they carried out")
    signed: int = Field(description="how many of them had to be signed")
    votes: VouchersView = Field(description="who vouches for the votes, those on earlier texts included")
    faults: tuple[FaultView, ...] = Field(description="what is wrong with the history, in its order")
    admitted: tuple[AdmissionView, ...] = Field(description="the commits that the game owns up to")
    findings: tuple[FindingView, ...] = Field(
        description="what is wrong with the game as that commit has it: the first 5,000"
    )
    seen: SeenView | None = Field(description="how it compares with what this reader saw before")
    witnessed: WitnessedView | None = Field(
        description="who signed what they saw of it; null where no player has a key or a note"
    )
    errors: int = Field(description="how many errors there are among faults and findings")
    warnings: int = Field(description="how many warnings")


def verify_json(
    verdict: Verdict, notes: Sequence[Finding], seen: Seen | None = None, witnessed: Witnessed | None = None
) -> dict[str, Any]:
    """The verdict, `notes`, what is wrong with the game itself, how it compares with what was `seen`, and by whom."""
    whole = (*notes, *verdict.findings)
    errors = sum(1 for one in whole if one.is_error)
    view = VerifyView(
        commit=verdict.head,
        tree=verdict.tree,
        ledger=verdict.digest,
        since=verdict.since.sha,
        archive=verdict.archived,
        commits=verdict.commits,
        instruments=verdict.instruments,
        signed=verdict.signed,
        votes=VouchersView(
            signed=dict(verdict.votes.signed), forges=dict(verdict.votes.forges), typed=verdict.votes.typed
        ),
        faults=tuple(map(_fault, verdict.faults)),
        admitted=tuple(_admission(one) for one in verdict.admitted),
        findings=tuple(map(finding_view, picked(notes, LISTED)[0])),
        seen=_seen_view(seen) if seen is not None else None,
        witnessed=witnessed_view(witnessed),
        errors=errors,
        warnings=len(whole) - errors,
    )
    return view.model_dump(mode="json")


def _seen_view(seen: Seen) -> SeenView:
    before = seen.before
    return SeenView(
        state=seen.state,
        game=seen.game,
        branch=seen.branch,
        commit=before.commit if before else None,
        tree=before.tree if before else None,
        ledger=before.ledger if before else None,
        date=before.date if before else None,
        gone=seen.loss.count if seen.loss else None,
        forgotten=seen.forgotten,
        remembered=seen.kept,
        why=seen.why or None,
    )


def _fault(fault: Fault) -> FaultView:
    commit = fault.commit
    return FaultView(
        commit=commit.sha if commit else fault.sha,
        author=commit.author if commit else None,
        date=commit.date if commit else None,
        finding=finding_view(fault.finding),
    )


def _admission(one: Admission) -> AdmissionView:
    return AdmissionView(commit=one.sha, why=one.why, faults=tuple(map(_fault, one.faults)))


def verify_text(
    verdict: Verdict, notes: Sequence[Finding], seen: Seen | None = None, witnessed: Witnessed | None = None
) -> Iterator[Text]:
    """What was found, what is owned up to, what was verified, and the sum of it."""
    whole = (*notes, *verdict.findings)
    yield from findings_text(whole)
    if whole:
        yield Text()
    for one in verdict.admitted:
        said = "; ".join(fault.finding.slug for fault in one.faults) or "nothing is found of it"
        yield Text.assemble((f"admitted {one.sha[:12]}", "yellow"), safe(f" ({said}): {' '.join(one.why.split())}"))
    for what, value in (("commit", verdict.head), ("tree", verdict.tree), ("ledger", verdict.digest)):
        yield Text.assemble((f"{what:<7}", "dim"), value)
    if seen is not None:
        yield Text(safe(seen_line(seen)), "bold red" if seen.state == "apart" else "dim")
    if witnessed is not None and witnessed.asked:
        yield Text(witness_line(witnessed), "dim")
    if line := vouchers_line(verdict.votes):
        yield Text(safe(line), "dim")
    if verdict.archived:
        yield Text(f"up to {verdict.since.sha[:12]} this is an archive, which is no proof of its past", "dim")
    errors = sum(1 for one in whole if one.is_error)
    warnings = len(whole) - errors
    style = "bold red" if errors else "yellow" if warnings else "green"
    yield Text(_summary(verdict, errors, warnings), style)


def seen_line(seen: Seen) -> str:
    """`seen before: 0123456789ab on 2026-11-20, contained`, and what else a reader should know of it."""
    if seen.state == "ignored":
        return f"seen before: not asked ({seen.why})"
    before = f"{seen.before.commit[:12]} on {seen.before.date}" if seen.before is not None else "not known"
    if seen.state != "first":
        words = {"contained": ", contained", "apart": ", not contained", "unknown": ", not to be compared here"}
        compared = words[seen.state] if seen.before is not None else ""
        return f"seen before: {before}{compared}{f' (not remembered: {seen.why})' if seen.why else ''}"
    forgotten = f"forgotten: {before}; " if seen.forgotten else ""
    others = f" on the branch {seen.branch}, after others of this game" if seen.others else ""
    return f"{forgotten}seen for the first time{others}: {'remembered' if seen.kept else f'not remembered: {seen.why}'}"


def _summary(verdict: Verdict, errors: int, warnings: int) -> str:
    found = f"{counted(errors, 'error')}, {counted(warnings, 'warning')}" if errors or warnings else "nothing is wrong"
    signed = f", {verdict.signed} to be signed" if verdict.signed else ""
    return (
        f"{counted(verdict.commits, 'commit')} since {verdict.since.sha[:12]}{signed}, "
        f"{counted(verdict.instruments, 'instrument')} carried out: {found}"
    )
