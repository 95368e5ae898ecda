"""A turn out of order is `turn-order`. A round ends when the order begins again. Inactive players
are skipped. `alphabetical` goes by names, `joined` by days of joining, `seat` by `order` in
`players/`. The players draw a `random` order once, and record it there.

- **`proposals`.** A proposal that names a turn, or is put forward during one (but not on its first
  or last day), must be by that turn's player. A proposal too many, or by another player, is
  `turn-proposals`. Withdrawn and void ones do not count.
- **`own_turn: true`** lets a player propose only in their own turn, even without `proposals`. The
  `date` of a proposal may not fall into another player's turn, whichever turn it names. If turns
  change on that day, or two are played and one is the author's, the author may propose. With
  `own_turn: false`, every proposal made during a turn is a proposal of it, whoever makes it.
- **`passing`, `passes_after`.** If a turn was passed where that is not allowed, that is
  `turn-passed`. A turn passes by itself if it has no proposal when its `passes_after` days are
  over; withdrawn and void ones do not count. Then `check` warns (`deadline-missed`), and
  `nomicgen next --do` writes it.
- **`overlap: false`.** A turn that begins during another is `turn-overlap`, unless the player of
  the other one has left.
- **`proposal_required: true`.** A turn that ends without a proposal is `turn-empty`, unless it was
  passed or its player has left; a withdrawn proposal counts. With `voted`, a turn that ends before
  the vote on its proposal has ended is `turn-empty` too, and a throw that comes before that is
  `dice-wrong`.
- **`votes_in_order: true`.** The vote on the proposal of a turn does not open before the votes on
  those of earlier turns have ended. Nor does it open while an earlier turn is played and has no
  proposal, unless its player left or rests. Otherwise it is `vote-disorder`.
- **`joins`.** With `order: seat`, a newcomer's `order` must come after those that are taken
  (`seat-taken`), unless a rule has `joins`. With `next-circuit`, newcomers play from the next round
  on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from nomicgen.law.change_kinds import ChangeKind
from nomicgen.law.judging_kind import Due, JudgingKind
from nomicgen.law.kind import PositiveDays, Provision, unsaid
from nomicgen.law.precedence import Said, rule_finding
from nomicgen.law.replay.moments import precedes, unordered
from nomicgen.law.replay.player_spans import is_active, is_player
from nomicgen.law.replay.scene import Scene
from nomicgen.law.replay.seats import following_turn, joined_at
from nomicgen.law.replay.turn_proposals import has_proposal, keeps_proposal
from nomicgen.law.sentences import Phrase, by_field, days_words
from nomicgen.law.subjects import (
    PlayerChange,
    ProposalMade,
    State,
    TurnBegun,
    TurnEnded,
    VoteOpened,
    permitted_by,
)
from nomicgen.law.voting.opening import void_vote
from nomicgen.model.findings import Finding, Wait, counted, listed
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Player, Proposal, Turn
from nomicgen.model.values import Boolean, Count, Moment

EXAMPLES = """\
- case: Quill's turn comes after Osprey's.
  provisions:
    turns: {order: alphabetical, passing: false, overlap: false, joins: next-circuit}
  files:
    turns/R1T1.yml: {player: osprey, began: 2026-01-02, ended: 2026-01-06}
    turns/R1T2.yml: {player: tallow, began: 2026-01-06}
  gives:
    - "turn-order: R1T2 of tallow is not the turn that comes after R1T1: that is R1T2 of quill"
- case: A turn must have a proposal.
  provisions:
    turns: {proposals: 1, proposal_required: true, passes_after: 7}
  files:
    turns/R1T1.yml: {player: osprey, began: 2026-01-02, ended: 2026-01-06}
  gives:
    - "turn-empty: R1T1 of osprey ended without a proposal; Rule 201 demands one"
- case: Osprey proposes during Quill's turn.
  provisions:
    turns: {own_turn: true}
  files:
    turns/R1T1.yml: {player: quill, began: 2026-01-01}
  votes: {osprey: for, quill: for, tallow: for}
  gives:
    - "adopted: 3 for; more than half of eligible voters (4): more than 2 needed"
    - "turn-proposals: R1T1 is the turn of quill: osprey may not propose in it"
