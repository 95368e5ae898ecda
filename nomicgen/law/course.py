"""What happens in a game besides changes of rules: turns begin and end, points are won, rules fall due.

The replay tells it of every event, and it judges each turn by the law of its own moment. Of a turn and an instrument
of one day, the turn's number says which came first: a die is thrown at the end of a turn, after what was decided in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction

from nomicgen.diagnostics import Finding
from nomicgen.law.corrections import is_correction
from nomicgen.law.effects import Effect, Verdict
from nomicgen.law.events import Event, Timeline
from nomicgen.law.gate import license_effect
from nomicgen.law.licence import (
    PlayerChange,
    PlayerVerb,
    PointsGiven,
    ProposalMade,
    State,
    Subject,
    TurnBegun,
    TurnEnded,
    license_of,
)
from nomicgen.law.precedence import Law
from nomicgen.law.provisions.victory import find_winner
from nomicgen.law.roll import is_player
from nomicgen.law.scores import of_decision, of_judgement, of_turn, written
from nomicgen.law.state import Due, NextTurn, Ruleset, ScoreLine, Tally, Winner
from nomicgen.law.sunset import Sunsets
from nomicgen.law.turns import Played, has_proposal, is_of_turn, next_turn_of, overdue
from nomicgen.model import (
    Instrument,
    JudgementMatter,
    Moment,
    Player,
    ProposalMatter,
    Records,
    Span,
    Turn,
)

__all__ = ["Course"]


@dataclass(frozen=True, slots=True)
class _Mark:
    """The beginning or the end of a turn, or what a player's file says of a day."""

    moment: Moment
    turn: Turn | None = None
    ends: bool = False
    player: Player | None = None
    what: PlayerVerb = "joins"

    @property
    def place(self) -> tuple[int, int]:
        """Of one day, where it stands: who joins on a day on which a turn begins is there by then."""
        return self.turn.order if self.turn is not None else (0, 0)


