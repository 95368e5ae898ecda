"""The rules as cards, in the narrowest type and in the widest: each holds the whole of its rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import Page

from nomicgen.cli.program import main
from nomicgen.model.values import Moment
from nomicgen.play.game_history import game_history_of
from nomicgen.play.load import load
from nomicgen.play.rulesets import NAMES
from nomicgen.site.build import pages
from tests.deep import sampled
from tests.site.conftest import Built
from tests.support import ROOT, GitRepo

pytestmark = pytest.mark.nightly

CARD = re.compile(r"<article.*?</article>", re.DOTALL)
MM = 96 / 25.4

# The narrowest of Debian's faces and the widest; both are in its package fonts-aenigma.
FACES = {"narrow": "Slender BRK", "wide": "Zoidal BRK"}

# Shows everything in a face, and gives how wide its letters are, in em; nothing where the machine
# does not have it.
SHOW_IN = """face => {
    const pen = document.createElement("canvas").getContext("2d");
    const letters = "the rules that are in force bind every player";
    const width = family => {
        pen.font = `100px ${family}`;
        return pen.measureText(letters).width / letters.length / 100;
    };
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`* { font-family: "${face}" !important; }`);
    document.adoptedStyleSheets = [sheet];
    const lacks = ["serif", "monospace"].some(
        other => width(`"${face}", ${other}`) === width(other));
    return lacks ? null : width(`"${face}"`);
}"""

# Each card by its number: what of it runs out of its frame or into its foot, or is cut off.
OUTSIDE = """() => [...document.querySelectorAll(".n-card")].flatMap(card => {
    const box = card.getBoundingClientRect();
    const foot = card.querySelector(".n-card-foot").getBoundingClientRect().top;
    const texts = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) {
        const words = texts.currentNode;
        if (words.parentElement.closest(".n-vh")) continue;
        const lowest = words.parentElement.closest(".n-card-foot") ? box.bottom : foot;
        const range = document.createRange();
        range.selectNodeContents(words);
        for (const at of words.data.trim() ? range.getClientRects() : []) {
            const fits = at.left >= box.left && at.top >= box.top && at.right <= box.right &&
                at.bottom <= lowest + 1;
            if (!fits) found.push(words.data);
        }
    }
    for (const part of card.querySelectorAll(":not(.n-vh)")) {
        const clips = getComputedStyle(part).overflowX !== "visible";
        if (clips && (part.scrollWidth > part.clientWidth + 1 ||
            part.scrollHeight > part.clientHeight + 1)) {
            found.push(part.outerHTML);
        }
    }
    return found.map(one => `${card.querySelector("h3").innerText}: ${one}`);
})"""

# What fits no card by itself: it is long, broad, or cannot be broken at a space.
BROAD = f"""\
{"A rule that goes on and on is on its card from its first word to its last. " * 12}

{"w" * 300} `{"m" * 200}`

| {" | ".join(f"Harbour {at}" for at in range(7))} |
|{"---|" * 7}
| {" | ".join(["a boat with a name"] * 7)} |

```
{"m" * 300}
```

- one
  - two
    - three
      > {"w" * 100}

![a boat](../images/boat.png)
"""


def show_in(page: Page, face: str) -> None:
    """Shows the page in a face, which this machine has to have."""
    width = page.evaluate(SHOW_IN, FACES[face])
    if width is None:
        pytest.skip(f"no face {FACES[face]!r}: Debian has it in fonts-aenigma")
    assert width < 0.2 if face == "narrow" else width > 1


def rule(number: int, text: str) -> str:
    """A rule's file, whose title and section are broad as well."""
    title, section = "Unbreakable" * 5, "Unbreakable sections " * 3
    return (
        f"---\nnumber: {number}\nmutability: mutable\ntitle: {title}\nsection: {section}\n"
        f"---\n\n{text}\n"
    )


def sheets(pdf: bytes) -> int:
    """How many pages a document has."""
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf))


def test_each_rule_in_force_has_its_card(made: Mapping[str, str]) -> None:
    cards = CARD.findall(made["cards.md"])
    refs = re.findall(r'class="n-num">(\d+)</span><span class="n-rev">(/\d+)', made["cards.md"])
    assert ("203", "/1") in refs
    assert "205" not in dict(refs)
    adoption = next(card for card in cards if ">203<" in card)
    assert 'href="../rules/203/"' in adoption
    assert '<a class="n-ref" href="../proposals/301/">Proposal 301</a>' in adoption
    assert '<a class="n-when" href="../time/#2020-06-10">' in adoption
    assert "Harbour Nomic" in adoption


def test_cards_stand_by_tier(made: Mapping[str, str]) -> None:
    tiers = [
        re.findall(r'data-tier="(\w+)"', section)
        for section in made["cards.md"].split("<section")[1:]
    ]
    assert [set(tier) for tier in tiers] == [{"immutable"}, {"mutable"}]


