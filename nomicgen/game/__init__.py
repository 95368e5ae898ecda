"""The use cases: load, check, register, vote, resolve, apply, judge, publish; each reads like the data's way.

A use case gives a `Move`: what to write, and what to say of it. The shell shows it, or carries it out with `perform`.
"""

from typing import TYPE_CHECKING

from nomicgen.game.load import Game, check_game, load, load_tree, overlay
from nomicgen.game.refusal import Refused
from nomicgen.later import later

if TYPE_CHECKING:
    from nomicgen.game.apply import apply_rules, resolve, withdraw
    from nomicgen.game.archived import rules_of_voting
    from nomicgen.game.correcting import correct
    from nomicgen.game.history import archive_of
    from nomicgen.game.move import Move, perform
    from nomicgen.game.opening import Opening, open_game
    from nomicgen.game.play import Draft, propose, register
    from nomicgen.game.preview import preview_file, preview_of
    from nomicgen.game.pull import Pull, examine
    from nomicgen.game.pulls_drafts import put_again, register_from
    from nomicgen.game.rebasing import Merged, Rebased, rebase
    from nomicgen.game.recording import record
    from nomicgen.game.rulings import judge, overrule
    from nomicgen.game.seats import claim, come_back, join, leave, record_turn, rest
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
    from nomicgen.game.todo import do_next, whats_next
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
        "apply": ("apply_rules", "resolve", "withdraw"),
        "correcting": ("correct",),
        "history": ("archive_of",),
        "move": ("Move", "perform"),
        "opening": ("Opening", "open_game"),
        "play": ("Draft", "propose", "register"),
        "preview": ("preview_file", "preview_of"),
        "pull": ("Pull", "examine"),
        "pulls_drafts": ("put_again", "register_from"),
        "rebasing": ("Merged", "Rebased", "rebase"),
        "recording": ("record",),
        "rulings": ("judge", "overrule"),
        "seats": ("claim", "come_back", "join", "leave", "record_turn", "rest"),
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
        "todo": ("do_next", "whats_next"),
        "vote_status": ("vote_line",),
        "voting": ("cast_vote", "open_vote", "resubmit"),
    },
)
