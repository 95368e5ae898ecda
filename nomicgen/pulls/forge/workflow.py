"""What the workflows of a forge share: starting `gh`, git and nomicgen, and telling the runner.

It needs the standard library alone, and so do the modules that a workflow starts.
"""

from __future__ import annotations

import json
import os
import re
import resource
import secrets
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NUMBER = r"[1-9][0-9]{0,9}"
"""The pattern of a pull request's number."""
COMMIT = r"[0-9a-f]{40,64}"
"""The pattern of a commit's id."""
LARGEST = 32 << 20
"""How many bytes a commit of a pull request may bring."""
MARKER = "<!-- nomicgen:comment -->"
"""The beginning of the comment that is kept up to date."""
GIT = (
    "git",
    "-c",
    'credential.helper=!f() { echo username=x-access-token; echo "password=$GH_TOKEN"; }; f',
)
"""Git with a helper that gives it the token from the step's environment: so it is never written to
the disk.
"""


class Failed(Exception):
    """Something that the step needs did not work; `said` is printed to the log."""

    def __init__(self, said: str) -> None:
        super().__init__(said)
        self.said = said


def step_variable(name: str) -> str:
    """Return a variable of the step. Raise KeyError where the workflow does not set it."""
    return os.environ[name]


def run_step(main: Callable[[], None]) -> None:
    """Run the program of a step. If it raises Failed, print why and exit with status 1."""
    try:
        main()
    except Failed as error:
        print(error.said.rstrip("\n"), file=sys.stderr)
        sys.exit(1)


def of_repository(path: str) -> str:
    """Return the API's path for `path` in this repository, such as `repos/OWNER/NAME/pulls/7`."""
    return f"repos/{step_variable('REPOSITORY')}/{path}"


def ask_api(*arguments: str) -> Any:
    """Return what `gh api` answers to these arguments, decoded from JSON. Raise Failed."""
    return json.loads(_run_gh(*arguments))


def change_on_forge(method: str, path: str, value: Mapping[str, str] | None = None) -> None:
    """Change something of the repository through the forge's API. Raise Failed."""
    given = () if value is None else ("--input", "-")
    _run_gh(
        "--method",
        method,
        of_repository(path),
        *given,
        feed="" if value is None else json.dumps(value),
    )


def _run_gh(*arguments: str, feed: str = "") -> str:
    done = subprocess.run(
        ["gh", "api", *arguments], input=feed, capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode:
        raise Failed(done.stderr or done.stdout)
    return done.stdout


def pages(path: str) -> list[list[Any]]:
    """Return all pages of one of the repository's lists. Raise Failed if one is missing: no vote
    may be lost with it.
    """
    found: list[list[Any]] = ask_api("--paginate", "--slurp", of_repository(f"{path}?per_page=100"))
    return found


def without_token() -> Mapping[str, str]:
    """Return the step's environment without the token for the forge."""
    return {key: value for key, value in os.environ.items() if key != "GH_TOKEN"}


def run_nomicgen(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run nomicgen on what is checked out, and return what it printed and how it ended."""
    command = ["nomicgen", "-C", step_variable("GITHUB_WORKSPACE"), *arguments]
    return subprocess.run(
        command, capture_output=True, encoding="utf-8", env=without_token(), check=False
    )


def git(*arguments: str) -> str:
    """Return what git prints in what is checked out, without line feeds at its end. Raise
    Failed.
    """
    command = [*GIT, "-C", step_variable("GITHUB_WORKSPACE"), *arguments]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise Failed(done.stderr)
    return done.stdout.rstrip("\n")


def fetch_commit(commit: str) -> str:
    """Fetch a commit as objects. Return '' if it is here now, else what git said."""

    def limit() -> None:
        # What comes is one file, a pack, and no file may be larger.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST, LARGEST))

    command = [
        *GIT,
        "-C",
        step_variable("GITHUB_WORKSPACE"),
        "-c",
        "fetch.unpackLimit=1",
        "fetch",
        "--quiet",
        "--no-tags",
    ]
    command += ["--no-recurse-submodules", "--no-auto-gc", "origin", commit]
    done = subprocess.run(
        command,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        env={**os.environ, "LC_ALL": "C"},
        preexec_fn=limit,
        restore_signals=False,
        check=False,
    )
    return (done.stderr or "git fetch failed") if done.returncode else ""


def is_too_large(why: str) -> bool:
    """Return whether what `fetch_commit` returned says that the commit brings too much."""
    return "File too large" in why


@contextmanager
def commands_stopped() -> Iterator[None]:
    """Keep the runner from obeying lines that the block prints: they may hold words of players."""
    stop = secrets.token_hex(16)
    print(f"::stop-commands::{stop}", flush=True)
    try:
        yield
    finally:
        print(f"::{stop}::", flush=True)


def one_line(line: str) -> str:
    """Return words as one line that the runner prints as it is: it takes `%0A` for a line feed."""
    return re.sub(r"[\r\n%]", " ", line)


def outputs(**values: str) -> None:
    """Set outputs of the step."""
    with Path(step_variable("GITHUB_OUTPUT")).open("a", encoding="utf-8") as stream:
        stream.writelines(f"{key}={value}\n" for key, value in values.items())
