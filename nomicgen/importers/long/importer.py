"""A ruleset in Nomic IV's long format, as the files of a game.

What the format does not print is said to be lost, or left out. Only an act that has no date gets
one, since it needs one. No rule gets provisions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from types import MappingProxyType

from msgspec.structs import replace

from nomicgen.files.file_findings import Notes
from nomicgen.files.yaml_writing import write_rule
from nomicgen.importers.derived_names import Address, links_of, player_ids, sha_of
from nomicgen.importers.game_writing import (
    ImportedGame,
    above_page,
    instrument_file,
    lost_of,
    player_files,
    settings_file,
    with_rules,
)
from nomicgen.importers.import_report import MOST
from nomicgen.importers.instruments import ImportedInstrument, name_files
from nomicgen.importers.long.format import Document, read_document
from nomicgen.importers.long.history import LongHistory, history_of, read_lines, tiers_of
from nomicgen.importers.long.history_lines import names_in
from nomicgen.importers.long.instruments import instruments_of, place_instruments
from nomicgen.importers.long.judgements import add_rulings
from nomicgen.importers.long.proof_state import observed_sections
from nomicgen.importers.shown_pictures import Pictures, ReadPictures
from nomicgen.model.findings import ordered
from nomicgen.model.values import Moment

_BY_RULE = r"Rule ([1-9][0-9]{0,8})"
_NAME = "Nomic"


def import_long(
    text: bytes,
    filename: str,
    *,
    name: str | None = None,
    pictures: ReadPictures | None = None,
) -> ImportedGame:
    """Read a ruleset in the long format. What is odd is a finding in `filename`. If no rule has a
    history, there are no files.

    `name` is the game's, in place of that in the title. `pictures` reads pictures, given their
    paths from the text's folder.
    """
    notes = Notes(filename, MOST)
    document = read_document(text, notes)
    shown = Pictures()
    sections = [
        replace(section, text=shown.rebase(section.text, "")) for section in document.sections
    ]
    document = replace(document, sections=tuple(sections))
    histories = _histories(document, notes)
    if histories is None:
        return ImportedGame(findings=notes.findings())
    files = _Game(document, histories[0], histories[1], name, notes).files()
    files |= shown.bring(pictures)
    files |= above_page([("", document.above)], histories[1])
    shown.note(notes)
    seen = observed_sections(document.sections, filename, text)
    return ImportedGame(
        files=MappingProxyType(files), findings=ordered(notes.findings()), observed=seen
    )


def _histories(
    document: Document, notes: Notes
) -> tuple[tuple[LongHistory, ...], tuple[str, ...]] | None:
    """Return the histories of all rules, and the tiers; None where no rule has a history."""
    sections = []
    for section in document.sections:
        if not section.text:
            message = f"Rule {section.number} has no text"
            notes.at("import-unread", section.line, 1, message, "its text is recorded as lost")
        sections.append((section, read_lines(section, notes)))
    if not any(lines for _, lines in sections):
        message = "no rule with a history stands here, so this is no ruleset in the long format"
        help = "import the text whose rules are headed `## 203/1`, each with a `##### *History*`"
        notes.at("import-unread", 1, 1, message, help)
        return None
    tiers = tiers_of(sections)
    return tuple(history_of(section, lines, tiers, notes) for section, lines in sections), tiers


class _Game:
    """The files of a game in the making."""

    def __init__(
        self,
        document: Document,
        histories: Sequence[LongHistory],
        tiers: tuple[str, ...],
        name: str | None,
        notes: Notes,
    ) -> None:
        self.name = name or document.name or _NAME
        self.tiers, self.notes = tiers, notes
        self.histories = _distinct(histories, notes)
        self.started = self._started()
        self.instruments = instruments_of(self.histories, tiers, notes)
        self._date_acts()
        names = [
            name
            for instrument in self.instruments.values()
            if instrument.player and not self._rule_that_acts(instrument)
            for name in _authors(instrument)
        ]
        add_rulings(self.instruments, self.histories, names, notes)
        names += [
            one.player
            for one in self.instruments.values()
            if one.kind == "judgement" and one.player
        ]
        self.players = player_ids(names)
        name_files(self.instruments.values())
        place_instruments(self.histories, self.instruments, self.started)
        self.links = links_of([*self._addresses()], notes)

    def files(self) -> dict[str, bytes]:
        """Return every file, the derived ruleset included."""
        files = {"nomic.yml": self._settings()}
        files |= player_files(self.players)
        for history in self.histories:
            if history.is_initial:
                files[f"rules/initial/{history.states[0].number}.md"] = self._initial(history)
        for instrument in self.instruments.values():
            files[instrument.path] = self._instrument(instrument)
        return with_rules(files)

    def _started(self) -> Moment | None:
        """Return the earliest date in the lines of initial rules; None if no line has one. Lines
        with another date, or with none, are noted.
        """
        lines = [
            line
            for history in self.histories
            if (line := history.states[0].line) and line.verb == "initial"
        ]
        dates = Counter(line.date for line in lines if line.date)
        if not dates:
            return None
        started = min(dates)
        for line in lines:
            if line.date != started:
                day = f"says {line.date}" if line.date else "has no date"
                message = f"this line of the initial set {day}, and another says {started}"
                self._note(line.line, message, "the game's first day is kept for all of them")
        return started

    def _note(self, line: int, message: str, help: str) -> None:
        self.notes.at("import-unread", line, 1, message, help)

    def _date_acts(self) -> None:
        """Give an act without a date the game's first day, the first known one, or 1970-01-01."""
        for instrument in self.instruments.values():
            if instrument.kind == "act" and instrument.date is None:
                known = [other.date for other in self.instruments.values() if other.date]
                instrument.date = self.started or min(known, default=Moment.of(date(1970, 1, 1)))
                message = f"{instrument.name} has no date, and an act needs one"
                self._note(instrument.lines[0], message, f"{instrument.date} is taken")

    def _addresses(self) -> Iterator[Address]:
        """Yield the addresses of all lines.

        A line's link is taken to be to its rule's file, or without an instrument to the one in
        `rules/initial/`, with the rule's number after all that the instrument did; if that was a
        repeal, to the instrument's own file.
        """
        by_line = {
            line: instrument
            for instrument in self.instruments.values()
            for line in instrument.lines
        }
        for history in self.histories:
            instruments = [
                by_line.get(state.line.line) if state.line else None for state in history.states
            ]
            last = {
                instrument.path: at
                for at, instrument in enumerate(instruments)
                if instrument is not None
            }
            for at, (state, instrument) in enumerate(zip(history.states, instruments, strict=True)):
                if state.line is None or state.line.url is None:
                    continue
                after = history.states[last[instrument.path] if instrument is not None else at]
                path = (
                    f"rules/{after.number}.md"
                    if instrument is not None
                    else f"rules/initial/{after.number}.md"
                )
                if (
                    instrument is not None
                    and after.line is not None
                    and after.line.verb == "repeal"
                ):
                    path = instrument.path
                yield Address(
                    line=state.line.line, url=state.line.url, number=after.number, path=path
                )

    def _settings(self) -> bytes:
        return settings_file(
            self.name,
            self.tiers,
            started=self.started,
            links=self.links,
            lost=lost_of(self.instruments.values()),
        )

    def _initial(self, history: LongHistory) -> bytes:
        first = history.states[0]
        later = any(state.gives_text for state in history.states[1:])
        return write_rule(
            number=first.number,
            mutability=first.tier,
            revision=first.revision,
            title=None if history.was_retitled else history.section.title,
            text=None if later else history.last_text,
            commit=sha_of(first.line.url) if first.line else None,
        )

    def _rule_that_acts(self, instrument: ImportedInstrument) -> str | None:
        """Return the number of the rule that an act names in place of a player, if it does."""
        match = (
            re.fullmatch(_BY_RULE, instrument.player)
            if instrument.kind == "act" and instrument.player
            else None
        )
        return match[1] if match else None

    def _instrument(self, instrument: ImportedInstrument) -> bytes:
        acting = self._rule_that_acts(instrument)
        authors = [self.players[name] for name in _authors(instrument)] if acting is None else []
        return instrument_file(instrument, acting or next(iter(authors), None), authors[1:])


def _distinct(histories: Iterable[LongHistory], notes: Notes) -> tuple[LongHistory, ...]:
    """Return the histories without those that begin with the number of another rule of the initial
    set; these are noted.
    """
    begun: dict[int, LongHistory] = {}
    kept = []
    for history in histories:
        first = history.states[0].number
        if history.is_initial and first in begun:
            message = (
                f"Rule {history.section.number} began as Rule {first}, and so did Rule "
                f"{begun[first].section.number}"
            )
            notes.at("import-unread", history.section.line, 1, message, "this one is left out")
            continue
        if history.is_initial:
            begun[first] = history
        kept.append(history)
    return tuple(kept)


def _authors(instrument: ImportedInstrument) -> list[str]:
    """Return the names of who made it: of a proposal the author and the coauthors."""
    if not instrument.player:
        return []
    return names_in(instrument.player) if instrument.kind == "proposal" else [instrument.player]
