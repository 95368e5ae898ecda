"""The rules that one file of an archive holds: a file a rule, or one file for all.

A line that names a rule is its heading, unless it stands in code. Everything is kept by its text: from commit to commit
nearly all of it is the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.files.file_findings import Notes
from nomicgen.files.markdown import parse_body
from nomicgen.files.text_encoding import trimmed
from nomicgen.importers.git_headings import RuleHeading, parse_rule_heading
from nomicgen.importers.long_format import normalised
from nomicgen.importers.text_below import may_have_apparatus, without_apparatus
from nomicgen.importers.text_blocks import plain_as_markdown
from nomicgen.importers.text_lines import Line, lines_of
from nomicgen.importers.text_markdown import as_markdown, sound
from nomicgen.patterns import lazy_pattern

_NAMED = lazy_pattern(r"(?:r(?:ule)?[-_ ]?)?(?P<number>[1-9][0-9]{0,8})(?:[-_. ].*)?", re.IGNORECASE)
_BETWEEN = "\n## "
_LINE_FEED = "\n"
_CODE = ("```", "~~~", "\n    ", "\n\t")
_TAG = lazy_pattern(r"<[!?a-zA-Z/]")


class Slip(Struct, frozen=True, kw_only=True):
    """Something odd about a file's words; `line` counts from 1."""

    slug: str
    line: int
    message: str
    made: str
    quote: str = ""


class Passage(Struct, frozen=True, kw_only=True):
    """A rule as a file has it. `text` is None where there is none; a `bare` one has no heading with tier and marks."""

    number: int
    revision: int | None = None
    tier: str | None = None
    mark: str = ""
    title: str | None = None
    text: str | None = None
    bare: bool = False


class FileText(Struct, frozen=True, kw_only=True):
    """The rules of a file, in its order, each with the line of its heading, from 1; and what is odd about the file."""

    passages: tuple[Passage, ...] = ()
    lines: tuple[int, ...] = ()
    slips: tuple[Slip, ...] = ()


def number_of_file(path: str) -> int | None:
    """The number in the name of a file that is for one rule: `203.md`, `rule-203.md`, `203-adoption.md`."""
    match = _NAMED.fullmatch(path.rpartition("/")[2].rpartition(".")[0])
    return int(match["number"]) if match else None


def read_whole(data: bytes, named: int | None) -> FileText:
    """The rules of a file's contents. `named` is the number that its name gives, None for one file for all."""
    notes = Notes("")
    data, slips = readable(data)
    words = data.decode()
    if not all(map(_is_normal, words.split(_BETWEEN))):
        words = normalised(data, notes) or ""
    found, more = _all(words) if named is None else _one(words, named)
    return FileText(
        passages=tuple(passage for _, passage in found.values()),
        lines=tuple(line for line, _ in found.values()),
        slips=(*slips, *_of_notes(notes), *more),
    )


@lru_cache(maxsize=65536)
def _is_normal(words: str) -> bool:
    """Whether words are as a game's files hold them: to look at a whole file again takes longer than all else."""
    return normalised(words.encode(), Notes("")) == words


def _may_have_code(text: str) -> bool:
    """Whether code, or HTML, may be in a text; one pattern of all its marks would take far longer."""
    return any(mark in text for mark in _CODE) or text.startswith(("    ", "\t")) or _TAG.search(text) is not None


