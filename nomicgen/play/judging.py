"""Judgements: giving one, and overruling it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from nomicgen.files.yaml_writing import write_front_matter
from nomicgen.law.questions import overruled_before_next_turn
from nomicgen.law.replay.events import next_turn
from nomicgen.law.replay.moments import unordered
from nomicgen.law.replay.player_spans import is_player
from nomicgen.model.findings import Finding
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Judgement
from nomicgen.model.values import Moment, RuleRef
from nomicgen.play.load import Game, law_on, overlay
from nomicgen.play.move import Move, Part, edit_file, verify_move
from nomicgen.play.preconditions import require_player
from nomicgen.play.proposing import last_turn_on, standing_rule
from nomicgen.play.refusal import Refused
from nomicgen.play.resolving import as_of_if_latest, with_rules


def judge(
    game: Game,
    on: Moment,
    *,
    judge: PlayerId | None,
    called_by: PlayerId | None,
    title: str | None,
    rules: Sequence[RuleRef],
    proposal: int | None,
    voids: int | None = None,
    question: str,
    ruling: str,
    turn: str | None = None,
    changes: str = "",
    under: int | None = None,
    late: Sequence[PlayerId] = (),
) -> Move:
    """Return the move that writes a new judgement: given if there is a ruling, else pending.

    Without `judge` the only player judges who may. `late` are judges who did not judge in time.
    `proposal` is the number of a proposal that it is about, `voids` of one that it makes void.
    `changes` has instructions, made under the rule `under`.
    """
    if changes and not ruling:
        raise Refused(
            "a judgement can change rules only with a ruling, and this one has none",
            "give --ruling as well",
        )
    for ident in (judge, called_by, *late):
        if ident is not None:
            require_player(game, ident)
    given = [
        judgement.number
        for judgement in game.records.of_kind("judgement")
        if judgement.number is not None
    ]
    number = max(given, default=0) + 1
    if ruling:
        as_of_if_latest(game, on)  # refuses a ruling before something that was decided already
    pinned = [_with_revision(game, reference) for reference in rules]
    matter: dict[str, object] = {
        "number": number,
        "title": title,
        "called_by": called_by,
        "judge": judge,
        "late": list(late) or None,
        "date": on,
        "turn": turn or last_turn_on(game, on),
        "rules": [str(reference) for reference in pinned] or None,
        "proposal": proposal,
        "voids": voids,
        "status": "upheld" if ruling else "pending",
        "under": under,
    }
    body = question or title or ""
    if ruling:
        body = f"{body.strip()}\n\n## Ruling\n\n{ruling.strip()}"
    if changes:
        body = f"{body}\n\n{changes.strip()}"
    path = f"judgements/{number}.md"
    given_body = body if ruling else f"{body.strip()}\n\n## Ruling\n\nIt is so."
    if judge is None:
        matter["judge"] = _only_judge(game, on, path, matter, given_body)
    keys = {key: value for key, value in matter.items() if value is not None}
    written, subject = (
        write_front_matter(keys, body),
        f"Judgement {number}: {title or 'a question'}",
    )
    if not ruling:
        _require_judge(game, path, keys, given_body)
        return verify_move(
            game, Part(writes={path: written}, subject=subject), said=(f"{path} is written",), on=on
        )
    return _judgement_move(game, path, written, subject, on, changes=bool(changes))


def _only_judge(
    game: Game, on: Moment, path: str, keys: Mapping[str, object], body: str
) -> PlayerId:
    """Return the only person who may judge; raise Refused if several may, or none."""
    able = [
        ident
        for ident, player in game.records.players.items()
        if player.matter.kind == "person"
        and is_player(player, on)
        and not _wrong_with_judge(game, path, {**keys, "judge": ident}, body)
    ]
    if len(able) == 1:
        return able[0]
    raise Refused(
        f"{', '.join(able)} may judge this" if able else "no player may judge this",
        f"name {'the' if able else 'a'} judge{'' if able else ', to read why not'}: --judge ID",
    )


def _wrong_with_judge(
    game: Game, path: str, keys: Mapping[str, object], body: str
) -> tuple[Finding, ...]:
    """Return why a judge may not judge, as if the judgement was given now: the check finds a wrong
    judge only in judgements that are given.
    """
    said = {key: value for key, value in keys.items() if value is not None}
    data = write_front_matter({**said, "status": "upheld"}, body)
    errors = overlay(game, {path: data}).errors
    return tuple(
        error for error in errors if error.slug == "judge-wrong" and error.span.file == path
    )


def _require_judge(game: Game, path: str, keys: Mapping[str, object], body: str) -> None:
    """Raise Refused for a pending judgement whose judge may not judge it; `body` has a ruling."""
    wrong = _wrong_with_judge(game, path, keys, body)
    if wrong:
        raise Refused(
            f"{keys['judge']} may not judge this",
            "ask the judge whom the rules name: --judge ID",
            wrong,
        )


def _judgement_move(
    game: Game, path: str, written: bytes, subject: str, on: Moment, *, changes: bool
) -> Move:
    """Return the move that writes a judgement and what it changes in `rules/`.

    If `changes`, it is refused without an instruction.
    """
    after = overlay(game, {path: written})
    instrument = after.records.instruments.get(path)
    has_instructions = instrument is not None and bool(instrument.instructions)
    if changes and instrument is not None and not has_instructions:
        raise Refused(
            "--changes has no instruction",
            "begin each with a heading such as `## Repeal Rule 203/0`",
        )
    part = with_rules(game, Part(writes={path: written}, subject=subject), path)
    # The trailer `Instrument` names what changes `rules/`.
    part = part if has_instructions else replace(part, trailers=())
    return verify_move(game, part, said=(f"{path} is written",), on=on)


def overrule(
    game: Game,
    number: int,
    on: Moment,
    *,
    by: Sequence[PlayerId] = (),
    judgement: int | None = None,
) -> Move:
    """Return the move that marks a judgement as overruled from `on`. What it changed stays until an
    instruction undoes it.

    `by` has the players who voted for that, `judgement` is the number of one that overrules it.
    """
    if by and judgement is not None:
        raise Refused(
            "a judgement is overruled by votes or by another judgement", "give --by or --judgement"
        )
    for ident in by:
        require_player(game, ident)
    path = f"judgements/{number}.md"
    instrument = game.records.instruments.get(path)
    if not isinstance(instrument, Judgement):
        raise Refused(f"there is no judgement {number}", _can_be_overruled(game))
    if instrument.matter.status != "upheld":
        raise Refused(f"judgement {number} is {instrument.matter.status}", _can_be_overruled(game))
    _require_time(game, instrument, on)
    keys = {"status": "overruled", "overruled": on, "overruled_by": judgement or list(by)}
    part = Part(
        writes={path: edit_file(game, path, {key: value for key, value in keys.items() if value})},
        subject=f"Judgement {number} is overruled",
    )
    undo = (
        (f"what it changed stays until an instruction undoes it: see {path}",)
        if instrument.instructions
        else ()
    )
    return verify_move(
        game, part, said=(f"judgement {number} is overruled, from {on}", *undo), on=on
    )


def _require_time(game: Game, instrument: Judgement, on: Moment) -> None:
    """Raise Refused if `on` needs a time: a rule lets judgements be overruled only before the next
    turn, and that began on the same day.
    """
    following, rule = (
        next_turn(game.records, instrument),
        overruled_before_next_turn(law_on(game, on)),
    )
    if rule is None or following is None or on.timed or not unordered(following.matter.began, on):
        return
    raise Refused(
        f"{following.ident} began on {following.matter.began}; by Rule {rule} a judgement is "
        "overruled before that",
        f"if the players voted for it before {following.ident} began, say when: --on {on}T10:00",
    )


def _can_be_overruled(game: Game) -> str:
    """Return a sentence that lists the judgements that can be overruled."""
    matters = (judgement.matter for judgement in game.records.of_kind("judgement"))
    numbers = [str(matter.number) for matter in matters if matter.status == "upheld"]
    return f"those that stand can be overruled: {', '.join(numbers) or 'there is none'}"


def _with_revision(game: Game, reference: RuleRef) -> RuleRef:
    """Return a reference with its revision, or else with that in force: `203/1` for `203`."""
    if reference.revision is not None:
        return reference
    rule = standing_rule(game, reference.number)
    return RuleRef(rule.number, rule.revision)
