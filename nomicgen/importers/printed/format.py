"""The structure of a text in Nomic IV's long format: its rules, each with its text, its history, its judgements.

Headings are found in the stream of Markdown's tokens, never by a pattern. Slips are noted, and read over.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from markdown_it.token import Token
from msgspec import Struct
from msgspec.structs import replace

from nomicgen.files.file_findings import Notes, quoted
from nomicgen.files.markdown import Body, check_bounds, check_fences, parse_body
from nomicgen.files.text_encoding import CONTROLS, HEAP, heaps_of_marks, is_printed, trimmed
from nomicgen.importers.lines import lines_of
from nomicgen.importers.printed.printed_history import parse_history_line, parse_judgement_line
from nomicgen.importers.rule_text.from_markdown import as_markdown, sound

HISTORY = "##### *History*"
JUDGEMENTS = "##### *Judgments*"
_TITLE = r"# (?P<name>\S.*?) RULESET \(LONG FORMAT\)"
_RULE = (
    r"(?P<number>[1-9][0-9]{0,8})/(?P<revision>0|[1-9][0-9]{0,5})(?: \((?P<tier>[A-Za-z][A-Za-z0-9-]{0,63})\))?"
    r"(?:: (?P<title>\S.*))?"
)
_PARTS = {"history": HISTORY, "judgments": JUDGEMENTS, "judgements": JUDGEMENTS}


class Section(Struct, frozen=True, kw_only=True):
    """One rule: `tier` as its heading says it, in small letters. Lines carry their number, and no spaces at the end.

    `text` runs from the first to the last non-blank line; '' where there is none.
    """

    number: int
    revision: int
    tier: str | None
    title: str | None = None
    line: int
    text: str
    history: tuple[tuple[int, str], ...]
    judgements: tuple[tuple[int, str], ...]


class Document(Struct, frozen=True, kw_only=True):
    """A ruleset. `name` is None where no title says it."""

    name: str | None
    sections: tuple[Section, ...]


class _Heading(Struct, frozen=True):
    """A heading at the top level: its line, from 0, the line after it, its level and its words."""

    line: int
    end: int
    level: int
    words: str


def normalised(data: bytes, notes: Notes) -> str | None:
    """The text of a file as a game's files hold text: LF, NFC, nothing invisible. None where it is not UTF-8."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        notes.at("import-unread", line, 1, f"byte {error.start + 1} of the file is not UTF-8", "save it as UTF-8")
        return None
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        place = _place(text, text.index("\r"))
        notes.at("import-spaces", *place, "lines end in more than a line feed", "they are read as if they did not")
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = _visible(text, notes)
    text = _level(text, notes)
    composed = unicodedata.normalize("NFC", text)
    if composed != text:
        pairs = enumerate(zip(text.split("\n"), composed.split("\n"), strict=True), 1)
        line = next(number for number, (given, written) in pairs if given != written)
        message = "letters are not in Unicode normal form C from here on"
        notes.at("import-unread", line, 1, message, "they are written in that form")
    return composed


def _place(text: str, index: int) -> tuple[int, int]:
    """The line and the column of a character, from 1."""
    return text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index)


def _visible(text: str, notes: Notes) -> str:
    controls = [] if is_printed(text) else list(re.finditer(CONTROLS, text))
    if not controls:
        return text
    many = "a character here is" if len(controls) == 1 else f"{len(controls)} characters here and further down are"
    help = "a game's files hold none, so they are left out"
    notes.at("import-unread", *_place(text, controls[0].start()), f"{many} invisible", help)
    return re.sub(CONTROLS, "", text)


def _level(text: str, notes: Notes) -> str:
    """The text with as many marks on each letter as can be put into order."""
    heaps = list(heaps_of_marks(text))
    if not heaps:
        return text
    message = f"more than {HEAP} marks are on one letter"
    notes.at("import-unread", *_place(text, heaps[0][0]), message, "what is too much is left out")
    kept = zip((0, *(end for _, end in heaps)), (*(start for start, _ in heaps), len(text)), strict=True)
    return "".join(text[start:end] for start, end in kept)


