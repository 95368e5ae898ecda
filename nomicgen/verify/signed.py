"""Signatures of commits, where a game asks for them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from nomicgen.model.line_commits import CommitLine, LineCommit
from nomicgen.repository.signatures import signatures
from nomicgen.verify.findings import CommitFinding, fault_of
from nomicgen.verify.read import PastReader


class JudgedSignatures(Struct, frozen=True, kw_only=True):
    """How many commits had to be signed, and faults of those without a good signature."""

    count: int = 0
    faults: tuple[CommitFinding, ...] = ()


def judge_signatures(
    line: CommitLine, reader: PastReader, first: int, signers: Path | None
) -> JudgedSignatures:
    """Judge the signatures of a line from the commit `first` on; `signers` is a file of allowed SSH
    signers.

    A commit that touches the game must be signed if `nomic.yml` asks for it, either in that commit
    or in the one before: so nobody can put an end to signing without a signature.
    """
    asked = tuple(_commits_to_sign(line, reader, first))
    statuses = signatures(reader.root, [commit.sha for commit in asked], signers)
    faults = []
    for commit in asked:
        status = statuses[commit.sha]
        if status != "G":  # good, as git says it
            faults.append(fault_of(commit, f"signature-{status}"))
    return JudgedSignatures(count=len(asked), faults=tuple(faults))


def _commits_to_sign(line: CommitLine, reader: PastReader, first: int) -> Iterator[LineCommit]:
    settings = reader.settings(line)
    is_asked = False
    for commit in line.commits[first:]:
        before = is_asked
        # Settings that cannot be read end nothing.
        if (stated := settings.get(commit.index)) is not None:
            is_asked = stated.signatures == "required"
        if commit.touched and (before or is_asked):
            yield commit
