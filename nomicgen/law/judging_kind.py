"""A kind of provision that judges: effects, instructions, votes, kinds of change, or what an instrument leaves.

The gate, the votes and the limits ask all kinds by `hooks`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import TypeVar

from nomicgen.law.change_kinds import ChangeKind
from nomicgen.law.kind import Kind, Provision
from nomicgen.law.kinds import kinds
from nomicgen.law.licence import EffectJudge
from nomicgen.law.precedence import Law
from nomicgen.law.replay.scene import RulesetChange, Scene
from nomicgen.law.replay.state import Rule
from nomicgen.law.voting.tally import Condition, VoteTotals
from nomicgen.model.findings import Finding
from nomicgen.model.records import Instruction

_P = TypeVar("_P", bound=Provision)
_Hook = TypeVar("_Hook")


class JudgingKind(Kind[_P], frozen=True, kw_only=True):
    """A kind of provision, and what it does, where it does such a thing.

    `licenses` judges effects, an entry for each type (`law/licence.py`). `permits` judges an instruction: about a rule,
    into a tier. `demands` gives what a vote needs besides its adoption. `hinders` says what stands against a kind of
    change at all: the number of a rule, and why. `leaves` judges the rules that an instrument leaves.
    """

    licenses: tuple[EffectJudge, ...] = ()
    permits: Callable[[Instruction, Rule | None, str | None, Law], Iterable[Finding]] | None = None
    demands: Callable[[VoteTotals, Law], Iterable[Condition]] | None = None
    hinders: Callable[[ChangeKind, Scene], Iterable[tuple[int | None, str]]] | None = None
    leaves: Callable[[RulesetChange], Iterable[Finding]] | None = None


@cache
def judging_kinds() -> tuple[JudgingKind[Provision], ...]:
    """The kinds that judge, in alphabetical order of their names."""
    return tuple(kind for kind in kinds().values() if isinstance(kind, JudgingKind))


def hooks(of: Callable[[JudgingKind[Provision]], _Hook | None]) -> tuple[_Hook, ...]:
    """What the kinds have in a field of `JudgingKind`, such as `lambda kind: kind.leaves`, of those that have it."""
    return tuple(hook for kind in judging_kinds() if (hook := of(kind)) is not None)
