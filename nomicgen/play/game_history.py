"""A game with its past: the history of every rule, and the commits that brought it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from nomicgen.history.game_history import GameHistory
from nomicgen.history.provenance import trace, trace_files
from nomicgen.history.rule_history import Histories, build_histories
from nomicgen.law.checks.run import rule_bytes
from nomicgen.model.commits import GitState, Log, Origin
from nomicgen.model.findings import ordered
from nomicgen.play.load import Game, git_findings, zone_of
from nomicgen.repository.git_log import blob_id
from nomicgen.repository.git_state import inspect, scan


def histories_of(game: Game) -> Histories:
    """Return the history of every rule."""
    # Of two files for one number the first counts.
    sources = {
        file.matter.number: (path, file.matter.commit)
        for path, file in sorted(game.records.initial.items(), reverse=True)
    }
    return build_histories(game.replay, sources)


def game_history_of(game: Game, *, rules_only: bool = False) -> GameHistory:
    """Return the game with the commits that brought its history.

    With `rules_only`, `touched` and `decided` stay empty, and git has less to do. Raises
    RepositoryError if git itself fails.
    """
    histories = histories_of(game)
    state = inspect(game.root)
    files = {
        path: blob_id(data, state.object_format)
        for path, data in game.tree.items()
        if isinstance(data, bytes)
    }

    def traced(log: Log) -> Mapping[tuple[int, int], Origin]:
        return trace(histories, log, partial(_path_and_blob, game, histories, state), files)

    log = scan(game.root, rules_only=rules_only) if state.present else Log()
    origins = traced(log)
    if (
        rules_only
        and state.present
        and any(origin.kind == "missing" for origin in origins.values())
    ):
        # If no commit wrote a revision, the commit of its instrument's file may still tell where it
        # came from; only the full log has that.
        origins = traced(scan(game.root))
    return GameHistory(
        records=game.records,
        replay=game.replay,
        histories=histories,
        git=state,
        origins=origins,
        touched={} if rules_only else trace_files(log, files),
        decided={} if rules_only else trace_files(log, files, named=True),
        findings=ordered((*game.findings, *git_findings(state))),
        zone=zone_of(game.settings),
    )


def _path_and_blob(
    game: Game, histories: Histories, state: GitState, place: tuple[int, int]
) -> tuple[str, str] | None:
    """Return the path and the blob id of the file that an entry's revision was in.

    `place` has the rule's identity and the entry's index. None for a repeal, and for an initial
    rule whose file is not there.
    """
    identity, index = place
    entry = histories.rules[identity].entries[index]
    if entry.verb == "initial":
        path, data = entry.path, game.tree.get(entry.path)
    elif entry.verb == "repeal":
        return None
    else:
        path, data = f"rules/{entry.rule.number}.md", rule_bytes(entry.rule)
    return (path, blob_id(data, state.object_format)) if isinstance(data, bytes) else None
