"""Fuzzing by hand: `python -m tests.fuzz TARGET… --minutes 10`, or `make fuzz MINUTES=10` for all
of them.

Whatever goes wrong is put into build/fuzz/TARGET/found/, once for each place where it does, as
short as it came, and from there into a file of tests/fuzz/found/ by hand. What was learnt stays in
build/fuzz/, and the next run goes on from there; `--keep` takes the best of it into the corpus.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.fuzz import targets
from tests.fuzz.targets import CORPUS, LEARNT, TARGETS

_KEPT = 14 << 10
"""Bytes that the corpus of one target may have."""
_MEGABYTES = 2048
_WALL = 120
"""Seconds until what never comes back to Python is ended."""
_ENDED = re.compile(r"Test unit written to \S*/((?:crash|timeout|oom)-\S+)")


def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzzes, and says how far it came. Gives 1 where something was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(TARGETS))
    parser.add_argument("--minutes", type=float, default=10, help="for each target (default: 10)")
    parser.add_argument(
        "--keep", action="store_true", help="only put what earlier runs learnt into the corpus"
    )
    asked = parser.parse_args(arguments)
    names: list[str] = asked.targets or list(TARGETS)
    if unknown := [name for name in names if name not in TARGETS]:
        parser.error(f"no such target: {', '.join(unknown)}")
    if asked.keep:
        for name in names:
            _keep(name)
        return 0
    return max(_fuzz(name, asked.minutes) for name in names)


def _fuzz(name: str, minutes: float) -> int:
    learnt, seeds, words = (
        LEARNT / name / "corpus",
        LEARNT / name / "seeds",
        LEARNT / name / "words.txt",
    )
    learnt.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(seeds, ignore_errors=True)
    seeds.mkdir()
    for at, seed in enumerate(TARGETS[name].seeds()):
        (seeds / str(at)).write_bytes(seed)
    words.write_text("".join(f'"{_escaped(word)}"\n' for word in TARGETS[name].words), "ascii")
    wrong = LEARNT / name / "found"
    shutil.rmtree(wrong, ignore_errors=True)
    wrong.mkdir()
    known = targets.found(name)
    for shown, data in known.items():
        (wrong / shown).write_bytes(data)
    corpus = _unpacked(name)
    options = (
        f"-max_total_time={round(minutes * 60)}",
        f"-max_len={TARGETS[name].longest}",
        f"-rss_limit_mb={_MEGABYTES}",
        f"-timeout={_WALL}",
        f"-artifact_prefix={LEARNT / name}/",
        f"-dict={words}",
        "-print_final_stats=1",
    )
    said = _ran(name, options, [learnt, *(one for one in (corpus, wrong, seeds) if one.is_dir())])
    runs = re.findall(r"(?:number_of_executed_units: |Done )([0-9]+)", said)
    if not runs:
        print(f"{name}: it did not run: {said.strip().rpartition(chr(10))[2]}", flush=True)
        return 1
    for file in sorted(LEARNT / name / one for one in _ENDED.findall(said)):
        shutil.copy(file, wrong)
    new = sorted(file for file in _files([wrong]) if file.name not in known)
    print(
        f"{name}: {runs[0]} executions, {minutes:g} minutes, {len(new)} found",
        *new,
        sep="\n  ",
        flush=True,
    )
    return 1 if new else 0


def _ran(name: str, options: Iterable[str], folders: Iterable[Path]) -> str:
    """What libFuzzer says of a run; all of it is in build/fuzz/TARGET/log.txt."""
    command = [sys.executable, "-m", "tests.fuzz.engine", name, *options, *map(str, folders)]
    log = LEARNT / name / "log.txt"
    with log.open("wb") as stream:
        subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=stream, stderr=subprocess.STDOUT, check=False
        )
    return log.read_text("utf-8", "replace")


def _keep(name: str) -> None:
    """The shortest inputs that together go everywhere, as far as there is room for them."""
    merged = LEARNT / name / "merged"
    shutil.rmtree(merged, ignore_errors=True)
    merged.mkdir(parents=True)
    folders = [
        one
        for one in (_unpacked(name), LEARNT / name / "corpus", LEARNT / name / "seeds")
        if one.is_dir()
    ]
    _ran(name, ["-merge=1", f"-max_len={TARGETS[name].longest}"], [merged, *folders])
    room = _KEPT
    kept: dict[str, bytes] = {}
    for file in sorted(_files([merged]), key=lambda one: (one.stat().st_size, one.name)):
        room -= file.stat().st_size
        if room < 0:
            break
        kept[file.name[:12]] = file.read_bytes()
    targets.keep(name, kept)
    print(f"{name}: {len(kept)} of {len(list(_files([merged])))} inputs kept", flush=True)


def _unpacked(name: str) -> Path:
    """A folder with the inputs of a target's archive, if there is one."""
    folder = LEARNT / name / "unpacked"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for shown, data in targets.learnt(name).items() if (CORPUS / f"{name}.zip").is_file() else ():
        (folder / shown).write_bytes(data)
    return folder


def _files(folders: Iterable[Path]) -> Iterable[Path]:
    return (file for folder in folders if folder.is_dir() for file in folder.iterdir())


def _escaped(word: str) -> str:
    """A word as libFuzzer's dictionaries have it."""
    return "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\x{byte:02x}"
        for byte in word.encode()
    )


if __name__ == "__main__":
    sys.exit(main())
