"""A history against what this reader saw of it before, which is remembered on this machine."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from nomicgen.model.identifiers import Digest
from nomicgen.model.line_commits import CommitLine
from nomicgen.repository.errors import Unreadable
from nomicgen.repository.state_folder import (
    Unkept,
    branch_of,
    drop_memory,
    keep_memory,
    memory_folder,
    origin_of,
    read_memory,
)
from nomicgen.verify.findings import CommitFinding, unproven_finding
from nomicgen.verify.kept import KeptCommit, compare_kept
from nomicgen.verify.read import PastReader
from nomicgen.verify.seen_history import RememberedHistory, SeenBefore, lost_of_memory, memory_of

_FORGET = "`nomicgen verify --forget` takes the present history for the first that is seen"


class MemoryOptions(Struct, frozen=True, kw_only=True):
    """What a reader wants of the memory: to `forget` what was seen; or not to use it, with the
    reason in `ignored`.
    """

    forget: bool = False
    ignored: str = ""


class Recalled(Struct, frozen=True, kw_only=True):
    """What was seen before, and what is wrong with the present history by it.

    `file` is where the present history is to be remembered; None if it is not to be.
    """

    seen: SeenBefore
    faults: tuple[CommitFinding, ...] = ()
    file: Path | None = None


def recall(line: CommitLine, reader: PastReader, visit: MemoryOptions) -> Recalled:
    """Compare a line with what was seen of it before, and write nothing. Raises RepositoryError."""
    root = reader.root
    branch = branch_of(root)
    if visit.ignored or branch is None:
        return Recalled(
            seen=SeenBefore(state="ignored", why=visit.ignored or "HEAD is on no branch")
        )
    origin = origin_of(root)
    game = (
        str(root.resolve())
        if origin is None
        else f"{origin}#{line.prefix}"
        if line.prefix
        else origin
    )
    seen = SeenBefore(state="first", game=game, branch=branch)
    try:
        file = memory_folder(root) / f"{_hashed(game)}-{_hashed(branch)}.json"
    except Unkept as error:
        return Recalled(seen=replace(seen, why=error.message))
    memory, unreadable = None, ""
    try:
        memory = _read(file, seen)
    except Unreadable as error:
        unreadable = error.message
    if visit.forget and (memory is not None or unreadable):
        return Recalled(seen=replace(seen, before=memory, forgotten=True), file=file)
    if unreadable:
        fault = unproven_finding(
            f"what was seen of this game before is not known: {unreadable}",
            f"look at it; {_FORGET}",
        )
        return Recalled(seen=replace(seen, state="unknown"), faults=(fault,))
    if memory is None:
        others = any(other != file for other in file.parent.glob(f"{_hashed(game)}-*.json"))
        return Recalled(seen=replace(seen, others=others), file=file)
    return _compare_with_memory(line, reader, memory, replace(seen, before=memory), file)


def _hashed(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "backslashreplace")).hexdigest()[:32]


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


def _compare_with_memory(
    line: CommitLine, reader: PastReader, memory: RememberedHistory, seen: SeenBefore, file: Path
) -> Recalled:
    kept = KeptCommit(
        words=f"commit {memory.commit[:12]}, which was seen on {memory.date},",
        commit=memory.commit,
        tree=memory.tree,
        ledger=memory.ledger,
        advice=f"when you have been told why, {_FORGET}",
    )
    present = {commit.sha for commit in line.commits}
    loss = (
        lost_of_memory(memory, present)
        if memory.commit not in present and not line.shallow
        else None
    )
    faults = tuple(compare_kept(line, reader, kept, loss))
    if not faults:
        return Recalled(seen=replace(seen, state="contained"), file=file)
    is_unknown = memory.commit not in present and line.shallow
    return Recalled(
        seen=replace(seen, state="unknown" if is_unknown else "apart", loss=loss), faults=faults
    )


def keep_in_memory(
    recalled: Recalled, line: CommitLine, *, date: str, ledger: Digest, errors: bool
) -> SeenBefore:
    """Remember a history if it was verified without errors. Return the comparison, which then says
    that it is remembered, or why not: that is no error.
    """
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
