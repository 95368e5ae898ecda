"""The page of each proposal, and the list of them all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from nomicgen.law.state import Condition, Step, Tally
from nomicgen.model import Award, EarlierVote, Instrument, Moment, ProposalMatter, Vote
from nomicgen.site.addresses import instrument_page, is_web
from nomicgen.site.changes import change_views
from nomicgen.site.render import recorded_view, render_page
from nomicgen.site.view import Site, moment_time

__all__ = ["award_views", "elsewhere", "neighbours", "proposal_pages", "said_of_votes"]

PROPOSALS = ("proposals/index.md", "Proposals")
_TONES = {"adopted": "good", "defeated": "bad", "void": "bad", "open": "open"}
_STATUS = {"draft": "draft", "debate": "in debate", "open": "open for votes"}


def proposal_pages(site: Site) -> Iterator[tuple[str, str]]:
    """Every proposal's page, whatever became of it, and their index."""
    proposals = [one for one in site.archive.records.of_kind("proposal") if isinstance(one.matter, ProposalMatter)]
    yield PROPOSALS[0], _index(site, proposals)
    for index, one in enumerate(proposals):
        assert isinstance(one.matter, ProposalMatter)
        yield instrument_page(one), _page(site, one, one.matter, neighbours(site, proposals, index))


def neighbours(site: Site, all_: Sequence[Instrument], index: int) -> tuple[Mapping[str, str] | None, ...]:
    """The links to the one before and the one after."""
    page = instrument_page(all_[index])
    return tuple(
        {"href": site.instrument_href(all_[at], page), "text": _named(all_[at])} if 0 <= at < len(all_) else None
        for at in (index - 1, index + 1)
    )


def _named(instrument: Instrument) -> str:
    title = instrument.title
    return f"{instrument.name}{f' · {title}' if title else ''}"


def _page(site: Site, one: Instrument, matter: ProposalMatter, around: tuple[Mapping[str, str] | None, ...]) -> str:
    page = instrument_page(one)
    step = site.steps.get(one.path)
    argument = site.prose(one.preamble, page, "proposals")
    changes = change_views(site, one, step, page)
    return render_page(
        site,
        "proposal.html",
        page,
        kind="proposal",
        title=_named(one),
        description=f"{_named(one)}: {_STATUS.get(matter.status, matter.status)}",
        crumbs=(PROPOSALS,),
        here=one.name,
        name=one.name,
        title_words=matter.title or "",
        badges=_badges(site, one, matter),
        notices=tuple(_notices(matter, step)),
        parts_of_text=[{"anchor": "argument", "name": "Argument", "html": argument}] if argument else (),
        changes=changes,
        changes_heading=_changes_heading(matter, len(changes)),
        changes_note=_changes_note(matter),
        vote=_vote(site, one, matter, step, page),
        dates_heading="Dates",
        facts=tuple(_facts(site, one, matter)),
        construes=(),
        points=award_views(site, matter.points),
        earlier=_earlier(site, matter.earlier or ()),
        note=matter.note,
        actions=elsewhere(site, one),
        before=around[0],
        after=around[1],
    )


def _badges(site: Site, one: Instrument, matter: ProposalMatter) -> Sequence[Mapping[str, str]]:
    badges = [{"text": _STATUS.get(matter.status, matter.status), "kind": _TONES.get(matter.status, "")}]
    badges += [{"text": f"by {site.name(matter.author)}", "kind": ""}] if matter.author else []
    return badges + ([{"text": matter.turn, "kind": "number"}] if matter.turn else [])


def _notices(matter: ProposalMatter, step: Step | None) -> Iterator[str]:
    if step is not None and step.outcome == "refused" and matter.status in ("adopted", "open", "debate", "draft"):
        yield "These instructions cannot be carried out as they stand: nomicgen check says why."
    if step is not None and step.outcome == "pending":
        yield "Adopted, and not yet in effect."
    if matter.number is None:
        yield "This is a draft. It has no number yet, and may still change."


def _changes_heading(matter: ProposalMatter, count: int) -> str:
    words = "change" if count == 1 else "changes"
    if matter.status == "adopted":
        return f"The {words}"
    if matter.status == "withdrawn":
        return f"The {words} that {'was' if count == 1 else 'were'} withdrawn"
    return f"The {words} proposed" if matter.is_undecided else f"The {words} that failed"


