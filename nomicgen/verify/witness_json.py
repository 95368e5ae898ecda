"""Who signed what they saw of a history, for programs."""

from __future__ import annotations

from nomicgen.formats.documents import Shape
from nomicgen.verify.witness_notes import LatestNote, WitnessSummary

SIGHTING = Shape(
    "SightingView",
    "What a player signed of the history.",
    LatestNote,
    player="who",
    commit="the last commit that was seen",
    date="the day of the signature, as the signer's clock had it",
    behind="how many commits came after it; 0 where it is not here yet",
)
WITNESSED = Shape(
    "WitnessedView",
    "Who signed what they saw of the history: a player of the present counts once, by the latest note that holds.",
    WitnessSummary,
    players="how many persons play",
    seen=SIGHTING("those who saw a commit of the history, the latest first"),
    ahead=SIGHTING("those who saw later commits, which are not here yet"),
)


def asked_witnesses(summary: WitnessSummary | None) -> WitnessSummary | None:
    """What is told of witnesses; None where there is nothing to tell."""
    return summary if summary is not None and summary.asked else None
