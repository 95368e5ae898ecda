"""The runner itself: what it takes for true, and that it refuses what the forge would refuse."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from zipfile import ZipFile

import pytest

from nomicgen.pulls.forge.workflow import Failed, commands_stopped, one_line, run_step
from tests.pulls.forge.acting import STAND_INS, TOKEN, acted
from tests.pulls.forge.conftest import draft, pushed
from tests.pulls.forge.expressions import evaluated, holds
from tests.pulls.forge.forge import Forge
from tests.pulls.forge.runner import Job, Runner, nowhere
from tests.support import ROOT, GitRepo

CONTEXTS: dict[str, Any] = {
    "github": {
        "event": {"label": None, "labels": [{"name": "Machinery"}, {"name": "vote"}]},
        "event_name": "push",
    },
    "needs": {"play": {"outputs": {"pushed": "true"}}},
    "success": True,
}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("${{ github.event_name }}", "push"),
        ("a-${{ github.event_name }}-${{ github.event.label.name }}", "a-push-"),
        ("${{ github.event.label.name || 'machinery' }}", "machinery"),
        ("${{ github.event.label.name == '' }}", True),
        ("${{ github.event.missing.deep == null }}", True),
        ("${{ contains(github.event.labels.*.name, 'machinery') }}", True),
        ("${{ contains(github.event.labels.*.name, 'machine') }}", False),
        ("${{ contains('Say /VOTE', '/vote') }}", True),
        ("${{ github.event_name == 'PUSH' && 'yes' || 'no' }}", "yes"),
        ("${{ github.event_name != 'push' && 'yes' || '' }}", ""),
        ("${{ !cancelled() && needs.play.outputs.pushed == 'true' }}", True),
        ("${{ 'a' == 'b' || 'c' == 'd' && 'e' == 'e' }}", False),
        ("${{ ('a' == 'a' || 'c' == 'd') && 'e' == 'f' }}", False),
        ("${{ format('nothing-{0}', 'it''s') }}", "nothing-it's"),
        ("${{ startsWith('refs/heads/main', 'refs/heads/') }}", True),
        ("plain", "plain"),
    ],
)
def test_an_expression_is_what_the_forge_makes_of_it(text: str, value: object) -> None:
    assert evaluated(text, CONTEXTS) == value


@pytest.mark.parametrize(
    "text", ["${{ }}", "${{ a b }}", "${{ 'a' == }}", "${{ unknown }}", "${{ (1 }}", "${{ $ }}"]
)
def test_what_is_no_expression_is_an_error(text: str) -> None:
    with pytest.raises((ValueError, KeyError, IndexError)):
        evaluated(text, CONTEXTS)


def test_a_condition_asks_for_success_unless_it_asks_for_another_status() -> None:
    failed = {**CONTEXTS, "success": False}
    assert holds(None, CONTEXTS)
    assert not holds(None, failed)
    assert not holds("github.event_name == 'push'", failed)
    assert holds("${{ !cancelled() && github.event_name == 'push' }}", failed)
    assert holds("failure()", failed)
    assert not holds("failure()", CONTEXTS)


def ran(
    tmp_path: Path, permissions: dict[str, str], *scripts: str, shell: str = "bash"
) -> tuple[Forge, Job]:
    """A workflow of one job, on a forge of its own."""
    game = GitRepo(tmp_path / "game")
    forge = Forge(tmp_path / "forge", datetime(2026, 1, 5, tzinfo=UTC))
    env = {"GH_TOKEN": "${{ github.token }}", "TITLE": "${{ github.event.pull_request.title }}"}
    steps: list[dict[str, Any]] = [
        {"name": f"step {at}", "run": text, "env": env} for at, text in enumerate(scripts)
    ]
    checkout = {
        "name": "clone",
        "uses": "actions/checkout@0",
        "with": {"fetch-depth": 0, "persist-credentials": False},
    }
    workflow = {
        True: {"pull_request_target": {"types": ["opened"]}},
        "permissions": {},
        "concurrency": {"group": "one"},
        "defaults": {"run": {"shell": shell}},
        "jobs": {
            "job": {
                "permissions": permissions,
                "steps": [*([checkout] if "contents" in permissions else []), *steps],
            }
        },
    }
    text = json.dumps(workflow).replace('"true": ', '"on": ', 1)
    # `on` without quotes is a truth to a reader of YAML.
    game.commit("Begin", {".github/workflows/one.yml": text.replace('"on": ', "on: ", 1)})
    forge.founded(game)
    _, event = forge.open("wren", {"a.md": "a\n"}, title="$(touch pwned); `touch pwned`")
    (run,) = Runner(forge).start(event)
    return forge, run.jobs["job"]


def test_a_step_that_fails_ends_the_job(tmp_path: Path) -> None:
    _, job = ran(tmp_path, {}, "echo one; false; echo two", "echo three")
    assert (job.result, job.log) == ("failure", "### step 0 (1)\none\n")


@pytest.mark.parametrize(("shell", "result"), [("bash", "failure"), ("", "success")])
def test_only_a_shell_that_is_named_sees_failures_in_front_of_a_pipe(
    tmp_path: Path, shell: str, result: str
) -> None:
    _, job = ran(tmp_path, {}, "false | cat", shell=shell)
    assert job.result == result


@pytest.mark.parametrize(("level", "result"), [("write", "success"), ("read", "failure")])
def test_a_token_may_do_what_it_may_do(tmp_path: Path, level: str, result: str) -> None:
    post = """echo '{"body": "hello"}' |
        gh api --method POST repos/us/game/issues/101/comments --input - --silent"""
    forge, job = ran(tmp_path, {"pull-requests": level}, post)
    assert job.result == result, job.log
    assert forge.bodies(101) == (["hello"] if level == "write" else [])


@pytest.mark.parametrize(("level", "result"), [("write", "success"), ("read", "failure")])
def test_a_push_needs_the_right_to(tmp_path: Path, level: str, result: str) -> None:
    push = """
    git -c user.name=a -c user.email=a@example.org commit --quiet --allow-empty -m More
    git push --quiet origin HEAD:refs/heads/main
    """
    forge, job = ran(tmp_path, {"contents": level}, push)
    assert job.result == result, job.log
    assert forge.subjects() == (["More", "Begin"] if level == "write" else ["Begin"])


def test_no_run_pushes_a_workflow(tmp_path: Path) -> None:
    push = """
    echo 'on: push' > .github/workflows/two.yml
    git add .
    git -c user.name=a -c user.email=a@example.org commit --quiet -m More
    git push --quiet origin HEAD:refs/heads/main
    """
    forge, job = ran(tmp_path, {"contents": "write"}, push)
    assert "refusing to allow" in job.log
    assert forge.subjects() == ["Begin"]


def test_a_token_on_the_disk_is_noticed(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="the token is in"):
        ran(tmp_path, {"contents": "read"}, 'echo "$GH_TOKEN" > kept')


def test_an_expression_in_a_script_is_noticed(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="has an expression in its script"):
        ran(tmp_path, {}, "echo ${{ github.event.pull_request.title }}")


def test_a_title_reaches_a_shell_as_text(tmp_path: Path) -> None:
    _, job = ran(tmp_path, {}, 'echo "$TITLE"')
    assert job.log == "### step 0 (0)\n$(touch pwned); `touch pwned`\n"
    assert not list(tmp_path.rglob("pwned"))


def test_a_clone_has_no_commit_of_a_pull_request(tmp_path: Path) -> None:
    look = """
    if git rev-list --all --objects | grep a.md; then exit 1; fi
    git fetch --quiet origin refs/pull/101/head
    git show FETCH_HEAD:a.md
    """
    _, job = ran(tmp_path, {"contents": "read"}, look)
    assert job.log == "### step 0 (0)\na\n"


# The game's own workflows on a real runner, with the real `gh`: `acting.py` says what that leaves
# untried.


def succeeded(log: str) -> list[str]:
    """The jobs that ran, each of which succeeded."""
    ended = dict(re.findall(r"^\[([^\]]+?) *\] 🏁  Job (\w+)$", log, re.MULTILINE))
    assert log.endswith("act ended with 0\n"), log
    assert set(ended.values()) == {"succeeded"}, log
    return sorted(ended)


@pytest.mark.nightly
def test_a_pull_request_is_answered_then_put_to_the_vote_and_published(
    template: Path, tmp_path: Path
) -> None:
    """The clock is this machine's, so the game's is too; a vote comes to its end in
    `test_play.py`.
    """
    forge = pushed(template, tmp_path)
    forge.now = datetime.now(UTC)
    number, event = forge.open(
        "wren-plays", {"proposals/tea.md": draft()}, title="Tea, $(touch pwned)"
    )
    ran = succeeded(acted(forge, event, tmp_path / "opened"))
    assert ran == ["Answer/Answer/Answer", "Pull request/Check"]
    (before,) = forge.bodies(number)
    assert before.startswith("<!-- nomicgen:comment -->\n")
    assert forge.subjects() == ["Begin Tea"]

    ran = succeeded(acted(forge, forge.comment(number, "wren-plays", "/open"), tmp_path / "asked"))
    publish = ["Publish/Publish/Build the site", "Publish/Publish/Publish the site"]
    assert ran == ["Answer/Answer/Answer", "Play/Play", *publish]
    assert forge.subjects() == ["Register proposal 301: Tea", "Begin Tea"]
    registered = forge.file("proposals/301.md")
    assert "status: debate\n" in registered
    assert f"discussion: https://github.com/us/game/pull/{number}\n" in registered
    (after,) = forge.bodies(number)
    assert after != before
    assert "There is tea." in (tmp_path / "asked/site/proposals/301/index.html").read_text("utf-8")
    for folder in ("opened", "asked"):
        nowhere(TOKEN, *(tmp_path / folder / kept for kept in ("artefacts", "site", "home")))
    assert {f"actions/{one.name}" for one in (tmp_path / "asked/actions/actions").iterdir()} == set(
        STAND_INS
    )
    assert not list(tmp_path.rglob("pwned"))


# The steps of workflows that are modules: what they need, and what the runner hears of them.


STEPS = {
    "play_forge": "python -I -m nomicgen.pulls.forge.",
    "write_comment": "python -I -m nomicgen.pulls.forge.",
    "post_replies": "bash .github/nomicgen/run ",
    "allow_machinery": "bash .github/nomicgen/run ",
}
"""The modules that a workflow starts, and with what."""
RUNS = (ROOT / ".github/nomicgen/run", ROOT / "nomicgen/scaffold/github/.github/nomicgen/run")


@pytest.mark.parametrize("step", STEPS)
def test_a_step_needs_the_standard_library_alone(step: str) -> None:
    """It can be started from the wheel where nothing is installed."""
    script = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import nomicgen.pulls.forge.{step}"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", script], capture_output=True, encoding="utf-8"
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("step", STEPS)
def test_each_step_is_called_by_a_workflow_without_the_folder_that_it_stands_in(step: str) -> None:
    """`-I` and `-P`: a file of the game that is called like a module of Python is not imported."""
    files = (ROOT / ".github" / "workflows").glob("*.yml")
    called = [
        line.strip()
        for file in files
        for line in file.read_text("utf-8").splitlines()
        if step in line
    ]
    assert called == [f"run: {STEPS[step]}{step}"]
    assert all(
        ' exec python3 -P -m "nomicgen.pulls.forge.$1"\n' in run.read_text("utf-8") for run in RUNS
    )


@pytest.mark.parametrize(
    "workflow", sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=lambda one: one.name
)
def test_a_workflow_is_read_at_one_sight(workflow: Path) -> None:
    assert len(workflow.read_text("utf-8").splitlines()) <= 80


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@pytest.fixture
def released(tmp_path: Path) -> Iterator[str]:
    """The address of a release with a module in it, as the wheel of a game has it."""
    with ZipFile(tmp_path / "nomicgen-9-py3-none-any.whl", "w") as wheel:
        for package in ("nomicgen", "nomicgen/pulls", "nomicgen/pulls/forge"):
            wheel.writestr(f"{package}/__init__.py", "")
        wheel.writestr("nomicgen/pulls/forge/told.py", "print('from the wheel')\n")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(tmp_path))) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/nomicgen-9-py3-none-any.whl"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("digest", ["its own", "another"])
def test_a_game_may_name_a_release_by_its_address_and_digest(
    released: str, digest: str, tmp_path: Path
) -> None:
    game = tmp_path / "game"
    game.mkdir()
    own = sha256((tmp_path / "nomicgen-9-py3-none-any.whl").read_bytes()).hexdigest()
    # The address of a release begins with https; the test has no certificate.
    (game / "run").write_text(RUNS[1].read_text("utf-8").replace("https:", "http:"))
    line = f"nomicgen @ {released} --hash=sha256:{own if digest == 'its own' else '0' * 64}\n"
    (game / "requirements.txt").write_text(f"--requirement locked.txt\n{line}")
    command, environment = ["bash", "run", "told"], {**os.environ, "RUNNER_TEMP": str(tmp_path)}
    done = subprocess.run(
        command, cwd=game, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    assert (done.stdout.startswith("from the wheel"), done.returncode == 0) == (
        (digest == "its own",) * 2
    ), done.stderr


def test_a_game_runs_the_wheel_that_it_has(released: str, tmp_path: Path) -> None:
    (tmp_path / "run").write_text(RUNS[1].read_text("utf-8"))
    (tmp_path / "nomicgen-8-py3-none-any.whl").touch()  # an older one, which nothing names
    own = sha256((tmp_path / "nomicgen-9-py3-none-any.whl").read_bytes()).hexdigest()
    line = f"./.github/nomicgen/nomicgen-9-py3-none-any.whl --hash=sha256:{own}\n"
    (tmp_path / "requirements.txt").write_text(f"--requirement locked.txt\n{line}")
    done = subprocess.run(
        ["bash", str(tmp_path / "run"), "told"], capture_output=True, encoding="utf-8", check=False
    )
    assert (done.stdout, done.stderr) == ("from the wheel\n", "")


def test_a_game_that_names_no_nomicgen_is_told(tmp_path: Path) -> None:
    (tmp_path / "run").write_text(RUNS[1].read_text("utf-8"))
    (tmp_path / "requirements.txt").write_text(
        "--requirement locked.txt\n# nomicgen @ https://ADDRESS\n"
    )
    done = subprocess.run(
        ["bash", str(tmp_path / "run"), "told"], capture_output=True, encoding="utf-8", check=False
    )
    assert (done.stdout, done.returncode) == (
        "::error::.github/nomicgen/requirements.txt names no nomicgen\n",
        1,
    )


def test_what_is_printed_meanwhile_is_not_obeyed(capfd: pytest.CaptureFixture[str]) -> None:
    with commands_stopped():
        print("::error::words of a player")
    first, _, last = capfd.readouterr().out.splitlines()
    assert first.startswith("::stop-commands::")
    assert last == f"::{first.removeprefix('::stop-commands::')}::"
    assert len(last) > 32


def test_a_step_that_fails_says_why(capfd: pytest.CaptureFixture[str]) -> None:
    def main() -> None:
        raise Failed("the forge does not answer\n")

    with pytest.raises(SystemExit, match="1"):
        run_step(main)
    assert capfd.readouterr().err == "the forge does not answer\n"


def test_words_are_one_line_to_the_runner() -> None:
    assert one_line("a\r\n::error::b%0A") == "a  ::error::b 0A"