def _changes_note(matter: ProposalMatter) -> str:
    if matter.status == "adopted":
        return ""
    end = "withdrawn" if matter.status == "withdrawn" else "decided"
    when = "stands" if matter.is_undecided else f"stood when it was {end}"
    return f"Shown against the ruleset as it {when}."


def _facts(site: Site, one: Instrument, matter: ProposalMatter) -> Iterator[Mapping[str, Any]]:
    dates: tuple[tuple[str, Moment | None], ...] = (
        ("Put forward", matter.date),
        ("Vote opened", matter.opened),
        ("Withdrawn" if matter.status == "withdrawn" else "Decided", matter.decided),
        ("In effect", matter.effective or (matter.decided if matter.status == "adopted" else None)),
    )
    for name, moment in dates:
        if moment is not None:
            yield {"name": name, "value": moment_time(moment)}
    if matter.digest:
        digest = Markup('<code title="SHA-256 of the instructions that were voted on: {0}">{1}…</code>')
        yield {"name": "Voted text", "value": digest.format(matter.digest, matter.digest[:12])}
    origin = recorded_view(site, one)
    if origin["sha"]:
        sha = Markup('<code title="{}">{}</code>').format(origin["title"], origin["sha"][:7])
        value = Markup('<a href="{}">{}</a>').format(origin["href"], sha) if origin["href"] else sha
        yield {"name": "Recorded in", "value": value}


def _vote(
    site: Site, one: Instrument, matter: ProposalMatter, step: Step | None, page: str
) -> Mapping[str, Any] | None:
    tally = site.archive.replay.tallies.get(one.path)
    if tally is None or (matter.status in ("draft", "debate", "withdrawn") and not matter.votes):
        return None
    votes = matter.votes or {}
    # Who voted without being eligible is shown all the same, and said to be uncounted.
    uncounted = tuple(sorted(set(votes) - set(tally.eligible) - {tally.tie_break}))
    sides = [("For", "for", tally.for_), ("Against", "against", tally.against)]
    sides += [("Abstained", "abstain", tally.abstain)] if tally.abstain else []
    missing = "Yet to vote" if matter.status == "open" else "Did not vote"
    sides += [(missing, "missing", tally.missing)] if tally.missing else []
    sides += [("Not counted", "missing", uncounted)] if uncounted else []
    return {
        "recorded": tally.recorded,
        "sides": [
            {
                "name": name,
                "kind": kind,
                "count": len(voters),
                "voters": [_voter(site, voter, votes.get(voter), tally) for voter in voters],
            }
            for name, kind, voters in sides
        ],
        "bar": _bar(tally),
        "needs": "What it needs" if matter.status == "open" else "What it needed",
        "conditions": [
            _condition(site, condition, step, page, matter.status == "open")
            for condition in tally.conditions
            if matter.status != "withdrawn"
        ],
        "verdict": _verdict(matter, tally),
    }


def _bar(tally: Tally) -> Sequence[str]:
    """One cell for each eligible voter."""
    sides = (("for", tally.for_), ("against", tally.against), ("abstain", tally.abstain), ("missing", tally.missing))
    return [kind for kind, voters in sides for _ in voters]


def _voter(site: Site, ident: str, vote: Vote | None, tally: Tally) -> Mapping[str, Any]:
    notes = ["breaks the tie"] if ident == tally.tie_break else []
    if ident in tally.silent:
        notes.append("by silence")
    elif vote is None and ident in (*tally.for_, *tally.against):
        notes.append("by proposing")
    elif vote is not None:
        notes += [f"by {vote.cast_by}"] if vote.cast_by != "player" else []
        notes += [f"threw {vote.die}"] if vote.die is not None else []
    source = vote.source if vote is not None and is_web(vote.source) else None
    return {"name": site.name(ident), "note": ", ".join(notes), "href": source}


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


