"""Games whose history is verified: how they are played, and what `nomicgen verify` says of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from click.testing import CliRunner
from jsonschema import Draft202012Validator

from nomicgen.cli.program import main
from tests.cli.playing import MAJORITY, begun, passed, run
from tests.reference.schemas import view_schema
from tests.support import GitRepo

SCHEMA = Draft202012Validator(view_schema("verify"))
LAW: dict[int, dict[str, Any]] = {
    111: {},
    201: {},
    203: MAJORITY,
    210: {"awards": {"in": "act", "amount": "1"}},
}
LAMP = "Light.\n\n## Enact Rule: Lamps\n\nA lamp burns in the hall.\n"
OIL = "More light.\n\n## Enact Rule: Oil\n\nThe keeper buys the oil.\n"


def lamplit(repo: GitRepo) -> GitRepo:
    """A game of two adopted proposals, 301 of 5 and 302 of 6 January, each step in a commit of its
    own.
    """
    game = begun(repo, LAW)
    passed(game, 301, LAMP, "2026-01-05", title="lamps")
    passed(game, 302, OIL, "2026-01-06", title="oil")
    return game


def by_hand(
    game: GitRepo, path: str, old: str, new: str, message: str = "A slip of the pen"
) -> str:
    """A commit that changes a file with an editor."""
    file = game.path / path
    text = file.read_text("utf-8")
    assert old in text
    return game.commit(message, {path: text.replace(old, new)})


def found(
    game: GitRepo, *options: str, names: Mapping[str, str] | None = None, code: int = 1
) -> list[str]:
    """The findings of the history, `slug: message` each, with names in place of ids."""
    said = _said(run(game.path, "verify --format json", *options, code=code))
    lines = [f"{one['finding']['slug']}: {one['finding']['message']}" for one in said["faults"]]
    return [_named(line, names or {}) for line in lines]


def past_found(game: GitRepo, names: Mapping[str, str] | None = None) -> list[str]:
    """What was changed of the past, with names in place of ids, whatever else is wrong with the
    game.
    """
    result = CliRunner().invoke(
        main, ["-C", str(game.path), "verify", "--format", "json", "--no-memory"]
    )
    faults = (one["finding"] for one in _said(result.output)["faults"])
    return [_named(one["message"], names or {}) for one in faults if one["slug"] == "verify-past"]


def _said(output: str) -> dict[str, Any]:
    """The document that was printed, which is of its schema."""
    said: dict[str, Any] = json.loads(output)
    assert list(SCHEMA.iter_errors(said)) == []
    return said


def _named(line: str, names: Mapping[str, str]) -> str:
    for name, sha in names.items():
        line = line.replace(sha[:12], name)
    return line


def clean(game: GitRepo, *options: str) -> dict[str, Any]:
    """The document of a history in which nothing is wrong."""
    said = _said(run(game.path, "verify --strict --format json", *options))
    assert (said["faults"], said["findings"]) == ([], [])
    return said


def log(game: GitRepo, subject: str) -> str:
    """The id of the commit whose subject begins so."""
    lines = (line.split(" ", 1) for line in game.git("log", "--format=%H %s").splitlines())
    return next(sha for sha, said in lines if said.startswith(subject))
