"""Pages of the guide, typed: their console blocks are run in a shell, and what they show is
compared.

A page of the guide may hold

    ```console          lines `$ COMMAND`, each with what it prints; `…` stands for any lines
    ```yaml title="F"   (or markdown, text) the content that the reader gives to the file F

Ids of commits differ from run to run, and are compared as `COMMIT`.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt

from tests.served import script
from tests.support import ROOT

GUIDE = ROOT / "docs" / "guide"

_TITLE = re.compile(r'\w+ title="([^"]+)"')
_COMMIT = re.compile(r"\b(?=[0-9a-f]*[0-9])[0-9a-f]{7,40}\b")
_TOKEN = re.compile(
    r"(?<=ballot: )[a-z][0-9a-z]{9}\b|(?<=\d-)[a-hjkmnp-tv-z][0-9a-hjkmnp-tv-z]{9}\b"
)
_ANY = "…"
_MARK = "@@typed@@"


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """A command and what the page shows of its output, with the line of the page where it
    stands.
    """

    line: int
    command: str
    shown: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What the reader writes into a file."""

    path: str
    content: str


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced block of a page: its info string, its content, the line of the page where it
    begins.
    """

    info: str
    content: str
    line: int


def fences(text: str) -> Iterator[Fence]:
    """The fenced blocks of a page, also those in lists and quotations."""
    for token in MarkdownIt("commonmark").parse(text):
        if token.type == "fence" and token.map is not None:
            yield Fence(token.info.strip(), token.content, token.map[0] + 1)


def steps(text: str) -> Iterator[Typed | Written]:
    """What a reader of the page does, in order."""
    for fence in fences(text):
        if fence.info == "console":
            yield from typed(fence)
        elif match := _TITLE.fullmatch(fence.info):
            yield Written(path=match[1], content=fence.content)


def typed(fence: Fence) -> Iterator[Typed]:
    """The commands of a console block."""
    commands: list[tuple[int, list[str], list[str]]] = []
    for number, line in enumerate(fence.content.splitlines(), fence.line + 1):
        if line.startswith("$ "):
            commands.append((number, [line[2:]], []))
            continue
        assert commands, f"line {number}: a console block begins with a command"
        _, command, shown = commands[-1]
        (command if command[-1].endswith("\\") else shown).append(line)
    for number, command, shown in commands:
        yield Typed(line=number, command="\n".join(command), shown="\n".join(shown).strip("\n"))


def play(text: str, folder: Path) -> list[tuple[Typed, str]]:
    """Does what the page says, in one shell that starts in `folder`; gives each command with its
    output.
    """
    commands: list[Typed] = []
    script = []
    for step in steps(text):
        if isinstance(step, Written):
            path = shlex.quote(step.path)
            script.append(
                f"mkdir -p \"$(dirname {path})\" && printf '%s' {shlex.quote(step.content)} > "
                f"{path}"
            )
        else:
            commands.append(step)
            script.append(f"{step.command}\nprintf '%s\\n' {_MARK}")
    _, output = shell("\n".join(script), folder)
    outputs = output.split(f"{_MARK}\n")
    assert len(outputs) == len(commands) + 1, output
    assert outputs[-1] == ""
    return list(zip(commands, outputs[:-1], strict=True))


def shell(script: str, folder: Path) -> tuple[int, str]:
    """Runs a script with `nomicgen` to type, in `folder / "home"`; gives its exit status and what
    it prints.
    """
    _install(folder / "bin")
    home = folder / "home"
    home.mkdir()
    done = subprocess.run(
        ["bash"],
        input=script,
        cwd=home,
        env={
            **os.environ,
            "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "NO_COLOR": "1",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout


def _install(folder: Path) -> None:
    """A `nomicgen` to type: this one, however the tests are run."""
    folder.mkdir()
    command = folder / "nomicgen"
    command.write_text(script("nomicgen"), "utf-8")
    command.chmod(0o755)


def comparable(text: str) -> str:
    """Output with the ids of commits, and the tokens of ballots, made alike."""
    return _TOKEN.sub("TOKEN", _COMMIT.sub("COMMIT", text)).strip("\n")


def agrees(shown: str, output: str) -> bool:
    """Whether a page shows an output: line for line, but for lines that it leaves out with `…`."""
    wanted = [comparable(line) for line in shown.split("\n")]
    pattern = "\n".join(
        r".*(?:\n.*)*?" if line.strip() == _ANY else re.escape(line) for line in wanted
    )
    return re.fullmatch(pattern, comparable(output)) is not None
