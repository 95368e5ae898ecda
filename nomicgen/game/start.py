"""The start of a game: a new one with its initial set, or one that was kept elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path

from nomicgen.diagnostics import Finding
from nomicgen.files import write_yaml
from nomicgen.game.load import Game, load_tree
from nomicgen.game.move import Move, Part, Refused
from nomicgen.importers.long import import_long
from nomicgen.law.checks import ruleset_files
from nomicgen.model import Moment

__all__ = ["begin", "bring_in"]

_ATTRIBUTES = (
    b"# The bytes of a rule are law: line ends stay as they are.\n* text=auto eol=lf\n*.png binary\n*.jpg binary\n"
)
_IGNORE = b"/site/\n/.nomicgen/\n/.venv/\n"


def begin(
    root: Path, on: Moment, *, name: str, tagline: str | None, players: Sequence[str], repository: str | None = None
) -> Move:
    """A new game in `root`: Suber's initial set in our words, its settings, its first players, its site."""
    settings: dict[str, object] = {
        "format": 1,
        "name": name,
        "tagline": tagline,
        "repository": repository,
        "links": _links(repository),
        "started": on,
        "sections": _sections(),
    }
    tree: dict[str, bytes] = {"nomic.yml": write_yaml({key: one for key, one in settings.items() if one is not None})}
    for entry in sorted(files("nomicgen").joinpath("rulesets", "suber").iterdir(), key=lambda one: one.name):
        if entry.name.endswith(".md"):
            tree[f"rules/initial/{entry.name}"] = entry.read_bytes()
    for seat, ident in enumerate(players, 1):
        tree[f"players/{ident}.yml"] = write_yaml({"name": ident, "joined": on, "order": seat})
    return _founded(root, tree, on, lambda name: f"Begin {name}")


def _links(repository: str | None) -> dict[str, str] | None:
    if repository is None:
        return None
    address = repository.removesuffix("/").removesuffix(".git")
    return {"commit": f"{address}/commit/{{sha}}", "file": f"{address}/blob/{{sha}}/{{path}}"}


def _sections() -> dict[str, str]:
    lines = files("nomicgen").joinpath("rulesets", "suber", "sections.txt").read_text("utf-8").splitlines()
    return {section: note for section, _, note in (line.partition(": ") for line in lines if line)}


def _house_files(name: str) -> dict[str, bytes]:
    site = files("nomicgen").joinpath("rulesets", "mkdocs.yml").read_text("utf-8")
    # No `repo_url`: Material would ask the forge for numbers to show beside it, and no request leaves the site.
    return {
        ".gitattributes": _ATTRIBUTES,
        ".gitignore": _IGNORE,
        "mkdocs.yml": write_yaml({"site_name": name}) + site.encode(),
        "docs/.gitkeep": b"",  # MkDocs wants the folder, and git keeps no empty one
    }


def bring_in(root: Path, data: bytes, filename: str, on: Moment) -> tuple[Move, tuple[Finding, ...]]:
    """The game that a ruleset in the long format gives, and its source's slips. Raises Refused if it gives none."""
    imported = import_long(data, filename)
    if not imported.files:
        raise Refused(f"{filename} is not a ruleset in the long format", "see the findings", imported.findings)
    source = Path(filename).name
    move = _founded(root, dict(imported.files), on, lambda name: f"Import {name} from {source}")
    return move, imported.findings


def _founded(root: Path, tree: dict[str, bytes], on: Moment, subject: Callable[[str], str]) -> Move:
    """The first move of a game: nothing may be there that it would write over. `subject` is told the game's name."""
    game: Game = load_tree(root, tree, on)
    tree = {**tree, **ruleset_files(game.replay.current)}
    game = load_tree(root, tree, on)
    if game.errors:
        raise Refused("the game would have errors, so nothing was written", "mend them, then run it again", game.errors)
    there = sorted(path for path in tree if _is_there(root, path))
    if there:
        raise Refused(f"{root} holds {there[0]} already", "choose a new directory; nothing was written")
    # A game may begin in a repository that has its own README and site: what is there of the house stays.
    house = _house_files(game.settings.name)
    everything = tree | {
        path: data for path, data in house.items() if not _is_there(root, path.removesuffix("/.gitkeep"))
    }
    empty = load_tree(root, {}, on)
    return Move(
        before=empty,
        after=game,
        parts=(Part(writes=everything, subject=subject(game.settings.name)),),
        said=(f"{root} holds {game.settings.name}: {len(game.replay.current)} rules",),
        on=on,
    )


def _is_there(root: Path, path: str) -> bool:
    return (root / path).exists() or (root / path).is_symlink()
