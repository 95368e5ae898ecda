"""What a replay knows: rules as they stand, the ruleset at a moment, each change, each vote's arithmetic.

Frozen value types only; `law/replay.py` makes them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from nomicgen.diagnostics import Finding
from nomicgen.law.provisions import Provisions
from nomicgen.model import Instruction, Instrument, Moment, Settings, Verb

__all__ = ["Change", "Condition", "Replay", "Rule", "Ruleset", "Step", "Tally"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule as it stands at some moment.

    `identity` outlives the number: it is the same in every revision of one rule. `text` is None where it is lost,
    else it runs from the first to the last non-blank line, without a line feed at its end.
    """

    identity: int
    number: int
    revision: int
    tier: str
    text: str | None
    title: str | None = None
    section: str | None = None
    provisions: Mapping[str, Any] | None = None
    law: Provisions = field(default_factory=Provisions, compare=False)
    defines: tuple[str, ...] = ()
    void: Moment | bool | None = None
    note: str | None = None

    def void_on(self, moment: Moment | None) -> bool:
        """Whether it stands in the ruleset without force at `moment` (None: ever since)."""
        if isinstance(self.void, Moment):
            return moment is None or self.void <= moment
        return bool(self.void)

    @property
    def ref(self) -> str:
        """`203/1`."""
        return f"{self.number}/{self.revision}"


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The rules that stand at a moment, by number, ascending.

    `bore` gives for each number that was ever borne the identity of the rule that bore it last.
    """

    rules: Mapping[int, Rule] = field(default_factory=lambda: MappingProxyType({}))
    bore: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules.values())

    def __len__(self) -> int:
        return len(self.rules)

    def get(self, number: int) -> Rule | None:
        return self.rules.get(number)

    def named(self, number: int) -> Rule | None:
        """The rule that bears `number`, else the standing rule that bore it last: 203 finds what is now 305."""
        if number in self.rules:
            return self.rules[number]
        identity = self.bore.get(number)
        return next((rule for rule in self if rule.identity == identity), None)

    def count(self, tier: str) -> int:
        return sum(1 for rule in self if rule.tier == tier)

    def replaced(self, before: Rule | None, after: Rule | None) -> Ruleset:
        """The ruleset with `before` gone and `after` standing."""
        rules = {number: rule for number, rule in self.rules.items() if before is None or number != before.number}
        if after is None:
            return Ruleset(MappingProxyType(rules), self.bore)
        rules = dict(sorted({**rules, after.number: after}.items()))
        bore = (
            self.bore if self.bore.get(after.number) == after.identity else {**self.bore, after.number: after.identity}
        )
        return Ruleset(MappingProxyType(rules), MappingProxyType(dict(bore)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What one instruction did to one rule. `before` is None for an enactment, `after` for a repeal."""

    verb: Verb
    instruction: Instruction
    before: Rule | None
    after: Rule | None

    @property
    def rule(self) -> Rule:
        rule = self.after or self.before
        assert rule is not None
        return rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """One adoption provision applied to one vote.

    `arithmetic` is what the page shows, e.g. `3 for of 4 eligible; more than 2 needed`.
    """

    rule: int
    sentence: str
    arithmetic: str
    met: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """The vote on a proposal, under the law of its day. Ids are in alphabetical order.

    `recorded` is False where an archive did not keep the votes; `adopted` None while the outcome is not settled
    (votes missing, or no adoption provision known).
    """

    for_: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    abstain: tuple[str, ...] = ()
    eligible: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    must_vote: bool = False
    recorded: bool = True
    conditions: tuple[Condition, ...] = ()
    adopted: bool | None = None


Outcome = Literal["applied", "refused", "pending"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """An instrument that changes rules, at its place in the ledger.

    `refused` means that it changed nothing, because something about it is wrong; `pending` that its effect is not
    due on the replay's day.
    """

    instrument: Instrument
    decided: Moment | None
    effective: Moment | None
    outcome: Outcome
    changes: tuple[Change, ...]
    before: Ruleset
    after: Ruleset


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """The whole ledger, replayed up to a day.

    `steps` has every adopted, judged or enacted instrument with instructions, in the ledger's order; `tallies` has
    every proposal that is open or decided by vote, and `previews` the steps that failed, open and draft proposals
    would make of the ruleset as it stood when they were decided (or now), both by path.
    """

    settings: Settings
    findings: tuple[Finding, ...]
    initial: Ruleset
    current: Ruleset
    steps: tuple[Step, ...] = ()
    tallies: Mapping[str, Tally] = field(default_factory=dict)
    previews: Mapping[str, Step] = field(default_factory=dict)
    until: Moment | None = None

    def states(self) -> Iterator[tuple[Step | None, Ruleset]]:
        """The initial ruleset, then the ruleset after each applied step."""
        yield None, self.initial
        for step in self.steps:
            if step.outcome == "applied":
                yield step, step.after

    def on(self, moment: Moment) -> Ruleset:
        """The ruleset at the end of `moment`'s day."""
        found = self.initial
        for step, ruleset in self.states():
            if step is None or step.effective is None or step.effective.day <= moment.day:
                found = ruleset
        return found
