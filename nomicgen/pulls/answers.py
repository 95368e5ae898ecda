"""What pull requests are answered: the comment that is kept up to date, the ballot, and why one is closed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.pulls.as_markdown import ballot_markdown, comment_markdown
from nomicgen.pulls.forge_tally import count_recorded
from nomicgen.play.load import Game
from nomicgen.play.proposing import proposal_of
from nomicgen.pulls.examine import Pull
from nomicgen.pulls.report import PullReport, proposal_debated_at, report_on, standing_in
from nomicgen.pulls.run import PullsRun, RecordedPull
from nomicgen.game.refusal import Refused
from nomicgen.law.replay.state import Tally
from nomicgen.model import Instrument, Moment, ProposalMatter
from nomicgen.repository.git_revisions import commit_id, merge_base

_LONGEST = 500
# Of machinery a keeper's comment says what becomes of it, and that is read where it is judged.
_JUDGED = ("proposal", "judgement", "act", "correction", "player", "turn")


class PullAnswer(Struct, frozen=True, kw_only=True):
    """What a pull request is told, each as Markdown, None where there is nothing to say.

    `comment` replaces the one before it; `ballot` is a comment of its own that is never edited; `close` says why the
    pull request is to be closed.
    """

    pull: int
    comment: str | None = None
    ballot: str | None = None
    close: str | None = None


def answers(run: PullsRun, cases: Sequence[RecordedPull], on: Moment) -> Iterator[PullAnswer]:
    """The answer to each pull request of a player's, as the game is after the move.

    What was in order when it was opened may be so no more, and whoever merges it should read that.
    """
    game = run.move.after
    for case in sorted(cases, key=lambda case: case.pull.number):
        number = case.pull.number
        pull, there = run.pulls.get(number), proposal_debated_at(game, case.pull.url)
        if pull is None or (there is None and pull.verdict.kind not in _JUDGED):
            continue
        report = _report_with_votes(game, replace(pull, base=game), case, there, on)
        stuck = run.stuck.get(there.number or 0) if there is not None else None
        undone = _undone(pull, [refused for refused in (run.wrong.get(number), stuck) if refused is not None])
        yield PullAnswer(
            pull=number,
            comment=comment_markdown(
                pull.verdict, report.preview, report.standing, undone=undone, mended=report.mended, editor=report.editor
            ),
            ballot=_ballot(game, report, case),
            close=_close(game, run, pull, there, number),
        )


def _report_with_votes(game: Game, pull: Pull, case: RecordedPull, there: Instrument | None, on: Moment) -> PullReport:
    """What is to be said of a pull request, with the votes that were cast on it so far."""
    report = report_on(pull, case.pull.url, case.pull.branch)
    if there is None or report.standing is None or report.standing.status != "open":
        return report
    try:
        counted = count_recorded(game, report.standing.number, case.recorded, on)
    except Refused:
        return report
    standing = standing_in(
        counted.game, counted.proposal, strays=counted.count.uncounted, changed=report.standing.changed
    )
    return replace(report, standing=standing)


def _undone(pull: Pull, many: Sequence[Refused]) -> list[tuple[str, str]]:
    """Why what was asked for is not done, and what to do; what is wrong with the files the comment says already."""
    reasons: list[tuple[str, str]] = []
    for refused in many:
        if refused.findings and set(refused.findings) <= set(pull.verdict.findings):
            continue
        findings = [(finding.message, finding.help) for finding in refused.findings[:20]]
        reasons += [
            (message[:_LONGEST], help[:_LONGEST]) for message, help in ((refused.message, refused.remedy), *findings)
        ]
    return reasons


def _ballot(game: Game, report: PullReport, case: RecordedPull) -> str | None:
    """The ballot of an open vote, unless there is one for this text."""
    standing = report.standing
    if standing is None or standing.status != "open" or standing.digest is None:
        return None
    if standing.ballot is None or standing.ballot in case.recorded.ballots:
        return None
    summary = report.preview.summary if report.preview is not None else ()
    return ballot_markdown(
        standing.number,
        standing.ballot,
        standing.digest,
        summary,
        voters=standing.may_vote,
        lapsed={player: game.records.players[player].matter.accounts.get("github") for player in standing.lapsed},
        closes=standing.closes,
        abstentions=standing.may_abstain,
    )


def _close(game: Game, run: PullsRun, pull: Pull, there: Instrument | None, number: int) -> str | None:
    """Why a pull request is to be closed: what it proposes is decided, and the forge does not show it as merged."""
    if there is None or number in run.merged or there.number is None:
        return None
    matter = proposal_of(game, there.number).matter
    if matter.is_undecided or _is_merged(game, pull):
        return None
    lines = [f"Proposal {there.number} is {matter.status}{_outcome(matter, game.replay.tallies.get(there.path))}."]
    if number in run.unmerged:
        lines.append(f"{run.unmerged[number]}.")
    kept = "It is kept, with its text and its votes, " if matter.status != "adopted" else "It is kept "
    lines.append(f"{kept}in `{there.path}`; its number is spent. To try again, open another pull request.")
    return "\n\n".join(lines) + "\n"


def _outcome(matter: ProposalMatter, tally: Tally | None) -> str:
    when = f" on {str(matter.decided).replace('T', ' at ')}" if matter.decided is not None else ""
    if matter.status not in ("adopted", "defeated") or tally is None:
        return when
    for_, against, abstained = tally.votes_for, tally.votes_against, tally.abstentions
    return f"{when}: {for_} for, {against} against, {abstained} abstaining"


def _is_merged(game: Game, pull: Pull) -> bool:
    head = commit_id(game.root, "HEAD")
    return pull.head is not None and merge_base(game.root, pull.head, head) == pull.head
