"""What `act` needs to run a game's workflows on this machine: a forge that git reaches, and
stand-ins for actions.

The scripts, the called workflows, their inputs, outputs and conditions, `action.yml`, `gh`, git and
nomicgen are what runs on GitHub. What is not tried: the actions of `STAND_INS`; the rights of each
job, since `act` has one token for all; groups of concurrency; the clock's events; Pages; the rules
of a branch. Two lines are rewritten that this `act` does not know. What nomicgen runs with is in
the jobs' Python already, so pip compares its versions there and no hashes: `tests/test_supply.py`
installs it by hash.
"""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
import sys
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import yaml

from tests.pulls.forge.api import answering, read_body, rights_of, token_for
from tests.pulls.forge.forge import REPOSITORY, Event, Forge

TOKEN = token_for({"contents": "write", "issues": "read", "pull-requests": "write"})
"""`act` gives one token to all jobs: it may do what any of them may."""

STAND_INS = {
    "actions/checkout": """
        url=$GITHUB_SERVER_URL/$GITHUB_REPOSITORY
        basic=$(printf 'x-access-token:%s' "$TOKEN" | base64 -w 0)
        git -c http.extraHeader="Authorization: Basic $basic" \\
            clone --quiet --branch "${REF:-$GITHUB_REF_NAME}" "$url" .
        """,
    "actions/setup-python": """
        echo "$JOBS_PYTHON/bin" >> "$GITHUB_PATH"
        """,
    "actions/upload-artifact": """
        mkdir -p "$ARTEFACTS"
        cp -R "$FROM_OR_TO" "$ARTEFACTS/$NAME"
        """,
    "actions/download-artifact": """
        cp -R "$ARTEFACTS/$NAME" "$FROM_OR_TO"
        """,
    "actions/upload-pages-artifact": """
        mkdir -p "$ARTEFACTS"
        cp -R "$FROM_OR_TO" "$ARTEFACTS/github-pages"
        """,
    "actions/deploy-pages": """
        mv "$ARTEFACTS/github-pages" "$SITE"
        echo "page_url=https://us.github.io/game/" >> "$GITHUB_OUTPUT"
        """,
}
"""What stands in for an action, as a script."""
_INPUTS = [
    "fetch-depth",
    "if-no-files-found",
    "name",
    "path",
    "persist-credentials",
    "python-version",
    "ref",
    "retention-days",
]


class _Git(BaseHTTPRequestHandler):
    """Hands what git asks to `git http-backend`, for whoever shows a token that may read."""

    protocol_version = "HTTP/1.1"

    def __init__(self, origin: Path, *given: Any) -> None:
        self.origin = origin
        super().__init__(*given)

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""

    def _answer(self) -> None:
        body = read_body(self)
        shown = base64.b64decode(
            self.headers.get("Authorization", "").removeprefix("Basic ")
        ).decode()
        user, _, token = shown.partition(":")
        path, _, query = self.path.partition("?")
        if user != "x-access-token" or rights_of(token).get("contents") not in ("read", "write"):
            self._send("401 Unauthorized", {"WWW-Authenticate": 'Basic realm="forge"'}, b"")
            return
        env = {"PATH": os.environ["PATH"], "GIT_HTTP_EXPORT_ALL": "1", "REMOTE_USER": user}
        env |= {
            "GIT_PROJECT_ROOT": str(self.origin),
            "PATH_INFO": path.removeprefix(f"/{REPOSITORY}"),
        }
        env |= {
            "REQUEST_METHOD": self.command,
            "QUERY_STRING": query,
            "CONTENT_LENGTH": str(len(body)),
        }
        env |= {"CONTENT_TYPE": self.headers.get("Content-Type", "")}
        env |= {"HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", "")}
        env |= {"GIT_PROTOCOL": self.headers.get("Git-Protocol", "")}
        env |= {
            "GITHUB_ACTIONS": "true",
            "GH_TOKEN": token,
        }  # the repository's own guard looks at them
        done = subprocess.run(
            ["git", "http-backend"], env=env, input=body, capture_output=True, check=True
        )
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().splitlines())
        self._send(headers.pop("Status", "200 OK"), headers, content)

    do_GET = do_POST = _answer  # noqa: N815 - the server asks for these names

    def _send(self, status: str, headers: dict[str, str], content: bytes) -> None:
        number, _, words = status.partition(" ")
        self.send_response(int(number), words)
        for name, text in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(content)


