"""The part of the program that judges a draft, packed for a browser: the modules that `judge.py`
needs, and the packages that these need.
"""

from __future__ import annotations

import ast
import io
import zipfile
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

import nomicgen
from nomicgen.play.refusal import Refused

_ENTRY = "nomicgen.site.workshop.judge"
_KINDS = "law/provisions"
"""The folder of the kinds of provisions. `law/kinds.py` finds them there, without an import."""
_PACKAGES = (
    "diff_match_patch",
    "immutables",
    "linkify_it",
    "markdown_it",
    "mdurl",
    "ruamel.yaml",
    "yaml",
)
"""Packages that the judge needs. They are pure Python, or work without their compiled part."""
# The date of all files in the zip, so that it has the same bytes each time.
_TIMESTAMP = (1980, 1, 1, 0, 0, 0)
_LEFT_OUT = frozenset({"tests", "testing"})
"""Folders of packages that are not packed."""


def bundle(wheel: bytes) -> bytes:
    """Return a zip of the program's modules, of the packages that they need, and of what `wheel`
    holds: msgspec, compiled for browsers.

    It has the same bytes for the same files. Raises Refused where a package is not installed.
    """
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name, data in sorted(
            {**dict(_own()), **dict(_packages()), **dict(_unpacked(wheel))}.items()
        ):
            packed.writestr(zipfile.ZipInfo(name, _TIMESTAMP), data, zipfile.ZIP_DEFLATED, 9)
    return made.getvalue()


def _own() -> Iterator[tuple[str, bytes]]:
    """Yield the path and the bytes of our modules: the judge, the kinds, and all they import."""
    root = Path(str(nomicgen.__file__)).parent
    kinds = (
        f"nomicgen.{_KINDS.replace('/', '.')}.{path.stem}" for path in (root / _KINDS).glob("*.py")
    )
    waiting, seen = [_ENTRY, *kinds], set[str]()
    while waiting:
        name = waiting.pop()
        path = _module(root.parent, name)
        if path is None or name in seen:
            continue
        seen.add(name)
        data = path.read_bytes()
        waiting += [name.rpartition(".")[0], *_imported_modules(ast.parse(data).body)]
        yield path.relative_to(root.parent).as_posix(), data


def _module(root: Path, name: str) -> Path | None:
    below = root / name.replace(".", "/")
    found = (below.with_suffix(".py"), below / "__init__.py")
    return next((path for path in found if name.startswith("nomicgen") and path.is_file()), None)


def _imported_modules(statements: Sequence[ast.AST]) -> Iterator[str]:
    """Yield the modules that statements import, and imported names, which may be modules too."""
    for one in statements:
        if isinstance(one, ast.Import):
            yield from (name.name for name in one.names)
        elif isinstance(one, ast.ImportFrom) and one.module:
            yield one.module
            yield from (f"{one.module}.{name.name}" for name in one.names)
        elif not (isinstance(one, ast.If) and ast.unparse(one.test) == "TYPE_CHECKING"):
            yield from _imported_modules([*ast.iter_child_nodes(one)])


def _packages() -> Iterator[tuple[str, bytes]]:
    # An older linkify_it needs uc_micro, and brings it.
    for name in (*_PACKAGES, *(["uc_micro"] if find_spec("uc_micro") else [])):
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            raise Refused(
                f"the package {name} is not installed", "install nomicgen again, with its packages"
            )
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
