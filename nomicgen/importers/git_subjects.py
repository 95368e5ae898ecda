"""What a commit's subject says it is: a proposal's adoption, a judgement, an act; or nothing that can be told."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from nomicgen.importers.git_headings import far
from nomicgen.importers.printed_history import CauseKind
from nomicgen.patterns import lazy_pattern

_NUMBER = r"(?!0)[0-9]{1,9}(?![0-9A-Za-z])"
DEFAULT_PATTERNS = (
    r"\b(?P<act>Temporary[ -]Rules?[ #-]*[1-9][0-9]{0,8})",
    rf"\b(?:Call[ -]for[ -])?(?:Judge?ment|CFJ)s?[ :#.-]*(?P<judgement>{_NUMBER})",
    rf"\b(?:Proposal|Proposition|Prop|Rule-?[ -]?change)s?\b[ :#.-]*(?:No\.? ?)?(?P<proposal>{_NUMBER})",
    rf"(?<![\w/-])P(?:[-# ]|\. ?)?(?P<proposal>{_NUMBER})",
    rf"^[ (\[]*#(?P<proposal>{_NUMBER})",
)
"""Searched for in their order, in capital or small letters; the first that is found decides."""

_WORDS: dict[str, CauseKind] = {
    "proposal": "proposal",
    "judgement": "judgement",
    "judgment": "judgement",
    "rulechange": "proposal",
    "temporary": "act",
}
_TYPED = lazy_pattern(rf"\b(?P<word>[A-Za-z]{{4,12}})(?P<rule>[ -]+[A-Za-z]{{3,5}})?[ :#.-]*(?P<number>{_NUMBER})")
_MORE = lazy_pattern(
    rf"(?P<link>(?:[ ]*(?:,|\band\b|&|\+|/|\bto\b)[ ]*)+|[–-])(?:P|#|Proposals?[ ]*)?[ ]*(?P<more>{_NUMBER})",
    re.IGNORECASE,
)
_BACK = lazy_pattern(
    r"\W*(?:revert|reapply|undo|undoes|roll(?:s|ed|ing)?[ -]?back|back(?:s|ed|ing)? out)\b", re.IGNORECASE
)
_RANGE = 20
"""So many proposals may be named by the first and the last of them."""
_GROUPS = ("proposal", "judgement", "act")


class NamedInstrument(Struct, frozen=True, kw_only=True):
    """What a subject names: a proposal or judgement by number, an act by its cause. `kind` is None where nothing.

    `several` are all numbers where more than one is named, `typo` is a word that is spelt otherwise; `rest` is what
    follows the number: a title. `back` says that something is taken back, or done again, `by_rule` that the number is
    that of a new rule, and nothing says of what.
    """

    kind: CauseKind | None = None
    number: int | None = None
    cause: str = ""
    player: str | None = None
    rest: str = ""
    typo: str = ""
    several: tuple[int, ...] = ()
    back: bool = False
    by_rule: bool = False

    @property
    def key(self) -> tuple[str, str] | None:
        """What all commits of one instrument have in common."""
        if self.kind is None:
            return None
        return self.kind, str(self.number) if self.number is not None else self.cause.casefold()


@dataclass(frozen=True, slots=True)
class Subjects:
    """Patterns with groups `proposal`, `judgement` or `act`, and perhaps `player`, tried before the default ones."""

    patterns: Sequence[str] = ()
    _compiled: list[re.Pattern[str]] = field(default_factory=list, init=False, repr=False)

    def __post_init__(self) -> None:
        """Raises ValueError, which says why, for a pattern that is none or has no such group."""
        for pattern in self.patterns:
            try:
                made = re.compile(pattern, re.IGNORECASE)
            except re.error as error:
                raise ValueError(f"is no regular expression: {error}") from None
            if not set(_GROUPS) & made.groupindex.keys():
                raise ValueError("should have a group (?P<proposal>…), (?P<judgement>…) or (?P<act>…)")
            self._compiled.append(made)
        self._compiled.extend(re.compile(pattern, re.IGNORECASE) for pattern in DEFAULT_PATTERNS)

    def of(self, subject: str) -> NamedInstrument:
        """What a subject names; one that takes something back names nothing of its own."""
        if _BACK.match(subject):
            return NamedInstrument(back=True)
        for pattern in self._compiled:
            for match in pattern.finditer(subject):
                if found := _found(match, subject):
                    return found
        return _typo(subject)

    def first(self, subjects: Iterable[str]) -> NamedInstrument:
        """What the first of several subjects names that names anything."""
        said = [self.of(one) for one in subjects]
        return next((one for one in said if one.kind), next((one for one in said if one.back), NamedInstrument()))


def by_rule(subject: str, number: int) -> NamedInstrument:
    """A proposal of which the subject has only the number, which a new rule takes: `302`, `Rule 302`, `r302: roads`.

    A number after `#` or inside of a name is not one: pull requests and branches have such.
    """
    match = re.search(rf"(?<![\w#./-])(?:rule[ #-]*|r)?{number}(?![\w/]|[.-]\w)", subject, re.IGNORECASE)
    if match is None:
        return NamedInstrument()
    rest = _title(subject[match.end() :])
    return NamedInstrument(kind="proposal", number=number, cause=str(number), rest=rest, by_rule=True)


def _found(match: re.Match[str], subject: str) -> NamedInstrument | None:
    said = match.groupdict()
    player = (said.get("player") or "").strip() or None
    rest = subject[match.end() :]
    for kind in ("proposal", "judgement"):
        if number := said.get(kind):
            digits = re.search(_NUMBER, number)
            if digits is None:
                return None
            known: CauseKind = "proposal" if kind == "proposal" else "judgement"
            several = _several(digits[0], rest)
            return NamedInstrument(
                kind=known,
                number=int(digits[0]),
                cause=digits[0],
                player=player,
                rest=_title(rest),
                several=several if len(several) > 1 else (),
            )
    cause = " ".join((said.get("act") or "").split())
    return NamedInstrument(kind="act", cause=cause, player=player, rest=_title(rest)) if cause else None


def _several(first: str, rest: str) -> tuple[int, ...]:
    """The numbers that a subject names: `308, 309 and 311`, `329-331`."""
    found = [int(first)]
    while (more := _MORE.match(rest)) is not None and len(more["more"]) == len(first):
        number, link = int(more["more"]), more["link"].strip()
        is_range = link in ("-", "–", "to") and found[-1] < number <= found[-1] + _RANGE
        found += range(found[-1] + 1, number + 1) if is_range else [number]
        rest = rest[more.end() :]
    return tuple(dict.fromkeys(found))


def _title(rest: str) -> str:
    match = re.fullmatch(r"\s*(?:[:—–]|-\s)\s*(?P<title>\S.*?)\s*(?:\(#[0-9]+\))?\s*", rest)
    return match["title"] if match else ""


def _typo(subject: str) -> NamedInstrument:
    """A word that is one slip away from those that are known, before a number."""
    for match in _TYPED.finditer(subject):
        word = match["word"].casefold()
        near = [known for known in _WORDS if far(word.removesuffix("s"), known) == 1]
        if not near:
            continue
        kind = _WORDS[near[0]]
        if kind == "act":
            if far((match["rule"] or "").strip(" -").casefold(), "rule") > 1:
                continue
            cause = f"Temporary Rule {match['number']}"
            return NamedInstrument(kind=kind, cause=cause, rest=_title(subject[match.end() :]), typo=match["word"])
        if match["rule"]:
            continue
        number = match["number"]
        rest = subject[match.end() :]
        return NamedInstrument(kind=kind, number=int(number), cause=number, rest=_title(rest), typo=match["word"])
    return NamedInstrument()
