"""What a shell offers at TAB, most often names of a game's files. The game itself is not loaded.

Each `Completion` is for click's `shell_complete`: it takes a context, a parameter and the typed
beginning of a word, and returns the words that fit.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

Completion = Callable[[click.Context, click.Parameter, str], list[str]]

_NEWEST = 200
"""How many proposals are read: the open ones are among the last."""
_HEAD = 4096
"""How many bytes of a proposal are read: its `status` is near the beginning."""


def _root(context: click.Context) -> Path:
    start = Path(context.find_root().params.get("game") or ".").absolute()
    return next(
        (folder for folder in (start, *start.parents) if (folder / "nomic.yml").is_file()), start
    )


def _names(context: click.Context, folder: str, suffix: str, typed: str) -> list[str]:
    try:
        names = [path.name for path in (_root(context) / folder).iterdir()]
    except OSError:  # no game, or none that can be read: there is nothing to offer
        return []
    stems = (name.removesuffix(suffix) for name in names if name.endswith(suffix))
    return sorted((stem for stem in stems if stem.startswith(typed)), key=_sort_key)


def _sort_key(name: str) -> tuple[int, str]:
    """Return a key that sorts numbers by their value, and other names after them."""
    return (int(name) if name.isdecimal() and len(name) < 10 else 10**9, name)


def _files(
    folder: str, suffix: str = ".md", fits: Callable[[str], bool] = lambda _: True
) -> Completion:
    """Return a completion that offers the names of files in a folder, if they fit."""

    def offer(context: click.Context, _: click.Parameter, typed: str) -> list[str]:
        return [name for name in _names(context, folder, suffix, typed) if fits(name)]

    return offer


rules = _files("rules", fits=str.isdecimal)
proposals = _files("proposals")
drafts = _files("proposals", fits=lambda name: not name.isdecimal())
judgements = _files("judgements", fits=str.isdecimal)
players = _files("players", ".yml")
turns = _files("turns", ".yml")


def open_proposals(context: click.Context, _: click.Parameter, typed: str) -> list[str]:
    """Return the numbers of proposals that are not decided."""
    numbers = [name for name in _names(context, "proposals", ".md", typed) if name.isdecimal()]
    return [
        name for name in numbers[-_NEWEST:] if _is_open(_root(context) / "proposals" / f"{name}.md")
    ]


def _is_open(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return False
    return any(
        line.split() in ([b"status:", b"open"], [b"status:", b"debate"])
        for line in head.splitlines()
    )


def deeds(_context: click.Context, _: click.Parameter, typed: str) -> list[str]:
    """Return all deeds that provisions can allow, whether or not a rule of this game does."""
    from nomicgen.law.judging_kind import deed_kinds  # the law takes a while to load

    return sorted(name for name in deed_kinds() if name.startswith(typed))


def slugs(_context: click.Context, _: click.Parameter, typed: str) -> list[str]:
    """Return the findings that `nomicgen explain` explains."""
    folder = Path(__file__).parents[1] / "explain"
    return sorted(path.stem for path in folder.glob("*.md") if path.stem.startswith(typed))


# The keys are what `commands.json` has under `offers`.
COMPLETIONS: dict[str, Completion] = {
    "rules": rules,
    "proposals": proposals,
    "drafts": drafts,
    "open_proposals": open_proposals,
    "judgements": judgements,
    "players": players,
    "turns": turns,
    "slugs": slugs,
    "deeds": deeds,
}
