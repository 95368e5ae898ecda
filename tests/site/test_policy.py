"""What the site lets a page load and run: the policy in its head, by both engines, in a browser
that keeps to it.
"""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
from collections.abc import Callable
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.benchmarks.live import live
from tests.deep import sampled
from tests.links import html_pages
from tests.site.conftest import CONFIG, Built
from tests.site.engines import Both
from tests.site.example import KINDS
from tests.support import GitRepo, mkdocs_build, opened

pytestmark = pytest.mark.deep

DIRECTIVES = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self' {}",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "media-src": "'self'",
    "connect-src": "'self'",
    "worker-src": "'self'",
    "frame-src": "'none'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
}
WORKSHOP = {
    "script-src": "'self' 'wasm-unsafe-eval'",
    "worker-src": "blob:",
    "connect-src": "'self' blob:",
}
STYLES = [f"text-align: {way};" for way in ("left", "center", "right")]
META = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')

MORE = """\
extra:
  scope: /
theme:
  features: [announce.dismiss, content.code.copy, content.tabs.link, navigation.tabs]
markdown_extensions:
  - admonition
  - tables
  - toc: {permalink: true}
  - pymdownx.superfences
  - pymdownx.details
  - pymdownx.tabbed: {alternate_style: true}
"""
TINY = "site_name: Tiny\ntheme: {name: material, font: false}\nplugins: [nomicgen]\n"
PAGE = """\
# Mine

| a | b | c |
|:--|:-:|--:|
| 1 | 2 | 3 |

=== "One"

    First.

=== "Two"

    Second.

!!! note
    Mark this.

??? tip "More"
    Within.

```python
print("copy me")
```
"""


def digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


DIGESTS = " ".join(map(digest, STYLES))


def html_of(site: Path, path: str) -> str:
    return (site / path).read_text("utf-8")


@pytest.fixture(scope="module")
def both(harbour: Built, tmp_path_factory: pytest.TempPathFactory) -> Both:
    """The site of the game with one of everything, by both engines, with what else of the theme a
    keeper may want.
    """
    folder = tmp_path_factory.mktemp("policy")
    game = Path(shutil.copytree(harbour.game, folder / "game"))
    (game / "mkdocs.yml").write_text(CONFIG + MORE, "utf-8")
    (game / "docs").mkdir(exist_ok=True)
    (game / "docs" / "mine.md").write_text(PAGE, "utf-8")
    return Both(game=game, folder=folder, strict=False)


@pytest.fixture(params=sampled(["mkdocs", "zensical"], every=2))
def site(request: pytest.FixtureRequest, both: Both) -> Path:
    return both.mkdocs if request.param == "mkdocs" else both.zensical


def test_every_page_has_the_policy_before_anything_else(site: Path) -> None:
    wanted = {
        name: value.format(f"'unsafe-hashes' {DIGESTS}") for name, value in DIRECTIVES.items()
    }
    pages = html_pages(site)
    assert {"404.html", "index.html", "mine/index.html", "time/index.html"} < pages
    for path in pages:
        text = html_of(site, path)
        found = list(META.finditer(text))
        assert len(found) == 1, path
        told = (one.strip().partition(" ") for one in unescape(found[0][1]).split(";"))
        own = WORKSHOP if path == "propose/index.html" else {}
        assert {name: value for name, _, value in told} == {**wanted, **own}
        head = text[text.index("<head>") : found[0].start()]
        assert "<" not in head.removeprefix("<head>"), path
        # Browsers look for it no further.
        assert 0 < text.encode().find(b'<meta charset="utf-8">') < 1000, path


