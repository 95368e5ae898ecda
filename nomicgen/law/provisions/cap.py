"""A change that would bring a tier above the cap, or the cap below the tier, has no effect
(`cap-exceeded`).
"""

from __future__ import annotations

from nomicgen.law.kind import Table
from nomicgen.law.sizes import SizeLimit
from nomicgen.model.file_model import described
from nomicgen.model.values import Count

EXAMPLES = """\
- case: There are three mutable rules, and no room for a fourth.
  provisions:
    cap: {mutable: 3}
  does: |
    ## Enact Rule

    Pawns may move backwards.
  gives:
    - "cap-exceeded: this would leave 4 mutable rules; Rule 201 allows 3"
"""


class Cap(Table[int]):
    """The most rules that a tier may have."""

    tiers: dict[str, Count] = described("how many rules at most", default={})


CAP = SizeLimit(
    schema=Cap, sign=1, words="at most", verb="allow", ease="allow more", slug="cap-exceeded"
)
KIND = CAP.kind()
