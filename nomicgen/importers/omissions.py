"""What of a source is no rule, as somebody says who knows it: lines, or blocks of them, each with a
reason.

The patterns are strangers', so `linear.py` matches them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from nomicgen.importers.linear import Pattern, linear
from nomicgen.model.common_keys import Matter
from nomicgen.model.file_model import described


class Omission(Matter):
    """What is left out: each line that matches the pattern `lines` as a whole, apart from spaces at
    its ends.

    Or each block from a line with the pattern `from` to the next with `to`, both included, or to
    the end.
    """

    lines: Pattern | None = described("what a line is all of", default=None)
    from_: Pattern | None = described("what the first line of a block is all of", default=None)
    to: Pattern | None = described("what the last line of a block is all of", default=None)
    why: str = described("the reason", default="")

    def check(self) -> None:
        """Raise ValueError for what names nothing, and without a reason."""
        if not self.why.strip():
            raise ValueError("what is left out needs a reason: `why`")
        if (self.lines is None) is (self.from_ is None) or (
            self.from_ is None and self.to is not None
        ):
            raise ValueError("what is left out is either `lines`, or `from` and perhaps `to`")


@lru_cache(maxsize=1 << 16)
def _is_all(pattern: str, line: str) -> bool:
    """Return whether a pattern is all of a line: versions of a file have nearly all lines in
    common.
    """
    return linear(pattern).fullmatch(line) is not None


def left_out(lines: Sequence[str], omit: Sequence[Omission]) -> dict[int, str]:
    """Return the reasons why lines of a text are left out, by line number, from 1."""
    reasons: dict[int, str] = {}
    for omission in omit:
        inside = False
        for number, line in enumerate(map(str.strip, lines), 1):
            if omission.lines is not None:
                taken = _is_all(omission.lines, line)
            else:
                begins = not inside and _is_all(omission.from_ or "", line)
                taken = inside or begins
                inside = taken and not (
                    not begins and omission.to is not None and _is_all(omission.to, line)
                )
            if taken and line:
                reasons.setdefault(number, omission.why)
    return reasons
