"""What comes about, as JSON. Its shape is written as models, of which the reference makes its schema."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from nomicgen.archive.differences import ReachChange
from nomicgen.archive.effects_between import Effects, What
from nomicgen.formats.findings import LISTED
from nomicgen.formats.json_parts import View, date_of
from nomicgen.law.effects import Effect, Kind


class LicenceView(View):
    """A provision of a rule in force that permits an effect."""

    rule: int = Field(description="the rule's number")
    revision: int = Field(description="the revision that it stood at then")
    provision: str = Field(description="the kind of the provision, such as `adoption`")
    note: str = Field(description="the arithmetic of the vote, or the votes that are needed; may be empty")


class EffectView(View):
    """A change of the state of the game."""

    kind: Kind = Field(description="what it changes")
    file: str = Field(description="the file that brings it about")
    words: str = Field(description="what changes, in English; it may have words of players in it")
    date: str | None = Field(description="when; null of what is not decided, or where it is not known")
    licences: Sequence[LicenceView] = Field(description="what permits it; empty where no rule speaks of it")
    refused: bool = Field(description="whether no rule permits it; then it does not come about")
    reason: str = Field(description="what permits it, or that nothing does, in English")


class DifferenceView(View):
    """Something that is otherwise afterwards; both sides are whole, and empty where there is nothing."""

    what: What = Field(
        description="a score, who has won, the next turn, rules due to change, who may vote, rules without force"
    )
    player: str | None = Field(description="the id of the player whose score it is; null for everything else")
    before: Sequence[str] = Field(description="what there is without it")
    after: Sequence[str] = Field(description="what there is with it")


class PossibleView(View):
    """Whether a vote could make a kind of change."""

    possible: bool = Field(description="whether it could")
    needs: Sequence[str] = Field(description="what each condition asks for; empty where it is impossible")
    rules: Sequence[int] = Field(description="the rules that ask for it, or that stand against it")
    reason: str = Field(description="why it is impossible; may be empty")


class ReachView(View):
    """A kind of change that becomes possible or impossible, or needs other votes."""

    verb: Literal["enact", "amend", "repeal", "transmute"] = Field(description="what is done to a rule")
    from_: str | None = Field(serialization_alias="from", description="the tier that the rule stands in")
    into: str | None = Field(description="the tier that it is enacted or transmuted into")
    before: PossibleView = Field(description="as the rules stand")
    after: PossibleView = Field(description="as they would stand")


class EffectsView(View):
    """What comes about, and what differs then."""

    effects: Sequence[EffectView] = Field(description="each effect, in order: the first 5,000")
    differences: Sequence[DifferenceView] = Field(description="what is otherwise afterwards")
    reach: Sequence[ReachView] = Field(description="the kinds of change that become possible, impossible or other")


def effects_view(made: Effects) -> EffectsView:
    """What comes about, as a part of a document."""
    return EffectsView(
        effects=[_effect(one) for one in made.effects[:LISTED]],
        differences=[DifferenceView.model_validate(one) for one in made.differences],
        reach=[_reach(one) for one in made.reach],
    )


def _effect(one: Effect) -> EffectView:
    return EffectView(
        kind=one.kind,
        file=one.path,
        words=one.words,
        date=date_of(one.moment),
        licences=[LicenceView.model_validate(each) for each in one.licences],
        refused=one.refused,
        reason=one.reason,
    )


def _reach(one: ReachChange) -> ReachView:
    return ReachView(
        verb=one.after.verb,
        from_=one.after.from_,
        into=one.after.into,
        before=PossibleView.model_validate(one.before),
        after=PossibleView.model_validate(one.after),
    )
