"""The rooms of the house: how large each may be, what its door says, and that no imports go round
in a circle.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import grimp
import pytest

import nomicgen
from tests.rooms import Size, budgets, files, sizes
from tests.support import ROOT

CODE = Path(nomicgen.__file__).parent
DOORS = sorted(path for path in CODE.rglob("__init__.py") if path.parent != CODE)
PICTURED = {"law/replay"}
"""Doors that have a picture beside their lines."""
POT = '''\
"""A docstring."""

import os

# a comment
SAID = """two
lines"""
"""What it is."""


def pour(
    cup: int,
) -> int:
    """Pour."""
    return cup  # gone
'''


def test_no_room_is_larger_than_its_budget() -> None:
    measured, allowed = sizes(files()), budgets()
    assert measured.keys() == allowed.keys()
    assert sum(size.python for size in measured.values()) > 10_000
    larger = {
        room: (size, allowed[room])
        for room, size in measured.items()
        if size.python > allowed[room].python or size.other > allowed[room].other
    }
    assert larger == {}, (
        "take something out, or raise the line of [tool.nomicgen.rooms], and say why in the commit"
    )


def test_the_ruler_counts_code_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = tmp_path / "nomicgen" / "tea"
    (room / "templates").mkdir(parents=True)
    (room / "pot.py").write_text(POT, "utf-8")
    (room / "templates" / "cup.md").write_text("a\n\nb\n", "utf-8")
    (room / "notes.md").write_text("a\n", "utf-8")
    monkeypatch.setattr("tests.rooms.ROOT", tmp_path)
    assert sizes(files()) == {"tea": Size(python=5, other=2)}


@pytest.mark.parametrize("door", DOORS, ids=lambda path: path.parent.relative_to(CODE).as_posix())
def test_a_door_is_a_few_lines_that_name_what_there_is(door: Path) -> None:
    tree = ast.parse(door.read_text("utf-8"))
    text = ast.get_docstring(tree)
    assert text is not None, "a door says what comes in, what goes out, and where to begin reading"
    assert len(tree.body) == 1, "a door imports nothing, so that no room is loaded as a whole"
    folder = door.parent
    if folder.relative_to(CODE).as_posix() not in PICTURED:
        assert len(text.splitlines()) <= 12
    below = {path.name for path in folder.rglob("*.py")}
    places = (folder, folder.parent, CODE)
    assert [
        name
        for name in re.findall(r"`([\w/]+\.py)`", text)
        if name not in below and not any((place / name).exists() for place in places)
    ] == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Imports for typing and those inside functions count, too."""
    graph = grimp.build_graph("nomicgen", exclude_type_checking_imports=False, cache_dir=None)
    below = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    assert len(below) > 300
    # What imports nothing that is left goes, again and again; what stays lies on a circle, or asks
    # one.
    while gone := {module for module, imported in below.items() if not imported}:
        below = {
            module: imported - gone for module, imported in below.items() if module not in gone
        }
    assert sorted(below) == []


# A plain check loads no more than it needs.


def test_a_plain_check_loads_no_library_that_it_has_no_use_for(tmp_path: Path) -> None:
    (tmp_path / "nomic.yml").write_text("format: 1\nname: Tea\n")
    script = (
        "import sys\n"
        "from nomicgen.cli.program import main\n"
        "try: main(['-C', sys.argv[1], 'check'])\n"
        "except SystemExit as done: assert done.code == 0, done.code\n"
        "spared = ('diff_match_patch', 'git', 'jinja2', 'mkdocs', 'nh3', 'nomicgen.importers', "
        "'nomicgen.site')\n"
        "print([name for name in spared if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "[]"
