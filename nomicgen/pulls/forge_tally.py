"""Counting what was recorded on a forge: whose vote each is, on which text it was cast, and why
some do not count.

Nothing is written. `law/` does the counting: where it finds a vote wrong, the vote is not counted,
and its finding is the reason.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.law.checks.votes import has_changed
from nomicgen.law.precedence import Law
from nomicgen.law.questions import breaks_ties, die_of
from nomicgen.law.replay.player_spans import is_active, is_player
from nomicgen.law.voting.voters import judge_voters
from nomicgen.model.front_matters import Vote
from nomicgen.model.identifiers import Digest, PlayerId
from nomicgen.model.records import Player, Proposal
from nomicgen.model.values import Moment
from nomicgen.play.commit_drafts import Drafts
from nomicgen.play.load import Game, as_of, local
from nomicgen.play.preconditions import status_words
from nomicgen.play.proposing import proposal_of
from nomicgen.play.refusal import Refused
from nomicgen.play.resolving import with_votes
from nomicgen.play.voting.ballots import require_opened
from nomicgen.play.voting.voting import votes_for_file
from nomicgen.pulls.forge.github import Cast, Recorded
from nomicgen.pulls.request import players_of
from nomicgen.pulls.status import UncountedVote
from nomicgen.pulls.tally_text import CountedVote, VoteCount


class ForgeCount(Struct, frozen=True, kw_only=True):
    """A count of a recording: the `game` as of its day, in which the `proposal` has the votes."""

    proposal: Proposal
    game: Game
    count: VoteCount


def claimants(game: Game, login: str) -> tuple[Player, ...]:
    """Return the players whose files name this GitHub account: none, one, or several (after a
    return under another id, or by mistake).
    """
    players = game.records.players
    return tuple(players[ident] for ident in players_of(login, players.values()))


def player_with(game: Game, login: str, at: Moment) -> Player | str:
    """Return the player whose account on GitHub this is, or why there is none. If several have it,
    it is the one who plays at the moment `at`.
    """
    claiming = claimants(game, login)
    # Somebody who left and came back under another id has the account in two files, but plays as
    # one of them at a time.
    playing = tuple(player for player in claiming if is_player(player, at)) or claiming
    if len(playing) == 1:
        return playing[0]
    named = " and ".join(player.ident for player in playing)
    return f"{named} claim this account" if playing else "no player has this account"


def count_recorded(game: Game, number: int, recorded: Recorded, on: Moment) -> ForgeCount:
    """Count the votes of a recording on an open proposal by the law of `on`.

    Raises Refused where the recording is not whole, where the vote is not open at `on`, or where
    its text has changed; RepositoryError when git fails.
    """
    if recorded.fatal:
        first = recorded.fatal[0]
        raise Refused(f"{first}: no vote is counted", first.help or "record it again")
    instrument = proposal_of(game, number)
    digest = _open_digest(game, instrument)
    require_opened(instrument.matter, on)
    counting = _Counting(as_of(game, on), instrument, digest, on)
    admitted = [vote for cast in recorded.casts if (vote := counting.admit(cast)) is not None]
    for cast in recorded.deleted:
        counting.reject(cast, cast.fault)
    # Only a player's last vote can take the place of one by hand. Whether there is a tie is known
    # once the votes of all others are there.
    votes = counting.without_tie_breaker(counting.beside_those_by_hand(counting.latest(admitted)))
    after = counting.game_with(votes)
    proposal = proposal_of(after, number)
    count = VoteCount(
        number=number,
        ballot=proposal.matter.ballot_name,
        digest=digest,
        on=on,
        votes=tuple(votes),
        uncounted=counting.uncounted(),
        tally=after.replay.tallies[proposal.path],
        notes=recorded.notes,
        unread=tuple(map(str, recorded.problems)),
    )
    return ForgeCount(proposal=proposal, game=after, count=count)


def recorded_votes(
    game: Game, number: int, recorded: Recorded, on: Moment
) -> Mapping[PlayerId, object]:
    """Return the votes on an open proposal as its file is to have them: those that it has, and
    those of a recording that count at `on`. Raises what `count_recorded` raises.
    """
    return votes_for_file(count_recorded(game, number, recorded, on).proposal.matter)


def _open_digest(game: Game, instrument: Proposal) -> Digest:
    matter, number = instrument.matter, instrument.number
    if matter.status != "open":
        remedy = (
            f"`nomicgen register {number} --open` opens it"
            if matter.status == "debate"
            else "nomicgen status"
        )
        raise Refused(
            f"proposal {number} is {status_words(matter)}, so there is no vote to count", remedy
        )
    if matter.digest is None or has_changed(instrument, game.replay.edits.get(instrument.path)):
        raise Refused(
            f"the text of proposal {number} is not the one that was put to the vote",
            f"nomicgen proposal resubmit {number}",
        )
    return matter.digest


class _Counting:
    """One count: `game` is the game as of the moment `on`, `law` its law."""

    def __init__(self, game: Game, instrument: Proposal, digest: Digest, on: Moment) -> None:
        self.game = game
        self.instrument = instrument
        self.matter = instrument.matter
        self.digest = digest
        self.on = on
        self.law = Law.of(game.replay.current, game.settings, on)
        self.drafts = Drafts(game.root)
        self._uncounted: list[UncountedVote] = []

    def reject(self, cast: Cast, reason: str, player: PlayerId | None = None) -> None:
        """List a cast that does not count; without `player`, under the player of its account."""
        if (
            player is None
            and cast.by is not None
            and not cast.bot
            and len(known := claimants(self.game, cast.by)) == 1
        ):
            player = known[0].ident
        at = local(cast.at, self.game.settings) if cast.at is not None else None
        self._uncounted.append(
            UncountedVote(
                login=cast.by, reason=reason, url=cast.url, player=player, kind=cast.kind, at=at
            )
        )

    def _reject_vote(self, vote: CountedVote, reason: str) -> None:
        self._uncounted.append(
            UncountedVote(
                login=vote.login,
                reason=reason,
                url=vote.url,
                player=vote.player,
                kind=vote.kind,
                at=vote.at,
            )
        )

    def uncounted(self) -> tuple[UncountedVote, ...]:
        """Return the votes that do not count, the earliest first; those without a time come before
        all others.
        """
        return tuple(sorted(self._uncounted, key=lambda vote: str(vote.at or "")))

    def admit(self, cast: Cast) -> CountedVote | None:
        """Return the vote that a cast is. If it does not count, list it among the uncounted and
        return None. Whether another vote takes its place is not asked here.
        """
        if cast.fault or cast.choice is None or cast.at is None:
            self.reject(cast, cast.fault or "it is no vote")
            return None
        if cast.by is None:
            self.reject(cast, "the account is gone")
            return None
        if cast.bot:
            self.reject(cast, "a bot has no vote")
            return None
        at = local(cast.at, self.game.settings)
        player = player_with(self.game, cast.by, at)
        if isinstance(player, str):
            self.reject(cast, player)
            return None
        vote = CountedVote(
            player=player.ident,
            vote=cast.choice,
            at=at,
            login=cast.by,
            kind=cast.kind,
            url=cast.url,
        )
        # Whoever meant another proposal reads that, even if this vote was not open yet.
        named = (cast.ballot or "").partition("-")[0]
        reason = self._why_untimely(at) if named in ("", str(self.matter.number)) else ""
        reason = reason or self._why_not_on_ballot(cast, at)
        reason = reason or self._why_no_player(player, at) or self._why_unlawful(vote, player)
        if reason:
            self.reject(cast, reason, player.ident)
            return None
        return vote

    def _why_untimely(self, at: Moment) -> str:
        opened = self.matter.opened
        if at.precedes(opened):
            return f"it was cast on {at}, before the vote opened on {opened}"
        if self.on.precedes(at):
            return f"it was cast on {at}, after {self.on}, the day of this count"
        return ""

    def _why_not_on_ballot(self, cast: Cast, at: Moment) -> str:
        """Return why a vote is not on this ballot; '' if it is.

        A voter who names the ballot's token cannot have voted before the vote opened: nobody knew
        the token. A review may name none: if only the day of the opening is known, such reviews
        count from the next day on.
        """
        ballot, opened = self.matter.ballot_name, self.matter.opened
        if ballot is None:
            line, anew = (
                "vote by a review",
                f"`nomicgen proposal resubmit {self.matter.number}` opens one that has",
            )
            if cast.kind != "review" or cast.ballot is not None:
                return (
                    f"the vote on proposal {self.matter.number} has no token to name: {line}; "
                    f"{anew}"
                )
        else:
            line = f"write `/vote {cast.choice} {ballot}`"
        if cast.ballot is not None and cast.ballot != ballot:
            return (
                f"it is for the ballot {cast.ballot}{self._earlier(cast.ballot)}: {line} for "
                "this one"
            )
        if cast.kind == "reaction" and cast.digest != self.digest:
            return f"the comment that it is on shows another text: {line}"
        if cast.kind == "review":
            if (
                cast.ballot is None
                and opened is not None
                and not opened.timed
                and opened.day == at.day
            ):
                return f"it may have come before the vote opened, on {opened}: {line}"
            return self.drafts.why_not(cast.commit, self.digest)
        return "" if cast.ballot is not None else f"it names no ballot: {line} on a line of its own"

    def _earlier(self, ballot: str) -> str:
        """Return when a ballot that is not the open one had opened, as a clause; '' if that is not
        known.
        """
        number, _, token = ballot.partition("-")
        if number != str(self.matter.number):
            return ""
        earlier = next(
            (ended for ended in self.matter.earlier or () if ended.ballot == token),
            None,
        )
        return (
            f", which opened on {earlier.opened} and was put to the vote again since"
            if earlier
            else ""
        )

    def _why_no_player(self, player: Player, at: Moment) -> str:
        joined, left = player.matter.joined, player.matter.left
        if at.precedes(joined):
            return f"{player.ident} joined on {joined}, later"
        if left is not None and not at.precedes(left):
            return f"{player.ident} had left, on {left}"
        return ""

    def _why_unlawful(self, vote: CountedVote, player: Player) -> str:
        """Return why the law does not let a vote stand; '' if it does."""
        ident = player.ident
        if (rule := die_of(player, self.law)) is not None:
            shown = f"nomicgen vote {self.matter.number} --die FACE --player {ident}"
            return f"{ident} votes by a die of {rule.die} sides: throw it, and `{shown}`"
        tally = self.game.replay.tallies[self.instrument.path]
        alone = replace(
            self.instrument, matter=self.matter.replace(votes={ident: _as_recorded(vote)})
        )
        for finding in judge_voters(alone, self.game.records.players, self.law, self.on, tally):
            away = finding.slug == "voter-unknown" and not is_active(player, vote.at)
            message = f"{ident} was not active on {vote.at}" if away else finding.message
            return f"{message} (Rule {finding.rule})" if finding.rule is not None else message
        return ""

    def latest(self, votes: Sequence[CountedVote]) -> list[CountedVote]:
        """Return the last vote of each player, and list the others as uncounted. Of two at one
        moment the one with the later address counts.
        """
        last: dict[PlayerId, CountedVote] = {}
        for vote in sorted(
            votes, key=lambda vote: (vote.player, vote.at, vote.url or "", vote.vote)
        ):
            if (earlier := last.get(vote.player)) is not None:
                self._reject_vote(earlier, f"{vote.player} voted again later")
            last[vote.player] = vote
        return [*last.values()]

    def beside_those_by_hand(self, votes: Sequence[CountedVote]) -> list[CountedVote]:
        """Return the votes of players for whom the file has none, or one that gives way. List the
        others as uncounted.
        """
        kept = []
        for vote in votes:
            by_hand = (self.matter.votes or {}).get(vote.player)
            if by_hand is None or _gives_way(by_hand, vote):
                kept.append(vote)
                continue
            when = f", on {by_hand.at}" if by_hand.at is not None else ""
            self._reject_vote(vote, f"another vote is recorded: {by_hand.vote}{when}")
        return kept

    def without_tie_breaker(self, votes: Sequence[CountedVote]) -> list[CountedVote]:
        """Return the votes without those of tie-breakers, unless there is a tie to break."""
        players = self.game.records.players
        breakers = [vote for vote in votes if breaks_ties(players[vote.player], self.law)]
        others = [vote for vote in votes if vote not in breakers]
        if not breakers:
            return others
        tally = self.game_with(others).replay.tallies[self.instrument.path]
        if tally.may_end and (tally.is_tied or tally.tie_broken_by is not None):
            return list(votes)
        for vote in breakers:
            self._reject_vote(vote, f"{vote.player} votes only to break a tie, and there is none")
        return others

    def game_with(self, votes: Sequence[CountedVote]) -> Game:
        """Return the game with these votes in the proposal's file."""
        given = {vote.player: _as_recorded(vote).entries() for vote in votes}
        recorded = votes_for_file(self.matter)
        whole = dict(sorted({**recorded, **given}.items()))
        return (
            self.game
            if whole == recorded
            else with_votes(self.game, self.matter.number or 0, whole)
        )


def _as_recorded(vote: CountedVote) -> Vote:
    """Return a vote as the proposal's file has it."""
    source = {"source": vote.url} if vote.url is not None else {}
    return Vote.read({"vote": vote.vote, "at": vote.at, **source})


def _gives_way(by_hand: Vote, vote: CountedVote) -> bool:
    """Return whether a file's vote gives way to the forge's: its player cast it, and it is the same
    one or provably older.
    """
    if by_hand.cast_by != "player":
        return False
    if by_hand.source is not None and by_hand.source == vote.url:
        return True
    return by_hand.at is not None and by_hand.at.precedes(vote.at)
