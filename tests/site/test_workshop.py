"""The workshop: what it says of a draft is what the program says at a shell; its form makes files that are lawful."""

from __future__ import annotations

import json
import re
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml
from click.testing import CliRunner
from playwright.sync_api import Browser, Page, expect

from nomicgen.cli.program import main
from nomicgen.files.documents import read_instrument
from nomicgen.files.file_editing import set_keys
from nomicgen.files.instruction_text import amend
from nomicgen.play.load import Game, load
from nomicgen.play.refusal import Refused
from nomicgen.pulls.as_markdown import comment_markdown
from nomicgen.pulls.examine import supposed_pull
from nomicgen.pulls.report import preview_in, report_on
from nomicgen.site.workshop.judge import judged, opened, supposed
from nomicgen.site.workshop.runtime import CHECKER, place
from tests.cli.playing import begun
from tests.deep import sampled
from tests.pulls.mending.test_mended import DRAFTS, LOGIN
from tests.site.conftest import CONFIG
from tests.site.test_policy import META
from tests.support import REQUIRE_BROWSER, GitRepo, mkdocs_build

PULLS = Path(__file__).parents[1] / "pulls"
OWN_WORDS = yaml.safe_load((PULLS / "mending" / "own_words.yml").read_text("utf-8"))
_BROUGHT = r"(?s)\n==> head/proposals/[^\n]*\.md <==\n(.*?)(?=\n==> |\n=====|\Z)"
FRONT = "---\ntitle: T\nauthor: osprey\nstatus: draft\n---\n\n"
VERDICT = ".n-ws-headline"


def texts() -> Sequence[str]:
    """Every draft below `tests/pulls/` that is a text: whoever wrote it meant something, and often got it wrong."""
    written = (one["text"] for one in (*DRAFTS, *OWN_WORDS) if "encoding" not in one)
    cases = (file.read_text("utf-8") for name in ("cases", "comments") for file in sorted((PULLS / name).glob("*.txt")))
    return list(dict.fromkeys((*written, *(text for case in cases for text in re.findall(_BROUGHT, case)))))


@dataclass(frozen=True, slots=True)
class Workshop:
    """A game by Suber's set, at osprey's second turn, and its site, with the checker if it could be fetched."""

    game: Path
    site: Path
    why: str

    def loaded(self) -> Game:
        return load(self.game)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """The game and its site."""
    folder = tmp_path_factory.mktemp("workshop")
    repo = begun(GitRepo(folder / "game"))
    for name in ("osprey", "quill"):
        path = f"players/{name}.yml"
        repo.write({path: (repo.path / path).read_text("utf-8") + f"accounts: {{github: {name}-plays}}\n"})
    settings = set_keys((repo.path / "nomic.yml").read_bytes(), {"repository": "https://github.com/us/tea"})
    repo.write(
        {
            "nomic.yml": settings,
            "mkdocs.yml": CONFIG,
            "docs/.keep": "",
            "proposals/no-cap.md": f"{FRONT}## Repeal Rule 209/0\n",
        }
    )
    repo.commit("Publish Tea")
    done = mkdocs_build(repo.path, folder / "site", "--strict")
    assert done.returncode == 0, done.stderr
    try:
        place(folder / "site")
    except Refused as error:
        return Workshop(repo.path, folder / "site", f"{error.message}: {error.remedy}")
    return Workshop(repo.path, folder / "site", "")


@pytest.fixture
def workshop(made: Workshop) -> Workshop:
    """The site with the checker."""
    if made.why:
        if REQUIRE_BROWSER:
            pytest.fail(made.why)
        pytest.skip(made.why)
    return made


def files_of(site: Path) -> str:
    """What the browser gives to the judge."""
    return json.dumps(json.loads((site / "assets/workshop/game.json").read_bytes())["files"])


