"""The whole archive of a game: what pages, exports and commands read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from nomicgen.archive.history import Histories
from nomicgen.archive.provenance import GitState, Origin
from nomicgen.diagnostics import Finding
from nomicgen.law.state import Replay
from nomicgen.model import Records

__all__ = ["Archive"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """Records, their replay, the histories of the rules, and where each revision came from.

    `origins` is by (identity of the rule, index of the entry in its history); `touched` gives for each path of an
    instrument the commit that last changed it. Both are empty where git has nothing to say, and `git` says why.
    """

    records: Records
    replay: Replay
    histories: Histories
    git: GitState
    origins: Mapping[tuple[int, int], Origin] = field(default_factory=dict)
    touched: Mapping[str, Origin] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
