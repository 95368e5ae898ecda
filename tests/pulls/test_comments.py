"""`nomicgen proposal preview --base`: the comment on a pull request, in cases of files, and as text
and JSON.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from msgspec.structs import replace

from nomicgen.cli.program import main
from nomicgen.formats.documents import document_schema
from nomicgen.formats.styled_text import style_text, without_style
from nomicgen.history.past.effects_between import Effects, StateDifference
from nomicgen.play.next_step import NextStep
from nomicgen.play.refusal import Refused, Wait
from nomicgen.pulls.as_json import PULL, pull_json
from nomicgen.pulls.as_json import VERDICT as VERDICT_SHAPE
from nomicgen.pulls.as_markdown import comment_markdown
from nomicgen.pulls.as_text import verdict_text
from nomicgen.pulls.report import PullReport
from nomicgen.pulls.request import PullVerdict
from tests.case_files import case_folder, case_names
from tests.cli.playing import snapshot
from tests.deep import sampled
from tests.play.preview.test_command import laid_out
from tests.pulls.comments import (
    DRAFT,
    OPEN,
    STANDINGS,
    VERDICT,
    WRONG,
    effects_of,
    previewed,
)
from tests.support import GitRepo

CASES = Path(__file__).parent / "comments"
FORMS = {"markdown": "comment.md", "text": "text.txt", "json": "json.json"}
ON = "2026-02-01"


def made(case: Path, folder: Path) -> Path:
    """A repository with the case's base at `main` and its pull request at `pull`; nothing of that
    is checked out.
    """
    root = laid_out(case, folder)
    repo = GitRepo(root)
    repo.commit("Base")
    repo.git("checkout", "--quiet", "-b", "pull")
    files = sorted(path for path in (case / "pull").rglob("*") if path.is_file())
    repo.commit(
        "Pull", {path.relative_to(case / "pull").as_posix(): path.read_bytes() for path in files}
    )
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
    [
        (),
        ("303", "--base", "main"),
        ("303", "--head", "pull"),
        ("303", "--discussion", "x"),
        ("303", "--machinery"),
    ],
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
    status, comment = changed(
        root, {"proposals/oil.md": draft.replace("status: draft", "status: adopted")}
    )
    assert status == 1
    assert "### ❌ This proposal cannot go to the vote as it is\n" in comment
    assert "is adopted already" not in comment


def test_a_draft_that_is_taken_back_changes_nothing(tmp_path: Path) -> None:
    status, comment = changed(
        made(case_folder(CASES, "draft"), tmp_path), {"proposals/oil.md": None}
    )
    assert status == 0
    assert "### ℹ️ This pull request changes nothing\n" in comment


def test_a_draft_in_debate_whose_keys_share_a_line_is_shown_as_it_would_be_taken(
    tmp_path: Path,
) -> None:
    root = made(case_folder(CASES, "debate"), tmp_path)
    body = (
        (case_folder(CASES, "debate") / "pull/proposals/oil.md")
        .read_text("utf-8")
        .partition("\n---\n")[2]
    )
    flow = "---\n{title: Oil, author: wren, date: 2026-01-31, status: draft}\n---\n" + body
    line = asked(case_folder(CASES, "debate"))[1]
    status, comment = changed(root, {"proposals/oil.md": flow}, *line)
    assert "### 💬 Proposal 303 is in debate\n" in comment
    assert "+ , with oil and wick\n" in comment
    assert status == 0


def test_another_address_is_another_discussion(tmp_path: Path) -> None:
    root = made(case_folder(CASES, "open"), tmp_path)
    status, comment = typed(
        root, "--base", "main", "--head", "pull", "--discussion", "x", "--format", "markdown"
    )
    assert status == 0
    assert "### ✅ This proposal is legal\n" in comment
    assert "- Proposal 303, open:\n" in comment


def test_a_verdict_as_text() -> None:
    verdict = replace(
        VERDICT, findings=(WRONG,), old=(WRONG, WRONG), paths=(DRAFT, "a\x1b[31m\nb.md")
    )
    assert [without_style(one) for one in verdict_text(verdict)] == [
        "players/wren.yml:2:1: error[value-wrong]: no such day\n  help: correct it",
        "",
        "It is a proposal: proposals/oil.md, a\\x1b[31m b.md",
        "from wren-of-the-wharf, who plays as wren",
        "2 findings of the base not shown: nomicgen check",
        "refused: 1 error, 0 warnings",
    ]
    many = replace(
        VERDICT, actor="quill9", players=(), paths=tuple(f"{number}.md" for number in range(14))
    )
    shown = ", ".join(f"{number}.md" for number in range(12))
    assert [without_style(one) for one in verdict_text(many)] == [
        f"It is a proposal: {shown} and 2 more",
        "from quill9, who is no player",
        "nothing is wrong with it",
    ]
    warned = PullVerdict(kind="nothing", paths=(), findings=(replace(WRONG, slug="text-lost"),))
    assert [without_style(one) for one in verdict_text(warned)][2:] == [
        "It is nothing that changes the game",
        "not refused: 1 warning",
    ]


def test_what_comes_about_says_what_permits_it() -> None:
    made = effects_of("wren", "marl joins", "Rule 302 becomes mutable")
    many = StateDifference(
        what="void", before=(), after=tuple(f"{number}/0" for number in range(201, 220))
    )
    verdict = PullVerdict(
        kind="act", paths=(), effects=replace(made, differences=(*made.differences, many))
    )
    licence = "Rule 203/1, 3 for; all eligible voters (3): 3 needed"
    assert [without_style(one) for one in verdict_text(verdict)] == [
        "It is an act",
        "",
        "What it brings about",
        "  wren: 5 → 105 points (marl joins) — no rule permits it",
        f"  Rule 302 becomes mutable — {licence}; {licence}",
        "  marl joins — no provision speaks of it",
        "  points of wren: 5 -> 105",
        "  won by: none -> marl joins, Rule 302 becomes mutable",
        "  next turn: Rule 302 becomes mutable -> none",
        "  may vote: 1 -> 2, with 2marl joins, 3Rule 302 becomes mutable, without 1wren",
        "  rules without force: 0 -> 19, with "
        f"{', '.join(f'{number}/0' for number in range(201, 213))} and 7 more",
        "  amending a mutable rule: becomes impossible: Rule 103 forbids it",
        "",
        "nothing is wrong with it",
    ]
    *_, last, blank, _ = verdict_text(replace(verdict, effects=Effects(effects=made.effects * 200)))
    assert (without_style(last), without_style(blank)) == ("  and 100 more effects", "")
    licence_lacks = "  wren: 5 → 105 points (marl joins) — no rule permits it"
    assert style_text(licence_lacks, "bold red") in verdict_text(verdict)
    assert "\n- ❌ `wren: 5 → 105 points (marl joins)` — no rule permits it\n" in comment_markdown(
        verdict, PullReport()
    )


def test_what_a_draft_waits_for_is_said_though_the_heading_has_something_else() -> None:
    waits = Wait(subject="The game", predicate="has errors; this waits until they are corrected")
    step = NextStep(kind="register", refused=Refused("wrong", waits=waits))
    questioned = replace(previewed(), next_step=step, findings=(replace(WRONG, slug="text-cut"),))
    comment = comment_markdown(VERDICT, PullReport(preview=questioned), asked=True)
    assert comment.count(waits.words) == 1
    assert (
        f"- {waits.words}.\n- Its author has asked for the vote.\n- Then it gets its number by "
        "itself" in comment
    )
    headed = comment_markdown(VERDICT, PullReport(preview=replace(questioned, findings=())))
    assert headed.count(waits.words) == 1


@pytest.mark.parametrize("name", [None, *STANDINGS])
def test_a_pull_request_as_json_is_of_its_schema(name: str | None) -> None:
    standing = STANDINGS[name] if name else None
    verdict = replace(VERDICT, findings=(WRONG,), old=(WRONG,), effects=effects_of("x", "y", "z"))
    told = pull_json(
        verdict, PullReport(preview=None if name == "void" else previewed(), standing=standing)
    )
    assert list(told) == list(PULL.keys)
    assert list(Draft202012Validator(document_schema(PULL, "x")).iter_errors(told)) == []
    assert told["verdict"] == VERDICT_SHAPE.write(verdict)
    assert (
        list(Draft202012Validator(document_schema(VERDICT_SHAPE, "x")).iter_errors(told["verdict"]))
        == []
    )
    assert (told["verdict"]["refused"], told["verdict"]["kind"]) == (True, "proposal")
    assert [one["slug"] for one in told["verdict"]["old"]] == ["value-wrong"]
    assert json.loads(json.dumps(told)) == told


def test_json_has_every_vote() -> None:
    standing = pull_json(VERDICT, PullReport(standing=OPEN))["standing"]
    assert standing["ballots"][1] == {
        "player": "quill",
        "choice": "against",
        "at": "2026-02-02T10:00",
        "url": "https://github.com/o/g/pull/7#c1",
    }
    assert [one["login"] for one in standing["strays"]] == ["Tallow-`s`-twin", None, "quill9"]
    assert (standing["status"], standing["closes"], standing["missing"]) == (
        "open",
        "2026-02-08T18:30",
        ["tallow"],
    )
