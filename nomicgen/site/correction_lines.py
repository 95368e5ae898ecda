"""What was recorded wrongly and is restated: a line for each correction, on the pages that it concerns."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from nomicgen.archive.restatements import correction_words
from nomicgen.files.urls import is_web
from nomicgen.law.replay_state import Correction
from nomicgen.site.shared_pieces import instrument_link, turn_link
from nomicgen.site.site_view import Site


def corrected(site: Site, path: str, page: str) -> Iterator[Markup]:
    """The corrections of a file: `Corrected on 2026-11-02: the vote of wren was recorded as for, …`."""
    for one in site.archive.replay.corrections:
        if one.file == path:
            act = site.instrument_href(site.archive.records.instruments[one.act], page)
            line = Markup('Corrected on {}: {}, as <a class="n-ref" href="{}">an act</a> says.')
            yield line.format(site.when(one.moment, page), _said(one), act)


def restated(site: Site, act: str, page: str) -> Iterator[Markup]:
    """What an act corrects, each with the file that it stands in."""
    for one in site.archive.replay.corrections:
        if one.act == act:
            yield Markup("This corrects {}: {}.").format(_record(site, one.file, page), _said(one))


def _said(one: Correction) -> Markup:
    evidence = Markup("{}").format(one.evidence)
    if is_web(one.evidence):
        link = Markup('<a class="n-out" rel="noopener nofollow ugc" href="{}">evidence</a>')
        evidence = link.format(one.evidence)
    return Markup("{} ({})").format(correction_words(one), evidence)


def _record(site: Site, path: str, page: str) -> Markup:
    folder, _, name = path.partition("/")
    ident = name.removesuffix(".yml")
    if folder == "turns":
        return Markup("the turn {}").format(turn_link(site, ident, page))
    if folder == "players" and ident in site.archive.records.players:
        return Markup("the days of {}").format(site.who(ident, page))
    instrument = site.archive.records.instruments.get(path)
    return instrument_link(site, instrument, page, titled=True) if instrument else Markup("{}").format(path)
