"""What players do besides proposing and voting: deeds (`nomicgen do second 305`), taking a role."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from nomicgen.files.validation import nearest
from nomicgen.files.yaml_writing import write_front_matter
from nomicgen.law.gate import deeds_in_force
from nomicgen.law.judging_kind import DeedKind
from nomicgen.law.prospects import against_deed
from nomicgen.law.questions import exclusive_roles, roles_named
from nomicgen.law.replay.events import next_seq
from nomicgen.law.replay.player_spans import holds_role, is_player
from nomicgen.law.sentences import joined, with_article
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Judgement, Proposal, Turn
from nomicgen.model.values import Moment
from nomicgen.play.load import Game, as_of, law_on
from nomicgen.play.move import Move, Part, edit_file, idle, verify_move
from nomicgen.play.preconditions import require_open, require_player
from nomicgen.play.proposing import proposal_of, turn_on
from nomicgen.play.refusal import Refused
from nomicgen.play.resolving import require_nothing_since


def do_deed(game: Game, name: str, about: str | None, player: PlayerId, on: Moment) -> Move:
    """Return the move that records a deed of a player in the file that it is about.

    `about` is the number of a proposal or a judgement, or the name of a turn; None stands for the
    turn that is being played. A deed at a time of day is recorded once: if its file has it already,
    nothing is written. Raises Refused if no rule lets the player do it, or it is too late.
    """
    require_open(game)
    require_player(game, player)
    kind = _deed_kind(game, name, on)
    record = _record(game, kind, about, on)
    done = [deed.entries() for deed in record.matter.deeds]
    entry = {"do": name, "by": player, "at": on}
    if on.timed and entry in (*done, *_on_earlier_texts(record)):
        return idle(game, on)
    _require_unsettled(record)
    path = f"turns/{record.ident}.yml" if isinstance(record, Turn) else record.path
    for finding in against_deed(name, record, player, game.records, as_of(game, on).replay, on):
        raise Refused(finding.message, "`nomicgen next` lists what can be done, and by whom")
    words = f"{player} {kind.done} {record.ident if isinstance(record, Turn) else record.name}"
    part = Part(writes={path: edit_file(game, path, {"deeds": [*done, entry]})}, subject=words)
    return verify_move(game, part, said=(words,), on=on)


def _on_earlier_texts(record: Proposal | Judgement | Turn) -> Iterator[dict[str, object]]:
    for vote in record.matter.earlier or () if isinstance(record, Proposal) else ():
        yield from (deed.entries() for deed in vote.deeds)


def _require_unsettled(record: Proposal | Judgement | Turn) -> None:
    """Raise Refused for a proposal that is decided, and a turn that is over."""
    if isinstance(record, Proposal) and not record.matter.is_undecided:
        raise Refused(
            f"{record.name} is {record.matter.status}", "`nomicgen next` lists what can be done"
        )
    if isinstance(record, Turn) and record.matter.ended is not None:
        raise Refused(
            f"{record.ident} ended on {record.matter.ended}",
            "`nomicgen next` lists what can be done",
        )


def _deed_kind(game: Game, name: str, on: Moment) -> DeedKind:
    """Return the kind of deed of that name. Raises Refused if no rule in force has it."""
    known = {deed.name: deed for deed in deeds_in_force(law_on(game, on))}
    if name in known:
        return known[name]
    meant = nearest(name, [*known])
    perhaps = f"perhaps {meant} is meant; " if meant is not None else ""
    listed = (
        ", ".join(f"`{deed.name}` ({deed.what})" for deed in known.values())
        or "nothing of that kind"
    )
    raise Refused(
        f"no rule in force lets players {name}", f"{perhaps}the rules let players do {listed}"
    )


def _record(
    game: Game, kind: DeedKind, about: str | None, on: Moment
) -> Proposal | Judgement | Turn:
    """Return the record that a deed is about. Raises Refused if there is none of the right kind."""
    if kind.about == "turn":
        turn = game.records.turns.get(about or turn_on(game, on) or "")
        if turn is None:
            why = "not exactly one turn is being played, so say which"
            raise Refused(f"there is no turn {about}" if about else why, "`nomicgen next`")
        return turn
    if about is None or re.fullmatch("[0-9]{1,9}", about) is None:
        raise Refused(
            f"say which {kind.about} it is about, by its number",
            f"comment `/{kind.name} NUMBER`; at a shell, `nomicgen do {kind.name} NUMBER`",
        )
    if kind.about == "proposal":
        return proposal_of(game, int(about))
    judgement = game.records.instruments.get(f"judgements/{int(about)}.md")
    if not isinstance(judgement, Judgement):
        raise Refused(f"there is no judgement {about}", "`nomicgen status` lists the judgements")
    return judgement


def _yaml_amount(points: Fraction) -> object:
    return points.numerator if points.denominator == 1 else str(points)


def take_role(game: Game, ident: PlayerId, role: str, on: Moment) -> Move:
    """Return the move that gives a player a role from `on`.

    If a rule lets a player have only one role of a group, the new one takes the place of the other.
    If the rule gives or takes points for that, the move adds an act that does so. Raises Refused if
    the player does not play then or has the role, or if something was decided or took effect after
    `on`: with these points, that might have come out otherwise.
    """
    require_player(game, ident)
    require_nothing_since(game, on, effects=True)
    player, law = game.records.players[ident], law_on(game, on)
    if not is_player(player, on) or holds_role(player, role, on):
        why = f"is {with_article(role)}" if is_player(player, on) else "does not play"
        raise Refused(f"{ident} {why} on {on}", f"players/{ident}.yml says from when to when")
    group = next((group for group in exclusive_roles(law) if role in group.roles), None)
    held = (
        [other for other in group.roles if holds_role(player, other, on)]
        if group is not None
        else []
    )
    spans = [
        {**span.entries(), "until": on}
        if span.role in held and span.until is None
        else span.entries()
        for span in player.matter.roles
    ]
    path = f"players/{ident}.yml"
    writes = {path: edit_file(game, path, {"roles": [*spans, {"role": role, "since": on}]})}
    if group is not None and held and group.points is not None:
        points = {
            "player": ident,
            "amount": _yaml_amount(group.points),
            "reason": f"from {joined(held)} to {role}",
        }
        matter = {
            "cause": f"Rule {group.rule}",
            "by": ident,
            "date": on,
            "seq": next_seq(game.records, on) or None,
        }
        keys = {**matter, "turn": turn_on(game, on), "points": [{**points, "under": group.rule}]}
        act = write_front_matter(
            {key: value for key, value in keys.items() if value is not None}, ""
        )
        writes[f"acts/{on.day}-{ident}-{role}.md"] = act
    said = [f"{ident} is {with_article(role)} from {on}"]
    if role not in (named := roles_named(law)):
        others = f"; they speak of {joined(sorted(named))}" if named else ""
        said.append(f"  no provision speaks of the role {role}{others}")
    part = Part(writes=writes, subject=f"{player.matter.name} is {with_article(role)}")
    return verify_move(game, part, said=tuple(said), on=on)
