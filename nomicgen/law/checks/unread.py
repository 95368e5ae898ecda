"""Claims (`unread`) that no program reads a rule or a passage, and that are wrong: the rule has
provisions, or no such passage.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nomicgen.files.file_findings import quoted
from nomicgen.law.replay.results import Replay
from nomicgen.law.unread_passages import is_in_text
from nomicgen.model.findings import Finding
from nomicgen.model.records import Records
from nomicgen.model.values import Source


def check_unread(records: Records, replay: Replay) -> Iterator[Finding]:
    """Yield wrong claims of the initial set and of instructions' blocks. A claim in a block of
    `Mark` is about the text that the rule has already.
    """
    for file in records.initial.values():
        matter = file.matter
        yield from _wrong(matter.unread, file.text, bool(matter.provisions), file.source)
    before_change = {
        change.instruction.span: change.before
        for step in (*replay.steps, *replay.previews.values())
        for change in step.changes
        if change.verb != "enact"
    }
    for instrument in records.instruments.values():
        for instruction in instrument.instructions:
            block, source = instruction.block, instruction.block_source
            if block is None or not block.unread or source is None:
                continue
            before = before_change.get(instruction.span)
            if instruction.verb == "mark" and before is None:
                # It marks nothing, and another finding says so.
                continue
            text = (
                before.text
                if before is not None and instruction.verb == "mark"
                else instruction.text
            )
            provisions_before = before.provisions if before is not None else None
            provided = block.provisions if "provisions" in block.written else provisions_before
            yield from _wrong(block.unread, text, bool(provided), source)


def _wrong(
    unread: bool | Sequence[str] | None, text: str | None, provided: bool, source: Source
) -> Iterator[Finding]:
    if unread is True and provided:
        yield Finding(
            slug="unread-wrong",
            span=source.at("unread"),
            message="`unread` says that no program reads this rule, but the rule has provisions",
            help="name the passages that no provision reads, or delete the provisions",
        )
    for index, passage in enumerate(unread if isinstance(unread, list) else ()):
        if not is_in_text(passage, text):
            yield Finding(
                slug="unread-wrong",
                span=source.at("unread", index),
                message=f"{quoted(passage)} is not in the rule's text",
                help="copy the passage from the text, word for word, or delete it from `unread`",
            )
