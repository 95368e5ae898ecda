"""The rules as cards: cut where a reader would cut them, and never more on one than it holds."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import Page

from nomicgen.cli import main
from nomicgen.files.markdown import parser
from nomicgen.game import archive_of, load
from nomicgen.game.rulesets import NAMES
from nomicgen.model import Moment
from nomicgen.site import pages
from nomicgen.site.cutting import cut
from tests.site.conftest import Built
from tests.support import ROOT

SENTENCE = "The harbour master counts the boats each evening and writes their number on the slate by the door."
CARD = re.compile(r"<article.*?</article>", re.DOTALL)

# Each card by its number: how far its text, or the card, runs out of its frame, in pixels.
OVERFLOW = """() => [...document.querySelectorAll(".n-card")].flatMap(card => {
    const text = card.querySelector(".n-card-text");
    const over = Math.max(
        text.scrollHeight - text.clientHeight, text.scrollWidth - text.clientWidth,
        card.scrollHeight - card.clientHeight, card.scrollWidth - card.clientWidth,
    );
    return over > 0 ? [`${card.querySelector("h3").innerText}: ${over}`] : [];
})"""


def words(text: str) -> list[str]:
    """What is read of a Markdown text, word for word."""
    inline = (token for token in parser().parse(text) if token.type == "inline")
    return " ".join(child.content or " " for token in inline for child in token.children or ()).split()


def test_a_short_text_is_left_as_it_is() -> None:
    assert cut(SENTENCE).parts == (SENTENCE,)
    assert cut(SENTENCE).step == 1


def test_a_longer_text_is_set_smaller_before_it_is_cut() -> None:
    steps = [(made.step, len(made.parts)) for made in (cut(" ".join([SENTENCE] * count)) for count in range(3, 12))]
    assert steps == sorted(steps, key=lambda one: (one[1], one[0]))
    assert {1, 2, 3} == {step for step, count in steps if count == 1}
    assert steps[-1][1] == 2


def test_smaller_type_that_saves_no_card_is_not_used() -> None:
    made = cut("\n\n".join([SENTENCE] * 6))
    assert (made.step, len(made.parts)) == (1, 2)


def test_a_paragraph_is_cut_between_sentences_and_emphasis_stays_whole() -> None:
    strong = f"**{SENTENCE} {SENTENCE}**"
    made = cut(" ".join([SENTENCE] * 6 + [strong] + [SENTENCE] * 6))
    assert len(made.parts) > 1
    assert all(part.rstrip().endswith((".", ".**")) for part in made.parts)
    assert sum(part.count(strong) for part in made.parts) == 1


def test_a_list_keeps_its_numbers() -> None:
    made = cut("\n".join(f"{count}. {SENTENCE}" for count in range(1, 13)))
    firsts = [re.match(r"\d+", part) for part in made.parts]
    assert [found and int(found[0]) for found in firsts] == [
        1 + sum(len(part.splitlines()) for part in made.parts[:index]) for index in range(len(made.parts))
    ]
    assert len(made.parts) > 1


def test_a_table_repeats_its_head() -> None:
    head = "| Boat | Berth |\n| --- | --- |"
    made = cut("\n".join([head, *(f"| boat {count} | {count} |" for count in range(40))]))
    assert len(made.parts) > 2
    assert all(part.startswith(f"{head}\n| boat ") for part in made.parts)
    assert sum(part.count("| boat ") for part in made.parts) == 40


def test_code_is_closed_on_each_card() -> None:
    made = cut("```\n" + "\n".join(f"line {count} ``` of it" for count in range(40)) + "\n```")
    assert len(made.parts) > 1
    for part in made.parts:
        assert [token.type for token in parser().parse(part)] == ["fence"]


def test_a_heading_goes_with_what_it_heads() -> None:
    made = cut("\n\n".join(f"### Of boats {count}\n\n{SENTENCE} {SENTENCE}" for count in range(6)))
    assert len(made.parts) > 1
    assert all(part.startswith("### ") for part in made.parts)


def test_link_definitions_go_along() -> None:
    made = cut("\n\n".join([f"{SENTENCE} [slate]"] * 14) + "\n\n[slate]: https://example.org/slate 'the slate'")
    assert len(made.parts) > 1
    for part in made.parts:
        html = parser().render(part)
        assert html.count('<a href="https://example.org/slate" title="the slate">slate</a>') == html.count("<p>")


BLOCK = st.one_of(
    st.text("abc .;*_`[]()é\\", min_size=1, max_size=700),
    st.integers(1, 12).map(lambda count: " ".join([SENTENCE] * count)),
    st.integers(1, 12).map(lambda count: "\n".join([f"- {SENTENCE}"] * count)),
    st.integers(1, 9).map(lambda count: "\n".join(f"> {SENTENCE}" for _ in range(count))),
    st.integers(1, 9).map(lambda count: f"1. {' '.join([SENTENCE] * count)}\n\n   {SENTENCE}\n   - {SENTENCE}"),
)


@settings(deadline=None, max_examples=60)
@given(st.lists(BLOCK, min_size=1, max_size=5).map("\n\n".join))
def test_no_letter_is_lost(text: str) -> None:
    def letters(part: str) -> str:
        return "".join(letter for letter in " ".join(words(part)) if letter.isalpha())

    assert "".join(letters(part) for part in cut(text).parts) == letters(text)


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


def test_a_sheet_holds_six_cards_of_one_tier(made: Mapping[str, str]) -> None:
    sheets = made["cards.md"].split('<div class="n-sheet"')[1:]
    tiers = [re.findall(r'data-tier="(\w+)"', sheet) for sheet in sheets]
    assert all(len(set(sheet)) == 1 and len(sheet) <= 6 for sheet in tiers)
    assert [sheet[0] for sheet in tiers] == sorted(sheet[0] for sheet in tiers)
    assert {sheet[0] for sheet in tiers} == {"immutable", "mutable"}


@pytest.mark.browser
@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_paper_has_one_sheet_a_page(page: Page, serve: Callable[[Path], str], harbour: Built, paper: str) -> None:
    page.goto(f"{serve(harbour.site)}cards/")
    sheets = page.locator(".n-sheet").count()
    printed = page.pdf(format=paper, prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", printed)) == sheets
    page.emulate_media(media="print")
    assert page.evaluate(OVERFLOW) == []
    assert not page.locator(".md-header").is_visible()
    assert not page.locator("h1").is_visible()
    card = page.locator(".n-card").first.bounding_box()
    assert card is not None
    assert round(card["width"] * 25.4 / 96, 1) == 95
    assert round(card["height"] * 25.4 / 96, 1) == 85


@pytest.mark.browser
def test_cards_can_be_chosen_by_tier(page: Page, serve: Callable[[Path], str], harbour: Built) -> None:
    page.goto(f"{serve(harbour.site)}cards/")
    page.get_by_label("Tier").select_option("immutable")
    tiers = page.locator(".n-card:visible .n-tier").all_inner_texts()
    assert tiers
    assert set(tiers) == {"immutable"}
    page.emulate_media(media="print")
    assert page.locator(".n-card:visible").count() == len(tiers)


@pytest.mark.browser
@pytest.mark.parametrize("name", ["the house", *NAMES])
def test_no_card_holds_more_than_it_can(
    page: Page, serve: Callable[[Path], str], harbour: Built, tmp_path: Path, name: str
) -> None:
    root = ROOT
    if name != "the house":
        root = tmp_path / "game"
        played = ["--played"] if name == "nomic-iv" else []
        done = CliRunner().invoke(main, ["init", str(root), "--ruleset", name, *played, "--commit"])
        assert done.exit_code == 0, done.output
    archive = archive_of(load(root))
    source = pages(archive, today=Moment.parse("2030-01-01"))["cards.md"].split("---\n", 2)[2]
    # The frame of one site is that of all.
    page.goto(f"{serve(harbour.site)}cards/")
    page.evaluate("html => { document.querySelector('.nomic').outerHTML = html; }", source)
    assert page.locator(".n-card").count() == source.count("<article")
    for media in ("screen", "print"):
        page.emulate_media(media="print" if media == "print" else "screen")
        assert page.evaluate(OVERFLOW) == [], media
