"""A pull request is checked as data, by the base, and answered by a job that does nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.pulls.forge.conftest import Playing, draft
from tests.pulls.forge.forge import Event
from tests.pulls.forge.runner import Run
from tests.support import GitRepo

pytestmark = pytest.mark.deep

MARKER = "<!-- nomicgen:comment -->"


def only(runs: list[Run]) -> Run:
    """The one run that an event started, whose jobs were not skipped."""
    (run,) = [one for one in runs if any(job.result != "skipped" for job in one.jobs.values())]
    return run


def test_a_draft_is_answered_with_a_comment(playing: Playing) -> None:
    forge, runner = playing
    number, event = forge.open("wren-plays", {"proposals/tea.md": draft()})
    run = only(runner.start(event))
    assert run.results == {"check": "success", "answer": "success", "answer / answer": "success"}, (
        run.log
    )
    (comment,) = forge.bodies(number)
    assert comment.startswith(f"{MARKER}\n")
    assert "\n/open\n" in comment
    assert forge.subjects() == ["Begin Tea"]


def test_a_sentence_is_answered_with_a_whole_file_whose_law_is_to_be_written(
    playing: Playing,
) -> None:
    forge, runner = playing
    number, event = forge.open("wren-plays", {"proposals/tea.md": "There is tea.\n"})
    run = only(runner.start(event))
    assert run.results == {"check": "failure", "answer": "success", "answer / answer": "success"}, (
        run.log
    )
    (comment,) = forge.bodies(number)
    body = "There is tea.\n\n## Enact Rule: Tea\n\nThe full text of the new rule.\n"
    assert f"\ntitle: Tea\nauthor: wren\nstatus: draft\n---\n\n{body}```\n" in comment
    assert "](<https://github.com/wren-plays/game/edit/patch-1/proposals/tea.md>)" in comment


@pytest.mark.nightly
def test_a_later_commit_brings_the_comment_up_to_date(playing: Playing) -> None:
    forge, runner = playing
    number, event = forge.open("wren-plays", {"proposals/tea.md": draft()})
    runner.start(event)
    before = forge.bodies(number)
    run = only(
        runner.start(
            forge.update(number, {"proposals/tea.md": draft(body="## Repeal Rule 999/0\n")})
        )
    )
    assert run.results == {"check": "failure", "answer": "success", "answer / answer": "success"}, (
        run.log
    )
    (comment,) = forge.bodies(number)
    assert comment != before[0]
    assert re.search(r"^::error file=proposals/tea\.md,line=\d+.*999", run.log, re.MULTILINE), (
        run.log
    )


@pytest.mark.nightly
def test_the_same_again_posts_nothing(playing: Playing) -> None:
    forge, runner = playing
    _, event = forge.open("wren-plays", {"proposals/tea.md": draft()})
    runner.start(event)
    before = forge.load()["comments"]
    forge.later(hours=1)
    run = only(runner.start(event))
    assert run.results["answer / answer"] == "success"
    assert forge.load()["comments"] == before


@pytest.mark.nightly
def test_an_older_run_does_not_answer_for_a_newer_commit(playing: Playing) -> None:
    forge, runner = playing
    number, event = forge.open("wren-plays", {"proposals/tea.md": draft()})
    newer = forge.update(number, {"proposals/tea.md": draft("Cocoa")})
    # The event of the first commit is worked on when the second is there already.
    event.payload["pull_request"]["head"] = {
        "sha": forge.bare("rev-parse", f"refs/pull/{number}/head~1")
    }
    run = only(runner.start(event))
    assert "there is a newer commit" in run.jobs["answer / answer"].log
    assert forge.bodies(number) == []
    runner.start(newer)
    assert "Cocoa" in forge.bodies(number)[0]


@pytest.mark.deep
def test_two_comments_become_one(playing: Playing) -> None:
    forge, runner = playing
    _, event = forge.open("wren-plays", {"proposals/tea.md": draft()})
    runner.start(event)
    state = forge.load()
    (first,) = state["comments"].values()
    state["comments"]["9000"] = {**first, "id": 9000}
    forge.save(state)
    runner.start(event)
    assert list(forge.load()["comments"]) == [str(first["id"])]


@pytest.mark.nightly
def test_somebody_else_s_comment_with_the_marker_is_left_alone(playing: Playing) -> None:
    forge, runner = playing
    number, event = forge.open("wren-plays", {"proposals/tea.md": draft()})
    forge.comment(number, "quill-writes", f"{MARKER}\nadopted, says the bot")
    runner.start(event)
    comments = [
        (one["user"]["login"], one["body"][:60]) for one in forge.load()["comments"].values()
    ]
    assert comments[0] == ("quill-writes", f"{MARKER}\nadopted, says the bot")
    assert [login for login, _ in comments] == ["quill-writes", "github-actions[bot]"]


@pytest.mark.nightly
def test_the_workflow_and_the_judge_are_the_base_s(playing: Playing) -> None:
    forge, runner = playing
    evil = {
        "proposals/tea.md": draft(),
        ".github/workflows/pull-request.yml": "on: pull_request_target\njobs: {}\n",
        ".github/nomicgen/action.yml": "runs: {using: composite, steps: [{run: 'echo pwned', "
        "shell: bash}]}\n",
        "nomicgen/__init__.py": "print('pwned')\n",
        "sitecustomize.py": "print('pwned')\n",
        ".github/nomicgen/requirements.txt": "pwned\n",
    }
    _, event = forge.open("wren-plays", evil)
    run = only(runner.start(event))
    assert run.results == {"check": "failure", "answer": "success", "answer / answer": "success"}, (
        run.log
    )
    assert "pwned" not in run.log
    workspace = run.folder / "check" / "workspace"
    assert not (workspace / "sitecustomize.py").exists()
    assert not (workspace / "proposals/tea.md").exists()
    assert GitRepo(workspace).git("status", "--porcelain") == "?? replies/"


def test_what_a_player_wrote_is_no_command_of_the_runner(playing: Playing) -> None:
    forge, runner = playing
    title = "::error::pwned ##[add-mask]tea %0A::warning::pwned"
    body = (
        "::error::pwned\n##[error]pwned\n\n## Enact Rule: ::stop-commands::x\n\n::add-mask::tea\n"
    )
    _, event = forge.open("wren-plays", {"proposals/tea.md": draft(f"'{title}'", body=body)})
    run = only(runner.start(event))
    log = re.sub(r"(?ms)^::stop-commands::(\w{32})$.*?^::\1::$", "", run.log)
    assert log.count("::stop-commands::") == 0
    assert not re.search(
        r"(?m)^\s*(?:::|##\[)(?!error file=|warning file=|notice ::|notice file=).*pwned", log
    ), log


def test_shell_in_an_account_s_or_a_branch_s_name_stays_text(playing: Playing) -> None:
    forge, runner = playing
    _, event = forge.open(
        "$(touch pwned)", {"proposals/tea.md": draft()}, title="`touch pwned`; touch pwned"
    )
    run = only(runner.start(event))
    assert run.results == {"check": "failure", "answer": "skipped"}, run.log
    assert not list(run.folder.rglob("pwned"))


@pytest.mark.nightly
def test_a_program_s_account_is_an_account(playing: Playing) -> None:
    forge, runner = playing
    number, event = forge.open(
        "renovate[bot]", {".github/nomicgen/requirements.txt": "nomicgen==9.0\n"}
    )
    run = only(runner.start(event))
    assert run.results == {"check": "failure", "answer": "success", "answer / answer": "success"}, (
        run.log
    )
    assert "machinery" in forge.bodies(number)[0]


@pytest.mark.nightly
def test_dependabot_is_judged_and_not_answered(playing: Playing) -> None:
    """Its runs have a token that may only read, whatever a job asks for."""
    forge, runner = playing
    _, event = forge.open(
        "dependabot[bot]", {".github/nomicgen/requirements.txt": "nomicgen==9.0\n"}
    )
    assert only(runner.start(event)).results == {"check": "failure", "answer": "skipped"}


@pytest.mark.nightly
def test_a_pull_request_that_comes_to_the_default_branch_is_judged(playing: Playing) -> None:
    forge, runner = playing
    number, event = forge.open("wren-plays", {"proposals/tea.md": draft()})
    event.payload["action"] = "edited"
    event.payload["changes"] = {"title": {"from": "Coffee"}}
    assert {job.result for run in runner.start(event) for job in run.jobs.values()} == {"skipped"}
    event.payload["changes"] = {"base": {"ref": {"from": "wip"}}}
    assert only(runner.start(event)).results["check"] == "success"
    assert len(forge.bodies(number)) == 1


def test_other_labels_and_other_branches_start_nothing(playing: Playing) -> None:
    forge, runner = playing
    forge.bare("branch", "wip", forge.branch)
    number, event = forge.open("wren-plays", {"proposals/tea.md": draft()}, base="wip")
    assert {job.result for run in runner.start(event) for job in run.jobs.values()} == {"skipped"}
    assert {
        job.result for run in runner.start(forge.label(number, "vote")) for job in run.jobs.values()
    } == {"skipped"}
    assert forge.bodies(number) == []


@pytest.mark.nightly
def test_a_run_for_a_commit_is_replaced_by_none_but_a_newer_one(playing: Playing) -> None:
    forge, runner = playing
    number, event = forge.open("wren-plays", {"proposals/tea.md": draft()})
    newer = forge.update(number, {"proposals/tea.md": draft("Cocoa")})
    events = [event, newer, Event(newer.name, {**newer.payload, "action": "reopened"})]
    groups = [
        run.group
        for one in events
        for run in runner.start(one)
        if run.workflow == "pull-request.yml"
    ]
    assert groups[1] == f"pull-request-{number}-commit"
    assert len(set(groups)) == 3


@pytest.mark.nightly
def test_the_default_branch_may_have_any_name(begin: Callable[..., Playing]) -> None:
    forge, runner = begin(branch="trunk")
    number, event = forge.open("wren-plays", {"proposals/tea.md": draft()})
    run = only(runner.start(event))
    assert run.results["check"] == "success", run.log
    assert len(forge.bodies(number)) == 1


@pytest.mark.deep
def test_the_answer_is_tried_again_when_the_forge_fails(playing: Playing) -> None:
    forge, runner = playing
    number, event = forge.open("wren-plays", {"proposals/tea.md": draft()})
    state = forge.load()
    forge.save({**state, "trouble": ["POST .*/comments"]})
    run = only(runner.start(event))
    assert run.results == {"check": "success", "answer": "failure", "answer / answer": "failure"}
    assert f"::error::pull request {number} could not be answered" in run.log
    assert only(runner.start(event)).results["answer"] == "success"
    assert len(forge.bodies(number)) == 1
