"""A kind of provision that judges: effects, instructions, votes, kinds of change, or what an
instrument leaves.

Who calls each hook, and when:

| hook | called by | when |
|---|---|---|
| `licenses` | `gate.license_effect` | an effect of its type comes about, or is tried |
| `forbids` | `voting/assessment.py`, `limits.py`, `provisions/authority.py` | a rule is to change |
| `demands` | `voting/vote_count.py` | a vote is counted |
| `hinders` | `possible_changes.py` | somebody asks what votes could still change |
| `leaves` | `limits.py` | an instrument is carried out, or would be |
| `deeds` | `gate.py`, through `deed_kinds` | a player does something; `next` asks who could |
| `deadlines` | `prospects.py` | `check`, `next` and `status` ask what is due |

The types of effects (`law/subjects.py`): `ProposalOffered` (a draft, in debate or open),
`ProposalMade` (it gets its number), `VoteOpened`, `ProposalWithdrawn`, `TakesEffect`,
`ChangeUnderAuthority` (by an act or a judgement), `TurnBegun`, `TurnEnded`, `PlayerChange` (joins,
leaves, rests, returns), `JudgementGiven`, `JudgementOverruled`, `PointsGiven`, `DeedDone`. If an
effect is not wrong but too early, the kind's finding says in `waits` what must come first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Literal, TypeVar

from msgspec import Struct

from nomicgen.law.change_kinds import ChangeKind
from nomicgen.law.kind import Kind, Provision
from nomicgen.law.kinds import kinds
from nomicgen.law.precedence import Law
from nomicgen.law.replay.results import Rule
from nomicgen.law.replay.scene import RulesetChange, Scene
from nomicgen.law.subjects import DeedDone, EffectJudge, State
from nomicgen.law.voting.tally import Condition, VoteTotals
from nomicgen.model.findings import Finding
from nomicgen.model.records import Instruction
from nomicgen.model.values import Moment


class DeedKind(Struct, frozen=True, kw_only=True):
    """Something that players can do while a rule with a kind of provision is in force.

    `name` is what they type, and what files say. `about` is the kind of file that records it.
    `what` is a phrase with the verb in the infinitive (`second a proposal before its vote opens`),
    `done` its verb after a player's name (`seconds`). `judge` yields why a player may not do it, if
    the player may not.
    """

    name: str
    about: Literal["proposal", "judgement", "turn"]
    what: str
    done: str
    judge: Callable[[DeedDone, State], Iterable[Finding]]


class Due(Struct, frozen=True, kw_only=True):
    """Something that has a deadline and is not done.

    `path` is the file that it is about. `what` says how it stands (`R1T1 of wren is being played`),
    and `missed` is the message when it is late. `moment` is the last day for it, or, if it is
    `at_once`, the day on which something happens. `then` says what happens, '' if nothing does.
    `writes` has the keys that are then written, by path (`{"turns/R1T1.yml": {"ended": …}}`), and
    `act` the body of an act by the rule; both are empty if nothing is written.
    """

    rule: int
    path: str
    what: str
    missed: str
    moment: Moment
    then: str = ""
    writes: Mapping[str, Mapping[str, object]] = {}
    act: str = ""
    at_once: bool = False

    def is_over(self, on: Moment) -> bool:
        """Return whether the time is up on a day."""
        return not on.precedes(self.moment) if self.at_once else self.moment.precedes(on)

    @property
    def late_from(self) -> Moment:
        """The first moment at which the time is up."""
        return self.moment if self.at_once else Moment(self.moment.plus(1).day)

    @property
    def done(self) -> str:
        """What is said once `writes` are written."""
        return f"Rule {self.rule} gave time until {self.moment}: {self.then}"

    @property
    def happens(self) -> bool:
        """Whether a rule says what is written when the time is up."""
        return bool(self.writes or self.act)


_P = TypeVar("_P", bound=Provision)
_Hook = TypeVar("_Hook")


class JudgingKind(Kind[_P], frozen=True, kw_only=True):
    """A kind of provision with hooks; those that it does not need stay empty.

    `licenses` judges effects, an entry for each type (`law/subjects.py`). `forbids` gets an
    instruction, its rule and the tier that the rule would have (None if there is no such rule), and
    yields why the law forbids it. `demands` yields the conditions of a vote other than those of
    `adoption`, such as a quorum. `hinders` yields what makes a kind of change impossible: the
    number of a rule (None if it is no rule's doing), and why. `leaves` yields what is wrong with
    the rules that an instrument leaves. `deeds` has what players can do under the provision.
    `deadlines` yields what is not done and has a deadline.
    """

    licenses: tuple[EffectJudge, ...] = ()
    forbids: Callable[[Instruction, Rule | None, str | None, Law], Iterable[Finding]] | None = None
    demands: Callable[[VoteTotals, Law], Iterable[Condition]] | None = None
    hinders: Callable[[ChangeKind, Scene], Iterable[tuple[int | None, str]]] | None = None
    leaves: Callable[[RulesetChange], Iterable[Finding]] | None = None
    deeds: tuple[DeedKind, ...] = ()
    deadlines: Callable[[State], Iterable[Due]] | None = None


@cache
def judging_kinds() -> tuple[JudgingKind[Provision], ...]:
    """Return the kinds that judge, in alphabetical order of their names."""
    return tuple(kind for kind in kinds().values() if isinstance(kind, JudgingKind))


@cache
def deed_kinds() -> Mapping[str, tuple[type[Provision], DeedKind]]:
    """Return the kinds of deed by name, each with the schema of the provision that allows it."""
    return {deed.name: (kind.schema, deed) for kind in judging_kinds() for deed in kind.deeds}


def hooks(hook_of: Callable[[JudgingKind[Provision]], _Hook | None]) -> tuple[_Hook, ...]:
    """Return a hook of all kinds that have it; `hook_of` is, e.g., `lambda kind: kind.leaves`."""
    return tuple(hook for kind in judging_kinds() if (hook := hook_of(kind)) is not None)
