"""What open pull requests ask for: drafts are registered, votes counted and ended, proposals
withdrawn or put to the vote again.

Every run looks at all pull requests that it is given, and brings the game to where it should be:
run again on what it made, it does nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from nomicgen.files.urls import is_pull
from nomicgen.law.gate import deeds_in_force
from nomicgen.law.judging_kind import deed_kinds
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.values import Moment
from nomicgen.play.doing import do_deed
from nomicgen.play.load import Game, as_of, law_on, local
from nomicgen.play.move import Move
from nomicgen.play.open_tasks import open_tasks
from nomicgen.play.possible_moves import do_next, whats_next
from nomicgen.play.proposing import proposal_of
from nomicgen.play.refusal import Refused
from nomicgen.play.resolving import with_votes, withdraw
from nomicgen.play.tasks import Task
from nomicgen.play.unclaimed_players import JOIN, how_to_join, unclaimed_seats
from nomicgen.play.voting.ended import MoveSequence, VoteSources, open_votes, vote_end
from nomicgen.pulls.drafts import merge_of, proposal_debated_at, put_again, register_from
from nomicgen.pulls.examine import Pull, examine
from nomicgen.pulls.forge.github import Recorded, Request
from nomicgen.pulls.forge.pull_list import PullRequest
from nomicgen.pulls.forge_tally import player_with, recorded_votes
from nomicgen.pulls.request import players_of
from nomicgen.repository.errors import RepositoryError

_LONG = 2
"""This many days after its day, something has long been due: only a run by hand writes it."""
_OPEN, _OLD = "open", "vote"
"""The label, also the word of a comment, that asks for a vote to be opened; and its old name."""
OLD_WORD_HINT = (
    "To ask for the vote, comment `/open`, or set the label `open`. In this release `/vote` alone "
    "and the label `vote` still do the same; `/vote for …` and the like are votes."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedPull:
    """A pull request, with what was recorded of its reviews, comments and reactions."""

    pull: PullRequest
    recorded: Recorded


def play_pulls(
    game: Game, cases: Sequence[RecordedPull], on: Moment, *, by_hand: bool = False
) -> PullsRun:
    """Do what is due by `on`, and what the open pull requests ask for; if one asks in vain, the
    others are served all the same.

    `by_hand` says that a person started this run: then it also writes what has long been due about
    one file, and begins the next turn.
    """
    run = PullsRun(game, cases, on, by_hand)
    run.do_deeds()  # before votes end: a deed may decide one
    run.take_back()
    run.end()
    run.put_all_forward()
    run.end()
    if by_hand and run.begin():
        run.put_all_forward()  # what waited for this turn
    return run


@dataclass(slots=True)
class PullsRun:
    """What is to be done, as one move with a commit for each part, and what became of each pull
    request.

    `recorded` are all pull requests, `cases` those of them that matter. Numbers are those of pull
    requests, except in `stuck`. `pulls` has those that were read, as git has them, judged.
    `strangers` are not read: no player has their account, and they hold no registered proposal.
    `wrong` says why one could not be read, or why what it asks for was refused; `put_off` has those
    that `wrong` names because they cannot be put forward yet. `merged` are those that the move
    merges; `unmerged` says why an adopted one is not merged. `stuck` says, by the proposal's
    number, why a vote cannot be counted, or is over and cannot be ended; `trouble` says why what
    the rules do by themselves was refused. `undone` says, by number, account and deed, why a deed
    was not done; `waiting` says, by file, why something due is not written yet. `late` is the file
    about which this run wrote something long due. `unbegun` says why a run by hand began no turn.
    `now` is the game after the moves so far.
    """

    game: Game
    recorded: Sequence[RecordedPull]
    on: Moment
    by_hand: bool = False
    cases: list[RecordedPull] = field(init=False)
    moves: MoveSequence = field(init=False)
    pulls: dict[int, Pull] = field(default_factory=dict)
    wrong: dict[int, Refused] = field(default_factory=dict)
    put_off: set[int] = field(default_factory=set)
    unmerged: dict[int, str] = field(default_factory=dict)
    strangers: set[int] = field(default_factory=set)
    trouble: Refused | None = None
    undone: dict[tuple[int, str, str], Refused] = field(default_factory=dict)
    waiting: dict[str, str] = field(default_factory=dict)
    late: str | None = None
    unbegun: str | None = None

    def __post_init__(self) -> None:
        # A closed one matters only while a vote is held on it.
        cases = (case for case in self.recorded if case.pull.is_open or self._is_voted_on(case))
        self.cases = sorted(cases, key=lambda case: case.pull.number)
        self.moves = MoveSequence(before=self.game, on=self.on)
        for case in self.cases:
            # An account that is gone is no player's.
            actor = case.pull.login or ""
            plays = players_of(actor, self.game.records.players.values())
            if not plays and not proposal_debated_at(self.game, case.pull.url):
                # Reading it might take long: anybody may open a pull request, and others wait for
                # this run.
                self.strangers.add(case.pull.number)
                continue
            try:
                self.pulls[case.pull.number] = examine(
                    self.game.root, "HEAD", case.pull.head, actor=actor, until=self.game.until
                )
            except RepositoryError as error:
                self.wrong[case.pull.number] = Refused(error.message, error.remedy)

    def _is_voted_on(self, case: RecordedPull) -> bool:
        known = proposal_debated_at(self.game, case.pull.url)
        return known is not None and known.matter.status == "open"

    @property
    def now(self) -> Game:
        return self.moves.game

    def do_deeds(self) -> bool:
        """Record the deeds that players did by comments, the earliest first, each as of when it was
        written. Return whether any was recorded.
        """
        before = len(self.moves.parts)
        said = [
            (request.at, case, request)
            for case in self.cases
            for request in case.recorded.requests
            if request.at
        ]
        for at, case, request in sorted(said, key=lambda one: one[0]):
            if (
                request.what not in deed_kinds()
                or request.by is None
                or request.bot
                or request.fault
            ):
                continue
            key = (case.pull.number, request.by, request.what)
            try:
                self.undone.pop(key, None)
                self._do(case, request, request.by, local(at, self.game.settings))
            except Refused as refused:
                self.undone[key] = refused
        return len(self.moves.parts) > before

    def _do(self, case: RecordedPull, request: Request, login: str, at: Moment) -> None:
        about, player = request.about, player_with(self.now, login, at)
        if isinstance(player, str):
            raise Refused(f"{login} comments `/{request.what}`, and {player}", JOIN)
        of_proposal = deed_kinds()[request.what][1].about == "proposal"
        if about is None and of_proposal:
            known = proposal_debated_at(self.now, case.pull.url)
            if known is None:
                why = f"{login} comments `/{request.what}`, and the proposal has no number yet"
                raise Refused(why, f"comment `/{request.what}` again when it has one")
            about = str(known.number)
        path = f"proposals/{about}.md"
        proposal = self.now.records.proposal(path) if of_proposal else None
        possible = {kind.name for kind in deeds_in_force(law_on(self.now, at))}
        if request.what in possible and proposal and at.precedes(proposal.matter.date):
            why = f"{login} commented `/{request.what}` before Proposal {about} got its number"
            raise Refused(why, f"comment `/{request.what}` again")
        is_open = proposal is not None and proposal.matter.status == "open"
        end = self._ended(int(about or 0)) if is_open else None
        # A comment from after the end of the vote is recorded once the vote is decided.
        if not self.on.precedes(at) and (end is None or not end.precedes(at)):
            self.moves.make(do_deed(self.now, request.what, about, player.ident, at))

    def take_back(self) -> None:
        """Withdraw proposals, or put them to the vote again, where the authors asked in time."""
        for case, number in self._registered():
            try:
                self._take_back(case, number)
            except Refused as refused:
                self.wrong.setdefault(case.pull.number, refused)

    def _take_back(self, case: RecordedPull, number: int) -> None:
        matter = proposal_of(self.now, number).matter
        if matter.status not in ("debate", "open"):
            return
        end = self._ended(number) if matter.status == "open" else None
        since = matter.date or matter.opened
        moment = self._when_asked(case, ("withdraw",), since, end)
        if moment is not None:
            # The vote may have opened since the author asked: an earlier run may have refused them.
            self.moves.make(withdraw(self.now, number, max(moment, matter.opened or moment)))
            return
        moment = self._when_asked(case, ("resubmit",), matter.opened, end)
        if moment is not None and matter.status == "open":
            # Not as of when it was asked: the pull request may have got its present text long after
            # that.
            self.moves.make(put_again(self.now, number, self._pull(case), self._time_of(moment)))

    def _ended(self, number: int) -> Moment | None:
        """Return when a vote was over, with the votes on its pull request; None if it is not."""
        votes = self._votes(self.now, number, self.on)
        return vote_end(with_votes(self.now, number, votes), number, self.on)

    def _when_asked(
        self, case: RecordedPull, words: Collection[str], since: Moment | None, until: Moment | None
    ) -> Moment | None:
        """Return when the author first asked for one of `words`: after `since`, and no later than
        `until` or this run. None if they did not; a bound that is None does not count.
        """
        for request in case.recorded.requests:
            moment = local(request.at, self.game.settings) if request.at is not None else None
            if (
                request.what not in words
                or request.fault
                or moment is None
                or not _is_author(request, case.pull)
            ):
                continue
            if self.on.precedes(moment):
                continue
            if (since is None or moment > since) and (until is None or not until.precedes(moment)):
                return moment
        return None

    def _last_withdrawn(self, case: RecordedPull) -> Moment | None:
        """Return when the author last took a draft back; None if they never did."""
        last = None
        while (later := self._when_asked(case, ("withdraw",), last, None)) is not None:
            last = later
        return last

    def uses_old_word(self, case: RecordedPull) -> bool:
        """Return whether a pull request asks for its vote, and only by the old word."""
        new = self._when_asked(case, (_OPEN,), None, None) is not None or _OPEN in case.pull.labels
        return not new and (
            self._when_asked(case, (_OLD,), None, None) is not None or _OLD in case.pull.labels
        )

    def _time_of(self, asked: Moment) -> Moment:
        """Return the moment as of which a request is done: that of the run. If the run has only a
        day, it is the request's own time, so that it is clear what came after it.
        """
        return self.on if self.on.timed else max(self.on, asked)

    def end(self) -> None:
        """End the votes that are over, and let the rules do what they do by themselves."""
        self.waiting.clear()
        left = frozenset(self._votes_elsewhere())
        polls = VoteSources(votes=self._votes, merges=self._merges, skips=left, waits=self._waits)
        self.trouble, before = None, -1
        # Again while something happens: a vote may have waited for a player who is inactive now.
        while len(self.moves.parts) > before:
            self.moves.decide(polls)
            before = len(self.moves.parts)
            try:
                self.moves.catch_up(self.on, polls)
            except Refused as refused:
                self.trouble = refused

    def begin(self) -> bool:
        """Begin the next turn if that needs no choice, and carry out what takes effect with it.
        Return whether it has begun.
        """
        before = len(self.moves.parts)
        # Why a turn cannot begin keeps nothing else from being done.
        with suppress(Refused):
            self.moves.make(do_next(self.now, self.on, ("begin", "apply")).move)
            if len(self.moves.parts) == before:
                self.unbegun = self._why_unbegun()
        return len(self.moves.parts) > before

    def _why_unbegun(self) -> str | None:
        """Return why the next turn does not begin; None if there are no turns."""
        records = self.now.records
        for task in whats_next(self.now, self.on):
            is_of_next = task.path.startswith("turns/") and records.turn_at(task.path) is None
            if task.kind in ("begin", "due") and is_of_next:
                return task.what
        running = self.now.replay.running
        return f"{running[0].ident} of {running[0].matter.player} goes on" if running else None

    def _waits(self, path: str, due: Moment) -> bool:
        """Return whether what was due about a file has to wait, and note why.

        It waits for a pull request that was opened in time and would do what was due: nobody pays
        for a robot's delay. What has long been due waits for a run by hand, which writes it for one
        file: so players read of it before, and can do something about it.
        """
        number = next(
            (case.pull.number for case in self.cases if self._meets(case, path, due)), None
        )
        if number is not None:
            self.waiting[path] = f"pull request {number}, which was opened in time, may do it"
        elif due.plus(_LONG).precedes(self.on) and not (self.by_hand and self.late in (None, path)):
            self.waiting[path] = (
                "what the rule says is written when somebody runs *Play* by hand, or types "
                "`nomicgen next --do`"
            )
        else:
            self.late = path if due.plus(_LONG).precedes(self.on) else self.late
            return False
        self.waiting[path] = f"{path} has been due since {due}, and {self.waiting[path]}"
        return True

    def _meets(self, case: RecordedPull, path: str, due: Moment) -> bool:
        """Return whether a pull request would do what was due about a file, and was opened no later
        than that.

        A draft does what is due about its author's turn, if the vote was asked for by then.
        """
        pull, at, number = self.pulls.get(case.pull.number), case.pull.opened, case.pull.number
        if (
            pull is None
            or at is None
            or not case.pull.is_open
            or number in self.wrong
            or pull.verdict.refused
        ):
            return False
        opened = local(at, self.game.settings)
        if pull.verdict.kind == "proposal":
            turn = self.now.records.turn_at(path)
            back = self._last_withdrawn(case)
            asked = self._when_asked(case, (_OPEN, _OLD), back, Moment.of(due.day))
            # When a label was set is not recorded. A draft whose vote nobody asked for is no help.
            opened = asked or (opened if back is None and _has_label(case) else self.on)
            is_met = turn is not None and turn.matter.player in pull.verdict.players
            is_met = is_met and proposal_debated_at(self.now, case.pull.url) is None
        else:
            is_met = path in pull.verdict.paths
        return is_met and not due.precedes(opened)

    def _registered(self) -> Iterator[tuple[RecordedPull, int]]:
        """Yield each pull request whose draft is registered, with the proposal's number."""
        for case in self.cases:
            known = proposal_debated_at(self.now, case.pull.url)
            if known is not None and known.number is not None:
                yield case, known.number

    def _case(self, game: Game, number: int) -> RecordedPull | None:
        discussion = _discussion(game, number)
        return next((case for case in self.cases if case.pull.url == discussion), None)

    def _votes(self, game: Game, number: int, on: Moment) -> Mapping[PlayerId, object] | None:
        case = self._case(game, number)
        return recorded_votes(game, number, case.recorded, on) if case is not None else None

    def _merges(self, game: Game, number: int) -> tuple[str | None, str]:
        case = self._case(game, number)
        if case is None:
            return None, ""
        if case.pull.number not in self.pulls:
            merges, why = (
                None,
                f"{case.pull.head[:12]} is not merged: {self.wrong[case.pull.number].message}",
            )
        else:
            merges, why = merge_of(game, number, self.pulls[case.pull.number])
        if why:
            self.unmerged[case.pull.number] = why
        return merges, why

    def _votes_elsewhere(self) -> Iterator[int]:
        """Yield the proposals, by number, whose open vote is on a pull request that this run was
        not given: it cannot count that vote.
        """
        for number in open_votes(self.now):
            discussion = _discussion(self.now, number)
            if is_pull(discussion) and self._case(self.now, number) is None:
                yield number

    def put_all_forward(self) -> None:
        """Put forward what can be, and record what players do about it."""
        again = True
        while again:
            for case in self.cases:
                self.put_forward(case)
            again = self.do_deeds()  # about what has a number only now; then another vote may open

    def put_forward(self, case: RecordedPull) -> None:
        """Register the draft of a pull request if its author or a label asks for the vote; bring
        one that is in debate up to date.
        """
        number = case.pull.number
        if not case.pull.is_open:
            return
        if number in self.put_off:
            self.put_off.discard(number)
            del self.wrong[number]  # what it waited for may have come in this run
        try:
            known = proposal_debated_at(self.now, case.pull.url)
            back = self._last_withdrawn(case) if known is None else None
            asked_at = self._when_asked(case, (_OPEN, _OLD), back, None)
            # When a label was set is not recorded: the author may have withdrawn after that.
            asked = asked_at is not None or (back is None and _has_label(case))
            if known is None and not asked:
                return
            if number in self.strangers:
                raise self._refuse_stranger(case.pull.login)
            if known is not None and known.matter.status != "debate":
                return
            on = self.on if asked_at is None else self._time_of(asked_at)
            self.moves.make(
                register_from(self.now, self._pull(case), on, discussion=case.pull.url, opens=asked)
            )
        except Refused as refused:
            if number not in self.wrong and refused.waits is not None:
                self.put_off.add(number)
            self.wrong.setdefault(number, refused)

    def _refuse_stranger(self, login: str | None) -> Refused:
        """Return the refusal for somebody who asks for a vote and is no player."""
        seats = unclaimed_seats(self.now.records.players.values(), self.on)
        return Refused(
            f"no player of this game has the account {login or 'of its author, which is gone'}",
            how_to_join(login, seats) if login else JOIN,
        )

    def _pull(self, case: RecordedPull) -> Pull:
        """Return a pull request as git has it. Raises Refused where it could not be read."""
        if case.pull.number not in self.pulls:
            raise self.wrong[case.pull.number]
        return self.pulls[case.pull.number]

    @property
    def move(self) -> Move:
        return self.moves.move

    @property
    def throws(self) -> tuple[Task, ...]:
        """The throws without which a turn that is over cannot end."""
        then = as_of(self.now, self.on)
        tasks = open_tasks(then.records, then.replay, self.on)
        return tuple(task for task in tasks if task.kind == "throw" and task.is_stuck)

    @property
    def merged(self) -> frozenset[int]:
        merges = {part.merges for part in self.moves.parts if part.merges is not None}
        return frozenset(case.pull.number for case in self.cases if case.pull.head in merges)

    @property
    def stuck(self) -> dict[int, Refused]:
        return {**self.moves.refused, **self._over_elsewhere()}

    def _over_elsewhere(self) -> dict[int, Refused]:
        """Return why votes that are over cannot be ended: their pull requests were not given."""
        return {
            number: Refused(
                "its pull request is closed, and the votes on it were not read: "
                f"{_discussion(self.now, number)}",
                f"reopen it; or count them by hand, `nomicgen proposal resolve {number} "
                "--reviews FILE`",
            )
            for number in self._votes_elsewhere()
            if vote_end(self.now, number, self.on) is not None
        }


def _discussion(game: Game, number: int) -> str | None:
    return proposal_of(game, number).matter.discussion


def _has_label(case: RecordedPull) -> bool:
    """Return whether a label, by its new or its old name, asks for the vote."""
    return not {_OPEN, _OLD}.isdisjoint(case.pull.labels)


def _is_author(request: Request, pull: PullRequest) -> bool:
    return (
        not request.bot
        and request.by is not None
        and pull.login is not None
        and request.by.lower() == pull.login.lower()
    )
