"""The pages of both engines look the same: compared picture by picture."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.deep import sampled
from tests.site.engines import Both

pytestmark = pytest.mark.browser

PATHS = ("", "rules/203/", "rules/", "proposals/301/", "players/bo/", "ruleset/long/", "history/")
LOOKS = [(path, width, scheme) for path in PATHS for width in (1280, 360) for scheme in ("light", "dark")]
# The share of pixels of two pictures that differ by more than what the smoothing of letters may do.
DIFFERENT = """async ([one, other]) => {
    const pixels = async (data) => {
        const image = new Image();
        image.src = `data:image/png;base64,${data}`;
        await image.decode();
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [image.width, image.height];
        const context = canvas.getContext("2d");
        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, image.width, image.height).data;
    };
    const [left, right] = [await pixels(one), await pixels(other)];
    if (left.length !== right.length) return 1;
    let count = 0;
    for (let at = 0; at < left.length; at += 4) {
        count += [0, 1, 2].some((part) => Math.abs(left[at + part] - right[at + part]) > 24);
    }
    return count / (left.length / 4);
}"""


@pytest.mark.parametrize(("path", "width", "scheme"), sampled(LOOKS, every=9))
def test_both_engines_look_the_same(
    browser: Browser, harbour_by_both: Both, serve: Callable[[Path], str], path: str, width: int, scheme: str
) -> None:
    pictures = []
    for site in (harbour_by_both.mkdocs, harbour_by_both.zensical):
        context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme="dark" if scheme == "dark" else "light",
            reduced_motion="reduce",
        )
        page = context.new_page()
        for _ in range(2):  # the first page that a browser opens may be shown before its faces are there
            page.goto(f"{serve(site)}{path}")
            page.wait_for_load_state("networkidle")
        pictures.append(base64.b64encode(page.screenshot()).decode())
        context.close()
    blank = browser.new_page()
    share = blank.evaluate(DIFFERENT, pictures)
    blank.close()
    assert share < 0.001, f"{share:.2%} of the pixels differ"
