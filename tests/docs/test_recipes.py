"""The recipes of the architecture page: what each asks for is there, or a message names what is
missing.

Kinds of provisions have `tests/law/test_kinds.py`. Findings have `tests/test_explain.py` and
`tests/model/test_findings.py`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path

import click
import pytest

import nomicgen
from nomicgen.cli.program import COMMANDS, HEADINGS, main
from nomicgen.law.checks.run import CHECKS
from tests.reference.schemas import VIEWS
from tests.support import ROOT

CODE = Path(nomicgen.__file__).parent
ARCHITECTURE = (ROOT / "docs" / "guide" / "contributor" / "architecture.md").read_text("utf-8")
_READ = (".py", ".md", ".html", ".js")
KINDS_OF_IMPORTS = sorted(path.parent.name for path in (CODE / "importers").glob("*/importer.py"))


def _modules(folder: str) -> Iterator[str]:
    return (path.stem for path in sorted((CODE / folder).glob("*.py")) if path.stem != "__init__")


def _names(table: Mapping[str, str | Mapping[str, str]]) -> Iterator[str]:
    for place in table.values():
        yield from (place,) if isinstance(place, str) else _names(place)


def test_the_tree_has_a_line_for_each_folder() -> None:
    folders = {path.name for path in CODE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    shown = set(re.findall(r"^[│├└─ ]*([a-z]+)/ ", ARCHITECTURE, re.MULTILINE))
    assert folders - shown == set(), (
        "add a line to the tree of docs/guide/contributor/architecture.md"
    )
    assert [name for name in shown - {"nomicgen"} if not list(CODE.rglob(f"{name}/"))] == []


def test_every_check_is_listed() -> None:
    missing = [
        f"{name}.{function}"
        for name in _modules("law/checks")
        for function, check in vars(import_module(f"nomicgen.law.checks.{name}")).items()
        if function.startswith("check_") and check not in CHECKS
    ]
    assert missing == [], "list them in CHECKS of nomicgen/law/checks/run.py"


def test_every_command_is_listed_and_stands_in_a_group() -> None:
    listed = {name.partition(":")[0] for name in _names(COMMANDS)}
    unlisted = [
        name
        for name in _modules("cli")
        if isinstance(vars(import_module(f"nomicgen.cli.{name}")).get("command"), click.Command)
        and name not in listed
        and not name.startswith("import_")
    ]
    assert unlisted == [], "list them in COMMANDS of nomicgen/cli/program.py"
    grouped = {name for group in HEADINGS.values() for name in group}
    assert set(COMMANDS) - grouped == set(), (
        "put them into a group of HEADINGS, in nomicgen/cli/program.py"
    )


def _commands(context: click.Context) -> Iterator[tuple[str, click.Command]]:
    """All commands by their path, as it is typed."""
    group = context.command
    assert isinstance(group, click.Group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        with click.Context(command, info_name=name, parent=context) as below:
            if isinstance(command, click.Group):
                yield from _commands(below)
            else:
                yield below.command_path, command


def test_the_first_line_of_a_commands_help_fits() -> None:
    commands = _commands(click.Context(main, info_name="nomicgen"))
    long = [
        path
        for path, command in commands
        if not command.hidden and len(command.get_short_help_str(200)) > 58
    ]
    assert long == [], "the first line of their docstrings is at most 58 characters"


def test_every_command_that_prints_json_has_a_schema() -> None:
    described = " ".join(command for command, _ in VIEWS.values())
    missing = [
        path
        for path, command in _commands(click.Context(main, info_name="nomicgen"))
        for option in command.params
        if option.name == "form" and "json" in getattr(option.type, "choices", ())
        if f"`{path} --format json`" not in described
    ]
    assert missing == [], "add its shape to VIEWS of tests/reference/schemas.py"


def test_every_page_is_made() -> None:
    """A module `site/pages/NAME_page.py` has a function that `_pages` calls."""
    tree = ast.parse((CODE / "site" / "build.py").read_text("utf-8"))
    (maker,) = (
        node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "_pages"
    )
    called = {
        node.func.id
        for node in ast.walk(maker)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    made = {
        node.module
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        and called.intersection(alias.name for alias in node.names)
    }
    missing = [
        name
        for name in _modules("site/pages")
        if name.endswith("_page") and f"nomicgen.site.pages.{name}" not in made
    ]
    assert missing == [], "call their functions in `_pages` of nomicgen/site/build.py"


@pytest.mark.parametrize("name", KINDS_OF_IMPORTS)
def test_every_source_of_imports_has_a_command_and_is_read_again_by_verify(name: str) -> None:
    commands = "".join(
        path.read_text("utf-8")
        for folder in ("cli", "importers")
        for path in (CODE / folder).glob("*.py")
    )
    again = (CODE / "importers" / "sources.py").read_text("utf-8")
    assert f"nomicgen.importers.{name}.importer import" in commands, (
        "no command or use case calls it"
    )
    assert f'"{name}"' in again or f"import_{name}(" in again, (
        "`nomicgen verify --source` does not read it again"
    )


def test_the_glossary_is_short_and_kept_to() -> None:
    """Words that it gives up stand nowhere in the guide, the findings' pages, the code or the
    templates.
    """
    glossary = ROOT / "docs" / "guide" / "glossary.md"
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in glossary.read_text("utf-8").splitlines()[6:]
        if line.startswith("|")
    ]
    assert 30 <= len(rows) <= 40
    given_up = [word for row in rows for word in row[2].split(", ") if word]
    assert len(given_up) >= 5
    pattern = re.compile(rf"\b(?:{'|'.join(given_up)})s?\b", re.IGNORECASE)
    places = [
        *(ROOT / "docs").rglob("*.md"),
        *(path for path in CODE.rglob("*.*") if path.suffix in _READ),
    ]
    found = {
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in places
        if path != glossary and "rulesets" not in path.parts
        for match in pattern.finditer(path.read_text("utf-8"))
    }
    assert found == set()