def readable(data: bytes) -> tuple[bytes, tuple[Slip, ...]]:
    """The bytes as UTF-8: what is not is taken for what Windows wrote in the West."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"byte {error.start + 1} of the file is not UTF-8"
        slip = Slip(slug="bytes", line=line, message=message, made="the file is read as Windows-1252")
        return data.decode("cp1252", "replace").encode(), (slip,)
    return data, ()


def _of_notes(notes: Notes) -> Iterator[Slip]:
    for one in notes.findings():
        yield Slip(slug="bytes", line=one.span.line or 1, message=one.message, made=one.help)


def _one(words: str, named: int) -> tuple[dict[int, tuple[int, Passage]], list[Slip]]:
    """A file for one rule: its first line that is not blank is the heading; others may follow that print a revision."""
    lines = words.split("\n")
    first, last = trimmed(lines, 0, len(lines))
    if first == last:
        slip = Slip(slug="text-empty", line=1, message="the file has nothing in it", made="the rule's text is lost")
        return {named: (1, Passage(number=named, bare=True))}, [slip]
    heading = parse_rule_heading(lines[first])
    number = heading.number if heading is not None else named
    (own, _), *others = _parts(
        "\n".join(lines[first:last]), lambda other: other.revision is not None and other.number != number
    )
    end = first + own.count("\n") + 1
    if heading is None or (not heading.level and (heading.number != named or _is_all(heading, lines[first + 1 : end]))):
        made = f"its number is taken from the file's name, {named}, and nothing is known of its revision"
        slip = Slip(slug="heading-missing", line=first + 1, message="no heading names the rule", made=made)
        passage, more = passage_of(RuleHeading(number=named), lines, first - 1, end)
        found = {named: (max(first, 1), replace(passage, bare=True))}
        slips = [slip, *more]
    else:
        passage, more = passage_of(heading, lines, first, end)
        found, slips = {number: (first + 1, passage)}, [*_heading_slips(heading, lines[first], first)]
        if number != named:
            message = f"the heading says Rule {number}, and the file's name {named}"
            made = "the heading is followed, unless another file has that rule"
            slips.append(Slip(slug="number-differs", line=first + 1, message=message, made=made, quote=lines[first]))
        slips += more
    slips += _add_parts(others, end + 1, found)
    main, *further = found
    for other in further:
        line, _ = found[other]
        message = f"the file of Rule {main} has Rule {other} in it as well"
        made, quote = "it is a rule of its own", lines[line - 1]
        slips.append(Slip(slug="rules-several", line=line, message=message, made=made, quote=quote))
    return found, slips


def _is_all(heading: RuleHeading, below: Sequence[str]) -> bool:
    """Whether a line that may be a heading is the whole text of a rule: `201. Lamps are lit` is."""
    return heading.title is not None and not any(line.strip() for line in below)


def _all(words: str) -> tuple[dict[int, tuple[int, Passage]], list[Slip]]:
    """One file for all rules: each begins at a heading that names it."""
    found: dict[int, tuple[int, Passage]] = {}
    slips = [*_add_parts(_parts(words, lambda _: True), 1, found)]
    first = min((line for line, _ in found.values()), default=None)
    above = words.split("\n") if first is None else words.split("\n", first)[: first - 1]
    return found, [*_slips_above(above, before=first is not None), *slips]


class _Part(Struct, frozen=True):
    """The rules of a part of a file, each with the line of its heading, from 1."""

    rules: tuple[tuple[int, Passage], ...]
    slips: tuple[Slip, ...]
    lines: int


def _parts(words: str, begins: Callable[[RuleHeading], bool]) -> Iterator[tuple[str, bool]]:
    """The parts of a file that can be read each by itself: from one heading that `begins` takes to the next.

    A heading in code or in a comment is none, unless that is never closed: then its part comes with True.
    """
    now, *rest = words.split(_BETWEEN)
    left_open = False
    for at, part in enumerate(rest):
        heading = parse_rule_heading(f"## {part.partition(_LINE_FEED)[0]}")
        begun = heading is not None and heading.sure and begins(heading)
        unclosed = begun and not _closed(now)
        if begun and not (unclosed and _closed(_BETWEEN.join([now, *rest[at:]]))):
            yield now, left_open
            now, left_open = f"## {part}", unclosed
        else:
            now = f"{now}{_BETWEEN}{part}"
    yield now, left_open


def _add_parts(parts: Iterable[tuple[str, bool]], line: int, found: dict[int, tuple[int, Passage]]) -> Iterator[Slip]:
    """Adds the rules of some parts, which begin on `line`; gives what is odd about them."""
    for words, left_open in parts:
        part = _part(words)
        if left_open:
            message = "a code fence or comment above this heading is never closed"
            yield Slip(slug="fence-open", line=line, message=message, made="the heading begins a rule all the same")
        yield from (replace(one, line=one.line + line - 1) for one in part.slips)
        for at, passage in part.rules:
            if passage.number in found:
                message = f"Rule {passage.number} stands in line {found[passage.number][0]} already"
                yield Slip(slug="rule-doubled", line=line + at - 1, message=message, made="this one is left out")
            else:
                found[passage.number] = line + at - 1, passage
        line += part.lines


@lru_cache(maxsize=65536)
def _part(words: str) -> _Part:
    """Reads a part of a file: from version to version of one file nearly all of them are the same."""
    lines = words.split("\n")
    starts: list[tuple[int, RuleHeading]] = []
    for at, line in enumerate(lines):
        heading = parse_rule_heading(line) if line.lstrip()[:1] == "#" else None
        if heading is None or not (heading.sure or _is_probable(heading, starts)):
            continue
        if not starts or _closed("\n".join(lines[starts[-1][0] : at])):
            starts.append((at, heading))
    rules: list[tuple[int, Passage]] = []
    slips: list[Slip] = []
    for (at, heading), end in zip(starts, [*(at for at, _ in starts[1:]), len(lines)], strict=False):
        passage, more = passage_of(heading, lines, at, end)
        rules.append((at + 1, passage))
        slips += [*_heading_slips(heading, lines[at], at), *more]
    return _Part(tuple(rules), tuple(slips), len(lines))


def _slips_above(lines: Sequence[str], *, before: bool) -> Iterator[Slip]:
    """What stands above the first rule, but for a title."""
    at = next((at for at, line in enumerate(lines) if line.strip() and not re.match(r"# |---\s*$", line)), None)
    if at is None:
        return
    message = "words stand above the first rule" if before else "no heading in this file names a rule"
    slug = "outside" if before else "file-without-rule"
    yield Slip(slug=slug, line=at + 1, message=message, made="they are left out" if before else "it is left out")


def _is_probable(heading: RuleHeading, before: Sequence[tuple[int, RuleHeading]]) -> bool:
    """Whether a heading of another form is likely a rule's: a text may have headings with numbers of its own."""
    if heading.level == 1 or heading.revision is not None:
        return True
    return heading.title is None and heading.number > max([99, *(one.number for _, one in before)])


