"""Judgements: giving one, and overruling it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nomicgen.files import set_keys, write_front_matter
from nomicgen.game.apply import ruleset_change
from nomicgen.game.load import Game, overlay
from nomicgen.game.move import Move, Part, Refused, verified
from nomicgen.game.news import news
from nomicgen.game.play import require_player, standing_rule, turn_on
from nomicgen.model import JudgementMatter, Moment, RuleRef

__all__ = ["judge", "overrule"]


def judge(
    game: Game,
    on: Moment,
    *,
    judge: str,
    called_by: str | None,
    title: str | None,
    rules: Sequence[RuleRef],
    proposal: int | None,
    question: str,
    ruling: str,
    turn: str | None = None,
    changes: str = "",
    under: int | None = None,
    late: Sequence[str] = (),
) -> Move:
    """A new judgement: pending while it has no ruling. `changes` has instructions, made under the rule `under`."""
    if changes and not ruling:
        raise Refused("a judgement changes rules by its ruling, and there is none", "give --ruling as well")
    for ident in (judge, called_by, *late):
        if ident is not None:
            require_player(game, ident)
    given = [one.number for one in game.records.of_kind("judgement") if one.number is not None]
    number = max(given, default=0) + 1
    pinned = [_pinned(game, reference) for reference in rules]
    matter = {
        "number": number,
        "title": title,
        "called_by": called_by,
        "judge": judge,
        "date": on,
        "turn": turn or turn_on(game, on),
        "rules": [str(one) for one in pinned] or None,
        "proposal": proposal,
        "status": "upheld" if ruling else "pending",
        "under": under,
        "late": list(late) or None,
    }
    body = question or "The question, and the reasoning."
    if ruling:
        body = f"{body.strip()}\n\n## Ruling\n\n{ruling.strip()}"
    if changes:
        body = f"{body}\n\n{changes.strip()}"
    path = f"judgements/{number}.md"
    written = write_front_matter({key: value for key, value in matter.items() if value is not None}, body)
    files, gone = ruleset_change(overlay(game, {path: written}, frozenset()))
    part = Part(
        writes={path: written, **files},
        deletes=gone,
        subject=f"Judgement {number}: {title or 'a question'}",
        trailers=(("Instrument", path),) if changes else (),
    )
    move = verified(game, part, on=on)
    return replace(move, said=(f"{path} is written", *news(game, move.after)))


def overrule(game: Game, number: int, on: Moment) -> Move:
    """Marks a judgement as overruled from a day on; what it changed stays until an instruction undoes it."""
    path = f"judgements/{number}.md"
    instrument, data = game.records.instruments.get(path), game.tree.get(path)
    if instrument is None or not isinstance(data, bytes) or not isinstance(instrument.matter, JudgementMatter):
        raise Refused(f"there is no judgement {number}", "`nomicgen status` lists those that are pending")
    if instrument.matter.status != "upheld":
        raise Refused(f"judgement {number} is {instrument.matter.status}", "only one that stands can be overruled")
    part = Part(
        writes={path: set_keys(data, {"status": "overruled", "overruled": on})},
        subject=f"Judgement {number} is overruled",
    )
    undo = (
        (f"what it changed stands: an instruction undoes it (`nomicgen show {path}`)",)
        if instrument.instructions
        else ()
    )
    return verified(game, part, said=(f"judgement {number} is overruled, from {on}", *undo), on=on)


def _pinned(game: Game, reference: RuleRef) -> RuleRef:
    """A reference with its revision: what is not said is the one in force."""
    if reference.revision is not None:
        return reference
    rule = standing_rule(game, reference.number)
    return RuleRef(rule.number, rule.revision)
