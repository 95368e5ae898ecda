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
from msgspec.structs import replace

from nomicgen.diagnostics import Finding
from nomicgen.files import read_game, write_rule
from nomicgen.files.file_findings import Notes
from nomicgen.identifiers import CommitId
from nomicgen.importers.certificate import Observed
from nomicgen.importers.derived_names import Address, links_of, player_ids
from nomicgen.importers.game_writing import act_file, gaps, judgement_file, player_files, proposal_file, settings_file
from nomicgen.importers.git_joined import Where, compare, join, printed_start, tell_links
from nomicgen.importers.git_ledger import COMPLETION, CORRECTION, ArchiveInstrument
from nomicgen.importers.git_past import Past
from nomicgen.importers.git_printed import Printed
from nomicgen.importers.git_states import Snapshot, observed, snapshots, tiers_in
from nomicgen.importers.git_subjects import Subjects
from nomicgen.importers.git_walk import ArchiveHistory, walk
from nomicgen.importers.history_instruments import ImportedInstrument, name_files, place_chains
from nomicgen.importers.import_report import ArchiveWarnings, Report, ReportedEvent
from nomicgen.importers.imported_judgements import Ruling, rulings_of
from nomicgen.importers.printed_history import Key
from nomicgen.importers.shown_pictures import Pictures, ReadPictures
from nomicgen.importers.text_tiers import TierMap
from nomicgen.law.checks import ruleset_files
from nomicgen.law.replay import replay
from nomicgen.law.replay_state import Replay
from nomicgen.model import Moment, Records

_NAME = "Nomic"
_TIERS = ("immutable", "mutable")
_NUMBERED = ("proposal", "judgement")


class GitImported(Struct, frozen=True, kw_only=True):
    """The files of a game by path, none where no commit has a rule; and what is said of the archive.

    `records`, `findings` and `replay` are those files, read back; `observed` is what they are held against.
    """

    files: Mapping[str, bytes] = field(default_factory=lambda: MappingProxyType({}))
    report: Report
    records: Records | None = None
    findings: tuple[Finding, ...] = ()
    replay: Replay | None = None
    observed: Observed | None = None


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
) -> GitImported:
    """Makes a game of a repository's past. `source` is what the report calls it.

    `printed` is what the game printed of its history, and `where` says of each commit that it leads to whether it is
    there. `tiers` gives the tiers, most entrenched first, and which numbers are of which where headings do not say so.
    `warnings` may hold what was told before. The game is replayed as of `until` (None: all of it).
    `pictures` reads those that texts show, by their paths.
    """
    warnings = warnings or ArchiveWarnings()
    shown = Pictures()
    states = snapshots(past, warnings, shown)
    names = _tiers(states, tiers)
    walked = walk(past, states, subjects or Subjects(), printed, (names, tiers), warnings, until)
    if walked is None:
        warnings.add("no-rules", "no file that was named holds a rule in any commit", "nothing is made of it")
        return GitImported(report=Report(source=source, warnings=tuple(warnings.all)))
    if printed is not None:
        join(printed, walked.entries, warnings)
        tell_links(printed, where or {}, warnings)
    _tell_authors(walked, warnings)
    brought = shown.brought(pictures)
    for message, why in shown.told():
        warnings.add("picture-left", message, why)
    made = _Game(walked, printed, name, warnings, brought).imported(source, len(past.line), until)
    return replace(made, observed=observed(states))


def _tell_authors(walked: ArchiveHistory, warnings: ArchiveWarnings) -> None:
    """Tells of the instruments of which nothing says whose they are, only who committed them."""
    unsaid = sum(one.player is None for one in walked.entries)
    if unsaid and walked.archivist is not None:
        whose = f"of {unsaid} of its {len(walked.entries)} instruments nothing else says whose they are"
        message = f"{walked.archivist.name} committed {walked.archivist.share:.0%} of the archive, and {whose}"
        warnings.add("author-unsaid", message, "nobody is said to be their author")


