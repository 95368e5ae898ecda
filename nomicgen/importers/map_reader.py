"""The one reader that follows maps: it finds the rules in a text, or in a file of a repository."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.files.file_findings import quoted
from nomicgen.files.text_encoding import trim_blank_lines
from nomicgen.importers.decoding import decode_words
from nomicgen.importers.front_matter import FrontMatter, read_front_matter
from nomicgen.importers.linear import compile_linear
from nomicgen.importers.lines import Line, tier_of_power
from nomicgen.importers.omissions import left_out
from nomicgen.importers.readings import FileText, Passage, Slip
from nomicgen.importers.rule_text.blocks import room_in
from nomicgen.importers.rule_text.written import is_closed, markdown_text, plain_text
from nomicgen.importers.source_map import Counting, SourceMap, parse_spans

_HIGHEST = 999_999_999
"""The highest number that a rule can have."""
_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_ROMAN_NUMBER = r"M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})"
_TIER = r"[a-z][a-z0-9-]{0,63}"
_WORD = r"\w"
_GONE = "\0"
"""Stands for a line that is left out, so that the lines after it keep their numbers."""
_GONE_END = "\0\0"
"""The same for a line that ends a rule."""

Groups = Mapping[str, str]
"""What the groups of a map's pattern matched, by name."""
Kind = Literal["rule", "section", "end"]


class _Mark(Struct, frozen=True):
    """A line that begins a rule or section, or ends a rule; `rest` follows the match, at
    `column`.
    """

    kind: Kind
    groups: Groups
    rest: str
    column: int


class _Marks(dict[str, _Mark | None]):
    """From a line's text to the mark that it is; to None for most lines. Each is matched once,
    since the versions of a file have nearly all lines in common.
    """

    def __init__(self, source_map: SourceMap) -> None:
        super().__init__({_GONE_END: _Mark("end", {}, "", 1)})
        rule = source_map.rule
        begins = rule.split or rule.heading
        self.patterns: list[tuple[Kind, Any]] = [("rule", compile_linear(begins))] if begins else []
        self.patterns += [("section", compile_linear(one)) for one in source_map.section]
        self.patterns += [("end", compile_linear(one)) for one in source_map.ends]

    def __missing__(self, line: str) -> _Mark | None:
        self[line] = found = next(self._matches(line), None)
        return found

    def _matches(self, line: str) -> Iterator[_Mark]:
        for kind, pattern in self.patterns:
            if (match := pattern.match(line)) is not None:
                yield _Mark(kind, _groups(match), line[match.end() :], match.end() + 1)


class _Begun(Struct):
    """A mark in its place: `index` is that of its line, `body` that of the first line below its
    heading. `number` is the rule's, 0 for other marks.
    """

    mark: _Mark
    index: int
    body: int
    number: int = 0


