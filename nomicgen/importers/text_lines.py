"""The lines of a text that holds rules, and what a line can be besides a rule: a heading, a ruler, an end matter."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from msgspec import Struct

from nomicgen.patterns import lazy_pattern

_TAB = 8
_POWER = lazy_pattern(r"power(?:\s*[=:]\s*|\s+|-)(?P<whole>[0-9]{1,9})(?:[.-](?P<part>[0-9]{1,9}))?", re.IGNORECASE)
_RULER = lazy_pattern(r"\s*(?:[-=_*~#+.]\s*){3,}")
_SENTENCE = lazy_pattern(r"[.!?:;…][)\]\"'”’*_]*")
_COUNT = r"(?:(?:[IVXLC]+|[A-Z]|[0-9]{1,2}|(?:Part|Section|Chapter|Article|Title)\s+\w+)\s*[.):—–-]?\s+)?"
_DRESS = " \t\xa0#*_=~-+|"
# A heading that says no tier: `Repealed Rules`, `Part 2: Voting`.
_SECTION = lazy_pattern(
    rf"{_COUNT}(?:[A-Z][\w'’-]*\s+)(?:(?:[A-Z][\w'’-]*|and|of|the|for)\s+){{0,4}}(?i:rules)[.:]?"
    r"|(?:Part|PART|Section|SECTION|Chapter|CHAPTER|Article|ARTICLE)\s+(?:[IVXLC]+|[0-9]{1,2}|[A-Z])\b(?:[.:—–-]?\s+\S.{0,60})?"
)
_END = lazy_pattern(
    r"(?:editor|created|revised|author|maintainer|webmaster|contact|version)\s*:.{0,90}"
    r"|(?:(?:this )?page (?:was )?)?last (?:updated|modified|changed|revised|edited)\b.{0,90}"
    r"|(?:maintained|compiled|edited) by .{0,60}|(?:back|return) to\b.{0,60}"
    r"|copyright\s*(?:©|\(c\)|[0-9]).{0,80}|(?:©|\(c\))\s.{0,80}"
    r"|(?:top|home|next|previous|up|index|end|the end|end of (?:the )?(?:\w+ ){0,3}rules?(?:et)?)[.!]?",
    re.IGNORECASE,
)


class Line(Struct, frozen=True):
    """A line of the file, or the part of one from `column` on. `number` and `column` count from 1.

    `tier` is set where it is known to be the heading of a tier, or a part of one.
    """

    number: int
    column: int
    text: str
    tier: str | None = None

    @property
    def blank(self) -> bool:
        return not self.text.strip()

    @property
    def indent(self) -> int:
        """How many columns of white space it begins with."""
        shown = self.text.expandtabs(_TAB)
        return len(shown) - len(shown.lstrip())

    def part(self, start: int, end: int | None = None) -> Line:
        """The part from the character `start` up to `end`, both from 0."""
        return Line(self.number, self.column + start, self.text[start:end])


def lines_of(text: str) -> list[Line]:
    """The lines of a text."""
    return [Line(number, 1, line) for number, line in enumerate(text.split("\n"), 1)]


class TierWords:
    """What headings and marks say of tiers, whose names are `names`, in small letters."""

    def __init__(self, names: Collection[str]) -> None:
        self.names = frozenset(names)
        words = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
        before = r"(?:(?:The|Initial|Current|Original|THE|INITIAL|CURRENT|ORIGINAL)\s+)*"
        self.pattern = rf"(?P<tier>(?i:{words}))"
        self._line = re.compile(
            rf"{_COUNT}{before}(?=[A-Z]){self.pattern}(?:\s+(?i:rules?|tier|section))?(?:\s*\([^()]*\))?[.:]?"
        )
        self._inline = re.compile(
            rf"(?:^|(?P<count>\b(?:[IVXLC]+|[0-9]{{1,2}}|[A-Z])\.\s+)|(?<=[.!?:;)\]\"'”’])\s+){before}"
            rf"(?=[A-Z]){self.pattern}\s+(?i:rules?)\s*[.:]?\s*$"
        )

    def mark(self, words: str) -> str | None:
        """The tier that a mark behind a number names, `immutable` for `IMMUTABLE`."""
        name = words.strip().casefold()
        return name if name in self.names else tier_of_power(name)

    def heading(self, text: str) -> str | None:
        """The tier that a line names that is a heading, and nothing else."""
        bare = text.strip(_DRESS)
        match = self._line.fullmatch(bare) if len(bare) <= 80 else None
        return match["tier"].casefold() if match else None

    def closing(self, text: str) -> tuple[int, str] | None:
        """Where a heading begins that ends a run of words, `… (mutable). II. Mutable Rules.`, and its tier."""
        start = max(0, len(text) - 120)
        match = self._inline.search(text[start:])
        if match is None:
            return None
        begin = match.start() + len(match[0]) - len(match[0].lstrip())
        return start + begin, match["tier"].casefold()


def tier_of_power(words: str) -> str | None:
    """The tier that a power is, `power-1-7` for `Power=1.70`; None for other words."""
    match = _POWER.fullmatch(words.strip())
    return (
        "-".join(["power", str(int(match["whole"])), *filter(None, [(match["part"] or "").rstrip("0")])])
        if match
        else None
    )


def is_ruler(text: str) -> bool:
    """Whether a line holds nothing but dashes or the like."""
    return len(text) <= 400 and _RULER.fullmatch(text) is not None


def is_section(text: str) -> bool:
    """Whether a line reads like the heading of a section."""
    bare = text.strip(_DRESS)
    return len(bare) <= 80 and _SECTION.fullmatch(bare) is not None


def is_end_matter(text: str) -> bool:
    """Whether a line reads like the last ones of a page: who keeps it, when it changed, where to go back to."""
    return len(text) <= 200 and _END.fullmatch(text.strip(f"{_DRESS}[]<>«»←")) is not None


def ends_sentence(text: str) -> bool:
    """Whether a text ends as a sentence does."""
    bare = text.rstrip()
    return any(_SENTENCE.fullmatch(bare[at:]) for at in range(len(bare) - 1, max(len(bare) - 5, -1), -1))


def runs_of(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Numbers as runs of those that follow each other, each by its first and last."""
    runs: list[tuple[int, int]] = []
    for number in sorted(set(numbers)):
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


def ranges_of(numbers: Iterable[int], most: int = 12) -> str:
    """Numbers as they are said, `201, 203, 301–313`; beyond `most` runs, how many more there are."""
    runs = runs_of(numbers)
    shown = [str(first) if first == last else f"{first}–{last}" for first, last in runs[:most]]
    more = len(runs) - most
    return ", ".join(shown) + (f" and {more} more runs" if more > 0 else "")
