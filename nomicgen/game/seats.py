"""Who plays and who rests, and whose turn it is: players' and turns' files."""

from __future__ import annotations

from collections.abc import Sequence

from nomicgen.files import set_keys, write_yaml
from nomicgen.formats.scores import signed
from nomicgen.game.load import Game
from nomicgen.game.move import Move, Part, Refused, verified
from nomicgen.game.play import require_player
from nomicgen.law.ballot import is_active
from nomicgen.law.state import ScoreLine, Step
from nomicgen.model import Moment, Player

__all__ = ["come_back", "join", "leave", "record_turn", "rest"]


def join(game: Game, ident: str, on: Moment, *, name: str | None, accounts: dict[str, str], order: int | None) -> Move:
    """A new player, from `on`; where the others have seats, in the next one."""
    path = f"players/{ident}.yml"
    if path in game.tree:
        raise Refused(f"{path} is there already", "edit it to change a name; `nomicgen active` brings a player back")
    seats = [one.matter.order for one in game.records.players.values() if one.matter.order is not None]
    seat = max(seats) + 1 if order is None and seats else order
    matter: dict[str, object] = {"name": name or ident, "accounts": accounts or None, "joined": on, "order": seat}
    data = write_yaml({key: value for key, value in matter.items() if value is not None})
    return verified(
        game, Part(writes={path: data}, subject=f"{name or ident} joins"), said=(f"{ident} plays from {on}",), on=on
    )


def leave(game: Game, ident: str, on: Moment) -> Move:
    """A player plays no longer, from `on`; the file stays, and so does the seat."""
    player, data = _player(game, ident)
    if player.matter.left is not None:
        raise Refused(f"{ident} left on {player.matter.left}", f"edit players/{ident}.yml if that is wrong")
    part = Part(writes={f"players/{ident}.yml": set_keys(data, {"left": on})}, subject=f"{player.matter.name} leaves")
    return verified(game, part, said=(f"{ident} plays no longer, from {on}",), on=on)


def rest(game: Game, ident: str, on: Moment, until: Moment | None) -> Move:
    """A player is inactive from `on`, perhaps to before `until`."""
    player, data = _player(game, ident)
    if not is_active(player, on):
        raise Refused(f"{ident} is inactive on {on} already", f"nomicgen active {ident}")
    span: dict[str, object] = {"since": on}
    if until is not None:
        span["until"] = until
    return _stretches(game, player, data, [*_spans(player), span], f"{player.matter.name} is inactive", on)


def come_back(game: Game, ident: str, on: Moment) -> Move:
    """A player who was inactive is active again, from `on`."""
    player, data = _player(game, ident)
    if is_active(player, on):
        raise Refused(f"{ident} is active on {on}", f"nomicgen inactive {ident}")
    spans = [
        {**span, "until": on} if not on.precedes(one.since) and (one.until is None or on.precedes(one.until)) else span
        for one, span in zip(player.matter.inactive, _spans(player), strict=True)
    ]
    return _stretches(game, player, data, spans, f"{player.matter.name} is active again", on)


def _player(game: Game, ident: str) -> tuple[Player, bytes]:
    require_player(game, ident)
    data = game.tree[f"players/{ident}.yml"]
    assert isinstance(data, bytes)
    return game.records.players[ident], data


def _spans(player: Player) -> list[dict[str, object]]:
    return [one.model_dump(exclude_unset=True) for one in player.matter.inactive]


def _stretches(
    game: Game, player: Player, data: bytes, spans: list[dict[str, object]], subject: str, on: Moment
) -> Move:
    writes = {f"players/{player.ident}.yml": set_keys(data, {"inactive": spans})}
    return verified(game, Part(writes=writes, subject=subject), said=(f"{subject}, from {on}",), on=on)