class MapReader:
    """Reads files as a map says."""

    def __init__(self, source_map: SourceMap) -> None:
        self.map, rule = source_map, source_map.rule
        self.omit, self.keys = source_map.omit, source_map.meanings
        self.ranges = parse_spans(rule.range) if rule.range else ((0, _HIGHEST),)
        self.marks = _Marks(source_map)
        self.below = compile_linear(rule.below) if rule.below else None
        self.split = [pattern for _, pattern in self.marks.patterns] if rule.split else []
        self.path = compile_linear(rule.path) if rule.path else None

    def read(self, data: bytes, path: str = "") -> FileText:
        """Return the rules of a file. `path` is its path in the source, from which the map may
        take a rule's number, for example. A file that is no text is not `readable`.
        """
        words, slips = decode_words(data)
        if words is None:
            return FileText(slips=slips, readable=False)
        named: Groups = {}
        if self.path is not None:
            match = self.path.fullmatch(path)
            if match is None:
                return _none(words, slips, "by the map, this file's path is not that of a rule")
            named = _groups(match)
        lines = words.split("\n")
        omitted = left_out(lines, self.omit)
        front = read_front_matter(lines, self.keys) if self.keys else None
        others = (
            [line for at, line in front.others if at not in omitted] if front is not None else []
        )
        if front is not None:
            named = {**named, **front.said}
            lines[: front.end] = [_GONE] * front.end
        for at in omitted:
            mark = self.marks[lines[at - 1]]
            lines[at - 1] = _GONE_END if mark is not None and mark.kind == "end" else _GONE
        is_one_rule = self.path is not None or "number" in named
        made = self._one(lines, named, front) if is_one_rule else self._several(lines)
        outside = ((1, "\n".join(others)), *made.outside) if others else made.outside
        return (
            replace(made, slips=(*slips, *made.slips), outside=outside) if slips or others else made
        )

    def _one(self, lines: list[str], named: Groups, front: FrontMatter | None) -> FileText:
        """Return a file that is one rule; its first line may be a heading. `named` is what its path
        and its front matter say; if the heading says otherwise, `named` counts.
        """
        first, last = trim_blank_lines([line.strip(_GONE) for line in lines], 0, len(lines))
        mark = self.marks[lines[first]] if first < last else None
        mark = mark if mark is not None and mark.kind == "rule" else None
        groups = {**(mark.groups if mark else {}), **named}
        # Front matter has digits, however headings count.
        counting: Counting = "arabic" if "number" in named and self.keys else self.map.rule.number
        number = number_of(groups.get("number", ""), counting)
        if not number:
            return _none(_kept(lines), (), "nothing says a number that a rule can have")
        body = "\n".join(
            [mark.rest, *lines[first + 1 : last]] if mark is not None else lines[first:last]
        )
        column = mark.column if mark is not None and mark.rest else 1
        made = _passage(self.map.text, (*groups.items(),), number, body, column)
        line, (_, rule) = first + 1 if first < last else 1, made.rules[0]
        if mark is None and not rule.tier and not rule.mark:
            rule = replace(rule, bare=True)
        slips = [replace(slip, line=slip.line + line - 1) for slip in made.slips]
        if mark is None and self.marks.patterns and first < last and not named.keys() - {"number"}:
            message, kept = (
                "no heading names the rule",
                "the number is in the file's name or front matter, and all the rest is text",
            )
            slips.append(Slip(slug="heading-missing", line=line, message=message, outcome=kept))
        headed = (
            number_of(mark.groups.get("number", ""), self.map.rule.number)
            if mark is not None
            else None
        )
        if headed not in (None, number):
            where = "front matter" if front and "number" in front.said else "file's name"
            message = f"the heading says Rule {headed}"
            kept = f"it is Rule {number}, as the {where} says"
            slips.append(Slip(slug="number-differs", line=line, message=message, outcome=kept))
        return FileText(rules=((line, rule),), slips=tuple(slips))

    def _several(self, given: list[str]) -> FileText:
        """Return a file with several rules."""
        lines, numbers = self._cut(given) if self.split else (given, range(1, len(given) + 1))
        slips: list[Slip] = []
        begun = [*self._begun(lines, numbers, slips)]
        rules: dict[int, tuple[int, Passage]] = {}
        first = next((one.index for one in begun if one.mark.kind == "rule"), None)
        if first is None:
            words = _kept(lines)
            return (
                _none(words, (), f"no line in this file begins a rule{self._but(lines, numbers)}")
                if re.search(_WORD, words)
                else FileText()
            )
        sections = {one.index: one.mark.rest for one in begun if one.mark.kind == "section"}
        above = _kept([sections.get(at, line) for at, line in enumerate(lines[:first])])
        outside: list[tuple[int, str]] = [(1, above)]
        unplaced: list[tuple[int, str]] = []
        shown = [Line(at, 1, line) for at, line in enumerate(given, 1) if line[:1] != _GONE]
        room = room_in(shown) if self.map.text == "plain" else None
        tier: str | None = None
        ends = [*(other.index for other in begun[1:]), len(lines)]
        for one, end in zip(begun, ends, strict=True):
            mark, line = one.mark, numbers[one.index]
            if mark.kind == "section":
                tier = _tier(mark.groups)
            if mark.kind != "rule":
                begins = mark.rest if mark.kind == "section" else lines[one.index]
                if one.index > first:
                    outside.append((line, _kept([begins, *lines[one.body : end]])))
                continue
            column = mark.column if mark.rest and one.body == one.index + 1 else 1
            body = "\n".join([mark.rest, *lines[one.body : end]])
            groups = (*mark.groups.items(),)
            made = _passage(self.map.text, groups, one.number, body, column, room, tier)
            slips += [
                replace(slip, line=slip.line + numbers[one.body - 1] - 1) for slip in made.slips
            ]
            if one.number == 0 or one.number in rules:
                slug, message = "outside", "no rule of a game has the number 0"
                if one.number:
                    slug, message = (
                        "rule-doubled",
                        f"Rule {one.number} stands in line {rules[one.number][0]} already",
                    )
                slips.append(
                    Slip(slug=slug, line=line, message=message, outcome="this one is left out")
                )
                unplaced.append((line, _kept(lines[one.index : end])))
            else:
                rules[one.number] = line, made.passages[0]
                if made.passages[0].mark == "repealed":
                    unplaced.append((line, _kept(lines[one.index : end])))
        outside = [(at, words) for at, words in outside if re.search(_WORD, words)]
        for at, words in outside:
            # What stands above the rules is expected there, and kept.
            slips += _outside(words, at) if words is not above else ()
        return FileText(
            rules=tuple(rules.values()),
            slips=tuple(sorted(slips, key=lambda slip: slip.line)),
            above=above.strip("\n"),
            outside=tuple(sorted([*outside, *unplaced])),
        )

    def _cut(self, lines: Sequence[str]) -> tuple[list[str], list[int]]:
        """Return the lines, cut where a rule or section may begin inside one, and for each piece
        the number of its line, from 1.
        """
        cut: list[str] = []
        numbers: list[int] = []
        last = -1
        for number, line in enumerate(lines, 1):
            starts = {0}
            matches = sorted(
                (match for one in self.split for match in one.finditer(line)),
                key=lambda one: one.start(),
            )
            for at, groups in ((match.start(), _groups(match)) for match in matches):
                found = (
                    number_of(groups.get("number", ""), self.map.rule.number)
                    if "number" in groups
                    else None
                )
                if "number" not in groups or (
                    found is not None and self._in_range(found) and found > last
                ):
                    starts.add(at)
                    last = last if found is None else found
            places = sorted(starts)
            cut += [line[at:end] for at, end in zip(places, [*places[1:], None], strict=True)]
            numbers += [number] * len(places)
        return cut, numbers

    def _begun(
        self, lines: Sequence[str], numbers: Sequence[int], slips: list[Slip]
    ) -> Iterator[_Begun]:
        """Yield the marks that count, in order; all others are text.

        A mark does not count in code or HTML, with a number out of range, or without the line below
        that the map asks for. If by the map numbers rise, one that does not rise does not count
        either: then a slip is added to `slips`.
        """
        marks = self.marks
        last, begun = -1, 0
        for at, mark in [
            (at, mark) for at, line in enumerate(lines) if (mark := marks[line]) is not None
        ]:
            if at < begun:
                continue
            body, number = at + 1, None
            if mark.kind == "rule":
                if self.below is not None:
                    match = (
                        self.below.fullmatch(lines[body].rstrip()) if body < len(lines) else None
                    )
                    if match is None:
                        continue
                    mark, body = (
                        _Mark("rule", {**mark.groups, **_groups(match)}, mark.rest, mark.column),
                        body + 1,
                    )
                if self.map.rule.number == "order":
                    number = max(last, 0) + 1
                else:
                    number = number_of(mark.groups.get("number", ""), self.map.rule.number)
                if number is None or not self._in_range(number):
                    continue
            above = "\n".join(lines[begun:at]) if self.map.text == "markdown" else ""
            # A pattern for a tag is meant for HTML, and finds rules there, except in comments.
            is_tag = lines[at].lstrip().startswith("<")
            is_open = above.rfind("<!--") > above.rfind("-->") if is_tag else not is_closed(above)
            if is_open and is_closed("\n".join(lines[begun:])):
                # It is in code or HTML; if that is never closed, the mark counts.
                continue
            if number is not None and self.map.rule.sequence == "rising" and number <= last:
                message = f"{number} stands below {last}, and by the map numbers rise"
                slips.append(
                    Slip(
                        slug="number-unrisen",
                        line=numbers[at],
                        message=message,
                        outcome="it begins no rule",
                    )
                )
                continue
            if number is not None:
                last = number
            elif (
                mark.kind == "section" and "tier" in mark.groups and self.map.rule.number != "order"
            ):
                # In each tier, numbers may begin anew.
                last = -1
            begun = body
            yield _Begun(mark, at, body, number or 0)

    def _but(self, lines: Sequence[str], numbers: Sequence[int]) -> str:
        """Return why the first line that the heading's pattern matches begins no rule; '' where
        there is none.
        """
        for at, mark in ((at, self.marks[line]) for at, line in zip(numbers, lines, strict=True)):
            if mark is None or mark.kind != "rule":
                continue
            word, counting = mark.groups.get("number", ""), self.map.rule.number
            number = number_of(word, counting)
            if counting != "order" and number is None:
                why = f"{quoted(word)} is no number by `number: {counting}`"
            elif number is not None and not self._in_range(number):
                why = f"{number} is not in `range`"
            elif self.below is not None:
                why = "the line below it does not match `below`"
            else:
                why = "it stands in code or HTML"
            return f"; line {at} has the form of a heading, but {why}"
        return ""

    def _in_range(self, number: int) -> bool:
        return any(first <= number <= last for first, last in self.ranges)


