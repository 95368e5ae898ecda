"""A change that would bring a tier below the floor, or the floor above the tier, has no effect
(`floor-broken`).
"""

from __future__ import annotations

from nomicgen.law.kind import Table
from nomicgen.law.sizes import SizeLimit
from nomicgen.model.file_model import described
from nomicgen.model.values import Count

EXAMPLES = """\
- case: Three mutable rules must remain.
  provisions:
    floor: {mutable: 3}
  does: "## Repeal Rule 203/0"
  gives:
    - "floor-broken: this would leave 2 mutable rules; Rule 201 demands 3"
"""


class Floor(Table[int]):
    """The fewest rules that a tier must have."""

    tiers: dict[str, Count] = described("how many rules at least", default={})


FLOOR = SizeLimit(
    schema=Floor,
    sign=-1,
    words="no fewer than",
    verb="demand",
    ease="demand fewer",
    slug="floor-broken",
)
KIND = FLOOR.kind()
