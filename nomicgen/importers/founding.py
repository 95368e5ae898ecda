"""Founding a game from what an importer made of a source: with its certificate, and opened for play
if an option says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.files.file_editing import set_keys
from nomicgen.files.file_findings import quoted
from nomicgen.importers.certificate import Observed, Options, certificate_bytes, certify
from nomicgen.importers.game_writing import ImportedGame
from nomicgen.importers.open_archive import Opening, opening_files, opening_lines
from nomicgen.importers.source_map import SourceMap, map_bytes, shipped_maps
from nomicgen.importers.sufficiency import fault_lines, nowhere_findings, pages_of, why_too_little
from nomicgen.model.import_record import IMPORT, IMPORT_MAP, Imported
from nomicgen.model.values import Moment
from nomicgen.play.load import Game, load_tree
from nomicgen.play.move import Move
from nomicgen.play.refusal import Refused
from nomicgen.play.start import Founding, found_game, links_to, whole_game, with_rules_files

_SHOWN = 3
"""The most differences of each kind that are printed when a game is founded."""


class ImportOrigin(Struct, frozen=True, kw_only=True):
    """Where an imported game comes from: what the source is called, and how it was read.

    `source_map` is None for a source that is read without one. `accepted` is the percentage of its
    words that was accepted as enough, None if none was.
    """

    source: str
    options: Options = {}
    source_map: SourceMap | None = None
    accepted: int | None = None


def bring_in(
    root: Path,
    imported: ImportedGame,
    origin: ImportOrigin,
    on: Moment,
    founding: Founding,
    opening: Opening | None = None,
) -> Move:
    """Return the move that founds the imported game, with its certificate, and opens it for play if
    there is an `opening`.

    Raises Refused where the source has no rules, too few of its words have a place, the game would
    have errors, or cannot be opened as asked.
    """
    if not imported.files:
        raise Refused(f"{origin.source} holds no ruleset", "see the findings", imported.findings)
    tree = dict(imported.files)
    if origin.source_map is not None:
        tree[IMPORT_MAP] = map_bytes(origin.source_map)
    if founding.repository is not None:
        # Commits that the files name are the source's: the game's own repository has none of them.
        links = (
            None
            if any(b"\ncommit: " in data for data in imported.files.values())
            else links_to(founding.repository)
        )
        keys: dict[str, object] = {"repository": founding.repository}
        if links and b"\nlinks:" not in tree["nomic.yml"]:
            keys["links"] = links
        tree["nomic.yml"] = set_keys(tree["nomic.yml"], keys)
    game = load_tree(root, tree, on)
    opened, act = opening_files(game, opening, founding.players, on)
    if opened:
        game = load_tree(root, {**tree, **opened}, on, game)
    game, said = with_rules_files(game, on), tuple[str, ...]()
    if imported.observed is not None:
        game, said = _certify_game(game, imported.observed, origin)
    if opening is not None and act is not None:
        said = (*said, *opening_lines(game, act, on))
    subject = f"Import {game.settings.name} from {origin.source}"
    return found_game(game, on, founding, lambda game: whole_game(game, subject), said)


def _certify_game(
    game: Game, observed: Observed, origin: ImportOrigin
) -> tuple[Game, tuple[str, ...]]:
    """Return the game with its certificate, and what to say of it. Raises Refused where too little
    of the source has a place.
    """
    pages = pages_of(game.tree)
    certificate = certify(observed, game.records, game.replay, origin.source, origin.options, pages)
    # If the game has errors, `found_game` refuses it, and names them.
    if (too_little := why_too_little(certificate, pages, origin.accepted)) and not game.errors:
        raise Refused(*too_little, tuple(nowhere_findings(certificate)))
    # The certificate says what was accepted only if the import needs that.
    if why_too_little(certificate, pages):
        certificate = Imported(**{**vars(certificate), "accepted": origin.accepted})
    tree = {**game.tree, IMPORT: certificate_bytes(certificate)}
    records = replace(game.records, imported=certificate)
    lines = (
        f"  {line}"
        for line in (*fault_lines(certificate, _SHOWN), *_idle_omissions(certificate, origin))
    )
    return replace(game, tree=tree, records=records), (f"{IMPORT} says: {certificate.told}", *lines)


def _idle_omissions(certificate: Imported, origin: ImportOrigin) -> Iterator[str]:
    """Yield what the map would leave out, and no line of the source is. Maps that ship are for many
    sources, so that says nothing of them.
    """
    omit = origin.source_map.omit if origin.source_map is not None else []
    if not any(omit == shipped.omit for shipped in shipped_maps().values()):
        met = {one.why for one in certificate.left_out}
        for why in dict.fromkeys(one.why for one in omit if one.why not in met):
            yield f"no line is left out as {quoted(why)}: a pattern must match the whole line"
