"""What is wrong with single votes: the voter had no vote, it came too late, or it may not be cast
in that way.
"""

from __future__ import annotations

from collections.abc import Iterator

from nomicgen.law.precedence import Law, Said, rule_finding
from nomicgen.law.provisions.ballot import Ballot, Silence
from nomicgen.law.replay.player_spans import is_player
from nomicgen.law.voting.tally import Tally
from nomicgen.law.voting.voting_rights import (
    author_votes,
    breaks_ties,
    die_of,
    electorate_moment,
    inactive_voters,
    may_vote,
    silence,
    silence_rule,
    vote_closes,
)
from nomicgen.model.findings import Finding
from nomicgen.model.front_matters import ProposalMatter, Vote
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Player, Players, Proposal
from nomicgen.model.values import Moment, Span


def judge_voters(
    instrument: Proposal,
    players: Players,
    law: Law,
    moment: Moment | None,
    tally: Tally,
) -> Iterator[Finding]:
    """Yield what is wrong with each vote on a proposal under `law`, if they are counted at
    `moment`.
    """
    matter = instrument.matter
    inactive = inactive_voters(matter, players, law, moment)
    for voter, vote in (matter.votes or {}).items():
        span = instrument.source.key("votes", voter)
        if voter not in players:
            message = f"{voter} voted, and there is no players/{voter}.yml"
            remedy = f"add players/{voter}.yml with the day of joining, or delete the vote"
            yield rule_finding("voter-unknown", span, None, message, remedy)
            continue
        player, breaks = players[voter], breaks_ties(players[voter], law)
        # A vote without a day was cast at some time between opening and decision: whoever left or
        # joined in between could cast it. Silence is counted at the decision, of those who may vote
        # then.
        first = moment if vote.cast_by == "silence" else matter.opened or moment
        days = (vote.at,) if vote.at else (first, moment)
        if not any(
            is_player(player, day) if breaks else may_vote(player, law, day, matter) for day in days
        ):
            # The vote of an inactive player may count, and makes the player active again.
            wakes = voter in inactive and voter in tally.eligible
            yield _no_voter(player, days[-1], matter, law, span, wakes=wakes)
            if not wakes:
                continue
        if breaks:
            yield from _breaks_no_tie(voter, vote, matter, tally, law, span)
        else:
            yield from _too_late(voter, vote, matter, law, span)
        yield from _wrongly_cast(player, vote, matter, law, span)


def _no_voter(
    player: Player, day: Moment | None, matter: ProposalMatter, law: Law, span: Span, *, wakes: bool
) -> Finding:
    """Return that a player had no vote, or was inactive. A vote that `wakes` them counts, and their
    file should no longer say that they are inactive.
    """
    voter, fixed = player.ident, electorate_moment(matter, law, day)
    # Whoever could not vote when the electorate was fixed is barred, whatever came later.
    barred = not (
        wakes or fixed == day or breaks_ties(player, law) or may_vote(player, law, fixed, matter)
    )
    on = f"{fixed}, when the vote opened" if barred else day
    rule_value = law.says(
        Ballot.inactive_may_vote if wakes else Ballot.electorate_at if barred else Ballot.electorate
    )
    message = f"{voter} voted, but was {'inactive' if wakes else 'not an eligible voter'} on {on}"
    remedy = f"players/{voter}.yml says when {voter} played; correct it there, or delete the vote"
    if wakes:
        remedy = (
            f"`nomicgen player return {voter} --on {day}` records that the vote ended the absence"
        )
    elif rule_value is not None and is_player(player, fixed) and is_player(player, day):
        remedy = (
            f"Rule {rule_value.rule} says who may vote: delete the vote, or correct "
            f"players/{voter}.yml, if that is wrong"
        )
    return rule_finding("voter-unknown", span, rule_value, message, remedy)


def _breaks_no_tie(
    voter: PlayerId, vote: Vote, matter: ProposalMatter, tally: Tally, law: Law, span: Span
) -> Iterator[Finding]:
    """Yield that the player who breaks ties has a vote that broke none."""
    if vote.cast_by == "silence":
        why, more = "silence breaks none", f", or record what {voter} voted"
    elif (
        matter.status in ("adopted", "defeated")
        and tally.tie_broken_by is None
        # If votes are missing and the others are tied, only the missing votes are reported.
        and (tally.may_end or not tally.is_tied)
    ):
        why, more = "there was none", ""
    else:
        return
    message = f"{voter} votes only to break a tie, and {why}"
    remedy = f"delete the vote of {voter}{more}"
    yield rule_finding("vote-unlawful", span, law.says(Ballot.tie_break), message, remedy)


