"""Who may vote on a day, how long a vote lasts, what silence is, and which conditions a change must meet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from nomicgen.law.precedence import Law, drop_defeated
from nomicgen.law.roll import Lists, Roll, is_active, is_player
from nomicgen.law.shapes import Adoption, Die, TieBreak
from nomicgen.law.state import Rule, Ruleset
from nomicgen.model import Instruction, Moment, Player

__all__ = [
    "Silence",
    "change_of",
    "closing",
    "conditions_for",
    "covering",
    "die_of",
    "electorate",
    "is_active",
    "is_player",
    "is_protected",
    "matching",
    "may_vote",
    "silence",
    "tie_break",
]

Silence = Literal["waits", "for", "against", "ignored"]


def electorate(players: Mapping[str, Player], law: Law, moment: Moment | None) -> Lists:
    """Ids of those who may vote at `moment`, and of all players, in alphabetical order.

    A bot never votes of itself, a dummy only while a rule says how, and who breaks ties has no other vote. Who asks
    again and again does so with a `Roll`.
    """
    breaker = tie_break(law)
    return Roll.of(players).lists(
        moment,
        dummies=_ballot(law, "dummy") is not None,
        active=_ballot(law, "electorate") == "active",
        breaker=breaker.by if breaker is not None else None,
    )


def may_vote(player: Player, law: Law, moment: Moment | None) -> bool:
    """Whether somebody is an eligible voter at `moment`."""
    breaker = tie_break(law)
    if not _has_seat(player, law, moment) or (breaker is not None and breaker.by == player.ident):
        return False
    return _ballot(law, "electorate") != "active" or is_active(player, moment)


def _has_seat(player: Player, law: Law, moment: Moment | None) -> bool:
    kind = player.matter.kind
    voting = kind == "person" or (kind == "dummy" and _ballot(law, "dummy") is not None)
    return voting and is_player(player, moment)


def _ballot(law: Law, name: str) -> Any:
    said = law.says("ballot", name)
    return said.value if said else None


def silence(law: Law) -> Silence:
    """What it means that somebody has not voted; unsaid, a vote that everyone must cast is waited for."""
    said: Silence | None = _ballot(law, "silence")
    return said or ("waits" if _ballot(law, "everyone_votes") else "ignored")


def closing(law: Law, opened: Moment | None) -> Moment | None:
    """The last moment of a vote that opened at `opened`, None where it has no end of its own.

    A vote that waits for everyone cannot be late: it would never end.
    """
    days = _ballot(law, "closes_after") if silence(law) != "waits" else None
    return opened.plus(days) if opened is not None and days is not None else None


def tie_break(law: Law) -> TieBreak | None:
    """Who breaks ties, if anyone does."""
    found: TieBreak | None = _ballot(law, "tie_break")
    return found


def die_of(player: Player, law: Law) -> Die | None:
    """The die by which a player votes: a dummy's, or that of who breaks ties. None for everyone else."""
    breaker = tie_break(law)
    if breaker is not None and breaker.by == player.ident:
        return breaker.throws
    found: Die | None = _ballot(law, "dummy") if player.matter.kind == "dummy" else None
    return found


def matching(
    instruction: Instruction, rule: Rule | None, tier: str | None, law: Law
) -> tuple[tuple[Rule, Adoption], ...]:
    """The adoption conditions that are about an instruction; `tier` is the tier that it enacts or transmutes into."""
    verb = change_of(instruction)
    if verb is None:
        return ()
    from_ = None if rule is None else rule.tier
    return covering(verb, from_, tier if verb in ("enact", "transmute") else None, law)


def covering(verb: str, from_: str | None, into: str | None, law: Law) -> tuple[tuple[Rule, Adoption], ...]:
    """The adoption conditions that are about a kind of change of rules of one tier, perhaps into another."""
    return tuple(
        (where, one)
        for where, one in law.adoptions
        if (one.to is None or verb in one.to)
        and (one.from_ is None or from_ in one.from_)
        and (one.into is None or into in one.into)
    )


def change_of(instruction: Instruction) -> str | None:
    """The kind of change that an instruction is judged as; None for a Mark that changes nothing that binds.

    To void a rule, or to end that, is judged as its repeal.
    """
    if instruction.verb == "mark":
        block = instruction.block
        if block is not None and "void" in block.model_fields_set:
            return "repeal"
        return "amend" if block is not None and block.provisions is not None else None
    return "amend" if instruction.verb in ("retitle", "renumber") else instruction.verb


def conditions_for(
    instruction: Instruction, rule: Rule | None, tier: str | None, law: Law, ruleset: Ruleset
) -> tuple[tuple[Rule, Adoption], ...]:
    """What must be met for one instruction: all that match, without those that another names in `over`."""
    return drop_defeated(matching(instruction, rule, tier, law), ruleset, law)


def is_protected(verb: str, tier: str, law: Law) -> int | None:
    """The number of the rule that forbids a kind of change to a tier, None where it is allowed."""
    said = law.of_tier("entrenchment", tier)
    return said.rule if said and verb not in said.value else None
