"""A proposal brought up to date when the rules have moved on since it was written: its changes,
merged three ways.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from nomicgen.files.documents import read_instrument
from nomicgen.files.instruction_rewriting import rewrite
from nomicgen.history.stale import Merge, Stale, find_stale, merge_stale
from nomicgen.law.replay.results import Rule
from nomicgen.model.findings import Finding, counted
from nomicgen.model.records import Instruction, Instrument, Proposal
from nomicgen.model.values import Moment
from nomicgen.play.game_history import histories_of
from nomicgen.play.load import Game, overlay
from nomicgen.play.mending.shown import as_shown
from nomicgen.play.move import Move, Part, blocking_errors, idle
from nomicgen.play.refusal import Refused


class MergedInstruction(Struct, frozen=True, kw_only=True):
    """An instruction that was stale, the rule in force that it is about, and the text that it gives
    that rule now.

    `text` is None if it gives none, or if there are conflicts; `conflicts` has the lines of the
    file on which these begin.
    """

    instruction: Instruction
    rule: Rule
    text: str | None
    conflicts: tuple[int, ...]


class Rebased(Struct, frozen=True, kw_only=True):
    """The move that rebases a proposal, and what became of each instruction that was stale."""

    move: Move
    merged: tuple[MergedInstruction, ...]


def rebase(game: Game, name: str, on: Moment) -> Rebased:
    """Return the move that merges every stale instruction of a draft, or of a proposal in debate,
    with the rule that is in force. `name` is `quiet-hours`, `305`, or a path.

    Raises Refused if a rule was repealed or never existed, a text is lost, the rule in force
    already says what an instruction asks for, or the proposal or the game has to be mended first.
    """
    instrument, data = _proposal_before_vote(game, name)
    _require_sound(game, instrument, data)
    stale = find_stale(instrument, game.replay.current, histories_of(game))
    merges_or_findings = [
        merge_stale(instruction) if isinstance(instruction, Stale) else instruction
        for instruction in stale
    ]
    if wrong := tuple(
        merges_or_finding
        for merges_or_finding in merges_or_findings
        if isinstance(merges_or_finding, Finding)
    ):
        remedy = f"correct them by hand, then `nomicgen proposal rebase {instrument.stem}`"
        raise Refused(f"{instrument.path} cannot be merged, so nothing was written", remedy, wrong)
    merges = [
        merges_or_finding
        for merges_or_finding in merges_or_findings
        if isinstance(merges_or_finding, Merge)
    ]
    if not merges:
        return Rebased(
            move=idle(game, on, f"{instrument.path} names revisions in force: nothing to merge"),
            merged=(),
        )
    written = rewrite(data, [merge.rewriting for merge in merges])
    merged = tuple(
        _merged(merge, lines) for merge, lines in zip(merges, written.conflicts, strict=True)
    )
    part = Part(
        writes={instrument.path: written.data},
        subject=f"Rebase: {instrument.title or instrument.name}",
    )
    after = overlay(game, part.writes, part.deletes)
    said = (*map(_merge_line, merged), *_next_lines(instrument, after, merged))
    # Not verified: a file with conflicts has errors, and is written all the same.
    return Rebased(
        move=Move(before=game, after=after, parts=(part,), said=said, on=on), merged=merged
    )


def _proposal_before_vote(game: Game, name: str) -> tuple[Proposal, bytes]:
    """Return the draft, or the proposal in debate, of that name, number or path, and its bytes.

    Raises Refused if there is none, it cannot be read, its vote has opened, or it has ended.
    """
    short = name.removeprefix("proposals/").removesuffix(".md")
    path = f"proposals/{short}.md"
    data, instrument = game.tree.get(path), game.records.proposal(path)
    if not isinstance(data, bytes):
        raise Refused(
            f"there is no proposal {short}", "`nomicgen status` lists the proposals and drafts"
        )
    if instrument is None:
        errors = tuple(error for error in game.errors if error.span.file == path)
        raise Refused(f"{path} could not be read", "correct it first", as_shown(game, errors))
    status = instrument.matter.status
    if status == "open":
        raise Refused(
            f"the vote on proposal {short} is open, so `rebase` does not change its text",
            f"change it by hand, then `nomicgen proposal resubmit {short}`; or, if the rules let "
            f"its author, `nomicgen proposal withdraw {short}`",
        )
    if status not in ("draft", "debate"):
        raise Refused(
            f"proposal {short} is {status}",
            "what was decided stays as it was; propose the change again",
        )
    return instrument, data


def _require_sound(game: Game, instrument: Instrument, data: bytes) -> None:
    """Raise Refused if the proposal cannot be read in full, or if the game has errors that block a
    move: those of undecided proposals do not.
    """
    _, unread = read_instrument(instrument.path, data)
    if unread:
        raise Refused(
            f"{instrument.path} cannot be merged as it is",
            "correct it first; nothing was written",
            unread,
        )
    if hindering := blocking_errors(game):
        raise Refused(
            "the game has errors",
            "`nomicgen check` shows them; nothing was written",
            as_shown(game, hindering),
        )


def _merged(merge: Merge, conflicts: tuple[int, ...]) -> MergedInstruction:
    whole = merge.text is not None and not merge.text.conflicts
    return MergedInstruction(
        instruction=merge.stale.instruction,
        rule=merge.stale.rule,
        text=merge.text.text if merge.text is not None and whole else None,
        conflicts=conflicts,
    )


def _merge_line(merged: MergedInstruction) -> str:
    words = (
        f"{merged.instruction.verb.capitalize()} Rule {merged.instruction.target}: it is "
        f"Rule {merged.rule.ref} now"
    )
    if merged.conflicts:
        return f"{words}; in conflict on {_line_numbers(merged.conflicts)}"
    if merged.instruction.verb == "amend":
        return f"{words}; merged"
    return f"{words}; read `nomicgen rule diff {merged.instruction.target} {merged.rule.ref}`"


def _line_numbers(lines: Sequence[int]) -> str:
    return f"line{'' if len(lines) == 1 else 's'} {', '.join(map(str, lines))}"


def _next_lines(
    instrument: Proposal, after: Game, merged: Sequence[MergedInstruction]
) -> Iterator[str]:
    """Yield what to do after the merge."""
    path, short = instrument.path, instrument.stem
    if conflicts := sum(len(instruction.conflicts) for instruction in merged):
        yield (
            f"{path} has {counted(conflicts, 'conflict')}: write what is meant, delete the "
            "lines that mark them, then"
        )
        yield "  nomicgen check"
    elif any(error.span.file == path for error in after.errors):
        yield f"{path} has other errors:"
        yield "  nomicgen check"
    else:
        yield f"{path} changes the rules in force: read it again, then"
        again = (
            f"register {short}" if instrument.number is None else f"vote {short} for --player ID"
        )
        yield f"  nomicgen {again}"
