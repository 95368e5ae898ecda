"""The pages of proposals, judgements and acts: the text of each, its vote, and what it changed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from nomicgen.history.history_lines import shown_date
from nomicgen.law.precedence import Law
from nomicgen.law.questions import effect_words, falls_alone, own_moment, rule_of_effect
from nomicgen.law.replay.carrying_out import apply_instructions
from nomicgen.law.replay.results import Step
from nomicgen.law.replay.scene import Scene
from nomicgen.model.records import Act, Instrument, InstrumentKind, Proposal
from nomicgen.site.addresses import instrument_page
from nomicgen.site.parts.change_view import change_views
from nomicgen.site.parts.filters import neighbours
from nomicgen.site.parts.instrument_lists import LISTS
from nomicgen.site.parts.legislation import proposal_as_law
from nomicgen.site.parts.metadata import instrument_metadata
from nomicgen.site.parts.page import Page
from nomicgen.site.parts.status_words import rules_changed_by, status_words
from nomicgen.site.parts.vote_section import vote_values
from nomicgen.site.render import render_page
from nomicgen.site.site_view import Site, folder_of
from nomicgen.site.texts.player_html import excerpt

# The number of a pull request in a commit's subject, as forges write it.
_PULL = r"^Merge pull request #(\d{1,9}) |\(#(\d{1,9})\)$"


def instrument_pages(site: Site, kind: InstrumentKind) -> Iterator[tuple[str, str]]:
    """Yield the page of every instrument of a kind, drafts and failed ones too."""
    instruments = site.records.of_kind(kind)
    for index in range(len(instruments)):
        yield _page(site, instruments, index)


def _page(site: Site, instruments: Sequence[Instrument], index: int) -> tuple[str, str]:
    instrument = instruments[index]
    page, folder, step = (
        Page(site, instrument_page(instrument)),
        folder_of(instrument.path)[:-1],
        _step(site, instrument),
    )
    full_title, own_title = site.title_of(instrument), instrument.title
    description = excerpt(instrument.ruling or instrument.preamble, 160)
    law: dict[str, object] = {}
    if (
        step is not None
        and isinstance(instrument, Proposal)
        and instrument.matter.status == "adopted"
    ):
        law = {"law": proposal_as_law(site, instrument, step.changes)}
    values: dict[str, Any] = {}
    if isinstance(instrument, Proposal):
        description = f"{full_title}: {status_words(site, instrument)[0]}"
        hindered = site.game_history.hindered.get(instrument.path)
        values = {
            "hindered": hindered,
            **_takes_effect(site, instrument),
            **vote_values(site, instrument),
        }
    elif isinstance(instrument, Act):
        own_title = f"act of {shown_date(instrument.matter.date)}"
        full_title = f"{instrument.matter.cause}, {own_title}"
    return render_page(
        page,
        f"{instrument.kind}.html",
        kind=instrument.kind,
        meta={**instrument_metadata(page, instrument), **law},
        shows=(instrument.path,),
        title=full_title,
        description=description,
        crumbs=(LISTS[instrument.kind].place,),
        here=instrument.name,
        own_title=own_title,
        one=instrument,
        matter=instrument.matter,
        preamble=page.prose(instrument.preamble, folder),
        ruling=page.prose(instrument.ruling, folder),
        step=step,
        changes=change_views(page, instrument, step),
        rules=rules_changed_by(site, instrument),
        findings=site.findings_on.get(instrument.path, ()),
        pull=_pull_request(site, instrument),
        **neighbours(instruments, index),
        **values,
    )


def _step(site: Site, instrument: Instrument) -> Step | None:
    """Return what an instrument did or would do to rules. If it has still to take effect, its
    changes are worked out on the present law.
    """
    step = site.steps.get(instrument.path)
    if step is None or step.outcome != "pending":
        return step
    # A rule that it enacts gets an identity that no rule of this game has.
    latest = max((*site.histories.rules, step.before.latest))
    scene = Scene.of(replace(step.before, latest=latest), site.records, site.today)
    return replace(
        step, changes=apply_instructions(instrument, scene, partly=falls_alone(scene.law)).changes
    )


def _takes_effect(site: Site, proposal: Proposal) -> dict[str, Any]:
    """Return for the template when an undecided proposal would take effect, in words (`effect`).

    If the proposal itself names a day that does not count, return the rule that overrides it.
    """
    if not proposal.matter.is_undecided:
        return {"effect": "", "overriding_rule": None}
    law = Law.of(site.replay.current, site.settings, site.today)
    if proposal.matter.commences is None:
        return {"effect": effect_words(proposal, law, site.today), "overriding_rule": None}
    return {
        "effect": "",
        "overriding_rule": rule_of_effect(law) if own_moment(proposal, law) is None else None,
    }


def _pull_request(site: Site, instrument: Instrument) -> tuple[str, str] | None:
    """Return the number and address of an instrument's pull request, if its commit names one."""
    commit = site.game_history.touched.get(instrument.path)
    match = re.search(_PULL, commit.subject or "") if commit is not None else None
    number = match[1] or match[2] if match else ""
    href = site.addresses.pull(number) if number else None
    return (number, href) if href else None
