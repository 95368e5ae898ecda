"""Makes the files of a site as texts, from a game with its history. It touches no disk.

`mkdocs/plugin.py` and `publishing/markdown_folder.py` write what it returns.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from nomicgen.history.game_history import GameHistory
from nomicgen.model.values import Moment
from nomicgen.site.addresses import addresses_of
from nomicgen.site.data.feed import feeds
from nomicgen.site.data.files import data_files
from nomicgen.site.data.recent_changes import NEWS, NEWS_SCRIPTS, news_file
from nomicgen.site.data.search import search_files
from nomicgen.site.pages.cards_page import card_pages
from nomicgen.site.pages.digest_pages import digest_pages
from nomicgen.site.pages.history_page import history_pages
from nomicgen.site.pages.home_page import home_pages
from nomicgen.site.pages.instruments_page import instrument_pages
from nomicgen.site.pages.lists_page import instrument_lists
from nomicgen.site.pages.players_page import player_pages
from nomicgen.site.pages.propose_page import propose_pages
from nomicgen.site.pages.revision_pages import revision_pages
from nomicgen.site.pages.rules_page import rule_pages
from nomicgen.site.pages.ruleset_page import ruleset_pages
from nomicgen.site.pages.scores_page import score_pages
from nomicgen.site.pages.time_page import time_pages
from nomicgen.site.parts.lifeline import LIFE_SCRIPTS
from nomicgen.site.parts.page_foot import VERIFIED, verified_file
from nomicgen.site.render import asset, stylesheet
from nomicgen.site.site_view import Site


def pages(
    game_history: GameHistory,
    *,
    today: Moment,
    directory_urls: bool = True,
    url: str = "",
    written: Mapping[str, str] = MappingProxyType({}),
) -> Mapping[str, str]:
    """Return every text file of a game's site, by its path below the docs folder.

    A path with `.md` at its end is a page: front matter and one block of HTML. All else is copied
    as it is. The caller adds the game's pictures (`records.images`, with the same paths) and the
    `fonts()`. `today` is the day of which the site tells: what is void, what can be done.
    `directory_urls` says how pages link to each other: `rules/203/`, or `rules/203.html`. `url` is
    where the site will stand, '' if that is not known; feeds and the heads of pages have addresses
    that begin with it. `written` has the Markdown pages that a person wrote, by path, for the
    search.
    """
    site = _site(game_history, today, url, directory_urls=directory_urls)
    return {**_pages(site), **dict(search_files(site, written))}


def _site(game_history: GameHistory, today: Moment, url: str, *, directory_urls: bool) -> Site:
    addresses = addresses_of(game_history, directory_urls=directory_urls)
    return Site(
        game_history=game_history,
        today=today,
        addresses=addresses,
        url=f"{url.rstrip('/')}/" if url else "",
    )


def _pages(site: Site) -> Mapping[str, str]:
    return {
        **dict(home_pages(site)),
        **dict(ruleset_pages(site)),
        **dict(rule_pages(site)),
        **dict(revision_pages(site)),
        **dict(instrument_lists(site, "proposal")),
        **dict(instrument_pages(site, "proposal")),
        **dict(instrument_lists(site, "judgement")),
        **dict(instrument_pages(site, "judgement")),
        **dict(instrument_lists(site, "act")),
        **dict(instrument_pages(site, "act")),
        **dict(player_pages(site)),
        **dict(score_pages(site)),
        **dict(history_pages(site)),
        **dict(digest_pages(site)),
        **dict(time_pages(site)),
        **dict(propose_pages(site)),
        **dict(card_pages(site)),
        **dict(data_files(site)),
        **dict(feeds(site)),
        NEWS: news_file(site),
        VERIFIED: verified_file(site),
        "assets/nomic.css": stylesheet(),
        "assets/nomic.js": asset("nomic.js"),
        "assets/rule.js": asset("rule.js"),
        **{f"assets/{script}": asset(script) for script in (*LIFE_SCRIPTS, *NEWS_SCRIPTS)},
        "assets/search.js": asset("search.js"),
        "assets/missing.js": asset("missing.js"),
        "assets/theme.js": asset("theme.js"),
        "assets/mark.svg": asset("mark.svg"),
        "assets/favicon.svg": asset("favicon.svg"),
    }
