"""A text with rules, taken apart: each rule's lines, what its number's line says besides, and what is no rule."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.importers.text_below import without_apparatus
from nomicgen.importers.text_lines import Line, TierWords, is_end_matter, is_ruler, is_section
from nomicgen.importers.text_markers import is_tier_heading
from nomicgen.importers.text_rule_forms import Candidate, lettered_number
from nomicgen.model import Moment
from nomicgen.patterns import lazy_pattern

Why = Literal["above", "heading", "below"]

_COMMENT = lazy_pattern(r"\s*\[(?P<words>[^\[\]]{1,300})\]")
_MARK = lazy_pattern(r"\s*\((?P<words>[^()]{1,60})\)")
_EMPHATIC_MARK = lazy_pattern(r"\s*(?P<sign>[*_]{1,3})\(?(?P<words>[A-Za-z][\w -]{1,40})[).:]?(?P=sign)[.:]?(?=\s|$)")
_EMPHASIS = lazy_pattern(r"[*_]{1,3}")
_EMPHATIC = lazy_pattern(r"(?P<mark>[*_]{1,3})(?P<words>[^*_]+)(?P=mark)")
_ATTRIBUTES = lazy_pattern(r"\s*\{[#.:][^{}]*\}\s*$")
_DELIMITER = lazy_pattern(r"\s*(?:--|[.:)\]–—-])(?=\s|$|[*_\"'“‘\[(]|[^\W\d_])")
_VOID = lazy_pattern(r"(?:void|voided|null and void)\b(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_GONE = lazy_pattern(r"(?:repealed|deleted|withdrawn|removed|reserved|unused|vacant|never|defeated)\b", re.IGNORECASE)
_SENTENCE_END = lazy_pattern(r"[.!?;,:]$")
_OF_RULES = lazy_pattern(r"rules\W*$", re.IGNORECASE)
_PAST = lazy_pattern(
    r"\W*(?:repealed|former|deleted|defeated|failed|rejected|proposed|pending)\s+(?:rules|proposals|amendments)\W*",
    re.IGNORECASE,
)
_LONGEST_TITLE = 80
_SIGNATURES = ("-- ", "--")


class RulePart(Struct, frozen=True, kw_only=True):
    """One rule, as the text has it. `line` is where its number stands, `lines` its text.

    `mark` is the tier that stands behind the number, `heading` that of the heading above; `notes` are the editor's
    comments, and `void` what one of them says. `past` is the heading above, where it heads rules that are not in force.
    `section` is where it is listed, `exact` the text where it is known to the letter; `below` are lines under it that
    are none of it, such as its history. `tier` and `text`, which is Markdown, are those that it gets in the game.
    """

    number: int
    revision: int | None = None
    line: int
    lines: tuple[Line, ...]
    mark: str | None = None
    heading: str | None = None
    past: str | None = None
    title: str | None = None
    void: Moment | bool | None = None
    notes: tuple[str, ...] = ()
    section: str | None = None
    exact: str | None = None
    below: Mapping[str, Sequence[Line]] = {}
    tier: str = ""
    text: str | None = None

    @property
    def gone(self) -> str | None:
        """The comment that says that the rule is in force no more."""
        return next((note for note in self.notes if _GONE.match(note)), None)

    @property
    def told_below(self) -> Iterator[tuple[int, str]]:
        """For each kind of what stands below the text the first line of it, and a sentence that tells of it."""
        for kind, lines in self.below.items():
            if lines:
                yield lines[0].number, f"`{kind}` stands below the text of Rule {self.number}, and is no part of it"

    @property
    def plain(self) -> str:
        """The text as it stands."""
        return "\n".join(line.text for line in self.lines)


class Outside(Struct, frozen=True, kw_only=True):
    """Lines that belong to no rule, from the first to the last that is not blank, and where they stand."""

    why: Why
    lines: tuple[Line, ...]
    number: int = 0


class Outline(Struct, frozen=True, kw_only=True):
    """The whole of a text. `rulers` are lines of dashes and the like, which part its rules."""

    parts: tuple[RulePart, ...]
    outside: tuple[Outside, ...] = ()
    headings: tuple[Line, ...] = ()
    rulers: tuple[Line, ...] = ()

    @property
    def lines(self) -> Iterator[Line]:
        """Every line that has a place."""
        for part in self.parts:
            yield from part.lines
            yield from chain.from_iterable(part.below.values())
        yield from chain.from_iterable(passage.lines for passage in self.outside)
        yield from (*self.headings, *self.rulers)


def outline(lines: Sequence[Line], rules: Sequence[Candidate], tiers: TierWords, code: Collection[int]) -> Outline:
    """Takes a text apart at its rules' beginnings, of which there is at least one."""
    return _Outliner(lines, rules, tiers, code).outline()


