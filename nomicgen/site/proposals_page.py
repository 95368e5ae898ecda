"""The pages of proposals, judgements and acts: what each says, what it changed, and what came of it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from nomicgen.archive.commencing import effect_words
from nomicgen.archive.history_lines import shown_date
from nomicgen.diagnostics import Finding
from nomicgen.law.instruction_effect import apply_instructions
from nomicgen.law.precedence import Law
from nomicgen.law.provisions.effect import falls_alone, own_moment
from nomicgen.law.replay_state import Step
from nomicgen.law.scene import Scene
from nomicgen.model import Act, Instrument, Judgement, Proposal, ProposalMatter, RuleRef
from nomicgen.patterns import lazy_pattern
from nomicgen.site.addresses import instrument_page
from nomicgen.site.change_view import change_views
from nomicgen.site.lists import ACTS, JUDGEMENTS, PROPOSALS, act_list, judgement_list, proposal_list
from nomicgen.site.metadata import instrument_metadata
from nomicgen.site.page import Page
from nomicgen.site.player_html import excerpt
from nomicgen.site.render import render_page
from nomicgen.site.shared_pieces import Link, neighbours, rules_changed_by, status_words
from nomicgen.site.site_view import Site
from nomicgen.site.vote_section import vote_values

_PULL = lazy_pattern(r"^Merge pull request #(\d{1,9}) |\(#(\d{1,9})\)$")


def proposal_pages(site: Site, only: Container[str] | None = None) -> Iterator[tuple[str, str]]:
    """Every proposal's page, whatever became of it, and their index; or the pages of `only` some, by their paths."""
    proposals = site.records.of_kind("proposal")
    if only is None:
        yield from proposal_list(site, proposals)
    yield from (_proposal(site, proposals, at) for at, one in enumerate(proposals) if only is None or one.path in only)


def judgement_pages(site: Site) -> Iterator[tuple[str, str]]:
    """Every judgement's page, and their index."""
    judgements = site.records.of_kind("judgement")
    yield from judgement_list(site, judgements)
    yield from (_judgement(site, judgements, index) for index in range(len(judgements)))


def act_pages(site: Site) -> Iterator[tuple[str, str]]:
    """Every act's page, and their index where there are any."""
    acts = site.records.of_kind("act")
    if acts:
        yield from act_list(site, acts)
    yield from (_act(site, acts, index) for index in range(len(acts)))


def _proposal(site: Site, proposals: Sequence[Proposal], index: int) -> tuple[str, str]:
    one, matter = proposals[index], proposals[index].matter
    page, step, findings = Page(site, instrument_page(one)), _step(site, one), site.findings_on.get(one.path, ())
    named = site.titled(one)
    return _instrument(
        page,
        proposals,
        index,
        title=named,
        description=f"{named}: {status_words(site, one)[0]}",
        crumb=PROPOSALS,
        step=step,
        argument=page.prose(one.preamble, "proposals"),
        changes_heading=_changes_heading(matter, len(one.instructions)),
        changes_note=_changes_note(matter, step),
        overtaken=_messages(finding for finding in findings if finding.slug == "change-overtaken"),
        reasons=_messages(finding for finding in findings if finding.is_error),
        is_stale=any(finding.slug == "revision-stale" for finding in findings),
        links=list(_touched_rules(page, one)),
        **_takes_effect(site, one),
        **vote_values(site, one),
    )


def _judgement(site: Site, judgements: Sequence[Judgement], index: int) -> tuple[str, str]:
    one, matter = judgements[index], judgements[index].matter
    page = Page(site, instrument_page(one))
    construed = [_construed(page, ref) for ref in matter.rules]
    proposal = site.instruments.get(("proposal", matter.proposal)) if matter.proposal else None
    return _instrument(
        page,
        judgements,
        index,
        title=site.titled(one),
        description=excerpt(one.ruling or one.preamble, 160),
        crumb=JUDGEMENTS,
        step=site.steps.get(one.path),
        question=page.prose(one.preamble, "judgements"),
        ruling=page.prose(one.ruling, "judgements"),
        links=[*construed, *([Link(page.instrument_href(proposal), proposal.name)] if proposal else [])],
        outdated=[link for link in construed if link.note not in ("", "unchanged since")],
    )


def _act(site: Site, acts: Sequence[Act], index: int) -> tuple[str, str]:
    one, matter = acts[index], acts[index].matter
    page = Page(site, instrument_page(one))
    return _instrument(
        page,
        acts,
        index,
        title=f"{matter.cause}, act of {shown_date(matter.date)}",
        description=excerpt(one.ruling or one.preamble, 160),
        crumb=ACTS,
        titled=f"act of {shown_date(matter.date)}",
        step=site.steps.get(one.path),
        reason=page.prose(one.preamble, "acts"),
        under=_construed(page, RuleRef(matter.under)) if matter.under else None,
        links=list(_touched_rules(page, one)),
    )


