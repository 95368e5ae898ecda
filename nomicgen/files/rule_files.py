"""The files of rules: `rules/203.md` and `rules/initial/203.md`, with keys and a text."""

from __future__ import annotations

from nomicgen.files.file_findings import Notes
from nomicgen.files.front_matter import read_front
from nomicgen.files.markdown import (
    Body,
    check_bounds,
    check_fences,
    check_html,
    heading_column,
    is_rule_block,
    parse_body,
)
from nomicgen.files.markdown_limits import is_tame
from nomicgen.files.quick_outline import is_marked
from nomicgen.files.text_encoding import trim_blank_lines
from nomicgen.files.validation import validate
from nomicgen.model.findings import Finding
from nomicgen.model.records import RuleFile
from nomicgen.model.rule_matters import RuleMatter
from nomicgen.model.values import Source, Span


def read_rule(path: str, data: bytes) -> tuple[RuleFile | None, tuple[Finding, ...]]:
    """Return the rule of a file, None if it cannot be used, and what is wrong with the file."""
    notes = Notes(path)
    rule = _read(path, data, notes)
    return rule, notes.findings()


def check_number(path: str, number: int | None, source: Source, notes: Notes) -> bool:
    """Return whether a file's number is the one of its name; if not, that is added to `notes`.

    A name without a number agrees with any number, and a file without a number with any name.
    """
    name = path.rsplit("/", 1)[-1].removesuffix(".md")
    if not name.isascii() or not name.isdigit() or number is None or number == int(name):
        return True
    notes.add(
        "number-mismatch",
        source.at("number"),
        f"the file is named {name}, but its number is {number}",
        f"write `number: {name}`, or rename the file to {number}.md",
    )
    return False


def _read(path: str, data: bytes, notes: Notes) -> RuleFile | None:
    read = read_front(data, notes)
    if read is None:
        return None
    front, composed = read
    matter = validate(RuleMatter, composed, notes) if composed else None
    lines = front.body.split("\n")
    start, end = trim_blank_lines(lines, 0, len(lines))
    words = "\n".join(lines[start:end])
    bounded = True
    if is_marked(words) or not is_tame(words):  # other texts have nothing to check
        bounded = _check_text(parse_body(front.body, front.body_line), notes)
    if matter is None or composed is None:
        return None
    source = composed.source
    readable = check_number(path, matter.number, source, notes) and bounded
    if matter.text == "lost" and words:
        message = "the text is said to be lost, but here it is"
        notes.at(
            "value-wrong", front.body_line + start, 1, message, "delete `text: lost`, or the text"
        )
        readable = False
    elif matter.text is None and not words:
        help = "write it below the front matter, or `text: lost` where it did not survive"
        notes.add("key-missing", Span(file=path), "the rule has no text", help)
        readable = False
    if not readable:
        return None
    return RuleFile(
        matter=matter,
        text=None if matter.text == "lost" else words,
        source=source,
        text_line=front.body_line + (start if words else 0),
    )


def _check_text(body: Body, notes: Notes) -> bool:
    """Return whether the parser could read the text; what is wrong with it is added to `notes`."""
    if not check_bounds(body, notes):
        return False
    check_fences(body, notes)
    check_html(body, notes)
    for at, token in enumerate(body.tokens):
        if token.map is None:
            continue
        line = token.map[0]
        if token.type == "heading_open" and token.tag in ("h1", "h2"):
            setext = token.markup in ("=", "-")
            message = f"a heading of level {token.tag[1]} is in a rule's text"
            help = (
                f"leave a blank line above the line of `{token.markup}`, or write `### …` for a "
                "heading"
                if setext
                else "write it with `###` or more"
            )
            column = heading_column(body.lines[line], token, body.tokens[at + 1].content)
            notes.at("heading-level", body.line + line, column, message, help)
        elif is_rule_block(token):
            notes.at(
                "block-misplaced",
                body.line + line,
                body.lines[line].find(token.markup) + 1,
                "a `yaml rule` block is in a rule's text",
                "move its keys to the front matter, or give the fence another info string",
            )
    return True
