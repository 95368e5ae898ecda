"""Who signed what they saw of a history, for programs."""

from __future__ import annotations

from pydantic import Field

from nomicgen.archive.witness_notes import Witnessed
from nomicgen.formats.json_parts import View


class SightingView(View):
    """What a player signed of the history."""

    player: str = Field(description="who")
    commit: str = Field(description="the last commit that was seen")
    date: str = Field(description="the day of the signature, as the signer's clock had it")
    behind: int = Field(description="how many commits came after it; 0 where it is not here yet")


class WitnessedView(View):
    """Who signed what they saw of the history: a player of the present counts once, by the latest note that holds."""

    players: int = Field(description="how many persons play")
    seen: tuple[SightingView, ...] = Field(description="those who saw a commit of the history, the latest first")
    ahead: tuple[SightingView, ...] = Field(description="those who saw later commits, which are not here yet")


def witnessed_view(found: Witnessed | None) -> WitnessedView | None:
    """What is told of witnesses; None where there is nothing to tell."""
    if found is None or not found.asked:
        return None
    seen, ahead = (
        tuple(SightingView(player=one.player, commit=one.commit, date=one.date, behind=one.behind) for one in each)
        for each in (found.seen, found.ahead)
    )
    return WitnessedView(players=found.players, seen=seen, ahead=ahead)
