"""What the site says of a proposal that names its own day, and of what an archive does not have."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping

import pytest

from nomicgen.law.checks.run import check
from nomicgen.model.values import Moment
from nomicgen.play.load import Game, load
from nomicgen.play.possible_moves import whats_next
from nomicgen.site.data.files import data_files
from nomicgen.site.pages.home_page import home_pages
from nomicgen.site.pages.instruments_page import instrument_pages
from nomicgen.site.parts.tiers import fold_groups, tiers_by_group
from nomicgen.site.publishing.publication import publication_of
from nomicgen.site.site_view import Site
from tests.site.small import LANTERN, site_of, small_history
from tests.site.test_players import facts
from tests.site.test_rule import SETTINGS, adopted, game_history_of, made, notices, rule, words
from tests.support import ROOT


def _facts(files: Mapping[str, str], number: int) -> dict[str, str]:
    pages = dict(instrument_pages(site_of(small_history(files)), "proposal"))
    return facts(pages[f"proposals/{number}.md"].split("<h2>Dates</h2>")[1])


def test_the_page_of_a_proposal_tells_the_day() -> None:
    assert _facts(LANTERN, 304)["Takes effect"] == "on Apr 1, 2021, by its own words"
    adopted = _facts(LANTERN, 303)
    assert adopted["Takes effect"] == "on Mar 10, 2021, by its own words"
    assert "In effect" not in adopted
    assert _facts(LANTERN, 302)["In effect"] == "Feb 2, 2021"


def test_a_rule_goes_before_the_day() -> None:
    rule = LANTERN["rules/initial/208.md"].replace("{victory:", "{effect: at-once, victory:")
    said = _facts({**LANTERN, "rules/initial/208.md": rule}, 304)["Takes effect"]
    assert said == "on Apr 1, 2021, by its own words, but Rule 208 says when it does"


def test_the_document_of_a_proposal_has_the_day() -> None:
    documents = dict(data_files(site_of(small_history(LANTERN))))
    said = {
        number: json.loads(documents[f"api/v1/proposals/{number}.json"])["commences"]
        for number in (302, 303, 304)
    }
    assert said == {302: None, 303: "2021-03-10", 304: "2021-04-01"}
    strength = json.loads(documents["api/v1/players/ada.json"])["strength"]
    assert [(one["votes"], one["since"], one["until"]) for one in strength] == [
        (3, "2021-01-05", None),
        (0, "2021-01-07", "2021-01-08"),
    ]


def test_the_page_of_a_proposal_says_how_long_it_waits() -> None:
    rule = LANTERN["rules/initial/208.md"].replace(
        "{victory:", "{effect: {after: 7 days}, victory:"
    )
    open_one = LANTERN["proposals/304.md"].replace("commences: 2021-04-01\n", "")
    said = _facts({**LANTERN, "rules/initial/208.md": rule, "proposals/304.md": open_one}, 304)[
        "Takes effect"
    ]
    assert said == "7 days after the decision (Rule 208)"


# What cannot be done yet is offered to nobody: the site says what a proposal waits for, as
# `nomicgen next` does.


DAY = Moment.parse("2026-11-20")
PATH = "proposals/winter-recess.md"
WAITS = "Legal. It waits for osprey's turn (R4T2), and then gets its number"


@pytest.fixture(scope="module")
def game() -> Game:
    """The house, in Marl's turn, with a draft of Osprey's."""
    return load(ROOT, DAY)


@pytest.fixture(scope="module")
def site(game: Game) -> Site:
    return site_of(publication_of(game), DAY)


def told(text: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", text)).split())


def test_the_first_page_says_what_a_draft_waits_for(site: Site) -> None:
    ((_, home),) = home_pages(site)
    said = told(home)
    assert f"Draft winter-recess · Winter recess : {WAITS}" in said
    assert "Register Draft winter-recess" not in said
    assert "nomicgen register" not in said


def test_the_draft_s_own_page_says_the_same(site: Site) -> None:
    pages = dict(instrument_pages(site, "proposal"))
    page = pages["proposals/draft-winter-recess.md"]
    assert f"It has no number yet, and may still change. {WAITS}." in told(page)


def test_they_are_the_words_of_next(game: Game, site: Site) -> None:
    (task,) = [task for task in whats_next(game) if task.path == PATH]
    assert (task.what, task.command) == (f"{PATH}: {WAITS}", None)
    assert site.game_history.hindered == {PATH: WAITS}


TIERS = [f"power-{number}" for number in range(23, 0, -1)]
GAPS = (
    "format: 1\nname: Long House\nstarted: 2020-01-01\n"
    f"tiers: [{', '.join(TIERS)}]\n"
    "groups: {high power: [power-23, power-22], low power: [power-2, power-1]}\n"
    "lost: {proposals: [301-340], rules: 2020-03-01}\n"
)
GAME = {
    "nomic.yml": GAPS,
    "rules/initial/101.md": rule(101, "High.", tier="power-22"),
    "rules/initial/203.md": rule(203, "Low.", tier="power-2"),
    "proposals/341.md": adopted(
        341, "2020-02-01", "## Enact Rule 341\n\n```yaml rule\nmutability: power-1\n```\n\nOne."
    ),
    "proposals/342.md": adopted(
        342, "2020-04-01", "## Enact Rule 342\n\n```yaml rule\nmutability: power-1\n```\n\nTwo."
    ),
    "proposals/343.md": adopted(
        343, "2020-05-01", "## Enact Rule 343\n\n```yaml rule\nmutability: power-9\n```\n\nTen."
    ),
    "judgements/1.md": (
        "---\nnumber: 1\ndate: 2020-06-01\nstatus: upheld\nrules: [101]\n---\n\nIs it?\n\n"
        "## Ruling\n\nIt is.\n"
    ),
}


def glance(page: str) -> list[str]:
    return [
        words(one)
        for one in re.findall(
            r"<div><dt>.*?</div>", page.partition('n-glance">')[2].partition("</dl>")[0]
        )
    ]


def test_tiers_of_one_name_are_counted_together_and_zero_is_not_shown() -> None:
    home = made(GAME)["index.md"]
    assert glance(home) == [
        "high power rules1",
        "power-9 rules1",
        "low power rules3",
        "adopted proposals3",
        "judgements1",
        "players2",
    ]
    assert 'href="rules/#tier-power-22">1</a>' in home


def test_a_chart_begins_where_the_archive_is_whole_and_says_so() -> None:
    history = made(GAME)["history.md"]
    chart = history.partition("n-figure--growth")[2].partition("</figure>")[0]
    assert "3 rules on Mar 1, 2020, 5 rules now." in chart
    assert (
        "Rules that were repealed before Mar 1, 2020 are not in this archive: the chart begins "
        "there." in chart
    )
    assert "at the beginning" not in chart
    assert re.findall(r"<bdi>([^<]*)</bdi>", chart) == ["low power", "power-9", "high power"]


def test_what_else_was_proposed_is_not_known() -> None:
    site = made(GAME)
    assert (
        '<p class="n-lead">3 adopted proposals. What else was proposed is not in this archive.</p>'
        in (site["proposals/index.md"])
    )
    players = site["players/index.md"]
    assert "<dt>proposals</dt>" in players
    assert "<dt>adopted</dt>" not in players
    assert "<dt>votes</dt>" not in players


def test_of_a_judgement_that_stands_nobody_says_that_it_was_upheld() -> None:
    site = made(GAME)
    assert not [
        path for path, page in site.items() if path.endswith(".md") and "upheld" in words(page)
    ]
    assert "given" in words(site["judgements/1.md"])


def test_texts_that_are_lost_are_told_once() -> None:
    lost = "---\nnumber: 203\nmutability: mutable\nrevision: 0\ntext: lost\n---\n"
    gone = "\n\n```yaml rule\ntext: lost\n```"
    files = {"nomic.yml": SETTINGS, "rules/initial/203.md": lost}
    for at in range(1, 30):
        files[f"proposals/{300 + at}.md"] = adopted(
            300 + at, f"2020-02-{at:02}", f"## Amend Rule 203/{at - 1}{gone}"
        )
    files["proposals/330.md"] = adopted(330, "2020-03-01", "## Amend Rule 203/29\n\nKnown at last.")
    page = made(files)["rules/203.md"]
    assert notices(page) == ["The texts of 203/0–29 are lost."]
    assert words(page).count("lost") == 3  # the notice, the origin of its words, what changed last
    assert all(page.count(f'id="r{revision}"') == 1 for revision in range(31))


@pytest.mark.parametrize("most", [2, 3, 6])
def test_more_groups_than_can_be_told_apart_are_folded(most: int) -> None:
    sizes = {tier: int(tier.removeprefix("power-")) for tier in TIERS}
    groups = fold_groups(tiers_by_group(game_history_of(GAME).records.settings, TIERS), sizes, most)
    assert len(groups) == most
    assert sorted(tier for tiers in groups.values() for tier in tiers) == sorted(TIERS)
    assert next(iter(groups)) == "high power"
    assert list(groups)[-1] == "other tiers"


def test_a_group_names_tiers_of_the_game() -> None:
    settings = f"{SETTINGS}groups: {{all: [immutable, mutabel]}}\n"
    game_history = game_history_of({"nomic.yml": settings})
    (found,) = [
        one
        for one in check(game_history.records, game_history.replay)
        if one.slug == "reference-unknown"
    ]
    assert (found.message, found.help) == (
        "mutabel is no tier of this game",
        "did you mean mutable?",
    )
    assert str(found.span).startswith("nomic.yml:5:")


def test_a_turn_that_no_rule_gives_to_anybody_can_be_begun_in_a_browser() -> None:
    law = "provisions:\n  adoption: {needs: majority, of: cast}\n  effect: next-turn\n"
    site = made(
        {
            "nomic.yml": f"{SETTINGS}repository: https://github.com/us/long\n",
            "rules/initial/105.md": rule(105, "They wait.", law),
            "proposals/301.md": adopted(301, "2020-05-15", "## Enact Rule 301\n\nTea."),
        },
        "2020-05-18",
    )
    home = site["index.md"]
    assert (
        "The next turn can begin, for which Proposal 301 waits; no rule says whose turn it is; "
        "in its file write player: your-id anybodyBegin it" in words(home)
    )
    assert (
        'href="https://github.com/us/long/new/main?filename=turns%2FR1T1.yml&amp;value='
        'player%3A%20your-id%0Abegan%3A%202020-05-18%0A">Begin it</a>' in home
    )
