"""Runs one target in atheris, which says what to run it on; only `python -m tests.fuzz` comes here.

The run goes on where something is wrong: each place where it goes wrong is told once, and its
shortest input kept.
"""

from __future__ import annotations

import hashlib
import re
import shlex
import sys
import traceback
from pathlib import Path
from types import TracebackType

import atheris

with atheris.instrument_imports(include=["nomicgen", "markdown_it", "ruamel"]):
    from tests.fuzz.target import Hang, Target, limited
    from tests.fuzz.targets import LEARNT, TARGETS

_known: dict[str, Path] = {}
"""The places where something went wrong, each with its shortest input."""
_new: set[Path] = set()


def _place(error: BaseException) -> str:
    """What went wrong, and where: the innermost line of ours that it passed, and how what is said
    of it begins.
    """
    frames = traceback.extract_tb(error.__traceback__)
    ours = [one for one in frames if "/nomicgen/" in one.filename or "/tests/fuzz/" in one.filename]
    last = ours[-1] if ours else frames[-1]
    return (
        f"{type(error).__name__} {last.filename}:{last.lineno} "
        f"{re.sub(r'[^a-z-]+', ' ', str(error))[:60]}"
    )


class _Watched:
    """Tells what goes wrong within, and lets it pass: the run is to go on."""

    def __init__(self, target: Target, data: bytes) -> None:
        self.target, self.data = target, data

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> bool:
        if not isinstance(error, (Exception, Hang)):
            return False
        _tell(self.target, self.data, error)
        return True


def _tell(target: Target, data: bytes, error: BaseException) -> None:
    place, digest = _place(error), hashlib.sha256(data).hexdigest()
    file, before = LEARNT / target.name / "found" / digest[:12], _known.get(place)
    if before is None:
        print(f"\nFOUND {place} by {file}", file=sys.stderr)
        traceback.print_exception(error)
    elif before.stat().st_size <= len(data):
        return
    elif before in _new:
        before.unlink()
    if not file.exists():  # else it is one of those that were found before
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        _new.add(file)
    _known[place] = file


def main() -> None:
    target = TARGETS[sys.argv[1]]

    def run(data: bytes) -> None:
        with _Watched(target, data), limited():
            target.run(data)

    # libFuzzer's merge starts this program again, by a shell, and knows it by its first argument.
    itself = f"{shlex.quote(sys.executable)} -m tests.fuzz.engine {target.name}"
    atheris.Setup([itself, *sys.argv[2:]], run)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
