"""The arithmetic of a vote under the law of its day: exact, and with what silence, ties and dice make of it."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from nomicgen.law.electorate import author_votes, breaks_ties, closing, electorate, silence, tie_break, woken
from nomicgen.law.kinds import kinds_that
from nomicgen.law.precedence import Law
from nomicgen.law.provisions.adoption import Adoption, Threshold, needs_words, suffices, votes_needed
from nomicgen.law.sentences import sentence
from nomicgen.law.state import Condition, Rule, Tally
from nomicgen.model import Choice, Moment, Player, ProposalMatter

__all__ = ["Count", "conditions_of", "count_votes"]

Conditions = tuple[tuple[Rule, Adoption], ...]


@dataclass(frozen=True, slots=True)
class _Votes:
    """What was cast, and what the law makes of those who did not: all ids in alphabetical order."""

    for_: tuple[str, ...]
    against: tuple[str, ...]
    abstain: tuple[str, ...]
    silent: tuple[str, ...]
    breaker: str | None

    @property
    def is_tie(self) -> bool:
        return len(self.for_) == len(self.against) > 0


def count_votes(
    matter: ProposalMatter,
    players: Mapping[str, Player],
    law: Law,
    moment: Moment | None,
    conditions: Iterable[tuple[Rule, Adoption]],
    *,
    covered: bool = True,
) -> Tally:
    """The tally of a proposal's votes, as if the vote ended at `moment`.

    `covered` is False where some change has no adoption provision. Of an open vote `fewest` says how many further
    votes in favour would pass it.
    """
    wanted = tuple(conditions)
    eligible, everyone = electorate(players, law, moment)
    if awake := woken(matter, players, law, moment):
        eligible = tuple(one for one in everyone if one in awake or one in eligible)
    # Without a day of its own a vote opened no sooner than it was put forward.
    opened = matter.opened or matter.date
    tally = Tally(
        eligible=eligible,
        players=everyone,
        must_vote=silence(law) == "waits",
        closes=closing(law, opened),
        unanimity=any(_asks_for_all(one) for _, one in wanted),
        recorded=matter.votes is not None,
    )
    if matter.votes is None:
        return tally
    cast = _cast(matter, eligible, law)
    missing = tuple(voter for voter in eligible if voter not in cast)
    early = tally.closes is not None and moment is not None and moment.precedes(tally.closes)
    may_end = not missing or not (tally.must_vote or early)
    votes = _counted(matter, cast, missing if may_end else (), law, may_end=may_end)
    met, waits = _conditions(wanted, votes, tally, law), matter.status == "open" and covered
    return replace(
        tally,
        for_=votes.for_,
        against=votes.against,
        abstain=votes.abstain,
        silent=votes.silent,
        missing=tuple(voter for voter in missing if voter not in votes.silent),
        conditions=met,
        may_end=may_end,
        tie_break=votes.breaker,
        adopted=all(one.met for one in met) if may_end and covered else None,
        fewest=_fewest(matter, cast, missing, tally, wanted, law, players) if waits else None,
    )


def _asks_for_all(one: Adoption) -> bool:
    """Whether a condition asks for the vote of every eligible voter."""
    return any(of != "cast" and (needs == "unanimous" or _is_whole(needs)) for needs, of in one.parts)


def _is_whole(needs: object) -> bool:
    least = needs.at_least if isinstance(needs, Threshold) else None
    return least is not None and least.share and least.value == 1


def _cast(matter: ProposalMatter, eligible: Sequence[str], law: Law) -> dict[str, Choice]:
    """The votes of eligible voters; an author who is silent votes for where the rules say so."""
    counts, able = silence(law) in ("for", "against"), frozenset(eligible)
    found: dict[str, Choice] = {
        voter: vote.vote
        for voter, vote in (matter.votes or {}).items()
        if voter in able and not (counts and vote.cast_by == "silence")
    }
    if author_votes(law) is not None and matter.author in able:
        found.setdefault(matter.author, "for")
    return found


def _counted(
    matter: ProposalMatter, cast: Mapping[str, Choice], quiet: tuple[str, ...], law: Law, *, may_end: bool
) -> _Votes:
    """What the votes cast come to, and the silence of `quiet`, whose time is up.

    Nobody breaks a tie before the vote may end: while somebody is waited for, there is none. Whoever is among `cast`
    and breaks ties does so with the vote that they have cast.
    """
    mode = silence(law)
    silent = quiet if mode in ("for", "against") else ()
    sides: dict[str, list[str]] = {"for": [], "against": [], "abstain": []}
    for voter, side in [*cast.items(), *((voter, mode) for voter in silent)]:
        sides[side].append(voter)
    for_, against, abstain = (tuple(sorted(sides[side])) for side in ("for", "against", "abstain"))
    votes = _Votes(for_, against, abstain, silent, None)
    breaker = tie_break(law)
    given = (matter.votes or {}).get(breaker.by) if breaker else None
    if breaker is not None and breaker.by in cast:
        return replace(votes, breaker=breaker.by) if votes.is_tie and may_end else votes
    if breaker is None or given is None or not votes.is_tie or not may_end or given.cast_by == "silence":
        return votes
    votes = replace(votes, breaker=breaker.by)
    if given.vote == "for":
        return replace(votes, for_=(*votes.for_, breaker.by))
    return replace(votes, against=(*votes.against, breaker.by)) if given.vote == "against" else votes


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """What was counted: the votes for, how many took part, and what a share can be of."""

    for_: int
    ballots: int
    eligible: int
    cast: int
    players: int


def conditions_of(wanted: Conditions, count: Count, law: Law) -> tuple[Condition, ...]:
    """What a vote must meet, each condition once: what its changes need, and what else the rules ask of every vote."""
    asked = (_condition(rule.number, one, count) for rule, one in wanted)
    others = (one for kind in kinds_that("demands") if kind.demands for one in kind.demands(count, law))
    return tuple(dict.fromkeys((*asked, *others)))


def _conditions(wanted: Conditions, votes: _Votes, tally: Tally, law: Law) -> tuple[Condition, ...]:
    said = law.says("ballot", "abstention")
    abstention = said.value if said else None
    broken = votes.breaker in (*votes.for_, *votes.against)
    # A casting vote is one vote more, of somebody who has one already.
    second = broken and votes.breaker in tally.eligible
    count = Count(
        for_=len(votes.for_) + (second and votes.breaker in votes.for_),
        ballots=len(votes.for_) + len(votes.against) + len(votes.abstain),
        eligible=len(tally.eligible) - len(votes.abstain) * (abstention == "ignored") + broken,
        cast=len(votes.for_) + len(votes.against) + len(votes.abstain) * (abstention == "counts") + second,
        players=len(tally.players) + second,
    )
    return conditions_of(wanted, count, law)


def _fewest(
    matter: ProposalMatter,
    cast: Mapping[str, Choice],
    missing: tuple[str, ...],
    tally: Tally,
    wanted: Conditions,
    law: Law,
    players: Mapping[str, Player],
) -> int | None:
    """The smallest number of further votes for that would do: the others vote against, or are silent where they may."""
    waits, breaker = silence(law) == "waits", tie_break(law)
    missing = tuple(sorted(missing, key=lambda one: breaker is None or one != breaker.by))
    for count in range(len(missing) + 1):
        rest: dict[str, Choice] = dict.fromkeys(missing[count:], "against") if waits else {}
        won: dict[str, Choice] = dict.fromkeys(missing[:count], "for")
        supposed = {**cast, **won, **rest}
        silent = () if waits else missing[count:]
        votes = _counted(matter, supposed, silent, law, may_end=True)
        for more, tried in enumerate((votes, *_with_tie_broken(votes, law, players))):
            if all(one.met for one in _conditions(wanted, tried, tally, law)):
                return count + more
    return None


def _with_tie_broken(votes: _Votes, law: Law, players: Mapping[str, Player]) -> Iterator[_Votes]:
    """The votes as they are if who breaks ties, and has not voted yet, votes for."""
    breaker = tie_break(law)
    player = players.get(breaker.by) if breaker is not None else None
    if breaker is not None and player is not None and breaks_ties(player, law) and not votes.breaker and votes.is_tie:
        yield replace(votes, for_=(*votes.for_, breaker.by), breaker=breaker.by)


@functools.lru_cache(maxsize=4096)
def _condition(rule: int, one: Adoption, count: Count) -> Condition:
    """A rule's condition against what was counted; kept, since in a long game most votes come out like others."""
    bases = {"eligible": count.eligible, "cast": count.cast, "players": count.players}
    return Condition(
        rule=rule,
        sentence=sentence("adoption", one),
        arithmetic="; ".join(_arithmetic(needs, of, count.for_, bases[of]) for needs, of in one.parts),
        lacks=tuple(needs_words(*part) for part in one.parts if not suffices(part[0], count.for_, bases[part[1]])),
    )


def _arithmetic(needs: str | Threshold, of: str, for_: int, base: int) -> str:
    """What was needed and what there was; exact."""
    need, over = votes_needed(needs, base)
    shown = need if need.denominator == 1 else f"{float(need):.2f}".rstrip("0")
    return f"{for_} for; {needs_words(needs, of)} ({base}): {'more than ' if over else ''}{shown} needed"
