"""While a judgement is pending, play waits for it. A turn that begins all the same, or a vote that
opens, is `judgement-pending`.

- **`next-turn`.** The next turn begins only if more than half of the other players who may vote
  consent: `nomicgen do waive 3` records that a player lets play go on before Judgement 3 is given.
  The player whose turn it would be is not asked (`deed-unlawful`).
- **`vote`.** The vote on the proposal that the judgement is about does not open. A vote that opened
  before the judgement was asked for goes on; if both are of one day, their times have to show it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from nomicgen.law.judging_kind import DeedKind, JudgingKind
from nomicgen.law.kind import Provision, unsaid
from nomicgen.law.precedence import Said, rule_finding
from nomicgen.law.replay.moments import precedes, unordered
from nomicgen.law.replay.results import NextTurn
from nomicgen.law.replay.turn_order import next_turn_of
from nomicgen.law.sentences import as_sentence, joined
from nomicgen.law.subjects import DeedDone, State, TurnBegun, VoteOpened, permitted_by
from nomicgen.law.voting.opening import void_vote
from nomicgen.law.voting.voting_rights import electorate
from nomicgen.model.findings import Finding, Wait
from nomicgen.model.records import Judgement, Turn
from nomicgen.model.values import Moment, NonEmptyListOrOne

EXAMPLES = """\
- case: Judgement 1 is pending. The next turn begins, and one of the three other players has
    consented.
  provisions:
    stay: {of: next-turn}
    turns: {order: alphabetical}
  files:
    turns/R1T1.yml: {player: osprey, began: 2026-01-02, ended: 2026-01-04}
    judgements/1.md:
      called_by: osprey
      judge: wren
      date: 2026-01-03
      status: pending
      deeds: [{do: waive, by: tallow, at: 2026-01-04}]
    turns/R1T2.yml: {player: quill, began: 2026-01-05}
  gives:
    - "judgement-pending: R1T2 begins while Judgement 1 is pending; Rule 201 asks for the consent of
      more than half of the other players (3), and 1 consents"
- case: Judgement 1 is about Proposal 301. Its vote waits.
  provisions:
    stay: {of: vote}
  votes: {osprey: for}
  files:
    judgements/1.md: {judge: wren, date: 2026-01-02, proposal: 301, status: pending}
  gives:
    - "defeated: 1 for; more than half of eligible voters (4): more than 2 needed"
    - "judgement-pending: the vote on Proposal 301 opens while Judgement 1, which is about it,
      is pending"
