"""The look: colours that can be told apart, nothing that moves while a page loads, the text first
on a phone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from nomicgen.site.render import asset, fonts, stylesheet
from tests.deep import sampled
from tests.site.conftest import Built
from tests.site.example import KINDS

pytestmark = pytest.mark.nightly

SCHEMES = {"light": ":root {", "dark": '[data-md-color-scheme="slate"] {'}
TONES = tuple(f"--n-tone-{number}" for number in range(1, 7))
SHIFTS = """() => new Promise(done => {
    let sum = 0;
    new PerformanceObserver(list => { for (const one of list.getEntries()) sum += one.value; })
        .observe({ type: "layout-shift", buffered: true });
    setTimeout(() => done(sum), 150);
})"""
# Less than if the whole page moved by one pixel once: what fonts drawn in another order may do, and
# nobody sees.
SEEN = 1 / 1280


def tokens(scheme: str) -> Mapping[str, str]:
    """The colours of a scheme, by name."""
    found: dict[str, str] = {}
    for start in dict.fromkeys((SCHEMES["light"], SCHEMES[scheme])):
        block = stylesheet().split(start, 1)[1].split("}", 1)[0]
        found |= dict(re.findall(r"(--n-[\w-]+): (#[0-9a-f]{6});", block))
    return found


def luminance(colour: str) -> float:
    """The relative luminance of `#rrggbb`, as WCAG defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def lightness(colour: str) -> float:
    """CIE L*, from 0 to 100."""
    return float(116 * luminance(colour) ** (1 / 3) - 16)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_ink_can_be_read_on_paper(scheme: str) -> None:
    colour = tokens(scheme)
    for name in ("ink", "soft", "link", "link-strong", "rubric"):
        for ground in ("paper", "wash"):
            assert contrast(colour[f"--n-{name}"], colour[f"--n-{ground}"]) >= 4.5, (name, ground)
    for name in ("good", "bad", "open"):
        for ground in (f"{name}-wash", "paper"):
            assert contrast(colour[f"--n-{name}"], colour[f"--n-{ground}"]) >= 4.5, (name, ground)
        for words in ("link", "ink"):
            assert contrast(colour[f"--n-{words}"], colour[f"--n-{name}-wash"]) >= 4.5, (
                words,
                name,
            )
    assert contrast(colour["--n-line-strong"], colour["--n-paper"]) >= 3


@pytest.mark.parametrize("scheme", SCHEMES)
def test_tones_are_told_apart_by_their_lightness(scheme: str) -> None:
    colour = tokens(scheme)
    for tone in TONES:
        assert contrast(colour[tone], colour["--n-paper"]) >= 3, tone
        assert contrast(colour[tone], colour["--n-wash"]) >= 3, tone
    for one, other in combinations(TONES, 2):
        assert abs(lightness(colour[one]) - lightness(colour[other])) >= 6, (one, other)


def test_the_mark_is_seen_on_both_papers() -> None:
    for name in ("mark.svg", "favicon.svg"):
        card, sign = re.findall(r'(?:fill|stroke)="(#[0-9a-f]{3,6})"', asset(name))
        assert contrast(card, "#ffffff" if sign == "#fff" else sign) >= 4.5
        assert all(contrast(card, tokens(scheme)["--n-paper"]) >= 3 for scheme in SCHEMES)


def test_styles_ask_for_nothing_elsewhere() -> None:
    assert "@import" not in stylesheet()
    asked = re.findall(r"url\(\"?([^)\"]+)", stylesheet())
    assert {f"assets/{one}" for one in asked} == {one for one in fonts() if one.endswith(".woff2")}


def test_typefaces_are_light_and_licensed() -> None:
    assert sum(Path(one).stat().st_size for one in fonts().values()) <= 100 << 10
    assert "SIL Open Font License, Version 1.1" in Path(fonts()["assets/fonts/OFL.txt"]).read_text(
        "utf-8"
    )


