"""What a move brings about besides what it writes: points, a winner, rules that are due to change
by themselves.
"""

from __future__ import annotations

from collections import Counter

from nomicgen.play.load import Game
from nomicgen.play.scores_text import signed, won


def new_consequences(before: Game, after: Game) -> list[str]:
    """Return a line for each of these that is new after a move; none if the move begins the game.

    One line is `  wren +10: first proposal (Rule 202)`.
    """
    if not before.tree:
        return []
    had = Counter(before.replay.awards)  # equal awards can occur more than once
    lines = []
    for award in after.replay.awards:
        if had[award] > 0:
            had[award] -= 1
        else:
            by = f" (Rule {award.rule})" if award.rule is not None else ""
            lines.append(f"  {award.player} {signed(award.amount)}: {award.reason}{by}")
    winner = after.replay.winner
    if winner is not None and winner != before.replay.winner:
        lines.append(f"  {won(winner)}")
    due = {change.rule.identity for change in before.replay.due}
    lines.extend(
        f"  Rule {change.rule.ref} changes by itself now: nomicgen next --do"
        for change in after.replay.due
        if change.rule.identity not in due
    )
    return lines
