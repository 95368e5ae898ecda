"""Players who sign what they saw: games with keys, what is said of notes, and notes that are made by hand."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nomicgen.repository.ssh import sign
from nomicgen.verify.history import verify
from nomicgen.verify.witness_notes import NAMESPACE
from tests.cli.playing import begun, passed, run
from tests.signing import private_key, public_key
from tests.support import GitRepo
from tests.verify.histories import LAMP, LAW, OIL, SCHEMA


def registers(game: GitRepo, player: str, key: str = "", since: str = "2026-01-06", until: str = "") -> str:
    """A commit that registers a key."""
    path = f"players/{player}.yml"
    span = f"since: {since}{f', until: {until}' if until else ''}"
    text = (game.path / path).read_text("utf-8")
    head = "" if "keys:\n" in text else "keys:\n"
    line = f"  - {{key: {public_key(key or player)}, {span}}}\n"
    return game.commit(f"{player} registers a key", {path: f"{text}{head}{line}"})


def played(repo: GitRepo, *, lamp: str = LAMP, key: str = "wren") -> GitRepo:
    """A game of two adopted proposals in which wren has a key."""
    game = begun(repo, LAW)
    registers(game, "wren", key)
    passed(game, 301, lamp, "2026-01-05", title="lamps")
    passed(game, 302, OIL, "2026-01-06", title="oil")
    return game


def witness(game: GitRepo, player: str = "wren", key: str = "", *, code: int = 0) -> str:
    return run(game.path, f"witness {player} --key {private_key(key or player)}", code=code)


def head(game: GitRepo, name: str = "HEAD") -> str:
    return game.git("rev-parse", name)


def document(game: GitRepo, *options: str, code: int = 0) -> dict[str, Any]:
    printed: dict[str, Any] = json.loads(run(game.path, "verify --format json", *options, code=code))
    assert list(SCHEMA.iter_errors(printed)) == []
    return printed


def faults(game: GitRepo, *options: str, code: int = 1, **names: str) -> list[str]:
    """The findings, with names in place of ids, and DAY in place of a day."""
    lines = [
        f"{one['finding']['slug']}: {one['finding']['message']}"
        for one in document(game, *options, code=code)["faults"]
    ]
    for name, sha in {"HEAD": head(game), **names}.items():
        lines = [line.replace(sha[:12], name) for line in lines]
    return [re.sub(r"\b\d{4}-\d{2}-\d{2}\b", "DAY", line) for line in lines]


def seen_by(game: GitRepo, *options: str, code: int = 0) -> list[tuple[str, int]]:
    """Who has seen the history, and how many commits came after."""
    return [(one["player"], one["behind"]) for one in document(game, *options, code=code)["witnessed"]["seen"]]


def line_of(game: GitRepo, code: int = 0) -> str:
    (line,) = re.findall(r"^seen by .*$", run(game.path, "verify", code=code), re.MULTILINE)
    return re.sub(r"\b\d{4}-\d{2}-\d{2}\b", "DAY", line)


def fresh(game: GitRepo, tmp_path: Path, *notes: GitRepo) -> GitRepo:
    """A clone as somebody makes it who was never here, with the notes that others hand them."""
    subprocess.run(["git", "clone", "--quiet", str(game.path), str(tmp_path / "fresh")], check=True)
    clone = GitRepo(tmp_path / "fresh")
    for one in notes:
        clone.git("fetch", "--quiet", str(one.path), "refs/witness/*:refs/witness/*")
    return clone


def forgery(tmp_path: Path, key: str = "wren") -> GitRepo:
    """The game with another text of Proposal 301 and its digest, each commit from there on made anew."""
    return played(GitRepo(tmp_path / "forgery"), lamp=LAMP.replace("hall", "yard"), key=key)


def tree(game: GitRepo, **files: bytes) -> str:
    """A tree with these files; `sig` is note.sig."""
    lines = []
    for name, data in files.items():
        done = subprocess.run(
            ["git", "hash-object", "-w", "--stdin"], cwd=game.path, input=data, capture_output=True, check=True
        )
        lines.append(f"100644 blob {done.stdout.decode().strip()}\t{'note.sig' if name == 'sig' else name}\n")
    done = subprocess.run(
        ["git", "mktree"], cwd=game.path, input="".join(lines).encode(), capture_output=True, check=True
    )
    return done.stdout.decode().strip()


def put(game: GitRepo, ref: str, where: str, *parents: str) -> str:
    line = [word for one in parents for word in ("-p", one)]
    sha = game.git("commit-tree", *line, "-m", "x", where)
    game.git("update-ref", f"refs/witness/{ref}", sha)
    return sha


def text_of(game: GitRepo, player: str, change: Callable[[str], str] = lambda text: text, at: str = "HEAD") -> bytes:
    """The note that a player would sign of a commit that has the ledger of HEAD."""
    first = game.git("rev-list", "--max-parents=0", "HEAD")
    text = (
        f"nomicgen witness 1\ngame   Tea\nbegan  {first}\nfolder .\nbranch main\ncommit {head(game, at)}\n"
        f"tree   {head(game, f'{at}^{{tree}}')}\nledger {verify(game.path).verdict.digest}\n"
        f"date   2026-06-01T12:00:00+00:00\nplayer {player}\n"
    )
    return change(text).encode()


def pose(
    game: GitRepo,
    player: str,
    key: str,
    *,
    ref: str = "",
    parents: tuple[str, ...] = (),
    change: Callable[[str], str] = lambda text: text,
    space: str = NAMESPACE,
    at: str = "HEAD",
) -> str:
    """A note that somebody writes with tools of their own."""
    data = text_of(game, player, change, at)
    where = tree(game, note=data, sig=sign(data, space, str(private_key(key))))
    return put(game, ref or player, where, *(parents or (head(game, at),)))
