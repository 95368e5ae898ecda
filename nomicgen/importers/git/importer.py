"""A game that was kept as the commits of a git repository, made the files of a game of its own.

Every commit that changed a rule is a proposal, a judgement or an act; what nobody can class is an act `Correction`.
Nothing is invented, and nothing is lost: what is odd is told in a report.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType

from msgspec import Struct, field

from nomicgen.files.file_findings import Notes
from nomicgen.files.game_files import read_game
from nomicgen.files.yaml_writing import write_rule
from nomicgen.importers.derived_names import Address, links_of, player_ids
from nomicgen.importers.game_writing import act_file, gaps, judgement_file, player_files, proposal_file, settings_file
from nomicgen.importers.git.joined import Where, compare, join, printed_start, tell_links
from nomicgen.importers.git.ledger import COMPLETION, CORRECTION, ArchiveInstrument
from nomicgen.importers.git.past import Past
from nomicgen.importers.git.printed import Printed
from nomicgen.importers.git.states import OtherGame, Snapshot, other_game, since, snapshots, tiers_in
from nomicgen.importers.git.subjects import Subjects
from nomicgen.importers.git.walk import ArchiveHistory, walk
from nomicgen.importers.import_report import ArchiveWarnings, Report, ReportedEvent
from nomicgen.importers.instruments import ImportedInstrument, name_files, place_chains
from nomicgen.importers.judgements import Ruling, rulings_of
from nomicgen.importers.printed.printed_history import Key
from nomicgen.importers.shown_pictures import Pictures, ReadPictures
from nomicgen.importers.tiers import TierMap
from nomicgen.law.replay.run import replay
from nomicgen.model.identifiers import CommitId
from nomicgen.model.values import Moment

_NAME = "Nomic"
_TIERS = ("immutable", "mutable")
_NUMBERED = ("proposal", "judgement")


class GitImported(Struct, frozen=True, kw_only=True):
    """The files of a game by path, without the derived `rules/`, none where no commit has a rule; and what is said of
    the archive. `other` is where another game may begin: then there are no files.
    """

    files: Mapping[str, bytes] = field(default_factory=lambda: MappingProxyType({}))
    report: Report
    other: OtherGame | None = None


def import_git(
    past: Past,
    source: str,
    *,
    subjects: Subjects | None = None,
    printed: Printed | None = None,
    where: Mapping[CommitId, Where] | None = None,
    name: str | None = None,
    tiers: TierMap | None = None,
    warnings: ArchiveWarnings | None = None,
    until: Moment | None = None,
    pictures: ReadPictures | None = None,
    start: str | None = None,
    go_on: bool = False,
) -> GitImported:
    """Makes a game of a repository's past. `source` is what the report calls it.

    `printed` is what the game printed of its history, and `where` says of each commit that it leads to whether it is
    there. `tiers` gives the tiers, most entrenched first, and which numbers are of which where headings do not say so.
    `warnings` may hold what was told before. No instrument is of a day after `until`.
    `pictures` reads those that texts show, by their paths. `start` is the commit that is read first; Raises ValueError
    where there is no such. With `go_on`, what may be another game is read as the same.
    """
    warnings = warnings or ArchiveWarnings()
    shown = Pictures()
    states = snapshots(past, warnings, shown)
    states = since(states, start) if start is not None else states
    if not go_on and (other := other_game(states)) is not None:
        return GitImported(report=Report(source=source, warnings=tuple(warnings.all)), other=other)
    names = _tiers(states, tiers)
    history = walk(past, states, subjects or Subjects(), printed, (names, tiers), warnings, until)
    if history is None:
        warnings.add("no-rules", "no file that was named holds a rule in any commit", "nothing is made of it")
        return GitImported(report=Report(source=source, warnings=tuple(warnings.all)))
    if printed is not None:
        join(printed, history.instruments, warnings)
        tell_links(printed, where or {}, warnings)
    _tell_authors(history, warnings)
    brought = shown.brought(pictures)
    for path, why in shown.left.items():
        warnings.add("picture-left", "a picture is not brought along", why, quote=path)
    game = _Game(history, printed, name, warnings)
    files = {**game.files(), **brought}
    if printed is not None:
        records, _ = read_game(files)
        compare(printed, records, replay(records, until), warnings)
    report = Report(
        source=source,
        totals=game.totals(len(past.line)),
        events=tuple(game.events()),
        warnings=tuple(warnings.all),
    )
    return GitImported(files=MappingProxyType(dict(sorted(files.items()))), report=report)


def _tell_authors(history: ArchiveHistory, warnings: ArchiveWarnings) -> None:
    """Tells of the instruments of which nothing says whose they are, only who committed them."""
    unsaid = sum(instrument.player is None for instrument in history.instruments)
    if unsaid and history.archivist is not None:
        whose = f"of {unsaid} of its {len(history.instruments)} instruments nothing else says whose they are"
        message = f"{history.archivist.name} committed {history.archivist.share:.0%} of the archive, and {whose}"
        warnings.add("author-unsaid", message, "nobody is said to be their author")


def _tiers(states: Sequence[Snapshot], typed: TierMap | None) -> tuple[str, ...]:
    """The tiers, most entrenched first."""
    names = tiers_in(states)
    if typed is not None and typed.names:
        return (*(tier for tier in names if tier not in typed.names), *typed.names)
    return (_TIERS[0], *(tier for tier in names if tier not in _TIERS), _TIERS[1])


class _Game:
    """The files of the game in the making."""

    def __init__(
        self, history: ArchiveHistory, printed: Printed | None, name: str | None, warnings: ArchiveWarnings
    ) -> None:
        self.history, self.printed, self.warnings = history, printed, warnings
        self.name = name or (printed.name if printed else None) or _NAME
        self.instruments = history.instruments
        self.started = self._started()
        names = [instrument.player for instrument in self.instruments if instrument.player]
        self.rulings = self._rulings(names)
        names += [ruling.player for ruling in self.rulings.values() if ruling.player]
        self.players = player_ids(names)
        name_files(self.instruments)
        self._place()

    def _started(self) -> Moment | None:
        day = self.history.begun.day
        started = (printed_start(self.printed) if self.printed else None) or (Moment.of(day) if day else None)
        first = min((instrument.date for instrument in self.instruments if instrument.date), default=started)
        if started is not None and first is not None and first < started:
            message = f"an instrument is of {first}, and the initial set of {started}"
            self.warnings.add("date-before-start", message, f"the game is taken to have begun on {first}")
            return first
        return started

    def _place(self) -> None:
        """The order of the commits; where the legal dates are known, only the order of what belongs together."""
        keyed: dict[Key, ArchiveInstrument] = {
            ("git", str(at)): instrument for at, instrument in enumerate(self.instruments)
        }
        order: list[list[Key]] = [[*keyed]]
        if self.printed is not None:
            together: dict[tuple[str, int], list[Key]] = defaultdict(list)
            for key, instrument in keyed.items():
                for rule in instrument.identities:
                    together["identity", rule].append(key)
                for number in instrument.numbers:
                    together["number", number].append(key)
            order = list(together.values())
        place_chains(order, keyed, self.started)
        for instrument in self.instruments:
            if instrument.effective is not None:
                message = f"{instrument.name} comes after what is of a later day than its own, {instrument.date}"
                made = f"it takes effect on {instrument.effective} in the ledger"
                self.warnings.add("order", message, made, commit=instrument.source)

    def files(self) -> dict[str, bytes]:
        """Every file but the derived ruleset and the pictures."""
        files = {"nomic.yml": self._settings()}
        files |= player_files(self.players)
        for ruling in self.rulings.values():
            files[f"judgements/{ruling.number}.md"] = judgement_file(
                ruling.number,
                "",
                date=ruling.date,
                turn=ruling.turn,
                judge=self.players[ruling.player] if ruling.player else None,
                ruling=ruling.text,
                rules=ruling.rules,
            )
        for number, rule in self.history.initial.items():
            files[f"rules/initial/{number}.md"] = write_rule(
                number=number,
                mutability=rule.tier,
                revision=rule.heading or 0,
                title=rule.title,
                void=rule.void or None,
                text=rule.text,
                commit=self.history.origins[number].sha,
            )
        return files | {instrument.path: self._instrument(instrument) for instrument in self.instruments}

    def _rulings(self, names: Sequence[str]) -> dict[int, Ruling]:
        """The judgements that the printed history has, by number."""
        if self.printed is None:
            return {}
        notes = Notes(self.printed.path)
        histories = self.printed.histories(self.history.ledger.tiers)
        judgements: dict[Key, ImportedInstrument] = {
            ("judgement", instrument.cause): instrument
            for instrument in self.instruments
            if instrument.kind == "judgement"
        }
        rulings = {ruling.number: ruling for ruling in rulings_of(histories, judgements, names, notes)}
        self.warnings.take(notes.findings())
        borne = self._borne()
        for ruling in rulings.values():
            if ruling.date is not None and self.started is not None and ruling.date < self.started:
                message = f"Judgement {ruling.number} is of {ruling.date}, before the game began on {self.started}"
                self.warnings.add("date-before-start", message, "it is given no date", path=self.printed.path)
                ruling.date = None
            strange = [str(ref) for ref in ruling.rules if (ref.number, ref.revision) not in borne]
            if strange:
                message = f"Judgement {ruling.number} is on {', '.join(strange)}, which no commit has"
                self.warnings.add("judgement-rules", message, "they are left out of it", path=self.printed.path)
                ruling.rules = [ref for ref in ruling.rules if (ref.number, ref.revision) in borne]
        return rulings

    def _borne(self) -> frozenset[tuple[int, int]]:
        """Every revision that there ever was, under the number that it bore."""
        initial = ((number, rule.heading or 0) for number, rule in self.history.initial.items())
        events = (event for instrument in self.instruments for event in instrument.events)
        return frozenset(chain(initial, ((number, revision) for _, number, revision, _ in events)))

    def _settings(self) -> bytes:
        numbers = {kind: [one.number for one in self.instruments if one.kind == kind] for kind in _NUMBERED}
        return settings_file(
            self.name,
            self.history.ledger.tiers,
            started=self.started,
            links=self._links(),
            lost={
                "proposals": gaps(numbers["proposal"]),
                "judgements": gaps([*numbers["judgement"], *self.rulings], 1),
            },
        )

    def _links(self) -> Mapping[str, str]:
        """The templates of addresses that the printed history's links give."""
        if self.printed is None:
            return {}
        addresses = [
            Address(line=one.line.line, url=one.line.url, number=one.rule, path=f"rules/{one.rule}.md")
            for one in self.printed.lines
            if one.line.url is not None
        ]
        return links_of(addresses, Notes(self.printed.path))

    def _instrument(self, instrument: ArchiveInstrument) -> bytes:
        player = self.players[instrument.player] if instrument.player else None
        body = "\n\n".join(instrument.instructions)
        if instrument.kind == "act":
            return act_file(instrument, body, by=player, note=instrument.note)
        if instrument.kind == "proposal":
            return proposal_file(instrument, body, title=instrument.title, author=player, note=instrument.note)
        ruling = self.rulings.get(instrument.number)
        return judgement_file(
            instrument.number,
            body,
            date=instrument.date,
            turn=instrument.turn,
            instrument=instrument,
            title=instrument.title,
            judge=player,
            ruling=ruling.text if ruling else "",
            rules=ruling.rules if ruling else (),
            note=instrument.note,
        )

    def events(self) -> Iterator[ReportedEvent]:
        """What was done to each rule, in the order of the commits."""
        for number, rule in self.history.initial.items():
            commit = self.history.origins[number]
            yield ReportedEvent(
                what="initial",
                rule=number,
                revision=rule.heading or 0,
                instrument=f"rules/initial/{number}.md",
                date=str(self.started) if self.started else None,
                committed=commit.committed or None,
                commit=commit.sha,
                subject=commit.subject,
                author=commit.author,
            )
        yield from chain.from_iterable(instrument.reported() for instrument in self.instruments)

    def totals(self, commits: int) -> dict[str, int]:
        """What was read, and what it became. `commits` is how many the line has."""
        classed = [one for one in self.instruments if one.cause not in (CORRECTION, COMPLETION)]
        kinds = Counter(instrument.kind for instrument in classed)
        paths = {instrument.path for instrument in self.instruments}
        return {
            "commits of the line": commits,
            "commits that touch the rules' files": self.history.walked,
            "rules of the initial set": len(self.history.initial),
            "rules in force": len(self.history.ledger.rules),
            "proposals": kinds["proposal"],
            "judgements": kinds["judgement"] + sum(f"judgements/{one}.md" not in paths for one in self.rulings),
            "acts": kinds["act"],
            "corrections": sum(instrument.cause == CORRECTION for instrument in self.instruments),
            "events": sum(len(instrument.events) for instrument in self.instruments),
            "oddities": len(self.warnings.all),
        }
