"""`nomicgen verify`: a repository's history against the ledger, commit by commit along the
first-parent line.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.history.decisions import Decisions
from nomicgen.history.ledger_digest import ledger_digest
from nomicgen.history.ruleset_states import States
from nomicgen.law.checks.run import is_ledger
from nomicgen.model.findings import Findings
from nomicgen.model.line_commits import CommitLine
from nomicgen.play.load import Game, git_findings, load_tree
from nomicgen.play.mending.shown import as_shown
from nomicgen.repository.first_parents import walk
from nomicgen.repository.game_tree import find_root
from nomicgen.repository.git_log import blob_id
from nomicgen.repository.git_state import inspect
from nomicgen.verify.findings import (
    CommitFinding,
    HistoryVerdict,
    shallow,
    split_admitted,
    unproven_finding,
)
from nomicgen.verify.line import LineContext, LineFindings, follow_line
from nomicgen.verify.named import named_commits
from nomicgen.verify.past import PastOfLine, blobs_of, changes_of_the_past
from nomicgen.verify.published import compare_published
from nomicgen.verify.read import PastReader, files_of, first_game_commit
from nomicgen.verify.seen import MemoryOptions, keep_in_memory, recall
from nomicgen.verify.seen_history import SeenBefore
from nomicgen.verify.signed import judge_signatures
from nomicgen.verify.vote_vouchers import vouchers_of


class Verified(Struct, frozen=True, kw_only=True):
    """A verdict on a game's history: the `game` as HEAD has it, and its `line`.

    `notes` are findings of the game itself, as HEAD has it, and of its repository: all errors, and
    a few warnings. `folder` is the game's folder in the repository, '' if it is the whole. `seen`
    is how the history compares with what was seen of it before; None if nobody asked.
    """

    game: Game
    line: CommitLine
    verdict: HistoryVerdict
    notes: Findings = ()
    folder: str = ""
    seen: SeenBefore | None = None

    @property
    def findings(self) -> Findings:
        return (*self.notes, *self.verdict.findings)


def verify(
    start: Path,
    *,
    published: bytes | None = None,
    signers: Path | None = None,
    visit: MemoryOptions | None = None,
) -> Verified:
    """Verify the history of the game that `start` lies in: what is committed, whatever the files on
    disk are.

    `published` is the `api/v1/index.json` of a site that was built before, `signers` a file of
    allowed SSH signers. With a `visit` the history is held against what this reader saw of it
    before, and is remembered if the two can be compared and there are no errors. Raises Refused if
    `published` is no such file, and RepositoryError.
    """
    root = find_root(start)
    line = walk(root)
    reader = PastReader(root)
    first = first_game_commit(line)
    files = files_of(line.commits)
    reader.read({*blobs_of(line), *files.values()})
    game = load_tree(root, reader.tree(files))
    decisions = Decisions.read(line.commits, first, reader.known, game.replay)
    past = changes_of_the_past(line, game, reader, decisions)
    followed = _findings_by_commit(line, game, reader, decisions, first, past)
    signatures = judge_signatures(line, reader, first, signers)
    remembered = recall(line, reader, visit) if visit is not None else None
    faults = (
        *_limits(line, game),
        *past.faults,
        *followed.faults,
        *named_commits(root, line, game),
        *signatures.faults,
        *compare_published(line, reader, published),
        *(remembered.faults if remembered is not None else ()),
    )
    kept, admitted = split_admitted(faults, game.settings.admitted)
    verdict = HistoryVerdict(
        head=line.head,
        tree=line.tree,
        digest=ledger_digest(game.tree),
        since=line.commits[decisions.begun],
        archived=decisions.archived,
        commits=sum(1 for commit in line.commits[decisions.begun :] if commit.touched),
        instruments=followed.carried,
        signed=signatures.count,
        votes=vouchers_of(game.records),
        faults=kept,
        admitted=admitted,
    )
    verified = Verified(
        game=game,
        line=line,
        verdict=verdict,
        notes=(
            *(finding for finding in git_findings(inspect(root)) if finding.slug != "git-shallow"),
            *as_shown(game, game.errors),
            # Readers should know that the names of two voters cannot be told apart.
            *(finding for finding in game.findings if finding.slug == "name-alike"),
        ),
        folder=line.prefix.rstrip("/"),
    )
    if remembered is None:
        return verified
    errors = any(finding.is_error for finding in verified.findings)
    date = game.until.day.isoformat()
    seen = keep_in_memory(remembered, line, date=date, ledger=verdict.digest, errors=errors)
    return replace(verified, seen=seen)


def _findings_by_commit(
    line: CommitLine,
    game: Game,
    reader: PastReader,
    decisions: Decisions,
    first: int,
    past: PastOfLine,
) -> LineFindings:
    """Return what is wrong with what each commit made of `rules/`.

    Nothing is compared if HEAD has a file of the ledger that cannot be read.
    """
    if any(is_ledger(path) for path in game.records.withheld):
        return LineFindings()
    blob = partial(blob_id, object_format=line.object_format)
    context = LineContext(
        line=line, game=game, reader=reader, blob=blob, decisions=decisions, first=first
    )
    rewritten = past.corrected | {
        fault.commit.index for fault in past.faults if fault.commit is not None
    }
    return follow_line(context, States(context.whole, blob), rewritten=rewritten)


def _limits(line: CommitLine, game: Game) -> Iterator[CommitFinding]:
    """Yield that a clone is shallow, and that the ledger cannot be read."""
    end = next((commit for commit in line.commits if commit.boundary), None)
    if end is not None:
        yield shallow(end)
    if unread := sorted(path for path in game.records.withheld if is_ledger(path)):
        yield unproven_finding(
            f"while {unread[0]} cannot be read, nobody knows what the ledger gives: no commit's "
            "rules/ was verified",
            "correct the file first",
        )
