"""The documents of a site's data that tell of proposals, judgements and acts."""

from __future__ import annotations

from nomicgen.formats.documents import FORMAT, Shape, at, typed
from nomicgen.formats.json_parts import SCORE_LINE, TALLY
from nomicgen.law.replay.results import RuleChange, ScoreLine
from nomicgen.law.voting.tally import Condition, Tally
from nomicgen.model.front_matters import (
    ActMatter,
    EarlierVote,
    JudgementMatter,
    ProposalMatter,
    Restated,
    Vote,
)
from nomicgen.model.records import Instruction
from nomicgen.site.data.api_rules import PLACE

_URL = typed(str, "the page, relative to the site's root")
_FILE = typed(str, "its file in the game")

_INSTRUCTION = Shape(
    "InstructionView",
    "One change, as it is written.",
    Instruction,
    heading="its heading, such as `Amend Rule 203/0`",
    verb="what is done to the rule",
    rule=at("target", "the rule, with the revision where one is named; null for a new one"),
    number="the new number, where one is given",
    title="the new title, where one is given",
    tier="the new tier, where one is given",
    text="the whole new text, as Markdown; null where it is lost, or there is none",
    provisions=at("block.provisions", "the new provisions, as a rule's file would have them"),
)
CHANGE = Shape(
    "ChangeView",
    "A rule before and after one change, carried out or not.",
    RuleChange,
    verb="what was done",
    before=at("before.ref", "the rule before, such as `203/0`; null for a new one"),
    after=at("after.ref", "the rule after; null for a repeal"),
    done=typed(bool, "whether it took effect"),
    url=typed(str | None, "the rule's page; null if there never was such a rule"),
    data=typed(str | None, "the rule's document"),
)
_AWARD = Shape(
    "AwardView",
    "Points that someone got or lost by an instrument.",
    ScoreLine,
    **SCORE_LINE.keys,
    player="whose",
)
_INSTRUMENT = {
    "instructions": _INSTRUCTION.many("the changes, as they are written"),
    "changes": CHANGE.many(
        "what they did; if the instrument failed or is undecided, what they would do; empty while "
        "it waits to take effect, and where they cannot be carried out"
    ),
    "points": _AWARD.many("points that were got or lost by it"),
    "note": typed(str | None, "a remark for readers, without force"),
    "commit": typed(
        str | None,
        "the commit that the file names, else the one that decided it, else the one that last "
        "changed the file",
    ),
}
PROPOSAL_ITEM = Shape(
    "ProposalItem",
    "A proposal, in few words.",
    ProposalMatter,
    **PLACE,
    number="its number; a draft has none",
    title="as its author calls it",
    author="the id of its author",
    status="what has become of it",
    turn="the turn in which it was put forward",
    date="when it was put forward",
    opened="when the vote opened",
    decided="when the vote ended, or the proposal was withdrawn",
    effective=typed(str | None, "when it took effect, or will; null if not adopted, or unknown"),
    file=_FILE,
    summary=typed(tuple[str, ...], "the headings of its changes"),
)
PROPOSALS = Shape(
    "ProposalsDocument",
    "Every proposal.",
    format=FORMAT,
    url=_URL,
    proposals=PROPOSAL_ITEM.many("by number, drafts last"),
)
_CONDITION = Shape(
    "ConditionView",
    "A condition of a proposal's adoption.",
    Condition,
    rule="the rule that asked for it",
    sentence="what it asked for",
    arithmetic="how many votes that was, and how many there were",
    met="whether it was met",
)
_VOTE = Shape(
    "VoteView",
    "The vote, counted by the rules of its day; players are named by their ids.",
    Tally,
    **TALLY.keys,
    eligible="who was entitled to vote",
    tie_break=at("tie_broken_by", "who broke a tie"),
    recorded="false where an archive did not keep the votes",
    conditions=_CONDITION("what had to be met"),
)
BALLOT = Shape(
    "BallotView",
    "One player's vote as the file has it. (The key `ballot` has the token of a vote.)",
    Vote,
    player=typed(str, "whose"),
    vote="what was voted",
    at="when it was cast",
    source="where it was cast, an address that its author wrote",
    cast_by="who or what cast it",
    die="what was thrown, where a die decided",
    signature="what its voter signed, with the SSH signature; null where nobody did",
)
EARLIER = Shape(
    "EarlierView",
    "The vote on an earlier submission.",
    EarlierVote,
    opened="when that vote opened",
    ballot="the token of that vote",
    digest="the SHA-256 of what was voted on then",
    ballots=BALLOT.many("the votes"),
)
PROPOSAL = Shape(
    "ProposalDocument",
    "A proposal, whole.",
    ProposalMatter,
    format=FORMAT,
    **PROPOSAL_ITEM.keys,
    **_INSTRUMENT,
    argument=typed(str, "what its author says for it, as Markdown"),
    discussion="where it is debated, an address that was written in its file",
    vote=_VOTE.maybe("null where there was none"),
    ballots=BALLOT.many("the votes, as the file has them"),
    earlier=EARLIER.many("the votes on earlier submissions"),
    commences="when it is to take effect, as it says itself; null if it does not say",
    ballot="the token that votes name; null where the vote has none",
    digest="the SHA-256 of what was voted on: instructions, `commences`, title and argument; "
    "without the last two if a rule lets votes stand when these change, or the vote has no token",
)
JUDGEMENT_ITEM = Shape(
    "JudgementItem",
    "A judgement, in few words.",
    JudgementMatter,
    **PLACE,
    number="its number",
    title="what it is about",
    status="`pending` while it is not given",
    called_by="the id of the player who asked",
    judge="the id of the player who judged, or is to",
    turn="the turn in which it was given",
    date="when it was given; while pending, when asked for or reassigned",
    rules="the revisions that it construes, such as `203/0`",
    file=_FILE,
)
JUDGEMENTS = Shape(
    "JudgementsDocument",
    "Every judgement.",
    format=FORMAT,
    url=_URL,
    judgements=JUDGEMENT_ITEM.many("by number"),
)
CONSTRUED = Shape(
    "ConstruedView",
    "A rule that a judgement construes.",
    rule=typed(str, "as the judgement names it, such as `203/0`"),
    note=typed(
        str | None, "what has become of the rule, such as `repealed`; null if its text is the same"
    ),
    url=typed(str | None, "its page; null where there is no such rule"),
    data=typed(str | None, "its document"),
)
JUDGEMENT = Shape(
    "JudgementDocument",
    "A judgement, whole.",
    JudgementMatter,
    format=FORMAT,
    **JUDGEMENT_ITEM.keys,
    **_INSTRUMENT,
    late="earlier judges, who let their time run out",
    effective="when what it changes takes effect",
    overruled="when it was overruled",
    overruled_by=at(
        "overruled_by",
        "the ids of the players who voted to overrule it, or the number of the judgement that did",
        tuple[str, ...] | int | None,
    ),
    proposal="the proposal that it is about",
    voids="the proposal that it declares void",
    under="the rule that lets it change rules",
    construes=CONSTRUED.many("the rules that it construes, and where they are"),
    question=typed(str, "the question and the reasoning, as Markdown"),
    ruling=typed(str, "the ruling, as Markdown; may be empty"),
)
ACT_ITEM = Shape(
    "ActItem",
    "An act, in few words.",
    ActMatter,
    **PLACE,
    cause="what it is called, such as `Temporary Rule 601`",
    by="the id of a player, or the number of a rule that acts by itself",
    under="the rule that gives the authority",
    turn="the turn in which it was done",
    date="when it was done",
    effective=typed(str, "when what it changes takes effect"),
    file=_FILE,
)
ACTS = Shape(
    "ActsDocument",
    "Every act.",
    format=FORMAT,
    url=typed(str | None, "the page, relative to the site's root; null while there are no acts"),
    acts=ACT_ITEM.many("by the name of the file"),
)
_RESTATED = Shape(
    "RestatedView",
    "A recorded field that a correction restates.",
    Restated,
    file="the file that it stands in",
    key="what it is, such as `votes.wren`",
    was="what the file said; null where it said nothing",
    now="what it says since; null where it was taken out",
    evidence="where to see it: an address, or a description",
)
ACT = Shape(
    "ActDocument",
    "An act, whole.",
    ActMatter,
    format=FORMAT,
    **ACT_ITEM.keys,
    **_INSTRUMENT,
    restates=_RESTATED.many("recorded fields that it corrects"),
    reason=typed(str, "what is said for it, as Markdown"),
)
