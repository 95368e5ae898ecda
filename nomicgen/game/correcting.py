"""Correcting what was recorded wrongly: the file gets the right value, and an act says what was and what is."""

from __future__ import annotations

from msgspec.structs import replace

from nomicgen.history.past.restatements import correction_words
from nomicgen.files import set_value, write_front_matter
from nomicgen.files.file_editing import as_type
from nomicgen.play.load import Game, overlay
from nomicgen.play.move import Move, Part, free_path, verified
from nomicgen.game.refusal import Refused
from nomicgen.play.resolving import with_rules
from nomicgen.law.replay.events import place_at
from nomicgen.model import Moment, Restated, faults_of


def correct(game: Game, file: str, key: str, value: str | None, on: Moment, *, evidence: str) -> Move:
    """Restates a recorded field of a file; a `value` of None takes it out. Raises Refused where that cannot be."""
    asked = _asked(file, key, value, evidence)
    record, data = game.records.at(file), game.tree.get(file)
    if record is None or not isinstance(data, bytes):
        raise Refused(f"there is no {file} that can be read", "give its path in the game, such as proposals/305.md")
    was = record.matter.fields().get(asked.key)
    try:
        written = set_value(data, asked.key, value)
    except ValueError as error:
        raise Refused(f"{file}: {error}", f"correct {file} by hand, and say so in acts/") from None
    after = overlay(game, {file: written})
    record_after = after.records.at(file)
    now = record_after.matter.fields().get(asked.key) if record_after is not None else value
    if was == now:
        state = "is not there" if was is None else f"is {was}"
        raise Refused(f"`{asked.key}` of {file} {state} already", "say what it is to be")
    act, seq = free_path(game, f"acts/{on.day}-correction"), place_at(game.records, on)
    values = {name: as_type(value) for name, value in (("was", was), ("now", now)) if value is not None}
    entry = {"file": file, "key": asked.key, **values, "evidence": evidence}
    matter = {"cause": "correction", "date": on, "seq": seq or None, "restates": [entry]}
    part = Part(writes={file: written, act: write_front_matter(matter, "")}, subject=f"Correct {file}: {asked.key}")
    move = verified(game, with_rules(game, part, act), on=on)
    correction = next(correction for correction in move.after.replay.corrections if correction.act == act)
    return replace(move, said=(f"{file}: {correction_words(correction)}", f"{act} says so"))


def _asked(file: str, key: str, value: str | None, evidence: str) -> Restated:
    """What is asked for. Raises Refused for a key that is none of what was recorded."""
    try:
        return Restated.read({"file": file, "key": key, "now": value, "evidence": evidence})
    except ValueError as error:
        [*_, fault] = faults_of(error)
        where = str(fault.path[0])
        given = {"file": file, "key": key, "now": value, "evidence": evidence}[where]
        words = {"now": "the value", "key": "what is corrected"}.get(where, f"the {where}")
        raise Refused(f"{words} cannot be {given!r}", f"it {fault.wanted}") from None
