"""The workshop: the page on which a proposal is written, its scripts, and the data they read."""

from __future__ import annotations

from collections.abc import Iterator

from nomicgen.site.addresses import PROPOSE
from nomicgen.site.data.api import document
from nomicgen.site.parts.page import Page
from nomicgen.site.render import asset, render_page
from nomicgen.site.site_view import Site
from nomicgen.site.workshop.form_data import form_data, game_files

# The page of nomicgen's guide that has all keys of all provisions.
_REFERENCE = "https://nomicgen.github.io/nomicgen/guide/reference/provisions/"
# The files that the scripts fetch: data for the form, the game's files, the parts of the checker.
_DATA = "assets/workshop/draft.json"
_FILES = "assets/workshop/game.json"
_CHECKER = "assets/workshop/checker.json"
_SCRIPTS = (
    "assets/redline.js",
    "assets/propose-machine.js",
    "assets/propose-verdict.js",
    "assets/propose.js",
)


def propose_pages(site: Site) -> Iterator[tuple[str, str]]:
    """Yield the page, its scripts and data; nothing for an archive."""
    if site.is_archive:
        return
    yield render_page(
        Page(site, PROPOSE),
        "propose.html",
        kind="propose",
        shows=(),  # it is made from no file of the game
        title="Propose a change",
        description=f"Write a proposal for {site.settings.name}, and see what would happen",
        meta={"workshop": True},
        editor=site.addresses.has_editor,
        reference=_REFERENCE,
        example=next((rule.ref for rule in site.replay.current), "101/0"),
        data=_DATA,
        files=_FILES,
        checker=_CHECKER,
        scripts=_SCRIPTS,
    )
    yield _DATA, document(form_data(site))
    yield _FILES, document(game_files(site))
    # Empty until `nomicgen plumbing workshop` puts the checker into the site, and names it here.
    yield _CHECKER, document({})
    # The first script is also the time machine's: `time_page.py` yields it.
    for script in (*_SCRIPTS[1:], "assets/propose-worker.js"):
        yield script, asset(script.removeprefix("assets/"))
