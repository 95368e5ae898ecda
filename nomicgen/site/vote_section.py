"""The vote on a proposal as its page shows it: who voted how, the arithmetic, and the provision that decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nomicgen.archive.activity import how_cast
from nomicgen.files.urls import is_web
from nomicgen.law.replay_state import Condition, Step, Tally
from nomicgen.model import EarlierVote, Instrument, ProposalMatter, Vote
from nomicgen.site.shared_pieces import chance, over_since
from nomicgen.site.site_view import Site

_MOST_CELLS = 200


def vote_view(
    site: Site, one: Instrument, matter: ProposalMatter, step: Step | None, page: str
) -> Mapping[str, Any] | None:
    """The vote on a proposal; None where there was none."""
    tally = site.archive.replay.tallies.get(one.path)
    if tally is None or (matter.status in ("draft", "debate", "withdrawn") and not matter.votes):
        return None
    votes = matter.votes or {}
    # Who voted without being eligible is shown all the same, and said to be uncounted.
    uncounted = tuple(sorted(set(votes) - set(tally.eligible) - {tally.tie_break}))
    sides = [("For", "for", tally.for_), ("Against", "against", tally.against)]
    sides += [("Abstained", "abstain", tally.abstain)] if tally.abstain else []
    over = over_since(site, one)
    missing = "Yet to vote" if matter.status == "open" and over is None else "Did not vote"
    sides += [(missing, "missing", tally.missing)] if tally.missing else []
    left = tuple(sorted(set(tally.gone).difference(tally.for_, tally.against, tally.abstain)))
    sides += [("Left before they voted", "missing", left)] if left else []
    sides += [("Not counted", "missing", uncounted)] if uncounted else []
    open_ = matter.status == "open"
    return {
        "recorded": tally.recorded,
        "sides": [
            {
                "name": name,
                "kind": kind,
                "count": tally.worth(voters),
                "voters": [_voter(site, voter, votes.get(voter), tally, page) for voter in voters],
            }
            for name, kind, voters in sides
        ],
        "bar": _bar(tally),
        "needs": "What it needs" if open_ else "What it needed",
        "conditions": [
            _condition(site, condition, step, page, open_)
            for condition in tally.conditions
            if matter.status != "withdrawn"
        ],
        "verdict": _verdict(matter, tally, over=over is not None),
        "over": site.when(over, page) if over is not None else "",
        "closes": site.when(tally.closes, page) if open_ and tally.closes is not None and over is None else "",
    }


def _bar(tally: Tally) -> Sequence[str]:
    """One cell for each vote of the eligible voters; where that are too many to show, one for each voter."""
    sides = (("for", tally.for_), ("against", tally.against), ("abstain", tally.abstain), ("missing", tally.missing))
    cells = [(kind, tally.worth(voters), len(voters)) for kind, voters in sides]
    weighed = sum(votes for _, votes, _ in cells) <= _MOST_CELLS
    return [kind for kind, votes, heads in cells for _ in range(votes if weighed else heads)]


def _voter(site: Site, ident: str, vote: Vote | None, tally: Tally, page: str) -> Mapping[str, Any]:
    source = vote.source if vote is not None and is_web(vote.source) else None
    return {
        "name": site.who(ident, page),
        "plain": site.name(ident),
        "note": how_cast(ident, vote, tally),
        "when": site.when(vote.at, page) if vote is not None and vote.at is not None else "",
        "href": source,
    }


def _condition(site: Site, one: Condition, step: Step | None, page: str, open_: bool) -> Mapping[str, Any]:
    rule = step.before.get(one.rule) if step else None
    history = site.archive.histories.rules.get(rule.identity) if rule else None
    link: Mapping[str, Any] = {"href": "", "text": f"Rule {one.rule}", "note": "", "gone": False, "revision": ""}
    if rule is not None and history is not None:
        href = site.rule_href(history, page, rule.number, rule.revision)
        link = {**link, "href": href, "text": f"Rule {rule.ref}"}
    kind, mark, said = ("met", "✓", "met") if one.met else ("unmet", "✗", "not met")
    if open_ and not one.met:
        kind, mark, said = "waiting", "○", "not met yet"
    return {
        "rule": link,
        "sentence": one.sentence,
        "arithmetic": one.arithmetic,
        "kind": kind,
        "mark": mark,
        "said": said,
    }


def _verdict(matter: ProposalMatter, tally: Tally, *, over: bool) -> str:
    if over:
        fate = "adopted" if tally.adopted else "defeated"
        return "" if tally.adopted is None else f"As it stands, it is {fate} when somebody counts it."
    if matter.status == "open":
        if tally.adopted is None:
            return f"Not settled yet. {chance(tally)}".rstrip()
        return f"As it stands, it would be {'adopted' if tally.adopted else 'defeated'}. {chance(tally)}".rstrip()
    if matter.status == "withdrawn":
        return ""
    return "" if tally.conditions or not tally.recorded else "No provision of the rules in force decided this vote."


def earlier_views(site: Site, earlier: Sequence[EarlierVote], page: str) -> Sequence[Mapping[str, Any]]:
    """The votes on earlier submissions of a proposal, which were put aside when it was submitted again."""
    found = []
    for one in earlier:
        sides = [
            {"name": name, "voters": [site.who(ident, page) for ident, vote in one.votes.items() if vote.vote == kind]}
            for name, kind in (("For", "for"), ("Against", "against"), ("Abstained", "abstain"))
        ]
        found.append({"opened": site.when(one.opened, page), "sides": [side for side in sides if side["voters"]]})
    return found
