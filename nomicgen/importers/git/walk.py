"""The commits of an archive as instruments: which of them made the initial set, and which proposal,
judgement or act each of the others is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from immutables import Map
from msgspec import Struct
from msgspec.structs import replace

from nomicgen.importers.commit_log import PastCommit
from nomicgen.importers.derived_names import one_line
from nomicgen.importers.git.changes import SourceChange, SourceRule, changes_between
from nomicgen.importers.git.credit import author_of
from nomicgen.importers.git.ledger import COMPLETION, CORRECTION, ArchiveInstrument, ArchiveLedger
from nomicgen.importers.git.past import Past, side_commits
from nomicgen.importers.git.sides import BroughtCommit, brought_by, named_by
from nomicgen.importers.git.states import Snapshot
from nomicgen.importers.git.subjects import NamedInstrument, Subjects
from nomicgen.importers.import_report import ArchiveWarnings
from nomicgen.importers.rule_text.from_markdown import fits_heading
from nomicgen.importers.tiers import TierMap
from nomicgen.model.values import Moment

_HIGHEST = 90_000
"""No proposal or judgement is believed to have more: `lost` in nomic.yml holds 100,000 numbers."""
_SETTING_UP = 31
"""The most days between the first commit of the initial set and its last."""

GameTiers = tuple[Sequence[str], TierMap | None]
"""The names of a game's tiers, most entrenched first, and the tiers by number, if the map or an
option gives them.
"""


class ArchiveHistory(Struct, kw_only=True):
    """What becomes of an archive: the initial set, the commit that each of its rules is from
    (`origins`), the commit that completed it (`begun`), and the instruments in their order.
    """

    initial: Mapping[int, SourceRule]
    origins: Mapping[int, PastCommit]
    begun: PastCommit
    instruments: list[ArchiveInstrument]
    ledger: ArchiveLedger


class _Step(Struct, kw_only=True):
    """A commit of the line that touches files of rules: the rules after it, the numbers of those
    that it `changed`, and the instrument that it names.
    """

    brought: BroughtCommit
    rules: Map[int, SourceRule]
    changed: frozenset[int]
    named: NamedInstrument


def walk(
    past: Past,
    states: Sequence[Snapshot],
    subjects: Subjects,
    tiers: GameTiers,
    warnings: ArchiveWarnings,
    until: Moment | None = None,
    *,
    by_commits: bool = False,
) -> ArchiveHistory | None:
    """Turn the states into instruments, none of them after `until`; None where no commit has a
    rule.

    The initial set is made by the first commit with rules, and by those after it within a month
    that come before the first that names an instrument; if none names one, by the first commit
    alone. With `by_commits`, the commit's author is the author where nothing else names one.
    """
    sides = side_commits(past)
    steps = list(_steps(states, sides, subjects, tiers, warnings))
    begin = next((at for at, step in enumerate(steps) if step.rules), None)
    if begin is None:
        return None
    first = next(
        (at for at, step in enumerate(steps[begin:], begin) if step.named.kind and step.changed),
        len(steps),
    )
    start = max(begin, first - 1 if first < len(steps) else begin)
    while start > begin and _days(steps[begin], steps[start]) > _SETTING_UP:
        start -= 1
    if first == begin:
        message = "the first commit with rules names a proposal, a judgement or an act"
        outcome = "it is the initial set all the same"
        warnings.add("initial-classed", message, outcome, commit=steps[begin].brought.commit)
    initial, origins = steps[start].rules, _origins(steps[begin : start + 1], warnings)
    ledger = ArchiveLedger(initial.values(), tiers[0], warnings)
    maker = _InstrumentMaker(ledger, until, warnings, by_commits)
    for step in steps[start + 1 :]:
        maker.make(step)
    return ArchiveHistory(
        initial=dict(sorted(initial.items())),
        origins=origins,
        begun=steps[start].brought.commit,
        instruments=maker.instruments,
        ledger=ledger,
    )


def _days(one: _Step, other: _Step) -> int:
    """Return how many days lie between two commits; 0 where git cannot read one of them."""
    first, last = one.brought.day, other.brought.day
    return (last - first).days if first and last else 0


def _steps(
    states: Sequence[Snapshot],
    sides: Mapping[str, tuple[PastCommit, ...]],
    subjects: Subjects,
    tiers: GameTiers,
    warnings: ArchiveWarnings,
) -> Iterator[_Step]:
    """Yield a step for each state, with the rules as the ledger is to have them."""
    rules: Map[int, SourceRule] = Map()
    told: set[tuple[int, str]] = set()
    for state in states:
        brought = brought_by(state.commit, sides.get(state.commit.sha, ()))
        changed = set()
        for number in state.changed:
            before, read = rules.get(number), state.rules.get(number)
            now = _with_tier(read, before, *tiers) if read is not None else None
            if read and read.title and now and not now.title and (number, read.title) not in told:
                told.add((number, read.title))
                _warn_of_title(read, read.title, state.commit, warnings)
            if _without_place(now) != _without_place(before):
                changed.add(number)
            if now is not None:
                rules = rules.set(number, now)
            elif before is not None:
                rules = rules.delete(number)
        yield _Step(
            brought=brought,
            rules=rules,
            changed=frozenset(changed),
            named=named_by(brought, subjects),
        )


def _with_tier(
    rule: SourceRule, before: SourceRule | None, tiers: Sequence[str], given: TierMap | None
) -> SourceRule:
    """Return a rule with its tier, and without a title that no heading can hold."""
    title = rule.title if rule.title and fits_heading(rule.title) else None
    if rule.bare and before is not None:
        return replace(rule, title=title, tier=before.tier, void=before.void)
    tier = rule.tier or (given.tier_of(rule.number) if given else None) or tiers[-1]
    return replace(rule, title=title, tier=tier)


def _warn_of_title(
    rule: SourceRule, title: str, commit: PastCommit, warnings: ArchiveWarnings
) -> None:
    message, outcome = "the title cannot stand in a heading", "it is left out"
    warnings.add(
        "title", message, outcome, commit=commit, path=rule.path, line=rule.line, quote=title
    )


def _without_place(rule: SourceRule | None) -> object:
    """Return everything of a rule, for comparison, except the place where it stands."""
    return rule and (
        rule.number,
        rule.printed_revision,
        rule.tier,
        rule.text,
        rule.title,
        rule.void,
    )


def _origins(steps: Sequence[_Step], warnings: ArchiveWarnings) -> Mapping[int, PastCommit]:
    """Return the commits of the initial set by rule number: the last that changed each rule."""
    origins: dict[int, PastCommit] = {}
    for at, step in enumerate(steps):
        commit = step.brought.commit
        if at and step.changed:
            numbers = ", ".join(map(str, sorted(step.changed)))
            message = f"this commit changes Rules {numbers} before any names an instrument"
            outcome = "it is a part of the initial set"
            warnings.add("initial-changed", message, outcome, commit=commit, quote=commit.subject)
        origins |= dict.fromkeys(step.changed, commit)
    return origins


class _InstrumentMaker:
    """Makes the instruments, commit by commit. `known` has those that were named, by their keys,
    and `day` is that of the last commit.
    """

    def __init__(
        self,
        ledger: ArchiveLedger,
        until: Moment | None,
        warnings: ArchiveWarnings,
        by_commits: bool,
    ) -> None:
        self.ledger, self.until, self.warnings, self.by_commits = (
            ledger,
            until,
            warnings,
            by_commits,
        )
        self.instruments: list[ArchiveInstrument] = []
        self.known: dict[tuple[str, str], ArchiveInstrument] = {}
        self.day: date | None = None

    def make(self, step: _Step) -> None:
        """Make an instrument of a commit, if it changes a rule."""
        standing = self.ledger.rules
        before = {number: standing[number] for number in step.changed if number in standing}
        after = {number: step.rules[number] for number in step.changed if number in step.rules}
        changes = changes_between(before, after, self.ledger.gone)
        if not changes:
            if step.named.kind is not None and step.named.key not in self.known:
                message = "the subject names an instrument, and the commit changes no rule"
                self._warn("changes-nothing", message, "nothing is made of it", step)
            return
        instrument = self._instrument(step.brought, self._named(step, changes))
        completing = self.ledger.carry_out(changes, instrument)
        self.instruments.append(instrument)
        if instrument.named.key is not None:
            self.known.setdefault(instrument.named.key, instrument)
        if completing:
            act = self._instrument(step.brought, NamedInstrument(kind="act", cause=COMPLETION))
            act.note = f"completes {instrument.name}: {one_line(step.brought.commit.subject)}"
            act.instructions = completing
            self.instruments.append(act)

    def _warn(self, slug: str, message: str, outcome: str, step: _Step) -> None:
        commit = step.brought.commit
        self.warnings.add(slug, message, outcome, commit=commit, quote=commit.subject)

    def _named(self, step: _Step, changes: Sequence[SourceChange]) -> NamedInstrument:
        """Return the instrument that a commit names. If that is unclear, or another commit named it
        before, it is none, and the commit becomes a correction.
        """
        named, correction = step.named, "it is a correction"
        if named.several:
            message = (
                "several instruments are named, and nothing says which of them changed which rule"
            )
            self._warn("several", message, correction, step)
            return NamedInstrument()
        if named.back:
            message = "the subject says that something is taken back, or done again"
            self._warn("taken-back", message, correction, step)
            return NamedInstrument()
        if named.kind != "act" and named.cause and int(named.cause) > _HIGHEST:
            message = "the number is higher than any that a game counts to"
            self._warn("number-high", message, f"it is an act, {named.name}", step)
            named = NamedInstrument(
                kind="act", cause=named.name, player=named.player, title=named.title
            )
        if named.key is None:
            self._warn("unclassed", "the subject does not say what this is", correction, step)
            return NamedInstrument()
        first = self.known.get(named.key)
        if first is None:
            return named
        same = any(
            change.before is not None and change.before.identity in first.identities
            for change in changes
        )
        message = f"the subject names {named.name}, which {first.source.sha[:12]} made"
        message += ", and changes the same rules" if same else ", and other rules change"
        self._warn("named-again", message, correction, step)
        return NamedInstrument()

    def _instrument(self, brought: BroughtCommit, named: NamedInstrument) -> ArchiveInstrument:
        source = brought.source
        if source is not brought.commit:
            message = f"a merge brings this change, which {source.sha[:12]} made"
            outcome = f"its commit and day are those of {brought.commit.sha[:12]}"
            self.warnings.add("merged", message, outcome, commit=source)
        title = one_line(named.title)
        return ArchiveInstrument(
            kind=named.kind or "act",
            cause=named.cause or CORRECTION,
            player=one_line(named.player or "") or author_of(brought, by_commits=self.by_commits),
            date=Moment.of(self._day(brought) or date(1970, 1, 1)),
            commit=brought.commit.sha,
            source=brought.commit,
            named=named,
            title=title,
            note=""
            if named.kind and (title or named.kind == "proposal")
            else one_line(brought.commit.subject),
        )

    def _day(self, brought: BroughtCommit) -> date | None:
        """Return the day on which a commit came to the line. If that cannot be read, or is after
        `until`, it is another day of the commit or its source, or else that of the commit before
        it; if there is none, `until`, or None if git cannot read any.
        """
        own, source = brought.day, brought.source
        days = [
            day
            for day in (own, source.day, source.committed_day, brought.commit.committed_day)
            if day is not None
        ]
        past = [day for day in days if self.until is None or day <= self.until.day]
        day = past[0] if past else self.day or (self.until.day if self.until and days else None)
        if not own:
            message = "git cannot read the date of this commit"
            self.warnings.add(
                "date-unread", message, f"{day or 'no day'} is taken", commit=brought.commit
            )
        elif day != own:
            message = f"this commit is of {own}, which is still to come"
            self.warnings.add("date-future", message, f"{day} is taken", commit=brought.commit)
        self.day = day or self.day
        return day
