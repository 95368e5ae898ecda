"""The steps of workflows that are modules: what they need, and what the runner hears of them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from zipfile import ZipFile

import pytest

from nomicgen.pulls.forge.workflow import Failed, ends, shown, unheard
from tests.support import ROOT

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
    done = subprocess.run([sys.executable, "-I", "-S", "-c", script], capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("step", STEPS)
def test_each_step_is_called_by_a_workflow_without_the_folder_that_it_stands_in(step: str) -> None:
    """`-I` and `-P`: a file of the game that is called like a module of Python is not imported."""
    files = (ROOT / ".github" / "workflows").glob("*.yml")
    called = [line.strip() for file in files for line in file.read_text("utf-8").splitlines() if step in line]
    assert called == [f"run: {STEPS[step]}{step}"]
    assert all(' exec python3 -P -m "nomicgen.pulls.forge.$1"\n' in run.read_text("utf-8") for run in RUNS)


@pytest.mark.parametrize("workflow", sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=lambda one: one.name)
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
def test_a_game_may_name_a_release_by_its_address_and_digest(released: str, digest: str, tmp_path: Path) -> None:
    game = tmp_path / "game"
    game.mkdir()
    own = sha256((tmp_path / "nomicgen-9-py3-none-any.whl").read_bytes()).hexdigest()
    # The address of a release begins with https; the test has no certificate.
    (game / "run").write_text(RUNS[1].read_text("utf-8").replace("https:", "http:"))
    line = f"nomicgen @ {released} --hash=sha256:{own if digest == 'its own' else '0' * 64}\n"
    (game / "requirements.txt").write_text(f"--requirement locked.txt\n{line}")
    command, environment = ["bash", "run", "told"], {**os.environ, "RUNNER_TEMP": str(tmp_path)}
    done = subprocess.run(command, cwd=game, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert (done.stdout.startswith("from the wheel"), done.returncode == 0) == ((digest == "its own",) * 2), done.stderr


def test_a_game_runs_the_wheel_that_it_has(released: str, tmp_path: Path) -> None:
    (tmp_path / "run").write_text(RUNS[1].read_text("utf-8"))
    (tmp_path / "nomicgen-8-py3-none-any.whl").touch()  # an older one, which nothing names
    own = sha256((tmp_path / "nomicgen-9-py3-none-any.whl").read_bytes()).hexdigest()
    line = f"./.github/nomicgen/nomicgen-9-py3-none-any.whl --hash=sha256:{own}\n"
    (tmp_path / "requirements.txt").write_text(f"--requirement locked.txt\n{line}")
    done = subprocess.run(["bash", str(tmp_path / "run"), "told"], capture_output=True, encoding="utf-8", check=False)
    assert (done.stdout, done.stderr) == ("from the wheel\n", "")


def test_a_game_that_names_no_nomicgen_is_told(tmp_path: Path) -> None:
    (tmp_path / "run").write_text(RUNS[1].read_text("utf-8"))
    (tmp_path / "requirements.txt").write_text("--requirement locked.txt\n# nomicgen @ https://ADDRESS\n")
    done = subprocess.run(["bash", str(tmp_path / "run"), "told"], capture_output=True, encoding="utf-8", check=False)
    assert (done.stdout, done.returncode) == ("::error::.github/nomicgen/requirements.txt names no nomicgen\n", 1)


def test_what_is_printed_meanwhile_is_not_obeyed(capfd: pytest.CaptureFixture[str]) -> None:
    with unheard():
        print("::error::words of a player")
    first, _, last = capfd.readouterr().out.splitlines()
    assert first.startswith("::stop-commands::")
    assert last == f"::{first.removeprefix('::stop-commands::')}::"
    assert len(last) > 32


def test_a_step_that_fails_says_why(capfd: pytest.CaptureFixture[str]) -> None:
    def main() -> None:
        raise Failed("the forge does not answer\n")

    with pytest.raises(SystemExit, match="1"):
        ends(main)
    assert capfd.readouterr().err == "the forge does not answer\n"


def test_words_are_one_line_to_the_runner() -> None:
    assert shown("a\r\n::error::b%0A") == "a  ::error::b 0A"
