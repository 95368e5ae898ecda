"""Rules whose text has changed while their provisions have not, until somebody says that both mean the same."""

from __future__ import annotations

from collections.abc import Iterator

from nomicgen.law.replay.state import Replay, Rule
from nomicgen.model.findings import Finding
from nomicgen.model.records import Records
from nomicgen.model.settings import Settings
from nomicgen.model.values import Span


def is_doubtful(rule: Rule, settings: Settings) -> bool:
    """Whether nobody has looked whether a rule's provisions still mean what its text says."""
    return rule.is_unconfirmed and rule.ref not in map(str, settings.confirmed)


def check_confirmed(records: Records, replay: Replay) -> Iterator[Finding]:
    """Rules in force with provisions that are older than their text."""
    for rule in replay.current.speaking.values():
        if is_doubtful(rule, records.settings) and not rule.void:
            yield Finding(
                slug="provisions-unconfirmed",
                span=Span(file=f"rules/{rule.number}.md"),
                message=f"the text of Rule {rule.ref} has changed and its provisions have not",
                help=f"`nomicgen show {rule.number}` prints both: if they mean the same, `nomicgen rule confirm "
                f"{rule.number}` says so; else propose an amendment with other provisions",
                rule=rule.number,
            )
