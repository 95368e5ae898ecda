"""A deadline says how long something may take, in days from its beginning, and what happens
then. A day ends at midnight in the game's time zone. Nothing happens between two commands:
`nomicgen next` lists what is due and what will be, `nomicgen check` warns of what is overdue
(`deadline-missed`), and `nomicgen next --do` writes what a rule says.

- **A turn** is counted from the day on which it began, and gets the days of `with_proposal` on top
  if there is a proposal in it. With `unless: all-voted` it does not get them if all eligible
  voters have voted by the end of the days of `within`, as the days of their votes say, and nobody
  has asked for a judgement by then. `then: ends` ends it. With `idle: inactive`, its player
  becomes inactive if there is no proposal in it by then. So do all who have not voted on a
  proposal of that turn whose vote is still open then. If nobody active would be left, the turn only
  ends. If its player has become inactive in it, a proposal that they withdrew counts as never made,
  even if they are active again. A turn that was prolonged or cut short, as after a judgement, has
  its last day as `until` in its file (`nomicgen turn --until DATE`). Then that day counts, and a
  resubmission is never late.
- **A judgement** is counted from its `date` while it is pending. `replaced` puts its judge under
  `late` in the file and lets somebody else judge, with as many days from then on; `costs` takes
  points from the judge, if an `awards` provision allows that in a judgement.
- **A vote** is counted from its opening. `inactive` makes everyone inactive who has not voted.
  If nobody active would be left, nothing is written, and the players decide what to do. If a
  proposal has a `discussion` and no recorded vote, nothing is due, not even by `idle`: votes may
  stand there.
- **A resubmission** is counted from the beginning of the turn of the proposal. After these days,
  the vote may not begin again (`resubmission-late`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Annotated, Literal

from msgspec.structs import replace

from nomicgen.law.judging_kind import Due, JudgingKind
from nomicgen.law.kind import Days, PositiveDays, Problem, Provision, unsaid
from nomicgen.law.replay.effects import Verdict
from nomicgen.law.replay.moments import precedes
from nomicgen.law.replay.player_spans import is_active, is_player
from nomicgen.law.replay.results import Rule
from nomicgen.law.replay.turn_order import anybody_proposes
from nomicgen.law.replay.turn_proposals import (
    has_proposal,
    keeps_proposal,
    standing_in,
    unopened_in,
)
from nomicgen.law.sentences import as_sentence, days_words, points_words
from nomicgen.law.subjects import State, VoteOpened, effect_judge
from nomicgen.law.voting.voting_rights import electorate, vote_closes
from nomicgen.model.file_model import described
from nomicgen.model.findings import Finding, listed
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Judgement, Proposal, Turn
from nomicgen.model.types import Bounds
from nomicgen.model.values import Moment, Ratio

EXAMPLES = """\
- case: A turn lasts a day, and a second one if there is a proposal in it.
  provisions:
    deadline: {for: turn, within: 1, with_proposal: 1, then: ends}
  files:
    turns/R1T1.yml: {player: osprey, began: 2026-01-02}
  gives:
    - "deadline-missed: R1T1 of osprey is being played; Rule 201 gave a day from 2026-01-02, until
      2026-01-03"
- case: Everyone has voted when the turn's own day is over, so there is no further one.
  provisions:
    deadline: {for: turn, within: 1, with_proposal: 1, unless: all-voted, then: ends}
  files:
    turns/R1T1.yml: {player: osprey, began: 2026-01-02}
  turn: R1T1
  votes:
    osprey: {vote: for, at: 2026-01-03}
    quill: {vote: for, at: 2026-01-03}
    tallow: {vote: for, at: 2026-01-03}
    wren: {vote: against, at: 2026-01-03}
  gives:
    - "adopted: 3 for; more than half of eligible voters (4): more than 2 needed"
    - "deadline-missed: R1T1 of osprey is being played; Rule 201 gave a day from 2026-01-02, until
      2026-01-03"
- case: Whoever does not vote within a week becomes inactive. A vote may begin again only within a
    day of the beginning of its turn.
  provisions:
    deadline:
      - {for: vote, within: 7, then: inactive}
      - {for: resubmission, within: 1}
  votes: {osprey: for, quill: for, wren: for}
  gives:
    - "adopted: 3 for; more than half of eligible voters (4): more than 2 needed"
