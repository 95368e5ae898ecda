"""What a page's head tells programs: its data, how it is to be cited, where its present page is.

It goes into the page's front matter, under `nomic`; `theme/main.html` makes elements of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urljoin

from nomicgen.archive.rule_history import RuleHistory
from nomicgen.model import Instrument, Moment
from nomicgen.site.addresses import HISTORY, PLAYERS, SCORES, TIME, instrument_page, player_page
from nomicgen.site.data_parts import data_file
from nomicgen.site.embed import plain
from nomicgen.site.lists import ACTS, JUDGEMENTS, PROPOSALS
from nomicgen.site.rules_page import RULES
from nomicgen.site.site_view import Site
from nomicgen.site.time_page import DATA

Metadata = Mapping[str, str | Sequence[str]]

_LISTS = ("index.md", HISTORY, PLAYERS, SCORES, ACTS[0], JUDGEMENTS[0], PROPOSALS[0], RULES[0])


def metadata(site: Site) -> Mapping[str, Metadata]:
    """What the head of each page says, by its path; pages of which there is nothing to say are left out.

    `data` is the address of the document of the same, relative to the site's root; `canonical`, on the page of a former
    number, the whole address of the rule's present page, where that is known. `within` is the address of the list that
    names the page. `title`, `authors` and `date` (`2020/07/27`) are how it is cited.
    """
    found: dict[str, Metadata] = {page: _data(site, page) for page in _LISTS}
    found[TIME] = {"data": site.addresses.href(DATA, "index.md")}
    for ident in site.records.players:
        found[player_page(ident)] = _data(site, player_page(ident))
    for one in site.records.instruments.values():
        page = instrument_page(one)
        found[page] = {**_data(site, page), **_instrument(site, one)}
    for history in site.histories.rules.values():
        for number in history.numbers:
            page = site.addresses.number_page(number, history)
            found[page] = {**_data(site, page), **_rule(site, history, page)}
    return found


def _data(site: Site, page: str) -> Metadata:
    within, _, name = page.partition("/")
    listed = {"within": site.addresses.href(f"{within}/index.md", "index.md")} if name else {}
    return {"data": site.addresses.href(data_file(page), "index.md"), **listed}


def _rule(site: Site, history: RuleHistory, page: str) -> Metadata:
    """A rule is by all who wrote one of its texts, the last one first."""
    main = site.addresses.rule_page(history)
    writers = (entry.actor for entry in reversed(history.revisions) if entry.actor)
    said = _cited(
        site,
        f"{site.heading(history.last)} — {site.settings.name}",
        list(dict.fromkeys(writers)),
        history.revisions[-1].moment,
    )
    if page == main or not site.url:
        return said
    return {**said, "canonical": urljoin(site.url, site.addresses.href(main, "index.md"))}


def _instrument(site: Site, one: Instrument) -> Metadata:
    return _cited(
        site,
        f"{site.titled(one)} — {site.settings.name}",
        [one.actor] if one.actor else [],
        one.matter.date,
    )


def _cited(site: Site, title: str, authors: Sequence[str], moment: Moment | None) -> Metadata:
    names = [plain(site.name(one)) for one in authors] or [plain(site.settings.name)]
    date = {"date": f"{moment.day:%Y/%m/%d}"} if moment else {}
    return {"title": plain(title), "authors": names, **date}
