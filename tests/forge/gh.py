"""A stand-in for GitHub's `gh api`: it serves a file, and refuses what a token may not do.

Only what the workflows ask for is here, in the shapes of the REST API. Pages are short, so that there are several.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

BOT = {"login": "github-actions[bot]", "id": 41898282, "type": "Bot"}
_PAGE = 3
_READ, _WRITE = ("read", "write"), ("write",)

State = dict[str, Any]
Answer = Callable[..., Any]


class Denied(Exception):
    """An answer that is an error: what it says, and its number."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


def token_for(permissions: dict[str, str]) -> str:
    """A token that shows what it may do."""
    return "ghs_" + ".".join(f"{name}={level}" for name, level in sorted(permissions.items()))


def _require(levels: tuple[str, ...], *names: str) -> None:
    """Any one of the permissions is enough, as the API has it."""
    has = dict(part.split("=") for part in os.environ["GH_TOKEN"].removeprefix("ghs_").split(".") if part)
    if not any(has.get(name) in levels for name in names):
        raise Denied(f"Resource not accessible by integration (needs {names} {levels}, has {has}) (HTTP 403)", 403)


def _pull(state: State, number: str) -> State:
    if number not in state["pulls"]:
        raise Denied("Not Found (HTTP 404)", 404)
    pull: State = state["pulls"][number]
    return pull


def _comments(state: State, number: str) -> list[State]:
    return [one for one in state["comments"].values() if one["issue_url"].endswith(f"/issues/{number}")]


def _repository(state: State, _given: State) -> Any:
    return {
        "full_name": state["repository"],
        "default_branch": state["default_branch"],
        "has_pages": state["has_pages"],
    }


def _pulls(state: State, given: State) -> Any:
    _require(_READ + _WRITE, "pull-requests")
    return [one for one in reversed(state["pulls"].values()) if one["state"] == given.get("state", "open")]


def _one_pull(state: State, _given: State, number: str) -> Any:
    _require(_READ + _WRITE, "pull-requests")
    return _pull(state, number)


def _close_pull(state: State, given: State, number: str) -> Any:
    _require(_WRITE, "pull-requests")
    assert given == {"state": "closed"}, given
    _pull(state, number)["state"] = "closed"
    return _pull(state, number)


def _of_pull(kind: str) -> Answer:
    def answer(state: State, _given: State, number: str) -> Any:
        _require(_READ + _WRITE, "pull-requests")
        _pull(state, number)
        return state[kind].get(number, [])

    return answer


def _pull_comments(state: State, _given: State, number: str) -> Any:
    _require(_READ + _WRITE, "issues", "pull-requests")
    _pull(state, number)
    return _comments(state, number)


def _post_comment(state: State, given: State, number: str) -> Any:
    _require(_WRITE, "issues", "pull-requests")
    _pull(state, number)
    return add_comment(state, number, BOT, given["body"])


def _change_comment(state: State, given: State, ident: str) -> Any:
    _require(_WRITE, "issues", "pull-requests")
    comment = state["comments"][ident]
    assert comment["user"] == BOT, "somebody else's comment"
    comment |= {"body": given["body"], "updated_at": state["now"]}
    return comment


def _delete_comment(state: State, _given: State, ident: str) -> Any:
    _require(_WRITE, "issues", "pull-requests")
    assert state["comments"].pop(ident)["user"] == BOT, "somebody else's comment"


def _reactions(state: State, _given: State, ident: str) -> Any:
    _require(_READ + _WRITE, "issues", "pull-requests")
    return state["reactions"].get(ident, [])


def _one_comment(state: State, _given: State, ident: str) -> Any:
    _require(_READ + _WRITE, "issues", "pull-requests")
    if ident not in state["comments"]:
        raise Denied("Not Found (HTTP 404)", 404)
    return state["comments"][ident]


def _permission(state: State, _given: State, login: str) -> Any:
    """Each token may ask this; somebody who is no collaborator may read what is public."""
    return {"permission": state["permissions"].get(login, "read"), "user": {"login": login}}


_N = "([1-9][0-9]*)"
ROUTES: tuple[tuple[str, str, Answer], ...] = (
    ("GET", "", _repository),
    ("GET", "/pulls", _pulls),
    ("GET", f"/pulls/{_N}", _one_pull),
    ("PATCH", f"/pulls/{_N}", _close_pull),
    ("GET", f"/pulls/{_N}/reviews", _of_pull("reviews")),
    ("GET", f"/pulls/{_N}/comments", _of_pull("review_comments")),
    ("GET", f"/issues/{_N}/comments", _pull_comments),
    ("POST", f"/issues/{_N}/comments", _post_comment),
    ("PATCH", f"/issues/comments/{_N}", _change_comment),
    ("DELETE", f"/issues/comments/{_N}", _delete_comment),
    ("GET", f"/issues/comments/{_N}/reactions", _reactions),
    ("GET", f"/issues/{_N}/timeline", _of_pull("timeline")),
    ("GET", f"/issues/comments/{_N}", _one_comment),
    ("GET", "/collaborators/([^/]+)/permission", _permission),
)


