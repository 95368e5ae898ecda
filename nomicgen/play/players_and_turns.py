"""Who plays and who rests, and whose turn it is: players' and turns' files."""

from __future__ import annotations

from collections.abc import Sequence

from nomicgen.files.yaml_writing import write_yaml
from nomicgen.law.precedence import Law
from nomicgen.law.prospects import end_due, overdue_turn
from nomicgen.law.questions import due_moment, may_overlap, may_pass, turn_after_last
from nomicgen.law.replay.player_spans import is_active, is_player
from nomicgen.law.replay.results import NextTurn, Step
from nomicgen.law.replay.turn_proposals import unopened_in
from nomicgen.law.replay.watched_records import WatchedRecords
from nomicgen.model.findings import listed
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Player, Turn
from nomicgen.model.values import Moment
from nomicgen.play.load import Game, as_of, law_on
from nomicgen.play.move import Move, Part, edit_file, verify_move
from nomicgen.play.preconditions import require_player
from nomicgen.play.refusal import Refused
from nomicgen.play.unclaimed_players import is_unclaimed


def join(
    game: Game,
    ident: PlayerId,
    on: Moment,
    *,
    name: str | None,
    accounts: dict[str, str],
    order: int | None,
    kind: str = "person",
) -> Move:
    """Return the move by which a player joins on `on`.

    `order` is the seat; without it a person gets the next one, if anybody has a seat. Raises
    Refused if the id has a file, unless that is of a player from the past of an archive.
    """
    path = f"players/{ident}.yml"
    known = game.records.players.get(ident)
    # Somebody who is only known from the past of an archive has a file already.
    revived = known is not None and known.matter.kind == "past"
    if path in game.tree and not revived:
        raise Refused(f"{path} is there already", _brings_back(game, ident))
    called = name or (known.matter.name if known is not None else ident)
    taken = [
        player.matter.order
        for player in game.records.players.values()
        if player.matter.order is not None
    ]
    seat = max(taken) + 1 if order is None and taken and kind == "person" else order
    matter = {
        "name": called,
        "accounts": accounts or None,
        "kind": kind if kind != "person" else None,
        "joined": on,
        "order": seat,
    }
    data = edit_file(game, path, matter) if revived else write_yaml(matter)
    return verify_move(
        game,
        Part(writes={path: data}, subject=f"{called} joins"),
        said=(f"{ident} plays from {on}",),
        on=on,
    )


def _brings_back(game: Game, ident: PlayerId) -> str:
    """Return what to do instead of joining with an id that has a file."""
    known = game.records.players.get(ident)
    if known is None or known.matter.left is None:
        return (
            f"{ident} plays already, so somebody else needs another id; `nomicgen player return "
            f"{ident}` ends an absence"
        )
    return (
        f"{ident} left on {known.matter.left}, and that id stays theirs: to come back, join "
        "with another"
    )


def claim(game: Game, ident: PlayerId, on: Moment, account: tuple[str, str]) -> Move:
    """Return the move that gives a player an `account`, such as `("github", "wren-plays")`.

    Raises Refused unless the player is a person who plays, without an account or a signing key.
    """
    require_player(game, ident)
    player, (forge, login) = game.records.players[ident], account
    if not is_unclaimed(player, on):
        held = ", ".join(f"{key}:{name}" for key, name in player.matter.accounts.items())
        whose = (
            f"that of {held}"
            if held
            else "that of a signing key"
            if player.matter.keys_
            else f"nobody's on {on}"
        )
        raise Refused(
            f"the seat of {ident} cannot be claimed: it is {whose}",
            "to join as a new player: nomicgen player join ID --account LOGIN",
        )
    path = f"players/{ident}.yml"
    part = Part(
        writes={path: edit_file(game, path, {"accounts": {forge: login}})},
        subject=f"{login} is {ident}",
    )
    return verify_move(game, part, said=(f"{ident} plays as {login} on {forge}, from {on}",), on=on)


def leave(game: Game, ident: PlayerId, on: Moment) -> Move:
    """Return the move by which a player leaves on `on`; the file stays, and so does the seat."""
    require_player(game, ident)
    path, matter = f"players/{ident}.yml", game.records.players[ident].matter
    if matter.left is not None:
        raise Refused(
            f"{ident} left on {matter.left}",
            f"if that is wrong: `nomicgen correct {path} left DATE --evidence TEXT`",
        )
    part = Part(writes={path: edit_file(game, path, {"left": on})}, subject=f"{matter.name} leaves")
    return verify_move(game, part, said=(f"{ident} no longer plays, from {on} on",), on=on)


