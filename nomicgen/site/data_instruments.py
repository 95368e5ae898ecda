"""The data of proposals, judgements and acts: the lists of them, and a document each."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Any

from nomicgen.formats.api_instruments import (
    ActDocument,
    ActItem,
    ActsDocument,
    AwardView,
    BallotView,
    CastBy,
    ChangeView,
    ConditionView,
    ConstruedView,
    EarlierView,
    InstructionView,
    JudgementDocument,
    JudgementItem,
    JudgementsDocument,
    ProposalDocument,
    ProposalItem,
    ProposalsDocument,
    RestatedView,
    VoteView,
)
from nomicgen.formats.json_parts import Document, date_of, exact, tally_fields
from nomicgen.law.replay_state import Tally
from nomicgen.model import (
    ActMatter,
    Choice,
    Instruction,
    Instrument,
    JudgementMatter,
    Moment,
    ProposalMatter,
    RuleRef,
    Vote,
)
from nomicgen.site.addresses import instrument_page
from nomicgen.site.data_parts import Places, data_file
from nomicgen.site.linked_history import instrument_commit
from nomicgen.site.lists import ACTS, JUDGEMENTS, PROPOSALS
from nomicgen.site.site_view import Site


def instrument_documents(site: Site, places: Places) -> Iterator[tuple[str, Document]]:
    """The list of each kind, and every instrument."""
    records = site.archive.records
    proposals, judgements, acts = (
        tuple((one, one.matter) for one in records.of_kind(kind)) for kind in ("proposal", "judgement", "act")
    )
    put = [(one, matter) for one, matter in proposals if isinstance(matter, ProposalMatter)]
    given = [(one, matter) for one, matter in judgements if isinstance(matter, JudgementMatter)]
    done = [(one, matter) for one, matter in acts if isinstance(matter, ActMatter)]
    proposed = [_proposal_fields(site, *each, places) for each in put]
    yield (
        data_file(PROPOSALS[0]),
        ProposalsDocument(
            url=places.page(PROPOSALS[0]).url,
            proposals=tuple(ProposalItem(**each) for each in proposed),
        ),
    )
    yield (
        data_file(JUDGEMENTS[0]),
        JudgementsDocument(
            url=places.page(JUDGEMENTS[0]).url,
            judgements=tuple(JudgementItem(**_judgement_fields(*one, places)) for one in given),
        ),
    )
    yield (
        data_file(ACTS[0]),
        ActsDocument(
            url=places.page(ACTS[0]).url if done else None,
            acts=tuple(ActItem(**_act_fields(*one, places)) for one in done),
        ),
    )
    for (one, matter), fields in zip(put, proposed, strict=True):
        yield _file(one), _proposal(site, one, matter, fields, places)
    yield from ((_file(one), _judgement(site, one, matter, places)) for one, matter in given)
    yield from ((_file(one), _act(site, one, matter, places)) for one, matter in done)


def proposal_document(site: Site, one: Instrument, places: Places) -> tuple[str, Document]:
    """A proposal alone."""
    assert isinstance(one.matter, ProposalMatter)
    return _file(one), _proposal(site, one, one.matter, _proposal_fields(site, one, one.matter, places), places)


def _file(one: Instrument) -> str:
    return data_file(instrument_page(one))


def _proposal_fields(site: Site, one: Instrument, matter: ProposalMatter, places: Places) -> dict[str, Any]:
    step = site.steps.get(one.path)
    return {
        **places.instrument(one)._asdict(),
        "number": matter.number,
        "title": matter.title,
        "author": matter.author,
        "status": matter.status,
        "turn": matter.turn,
        "date": date_of(matter.date),
        "opened": date_of(matter.opened),
        "decided": date_of(matter.decided),
        "effective": date_of(step.dated if step else matter.decided) if matter.status == "adopted" else None,
        "file": one.path,
        "summary": tuple(each.heading for each in one.instructions),
    }


def _proposal(
    site: Site, one: Instrument, matter: ProposalMatter, fields: dict[str, Any], places: Places
) -> ProposalDocument:
    tally = site.archive.replay.tallies.get(one.path)
    return ProposalDocument(
        **fields,
        **_common(site, one, places),
        argument=one.preamble,
        discussion=matter.discussion,
        vote=_vote(tally) if tally else None,
        ballots=_ballots(matter.votes or {}),
        earlier=tuple(
            EarlierView(
                opened=date_of(each.opened), ballot=each.ballot, digest=each.digest, ballots=_ballots(each.votes)
            )
            for each in matter.earlier or ()
        ),
        commences=date_of(matter.commences),
        ballot=matter.ballot,
        digest=matter.digest,
    )


def _vote(tally: Tally) -> VoteView:
    return VoteView(
        **tally_fields(tally),
        eligible=tally.eligible,
        tie_break=tally.tie_break,
        recorded=tally.recorded,
        conditions=tuple(
            ConditionView(rule=one.rule, sentence=one.sentence, arithmetic=one.arithmetic, met=one.met)
            for one in tally.conditions
        ),
    )


def _ballots(votes: Mapping[str, Vote]) -> tuple[BallotView, ...]:
    return tuple(
        _ballot(player, one.vote, one.at, one.source, one.cast_by, one.die, one.signature)
        for player, one in votes.items()
    )


@functools.lru_cache(maxsize=4096)
def _ballot(
    player: str,
    vote: Choice,
    at: Moment | None,
    source: str | None,
    cast_by: CastBy,
    die: int | None,
    signature: str | None,
) -> BallotView:
    """One object for all equal votes: a player votes plainly by the hundred."""
    return BallotView(
        player=player, vote=vote, at=date_of(at), source=source, cast_by=cast_by, die=die, signature=signature
    )


def _judgement_fields(one: Instrument, matter: JudgementMatter, places: Places) -> dict[str, Any]:
    return {
        **places.instrument(one)._asdict(),
        "number": matter.number,
        "title": matter.title,
        "status": matter.status,
        "called_by": matter.called_by,
        "judge": matter.judge,
        "turn": matter.turn,
        "date": date_of(matter.date),
        "rules": tuple(map(str, matter.rules)),
        "file": one.path,
    }


def _judgement(site: Site, one: Instrument, matter: JudgementMatter, places: Places) -> JudgementDocument:
    return JudgementDocument(
        **_judgement_fields(one, matter, places),
        **_common(site, one, places),
        late=tuple(matter.late),
        effective=date_of(matter.effective or matter.date),
        overruled=date_of(matter.overruled),
        overruled_by=tuple(by) if isinstance(by := matter.overruled_by, list) else by,
        proposal=matter.proposal,
        voids=matter.voids,
        under=matter.under,
        construes=tuple(_construed(site, ref, places) for ref in matter.rules),
        question=one.preamble,
        ruling=one.ruling,
    )


def _construed(site: Site, ref: RuleRef, places: Places) -> ConstruedView:
    history = site.addresses.bearer(ref)
    if history is None:
        return ConstruedView(rule=str(ref), note="no such rule", url=None, data=None)
    place = places.rule(history)
    url = place.url if ref.revision is None else places.revision(history, ref.revision)
    note = site.fate(history, ref.number, ref.revision)
    return ConstruedView(rule=str(ref), note=note or None, url=url, data=place.data)


def _act_fields(one: Instrument, matter: ActMatter, places: Places) -> dict[str, Any]:
    return {
        **places.instrument(one)._asdict(),
        "cause": matter.cause,
        "by": matter.by,
        "under": matter.under,
        "turn": matter.turn,
        "date": date_of(matter.date),
        "effective": date_of(matter.effective or matter.date),
        "file": one.path,
    }


def _act(site: Site, one: Instrument, matter: ActMatter, places: Places) -> ActDocument:
    return ActDocument(
        **_act_fields(one, matter, places),
        **_common(site, one, places),
        restates=tuple(RestatedView(**each.whole()) for each in matter.restates or ()),
        reason=one.preamble,
    )


def _common(site: Site, one: Instrument, places: Places) -> dict[str, Any]:
    """What every instrument has."""
    return {
        "instructions": tuple(map(_instruction, one.instructions)),
        "changes": tuple(_changes(site, one, places)),
        "points": tuple(
            AwardView(
                player=line.player,
                amount=exact(line.amount),
                reason=line.reason,
                rule=line.rule,
                date=date_of(line.moment),
                file=line.span.file,
            )
            for line in site.awards_of.get(one.path, ())
        ),
        "note": one.matter.note,
        "commit": instrument_commit(site, one).sha,
    }


def _instruction(one: Instruction) -> InstructionView:
    return InstructionView(
        heading=one.heading,
        verb=one.verb,
        rule=str(one.target) if one.target else None,
        number=one.number,
        title=one.title,
        tier=one.tier,
        text=one.text,
        provisions=one.block.provisions if one.block else None,
    )


def _changes(site: Site, one: Instrument, places: Places) -> Iterator[ChangeView]:
    step = site.steps.get(one.path)
    for change in step.changes if step else ():
        history = site.archive.histories.rules.get(change.rule.identity)
        done = history is not None and any(entry.change is change for entry in history.entries)
        # What was never enacted has an identity of its own only in the trial that showed it.
        known = history if done or change.before is not None else None
        place = places.rule(known) if known else None
        yield ChangeView(
            verb=change.verb,
            before=change.before.ref if change.before else None,
            after=change.after.ref if change.after else None,
            done=done,
            url=place.url if place else None,
            data=place.data if place else None,
        )
