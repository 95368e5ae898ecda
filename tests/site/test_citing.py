"""A citation's address leads to what is cited, on a page that is there."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping

from hypothesis import given, settings

from nomicgen.history.archive_view import Archive
from nomicgen.history.citations import Resolved, parse_citation, resolve_citation, revision_periods
from nomicgen.model.values import Moment
from nomicgen.site.addresses import addresses_of
from nomicgen.site.build import pages
from nomicgen.site.citation_links import cited_address
from tests.deep import examples
from tests.games import legal_games
from tests.history.test_citation import given_again, renumbered
from tests.ledger import Ledger
from tests.rulesets import archive

UNTIL = "2026-12-31"


def address(whole: Archive, text: str, url: str = "", *, directory_urls: bool = True) -> str:
    found = resolve_citation(whole, parse_citation(text))
    assert isinstance(found, Resolved)
    return cited_address(addresses_of(whole, directory_urls=directory_urls), found.revision, url)


def section(made: Mapping[str, str], there: str) -> str:
    """What stands at an address: the section of a revision, as it is read."""
    path, _, anchor = there.partition("/#")
    page = made[f"{path}.md"]
    part = page.partition(f'<section class="n-revision" id="{anchor}">')[2].partition("</section>")[0]
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", part)).split())


def test_addresses() -> None:
    whole = archive(renumbered().tree, UNTIL)
    assert address(whole, "203/0") == "rules/203/#r0"
    assert address(whole, "203@2026-02-03") == "rules/301/#r1"
    assert address(whole, "203") == "rules/303/#r2"
    assert address(whole, "203/0", "https://nomic.example/game") == "https://nomic.example/game/rules/203/#r0"
    assert address(whole, "203/0", directory_urls=False) == "rules/203.html#r0"
    again = archive(given_again().tree, UNTIL)
    assert address(again, "202/0@2026-01-01") == "rules/202/2026-01-01/#r0"
    assert address(again, "202/0@2026-02-03") == "rules/202/#r0"


def check(made: Ledger) -> None:
    whole = archive(made.tree, UNTIL)
    site = pages(whole, today=Moment.parse(UNTIL))
    addresses = addresses_of(whole)
    for history in whole.histories.rules.values():
        for one in revision_periods(history):
            said = section(site, cited_address(addresses, one))
            text = one.rule.text or ""
            if "the text in force, above" in said:
                assert one.rule == history.current
            else:
                assert said.endswith(text), said


def test_each_address_leads_to_the_text() -> None:
    for made in (renumbered(), given_again()):
        check(made)


@settings(deadline=None, max_examples=examples(0.05))
@given(legal_games(moves=5))
def test_whatever_the_game_each_address_is_there(made: Ledger) -> None:
    whole = archive(made.tree, UNTIL)
    site = pages(whole, today=Moment.parse(UNTIL))
    addresses = addresses_of(whole)
    for history in whole.histories.rules.values():
        for one in revision_periods(history):
            path, _, anchor = cited_address(addresses, one).partition("/#")
            assert f'id="{anchor}"' in site[f"{path}.md"]
