"""Voting: casting votes, by hand or by die, and putting a proposal to the vote again."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec.structs import replace

from nomicgen.law.precedence import Law
from nomicgen.law.prospects import against_opening
from nomicgen.law.questions import (
    breaks_ties,
    die_of,
    electorate_moment,
    may_vote,
    rule_of_electorate_moment,
    vote_closes,
    wakes_voters,
)
from nomicgen.law.replay.moments import precedes
from nomicgen.law.replay.player_spans import is_player
from nomicgen.model.findings import counted
from nomicgen.model.front_matters import ProposalMatter, Vote
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Instrument, Player, Proposal
from nomicgen.model.values import Moment
from nomicgen.play.load import Game, as_of, law_on, overlay, today
from nomicgen.play.move import Move, Part, edit_file, idle, last_wait, verify_move
from nomicgen.play.players_and_turns import with_absence_ended
from nomicgen.play.preconditions import require_open, require_player, status_words
from nomicgen.play.proposing import opening_keys, proposal_of
from nomicgen.play.refusal import Refused
from nomicgen.play.voting.ballots import ballot_keys, require_ballot, require_opened
from nomicgen.play.voting.status import vote_lines

_OPEN_VOTES = "`nomicgen status` lists open votes"


def cast_vote(
    game: Game,
    number: int,
    votes: Mapping[PlayerId, str],
    on: Moment,
    *,
    die: int | None = None,
    token: str | None = None,
) -> Move:
    """Return the move that records votes: by player `for`, `against` or `abstain`. The first one
    opens the vote, draws its token and fixes the digest.

    With `die` the votes are what the rules make of that throw, and `votes` only says whose they
    are. `token` is that of the ballot which the voters named, None if they named none. Raises
    Refused if one of them may not vote so.
    """
    instrument = proposal_of(game, number)
    matter = instrument.matter
    require_open(game)
    if matter.status not in ("debate", "open"):
        raise Refused(f"proposal {number} is {matter.status}, so nobody votes on it", _OPEN_VOTES)
    require_ballot(matter, token)
    require_opened(matter, on)
    then = as_of(game, on)
    law = Law.of(then.replay.current, game.settings, on)
    require_openable(game, instrument, on)
    closes, players = vote_closes(law, matter.opened), game.records.players
    # After it closed, only the player who breaks ties may vote: before, there may be no tie yet.
    late = any(voter not in players or not breaks_ties(players[voter], law) for voter in votes)
    if closes is not None and closes.precedes(on) and late:
        raise Refused(
            f"the vote on proposal {number} closed on {closes}",
            f"nomicgen proposal resolve {number} --on {closes}",
        )
    given: dict[PlayerId, object] = {}
    for voter, choice in votes.items():
        _require_voter(then, instrument, matter, law, voter, on)
        _require_one_throw(matter, voter, die)
        _require_latest(number, voter, (matter.votes or {}).get(voter), choice, on)
        given[voter] = _vote_entry(game, law, voter, choice, die, on)
    changes: dict[str, object] = {}
    if matter.status == "debate":
        changes = {"status": "open", **ballot_keys(game, instrument, law, on)}
    changes["votes"] = dict(sorted({**votes_for_file(matter), **given}.items()))
    names = ", ".join(f"{voter} {_choice(vote)}" for voter, vote in given.items())
    back = [players[voter] for voter in votes if _wakes(players[voter], law, on, matter)]
    writes = {instrument.path: edit_file(game, instrument.path, changes)}
    for player in back:
        writes |= with_absence_ended(game, player, on)
    move = verify_move(
        game, Part(writes=writes, subject=f"Vote on proposal {number}: {names}"), on=on
    )
    after = as_of(move.after, on)
    lines = [f"{player.matter.name} is active again, from {on}" for player in back]
    return replace(
        move,
        said=(
            *lines,
            *vote_lines(after, number, after.replay.tallies[instrument.path]),
            *move.said,
        ),
    )


def take_back(
    game: Game, number: int, voters: Collection[PlayerId], on: Moment, *, token: str | None = None
) -> Move:
    """Return the move that takes votes back while the vote is open: these players have then not
    voted.

    Raises Refused if the vote is not open, if one of them has not voted, and for a vote by die.
    """
    instrument = proposal_of(game, number)
    matter = instrument.matter
    require_open(game)
    if matter.status != "open":
        raise Refused(
            f"proposal {number} is {status_words(matter)}: votes are taken back only while it is "
            "open",
            _OPEN_VOTES,
        )
    require_ballot(matter, token)
    require_opened(matter, on)
    closes = vote_closes(law_on(game, on), matter.opened)
    if closes is not None and closes.precedes(on):
        raise Refused(
            f"the vote on proposal {number} closed on {closes}",
            f"nomicgen proposal resolve {number} --on {closes}",
        )
    votes = matter.votes or {}
    for voter in voters:
        require_player(game, voter)
        if voter not in votes:
            raise Refused(
                f"{voter} has not voted on proposal {number}",
                f"these have voted: {', '.join(votes) or 'nobody'}",
            )
        if votes[voter].die is not None:
            raise Refused(f"{voter} has thrown {votes[voter].die}", "a throw is not taken back")
    left = {voter: vote for voter, vote in votes_for_file(matter).items() if voter not in voters}
    subject = f"Votes on proposal {number} taken back: {', '.join(sorted(voters))}"
    part = Part(
        writes={instrument.path: edit_file(game, instrument.path, {"votes": left})}, subject=subject
    )
    move = verify_move(game, part, on=on)
    after = as_of(move.after, on)
    return replace(move, said=vote_lines(after, number, after.replay.tallies[instrument.path]))


def require_openable(game: Game, proposal: Proposal, on: Moment) -> None:
    """Raise Refused for a proposal in debate whose vote cannot open yet, with what prevents it."""
    against = against_opening(proposal, game.records, as_of(game, on).replay, on)
    if not against:
        return
    waits, remedy = last_wait(against), against[0].help
    if waits is not None and (due := waits.since) is not None:
        later = f"if the vote was on a later day, say which: --on {due}"
        remedy = "vote then" if today(game.settings).day < due.day else later
    raise Refused(against[0].message, remedy, () if waits else against, waits)


def _require_voter(
    game: Game,
    instrument: Instrument,
    matter: ProposalMatter,
    law: Law,
    voter: PlayerId,
    on: Moment,
) -> None:
    """Raise Refused for a player without a vote, and for one who breaks ties if there is no tie."""
    require_player(game, voter)
    if breaks_ties(game.records.players[voter], law):
        tally = game.replay.tallies.get(instrument.path)
        tied = tally is not None and (tally.tie_broken_by == voter or tally.is_tied)
        if tally is None or not tally.may_end or not tied:
            raise Refused(
                f"{voter} votes only to break a tie, and there is none",
                "`nomicgen status` shows the votes",
            )
        return
    players = game.records.players
    if may_vote(players[voter], law, on, matter) or _wakes(players[voter], law, on, matter):
        return
    eligible = [player for player in sorted(players) if may_vote(players[player], law, on, matter)]
    rule, fixed = rule_of_electorate_moment(law), electorate_moment(matter, law, on)
    why = (
        f": by Rule {rule}, the voters are fixed since {fixed}"
        if rule is not None and fixed != on
        else ""
    )
    raise Refused(
        f"{voter} may not vote on {on}{why}", f"eligible are {', '.join(eligible) or 'nobody'}"
    )


def _wakes(player: Player, law: Law, on: Moment, matter: ProposalMatter) -> bool:
    """Return whether a player is inactive, and becomes active by voting."""
    able = (
        may_vote(player, law, on, matter) or breaks_ties(player, law) or not is_player(player, on)
    )
    return wakes_voters(law) and player.matter.kind == "person" and not able


def _require_one_throw(matter: ProposalMatter, voter: PlayerId, die: int | None) -> None:
    """Raise Refused for a second throw: else somebody would throw until the result suits them."""
    cast = (matter.votes or {}).get(voter)
    if cast is not None and cast.die is not None and cast.die != die:
        path = f"proposals/{matter.number}.md"
        raise Refused(
            f"{voter} has thrown {cast.die} already",
            f"delete the vote from {path} if that is wrong",
        )


def _require_latest(
    number: int, voter: PlayerId, vote: Vote | None, choice: str, on: Moment
) -> None:
    """Raise Refused if a player has given another vote since: the last one counts."""
    if vote is not None and vote.vote != choice and precedes(on, vote.at):
        raise Refused(
            f"{voter} voted {vote.vote} on {vote.at}, after {on}: the last vote counts",
            f"if that day is wrong, first `nomicgen vote {number} withdraw --player {voter}`",
        )


def _vote_entry(
    game: Game, law: Law, voter: PlayerId, choice: str, die: int | None, at: Moment
) -> dict[str, object]:
    """Return a vote as the file has it. Its day, in `at`, tells when all had voted."""
    rule = die_of(game.records.players[voter], law)
    if die is None:
        if rule is not None:
            raise Refused(
                f"{voter} votes by a die of {rule.die} sides",
                "throw it, and give --die instead of a choice",
            )
        return {"vote": choice, "at": at}
    if rule is None:
        raise Refused(
            f"no rule lets {voter} vote by die", "leave out --die, and say for or against"
        )
    if not 1 <= die <= rule.die:
        raise Refused(f"a die of {rule.die} sides does not show {die}", "give what was thrown")
    return {"vote": rule.vote(die), "at": at, "cast_by": "die", "die": die}


def _choice(vote: object) -> object:
    return vote["vote"] if isinstance(vote, dict) else vote


def votes_for_file(matter: ProposalMatter) -> dict[PlayerId, object]:
    """Return the votes of a proposal as its file is to have them."""
    return _as_written(matter.votes or {})


def _as_written(votes: Mapping[PlayerId, Vote]) -> dict[PlayerId, object]:
    """Return votes as a file has them: a word if only the choice is said."""
    return {
        voter: vote.entries() if set(vote.written) > {"vote"} else vote.vote
        for voter, vote in votes.items()
    }


def open_vote(game: Game, number: int, on: Moment) -> Move:
    """Return the move that opens the vote on a proposal in debate.

    It does nothing if a rule is against that now, or if the proposal is not in debate.
    """
    instrument = proposal_of(game, number)
    matter = instrument.matter
    require_open(game)
    if matter.status != "debate":
        subject = "the vote on proposal" if matter.status == "open" else "proposal"
        return idle(game, on, f"{subject} {number} is {matter.status} already")
    keys, line = opening_keys(game, instrument, number, matter.date, on)
    if not keys:
        return idle(game, on, f"proposal {number} is in debate", line)
    part = Part(
        writes={instrument.path: edit_file(game, instrument.path, keys)},
        subject=f"Open the vote on proposal {number}: {matter.title or instrument.path}",
    )
    return verify_move(game, part, said=(line.strip(),), on=on)


def resubmit(game: Game, number: int, on: Moment) -> Move:
    """Return the move that puts an open proposal to the vote again, as it reads now. Its votes are
    kept under `earlier`.
    """
    part, said = resubmission(game, number, on)
    return verify_move(game, part, said=said, on=on)


def resubmission(game: Game, number: int, on: Moment) -> tuple[Part, tuple[str, ...]]:
    """Return the part that puts an open proposal to the vote again, and the lines to print.

    Raises Refused if it is not open, or if there is no vote on it and its text is the same.
    """
    instrument = proposal_of(game, number)
    matter = instrument.matter
    if matter.status != "open":
        undecided = f"edit its file; `nomicgen vote {number} for --player ID` then opens the vote"
        remedy = (
            undecided if matter.status == "debate" else "`nomicgen propose` writes another proposal"
        )
        raise Refused(
            f"proposal {number} is {status_words(matter)}: only an open vote can begin again",
            remedy,
        )
    require_opened(matter, on)
    if not matter.votes and instrument.is_bound_by(matter.digest):
        raise Refused(
            f"nobody has voted on proposal {number}, and it has not changed", "edit it first"
        )
    earlier = [
        {**ballot.entries(), "votes": _as_written(ballot.votes)} for ballot in matter.earlier or ()
    ]
    now: dict[str, object] = {
        "opened": matter.opened,
        "ended": on,
        "ballot": matter.ballot,
        "digest": matter.digest,
    }
    now |= {"votes": votes_for_file(matter), "deeds": [deed.entries() for deed in matter.deeds]}
    earlier.append({key: value for key, value in now.items() if value})
    anew: dict[str, object | None] = {"deeds": None, "earlier": earlier}
    closed = {"status": "debate", **dict.fromkeys(("opened", "ballot", "digest", "votes"))}
    debated = overlay(game, {instrument.path: edit_file(game, instrument.path, {**anew, **closed})})
    against = against_opening(
        proposal_of(debated, number), debated.records, as_of(debated, on).replay, on
    )
    if against and last_wait(against) is not None:
        # It may lack the deeds that its vote had to wait for: those were about the earlier text.
        begins, changes = f"proposal {number} is in debate again", anew | closed
        last = f"  {against[0].message}: {against[0].help}"
    else:
        keys = ballot_keys(game, instrument, law_on(game, on), on)
        begins, changes = (
            f"the vote on proposal {number} begins anew, as ballot {number}-{keys['ballot']}",
            anew | {"votes": {}} | keys,
        )
        last = f"  nomicgen vote {number} for --player ID"
    part = Part(
        writes={instrument.path: edit_file(game, instrument.path, changes)},
        subject=f"Resubmit proposal {number}: {matter.title or instrument.path}",
    )
    again = (
        (f"  these had voted, and vote again: {', '.join(sorted(matter.votes))}",)
        if matter.votes
        else ()
    )
    return part, (f"{begins}; {_votes_kept(matter)} kept under `earlier`", *again, last)


def _votes_kept(matter: ProposalMatter) -> str:
    count = len(matter.votes or {})
    return f"{counted(count, 'vote')} {'is' if count == 1 else 'are'}"
