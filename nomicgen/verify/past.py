"""Commits that changed the past: each is held against the one before it, as a pull request is held
against its base.

What the keeper's own commands write is no change of the past, nor is what a correction restates.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property

from msgspec import Struct, structs

from nomicgen.files.documents import read_instrument, read_player, read_turn
from nomicgen.history.decisions import Decisions, is_decided, is_initial, is_instrument
from nomicgen.history.past.append_only import HappenedSoFar
from nomicgen.history.past.boundary import FileEdit, PastBoundary, RestatedKeys, past_finding
from nomicgen.history.past.commit_changes import CommitChange, Record, records_of
from nomicgen.history.past.keeper_entries import entered_instruments
from nomicgen.history.past.players import replaced_account
from nomicgen.history.past.restatements import restated_keys
from nomicgen.history.past.rewrites import changed_outcomes, rewrites_of_the_past
from nomicgen.law.precedence import Law
from nomicgen.law.questions import is_next_turn
from nomicgen.model.findings import Finding, Findings, listed
from nomicgen.model.front_matters import ProposalMatter
from nomicgen.model.line_commits import CommitLine, LineCommit, TouchedFile
from nomicgen.model.records import Instrument, Player, Turn
from nomicgen.model.settings import Settings
from nomicgen.model.values import Moment
from nomicgen.play.load import Game, load_tree
from nomicgen.repository.game_tree import SETTINGS
from nomicgen.verify.findings import SHOWN, CommitFinding, fault_of, unproven_finding
from nomicgen.verify.read import PastReader, settings_in

_REPLAYS = 200
"""How many commits are replayed at most, of those that do more than add at the end."""


def tells_of_the_past(path: str) -> bool:
    """Return whether a file tells what happened in the game, or sets what it is judged by."""
    return path == SETTINGS or is_instrument(path) or is_initial(path) or _is_player_or_turn(path)


def _is_player_or_turn(path: str) -> bool:
    return (
        path.startswith(("players/", "turns/")) and path.endswith(".yml") and path.count("/") == 1
    )


def blobs_of(line: CommitLine) -> frozenset[str]:
    """Return the ids of the blobs of a line that tell of the past."""
    blobs = (
        touch.blob
        for commit in line.commits
        for touch in commit.touched
        if tells_of_the_past(touch.path)
    )
    return frozenset(blob for blob in blobs if blob is not None)


class PastOfLine(Struct, frozen=True):
    """What the commits of a line changed of the past, as `faults`.

    `corrected` are the commits, by index, that correct what was recorded, or enter what happened
    before the game was played here.
    """

    faults: tuple[CommitFinding, ...]
    corrected: frozenset[int]


def changes_of_the_past(
    line: CommitLine, game: Game, reader: PastReader, decisions: Decisions
) -> PastOfLine:
    """Return what the commits of a line changed of the past.

    `reader` must have read the blobs that `blobs_of` gives.
    """
    following = _PastFollower(game, reader)
    faults: list[CommitFinding] = []
    for commit in line.commits[: decisions.begun + 1]:
        following.take_over(commit)
    for commit in line.commits[decisions.begun + 1 :]:
        if paths := decisions.initial.get(commit.index):
            faults.append(
                fault_of(commit, "initial-changed", min(paths), paths=listed(sorted(paths), SHOWN))
            )
        for finding in following.judge(commit):
            where = finding.span.file
            faults.append(
                fault_of(commit, "past-changed", where, message=finding.message, help=finding.help)
            )
    if following.replays > _REPLAYS:
        faults.append(
            unproven_finding(
                f"{following.replays - _REPLAYS} commits put something before what had happened, "
                "and were not replayed",
                "first correct or admit what else was found, then run it again",
            )
        )
    return PastOfLine(tuple(faults), frozenset(following.corrected))


class _Version(Struct, frozen=True):
    """A readable file as a commit had it: its blob's id and its record. The record is None for a
    rule of the initial set, which is not read.
    """

    blob: str
    record: Record | None = None


class _PastFollower:
    """A game, commit by commit: `judge` each, or `take_over` one that is not judged."""

    def __init__(self, game: Game, reader: PastReader) -> None:
        self.game, self.reader = game, reader
        # By path, the files that tell of the past, without undecided instruments. If one is gone or
        # unreadable, its last version stays here.
        self.files: dict[str, _Version] = {}
        # The blobs of undecided instruments, and of pictures, by path.
        self.undecided: dict[str, str] = {}
        self.pictures: dict[str, str] = {}
        # By path of a player, the GitHub account that the file named last.
        self.accounts: dict[str, str] = {}
        # By path of an instrument, when it was decided; and the latest of these moments.
        self.moments: dict[str, Moment] = {}
        self.last: Moment | None = None
        # The turn with the highest number, and the one that began last.
        self.turn: Turn | None = None
        self.began: Turn | None = None
        winner = game.replay.winner
        won = (winner.moment or game.until) if winner is not None else None
        self.additions = HappenedSoFar(self._waits, won)
        self.replays = 0
        self.corrected: set[int] = set()  # see PastOfLine
        # By path, the blob that a commit replaced which is found, and that commit: to bring the
        # blob back is no fault, unless the game admits the commit already.
        self.wronged: dict[str, tuple[str, str]] = {}
        self.loaded = game  # the game loaded last: the next one reuses what it has in common
        self._waiting: dict[str, bool] = {}  # the answers of `_waits`, by path

    # --- what a commit brings ---------------------------------------------------------------------

    def take_over(self, commit: LineCommit) -> None:
        """Take over the files of a commit without judging them."""
        for touch in commit.touched:
            self._take(touch)

    def _take(self, touch: TouchedFile) -> None:
        path, blob = touch.path, touch.blob
        if path.startswith("images/"):
            if blob is not None:
                self.pictures[path] = blob
            return
        if not tells_of_the_past(path):
            return
        if is_instrument(path) and not self._is_decided(path, blob):
            self._take_undecided(path, blob)
        elif blob is not None and (record := self._read(path, blob)) is not None:
            self._put(path, _Version(blob, record))
        elif blob is not None and is_initial(path):
            self.files[path] = _Version(blob)

    def _take_undecided(self, path: str, blob: str | None) -> None:
        self.undecided.pop(path, None)
        if blob is not None:
            self.undecided[path] = blob
            if path in self.files and self._read(path, blob) is not None:
                # What is undecided again may be decided again.
                del self.files[path]
                self._put_moment(path, None)
                self.additions.put_instrument(path, None)

    def _put(self, path: str, version: _Version) -> None:
        self.files[path] = version
        self.undecided.pop(path, None)
        record = version.record
        if isinstance(record, Instrument):
            self._put_moment(path, record.decided)
            self.additions.put_instrument(path, record)
        elif isinstance(record, Turn):
            self.additions.put_turn(record)
            self.turn = (
                record if self.turn is None or self.turn.order <= record.order else self.turn
            )
            if record.matter.began is not None:
                latest = self.began.matter.began if self.began is not None else None
                self.began = (
                    record if latest is None or latest <= record.matter.began else self.began
                )
        elif isinstance(record, Player) and "github" in record.matter.accounts:
            self.accounts[path] = record.matter.accounts["github"]

    def _put_moment(self, path: str, moment: Moment | None) -> None:
        """Keep when something was decided, unless that is still to come; `last` is the latest."""
        was = self.moments.pop(path, None)
        if moment is not None and not self.game.until.precedes(moment):
            self.moments[path] = moment
            if self.last is None or self.last < moment:
                self.last = moment
        if was is not None and was == self.last and moment != was:
            self.last = max(self.moments.values(), default=None)

    # --- what it says -----------------------------------------------------------------------------

    def _is_decided(self, path: str, blob: str | None) -> bool:
        return blob is not None and is_decided(path, self.reader.known.get(blob))

    @cached_property
    def _read_already(self) -> Mapping[tuple[str, str], Record]:
        """The records of HEAD's files, by path and blob: the game has read them already."""
        records: dict[tuple[str, str], Record] = {}
        ids = {id(data): blob for blob, data in self.reader.known.items()}
        for path, data in self.game.tree.items():
            record: Record | None = self.game.records.settings if path == SETTINGS else None
            if record is None and (is_instrument(path) or _is_player_or_turn(path)):
                record = self.game.records.at(path)
            if record is not None and path not in self.game.records.withheld and id(data) in ids:
                records[path, ids[id(data)]] = record
        return records

    def _read(self, path: str, blob: str) -> Record | None:
        """Return a file's record; None if it is unreadable, or a rule of the initial set."""
        if (known := self._read_already.get((path, blob))) is not None:
            return known
        data = self.reader.known.get(blob)
        if not isinstance(data, bytes) or is_initial(path):
            return None
        if path == SETTINGS:
            return settings_in(data)
        if path.startswith("players/"):
            return read_player(path, data)[0]
        return (
            read_turn(path, data)[0]
            if path.startswith("turns/")
            else read_instrument(path, data)[0]
        )

    def _waits(self, instrument: Instrument) -> bool:
        """Return whether an instrument is a proposal that was adopted under a law by which changes
        take effect with the next turn.
        """
        matter = instrument.matter
        if not isinstance(matter, ProposalMatter) or matter.status != "adopted":
            return False
        if instrument.path not in self._waiting:
            decided, played = matter.decided, self.game.replay
            law = Law.of(
                played.on(decided) if decided else played.current, self.game.settings, decided
            )
            self._waiting[instrument.path] = is_next_turn(law)
        return self._waiting[instrument.path]

    # --- what it changes --------------------------------------------------------------------------

    def judge(self, commit: LineCommit) -> Findings:
        """Return findings on what a commit changed of the past, and take the commit over."""
        change = self._change(commit)
        findings = [*self._pictures(commit)]
        if change.blobs:
            restated = restated_keys(change.corrections, change.before)
            entered = entered_instruments(change.before, change.after, self.game.replay)
            self.corrected |= {commit.index} if restated or entered else set()
            findings += self._rewritten(change, restated)
            if not findings:  # a commit that is found out already need not be replayed
                findings += self._recounted(change, frozenset(restated))
        self._remember_wronged(commit, change, {finding.span.file for finding in findings})
        self.take_over(commit)
        return tuple(findings)

    def _remember_wronged(
        self, commit: LineCommit, change: CommitChange, faulty: Collection[str]
    ) -> None:
        for touch in commit.touched:
            was, _ = change.blobs.get(touch.path, (self.pictures.get(touch.path), None))
            if touch.path in faulty and was is not None:
                self.wronged.setdefault(touch.path, (was, commit.sha))
            else:
                self.wronged.pop(touch.path, None)

    def _is_undone(self, touch: TouchedFile) -> bool:
        """Return whether a commit brings back what was wrongly replaced."""
        was, sha = self.wronged.get(touch.path, (None, ""))
        known = self.files.get(SETTINGS)
        admitted = known.record.admitted if known and isinstance(known.record, Settings) else {}
        return touch.blob is not None and touch.blob == was and sha not in admitted

    def _change(self, commit: LineCommit) -> CommitChange:
        """Return how a commit changes files that told of the past before it, or do after it."""
        before: dict[str, Record | None] = {}
        after: dict[str, Record | None] = {}
        blobs: dict[str, tuple[str | None, str | None]] = {}
        for touch in commit.touched:
            path, blob = touch.path, touch.blob
            if not tells_of_the_past(path) or is_initial(path):
                continue
            known = self.files.get(path)
            unread = path == SETTINGS and (known is None or blob is None)
            if unread or self._is_undone(touch) or (known is not None and known.blob == blob):
                continue
            new = (
                self._read(path, blob)
                if blob is not None and self._counts(path, blob, known)
                else None
            )
            if blob is not None and new is None:
                continue  # its own findings say what is wrong with it, if anything is
            old, was = (
                (known.record, known.blob) if known is not None else self._undecided(path, blob)
            )
            if old is not None or new is not None:
                before[path], after[path], blobs[path] = old, new, (was, blob)
        return CommitChange(records_of(before), records_of(after), blobs)

    def _counts(self, path: str, blob: str, known: _Version | None) -> bool:
        """Return whether a version is to be read: an undecided proposal tells of no past, unless an
        earlier version (`known`) was decided.
        """
        return (
            known is not None or not path.startswith("proposals/") or self._is_decided(path, blob)
        )

    def _undecided(self, path: str, blob: str | None) -> tuple[Record | None, str | None]:
        """Return the record and the blob of a file that was undecided until now.

        Both are None if its change is not to be judged: only changes of judgements are, and the
        removal of a numbered proposal.
        """
        before = self.undecided.get(path)
        if before is None or (
            path.startswith("proposals/") and (blob is not None or not path[10:11].isdigit())
        ):
            return None, None
        return self._read(path, before), before

    def _rewritten(
        self, change: CommitChange, restated: Mapping[str, RestatedKeys]
    ) -> Iterator[Finding]:
        """Yield findings on changes of the past, except those that the keeper's commands make."""
        since = PastBoundary(
            last=self.last,
            until=self.game.until,
            by_keeper=True,
            waiting=change.given_their_day,
            restated=restated,
            archived=self.game.replay,
        )
        others = {
            ident: turn
            for ident, turn in self._latest().items()
            if f"turns/{ident}.yml" not in change.blobs
        }
        before = structs.replace(change.before, turns={**others, **change.before.turns})
        after = structs.replace(change.after, turns={**others, **change.after.turns})
        edits = (
            FileEdit(path, *map(self._bytes, change.blobs[path])) for path in change.to_be_examined
        )
        findings = rewrites_of_the_past([*edits], before, after, since)
        # The other findings are about what only the keeper's commands may write.
        yield from (finding for finding in findings if finding.slug == "past-rewritten")
        yield from change.late_points(self.last)
        yield from self._accounts(change)

    def _latest(self) -> dict[str, Turn]:
        """Return the last turn, and the one that began last."""
        return {turn.ident: turn for turn in (self.turn, self.began) if turn is not None}

    def _bytes(self, blob: str | None) -> bytes | None:
        data = self.reader.known.get(blob) if blob is not None else None
        return data if isinstance(data, bytes) else None

    def _accounts(self, change: CommitChange) -> Iterator[Finding]:
        """Yield findings on players who get another account after theirs was taken out."""
        for ident, new in change.after.players.items():
            old, was = change.before.players.get(ident), self.accounts.get(f"players/{ident}.yml")
            now = new.matter.accounts.get("github")
            gone = old is not None and "github" not in old.matter.accounts
            if gone and was is not None and now is not None and was.lower() != now.lower():
                yield replaced_account(new, was)

    def _pictures(self, commit: LineCommit) -> Iterator[Finding]:
        """Yield changed or removed pictures shown by something that was decided or is voted on."""
        for touch in commit.touched:
            before = self.pictures.get(touch.path)
            if before is None or before == touch.blob or self._is_undone(touch):
                continue
            if (shown := self._shown_in(touch.path)) is not None:
                message = (
                    f"{touch.path} is "
                    f"{'gone' if touch.blob is None else 'another picture'}, and "
                    f"{shown} shows it"
                )
                remedy = (
                    "bring it back as it was; add a new picture under another name, and "
                    "propose to show it"
                )
                yield past_finding(touch.path, message, remedy)

    def _shown_in(self, path: str) -> str | None:
        """Return the first file that shows a picture and can no longer change, None without one."""
        name = path.rpartition("/")[2].encode()
        settled = {
            where: version.blob for where, version in self.files.items() if where.endswith(".md")
        }
        voted = {where: blob for where, blob in self.undecided.items() if self._is_open(blob)}
        for where, blob in sorted({**settled, **voted}.items()):
            if name in (self._bytes(blob) or b""):
                return where
        return None

    def _is_open(self, blob: str) -> bool:
        return b"\nstatus: open\n" in (self._bytes(blob) or b"")

    # --- what comes out otherwise -----------------------------------------------------------------

    def _recounted(self, change: CommitChange, restated: frozenset[str]) -> Iterator[Finding]:
        """Yield findings on what comes out otherwise after a commit, since the commit put something
        before it.

        What a correction restates is in both replays: it may change what comes out.
        """
        if self.additions.only_adds(*change.without(restated)):
            return
        self.replays += 1
        if self.replays > _REPLAYS:
            return
        files = {path: version.blob for path, version in self.files.items()}
        blobs = {path: blob for path, (_, blob) in change.blobs.items() if blob is not None}
        base = {
            **files,
            **{path: blob for path, blob in blobs.items() if path in restated},
        }
        until = Moment.of(self.additions.end)
        before = load_tree(self.game.root, self.reader.tree(base), until, self.loaded)
        after = load_tree(self.game.root, self.reader.tree({**base, **blobs}), until, before)
        self.loaded = after
        where = next((path for path in change.blobs if path not in restated), SETTINGS)
        yield from changed_outcomes(
            before.records, before.replay, after.replay, where, archived=True
        )
