"""Rulesets as games with a history: what the tests of formats and importers share."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from nomicgen.files.game_files import read_game
from nomicgen.history.game_history import GameHistory
from nomicgen.history.provenance import trace
from nomicgen.history.rule_history import build_histories
from nomicgen.importers.game_writing import ImportedGame
from nomicgen.importers.long.importer import import_long
from nomicgen.law.checks.run import check, ruleset_files
from nomicgen.law.replay.run import replay
from nomicgen.model.commits import GitState, Log
from nomicgen.model.findings import Finding
from nomicgen.model.values import Moment
from nomicgen.play.load import zone_of

RULE = "## 201/0\n\nLamps are lit.\n\n##### *History*\n\n*Initial mutable Rule 201, Mar 1, 2021*\n"
TITLE = "# LANTERN RULESET (LONG FORMAT)\n---\n"


def history_of_tree(tree: Mapping[str, bytes], until: str | None = None) -> GameHistory:
    """The history of a game without git, as of the end of a day; `findings` are those of its files
    and of the law.

    A tree without `rules/` gets it, as whoever imports a game writes it.
    """
    records, unread = read_game(tree)
    played = replay(records, Moment.parse(until) if until else None)
    records = replace(records, derived_rules=records.derived_rules or ruleset_files(played.current))
    initial = {
        file.matter.number: (path, file.matter.commit) for path, file in records.initial.items()
    }
    histories = build_histories(played, initial)
    return GameHistory(
        records=records,
        replay=played,
        histories=histories,
        git=GitState(present=False, reason="no git here"),
        origins=trace(histories, Log(), lambda _: None, {}),
        findings=(*unread, *check(records, played)),
        zone=zone_of(records.settings),
    )


def errors(game_history: GameHistory) -> list[str]:
    """What is wrong with a game, one line each."""
    return [
        f"{one.span} {one.slug}: {one.message}" for one in game_history.findings if one.is_error
    ]


def shown(findings: tuple[Finding, ...]) -> list[str]:
    """`line:column slug: message`, for each finding of one file."""
    return [f"{one.span.line}:{one.span.column} {one.slug}: {one.message}" for one in findings]


def imported(text: str) -> ImportedGame:
    return import_long(text.encode(), "rules-l.md")


def with_text(old: str, new: str) -> str:
    """One rule of the initial set, with a part of it replaced."""
    return TITLE + RULE.replace(old, new)


def slips(text: str) -> list[str]:
    return shown(imported(text).findings)


def with_history(*lines: str, heading: str = "201/1") -> str:
    """One rule with these lines as its history."""
    history = "  \n".join(f"*{line}*" for line in lines)
    return f"{TITLE}## {heading}\n\nLamps are lit.\n\n##### *History*\n\n{history}\n"


def texts(files: Mapping[str, bytes], *folders: str) -> dict[str, str]:
    return {path: data.decode() for path, data in files.items() if path.startswith(folders)}
