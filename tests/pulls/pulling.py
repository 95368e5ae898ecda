"""How tests pull: branches with drafts, GitHub's JSON of what was said on them, and the games that
they go to.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nomicgen.files.documents import read_instrument
from tests.cli.playing import MAJORITY, TEA, begun, run
from tests.support import GitRepo

CLOSING: dict[int, dict[str, Any]] = {
    104: {},
    105: {"ballot": {"silence": "against", "closes_after": 3}},
    111: {},
    201: {},
    203: MAJORITY,
}
"""No turns, no debate, withdrawals; a vote of three days in which silence is against, and a
majority of all.
"""
DEBATED = {**CLOSING, 111: {"ballot": {"debate": 2}}}
PLAYERS = ("osprey", "quill", "wren")
AUTHOR = "Wren Moss <wren-gh@users.noreply.github.com>"


def account(ident: str, name: str = "", login: str = "") -> dict[str, str]:
    """The file of a player with an account."""
    said = json.dumps(name or f"{ident.capitalize()} Moss")
    text = f"name: {said}\naccounts:\n  github: {login or ident + '-gh'}\njoined: 2026-01-01\n"
    return {f"players/{ident}.yml": text}


def forged(
    repo: GitRepo, law: Mapping[int, Mapping[str, Any]] | None = None, **players: str
) -> GitRepo:
    """A game of three with accounts, `wren-gh` and so on; `players` have other names than `Wren
    Moss`.
    """
    files: dict[str, str] = {}
    for ident in PLAYERS:
        files |= account(ident, players.get(ident, ""))
    return begun(repo, CLOSING if law is None else law, files=files)


def draft(title: str = "Tea", author: str = "wren", body: str = TEA) -> str:
    return f"---\ntitle: {json.dumps(title)}\nauthor: {author}\nstatus: draft\n---\n\n{body}"


def branch(
    game: GitRepo, name: str, files: Mapping[str, str | bytes | None], start: str = "main"
) -> str:
    """A commit with these files on a branch of its own, which begins at `start`; main stays as it
    is.
    """
    there = game.git("branch", "--list", name)
    game.git("switch", "--quiet", *((name,) if there else ("-c", name, start)))
    sha = game.commit(f"Work on {name}", files, author="Somebody <somebody@example.org>")
    game.git("switch", "--quiet", "main")
    return sha


def address(number: int) -> str:
    return f"https://forge.example/tea/game/pull/{number}"


class Forge:
    """A folder as a workflow records it: open pull requests, and what was said on them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pulls: dict[int, dict[str, Any]] = {}
        self.ident = 1000

    def open(
        self,
        number: int,
        head: str,
        login: str | None = "wren-gh",
        labels: tuple[str, ...] = (),
        opened: str = "",
    ) -> None:
        self.pulls[number] = {
            "number": number,
            "state": "open",
            "html_url": address(number),
            "created_at": opened or "2026-01-02T12:00:00Z",
            "title": "A title that nobody reads",
            "user": None if login is None else {"login": login, "type": "User"},
            "head": {"sha": head, "ref": "a-branch", "label": f"{login}:a-branch"},
            "labels": [{"name": one} for one in labels],
        }
        self.write()

    def close(self, number: int) -> None:
        del self.pulls[number]
        self.write()

    def write(self) -> None:
        self.folder.mkdir(exist_ok=True)
        half = list(self.pulls.values())
        (self.folder / "pulls.json").write_text(json.dumps([half[:1], half[1:]]))

    def comment(
        self, number: int, login: str, body: str, at: str, *, edited: str = "", kind: str = "User"
    ) -> int:
        self.ident += 1
        self._add(
            number,
            "comments",
            {
                "id": self.ident,
                "html_url": f"{address(number)}#issuecomment-{self.ident}",
                "user": {"login": login, "type": kind},
                "created_at": at,
                "updated_at": edited or at,
                "body": body,
            },
        )
        return self.ident

    def review(
        self, number: int, login: str, state: str, commit: str, at: str, body: str = ""
    ) -> None:
        self.ident += 1
        self._add(
            number,
            "reviews",
            {
                "id": self.ident,
                "html_url": f"{address(number)}#pullrequestreview-{self.ident}",
                "user": {"login": login, "type": "User"},
                "state": state,
                "submitted_at": at,
                "commit_id": commit,
                "body": body,
            },
        )

    def _add(self, number: int, name: str, one: dict[str, Any]) -> None:
        path = self.folder / str(number) / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        pages = json.loads(path.read_text()) if path.is_file() else [[]]
        path.write_text(json.dumps([[*pages[0], one]]))


def play(game: GitRepo, forge: Forge, on: str, code: int = 0) -> str:
    """Runs `pulls`, and again: the second run finds nothing to do, and says the same of what it
    cannot do.
    """
    replies = forge.folder.parent / "replies"
    line = f"plumbing pulls {forge.folder} --commit --replies {replies} --on {on}"
    said = run(game.path, line, code=code)
    head, files = (
        game.git("rev-parse", "HEAD"),
        {one.name: one.read_bytes() for one in replies.iterdir()},
    )
    run(game.path, line, code=code)
    assert game.git("rev-parse", "HEAD") == head
    assert game.git("status", "--porcelain") == ""
    closed = {name for name in files if name.endswith(".close")}
    assert {one.name for one in replies.iterdir()} >= files.keys() - closed
    return said


def replies(forge: Forge) -> dict[str, str]:
    return {
        one.name: one.read_text() for one in sorted((forge.folder.parent / "replies").iterdir())
    }


def subjects(game: GitRepo, count: int) -> list[str]:
    """The subjects of the last commits of main, the first first."""
    return game.git("log", "--first-parent", f"-{count}", "--reverse", "--format=%s").splitlines()


def trailers(game: GitRepo, commit: str = "HEAD") -> list[str]:
    return game.git("log", "-1", "--format=%(trailers:only)", commit).splitlines()


def sound(game: GitRepo) -> None:
    """What git and the checks say of a game after all that was done to it: nothing."""
    assert game.git("fsck", "--strict", "--full", "--no-dangling") == ""
    assert game.git("status", "--porcelain") == ""
    said = run(game.path, "check --strict")
    assert said.endswith("nothing is wrong\n"), said


GIN = TEA.replace("tea", "gin").replace("Tea", "Gin")


def digest(title: str = "Tea", body: str = TEA) -> str:
    found = read_instrument("proposals/tea.md", draft(title, body=body).encode())[0]
    assert found is not None
    assert found.whole_digest is not None
    return found.whole_digest


BALLOT = "301-b000000001"
"""The name of a game's first ballot, in tests."""
FOR = f"/vote for {BALLOT}"
AGAINST = f"/vote against {BALLOT}"


def asked(game: GitRepo, forge: Forge, number: int = 7, body: str = TEA, name: str = "tea") -> str:
    """A pull request that its author puts to the vote, at noon on the second; gives its head."""
    head = branch(game, name, {f"proposals/{name}.md": draft(name.capitalize(), body=body)})
    forge.open(number, head)
    forge.comment(number, "wren-gh", "/open", "2026-01-02T12:00:00Z")
    return head