@lru_cache(maxsize=65536)
def _closed(text: str) -> bool:
    """Whether a heading right below a text is one: nothing that swallows it is left open."""
    if not _may_have_code(text):
        return True
    lines = text.count("\n") + 1
    tokens = parse_body(f"{text}\n## 9\n", 1).tokens
    return any(token.type == "heading_open" and token.map is not None and token.map[0] == lines for token in tokens)


def _heading_slips(heading: RuleHeading, line: str, at: int) -> Iterator[Slip]:
    if heading.malformed:
        message, made = "the heading is malformed", f"it is read as Rule {heading.number}"
        yield Slip(slug="heading-form", line=at + 1, message=message, made=made, quote=line)


def passage_of(heading: RuleHeading, lines: Sequence[str], at: int, end: int) -> tuple[Passage, list[Slip]]:
    """The rule whose heading stands at `at`; its text ends before `end`."""
    words = "\n".join(lines[at + 1 : end])
    text, slips = text_of(words)
    passage = Passage(
        number=heading.number,
        revision=heading.revision,
        tier=heading.tier,
        mark=heading.mark,
        title=heading.title,
        text=text,
    )
    if text is None and heading.mark != "repealed":
        slip = Slip(slug="text-empty", line=at + 1, message="the rule has no text", made="its text is said to be lost")
        return passage, [slip]
    return passage, [replace(one, line=one.line + at + 1) for one in slips]


@lru_cache(maxsize=65536)
def text_of(words: str) -> tuple[str | None, tuple[Slip, ...]]:
    """A rule's text from the lines below its heading, None where they are blank; lines of slips count from 1."""
    lines, slips = _without_apparatus(words) if may_have_apparatus(words) else (words.split("\n"), ())
    start, end = trimmed(lines, 0, len(lines))
    if start == end:
        return None, ()
    text = "\n".join(lines[start:end])
    if sound(text):
        return text, slips
    parts = [Line(at + 1, 1, lines[at]) for at in range(start, end)]
    made = as_markdown(parts)
    if made is not None:
        message = "a heading above level 3, a fence of instructions or HTML stands in the rule's text"
        slip = Slip(slug="text-html", line=start + 1, message=message, made="it is written as a rule may have it")
        return made.text, (*slips, slip) if made.rewritten else slips
    message = "the text holds HTML or Markdown that a rule cannot have"
    slip = Slip(slug="text-markdown", line=start + 1, message=message, made="it is kept word for word, as plain text")
    return plain_as_markdown(parts, None), (*slips, slip)


def _without_apparatus(words: str) -> tuple[list[str], tuple[Slip, ...]]:
    """The lines of a rule's text, without its history or the like."""
    kept, below = without_apparatus(lines_of(words))
    first = min((one[0].number for one in below.values()), default=0)
    message = f"{' and '.join(below)} stand below the rule's text"
    slip = Slip(slug="history-printed", line=first, message=message, made="it is not a part of the text")
    return [line.text for line in kept], (slip,) if below else ()
