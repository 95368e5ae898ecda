"""Reading again what a game was imported from, and comparing both: `nomicgen verify --source`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from nomicgen.importers.agora.importer import import_agora
from nomicgen.importers.agora.read import is_wanted
from nomicgen.importers.agora.repository import is_repository, read_agora
from nomicgen.importers.certificate import Observed, certify
from nomicgen.importers.git.history import read_past
from nomicgen.importers.git.proof_states import observe
from nomicgen.importers.long.importer import import_long
from nomicgen.importers.map_reader import MapReader
from nomicgen.importers.source_map import SourceMap, parse_map
from nomicgen.importers.sufficiency import fault_lines, pages_of
from nomicgen.importers.text.importer import import_text
from nomicgen.importers.tiers import TierMap
from nomicgen.model.findings import Finding, Findings
from nomicgen.model.import_record import IMPORT, IMPORT_MAP, Imported
from nomicgen.model.values import Span
from nomicgen.play.load import Game
from nomicgen.play.refusal import Refused
from nomicgen.repository.data_folder import read_bundle
from nomicgen.repository.named_files import read_given

_LIMIT = 16 << 20
"""Bytes of a file of the source: of a larger one, only the beginning is read."""
_SHOWN = 12
"""The most differences of each kind that become findings."""


def compare_with_source(
    game: Game, source: Path, texts: Path | None = None
) -> tuple[Imported, Findings]:
    """Compare a game with its source, which is read again from `source`.

    Return the certificate that an import would give now, and findings on what differs. `texts` is
    the repository that `import agora --texts` named. Raises Refused if the game was not imported,
    or was imported from something else, or its certificate or map does not say how to read it; and
    RepositoryError.
    """
    certificate = game.records.imported
    if certificate is None:
        raise Refused(
            f"{game.settings.name} has no {IMPORT}: it was not imported, or by a "
            "version that wrote no certificate",
            "import it again",
        )
    try:
        observed_source = _observed(game, certificate, source, texts)
    except ValueError as error:
        # Anybody may have written the options and the map.
        raise Refused(
            f"{IMPORT} or {IMPORT_MAP} is wrong: {error}", "bring the files back as they were"
        ) from error
    now = certify(
        observed_source,
        game.records,
        game.replay,
        certificate.source,
        certificate.options,
        _pages(game.root),
        certificate.accepted,
    )
    return now, tuple(_findings(certificate, now))


def _map(game: Game) -> SourceMap:
    """Return the map by which the game was imported. Raises ValueError."""
    data = game.tree.get(IMPORT_MAP)
    if not isinstance(data, bytes):
        raise ValueError(f"there is no {IMPORT_MAP}")
    return parse_map(data.decode("utf-8", "replace"))


def _observed(game: Game, certificate: Imported, source: Path, texts: Path | None) -> Observed:
    """Return the source, read as the certificate says. Raises ValueError for its options and the
    map; Refused.
    """
    first = {key: values[0] for key, values in certificate.options.items()}
    if certificate.kind == "git":
        source_map = _map(game)
        past = read_past(
            source, first.get("commit", "HEAD"), source_map.paths, MapReader(source_map)
        )
        first_commit, _ = source_map.between
        return observe(source, past, source_map, first_commit)
    if certificate.kind == "agora":
        past_of = texts or (source if is_repository(source) else None)
        seen = read_agora(past_of, first.get("commit", "HEAD")) if past_of is not None else None
        if seen is not None and texts is None:
            files = {path: data for path, data in seen.files.items() if is_wanted(path)}
        else:
            files = read_bundle(source, ("rules", "proposals", "config"), is_wanted).files
        observed_source = import_agora(files, seen=seen.seen if seen is not None else ()).observed
    elif certificate.kind == "long":
        observed_source = import_long(read_given(source, _LIMIT), certificate.source).observed
    else:
        tiers = TierMap.parse(first["tiers"]) if "tiers" in first else None
        observed_source = import_text(
            read_given(source, _LIMIT), certificate.source, _map(game), tiers=tiers
        ).observed
    if observed_source is None:
        raise Refused(
            f"{source} holds nothing of what was imported from {certificate.source}",
            "name what was imported",
        )
    return observed_source


def _pages(root: Path) -> tuple[str, ...]:
    """Return the texts of the pages in `docs/`; they are no part of the ledger, so read anew."""
    paths = [
        path
        for path in sorted((root / "docs").glob("*.md"))
        if path.is_file() and not path.is_symlink()
    ]
    return pages_of({f"docs/{path.name}": read_given(path, _LIMIT) for path in paths})


def _findings(certificate: Imported, now: Imported) -> Iterator[Finding]:
    """Yield what differs, in this order: the source is not the one that was imported; the game
    differs from the source; the certificate's summary no longer holds.
    """
    if now.digest != certificate.digest:
        yield _finding(
            f"what is read of {certificate.source} is not what was imported from it",
            "use the source as it was then; enter newer changes with `nomicgen record`",
        )
    for line in fault_lines(now, _SHOWN):
        yield _finding(
            line, "correct the ledger; if the source is wrong, leave the ledger as it is"
        )
    if now.told != certificate.told:
        yield _finding(
            f"{IMPORT} says: {certificate.told}. Now it is: {now.told}",
            "the source or the ledger has changed since, or nomicgen now reads the source "
            "differently",
        )


def _finding(message: str, help: str) -> Finding:
    return Finding(slug="source-differs", span=Span(file=IMPORT), message=message, help=help)
