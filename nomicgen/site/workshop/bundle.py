"""The part of the program that judges a draft, packed for a browser: what `play/` imports, and the packages of it."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

import nomicgen
from nomicgen.play.refusal import Refused

_OURS = (
    *("__init__.py", "model/**/*.py", "files/**/*.py", "formats/**/*.py", "law/**/*.py", "history/**/*.py"),
    *("repository/**/*.py", "play/**/*.py", "site/__init__.py", "site/workshop/__init__.py", "site/workshop/judge.py"),
    "site/workshop/typed_provisions.py",
)
_THEIRS = ("diff_match_patch", "immutables", "linkify_it", "markdown_it", "mdurl", "ruamel.yaml", "yaml")
"""Packages that are of Python alone, or can do without what is compiled."""
_TOLD = (1980, 1, 1, 0, 0, 0)
_LEFT_OUT = frozenset({"tests", "testing"})


def bundle(wheel: bytes) -> bytes:
    """Return a zip of the program's modules and of the packages that they need, with what a wheel for browsers holds.

    It has the same bytes for the same files. Raises Refused where a package is not installed.
    """
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name, data in sorted({**dict(_own()), **dict(_packages()), **dict(_unpacked(wheel))}.items()):
            packed.writestr(zipfile.ZipInfo(name, _TOLD), data, zipfile.ZIP_DEFLATED, 9)
    return made.getvalue()


def bundle_name(data: bytes) -> str:
    """Return the name of a bundle's file, which is another for other bytes: browsers keep it for good."""
    return f"nomicgen-{sha256(data).hexdigest()[:16]}.zip"


def _own() -> Iterator[tuple[str, bytes]]:
    root = Path(str(nomicgen.__file__)).parent
    for pattern in _OURS:
        for path in root.glob(pattern):
            yield f"nomicgen/{path.relative_to(root).as_posix()}", path.read_bytes()


def _packages() -> Iterator[tuple[str, bytes]]:
    # An older linkify_it needs uc_micro, and brings it.
    for name in (*_THEIRS, *(["uc_micro"] if find_spec("uc_micro") else [])):
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            raise Refused(f"the package {name} is not installed", "install nomicgen again, with its packages")
        origin, folder = Path(spec.origin), name.replace(".", "/")
        if not spec.submodule_search_locations:
            yield origin.name, origin.read_bytes()
            continue
        for path in origin.parent.rglob("*.py"):
            below = path.relative_to(origin.parent)
            if not _LEFT_OUT.intersection(below.parts):
                yield f"{folder}/{below.as_posix()}", path.read_bytes()


def _unpacked(wheel: bytes) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(wheel)) as packed:
        for name in packed.namelist():
            if not name.endswith((".pyi", "/")) and ".dist-info/" not in name:
                yield name, packed.read(name)
