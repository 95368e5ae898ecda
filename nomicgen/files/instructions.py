"""Reads the body of an instrument: the argument, a ruling, and the instructions.

Each instruction begins with a heading of level 2. Headings are taken from the parser's tokens,
outside of lists and quotations. A line that only looks like an instruction is a finding, so that
nobody votes for one that no program sees.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct

from nomicgen.files.file_findings import Notes, quoted
from nomicgen.files.headings import (
    Heading,
    NoInstruction,
    looks_like_instruction,
    meant_heading,
    parse_heading,
)
from nomicgen.files.markdown import (
    Body,
    check_bounds,
    check_fences,
    check_html,
    heading_column,
    is_nearly_rule_block,
    is_rule_block,
    parse_body,
    same_tokens,
)
from nomicgen.files.rule_blocks import Block, read_block
from nomicgen.files.text_encoding import trim_blank_lines
from nomicgen.model.identifiers import Digest
from nomicgen.model.records import Instruction, InstrumentKind
from nomicgen.model.values import Moment, Span

if TYPE_CHECKING:
    from markdown_it.token import Token


_TEXT_VERBS = ("enact", "amend")  # these take a rule's text
_RULING = "Ruling"  # the heading below which a judgement is given


class Parts(Struct):
    """An instrument's body, read. `complete` is False if a part of it could not be read.

    `digest` covers the instructions, `whole_digest` the argument as well. Both are None if no
    heading of level 2 was found besides that of a ruling.
    """

    preamble: str = ""
    ruling: str = ""
    instructions: tuple[Instruction, ...] = ()
    digest: Digest | None = None
    whole_digest: Digest | None = None
    complete: bool = True


class _Section(Struct, frozen=True):
    """A level-2 heading, on `line`, with the tokens under it and their lines: `start` to before
    `end`. Lines count from 0.
    """

    title: str
    line: int
    start: int
    end: int
    tokens: Sequence[Token]


def instructions_digest(
    instructions: bytes, commences: Moment | None = None, title: str | None = None
) -> Digest:
    """Return the SHA-256, in hexadecimal, of what a vote binds: the bytes from the first
    instruction's heading line to a file's end.

    Trailing blank lines count as one line feed. Where a proposal says when it commences, a line
    `commences: DAY` is put before these bytes. With a `title`, which may be empty, the argument is
    bound too: the bytes are those from its first line on, with a line `title: TITLE` before them.
    """
    last = instructions.find(b"\n", len(instructions.rstrip(b" \t\n")))
    bound = instructions if last < 0 else instructions[:last]
    head = f"commences: {commences}\n".encode() if commences is not None else b""
    head += f"title: {title}\n".encode() if title is not None else b""
    return Digest(hashlib.sha256(head + bound + b"\n").hexdigest())


def read_parts(
    kind: InstrumentKind,
    body: Body,
    notes: Notes,
    *,
    commences: Moment | None = None,
    title: str = "",
    archived: bool = False,
) -> Parts:
    """Read a body; what is wrong with it is added to `notes`.

    The digests cover `commences`; `whole_digest` covers `title`, too. The instructions of an
    instrument that is `archived` need not name revisions.
    """
    if not check_bounds(body, notes):
        return Parts(complete=False)
    check_fences(body, notes)
    check_html(body, notes)
    sections = list(_sections(body))
    parts = _Reader(kind, body, notes, archived=archived).read(sections)
    first = next((section for section in sections if not _is_ruling(kind, section)), None)
    if first is not None:
        parts.digest = instructions_digest(
            body.text(first.line, len(body.lines)).encode(), commences
        )
        begins = next(at for at, line in enumerate(body.lines) if line.strip(" \t"))
        parts.whole_digest = instructions_digest(
            body.text(begins, len(body.lines)).encode(), commences, title
        )
    return parts


def _is_ruling(kind: InstrumentKind, section: _Section) -> bool:
    return kind == "judgement" and section.title == _RULING


def _sections(body: Body) -> Iterator[_Section]:
    headings = [
        at
        for at, token in enumerate(body.tokens)
        if token.type == "heading_open" and token.level == 0 and token.markup == "##"
    ]
    for at, following in pairwise([*headings, len(body.tokens)]):
        place = body.tokens[at].map
        after = body.tokens[following].map if following < len(body.tokens) else None
        assert place is not None
        yield _Section(
            title=body.tokens[at + 1].content,
            line=place[0],
            start=place[1],
            end=after[0] if after else len(body.lines),
            tokens=body.tokens[at + 3 : following],
        )


class _Reader:
    """Reads the sections of one body, and looks for instructions that are in none of them."""

    def __init__(self, kind: InstrumentKind, body: Body, notes: Notes, *, archived: bool) -> None:
        self.kind, self.archived = kind, archived
        self.body = body
        self.notes = notes
        self.parts = Parts()
        self.handled_lines: set[int] = set()
        """The lines of headings and blocks that are read or reported, from 0."""
        self.blocks: set[int] = set()
        """The `id` of each token that is an instruction's block."""
        self.text_lines: set[int] = set()
        """The lines of rules' new texts, from 0."""
        self.instructions: list[Instruction] = []
        self.ruled = False
        """Whether a ruling stands further up."""

    def read(self, sections: list[_Section]) -> Parts:
        self.parts.preamble = self._words(0, sections[0].line if sections else len(self.body.lines))
        for section in sections:
            self.handled_lines.add(section.line)
            if _is_ruling(self.kind, section):
                self._read_ruling(section)
            else:
                self._read_section(section)
        self._check_other_headings()
        self._check_other_blocks()
        self._check_hidden()
        self.parts.instructions = tuple(self.instructions)
        return self.parts

    def _words(self, start: int, end: int) -> str:
        return self.body.text(*trim_blank_lines(self.body.lines, start, end))

    def _note(
        self, slug: str, line: int, message: str, help: str, column: int | None = None
    ) -> None:
        content = self.body.lines[line]
        shown = column or len(content) - len(content.lstrip()) + 1
        self.notes.at(slug, self.body.line + line, shown, message, help)

    def _read_ruling(self, section: _Section) -> None:
        if self.ruled or self.instructions:
            help = "a judgement is question and reasoning, then one `## Ruling`, then instructions"
            message = (
                "a second ruling stands here"
                if self.ruled
                else "the ruling stands after an instruction"
            )
            self._note("heading-misplaced", section.line, message, help)
        self.ruled = True
        self.parts.ruling = self._words(section.start, section.end)

    def _read_section(self, section: _Section) -> None:
        heading = parse_heading(section.title, archived=self.archived)
        if isinstance(heading, NoInstruction):
            is_ruling = self.kind == "judgement" and section.title.casefold() == _RULING.casefold()
            help = f"write `## {_RULING}`" if is_ruling else heading.help
            self._note("instruction-unknown", section.line, heading.message, help)
            self.parts.complete = False
            return
        if self.kind == "judgement" and not self.ruled:
            message, help = (
                "an instruction stands before the ruling",
                "write the ruling above it, under `## Ruling`",
            )
            self._note("heading-misplaced", section.line, message, help)
        block = self._read_block(section, heading)
        self._add_instruction(section, heading, block)

    def _read_block(self, section: _Section, heading: Heading) -> Block | None:
        token = next(iter(section.tokens), None)
        if token is None or token.map is None or not is_rule_block(token):
            self._check_near_block(token)
            return None
        self.blocks.add(id(token))
        self.handled_lines.update(range(*token.map))
        block = read_block(token, self.body, heading.verb, self.notes)
        self.parts.complete &= block.matter is not None
        return block

    def _check_near_block(self, token: Token | None) -> None:
        if token is not None and token.map is not None and is_nearly_rule_block(token):
            self._note(
                "block-misplaced",
                token.map[0],
                f"the info string {quoted(token.info.strip())} is not that of a rule's block",
                "write exactly `yaml rule` after the fence; or begin the text with something else",
            )
            self.parts.complete = False

    def _add_instruction(self, section: _Section, heading: Heading, block: Block | None) -> None:
        begin = block.end if block else section.start
        start, end = trim_blank_lines(self.body.lines, begin, section.end)
        takes_text = heading.verb in _TEXT_VERBS
        lost = bool(block and block.matter and block.matter.text == "lost")
        self._check_body(section, heading, block, start if start < end else None, lost)
        if takes_text:
            self.text_lines.update(range(start, end))
            self._check_context(section.tokens[1:] if block else section.tokens, start, end)
        content = self.body.lines[section.line]
        self.instructions.append(
            Instruction(
                verb=heading.verb,
                index=len(self.instructions),
                span=Span(
                    file=self.notes.file,
                    line=self.body.line + section.line,
                    column=len(content) - len(content.lstrip()) + 1,
                ),
                target=heading.target,
                title=heading.title,
                tier=heading.tier,
                number=heading.number,
                text=self.body.text(start, end)
                if takes_text and start < end and not lost
                else None,
                lost=lost,
                block=block.matter if block else None,
                block_source=block.source if block else None,
                text_line=self.body.line + start if takes_text and start < end else 0,
            )
        )

    def _check_body(
        self, section: _Section, heading: Heading, block: Block | None, text: int | None, lost: bool
    ) -> None:
        """Check what stands under a heading: `text` is the line where text begins, if any;
        `lost` says that the block has `text: lost`.
        """
        verb = heading.verb.capitalize()
        if heading.verb in _TEXT_VERBS:
            if text is None and not lost:
                help = (
                    "write the whole text below the heading, or `text: lost` in a `yaml rule` block"
                )
                self._refuse_body(
                    section.line, f"`{verb}` needs the rule's text, and there is none", help
                )
            elif text is not None and lost:
                help = "delete `text: lost`, or the text"
                self._refuse_body(text, "the text is said to be lost, but here it is", help)
            return
        if text is not None:
            help = "move it above the first instruction"
            self._refuse_body(text, f"text stands under `{verb}`, which takes none", help)
        if heading.verb == "mark" and (
            block is None or (block.matter and not block.matter.written)
        ):
            help = (
                "write a `yaml rule` block below it with void, note, section, defines, unread "
                "or provisions"
            )
            self._refuse_body(section.line, "`Mark` does not say what to mark", help)

    def _refuse_body(self, line: int, message: str, help: str) -> None:
        self._note("instruction-body", line, message, help)
        self.parts.complete = False

    def _check_context(self, tokens: Sequence[Token], start: int, end: int) -> None:
        """Refuse a link definition elsewhere in the file that changes how a rule's text reads."""
        if not self.body.references:
            return
        alone = parse_body(self.body.text(start, end), 1, inline=True).tokens
        for at, token in enumerate(tokens):
            if token.map is not None and (
                at >= len(alone) or not same_tokens([token], [alone[at]])
            ):
                self._note(
                    "text-context",
                    token.map[0],
                    "in rules/ this text would read otherwise: a link here is defined outside of "
                    "this text",
                    "put the definition into this text, with a label that is nowhere else in the "
                    "file",
                )
                return

    def _check_other_headings(self) -> None:
        for at, token in enumerate(self.body.tokens):
            if token.type != "heading_open" or token.tag not in ("h1", "h2") or token.map is None:
                continue
            line = token.map[0]
            if line in self.handled_lines and token.level == 0 and token.markup == "##":
                continue
            self.handled_lines.update(range(*token.map))
            content = self.body.tokens[at + 1].content
            self._refuse_heading(
                token, content, line, heading_column(self.body.lines[line], token, content)
            )

    def _refuse_heading(self, token: Token, content: str, line: int, column: int) -> None:
        shown = (
            f"the heading {quoted(content.split(chr(10), 1)[0])}" if content else "an empty heading"
        )
        meant = meant_heading(content)
        if token.tag == "h1" and line in self.text_lines:
            message = f"{shown} of level 1 is in a rule's text"
            self._note(
                "heading-level", line, message, meant or "write it with `###` or more", column
            )
            return
        if token.markup in ("=", "-"):
            message = f"{shown} comes from the line of `{token.markup}` below it"
            help = (
                f"leave a blank line above the line of `{token.markup}`, or write `### …` for "
                "a heading"
            )
        elif token.tag == "h1":
            message, help = f"{shown} is of level 1", meant or "write it with `###` or more"
        else:
            message = f"{shown} of level 2 stands inside a list or a quotation"
            help = (
                "begin the line with `##` if it is an instruction; write `###` or more if it is not"
            )
        self._note("heading-misplaced", line, message, help, column)

    def _check_other_blocks(self) -> None:
        for token in self.body.tokens:
            if token.map is not None and is_rule_block(token) and id(token) not in self.blocks:
                self._note(
                    "block-misplaced",
                    token.map[0],
                    "a `yaml rule` block stands where none can be",
                    "put it right below the heading of an instruction, before the text",
                )

    def _check_hidden(self) -> None:
        for at, line in enumerate(self.body.lines):
            if at not in self.handled_lines and looks_like_instruction(line):
                self._note(
                    "instruction-hidden",
                    at,
                    f"{quoted(line.strip())} looks like an instruction, but is not one",
                    "begin the line with `## `, outside of lists, quotations and fences; or word "
                    "it differently",
                )
