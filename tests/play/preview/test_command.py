"""`nomicgen proposal preview`: what a reader types and sees, in cases of files; and what it must never do.

A case of `cases/`: `asked.txt` has the exit status and the command line, `game/` files that lie over the
small game of `tests/base.txt`, `outside/` files in the directory where the command is typed, `stdin.md` what is
piped in. `text.txt`, `markdown.md` and `json.json` are what is printed in each form, as far as they are there.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from nomicgen.cli.program import main
from nomicgen.files.documents import read_instrument
from nomicgen.law.checks.run import ruleset_files
from nomicgen.model.values import Moment
from nomicgen.play.load import load_tree
from nomicgen.repository.game_tree import read_tree
from tests.case_files import case_folder, case_names
from tests.explain_pages import BASE
from tests.support import voted

CASES = Path(__file__).parent / "cases"
FORMS = {"text": "text.txt", "markdown": "markdown.md", "json": "json.json"}
ON = "2026-02-01"


def laid_out(case: Path, folder: Path) -> Path:
    """The game of a case, with digests and `rules/` as the rest gives them; the command is typed beside it."""
    root = folder / "game"
    shutil.copytree(BASE, root)
    shutil.copytree(case / "game", root, dirs_exist_ok=True) if (case / "game").is_dir() else None
    for file in root.glob("proposals/*.md"):
        data = file.read_bytes()
        instrument, _ = read_instrument(f"proposals/{file.name}", data.replace(b"DIGEST", b"0" * 64))
        assert instrument is not None
        file.write_bytes(data.replace(b"DIGEST", voted(instrument).encode()))
    for file in root.glob("rules/*.md"):
        file.unlink()
    game = load_tree(root, read_tree(root), Moment.parse(ON))
    for path, data in ruleset_files(game.replay.current).items():
        (root / path).write_bytes(data)
    shutil.copytree(case / "outside", folder, dirs_exist_ok=True) if (case / "outside").is_dir() else None
    return root


def shown(case: Path, form: str, folder: Path) -> tuple[int, str]:
    """The exit status and the output of a case's command, typed in `folder`."""
    laid_out(case, folder)
    line = (case / "asked.txt").read_text("utf-8").split()[1:]
    feed = (case / "stdin.md").read_bytes() if (case / "stdin.md").is_file() else None
    done = CliRunner().invoke(main, ["-C", "game", *line, "--on", ON, "--format", form], input=feed)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("case", case_names(CASES))
def test_a_preview_says_this(case: str, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = case_folder(CASES, case) / FORMS[form]
    monkeypatch.chdir(tmp_path)
    status, output = shown(case_folder(CASES, case), form, tmp_path)
    assert status == int((case_folder(CASES, case) / "asked.txt").read_text("utf-8").split()[0])
    if expected.is_file():
        assert output == expected.read_text("utf-8")


def snapshot(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.mark.parametrize("form", FORMS)
def test_a_preview_writes_nothing(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shown(case_folder(CASES, "others"), form, tmp_path)
    before = snapshot(tmp_path)
    done = CliRunner().invoke(main, ["-C", "game", "proposal", "preview", "303", "--on", ON, "--format", form])
    assert done.exit_code == 0
    assert snapshot(tmp_path) == before


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return laid_out(case_folder(CASES, "others"), tmp_path)


def run(*line: str, feed: bytes | None = None) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["-C", "game", "proposal", "preview", *line, "--on", ON], input=feed)
    return done.exit_code, done.output


def test_a_proposal_of_the_game_has_many_names(game: Path) -> None:
    told = run("303")
    assert told[0] == 0
    assert run("game/proposals/303.md") == told
    status, output = run("-", feed=(game / "proposals/303.md").read_bytes())
    assert (status, output) == told
    draft = run("quiet")
    assert draft == run("game/proposals/quiet.md")
    assert draft[1].startswith("What the draft proposals/quiet.md, as Proposal 309, would do\n")


def test_another_version_of_a_proposal_takes_its_place(game: Path) -> None:
    changed = (game / "proposals/303.md").read_text("utf-8").replace("with its oil", "with oil and matches")
    Path("elsewhere.md").write_text(changed, "utf-8")
    status, output = run("elsewhere.md")
    assert status == 0
    assert "{+, with oil and matches+}" in output
    assert "Proposal 303," not in output


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("301", "error: Proposal 301 is adopted already\n"),
        ("777", "error: there is no proposal 777, and no such file\n"),
        ("nobody", "error: there is no proposal nobody, and no such file\n"),
        ("game/rules/201.md", "error: rules/201.md is no proposal\n"),
        ("game/players/wren.yml", "error: players/wren.yml is no proposal\n"),
        ("game/proposals/302.md", "error: Proposal 302 is adopted already\n"),
    ],
)
def test_what_cannot_be_previewed(line: str, said: str, game: Path) -> None:
    status, output = run(line)
    assert status == 2
    assert output.startswith(said)
    assert "\nhelp: " in output


def test_a_file_cannot_say_that_it_was_decided(game: Path) -> None:
    there = (game / "proposals/303.md").read_text("utf-8")
    for status in ("adopted", "defeated", "withdrawn", "void"):
        Path("new.md").write_text(there.replace("status: debate", f"status: {status}"), "utf-8")
        assert run("new.md")[1].startswith(f"error: new.md is {status} already\n")
    Path("new.md").write_text(there.replace("number: 303", "number: 302"), "utf-8")
    assert run("new.md")[1].startswith("error: Proposal 302 is adopted already\n")