@pytest.mark.parametrize("at", sampled(range(len(texts())), every=12))
def test_a_draft_is_judged_as_at_a_shell_and_without_git(made: Workshop, tmp_path: Path, at: int) -> None:
    text = texts()[at]
    game = Path(shutil.copytree(made.game, tmp_path / "game", ignore=shutil.ignore_patterns(".git")))
    draft = tmp_path / "a-draft.md"
    draft.write_text(text, "utf-8", newline="")
    typed = CliRunner().invoke(main, ["-C", str(game), "proposal", "preview", str(draft), "--format", "json"])
    said = json.loads(judged(opened(files_of(made.site)), text, str(draft)))
    if "refused" in said:
        assert said["refused"]["message"] in typed.output
    else:
        assert said["preview"] == json.loads(typed.stdout)


@pytest.mark.browser
def test_every_draft_is_judged_in_the_browser_as_here(
    workshop: Workshop, page: Page, serve: Callable[[Path], str]
) -> None:
    page.goto(f"{serve(workshop.site)}propose/")
    page.evaluate(
        """() => { const at = (one) => new URL(one, location).href, main = document.getElementById("workshop").dataset;
        globalThis.asked = fetch(main.checker).then((one) => one.json()).then(({ runtime, library, info, bundle }) => {
            const [first, second] = [runtime, bundle].map((one) => new URL(one, at(main.checker)).href);
            const [worker, files] = [main.worker, main.files].map(at);
            return nomicChecker({ worker, runtime: first, library, info, bundle: second, files });
        }); }"""
    )
    game = opened(files_of(workshop.site))
    for text in texts():
        here = json.loads(judged(game, text, "proposals/a-draft.md"))
        there = page.evaluate("async (text) => (await asked).ask('judged', text, 'proposals/a-draft.md')", text)
        assert there == here, text


def test_an_amendment_begins_with_the_provisions_in_force(made: Workshop) -> None:
    rules = json.loads((made.site / "assets/workshop/draft.json").read_bytes())["rules"]
    in_force = list(made.loaded().replay.current)
    assert [one["ref"] for one in rules] == [str(rule.ref) for rule in in_force]
    for one, rule in zip(rules, in_force, strict=True):
        assert one["text"] == rule.text
        draft = amend(rule.ref, rule.text, provisions=one["provisions"] or None)
        instrument, wrong = read_instrument("proposals/tea.md", f"{FRONT}{draft}\n".encode())
        assert instrument is not None, wrong
        (instruction,) = instrument.instructions
        assert (instruction.block.provisions if instruction.block else None) == rule.provisions


def test_a_preview_that_is_refused_says_why(made: Workshop) -> None:
    said = json.loads(judged(made.loaded(), "---\ntitle: T\nauthor: osprey\nstatus: adopted\n---\n", "x.md"))
    assert said["refused"]["message"] == "x.md is adopted already"


def test_a_ruleset_is_supposed_in_an_order(made: Workshop) -> None:
    game = made.loaded()
    new = {"text": f"{FRONT}## Enact Rule: Tea\n\nThere is tea.\n"}
    gone = {"text": f"{FRONT}## Repeal Rule 209/0\n"}
    stuck = {"text": f"{FRONT}## Repeal Rule 101/0\n"}
    said = json.loads(supposed(game, json.dumps([new, stuck, gone, gone])))
    assert said["failed"] == [1, 3]
    assert [one["ref"] for one in said["gone"]] == ["209/0"]
    (fresh,) = [one for one in said["rules"] if one["was"] is None]
    assert (fresh["ref"], fresh["title"], fresh["text"]) == ("301/0", "Tea", "There is tea.")
    rest = [one for one in said["rules"] if one["was"] is not None]
    assert all(one["was"] == {key: one[key] for key in ("ref", "tier", "text", "title")} for one in rest)
    assert len(rest) == len(list(game.replay.current)) - 1


# --- the form


