"""`nomicgen import agora`."""

from __future__ import annotations

from pathlib import Path

import click

from nomicgen.cli.command_options import fail, words
from nomicgen.cli.import_options import Import, imports
from nomicgen.importers.agora.importer import import_agora
from nomicgen.importers.agora.read import is_wanted
from nomicgen.importers.agora.repository import is_repository, read_agora
from nomicgen.play.move import Move
from nomicgen.repository.data_folder import Bundle, read_bundle
from nomicgen.repository.game_tree import shown_path


@click.command("agora")
@click.argument("source", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--texts",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="REPO",
    help="A git repository whose history has earlier texts of the rules.",
)
@click.option("--name", type=words, metavar="TEXT", help="The game's name (default: Agora).")
@imports
def command(asked: Import, source: Path, texts: Path | None, name: str | None) -> Move:
    """Read Agora's rules data.

    SOURCE is a folder with rules/ and proposals/, a tar archive of such a folder, or Agora's git
    repository, which also has the earlier texts. In the examples, rules_data is a folder, and
    ruleset the repository.

    \b
    nomicgen import agora ruleset --into agora --report agora.md
    nomicgen import agora rules_data --texts ruleset --into agora
    """
    past = read_agora(texts or source) if texts is not None or is_repository(source) else None
    if past is not None and texts is None:  # Agora's repository has the data, too
        bundle = Bundle(files={path: data for path, data in past.files.items() if is_wanted(path)})
    else:
        bundle = read_bundle(source, ("rules", "proposals", "config"), is_wanted)
    seen = past.seen if past is not None else ()
    imported = import_agora(bundle.files, name=name, skipped=bundle.skipped, seen=seen)
    if not imported.files:
        asked.tell(imported, shown_path(source.name))
        fail(
            f"{source} holds no rules of Agora",
            "name the folder that has rules/ in it, or a tar archive of it",
        )
    own = {"name": name, "texts": texts and shown_path(texts.name), "commit": past and past.head}
    return asked.bring_in(imported, shown_path(source.name), own)
