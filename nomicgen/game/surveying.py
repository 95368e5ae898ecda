"""A look at an archive that may be imported: at its newest commit, and at some of all that came before."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from nomicgen.importers.commit_log import Past
from nomicgen.importers.survey import RulePlace, Survey, is_text, places, survey_of_past
from nomicgen.repository.foreign_history import listing, read_past
from nomicgen.repository.git_objects import objects

_LARGEST = 4 << 20
"""Bytes of a file that is looked at."""
_MOST = 500


def survey_repository(root: Path, source: str, branch: str, patterns: Sequence[str] = ()) -> Survey:
    """What a repository shows; where its rules stand is found, unless `patterns` say it. Raises as `read_past`."""
    files = listing(root, branch)
    if patterns:
        rule_places = [RulePlace(pattern=patterns[0], rules=0, named=False)]
    else:
        some = {path: file.oid for path, file in files.items() if is_text(path) and file.size <= _LARGEST}
        held = objects(root, set(some.values()) if len(some) <= _MOST else set(islice(some.values(), _MOST)))
        rule_places = places(files, {path: held[oid] for path, oid in some.items() if oid in held})
    past = read_past(root, branch, patterns or [rule_places[0].pattern]) if rule_places else Past()
    return survey_of_past(source, past, rule_places, files)
