"""Runs workflows step by step as shell: those that are on the default branch, as the forge would
start them.

Of actions only what they leave behind is done: a clone, an artefact, a published site. What a step
may do with the forge is in its token; `api.py` and the repository's own guard look at it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import yaml

from tests.pulls.forge.api import answering, token_for
from tests.pulls.forge.expressions import as_text, evaluated, holds
from tests.pulls.forge.forge import REPOSITORY, Event, Forge
from tests.served import script
from tests.support import ROOT

Result = Literal["success", "failure", "skipped"]
Data = dict[Any, Any]


class Broken(Exception):
    """The machine that runs a job goes away."""


@dataclass(slots=True)
class Job:
    """What became of a job: of a called workflow's too, as `answer / answer`."""

    result: Result
    outputs: dict[str, str] = field(default_factory=dict)
    log: str = ""
    steps: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Run:
    """A run of a workflow, with the artefacts of its jobs, and the group that it was in."""

    workflow: str
    folder: Path
    event: Event
    group: str = ""
    jobs: dict[str, Job] = field(default_factory=dict)
    artefacts: dict[str, Path] = field(default_factory=dict)

    @property
    def log(self) -> str:
        return "".join(job.log for job in self.jobs.values())

    @property
    def results(self) -> dict[str, Result]:
        return {name: job.result for name, job in self.jobs.items()}


@dataclass(slots=True)
class Runner:
    """Runs what an event starts. `breaks` names a step after which the machine goes away, once.

    Only with `builds` a site is really built, which takes its time.
    """

    forge: Forge
    runs: list[Run] = field(default_factory=list)
    breaks: str | None = None
    builds: bool = False
    sites: list[Path] = field(default_factory=list)
    api: Path = field(init=False)

    def start(self, event: Event) -> list[Run]:
        """Every workflow that hears of the event, one after the other; then the forge looks what
        was merged.
        """
        names = self.forge.bare(
            "ls-tree", "--name-only", f"{self.forge.branch}:.github/workflows"
        ).split()
        with answering(self.forge.state_file) as self.api:
            started = [run for name in names if (run := self._started(name, event)) is not None]
        self.forge.settle()
        return started

    def _started(self, name: str, event: Event) -> Run | None:
        workflow = self._workflow(name)
        heard = workflow[True].get(event.name, False)  # YAML reads `on` as a truth
        if heard is False:
            return None
        if (
            heard
            and event.name != "schedule"
            and event.payload["action"] not in heard.get("types", ())
        ):
            return None
        if event.name == "schedule" and {"cron": event.payload["schedule"]} not in heard:
            return None
        run = Run(name, self.forge.folder / f"run-{len(self.runs) + 1}", event)
        self.runs.append(run)
        run.group = evaluated(workflow["concurrency"]["group"], self._contexts(run, {}, {}))
        self._play(run, workflow, "", {}, None)
        return run

    def _workflow(self, name: str) -> Data:
        data: Data = yaml.safe_load(self.forge.file(f".github/workflows/{name}"))
        return data

    def _play(
        self, run: Run, workflow: Data, prefix: str, inputs: Data, allowed: Data | None
    ) -> Result:
        """All jobs of a workflow, in an order in which those that are needed come first."""
        needs: dict[str, Data] = {}
        for name, job in workflow["jobs"].items():
            wanted = [job["needs"]] if isinstance(job.get("needs"), str) else job.get("needs", [])
            contexts = self._contexts(run, inputs, {one: needs[one] for one in wanted})
            contexts["success"] = all(needs[one]["result"] == "success" for one in wanted)
            if not holds(job.get("if"), contexts):
                run.jobs[prefix + name] = Job("skipped")
            elif "uses" in job:
                self._call(run, job, prefix + name, contexts)
            else:
                self._work(run, workflow, job, prefix + name, contexts, allowed)
            done = run.jobs[prefix + name]
            needs[name] = {"result": done.result, "outputs": done.outputs}
        bad = any(one["result"] == "failure" for one in needs.values())
        return "failure" if bad else "success"

    def _call(self, run: Run, job: Data, name: str, contexts: Data) -> None:
        called = job["uses"].removeprefix("$/.github/workflows/")
        inputs = {
            key: as_text(evaluated(as_text(value), contexts))
            for key, value in job.get("with", {}).items()
        }
        workflow = self._workflow(called)
        declared = (workflow[True]["workflow_call"] or {}).get("inputs", {})
        assert inputs.keys() <= declared.keys()
        inputs = {key: inputs.get(key, one.get("default")) for key, one in declared.items()}
        run.jobs[name] = Job(self._play(run, workflow, f"{name} / ", inputs, job["permissions"]))

    def _contexts(self, run: Run, inputs: Data, needs: Data) -> Data:
        github = {
            "event": run.event.payload,
            "event_name": run.event.name,
            "ref": f"refs/heads/{self.forge.branch}",
            "ref_name": self.forge.branch,
            "repository": REPOSITORY,
            "run_id": str(1000 + len(self.runs)),
            "sha": self.forge.tip,
        }
        return {"github": github, "inputs": inputs, "needs": needs, "success": True}

    def _work(
        self, run: Run, workflow: Data, job: Data, name: str, contexts: Data, allowed: Data | None
    ) -> None:
        permissions: Data = job["permissions"] if "permissions" in job else workflow["permissions"]
        for key, level in permissions.items():
            assert allowed is None or level in ("read", allowed.get(key)), (
                f"{name} asks for more than its caller has"
            )
        token = token_for(permissions)
        contexts["github"] |= {"token": token}
        work = _Work(
            run, self.forge, name, job, workflow, contexts, permissions, self.builds, self.api
        )
        made = work.done(self.breaks)
        if work.broke:
            self.breaks = None
        if work.site is not None:
            self.sites.append(work.site)
        run.jobs[name] = made
        nowhere(token, work.folder, *run.artefacts.values())


