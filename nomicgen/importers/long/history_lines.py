"""The grammar of the lines of histories and judgements in Nomic IV's long format. It reads what
`history/history_lines.py` writes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from datetime import date
from typing import Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.files.file_findings import Notes, quoted
from nomicgen.formats.ruleset_text import UNESCAPED, escape_words
from nomicgen.history.history_lines import MONTHS
from nomicgen.importers.derived_names import sha_of
from nomicgen.importers.instruments import CauseKind, Key
from nomicgen.model.values import Moment

LineVerb = Literal[
    "initial", "enact", "amend", "transmute", "renumber", "retitle", "repeal", "mark"
]
"""What a line says was done to the rule; with `initial` that it was in the initial set."""

_N = r"[1-9][0-9]{0,8}"
_TURN = r"R[1-9][0-9]{0,5}T[1-9][0-9]{0,5}"
_DATE = rf"(?P<month>{'|'.join(MONTHS)}) (?P<day>[0-9]{{1,2}}), (?P<year>[0-9]{{4}})"
_SOME_DAY = rf"(?:(?:{'|'.join(MONTHS)}) (?:[0-9]{{1,2}}, )?)?[0-9]{{4}}"
_INEXACT = (
    rf"(?:about|around|after) {_SOME_DAY}|between {_SOME_DAY} and "
    rf"{_SOME_DAY}|(?:{'|'.join(MONTHS)}) [0-9]{{4}}"
)
# `_SOME_DAY`, with its parts as groups.
_SAID_DAY = rf"(?:({'|'.join(MONTHS)}) (?:([0-9]{{1,2}}), )?)?([0-9]{{4}})"
_LINKED = r"\[\*(?P<line>.+)\*\]\((?P<url>[^\s()<>]+)\)"
"""A line that is a link, as the long format prints it if the commit is known."""
_BARE = r"\*(?P<line>.+)\*"
# The head is as short as the rest lets it be: what can be read as date and turn is date and turn.
_TAIL = rf"(?P<head>.*?)(?P<date>, (?:{_DATE}|(?P<words>{_INEXACT})))?(?: \((?P<turn>{_TURN})\))?"
_FORMS: dict[LineVerb, re.Pattern[str]] = {
    "initial": re.compile(rf"Initial (?P<tier>[a-z][a-z0-9-]{{0,63}}) Rule (?P<number>{_N})"),
    "enact": re.compile(r"(?:Enacted by|(?P<created>Created from)) (?P<cause>.+)"),
    "amend": re.compile(r"Amended(?: \((?P<revision>[0-9]{1,6})\))? by (?P<cause>.+)"),
    "transmute": re.compile(r"Transmuted to (?P<tier>[a-z][a-z0-9-]{0,63}) by (?P<cause>.+)"),
    "renumber": re.compile(rf"Renumbered from (?P<number>{_N}) by (?P<cause>.+)"),
    "retitle": re.compile(r"Retitled by (?P<cause>.+)"),
    "repeal": re.compile(r"Repealed by (?P<cause>.+)"),
    "mark": re.compile(r"Marked by (?P<cause>.+)"),
}
"""What a line says before date and turn, by what was done to the rule."""
_NUMBERED = rf"(?P<kind>Proposal|Judgement) (?P<number>{_N})(?: \((?P<player>.+)\))?"


class HistoryLine(Struct, frozen=True, kw_only=True):
    """What one line of a rule's history says. What it does not say is None, as the `kind` of an
    initial rule's cause is; `url` is what it links to.

    `number` is that of an initial rule, or the one before a renumbering; `tier` that of an initial
    rule, or the one after a transmutation; `cause` a proposal's or judgement's number, or what an
    act is called. `misdated` is a day that is in no calendar.
    """

    verb: LineVerb
    line: int = 0
    revision: int | None = None
    tier: str | None = None
    number: int | None = None
    kind: CauseKind | None = None
    cause: str = ""
    player: str | None = None
    date: Moment | None = None
    turn: str | None = None
    url: str | None = None
    misdated: str | None = None

    @property
    def instrument(self) -> Key:
        """What all lines of one instrument share: for a proposal or a judgement its number, and for
        an act all that a line says of it.
        """
        if self.kind != "act":
            return (self.kind or "", self.cause)
        return (
            "act",
            self.cause,
            self.player or "",
            str(self.date),
            self.turn or "",
            sha_of(self.url) or "",
        )


class JudgementLine(Struct, frozen=True, kw_only=True):
    """One judgement on a rule: `text` is Markdown, and what the line does not say is None."""

    text: str
    line: int = 0
    player: str | None = None
    date: Moment | None = None
    turn: str | None = None
    misdated: str | None = None


_Line = TypeVar("_Line", HistoryLine, JudgementLine)


class _LineParts(Struct, frozen=True):
    """A line taken apart: what stands before date and turn, these two, and a day in no calendar."""

    head: str
    date: Moment | None
    turn: str | None
    misdated: str | None = None


def parse_history_line(raw: str, line: int = 0) -> HistoryLine | None:
    """Read a line without the spaces at its end; None where it is no line of a history."""
    match = re.fullmatch(_LINKED, raw) or re.fullmatch(_BARE, raw)
    if match is None:
        return None
    parts = _take_apart(re.sub(UNESCAPED, r"\1", match["line"]))
    url = match.groupdict().get("url")
    history_line = _line_of(parts)
    return history_line and replace(history_line, line=line, url=url)


def parse_judgement_line(players: Collection[str], raw: str, line: int = 0) -> JudgementLine | None:
    """Read a line without the spaces at its end; None where it is no line of judgements.

    The brackets at its end name the judge if it has a date, or if they name one of `players`.
    """
    match = re.fullmatch(_BARE, raw)
    if match is None:
        return None
    parts = _take_apart(match["line"])
    known = [name for name in players if parts.head.endswith(f" ({escape_words(name)})")]
    text, player = _named(parts.head)
    name = player and re.sub(UNESCAPED, r"\1", player)
    if known:
        name = max(known, key=len)
        text = parts.head.removesuffix(f" ({escape_words(name)})")
    elif not text or parts.date is None:
        text, name = parts.head, None
    if not text.strip():
        return None
    return JudgementLine(
        text=text,
        line=line,
        player=name,
        date=parts.date,
        turn=parts.turn,
        misdated=parts.misdated,
    )


def parse_lines(
    lines: Iterable[tuple[int, str]],
    parse: Callable[[str, int], _Line | None],
    notes: Notes,
    what: str,
    example: str,
) -> list[_Line]:
    """Return the lines that `parse` can read. The others are noted, and so are days in no calendar.

    `what` is how a finding calls such a line, and `example` is one.
    """
    read: list[_Line] = []
    for number, raw in lines:
        line = parse(raw, number)
        if line is None:
            help = f"such a line is e.g. `{example}`; it is left out"
            notes.at("import-unread", number, 1, f"{quoted(raw)} is no {what}", help)
            continue
        if line.misdated is not None:
            notes.at(
                "import-unread",
                number,
                1,
                f"{line.misdated} is not in the calendar",
                "the date is left out",
            )
        read.append(line)
    return read


def _line_of(parts: _LineParts) -> HistoryLine | None:
    for verb, form in _FORMS.items():
        match = form.fullmatch(parts.head)
        if match:
            words = match.groupdict()
            kind, cause, player = None, "", None
            if verb != "initial":
                kind, cause, player = _cause(words["cause"], by_act=bool(words.get("created")))
            return HistoryLine(
                verb=verb,
                revision=int(words["revision"]) if words.get("revision") else None,
                tier=words.get("tier"),
                number=int(words["number"]) if words.get("number") else None,
                kind=kind,
                cause=cause,
                player=player,
                date=parts.date,
                turn=parts.turn,
                misdated=parts.misdated,
            )
    return None


def _cause(text: str, *, by_act: bool) -> tuple[CauseKind, str, str | None]:
    """Return the kind, the number or name, and the player of a cause: `Proposal 305 (Alekosen)`."""
    match = None if by_act else re.fullmatch(_NUMBERED, text)
    if match:
        return (
            ("proposal" if match["kind"] == "Proposal" else "judgement"),
            match["number"],
            match["player"],
        )
    cause, player = _named(text)
    return ("act", cause, player) if cause else ("act", text, None)


def _take_apart(line: str) -> _LineParts:
    """Take a line apart."""
    match = re.fullmatch(_TAIL, line)
    assert match is not None
    if match["date"] is None:
        return _LineParts(match["head"], None, match["turn"])
    try:
        if match["words"]:
            moment = Moment.parse_inexact(re.sub(_SAID_DAY, _iso, match["words"]))
        else:
            moment = Moment.of(
                date(int(match["year"]), MONTHS.index(match["month"]) + 1, int(match["day"]))
            )
    except ValueError:
        return _LineParts(match["head"], None, match["turn"], match["date"].removeprefix(", "))
    return _LineParts(match["head"], moment, match["turn"])


def _iso(match: re.Match[str]) -> str:
    """Return `Jul 27, 2020`, `Jul 2020` or `2020` as `2020-07-27`, `2020-07`, `2020`."""
    month, day, year = match.groups()
    return "-".join(
        filter(None, (year, month and f"{MONTHS.index(month) + 1:02}", day and f"{int(day):02}"))
    )


def names_in(words: str) -> list[str]:
    """Return the names in the brackets of a line, `Alekosen, with Kate, Wren`: first the
    author's.
    """
    first, _, others = words.partition(", with ")
    return [first, *filter(None, others.split(", "))]


def _named(text: str) -> tuple[str, str | None]:
    """Return what stands before the last pair of brackets of a text, and what is inside: None where
    no brackets end it.

    If the brackets do not balance, everything after the first one is inside.
    """
    if not text.endswith(")"):
        return text, None
    depth = 0
    for at in range(len(text) - 1, 0, -1):
        depth += (text[at] == ")") - (text[at] == "(")
        if depth == 0:
            before, name = text[: at - 1], text[at + 1 : -1]
            return (
                (before, name) if text[at - 1] == " " and _is_whole(before, name) else (text, None)
            )
    before, _, name = text[:-1].partition(" (")
    return (before, name) if _is_whole(before, name) else (text, None)


def _is_whole(*words: str) -> bool:
    """Return whether each says something, and has no spaces around it."""
    return all(word and word == word.strip() for word in words)
