"""The commits that a game's ledger names: whether the history has them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from nomicgen.history.ledger_digest import is_of_ledger
from nomicgen.model.identifiers import CommitId
from nomicgen.model.line_commits import CommitLine
from nomicgen.model.settings import Settings
from nomicgen.model.values import Span
from nomicgen.play.load import Game
from nomicgen.repository.first_parents import whereabouts
from nomicgen.verify.findings import CommitFinding, missing_commit

_SHA = "{sha}"
"""The place of the id in `links.commit` of `nomic.yml`."""


def named_commits(root: Path, line: CommitLine, game: Game) -> Iterator[CommitFinding]:
    """Yield the commits that the ledger names but HEAD's history lacks. For a shallow clone, none.

    A commit that the whole repository lacks may belong to another repository: it counts only if
    `nomic.yml` says that the game is of this one.
    """
    if line.shallow:
        return
    named = dict(_named(game))
    ours = {commit.sha for commit in line.commits}
    places = whereabouts(root, line.head, [sha for sha in named if sha not in ours])
    for sha, where in places.items():
        if where == "unreachable" or (where == "missing" and _is_own(game.settings)):
            yield missing_commit(named[sha], sha, apart=where == "unreachable")


def _named(game: Game) -> Iterator[tuple[CommitId, Span]]:
    """Yield every commit that the ledger names, in links and in the key `commit`, and where."""
    template = game.settings.links.commit or ""
    prefix, placeholder, _ = template.partition(_SHA)
    if placeholder and prefix.startswith("http"):
        link = re.compile(rf"{re.escape(prefix)}([0-9a-f]{{64}}|[0-9a-f]{{40}})".encode())
        for path, data in game.tree.items():
            if isinstance(data, bytes) and is_of_ledger(path):
                for match in link.finditer(data):
                    yield (
                        CommitId(match[1].decode()),
                        Span(file=path, line=data.count(b"\n", 0, match.start()) + 1),
                    )
    for rule in game.records.initial.values():
        if rule.matter.commit is not None:
            yield rule.matter.commit, rule.source.at("commit")
    for instrument in game.records.instruments.values():
        if instrument.matter.commit is not None:
            yield instrument.matter.commit, instrument.source.at("commit")


def _is_own(settings: Settings) -> bool:
    """Return whether the commits that the ledger names are of this game's repository: `nomic.yml`
    names it, and its links to commits, if any, lead there.
    """
    if settings.repository is None:
        return False
    address = settings.repository.removesuffix("/").removesuffix(".git")
    return settings.links.commit is None or settings.links.commit.startswith(f"{address}/")
