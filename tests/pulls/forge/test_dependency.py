"""A game of one's own, in a repository of its own, uses nomicgen as a dependency: from a wheel, as
`init` pins it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from nomicgen.play.running_wheel import WHEELS
from tests.support import ROOT

pytestmark = pytest.mark.nightly


def ran(*words: str, cwd: Path, path: Path | None = None, **env: str) -> str:
    """What a program of Python's prints; `path` is where its packages are looked for first."""
    clean = {
        key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "PIP_"))
    }
    if path is not None:
        env["PYTHONPATH"] = str(path)
    done = subprocess.run(
        [sys.executable, *words],
        cwd=cwd,
        env={**clean, **env},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A game that an installed nomicgen began, and where what its requirements name is
    installed.
    """
    place = tmp_path_factory.mktemp("dependency")
    wheels, first, second, game = (place / name for name in ("wheels", "first", "second", "game"))
    ran("-m", "hatchling", "build", "--target", "wheel", "--directory", str(wheels), cwd=ROOT)
    pip = (
        "-m",
        "pip",
        "--disable-pip-version-check",
        "install",
        "--quiet",
        "--no-index",
        "--no-deps",
    )
    (wheel,) = wheels.glob("*.whl")
    ran(*pip, "--target", str(first), str(wheel), cwd=place)
    ran(
        "-m",
        "nomicgen",
        "init",
        str(game),
        "--name",
        "Tea",
        "--player",
        "wren",
        "--commit",
        cwd=place,
        path=first,
    )
    # As action.yml does it, but that what nomicgen runs with is here already.
    (place / "alone.txt").write_text(
        (game / WHEELS / "requirements.txt").read_text("utf-8").splitlines()[-1] + "\n", "utf-8"
    )
    ran(
        *pip,
        "--require-hashes",
        "--target",
        str(second),
        "--requirement",
        str(place / "alone.txt"),
        cwd=game,
    )
    assert (game / WHEELS / wheel.name).read_bytes() == wheel.read_bytes()
    return game, second


def test_the_wheel_of_a_game_is_the_one_that_was_released(installed: tuple[Path, Path]) -> None:
    """Whether nomicgen was installed from a wheel or packs itself once more: the bytes are those of
    `make dist`.
    """
    game, packages = installed
    again = game.parent / "again"
    ran("-m", "nomicgen", "init", str(again), cwd=packages, path=packages)
    (wheel,) = (game / WHEELS).glob("*.whl")
    assert (again / WHEELS / wheel.name).read_bytes() == wheel.read_bytes()
    digest = sha256(wheel.read_bytes()).hexdigest()
    assert f"./{WHEELS}/{wheel.name} --hash=sha256:{digest}\n" in (
        again / WHEELS / "requirements.txt"
    ).read_text("utf-8")


def test_the_requirements_of_a_game_give_the_nomicgen_that_began_it(
    installed: tuple[Path, Path],
) -> None:
    game, packages = installed
    where = ran("-c", "import nomicgen; print(nomicgen.__file__)", cwd=game, path=packages)
    assert Path(where.strip()).is_relative_to(packages)
    assert ran("-m", "nomicgen", "check", cwd=game, path=packages).endswith(": nothing is wrong\n")


def test_its_site_is_built(installed: tuple[Path, Path], tmp_path: Path) -> None:
    game, packages = installed
    line = ("-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site"))
    ran(*line, cwd=game, path=packages, NO_MKDOCS_2_WARNING="true")
    assert "What winning is" in (tmp_path / "site/rules/112/index.html").read_text("utf-8")


def test_a_wheel_brings_the_scaffold_along(installed: tuple[Path, Path]) -> None:
    _, packages = installed
    source = ROOT / "nomicgen" / "scaffold"
    there = {file.relative_to(source) for file in source.rglob("*") if file.is_file()}
    brought = packages / "nomicgen" / "scaffold"
    assert {file.relative_to(brought) for file in brought.rglob("*") if file.is_file()} == there
    assert len(there) > 15