class Writer:
    """A player at the workshop's page."""

    def __init__(self, page: Page, address: str, anchor: str = "") -> None:
        self.page = page
        page.goto(f"{address}propose/{anchor}")
        page.locator("#workshop").wait_for()

    def change(self, at: int = 0) -> Any:
        return self.page.locator(".n-ws-change").nth(at)

    def heard(self) -> str:
        """What the page says at last, after all that was typed."""
        wait = """() => { const said = document.querySelector(".n-ws-headline");
            return said && !/^(?:Loading|As soon)/.test(said.textContent); }"""
        self.page.wait_for_function(wait, timeout=60_000)
        self.page.wait_for_timeout(900)
        return self.page.locator(".n-ws-verdict").inner_text()

    def file(self) -> str:
        return self.page.locator(".n-ws-raw").input_value()

    def path(self) -> str:
        return self.page.locator(".n-ws-path").text_content() or ""


def pulled(made: Workshop, writer: Writer) -> tuple[list[str], Any]:
    """The errors of a pull request with the file of the page, and its instructions."""
    path = writer.path()
    pull = supposed_pull(made.loaded(), {path: writer.file().encode()}, LOGIN)
    preview = preview_in(pull)
    errors = [one.message for one in (*pull.verdict.findings, *(preview.findings if preview else ())) if one.is_error]
    assert report_on(pull, None, None).mended is None or errors
    return errors, pull.laid.records.instruments[path].instructions


@pytest.mark.browser
def test_wishes_become_files_that_are_green(workshop: Workshop, page: Page, serve: Callable[[Path], str]) -> None:
    address = serve(workshop.site)
    asked_for: list[str] = []
    page.on("request", lambda request: asked_for.append(request.url))
    # Voting is to need two thirds.
    writer = Writer(page, address, "?rule=203")
    text = writer.change().locator('[name="text"]')
    text.fill("A rule-change is adopted if two thirds of the eligible voters vote for it.")
    writer.change().get_by_label("needs").first.select_option('"two-thirds"')
    page.get_by_label("You are").select_option("osprey")
    page.get_by_label("Title", exact=True).fill("Two thirds")
    assert "This is lawful as the rules stand" in writer.heard()
    assert writer.path() == "proposals/two-thirds.md"
    wrong, (amended,) = pulled(workshop, writer)
    assert wrong == []
    assert amended.heading == "Amend Rule 203/0"
    assert amended.block.provisions["adoption"]["needs"] == "two-thirds"
    link = urlsplit(page.get_by_role("link", name="Open the forge’s editor").get_attribute("href") or "")
    assert (link.netloc, link.path) == ("github.com", "/us/tea/new/main")
    assert parse_qs(link.query) == {"filename": [writer.path()], "value": [writer.file()]}
    # Whoever is silent is to pay five points.
    page.get_by_role("button", name="Throw this draft away").click()
    writer.change().get_by_label("Do this").select_option("enact")
    writer.change().get_by_label("Its title").fill("The price of silence")
    writer.change().locator('[name="text"]').fill("A player who does not vote before a vote ends loses 5 points.")
    page.get_by_label("You are").select_option("osprey")
    assert "This is lawful" in writer.heard()
    wrong, (enacted,) = pulled(workshop, writer)
    assert (wrong, enacted.heading) == ([], "Enact Rule: The price of silence")
    # A rule is to go.
    page.get_by_role("button", name="Throw this draft away").click()
    writer.change().get_by_label("Do this").select_option("repeal")
    writer.change().locator('[name="rule"]').select_option("209")
    page.get_by_label("You are").select_option("osprey")
    assert "It repeals Rule 209" in writer.heard()
    wrong, (gone,) = pulled(workshop, writer)
    assert (wrong, gone.heading) == ([], "Repeal Rule 209/0")
    # An immutable rule is to lose a sentence: that takes two proposals, and the page says so.
    page.get_by_role("button", name="Throw this draft away").click()
    writer.change().locator('[name="rule"]').select_option("110")
    assert "its mutability must be changed first" in (writer.change().locator(".n-ws-note").text_content() or "")
    writer.change().get_by_label("Do this").select_option("transmute")
    page.get_by_label("You are").select_option("osprey")
    assert "This is lawful" in writer.heard()
    wrong, (transmuted,) = pulled(workshop, writer)
    assert (wrong, transmuted.heading) == ([], "Transmute Rule 110/0 to mutable")
    assert {urlsplit(one).netloc for one in asked_for if not one.startswith("blob:")} == {urlsplit(address).netloc}


