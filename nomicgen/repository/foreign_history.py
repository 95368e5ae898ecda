"""Another repository's past, read for an import: one pass of `git log`, one of `git cat-file`; nothing is checked out.

A clone does as well as a bare repository.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import islice
from pathlib import Path

from msgspec.structs import replace

from nomicgen.model.identifiers import CommitId
from nomicgen.importers.git.moves import Renamed, followed, parse_renames, suspects
from nomicgen.importers.git_outline import ArchiveForm, guessed, read_form
from nomicgen.importers.commit_log import FORMAT, Doubted, Followed, Past, PastCommit, Text, parse_past
from nomicgen.importers.git_texts import FileText, number_of_file
from nomicgen.repository.errors import GitFailed, UnknownRevision
from nomicgen.repository.git import boundaries, call, failure, object_named, reading_output, run
from nomicgen.repository.git_objects import TreeEntry, kinds, objects, tree_entries

_LARGEST = 16 << 20
"""Bytes of a file that are still read: one for all rules may be larger than a game's files."""

_AT_ONCE = 60
"""So many files are read at a time: at most 1 GiB."""

_ALL = 2 << 30
"""Bytes of a history: it is somebody's own choice to import a long one."""

_PATIENCE = 60.0
"""Seconds that git may think: it begins to print when it has seen all of a history."""

_GUESSED = 8
"""So many of the newest files are looked at to see in which form they are."""

_MOVES = 20
"""So often the files of a game may have been moved."""

_OPTIONS = (
    "--topo-order --reverse --raw -z --no-abbrev --no-renames --diff-merges=first-parent --full-history --sparse "
    "--no-ext-diff --no-textconv --encoding=UTF-8"
)
_RENAMES = "-r -z -M100% --diff-filter=R --raw --no-abbrev --no-ext-diff --no-textconv --end-of-options"


def read_past(root: Path, branch: str, patterns: Sequence[str], form: ArchiveForm | None = None) -> Past:
    """The past of `branch` among the files that `patterns` name, with the rules in those that its line touched.

    A pattern is a path from the repository's top, in which `*` stands for anything but a slash and `**/` for any
    directories. Where a commit only moves the files, they are read where they were, or went, as well. Files are read in
    a `form`; one with no shape is guessed by the newest files, and a doubt about them is in the past.
    Raises UnknownRevision, NotVersioned, NoGit, DubiousOwner, GitFailed.
    """
    _check_name(branch)
    moves_followed: list[Followed] = []
    moves: dict[str, list[Renamed]] = {}
    past = _log(root, branch, patterns)
    while len(moves_followed) < _MOVES and (
        more := _followed(root, past, (*patterns, *(move.other for move in moves_followed)), moves)
    ):
        moves_followed += more
        past = _log(root, branch, (*patterns, *(move.other for move in moves_followed)))
    form, doubt = _formed(root, past, form or ArchiveForm())
    return replace(past, followed=tuple(moves_followed), texts=_texts(root, past, form), form=form, doubt=doubt)


def _formed(root: Path, past: Past, form: ArchiveForm) -> tuple[ArchiveForm, Doubted | None]:
    """The form in which the newest files are, where each of them may have several rules."""
    newest = past.newest
    if form.shape is not None or any(number_of_file(path) is not None for path in newest):
        return form, None
    sizes = kinds(root, newest.values())
    small = {path: oid for path, oid in newest.items() if sizes.get(oid, ("", _LARGEST))[1] < _LARGEST}
    held = objects(root, set(islice(small.values(), _GUESSED)))
    guesses = {path: guessed(held[oid]) for path, oid in small.items() if oid in held}
    path = max(guesses, key=lambda path: guesses[path].rules, default=None)
    if path is None:
        return form, None
    best = guesses[path]
    doubt = Doubted(path=path, doubt=best.doubt) if best.doubt is not None else None
    return replace(form, shape=best.shape), doubt


