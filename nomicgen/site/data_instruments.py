"""The data of proposals, judgements and acts: the lists of them, and a document each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from nomicgen.formats import api_instruments as shapes
from nomicgen.model import ActMatter, Instrument, JudgementMatter, ProposalMatter, RuleRef, Vote
from nomicgen.site.addresses import instrument_page
from nomicgen.site.data_parts import Places, data_file
from nomicgen.site.linked_history import instrument_commit
from nomicgen.site.lists import ACTS, JUDGEMENTS, PROPOSALS
from nomicgen.site.site_view import Site


def instrument_documents(site: Site, places: Places) -> Iterator[tuple[str, dict[str, Any]]]:
    """The list of each kind, and every instrument."""
    records = site.archive.records
    proposals, judgements, acts = (
        [(one, one.matter) for one in records.of_kind(kind)] for kind in ("proposal", "judgement", "act")
    )
    put = [(one, matter) for one, matter in proposals if isinstance(matter, ProposalMatter)]
    given = [(one, matter) for one, matter in judgements if isinstance(matter, JudgementMatter)]
    done = [(one, matter) for one, matter in acts if isinstance(matter, ActMatter)]
    items = [shapes.PROPOSAL_ITEM.write(matter, **_proposal_fields(site, one, matter, places)) for one, matter in put]
    yield data_file(PROPOSALS[0]), shapes.PROPOSALS.write(url=places.page(PROPOSALS[0]).url, proposals=items)
    items = [shapes.JUDGEMENT_ITEM.write(matter, **_placed(one, places)) for one, matter in given]
    yield data_file(JUDGEMENTS[0]), shapes.JUDGEMENTS.write(url=places.page(JUDGEMENTS[0]).url, judgements=items)
    items = [shapes.ACT_ITEM.write(matter, **_act_fields(one, matter, places)) for one, matter in done]
    yield data_file(ACTS[0]), shapes.ACTS.write(url=places.page(ACTS[0]).url if done else None, acts=items)
    yield from ((_file(one), _proposal(site, one, matter, places)) for one, matter in put)
    yield from ((_file(one), _judgement(site, one, matter, places)) for one, matter in given)
    yield from ((_file(one), _act(site, one, matter, places)) for one, matter in done)


def proposal_document(site: Site, one: Instrument, places: Places) -> tuple[str, dict[str, Any]]:
    """A proposal alone."""
    assert isinstance(one.matter, ProposalMatter)
    return _file(one), _proposal(site, one, one.matter, places)


def _file(one: Instrument) -> str:
    return data_file(instrument_page(one))


def _placed(one: Instrument, places: Places) -> dict[str, Any]:
    return {**places.instrument(one)._asdict(), "file": one.path}


def _proposal_fields(site: Site, one: Instrument, matter: ProposalMatter, places: Places) -> dict[str, Any]:
    step = site.steps.get(one.path)
    return {
        **_placed(one, places),
        "effective": (step.dated if step else matter.decided) if matter.status == "adopted" else None,
        "summary": [each.heading for each in one.instructions],
    }


def _proposal(site: Site, one: Instrument, matter: ProposalMatter, places: Places) -> dict[str, Any]:
    return shapes.PROPOSAL.write(
        matter,
        **_proposal_fields(site, one, matter, places),
        **_common(site, one, places),
        argument=one.preamble,
        vote=site.archive.replay.tallies.get(one.path),
        ballots=_ballots(matter.votes or {}),
        earlier=[shapes.EARLIER.write(each, ballots=_ballots(each.votes)) for each in matter.earlier or ()],
    )


def _ballots(votes: Mapping[str, Vote]) -> list[dict[str, Any]]:
    return [shapes.BALLOT.write(one, player=player) for player, one in votes.items()]


def _judgement(site: Site, one: Instrument, matter: JudgementMatter, places: Places) -> dict[str, Any]:
    return shapes.JUDGEMENT.write(
        matter,
        **_placed(one, places),
        **_common(site, one, places),
        effective=matter.effective or matter.date,
        construes=[_construed(site, ref, places) for ref in matter.rules],
        question=one.preamble,
        ruling=one.ruling,
    )


def _construed(site: Site, ref: RuleRef, places: Places) -> dict[str, Any]:
    history = site.addresses.bearer(ref)
    if history is None:
        return shapes.CONSTRUED.write(rule=str(ref), note="no such rule", url=None, data=None)
    place = places.rule(history)
    url = place.url if ref.revision is None else places.revision(history, ref.revision)
    note = site.fate(history, ref.number, ref.revision)
    return shapes.CONSTRUED.write(rule=str(ref), note=note or None, url=url, data=place.data)


def _act_fields(one: Instrument, matter: ActMatter, places: Places) -> dict[str, Any]:
    return {**_placed(one, places), "effective": matter.effective or matter.date}


def _act(site: Site, one: Instrument, matter: ActMatter, places: Places) -> dict[str, Any]:
    return shapes.ACT.write(
        matter,
        **_act_fields(one, matter, places),
        **_common(site, one, places),
        restates=matter.restates or [],
        reason=one.preamble,
    )


def _common(site: Site, one: Instrument, places: Places) -> dict[str, Any]:
    """What every instrument has."""
    return {
        "instructions": one.instructions,
        "changes": [*_changes(site, one, places)],
        "points": site.awards_of.get(one.path, ()),
        "note": one.matter.note,
        "commit": instrument_commit(site, one).sha,
    }


def _changes(site: Site, one: Instrument, places: Places) -> Iterator[dict[str, Any]]:
    step = site.steps.get(one.path)
    for change in step.changes if step else ():
        history = site.archive.histories.rules.get(change.rule.identity)
        done = history is not None and any(entry.change is change for entry in history.entries)
        # What was never enacted has an identity of its own only in the trial that showed it.
        known = history if done or change.before is not None else None
        place = places.rule(known) if known else None
        yield shapes.CHANGE.write(
            change,
            done=done,
            url=place.url if place else None,
            data=place.data if place else None,
        )
