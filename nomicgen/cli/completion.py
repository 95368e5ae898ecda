"""What a shell offers when TAB is pressed: the names of a game's files, without loading the game.

Each function is a parameter's `shell_complete` of click: context, parameter and what is typed, to names.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

_NEWEST = 200
"""Proposals that are looked into: those that are still open are among the last ones."""
_HEAD = 4096
"""Bytes of a file in which its front matter begins."""


def _root(context: click.Context) -> Path:
    start = Path(context.find_root().params.get("game") or ".").absolute()
    return next((one for one in (start, *start.parents) if (one / "nomic.yml").is_file()), start)


def _names(context: click.Context, folder: str, suffix: str, typed: str) -> list[str]:
    try:
        found = [path.name for path in (_root(context) / folder).iterdir()]
    except OSError:  # no game, or none that can be read: there is nothing to offer
        return []
    stems = (name.removesuffix(suffix) for name in found if name.endswith(suffix))
    return sorted((one for one in stems if one.startswith(typed)), key=_place)


def _place(name: str) -> tuple[int, str]:
    """Numbers in their order, then names."""
    return (int(name) if name.isdecimal() and len(name) < 10 else 10**9, name)


def _numbered(context: click.Context, folder: str, typed: str) -> list[str]:
    return [name for name in _names(context, folder, ".md", typed) if name.isdecimal()]


def rules(context: click.Context, _: click.Parameter, typed: str) -> list[str]:
    """The numbers of the rules in force."""
    return _numbered(context, "rules", typed)


def proposals(context: click.Context, _: click.Parameter, typed: str) -> list[str]:
    """Numbers of proposals, and drafts."""
    return _names(context, "proposals", ".md", typed)


def drafts(context: click.Context, _: click.Parameter, typed: str) -> list[str]:
    """The names of drafts."""
    return [name for name in _names(context, "proposals", ".md", typed) if not name.isdecimal()]


def open_proposals(context: click.Context, _: click.Parameter, typed: str) -> list[str]:
    """Numbers of proposals that are not decided."""
    newest = _numbered(context, "proposals", typed)[-_NEWEST:]
    return [name for name in newest if _is_open(_root(context) / "proposals" / f"{name}.md")]


def _is_open(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return False
    return any(line.split() in ([b"status:", b"open"], [b"status:", b"debate"]) for line in head.splitlines())


def judgements(context: click.Context, _: click.Parameter, typed: str) -> list[str]:
    """Numbers of judgements."""
    return _numbered(context, "judgements", typed)


def players(context: click.Context, _: click.Parameter, typed: str) -> list[str]:
    """Ids of players."""
    return _names(context, "players", ".yml", typed)


def turns(context: click.Context, _: click.Parameter, typed: str) -> list[str]:
    """The turns that were begun."""
    return _names(context, "turns", ".yml", typed)


def slugs(_context: click.Context, _: click.Parameter, typed: str) -> list[str]:
    """The findings that `nomicgen explain` explains."""
    return sorted(_explained(typed))


def _explained(typed: str) -> Iterator[str]:
    folder = Path(__file__).parents[1] / "explain"
    return (path.stem for path in folder.glob("*.md") if path.stem.startswith(typed))


OFFERS = {one.__name__: one for one in (rules, proposals, drafts, open_proposals, judgements, players, turns, slugs)}
