"""- **Days.** Debate is counted from `date` to `opened` (`debate-short`), the vote from `opened` on
  (`vote-late`, `vote-early`). If days without times leave a doubt, there is no error.
- **Silence.** If everyone must vote and no rule has `silence`, the vote waits for all
  (`vote-missing`), even after its last day. With `for` or `against`, silence counts as such a vote
  at the end, and costs the `penalty`.
- **Abstention.** If everyone must vote and no rule allows abstaining, nobody may abstain
  (`vote-unlawful`). With `ignored`, a player who abstains still counts as a player, but not as a
  voter. But if the `adoption` is in a more entrenched rule than this, they still count as a
  voter.
- **Ties.** The player who breaks ties has no other vote, and votes only when the vote may end and
  is tied. But if a more entrenched rule has `electorate` or `everyone_votes: true`, that player
  votes like everyone, without a die; on a tie, that player's side has one more vote.
- **Authors.** If a more entrenched rule has `everyone_votes: true` or `silence: waits`, the author
  must vote, whatever a less entrenched rule's `author_votes_for` says.
- **Inactive players.** With `inactive_may_vote`, an inactive player who votes is an eligible voter,
  and the vote counts. `nomicgen vote` ends the inactivity in the player's file. If the file still
  says inactive, the vote is `voter-unknown`.
- **`resubmissions`** limits how many votes a file has under `earlier` (`resubmissions-many`).
- **Withdrawal** after the time allowed is `withdrawal-late`. If no rule speaks of it, a proposal
  may be withdrawn until it is decided. With `when-inactive`, its author has to be inactive then. A
  judgement with `voids` may void it at any time.
- **Quorum.** It counts the eligible voters who themselves voted for or against, or abstained, even
  by a die. Silence, a vote that the author has for proposing and a vote that only breaks a tie do
  not count. A share is of all eligible voters or players, even if some abstain. An adoption without
  a quorum is `votes-few`.
- **Weights.** Shares, counts and ties are of weighted votes. If a player has several roles, the
  largest weight counts; without any of these roles it is 1. A vote that breaks a tie counts 1.
- **Signed votes.** `signed: true` can be read, and is not enforced: no signature is verified
  (`signature-unverified`).
- **On the day of a decision** somebody may join, leave, rest or come back. Times say which came
  first. Where they do not, whoever voted took part. Whoever did not vote counts as absent, unless
  the outcome can be explained only if they took part. Whoever joined on the day on which the game
  started was there from the beginning.
- **`electorate_at: opening`** takes voters, players and weights as they were on the day of
  `opened`, or else of `date`. Players who join later have no vote (`voter-unknown`). Players who
  leave stay in every share, but nobody waits for them; votes that they cast before still count.
  Players who rest still vote. Whoever breaks a tie must be a player on the day of doing so.
- **Edits** of title or argument during a vote: with `lapse` the digest covers the whole text, and a
  change without `nomicgen proposal resubmit` is `digest-differs`. With `stand` it covers only the
  instructions and `commences`. If no rule speaks of edits, a vote with a token (`ballot`) is
  treated as under `lapse`, one without as under `stand`. With `forbidden`, only the same text can
  be put to the vote again. Edits are judged by the law of the day of opening.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from nomicgen.law.judging_kind import JudgingKind
from nomicgen.law.kind import Days, PositiveDays, Provision, unsaid
from nomicgen.law.precedence import Law, rule_finding
from nomicgen.law.replay.player_spans import is_active
from nomicgen.law.sentences import (
    Phrase,
    as_sentence,
    by_field,
    joined,
    points_words,
    with_article,
    worded,
)
from nomicgen.law.subjects import ProposalWithdrawn, State, VoteOpened, permitted_by
from nomicgen.law.voting.opening import may_withdraw, put_again, too_early, undated_votes
from nomicgen.law.voting.tally import Condition, VoteTotals
from nomicgen.law.voting.thresholds import Threshold, is_share, needed_words, needs_words, suffices
from nomicgen.model.file_model import Model, described
from nomicgen.model.findings import Finding, counted
from nomicgen.model.types import Bounds, NotEmpty
from nomicgen.model.values import Boolean, Count, Ident, Number, PlayerField, Ratio

EXAMPLES = """\
- case: Silence is a vote for, and costs three points.
  provisions:
    ballot: {electorate: active, debate: 1, closes_after: 3, silence: for, penalty: {points: 3}}
  votes: {osprey: for, quill: against}
  gives:
    - "adopted: 3 for; more than half of eligible voters (4): more than 2 needed"
    - "tallow: 0 → -3 points (silence on proposal 301)"
