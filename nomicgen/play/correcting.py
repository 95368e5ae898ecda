"""Correcting what was recorded wrongly, and confirming that provisions mean what a new text says.

A correction writes the right value into the file, and an act that has the old and the new value.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from nomicgen.files.file_editing import as_type, set_keys, set_value
from nomicgen.files.yaml_writing import write_front_matter
from nomicgen.history.past.boundary import file_key
from nomicgen.history.past.restatements import correction_words, standing_throws
from nomicgen.law.checks.provisions import is_doubtful
from nomicgen.law.replay.events import next_seq
from nomicgen.model.front_matters import Restated, recorded_words
from nomicgen.model.types import faults_of
from nomicgen.model.values import Moment
from nomicgen.play.load import Game, as_of, overlay
from nomicgen.play.move import Move, Part, edit_file, free_path, idle, verify_move
from nomicgen.play.proposing import standing_rule
from nomicgen.play.refusal import Refused
from nomicgen.play.resolving import with_rules

_LEAVE = (
    "no correction changes the outcome of a vote: leave the vote as it is; "
    "a judgement has to say what happens"
)


def correct(
    game: Game, file: str, key: str, value: str | None, on: Moment, *, evidence: str
) -> Move:
    """Return the move that corrects a recorded field of a file; a `value` of None takes it out.

    `evidence` says how it is known. Raises Refused if there is no such file, or if the field cannot
    be corrected or has that value already.
    """
    asked = _asked_correction(file, key, value, evidence)
    record, data = game.records.at(file), game.tree.get(file)
    if record is None or not isinstance(data, bytes):
        raise Refused(
            f"there is no {file} that can be read",
            "give its path in the game, such as proposals/305.md",
        )
    was = record.matter.fields()
    try:
        dice = (
            [int(face) for face in value.replace(",", " ").split()]
            if value is not None and key == "dice"
            else None
        )
        written = (
            set_value(data, asked.key, value) if dice is None else set_keys(data, {"dice": dice})
        )
    except ValueError as error:
        raise Refused(f"{file}: {error}", f"correct {file} by hand, and say so in acts/") from None
    after = overlay(game, {file: written}).records.at(file)
    now = after.matter.fields() if after is not None else {**was, asked.key: str(value)}
    changed = [
        field
        for field in {**was, **now}
        if was.get(field) != now.get(field) and recorded_words(field)
    ]
    if not changed:
        faces = [was[field] for field in was if asked.key == "dice" and file_key(field) == "dice"]
        said = faces or [was[asked.key]] * (asked.key in was)
        state = f"is {', '.join(said)} already" if said else "is not there"
        raise Refused(f"`{asked.key}` of {file} {state}", "say what it is to be")
    act, seq = free_path(game, f"acts/{on.day}-correction"), next_seq(game.records, on)
    entries = [
        {"file": file, "key": field, **_values(was, now, field), "evidence": evidence}
        for field in changed
    ]
    matter = {"cause": "correction", "date": on, "seq": seq or None, "restates": entries}
    part = Part(
        writes={file: written, act: write_front_matter(matter, "")},
        subject=f"Correct {file}: {asked.key}",
    )
    try:
        move = verify_move(game, with_rules(game, part, act), on=on)
    except Refused as refused:
        # Their help is that of a vote that is being counted: to set the status.
        refused.findings = tuple(
            replace(one, help=_LEAVE, mending=None)
            if one.slug in ("votes-few", "votes-enough")
            else one
            for one in refused.findings
        )
        raise
    corrections = [
        correction for correction in move.after.replay.corrections if correction.act == act
    ]
    # While a turn goes on, a throw that the rules allow stays as it is.
    for finding in standing_throws(corrections, game.records, as_of(game, on).replay):
        raise Refused(finding.message, finding.help)
    words = (f"{file}: {correction_words(correction)}" for correction in corrections)
    return replace(move, said=(*words, f"{act} says so"))


def _values(was: Mapping[str, str], now: Mapping[str, str], field: str) -> dict[str, object]:
    """Return a field's value before as `was` and after as `now`, each only if there is one."""
    return {
        name: as_type(fields[field])
        for name, fields in (("was", was), ("now", now))
        if field in fields
    }


def _asked_correction(file: str, key: str, value: str | None, evidence: str) -> Restated:
    """Return the correction that is asked for. Raises Refused if a part of it is not allowed."""
    single = f"{key}.0" if key == "dice" else key  # `dice` alone stands for all throws at once
    try:
        read = Restated.read({"file": file, "key": single, "now": value, "evidence": evidence})
        return read.replace(key=key) if key == "dice" else read
    except ValueError as error:
        [*_, fault] = faults_of(error)
        where = str(fault.path[0])
        given = {"file": file, "key": key, "now": value, "evidence": evidence}[where]
        if where == "key":
            raise Refused(f"`{key}` cannot be corrected", f"the key {fault.wanted}") from None
        words = "the value" if where == "now" else f"the {where}"
        raise Refused(f"{words} cannot be {given!r}", f"it {fault.wanted}") from None


def confirm(game: Game, number: int, on: Moment) -> Move:
    """Return the move that lists a rule's revision in force under `confirmed` in nomic.yml.

    It does nothing if the rule's provisions are not in doubt.
    """
    rule = standing_rule(game, number)
    if not is_doubtful(rule, game.settings):
        return idle(
            game,
            on,
            f"Rule {rule.ref} has no mark: its provisions are as new as its text, or confirmed",
        )
    confirmed = [*map(str, game.settings.confirmed), rule.ref]
    part = Part(
        writes={"nomic.yml": edit_file(game, "nomic.yml", {"confirmed": confirmed})},
        subject=f"The provisions of Rule {rule.ref} mean what its text says",
    )
    return verify_move(
        game, part, said=(f"the provisions of Rule {rule.ref} are confirmed",), on=on
    )
