"""A game that came from Agora's data, given back: the data, and the rulesets that Agora prints of them.

`agora.yml` holds what no file of the ledger can say; a game without one is printed from its ledger alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from nomicgen.files.file_findings import Notes
from nomicgen.files.front_matter import YamlPlace, compose
from nomicgen.formats.agora_data import AgoraData, agora_data
from nomicgen.formats.agora_details import details_of, differences, with_details
from nomicgen.formats.agora_ruleset import TEMPLATES, PrintSettings, ruleset
from nomicgen.formats.agora_yaml import data_files, yaml_of
from nomicgen.game.game_history import histories_of
from nomicgen.play.load import Game
from nomicgen.play.move import Move
from nomicgen.game.refusal import Refused
from nomicgen.repository.named_files import read_file

DETAILS = "agora.yml"
_MOST = 16 << 20


def keeping_details(move: Move, data: AgoraData, settings: PrintSettings) -> Move:
    """An import's move that writes what its ledger does not say of the data, too, and how they are printed."""
    told = agora_data(move.after.records, histories_of(move.after))
    templates = {key: text for key, text in settings.templates.items() if text != TEMPLATES.get(key)}
    details = {"templates": templates, "names": settings.names, **details_of(told, data)}
    kept = {key: value for key, value in details.items() if value}
    first, *rest = move.parts
    writes = {**first.writes, DETAILS: yaml_of(kept).encode()}
    odd = differences(told, data)
    said = f"{DETAILS} holds what no other file of the game can say of Agora's data, of {len(odd)} of their files"
    return replace(move, parts=(replace(first, writes=writes), *rest), said=(*move.said, said))


def printed(game: Game, *, full: bool) -> str:
    """Agora's Full Logical Ruleset of a game, or its Short one. Raises Refused as `data_of` does."""
    with _understood():
        details = _details(game.root / DETAILS)
        templates = {**TEMPLATES, **details.get("templates", {})}
        return ruleset(
            _data(game, details), PrintSettings(templates=templates, names=details.get("names", {})), full=full
        )


def data_of(game: Game) -> dict[str, bytes]:
    """The files of Agora's data of a game. Raises Refused where `agora.yml` is not as the import writes it."""
    with _understood():
        return data_files(_data(game, _details(game.root / DETAILS)))


def _data(game: Game, details: Mapping[str, Any]) -> AgoraData:
    return with_details(agora_data(game.records, histories_of(game)), details)


@contextmanager
def _understood() -> Iterator[None]:
    """What stands in `agora.yml` was written by anybody, and has no shape of its own."""
    try:
        yield
    except (AttributeError, KeyError, IndexError, TypeError, ValueError) as error:
        message = f"{DETAILS} is not as `nomicgen import agora` writes it"
        raise Refused(message, "bring the file back as it was, or delete it") from error


def _details(path: Path) -> Mapping[str, Any]:
    if not path.is_file():
        return {}
    notes = Notes(DETAILS)
    try:
        text = read_file(path, _MOST).decode()
    except UnicodeDecodeError as error:
        raise Refused(f"{DETAILS} is not UTF-8", "bring the file back as it was, or delete it") from error
    read = compose(text, notes, YamlPlace(DETAILS, 1))
    if read is None or notes or not isinstance(read.data, Mapping):
        raise Refused(f"{DETAILS} cannot be read", "bring the file back as it was, or delete it", notes.findings())
    return read.data
