"""Any commits, such as a pull request's, read as git objects: nothing of them is checked out or
run. And which files on disk differ from a commit.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from nomicgen.files.text_encoding import Oddity
from nomicgen.model.identifiers import CommitId
from nomicgen.repository.errors import UnknownRevision
from nomicgen.repository.game_tree import is_of_game, require_readable, shown_path, stand_in_for
from nomicgen.repository.git import call, failure, locate, object_id, object_named, run
from nomicgen.repository.git_objects import TreeEntry, objects, tree_entries

_LINK, _MODULE = "120000", "160000"  # git's modes of symbolic links and submodules
_MOST = 4 << 20  # bytes of a list of files
_MOST_TRUSTED = 256 << 20  # the same, of a commit that is trusted


def commit_id(root: Path, ref: str) -> CommitId:
    """Return the full id of the commit that `ref` names. Raises UnknownRevision, and what `locate`
    raises.
    """
    if not ref or ref.startswith("-"):
        raise UnknownRevision(ref)
    locate(root)
    sha = object_named(root, f"{ref}^{{commit}}")
    if sha is None:
        raise UnknownRevision(ref)
    return CommitId(sha)


def has_commit(root: Path, sha: CommitId) -> bool:
    """Return whether there is a commit of this full id here."""
    return object_named(root, f"{sha}^{{commit}}") == sha


def merge_base(root: Path, one: str, other: str) -> CommitId | None:
    """Return the id of a commit where the lines of two commits parted; None where they have no
    commit in common.
    """
    return next(iter(merge_bases(root, one, other)), None)


def merge_bases(root: Path, one: str, other: str) -> tuple[CommitId, ...]:
    """Return the ids of all commits where the lines of two commits parted: several if they were
    merged into each other, none if they have no commit in common.
    """
    status, output, stderr = call(root, "merge-base", "--all", one, other)
    if status not in (0, 1):
        raise failure(root, "merge-base", stderr)
    return (
        tuple(CommitId(object_id(root, "merge-base", line)) for line in output.splitlines())
        if status == 0
        else ()
    )


def files_at(
    root: Path, commit: CommitId, trusted: Mapping[str, TreeEntry] | None = None
) -> dict[str, TreeEntry]:
    """Return every file of a commit by its path from the game's root; `../x` for one outside of it.

    If anybody may have made the commit, `trusted` has the files of one of the game's own: raises
    TooMuch where it has tens of thousands more than that. Without `trusted` the limit is higher.
    """
    place = locate(root)
    most = (
        _MOST_TRUSTED
        if trusted is None
        else _MOST + sum(len(os.fsencode(path)) + 100 for path in trusted)
    )
    return {
        _inside(os.fsdecode(path), place.prefix): entry
        for path, entry in tree_entries(root, commit, most=most)
    }


def changed_on_disk(root: Path, commit: CommitId) -> frozenset[str]:
    """Return the files on disk that are not as a commit has them, untracked and deleted ones too.

    Paths are from the game's root; `../x` is outside of it.
    """
    prefix = locate(root).prefix
    # To see whether a submodule is dirty git would run itself there, under the submodule's own
    # settings, which `git_guard` has not checked.
    options = (
        "--name-only -z --no-renames --no-ext-diff --no-textconv --no-relative "
        "--ignore-submodules=dirty"
    )
    diff = run(root, "diff", *options.split(), commit)
    top = os.fsdecode(run(root, "rev-parse", "--show-cdup")).strip() or "."
    others = run(root / top, "ls-files", "--others", "--exclude-standard", "--full-name", "-z")
    return frozenset(
        _inside(os.fsdecode(path), prefix) for path in (diff + others).split(b"\0") if path
    )


def touched_on_the_way(root: Path, base: str, head: str) -> frozenset[str]:
    """Return the files changed by any commit that is in `head` and not in `base`, even if a later
    commit changed them back.

    Of a merge, only files count that differ from both sides. Paths are from the game's root; `../x`
    is outside of it. Raises TooMuch for tens of thousands.
    """
    prefix = locate(root).prefix
    options = (
        "--format= --name-only -z --no-renames --no-ext-diff --no-textconv --no-relative "
        "--diff-merges=combined "
        "--end-of-options"
    )
    output = run(root, "log", *options.split(), f"{base}..{head}", "--", most=_MOST)
    return frozenset(_inside(os.fsdecode(path), prefix) for path in output.split(b"\0") if path)


def _inside(path: str, prefix: str) -> str:
    """Return a path from the work tree's top as one from the game, which lies in `prefix`."""
    return path.removeprefix(prefix) if path.startswith(prefix) else f"../{path}"


def game_of(root: Path, entries: Mapping[str, TreeEntry]) -> dict[str, bytes | Oddity]:
    """Return the bytes of the game's files among `entries` (from `files_at`), by path: b''
    for a picture, an Oddity for another file that is not read. Raises TooManyFiles, and what
    `objects` raises.
    """
    ours = {path: entry for path, entry in entries.items() if is_of_game(path)}
    require_readable(
        len(ours), sum(entry.size for path, entry in ours.items() if _is_read(path, entry))
    )
    blobs = objects(root, [entry.oid for path, entry in ours.items() if _is_read(path, entry)])
    return {
        shown_path(path): _content(root, path, entry, blobs) for path, entry in sorted(ours.items())
    }


def _is_read(path: str, entry: TreeEntry) -> bool:
    return entry.mode not in (_LINK, _MODULE) and stand_in_for(path, entry.size) is None


def _content(root: Path, path: str, entry: TreeEntry, blobs: Mapping[str, bytes]) -> bytes | Oddity:
    if entry.mode == _LINK:
        target = objects(root, [entry.oid])[entry.oid] if entry.size <= 4096 else b"..."
        return Oddity("symlink", shown_path(target))
    if entry.mode == _MODULE:
        return Oddity("submodule", entry.oid)
    stand_in = stand_in_for(path, entry.size)
    return blobs[entry.oid] if stand_in is None else stand_in