def _verdict(matter: ProposalMatter, tally: Tally) -> str:
    if matter.status == "open":
        if tally.adopted is None:
            return "Not settled yet."
        return f"As it stands, it would be {'adopted' if tally.adopted else 'defeated'}."
    if matter.status == "withdrawn":
        return ""
    return "" if tally.conditions or not tally.recorded else "No provision of the rules in force decided this vote."


def said_of_votes(tally: Tally) -> str:
    """`3 for, 1 against`: who has yet to vote is named beside it."""
    parts = [f"{len(tally.for_)} for", f"{len(tally.against)} against"]
    return ", ".join([*parts, *([f"{len(tally.abstain)} abstained"] if tally.abstain else [])])


def award_views(site: Site, points: Sequence[Award] | None) -> Sequence[Mapping[str, str]]:
    """Points as they are printed; exact fractions."""
    return [
        {
            "player": site.name(one.player),
            "amount": f"{'+' if one.amount > 0 else ''}{one.amount}".replace("-", "\N{MINUS SIGN}"),
            "reason": one.reason,
        }
        for one in points or ()
    ]


def _earlier(site: Site, earlier: Sequence[EarlierVote]) -> Sequence[Mapping[str, Any]]:
    found = []
    for one in earlier:
        kinds = [vote.vote for vote in one.votes.values()]
        said = f"{kinds.count('for')} for, {kinds.count('against')} against"
        found.append({"opened": moment_time(one.opened), "said": said})
    return found


def elsewhere(site: Site, one: Instrument) -> Sequence[Mapping[str, str]]:
    """Links to the instrument's file."""
    href = site.addresses.file(one.path)
    return [{"href": href, "text": "Its file in the repository"}] if href else ()


def _index(site: Site, proposals: Sequence[Instrument]) -> str:
    page = PROPOSALS[0]
    items, authors, statuses = [], set[str](), set[str]()
    for one in reversed(proposals):
        matter = one.matter
        assert isinstance(matter, ProposalMatter)
        status = _STATUS.get(matter.status, matter.status)
        authors |= {matter.author} if matter.author else set()
        statuses.add(matter.status)
        changes = ", ".join(instruction.heading for instruction in one.instructions)
        title = matter.title or changes or one.name
        items.append(
            {
                "href": site.instrument_href(one, page),
                "number": str(one.number) if one.number is not None else "draft",
                "title": title,
                "excerpt": changes if changes != title else "",
                "note": _byline(site, matter),
                "state": status,
                "tone": _TONES.get(matter.status, "plain"),
                "search": f"{one.name} {title} {changes} {site.name(matter.author)} {status}".lower(),
                "data": {"status": matter.status, "author": matter.author or ""},
            }
        )
    names = sorted((site.name(author), author) for author in authors)
    return render_page(
        site,
        "index.html",
        page,
        kind="index",
        title="Proposals",
        heading="Proposals",
        lead=_lead(proposals, site.archive.records.settings.lost.proposals),
        items=items,
        list="proposals",
        filter_label="Filter by number, title or rule",
        selects=[
            {
                "name": "status",
                "label": "Status",
                "options": [{"value": one, "text": _STATUS.get(one, one)} for one in sorted(statuses)],
            },
            {"name": "author", "label": "Author", "options": [{"value": key, "text": name} for name, key in names]},
        ],
        empty="Nothing has been proposed yet.",
    )


def _byline(site: Site, matter: ProposalMatter) -> Markup:
    moment = matter.decided or matter.opened or matter.date
    parts = [Markup("{}").format(site.name(matter.author))] if matter.author else []
    return Markup(", ").join([*parts, *([moment_time(moment)] if moment else [])])


def _lead(proposals: Sequence[Instrument], lost: Sequence[int]) -> str:
    kinds = [one.matter.status for one in proposals if isinstance(one.matter, ProposalMatter)]
    counts = [f"{kinds.count(kind)} {_STATUS.get(kind, kind)}" for kind in dict.fromkeys(kinds)]
    parts = [f"{len(kinds)} in all: {', '.join(counts)}."] if kinds else []
    if lost:
        what = "proposal" if len(lost) == 1 else "proposals"
        parts.append(f"{len(lost)} {what} did not survive: {', '.join(map(str, sorted(lost)))}.")
    return " ".join(parts)
