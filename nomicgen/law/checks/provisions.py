"""Provisions that do not fit their schema, and provisions that are older than their rule's text."""

from __future__ import annotations

from collections.abc import Iterator

from nomicgen.files.file_findings import Notes
from nomicgen.files.near_names import NearestNames
from nomicgen.law.examples import example_line
from nomicgen.law.kinds import kinds
from nomicgen.law.reading import parse_provisions
from nomicgen.law.replay.results import Replay, Rule
from nomicgen.model.findings import Finding
from nomicgen.model.records import Records
from nomicgen.model.settings import Settings
from nomicgen.model.values import Span


def check_provisions(records: Records, replay: Replay) -> Iterator[Finding]:
    """Yield what does not fit in the provisions of the initial set and of instructions' blocks."""
    tiers, near = tuple(records.settings.tiers), NearestNames()
    for keys, source in records.rule_keys():
        if not keys.provisions:
            continue  # most blocks of a long ledger say nothing of them
        notes = Notes(source.file)
        for problem in parse_provisions(keys.provisions, tiers)[1]:
            path = ("provisions", *problem.path)
            if problem.unknown:
                meant = near.find(problem.message, kinds())
                notes.add(
                    "provision-unknown",
                    source.key(*path),
                    f"{problem.message} is not a provision that nomicgen knows",
                    f"did you mean {meant}?"
                    if meant
                    else f"the provisions are {', '.join(kinds())}",
                )
            else:
                example = example_line(str(problem.path[0]), problem.path[1:])
                notes.add(
                    "provision-wrong",
                    source.at(*path),
                    f"{'.'.join(map(str, problem.path))} {problem.message}",
                    f"write it as in `{example}`; the reference of provisions has all its keys",
                )
        yield from notes.findings()


def is_doubtful(rule: Rule, settings: Settings) -> bool:
    """Return whether a rule's text has changed under its provisions, and nobody has confirmed that
    they still mean the same.
    """
    return rule.is_unconfirmed and rule.ref not in map(str, settings.confirmed)


def check_confirmed(records: Records, replay: Replay) -> Iterator[Finding]:
    """Yield the rules in force with provisions that are older than their text."""
    for rule in replay.current.with_provisions.values():
        if is_doubtful(rule, records.settings) and not rule.void:
            yield Finding(
                slug="provisions-unconfirmed",
                span=Span(file=f"rules/{rule.number}.md"),
                message=f"the text of Rule {rule.ref} has changed and its provisions have not",
                help=f"`nomicgen show {rule.number}` prints both: if they mean the same, "
                "`nomicgen rule confirm "
                f"{rule.number}` says so; else propose an amendment with other provisions",
                rule=rule.number,
            )
