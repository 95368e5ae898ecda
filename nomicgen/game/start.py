"""The start of a game: a new one with its initial set, one that ships played, or one that was kept elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.model.findings import Finding, Findings
from nomicgen.files import set_keys, write_yaml
from nomicgen.play.load import Game, load_tree
from nomicgen.play.move import Move, Part
from nomicgen.game.open_archive import Opening, opening_files, opening_lines
from nomicgen.importers.recognised_rulesets import provisions_that_ship, recognised_ruleset
from nomicgen.play.reconstructed_commits import reconstructed_commits
from nomicgen.game.refusal import Refused
from nomicgen.play.rulesets import shipped
from nomicgen.play.running_wheel import WHEELS, Wheel
from nomicgen.play.scaffold import Forge, game_files
from nomicgen.model.identifiers import PlayerId
from nomicgen.importers.certificate import Observed, Options, certificate_bytes, certified, rules_named
from nomicgen.importers.import_report import Report, alike_findings, report_of
from nomicgen.importers.long.importer import import_long
from nomicgen.importers.shown_pictures import ReadPictures
from nomicgen.importers.text_import import import_text
from nomicgen.importers.text_lines import ranges_of
from nomicgen.importers.text_rule_forms import RuleForm
from nomicgen.importers.tiers import TierMap
from nomicgen.law.checks import ruleset_files
from nomicgen.model import IMPORT, Moment, Settings
from nomicgen.repository.game_tree import SETTINGS
from nomicgen.repository.write_plan import settled

_SHOWN = 3


class Founding(Struct, frozen=True, kw_only=True):
    """What a new game is told besides its rules: who plays it, where it lives, and what an archive is opened with.

    `players` are ids in the order of seats, each with the player's accounts by forge. `forge` adds what is there
    besides; `keeper` and `wheel` are for it, as in `game_files`.
    """

    players: Mapping[PlayerId, Mapping[str, str]] = {}
    repository: str | None = None
    forge: Forge | None = None
    keeper: str | None = None
    wheel: Wheel | None = None
    opening: Opening | None = None


def begin(
    root: Path,
    on: Moment,
    founding: Founding,
    *,
    ruleset: str,
    name: str | None = None,
    tagline: str | None = None,
    played: bool = False,
) -> Move:
    """A new game in `root` under a ruleset that ships: its initial set, its settings, its first players, its site.

    With `played` it is the scripted game of the ruleset, as of `on`: a part for its start, then one for each
    instrument.
    """
    ships, repository = shipped(ruleset), founding.repository
    script = ships.played_settings if played else {"started": on}
    typed = {"name": name, "tagline": tagline, "repository": repository}
    typed_keys = {key: value for key, value in typed.items() if value is not None}
    links = _links(repository) if repository is not None else None
    keys = {"name": ships.title, **ships.settings, **script, **typed_keys, "format": 1, "links": links}
    settings = write_yaml({key: keys.get(key) for key in Settings.keys})
    tree = {"nomic.yml": settings, **ships.initial, **(ships.played if played else {})}
    return _founded(
        root,
        tree,
        on,
        founding,
        reconstructed_commits if played else lambda game: _whole(game, f"Begin {game.settings.name}"),
    )


def _links(repository: str) -> dict[str, str]:
    address = repository.removesuffix("/").removesuffix(".git")
    return {"commit": f"{address}/commit/{{sha}}", "file": f"{address}/blob/{{sha}}/{{path}}"}


def _whole(game: Game, subject: str) -> tuple[Part, ...]:
    """The game in one part; the message of an import has what its certificate says."""
    writes = {path: data for path, data in game.tree.items() if isinstance(data, bytes)}
    certificate = game.records.imported
    return (
        Part(
            writes=writes,
            subject=subject,
            trailers=(("Certificate", certificate.told),) if certificate is not None else (),
        ),
    )


def bring_in(
    root: Path, data: bytes, filename: str, on: Moment, founding: Founding, pictures: ReadPictures | None = None
) -> ImportResult:
    """The game that a ruleset in the long format gives, and its source's slips. Raises Refused if it gives none."""
    imported = import_long(data, filename, pictures=pictures)
    if not imported.files:
        raise Refused(f"{filename} is not a ruleset in the long format", "see the findings", imported.findings)
    origin = ImportOrigin(source=Path(filename).name, observed=imported.observed)
    return _brought(bring_in_files(root, imported.files, origin, on, founding), origin, imported.findings)