def read_document(text: str, notes: Notes) -> Document:
    """Reads a text; one without a rule, or beyond what the parser takes, has no sections."""
    body = parse_body(text, 1)
    if not check_bounds(body, notes):
        return Document(name=None, sections=())
    document = _Reader(body, notes).document()
    return replace(document, sections=tuple(_as_rule(section, notes) for section in document.sections))


def _as_rule(section: Section, notes: Notes) -> Section:
    """A section whose text is as a rule can have it, and as it stands where that cannot be made."""
    written = as_markdown(lines_of(section.text)) if section.text and not sound(section.text) else None
    if written is None:
        return section
    message = f"a heading above level 3, a fence `yaml rule` or HTML stands in the text of Rule {section.number}"
    notes.at("import-markdown", section.line, 1, message, "it is written as a rule's text may have it")
    return replace(section, text=written.text)


def _printed(sections: Iterable[Section]) -> Iterator[str]:
    """The lines of rules as the format has them, with the empty one after the last line feed."""
    for section in sections:
        tier = f" ({section.tier.upper()})" if section.tier else ""
        yield f"## {section.number}/{section.revision}{tier}{f': {section.title}' if section.title else ''}"
        yield from ("", *section.text.split("\n")) if section.text else ()
        for heading, lines in ((HISTORY, section.history), (JUDGEMENTS, section.judgements)):
            if lines:
                yield from ("", heading, "", *(f"{line}  " for _, line in lines[:-1]), lines[-1][1])
        yield ""


