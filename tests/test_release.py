"""What is released: builds that give the same bytes, the bill of materials, and a release that
holds together.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import venv
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

from nomicgen.play.running_wheel import own_wheel
from tests.elsewhere import HERE, THERE, digests, ran
from tests.support import ROOT, GitRepo
from tests.test_house import project_names
from tests.test_supply import RUNS, SITE, closure, names, pins

# The same bytes


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The project's own files in two places, with other times and permissions."""
    places = (tmp_path_factory.mktemp("one"), tmp_path_factory.mktemp("two of them") / "a copy")
    folders = ("nomicgen/", "tests/", "pins/")
    held = [one for one in sorted(project_names()) if one.startswith(folders) or "/" not in one]
    # The second is a copy of the first: somebody may be at work on the project itself.
    for source, place, mode, time in (
        (ROOT, places[0], 0o644, 10**9),
        (places[0], places[1], 0o600, 2 * 10**9),
    ):
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


@pytest.mark.nightly
def test_wheel_and_sdist_are_the_same_bytes_anywhere(built: tuple[Path, Path]) -> None:
    first, second = map(digests, built)
    assert first == second
    assert sorted(Path(name).suffix for name in first) == [".gz", ".whl"]


@pytest.mark.nightly
def test_the_sdist_gives_the_same_wheel(built: tuple[Path, Path], tmp_path: Path) -> None:
    (sdist,) = built[0].glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        # The argument `filter` came with Python 3.11.4; what knows no filter looks past this.
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(tmp_path)
    (place,) = tmp_path.iterdir()
    done = ran(
        THERE,
        "hatchling",
        "build",
        "--target",
        "wheel",
        "--directory",
        str(tmp_path / "dist"),
        cwd=place,
    )
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
    for name in closure([*RUNS, *SITE]):
        files = [
            one for one in distribution(name).files or () if one.parts[0].endswith(".dist-info")
        ]
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


@pytest.mark.nightly
def test_the_bill_of_materials_has_all_that_runs(environment: Path, tmp_path: Path) -> None:
    data = bill(environment, tmp_path / "one.json")
    told = json.loads(data)
    assert (told["bomFormat"], told["specVersion"]) == ("CycloneDX", "1.6")
    itself = told["metadata"]["component"]
    assert (itself["name"], itself["version"]) == ("nomicgen", distribution("nomicgen").version)
    ours = pins(ROOT / "pins" / "constraints.txt")
    assert {(one["name"], one["version"]) for one in told["components"]} == {
        (name, ours[name]) for name in ours if canonicalize_name(name) in closure([*RUNS, *SITE])
    }
    assert [one["name"] for one in told["components"] if not one.get("licenses")] == []
    edges = {one["ref"]: one.get("dependsOn", []) for one in told["dependencies"]}
    needed = {canonicalize_name(one.partition("==")[0]) for one in edges[itself["bom-ref"]]}
    assert needed >= set(map(canonicalize_name, names([*RUNS, *SITE])))
    assert str(environment).encode() not in data
    assert (
        bill(environment, tmp_path / "two.json", "--no-validate") == data
    )  # which takes long, and says the same


# A release


@pytest.fixture
def checkout(tmp_path: Path) -> GitRepo:
    """The project's own files in a commit of their own."""
    place = GitRepo(tmp_path / "checkout")
    for name in project_names():
        (place.path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, place.path / name)
    place.commit("All of it")
    return place


def released(checkout: GitRepo) -> subprocess.CompletedProcess[str]:
    """Makes the release with the environment that is here, and installs nothing into it."""
    line = [
        "make",
        "release",
        f"VENV={sys.prefix}",
        "-o",
        f"{sys.prefix}/.dev",
        "-o",
        f"{sys.prefix}/.runtime",
    ]
    return subprocess.run(
        line, cwd=checkout.path, capture_output=True, encoding="utf-8", check=False
    )


@pytest.mark.nightly
def test_a_release_holds_together(checkout: GitRepo) -> None:
    done = released(checkout)
    assert done.returncode == 0, done.stderr
    place, version = checkout.path / "dist", distribution("nomicgen").version
    wheel, sdist = f"nomicgen-{version}-py3-none-any.whl", f"nomicgen-{version}.tar.gz"
    lines = (place / "SHA256SUMS").read_text("utf-8").splitlines()
    sums = {name: digest for digest, name in (line.split("  ") for line in lines)}
    assert sums == {
        name: sums[name] for name in sorted(("NOTES.md", wheel, sdist, "nomicgen.cdx.json"))
    }
    assert digests(place) == {**sums, "SHA256SUMS": digests(place)["SHA256SUMS"]}
    assert sums[wheel] == own_wheel().digest
    told = json.loads((place / "nomicgen.cdx.json").read_text("utf-8"))
    assert told["metadata"]["component"]["version"] == version
    assert {one["name"] for one in told["components"]} >= {"click", "mkdocs"}
    assert str(checkout.path) not in (place / "nomicgen.cdx.json").read_text("utf-8")
    notes = (place / "NOTES.md").read_text("utf-8")
    section = (ROOT / "CHANGELOG.md").read_text("utf-8").split("\n## ")[1].rstrip("\n")
    commit = checkout.git("rev-parse", "HEAD")
    assert notes == f"# nomicgen {section}\n\nMade of commit {commit} by `make release`.\n"


@pytest.mark.deep
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            "README.md",
            "a release is made of a commit, and files here are in none: commit them, or put them "
            "away",
        ),
        ("dist/more.txt", "dist should hold "),
        (
            "CHANGELOG.md",
            f"CHANGELOG.md has no section `## {distribution('nomicgen').version}`: write what "
            "changes",
        ),
    ],
)
def test_what_is_no_release_is_refused(change: str, said: str, checkout: GitRepo) -> None:
    version = distribution("nomicgen").version
    names = (
        f"nomicgen-{version}-py3-none-any.whl",
        f"nomicgen-{version}.tar.gz",
        "nomicgen.cdx.json",
    )
    (checkout.path / "dist").mkdir()
    for name in names:
        (checkout.path / "dist" / name).touch()
    (checkout.path / change).write_text("Something else.\n", "utf-8")
    if change == "CHANGELOG.md":
        checkout.commit("No changes")
    line = [sys.executable, str(checkout.path / ".ci" / "release"), "dist"]
    done = subprocess.run(
        line, cwd=checkout.path, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 1
    assert done.stderr.startswith(said)
    assert not (checkout.path / "dist" / "SHA256SUMS").exists()
