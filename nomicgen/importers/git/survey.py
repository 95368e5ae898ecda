"""A survey of a repository: which maps read its newest commit, and what they read of its
history.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from fnmatch import translate
from itertools import islice
from pathlib import Path

from nomicgen.importers.git.history import newest_files, read_past
from nomicgen.importers.git.past import Past
from nomicgen.importers.git.subjects import Subjects
from nomicgen.importers.map_reader import MapReader
from nomicgen.importers.readings import FileText
from nomicgen.importers.survey import Answer, Survey, build_survey, is_text, trials
from nomicgen.model.findings import counted
from nomicgen.repository.git_objects import objects

_LARGEST = 4 << 20
"""Bytes of the largest file that is looked at."""
_MOST = 500
"""The most files that are looked at."""
_BELOW = 0.1
"""The most words below the first rule that may be in none: a share of the words in rules."""


def survey_repository(root: Path, source: str, branch: str, patterns: Sequence[str] = ()) -> Survey:
    """Return the survey of a repository. `patterns` are globs of the files with rules; without any,
    all texts are tried.

    Raises RepositoryError.
    """
    files = newest_files(root, branch)
    named = _matching(files, patterns) if patterns else [path for path in files if is_text(path)]
    if patterns and not named:
        return Survey(
            help=f"no file of {branch} has a path like {', '.join(patterns)}: a pattern is a "
            "path from the top"
        )
    some = {path: files[path].oid for path in named if files[path].size <= _LARGEST}
    held = objects(root, set(islice(some.values(), _MOST)))
    found = trials({path: held[oid] for path, oid in some.items() if oid in held}, patterns)
    if not found and not patterns:
        return Survey(
            help="name the files with rules, such as --path rules.md; or write a map that says how "
            "a rule begins, and import with --map FILE"
        )
    past = read_past(root, branch, found[0].map.paths, MapReader(found[0].map)) if found else Past()
    command = "nomicgen import git {source} --map {map}{paths} --into GAME"
    return build_survey(source, found, command, [*_of_history(past)] if found else [])


def _of_history(past: Past) -> Iterator[Answer]:
    """Yield how many commits can be read by the map, since when all can, and what subjects say."""
    touched = [commit for commit in past.line if commit.touched]
    read = [
        all(_is_read(past.text(file.path, file.after)) for file in commit.touched if file.after)
        for commit in touched
    ]
    good = sum(read)
    since = next((at for at in range(len(read), 0, -1) if not read[at - 1]), 0)
    days = (
        [str(commit.day) for commit in (touched[0], touched[-1]) if commit.day] if touched else []
    )
    words = (
        f"{counted(len(touched), 'commit')} changed the files "
        f"({' to '.join(dict.fromkeys(days))}); "
    )
    words += f"{good} of them have rules that can be read"
    if 0 < since < len(touched):
        words += (
            f"; all can from {touched[since].sha[:12]} on: `commits: "
            f"{touched[since].sha[:12]}..` in the map"
        )
    yield Answer(about="history", words=words)
    subjects = Subjects()
    classed = sum(subjects.read(commit.subject).kind is not None for commit in touched)
    words = (
        f"{classed} of {len(touched)} name a proposal, a judgement or an act; the others become "
        "the initial set or corrections, unless `subjects:` in the map, or --subject, reads them"
    )
    yield Answer(about="subjects", words=words)


def _is_read(text: FileText | None) -> bool:
    """Return whether a version of a file has rules, and few words outside of rules below the first
    rule.
    """
    if text is None or not text.rules:
        return False
    inside = sum(len(re.findall(r"\w+", rule.text or "")) for rule in text.passages)
    below = sum(
        len(re.findall(r"\w+", words))
        for _, words in text.outside
        if words.strip("\n") != text.above
    )
    return below <= _BELOW * inside


def _matching(paths: Collection[str], globs: Sequence[str]) -> list[str]:
    """Return the paths that some globs name."""
    patterns = [re.compile(translate(glob + ("*" if glob.endswith("/") else ""))) for glob in globs]
    return [path for path in paths if any(pattern.fullmatch(path) for pattern in patterns)]
