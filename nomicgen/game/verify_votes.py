"""The votes of a game's ledger: whether their signatures hold, and who vouches for those without one."""

from __future__ import annotations

from nomicgen.archive.line_commits import CommitLine
from nomicgen.archive.verify_findings import CommitFinding, unproven, unsigned_vote
from nomicgen.archive.vote_vouchers import RecordedVote, Vouchers, recorded_votes, vouchers_of
from nomicgen.game.load import Game
from nomicgen.game.signed_votes import why_unsigned
from nomicgen.game.verify_read import Reader
from nomicgen.repository.ssh import NoSigner


def judge_votes(game: Game, line: CommitLine, reader: Reader) -> tuple[Vouchers, tuple[CommitFinding, ...]]:
    """Who vouches for the votes of a game as HEAD has it, and the signatures that do not hold."""
    votes = [*recorded_votes(game.records)]
    faults: list[CommitFinding] = []
    good = [one for one in votes if one.vote.signature is None]
    names: set[str] | None = None
    for one in votes:
        if one.vote.signature is None:
            continue
        names = _names(line, reader) if names is None else names
        try:
            why = _why_not(game, one, names)
        except NoSigner as error:
            faults.append(unproven(f"no signature of a vote was judged: {error.message}", error.remedy))
            return vouchers_of(iter(good)), tuple(faults)
        if why:
            vote = f"{one.player}'s vote on {one.ballot or one.proposal.name}"
            faults.append(unsigned_vote(one.proposal.source.at(*one.place), vote, why))
        else:
            good.append(one)
    return vouchers_of(iter(good)), tuple(faults)


def _why_not(game: Game, one: RecordedVote, names: set[str]) -> str:
    player = game.records.players.get(one.player)
    if player is None:
        return f"there is no players/{one.player}.yml"
    return why_unsigned(
        game,
        one.vote.signature or "",
        player,
        ballot=one.ballot,
        digest=one.digest,
        choice=one.vote.vote,
        at=one.vote.at,
        names=names,
    )


def _names(line: CommitLine, reader: Reader) -> set[str]:
    """Every name that the game ever had."""
    return {one.name for one in reader.settings(line).values() if one is not None}