class _Outliner:
    def __init__(
        self, lines: Sequence[Line], rules: Sequence[Candidate], tiers: TierWords, code: Collection[int]
    ) -> None:
        self.lines, self.rules, self.tiers, self.code = lines, rules, tiers, code
        self.parts: list[RulePart] = []
        self.outside: list[Outside] = []
        self.headings: list[Line] = []
        self.rulers: list[Line] = []
        self.tier: str | None = None
        self.past: str | None = None

    def outline(self) -> Outline:
        self._leave("above", 0, self.rules[0].at, self.rules[0].number)
        ends = [rule.at for rule in self.rules[1:]] + [len(self.lines)]
        for rule, end in zip(self.rules, ends, strict=True):
            stop = self._end(rule, end)
            begin = self._skip_rulers(rule.at + 1, stop)
            self.parts.append(self._part(rule, begin, stop))
            follows = end < len(self.lines)
            self._leave("heading" if follows else "below", stop, end, rule.number)
        return Outline(
            parts=tuple(self.parts),
            outside=tuple(self.outside),
            headings=tuple(self.headings),
            rulers=tuple(self.rulers),
        )

    def _leave(self, why: Why, start: int, end: int, number: int) -> None:
        """Leaves lines out; the headings among them set the tier of what comes."""
        block: list[Line] = []
        for at in range(start, end):
            line = self.lines[at]
            if tier := self._heading(at):
                self._close(why, block, number)
                self.tier, self.past = tier, None
                self.headings.append(line)
            elif is_ruler(line.text):
                self.rulers.append(line)
            elif block or not line.blank:
                if self._is_past(at):
                    self.tier, self.past = None, line.text.strip()
                elif why == "heading" and is_section(line.text) and _OF_RULES.search(line.text):
                    self.tier = self.past = None
                block.append(line)
        self._close(why, block, number)

    def _close(self, why: Why, block: list[Line], number: int) -> None:
        while block and block[-1].blank:
            block.pop()
        if block:
            self.outside.append(Outside(why=why, lines=tuple(block), number=number))
        block.clear()

    def _heading(self, at: int) -> str | None:
        if self.lines[at].tier is not None:
            return self.lines[at].tier
        if at in self.code or not is_tier_heading(self.lines, at, self.tiers):
            return None
        return self.tiers.heading(self.lines[at].text)

    def _skip_rulers(self, start: int, end: int) -> int:
        """The line after a ruler that underlines the line above."""
        if start < end and is_ruler(self.lines[start].text) and start not in self.code:
            self.rulers.append(self.lines[start])
            return start + 1
        return start

    def _end(self, rule: Candidate, end: int) -> int:
        """The line after a rule's last: what comes then is a heading, or below all rules."""
        for at in range(rule.at + 1, end):
            if self._heading(at) or self._is_past(at) or (rule.form == "heading" and self._is_higher(at, rule)):
                return self._back(rule.at, at)
        stop = self._back(rule.at, end)
        if end == len(self.lines):
            return self._back(rule.at, self._end_matter(rule.at, stop))
        while stop > rule.at + 1 and self._is_section(stop - 1):
            stop = self._back(rule.at, stop - 1)
        return stop

    def _back(self, first: int, end: int) -> int:
        """`end` without the blank lines and rulers before it."""
        while end > first + 1 and (self.lines[end - 1].blank or is_ruler(self.lines[end - 1].text)):
            if end - 1 in self.code:
                break
            end -= 1
        return end

    def _is_past(self, at: int) -> bool:
        """Whether a line stands alone and heads what is in force no more, or not yet."""
        text = self.lines[at].text
        alone = all(not 0 <= beside < len(self.lines) or self.lines[beside].blank for beside in (at - 1, at + 1))
        return alone and at not in self.code and len(text) <= 80 and _PAST.fullmatch(text) is not None

    def _is_section(self, at: int) -> bool:
        """Whether the last line before the next rule is the heading of a section, and not the end of a text."""
        text = self.lines[at].text
        alone = self.lines[at - 1].blank or is_ruler(self.lines[at - 1].text)
        hashed = text.startswith("#") and re.match(r"#{1,6}\s+\S", text)
        return alone and at not in self.code and (is_section(text) or bool(hashed))

    def _is_higher(self, at: int, rule: Candidate) -> bool:
        """Whether a heading ends a rule that another heading begins: what is numbered 2a is a part of Rule 2."""
        match = re.match(r" {0,3}(#{1,6})\s", self.lines[at].text)
        higher = match is not None and len(match[1]) <= rule.level and at not in self.code
        return higher and lettered_number(self.lines[at].text) != rule.number

    def _end_matter(self, first: int, end: int) -> int:
        """Where the last rule ends: before a signature, before a gap of blank lines, before what pages end with."""
        common = self._gaps_are_common()
        for at in range(first + 1, end):
            # Code may end in a blank line that is the last of all.
            gap = not common and at + 1 < len(self.lines) and self.lines[at].blank and self.lines[at + 1].blank
            if at not in self.code and (gap or self.lines[at].text in _SIGNATURES):
                end = self._back(first, at)
                break
        while True:
            begin = end
            while begin > first + 1 and not self.lines[begin - 1].blank:
                begin -= 1
            paragraph = self.lines[begin:end]
            # It is empty where code ends in a blank line.
            if begin == first + 1 or not paragraph or not all(is_end_matter(line.text) for line in paragraph):
                return end
            end = self._back(first, begin)

    def _gaps_are_common(self) -> bool:
        """Whether more than one blank line parts paragraphs of the rules before, so that it says nothing."""
        return any(line.blank and after.blank for part in self.parts for line, after in pairwise(part.lines))

    def _part(self, rule: Candidate, begin: int, end: int) -> RulePart:
        line = self.lines[rule.at]
        head = _Head(line, rule, self.tiers)
        body = list(self.lines[begin:end])
        title = rule.title or head.title(body)
        if (title is None or rule.title is not None) and not head.rest.blank:
            body.insert(0, head.rest)
        whole = body
        body, below = without_apparatus(whole)
        named = {line.number for some in below.values() for line in some}
        self.headings += [line for line in whole[len(body) :] if not line.blank and line.number not in named]
        part = RulePart(
            number=rule.number,
            revision=rule.revision or None,
            line=line.number,
            lines=tuple(body),
            mark=rule.tier or head.mark,
            heading=self.tier,
            past=self.past,
            title=title,
            void=head.void,
            notes=tuple(head.notes),
            below=below,
        )
        if part.notes and all(line.blank for line in body) and head.void is None and part.gone is None:
            # A bracket that is all there is of a rule is its text.
            return replace(part, lines=(head.rest_with_notes,), notes=())
        return part


