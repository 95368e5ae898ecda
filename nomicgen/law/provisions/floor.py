"""A change that would bring a tier below it changes nothing (`floor-broken`)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from nomicgen.law.kind import Table
from nomicgen.law.sizes import FLOOR
from nomicgen.model import Count

__all__ = ["EXAMPLES", "KIND"]

EXAMPLES = """\
- case: Three mutable rules must remain.
  provisions:
    floor: {mutable: 3}
  does: "## Repeal Rule 203/0"
  gives:
    - "floor-broken: this would leave 2 mutable rules; Rule 201 demands 3"
"""


class Floor(Table):
    """The fewest rules that a tier must have."""

    __pydantic_extra__: dict[str, Annotated[Count, Field(description="how many rules at least")]]


KIND = FLOOR.of(Floor)