def nowhere(token: str, *folders: Path) -> None:
    """A token is in no file that a job leaves behind."""
    for folder in folders:
        for path in folder.rglob("*"):
            if path.is_file() and not path.is_symlink():
                assert token.encode() not in path.read_bytes(), f"the token is in {path}"


class _Work:
    """One job on a machine of its own."""

    def __init__(
        self,
        run: Run,
        forge: Forge,
        name: str,
        job: Data,
        workflow: Data,
        contexts: Data,
        permissions: Data,
        builds: bool,
        api: Path,
    ) -> None:
        self.run, self.forge, self.name, self.job, self.contexts = run, forge, name, job, contexts
        self.permissions, self.api = permissions, api
        self.programs = programs(forge.folder, builds)
        self.shell = workflow.get("defaults", {}).get("run", {}).get("shell")
        self.folder = run.folder / name.replace(" / ", "-")
        self.workspace, self.temp = self.folder / "workspace", self.folder / "temp"
        self.workspace.mkdir(parents=True)
        self.temp.mkdir()
        self.steps: dict[str, Data] = {}
        self.log: list[str] = []
        self.ran: list[str] = []
        self.broke = False
        self.site: Path | None = None
        contexts |= {"steps": self.steps, "runner": {"temp": str(self.temp)}, "env": {}}

    def done(self, breaks: str | None) -> Job:
        ok = True
        for step in self.job["steps"]:
            self.contexts["success"] = ok
            if not holds(step.get("if"), self.contexts):
                continue
            self.ran.append(step["name"])
            ok = self._step(step) and ok
            if breaks == f"{self.name}: {step['name']}":
                self.broke, ok = True, False
                break
        outputs = {}
        for key, text in self.job.get("outputs", {}).items():
            outputs[key] = as_text(evaluated(text, self.contexts))
        # A machine that goes away tells nobody what its steps had found out.
        return Job(
            "success" if ok else "failure",
            {} if self.broke else outputs,
            "".join(self.log),
            self.ran,
        )

    def _step(self, step: Data) -> bool:
        outputs = self.folder / f"output-{len(self.ran)}"
        outputs.touch()
        ok = self._use(step) if "uses" in step else self._shell(step, outputs)
        if "id" in step:
            found = dict(line.split("=", 1) for line in outputs.read_text("utf-8").splitlines())
            self.steps[step["id"]] = {
                "outputs": found
                | ({"page_url": "https://us.github.io/game/"} if "uses" in step else {})
            }
        return ok

    def _environment(self, step: Data) -> dict[str, str]:
        env = {
            "LC_ALL": "C.UTF-8",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "HOME": str(self.temp),
        }
        env |= {
            "GITHUB_ACTIONS": "true",
            "GITHUB_WORKSPACE": str(self.workspace),
            "RUNNER_TEMP": str(self.temp),
        }
        env |= {"GH_CONFIG_DIR": str(self.api), "FORGE_NOW": self.forge.now.isoformat()}
        env["GITHUB_EVENT_NAME"] = self.contexts["github"]["event_name"]
        env["PATH"] = f"{self.programs}{os.pathsep}{os.environ['PATH']}"
        for more in (self.job.get("env", {}), step.get("env", {})):
            env |= {
                key: as_text(evaluated(as_text(value), self.contexts))
                for key, value in more.items()
            }
        return env

    def _shell(self, step: Data, outputs: Path) -> bool:
        script = step["run"]
        assert "${{" not in script, f"{step['name']} has an expression in its script"
        # What the runner does: only a shell that is named stops at a failure in front of a pipe.
        options = (
            ["--noprofile", "--norc", "-eo", "pipefail"]
            if step.get("shell", self.shell) == "bash"
            else ["-e"]
        )
        summary = self.folder / "summary.md"
        file = self.folder / f"script-{len(self.ran)}.sh"
        file.write_text(script, "utf-8")
        done = subprocess.run(
            ["bash", *options, str(file)],
            cwd=self.workspace,
            env={
                **self._environment(step),
                "GITHUB_OUTPUT": str(outputs),
                "GITHUB_STEP_SUMMARY": str(summary),
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        self.log.append(f"### {step['name']} ({done.returncode})\n{done.stdout}")
        return done.returncode == 0

    def _use(self, step: Data) -> bool:
        action = step["uses"].partition("@")[0]
        given = {
            key: evaluated(as_text(value), self.contexts)
            for key, value in step.get("with", {}).items()
        }
        match action:
            case "actions/checkout":
                self._checkout(given)
            case "./.github/nomicgen":
                self._own_action()
            case "actions/upload-artifact":
                self._upload(given)
            case "actions/download-artifact":
                shutil.copytree(self.run.artefacts[given["name"]], self.workspace / given["path"])
            case "actions/upload-pages-artifact":
                assert (Path(given["path"]) / "index.html").is_file()
                self.run.artefacts["github-pages"] = Path(given["path"])
            case "actions/deploy-pages":
                assert self.permissions == {"pages": "write", "id-token": "write"}
                self.site = self.run.artefacts["github-pages"]
            case _:
                raise AssertionError(f"{action} is no action that the runner knows")
        return True

    def _checkout(self, given: Data) -> None:
        assert given["persist-credentials"] == "false"
        assert given.get("fetch-depth", "1") in ("0", "1")
        assert set(given) <= {"persist-credentials", "fetch-depth", "ref"}
        assert given.get("ref", self.forge.branch) == self.forge.branch, (
            "only the default branch is checked out"
        )
        assert self.permissions.get("contents") in ("read", "write")
        self.workspace.rmdir()
        subprocess.run(
            [
                "git",
                "clone",
                "--quiet",
                "--branch",
                self.forge.branch,
                self.forge.address,
                str(self.workspace),
            ],
            check=True,
        )

    def _own_action(self) -> None:
        """What `action.yml` installs is there already; it must be the base's."""
        action = yaml.safe_load((self.workspace / ".github/nomicgen/action.yml").read_text("utf-8"))
        assert action["runs"]["using"] == "composite"
        head = subprocess.run(
            ["git", "rev-parse", "HEAD"],
            cwd=self.workspace,
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
        assert head.stdout.strip() == self.forge.tip

    def _upload(self, given: Data) -> None:
        source, target = self.workspace / given["path"], self.folder / f"artefact-{given['name']}"
        assert any(source.iterdir()), "nothing to upload"
        assert given["if-no-files-found"] == "error"
        shutil.copytree(source, target)
        self.run.artefacts[given["name"]] = target


_BUILD = """#!/bin/sh
PYTHONPATH={root} exec {python} -m mkdocs "$@"
"""
_NO_BUILD = """#!/bin/sh
[ "$*" = "build --strict -d $4" ] && mkdir "$4" && touch "$4/index.html"
"""


def programs(folder: Path, builds: bool) -> Path:
    """A folder with `gh`, `nomicgen`, `python` and `mkdocs`, to stand first in the PATH."""
    place = folder / ("programs-that-build" if builds else "programs")
    if place.is_dir():
        return place
    place.mkdir()
    (place / "gh").symlink_to(Path(sys.executable).with_name("gh"))
    scripts = {
        "nomicgen": script("nomicgen-on"),
        "python": f'#!/bin/sh\nexec {sys.executable} "$@"\n',
    }
    scripts["mkdocs"] = _BUILD.format(root=ROOT, python=sys.executable) if builds else _NO_BUILD
    for name, text in scripts.items():
        (place / name).write_text(text)
        (place / name).chmod(0o755)
    return place
