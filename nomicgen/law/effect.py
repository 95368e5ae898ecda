"""What an instruction does to a ruleset, and why it cannot.

Pure: the rule before, the instruction, the law, and the ruleset give a ruleset after and findings. With a finding that
is an error the instruction changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from nomicgen.diagnostics import Finding
from nomicgen.law.precedence import Law
from nomicgen.law.reading import parse_provisions
from nomicgen.law.state import Change, Rule, Ruleset
from nomicgen.law.unread import still_unread
from nomicgen.model import Instruction, Instrument, ProposalMatter, RuleRef, Settings, Span

__all__ = ["Made", "apply_instructions", "find_target", "kept_provisions", "least_tier", "target_tier"]


@dataclass(frozen=True, slots=True)
class Made:
    """The ruleset after an instrument, what it changed, and what is wrong with it.

    `down` has the places of the instructions that fell, where the law let the others be carried out all the same.
    """

    after: Ruleset
    changes: tuple[Change, ...]
    findings: tuple[Finding, ...]
    down: frozenset[Span] = frozenset()


def least_tier(settings: Settings) -> str:
    """The least entrenched tier, which a rule has that says nothing else."""
    return settings.tiers[-1]


def target_tier(instruction: Instruction, rule: Rule | None, settings: Settings) -> str | None:
    """The tier that an instruction enacts or transmutes a rule into."""
    if instruction.verb == "enact":
        return (instruction.block and instruction.block.mutability) or least_tier(settings)
    if instruction.verb == "transmute":
        return instruction.tier
    return rule.tier if rule else None


def find_target(
    reference: RuleRef, before: Ruleset, span: Span, instrument: Instrument
) -> tuple[Rule | None, Finding | None]:
    """The rule that `N/R` names in the ruleset before the instrument, or the finding that says why there is none."""
    rule = before.get(reference.number)
    if rule is None:
        moved = before.named(reference.number)
        if moved is not None:
            return None, Finding(
                slug="revision-stale",
                span=span,
                message=f"Rule {reference} is no longer in force: it is Rule {moved.ref} now",
                help=_merging(instrument, f"change the text that `nomicgen show {moved.ref}` prints", moved),
            )
        gone = reference.number in before.bore
        return None, Finding(
            slug="rule-unknown",
            span=span,
            message=f"there is no Rule {reference.number}{' any more: it was repealed' if gone else ''}",
            help="`nomicgen status --rules` lists the rules in force; a rule that is not there can only be enacted",
        )
    if rule.revision != reference.revision:
        return None, Finding(
            slug="revision-stale",
            span=span,
            message=f"Rule {reference} is not the revision in force, which is {rule.ref}",
            help=_merging(instrument, f"compare with `nomicgen diff {reference} {rule.ref}`", rule),
        )
    return rule, None


def _merging(instrument: Instrument, by_hand: str, rule: Rule) -> str:
    """How a change comes to be about the rule in force: a command merges it, unless somebody has voted on its words."""
    status = instrument.matter.status if isinstance(instrument.matter, ProposalMatter) else None
    if status in ("draft", "debate"):
        name = instrument.path.removeprefix("proposals/").removesuffix(".md")
        return f"`nomicgen rebase {name}` merges this change with the rule in force"
    anew = f"; then `nomicgen resubmit {instrument.number}`" if status == "open" else ""
    return f"{by_hand}, and write Rule {rule.ref}{anew}"


def apply_instructions(
    instrument: Instrument, before: Ruleset, law: Law, settings: Settings, identity: int, *, partly: bool = False
) -> Made:
    """Carries out an instrument's instructions in their order; `identity` is the first that is free for a new rule.

    Every `N/R` means the state before the instrument. With `partly` what cannot be carried out hinders no other.
    """
    state = before
    changes: list[Change] = []
    findings: list[Finding] = []
    for instruction in instrument.instructions:
        rule: Rule | None = None
        if instruction.target is not None:
            target, finding = find_target(instruction.target, before, instruction.span, instrument)
            if finding:
                findings.append(finding)
                continue
            assert target is not None
            rule = state.known(target.identity)
            if rule is None:
                findings.append(_impossible(instruction, f"an instruction before this one repeals Rule {target.ref}"))
                continue
        after, problems = _carry_out(instruction, instrument, rule, state, law, settings, identity + len(changes))
        findings.extend(problems)
        if problems:
            continue
        changes.append(Change(verb=instruction.verb, instruction=instruction, before=rule, after=after))
        state = state.replaced(rule, after)
    if not partly and any(one.is_error for one in findings):
        return Made(before, (), tuple(findings))
    return Made(state, tuple(changes), tuple(findings))


def kept_provisions(instrument: Instrument, ruleset: Ruleset) -> Iterator[Finding]:
    """A warning for each amendment that says nothing of the provisions that its rule carries."""
    for instruction in instrument.instructions:
        rule = ruleset.get(instruction.target.number) if instruction.target else None
        said = instruction.block is not None and "provisions" in instruction.block.model_fields_set
        if instruction.verb == "amend" and rule is not None and rule.law and not said:
            kinds = ", ".join(rule.law.kinds)
            yield Finding(
                slug="provisions-kept",
                span=instruction.span,
                message=f"Rule {rule.ref} keeps its provisions ({kinds}), whatever the new text says",
                help="repeat or change them in a `yaml rule` block after the heading; `provisions: {}` removes them",
            )


def _carry_out(
    instruction: Instruction,
    instrument: Instrument,
    rule: Rule | None,
    state: Ruleset,
    law: Law,
    settings: Settings,
    identity: int,
) -> tuple[Rule | None, list[Finding]]:
    if rule is None:
        return _enact(instruction, instrument, state, law, settings, identity)
    match instruction.verb:
        case "repeal":
            return None, []
        case "amend":
            if problem := _revision_problem(instruction, instrument):
                return None, [problem]
            return _numbered("amended", _amended(rule, instruction, settings), instruction, instrument, state, law)
        case "transmute":
            if problem := _tier_problem(instruction, instruction.tier, settings):
                return None, [problem]
            assert instruction.tier is not None
            if instruction.tier == rule.tier:
                return None, [_impossible(instruction, f"Rule {rule.ref} is {rule.tier} already")]
            moved = replace(rule, tier=instruction.tier)
            return _numbered("transmuted", moved, instruction, instrument, state, law)
        case "retitle":
            return replace(rule, title=instruction.title), []
        case "renumber":
            assert instruction.number is not None
            if problem := _renumbering_problem(instruction, instrument, law):
                return None, [problem]
            return _placed(replace(rule, number=instruction.number), rule, instruction, state)
        case _:
            return _marked(rule, instruction, settings), []


def _enact(
    instruction: Instruction, instrument: Instrument, state: Ruleset, law: Law, settings: Settings, identity: int
) -> tuple[Rule | None, list[Finding]]:
    block = instruction.block
    tier = (block and block.mutability) or least_tier(settings)
    if problem := _tier_problem(instruction, tier, settings):
        return None, [problem]
    said = law.says("numbering", "enacted")
    # Where no numbering is in force, nothing contradicts the number that is written.
    numbered = instruction.number is None if said is None else said.value == "proposal"
    given = instrument.number if instrument.kind == "proposal" and numbered else None
    number = instruction.number or state.highest + 1 if given is None else _free(given, state, law)
    if instruction.number is not None and instruction.number != number:
        where = f" ({_rule(said.rule)})" if said else ""
        return None, [
            Finding(
                slug="number-wrong",
                span=instruction.span,
                message=f"the new rule is to be Rule {number}{where}, not Rule {instruction.number}",
                help=f"write `## Enact Rule {number}`, or leave the number out",
                rule=said.rule if said else None,
            )
        ]
    if problem := _revision_problem(instruction, instrument):
        return None, [problem]
    revision = (block and block.revision) or 0
    rule = Rule(
        identity=identity,
        number=number,
        revision=revision,
        tier=tier,
        text=instruction.text,
        title=instruction.title,
    )
    if block is not None and block.reenacts is not None:
        former = state.bore.get(block.reenacts)
        if former is None or state.known(former) is not None:
            return None, [
                _impossible(instruction, f"Rule {block.reenacts} was not repealed, so it cannot be reenacted")
            ]
        rule = replace(rule, identity=former)
    return _placed(_marked(rule, instruction, settings), None, instruction, state)


def _revision_problem(instruction: Instruction, instrument: Instrument) -> Finding | None:
    """Revisions are counted; only an archive, which names the commit of each, had a count of its own."""
    block = instruction.block
    if block is None or block.revision is None or block.reenacts is not None or instrument.matter.commit is not None:
        return None
    return _impossible(instruction, "revisions are counted: only an instrument with a `commit` can say which it makes")


def _renumbering_problem(instruction: Instruction, instrument: Instrument, law: Law) -> Finding | None:
    """Renumbering is judged like an amendment: where that keeps the number, or gives another, none can be chosen."""
    said = law.says("numbering", "amended")
    given = instrument.number if instrument.kind == "proposal" else None
    archived = given is None and (instrument.kind == "proposal" or instrument.matter.commit is not None)
    if said is None or archived or (said.value == "proposal" and instruction.number == given):
        return None
    if said.value == "keep" or given is None:
        return Finding(
            slug="number-wrong",
            span=instruction.span,
            message=f"no number is chosen for a rule that this changes ({_rule(said.rule)})"
            if given is None
            else f"a rule that this changes keeps its number ({_rule(said.rule)})",
            help=f"take it out, or amend {_rule(said.rule)} first",
            rule=said.rule,
        )
    return Finding(
        slug="number-wrong",
        span=instruction.span,
        message=f"a rule that this changes takes the number {given} ({_rule(said.rule)}), not {instruction.number}",
        help=f"write `## Renumber Rule {instruction.target} to {given}`",
        rule=said.rule,
    )


def _free(number: int, state: Ruleset, law: Law) -> int:
    """The number, or where it is taken and the rules give the next free one, that."""
    said = law.says("numbering", "taken")
    if said is None or said.value != "next-free":
        return number
    return next(free for free in range(number, number + len(state) + 1) if free not in state.rules)


def _numbered(
    how: str, rule: Rule, instruction: Instruction, instrument: Instrument, state: Ruleset, law: Law
) -> tuple[Rule | None, list[Finding]]:
    """The rule with the number that the numbering in force gives it when it was amended or transmuted."""
    said = law.says("numbering", how)
    if said is None or said.value == "keep" or instrument.kind != "proposal" or instrument.number is None:
        return rule, []
    own = state.replaced(rule, None)
    number = _free(instrument.number, own, law)
    return _placed(replace(rule, number=number), state.get(rule.number), instruction, state)


def _placed(
    rule: Rule, before: Rule | None, instruction: Instruction, state: Ruleset
) -> tuple[Rule | None, list[Finding]]:
    taken = state.get(rule.number)
    if taken is not None and taken is not before:
        return None, [
            Finding(
                slug="number-doubled",
                span=instruction.span,
                message=f"the number {rule.number} is borne by a rule already: {_title(taken)}",
                help="a number belongs to one rule at a time: give another, or repeal that rule first",
            )
        ]
    return rule, []


def _amended(rule: Rule, instruction: Instruction, settings: Settings) -> Rule:
    said = instruction.block.revision if instruction.block is not None else None
    revision = rule.revision + 1 if said is None else said
    return _marked(rule.amended(instruction.text, revision), instruction, settings)


def _marked(rule: Rule, instruction: Instruction, settings: Settings) -> Rule:
    """The rule with what a `yaml rule` block says of it."""
    block = instruction.block
    if block is None:
        return rule
    said = block.model_fields_set
    if "provisions" in said:
        raw = block.provisions or None
        law, _ = parse_provisions(raw, tuple(settings.tiers))
        rule = replace(rule, provisions=raw, law=law)
    if "section" in said:
        rule = replace(rule, section=block.section)
    if "defines" in said:
        rule = replace(rule, defines=tuple(block.defines or ()))
    if said & {"unread", "provisions"}:
        unread = block.unread if "unread" in said else rule.unread
        rule = replace(rule, unread=still_unread(unread, rule.text, rule.provisions))
    if "note" in said:
        rule = replace(rule, note=block.note)
    if "void" in said:
        rule = replace(rule, void=block.void or None)
    return rule


def _tier_problem(instruction: Instruction, tier: str | None, settings: Settings) -> Finding | None:
    if tier in settings.tiers:
        return None
    return _impossible(instruction, f"{tier} is no tier of this game (nomic.yml has {', '.join(settings.tiers)})")


def _impossible(instruction: Instruction, message: str) -> Finding:
    return Finding(
        slug="instruction-impossible",
        span=instruction.span,
        message=message,
        help="mend or remove this instruction",
    )


def _title(rule: Rule) -> str:
    return f"Rule {rule.ref}{f' ({rule.title})' if rule.title else ''}"


def _rule(number: int) -> str:
    return f"Rule {number}"
