"""The count of a vote under the law of a moment: weights, silence, ties, and the conditions that
it meets. `voters.py` says whether each vote was cast lawfully.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from nomicgen.law.judging_kind import hooks
from nomicgen.law.precedence import Law
from nomicgen.law.provisions.adoption import Adoption, Outcome
from nomicgen.law.provisions.ballot import Ballot
from nomicgen.law.replay.player_spans import is_player
from nomicgen.law.replay.results import Rule
from nomicgen.law.sentences import sentence
from nomicgen.law.voting.conditions import Requirements
from nomicgen.law.voting.tally import Condition, Tally, VoteTotals
from nomicgen.law.voting.thresholds import (
    is_share,
    needed_words,
    needs_words,
    suffices,
    votes_needed,
)
from nomicgen.law.voting.voting_rights import (
    author_votes,
    breaks_ties,
    electorate,
    electorate_moment,
    inactive_voters,
    silence,
    tie_break,
    vote_closes,
    weights_of,
)
from nomicgen.model.front_matters import Choice, ProposalMatter
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Players
from nomicgen.model.values import Moment


def count_votes(
    matter: ProposalMatter,
    players: Players,
    law: Law,
    moment: Moment | None,
    conditions: Iterable[tuple[Rule, Adoption]],
    *,
    covered: bool = True,
) -> Tally:
    """Return the tally of a proposal's votes, as if the vote ended at `moment`.

    `covered` is False where some change has no adoption provision: then there is no outcome.
    """
    if matter.votes is None:
        return Tally(recorded=False)
    wanted = tuple(conditions)
    fixed = electorate_moment(matter, law, moment)
    eligible, everyone = electorate(players, law, fixed)
    # Where a rule lets inactive players vote, those who did are voters.
    if inactive := inactive_voters(matter, players, law, moment):
        eligible = tuple(voter for voter in everyone if voter in inactive or voter in eligible)
    tally = Tally(
        eligible=eligible,
        players=everyone,
        must_vote=silence(law) == "waits",
        # Without `opened`, a vote opened no sooner than its proposal was put forward.
        closes=vote_closes(law, matter.opened or matter.date),
        unanimity=any(
            of != "cast" and is_share(needs) and votes_needed(needs, 1)[0] == 1  # 100 %
            for _, adoption in wanted
            for needs, of in adoption.parts
        ),
        gone=()
        if fixed == moment
        else tuple(voter for voter in eligible if not is_player(players[voter], moment)),
        weights=weights_of(everyone, players, law, fixed),
        deeds=tuple(matter.deeds),
    )
    cast = _cast(matter, eligible, law)
    voted = frozenset(
        voter
        for voter in cast
        if voter in matter.votes and matter.votes[voter].cast_by != "silence"
    )
    missing = tuple(voter for voter in eligible if voter not in cast and voter not in tally.gone)
    early = tally.closes is not None and moment is not None and moment.precedes(tally.closes)
    may_end = not missing or not (tally.must_vote or early)
    tally = replace(tally, may_end=may_end, ballots=len(voted))
    counted = _counted(matter, cast, missing if may_end else (), law, tally)
    met = conditions_of(wanted, count_of(counted, law), law)
    return replace(
        counted,
        missing=() if counted.silent else missing,
        conditions=met,
        adopted=all(condition.met for condition in met) if may_end and covered else None,
        fewest=_fewest(matter, cast, voted, missing, tally, wanted, law, players)
        if matter.status == "open" and covered
        else None,
    )


def _cast(matter: ProposalMatter, eligible: Sequence[PlayerId], law: Law) -> dict[PlayerId, Choice]:
    """Return the votes of eligible voters, and a silent author's, where the rules say so.

    Silence that is recorded is left out if it counts as a vote: `_counted` counts all silence.
    """
    counts, able = silence(law) in ("for", "against"), frozenset(eligible)
    cast: dict[PlayerId, Choice] = {
        voter: vote.vote
        for voter, vote in (matter.votes or {}).items()
        if voter in able and not (counts and vote.cast_by == "silence")
    }
    if author_votes(law) is not None and matter.author in able:
        cast.setdefault(matter.author, "for")
    return cast


def _counted(
    matter: ProposalMatter,
    cast: Mapping[PlayerId, Choice],
    quiet: tuple[PlayerId, ...],
    law: Law,
    tally: Tally,
) -> Tally:
    """Return the tally with the votes `cast`, with the silence of `quiet` if it counts as a vote,
    and with the vote that breaks a tie.

    No tie is broken before the vote may end. A player who breaks ties and is among `cast` does so
    with the vote that they have cast.
    """
    mode = silence(law)
    silent = quiet if mode in ("for", "against") else ()
    sides: dict[str, list[PlayerId]] = {"for": [], "against": [], "abstain": []}
    for voter, side in [*cast.items(), *((voter, mode) for voter in silent)]:
        sides[side].append(voter)
    for_, against, abstain = (tuple(sorted(sides[side])) for side in ("for", "against", "abstain"))
    tally = replace(tally, for_=for_, against=against, abstain=abstain, silent=silent)
    breaker = tie_break(law)
    if breaker is None or not (tally.is_tied and tally.may_end):
        return tally
    vote = (matter.votes or {}).get(breaker.by)
    if breaker.by in cast:
        return replace(tally, tie_broken_by=breaker.by)
    if vote is None or vote.cast_by == "silence":
        return tally
    by = (breaker.by,)
    for_, against = for_ + by * (vote.vote == "for"), against + by * (vote.vote == "against")
    return replace(tally, for_=for_, against=against, tie_broken_by=breaker.by)


def conditions_of(wanted: Requirements, count: VoteTotals, law: Law) -> tuple[Condition, ...]:
    """Return what a vote must meet, each condition once: what its changes need (`wanted`), and what
    the rules ask of every vote.
    """
    asked = (
        _condition(rule.number, adoption, _totals_for(rule, count, law))
        for rule, adoption in wanted
    )
    others = (
        condition
        for demands in hooks(lambda kind: kind.demands)
        for condition in demands(count, law)
    )
    return tuple(dict.fromkeys((*asked, *others)))


def _totals_for(rule: Rule, count: VoteTotals, law: Law) -> VoteTotals:
    """Return the totals for a rule's condition. If the rule that ignores abstentions is less
    entrenched than this one, those who abstain are voters here.
    """
    abstention = law.says(Ballot.abstention)
    if (
        abstention is None
        or not count.ignored
        or law.ranks.get(rule.tier, len(law.ranks)) >= abstention.rank
    ):
        return count
    return replace(count, eligible=count.eligible + count.ignored)


def count_of(tally: Tally, law: Law) -> VoteTotals:
    """Return the totals of a tally, by what a rule says of abstentions.

    If whoever breaks a tie is an eligible voter, that is a second vote: a casting vote.
    """
    abstention = law.value(Ballot.abstention)
    broken = tally.tie_broken_by in (*tally.for_, *tally.against)
    second = broken and tally.tie_broken_by in tally.eligible
    for_ = tally.votes_for + (second and tally.tie_broken_by in tally.for_)
    against = tally.votes_against + (second and tally.tie_broken_by in tally.against)
    abstain = tally.abstentions
    ignored = abstain * (abstention == "ignored")
    return VoteTotals(
        for_=for_,
        against=against,
        eligible=tally.worth(tally.eligible) - ignored + broken,
        cast=for_ + against + abstain * (abstention == "counts"),
        players=tally.worth(tally.players) + second,
        ballots=tally.ballots,
        votes=len(tally.for_) + len(tally.against) + len(tally.abstain),
        voters=len(tally.eligible),
        seats=len(tally.players),
        weighed=", ".join(
            f"{voter} {tally.weights[voter]}" for voter in tally.for_ if voter in tally.weights
        ),
        deeds=tally.deeds,
        ignored=ignored,
    )


def _fewest(
    matter: ProposalMatter,
    cast: Mapping[PlayerId, Choice],
    voted: frozenset[PlayerId],
    missing: tuple[PlayerId, ...],
    tally: Tally,
    wanted: Requirements,
    law: Law,
    players: Players,
) -> int | None:
    """Return the smallest number of further votes in favour that would pass the vote; None if no
    number would. `cast` has the votes so far, `voted` who cast theirs, `missing` who have none.

    The other missing voters are silent, or, where everyone must vote, vote against.
    """
    waits, breaker = tally.must_vote, tie_break(law)
    # An author who has a vote by proposing can still cast it: a quorum counts it only then.
    own = tuple(voter for voter in cast if voter not in voted and voter not in tally.gone)
    # If weights are equal, whoever breaks ties is first: in a tie, their side has one more vote.
    by_weight = sorted(
        missing,
        key=lambda voter: (-tally.weights.get(voter, 1), breaker is None or voter != breaker.by),
    )
    for count in range(len(missing) + len(own) + 1):
        left = by_weight[count:]
        rest: dict[PlayerId, Choice] = dict.fromkeys(left, "against") if waits else {}
        won: dict[PlayerId, Choice] = dict.fromkeys((*by_weight, *own)[:count], "for")
        supposed = {**cast, **won, **rest}
        silent = () if waits else tuple(left)
        then = replace(tally, may_end=True, ballots=tally.ballots + len(won) + len(rest))
        votes = _counted(matter, supposed, silent, law, then)
        for more, tried in enumerate((votes, *_with_tie_broken(votes, law, players))):
            if all(condition.met for condition in conditions_of(wanted, count_of(tried, law), law)):
                return count + more
    return None


def _with_tie_broken(votes: Tally, law: Law, players: Players) -> Iterator[Tally]:
    """Yield the tally of a tie after somebody has broken it with a vote for, if somebody can."""
    breaker = tie_break(law)
    if breaker is None or votes.tie_broken_by or not votes.is_tied or breaker.by not in players:
        return
    if breaks_ties(players[breaker.by], law):
        yield replace(votes, for_=(*votes.for_, breaker.by), tie_broken_by=breaker.by)


@functools.lru_cache(maxsize=4096)
def _condition(rule: int, adoption: Adoption, count: VoteTotals) -> Condition:
    """Return a rule's condition, applied to what was counted.

    Cached, since in a long game most votes have the same totals as others.
    """
    bases = {"eligible": count.eligible, "cast": count.cast, "players": count.players}
    for_ = f"{count.for_} for{f' ({count.weighed})' if count.weighed else ''}"
    sums = [f"{for_}; {needed_words(needs, of, bases[of])}" for needs, of in adoption.parts]
    lacks = [
        "" if suffices(needs, count.for_, bases[of]) else needs_words(needs, of)
        for needs, of in adoption.parts
    ]
    outcome, why, lacking = _without_majority(adoption, count)
    if outcome and (outcome == "adopted") == bool(lacks[0]):
        sums[0] += f", but {why}, and that is {'' if lacks[0] else 'not '}enough"
        lacks[0] = "" if lacks[0] else lacking
    return Condition(
        rule=rule,
        sentence=sentence(adoption),
        arithmetic="; ".join(sums),
        lacks=tuple(filter(None, lacks)),
    )


def _without_majority(adoption: Adoption, count: VoteTotals) -> tuple[Outcome | None, str, str]:
    """Return what a condition says of a vote that is tied, or has no votes: the result (None if
    nothing), the reason, and what is then lacking.
    """
    if not count.votes:
        return adoption.unvoted, "nobody has voted", "a vote"
    tied = adoption.tied if count.for_ == count.against > 0 else None
    return tied, "the votes are tied", "more votes for than against"
