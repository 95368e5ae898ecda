"""What can lawfully be done now, and by whom: the one list for commands, workflows and pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from nomicgen.files.urls import is_pull, is_web, split_address
from nomicgen.history.past.rewrites import last_decision
from nomicgen.law.checks.derived import ruleset_status
from nomicgen.law.checks.votes import has_changed
from nomicgen.law.precedence import Law
from nomicgen.law.prospects import (
    able_judges,
    against_opening,
    deadlines,
    overdue_turn,
    possible_deeds,
    throws_before,
)
from nomicgen.law.questions import (
    again_until,
    breaks_ties,
    command_after_change,
    debate_of,
    die_of,
    has_room,
    has_turn_order,
    lets_abstain,
    lets_overlap,
    lets_pass,
    needs_proposal,
    rule_of_proposers,
    stay_of_turn,
    tie_break,
    turn_after_last,
)
from nomicgen.law.replay.awarded_points import missing_throws
from nomicgen.law.replay.moments import unordered
from nomicgen.law.replay.player_spans import is_active
from nomicgen.law.replay.results import Replay
from nomicgen.law.replay.turn_proposals import standing_in
from nomicgen.law.replay.watched_records import WatchedRecords
from nomicgen.law.sentences import joined
from nomicgen.law.voting.tally import Tally
from nomicgen.model.findings import listed
from nomicgen.model.front_matters import ProposalMatter
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Judgement, Player, Proposal, Records, Turn
from nomicgen.model.values import Moment
from nomicgen.play.tasks import Kind, Task, urgency


def is_held_elsewhere(matter: ProposalMatter) -> bool:
    """Return whether a proposal's votes are given on a pull request: its file has none yet."""
    return not matter.votes and is_pull(matter.discussion)


def open_tasks(
    records: Records, replay: Replay, moment: Moment, ends: Mapping[int, Moment] | None = None
) -> tuple[Task, ...]:
    """Return what can be done at `moment`, the most pressing first.

    `ends` has by number when each vote ended that is over. Without it, a vote is over if its time
    was up before `moment`, or if everybody has voted and it may not begin again.
    """
    law = Law.of(replay.current, records.settings, moment)
    tasks = [*_unapplied(records, replay), *_turns(records, replay, law, moment)]
    for proposal in records.of_kind("proposal"):
        matter = proposal.matter
        if matter.status == "open" and proposal.path in replay.tallies:
            tasks += _vote(proposal, records, replay, law, moment, ends)
        elif matter.status == "debate":
            tasks += _debate(proposal, records, replay, law, moment)
        elif matter.status == "draft" and proposal.number is None:
            path, who, typed = proposal.path, matter.author, f"nomicgen register {proposal.stem}"
            what = f"{who or 'its author'} can put the draft {proposal.stem} forward"
            tasks.append(Task(kind="register", what=what, who=who, path=path, command=typed))
    tasks += [
        _awaited_ruling(judgement, records, replay, moment)
        for judgement in records.of_kind("judgement")
        if judgement.matter.status == "pending"
    ]
    tasks += [*_deeds(records, replay, moment), *_deadlines(records, replay, moment)]
    play = play_workflow(records)
    tasks = [
        # The workflow opens no vote, except of a pull request.
        task
        if task.needs_choice or task.address or task.kind == "open"
        else replace(task, address=play)
        for task in tasks
    ]
    return tuple(sorted(tasks, key=urgency))


def play_workflow(records: Records) -> str | None:
    """Return the address of the workflow that does what needs no choice; None if not on GitHub."""
    home = records.settings.repository
    parts = split_address(home) if home is not None and is_web(home) else None
    return (
        f"{home.rstrip('/')}/actions/workflows/play.yml"
        if home and parts and parts.hostname == "github.com"
        else None
    )


def _about(proposal: Proposal, kind: Kind, what: str, **others: Any) -> Task:
    """Return a task about a numbered proposal, with the address at which it is discussed."""
    address = proposal.matter.discussion if is_web(proposal.matter.discussion) else None
    return Task(
        kind=kind,
        what=what,
        path=proposal.path,
        proposal=proposal.number,
        address=address,
        **others,
    )


def _unapplied(records: Records, replay: Replay) -> Iterator[Task]:
    """Yield a task for each instrument that `rules/` does not show yet."""
    for step in ruleset_status(records, replay).waiting if records.initial else ():
        instrument = step.instrument
        yield Task(
            kind="apply",
            what=f"{instrument.name} has taken effect, but rules/ does not show it yet",
            path=instrument.path,
            proposal=instrument.number if instrument.kind == "proposal" else None,
            command="nomicgen apply",
            needs_choice=False,
        )


