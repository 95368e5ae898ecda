"""Players second a proposal before its vote opens: `nomicgen do second 305`. A vote that opens with
too few seconds is `seconds-few`.

An author does not second their own proposal, and nobody seconds one twice, or after its vote has
opened (`deed-unlawful`). A seconding whose day is not recorded counts.
"""

from __future__ import annotations

from collections.abc import Iterator

from nomicgen.law.judging_kind import DeedKind, JudgingKind
from nomicgen.law.kind import Provision, unsaid
from nomicgen.law.precedence import rule_finding
from nomicgen.law.sentences import as_sentence
from nomicgen.law.subjects import DeedDone, State, VoteOpened, permitted_by
from nomicgen.law.voting.opening import void_vote
from nomicgen.model.findings import Finding, Wait, counted
from nomicgen.model.records import Proposal
from nomicgen.model.values import Number

EXAMPLES = """\
- case: A vote opens when two players other than the author have seconded the proposal. One has.
  provisions:
    seconding: {seconds: 2}
  deeds: [{do: second, by: quill, at: 2026-01-02}]
  votes: {osprey: for, quill: for, wren: for}
  gives:
    - "quill seconds proposal 301"
    - "adopted: 3 for; more than half of eligible voters (4): more than 2 needed"
    - "seconds-few: Rule 201 asks for 2 other players to second it before the vote opens,
      and there is 1"
- case: The author seconds their own proposal.
  provisions:
    seconding: {seconds: 1}
  deeds: [{do: second, by: osprey, at: 2026-01-02}]
  votes: {osprey: for, quill: for, wren: for}
  gives:
    - "adopted: 3 for; more than half of eligible voters (4): more than 2 needed"
    - "deed-unlawful: osprey is the author of proposal 301: nobody seconds their own"
    - "seconds-few: Rule 201 asks for 1 other player to second it before the vote opens,
      and there are none"
"""


class Seconding(Provision):
    """How many players second a proposal before its vote opens."""

    seconds: Number | None = unsaid(
        "how many players other than its author must second a proposal before its vote opens"
    )


def _seconders(proposal: Proposal) -> set[str]:
    """Return the players other than its author who seconded a proposal by the day on which its vote
    opened, or on an unknown day.
    """
    opened, matter = proposal.matter.opened, proposal.matter
    deeds = (deed for deed in matter.deeds if deed.do == "second" and deed.by != matter.author)
    return {
        deed.by
        for deed in deeds
        if deed.at is None or opened is None or not opened.precedes(deed.at)
    }


def _judge_opening(subject: VoteOpened, state: State) -> Iterator[Finding]:
    """Judge whether enough players have seconded a proposal when its vote opens."""
    needed, proposal = state.law.says(Seconding.seconds), subject.instrument
    matter, count = proposal.matter, len(_seconders(proposal))
    if needed is None or count >= needed.value:
        return
    there = "is 1" if count == 1 else f"are {count or 'none'}"
    players = "player to second" if needed.value == 1 else "players to second"
    asked = f"{needed.value} other {players} it before the vote opens, and there {there}"
    left = needed.value - count
    yield Finding(
        slug="seconds-few",
        span=proposal.source.at("opened" if matter.opened is not None else "status"),
        message=f"Rule {needed.rule} asks for {asked}",
        help=f"`nomicgen do second {matter.number or 'N'} --player ID` records another player's "
        "second"
        if matter.status in ("draft", "debate")
        else void_vote(proposal, "once enough players second it"),
        rule=needed.rule,
        waits=Wait(
            predicate=f"waits until {counted(left, 'more player')} "
            f"{'seconds' if left == 1 else 'second'} it (Rule {needed.rule})"
        ),
    )


def _judge_second(subject: DeedDone, state: State) -> Iterator[Finding]:
    """Yield why a player may not second a proposal."""
    deed, proposal = subject.deed, subject.about
    if not isinstance(proposal, Proposal):
        return
    at, opened = deed.at, proposal.matter.opened
    if deed.by == proposal.actor:
        why = f"{deed.by} is the author of {subject.name}: nobody seconds their own"
    elif any(earlier.do == deed.do and earlier.by == deed.by for earlier in subject.earlier):
        why = f"{deed.by} has seconded {subject.name} already"
    elif at and opened and (opened.precedes(at) or (subject.is_new and not at.precedes(opened))):
        why = f"{deed.by} seconds {subject.name} on {at}, and its vote opened on {opened}"
    else:
        return
    rule_value = state.law.says(Seconding.seconds)
    yield rule_finding("deed-unlawful", subject.span, rule_value, why, "delete the entry")


def _sentence(seconding: Seconding) -> str:
    return as_sentence(
        f"a vote opens only when {counted(seconding.seconds or 0, 'player')} other than the author "
        f"{'has' if seconding.seconds == 1 else 'have'} seconded its proposal"
    )


KIND = JudgingKind(
    schema=Seconding,
    sentence=_sentence,
    combines="fields",
    licenses=(permitted_by(VoteOpened, [Seconding.seconds], _judge_opening),),
    deeds=(
        DeedKind(
            name="second",
            about="proposal",
            what="second a proposal before its vote opens",
            done="seconds",
            judge=_judge_second,
        ),
    ),
)
