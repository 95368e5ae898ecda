"""Another repository's past, read for an import: one pass of `git log`, one of `git cat-file`; nothing is checked out.

A clone does as well as a bare repository.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from nomicgen.files.text import SIZE_LIMIT
from nomicgen.importers.git_past import FORMAT, Past, parse_past
from nomicgen.repository.errors import GitFailed, UnknownRevision
from nomicgen.repository.git import call, one_line, run
from nomicgen.repository.revisions import contents

__all__ = ["Whereabouts", "read_past", "whereabouts"]

Whereabouts = Literal["reachable", "unreachable", "missing"]

_OPTIONS = (
    "--topo-order --reverse --raw -z --no-abbrev --no-renames --diff-merges=first-parent --full-history --sparse "
    "--no-ext-diff --no-textconv --encoding=UTF-8"
)


def read_past(root: Path, branch: str, patterns: Sequence[str]) -> Past:
    """The past of `branch` among the files that `patterns` name, with the contents of those that its line touched.

    A pattern is a path from the repository's top, in which `*` stands for anything but a slash and `**/` for any
    directories. Raises UnknownRevision, NotVersioned, NoGit, DubiousOwner, GitFailed.
    """
    head = _commit_id(root, branch)
    limit = [f":(top,glob){pattern}{'**' if pattern.endswith('/') else ''}" for pattern in patterns]
    output = run(root, "log", *_OPTIONS.split(), f"--format={FORMAT}", head, "--", *limit)
    past = parse_past(output, head, _boundaries(root))
    return replace(past, contents=_contents(root, past))


def whereabouts(root: Path, past: Past, shas: Collection[str]) -> dict[str, Whereabouts]:
    """For each full id, whether it is a commit of this past, one of the repository only, or not there at all."""
    asked = sorted(set(shas))
    found: dict[str, Whereabouts] = {sha: "reachable" for sha in asked if sha in past.commits}
    others = [sha for sha in asked if sha not in found]
    if others:
        feed = "".join(f"{sha}\n" for sha in others).encode()
        lines = run(root, "cat-file", "--batch-check", feed=feed).decode(errors="replace").splitlines()
        for sha, line in zip(others, lines, strict=True):
            found[sha] = "unreachable" if line.split(" ")[1:2] == ["commit"] else "missing"
    return found


def _commit_id(root: Path, branch: str) -> str:
    if not branch or branch.startswith("-"):
        raise UnknownRevision(branch)
    run(root, "rev-parse", "--git-dir")
    status, output, _ = call(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{branch}^{{commit}}")
    if status:
        raise UnknownRevision(branch)
    # Before 2.36 git printed `--end-of-options` as well.
    return one_line(output).rpartition("\n")[2]


def _boundaries(root: Path) -> frozenset[str]:
    """The commits at which a shallow clone ends."""
    name = run(root, "rev-parse", "--git-path", "shallow").decode(errors="surrogateescape").removesuffix("\n")
    try:
        return frozenset((root / name).read_text("ascii").split())
    except FileNotFoundError:
        return frozenset()
    except (OSError, ValueError) as error:
        raise GitFailed("log", f"the list of a shallow clone's ends cannot be read: {error}") from error


def _contents(root: Path, past: Past) -> dict[str, bytes]:
    """What the line's files held. A file that is too large for a game is not read: '' stands for it."""
    oids = {oid for one in past.line for change in one.touched for oid in (change.before, change.after) if oid}
    if not oids:
        return {}
    asked = sorted(oids)
    feed = "".join(f"{oid}\n" for oid in asked).encode()
    said = run(root, "cat-file", "--batch-check", feed=feed).decode(errors="replace").splitlines()
    small = {oid for oid, line in zip(asked, said, strict=True) if _size(line) <= SIZE_LIMIT}
    return {**dict.fromkeys(oids - small, b""), **contents(root, small)}


def _size(line: str) -> int:
    last = line.rpartition(" ")[2]
    return int(last) if last.isdigit() else 0
