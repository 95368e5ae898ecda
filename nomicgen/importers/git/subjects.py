"""The instrument that a commit's subject names: a proposal, a judgement or an act; or none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from nomicgen.importers.instruments import CauseKind
from nomicgen.importers.linear import compile_linear

_NUMBER = r"(?!0)[0-9]{1,9}(?![0-9A-Za-z])"
DEFAULT_PATTERNS = (
    r"\b(?P<act>Temporary[ -]Rules?[ #-]*[1-9][0-9]{0,8})",
    rf"\b(?:Call[ -]for[ -])?(?:Judge?ment|CFJ)s?[ :#.-]*(?P<judgement>{_NUMBER})",
    r"\b(?:Proposal|Proposition|Prop|Rule-?[ -]?change)s?\b[ :#.-]*(?:No\.? "
    rf"?)?(?P<proposal>{_NUMBER})",
    rf"(?<![\w/-])P(?:[-# ]|\. ?)?(?P<proposal>{_NUMBER})",
    rf"^[ (\[]*#(?P<proposal>{_NUMBER})",
)
"""Patterns that are tried in this order, in any case of letters; the first that matches decides."""

_MORE = (
    r"(?i)(?:(?:[ ]*(?:,|\band\b|&|\+|/|\bto\b)[ ]*)+|[–-])(?:P|#|Proposals?[ ]*)?[ "
    rf"]*(?P<more>{_NUMBER})"
)
"""A second number behind the first, as in `Proposals 305 and 306`."""
_BACK = r"(?i)\W*(?:revert|reapply|undo|undoes|roll(?:s|ed|ing)?[ -]?back|back(?:s|ed|ing)? out)\b"
"""How a subject begins that takes something back, or does it again."""
_NUMBERED: tuple[CauseKind, ...] = ("proposal", "judgement")
"""Kinds of instruments that have a number."""


class NamedInstrument(Struct, frozen=True, kw_only=True):
    """What a subject names; `kind` is None where it names nothing.

    `cause` is the number of a proposal or judgement, or what an act is called; `player` is who did
    it, if that is said; `title` is what follows. `several` says that more than one is named, `back`
    that something is taken back, or done again.
    """

    kind: CauseKind | None = None
    cause: str = ""
    player: str | None = None
    title: str = ""
    several: bool = False
    back: bool = False

    @property
    def key(self) -> tuple[str, str] | None:
        """What all commits of one instrument have in common; None where nothing is named."""
        return (self.kind, self.cause.casefold()) if self.kind is not None else None

    @property
    def name(self) -> str:
        return f"{self.kind.capitalize()} {self.cause}" if self.kind in _NUMBERED else self.cause


class Subjects:
    """Reads subjects, by patterns of a map or an option first, and then by `DEFAULT_PATTERNS`.

    A pattern has one of the groups `proposal`, `judgement` and `act`, and perhaps `player`.
    """

    def __init__(self, patterns: Sequence[str] = ()) -> None:
        """Raise ValueError for an invalid pattern, or one without such a group; it says why."""
        own = [compile_linear(f"(?i){pattern}") for pattern in patterns]
        if not all({*_NUMBERED, "act"} & set(pattern.groupindex) for pattern in own):
            raise ValueError("should have a group (?P<proposal>…), (?P<judgement>…) or (?P<act>…)")
        self.patterns = [
            *own,
            *(re.compile(pattern, re.IGNORECASE) for pattern in DEFAULT_PATTERNS),
        ]

    def read(self, subject: str) -> NamedInstrument:
        """Return what a subject names: nothing if it takes something back, or does it again."""
        if re.match(_BACK, subject):
            return NamedInstrument(back=True)
        matches = (match for pattern in self.patterns for match in pattern.finditer(subject))
        return next(
            filter(None, (_named_by(match, subject) for match in matches)), NamedInstrument()
        )

    def read_first(self, subjects: Iterable[str]) -> NamedInstrument:
        """Return what the first of several subjects names that names an instrument; if none does,
        the first that takes something back counts.
        """
        named = [self.read(subject) for subject in subjects]
        return next(
            (one for one in named if one.kind),
            next((one for one in named if one.back), NamedInstrument()),
        )


def _named_by(match: re.Match[str], subject: str) -> NamedInstrument | None:
    groups = match.groupdict()
    player = (groups.get("player") or "").strip() or None
    rest = subject[match.end() :]
    for kind in _NUMBERED:
        number = re.search(_NUMBER, groups.get(kind) or "")
        if number is not None:
            more = re.match(_MORE, rest)
            several = more is not None and len(more["more"]) == len(number[0])
            return NamedInstrument(
                kind=kind, cause=number[0], player=player, title=_title(rest), several=several
            )
    cause = " ".join((groups.get("act") or "").split())
    return (
        NamedInstrument(kind="act", cause=cause, player=player, title=_title(rest))
        if cause
        else None
    )


def _title(rest: str) -> str:
    match = re.fullmatch(r"\s*(?:[:—–]|-\s)\s*(?P<title>\S.*?)\s*(?:\(#[0-9]+\))?\s*", rest)
    return match["title"] if match else ""
