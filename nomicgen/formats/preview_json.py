"""A preview as JSON. Its shape is written as models, of which the reference makes its JSON Schema."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import Field

from nomicgen.archive.differences import LawChange
from nomicgen.archive.interactions import Encounter, Influence
from nomicgen.archive.proposal_preview import Preview, RuleChange
from nomicgen.archive.redline import Segment
from nomicgen.diagnostics import Finding
from nomicgen.formats.effects_json import EffectsView, effects_view
from nomicgen.formats.findings import FindingView, finding_view
from nomicgen.formats.json_parts import Document, RuleState, SegmentView, View, date_of, rule_state
from nomicgen.law.replay_state import Rule
from nomicgen.model import ProposalMatter


class MovedView(View):
    """The sentences of a rule's provisions."""

    gone: Sequence[str] = Field(description="those that go")
    come: Sequence[str] = Field(description="those that come")
    kept: Sequence[str] = Field(description="those that stay")


class RuleChangeView(View):
    """What would become of one rule."""

    before: RuleState | None = Field(description="the rule as it stands; null for a new one")
    after: RuleState | None = Field(description="the rule as it would be; null if it is repealed")
    words: Sequence[str] = Field(description="what becomes of it, in English")
    segments: Sequence[SegmentView] | None = Field(description="the redline; null where a text is lost")
    later: Sequence[SegmentView] | None = Field(
        description="the redline of the text that it gives itself later, by a new sunset; null without one"
    )
    sentences: MovedView = Field(description="what a program reads of it")
    provisions_stay: bool = Field(description="whether the text changes under provisions that do not")
    cited_by: Sequence[int] = Field(description="the rules in force that refer to it")


class NeedView(View):
    """A condition of its adoption."""

    rule: int = Field(description="the rule that asks for it")
    sentence: str = Field(description="what it asks for")
    arithmetic: str = Field(description="how many votes that is")


class VotesView(View):
    """The vote on it, by the ids of players."""

    eligible: Sequence[str] = Field(description="who may vote")
    for_: Sequence[str] = Field(serialization_alias="for", description="who voted for")
    against: Sequence[str] = Field(description="who voted against")
    abstain: Sequence[str] = Field(description="who abstained")
    missing: Sequence[str] = Field(description="who has yet to vote")
    fewest: int | None = Field(description="how few more votes in favour would do; null if unknown, or if none would")


class SaidView(View):
    """What a rule says."""

    value: str = Field(description="in words")
    rule: int | None = Field(description="the rule that decides it")


class LawView(View):
    """One thing that the rules in force would say otherwise, or that another rule would decide."""

    what: str = Field(description="what it is about")
    before: SaidView | None = Field(description="as the rules stand; null if no rule says it")
    after: SaidView | None = Field(description="as they would stand")


class OverruledView(View):
    """Something that a rule would say to no effect."""

    what: str = Field(description="what it is about")
    rule: int = Field(description="the rule that says it")
    value: str = Field(description="what it says, in words")
    by: int = Field(description="the rule that goes before it")
    decides: str = Field(description="what that rule says, in words")


class TierView(View):
    """How many rules of a tier there are."""

    tier: str = Field(description="the tier")
    before: int = Field(description="as the rules stand")
    after: int = Field(description="as they would stand")
    cap: int | None = Field(description="how many there may be then")
    floor: int | None = Field(description="how many there must be then")


class LooseView(View):
    """A reference that would lead nowhere, or to another rule."""

    rule: int = Field(description="the rule whose text it stands in")
    number: int = Field(description="the rule that it names")
    kind: Literal["gone", "other"] = Field(description="nowhere, or to another rule than now")


class InfluenceView(View):
    """What becomes of a proposal if another passes first."""

    kind: Literal["stale", "illegal", "legal", "different", "independent"] = Field(description="what becomes of it")
    findings: Sequence[FindingView] = Field(description="the errors that come; for `legal`, those that go")
    differences: Sequence[str] = Field(description="what else comes out different, in English")


class EncounterView(View):
    """Another proposal that is not decided, or a change that has not taken effect."""

    file: str = Field(description="its file")
    number: int | None = Field(description="its number; a draft has the one that it would get")
    title: str | None = Field(description="as its author calls it")
    pending: bool = Field(description="whether it is decided, and takes effect later")
    this_after: InfluenceView | None = Field(
        description="what this becomes if that passes first; null if that cannot pass now"
    )
    other_after: InfluenceView | None = Field(
        description="what that becomes if this passes first; null if this cannot pass now, or that is decided"
    )


class ChangeableView(View):
    """Whether any vote could change any rule."""

    before: bool = Field(description="as the rules stand")
    after: bool = Field(description="as they would stand")


