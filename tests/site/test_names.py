"""A game whose players gave everything the worst name that is allowed: its site holds together and
harms nobody.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from nomicgen.files.game_files import read_game
from nomicgen.law.checks.run import ruleset_files
from nomicgen.law.replay.run import replay
from nomicgen.repository.game_tree import read_tree
from tests.site.conftest import Built
from tests.site.engines import link_faults
from tests.site.example import TODAY
from tests.support import GitRepo, opened

pytestmark = pytest.mark.deep

EVIL = '</script><img src=x onerror="window.hacked=1">\'{{7*7}}{%raw%}<!-- ]]> &lt;b&gt; `c` \\'
CODE = (
    "`</script><img src=x onerror=window.hacked=1>` {{7*7}} "
    "&lt;script&gt;window.hacked=2&lt;/script&gt;"
)
WIDE = "W" * 400
# Each stands on one of the pages that lists tiers, as the place of something else, or on every
# object of a script.
TIERS = (
    "cards",
    "cards-words",
    "rules",
    "rules-words",
    "rules-section",
    "history",
    "constructor",
    "time",
    "void",
)
SECTIONS = ("r0", "now", "A|B", "__proto__", "constructor", EVIL, WIDE)
PLAYERS = {"index": EVIL, "constructor": "א ب", "history": WIDE, "valueof": "Ann|Bo"}


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _rule(number: int, tier: str, title: str, section: str, text: str, more: str = "") -> str:
    head = (
        f"number: {number}\nmutability: {tier}\nrevision: 0\ntitle: {_quoted(title)}\n"
        f"section: {_quoted(section)}\n"
    )
    return f"---\n{head}{more}---\n\n{text}\n"


def _proposal(number: int, title: str, author: str, body: str) -> str:
    votes = ", ".join(f"{ident}: for" for ident in PLAYERS)
    head = (
        f"number: {number}\ntitle: {_quoted(title)}\nauthor: {author}\ndate: 1969-07-01\n"
        "decided: 1969-07-01\n"
    )
    digest = sha256(f"{body}\n".encode()).hexdigest()
    head += f"effective: 1969-07-01\nstatus: adopted\nvotes: {{{votes}}}\ndigest: {digest}\n"
    return f"---\n{head}---\n\nWhy {CODE}\n\n{body}\n"


def _game() -> Mapping[str, str]:
    sections = "".join(f"  {_quoted(one)}: {_quoted(EVIL)}\n" for one in SECTIONS)
    points = f"points: [{{player: index, amount: 7/3, reason: {_quoted(EVIL)}}}]\n"
    return {
        "nomic.yml": f"format: 1\nname: {_quoted(EVIL)}\ntagline: {_quoted(EVIL)}\n"
        "started: 1969-01-01\n"
        "repository: https://github.com/a/b?x='\"><script>window.hacked=3</script>\n"
        f"links: {{commit: \"javascript:window.hacked='{{sha}}'\"}}\n"
        f"tiers: [{', '.join(TIERS)}]\nsections:\n{sections}",
        "rules/initial/101.md": _rule(
            *(101, "time", EVIL, "r0", f"By majority. {CODE} See Rule 999999999."),
            "provisions:\n  adoption: {needs: majority, of: cast}\n",
        ),
        "rules/initial/104.md": _rule(104, "void", "א", "A|B", f"### r1\n\n### history\n\n{CODE}"),
        "rules/initial/999999999.md": _rule(
            *(
                999999999,
                "cards",
                WIDE,
                EVIL,
                f"{WIDE} [x](javascript:window.hacked=4)\n\n```html\n</code>{EVIL}\n```",
            ),
            f"defines: [{_quoted(EVIL)}]\nnote: {_quoted(EVIL)}\n"
            f"unread: [{WIDE}, {_quoted(EVIL)}]\n",
        ),
        **{
            f"rules/initial/{800 + at}.md": _rule(
                800 + at, tier, tier, SECTIONS[at % len(SECTIONS)], "Text."
            )
            for at, tier in enumerate(TIERS)
        },
        **{
            f"players/{ident}.yml": f"name: {_quoted(name)}\njoined: 1969-01-01\n"
            f"note: {_quoted(EVIL)}\n"
            f"accounts: {{github: {_quoted(EVIL + ident)}, web: "
            f"'javascript:window.hacked=\"{ident}\"'}}\n"
            for ident, name in PLAYERS.items()
        },
        "proposals/301.md": _proposal(
            301, EVIL, "constructor", f"## Amend Rule 104/0\n\n### r2\n\n{CODE} anew"
        ),
        "proposals/302.md": _proposal(302, WIDE, "index", f"## Amend Rule 104/1\n\n{CODE} again"),
        "proposals/index.md": f"---\ntitle: {_quoted(EVIL)}\nauthor: index\nstatus: draft\n---\n"
        f"\n{CODE}\n\n"
        "## Repeal Rule 101/0\n",
        "acts/constructor.md": f"---\ncause: {WIDE}\nby: 101\ndate: 1969-09-02\n{points}---\n\n"
        f"{CODE}\n",
        "acts/index.md": f"---\ncause: {_quoted(EVIL)}\nby: history\ndate: 1969-09-02\n"
        f"{points}---\n\n{CODE}\n",
    }


@pytest.fixture(scope="module")
def named(
    tmp_path_factory: pytest.TempPathFactory, build: Callable[..., tuple[Path, str]]
) -> Built:
    repo = GitRepo(tmp_path_factory.mktemp("named"))
    repo.write(_game())
    records, findings = read_game(read_tree(repo.path))
    assert findings == ()
    repo.write(ruleset_files(replay(records, TODAY).current))
    repo.commit(EVIL)
    site, said = build(repo.path)
    assert said == ""
    return Built(repo.path, site)


def test_each_link_leads_somewhere_and_each_place_is_one(named: Built) -> None:
    assert link_faults(named.game, named.site, "https://nomicgen.github.io/nomicgen/") == []


@pytest.mark.nightly
@pytest.mark.browser
def test_nothing_of_it_acts_or_is_wider_than_the_page(
    named: Built, browser: Browser, serve: Callable[[Path], str]
) -> None:
    address = serve(named.site)
    pages = (
        *(
            "",
            "rules/",
            "rules/104/",
            "rules/999999999/",
            "cards/",
            "history/",
            "scores/",
            "ruleset/long/",
        ),
        *(
            "proposals/301/",
            "proposals/302/",
            "proposals/draft-index/",
            "players/index_/",
            "players/history/",
        ),
        *("acts/constructor/", "acts/index_/", "time/#proposals/301..proposals/302"),
        *(
            "time/#<img src=x onerror=window.hacked=6>",
            "rules/?words=<img src=x onerror=window.hacked=7>&tier=__proto__",
        ),
    )
    with opened(browser) as (page, trouble):
        page.set_viewport_size({"width": 360, "height": 800})
        for path in pages:
            page.goto("about:blank")
            page.goto(f"{address}{path}")
            page.wait_for_load_state("networkidle")
            assert page.evaluate("window.hacked") is None, path
            assert page.locator(".nomic :is(img, style, iframe), .nomic [onerror]").count() == 0, (
                path
            )
            assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
        assert trouble == []


@pytest.mark.deep
@pytest.mark.browser
@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [("tier", "cards-words", ["801"]), ("section", "A/B", ["802", "104"])],
)
def test_a_filter_finds_what_has_an_odd_name(
    named: Built,
    browser: Browser,
    serve: Callable[[Path], str],
    name: str,
    value: str,
    shown: list[str],
) -> None:
    with opened(browser) as (page, trouble):
        page.goto(f"{serve(named.site)}rules/?{name}={value}")
        assert page.locator("[data-nomic-item]:visible .n-num").all_inner_texts() == shown
        assert trouble == []
