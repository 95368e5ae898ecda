"""The structure of a text in Nomic IV's long format: its rules, each with its text, its history, its judgements.

Headings are found in the stream of Markdown's tokens, never by a pattern. Slips are noted, and read over.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence

from markdown_it.token import Token
from msgspec import Struct

from nomicgen.files.file_findings import Notes, quoted
from nomicgen.files.markdown import Body, check_bounds, check_fences, parse_body
from nomicgen.files.text_encoding import CONTROLS, HEAP, heaps_of_marks, is_printed, trimmed
from nomicgen.importers.printed_history import parse_history_line, parse_judgement_line
from nomicgen.importers.text_lines import Line
from nomicgen.importers.text_markdown import as_markdown, sound
from nomicgen.importers.text_report import Rewritten
from nomicgen.patterns import lazy_pattern

HISTORY = "##### *History*"
JUDGEMENTS = "##### *Judgments*"
_TITLE = lazy_pattern(r"# (?P<name>\S.*?) RULESET \(LONG FORMAT\)")
_RULE = lazy_pattern(
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
        first = text.index("\r")
        place = text.count("\n", 0, first) + 1, first - text.rfind("\n", 0, first)
        notes.at("import-spaces", *place, "lines end in more than a line feed", "they are read as if they did not")
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = _visible(text, notes)
    text = _level(text, notes)
    composed = unicodedata.normalize("NFC", text)
    if composed != text:
        pairs = enumerate(zip(text.split("\n"), composed.split("\n"), strict=True), 1)
        line = next(number for number, (one, other) in pairs if one != other)
        message = "letters are not in Unicode normal form C from here on"
        notes.at("import-unread", line, 1, message, "they are written in that form")
    return composed


def _visible(text: str, notes: Notes) -> str:
    found = [] if is_printed(text) else list(CONTROLS.finditer(text))
    if not found:
        return text
    first = found[0].start()
    place = text.count("\n", 0, first) + 1, first - text.rfind("\n", 0, first)
    many = "a character here is" if len(found) == 1 else f"{len(found)} characters here and further down are"
    notes.at("import-unread", *place, f"{many} invisible", "a game's files hold none, so they are left out")
    return CONTROLS.sub("", text)


def _level(text: str, notes: Notes) -> str:
    """The text with as many marks on each letter as can be put into order."""
    heaps = list(heaps_of_marks(text))
    if not heaps:
        return text
    first = heaps[0][0]
    place = text.count("\n", 0, first) + 1, first - text.rfind("\n", 0, first)
    notes.at("import-unread", *place, f"more than {HEAP} marks stand on one letter", "what is too much is left out")
    kept = zip((0, *(end for _, end in heaps)), (*(start for start, _ in heaps), len(text)), strict=True)
    return "".join(text[start:end] for start, end in kept)


def read_document(text: str, notes: Notes) -> Document:
    """Reads a text; one without a rule, or beyond what the parser takes, has no sections."""
    body = parse_body(text, 1)
    return _Reader(body, notes).document() if check_bounds(body, notes) else Document(name=None, sections=())


class _Reader:
    def __init__(self, body: Body, notes: Notes) -> None:
        self.notes = notes
        self.lines = body.lines
        self.fences = [token for token in body.tokens if token.type == "fence" and token.map is not None]
        self.headings = list(_headings(body.tokens))
        self.rewritten = Rewritten()

    def document(self) -> Document:
        self._open_fences()
        rules = [(one, match) for one in self.headings if one.level == 2 and (match := _RULE.fullmatch(one.words))]
        first = rules[0][0].line if rules else len(self.lines)
        name = self._title(first)
        if not rules:
            return Document(name=name, sections=())
        ends = [one.line for one, _ in rules[1:]] + [len(self.lines)]
        sections = tuple(self._section(one, match, end) for (one, match), end in zip(rules, ends, strict=True))
        self._end()
        self.rewritten.note(self.notes)
        return Document(name=name, sections=sections)

    def _at(self, slug: str, line: int, message: str, help: str, column: int = 1) -> None:
        self.notes.at(slug, line + 1, column, message, help)

    def _title(self, first: int) -> str | None:
        """What stands before the first rule: the title, and a line of three hyphens."""
        match = _TITLE.fullmatch(self.lines[0].rstrip(" \t")) if first else None
        if match is None:
            message = "the first line is no title of a ruleset in the long format"
            help = "such a text begins with `# NAME RULESET (LONG FORMAT)` (`nomicgen export long` writes one)"
            self._at("import-unread", 0, message, help)
            return None
        self._spaces(0)
        start = 1
        if first > 1 and self.lines[1].rstrip(" \t") == "---":
            self._spaces(1)
            start = 2
        elif first < len(self.lines):
            message = "the line `---` is missing below the title"
            self._at("import-unread", min(1, len(self.lines) - 1), message, "it is read as if it were there")
        if first < len(self.lines):
            begin, end = trimmed(self.lines, start, first)
            if begin < end:
                message = f"what stands above the first rule is not read, from {quoted(self.lines[begin])} on"
                self._at("import-unread", begin, message, "put it into a rule, or into the game's own pages")
            else:
                self._blanks(start, first, 0)
        return match["name"]

    def _section(self, heading: _Heading, match: re.Match[str], end: int) -> Section:
        self._check_heading(heading, match)
        history, judgements = self._parts(heading, end)
        stop = history.line if history else end
        lines = self._lines(history, judgements.line if judgements else end)
        return Section(
            number=int(match["number"]),
            revision=int(match["revision"]),
            tier=match["tier"] and match["tier"].lower(),
            title=match["title"],
            line=heading.line + 1,
            text=self._text(int(match["number"]), heading.end, stop),
            history=lines,
            judgements=self._lines(judgements, end),
        )

    def _check_heading(self, heading: _Heading, match: re.Match[str]) -> None:
        tier = f" ({match['tier'].upper()})" if match["tier"] else ""
        title = f": {match['title']}" if match["title"] else ""
        wanted = f"## {match['number']}/{match['revision']}{tier}{title}"
        self._check_form(heading.line, wanted)

    def _check_form(self, line: int, wanted: str) -> None:
        self._spaces(line)
        found = self.lines[line].rstrip(" \t")
        if found != wanted:
            message = f"the heading is {quoted(found)}, and the format has `{wanted}`"
            self._at("import-heading", line, message, f"it is read as `{wanted}`")

    def _parts(self, heading: _Heading, end: int) -> tuple[_Heading | None, _Heading | None]:
        """The headings of a rule's history and judgements.

        A rule's own text may have such headings too: that of the history is the first with nothing but history below.
        """
        inside = [one for one in self.headings if heading.line < one.line < end]
        history = [one for one in inside if _part(one) == HISTORY]
        judgements = [one for one in inside if _part(one) == JUDGEMENTS]
        for strict in (True, False):
            order: Sequence[_Heading] = history if strict else history[::-1]
            for one in order:
                after = next((other for other in judgements if other.line > one.line), None)
                told = self._readable(one.end, after.line if after else end, _is_history)
                rest = self._readable(after.end, end, _is_judgement) if after else [True]
                if told and (all(told + rest) if strict else any(told)):
                    return one, after
        return None, None

    def _readable(self, start: int, end: int, reads: Callable[[str], bool]) -> list[bool]:
        """For each line that is not blank, whether it can be read."""
        return [reads(line.rstrip(" \t")) for line in self.lines[start:end] if line.strip(" \t")]

    def _text(self, number: int, start: int, stop: int) -> str:
        """A rule's text as a rule can have it, and as it stands where that cannot be made."""
        begin, last = trimmed(self.lines, start, stop)
        if begin == last:
            return ""
        self._blanks(start, begin, 1)
        if stop < len(self.lines):
            self._blanks(last, stop, 1)
        text = "\n".join(self.lines[begin:last])
        made = None if sound(text) else as_markdown([Line(at + 1, 1, self.lines[at]) for at in range(begin, last)])
        if made is None:
            return text
        self.rewritten.add("markdown", number, begin + 1)
        return made.text

    def _lines(self, heading: _Heading | None, stop: int) -> tuple[tuple[int, str], ...]:
        """The lines below a heading, each parted from the next by two spaces at its end."""
        if heading is None:
            return ()
        wanted = _part(heading)
        assert wanted is not None
        self._check_form(heading.line, wanted)
        begin, last = trimmed(self.lines, heading.end, stop)
        if begin == last:
            self._at("import-unread", heading.line, f"nothing stands below `{wanted}`", "the heading is left out")
            return ()
        self._blanks(heading.end, begin, 1)
        found = []
        for at in range(begin, last):
            line = self.lines[at]
            if not line.strip(" \t"):
                self._at("import-blank", at, "a blank line stands between two lines of a list", "it is left out")
                continue
            self._spaces(at, "" if at == last - 1 else "  ")
            found.append((at + 1, line.rstrip(" \t")))
        if stop < len(self.lines):
            self._blanks(last, stop, 1)
        return tuple(found)

    def _spaces(self, line: int, wanted: str = "") -> None:
        found = self.lines[line]
        bare = found.rstrip(" \t")
        if found[len(bare) :] != wanted:
            if wanted:
                message, help = "the line does not end in two spaces, and another follows", "it is read as if it did"
            else:
                message, help = "spaces stand at the line's end", "they are left out"
            self._at("import-spaces", line, message, help, len(bare) + 1)

    def _blanks(self, start: int, end: int, wanted: int) -> None:
        """Notes blank lines from `start` up to `end` that are too few or too many, or not empty."""
        for at in range(start, end):
            if self.lines[at]:
                self._at("import-spaces", at, "spaces stand on a blank line", "they are left out")
        if end - start < wanted:
            self._at("import-blank", end, "a blank line is missing before this line", "it is read as if it were there")
        elif end - start > wanted:
            self._at("import-blank", start + wanted, "a blank line too many stands here", "it is left out")

    def _open_fences(self) -> None:
        """A fence that is never closed makes code of every rule below it."""
        for token in self.fences:
            probe = Notes(self.notes.file)
            check_fences(Body(lines=self.lines, line=1, tokens=[token]), probe)
            if token.map is not None and "fence-open" in probe:
                message = "a code fence begins here and is never closed, so what follows is code"
                self._at("import-unread", token.map[0], message, "close it with a line like its first")

    def _end(self) -> None:
        """A text ends in one line feed."""
        last = len(self.lines)
        while last and not self.lines[last - 1].strip(" \t"):
            last -= 1
        if last == len(self.lines):
            column = len(self.lines[-1]) + 1
            message = "the last line has no line feed"
            self._at("import-blank", last - 1, message, "it is read as if it had one", column)
        elif len(self.lines) - last > 1:
            self._at("import-blank", last, "the text ends in blank lines", "they are left out")


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
