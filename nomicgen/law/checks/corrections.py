"""What corrections restate: something that is settled, in an unbroken chain, at whose end is what the file says."""

from __future__ import annotations

from collections.abc import Iterator

from nomicgen.diagnostics import Finding
from nomicgen.law.replay_state import Correction, Replay
from nomicgen.model import Records, Span


def check_corrections(records: Records, replay: Replay) -> Iterator[Finding]:
    """Every field that is restated."""
    last: dict[tuple[str, str], tuple[Correction, str | None]] = {}
    for one in replay.corrections:
        record = records.at(one.file)
        before, _ = last.get((one.file, one.key), (None, None))
        if record and not record.matter.is_undecided:
            last[one.file, one.key] = one, record.matter.fields().get(one.key)
        elif one.file not in records.withheld:
            message = f"{one.file} is {'not decided' if record else 'not there'}, so there is nothing to correct in it"
            yield _wrong(one.span, message, "name a file that tells of what is settled: proposals/305.md")
        if before and before.now != one.was:
            message = f"this says that `{one.key}` of {one.file} was {shown(one.was)}"
            remedy = f"say in `was` what {before.act} says in `now`; acts follow each other by `date` and `seq`"
            yield _wrong(one.span, f"{message}, and the correction before it made it {shown(before.now)}", remedy)
    for one, said in last.values():
        if said != one.now:
            message = f"`{one.key}` of {one.file} is {shown(said)}, and by this correction it is {shown(one.now)}"
            yield _wrong(one.span, message, "write into the file what `now` says, or mend `now`")


def shown(said: str | None) -> str:
    """A value in a message."""
    return "not there" if said is None else f"`{said}`"


def _wrong(span: Span, message: str, remedy: str) -> Finding:
    return Finding(slug="correction-wrong", span=span, message=message, help=remedy)
