"""What nomicgen is made of: the reason for each dependency, pins, and installs by hashes."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
import venv
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import distributions, packages_distributions, requires
from pathlib import Path
from threading import Thread

import pytest
import yaml
from click.testing import CliRunner
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from nomicgen.cli.program import main
from tests.pulls.forge.expressions import value_of
from tests.support import ROOT

PAGE = ROOT / "docs" / "guide" / "contributor" / "dependencies.md"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
RUNS = PROJECT["project"]["dependencies"]
SITE = PROJECT["project"]["optional-dependencies"]["site"]
BUILDS = PROJECT["build-system"]["requires"]
OURS = ROOT / "pins" / "locked.txt"
GAMES = ROOT / "nomicgen" / "scaffold" / "github" / ".github" / "nomicgen" / "locked.txt"
SITES = GAMES.with_name("locked-site.txt")

NAMED = {"linkify-it-py": "nomicgen/files/markdown.py", "mkdocs-material": "mkdocs.yml"}
"""What no module imports, and the file that switches it on."""
SWITCHES = {"linkify-it-py": "linkify", "mkdocs-material": "name: material"}


def names(requirements: Iterable[str]) -> set[str]:
    return {Requirement(one).name for one in requirements}


def closure(requirements: Iterable[str], system: Mapping[str, str] | None = None) -> set[str]:
    """What is installed with these, by the names that an index goes by; `system` has the markers of
    another machine.
    """
    markers = {"extra": "", **(system or {})}
    queue, found = [Requirement(one) for one in requirements], set[str]()
    while queue:
        need = queue.pop()
        if (name := canonicalize_name(need.name)) in found or not (
            need.marker is None or need.marker.evaluate(markers)
        ):
            continue
        found.add(name)
        further = map(Requirement, requires(name) or ())
        queue += [one for one in further if one.marker is None or one.marker.evaluate(markers)]
    return found


# Each with its reason


def reasons(heading: str) -> dict[str, str]:
    """The packages of a section's table, each with its reason."""
    section = PAGE.read_text("utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return dict(re.findall(r"^\| `([\w.-]+)` \| (.+) \|$", section, re.MULTILINE))


def test_every_dependency_has_a_reason() -> None:
    headings = ("nomicgen runs with", "makes the site", "it is built with", "it is checked with")
    told = {heading: reasons(f"What {heading}") for heading in headings}
    extras = PROJECT["project"]["optional-dependencies"]
    checks = [one for name in extras if name != "site" for one in extras[name]]
    assert [set(table) for table in told.values()] == [*map(names, (RUNS, SITE, BUILDS, checks))]
    assert [
        name for table in told.values() for name, why in table.items() if not why.endswith(".")
    ] == []


def test_nothing_is_imported_that_is_not_declared_and_nothing_is_declared_for_nothing() -> None:
    given = packages_distributions()
    used: dict[str, str] = {}
    for path in sorted((ROOT / "nomicgen").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_bytes())):
            modules = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module:
                modules = [node.module]
            for top in {one.partition(".")[0] for one in modules} - {
                "nomicgen",
                *sys.stdlib_module_names,
            }:
                # Several packages may share a name from which modules are imported.
                used |= dict.fromkeys(
                    map(canonicalize_name, given[top]), path.relative_to(ROOT).as_posix()
                )
    declared = set(map(canonicalize_name, names([*RUNS, *SITE])))
    assert {name: where for name, where in used.items() if name not in declared} == {}
    site = set(map(canonicalize_name, names(SITE)))
    assert [
        where for name, where in used.items() if name in site and "/site/mkdocs/" not in where
    ] == []
    assert declared - set(used) == set(NAMED)
    assert [
        name
        for name, file in NAMED.items()
        if SWITCHES[name] not in (ROOT / file).read_text("utf-8")
    ] == []


def pins(path: Path) -> dict[str, str]:
    """Names and versions of a file of pins, with hashes or without."""
    lines = path.read_text("utf-8").splitlines()
    return dict(line.removesuffix(" \\").split("==") for line in lines if "==" in line)


def test_a_new_game_is_pinned_to_what_the_project_is_tried_with() -> None:
    ours = {
        str(canonicalize_name(name)): version
        for name, version in pins(ROOT / "pins" / "constraints.txt").items()
    }
    alone = closure(RUNS)
    for file, wanted in ((GAMES, alone), (SITES, closure(SITE) - alone)):
        found = {canonicalize_name(name): version for name, version in pins(file).items()}
        assert found == {name: ours[name] for name in wanted}
    # What makes the site is most of it, and no job that may write installs it.
    assert len(pins(SITES)) > len(pins(GAMES))