- case: A turn ends after a day. A player who has not proposed by then becomes inactive.
  provisions:
    deadline: {for: turn, within: 1, then: ends, idle: inactive}
  files:
    turns/R1T1.yml: {player: osprey, began: 2026-01-02}
  gives:
    - "deadline-missed: R1T1 of osprey is being played; Rule 201 gave a day from 2026-01-02, until
      2026-01-03"
- case: A judge has three days. Wren is late, and pays three points.
  provisions:
    deadline: {for: judgement, within: 3, then: replaced, costs: 3}
    awards: {in: judgement, amount: -3}
  files:
    judgements/1.md: {judge: wren, date: 2026-01-03, status: pending}
  gives:
    - "deadline-missed: Judgement 1 waits for wren's ruling; Rule 201 gave 3 days from 2026-01-03,
      until 2026-01-06"
"""

_Writes = Mapping[str, Mapping[str, object]]
"""By path, the keys that are written when the time is up (`Due.writes`)."""
_Subject = Literal["turn", "judgement", "vote", "resubmission"]
# The values that `then` can have, by the one of `for`.
_THEN = {"turn": ("ends",), "judgement": ("replaced",), "vote": ("inactive",), "resubmission": ()}


class Deadline(Provision):
    """How long something may take, and what happens then."""

    for_: _Subject = described("what has a deadline")
    within: PositiveDays = described("how many days it may take")
    with_proposal: Days | None = unsaid(
        "of a turn: how many more days it may take, if there is a proposal in it"
    )
    unless: Literal["all-voted"] | None = unsaid(
        "of a turn: when it does not get the days of `with_proposal`"
    )
    then: Literal["ends", "replaced", "inactive"] | None = unsaid(
        "what happens then: a turn ends, a judge is replaced, a player who has not voted "
        "becomes inactive; if missing, only a warning, or for a resubmission an error"
    )
    idle: Literal["inactive"] | None = unsaid(
        "of a turn: what a player who made no proposal, or has not voted, becomes at its end"
    )
    costs: Annotated[Ratio, Bounds(above=0)] | None = unsaid(
        "of a judgement: how many points a late judge loses"
    )


def _misfits(deadline: Deadline, _tiers: tuple[str, ...] | None) -> Iterator[Problem]:
    if deadline.then is not None and deadline.then not in _THEN[deadline.for_]:
        able = " or ".join(_THEN[deadline.for_]) or "nothing: it is refused later"
        yield Problem(("then",), f"does not fit a {deadline.for_}, for which it can be {able}")
    if deadline.costs is not None and deadline.then != "replaced":
        yield Problem(
            ("costs",), "needs `then: replaced`: a judge who stays would pay again and again"
        )
    if deadline.idle is not None and deadline.then != "ends":
        yield Problem(("idle",), "needs `then: ends`: it is about the end of a turn")
    if deadline.unless is not None and not deadline.with_proposal:
        yield Problem(("unless",), "needs `with_proposal`: it is about those days")
    for key, only in (
        ("with_proposal", "turn"),
        ("unless", "turn"),
        ("costs", "judgement"),
        ("idle", "turn"),
    ):
        if getattr(deadline, key) is not None and deadline.for_ != only:
            yield Problem((key,), f"is only for a {only}")


def _deadlines(state: State) -> Iterator[Due]:
    """Yield what is not done yet and has a deadline."""
    for rule, deadline in state.law.every(Deadline):
        match deadline.for_:
            case "turn":
                yield from _dues_of_turns(rule, deadline, state)
            case "judgement":
                yield from _dues_of_judgements(rule, deadline, state)
            case "vote":
                yield from _dues_of_votes(rule, deadline, state)


def _due(
    rule: Rule, path: str, what: str, since: Moment, days: int, then: str, writes: _Writes
) -> Due:
    moment = since.plus(days)
    missed = f"{what}; Rule {rule.number} gave {days_words(days)} from {since}, until {moment}"
    return Due(
        rule=rule.number,
        path=path,
        what=what,
        missed=missed,
        moment=moment,
        then=then,
        writes=writes,
    )


def _dues_of_turns(rule: Rule, deadline: Deadline, state: State) -> Iterator[Due]:
    for turn in state.played.running.values():
        began, more = turn.matter.began, deadline.with_proposal or 0
        if began is None or turn.matter.ended is not None:
            continue
        if deadline.unless is not None and _all_voted(turn, began.plus(deadline.within), state):
            more = 0
        days = deadline.within + (more if more and _is_proposed(turn, state) else 0)
        path, what = (
            f"turns/{turn.ident}.yml",
            f"{turn.ident} of {turn.matter.player} is being played",
        )
        then, writes, moment = (
            "",
            dict[str, Mapping[str, object]](),
            turn.matter.until or began.plus(days),
        )
        if deadline.then:
            unopened = "".join(
                f" without a vote on {number}" for number in unopened_in(turn, state.records)
            )
            then, writes = f"{turn.ident} ends{unopened}", {path: {"ended": moment}}
        idle = _idle(turn, state, moment) if deadline.idle else []
        if idle and _others_play(idle, state):
            then += f", and {_rest(idle, moment, state, writes)}"
        due = _due(rule, path, what, began, days, then, writes)
        if turn.matter.until is not None:
            due = replace(due, moment=moment, missed=f"{what}, but was to last until {moment}")
        yield due


def _all_voted(turn: Turn, end: Moment, state: State) -> bool:
    """Return whether all have voted on a turn's proposals by `end`, and nobody has asked for a
    judgement by then.
    """

    def is_asked(judgement: Judgement) -> bool:
        asked, named = judgement.matter.date, judgement.matter.turn
        # A judgement without a turn counts unless it was surely asked for before this one began.
        return not precedes(end, asked) and (
            named == turn.ident if named is not None else not precedes(asked, began)
        )

    began, voters = turn.matter.began, electorate(state.records.players, state.law, end)[0]
    standing = standing_in(turn, state.records)
    cast = [(proposal.matter.votes or {}).get(voter) for proposal in standing for voter in voters]
    in_time = all(
        vote is not None and vote.at is not None and not end.precedes(vote.at) for vote in cast
    )
    return bool(cast) and in_time and not any(state.records.matching(Judgement, is_asked))


def _is_proposed(turn: Turn, state: State) -> bool:
    """Return whether a proposal was made in a turn; if its player is or was inactive in it,
    withdrawn ones do not count.
    """
    player, began = state.records.players.get(turn.matter.player), turn.matter.began
    rested = player is not None and (
        not is_active(player, state.moment)
        or any(
            not precedes(span.since, began)
            and (span.until is None or precedes(began, span.until))
            and not precedes(state.moment, span.since)
            for span in player.matter.inactive
        )
    )
    made = keeps_proposal if rested else has_proposal
    return made(turn, state.records, anybody=anybody_proposes(state.law))


def _idle(turn: Turn, state: State, end: Moment) -> list[PlayerId]:
    """Return the active players who have not proposed in their turn, which ends at `end`, or not
    voted on a proposal of it that is open until then.
    """
    players, votes = state.records.players, list[Mapping[PlayerId, object]]()
    for proposal in state.records.matching(
        Proposal, lambda proposal: proposal.matter.turn == turn.ident
    ):
        # Players may have voted in the discussion, and their votes are not recorded yet.
        closes = vote_closes(state.law, proposal.matter.opened)
        if (
            proposal.matter.status == "open"
            and (proposal.matter.discussion is None or proposal.matter.votes)
            # A vote that closes before the turn ends is decided by then.
            and (closes is None or precedes(end, closes))
        ):
            votes.append(proposal.matter.votes or {})
    voters = electorate(players, state.law, state.moment)[0]
    silent = [voter for voter in voters if any(voter not in cast for cast in votes)]
    own = turn.matter.player
    idle = [own] if not _is_proposed(turn, state) else []
    idle += [voter for voter in silent if voter != own]
    return [
        player for player in idle if player in players and is_active(players[player], state.moment)
    ]


def _rest(
    silent: list[PlayerId], since: Moment, state: State, writes: dict[str, Mapping[str, object]]
) -> str:
    """Write into `writes` that some players become inactive, and return that in words."""
    for player in silent:
        spans = [span.entries() for span in state.records.players[player].matter.inactive]
        writes[f"players/{player}.yml"] = {"inactive": [*spans, {"since": since}]}
    return f"{listed(silent)} {'is' if len(silent) == 1 else 'are'} inactive"


def _dues_of_judgements(rule: Rule, deadline: Deadline, state: State) -> Iterator[Due]:
    for judgement in state.records.matching(
        Judgement, lambda judgement: judgement.matter.status == "pending"
    ):
        matter = judgement.matter
        if matter.judge is None or matter.date is None:
            continue
        what, keys = f"{judgement.name} waits for {matter.judge}'s ruling", dict[str, object]()
        then = f"somebody other than {matter.judge} judges" if deadline.then == "replaced" else ""
        if deadline.then == "replaced":
            keys = {
                "judge": None,
                "late": [*matter.late, matter.judge],
                "date": matter.date.plus(deadline.within),
            }
        if deadline.costs is not None:
            then += (
                f"{' and ' if then else ''}{matter.judge} loses "
                f"{points_words(Fraction(deadline.costs))}"
            )
            line = {
                "player": matter.judge,
                "amount": -deadline.costs,
                "reason": "late",
                "under": rule.number,
            }
            keys["points"] = [*(award.entries() for award in matter.points or ()), line]
        writes = {judgement.path: keys} if keys else {}
        yield _due(rule, judgement.path, what, matter.date, deadline.within, then, writes)


def _dues_of_votes(rule: Rule, deadline: Deadline, state: State) -> Iterator[Due]:
    players = state.records.players
    for proposal in state.records.matching(
        Proposal, lambda proposal: proposal.matter.status == "open"
    ):
        votes, opened = proposal.matter.votes or {}, proposal.matter.opened
        voters = electorate(players, state.law, state.moment)[0]
        silent = [
            voter
            for voter in voters
            if voter not in votes and is_active(players[voter], state.moment)
        ]
        if opened is None or not silent or (proposal.matter.discussion is not None and not votes):
            continue  # they may have voted in the discussion
        then, writes = "", dict[str, Mapping[str, object]]()
        if deadline.then and not _others_play(silent, state):
            then = "nobody active would be left, so the players decide"
        elif deadline.then:
            then = _rest(silent, opened.plus(deadline.within), state, writes)
        what = f"the vote on {proposal.number} waits for {listed(silent)}"
        yield _due(rule, proposal.path, what, opened, deadline.within, then, writes)


def _others_play(silent: Iterable[PlayerId], state: State) -> bool:
    """Return whether somebody other than `silent` is active: a deadline never empties a game."""
    return any(
        player.matter.kind == "person"
        and is_player(player, state.moment)
        and is_active(player, state.moment)
        for ident, player in state.records.players.items()
        if ident not in set(silent)
    )


def _judge_opening(subject: VoteOpened, state: State) -> Verdict:
    """Judge whether a vote begins again in time."""
    matter = subject.instrument.matter
    turn = state.records.turns.get(matter.turn or "")
    again = (matter.earlier[-1].ended or matter.opened) if matter.earlier else None
    gone = matter.status in ("withdrawn", "void")
    if again is None or gone or turn is None or turn.matter.began is None or turn.matter.until:
        return Verdict()
    late = [
        Finding(
            slug="resubmission-late",
            span=subject.instrument.source.at("opened"),
            message=f"the vote began again on {again}; Rule {rule.number} allows that only within "
            f"{days_words(deadline.within)} of the beginning of {turn.ident}, that is until "
            f"{turn.matter.began.plus(deadline.within)}",
            help="withdraw it, and put forward another proposal; or, if the turn was prolonged, "
            f"`nomicgen turn {turn.ident} --until DATE`",
            rule=rule.number,
        )
        for rule, deadline in state.law.every(Deadline)
        if deadline.for_ == "resubmission"
        and turn.matter.began.plus(deadline.within).precedes(again)
    ]
    return Verdict(findings=tuple(late))


# Parts of the sentence, by the words in `for` and `then`.
_WORDS = {
    "turn": "a turn lasts {}",
    "judgement": "a judge rules within {}",
    "vote": "everyone votes within {}",
    "resubmission": "a vote may begin again within {} of the beginning of the turn",
}
_OUTCOMES = {
    "ends": "then it ends",
    "replaced": "then somebody else judges",
    "inactive": "then the silent are inactive",
}


def _sentence(deadline: Deadline) -> str:
    parts = [_WORDS[deadline.for_].format(days_words(deadline.within))]
    unless = ", unless everyone has voted by then and nobody has asked for a judgement" * bool(
        deadline.unless
    )
    parts += (
        [f"{days_words(deadline.with_proposal)} more with a proposal{unless}"]
        if deadline.with_proposal
        else []
    )
    parts += [_OUTCOMES[deadline.then]] if deadline.then else []
    parts += ["whoever has not proposed or voted by then is inactive"] if deadline.idle else []
    parts += (
        [f"a late judge loses {points_words(Fraction(deadline.costs))}"] if deadline.costs else []
    )
    return as_sentence("; ".join(parts))


KIND = JudgingKind(
    schema=Deadline,
    sentence=_sentence,
    combines="all",
    misfits=_misfits,
    licenses=(effect_judge(VoteOpened, _judge_opening),),
    deadlines=_deadlines,
)
