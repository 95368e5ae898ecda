"""Loading a game: the tree is read once, its files become records, the ledger is replayed, git is asked where from."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from nomicgen import repository
from nomicgen.archive.history import Histories, build_histories
from nomicgen.archive.provenance import GitState, Log, Origin, trace, trace_files
from nomicgen.archive.references import dangling
from nomicgen.archive.view import Archive
from nomicgen.diagnostics import Finding, ordered
from nomicgen.files import Oddity, read_game
from nomicgen.files.notes import quoted
from nomicgen.later import uncollected
from nomicgen.law.checks import check, rule_bytes
from nomicgen.law.replay import Trail, retrace
from nomicgen.law.state import Replay
from nomicgen.model import Moment, Records, Settings, Span
from nomicgen.repository import find_root, read_tree
from nomicgen.repository.log import blob_id
from nomicgen.repository.presence import state_of
from nomicgen.repository.sparse import require_whole

__all__ = [
    "Game",
    "Tree",
    "archive_of",
    "as_of",
    "check_game",
    "load",
    "load_tree",
    "overlay",
    "today",
    "zone_of",
]

Tree = Mapping[str, bytes | Oddity]


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game as its files say it. `unread` has what is wrong with its files, each for itself.

    Of most games that a move looks at nobody asks what is wrong: that is found out when it is asked.
    """

    root: Path
    tree: Tree
    records: Records
    unread: tuple[Finding, ...]
    replay: Replay
    trail: Trail | None = None
    until: Moment
    _found: list[tuple[Finding, ...]] = field(default_factory=list, init=False, compare=False, repr=False)

    @property
    def settings(self) -> Settings:
        return self.records.settings

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong, without what git has to say."""
        if not self._found:
            records, played = self.records, self.replay
            with uncollected():
                wrong = (*self.unread, *_timezone(records), *check(records, played), *dangling(records, played))
            self._found.append(ordered(wrong))
        return self._found[0]

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(one for one in self.findings if one.is_error)


def zone_of(name: str) -> tzinfo | None:
    """The zone of a name such as `Europe/London`; None where there is no such zone."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def today(settings: Settings) -> Moment:
    """The day it is where the game is played."""
    return Moment.of(datetime.now(zone_of(settings.timezone) or UTC).date())


def load(start: Path, until: Moment | None = None) -> Game:
    """Loads the game that `start` lies in, as of the end of `until` (today). Raises RepositoryError without a game."""
    root = find_root(start)
    require_whole(root)
    return load_tree(root, read_tree(root), until)


def load_tree(root: Path, tree: Tree, until: Moment | None = None, since: Game | None = None) -> Game:
    """The game that a tree of files makes; `root` is only carried along.

    What `since`, another state of the same game, has in common with it is taken over: of the files those that are the
    same, of the replay what came before the first event that is another.
    """
    with uncollected():
        records, unread = read_game(tree, (since.tree, since.records, since.unread) if since is not None else None)
        until = until or today(records.settings)
        played, trail = retrace(records, until, since.trail if since is not None else None)
        return Game(root=root, tree=tree, records=records, unread=unread, replay=played, trail=trail, until=until)


@contextmanager
def set_aside() -> Iterator[None]:
    """Without what there is already the collector of cyclic garbage has less to look through while pages are made: of
    a long game it would look through everything time and again, for a fifth of the whole time."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _timezone(records: Records) -> Iterator[Finding]:
    name = records.settings.timezone
    if zone_of(name) is None:
        yield Finding(
            slug="value-wrong",
            span=records.settings_source.at("timezone"),
            message=f"timezone: {quoted(name)} should be a time zone such as Europe/London",
            help="look it up in the tz database; UTC is meant meanwhile",
        )


def as_of(game: Game, on: Moment) -> Game:
    """The game as it stood at the end of `on`, if that is a day before that of `game`; else the same."""
    return load_tree(game.root, game.tree, on, game) if on.day < game.until.day else game


def overlay(game: Game, writes: Mapping[str, bytes], deletes: frozenset[str]) -> Game:
    """The game as it would be after a write, without writing."""
    tree = {path: data for path, data in game.tree.items() if path not in deletes}
    return load_tree(game.root, {**tree, **writes}, game.until, game)


def histories_of(game: Game) -> Histories:
    """The history of every rule."""
    sources = {
        file.matter.number: (path, file.matter.commit)
        for path, file in sorted(game.records.initial.items(), reverse=True)
    }
    return build_histories(game.replay, sources)


def archive_of(game: Game, *, rules_only: bool = False) -> Archive:
    """The game with the commits that its history came in. Raises RepositoryError when git itself fails.

    With `rules_only`, `touched` stays empty, and git has less to do.
    """
    with uncollected():
        histories = histories_of(game)
        state = repository.inspect(game.root)
        files = {
            path: blob_id(data, state.object_format) for path, data in game.tree.items() if isinstance(data, bytes)
        }

        def traced(log: Log) -> Mapping[tuple[int, int], Origin]:
            return trace(histories, log, partial(_blob, game, histories, state), files)

        log = repository.scan(game.root, rules_only=rules_only) if state.present else Log()
        origins = traced(log)
        if rules_only and state.present and any(one.kind == "missing" for one in origins.values()):
            # Of a revision that no commit wrote the file of its instrument may still tell.
            origins = traced(repository.scan(game.root))
        return Archive(
            records=game.records,
            replay=game.replay,
            histories=histories,
            git=state,
            origins=origins,
            touched={} if rules_only else trace_files(log, files),
            findings=ordered((*game.findings, *git_findings(state))),
            zone=zone_of(game.settings.timezone) or UTC,
        )


def _blob(game: Game, histories: Histories, state: GitState, place: tuple[int, int]) -> tuple[str, str] | None:
    """The path and the blob's id that the revision of an entry was written as; `place` as in `trace`."""
    identity, index = place
    entry = histories.rules[identity].entries[index]
    if entry.verb == "initial":
        path, data = entry.path, game.tree.get(entry.path)
    elif entry.verb == "repeal":
        return None
    else:
        path, data = f"rules/{entry.rule.number}.md", rule_bytes(entry.rule)
    return (path, blob_id(data, state.object_format)) if isinstance(data, bytes) else None


def git_findings(state: GitState) -> tuple[Finding, ...]:
    """What keeps the history from being linked, each with the command that mends it."""
    if not state.present:
        return (
            Finding(
                slug="git-absent",
                span=Span(file="nomic.yml"),
                message=f"no history can be linked to commits: {state.reason or 'this is no git repository'}",
                help=state.remedy
                or "clone the game's repository with git, or begin one: `git init`, `git add .`, `git commit`",
            ),
        )
    found = []
    if state.shallow:
        found.append(
            Finding(
                slug="git-shallow",
                span=Span(file="nomic.yml"),
                message="this clone is shallow, so older revisions cannot be linked to their commits",
                help="run `git fetch --unshallow`; in CI, check out with `fetch-depth: 0`",
            )
        )
    if state.dirty:
        shown = ", ".join(state.dirty[:5]) + (f" and {len(state.dirty) - 5} more" if len(state.dirty) > 5 else "")
        found.append(
            Finding(
                slug="git-uncommitted",
                span=Span(file=state.dirty[0]),
                message=f"not committed: {shown}",
                help="run `git add` and `git commit` on them, or let the commands do it with `--commit`",
            )
        )
    return tuple(found)


def check_game(game: Game) -> tuple[Finding, ...]:
    """Everything that is wrong with a game, git included."""
    return ordered((*game.findings, *git_findings(state_of(game.root))))
