"""`nomicgen witness`: a player signs what they saw of a game's history, and keeps it in a ref of their own."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from msgspec import Struct

from nomicgen.model.findings import counted
from nomicgen.model.identifiers import CommitId, PlayerId
from nomicgen.model.values import Moment
from nomicgen.play.load import zone_of
from nomicgen.play.refusal import Refused
from nomicgen.play.voting.signed_votes import signed_by
from nomicgen.repository.commits import check_identity
from nomicgen.repository.errors import Detached
from nomicgen.repository.game_tree import find_root, shown_path
from nomicgen.repository.state_folder import branch_of
from nomicgen.repository.statements import one_line
from nomicgen.verify.history import Verified, verify
from nomicgen.verify.read import first_of
from nomicgen.verify.seen import MemoryOptions
from nomicgen.verify.witness_notes import NAMESPACE, REFS, Note, write_note
from nomicgen.verify.witness_refs import keep_note


class SignedNote(Struct, frozen=True, kw_only=True):
    """A note that was signed, and the commit and the ref in which it is kept."""

    note: Note
    commit: CommitId
    ref: str


def witness(
    start: Path,
    player: PlayerId,
    *,
    key: str | None = None,
    signers: Path | None = None,
    visit: MemoryOptions | None = None,
) -> SignedNote:
    """Verifies the history of the game that `start` lies in, and keeps a signed note of it.

    `key` is the file of an SSH key, by default that of the person's own git settings; `signers` and `visit` are as for
    `verify`. Raises Refused for a history with errors, and for a key that the player has not registered;
    RepositoryError.
    """
    root = find_root(start)
    branch = branch_of(root)
    if branch is None:
        raise Detached
    check_identity(root, {})
    verified = verify(root, signers=signers, visit=visit)
    errors = sum(1 for finding in verified.findings if finding.is_error)
    if errors:
        raise Refused(
            f"{counted(errors, 'error')} in this history, so it is not signed", "`nomicgen verify` says what is wrong"
        )
    note = _note(verified, player, branch)
    who = verified.game.records.players.get(player)
    if who is None:
        raise Refused(f"HEAD has no players/{player}.yml", "give your own id: a file name in players/")
    data = write_note(note)
    signature = signed_by(root, data, NAMESPACE, who, Moment.parse(note.day), key)
    message = f"{player} saw {note.commit[:12]}"
    sha = keep_note(root, player, data, signature, parents=(note.commit,), message=message)
    return SignedNote(note=note, commit=sha, ref=f"{REFS}{player}")


def _note(verified: Verified, player: PlayerId, branch: str) -> Note:
    """What there is to sign. Raises Refused where its names cannot stand in a note."""
    settings, last = verified.game.settings, verified.line.commits[-1]
    now = datetime.now(zone_of(settings))
    try:
        return Note(
            game=one_line(settings.name),
            began=verified.line.commits[first_of(verified.line)].sha,
            folder=shown_path(verified.folder or "."),
            branch=branch,
            commit=last.sha,
            tree=last.tree,
            ledger=verified.verdict.digest,
            date=now.isoformat(timespec="seconds"),
            player=player,
        )
    except ValueError as error:
        raise Refused(f"no note can be made: {error}", "give the branch and the folder plainer names") from None
