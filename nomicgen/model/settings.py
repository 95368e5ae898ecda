"""`nomic.yml`: the settings of a game."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from nomicgen.model.matter import Matter
from nomicgen.model.values import Commit, Date, Ident, Integer, Number, Text

__all__ = ["Links", "Lost", "Settings"]


class Links(Matter):
    """Templates of addresses on the forge, with `{sha}`, `{path}`, `{number}`, `{revision}`."""

    commit: Text | None = Field(None, description="the address of a commit")
    file: Text | None = Field(None, description="the address of a file as a commit has it")


_MANY = 100_000
_RANGE = re.compile(r"([1-9][0-9]{0,8})-([1-9][0-9]{0,8})")


def _spread(value: object) -> object:
    """A list of numbers with its ranges written out."""
    if not isinstance(value, list):
        return value
    found: list[object] = []
    for one in value:
        match = _RANGE.fullmatch(one) if isinstance(one, str) else None
        numbers = range(int(match[1]), int(match[2]) + 1) if match else (one,)
        if not numbers or len(found) + len(numbers) > _MANY:
            raise ValueError(f"should name at most {_MANY} numbers, and each range the smaller one first, as in 2-7")
        found += numbers
    return found


Numbers = Annotated[list[Number], BeforeValidator(_spread, json_schema_input_type=list[int | str])]


class Lost(Matter):
    """What an archive knows to be missing."""

    proposals: Numbers = Field(default_factory=list, description="their numbers; `2-7` for those from 2 to 7")
    judgements: Numbers = Field(default_factory=list, description="their numbers, likewise")


class Settings(Matter):
    """`nomic.yml`, the game's settings."""

    format: Annotated[Integer, Field(ge=1, le=1)] = Field(description="the form of the files; 1")
    name: Text = Field(description="the game's name")
    tagline: Text | None = Field(None, description="one line about it")
    repository: Text | None = Field(None, description="the address of the repository on its forge")
    links: Links = Field(default_factory=Links, description="addresses on the forge")
    started: Date | None = Field(None, description="the day the game began")
    timezone: Text = Field("UTC", description="where its days begin and end, e.g. Europe/London")
    tiers: list[Ident] = Field(default=["immutable", "mutable"], min_length=1, description="most entrenched first")
    sections: dict[str, Text] = Field(default_factory=dict, description="order, and a note each")
    lost: Lost = Field(default_factory=Lost, description="what an archive knows to be missing")
    signatures: Literal["required"] | None = Field(
        None, description="commits that touch the game must be signed, from this one on: `nomicgen verify` says so"
    )
    admitted: dict[Commit, Text] = Field(
        default_factory=dict, description="commits that `nomicgen verify` finds fault with, each with what happened"
    )
