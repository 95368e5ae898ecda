"""What a proposal or a pull request brings about, as JSON."""

from __future__ import annotations

from nomicgen.formats.documents import Shape, at
from nomicgen.formats.findings import LISTED
from nomicgen.history.differences import ReachChange
from nomicgen.history.past.effects_between import Effects, StateDifference
from nomicgen.law.possible_changes import PossibleChange
from nomicgen.law.replay.effects import Effect, Licence

LICENCE = Shape(
    "LicenceView",
    "A provision of a rule in force that permits an effect.",
    Licence,
    rule="the rule's number",
    revision="the revision that it stood at then",
    provision="the kind of the provision, such as `adoption`",
    note="the arithmetic of the vote, or the votes that are needed; may be empty",
)
EFFECT = Shape(
    "EffectView",
    "A change of the state of the game.",
    Effect,
    kind="what it changes",
    file=at("path", "the file that brings it about"),
    words="what changes, in English; it may have words of players in it",
    date=at("moment", "when; null of what is not decided, or where it is not known"),
    licences=LICENCE("what permits it; empty where no provision speaks of it"),
    refused="whether no rule permits it",
    reason="what permits it, or that nothing does, in English",
)
DIFFERENCE = Shape(
    "DifferenceView",
    "Something that differs afterwards; both sides are whole, and empty where there is nothing.",
    StateDifference,
    what="a score, who has won, the next turn, rules due to change, who may vote, rules without "
    "force",
    player="the id of the player whose score it is; null for everything else",
    before="what there is without it",
    after="what there is with it",
)
POSSIBLE = Shape(
    "PossibleView",
    "Whether a vote could make a kind of change.",
    PossibleChange,
    possible="whether it could",
    needs="what each condition asks for; empty where it is impossible",
    rules="the rules that ask for it, or that stand against it",
    reason="why it is impossible; may be empty",
)
REACH = Shape(
    "ReachView",
    "A kind of change that becomes possible or impossible, or needs other votes.",
    ReachChange,
    verb=at("after.verb", "what is done to a rule"),
    from_=at("after.from_", "the tier that the rule stands in; null for a new one"),
    into=at("after.into", "the tier that it is enacted or transmuted into; else null"),
    before=POSSIBLE("as the rules stand"),
    after=POSSIBLE("as they would stand"),
)
EFFECTS = Shape(
    "EffectsView",
    "What comes about, and what differs then.",
    Effects,
    effects=EFFECT.many(
        "each effect, in order: the first 5,000", lambda effects: effects.effects[:LISTED]
    ),
    differences=DIFFERENCE("what differs afterwards"),
    reach=REACH("the kinds of change that become possible, impossible or other"),
)