- case: Wren breaks a tie with a die.
  provisions:
    ballot: {tie_break: {by: wren, die: 6, for: [4, 5, 6], against: [1, 2, 3]}, abstention: ignored}
  votes: {osprey: for, quill: against, tallow: abstain, wren: {vote: for, cast_by: die, die: 5}}
  gives:
    - "adopted: 2 for; more than half of eligible voters (3): more than 1.5, so at least 2 needed"
- case: Everyone must vote. Osprey is the author, does not vote, and counts as a vote for.
  provisions:
    ballot: {everyone_votes: true, author_votes_for: true, resubmissions: 1,
        withdrawal: until-opened}
  votes: {quill: for, tallow: abstain, wren: for}
  gives:
    - "adopted: 3 for; more than half of eligible voters (4): more than 2 needed"
    - "vote-unlawful: tallow abstained: everyone must vote, and no rule lets anyone abstain"
- case: Votes bind title and argument, too. But this digest is only that of the instructions.
  provisions:
    ballot: {edits: lapse}
  votes: {osprey: for, quill: for, wren: for}
  gives:
    - "adopted: 3 for; more than half of eligible voters (4): more than 2 needed"
    - "digest-differs: title, argument, instructions or `commences` changed after the vote opened"
- case: Only signed votes count, which no program can tell.
  provisions:
    ballot: {signed: true}
  votes: {osprey: for, quill: for, wren: for}
  gives:
    - "adopted: 3 for; more than half of eligible voters (4): more than 2 needed"
    - "signature-unverified: by Rule 201/0 only signed votes count, and no signature is verified:
      every vote counts"
- case: Wren is an empty seat, and votes by die.
  provisions:
    ballot: {dummy: {die: 6, for: [4, 5, 6], against: [1, 2, 3]}}
  players:
    wren: {kind: dummy}
  votes: {osprey: for, quill: for, wren: {vote: for, cast_by: die, die: 4}}
  gives:
    - "adopted: 3 for; more than half of eligible voters (4): more than 2 needed"
- case: Wren is inactive, and may vote all the same.
  provisions:
    ballot: {electorate: active, inactive_may_vote: true}
  players:
    wren: {inactive: [{since: 2026-01-01, until: 2026-01-04}]}
  votes: {osprey: for, quill: for, wren: {vote: for, at: 2026-01-04}}
  gives:
    - "adopted: 3 for; more than half of eligible voters (4): more than 2 needed"
- case: Only two players vote. That is too few, although with the silent ones there are four votes.
  provisions:
    ballot: {silence: for, quorum: {more_than: 50%, of: eligible}}
  votes: {osprey: for, quill: abstain}
  gives:
    - "defeated: 3 for; more than half of eligible voters (4): more than 2 needed; 2 ballots; more
      than half of eligible voters (4): more than 2 needed"
- case: The speaker's vote counts three, an observer's vote nothing.
  provisions:
    ballot: {weights: {speaker: 3, observer: 0}}
  players:
    osprey: {roles: [{role: speaker, since: 2026-01-01}]}
    wren: {roles: [{role: observer, since: 2026-01-01}]}
  votes: {osprey: for, quill: against, tallow: against, wren: against}
  gives:
    - "adopted: 3 for (osprey 3); more than half of eligible voters (5): more than 2.5, so at least
      3 needed"