@lru_cache(maxsize=1 << 16)
def _passage(
    as_text: Literal["markdown", "plain"],
    matched: tuple[tuple[str, str], ...],
    number: int,
    body: str,
    column: int = 1,
    room: int | None = None,
    section: str | None = None,
) -> FileText:
    """Return a rule, with the slips of its text, whose lines count from the first of `body`.

    `matched` are the items of its groups. The body begins at `column` of its line. `room` is how
    wide a line of plain text may get, None if none is wrapped; `section` the tier that a section
    sets. Cached, since the versions of a file have nearly all rules in common.
    """
    groups = dict(matched)
    kept = (
        "\n".join(line for line in body.split("\n") if line[:1] != _GONE) if _GONE in body else body
    )
    if as_text == "plain":
        text, slips = plain_text(kept, column, room), tuple[Slip, ...]()
    else:
        text, slips = markdown_text(kept, column)
    mark = "repealed" if groups.get("repealed") else "void" if groups.get("void") else ""
    tier = _tier(groups) or section
    revision = groups.get("revision", "")
    passage = Passage(
        number=number,
        revision=int(revision) if revision.isdecimal() and len(revision) < 7 else None,
        tier=tier,
        mark=mark,
        title=groups.get("title", "").strip() or None,
        text=text,
        note=" ".join(groups.get("note", "").split()) or None,
    )
    if mark == "repealed":
        message, outcome = f"Rule {number} is marked as repealed", "it is left out"
        slips = (*slips, Slip(slug="rule-repealed", line=1, message=message, outcome=outcome))
    elif text is None:
        message, outcome = f"Rule {number} has no text", "its text is recorded as lost"
        slips = (Slip(slug="text-empty", line=1, message=message, outcome=outcome),)
    return FileText(rules=((1, passage),), slips=slips)


