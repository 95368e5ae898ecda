"""Findings where a change rewrites the past, or a pull request writes what the game itself records:
the records before and after are compared.

They are asked for when a pull request is judged (also by `nomicgen check --base`), and by `verify`
for commits. `nomicgen record` asks for changed outcomes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from itertools import zip_longest

from msgspec import structs

from nomicgen.history.past.boundary import (
    CORRECT,
    FileEdit,
    PastBoundary,
    by_hand_finding,
    closed_keys,
    file_key,
    is_before,
    keys_changed,
    past_finding,
    record_finding,
)
from nomicgen.history.past.keeper_entries import fits_lost, is_entered
from nomicgen.history.past.players import judge_player, judge_turn
from nomicgen.law.replay.results import OPENING, Replay, Rule, Step, Winner
from nomicgen.model.common_keys import Matter, Stage
from nomicgen.model.findings import Finding
from nomicgen.model.front_matters import ActMatter, JudgementMatter, ProposalMatter
from nomicgen.model.records import Instrument, Records
from nomicgen.model.settings import Settings
from nomicgen.model.values import Moment, Span

_UNDO = (
    "restore it; to undo what was adopted, make a new proposal: one that repeals its rule "
    "(`## Repeal Rule N/R`), or amends it back"
)


def last_decision(records: Records, until: Moment) -> Moment | None:
    """Return the latest moment up to `until` at which something was decided; None without one."""
    # A judgement that is only asked for has a day too, and decides nothing.
    decided = (
        instrument.decided
        for instrument in records.instruments.values()
        if not instrument.matter.is_undecided
    )
    return max(
        (moment for moment in decided if moment is not None and not until.precedes(moment)),
        default=None,
    )


def rewrites_of_the_past(
    edits: Sequence[FileEdit], before: Records, after: Records, past: PastBoundary
) -> Iterator[Finding]:
    """Yield findings on what in `edits` changes the past or the game's own records.

    What a file says is not judged if it cannot be read: its own findings say what is wrong with it.
    """
    for edit in edits:
        folder = edit.path.partition("/")[0]
        if edit.path.startswith("rules/initial/"):
            yield past_finding(
                edit.path,
                "the initial set was fixed when the game began",
                "to change a rule, propose it",
            )
        elif edit.path == "nomic.yml":
            yield from _settings(before, after, past)
        elif folder in ("proposals", "judgements", "acts"):
            yield from _instrument(edit, before, after, past)
        elif folder == "players":
            yield from judge_player(edit.path, before.player_at(edit.path), after, past)
        elif folder == "turns":
            yield from judge_turn(edit.path, before, after, past)


def changed_outcomes(
    records: Records, before: Replay, after: Replay, where: str, *, archived: bool = False
) -> Iterator[Finding]:
    """Yield findings where the replay `after` a change has other outcomes of the past than the one
    `before`: of each sort at most one, at the file `where`. `records` are those before.

    This finds what no file shows by itself: who could vote on a day, which law was in force, and
    what points were given follow from several files. With `archived`, what happened before the game
    was played here may come out otherwise: its keeper learns more of it.
    """

    def may_change(moment: Moment | None) -> bool:
        return archived and (moment is None or before.is_archived(moment))

    for path, tally in before.tallies.items():
        instrument = records.instruments[path]
        if may_change(instrument.decided):
            continue
        if not instrument.matter.is_undecided and after.tallies.get(path) != tally:
            ended = instrument.decided
            message = (
                f"the vote on {instrument.name}, which ended on {ended}, would be counted otherwise"
            )
            yield past_finding(
                where, message, "it is settled who could vote then: give a later day"
            )
            break
    happened = [
        step
        for step in before.steps
        if step.outcome != "pending" and not may_change(step.effective)
    ]
    known = {step.instrument.path for step in happened}
    done = (
        step for step in after.steps if step.outcome != "pending" and step.instrument.path in known
    )
    for step in happened:
        if _outcome_of(step) != _outcome_of(next(done, None)):
            message = (
                f"{step.instrument.name} of {step.effective} would come out otherwise, "
                "since this comes before it"
            )
            yield past_finding(
                where, message, "give a later day; or, on the same day, a later time, or a `seq`"
            )
            break
    if (won := _won_before(records, before, after)) is not None:
        yield past_finding(where, won, "give a later day: what was won, and when, is settled")
    changed_points = _points(before) - _points(after)
    for player, reason in (line[:2] for line in changed_points):
        yield past_finding(
            where,
            f"{player} has points ({reason}) that would come out otherwise",
            "give a later day",
        )
        break


def _won_before(records: Records, before: Replay, after: Replay) -> str | None:
    """Return the message if another player, or nobody, would have won, or on another day; else
    None.
    """
    was, now = before.winner, after.winner
    if was is not None and (now is None or (was.players, was.moment) != (now.players, now.moment)):
        return f"{_names(was)} won on {was.moment}, and that would come out otherwise"
    last = last_decision(records, before.until) if before.until is not None else None
    if was is None and now is not None and (now.moment is None or is_before(now.moment, last)):
        return f"{_names(now)} would have won on {now.moment}, and something was decided on {last}"
    return None


def _names(winner: Winner) -> str:
    return " and ".join(winner.players)


def _points(played: Replay) -> Counter[tuple[str, str, Fraction, Moment | None]]:
    return Counter(
        (award.player, award.reason, award.amount, award.moment) for award in played.awards
    )


def _outcome_of(step: Step | None) -> object:
    """Return what became of an instrument, for comparing: the rules before and after each of its
    changes.

    Of an act that opens an archive only the provisions count: which revisions it finds depends on
    the archive before it, of which a keeper may learn more.
    """
    if step is None:
        return None
    if isinstance(step.instrument.matter, ActMatter) and step.instrument.matter.cause == OPENING:
        given = [
            (change.verb, change.after and (change.after.number, change.after.provisions))
            for change in step.changes
        ]
        return step.instrument.path, step.outcome, given
    return (
        step.instrument.path,
        step.outcome,
        [(change.verb, _bare(change.before), _bare(change.after)) for change in step.changes],
    )


def _bare(rule: Rule | None) -> Rule | None:
    """Return a rule without its identity, which only counts the instructions before it."""
    return structs.replace(rule, identity=0) if rule is not None else None


def _settings(before: Records, after: Records, past: PastBoundary) -> Iterator[Finding]:
    """Yield findings on changed keys of nomic.yml that are written once."""
    for key in (
        name
        for name, attribute in Settings.names.items()
        if Settings.keys[attribute].until == "once"
    ):
        if key == "lost" and past.archived is not None and fits_lost(before, after, past.archived):
            continue
        if getattr(before.settings, key) != getattr(after.settings, key):
            yield past_finding(
                after.settings_source.key(key),
                f"`{key}` is what the whole past is judged by",
                "bring it back as it was",
            )


def _instrument(
    edit: FileEdit, before: Records, after: Records, past: PastBoundary
) -> Iterator[Finding]:
    old, new = before.instruments.get(edit.path), after.instruments.get(edit.path)
    if (
        old is None
        and new is not None
        and past.archived is not None
        and is_entered(new, past.archived)
    ):
        return
    if old is not None and not _is_draft(old):
        if edit.after is None:
            why = "its number is given" if old.matter.is_undecided else "it is decided"
            yield past_finding(
                edit.path, f"{old.name} is removed, and {why}: it stays in the archive"
            )
        elif new is not None:
            yield from (
                _undecided_changes(old, new, past)
                if old.matter.is_undecided
                else _decided_changes(edit, old, new, past)
            )
    elif edit.path.startswith("proposals/") and edit.path[10:11].isdigit() and edit.before is None:
        yield _numbered(edit.path, new)
    elif new is not None:
        yield from _new(new, past)


def _numbered(path: str, new: Instrument | None) -> Finding:
    return Finding(
        slug="number-by-hand",
        span=new.source.key("number") if new else Span(file=path),
        message="a pull request must not give numbers: two of them could take the same one",
        help="call the file proposals/NAME.md, and leave `number` out; `nomicgen register` gives "
        "it the next one",
    )


def _is_draft(instrument: Instrument) -> bool:
    return instrument.kind == "proposal" and instrument.number is None


def _decided_changes(
    edit: FileEdit, old: Instrument, new: Instrument, past: PastBoundary
) -> Iterator[Finding]:
    restated = past.restated.get(edit.path, {})
    overruling = isinstance(new.matter, JudgementMatter) and _overrules(
        old.matter, new.matter, past.last
    )
    stage: Stage = "overruling" if overruling else "settled"
    free = {name for name in new.matter.names if new.matter.author_writes(name, stage, said=True)}
    if edit.path in past.waiting:
        free |= {"effective"}  # `nomicgen turn` writes it when the turn that it waited for begins
    if restated:
        free = set()
    changed = keys_changed(old.matter, new.matter, restated) - free
    if changed:
        named = ", ".join(f"`{key}`" for key in sorted(changed))
        where = new.source.key(min(changed))
        message = f"{old.name} is decided: {named} can no longer change"
        # Most likely somebody reverted the commit of what was adopted.
        is_undone = isinstance(old.matter, ProposalMatter) and old.matter.status == "adopted"
        yield past_finding(where, message, _UNDO if is_undone and "status" in changed else CORRECT)
    elif edit.before is not None and edit.after is not None:
        free |= {*map(file_key, restated)}
        if line := _first_difference(edit.before, edit.after, free):
            span = Span(file=edit.path, line=line)
            yield past_finding(span, f"{old.name} is decided: its words can no longer change")


def _overrules(old: Matter, new: JudgementMatter, last: Moment | None) -> bool:
    """Return whether a standing judgement is overruled, on a day that is not before `last`."""
    stood = isinstance(old, JudgementMatter) and old.status == "upheld"
    return (
        stood
        and new.status == "overruled"
        and new.overruled is not None
        and not is_before(new.overruled, last)
    )


def _first_difference(before: bytes, after: bytes, free: Collection[str]) -> int:
    """Return the first line of a file, from 1, that has changed, apart from the lines of the keys
    in `free`; 0 where there is none.
    """
    lines = 1
    for old, new in zip_longest(_fixed_lines(before, free), _fixed_lines(after, free)):
        if new is None or old is None or old[1] != new[1]:
            return lines if new is None else new[0]
        lines = new[0]
    return 0


def _fixed_lines(data: bytes, free: Collection[str]) -> Iterator[tuple[int, bytes]]:
    """Yield the numbers and the lines that have to stay: all except those of `free` keys.

    Of such a line a comment (after ` #`) has to stay, unless `note` is free as well.
    """
    # The front matter ends with the first such line.
    end = data.partition(b"\n---\n")[0].count(b"\n") + 1
    is_free = False
    for number, line in enumerate(data.split(b"\n"), 1):
        if number > end:
            is_free = False
        elif line[:1] not in (b"", b" ", b"-"):
            is_free = line.partition(b":")[0].decode("utf-8", "replace") in free
        if not is_free:
            yield number, line
        elif b" #" in line and "note" not in free:
            yield number, line.partition(b" #")[2]


def _undecided_changes(old: Instrument, new: Instrument, past: PastBoundary) -> Iterator[Finding]:
    """Yield findings on a registered proposal, or a pending judgement, that is changed."""
    asked = getattr(old.matter, "called_by", None)
    for key, by in closed_keys(old.matter, new.matter, "undecided"):
        if key == "called_by":
            yield past_finding(
                new.source.key(key), f"{old.name} was asked by {asked}, which stays so"
            )
        else:
            yield record_finding(new.source.key(key), old.name, key, by)
    if not isinstance(new.matter, ProposalMatter):
        yield from _backdated(new, past)


def _new(new: Instrument, past: PastBoundary) -> Iterator[Finding]:
    """Yield findings on a new instrument or draft: keys that the game writes, days in the past."""
    matter = new.matter
    if not isinstance(matter, ProposalMatter):
        for key, by in closed_keys(None, matter, "draft"):
            yield record_finding(new.source.key(key), new.name, key, by)
        yield from _backdated(new, past)
        return
    if matter.status != "draft":
        message = f"a proposal in a pull request is a draft, not {matter.status}"
        yield by_hand_finding(new.source.key("status"), message, "write `status: draft`")
    for key, writing in closed_keys(None, matter, "draft"):
        help = "the game writes it"
        if key == "votes":
            help = "once the vote is open, vote under the pull request"
        elif writing is not None and writing.by == ("keeper",):
            help = (
                "the rulekeeper writes it, once the proposal has its number and until it is decided"
            )
        yield by_hand_finding(
            new.source.key(key), f"a draft has no `{key}`", f"delete `{key}`: {help}"
        )


def _backdated(new: Instrument, past: PastBoundary) -> Iterator[Finding]:
    """Yield a finding if a judgement or an act is dated before the last decision, or not at all."""
    if new.matter.is_undecided:
        return
    if new.decided is None:
        message = f"{new.name} has no day, and would stand before what was decided later"
        yield past_finding(
            new.source.key("status"), message, "say `date: ` and the day on which it is made"
        )
        return
    for key, moment in (("date", new.decided), ("effective", new.effective)):
        if moment is not None and is_before(moment, past.last):
            message = (
                f"{new.name} is of {moment}, and something was decided on {past.last}: "
                "the past is not rewritten"
            )
            yield past_finding(
                new.source.at(key),
                message,
                f"give it the day on which it is made: {past.last} or later",
            )
            return
