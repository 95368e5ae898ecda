"""What happens in a game besides changes of rules: turns begin and end, players join and leave,
points are given, sunsets fall due.

The fold tells it of every event, and it judges each turn by the law of its own moment. If a turn
ends on the day of an instrument, the instrument comes first if it names that turn: a die is thrown
at the end of a turn, after what was decided in it.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from copy import copy
from datetime import date
from fractions import Fraction
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.law.gate import license_effect
from nomicgen.law.judging_kind import deed_kinds
from nomicgen.law.limits import apply_instrument
from nomicgen.law.precedence import Law
from nomicgen.law.provisions.effect import own_moment
from nomicgen.law.provisions.points import Points
from nomicgen.law.provisions.victory import find_winner
from nomicgen.law.replay.awarded_points import points_for, points_in_file, wrong_dice
from nomicgen.law.replay.correction_acts import is_correction
from nomicgen.law.replay.due_changes import Sunsets
from nomicgen.law.replay.effects import Effect, EffectKind, Verdict
from nomicgen.law.replay.events import Event, Timeline, is_after
from nomicgen.law.replay.player_spans import is_player
from nomicgen.law.replay.results import (
    OPENING,
    DueChange,
    NextTurn,
    Ruleset,
    ScoreLine,
    Step,
    Winner,
)
from nomicgen.law.replay.seats import TurnsPlayed
from nomicgen.law.replay.turn_order import anybody_proposes, lets_overlap, next_turn_of
from nomicgen.law.replay.turn_proposals import has_proposal, is_of_turn
from nomicgen.law.replay.watched_records import WatchedRecords
from nomicgen.law.subjects import (
    DeedDone,
    PlayerChange,
    PlayerVerb,
    PointsGiven,
    ProposalMade,
    State,
    Subject,
    TurnBegun,
    TurnEnded,
    deeds_of,
    license_of,
)
from nomicgen.law.voting.tally import Tally
from nomicgen.model.findings import Finding, Findings
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Act, Instrument, Player, Proposal, Turn
from nomicgen.model.values import Moment

_T = TypeVar("_T")
StateAt = Callable[[Moment | None], State]
"""Gives the state of a moment, with the rules as they are now."""


class _DatedMark(Struct, frozen=True):
    """The beginning or the end (`ends`) of a turn, a deed in it, or a player and what that player
    does, such as `joins`.
    """

    moment: Moment
    turn: Turn | None = None
    ends: bool = False
    deed: DeedDone | None = None
    player: Player | None = None
    what: PlayerVerb = "joins"

    @property
    def place(self) -> tuple[int, int]:
        """The place within a day. Players come first: whoever joins on the day on which a turn
        begins is there when it does.
        """
        return self.turn.order if self.turn is not None else (0, 0)


class Gameplay:
    """What happens besides changes of rules in one replay, up to its day.

    `findings` and `effects` are the lists of the fold, which also makes each `State`.
    """

    def __init__(
        self,
        watched: WatchedRecords,
        initial: Ruleset,
        until: Moment | None,
        findings: list[Finding],
        effects: list[Effect],
    ) -> None:
        self.watched, self.until, self.findings, self.effects = watched, until, findings, effects
        self.timeline = Timeline(watched)
        self.sunsets = Sunsets(initial, watched.settings)
        self.lines: list[ScoreLine] = []
        self.winner: Winner | None = None
        self._scores: defaultdict[PlayerId, Fraction] = defaultdict(Fraction)
        self._marks = deque(_marks(watched))
        self.played = TurnsPlayed()
        self._proposals: Counter[str] = Counter()  # how many each turn has
        self._missed: set[tuple[int, Moment]] = set()  # sunsets that are reported already
        # Ids of turns whose dice were right by the law of the moment at which they began.
        self._fitting: set[str] = set()

    def fork(
        self,
        watched: WatchedRecords,
        until: Moment | None,
        findings: list[Finding],
        effects: list[Effect],
    ) -> Gameplay:
        """Return a copy that has come as far, for a game with the same players and settings."""
        fork = forked(self)
        fork.watched, fork.until, fork.findings, fork.effects = watched, until, findings, effects
        fork.played, fork.sunsets = forked(self.played), forked(self.sunsets)
        return fork

    def license_and_report(self, subject: Subject, now: State) -> Verdict:
        """Return the verdict on an effect, and report what is wrong with it."""
        verdict = license_effect(subject, now)
        self.findings.extend(verdict.findings)
        return verdict

    def record_effect(
        self, subject: Subject, now: State, kind: EffectKind, path: str, words: str
    ) -> Verdict:
        """Record an effect with the verdict on it, and report what is wrong with it."""
        verdict = self.license_and_report(subject, now)
        self.effects.append(verdict.effect(kind, path, words, now.moment))
        return verdict

    def advance_to(self, event: Event, state_at: StateAt, *, waits: bool) -> None:
        """Take all that comes before an event; `waits`: it takes effect when a turn begins."""
        if event.moment is not None:
            self._take_before(event, event.moment, state_at, waits=waits)
        if event.phase == "decided":
            self.played.note_archived_round(event.instrument, self.watched.turns)

    def _take_before(self, event: Event, moment: Moment, state_at: StateAt, *, waits: bool) -> None:
        """Take the marks that come before an event, which is at `moment`."""
        count = 0
        for index, mark in enumerate(self._marks):
            if moment.day < mark.moment.day or is_after(mark.moment, self.until):
                break
            # Marks are in order: those before a mark that precedes the event precede it too, even
            # if their own days do not prove it.
            if self._precedes(mark, event, moment, waits=waits):
                count = index + 1
            elif not moment.timed:
                break  # marks of one day stand in their order, and no hour says more
        self._take_first(count, state_at)

    def _take_first(self, count: int, state_at: StateAt) -> None:
        for _ in range(count):
            mark = self._marks.popleft()
            self._take(mark, state_at(mark.moment))

    def _precedes(self, mark: _DatedMark, event: Event, moment: Moment, *, waits: bool) -> bool:
        """Return whether a mark comes before an event, which is at `moment`."""
        if moment.precedes(mark.moment):
            return False
        if mark.moment.precedes(moment) or mark.turn is None:
            return True
        place = mark.turn.order
        own = self.watched.turns.get(event.instrument.matter.turn or "")
        if waits:
            own = self.timeline.after(event.instrument)
            return own is not None and place < own.order
        if isinstance(event.instrument, Act) and own is None:
            # The act that opens an archive comes first on its day, which is played by its law;
            # other acts without a turn come last.
            return event.instrument.matter.cause != OPENING
        return own is not None and (place < own.order or (place == own.order and not mark.ends))

    def _take(self, mark: _DatedMark, now: State) -> None:
        if mark.turn is None:
            assert mark.player is not None
            ident = mark.player.ident
            change = PlayerChange(mark.player, mark.what)
            self.record_effect(change, now, "seat", f"players/{ident}.yml", f"{ident} {mark.what}")
        elif mark.deed is not None:
            self.record_deed(mark.deed, now)
        elif mark.ends:
            self._end(mark.turn, now)
        else:
            self._begin(mark.turn, now)

    def record_deed(self, done: DeedDone, now: State) -> None:
        """Record that a player does what a rule lets players do."""
        _, kind = deed_kinds().get(done.deed.do, (None, None))
        words = (
            f"{done.deed.by} {kind.done if kind is not None else f'does {done.deed.do}:'} "
            f"{done.name}"
        )
        self.record_effect(done, now, "deed", done.path, words)

    def _begin(self, turn: Turn, now: State) -> None:
        running = tuple(
            ident
            for ident, turn in self.played.running.items()
            if not self._has_left(turn, now.moment)
        )
        self._record_turn(TurnBegun(turn, running), "begins", now)
        self.played.add(turn)
        if turn.matter.ended is None:  # a throw that is too early is reported while it is played
            self.license_and_report(TurnEnded(turn, proposed=False), now)
            self._fitting |= set() if self._wrong_dice(turn, now) else {turn.ident}
        # A turn whose end nobody recorded was over when the next one began, unless a rule lets
        # turns overlap.
        overlap, before = lets_overlap(now.law), self.played.running
        still = {
            ident: turn
            for ident, turn in before.items()
            if overlap or turn.matter.ended is not None
        }
        for _ in range(len(before) - len(still)):
            self.sunsets.turn_ended(now.moment)
        self.played.running = {**still, turn.ident: turn}
        self._end_rounds(now)

    def _end(self, turn: Turn, now: State) -> None:
        self.played.running.pop(turn.ident, None)
        left = self._has_left(turn, now.moment)
        # Asked last, since it looks through all proposals.
        proposed = self._proposals[turn.ident] > 0 or (
            not (left or turn.matter.passed)
            and has_proposal(turn, self.watched, anybody=anybody_proposes(now.law))
        )
        self._record_turn(
            TurnEnded(turn, proposed, left), "passes" if turn.matter.passed else "ends", now
        )
        if turn.matter.dice or not left:
            self.findings.extend(self._wrong_dice(turn, now))
        self._award(points_for(turn, None, now), now)
        self._give_by_hand(turn, now)
        self.sunsets.turn_ended(now.moment)
        self._end_rounds(now)

    def _record_turn(self, subject: TurnBegun | TurnEnded, how: str, now: State) -> None:
        turn = subject.turn
        self.record_effect(
            subject,
            now,
            "turn",
            f"turns/{turn.ident}.yml",
            f"{turn.matter.player} {how} {turn.ident}",
        )

    def _wrong_dice(self, turn: Turn, now: State) -> list[Finding]:
        return wrong_dice(turn, now.law, self.watched.players, now.moment)

    def _has_left(self, turn: Turn, moment: Moment | None) -> bool:
        """Return whether the player of a turn is known, and does not play any more at `moment`."""
        player = self.watched.players.get(turn.matter.player)
        return player is not None and not is_player(player, moment)

    def _end_rounds(self, now: State) -> None:
        """Note that the rounds before that of the next turn have ended, if none of their turns is
        still played.
        """
        following = next_turn_of(self.watched.players, now.law, self.played, now.moment)
        last = self.played.last
        assert last is not None, "what ends has begun"
        ended = (following.round if following is not None else last.order[0]) - 1
        if not any(turn.order[0] <= ended for turn in self.played.running.values()):
            self.sunsets.round_ended(ended, now.moment)

    def _give_by_hand(self, giver: Instrument | Turn, now: State) -> None:
        """Award the points that a file gives by hand, except where the rules refuse them."""
        lines: list[ScoreLine] = []
        for line, verdict in self._by_hand(giver, now):
            if verdict.is_lawful:
                lines.append(line)
            else:
                self._record_points(line, verdict, now)
        self._award(lines, now)

    def _by_hand(self, giver: Instrument | Turn, now: State) -> Iterator[tuple[ScoreLine, Verdict]]:
        """Yield each line of points that a file gives by hand, with the verdict on it; report what
        is wrong.
        """
        before: list[ScoreLine] = []
        points = giver.matter.points or ()
        is_dated = isinstance(giver, Turn) or giver.decided is not None
        lines = points_in_file(points, giver.source, now.moment if is_dated else None)
        for award, line in zip(points, lines, strict=True):
            verdict = self.license_and_report(
                PointsGiven(line, giver, award.under, tuple(before)), now
            )
            rule = verdict.licences[0].rule if verdict.licences else None
            before.append(replace(line, rule=rule))
            yield before[-1], verdict

    def _record_points(self, line: ScoreLine, verdict: Verdict, now: State) -> None:
        """Record an effect such as `wren: 5 → 105 points (proposal 301 adopted)`."""
        before = self._scores.get(line.player, Fraction(0))
        words = f"{line.player}: {before} → {before + line.amount} points ({line.reason})"
        effect = verdict.effect("points", line.span.file, words, now.moment)
        change = f"{line.player}: {line.amount} ({line.reason})"
        self.effects.append(replace(effect, change=change))

    def _award(self, lines: Iterable[ScoreLine], now: State) -> None:
        for line in lines:
            rule = None if line.rule is None else now.ruleset.get(line.rule)
            self._record_points(
                line, Verdict(() if rule is None else (license_of(rule, Points),)), now
            )
            self.lines.append(line)
            self._scores[line.player] += line.amount
        self.look_for_winner(now)

    def look_for_winner(self, now: State) -> None:
        """Find a winner, if there is none yet. Asked after points were given, and after rules
        changed: fewer points may be enough now.
        """
        if self.winner is None and self._scores:
            self.winner = find_winner(self._scores, self.watched.players, now.law, now.moment)

    def on_registered(self, instrument: Proposal, now: State) -> None:
        """Judge that a proposal is put forward, and count it for its turn."""
        matter = instrument.matter
        if matter.status in ("draft", "withdrawn", "void"):
            return
        playing = self._playing(matter.date)
        # If two turns are played and the file names none, it is in the author's own.
        turn = max(
            playing,
            key=lambda turn: (turn.matter.player == matter.author, turn.order),
            default=None,
        )
        if matter.turn is not None:
            turn = self.watched.turns.get(matter.turn)
        earlier = self._proposals[turn.ident] if turn is not None else 0
        # A proposal that others put forward during a turn does not count for it, unless its file or
        # a rule says so.
        counts = turn is not None and (
            matter.turn is not None or is_of_turn(matter, turn, anybody=anybody_proposes(now.law))
        )
        self.license_and_report(ProposalMade(instrument, turn, earlier, counts, playing), now)
        if turn is not None:
            self._proposals[turn.ident] += counts

    def _playing(self, moment: Moment | None) -> list[Turn]:
        """Return the turns that are certainly played at a moment: none on a day on which one begins
        or ends.
        """
        turns = self.played.running.values()
        changes = [self._marks[0].moment] if self._marks else []
        changes += [
            change
            for turn in turns
            for change in (turn.matter.began, turn.matter.ended)
            if change is not None
        ]
        if moment is None or not all(
            change.precedes(moment) or moment.precedes(change) for change in changes
        ):
            return []
        return [turn for turn in turns if not self._has_left(turn, moment)]

    def on_decided(self, instrument: Instrument, now: State, tally: Tally | None = None) -> None:
        """Give the points for a decision, even if its changes turn out impossible."""
        self._award(points_for(instrument, tally, now), now)
        if not is_correction(instrument):
            self._give_by_hand(instrument, now)

    def missed_sunsets(self, instrument: Instrument, now: State) -> Iterator[Finding]:
        """Yield the rules that should have changed by themselves before a decision, each once."""
        key = "decided" if instrument.kind == "proposal" else "date"
        for due in self.sunsets.due(now.ruleset, now.moment):
            known = (due.rule.identity, due.moment)
            if now.moment is None or not due.moment.precedes(now.moment) or known in self._missed:
                continue
            self._missed.add(known)
            yield Finding(
                slug="sunset-missed",
                span=instrument.source.at(key),
                message=f"decided on {now.moment}; Rule {due.rule.ref} should have changed by "
                f"itself on {due.moment}",
                help="`nomicgen next --do` writes the act; later decisions are then judged by "
                "the changed rules",
                rule=due.rule.number,
            )

    def finish(
        self, now: State, coming: Law, state_at: StateAt
    ) -> tuple[tuple[DueChange, ...], NextTurn | None]:
        """Take all up to the replay's day. Return which rules are due to change then, and the next
        turn, by `coming`, the law as that turn begins, or else by that of now; None where neither
        says whose it is.
        """
        self._take_first(
            sum(not is_after(mark.moment, self.until) for mark in self._marks), state_at
        )
        for turn in self.played.running.values():
            # A rule adopted during a turn may ask for another die: what was thrown before that is
            # corrected when the turn ends.
            if turn.matter.ended is None and turn.ident not in self._fitting:
                self.findings.extend(self._wrong_dice(turn, now))
        for turn in self.watched.turns.values():
            # Its points are given when it ends; what no rule allows is reported before.
            if turn.matter.ended is None:
                list(self._by_hand(turn, now))
        due = tuple(self.sunsets.due(now.ruleset, self.until))
        turns = (
            next_turn_of(self.watched.players, law, self.played, self.until)
            for law in (coming, now.law)
        )
        return due, next((turn for turn in turns if turn is not None), None)


def as_next_turn_begins(
    now: State,
    steps: Iterable[Step],
    forbidden: Mapping[str, Findings],
    partly: Container[str],
) -> State:
    """Return the state in which the next turn would begin `now`: what waits for it has come.

    By paths, `forbidden` and `partly` say of proposals what `apply_instrument` asks.
    """
    for step in steps:
        instrument, decided, path = step.instrument, step.decided, step.instrument.path
        if step.outcome != "pending" or step.effective is not None or decided is None:
            continue
        own = own_moment(instrument, now.laws.of(step.before, decided))
        if not is_after(own, now.moment):
            carried_out = apply_instrument(
                instrument, now, forbidden.get(path, ()), partly=path in partly
            )
            now = replace(now, ruleset=carried_out.after)
    return now


def forked(original: _T) -> _T:
    """Return a copy that has collections of its own: what either adds is not in the other."""
    fork = copy(original)
    for name, value in vars(original).items():
        if isinstance(value, list | dict | set | deque):
            setattr(fork, name, copy(value))
    return fork


def _marks(records: WatchedRecords) -> list[_DatedMark]:
    """Return what players' files say of days, and the beginnings and ends of all turns, in order.

    A turn without `began` is taken to begin when it ended, or when the turn before it did. Of one
    day, the numbers of the turns say which came first: not everyone writes down the hour.
    """
    marks: list[_DatedMark] = []
    latest = records.settings.started or Moment.of(date.min)
    for turn in records.turns_in_order:
        began, ended = turn.matter.began or turn.matter.ended or latest, turn.matter.ended
        latest = ended or began
        marks.append(_DatedMark(began, turn))
        marks += (_DatedMark(done.deed.at or began, turn, deed=done) for done in deeds_of(turn))
        if ended is not None:
            marks.append(_DatedMark(began if ended.precedes(began) else ended, turn, ends=True))
    for player in records.players.values():
        marks.extend(_player_marks(player))
    marks.sort(key=lambda mark: (mark.moment.day, mark.place, mark.ends))
    return marks


def _player_marks(player: Player) -> Iterator[_DatedMark]:
    days: list[tuple[PlayerVerb, Moment | None]] = [
        ("joins", player.matter.joined),
        ("leaves", player.matter.left),
    ]
    for span in player.matter.inactive:
        days += [("rests", span.since), ("returns", span.until)]
    yield from (
        _DatedMark(moment, player=player, what=what) for what, moment in days if moment is not None
    )