def record_turn(
    game: Game,
    ident: str | None,
    on: Moment,
    *,
    player: str | None = None,
    dice: Sequence[int] = (),
    ends: bool = False,
    passed: bool = False,
) -> Move:
    """Begins a turn, or with `ends`, `passed` or dice goes on with one; without an id, the one that is to be played."""
    ident, player = _turn(game, ident, player, goes_on=bool(ends or passed or dice))
    path = f"turns/{ident}.yml"
    data = game.tree.get(path)
    changes: dict[str, object] = {}
    if not isinstance(data, bytes):
        if player is None:
            raise Refused(f"{path} is not there", f"say whose turn it is: `nomicgen turn {ident} --player ID`")
        require_player(game, player)
        data = write_yaml({"player": player, "began": on})
        subject = f"Turn {ident} of {player}"
    else:
        _require_same(game, ident, player, dice)
        subject = f"Turn {ident}"
    if ends or passed:
        changes["ended"] = on
    if passed:
        changes["passed"] = True
    if dice:
        changes["dice"] = list(dice)
    writes = {path: set_keys(data, changes) if changes else data}
    said = [f"{path} is written"]
    if path not in game.tree:
        due = _waiting(game)
        writes |= {step.instrument.path: _effective(game, step.instrument.path, on) for step in due}
        said = [f"{ident}: the turn of {player}, from {on}"]
        said.extend(f"{step.instrument.name} takes effect: nomicgen apply" for step in due)
    move = verified(game, Part(writes=writes, subject=subject), on=on)
    said.extend(f"  {line.player} {signed(line.amount)}: {line.reason}" for line in _won(move))
    return Move(before=game, after=move.after, parts=move.parts, said=tuple(said), on=on)


def _turn(game: Game, ident: str | None, player: str | None, *, goes_on: bool) -> tuple[str, str | None]:
    """The turn that is meant and whose it is: the one being played, or the one that the rules say comes next."""
    last = max(game.records.turns.values(), key=lambda one: one.order, default=None)
    if ident is None and goes_on and last is not None and last.matter.ended is None:
        return last.ident, player
    following = game.replay.next_turn
    if ident is None:
        if following is None:
            raise Refused("the rules do not say whose turn is next", "name it: `nomicgen turn R1T1 --player ID`")
        if last is not None and last.matter.ended is None and not goes_on:
            raise Refused(f"{last.ident} of {last.matter.player} goes on", "nomicgen turn --end, or --pass")
        return following.ident, player or following.player
    same = following is not None and following.ident == ident and f"turns/{ident}.yml" not in game.tree
    return ident, player or (following.player if same and following is not None else None)


def _require_same(game: Game, ident: str, player: str | None, dice: Sequence[int]) -> None:
    """Raises Refused for what would overwrite a turn as it is recorded."""
    begun = game.records.turns.get(ident)
    if begun is None:
        return
    path = f"turns/{ident}.yml"
    if player is not None and begun.matter.player != player:
        raise Refused(f"{ident} is the turn of {begun.matter.player}", f"mend {path}, or leave --player out")
    if begun.matter.ended is not None:
        raise Refused(f"{ident} ended on {begun.matter.ended}", f"edit {path} if that is wrong")
    if dice and begun.matter.dice and list(dice) != begun.matter.dice:
        thrown = ", ".join(str(face) for face in begun.matter.dice)
        raise Refused(f"{ident} has its throw already: {thrown}", f"edit {path} if that is wrong")


def _won(move: Move) -> tuple[ScoreLine, ...]:
    """What a move added to the scores."""
    return move.after.replay.awards[len(move.before.replay.awards) :]


def _waiting(game: Game) -> list[Step]:
    """The changes that take effect with the next turn, and have waited for one to begin."""
    return [step for step in game.replay.steps if step.outcome == "pending" and step.effective is None]


def _effective(game: Game, path: str, on: Moment) -> bytes:
    data = game.tree[path]
    assert isinstance(data, bytes)
    return set_keys(data, {"effective": on})
