"""What is wrong below the front matter of a draft, mended: headings, texts in the wrong place, fences, HTML. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from nomicgen.play.draft import Draft, instruction_of, words_of
from nomicgen.model.findings import Edit, Finding, Mending
from nomicgen.files.file_findings import quoted
from nomicgen.files.headings import Heading, meant_instruction
from nomicgen.patterns import lazy_pattern

_UNDERLINE = lazy_pattern(r"[\s>]*(=+|-+)\s*")
_DECORATION = lazy_pattern(r"[\s>]*(?:[-*+]\s+|[0-9]+[.)]\s+)?[\s>]*(?:#+[ \t]*)?")
_REPORTED = lazy_pattern(
    r"\s*[:.]?\s*(?:(?:so that it|and let it)\s+)?(?:to\s+)?(?:say|says|read|reads)?(?:\s+as follows|\s+that)?\s*:?\s*",
    re.IGNORECASE,
)
_LABEL = lazy_pattern(
    r"[\s*_#>]*(?:the\s+)?(?:new\s+)?(?:(?:full\s+)?text(?:\s+of\s+the\s+(?:new\s+)?rule)?|rule(?:\s+text)?|wording"
    r"|proposed\s+(?:new\s+)?(?:rule|text)|proposal)[\s*_]*:?[\s*_]*",
    re.IGNORECASE,
)
_ARGUES = lazy_pattern(
    r"\W*(?:the\s+)?(?:why|rationale|arguments?|reasons?|reasoning|background|motivation|summary|abstract|purpose|intro"
    r"|introduction|problem|context|discussion|notes?|examples?|comments?)\b",
    re.IGNORECASE,
)
_TAKES_TEXT = ("enact", "amend")
_LONGEST = 160
_SOME = 3


def opened(finding: Finding, draft: Draft) -> Mending | None:
    """A fence that is never closed, closed at the end."""
    match = re.search(r"`{3,}|~{3,}", draft.lines[finding.span.line - 1])
    if match is None:
        return None
    last = max((at for at, line in enumerate(draft.lines) if line.strip()), default=0) + 1
    return Mending(said=finding.help, edits=(Edit(last + 1, last, (match[0],)),))


def mended_heading(finding: Finding, draft: Draft) -> Mending | None:
    """A heading of the wrong level, or in a list or a quotation."""
    at = finding.span.line - 1
    first, last, words = _heading(draft, at)
    instruction = _instruction(draft, words)
    if instruction is not None:
        return _placed(draft, first, last, *instruction)
    level_1 = not draft.lines[at].lstrip(" >-*+").startswith("##")
    under = _UNDERLINE.fullmatch(draft.lines[last]) if last > first else None
    if under is not None and under[1].startswith("-"):
        said = f"leave a blank line above the line of {quoted(under[1][:20])}"
        return Mending(said=said, edits=(Edit(last + 1, last, ("",)),))
    if level_1 and _is_title(draft, words):
        edit = Edit(first + 1, last + 1, ())
        return Mending(said=f"delete the heading {quoted(words)}: the front matter has the title", edits=(edit,))
    new = draft.set_apart([f"### {words}"], first, last)
    return Mending(said=f"write {quoted(f'### {words}')}", edits=(Edit(first + 1, last + 1, new),))


def _is_title(draft: Draft, words: str) -> bool:
    """Whether a heading only says the title again, above the first instruction."""
    return words.casefold() == draft.title.casefold() and any(heading for _, heading in draft.sections())


def _heading(draft: Draft, at: int) -> tuple[int, int, str]:
    """From which line to which a heading reaches, and its words."""
    line = draft.lines[at]
    if "#" in line or "\uff03" in line or re.search(r"<[hH][1-6]", line):
        return at, at, _DECORATION.sub("", line, count=1).rstrip(" #\t")
    last = at
    while last + 1 < len(draft.lines) and draft.lines[last + 1].strip():
        last += 1
        if _UNDERLINE.fullmatch(draft.lines[last]):
            words = " ".join(line.strip(" \t>") for line in draft.lines[at:last])
            return at, last, words
    return at, at, line.strip(" \t>")


def _instruction(draft: Draft, words: str) -> tuple[str, str, str] | None:
    """The heading that some words were meant for, what to ask, and a text that stood beside it."""
    meant = meant_instruction(words)
    if meant is None:
        return None
    written = instruction_of(meant, draft)
    if written is None:
        return None
    text = ""
    if meant.verb == "amend":
        text = _REPORTED.sub("", meant.rest, count=1).strip().strip('“”"„')
        text = text if len(text.split()) >= _SOME else ""
    return *written, text


def _placed(draft: Draft, first: int, last: int, heading: str, asks: str, text: str = "") -> Mending:
    """An instruction's heading in place of some lines; what stood below it in the same list or quotation comes out."""
    edits = [*_freed(draft, first, last)]
    has_text = text and draft.is_blank(last + 1, draft.after(last))
    new = [heading, "", text] if has_text else [heading]
    edits.insert(0, Edit(first + 1, last + 1, draft.set_apart(new, first, last)))
    return Mending(said=f"write {quoted(heading, 200)} on a line of its own", edits=tuple(edits), asks=asks)


