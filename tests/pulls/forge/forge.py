"""A forge: a bare repository with pull requests beside it, and what people do there. Each deed
starts the workflows.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from tests.pulls.forge.api import BOT, add_comment
from tests.support import GitRepo

REPOSITORY = "us/game"
ADDRESS = f"https://github.com/{REPOSITORY}"
_GUARD = """#!/bin/sh
# A run may push only with a token that may write; people push here as they like.
[ -z "$GITHUB_ACTIONS" ] && exit 0
case "$GH_TOKEN" in *contents=write*) ;; *) echo "this token may not push" >&2; exit 1 ;; esac
if [ -e refuses ]; then
    echo "GH013: Repository rule violations found" >&2
    exit 1
fi
while read -r old new ref; do
    if [ -n "$(git log --format= --name-only -c "$old..$new" -- .github/workflows)" ]; then
        why="refusing to allow a GitHub App to create or update a workflow without the permission"
        echo "$why" >&2
        exit 1
    fi
done
if [ -e overtaken-by ]; then
    # Somebody else's push has arrived while this one was on its way.
    env -u GIT_QUARANTINE_PATH git update-ref "$(git symbolic-ref HEAD)" "$(cat overtaken-by)"
    rm overtaken-by
fi
"""

Payload = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Event:
    """What starts workflows: `github.event_name`, and `github.event`."""

    name: str
    payload: Payload


@dataclass(slots=True)
class Forge:
    """The forge of one game. `now` is its clock; `local` is a clone in which heads are made."""

    folder: Path
    now: datetime
    branch: str = "main"
    local: GitRepo = field(init=False)

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True)
        subprocess.run(
            ["git", "init", "--quiet", "--bare", "-b", self.branch, str(self.origin)], check=True
        )
        self.bare("config", "uploadpack.allowAnySHA1InWant", "true")
        guard = self.origin / "hooks" / "pre-receive"
        guard.write_text(_GUARD)
        guard.chmod(0o755)
        state: Payload = {
            "repository": REPOSITORY,
            "default_branch": self.branch,
            "has_pages": True,
            "last": 100,
        }
        state |= {
            key: {}
            for key in ("pulls", "comments", "reviews", "review_comments", "reactions", "timeline")
        }
        state["permissions"] = {}
        self.save({**state, "calls": [], "trouble": []})

    def copied(self, folder: Path) -> Forge:
        """The same forge once more, with what happened so far, but for the machines of its runs."""
        shutil.copytree(self.folder, folder / "forge", ignore=shutil.ignore_patterns("run-*"))
        shutil.copytree(self.local.path, folder / "game")
        made = copy(self)
        made.folder, made.local = folder / "forge", GitRepo(folder / "game")
        made.local.git("remote", "set-url", "origin", made.address)
        return made

    # The repository

    @property
    def origin(self) -> Path:
        return self.folder / "origin.git"

    @property
    def address(self) -> str:
        return self.origin.as_uri()

    @property
    def state_file(self) -> Path:
        return self.folder / "state.json"

    def load(self) -> Payload:
        state: Payload = json.loads(self.state_file.read_text("utf-8"))
        return state

    def save(self, state: Payload) -> None:
        state["now"] = self.time
        self.state_file.write_text(json.dumps(state), "utf-8")

    def bare(self, *arguments: str) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=self.origin, capture_output=True, encoding="utf-8", check=True
        )
        return done.stdout.rstrip("\n")

    def founded(self, game: GitRepo) -> None:
        """The game's repository becomes the forge's: its branch is pushed."""
        game.git("remote", "add", "origin", self.address)
        game.git("push", "--quiet", "origin", f"HEAD:refs/heads/{self.branch}")
        self.local = game

    @property
    def tip(self) -> str:
        return self.bare("rev-parse", self.branch)

    def file(self, path: str, ref: str | None = None) -> str:
        return self.bare("show", f"{ref or self.branch}:{path}")

    def subjects(self) -> list[str]:
        """What the default branch's commits are about, newest first."""
        return self.bare("log", "--first-parent", "--format=%s", self.branch).splitlines()

    def push(self, files: Mapping[str, str | bytes | None], message: str = "By hand") -> str:
        """Somebody with the right to do so commits to the default branch."""
        self._on("FETCH_HEAD", self.branch)
        sha = self.local.commit(message, files)
        self.local.git("push", "--quiet", "origin", f"HEAD:refs/heads/{self.branch}")
        return sha

    # What people do

    @property
    def time(self) -> str:
        return self.now.strftime("%Y-%m-%dT%H:%M:%SZ")

    def later(self, **spans: float) -> None:
        self.now += timedelta(**spans)
        self.save(self.load())

    def open(
        self,
        author: str,
        files: Mapping[str, str | bytes | None],
        *,
        base: str | None = None,
        title: str = "A change",
    ) -> tuple[int, Event]:
        """A pull request from a fork: its commit is under refs/pull, and on no branch here."""
        state = self.load()
        state["last"] += 1
        number = state["last"]
        head = self._head(number, files, None)
        user = {"login": author, "id": len(author), "type": "User"}
        fork = {"html_url": f"https://github.com/{author}/game"}
        state["pulls"][str(number)] = {
            "url": f"https://api.github.com/repos/{REPOSITORY}/pulls/{number}",
            "id": 10_000 + number,
            "html_url": f"{ADDRESS}/pull/{number}",
            "number": number,
            "state": "open",
            "locked": False,
            "title": title,
            "user": user,
            "body": None,
            "created_at": self.time,
            "updated_at": self.time,
            "merged_at": None,
            "labels": [],
            "draft": False,
            "head": {
                "label": f"{author}:patch-1",
                "ref": "patch-1",
                "sha": head,
                "user": user,
                "repo": fork,
            },
            "base": {
                "label": f"us:{base or self.branch}",
                "ref": base or self.branch,
                "sha": self.tip,
            },
            "author_association": "NONE",
        }
        self.save(state)
        return number, self._event("opened", number)

    def update(
        self, number: int, files: Mapping[str, str | bytes | None], *, onto: str | None = None
    ) -> Event:
        """The author commits once more, on the head or, with `onto`, instead of it."""
        state = self.load()
        pull = state["pulls"][str(number)]
        pull["head"]["sha"] = self._head(number, files, onto or pull["head"]["sha"])
        self.save(state)
        return self._event("synchronize", number)

    def comment(self, number: int, author: str, body: str) -> Event:
        state = self.load()
        made = add_comment(
            state, str(number), {"login": author, "id": len(author), "type": "User"}, body
        )
        self.save(state)
        issue = {"number": number, "pull_request": {"html_url": f"{ADDRESS}/pull/{number}"}}
        return Event(
            "issue_comment",
            {"action": "created", "comment": made, "issue": issue, **self._repository()},
        )

    def review(self, number: int, author: str, verdict: str, body: str = "") -> int:
        """A review of the head as it is; no workflow hears of it. Gives its number."""
        state = self.load()
        state["last"] += 1
        state["reviews"].setdefault(str(number), []).append(
            {
                "id": state["last"],
                "node_id": f"PRR_{state['last']}",
                "user": {"login": author, "id": len(author), "type": "User"},
                "body": body,
                "state": verdict,
                "html_url": f"{ADDRESS}/pull/{number}#pullrequestreview-{state['last']}",
                "pull_request_url": f"https://api.github.com/repos/{REPOSITORY}/pulls/{number}",
                "author_association": "NONE",
                "submitted_at": self.time,
                "commit_id": state["pulls"][str(number)]["head"]["sha"],
            }
        )
        self.save(state)
        ident: int = state["last"]
        return ident

    def react(self, comment: int, author: str, content: str) -> None:
        state = self.load()
        state["last"] += 1
        user = {"login": author, "id": len(author), "type": "User"}
        one = {
            "id": state["last"],
            "node_id": f"REA_{state['last']}",
            "user": user,
            "content": content,
        }
        state["reactions"].setdefault(str(comment), []).append({**one, "created_at": self.time})
        counts = state["comments"][str(comment)]["reactions"]
        counts |= {content: counts.get(content, 0) + 1, "total_count": counts["total_count"] + 1}
        self.save(state)

    def label(self, number: int, name: str, *, on: bool = True) -> Event:
        state = self.load()
        pull = state["pulls"][str(number)]
        pull["labels"] = [one for one in pull["labels"] if one["name"] != name] + (
            [{"name": name}] if on else []
        )
        self.save(state)
        return self._event("labeled" if on else "unlabeled", number, label={"name": name})

    def schedule(self, cron: str = "23 * * * *") -> Event:
        """The clock's event has no repository in it."""
        return Event("schedule", {"schedule": cron})

    def dispatch(self) -> Event:
        return Event("workflow_dispatch", {"inputs": None, **self._repository()})

    # What there is to see

    def pull(self, number: int) -> Payload:
        pull: Payload = self.load()["pulls"][str(number)]
        return pull

    def bodies(self, number: int) -> list[str]:
        """What the bot has written on a pull request."""
        comments = self.load()["comments"].values()
        mine = [
            one
            for one in comments
            if one["issue_url"].endswith(f"/{number}") and one["user"] == BOT
        ]
        return [one["body"].replace("\r\n", "\n") for one in mine]

    def ballot(self, number: int) -> int:
        """The newest ballot's comment."""
        comments = self.load()["comments"].values()
        found: list[int] = [
            one["id"] for one in comments if one["body"].startswith("<!-- nomicgen:ballot ")
        ]
        return max(
            one
            for one in found
            if self.load()["comments"][str(one)]["issue_url"].endswith(f"/{number}")
        )

    def settle(self) -> None:
        """The forge shows a pull request as merged once the branch has its commit."""
        state = self.load()
        for pull in state["pulls"].values():
            head = pull["head"]["sha"]
            merged = (
                self.bare("rev-list", "--count", "--max-count=1", f"{self.branch}..{head}") == "0"
            )
            if pull["state"] == "open" and pull["base"]["ref"] == self.branch and merged:
                pull |= {"state": "closed", "merged_at": self.time}
        self.save(state)

    def _head(self, number: int, files: Mapping[str, str | bytes | None], onto: str | None) -> str:
        self._on(onto or "FETCH_HEAD", self.branch)
        sha = self.local.commit(f"Pull request {number}", files)
        self.local.git("push", "--quiet", "--force", "origin", f"HEAD:refs/pull/{number}/head")
        return sha

    def _on(self, commit: str, branch: str) -> None:
        self.local.git("fetch", "--quiet", "origin", branch)
        self.local.git("checkout", "--quiet", "--force", "--detach", commit)

    def _repository(self) -> Payload:
        return {"repository": {"full_name": REPOSITORY, "default_branch": self.branch}}

    def _event(self, action: str, number: int, **more: Any) -> Event:
        pull = self.pull(number)
        payload = {
            "action": action,
            "number": number,
            "pull_request": pull,
            **self._repository(),
            **more,
        }
        return Event("pull_request_target", payload)
