"""What a reader saw of a game's history when it was verified before, and what a later history lacks
of it.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Literal

from msgspec import Meta, Struct

from nomicgen.model.findings import counted
from nomicgen.model.identifiers import CommitId, Digest
from nomicgen.model.line_commits import CommitLine, LineCommit

# What is remembered at most.
_LATEST = 100  # commits
_NAMES = 20  # instruments of a commit
_LONGEST = 120  # characters of an instrument's name

Id = Annotated[str, Meta(pattern=r"^([0-9a-f]{40}|[0-9a-f]{64})\Z")]
Commit = Annotated[CommitId, Meta(pattern=r"^([0-9a-f]{40}|[0-9a-f]{64})\Z")]
LedgerDigest = Annotated[Digest, Meta(pattern=r"^[0-9a-f]{64}\Z")]
Day = Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")]
Name = Annotated[str, Meta(max_length=_LONGEST)]


class SeenCommit(Struct, frozen=True, kw_only=True):
    """A commit of the history that was seen, and the instruments that it named."""

    commit: Commit
    instruments: tuple[Name, ...] = ()


class RememberedHistory(Struct, frozen=True, kw_only=True):
    """A history that was verified without an error on `date`, on one branch of one game.

    `commit` is its last commit that touched the game, `tree` the id of the whole tree there, and
    `ledger` the digest of the ledger. `commits` is how many commits the line had; `latest` has the
    last of these, oldest first.
    """

    format: Literal[1] = 1
    game: str
    branch: str
    date: Day
    commit: Commit
    tree: Id
    ledger: LedgerDigest
    commits: Annotated[int, Meta(ge=1)]
    latest: Annotated[tuple[SeenCommit, ...], Meta(min_length=1, max_length=_LATEST)]

    def __post_init__(self) -> None:
        if self.latest[-1].commit != self.commit or self.commits < len(self.latest):
            raise ValueError("its commits do not fit together")


class LostCommits(Struct, frozen=True, kw_only=True):
    """What a history lacks of an earlier one: how many commits, those of them that are known, and
    the last commit that both have, if it is known.

    Without a shared commit, `count` is how many commits the earlier one had.
    """

    count: int
    commits: tuple[SeenCommit, ...]
    common: str | None

    @property
    def sentence(self) -> str:
        if self.common is not None:
            are = "is" if self.count == 1 else "are"
            return (
                f"{counted(self.count, 'commit')} {are} gone, and the last that both have is "
                f"{self.common[:12]}"
            )
        known = len(self.commits)
        if known < self.count:
            return f"of {counted(self.count, 'commit')} at least the last {known} are gone"
        return (
            "its only commit is gone" if self.count == 1 else f"all {self.count} commits are gone"
        )


class SeenBefore(Struct, frozen=True, kw_only=True):
    """How a history compares with what was seen of it (`before`); `loss` is what it lacks, if
    known.

    `state` is `first` where nothing was seen, `contained` where the history has all that was seen,
    `apart` where it lacks some of that, `unknown` where nobody can tell, and `ignored` where the
    memory was not used. `others` says whether another branch of the game was seen. `kept` says
    whether the present history is remembered now. `why` says why it is not, where `state` does not
    say it, or why the memory was not used. `forgotten` says that what was seen before was given up.
    """

    state: Literal["first", "contained", "apart", "unknown", "ignored"]
    game: str | None = None
    branch: str | None = None
    before: RememberedHistory | None = None
    loss: LostCommits | None = None
    others: bool = False
    kept: bool = False
    forgotten: bool = False
    why: str = ""


def memory_of(
    line: CommitLine, *, game: str, branch: str, date: str, ledger: Digest
) -> RememberedHistory:
    """Return what is kept of a history that was verified."""
    last = line.commits[-1]
    return RememberedHistory(
        game=game,
        branch=branch,
        date=date,
        commit=last.sha,
        tree=last.tree,
        ledger=ledger,
        commits=len(line.commits),
        latest=tuple(map(_seen_commit, line.commits[-_LATEST:])),
    )


def _seen_commit(walked: LineCommit) -> SeenCommit:
    return SeenCommit(
        commit=walked.sha,
        instruments=tuple(name[:_LONGEST] for name in walked.instruments[:_NAMES]),
    )


def lost_of_line(line: CommitLine, present: Collection[str]) -> LostCommits:
    """Return what of a `line` is lost: all after the last commit that is among those `present`."""
    return _loss(tuple(map(_seen_commit, line.commits)), len(line.commits), present)


def lost_of_memory(memory: RememberedHistory, present: Collection[str]) -> LostCommits:
    """Return what of a remembered history is lost: all after the last commit that is among those
    `present`.
    """
    return _loss(memory.latest, memory.commits, present)


def _loss(known: tuple[SeenCommit, ...], count: int, present: Collection[str]) -> LostCommits:
    """Return what is lost of `count` commits; only the last of them are `known`."""
    for index in range(len(known) - 1, -1, -1):
        if known[index].commit in present:
            gone = known[index + 1 :]
            return LostCommits(count=len(gone), commits=gone, common=known[index].commit)
    return LostCommits(count=count, commits=known, common=None)
