"""The use cases: load, check, register, vote, resolve, apply, judge, publish; each reads like the data's way.

A use case gives a `Move`: what to write, and what to say of it. The shell shows it, or carries it out with `perform`.
"""

from nomicgen.game.apply import apply_rules, resolve, withdraw
from nomicgen.game.load import Game, archive_of, check_game, load, load_tree, overlay
from nomicgen.game.move import Move, Refused, perform
from nomicgen.game.play import Draft, cast_vote, judge, propose, register
from nomicgen.game.seats import join, record_turn
from nomicgen.game.start import begin, bring_in

__all__ = [
    "Draft",
    "Game",
    "Move",
    "Refused",
    "apply_rules",
    "archive_of",
    "begin",
    "bring_in",
    "cast_vote",
    "check_game",
    "join",
    "judge",
    "load",
    "load_tree",
    "overlay",
    "perform",
    "propose",
    "record_turn",
    "register",
    "resolve",
    "withdraw",
]
