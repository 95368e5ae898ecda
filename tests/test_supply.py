"""What nomicgen is made of: the reason for each dependency, builds that give the same bytes, the bill of materials."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
from collections.abc import Iterable
from importlib.metadata import distribution, distributions, packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from tests.elsewhere import HERE, THERE, digests, ran
from tests.support import ROOT
from tests.test_house import project_names

PAGE = ROOT / "docs" / "guide" / "contributor" / "dependencies.md"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
RUNS = PROJECT["project"]["dependencies"]

NAMED = {"linkify-it-py": "nomicgen/files/markdown.py", "mkdocs-material": "mkdocs.yml"}
"""What no module imports, and the file that switches it on."""
SWITCHES = {"linkify-it-py": "linkify", "mkdocs-material": "name: material"}


def names(requirements: Iterable[str]) -> set[str]:
    return {Requirement(one).name for one in requirements}


def closure(requirements: Iterable[str]) -> set[str]:
    """What is installed with these, by the names that an index goes by."""
    queue, found = [Requirement(one) for one in requirements], set[str]()
    while queue:
        need = queue.pop()
        if (name := canonicalize_name(need.name)) in found or not (need.marker is None or need.marker.evaluate()):
            continue
        found.add(name)
        further = map(Requirement, requires(name) or ())
        queue += [one for one in further if one.marker is None or one.marker.evaluate({"extra": ""})]
    return found


# Each with its reason


def reasons(heading: str) -> dict[str, str]:
    """The packages of a section's table, each with its reason."""
    section = PAGE.read_text("utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return dict(re.findall(r"^\| `([\w.-]+)` \| (.+) \|$", section, re.MULTILINE))


def test_every_dependency_has_a_reason() -> None:
    told = {heading: reasons(f"What {heading} with") for heading in ("nomicgen runs", "it is built", "it is checked")}
    extras = PROJECT["project"]["optional-dependencies"].values()
    assert set(told["nomicgen runs"]) == names(RUNS)
    assert set(told["it is built"]) == names(PROJECT["build-system"]["requires"])
    assert set(told["it is checked"]) == names(one for extra in extras for one in extra)
    assert [name for table in told.values() for name, why in table.items() if not why.endswith(".")] == []


def test_nothing_is_imported_that_is_not_declared_and_nothing_is_declared_for_nothing() -> None:
    given = packages_distributions()
    used: dict[str, str] = {}
    for path in sorted((ROOT / "nomicgen").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_bytes())):
            modules = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module:
                modules = [node.module]
            for top in {one.partition(".")[0] for one in modules} - {"nomicgen", *sys.stdlib_module_names}:
                # Several packages may share a name from which modules are imported.
                used |= dict.fromkeys(map(canonicalize_name, given[top]), path.relative_to(ROOT).as_posix())
    declared = set(map(canonicalize_name, names(RUNS)))
    assert {name: where for name, where in used.items() if name not in declared} == {}
    assert declared - set(used) == set(NAMED)
    assert [name for name, file in NAMED.items() if SWITCHES[name] not in (ROOT / file).read_text("utf-8")] == []


def pins(path: Path) -> dict[str, str]:
    lines = path.read_text("utf-8").splitlines()
    return dict(line.split("==") for line in lines if line and not line.startswith("#"))


def test_a_new_game_is_pinned_to_what_the_project_is_tried_with() -> None:
    ours, theirs = pins(ROOT / "constraints.txt"), pins(ROOT / "nomicgen/scaffold/common/constraints.txt")
    wanted = closure(RUNS)
    assert theirs == {name: version for name, version in ours.items() if canonicalize_name(name) in wanted}
    assert len(theirs) > len(RUNS)


def test_each_pin_installs_with_the_oldest_python() -> None:
    oldest = re.findall(r"[\d.]+", PROJECT["project"]["requires-python"])[0] + ".0"
    assert f"--python-version {oldest} " in (ROOT / "Makefile").read_text("utf-8")
    ours = pins(ROOT / "constraints.txt")
    wants = {
        one.name: one.metadata["Requires-Python"]
        for one in distributions()
        if one.name in ours and "Requires-Python" in one.metadata
    }
    assert len(wants) > len(RUNS)
    assert {name: want for name, want in wants.items() if not SpecifierSet(want).contains(oldest)} == {}


