"""The commits of an archive as instruments: which made the initial set, which are proposals, judgements, acts, and
which nobody can class.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from immutables import Map
from msgspec import Struct
from msgspec.structs import replace

from nomicgen.importers.derived_names import one_line
from nomicgen.importers.git_changes import Change, CommitRule, changes_between
from nomicgen.importers.git_credit import Archivist, archivist_of, author_of
from nomicgen.importers.git_ledger import COMPLETION, CORRECTION, ArchiveInstrument, Ledger
from nomicgen.importers.git_parts import parts_of
from nomicgen.importers.git_past import Past, PastCommit, side_commits
from nomicgen.importers.git_printed import Printed
from nomicgen.importers.git_sides import BroughtCommit, brought_by, classed, tell_twins
from nomicgen.importers.git_states import PlacedRule, Snapshot, tier_of_path
from nomicgen.importers.git_subjects import NamedInstrument, Subjects, by_rule
from nomicgen.importers.import_report import ArchiveWarnings
from nomicgen.importers.text_markdown import fits_heading
from nomicgen.importers.text_tiers import TierMap
from nomicgen.model import Moment

_HIGHEST = 90_000


_SETTING_UP = 31
"""For so many days commits that nobody can class still belong to the initial set."""


class ArchiveHistory(Struct, kw_only=True):
    """What an archive's line gives: the initial set with each rule's commit, the instruments in their order, the commit
    of the initial set, and who committed nearly everything.
    """

    initial: dict[int, CommitRule]
    origins: dict[int, PastCommit]
    begun: PastCommit
    entries: list[ArchiveInstrument]
    ledger: Ledger
    walked: int = 0
    archivist: Archivist | None = None


class _Step(Struct, kw_only=True):
    """A commit of the line that changes rules, and what it is taken for."""

    brought: BroughtCommit
    rules: Map[int, CommitRule]
    changed: frozenset[int]
    classed: NamedInstrument


def walk(
    past: Past,
    states: Sequence[Snapshot],
    subjects: Subjects,
    printed: Printed | None,
    tiers: tuple[Sequence[str], TierMap | None],
    warnings: ArchiveWarnings,
    until: Moment | None = None,
) -> ArchiveHistory | None:
    """Turns the states into instruments, none of them after `until`; None where no commit has a rule."""
    sides = side_commits(past)
    tell_twins(past, sides, warnings)
    steps = list(_steps(states, sides, subjects, printed, tiers))
    begin = next((at for at, step in enumerate(steps) if step.rules), None)
    if begin is None:
        return None
    first = next((at for at, step in enumerate(steps[begin:], begin) if step.classed.kind and step.changed), len(steps))
    start = max(begin, first - 1 if first < len(steps) else begin)
    while start > begin and _days(steps[begin], steps[start]) > _SETTING_UP:
        start -= 1
    if first == begin:
        message = "the first commit that has rules is named as one that changes them"
        warnings.add(
            "initial-classed", message, "it is the initial set all the same", commit=steps[begin].brought.commit
        )
    initial, origins = _initial(steps[begin : start + 1], warnings)
    ledger = Ledger(initial.values(), tiers[0], warnings)
    archivist = archivist_of(past)
    made = _Maker(ledger, printed, subjects, until, warnings, archivist)
    made.walk(steps[start + 1 :])
    return ArchiveHistory(
        initial=initial,
        origins=origins,
        begun=steps[start].brought.commit,
        entries=made.entries,
        ledger=ledger,
        walked=len(steps),
        archivist=archivist,
    )


def _days(one: _Step, other: _Step) -> int:
    """How many days lie between two commits; 0 where git cannot read one of them."""
    first, last = one.brought.day, other.brought.day
    return (last - first).days if first and last else 0


def _wanted(one: PlacedRule, tiers: Sequence[str], typed: TierMap | None) -> CommitRule:
    """A rule as the ledger is to have it. A title that no heading can hold is left out; the certificate says so."""
    passage = one.passage
    title = one_line(passage.title or "")
    return CommitRule(
        number=passage.number,
        heading=passage.revision,
        tier=passage.tier or tier_of_path(one.path) or (typed.of(passage.number) if typed else None) or tiers[-1],
        text=passage.text,
        title=title if title and fits_heading(title) else None,
        void=passage.mark == "void",
        bare=passage.bare and tier_of_path(one.path) is None,
        path=one.path,
        line=one.line,
    )


def _steps(
    states: Sequence[Snapshot],
    sides: Mapping[str, tuple[PastCommit, ...]],
    subjects: Subjects,
    printed: Printed | None,
    tiers: tuple[Sequence[str], TierMap | None],
) -> Iterator[_Step]:
    """Each state, with the rules as the ledger is to have them."""
    now: Map[int, CommitRule] = Map()
    highest = 0
    for state in states:
        brought = brought_by(state.commit, sides.get(state.commit.sha, ()))
        changed = set()
        for number in state.changed:
            placed = state.rules.get(number)
            one = _wanted(placed, *tiers) if placed is not None else None
            was = now.get(number)
            if one is not None and was is not None and one.bare:
                one = replace(one, tier=was.tier, void=was.void)
            if _said(one) != _said(was):
                changed.add(number)
            if one is not None:
                now = now.set(number, one)
            elif number in now:
                now = now.delete(number)
        found = classed(brought, subjects, printed)
        new = [number for number in changed if number > highest]
        if found.kind is None and not found.back and printed is None and highest and len(new) == 1:
            found = by_rule(brought.commit.subject, new[0])
        highest = max((highest, *(number for number in state.changed if number in state.rules)))
        yield _Step(brought=brought, rules=now, changed=frozenset(changed), classed=found)


def _initial(steps: Sequence[_Step], warnings: ArchiveWarnings) -> tuple[dict[int, CommitRule], dict[int, PastCommit]]:
    """The set as the last of some commits has it; each rule's commit is the last that changed it."""
    rules: Mapping[int, CommitRule] = {}
    origins: dict[int, PastCommit] = {}
    for at, step in enumerate(steps):
        commit = step.brought.commit
        if at and step.changed:
            numbers = ", ".join(map(str, sorted(step.changed)))
            message = f"this commit changes Rules {numbers} before the first that is classed"
            made = "it is a part of the initial set"
            warnings.add("initial-changed", message, made, commit=commit, quote=commit.subject)
        origins |= dict.fromkeys(step.changed, commit)
        rules = step.rules
    found = {number: rules[number] for number in sorted(rules)}
    return found, {number: origins[number] for number in found}