class _Reader:
    def __init__(self, body: Body, notes: Notes) -> None:
        self.notes = notes
        self.body, self.lines = body, body.lines
        self.headings = list(_headings(body.tokens))
        self.left_out: set[int] = set()

    def document(self) -> Document:
        self._open_fences()
        rules = [
            (heading, match)
            for heading in self.headings
            if heading.level == 2 and (match := re.fullmatch(_RULE, heading.words))
        ]
        first = rules[0][0].line if rules else len(self.lines)
        name = self._title(first)
        ends = [heading.line for heading, _ in rules[1:]] + [len(self.lines)]
        sections = [self._section(heading, match, end) for (heading, match), end in zip(rules, ends, strict=False)]
        if sections:
            above = [line for at, line in enumerate(self.lines[:first]) if at not in self.left_out]
            self._check_layout([*above, *_printed(sections)], first)
        return Document(name=name, sections=tuple(sections))

    def _at(self, slug: str, line: int, message: str, help: str, column: int = 1) -> None:
        self.notes.at(slug, line + 1, column, message, help)

    def _title(self, first: int) -> str | None:
        """What stands before the first rule: the title, and a line of three hyphens."""
        match = re.fullmatch(_TITLE, self.lines[0].rstrip(" \t")) if first else None
        if match is None:
            message = "the first line is no title of a ruleset in the long format"
            help = "such a text begins with `# NAME RULESET (LONG FORMAT)` (`nomicgen export long` writes one)"
            self._at("import-unread", 0, message, help)
            return None
        if first == len(self.lines):
            return match["name"]
        start = 2
        if self.lines[1].rstrip(" \t") != "---":
            message = "the line `---` is missing below the title"
            self._at("import-unread", 1, message, "it is read as if it were there")
            start = 1
        begin, end = trimmed(self.lines, start, first)
        if begin < end:
            message = f"the text above the first rule is not read, from {quoted(self.lines[begin])} on"
            self._at("import-unread", begin, message, "put it into a rule, or into the game's own pages")
            self.left_out.update(range(begin, end))
        return match["name"]

    def _section(self, heading: _Heading, match: re.Match[str], end: int) -> Section:
        history, judgements = self._parts(heading, end)
        begin, last = trimmed(self.lines, heading.end, history.line if history else end)
        return Section(
            number=int(match["number"]),
            revision=int(match["revision"]),
            tier=match["tier"] and match["tier"].lower(),
            title=match["title"],
            line=heading.line + 1,
            text="\n".join(self.lines[begin:last]),
            history=self._lines(history, judgements.line if judgements else end),
            judgements=self._lines(judgements, end),
        )

    def _lines(self, heading: _Heading | None, stop: int) -> tuple[tuple[int, str], ...]:
        """The lines below a heading."""
        if heading is None:
            return ()
        places = [at for at in range(heading.end, stop) if self.lines[at].strip(" \t")]
        if not places:
            message = f"nothing stands below `{_part(heading)}`"
            self._at("import-unread", heading.line, message, "the heading is left out")
            self.left_out.add(heading.line)
        return tuple((at + 1, self.lines[at].rstrip(" \t")) for at in places)

    def _check_layout(self, printed: Sequence[str], first: int) -> None:
        """Notes where the source has other spaces, blank lines and headings than the format, line by line."""
        source = [at for at, line in enumerate(self.lines) if line.strip(" \t") and at not in self.left_out]
        wanted = [at for at, line in enumerate(printed) if line.strip(" \t")]
        places = zip(pairwise([*source, len(self.lines)]), pairwise([*wanted, len(printed)]), strict=True)
        for (at, after), (place, following) in places:
            self._check_line(at, printed[place])
            if not self.left_out.isdisjoint(range(at, after)):
                continue
            for blank in range(at + 1, after):
                self._check_line(blank, "")
            gap, wanted_gap = after - at - 1, following - place - 1 if after != first else 0
            if gap != wanted_gap:
                what = "line feeds at the text's end" if after == len(self.lines) else "blank lines above this line"
                message = f"{what}: {gap}, but the format has {wanted_gap}"
                self._at("import-blank", min(after, len(self.lines) - 1), message, "it is read as the format has it")

    def _check_line(self, line: int, wanted: str) -> None:
        source = self.lines[line]
        bare, wanted_bare = source.rstrip(" \t"), wanted.rstrip(" \t")
        if bare != wanted_bare:
            message = f"the heading is {quoted(bare)}, but the format has `{wanted}`"
            self._at("import-heading", line, message, f"it is read as `{wanted}`")
        if source[len(bare) :] != wanted[len(wanted_bare) :]:
            message = "the line does not end in the spaces that the format has: two in a list, otherwise none"
            self._at("import-spaces", line, message, "it is read as if it did", len(bare) + 1)

    def _parts(self, heading: _Heading, end: int) -> tuple[_Heading | None, _Heading | None]:
        """The headings of a rule's history and judgements.

        A rule's own text may have such headings too: that of the history is the first with nothing but history below.
        """
        inside = [other for other in self.headings if heading.line < other.line < end]
        histories = [other for other in inside if _part(other) == HISTORY]
        judgements = [other for other in inside if _part(other) == JUDGEMENTS]
        for strict in (True, False):
            order: Sequence[_Heading] = histories if strict else histories[::-1]
            for history in order:
                after = next((other for other in judgements if other.line > history.line), None)
                are_lines = self._readable(history.end, after.line if after else end, _is_history)
                are_rulings = self._readable(after.end, end, _is_judgement) if after else [True]
                if are_lines and (all(are_lines + are_rulings) if strict else any(are_lines)):
                    return history, after
        return None, None

    def _readable(self, start: int, end: int, reads: Callable[[str], bool]) -> list[bool]:
        """For each line that is not blank, whether it can be read."""
        return [reads(line.rstrip(" \t")) for line in self.lines[start:end] if line.strip(" \t")]

    def _open_fences(self) -> None:
        """A fence that is never closed makes code of every rule below it."""
        open_fences = Notes(self.notes.file)
        check_fences(self.body, open_fences)
        for finding in open_fences.findings():
            message = "a code fence begins here and is never closed, so what follows is code"
            self._at("import-unread", finding.span.line - 1, message, "close it with a line like its first")


def _headings(tokens: Sequence[Token]) -> Iterator[_Heading]:
    for at, token in enumerate(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map is not None and token.markup[0] == "#":
            yield _Heading(token.map[0], token.map[1], len(token.markup), tokens[at + 1].content)


def _is_history(line: str) -> bool:
    return parse_history_line(line) is not None


def _is_judgement(line: str) -> bool:
    return parse_judgement_line(line, ()) is not None


def _part(heading: _Heading) -> str | None:
    return _PARTS.get(heading.words.strip("*_: ").casefold())
