"""Writing a proposal in a browser: how soon the program is there that judges it, and how long it
takes for a draft.

The site of this repository's own game is served from this machine, and so is that of a long
generated one. Seconds are by the clock, as a player waits: from the first click to the first
verdict, with nothing in the browser's cache and with all of it, and from a changed letter to the
next verdict, the page's own wait of 0.3 s for the typing to end included.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from playwright.sync_api import BrowserContext, Page, sync_playwright

from nomicgen.site.workshop.runtime import CHECKER, install_checker
from tests.benchmarks.books import bind, write_book
from tests.benchmarks.painting import CHROMIUM, served
from tests.benchmarks.replay import Measure
from tests.benchmarks.site import build

_BYTES, _COLD, _WARM, _NEXT = 6000.0, 5000.0, 2500.0, 150.0
_WAIT = 0.3
_SAID = """() => /lawful|possible|carried/i.test(
    document.querySelector('.n-ws-headline')?.textContent ?? '')"""
_VERDICT = """(text) => new Promise((done) => {
    const [area, said] = ["textarea[name=text]", ".n-ws-said"].map(
        (one) => document.querySelector(one));
    const start = performance.now();
    new MutationObserver((_, seen) => {
        seen.disconnect(); done((performance.now() - start) / 1000); })
        .observe(said, { childList: true });
    area.value = text;
    area.dispatchEvent(new Event("input", { bubbles: true }));
})"""


def measures(house: Path, rules: int, runs: int) -> Iterator[Measure]:
    """What a player waits for in the game of `house`, and in a generated one of so many rules."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        build(house, folder / "house")
        game = folder / "game"
        game.mkdir()
        write_book(bind(rules), game)
        build(game, folder / "long")
        for site, what, limits in (
            (folder / "house", "the house", (_COLD, _WARM, _NEXT)),
            (folder / "long", f"a game of {rules} rules", (None, None, None)),
        ):
            install_checker(site)
            if limits[0] is not None:
                size = json.loads((site / CHECKER).read_bytes())["bytes"] / 1000
                yield Measure("the checker of drafts, as it is sent", size, _BYTES, "kB")
            cold, warm, after = _waits(site, max(runs, 3))
            yield Measure(f"{what}: first verdict, nothing cached", cold * 1000, limits[0], "ms")
            yield Measure(f"{what}: first verdict, all cached", warm * 1000, limits[1], "ms")
            yield Measure(
                f"{what}: the next verdict, without the wait",
                (after - _WAIT) * 1000,
                limits[2],
                "ms",
            )


def _waits(site: Path, runs: int) -> tuple[float, float, float]:
    with served(site) as address, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        cold, warm, after = [], [], []
        for _ in range(runs):
            context = browser.new_context()
            cold.append(_first(context, address)[0])
            seconds, page = _first(context, address)
            warm.append(seconds)
            text = page.locator("textarea[name=text]").input_value()
            after += [page.evaluate(_VERDICT, f"{text} {'x' * at}") for at in range(1, 6)]
            context.close()
        browser.close()
    return median(cold), median(warm), median(after)


def _first(context: BrowserContext, address: str) -> tuple[float, Page]:
    """Seconds from a click that begins a draft to what the program says of it."""
    page = context.new_page()
    page.goto(f"{address}propose/")
    rule = page.locator("select[name=rule]")
    rule.wait_for()
    start = time.perf_counter()
    rule.select_option(index=2)
    text = page.locator("textarea[name=text]")
    text.fill(f"{text.input_value()} So be it.")
    page.wait_for_function(_SAID, timeout=60_000)
    return time.perf_counter() - start, page
