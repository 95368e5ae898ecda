"""The history of each rule: its entries, one for each change of it, such as *Amended (1) by
Proposal 329*; its revisions, and the numbers that it bore.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from nomicgen.law.replay.results import Replay, Rule, RuleChange, Step
from nomicgen.model.identifiers import CommitId, PlayerId
from nomicgen.model.records import Instrument
from nomicgen.model.values import Moment

TEXT_VERBS = frozenset({"initial", "enact", "amend"})
"""The verbs of the entries that give a rule a text."""

Bounds = tuple[Moment | None, Moment | None]
"""The days between which an instrument without a date was decided: when the nearest instruments of
its kind with a lower and a higher number were. None where no such day is known.
"""


class HistoryEntry(Struct, frozen=True, kw_only=True):
    """One line of a rule's history. `step` and `change` are None for the initial set.

    `verb` is `initial`, or that of an instruction. `rule` is the rule as it stood afterwards
    (before, for a repeal); `path` the file that made it: the instrument, or the file in
    `rules/initial/`. `commit` is named by the file itself, in archives that came from elsewhere.
    `moment` is when it took effect, None where nobody recorded it; `bounds` are then the days
    between which it was decided. `decided` and `turn` are when the instrument was decided, `actor`
    is whose it is.
    """

    verb: str
    rule: Rule
    path: str
    step: Step | None = None
    change: RuleChange | None = None
    moment: Moment | None = None
    bounds: Bounds = (None, None)
    decided: Moment | None = None
    turn: str | None = None
    actor: PlayerId | None = None
    commit: CommitId | None = None

    @property
    def instrument(self) -> Instrument | None:
        return self.step.instrument if self.step else None


class RuleHistory(Struct, frozen=True, kw_only=True):
    """One rule, through all its revisions and numbers. `current` is None while it is repealed."""

    identity: int
    entries: tuple[HistoryEntry, ...]
    current: Rule | None

    @property
    def last(self) -> Rule:
        """The rule as it stands, or as it stood last."""
        return self.current or self.entries[-1].rule

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers that it bore, in order, each once."""
        return tuple(dict.fromkeys(entry.rule.number for entry in self.entries))

    @property
    def revisions(self) -> tuple[HistoryEntry, ...]:
        """The entries that gave the rule a text: the first, each amendment and reenactment."""
        return tuple(entry for entry in self.entries if entry.verb in TEXT_VERBS)


class Histories(Struct, frozen=True, kw_only=True):
    """Every rule that ever was, by identity: a number that stays the same when a rule is
    renumbered. `bearers` gives, for each number, the identities of the rules that bore it, in
    order.
    """

    rules: Mapping[int, RuleHistory]
    bearers: Mapping[int, tuple[int, ...]]

    def of_number(self, number: int) -> RuleHistory | None:
        """Return the rule that bears `number` now, else the one that bore it last; None without."""
        bearers = self.bearers.get(number, ())
        current = [
            self.rules[identity]
            for identity in bearers
            if (now := self.rules[identity].current) and now.number == number
        ]
        return current[0] if current else self.rules[bearers[-1]] if bearers else None


def build_histories(
    replay: Replay, initial_commits: Mapping[int, tuple[str, CommitId | None]]
) -> Histories:
    """Return the histories of all rules of a replay.

    `initial_commits` gives for each number of the initial set the path of its file, and the commit
    that the file names, None if it names none.
    """
    entries: dict[int, list[HistoryEntry]] = {}
    current: dict[int, Rule] = {}
    started = replay.settings.started
    for rule in replay.initial:
        path, commit = initial_commits[rule.number]
        entries[rule.identity] = [
            HistoryEntry(
                verb="initial", rule=rule, path=path, moment=started, decided=started, commit=commit
            )
        ]
        current[rule.identity] = rule
    bounds = _bounds(replay.steps)
    for step in replay.steps:
        if step.outcome != "applied":
            continue
        for change in step.changes:
            entry = _entry(step, change, bounds.get(step.instrument.path, (None, None)))
            entries.setdefault(change.rule.identity, []).append(entry)
            if change.after is None:
                current.pop(change.rule.identity, None)
            else:
                current[change.rule.identity] = change.after
    bearers: dict[int, dict[int, None]] = {}
    for identity, lines in entries.items():
        for line in lines:
            bearers.setdefault(line.rule.number, {})[identity] = None
    return Histories(
        rules={
            identity: RuleHistory(
                identity=identity, entries=tuple(lines), current=current.get(identity)
            )
            for identity, lines in entries.items()
        },
        bearers={number: tuple(found) for number, found in sorted(bearers.items())},
    )


def _bounds(steps: Sequence[Step]) -> dict[str, Bounds]:
    """Return the bounds of each instrument that has a number and no date, by path."""
    bounds: dict[str, Bounds] = {}
    for kind in {
        step.instrument.kind
        for step in steps
        if step.dated is None and step.instrument.number is not None
    }:
        numbered = sorted(
            (step for step in steps if step.instrument.kind == kind),
            key=lambda step: step.instrument.number or 0,
        )
        before = [*_last_known(reversed(numbered))][::-1]
        for step, *days in zip(numbered, _last_known(numbered), before, strict=True):
            if step.dated is None:
                bounds[step.instrument.path] = (days[0], days[1])
    return bounds


def _last_known(steps: Iterable[Step]) -> Iterator[Moment | None]:
    """Yield for each step the last known day of a decision up to it, None before the first."""
    last: Moment | None = None
    for step in steps:
        last = step.decided or last
        yield last


def _entry(step: Step, change: RuleChange, bounds: Bounds) -> HistoryEntry:
    matter = step.instrument.matter
    return HistoryEntry(
        verb=change.verb,
        rule=change.rule,
        path=step.instrument.path,
        step=step,
        change=change,
        moment=step.dated,
        bounds=bounds,
        decided=step.decided,
        turn=matter.turn,
        actor=step.instrument.actor,
        commit=matter.commit,
    )
