"""Changes by which a keeper enters what happened before a game was played here, and what may go
along with them.
"""

from __future__ import annotations

from collections.abc import Collection

from nomicgen.law.replay.results import Replay
from nomicgen.model.records import Instrument, Records


def is_entered(instrument: Instrument, played: Replay) -> bool:
    """Return whether an instrument was decided before the game was played here, as the replay
    `played` has it.
    """
    if instrument.matter.is_undecided:
        return False
    decided = instrument.decided
    if decided is None:  # nobody could tell whether it was before the opening
        return played.judged_from is None and not played.initial.with_provisions
    return played.is_archived(decided)


def entered_instruments(before: Records, after: Records, played: Replay) -> tuple[Instrument, ...]:
    """Return the new instruments of a change that were decided before the game was played here."""
    new = (
        instrument
        for path, instrument in after.instruments.items()
        if path not in before.instruments
    )
    return tuple(instrument for instrument in new if is_entered(instrument, played))


def only_enters(paths: Collection[str], before: Records, after: Records, played: Replay) -> bool:
    """Return whether a change of the files at `paths` only enters instruments that were decided
    before the game was played here, and what goes along with them: past players, lost numbers, and
    the files of rules/ that follow.
    """
    entered = entered_instruments(before, after, played)
    known = {instrument.path for instrument in entered}
    return bool(entered) and all(
        path in known or _goes_along(path, before, after, played) for path in paths
    )


def _goes_along(path: str, before: Records, after: Records, played: Replay) -> bool:
    if path == "nomic.yml":
        return before.settings.replace(lost=after.settings.lost) == after.settings and fits_lost(
            before, after, played
        )
    if path.startswith("players/"):
        player = after.player_at(path)
        return (
            player is not None
            and player.ident not in before.players
            and player.matter.kind == "past"
        )
    return path.startswith("rules/") and not path.startswith("rules/initial/")


def fits_lost(before: Records, after: Records, played: Replay) -> bool:
    """Return whether the key `lost` of nomic.yml changes only as it may. A number may leave it if
    its instrument is entered. If some are, other numbers up to the highest known one may come into
    it.
    """
    entered = entered_instruments(before, after, played)
    for kind in ("proposal", "judgement"):
        was, now = ({*getattr(records.settings.lost, f"{kind}s")} for records in (before, after))
        turned_up = {
            instrument.number
            for instrument in entered
            if instrument.kind == kind and instrument.number is not None
        }
        given = (step.instrument for step in played.steps)
        known = {
            *turned_up,
            *was,
            *(instrument.number or 0 for instrument in given if instrument.kind == kind),
        }
        if not was - now <= turned_up or (
            now - was and (not turned_up or max(now - was) > max(known))
        ):
            return False
    return True