def test_each_pin_installs_with_the_oldest_python() -> None:
    oldest = re.findall(r"[\d.]+", PROJECT["project"]["requires-python"])[0] + ".0"
    assert f"--python-version {oldest} " in (ROOT / "Makefile").read_text("utf-8")
    ours = pins(ROOT / "pins" / "constraints.txt")
    wants = {
        one.name: one.metadata["Requires-Python"]
        for one in distributions()
        if one.name in ours and "Requires-Python" in one.metadata
    }
    assert len(wants) > len(RUNS)
    assert {
        name: want for name, want in wants.items() if not SpecifierSet(want).contains(oldest)
    } == {}


# By hashes


def hashed(path: Path) -> dict[str, list[str]]:
    """The hashes of each pin; nothing else is in such a file but comments, and the name of another
    one.
    """
    found: dict[str, list[str]] = {}
    text = path.read_text("utf-8").replace(" \\\n", "")
    for line in text.splitlines():
        if line.startswith(("#", "--requirement ")):
            continue
        pin, *hashes = line.split()
        assert re.fullmatch(r"[\w.-]+==[\w.]+", pin), line
        assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", one) for one in hashes), line
        found[pin.partition("==")[0]] = hashes
    return found


@pytest.mark.parametrize("file", [OURS, GAMES, SITES])
def test_each_pin_has_hashes_and_no_file_has_an_address(file: Path) -> None:
    found = hashed(file)
    assert [
        name for name, hashes in found.items() if not hashes or sorted(set(hashes)) != hashes
    ] == []
    assert found.keys() == pins(file).keys()
    assert "://" not in file.read_text("utf-8")


