"""What tests stand on: a real git repository, a server for a built site, a browser's path, and axe.

Nothing here asserts anything about nomicgen; `conftest.py` hands these out as fixtures.
"""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, Route

from nomicgen.model.front_matters import ProposalMatter
from nomicgen.model.records import Instrument, Records
from nomicgen.play.voting.ballots import tokens_of

ROOT = Path(__file__).resolve().parent.parent
"""The repository's root."""

REQUIRE_BROWSER = os.environ.get("NOMICGEN_REQUIRE_BROWSER") == "1"

# The first has no windows, which no test looks at, and opens a page in a third of the time.
CHROMIUM_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM_ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

GIT_ENVIRONMENT = {
    # A person's own configuration must not reach a test, nor a test's commit reach a person's
    # repository.
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    # Of the tests' own commits none has to outlast a power cut, and to wait for the disk takes
    # minutes.
    "GIT_TEST_FSYNC": "0",
    # Nor does a repository need git's samples of hooks, which would be copied thousands of times.
    "GIT_TEMPLATE_DIR": str(ROOT / "tests" / "template"),
    "GIT_AUTHOR_NAME": "Ada Player",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada Player",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
}

FIRST_COMMIT = datetime(2020, 1, 1, 12, tzinfo=UTC)


def find_chromium() -> str | None:
    """The path of the system's browser, if it has one."""
    return next((path for name in CHROMIUM_NAMES if (path := shutil.which(name))), None)


def mkdocs_build(root: Path, site: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Builds the site of a game into `site`, as a person would; what MkDocs says of its own future
    is left out.
    """
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", *options, "--site-dir", str(site)],
        cwd=root,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "true"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@dataclass(slots=True)
class GitRepo:
    """A temporary git repository whose commits come out the same on every run: one a day, from 1
    January 2020.
    """

    path: Path
    commits: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str, env: Mapping[str, str] | None = None) -> str:
        """What a git command prints; it fails the test when git fails."""
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.path,
            env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        if done.returncode:
            raise AssertionError(f"git {' '.join(arguments)}: {done.stderr.strip()}")
        return done.stdout.rstrip("\n")

    def write(self, files: Mapping[str, str | bytes | None]) -> None:
        """Write files by their path in the repository; None removes one."""
        for name, text in files.items():
            file = self.path / name
            if text is None:
                file.unlink()
                continue
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode() if isinstance(text, str) else text)

    def commit(
        self,
        message: str,
        files: Mapping[str, str | bytes | None] | None = None,
        *,
        author: str = "Ada Player <ada@example.org>",
        date: datetime | None = None,
    ) -> str:
        """Write files, commit everything, and return the commit's id."""
        self.write(files or {})
        when = (date or FIRST_COMMIT + timedelta(days=self.commits)).isoformat()
        self.git("add", "--all")
        self.git(
            "commit",
            "--quiet",
            "--allow-empty",
            f"--author={author}",
            f"--message={message}",
            env={"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when},
        )
        self.commits += 1
        return self.git("rev-parse", "HEAD")


def known_token(records: Records) -> str:
    """The token that the next vote of a game gets in tests."""
    return f"b{len(tokens_of(records)) + 1:09}"


def voted(instrument: Instrument) -> str:
    """The digest of what is voted on, where no rule speaks of edits."""
    assert isinstance(instrument.matter, ProposalMatter)
    digest = instrument.digest if instrument.matter.ballot is None else instrument.whole_digest
    assert digest is not None
    return digest


_PLAYED: dict[Hashable, tuple[Path, int]] = {}


def once(key: Hashable, repo: GitRepo, play: Callable[[GitRepo], object]) -> GitRepo:
    """Plays in a new repository; what has this key is played once for all tests, which then get a
    copy of it.

    In a repository that is not as `git init` leaves it, it is played for itself.
    """
    if (
        [one.name for one in repo.path.iterdir()] != [".git"]
        or repo.git("for-each-ref")
        or _is_set_up(repo)
    ):
        play(repo)
        return repo
    if key not in _PLAYED:
        play(repo)
        kept = Path(tempfile.mkdtemp(prefix="nomicgen-")) / "game"
        atexit.register(shutil.rmtree, kept.parent, ignore_errors=True)
        shutil.copytree(repo.path, kept, symlinks=True)
        _PLAYED[key] = kept, repo.commits
        return repo
    kept, repo.commits = _PLAYED[key]
    shutil.rmtree(repo.path)
    shutil.copytree(kept, repo.path, symlinks=True)
    return repo


def _is_set_up(repo: GitRepo) -> bool:
    lines = (repo.path / ".git" / "config").read_text("utf-8").splitlines()
    return [line.strip().partition(" ")[0] for line in lines] != [
        "[core]",
        "repositoryformatversion",
        "filemode",
        "bare",
        "logallrefupdates",
    ]


class _Quiet(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # a page's twenty files come through few connections
    disable_nagle_algorithm = True
    wbufsize = -1  # head and body go out together

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: pytest would show it as the test's own output."""


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Says nothing of a browser that closes a page before it has all of it; anything else is a
        failure to see.
        """
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Serve a folder on this machine, as a plain file server would; gives its address, with a slash
    at the end.
    """
    with _Server(("127.0.0.1", 0), partial(_Quiet, directory=str(folder))) as server:
        thread = threading.Thread(
            target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        )
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def opened(browser: Browser) -> Iterator[tuple[Page, list[str]]]:
    """A fresh page that reaches this machine alone, and a list of what it asked for elsewhere, of
    what failed in it, and of what the site's own policy had to stop.
    """
    context = browser.new_context()
    try:
        with opened_in(context) as fresh:
            yield fresh
    finally:
        context.close()


@contextmanager
def opened_in(context: BrowserContext) -> Iterator[tuple[Page, list[str]]]:
    """The same in a context that is there already, which then keeps what it has fetched and nothing
    else.
    """
    trouble: list[str] = []
    origins: set[str] = set()

    def refuse(route: Route) -> None:
        trouble.append(f"asked for {route.request.url}")
        route.abort()

    context.route(lambda url: not url.startswith(("http://127.0.0.1:", "data:", "blob:")), refuse)
    page = context.new_page()
    page.on("pageerror", lambda error: trouble.append(f"a script failed: {error}"))
    page.on(
        "console",
        lambda said: trouble.append(said.text) if "Content Security Policy" in said.text else None,
    )
    page.on("framenavigated", lambda frame: origins.add("/".join(frame.url.split("/", 3)[:3])))
    try:
        yield page, trouble
    finally:
        _forgotten(context, page, origins)


def _forgotten(context: BrowserContext, page: Page, origins: set[str]) -> None:
    """Leaves nothing of a page behind, nor of those that it opened."""
    if not page.is_closed():
        session = context.new_cdp_session(page)
        for origin in origins:
            session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
    context.clear_cookies()
    context.unroute_all()
    for each in context.pages:
        each.close()


def axe_violations(page: Page) -> list[str]:
    """What axe-core finds wrong with the page as it stands: one line for each element."""
    found = Axe().run(page).response["violations"]
    return [
        f"{violation['id']} ({violation['impact']}): {violation['help']}: "
        f"{' '.join(map(str, node['target']))}"
        for violation in found
        for node in violation["nodes"]
    ]