def _vote(
    proposal: Proposal,
    records: Records,
    replay: Replay,
    law: Law,
    moment: Moment,
    ends: Mapping[int, Moment] | None,
) -> Iterator[Task]:
    """Yield what is to be done about a vote that is open."""
    matter = proposal.matter
    number, tally, edits = (
        proposal.number or 0,
        replay.tallies[proposal.path],
        replay.edits.get(proposal.path),
    )
    resolve = f"nomicgen proposal resolve {number}"
    if has_changed(proposal, edits):
        onward = command_after_change(matter, edits, law)
        what = (
            f"{number} no longer has the text of its vote: {matter.author or 'its author'} "
            "brings that back"
            f"{', or types' if onward else ' (`nomicgen check` says how)'}"
        )
        yield _about(
            proposal,
            "resubmit",
            what,
            who=matter.author,
            command=f"nomicgen proposal {onward} {number}" if onward else None,
        )
        return
    if is_held_elsewhere(matter):
        what = f"the vote on {number} is held on its pull request"
        help = (
            "FILE is GitHub's JSON of its reviews or comments: `nomicgen plumbing tally --help` "
            "says how to fetch it"
        )
        yield _about(proposal, "poll", what, command=f"{resolve} --reviews FILE", help=help)
        return
    again = again_until(proposal, records.turns, law)
    end = _end_of_vote(tally, moment, again and again[0]) if ends is None else ends.get(number)
    if end is not None or not tally.missing:
        typed = tie_vote(records.players, law, tally)
        if typed is not None:
            who = PlayerId(typed.rpartition(" ")[2])
            yield _vote_task(
                proposal, "tie", f"the vote on {number} is tied, and {who} breaks ties", who, typed
            )
            return
    if end is not None:
        yield _about(
            proposal,
            "resolve",
            f"the vote on {number} is over",
            since=end,
            command=resolve,
            needs_choice=False,
        )
        return
    for by_silence, voters in ((False, tally.missing), (True, tally.silent)):
        for voter in voters:
            side = "for" if voter in tally.for_ else "against"
            counts = f"; silence counts {side}" if by_silence else ""
            zone = records.settings.zone_words
            until = f", which closes on {tally.closes}{zone}" if tally.closes is not None else ""
            typed = (
                _options(records.players[voter], law)
                if voter in records.players
                else f"for|against --player {voter}"
            )
            what = f"{voter} has not voted on {number}{until}{counts}"
            yield _vote_task(proposal, "change-vote" if by_silence else "vote", what, voter, typed)
    if tally.may_end and not tally.awaited(moment):
        anew = f", or begin again until {again[0]} (Rule {again[1]})" if again is not None else ""
        yield _about(
            proposal,
            "close",
            f"the vote on {number} can be ended as it stands{anew}",
            command=resolve,
            help=f"`nomicgen proposal resubmit {number}` begins it again" * bool(anew),
        )


def _vote_task(proposal: Proposal, kind: Kind, what: str, who: PlayerId, typed: str) -> Task:
    return _about(
        proposal,
        kind,
        what,
        who=who,
        command=f"nomicgen vote {proposal.matter.ballot_name or proposal.number} {typed}",
    )


def _options(player: Player, law: Law) -> str:
    """Return the end of the command by which a player votes: `for|against --player wren`, or `--die
    FACE` in place of the choice.
    """
    how = (
        "--die FACE"
        if die_of(player, law) is not None
        else f"for|against{'|abstain' * lets_abstain(law)}"
    )
    return f"{how} --player {player.ident}"


def tie_vote(players: Mapping[PlayerId, Player], law: Law, tally: Tally) -> str | None:
    """Return the end of the command that breaks a tie: `for|against --player wren`. None if there
    is no tie, if it is broken, or if nobody breaks ties.
    """
    breaker = tie_break(law)
    if (
        breaker is None
        or not tally.is_tied
        or tally.tie_broken_by is not None
        or breaker.by not in players
    ):
        return None
    if not breaks_ties(players[breaker.by], law):
        return None
    return f"{'--die FACE' if breaker.as_die is not None else 'for|against'} --player {breaker.by}"


def _end_of_vote(tally: Tally, moment: Moment, again: Moment | None) -> Moment | None:
    """Return when a vote ended by `moment`; None if it goes on.

    If it may begin again until `again`, it goes on until then even if all have voted.
    """
    if tally.eligible and not tally.missing and not tally.silent:
        return moment if again is None or again.precedes(moment) else None
    return tally.closes if tally.closes is not None and tally.closes.precedes(moment) else None