def add_comment(state: State, number: str, user: State, body: str) -> State:
    """Writes a comment, as the API gives it back."""
    state["last"] += 1
    ident, repository = state["last"], state["repository"]
    assert len(body) <= 65_536, "a comment is too long for the forge"
    state["comments"][str(ident)] = {
        "id": ident,
        "node_id": f"IC_{ident}",
        "url": f"https://api.github.com/repos/{repository}/issues/comments/{ident}",
        "html_url": f"https://github.com/{repository}/pull/{number}#issuecomment-{ident}",
        "issue_url": f"https://api.github.com/repos/{repository}/issues/{number}",
        "user": user,
        "created_at": state["now"],
        "updated_at": state["now"],
        "author_association": "NONE",
        "body": body.rstrip().replace("\n", "\r\n") if user == BOT else body,
        "reactions": {"total_count": 0, "+1": 0, "-1": 0, "eyes": 0},
        "performed_via_github_app": None,
    }
    comment: State = state["comments"][str(ident)]
    return comment


class _Options:
    """What is typed after `gh api`; anything that the real program would refuse fails here too."""

    def __init__(self, arguments: list[str]) -> None:
        assert arguments[:1] == ["api"], arguments
        self.method, self.path, self.jq = "GET", "", None
        self.pages = self.slurp = self.silent = self.feeds = False
        self.fields: State = {}
        rest = iter(arguments[1:])
        for word in rest:
            match word:
                case "--method":
                    self.method = next(rest)
                case "--jq":
                    self.jq = next(rest)
                case "--paginate":
                    self.pages = True
                case "--slurp":
                    self.slurp = True
                case "--silent":
                    self.silent = True
                case "--input":
                    assert next(rest) == "-"
                    self.feeds = True
                case "-f":
                    key, _, value = next(rest).partition("=")
                    self.fields[key] = value
                case _:
                    assert not word.startswith("-"), word
                    assert not self.path, word
                    self.path = word
        assert not self.slurp or self.pages, "`--paginate` required when passing `--slurp`"
        assert not (self.slurp and self.jq), "the `--slurp` option is not supported with `--jq` or `--template`"


def _answered(options: _Options, state: State) -> Any:
    parts = urlsplit(options.path)
    asked = {key: values[-1] for key, values in parse_qs(parts.query).items()}
    given = json.load(sys.stdin) if options.feeds else {**asked, **options.fields}
    base = f"repos/{state['repository']}"
    for method, route, answer in ROUTES:
        match = re.fullmatch(re.escape(base) + route, parts.path)
        if match and method == options.method:
            state["calls"].append(f"{method} {parts.path}")
            return answer(state, given, *match.groups())
    raise Denied(f"Not Found ({options.method} {options.path}) (HTTP 404)", 404)


def main() -> int:
    """Answers one call."""
    options = _Options(sys.argv[1:])
    file = Path(os.environ["FORGE_STATE"])
    state = json.loads(file.read_text("utf-8"))
    trouble = state["trouble"]
    if trouble and re.search(trouble[0], f"{options.method} {options.path}"):
        state["trouble"] = trouble[1:]
        file.write_text(json.dumps(state), "utf-8")
        return _refused(Denied("HTTP 502", 502))
    try:
        answer = _answered(options, state)
    except Denied as denied:
        return _refused(denied)
    file.write_text(json.dumps(state), "utf-8")
    if options.silent:
        return 0
    output = json.dumps(_paged(answer, options) if isinstance(answer, list) else answer)
    if options.jq is not None:
        return subprocess.run(["jq", "-r", options.jq], input=output, encoding="utf-8").returncode
    print(output)
    return 0


def _refused(denied: Denied) -> int:
    """As the real program has it: what the forge said comes where an answer would."""
    print(json.dumps({"message": str(denied), "status": str(denied.status)}))
    print(f"gh: {denied}", file=sys.stderr)
    return 1


def _paged(answer: list[Any], options: _Options) -> Any:
    asked = parse_qs(urlsplit(options.path).query).get("per_page", ["30"])
    size = min(_PAGE, int(asked[0]))
    pages = [answer[at : at + size] for at in range(0, len(answer), size)] or [[]]
    if options.slurp:
        return pages
    return answer if options.pages else pages[0]


if __name__ == "__main__":
    sys.exit(main())