class Tags(HTMLParser):
    """The tags of a page, each with its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_no_page_has_what_the_policy_stops(site: Path) -> None:
    aligned = 0
    for path in html_pages(site):
        tags = Tags(html_of(site, path)).found
        inline = [
            attributes for tag, attributes in tags if tag == "script" and "src" not in attributes
        ]
        types = [attributes.get("type") for attributes in inline]
        assert [one for one in types if one != "application/ld+json"] == ["application/json"], path
        assert {tag for tag, _ in tags}.isdisjoint(
            {"style", "base", "iframe", "object", "embed"}
        ), path
        names = {name for _, attributes in tags for name in attributes}
        assert {name for name in names if name.startswith("on")} == set(), path
        styles = [attributes["style"] for _, attributes in tags if "style" in attributes]
        assert set(styles) <= set(STYLES), path
        aligned += len(styles)
    assert aligned == 6


# In a browser: `page` fails where the policy had to stop anything


@pytest.mark.nightly
@pytest.mark.browser
def test_every_kind_of_page_is_read_without_a_violation(
    page: Page, site: Path, serve: Callable[[Path], str]
) -> None:
    address = serve(site)
    kinds = ("home", "rule", "long", "adopted", "judgement", "player", "scores", "cards")
    for path in (*(KINDS[kind] for kind in kinds), "history/", "time/", "mine/", "404.html"):
        page.goto(f"{address}{path}")


@pytest.mark.nightly
@pytest.mark.browser
def test_what_a_reader_does_is_done(page: Page, site: Path, serve: Callable[[Path], str]) -> None:
    address = serve(site)
    page.goto(f"{address}mine/")
    page.locator("th", has_text="c").wait_for()
    aligned = "all => all.map(one => getComputedStyle(one).textAlign)"
    assert page.locator(".md-typeset table th").evaluate_all(aligned) == ["left", "center", "right"]
    page.get_by_text("Two", exact=True).click()
    assert page.get_by_text("Second.").is_visible()
    page.get_by_text("More", exact=True).click()
    assert page.get_by_text("Within.").is_visible()
    page.locator(".md-nav__link, .md-tabs__link", has_text="History").first.click()
    page.wait_for_url(f"{address}history/")
    page.go_back()
    page.locator(".md-typeset table").wait_for()
    page.goto(f"{address}time/#2020-07-01")
    page.locator(".n-time-rule").first.wait_for()
    page.get_by_text("Compare with another day, find words").click()
    page.get_by_label("Show differences from today").check()
    page.locator(".n-redline").first.wait_for()


@pytest.mark.nightly
@pytest.mark.browser
def test_what_is_searched_is_found_and_opened(
    page: Page, site: Path, serve: Callable[[Path], str]
) -> None:
    page.goto(serve(site))
    page.get_by_role("button", name="Search").click()
    page.get_by_role("searchbox", name="Search").fill("ferry")
    page.locator(".n-seek-dialog li", has_text="ferry").first.wait_for()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("ferry|proposals|rules"))


@pytest.mark.nightly
@pytest.mark.browser
def test_the_palette_that_was_chosen_is_that_of_the_next_page(
    page: Page, site: Path, serve: Callable[[Path], str]
) -> None:
    address = serve(site)
    scheme = "document.body.dataset.mdColorScheme"
    page.goto(address)
    page.locator("form[data-md-component=palette] label:visible").click()
    page.locator("form[data-md-component=palette] label:visible").click()
    assert page.evaluate(scheme) == "slate"
    other = page.context.new_page()
    other.add_init_script(
        f"addEventListener('DOMContentLoaded', () => globalThis.first = {scheme})"
    )
    other.goto(f"{address}rules/203/")
    assert other.evaluate("globalThis.first") == "slate"
    assert other.evaluate("Object.keys(localStorage).sort()") == ["/.__palette", "nomic:/"]


@pytest.mark.browser
def test_a_site_is_read_from_a_disk_too(browser: Browser, site: Path) -> None:
    context = browser.new_context()
    page = context.new_page()
    stopped: list[str] = []
    page.on(
        "console",
        lambda said: stopped.append(said.text) if "Content Security Policy" in said.text else None,
    )
    page.goto((site / "rules" / "203" / "index.html").as_uri())
    assert page.evaluate("getComputedStyle(document.querySelector('.n-law')).display") == "block"
    assert page.evaluate("typeof globalThis.__md_get") == "function"
    context.close()
    assert stopped == []


@pytest.mark.browser
def test_the_policy_stops_what_would_slip_through(
    browser: Browser, both: Both, serve: Callable[[Path], str], tmp_path: Path
) -> None:
    """A second line: the first is that nothing of the kind is ever written."""
    site = Path(shutil.copytree(both.mkdocs, tmp_path / "site"))
    file = site / "rules" / "203" / "index.html"
    slipped = (
        "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'>"
        "<a id=trap href='javascript:window.hacked = 3'>x</a><iframe "
        "src='data:text/html,x'></iframe>"
        "<script src='https://elsewhere.example/x.js'></script><style>body { color: red }</style>"
        "<img src='https://elsewhere.example/x.png'><object "
        "data='https://elsewhere.example/x'></object>"
        "<base href='https://elsewhere.example/'><form id=way "
        "action='https://elsewhere.example/'></form>"
        "<p id=styled style='position: fixed; color: red'>styled</p>"
    )
    file.write_text(file.read_text("utf-8").replace("<h1", f"{slipped}<h1", 1), "utf-8")
    with opened(browser) as (page, trouble):
        page.goto(f"{serve(site)}rules/203/")
        page.locator("#trap").click()
        page.evaluate("document.querySelector('#way')?.submit()")
        page.wait_for_timeout(200)
        assert page.evaluate("window.hacked") is None
        assert (
            page.evaluate("getComputedStyle(document.getElementById('styled')).position")
            == "static"
        )
        assert page.url.endswith("rules/203/")
        assert page.locator("h1").count() == 1
    assert [one for one in trouble if one.startswith("asked")] == []
    for part in (
        "script-src",
        "style-src",
        "img-src",
        "frame-src",
        "object-src",
        "base-uri",
        "form-action",
    ):
        assert any(f"{part} '" in one for one in trouble), (part, trouble)


# A keeper's own


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A game of which nothing is known but its name."""
    repo = GitRepo(tmp_path / "tiny")
    repo.write(
        {"nomic.yml": "format: 1\nname: Tiny\n", "docs/mine.md": "# Mine\n", "mkdocs.yml": TINY}
    )
    repo.commit("It begins")
    return repo.path


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("said", "wanted"), [('"default-src https:"', ["default-src https:"]), ("false", [])]
)
def test_a_keeper_has_a_policy_of_their_own_or_none(
    tiny: Path, said: str, wanted: list[str]
) -> None:
    (tiny / "mkdocs.yml").write_text(f"{TINY}extra: {{content_security_policy: {said}}}\n", "utf-8")
    done = mkdocs_build(tiny, tiny / "site", "--quiet")
    assert done.returncode == 0, done.stderr
    assert META.findall(html_of(tiny / "site", "mine/index.html")) == wanted


@pytest.mark.nightly
def test_a_site_that_is_served_while_it_is_written_has_none(tiny: Path) -> None:
    with live(tiny) as served:
        page = served.get("mine/")
    assert "livereload(" in page
    assert META.findall(page) == []
