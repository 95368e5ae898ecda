"""Provisions that do not fit their schema, wherever they stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from nomicgen.diagnostics import Finding
from nomicgen.law.provisions import parse_provisions
from nomicgen.law.shapes import KINDS
from nomicgen.law.state import Replay
from nomicgen.model import Records, Source

__all__ = ["check_provisions"]


def check_provisions(records: Records, replay: Replay) -> Iterator[Finding]:
    """Provisions of the initial set and of every instruction's block."""
    tiers = tuple(records.settings.tiers)
    for file in records.initial.values():
        yield from _problems(file.matter.provisions, file.source, tiers)
    for instrument in records.instruments.values():
        for instruction in instrument.instructions:
            # Most blocks of a long ledger say nothing of provisions.
            if instruction.block is not None and instruction.block.provisions and instruction.block_source is not None:
                yield from _problems(instruction.block.provisions, instruction.block_source, tiers)


def _problems(raw: Mapping[str, Any] | None, source: Source, tiers: tuple[str, ...]) -> Iterator[Finding]:
    for problem in parse_provisions(raw, tiers)[1]:
        path = ("provisions", *problem.path)
        if problem.unknown:
            near = get_close_matches(problem.message, KINDS, 1)
            yield Finding(
                slug="provision-unknown",
                span=source.key(*path),
                message=f"{problem.message} is no provision that nomicgen knows",
                help=f"did you mean {near[0]}?" if near else f"the provisions are {', '.join(KINDS)}",
            )
        else:
            place = ".".join(str(step) for step in problem.path)
            yield Finding(
                slug="provision-wrong",
                span=source.at(*path),
                message=f"{place} {problem.message}",
                help=f"`nomicgen explain provision-wrong` shows what {problem.path[0]} may say",
            )
