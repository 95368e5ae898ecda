"""The past of a repository, read for an import with `git log` and `git cat-file`.

Nothing is checked out, and a clone does as well as a bare repository.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import islice
from pathlib import Path

from nomicgen.importers.commit_log import LONGEST, CommitLog, check_branch, read_commit_log
from nomicgen.importers.git.moves import Renamed, follow_moves, parse_renames, suspects
from nomicgen.importers.git.past import Followed, Past, TextKey
from nomicgen.importers.map_reader import MapReader
from nomicgen.importers.readings import FileText
from nomicgen.repository.errors import GitFailed
from nomicgen.repository.git import reading_output, run
from nomicgen.repository.git_objects import TreeEntry, kinds_and_sizes, objects, tree_entries

_LARGEST = 16 << 20
"""Files of so many bytes or more are not read. One for all rules may be larger than a game's."""

_AT_ONCE = 60
"""The most files that are read at a time: less than 1 GiB."""

_MOVES = 20
"""No more moves are looked for once so many are followed."""

_RENAMES = (
    "-r -z -M100% --diff-filter=R --raw --no-abbrev --no-ext-diff --no-textconv --end-of-options"
)
"""Options with which `git diff-tree` lists files that a commit moved without a change."""


def read_past(root: Path, branch: str, patterns: Sequence[str], reader: MapReader) -> Past:
    """Return the past of `branch` among the files that `patterns` name, with the rules in every
    version of a file on its line.

    A pattern is a path or a glob from the top, such as `rules/*.md`. Where a commit only moves the
    files, they are also read where they were before, or went. Raises UnknownRevision, or another
    RepositoryError.
    """
    followed: list[Followed] = []
    known: dict[str, list[Renamed]] = {}
    everywhere = (*patterns,)
    log = read_commit_log(root, branch, everywhere)
    while len(followed) < _MOVES and (more := _moves_in(root, log, everywhere, known)):
        followed += more
        everywhere = (*patterns, *(move.other for move in followed))
        log = read_commit_log(root, branch, everywhere)
    return Past(
        commits=log.commits,
        line=log.line,
        followed=tuple(followed),
        texts=_texts(root, log, reader),
        by_path=reader.map.by_path,
    )


def newest_files(root: Path, branch: str) -> dict[str, TreeEntry]:
    """Return the ordinary files of a branch's newest commit, by path. Raises RepositoryError."""
    check_branch(root, branch)
    entries = (
        (path.decode("utf-8", "backslashreplace"), entry)
        for path, entry in tree_entries(root, f"{branch}^{{commit}}", most=LONGEST, partial=True)
    )
    return {path: entry for path, entry in entries if entry.mode.startswith("100")}


def _moves_in(
    root: Path, log: CommitLog, patterns: Sequence[str], known: dict[str, list[Renamed]]
) -> Collection[Followed]:
    """Return the moves of the files, each to or from a place that no pattern names.

    `known` has the renames of commits that were looked at before, and gets the others.
    """
    moves: dict[str, Followed] = {}
    for commit in suspects(log):
        if commit.sha not in known:
            output = run(root, "diff-tree", *_RENAMES.split(), commit.parents[0], commit.sha)
            with reading_output(root, "diff-tree", output):
                known[commit.sha] = parse_renames(output)
        for move in follow_moves(commit, patterns, known[commit.sha]):
            moves.setdefault(move.other, move)
    return moves.values()


def _texts(root: Path, log: CommitLog, reader: MapReader) -> dict[TextKey, FileText]:
    """Return the rules in every version of a file on the line, except of files too large."""
    wanted: dict[str, set[str]] = {}
    for commit in log.line:
        for change in commit.touched:
            for oid in (change.before, change.after):
                if oid is not None:
                    wanted.setdefault(oid, set()).add(change.path if reader.map.by_path else "")
    sizes = kinds_and_sizes(root, wanted)
    if lacking := sorted(wanted.keys() - sizes.keys()):
        raise GitFailed("cat-file", f"{lacking[0]} is missing")
    small = (oid for oid in wanted if sizes[oid][1] < _LARGEST)
    texts: dict[TextKey, FileText] = {}
    while some := tuple(islice(small, _AT_ONCE)):
        contents = objects(root, some)
        texts |= {
            (oid, path): reader.read(contents[oid], path) for oid in some for path in wanted[oid]
        }
    return texts