- case: Wren leaves during the vote, and still counts as a voter.
  provisions:
    ballot: {electorate_at: opening}
  players:
    wren: {left: 2026-01-05}
  votes: {osprey: for, quill: for, tallow: against}
  gives:
    - "defeated: 2 for; more than half of eligible voters (4): more than 2 needed"
"""


class Faces(Model):
    """Which faces of a die are votes; a face that is neither for nor against is no vote."""

    for_: tuple[Number, ...] = described("the faces that are a vote for", default=())
    against: tuple[Number, ...] = described("the faces that are a vote against", default=())

    def require_of(self, die: int) -> None:
        """Raise ValueError unless each face that is named is one of the die's, and named once."""
        faces = [*self.for_, *self.against]
        if not faces:
            raise ValueError("should say which faces are a vote for, or against")
        if max(faces) > die:
            raise ValueError(f"has no face {max(faces)}: the die has {die} sides")
        if len(set(faces)) < len(faces):
            raise ValueError("should name each face once")


class Die(Faces):
    """A die that votes: for on the faces `for`, against on `against`, not at all on the others."""

    die: Number = described("the sides of the die")

    def check(self) -> None:
        self.require_of(self.die)

    def vote(self, face: int) -> Literal["for", "against", "abstain"]:
        """Return the vote that a throw makes; `abstain` if it makes none."""
        return "for" if face in self.for_ else "against" if face in self.against else "abstain"


class TieBreak(Faces):
    """The player who breaks a tie, perhaps by a die."""

    by: PlayerField = described("the player who breaks ties, and has no other vote")
    die: Number | None = unsaid("the sides of the die")

    def check(self) -> None:
        if self.die is not None:
            self.require_of(self.die)
        elif self.for_ or self.against:
            raise ValueError("has faces and no die")

    @property
    def as_die(self) -> Die | None:
        """The die by which the player breaks ties; None for a player who votes without one."""
        return None if self.die is None else Die(die=self.die, for_=self.for_, against=self.against)


class Penalty(Model):
    """What not voting costs."""

    points: Annotated[Ratio, Bounds(above=0)] = described("how many points are lost")


class Quorum(Threshold):
    """How many must take part: a share of the voters or players, or a number of ballots, to reach
    (`at_least`) or to exceed (`more_than`).
    """

    of: Literal["eligible", "players"] = described("what a share is a share of", default="eligible")


Silence = Literal["waits", "for", "against", "ignored"]
Weights = Literal["strength"] | Annotated[dict[Ident, Count], NotEmpty()]


class Ballot(Provision):
    """How a vote is held."""

    electorate: Literal["players", "active"] | None = unsaid(
        "who may vote: all players, or the active ones"
    )
    electorate_at: Literal["opening", "close"] | None = unsaid(
        "the moment that settles who may vote, who plays, and how much a vote counts"
    )
    inactive_may_vote: Boolean | None = unsaid(
        "whether inactive players may vote, which makes them active again"
    )
    everyone_votes: Boolean | None = unsaid("whether everyone who may vote must")
    quorum: Quorum | None = unsaid("how many must vote; with fewer, the proposal is defeated")
    signed: Boolean | None = unsaid("whether only signed votes count; not enforced")
    weights: Weights | None = unsaid(
        "how much a vote counts: by role, or by the `strength` in the player's file"
    )
    silence: Silence | None = unsaid("what the silence of a player who does not vote counts as")
    debate: Days | None = unsaid("days before the vote opens")
    closes_after: PositiveDays | None = unsaid("days that the vote is open")
    penalty: Penalty | None = unsaid("what not voting costs")
    abstention: Literal["forbidden", "counts", "ignored"] | None = unsaid(
        "what an abstention counts as"
    )
    author_votes_for: Boolean | None = unsaid("whether an author's silence is a vote for")
    tie_break: TieBreak | None = unsaid("who or what breaks a tie")
    resubmissions: Count | None = unsaid("how often a proposal may be put to the vote again")
    dummy: Die | None = unsaid("how a dummy player votes")
    withdrawal: (
        Literal["until-opened", "until-complete", "until-decided", "when-inactive", "never"] | None
    ) = unsaid(
        "until when an author may withdraw a proposal: until the vote opens, all have voted, or "
        "it is decided; or only when the author has become inactive"
    )
    edits: Literal["stand", "lapse", "forbidden"] | None = unsaid(
        "what becomes of the votes if the title or the argument of an open proposal changes"
    )


