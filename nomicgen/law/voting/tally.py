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

    `arithmetic` is what pages show: `3 for; more than half of eligible voters (4): more than 2
    needed`. `lacks` has what is not met, in words: `more than half of eligible voters`. A quorum
    (`is_quorum`) counts who votes, and not how.
    """

    rule: int
    sentence: str
    arithmetic: str
    lacks: tuple[str, ...] = ()
    is_quorum: bool = False

    @property
    def met(self) -> bool:
        return not self.lacks


class Tally(Struct, frozen=True, kw_only=True):
    """The vote on a proposal, counted under the law of a moment.

    `eligible` has who may vote on it, `players` all persons who play, and dummies that vote. `gone`
    are eligible and have left. `missing` are eligible, have not left and have not voted; when their
    silence comes to count as a vote, they are in `silent` instead, and in `for_` or `against`.
    `must_vote` says that the rules wait for every vote, `may_end` whether the vote can end as it
    stands, `closes` the last moment of the vote, None if it has none. `tie_broken_by` names who
    broke a tie. `unanimity`: the change needs all votes of the eligible voters, or of all players.
    `weights` has the weights that are not 1, `ballots` how many voted themselves, `deeds` what
    players did about the proposal.

    `recorded` is False if the file says `votes: unrecorded`, as archives do. `adopted` is None
    while the outcome is not settled: votes are missing or not recorded, or no provision says how a
    change is adopted. `fewest` is the smallest number of further votes in favour that would pass an
    open vote; None where none would, and for other votes.
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
    tie_broken_by: str | None = None
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
        """Return who can still vote at `moment`, though the vote can already end as it stands.

        Both are true on the last day, if `closes` has no time.
        """
        if not self.may_end or self.closes is None or self.closes.precedes(moment):
            return ()
        return (*self.missing, *self.silent)

    def worth(self, voters: Collection[PlayerId]) -> int:
        """Return how many votes some players have together."""
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
        """Whether there are votes, and as many for as against."""
        return self.votes_for == self.votes_against > 0


class VoteTotals(Struct, frozen=True):
    """The totals of a vote.

    With their weights: the votes `for_` and `against`, and the totals that a share can be of:
    `eligible`, `cast` and `players`. If abstentions do not count, `ignored` has their votes, and
    `eligible` is without them.

    Without weights: the `ballots` that eligible voters cast themselves, all `votes`, with those
    that silence or proposing made, the eligible `voters`, and `seats`, all players. `weighed` names
    the votes in favour that do not count as 1: `osprey 3`.
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
