"""Agora's rules data, as the files of a game: thirty years of changes. Of texts, the data keeps
only the last of each rule.

Nothing is invented: what the data does not say is said to be lost, or left out with a warning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

from nomicgen.files.yaml_writing import write_rule
from nomicgen.importers.agora.cases import judgements_of
from nomicgen.importers.agora.certificate import observe
from nomicgen.importers.agora.history import (
    AgoraHistory,
    AgoraState,
    groups_of,
    histories_of,
    missing_until,
    tiers_of,
)
from nomicgen.importers.agora.instructions import (
    instructions_of,
    notes_on,
    sound_text,
)
from nomicgen.importers.agora.ledger import AgoraInstrument, ledger_of
from nomicgen.importers.agora.read import Data, read_data
from nomicgen.importers.agora.texts import (
    AgoraText,
    Seen,
    StateKey,
    days_left_out,
    read_versions,
    versions_of,
)
from nomicgen.importers.agora.titles import with_titles
from nomicgen.importers.derived_names import player_ids
from nomicgen.importers.game_writing import (
    ImportedGame,
    gaps,
    instrument_file,
    player_files,
    settings_file,
)
from nomicgen.model.values import Moment

_NAME = "Agora"
_PROPOSAL = r"Proposal ([1-9][0-9]{0,8})"


def import_agora(
    files: Mapping[str, bytes],
    *,
    name: str | None = None,
    skipped: Sequence[str] = (),
    seen: Sequence[Seen] = (),
) -> ImportedGame:
    """Read Agora's rules data: `rules/N`, `proposals/N` and `config/index` by path.

    `name` is the game's, Agora if it is None; `skipped` are paths of links and such, which were not
    read; `seen` are the files of rules and the index as the commits of a repository made them.
    """
    data = read_data(files)
    for path in skipped:
        data.warn(
            "no-file", path, None, "this is a link, no file, or far too large", "it is left out"
        )
    if not data.rules:
        return ImportedGame(warnings=data.in_order())
    data.left = days_left_out(seen)
    versions = read_versions(seen, data)
    game_files = _Game(data, name or _NAME, versions).files()
    return ImportedGame(
        files=MappingProxyType(game_files),
        warnings=data.in_order(),
        observed=observe(files, data, seen, versions),
    )


class _Game:
    """The files of a game in the making."""

    def __init__(self, data: Data, name: str, read: Sequence[AgoraText]) -> None:
        self.data, self.name = data, name
        histories = histories_of(data)
        versions = versions_of(read, histories, data)
        names = {key: version.name for key, version in versions.items()}
        self.histories = [with_titles(history, names, data) for history in histories]
        self.started = _started(self.histories)
        self.instruments, self.idle = ledger_of(self.histories, self.started, data)
        self.tiers = tiers_of(state.tier for history in self.histories for state in history.states)
        self.sections = {rule: one.name for one in data.categories for rule in one.rules}
        self.texts = self._texts({key: version.text for key, version in versions.items()})
        self.judgements = judgements_of(
            {one.rule.number: one.rule for one in self.histories}, self.started, data
        )
        self.numbers_ever = {state.number for history in self.histories for state in history.states}
        self.players = player_ids(self._names())
        changes = (
            change for instrument in self.instruments.values() for change in instrument.changes
        )
        self.causes = {change.cause.words for change in (*changes, *self.idle)}

    def _texts(self, earlier: Mapping[StateKey, str]) -> dict[StateKey, str | None]:
        """Return all known texts: the last of each rule is that of the data, `earlier` has others.

        An entry that keeps the text shares it with the state before, whichever of both is known.
        """
        texts = {}
        for history in self.histories:
            rule, last = history.rule, history.last_text_state
            known = {at: earlier.get((rule.number, at)) for at in range(len(history.states))} | {
                last: rule.text
            }
            for before, at in reversed([*pairwise(history.text_states)]):
                entry = history.states[at].entry
                if entry is not None and entry.keeps_text:
                    known[before] = known[before] or known[at]
                    known[at] = known[at] or known[before]
            for at, text in known.items():
                if text is not None:
                    texts[rule.number, at] = sound_text(
                        text, rule.path, None, self.data, is_ascii_art=rule.is_ascii_art
                    )
        return texts

    def _names(self) -> Iterator[str]:
        """Yield the names of all who acted, and of all authors and coauthors."""
        for instrument in self.instruments.values():
            known = (
                self.data.proposals.get(instrument.cause) if instrument.kind == "proposal" else None
            )
            name = known.author if known else instrument.player
            if name:
                yield name
            if known:
                yield from known.coauthors

    def files(self) -> dict[str, bytes]:
        """Return every file except those of the rules in force, which follow from them."""
        files = {"nomic.yml": self._settings()}
        files |= player_files(self.players)
        for history in self.histories:
            if history.is_initial:
                files[f"rules/initial/{history.states[0].number}.md"] = self._initial(history)
        for instrument in self.instruments.values():
            files[instrument.path] = self._instrument(instrument)
        for number, judgement in self.judgements.items():
            files[f"judgements/{number}.md"] = instrument_file(judgement, None)
        self._warn_of_unused()
        return dict(sorted(files.items()))

    def _settings(self) -> bytes:
        proposals = {
            instrument.number
            for instrument in self.instruments.values()
            if instrument.kind == "proposal"
        }
        # A proposal without a history has used up its number, too: no other gets it.
        end = max((one for one in self._numbers() if one not in proposals), default=0)
        ended = {*proposals, end + 1} if end > max(proposals, default=0) else proposals
        return settings_file(
            self.name,
            self.tiers,
            started=self.started,
            groups=groups_of(self.tiers),
            sections={one.name: one.note for one in self.data.categories},
            lost={
                "proposals": gaps(ended, min(proposals, default=1)),
                "judgements": gaps(self.judgements, 1),
                "rules": missing_until(self.histories),
            },
        )

    def _numbers(self) -> Iterator[int]:
        """Yield the numbers of proposals that have a file, or are the cause of a change."""
        for words in (*(f"Proposal {name}" for name in self.data.proposals), *self.causes):
            if (proposal := re.fullmatch(_PROPOSAL, words)) is not None:
                yield int(proposal[1])

    def _initial(self, history: AgoraHistory) -> bytes:
        first = history.states[0]
        known = (history.rule.number, 0) in self.texts
        return write_rule(
            number=first.number,
            mutability=first.tier,
            revision=first.revision,
            title=first.title,
            section=self.sections.get(history.rule.number)
            if history.last_text_state == 0
            else None,
            text=self.texts[history.rule.number, 0] if known else None,
        )

    def _instrument(self, instrument: AgoraInstrument) -> bytes:
        instrument.instructions = [*self._instructions(instrument)]
        notes = [
            words
            for change in instrument.changes
            for words in notes_on(change, str(instrument.date))
        ]
        is_act = instrument.kind == "act"
        number = instrument.cause.removeprefix("Proposal ")
        known = (
            self.data.proposals.get(number) if not is_act or number != instrument.cause else None
        )
        by, coauthors = self._by(instrument) if is_act else None, tuple[str, ...]()
        if known is not None:
            more = [f"{key}: {value}" for key, value in known.more.items()]
            if is_act:
                # An act has neither a title nor coauthors.
                titled = [f"title: {known.title}"] if known.title else []
                more = [
                    *titled,
                    *more,
                    *([f"coauthors: {', '.join(known.coauthors)}"] if known.coauthors else []),
                ]
            else:
                instrument.title = known.title or ""
                by = self.players[known.author] if known.author else None
                coauthors = tuple(self.players[one] for one in known.coauthors)
            notes = [*more, *notes]
        instrument.note = "; ".join(notes)
        return instrument_file(instrument, by, coauthors)

    def _by(self, instrument: AgoraInstrument) -> str | None:
        """Return the id of the player, or the number of the rule, that an act is by; None if
        unknown.
        """
        if instrument.player is not None:
            return self.players[instrument.player]
        if instrument.acting is None or instrument.acting in self.numbers_ever:
            return str(instrument.acting) if instrument.acting else None
        entry = instrument.changes[0].entry
        message = f"{instrument.cause} acts, and the data has no such rule"
        self.data.warn(
            "rule-absent",
            entry.path,
            entry.line,
            message,
            "the cause names it, and the act is by nobody",
        )
        return None

    def _instructions(self, instrument: AgoraInstrument) -> Iterator[str]:
        pinned: dict[int, AgoraState] = {}
        for change in instrument.changes:
            history, number = change.history, change.history.rule.number
            before = history.states[change.at - 1] if change.at else change.state
            last = change.at == history.last_text_state
            yield from instructions_of(
                change,
                pinned.setdefault(number, before),
                self.tiers[-1],
                self.texts.get((number, change.at)),
                self.sections.get(number) if last else None,
            )

    def _warn_of_unused(self) -> None:
        """Warn of the proposals that no history names."""
        for name in self.data.proposals:
            if f"Proposal {name}" not in self.causes:
                message = "no history names the proposal, so what became of it is not known"
                self.data.warn(
                    "proposal-unused", f"proposals/{name}", None, message, "it is left out"
                )


def _started(histories: Sequence[AgoraHistory]) -> Moment | None:
    """Return the earliest day of any entry, if an entry of the initial set has a day; else None."""
    if not any(
        history.is_initial and (entry := history.states[0].entry) and entry.when.day
        for history in histories
    ):
        return None
    every = (state.entry for history in histories for state in history.states)
    return Moment.of(min(entry.when.day for entry in every if entry is not None and entry.when.day))
