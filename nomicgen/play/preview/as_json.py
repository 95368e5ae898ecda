"""A preview as JSON."""

from __future__ import annotations

from nomicgen.formats.documents import FORMAT, Shape, at, typed
from nomicgen.formats.findings import FINDING
from nomicgen.formats.json_parts import RULE_STATE, SEGMENT
from nomicgen.history.differences import LawChange, Overruled
from nomicgen.law.voting.tally import Tally
from nomicgen.play.effects_json import EFFECTS
from nomicgen.play.next_step import NextStep
from nomicgen.play.preview.interactions import Influence, Interaction
from nomicgen.play.preview.proposal import (
    AdoptionNeed,
    LooseReference,
    Preview,
    PreviewedRule,
    TierCount,
)

SENTENCES = Shape(
    "SentencesView",
    "The sentences of a rule's provisions.",
    PreviewedRule,
    gone="those that go",
    come="those that come",
    kept="those that stay",
)
RULE_CHANGE = Shape(
    "RuleChangeView",
    "What would become of one rule.",
    PreviewedRule,
    before=RULE_STATE("the rule as it stands; null for a new one"),
    after=RULE_STATE("the rule as it would be; null if it is repealed"),
    words="what becomes of it, in English",
    segments=SEGMENT("the redline; null where a text is lost"),
    later=SEGMENT("the redline to the text that a new sunset gives it later; null without one"),
    sentences=SENTENCES.one("what a program reads of it", lambda change: change),
    provisions_stay="whether the text changes under provisions that do not",
    cited_by="the rules in the ruleset that refer to it",
)
NEED = Shape(
    "NeedView",
    "A condition of a proposal's adoption.",
    AdoptionNeed,
    rule="the rule that asks for it",
    sentence="what it asks for",
    arithmetic="how many votes that is",
)
VOTES = Shape(
    "VotesView",
    "The vote on it, by the ids of players.",
    Tally,
    eligible="who may vote",
    for_="who voted for",
    against="who voted against",
    abstain="who abstained",
    missing="who has yet to vote",
    fewest="how many more votes for it would pass it; null if unknown, or if no number would",
)
SAID = Shape(
    "SaidView",
    "What a rule says.",
    value=typed(str, "in words"),
    rule=typed(int | None, "the rule that decides it"),
)
LAW = Shape(
    "LawView",
    "One thing that the rules in force would say otherwise, or that another rule would decide.",
    LawChange,
    what="what it is about",
    before=SAID.maybe("as the rules stand; null if no rule says it"),
    after=SAID.maybe("as they would stand"),
)
OVERRULED = Shape(
    "OverruledView",
    "Something that a rule would say to no effect.",
    Overruled,
    what="what it is about",
    rule="the rule that says it",
    value="what it says, in words",
    by="the rule that goes before it",
    decides="what that rule says, in words",
)
TIER = Shape(
    "TierView",
    "How many rules of a tier there are.",
    TierCount,
    tier="the tier",
    before="as the rules stand",
    after="as they would stand",
    cap="how many there may be then; null without a limit",
    floor="how many there must be then; null without a limit",
)
LOOSE = Shape(
    "LooseView",
    "A reference that would lead nowhere, or to another rule.",
    LooseReference,
    rule="the rule whose text it stands in",
    number="the rule that it names",
    kind="`gone` if it would lead nowhere, `other` if to another rule than now",
)
INFLUENCE = Shape(
    "InfluenceView",
    "What becomes of a proposal if another passes first.",
    Influence,
    kind="what becomes of it (`legal`: only then it can pass; `different`: it needs or does other "
    "things)",
    findings=FINDING("the errors that it gets; if `kind` is `legal`, those that it loses"),
    differences="what else has another effect, in English",
)
ENCOUNTER = Shape(
    "EncounterView",
    "Another proposal that is not decided, or a change that has not taken effect.",
    Interaction,
    file=at("other.path", "its file"),
    number=at("other.number", "its number; a draft has the one that it would get"),
    title=at(
        lambda interaction: interaction.other.title or None, "as its author calls it", str | None
    ),
    pending="whether it is decided, and takes effect later",
    this_after=INFLUENCE("the previewed one after the other passes; null if that cannot pass now"),
    other_after=INFLUENCE(
        "the other after the previewed one passes; null if that cannot now, or the other is decided"
    ),
)
STEP = Shape(
    "NextStepView",
    "Its next step, tried on the day as of which it is judged.",
    NextStep,
    kind="which it is: to get its number, to open its vote, to end it, or to carry it out",
    now=at(lambda step: step.move is not None, "whether it can be made now", bool),
    lawful=at("is_lawful", "whether it can be made now, or once what it waits for has come"),
    words="what it waits for, what prevents it, or that nothing prevents it",
    remedy="what to do about that",
    player=at(
        "waits.player",
        "the id of the player whose turn it waits for; null if it waits for none",
        str | None,
    ),
    turn=at(
        "waits.turn",
        "the turn that it waits for; null if it waits for none, or no rule says which comes",
        str | None,
    ),
    since=at(
        "waits.since", "from when it can be made; null if that is now, or unknown", str | None
    ),
)
CHANGEABLE = Shape(
    "ChangeableView",
    "Whether any vote could change any rule.",
    before=typed(bool, "as the rules stand"),
    after=typed(bool, "as they would stand"),
)
PREVIEW = Shape(
    "PreviewView",
    "What a proposal would do, as the rules stand.",
    Preview,
    format=FORMAT,
    file=at("path", "the proposal's file, as it was named"),
    on=at("moment", "the day as of which it is judged"),
    number=at(
        "supposed.instrument.number",
        "its number, for a draft the next one; null if it cannot be read",
    ),
    status=at(
        "supposed.instrument.matter.status",
        "`draft`, `debate` or `open`; null if it cannot be read",
        str | None,
    ),
    title=at(
        "supposed.instrument.matter.title",
        "as its author calls it; no other key is derived from it",
        str | None,
    ),
    player=at("supposed.instrument.matter.author", "the id of its author", str | None),
    commences=at(
        "supposed.instrument.matter.commences",
        "when it is to take effect, as it says itself; null if it does not say",
        str | None,
    ),
    legal="whether it could be adopted and carried out",
    findings=FINDING("what stands against it, and warnings"),
    summary="what its instructions do, in English",
    rules=RULE_CHANGE("the rules that it changes"),
    needs=NEED("what must be met for its adoption"),
    before_vote=FINDING(
        "what must come before its vote can open, except days that pass by themselves"
    ),
    votes=VOTES("who may vote, and who has", "supposed.tally"),
    effects=EFFECTS("what it would bring about if it passed"),
    law=LAW.many("what else the rules in force would say otherwise"),
    overruled=OVERRULED("what its provisions would say to no effect"),
    tiers=TIER("the tiers that it makes larger or smaller"),
    references=LOOSE("references that would lead nowhere, or elsewhere", "loose"),
    dangling=FINDING("references of its own texts to what never was"),
    next_step=STEP.maybe("its next step; null where errors of its own stand against it"),
    changeable=CHANGEABLE.maybe("null in a game without provisions"),
    proposals=ENCOUNTER(
        "how it and other undecided proposals or coming changes affect each other", "interactions"
    ),
    errors_elsewhere=at("elsewhere", "how many errors the game has outside of undecided proposals"),
)
