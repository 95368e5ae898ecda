"""GitHub's REST API, as far as the workflows ask it: the real `gh` asks it by a socket. A token
says what it may do.

Pages are short, so that there are several.
"""

from __future__ import annotations

import json
import re
import socketserver
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from threading import Lock, Thread
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from tests.pulls.forge.recorded import rows

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


def rights_of(token: str) -> dict[str, str]:
    """What a token may do: a level for each permission."""
    return dict(part.split("=") for part in token.removeprefix("ghs_").split(".") if part)


def _pull(state: State, number: str) -> State:
    if number not in state["pulls"]:
        raise Denied("Not Found", 404)
    pull: State = state["pulls"][number]
    return pull


def _repository(state: State, _given: State) -> Any:
    return {
        "full_name": state["repository"],
        "default_branch": state["default_branch"],
        "has_pages": state["has_pages"],
    }


def _pulls(state: State, given: State) -> Any:
    return [
        one
        for one in reversed(state["pulls"].values())
        if one["state"] == given.get("state", "open")
    ]


def _one_pull(state: State, _given: State, number: str) -> Any:
    return _pull(state, number)


def _close_pull(state: State, given: State, number: str) -> Any:
    if given != {"state": "closed"}:
        raise Denied(f"a pull request is closed, and not {given}", 422)
    _pull(state, number)["state"] = "closed"
    return _pull(state, number)


def _of_pull(kind: str) -> Answer:
    def answer(state: State, _given: State, number: str) -> Any:
        _pull(state, number)
        return state[kind].get(number, [])

    return answer


def _pull_comments(state: State, _given: State, number: str) -> Any:
    _pull(state, number)
    return [
        one for one in state["comments"].values() if one["issue_url"].endswith(f"/issues/{number}")
    ]


def _post_comment(state: State, given: State, number: str) -> Any:
    _pull(state, number)
    return add_comment(state, number, BOT, given["body"])


def _own_comment(state: State, ident: str) -> State:
    comment: State = _one_comment(state, {}, ident)
    if comment["user"] != BOT:
        raise Denied("somebody else's comment", 403)
    return comment


def _change_comment(state: State, given: State, ident: str) -> Any:
    comment = _own_comment(state, ident)
    comment |= {"body": given["body"], "updated_at": state["now"]}
    return comment


def _delete_comment(state: State, _given: State, ident: str) -> Any:
    _own_comment(state, ident)
    del state["comments"][ident]


def _reactions(state: State, _given: State, ident: str) -> Any:
    return state["reactions"].get(ident, [])


def _one_comment(state: State, _given: State, ident: str) -> Any:
    if ident not in state["comments"]:
        raise Denied("Not Found", 404)
    return state["comments"][ident]


def _permission(state: State, _given: State, login: str) -> Any:
    """Each token may ask this; somebody who is no collaborator may read what is public."""
    return {"permission": state["permissions"].get(login, "read"), "user": {"login": login}}


# Any one of the permissions that are named is enough, as the API has it: to read for GET, else to
# write.
_P, _IP = ("pull-requests",), ("issues", "pull-requests")
ROUTES: tuple[tuple[str, str, tuple[str, ...], Answer], ...] = (
    ("GET", "", (), _repository),
    ("GET", "/pulls", _P, _pulls),
    ("GET", "/pulls/{pull_number}", _P, _one_pull),
    ("PATCH", "/pulls/{pull_number}", _P, _close_pull),
    ("GET", "/pulls/{pull_number}/reviews", _P, _of_pull("reviews")),
    ("GET", "/pulls/{pull_number}/comments", _P, _of_pull("review_comments")),
    ("GET", "/issues/{issue_number}/comments", _IP, _pull_comments),
    ("POST", "/issues/{issue_number}/comments", _IP, _post_comment),
    ("GET", "/issues/{issue_number}/timeline", _P, _of_pull("timeline")),
    ("GET", "/issues/comments/{comment_id}", _IP, _one_comment),
    ("PATCH", "/issues/comments/{comment_id}", _IP, _change_comment),
    ("DELETE", "/issues/comments/{comment_id}", _IP, _delete_comment),
    ("GET", "/issues/comments/{comment_id}/reactions", _IP, _reactions),
    ("GET", "/collaborators/{username}/permission", (), _permission),
)
"""Of a repository: method, path as GitHub's description names it, what a token needs, and what
answers.
"""


def add_comment(state: State, number: str, user: State, body: str) -> State:
    """Writes a comment, as the API gives it back."""
    state["last"] += 1
    ident, repository = state["last"], state["repository"]
    if len(body) > 65_536:
        raise Denied("body is too long (maximum is 65536 characters)", 422)
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


@cache
def _described() -> State:
    """What GitHub's own description has for each route."""
    return rows("rest.json")


def _matched(method: str, route: str, state: State, asked: str, path: str) -> re.Match[str] | None:
    pattern = re.sub(
        r"\{username\}", "([^/]+)", re.sub(r"\{[a-z]+_[a-z]+\}", "([1-9][0-9]*)", route)
    )
    return (
        re.fullmatch(f"/repos/{re.escape(state['repository'])}{pattern}", path)
        if method == asked
        else None
    )


