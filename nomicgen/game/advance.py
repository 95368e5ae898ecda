"""What the rules do by themselves: rules that change when their day has come, turns that pass when nobody plays."""

from __future__ import annotations

from nomicgen.files import set_keys, write_front_matter, write_yaml
from nomicgen.game.apply import ruleset_change
from nomicgen.game.load import Game, overlay
from nomicgen.game.move import Move, Part, verified
from nomicgen.law.state import Due
from nomicgen.law.sunset import becomes
from nomicgen.model import Moment

__all__ = ["advance"]


def advance(game: Game, on: Moment) -> Move:
    """Writes all that is due by `on`: an act for each rule that changes by itself, the turn that passed by itself."""
    parts: list[Part] = []
    said: list[str] = []
    played = game
    while played.replay.overdue is not None or played.replay.due:
        part, line = _passed(played, played.replay.overdue) if played.replay.overdue else _changed(played)
        parts.append(part)
        said.append(line)
        after = overlay(played, part.writes, part.deletes)
        if _owed(after) >= _owed(played):
            break  # it would be owed for ever: what is wrong with it is shown
        played = after
    return verified(game, *parts, said=tuple(said) or ("nothing is due",), on=on)


def _owed(game: Game) -> int:
    return len(game.replay.due) + (game.replay.overdue is not None)


def _passed(game: Game, moment: Moment) -> tuple[Part, str]:
    turn = max(game.records.turns.values(), key=lambda one: one.order)
    path = f"turns/{turn.ident}.yml"
    data = game.tree[path]
    assert isinstance(data, bytes)
    writes = {path: set_keys(data, {"ended": moment, "passed": True})}
    subject = f"Turn {turn.ident} of {turn.matter.player} passed by itself"
    return Part(writes=writes, subject=subject), f"{subject}, on {moment}"


def _changed(game: Game) -> tuple[Part, str]:
    due = game.replay.due[0]
    stem = f"acts/{due.moment.day}-rule-{due.rule.number}"
    path = next(
        path for path in (f"{stem}{end}.md" for end in ("", *(f"-{n}" for n in range(2, 99)))) if path not in game.tree
    )
    matter = {
        "cause": f"Rule {due.rule.number}",
        "by": str(due.rule.number),
        "under": due.rule.number,
        "date": due.moment,
        "seq": 1,  # after whatever else happened at that moment
    }
    written = {path: write_front_matter(matter, _body(due))}
    decided = overlay(game, written, frozenset())
    files, gone = ruleset_change(decided)
    part = Part(
        writes={**written, **files},
        deletes=gone,
        subject=f"Rule {due.rule.number} changes by itself",
        trailers=(("Instrument", path),),
    )
    return part, f"Rule {due.rule.ref} changes by itself, as of {due.moment}: {path}"


def _body(due: Due) -> str:
    wanted = becomes(due.rule, due.provision)
    said = f"Rule {due.rule.ref} says of itself when it changes, and that time has come."
    if wanted is None:
        return f"{said}\n\n## Repeal Rule {due.rule.ref}\n"
    text, provisions = wanted
    block = write_yaml({"provisions": dict(provisions), **({"text": "lost"} if text is None else {})}).decode()
    return f"{said}\n\n## Amend Rule {due.rule.ref}\n\n```yaml rule\n{block}```\n\n{text or ''}\n"