def listing(root: Path, branch: str) -> dict[str, TreeEntry]:
    """The ordinary files of a branch's newest commit by their paths. Raises as `read_past`."""
    _check_branch(root, branch)
    entries = (
        (_path(path), entry) for path, entry in tree_entries(root, f"{branch}^{{commit}}", most=_ALL, partial=True)
    )
    return {path: entry for path, entry in entries if entry.mode.startswith("100")}


def file_before(root: Path, commit: CommitId, path: str) -> str | None:
    """The id of a file as the commit before another has it; None where that is no ordinary file."""
    ids = (
        entry.oid
        for _, entry in tree_entries(root, f"{commit}^", path, most=_ALL, partial=True)
        if entry.mode.startswith("100")
    )
    return next(ids, None)


def _path(path: bytes) -> str:
    """A path as `parse_past` has it."""
    return path.decode("utf-8", "backslashreplace")


def read_line(root: Path, branch: str, patterns: Sequence[str]) -> tuple[PastCommit, ...]:
    """The first-parent line of `branch`, oldest first, with what each commit did to the files of `patterns`.

    Raises what `read_past` raises.
    """
    _check_name(branch)
    return _log(root, branch, patterns).line


def _log(root: Path, branch: str, patterns: Sequence[str]) -> Past:
    limit = [f":(top,glob){pattern}{'**' if pattern.endswith('/') else ''}" for pattern in patterns]
    asked = (*_OPTIONS.split(), f"--format={FORMAT}", "--end-of-options", f"{branch}^{{commit}}", "--", *limit)
    status, output, stderr = call(root, "log", *asked, most=_ALL, patience=_PATIENCE)
    if status:
        if "bad revision" in stderr:
            _check_branch(root, branch)
        raise failure(root, "log", stderr)
    with reading_output(root, "log", output):
        return parse_past(output, boundaries(_shallow(root)))


def _followed(root: Path, past: Past, patterns: Sequence[str], moves: dict[str, list[Renamed]]) -> Collection[Followed]:
    """The patterns under which the files stood elsewhere; `moves` are those of the commits that were looked at."""
    patterns_elsewhere: dict[str, Followed] = {}
    for commit in suspects(past):
        if commit.sha not in moves:
            output = run(root, "diff-tree", *_RENAMES.split(), commit.parents[0], commit.sha)
            with reading_output(root, "diff-tree", output):
                moves[commit.sha] = parse_renames(output)
        for move in followed(commit, patterns, moves[commit.sha]):
            patterns_elsewhere.setdefault(move.other, move)
    return patterns_elsewhere.values()


def _check_branch(root: Path, branch: str) -> None:
    """Raises UnknownRevision where that is no commit, and what is raised where there is no repository."""
    _check_name(branch)
    run(root, "rev-parse", "--git-dir")
    if object_named(root, f"{branch}^{{commit}}") is None:
        raise UnknownRevision(branch)


def _check_name(branch: str) -> None:
    """Raises UnknownRevision for what git would take for an option."""
    if not branch or branch.startswith("-"):
        raise UnknownRevision(branch)


def _shallow(root: Path) -> Path:
    """The file that lists where a shallow clone ends."""
    name = run(root, "rev-parse", "--git-path", "shallow").decode(errors="surrogateescape").removesuffix("\n")
    return root / name


def _texts(root: Path, past: Past, form: ArchiveForm) -> dict[Text, FileText]:
    """The rules in what the line's files held, some files after others: nothing else of them is kept."""
    wanted: dict[str, set[int | None]] = {}
    for commit in past.line:
        for change in commit.touched:
            for oid in (change.before, change.after):
                if oid is not None:
                    wanted.setdefault(oid, set()).add(number_of_file(change.path))
    sizes = kinds(root, wanted)
    if lacking := sorted(wanted.keys() - sizes.keys()):
        raise GitFailed("cat-file", f"{lacking[0]} is missing")
    small = (oid for oid in wanted if sizes[oid][1] < _LARGEST)
    texts: dict[Text, FileText] = {}
    while some := tuple(islice(small, _AT_ONCE)):
        contents = objects(root, some)
        texts |= {(oid, named): read_form(contents[oid], named, form) for oid in some for named in wanted[oid]}
    return texts
