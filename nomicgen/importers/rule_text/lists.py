"""Which lines of a plain text are items of a list: `1.`, `(a)`, `iv)`, `•`. One alone that counts is none."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from msgspec import Struct

_BULLETS = "•‣◦▪▫●○■□∙⁃"
_WEAK = "*+·–—-"
_ITEM = (
    rf"(?P<bullet>[{_BULLETS}])\s*(?P<words>.*)"
    rf"|(?P<weak>[{re.escape(_WEAK)}o])\s+(?P<weakly>.+)"
    r"|(?P<open>\(?)(?P<label>[0-9]{1,3}|[A-Za-z]|[ivxIVX]{1,6})(?P<close>[.)])(?:\s+(?P<labelled>.+))?"
)
_DEEPEST = 20
_OUT_OF_LINE = 2
"""By so many columns two items of one list may be out of line."""
_UNITS = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
_ROMAN = tuple(ten + unit for ten in ("", "x") for unit in _UNITS)[1:]
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SYSTEMS: tuple[tuple[str, ...], ...] = (
    _ROMAN,
    tuple(_LETTERS),
    tuple(label.upper() for label in _ROMAN),
    tuple(_LETTERS.upper()),
)


class ListMark(Struct, frozen=True, kw_only=True):
    """The mark of an item. `style` is `.` or `)` where Markdown can count as the text does; any other is shown with a
    bullet, and `words` then begin with the text's own label, if it has one. `slack` is how far two items of one list
    may be out of line; `count` is 0 for bullets.
    """

    style: str
    count: int
    words: str
    slack: int = 0

    @property
    def counted(self) -> bool:
        return self.style in (".", ")")

    @property
    def interrupts(self) -> bool:
        """Whether Markdown begins a list with it although no blank line stands above."""
        return bool(self.words) and (self.count <= 1 or not self.counted)

    def follows(self, last: ListMark) -> bool:
        """Whether it is the mark of the next item of a list."""
        return self.style == last.style and (not self.count or self.count == last.count + 1)


class _Run(Struct):
    """Items that count up, by their lines."""

    system: str
    indent: int
    lines: list[int]


def marks_of(rows: Sequence[tuple[int, str]]) -> list[ListMark | None]:
    """The mark of each line, given as its indentation and its words; None for one that is no item."""
    matches = [re.fullmatch(_ITEM, words) for _, words in rows]
    weak = Counter(
        (rows[at][0], match["weak"]) for at, match in enumerate(matches) if match is not None and match["weak"]
    )
    counted = _counted(rows, matches)
    marks: list[ListMark | None] = []
    for at, match in enumerate(matches):
        mark: ListMark | None = None
        if match is None:
            pass
        elif match["bullet"]:
            mark = ListMark(style="-", count=0, words=match["words"])
        elif match["weak"]:
            if weak[rows[at][0], match["weak"]] > 1:
                mark = ListMark(style="-", count=0, words=match["weakly"])
        elif at in counted:
            run, count = counted[at]
            kind = match["open"] + match["close"]
            if run.system == "1" and not match["open"]:
                mark = ListMark(style=kind, count=count, words=match["labelled"] or "", slack=_OUT_OF_LINE)
            else:
                mark = ListMark(style=f"-{kind}", count=count, words=rows[at][1], slack=_OUT_OF_LINE)
        marks.append(mark)
    return marks


def _counted(rows: Sequence[tuple[int, str]], matches: Sequence[re.Match[str] | None]) -> dict[int, tuple[_Run, int]]:
    """The lines that count up from 1, a or i with at least one other, each with its run and its place in it."""
    open_runs: dict[str, list[_Run]] = defaultdict(list)
    runs: list[_Run] = []
    for at, match in enumerate(matches):
        if match is None or not match["label"] or (match["open"] and match["close"] != ")"):
            continue
        kind, indent = match["open"] + match["close"], rows[at][0]
        counts = _counts(match["label"])
        near = [run for run in open_runs[kind] if counts.get(run.system) == len(run.lines) + 1]
        near = [run for run in near if abs(run.indent - indent) <= _OUT_OF_LINE]
        nearest = min((abs(run.indent - indent) for run in near), default=0)
        for run in near:
            if abs(run.indent - indent) == nearest:
                run.lines.append(at)
                run.indent = indent
        begun = [] if near else [_Run(system, indent, [at]) for system, count in counts.items() if count == 1]
        if begun:
            # A list that begins anew ends what stands as deep as it, or deeper.
            outer = [run for run in open_runs[kind] if run.indent < indent]
            open_runs[kind] = [*outer[-_DEEPEST:], *begun]
            runs += begun
    counted: dict[int, tuple[_Run, int]] = {}
    for run in sorted(runs, key=lambda run: len(run.lines)):
        if len(run.lines) > 1:
            counted |= {at: (run, count) for count, at in enumerate(run.lines, 1)}
    return counted


def _counts(label: str) -> dict[str, int]:
    """What a label counts to, by the first label of each system that has it."""
    if label.isdecimal():
        return {"1": int(label)} if label == str(int(label)) else {}
    return {labels[0]: labels.index(label) + 1 for labels in _SYSTEMS if label in labels}