# The same bytes


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The project's own files in two places, with other times and permissions."""
    places = (tmp_path_factory.mktemp("one"), tmp_path_factory.mktemp("two of them") / "a copy")
    folders = ("nomicgen/", "tests/", "benchmarks/")
    held = [one for one in sorted(project_names()) if one.startswith(folders) or "/" not in one]
    # The second is a copy of the first: somebody may be at work on the project itself.
    for source, place, mode, time in ((ROOT, places[0], 0o644, 10**9), (places[0], places[1], 0o600, 2 * 10**9)):
        for name in held:
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / name, place / name)
            (place / name).chmod(mode)
            os.utime(place / name, (time, time))
        held.reverse()
    return places


@pytest.fixture(scope="module")
def built(copies: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Wheel and sdist, built by two machines."""
    folders = (tmp_path_factory.mktemp("first"), tmp_path_factory.mktemp("second"))
    for machine, place, folder in zip((HERE, THERE), copies, folders, strict=True):
        done = ran(machine, "hatchling", "build", "--directory", str(folder), cwd=place)
        assert done.returncode == 0, done.stderr
    return folders


@pytest.mark.deep
def test_wheel_and_sdist_are_the_same_bytes_anywhere(built: tuple[Path, Path]) -> None:
    first, second = map(digests, built)
    assert first == second
    assert sorted(Path(name).suffix for name in first) == [".gz", ".whl"]


def test_the_sdist_gives_the_same_wheel(built: tuple[Path, Path], tmp_path: Path) -> None:
    (sdist,) = built[0].glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        # The argument `filter` came with Python 3.11.4; what knows no filter looks past this.
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(tmp_path)
    (place,) = tmp_path.iterdir()
    done = ran(THERE, "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path / "dist"), cwd=place)
    assert done.returncode == 0, done.stderr
    (wheel,) = built[0].glob("*.whl")
    assert digests(tmp_path / "dist") == {wheel.name: digests(built[0])[wheel.name]}


# The bill of materials


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment that holds what nomicgen runs with, or at least what says that it does."""
    place = tmp_path_factory.mktemp("environment")
    venv.create(place, with_pip=False, symlinks=True)
    (packages,) = place.glob("lib/python*/site-packages")
    for name in closure(RUNS):
        files = [one for one in distribution(name).files or () if one.parts[0].endswith(".dist-info")]
        folder = Path(str(distribution(name).locate_file(files[0].parts[0])))
        shutil.copytree(folder, packages / folder.name)
    return place


def bill(environment: Path, file: Path, *options: str) -> bytes:
    done = subprocess.run(
        [str(ROOT / ".ci" / "sbom"), str(environment), str(file), *options],
        env={**os.environ, "PYTHON": sys.executable},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return file.read_bytes()


@pytest.mark.deep
def test_the_bill_of_materials_has_all_that_runs(environment: Path, tmp_path: Path) -> None:
    data = bill(environment, tmp_path / "one.json")
    told = json.loads(data)
    assert (told["bomFormat"], told["specVersion"]) == ("CycloneDX", "1.6")
    itself = told["metadata"]["component"]
    assert (itself["name"], itself["version"]) == ("nomicgen", distribution("nomicgen").version)
    ours = pins(ROOT / "constraints.txt")
    assert {(one["name"], one["version"]) for one in told["components"]} == {
        (name, ours[name]) for name in ours if canonicalize_name(name) in closure(RUNS)
    }
    assert [one["name"] for one in told["components"] if not one.get("licenses")] == []
    edges = {one["ref"]: one.get("dependsOn", []) for one in told["dependencies"]}
    needed = {canonicalize_name(one.partition("==")[0]) for one in edges[itself["bom-ref"]]}
    assert needed >= set(map(canonicalize_name, names(RUNS)))
    assert str(environment).encode() not in data
    assert bill(environment, tmp_path / "two.json", "--no-validate") == data  # which takes long, and says the same
