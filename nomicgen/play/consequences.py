"""What a move brings about besides what it writes: points, a winner, rules that are due to change
by themselves.
"""

from __future__ import annotations

from collections import Counter

from nomicgen.model.values import Moment
from nomicgen.play.load import Game, as_of
from nomicgen.play.scores_text import signed, won


def new_consequences(before: Game, after: Game, on: Moment | None = None) -> list[str]:
    """Return a line for each of these that is new after a move; none if the move begins the game.

    A rule counts as due only if it is due by the day `on` of the move. One line is
    `  wren +10: first proposal (Rule 202)`.
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
    if winner is None and before.replay.winner is not None:
        lines.append(f"  nobody has won now; before, {won(before.replay.winner)}")
    had_due = {change.rule.identity for change in before.replay.due}
    due = [change.rule for change in after.replay.due if change.rule.identity not in had_due]
    if due and on is not None:
        by_then = {change.rule.identity for change in as_of(after, on).replay.due}
        due = [rule for rule in due if rule.identity in by_then]
    lines += [f"  Rule {rule.ref} changes by itself now: nomicgen next --do" for rule in due]
    return lines
