"""`nomicgen proposal preview --base`: the comment on a pull request, in cases of files.

A case of `comments/`: `asked.txt` has the exit status and what is typed after `preview --base main --head
pull`, `game/` files that lie over the small game of `tests/base.txt` on the base, `pull/` those of the pull
request. `comment.md`, `text.txt` and `json.json` are what is printed in each form, as far as they are there.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from nomicgen.cli.program import main
from tests.case_files import case_folder, case_names
from tests.cli.playing import snapshot
from tests.deep import sampled
from tests.play.preview.test_command import laid_out
from tests.support import GitRepo

CASES = Path(__file__).parent / "comments"
FORMS = {"markdown": "comment.md", "text": "text.txt", "json": "json.json"}
ON = "2026-02-01"


def made(case: Path, folder: Path) -> Path:
    """A repository with the case's base at `main` and its pull request at `pull`; nothing of that is checked out."""
    root = laid_out(case, folder)
    repo = GitRepo(root)
    repo.commit("Base")
    repo.git("checkout", "--quiet", "-b", "pull")
    files = sorted(path for path in (case / "pull").rglob("*") if path.is_file())
    repo.commit("Pull", {path.relative_to(case / "pull").as_posix(): path.read_bytes() for path in files})
    repo.git("checkout", "--quiet", "main")
    return root


def typed(root: Path, *line: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["-C", str(root), "proposal", "preview", *line, "--on", ON])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


def asked(case: Path) -> tuple[int, list[str]]:
    status, *line = (case / "asked.txt").read_text("utf-8").split()
    return int(status), line


@pytest.mark.parametrize("case", sampled(case_names(CASES), every=4))
def test_the_comment_on_a_pull_request(case: str, tmp_path: Path) -> None:
    root = made(case_folder(CASES, case), tmp_path)
    status, line = asked(case_folder(CASES, case))
    for form, name in FORMS.items():
        got = typed(root, "--base", "main", "--head", "pull", *line, "--format", form)
        assert got[0] == status, got[1]
        expected = case_folder(CASES, case) / name
        if form == "markdown" or expected.is_file():
            assert got[1] == expected.read_text("utf-8")


def test_a_pull_request_is_never_checked_out(tmp_path: Path) -> None:
    root = made(case_folder(CASES, "hostile"), tmp_path)
    before = snapshot(root)
    typed(root, "--base", "main", "--head", "pull", "--format", "markdown")
    assert snapshot(root) == before


def test_without_a_head_it_is_what_lies_on_the_disk(tmp_path: Path) -> None:
    root = made(case_folder(CASES, "draft"), tmp_path)
    told = typed(root, "--base", "main", "--head", "pull", "--format", "markdown")
    GitRepo(root).git("checkout", "--quiet", "pull")
    assert typed(root, "--base", "main", "--format", "markdown") == told
    assert "### ✅ This proposal is legal\n" in told[1]


@pytest.mark.parametrize(
    "line",
    [(), ("303", "--base", "main"), ("303", "--head", "pull"), ("303", "--discussion", "x"), ("303", "--machinery")],
)
def test_one_thing_is_shown_at_a_time(line: tuple[str, ...], tmp_path: Path) -> None:
    status, output = typed(made(case_folder(CASES, "open"), tmp_path), *line)
    assert status == 2
    assert output.startswith("Usage: ")


def test_a_commit_that_is_not_there(tmp_path: Path) -> None:
    status, output = typed(made(case_folder(CASES, "open"), tmp_path), "--base", "nowhere")
    assert status == 2
    assert "nowhere" in output
    assert "help: " in output


def changed(root: Path, files: dict[str, str | bytes | None], *line: str) -> tuple[int, str]:
    """The comment after one more commit on the pull request."""
    repo = GitRepo(root)
    repo.git("checkout", "--quiet", "pull")
    repo.commit("More", files)
    repo.git("checkout", "--quiet", "main")
    return typed(root, "--base", "main", "--head", "pull", *line, "--format", "markdown")


def test_a_draft_that_says_of_itself_that_it_is_adopted(tmp_path: Path) -> None:
    root = made(case_folder(CASES, "draft"), tmp_path)
    draft = (case_folder(CASES, "draft") / "pull/proposals/oil.md").read_text("utf-8")
    status, comment = changed(root, {"proposals/oil.md": draft.replace("status: draft", "status: adopted")})
    assert status == 1
    assert "### ❌ This proposal cannot go to the vote as it is\n" in comment
    assert "is adopted already" not in comment


def test_a_draft_that_is_taken_back_changes_nothing(tmp_path: Path) -> None:
    status, comment = changed(made(case_folder(CASES, "draft"), tmp_path), {"proposals/oil.md": None})
    assert status == 0
    assert "### ℹ️ This pull request changes nothing\n" in comment


def test_a_draft_in_debate_whose_keys_share_a_line_is_shown_as_it_would_be_taken(tmp_path: Path) -> None:
    root = made(case_folder(CASES, "debate"), tmp_path)
    body = (case_folder(CASES, "debate") / "pull/proposals/oil.md").read_text("utf-8").partition("\n---\n")[2]
    flow = "---\n{title: Oil, author: wren, date: 2026-01-31, status: draft}\n---\n" + body
    line = asked(case_folder(CASES, "debate"))[1]
    status, comment = changed(root, {"proposals/oil.md": flow}, *line)
    assert "### 💬 Proposal 303 is in debate\n" in comment
    assert "+ , with oil and wick\n" in comment
    assert status == 0


def test_another_address_is_another_discussion(tmp_path: Path) -> None:
    root = made(case_folder(CASES, "open"), tmp_path)
    status, comment = typed(root, "--base", "main", "--head", "pull", "--discussion", "x", "--format", "markdown")
    assert status == 0
    assert "### ✅ This proposal is legal\n" in comment
    assert "- Proposal 303, open:\n" in comment
