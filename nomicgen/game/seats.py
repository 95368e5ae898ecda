"""Who plays, and whose turn it is: players' and turns' files."""

from __future__ import annotations

from collections.abc import Sequence

from nomicgen.files import set_keys, write_yaml
from nomicgen.game.load import Game
from nomicgen.game.move import Move, Part, Refused, verified
from nomicgen.game.play import require_player
from nomicgen.law.state import Step
from nomicgen.model import Moment

__all__ = ["join", "record_turn"]


def join(game: Game, ident: str, on: Moment, *, name: str | None, accounts: dict[str, str], order: int | None) -> Move:
    """A new player, from `on`."""
    path = f"players/{ident}.yml"
    if path in game.tree:
        raise Refused(f"{path} is there already", "edit it to change a name or to end a time of play")
    matter: dict[str, object] = {"name": name or ident, "accounts": accounts or None, "joined": on, "order": order}
    data = write_yaml({key: value for key, value in matter.items() if value is not None})
    return verified(
        game, Part(writes={path: data}, subject=f"{name or ident} joins"), said=(f"{ident} plays from {on}",), on=on
    )


def record_turn(
    game: Game, ident: str, on: Moment, *, player: str | None, dice: Sequence[int], ends: bool, passed: bool
) -> Move:
    """Begins a turn, or with `ends`, `passed` or dice goes on with one that has begun."""
    path = f"turns/{ident}.yml"
    data = game.tree.get(path)
    if not isinstance(data, bytes):
        if player is None:
            raise Refused(f"{path} is not there", f"say whose turn it is: `nomicgen turn {ident} --player ID`")
        require_player(game, player)
        matter: dict[str, object] = {"player": player, "began": on}
        data = write_yaml(matter)
        subject = f"Turn {ident} of {player}"
    else:
        begun = game.records.turns.get(ident)
        if player is not None and begun is not None and begun.matter.player != player:
            raise Refused(f"{ident} is the turn of {begun.matter.player}", f"mend {path}, or leave --player out")
        if begun is not None and begun.matter.ended is not None:
            raise Refused(f"{ident} ended on {begun.matter.ended}", f"edit {path} if that is wrong")
        subject = f"Turn {ident}"
    changes: dict[str, object] = {}
    if ends or passed:
        changes["ended"] = on
    if passed:
        changes["passed"] = True
    if dice:
        changes["dice"] = list(dice)
    writes = {path: set_keys(data, changes) if changes else data}
    said = [f"{path} is written"]
    if player is not None and path not in game.tree:
        due = _waiting(game)
        writes |= {step.instrument.path: _effective(game, step.instrument.path, on) for step in due}
        said.extend(f"{step.instrument.name} takes effect: nomicgen apply" for step in due)
    return verified(game, Part(writes=writes, subject=subject), said=tuple(said), on=on)


def _waiting(game: Game) -> list[Step]:
    """The changes that take effect with the next turn, and have waited for one to begin."""
    return [step for step in game.replay.steps if step.outcome == "pending" and step.effective is None]


def _effective(game: Game, path: str, on: Moment) -> bytes:
    data = game.tree[path]
    assert isinstance(data, bytes)
    return set_keys(data, {"effective": on})
