"""The lists of rules and instruments with what filters read, the first page, and a proposal's own
page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from urllib.parse import unquote

import pytest
from msgspec.structs import replace

from nomicgen.history.game_history import GameHistory
from nomicgen.model.commits import Origin
from nomicgen.model.identifiers import CommitId
from nomicgen.model.values import Moment
from nomicgen.site.pages.home_page import home_pages
from nomicgen.site.pages.instruments_page import instrument_pages
from nomicgen.site.pages.lists_page import instrument_lists
from nomicgen.site.pages.ruleset_page import ruleset_pages
from nomicgen.site.site_view import Site
from tests.site.example import TODAY, build_game, load_history
from tests.site.small import LANTERN, main_text, site_of, small_history, words
from tests.support import GitRepo


def made(site: Site) -> Mapping[str, str]:
    """The pages that are looked at here."""
    return {
        **dict(home_pages(site)),
        **dict(ruleset_pages(site)),
        **dict(instrument_lists(site, "proposal")),
        **dict(instrument_pages(site, "proposal")),
        **dict(instrument_lists(site, "judgement")),
        **dict(instrument_pages(site, "judgement")),
        **dict(instrument_lists(site, "act")),
        **dict(instrument_pages(site, "act")),
    }


@pytest.fixture(scope="module")
def lantern() -> Mapping[str, str]:
    return made(site_of(small_history(LANTERN)))


@pytest.fixture(scope="module")
def game_history(tmp_path_factory: pytest.TempPathFactory) -> GameHistory:
    return load_history(build_game(GitRepo(tmp_path_factory.mktemp("lists"))))


@pytest.fixture(scope="module")
def harbour(game_history: GameHistory) -> Mapping[str, str]:
    return made(site_of(game_history, TODAY))


def data(page: str, *names: str) -> list[tuple[str, ...]]:
    """What filters read of each item."""
    found = re.findall(r"<li data-nomic-item([^>]*)>", page)
    return [
        tuple(dict(re.findall(r'data-([a-z]+)="([^"]*)"', one)).get(name, "-") for name in names)
        for one in found
    ]


def choices(page: str, name: str) -> list[str]:
    """The values that a select offers."""
    part = page.split(f'name="{name}"><option value="">all</option>')
    return (
        re.findall(r'<option value="([^"]*)"', part[1].split("</select>")[0])
        if len(part) > 1
        else []
    )


def items(page: str) -> list[str]:
    return [words(one) for one in re.findall(r"<li data-nomic-item.*?</li>", page, re.DOTALL)]


def test_proposals_are_found_by_status_author_rule_and_year(harbour: Mapping[str, str]) -> None:
    page = harbour["proposals/index.md"]
    assert data(page, "status", "author", "rule", "year") == [
        ("draft", "bo", "", ""),
        ("open", "eli", "201", "2020"),
        ("adopted", "dee", "304", "2020"),
        ("adopted", "cy", "103|205|303", "2020"),
        ("defeated", "bo", "205", "2020"),
        ("adopted", "ada", "203", "2020"),
    ]
    assert choices(page, "rule") == ["103", "201", "203", "205", "303", "304"]
    assert choices(page, "year") == []
    assert items(page)[3] == (
        "303 Numbers are ours Transmute Rule 103/0 to mutable, Repeal Rule 205/0 "
        "Cy &lt;b&gt;Bold&lt;/b&gt;, Jul 2, 2020, R1T3 adopted"
    )
    assert '<a class="n-ref" href="../rules/103/#r0">Rule 103/0</a> to mutable' in page


def test_judgements_are_found_by_status_judge_and_rule(harbour: Mapping[str, str]) -> None:
    page = harbour["judgements/index.md"]
    assert data(page, "status", "judge", "rule") == [
        ("upheld", "dee", "101|204"),
        ("upheld", "eli", "203"),
    ]
    assert choices(page, "status") == []
    assert choices(page, "judge") == ["dee", "eli"]
    assert items(page)[1] == (
        "1 What a voter is No. Rule 203 counts those who were eligible when the vote opened. "
        "Rule 203/0 · Eli &amp; Co, Jul 20, 2020, R1T5 given"
    )


def test_acts_have_a_list_that_judgements_lead_to(
    lantern: Mapping[str, str], harbour: Mapping[str, str]
) -> None:
    assert items(lantern["acts/index.md"]) == [
        "Candlemas changed no rule A feast. Ada, Feb 2, 2021"
    ]
    assert '<a href="../acts/">acts</a>' in lantern["judgements/index.md"]
    assert "acts/index.md" not in harbour
    assert "/acts/" not in harbour["judgements/index.md"]


def test_rules_are_found_by_tier_section_and_state_and_say_since_when(
    harbour: Mapping[str, str],
) -> None:
    page = harbour["rules/index.md"]
    assert choices(page, "tier") == ["immutable", "mutable"]
    assert choices(page, "section") == ["Foundations", "Voting", "Play"]
    assert choices(page, "state") == ["force", "repealed", "former"]
    assert data(page, "tier", "section", "state") == [
        *[("immutable", "Foundations", "force")] * 2,
        ("mutable", "Foundations", "force"),
        *[("mutable", "Voting", "force")] * 2,
        *[("mutable", "Play", "force")] * 4,
        ("mutable", "Play", "repealed"),
        ("immutable", "Foundations", "former"),
    ]
    since = [
        words(one) for one in re.findall(r'<span class="n-note">(.*?)</span></span></li>', page)
    ]
    assert since[0] == "Initial immutable Rule 101, Jun 1, 2020"
    assert since[3] == "Amended (1) by Proposal 301 (Ada), Jun 10, 2020 (R1T1)"
    assert since[-2] == "Repealed by Proposal 303 (Cy &lt;b&gt;Bold&lt;/b&gt;), Jul 2, 2020 (R1T3)"
    assert since[-1].startswith("now Rule 303 ·")


def test_home_names_all_turns_that_are_played() -> None:
    files = {**LANTERN, "turns/R1T3.yml": "player: index\nbegan: 2021-02-03\n"}
    files |= {"turns/R2T1.yml": "player: ada\nbegan: 2021-02-04\n"}
    rule = next(path for path, text in files.items() if "turns: {" in text)
    files[rule] = files[rule].replace("turns: {", "turns: {overlap: true, ")
    [(_, page)] = home_pages(site_of(small_history(files)))
    played = (
        "It is Index’s turn since Feb 3, 2021: round 1, turn 3 (R1T3). "
        "It is Ada’s turn since Feb 4, 2021: round 2, turn 1 (R2T1)."
    )
    assert played in main_text(page, "now")


def test_a_throw_can_be_written_in_the_browser() -> None:
    files = {**LANTERN, "turns/R1T3.yml": "player: index\nbegan: 2021-02-03\n"}
    rule = next(path for path, text in files.items() if "turns: {" in text)
    files[rule] = files[rule].replace(
        "{turns:", "{points: {'on': turn, to: player, die: 6}, turns:"
    )
    [(_, page)] = home_pages(site_of(small_history(files)))
    asked = main_text(page, "now").partition("R1T3; in its file write ")[2]
    assert asked.startswith("dice: [4] and ended: 2021-03-01, with your throw and the day Index")
    assert "/edit/main/turns/R1T3.yml" in page


def test_what_one_of_several_players_can_do_is_a_comment() -> None:
    stay = "number: 209\nmutability: mutable\nrevision: 0\nprovisions: {stay: {of: next-turn}}\n"
    files = {
        **LANTERN,
        "rules/initial/209.md": f"---\n{stay}---\n\nPlay waits.\n",
        "players/dee.yml": "name: Dee\njoined: 2021-02-01\n",
    }
    [(_, page)] = home_pages(site_of(small_history(files)))
    said = main_text(page, "now")
    assert (
        "Ada, dee can waive judgement 1; in a browser, comment /waive 1 on any open pull request "
        "At a shell nomicgen do waive 1 --player ID" in said
    )


def test_home_says_what_is_asked_of_whom(
    lantern: Mapping[str, str], harbour: Mapping[str, str]
) -> None:
    assert main_text(lantern["index.md"], "now") == (
        "Now The last turn, R1T2 of Bo &lt;b&gt;, passed on Feb 3, 2021. The next is Index’s. Who "
        "are you? choose Ada Bo &lt;b&gt; Index Propose a change Open for votes Proposal 304 · Oil "
        "By Index, open since Feb 28, 2021: 1 for, 0 against. It passes if nobody else votes. Yet "
        "to vote: Ada, Bo &lt;b&gt; Vote Whoever keeps the game records votes. Send them one of "
        "these lines, with your name: for 304 Copy against 304 Copy Decided, and not yet law "
        "Proposal 303 takes effect on Mar 10, 2021. What can be done now Give Judgement 1 Ada "
        "Write the ruling End the vote on Proposal 304 · Oil as it stands anybody At a shell "
        "nomicgen proposal resolve 304 Begin the next turn, R1T3, though the game is won Index "
        "Begin it At a shell nomicgen turn"
    )
    begin = "filename=turns/R1T3.yml&value=player: index\nbegan: 2021-03-01\n"
    assert begin in unquote(unescape(lantern["index.md"]))
    assert (
        "It is Eli &amp; Co’s turn since Sep 18, 2020: round 1, turn 5 (R1T5). The next is Ada’s."
        in words(harbour["index.md"])
    )
    victory = lantern["index.md"].partition('class="n-victory"')[2].partition("</section>")[0]
    assert "Ada won on Feb 2, 2021, with 20 points or more (Rule 208)." in words(victory)
    assert "Play has gone on since." in words(victory)
    best = lantern["index.md"].split('<ol class="n-best">')[1].split("</ol>")[0]
    assert words(best) == "20 Ada 10 Index −1/2 Bo &lt;b&gt;"
    links = re.findall(
        r"<section>\s*<h2>The game</h2>(.*?)</section>", lantern["index.md"], re.DOTALL
    )[0]
    assert re.findall(r'href="([^"]*)"', links) == [
        "history/",
        "proposals/",
        "judgements/",
        "acts/",
        "players/",
        "scores/",
        "feed.xml",
        "api/v1/index.json",
    ]


def test_home_says_which_rules_are_due_to_change(lantern: Mapping[str, str]) -> None:
    fading = (
        "---\nnumber: 202\nmutability: mutable\nrevision: 0\n"
        "provisions: {sunset: {after: {date: 2021-01-11}, becomes: repealed}}\n---\n\n"
        "For some days.\n"
    )
    [(_, page)] = home_pages(site_of(small_history({**LANTERN, "rules/initial/202.md": fading})))
    assert (
        "Rule 202/0 is repealed by itself since Jan 11, 2021; the ruleset does not show it yet."
        in words(page)
    )
    assert "by itself" not in words(lantern["index.md"])


def test_an_adopted_change_that_is_not_yet_in_effect_is_shown_against_the_law(
    lantern: Mapping[str, str],
) -> None:
    page = lantern["proposals/303.md"]
    assert "Adopted. It takes effect on Mar 10, 2021. Until then the law stays as it is." in words(
        page
    )
    assert "Takes effect on Mar 10, 2021" in words(page)
    assert "There are <del>two</del><ins>three</ins> lamps." in page
    assert "cannot be carried out" not in page
    assert "The ruleset after this proposal" not in page
    after = made(
        site_of(small_history(LANTERN, Moment.parse("2021-03-10")), Moment.parse("2021-03-10"))
    )
    assert "not yet in effect" not in after["proposals/303.md"]
    assert "In effect Mar 10, 2021" in words(after["proposals/303.md"])
    assert (
        '<a href="../../time/#proposals/303">The ruleset after this proposal</a>'
        in after["proposals/303.md"]
    )


def test_an_adopted_change_that_waits_for_a_turn_has_no_day_of_effect() -> None:
    waits = (
        "---\nnumber: 205\nmutability: mutable\nrevision: 0\n"
        "provisions: {effect: next-turn}\n---\n\nThey wait.\n"
    )
    files = {**LANTERN, "rules/initial/205.md": waits}
    files["proposals/303.md"] = re.sub("effective: .*\n", "", files["proposals/303.md"])
    page = made(site_of(small_history(files)))["proposals/303.md"]
    assert "Adopted. It takes effect with the turn that follows." in words(page)
    assert "In effect" not in words(page)


def test_a_change_that_was_overtaken_says_so() -> None:
    repeal = (
        "---\nnumber: 306\nauthor: ada\ndate: 2021-03-01\nopened: 2021-03-01\ndecided: 2021-03-02\n"
        "effective: 2021-03-02\nstatus: adopted\nvotes: {ada: for}\n---\n\nDark.\n\n"
        "## Repeal Rule 301/1\n"
    )
    day = Moment.parse("2021-03-12")
    page = made(site_of(small_history({**LANTERN, "proposals/306.md": repeal}, day), day))[
        "proposals/303.md"
    ]
    notice = words(page.split('role="note"><p>Adopted')[1].split("</p>")[0])
    assert notice == (
        ", but when it was to take effect it could no longer be carried out. decided on "
        "2021-02-27, and impossible on 2021-03-10: there is no Rule 301 any more: it was repealed."
    )


def test_a_change_that_fell_alone_is_no_correction() -> None:
    rule = LANTERN["rules/initial/201.md"].replace("201", "204").replace("Turns", "Effects")
    falls = rule.replace("{turns: {order: seat}}", "{effect: {impossible: that}}")
    proposal = (
        "---\nnumber: 306\nauthor: ada\ndate: 2021-03-01\nopened: 2021-03-01\ndecided: 2021-03-02\n"
        "effective: 2021-03-02\nstatus: adopted\nvotes: {ada: for}\n---\n\nDark.\n\n"
        "## Repeal Rule 250/0\n\n## Enact Rule: Night\n\nIt is dark.\n"
    )
    files = {**LANTERN, "rules/initial/204.md": falls, "proposals/306.md": proposal}
    day = Moment.parse("2021-03-12")
    page = words(made(site_of(small_history(files, day), day))["proposals/306.md"])
    assert "It could not be carried out; the other changes were." in page
    assert "It restores what the ledger says" not in page


def test_a_proposal_that_the_law_has_left_behind_says_what_merges_it() -> None:
    draft = (
        "---\nauthor: ada\nstatus: draft\n---\n\nMore.\n\n## Amend Rule 301/0\n\n"
        "There are ten lamps.\n"
    )
    page = made(site_of(small_history({**LANTERN, "proposals/more.md": draft})))[
        "proposals/draft-more.md"
    ]
    assert (
        "These instructions cannot be carried out as they stand: Rule 301/0 is not the revision "
        "in force" in page
    )
    assert (
        "has been changed since: <code>nomicgen proposal rebase more</code> merges the two texts."
        in page
    )


def test_resubmissions_say_so_and_keep_their_votes(lantern: Mapping[str, str]) -> None:
    page = words(lantern["proposals/302.md"])
    assert (
        "It was changed and put to the vote again once; the votes before that do not count." in page
    )
    assert "Earlier submissions Opened Jan 30, 2021; for: Cy; against: Bo &lt;b&gt;." in page


def test_a_proposal_names_the_rules_it_touched_and_its_points(lantern: Mapping[str, str]) -> None:
    page = lantern["proposals/301.md"]
    assert (
        words(page.split("<h2>Rules touched</h2>")[1].split("</section>")[0]) == "Rule 301 · Lamps"
    )
    assert main_text(page, "points") == (
        "Points Ada: +10 proposal 301 adopted, as its author (Rule 206) "
        "Cy, Bo &lt;b&gt;: +1/2 each for grace (Rule 206)"
    )
    assert '<a href="../../api/v1/proposals/301.json">The same as JSON</a>' in page


def test_a_vote_says_when_and_where_it_was_cast(lantern: Mapping[str, str]) -> None:
    page = lantern["proposals/301.md"]
    assert "For 2 Ada, Bo &lt;b&gt; Jan 6, 2021 source Against 1 Cy" in words(page)
    assert (
        '<a class="n-out n-note" rel="noopener nofollow ugc" href="https://list.example/7" '
        'aria-label="the vote of Bo &lt;b&gt;, elsewhere">source</a>'
    ) in page


@pytest.mark.parametrize(
    ("subject", "number"),
    [
        ("Adopt Proposal 301 (#12)", "12"),
        ("Merge pull request #7 from ada/lamps", "7"),
        ("Proposal 301 closes #9", None),
    ],
)
def test_a_commit_that_names_a_pull_request_leads_to_it(
    game_history: GameHistory, subject: str, number: str | None
) -> None:
    origin = Origin(kind="trailer", sha=CommitId("ab" * 20), subject=subject)
    known = replace(game_history, touched={"proposals/301.md": origin})
    page = dict(instrument_pages(site_of(known, TODAY), "proposal"))["proposals/301.md"]
    links = re.findall(r'<dt>Pull request</dt><dd><a href="([^"]*)">#(\d+)</a>', page)
    assert links == (
        [(f"https://github.com/example/harbour/pull/{number}", number)] if number else []
    )


def test_a_judgement_that_is_awaited_says_from_whom(lantern: Mapping[str, str]) -> None:
    assert "This judgement is awaited from Ada." in words(lantern["judgements/1.md"])


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (
            "https://github.com/example/harbour/pull/12/",
            '<a href="https://github.com/example/harbour/pull/12/" rel="nofollow noopener">'
            "github.com/example/harbour/pull/12</a>",
        ),
        ("javascript:alert(1)", "javascript:alert(1)"),
        (
            "https://x.example/'\"><script>",
            '<a href="https://x.example/&#39;&#34;&gt;&lt;script&gt;" rel',
        ),
        ("the tavern, <b>on a Tuesday</b>", "the tavern, &lt;b&gt;on a Tuesday&lt;/b&gt;"),
    ],
)
def test_where_a_proposal_is_debated_is_a_link_only_if_it_leads_to_the_web(
    written: str, shown: str
) -> None:
    quoted = "'" + written.replace("'", "''") + "'"
    changed = LANTERN["proposals/301.md"].replace(
        "author: ada\n", f"author: ada\ndiscussion: {quoted}\n"
    )
    page = dict(
        instrument_pages(
            site_of(small_history({**LANTERN, "proposals/301.md": changed})), "proposal"
        )
    )["proposals/301.md"]
    assert f"<dt>Discussion</dt><dd>{shown}" in page


# What the first page says of an archive that was opened for play.


RULE = "---\nnumber: {}\nmutability: {}\nrevision: 0\n---\n\nAbout lamps.\n"
ARCHIVE: Mapping[str, str] = {
    "nomic.yml": "format: 1\nname: Lantern\nstarted: 2021-01-01\n",
    "rules/initial/101.md": RULE.format(101, "immutable"),
    "rules/initial/203.md": RULE.format(203, "mutable"),
}
ACT = (
    "---\ncause: opening\ndate: 2021-01-02\n---\n\n## Mark Rule 203\n\n```yaml rule\n"
    "provisions:\n  {}\n```\n"
)
SAID = (
    "No provision guards the immutable rules: whatever their texts say, they are amended and "
    "repealed like any rule."
)


def _home(law: str) -> str:
    ((_, page),) = home_pages(
        site_of(small_history({**ARCHIVE, **({"acts/open.md": ACT.format(law)} if law else {})}))
    )
    return words(page)


def test_it_says_of_which_tier_nothing_guards_the_rules() -> None:
    assert SAID in _home("adoption: {needs: majority}")
    assert SAID in _home(
        "adoption: [{needs: majority}, {needs: unanimous, to: transmute, from: immutable}]"
    )


def test_it_says_nothing_where_something_does_or_nobody_plays() -> None:
    assert "guards" not in _home("")
    assert "guards" not in _home("entrenchment: {immutable: [transmute]}")
    assert "guards" not in _home(
        "adoption: [{needs: majority}, {needs: unanimous, from: immutable}]"
    )