@pytest.mark.browser
def test_findings_stand_at_their_line_and_can_be_mended(
    workshop: Workshop, page: Page, serve: Callable[[Path], str]
) -> None:
    writer = Writer(page, serve(workshop.site), "?rule=203")
    page.get_by_label("You are").select_option("osprey")
    writer.change().locator('[name="text"]').fill("Most win.")
    assert "Rule 203/0 would have 2 words in place of" in writer.heard()
    assert "text: whole" not in writer.file()
    page.get_by_role("button", name="I mean it word for word").click()
    assert "text: whole" in writer.file()
    assert "words in place of" not in writer.heard()
    page.locator(".n-ws-file > summary").click()
    raw = page.locator(".n-ws-raw")
    raw.fill(writer.file().replace("## Amend Rule 203/0", "### Amend Rule 203/0"))
    said = writer.heard()
    assert "This cannot be carried out as it stands" in said
    wrong = page.locator(".n-ws-finding--error", has_text="looks like an instruction")
    wrong.locator(".n-ws-line").first.click()
    marked = (
        "() => { const one = document.activeElement; return one.value.slice(one.selectionStart, one.selectionEnd); }"
    )
    assert page.evaluate(marked) == "### Amend Rule 203/0"
    page.get_by_role("button", name="Mend it").first.click()
    assert "## Amend Rule 203/0" in writer.file().splitlines()
    assert "This is lawful" in writer.heard()
    page.get_by_role("button", name="Back to the form").click()
    assert writer.change().locator('[name="text"]').input_value() == "Most win."


@pytest.mark.browser
def test_the_whole_ruleset_is_shown_as_it_would_be(
    workshop: Workshop, page: Page, serve: Callable[[Path], str]
) -> None:
    writer = Writer(page, serve(workshop.site), "?rule=209&way=repeal")
    page.get_by_label("You are").select_option("osprey")
    writer.heard()
    page.get_by_text("Read the whole ruleset as it would be").click()
    count = len(list(workshop.loaded().replay.current)) - 1
    expect(page.locator(".n-ws-rules > p")).to_have_text(f"{count} rules, of which 1 is marked as changed.")
    expect(page.locator(".n-ws-differs h3")).to_contain_text("Rule 209/0")
    assert page.locator(".n-ws-rules article").count() == count + 1


@pytest.mark.browser
def test_a_draft_is_kept_for_each_tab_and_is_shared_by_a_link(
    made: Workshop, browser: Browser, serve: Callable[[Path], str]
) -> None:
    context = browser.new_context()
    first, second = (Writer(context.new_page(), serve(made.site), "?rule=203") for _ in range(2))
    for writer, words in ((first, "Three quarters win."), (second, "Everybody wins.")):
        writer.change().locator('[name="text"]').fill(words)
    for writer, words in ((first, "Three quarters win."), (second, "Everybody wins.")):
        writer.page.reload()
        writer.page.locator("#workshop").wait_for()
        assert writer.change().locator('[name="text"]').input_value() == words
        assert words in writer.file()
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    second.page.get_by_role("button", name="Copy a link to this draft").click()
    expect(second.page.locator(".n-ws-done")).to_contain_text("Copied")
    link = second.page.evaluate("() => navigator.clipboard.readText()")
    third = Writer(context.new_page(), link.partition("propose/")[0], link.partition("propose/")[2])
    assert third.file() == second.file()
    fourth = Writer(context.new_page(), serve(made.site))
    assert fourth.page.get_by_role("button", name="Go on with it").count() == 2
    fourth.page.get_by_role("button", name="Go on with it").first.click()
    assert "Everybody wins." in fourth.file()
    context.close()