@contextmanager
def git_served(origin: Path) -> Iterator[str]:
    """Serves a bare repository; gives the address that stands for https://github.com."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Git, origin)) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def stood_in(folder: Path, workflows: Path) -> list[str]:
    """Writes the actions; gives what tells `act` to take them, at the commits that are named."""
    words = []
    text = "".join(
        file.read_text("utf-8")
        for file in [*workflows.glob("*.yml"), workflows.parent / "nomicgen" / "action.yml"]
    )
    for action, commit in sorted(set(re.findall(r"uses: (actions/[\w-]+)@([0-9a-f]{40})\b", text))):
        place = folder / action
        place.mkdir(parents=True)
        env = {"TOKEN": "${{ github.token }}", "REF": "${{ inputs.ref }}"}
        env |= {"NAME": "${{ inputs.name }}", "FROM_OR_TO": "${{ inputs.path }}"}
        step = {"id": "only", "shell": "bash", "run": STAND_INS[action], "env": env}
        inputs = {name: {"required": False} for name in _INPUTS}
        outputs = {"page_url": {"value": "${{ steps.only.outputs.page_url }}"}}
        made = {
            "name": action,
            "inputs": inputs,
            "outputs": outputs,
            "runs": {"using": "composite", "steps": [step]},
        }
        (place / "action.yml").write_text(yaml.safe_dump(made, sort_keys=False), "utf-8")
        words += ["--local-repository", f"{action}@{commit}={place}"]
    return words


def jobs_python(place: Path) -> Path:
    """A Python that has all that this one has but nomicgen: pip then has only that to install."""
    venv.create(place, with_pip=False, symlinks=True)
    (packages,) = place.glob("lib/python*/site-packages")
    (here,) = Path(sys.prefix).glob("lib/python*/site-packages")
    for one in here.iterdir():
        if (
            not one.name.startswith(("nomicgen", "_editable", "__editable", "__pycache__"))
            and one.suffix != ".pth"
        ):
            (packages / one.name).symlink_to(one)
    mkdocs = place / "bin" / "mkdocs"
    mkdocs.write_text(f"#!{place}/bin/python\nfrom mkdocs.__main__ import cli\ncli()\n")
    mkdocs.chmod(0o755)
    return place


def acted(forge: Forge, event: Event, folder: Path) -> str:
    """Runs whatever workflows hear of an event, under `act`; gives its log. The site is then in
    `folder / "site"`.
    """
    folder.mkdir()
    work = folder / "work"
    subprocess.run(["git", "clone", "--quiet", str(forge.origin), str(work)], check=True)
    workflows = work / ".github" / "workflows"
    for file in workflows.glob("*.yml"):
        # The two lines that this `act` does not know.
        text = file.read_text("utf-8")
        text = text.replace("cache-mode: none\n", "").replace("uses: $/.github", "uses: ./.github")
        file.write_text(text, "utf-8")
    (folder / "event.json").write_text(json.dumps(event.payload), "utf-8")
    (folder / "home").mkdir()
    python = jobs_python(folder / "python")
    with answering(forge.state_file) as api, git_served(forge.origin) as server:
        env = {
            "GH_CONFIG_DIR": str(api),
            "GITHUB_SERVER_URL": server,
            "GITHUB_REPOSITORY": REPOSITORY,
        }
        env |= {"GITHUB_REF": f"refs/heads/{forge.branch}", "GITHUB_REF_NAME": forge.branch}
        env |= {
            "JOBS_PYTHON": str(python),
            "ARTEFACTS": str(folder / "artefacts"),
            "SITE": str(folder / "site"),
        }
        program = str(Path(sys.executable).with_name("act"))
        words = [
            program,
            event.name,
            "--directory",
            str(work),
            "--eventpath",
            str(folder / "event.json"),
        ]
        words += [
            "--platform",
            "ubuntu-latest=-self-hosted",
            "--pull=false",
            "--no-skip-checkout",
            "--no-cache-server",
        ]
        words += ["--action-cache-path", str(folder / "cache"), "--secret", f"GITHUB_TOKEN={TOKEN}"]
        words += [word for key, value in env.items() for word in ("--env", f"{key}={value}")]
        words += stood_in(folder / "actions", workflows)
        there = {"HOME": str(folder / "home"), "LC_ALL": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1"}
        there["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            words, env=there, capture_output=True, encoding="utf-8", timeout=300, check=False
        )
    forge.settle()
    return f"{done.stdout}{done.stderr}\nact ended with {done.returncode}\n"
