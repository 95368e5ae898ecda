"""`nomicgen proposal preview`: what a reader types and sees; nothing that players wrote passes for
a part of it.
"""

from __future__ import annotations

import functools
import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from nomicgen.cli.program import main
from nomicgen.files.documents import read_instrument
from nomicgen.formats.markdown_escapes import code_span, fenced, plain_words
from nomicgen.formats.styled_text import without_style
from nomicgen.law.checks.run import ruleset_files
from nomicgen.model.values import Moment
from nomicgen.play.load import Game, load_tree
from nomicgen.play.preview.as_json import PREVIEW
from nomicgen.play.preview.as_markdown import preview_markdown
from nomicgen.play.preview.as_text import preview_text
from nomicgen.play.preview.previewing import preview_file
from nomicgen.play.preview.proposal import Preview
from nomicgen.repository.game_tree import read_tree
from tests.case_files import case_folder, case_names
from tests.deep import examples
from tests.explain_pages import BASE
from tests.explain_pages import ON as SHOWN_ON
from tests.support import voted

CASES = Path(__file__).parent / "cases"
FORMS = {"text": "text.txt", "markdown": "markdown.md", "json": "json.json"}
ON = "2026-02-01"


def laid_out(case: Path, folder: Path) -> Path:
    """The game of a case, with digests and `rules/` as the rest gives them; the command is typed
    beside it.
    """
    root = folder / "game"
    shutil.copytree(BASE, root)
    shutil.copytree(case / "game", root, dirs_exist_ok=True) if (case / "game").is_dir() else None
    for file in root.glob("proposals/*.md"):
        data = file.read_bytes()
        instrument, _ = read_instrument(
            f"proposals/{file.name}", data.replace(b"DIGEST", b"0" * 64)
        )
        assert instrument is not None
        file.write_bytes(data.replace(b"DIGEST", voted(instrument).encode()))
    for file in root.glob("rules/*.md"):
        file.unlink()
    game = load_tree(root, read_tree(root), Moment.parse(ON))
    for path, data in ruleset_files(game.replay.current).items():
        (root / path).write_bytes(data)
    shutil.copytree(case / "outside", folder, dirs_exist_ok=True) if (
        case / "outside"
    ).is_dir() else None
    return root


def shown(case: Path, form: str, folder: Path) -> tuple[int, str]:
    """The exit status and the output of a case's command, typed in `folder`."""
    laid_out(case, folder)
    line = (case / "asked.txt").read_text("utf-8").split()[1:]
    feed = (case / "stdin.md").read_bytes() if (case / "stdin.md").is_file() else None
    done = CliRunner().invoke(main, ["-C", "game", *line, "--on", ON, "--format", form], input=feed)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("case", case_names(CASES))
