"""What happens in a game besides changes of rules: turns begin and end, points are won, rules fall due.

The replay tells it of every event, and it judges each turn by the law of its own moment. Of a turn and an instrument
of one day, the turn's number says which came first: a die is thrown at the end of a turn, after what was decided in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from nomicgen.diagnostics import Finding
from nomicgen.law.events import Event, Timeline
from nomicgen.law.precedence import Law
from nomicgen.law.scores import find_winner, of_decision, of_judgement, of_turn, written
from nomicgen.law.state import Due, NextTurn, Ruleset, ScoreLine, Tally, Winner
from nomicgen.law.sunset import Sunsets
from nomicgen.law.turns import Played, judge_end, judge_proposal, judge_turn, next_turn_of, overdue
from nomicgen.model import Instrument, JudgementMatter, Moment, ProposalMatter, Records, Span, Turn

__all__ = ["Course"]


@dataclass(frozen=True, slots=True)
class _Mark:
    """The beginning or the end of a turn."""

    moment: Moment
    turn: Turn
    ends: bool


class Course:
    """The course of one game up to the end of the day of `until`.

    `law` gives the law in force at a moment, as the replay knows it by then.
    """

    def __init__(
        self, records: Records, initial: Ruleset, law: Callable[[Moment | None], Law], until: Moment | None
    ) -> None:
        self.records, self.law, self.until = records, law, until
        self.timeline = Timeline(records)
        self.sunsets = Sunsets(initial, records.settings)
        self.findings: list[Finding] = []
        self.lines: list[ScoreLine] = []
        self.winner: Winner | None = None
        self._scores: dict[str, Fraction] = {}
        self._marks, self._reached = _marks(records), 0
        self._played = Played()
        self._running: set[str] = set()
        self._proposals: Counter[str] = Counter()
        self._missed: set[tuple[int, Moment]] = set()

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
        place = mark.turn.order
        own = self.records.turns.get(event.instrument.matter.turn or "")
        if event.phase == "effective" and waits:
            own = self.timeline.after(event.instrument)
            return own is not None and place < own.order
        if event.instrument.kind == "act" and own is None:
            return True
        return own is not None and (place < own.order or (place == own.order and not mark.ends))

    def _take(self, mark: _Mark) -> None:
        turn, law = mark.turn, self.law(mark.moment)
        if not mark.ends:
            self.findings.extend(judge_turn(turn, self._played, self.records.players, law, mark.moment))
            self._played.add(turn)
            if turn.matter.ended is None:
                self.findings.extend(judge_end(turn, law, proposed=False))
            # A turn whose end nobody recorded was over when the next one began.
            over = {one for one in self._running if self.records.turns[one].matter.ended is None}
            for _ in over:
                self.sunsets.turn_ended(mark.moment)
            self._running = (self._running - over) | {turn.ident}
            self._end_rounds(law, mark.moment)
            return
        self._running.discard(turn.ident)
        self.findings.extend(judge_end(turn, law, proposed=self._proposals[turn.ident] > 0))
        lines, findings = of_turn(turn, law, self.records.players)
        self.findings.extend(findings)
        self._award([*lines, *written(turn.matter.points, turn.source, mark.moment)], law, mark.moment)
        self.sunsets.turn_ended(mark.moment)
        self._end_rounds(law, mark.moment)

    def _end_rounds(self, law: Law, moment: Moment | None) -> None:
        """Rounds that are complete: the next turn is of a later one, and none of their own is still being played."""
        following = next_turn_of(self.records.players, law, self._played, moment)
        last = self._played.last
        ended = (following.round if following is not None else last.order[0] if last is not None else 1) - 1
        if not any(self.records.turns[one].order[0] <= ended for one in self._running):
            self.sunsets.round_ended(ended, moment)

    def _award(self, lines: Iterable[ScoreLine], law: Law, moment: Moment | None) -> None:
        for line in lines:
            self.lines.append(line)
            self._scores[line.player] = self._scores.get(line.player, Fraction(0)) + line.amount
        self.look_for_winner(law, moment)

    def look_for_winner(self, law: Law, moment: Moment | None) -> None:
        """Somebody may have won: by points, or because fewer are enough now."""
        if self.winner is None and self._scores:
            self.winner = find_winner(self._scores, self.records.players, law, moment)

    def registered(self, instrument: Instrument, matter: ProposalMatter, law: Law) -> Iterator[Finding]:
        """A proposal is put forward."""
        turn = self._turn_of(matter)
        if turn is None or matter.status in ("draft", "withdrawn", "void"):
            return
        yield from judge_proposal(instrument, matter, turn, self._proposals[turn.ident], law)
        self._proposals[turn.ident] += 1

    def _turn_of(self, matter: ProposalMatter) -> Turn | None:
        """The turn in which a proposal is put forward; where it does not say, the one that was played on its date."""
        if matter.turn is not None:
            return self.records.turns.get(matter.turn)
        last = self._played.last
        if last is None or matter.date is None:
            return None
        began, ended = last.matter.began, last.matter.ended
        played = began is not None and began.precedes(matter.date) and (ended is None or matter.date.precedes(ended))
        return last if played else None

    def decided(self, instrument: Instrument, law: Law, moment: Moment | None, tally: Tally | None) -> None:
        """A proposal is decided, a judgement given, an act done."""
        matter = instrument.matter
        lines: list[ScoreLine] = []
        if tally is not None:
            lines.extend(of_decision(instrument, tally, law, self.records.players, moment))
        elif isinstance(matter, JudgementMatter):
            lines.extend(of_judgement(instrument, law, self.records.players, moment))
        self._award([*lines, *written(matter.points, instrument.source, moment)], law, moment)

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
        last = self._played.last
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
        return due, next_turn_of(self.records.players, law, self._played, until), passed


def _marks(records: Records) -> list[_Mark]:
    """The beginnings and ends of all turns in their order; what has no date happened when the one before it did.

    Of one day, the numbers of the turns say which came first: not everyone writes down the hour.
    """
    found: list[_Mark] = []
    latest = records.settings.started or Moment.of(date.min)
    for turn in sorted(records.turns.values(), key=lambda one: one.order):
        began, ended = turn.matter.began or turn.matter.ended or latest, turn.matter.ended
        latest = ended or began
        found.append(_Mark(began, turn, ends=False))
        if ended is not None:
            found.append(_Mark(began if ended.precedes(began) else ended, turn, ends=True))
    found.sort(key=lambda one: (one.moment.day, one.turn.order, one.ends))
    return found