def _tiers(states: Sequence[Snapshot], typed: TierMap | None) -> tuple[str, ...]:
    """The tiers, most entrenched first."""
    found = list(tiers_in(states))
    if typed is not None and typed.names:
        return (*(one for one in found if one not in typed.names), *typed.names)
    if set(found) <= set(_TIERS):
        return _TIERS
    rest = [one for one in found if one not in _TIERS]
    return (_TIERS[0], *rest, _TIERS[1])


class _Game:
    """The files of the game in the making."""

    def __init__(
        self,
        walked: ArchiveHistory,
        printed: Printed | None,
        name: str | None,
        warnings: ArchiveWarnings,
        pictures: Mapping[str, bytes],
    ) -> None:
        self.walked, self.printed, self.warnings, self.pictures = walked, printed, warnings, pictures
        self.name = name or (printed.name if printed else None) or _NAME
        self.entries = walked.entries
        self.started = self._started()
        names = [one.player for one in self.entries if one.player]
        self.rulings = self._rulings(names)
        names += [one.player for one in self.rulings.values() if one.player]
        self.players = player_ids(names)
        name_files(self.entries)
        self._place()

    def imported(self, source: str, commits: int, until: Moment | None) -> GitImported:
        files = {**self._files(), **self.pictures}
        records, findings = read_game(files)
        played = replay(records, until)
        for one in findings:
            if one.is_error:
                message = f"the game's own file cannot be read: {one.message}"
                self.warnings.add("not-read", message, one.help, path=one.span.file)
        if self.printed is not None:
            compare(self.printed, records, played, self.warnings)
        rules = ruleset_files(played.current)
        files |= rules
        events = tuple(chain(self._initial_deeds(), *(one.told(one.source.subject) for one in self.entries)))
        report = Report(
            source=source,
            totals=self._totals(commits),
            events=events,
            warnings=tuple(self.warnings.all),
        )
        return GitImported(
            files=MappingProxyType(dict(sorted(files.items()))),
            report=report,
            records=replace(records, ruleset=MappingProxyType(rules)),
            findings=findings,
            replay=played,
        )

    def _started(self) -> Moment | None:
        day = self.walked.begun.day
        started = (printed_start(self.printed) if self.printed else None) or (Moment.of(day) if day else None)
        first = min((one.date for one in self.entries if one.date), default=started)
        if started is not None and first is not None and first < started:
            message = f"an instrument is of {first}, and the initial set of {started}"
            self.warnings.add("date-before-start", message, f"the game is taken to have begun on {first}")
            return first
        return started

    def _place(self) -> None:
        """The order of the commits; where the legal dates are known, only the order of what belongs together."""
        keys: list[Key] = [("git", str(at)) for at in range(len(self.entries))]
        order: list[list[Key]] = [keys]
        if self.printed is not None:
            by_rule: dict[tuple[str, int], list[Key]] = defaultdict(list)
            for key, one in zip(keys, self.entries, strict=True):
                for rule in one.identities:
                    by_rule["identity", rule].append(key)
                for number in one.numbers:
                    by_rule["number", number].append(key)
            order = list(by_rule.values())
        made: dict[Key, ImportedInstrument] = dict(zip(keys, self.entries, strict=True))
        place_chains(order, made, self.started)
        for one in self.entries:
            if one.effective is not None:
                message = f"{one.name} comes after what is of a later day than its own, {one.date}"
                made_of = f"it takes effect on {one.effective} in the ledger"
                self.warnings.add("order", message, made_of, commit=one.source)

    def _files(self) -> dict[str, bytes]:
        found = {"nomic.yml": self._settings()}
        found |= player_files(self.players)
        for ruling in self.rulings.values():
            found[f"judgements/{ruling.number}.md"] = self._ruling(ruling)
        for number, one in self.walked.initial.items():
            found[f"rules/initial/{number}.md"] = write_rule(
                number=number,
                mutability=one.tier,
                revision=one.heading or 0,
                title=one.title,
                void=one.void or None,
                text=one.text,
                commit=self.walked.origins[number].sha,
            )
        for entry in self.entries:
            found[entry.path] = self._instrument(entry)
        return found

    def _rulings(self, names: Sequence[str]) -> dict[int, Ruling]:
        """The judgements that the printed history has, by number."""
        if self.printed is None:
            return {}
        notes = Notes(self.printed.path)
        histories = self.printed.histories(self.walked.ledger.tiers)
        made: dict[Key, ImportedInstrument] = {
            ("judgement", one.cause): one for one in self.entries if one.kind == "judgement"
        }
        found = {one.number: one for one in rulings_of(histories, made, names, notes)}
        self.warnings.take(notes.findings())
        borne = self._borne()
        for one in found.values():
            if one.date is not None and self.started is not None and one.date < self.started:
                message = f"Judgement {one.number} is of {one.date}, before the game began on {self.started}"
                self.warnings.add("date-before-start", message, "it is given no date", path=self.printed.path)
                one.date = None
            strange = [str(ref) for ref in one.rules if (ref.number, ref.revision) not in borne]
            if strange:
                message = f"Judgement {one.number} is on {', '.join(strange)}, which no commit has"
                self.warnings.add("judgement-rules", message, "they are left out of it", path=self.printed.path)
                one.rules = [ref for ref in one.rules if (ref.number, ref.revision) in borne]
        return found

    def _borne(self) -> frozenset[tuple[int, int]]:
        """Every revision that there ever was, under the number that it bore."""
        initial = ((number, one.heading or 0) for number, one in self.walked.initial.items())
        now = ((rule.number, rule.revision) for one in self.entries for rule in one.rules.values() if rule)
        done = ((number, revision or 0) for one in self.entries for _, number, revision, _ in one.events)
        return frozenset(chain(initial, now, done))

    def _ruling(self, ruling: Ruling) -> bytes:
        """A judgement that changed no rule."""
        judge = self.players[ruling.player] if ruling.player else None
        date, turn = ruling.date, ruling.turn
        return judgement_file(
            ruling.number, "", date=date, turn=turn, judge=judge, ruling=ruling.text, rules=ruling.rules
        )

    def _settings(self) -> bytes:
        numbers = {kind: [one.number for one in self.entries if one.kind == kind] for kind in _NUMBERED}
        return settings_file(
            self.name,
            self.walked.ledger.tiers,
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
        found = [
            Address(line=one.said.line, url=one.said.url, number=one.rule, path=f"rules/{one.rule}.md")
            for one in self.printed.lines
            if one.said.url is not None
        ]
        return links_of(found, Notes(self.printed.path))

    def _instrument(self, entry: ArchiveInstrument) -> bytes:
        player = self.players[entry.player] if entry.player else None
        body = "\n\n".join(entry.instructions)
        if entry.kind == "act":
            return act_file(entry, body, by=player, note=entry.note)
        if entry.kind == "proposal":
            return proposal_file(entry, body, title=entry.title, author=player, note=entry.note)
        ruling = self.rulings.get(entry.number)
        return judgement_file(
            entry.number,
            body,
            date=entry.date,
            turn=entry.turn,
            made=entry,
            title=entry.title,
            judge=player,
            ruling=ruling.text if ruling else "",
            rules=ruling.rules if ruling else (),
            note=entry.note,
        )

    def _initial_deeds(self) -> Iterator[ReportedEvent]:
        for number, one in self.walked.initial.items():
            commit = self.walked.origins[number]
            yield ReportedEvent(
                what="initial",
                rule=number,
                revision=one.heading or 0,
                instrument=f"rules/initial/{number}.md",
                date=str(self.started) if self.started else None,
                committed=commit.committed or None,
                commit=commit.sha,
                subject=commit.subject,
                author=commit.author,
            )

    def _totals(self, commits: int) -> dict[str, int]:
        kinds = Counter(one.kind for one in self.entries if one.cause not in (CORRECTION, COMPLETION))
        made = {one.path for one in self.entries}
        corrections = sum(one.cause == CORRECTION for one in self.entries)
        return {
            "commits of the line": commits,
            "commits that touch the rules' files": self.walked.walked,
            "rules of the initial set": len(self.walked.initial),
            "rules in force": len(self.walked.ledger.rules),
            "proposals": kinds["proposal"],
            "judgements": kinds["judgement"] + sum(f"judgements/{one}.md" not in made for one in self.rulings),
            "acts": kinds["act"],
            "corrections": corrections,
            "events": sum(len(one.events) for one in self.entries),
            "oddities": len(self.warnings.all),
        }
