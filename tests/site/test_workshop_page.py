"""The workshop's page: what it keeps, where it leads, what it may do, and who can use it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import threading
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from nomicgen.play.load import load
from nomicgen.play.refusal import Refused
from nomicgen.pulls.as_markdown import comment_markdown
from nomicgen.pulls.examine import supposed_pull
from nomicgen.pulls.report import report_on
from nomicgen.site.workshop.runtime import CHECKER, install_checker
from tests.site.conftest import FRONT, LOGIN, Workshop, Writer, pulled
from tests.site.test_policy import META
from tests.support import ROOT

pytestmark = pytest.mark.deep

VERDICT = ".n-ws-said .n-ws-headline"


@pytest.mark.browser
def test_a_draft_is_kept_for_each_tab_and_is_shared_by_a_link(
    tea: Workshop, browser: Browser, serve: Callable[[Path], str]
) -> None:
    context = browser.new_context()
    first, second = (Writer(context.new_page(), serve(tea.site), "?rule=203") for _ in range(2))
    for writer, words in ((first, "Three quarters win."), (second, "Everybody wins.")):
        writer.change().locator('[name="text"]').fill(words)
    for writer, words in ((first, "Three quarters win."), (second, "Everybody wins.")):
        writer.page.reload()
        writer.page.locator("#workshop").wait_for()
        assert writer.change().locator('[name="text"]').input_value() == words
        assert words in writer.file()
    second.page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(); }")
    second.page.get_by_role("button", name="Copy a link to this draft").click()
    shown = second.page.locator(".n-ws-done a")
    shown.wait_for()
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    second.page.evaluate("() => { delete navigator.clipboard.writeText; }")
    refused = shown.get_attribute("href")
    second.page.get_by_role("button", name="Copy a link to this draft").click()
    expect(second.page.locator(".n-ws-done")).to_contain_text("Copied")
    link = second.page.evaluate("() => navigator.clipboard.readText()")
    assert refused == link, "where a page may not copy, it shows the link"
    third = Writer(context.new_page(), link.partition("propose/")[0], link.partition("propose/")[2])
    assert third.file() == second.file()
    # The form is what is shared: nobody has to edit a file to go on with it.
    assert third.change().locator('[name="text"]').input_value() == "Everybody wins."
    expect(third.page.locator(".n-ws-edited")).to_be_hidden()
    fourth = Writer(context.new_page(), serve(tea.site))
    assert fourth.page.get_by_role("button", name="Go on with it").count() == 2
    fourth.page.get_by_role("button", name="Go on with it").first.click()
    assert "Everybody wins." in fourth.file()
    context.close()


def packed(said: object) -> str:
    """A form as a link has it."""
    squeezed = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    data = squeezed.compress(json.dumps(said).encode()) + squeezed.flush()
    return urlsafe_b64encode(data).decode().rstrip("=")


@pytest.mark.browser
@pytest.mark.parametrize(
    ("said", "is_read"),
    [
        ({"changes": [{"way": "enact", "heading": "Tea", "text": "There is tea."}]}, True),
        ({"changes": [{"way": "enact", "text": "x", "provisions": {"cap": [None]}}]}, False),
        ({"changes": {}}, False),
    ],
)
def test_a_form_that_no_form_wrote_is_not_read(
    tea: Workshop, page: Page, serve: Callable[[Path], str], said: object, is_read: bool
) -> None:
    writer = Writer(page, serve(tea.site), f"#form={packed(said)}")
    words = "" if is_read else "The link holds no draft that can be read."
    assert page.locator(".n-ws-done").text_content() == words
    assert ("There is tea." in writer.file()) is is_read


@pytest.mark.browser
def test_of_two_texts_for_one_rule_the_second_says_that_it_stands(
    tea: Workshop, page: Page, serve: Callable[[Path], str]
) -> None:
    changes = [{"way": "amend", "rule": rule, "text": "Tea."} for rule in (209, 203, 209)]
    writer = Writer(page, serve(tea.site), f"#form={packed({'changes': changes})}")
    notes = [writer.change(at).locator(".n-ws-note") for at in range(3)]
    assert [note.is_visible() for note in notes] == [False, False, True]
    expect(notes[2]).to_contain_text("A change above gives Rule 209 another text, too.")


@pytest.mark.nightly
@pytest.mark.browser
def test_the_comment_on_a_red_draft_opens_it_in_the_workshop(
    tea: Workshop, page: Page, serve: Callable[[Path], str], tmp_path: Path
) -> None:
    game = Path(shutil.copytree(tea.game, tmp_path / "game"))
    (game / "mkdocs.yml").write_text(
        "site_name: Tea\nsite_url: https://tea.example/club/\n", "utf-8"
    )
    draft = f"{FRONT}Please — let us have “tea”.\n\n## Amend Rule 999/0\n\nThere is tea.\n"
    pull = supposed_pull(load(game), {"proposals/tea.md": draft.encode()}, LOGIN)
    told = report_on(pull)
    said = comment_markdown(pull.verdict, told)
    link = re.search(
        r"\[Open this draft on the game’s "
        r"site\]\(<(https://tea\.example/club/propose/#draft=[\w-]+)>\)",
        said,
    )
    assert link is not None
    writer = Writer(page, serve(tea.site), f"#{link[1].partition('#')[2]}")
    assert writer.file() == draft
    # Words that name no rule and no way stand in the form as the argument.
    wish = f"{FRONT}I want tea for all.\n"
    pull = supposed_pull(load(game), {"proposals/tea.md": wish.encode()}, LOGIN)
    page.goto("about:blank")
    writer = Writer(page, serve(tea.site), f"#{(report_on(pull).workshop or '').partition('#')[2]}")
    assert page.get_by_label("Why (may be empty)").input_value() == "I want tea for all."
    assert (page.get_by_label("You are").input_value(), writer.change().is_visible()) == (
        "osprey",
        True,
    )
    expect(page.locator(".n-ws-resumed")).to_contain_text("Your words stand below, under “Why”.")
    # So do words with headings of their own; and nothing is copied as long as something is asked
    # for.
    own = "# Tea\n\n## Which rule\n203\n\n## What should change\nTea for all.\n"
    pull = supposed_pull(load(game), {"proposals/tea.md": own.encode()}, LOGIN)
    page.goto("about:blank")
    writer = Writer(page, serve(tea.site), f"#{(report_on(pull).workshop or '').partition('#')[2]}")
    assert page.get_by_label("Why (may be empty)").input_value() == (
        "### Tea\n\n### Which rule\n203\n\n### What should change\nTea for all."
    )
    expect(page.get_by_role("button", name="Copy the file")).to_be_hidden()
    page.get_by_label("Why (may be empty)").fill("## Tea")
    expect(page.locator(".n-ws-how")).to_contain_text("A line under “Why” begins with “## ”")
    # The link from a pull request leads back to it, and one of elsewhere to a new file.
    pull = supposed_pull(load(game), {"proposals/tea.md": draft.encode()}, LOGIN)
    for number, elsewhere in (("12", "else/tea"), ("12/../../evil", "us/tea")):
        there = report_on(pull, f"https://github.com/{elsewhere}/pull/{number}").workshop
        assert "&pull=" not in (there or "&pull=")
    there = report_on(pull, "https://github.com/us/tea/pull/12").workshop or ""
    page.goto("about:blank")
    writer = Writer(page, serve(tea.site), f"#{there.partition('#')[2]}")
    assert writer.path() == "proposals/tea.md"
    expect(page.get_by_role("link", name="Open pull request 12")).to_have_attribute(
        "href", "https://github.com/us/tea/pull/12/files"
    )
    # Anybody may have written the link.
    page.goto("about:blank")
    other = there.partition("#")[2].partition("&")[0] + "&pull=1/../evil&path=../x"
    writer = Writer(page, serve(tea.site), f"#{other}")
    expect(page.locator(".n-actions a[target]")).to_have_attribute(
        "href", re.compile(r"^https://github\.com/us/tea/new/main\?")
    )
    green = supposed_pull(
        load(game), {"proposals/tea.md": draft.replace("999", "203").encode()}, LOGIN
    )
    assert report_on(green).workshop is None
    (game / "mkdocs.yml").write_text("site_name: [\n", "utf-8")
    assert report_on(pull).workshop is None


@pytest.mark.nightly
@pytest.mark.browser
def test_a_proposal_leads_to_the_ruleset_as_it_would_be(
    workshop: Workshop, page: Page, serve: Callable[[Path], str]
) -> None:
    address = serve(workshop.site)
    page.goto(f"{address}proposals/draft-no-cap/")
    page.get_by_role("link", name="The ruleset if this passes").click()
    expect(page.locator(".n-ws-rules > p")).to_contain_text(
        "of which 1 is marked as changed", timeout=60_000
    )
    expect(page.locator(".n-ws-differs h3")).to_contain_text("Rule 209/0")
    page.evaluate("localStorage.clear(); sessionStorage.clear()")


@pytest.mark.browser
def test_a_draft_against_an_older_text_is_shown_as_such(
    tea: Workshop, page: Page, serve: Callable[[Path], str]
) -> None:
    writer = Writer(page, serve(tea.site), "?rule=203")
    writer.change().locator('[name="text"]').fill("Most of us win.")
    older = """() => { for (const [key, all] of Object.entries(localStorage)) {
        if (!key.startsWith("nomic-drafts:")) continue;
        const drafts = JSON.parse(all);
        for (const one of Object.values(drafts)) {
            [one.base, one.state.changes[0].ref] = ["other", "203/7"]; }
        localStorage.setItem(key, JSON.stringify(drafts)); } }"""
    page.evaluate(older)
    page.goto("about:blank")
    writer = Writer(page, serve(tea.site))
    page.get_by_role("button", name="Go on with it").or_(
        page.locator(".n-ws-resumed")
    ).first.wait_for()
    assert "written against Rule 203/7. It is Rule 203/0 now" in (
        writer.change().locator(".n-ws-note").text_content() or ""
    )
    assert "## Amend Rule 203/7" in writer.file()
    page.get_by_role("button", name="Go on with Rule 203/0").click()
    assert "## Amend Rule 203/0" in writer.file()
    assert "Most of us win." in writer.file()
    page.evaluate("localStorage.clear(); sessionStorage.clear()")


@pytest.mark.browser
def test_whoever_has_not_joined_is_told_to_join(
    workshop: Workshop, page: Page, serve: Callable[[Path], str]
) -> None:
    writer = Writer(page, serve(workshop.site), "?rule=209&way=repeal")
    page.get_by_label("You are").select_option("?")
    page.get_by_label("Your id").fill("Eve")
    assert "So far this is lawful. An id has small letters: eve." in writer.heard()
    expect(page.get_by_role("button", name="Copy the file")).to_be_hidden()
    page.get_by_label("Your id").fill("eve")
    expect(page.locator(".n-ws-findings")).to_contain_text("There is no players/eve.yml")
    assert "---" not in writer.heard()
    join = page.locator(".n-ws-findings").get_by_role("link", name="Join first")
    expect(join).to_have_attribute("href", re.compile(r"players%2Feve\.yml"))


@pytest.mark.browser
def test_what_is_wrong_with_a_provision_is_said_below_its_field(
    workshop: Workshop, page: Page, serve: Callable[[Path], str]
) -> None:
    writer = Writer(page, serve(workshop.site), "?rule=209")
    block = writer.change().locator(".n-ws-block")
    block.evaluate("one => { one.open = true; }")
    add = block.get_by_label("Let the program do more")
    assert "at-once" not in (add.text_content() or "")
    add.select_option("points")
    points = block.locator('[data-kind="points"]')
    for key, value in (("on", '"turn"'), ("to", '"player"')):
        points.locator(f'[data-key="{key}"] select').select_option(value)
    points.locator('[data-key="amount"] input').fill("two")
    found = points.locator('[data-key="amount"] .n-ws-finding')
    expect(found).to_contain_text("This should be an exact number", timeout=60_000)
    expect(found).not_to_contain_text("amount: 10")
    expect(found.get_by_role("link", name="The reference of provisions")).to_be_visible()


@pytest.fixture
def bare(tea: Workshop, tmp_path: Path) -> Path:
    """The site as it was published without the checker."""
    site = Path(shutil.copytree(tea.site, tmp_path / "site"))
    (site / CHECKER).write_text("{}\n", "utf-8")
    return site


@pytest.mark.browser
def test_an_emptied_text_gets_no_number(
    tea: Workshop, page: Page, serve: Callable[[Path], str]
) -> None:
    writer = Writer(page, serve(tea.site), "?rule=203")
    page.get_by_label("You are").select_option("osprey")
    writer.change().locator('[name="text"]').fill("")
    expect(page.locator(VERDICT)).to_contain_text("still has the template's words", timeout=20_000)


@pytest.mark.browser
def test_without_the_checker_the_file_is_right_all_the_same(
    tea: Workshop, bare: Path, page: Page, serve: Callable[[Path], str]
) -> None:
    writer = Writer(page, serve(bare), "?rule=203")
    expect(page.locator(VERDICT)).to_contain_text("This site was published without the checker.")
    text = writer.change().locator('[name="text"]')
    text.fill(f"{text.input_value()}\n\nNobody else has a say.")
    # Nobody sends a file whose author is yet to be named.
    expect(page.get_by_role("link", name="Open github.com")).to_be_hidden()
    expect(page.locator(".n-ws-how")).to_have_text("Nothing can be sent yet. Choose who you are.")
    page.get_by_label("You are").select_option("osprey")
    wrong, (instruction,) = pulled(tea, writer)
    assert (wrong, instruction.heading) == ([], "Amend Rule 203/0")
    expect(page.locator(".n-ws-how")).to_contain_text("To ask for the vote, comment /open there.")
    writer.change().locator(".n-ws-block > summary").click()
    assert "`" not in (writer.change().locator(".n-ws-keys").text_content() or "")


@pytest.mark.nightly
@pytest.mark.browser
def test_what_takes_too_long_is_ended(
    page: Page, tea: Workshop, bare: Path, serve: Callable[[Path], str]
) -> None:
    script = (
        'self.onmessage = ({ data: { id, call } }) => { while (call !== "start"); '
        "self.postMessage({ id }); };"
    )
    (bare / "slow.js").write_text(script, "utf-8")
    Writer(page, serve(bare))
    said = """async () => { const checker = nomicChecker({ worker: "../slow.js", seconds: 0.3 });
        try { await checker.ask("judge_draft"); }
        catch (error) { return error.message; } }"""
    assert page.evaluate(said) == "this took more than 0.3 seconds, and was stopped"


@pytest.mark.nightly
def test_without_a_registry_the_site_is_as_it_was(bare: Path, tmp_path: Path) -> None:
    (tmp_path / "programs").mkdir()
    alone = {"PATH": str(tmp_path / "programs"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    line = [sys.executable, "-m", "nomicgen", "plumbing", "workshop", "--into", str(bare)]
    for more, status, word in (([], 2, "error"), (["--optional"], 0, "warning")):
        env = {
            **os.environ,
            **alone,
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": "",
            "PYTHONPATH": str(ROOT),
        }
        done = subprocess.run(
            [*line, *more], env=env, capture_output=True, encoding="utf-8", check=False
        )
        fetching = "fetching and compiling the checker: a minute or two the first time\n"
        assert (done.returncode, done.stdout) == (status, fetching)
        assert done.stderr.startswith(f"{word}: ")
        assert "could not make the checker" in done.stderr
        assert "Traceback" not in done.stderr
    assert (bare / CHECKER).read_text("utf-8") == "{}\n"


def test_a_folder_without_a_site_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="holds no site with a workshop"):
        install_checker(tmp_path)


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
    tea: Workshop, browser: Browser, serve: Callable[[Path], str], ear: Ear
) -> None:
    context = browser.new_context()
    page = context.new_page()
    Writer(page, serve(tea.site))
    tried: Mapping[str, str] = page.evaluate(
        """(other) => new Promise((done) => {
            const code = `const tries = {
                fetch: () => fetch("${other}a"), module: () => import("${other}b"),
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


def test_only_this_page_may_run_webassembly(tea: Workshop) -> None:
    for path in tea.site.rglob("*.html"):
        (policy,) = META.findall(path.read_text("utf-8"))
        own = path.parent.name == "propose"
        assert ("&#39;wasm-unsafe-eval&#39;" in policy or "'wasm-unsafe-eval'" in policy) is own, (
            path
        )
        assert "unsafe-eval'" not in policy.replace("wasm-unsafe-eval", ""), path
        assert ("worker-src blob:" in policy) is own, path


@pytest.mark.browser
@pytest.mark.parametrize(("scheme", "width"), [("default", 1280), ("slate", 360)])
def test_the_page_is_accessible_and_fits(
    tea: Workshop,
    page: Page,
    serve: Callable[[Path], str],
    axe: Callable[[Page], list[str]],
    scheme: str,
    width: int,
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    writer = Writer(page, serve(tea.site), "?rule=203")
    page.evaluate("one => document.body.setAttribute('data-md-color-scheme', one)", scheme)
    writer.change().locator('[name="text"]').fill("Most win.")
    page.locator(".n-ws-file > summary").click()
    if not tea.why:
        writer.heard()
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    # The page's own scrolling reaches what sends the draft, however long the verdict is.
    page.set_viewport_size({"width": width, "height": 500})
    page.evaluate(
        "scrollTo(0, document.querySelector('#ws-send').getBoundingClientRect().top + scrollY - "
        "200)"
    )
    expect(page.get_by_role("heading", name="Send it")).to_be_in_viewport()
    page.evaluate("localStorage.clear(); sessionStorage.clear()")


@pytest.mark.browser
def test_the_keyboard_alone_suffices(
    tea: Workshop, page: Page, serve: Callable[[Path], str]
) -> None:
    writer = Writer(page, serve(tea.site))
    writer.change().get_by_label("Do this").focus()
    for keys in ("Repeal", "Tab", "209", "Tab", "Tab", "osprey", "Tab", "No more cap"):
        if keys == "Tab":
            page.keyboard.press(keys)
        else:
            page.keyboard.type(keys)
    assert "## Repeal Rule 209/0" in writer.file()
    assert "author: osprey\n" in writer.file()
    assert writer.path() == "proposals/no-more-cap.md"
    page.evaluate("localStorage.clear(); sessionStorage.clear()")
