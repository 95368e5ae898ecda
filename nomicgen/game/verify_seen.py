"""A history against what this reader saw of it before: nobody but the reader can rewrite that."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from nomicgen.archive.line_commits import CommitLine
from nomicgen.archive.seen_history import LostCommits, RememberedHistory, SeenBefore, lost_of_memory, memory_of
from nomicgen.archive.verify_findings import ASK_KEEPER, CommitFinding, rewritten_history, unproven
from nomicgen.identifiers import CommitId, Digest
from nomicgen.repository.errors import Unreadable
from nomicgen.repository.first_parents import whereabouts
from nomicgen.repository.state_folder import (
    Unkept,
    branch_of,
    drop_memory,
    keep_memory,
    memory_folder,
    origin_of,
    read_memory,
)

_SHOWN = 20
_FORGET = "`nomicgen verify --forget` takes the present history for the first that is seen"
_WHERE = {
    "reachable": "stands beside the first-parent line of HEAD",
    "unreachable": "is not in the history of HEAD any more",
    "missing": "is not in this repository",
}


class MemoryOptions(Struct, frozen=True, kw_only=True):
    """What a reader wants of the memory: to forget what is there, or that it is not touched, and why not."""

    forget: bool = False
    ignored: str = ""


class Recalled(Struct, frozen=True, kw_only=True):
    """What was seen before, what is wrong when it is held against the present, and the file that says so."""

    seen: SeenBefore
    faults: tuple[CommitFinding, ...] = ()
    file: Path | None = None


def recall(root: Path, line: CommitLine, visit: MemoryOptions, ledger: Callable[[int], str]) -> Recalled:
    """Holds a line against what was seen of it; `ledger` gives the digest as of a commit of the line, by its index.

    Nothing is written. Raises what git's failing raises.
    """
    if visit.ignored:
        return Recalled(seen=SeenBefore(state="ignored", why=visit.ignored))
    branch = branch_of(root)
    if branch is None:
        return Recalled(seen=SeenBefore(state="ignored", why="HEAD is on no branch"))
    origin = origin_of(root)
    game = str(root.resolve()) if origin is None else f"{origin}#{line.prefix}" if line.prefix else origin
    try:
        folder = memory_folder(root)
        file = folder / f"{_hashed(game)}-{_hashed(branch)}.json"
        return _held(root, line, SeenBefore(state="first", game=game, branch=branch), file, visit, ledger)
    except Unkept as error:
        return Recalled(seen=SeenBefore(state="first", game=game, branch=branch, why=error.message))


def _hashed(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "backslashreplace")).hexdigest()[:32]


def _held(
    root: Path, line: CommitLine, seen: SeenBefore, file: Path, visit: MemoryOptions, ledger: Callable[[int], str]
) -> Recalled:
    try:
        memory = _read(file, seen)
    except Unreadable as error:
        if not visit.forget:
            fault = unproven(
                f"what was seen of this game before is not known: {error.message}", f"look at it; {_FORGET}"
            )
            return Recalled(seen=replace(seen, state="unknown"), faults=(fault,))
        return Recalled(seen=replace(seen, forgotten=True), file=file)
    if memory is None:
        others = any(other != file for other in file.parent.glob(f"{file.name.partition('-')[0]}-*.json"))
        return Recalled(seen=replace(seen, others=others), file=file)
    if visit.forget:
        return Recalled(seen=replace(seen, before=memory, forgotten=True), file=file)
    return _compared(root, line, replace(seen, state="contained", before=memory), memory, file, ledger)


def _read(file: Path, seen: SeenBefore) -> RememberedHistory | None:
    data = read_memory(file)
    if data is None:
        return None
    try:
        memory = msgspec.json.decode(data, type=RememberedHistory)
    except (ValueError, RecursionError) as error:
        raise Unreadable(str(file), f"it is not what was written there: {error}") from None
    if (memory.game, memory.branch) != (seen.game, seen.branch):
        raise Unreadable(str(file), "it is of another game")
    return memory


def _compared(
    root: Path, line: CommitLine, seen: SeenBefore, memory: RememberedHistory, file: Path, ledger: Callable[[int], str]
) -> Recalled:
    commits = {walked.sha: walked for walked in line.commits}
    then = f"commit {memory.commit[:12]}, which was seen on {memory.date},"
    commit = commits.get(memory.commit)
    if commit is None and line.shallow:
        fault = unproven(f"{then} is not in this shallow clone", "run `git fetch --unshallow`")
        return Recalled(seen=replace(seen, state="unknown"), faults=(fault,))
    if commit is None:
        loss = lost_of_memory(memory, commits)
        return Recalled(
            seen=replace(seen, state="apart", loss=loss),
            faults=(lost_commit_finding(root, line, memory.commit, loss, then, _help),),
        )
    now = (commit.tree, ledger(commit.index))
    if faults := changed_commit_findings(then, (memory.tree, memory.ledger), now, _help):
        return Recalled(seen=replace(seen, state="apart"), faults=faults)
    return Recalled(seen=seen, file=file)


def changed_commit_findings(
    then: str, before: tuple[str, str], now: tuple[str, str], advice: Callable[[str], str]
) -> tuple[CommitFinding, ...]:
    """The findings of a commit that is there with another tree or ledger than it was seen with.

    The words are as in `lost_commit_finding`.
    """
    return tuple(
        rewritten_history(f"{then} had the {what} {was[:12]}, and has {one[:12]}", advice(ASK_KEEPER))
        for what, was, one in zip(("tree", "ledger"), before, now, strict=True)
        if was != one
    )


def lost_commit_finding(
    root: Path, line: CommitLine, seen: CommitId, loss: LostCommits, then: str, advice: Callable[[str], str]
) -> CommitFinding:
    """The finding of a history that has lost the commit that was `seen`: `then` says what that was, and `advice` what
    to do after what there is to do first.
    """
    first = ASK_KEEPER
    if loss.common == line.commits[-1].sha:
        where = "comes after the end of this history"
        first = f"an older clone only needs what is new: `git pull`; if it has all, {ASK_KEEPER}"
    else:
        where = _WHERE[whereabouts(root, line.head, [seen])[seen]]
    shown = loss.commits[-_SHOWN:]
    lines = [f"- {passed.commit[:12]} {', '.join(passed.instruments)}".rstrip() for passed in shown]
    if loss.count > len(shown):
        lines.insert(0, f"- {loss.count - len(shown)} older")
    return rewritten_history(
        f"{then} {where}; HEAD is {line.head[:12]}: {loss.sentence}",
        advice(first),
        "\n".join(lines),
    )


def _help(first: str) -> str:
    return f"{first}; when you have been told why, {_FORGET}"


def keep_in_memory(recalled: Recalled, line: CommitLine, *, date: str, ledger: Digest, errors: bool) -> SeenBefore:
    """Remembers a history, if it was verified without errors; gives what comes of it. That it cannot is no error."""
    seen, file = recalled.seen, recalled.file
    if file is None or seen.game is None or seen.branch is None:
        return seen
    try:
        if errors:
            if seen.forgotten:
                drop_memory(file)
            return replace(seen, why="there are errors")
        memory = memory_of(line, game=seen.game, branch=seen.branch, date=date, ledger=ledger)
        keep_memory(file, msgspec.json.format(msgspec.json.encode(memory)) + b"\n")
    except Unkept as error:
        return replace(seen, why=error.message)
    return replace(seen, kept=True)
