"""A game that was kept as the commits of a git repository, as the files of a game.

The first commits make the initial set. Each later one that changed a rule becomes a proposal, a
judgement or an act; if its subject names none, an act `Correction`. Nothing is invented or dropped
without a warning.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from nomicgen.files.yaml_writing import write_rule
from nomicgen.importers.derived_names import player_ids
from nomicgen.importers.game_writing import (
    ImportedGame,
    above_page,
    instrument_file,
    lost_of,
    player_files,
    settings_file,
)
from nomicgen.importers.git.ledger import ArchiveInstrument
from nomicgen.importers.git.past import Past
from nomicgen.importers.git.states import (
    OtherGame,
    find_other_game,
    prefaces,
    snapshots,
    states_since,
    tiers_in,
)
from nomicgen.importers.git.subjects import Subjects
from nomicgen.importers.git.walk import ArchiveHistory, walk
from nomicgen.importers.import_report import ArchiveWarnings
from nomicgen.importers.instruments import Key, name_files, place_chains
from nomicgen.importers.shown_pictures import Pictures, ReadPictures
from nomicgen.importers.tiers import TierMap, rank_tiers
from nomicgen.model.values import Moment

_NAME = "Nomic"


class ImportedRepository(ImportedGame, frozen=True, kw_only=True):
    """What was imported from a repository; `files` lacks `rules/`, which follows from them.

    If another game may begin in the history, `other` says where, and there are no files.
    """

    other: OtherGame | None = None


def import_git(
    past: Past,
    *,
    subjects: Subjects | None = None,
    name: str | None = None,
    tiers: TierMap | None = None,
    until: Moment | None = None,
    pictures: ReadPictures | None = None,
    start: str | None = None,
    go_on: bool = False,
    by_commits: bool = False,
) -> ImportedRepository:
    """Make a game of a repository's past.

    `subjects` reads the subjects of commits; `name` is the game's. `tiers` are the tiers, most
    entrenched first, with their numbers, which count where headings name no tier. No instrument
    gets a day after `until`. `pictures` reads those that texts show, by their paths. `start` is the
    first commit to be read, whose id may be shortened. With `go_on`, what may be another game is
    read as the same; with `by_commits`, the commit's author is the author where nothing else names
    one. Raises ValueError if `start` changes none of the files.
    """
    warnings = ArchiveWarnings()
    shown = Pictures()
    states = snapshots(past, warnings, shown)
    states = states_since(states, start) if start is not None else states
    if not go_on and (other := find_other_game(states)) is not None:
        return ImportedRepository(warnings=tuple(warnings.all), other=other)
    tier_names = rank_tiers(tiers_in(states), tiers.names if tiers else ())
    history = walk(
        past,
        states,
        subjects or Subjects(),
        (tier_names, tiers),
        warnings,
        until,
        by_commits=by_commits,
    )
    if history is None:
        warnings.add(
            "no-rules", "no file that was named holds a rule in any commit", "nothing is made of it"
        )
        return ImportedRepository(warnings=tuple(warnings.all))
    _warn_of_authors(history.instruments, warnings)
    brought = shown.bring(pictures)
    for path, why in shown.left.items():
        warnings.add("picture-left", "a picture is not brought along", why, quote=path)
    game = _Game(history, name, warnings)
    files = {**game.files(), **above_page(prefaces(past, states), tier_names), **brought}
    return ImportedRepository(
        files=MappingProxyType(dict(sorted(files.items()))), warnings=tuple(warnings.all)
    )


def _warn_of_authors(instruments: Sequence[ArchiveInstrument], warnings: ArchiveWarnings) -> None:
    """Warn if instruments have no author, since it is only known who committed them."""
    if unsaid := sum(instrument.player is None for instrument in instruments):
        message = (
            f"{unsaid} of {len(instruments)} instruments name no author, and only who committed "
            "them is known"
        )
        outcome = (
            "they have no author; if the committers are the authors, write authors: commits in "
            "the map"
        )
        warnings.add("author-unsaid", message, outcome)


class _Game:
    """The files of the game in the making."""

    def __init__(
        self, history: ArchiveHistory, name: str | None, warnings: ArchiveWarnings
    ) -> None:
        self.history, self.warnings = history, warnings
        self.name = name or _NAME
        self.instruments = history.instruments
        self.started = self._started()
        player_names = [instrument.player for instrument in self.instruments if instrument.player]
        self.players = player_ids(player_names)
        name_files(self.instruments)
        self._place()

    def _started(self) -> Moment | None:
        """Return the day of the initial set, or an earlier one of an instrument, if it is known."""
        day = self.history.begun.day
        started = Moment.of(day) if day else None
        first = min(
            (instrument.date for instrument in self.instruments if instrument.date), default=started
        )
        if started is not None and first is not None and first < started:
            message = f"an instrument is of {first}, and the initial set of {started}"
            self.warnings.add(
                "date-before-start", message, f"the game is taken to have begun on {first}"
            )
            return first
        return started

    def _place(self) -> None:
        """Put the instruments into the order of their commits."""
        keyed: dict[Key, ArchiveInstrument] = {
            ("git", str(at)): instrument for at, instrument in enumerate(self.instruments)
        }
        place_chains([[*keyed]], keyed, self.started)
        for instrument in self.instruments:
            if instrument.effective is not None:
                message = (
                    f"{instrument.name}, of {instrument.date}, comes after an instrument with a "
                    "later date"
                )
                outcome = f"it takes effect on {instrument.effective} in the ledger"
                self.warnings.add("order", message, outcome, commit=instrument.source)

    def files(self) -> dict[str, bytes]:
        """Return the files of the ledger."""
        files = {"nomic.yml": self._settings()}
        files |= player_files(self.players)
        for number, rule in self.history.initial.items():
            files[f"rules/initial/{number}.md"] = write_rule(
                number=number,
                mutability=rule.tier,
                revision=rule.printed_revision or 0,
                title=rule.title,
                void=rule.void or None,
                text=rule.text,
                commit=self.history.origins[number].sha,
            )
        for one in self.instruments:
            files[one.path] = instrument_file(one, self.players[one.player] if one.player else None)
        return files

    def _settings(self) -> bytes:
        return settings_file(
            self.name,
            self.history.ledger.tiers,
            started=self.started,
            lost=lost_of(self.instruments),
        )
