"""What a citation stands for: for a terminal, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from nomicgen.archive.archive_view import Archive
from nomicgen.archive.citations import Resolved
from nomicgen.archive.history_lines import history_link
from nomicgen.formats.documents import FORMAT, Shape
from nomicgen.formats.json_parts import RULE_STATE
from nomicgen.formats.styled_text import styled
from nomicgen.formats.terminal import safe
from nomicgen.identifiers import CommitId
from nomicgen.law.replay_state import Rule
from nomicgen.model import Moment


class Cited(Struct, frozen=True, kw_only=True):
    """The revision that a citation stands for, and where it stands; `address` is the one on the site."""

    citation: str
    in_full: str
    heading: str
    note: str
    rule: Rule
    player: str | None
    since: Moment | None
    until: Moment | None
    ended: bool
    address: str
    file: str
    commit: CommitId | None
    link: str | None


CITED = Shape(
    "CitationView",
    "What a citation stands for.",
    Cited,
    format=FORMAT,
    citation="what cites it for good, such as `R203/1@2020-07-27`",
    in_full="the same for people, with the game, the time and the address",
    heading="what it is called",
    note="what one may not expect, such as that its number is another now",
    rule=RULE_STATE("the rule as it stood then"),
    player="the id of who made it",
    since="from when on the rule stood so",
    until="from when on it stood so no more",
    ended="whether the rule stands so no more",
    address="where it stands on the site; a path from its root where the site is not known",
    file="the file of the game that made it",
    commit="the commit that it came in",
    link="where it can be seen on the forge",
)


def cited(archive: Archive, resolved: Resolved, address: str) -> Cited:
    """What a citation stands for, which is found at `address` on the site."""
    revision, identity = resolved.revision, resolved.revision.history.identity
    rule, entry = revision.rule, revision.history.entries[revision.index]
    origin = archive.origins.get((identity, revision.index))
    title, game = _line(rule.title), _line(archive.records.settings.name)
    name = f"Rule {rule.ref}{f' ({title})' if title else ''}"
    return Cited(
        citation=revision.citation,
        in_full=", ".join(part for part in (name, game, revision.span, address) if part),
        heading=f"Rule {rule.ref}{f': {title}' if title else ''}",
        note=resolved.note,
        rule=rule,
        player=entry.actor,
        since=revision.since,
        until=revision.until,
        ended=revision.ended,
        address=address,
        file=entry.path,
        commit=origin.sha if origin else entry.commit,
        link=history_link(archive, identity, revision.index),
    )


def citation_text(view: Cited) -> Iterator[str]:
    """The heading, the text, and how to cite it."""
    yield styled(safe(view.heading), "bold") + styled(safe(f"  ({view.rule.tier})"), "dim")
    yield safe(_when(view))
    if view.note:
        yield safe(f"({view.note})")
    yield from ("", safe(view.rule.text if view.rule.text is not None else "(the text is lost)"), "")
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
    first = view.file.startswith("rules/initial/")
    since = view.since or ("the beginning" if first else "a day that is not known")
    return f"from {since} to {view.until or 'a day that is not known'}" if view.ended else f"in force since {since}"


def _line(text: str | None) -> str:
    return " ".join((text or "").split())