def test_a_preview_says_this(
    case: str, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = case_folder(CASES, case) / FORMS[form]
    monkeypatch.chdir(tmp_path)
    status, output = shown(case_folder(CASES, case), form, tmp_path)
    assert status == int((case_folder(CASES, case) / "asked.txt").read_text("utf-8").split()[0])
    if expected.is_file():
        assert output == expected.read_text("utf-8")


def snapshot(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("form", FORMS)
def test_a_preview_writes_nothing(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shown(case_folder(CASES, "others"), form, tmp_path)
    before = snapshot(tmp_path)
    done = CliRunner().invoke(
        main, ["-C", "game", "proposal", "preview", "303", "--on", ON, "--format", form]
    )
    assert done.exit_code == 0
    assert snapshot(tmp_path) == before


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return laid_out(case_folder(CASES, "others"), tmp_path)


def run(*line: str, feed: bytes | None = None) -> tuple[int, str]:
    done = CliRunner().invoke(
        main, ["-C", "game", "proposal", "preview", *line, "--on", ON], input=feed
    )
    return done.exit_code, done.output


def test_a_proposal_of_the_game_has_many_names(game: Path) -> None:
    told = run("303")
    assert told[0] == 0
    assert run("game/proposals/303.md") == told
    status, output = run("-", feed=(game / "proposals/303.md").read_bytes())
    assert (status, output) == told
    draft = run("quiet")
    assert draft == run("game/proposals/quiet.md")
    assert draft[1].startswith("What the draft proposals/quiet.md, as Proposal 309, would do\n")


def test_errors_of_undecided_proposals_are_not_errors_elsewhere(game: Path) -> None:
    (game / "proposals/stale.md").write_text("---\nauthor: nobody\nstatus: draft\n---\n\nSo.\n")
    (game / "proposals/broken.md").write_text("There is no front matter.\n")
    document = json.loads(run("broken", "--format", "json")[1])
    assert (document["number"], document["errors_elsewhere"]) == (None, 0)


def test_another_version_of_a_proposal_takes_its_place(game: Path) -> None:
    changed = (
        (game / "proposals/303.md")
        .read_text("utf-8")
        .replace("with its oil", "with oil and matches")
    )
    Path("elsewhere.md").write_text(changed, "utf-8")
    status, output = run("elsewhere.md")
    assert status == 0
    assert "{+, with oil and matches+}" in output
    assert "Proposal 303," not in output


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("301", "error: Proposal 301 is adopted already\n"),
        ("777", "error: there is no proposal 777, and no such file\n"),
        ("nobody", "error: there is no proposal nobody, and no such file\n"),
        ("game/rules/201.md", "error: rules/201.md is no proposal\n"),
        ("game/players/wren.yml", "error: players/wren.yml is no proposal\n"),
        ("game/proposals/302.md", "error: Proposal 302 is adopted already\n"),
    ],
)
def test_what_cannot_be_previewed(line: str, said: str, game: Path) -> None:
    status, output = run(line)
    assert status == 2
    assert output.startswith(said)
    assert "\nhelp: " in output


def test_an_author_who_does_not_play_is_told_so(game: Path) -> None:
    """No other form of the file would make a player of them."""
    there = (game / "proposals/quiet.md").read_text("utf-8")
    for author, help_ in (("zora", "correct the name, or add"), ("quil", "did you mean quill?")):
        Path("new.md").write_text(re.sub("author: .*", f"author: {author}", there), "utf-8")
        assert f"there is no players/{author}.yml\n    help: {help_}" in run("new.md")[1]


def test_a_file_cannot_say_that_it_was_decided(game: Path) -> None:
    there = (game / "proposals/303.md").read_text("utf-8")
    for status in ("adopted", "defeated", "withdrawn", "void"):
        Path("new.md").write_text(there.replace("status: debate", f"status: {status}"), "utf-8")
        assert run("new.md")[1].startswith(f"error: new.md is {status} already\n")
    Path("new.md").write_text(there.replace("number: 303", "number: 302"), "utf-8")
    assert run("new.md")[1].startswith("error: Proposal 302 is adopted already\n")


WORDS = (
    *(
        "`",
        "``",
        "```",
        "~~~~",
        "@wren",
        "#123",
        "<b>",
        "</pre>",
        "<!-- x",
        "-->",
        "![x](y)",
        "[x](http://y.example)",
    ),
    *(
        "-",
        "|",
        "\\",
        "*",
        "_",
        "a",
        "{+",
        "+}",
        "[-",
        "-]",
        "\n### Findings\n",
        "\n#### Findings\n",
    ),
    *("\n", "\n\n", "- legal", "    x", " "),
)
NASTY = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map("".join)
HEADINGS = (
    *("In short", "The rules", "What it needs", "Findings", "What it would bring about"),
    *("What the rules in force would say", "References", "Other proposals"),
)


@functools.cache
def base() -> Game:
    return load_tree(BASE, read_tree(BASE), Moment.parse(SHOWN_ON))


def made_of(title: str, text: str) -> Preview:
    """The preview of a proposal with such a title and text; what does not parse is previewed as
    what it is.
    """
    quoted = json.dumps(" ".join(title.split()) or "x", ensure_ascii=False)
    data = (
        f"---\ntitle: {quoted}\nauthor: wren\nstatus: draft\n---\n\nWhy.\n\n"
        f"## Amend Rule 302/1\n\n{text}\n"
    )
    return preview_file(base(), data.encode(), "x.md")


@settings(max_examples=examples(0.6), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(NASTY, NASTY)
def test_what_players_write_cannot_pass_for_a_part_of_the_comment(title: str, text: str) -> None:
    told = made_of(title, text)
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(preview_markdown(told))
    kinds = {token.type for token in tokens} | {
        one.type for token in tokens for one in token.children or ()
    }
    allowed = {
        "heading_open",
        "heading_close",
        "inline",
        "text",
        "code_inline",
        "fence",
        "softbreak",
    }
    lists = {"bullet_list_open", "bullet_list_close", "list_item_open", "list_item_close"}
    assert kinds <= allowed | lists | {"paragraph_open", "paragraph_close"}
    headings = [
        tokens[at + 1].content
        for at, token in enumerate(tokens)
        if token.tag == "h4" and token.nesting == 1
    ]
    assert headings == [one for one in HEADINGS if one in headings]
    plain = "".join(
        one.content for token in tokens for one in token.children or () if one.type == "text"
    )
    assert not re.search(r"[@#]\w|<", plain)
    infos = [token.info for token in tokens if token.type == "fence"]
    assert set(infos) <= {"diff", "text"}
    for token in tokens:
        if token.info == "diff":
            assert all(
                line[:2] in ("", "+", "-", "+ ", "- ", "  ") for line in token.content.split("\n")
            )


@settings(max_examples=examples(0.6), deadline=None)
@given(NASTY)
def test_code_reads_as_what_was_put_into_it(text: str) -> None:
    (paragraph,) = (
        token for token in MarkdownIt().parse(f"x {code_span(text)} y") if token.type == "inline"
    )
    assert paragraph.children is not None
    before, code, after = paragraph.children
    assert (before.content, code.type, after.content) == ("x ", "code_inline", " y")
    assert code.content.strip() == " ".join(text.split())
    (fence,) = MarkdownIt().parse(fenced(text, "text"))
    assert (fence.type, fence.content) == ("fence", f"{text}\n")


@given(
    st.text(alphabet="ab `*_[]<>#@&~|!\\{}", min_size=1).filter(lambda text: text.strip() == text)
)
def test_own_words_are_never_markup(text: str) -> None:
    (inline,) = (
        token
        for token in MarkdownIt("gfm-like").parse(f"x{plain_words(text)}x")
        if token.type == "inline"
    )
    assert {one.type for one in inline.children or ()} <= {"text", "text_special"}
    said = "".join(one.content for one in inline.children or ())
    assert said.replace("\N{WORD JOINER}", "") == f"x{text}x"


@settings(max_examples=examples(0.6), deadline=None)
@given(NASTY, NASTY)
def test_no_line_of_a_rule_passes_for_one_of_the_preview(title: str, text: str) -> None:
    told = made_of(title, text)
    lines = "\n".join(without_style(one) for one in preview_text(told)).split("\n")
    first, *heads = (line for line in lines if line and not line.startswith(" "))
    assert re.fullmatch(r"What (?:the draft )?x\.md(?:, as Proposal 303,)? would do", first)
    assert heads == [one for one in HEADINGS if one in heads]
    deep = [line for line in lines if line.startswith("    ") and not line.startswith("    |")]
    known = ("its text stays the same", "help: ", "- ", "+ ", "refer")
    assert [line for line in deep if not any(one in line for one in known)] == []


def test_a_redline_of_a_text_with_such_brackets_has_longer_ones() -> None:
    told = made_of(
        "x",
        "Whoever holds a {+lamp+} may speak in the square after dusk. [-Who-] holds two lends one.",
    )
    assert (
        "    | Whoever holds a {++{+++}lamp{+++}++} may speak in the square after dusk. "
        "{++[-++}Who{++-]++} holds" in ("\n".join(without_style(one) for one in preview_text(told)))
    )


def test_json_says_what_the_others_say() -> None:
    told = made_of("Tea & <b>", "There is tea.")
    document = PREVIEW.write(told)
    assert list(document) == list(PREVIEW.keys)
    assert json.loads(json.dumps(document)) == document
    assert (document["title"], document["legal"], document["number"]) == ("Tea & <b>", True, 303)
    assert [one["text"] for one in document["rules"][0]["segments"] if one["kind"] == "insert"]