def _said(one: CommitRule | None) -> object:
    return one and (one.number, one.heading, one.tier, one.text, one.title, one.void)


class _Maker:
    """The instruments, made commit by commit."""

    def __init__(
        self,
        ledger: Ledger,
        printed: Printed | None,
        subjects: Subjects,
        until: Moment | None,
        warnings: ArchiveWarnings,
        archivist: Archivist | None,
    ) -> None:
        self.ledger, self.printed, self.subjects, self.until, self.warnings = ledger, printed, subjects, until, warnings
        self.archivist = archivist
        self.entries: list[ArchiveInstrument] = []
        self.known: dict[tuple[str, str], ArchiveInstrument] = {}
        self.day: date | None = None
        self.stale: set[int] = set()

    def walk(self, steps: Sequence[_Step]) -> None:
        at = 0
        while at < len(steps):
            at += self._take(steps, at)

    def _take(self, steps: Sequence[_Step], at: int) -> int:
        """Takes a commit, and those that only complete what it does on the same day; gives how many."""
        step = steps[at]
        commit = step.brought.commit
        self.stale |= step.changed
        changes = self._changes([step])
        if not changes:
            if step.classed.kind is not None and step.classed.key not in self.known:
                message = "the subject names an instrument, and the commit changes no rule"
                self.warnings.add(
                    "changes-nothing", message, "nothing is made of it", commit=commit, quote=commit.subject
                )
            return 1
        taken = 1
        touched = frozenset().union(*(one.numbers for one in changes))
        while (more := self._completed(steps, at, at + taken, touched)) is not None:
            touched |= more
            taken += 1
        if taken > 1:
            changes = self._changes(steps[at : at + taken])
        self._make(step, changes)
        self.stale.clear()
        return taken

    def _changes(self, steps: Sequence[_Step]) -> list[Change]:
        """What some commits did, that follow each other: from the rules as the ledger has them to those of the last."""
        last = steps[-1].rules
        numbers = sorted(self.stale.union(*(one.changed for one in steps)))
        before = {number: self.ledger.rules[number] for number in numbers if number in self.ledger.rules}
        after = {number: last[number] for number in numbers if number in last}
        subjects = [subject for one in steps for subject in one.brought.subjects]
        return changes_between(before, after, self.ledger.gone, subjects)

    def _completed(self, steps: Sequence[_Step], at: int, next_: int, touched: frozenset[int]) -> frozenset[int] | None:
        """The numbers that the next commit changes, where it names what this one does, on its day, and other rules."""
        if next_ >= len(steps):
            return None
        step, more = steps[at], steps[next_]
        if step.classed.key is None or more.classed.key != step.classed.key or step.classed.key in self.known:
            return None
        numbers, commit = more.changed, more.brought.commit
        if more.brought.day != step.brought.day or not numbers or numbers & touched:
            return None
        message = f"this commit completes what {step.brought.commit.sha[:12]} does, on the same day"
        self.warnings.add("completed", message, "the two are one instrument", commit=commit, quote=commit.subject)
        return numbers

    def _make(self, step: _Step, changes: Sequence[Change]) -> None:
        if not step.classed.several:
            self._instrument(step.brought, self._kind(step, changes), changes)
            return
        commit, what = (
            step.brought.commit,
            "the commits of this merge name" if step.brought.side else "the subject names",
        )
        parts = parts_of(step.brought, step.classed, changes, self.subjects)
        if parts is None:
            message = f"{what} several instruments, and nothing says which of them changed which rule"
            made = "it is an act of its own, a correction"
            self.warnings.add("several", message, made, commit=commit, quote=commit.subject, unclassed=True)
            self._instrument(step.brought, NamedInstrument(), changes)
            return
        message = f"{what} several instruments, and the rules tell which of them changed which"
        made = f"there is one for each: {', '.join(_named(one.classed) for one in parts)}"
        self.warnings.add("several-parted", message, made, commit=commit, quote=commit.subject)
        for one in parts:
            self._instrument(one.brought, self._kind(replace(step, classed=one.classed), one.changes), one.changes)

    def _instrument(self, brought: BroughtCommit, classed: NamedInstrument, changes: Sequence[Change]) -> None:
        entry = self._entry(brought, classed)
        after = self.ledger.carry_out(changes, entry)
        self._doubts(changes, brought.commit)
        self._keep(entry)
        if after:
            more = self._entry(brought, NamedInstrument(kind="act", cause=COMPLETION))
            more.note = f"completes {entry.name}: {self._note(brought)}"
            more.instructions = [instruction for instruction, _ in after]
            more.events = [verb for _, verb in after]
            more.rules, more.numbers = entry.rules, entry.numbers
            self._keep(more)

    def _keep(self, entry: ArchiveInstrument) -> None:
        self.entries.append(entry)
        if entry.classed.key is not None and entry.cause not in (CORRECTION, COMPLETION):
            self.known.setdefault(entry.classed.key, entry)

    def _kind(self, step: _Step, changes: Sequence[Change]) -> NamedInstrument:
        """What a commit is taken for: what it says, unless another was that already."""
        classed, commit = step.classed, step.brought.commit
        if classed.back:
            message, made = "the subject says that something is taken back, or done again", "it is a correction"
            self.warnings.add("taken-back", message, made, commit=commit, quote=commit.subject)
            return NamedInstrument()
        if classed.typo:
            message = f"the subject says {classed.typo} for what it means"
            self.warnings.add("subject-typo", message, f"it is {_named(classed)}", commit=commit, quote=commit.subject)
        if classed.by_rule:
            message = "the subject has a number, which a new rule takes, and does not say of what"
            self.warnings.add("named-by-rule", message, f"it is {_named(classed)}", commit=commit, quote=commit.subject)
        if classed.number is not None and classed.number > _HIGHEST:
            cause = _named(classed)
            message = "the number is higher than any that a game counts to"
            self.warnings.add("number-high", message, f"it is an act, {cause}", commit=commit, quote=commit.subject)
            classed = NamedInstrument(kind="act", cause=cause, player=classed.player, rest=classed.rest)
        key = classed.key
        if key is None and self.printed is not None:
            found = self.printed.of_changes(changes, frozenset(self.known))
            if found.kind is not None:
                message = "the subject does not say what this is, and the printed history does"
                made = f"it is {_named(found)}"
                self.warnings.add("classed-by-history", message, made, commit=commit, quote=commit.subject)
                return found
        if key is None:
            self._unclassed(step, changes)
            return NamedInstrument()
        first = self.known.get(key)
        if first is None:
            return classed
        same = self._touches(first, changes)
        message = f"the subject names {_named(classed)}, which {first.source.sha[:12]} made"
        message += ", and changes the same rules" if same else ", and other rules change"
        self.warnings.add("named-again", message, "it is a correction", commit=commit, quote=commit.subject)
        return NamedInstrument()

    def _touches(self, first: ArchiveInstrument, changes: Sequence[Change]) -> bool:
        return any(one.before is not None and one.before.identity in first.identities for one in changes)

    def _unclassed(self, step: _Step, changes: Sequence[Change]) -> None:
        commit = step.brought.commit
        proposals = [int(cause) for kind, cause in self.known if kind == "proposal"]
        enacted = [one.after.number for one in changes if one.before is None and one.after is not None]
        made = "it is a correction"
        if len(enacted) == 1 and enacted[0] > max(proposals, default=0):
            made += f"; it may be Proposal {enacted[0]}, whose number the new rule has"
        message = "the subject does not say what this is"
        self.warnings.add("unclassed", message, made, commit=commit, quote=commit.subject, unclassed=True)

    def _doubts(self, changes: Sequence[Change], commit: PastCommit) -> None:
        for one in changes:
            if one.doubtful is None or one.after is None:
                continue
            old, much = one.doubtful
            message = f"Rule {one.after.number} comes as Rule {old} goes, and {much:.0%} of their words are the same"
            made = "they are taken for two rules"
            self.warnings.add("perhaps-renumbered", message, made, commit=commit, path=one.after.path)

    def _entry(self, brought: BroughtCommit, classed: NamedInstrument) -> ArchiveInstrument:
        source = brought.source
        if brought.side and source is not brought.commit:
            message = f"a merge brings this change: its author is that of {source.sha[:12]}"
            self.warnings.add(
                "merged", message, f"its commit and day are those of {brought.commit.sha[:12]}", commit=source
            )
        day = self._day(brought)
        author = one_line(source.author) or "nobody"
        kind = classed.kind or "act"
        player = one_line(classed.player or "") or author_of(brought, self.archivist)
        title = one_line(classed.rest)
        return ArchiveInstrument(
            kind=kind,
            cause=(classed.cause or CORRECTION) if kind == "act" else str(classed.number),
            player=player,
            date=Moment.of(day or date(1970, 1, 1)),
            turn=None,
            commit=brought.commit.sha,
            source=brought.commit,
            classed=classed,
            author=author,
            title=title,
            note="" if classed.kind and (title or kind == "proposal") else self._note(brought),
        )

    def _day(self, brought: BroughtCommit) -> date | None:
        """The day on which it came to the line; else that of a commit which is known, or of the one before it."""
        own, source = brought.day, brought.source
        known = (own, source.day, source.committed_day, brought.commit.committed_day)
        said = [one for one in known if one is not None]
        past = [one for one in said if self.until is None or one <= self.until.day]
        day = past[0] if past else self.day or (self.until.day if self.until and said else None)
        if not own:
            message = "git cannot read the date of this commit"
            self.warnings.add("date-unread", message, f"{day or 'no day'} is taken", commit=brought.commit)
        elif day != own:
            message = f"this commit is of {own}, which is still to come"
            self.warnings.add("date-future", message, f"{day} is taken", commit=brought.commit)
        self.day = day or self.day
        return day

    def _note(self, brought: BroughtCommit) -> str:
        return one_line(brought.commit.subject)


def _named(classed: NamedInstrument) -> str:
    return classed.cause if classed.kind == "act" else f"{(classed.kind or '').capitalize()} {classed.number}"