class _Head:
    """What stands behind a rule's number in its line: marks, comments in brackets, and the rest."""

    def __init__(self, line: Line, rule: Candidate, tiers: TierWords) -> None:
        self.form, self.tiers, self.set_off = rule.form, tiers, bool(rule.open)
        self.mark: str | None = None
        self.void: Moment | bool | None = None
        self.notes: list[str] = []
        self.rest_with_notes = line.part(rule.tail)
        text = line.text
        if rule.form == "heading":
            text = _ATTRIBUTES.sub("", re.sub(r"\s+#+\s*$", "", text))
        at, self.open = rule.tail, rule.open
        while True:
            if match := self._emphasis(text, at):
                pass
            elif match := _COMMENT.match(text, at):
                self._comment(match["words"].strip())
            elif match := _MARK.match(text, at):
                if not self._said(match["words"]):
                    break
            elif (match := _EMPHATIC_MARK.match(text, at)) and tiers.mark(match["words"]):
                self.mark = self.mark or tiers.mark(match["words"])
            elif (self.form in ("named", "heading") or at > rule.tail) and (match := _DELIMITER.match(text, at)):
                pass
            else:
                break
            at = match.end()
        bare = len(text) - len(text[at:].lstrip())
        rest = line.part(bare, len(text))
        self.whole = False
        if self.open and not rest.blank:
            self.whole = rest.text.rstrip().endswith(self.open)
            rest = replace(rest, text=rest.text.rstrip()[: -len(self.open)] if self.whole else self.open + rest.text)
        self.rest = rest

    def _emphasis(self, text: str, at: int) -> re.Match[str] | None:
        """The end of the emphasis in which the number stands."""
        match = _EMPHASIS.match(text, at) if self.open else None
        if match is None or match[0] != self.open[::-1]:
            return None
        self.open = ""
        return match

    def _comment(self, words: str) -> None:
        if not self._said(words):
            self.notes.append(" ".join(words.split()))

    def _said(self, words: str) -> bool:
        """Reads a mark: a tier, or that the rule is void. What more it says of that is kept as a note."""
        if tier := self.tiers.mark(words):
            self.mark = self.mark or tier
            return True
        match = _VOID.fullmatch(words.strip())
        if match is None:
            return False
        self.void = _day(match["rest"]) or True
        if match["rest"].strip(" .,;:") and self.void is True:
            self.notes.append(" ".join(words.split()))
        return True

    def title(self, body: Sequence[Line]) -> str | None:
        """The rest of the line, where it is a title: it ends as no sentence does, and the text stands apart from it."""
        words = " ".join(self.rest.text.split())
        has_text = any(not line.blank for line in body)
        if not words or not has_text or len(words) > _LONGEST_TITLE:
            return None
        if self.form == "heading" or self.whole:
            return words
        match = _EMPHATIC.fullmatch(words)
        if match is not None and (
            self.set_off or (len(match["mark"]) > 1 and not _SENTENCE_END.search(match["words"]))
        ):
            return match["words"]
        apart = self.form == "named" and body[0].blank
        return words if apart and not _SENTENCE_END.search(words) else None


def _day(words: str) -> Moment | None:
    match = re.fullmatch(r"\W*(?:since|from|as of|on)?\s*([0-9]{4}-[0-9]{2}-[0-9]{2})\W*", words)
    try:
        return Moment.parse(match[1]) if match else None
    except ValueError:
        return None
