"""The commits that decided instruments, brought the initial set, and imported an archive."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from nomicgen.files.documents import read_instrument
from nomicgen.history.ruleset_states import is_derived
from nomicgen.law.replay.results import Replay
from nomicgen.model.line_commits import LineCommit

_FOLDERS = ("proposals/", "judgements/", "acts/")
_STATUS = rb"(?m)^status: *([a-z]+) *$"  # in front matter, as commands write it
_PROVISIONS = rb"""(?m)(?:^|[\s{,"'])provisions["']?\s*:"""
_UNDECIDED = frozenset({b"draft", b"debate", b"open", b"pending"})


def is_instrument(path: str) -> bool:
    """Return whether a path is that of a proposal, a judgement or an act."""
    return path.startswith(_FOLDERS) and path.endswith(".md") and path.count("/") == 1


def is_initial(path: str) -> bool:
    """Return whether a path is that of a rule of the initial set."""
    return path.startswith("rules/initial/") and path.endswith(".md")


def is_decided(path: str, data: object) -> bool:
    """Return whether an instrument's file says that it is decided; `data` is its bytes, or anything
    else for a file that cannot be read.
    """
    if not isinstance(data, bytes):
        return False
    if path.startswith("acts/"):
        return True
    front = data.partition(b"\n---\n")[0]
    statuses = re.findall(_STATUS, front)
    # This is asked of thousands of versions: only an unusual one is parsed.
    if len(statuses) == 1 and front.count(b"status") == 1 and b"\\" not in front:
        return statuses[0] not in _UNDECIDED
    instrument = read_instrument(path, data)[0]
    return instrument is not None and getattr(instrument.matter, "is_undecided", False) is False


class Decisions(Struct, frozen=True, kw_only=True):
    """The commits of a line, by index, in which something was decided.

    `by_path` has for each instrument the commits that decided it: one, unless a decision was
    undone. `initial` has the commits that changed the initial set, with the paths. The ledger
    counts from the commit `begun` on; with `archived`, that is the last commit of an archive, and
    nothing before it is judged.
    """

    by_path: Mapping[str, Sequence[int]]
    initial: Mapping[int, Sequence[str]]
    begun: int
    archived: bool = False

    @classmethod
    def read(
        cls,
        commits: Sequence[LineCommit],
        first: int,
        contents: Mapping[str, object],
        played: Replay | None = None,
    ) -> Decisions:
        """Return the decisions of a line from the commit `first` on; `contents` has the bytes of
        blobs by id.

        What was done before `first` counts as done by it. The ledger counts from the last commit
        that changes the initial set before anything is decided, or that imports an archive.
        `played` is the replay of the last commit: if the game was an archive at first, the ledger
        counts from the last commit of that.
        """
        decided_in: dict[str, list[int]] = {}
        initial: dict[int, list[str]] = {}
        decided: dict[str, bool] = {}
        for commit in commits:
            index = max(commit.index, first)
            for touch in commit.touched:
                if is_instrument(touch.path):
                    now = is_decided(touch.path, contents.get(touch.blob or ""))
                    if now and not decided.get(touch.path):
                        decided_in.setdefault(touch.path, []).append(index)
                    elif not now and index == first:
                        decided_in.pop(touch.path, None)
                    decided[touch.path] = now
                elif is_initial(touch.path):
                    initial.setdefault(index, []).append(touch.path)
        earliest = min((indices[0] for indices in decided_in.values()), default=None)
        setting = (index for index in initial if earliest is None or index <= earliest)
        begun = max((first, *setting, *_importing(commits[first:], contents)))
        last = _last_of_archive(commits, first, contents, played) if played is not None else None
        if last is None or last <= begun:
            return cls(by_path=decided_in, initial=initial, begun=begun)
        return cls(by_path=decided_in, initial=initial, begun=last, archived=True)


def _last_of_archive(
    commits: Sequence[LineCommit], first: int, contents: Mapping[str, object], played: Replay
) -> int | None:
    """Return the last commit, by index, before any file had a provision; the last of all if none
    has one. None where the game was played from its beginning.

    All commits are looked at, so that nobody can make an archive of a game by taking its provisions
    out again.
    """
    if played.initial.with_provisions:
        return None
    for commit in commits:
        for touch in commit.touched:
            data = (
                contents.get(touch.blob or "")
                if is_instrument(touch.path) or is_initial(touch.path)
                else None
            )
            if isinstance(data, bytes) and re.search(_PROVISIONS, data):
                return commit.index - 1 if commit.index > first else None
    return commits[-1].index if played.judged_from is None else None


def _importing(commits: Iterable[LineCommit], contents: Mapping[str, object]) -> Iterator[int]:
    """Yield the commits that bring an archive in, by index: the first ones, as long as each only
    adds files.

    Commits of a game that is played look otherwise: a proposal is drafted before it is decided,
    every other file has a commit of its own, and a merge brings in what was played beside it.
    """
    known: set[str] = set()
    imports = False
    for commit in commits:
        if len(commit.parents) > 1 or commit.instruments:
            return
        ledger = [
            touch for touch in commit.touched if "/" in touch.path and not is_derived(touch.path)
        ]
        if any(touch.blob is None or touch.path in known for touch in ledger):
            return
        known.update(touch.path for touch in ledger)
        proposals = (touch for touch in ledger if touch.path.startswith("proposals/"))
        brings_decided = any(
            is_decided(proposal.path, contents.get(proposal.blob or "")) for proposal in proposals
        )
        imports = imports or brings_decided
        if len(ledger) > 1 or brings_decided:
            yield commit.index
        elif ledger and not imports:
            return
