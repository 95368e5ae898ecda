"""Stale instructions: they are about revisions that are no longer in force, such as Rule 203/0 when
203/1 is. And how they read when they are merged with the rules in force.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from nomicgen.files.instruction_rewriting import Rewriting
from nomicgen.files.merge_conflicts import Names
from nomicgen.files.yaml_writing import dump
from nomicgen.history.merge import MergedText, merge_texts
from nomicgen.history.rule_history import Histories, HistoryEntry
from nomicgen.law.replay.results import Rule, Ruleset
from nomicgen.model.findings import Finding
from nomicgen.model.records import Instruction, Instrument
from nomicgen.model.values import Moment, RuleRef

Block = Mapping[str, Any]
"""What a `yaml rule` block says, by key: `provisions`, `note` and so on."""


class Stale(Struct, frozen=True, kw_only=True):
    """An instruction about an old revision: `base` is the rule as its author saw it, `rule` as it
    is now.
    """

    instruction: Instruction
    base: Rule
    rule: Rule


class Merge(Struct, frozen=True, kw_only=True):
    """How a stale instruction is to be written: `rewriting` edits the file. `text` is the merged
    text of an amendment; None for other instructions.
    """

    stale: Stale
    rewriting: Rewriting
    text: MergedText | None


def find_stale(
    instrument: Instrument, ruleset: Ruleset, histories: Histories
) -> Iterator[Stale | Finding]:
    """Yield the stale instructions of an instrument, in their order; in place of one whose rule was
    repealed or never existed, a finding.
    """
    for instruction in instrument.instructions:
        target = instruction.target
        if target is None:
            continue
        standing = ruleset.get(target.number)
        if standing is None or standing.revision != target.revision:
            yield _stale_or_finding(instruction, target, instrument.matter.date, ruleset, histories)


def merge_stale(stale: Stale) -> Merge | Finding:
    """Return how a stale instruction is to be written; a finding where a text is lost, or where the
    rule in force already says what it asks for.
    """
    instruction, rule = stale.instruction, stale.rule
    if instruction.verb == "amend" and None in (stale.base.text, rule.text, instruction.text):
        return _finding(
            "revision-stale",
            instruction,
            f"Rule {instruction.target} cannot be merged with Rule {rule.ref}: one of the texts "
            "is lost",
            f"write the whole text by hand, and name Rule {rule.ref}",
        )
    names = Names(f"Rule {rule.ref}, in force", "this proposal")
    text = None
    if instruction.verb == "amend":
        text = merge_texts(stale.base.text or "", rule.text or "", instruction.text or "", names)
    if _is_done(stale, text):
        return _finding(
            "revision-stale",
            instruction,
            f"{instruction.heading}: Rule {rule.ref} already says so, and nothing is left "
            "to change",
            "delete this instruction from the proposal; if it is the only one, there is nothing "
            "to propose",
        )
    # If the title has changed meanwhile, the author has to choose; if it is gone, there is no
    # choice.
    has_other_title = instruction.verb == "retitle" and rule.title not in (
        None,
        stale.base.title,
        instruction.title,
    )
    rewriting = Rewriting(
        instruction=instruction,
        target=RuleRef(rule.number, rule.revision),
        names=names,
        text=None if text is None or text.text == instruction.text else text.text,
        block=_merged_block(stale, names),
        title=rule.title if has_other_title else None,
    )
    return Merge(stale=stale, rewriting=rewriting, text=text)


def _is_done(stale: Stale, text: MergedText | None) -> bool:
    """Return whether the rule in force has all that the instruction asks for."""
    instruction, rule = stale.instruction, stale.rule
    asked = _block_of_instruction(instruction)
    if asked != {key: _block_of_rule(rule)[key] for key in asked}:
        return False
    match instruction.verb:
        case "amend":
            return text is not None and text.text == rule.text
        case "transmute":
            return instruction.tier == rule.tier
        case "renumber":
            return instruction.number == rule.number
        case "retitle":
            return instruction.title == rule.title
        case verb:
            return verb == "mark"


def _merged_block(stale: Stale, names: Names) -> str | None:
    """Return the instruction's block with each key merged as text.

    None where the block can stay as it is: for each of its keys, the rule in force still has what
    the author saw; or for each, it has what the author wants.
    """
    seen, standing, asked = (
        _block_of_rule(stale.base),
        _block_of_rule(stale.rule),
        _block_of_instruction(stale.instruction),
    )
    if all(standing[key] == seen[key] for key in asked) or all(
        standing[key] == asked[key] for key in asked
    ):
        return None
    merged = []
    for key in asked:
        was, now, proposed = (
            dump({key: block[key]}).removesuffix("\n") for block in (seen, standing, asked)
        )
        merged.append(merge_texts(was, now, proposed, names).text)
    return "".join(f"{text}\n" for text in merged if text)


def _block_of_rule(rule: Rule) -> Block:
    """Return a block that would give each key the value that it has for a rule."""
    return {
        "section": rule.section,
        "provisions": dict(rule.provisions or {}),
        "defines": list(rule.defines),
        "unread": rule.unread if rule.unread is True else list(rule.unread),
        "note": rule.note,
        "void": rule.void,
    }


def _block_of_instruction(instruction: Instruction) -> Block:
    """Return the keys that an instruction's block has, in the form of `_block_of_rule`."""
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


def _stale_or_finding(
    instruction: Instruction,
    target: RuleRef,
    written: Moment | None,
    ruleset: Ruleset,
    histories: Histories,
) -> Stale | Finding:
    base = _rule_as_seen(target, written, histories)
    if base is None:
        return _finding(
            "rule-unknown",
            instruction,
            f"there never was a Rule {target}",
            f"`nomicgen rule history {target.number}` shows what there was; correct the heading",
        )
    rule = ruleset.by_identity(base.identity)
    if rule is None:
        last = histories.rules[base.identity].entries[-1]
        return _finding(
            "rule-unknown",
            instruction,
            f"Rule {target} was repealed{_by(last)}",
            f"delete this instruction; `## Enact Rule` with `reenacts: {last.rule.number}` "
            "brings the rule back",
        )
    return Stale(instruction=instruction, base=base, rule=rule)


def _rule_as_seen(target: RuleRef, written: Moment | None, histories: Histories) -> Rule | None:
    """Return the rule as the instruction's author saw it; None if there never was such a revision.

    If several rules bore this number and revision, it is the last of them when the instruction was
    `written`, as it was then. If nobody knows that day, it is as the revision began.
    """
    entries = [
        entry
        for identity in reversed(histories.bearers.get(target.number, ()))
        for entry in histories.rules[identity].entries
        if entry.verb != "repeal" and entry.rule.ref == str(target)
    ]
    known = [entry for entry in entries if not _is_later(entry, written)] or entries
    alike = [entry.rule for entry in known if entry.rule.identity == known[0].rule.identity]
    if not alike:
        return None
    return alike[0] if written is None else alike[-1]


def _is_later(entry: HistoryEntry, written: Moment | None) -> bool:
    return written is not None and written.precedes(entry.moment)


def _by(entry: HistoryEntry) -> str:
    name = f" by {entry.instrument.name}" if entry.instrument else ""
    return f"{name} on {entry.moment}" if entry.moment else name


def _finding(slug: str, instruction: Instruction, message: str, help: str) -> Finding:
    return Finding(slug=slug, span=instruction.span, message=message, help=help)
