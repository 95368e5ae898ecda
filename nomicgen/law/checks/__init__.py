"""The checks: small functions from the records and their replay to findings, one module a family.

A check never stops another, and keeps silent about what a file that could not be read would decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from nomicgen.diagnostics import Finding
from nomicgen.law.checks.corrections import check_corrections
from nomicgen.law.checks.dates import check_dates
from nomicgen.law.checks.derived import check_ruleset, rule_bytes, ruleset_files
from nomicgen.law.checks.holes import check_holes
from nomicgen.law.checks.images import check_images
from nomicgen.law.checks.names import check_names
from nomicgen.law.checks.numbers import check_numbers
from nomicgen.law.checks.provisions import check_provisions
from nomicgen.law.checks.votes import check_votes
from nomicgen.law.state import Replay
from nomicgen.model import Records

__all__ = ["CHECKS", "check", "is_ledger", "rule_bytes", "ruleset_files"]

Check = Callable[[Records, Replay], Iterator[Finding]]
CHECKS: tuple[Check, ...] = (
    check_provisions,
    check_numbers,
    check_names,
    check_votes,
    check_corrections,
    check_dates,
    check_holes,
    check_images,
    check_ruleset,
)

# What a file that could not be read may have decided: with such a file these would blame others for it.
_OF_LEDGER = frozenset(
    {"change-overtaken", "revision-stale", "rule-unknown", "number-doubled", "number-missing", "number-wrong"}
)
_OF_VOTES = frozenset({"votes-few", "votes-enough", "vote-missing", "voter-unknown", "transmutation-votes"})
_OF_TURNS = frozenset({"turn-order", "turn-overdue", "dice-wrong"})
_OF_SUNSETS = frozenset({"sunset-due", "sunset-missed", "sunset-wrong"})
_OF_PLAYERS = _OF_VOTES | _OF_TURNS | _OF_SUNSETS | {"vote-early", "vote-unlawful"}
_OF_LAW = frozenset({"vote-late", "debate-short", "resubmissions-many", "turn-passed", "turn-proposals"})


def check(records: Records, replay: Replay) -> tuple[Finding, ...]:
    """All findings of the law about a game: those of the replay, and those of every check."""
    found = [*replay.findings, *(one for check_one in CHECKS for one in check_one(records, replay))]
    silent: frozenset[str] = frozenset()
    if any(is_ledger(path) for path in records.withheld):
        silent = _OF_LEDGER | _OF_PLAYERS | _OF_LAW
    elif any(path.startswith("players/") for path in records.withheld):
        silent = _OF_PLAYERS
    if any(path.startswith("turns/") for path in records.withheld):
        silent |= _OF_TURNS | _OF_SUNSETS | {"effect-wrong"}
    return tuple(one for one in found if one.slug not in silent)


def is_ledger(path: str) -> bool:
    """Whether a file may have changed the rules: drafts have not."""
    folder, _, name = path.partition("/")
    return (
        folder in ("acts", "judgements")
        or path.startswith("rules/initial/")
        or (folder == "proposals" and name[:1].isdigit())
    )
