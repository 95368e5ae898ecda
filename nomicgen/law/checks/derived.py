"""The derived ruleset: `rules/` must be, byte for byte, what the ledger gives."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from nomicgen.files.rule_files import read_rule
from nomicgen.files.unified_diff import unified_lines
from nomicgen.files.yaml_writing import write_rule
from nomicgen.law.replay.results import Replay, Rule, Ruleset, Step
from nomicgen.law.replay.run import replay as replay_all
from nomicgen.model.findings import Finding, Mending
from nomicgen.model.records import Records
from nomicgen.model.values import Span


def rule_bytes(rule: Rule) -> bytes:
    """Return the file of a rule in `rules/`."""
    return write_rule(
        number=rule.number,
        mutability=rule.tier,
        revision=rule.revision,
        title=rule.title,
        section=rule.section,
        provisions=rule.provisions,
        defines=rule.defines,
        unread=rule.unread,
        void=rule.void,
        note=rule.note,
        text=rule.text,
    )


def ruleset_files(ruleset: Ruleset) -> dict[str, bytes]:
    """Return the files of `rules/` for a ruleset, by path."""
    return {f"rules/{rule.number}.md": rule_bytes(rule) for rule in ruleset}


class RulesetStatus(Struct, frozen=True):
    """How `rules/` compares with the ledger: `waiting` has the steps that it does not show yet.

    `ahead`: it shows a step that is not due on the replay's day. `known` is False if it shows no
    state of the ledger at all.
    """

    waiting: tuple[Step, ...] = ()
    ahead: bool = False
    known: bool = True


def ruleset_status(records: Records, replay: Replay) -> RulesetStatus:
    """Compare `rules/` with the states of the ledger, the latest first."""
    waiting = missing_steps(records, replay)
    if waiting is not None:
        return RulesetStatus(waiting)
    # A replay of all days has also what is not due yet.
    ahead = bool(replay.pending) and missing_steps(records, replay_all(records)) is not None
    return RulesetStatus(ahead=ahead, known=ahead)


def missing_steps(records: Records, replay: Replay) -> tuple[Step, ...] | None:
    """Return the steps that `rules/` does not show yet: () if it is up to date, None if it shows no
    state of the ledger.
    """
    files = {
        int(path.removeprefix("rules/").removesuffix(".md")): data
        for path, data in records.derived_rules.items()
    }
    # Whether a rule's file agrees, by the id() of the rule: the replay keeps every rule alive.
    known: dict[int, bool] = {}

    def agrees(number: int, ruleset: Ruleset) -> bool:
        """Return whether the file of a number is what a ruleset gives, or neither is there."""
        rule, data = ruleset.get(number), files.get(number)
        if rule is None or data is None:
            return rule is None and data is None
        if id(rule) not in known:
            known[id(rule)] = rule_bytes(rule) == data
        return known[id(rule)]

    # From the last state back to the first. All files but the suspects agree with the state looked
    # at. The first suspect that differs is enough to go to the state before.
    suspects = dict.fromkeys((*sorted(replay.current.rules), *files))
    waiting: list[Step] = []
    ruleset = replay.current
    for step in (*reversed([step for step in replay.steps if step.outcome == "applied"]), None):
        while suspects and agrees(first := next(iter(suspects)), ruleset):
            del suspects[first]
        if not suspects or step is None:
            break
        ruleset = step.before
        for change in step.changes:
            suspects.update((rule.number, None) for rule in (change.before, change.after) if rule)
        waiting.append(step)
    return None if suspects else tuple(reversed(waiting))


def check_ruleset(records: Records, replay: Replay) -> Iterator[Finding]:
    """Yield the files of `rules/` that are not what the ledger gives.

    If only the last steps are missing, a single finding says so. If steps were applied before their
    day, nothing is found.
    """
    if not records.initial:
        return
    status = ruleset_status(records, replay)
    waiting = [step.instrument for step in status.waiting]
    if waiting:
        yield Finding(
            slug="not-applied",
            span=waiting[0].source.at("status"),
            message="adopted, due and not applied to rules/: "
            f"{', '.join(one.name for one in waiting)}",
            help="run `nomicgen apply`, or `nomicgen apply --commit`",
            mending=Mending(
                said="Play carries it out on its next run; at a shell, `nomicgen apply` does",
                command="nomicgen apply",
            ),
        )
    elif not status.known:
        yield from _differences(records, replay, partial=bool(records.withheld))


def _differences(records: Records, replay: Replay, *, partial: bool) -> Iterator[Finding]:
    """Yield each file that differs.

    If the ledger was read in part (`partial`), what was not read may explain a missing file or
    another revision. Then only a file of the same revision with other bytes is a finding.
    """
    expected = {f"rules/{rule.number}.md": rule for rule in replay.current}
    for path, rule in expected.items():
        data = records.derived_rules.get(path)
        if data is None:
            if not partial:
                yield Finding(
                    slug="rules-missing",
                    span=Span(file=path),
                    message=f"the ledger has Rule {rule.ref}, but rules/ has no file for it",
                    help="run `nomicgen apply`, which writes it",
                    mending=_undo_edit(path),
                )
            continue
        wanted = rule_bytes(rule)
        if data != wanted and not (
            partial and _revision(path, data) != (rule.number, rule.revision)
        ):
            yield _differs(path, rule, data, wanted)
    if partial:
        return
    for path in sorted(set(records.derived_rules) - set(expected)):
        yield Finding(
            slug="rules-extra",
            span=Span(file=path),
            message="the ledger has no such rule",
            help="`nomicgen apply` removes this file; to have such a rule, propose it (`nomicgen "
            "propose`)",
            mending=_undo_edit(path),
        )


def _undo_edit(path: str) -> Mending:
    """Return how to undo a change of a file of rules/: in a pull request, and at a shell."""
    return Mending(
        said=f"leave {path} as it was, and propose the change instead", command="nomicgen apply"
    )


def _revision(path: str, data: bytes) -> tuple[int, int] | None:
    """Return the number and the revision that a file gives; None if it cannot be read."""
    file, _ = read_rule(path, data)
    return (file.matter.number, file.matter.revision) if file else None


def _differs(path: str, rule: Rule, data: bytes, wanted: bytes) -> Finding:
    lines, wanted_lines = (text.decode("utf-8", "replace").splitlines() for text in (data, wanted))
    diff = list(unified_lines(lines, wanted_lines, path, "what the ledger gives", context=1))
    line = next(
        (
            at
            for at, pair in enumerate(zip(lines, wanted_lines, strict=False), 1)
            if pair[0] != pair[1]
        ),
        None,
    )
    return Finding(
        slug="rules-differ",
        span=Span(file=path, line=line or min(len(lines), len(wanted_lines)) or 1),
        message=f"the file of Rule {rule.ref} differs from what the ledger gives",
        help="do not edit rules/ by hand: `nomicgen apply` restores the file; to change the "
        f"rule, restore it, then `nomicgen propose --title TITLE --amend {rule.number}`",
        detail="\n".join(diff),
        mending=_undo_edit(path),
    )
