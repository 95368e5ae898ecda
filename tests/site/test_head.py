"""What the head of a page tells programs: data and feed, citation, the page's own address, the
words of schema.org.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path
from typing import Any

import pytest
import yaml

from nomicgen.history.game_history import GameHistory
from nomicgen.site.build import pages
from nomicgen.site.parts.page_source import page_source, plain
from tests.site.conftest import Built
from tests.site.engines import Both
from tests.site.example import TODAY

pytestmark = pytest.mark.nightly

HEAD = re.compile(r"<(?:link|meta) [^>]*(?:alternate|canonical|citation_|og:)[^>]*>")
AT = "https://harbour.example/nomic/"


@pytest.fixture(scope="module")
def both(harbour: Built, tmp_path_factory: pytest.TempPathFactory) -> Both:
    """The site of the game with one of everything, by both engines, where it knows its address."""
    folder = tmp_path_factory.mktemp("addressed")
    game = Path(shutil.copytree(harbour.game, folder / "game"))
    with (game / "mkdocs.yml").open("a") as stream:
        stream.write(f"site_url: {AT}\n")
    return Both(game=game, folder=folder)


def head(site: Path, page: str) -> list[str]:
    """What a page's head tells programs; the engines escape and begin relative addresses in ways of
    their own.
    """
    html = (site / page / "index.html").read_text("utf-8")
    return [
        unescape(one).replace('href="./', 'href="')
        for one in HEAD.findall(html[: html.index("</head>")])
    ]


def test_a_page_says_what_it_is_to_programs(both: Both) -> None:
    assert head(both.mkdocs, "proposals/301") == [
        f'<link rel="canonical" href="{AT}proposals/301/">',
        '<link rel=" alternate" type="application/atom+xml" title="Harbour Nomic" '
        'href="../../feed.xml">',
        '<link rel=" alternate" type="application/json" href="../../api/v1/proposals/301.json">',
        '<meta property="og:site_name" content="Harbour Nomic">',
        '<meta property="og:title" content="Proposal 301 · A floor under the majority">',
        '<meta property="og:type" content="article">',
        '<meta property="og:description" content="Proposal 301 · A floor under the majority: '
        'adopted">',
        f'<meta property="og:url" content="{AT}proposals/301/">',
        '<meta name="citation_title" content="Proposal 301 · A floor under the majority — '
        'Harbour Nomic">',
        '<meta name="citation_author" content="Ada">',
        '<meta name="citation_publication_date" content="2020/06/08">',
        f'<meta name="citation_public_url" content="{AT}proposals/301/">',
    ]
    for page in ("", "rules", "rules/203", "judgements/1", "players/ada", "history", "scores"):
        found = head(both.mkdocs, page)
        feeds = 2 if page in ("rules/203", "players/ada") else 1
        assert sum("application/atom+xml" in one for one in found) == feeds, page
        (data,) = re.findall(r'application/json" href="([^"]+)"', "".join(found))
        assert (both.mkdocs / page / data).is_file(), page


def test_the_page_of_a_former_number_names_the_rules_own(both: Both) -> None:
    for site in (both.mkdocs, both.zensical):
        found = "".join(head(site, "rules/103"))
        assert re.findall('canonical" href="([^"]+)"', found) == [f"{AT}rules/303/"]
        assert re.findall('citation_public_url" content="([^"]+)"', found) == [f"{AT}rules/303/"]
        assert re.findall('citation_author" content="([^"]+)"', found) == ["Harbour Nomic"]


def test_both_engines_say_the_same_to_programs(both: Both) -> None:
    pages_ = [
        path.parent.relative_to(both.mkdocs).as_posix() for path in both.mkdocs.rglob("index.html")
    ]
    assert len(pages_) > 30
    assert [page for page in pages_ if head(both.mkdocs, page) != head(both.zensical, page)] == []


def test_the_first_page_bears_the_name_of_the_game_once(both: Both) -> None:
    for site in (both.mkdocs, both.zensical):
        assert re.findall("<title>(.*?)</title>", (site / "index.html").read_text("utf-8"))[:1] == [
            "Harbour Nomic"
        ]


def test_an_address_that_leads_nowhere_says_where_to_go(both: Both) -> None:
    for site in (both.mkdocs, both.zensical):
        lost = (site / "404.html").read_text("utf-8")
        assert "<title>No such page - Harbour Nomic</title>" in lost
        assert re.search(r'<a href="[^"]+">the first page of Harbour Nomic</a>', lost)


def test_the_sitemap_has_every_page(both: Both) -> None:
    for site in (both.mkdocs, both.zensical):
        named = set(re.findall("<loc>(.*?)</loc>", (site / "sitemap.xml").read_text("utf-8")))
        assert {
            AT,
            f"{AT}rules/203/",
            f"{AT}proposals/draft-turnout/",
            f"{AT}players/ada/",
        } <= named


def test_front_matter_holds_whatever_a_title_says() -> None:
    said = {
        "title": plain('A "title" \\ with {{ x }} <b> & &lt; \u2028 é'),
        "authors": [plain("--- 'x': y #")],
    }
    page = page_source("<p>---", title="x", meta=said)
    _, head_, body = page.split("---\n", 2)
    assert yaml.safe_load(head_) == {"nomic": said, "title": "x", "hide": ["navigation", "toc"]}
    assert body == "\n<p>---\n"
    assert not set("{}`\t") & set(head_)


URL = "https://harbour.example/nomic/"
# Of the vocabulary (schema.org, version 29) the terms of Legislation and its parents that are used
# here.
TERMS = {
    *("@context", "@type", "name", "url", "isPartOf"),
    *(
        "legislationIdentifier",
        "legislationDate",
        "legislationDateVersion",
        "legislationLegalForce",
    ),
    *("legislationAmends", "legislationRepeals", "legislationConsolidates"),
}
FORCES = {"https://schema.org/InForce", "https://schema.org/NotInForce"}


def law_of(page: str) -> Any:
    return yaml.safe_load(page.split("---\n")[1])["nomic"].get("law")


def things(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, dict):
        yield value
    for part in (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    ):
        yield from things(part)


@pytest.fixture(scope="module")
def laws(game_history: GameHistory) -> dict[str, Any]:
    made = pages(game_history, today=TODAY, url=URL)
    found = {
        path: law_of(page)
        for path, page in made.items()
        if path.startswith(("rules/", "proposals/")) and "nomic:" in page
    }
    return {path: law for path, law in found.items() if law is not None}


def test_every_term_is_of_the_vocabulary(laws: dict[str, Any]) -> None:
    for law in laws.values():
        assert law["@context"] == "https://schema.org"
        for thing in things(law):
            assert set(thing) <= TERMS
            assert thing["@type"] == "Legislation"
            assert thing.get("url", URL).startswith(URL)
            assert thing.get("legislationLegalForce", "https://schema.org/InForce") in FORCES


def test_a_rule_says_its_revision_its_days_and_what_made_it(laws: dict[str, Any]) -> None:
    rule = laws["rules/203.md"]
    assert rule["legislationIdentifier"] == "203/1"
    assert rule["legislationDate"] < rule["legislationDateVersion"]
    assert rule["legislationLegalForce"] == "https://schema.org/InForce"
    assert rule["url"] == f"{URL}rules/203/"
    assert [one["@type"] for one in rule["legislationConsolidates"]] == ["Legislation"]


def test_only_adopted_proposals_are_legislation(
    laws: dict[str, Any], game_history: GameHistory
) -> None:
    adopted = {
        one.path
        for one in game_history.records.of_kind("proposal")
        if one.matter.status == "adopted" and one.number is not None
    }
    told = {path for path in laws if path.startswith("proposals/")}
    assert told
    assert told <= adopted
    assert any("legislationAmends" in laws[path] for path in told)


def test_what_players_wrote_ends_no_script(hostile: Built) -> None:
    for page in sorted(hostile.site.rglob("rules/*/index.html")):
        text = page.read_text("utf-8")
        (script,) = text.split('<script type="application/ld+json">')[1:2] or [""]
        assert "<" not in script.partition("</script>")[0]
