"""The first page: what the game is, whose turn it is, what is before the players, and what changed last."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from nomicgen.archive.history import Entry, RuleHistory
from nomicgen.archive.lines import history_line, history_link
from nomicgen.archive.status import Status, status_of
from nomicgen.law.ballot import is_player
from nomicgen.model import Instrument, Moment, ProposalMatter
from nomicgen.site.addresses import is_web
from nomicgen.site.judgements import JUDGEMENTS
from nomicgen.site.proposals import PROPOSALS, said_of_votes
from nomicgen.site.render import origin_view, render_page
from nomicgen.site.rules import RULES
from nomicgen.site.ruleset import LONG, SHORT
from nomicgen.site.view import Site, moment_time

__all__ = ["home_page"]

_LAST = 8


def home_page(site: Site) -> str:
    """The page `index.md`."""
    page = "index.md"
    settings = site.archive.records.settings
    status = status_of(site.archive.records, site.archive.replay, site.today)
    return render_page(
        site,
        "home.html",
        page,
        kind="home",
        title=settings.name,
        description=settings.tagline or "",
        name=settings.name,
        tagline=settings.tagline,
        notices=(),
        glance=tuple(_glance(site, status, page)),
        turn=_turn(site, status),
        open=[_open(site, one, said_of_votes(tally), tally.missing, page) for one, tally in status.voting],
        talked=[_line(site, one, page) for one in (*status.debated, *status.drafts)],
        pending=[_line(site, one, page) for one in status.pending],
        changes=_changes(site, page),
        join=_join(site),
        propose=_propose(site),
        read=[
            {"href": site.addresses.href(path, page), "text": text}
            for path, text in (
                (RULES[0], "All rules"),
                (LONG, "The ruleset in long format"),
                (SHORT, "The ruleset in short format"),
                (PROPOSALS[0], "All proposals"),
                (JUDGEMENTS[0], "All judgements"),
            )
        ],
    )


def _glance(site: Site, status: Status, page: str) -> Iterator[Mapping[str, Any]]:
    for tier, (count, cap) in status.tiers.items():
        href = f"{site.addresses.href(RULES[0], page)}#{tier}" if count else ""
        yield {
            "name": f"{tier} rules",
            "value": count,
            "href": href,
            "note": f"of {cap} at most" if cap is not None else "",
        }
    proposals = site.archive.records.of_kind("proposal")
    numbered = sum(one.number is not None for one in proposals)
    adopted = sum(isinstance(one.matter, ProposalMatter) and one.matter.status == "adopted" for one in proposals)
    href = site.addresses.href(PROPOSALS[0], page)
    yield {"name": "proposals", "value": numbered, "href": href, "note": f"{adopted} adopted"}
    judgements = len(site.archive.records.of_kind("judgement"))
    yield {"name": "judgements", "value": judgements, "href": site.addresses.href(JUDGEMENTS[0], page), "note": ""}
    players = [
        one
        for one in site.archive.records.players.values()
        if one.matter.kind == "person" and is_player(one, site.today)
    ]
    yield {"name": "players", "value": len(players), "href": "", "note": ""}


def _turn(site: Site, status: Status) -> Markup:
    turn = status.turn
    if turn is None:
        return Markup("No turn has been recorded yet.")
    name = site.name(turn.matter.player)
    if turn.matter.ended is not None:
        how = "passed" if turn.matter.passed else "ended"
        return Markup("The last turn, {} of <strong>{}</strong>, {} on {}.").format(
            turn.ident, name, how, moment_time(turn.matter.ended)
        )
    since = Markup(", since {}").format(moment_time(turn.matter.began)) if turn.matter.began else ""
    return Markup("It is <strong>{}</strong>’s turn ({}{}).").format(name, turn.ident, since)


def _named(one: Instrument) -> str:
    title = one.title
    return f"{one.name}{f' · {title}' if title else ''}"


def _open(site: Site, one: Instrument, said: str, waiting: Sequence[str], page: str) -> Mapping[str, Any]:
    opened = one.matter.opened if isinstance(one.matter, ProposalMatter) else None
    since = Markup(", open since {}").format(moment_time(opened)) if opened else ""
    return {
        "href": site.instrument_href(one, page),
        "text": _named(one),
        "said": Markup("By {}{}: {}.").format(site.name(one.actor), since, said),
        "waiting": [site.name(ident) for ident in waiting],
    }


def _line(site: Site, one: Instrument, page: str) -> Mapping[str, Any]:
    said = f"by {site.name(one.actor)}" if one.actor else ""
    return {"href": site.instrument_href(one, page), "text": _named(one), "said": said}


def _changes(site: Site, page: str) -> Sequence[Mapping[str, Any]]:
    """The last lines of all histories, newest first, without the initial set."""
    lines: list[tuple[Moment, int, RuleHistory, int, Entry]] = []
    order = {step.instrument.path: place for place, step in enumerate(site.archive.replay.steps)}
    for history in site.archive.histories.rules.values():
        for index, entry in enumerate(history.entries):
            if entry.step is not None and entry.moment is not None:
                lines.append((entry.moment, order[entry.path], history, index, entry))
    lines.sort(key=lambda one: (one[0], one[1], one[2].identity), reverse=True)
    return [_change(site, history, index, entry, page) for _, _, history, index, entry in lines[:_LAST]]


def _change(site: Site, history: RuleHistory, index: int, entry: Entry, page: str) -> Mapping[str, Any]:
    rule = entry.rule
    link = history_link(site.archive, history.identity, index)
    instrument = entry.instrument
    title = f" · {rule.title}" if rule.title else ""
    href = site.rule_href(history, page, rule.number, rule.revision if entry in history.revisions else None)
    return {
        "text": history_line(entry, site.names),
        "rule": {"href": href, "text": f"Rule {rule.ref}{title}", "note": "", "gone": False, "revision": ""},
        "origin": origin_view(site, site.archive.origins.get((history.identity, index)), link),
        "source": instrument and {"href": site.instrument_href(instrument, page), "text": instrument.name},
    }


def _forge(site: Site) -> Markup:
    repository = site.archive.records.settings.repository
    if is_web(repository):
        return Markup('<a href="{}">the game’s repository</a>').format(repository)
    return Markup("the game’s repository")


def _join(site: Site) -> Markup:
    return Markup(
        "<p>Add a file of your own, <code>players/your-id.yml</code>, to {}: with <code>nomicgen join</code>, "
        "or in the forge’s editor. The rules in force say who may join, and when.</p>"
    ).format(_forge(site))


def _propose(site: Site) -> Markup:
    editor = Markup(", or from a rule’s page with <em>Propose an amendment</em>") if site.addresses.has_editor else ""
    return Markup(
        "<p>Write a file in <code>proposals/</code>: with <code>nomicgen propose</code>{}. "
        "Every second-level heading in it is one change.</p>"
        "<p><code>nomicgen check</code> says whether it can be carried out.</p>"
    ).format(editor)
