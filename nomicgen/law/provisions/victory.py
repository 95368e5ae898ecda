"""The program looks for a winner after every award and every change of the law. Only persons
who play at that moment can win. `nomicgen status` names the winner; the game goes on.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated

from nomicgen.law.kind import Kind, Provision, unsaid
from nomicgen.law.precedence import Law
from nomicgen.law.replay.player_spans import is_player
from nomicgen.law.replay.results import Winner
from nomicgen.law.sentences import by_field
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Players
from nomicgen.model.types import Bounds
from nomicgen.model.values import Moment, Ratio

EXAMPLES = """\
- case: A vote against a defeated proposal gives ten points. Ten points win.
  provisions:
    victory: {points: 10}
    points: {"on": defeated, to: against, amount: 10}
  votes: {osprey: for, quill: against, tallow: against}
  gives:
    - "defeated: 1 for; more than half of eligible voters (4): more than 2 needed"
    - "quill and tallow win with 10 points"
"""


class Victory(Provision):
    """What wins the game."""

    points: Annotated[Ratio, Bounds(above=0)] | None = unsaid(
        "the first player with this many points wins"
    )


def find_winner(
    scores: Mapping[PlayerId, Fraction], players: Players, law: Law, moment: Moment | None
) -> Winner | None:
    """Return who has won by the law of a moment; None if nobody has."""
    needed = law.says(Victory.points)
    if needed is None or needed.value is None:
        return None
    able = {
        ident: score
        for ident, score in scores.items()
        if score >= needed.value
        and ident in players
        and players[ident].matter.kind == "person"
        and is_player(players[ident], moment)
    }
    if not able:
        return None
    best = max(able.values())
    won = tuple(sorted(ident for ident, score in able.items() if score == best))
    return Winner(players=won, points=needed.value, rule=needed.rule, moment=moment)


KIND = Kind(
    schema=Victory,
    sentence=by_field(
        {"points": "the first player with {} wins"}, "no rule says how many points win"
    ),
    combines="fields",
)
