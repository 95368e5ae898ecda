"""The effects that rules judge (`Subject`), and what they are judged by (`State`).

Proposals, acts, judgements, turns, players' files and the passing of time have effects on the
state: on the ruleset and which rules are void, on who plays, on the turn, on the scores, and on
judgements. `gate.license_effect` asks the kinds of provisions about each effect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, TypeVar, cast

from msgspec import Struct

from nomicgen.law.kind import Provision, as_field
from nomicgen.law.precedence import Laws
from nomicgen.law.replay.effects import Licence, Verdict
from nomicgen.law.replay.results import DueChange, Replay, Rule, RuleChange, Ruleset, ScoreLine
from nomicgen.law.replay.scene import Scene
from nomicgen.law.replay.seats import TurnsPlayed
from nomicgen.law.replay.watched_records import WatchedRecords
from nomicgen.law.voting.tally import Tally
from nomicgen.model.findings import Finding
from nomicgen.model.front_matters import Deed
from nomicgen.model.records import (
    Instruction,
    Instrument,
    Judgement,
    Player,
    Proposal,
    Records,
    Turn,
)
from nomicgen.model.values import Moment, Span

PlayerVerb = Literal["joins", "leaves", "rests", "returns"]


def license_of(rule: Rule, schema: type[Provision], note: str = "") -> Licence:
    """Return the licence that a rule gives, as it stands, by its provision of a kind."""
    return Licence(rule.number, rule.revision, schema.kind, note)


def rule_words(change: RuleChange) -> str:
    """Return in words what a change does: `Rule 203/0 becomes Rule 203/1`."""
    before, after = change.before, change.after
    if before is None or after is None:
        return (
            f"Rule {before.ref} is repealed"
            if before
            else f"Rule {change.rule.ref} is enacted, {change.rule.tier}"
        )
    moved = f" as Rule {after.ref}" if before.number != after.number else ""
    if before.tier != after.tier:
        return f"Rule {before.ref} becomes {after.tier}{moved}"
    if before.ref != after.ref:
        return f"Rule {before.ref} becomes Rule {after.ref}"
    if before.void != after.void:
        since = f" from {after.void} on" if isinstance(after.void, Moment) else ""
        return (
            f"Rule {before.ref} has no force{since}"
            if after.void
            else f"Rule {before.ref} has force again"
        )
    return change.instruction.heading


class Subject(Struct, frozen=True):
    """An effect, as the rules judge it."""


class ChangeUnderAuthority(Subject, frozen=True):
    """An act or a judgement changes a rule; `rule` is None where it makes a new one, or names one
    that is not there.
    """

    instrument: Instrument
    instruction: Instruction
    rule: Rule | None


def changes_under_authority(
    instrument: Instrument, ruleset: Ruleset
) -> Iterator[ChangeUnderAuthority]:
    """Yield the changes of an act or a judgement, one for each instruction."""
    for instruction in instrument.instructions:
        yield ChangeUnderAuthority(
            instrument,
            instruction,
            ruleset.get(instruction.target.number) if instruction.target else None,
        )


class PointsGiven(Subject, frozen=True):
    """A `line` of a file gives points by hand; `under` is the number of the rule that it names.

    `before` has the earlier lines of the same file, each with the rule that permits it, or None.
    """

    line: ScoreLine
    file: Instrument | Turn
    under: int | None
    before: Sequence[ScoreLine]


class TurnBegun(Subject, frozen=True):
    """A turn begins; `running` has the ids of the turns that have not ended then. The replay leaves
    out those of players who have left.
    """

    turn: Turn
    running: tuple[str, ...]


class TurnEnded(Subject, frozen=True):
    """A turn ends; `proposed` says that it has a proposal, `left` that its player left the game. If
    it was passed, or its player left, proposals that may be of it are not looked for.

    A turn without an end is judged when it begins, for a throw that it has too early.
    """

    turn: Turn
    proposed: bool
    left: bool = False


class ProposalMade(Subject, frozen=True):
    """A proposal is put forward, in a `turn` that has this many `earlier` ones.

    `turn` is None if nobody knows which it is. `counts` says whether the proposal counts as
    one of that turn. `playing` has the turns that are certainly played then: none on a day on which
    a turn begins or ends.
    """

    instrument: Instrument
    turn: Turn | None
    earlier: int
    counts: bool
    playing: Sequence[Turn]


class ProposalOffered(Subject, frozen=True):
    """A proposal is a draft, in debate or open; it is judged by the present law."""

    instrument: Proposal


class VoteOpened(Subject, frozen=True):
    """The vote on a proposal opens, at the moment of the state."""

    instrument: Proposal


class TakesEffect(Subject, frozen=True):
    """A proposal is adopted, a judgement is given or an act is done, to take effect on some day.

    `turn` is the first turn that began after that, None where none has.
    """

    instrument: Instrument
    turn: Turn | None


class ProposalWithdrawn(Subject, frozen=True):
    """A proposal is withdrawn, or called void, with the votes that it then had.

    `voided`: a judgement that stands, and may void it, voids it. Then it may be void at any moment.
    """

    instrument: Proposal
    tally: Tally
    voided: bool


class JudgementGiven(Subject, frozen=True):
    """A judgement is given."""

    instrument: Judgement
    overruled: tuple[Judgement, ...]
    """The judgements that were overruled before it, as the rules allow."""
    then: Ruleset
    """The rules that stood when the proposal that it voids was decided, or that stand now."""


class JudgementOverruled(Subject, frozen=True):
    """A judgement is overruled."""

    instrument: Judgement


class PlayerChange(Subject, frozen=True):
    """A player joins, leaves, rests or comes back."""

    player: Player
    what: PlayerVerb


class DeedDone(Subject, frozen=True):
    """A player does something that a kind of provision lets players do, about a proposal, a
    judgement or a turn.

    `earlier` has the deeds that stand before it in the same file.
    """

    deed: Deed
    about: Proposal | Judgement | Turn
    earlier: tuple[Deed, ...] = ()

    @property
    def span(self) -> Span:
        """The place of the deed in its file."""
        return self.about.source.at("deeds", len(self.earlier), "do")

    @property
    def path(self) -> str:
        return f"turns/{self.about.ident}.yml" if isinstance(self.about, Turn) else self.about.path

    @property
    def is_new(self) -> bool:
        """Whether it is only tried, and in no file yet."""
        return len(self.earlier) == len(self.about.matter.deeds)

    @property
    def since(self) -> Moment | None:
        """The first moment at which it can be done; None if that is not known.

        About a proposal whose vote began again, that is when the vote before ended. A judgement
        that is given, or has another judge since one was late, no longer says when it was asked
        for.
        """
        if isinstance(self.about, Turn):
            return self.about.matter.began
        if isinstance(self.about, Judgement):
            matter = self.about.matter
            return matter.date if matter.is_undecided and not matter.late else None
        earlier = self.about.matter.earlier
        return (earlier[-1].ended if earlier else None) or self.about.matter.date

    @property
    def name(self) -> str:
        """What a sentence calls the thing that it is about: `proposal 305`, `R1T2`."""
        if isinstance(self.about, Turn):
            return self.about.ident
        return f"{self.about.kind} {self.about.number}"


def deeds_of(about: Proposal | Judgement | Turn) -> Iterator[DeedDone]:
    """Yield what players did about a proposal, a judgement or a turn, in the order of its file."""
    for index, deed in enumerate(about.matter.deeds):
        yield DeedDone(deed, about, tuple(about.matter.deeds[:index]))


_S = TypeVar("_S", bound=Subject)


class State(Scene, frozen=True, kw_only=True):
    """What an effect is judged by. While the game is `lawless`, no rule is asked."""

    records: WatchedRecords
    played: TurnsPlayed
    changes: tuple[DueChange, ...] = ()
    """Changes of rules by themselves that are due and in no file yet."""

    @classmethod
    def at(cls, records: Records, replay: Replay, moment: Moment) -> State:
        """Return the state at `moment`, after all that is recorded, to judge one more effect."""
        played = TurnsPlayed(replay.archived)
        for turn in records.turns_in_order:
            played.add(turn)
        played.running = {turn.ident: turn for turn in replay.running}
        return cls(
            ruleset=replay.current,
            laws=Laws(records.settings),
            players=records.players,
            moment=moment,
            lawless=replay.is_lawless,
            records=WatchedRecords(records),
            played=played,
            changes=replay.due,
        )

    def licences(self, *fields: object) -> tuple[Licence, ...]:
        """Return a licence for each rule that decides one of the fields, such as `Turns.order`."""
        said = ((as_field(field), self.law.says(field)) for field in fields)
        kinds = {value.rule: field.schema for field, value in said if value is not None}
        rules = ((self.ruleset.get(number), kind) for number, kind in kinds.items())
        return tuple(license_of(rule, kind) for rule, kind in rules if rule is not None)


class EffectJudge(Struct, frozen=True):
    """How a kind of provision judges the effects of one type."""

    effect: type[object]
    judge: Callable[[Subject, State], Verdict]


def effect_judge(effect: type[_S], judge: Callable[[_S, State], Verdict]) -> EffectJudge:
    """Return an entry of a kind's `licenses` for a type of effects."""
    return EffectJudge(effect, cast("Callable[[Subject, State], Verdict]", judge))


def permitted_by(
    effect: type[_S], fields: Sequence[object], judge: Callable[[_S, State], Iterable[Finding]]
) -> EffectJudge:
    """Return an entry of a kind's `licenses` for a type of effects.

    The rules that decide `fields` permit such an effect, unless `judge` finds an error.
    """
    return effect_judge(
        effect,
        lambda subject, state: Verdict(state.licences(*fields), tuple(judge(subject, state))),
    )
