"""A repository's past as the proof takes it: a state for each commit of the line, with the bytes of
the files that it touched.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from nomicgen.importers.certificate import Observed, StateTally, digest_of, events_at
from nomicgen.importers.commit_log import PastCommit
from nomicgen.importers.git.past import Past
from nomicgen.importers.proof import ProofState, prove
from nomicgen.importers.source_map import SourceMap
from nomicgen.law.replay.results import Replay
from nomicgen.model.records import Records
from nomicgen.repository.git_objects import kinds_and_sizes, objects

_AT_ONCE = 8 << 20
"""Files are read together until they have more bytes than this."""
_LARGEST = 16 << 20
"""Files with as many bytes, or more, are no rulesets."""


def observe(root: Path, past: Past, source_map: SourceMap, start: str | None = None) -> Observed:
    """Return a repository's past as a source to compare a game with.

    It begins with the commit `start`, whose id may be shortened, if that is given. The map says
    what is left out, which words may stand in any rule's heading, and whether files are plain.
    """
    line = _since([commit for commit in past.line if commit.touched], start)
    read = (
        f"{commit.sha} {file.path} {file.after or ''}" for commit in line for file in commit.touched
    )

    def compare(records: Records, played: Replay, pages: Sequence[str]) -> StateTally:
        events = events_at([commit.sha for commit in line], records, played)
        said, plain = (
            f"{records.settings.name} {source_map.heading_words}",
            source_map.text == "plain",
        )
        return prove(_states(root, line), events, source_map.omit, said, pages, plain)

    return Observed(kind="git", digest=digest_of(read), compare=compare)


def _since(line: list[PastCommit], start: str | None) -> list[PastCommit]:
    """Return the commits from `start` on. The first of them is taken to touch also the files that
    the commits before it touched.
    """
    at = next((at for at, commit in enumerate(line) if start and commit.sha.startswith(start)), 0)
    touched = {file.path: file for commit in line[: at + 1] for file in commit.touched}
    return [replace(line[at], touched=tuple(touched.values())), *line[at + 1 :]] if at else line


def _states(root: Path, line: Sequence[PastCommit]) -> Iterator[ProofState]:
    """Yield a state for each commit; a file that is gone or too large is None there."""
    known = kinds_and_sizes(
        root, {file.after for commit in line for file in commit.touched if file.after}
    )
    waiting: list[PastCommit] = []
    wanted: dict[str, int] = {}
    for at, commit in enumerate(line, 1):
        waiting.append(commit)
        wanted |= {file.after: known[file.after][1] for file in commit.touched if file.after}
        if sum(wanted.values()) > _AT_ONCE or at == len(line):
            blobs = objects(root, [oid for oid, size in wanted.items() if size < _LARGEST])
            for one in waiting:
                changed = {file.path: blobs.get(file.after or "") for file in one.touched}
                yield ProofState(place=one.sha, changed=changed)
            waiting, wanted = [], {}
