"""What a map leaves out of a source, because it is no rule: lines or blocks, each with a reason.

Strangers write the patterns, so `linear.py` matches them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from nomicgen.importers.linear import Pattern, compile_linear
from nomicgen.model.common_keys import Matter
from nomicgen.model.file_model import described


class Omission(Matter):
    """Lines that are left out: each that matches `lines`, or each block that begins with a line
    that matches `from`, and ends with the next that matches `to`, or with the file.

    A pattern must match the whole line, without the spaces at its ends.
    """

    lines: Pattern | None = described("a pattern for each whole line", default=None)
    from_: Pattern | None = described("a pattern for the whole first line of a block", default=None)
    to: Pattern | None = described("a pattern for the whole last line of a block", default=None)
    why: str = described("the reason", default="")

    def check(self) -> None:
        """Raise ValueError where the reason is missing, or what is left out is not clear."""
        if not self.why.strip():
            raise ValueError("what is left out needs a reason: `why`")
        if (self.lines is None) is (self.from_ is None) or (
            self.from_ is None and self.to is not None
        ):
            raise ValueError("what is left out is either `lines`, or `from` and perhaps `to`")


@lru_cache(maxsize=1 << 16)
def _matches_whole(pattern: str, line: str) -> bool:
    # Cached, since the versions of a file have nearly all lines in common.
    return compile_linear(pattern).fullmatch(line) is not None


def left_out(lines: Sequence[str], omit: Sequence[Omission]) -> dict[int, str]:
    """Return by line number, from 1, why a line is left out, if it is. Blank lines never are."""
    reasons: dict[int, str] = {}
    for omission in omit:
        inside = False
        for number, line in enumerate(map(str.strip, lines), 1):
            if omission.lines is not None:
                taken = _matches_whole(omission.lines, line)
            else:
                begins = not inside and _matches_whole(omission.from_ or "", line)
                taken = inside or begins
                # The line that begins a block does not end it.
                inside = taken and not (
                    not begins and omission.to is not None and _matches_whole(omission.to, line)
                )
            if taken and line:
                reasons.setdefault(number, omission.why)
    return reasons
