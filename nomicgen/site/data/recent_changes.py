"""The file from which a script tells a reader what is new since their last visit: changes of the
law, votes, judgements, drafts and scores.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from nomicgen.law.replay.results import Step
from nomicgen.model.records import Instrument, Proposal
from nomicgen.play.open_tasks import is_held_elsewhere
from nomicgen.play.scores_text import amount
from nomicgen.site.addresses import INDEX, TIME, data_file
from nomicgen.site.parts.page import Page
from nomicgen.site.parts.status_words import status_words, vote_ended
from nomicgen.site.site_view import Site

NEWS = "assets/news.json"
NEWS_SCRIPTS = ("words.js", "home.js")
"""The scripts of the pages that show the news."""
_MOST = 60
"""The most changes, votes and judgements in the file."""


def news_file(site: Site) -> str:
    """Return the news as JSON: the latest `changes` of the law and `votes` that were opened, oldest
    first, the `judgements` with the highest numbers, and all `drafts`.

    `all` is how many changes there were in all. `scores` has the points of each player who has a
    place, by name. Addresses are relative to the site's root.
    """
    applied = [step for step in site.replay.steps if step.outcome == "applied" and step.changes]
    opened = [
        (proposal.matter.opened, proposal.number or 0, proposal)
        for proposal in site.records.of_kind("proposal")
        if proposal.matter.opened
    ]
    opened.sort(key=lambda vote: vote[:2])
    news = {
        "all": len(applied),
        "time": Page(site, INDEX).href(TIME),
        "changes": [_change(site, step) for step in applied[-_MOST:]],
        "votes": [vote for _, _, proposal in opened[-_MOST:] for vote in _vote(site, proposal)],
        "judgements": [
            _stated(site, judgement) for judgement in site.records.of_kind("judgement")[-_MOST:]
        ],
        "drafts": [_stated(site, draft) for draft in site.status.drafts],
        "scores": {site.name(score.player): amount(score.total) for score in site.ranking}
        if site.replay.awards
        else {},
    }
    return f"{json.dumps(news, ensure_ascii=False)}\n"


def _stated(site: Site, instrument: Instrument) -> dict[str, Any]:
    return {**_named(site, instrument), "said": status_words(site, instrument)[0]}


def _named(site: Site, instrument: Instrument) -> dict[str, Any]:
    return {
        "file": instrument.path,
        "name": site.title_of(instrument),
        "url": Page(site, INDEX).instrument_href(instrument),
    }


def _change(site: Site, step: Step) -> dict[str, Any]:
    pages = [
        site.addresses.rule_page(site.histories.rules[change.rule.identity])
        for change in step.changes
        if change.rule.identity in site.histories.rules
    ]
    rules = [Page(site, INDEX).href(data_file(page)) for page in dict.fromkeys(pages)]
    return {**_named(site, step.instrument), "rules": rules}


def _vote(site: Site, proposal: Proposal) -> Iterator[dict[str, Any]]:
    tally = site.replay.tallies.get(proposal.path)
    if tally is None:
        return
    still = proposal.matter.status == "open"
    elsewhere = still and is_held_elsewhere(proposal.matter)
    count = f" {tally.votes_for}–{tally.votes_against}" * (tally.recorded and not elsewhere)
    awaited = (
        [site.name(ident) for ident in tally.missing]
        if still and not elsewhere and vote_ended(site, proposal) is None
        else []
    )
    yield {
        **_named(site, proposal),
        "open": still,
        "said": f"{proposal.matter.status}{count}",
        "awaited": awaited,
    }
