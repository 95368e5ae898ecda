"""Effects, which are changes of a game, and the rules that permit them: value types."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from nomicgen.model.findings import Findings
from nomicgen.model.values import Moment

EffectKind = Literal["rule", "points", "turn", "seat", "judgement", "proposal", "deed", "record"]
"""What changes. `seat`: a player joins, leaves, rests or returns; `record`: a correction."""


class Licence(Struct, frozen=True):
    """A rule in force and the kind of its provision that permits an effect; `note` is the
    arithmetic of a vote.
    """

    rule: int
    revision: int
    provision: str
    note: str = ""

    @property
    def words(self) -> str:
        """`Rule 109/0`, or `Rule 109/0, 4 for; all eligible voters (4): 4 needed`."""
        return f"Rule {self.rule}/{self.revision}{f', {self.note}' if self.note else ''}"


class Effect(Struct, frozen=True, kw_only=True):
    """One change of the game, and what permits it.

    `refused`: the law does not permit it. It may have happened all the same: `gate.py` says which
    do. `path` is the file that brings it about; `words` say what changes: `wren: 5 → 105 points`.
    If they also tell the state before it, `change` is the change alone.
    """

    kind: EffectKind
    path: str
    words: str
    moment: Moment | None
    licences: tuple[Licence, ...] = ()
    refused: bool = False
    change: str | None = None

    @property
    def reason(self) -> str:
        """`Rule 201/0`, `no provision speaks of it` or `no rule permits it`."""
        if self.refused:
            return "no rule permits it"
        return "; ".join(licence.words for licence in self.licences) or "no provision speaks of it"


class Verdict(Struct, frozen=True):
    """The rules that speak of an effect, and what is wrong with it.

    They permit it if no finding is an error. Without rules and findings, no provision is about it.
    """

    licences: tuple[Licence, ...] = ()
    findings: Findings = ()

    @property
    def is_lawful(self) -> bool:
        return not any(finding.is_error for finding in self.findings)

    def effect(
        self,
        kind: EffectKind,
        path: str,
        words: str,
        moment: Moment | None,
        *,
        refused: bool = False,
    ) -> Effect:
        """Return the effect that was judged so; `refused` also if something else forbids it."""
        refused = refused or not self.is_lawful
        return Effect(
            kind=kind,
            path=path,
            words=words,
            moment=moment,
            licences=self.licences,
            refused=refused,
        )
