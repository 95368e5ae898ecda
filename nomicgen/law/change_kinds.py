"""The kinds of change of rules, by tier, and the verb by which an instruction is judged."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from nomicgen.law.kind import ChangeVerb
from nomicgen.law.sentences import with_article
from nomicgen.model.records import Instruction
from nomicgen.model.settings import Settings

NOUNS: dict[str, str] = {
    "enact": "enactment",
    "amend": "amendment",
    "repeal": "repeal",
    "transmute": "transmutation",
}
"""What a change is called, by its verb."""


class ChangeKind(Struct, frozen=True):
    """A kind of change: its verb, the tier of the rule before it (`from_`), and after it (`into`).

    `from_` is None for an enactment. `into` is None for an amendment and a repeal.
    """

    verb: ChangeVerb
    from_: str | None
    into: str | None

    @property
    def words(self) -> str:
        """`amending a mutable rule`, `transmuting an immutable rule into a mutable one`."""
        verbs = {
            "enact": "enacting",
            "amend": "amending",
            "repeal": "repealing",
            "transmute": "transmuting",
        }
        into = f" into {with_article(self.into)} one" if self.from_ and self.into else ""
        return f"{verbs[self.verb]} {with_article(self.from_ or self.into or '')} rule{into}"


def kinds_of_change(settings: Settings) -> Iterator[ChangeKind]:
    """Yield each kind of change of each tier."""
    for tier in settings.tiers:
        yield ChangeKind("enact", None, tier)
        yield ChangeKind("amend", tier, None)
        yield ChangeKind("repeal", tier, None)
        yield from (
            ChangeKind("transmute", tier, other) for other in settings.tiers if other != tier
        )


def judged_verb(instruction: Instruction) -> str | None:
    """Return the verb by which the law judges an instruction.

    A Retitle and a Renumber are judged as `amend`. A Mark with `void`, even `void: false`, is
    judged as `repeal`, another one with `provisions` as `amend`. For any other Mark this is None.
    """
    if instruction.verb == "mark":
        block = instruction.block
        if block is not None and "void" in block.written:
            return "repeal"
        return "amend" if block is not None and block.provisions is not None else None
    return "amend" if instruction.verb in ("retitle", "renumber") else instruction.verb
