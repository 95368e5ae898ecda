"""The list of checks, and the function that runs them.

A check is a small function from the records and their replay to findings. All are run, whatever
one finds. A finding that needs a file which could not be read is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from nomicgen.law.checks.clock import check_overdue, check_unbegun
from nomicgen.law.checks.corrections import check_corrections
from nomicgen.law.checks.dates import check_dates, future_findings
from nomicgen.law.checks.derived import check_ruleset, rule_bytes, ruleset_files
from nomicgen.law.checks.holes import check_holes
from nomicgen.law.checks.images import check_images
from nomicgen.law.checks.names import check_names
from nomicgen.law.checks.numbers import check_numbers
from nomicgen.law.checks.players import check_players
from nomicgen.law.checks.provisions import check_confirmed, check_provisions
from nomicgen.law.checks.signatures import check_signatures
from nomicgen.law.checks.unread import check_unread
from nomicgen.law.checks.votes import check_votes
from nomicgen.law.replay.results import Replay
from nomicgen.model.findings import CODES, Finding, Findings, Need
from nomicgen.model.records import Records
from nomicgen.model.values import Moment

__all__ = ["CHECKS", "check", "is_ledger", "rule_bytes", "ruleset_files"]

Check = Callable[[Records, Replay], Iterator[Finding]]
# Findings are sorted later, so this order is only for readers.
CHECKS: tuple[Check, ...] = (
    check_provisions,
    check_unread,
    check_confirmed,
    check_numbers,
    check_names,
    check_players,
    check_votes,
    check_signatures,
    check_corrections,
    check_dates,
    check_unbegun,
    check_overdue,
    check_holes,
    check_images,
    check_ruleset,
)


def check(records: Records, replay: Replay, today: Moment | None = None) -> Findings:
    """Return all findings of the law about a game: those of the replay, and those of every check.

    `today` is the real day in the game's zone; None if that is the day of the replay.
    """
    findings = [
        *replay.findings,
        *(finding for check_one in CHECKS for finding in check_one(records, replay)),
    ]
    findings += future_findings(records, today or replay.until)
    lacking = {_read_for(path) for path in unreadable(records)}
    return tuple(finding for finding in findings if lacking.isdisjoint(CODES[finding.slug].needs))


def unreadable(records: Records) -> frozenset[str]:
    """Return the paths of files that cannot be read, and for lack of which findings are left out.

    None of them is a draft.
    """
    return frozenset(path for path in records.withheld if _read_for(path) is not None)


def _read_for(path: str) -> Need | None:
    """Return what a file is read for; None if no finding needs it."""
    if is_ledger(path):
        return Need.LEDGER
    return next((need for need in Need if path.startswith(f"{need}/")), None)


def is_ledger(path: str) -> bool:
    """Return whether a file can have made or changed a rule: no draft, player or turn has."""
    folder, _, name = path.partition("/")
    return (
        folder in ("acts", "judgements")
        or path.startswith("rules/initial/")
        or (folder == "proposals" and name[:1].isdigit())
    )
