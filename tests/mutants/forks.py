"""Within pytest (`-p tests.mutants.forks --mutants FILE`): tries each mutant in a child of its own.

The tests are collected once. One child runs all of them and notes which functions each one calls
and how long it takes; then a child for each mutant runs those that call its function, the quick
ones first, until one fails. What has been computed and kept is never handed from one to another.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from types import CodeType, FrameType

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import Phase, settings
from mutmut.utils.format_utils import mangled_name_from_mutant_name

from tests.mutants.switch import functions, switch

MEMORY = 6 << 30
"""Bytes that a child may take: a mutant that never stops may well collect something while it does
not.
"""
DEAR = 4.0
"""Seconds: a test that takes longer is left out."""
SURVIVED, KILLED = 0, 1
Costs = dict[str, tuple[float, list[str]]]
"""Of each test the seconds that it takes, and the functions that it calls."""

# Always the same examples, few of them, and nobody wants to read the shortest one.
settings.register_profile(
    "mutants",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=25,
    phases=(Phase.explicit, Phase.generate),
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--mutants", type=Path, help="a JSON list of the mutants to try, by mutmut's names"
    )
    parser.addoption("--outcomes", type=Path, help="where to write what became of each")
    parser.addoption("--seconds", type=float, help="of tests for each mutant, at most")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    option = session.config.getoption
    mutants: list[str] = json.loads(option("mutants").read_text("utf-8"))
    outcomes: Path = option("outcomes")
    notes = outcomes.with_name("tests.json")
    if (
        not notes.exists()
        and _forked(partial(_noted, session.items, notes), seconds=3600) != SURVIVED
    ):
        raise pytest.UsageError(f"the tests fail without a mutant, too: {notes}")
    costs: Costs = json.loads(notes.read_text("utf-8"))
    told: dict[str, str] = {}
    for done, mutant in enumerate(mutants, 1):
        function = mangled_name_from_mutant_name(mutant)
        tests, seconds = _chosen(session.items, function, costs, option("seconds"))
        began = time.monotonic()
        code = _forked(partial(_tried, mutant, tests), seconds=10 + 5 * seconds) if tests else None
        told[mutant] = {SURVIVED: "survived", KILLED: "killed", None: "untested"}.get(
            code, "timeout"
        )
        outcomes.write_text(json.dumps(told, indent=1), "utf-8")
        line = (
            f"{done}/{len(mutants)} {told[mutant]} {mutant} {len(tests)} tests "
            f"{time.monotonic() - began:.1f} s"
        )
        session.config.get_terminal_writer().line(line, flush=True)
    return True


def _forked(work: Callable[[], int], *, seconds: float) -> int:
    """What the work gives, done in a child; KILLED if it fell over, and less than nothing if a
    signal ended it.
    """
    pid = os.fork()
    if not pid:
        code = KILLED
        try:
            limit = int(time.process_time() + seconds) + 1
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            code = work()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _noted(items: Sequence[pytest.Item], notes: Path) -> int:
    """Runs all tests without a mutant, and writes down their seconds and what they call."""
    known = functions()
    called: set[CodeType] = set()

    def trace(frame: FrameType, event: str, argument: object) -> None:
        called.add(frame.f_code)

    costs: Costs = {}
    failed: list[str] = []
    for item, after in zip(items, [*items[1:], None], strict=True):
        called.clear()
        began = time.process_time()
        sys.settrace(trace)
        if any(report.failed for report in runtestprotocol(item, log=False, nextitem=after)):
            failed.append(item.nodeid)
        sys.settrace(None)
        costs[item.nodeid] = (
            time.process_time() - began,
            sorted(known[code] for code in called & known.keys()),
        )
    notes.write_text(json.dumps(failed or costs, indent=1), "utf-8")
    return KILLED if failed else SURVIVED


def _chosen(
    items: Sequence[pytest.Item], function: str, costs: Costs, seconds: float
) -> tuple[list[pytest.Item], float]:
    """The tests that call a function, those of its own floor first and then the quick ones; and how
    long they take.
    """
    floor = f"tests/{function.split('.')[1]}/"
    calling = [
        item for item in items if function in costs[item.nodeid][1] and costs[item.nodeid][0] < DEAR
    ]
    calling.sort(key=lambda item: (not item.nodeid.startswith(floor), costs[item.nodeid][0]))
    taken: list[pytest.Item] = []
    total = 0.0
    for item in calling:
        if total < seconds:
            taken.append(item)
            total += costs[item.nodeid][0]
    return taken, total


def _tried(mutant: str, tests: Sequence[pytest.Item]) -> int:
    switch(mutant)
    for item, after in zip(tests, [*tests[1:], None], strict=True):
        if any(report.failed for report in runtestprotocol(item, log=False, nextitem=after)):
            return KILLED
    return SURVIVED
