"""The page of each proposal: its argument, its changes, the vote, and what came of it."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup
from msgspec.structs import replace

from nomicgen.archive.commencing import effect_words
from nomicgen.files.urls import is_web
from nomicgen.law.instruction_effect import apply_instructions
from nomicgen.law.precedence import Law
from nomicgen.law.provisions.effect import falls_alone, own_moment
from nomicgen.law.replay_state import Step
from nomicgen.law.scene import Scene
from nomicgen.model import Instrument, Moment, ProposalMatter
from nomicgen.patterns import lazy_pattern
from nomicgen.site.addresses import instrument_page
from nomicgen.site.change_view import change_views
from nomicgen.site.correction_lines import corrected
from nomicgen.site.lists import PROPOSALS, proposal_list
from nomicgen.site.render import recorded_view, render_page
from nomicgen.site.shared_pieces import award_views, elsewhere, joined, neighbours, touched, turn_badge, verdict_of
from nomicgen.site.site_view import Site
from nomicgen.site.vote_section import earlier_views, vote_view

_OWN = "by its own words"
_PULL = lazy_pattern(r"^Merge pull request #(\d{1,9}) |\(#(\d{1,9})\)$")


def proposal_pages(site: Site, only: Container[str] | None = None) -> Iterator[tuple[str, str]]:
    """Every proposal's page, whatever became of it, and their index; or the pages of `only` some, by their paths."""
    proposals = site.archive.records.of_kind("proposal")
    if only is None:
        yield from proposal_list(site, proposals)
    for index, one in enumerate(proposals):
        if only is None or one.path in only:
            yield instrument_page(one), _page(site, one, one.matter, neighbours(site, proposals, index))


def _page(site: Site, one: Instrument, matter: ProposalMatter, around: tuple[Mapping[str, str] | None, ...]) -> str:
    page = instrument_page(one)
    step = _step(site, one)
    argument = site.prose(one.preamble, page, "proposals")
    changes = change_views(site, one, step, page)
    status = verdict_of(site, one)[0]
    named = site.titled(one)
    return render_page(
        site,
        "proposal.html",
        page,
        kind="proposal",
        shows=(one.path,),
        title=named,
        description=f"{named}: {status}",
        crumbs=(PROPOSALS,),
        here=one.name,
        name=one.name,
        title_words=one.title,
        badges=_badges(site, one, matter, page),
        notices=(*_notices(site, one, matter, step, page), *corrected(site, one.path, page)),
        parts_of_text=[{"anchor": "argument", "name": "Argument", "html": argument}] if argument else (),
        changes=changes,
        changes_heading=_changes_heading(matter, len(changes)),
        changes_note=_changes_note(matter, step),
        vote=vote_view(site, one, matter, step, page),
        dates_heading="Dates",
        facts=tuple(_facts(site, one, matter, page)),
        links_heading="Rules touched",
        links=touched_views(site, one, page),
        points=award_views(site, one, page),
        earlier=earlier_views(site, matter.earlier or (), page),
        note=matter.note,
        actions=elsewhere(site, one, page),
        before=around[0],
        after=around[1],
    )


def _step(site: Site, one: Instrument) -> Step | None:
    """What a proposal did, or would do. One that is adopted and not yet in effect is tried on the law as it stands."""
    step = site.steps.get(one.path)
    if step is None or step.outcome != "pending":
        return step
    # What it enacts gets an identity that no rule of the archive has.
    latest = max((*site.archive.histories.rules, step.before.latest))
    scene = Scene.of(replace(step.before, latest=latest), site.archive.records, site.today)
    return replace(step, changes=apply_instructions(one, scene, partly=falls_alone(scene.law)).changes)


def _badges(site: Site, one: Instrument, matter: ProposalMatter, page: str) -> Sequence[Mapping[str, Any]]:
    status, tone = verdict_of(site, one)
    badges: list[Mapping[str, Any]] = [{"text": status, "kind": "" if tone == "plain" else tone}]
    if matter.author:
        who = Markup(", ").join(site.who(one, page) for one in (matter.author, *matter.coauthors))
        badges.append({"text": Markup("by {}").format(who), "kind": ""})
    return [*badges, *turn_badge(site, matter.turn, page)]


