"""A look at an archive that may be imported: at its newest commit, and at all that came before."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from nomicgen.importers.git.history import listing, read_past
from nomicgen.importers.git.past import Past
from nomicgen.importers.map_reader import MapReader
from nomicgen.importers.survey import Survey, is_text, matching, survey_of_past, trials
from nomicgen.repository.git_objects import objects

_LARGEST = 4 << 20
"""Bytes of a file that is looked at."""
_MOST = 500


def survey_repository(root: Path, source: str, branch: str, patterns: Sequence[str] = ()) -> Survey:
    """What a repository shows; where its rules stand is found, unless `patterns` say it. Raises as `read_past`."""
    files = listing(root, branch)
    named = matching(files, patterns) if patterns else [path for path in files if is_text(path)]
    if patterns and not named:
        return Survey(
            help=f"no file of {branch} has a path like {', '.join(patterns)}: a pattern is a path from the top"
        )
    some = {path: files[path].oid for path in named if files[path].size <= _LARGEST}
    held = objects(root, set(islice(some.values(), _MOST)))
    found = trials({path: held[oid] for path, oid in some.items() if oid in held}, patterns)
    past = read_past(root, branch, found[0].map.paths, MapReader(found[0].map)) if found else Past()
    return survey_of_past(source, found, past)
