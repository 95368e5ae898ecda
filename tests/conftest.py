"""Fixtures for all tests, and the rule that a required browser test may not be skipped."""

from __future__ import annotations

import ctypes
import functools
import os
import resource
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from nomicgen.play.voting import ballots
from tests.deep import load_profile
from tests.support import (
    CHROMIUM_ARGUMENTS,
    CHROMIUM_NAMES,
    GIT_ENVIRONMENT,
    REQUIRE_BROWSER,
    ROOT,
    GitRepo,
    axe_violations,
    find_chromium,
    known_token,
    opened_in,
    serving,
)

load_profile()

# The tests have jsonschema check no formats, and it would read the grammars of all: three seconds.
sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]
# Each worker would compile all tests anew, and each command that a test starts all of nomicgen.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# A new game is given the zone of the machine, which is another one elsewhere.
os.environ["TZ"] = "UTC"

_PR_SET_CHILD_SUBREAPER = 36  # of Linux's prctl

_LONGEST = (
    *("pulls/forge", "docs", "hostile", "faults", "benchmarks/test_benchmarks.py", "site"),
    *("pulls", "cli", "repository", "played"),
)


_MEMORY = Path("/dev/shm")


def _has_room_in_memory() -> bool:
    """Return whether temporary files may lie in memory, with space for them, and programs run."""
    if not os.access(_MEMORY, os.W_OK | os.X_OK):
        return False
    there = os.statvfs(_MEMORY)
    return there.f_bavail * there.f_frsize > 4 << 30 and not there.f_flag & os.ST_NOEXEC


# The tests write and delete some hundred thousand small files.
if "TMPDIR" not in os.environ and _has_room_in_memory():
    os.environ["TMPDIR"] = str(_MEMORY)
    tempfile.tempdir = None


def pytest_xdist_auto_num_workers() -> int:
    """One more worker than cores: a third of the time is spent waiting for a disk or a browser."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes long comes first, so that no worker is left with it when the others are done."""
    folders = [ROOT / "tests" / name for name in _LONGEST]

    @functools.cache
    def rank(path: Path) -> int:
        return next(
            (at for at, folder in enumerate(folders) if path.is_relative_to(folder)), len(folders)
        )

    items.sort(key=lambda item: rank(item.path))


@pytest.fixture(scope="session", autouse=True)
def _isolated_git() -> Iterator[None]:
    """Keep the person's git configuration out."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("GIT_")]:
            patch.delenv(name)
        for name, value in GIT_ENVIRONMENT.items():
            patch.setenv(name, value)
        yield


@pytest.fixture(scope="session", autouse=True)
def _isolated_memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what is remembered of games out of the person's folder; what a machine that tests is, is
    no matter.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        patch.delenv("CI", raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def _known_tokens() -> Iterator[None]:
    """Give ballots tokens that come out the same on every run: b000000001, b000000002. One test
    draws real ones.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ballots, "_new_token", known_token)
        yield


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of seeds and data that lies beside the repository."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("there is no folder 'shared' beside the repository")
    return folder


@pytest.fixture
def git_repo(tmp_path: Path) -> Callable[..., GitRepo]:
    """Makes a real git repository in the test's own folder."""

    def make(name: str = "game") -> GitRepo:
        return GitRepo(tmp_path / name)

    return make


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[[Path], str]]:
    """Serves a folder until the tests end, and gives its address: one for each, so that a browser
    keeps its files.
    """
    with ExitStack() as servers:
        yield functools.cache(lambda folder: servers.enter_context(serving(folder)))


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of the system's browser."""
    path = find_chromium()
    if path is None:
        reason = f"no Chromium: none of {', '.join(CHROMIUM_NAMES)} is installed"
        if REQUIRE_BROWSER:
            pytest.fail(f"{reason}, and NOMICGEN_REQUIRE_BROWSER=1 asks for one")
        pytest.skip(reason)
    return path


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    """The system's Chromium, started once for a session."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=chromium, args=list(CHROMIUM_ARGUMENTS)
        )
        yield running
        running.close()


@pytest.fixture(scope="session")
def window(browser: Browser) -> Iterator[BrowserContext]:
    """What all fresh pages are opened in: a context for each page takes twice the time."""
    context = browser.new_context()
    yield context
    context.close()


@pytest.fixture
def page(window: BrowserContext) -> Iterator[Page]:
    """A fresh page that reaches this machine alone; asking for anything else, or a script's error,
    fails the test.
    """
    with opened_in(window) as (fresh, trouble):
        yield fresh
    assert not trouble, "\n".join(trouble)


@pytest.fixture(scope="session")
def axe() -> Callable[[Page], list[str]]:
    """Runs axe-core on a page and gives the violations, one line for each element."""
    return axe_violations


def pytest_configure(config: pytest.Config) -> None:
    """Take in what loses its parent: of a browser most processes do, and their time would be
    counted nowhere.
    """
    if sys.platform == "linux" and not hasattr(config, "workerinput"):
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _cpu_seconds() -> float:
    """What this process has used, and all that it or one of its own has started and that has ended:
    workers, gits.
    """
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where a browser is required, a browser test that is skipped, for whatever reason, has
    failed.
    """
    report = yield
    if REQUIRE_BROWSER and report.skipped and item.get_closest_marker("browser"):
        report.outcome = "failed"
        report.longrepr = (
            f"skipped, though NOMICGEN_REQUIRE_BROWSER=1 requires it: {report.longrepr}"
        )
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what the tests cost, and how those of the browser went: nobody shall take a skipped one
    for a passed one.
    """
    terminalreporter.write_line(f"tests: {_cpu_seconds():.0f} CPU-seconds")

    def count(*outcomes: str) -> int:
        reports = (
            report for outcome in outcomes for report in terminalreporter.getreports(outcome)
        )
        return sum("browser" in getattr(report, "keywords", ()) for report in reports)

    ran, skipped = count("passed", "failed"), count("skipped")
    if ran or skipped:
        hint = " (install Chromium to run them)" if skipped and find_chromium() is None else ""
        terminalreporter.write_line(f"browser tests: {ran} ran, {skipped} skipped{hint}")
    elif os.environ.get("CI"):
        terminalreporter.write_line("browser tests: none")