def _too_late(
    voter: PlayerId, vote: Vote, matter: ProposalMatter, law: Law, span: Span
) -> Iterator[Finding]:
    closes = vote_closes(law, matter.opened)
    if closes is not None and vote.cast_by != "silence" and closes.precedes(vote.at):
        message = f"{voter} voted on {vote.at}; the vote closed on {closes}"
        remedy = f"correct `at`, or delete the vote: {voter} then counts as silent"
        yield rule_finding("vote-late", span, law.says(Ballot.closes_after), message, remedy)


def _wrongly_cast(
    player: Player, vote: Vote, matter: ProposalMatter, law: Law, span: Span
) -> Iterator[Finding]:
    """Yield what is wrong with how a vote was cast: by silence, by a die, or as an abstention."""
    if vote.cast_by == "silence":
        if not breaks_ties(player, law):
            yield from _by_silence(player.ident, vote, matter, law, span)
    elif vote.cast_by == "die" or die_of(player, law) is not None:
        yield from _by_die(player, vote, matter, law, span)
    elif vote.vote == "abstain" and (forbidden := what_forbids_abstention(law)) is not None:
        rule_value, why = forbidden
        yield rule_finding(
            "vote-unlawful",
            span,
            rule_value,
            f"{player.ident} abstained: {why}",
            "vote for or against"
            if matter.is_undecided
            else f"delete the vote of {player.ident}, or record what {player.ident} voted",
        )


def _by_die(
    player: Player, vote: Vote, matter: ProposalMatter, law: Law, span: Span
) -> Iterator[Finding]:
    die = die_of(player, law)
    if die is None:
        message, rule_value = (
            f"{player.ident} votes by a die, and no rule lets {player.ident} do so",
            None,
        )
        remedy = (
            "delete `cast_by` if the player voted, or let a rule's `ballot` say who votes by die"
        )
    else:
        rule_value = law.says(Ballot.tie_break if breaks_ties(player, law) else Ballot.dummy)
        shown = f"nomicgen vote {matter.number} --die FACE --player {player.ident}"
        again = f"{_reopened(matter)}delete the vote, then `{shown}`"
        if vote.cast_by != "die" or vote.die is None:
            message, remedy = (
                f"{player.ident} votes by die, and no throw is recorded",
                f"{_reopened(matter)}throw, then `{shown}`",
            )
        elif not 1 <= vote.die <= die.die:  # the face thrown, and the die's sides
            message, remedy = (
                f"a die of {die.die} sides does not show {vote.die}",
                f"correct `die`, or {again}",
            )
        elif vote.vote != die.vote(vote.die):
            thrown = _choice_words(die.vote(vote.die))
            message = f"a throw of {vote.die} is {thrown}, and `{vote.vote}` is recorded"
            remedy = f"correct `vote` or `die`, or {again}"
        else:
            return
    yield rule_finding("vote-unlawful", span, rule_value, message, remedy)


def _reopened(matter: ProposalMatter) -> str:
    """Return what is to be done before `nomicgen vote` takes a vote on a decided proposal."""
    if matter.is_undecided:
        return ""
    gone = "`decided` and `effective`" if matter.effective is not None else "`decided`"
    return f"put back `status: open`, delete {gone}, then `nomicgen apply`, "


def _choice_words(choice: str) -> str:
    return "no vote" if choice == "abstain" else f"a vote {choice}"


_WHAT_SILENCE_DOES: dict[Silence, str] = {"waits": "holds the vote open", "ignored": "is no vote"}


def _by_silence(
    voter: PlayerId, vote: Vote, matter: ProposalMatter, law: Law, span: Span
) -> Iterator[Finding]:
    mode, author_rule = silence(law), author_votes(law)
    rule_value = silence_rule(law)
    if author_rule is not None and voter == matter.author:
        mode, rule_value = "for", author_rule
    if vote.vote == mode:
        return
    meaning = _WHAT_SILENCE_DOES.get(mode, f"counts as a vote {mode}")
    message = f"{voter}'s silence {meaning}, and `{vote.vote}` is recorded"
    remedy = f"delete the vote of {voter}, or record what {voter} voted"
    yield rule_finding("vote-unlawful", span, rule_value, message, remedy)


def what_forbids_abstention(law: Law) -> tuple[Said[object], str] | None:
    """Return the rule by which nobody may abstain, and why; None if abstaining is allowed."""
    abstention = law.says(Ballot.abstention)
    everyone = law.says(Ballot.everyone_votes)
    if abstention is not None and abstention.value == "forbidden":
        return abstention, "an abstention is not allowed"
    if abstention is None and everyone is not None and everyone.value:
        return everyone, "everyone must vote, and no rule lets anyone abstain"
    return None
