"""Corrections: each is about a file that is settled. If several are about one field, each says in
`was` what the one before says in `now`, and the last one's `now` stands in the file. Only a throw
that was taken out may have been made again.
"""

from __future__ import annotations

from collections.abc import Iterator

from nomicgen.law.replay.results import Correction, Replay
from nomicgen.model.findings import Finding
from nomicgen.model.records import Records
from nomicgen.model.values import Span


def check_corrections(records: Records, replay: Replay) -> Iterator[Finding]:
    """Yield what is wrong with the corrections of each field."""
    # By file and key: the last correction, and the value in the file.
    last: dict[tuple[str, str], tuple[Correction, str | None]] = {}
    for correction in replay.corrections:
        record = records.at(correction.file)
        before, _ = last.get((correction.file, correction.key), (None, None))
        if record and not record.matter.is_undecided:
            last[correction.file, correction.key] = (
                correction,
                record.matter.fields().get(correction.key),
            )
        elif correction.file not in records.withheld:
            message = (
                f"{correction.file} is {'not decided' if record else 'not there'}, so "
                "there is nothing to correct in it"
            )
            yield _wrong(
                correction.span,
                message,
                "name a file that is settled, such as proposals/305.md",
            )
        if before and before.now != correction.was:
            message = (
                f"this says that `{correction.key}` of {correction.file} was "
                f"{shown(correction.was)}"
            )
            remedy = (
                f"say in `was` what {before.act} says in `now`; acts follow each other by "
                "`date` and `seq`"
            )
            yield _wrong(
                correction.span,
                f"{message}, and the correction before it made it {shown(before.now)}",
                remedy,
            )
    for correction, written in last.values():
        # A throw that was taken out may be made again.
        is_thrown_again = correction.now is None and correction.key.startswith("dice.")
        if written != correction.now and not is_thrown_again:
            message = (
                f"`{correction.key}` of {correction.file} is {shown(written)}, but this "
                "correction says"
            )
            yield _wrong(
                correction.span,
                f"{message} {shown(correction.now)}",
                "write into the file what `now` says, or correct `now`",
            )


def shown(value: str | None) -> str:
    """Return a value as messages show it; None is a key that is not there."""
    return "not there" if value is None else f"`{value}`"


def _wrong(span: Span, message: str, remedy: str) -> Finding:
    return Finding(slug="correction-wrong", span=span, message=message, help=remedy)
