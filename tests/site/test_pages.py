"""The pure function: which pages there are, where they lead, and that no text of a player acts in
them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from msgspec.structs import replace

import nomicgen
from nomicgen.history.game_history import GameHistory
from nomicgen.model.settings import Links
from nomicgen.site import addresses
from nomicgen.site.build import pages
from nomicgen.site.pages.ruleset_page import LONG, SHORT
from nomicgen.site.parts.page_source import page_source, plain
from tests.site.conftest import Built
from tests.site.example import KINDS, TODAY, load_history

pytestmark = pytest.mark.deep

ASSETS = Path(nomicgen.__file__).parent / "site" / "assets"


class Reader(HTMLParser):
    """The links and anchors of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.anchors.add(value)
            elif name in ("href", "src") and value and tag in ("a", "img"):
                self.links.append(value)


def address(path: str) -> str:
    if not path.endswith(".md"):
        return path
    return (
        path.removesuffix("index.md")
        if path.endswith("index.md")
        else f"{path.removesuffix('.md')}/"
    )


def text_of(html: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", "", html).split())


def test_every_address_rule_and_record_has_its_page(
    game_history: GameHistory, made: Mapping[str, str]
) -> None:
    alone = {
        one
        for name, one in vars(addresses).items()
        if name.isupper() and name[0] != "_" and str(one).endswith(".md")
    }
    lists = {*alone, addresses.RULES[0], LONG, SHORT} - {addresses.ACTS}  # nobody has acted
    numbers = {rule.number for _, ruleset in game_history.replay.states() for rule in ruleset}
    instruments = {
        addresses.instrument_page(one) for one in game_history.records.instruments.values()
    }
    players = {addresses.player_page(ident) for ident in game_history.records.players}
    rules = {f"rules/{number}.md" for number in numbers}
    rules |= {
        f"rules/{rule.ref}.md" for _, ruleset in game_history.replay.states() for rule in ruleset
    }
    written = {path for path in made if path.endswith(".md") and not path.startswith("digest/")}
    assert written == lists | instruments | players | rules
    assert all(map(len, (instruments, players, rules)))


def test_every_asset_that_is_no_part_of_another_is_there(made: Mapping[str, str]) -> None:
    there = {path.removeprefix("assets/") for path in made if path.startswith("assets/")}
    assert {file.name for file in ASSETS.iterdir() if file.is_file()} <= there


def test_browsers_look_at_every_kind_of_page(made: Mapping[str, str]) -> None:
    def kind(path: str) -> str:
        """A page that stands alone is a kind, and so are all that a list leads to."""
        folder, _, name = path.rpartition("/")
        if folder.startswith("rules/") or folder == "digest":
            return f"{folder.partition('/')[0]}/**"
        return f"{folder}/*" if f"{folder}/index.md" in made and name != "index.md" else path

    looked_at = {one.partition("#")[0] for one in KINDS.values()}
    pages_ = [path for path in made if path.endswith(".md")]
    missing = {kind(one) for one in pages_} - {
        kind(one) for one in pages_ if address(one) in looked_at
    }
    assert missing == set(), "add an address of each to KINDS of tests/site/example.py"


def test_the_same_history_gives_the_same_pages(made: Mapping[str, str], harbour: Built) -> None:
    assert pages(load_history(harbour.game), today=TODAY) == made


def test_every_link_within_the_site_leads_somewhere(made: Mapping[str, str]) -> None:
    readers = {address(path): Reader(text) for path, text in made.items() if path.endswith(".md")}
    files = {address(path) for path in made} | {"images/boat.png"}
    lost = []
    moments = set()
    seen = 0
    for page, reader in readers.items():
        for link in reader.links:
            whole = urlsplit(urljoin(f"http://site/{page}", link))
            if whole.netloc != "site":
                continue
            seen += 1
            target = unquote(whole.path.removeprefix("/"))
            if target == "time/" and whole.fragment:
                moments.add(whole.fragment)
            elif target not in files or (
                whole.fragment and whole.fragment not in readers[target].anchors
            ):
                lost.append((page, link))
    assert lost == []
    # Its script reads them: days, and the instruments that changed the law.
    instruments = {one["path"] for one in json.loads(made["api/v1/timeline.json"])["moments"]}
    assert {
        one for one in moments - instruments if not re.fullmatch(r"\d{4}-\d\d-\d\d", one)
    } == set()
    assert seen > 200


def test_without_directory_urls_pages_are_files(game_history: GameHistory) -> None:
    made = pages(game_history, today=TODAY, directory_urls=False)
    links = Reader(made["rules/304.md"]).links
    assert "../rules/206.html" in links
    assert "../proposals/304.html" in links
    assert "../images/boat.png" in links
    assert not [link for link in links if link.endswith("/") and "://" not in link]


def test_history_lines_lead_to_their_commits(
    made: Mapping[str, str], game_history: GameHistory
) -> None:
    page = made["rules/203.md"]
    history = page[page.index('<ol class="n-history">') :]
    lines = re.findall(r'<span class="n-line">(.*?)</span>', history)
    found = [(re.findall(r'href="([^"]*)"', line)[0], text_of(line)) for line in lines]
    identity = game_history.histories.bearers[203][0]
    first, second = (game_history.origins[identity, index].sha for index in (0, 1))
    assert found == [
        (
            f"https://github.com/example/harbour/commit/{first}",
            "Initial mutable Rule 203, Jun 1, 2020",
        ),
        (
            f"https://github.com/example/harbour/commit/{second}",
            "Amended (1) by Proposal 301 (Ada), Jun 10, 2020 (R1T1)",
        ),
    ]


def test_a_number_that_was_borne_leads_to_where_the_rule_lives(made: Mapping[str, str]) -> None:
    page = made["rules/103.md"]
    assert (
        'What was Rule 103 is now <a class="n-ref" href="../../rules/303/">Rule 303/0 · '
        "Numbers</a>." in page
    )
    assert Reader(page).anchors >= {"r0"}
    assert (
        'This rule was formerly <a class="n-ref" href="../../rules/103/">Rule 103/0 · Numbers</a>.'
        in made["rules/303.md"]
    )


def test_a_reference_to_a_rule_that_is_gone_says_so(made: Mapping[str, str]) -> None:
    expected = (
        '<a class="n-ref n-gone" href="../../rules/205/" title="Rule 205/0 · Snacks '
        '(repealed)">Rule 205'
        '<span class="n-vh"> (repealed)</span></a>'
    )
    assert expected in made["rules/304.md"]
    assert (
        'This rule was repealed by <a class="n-ref" href="../../proposals/303/">Proposal 303</a> '
        "on "
        '<a class="n-when" href="../../time/#2020-07-02"><time datetime="2020-07-02">Jul 2, '
        "2020</time></a>. "
        "Its last text is kept here." in made["rules/205.md"]
    )


def test_references_in_code_are_left_alone(made: Mapping[str, str]) -> None:
    assert "<code>rule 203</code>" in made["rules/304.md"]
    assert "<code>Rule 299</code>" in made["rules/207.md"]


def test_defined_terms_lead_to_their_definition(made: Mapping[str, str]) -> None:
    expected = (
        '<a class="n-term" href="../../rules/203/" data-revision="203/1" '
        'title="defined by Rule 203/1 · Adoption">rule-change</a>'
    )
    assert expected in made["rules/204.md"]
    assert '"n-term"' not in made["rules/203.md"].split('class="n-law"')[1].split("</div>")[0]


def test_a_proposal_shows_its_votes_and_the_rule_that_decided(made: Mapping[str, str]) -> None:
    text = text_of(made["proposals/301.md"])
    assert "For 5Ada, Bo Ek, Cy &lt;b&gt;Bold&lt;/b&gt;, Dee, Eli &amp; Co" in text
    assert "Rule 203/0: Rule-changes need the votes of all eligible voters." in text
    assert "5 for; all eligible voters (5): 5 needed — met" in text


def test_a_failed_proposal_shows_what_would_have_become_of_the_law(made: Mapping[str, str]) -> None:
    page = made["proposals/302.md"]
    assert "The changes proposed" in page
    assert "<del>Whoever loses a vote brings the biscuits. This binds under Rule 101.</del>" in page


def test_a_judgement_on_an_older_revision_is_called_stale(made: Mapping[str, str]) -> None:
    assert "What it construes has changed since: Rule 203/0." in text_of(made["judgements/1.md"])
    assert "construes 203/0; since amended, now 203/1" in made["rules/203.md"]


def test_home_says_who_has_yet_to_vote(made: Mapping[str, str]) -> None:
    text = text_of(made["index.md"])
    assert (
        "It is Eli &amp; Co’s turn since Sep 18, 2020: round 1, turn 5 (R1T5). The next is Ada’s."
        in text
    )
    assert (
        "By Eli &amp; Co, open since Sep 18, 2020: 2 for, 1 against. 1 more vote in favour would "
        "pass it. Yet to vote: Bo Ek, Cy &lt;b&gt;Bold&lt;/b&gt;" in text
    )
    assert "yet to vote" not in text


def test_home_counts_the_proposals_as_their_list_does(made: Mapping[str, str]) -> None:
    assert (
        '<dt>proposals</dt><dd><a href="proposals/">6</a> <span class="n-note">'
        '<a href="proposals/?status=adopted">3 adopted</a></span>'
        in made["index.md"].replace("\n<a", "<a")
    )


def test_an_open_vote_is_not_lost_yet(made: Mapping[str, str]) -> None:
    page = made["proposals/305.md"]
    assert "<h3>What it needs</h3>" in page
    assert '<li class="n-waiting">' in page
    assert '<span class="n-mark" aria-hidden="true">○</span>' in page
    assert "— <strong>not met yet</strong>" in page
    assert "✗" not in page
    assert "<h3>What it needed</h3>" in made["proposals/302.md"]
    assert '<li class="n-unmet">' in made["proposals/302.md"]


def test_a_change_leads_to_the_rule_that_it_made(made: Mapping[str, str]) -> None:
    link = '<p class="n-made"><a class="n-ref" href="../../rules/{}">now Rule {}</a></p>'
    assert link.format("203/#r1", "203/1") in made["proposals/301.md"]
    assert link.format("303/#r0", "303/0") in made["proposals/303.md"]
    assert link.format("304/#r0", "304/0") in made["proposals/304.md"]
    assert link.format("204/#r1", "204/1") in made["judgements/2.md"]
    assert [
        path
        for path, text in made.items()
        if path.startswith("proposals/") and 'class="n-made"' in text
    ] == [
        "proposals/301.md",
        "proposals/303.md",
        "proposals/304.md",
    ]


def test_a_judgement_has_its_question_and_its_reasoning_in_one_part(
    made: Mapping[str, str],
) -> None:
    assert '<h2 id="question">Question and reasoning</h2>' in made["judgements/1.md"]


def test_a_file_has_a_link_where_the_template_says_where_it_lies(game_history: GameHistory) -> None:
    def links(file: str) -> list[str]:
        settings = game_history.records.settings.replace(links=Links(file=file))
        records = replace(game_history.records, settings=settings)
        page = pages(replace(game_history, records=records), today=TODAY)["rules/203.md"]
        return re.findall(r'<a href="([^"]*)">Its file in the repository</a>', page)

    last = game_history.touched["rules/203.md"].sha
    assert last != game_history.git.head
    assert links("https://forge.example/h/{sha}/{path}") == [
        f"https://forge.example/h/{last}/rules/203.md"
    ]
    assert links("https://forge.example/h/{sha}/{number}.md") == [
        f"https://github.com/example/harbour/blob/{last}/rules/203.md"
    ]


def test_errors_stand_on_the_first_page_and_every_page_warns(hostile: Built) -> None:
    game_history = load_history(hostile.game)
    errors = [one for one in game_history.findings if one.is_error]
    made = pages(game_history, today=TODAY)
    assert f"{len(errors)} errors in this game’s files." in made["index.md"]
    assert "proposals/306.md, line" in made["index.md"]
    assert "see the errors</a>" in made["rules/101.md"]


def test_no_line_of_a_page_begins_with_what_a_player_wrote(hostile: Built) -> None:
    for path, text in pages(load_history(hostile.game), today=TODAY).items():
        if path.endswith(".md"):
            head, block = text.removeprefix("---\n").split("\n---\n\n", 1)
            for line in head.splitlines():
                if ": " in line:
                    json.loads(line.partition(": ")[2])
            assert not set("{}`\t") & set(head + block), path
            assert all(line.startswith("<") for line in block.rstrip("\n").split("\n")), path


def test_a_title_holds_nothing_active() -> None:
    assert plain('A <b> "x" & &lt; {{ y }} `z` \\') == "A ‹b› ”x” & ＆lt; (( y )) 'z' ∖"


def test_blanks_in_code_are_kept() -> None:
    made = page_source(
        "<div>\n  <pre><code>a\n\n  b\t{c}</code></pre>\n\n  <p>d\n``` e</p>\n</div>", title="t"
    )
    assert made == (
        '---\ntitle: "t"\nhide:\n  - navigation\n  - toc\n---\n\n'
        "<div> <pre><code>a&#10;&#10;  b&#9;&#123;c&#125;</code></pre> <p>d &#96;&#96;&#96; "
        "e</p>\n</div>\n"
    )
