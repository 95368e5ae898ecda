"""A generator of archives: games that were kept as the commits of a git repository, to measure
their import on.

The same archive from the same seed, as a stream for `git fast-import`. Texts are of `prose.py`.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Literal

from tests.benchmarks.prose import TERMS, Prose

__all__ = ["PATTERNS", "Layout", "make_archive"]

Layout = Literal["files", "one"]
PATTERNS: dict[Layout, str] = {"files": "Game_4/rules/md/*.md", "one": "rules.md"}
"""Where the rules stand: a file a rule, or one file for all."""

_START = 1_500_000_000
_DAY = 86_400
_AUTHORS = ("Wren", "Finch", "Quill", "Heron", "Juniper")


@dataclass(slots=True)
class _Rule:
    number: int
    revision: int
    tier: str
    text: str

    @property
    def words(self) -> str:
        return f"## {self.number}/{self.revision} ({self.tier})\n\n{self.text}\n"


def make_archive(folder: Path, commits: int, rules: int, layout: Layout, seed: int = 1) -> None:
    """Makes a repository of so many commits in `folder`, in whose last so many rules stand; packed,
    as a clone is.
    """
    subprocess.run(
        ("git", "init", "--quiet", "--bare", "--initial-branch=main", folder), check=True
    )
    git = ("git", "-C", folder)
    stream = b"".join(part.encode() for part in _stream(commits, rules, layout, Random(seed)))
    subprocess.run((*git, "fast-import", "--quiet"), input=stream, check=True)
    subprocess.run((*git, "repack", "-a", "-d", "-f", "-q"), check=True)


def _stream(commits: int, rules: int, layout: Layout, random: Random) -> Iterator[str]:
    prose = Prose(random)
    stood = [_rule(prose, random, 101 + at, 101) for at in range(rules - rules // 3)]
    yield from _commit(0, "Begin the game", stood, stood, layout)
    enacting = set(random.sample(range(1, commits), rules // 3))
    for at in range(1, commits):
        if at in enacting:
            changed = [_rule(prose, random, 1000 + at, 101)]
            stood += changed
        else:
            changed = random.sample(stood, 1 if random.random() < 0.7 else 2)
            for one in changed:
                one.text = prose.amended(one.text, [101], TERMS[:3])
                one.revision += 1
        yield from _commit(at, f"Proposal {1000 + at}: {prose.title(at)}", changed, stood, layout)


def _rule(prose: Prose, random: Random, number: int, cited: int) -> _Rule:
    tier = "IMMUTABLE" if number < 110 else "MUTABLE"
    return _Rule(number, 0, tier, prose.rule(random.randint(60, 300), [cited], TERMS[:3]))


def _commit(
    at: int, subject: str, changed: list[_Rule], stood: list[_Rule], layout: Layout
) -> Iterator[str]:
    who = f"{_AUTHORS[at % len(_AUTHORS)]} <player@example.org> {_START + at * _DAY} +0100"
    yield (
        f"commit refs/heads/main\nauthor {who}\ncommitter {who}\ndata {len(subject.encode())}\n"
        f"{subject}\n"
    )
    if layout == "files":
        for one in changed:
            yield _file(f"Game_4/rules/md/{one.number}.md", one.words)
    else:
        yield _file("rules.md", "# RULES\n\n" + "\n".join(one.words for one in stood))


def _file(path: str, text: str) -> str:
    return f"M 100644 inline {path}\ndata {len(text.encode())}\n{text}\n"
