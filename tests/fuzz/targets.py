"""All targets by their names."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from tests.case_files import case_folder, case_names
from tests.fuzz import (
    games,
    imports,
    markdown_files,
    outlines,
    pages,
    recordings,
    words,
    yaml_files,
)
from tests.fuzz.target import Target

__all__ = ["CORPUS", "FOUND", "LEARNT", "TARGETS", "found", "keep", "learnt"]

_HERE = Path(__file__).parent
LEARNT = Path("build") / "fuzz"
CORPUS, FOUND = _HERE / "corpus", _HERE / "found"
"""Inputs that together go everywhere that was ever gone to, an archive for each target; and inputs
that something was wrong with once, a case of files for each target.
"""

_MODULES = (yaml_files, markdown_files, words, recordings, games, imports, outlines, pages)
TARGETS: Mapping[str, Target] = {one.name: one for module in _MODULES for one in module.TARGETS}


def learnt(name: str) -> dict[str, bytes]:
    """Return the inputs of a target's archive, by name."""
    with ZipFile(CORPUS / f"{name}.zip") as archive:
        return {info.filename: archive.read(info) for info in archive.infolist()}


def found(name: str) -> dict[str, bytes]:
    """Return what something was wrong with once in a target, by name."""
    files = case_folder(FOUND, name).iterdir() if name in case_names(FOUND) else ()
    return {file.name: file.read_bytes() for file in files}


def keep(name: str, inputs: Mapping[str, bytes]) -> None:
    """Write the archive of a target: the same bytes for the same inputs."""
    with ZipFile(CORPUS / f"{name}.zip", "w", ZIP_DEFLATED) as archive:
        for shown, data in sorted(inputs.items()):
            archive.writestr(ZipInfo(shown), data, ZIP_DEFLATED)
