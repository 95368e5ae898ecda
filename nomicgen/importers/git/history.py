"""Another repository's past, read for an import: one pass of `git log`, one of `git cat-file`;
nothing is checked out.

A clone does as well as a bare repository.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import islice
from pathlib import Path

from nomicgen.importers.commit_log import LONGEST, CommitLog, check_branch, read_commit_log
from nomicgen.importers.git.moves import Renamed, follow_moves, parse_renames, suspects
from nomicgen.importers.git.past import Followed, Past, Text
from nomicgen.importers.map_reader import MapReader
from nomicgen.importers.readings import FileText
from nomicgen.repository.errors import GitFailed
from nomicgen.repository.git import reading_output, run
from nomicgen.repository.git_objects import TreeEntry, kinds, objects, tree_entries

_LARGEST = 16 << 20
"""Bytes of a file that are still read: one for all rules may be larger than a game's files."""

_AT_ONCE = 60
"""So many files are read at a time: at most 1 GiB."""

_MOVES = 20
"""So often the files of a game may have been moved."""

_RENAMES = (
    "-r -z -M100% --diff-filter=R --raw --no-abbrev --no-ext-diff --no-textconv --end-of-options"
)


def read_past(root: Path, branch: str, patterns: Sequence[str], reader: MapReader) -> Past:
    """Return the past of `branch` among the files that `patterns` name, with the rules in those
    that its line touched.

    A pattern is a path from the repository's top, in which `*` stands for anything except a slash
    and `**/` for any directories. Where a commit only moves the files, they are read where they
    were, or went, as well. Raises UnknownRevision, NotVersioned, NoGit, DubiousOwner, GitFailed.
    """
    moves_followed: list[Followed] = []
    moves: dict[str, list[Renamed]] = {}
    log = read_commit_log(root, branch, patterns)
    while len(moves_followed) < _MOVES and (
        more := _follow_commit(
            root, log, (*patterns, *(move.other for move in moves_followed)), moves
        )
    ):
        moves_followed += more
        log = read_commit_log(root, branch, (*patterns, *(move.other for move in moves_followed)))
    return Past(
        commits=log.commits,
        line=log.line,
        followed=tuple(moves_followed),
        texts=_texts(root, log, reader),
        by_path=reader.map.by_path,
    )


def newest_files(root: Path, branch: str) -> dict[str, TreeEntry]:
    """Return the ordinary files of a branch's newest commit by their paths. Raises as
    `read_past`.
    """
    check_branch(root, branch)
    entries = (
        (path.decode("utf-8", "backslashreplace"), entry)
        for path, entry in tree_entries(root, f"{branch}^{{commit}}", most=LONGEST, partial=True)
    )
    return {path: entry for path, entry in entries if entry.mode.startswith("100")}


def _follow_commit(
    root: Path, log: CommitLog, patterns: Sequence[str], moves: dict[str, list[Renamed]]
) -> Collection[Followed]:
    """Return the patterns under which files stood elsewhere; `moves` are of the commits seen."""
    patterns_elsewhere: dict[str, Followed] = {}
    for commit in suspects(log):
        if commit.sha not in moves:
            output = run(root, "diff-tree", *_RENAMES.split(), commit.parents[0], commit.sha)
            with reading_output(root, "diff-tree", output):
                moves[commit.sha] = parse_renames(output)
        for move in follow_moves(commit, patterns, moves[commit.sha]):
            patterns_elsewhere.setdefault(move.other, move)
    return patterns_elsewhere.values()


def _texts(root: Path, log: CommitLog, reader: MapReader) -> dict[Text, FileText]:
    """Return the rules in the files of the line; nothing else of the files is kept."""
    wanted: dict[str, set[str]] = {}
    for commit in log.line:
        for change in commit.touched:
            for oid in (change.before, change.after):
                if oid is not None:
                    wanted.setdefault(oid, set()).add(change.path if reader.map.by_path else "")
    sizes = kinds(root, wanted)
    if lacking := sorted(wanted.keys() - sizes.keys()):
        raise GitFailed("cat-file", f"{lacking[0]} is missing")
    small = (oid for oid in wanted if sizes[oid][1] < _LARGEST)
    texts: dict[Text, FileText] = {}
    while some := tuple(islice(small, _AT_ONCE)):
        contents = objects(root, some)
        texts |= {
            (oid, path): reader.read(contents[oid], path) for oid in some for path in wanted[oid]
        }
    return texts
