"""The data of proposals, judgements and acts: the lists of them, and a document each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from nomicgen.model.front_matters import Vote
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Act, Instrument, Judgement, Proposal
from nomicgen.model.values import RuleRef
from nomicgen.site.addresses import ACTS, INDEX, JUDGEMENTS, PROPOSALS, data_file, instrument_page
from nomicgen.site.data import api_instruments as shapes
from nomicgen.site.data.places import NOWHERE, instrument_place, rule_place
from nomicgen.site.parts.linked_history import instrument_commit
from nomicgen.site.parts.page import Page
from nomicgen.site.site_view import Site


def instrument_documents(site: Site) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the path and the document of the list of each kind, and of every instrument."""
    href = Page(site, INDEX).href
    proposals, judgements, acts = (
        site.records.of_kind("proposal"),
        site.records.of_kind("judgement"),
        site.records.of_kind("act"),
    )
    items = [
        shapes.PROPOSAL_ITEM.write(proposal.matter, **_proposal_fields(site, proposal))
        for proposal in proposals
    ]
    yield (
        data_file(PROPOSALS),
        shapes.PROPOSALS.write(url=href(PROPOSALS), proposals=items),
    )
    items = [
        shapes.JUDGEMENT_ITEM.write(judgement.matter, **_placed(site, judgement))
        for judgement in judgements
    ]
    yield (
        data_file(JUDGEMENTS),
        shapes.JUDGEMENTS.write(url=href(JUDGEMENTS), judgements=items),
    )
    items = [shapes.ACT_ITEM.write(act.matter, **_act_fields(site, act)) for act in acts]
    yield (
        data_file(ACTS),
        shapes.ACTS.write(url=href(ACTS) if acts else None, acts=items),
    )
    yield from (proposal_document(site, proposal) for proposal in proposals)
    yield from ((_file(judgement), _judgement(site, judgement)) for judgement in judgements)
    yield from ((_file(act), _act(site, act)) for act in acts)


def proposal_document(site: Site, proposal: Proposal) -> tuple[str, dict[str, Any]]:
    """Return the path and the document of a proposal."""
    return _file(proposal), shapes.PROPOSAL.write(
        proposal.matter,
        **_proposal_fields(site, proposal),
        **_common(site, proposal),
        argument=proposal.preamble,
        vote=site.replay.tallies.get(proposal.path),
        ballots=_ballots(proposal.matter.votes or {}),
        earlier=[
            shapes.EARLIER.write(earlier, ballots=_ballots(earlier.votes))
            for earlier in proposal.matter.earlier or ()
        ],
    )


def _file(instrument: Instrument) -> str:
    return data_file(instrument_page(instrument))


def _placed(site: Site, instrument: Instrument) -> dict[str, Any]:
    return {**instrument_place(site, instrument), "file": instrument.path}


def _proposal_fields(site: Site, proposal: Proposal) -> dict[str, Any]:
    step = site.steps.get(proposal.path)
    adopted = proposal.matter.status == "adopted"
    return {
        **_placed(site, proposal),
        "effective": (step.dated if step else proposal.matter.decided) if adopted else None,
        "summary": [instruction.heading for instruction in proposal.instructions],
    }


def _ballots(votes: Mapping[PlayerId, Vote]) -> list[dict[str, Any]]:
    return [shapes.BALLOT.write(vote, player=player) for player, vote in votes.items()]


def _judgement(site: Site, judgement: Judgement) -> dict[str, Any]:
    matter = judgement.matter
    return shapes.JUDGEMENT.write(
        matter,
        **_placed(site, judgement),
        **_common(site, judgement),
        effective=matter.effective or (None if matter.status == "pending" else matter.date),
        construes=[_construed(site, ref) for ref in matter.rules],
        question=judgement.preamble,
        ruling=judgement.ruling,
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


def _act_fields(site: Site, act: Act) -> dict[str, Any]:
    return {**_placed(site, act), "effective": act.matter.effective or act.matter.date}


def _act(site: Site, act: Act) -> dict[str, Any]:
    return shapes.ACT.write(
        act.matter,
        **_act_fields(site, act),
        **_common(site, act),
        restates=act.matter.restates or [],
        reason=act.preamble,
    )


def _common(site: Site, instrument: Instrument) -> dict[str, Any]:
    """Return the keys that the document of every instrument has."""
    return {
        "instructions": instrument.instructions,
        "changes": [*_changes(site, instrument)],
        "points": site.awards_of.get(instrument.path, ()),
        "note": instrument.matter.note,
        "commit": instrument_commit(site, instrument).sha,
    }


def _changes(site: Site, instrument: Instrument) -> Iterator[dict[str, Any]]:
    step = site.steps.get(instrument.path)
    for change in step.changes if step else ():
        history = site.histories.rules.get(change.rule.identity)
        done = history is not None and any(entry.change is change for entry in history.entries)
        # A rule never enacted has no history: this may be that of a later one with its identity.
        known = history if done or change.before is not None else None
        yield shapes.CHANGE.write(
            change, done=done, **(rule_place(site, known) if known else NOWHERE)
        )
