"""The rules of a tier that no provision names may be changed in every way. A change that is not
allowed is `tier-protected`, however many voted for it.
"""

from __future__ import annotations

from collections.abc import Iterator

from nomicgen.law.change_kinds import NOUNS, ChangeKind, judged_verb
from nomicgen.law.judging_kind import JudgingKind
from nomicgen.law.kind import Table, Verbs, table_misfits
from nomicgen.law.precedence import Law, rule_finding
from nomicgen.law.replay.results import Rule
from nomicgen.law.replay.scene import Scene
from nomicgen.law.sentences import as_sentence, joined
from nomicgen.model.file_model import described
from nomicgen.model.findings import Finding
from nomicgen.model.records import Instruction

EXAMPLES = """\
- case: An immutable rule can be transmuted, but not repealed.
  provisions:
    entrenchment: {immutable: [transmute]}
  does: "## Repeal Rule 101/0"
  gives:
    - "tier-protected: Rule 101/0 is immutable; Rule 201 forbids the repeal of immutable rules (it
      allows: transmute)"
"""


class Entrenchment(Table[Verbs]):
    """What may be done to a tier at all: the kinds of change, by tier."""

    tiers: dict[str, Verbs] = described(
        "what may be done to its rules; `[]` means nothing", default={}
    )


_DONE = {"enact": "enacted", "amend": "amended", "repeal": "repealed", "transmute": "transmuted"}


def _sentence(entrenchment: Entrenchment) -> str:
    return as_sentence(
        "; ".join(f"{tier} rules may {_may(verbs)}" for tier, verbs in entrenchment.tiers.items())
    )


def _may(verbs: Verbs) -> str:
    return (
        f"only be {joined((_DONE[verb] for verb in verbs), 'or')}"
        if verbs
        else "not be changed at all"
    )


def _forbids(
    instruction: Instruction, rule: Rule | None, into: str | None, law: Law
) -> Iterator[Finding]:
    """Yield what an instruction may not do: to its rule's tier, or to the tier it leads into."""
    verb = judged_verb(instruction)
    for tier in dict.fromkeys(tier for tier in (rule and rule.tier, into) if tier):
        allowed = law.of_tier(Entrenchment, tier)
        if verb is None or allowed is None or verb in allowed.value:
            continue
        what = (
            f"Rule {rule.ref} is {tier}"
            if rule and rule.tier == tier
            else f"the rule would be {tier}"
        )
        # A rule that may be transmuted could first go to a tier where this change is allowed.
        can_leave = "transmute" in allowed.value and verb != "transmute" and rule is not None
        open_tier = next(
            (other for other in law.ranks if can_leave and _is_allowed(verb, other, law)), None
        )
        yield rule_finding(
            "tier-protected",
            instruction.span,
            allowed,
            f"{what}; Rule {allowed.rule} forbids the {NOUNS[verb]} of {tier} rules "
            f"(it allows: {', '.join(allowed.value) or 'nothing'})",
            f"transmute it first (`## Transmute Rule {instruction.target} to {open_tier}`)"
            if open_tier
            else f"amend Rule {allowed.rule} first, if the rules let you",
        )


def _is_allowed(verb: str, tier: str, law: Law) -> bool:
    allowed = law.of_tier(Entrenchment, tier)
    return allowed is None or verb in allowed.value


def _hinders(change: ChangeKind, scene: Scene) -> Iterator[tuple[int | None, str]]:
    for tier in (change.from_, change.into):
        allowed = scene.law.of_tier(Entrenchment, tier) if tier is not None else None
        if allowed is not None and change.verb not in allowed.value:
            yield (
                allowed.rule,
                f"Rule {allowed.rule} forbids the {NOUNS[change.verb]} of {tier} rules",
            )


KIND = JudgingKind(
    schema=Entrenchment,
    sentence=_sentence,
    combines="tiers",
    about="what may be done to {field} rules",
    misfits=table_misfits,
    forbids=_forbids,
    hinders=_hinders,
    affects_changeability=lambda _entrenchment: True,
)
