"""What an import founds: the game of a source's files, with its certificate, opened if that is asked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.files.file_editing import set_keys
from nomicgen.importers.certificate import Observed, Options, certificate_bytes, certified, rules_named
from nomicgen.importers.import_report import Report, alike_findings, report_of
from nomicgen.importers.long.importer import import_long
from nomicgen.importers.open_archive import Opening, opening_files, opening_lines
from nomicgen.importers.shown_pictures import ReadPictures
from nomicgen.importers.source_map import SourceMap, map_bytes
from nomicgen.importers.sufficiency import lacking, nowhere_findings, pages_of, passage_lines
from nomicgen.importers.text.importer import import_text
from nomicgen.importers.tiers import TierMap
from nomicgen.model.findings import Finding, Findings
from nomicgen.model.import_record import IMPORT, IMPORT_MAP, Imported
from nomicgen.model.values import Moment
from nomicgen.play.load import Game, load_tree
from nomicgen.play.move import Move
from nomicgen.play.refusal import Refused
from nomicgen.play.start import Founding, founded, links_to, whole_game, with_ruleset

_SHOWN = 3


def bring_in_long(
    root: Path,
    data: bytes,
    filename: str,
    on: Moment,
    founding: Founding,
    pictures: ReadPictures | None = None,
    opening: Opening | None = None,
    accepted: int | None = None,
) -> ImportResult:
    """The game that a ruleset in the long format gives, and its source's slips. Raises Refused if it gives none."""
    imported = import_long(data, filename, pictures=pictures)
    if not imported.files:
        raise Refused(f"{filename} is not a ruleset in the long format", "see the findings", imported.findings)
    origin = ImportOrigin(source=Path(filename).name, observed=imported.observed, accepted=accepted)
    return _brought(bring_in_files(root, imported.files, origin, on, founding, opening), origin, imported.findings)


class ImportOrigin(Struct, frozen=True, kw_only=True):
    """Where an imported game comes from: what the source is called, what was observed of it, and how it was read.
    `accepted` is how many percent of its words are enough, where somebody said so.
    """

    source: str
    observed: Observed | None = None
    options: Options = {}
    source_map: SourceMap | None = None
    accepted: int | None = None


def bring_in_files(
    root: Path,
    files: Mapping[str, bytes],
    origin: ImportOrigin,
    on: Moment,
    founding: Founding,
    opening: Opening | None = None,
) -> Move:
    """The game of files that an import made of a source, and its certificate. Raises Refused if it has errors."""
    tree = dict(files)
    if origin.source_map is not None:
        tree[IMPORT_MAP] = map_bytes(origin.source_map)
    if founding.repository is not None:
        links = None if any(b"\ncommit: " in data for data in files.values()) else links_to(founding.repository)
        has = b"\nlinks:" in tree["nomic.yml"]
        keys: dict[str, object] = {"repository": founding.repository, **({} if has or not links else {"links": links})}
        tree["nomic.yml"] = set_keys(tree["nomic.yml"], keys)
    game = load_tree(root, tree, on)
    opened, act = opening_files(game, opening, founding.players, on)
    if opened:
        game = load_tree(root, {**tree, **opened}, on, game)
    game, said = with_ruleset(game, on), tuple[str, ...]()
    if origin.observed is not None:
        game, said = _certified(game, origin.observed, origin)
    if opening is not None and act is not None:
        said = (*said, *opening_lines(game, act, opening, on))
    subject = f"Import {game.settings.name} from {origin.source}"
    return founded(game, on, founding, lambda game: whole_game(game, subject), said)


class ImportResult(Struct, frozen=True, kw_only=True):
    """What an import gives: the move, and what is odd about its source, what is alike as one."""

    move: Move
    report: Report
    findings: Findings = ()


def _brought(move: Move, origin: ImportOrigin, findings: Sequence[Finding]) -> ImportResult:
    report = report_of(origin.source, len(move.after.replay.current), findings)
    return ImportResult(move=move, report=report, findings=tuple(alike_findings(findings)))


def bring_in_text(
    root: Path,
    data: bytes,
    filename: str,
    source_map: SourceMap,
    on: Moment,
    founding: Founding,
    *,
    started: Moment | None = None,
    name: str | None = None,
    tiers: TierMap | None = None,
    pictures: ReadPictures | None = None,
    opening: Opening | None = None,
    accepted: int | None = None,
) -> ImportResult:
    """The game that a text with rules gives, read by a map; `pictures` reads those that it shows.

    The rules were in force at `started`, where that is known: the history begins there, if the text itself does not
    say when it does. What is opened on that day may be older.
    Raises Refused where the text has no rules, or would give a game with errors.
    """
    imported = import_text(data, filename, source_map, name=name, tiers=tiers, pictures=pictures)
    if not imported.files:
        raise Refused(f"{filename} holds no ruleset", "see the findings", imported.findings)
    files = {**imported.files}
    if started is not None and opening is None and not re.search(rb"(?m)^started:", files["nomic.yml"]):
        files["nomic.yml"] = set_keys(files["nomic.yml"], {"started": started})
    typed = {"name": name, "tiers": tiers}
    options = {key: [str(value)] for key, value in typed.items() if value is not None}
    origin = ImportOrigin(
        source=Path(filename).name,
        observed=imported.observed,
        options=options,
        source_map=source_map,
        accepted=accepted,
    )
    move = bring_in_files(root, files, origin, on, founding, opening)
    return _brought(move, origin, imported.findings)


def _certified(game: Game, observed: Observed, origin: ImportOrigin) -> tuple[Game, tuple[str, ...]]:
    """The game with the certificate of its import, and what to say of that. Raises Refused for too little."""
    pages = pages_of(game.tree)
    certificate = certified(observed, game.records, game.replay, origin.source, origin.options, pages)
    # What is wrong with the game itself is said when it is founded.
    if (too_little := lacking(certificate, origin.accepted)) and not game.errors:
        raise Refused(*too_little, tuple(nowhere_findings(certificate)))
    if lacking(certificate):
        certificate = Imported(**{**vars(certificate), "accepted": origin.accepted})
    groups = [*certificate.groups]
    listed = (f"  {place}: {rules_named(rules)}: {why}" for place, rules, why, _ in groups[:_SHOWN])
    more = certificate.unlisted + sum(len(rules) for _, rules, _, _ in groups[_SHOWN:])
    rest = (f"  and {more} more",) if more else ()
    tree = {**game.tree, IMPORT: certificate_bytes(certificate)}
    records = replace(game.records, imported=certificate)
    return replace(game, tree=tree, records=records), (
        f"{IMPORT} says: {certificate.told}",
        *listed,
        *rest,
        *passage_lines(certificate, _SHOWN),
    )
