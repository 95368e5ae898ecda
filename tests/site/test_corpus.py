"""A public corpus of XSS payloads in a real browser: nothing of it runs, asks for anything, or is
more than text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import feedparser
import pytest
from click.testing import CliRunner
from jinja2 import Environment
from markdown_it import MarkdownIt
from playwright.sync_api import Browser, Dialog, Page

from nomicgen.cli.program import main
from nomicgen.files.text_encoding import CONTROLS
from nomicgen.site.texts.player_html import Linker, excerpt, render_text, seen_text
from nomicgen.site.texts.redline_html import redline_html
from tests.deep import sampled
from tests.links import html_pages
from tests.site.conftest import CONFIG
from tests.site.corpus import DRAFTS, TODAY, corpus_game, groups, payloads
from tests.support import GitRepo, mkdocs_build, opened

pytestmark = pytest.mark.deep

WATCH = """
globalThis.nomicRan = [];
for (const name of ["alert", "confirm", "prompt", "print", "open", "postMessage"]) {
    globalThis[name] = (...given) => nomicRan.push(`${name}(${given})`);
}
document.addEventListener("securitypolicyviolation", (event) => {
    const { violatedDirective, blockedURI, target } = event;
    nomicRan.push(`${violatedDirective}: ${blockedURI} ${target.outerHTML ?? ""}`);
});
"""
# Elements that the site's own templates write, and those that a text may have.
TAGS = (
    "a abbr article aside b bdi blockquote br button caption circle code dd defs del desc details "
    "div dl dt em fieldset figcaption figure footer form g h1 h2 h3 h4 h5 h6 header hr input ins "
    "label legend li line nav noscript ol optgroup option p path pattern polygon polyline pre rect "
    "s script section select small span strong sub summary sup svg table tbody td template text "
    "textarea th thead time title tr tspan ul use wbr"
)
ACTIVE = """([within, names]) => {
    const tags = new Set(names.split(" "));
    const links = ["action", "background", "data", "formaction", "href", "poster", "src", "srcset",
        "xlink:href"];
    const schemes = ["http:", "https:", "mailto:"];
    // Of a piece that has no place of its own, as the data have it.
    const base = location.protocol === "about:" ? "https://page.invalid" : location;
    const found = [];
    for (const one of document.querySelectorAll(within)) {
        const say = (why) => found.push(`${why}: ${one.outerHTML.slice(0, 300)}`);
        const own = "home|life|quote|redline|rule|time|timeline|timerules|words|propose[a-z-]*";
        const isOwn = new RegExp(`assets[/](${own})[.]js$`).test(one.src);
        if (!tags.has(one.localName)) say("an element");
        if (one.localName === "script" && !isOwn) say("a script");
        const isForm = one.localName === "form";
        if (isForm && !one.matches("[data-nomic-filter], .n-time-form, .n-ws-form")) say("a form");
        if (!one.namespaceURI.endsWith("/xhtml") && !one.closest("figure")) say("a picture");
        for (const { name, value } of one.attributes) {
            if (name.startsWith("on") || name === "style" || name === "srcdoc") say(name);
            if (name === "name" && !one.matches("button, input, select, textarea")) say(name);
            if (links.includes(name)) {
                const address = URL.canParse(value, base) ? new URL(value, base) : null;
                if (!schemes.includes(address?.protocol)) say("an address");
            }
        }
    }
    const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
    found.push(...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) =>
        `an id that stands twice: ${id}`));
    return found;
}"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game with the corpus wherever players write."""
    repo = GitRepo(tmp_path_factory.mktemp("corpus"))
    repo.write({**corpus_game(), "mkdocs.yml": CONFIG, "docs/guide.md": "# Guide\n"})
    repo.commit("A game")
    return repo.path