class Course:
    """The course of one game up to the end of the day of `until`.

    `law` gives the law in force at a moment, as the replay knows it by then; `state` what an effect
    is judged by, and `record` takes each effect that there was.
    """

    def __init__(
        self,
        records: Records,
        initial: Ruleset,
        law: Callable[[Moment | None], Law],
        state: Callable[[Law, Moment | None], State],
        record: Callable[[Effect], None],
        until: Moment | None,
    ) -> None:
        self.records, self.law, self.state, self.record, self.until = records, law, state, record, until
        self.timeline = Timeline(records)
        self.sunsets = Sunsets(initial, records.settings)
        self.findings: list[Finding] = []
        self.lines: list[ScoreLine] = []
        self.winner: Winner | None = None
        self._scores: dict[str, Fraction] = {}
        self._marks, self._reached = _marks(records), 0
        self.played = Played()
        self._running: set[str] = set()
        self._proposals: Counter[str] = Counter()
        self._missed: set[tuple[int, Moment]] = set()

    def ask(self, subject: Subject, law: Law, moment: Moment | None) -> Verdict:
        """Whether a rule permits an effect; what is wrong with it is a finding."""
        verdict = license_effect(subject, self.state(law, moment))
        self.findings.extend(verdict.findings)
        return verdict

    def reach(self, event: Event, *, waits: bool) -> None:
        """Lets the turns go on until an event; `waits` says that it takes effect with a turn."""
        if event.moment is None:
            return
        end = self._reached
        for index in range(self._reached, len(self._marks)):
            mark = self._marks[index]
            if event.moment.day < mark.moment.day or self._is_future(mark):
                break
            # What comes before a mark that comes before the event does so too, though its own day may not prove it.
            if self._before(mark, event, event.moment, waits=waits):
                end = index + 1
            elif not event.moment.timed:
                break  # marks of one day stand in their order, and no hour says more
        self._take_until(end)

    def _take_until(self, end: int) -> None:
        while self._reached < end:
            self._reached += 1
            self._take(self._marks[self._reached - 1])

    def _is_future(self, mark: _Mark) -> bool:
        return self.until is not None and mark.moment.day > self.until.day

    def _before(self, mark: _Mark, event: Event, moment: Moment, *, waits: bool) -> bool:
        """Whether a mark comes before an event, which is at `moment`."""
        if moment.precedes(mark.moment) or mark.moment.precedes(moment):
            return mark.moment.precedes(moment)
        if mark.turn is None:
            return True
        place = mark.turn.order
        own = self.records.turns.get(event.instrument.matter.turn or "")
        if event.phase == "effective" and waits:
            own = self.timeline.after(event.instrument)
            return own is not None and place < own.order
        if event.instrument.kind == "act" and own is None:
            return True
        return own is not None and (place < own.order or (place == own.order and not mark.ends))

    def _take(self, mark: _Mark) -> None:
        law, moment = self.law(mark.moment), mark.moment
        if mark.turn is None:
            assert mark.player is not None
            verdict = self.ask(PlayerChange(mark.player, mark.what), law, moment)
            path, words = f"players/{mark.player.ident}.yml", f"{mark.player.ident} {mark.what}"
            self.record(verdict.effect("seat", path, words, moment))
        elif mark.ends:
            self._end(mark.turn, law, moment)
        else:
            self._begin(mark.turn, law, moment)

    def _begin(self, turn: Turn, law: Law, moment: Moment) -> None:
        running = (self.records.turns[one] for one in self._running)
        kept = tuple(one.ident for one in running if not self._has_left(one, moment))
        verdict = self.ask(TurnBegun(turn, kept), law, moment)
        self.record(
            verdict.effect("turn", f"turns/{turn.ident}.yml", f"{turn.matter.player} begins {turn.ident}", moment)
        )
        self.played.add(turn)
        if turn.matter.ended is None:
            self.ask(TurnEnded(turn, proposed=False), law, moment)
        # A turn whose end nobody recorded was over when the next one began.
        over = {one for one in self._running if self.records.turns[one].matter.ended is None}
        for _ in over:
            self.sunsets.turn_ended(moment)
        self._running = (self._running - over) | {turn.ident}
        self._end_rounds(law, moment)

    def _end(self, turn: Turn, law: Law, moment: Moment) -> None:
        self._running.discard(turn.ident)
        left = self._has_left(turn, moment)
        own = not turn.matter.passed and has_proposal(turn, self.records, law)
        proposed = left or own or self._proposals[turn.ident] > 0
        verdict = self.ask(TurnEnded(turn, proposed), law, moment)
        how = "passes" if turn.matter.passed else "ends"
        self.record(
            verdict.effect("turn", f"turns/{turn.ident}.yml", f"{turn.matter.player} {how} {turn.ident}", moment)
        )
        lines, findings = of_turn(turn, law, self.records.players)
        self.findings.extend(one for one in findings if not (left and not turn.matter.dice))
        self._award(lines, law, moment)
        self._give(turn, law, moment)
        self.sunsets.turn_ended(moment)
        self._end_rounds(law, moment)

    def _has_left(self, turn: Turn, moment: Moment) -> bool:
        """Whether the player of a turn has left the game: anybody may, in their own turn too."""
        player = self.records.players.get(turn.matter.player)
        return player is not None and not is_player(player, moment)

    def _end_rounds(self, law: Law, moment: Moment | None) -> None:
        """Rounds that are complete: the next turn is of a later one, and none of their own is still being played."""
        following = next_turn_of(self.records.players, law, self.played, moment)
        last = self.played.last
        ended = (following.round if following is not None else last.order[0] if last is not None else 1) - 1
        if not any(self.records.turns[one].order[0] <= ended for one in self._running):
            self.sunsets.round_ended(ended, moment)

    def _give(self, of: Instrument | Turn, law: Law, moment: Moment | None) -> None:
        """The points that a file gives by hand: those that a rule lets it, or that no rule speaks of."""
        lines: list[ScoreLine] = []
        for line, verdict in self._by_hand(of, law, moment):
            if verdict.permits:
                lines.append(line)
            else:
                self.record(verdict.effect("points", line.span.file, _points_words(line, self._scores), moment))
        self._award(lines, law, moment)

    def _by_hand(self, of: Instrument | Turn, law: Law, moment: Moment | None) -> Iterator[tuple[ScoreLine, Verdict]]:
        """Each line of points that a file gives, with the rule that lets it, and whether one does."""
        given: dict[int, Fraction] = {}
        points = of.matter.points or ()
        for award, line in zip(points, written(points, of.source, moment), strict=True):
            verdict = self.ask(PointsGiven(line, of, award.under, given), law, moment)
            rule = verdict.licences[0].rule if verdict.licences else None
            if rule is not None:
                given[rule] = given.get(rule, Fraction(0)) + abs(line.amount)
            yield replace(line, rule=rule), verdict

    def _award(self, lines: Iterable[ScoreLine], law: Law, moment: Moment | None) -> None:
        ruleset = self.state(law, moment).ruleset
        for line in lines:
            rule = None if line.rule is None else ruleset.get(line.rule)
            licences = () if rule is None else (license_of(rule, "points"),)
            words = _points_words(line, self._scores)
            self.record(Verdict(licences).effect("points", line.span.file, words, moment))
            self.lines.append(line)
            self._scores[line.player] = self._scores.get(line.player, Fraction(0)) + line.amount
        self.look_for_winner(law, moment)

    def look_for_winner(self, law: Law, moment: Moment | None) -> None:
        """Somebody may have won: by points, or because fewer are enough now."""
        if self.winner is None and self._scores:
            self.winner = find_winner(self._scores, self.records.players, law, moment)

    def registered(self, instrument: Instrument, matter: ProposalMatter, law: Law, moment: Moment | None) -> None:
        """A proposal is put forward."""
        if matter.status in ("draft", "withdrawn", "void"):
            return
        playing = self._playing(matter.date)
        # Without naming a turn one proposes in one's own, where two are played.
        turn = max(playing, key=lambda one: (one.matter.player == matter.author, one.order), default=None)
        if matter.turn is not None:
            turn = self.records.turns.get(matter.turn)
        earlier = self._proposals[turn.ident] if turn is not None else 0
        # What others put forward while somebody plays is no proposal of that turn, unless it or a rule says that it is.
        counts = turn is not None and (matter.turn is not None or is_of_turn(matter, turn, law))
        self.ask(ProposalMade(instrument, turn, earlier, counts, playing), law, moment)
        if turn is not None:
            self._proposals[turn.ident] += counts

    def _playing(self, moment: Moment | None) -> list[Turn]:
        """The turns that are certainly played at a moment, the one by now: none on a day on which turns change."""
        turns = [self.records.turns[one] for one in self._running]
        changes = [mark.moment for mark in self._marks[self._reached : self._reached + 1]]
        changes += [one for turn in turns for one in (turn.matter.began, turn.matter.ended) if one is not None]
        if moment is None or not all(one.precedes(moment) or moment.precedes(one) for one in changes):
            return []
        return [turn for turn in turns if not self._has_left(turn, moment)]

    def decided(self, instrument: Instrument, law: Law, moment: Moment | None, tally: Tally | None) -> None:
        """A proposal is decided, a judgement given, an act done."""
        matter = instrument.matter
        lines: list[ScoreLine] = []
        if tally is not None:
            lines.extend(of_decision(instrument, tally, law, self.records.players, moment))
        elif isinstance(matter, JudgementMatter):
            lines.extend(of_judgement(instrument, law, self.records.players, moment))
        self._award(lines, law, moment)
        if not is_correction(instrument):
            self._give(instrument, law, moment)

    def missed(self, instrument: Instrument, ruleset: Ruleset, moment: Moment | None) -> Iterator[Finding]:
        """Rules that should have changed by themselves before an instrument was decided."""
        key = "decided" if instrument.kind == "proposal" else "date"
        for due in self.sunsets.due(ruleset, moment):
            known = (due.rule.identity, due.moment)
            if moment is None or not due.moment.precedes(moment) or known in self._missed:
                continue
            self._missed.add(known)
            yield Finding(
                slug="sunset-missed",
                span=instrument.source.at(key),
                message=f"decided on {moment}; Rule {due.rule.ref} should have changed by itself on {due.moment}",
                help="`nomicgen advance` writes the act; what was decided since is judged by the law that it makes",
                rule=due.rule.number,
            )

    def finish(self, ruleset: Ruleset) -> tuple[tuple[Due, ...], NextTurn | None, Moment | None]:
        """Lets the turns go on to the end: what is due then, whose turn is next, when this one passed."""
        until = self.until
        self._take_until(sum(not self._is_future(mark) for mark in self._marks))
        law = self.law(until)
        due = tuple(self.sunsets.due(ruleset, until))
        for one in due:
            self.findings.append(
                Finding(
                    slug="sunset-due",
                    span=Span(file=f"rules/{one.rule.number}.md"),
                    message=f"Rule {one.rule.ref} changes by itself, and has not: due on {one.moment}",
                    help="run `nomicgen advance`, or `nomicgen advance --commit`",
                    rule=one.rule.number,
                )
            )
        for turn in self.records.turns.values():
            if turn.matter.ended is None:  # its points are given when it ends: what no rule lets is told before
                list(self._by_hand(turn, law, until))
        last = self.played.last
        passed = None
        if last is not None and until is not None:
            passed = overdue(last, law, until, proposed=self._proposals[last.ident] > 0)
        if last is not None and passed is not None:
            said = law.says("turns", "passes_after")
            self.findings.append(
                Finding(
                    slug="turn-overdue",
                    span=last.source.at("began"),
                    message=f"{last.ident} of {last.matter.player} passed by itself on {passed}",
                    help="run `nomicgen advance`, or `nomicgen advance --commit`",
                    rule=said.rule if said else None,
                )
            )
        return due, next_turn_of(self.records.players, law, self.played, until), passed


