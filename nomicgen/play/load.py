"""Loading a game: the tree is read once, its files become records, and the ledger is replayed.

Here are also the clock and the time zone of a game, and (`check_game`) what git says of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, tzinfo
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.files.file_findings import quoted
from nomicgen.files.game_files import read_game
from nomicgen.files.text_encoding import Oddity
from nomicgen.history.references import dangling_references
from nomicgen.law.checks.run import check
from nomicgen.law.precedence import Law
from nomicgen.law.replay.results import Replay
from nomicgen.law.replay.run import Trail, retrace
from nomicgen.model.findings import Finding, Findings, listed, ordered
from nomicgen.model.records import Records
from nomicgen.model.settings import Settings
from nomicgen.model.values import Moment, Span
from nomicgen.repository.game_tree import find_root, read_tree
from nomicgen.repository.git_presence import require_full_checkout, state_of

if TYPE_CHECKING:
    from nomicgen.model.commits import GitState


Tree = Mapping[str, bytes | Oddity]
"""The files of a game by path; an `Oddity` stands for one that has no bytes to read."""


class Game(Struct, frozen=True, kw_only=True, dict=True):
    """A game as its files say it, as of the day `until`.

    `file_findings` has what is wrong with its files, each by itself. Other findings are worked out
    only when somebody asks for them: most games that a move looks at are never checked. `trail`
    lets the next replay go on from this one. Dates after `today` are in the future: it is the real
    day, or `until` if that is later or nobody gave the real day.
    """

    root: Path
    tree: Tree
    records: Records
    file_findings: Findings
    replay: Replay
    trail: Trail | None = None
    until: Moment
    today: Moment

    @property
    def settings(self) -> Settings:
        return self.records.settings

    @cached_property
    def findings(self) -> Findings:
        """What is wrong, without what git has to say."""
        records, played = self.records, self.replay
        findings = (
            *self.file_findings,
            *_timezone(records),
            *check(records, played, self.today),
            *dangling_references(records, played),
        )
        return ordered(findings)

    @property
    def errors(self) -> Findings:
        return tuple(finding for finding in self.findings if finding.is_error)


def known_zone(name: str) -> tzinfo | None:
    """Return the zone of a name such as `Europe/London`; None where there is no such zone."""
    if name == "UTC":
        return UTC

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def zone_of(settings: Settings) -> tzinfo:
    """Return the zone of a game; UTC if it names none, or one that is not known."""
    return known_zone(settings.timezone) or UTC


def local(at: datetime, settings: Settings) -> Moment:
    """Return a moment in the time zone of a game, to the second."""
    there = at.astimezone(zone_of(settings))
    return Moment(there.date(), there.time().replace(microsecond=0), timed=True)


def now(settings: Settings) -> Moment:
    """Return this second in the time zone of a game."""
    return local(datetime.now(UTC), settings)


def today(settings: Settings) -> Moment:
    """Return the present day in the time zone of a game."""
    return Moment.of(now(settings).day)


def load(start: Path, until: Moment | None = None) -> Game:
    """Load the game that `start` lies in, as of the end of `until` (None: today). Raises
    RepositoryError if there is no game.

    If `until` is past, `today` is still the real day: what its files date in between is no error.
    """
    require_full_checkout(root := find_root(start))
    game = load_tree(root, read_tree(root), until)
    return replace(game, today=max(game.until, today(game.settings)))


def load_tree(
    root: Path,
    tree: Tree,
    until: Moment | None = None,
    since: Game | None = None,
    day: Moment | None = None,
) -> Game:
    """Return the game that a tree of files makes, as of `until` (None: today). Nothing is read in
    `root`.

    `since` is another state of the same game, which saves work: records of files that are the same
    in both are taken over, and of the replay what comes before the first event that differs.
    `day` is the real day. If it is None, it is `until`, or that of `since` if that is later.
    """
    records, found = read_game(
        tree, (since.tree, since.records, since.file_findings) if since is not None else None
    )
    until = until or today(records.settings)
    played, trail = retrace(records, until, since.trail if since is not None else None)
    day = day or (max(until, since.today) if since is not None else until)
    return Game(
        root=root,
        tree=tree,
        records=records,
        file_findings=found,
        replay=played,
        trail=trail,
        until=until,
        today=day,
    )


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
    """Return the game as it stood on `on`; `game` itself, unless that day is before its `until`."""
    return load_tree(game.root, game.tree, on, game) if on.day < game.until.day else game


def law_on(game: Game, on: Moment) -> Law:
    """Return the law on `on`, by the rules that were in force then."""
    return Law.of(as_of(game, on).replay.current, game.settings, on)


def overlay(game: Game, writes: Mapping[str, bytes], deletes: frozenset[str] = frozenset()) -> Game:
    """Return the game as it would be after a write, without writing."""
    tree = {path: data for path, data in game.tree.items() if path not in deletes}
    return load_tree(game.root, {**tree, **writes}, game.until, game)


def check_game(game: Game) -> Findings:
    """Return everything that is wrong with a game, git included."""
    return ordered((*game.findings, *git_findings(state_of(game.root))))


def git_findings(state: GitState) -> Findings:
    """Return what keeps the history from being linked to commits, each with what mends it."""
    if not state.present:
        return (
            Finding(
                slug="git-absent",
                span=Span(file="nomic.yml"),
                message="no history can be linked to commits: "
                f"{state.reason or 'this is no git repository'}",
                help=state.remedy
                or "clone the game's repository with git, or begin one: `git init`, `git add .`, "
                "`git commit`",
            ),
        )
    findings = []
    if state.shallow:
        findings.append(
            Finding(
                slug="git-shallow",
                span=Span(file="nomic.yml"),
                message="this clone is shallow, so older revisions cannot be linked to their "
                "commits",
                help="run `git fetch --unshallow`; in CI, check out with `fetch-depth: 0`",
            )
        )
    if state.dirty:
        findings.append(
            Finding(
                slug="git-uncommitted",
                span=Span(file=state.dirty[0]),
                message=f"not committed: {listed(state.dirty, 5)}",
                help="where `nomicgen check` finds no error in them, run `git add` and `git "
                "commit` on them; next time, let the commands do it with `--commit`",
            )
        )
    return tuple(findings)
