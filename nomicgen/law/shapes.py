"""The schemas of all provisions: what a rule tells a program (2-law.md).

Their shapes stand; what each makes happen is elsewhere (`precedence`, `ballot`, `effect`, `numbering`), and so is how a
rule's provisions are read (`provisions`).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, model_validator

from nomicgen.law.amounts import Amount, AmountField
from nomicgen.law.shape import Doings, Involved, Many, Provision, Shape, Sources, Tiers, Verbs
from nomicgen.model import Boolean, Count, Date, Ident, Number, Ratio, Text

__all__ = [
    "KINDS",
    "LISTED",
    "MODELS",
    "WORDS",
    "Adoption",
    "Amount",
    "Authority",
    "Awards",
    "Ballot",
    "Changeable",
    "Die",
    "Effect",
    "Judgements",
    "Numbering",
    "Points",
    "Provision",
    "Sunset",
    "Threshold",
    "TieBreak",
    "Turns",
    "Victory",
]


class Threshold(Shape):
    """A number of votes to reach (`at_least`) or to exceed (`more_than`); exactly one of them."""

    more_than: AmountField | None = Field(None, description="a share or a number of votes to exceed")
    at_least: AmountField | None = Field(None, description="a share or a number of votes to reach")

    @model_validator(mode="after")
    def _one(self) -> Threshold:
        if (self.more_than is None) == (self.at_least is None):
            raise ValueError("should have exactly one of more_than and at_least")
        _require_reachable(self.more_than)
        return self


def _require_reachable(more_than: Amount | None) -> None:
    if more_than is not None and more_than.share and more_than.value >= 1:
        raise ValueError("should be a share below one: there is nothing above all")


Needs = Literal["unanimous", "majority", "two-thirds"] | Threshold
Base = Literal["eligible", "cast", "players"]


class Second(Shape):
    """A second condition of an adoption."""

    needs: Needs | None = Field(None, description="the share of votes for")
    more_than: AmountField | None = Field(None, description="a share or a number of votes to exceed")
    at_least: AmountField | None = Field(None, description="a share or a number of votes to reach")
    of: Base = Field("eligible", description="whose votes a share is of")

    @model_validator(mode="after")
    def _one(self) -> Second:
        if sum(part is not None for part in (self.needs, self.more_than, self.at_least)) != 1:
            raise ValueError("should have exactly one of needs, more_than and at_least")
        _require_reachable(self.more_than)
        return self

    @property
    def threshold(self) -> Needs:
        return self.needs if self.needs is not None else Threshold(more_than=self.more_than, at_least=self.at_least)


class Adoption(Provision):
    """What a change needs to be adopted."""

    needs: Needs = Field(description="the share of votes for")
    of: Base = Field("eligible", description="whose votes a share is of")
    and_: Second | None = Field(None, alias="and", description="a second condition")
    to: Verbs | None = Field(None, description="the kinds of change that it is about; all, if missing")
    from_: Tiers | None = Field(None, alias="from", description="the tiers that a changed rule stands in")
    into: Tiers | None = Field(None, description="the tiers that a rule is enacted or transmuted into")

    @model_validator(mode="after")
    def _about(self) -> Adoption:
        verbs = {"enact", "amend", "repeal", "transmute"} if self.to is None else set(self.to)
        if not (verbs & {"enact", "transmute"} if self.into else verbs) - ({"enact"} if self.from_ else set()):
            raise ValueError("is about no change: only enact and transmute lead into a tier, and enact from none")
        return self


class NumbersFrom(Shape):
    """The numbers that an authority may give."""

    from_: Number = Field(alias="from", description="the lowest of them")


class Authority(Provision):
    """Who else than a proposal may change rules."""

    by: Literal["act", "judgement"] = Field(description="the kind of instrument")
    to: Doings = Field(description="the kinds of change that it may make; who may repeal a rule may void it too")
    numbers: NumbersFrom | None = Field(None, description="the numbers of the rules that it may make or change")


class Numbering(Provision):
    """How numbers are given."""

    first: Number | None = Field(None, description="the number of the first proposal")
    enacted: Literal["proposal", "next"] | None = Field(None, description="the number that a new rule takes")
    amended: Literal["proposal", "keep"] | None = Field(None, description="the number that an amended rule takes")
    transmuted: Literal["proposal", "keep"] | None = Field(None, description="the number that a transmuted rule takes")
    taken: Literal["next-free", "error"] | None = Field(None, description="what a number that is taken gives")
    changes: Many | None = Field(None, description="how many changes a proposal may hold")


class Effect(Provision):
    """When an adopted change takes effect; written `at-once` or `{when: at-once}`."""

    when: Literal["at-once", "next-turn"] = Field(description="at once, or at the start of the next turn")


class Die(Shape):
    """A die that votes: for on the faces `for`, against on `against`, not at all on the others."""

    die: Number = Field(description="the sides of the die")
    for_: tuple[Number, ...] = Field((), alias="for", description="the faces that are a vote for")
    against: tuple[Number, ...] = Field((), description="the faces that are a vote against")

    @model_validator(mode="after")
    def _faces(self) -> Die:
        _require_faces(self.die, self.for_, self.against)
        return self

    def vote(self, face: int) -> Literal["for", "against", "abstain"]:
        """What a throw is; a face that is neither for nor against is no vote."""
        return "for" if face in self.for_ else "against" if face in self.against else "abstain"


def _require_faces(die: int, *groups: tuple[int, ...]) -> None:
    faces = [face for group in groups for face in group]
    if not faces:
        raise ValueError("should say which faces are a vote for, or against")
    if max(faces) > die:
        raise ValueError(f"has no face {max(faces)}: the die has {die} sides")
    if len(set(faces)) < len(faces):
        raise ValueError("should name each face once")


class TieBreak(Shape):
    """Who breaks a tie, perhaps by a die."""

    by: Ident = Field(description="the player who breaks it, and has no other vote")
    die: Number | None = Field(None, description="the sides of the die")
    for_: tuple[Number, ...] = Field((), alias="for", description="the faces that are a vote for")
    against: tuple[Number, ...] = Field((), description="the faces that are a vote against")

    @model_validator(mode="after")
    def _faces(self) -> TieBreak:
        if self.die is not None:
            _require_faces(self.die, self.for_, self.against)
        elif self.for_ or self.against:
            raise ValueError("has faces and no die")
        return self

    @property
    def throws(self) -> Die | None:
        faces = {"die": self.die, "for": self.for_, "against": self.against}
        return None if self.die is None else Die.model_validate(faces)


class Penalty(Shape):
    """What not voting costs."""

    points: Ratio = Field(gt=0, description="how many points are lost; exact")


class Ballot(Provision):
    """How a vote is held. `closes_after` and `debate` are in days."""

    electorate: Literal["players", "active"] | None = Field(None, description="who may vote: all, or who is active")
    inactive_may_vote: Boolean | None = Field(
        None, description="whether an inactive player may, and so is active again"
    )
    everyone_votes: Boolean | None = Field(None, description="whether everyone who may vote must")
    silence: Literal["waits", "for", "against", "ignored"] | None = Field(None, description="what no vote counts as")
    debate: Count | None = Field(None, description="days before the vote opens")
    closes_after: Number | None = Field(None, description="days that the vote is open")
    penalty: Penalty | None = Field(None, description="what not voting costs")
    abstention: Literal["forbidden", "counts", "ignored"] | None = Field(None, description="what an abstention is")
    author_votes_for: Boolean | None = Field(None, description="whether the author counts as a vote for")
    tie_break: TieBreak | None = Field(None, description="who or what breaks a tie")
    resubmissions: Count | None = Field(None, description="how often a proposal may be put again")
    dummy: Die | None = Field(None, description="how a dummy player votes")
    withdrawal: Literal["until-opened", "until-complete"] | None = Field(
        None, description="until when an author may withdraw a proposal: the vote opens, or everyone has voted"
    )


Occasion = Literal["adopted", "defeated", "decided", "turn", "passed", "judged", "silence", "late-judge"]
Holder = Annotated[dict[Literal["role"], Ident], Field(min_length=1)]
Receiver = Literal["author", "for", "against", "silent", "player", "judge"] | Holder


_DECISIONS = ("adopted", "defeated", "decided")
_RECEIVERS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(_DECISIONS, ("author", "for", "against", "silent")),
    **dict.fromkeys(("turn", "passed"), ("player",)),
    **dict.fromkeys(("judged", "late-judge"), ("judge",)),
    "silence": ("silent",),
}


class Points(Provision):
    """One award: on what, to whom, how much."""

    on: Occasion = Field(description="what has happened")
    to: Receiver = Field(description="who gets them: by their part in it, or by a role")
    amount: Ratio | None = Field(None, description="how many; exact, and negative for a loss")
    die: Number | None = Field(None, description="the sides of a die that says how many")
    times: Literal["share-for", "changes"] | None = Field(None, description="what that is multiplied by")
    if_: Literal["unanimity-needed", "unanimity-not-needed"] | None = Field(None, alias="if", description="only then")

    @model_validator(mode="after")
    def _one(self) -> Points:
        if (self.amount is None) == (self.die is None):
            raise ValueError("should have exactly one of amount and die")
        if self.die is not None and self.on not in ("turn", "passed"):
            raise ValueError("should have an amount: a die is thrown only on turn or passed")
        if isinstance(self.to, str) and self.to not in _RECEIVERS[self.on]:
            raise ValueError(
                f"cannot go to {self.to} on {self.on}: there is {', '.join(_RECEIVERS[self.on])} or a role"
            )
        if self.times is not None and self.on not in _DECISIONS:
            raise ValueError("should have `times` only on adopted, defeated or decided")
        if self.if_ is not None and self.on not in _DECISIONS:
            raise ValueError("should have `if` only on adopted, defeated or decided")
        return self


class Awards(Provision):
    """Points that a file may give by hand, for what no program can judge."""

    in_: Sources = Field(alias="in", description="the kinds of file that may give them")
    amount: Ratio | None = Field(None, description="how many; exact, and negative for a loss")
    at_least: Ratio | None = Field(None, description="the fewest; negative for a loss")
    at_most: Ratio | None = Field(None, description="the most")

    @model_validator(mode="after")
    def _one(self) -> Awards:
        least, most = self.at_least, self.at_most
        if self.amount is not None and not (least is None and most is None):
            raise ValueError("should have either amount, or at_least and at_most")
        if least is not None and most is not None and most < least:
            raise ValueError("should have an at_least that is no more than at_most")
        return self

    def covers(self, amount: Fraction) -> bool:
        """Whether so many points may be given."""
        least, most = (self.at_least, self.at_most) if self.amount is None else (self.amount, self.amount)
        return (least is None or least <= amount) and (most is None or amount <= most)


class Judgements(Provision):
    """Who judges, and what overrules a judgement."""

    judge: Literal["previous"] | None = Field(
        None, description="`previous`: the player before the one whose turn it is; before that, if overruled"
    )
    never: Involved | None = Field(
        None, description="who may not judge: who asked, the author of the proposal in question"
    )
    overruled_by: Literal["others", "judgement"] | None = Field(
        None, description="what overrules it: the votes of all other players, or a judgement by somebody else"
    )


class Victory(Provision):
    """What wins the game."""

    points: Ratio | None = Field(None, gt=0, description="who first has so many wins")


class Turns(Provision):
    """How turns go round."""

    order: Literal["alphabetical", "joined", "seat", "random"] | None = Field(None, description="who comes after whom")
    proposals: Count | None = Field(None, description="how many proposals a turn has")
    passing: Boolean | None = Field(None, description="whether a turn may be passed")
    passes_after: Number | None = Field(None, description="days after which a turn passes by itself")
    joins: Literal["last", "before-current", "next-circuit"] | None = Field(None, description="where a newcomer plays")
    overlap: Boolean | None = Field(None, description="whether a turn may begin before the one before it has ended")
    proposal_required: Boolean | None = Field(None, description="whether a turn has to have a proposal")


class After(Shape):
    """When: after so many circuits or turns, on a date, or when something happens; exactly one."""

    circuits: Number | None = Field(None, description="after so many circuits")
    turns: Number | None = Field(None, description="after so many turns")
    date: Date | None = Field(None, description="on this day")
    event: Text | None = Field(None, description="when this happens, in words; an act records that it has")

    @model_validator(mode="after")
    def _one(self) -> After:
        if sum(part is not None for part in (self.circuits, self.turns, self.date, self.event)) != 1:
            raise ValueError("should have exactly one of circuits, turns, date and event")
        return self


class Becomes(Shape):
    """What a rule becomes by itself; without new provisions it keeps those that it has, less the sunset."""

    text: Text | None = Field(None, description="its new text")
    provisions: dict[str, Any] | None = Field(None, description="its new provisions, in place of all that it has")

    @model_validator(mode="after")
    def _some(self) -> Becomes:
        if self.text is None and self.provisions is None:
            raise ValueError("should have a text, or provisions, or both")
        return self


class Sunset(Provision):
    """What becomes of a rule by itself, and when."""

    after: After = Field(description="when")
    unless: Literal["amended"] | None = Field(None, description="not if it was amended since")
    becomes: Literal["repealed"] | Becomes = Field(description="what becomes of it")

    @model_validator(mode="after")
    def _own(self) -> Sunset:
        if self.over or self.under:
            raise ValueError("should be without over and under: what a rule says of itself is no other rule's to say")
        return self


class Changeable(Provision):
    """A change after which votes could not change the rules for ever is refused; written `always`, or `texts`."""

    when: Literal["always", "texts"] = Field(description="what must stay possible: some change, or one of a text")


class Entrenchment(Provision):
    """What may be done to a tier at all: the kinds of change, by tier."""

    model_config = ConfigDict(frozen=True, extra="allow", arbitrary_types_allowed=True, defer_build=True)
    __pydantic_extra__: dict[str, Annotated[Verbs, Field(description="what may be done to its rules; `[]`: nothing")]]


class Cap(Provision):
    """The most rules that a tier may have."""

    model_config = ConfigDict(frozen=True, extra="allow", arbitrary_types_allowed=True, defer_build=True)
    __pydantic_extra__: dict[str, Annotated[Count, Field(description="how many rules at most")]]


class Floor(Provision):
    """The fewest rules that a tier must have."""

    model_config = ConfigDict(frozen=True, extra="allow", arbitrary_types_allowed=True, defer_build=True)
    __pydantic_extra__: dict[str, Annotated[Count, Field(description="how many rules at least")]]


MODELS: dict[str, type[Provision]] = {
    "adoption": Adoption,
    "entrenchment": Entrenchment,
    "authority": Authority,
    "numbering": Numbering,
    "effect": Effect,
    "ballot": Ballot,
    "cap": Cap,
    "floor": Floor,
    "changeable": Changeable,
    "points": Points,
    "awards": Awards,
    "judgements": Judgements,
    "victory": Victory,
    "turns": Turns,
    "sunset": Sunset,
}
LISTED = frozenset({"adoption", "authority", "points", "awards"})
"""Kinds of which a rule may have several, as a list."""
WORDS = frozenset({"effect", "changeable"})
"""Kinds that may be written as one word."""
KINDS: tuple[str, ...] = tuple(MODELS)
