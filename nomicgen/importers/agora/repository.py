"""The repository in which Agora keeps its rules, read with `git log` and `git cat-file`.

Nothing is checked out, and a clone does as well as a bare repository.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from nomicgen.importers.agora.texts import INDEX, Seen, is_rule_path
from nomicgen.importers.commit_log import read_commit_log
from nomicgen.repository.git_objects import objects

_PATTERNS = ("rules/**", "proposals/**", "config/**", "rules_data/**")


class AgoraPast(Struct, frozen=True, kw_only=True):
    """What a branch holds: `files` are those of the data at its end, by their paths in its folder;
    if none is left there, as each was last.

    `seen` are rules' files and the index, oldest first, as the commits of the branch's first-parent
    line made them; `head` is the id of the newest.
    """

    files: Mapping[str, bytes]
    seen: tuple[Seen, ...]
    head: str


def is_repository(folder: Path) -> bool:
    """Return whether a folder is the top of a git repository, bare or not."""
    return (folder / ".git").exists() or (
        (folder / "HEAD").is_file() and (folder / "objects").is_dir()
    )


def read_agora(root: Path, branch: str = "HEAD") -> AgoraPast:
    """Read a branch. Raises RepositoryError: there is no such branch or repository, or git fails,
    or it holds too much.
    """
    log = read_commit_log(root, branch, _PATTERNS)
    now = log.newest
    told = [
        (commit, change)
        for commit in log.line
        for change in commit.touched
        if is_rule_path(change.path) or change.path in INDEX
    ]
    top = "rules_data/" if any(path.startswith("rules_data/rules/") for path in now) else ""
    inside = {path.removeprefix(top): oid for path, oid in now.items() if path.startswith(top)}
    wanted = {change.after for _, change in told if change.after is not None} | set(inside.values())
    blobs = objects(root, wanted)
    seen = (
        Seen(
            path=change.path,
            commit=commit.sha,
            day=commit.day,
            data=blobs[change.after] if change.after else None,
        )
        for commit, change in told
    )
    return AgoraPast(
        files={path: blobs[oid] for path, oid in sorted(inside.items())},
        seen=tuple(seen),
        head=log.line[-1].sha,
    )
