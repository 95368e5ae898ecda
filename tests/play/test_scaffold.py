"""What `init` writes around a game, and that this repository lives by the same files."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from importlib.metadata import Distribution, PackageNotFoundError
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
import yaml
from click.testing import CliRunner
from markdown_it import MarkdownIt

from nomicgen import __version__
from nomicgen.cli.program import main
from nomicgen.play import running_wheel
from nomicgen.play.scaffold import files_around
from nomicgen.pulls.forge.workflow import GIT
from tests.support import ROOT

SCAFFOLD = ROOT / "nomicgen" / "scaffold"
GITHUB = SCAFFOLD / "github"
WORKFLOWS = sorted((GITHUB / ".github" / "workflows").glob("*.yml"))
COMMON = [
    ".gitattributes",
    ".gitignore",
    ".pre-commit-config.yaml",
    ".pre-commit-hooks.yaml",
    "CONTRIBUTING.md",
]
COMMON += [
    "README.md",
    "docs/.gitkeep",
    "judgements/.gitkeep",
    "proposals/.gitkeep",
    "mkdocs.yml",
    "nomic.yml",
]
ON_GITHUB = [
    ".github/CODEOWNERS",
    ".github/ISSUE_TEMPLATE/call-for-judgement.yml",
    ".github/ISSUE_TEMPLATE/config.yml",
]
ON_GITHUB += [".github/dependabot.yml", ".github/pull_request_template.md", ".github/SECURITY.md"]
OURS = ".github/nomicgen"
ON_GITHUB += [
    f"{OURS}/{name}.txt" for name in ("locked-site", "locked", "requirements-site", "requirements")
]
ON_GITHUB += [f"{OURS}/action.yml", f"{OURS}/run"]
ON_GITHUB += [
    f".github/workflows/{name}.yml"
    for name in ("answer", "machinery", "play", "publish", "pull-request")
]

WHEEL = f"{OURS}/nomicgen-{__version__}-py3-none-any.whl"

PINNED = re.compile(r"[\w.-]+/[\w.-]+@[0-9a-f]{40}")


def begun(root: Path, *more: str, code: int = 0) -> str:
    result = CliRunner().invoke(
        main, ["init", str(root), "--name", "Tea", "--on", "2026-01-01", *more]
    )
    assert result.exit_code == code, result.output
    return result.output


def around(root: Path) -> list[str]:
    """The files of a new game that are none of its own."""
    found = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
    return sorted(path for path in found if not path.startswith(("rules/", "players/", ".git/")))


def test_init_writes_all_that_a_game_on_github_needs(tmp_path: Path) -> None:
    begun(tmp_path)
    assert around(tmp_path) == sorted([*COMMON, *ON_GITHUB, WHEEL])
    for path in WORKFLOWS:
        assert (tmp_path / ".github" / "workflows" / path.name).read_bytes() == path.read_bytes()


def test_without_a_forge_nothing_is_about_one(tmp_path: Path) -> None:
    begun(tmp_path, "--forge", "none")
    assert around(tmp_path) == sorted(COMMON)
    for name in ("README.md", "CONTRIBUTING.md"):
        assert "pull request" not in (tmp_path / name).read_text().lower()
        assert "github" not in (tmp_path / name).read_text().lower()


def test_a_game_names_the_nomicgen_that_began_it_by_its_hash(tmp_path: Path) -> None:
    said = begun(tmp_path)
    data = (tmp_path / WHEEL).read_bytes()
    megabytes = round(len(data) / 1_000_000)
    assert (
        f"{OURS}/ holds the nomicgen that its workflows install, {megabytes} MB; --no-wheel "
        "leaves it out\n" in said
    )
    line = f"./{WHEEL} --hash=sha256:{sha256(data).hexdigest()}"
    assert (tmp_path / OURS / "requirements.txt").read_text().splitlines()[2:] == [
        "--requirement locked.txt",
        line,
    ]
    with ZipFile(io.BytesIO(data)) as packed:
        assert packed.testzip() is None
        for path in (ROOT / "nomicgen").rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                assert packed.read(path.relative_to(ROOT).as_posix()) == path.read_bytes()
    assert all(
        "nomicgen==" not in text.decode("utf-8") for text in files_around("Tea", "github").values()
    )


def test_the_wheel_may_be_left_out(tmp_path: Path) -> None:
    said = begun(tmp_path, "--no-wheel")
    assert (
        f"its workflows need a nomicgen in {OURS}/: requirements.txt there says how to name it\n"
        in said
    )
    assert around(tmp_path) == sorted([*COMMON, *ON_GITHUB])
    assert (tmp_path / OURS / "requirements.txt").read_text().splitlines()[
        2
    ] == "--requirement locked.txt"
    assert (
        f"# ./{OURS}/nomicgen-VERSION-py3-none-any.whl --hash="
        in (tmp_path / OURS / "requirements.txt").read_text()
    )


def test_a_dry_run_shows_settings_and_players_and_counts_the_rest(tmp_path: Path) -> None:
    said = begun(tmp_path / "game", "--player", "wren", "--dry-run")
    assert "\nplayers/wren.yml:\n  name: wren\n" in said
    assert "\n.github/  18 files\n" in said
    assert len(said.splitlines()) < 60
    assert not (tmp_path / "game").exists()


@pytest.mark.parametrize(
    ("lacks", "said"),
    [
        ("itself", "error: this nomicgen is not installed, so no wheel can be made of it"),
        (
            "METADATA",
            "error: METADATA of the installed nomicgen is missing, so no wheel can be made of it",
        ),
        (
            "its version",
            f"error: this is nomicgen {__version__}, but the installed package says 0.0.9",
        ),
    ],
)
def test_what_cannot_be_packed_is_told(
    lacks: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Told(Distribution):
        version = "0.0.9" if lacks == "its version" else __version__

        def read_text(self, filename: str) -> str | None:
            return None if filename == lacks else "Name: nomicgen\n"

        def locate_file(self, path: object) -> Any:
            raise AssertionError(path)

    def found(name: str) -> Distribution:
        if lacks == "itself":
            raise PackageNotFoundError(name)
        return Told()

    running_wheel.own_wheel.cache_clear()
    monkeypatch.setattr(running_wheel, "distribution", found)
    assert said in begun(tmp_path / "game", code=2)
    assert not (tmp_path / "game").exists()


def test_what_is_there_stays(tmp_path: Path) -> None:
    (tmp_path / ".github").mkdir()
    (tmp_path / ".github" / "CODEOWNERS").write_text("* @us\n")
    (tmp_path / "README.md").write_text("Ours\n")
    begun(tmp_path, "--keeper", "wren-plays")
    assert (tmp_path / "README.md").read_text() == "Ours\n"
    assert (tmp_path / ".github" / "CODEOWNERS").read_text() == "* @us\n"
    assert (tmp_path / ".github" / "workflows" / "play.yml").is_file()


def test_a_game_s_name_is_no_markup_of_its_readme(tmp_path: Path) -> None:
    name = "# Tea](x) <script> @wren #3 `tea` *tea* @VERSION@"
    begun(tmp_path, "--name", name)
    tokens = MarkdownIt("commonmark").parse((tmp_path / "README.md").read_text())
    children = tokens[1].children or []
    assert [child.type for child in children] == ["text"]
    assert children[0].content.replace("\N{WORD JOINER}", "") == name


def test_a_keeper_owns_the_machinery(tmp_path: Path) -> None:
    begun(tmp_path / "one", "--keeper", "Wren-Plays")
    begun(tmp_path / "two")
    owners = (tmp_path / "one" / ".github" / "CODEOWNERS").read_text().splitlines()
    rules = [line.split() for line in owners if not line.startswith("#")]
    assert {owner for _, owner in rules} == {"@Wren-Plays"}
    assert {"/.github/", "/mkdocs.yml", "/nomic.yml", "/docs/", "/rules/"} == {
        path for path, _ in rules
    }
    assert all(
        line.startswith("#")
        for line in (tmp_path / "two" / ".github" / "CODEOWNERS").read_text().splitlines()
    )


@pytest.mark.parametrize("login", ["@wren", "wren plays", "wren\n* @all", "-wren", "", "w" * 40])
def test_a_keeper_is_an_account(login: str, tmp_path: Path) -> None:
    assert "should be an account" in begun(tmp_path / "game", "--keeper", login, code=2)
    assert not (tmp_path / "game").exists()


def test_a_keeper_needs_a_forge(tmp_path: Path) -> None:
    said = begun(tmp_path / "game", "--keeper", "wren", "--forge", "none", code=2)
    assert "--keeper needs --forge github: give both, or leave out --keeper." in said


# This repository lives by the same files


@pytest.mark.parametrize("name", ["answer", "machinery", "play", "publish", "pull-request"])
def test_the_house_s_workflows_are_those_that_init_writes(name: str) -> None:
    ours = ROOT / ".github" / "workflows" / f"{name}.yml"
    assert ours.read_bytes() == (GITHUB / ".github" / "workflows" / f"{name}.yml").read_bytes()


def test_the_house_s_forms_are_those_that_init_writes() -> None:
    for path in (GITHUB / ".github" / "ISSUE_TEMPLATE").iterdir():
        assert (ROOT / ".github" / "ISSUE_TEMPLATE" / path.name).read_bytes() == path.read_bytes()
    template = "pull_request_template.md"
    assert (ROOT / ".github" / template).read_bytes() == (
        GITHUB / ".github" / template
    ).read_bytes()


def test_both_actions_set_up_the_same_python() -> None:
    ours, theirs = (
        yaml.safe_load((place / OURS / "action.yml").read_text()) for place in (ROOT, GITHUB)
    )
    assert ours["runs"]["steps"][0] == theirs["runs"]["steps"][0]
    assert ours["name"] == theirs["name"]


@pytest.mark.parametrize("place", [ROOT, SCAFFOLD / "common"])
def test_the_hook_looks_at_every_folder_of_a_game(place: Path) -> None:
    (hook,) = yaml.safe_load((place / ".pre-commit-hooks.yaml").read_text())
    assert (hook["id"], hook["entry"], hook["pass_filenames"]) == (
        "nomicgen-check",
        "nomicgen check",
        False,
    )
    for path in (
        "nomic.yml",
        "rules/203.md",
        "proposals/tea.md",
        "judgements/1.md",
        "acts/x.md",
        "players/wren.yml",
    ):
        assert re.search(hook["files"], path)
    assert not re.search(hook["files"], "docs/index.md")


# What can be said of the workflows without running them


def steps() -> Iterator[tuple[str, dict[str, Any]]]:
    for path in WORKFLOWS:
        for job in yaml.safe_load(path.read_text())["jobs"].values():
            for step in job.get("steps", ()):
                yield path.name, step


def test_no_script_has_an_expression_in_it() -> None:
    scripts = [(name, step["run"]) for name, step in steps() if "run" in step]
    assert len(scripts) > 4
    assert [name for name, script in scripts if "${{" in script] == []


def test_every_action_is_pinned_and_only_the_forge_s_own_are_used() -> None:
    used = {step["uses"] for _, step in steps() if "uses" in step} - {"./.github/nomicgen"}
    used |= {
        step["uses"]
        for step in yaml.safe_load((GITHUB / OURS / "action.yml").read_text())["runs"]["steps"][:1]
    }
    assert all(PINNED.fullmatch(one) and one.startswith("actions/") for one in used)
    assert len({one.partition("@")[0] for one in used}) == len(used)
    for path in (*WORKFLOWS, GITHUB / OURS / "action.yml", ROOT / OURS / "action.yml"):
        for line in path.read_text().splitlines():
            if "uses: actions/" in line:
                assert re.search(r"@[0-9a-f]{40} # v\d+\.\d+\.\d+$", line), line


def test_rights_are_given_by_job_and_no_more_than_is_said() -> None:
    given = {}
    for path in WORKFLOWS:
        workflow = yaml.safe_load(path.read_text())
        assert workflow["permissions"] == {}
        assert workflow["cache-mode"] == "none"
        for name, job in workflow["jobs"].items():
            given[f"{path.stem}/{name}"] = " ".join(
                f"{key}:{level}" for key, level in job["permissions"].items()
            )
    assert given == {
        "answer/answer": "contents:read pull-requests:write",
        "machinery/approval": "contents:read pull-requests:read",
        "machinery/judge": "contents:read pull-requests:write",
        "play/play": "contents:write issues:read pull-requests:read",
        "play/answer": "contents:read pull-requests:write",
        "play/publish": "contents:read pages:write id-token:write",
        "publish/build": "contents:read",
        "publish/deploy": "pages:write id-token:write",
        "pull-request/check": "contents:read",
        "pull-request/answer": "contents:read pull-requests:write",
    }


def test_only_the_job_that_makes_the_site_installs_what_makes_it() -> None:
    """Not the one that may commit, and not the one that judges."""
    installs = [
        (name, step.get("with"))
        for name, step in steps()
        if step.get("uses") == "./.github/nomicgen"
    ]
    assert sorted(installs, key=str) == [
        ("play.yml", None),
        ("publish.yml", {"site": True}),
        ("pull-request.yml", None),
    ]


def test_what_posts_checks_out_the_default_branch_alone_and_installs_nothing() -> None:
    uses = [
        step for name, step in steps() if name in ("answer.yml", "machinery.yml") and "uses" in step
    ]
    assert [step["uses"].partition("@")[0] for step in uses] == [
        "actions/checkout",
        "actions/download-artifact",
        "actions/checkout",
    ]
    assert [step["with"] for step in uses[::2]] == [{"persist-credentials": False}] * 2


def test_no_workflow_names_a_secret_or_the_head_s_branch() -> None:
    # The comment links to the branch; as a value in the environment it is data, and nothing of it
    # is fetched.
    linked = "      BRANCH: ${{ github.event.pull_request.head.ref }}\n"
    for path in WORKFLOWS:
        text = path.read_text().replace(linked, "", 1 if path.name == "pull-request.yml" else 0)
        assert not re.search(r"\bsecrets\.|head_ref|head\.ref|refs/pull", text), path.name


def tool(*words: str) -> subprocess.CompletedProcess[str]:
    """Runs a program that lies beside Python."""
    program = Path(sys.executable).with_name(words[0])
    return subprocess.run(
        [str(program), *words[1:]], cwd=ROOT, capture_output=True, encoding="utf-8"
    )


@pytest.mark.parametrize("scaffolded", [False, True])
def test_zizmor_and_actionlint_have_nothing_to_say(scaffolded: bool, tmp_path: Path) -> None:
    place = ROOT
    if scaffolded:
        place = tmp_path
        begun(place)
    inputs = [str(place / ".github")]
    audited = tool(
        "zizmor",
        "--offline",
        "--no-progress",
        "--quiet",
        "--persona=pedantic",
        "--strict-collection",
        *inputs,
    )
    assert (audited.returncode, audited.stderr) == (0, ""), audited.stdout
    files = map(str, (place / ".github" / "workflows").glob("*.yml"))
    linted = tool("actionlint", "-shellcheck=", "-pyflakes=", *files)
    assert (linted.returncode, linted.stdout) == (0, ""), linted.stderr


def test_what_is_not_audited_has_a_reason() -> None:
    for path in (*WORKFLOWS, GITHUB / OURS / "action.yml", ROOT / OURS / "action.yml"):
        for line in path.read_text().splitlines():
            if "zizmor:" in line:
                reason = re.search(r"# zizmor: ignore\[[a-z-]+\] (.+)$", line)
                assert reason is not None, line
                assert len(reason[1].split()) > 5


def test_git_gets_the_token_from_the_environment(tmp_path: Path) -> None:
    """A private game's commits can be fetched, though no token is on the disk."""
    filled = subprocess.run(
        [*GIT, "credential", "fill"],
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "GH_TOKEN": "s3cret"},
        input="protocol=https\nhost=github.com\n\n",
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert "username=x-access-token\npassword=s3cret\n" in filled.stdout


@pytest.mark.nightly
def test_a_quiet_build_of_a_new_game_says_nothing(tmp_path: Path) -> None:
    """Material prints a notice of its own where the program is called `mkdocs`."""
    begun(tmp_path, "--forge", "none", "--commit")
    environment = {key: value for key, value in os.environ.items() if key != "NO_MKDOCS_2_WARNING"}
    program = Path(sys.executable).with_name("mkdocs")
    done = subprocess.run(
        [str(program), "build", "-q", "--site-dir", str(tmp_path / "site")],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
