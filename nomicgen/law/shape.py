"""What the schemas of all provisions share: their base classes, and the types of fields that several have."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from nomicgen.model import Ident, Number, one_or_many

__all__ = ["Doings", "Involved", "Many", "Provision", "Shape", "Sources", "Tiers", "Verbs"]

Change = Literal["enact", "amend", "repeal", "transmute"]


Done = Literal[Change, "void"]
Party = Literal["caller", "author"]
Source = Literal["proposal", "judgement", "act", "turn"]
Many = Annotated[Number | Literal["any"], Field(union_mode="left_to_right")]
Verbs = Annotated[tuple[Change, ...], BeforeValidator(one_or_many, json_schema_input_type=Change | list[Change])]
Doings = Annotated[
    tuple[Done, ...], BeforeValidator(one_or_many, json_schema_input_type=Done | list[Done]), Field(min_length=1)
]
Sources = Annotated[
    tuple[Source, ...], BeforeValidator(one_or_many, json_schema_input_type=Source | list[Source]), Field(min_length=1)
]
Involved = Annotated[
    tuple[Party, ...], BeforeValidator(one_or_many, json_schema_input_type=Party | list[Party]), Field(min_length=1)
]
Tiers = Annotated[
    tuple[Ident, ...], BeforeValidator(one_or_many, json_schema_input_type=Ident | list[Ident]), Field(min_length=1)
]
Numbers = Annotated[tuple[Number, ...], BeforeValidator(one_or_many, json_schema_input_type=Number | list[Number])]


class Shape(BaseModel):
    """A part of a provision: frozen, and closed to keys that it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True, defer_build=True)


class Provision(Shape):
    """A provision; `over` and `under` name rules whose provision of this kind it defeats or yields to."""

    over: Numbers = Field(
        (), description="rules of no more entrenched tier whose provision of this kind gives way to this one"
    )
    under: Numbers = Field((), description="rules to whose provision of this kind this one gives way")
