"""The bot's answers to pull requests after a run: the comment that is kept up to date, the ballot,
and the comment with which a pull request is closed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.files.urls import is_pull
from nomicgen.law.voting.tally import Tally
from nomicgen.model.front_matters import ProposalMatter
from nomicgen.model.records import Instrument, Proposal
from nomicgen.model.values import Moment
from nomicgen.play.load import Game
from nomicgen.play.preview.proposal import Preview
from nomicgen.play.proposing import proposal_of
from nomicgen.play.refusal import Refused
from nomicgen.pulls.as_markdown import ballot_markdown, comment_markdown
from nomicgen.pulls.drafts import proposal_debated_at
from nomicgen.pulls.examine import Pull, judge_again
from nomicgen.pulls.forge_tally import count_recorded
from nomicgen.pulls.parts import wrong_with
from nomicgen.pulls.report import PullReport, report_on
from nomicgen.pulls.run import OLD_WORD_HINT, PullsRun, RecordedPull
from nomicgen.pulls.status import UncountedVote, proposal_status
from nomicgen.repository.git_revisions import commit_id, merge_base

_LONGEST = 500  # characters of a reason, and of what to do about it
# The kinds that a run answers again, since their verdict can change as the game goes on. A pull
# request of any kind is answered when it is pushed (`pull-request.yml`). A run cannot know whether
# a keeper has allowed a change of the machinery.
_ANSWERED = ("proposal", "judgement", "act", "correction", "player", "turn")


class PullAnswer(Struct, frozen=True, kw_only=True):
    """The answer to a pull request: texts in Markdown, None where there is nothing to say.

    `pull` is its number. `comment` replaces the one before it; `ballot` is a comment of its own
    that is never edited; `close` is the comment with which the pull request is closed.
    """

    pull: int
    comment: str | None = None
    ballot: str | None = None
    close: str | None = None


def answers(run: PullsRun, cases: Sequence[RecordedPull], on: Moment) -> Iterator[PullAnswer]:
    """Yield the answer to each pull request that the run read and that is of an answered kind or
    holds a registered proposal. It is judged by the game as the run leaves it.

    What was legal when it was opened may not be now, and whoever merges it should read that.
    """
    game = run.move.after
    for case in sorted(cases, key=lambda case: case.pull.number):
        number = case.pull.number
        pull, known = run.pulls.get(number), proposal_debated_at(game, case.pull.url)
        if pull is None or (known is None and pull.verdict.kind not in _ANSWERED):
            continue
        if known is None:
            pull = judge_again(pull, game)
        report = _report_with_votes(game, pull, case, known, on)
        if known is not None and report.standing is not None:
            strays = (*report.standing.strays, *_strays_of_ended(run.game, case, known))
            report = replace(report, standing=replace(report.standing, strays=strays))
        if pull.verdict.kind == "proposal" and run.uses_old_word(case):
            report = replace(report, hint=OLD_WORD_HINT)
        stuck = run.stuck.get(known.number or 0) if known is not None else None
        # What is decided is past what its author asked for in vain.
        is_past = known is not None and not known.matter.is_undecided
        wrong = run.wrong.get(number) if not is_past else None
        refused = (
            wrong,
            stuck,
            *(why for (on_pull, _, _), why in run.undone.items() if on_pull == number),
        )
        undone = _not_done(pull, report.preview, [why for why in refused if why is not None])
        if known is None or known.matter.status == "debate":
            undone += _votes_on_others(game, case, cases)
        undone += [
            (task.what, task.help)
            for task in run.throws
            if known is not None
            and known.matter.is_undecided
            and task.path == f"turns/{known.matter.turn}.yml"
        ]
        yield PullAnswer(
            pull=number,
            comment=comment_markdown(
                pull.verdict,
                report,
                undone=undone,
                asked=wrong is not None and (wrong.waits is not None or known is None),
                zone=game.settings.timezone,
            ),
            ballot=_ballot(game, report, case),
            close=_close(game, run, pull, known, number),
        )


def _report_with_votes(
    game: Game, pull: Pull, case: RecordedPull, known: Proposal | None, on: Moment
) -> PullReport:
    """Return what is to be said of a pull request, with the votes that were cast on it if its vote
    is open; if these cannot be counted, with those in the proposal's file alone.
    """
    counted = None
    if known is not None and known.number is not None and known.matter.status == "open":
        with suppress(Refused):
            counted = count_recorded(game, known.number, case.recorded, on)
    # One game for the votes and for the preview: it says who takes part in the vote, and when.
    base = game if counted is None else counted.game
    report = report_on(replace(pull, base=base), case.pull.url, case.pull.branch)
    if counted is None or report.standing is None:
        return report
    standing = proposal_status(
        counted.proposal,
        base.records,
        base.replay,
        base.until,
        strays=counted.count.uncounted,
        changed=report.standing.changed,
    )
    return replace(report, standing=standing)


def _strays_of_ended(
    before: Game, case: RecordedPull, known: Proposal
) -> tuple[UncountedVote, ...]:
    """Return the votes that did not count when the run ended a vote: whoever cast them has not read
    that yet.
    """
    was, decided = before.records.proposal(known.path), known.matter.decided
    if known.matter.is_undecided or decided is None or was is None or was.matter.status != "open":
        return ()
    with suppress(Refused):
        return count_recorded(before, was.number or 0, case.recorded, decided).count.uncounted
    return ()


def _votes_on_others(
    game: Game, case: RecordedPull, cases: Sequence[RecordedPull]
) -> Iterator[tuple[str, str]]:
    """Yield the votes on a pull request that name the ballot of another one, each with what to do;
    except those of players who have voted there, too.
    """
    ballots = {
        proposal.matter.ballot_name: proposal
        for proposal in game.records.of_kind("proposal")
        if proposal.matter.status == "open" and is_pull(proposal.matter.discussion)
    }
    there = {
        (other.pull.url, cast.by, cast.ballot) for other in cases for cast in other.recorded.casts
    }
    for cast in case.recorded.casts:
        proposal = ballots.get(cast.ballot) if cast.ballot is not None else None
        where = proposal.matter.discussion if proposal is not None else None
        if proposal is None or cast.fault or (where, cast.by, cast.ballot) in there:
            continue
        message = f"{cast.by} voted here on {proposal.name}, whose votes are counted on another "
        yield f"{message}pull request", f"vote on {where}"


def _not_done(
    pull: Pull, preview: Preview | None, refusals: Sequence[Refused]
) -> list[tuple[str, str]]:
    """Return reasons why requests were refused, each with what to do, except those that the comment
    gives anyway.
    """
    known = {finding.message for finding in wrong_with(pull.verdict, preview)}
    step_refused = (
        preview.next_step.refused if preview is not None and preview.next_step is not None else None
    )
    reasons: list[tuple[str, str]] = []
    for refused in refusals:
        new = [(one.message, one.help) for one in refused.findings[:20] if one.message not in known]
        is_known = step_refused is not None and refused.message == step_refused.message
        if not is_known and (new or not refused.findings):
            reasons += [(refused.message, refused.remedy), *new]
    return [(message[:_LONGEST], help[:_LONGEST]) for message, help in reasons]


def _ballot(game: Game, report: PullReport, case: RecordedPull) -> str | None:
    """Return the ballot of an open vote, unless there is one for this text."""
    standing = report.standing
    if standing is None or standing.status != "open" or standing.digest is None:
        return None
    if standing.ballot is None or standing.ballot in case.recorded.ballots:
        return None
    summary = report.preview.summary if report.preview is not None else ()
    return ballot_markdown(
        standing,
        summary,
        {
            player: game.records.players[player].matter.accounts.get("github")
            for player in standing.lapsed
        },
        zone=game.settings.timezone,
    )


def _close(
    game: Game, run: PullsRun, pull: Pull, known: Instrument | None, number: int
) -> str | None:
    """Return the comment with which a pull request is closed. None unless its proposal is decided
    and no merge closes it.
    """
    if known is None or number in run.merged or known.number is None:
        return None
    matter = proposal_of(game, known.number).matter
    if matter.is_undecided or _is_merged(game, pull):
        return None
    lines = [
        f"Proposal {known.number} is "
        f"{matter.status}{_outcome(matter, game.replay.tallies.get(known.path))}."
    ]
    if number in run.unmerged and matter.status == "adopted":
        lines.append(f"{run.unmerged[number]}.")
    then = (
        "It takes effect when the next turn begins."
        if any(
            step.instrument.path == known.path and step.effective is None
            for step in game.replay.pending
        )
        else "There is nothing more to do."
        if matter.status == "adopted"
        else "To try again, open another pull request."
    )
    lines.append(f"It is kept in `{known.path}`, with its number, text and votes. {then}")
    return "\n\n".join(lines) + "\n"


def _outcome(matter: ProposalMatter, tally: Tally | None) -> str:
    """Return the end of a sentence, as far as it is known: ` on 2026-01-06: 2 for, 1 against, 0
    abstaining`.
    """
    when = f" on {str(matter.decided).replace('T', ' at ')}" if matter.decided is not None else ""
    if matter.status not in ("adopted", "defeated") or tally is None:
        return when
    for_, against, abstained = tally.votes_for, tally.votes_against, tally.abstentions
    return f"{when}: {for_} for, {against} against, {abstained} abstaining"


def _is_merged(game: Game, pull: Pull) -> bool:
    """Return whether the game's branch has the pull request's last commit."""
    return (
        pull.head is not None
        and merge_base(game.root, pull.head, commit_id(game.root, "HEAD")) == pull.head
    )
