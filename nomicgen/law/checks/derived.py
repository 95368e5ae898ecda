"""The derived ruleset: `rules/` must be, byte for byte, what the ledger gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import unified_diff

from nomicgen.diagnostics import Finding
from nomicgen.files import read_rule, write_rule
from nomicgen.law.replay import replay as replay_all
from nomicgen.law.state import Replay, Rule, Ruleset, Step
from nomicgen.model import Records, Span

__all__ = ["Standing", "check_ruleset", "rule_bytes", "ruleset_files", "standing"]


def rule_bytes(rule: Rule) -> bytes:
    """The file of a rule in `rules/`."""
    return write_rule(
        number=rule.number,
        mutability=rule.tier,
        revision=rule.revision,
        title=rule.title,
        section=rule.section,
        provisions=rule.provisions,
        defines=rule.defines,
        void=rule.void,
        note=rule.note,
        text=rule.text,
    )


def ruleset_files(ruleset: Ruleset) -> dict[str, bytes]:
    """The files of `rules/` for a ruleset, by path."""
    return {f"rules/{rule.number}.md": rule_bytes(rule) for rule in ruleset}


@dataclass(frozen=True, slots=True)
class Standing:
    """Which state of the ledger `rules/` is: `waiting` has the steps that it has not seen yet.

    `ahead` says that it has seen some that are not due on the replay's day; `known` is False where it is no state of
    the ledger at all.
    """

    waiting: tuple[Step, ...] = ()
    ahead: bool = False
    known: bool = True


def standing(records: Records, replay: Replay) -> Standing:
    """Compares `rules/` with every state of the ledger, the latest first."""
    waiting = applied_steps(records, replay)
    if waiting is not None:
        return Standing(waiting)
    if any(step.outcome == "pending" for step in replay.steps):
        whole = replay_all(records)
        return Standing(ahead=True) if applied_steps(records, whole) is not None else Standing(known=False)
    return Standing(known=False)


def applied_steps(records: Records, replay: Replay) -> tuple[Step, ...] | None:
    """The steps that `rules/` has not seen yet: () when it is up to date, None when it is no state of the ledger.

    The bytes of a rule are kept by its id(): the replay keeps every rule alive meanwhile.
    """
    states = list(replay.states())
    files: dict[int, bytes] = {}
    waiting: list[Step] = []
    for step, ruleset in reversed(states):
        if _is_state(records.ruleset, ruleset, files):
            return tuple(reversed(waiting))
        if step is not None:
            waiting.append(step)
    return None


def _is_state(found: Mapping[str, bytes], ruleset: Ruleset, files: dict[int, bytes]) -> bool:
    if len(found) != len(ruleset):
        return False
    for rule in ruleset:
        path = f"rules/{rule.number}.md"
        if path not in found:
            return False
        if id(rule) not in files:
            files[id(rule)] = rule_bytes(rule)
        if files[id(rule)] != found[path]:
            return False
    return True


def check_ruleset(records: Records, replay: Replay) -> Iterator[Finding]:
    """What of `rules/` is not what the ledger gives; an effect that is only due is a warning."""
    if not records.initial:
        return
    found = standing(records, replay)
    waiting = found.waiting
    if waiting:
        names = ", ".join(step.instrument.name for step in waiting)
        first = waiting[0].instrument
        yield Finding(
            slug="not-applied",
            span=first.source.at("status"),
            message=f"adopted, due and not applied to rules/: {names}",
            help="run `nomicgen apply`, or `nomicgen apply --commit`",
        )
    elif not found.known:
        partial = bool(records.withheld)
        yield from _differences(records, replay, partial=partial)


def _differences(records: Records, replay: Replay, *, partial: bool) -> Iterator[Finding]:
    """Each file that differs. With an unreadable file in the ledger, only those that it cannot explain."""
    expected = {f"rules/{rule.number}.md": rule for rule in replay.current}
    for path, rule in expected.items():
        data = records.ruleset.get(path)
        if data is None:
            if not partial:
                yield _missing(path, rule)
            continue
        wanted = rule_bytes(rule)
        if data != wanted and not (partial and _revision(path, data) != (rule.number, rule.revision)):
            yield _differs(path, rule, data, wanted)
    if partial:
        return
    for path in sorted(set(records.ruleset) - set(expected)):
        yield Finding(
            slug="rules-extra",
            span=Span(file=path),
            message="the ledger gives no such rule",
            help="a rule comes into being by a proposal (`nomicgen propose`); `nomicgen apply` removes this file",
        )


def _revision(path: str, data: bytes) -> tuple[int, int] | None:
    file, _ = read_rule(path, data)
    return (file.matter.number, file.matter.revision) if file else None


def _missing(path: str, rule: Rule) -> Finding:
    return Finding(
        slug="rules-missing",
        span=Span(file=path),
        message=f"the ledger gives Rule {rule.ref}, and there is no file of it",
        help="run `nomicgen apply`, which writes it",
    )


def _differs(path: str, rule: Rule, data: bytes, wanted: bytes) -> Finding:
    found, given = (text.decode("utf-8", "replace").splitlines() for text in (data, wanted))
    diff = list(unified_diff(found, given, path, "what the ledger gives", lineterm="", n=1))
    line = next((at for at, (one, other) in enumerate(zip(found, given, strict=False), 1) if one != other), None)
    return Finding(
        slug="rules-differ",
        span=Span(file=path, line=line or min(len(found), len(given)) or 1),
        message=f"the text of Rule {rule.ref} is not what the ledger gives",
        help="rules/ is never edited by hand: `nomicgen apply` brings it back; to change the rule, `nomicgen propose "
        f"--amend {rule.number}`",
        detail="\n".join(diff),
    )
