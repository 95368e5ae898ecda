"""JSON that GitHub gives of a pull request: votes counted on a game, and lists of pull requests."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from nomicgen.files.text_encoding import CONTROLS
from nomicgen.model.identifiers import PlayerId
from nomicgen.play.load import Game
from nomicgen.pulls.forge.github import Recorded, read_recorded
from nomicgen.pulls.forge.json_documents import JsonProblem
from nomicgen.pulls.forge.pull_list import read_pulls
from nomicgen.pulls.forge_tally import count_recorded
from nomicgen.pulls.tally_text import COUNT, count_text
from tests.case_files import case_folder, case_names
from tests.fuzz.games import small
from tests.fuzz.target import Target, joined, parts_of
from tests.support import ROOT

_CASES = ROOT / "tests" / "pulls" / "forge" / "recordings"
WORDS = (
    *(
        '"id": 1',
        '"node_id": "a"',
        '"user": {"login": "',
        '"type": "Bot"',
        '"body": "',
        '"state": "APPROVED"',
        '"state": "',
    ),
    *(
        '"commit_id": "',
        '"submitted_at": "',
        '"created_at": "',
        '"updated_at": "',
        "2026-03-02T09:00:00Z",
    ),
    *(
        '"html_url": "https://',
        '"reactions": {',
        '"+1"',
        '"content": "',
    ),
    *(
        '"event": "comment_deleted"',
        '"data": {',
        '"errors": [',
        "null",
        "true",
        "1e999",
        "NaN",
        "\\ud800",
    ),
    *(
        "/vote for ",
        "/vote against ",
        "304-k7q2m4x9ta",
        "```\\nnomicgen vote 1\\n",
        "-----BEGIN SSH SIGNATURE-----\\n",
        "/vote",
        "/resubmit",
        "/withdraw",
        "\\n",
        "<!-- ",
        "@@ reactions/1.json\n",
        "@@ a.json\n",
    ),
    *(
        '"number": 1',
        '"head": {"sha": "',
        '"labels": [{"name": "machinery"}]',
        "a" * 40,
        "[",
        "]",
        "{",
        "}",
        ", ",
        '": "',
    ),
)


def tally(data: bytes) -> None:
    """A recording read and counted: each vote is a player's, and whatever is not read is said."""
    parts = {name or "recording.json": content for name, content in parts_of(data).items()}
    found = read_recorded(list(parts.items()))
    _problems(found.problems, parts)
    game = small()
    if found.fatal:
        return
    counted = count_recorded(game, 304, found, game.until)
    _counted(found, counted.game, [vote.player for vote in counted.count.votes])
    json.dumps(COUNT.write(counted.count))
    list(count_text(counted.count))


def _counted(found: Recorded, game: Game, players: list[str]) -> None:
    assert len(players) == len(set(players))
    logins = {
        one.ident: one.matter.accounts.get("github", "").casefold()
        for one in game.records.players.values()
    }
    casters = {(cast.by or "").casefold() for cast in found.casts if cast.choice is not None}
    assert {logins[PlayerId(player)] for player in players} <= casters


def pulls(data: bytes) -> None:
    """A list of pull requests: numbers in order, each once; whatever is none is said."""
    found, problems = read_pulls("pulls.json", data)
    _problems(problems, {"pulls.json": data})
    numbers = [one.number for one in found]
    assert numbers == sorted(set(numbers))


def _problems(problems: Iterable[JsonProblem], files: dict[str, bytes]) -> None:
    for one in problems:
        assert "\n" not in one.message, one
        assert re.search(CONTROLS, one.message) is None, one
        if one.file not in files:
            continue
        lines = files[one.file].decode("utf-8", "replace").split("\n")
        assert 1 <= one.line <= len(lines), one
        assert 1 <= one.column <= len(lines[one.line - 1]) + 1, one


def _tally_seeds() -> Iterator[bytes]:
    for folder in (case_folder(_CASES, name) for name in case_names(_CASES)):
        files = sorted(one for one in folder.rglob("*.json") if one.stat().st_size < 6000)
        parts = {one.relative_to(folder).as_posix(): _short(one) for one in files}
        yield joined(parts)
        yield from parts.values()


def _short(file: Path) -> bytes:
    try:
        return json.dumps(json.loads(file.read_bytes())).encode()
    except ValueError:
        return file.read_bytes()


def _pull_seeds() -> Iterator[bytes]:
    one = {
        "number": 3,
        "html_url": "https://f.example/p/3",
        "head": {"sha": "a" * 40},
        "user": {"login": "wren"},
    }
    yield json.dumps(
        [one, one | {"number": 4, "labels": [{"name": "machinery"}], "state": "closed"}]
    ).encode()
    yield json.dumps([[one], [one | {"user": None}]]).encode()


TARGETS = (
    Target(name="tally", run=tally, seeds=_tally_seeds, words=WORDS),
    Target(name="pulls", run=pulls, seeds=_pull_seeds, words=WORDS),
)
