"""What a citation stands for: for a terminal, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from nomicgen.archive.archive_view import Archive
from nomicgen.archive.citations import Resolved, RevisionPeriod
from nomicgen.archive.history_lines import history_link
from nomicgen.formats.blame_text import votes_said
from nomicgen.formats.documents import FORMAT, Shape
from nomicgen.formats.json_parts import RULE_STATE
from nomicgen.formats.styled_text import styled
from nomicgen.formats.terminal import safe
from nomicgen.identifiers import CommitId
from nomicgen.law.replay_state import Rule
from nomicgen.model import ActMatter, Instrument, Moment, ProposalMatter, Turn


class Place(Struct, frozen=True, kw_only=True):
    """Where what is cited stands: its `address` on the site, which has a host only where that is known; `link`, the
    file on the forge; `text`, what stands in the file of an instrument below its front matter."""

    address: str
    link: str | None = None
    text: str | None = None


class Cited(Struct, frozen=True, kw_only=True):
    """What a citation stands for; of a rule `rule` is as it stood then, of all else `note` says nothing."""

    kind: Literal["rule", "proposal", "judgement", "act", "turn"]
    citation: str
    in_full: str
    heading: str
    note: str = ""
    rule: Rule | None = None
    text: str | None = None
    player: str | None
    status: str | None = None
    since: Moment | None
    until: Moment | None = None
    ended: bool = False
    address: str
    file: str
    commit: CommitId | None
    link: str | None


CITED = Shape(
    "CitationView",
    "What a citation stands for.",
    Cited,
    format=FORMAT,
    kind="what is cited",
    citation="what cites it for good, such as `R203/1@2020-07-27`",
    in_full="the same for people, with the game, the time and the address",
    heading="what it is called",
    note="what one may not expect, such as that its number is another now",
    rule=RULE_STATE("the rule as it stood then; null for all else"),
    text="the text, as Markdown; null where it is lost, and for a turn",
    player="the id of who made it, or whose turn it is",
    status="what became of a proposal or judgement, with the votes where there are any",
    since="from when on a rule stood so; when an instrument was decided, a turn begun",
    until="from when on it stood so no more; when a turn ended",
    ended="whether the rule stands so no more, or the turn is over",
    address="where it stands on the site; a path from its root where the site is not known",
    file="the file of the game that made it",
    commit="the commit that it came in",
    link="where it can be seen on the forge",
)


def cited(archive: Archive, found: Resolved, place: Place) -> Cited:
    """What was found, and where it stands."""
    if found.standing is not None:
        return _of_rule(archive, found.standing, place, found.note)
    if found.turn is not None:
        return _of_turn(archive, found.turn, place)
    assert found.instrument is not None
    return _of_instrument(archive, found.instrument, place)


def citation_text(view: Cited) -> Iterator[str]:
    """The heading, the text, and how to cite it."""
    tier = f"  ({view.rule.tier})" if view.rule else ""
    yield styled(safe(view.heading), "bold") + styled(safe(tier), "dim")
    for said in (_when(view), view.status, view.note and f"({view.note})"):
        if said:
            yield safe(said)
    if view.kind != "turn":
        yield ""
        yield safe(view.text if view.text is not None else "(the text is lost)")
    yield ""
    for label, value in (
        ("cite", view.citation),
        ("in full", view.in_full),
        ("address", view.address),
        ("commit", view.commit),
        ("link", view.link),
        ("file", view.file),
    ):
        if value:
            yield styled(f"{label:<9}", "dim") + safe(value)


def _when(view: Cited) -> str:
    if view.kind != "rule":
        return ""
    first = view.file.startswith("rules/initial/")
    since = view.since or ("the beginning" if first else "a day that is not known")
    return f"from {since} to {view.until or 'a day that is not known'}" if view.ended else f"in force since {since}"


def _of_rule(archive: Archive, one: RevisionPeriod, place: Place, note: str) -> Cited:
    rule, entry, identity = one.rule, one.history.entries[one.index], one.history.identity
    origin = archive.origins.get((identity, one.index))
    title = _line(rule.title)
    return Cited(
        kind="rule",
        citation=one.citation,
        in_full=_in_full(archive, f"Rule {rule.ref}", title, "", one.span, place.address),
        heading=f"Rule {rule.ref}{f': {title}' if title else ''}",
        note=note,
        rule=rule,
        text=rule.text,
        player=entry.actor,
        since=one.since,
        until=one.until,
        ended=one.ended,
        address=place.address,
        file=entry.path,
        commit=origin.sha if origin else entry.commit,
        link=history_link(archive, identity, one.index),
    )


def _of_instrument(archive: Archive, one: Instrument, place: Place) -> Cited:
    origin = archive.touched.get(one.path)
    when = _decided(one)
    title = _line(one.title)
    short = {"proposal": "P", "judgement": "J"}.get(one.kind)
    return Cited(
        kind=one.kind,
        citation=f"{short}{one.number}" if short and one.number is not None else one.path.removesuffix(".md"),
        in_full=_in_full(archive, _line(one.name), title, _who(archive, one.actor), str(when or ""), place.address),
        heading=f"{_line(one.name)}{f': {title}' if title else ''}",
        text=place.text,
        player=one.actor,
        status=_status(archive, one),
        since=when,
        address=place.address,
        file=one.path,
        commit=origin.sha if origin else one.matter.commit,
        link=place.link,
    )


def _of_turn(archive: Archive, one: Turn, place: Place) -> Cited:
    matter, path = one.matter, f"turns/{one.ident}.yml"
    origin = archive.touched.get(path)
    when = " to ".join(str(moment) for moment in (matter.began, matter.ended) if moment)
    return Cited(
        kind="turn",
        citation=one.ident,
        in_full=_in_full(archive, f"Turn {one.ident}", "", _who(archive, matter.player), when, place.address),
        heading=f"Turn {one.ident} of {_who(archive, matter.player)}",
        player=matter.player,
        since=matter.began,
        until=matter.ended,
        ended=matter.ended is not None,
        address=place.address,
        file=path,
        commit=origin.sha if origin else None,
        link=place.link,
    )


def _in_full(archive: Archive, name: str, title: str, player: str, when: str, address: str) -> str:
    parts = [f"{name}{f' ({title})' if title else ''}", f"by {player}" if player else ""]
    return ", ".join(one for one in (*parts, _line(archive.records.settings.name), when, address) if one)


def _who(archive: Archive, actor: str | None) -> str:
    if actor is None:
        return ""
    return f"Rule {actor}" if actor.isdecimal() else _line(archive.records.names.get(actor, actor))


def _decided(one: Instrument) -> Moment | None:
    return (one.matter.decided if isinstance(one.matter, ProposalMatter) else None) or one.matter.date


def _status(archive: Archive, one: Instrument) -> str | None:
    if isinstance(one.matter, ActMatter):
        return None
    when = f" on {one.matter.decided}" if isinstance(one.matter, ProposalMatter) and one.matter.decided else ""
    votes = votes_said(archive.replay.tallies.get(one.path))
    return f"{one.matter.status}{when}{f'; {votes}' if votes else ''}"


def _line(text: str | None) -> str:
    return " ".join((text or "").split())
