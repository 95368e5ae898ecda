"""All targets by their names."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.fuzz import games, imports, markdown_files, outlines, pages, recordings, words, yaml_files
from tests.fuzz.target import Target

__all__ = ["CORPUS", "FOUND", "TARGETS"]

_HERE = Path(__file__).parent
CORPUS, FOUND = _HERE / "corpus", _HERE / "found"
"""Inputs that together go everywhere that was ever gone to; inputs that something was wrong with once."""

_MODULES = (yaml_files, markdown_files, words, recordings, games, imports, outlines, pages)
TARGETS: Mapping[str, Target] = {one.name: one for module in _MODULES for one in module.TARGETS}
