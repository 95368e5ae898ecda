"""What a kind of provision is: a schema, a sentence, how the words of several rules combine, and what it does.

Here are the base classes of the schemas too, and the types of fields that several of them have.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import GenericAlias
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, GetCoreSchemaHandler, PlainValidator, WithJsonSchema

from nomicgen.model import Ident, Instruction, Number, one_or_many

if TYPE_CHECKING:  # what the hooks take and give: those modules need the kinds
    from nomicgen.diagnostics import Finding
    from nomicgen.law.effects import Verdict
    from nomicgen.law.licence import State
    from nomicgen.law.limits import Outcome
    from nomicgen.law.precedence import Law
    from nomicgen.law.reach import Proposed
    from nomicgen.law.state import Condition, Rule
    from nomicgen.law.tally import Count

__all__ = [
    "Combination",
    "DayCount",
    "Days",
    "Doings",
    "Holder",
    "Involved",
    "Kind",
    "Many",
    "MoreDays",
    "OneOrMore",
    "Problem",
    "Provision",
    "Shape",
    "Sources",
    "Table",
    "Tiers",
    "Verbs",
    "require_one",
    "tiers_named",
    "unknown_tiers",
    "unsaid",
]

_T = TypeVar("_T")


class _OneOrMany:
    """Reads one value as a list of it, and says in the JSON schema that both will do."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> Any:
        one = get_args(source)[0]
        reads = BeforeValidator(one_or_many, json_schema_input_type=one | GenericAlias(list, one))
        return reads.__get_pydantic_core_schema__(source, handler)


OneOrMany = Annotated[tuple[_T, ...], _OneOrMany()]
OneOrMore = Annotated[OneOrMany[_T], Field(min_length=1)]
"""The same, and not an empty list."""

Change = Literal["enact", "amend", "repeal", "transmute"]
Holder = Annotated[dict[Literal["role"], Ident], Field(min_length=1)]
"""Whoever holds a role."""
Many = Annotated[Number | Literal["any"], Field(union_mode="left_to_right")]
Verbs = OneOrMany[Change]
Doings = OneOrMore[Literal[Change, "void"]]
Sources = OneOrMore[Literal["proposal", "judgement", "act", "turn"]]
Involved = OneOrMore[Literal["caller", "author"]]
Tiers = OneOrMore[Ident]


class DayCount(int):
    """A number of days; `str` has the unit too: `1 day`, `7 days`."""

    def __str__(self) -> str:
        return f"{self} day{'' if self == 1 else 's'}"

    def __format__(self, spec: str) -> str:
        return format(int(self), spec)


def _days(text: object) -> DayCount:
    """Reads `7 days`, `1 day` and `7`."""
    found = re.fullmatch(r"(0|[1-9][0-9]{0,8})( days?)?", str(text))
    if found is None:
        raise ValueError("should be a number of days such as 7 or `7 days`")
    return DayCount(found[1])


_DAYS_SCHEMA = {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "string", "pattern": "^[0-9]+ days?$"}]}
Days = Annotated[int, PlainValidator(_days), WithJsonSchema(_DAYS_SCHEMA)]
MoreDays = Annotated[Days, Field(ge=1)]


class Shape(BaseModel):
    """A part of a provision: frozen, and closed to keys that it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True, defer_build=True)


class Provision(Shape):
    """A provision; `over` and `under` name rules whose provision of this kind it defeats or yields to."""

    over: OneOrMany[Number] = Field(
        (), description="rules of no more entrenched tier whose provision of this kind gives way to this one"
    )
    under: OneOrMany[Number] = Field((), description="rules to whose provision of this kind this one gives way")

    @property
    def said(self) -> tuple[str, ...]:
        """The names of the fields that it speaks of, or of the tiers, in the order of the schema."""
        known = (name for name in type(self).model_fields if name in self.model_fields_set)
        return (*(name for name in known if name not in ("over", "under")), *(self.__pydantic_extra__ or ()))


class Table(Provision):
    """A provision whose keys are the tiers of the game."""

    model_config = ConfigDict(frozen=True, extra="allow", arbitrary_types_allowed=True, defer_build=True)

    @property
    def tiers(self) -> Mapping[str, Any]:
        """What it says of each tier."""
        return self.__pydantic_extra__ or {}


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a provision does not fit: `path` leads to the place in it; `unknown` says that no kind is called so."""

    path: tuple[str | int, ...]
    message: str
    unknown: bool = False


def unsaid(description: str, **bounds: Any) -> Any:
    """A field that a provision may leave out: then it says nothing of it."""
    return Field(None, description=description, **bounds)


def require_one(of: Shape, *names: str) -> None:
    """Raises ValueError unless exactly one of these fields is there."""
    if sum(getattr(of, name) is not None for name in names) != 1:
        raise ValueError(f"should have exactly one of {', '.join(names[:-1])} and {names[-1]}")


def unknown_tiers(key: str, named: Iterable[str], tiers: tuple[str, ...] | None) -> Iterator[Problem]:
    """What tiers, named under a key, are none of the game's; where these are not known, any will do."""
    for tier in named:
        if tiers is not None and tier not in tiers:
            yield Problem((key,), f"{tier} is no tier of this game (nomic.yml has {', '.join(tiers)})")


def tiers_named(one: Table, tiers: tuple[str, ...] | None) -> Iterator[Problem]:
    """What of a table does not fit the tiers of the game."""
    if not one.tiers:
        yield Problem((), "should name a tier")
    for tier in one.tiers:
        yield from unknown_tiers(tier, [tier], tiers)


Combination = Literal["fields", "tiers", "all", "matching", "own"]
"""How the words of several rules combine.

`fields`: each field has one winner; `tiers`: the same, and the fields are the tiers of the game; `all`: all count, but
those that another names in `over`; `matching`: so do all that match a change; `own`: each is about its own rule alone.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of provision; `law/kinds.py` names it after its module.

    `sentence` gives the English of one provision, without its `over` and `under`. `about` is how a field is called
    where two laws are compared. The others are what it does, where it does such a thing:

    `misfits` says what of a provision does not fit the tiers of the game, or itself: where, and why. `licenses` judges
    effects, by their type (`law/licence.py`). `permits` judges an instruction: about a rule, into a tier. `demands`
    gives what a vote needs besides its adoption. `hinders` says what stands against a kind of change at all: the
    number of a rule, and why. `leaves` judges the rules that an instrument leaves. `bears` says whether a provision
    bears on what votes can change for ever; its second argument, whether the number of rules counts.
    """

    schema: type[Provision]
    sentence: Callable[[Any], str]
    combines: Combination
    about: str = "{kind}: {field}"
    by_word: bool = False
    """Whether it may be written as the one word that its field `when` takes."""
    misfits: Callable[[Any, tuple[str, ...] | None], Iterator[Problem]] | None = None
    licenses: Mapping[type, Callable[[Any, State], Verdict]] = field(default_factory=dict)
    permits: Callable[[Instruction, Rule | None, str | None, Law], Iterable[Finding]] | None = None
    demands: Callable[[Count, Law], Iterable[Condition]] | None = None
    hinders: Callable[[Proposed], Iterable[tuple[int | None, str]]] | None = None
    leaves: Callable[[Outcome], Iterable[Finding]] | None = None
    bears: Callable[[Any, bool], bool] | None = None

    @property
    def listed(self) -> bool:
        """Whether a rule may have several, as a list."""
        return self.combines in ("all", "matching")