def _freed(draft: Draft, first: int, last: int) -> Iterator[Edit]:
    """The lines below a heading that stood in a quotation, a list or an indented block, without its marks."""
    line = draft.lines[first]
    is_quote = line.lstrip().startswith(">")
    if not is_quote and not line.startswith((" ", "\t", "-", "*", "+")) and not re.match(r"[0-9]+[.)] ", line):
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
    """A level-2 heading that is no instruction: one that was meant for one, a title, or part of the argument."""
    at = finding.span.line - 1
    words = _heading(draft, at)[2]
    instruction = _instruction(draft, words)
    if instruction is not None:
        return _placed(draft, at, at, *instruction)
    if meant_instruction(words) is not None:
        return None
    sections = [*draft.sections()]
    if not any(heading for _, heading in sections):
        return _enacted(draft, [line for line, _ in sections], at)
    first = min(line for line, heading in sections if heading is not None)
    level_3 = f"### {words}"
    if at < first:
        return Mending(said=f"write {quoted(level_3)}", edits=(Edit(at + 1, at + 1, (level_3,)),))
    end = draft.after(at)
    moved = (level_3, *draft.lines[at + 1 : end])
    while moved and not moved[-1].strip():
        moved = moved[:-1]
    return Mending(
        said=f"write {quoted(level_3)}, and move it with the text below it above the first instruction",
        edits=(Edit(first + 1, first, (*moved, "")), Edit(at + 1, end, ())),
        asks=f"Is the text below {quoted(words)} argument? Otherwise it would be part of a rule.",
    )


def _is_said(line: str) -> bool:
    """Whether a line has words, and does not begin a comment, which comes out."""
    return bool(line.strip()) and not line.lstrip().startswith("<!--")


def _is_label(line: str) -> bool:
    """Whether a line says no more than that the text of the rule follows."""
    return len(line) <= _LONGEST and _LABEL.fullmatch(line) is not None


def _enacted(draft: Draft, sections: list[int], at: int) -> Mending:
    """Of level-2 headings without an instruction among them: which of them begins the new rule, and which argues."""
    of_rule = [section for section in sections if not _ARGUES.match(_heading(draft, section)[2])]
    begins = of_rule[0] if of_rule else None
    words = _heading(draft, at)[2]
    if at != begins:
        return Mending(said=f"write {quoted(f'### {words}')}", edits=(Edit(at + 1, at + 1, (f"### {words}",)),))
    is_label = _is_label(words) or re.fullmatch(r"[A-Z]?[0-9. ]*", words)
    heading = f"## Enact Rule: {draft.title if is_label else words_of(words) or draft.title}"
    asks = f"Is the text below {quoted(heading)} the text of a new rule?"
    return _placed(draft, at, at, heading, asks)


def mended_hidden(finding: Finding, draft: Draft) -> Mending | None:
    """A line that reads like an instruction, in a list, a quotation or a fence."""
    at = finding.span.line - 1
    instruction = _instruction(draft, draft.lines[at])
    if instruction is None:
        return None
    heading, asks, text = instruction
    fence = draft.fence_at(at)
    asks = asks or f"Is {quoted(heading)} meant as an instruction?"
    placed = _placed(draft, at, at, heading, asks, text)
    if fence is None:
        return replace(placed, said=f"{placed.said}; or else do not write it like an instruction")
    ends = tuple(Edit(mark + 1, mark + 1, ()) for mark in fence if mark < len(draft.lines))
    said = f"{placed.said}, and delete the lines of the fence around it"
    return Mending(said=said, edits=(*placed.edits, *ends), asks=asks)


def mended_place(finding: Finding, draft: Draft) -> Mending | None:
    """Text under an instruction that takes none, and an instruction without the text that it needs."""
    at = finding.span.line - 1
    sections = [(line, heading) for line, heading in draft.sections() if heading is not None]
    mine = max((line for line, _ in sections if line <= at), default=None)
    if mine is None:
        return None
    heading = dict(sections)[mine]
    first, end = min(dict(sections)), draft.after(mine)
    if heading.verb in _TAKES_TEXT:
        return _text_from_above(draft, heading, mine, first, len(sections))
    if heading.verb == "mark":
        return None
    moved = _trimmed(draft.lines[mine + 1 : end])
    if not moved:
        return None
    return Mending(
        said=f"move the text below {quoted(draft.lines[mine].strip())} above the first instruction",
        edits=(Edit(first + 1, first, (*moved, "")), Edit(mine + 2, end, ("",) if end < len(draft.lines) else ())),
    )


