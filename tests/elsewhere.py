"""A program of Python's run as on two other machines: nothing but what it is given may reach what
it makes.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

__all__ = ["HERE", "THERE", "digests", "ran"]

# A file system gives the entries of a directory in no order, so each machine has one of its own.
_MODULE = """\
import os, runpy, sys

class Entries:
    def __init__(self, found):
        self.found = found
        self.left = iter(sorted(found, key=lambda one: one.name, reverse={reverse}))
    __iter__ = __enter__ = lambda self: self
    __next__ = lambda self: next(self.left)
    __exit__ = lambda self, *_: self.found.close()
    close = lambda self: self.found.close()

scandir, listdir = os.scandir, os.listdir
os.scandir = lambda *given: Entries(scandir(*given))
os.listdir = lambda *given: sorted(listdir(*given), reverse={reverse})
sys.argv = sys.argv[1:]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""

HERE = {"TZ": "UTC", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0", "UMASK": "022"}
THERE = {
    "TZ": "Pacific/Kiritimati",
    "LC_ALL": "tr_TR.UTF-8",
    "LANG": "tr_TR.UTF-8",
    "PYTHONHASHSEED": "4242",
    "COLUMNS": "40",
    "HOME": os.devnull,
    "UMASK": "077",
}
"""Two machines: their environments, and the permissions that their files do not get."""


def ran(
    machine: Mapping[str, str], *words: str, cwd: Path, **more: str
) -> subprocess.CompletedProcess[str]:
    """Runs `python -m WORDS` on a machine; it ends as it ends."""
    clean = {
        key: value
        for key, value in os.environ.items()
        if key not in ("SOURCE_DATE_EPOCH", "PYTHONHASHSEED")
    }
    script = _MODULE.format(reverse=machine is THERE)
    line = shlex.join([sys.executable, "-c", script, *words])
    return subprocess.run(
        ["sh", "-c", f"umask {machine['UMASK']}; exec {line}"],
        cwd=cwd,
        env={**clean, **machine, "NO_MKDOCS_2_WARNING": "true", **more},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def digests(folder: Path) -> dict[str, str]:
    """Every file below a folder, by path, with what its bytes add up to."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
