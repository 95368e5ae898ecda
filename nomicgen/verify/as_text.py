"""What `nomicgen verify` found: for a terminal, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from nomicgen.formats.documents import FORMAT, Shape, at, typed
from nomicgen.formats.findings import FINDING, pick_listed, severities
from nomicgen.formats.findings_text import findings_text, summary_text
from nomicgen.formats.styled_text import style_text
from nomicgen.formats.terminal import safe
from nomicgen.model.findings import Finding, counted
from nomicgen.verify.findings import Admission, CommitFinding, HistoryVerdict
from nomicgen.verify.seen_history import SeenBefore
from nomicgen.verify.vote_vouchers import Vouchers, vouchers_line

FAULT = Shape(
    "FaultView",
    "Something that is wrong with the history.",
    CommitFinding,
    commit=at(
        lambda fault: fault.commit.sha if fault.commit else fault.sha,
        "the commit that it is about; null where it is about none",
        str | None,
    ),
    author=at("commit.author", "who made the commit, as the commit says"),
    date=at("commit.date", "when, as its author's clock had it; ISO 8601"),
    finding=FINDING("what is wrong, and what to do"),
)
ADMISSION = Shape(
    "AdmissionView",
    "A commit that the game admits in `nomic.yml`.",
    Admission,
    commit=at("sha", "its id"),
    why="what happened, as `nomic.yml` says it",
    faults=FAULT("what is found of it, and counts no more; may be empty"),
)
SEEN = Shape(
    "SeenView",
    "How a history compares with what was seen of the same branch before, on this machine.",
    SeenBefore,
    state="`first`: nothing was seen; `contained`: what was seen is part of it; `apart`: it is "
    "not; `unknown`: nobody can tell; `ignored`: the memory was not used",
    game="what the game is known by: where it was cloned from, else its folder",
    branch="the branch that HEAD is on",
    commit=at("before.commit", "the commit that was seen; null where there is none"),
    tree=at("before.tree", "the id of its tree, of the whole repository"),
    ledger=at("before.ledger", "the digest of its ledger"),
    date=at("before.date", "the day on which it was seen"),
    gone=at(
        "loss.count",
        "how many seen commits are gone, at most; null if that commit is here, or nobody knows",
    ),
    forgotten="whether it was given up, by `--forget`",
    remembered=at("kept", "whether the present history is remembered now"),
    why=at(
        lambda seen: seen.why or None,
        "why it is not remembered, where `state` does not say it; else null",
        str | None,
    ),
)
VOUCHERS = Shape(
    "VouchersView",
    "Who vouches for the votes that players cast themselves.",
    Vouchers,
    forges="how many were recorded from a forge, by its host",
    typed="how many others there are: whoever typed them vouches for them",
)
VERIFIED = Shape(
    "VerifyView",
    "A game's history, held against its ledger.",
    HistoryVerdict,
    format=FORMAT,
    commit=at("head", "the commit that was verified: HEAD"),
    tree="the id of its tree, of the whole repository",
    ledger=at("digest", "the digest of its ledger, SHA-256"),
    since=at("since.sha", "the commit from which the ledger counts"),
    archive=at("archived", "whether that is the last of an archive, whose past is not proved"),
    commits="how many commits from there on touched the game",
    instruments="how many instruments they carried out",
    signed="how many commits had to be signed",
    votes=VOUCHERS("who vouches for the votes, those on earlier texts included"),
    faults=FAULT("what is wrong with the history, in its order"),
    admitted=ADMISSION("the commits that the game admits in `nomic.yml`"),
    findings=FINDING.many("what is wrong with the game as that commit has it: at most 5,000"),
    seen=SEEN.maybe("how it compares with what this reader saw before"),
    errors=typed(int, "how many errors there are among faults and findings"),
    warnings=typed(int, "how many warnings"),
)


def verify_json(
    verdict: HistoryVerdict,
    notes: Sequence[Finding],
    seen: SeenBefore | None = None,
) -> dict[str, Any]:
    """Return a verdict as JSON. `notes` are findings of the game and of its repository; `seen` is
    how it compares with what was seen before, None if that was not asked.
    """
    return VERIFIED.write(
        verdict,
        findings=pick_listed(notes),
        seen=seen,
        **severities((*notes, *verdict.findings)),
    )


def verify_text(
    verdict: HistoryVerdict,
    notes: Sequence[Finding],
    seen: SeenBefore | None = None,
) -> Iterator[str]:
    """Yield the lines of a verdict: findings, what the game admits, what was verified, a summary.

    `notes` are findings of the game and of its repository; `seen` is how it compares with what was
    seen before, None if that was not asked.
    """
    whole = (*notes, *verdict.findings)
    yield from findings_text(whole)
    if whole:
        yield ""
    for admission in verdict.admitted:
        slugs = (
            "; ".join(fault.finding.slug for fault in admission.faults) or "nothing is found of it"
        )
        why = " ".join(admission.why.split())
        yield style_text(f"admitted {admission.sha[:12]}", "yellow") + safe(f" ({slugs}): {why}")
    for what, value in (
        ("commit", verdict.head),
        ("tree", verdict.tree),
        ("ledger", verdict.digest),
    ):
        yield style_text(f"{what:<7}", "dim") + value
    if seen is not None:
        yield style_text(safe(seen_line(seen)), "bold red" if seen.state == "apart" else "dim")
    if line := vouchers_line(verdict.votes):
        yield style_text(safe(line), "dim")
    if verdict.archived:
        yield style_text(
            f"up to {verdict.since.sha[:12]} this is an archive, which is no proof of its past",
            "dim",
        )
    signed = f", {verdict.signed} to be signed" if verdict.signed else ""
    line = f"{counted(verdict.commits, 'commit')} since {verdict.since.sha[:12]}{signed}"
    yield summary_text(whole, f"{line}, {counted(verdict.instruments, 'instrument')} carried out")


def seen_line(seen: SeenBefore) -> str:
    """Return how a history compares with what was seen before, as one line:
    `seen before: 0123456789ab on 2026-11-20, contained`.
    """
    if seen.state == "ignored":
        return f"seen before: not asked ({seen.why})"
    before = (
        f"{seen.before.commit[:12]} on {seen.before.date}"
        if seen.before is not None
        else "not known"
    )
    if seen.state != "first":
        words = {
            "contained": ", contained",
            "apart": ", not contained",
            "unknown": ", not to be compared here",
        }
        compared = words[seen.state] if seen.before is not None else ""
        return (
            f"seen before: {before}{compared}{f' (not remembered: {seen.why})' if seen.why else ''}"
        )
    forgotten = f"forgotten: {before}; " if seen.forgotten else ""
    others = f" on the branch {seen.branch}, after others of this game" if seen.others else ""
    return (
        f"{forgotten}seen for the first time{others}: "
        f"{'remembered' if seen.kept else f'not remembered: {seen.why}'}"
    )