@pytest.mark.browser
@pytest.mark.parametrize("paper", sampled(["A4", "Letter"], every=2))
def test_paper_has_six_cards_a_page(
    page: Page, serve: Callable[[Path], str], harbour: Built, paper: str
) -> None:
    page.goto(f"{serve(harbour.site)}cards/")
    show_in(page, "narrow")
    tiers = [tier.locator(".n-card").count() for tier in page.locator(".n-deck section").all()]
    assert max(tiers) > 6
    assert sheets(page.pdf(format=paper, prefer_css_page_size=True)) == sum(
        -(-cards // 6) for cards in tiers
    )
    page.get_by_label("Tier").select_option("mutable")
    assert sheets(page.pdf(format=paper, prefer_css_page_size=True)) == -(-tiers[1] // 6)
    page.emulate_media(media="print")
    assert not page.locator(".md-header").is_visible()
    assert not page.locator("h1").is_visible()
    for card in page.locator(".n-card:visible").all():
        box = card.bounding_box()
        assert box is not None
        assert (round(box["width"] / MM, 1), round(box["height"] / MM, 1)) == (95, 85)


@pytest.mark.browser
def test_cards_can_be_chosen_by_tier(
    page: Page, serve: Callable[[Path], str], harbour: Built
) -> None:
    page.goto(f"{serve(harbour.site)}cards/")
    page.get_by_label("Tier").select_option("immutable")
    tiers = page.locator(".n-card:visible .n-tier").all_inner_texts()
    assert tiers
    assert set(tiers) == {"immutable"}
    page.emulate_media(media="print")
    assert page.locator(".n-card:visible").count() == len(tiers)


@pytest.mark.browser
def test_a_card_longer_than_its_paper_has_its_head_and_foot_on_each_piece(
    page: Page, serve: Callable[[Path], str], harbour: Built
) -> None:
    page.goto(f"{serve(harbour.site)}cards/")
    before = sheets(page.pdf(format="A4"))
    page.evaluate(
        "() => { const text = document.querySelector('.n-card-text > div');"
        " text.innerHTML = `<p>${'A long rule. '.repeat(1200)}</p>`; }"
    )
    assert sheets(page.pdf(format="A4")) > before
    page.emulate_media(media="print")
    # As on paper: columns of the height of a page.
    page.evaluate("() => { document.querySelector('.n-sheets').style.height = '283mm'; }")
    pieces = page.evaluate(
        """() => {
            const card = document.querySelector(".n-card");
            const lines = document.createRange();
            lines.selectNodeContents(card.querySelector(".n-card-text"));
            return [...card.getClientRects()].map(piece => {
                const own = [...lines.getClientRects()].filter(
                    at => at.width && at.height < 40 && at.left >= piece.left &&
                        at.right <= piece.right
                );
                return [
                    Math.min(...own.map(at => at.top)) - piece.top,
                    piece.bottom - Math.max(...own.map(at => at.bottom)),
                ];
            });
        }"""
    )
    assert len(pieces) > 2
    assert all(above > 12 * MM and below > 7 * MM for above, below in pieces), pieces


@pytest.mark.browser
@pytest.mark.parametrize(
    ("name", "face"),
    sampled(
        [(name, face) for name in ("broad", "the house", *NAMES) for face in FACES],
        every=2 * len(NAMES) + 1,
    ),
)
def test_a_card_holds_its_rule(
    page: Page, serve: Callable[[Path], str], harbour: Built, tmp_path: Path, name: str, face: str
) -> None:
    root = ROOT
    if name == "broad":
        texts = {
            f"rules/initial/{at}.md": rule(at, text)
            for at, text in enumerate(BROAD.split("\n\n"), 101)
        }
        repo = GitRepo(tmp_path / "game")
        repo.write(
            {
                "nomic.yml": "format: 1\nname: Broad\nstarted: 2020-06-01\ntiers: [mutable]\n",
                **texts,
            }
        )
        repo.commit("The game begins")
        root = repo.path
    elif name != "the house":
        root = tmp_path / "game"
        played = ["--played"] if name == "nomic-iv" else []
        done = CliRunner().invoke(main, ["init", str(root), "--ruleset", name, *played, "--commit"])
        assert done.exit_code == 0, done.output
    game_history = game_history_of(load(root))
    source = pages(game_history, today=Moment.parse("2030-01-01"))["cards.md"].split("---\n", 2)[2]
    # The frame of one site is that of all.
    page.goto(f"{serve(harbour.site)}cards/")
    page.evaluate("html => { document.querySelector('.nomic').outerHTML = html; }", source)
    assert page.locator(".n-card").count() == source.count("<article") > 0
    assert page.evaluate(OUTSIDE) == []
    show_in(page, face)
    for media in ("screen", "print"):
        page.emulate_media(media="print" if media == "print" else "screen")
        assert page.evaluate(OUTSIDE) == [], media
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": 360, "height": 800})
    assert page.evaluate(OUTSIDE) == []
