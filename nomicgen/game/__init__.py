"""The use cases: load, check, register, vote, resolve, apply, judge, publish; each reads like the data's way.

A use case gives a `Move`: what to write, and what to say of it. The shell shows it, or carries it out with `perform`.
"""

from typing import TYPE_CHECKING

from nomicgen.game.load import Game, check_game, load, load_tree, overlay
from nomicgen.game.refusal import Refused
from nomicgen.lazy_imports import later

if TYPE_CHECKING:
    from nomicgen.game.archived import rules_of_voting
    from nomicgen.game.correcting import correct
    from nomicgen.game.entering import record
    from nomicgen.game.game_history import archive_of
    from nomicgen.game.judging import judge, overrule
    from nomicgen.game.move import Move, perform
    from nomicgen.game.open_archive import Opening, open_game
    from nomicgen.game.players_and_turns import claim, come_back, join, leave, record_turn, rest
    from nomicgen.game.possible_moves import do_next, whats_next
    from nomicgen.game.previewing import preview_file, preview_of
    from nomicgen.game.proposing import Draft, propose, register
    from nomicgen.game.pull_examine import Pull, examine
    from nomicgen.game.pulls_drafts import put_again, register_from
    from nomicgen.game.rebasing import Merged, Rebased, rebase
    from nomicgen.game.resolving import apply_rules, resolve, withdraw
    from nomicgen.game.start import (
        Brought,
        Founding,
        Known,
        Origin,
        begin,
        begin_played,
        bring_in,
        bring_in_files,
        bring_in_text,
    )
    from nomicgen.game.vote_status import vote_line
    from nomicgen.game.voting import cast_vote, open_vote, resubmit

__all__ = [
    "Brought",
    "Draft",
    "Founding",
    "Game",
    "Known",
    "Merged",
    "Move",
    "Opening",
    "Origin",
    "Pull",
    "Rebased",
    "Refused",
    "apply_rules",
    "archive_of",
    "begin",
    "begin_played",
    "bring_in",
    "bring_in_files",
    "bring_in_text",
    "cast_vote",
    "check_game",
    "claim",
    "come_back",
    "correct",
    "do_next",
    "examine",
    "join",
    "judge",
    "leave",
    "load",
    "load_tree",
    "open_game",
    "open_vote",
    "overlay",
    "overrule",
    "perform",
    "preview_file",
    "preview_of",
    "propose",
    "put_again",
    "rebase",
    "record",
    "record_turn",
    "register",
    "register_from",
    "resolve",
    "rest",
    "resubmit",
    "rules_of_voting",
    "vote_line",
    "whats_next",
    "withdraw",
]

__getattr__ = later(
    __name__,
    {
        "archived": ("rules_of_voting",),
        "resolving": ("apply_rules", "resolve", "withdraw"),
        "correcting": ("correct",),
        "game_history": ("archive_of",),
        "move": ("Move", "perform"),
        "open_archive": ("Opening", "open_game"),
        "proposing": ("Draft", "propose", "register"),
        "previewing": ("preview_file", "preview_of"),
        "pull_examine": ("Pull", "examine"),
        "pulls_drafts": ("put_again", "register_from"),
        "rebasing": ("Merged", "Rebased", "rebase"),
        "entering": ("record",),
        "judging": ("judge", "overrule"),
        "players_and_turns": ("claim", "come_back", "join", "leave", "record_turn", "rest"),
        "start": (
            "Brought",
            "Founding",
            "Known",
            "Origin",
            "begin",
            "begin_played",
            "bring_in",
            "bring_in_files",
            "bring_in_text",
        ),
        "possible_moves": ("do_next", "whats_next"),
        "vote_status": ("vote_line",),
        "voting": ("cast_vote", "open_vote", "resubmit"),
    },
)