def rest(game: Game, ident: PlayerId, on: Moment, until: Moment | None) -> Move:
    """Return the move that makes a player inactive from `on`, and active again on `until`, if that
    is given.
    """
    require_player(game, ident)
    player = game.records.players[ident]
    if not is_player(player, on):
        raise Refused(
            f"{ident} does not play on {on}", f"players/{ident}.yml says from when to when"
        )
    if not is_active(player, on):
        raise Refused(
            f"{ident} is inactive on {on} already", f"`nomicgen player return {ident}` ends that"
        )
    span = {"since": on, "until": until} if until is not None else {"since": on}
    spans = [*(absence.entries() for absence in player.matter.inactive), span]
    return _absence_move(
        game, _with_absences(game, player, spans), f"{player.matter.name} is inactive", on
    )


def come_back(game: Game, ident: PlayerId, on: Moment) -> Move:
    """Return the move that makes an inactive player active again from `on`."""
    require_player(game, ident)
    player = game.records.players[ident]
    if player.matter.left is not None and not on.precedes(player.matter.left):
        raise Refused(f"{ident} is no player any more", _brings_back(game, ident))
    if is_active(player, on):
        raise Refused(
            f"{ident} is active on {on}", f"`nomicgen player rest {ident}` begins an absence"
        )
    return _absence_move(
        game, with_absence_ended(game, player, on), f"{player.matter.name} is active again", on
    )


def with_absence_ended(game: Game, player: Player, on: Moment) -> dict[str, bytes]:
    """Return a player's file, by its path; the absence that includes `on` ends then.

    An absence that began at that moment is taken out.
    """
    spans: list[dict[str, object]] = []
    for absence in player.matter.inactive:
        if on.precedes(absence.since) or (
            absence.until is not None and not on.precedes(absence.until)
        ):
            spans.append(absence.entries())
        elif absence.since.precedes(on):
            spans.append({**absence.entries(), "until": on})
    return _with_absences(game, player, spans)


def _absence_move(game: Game, writes: dict[str, bytes], subject: str, on: Moment) -> Move:
    part = Part(writes=writes, subject=subject)
    return verify_move(game, part, said=(f"{subject}, from {on}",), on=on)


def _with_absences(game: Game, player: Player, spans: list[dict[str, object]]) -> dict[str, bytes]:
    path = f"players/{player.ident}.yml"
    spans.sort(key=lambda span: str(span["since"]))
    return {path: edit_file(game, path, {"inactive": spans or None})}


def record_turn(
    game: Game,
    ident: str | None,
    on: Moment,
    *,
    player: PlayerId | None = None,
    dice: Sequence[int] = (),
    ends: bool = False,
    passed: bool = False,
    until: Moment | None = None,
) -> Move:
    """Return the move that begins a turn, or that records what happened in it: its end (`ends`), a
    pass, dice, or until when it now lasts.

    Without an id it is the turn that is being played if something happened, else the next. Of what
    takes effect with the turn the move writes the day, and nothing in `rules/`.
    """
    then = as_of(game, on).replay
    following = then.next_turn
    in_turn, overdue = bool(ends or passed or dice or until), overdue_turn(game.records, then, on)
    # A turn that is over by the rules comes first: `next --do` writes its end. But if it has not
    # passed, and somebody records what happened in it, this move also writes its end (`due`),
    # unless the turn now lasts longer.
    if (
        ident is None
        and overdue is not None
        and not (in_turn and "passed" not in overdue.writes[overdue.path])
    ):
        raise Refused(overdue.missed, "nomicgen next --do")
    ident = ident or _turn_meant(game, following, on, in_turn=in_turn)
    path = f"turns/{ident}.yml"
    due = end_due(game.records, then, path, on, ends=ends) if in_turn and until is None else None
    begun = game.records.turns.get(ident)
    changes: dict[str, object] = {"ended": on} if ends or passed else {}
    changes |= {"passed": True} if passed else {}
    changes |= {"dice": list(dice)} if dice else {}
    changes |= {"until": until} if until is not None else {}
    changes |= due.writes[path] if due is not None else {}
    waiting: list[Step] = []
    if begun is not None:
        _require_recordable(begun, player, changes)
        whose, written = begun.matter.player, edit_file(game, path, changes)
    elif path in game.tree:
        raise Refused(f"{path} could not be read", "`nomicgen check` says why")
    else:
        whose = _player_of_new(game, ident, player, following)
        written, waiting = (
            write_yaml({"player": whose, "began": on, **changes}),
            _steps_waiting(game),
        )
    days = {step.instrument.path: _effect_moment(game, step, on) for step in waiting}
    late = {path: edit_file(game, path, {"effective": moment}) for path, moment in days.items()}
    others = (
        {other: edit_file(game, other, keys) for other, keys in due.writes.items() if other != path}
        if due
        else {}
    )
    writes = {path: written, **late, **others}
    subject = f"Turn {ident} of {whose}{f' {_happened(changes)}' if begun is not None else ''}"
    lines = [f"{ident}: the turn of {whose}, from {on}"] if begun is None else []
    if begun is None and following is not None and following.skipped:
        lines.append(f"skipped, because inactive: {listed(following.skipped)}")
    for step in waiting:
        moment = days[step.instrument.path]
        later = f" on {moment}" if on.precedes(moment) else ""
        typed = f"{later}: nomicgen apply" if later else ""
        lines.append(f"{step.instrument.name} takes effect{typed}")
    if begun is not None or changes:
        happened = f"{ident} of {whose} {_happened(changes)}"
        lines.append(due.done if due is not None else happened)
    if begun is not None and due is None and "ended" in changes:
        unopened = unopened_in(begun, WatchedRecords(game.records))
        lines += [
            f"  {number} was put forward in it, and its vote has not opened" for number in unopened
        ]
    return verify_move(game, Part(writes=writes, subject=subject), said=tuple(lines), on=on)


