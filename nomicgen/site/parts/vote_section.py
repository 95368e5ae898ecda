"""The vote on a proposal as its page shows it: who voted how, and the outcome."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from nomicgen.law.voting.tally import Tally
from nomicgen.model.front_matters import ProposalMatter
from nomicgen.model.records import Proposal
from nomicgen.play.open_tasks import is_held_elsewhere
from nomicgen.site.parts.status_words import outlook, vote_ended
from nomicgen.site.site_view import Site

_MOST_CELLS = 200
"""A bar has a cell for each vote; if there are more votes than these, one for each voter."""


def vote_values(site: Site, proposal: Proposal) -> dict[str, Any]:
    """Return the template's values for the vote on a proposal; `tally` is None if there was no
    vote, or the proposal was withdrawn before anybody voted.
    """
    tally, matter = site.replay.tallies.get(proposal.path), proposal.matter
    if tally is None or (matter.status in ("draft", "debate", "withdrawn") and not matter.votes):
        return {"tally": None}
    over = vote_ended(site, proposal)
    is_open = matter.status == "open"
    is_known = not (is_open and is_held_elsewhere(matter))
    return {
        "tally": tally,
        "is_open": is_open,
        "over": over,
        "bar": _bar(tally),
        "sides": list(_sides(matter, tally, goes_on=is_open and over is None)),
        "conditions": tally.conditions if is_known else (),
        "verdict": _verdict(matter, tally, is_over=over is not None) if is_known else "",
    }


def _sides(
    matter: ProposalMatter, tally: Tally, *, goes_on: bool
) -> Iterator[tuple[str, str, Sequence[str]]]:
    """Yield each side: its words, its kind (a class in the stylesheet), and its players. Of the
    sides except `For` and `Against`, only those that have players.
    """
    yield "For", "for", tally.for_
    yield "Against", "against", tally.against
    # Who voted without being eligible is shown all the same, and said to be uncounted.
    uncounted = set(matter.votes or {}) - set(tally.eligible) - {tally.tie_broken_by}
    left = set(tally.gone).difference(tally.for_, tally.against, tally.abstain)
    more = (
        ("Abstained", "abstain", tally.abstain),
        ("Yet to vote" if goes_on else "Did not vote", "missing", tally.missing),
        ("Left before they voted", "missing", sorted(left)),
        ("Not counted", "missing", sorted(uncounted)),
    )
    yield from (side for side in more if side[2])


def _bar(tally: Tally) -> Sequence[str]:
    """Return the kind of each cell of the bar. A cell is one vote (a player may have several), or,
    if those are too many, one voter.
    """
    sides = (
        ("for", tally.for_),
        ("against", tally.against),
        ("abstain", tally.abstain),
        ("missing", tally.missing),
    )
    cells = [(kind, tally.worth(voters), len(voters)) for kind, voters in sides]
    weighed = sum(votes for _, votes, _ in cells) <= _MOST_CELLS
    return [kind for kind, votes, heads in cells for _ in range(votes if weighed else heads)]


def _verdict(matter: ProposalMatter, tally: Tally, *, is_over: bool) -> str:
    if is_over:
        fate = "adopted" if tally.adopted else "defeated"
        return (
            "" if tally.adopted is None else f"As it stands, it is {fate} when somebody counts it."
        )
    if matter.status == "open":
        if tally.adopted is None:
            return f"Not settled yet. {outlook(tally)}".rstrip()
        return (
            f"As it stands, it would be {'adopted' if tally.adopted else 'defeated'}. "
            f"{outlook(tally)}"
        ).rstrip()
    if matter.status == "withdrawn":
        return ""
    # An archive may not have the votes.
    return (
        ""
        if tally.conditions or not tally.recorded
        else "No provision of the rules in force decided this vote."
    )
