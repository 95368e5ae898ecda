"""What an instruction does to a ruleset, or why it cannot be carried out.

An instruction that has an error changes nothing, and gives a finding that says why.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.law.precedence import Law, Said, rule_finding
from nomicgen.law.provisions.numbering import Numbering
from nomicgen.law.replay.results import Rule, RuleChange, Ruleset
from nomicgen.law.replay.scene import Scene
from nomicgen.law.rule_keys import with_keys
from nomicgen.model.findings import Finding, Findings
from nomicgen.model.front_matters import ProposalMatter
from nomicgen.model.records import Instruction, Instrument
from nomicgen.model.rule_matters import RuleBlock
from nomicgen.model.settings import Settings
from nomicgen.model.values import Span


class CarriedOut(Struct, frozen=True):
    """The ruleset after an instrument, what it changed, and what is wrong with it.

    `dropped` has the places of the instructions that are not carried out, where the law lets the
    others be carried out all the same.
    """

    after: Ruleset
    changes: tuple[RuleChange, ...]
    findings: Findings
    dropped: frozenset[Span] = frozenset()


def target_tier(instruction: Instruction, rule: Rule | None, settings: Settings) -> str | None:
    """Return the tier of a rule after an instruction. A new one is by default least entrenched.

    None if the instruction changes a rule that is not there, other than by a transmutation.
    """
    if instruction.verb == "enact":
        return (instruction.block and instruction.block.mutability) or settings.tiers[-1]
    if instruction.verb == "transmute":
        return instruction.tier
    return rule.tier if rule else None


def _target(
    instruction: Instruction, instrument: Instrument, scene: Scene, by_now: Ruleset
) -> Rule | Finding | None:
    """Return the rule that an instruction changes, or why there is none.

    `N/R` names a rule of the ruleset before the instrument. It is returned as the instructions
    before this one have left it (`by_now`). None where the instruction names no rule. While no rule
    in force carries provisions, `N` alone will do.
    """
    reference, before = instruction.target, scene.ruleset
    if reference is None:
        return None
    rule = before.get(reference.number)
    if rule is not None and reference.revision is None and not scene.law.is_silent:
        message = f"`{instruction.heading}` does not say which revision of Rule {rule.number}"
        return _wrong(instruction, message, f"write Rule {rule.ref} in its place", "revision-stale")
    if rule is not None and reference.revision in (None, rule.revision):
        return by_now.by_identity(rule.identity) or _wrong(
            instruction, f"an instruction before this one repeals Rule {rule.ref}"
        )
    standing = before.once_numbered(reference.number)
    if standing is None:
        gone = " any more: it was repealed" if reference.number in before.last_holder else ""
        remedy = (
            "`nomicgen status --rules` lists the rules in force; to make a new rule, write "
            "`## Enact Rule: Title`"
        )
        return _wrong(
            instruction, f"there is no Rule {reference.number}{gone}", remedy, "rule-unknown"
        )
    if rule is None:
        message = f"is no longer in force: it is Rule {standing.ref} now"
        by_hand = f"change the text that `nomicgen show {standing.ref}` prints"
    elif rule.revision < (reference.revision or 0):
        message = (
            f"there is no revision {reference.revision} of Rule {rule.number} yet: it is {rule.ref}"
        )
        return _wrong(instruction, message, f"write {rule.ref} in its place", "revision-stale")
    else:
        message = f"is not the revision in force, which is {rule.ref}"
        by_hand = f"compare with `nomicgen rule diff {reference} {rule.ref}`"
    remedy = _merging(instrument, by_hand, standing)
    return _wrong(instruction, f"Rule {reference} {message}", remedy, "revision-stale")


def _merging(instrument: Instrument, by_hand: str, rule: Rule) -> str:
    """Return what the author can do so that a change fits the rule in force."""
    status = instrument.matter.status if isinstance(instrument.matter, ProposalMatter) else None
    if status in ("draft", "debate"):
        name = instrument.path.removeprefix("proposals/").removesuffix(".md")
        return f"`nomicgen proposal rebase {name}` merges this change with the rule in force"
    anew = f"; then `nomicgen proposal resubmit {instrument.number}`" if status == "open" else ""
    return f"{by_hand}, and write Rule {rule.ref}{anew}"


def apply_instructions(instrument: Instrument, scene: Scene, *, partly: bool = False) -> CarriedOut:
    """Carry out an instrument's instructions in their order.

    Every `N/R` means the ruleset before the instrument. If one instruction has an error, none is
    carried out; with `partly`, the others are.
    """
    ruleset = scene.ruleset
    changes: list[RuleChange] = []
    findings: list[Finding] = []
    for instruction in instrument.instructions:
        rule = _target(instruction, instrument, scene, ruleset)
        if isinstance(rule, Finding):
            findings.append(rule)
            continue
        after = _apply_instruction(instruction, instrument, rule, scene, ruleset)
        if isinstance(after, Finding):
            findings.append(after)
            continue
        changes.append(
            RuleChange(verb=instruction.verb, instruction=instruction, before=rule, after=after)
        )
        ruleset = ruleset.replaced(rule, after)
    if not partly and any(finding.is_error for finding in findings):
        return CarriedOut(scene.ruleset, (), tuple(findings))
    return CarriedOut(ruleset, tuple(changes), tuple(findings))


def _apply_instruction(
    instruction: Instruction,
    instrument: Instrument,
    rule: Rule | None,
    scene: Scene,
    ruleset: Ruleset,
) -> Rule | Finding | None:
    if rule is None:
        return _enact(instruction, instrument, scene, ruleset)
    law, settings = scene.law, scene.settings
    match instruction.verb:
        case "repeal":
            return None
        case "amend":
            if problem := _revision_problem(instruction, instrument):
                return problem
            revision = instruction.block.revision if instruction.block is not None else None
            amended = rule.amended(
                instruction.text, rule.revision + 1 if revision is None else revision
            )
            amended = _confirmed(rule, _marked(amended, instruction, settings), instruction.block)
            return _numbered(
                law.value(Numbering.amended), amended, instruction, instrument, ruleset, law
            )
        case "transmute":
            if problem := _tier_problem(instruction, instruction.tier, settings):
                return problem
            assert instruction.tier is not None
            if instruction.tier == rule.tier:
                return _wrong(instruction, f"Rule {rule.ref} is {rule.tier} already")
            moved = replace(rule, tier=instruction.tier)
            return _numbered(
                law.value(Numbering.transmuted), moved, instruction, instrument, ruleset, law
            )
        case "retitle":
            return replace(rule, title=instruction.title)
        case "renumber":
            assert instruction.number is not None
            moved = replace(rule, number=instruction.number)
            return _renumbering_problem(instruction, instrument, law) or _placed(
                moved, rule, instruction, ruleset
            )
        case _:
            return _marked(rule, instruction, settings)


def _enact(
    instruction: Instruction, instrument: Instrument, scene: Scene, ruleset: Ruleset
) -> Rule | Finding | None:
    block, law, settings = instruction.block, scene.law, scene.settings
    tier = target_tier(instruction, None, settings)
    assert tier is not None
    if problem := _tier_problem(instruction, tier, settings):
        return problem
    enacted = law.says(Numbering.enacted)
    # Where no numbering is in force, nothing contradicts the number that is written.
    numbered = instruction.number is None if enacted is None else enacted.value == "proposal"
    proposal_number = instrument.number if instrument.kind == "proposal" and numbered else None
    number = (
        instruction.number or ruleset.highest + 1
        if proposal_number is None
        else _free(proposal_number, ruleset, law)
    )
    if instruction.number is not None and instruction.number != number:
        where = f" ({_rule(enacted.rule)})" if enacted else ""
        message = f"the new rule must be Rule {number}{where}, not Rule {instruction.number}"
        remedy = f"write `## Enact Rule {number}`, or leave the number out"
        return _wrong(instruction, message, remedy, "number-wrong", enacted)
    if problem := _revision_problem(instruction, instrument):
        return problem
    identity = ruleset.latest + 1
    if block is not None and block.reenacts is not None:
        former = ruleset.last_holder.get(block.reenacts)
        if former is None or ruleset.by_identity(former) is not None:
            return _wrong(
                instruction, f"Rule {block.reenacts} was not repealed, so it cannot be reenacted"
            )
        identity = former
    rule = Rule(
        identity=identity,
        number=number,
        revision=(block and block.revision) or 0,
        tier=tier,
        text=instruction.text,
        title=instruction.title,
    )
    return _placed(_marked(rule, instruction, settings), None, instruction, ruleset)


def _revision_problem(instruction: Instruction, instrument: Instrument) -> Finding | None:
    """Return what is wrong with a written revision: usually nobody may write one, since revisions
    are counted.
    """
    block = instruction.block
    if (
        block is None
        or block.revision is None
        or block.reenacts is not None
        or instrument.matter.commit is not None
    ):
        return None
    return _wrong(
        instruction,
        "a revision can be written only with `reenacts`, or with a `commit` in the front matter",
    )


def _renumbering_problem(
    instruction: Instruction, instrument: Instrument, law: Law
) -> Finding | None:
    """Return what is wrong with a renumbering: if rules say which number an amended rule has,
    nobody chooses one.
    """
    amended = law.says(Numbering.amended)
    proposal_number = instrument.number if instrument.kind == "proposal" else None
    archived = proposal_number is None and (
        instrument.kind == "proposal" or instrument.matter.commit is not None
    )
    if (
        amended is None
        or archived
        or (amended.value == "proposal" and instruction.number == proposal_number)
    ):
        return None
    rule = _rule(amended.rule)
    remedy = f"delete it, or amend {rule} first"
    if proposal_number is None:
        message = f"this cannot choose the number of a rule: {rule} says how it is given"
    elif amended.value == "keep":
        message = f"a rule that this changes keeps its number ({rule})"
    else:
        message = (
            f"a rule that this changes takes the number {proposal_number} ({rule}), not "
            f"{instruction.number}"
        )
        remedy = f"write `## Renumber Rule {instruction.target} to {proposal_number}`"
    return _wrong(instruction, message, remedy, "number-wrong", amended)


def _free(number: int, ruleset: Ruleset, law: Law) -> int:
    """Return the number; if it is taken, the next free one, where the rules give that."""
    if law.value(Numbering.taken) != "next-free":
        return number
    return next(
        free for free in range(number, number + len(ruleset) + 1) if free not in ruleset.rules
    )


def _numbered(
    numbering: str | None,
    rule: Rule,
    instruction: Instruction,
    instrument: Instrument,
    ruleset: Ruleset,
    law: Law,
) -> Rule | Finding | None:
    """Return the rule with the number that the numbering gives it when amended or transmuted."""
    if numbering in (None, "keep") or instrument.kind != "proposal" or instrument.number is None:
        return rule
    number = _free(instrument.number, ruleset.replaced(rule, None), law)
    return _placed(replace(rule, number=number), ruleset.get(rule.number), instruction, ruleset)


def _placed(
    rule: Rule, before: Rule | None, instruction: Instruction, ruleset: Ruleset
) -> Rule | Finding | None:
    """Return the rule, unless another one than `before` has its number."""
    taken = ruleset.get(rule.number)
    if taken is None or taken is before:
        return rule
    title = f" ({taken.title})" if taken.title else ""
    message = f"the number {rule.number} is already taken by Rule {taken.ref}{title}"
    remedy = "a number belongs to one rule at a time: give another, or repeal that rule first"
    return _wrong(instruction, message, remedy, "number-doubled")


def _marked(rule: Rule, instruction: Instruction, settings: Settings) -> Rule:
    """Return the rule with what the instruction's block says of it."""
    return rule if instruction.block is None else with_keys(rule, instruction.block, settings)


def _confirmed(before: Rule, after: Rule, block: RuleBlock | None) -> Rule:
    """Return the amended rule, with a mark where its text is newer than its provisions and its
    author says nothing of that.
    """
    is_said = block is not None and ("provisions" in block.written or block.meaning is not None)
    is_unconfirmed = (
        not is_said and bool(after.law) and (before.is_unconfirmed or before.text != after.text)
    )
    return replace(after, is_unconfirmed=is_unconfirmed)


def _tier_problem(instruction: Instruction, tier: str | None, settings: Settings) -> Finding | None:
    if tier in settings.tiers:
        return None
    return _wrong(
        instruction, f"{tier} is no tier of this game (nomic.yml has {', '.join(settings.tiers)})"
    )


def _wrong(
    instruction: Instruction,
    message: str,
    remedy: str = "correct or remove this instruction",
    slug: str = "instruction-impossible",
    said: Said[object] | None = None,
) -> Finding:
    return rule_finding(slug, instruction.span, said, message, remedy)


def _rule(number: int) -> str:
    return f"Rule {number}"
