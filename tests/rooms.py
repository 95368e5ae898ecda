"""How many lines of code each room has: `python -m tests.rooms`, or `make rooms`.

Lines of Python are counted without blanks, comments and docstrings, in a copy that is formatted at
120 characters with `skip-magic-trailing-comma`: how somebody breaks lines does not matter. Lines of
scripts, styles, templates and workflows are counted without blanks.
"""

from __future__ import annotations

import ast
import io
import shutil
import subprocess
import sys
import tempfile
import tokenize
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from tests.support import ROOT

_LAYOUT = {
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.COMMENT,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}
_OTHER = {".html", ".js", ".css"}
"""Endings of scripts, styles and templates; of the rest count files in `templates/`, and
workflows.
"""


class Size(NamedTuple):
    """Lines of a room: of Python, and of scripts, styles, templates and workflows."""

    python: int
    other: int


def sizes(lines_of: Mapping[Path, int]) -> dict[str, Size]:
    """The size of each room of `nomicgen/`, in alphabetical order; its top is the room `.`."""
    python: Counter[str] = Counter()
    other: Counter[str] = Counter()
    for path, lines in lines_of.items():
        room = path.parts[0] if len(path.parts) > 1 else "."
        (python if path.suffix == ".py" else other)[room] += lines
    return {room: Size(python[room], other[room]) for room in sorted({*python, *other})}


def files() -> dict[Path, int]:
    """How many lines each file of `nomicgen/` has, by its path there."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "nomicgen")
        shutil.copytree(ROOT / "nomicgen", copy, ignore=shutil.ignore_patterns("__pycache__"))
        command = (
            sys.executable,
            "-m",
            "ruff",
            "format",
            "--isolated",
            "--quiet",
            "--line-length",
            "120",
        )
        subprocess.run(
            [*command, "--config", "format.skip-magic-trailing-comma=true", folder], check=True
        )
        for path in sorted(copy.rglob("*")):
            if path.suffix == ".py":
                found[path.relative_to(copy)] = len(set(_lines(path.read_text("utf-8"))))
            elif path.is_file() and _is_counted(path):
                lines = path.read_text("utf-8").splitlines()
                found[path.relative_to(copy)] = sum(1 for line in lines if line.strip())
    return found


def kernel() -> set[Path]:
    """The modules that `nomicgen check` imports in a game that has just begun."""
    with tempfile.TemporaryDirectory() as game:
        begin = ["init", game, "--player", "ada", "--forge", "none", "--commit"]
        said = ""
        for words in (begin, ["-C", game, "check"]):
            command = [sys.executable, "-X", "importtime", "-m", "nomicgen", *words]
            said = subprocess.run(command, capture_output=True, check=True, text=True).stderr
    names = (line.rpartition("|")[2].strip() for line in said.splitlines())
    places = [Path(*name.split(".")[1:]) for name in names if name.startswith("nomicgen")]
    packages = {place / "__init__.py" for place in places}
    return packages | {place.with_suffix(".py") for place in places if place.name}


def budgets() -> dict[str, Size]:
    """What each room may have, as `[tool.nomicgen.rooms]` of `pyproject.toml` says."""
    table: Mapping[str, list[int]] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))[
        "tool"
    ]["nomicgen"]["rooms"]
    return {room: Size(*lines) for room, lines in table.items()}


def _is_counted(path: Path) -> bool:
    return path.suffix in _OTHER or path.parent.name in ("templates", "workflows")


def _lines(source: str) -> Iterator[int]:
    """The number of every line that holds code; some more than once."""
    docstrings = set(_docstring_lines(ast.parse(source)))
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _LAYOUT:
            yield from set(range(token.start[0], token.end[0] + 1)) - docstrings


def _docstring_lines(tree: ast.Module) -> Iterator[int]:
    """The lines of docstrings, and of the strings that describe a constant or a field."""
    bodies = (
        node.body
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
    )
    for statement in (statement for body in bodies for statement in body):
        value = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield from range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)


def main() -> None:
    """Print the table of rooms: lines of each kind, and what its budget is."""
    allowed = budgets()
    print(f"{'room':<14}{'python':>8}{'budget':>8}{'other':>8}{'budget':>8}")
    lines_of = files()
    measured = sizes(lines_of)
    for room, size in measured.items():
        most = allowed.get(room, Size(0, 0))
        print(f"{room:<14}{size.python:>8,}{most.python:>8,}{size.other:>8,}{most.other:>8,}")
    python, other = (sum(column) for column in zip(*measured.values(), strict=True))
    print(f"{'together':<14}{python:>8,}{'':>8}{other:>8,}")
    modules = kernel()
    loaded = [lines for path, lines in lines_of.items() if path in modules]
    print(f"{'kernel':<14}{sum(loaded):>8,}  in {len(loaded)} modules, which `check` imports")


if __name__ == "__main__":
    main()