class PreviewView(Document):
    """What a proposal would do, as the rules stand."""

    file: str = Field(description="the proposal's file, as it was named")
    on: str = Field(description="the day as of which it is judged")
    number: int | None = Field(description="its number, for a draft the next one; null if it cannot be read")
    status: str | None = Field(description="`draft`, `debate` or `open`; null if it cannot be read")
    title: str | None = Field(description="as its author calls it; nothing else here is made of it")
    player: str | None = Field(description="the id of its author")
    commences: str | None = Field(description="when it is to take effect, as it says itself; null if it does not say")
    legal: bool = Field(description="whether it could be adopted and carried out")
    findings: Sequence[FindingView] = Field(description="what stands against it, and warnings")
    summary: Sequence[str] = Field(description="what its instructions do, in English")
    rules: Sequence[RuleChangeView] = Field(description="the rules that it changes")
    needs: Sequence[NeedView] = Field(description="what must be met for its adoption")
    votes: VotesView | None = Field(description="who may vote, and who has")
    effects: EffectsView = Field(description="what it would bring about if it passed")
    law: Sequence[LawView] = Field(description="what else the rules in force would say otherwise")
    overruled: Sequence[OverruledView] = Field(description="what its provisions would say to no effect")
    tiers: Sequence[TierView] = Field(description="the tiers that it makes larger or smaller")
    references: Sequence[LooseView] = Field(description="references that would lead nowhere, or elsewhere")
    dangling: Sequence[FindingView] = Field(description="references of its own texts to what never was")
    changeable: ChangeableView | None = Field(description="null in a game without provisions")
    proposals: Sequence[EncounterView] = Field(description="how it and the other open proposals change each other")
    errors_elsewhere: int = Field(description="how many errors the game has outside of undecided proposals")


def preview_json(preview: Preview) -> dict[str, Any]:
    """The preview as a mapping."""
    supposed = preview.supposed
    matter = supposed.instrument.matter if supposed else None
    assert matter is None or isinstance(matter, ProposalMatter)
    view = PreviewView(
        file=preview.path,
        on=str(preview.moment),
        number=supposed.instrument.number if supposed else None,
        status=matter.status if matter else None,
        title=matter.title if matter else None,
        player=matter.author if matter else None,
        commences=date_of(matter.commences) if matter else None,
        legal=preview.legal,
        findings=_findings(preview.findings),
        summary=preview.summary,
        rules=[_rule_change(one) for one in preview.rules],
        needs=[NeedView.model_validate(one) for one in preview.needs],
        votes=VotesView.model_validate(supposed.tally) if supposed else None,
        effects=effects_view(preview.effects),
        law=[_law(one) for one in preview.law],
        overruled=[OverruledView.model_validate(one) for one in preview.overruled],
        tiers=[TierView.model_validate(one) for one in preview.tiers],
        references=[LooseView.model_validate(one) for one in preview.loose],
        dangling=_findings(preview.dangling),
        changeable=_changeable(preview.changeable),
        proposals=[_encounter(one) for one in preview.encounters],
        errors_elsewhere=preview.elsewhere,
    )
    return view.model_dump(mode="json", by_alias=True)


def _findings(findings: Sequence[Finding]) -> list[FindingView]:
    return [finding_view(one) for one in findings]


def _rule(rule: Rule | None) -> RuleState | None:
    return None if rule is None else rule_state(rule)


def _rule_change(one: RuleChange) -> RuleChangeView:
    return RuleChangeView(
        before=_rule(one.before),
        after=_rule(one.after),
        words=one.words,
        segments=_segments(one.segments),
        later=_segments(one.later),
        sentences=MovedView.model_validate(one),
        provisions_stay=one.provisions_stay,
        cited_by=one.cited_by,
    )


def _segments(segments: Sequence[Segment] | None) -> list[SegmentView] | None:
    return None if segments is None else [SegmentView.model_validate(part) for part in segments]


def _law(one: LawChange) -> LawView:
    return LawView(
        what=one.what,
        before=None if one.before is None else SaidView(value=one.before, rule=one.before_rule),
        after=None if one.after is None else SaidView(value=one.after, rule=one.after_rule),
    )


def _changeable(sides: tuple[bool, bool] | None) -> ChangeableView | None:
    return None if sides is None else ChangeableView(before=sides[0], after=sides[1])


def _encounter(one: Encounter) -> EncounterView:
    return EncounterView(
        file=one.other.path,
        number=one.other.number,
        title=one.other.title or None,
        pending=one.pending,
        this_after=_influence(one.this_after),
        other_after=_influence(one.other_after),
    )


def _influence(one: Influence | None) -> InfluenceView | None:
    if one is None:
        return None
    return InfluenceView(kind=one.kind, findings=_findings(one.findings), differences=one.differences)
