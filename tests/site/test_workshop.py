"""The workshop: what it says of a draft is what the program says at a shell; its form makes files
that are lawful.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml
from click.testing import CliRunner
from playwright.sync_api import Page, Route, expect

from nomicgen.cli.program import main
from nomicgen.files.documents import read_instrument
from nomicgen.files.instruction_text import amend
from nomicgen.site.workshop.judge import judge_draft, open_game, suppose_adopted
from tests.deep import sampled
from tests.pulls.mending.test_mended import DRAFTS
from tests.site.conftest import FRONT, Workshop, Writer, pulled

pytestmark = pytest.mark.deep

PULLS = Path(__file__).parents[1] / "pulls"
OWN_WORDS = yaml.safe_load((PULLS / "mending" / "own_words.yml").read_text("utf-8"))
_BROUGHT = r"(?s)\n==> head/proposals/[^\n]*\.md <==\n(.*?)(?=\n==> |\n=====|\Z)"


def texts() -> Sequence[str]:
    """Every draft below `tests/pulls/` that is a text: whoever wrote it meant something, and often
    got it wrong.
    """
    written = (one["text"] for one in (*DRAFTS, *OWN_WORDS) if "encoding" not in one)
    cases = (
        file.read_text("utf-8")
        for name in ("cases", "comments")
        for file in sorted((PULLS / name).glob("*.txt"))
    )
    return list(
        dict.fromkeys((*written, *(text for case in cases for text in re.findall(_BROUGHT, case))))
    )


def files_of(site: Path) -> str:
    """What the browser gives to the judge."""
    return json.dumps(json.loads((site / "assets/workshop/game.json").read_bytes())["files"])


@pytest.mark.nightly
@pytest.mark.parametrize("at", sampled(range(len(texts())), every=36))
def test_a_draft_is_judged_as_at_a_shell_and_without_git(
    tea: Workshop, tmp_path: Path, at: int
) -> None:
    text = texts()[at]
    game = Path(shutil.copytree(tea.game, tmp_path / "game", ignore=shutil.ignore_patterns(".git")))
    draft = tmp_path / "a-draft.md"
    draft.write_text(text, "utf-8", newline="")
    typed = CliRunner().invoke(
        main, ["-C", str(game), "proposal", "preview", str(draft), "--format", "json"]
    )
    said = json.loads(judge_draft(open_game(files_of(tea.site)), text, str(draft)))
    if "refused" in said:
        assert said["refused"]["message"] in typed.output
    else:
        assert said["preview"] == json.loads(typed.stdout)


@pytest.mark.nightly
@pytest.mark.browser
def test_every_draft_is_judged_in_the_browser_as_here(
    workshop: Workshop, page: Page, serve: Callable[[Path], str]
) -> None:
    page.goto(f"{serve(workshop.site)}propose/")
    page.evaluate(
        """() => { const at = (one) => new URL(one, location).href,
            main = document.getElementById("workshop").dataset;
        globalThis.asked = fetch(main.checker).then((one) => one.json()).then((asked) => {
            const { runtime, library, info, bundle } = asked, base = at(main.checker);
            const [first, second] = [runtime, bundle].map((one) => new URL(one, base).href);
            const [worker, files] = [main.worker, main.files].map(at);
            return nomicChecker({ worker, runtime: first, library, info, bundle: second, files });
        }); }"""
    )
    game = open_game(files_of(workshop.site))
    for text in texts():
        here = json.loads(judge_draft(game, text, "proposals/a-draft.md"))
        there = page.evaluate(
            "async (text) => (await asked).ask('judge_draft', text, 'proposals/a-draft.md')", text
        )
        assert there == here, text


def test_an_amendment_begins_with_the_provisions_in_force(tea: Workshop) -> None:
    rules = json.loads((tea.site / "assets/workshop/draft.json").read_bytes())["rules"]
    in_force = list(tea.loaded().replay.current)
    assert [one["ref"] for one in rules] == [str(rule.ref) for rule in in_force]
    for one, rule in zip(rules, in_force, strict=True):
        assert one["text"] == rule.text
        draft = amend(rule.ref, rule.text, provisions=one["provisions"] or None)
        instrument, wrong = read_instrument("proposals/tea.md", f"{FRONT}{draft}\n".encode())
        assert instrument is not None, wrong
        (instruction,) = instrument.instructions
        assert (instruction.block.provisions if instruction.block else None) == rule.provisions


def test_a_preview_that_is_refused_says_why(tea: Workshop) -> None:
    said = json.loads(
        judge_draft(tea.loaded(), "---\ntitle: T\nauthor: osprey\nstatus: adopted\n---\n", "x.md")
    )
    assert said["refused"]["message"] == "x.md is adopted already"


def test_a_ruleset_is_supposed_in_an_order(tea: Workshop) -> None:
    game = tea.loaded()
    new = {"text": f"{FRONT}## Enact Rule: Tea\n\nThere is tea.\n"}
    gone = {"text": f"{FRONT}## Repeal Rule 209/0\n"}
    stuck = {"text": f"{FRONT}## Repeal Rule 101/0\n"}
    said = json.loads(suppose_adopted(game, json.dumps([new, stuck, gone, gone])))
    assert said["failed"] == [1, 3]
    assert [one["ref"] for one in said["gone"]] == ["209/0"]
    (fresh,) = [one for one in said["rules"] if one["was"] is None]
    assert (fresh["ref"], fresh["title"], fresh["text"]) == ("301/0", "Tea", "There is tea.")
    rest = [one for one in said["rules"] if one["was"] is not None]
    assert all(
        one["was"] == {key: one[key] for key in ("ref", "tier", "text", "title")} for one in rest
    )
    assert len(rest) == len(list(game.replay.current)) - 1


# --- the form


@pytest.mark.browser
def test_wishes_become_files_that_are_green(
    tea: Workshop, workshop: Workshop, page: Page, serve: Callable[[Path], str]
) -> None:
    address = serve(workshop.site)
    asked_for: list[str] = []
    page.on("request", lambda request: asked_for.append(request.url))
    # Voting is to need two thirds.
    writer = Writer(page, address, "?rule=203")
    text = writer.change().locator('[name="text"]')
    text.fill("A rule-change is adopted if two thirds of the eligible voters vote for it.")
    page.get_by_label("You are").select_option("osprey")
    assert "Lawful, but the program would go on as before" in writer.heard()
    assert "need the votes of all eligible voters" in (
        writer.change().locator(".n-ws-asks").text_content() or ""
    )
    page.get_by_role("button", name="Change what the program does").click()
    writer.change().get_by_label("(needs)").first.select_option('"two-thirds"')
    page.get_by_label("Title", exact=True).fill("Two thirds")
    page.get_by_role("button", name="I mean it word for word").click()
    assert "This is lawful as the rules stand" in writer.heard()
    assert writer.path() == "proposals/two-thirds.md"
    wrong, (amended,) = pulled(tea, writer)
    assert wrong == []
    assert amended.heading == "Amend Rule 203/0"
    assert amended.block.provisions["adoption"]["needs"] == "two-thirds"
    link = urlsplit(page.get_by_role("link", name="Open github.com").get_attribute("href") or "")
    assert (link.netloc, link.path) == ("github.com", "/us/tea/new/main")
    assert parse_qs(link.query) == {"filename": [writer.path()], "value": [writer.file()]}
    # Whoever is silent is to pay five points.
    page.get_by_role("button", name="Throw this draft away").click()
    writer.change().get_by_label("Do this").select_option("enact")
    writer.change().get_by_label("Its title").fill("The price of silence")
    writer.change().locator('[name="text"]').fill(
        "A player who does not vote before a vote ends loses 5 points."
    )
    page.get_by_label("You are").select_option("osprey")
    assert "This is lawful" in writer.heard()
    wrong, (enacted,) = pulled(tea, writer)
    assert (wrong, enacted.heading) == ([], "Enact Rule: The price of silence")
    # A program is to count the rules: what it reads is chosen, not written.
    page.get_by_role("button", name="Throw this draft away").click()
    writer.change().get_by_label("Do this").select_option("enact")
    writer.change().get_by_label("Its title").fill("A floor")
    writer.change().locator('[name="text"]').fill("There are never fewer than 3 mutable rules.")
    writer.change().locator(".n-ws-block > summary").click()
    writer.change().get_by_label("Let the program do more").select_option("floor")
    writer.change().get_by_label("Set it for the rules that are").select_option("mutable")
    writer.change().get_by_role("spinbutton", name="mutable").fill("3")
    writer.change().get_by_label("Set it for the rules that are").select_option("immutable")
    page.get_by_label("You are").select_option("osprey")
    assert "no fewer than 3 mutable rules" in writer.heard()
    wrong, (floor,) = pulled(tea, writer)
    assert wrong == []
    assert floor.block.provisions == {"floor": {"mutable": "3", "immutable": "1"}}
    # What the rules do not name is written as an instruction.
    page.get_by_role("button", name="Throw this draft away").click()
    writer.change().get_by_label("Do this").select_option("free")
    writer.change().locator('[name="text"]').fill("## Retitle Rule 209: The ceiling")
    page.get_by_label("You are").select_option("osprey")
    assert "one thing to mend" in writer.heard()
    expect(writer.change().locator(".n-ws-asks")).to_contain_text("names no revision of Rule 209")
    page.get_by_role("button", name="Mend it").click()
    assert "This is lawful" in writer.heard()
    # A rule is to go.
    page.get_by_role("button", name="Throw this draft away").click()
    writer.change().get_by_label("Do this").select_option("repeal")
    writer.change().locator('[name="rule"]').select_option("209")
    page.get_by_label("You are").select_option("osprey")
    assert "It repeals Rule 209" in writer.heard()
    wrong, (gone,) = pulled(tea, writer)
    assert (wrong, gone.heading) == ([], "Repeal Rule 209/0")
    # An immutable rule is to lose a sentence: that takes two proposals, and the page says so.
    page.get_by_role("button", name="Throw this draft away").click()
    writer.change().locator('[name="rule"]').select_option("110")
    assert "It is immutable, and a proposal of its own" in (
        writer.change().locator(".n-ws-note").text_content() or ""
    )
    writer.change().locator('[name="text"]').fill("The immutable prevails.")
    page.get_by_label("You are").select_option("osprey")
    # What is kept is listed once, also after one has changed one's mind.
    for _ in range(2):
        page.get_by_role("button", name="Propose that first, and keep this for later").click()
        assert "This is lawful" in writer.heard()
        expect(page.locator(".n-ws-kept")).to_contain_text(
            "not sent; waits, since Rule 110 is immutable"
        )
        assert (page.locator(".n-ws-kept").text_content() or "").count("A change of Rule 110") == 1
        page.get_by_role("button", name="Undo").click()
        assert writer.change().locator('[name="text"]').input_value() == "The immutable prevails."
        assert "A change of Rule 110" not in (page.locator(".n-ws-kept").text_content() or "")
    page.get_by_role("button", name="Propose that first, and keep this for later").click()
    assert "This is lawful" in writer.heard()
    wrong, (transmuted,) = pulled(tea, writer)
    assert (wrong, transmuted.heading) == ([], "Transmute Rule 110/0 to mutable")
    assert {urlsplit(one).netloc for one in asked_for if not one.startswith("blob:")} == {
        urlsplit(address).netloc
    }


@pytest.mark.nightly
@pytest.mark.browser
def test_findings_stand_at_their_line_and_can_be_mended(
    workshop: Workshop, page: Page, serve: Callable[[Path], str]
) -> None:
    writer = Writer(page, serve(workshop.site), "?rule=203")
    page.get_by_label("You are").select_option("osprey")
    writer.change().locator('[name="text"]').fill("Most win.")
    writer.heard()
    asked = writer.change().locator(".n-ws-asks")
    expect(asked).to_contain_text("Rule 203/0 would have 2 words in place of")
    assert "text: whole" not in writer.file()
    page.get_by_role("button", name="I mean it word for word").click()
    assert "text: whole" in writer.file()
    writer.heard()
    expect(asked).not_to_contain_text("words in place of")
    page.get_by_role("button", name="Leave that as it is").click()
    assert "meaning: stands" in writer.file()
    page.locator(".n-ws-file > summary").click()
    raw = page.locator(".n-ws-raw")
    raw.fill(writer.file().replace("## Amend Rule 203/0", "### Amend Rule 203/0"))
    said = writer.heard()
    assert "This cannot be carried out as it stands" in said
    wrong = page.locator(".n-ws-finding--error", has_text="looks like an instruction")
    wrong.locator(".n-ws-line").first.click()
    marked = (
        "() => { const one = document.activeElement; return "
        "one.value.slice(one.selectionStart, one.selectionEnd); }"
    )
    assert page.evaluate(marked) == "### Amend Rule 203/0"
    page.get_by_role("button", name="Mend it").first.click()
    assert "## Amend Rule 203/0" in writer.file().splitlines()
    assert "This is lawful" in writer.heard()
    page.get_by_role("button", name="Back to the form").click()
    assert writer.change().locator('[name="text"]').input_value() == "Most win."
    # Of several things that the program does by a rule, it cannot tell which one is meant.
    page.get_by_role("button", name="Throw this draft away").click()
    writer.change().locator('[name="rule"]').select_option("212")
    text = writer.change().locator('[name="text"]')
    text.fill(f"{text.input_value()}\n\nEverybody listens.")
    assert "as before: what it does by this rule is listed below." in writer.heard()


@pytest.mark.browser
def test_nothing_that_was_written_is_lost_without_a_way_back(
    tea: Workshop, page: Page, serve: Callable[[Path], str]
) -> None:
    writer = Writer(page, serve(tea.site), "?rule=203")
    text = writer.change().locator('[name="text"]')
    undo = page.get_by_role("button", name="Undo")
    page.get_by_label("You are").select_option("osprey")
    text.fill("Most win.")
    # Another way of changing takes the words along; another rule brings its own, and Undo takes it
    # back.
    writer.change().get_by_label("Do this").select_option("enact")
    assert text.input_value() == "Most win."
    undo.click()
    assert "## Amend Rule 203/0" in writer.file()
    writer.change().locator('[name="rule"]').select_option("209")
    assert text.input_value() == next(
        rule.text for rule in tea.loaded().replay.current if rule.number == 209
    )
    undo.click()
    assert (text.input_value(), "## Amend Rule 203/0" in writer.file()) == ("Most win.", True)
    for button in ("Remove this change", "Throw this draft away"):
        page.get_by_role("button", name=button).click()
        assert "Most win." not in writer.file()
        undo.click()
        assert text.input_value() == "Most win."
    # Whoever comes back goes on, and is told so; what was handed over is not gone on with.
    page.reload()
    page.locator("#workshop").wait_for()
    expect(page.locator(".n-ws-resumed")).to_contain_text(
        "You go on with your draft “A change of Rule 203”."
    )
    page.get_by_role("button", name="Begin a new one").click()
    assert "Most win." not in writer.file()
    page.get_by_role("button", name="Go on with it").click()
    assert text.input_value() == "Most win."
    with page.expect_download():
        page.get_by_role("button", name="Download it").click()
    # What is changed afterwards has not been handed over so.
    text.fill("Most of us win.")
    page.reload()
    page.locator("#workshop").wait_for()
    assert text.input_value() == "Most of us win."
    with page.expect_download():
        page.get_by_role("button", name="Download it").click()
    page.reload()
    page.locator("#workshop").wait_for()
    expect(page.locator(".n-ws-kept")).to_contain_text("handed over on")
    assert "Most of us win." not in writer.file()


@pytest.mark.nightly
@pytest.mark.browser
def test_what_is_not_said_yet_is_asked_for(
    workshop: Workshop, page: Page, serve: Callable[[Path], str]
) -> None:
    writer = Writer(page, serve(workshop.site), "?way=enact")
    editor = page.get_by_role("link", name="Open github.com")
    page.get_by_label("You are").select_option("osprey")
    writer.change().locator('[name="text"]').fill(
        "Whoever is away is not asked.\n\n## Repeal Rule 101"
    )
    assert "Give the new rule a title." in writer.heard()
    writer.change().get_by_label("Its title").fill("Away")
    assert "A line of the text begins with “## ”" in writer.heard()
    assert not editor.is_visible()
    writer.change().locator('[name="text"]').fill("Whoever is away is not asked.")
    assert "This is lawful" in writer.heard()
    writer.change().locator(".n-ws-block > summary").click()
    more = writer.change().get_by_label("Let the program do more")
    more.select_option("ballot")
    assert "Fill in ballot, or remove it." in writer.heard()
    # What an immutable rule says otherwise would have no effect: nobody is told that all is well.
    writer.change().get_by_label("(electorate)").select_option('"active"')
    assert "Lawful, but part of it changes nothing: Rule 105 says otherwise" in writer.heard()
    page.get_by_role("button", name="Remove ballot").click()
    more.select_option("points")
    assert "Fill in more of points: what has happened; who gets them." in writer.heard()
    assert not editor.is_visible()
    writer.change().get_by_label("(on)").select_option('"adopted"')
    writer.change().get_by_label("(to)").select_option('"against"')
    assert "Fill in one of these in points: how many; the sides of a die" in writer.heard()
    # What a provision that cannot be read would bring about is no news.
    writer.change().get_by_label("(amount)").fill("three")
    said = writer.heard()
    assert "one thing to mend" in said
    assert "It would do this" not in said
    wrong = writer.change().locator(".n-ws-keys .n-ws-finding")
    expect(wrong).to_contain_text("Not lawful: This should be an exact number")
    expect(wrong).not_to_contain_text("Write it as in")
    writer.change().get_by_label("(amount)").fill("-3")
    assert "each voter against loses 3 points" in writer.heard()
    # A rule that goes is named by its number, and one that comes by its title; one change is one
    # proposal.
    assert page.get_by_role("button", name="Add another change").is_visible() is False
    expect(page.locator(".n-ws-most")).to_contain_text("A proposal holds one change")


@pytest.mark.nightly
@pytest.mark.browser
def test_the_whole_ruleset_is_shown_as_it_would_be(
    workshop: Workshop, page: Page, serve: Callable[[Path], str]
) -> None:
    writer = Writer(page, serve(workshop.site), "?rule=209&way=repeal")
    page.get_by_label("You are").select_option("osprey")
    writer.heard()
    page.get_by_text("Read the whole ruleset as it would be").click()
    count = len(list(workshop.loaded().replay.current)) - 1
    expect(page.locator(".n-ws-rules > p")).to_have_text(
        f"{count} rules, of which 1 is marked as changed."
    )
    expect(page.locator(".n-ws-rules li")).to_have_count(1)
    expect(page.locator(".n-ws-differs h3")).to_contain_text("Rule 209/0")
    assert page.locator(".n-ws-rules article").count() == count + 1


@pytest.mark.nightly
@pytest.mark.browser
def test_another_draft_has_no_number_yet(
    workshop: Workshop, page: Page, serve: Callable[[Path], str]
) -> None:
    writer = Writer(page, serve(workshop.site), "?rule=209")
    writer.change().locator('[name="text"]').fill("There are never more than 30 mutable rules.")
    assert "If the draft no-cap passes first, this becomes stale" in writer.heard()


@pytest.mark.nightly
@pytest.mark.browser
def test_a_rule_that_no_vote_can_move_now_is_judged(
    tea: Workshop, page: Page, serve: Callable[[Path], str]
) -> None:
    def full(route: Route) -> None:
        answer = route.fetch()
        said = answer.json()
        for rule in said["rules"]:
            rule["ways"] = []
        route.fulfill(response=answer, json=said)

    page.route("**/draft.json", full)
    writer = Writer(page, serve(tea.site), "?rule=110&way=transmute")
    assert "No vote can do this" in (writer.change().locator(".n-ws-note").text_content() or "")
    assert "## Transmute Rule 110/0 to mutable" in writer.file()


@pytest.mark.nightly
@pytest.mark.browser
def test_what_no_vote_could_do_afterwards_is_said_at_the_top(
    workshop: Workshop, page: Page, serve: Callable[[Path], str]
) -> None:
    writer = Writer(page, serve(workshop.site))
    page.locator(".n-ws-file > summary").click()
    page.locator(".n-ws-raw").fill(
        f"{FRONT}## Enact Rule: Closed\n\n```yaml rule\nprovisions:\n"
        "  entrenchment: {mutable: [enact, repeal, transmute]}\n```\n\nNobody amends a rule.\n"
    )
    said = writer.heard()
    assert "Lawful, but afterwards no vote could amend a mutable rule." in said
    assert "Afterwards no vote could\nAmend a mutable rule: Rule 301 " in said


@pytest.mark.nightly
@pytest.mark.browser
def test_a_rule_gets_another_title_and_keeps_its_text(
    tea: Workshop, page: Page, serve: Callable[[Path], str]
) -> None:
    writer = Writer(page, serve(tea.site))
    title = next(rule.title for rule in tea.loaded().replay.current if rule.number == 209)
    sent = page.locator(".n-ws-how")
    page.get_by_label("You are").select_option("osprey")
    writer.change().get_by_label("Do this").select_option("retitle")
    writer.change().get_by_label("Its title").fill(title or "")
    writer.change().locator('[name="rule"]').select_option("209")
    expect(sent).to_have_text("Nothing can be sent yet. Give Rule 209 another title.")
    writer.change().get_by_label("Its title").fill("How many rules there may be")
    assert writer.path() == "proposals/another-title-for-rule-209.md"
    wrong, (retitled,) = pulled(tea, writer)
    assert (wrong, retitled.heading) == ([], "Retitle Rule 209/0: How many rules there may be")


@pytest.mark.nightly
@pytest.mark.browser
def test_what_is_mended_in_a_text_stays_in_the_form(
    workshop: Workshop, page: Page, serve: Callable[[Path], str]
) -> None:
    writer = Writer(page, serve(workshop.site), "?way=enact")
    text = writer.change().locator('[name="text"]')
    page.get_by_label("You are").select_option("osprey")
    writer.change().get_by_label("Its title").fill("Tea")
    # In a fence, or indented, it is no heading.
    for harmless in ("Say:\n\n~~~\n## Tea\n~~~", "    ## Tea\n\nSo it is said."):
        text.fill(harmless)
        assert "This is lawful" in writer.heard()
    text.fill("There is tea.\n\n# Milk\n\nThere is milk.")
    writer.heard()
    page.get_by_role("button", name="Mend it").click()
    assert "This is lawful" in writer.heard()
    assert text.input_value() == "There is tea.\n\n### Milk\n\nThere is milk."
    expect(page.locator(".n-ws-edited")).to_be_hidden()
    page.get_by_role("button", name="Undo").click()
    assert text.input_value() == "There is tea.\n\n# Milk\n\nThere is milk."