@pytest.mark.browser
def test_the_comment_on_a_red_draft_opens_it_in_the_workshop(
    made: Workshop, page: Page, serve: Callable[[Path], str], tmp_path: Path
) -> None:
    game = Path(shutil.copytree(made.game, tmp_path / "game"))
    (game / "mkdocs.yml").write_text("site_name: Tea\nsite_url: https://tea.example/club/\n", "utf-8")
    draft = f"{FRONT}Please — let us have “tea”.\n\n## Amend Rule 999/0\n\nThere is tea.\n"
    pull = supposed_pull(load(game), {"proposals/tea.md": draft.encode()}, LOGIN)
    told = report_on(pull)
    said = comment_markdown(pull.verdict, told.preview, told.standing, mended=told.mended, workshop=told.workshop)
    link = re.search(
        r"\[Open this draft on the game’s site\]\(<(https://tea\.example/club/propose/#draft=[\w-]+)>\)", said
    )
    assert link is not None
    writer = Writer(page, serve(made.site), f"#{link[1].partition('#')[2]}")
    assert writer.file() == draft
    green = supposed_pull(load(game), {"proposals/tea.md": draft.replace("999", "203").encode()}, LOGIN)
    assert report_on(green).workshop is None
    (game / "mkdocs.yml").write_text("site_name: [\n", "utf-8")
    assert report_on(pull).workshop is None


@pytest.mark.browser
def test_a_proposal_leads_to_the_ruleset_as_it_would_be(
    workshop: Workshop, page: Page, serve: Callable[[Path], str]
) -> None:
    address = serve(workshop.site)
    page.goto(f"{address}proposals/draft-no-cap/")
    page.get_by_role("link", name="The ruleset if this passes").click()
    expect(page.locator(".n-ws-rules > p")).to_contain_text("of which 1 is marked as changed", timeout=60_000)
    expect(page.locator(".n-ws-differs h3")).to_contain_text("Rule 209/0")
    page.evaluate("localStorage.clear(); sessionStorage.clear()")


@pytest.mark.browser
def test_a_draft_against_an_older_text_is_shown_as_such(
    made: Workshop, page: Page, serve: Callable[[Path], str]
) -> None:
    writer = Writer(page, serve(made.site), "?rule=203")
    writer.change().locator('[name="text"]').fill("Most of us win.")
    older = """() => { for (const [key, all] of Object.entries(localStorage)) if (key.startsWith("nomic-drafts:")) {
        const drafts = JSON.parse(all);
        for (const one of Object.values(drafts)) [one.base, one.state.changes[0].ref] = ["other", "203/7"];
        localStorage.setItem(key, JSON.stringify(drafts)); } }"""
    page.evaluate(older)
    page.goto("about:blank")
    writer = Writer(page, serve(made.site))
    assert "written against Rule 203/7. It is Rule 203/0 now" in (
        writer.change().locator(".n-ws-note").text_content() or ""
    )
    assert "## Amend Rule 203/7" in writer.file()
    page.evaluate("localStorage.clear(); sessionStorage.clear()")


@pytest.fixture
def bare(made: Workshop, tmp_path: Path) -> Path:
    """The site as it was published without the checker."""
    site = Path(shutil.copytree(made.site, tmp_path / "site"))
    (site / CHECKER).write_text("{}\n", "utf-8")
    return site


@pytest.mark.browser
def test_without_the_checker_the_file_is_right_all_the_same(
    made: Workshop, bare: Path, page: Page, serve: Callable[[Path], str]
) -> None:
    writer = Writer(page, serve(bare), "?rule=203")
    expect(page.locator(VERDICT)).to_contain_text("This site was published without the checker.")
    text = writer.change().locator('[name="text"]')
    text.fill(f"{text.input_value()}\n\nNobody else has a say.")
    page.get_by_label("You are").select_option("osprey")
    wrong, (instruction,) = pulled(made, writer)
    assert (wrong, instruction.heading) == ([], "Amend Rule 203/0")