def _happened(changes: dict[str, object]) -> str:
    """Return in words what the keys that are written say of a turn: `ended on 2026-01-09`."""
    if "ended" not in changes:
        return f"lasts until {changes['until']}" if "until" in changes else "has its throw"
    return f"{'was passed' if 'passed' in changes else 'ended'} on {changes['ended']}"


def _turn_meant(game: Game, following: NextTurn | None, on: Moment, *, in_turn: bool) -> str:
    """Return the id of the turn that is meant if none is named: the one being played if something
    happened `in_turn`, else the next by the rules.

    Raises Refused if there is no such turn or more than one, or if another one still has to end.
    """
    running = game.replay.unended_turns
    new = following if following is not None and following.ident not in game.records.turns else None
    after = turn_after_last(game.records, game.replay)
    name = new.ident if new is not None else f"{after} --player ID"
    if in_turn:
        if not running:
            raise Refused("no turn is being played", f"`nomicgen turn {name}` begins one")
        if len(running) > 1:
            raise Refused(
                f"{_turn_names(running)} go on",
                f"name the one that you mean: `nomicgen turn {running[0].ident} ...`",
            )
        return running[0].ident
    if running:
        law = law_on(game, on)
        remedy = "`nomicgen turn --end` ends it"
        remedy += ", --pass passes it" if may_pass(law) else ""
        remedy += f"; `nomicgen turn {name}` begins another meanwhile" if may_overlap(law) else ""
        raise Refused(f"{_turn_names(running)} {'goes' if len(running) == 1 else 'go'} on", remedy)
    if following is None:
        raise Refused("the rules do not say whose turn is next", f"name it: `nomicgen turn {name}`")
    if following.ident in game.records.turns:
        raise Refused(
            f"{following.ident} began after {on}", "leave --on out, or name the turn that you mean"
        )
    return following.ident


def _turn_names(turns: Sequence[Turn]) -> str:
    return listed([f"{turn.ident} of {turn.matter.player}" for turn in turns])


def _player_of_new(
    game: Game, ident: str, player: PlayerId | None, following: NextTurn | None
) -> PlayerId:
    """Return whose turn begins: the next player by the rules, or where they are silent, `player`.

    Raises Refused if the rules name another turn or player, or if nobody names one.
    """
    if player is not None:
        require_player(game, player)
    if following is None:
        if player is None:
            raise Refused(
                f"the rules do not say whose turn {ident} is", f"nomicgen turn {ident} --player ID"
            )
        return player
    if ident != following.ident or player not in (None, following.player):
        meant = f"{ident} of {player}" if player is not None else ident
        raise Refused(
            f"the next turn is {following.ident} of {following.player}, not {meant}",
            f"`nomicgen turn {following.ident}` begins it",
        )
    return following.player


def _require_recordable(begun: Turn, player: PlayerId | None, changes: dict[str, object]) -> None:
    """Raise Refused if a turn is another player's, if its record would be overwritten, or if there
    is nothing to record.
    """
    ident, matter = begun.ident, begun.matter
    path = f"turns/{ident}.yml"
    if player is not None and matter.player != player:
        raise Refused(
            f"{ident} is the turn of {matter.player}", f"correct {path}, or leave --player out"
        )
    if matter.ended is not None:
        raise Refused(
            f"{ident} ended on {matter.ended}",
            f"if that is wrong: `nomicgen correct {path} ended DATE --evidence TEXT`",
        )
    if not changes:
        raise Refused(
            f"{ident} of {matter.player} goes on",
            "say what happened: --dice, --end, --pass or --until",
        )
    if matter.dice and changes.get("dice", matter.dice) != matter.dice:
        thrown = ", ".join(str(face) for face in matter.dice)
        remedy = (
            f"if it is wrong, `nomicgen correct {path} dice FACE --evidence TEXT`, once the turn "
            "has ended, or at once where the rules refuse the throw"
        )
        raise Refused(f"{ident} has its throw already: {thrown}", remedy)


def _effect_moment(game: Game, step: Step, began: Moment) -> Moment:
    """Return when a change that waited for a turn takes effect: as it begins, or on a later day."""
    decided = step.decided or began
    law = Law.of(step.before, game.settings, decided)
    return due_moment(step.instrument, law, decided, began) or began


def _steps_waiting(game: Game) -> list[Step]:
    """Return the changes that take effect with the next turn, and have waited for one to begin."""
    return [step for step in game.replay.pending if step.effective is None]
