"""The data of proposals, judgements and acts: the lists of them, and a document each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from nomicgen.formats import api_instruments as shapes
from nomicgen.identifiers import PlayerId
from nomicgen.model import Act, Instrument, Judgement, Proposal, RuleRef, Vote
from nomicgen.site.addresses import ACTS, INDEX, JUDGEMENTS, PROPOSALS, instrument_page
from nomicgen.site.data_parts import NOWHERE, data_file, instrument_place, rule_place
from nomicgen.site.linked_history import instrument_commit
from nomicgen.site.page import Page
from nomicgen.site.site_view import Site


def instrument_documents(site: Site) -> Iterator[tuple[str, dict[str, Any]]]:
    """The list of each kind, and every instrument."""
    href = Page(site, INDEX).href
    proposals, judgements, acts = (
        site.records.of_kind("proposal"),
        site.records.of_kind("judgement"),
        site.records.of_kind("act"),
    )
    items = [shapes.PROPOSAL_ITEM.write(one.matter, **_proposal_fields(site, one)) for one in proposals]
    yield (
        data_file(PROPOSALS),
        shapes.PROPOSALS.write(url=href(PROPOSALS), proposals=items),
    )
    items = [shapes.JUDGEMENT_ITEM.write(one.matter, **_placed(site, one)) for one in judgements]
    yield (
        data_file(JUDGEMENTS),
        shapes.JUDGEMENTS.write(url=href(JUDGEMENTS), judgements=items),
    )
    items = [shapes.ACT_ITEM.write(one.matter, **_act_fields(site, one)) for one in acts]
    yield (
        data_file(ACTS),
        shapes.ACTS.write(url=href(ACTS) if acts else None, acts=items),
    )
    yield from (proposal_document(site, one) for one in proposals)
    yield from ((_file(one), _judgement(site, one)) for one in judgements)
    yield from ((_file(one), _act(site, one)) for one in acts)


def proposal_document(site: Site, one: Proposal) -> tuple[str, dict[str, Any]]:
    """A proposal alone."""
    return _file(one), shapes.PROPOSAL.write(
        one.matter,
        **_proposal_fields(site, one),
        **_common(site, one),
        argument=one.preamble,
        vote=site.replay.tallies.get(one.path),
        ballots=_ballots(one.matter.votes or {}),
        earlier=[shapes.EARLIER.write(each, ballots=_ballots(each.votes)) for each in one.matter.earlier or ()],
    )


def _file(one: Instrument) -> str:
    return data_file(instrument_page(one))


def _placed(site: Site, one: Instrument) -> dict[str, Any]:
    return {**instrument_place(site, one), "file": one.path}


def _proposal_fields(site: Site, one: Proposal) -> dict[str, Any]:
    step = site.steps.get(one.path)
    adopted = one.matter.status == "adopted"
    return {
        **_placed(site, one),
        "effective": (step.dated if step else one.matter.decided) if adopted else None,
        "summary": [each.heading for each in one.instructions],
    }


def _ballots(votes: Mapping[PlayerId, Vote]) -> list[dict[str, Any]]:
    return [shapes.BALLOT.write(one, player=player) for player, one in votes.items()]


def _judgement(site: Site, one: Judgement) -> dict[str, Any]:
    matter = one.matter
    return shapes.JUDGEMENT.write(
        matter,
        **_placed(site, one),
        **_common(site, one),
        effective=matter.effective or matter.date,
        construes=[_construed(site, ref) for ref in matter.rules],
        question=one.preamble,
        ruling=one.ruling,
    )


def _construed(site: Site, ref: RuleRef) -> dict[str, Any]:
    history = site.addresses.rule_named(ref)
    if history is None:
        return shapes.CONSTRUED.write(rule=str(ref), note="no such rule", **NOWHERE)
    place = rule_place(site, history)
    for index, entry in enumerate(history.entries):
        if RuleRef(entry.rule.number, entry.rule.revision) == ref:
            place["url"] = Page(site, INDEX).text_href(history, index)
            break
    note = site.fate(history, ref.number, ref.revision)
    return shapes.CONSTRUED.write(rule=str(ref), note=note or None, **place)


def _act_fields(site: Site, one: Act) -> dict[str, Any]:
    return {**_placed(site, one), "effective": one.matter.effective or one.matter.date}


def _act(site: Site, one: Act) -> dict[str, Any]:
    return shapes.ACT.write(
        one.matter,
        **_act_fields(site, one),
        **_common(site, one),
        restates=one.matter.restates or [],
        reason=one.preamble,
    )


def _common(site: Site, one: Instrument) -> dict[str, Any]:
    """What every instrument has."""
    return {
        "instructions": one.instructions,
        "changes": [*_changes(site, one)],
        "points": site.awards_of.get(one.path, ()),
        "note": one.matter.note,
        "commit": instrument_commit(site, one).sha,
    }


def _changes(site: Site, one: Instrument) -> Iterator[dict[str, Any]]:
    step = site.steps.get(one.path)
    for change in step.changes if step else ():
        history = site.histories.rules.get(change.rule.identity)
        done = history is not None and any(entry.change is change for entry in history.entries)
        # What was never enacted has an identity of its own only in the trial that showed it.
        known = history if done or change.before is not None else None
        yield shapes.CHANGE.write(change, done=done, **(rule_place(site, known) if known else NOWHERE))
