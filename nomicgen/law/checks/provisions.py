"""Provisions that do not fit their schema, wherever they stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from nomicgen.diagnostics import Finding
from nomicgen.files.file_findings import Notes
from nomicgen.law.checks.near import NearestNames
from nomicgen.law.examples import example_line
from nomicgen.law.kinds import kinds
from nomicgen.law.reading import parse_provisions
from nomicgen.law.replay_state import Replay
from nomicgen.model import Records, Source


def check_provisions(records: Records, replay: Replay) -> Iterator[Finding]:
    """Provisions of the initial set and of every instruction's block."""
    tiers, near = tuple(records.settings.tiers), NearestNames()
    for file in records.initial.values():
        yield from _problems(file.matter.provisions, file.source, tiers, near)
    for instrument in records.instruments.values():
        for instruction in instrument.instructions:
            # Most blocks of a long ledger say nothing of provisions.
            if instruction.block is not None and instruction.block.provisions and instruction.block_source is not None:
                yield from _problems(instruction.block.provisions, instruction.block_source, tiers, near)


def _problems(
    raw: Mapping[str, Any] | None, source: Source, tiers: tuple[str, ...], near: NearestNames
) -> Iterator[Finding]:
    notes = Notes(source.file)
    for problem in parse_provisions(raw, tiers)[1]:
        path = ("provisions", *problem.path)
        if problem.unknown:
            meant = near.to(problem.message, kinds())
            notes.add(
                "provision-unknown",
                source.key(*path),
                f"{problem.message} is no provision that nomicgen knows",
                f"did you mean {meant}?" if meant else f"the provisions are {', '.join(kinds())}",
            )
        else:
            place = ".".join(str(step) for step in problem.path)
            notes.add(
                "provision-wrong",
                source.at(*path),
                f"{place} {problem.message}",
                f"write it as in `{example_line(str(problem.path[0]))}`; the reference of provisions has all its keys",
            )
    yield from notes.findings()
