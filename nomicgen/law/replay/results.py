"""The results of a replay: rules and rulesets as they stand at a moment, each change, points, and
the `Replay` that holds them all. Frozen value types only.

`law/replay/fold.py` makes them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Literal, TypeVar

from immutables import Map
from msgspec import Struct, field
from msgspec.structs import replace

from nomicgen.law.reading import Provisions
from nomicgen.law.replay.effects import Effect
from nomicgen.law.unread_passages import Unread, still_unread
from nomicgen.law.voting.tally import Tally
from nomicgen.model.findings import Findings
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Instruction, Instrument, Turn, Verb
from nomicgen.model.settings import Settings
from nomicgen.model.values import Moment, Span

_T = TypeVar("_T")


class Rule(Struct, frozen=True, kw_only=True):
    """A rule as it stands at some moment.

    `identity` outlives the number: it is the same in every revision of one rule. `text` is None
    where it is lost, else it runs from the first to the last non-blank line, without a line feed at
    its end. `provisions` are as they are written, and `law` is what is read of them. `unread` has
    the passages that no program reads, or True for the whole text. `void`: true, or the moment from
    which it has no force.
    """

    identity: int
    number: int
    revision: int
    tier: str
    text: str | None
    title: str | None = None
    section: str | None = None
    provisions: Mapping[str, object] | None = None
    law: Provisions = Provisions()
    defines: tuple[str, ...] = ()
    unread: Unread = ()
    void: Moment | bool | None = None
    note: str | None = None
    is_unconfirmed: bool = False
    """Whether it has provisions, its text changed without them, and nobody said that both agree."""

    def void_on(self, moment: Moment | None) -> bool:
        """Return whether it has no force at `moment`; with None, whether it ever loses it."""
        if isinstance(self.void, Moment):
            return moment is None or self.void <= moment
        return bool(self.void)

    @property
    def ref(self) -> str:
        """`203/1`."""
        return f"{self.number}/{self.revision}"

    def amended(self, text: str | None, revision: int) -> Rule:
        """Return the rule with another text and revision."""
        return replace(
            self,
            text=text,
            revision=revision,
            unread=still_unread(self.unread, text, self.provisions),
        )


class Ruleset(Struct, frozen=True):
    """The rules that stand at a moment, iterated by ascending number.

    Each ruleset shares what did not change with the one before it, so a long ledger can keep
    thousands of them. `rules` has the rules by number. `last_holder` gives, for each number that
    was ever given, the identity of the rule that has it or had it last. The rest is derived:
    `number_of` gives the number of each identity that stands, `with_provisions` the rules that
    carry provisions, by number, `sizes` how many rules each tier has, `highest` the highest number
    that was ever given, `latest` the highest identity.
    """

    rules: Map[int, Rule] = field(default_factory=Map)
    last_holder: Map[int, int] = field(default_factory=Map)
    number_of: Map[int, int] = field(default_factory=Map)
    with_provisions: Map[int, Rule] = field(default_factory=Map)
    sizes: Mapping[str, int] = {}
    highest: int = 0
    latest: int = 0

    @classmethod
    def of(cls, rules: Iterable[Rule]) -> Ruleset:
        ruleset = cls()
        for rule in rules:
            ruleset = ruleset.replaced(None, rule)
        return ruleset

    def __iter__(self) -> Iterator[Rule]:
        return (self.rules[number] for number in sorted(self.rules))

    def __len__(self) -> int:
        return len(self.rules)

    def get(self, number: int) -> Rule | None:
        return self.rules.get(number)

    def by_identity(self, identity: int) -> Rule | None:
        """Return the rule with an identity, whatever its number; None if it does not stand."""
        number = self.number_of.get(identity)
        return None if number is None else self.rules[number]

    def once_numbered(self, number: int) -> Rule | None:
        """Return the rule that has a number, else the one that had it last.

        The latter may have another number now. None if it is gone, or no rule had the number.
        """
        if number in self.rules:
            return self.rules[number]
        identity = self.last_holder.get(number)
        return None if identity is None else self.by_identity(identity)

    def count(self, tier: str) -> int:
        return self.sizes.get(tier, 0)

    def replaced(self, before: Rule | None, after: Rule | None) -> Ruleset:
        """Return the ruleset with `before` gone and `after` standing."""
        gone = () if before is None else (before,)
        came = () if after is None else (after,)
        sizes = Counter(self.sizes)
        sizes.subtract(rule.tier for rule in gone)
        sizes.update(rule.tier for rule in came)
        numbers, identities = [rule.number for rule in gone], [rule.identity for rule in gone]
        return Ruleset(
            rules=_edited(self.rules, numbers, {rule.number: rule for rule in came}),
            last_holder=_edited(
                self.last_holder, (), {rule.number: rule.identity for rule in came}
            ),
            number_of=_edited(
                self.number_of, identities, {rule.identity: rule.number for rule in came}
            ),
            with_provisions=_edited(
                self.with_provisions, numbers, {rule.number: rule for rule in came if rule.law}
            ),
            sizes=sizes,
            highest=max(self.highest, *(rule.number for rule in came), 0),
            latest=max(self.latest, *(rule.identity for rule in came), 0),
        )


def _edited(table: Map[int, _T], gone: Iterable[int], came: Mapping[int, _T]) -> Map[int, _T]:
    """Return the table with some keys removed and others set; the same table if nothing changes."""
    for key in gone:
        if key in table and key not in came:
            table = table.delete(key)
    for key, value in came.items():
        if table.get(key) is not value:
            table = table.set(key, value)
    return table


class RuleChange(Struct, frozen=True, kw_only=True):
    """What one instruction did to one rule. `before` is None for an enactment, `after` for a
    repeal.
    """

    verb: Verb
    instruction: Instruction
    before: Rule | None
    after: Rule | None

    @property
    def rule(self) -> Rule:
        rule = self.after or self.before
        assert rule is not None
        return rule


class Correction(Struct, frozen=True, kw_only=True):
    """A recorded value that an act corrects; `act` is its path. `was` or `now` is None where the
    file said or says nothing.
    """

    file: str
    key: str
    was: str | None
    now: str | None
    evidence: str
    act: str
    moment: Moment
    span: Span


Outcome = Literal["applied", "failed", "pending"]
"""What became of an instrument in the replay (`Step`)."""


class Step(Struct, frozen=True, kw_only=True):
    """An instrument that takes effect, at its place in the ledger; it may have no changes.

    `failed` means that it changed nothing, because something about it is wrong; `pending` that its
    effect is not due on the replay's day. `effective` is when it takes effect: if nobody recorded
    that, the moment of what came before it. It is None while the step waits for a turn, and where
    nothing that came before has a moment. `lacks_effective`: it takes effect with a turn, and its
    file does not say when.
    """

    instrument: Instrument
    effective: Moment | None
    outcome: Outcome
    changes: tuple[RuleChange, ...]
    before: Ruleset
    after: Ruleset
    lacks_effective: bool = False

    @property
    def decided(self) -> Moment | None:
        """When the instrument was decided."""
        return self.instrument.decided

    @property
    def dated(self) -> Moment | None:
        """When it took effect, None where nobody recorded its day."""
        return self.effective if self.instrument.effective is not None else None


class ScoreLine(Struct, frozen=True, kw_only=True):
    """Points for one player: how many, why, by which rule, when (None if nobody knows), and the
    place in a file.

    `rule` is None for points that a file gives by hand, if no rule speaks of that.
    """

    player: PlayerId
    amount: Fraction
    reason: str
    rule: int | None
    moment: Moment | None
    span: Span


class Winner(Struct, frozen=True, kw_only=True):
    """Who won, when, and by which rule; several where they did so at once and with equal scores.

    `points` are those that the rule asks for.
    """

    players: tuple[PlayerId, ...]
    points: Fraction
    rule: int
    moment: Moment | None


class NextTurn(Struct, frozen=True):
    """The turn that comes next, such as `R2T1`, and whose it is. Players in `skipped` are inactive,
    and would have come before.
    """

    round: int
    turn: int
    player: PlayerId
    skipped: tuple[PlayerId, ...] = ()

    @property
    def ident(self) -> str:
        return f"R{self.round}T{self.turn}"

    def is_turn(self, turn: Turn) -> bool:
        """Return whether a recorded turn is this one, by its number and by whose it is."""
        return (turn.ident, turn.matter.player) == (self.ident, self.player)


class DueChange(Struct, frozen=True):
    """A rule that changes by itself, and when; `becomes` is its text and its provisions then, None
    if it is repealed.
    """

    rule: Rule
    moment: Moment
    becomes: tuple[str | None, Mapping[str, object]] | None


OPENING = "opening"
"""The cause of an act that gives the rules of an archive their provisions."""


class Replay(Struct, frozen=True, kw_only=True):
    """The whole ledger, replayed up to the day `until`; None for all of it.

    `steps` has every adopted proposal, and every judgement and act with instructions, in the
    ledger's order. Three are by path: `tallies` has every proposal that is open or has ended;
    `previews` what each proposal that is not adopted would do, to the rules at its decision, or
    else today's; `edits` what becomes of the votes if title or argument are edited, `lapse` or
    `forbidden`, unless they stand. `awards` has every point that was given or taken, in order,
    and `winner` who first had enough of them; `due` the rules that should have changed by
    themselves; `next_turn` the turn after those recorded, where the rules say which; `running` the
    turns that have not ended; `archived` the last round that was played before any turn was
    recorded. `effects` has every change of the game, with the rule that permits it; `corrections`
    what acts correct.
    """

    settings: Settings
    findings: Findings
    initial: Ruleset
    current: Ruleset
    steps: tuple[Step, ...] = ()
    tallies: Mapping[str, Tally] = {}
    previews: Mapping[str, Step] = {}
    edits: Mapping[str, str] = {}
    until: Moment | None = None
    awards: tuple[ScoreLine, ...] = ()
    winner: Winner | None = None
    due: tuple[DueChange, ...] = ()
    next_turn: NextTurn | None = None
    running: tuple[Turn, ...] = ()
    archived: int = 0
    effects: tuple[Effect, ...] = ()
    corrections: tuple[Correction, ...] = ()

    @property
    def unended_turns(self) -> tuple[Turn, ...]:
        """The running turns without a recorded end; others have one, after the replay's day."""
        return tuple(turn for turn in self.running if turn.matter.ended is None)

    @property
    def is_lawless(self) -> bool:
        """Whether no rule has carried a provision: it is an archive, and its law is unknown."""
        return not self.initial.with_provisions and not any(
            step.after.with_provisions for step in self.steps
        )

    @property
    def judged_from(self) -> Moment | None:
        """When a rule first got provisions: from then on a game is judged.

        None if no rule has any, if the initial set had some, or if nobody knows when.
        """
        if self.initial.with_provisions:
            return None
        return next((step.effective for step in self.steps if step.after.with_provisions), None)

    def is_archived(self, moment: Moment) -> bool:
        """Return whether a moment was before any rule had provisions: of that time the keeper may
        still enter events.
        """
        if self.initial.with_provisions:
            return False
        return self.is_lawless if self.judged_from is None else moment.precedes(self.judged_from)

    @property
    def pending(self) -> tuple[Step, ...]:
        """The steps whose effect is not due yet; without an `effective` they wait for a turn to
        begin.
        """
        return tuple(step for step in self.steps if step.outcome == "pending")

    def states(self) -> Iterator[tuple[Step | None, Ruleset]]:
        """Yield the initial ruleset, then the ruleset after each applied step."""
        yield None, self.initial
        for step in self.steps:
            if step.outcome == "applied":
                yield step, step.after

    def ever(self) -> Iterator[Rule]:
        """Yield each rule as it stood at each time of the ledger; the same rule may come twice."""
        yield from self.initial
        for step in self.steps:
            if step.outcome == "applied":
                standing = (step.after.by_identity(change.rule.identity) for change in step.changes)
                yield from (rule for rule in standing if rule is not None)

    def on(self, moment: Moment) -> Ruleset:
        """Return the ruleset at the end of `moment`'s day."""
        standing = self.initial
        for step, ruleset in self.states():
            if step is not None and step.dated is not None and moment.day < step.dated.day:
                break  # a step without a day of its own belongs to the one before it
            standing = ruleset
        return standing
