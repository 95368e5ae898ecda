"""Where each revision came from: the lines of histories matched with the commits of the repository.

The commits arrive as data (`repository/git_log.py` reads them), and so do the ids that git gives to
files (blobs).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from nomicgen.history.rule_history import Histories, HistoryEntry
from nomicgen.model.commits import CommitInfo, Log, Origin, OriginKind


class _Index:
    """The log in tables: by commit, by blob (a path and an id), and by path in a trailer."""

    def __init__(self, log: Log) -> None:
        self.by_sha: dict[str, CommitInfo] = {}
        self._first: dict[tuple[str, str], CommitInfo] = {}
        self._trailers: dict[str, list[CommitInfo]] = {}
        self._wrote: dict[str, frozenset[tuple[str, str]]] = {}
        for commit in log.commits:
            self.by_sha[commit.sha] = commit
            for blob in commit.blobs:
                self._first.setdefault(blob, commit)
            for path in commit.instruments:
                self._trailers.setdefault(path, []).append(commit)
            if commit.instruments:
                self._wrote[commit.sha] = frozenset(commit.blobs)

    def first(self, blob: tuple[str, str] | None) -> CommitInfo | None:
        """Return the earliest commit that wrote `blob`. None where none did, or where that is the
        end of a shallow clone: there every file looks new.
        """
        commit = self._first.get(blob) if blob else None
        return None if commit is None or commit.boundary else commit

    def trailed(self, path: str, blob: Callable[[], tuple[str, str] | None]) -> CommitInfo | None:
        """Return the earliest commit whose trailer names `path` and that wrote `blob`; if none did
        both, the earliest whose trailer names it. None where none does.

        Several may name it: somebody may write a trailer by hand on the commit that only proposed
        the change. `blob` is called only if several do.
        """
        named = self._trailers.get(path, [])
        if len(named) < 2:
            return named[0] if named else None
        written = blob()
        return next((commit for commit in named if written in self._wrote[commit.sha]), named[0])


def trace(
    histories: Histories,
    log: Log,
    blob: Callable[[tuple[int, int]], tuple[str, str] | None],
    files: Mapping[str, str],
) -> Mapping[tuple[int, int], Origin]:
    """Return the origin of every entry of every history, by (identity of the rule, index of the
    entry).

    `blob` gives for an entry the path and the id of the rule's file as it stood after it (None for
    a repeal, or where the text is lost). It is slow, so it is not called for every entry.
    `files` has by path the present ids of the files of instruments and of the initial set.
    """
    index = _Index(log)
    return {
        (identity, at): _origin(index, entry, partial(blob, (identity, at)), files)
        for identity, history in histories.rules.items()
        for at, entry in enumerate(history.entries)
    }


def trace_files(log: Log, files: Iterable[str], *, named: bool = False) -> Mapping[str, Origin]:
    """Return for each path of `files` the commit that last added or changed it. With `named`, a
    commit counts only if its trailer names the file: the last of those decided it.

    Left out are paths without such a commit, or whose commit is the end of a shallow clone.
    """
    wanted = set(files)
    last_commits: dict[str, CommitInfo] = {}
    for commit in log.commits:
        for path, _ in commit.blobs:
            if path in wanted and (not named or path in commit.instruments):
                last_commits[path] = commit
    return {
        path: _origin_in(commit, "instrument")
        for path, commit in sorted(last_commits.items())
        if not commit.boundary
    }


def _origin(
    index: _Index,
    entry: HistoryEntry,
    blob: Callable[[], tuple[str, str] | None],
    files: Mapping[str, str],
) -> Origin:
    """Return the origin of an entry: the commit that its file names; else the one whose trailer
    names the instrument; else the first with the rule's file; else the first with the instrument's
    file as it is now.
    """
    own = (entry.path, files[entry.path]) if entry.path in files else None
    if entry.commit is not None:
        known = index.by_sha.get(entry.commit)
        return _origin_in(known, "named") if known else Origin(kind="named", sha=entry.commit)
    if entry.step is None:
        commit = index.first(blob() or own)
        return _origin_in(commit, "blob") if commit else Origin(kind="missing")
    if commit := index.trailed(entry.path, blob):
        return _origin_in(commit, "trailer")
    if commit := index.first(blob()):
        return _origin_in(commit, "blob")
    if commit := index.first(own):
        return _origin_in(commit, "instrument")
    return Origin(kind="missing")


def _origin_in(commit: CommitInfo, kind: OriginKind) -> Origin:
    return Origin(
        kind=kind,
        sha=commit.sha,
        date=commit.date,
        author=commit.author,
        subject=commit.subject,
        index=commit.index,
    )
