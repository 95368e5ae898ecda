"""The steps of workflows that are modules: what they need, and what the runner hears of them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from nomicgen.pulls.forge.workflow import Failed, ends, shown, unheard
from tests.support import ROOT

STEPS = ("read_forge", "play_forge", "answer_closed", "fetch_commit", "write_comment")


@pytest.mark.parametrize("step", STEPS)
def test_a_step_needs_the_standard_library_alone(step: str) -> None:
    """It can be started from the wheel where nothing is installed."""
    script = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import nomicgen.pulls.forge.{step}"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", script], capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("step", STEPS)
def test_each_step_is_called_by_a_workflow_without_the_folder_that_it_stands_in(step: str) -> None:
    """`-I`: a file of the game that is called like a module of Python is not imported."""
    files = (ROOT / ".github" / "workflows").glob("*.yml")
    called = [
        line.strip() for file in files for line in file.read_text("utf-8").splitlines() if f"forge.{step}" in line
    ]
    assert called == [f"run: python -I -m nomicgen.pulls.forge.{step}"]


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
