"""The lines of a rule's history as pages show them: with links, and with the commit that each came
in. Their words are Nomic IV's: `Amended (1) by Proposal 305 (osprey), Oct 8, 2026`.
"""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup
from msgspec import Struct

from nomicgen.history.history_lines import history_link, history_parts
from nomicgen.history.rule_history import HistoryEntry, RuleHistory
from nomicgen.model.commits import Origin
from nomicgen.model.identifiers import CommitId
from nomicgen.model.records import Instrument
from nomicgen.site.addresses import TIME, moment_anchor
from nomicgen.site.parts.page import Page
from nomicgen.site.site_view import Site
from nomicgen.site.texts.short_words import shorten

_NOTE = 160
"""The most columns of a note in a line of a history."""


# The words for a commit that is not the one that wrote a revision, by `Origin.kind`.
_NOT_ITS_OWN = {
    "instrument": "the commit of its instrument: this revision was never committed by itself",
    "missing": "no commit found that wrote it",
}


class CommitLink(Struct, frozen=True):
    """A link to a commit: its address, if there is one, and its title. `said` is a remark if it is
    not the commit that wrote the revision; '' otherwise.
    """

    sha: CommitId | None = None
    href: str | None = None
    title: str = ""
    said: str = ""


def commit_link(site: Site, origin: Origin | None, link: str | None = None) -> CommitLink:
    """Return the link to a commit. It leads to the commit's page on the forge, or, if that is not
    known, to `link`.
    """
    if origin is None:
        return CommitLink()
    parts = (origin.subject, origin.author, (origin.date or "")[:10])
    return CommitLink(
        sha=origin.sha,
        href=site.addresses.commit(origin.sha, named=origin.kind == "named") or link,
        title=" · ".join(part for part in parts if part) or origin.sha or "",
        said=_NOT_ITS_OWN.get(origin.kind, ""),
    )


def instrument_commit(site: Site, instrument: Instrument) -> CommitLink:
    """Return the commit that recorded an instrument: the one that its file names, or else the one
    that decided it, or else the one that last changed its file.
    """
    if instrument.matter.commit is None:
        game_history, path = site.game_history, instrument.path
        return commit_link(site, game_history.decided.get(path) or game_history.touched.get(path))
    entries = site.entries_of.get(instrument.path, ())
    links = (history_link(site.game_history, identity, index) for identity, index in entries)
    return commit_link(
        site, Origin(kind="named", sha=instrument.matter.commit), next(filter(None, links), None)
    )


def effect_note(page: Page, entry: HistoryEntry) -> Markup | str:
    """Return when a line took effect; '' if that was on the day of the decision, which the line
    itself says, or if that day is not known.

    If nobody recorded the day, return what the instrument's number tells of it, and the note in the
    instrument's file.
    """
    if entry.instrument is not None and entry.moment is None:
        note = shorten(" ".join((entry.instrument.matter.note or "").split()), _NOTE)
        return Markup("; ").join(words for words in (date_bounds(page, entry), note) if words)
    if entry.moment is None or entry.decided is None or entry.moment.day == entry.decided.day:
        return ""
    return Markup("in effect {}").format(page.when(entry.moment))


def date_bounds(page: Page, entry: HistoryEntry) -> Markup:
    """Return what the number of an instrument tells of its day, which nobody recorded, such as `by
    its number between Aug 5, 2019 and Sep 9, 2019`; '' if it tells nothing.
    """
    after, before = entry.bounds
    if after is not None and before is not None and after.day < before.day:
        form = "by its number between {} and {}"
        return Markup(form).format(page.when(after), page.when(before))
    if after is not None and before is not None:
        return Markup("")  # the numbers were not given in the order of the days
    if after is not None:
        return Markup("by its number not before {}").format(page.when(after))
    return (
        Markup("by its number not after {}").format(page.when(before))
        if before is not None
        else Markup("")
    )


def entry_commit(site: Site, history: RuleHistory, index: int) -> CommitLink:
    """Return the commit that a line of a history came in."""
    link = history_link(site.game_history, history.identity, index)
    return commit_link(site, site.game_history.origins.get((history.identity, index)), link)


def entry_html(
    page: Page, entry: HistoryEntry, commit: CommitLink | None = None, *, brief: bool = False
) -> Markup:
    """Return a line of a history with links: the verb leads to the commit, if one is given, and the
    names, dates and turns to their pages. If it is `brief`, player, date and turn are no links.
    """
    return Markup("").join(_parts(page, entry, commit or CommitLink(), brief))


def _parts(
    page: Page, entry: HistoryEntry, commit: CommitLink, brief: bool
) -> Iterator[Markup | str]:
    instrument = entry.instrument
    for kind, text in history_parts(entry, page.site.names):
        if kind == "cause" and instrument is not None:
            yield Markup('<a class="n-ref" href="{}">{}</a>').format(
                page.instrument_href(instrument), text
            )
        elif kind == "verb" and commit.href:
            yield Markup('<a href="{}" title="{}">{}</a>').format(commit.href, commit.title, text)
        elif kind == "player" and not brief:
            yield page.who(entry.actor)
        elif kind == "date" and entry.decided is not None and not brief:
            href = page.href(TIME, moment_anchor(entry.decided))
            form = Markup('<a class="n-when" href="{}"><time datetime="{}">{}</time></a>')
            yield form.format(href, entry.decided.reckoned, text)
        elif kind == "turn" and not brief:
            yield page.turn_link(text)
        else:
            yield text