"""


Held = NonEmptyListOrOne[Literal["next-turn", "vote"]]
"""What a pending judgement holds up."""


class Stay(Provision):
    """What waits while a judgement is pending."""

    of: Held | None = unsaid(
        "the next turn, unless most of the other players consent; the vote on the proposal that "
        "it is about"
    )


_HELD = {
    "next-turn": "the next turn begins only if more than half of the other players consent",
    "vote": "the vote on the proposal that it is about does not open",
}


def _sentence(stay: Stay) -> str:
    return as_sentence(
        f"while a judgement is pending, {joined((_HELD[one] for one in stay.of or ()), 'and')}"
    )


def _said_of(held: str, state: State) -> Said[object] | None:
    """Return the rule by which the next turn (`next-turn`) or a vote (`vote`) waits, if any."""
    said = state.law.says(Stay.of)
    return said if said is not None and held in said.value else None


def _judge_turn(subject: TurnBegun, state: State) -> Iterator[Finding]:
    turn, said = subject.turn, _said_of("next-turn", state)
    for why, help in what_holds(turn, state):
        message, span = f"{turn.ident} begins {why}", turn.source.at("began")
        yield rule_finding("judgement-pending", span, said, message, help)


def what_holds(turn: Turn, state: State) -> Iterator[tuple[str, str]]:
    """Yield why a turn may not begin, as too few of the other players consent (`while Judgement 1
    is pending; …`), and what to do, for each judgement that it waits for.
    """
    said = _said_of("next-turn", state)
    if said is None or state.played.last is None:
        return  # the first turn does not wait
    voters = electorate(state.records.players, state.law, state.moment)[0]
    others = [player for player in voters if player != turn.matter.player]
    for judgement in _pending(state, turn.matter.began):
        asked = judgement.matter
        if asked.turn == turn.ident and not precedes(asked.date, turn.matter.began):
            continue  # it was asked for in this turn, so after it began
        consenting = {
            deed.by for deed in judgement.matter.deeds if deed.do == "waive" and deed.by in others
        }
        if len(consenting) * 2 > len(others):
            continue
        many = f"{len(consenting) or 'none'} {'consents' if len(consenting) == 1 else 'consent'}"
        yield (
            f"while {judgement.name} is pending; Rule {said.rule} asks for the consent of more "
            f"than half of the other players ({len(others)}), and {many}",
            f"give the judgement; or each who consents comments `/waive {judgement.number}` on a "
            f"pull request, or types `nomicgen do waive {judgement.number} --player ID`",
        )


def _judge_vote(subject: VoteOpened, state: State) -> Iterator[Finding]:
    """Yield why a vote may not open: a judgement about its proposal is pending."""
    said, proposal = _said_of("vote", state), subject.instrument
    if said is None or proposal.number is None:
        return
    opened = proposal.matter.opened
    for judgement in _pending(state, opened or state.moment):
        if judgement.matter.proposal == proposal.number:
            predicate = f"waits for {judgement.name} (Rule {said.rule}), and then its vote can open"
            yield rule_finding(
                "judgement-pending",
                proposal.source.at("status" if opened is None else "opened"),
                said,
                f"the vote on Proposal {proposal.number} opens while {judgement.name}, "
                "which is about it, is pending",
                "give the judgement first"
                if opened is None
                else void_vote(proposal, "when the judgement is given"),
                Wait(predicate=predicate),
            )


def _pending(state: State, moment: Moment | None) -> Iterator[Judgement]:
    """Yield the judgements that are pending, and were asked for at a moment or before it."""
    for judgement in state.records.matching(
        Judgement, lambda judgement: judgement.matter.is_undecided
    ):
        if not precedes(moment, judgement.matter.date):
            yield judgement


def _judge_consent(subject: DeedDone, state: State) -> Iterator[Finding]:
    """Yield why a player's consent does not count."""
    deed, said = subject.deed, _said_of("next-turn", state)
    is_given = isinstance(subject.about, Judgement) and not subject.about.matter.is_undecided
    if said is None:
        why = (
            f"{deed.by} waives {subject.name}, and no rule in force lets the next turn wait for it"
        )
    elif state.played.last is None and not _may_have_begun(deed.at or state.moment, state):
        why = f"{deed.by} waives {subject.name}, and no turn has been played"
    elif any(earlier.do == deed.do and earlier.by == deed.by for earlier in subject.earlier):
        why = f"{deed.by} has waived {subject.name} already"
    elif (due := _due_turn(deed.at or state.moment, state)) is not None and due.player == deed.by:
        why = (
            f"{deed.by} waives {subject.name}, and {due.ident} is theirs; Rule {said.rule} "
            "asks the other players"
        )
    elif is_given and subject.is_new:  # an old waiver may be older than the ruling
        why = f"{deed.by} waives {subject.name}, which is given"
    else:
        return
    yield rule_finding("deed-unlawful", subject.span, said, why, "delete the entry")


def _due_turn(moment: Moment | None, state: State) -> NextTurn | None:
    """Return the turn that comes next at a moment; None where one may have begun at that moment, or
    the rules do not say.
    """
    if moment is None or _may_have_begun(moment, state):
        return None
    return next_turn_of(state.records.players, state.law, state.played, moment)


def _may_have_begun(moment: Moment | None, state: State) -> bool:
    """Return whether a turn may have begun by a moment of its day: no times tell."""
    begun = (turn.matter.began for turn in state.records.turns.values())
    return moment is not None and any(unordered(began, moment) for began in begun)


KIND = JudgingKind(
    schema=Stay,
    sentence=_sentence,
    combines="fields",
    licenses=(
        permitted_by(TurnBegun, [Stay.of], _judge_turn),
        permitted_by(VoteOpened, [Stay.of], _judge_vote),
    ),
    deeds=(
        DeedKind(
            name="waive",
            about="judgement",
            what="let the next turn begin before a judgement is given",
            done="waives",
            judge=_judge_consent,
        ),
    ),
)
