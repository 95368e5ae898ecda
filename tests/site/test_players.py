"""The pages of players: who each is, what each did, and what is asked of each now."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from nomicgen.model.values import Moment
from nomicgen.site.addresses import player_page
from nomicgen.site.pages.players_page import player_pages
from tests.site.example import TODAY, build_game, load_history
from tests.site.small import LANTERN, main_text, site_of, small_history, words
from tests.support import GitRepo


@pytest.fixture(scope="module")
def lantern() -> Mapping[str, str]:
    return dict(player_pages(site_of(small_history(LANTERN))))


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    game = build_game(GitRepo(tmp_path_factory.mktemp("players")))
    return dict(player_pages(site_of(load_history(game), TODAY)))


def items(page: str) -> list[str]:
    return [words(one) for one in re.findall(r"<li data-nomic-item.*?</li>", page, re.DOTALL)]


def facts(page: str) -> dict[str, str]:
    return {
        words(name): words(value)
        for name, value in re.findall(r"<div>\s*<dt>(.*?)</dt><dd>(.*?)</dd>\s*</div>", page)
    }


def test_everyone_has_a_page_and_who_plays_stands_first(lantern: Mapping[str, str]) -> None:
    assert list(lantern) == [
        "players/index.md",
        *(f"players/{ident}.md" for ident in ("ada", "index_", "bo", "eve", "cy", "post", "robin")),
    ]
    assert items(lantern["players/index.md"]) == [
        "Ada since Jan 1, 2021 points 20 proposals 2 adopted 2 votes 4 playing",
        "Index since Jan 2, 2021 points 10 proposals 2 adopted 1 votes 3 playing",
        "Bo &lt;b&gt; since Jan 1, 2021 points −1/2 proposals 0 adopted 0 votes 3 inactive",
        "Eve since Jun 1, 2021 points 0 proposals 0 adopted 0 votes 0 joins later",
        "Cy since Jan 1, 2021, until Feb 10, 2021 points 1/2 proposals 1 adopted 0 votes 3 left",
        "Post points — proposals 0 adopted 0 votes 0 empty seat",
        "Robin points −3 proposals 0 adopted 0 votes 1 bot",
    ]
    assert '<p class="n-lead">3 players, of 7 in all.</p>' in lantern["players/index.md"]


def test_a_player_whose_id_is_that_of_the_list_has_a_page_beside_it(
    lantern: Mapping[str, str],
) -> None:
    assert player_page("index") == "players/index_.md"
    assert player_page("indexes") == "players/indexes.md"
    assert "<h1>Index</h1>" in lantern["players/index_.md"]
    assert '<a class="n-who" href="../players/index_/">Index</a>' in lantern["players/index.md"]


def test_players_are_filtered_by_their_state(lantern: Mapping[str, str]) -> None:
    page = lantern["players/index.md"]
    options = re.findall(r'<option value="([^"]*)">([^<]*)</option>', page)
    assert options == [
        ("", "all"),
        ("playing", "playing"),
        ("inactive", "inactive"),
        ("to come", "joins later"),
        ("left", "left"),
        ("dummy", "empty seat"),
        ("bot", "bot"),
    ]
    assert re.findall(r'data-state="([^"]*)"', page) == [
        "playing",
        "playing",
        "inactive",
        "to come",
        "left",
        "dummy",
        "bot",
    ]


def test_counts_lead_to_the_list_of_these_proposals(lantern: Mapping[str, str]) -> None:
    page = lantern["players/index.md"]
    assert '<a href="../proposals/?author=ada">2</a>' in page
    assert '<a href="../proposals/?author=ada&amp;status=adopted">2</a>' in page


def test_who_a_player_is(lantern: Mapping[str, str]) -> None:
    ada = lantern["players/ada.md"]
    assert facts(ada.split("<h2>Who</h2>")[1]) == {
        "Id": "ada",
        "Joined": "Jan 1, 2021",
        "Vote counts": "0, since Jan 7, 2021 until Jan 8, 2021",
        "github": "ada-l",
        "pigeon": "https://x.example",
    }
    assert '<a class="n-when" href="../../time/#2021-01-01">' in ada
    assert facts(lantern["players/cy.md"].split("<h2>Who</h2>")[1])["Left"] == "Feb 10, 2021"
    assert "<li>playing</li>" not in ada
    assert (
        words(ada.split('aria-label="At a glance">')[1].split("</ul>")[0]) == "playing lamp keeper"
    )
    roles = words(ada.split("<h2>Roles</h2>")[1].split("</ul>")[0])
    assert roles == "lamp keeper, since Jan 5, 2021 scribe, since Jan 2, 2021 until Jan 5, 2021"
    strength = re.findall(r"<dt>Vote counts</dt><dd>(.*?)</dd>", ada)
    assert [words(one) for one in strength] == [
        "3, since Jan 5, 2021",
        "0, since Jan 7, 2021 until Jan 8, 2021",
    ]
    inactive = re.findall(r"<dt>Not active</dt><dd>(.*?)</dd>", lantern["players/bo.md"])
    assert [words(one) for one in inactive] == [
        "since Jan 3, 2021 until Jan 4, 2021",
        "since Feb 20, 2021",
    ]
    assert "<h2>Note</h2><p>An odd name.</p>" in lantern["players/index_.md"]
    assert (
        facts(lantern["players/post.md"].split("<h2>Who</h2>")[1])["Kind"]
        == "a seat that no person fills"
    )


def test_only_accounts_on_known_forges_are_links(lantern: Mapping[str, str]) -> None:
    assert (
        '<dd><a class="n-out" rel="noopener nofollow ugc" '
        'href="https://github.com/ada-l">ada-l</a></dd>' in lantern["players/ada.md"]
    )
    assert "<dt>pigeon</dt><dd>https://x.example</dd>" in lantern["players/ada.md"]
    assert "<dt>gitlab</dt><dd>cy/../x</dd>" in lantern["players/cy.md"]


def test_what_is_asked_now(lantern: Mapping[str, str], harbour: Mapping[str, str]) -> None:
    assert main_text(lantern["players/ada.md"], "asked") == (
        "Waiting for Ada Vote on Proposal 304 · Oil Vote Whoever keeps the game records votes. "
        "Send them one of these lines, with your name: for 304 Copy against 304 Copy Give "
        "Judgement 1"
    )
    assert main_text(lantern["players/index_.md"], "asked") == (
        "Waiting for Index Begin the next turn, R1T3, though the game is won"
    )
    # Eli's turn goes on, and others have to vote on its one proposal.
    assert 'id="asked"' not in harbour["players/eli.md"]
    assert main_text(harbour["players/bo.md"], "asked").endswith(
        "Waiting for Bo Ek Vote on Proposal 305 · Louder tides Vote Whoever keeps the game records "
        "votes. Send them one of these lines, with your name: for 305 Copy against 305 Copy "
        "Register Draft turnout · Turnout"
    )
    for ident in ("cy", "eve", "post", "robin"):
        assert 'id="asked"' not in lantern[f"players/{ident}.md"], ident


def test_the_score_of_a_player_is_told_line_by_line(lantern: Mapping[str, str]) -> None:
    page = lantern["players/ada.md"]
    assert '<strong class="n-num">20</strong>, place 1 of the' in page
    rows = re.findall(r"<tr><td>.*?</tr>", page.split('id="score"')[1].split('id="proposals"')[0])
    assert [words(one) for one in rows] == [
        "Feb 2, 2021 +10 20 proposal 302 adopted, as its author Proposal 302 Rule 206",
        "Jan 6, 2021 +10 10 proposal 301 adopted, as its author Proposal 301 Rule 206",
    ]
    assert '<a class="n-ref" href="../../rules/206/">Rule 206</a>' in rows[0]
    assert '<a class="n-ref" href="../../proposals/302/">Proposal 302</a>' in rows[0]
    assert page.count('class="n-figure n-figure--scores"') == 1
    assert "Ada" in page.split("<desc>")[1].split("</desc>")[0]
    assert "Index" not in page.split("<desc>")[1].split("</desc>")[0]
    assert 'class="n-figure' not in lantern["players/eve.md"]
    assert "<p>No points yet.</p>" in lantern["players/eve.md"]


def test_who_does_not_play_has_no_place(lantern: Mapping[str, str]) -> None:
    for ident in ("cy", "robin"):
        assert re.search(
            r"</strong> in the <a [^>]*>scores</a>\.", lantern[f"players/{ident}.md"]
        ), ident


def test_a_winner_is_told_of(lantern: Mapping[str, str]) -> None:
    said = words(
        lantern["players/ada.md"].split('n-notice--good" role="note">')[1].split("</p>")[0]
    )
    assert said == "Ada won on Feb 2, 2021, with 20 points or more (Rule 208)."
    assert "n-notice--good" not in lantern["players/bo.md"]


def test_votes_are_counted_and_listed(
    lantern: Mapping[str, str], harbour: Mapping[str, str]
) -> None:
    page = lantern["players/bo.md"]
    assert main_text(page, "votes") == (
        "Votes 1 for, 1 against, 1 abstained; 2 of 2 with the majority. Of 3 decided votes, "
        "Bo &lt;b&gt; alone could have turned 3 by voting otherwise: Proposal 301, Proposal 302, "
        "Proposal 305. 3 votes, the newest first "
        "Proposal Vote Outcome "
        "Proposal 305 against defeated Jan 21, 2021 "
        "Proposal 302 abstained adopted Feb 2, 2021 "
        "Proposal 301 for adopted Jan 6, 2021"
    )
    assert main_text(lantern["players/robin.md"], "votes") == (
        "Votes 0 for, 0 against, 1 not counted. 1 vote, the newest first "
        "Proposal Vote Outcome Proposal 302 for not counted adopted Feb 2, 2021"
    )
    assert "3 for, 1 against; 4 of 4 with the majority." in main_text(
        harbour["players/cy.md"], "votes"
    )


def test_proposals_judgements_acts_and_turns(
    lantern: Mapping[str, str], harbour: Mapping[str, str]
) -> None:
    ada = lantern["players/ada.md"]
    assert (
        main_text(ada, "proposals")
        == "Proposals 2 Adopted 2 Proposal 302 Feb 2, 2021 Proposal 301 Jan 6, 2021"
    )
    assert main_text(ada, "judgements") == "Judgements To be given Judgement 1 pending"
    assert main_text(ada, "acts") == "Acts Candlemas Feb 2, 2021"
    assert '<a class="n-ref" href="../../acts/index_/">Candlemas</a>' in ada
    assert main_text(ada, "turns") == (
        "Turns 1 turn, the newest first Turn Began Ended Proposals Dice Points "
        "R1T1 Jan 5, 2021 Jan 7, 2021 Proposal 301 4 —"
    )
    assert main_text(lantern["players/bo.md"], "turns") == (
        "Turns 1 turn, the newest first Turn Began Ended Proposals Points "
        "R1T2 Feb 1, 2021 Feb 3, 2021 passed Proposal 302 −1"
    )
    bo = harbour["players/bo.md"]
    assert main_text(bo, "proposals") == (
        "Proposals 2 Draft 1 Draft turnout · Turnout Defeated 1 Proposal 302 · No more biscuits "
        "Jun 20, 2020"
    )
    assert (
        main_text(bo, "judgements")
        == "Judgements Asked for Judgement 1 · What a voter is Jul 20, 2020 given"
    )
    assert main_text(harbour["players/eli.md"], "judgements") == (
        "Judgements Given Judgement 1 · What a voter is Jul 20, 2020 given"
    )


def test_names_are_no_html(lantern: Mapping[str, str], harbour: Mapping[str, str]) -> None:
    assert "<h1>Bo &lt;b&gt;</h1>" in lantern["players/bo.md"]
    for made in (lantern, harbour):
        for path, page in made.items():
            assert "<b>" not in page, path


def test_a_game_without_players_says_so(tmp_path: Path) -> None:
    files = {
        path: text for path, text in LANTERN.items() if path.startswith(("nomic.yml", "rules/"))
    }
    pages = dict(player_pages(site_of(small_history(files))))
    assert list(pages) == ["players/index.md"]
    assert '<p class="n-lead">Nobody has joined yet.</p>' in pages["players/index.md"]
    assert "n-filter" not in pages["players/index.md"]


def test_who_has_done_nothing_yet_has_a_page_that_says_so(lantern: Mapping[str, str]) -> None:
    game_history = small_history(
        {"nomic.yml": "format: 1\nname: X\n", "players/ada.yml": "name: Ada\n"}
    )
    new = dict(player_pages(site_of(game_history)))["players/ada.md"]
    assert "<p>Ada has not proposed, voted or taken a turn yet.</p>" in new
    assert "taken a turn yet" not in lantern["players/ada.md"]


def test_states_are_those_of_the_day() -> None:
    game_history = small_history(LANTERN)
    day = Moment.parse("2021-01-03")
    then = dict(player_pages(dataclasses.replace(site_of(game_history), today=day)))
    assert [words(one).rpartition(" ")[2] for one in items(then["players/index.md"])[:3]] == [
        "playing",
        "playing",
        "playing",
    ]
    assert items(then["players/index.md"])[3].endswith("inactive")
