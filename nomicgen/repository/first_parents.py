"""The first-parent line of HEAD or another commit: commits by one `git log`, and blobs by `git
cat-file`.

A repository's own settings, attributes and caches do not change what is read. Nothing is fetched.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from msgspec.structs import replace

from nomicgen.files.raw_log import INSTRUMENTS, LoggedChange, read_log, trailer_values
from nomicgen.files.text_encoding import SIZE_LIMIT, Oddity
from nomicgen.model.identifiers import CommitId
from nomicgen.model.line_commits import CommitLine, LineCommit, TouchedFile
from nomicgen.repository.errors import GitFailed, RepositoryError, TooMuch
from nomicgen.repository.game_tree import FOLDERS, SETTINGS, shown_path
from nomicgen.repository.git import (
    PLAIN,
    Place,
    boundaries,
    locate,
    object_named,
    reading_output,
    run,
)
from nomicgen.repository.git_objects import kinds_and_sizes, objects

# Not %aN: a .mailmap is a file of the repository, and would say who wrote what.
_FORMAT = f"%H%x00%T%x00%P%x00%aI%x00%an%x00%s%x00{INSTRUMENTS}"
_OPTIONS = (
    "--first-parent --reverse --raw -z --no-abbrev --no-renames --no-follow "
    "--diff-merges=first-parent --relative "
    "--sparse --no-ext-diff --no-textconv --ignore-submodules=none --encoding=UTF-8"
)
_ID = r"[0-9a-f]{40}|[0-9a-f]{64}"
_MOST = 512 << 20  # bytes of all files that are read, and of what git prints


def walk(root: Path, head: str | None = None) -> CommitLine:
    """Return the first-parent line of HEAD, or of the commit `head`. In a folder of the work tree,
    it has only the commits that change something of the game.

    Raises RepositoryError where nothing is committed yet, and what `locate` and `run` raise.
    """
    place = locate(root)
    if head is not None:
        place = replace(place, head=head)
    if place.head is None:
        raise RepositoryError(
            "nothing has been committed yet", "commit the game first: `git add .`, `git commit`"
        )
    output = run(
        root,
        "log",
        *_OPTIONS.split(),
        f"--format={_FORMAT}",
        place.head,
        "--",
        SETTINGS,
        *sorted(FOLDERS),
        settings=PLAIN,
        most=_MOST,
    )
    with reading_output(root, "log", output):
        return parse_first_parents(output, place, boundaries(place.paths["shallow"]))


def parse_first_parents(output: bytes, place: Place, ends: Collection[str] = ()) -> CommitLine:
    """Return the commits that `git log` printed; `ends` are those where a shallow clone ends.

    Raises ValueError for what git does not print.
    """
    commits: list[LineCommit] = []
    tree = ""
    for (sha, tree, parents, date, author, subject, trailers), changes in read_log(output, 7):
        # A commit that changes nothing here may name instruments of another game.
        if changes or not place.prefix:
            commit = LineCommit(
                sha=CommitId(sha),
                tree=tree,
                parents=tuple(parents.split()),
                date=date,
                author=author.strip(),
                subject=subject,
                instruments=trailer_values(trailers),
                touched=tuple(
                    TouchedFile(shown_path(change.path), _blob(change)) for change in changes
                ),
                boundary=sha in ends,
                index=len(commits),
            )
            commits.append(commit)
    return CommitLine(
        head=place.head or CommitId(""),
        tree=tree,
        commits=tuple(commits),
        prefix=place.prefix,
        shallow=place.shallow,
        object_format=place.object_format,
    )


def _blob(change: LoggedChange) -> str | None:
    """Return the id of the file after a change, `120000 ID` with the mode of a link or submodule;
    None where the file is gone.
    """
    if change.mode == "000000":
        return None
    return change.id if change.mode.startswith("100") else f"{change.mode} {change.id}"


def sized_contents(root: Path, oids: Collection[str]) -> dict[str, bytes | Oddity]:
    """Return the bytes of blobs by id, or an Oddity for one that is too large for a file of a game.

    Raises TooMuch, and GitFailed for a blob that is not here.
    """
    sizes = {oid: size for oid, (_, size) in kinds_and_sizes(root, oids).items()}
    if lacking := sorted(set(oids) - sizes.keys()):
        raise GitFailed("cat-file", f"{lacking[0]} is missing")
    small = [oid for oid, size in sizes.items() if size <= SIZE_LIMIT]
    if sum(sizes[oid] for oid in small) > _MOST:
        raise TooMuch(f"files of more than {_MOST >> 20} MiB together")
    large = {
        oid: Oddity("file-too-large", f"{size} bytes")
        for oid, size in sizes.items()
        if size > SIZE_LIMIT
    }
    return {**objects(root, small), **large}


Whereabouts = Literal["reachable", "unreachable", "missing"]
"""Where a commit is: in the past of a commit, elsewhere in the repository, or not there."""


def whereabouts(
    root: Path, head: CommitId, shas: Collection[CommitId]
) -> Mapping[CommitId, Whereabouts]:
    """Return for each full id where its commit is, seen from `head`, whose past includes itself."""
    asked = sorted(set(shas))
    there = [sha for sha, (kind, _) in kinds_and_sizes(root, asked).items() if kind == "commit"]
    apart: set[str] = set()
    if there:
        feed = "".join(f"{sha}\n" for sha in (*there, f"^{head}")).encode()
        output = run(root, "rev-list", "--stdin", feed=feed, settings=PLAIN, most=_MOST)
        apart = set(output.decode("ascii", "replace").split())
    return {
        sha: "missing" if sha not in there else "unreachable" if sha in apart else "reachable"
        for sha in asked
    }


def side_trailers(root: Path, merges: Sequence[LineCommit]) -> Mapping[str, frozenset[str]]:
    """Return for each merge, by id, the instruments named in trailers of commits that it brought
    in. `merges` are in the order of the line.
    """
    if not merges:
        return {}
    # What was on the line before the first merge, no merge brought in: git need not list it.
    merged = [parent for merge in merges for parent in merge.parents[1:]]
    feed = "".join(
        f"{one}\n" for one in (*merged, *(f"^{merge.parents[0]}" for merge in merges[:1]))
    ).encode()
    output = run(
        root,
        "log",
        "-z",
        f"--format=%H%x00%P%x00{INSTRUMENTS}",
        "--stdin",
        feed=feed,
        settings=PLAIN,
        most=_MOST,
    )
    tokens = output.decode("utf-8", "backslashreplace").split("\0")
    known = {
        tokens[at]: (tokens[at + 1].split(), tokens[at + 2]) for at in range(0, len(tokens) - 2, 3)
    }
    return {merge.sha: frozenset(_instruments_brought_in(merge, known)) for merge in merges}


def _instruments_brought_in(
    merge: LineCommit, known: Mapping[str, tuple[list[str], str]]
) -> Iterator[str]:
    """Yield the instruments; `known` has for each commit its parents and its trailers."""
    waiting, seen = list(merge.parents[1:]), {merge.parents[0]}
    for sha in waiting:
        if sha in seen or sha not in known:
            continue
        seen.add(sha)
        parents, trailers = known[sha]
        yield from trailer_values(trailers)
        waiting += parents


def tree_of(root: Path, commit: CommitId) -> str | None:
    """Return the id of a commit's tree; None where there is no such commit here."""
    return object_named(root, f"{commit}^{{tree}}") if re.fullmatch(_ID, commit) else None