def _instrument(
    page: Page,
    all_: Sequence[Instrument],
    index: int,
    *,
    title: str,
    description: str,
    crumb: tuple[str, str],
    step: Step | None,
    titled: str = "",
    **values: Any,
) -> tuple[str, str]:
    one, site = all_[index], page.site
    return render_page(
        page,
        f"{one.kind}.html",
        kind=one.kind,
        meta=instrument_metadata(page, one),
        shows=(one.path,),
        title=title,
        description=description,
        crumbs=(crumb,),
        here=one.name,
        titled=titled or one.title,
        one=one,
        matter=one.matter,
        step=step,
        changes=change_views(page, one, step),
        pull=_pull_request(site, one),
        **neighbours(all_, index),
        **values,
    )


def _step(site: Site, one: Instrument) -> Step | None:
    """What a proposal did, or would do. One that is adopted and not yet in effect is tried on the law as it stands."""
    step = site.steps.get(one.path)
    if step is None or step.outcome != "pending":
        return step
    # What it enacts gets an identity that no rule of the archive has.
    latest = max((*site.histories.rules, step.before.latest))
    scene = Scene.of(replace(step.before, latest=latest), site.records, site.today)
    return replace(step, changes=apply_instructions(one, scene, partly=falls_alone(scene.law)).changes)


def _messages(findings: Iterable[Finding]) -> str:
    return "; ".join(dict.fromkeys(finding.message for finding in findings)).rstrip(".")


def _changes_heading(matter: ProposalMatter, count: int) -> str:
    words = "change" if count == 1 else "changes"
    if matter.status == "adopted":
        return f"The {words}"
    if matter.status == "withdrawn":
        return f"The {words} that {'was' if count == 1 else 'were'} withdrawn"
    return f"The {words} proposed" if matter.is_undecided else f"The {words} that failed"


def _changes_note(matter: ProposalMatter, step: Step | None) -> str:
    if matter.status == "adopted":
        pending = step is not None and step.outcome == "pending"
        return "Shown against the ruleset as it stands." if pending else ""
    end = "withdrawn" if matter.status == "withdrawn" else "decided"
    when = "stands" if matter.is_undecided else f"stood when it was {end}"
    return f"Shown against the ruleset as it {when}."


def _takes_effect(site: Site, one: Proposal) -> dict[str, Any]:
    """When a proposal would take effect: in words, and the rule that says so in place of the proposal."""
    if not one.matter.is_undecided:
        return {"effect": "", "effect_rule": None}
    law = Law.of(site.replay.current, site.settings, site.today)
    if one.matter.commences is None:
        return {"effect": effect_words(one, law, site.today), "effect_rule": None}
    said = law.says("effect", "own_day") or law.says("effect", "moment")
    return {"effect": "", "effect_rule": said.rule if said and own_moment(one, law) is None else None}


def _pull_request(site: Site, one: Instrument) -> tuple[str, str] | None:
    """The number and the address of the pull request that an instrument came in, where its commit names one."""
    known = site.archive.touched.get(one.path)
    match = _PULL.search(known.subject or "") if known is not None else None
    number = match[1] or match[2] if match else ""
    href = site.addresses.pull(number) if number else None
    return (number, href) if href else None


def _touched_rules(page: Page, one: Instrument) -> Iterator[Link]:
    """The rules that an instrument changes, or would, each as it is called now, and what has become of it."""
    site = page.site
    for history, ref in rules_changed_by(site, one):
        fate = site.fate(history, ref.number, ref.revision) if ref is not None else ""
        if not fate.startswith("now"):
            fate = "repealed" if history.current is None else "void" if not site.is_force(history) else ""
        now = history.last
        yield Link(
            href=page.rule_href(history),
            text=f"Rule {now.number}{f' · {now.title}' if now.title else ''}",
            note=f"then Rule {ref.number}" if fate.startswith("now") and ref is not None else fate,
            gone=history.current is None,
            revision=now.ref if history.current else "",
        )


def _construed(page: Page, ref: RuleRef) -> Link:
    """A rule that a judgement is about, and what has become of it."""
    history = page.site.addresses.rule_named(ref)
    if history is None:
        return Link(page.href("rules/index.md"), f"Rule {ref}", note="no such rule")
    fate = page.site.fate(history, ref.number, ref.revision)
    href = page.rule_href(history, ref.number, ref.revision)
    return Link(href, f"Rule {ref}", note=fate or ("unchanged since" if ref.revision is not None else ""))