class ImportOrigin(Struct, frozen=True, kw_only=True):
    """Where an imported game comes from: what the source is called, what was observed of it, and how it was read."""

    source: str
    observed: Observed | None = None
    options: Options = {}


def bring_in_files(
    root: Path,
    files: Mapping[str, bytes],
    origin: ImportOrigin,
    on: Moment,
    founding: Founding,
) -> Move:
    """The game of files that an import made of a source, and its certificate. Raises Refused if it has errors."""
    tree = dict(files)
    if founding.repository is not None:
        links = None if any(b"\ncommit: " in data for data in files.values()) else _links(founding.repository)
        has = b"\nlinks:" in tree["nomic.yml"]
        keys: dict[str, object] = {"repository": founding.repository, **({} if has or not links else {"links": links})}
        tree["nomic.yml"] = set_keys(tree["nomic.yml"], keys)
    return _founded(
        root,
        tree,
        on,
        founding,
        lambda game: _whole(game, f"Import {game.settings.name} from {origin.source}"),
        origin=origin,
    )


class ImportResult(Struct, frozen=True, kw_only=True):
    """What an import gives: the move, what is odd about its source, what is alike as one, and the ruleset that it looks
    like, if any.
    """

    move: Move
    report: Report
    findings: Findings = ()
    like: str | None = None


def _brought(move: Move, origin: ImportOrigin, findings: Sequence[Finding], like: str | None = None) -> ImportResult:
    report = report_of(origin.source, len(move.after.replay.current), findings)
    return ImportResult(move=move, report=report, findings=tuple(alike_findings(findings)), like=like)


def bring_in_text(
    root: Path,
    data: bytes,
    filename: str,
    on: Moment,
    founding: Founding,
    *,
    started: Moment | None = None,
    name: str | None = None,
    tiers: TierMap | None = None,
    provisions: str | None = None,
    shape: RuleForm | None = None,
    pictures: ReadPictures | None = None,
) -> ImportResult:
    """The game that a text with rules gives. `provisions` names the ruleset that ships whose provisions they get,
    and `shape` says how a rule begins; `pictures` reads those that it shows.

    The rules were in force at `started`, where that is known: the history begins there, if the text itself does not
    say when it does. What is opened on that day may be older.
    Raises Refused where the text has no rules, or would give a game with errors.
    """
    law = provisions_that_ship(provisions) if provisions else None
    imported = import_text(data, filename, name=name, tiers=tiers, provisions=law, shape=shape, pictures=pictures)
    if not imported.files:
        raise Refused(f"{filename} holds no ruleset", "see the findings", imported.findings)
    # Whose game is judged from its first day on was a player in it; of an archive nobody is waited for.
    files = {**imported.files, **dict(_retired(imported.files, founding.players, on))}
    if started is not None and founding.opening is None and not re.search(rb"(?m)^started:", files["nomic.yml"]):
        files["nomic.yml"] = set_keys(files["nomic.yml"], {"started": started})
    typed = {"name": name, "tiers": tiers, "provisions": provisions, "heading": shape.pattern if shape else None}
    options = {key: [str(value)] for key, value in typed.items() if value is not None}
    origin = ImportOrigin(source=Path(filename).name, observed=imported.observed, options=options)
    move = bring_in_files(root, files, origin, on, founding)
    if imported.provided:
        line = f"provisions of {provisions}: Rules {ranges_of(imported.provided)} carry them"
        move = replace(move, said=(*move.said, line))
    like = recognised_ruleset(imported.numbers, data.decode(errors="replace")) if provisions is None else None
    return _brought(move, origin, imported.findings, like)


