"""Fixtures for all tests, and the rule that a required browser test may not be skipped."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, Page, sync_playwright

from tests.support import (
    CHROMIUM_ARGUMENTS,
    CHROMIUM_NAMES,
    GIT_ENVIRONMENT,
    REQUIRE_BROWSER,
    ROOT,
    GitRepo,
    axe_violations,
    find_chromium,
    opened,
    serving,
)

# The machines that run this are noisy: how long one example takes says nothing.
settings.register_profile("nomicgen", deadline=None)
settings.load_profile("nomicgen")


_LONGEST = ("forge", "docs", "hostile", "faults", "test_benchmarks.py", "site", "pulls", "cli", "repository", "played")


def pytest_xdist_auto_num_workers() -> int:
    """One more worker than cores: a third of the time is spent waiting for a disk or a browser."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes long comes first, so that no worker is left with it when the others are done."""
    rank = {name: at for at, name in enumerate(_LONGEST)}
    items.sort(key=lambda item: rank.get(item.path.relative_to(ROOT / "tests").parts[0], len(rank)))


@pytest.fixture(scope="session", autouse=True)
def _isolated_git() -> Iterator[None]:
    """Keep the person's git configuration out."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("GIT_")]:
            patch.delenv(name)
        for name, value in GIT_ENVIRONMENT.items():
            patch.setenv(name, value)
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
    """Serves a folder until the tests end, and gives its address."""
    with ExitStack() as servers:
        yield lambda folder: servers.enter_context(serving(folder))


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
        running = playwright.chromium.launch(executable_path=chromium, args=list(CHROMIUM_ARGUMENTS))
        yield running
        running.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh page that reaches this machine alone; asking for anything else, or a script's error, fails the test."""
    with opened(browser) as (fresh, trouble):
        yield fresh
    assert not trouble, "\n".join(trouble)


@pytest.fixture(scope="session")
def axe() -> Callable[[Page], list[str]]:
    """Runs axe-core on a page and gives the violations, one line for each element."""
    return axe_violations


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where a browser is required, a browser test that is skipped, for whatever reason, has failed."""
    report = yield
    if REQUIRE_BROWSER and report.skipped and item.get_closest_marker("browser"):
        report.outcome = "failed"
        report.longrepr = f"skipped, though NOMICGEN_REQUIRE_BROWSER=1 requires it: {report.longrepr}"
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how the browser tests went, so that nobody takes a skipped one for a passed one."""

    def count(*outcomes: str) -> int:
        reports = (report for outcome in outcomes for report in terminalreporter.getreports(outcome))
        return sum("browser" in getattr(report, "keywords", ()) for report in reports)

    ran, skipped = count("passed", "failed"), count("skipped")
    if ran or skipped:
        hint = " (install Chromium to run them)" if skipped and find_chromium() is None else ""
        terminalreporter.write_line(f"browser tests: {ran} ran, {skipped} skipped{hint}")
    elif os.environ.get("CI"):
        terminalreporter.write_line("browser tests: none")
