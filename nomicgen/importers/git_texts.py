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
from nomicgen.importers.printed.format import normalised
from nomicgen.importers.text_below import may_have_apparatus, without_apparatus
from nomicgen.importers.rule_text.blocks import plain_as_markdown
from nomicgen.importers.text_lines import Line, lines_of
from nomicgen.importers.rule_text.from_markdown import as_markdown, sound
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

    rules: tuple[tuple[int, Passage], ...] = ()
    slips: tuple[Slip, ...] = ()

    @property
    def passages(self) -> tuple[Passage, ...]:
        return tuple(passage for _, passage in self.rules)


class FileReading:
    """The rules of a file as they are found, each number once, and what is odd about it."""

    def __init__(self, slips: Iterable[Slip] = ()) -> None:
        self.rules: dict[int, tuple[int, Passage]] = {}
        self.slips = [*slips]

    def warn(self, slug: str, line: int, message: str, made: str, quote: str = "") -> None:
        self.slips.append(Slip(slug=slug, line=line, message=message, made=made, quote=quote))

    def include(self, part: FileText, above: int = 0) -> None:
        """Adds a part of the file, which has so many lines `above` it."""
        self.slips += [replace(slip, line=slip.line + above) for slip in part.slips]
        for line, passage in part.rules:
            if passage.number in self.rules:
                message = f"Rule {passage.number} stands in line {self.rules[passage.number][0]} already"
                self.warn("rule-doubled", line + above, message, "this one is left out")
            else:
                self.rules[passage.number] = line + above, passage

    def text(self) -> FileText:
        return FileText(rules=tuple(self.rules.values()), slips=tuple(self.slips))


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
    file = FileReading(slips)
    for finding in notes.findings():
        file.warn("bytes", finding.span.line or 1, finding.message, finding.help)
    if named is None:
        _read_all(words, file)
    else:
        _read_one(words, named, file)
    return file.text()


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


def _read_one(words: str, named: int, file: FileReading) -> None:
    """A file for one rule: its first line that is not blank is the heading; others may follow that print a revision."""
    lines = words.split("\n")
    first, last = trimmed(lines, 0, len(lines))
    if first == last:
        file.warn("text-empty", 1, "the file has nothing in it", "the rule's text is lost")
        file.include(FileText(rules=((1, Passage(number=named, bare=True)),)))
        return
    heading = parse_rule_heading(lines[first])
    number = heading.number if heading is not None else named
    (own, _), *others = _parts(
        "\n".join(lines[first:last]), lambda other: other.revision is not None and other.number != number
    )
    end = first + own.count("\n") + 1
    if heading is None or (not heading.level and (heading.number != named or _is_all(heading, lines[first + 1 : end]))):
        made = f"its number is taken from the file's name, {named}, and nothing is known of its revision"
        file.warn("heading-missing", first + 1, "no heading names the rule", made)
        file.include(rule_of(RuleHeading(number=named), lines, first - 1, end, bare=True))
    else:
        file.include(rule_of(heading, lines, first, end))
        if number != named:
            message = f"the heading says Rule {number}, and the file's name {named}"
            made = "the heading is followed, unless another file has that rule"
            file.warn("number-differs", first + 1, message, made, lines[first])
    _include_parts(others, end, file)
    main, *further = file.rules
    for other in further:
        line, _ = file.rules[other]
        message = f"the file of Rule {main} has Rule {other} in it as well"
        file.warn("rules-several", line, message, "it is a rule of its own", lines[line - 1])


def _is_all(heading: RuleHeading, below: Sequence[str]) -> bool:
    """Whether a line that may be a heading is the whole text of a rule: `201. Lamps are lit` is."""
    return heading.title is not None and not any(line.strip() for line in below)


def _read_all(words: str, file: FileReading) -> None:
    """One file for all rules: each begins at a heading that names it."""
    _include_parts(_parts(words, lambda _: True), 0, file)
    first = min((line for line, _ in file.rules.values()), default=None)
    above = words.split("\n") if first is None else words.split("\n", first)[: first - 1]
    # What stands above the first rule, but for a title.
    at = next((at for at, line in enumerate(above) if line.strip() and not re.match(r"# |---\s*$", line)), None)
    if at is not None and first is None:
        file.warn("file-without-rule", at + 1, "no heading in this file names a rule", "it is left out")
    elif at is not None:
        file.warn("outside", at + 1, "words stand above the first rule", "they are left out")


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


def _include_parts(parts: Iterable[tuple[str, bool]], above: int, file: FileReading) -> None:
    """Adds the rules of some parts, which have so many lines `above` them, and what is odd about them."""
    for words, left_open in parts:
        if left_open:
            message = "a code fence or comment above this heading is never closed"
            file.warn("fence-open", above + 1, message, "the heading begins a rule all the same")
        file.include(_part(words), above)
        above += words.count("\n") + 1


@lru_cache(maxsize=65536)
def _part(words: str) -> FileText:
    """Reads a part of a file: from version to version of one file nearly all of them are the same."""
    lines = words.split("\n")
    starts: list[tuple[int, RuleHeading]] = []
    for at, line in enumerate(lines):
        heading = parse_rule_heading(line) if line.lstrip()[:1] == "#" else None
        if heading is None or not (heading.sure or _is_probable(heading, starts)):
            continue
        if not starts or _closed("\n".join(lines[starts[-1][0] : at])):
            starts.append((at, heading))
    ends = [*(at for at, _ in starts[1:]), len(lines)]
    rules = [rule_of(heading, lines, at, end) for (at, heading), end in zip(starts, ends, strict=False)]
    return FileText(
        rules=tuple(rule for part in rules for rule in part.rules),
        slips=tuple(slip for part in rules for slip in part.slips),
    )


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


def rule_of(heading: RuleHeading, lines: Sequence[str], at: int, end: int, *, bare: bool = False) -> FileText:
    """The rule whose heading stands at `at`; its text ends before `end`."""
    text, slips = text_of("\n".join(lines[at + 1 : end]))
    passage = Passage(
        number=heading.number,
        revision=heading.revision,
        tier=heading.tier,
        mark=heading.mark,
        title=heading.title,
        text=text,
        bare=bare,
    )
    rule = with_slips(passage, max(at + 1, 1), slips, at + 1)
    if not heading.malformed:
        return rule
    message, made = "the heading is malformed", f"it is read as Rule {heading.number}"
    slip = Slip(slug="heading-form", line=at + 1, message=message, made=made, quote=lines[at])
    return replace(rule, slips=(slip, *rule.slips))


def with_slips(passage: Passage, line: int, slips: Iterable[Slip], above: int) -> FileText:
    """A rule whose heading stands on `line`, and the slips of its text, which has so many lines `above` it."""
    moved = tuple(replace(slip, line=slip.line + above) for slip in slips)
    if passage.text is None and passage.mark != "repealed":
        message, made = "the rule has no text", "its text is said to be lost"
        moved = (Slip(slug="text-empty", line=line, message=message, made=made),)
    return FileText(rules=((line, passage),), slips=moved)


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