def test_all_that_a_job_installs_has_hashes() -> None:
    ours, theirs, site = pins(OURS), pins(GAMES), pins(SITES)
    assert f"--requirement ../{GAMES.relative_to(ROOT).as_posix()}\n" in OURS.read_text("utf-8")
    assert not theirs.keys() & (ours.keys() | site.keys())
    assert {canonicalize_name(name) for name in (*ours, *theirs)} == closure([*RUNS, *BUILDS])
    pinned = pins(ROOT / "pins" / "constraints.txt")
    assert {**ours, **theirs, **site}.items() <= pinned.items()


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13", "3.14"])
@pytest.mark.parametrize(
    "system",
    [
        {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"},
        {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix"},
        {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt"},
    ],
    ids=["linux", "macos", "windows"],
)
def test_other_machines_need_nothing_that_has_no_hash(system: dict[str, str], python: str) -> None:
    there = {**system, "python_version": python, "python_full_version": f"{python}.0"}
    known = set(map(canonicalize_name, pins(GAMES)))
    assert closure(RUNS, there) - known == set()
    assert (
        closure([*RUNS, *SITE], there) - known - set(map(canonicalize_name, pins(SITES))) == set()
    )


def script(action: Path) -> str:
    """What an action types to install nomicgen."""
    (step,) = (
        one for one in yaml.safe_load(action.read_text("utf-8"))["runs"]["steps"] if "run" in one
    )
    text: str = step["run"]
    return text


@pytest.mark.parametrize(
    "action", [ROOT / ".github" / "nomicgen" / "action.yml", GAMES.with_name("action.yml")]
)
def test_an_action_takes_nothing_without_its_hash_but_what_is_checked_out(action: Path) -> None:
    lines = [
        line
        for line in script(action).replace("\\\n", "").splitlines()
        if "--quiet" not in line or "$@" not in line
    ]
    installs = [line for line in lines if re.search(r"^pip |pip .* install ", line)]
    by_hash = [line for line in installs if "--require-hashes --only-binary :all:" in line]
    assert len(by_hash) == 1
    assert [line for line in installs if line not in by_hash] == (
        ["pip --no-index --no-deps --no-build-isolation ."]
        if ROOT / ".github" in action.parents
        else []
    )


def acted(action: Path, environment: Path, *, site: bool) -> subprocess.CompletedProcess[str]:
    """Runs what an action types, in an environment of its own, as it is run on the forge."""
    env = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    (step,) = (
        one for one in yaml.safe_load(action.read_text("utf-8"))["runs"]["steps"] if "run" in one
    )
    for name, text in step["env"].items():
        env[name] = value_of(text[3:-2], {"inputs": {"site": "true" if site else "false"}})
    env |= {
        "GITHUB_ACTION_PATH": str(action.parent),
        "PATH": f"{environment / 'bin'}{os.pathsep}{os.environ['PATH']}",
    }
    return subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script(action)],
        cwd=environment,
        env=env,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.nightly
@pytest.mark.parametrize("whose", ["ours", "a game's"])
def test_an_action_installs_by_hashes(whose: str, tmp_path: Path) -> None:
    """It asks the index that pip is configured with, as `make` does."""
    place, environment = ROOT, tmp_path / "environment"
    if whose != "ours":
        place = tmp_path / "game"
        assert CliRunner().invoke(main, ["init", str(place)]).exit_code == 0
    venv.create(environment, with_pip=True)
    python = [str(environment / "bin" / "python")]
    for site in (False, True):
        done = acted(place / ".github/nomicgen/action.yml", environment, site=site)
        assert done.returncode == 0, done.stderr
        line = [*python, "-I", "-c", "import nomicgen; print(nomicgen.__file__)"]
        found = subprocess.run(
            line, cwd=tmp_path, capture_output=True, encoding="utf-8", check=True
        )
        assert Path(found.stdout.strip()).is_relative_to(environment)
        assert (environment / "bin" / "mkdocs").exists() == site
    checked = subprocess.run(
        [*python, "-m", "pip", "check"], capture_output=True, encoding="utf-8", check=False
    )
    assert checked.stdout == "No broken requirements found.\n"


@pytest.mark.deep
def test_a_wheel_that_is_not_the_one_that_was_named_is_not_installed(tmp_path: Path) -> None:
    assert CliRunner().invoke(main, ["init", str(tmp_path)]).exit_code == 0
    (wheel,) = (tmp_path / ".github/nomicgen").glob("*.whl")
    line = (tmp_path / ".github/nomicgen/requirements.txt").read_text("utf-8").splitlines()[-1]
    (tmp_path / "alone.txt").write_text(f"{line}\n", "utf-8")
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--disable-pip-version-check",
        "install",
        "--require-hashes",
        "--no-deps",
    ]
    pip += ["--no-index", "--target", str(tmp_path / "there"), "--requirement", "alone.txt"]
    run = partial(
        subprocess.run, pip, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False
    )
    assert run().returncode == 0
    wheel.write_bytes(wheel.read_bytes() + b"\0")
    done = run()
    assert done.returncode != 0
    assert "DO NOT MATCH THE HASHES" in done.stderr


@contextmanager
def index(folder: Path) -> Iterator[str]:
    """The address of a package index on this machine."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.deep
def test_the_hashes_are_those_of_the_index_that_pip_is_configured_with(tmp_path: Path) -> None:
    files = {
        "lamp_oil-1.2-py3-none-any.whl": "a",
        "lamp_oil-1.2-cp313-cp313-win_amd64.whl": "b",
        "lamp_oil-1.2-cp38-abi3-linux_x86_64.whl": "c",
        "lamp-oil-1.2.tar.gz": "d",
        "lamp_oil-1.2-cp310-cp310-linux_x86_64.whl": "e",
        "lamp_oil-1.2-pp311-pypy311_pp73-linux_x86_64.whl": "e",
        "lamp_oil-1.3-py3-none-any.whl": "e",
        "lamp-oil-1.2.exe": "e",
    }
    links = "".join(
        f'<a href="{name}#sha256={digit * 64}">{name}</a>\n' for name, digit in files.items()
    )
    (tmp_path / "index" / "lamp-oil").mkdir(parents=True)
    (tmp_path / "index" / "lamp-oil" / "index.html").write_text(
        f"<!DOCTYPE html><html><body>{links}</body></html>"
    )
    (tmp_path / "constraints.txt").write_text("# All of it.\nLamp_Oil==1.2\nother==7\n")
    locked = tmp_path / "locked.txt"
    locked.write_text(
        f"# Ours.\n--requirement more.txt\nLamp_Oil==1.1 \\\n    --hash=sha256:{'0' * 64}\n"
    )
    env = {key: value for key, value in os.environ.items() if not key.startswith("PIP_")}
    line = [sys.executable, str(ROOT / ".ci" / "lock"), "constraints.txt", "locked.txt"]
    with index(tmp_path / "index") as address:
        env |= {"PIP_INDEX_URL": address, "PIP_CONFIG_FILE": os.devnull}
        done = subprocess.run(
            line, cwd=tmp_path, env=env, capture_output=True, encoding="utf-8", check=False
        )
        assert done.returncode == 0, done.stderr
        hashes = "".join(f" \\\n    --hash=sha256:{digit * 64}" for digit in "abcd")
        assert locked.read_text() == f"# Ours.\n--requirement more.txt\nLamp_Oil==1.2{hashes}\n"
        (tmp_path / "constraints.txt").write_text("Lamp_Oil==2\n")
        done = subprocess.run(
            line, cwd=tmp_path, env=env, capture_output=True, encoding="utf-8", check=False
        )
    assert (done.returncode, done.stderr) == (
        1,
        "the index that pip is configured with has no Lamp_Oil 2\n",
    )
