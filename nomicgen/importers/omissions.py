"""What of a source is no rule, as somebody says who knows it: lines, or blocks of them, each with a reason.

The patterns are strangers', so `linear.py` matches them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from nomicgen.importers.linear import linear


class Omission(Struct, frozen=True, kw_only=True):
    """What is left out, and `why`: each line that is all of the pattern `lines`, but for spaces at its ends; or each
    block from a line with the pattern `first` to the next with `last`, both included, or to the end.
    """

    why: str
    lines: str | None = None
    first: str | None = None
    last: str | None = None

    def __post_init__(self) -> None:
        """Raises ValueError for what names nothing, and for no pattern."""
        if not self.why.strip():
            raise ValueError("what is left out needs a reason: `why`")
        if (self.lines is None) is (self.first is None) or (self.first is None and self.last is not None):
            raise ValueError("what is left out is either `lines`, or `from` and perhaps `to`")
        for pattern in (self.lines, self.first, self.last):
            if pattern is not None:
                linear(pattern)


@lru_cache(maxsize=1 << 16)
def _is_all(pattern: str, line: str) -> bool:
    """Whether a line is all of a pattern; from version to version of a file nearly all lines are the same."""
    return linear(pattern).fullmatch(line) is not None


def left_out(lines: Sequence[str], omit: Sequence[Omission]) -> dict[int, str]:
    """The reasons for which lines of a text are left out, by their numbers, the first being 1."""
    reasons: dict[int, str] = {}
    for omission in omit:
        inside = False
        for number, line in enumerate(map(str.strip, lines), 1):
            if omission.lines is not None:
                taken = _is_all(omission.lines, line)
            else:
                begins = not inside and _is_all(omission.first or "", line)
                taken = inside or begins
                inside = taken and not (not begins and omission.last is not None and _is_all(omission.last, line))
            if taken and line:
                reasons.setdefault(number, omission.why)
    return reasons
