"""The commits of a game one after the other: what each made of `rules/`, and whether it says so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from msgspec import Struct

from nomicgen.files.game_files import read_game
from nomicgen.files.unified_diff import unified_lines
from nomicgen.history.decisions import Decisions
from nomicgen.history.past.keeper_entries import is_entered
from nomicgen.history.ruleset_states import States, Tracker, is_derived
from nomicgen.law.replay.results import Replay, Step
from nomicgen.law.replay.run import replay
from nomicgen.model.findings import counted, listed
from nomicgen.model.line_commits import CommitLine, LineCommit, TouchedFile
from nomicgen.play.load import Game
from nomicgen.repository.first_parents import side_trailers
from nomicgen.verify.findings import SHOWN, CommitFinding, fault_of, unproven_finding
from nomicgen.verify.read import PastReader, apply_touched

_LEDGERS = 20
"""How many commits are compared with the ledger of their own time: each takes a replay."""
_MOST_LINES = 20  # of the difference that a finding on a hand edit shows
_MOST_SHOWN = 50  # hand edits of which the difference is shown


class LineContext(Struct, frozen=True, kw_only=True):
    """A game's line. `first` is the commit, by index, that brought the game; `blob` gives the id
    that git gives to bytes.
    """

    line: CommitLine
    game: Game
    reader: PastReader
    blob: Callable[[bytes], str]
    decisions: Decisions
    first: int

    @property
    def whole(self) -> Replay:
        """The replay, with what is not due yet: somebody may have applied that early."""
        played = self.game.replay
        if played.pending:
            return replay(self.game.records)
        return played


class LineFindings(Struct, frozen=True, kw_only=True):
    """The faults of a line, and how many instruments its commits carried out."""

    faults: tuple[CommitFinding, ...] = ()
    carried: int = 0


class _HandEdit(Struct, kw_only=True):
    """An edit of `rules/` by hand. By path: the blobs that it wrote, the blobs that the ledger
    gives, and the commits that mended it.
    """

    commit: LineCommit
    paths: tuple[str, ...]
    wrote: Mapping[str, str]
    given: Mapping[str, str]
    mended: dict[str, LineCommit] = {}

    @property
    def undone(self) -> tuple[LineCommit, ...]:
        """The commits that undid it; () while some of it stands."""
        if any(path not in self.mended for path in self.paths):
            return ()
        return tuple({commit.index: commit for commit in self.mended.values()}.values())


def follow_line(context: LineContext, states: States, *, rewritten: frozenset[int]) -> LineFindings:
    """Compare what each commit of a line made of `rules/` with the ledger, from the commit that
    brought the game.

    `rewritten` are the commits, by index, that are known to have changed the past, to have
    corrected it, or to have entered what happened before the game was played here.
    """
    following = _LineFollower(context, states, rewritten)
    for commit in context.line.commits[context.first :]:
        following.take(commit)
    return LineFindings(faults=tuple(following.all_faults()), carried=following.carried)


class _LineFollower:
    """The state of one walk: `take` each commit, then ask for `all_faults`."""

    def __init__(self, context: LineContext, states: States, rewritten: frozenset[int]) -> None:
        self.context, self.states, self.rewritten = context, states, rewritten
        self.tracker = Tracker(states)
        self.files: dict[str, str] = {}
        for commit in context.line.commits[: context.first]:
            apply_touched(self.files, commit.touched)
        self.tracker.touch(TouchedFile(path, blob) for path, blob in self.files.items())
        self.faults: list[CommitFinding] = []
        self.edits: list[_HandEdit] = []
        # Commits, and the instruments that they carried out and should have named.
        self.silent: list[tuple[LineCommit, tuple[str, ...]]] = []
        # The states of ledgers of earlier times that a commit's `rules/` fitted, the latest first.
        self.others: list[States] = []
        # The instruments that commits have carried out; and those that the last commit which does
        # not fit today's ledger had carried out, by the ledger of its own time.
        self.done: set[str] = set()
        self.then: set[str] = set()
        self.loaded = 0  # ledgers of earlier times that were asked for
        self.carried = 0  # how many instruments commits carried out

    def take(self, commit: LineCommit) -> None:
        apply_touched(self.files, commit.touched)
        brought: tuple[str, ...] = ()
        if commit.index < self.context.decisions.begun:
            self.tracker.touch(commit.touched)
        elif commit.index == self.context.decisions.begun:
            brought = self._begin(commit)
        else:
            brought = self._settle(commit)
        self._record_false_names(commit, brought)
        self.done |= {*brought, *self.then}

    def _begin(self, commit: LineCommit) -> tuple[str, ...]:
        """Take up the commit from which the ledger counts; return the instruments that it brings.

        `rules/` may be in any state there: an archive is brought in with its last state.
        """
        self.tracker.touch(commit.touched)
        if wrong := self.tracker.find():
            self._record_difference(commit, wrong)
        brought = self._between(0, self.tracker.at)
        self.carried += len(brought)
        return brought

    def _settle(self, commit: LineCommit) -> tuple[str, ...]:
        """Take up a later commit; return the instruments that it carries out."""
        settled = self.tracker.settle(commit.touched, commit.instruments)
        if settled is None:
            return ()
        for path in settled.mended:
            for edit in self.edits:
                if path in edit.paths:
                    edit.mended.setdefault(path, commit)
        if settled.fresh:
            self._record_difference(commit, settled.fresh)
        if settled.after < settled.before:
            undone = [step.instrument for step in self.states.steps[settled.after : settled.before]]
            path = next(touch.path for touch in commit.touched if is_derived(touch.path))
            names = listed([instrument.name for instrument in undone], SHOWN)
            self.faults.append(fault_of(commit, "taken-back", path, names=names))
            self.done -= {instrument.path for instrument in undone}
            self.then = set()
            return ()
        brought = self._between(settled.before, settled.after)
        self.carried += len(brought)
        # What an earlier commit had carried out, by the ledger of its time, this one need not name.
        known = {*commit.instruments, *self.done}
        silent = [path for path in brought if path not in known and self._is_silent(path, commit)]
        if silent:
            self.silent.append((commit, tuple(silent)))
        return brought

    def _is_silent(self, path: str, commit: LineCommit) -> bool:
        """Return whether a commit should have named an instrument that it carried out.

        It should if it, or an earlier commit, decided the instrument. An instrument of an archive
        may be entered in any order: then it should only if it decided the instrument itself.
        """
        is_of_archive = is_entered(
            self.context.game.records.instruments[path], self.context.game.replay
        )
        return (
            self.context.decisions.by_path.get(path, [0])[0] == commit.index
            if is_of_archive
            else self._is_decided(path, commit)
        )

    def _is_decided(self, path: str, commit: LineCommit) -> bool:
        """Return whether an instrument had been decided when a commit was made, or by it.

        An instrument that no commit of the line decided counts as decided.
        """
        return self.context.decisions.by_path.get(path, [0])[0] <= commit.index

    def _between(self, before: int, after: int) -> tuple[str, ...]:
        """Return the instruments that lead from one place in the ledger to another."""
        return tuple(step.instrument.path for step in self.states.steps[before:after])

    def _record_false_names(self, commit: LineCommit, brought: Iterable[str]) -> None:
        """Record the instruments that a commit names and neither decides nor carries out."""
        instruments = self.context.game.records.instruments
        for path in dict.fromkeys(commit.instruments):
            if path in brought or commit.index in self.context.decisions.by_path.get(path, ()):
                continue
            if path in instruments:
                self.faults.append(
                    fault_of(commit, "not-carried-out", path, name=instruments[path].name)
                )
            elif path not in self.context.decisions.by_path:
                self.faults.append(fault_of(commit, "not-there", named=repr(path[:120])))

    def _record_difference(self, commit: LineCommit, paths: tuple[str, ...]) -> None:
        """Record that today's ledger does not give what a commit wrote in `rules/`; the ledger of
        that time may.
        """
        then = self._carried_out_then(commit, paths)
        if then is None:
            wrote = {
                path: self.tracker.actual[path] for path in paths if path in self.tracker.actual
            }
            given = {path: self.tracker.given[path] for path in paths if path in self.tracker.given}
            self.edits.append(_HandEdit(commit=commit, paths=paths, wrote=wrote, given=given))
            return
        self.then = {step.instrument.path for step in then}
        later = [
            step
            for step in self.states.steps[: self.tracker.at]
            if not self._is_decided(step.instrument.path, commit)
        ]
        # Of one day, only times tell which step came first: without them nothing is reported.
        moments = [step.effective for step in then if step.effective is not None]
        last = max(moments, default=None)
        for step in later:
            if last is not None and step.effective is not None and step.effective.precedes(last):
                by = self.context.line.commits[
                    self.context.decisions.by_path[step.instrument.path][0]
                ]
                if by.index not in self.rewritten:
                    instrument = step.instrument
                    self.faults.append(
                        fault_of(
                            by,
                            "added-later",
                            instrument.path,
                            name=instrument.name,
                            before=commit.sha[:12],
                        )
                    )
        if not later and not any(index > commit.index for index in self.rewritten):
            self.faults.append(fault_of(commit, "differs-today"))

    def _carried_out_then(
        self, commit: LineCommit, paths: tuple[str, ...]
    ) -> Sequence[Step] | None:
        """Return the steps by which a ledger of that time gives what a commit has in `rules/`; None
        if none does, or too many were asked for.
        """
        left_wrong = {path for path in self.tracker.wrong if path not in paths}
        for states in self.others:
            if (place := states.place_of(self.tracker.actual, left_wrong)) is not None:
                return states.steps[:place]
        self.loaded += 1
        if self.loaded > _LEDGERS:
            return None
        records, _ = read_game(self.context.reader.tree(self.files))
        states = States(replay(records), self.context.blob)
        place = states.place_of(self.tracker.actual, left_wrong)
        if place is None:
            return None
        self.others.insert(0, states)
        return states.steps[:place]

    def all_faults(self) -> Iterator[CommitFinding]:
        """Yield every fault, also those that only the whole line shows."""
        yield from dict.fromkeys(self.faults)
        yield from self._unnamed()
        yield from self._by_hand()
        if self.loaded > _LEDGERS:
            yield unproven_finding(
                f"{counted(self.loaded - _LEDGERS, 'commit')} could be compared only with today's "
                "ledger, not with that of their own time",
                "first correct or admit what else was found, then run it again",
            )

    def _unnamed(self) -> Iterator[CommitFinding]:
        # A merge need not name what a commit on its side names.
        merges = [
            commit for commit, _ in self.silent if len(commit.parents) > 1 and not commit.boundary
        ]
        named = side_trailers(self.context.reader.root, merges)
        for commit, paths in self.silent:
            for path in paths:
                if path not in named.get(commit.sha, ()):
                    yield fault_of(
                        commit,
                        "unnamed",
                        path,
                        name=self.context.game.records.instruments[path].name,
                    )

    def _by_hand(self) -> Iterator[CommitFinding]:
        shown = self.edits[:_MOST_SHOWN]
        self.context.reader.read({blob for edit in shown for blob in edit.wrote.values()})
        for edit in self.edits:
            detail = "\n".join(self._detail(edit)) if edit in shown else ""
            undone = listed([commit.sha[:12] for commit in edit.undone], SHOWN)
            kind, paths = "edited-and-undone" if undone else "edited", listed(edit.paths, SHOWN)
            yield fault_of(
                edit.commit, kind, edit.paths[0], detail=detail, paths=paths, undone=undone
            )

    def _detail(self, edit: _HandEdit) -> Iterator[str]:
        """Yield the difference between the first file of an edit and what the ledger gives."""
        path = edit.paths[0]
        wrote = self.context.reader.known.get(edit.wrote.get(path, ""), b"")
        given = self.states.bytes_of(edit.given.get(path))
        if isinstance(wrote, bytes):
            before, after = (
                data.decode("utf-8", "replace").splitlines() for data in (given, wrote)
            )
            where = f"{path} of {edit.commit.sha[:12]}"
            yield from islice(
                unified_lines(before, after, "what the ledger gives", where, context=1), _MOST_LINES
            )
