"""Instructions about revisions that are no longer in force, and how they read when merged with the rules that are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from nomicgen.archive.merge import MergedText, merge_keys, merge_texts, merge_values
from nomicgen.archive.rule_history import Histories, HistoryEntry
from nomicgen.diagnostics import Finding
from nomicgen.files.instruction_rewriting import Rewriting
from nomicgen.files.merge_conflicts import Names
from nomicgen.law.replay_state import Rule, Ruleset
from nomicgen.model import Instruction, Instrument, Moment, RuleRef


class Stale(Struct, frozen=True, kw_only=True):
    """An instruction about a revision that is no longer in force: the states of that revision, and the rule now.

    The states are those that the author may have seen; they differ where the rule was marked or given another title
    while its text stayed.
    """

    instruction: Instruction
    states: tuple[Rule, ...]
    rule: Rule

    @property
    def base(self) -> Rule:
        return self.states[-1]


class Merge(Struct, frozen=True, kw_only=True):
    """How a stale instruction is to be written; `text` is the one that it gives its rule, if it gives one."""

    stale: Stale
    rewriting: Rewriting
    text: MergedText | None


def find_stale(instrument: Instrument, ruleset: Ruleset, histories: Histories) -> Iterator[Stale | Finding]:
    """The stale instructions, in their order; a finding for each whose rule was repealed or never was."""
    for instruction in instrument.instructions:
        target = instruction.target
        if target is None:
            continue
        standing = ruleset.get(target.number)
        if standing is None or standing.revision != target.revision:
            yield _traced(instruction, target, instrument.matter.date, ruleset, histories)


def merge_stale(stale: Stale) -> Merge | Finding:
    """The instruction as it is to read, or the finding that says why there is nothing to merge."""
    instruction, rule = stale.instruction, stale.rule
    if instruction.verb == "amend" and None in (stale.base.text, rule.text, instruction.text):
        return _finding(
            "revision-stale",
            instruction,
            f"Rule {instruction.target} cannot be merged with Rule {rule.ref}: one of the texts is lost",
            f"write the whole text by hand, and name Rule {rule.ref}",
        )
    names = Names(f"Rule {rule.ref}, in force", "this proposal")
    text = None
    if instruction.verb == "amend":
        text = merge_texts(stale.base.text or "", rule.text or "", instruction.text or "", names)
    ours, theirs = _merged_keys(stale)
    if _is_done(stale, text) and ours == theirs == {key: _of_rule(rule)[key] for key in ours}:
        return _finding(
            "revision-stale",
            instruction,
            f"{instruction.heading}: Rule {rule.ref} in force is so already, so nothing is left to change",
            "take this instruction out of the proposal; where it is the only one, there is nothing to propose",
        )
    said = _of_instruction(instruction)
    # Where the rule in force has no title, the author's overwrites nobody's.
    title = ours.get("title") if ours.get("title") != theirs.get("title") else None
    rewriting = Rewriting(
        instruction=instruction,
        target=RuleRef(rule.number, rule.revision),
        names=names,
        text=None if text is None or text.text == instruction.text else text.text,
        keys=(_changed(ours, said), _changed(theirs, said)),
        title=title,
    )
    return Merge(stale=stale, rewriting=rewriting, text=text)


def _is_done(stale: Stale, text: MergedText | None) -> bool:
    """Whether the rule in force has all that the instruction's heading and text ask for."""
    instruction, rule = stale.instruction, stale.rule
    match instruction.verb:
        case "amend":
            return text is not None and text.text == rule.text
        case "transmute":
            return instruction.tier == rule.tier
        case "renumber":
            return instruction.number == rule.number
        case verb:
            return verb in ("retitle", "mark")


def _merged_keys(stale: Stale) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the instruction says besides its text, merged, as each side has it."""
    ours: dict[str, Any] = {}
    theirs: dict[str, Any] = {}
    now, states = _of_rule(stale.rule), [_of_rule(one) for one in stale.states]
    for key, proposed in _of_instruction(stale.instruction).items():
        bases = [state[key] for state in states]
        if key == "provisions":
            ours[key], theirs[key] = merge_keys(bases, now[key], proposed)
        else:
            ours[key], theirs[key] = merge_values(bases, now[key], proposed)
    return ours, theirs


def _of_rule(rule: Rule) -> Mapping[str, Any]:
    return {
        "title": rule.title,
        "section": rule.section,
        "provisions": dict(rule.provisions or {}),
        "defines": list(rule.defines),
        "unread": rule.unread if rule.unread is True else list(rule.unread),
        "note": rule.note,
        "void": rule.void,
    }


def _of_instruction(instruction: Instruction) -> Mapping[str, Any]:
    """What an instruction on a standing rule says besides its text, in the form of `_of_rule`."""
    if instruction.verb == "retitle":
        return {"title": instruction.title}
    block = instruction.block
    if block is None:
        return {}
    whole = {
        "section": block.section,
        "provisions": block.provisions or {},
        "defines": block.defines or [],
        "unread": block.unread or [],
        "note": block.note,
        "void": block.void or None,
    }
    return {key: value for key, value in whole.items() if key in block.written}


def _changed(side: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of the block that a side has otherwise than the instruction says; a title stands in no block."""
    return {key: value for key, value in side.items() if key != "title" and value != said[key]}


def _traced(
    instruction: Instruction, target: RuleRef, written: Moment | None, ruleset: Ruleset, histories: Histories
) -> Stale | Finding:
    states = _states(target, written, histories)
    if not states:
        return _finding(
            "rule-unknown",
            instruction,
            f"there never was a Rule {target}",
            f"`nomicgen rule history {target.number}` shows what there was; mend the heading",
        )
    rule = ruleset.known(states[-1].identity)
    if rule is None:
        last = histories.rules[states[-1].identity].entries[-1]
        return _finding(
            "rule-unknown",
            instruction,
            f"Rule {target} was repealed{_by(last)}",
            f"take this instruction out; `## Enact Rule` with `reenacts: {last.rule.number}` brings the rule back",
        )
    return Stale(instruction=instruction, states=states, rule=rule)


def _states(target: RuleRef, written: Moment | None, histories: Histories) -> tuple[Rule, ...]:
    """The states of a revision: of the rule that bore the number last, those that were there when it was written."""
    for known_only in (True, False):
        for identity in reversed(histories.bearers.get(target.number, ())):
            states = tuple(
                one.rule
                for one in histories.rules[identity].entries
                if one.verb != "repeal" and one.rule.ref == str(target) and not (known_only and _is_later(one, written))
            )
            if states:
                return states
    return ()


def _is_later(entry: HistoryEntry, written: Moment | None) -> bool:
    return written is not None and written.precedes(entry.moment)


def _by(entry: HistoryEntry) -> str:
    name = f" by {entry.instrument.name}" if entry.instrument else ""
    return f"{name} on {entry.moment}" if entry.moment else name


def _finding(slug: str, instruction: Instruction, message: str, help: str) -> Finding:
    return Finding(slug=slug, span=instruction.span, message=message, help=help)
