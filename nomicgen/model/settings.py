"""`nomic.yml`: the settings of a game."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from nomicgen.model.common_keys import Matter
from nomicgen.model.file_model import described
from nomicgen.model.types import Bounds, NotEmpty, Prepare
from nomicgen.model.values import CommitField, Date, Ident, Integer, Number, Ref, Text


class Links(Matter):
    """Templates of addresses on the forge: the site replaces the words in braces."""

    commit: Text | None = described("the address of a commit, with `{sha}`", default=None)
    file: Text | None = described(
        "the address of a file as a commit has it, with `{path}` and `{sha}`; for a rule, also "
        "with `{number}` and `{revision}`",
        default=None,
    )


_MANY = 100_000
"""The most numbers that a list may name."""
_RANGE = r"([1-9][0-9]{0,8})-([1-9][0-9]{0,8})"


def _spread(value: object) -> object:
    """Return a list of numbers with its ranges written out."""
    if not isinstance(value, list):
        return value
    spread: list[object] = []
    for item in value:
        match = re.fullmatch(_RANGE, item) if isinstance(item, str) else None
        numbers = range(int(match[1]), int(match[2]) + 1) if match else (item,)
        if not numbers or len(spread) + len(numbers) > _MANY:
            raise ValueError(
                f"should name at most {_MANY} numbers, and each range the smaller one first, as "
                "in 2-7"
            )
        spread += numbers
    return spread


_NUMBERS = {"items": {"anyOf": [{"type": "integer"}, {"type": "string"}]}, "type": "array"}
Numbers = Annotated[list[Number], Prepare(_spread, lambda _: _NUMBERS)]


class Lost(Matter):
    """Texts that an archive lacks."""

    proposals: Numbers = described("their numbers; `2-7` for those from 2 to 7", default=[])
    judgements: Numbers = described("their numbers, likewise", default=[])
    rules: Date | None = described(
        "rules that were repealed before this day are missing; so the site counts rules only from "
        "then on",
        default=None,
    )


class Settings(Matter, by="keeper"):
    """`nomic.yml`, the game's settings."""

    format: Annotated[Integer, Bounds(least=1, most=1)] = described(
        "the form of the files; 1", until="once"
    )
    name: Text = described("the game's name")
    tagline: Text | None = described("one line about it", default=None)
    repository: Text | None = described("the address of the repository on its forge", default=None)
    links: Links = described("addresses on the forge", default=Links())
    started: Date | None = described("the day the game began", default=None, until="once")
    timezone: Text = described(
        "where its days begin and end, e.g. Europe/London", default="UTC", until="once"
    )
    tiers: Annotated[list[Ident], NotEmpty()] = described(
        "most entrenched first", default=["immutable", "mutable"], until="once"
    )
    groups: dict[str, list[Ident]] = described(
        "names for several tiers that the site counts together, such as `power 3: [power-3-2, "
        "power-3]`",
        default={},
    )
    sections: dict[str, Text] = described("the sections in order, each with a note", default={})
    lost: Lost = described("texts that an archive lacks", default=Lost(), until="once")
    signatures: Literal["required"] | None = described(
        "commits that touch the game must be signed, beginning with the one that adds this key",
        default=None,
    )
    confirmed: list[Ref] = described(
        "revisions such as 314/2 whose provisions mean what their new text says; `nomicgen rule "
        "confirm` adds one",
        default=[],
    )
    admitted: dict[CommitField, Text] = described(
        "commits with errors that `nomicgen verify` accepts, each with an explanation",
        default={},
    )

    @property
    def zone_words(self) -> str:
        """The zone, to print after a day by which something must be done: ` (Europe/London)`; ''
        for UTC.
        """
        return f" ({self.timezone})" if self.timezone != "UTC" else ""
