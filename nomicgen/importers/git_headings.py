"""Headings of rules as people write them: `## 203/1 (IMMUTABLE)`, `# Rule 203`, `## 203 [void]`.

The form of the archive is `## N/R (TIER)` or `## N (TIER)`; a title may follow a colon or a dash.
"""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct

from nomicgen.patterns import lazy_pattern

_LINE = lazy_pattern(
    r"(?P<indent> {0,3})(?P<hashes>#{0,6})(?P<gap>[ \t]*)(?P<bold>\*{0,2})"
    r"(?P<word>(?i:rule)[ \t]*#?[ \t]*)?(?P<number>[1-9][0-9]{0,8})"
    r"(?P<slash>[ \t]*/[ \t]*(?P<revision>0|[1-9][0-9]{0,5}))?(?P<rest>(?![0-9/]).*?)?[ \t]*#*[ \t]*"
)
_WORD = r"[A-Za-z][A-Za-z0-9-]{0,63}"
_MARK = lazy_pattern(
    rf"[ \t]*[(\[][ \t]*(?P<mark>{_WORD}(?:[ \t]*[,;/][ \t]*{_WORD})*)[ \t]*(?:(?P<close>[)\]])|(?=$))"
)
_WELL_FORMED = lazy_pattern(r"## [0-9]+(?:/[0-9]+)?(?:$| [^/]|[:.—–-])")
_TITLE = lazy_pattern(r"[ \t]*(?::|—|–|-{1,2}[ \t]|\.[ \t])[ \t]*(?P<title>\S.*)")
_MARKS = {"void": "void", "voided": "void", "repealed": "repealed", "deleted": "repealed"}
_KNOWN = ("immutable", "mutable", "void", "repealed")
_LOW = 2


class RuleHeading(Struct, frozen=True, kw_only=True):
    """A heading that names a rule. `tier` is in small letters, None where none is said; `mark` is `void`, `repealed` or
    ''. `malformed` says that it is in another form; `sure` that nothing but a rule's heading looks like it.
    """

    number: int
    revision: int | None = None
    tier: str | None = None
    mark: str = ""
    title: str | None = None
    level: int = 2
    malformed: bool = False
    sure: bool = True


@lru_cache(maxsize=65536)
def parse_rule_heading(line: str) -> RuleHeading | None:
    """Reads a line, None where it names no rule."""
    match = _LINE.fullmatch(line.rstrip(" \t"))
    if match is None:
        return None
    rest, tier, mark = match["rest"] or "", None, ""
    malformed = not _WELL_FORMED.match(line.strip(" \t"))
    if match["bold"]:
        rest = rest.rstrip("* \t") if rest.endswith(match["bold"]) else rest
    while found := _MARK.match(rest):
        for word in re.split(r"[ \t]*[,;/][ \t]*", found["mark"]):
            meant = _meant(word)
            malformed |= meant != word.casefold()
            if meant in _MARKS:
                mark = _MARKS[meant]
            else:
                tier = meant
        malformed |= not found["close"]
        rest = rest[found.end() :]
    title = _TITLE.fullmatch(rest)
    if rest.strip() and title is None:
        return None
    level = len(match["hashes"])
    return RuleHeading(
        number=int(match["number"]),
        revision=int(match["revision"]) if match["revision"] else None,
        tier=tier,
        mark=mark,
        title=title["title"].strip() if title else None,
        level=level,
        malformed=malformed,
        sure=level == _LOW and bool(match["gap"]) and not match["bold"],
    )


def _meant(word: str) -> str:
    """A tier or a mark in small letters, as it is spelt right."""
    small = word.casefold()
    if small in _KNOWN or small in _MARKS:
        return small
    near = [known for known in _KNOWN if far(small, known) == 1 and known[0] == small[0]]
    return near[0] if len(near) == 1 else small


def far(one: str, other: str) -> int:
    """0 for the same word, 1 for one slip (a letter more, less, another, or two swapped), else 2."""
    if one == other:
        return 0
    if abs(len(one) - len(other)) > 1:
        return 2
    if len(one) == len(other):
        differing = [at for at, pair in enumerate(zip(one, other, strict=True)) if pair[0] != pair[1]]
        if len(differing) == 1:
            return 1
        swapped = len(differing) == 2 and differing[1] == differing[0] + 1 and sorted(one) == sorted(other)
        return 1 if swapped else 2
    longer, shorter = sorted((one, other), key=len, reverse=True)
    return 1 if any(longer[:at] + longer[at + 1 :] == shorter for at in range(len(longer))) else 2