def _faces(die: Die) -> str:
    sides = [
        f"{side} on {joined(faces)}"
        for faces, side in ((die.for_, "for"), (die.against, "against"))
        if faces
    ]
    other = len(die.for_) + len(die.against) < die.die
    return (
        f"a die of {die.die} sides "
        f"({', '.join(sides)}{', no vote on any other face' if other else ''})"
    )


def _ballots(quorum: Quorum) -> str:
    return f"{'the ballots of ' * is_share(quorum)}{needs_words(quorum, quorum.of, 'ballot')}"


def quorum_sentence(quorum: Quorum) -> str:
    """Return what a quorum says, by itself."""
    return as_sentence(_quorum(quorum))


def _quorum(quorum: Quorum) -> str:
    return f"a proposal is adopted only with {_ballots(quorum)}"


def _weights(ballot: Ballot) -> str:
    if not isinstance(ballot.weights, dict):
        return "a vote counts as many votes as its voter's file says"
    return joined(
        f"the vote of {with_article(role)} counts {weight}"
        for role, weight in ballot.weights.items()
    )


def _penalty(penalty: Penalty) -> str:
    return f"silence that counts as a vote costs {points_words(penalty.points)}"


def _tie_break(tie_break: TieBreak) -> str:
    how = f" and votes by {_faces(tie_break.as_die)}" if tie_break.as_die else ""
    return f"a tie is broken by {tie_break.by}, who has no other vote{how}"


_WORDS: dict[str, Phrase[Ballot]] = {
    "electorate": {"players": "all players may vote", "active": "only active players may vote"},
    "electorate_at": {
        "opening": "who may vote is settled when the vote opens",
        "close": "who may vote is settled when the vote is decided",
    },
    "inactive_may_vote": {
        True: "an inactive player may vote, and is active again",
        False: "no inactive player may vote",
    },
    "everyone_votes": {True: "everyone who may vote must", False: "nobody has to vote"},
    "quorum": worded(Ballot.quorum, _quorum),
    "signed": {
        True: "only a vote counts that its voter signed",
        False: "a vote need not be signed",
    },
    "weights": _weights,
    "debate": {
        0: "a vote may open as soon as its proposal is put forward",
        None: "a vote opens no sooner than {} after its proposal was put forward",
    },
    "closes_after": "a vote closes {} after it opened",
    "silence": {
        "waits": "silence holds a vote open",
        "for": "silence counts as a vote for",
        "against": "silence counts as a vote against",
        "ignored": "silence is no vote",
    },
    "penalty": worded(Ballot.penalty, _penalty),
    "abstention": {
        "forbidden": "nobody may abstain",
        "counts": "an abstention counts as a vote cast",
        "ignored": "an abstaining voter does not count as eligible",
    },
    "author_votes_for": {
        True: "an author who has not voted counts as a vote for",
        False: "an author votes like anyone else",
    },
    "tie_break": worded(Ballot.tie_break, _tie_break),
    "dummy": worded(Ballot.dummy, lambda die: f"a dummy player votes by {_faces(die)}"),
    "withdrawal": {
        "until-opened": "an author may withdraw a proposal until the vote on it opens",
        "until-complete": "an author may withdraw a proposal until everyone has voted on it",
        "until-decided": "an author may withdraw a proposal until it is decided",
        "when-inactive": "a proposal is withdrawn only if its author has become inactive",
        "never": "an author may not withdraw a proposal",
    },
    "edits": {
        "stand": "votes stand when the title or the argument changes",
        "lapse": "votes lapse when the title or the argument changes",
        "forbidden": "nothing of a proposal may change while the vote on it is open",
    },
    "resubmissions": {
        0: "a proposal may not be put to the vote again",
        1: "a proposal may be put to the vote again once",
        None: "a proposal may be put to the vote again up to {} times",
    },
}


