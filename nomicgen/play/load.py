"""Loading a game: the tree is read once, its files become records, the ledger is replayed, git is asked where from."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, tzinfo
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from nomicgen.model.findings import Finding, Findings, listed, ordered
from nomicgen.files import Oddity, read_game
from nomicgen.files.file_findings import is_draft, quoted
from nomicgen.law.precedence import Law
from nomicgen.law.replay.run import Trail, retrace
from nomicgen.law.replay.state import Replay
from nomicgen.lazy_imports import uncollected
from nomicgen.model import Moment, Records, Settings, Span
from nomicgen.repository import find_root, read_tree
from nomicgen.repository.git_presence import require_whole, state_of

if TYPE_CHECKING:
    from nomicgen.history.provenance import GitState


Tree = Mapping[str, bytes | Oddity]


class Game(Struct, frozen=True, kw_only=True, dict=True):
    """A game as its files say it. `unread` has what is wrong with its files, each for itself.

    Of most games that a move looks at nobody asks what is wrong: that is found out when it is asked.
    """

    root: Path
    tree: Tree
    records: Records
    unread: Findings
    replay: Replay
    trail: Trail | None = None
    until: Moment

    @property
    def settings(self) -> Settings:
        return self.records.settings

    @cached_property
    def findings(self) -> Findings:
        """What is wrong, without what git has to say."""

        from nomicgen.history.references import dangling
        from nomicgen.law.checks import check

        records, played = self.records, self.replay
        with uncollected():
            findings = (*self.unread, *_timezone(records), *check(records, played), *dangling(records, played))
            return ordered(_helped(self, findings))

    @property
    def errors(self) -> Findings:
        return tuple(finding for finding in self.findings if finding.is_error)


def known_zone(name: str) -> tzinfo | None:
    """The zone of a name such as `Europe/London`; None where there is no such zone."""
    if name == "UTC":
        return UTC
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def zone_of(settings: Settings) -> tzinfo:
    """The zone of a game; UTC where it names none that there is."""
    return known_zone(settings.timezone) or UTC


def local(at: datetime, settings: Settings) -> Moment:
    """A moment where the game is played, to the second."""
    there = at.astimezone(zone_of(settings))
    return Moment(there.date(), there.time().replace(microsecond=0), timed=True)


def now(settings: Settings) -> Moment:
    """This second, where the game is played."""
    return local(datetime.now(UTC), settings)


def today(settings: Settings) -> Moment:
    """The day it is where the game is played."""
    return Moment.of(now(settings).day)


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


def _helped(game: Game, findings: Sequence[Finding]) -> Sequence[Finding]:
    """The findings, those about drafts with what mends them; so a proposal of which an instruction cannot be read."""
    paths = {
        finding.span.file
        for finding in findings
        if is_draft(finding.span.file) or finding.slug == "instruction-unknown"
    }
    if not paths:
        return findings
    from nomicgen.play.draft import names_known_to
    from nomicgen.play.mending.mend import with_mendings

    known = names_known_to(game.records, game.replay, frozenset(game.tree))
    for path in sorted(paths):
        data = game.tree.get(path)
        findings = with_mendings(findings, path, data, known) if isinstance(data, bytes) else findings
    return findings


def _timezone(records: Records) -> Iterator[Finding]:
    name = records.settings.timezone
    if known_zone(name) is None:
        yield Finding(
            slug="value-wrong",
            span=records.settings_source.at("timezone"),
            message=f"timezone: {quoted(name)} should be a time zone such as Europe/London",
            help="look it up in the tz database; until then UTC is used",
        )


def as_of(game: Game, on: Moment) -> Game:
    """The game as it stood at the end of `on`, if that is a day before that of `game`; else the same."""
    return load_tree(game.root, game.tree, on, game) if on.day < game.until.day else game


def law_on(game: Game, on: Moment) -> Law:
    """The law of a day that is not after that of the game."""
    return Law.of(as_of(game, on).replay.current, game.settings, on)


def overlay(game: Game, writes: Mapping[str, bytes], deletes: frozenset[str] = frozenset()) -> Game:
    """The game as it would be after a write, without writing."""
    tree = {path: data for path, data in game.tree.items() if path not in deletes}
    return load_tree(game.root, {**tree, **writes}, game.until, game)


def git_findings(state: GitState) -> Findings:
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
    findings = []
    if state.shallow:
        findings.append(
            Finding(
                slug="git-shallow",
                span=Span(file="nomic.yml"),
                message="this clone is shallow, so older revisions cannot be linked to their commits",
                help="run `git fetch --unshallow`; in CI, check out with `fetch-depth: 0`",
            )
        )
    if state.dirty:
        findings.append(
            Finding(
                slug="git-uncommitted",
                span=Span(file=state.dirty[0]),
                message=f"not committed: {listed(state.dirty, 5)}",
                help="run `git add` and `git commit` on them, or let the commands do it with `--commit`",
            )
        )
    return tuple(findings)


def check_game(game: Game) -> Findings:
    """Everything that is wrong with a game, git included."""
    return ordered((*game.findings, *git_findings(state_of(game.root))))
