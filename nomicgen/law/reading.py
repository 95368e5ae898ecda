"""The reading of provisions: from raw YAML to objects of their kinds' schemas, and to problems.

Raw provisions are the YAML of a front matter with every scalar as its source text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.law.kind import Problem, Provision
from nomicgen.law.kinds import kinds
from nomicgen.model.types import Fault, faults_of

_P = TypeVar("_P", bound=Provision)


class Provisions(Struct, frozen=True):
    """A rule's provisions, read, by kind: one, or more if the kind is `listed`."""

    kinds: Mapping[str, tuple[Provision, ...]] = {}

    def __bool__(self) -> bool:
        return bool(self.kinds)

    def of(self, schema: type[_P]) -> tuple[_P, ...]:
        """Return the provisions of a kind; () if the rule has none."""
        return cast("tuple[_P, ...]", self.kinds.get(schema.kind, ()))


def parse_provisions(
    raw: Mapping[str, object] | None, tiers: tuple[str, ...] | None
) -> tuple[Provisions, tuple[Problem, ...]]:
    """Read the provisions of a rule; one that does not fit is left out, and is a problem.

    `tiers` are those of the game; None lets every name of a tier do.
    """
    provisions: dict[str, tuple[Provision, ...]] = {}
    problems: list[Problem] = []
    for name, value in (raw or {}).items():
        kind = kinds().get(name)
        if kind is None:
            problems.append(Problem((name,), name, unknown=True))
            continue
        many = kind.listed and isinstance(value, list)
        read: list[Provision] = []
        for index, item in enumerate(value if kind.listed and isinstance(value, list) else [value]):
            path: tuple[str | int, ...] = (name, index) if many else (name,)
            try:
                # `effect: at-once` is short for `effect: {when: at-once}`.
                provision = kind.schema.read(
                    {"when": item} if kind.as_word and isinstance(item, str) else item
                )
            except ValueError as error:
                problems.extend(
                    Problem((*path, *fault.path), _phrase(fault)) for fault in faults_of(error)
                )
                continue
            misfits = [*kind.misfits(provision, tiers)] if kind.misfits else []
            problems.extend(replace(problem, path=(*path, *problem.path)) for problem in misfits)
            read += [] if misfits else [provision]
        if many and not value:
            problems.append(Problem((name,), "should not be empty"))
        if read:
            provisions[name] = tuple(read)
    return Provisions(provisions), tuple(problems)


def _phrase(fault: Fault) -> str:
    if fault.about == "missing":
        return "is missing"
    return (
        "is a key that this provision does not have" if fault.about == "unknown" else fault.wanted
    )
