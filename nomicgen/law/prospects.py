"""What comes next, by the law: what prevents a step, what is due, and what players can do.

A step that nobody has taken yet is judged as it would be if somebody took it.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from nomicgen.law.gate import deeds_in_force, license_effect
from nomicgen.law.judging_kind import DeedKind, Due, hooks
from nomicgen.law.precedence import Law
from nomicgen.law.replay.awarded_points import missing_throws
from nomicgen.law.replay.player_spans import is_active
from nomicgen.law.replay.results import Replay
from nomicgen.law.subjects import DeedDone, JudgementGiven, State, VoteOpened
from nomicgen.model.findings import Findings
from nomicgen.model.front_matters import Deed
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Judgement, Proposal, Records, Turn
from nomicgen.model.values import Moment


def against_opening(proposal: Proposal, records: Records, replay: Replay, on: Moment) -> Findings:
    """Return the errors that opening a vote on a day would have.

    A draft is judged as if it was put forward on that day. There are none for a proposal that is
    neither a draft nor in debate.
    """
    matter = proposal.matter
    if matter.status == "draft":
        matter = matter.replace(status="debate", date=on)
    if matter.status != "debate":
        return ()
    findings = license_effect(
        VoteOpened(replace(proposal, matter=matter)), State.at(records, replay, on)
    ).findings
    return tuple(finding for finding in findings if finding.is_error)


def able_judges(
    judgement: Judgement, records: Records, replay: Replay, on: Moment
) -> list[PlayerId]:
    """Return who may give a pending judgement on a day: its judge, if they may, else any others."""
    state = State.at(records, replay, on)
    fallen = [one for one in records.of_kind("judgement") if one.matter.status == "overruled"]

    def may(judge: PlayerId) -> bool:
        matter = judgement.matter.replace(date=on, turn=None, status="upheld", judge=judge)
        given = JudgementGiven(replace(judgement, matter=matter), tuple(fallen), state.ruleset)
        findings = license_effect(given, state).findings
        return all(finding.slug != "judge-wrong" for finding in findings)

    judge = judgement.matter.judge
    if judge is not None and may(judge):
        return [judge]
    return [player for player in _active_people(records, on) if may(player)]


def unjudged(records: Records, replay: Replay, on: Moment) -> frozenset[str]:
    """Return the paths of the pending judgements that their judge may not give on a day, while
    others may.
    """
    pending = [one for one in records.of_kind("judgement") if one.matter.status == "pending"]
    able = {one.path: able_judges(one, records, replay, on) for one in pending if one.matter.judge}
    return frozenset(
        path for path in able if able[path] and records.instruments[path].actor not in able[path]
    )


def deadlines(records: Records, replay: Replay, on: Moment) -> tuple[Due, ...]:
    """Return what is not done yet and has a deadline, the earliest first."""
    if replay.is_lawless:
        return ()
    state = State.at(records, replay, on)
    return tuple(
        sorted(
            (due for hook in hooks(lambda kind: kind.deadlines) for due in hook(state)),
            key=lambda due: due.moment,
        )
    )


def overdue_turn(records: Records, replay: Replay, on: Moment) -> Due | None:
    """Return the first deadline by which a running turn is over, although its file does not say so.

    None if there is none. A deadline that only warns does not count.
    """
    running = [f"turns/{turn.ident}.yml" for turn in replay.running]
    late = (due for due in deadlines(records, replay, on) if due.is_over(on) and due.writes)
    return next((due for due in late if due.path in running), None)


def throws_before(due: Due, records: Records, replay: Replay, on: Moment) -> int:
    """Return how many throws a turn lacks that a deadline would have ended by a day: until they are
    made, its end cannot be written. 0 if it lacks none.
    """
    keys, turn = due.writes.get(due.path, {}), records.turn_at(due.path)
    if turn is None or "ended" not in keys or not due.is_over(on):
        return 0
    law, passed = Law.of(replay.current, records.settings, on), keys.get("passed") is True
    return missing_throws(turn, law, records.players, on, passed=passed)


def end_due(records: Records, replay: Replay, path: str, on: Moment, *, ends: bool) -> Due | None:
    """Return the deadline by which the turn at `path` is over, and which writes its end.

    None if there is none: the turn is not over, or it passes by itself, for example. `ends` says
    that somebody ends the turn: then it counts as over on its last day, too.
    """
    over = (
        due
        for due in deadlines(records, replay, on)
        if due.is_over(on) or (ends and not on.precedes(due.moment))
    )
    return next((due for due in over if {**due.writes.get(path, {})}.keys() == {"ended"}), None)


def against_deed(
    name: str,
    about: Proposal | Judgement | Turn,
    player: PlayerId,
    records: Records,
    replay: Replay,
    on: Moment,
) -> Findings:
    """Return why a player may not do the deed called `name` about a file on a day."""
    return _try_deed(name, about, player, State.at(records, replay, on), on)[1]


def _try_deed(
    name: str, about: Proposal | Judgement | Turn, player: PlayerId, state: State, on: Moment
) -> tuple[DeedDone, Findings]:
    done = DeedDone(Deed(do=name, by=player, at=on), about, tuple(about.matter.deeds))
    return done, license_effect(done, state).findings


def possible_deeds(
    records: Records, replay: Replay, on: Moment
) -> Iterator[tuple[DeedKind, DeedDone, list[PlayerId]]]:
    """Yield what players can do on a day under the rules.

    These are the kind of deed, the deed as the first of these players would do it, and all active
    players who can do it.
    """
    state = State.at(records, replay, on)
    kinds, people = deeds_in_force(state.law), _active_people(records, on)
    for about in _subjects_of_deeds(records, replay) if kinds else ():
        for kind in kinds:
            if kind.about != ("turn" if isinstance(about, Turn) else about.kind):
                continue
            tried = [_try_deed(kind.name, about, player, state, on) for player in people]
            able = [done for done, wrong in tried if not wrong]
            if able:
                yield kind, able[0], [done.deed.by for done in able]


def _subjects_of_deeds(records: Records, replay: Replay) -> Iterator[Proposal | Judgement | Turn]:
    """Yield what deeds can be about: numbered proposals until they are decided, all judgements, and
    turns whose end is not recorded.
    """
    yield from (
        each
        for each in records.of_kind("proposal")
        if each.number is not None and each.matter.is_undecided
    )
    yield from records.of_kind("judgement")
    yield from replay.unended_turns


def _active_people(records: Records, on: Moment) -> list[PlayerId]:
    players = sorted(records.players.items())
    return [
        ident
        for ident, player in players
        if player.matter.kind == "person" and is_active(player, on)
    ]