def _points_words(line: ScoreLine, scores: Mapping[str, Fraction]) -> str:
    """`wren: 5 → 105 points (proposal 301 adopted)`."""
    before = scores.get(line.player, Fraction(0))
    return f"{line.player}: {before} → {before + line.amount} points ({line.reason})"


def _marks(records: Records) -> list[_Mark]:
    """What players' files say of days, and the beginnings and ends of all turns in their order.

    What has no date happened when the one before it did.

    Of one day, the numbers of the turns say which came first: not everyone writes down the hour.
    """
    found: list[_Mark] = []
    latest = records.settings.started or Moment.of(date.min)
    for turn in sorted(records.turns.values(), key=lambda one: one.order):
        began, ended = turn.matter.began or turn.matter.ended or latest, turn.matter.ended
        latest = ended or began
        found.append(_Mark(began, turn))
        if ended is not None:
            found.append(_Mark(began if ended.precedes(began) else ended, turn, ends=True))
    for player in records.players.values():
        found.extend(_player_marks(player))
    found.sort(key=lambda one: (one.moment.day, one.place, one.ends))
    return found


def _player_marks(player: Player) -> Iterator[_Mark]:
    days: list[tuple[PlayerVerb, Moment | None]] = [("joins", player.matter.joined), ("leaves", player.matter.left)]
    for span in player.matter.inactive:
        days += [("rests", span.since), ("returns", span.until)]
    yield from (_Mark(moment, player=player, what=what) for what, moment in days if moment is not None)