@pytest.mark.browser
def test_every_word_is_in_a_face_of_the_sites_own(
    page: Page, serve: Callable[..., str], harbour: Built
) -> None:
    session = page.context.new_cdp_session(page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    used: list[dict[str, Any]] = []
    for _ in range(
        10
    ):  # "optional": a face that comes late on a busy machine is shown from the next page on
        page.goto(f"{serve(harbour.site)}rules/203/")
        page.evaluate("document.fonts.ready")
        root = session.send("DOM.getDocument", {"depth": -1})["root"]["nodeId"]
        node = session.send(
            "DOM.querySelector", {"nodeId": root, "selector": ".n-main > .n-law p"}
        )["nodeId"]
        used = session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
        if used and all(one["isCustomFont"] for one in used):
            break
    assert {(one["familyName"], one["isCustomFont"]) for one in used} == {("Literata", True)}
    widths = page.locator(".n-badge--number").first.evaluate(
        """one => [..."0123456789"].map(digit => {
            one.textContent = digit.repeat(20);
            return one.getBoundingClientRect().width;
        })"""
    )
    assert max(widths) - min(widths) < 0.1


@pytest.mark.browser
@pytest.mark.parametrize(
    ("kind", "width"), sampled([(kind, width) for width in (1280, 360) for kind in KINDS], every=21)
)
def test_nothing_moves_while_a_page_loads(
    page: Page, serve: Callable[..., str], harbour: Built, kind: str, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    # A busy machine may show a page while its footer is read. What the page itself moves, it moves
    # each time.
    assert any(_shift(page, f"{serve(harbour.site)}{KINDS[kind]}") < SEEN for _ in range(3))


def _shift(page: Page, address: str) -> float:
    page.goto("about:blank")
    page.goto(address)
    found: float = page.evaluate(SHIFTS)
    return found


@pytest.mark.browser
@pytest.mark.parametrize(
    "path",
    sampled(["rules/203/", "rules/206/", "rules/304/", "ruleset/long/", "ruleset/short/"], every=5),
)
def test_the_law_begins_on_the_first_screen_of_a_phone(
    page: Page, serve: Callable[..., str], harbour: Built, path: str
) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto(f"{serve(harbour.site)}{path}")
    box = page.locator(".n-law").first.bounding_box()
    assert box is not None
    assert box["y"] < 400
    assert box["width"] > 300


@pytest.mark.deep
@pytest.mark.browser
def test_a_line_of_law_has_the_length_of_a_books(
    page: Page, serve: Callable[..., str], harbour: Built
) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{serve(harbour.site)}rules/203/")
    letters = page.locator(".n-main > .n-law").evaluate(
        """law => {
            const probe = document.createElement("span");
            probe.textContent = "the law of the harbour as it stands on this day and ";
            probe.style.cssText = "position: absolute; white-space: pre";
            law.append(probe);
            const letter = probe.getBoundingClientRect().width / probe.textContent.length;
            probe.remove();
            const style = getComputedStyle(law);
            const padding = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
            return (law.clientWidth - padding) / letter;
        }"""
    )
    assert 60 <= letters <= 86


@pytest.mark.browser
def test_the_mark_stands_in_the_head_and_the_tab(
    page: Page, serve: Callable[..., str], harbour: Built
) -> None:
    page.goto(serve(harbour.site))
    logo = page.locator(".md-header .md-logo img")
    assert (logo.get_attribute("src") or "").endswith("assets/mark.svg")
    assert logo.evaluate("one => one.naturalWidth") > 0
    icon = page.locator('link[rel="icon"]').get_attribute("href") or ""
    assert icon.endswith("assets/favicon.svg")
    assert page.request.get(f"{serve(harbour.site)}{icon}").ok


@pytest.mark.deep
@pytest.mark.browser
def test_a_ring_shows_where_the_keyboard_is(
    page: Page, serve: Callable[..., str], harbour: Built
) -> None:
    page.goto(f"{serve(harbour.site)}rules/")
    rings = []
    for _ in range(14):
        page.keyboard.press("Tab")
        rings.append(
            page.evaluate(
                """() => {
                    const one = document.activeElement;
                    const beside = one.nextElementSibling;
                    const shown = [one, beside, one.closest("form")].filter(Boolean);
                    const ringed = part => getComputedStyle(part).outlineStyle === "solid";
                    const isFine = one === document.body || shown.some(ringed);
                    return isFine ? "" : one.outerHTML.slice(0, 90);
                }"""
            )
        )
    assert [one for one in rings if one] == []


@pytest.mark.deep
@pytest.mark.browser
def test_the_ruleset_is_printed_as_a_booklet(
    page: Page, serve: Callable[..., str], harbour: Built
) -> None:
    page.goto(f"{serve(harbour.site)}ruleset/long/")
    page.emulate_media(media="print")
    assert page.locator("h1").is_visible()
    assert not page.locator(".n-downloads").is_visible()
    law, small = (page.locator(f".nomic {one}").first for one in (".n-law", ".n-history"))
    size = "one => parseFloat(getComputedStyle(one).fontSize)"
    assert law.evaluate(size) > small.evaluate(size)
    assert (
        page.locator(".n-rule h2").first.evaluate("one => getComputedStyle(one).breakAfter")
        == "avoid"
    )