def _debate(
    proposal: Proposal, records: Records, replay: Replay, law: Law, moment: Moment
) -> Iterator[Task]:
    """Yield the opening of a vote, or what prevents it. If no rule says how many days the debate
    lasts, opening the vote is the author's choice.
    """
    matter, opening = proposal.matter, f"nomicgen register {proposal.number} --open"
    days = debate_of(law)
    ends = matter.date.plus(days.value) if days is not None and matter.date is not None else None
    if against := against_opening(proposal, records, replay, moment):
        waits = against[0].waits
        due = waits and waits.since
        what = f"{proposal.number}: {against[0].message}"
        if waits is not None:
            what = f"{proposal.number} {waits.predicate}"
        if due is not None:
            what = (
                f"{proposal.number} is in debate (Rule {against[0].rule}): its vote opens on "
                f"{due} or later"
            )
        yield _about(
            proposal,
            "debate",
            what,
            help=f"type `{opening}` then{', or let `nomicgen next --do` do it' * bool(ends)}",
        )
        return
    if ends is not None:
        ends_today = ends if ends.timed and unordered(ends, moment) else None
        over = f"ends on {ends_today}, and then" if ends_today is not None else "is over, and"
        what = f"the debate of {proposal.number} {over} its vote can open"
        yield _about(proposal, "open", what, command=opening, since=ends_today, needs_choice=False)
    else:
        what = f"{matter.author or 'its author'} can put {proposal.number} to the vote"
        yield _about(proposal, "put", what, who=matter.author, command=opening)


def _deeds(records: Records, replay: Replay, moment: Moment) -> Iterator[Task]:
    """Yield a task for each kind of deed that players can do now, and each file it is about."""
    # `done` is the deed as the first of the players in `able` would do it.
    on_forge = play_workflow(records) is not None
    for kind, done, able in (
        possible_deeds(records, replay, moment) if not replay.is_lawless else ()
    ):
        number = done.about.number if isinstance(done.about, Proposal) else None
        about = "" if isinstance(done.about, Turn) else f" {done.about.number}"
        yield Task(
            kind="do",
            what=f"{listed(able)} can {kind.name} {done.name}",
            who=able[0] if len(able) == 1 else None,
            path=done.path,
            proposal=number,
            command=f"nomicgen do {kind.name}{about} --player "
            f"{able[0] if len(able) == 1 else 'ID'}",
            comment=f"/{kind.name}{about}" if on_forge else None,
        )


def _deadlines(records: Records, replay: Replay, moment: Moment) -> Iterator[Task]:
    """Yield what has a deadline. If it has passed, `next --do` writes what the rules say of that,
    unless a player has to throw dice before.
    """
    for due in deadlines(records, replay, moment):
        is_late = due.is_over(moment)
        turn = records.turn_at(due.path)
        if turn is not None and (lacks := throws_before(due, records, replay, moment)):
            # A pull request ends nothing before what was decided last.
            last = last_decision(records, moment)
            ended = moment.day if last is not None and due.moment.precedes(last) else due.moment
            keys = f"`ended: {ended}` and `dice: [{', '.join(['FACE'] * lacks)}]`"
            yield Task(
                kind="throw",
                what=f"{due.missed}, and {turn.matter.player} has to throw, and then {due.then}",
                who=turn.matter.player,
                path=due.path,
                since=due.late_from,
                command=f"nomicgen turn {turn.ident}{' --dice FACE' * lacks} --end",
                help=f"in a browser: a pull request of {turn.matter.player}'s that adds {keys} to "
                f"{due.path}",
                is_stuck=True,
                throws=lacks,
            )
            continue
        then = f", and then {due.then}" if due.then and not (is_late and due.at_once) else ""
        yield Task(
            kind="advance" if is_late and due.happens else "due",
            what=f"{due.missed}{then}"
            if is_late
            else f"{due.what}, until {due.moment} (Rule {due.rule}){then}",
            rule=due.rule,
            path=due.path,
            since=due.late_from if is_late else None,
            command="nomicgen next --do" if is_late and due.happens else None,
            needs_choice=not (is_late and due.happens),
        )


def _awaited_ruling(judgement: Judgement, records: Records, replay: Replay, moment: Moment) -> Task:
    matter, asked = judgement.matter, judgement.matter.judge
    judges = able_judges(judgement, records, replay, moment)
    # Another turn has begun, perhaps, and with it another player judges.
    replaced = asked is not None and bool(judges) and asked not in judges
    able = judges if replaced or len(judges) == 1 else [asked] * (asked is not None)
    named = " or ".join(map(str, able))
    written = [] if judgement.ruling else ["`## Ruling` with the ruling"]
    written += [] if asked in able else [f"`judge: {named or 'ID'}`"]
    # Until now `date` says when it was asked for.
    written += [f"`date: {moment.day}`", "`status: upheld`"]
    waits = f"{named} in place of {asked}" if replaced else named or "a judge"
    return Task(
        kind="judge",
        what=f"{judgement.name} waits for {waits}",
        who=able[0] if len(able) == 1 else None,
        path=judgement.path,
        help=f"write {joined(written)} into {judgement.path}"
        + ", and delete `turn`" * (replaced and matter.turn is not None),
    )


