"""Tries commands with faults, and tells what is wrong afterwards.

    python -m tests.faults.run [--scene NAME ...] [--fault NAME ...] [--at CALL ...] [--share 1/N]
    [--verbose] python -m tests.faults.run --pair NAME ... [--share 1/N]

Prints a line of JSON for each scene: how many calls it makes, how many runs were tried, and what
was wrong. A process of its own, because it forks, and has what it forks imported already.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path

from tests.faults.kinds import FAULTS, Fault
from tests.faults.pairs import PAIRS, Pair, Together
from tests.faults.scenes import SCENES, Places, Scene, copied
from tests.faults.state import State, folders_of, litter, looks, state_of
from tests.faults.trap import Answer, Call, Ended, trapped
from tests.faults.typing import child, typed
from tests.support import GIT_ENVIRONMENT

__all__ = ["Trials"]

_SAID = "interrupted"
_COMMANDS = (
    "apply",
    "export",
    "import_",
    "init",
    "pages",
    "player",
    "propose",
    "register",
    "resolve",
    "status",
    "vote",
)
_CLOSE = 20
_NOW = "2026-02-01T12:00:00Z"


@dataclass
class Trials:
    """The trials of one scene."""

    scene: Scene
    source: Path
    folder: Path
    calls: list[Call] = field(default_factory=list)
    fresh: dict[int, bool] = field(default_factory=dict)
    judged: dict[tuple[str, bool], list[str]] = field(default_factory=dict)
    looks_closely: bool = True

    def __post_init__(self) -> None:
        place = self._place()
        self.before, self.folders = state_of(place), folders_of(place)
        seen: set[str] = set()

        calm = True

        def look(number: int, call: Call) -> Answer | None:
            nonlocal calm
            if not self.looks_closely:
                self.fresh[number] = True
            elif calm and seen:
                self.fresh[number] = False
            else:
                now = looks(place)
                self.fresh[number] = now not in seen
                seen.add(now)
            # What has changed nothing on the disk when the next call comes.
            calm = call.kind in ("stream", "output") or call.name in ("flock", "fsync", "fdatasync")
            return None

        ended = trapped(partial(child, place, self.scene.words(place)), look)
        if ended.status:
            raise AssertionError(f"{self.scene.name} fails without a fault: {ended.output}")
        self.calls = ended.calls
        self.after = state_of(place)
        self.folders |= folders_of(place)
        self.status = _status(place)
        left = litter(place, expected=self.folders)
        if left or self.after == self.before:
            raise AssertionError(f"{self.scene.name} without a fault: left {left}")
        shutil.rmtree(place)

    def numbers(self, fault: Fault) -> Iterator[int]:
        """The calls that the fault can happen to; for a kill one of those between which the disk
        stays the same.
        """
        for number, call in enumerate(self.calls):
            if fault.strikes(call) and (fault.name != "kill" or self.fresh[number]):
                yield number

    def tried(self, fault: Fault, at: int) -> list[str]:
        """What is wrong after a run in which the fault happened at a call."""
        place = self._place()

        def decide(number: int, call: Call) -> Answer | None:
            if number == at or (fault.lasts and number > at and fault.strikes(call)):
                return fault.answer(call)
            return None

        ended = trapped(partial(child, place, self.scene.words(place)), decide)
        wrong = list(self._said(ended, place))
        now = looks(place)
        key = (now, ended.status == 0)
        if key not in self.judged:
            self.judged[key] = list(self._left(ended, place))
        wrong += [one for one in self.judged[key] if not self._is_kept_by_disk(fault, at, one)]
        shutil.rmtree(place)
        return wrong

    def _is_kept_by_disk(self, fault: Fault, at: int, found: str) -> bool:
        """Whether it is about a lock that the disk does not let git remove; who needs it next is
        told its name.
        """
        call = self.calls[at]
        return (
            fault.errno != 0
            and not call.own
            and call.name == "unlink"
            and found == f"left about: ['{self._lock(call)}']"
        )

    def _lock(self, call: Call) -> str:
        return call.target.rpartition("/place/")[2]

    def _said(self, ended: Ended, place: Path) -> Iterator[str]:
        if "Traceback" in ended.output or "Exception ignored" in ended.output:
            yield f"a traceback: {ended.output}"
        if ended.status == 0 and not self._is_after(state_of(place)):
            yield f"status 0, and the game is not as after: {ended.output}"
        if ended.status > 0 and not ended.output.strip():
            yield "it failed and said nothing"

    def _left(self, ended: Ended, place: Path) -> Iterator[str]:
        """What is wrong with what is on the disk, and with what the next commands make of it."""
        at_once = state_of(place)
        if self.scene.elsewhere:
            status, said = typed(place, self.scene.words(place))
            said += _SAID
            if status:
                yield f"the command again ends with {status}: {said}"
        elif any(
            (place / "game" / name).exists()
            for name in ("nomic.yml", ".nomicgen/commit", ".nomicgen/undo")
        ):
            status, said = typed(place, ["-C", str(place / "game"), "status"])
            if status or "Traceback" in said:
                yield f"`status` ends with {status}: {said}"
        else:
            said = ""
        settled = state_of(place)
        if settled != at_once and _SAID not in said:
            yield f"the next command put it right and did not say so: {said}"
        if not self._is_whole(settled, place):
            yield f"between: {self._told(settled)} (it had printed: {ended.output})"
        again, said = typed(place, self.scene.words(place))
        if "Traceback" in said:
            yield f"the command again: {said}"
        if not self._is_after(settled) and (again or state_of(place) != self.after):
            yield f"the command again ends with {again}: {said} {self._told(state_of(place))}"
        if left := litter(place, expected=self.folders):
            yield f"left about: {left}"

    def _is_after(self, state: State) -> bool:
        return state == self.after

    def _is_whole(self, state: State, place: Path) -> bool:
        if state in (self.before, self.after):
            return True
        if self.scene.makes and not state.head and not state.index:
            # The report is a file of its own, and comes first.
            reports = {one for one in self.after.files if one[0].startswith("report.")}
            return state.files - reports == self.before.files
        # One of several commits, each of which is whole.
        return bool(state.head) and state.head != self.before.head and _status(place) == self.status

    def _told(self, state: State) -> str:
        names = {
            path: "as before"
            if one in self.before.files
            else "as after"
            if one in self.after.files
            else "neither"
            for one in sorted(state.files)
            for path in (one[0],)
            if one not in self.before.files or one not in self.after.files
        }
        gone = sorted(
            {path for path, _ in self.before.files & self.after.files}
            - {path for path, _ in state.files}
        )
        ends = {"before": self.before, "after": self.after}
        head = [name for name, end in ends.items() if end.head == state.head]
        index = [name for name, end in ends.items() if end.index == state.index]
        return f"files {names}, gone {gone}, head as {head}, index as {index}"

    def _place(self) -> Path:
        place = self.folder / "place"
        if place.exists():
            shutil.rmtree(place)
        return copied(self.source, place)


def _status(place: Path) -> bytes | None:
    if not (place / "game" / ".git").exists():
        return None
    line = ["git", "-C", str(place / "game"), "status", "--porcelain", "--untracked-files=all"]
    return subprocess.run(line, capture_output=True, check=False).stdout


def _chosen(numbers: Iterable[int], fault: int, share: int) -> list[int]:
    """One of `share` calls, always the same ones; those of 15 faults and a share of 15 meet every
    call.
    """
    return [number for number in numbers if (number + 7 * fault) % share == 0]


def _import_all() -> None:
    for name in _COMMANDS:
        import_module(f"nomicgen.cli.{name}")


def _arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--scene", action="append", choices=SCENES)
    parser.add_argument("--fault", action="append", choices=FAULTS)
    parser.add_argument("--at", action="append", type=int)
    parser.add_argument(
        "--share",
        action="append",
        default=[],
        help="try one call in N, everywhere or there: [NAME=]1/N",
    )
    parser.add_argument("--pair", action="append", choices=PAIRS)
    parser.add_argument(
        "--verbose", action="store_true", help="list the calls, and what is wrong as it is found"
    )
    return parser.parse_args(words)


def run(words: Sequence[str]) -> bool:
    """Whether nothing was wrong."""
    given = _arguments(words)
    os.environ.update(
        GIT_ENVIRONMENT, GIT_COMMITTER_DATE=_NOW, GIT_AUTHOR_DATE=_NOW, GIT_TEST_FSYNC="1"
    )
    _import_all()
    gc.collect()
    gc.freeze()
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as name:
        sources, folder = Path(name) / "sources", Path(name) / "runs"
        sources.mkdir()
        folder.mkdir()
        places = Places(sources)
        everything = not given.pair and not given.scene
        reports = [
            _pair(PAIRS[one], places, folder, given)
            for one in given.pair or (PAIRS if everything else ())
        ]
        reports += [
            _scene(SCENES[one], places, folder, given)
            for one in given.scene or (SCENES if everything else ())
        ]
    return not any(reports)


def _scene(
    scene: Scene, places: Places, folder: Path, given: argparse.Namespace
) -> dict[str, list[str]]:
    share = _share(given, scene.name)
    trials = Trials(scene, places.of(scene.place), folder, looks_closely=share <= _CLOSE)
    faults = []
    wrong = {}
    if given.verbose:
        for number, call in enumerate(trials.calls):
            print(
                number,
                call.name,
                call.kind,
                call.target,
                "" if call.own else "(git)",
                file=sys.stderr,
            )
    for place, fault in enumerate(FAULTS[one] for one in given.fault or FAULTS):
        for number in given.at or _chosen(trials.numbers(fault), place, share):
            faults.append(fault.name)
            if found := trials.tried(fault, number):
                call = trials.calls[number]
                wrong[f"{fault.name} at {number} {call.name} {call.target}"] = found
                if given.verbose:
                    print(
                        fault.name,
                        number,
                        call.name,
                        call.target,
                        *found,
                        file=sys.stderr,
                        flush=True,
                    )
    _tell(scene.name, trials.calls, faults, wrong)
    return wrong


def _pair(
    pair: Pair, places: Places, folder: Path, given: argparse.Namespace
) -> dict[str, list[str]]:
    together = Together(pair, places.of(pair.place), folder)
    share = _share(given, pair.name)
    numbers = given.at or _chosen(range(len(together.calls)), 0, share)
    wrong = {f"at {number}": found for number in numbers if (found := together.tried(number))}
    _tell(pair.name, together.calls, ["together" for _ in numbers], wrong)
    return wrong


def _tell(
    name: str, calls: Sequence[Call], faults: Sequence[str], wrong: dict[str, list[str]]
) -> None:
    report = {
        "name": name,
        "calls": len(calls),
        "runs": len(faults),
        "faults": sorted(set(faults)),
        "of_git": sum(not call.own for call in calls),
        "wrong": wrong,
    }
    print(json.dumps(report), flush=True)


def _share(given: argparse.Namespace, name: str) -> int:
    """Of how many calls one is tried."""
    shares = {one.rpartition("=")[0]: int(one.rpartition("/")[2]) for one in given.share}
    return shares.get(name, shares.get("", 1))


if __name__ == "__main__":
    sys.exit(not run(sys.argv[1:]))