@pytest.fixture(scope="module")
def site(game: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    site = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", "1772366400")
        done = mkdocs_build(game, site, "--quiet")
    assert done.returncode == 0, done.stderr
    return site


@pytest.fixture
def watched(browser: Browser) -> Iterator[Page]:
    """A page that says what ran in it, and reaches this machine alone."""
    with opened(browser) as (page, trouble):
        page.add_init_script(WATCH)

        def opens(dialog: Dialog) -> None:
            trouble.append(f"a dialog: {dialog.message}")
            dialog.dismiss()

        page.on("dialog", opens)
        yield page
    assert trouble == []


def faults(page: Page, within: str) -> list[str]:
    """What ran on the page as it stands, and what of it could act."""
    return [*page.evaluate("globalThis.nomicRan"), *page.evaluate(ACTIVE, [within, TAGS])]


def shown(page: Page, fragments: Sequence[str]) -> list[str]:
    """The faults of pieces of HTML, each within an element of its own, where no policy would stop
    anything.
    """
    page.goto("about:blank")
    page.evaluate(WATCH)
    body = "".join(f"<section class=piece>{one}</section>" for one in fragments)
    page.evaluate(
        "(body) => { document.open(); document.write(`<!doctype html>${body}`); "
        "document.close(); }",
        body,
    )
    assert page.evaluate("document.querySelectorAll('body > .piece').length") == len(fragments)
    page.wait_for_timeout(200)
    return faults(page, ".piece *")


@pytest.mark.nightly
@pytest.mark.browser
def test_the_corpus_is_large_and_would_run(browser: Browser) -> None:
    assert len(payloads()) > 4000
    assert sum(map(len, groups())) > 250
    with opened(browser) as (page, trouble):
        page.goto("about:blank")
        page.evaluate(WATCH)
        body = "".join(payloads()[:200])
        page.evaluate(
            "(body) => { document.open(); document.write(body); document.close(); }", body
        )
        page.wait_for_timeout(200)
        assert len(page.evaluate("globalThis.nomicRan")) > 1
        assert len(page.evaluate(ACTIVE, ["body *", TAGS])) > 100
    assert trouble != []


@pytest.mark.nightly
@pytest.mark.browser
@pytest.mark.parametrize(
    "how", sampled(["a text", "a line of a text", "a redline", "an excerpt"], every=5)
)
def test_no_payload_acts_however_it_is_shown(watched: Page, how: str) -> None:
    linker = Linker(reference=lambda _: None, address=lambda _: None)
    ways: Mapping[str, Callable[[str], object]] = {
        "a text": lambda text: render_text(text, linker),
        "a line of a text": lambda text: render_text(
            f"> - see *{text}* and [{text}]({text} '{text}') <span>", linker
        ),
        "a redline": lambda text: redline_html(f"so {text}", f"{text} so"),
        "an excerpt": lambda text: render_text(seen_text(text) + "\n\n" + excerpt(text), linker),
    }
    # What is neither rendered nor sanitised is escaped alone.
    pieces = [str(ways[how](one)) for one in payloads()[:: 4 if how == "an excerpt" else 1]]
    assert shown(watched, pieces) == []


@pytest.mark.nightly
@pytest.mark.browser
def test_no_page_of_a_game_acts(watched: Page, site: Path, serve: Callable[[Path], str]) -> None:
    address = serve(site)
    paths = sorted(html_pages(site))
    assert {"rules/301/index.html", "players/player-0/index.html", "acts/act-2/index.html"} < set(
        paths
    )
    found: dict[str, list[str]] = {}
    for path in paths:
        watched.goto(f"{address}{path}")
        if wrong := faults(watched, ".nomic *"):
            found[path] = wrong[:5]
    assert found == {}


@pytest.mark.nightly
@pytest.mark.browser
def test_the_time_machine_shows_it_as_text(
    watched: Page, site: Path, serve: Callable[[Path], str]
) -> None:
    address = serve(site)
    watched.goto(f"{address}time/#2026-01-02..2026-03-01")
    watched.locator(".n-redline, .n-time-rule .n-law").first.wait_for()
    watched.wait_for_timeout(300)
    assert faults(watched, ".nomic *") == []


@pytest.mark.nightly
@pytest.mark.browser
def test_neither_feed_nor_data_holds_html_that_acts(watched: Page, site: Path) -> None:
    feed = feedparser.parse((site / "feed.xml").read_bytes(), sanitize_html=False)
    assert not feed.bozo
    pieces = [part.value for entry in feed.entries for part in entry.content]
    assert len(pieces) > 6
    for path in sorted((site / "api").rglob("*.json")):
        pieces += _html(json.loads(path.read_text("utf-8")))
    assert len(pieces) > 11
    assert shown(watched, pieces) == []


def _html(data: Any) -> Iterator[str]:
    if isinstance(data, dict):
        for key, value in data.items():
            if isinstance(value, str) and key == "html":
                yield value
            yield from _html(value)
    elif isinstance(data, list):
        for one in data:
            yield from _html(one)


@pytest.mark.nightly
@pytest.mark.browser
def test_a_comment_shows_it_as_text_where_nothing_is_sanitised(watched: Page, game: Path) -> None:
    forge = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    for draft in DRAFTS:
        said = CliRunner().invoke(
            main,
            ["-C", str(game), "proposal", "preview", draft, "--format", "markdown", "--on", TODAY],
        )
        assert said.exit_code in (0, 1), said.output
        assert len(said.stdout) > 5000
        html = forge.render(said.stdout)
        assert shown(watched, [html]) == []
        assert (
            re.findall(
                r"<(?!/?(?:h\d|p|ul|ol|li|code|pre|strong|em|hr|del|br|details|summary|table|t\w+|sub)\b)",
                html,
            )
            == []
        )


@pytest.mark.nightly
def test_a_terminal_gets_text_alone(game: Path) -> None:
    for line in (
        "check",
        "status --rules",
        "rule history 301",
        "show 101",
        "scores",
        f"proposal preview {DRAFTS[0]}",
        "export long",
    ):
        said = CliRunner().invoke(main, ["-C", str(game), *line.split()])
        assert said.exit_code in (0, 1), said.output
        assert re.search(CONTROLS, said.output) is None
        assert len(said.output) > 30


@pytest.mark.nightly
def test_what_evaluates_templates_finds_none_in_a_page(game: Path, tmp_path: Path) -> None:
    """As plugins do that take each page for a template: a mistake in it would fail, a value would
    change it.
    """
    made = tmp_path / "made" / "docs"
    result = CliRunner().invoke(main, ["-C", str(game), "plumbing", "pages", str(made.parent)])
    assert result.exit_code == 0, result.output
    pages = sorted(
        set(made.rglob("*.md")) - {made / "guide.md"} - set((made / "api").rglob("*.md"))
    )
    assert len(pages) > 30
    for path in pages:
        text = path.read_text("utf-8")
        assert Environment(keep_trailing_newline=True).from_string(text).render() == text, path
        _, head, body = text.split("---\n", 2)
        assert "{" not in head.replace("nomic:", ""), path
        assert [line for line in body.strip().split("\n") if not line.startswith("<")] == [], path