def _turns(records: Records, replay: Replay, law: Law, moment: Moment) -> Iterator[Task]:
    """Yield what can be done in the turns that are being played, unless one of them is overdue; and
    the next turn, if it can begin or waits for something.
    """
    running = replay.unended_turns
    if overdue_turn(records, replay, moment) is None:
        for turn in running:
            yield from _in_turn(turn, records, law, moment, named=len(running) > 1)
    following = replay.next_turn
    waiting = [step.instrument.name for step in replay.pending if step.effective is None]
    if following is None and waiting and not running:
        what = f"for which {listed(waiting)} {'waits' if len(waiting) == 1 else 'wait'}"
        yield _turn_of_anybody(what, turn_after_last(records, replay), law, moment)
    if following is None or following.ident in records.turns or (running and not lets_overlap(law)):
        return
    name, won = f"{following.ident} of {following.player}", replay.winner is not None
    who, path = following.player, f"turns/{following.ident}.yml"
    if stay := stay_of_turn(following, records, replay, moment):
        why, help = stay
        yield Task(kind="due", what=f"{name} cannot begin {why}", who=who, path=path, help=help)
        return
    yield Task(
        kind="begin",
        what=f"{name} can begin{' already' * bool(running)}{', though the game is won' * won}",
        who=who,
        path=path,
        command=f"nomicgen turn {following.ident}" if running else "nomicgen turn",
        needs_choice=won or bool(running),
    )


def _turn_of_anybody(what: str, ident: str, law: Law, moment: Moment) -> Task:
    """Return what is to be done about the next turn if instruments wait for it, as `what` says
    (`for which Proposal 305 waits`), and the rules name nobody for it.
    """
    if has_turn_order(law):
        what = f"the next turn, {what}, is nobody's: no player who takes turns is active"
        help = "`nomicgen player return ID` ends an absence"
        return Task(kind="due", what=what, path=f"turns/{ident}.yml", help=help)
    return Task(
        kind="begin",
        what=f"the next turn can begin, {what}; no rule says whose turn it is",
        path=f"turns/{ident}.yml",
        command=f"nomicgen turn {ident} --player ID",
        help=f"in a browser: a pull request that adds turns/{ident}.yml, with `player: ID` "
        f"and `began: {moment.day}`",
    )


def _in_turn(
    turn: Turn, records: Records, law: Law, moment: Moment, *, named: bool
) -> Iterator[Task]:
    """Yield what can be done in a turn: proposing, by its player or by anybody; passing; throwing
    dice; ending it.

    With `named` the commands name the turn.
    """
    typed = f"nomicgen turn {turn.ident}" if named else "nomicgen turn"
    made, whose = standing_in(turn, WatchedRecords(records)), turn.matter.player
    matters = (proposal.matter for proposal in records.of_kind("proposal"))
    drafted = any(matter.status == "draft" and matter.author == whose for matter in matters)
    path = f"turns/{turn.ident}.yml"
    anybody, player = rule_of_proposers(law) is None, records.players.get(whose)
    rests = player is not None and not is_active(player, moment)
    if has_room(len(made), law) and not drafted and (anybody or not rests):
        yield Task(
            kind="propose",
            what=f"it is {whose}'s turn ({turn.ident}): {'anybody' if anybody else whose} can "
            "propose",
            who=None if anybody else whose,
            path=path,
            command=f"nomicgen propose --title TITLE --author {'ID' if anybody else whose}",
        )
    if not made and lets_pass(law):
        what = f"{whose} can pass the turn ({turn.ident})"
        yield Task(kind="pass", what=what, who=whose, path=path, command=f"{typed} --pass")
    if any(proposal.matter.is_undecided for proposal in made) or (not made and needs_proposal(law)):
        return
    if lacks := missing_throws(turn, law, records.players, moment, passed=False):
        many = "a die" if lacks == 1 else f"{lacks} dice"
        what = f"{whose}'s turn ({turn.ident}) has {many} to throw"
    else:
        what = f"{whose} can end the turn ({turn.ident})"
    yield Task(
        # Before there is a proposal, nobody waits for the throw.
        kind="throw" if lacks and made else "end",
        what=what,
        who=whose,
        path=path,
        command=f"{typed}{' --dice FACE' * lacks} --end",
        throws=lacks,
    )
