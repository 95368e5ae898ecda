"""The lines of a rule's history on its page: Nomic IV's words, of which each name and date is a link."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from nomicgen.archive.history_lines import history_line, history_link, history_parts
from nomicgen.archive.rule_history import HistoryEntry, RuleHistory
from nomicgen.site.addresses import TIME, moment_anchor, revision_anchors
from nomicgen.site.render import origin_view
from nomicgen.site.shared_pieces import joined, turn_link
from nomicgen.site.site_view import Site
from nomicgen.site.svg import cut

_NOTE = 160
"""Characters of a note that a line of a history shows."""


def history_views(
    site: Site, history: RuleHistory, entries: Sequence[tuple[int, HistoryEntry]], page: str, number: int | None = None
) -> Sequence[Mapping[str, Any]]:
    """The lines of a history in Nomic IV's style, each with the commit that it came in.

    `text` is the whole line, `line` the same with its links. `era` names the number that the rule bore from there on,
    where it bore several. Anchors are those of the page of `number`, else of the rule's own.
    """
    found = []
    era = 0
    anchors = revision_anchors(history, number)
    for index, entry in entries:
        origin = entry_commit(site, history, index)
        instrument = entry.instrument
        href = origin["href"] or (site.instrument_href(instrument, page) if instrument else None)
        changed = len(history.numbers) > 1 and entry.rule.number != era
        era = entry.rule.number
        found.append(
            {
                "text": history_line(entry, site.names),
                "line": entry_html(site, entry, page, origin),
                "href": href,
                "origin": origin,
                "source": instrument and {"href": site.instrument_href(instrument, page), "text": instrument.name},
                "ref": entry.rule.ref,
                "anchor": anchors.get(index, ""),
                "effect": said_of_effect(site, entry, page),
                "era": f"As Rule {era}" if changed else "",
            }
        )
    return found


def said_of_effect(site: Site, entry: HistoryEntry, page: str) -> Markup | str:
    """When a line took effect, where that was on another day than the decision, which its own date is.

    Where nobody recorded it: what its number tells of the day, and the note of its file.
    """
    if entry.instrument is not None and entry.moment is None:
        note = cut(" ".join((entry.instrument.matter.note or "").split()), _NOTE)
        return joined([one for one in (said_of_bounds(site, entry, page), note) if one], "; ")
    if entry.moment is None or entry.decided is None or entry.moment.day == entry.decided.day:
        return ""
    return Markup("in effect {}").format(site.when(entry.moment, page))


def said_of_bounds(site: Site, entry: HistoryEntry, page: str) -> Markup:
    """`by its number between Aug 5 and Sep 9, 2019`: what is known of a day that nobody recorded; '' for nothing."""
    after, before = entry.bounds
    if after is not None and before is not None and after.day < before.day:
        form = "by its number between {} and {}"
        return Markup(form).format(site.when(after, page), site.when(before, page))
    if after is not None and before is not None:
        return Markup("")  # the numbers were not given in the order of the days
    if after is not None:
        return Markup("by its number not before {}").format(site.when(after, page))
    return Markup("by its number not after {}").format(site.when(before, page)) if before is not None else Markup("")


def entry_commit(site: Site, history: RuleHistory, index: int) -> Mapping[str, Any]:
    """The commit that a line of a history came in, as templates show it."""
    link = history_link(site.archive, history.identity, index)
    return origin_view(site, site.archive.origins.get((history.identity, index)), link)


def entry_html(
    site: Site, entry: HistoryEntry, page: str, origin: Mapping[str, Any] | None = None, *, brief: bool = False
) -> Markup:
    """A line of a history: what was done leads to its commit, the rest to the pages of what is named.

    In `brief` only the instrument is a link.
    """
    return Markup("").join(_parts(site, entry, page, origin, brief))


def _parts(
    site: Site, entry: HistoryEntry, page: str, origin: Mapping[str, Any] | None, brief: bool
) -> Iterator[Markup | str]:
    one = entry.instrument
    for kind, text in history_parts(entry, site.names):
        if kind == "cause" and one is not None:
            yield Markup('<a class="n-ref" href="{}">{}</a>').format(site.instrument_href(one, page), text)
        elif kind == "deed" and origin is not None and origin["href"]:
            yield Markup('<a href="{}" title="{}">{}</a>').format(origin["href"], origin["title"], text)
        elif kind == "player" and not brief:
            yield site.who(entry.actor, page)
        elif kind == "date" and entry.decided is not None and not brief:
            href = site.addresses.href(TIME, page, moment_anchor(entry.decided))
            yield Markup('<a class="n-when" href="{}"><time datetime="{}">{}</time></a>').format(
                href, entry.decided.exact, text
            )
        elif kind == "turn" and not brief:
            yield turn_link(site, text, page)
        else:
            yield text
