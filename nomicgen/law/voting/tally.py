"""A vote as it was counted: who voted how, the sums, and each condition that the vote must meet.
Value types only.

`law/voting/vote_count.py` makes them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec import Struct

from nomicgen.model.front_matters import Deed
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.values import Moment


class Condition(Struct, frozen=True, kw_only=True):
    """A provision that a vote must meet, applied to one vote.

    `arithmetic` is what the page shows, e.g. `3 for of 4 eligible; more than 2 needed`; `lacks` has
    the words of what is not met, e.g. `more than half of eligible voters`. `heads` says that it
    counts who votes, and not how.
    """

    rule: int
    sentence: str
    arithmetic: str
    lacks: tuple[str, ...] = ()
    heads: bool = False

    @property
    def met(self) -> bool:
        return not self.lacks


class Tally(Struct, frozen=True, kw_only=True):
    """The vote on a proposal, under the law of its day. Ids are in alphabetical order.

    `eligible` may vote on it; `players` are all persons who play, and dummies that vote.
    `recorded` is False where an archive did not keep the votes; `adopted` None while the outcome is
    not settled (votes missing, or no adoption provision known). `missing` has who may vote and has
    not, `silent` those whose silence counts as a vote (they are in `for_` or `against`). `may_end`
    says whether the vote can end as it stands, `closes` when it ends by itself; `tie_break` names
    who broke a tie. `unanimity`: the vote of every eligible voter was needed. `fewest` is
    the smallest number of further votes in favour that would pass an open vote, None where nothing
    can pass it. `gone` are eligible, and have left.
    `weights` has the weights that are not 1, `ballots` how many voted themselves, `deeds` what
    players did about it.
    """

    for_: tuple[PlayerId, ...] = ()
    against: tuple[PlayerId, ...] = ()
    abstain: tuple[PlayerId, ...] = ()
    silent: tuple[PlayerId, ...] = ()
    eligible: tuple[PlayerId, ...] = ()
    players: tuple[PlayerId, ...] = ()
    missing: tuple[PlayerId, ...] = ()
    must_vote: bool = False
    may_end: bool = True
    closes: Moment | None = None
    tie_break: str | None = None
    unanimity: bool = False
    recorded: bool = True
    conditions: tuple[Condition, ...] = ()
    adopted: bool | None = None
    fewest: int | None = None
    ballots: int = 0
    gone: tuple[PlayerId, ...] = ()
    weights: Mapping[PlayerId, int] = {}
    deeds: tuple[Deed, ...] = ()

    def awaited(self, moment: Moment) -> tuple[PlayerId, ...]:
        """Return who can still vote on the last day, on which the vote can also end as it stands.

        A day without a time lasts until its end.
        """
        if not self.may_end or self.closes is None or self.closes.precedes(moment):
            return ()
        return (*self.missing, *self.silent)

    def worth(self, voters: Collection[PlayerId]) -> int:
        """Return how many votes the votes of some players count together."""
        return sum(self.weights.get(voter, 1) for voter in voters) if self.weights else len(voters)

    @property
    def votes_for(self) -> int:
        """How many votes are for, with their weights."""
        return self.worth(self.for_)

    @property
    def votes_against(self) -> int:
        return self.worth(self.against)

    @property
    def abstentions(self) -> int:
        return self.worth(self.abstain)

    @property
    def is_tied(self) -> bool:
        """Whether as many are for as against, and there are any."""
        return self.votes_for == self.votes_against > 0


class VoteTotals(Struct, frozen=True):
    """The totals of a vote: votes for and against, and the numbers that a share can be of, all with
    their weights.

    `eligible` leaves out those who abstain where they are no voters: these are `ignored`.

    Counted by heads, without weights: the `ballots` that eligible voters cast themselves, all
    `votes`, with those that silence or proposing made, the eligible `voters`, and `seats`, all
    players. `weighed` names the votes in favour that do not count as 1.
    """

    for_: int
    against: int
    eligible: int
    cast: int
    players: int
    ballots: int
    votes: int
    voters: int
    seats: int
    weighed: str = ""
    deeds: tuple[Deed, ...] = ()
    """What players did about the proposal, under the rules that let them."""
    ignored: int = 0
