"""Mendings of findings below the front matter of a draft: of headings, of texts in the wrong place,
and of fences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from nomicgen.files.file_findings import quoted
from nomicgen.files.headings import meant_instruction
from nomicgen.files.text_encoding import trim_blank_lines
from nomicgen.model.findings import Edit, Finding, Mending
from nomicgen.play.draft import Draft, instruction_of

# A line that makes a heading of the line above it; what may stand before the words of a heading.
_UNDERLINE = r"[\s>]*(=+|-+)\s*"
_DECORATION = r"[\s>]*(?:[-*+]\s+|[0-9]+[.)]\s+)?[\s>]*(?:#+[ \t]*)?"
_LONGEST = 160
"""Characters of a line that can be an instruction, at most."""
_TAKES_TEXT = ("enact", "amend")
"""Verbs of instructions with a text below them."""


def close_open_fence(finding: Finding, draft: Draft) -> Mending | None:
    """Return the mending that closes an open fence after the last line with words."""
    match = re.search(r"`{3,}|~{3,}", draft.lines[finding.span.line - 1])
    if match is None:
        return None
    last = max((at for at, line in enumerate(draft.lines) if line.strip()), default=0) + 1
    return Mending(said=finding.help, edits=(Edit(last + 1, last, (match[0],)),))


def mended_heading(finding: Finding, draft: Draft) -> Mending | None:
    """Return the mending of a heading of the wrong level, or in a list or a quotation."""
    at = finding.span.line - 1
    first, last, words = _heading(draft, at)
    instruction = _instruction(draft, words)
    if instruction is not None:
        return _placed(draft, first, last, *instruction)
    level_1 = not draft.lines[at].lstrip(" >-*+").startswith("##")
    under = re.fullmatch(_UNDERLINE, draft.lines[last]) if last > first else None
    # Below a blank line, `---` makes no heading.
    if under is not None and under[1].startswith("-"):
        said = f"leave a blank line above the line of {quoted(under[1][:20])}"
        return Mending(said=said, edits=(Edit(last + 1, last, ("",)),))
    if level_1 and _is_title(draft, words):
        edit = Edit(first + 1, last + 1, ())
        return Mending(
            said=f"delete the heading {quoted(words)}: the front matter has the title",
            edits=(edit,),
        )
    new = draft.set_apart([f"### {words}"], first, last)
    return Mending(said=f"write {quoted(f'### {words}')}", edits=(Edit(first + 1, last + 1, new),))


def _is_title(draft: Draft, words: str) -> bool:
    """Return whether a heading only repeats the title of a draft that has instructions."""
    return words.casefold() == draft.title.casefold() and any(
        heading for _, heading in draft.sections()
    )


def _heading(draft: Draft, at: int) -> tuple[int, int, str]:
    """Return the first and the last line of the heading that begins at line `at`, and its words.

    A heading that is underlined has at least two lines.
    """
    line = draft.lines[at]
    if "#" in line or "\uff03" in line or re.search(r"<[hH][1-6]", line):
        return at, at, re.sub(_DECORATION, "", line, count=1).rstrip(" #\t")
    last = at
    while last + 1 < len(draft.lines) and draft.lines[last + 1].strip():
        last += 1
        if re.fullmatch(_UNDERLINE, draft.lines[last]):
            words = " ".join(line.strip(" \t>") for line in draft.lines[at:last])
            return at, last, words
    return at, at, line.strip(" \t>")


def _instruction(draft: Draft, words: str) -> tuple[str, str] | None:
    """Return the heading of the instruction that words are meant for, and a question to the author,
    or ''; None if it is not known.
    """
    meant = meant_instruction(words)
    return None if meant is None else instruction_of(meant, draft)


def _placed(draft: Draft, first: int, last: int, heading: str, asks: str) -> Mending:
    """Return the mending that puts an instruction's heading in place of the lines from `first` to
    `last`.

    If they are in a list or a quotation, it takes the lines below out of it, too.
    """
    edits = (
        Edit(first + 1, last + 1, draft.set_apart([heading], first, last)),
        *_outdenting(draft, first, last),
    )
    return Mending(
        said=f"write {quoted(heading, 200)} on a line of its own", edits=edits, asks=asks
    )


def _outdenting(draft: Draft, first: int, last: int) -> Iterator[Edit]:
    """Yield edits that take the lines below a heading out of its list or quotation."""
    line = draft.lines[first]
    is_quote = line.lstrip().startswith(">")
    if (
        not is_quote
        and not line.startswith((" ", "\t", "-", "*", "+"))
        and not re.match(r"[0-9]+[.)] ", line)
    ):
        return
    for at in range(last + 1, len(draft.lines)):
        below = draft.lines[at]
        if is_quote and below.lstrip().startswith(">"):
            yield Edit(at + 1, at + 1, (re.sub(r"^\s*> ?", "", below),))
        elif not is_quote and below.startswith((" ", "\t")):
            yield Edit(at + 1, at + 1, (below.lstrip(),))
        elif below.strip():
            return


def mended_unknown(finding: Finding, draft: Draft) -> Mending | None:
    """Return the mending of a level-2 heading that is no instruction, or a stale one: what was
    meant for an instruction gets the right form; another gets level 3 if it stands above the first
    instruction.
    """
    at = finding.span.line - 1
    words = _heading(draft, at)[2]
    instruction = _instruction(draft, words)
    if instruction is not None:
        return _placed(draft, at, at, *instruction)
    first = next((line for line, heading in draft.sections() if heading is not None), -1)
    if at < first and meant_instruction(words) is None:
        return Mending(
            said=f"write {quoted(f'### {words}')}", edits=(Edit(at + 1, at + 1, (f"### {words}",)),)
        )
    return None


def mended_hidden(finding: Finding, draft: Draft) -> Mending | None:
    """Return the mending that makes an instruction of a line which reads like one, in a list, a
    quotation or a fence.
    """
    at = finding.span.line - 1
    instruction = _instruction(draft, draft.lines[at])
    if instruction is None:
        return None
    heading, asks = instruction
    fence = draft.fence_at(at)
    asks = asks or f"Is {quoted(heading)} meant as an instruction?"
    placed = _placed(draft, at, at, heading, asks)
    if fence is None:
        return replace(placed, said=f"{placed.said}; or else do not write it like an instruction")
    ends = tuple(Edit(mark + 1, mark + 1, ()) for mark in fence if mark < len(draft.lines))
    said = f"{placed.said}, and delete the lines of the fence around it"
    return Mending(said=said, edits=(*placed.edits, *ends), asks=asks)


# What the author is asked about text below such as `## Repeal Rule 203/0`.
_ASKED = (
    "`{}` takes no text: what stands below it becomes a reason and not law. Is the heading alone "
    "what you mean?"
)


def mended_place(finding: Finding, draft: Draft) -> Mending | None:
    """Return the mending of text below an instruction that takes none: it goes to the argument."""
    at = finding.span.line - 1
    sections = {line: heading for line, heading in draft.sections() if heading is not None}
    mine = max((line for line in sections if line <= at), default=None)
    if mine is None or (heading := sections[mine]).verb in _TAKES_TEXT or heading.verb == "mark":
        return None
    first, end = min(sections), draft.end_below(mine)
    below = ("",) if end < len(draft.lines) else ()
    begin, last = trim_blank_lines(draft.lines, mine + 1, end)
    if begin >= last:
        return None
    moved = Edit(first + 1, first, (*draft.lines[begin:last], ""))
    return Mending(
        said=f"move the text below {quoted(draft.lines[mine].strip())} above the first instruction",
        edits=(moved, Edit(mine + 2, end, below)),
        asks=_ASKED.format(heading.verb.capitalize()),
    )


def mended_text(finding: Finding, draft: Draft) -> Mending | None:
    """Return the mending of a draft without instructions: lines that read like them become such."""
    fenced = [*draft.fences()]
    instructions = [
        (at, instruction)
        for at in range(draft.body, len(draft.lines))
        if len(line := draft.lines[at]) <= _LONGEST
        and not any(start <= at <= end for start, end in fenced)
        if (meant := meant_instruction(line)) is not None and meant.marked
        if (instruction := instruction_of(meant, draft)) is not None
    ]
    if not instructions:
        return None
    edits = tuple(
        edit
        for at, instruction in instructions
        for edit in _placed(draft, at, at, *instruction).edits
    )
    shown = ", ".join(quoted(heading, 200) for _, (heading, _) in instructions[:5])
    asks = " ".join(dict.fromkeys(asks for _, (_, asks) in instructions if asks))
    return Mending(said=f"write {shown} on a line of its own", edits=edits, asks=asks)