def _notices(
    site: Site, one: Instrument, matter: ProposalMatter, step: Step | None, page: str
) -> Iterator[str | Markup]:
    said = site.findings_on.get(one.path, ())
    overtaken = [finding.message for finding in said if finding.slug == "change-overtaken"]
    if step is not None and step.outcome == "pending":
        when = site.when(step.effective, page) if step.effective else "the turn that follows"
        yield Markup("Adopted. It takes effect {} {}. Until then the law stays as it is.").format(
            "on" if step.effective else "with", when
        )
    elif overtaken and step is not None and step.outcome == "applied":
        yield Markup("Adopted and carried out in part. {}.").format("; ".join(dict.fromkeys(overtaken)).rstrip("."))
    elif overtaken:
        yield Markup("Adopted, but when it was to take effect it could no longer be carried out. {}.").format(
            "; ".join(dict.fromkeys(overtaken)).rstrip(".")
        )
    elif step is not None and step.outcome == "refused" and (matter.is_undecided or matter.status == "adopted"):
        reasons = "; ".join(dict.fromkeys(finding.message for finding in said if finding.is_error)).rstrip(".")
        yield "These instructions cannot be carried out as they stand" + (
            f": {reasons}." if reasons else ": nomicgen check says why."
        )
    if matter.is_undecided and any(finding.slug == "revision-stale" for finding in said):
        again = f"nomicgen proposal rebase {one.path.removeprefix('proposals/').removesuffix('.md')}"
        if matter.status != "open":
            yield Markup("A rule that it changes has moved on since: <code>{}</code> merges the two.").format(again)
    if matter.earlier:
        times = "once" if len(matter.earlier) == 1 else f"{len(matter.earlier)} times"
        yield f"It was changed and put to the vote again {times}; the votes before that do not count."
    if matter.number is None:
        yield "This is a draft. It has no number yet, and may still change."


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


def _facts(site: Site, one: Instrument, matter: ProposalMatter, page: str) -> Iterator[Mapping[str, Any]]:
    dates: tuple[tuple[str, Moment | None], ...] = (
        ("Put forward", matter.date),
        ("Vote opened", matter.opened),
        ("Withdrawn" if matter.status == "withdrawn" else "Decided", matter.decided),
        ("In effect", matter.effective or (matter.decided if matter.status == "adopted" else None)),
    )
    for name, moment in dates:
        if moment is not None:
            own = [_OWN] if name == "In effect" and moment == matter.commences else []
            yield {"name": name, "value": joined([site.when(moment, page), *own])}
    if matter.commences is not None and matter.is_undecided:
        when = Markup("on {}").format(site.when(matter.commences, page))
        yield {"name": "Takes effect", "value": joined([when, _OWN, *_ruled(site, one)])}
    elif matter.is_undecided and (words := effect_words(one, _law(site), site.today)):
        yield {"name": "Takes effect", "value": words}
    if matter.ballot_name:
        yield {"name": "Ballot", "value": Markup("<code>{}</code>").format(matter.ballot_name)}
    if matter.digest:
        digest = Markup('<code title="SHA-256 of what was voted on: {0}">{1}…</code>')
        yield {"name": "Voted text", "value": digest.format(matter.digest, matter.digest[:12])}
    if matter.discussion:
        yield {"name": "Discussion", "value": _address(matter.discussion)}
    yield from recorded(site, one)


def _ruled(site: Site, one: Instrument) -> Iterator[str]:
    """That a rule says when a proposal takes effect, and not the proposal; nothing where that is not so."""
    law = _law(site)
    said = law.says("effect", "own_day") or law.says("effect", "moment")
    if own_moment(one, law) is None and said is not None:
        yield f"but Rule {said.rule} says when it does"


def _law(site: Site) -> Law:
    return Law.of(site.archive.replay.current, site.archive.records.settings, site.today)


def _address(written: str) -> Markup:
    """An address that a player wrote: a link only where it leads to the web, and shown without its scheme."""
    if not is_web(written):
        return Markup("{}").format(written)
    return Markup('<a href="{}" rel="nofollow noopener">{}</a>').format(
        written, written.partition("://")[2].rstrip("/")
    )


def recorded(site: Site, one: Instrument) -> Iterator[Mapping[str, Any]]:
    """The commit that an instrument came in, and the pull request where the commit names one."""
    origin = recorded_view(site, one)
    if origin["sha"]:
        sha = Markup('<code title="{}">{}</code>').format(origin["title"], origin["sha"][:7])
        value = Markup('<a href="{}">{}</a>').format(origin["href"], sha) if origin["href"] else sha
        yield {"name": "Recorded in", "value": value}
    known = site.archive.touched.get(one.path)
    match = _PULL.search(known.subject or "") if known is not None else None
    href = site.addresses.pull(match[1] or match[2]) if match else None
    if match and href:
        yield {
            "name": "Pull request",
            "value": Markup('<a href="{}">#{}</a>').format(href, match[1] or match[2]),
        }


def touched_views(site: Site, one: Instrument, page: str) -> Sequence[Mapping[str, Any]]:
    """The rules that an instrument changes, or would, each as it is called now, and what has become of it."""
    found = []
    for history, ref in touched(site, one):
        fate = site.fate(history, ref.number, ref.revision) if ref is not None else ""
        if not fate.startswith("now"):
            fate = "repealed" if history.current is None else "void" if not site.is_force(history) else ""
        now = history.last
        found.append(
            {
                "href": site.rule_href(history, page),
                "text": f"Rule {now.number}{f' · {now.title}' if now.title else ''}",
                "note": f"then Rule {ref.number}" if fate.startswith("now") and ref is not None else fate,
                "gone": history.current is None,
                "revision": now.ref if history.current else "",
            }
        )
    return found
