"""How long a browser takes to show a page of a game, against a page of a plain Material site.

Both pages are loaded in turn in headless Chromium, each in a context of its own, so that nothing is
in a cache. The plain page stands at the same address and has an article of as many bytes
(`plain.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import Thread

from playwright.sync_api import Browser, sync_playwright

from tests.benchmarks.books import bind, write_book
from tests.benchmarks.plain import articles, write_plain
from tests.benchmarks.replay import Measure
from tests.benchmarks.site import build
from tests.support import find_chromium

_MOST = 1.3
CHROMIUM = find_chromium()
_PAGES = {"the home page": "", "a rule's page": "rules/101/", "the history": "history/"}
_OBSERVE = """
window.painted = 0;
new PerformanceObserver(list => {
    for (const one of list.getEntries()) window.painted = one.startTime; })
  .observe({type: "largest-contentful-paint", buffered: true});
"""


def measures(rules: int, runs: int) -> Iterator[Measure]:
    """Script time and largest contentful paint of each kind of page, over those of the plain
    page.
    """
    with TemporaryDirectory() as name:
        folder = Path(name)
        game, site, plain = folder / "game", folder / "site", folder / "plain-site"
        game.mkdir()
        write_book(bind(rules), game)
        build(game, site)
        write_plain(folder / "plain", (game / "mkdocs.yml").read_text("utf-8"), articles(site))
        build(folder / "plain", plain)
        with served(site) as ours, served(plain) as theirs, sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            for kind, path in _PAGES.items():
                loads = [
                    (_load(browser, ours + path), _load(browser, theirs + path))
                    for _ in range(runs)
                ]
                for index, what in enumerate(("script time", "largest contentful paint")):
                    own, other = (median(pair[side][index] for pair in loads) for side in (0, 1))
                    yield Measure(f"{kind}: {what}, over that of a plain page", own / other, _MOST)
            browser.close()


def _load(browser: Browser, address: str) -> tuple[float, float]:
    """Milliseconds of script, and until the largest part of the page was painted."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Performance.enable")
    page.add_init_script(_OBSERVE)
    page.goto(address)
    page.wait_for_load_state("networkidle")
    figures = {
        one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]
    }
    painted = float(page.evaluate("window.painted"))
    context.close()
    return figures["ScriptDuration"] * 1000, painted


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a server of the folder's files."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Says nothing of what is asked for."""
