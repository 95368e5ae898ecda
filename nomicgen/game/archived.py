"""What cannot be done in an archive, and the rules by which one could be opened."""

from __future__ import annotations

import re

from nomicgen.play.load import Game
from nomicgen.game.refusal import Refused
from nomicgen.law.replay.state import Rule
from nomicgen.patterns import lazy_pattern

_VOTING = lazy_pattern(r"\b(adopt|vot|majorit|unanim|two[- ]thirds)", re.IGNORECASE)


def require_open(game: Game) -> None:
    """Raises Refused in an archive: nobody can vote where no rule says how a vote is counted."""
    if game.replay.is_lawless:
        rules = rules_of_voting(game)
        number = rules[0].number if rules else "N"
        raise Refused(
            f"{game.settings.name} is an archive: no rule has provisions, so none says how a proposal is adopted",
            f"`nomicgen open --adoption majority --adoption-rule {number}` opens it, if more than half of the players "
            "are enough; `nomicgen record` enters what happened before",
        )


def rules_of_voting(game: Game) -> tuple[Rule, ...]:
    """The rules in force whose texts speak of votes and adoption, those first that say most of it."""
    counts = ((len(set(map(str.casefold, _VOTING.findall(rule.text or "")))), rule) for rule in game.replay.current)
    speaking = [(count, rule) for count, rule in counts if count and not rule.void]
    return tuple(
        rule for _, rule in sorted(speaking, key=lambda count_and_rule: (-count_and_rule[0], count_and_rule[1].number))
    )
