"""The form of the lines with which rules begin: as it was found in a text, or as an expression says it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Literal

from msgspec import Struct

from nomicgen.importers.text_lines import Line
from nomicgen.patterns import lazy_pattern

FormKind = Literal["named", "heading", "numbered", "bare"]
Key = tuple[str, str, int]

EXPLICIT: tuple[FormKind, ...] = ("named", "heading")
"""The kinds of forms that no other line has."""
STRONG = 4
"""The weight of a line that looks like a rule's first as much as one can."""
ANY_LEVEL = 0
"""The level of a form of headings that stand at several levels."""
_DIGITS = 9


_LETTERED = lazy_pattern(
    r" {0,3}#{1,6}\s+[*_]{0,3}(?:rule\s+|§\s?|r)?(?P<number>[1-9][0-9]{0,8})[a-z](?![0-9a-z])", re.I
)


class Candidate(Struct, frozen=True, kw_only=True):
    """A line that may begin a rule: `at` is its place among the lines, from 0.

    `tail` is where in the line stands what follows the number and its delimiter; `open` are marks of emphasis that
    stand before the number, and are not closed right behind it. `title` and `tier` are what an expression found. A
    heading is `signed` where `§` or `Rule` stands before its number.
    """

    at: int
    number: int
    revision: int = 0
    form: FormKind
    keys: tuple[Key, ...] = ()
    level: int = 0
    tail: int = 0
    open: str = ""
    weight: int = STRONG
    signed: bool = False
    title: str | None = None
    tier: str | None = None


class FormReading(Struct, frozen=True, kw_only=True):
    """The rules' beginnings, in order; and candidates of the same form that do not fit among them.

    `key` is the form of both, None where it is as an expression says. Where rules stood in the middle of lines, it is
    about `cut_lines`.
    """

    rules: tuple[Candidate, ...] = ()
    doubtful: tuple[Candidate, ...] = ()
    key: Key | None = None
    cut_lines: tuple[Line, ...] = ()

    @property
    def is_explicit(self) -> bool:
        return self.key is not None and self.key[0] in EXPLICIT


class RuleForm(Struct, frozen=True):
    """How the lines look with which rules begin: they have a form, or an expression with a group `number` fits them.

    The expression may have groups `title`, `tier` and `revision`; what stands behind what it fits is the text.
    """

    key: Key | None = None
    pattern: str | None = None

    @classmethod
    def parse(cls, pattern: str) -> RuleForm:
        """The form that an expression says. Raises ValueError, which says why, for one that is none or has no group
        `number`.
        """
        try:
            groups = re.compile(pattern).groupindex
        except re.error as error:
            raise ValueError(f"{pattern!r} is no regular expression: {error}") from None
        if "number" not in groups:
            raise ValueError("should have a group (?P<number>[0-9]+)")
        return cls(pattern=pattern)

    @property
    def in_words(self) -> str:
        """The form in words: `a heading of level 5`."""
        form, mark, level = self.key or ("numbered", "", 0)
        if form == "heading":
            return f"a heading of level {level}{', underlined' if mark else ''}" if level else "headings of any level"
        sign = mark.rpartition(" ")[0]
        return {"named": "`Rule 101`"}.get(form, f"a number{f' with `{sign}`' if sign else ''} at a line's beginning")


def lettered_number(text: str) -> int | None:
    """The number of a heading that has one with a letter behind it, as `### § 2a` has; None for any other line."""
    match = _LETTERED.match(text)
    return int(match["number"]) if match is not None else None


def matching(lines: Sequence[Line], code: Collection[int], pattern: re.Pattern[str]) -> Iterator[Candidate]:
    """The lines that an expression fits, with a number that a rule can have."""
    for at, line in enumerate(lines):
        match = pattern.match(line.text) if at not in code else None
        groups = match.groupdict() if match is not None else {}
        number = groups.get("number") or ""
        if match is None or not (number.isascii() and number.isdecimal() and len(number) <= _DIGITS):
            continue
        revision = groups.get("revision") or ""
        level = len(line.text.lstrip()) - len(line.text.lstrip().lstrip("#"))
        yield Candidate(
            at=at,
            number=int(number),
            revision=int(revision) if revision.isdecimal() and revision.isascii() and len(revision) < _DIGITS else 0,
            form="heading" if level else "named",
            level=level,
            tail=match.end(),
            title=" ".join((groups.get("title") or "").split()) or None,
            tier=(groups.get("tier") or "").casefold() or None,
        )
