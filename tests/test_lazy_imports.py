"""Packages that load their modules later give the same names, and a plain check loads no more than it needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import nomicgen.files
import nomicgen.repository
from nomicgen.lazy_imports import later
from tests.support import ROOT

PACKAGES = (nomicgen.files, nomicgen.repository)


@pytest.mark.parametrize("package", PACKAGES, ids=lambda one: one.__name__)
def test_every_name_of_a_package_is_found(package: ModuleType) -> None:
    for name in package.__all__:
        assert not isinstance(getattr(package, name), ModuleType), name
    with pytest.raises(AttributeError, match="has no attribute"):
        vars(package)["__getattr__"]("tea")


@pytest.mark.parametrize("package", PACKAGES, ids=lambda one: one.__name__)
def test_what_comes_later_never_has_the_name_of_a_module(package: ModuleType) -> None:
    assert package.__file__ is not None
    modules = {file.stem for file in Path(package.__file__).parent.glob("*.py")}
    script = (
        f"import {package.__name__} as package, sys\n"
        "print(*(name for name in package.__all__ if name not in vars(package)))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    names = done.stdout.split()
    assert names
    assert not modules & set(names)


def test_a_name_is_looked_up_once() -> None:
    find = later("nomicgen.files", {"file_findings": ("LIMIT",)})
    assert find("LIMIT") == 20
    assert vars(nomicgen.files).pop("LIMIT") == 20


def test_a_plain_check_loads_no_library_that_it_has_no_use_for(tmp_path: Path) -> None:
    (tmp_path / "nomic.yml").write_text("format: 1\nname: Tea\n")
    script = (
        "import sys\n"
        "from nomicgen.cli import main\n"
        "try: main(['-C', sys.argv[1], 'check'])\n"
        "except SystemExit as done: assert done.code == 0, done.code\n"
        "spared = ('diff_match_patch', 'git', 'jinja2', 'mkdocs', 'nh3', 'nomicgen.importers', 'nomicgen.site')\n"
        "print([name for name in spared if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
