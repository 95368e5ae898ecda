"""The documents of a site's data that tell of proposals, judgements and acts, as models."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from nomicgen.formats.api_rules import Placed
from nomicgen.formats.json_parts import Document, ScoreLineView, TallyView, View
from nomicgen.model import Choice, Status, Verb

CastBy = Literal["player", "silence", "die"]
JudgementStatus = Literal["pending", "upheld", "overruled"]


class InstructionView(View):
    """One change, as it is written."""

    heading: str = Field(description="its heading, such as `Amend Rule 203/0`")
    verb: Verb = Field(description="what is done to the rule")
    rule: str | None = Field(description="the rule, with the revision where one is named; null for a new one")
    number: int | None = Field(description="the new number, where one is given")
    title: str | None = Field(description="the new title, where one is given")
    tier: str | None = Field(description="the new tier, where one is given")
    text: str | None = Field(description="the whole new text, as Markdown; null where it is lost, or there is none")
    provisions: dict[str, Any] | None = Field(description="the new provisions, as a rule's file would have them")


class ChangeView(View):
    """What one change made of a rule, or would have made."""

    verb: Verb = Field(description="what was done")
    before: str | None = Field(description="the rule before, such as `203/0`; null for a new one")
    after: str | None = Field(description="the rule after; null for a repeal")
    done: bool = Field(description="whether it took effect")
    url: str | None = Field(description="the rule's page; null if there never was such a rule")
    data: str | None = Field(description="the rule's document")


class AwardView(ScoreLineView):
    """Points that someone got or lost by it."""

    player: str = Field(description="whose")


class InstrumentDocument(Placed, Document):
    """What every instrument may hold."""

    instructions: tuple[InstructionView, ...] = Field(description="the changes, as they are written")
    changes: tuple[ChangeView, ...] = Field(
        description="what they did; of what failed or is undecided, what they would do; empty where they cannot be done"
    )
    points: tuple[AwardView, ...] = Field(description="points that were got or lost by it")
    note: str | None = Field(description="the editor's comment")
    commit: str | None = Field(description="the commit that the file came in, or was last changed in")


class ProposalItem(Placed):
    """A proposal, in few words."""

    number: int | None = Field(description="its number; a draft has none")
    title: str | None = Field(description="as its author calls it")
    author: str | None = Field(description="the id of its author")
    status: Status = Field(description="what has become of it")
    turn: str | None = Field(description="the turn in which it was put forward")
    date: str | None = Field(description="when it was put forward")
    opened: str | None = Field(description="when the vote opened")
    decided: str | None = Field(description="when the vote ended, or it was withdrawn")
    effective: str | None = Field(description="when it took effect, or will; null where it never does")
    file: str = Field(description="its file in the game")
    summary: tuple[str, ...] = Field(description="the headings of its changes")


class ProposalsDocument(Document):
    """Every proposal."""

    url: str = Field(description="the page, relative to the site's root")
    proposals: tuple[ProposalItem, ...] = Field(description="by number, drafts last")


class ConditionView(View):
    """A condition of its adoption."""

    rule: int = Field(description="the rule that asked for it")
    sentence: str = Field(description="what it asked for")
    arithmetic: str = Field(description="how many votes that was, and how many there were")
    met: bool = Field(description="whether it was met")


class VoteView(TallyView):
    """The vote under the law of its day, by the ids of players."""

    eligible: tuple[str, ...] = Field(description="who might vote")
    tie_break: str | None = Field(description="who broke a tie")
    recorded: bool = Field(description="false where an archive did not keep the votes")
    conditions: tuple[ConditionView, ...] = Field(description="what had to be met")


class BallotView(View):
    """A vote as the file has it."""

    player: str = Field(description="whose")
    vote: Choice = Field(description="what was voted")
    at: str | None = Field(description="when it was cast")
    source: str | None = Field(description="where it was cast, an address that its author wrote")
    cast_by: CastBy = Field(description="who or what cast it")
    die: int | None = Field(description="what was thrown, where a die decided")
    signature: str | None = Field(description="what its voter signed, with the SSH signature; null where nobody did")


class EarlierView(View):
    """The vote on an earlier submission."""

    opened: str | None = Field(description="when that vote opened")
    ballot: str | None = Field(description="the token of that vote")
    digest: str | None = Field(description="the SHA-256 of what was voted on then")
    ballots: tuple[BallotView, ...] = Field(description="the votes")


class ProposalDocument(InstrumentDocument, ProposalItem):
    """A proposal, whole."""

    argument: str = Field(description="what its author says for it, as Markdown")
    discussion: str | None = Field(description="where it is debated, an address that was written in its file")
    vote: VoteView | None = Field(description="null where there was none")
    ballots: tuple[BallotView, ...] = Field(description="the votes, as the file has them")
    earlier: tuple[EarlierView, ...] = Field(description="the votes on earlier submissions")
    commences: str | None = Field(description="when it is to take effect, as it says itself; null if it does not say")
    ballot: str | None = Field(description="the token that votes name; null where the vote has none")
    digest: str | None = Field(
        description="the SHA-256 of what was voted on: title, argument, instructions and `commences`; of the last two "
        "alone where a rule lets votes stand when the others change, or the vote has no token"
    )


class JudgementItem(Placed):
    """A judgement, in few words."""

    number: int = Field(description="its number")
    title: str | None = Field(description="what it is about")
    status: JudgementStatus = Field(description="`pending` while it is not given")
    called_by: str | None = Field(description="the id of the player who asked")
    judge: str | None = Field(description="the id of the player who judged")
    turn: str | None = Field(description="the turn in which it was given")
    date: str | None = Field(description="when it was given")
    rules: tuple[str, ...] = Field(description="the revisions that it construes, such as `203/0`")
    file: str = Field(description="its file in the game")


class JudgementsDocument(Document):
    """Every judgement."""

    url: str = Field(description="the page, relative to the site's root")
    judgements: tuple[JudgementItem, ...] = Field(description="by number")


class ConstruedView(View):
    """A rule that a judgement construes."""

    rule: str = Field(description="as the judgement names it, such as `203/0`")
    note: str | None = Field(description="what became of it since, such as `repealed`; null where it still reads so")
    url: str | None = Field(description="its page; null where there is no such rule")
    data: str | None = Field(description="its document")


class JudgementDocument(InstrumentDocument, JudgementItem):
    """A judgement, whole."""

    late: tuple[str, ...] = Field(description="the judges before, who let their time run out")
    effective: str | None = Field(description="when what it changes takes effect")
    overruled: str | None = Field(description="when it was overruled")
    overruled_by: tuple[str, ...] | int | None = Field(
        description="the ids of the players who voted to overrule it, or the number of the judgement that did"
    )
    proposal: int | None = Field(description="the proposal that it is about")
    voids: int | None = Field(description="the proposal that it declares void")
    under: int | None = Field(description="the rule that lets it change rules")
    construes: tuple[ConstruedView, ...] = Field(description="the rules that it construes, and where they are")
    question: str = Field(description="the question and the reasoning, as Markdown")
    ruling: str = Field(description="the ruling, as Markdown; may be empty")


class ActItem(Placed):
    """An act, in few words."""

    cause: str = Field(description="what it is called, such as `Temporary Rule 601`")
    by: str | None = Field(description="the id of a player, or the number of a rule that acts by itself")
    under: int | None = Field(description="the rule that gives the authority")
    turn: str | None = Field(description="the turn in which it was done")
    date: str = Field(description="when it was done")
    effective: str = Field(description="when what it changes takes effect")
    file: str = Field(description="its file in the game")


class ActsDocument(Document):
    """Every act."""

    url: str | None = Field(description="the page, relative to the site's root; null while there are no acts")
    acts: tuple[ActItem, ...] = Field(description="by the name of the file")


class RestatedView(View):
    """A recorded field that a correction restates."""

    file: str = Field(description="the file that it stands in")
    key: str = Field(description="what it is, such as `votes.wren`")
    was: str | None = Field(description="what the file said; null where it said nothing")
    now: str | None = Field(description="what it says since; null where it was taken out")
    evidence: str = Field(description="where it can be seen: an address, or words")


class ActDocument(InstrumentDocument, ActItem):
    """An act, whole."""

    restates: tuple[RestatedView, ...] = Field(description="recorded fields that it corrects")
    reason: str = Field(description="what is said for it, as Markdown")
