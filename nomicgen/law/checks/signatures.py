"""Signed votes: files and rules may speak of signatures, but nomicgen verifies none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from nomicgen.files.instruction_text import mark
from nomicgen.law.provisions.ballot import Ballot
from nomicgen.law.replay.results import Replay, Rule
from nomicgen.model.findings import Finding
from nomicgen.model.records import Records
from nomicgen.model.values import Span


def check_signatures(records: Records, replay: Replay) -> Iterator[Finding]:
    """Yield the rules that let only signed votes count, and the votes with a signature."""
    for rule in replay.current:
        if any(ballot.signed for ballot in rule.law.of(Ballot)):
            yield _unverified(
                Span(file=f"rules/{rule.number}.md"),
                f"by Rule {rule.ref} only signed votes count, and no signature is verified: "
                "every vote counts",
                "take `signed` out by a proposal with the instruction below, or by an act that a "
                "rule allows",
                rule=rule.number,
                detail=mark(rule.ref, provisions=_unsigned(rule)),
            )
    for proposal in records.of_kind("proposal"):
        for voter, vote in (proposal.matter.votes or {}).items():
            if vote.signature is not None:
                yield _unverified(
                    proposal.source.at("votes", voter, "signature"),
                    f"the signature of {voter}'s vote is not verified",
                    "nothing: the vote counts as it is recorded",
                )


def _unsigned(rule: Rule) -> Mapping[str, object]:
    """Return the provisions of a rule without `signed`."""
    provisions = rule.provisions or {}
    kept = {
        kind: _without_signed(value) if kind == Ballot.kind else value
        for kind, value in provisions.items()
    }
    return {kind: value for kind, value in kept.items() if value != {}}


def _without_signed(ballots: object) -> object:
    if isinstance(ballots, list):
        return [_without_signed(one) for one in ballots]
    return (
        {key: value for key, value in ballots.items() if key != "signed"}
        if isinstance(ballots, dict)
        else ballots
    )


def _unverified(
    span: Span, message: str, help: str, *, rule: int | None = None, detail: str = ""
) -> Finding:
    return Finding(
        slug="signature-unverified", span=span, message=message, help=help, rule=rule, detail=detail
    )