def _judge_opening(subject: VoteOpened, state: State) -> Iterator[Finding]:
    """Judge whether a vote may open, or be held again, under the law of that moment."""
    law, proposal = state.law, subject.instrument
    debate, closes = law.says(Ballot.debate), law.says(Ballot.closes_after)
    # The rule whose days begin on `date`; those of `closes_after` do so only without `opened`.
    dating = debate if debate is not None and debate.value else closes
    if dating is not None:
        yield from undated_votes(proposal, dating, debated=dating is debate)
    if debate is not None:
        yield from too_early(proposal, debate, state.moment)
    yield from put_again(
        proposal,
        law.says(Ballot.resubmissions),
        law.says(Ballot.edits),
        withdrawable=may_withdraw(law.value(Ballot.withdrawal), opened=True),
    )


def _demand_quorum(count: VoteTotals, law: Law) -> Iterator[Condition]:
    rule_value = law.says(Ballot.quorum)
    if rule_value is None:
        return
    quorum: Quorum = rule_value.value
    base = count.voters if quorum.of == "eligible" else count.seats
    yield Condition(
        rule=rule_value.rule,
        sentence=quorum_sentence(quorum),
        arithmetic=f"{counted(count.ballots, 'ballot')}; "
        f"{needed_words(quorum, quorum.of, base, 'ballot')}",
        lacks=() if suffices(quorum, count.ballots, base) else (_ballots(quorum),),
        is_quorum=True,
    )


def _judge_withdrawal(subject: ProposalWithdrawn, state: State) -> Iterator[Finding]:
    """Judge whether a proposal could still be withdrawn, or called void, under the law of that
    moment.
    """
    instrument, tally = subject.instrument, subject.tally
    withdrawal, matter = state.law.says(Ballot.withdrawal), instrument.matter
    if withdrawal is None or subject.voided:
        return
    opened = matter.opened is not None or bool(matter.votes)
    awaited = tally.missing or (state.moment is not None and tally.awaited(state.moment))
    complete = tally.recorded and bool(tally.eligible) and not awaited
    author = None if instrument.actor is None else state.records.players.get(instrument.actor)
    late = {
        "never": True,
        "when-inactive": author is not None and is_active(author, state.moment),
        "until-opened": opened,
        "until-complete": opened and complete,
    }
    if late.get(withdrawal.value):
        became = "was called void" if matter.status == "void" else "was withdrawn"
        when = " when everyone had voted on it" if complete else " when the vote on it had opened"
        allows = "allows that only before"
        if withdrawal.value == "never":
            when, allows = "", "never allows that"
        elif withdrawal.value == "when-inactive":
            when, allows = "", f"allows that only when {instrument.actor} is inactive"
        yield rule_finding(
            "withdrawal-late",
            instrument.source.at("status"),
            withdrawal,
            f"{instrument.name} {became}{when}; Rule {withdrawal.rule} {allows}",
            "put back `status: open`, delete `decided`, then `nomicgen proposal resolve "
            f"{matter.number}`"
            if opened
            else "set `status` back to `debate`, and delete `decided`",
        )


_CAN_PREVENT_CHANGE = {
    "tie_break",
    "dummy",
    "quorum",
    "weights",
    "silence",
    "everyone_votes",
    "author_votes_for",
}
"""The fields that can make a change impossible. `silence`, `everyone_votes` and `author_votes_for`
can, if it would pass only where nobody votes.
"""

KIND = JudgingKind(
    schema=Ballot,
    sentence=by_field(_WORDS, "no way of voting is laid down"),
    combines="fields",
    licenses=(
        permitted_by(
            VoteOpened, [Ballot.debate, Ballot.resubmissions, Ballot.edits], _judge_opening
        ),
        permitted_by(ProposalWithdrawn, [Ballot.withdrawal], _judge_withdrawal),
    ),
    demands=_demand_quorum,
    affects_changeability=lambda ballot: not _CAN_PREVENT_CHANGE.isdisjoint(ballot.said),
)