- case: The vote on a proposal of the second turn opens before that of the first turn has ended.
  provisions:
    turns: {votes_in_order: true}
  turn: R1T2
  files:
    turns/R1T1.yml: {player: quill, began: 2026-01-01}
    turns/R1T2.yml: {player: osprey, began: 2026-01-02}
    proposals/302.md: {number: 302, title: Rain, author: quill, date: 2026-01-02, turn: R1T1,
        status: debate,
      does: "## Enact Rule\n\nIt rains."}
  votes: {osprey: for, quill: for, tallow: for}
  gives:
    - "adopted: 3 for; more than half of eligible voters (4): more than 2 needed"
    - "vote-disorder: the vote on a proposal of R1T2 opens before the vote on Proposal 302 of R1T1
      has ended"
"""


class Turns(Provision):
    """How turns go round."""

    order: Literal["alphabetical", "joined", "seat", "random"] | None = unsaid(
        "the order of the players"
    )
    proposals: Count | None = unsaid("the most proposals that a turn may have")
    own_turn: Boolean | None = unsaid("whether a player may propose only in their own turn")
    passing: Boolean | None = unsaid("whether a turn may be passed")
    passes_after: PositiveDays | None = unsaid("days after which a turn passes by itself")
    joins: Literal["last", "before-current", "next-circuit"] | None = unsaid(
        "where newcomers join the order"
    )
    overlap: Boolean | None = unsaid("whether a turn may begin before the one before it has ended")
    proposal_required: Boolean | Literal["voted"] | None = unsaid(
        "whether a turn has to have a proposal; `voted`: one that is voted on before the throw "
        "and the end"
    )
    votes_in_order: Boolean | None = unsaid(
        "whether a vote waits until those of earlier turns have ended"
    )


def _proposals(turns: Turns) -> str:
    whose, all_ = ("", "") if turns.own_turn is False else (", its player's", ", all its player's")
    many = {0: "no proposal", 1: f"one proposal{whose}"}.get(turns.proposals or 0)
    return f"a turn has {many or f'up to {turns.proposals} proposals{all_}'}"


_WORDS: dict[str, Phrase[Turns]] = {
    "order": {
        "alphabetical": "turns go round in the alphabetical order of names",
        "joined": "turns go round in the order of joining",
        "seat": "turns go round in the order of seats",
        "random": "turns go round in an order drawn by lot",
    },
    "proposals": _proposals,
    "own_turn": {
        True: "players propose in their own turn only",
        False: "anybody may propose in a turn",
    },
    "passing": {True: "a turn may be passed", False: "nobody may pass a turn"},
    "proposal_required": {
        True: "a turn must have a proposal",
        False: "a turn need not have a proposal",
        "voted": "a turn must have a proposal, voted on before its die is thrown and it ends",
    },
    "overlap": {
        True: "a turn may begin before the one before it has ended",
        False: "a turn begins when the one before it has ended",
    },
    "votes_in_order": {
        True: "the vote on a turn's proposal opens after the votes of earlier turns have ended",
        False: "votes need not follow the order of turns",
    },
    "passes_after": "a turn without a proposal passes by itself after {}",
    "joins": {
        "last": "a newcomer plays last",
        "before-current": "a newcomer plays just before the player whose turn it is",
        "next-circuit": "a newcomer plays from the next round on",
    },
}


def _judge_beginning(subject: TurnBegun, state: State) -> Iterator[Finding]:
    """Judge whether a turn may begin, under the law of that moment."""
    yield from _judge_order(subject.turn, state)
    yield from _judge_overlap(subject.turn, sorted(subject.running), state)


def _judge_order(turn: Turn, state: State) -> Iterator[Finding]:
    """Judge whether a turn is the one that comes after those before it."""
    players, law, before, moment = state.records.players, state.law, state.played, state.moment
    assert moment is not None
    order, joins = law.says(Turns.order), law.value(Turns.joins)
    if order is None:
        return
    due = following_turn(players, order.value, joins, before, moment)
    if due is None or due.is_turn(turn):
        return
    # On the day on which the turn began, players may have come, and its own player may have gone,
    # after it began.
    came = frozenset(
        ident
        for ident, player in players.items()
        if player.matter.joined == moment or _any_unordered(_arrivals(player), moment)
    )
    gone = frozenset(
        ident
        for ident in (turn.matter.player,)
        if ident in players and _any_unordered(_departures(players[ident]), moment)
    )
    nobody = frozenset[PlayerId]()
    for absent, present in ((came, nobody), (nobody, gone), (came, gone)):
        other = following_turn(players, order.value, joins, before, moment, absent, present)
        if other is not None and other.is_turn(turn):
            return
    after = f"after {before.last.ident}" if before.last else "first"
    yield Finding(
        slug="turn-order",
        span=turn.source.at("player"),
        message=f"{turn.ident} of {turn.matter.player} is not the turn that comes {after}: "
        f"that is {due.ident} of {due.player}",
        help=f"write `player: {due.player}`"
        if due.ident == turn.ident
        else f"name it turns/{due.ident}.yml, or add that turn before it",
        rule=order.rule,
    )


def _arrivals(player: Player) -> tuple[Moment | None, ...]:
    """Return the moments at which a player joins, or comes back."""
    return player.matter.joined, *(span.until for span in player.matter.inactive)


def _departures(player: Player) -> tuple[Moment | None, ...]:
    """Return the moments at which a player leaves, or begins to rest."""
    return player.matter.left, *(span.since for span in player.matter.inactive)


def _any_unordered(others: tuple[Moment | None, ...], moment: Moment) -> bool:
    """Return whether nobody can tell if one of `others` came before or after `moment`."""
    return any(unordered(other, moment) for other in others)


def _judge_overlap(turn: Turn, others: Sequence[str], state: State) -> Iterator[Finding]:
    """Judge whether a turn could begin while `others` had not ended."""
    overlap, began = state.law.says(Turns.overlap), turn.matter.began
    if overlap is not None and not overlap.value and began is not None and others:
        running = [other for other in others if state.records.turns[other].matter.ended is None]
        remedy = (
            f"end {running[0]} first (`nomicgen turn {running[0]} --end --on {began}`)"
            if running
            else f"if {others[0]} ended earlier, `nomicgen correct turns/{others[0]}.yml ended "
            "DATE --evidence TEXT`"
        )
        yield rule_finding(
            "turn-overlap",
            turn.source.at("began"),
            overlap,
            f"{turn.ident} began on {began}, and {listed(others)} had not ended",
            f"{remedy}; or correct `began`: Rule {overlap.rule} lets no turns overlap",
        )


def _judge_seat(subject: PlayerChange, state: State) -> Iterator[Finding]:
    """Judge whether a newcomer's seat comes after those that are taken, once a turn has begun.

    A seat before one of them would change whose turn is next.
    """
    if subject.what != "joins":
        return  # anybody may leave, rest and come back
    player = subject.player
    order, joins = state.law.says(Turns.order), state.law.says(Turns.joins)
    seat, first, joined = player.matter.order, state.played.first_began, joined_at(player)
    if (
        order is None
        or order.value != "seat"
        or joins is not None
        or seat is None
        or not precedes(first, joined)
    ):
        return
    seats = ((other.matter.order, joined_at(other)) for other in state.records.players.values())
    taken = [other for other, before in seats if other is not None and before.precedes(joined)]
    if taken and seat <= max(taken):
        yield rule_finding(
            "seat-taken",
            player.source.at("order"),
            order,
            f"{player.ident} joins at seat {seat}, not after the players who joined before "
            f"(the last is at {max(taken)}); turns go round by seats (Rule {order.rule})",
            f"write `order: {max(taken) + 1}`, or leave `order` out",
        )


def _judge_end(subject: TurnEnded, state: State) -> Iterator[Finding]:
    """Judge whether a turn could end, and how it ended, under the law of its end."""
    law, turn, matter = state.law, subject.turn, subject.turn.matter
    passing, by_itself = law.says(Turns.passing), law.says(Turns.passes_after)
    required = law.says(Turns.proposal_required)
    is_empty = not (subject.proposed or subject.left or matter.passed or matter.ended is None)
    if is_empty and required is not None and required.value:
        yield rule_finding(
            "turn-empty",
            turn.source.at("ended"),
            required,
            f"{turn.ident} of {matter.player} ended without a proposal; Rule {required.rule} "
            "demands one",
            f"delete `ended` until {matter.player} has proposed something, or correct a proposal's "
            f"`turn`; then `nomicgen turn {turn.ident} --end` records the end",
        )
    if required is not None and required.value == "voted" and not matter.passed:
        yield from _ended_before_vote(turn, required, state)
    if not matter.passed or passing is None or passing.value:
        return
    why = f"Rule {passing.rule} lets nobody pass"
    if by_itself is not None and subject.proposed:
        why += ", and a turn with a proposal does not pass by itself"
    elif by_itself is not None:
        due = None if matter.began is None else matter.began.plus(by_itself.value)
        if not precedes(matter.ended, due):
            return
        why += f" before {due}"
    yield rule_finding(
        "turn-passed",
        turn.source.at("passed"),
        passing,
        f"{matter.player} passed {turn.ident}; {why}",
        "delete `passed`; if the turn was not played, delete `ended`, too: then it goes on",
    )


def _ended_before_vote(turn: Turn, said: Said[object], state: State) -> Iterator[Finding]:
    """Yield that a turn ended, or its player threw, before the vote on its proposal had ended."""
    matter, at, anybody = turn.matter, turn.source.at, state.law.value(Turns.own_turn) is False
    slug, span, what = "turn-empty", at("ended"), f"{turn.ident} of {matter.player} ended"
    if matter.ended is None:
        slug, span, what = (
            "dice-wrong",
            at("dice", 0),
            f"{turn.ident} of {matter.player} has its throw",
        )
    awaited = [
        f"the vote on Proposal {proposal.number} had ended"
        for proposal in state.records.matching(Proposal, lambda one: one.matter.turn == turn.ident)
        if proposal.number is not None
        and (proposal.matter.is_undecided or precedes(matter.ended, proposal.matter.decided))
    ]
    if matter.ended is None and not has_proposal(turn, state.records, anybody=anybody):
        awaited = ["a proposal was voted on"]
    # While a turn is played, only a throw can come too early.
    for event in awaited[:1] if matter.ended is not None or matter.dice else ():
        message = f"{what} before {event}; Rule {said.rule} asks for that first"
        key, command = ("dice", "--dice FACE --end") if slug == "dice-wrong" else ("ended", "--end")
        remedy = f"leave `{key}` out until then: `nomicgen turn {turn.ident} {command}` writes it"
        yield rule_finding(slug, span, said, message, remedy)


def _judge_proposal(subject: ProposalMade, state: State) -> Iterator[Finding]:
    """Judge whether a turn has room for one more proposal, and whether its author may propose
    then.
    """
    source, who, turn = subject.instrument.source, subject.instrument.actor, subject.turn
    many, own = state.law.says(Turns.proposals), state.law.says(Turns.own_turn)
    whose = _of_another(subject, strict=own is not None)
    if (demanding := own or many) is not None and (own is None or own.value) and whose is not None:
        yield rule_finding(
            "turn-proposals",
            source.at("author"),
            demanding,
            f"{whose}: {who} may not propose in it",
            "only its player may propose in a turn: correct `author`, `turn` or `date`, or "
            "withdraw the proposal",
        )
    elif many is not None and turn is not None and subject.counts and subject.earlier >= many.value:
        yield rule_finding(
            "turn-proposals",
            source.at("turn"),
            many,
            f"{turn.ident} has {counted(subject.earlier, 'proposal')} before this one; Rule "
            f"{many.rule} allows "
            f"{many.value}",
            "put it forward in another turn (change `turn`), or withdraw it",
        )


def _of_another(subject: ProposalMade, *, strict: bool) -> str | None:
    """Return in words that a proposal is made in another player's turn; None if it is not.

    With `strict`, also if it names a turn of its author, but only others play on its `date`.
    """
    turn, who, playing = (
        subject.turn,
        subject.instrument.actor,
        [played.matter.player for played in subject.playing],
    )
    if turn is None or who is None:
        return None
    if who != turn.matter.player:
        return f"{turn.ident} is the turn of {turn.matter.player}"
    is_out = strict and playing and who not in playing
    return f"{subject.playing[-1].ident} of {playing[-1]} is being played" if is_out else None


def _judge_vote(subject: VoteOpened, state: State) -> Iterator[Finding]:
    """Judge whether a vote opens after those of earlier turns have ended.

    It waits for no proposal that a player who has left or rests has yet to make.
    """
    said, proposal = state.law.says(Turns.votes_in_order), subject.instrument
    opened, turn = proposal.matter.opened, state.records.turns.get(proposal.matter.turn or "")
    if said is None or not said.value or turn is None:
        return
    places = {played.ident: played.order for played in state.records.turns_in_order}
    anybody, players = state.law.value(Turns.own_turn) is False, state.records.players

    def is_earlier(other: Proposal) -> bool:
        matter = other.matter
        was_undecided = matter.is_undecided or precedes(opened or state.moment, matter.decided)
        return (
            other.number is not None
            and was_undecided
            and places.get(matter.turn or "", turn.order) < turn.order
        )

    first = [
        (
            places[other.matter.turn or ""],
            f"the vote on Proposal {other.number} of {other.matter.turn} has ended",
        )
        for other in state.records.matching(Proposal, is_earlier)
    ]
    for running in state.played.running.values():
        player = players.get(running.matter.player)
        plays = (
            player is not None
            and is_player(player, state.moment)
            and is_active(player, state.moment)
        )
        if (
            running.order < turn.order
            and plays
            and not has_proposal(running, state.records, anybody=anybody)
        ):
            first.append((running.order, f"a proposal of {running.ident} has been voted on"))
    for _, ended in sorted(first)[:1]:
        yield rule_finding(
            "vote-disorder",
            proposal.source.at("turn" if opened is None else "opened"),
            said,
            f"the vote on a proposal of {turn.ident} opens before {ended}",
            f"open it after that: Rule {said.rule} has votes follow the order of turns"
            if opened is None
            else void_vote(proposal, f"once {ended}"),
            Wait(predicate=f"waits until {ended} (Rule {said.rule})"),
        )


def _deadlines(state: State) -> Iterator[Due]:
    """Yield when each turn that is played passes by itself, if nothing was proposed in it."""
    said = state.law.says(Turns.passes_after)
    for turn in state.played.running.values() if said is not None else ():
        began, anybody = turn.matter.began, state.law.value(Turns.own_turn) is False
        if (
            said is None
            or began is None
            or turn.matter.ended
            or keeps_proposal(turn, state.records, anybody=anybody)
        ):
            continue
        path, moment = f"turns/{turn.ident}.yml", began.plus(said.value)
        yield Due(
            rule=said.rule,
            path=path,
            what=f"{turn.ident} of {turn.matter.player} waits for a proposal",
            missed=f"{turn.ident} of {turn.matter.player} has had no proposal since {began}; "
            f"Rule {said.rule} gave "
            f"{days_words(said.value)}, until {moment}",
            moment=moment,
            then=f"{turn.ident} passes by itself",
            writes={path: {"ended": moment, "passed": True}},
        )


def _hinders(_change: ChangeKind, scene: Scene) -> Iterator[tuple[int | None, str]]:
    proposals = scene.law.says(Turns.proposals)
    if proposals is not None and proposals.value == 0:
        yield proposals.rule, f"Rule {proposals.rule} lets no proposal be made"


KIND = JudgingKind(
    schema=Turns,
    sentence=by_field(_WORDS, "no order of turns is laid down"),
    combines="fields",
    licenses=(
        permitted_by(PlayerChange, [Turns.joins], _judge_seat),
        permitted_by(ProposalMade, [Turns.proposals, Turns.own_turn], _judge_proposal),
        permitted_by(TurnBegun, [Turns.order], _judge_beginning),
        permitted_by(TurnEnded, [Turns.order], _judge_end),
        permitted_by(VoteOpened, [Turns.votes_in_order], _judge_vote),
    ),
    hinders=_hinders,
    deadlines=_deadlines,
    affects_changeability=lambda turns: turns.proposals == 0,
)
