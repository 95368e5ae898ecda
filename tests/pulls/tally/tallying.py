"""A game in which a proposal is open, pull requests to it, and what `nomicgen plumbing tally`
counts in it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from nomicgen.files.documents import read_instrument
from nomicgen.files.file_editing import set_keys
from tests.cli.playing import MAJORITY, TEA, begun, registered, run, snapshot
from tests.recording import comment
from tests.reference.schemas import view_schema
from tests.support import GitRepo

Repo = Callable[..., GitRepo]
Json = dict[str, Any]

ACCOUNTS = {"osprey": "Osprey-O", "quill": "quill", "wren": "wren-w"}
DRAFT = f"---\ntitle: t301\nauthor: osprey\nstatus: draft\n---\n\n{TEA}"
CLOSES = {"ballot": {"closes_after": 3, "silence": "ignored"}}


def at(day: int, clock: str = "10:00:00") -> str:
    """A moment of January as the API has it."""
    return f"2026-01-{day:02}T{clock}Z"


def opened(game: GitRepo, number: int = 301, day: str = "2026-01-04") -> str:
    """Opens the vote on a proposal; gives the digest of what is voted on."""
    path = game.path / f"proposals/{number}.md"
    instrument, _ = read_instrument(f"proposals/{number}.md", path.read_bytes())
    assert instrument is not None
    assert instrument.whole_digest is not None
    keys = {
        "status": "open",
        "opened": day,
        "ballot": f"k00000{number:04}",
        "digest": instrument.whole_digest,
    }
    path.write_bytes(set_keys(path.read_bytes(), keys))
    game.commit("Open the vote")
    return instrument.whole_digest


def put(git_repo: Repo, law: Mapping[int, Mapping[str, Any]] | None = None, **more: Any) -> GitRepo:
    """A game of three players with accounts, in which proposal 301 is open."""
    game = begun(git_repo(), {105: {}, 111: {}, 203: {**MAJORITY, **CLOSES}, **(law or {})}, **more)
    for ident, login in ACCOUNTS.items():
        path = game.path / f"players/{ident}.yml"
        path.write_text(f"{path.read_text()}accounts: {{github: {login}}}\n")
    game.commit("Accounts")
    registered(game, 301, "2026-01-03")
    opened(game)
    return game


def digest(game: GitRepo, number: int = 301) -> str:
    return _said(game, number, "digest")


def ballot(game: GitRepo, number: int = 301) -> str:
    """The name of a proposal's ballot."""
    return f"{number}-{_said(game, number, 'ballot')}"


def _said(game: GitRepo, number: int, key: str) -> str:
    lines = (game.path / f"proposals/{number}.md").read_text().splitlines()
    return next(line.split()[1] for line in lines if line.startswith(f"{key}:"))


def pulled(
    game: GitRepo, files: Mapping[str, str | bytes | None], since: str = "HEAD", name: str = "pull"
) -> str:
    """The commit of a pull request that was begun at `since`."""
    game.git("checkout", "--quiet", "-b", name, since)
    sha = game.commit("Propose", files)
    game.git("checkout", "--quiet", "main")
    return sha


def recorded(game: GitRepo, items: object, name: str = "recorded.json") -> Path:
    path = game.path.parent / name
    path.write_text(json.dumps(items))
    return path


def tally(game: GitRepo, items: object, *more: str, on: str = "2026-01-05") -> Json:
    """What is counted, as JSON; nothing is written."""
    before = snapshot(game.path)
    said = run(
        game.path,
        f"plumbing tally 301 --on {on} --format json --reviews",
        str(recorded(game, items)),
        *more,
    )
    assert snapshot(game.path) == before
    made: Json = json.loads(said)
    Draft202012Validator(view_schema("tally")).validate(made)
    return made


def votes(made: Json) -> dict[str, str]:
    return {one["player"]: one["vote"] for one in made["votes"]}


def reasons(made: Json) -> list[str]:
    return [one["reason"] for one in made["uncounted"]]


def said(who: str, words: str, when: str, number: int = 2001) -> Json:
    return comment(number, who, when, words)
