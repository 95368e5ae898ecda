"""When a game came to be played: until a rule carries provisions, it is an archive, and nothing is judged."""

from __future__ import annotations

from nomicgen.law.replay_state import Replay
from nomicgen.model import Moment

OPENING = "opening"
"""The cause of an act that gives the rules of an archive their provisions."""


def opened(replay: Replay) -> Moment | None:
    """The moment from which a game is judged; None for an archive, and for a game whose initial set is law already."""
    if replay.initial.speaking:
        return None
    return next((step.effective for step in replay.steps if step.after.speaking), None)


def is_archived(replay: Replay, moment: Moment) -> bool:
    """Whether what happened at a moment did so before the game was played, so that its keeper may enter it."""
    if replay.initial.speaking:
        return False
    since = opened(replay)
    return moment.precedes(since) if since is not None else not any(step.after.speaking for step in replay.steps)