def _none(words: str, slips: Sequence[Slip], message: str) -> FileText:
    """Return a file without rules, whose words are all outside."""
    slip = Slip(slug="file-without-rule", line=1, message=message, outcome="it is left out")
    return FileText(slips=(*slips, slip), outside=((1, words),) if re.search(_WORD, words) else ())


def _outside(words: str, line: int) -> Iterator[Slip]:
    """Yield a slip at the first line with words of a passage that is in no rule."""
    for at, text in enumerate(words.split("\n")):
        if re.search(_WORD, text):
            message, outcome = "words stand in no rule", "they are left out"
            yield Slip(
                slug="outside", line=line + at, message=message, outcome=outcome, quote=text.strip()
            )
            return


def _kept(lines: Sequence[str]) -> str:
    """Return lines as a text, with a blank one in place of each that is left out."""
    return "\n".join("" if line in (_GONE, _GONE_END) else line for line in lines)


def _groups(match: Any) -> Groups:
    return {key: value for key, value in match.groupdict().items() if value is not None}


@lru_cache(maxsize=4096)
def number_of(word: str, counting: Counting) -> int | None:
    """Return the number that a word stands for; None where it is no number as `counting` says."""
    word = word.strip()
    if counting == "roman":
        capital = word.upper()
        if not capital or not re.fullmatch(_ROMAN_NUMBER, capital):
            return None
        values = [_ROMAN[letter] for letter in capital]
        return sum(
            -one if one < after else one
            for one, after in zip(values, [*values[1:], 0], strict=True)
        )
    if counting == "letters":
        if not word.isascii() or not word.isalpha() or len(word) > 2:
            return None
        number = 0
        for letter in word.upper():
            number = 26 * number + ord(letter) - 64
        return number
    return int(word) if word.isascii() and word.isdecimal() and len(word) <= 9 else None


def _tier(groups: Groups) -> str | None:
    word = groups.get("tier", "").strip()
    tier = tier_of_power(word) or word.casefold()
    return tier if re.fullmatch(_TIER, tier) else None
