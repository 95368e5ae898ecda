"""`nomicgen witness`."""

from __future__ import annotations

from pathlib import Path

import click

from nomicgen.cli.command_options import errors_as_messages, ident, key_option, say, working_folder
from nomicgen.cli.completion import players
from nomicgen.cli.verify import ignored
from nomicgen.model.identifiers import PlayerId
from nomicgen.verify.seen import MemoryOptions
from nomicgen.verify.witness_notes import REFS, write_note
from nomicgen.verify.witnessing import witness


@click.command("witness")
@click.argument("player", type=ident, shell_complete=players)
@key_option
@click.option(
    "--signers",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Whose SSH keys may sign, as for `nomicgen verify`.",
)
@click.option("--no-memory", is_flag=True, help="Neither read nor remember what you saw, as for `nomicgen verify`.")
def command(player: PlayerId, key: Path | None, signers: Path | None, no_memory: bool) -> None:
    """Sign, as a player, the history that you see.

    If somebody rewrites the history later, the commit that you signed is missing. First verifies the history, and
    refuses one with errors. Then writes a note with the commit, its tree and the digest of its ledger, signed with an
    SSH key that players/PLAYER.yml has under `keys`. The note is in refs/witness/PLAYER. You push and fetch it
    yourself; the command prints how.

    \b
    nomicgen witness wren
    nomicgen witness wren --key ~/.ssh/id_ed25519
    """
    with errors_as_messages():
        visit = MemoryOptions(ignored=ignored(no_memory=no_memory))
        kept = witness(working_folder(), player, key=str(key.absolute()) if key else None, signers=signers, visit=visit)
        say(write_note(kept.note).decode().rstrip("\n"))
        say(f"signed, and kept in {kept.ref} (commit {kept.commit[:12]})")
        say(f"  git push origin {kept.ref}")
        say(f"  git fetch origin '{REFS}*:{REFS}*'")
