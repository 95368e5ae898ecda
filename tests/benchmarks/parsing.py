"""Reads a game's files from disk and parses what they say before their bodies.

`python -m tests.benchmarks.parsing FOLDER` is the least that a check can do: a process of Python,
PyYAML with libyaml, and nothing else.
"""

from __future__ import annotations

import sys
from pathlib import Path

import yaml

__all__: list[str] = []

_FOLDERS = ("acts", "judgements", "players", "proposals", "rules", "turns")


def main(root: Path) -> None:
    """Every front matter, and every file of YAML, as what YAML's core schema makes of it."""
    files = [
        root / "nomic.yml",
        *(file for folder in _FOLDERS for file in sorted((root / folder).rglob("*.*"))),
    ]
    for file in files:
        text = file.read_text("utf-8")
        yaml.load(
            text.split("\n---\n", 1)[0] if file.suffix == ".md" else text, Loader=yaml.CSafeLoader
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
