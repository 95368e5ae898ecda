"""A history against what a site said of it when it was built: whoever rewrites a history cannot
rewrite what others have kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec
from msgspec import Struct

from nomicgen.model.line_commits import CommitLine
from nomicgen.play.refusal import Refused
from nomicgen.verify.findings import CommitFinding, unproven_finding
from nomicgen.verify.kept import KeptCommit, compare_kept
from nomicgen.verify.read import PastReader
from nomicgen.verify.seen_history import Commit, Id, LedgerDigest


class _Published(Struct, kw_only=True):
    """What is read of a site's `api/v1/index.json`."""

    format: Literal[1]
    commit: Commit
    tree: Id
    ledger: LedgerDigest
    uncommitted: int = 0


def compare_published(
    line: CommitLine, reader: PastReader, published: bytes | None
) -> Iterator[CommitFinding]:
    """Yield findings where a history differs from what a site's `api/v1/index.json` said of it.

    Raises Refused where `published` is no such file.
    """
    if published is None:
        return
    try:
        index = msgspec.json.decode(published, type=_Published)
    except (ValueError, RecursionError) as error:
        raise Refused(
            f"--published is not the index.json of a site that was built with git: {error}",
            "use api/v1/index.json from the site",
        ) from None
    kept = KeptCommit(
        words=f"commit {index.commit[:12]}, which was published,",
        commit=index.commit,
        tree=index.tree,
        ledger=index.ledger if not index.uncommitted else None,
    )
    yield from compare_kept(line, reader, kept)
    if index.uncommitted:
        yield unproven_finding(
            f"the site of commit {index.commit[:12]} was built with files that were not "
            "committed: its ledger is not "
            "compared",
            "publish what is committed, and nothing else",
        )
