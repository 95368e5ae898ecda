"""What people read and type: the commands that stand there are there, and pages that show a shell
print just that.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from markdown_it import MarkdownIt

import nomicgen
from nomicgen.cli.program import main
from tests.deep import sampled
from tests.docs.typed import GUIDE, Fence, Typed, agrees, fences, play, shell, steps, typed
from tests.support import ROOT

READ = (
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *(ROOT / "docs").rglob("*.md"),
    *(Path(nomicgen.__file__).parent / "explain").glob("*.md"),
)
_SHELL = ("console", "sh", "text")


def code_spans(text: str) -> Iterator[str]:
    """The code that stands within lines of text."""
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        for child in token.children or ():
            if child.type == "code_inline":
                yield child.content


def lines(text: str) -> Iterator[str]:
    """What a page shows to be typed: in fenced blocks, and within lines of text."""
    for fence in fences(text):
        if fence.info == "console":
            yield from (step.command for step in typed(fence))
        elif fence.info in _SHELL:
            yield from fence.content.splitlines()
    yield from code_spans(text)


def commands(text: str) -> Iterator[list[str]]:
    """The arguments of every line that types nomicgen."""
    for line in lines(text):
        if re.match(r"nomicgen [a-zA-Z-]", line) and "…" not in line and "[OPTIONS]" not in line:
            # What comes after three spaces says what the line is for.
            typed_ = re.sub(r" {3,}\S.*", "", line.replace("\\\n", " "))
            words = shlex.split(typed_, comments=True)
            ends = [index for index, word in enumerate(words) if word in ("|", ">", "<<", "&&")]
            yield words[1 : ends[0] if ends else None]


def trouble(arguments: list[str]) -> str | None:
    """What click has against a command line, its values apart."""
    command: click.Command = main
    context = click.Context(main, info_name="nomicgen")
    try:
        while isinstance(command, click.Group):
            _, arguments, _ = command.make_parser(context).parse_args(list(arguments))
            if not arguments:
                return None
            _, found, arguments = command.resolve_command(context, arguments)
            assert found is not None
            command = found
            context = click.Context(command, info_name=command.name, parent=context)
        _, rest, _ = command.make_parser(context).parse_args(list(arguments))
    except click.UsageError as error:
        return error.format_message()
    return f"too much: {rest}" if rest else None


def test_there_are_pages_to_look_at() -> None:
    assert len(READ) > 100
    assert sum(len(list(commands(page.read_text("utf-8")))) for page in READ) > 150


@pytest.mark.parametrize("page", READ, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_command_line_can_be_typed(page: Path) -> None:
    wrong = {
        " ".join(arguments): said
        for arguments in commands(page.read_text("utf-8"))
        if (said := trouble(arguments)) is not None
    }
    assert wrong == {}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("status --rules", None),
        ("-C game status", None),
        ("import long FILE --into DIR", None),
        ("status --rule-book", "No such option"),
        ("chek", "No such command 'chek'"),
        ("import lang FILE", "No such command 'lang'"),
        ("show 203 204", "too much"),
    ],
)
def test_a_line_that_cannot_be_typed_is_seen(line: str, said: str | None) -> None:
    found = trouble(line.split())
    assert found is None if said is None else found is not None and said in found


def test_lines_are_found_where_they_stand() -> None:
    table = "| a |\n|---|\n| `nomicgen vote 301 for` |\n"
    text = (
        "Type `nomicgen status` or\n\n```text\nnomicgen show 203   the rule\nnot this\n```\n"
        f"\n{table}"
    )
    assert sorted(commands(text)) == [["show", "203"], ["status"], ["vote", "301", "for"]]
    console = "```console\n$ nomicgen status\nnomicgen vote 301 for\n```\n"
    assert list(commands(console)) == [["status"]]


def makefile() -> set[str]:
    """The tasks of the Makefile that `make help` lists."""
    return set(re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


@pytest.mark.parametrize("page", READ, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_task_is_in_the_makefile(page: Path) -> None:
    named = {
        match[1]
        for line in lines(page.read_text("utf-8"))
        if (match := re.match(r"make ([a-z-]+)", line))
    }
    assert named - makefile() == set()


def test_the_readme_names_its_two_tasks() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    assert {"make site", "make test"} <= {line.partition("  ")[0] for line in lines(text)}


def links(text: str) -> Iterator[str]:
    """The relative addresses that a page leads to or shows."""
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        for child in token.children or ():
            address = str(child.attrs.get("href") or child.attrs.get("src") or "")
            if address and not re.match(r"[a-z]+:|#", address):
                yield address.partition("#")[0]


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_lead_to_files(name: str) -> None:
    found = list(links((ROOT / name).read_text("utf-8")))
    assert [one for one in found if not (ROOT / one).is_file()] == []


PAGES = sorted(
    page.relative_to(GUIDE).as_posix()
    for page in GUIDE.rglob("*.md")
    if any(isinstance(step, Typed) for step in steps(page.read_text("utf-8")))
)
"""Those of the guide that show what is typed, and what is printed."""


@pytest.mark.deep
@pytest.mark.parametrize("name", sampled(PAGES, every=len(PAGES), always=["player/tutorial.md"]))
def test_what_a_page_shows_is_what_a_shell_prints(name: str, tmp_path: Path) -> None:
    done = play((GUIDE / name).read_text("utf-8"), tmp_path)
    assert done
    wrong = [
        f"{name}:{step.line}: $ {step.command}\n--- the page\n{step.shown}\n--- the shell\n{output}"
        for step, output in done
        if not agrees(step.shown, output)
    ]
    assert not wrong, "\n\n".join(wrong)


def test_the_readme_can_be_typed_in_order(tmp_path: Path) -> None:
    blocks = [
        fence.content
        for fence in fences((ROOT / "README.md").read_text("utf-8"))
        if fence.info == "sh"
    ]
    status, output = shell(
        "set -e\n" + "".join(one for one in blocks if "nomicgen " in one), tmp_path
    )
    assert status == 0, output
    assert "\nnothing was written (--dry-run)\n" in output
    assert re.search(
        r"\n  [0-9a-f]{10}  Enacted by Proposal 301 \(wren\), .*\n30 rules in force, .*nothing "
        r"is wrong\n$",
        output,
    )


def test_a_console_block_is_read_as_commands_with_their_output() -> None:
    fence = Fence("console", "$ one \\\n    --two\nthree\n\nfour\n\n$ five\n", 10)
    assert list(typed(fence)) == [
        Typed(line=11, command="one \\\n    --two", shown="three\n\nfour"),
        Typed(line=17, command="five"),
    ]


@pytest.mark.parametrize(
    ("shown", "output", "expected"),
    [
        ("commit 0123456789ab", "commit ba9876543210\n", True),
        ("commit 0123456789ab", "comment ba9876543210\n", False),
        ("one\n…\nfour", "one\ntwo\nthree\nfour\n", True),
        ("one\n…\nfour", "one\nfive\n", False),
        ("one", "one\ntwo\n", False),
        ("", "an error\n", False),
        ("accede to it", "accede to it\n", True),
    ],
)
def test_only_ids_and_left_out_lines_may_differ(shown: str, output: str, expected: bool) -> None:
    assert agrees(shown, output) is expected
