"""Whatever fails, and wherever: the game is as before or as after. A sample; `make faults` tries
everything.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import pytest

from tests.faults.kinds import FAULTS
from tests.faults.pairs import PAIRS
from tests.faults.scenes import SCENES
from tests.support import ROOT

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="it is Linux that stops a process at its calls"
)

# One call in so many is tried, always the same ones: 15 and less means that every call meets a
# fault.
_SHARES = {
    "register": 9,
    "vote": 15,
    "resolve": 30,
    "apply": 30,
    "export": 40,
    "init": 70,
    "import-text": 60,
    "import-git": 80,
    "pages-again": 130,
    "register-commit": 190,
    "vote-commit": 190,
    "resolve-commit": 160,
    "apply-commit": 120,
}
_PAIRS = {"vote-vote": 4, "register-register": 24, "join-join": 4, "resolve-vote": 24}


# And for `make test` two of them, where a whole try takes seconds.
_FEW = {"vote": 40, "register-commit": 800}


def _reports(module: str, *words: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", f"tests.faults.{module}", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=3600,
    )
    assert done.stderr == ""
    reports = {one["name"]: one for one in map(json.loads, done.stdout.splitlines())}
    assert done.returncode == (1 if any(one["wrong"] for one in reports.values()) else 0)
    return reports


def _sampled(kind: str, shares: Mapping[str, int]) -> dict[str, Any]:
    chosen = [
        word
        for name, share in shares.items()
        for word in (kind, name, "--share", f"{name}=1/{share}")
    ]
    return _reports("run", *chosen)


@pytest.mark.deep
def test_after_some_faults_a_game_is_as_before_or_as_after() -> None:
    reports = _sampled("--scene", _FEW)
    assert {name: one["wrong"] for name, one in reports.items() if one["wrong"]} == {}
    assert set(reports) == set(_FEW)
    assert all(one["runs"] for one in reports.values()), reports


@pytest.mark.nightly
def test_after_any_fault_a_game_is_as_before_or_as_after() -> None:
    reports = _sampled("--scene", _SHARES)
    assert {name: one["wrong"] for name, one in reports.items() if one["wrong"]} == {}
    assert set(reports) == set(_SHARES) <= set(SCENES)
    # Git's own processes are reached as well.
    assert all(one["of_git"] > 50 for name, one in reports.items() if name.endswith("-commit"))
    assert {name: one["runs"] for name, one in reports.items() if one["runs"] < 3} == {}
    assert {fault for one in reports.values() for fault in one["faults"]} == set(FAULTS)


@pytest.mark.nightly
def test_of_two_commands_at_once_one_waits_or_refuses() -> None:
    reports = _sampled("--pair", _PAIRS)
    assert {name: one["wrong"] for name, one in reports.items() if one["wrong"]} == {}
    assert set(reports) == set(_PAIRS) == set(PAIRS)


@pytest.mark.nightly
def test_a_command_that_writes_file_after_file_is_found_out() -> None:
    wrong = _reports("naive")["register"]["wrong"]
    assert any("between" in said for found in wrong.values() for said in found)
    assert {name.partition(" ")[0] for name in wrong} == {"kill", "ENOSPC", "SIGTERM"}