def answered(state: State, token: str, method: str, path: str, given: State) -> Any:
    """What the API gives back; `state` changes. Raises Denied, and AssertionError for what the API
    would not give.
    """
    rights = rights_of(token)
    for asked, route, permissions, answer in ROUTES:
        if (match := _matched(method, route, state, asked, path)) is None:
            continue
        levels = ("read", "write") if method == "GET" else ("write",)
        if permissions and not any(rights.get(name) in levels for name in permissions):
            raise Denied(
                f"Resource not accessible by integration (needs {permissions} {levels}, has "
                f"{rights})",
                403,
            )
        state["calls"].append(f"{method} {path.removeprefix('/')}")
        described = _described()[f"{method} {route}"]
        if unknown := given.keys() - described["query" if method == "GET" else "body"]:
            raise Denied(f"{method} {route} takes no {', '.join(sorted(unknown))}", 422)
        found = answer(state, given, *match.groups())
        for one in found if isinstance(found, list) else [found or {}]:
            assert one.keys() <= set(described["answer"]), one.keys() - set(described["answer"])
        return found
    raise Denied("Not Found", 404)


def read_body(request: BaseHTTPRequestHandler) -> bytes:
    """What was sent: `gh` does not know the length of what it reads from a pipe, and sends it in
    parts.
    """
    if request.headers.get("Transfer-Encoding") != "chunked":
        return request.rfile.read(int(request.headers.get("Content-Length", 0)))
    parts = []
    while size := int(request.rfile.readline(), 16):
        parts.append(request.rfile.read(size))
        request.rfile.readline()
    request.rfile.readline()
    return b"".join(parts)


class _Api(BaseHTTPRequestHandler):
    """Answers from a file, and writes there what changes."""

    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""

    def _answer(self) -> None:
        parts = urlsplit(self.path)
        asked = dict(parse_qsl(parts.query))
        body = read_body(self)
        given = json.loads(body) if body else asked
        token = self.headers.get("Authorization", "").removeprefix("token ")
        links: dict[str, str] = {}
        with self.server.lock:
            state = json.loads(self.server.file.read_text("utf-8"))
            try:
                self._in_trouble(state)
                found = answered(state, token, self.command, parts.path, given)
                status = {"POST": 201, "DELETE": 204}.get(self.command, 200)
                if isinstance(found, list):
                    found, links = self._page(found, asked)
            except Denied as denied:
                status, found = denied.status, {"message": str(denied)} if str(denied) else {}
            self.server.file.write_text(json.dumps(state), "utf-8")
        self._send(status, found, links)

    do_GET = do_POST = do_PATCH = do_DELETE = _answer  # noqa: N815 - the server asks for these names

    def _in_trouble(self, state: State) -> None:
        """Fails once where the forge is to have trouble with such a call."""
        trouble = state["trouble"]
        if trouble and re.search(trouble[0], f"{self.command} {self.path.removeprefix('/')}"):
            state["trouble"] = trouble[1:]
            raise Denied("", 502)

    def _page(self, found: list[Any], asked: dict[str, str]) -> tuple[list[Any], dict[str, str]]:
        size, page = min(_PAGE, int(asked.get("per_page", "30"))), int(asked.get("page", "1"))
        if len(found) <= size * page:
            return found[size * (page - 1) :], {}
        more = urlencode({**asked, "page": page + 1})
        link = f'<https://api.github.com{urlsplit(self.path).path}?{more}>; rel="next"'
        return found[size * (page - 1) : size * page], {"Link": link}

    def _send(self, status: int, answer: Any, headers: dict[str, str]) -> None:
        data = b"" if status == 204 else json.dumps(answer).encode()
        self.send_response(status)
        for name, text in {
            "Content-Type": "application/json",
            "Content-Length": len(data),
            **headers,
        }.items():
            self.send_header(name, str(text))
        self.end_headers()
        self.wfile.write(data)


class _Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True

    def __init__(self, place: Path, file: Path) -> None:
        super().__init__(str(place), _Api)
        self.file, self.lock = file, Lock()

    def get_request(self) -> tuple[Any, Any]:
        """A socket's visitor has no address, and the server wants one."""
        request, _ = super().get_request()
        return request, ("here", 0)


@contextmanager
def answering(file: Path) -> Iterator[Path]:
    """Serves the forge whose state is in the file; gives the folder of a configuration that leads
    `gh` there.
    """
    with tempfile.TemporaryDirectory(prefix="forge-") as name:
        folder = Path(name)  # not the test's own: a socket's path is short
        (folder / "config.yml").write_text(f'version: "1"\nhttp_unix_socket: {folder / "socket"}\n')
        with _Server(folder / "socket", file) as server:
            thread = Thread(
                target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
            )
            thread.start()
            try:
                yield folder
            finally:
                server.shutdown()
                thread.join()
