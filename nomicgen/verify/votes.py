"""The votes of a game's ledger: whether their signatures hold, and who vouches for those without one."""

from __future__ import annotations

from nomicgen.model.line_commits import CommitLine
from nomicgen.play.load import Game
from nomicgen.play.voting.signed_votes import why_unsigned
from nomicgen.repository.ssh import NoSigner
from nomicgen.verify.findings import CommitFinding, unproven, unsigned_vote
from nomicgen.verify.read import PastReader
from nomicgen.verify.vote_vouchers import RecordedVote, Vouchers, recorded_votes, vouchers_of


def judge_votes(game: Game, line: CommitLine, reader: PastReader) -> tuple[Vouchers, tuple[CommitFinding, ...]]:
    """Who vouches for the votes of a game as HEAD has it, and the signatures that do not hold."""
    votes = [*recorded_votes(game.records)]
    faults: list[CommitFinding] = []
    good = [recorded for recorded in votes if recorded.vote.signature is None]
    signed = [recorded for recorded in votes if recorded.vote.signature is not None]
    names = _names(line, reader) if signed else set()
    for recorded in signed:
        try:
            why = _why_not(game, recorded, names)
        except NoSigner as error:
            faults.append(unproven(f"no signature of a vote was judged: {error.message}", error.remedy))
            return vouchers_of(iter(good)), tuple(faults)
        if why:
            vote = f"{recorded.player}'s vote on {recorded.ballot or recorded.proposal.name}"
            faults.append(unsigned_vote(recorded.proposal.source.at(*recorded.place), vote, why))
        else:
            good.append(recorded)
    return vouchers_of(iter(good)), tuple(faults)


def _why_not(game: Game, recorded: RecordedVote, names: set[str]) -> str:
    player = game.records.players.get(recorded.player)
    if player is None:
        return f"there is no players/{recorded.player}.yml"
    return why_unsigned(
        game,
        recorded.vote.signature or "",
        player,
        ballot=recorded.ballot,
        digest=recorded.digest,
        choice=recorded.vote.vote,
        at=recorded.vote.at,
        names=names,
    )


def _names(line: CommitLine, reader: PastReader) -> set[str]:
    """Every name that the game ever had."""
    return {settings.name for settings in reader.settings(line).values() if settings is not None}