@pytest.mark.browser
def test_what_takes_too_long_is_ended(page: Page, made: Workshop, bare: Path, serve: Callable[[Path], str]) -> None:
    script = 'self.onmessage = ({ data: { id, call } }) => { while (call !== "start"); self.postMessage({ id }); };'
    (bare / "slow.js").write_text(script, "utf-8")
    Writer(page, serve(bare))
    said = """async () => { try { await nomicChecker({ worker: "../slow.js", seconds: 0.3 }).ask("judged", "", ""); }
        catch (error) { return error.message; } }"""
    assert page.evaluate(said) == "this took more than 0.3 seconds, and was stopped"


# --- what it may do


class Ear(ThreadingHTTPServer):
    """A server of another host, which hears whether anything is sent to it."""

    heard: list[str]


class _Hears(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, Ear)
        self.server.heard.append(self.path)
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *arguments: object) -> None:
        return


@pytest.fixture
def ear() -> Iterator[Ear]:
    """Such a server."""
    server = Ear(("127.0.0.1", 0), _Hears)
    server.heard = []
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.mark.browser
def test_nothing_leaks_from_inside_the_worker(
    made: Workshop, browser: Browser, serve: Callable[[Path], str], ear: Ear
) -> None:
    context = browser.new_context()
    page = context.new_page()
    Writer(page, serve(made.site))
    tried: Mapping[str, str] = page.evaluate(
        """(other) => new Promise((done) => {
            const code = `const tries = { fetch: () => fetch("${other}a"), module: () => import("${other}b"),
                eval: async () => new Function("return 1")(),
                wasm: () => WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])) };
                const said = {};
                for (const [name, one] of Object.entries(tries)) {
                    try { await one(); said[name] = "done"; } catch { said[name] = "stopped"; }
                }
                self.postMessage(said);`;
            const address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
            const worker = new Worker(address, { type: "module" });
            worker.onmessage = ({ data }) => done(data);
        })""",
        f"http://127.0.0.1:{ear.server_port}/",
    )
    assert tried == {"fetch": "stopped", "module": "stopped", "eval": "stopped", "wasm": "done"}
    assert ear.heard == []
    context.close()


def test_only_this_page_may_run_webassembly(made: Workshop) -> None:
    for path in made.site.rglob("*.html"):
        (policy,) = META.findall(path.read_text("utf-8"))
        own = path.parent.name == "propose"
        assert ("&#39;wasm-unsafe-eval&#39;" in policy or "'wasm-unsafe-eval'" in policy) is own, path
        assert "unsafe-eval'" not in policy.replace("wasm-unsafe-eval", ""), path
        assert ("worker-src blob:" in policy) is own, path


@pytest.mark.browser
@pytest.mark.parametrize(("scheme", "width"), [("default", 1280), ("slate", 360)])
def test_the_page_is_accessible_and_fits(
    made: Workshop,
    page: Page,
    serve: Callable[[Path], str],
    axe: Callable[[Page], list[str]],
    scheme: str,
    width: int,
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    writer = Writer(page, serve(made.site), "?rule=203")
    page.evaluate("one => document.body.setAttribute('data-md-color-scheme', one)", scheme)
    writer.change().locator('[name="text"]').fill("Most win.")
    page.locator(".n-ws-file > summary").click()
    if not made.why:
        writer.heard()
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.evaluate("localStorage.clear(); sessionStorage.clear()")


@pytest.mark.browser
def test_the_keyboard_alone_suffices(made: Workshop, page: Page, serve: Callable[[Path], str]) -> None:
    writer = Writer(page, serve(made.site))
    writer.change().get_by_label("Do this").focus()
    for keys in ("Repeal", "Tab", "209", "Tab", "Tab", "Tab", "osprey", "Tab", "No more cap"):
        if keys == "Tab":
            page.keyboard.press(keys)
        else:
            page.keyboard.type(keys)
    assert "## Repeal Rule 209/0" in writer.file()
    assert "author: osprey\n" in writer.file()
    assert writer.path() == "proposals/no-more-cap.md"
    page.evaluate("localStorage.clear(); sessionStorage.clear()")
