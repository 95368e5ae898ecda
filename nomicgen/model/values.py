"""The value types of a game's files: places, moments, numbers, references, and the types of their
fields.

Every scalar of a front matter arrives as its source text, and its field says which type it has:
`12e4567` is a hash, and a player's id may be `no`; YAML's own types would make a number and a
boolean of them. A number is never a float.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, time, timedelta
from fractions import Fraction
from typing import Annotated, ClassVar, TypeVar

from msgspec import Struct

from nomicgen.model.identifiers import CommitId, Digest, PlayerId
from nomicgen.model.types import Bounds, NotEmpty, Prepare, ReadWith, matching


class Span(Struct, frozen=True, kw_only=True, order=True):
    """A place in a file of the game: `line` and `column` count from 1, `column` in characters."""

    file: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


_T = TypeVar("_T")

KeyPath = tuple[str | int, ...]

# No file of a game has a line or a column beyond 2 ** 20: a place takes two of these, a key with
# its value four.
PLACE_BITS = 21
_LOW = (1 << PLACE_BITS) - 1  # masks the column of a place
_VALUE = (1 << 2 * PLACE_BITS) - 1  # masks the place of a value


class Source(Struct, frozen=True, kw_only=True):
    """Where a record came from: its file, and the place of each of its keys and values.

    Paths are tuples of keys and list indices, e.g. `("votes", "wren")`. `places` holds line and
    column of the key and of the value at each path, packed into one number: a long ledger has
    hundreds of thousands of them. `body_line` is the line on which the text after the front matter
    begins.
    """

    file: str
    places: Mapping[KeyPath, int] = {}
    body_line: int = 1

    @classmethod
    def of(
        cls, file: str, keys: Mapping[KeyPath, Span], values: Mapping[KeyPath, Span], body_line: int
    ) -> Source:
        """Return a source with the span of each key and of each value."""
        places = {path: span.line << PLACE_BITS | span.column for path, span in values.items()}
        for path, span in keys.items():
            places[path] = (span.line << PLACE_BITS | span.column) << 2 * PLACE_BITS | places.get(
                path, 0
            )
        return cls(file=file, places=places, body_line=body_line)

    def at(self, *path: str | int) -> Span:
        """Return the place of the value at `path`, or of the nearest value that contains it."""
        while path:
            span = self.value(path)
            if span is not None:
                return span
            path = path[:-1]
        return Span(file=self.file)

    def key(self, *path: str | int) -> Span:
        """Return the place of the key at `path`, or else what `at` returns."""
        return self._span(self.places.get(path, 0) >> 2 * PLACE_BITS) or self.at(*path)

    def value(self, path: KeyPath) -> Span | None:
        """Return the place of the value at exactly `path`, or None; `()` is the whole table."""
        return self._span(self.places.get(path, 0) & _VALUE)

    def _span(self, place: int) -> Span | None:
        return (
            Span(file=self.file, line=place >> PLACE_BITS, column=place & _LOW) if place else None
        )


class Moment(Struct, frozen=True, eq=False):
    """A day, perhaps with a time, in the game's own time zone.

    A day without a time is equal to its midnight, and sorts there. `timed` says whether a time was
    given.

    `words` are those of a date that is not known to the day, as `around 1994-08-13`, else ''; `day`
    is then the first day that they name.
    """

    day: date
    clock: time = time.min
    timed: bool = False
    words: str = ""

    def __eq__(self, other: object) -> bool:
        return (
            self.day == other.day and self.clock == other.clock
            if isinstance(other, Moment)
            else NotImplemented
        )

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: Moment) -> bool:
        return self.day < other.day or (self.day == other.day and self.clock < other.clock)

    def __le__(self, other: Moment) -> bool:
        return self.day < other.day or (self.day == other.day and self.clock <= other.clock)

    def __hash__(self) -> int:
        return hash((self.day, self.clock))

    _FORM: ClassVar = re.compile(r"(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?))?", re.ASCII)

    _PART: ClassVar = r"[0-9]{4}(?:-[0-9]{2}){0,2}"
    _INEXACT: ClassVar = re.compile(
        rf"([0-9]{{4}}-[0-9]{{2}})|(?:about|after|around) ({_PART})|between ({_PART}) and ({_PART})"
    )

    @classmethod
    def parse(cls, text: object) -> Moment:
        """Read `2020-07-26` or `2020-07-26T18:30`, seconds too. Raises ValueError for others."""
        if isinstance(text, Moment):
            return text
        match = cls._FORM.fullmatch(text if isinstance(text, str) else "")
        if match is None:
            raise ValueError(
                "should be a date such as 2020-07-26 or 2020-07-26T18:30 (in the game's own time "
                "zone)"
            )
        try:
            day = date.fromisoformat(match[1])
            clock = time.fromisoformat(match[2]) if match[2] else time.min
        except ValueError:
            raise ValueError(f"{text} is not in the calendar") from None
        return cls(day, clock, match[2] is not None)

    @classmethod
    def parse_inexact(cls, text: object) -> Moment:
        """Read a date of the past, which need not be known to the day: `2019-03`, `about 2001`,
        `after 1998-02-01`, `between 1994-08-03 and 1994-11-12`. Raises ValueError for anything
        else.
        """
        match = cls._INEXACT.fullmatch(text) if isinstance(text, str) else None
        if match is None or not isinstance(text, str):
            return cls.parse(text)
        days = [_first_day(part) for part in match.groups() if part is not None]
        if days != sorted(days):
            raise ValueError(f"{text} ends before it begins")
        return cls(days[0], words=text)

    @classmethod
    def of(cls, day: date) -> Moment:
        return cls(day)

    def precedes(self, other: Moment | None) -> bool:
        """Return whether this is earlier, by days, or on one day by times if both have one.

        Nothing is earlier than None, a moment that is not known. A date in `words` counts as its
        `day`: `about 2001` is earlier than 2001-03-01.
        """
        if other is None:
            return False
        if self.day != other.day or not (self.timed and other.timed):
            return self.day < other.day
        return self.clock < other.clock

    def plus(self, days: int) -> Moment:
        """Return the moment so many days later; at most the last day that Python knows."""
        try:
            return Moment(self.day + timedelta(days=days), self.clock, self.timed)
        except OverflowError:
            return Moment(date.max, self.clock, self.timed)

    def __str__(self) -> str:
        return self.words or self.reckoned

    @property
    def reckoned(self) -> str:
        """The day and its time, if it has one; for a date in `words`, the day that counts."""
        return (
            f"{self.day}T{self.clock:%H:%M:%S}".removesuffix(":00") if self.timed else str(self.day)
        )


def _first_day(text: str) -> date:
    """Return the first day of `2001`, `2001-02` or `2001-02-03`.

    Raises ValueError for one that is not in the calendar.
    """
    try:
        return date.fromisoformat(text + "-01" * (2 - text.count("-")))
    except ValueError:
        raise ValueError(f"{text} is not in the calendar") from None


_INTEGER = r"-?(0|[1-9][0-9]{0,8})"
_REF = r"(?a)([1-9]\d{0,8})(?:/(0|[1-9]\d{0,5}))?"


def _integer(text: object) -> int:
    if isinstance(text, str) and re.fullmatch(_INTEGER, text):
        return int(text)
    if not isinstance(text, int) or isinstance(text, bool):
        raise ValueError("should be a whole number such as 203")
    return text


def _boolean(text: object) -> bool:
    if isinstance(text, bool):
        return text
    if text not in ("true", "false"):
        raise ValueError("should be true or false")
    return text == "true"


def _text(text: object) -> str:
    if not isinstance(text, str):
        raise ValueError("should be a text")
    if not text:
        raise ValueError("should say something; delete the key where there is nothing to say")
    return text


def parse_fraction(text: object) -> Fraction:
    """Read `3`, `-10`, `20/3` or `15%`, exactly. Raises ValueError for floats and the rest."""
    if isinstance(text, str):
        match = re.fullmatch(r"([+-]?\d{1,9})(?:/([1-9]\d{0,8})|(%))?", text, re.ASCII)
        if match is None:
            raise ValueError(
                "should be an exact number: a whole number, a fraction such as 20/3, or a "
                "percentage such as 15%"
            )
        return Fraction(int(match[1]), 100 if match[3] else int(match[2] or 1))
    if not isinstance(text, int | Fraction):
        raise ValueError("should be an exact number such as 3, 20/3 or 15%")
    return Fraction(text)


def _list_or_one(value: object) -> object:
    return [value] if isinstance(value, str) else value


def _ratio(text: object) -> Fraction:
    # Sums of fractions stay short only if their denominators are few.
    if isinstance(text, str) and len(text.partition("/")[2]) > 3:
        raise ValueError(
            "should be a whole number, or a fraction with a denominator of at most three digits"
        )
    return parse_fraction(text)


_FRACTION = r"^[+-]?\d{1,9}(/[1-9]\d{0,2}|%)?$"
Integer = Annotated[int, ReadWith(_integer, {"type": "integer"})]
Number = Annotated[Integer, Bounds(least=1)]
"""A whole number from 1 on."""
Count = Annotated[Integer, Bounds(least=0)]
"""A whole number from 0 on."""
Boolean = Annotated[bool, ReadWith(_boolean, {"type": "boolean"})]
Date = Annotated[
    Moment,
    ReadWith(
        Moment.parse, {"type": "string", "pattern": r"^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?)?$"}
    ),
]
_DAYS = r"\d{4}(-\d\d){0,2}"
InexactDate = Annotated[
    Moment,
    ReadWith(
        Moment.parse_inexact,
        {
            "type": "string",
            "pattern": rf"^(\d{{4}}-\d\d(-\d\d)?|\d{{4}}-\d\d-\d\d[T "
            rf"]\d\d:\d\d(:\d\d)?|(about|after|around) {_DAYS}"
            rf"|between {_DAYS} and {_DAYS})$",
        },
    ),
]
"""A date of the past: it need not be known to the day."""
Ratio = Annotated[
    Fraction,
    ReadWith(_ratio, {"anyOf": [{"type": "integer"}, {"type": "string", "pattern": _FRACTION}]}),
]
ListOrOne = Annotated[
    tuple[_T, ...], Prepare(_list_or_one, lambda schema: {"anyOf": [schema["items"], schema]})
]
"""A list, which may be empty, or one value in place of a list of one."""
NonEmptyListOrOne = Annotated[ListOrOne[_T], NotEmpty()]
"""The same, except that the list has a value."""
Text = Annotated[str, ReadWith(_text, {"type": "string", "minLength": 1})]
_IDENT = matching(
    r"^[a-z][a-z0-9-]*$",
    "should be an id: small letters, digits and hyphens, beginning with a letter",
    64,
)
Ident = Annotated[str, _IDENT]
PlayerField = Annotated[PlayerId, _IDENT]
TurnId = Annotated[str, matching(r"^R[1-9][0-9]*T[1-9][0-9]*$", "should be a turn such as R4T3")]
DigestField = Annotated[
    Digest,
    matching(
        r"^[0-9a-f]{64}$", "should be a SHA-256 digest, 64 hexadecimal digits in small letters"
    ),
]
BallotToken = Annotated[
    str,
    matching(
        r"^[a-hjkmnp-tv-z][0-9a-hjkmnp-tv-z]{9}$",
        "should be a ballot's token: ten small letters and digits, without i, l, o and u, "
        "beginning with a letter",
    ),
]
CommitField = Annotated[
    CommitId,
    matching(
        r"^([0-9a-f]{40}|[0-9a-f]{64})$",
        "should be the whole id of a commit, 40 or 64 hexadecimal digits in small letters",
    ),
]


class RuleRef(Struct, frozen=True, order=True):
    """A rule by number, perhaps pinned to a revision: `203` or `203/1`."""

    number: int
    revision: int | None = None

    @classmethod
    def parse(cls, text: object) -> RuleRef:
        """Read `203` or `203/1`. Raises ValueError for anything else."""
        if isinstance(text, RuleRef):
            return text
        match = re.fullmatch(_REF, text) if isinstance(text, str) else None
        if match is None:
            raise ValueError("should be a rule such as 203, or a revision of it such as 203/1")
        return cls(int(match[1]), int(match[2]) if match[2] else None)

    def __str__(self) -> str:
        return f"{self.number}" if self.revision is None else f"{self.number}/{self.revision}"


Ref = Annotated[
    RuleRef,
    ReadWith(
        RuleRef.parse,
        {"anyOf": [{"type": "integer"}, {"type": "string", "pattern": r"^[1-9]\d*(/\d+)?$"}]},
    ),
]
