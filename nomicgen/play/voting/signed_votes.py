"""Signing votes, and judging signed ones: with `ssh-keygen`, and the keys that players have registered."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from pathlib import Path

from nomicgen.law.replay.player_spans import keys_of
from nomicgen.model.front_matters import Choice
from nomicgen.model.identifiers import Digest, PlayerId
from nomicgen.model.records import Player
from nomicgen.model.values import Moment
from nomicgen.play.load import Game, zone_of
from nomicgen.play.proposing import proposal_of, require_player
from nomicgen.play.refusal import Refused
from nomicgen.play.voting.ballots import require_ballot
from nomicgen.play.voting.signed_vote import VOTE_NAMESPACE, SignedVote, disagreement, read_signed, write_vote
from nomicgen.repository.game_tree import shown_path
from nomicgen.repository.ssh import own_key, sign, signer_of, verify
from nomicgen.repository.statements import one_line


def sign_vote(game: Game, number: int, choice: Choice, player: PlayerId, *, token: str | None, key: Path | None) -> str:
    """A player's vote on an open proposal, and its signature: what a keeper records, or a comment on a forge holds.

    `key` is the file of an SSH key, by default that of the person's own git settings; nothing is written. Raises
    Refused where no vote is open, and for a key that the player has not registered; RepositoryError.
    """
    require_player(game, player)
    matter = proposal_of(game, number).matter
    require_ballot(matter, token)
    if matter.status != "open" or matter.ballot_name is None or matter.digest is None:
        raise Refused(
            f"no vote on proposal {number} is open" if matter.status != "open" else "the vote on it has no token",
            f"nomicgen register {number} --open" if matter.status == "debate" else "`nomicgen status` lists open votes",
        )
    now = datetime.now(zone_of(game.settings))
    try:
        vote = SignedVote(
            game=one_line(game.settings.name),
            ballot=matter.ballot_name,
            digest=matter.digest,
            player=player,
            vote=choice,
            date=now.isoformat(timespec="seconds"),
        )
    except ValueError as error:
        raise Refused(f"no vote can be signed: {error}", "see that `name` in nomic.yml is plain text") from None
    data = write_vote(vote)
    signer = str(key.absolute()) if key is not None else None
    day = vote.moment(zone_of(game.settings))
    signature = signed_by(game.root, data, VOTE_NAMESPACE, game.records.players[player], day, signer)
    return f"{data.decode()}{signature.decode('ascii').rstrip()}\n"


def signed_by(root: Path, data: bytes, namespace: str, player: Player, on: Moment, key: str | None) -> bytes:
    """The signature of a player under `data`; `key` is by default that of the person's own git settings.

    Raises Refused for a key that the player has not registered; NoSigner.
    """
    program, key = signer_of(root), key or own_key(root)
    signature = sign(data, namespace, key, program=program)
    if not verify(data, signature, namespace, keys_of(player, on), program=program):
        raise Refused(
            f"{shown_path(key)} is not a key in players/{player.ident}.yml on {on.day}",
            "sign with the one that is registered (`--key FILE`), or register it: `keys: [{key: ssh-ed25519 AAAA…, "
            "since: DAY}]`, the line of your .pub file; then commit it",
        )
    return signature


def read_vote(document: str) -> SignedVote:
    """The vote that somebody signed. Raises Refused for what is none."""
    try:
        return read_signed(document)[0]
    except ValueError as error:
        raise Refused(
            f"that is no signed vote: {error}",
            "use all that `nomicgen proposal sign` prints, from the first line to the last",
        ) from None


def why_unsigned(
    game: Game,
    document: str,
    player: Player,
    *,
    ballot: str | None,
    digest: Digest | None,
    choice: str,
    at: Moment | None,
    names: Collection[str] = (),
) -> str:
    """Why a document does not sign a player's vote on a ballot, cast at `at`; '' where it does.

    `names` are those that the game had before. The day that counts for a key is that of the vote as it is recorded:
    what the document says of its own time nobody can check. Raises NoSigner.
    """
    try:
        vote, signature = read_signed(document)
    except ValueError as error:
        return f"it is no signed vote: {error}"
    wrong = disagreement(vote, ballot=ballot, digest=digest, player=player.ident, choice=choice)
    if wrong:
        return wrong
    if vote.game not in (one_line(game.settings.name), *map(one_line, names)):
        return "it was signed for another game"
    day = at or vote.moment(zone_of(game.settings))
    if not verify(write_vote(vote), signature, VOTE_NAMESPACE, keys_of(player, day), program=signer_of(game.root)):
        return f"the signature holds with no key that {player.ident} had on {day}"
    return ""