def _retired(files: Mapping[str, bytes], staying: Collection[str], on: Moment) -> Iterator[tuple[str, bytes]]:
    """The files of those who played while their game was kept elsewhere, under a law that judges it: they have left."""
    for path, data in files.items():
        if path.startswith("players/") and b"\nkind: past\n" not in data and path[8:-4] not in staying:
            yield path, set_keys(data, {"left": on})


def _founded(
    root: Path,
    tree: dict[str, bytes],
    on: Moment,
    founding: Founding,
    tell: Callable[[Game], tuple[Part, ...]],
    *,
    origin: ImportOrigin | None = None,
) -> Move:
    """The first move of a game: nothing may be there that it would write over. `tell` parts it into commits."""
    game = load_tree(root, tree, on)
    rules = ruleset_files(game.replay.current)
    files, act = opening_files(game, founding.opening, founding.players, on)
    if files:
        tree = {**tree, **files}
        game = load_tree(root, tree, on, game)
        rules = ruleset_files(game.replay.current)
    if any(tree.get(path) != data for path, data in rules.items()):
        game = load_tree(root, {**tree, **rules}, on, game)
    lines: tuple[str, ...] = ()
    if origin is not None and origin.observed is not None:
        game, lines = _certified(game, origin.observed, origin)
    if game.errors:
        raise Refused(
            "the game would have errors, so nothing was written", "correct them, then run it again", game.errors
        )
    if root.is_dir():
        # A command like this one may have been interrupted here: then its game comes first.
        with settled(root):
            there = sorted(
                (path for path in game.tree if _is_there(root, path)), key=lambda path: (path != SETTINGS, path)
            )
    else:
        there = []
    if there:
        raise Refused(f"{root} holds {there[0]} already", "choose a new directory; nothing was written")
    # A game may begin in a repository that has its own README and site: the files that are there stay.
    scaffold = game_files(
        game.settings.name, founding.forge, founding.keeper, founding.wheel, repository=game.settings.repository
    )
    kept = {path: data for path, data in scaffold.items() if not _is_there(root, path.removesuffix("/.gitkeep"))}
    first, *rest = tell(game)
    return Move(
        before=load_tree(root, {}, on),
        after=game,
        parts=(replace(first, writes={**first.writes, **kept}), *rest),
        said=(
            f"{root} holds {game.settings.name}: {len(game.replay.current)} rules",
            *_wheel_lines(founding.forge, founding.wheel),
            *lines,
            *(opening_lines(game, act, on) if act is not None else ()),
        ),
        on=on,
    )


def _certified(game: Game, observed: Observed, origin: ImportOrigin) -> tuple[Game, tuple[str, ...]]:
    """The game with the certificate of its import, and what to say of that."""
    certificate = certified(observed, game.records, game.replay, origin.source, origin.options)
    groups = [*certificate.groups]
    listed = (f"  {place}: {rules_named(rules)}: {why}" for place, rules, why, _ in groups[:_SHOWN])
    more = certificate.unlisted + sum(len(rules) for _, rules, _, _ in groups[_SHOWN:])
    rest = (f"  and {more} more",) if more else ()
    tree = {**game.tree, IMPORT: certificate_bytes(certificate)}
    records = replace(game.records, imported=certificate)
    return replace(game, tree=tree, records=records), (f"{IMPORT} says: {certificate.told}", *listed, *rest)


def _wheel_lines(forge: Forge | None, wheel: Wheel | None) -> Iterator[str]:
    """What the workflows install, where there are some."""
    if wheel is not None:
        size = max(1, round(len(wheel.data) / 1_000_000))
        yield f"{WHEELS}/ holds the nomicgen that its workflows install, {size} MB; --no-wheel leaves it out"
    elif forge == "github":
        yield f"its workflows need a nomicgen in {WHEELS}/: requirements.txt says how to name it"


def _is_there(root: Path, path: str) -> bool:
    return (root / path).exists() or (root / path).is_symlink()
