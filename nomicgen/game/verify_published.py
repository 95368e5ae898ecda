"""A history against what a site said of it when it was built: nobody can rewrite what others have kept."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from nomicgen.archive.ledger_digest import is_of_ledger, ledger_digest
from nomicgen.archive.line_commits import CommitLine
from nomicgen.archive.verify_findings import CommitFinding, rewritten_history, unproven
from nomicgen.game.refusal import Refused
from nomicgen.patterns import lazy_pattern
from nomicgen.repository.first_parents import tree_of, whereabouts
from nomicgen.repository.git_revisions import files_at, game_of

_ID = lazy_pattern(r"[0-9a-f]{40}|[0-9a-f]{64}")
_DIGEST = lazy_pattern(r"[0-9a-f]{64}")


def compare_published(root: Path, line: CommitLine, published: bytes | None) -> Iterator[CommitFinding]:
    """What a history has otherwise than a site's `api/v1/index.json` said. Raises Refused where that is none."""
    if published is None:
        return
    said = _read(published)
    sha, tree, digest = said["commit"], said.get("tree"), said.get("ledger")
    where = "reachable" if sha in {one.sha for one in line.commits} else whereabouts(root, line.head, [sha])[sha]
    if where != "reachable":
        if line.shallow:
            yield unproven(
                f"commit {sha[:12]}, which was published, is not in this shallow clone", "run `git fetch --unshallow`"
            )
        else:
            apart = "is not in the history of HEAD any more" if where == "unreachable" else "is not in this repository"
            yield rewritten_history(f"commit {sha[:12]} was published, and {apart}")
        if where == "missing":
            return
    if tree is None or digest is None:
        yield unproven(
            "what was published names no tree and no ledger: only its commit was looked for",
            "build the site anew with this version of nomicgen, and keep what it says",
        )
        return
    if (actual := tree_of(root, sha)) != tree:
        yield rewritten_history(
            f"commit {sha[:12]} was published with the tree {tree[:12]}, and has {str(actual)[:12]}"
        )
    if said.get("uncommitted"):
        yield unproven(
            f"the site of commit {sha[:12]} was built with files that were not committed: its ledger is not compared",
            "publish what is committed, and nothing else",
        )
        return
    here = files_at(root, sha)
    found = ledger_digest(game_of(root, {path: one for path, one in here.items() if is_of_ledger(path)}))
    if found != digest:
        yield rewritten_history(
            f"the ledger of commit {sha[:12]} was published as {digest[:12]}, and is {found[:12]}",
        )


def _read(published: bytes) -> Mapping[str, Any]:
    try:
        said = json.loads(published)
    except (ValueError, RecursionError):
        raise _refused("it is no JSON") from None
    if not isinstance(said, dict) or said.get("format") != 1 or "commit" not in said:
        raise _refused("it does not say `commit`")
    if said["commit"] is None:
        raise _refused("the site was built without git, and names no commit")
    for key, form in (("commit", _ID), ("tree", _ID), ("ledger", _DIGEST)):
        one = said.get(key)
        if not (one is None and key != "commit") and not (isinstance(one, str) and form.fullmatch(one)):
            raise _refused(f"its `{key}` is no id")
    return said


def _refused(why: str) -> Refused:
    return Refused(f"what --published names is no index.json of a site: {why}", "take api/v1/index.json of the site")
