"""A history against a commit of it that was kept: in a reader's memory, or on a published site."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from nomicgen.model.identifiers import CommitId, Digest
from nomicgen.model.line_commits import CommitLine
from nomicgen.repository.first_parents import walk, whereabouts
from nomicgen.repository.git_revisions import has_commit
from nomicgen.verify.findings import ASK_KEEPER, CommitFinding, rewritten_history, unproven_finding
from nomicgen.verify.read import PastReader, ledger_digest_at
from nomicgen.verify.seen_history import LostCommits, lost_of_line

_SHOWN = 20
"""How many of the commits that are gone a finding lists."""
# In words, the places that `whereabouts` finds.
_WHERE = {
    "reachable": "stands beside the first-parent line of HEAD",
    "unreachable": "is not in the history of HEAD any more",
    "missing": "is not in this repository",
}


class KeptCommit(Struct, frozen=True, kw_only=True):
    """A commit as it was kept, with its tree and the digest of its ledger; None if that is not to
    be compared.

    `words` begin a sentence about it: `commit 0123456789ab, which was published,`. `advice` is what
    to do besides asking the keeper.
    """

    words: str
    commit: CommitId
    tree: str
    ledger: Digest | None
    advice: str = ""


def compare_kept(
    line: CommitLine, reader: PastReader, kept: KeptCommit, loss: LostCommits | None = None
) -> Iterator[CommitFinding]:
    """Yield findings if the line has no such commit as was kept, or has it with other contents.

    `loss` is what the line lacks, if the caller knows it. Raises RepositoryError.
    """
    commit = next((commit for commit in line.commits if commit.sha == kept.commit), None)
    if commit is None and line.shallow:
        yield unproven_finding(
            f"{kept.words} is not in this shallow clone", "run `git fetch --unshallow`"
        )
    elif commit is None:
        yield _lost_commit(line, reader, kept, loss or _loss(line, reader, kept.commit))
    else:
        if commit.tree != kept.tree:
            yield _other_contents(kept, "tree", kept.tree, commit.tree)
        if (
            kept.ledger is not None
            and (ledger := ledger_digest_at(line, reader, commit.index)) != kept.ledger
        ):
            yield _other_contents(kept, "ledger", kept.ledger, ledger)


def _other_contents(kept: KeptCommit, what: str, before: str, now: str) -> CommitFinding:
    return rewritten_history(
        f"{kept.words} had the {what} {before[:12]}, and has {now[:12]}", _help(kept, ASK_KEEPER)
    )


def _help(kept: KeptCommit, first: str) -> str:
    return "; ".join(filter(None, (first, kept.advice)))


def _loss(line: CommitLine, reader: PastReader, commit: CommitId) -> LostCommits | None:
    """Return which commits of the line that ends at `commit` are not in `line`; None if the
    repository lacks that commit.
    """
    if not has_commit(reader.root, commit):
        return None
    return lost_of_line(walk(reader.root, commit), {present.sha for present in line.commits})


def _lost_commit(
    line: CommitLine, reader: PastReader, kept: KeptCommit, loss: LostCommits | None
) -> CommitFinding:
    first = ASK_KEEPER
    if loss is not None and loss.common == line.commits[-1].sha:
        where = "comes after the end of this history"
        first = f"an older clone only needs what is new: `git pull`; if it has all, {ASK_KEEPER}"
    else:
        where = _WHERE[whereabouts(reader.root, line.head, [kept.commit])[kept.commit]]
    message = f"{kept.words} {where}; HEAD is {line.head[:12]}"
    if loss is None or not loss.commits:
        return rewritten_history(message, _help(kept, first))
    shown = loss.commits[-_SHOWN:]
    detail = [
        f"- {commit.commit[:12]} {', '.join(commit.instruments)}".rstrip() for commit in shown
    ]
    if loss.count > len(shown):
        detail.insert(0, f"- {loss.count - len(shown)} older")
    return rewritten_history(f"{message}: {loss.sentence}", _help(kept, first), "\n".join(detail))