def _text_from_above(draft: Draft, said: Heading, mine: int, first: int, count: int) -> Mending | None:
    """The argument taken for the text, where there is but one instruction and nothing below it."""
    argument = _trimmed(draft.lines[draft.body : first])
    if count > 1 or not argument or not draft.is_blank(mine + 1, len(draft.lines)):
        return None
    whose = "the new rule" if said.target is None else f"Rule {said.target.number}"
    heading = draft.lines[mine].strip()
    return Mending(
        said=f"write the text below {quoted(heading)}",
        edits=(Edit(draft.body + 1, len(draft.lines), ("", heading, "", *argument, "")),),
        asks=f"Is what stood above the heading to be the whole text of {whose}?",
    )


def _trimmed(lines: Sequence[str]) -> tuple[str, ...]:
    start, end = 0, len(lines)
    while start < end and not lines[start].strip():
        start += 1
    while end > start and not lines[end - 1].strip():
        end -= 1
    return tuple(lines[start:end])


def mended_surplus(finding: Finding, draft: Draft) -> Mending | None:
    """More changes than a proposal may hold: those that come first stay."""
    at = finding.span.line - 1
    kept = sum(1 for line, instruction in draft.sections() if instruction is not None and line < at)
    if not kept:
        return None
    gone = [draft.lines[line].strip() for line, _ in draft.sections() if line >= at]
    shown = ", ".join(quoted(heading) for heading in gone[:5])
    return Mending(
        said=f"delete {shown}, with the text below; each needs its own pull request",
        edits=(Edit(at + 1, len(draft.lines), ("",)),),
        asks="Which change do you want in this proposal? Here the first is kept.",
    )


def mended_text(finding: Finding, draft: Draft) -> Mending | None:
    """A draft without any instruction: a line that was meant for one, or prose that may be a new rule."""
    fenced = [*draft.fences()]
    instructions = []
    for at in range(draft.body, len(draft.lines)):
        line = draft.lines[at]
        if len(line) <= _LONGEST and line.strip() and not any(start <= at <= end for start, end in fenced):
            instruction = _pseudo(draft, line)
            if instruction is not None:
                instructions.append((at, instruction))
    # Who says in the argument what the heading says below it means the heading.
    last = {instruction[0]: at for at, instruction in instructions}
    instructions = [(at, instruction) for at, instruction in instructions if last[instruction[0]] == at]
    if instructions:
        edits = tuple(edit for at, instruction in instructions for edit in _placed(draft, at, at, *instruction).edits)
        shown = ", ".join(quoted(instruction[0], 200) for _, instruction in instructions[:5])
        asks = " ".join(dict.fromkeys(instruction[1] for _, instruction in instructions if instruction[1]))
        return Mending(said=f"write {shown} on a line of its own", edits=edits, asks=asks)
    return _prose(draft)


def _pseudo(draft: Draft, line: str) -> tuple[str, str, str] | None:
    """The instruction that a whole line is, though it is no heading."""
    meant = meant_instruction(line)
    if meant is None or _is_label(line):
        return None
    rest = meant.rest.strip().strip("*_`")
    is_whole = meant.marked or not re.search(r"\w", rest) or bool(re.match(r"[:–—-]", rest))
    if meant.verb == "amend" and meant.number is not None:
        is_whole = is_whole or bool(re.match(r"(?i)(?:so|to|and let|as follows)\b", rest))
    if meant.verb == "transmute":
        is_whole = is_whole or len(rest.split()) <= _SOME
    instruction = _instruction(draft, line) if is_whole else None
    if instruction is None:
        return None
    heading, asks, text = instruction
    return heading, asks or ("" if meant.marked else f"Is this what you propose: {quoted(heading)}?"), text


def _prose(draft: Draft) -> Mending | None:
    """Prose as the text of a new rule."""
    first = next((at for at in range(draft.body, len(draft.lines)) if _is_said(draft.lines[at])), None)
    if first is None:
        return None
    label = next((at for at in range(first, len(draft.lines)) if _is_label(draft.lines[at])), None)
    heading, last = f"## Enact Rule: {draft.title}", first - 1
    if label is not None and not draft.is_blank(label + 1, len(draft.lines)):
        first = last = label
    else:
        line = draft.lines[first].strip()
        begins = line.lstrip("#").rstrip("# \t").strip() if re.match(r"#{1,6}[ \t]", line) else ""
        if begins and not draft.is_blank(first + 1, len(draft.lines)):
            heading, last = f"## Enact Rule: {begins}", first
    return Mending(
        said=f"write {quoted(heading, 200)} above the text of a new rule; or else `## Amend Rule N/R` with the whole "
        "new text below it, `## Repeal Rule N/R`, or `## Transmute Rule N/R to TIER`",
        edits=(Edit(first + 1, last + 1, draft.set_apart([heading], first, last)),),
        asks="Is this a new rule, and everything below the heading its text? Arguments go above the heading.",
    )
