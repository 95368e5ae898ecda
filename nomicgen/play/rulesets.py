"""The rulesets that ship: their initial sets, and a scripted game of each, already played.

A folder of `rulesets/` has `ruleset.yml` and `played.txt`, and `initial.txt` if its initial set is
not just that of another. These texts hold files, each under a line `==> PATH <==`: so a person can
read a whole game from top to bottom, in the order in which it was played.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any

import yaml
from msgspec import Struct

from nomicgen.files.game_files import read_game
from nomicgen.files.yaml_writing import write_yaml
from nomicgen.law.checks.run import ruleset_files
from nomicgen.law.replay.run import replay
from nomicgen.model.file_model import Model, described
from nomicgen.model.values import Date, Moment, Text

NAMES: tuple[str, ...] = ("suber", "discordian", "pokey", "paranomic", "nomic-iv")
"""The rulesets, in the order in which they are offered."""

_RULESET_FILE, _PLAYED_SETTINGS = "ruleset.yml", "settings.yml"
_PATH = re.compile(rb"^==> (\S+) <==\n", re.MULTILINE)


class RulesetFile(Model):
    """`ruleset.yml`: what a ruleset says of itself. `settings` goes into the `nomic.yml` of its
    games.

    `begins` is a day of its scripted game: a new game begins with the rules of that day, and not
    with the initial set. A ruleset retells an original in other words. `originals` has provisions
    for rules of the original that ours change or leave out, by number and revision there (`203/1`).
    """

    title: Text = described("the name of a game that is given none")
    about: Text = described("one line for those who choose")
    extends: Text | None = described(
        "the ruleset whose rules and settings it takes where it has none", default=None
    )
    settings: dict[str, Any] = described(
        "keys of nomic.yml, such as tiers and sections", default={}
    )
    begins: Date | None = described(
        "the day of the scripted game with whose rules a new game begins", default=None
    )
    originals: dict[str, Any] = described(
        "provisions for rules in the words of the original, if ours differ", default={}
    )


class Shipped(Struct, frozen=True, kw_only=True):
    """A ruleset that ships, with what it takes from the one that it extends.

    `initial` and `played` map paths in a game (`rules/initial/203.md`, `proposals/301.md`) to
    bytes. `played` has the files of the scripted game without its initial set. `played_settings`
    has the keys of its `nomic.yml` that `settings` lacks or has otherwise: name, tagline and start.
    `begins` is the day of the scripted game with whose rules a new game begins; None for the
    initial set.
    """

    name: str
    title: str
    about: str
    settings: Mapping[str, Any]
    initial: Mapping[str, bytes]
    played: Mapping[str, bytes]
    played_settings: Mapping[str, Any]
    begins: Moment | None = None

    def beginning(self) -> tuple[Mapping[str, bytes], Mapping[str, Any]]:
        """Return the initial rules of a new game, and keys of its `nomic.yml`: the numbers of
        proposals that the scripted game has used up are `lost`.
        """
        if self.begins is None:
            return self.initial, {}
        records, _ = read_game(self.tree())
        rules = ruleset_files(replay(records, self.begins).current)
        spent = [
            one.number
            for one in records.of_kind("proposal")
            if one.decided and not self.begins.precedes(one.decided)
        ]
        lost = {"proposals": sorted(number for number in spent if number is not None)}
        # A rule stays void, but the judgement that voided it is none of the new game.
        initial = {
            path.replace("rules/", "rules/initial/"): re.sub(
                rb"(?m)^void: .*\nnote: .*$", b"void: true", data
            )
            for path, data in rules.items()
        }
        return initial, {"lost": lost}

    def tree(self) -> dict[str, bytes]:
        """Return every file of the scripted game except `rules/`, which is derived."""
        settings = {"format": 1, "name": self.title, **self.settings, **self.played_settings}
        return {"nomic.yml": write_yaml(settings), **self.initial, **self.played}


@cache
def shipped(name: str) -> Shipped:
    """Return the ruleset of that name, one of `NAMES`. Raises FileNotFoundError for any other."""
    folder = _folder(name)
    ruleset = _ruleset_file(name)
    parent = shipped(ruleset.extends) if ruleset.extends else None
    initial = {
        f"rules/initial/{path}": data
        for path, data in _files_in(folder.joinpath("initial.txt")).items()
    }
    played = _files_in(folder.joinpath("played.txt"))
    return Shipped(
        name=name,
        title=ruleset.title,
        about=ruleset.about,
        settings=MappingProxyType({**(parent.settings if parent else {}), **ruleset.settings}),
        initial=MappingProxyType(
            dict(sorted({**(parent.initial if parent else {}), **initial}.items()))
        ),
        played=MappingProxyType(
            {path: data for path, data in played.items() if path != _PLAYED_SETTINGS}
        ),
        played_settings=MappingProxyType(yaml.safe_load(played.get(_PLAYED_SETTINGS, b"{}"))),
        begins=ruleset.begins,
    )


def abouts() -> Mapping[str, str]:
    """Return the line that is said about each ruleset, by its name."""
    return {name: _ruleset_file(name).about for name in NAMES}


def parent_of(name: str) -> str | None:
    """Return the name of the ruleset that a ruleset extends; None if it extends none."""
    return _ruleset_file(name).extends


def provisions_of_originals(name: str) -> Mapping[str, Mapping[str, Any]]:
    """Return `originals` of a ruleset: provisions by the original's revisions, such as `203/1`."""
    return _ruleset_file(name).originals


def file_text(name: str, file: str) -> str:
    """Return the text of a file in a ruleset's folder, "" where it has none."""
    path = _folder(name).joinpath(file)
    return path.read_text("utf-8") if path.is_file() else ""


@cache
def _ruleset_file(name: str) -> RulesetFile:
    return RulesetFile.read(
        yaml.load(_folder(name).joinpath(_RULESET_FILE).read_text("utf-8"), yaml.BaseLoader)
    )


def _folder(name: str) -> Traversable:
    return files("nomicgen").joinpath("rulesets", name)


def _files_in(file: Traversable) -> dict[str, bytes]:
    """Return the files that `file` holds, by path; none if there is no such file."""
    parts = _PATH.split(file.read_bytes()) if file.is_file() else [b""]
    return dict(
        sorted((path.decode(), data) for path, data in zip(parts[1::2], parts[2::2], strict=True))
    )


def files_below(folder: Traversable, path: str = "") -> Iterator[tuple[str, bytes]]:
    """Yield the path and the bytes of every file below a folder; none if there is no folder."""
    if not folder.is_dir():
        return
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from files_below(entry, f"{path}{entry.name}/")
        else:
            yield f"{path}{entry.name}", entry.read_bytes()
