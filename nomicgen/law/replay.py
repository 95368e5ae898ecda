"""The fold: initial set + every instrument, in the order of the ledger, gives the ruleset of every moment.

Pure: no clock, no files, no git. An error of registration or decision is reported, and the change is carried out all
the same, so that one slip is one finding and not a cascade; an instrument that cannot be carried out changes nothing.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial

from nomicgen.diagnostics import Finding
from nomicgen.law.corrections import check_correction, corrections_of, is_correction
from nomicgen.law.course import Course
from nomicgen.law.decision import Decision, decide, judge_opening
from nomicgen.law.effect import kept_provisions
from nomicgen.law.effects import Effect, Kind, Licence, Verdict
from nomicgen.law.events import (
    Event,
    decided_of,
    events_of,
    fell_before,
    takes_effect,
)
from nomicgen.law.gate import license_effect
from nomicgen.law.initial import initial_ruleset
from nomicgen.law.licence import (
    JudgementGiven,
    JudgementOverruled,
    ProposalWithdrawn,
    State,
    license_of,
    rule_changes,
    rule_words,
)
from nomicgen.law.limits import carry_out, overtaken
from nomicgen.law.order import judge_order
from nomicgen.law.precedence import Law, Laws
from nomicgen.law.provisions.ballot import words_bound
from nomicgen.law.provisions.effect import falls_alone, is_next_turn, judge_effect, judge_own_day, waits_for_turn
from nomicgen.law.provisions.numbering import surplus_changes
from nomicgen.law.roll import Roll
from nomicgen.law.state import Correction, Outcome, Replay, Rule, Ruleset, Step, Tally
from nomicgen.law.sunset import own_rule
from nomicgen.model import Instrument, JudgementMatter, Moment, ProposalMatter, Records, Span

__all__ = ["is_lawless", "replay"]


def is_lawless(played: Replay) -> bool:
    """Whether no rule of the game has carried a provision: then nothing is known of its law (imported texts)."""
    return not played.initial.speaking and not any(step.after.speaking for step in played.steps)


def replay(records: Records, until: Moment | None = None) -> Replay:
    """Replays the ledger up to the end of the day of `until` (None: all of it)."""
    fold = _Fold(records, until)
    for event in events_of(records):
        fold.take(event)
    return fold.result()


@dataclass(frozen=True, slots=True)
class _Tried:
    """An instrument, tried against a ruleset."""

    step: Step
    findings: tuple[Finding, ...]
    down: frozenset[Span]


class _Fold:
    """The state of one replay; each `take` is one event."""

    def __init__(self, records: Records, until: Moment | None) -> None:
        self.records, self.settings, self.until = records, records.settings, until
        self.initial = self.now = initial_ruleset(records)
        self.lawless = not self.initial.speaking  # till some rule carries a provision: that does not reach back
        self.identity = len(self.initial) + 1
        self.findings: list[Finding] = []
        self.steps: list[Step] = []
        self.corrections: list[Correction] = []
        self.tallies: dict[str, Tally] = {}
        self.previews: dict[str, Step] = {}
        self.edits: dict[str, str] = {}
        self.waiting: set[str] = set()
        self.forbidden: dict[str, tuple[Finding, ...]] = {}  # of the proposals that are carried out in part
        self.sound: set[str] = set()
        self.fading: dict[str, Rule] = {}
        self.licences: dict[str, tuple[tuple[Licence, ...], ...]] = {}
        self.refused: set[str] = set()
        self.voiding: dict[str, bool] = {}
        self.then: dict[str, Ruleset] = {}
        self.overruled: list[Instrument] = []
        self.effects: list[Effect] = []
        self.players = Roll(records.players)
        self.laws = Laws(records.settings)
        self.course = Course(records, self.initial, self.law, self.state, self.effects.append, until)

    def law(self, moment: Moment | None) -> Law:
        return self.laws.of(self.now, moment)

    def state(self, law: Law, moment: Moment | None) -> State:
        """What an effect of a moment is judged by."""
        return State(
            ruleset=self.now,
            law=law,
            records=self.records,
            moment=moment,
            played=self.course.played,
            lawless=self.lawless,
        )

    def take(self, event: Event) -> None:
        self.course.reach(event, waits=event.phase == "effective" and event.instrument.path in self.waiting)
        if event.phase == "registered":
            self._register(event.instrument, event.moment)
        elif event.phase == "opened":
            self._open(event.instrument, event.moment)
        elif event.phase == "decided":
            self._decide(event.instrument, event.moment)
        elif event.phase == "overruled":
            self._overrule(event.instrument, event.moment)
        else:
            self._effect(event.instrument, event.moment)

    def _register(self, instrument: Instrument, moment: Moment | None) -> None:
        law = self.law(moment)
        if isinstance(instrument.matter, ProposalMatter):
            self.course.registered(instrument, instrument.matter, law, moment)
        self.findings.extend(surplus_changes(instrument, law))

    def _open(self, instrument: Instrument, moment: Moment | None) -> None:
        """The vote opens: the debate must be over, and not every proposal may be put again."""
        matter, law = instrument.matter, self.law(moment)
        if isinstance(matter, ProposalMatter):
            self.findings.extend(judge_opening(instrument, matter, law))
            if (edits := words_bound(law)) is not None:
                self.edits[instrument.path] = edits

    def _decide(self, instrument: Instrument, moment: Moment | None) -> None:
        law = self.law(moment)
        matter = instrument.matter
        decision = self._judge(instrument, law, moment) if isinstance(matter, ProposalMatter) else None
        if takes_effect(instrument):
            self.findings.extend(judge_effect(instrument, law, self.course.timeline))
            if is_next_turn(law):
                self.waiting.add(instrument.path)
            if self._is_deferred(instrument, moment) and self._try(instrument, moment).step.outcome == "applied":
                self.sound.add(instrument.path)
        if decision is None or not isinstance(matter, ProposalMatter):
            self._decide_other(instrument, law, moment)
            return
        self.tallies[instrument.path], self.then[instrument.path] = decision.tally, self.now
        if moment is not None and self._is_future(moment):
            self.findings.append(
                Finding(
                    slug="date-future",
                    span=instrument.source.at("decided"),
                    message=f"{matter.status} on {moment}, which is after {self.until}: not judged yet",
                    help="mend `decided`; what is not decided yet is `open`",
                )
            )
            return
        self.findings.extend(decision.findings)
        if matter.status in ("adopted", "defeated"):
            if matter.opened is None and decision.tally.recorded:
                self._open(instrument, moment)
            self.findings.extend(self.course.missed(instrument, self.now, moment))
        self.course.decided(instrument, law, moment, decision.tally)
        if matter.status == "adopted":
            self.findings.extend(decision.legality)
            self.licences[instrument.path] = decision.licences
            if _errors(decision.legality) or decision.tally.adopted is False:
                self.refused.add(instrument.path)
        else:
            if matter.status in ("withdrawn", "void"):
                verdict = self.course.ask(ProposalWithdrawn(instrument, decision.tally, self.voiding), law, moment)
                self._record("proposal", instrument.path, f"{instrument.name}: {matter.status}", moment, verdict)
            self.previews[instrument.path] = self._try(instrument, moment).step

    def _decide_other(self, instrument: Instrument, law: Law, moment: Moment | None) -> None:
        """An act or a judgement: what it may change, what it gives, and whether it may be given."""
        own, future = own_rule(instrument, self.now), moment is not None and self._is_future(moment)
        if is_correction(instrument):
            self.findings.extend(check_correction(instrument, self.now))
            for one in corrections_of(instrument):
                self.corrections.append(one)
                words = f"{one.file}: {one.key} was {one.was or 'missing'}, is {one.now or 'missing'} ({one.evidence})"
                self._record("record", instrument.path, words, moment, Verdict())
        elif own is not None:
            if not future and self._changes_itself(instrument, own, law, moment):
                self.sound.add(instrument.path)
                self.fading[instrument.path] = own
        else:
            self._license_changes(instrument, law, moment)
            if instrument.instructions and not future:
                self.findings.extend(self.course.missed(instrument, self.now, moment))
        if future:
            return
        if isinstance(instrument.matter, JudgementMatter):
            then = self.then.get(f"proposals/{instrument.matter.voids}.md", self.now)
            verdict = self.course.ask(JudgementGiven(instrument, tuple(self.overruled), then), law, moment)
            self._record("judgement", instrument.path, f"{instrument.name} is given", moment, verdict)
            self.voiding[instrument.path] = all(one.slug != "voids-unlawful" for one in verdict.findings)
            if not verdict.permits:
                self.refused.add(instrument.path)
                return
        self.course.decided(instrument, law, moment, None)

    def _license_changes(self, instrument: Instrument, law: Law, moment: Moment | None) -> None:
        verdicts = [self.course.ask(one, law, moment) for one in rule_changes(instrument, self.now)]
        self.licences[instrument.path] = tuple(one.licences for one in verdicts)
        if not all(one.permits for one in verdicts):
            self.refused.add(instrument.path)

    def _changes_itself(self, instrument: Instrument, own: Rule, law: Law, moment: Moment | None) -> bool:
        """Whether an act carries out what a rule says of itself, and not what another provision lets it do."""
        wrong = tuple(self.course.sunsets.judge(instrument, own, self.now, moment))
        state = self.state(law, moment)  # asked without a finding
        if wrong and all(license_effect(one, state).permits for one in rule_changes(instrument, self.now)):
            self._license_changes(instrument, law, moment)
            return False
        self.licences[instrument.path] = ((license_of(own, "sunset"),),)
        self.findings.extend(wrong)
        if wrong:
            self.refused.add(instrument.path)
            self.course.sunsets.spent(own)
        return not wrong

    def _overrule(self, instrument: Instrument, moment: Moment | None) -> None:
        if moment is None or not self._is_future(moment):
            verdict = self.course.ask(JudgementOverruled(instrument), self.law(moment), moment)
            self.overruled += [instrument] if verdict.permits else []
            self._record("judgement", instrument.path, f"{instrument.name} is overruled", moment, verdict)

    def _record(self, kind: Kind, path: str, words: str, moment: Moment | None, verdict: Verdict) -> None:
        self.effects.append(verdict.effect(kind, path, words, moment))

    def _effect(self, instrument: Instrument, moment: Moment | None) -> None:
        decided = decided_of(instrument)
        if moment is not None and self._is_future(moment):
            self._append(instrument, decided, moment, "pending")
            return
        if self._waits(instrument, decided):
            self._append(instrument, decided, None, "pending")
            return
        if is_correction(instrument):
            self._append(instrument, decided, moment, "applied")
            return
        licences = self.licences.get(instrument.path, ())
        if fell_before(instrument, moment):
            self._append(instrument, decided, moment, "refused")
            return
        if instrument.path in self.refused and instrument.kind != "proposal":
            self._append(instrument, decided, moment, "refused")
            self._refuse(instrument, moment, {one.span for one in instrument.instructions})
            return
        tried = self._try(instrument, moment)
        spans = [one.span for one in instrument.instructions]
        for change in tried.step.changes:
            index = spans.index(change.instruction.span)
            verdict = Verdict(licences[index] if index < len(licences) else ())
            words, refused = rule_words(change), instrument.path in self.refused
            self.effects.append(verdict.effect("rule", instrument.path, words, moment, refused=refused))
        self._refuse(instrument, moment, tried.down)
        told = overtaken(tried.step, tried.findings, partly=bool(tried.down))
        self.findings.extend(told if tried.down or instrument.path in self.sound else tried.findings)
        self.steps.append(tried.step)
        if tried.step.outcome == "refused" and instrument.path in self.fading:
            self.course.sunsets.spent(self.fading[instrument.path])
        self.findings.extend(
            judge_order(self.steps[-2:], self.laws, self.records, self.identity + 1_000_000, self.forbidden)
        )
        self.now = tried.step.after
        self.lawless = self.lawless and not self.now.speaking
        self.identity += len(instrument.instructions)
        for change in tried.step.changes:
            self.course.sunsets.changed(change.before, change.after, moment)
        self.course.look_for_winner(self.law(moment), moment)

    def _refuse(self, instrument: Instrument, moment: Moment | None, down: Collection[Span]) -> None:
        for one in instrument.instructions:
            if one.span in down:
                self.effects.append(Verdict().effect("rule", instrument.path, one.heading, moment, refused=True))

    def _is_deferred(self, instrument: Instrument, decided: Moment | None) -> bool:
        """Whether a change takes effect later than it was decided: others may come between."""
        effective = instrument.matter.effective
        later = decided is not None and effective is not None and decided.precedes(effective)
        return later or (instrument.kind == "proposal" and instrument.path in self.waiting)

    def _waits(self, instrument: Instrument, decided: Moment | None) -> bool:
        """Whether the turn that a change takes effect with has not begun."""
        waits = decided is not None and waits_for_turn(instrument, self.law(decided))
        return waits and self.course.timeline.after(instrument) is None

    def _is_future(self, moment: Moment) -> bool:
        return self.until is not None and moment.day > self.until.day

    def _append(
        self,
        instrument: Instrument,
        decided: Moment | None,
        moment: Moment | None,
        outcome: Outcome,
    ) -> None:
        self.steps.append(
            Step(
                instrument=instrument,
                decided=decided,
                effective=moment,
                outcome=outcome,
                changes=(),
                before=self.now,
                after=self.now,
            )
        )

    def _try(self, instrument: Instrument, moment: Moment | None) -> _Tried:
        forbids = self.forbidden.get(instrument.path)
        made = carry_out(instrument, self.now, self.laws, self.records, moment, self.identity, forbids)
        refused = not made.down and bool(_errors(made.findings))
        step = Step(
            instrument=instrument,
            decided=decided_of(instrument),
            effective=moment,
            outcome="refused" if refused else "applied",
            changes=made.changes,
            before=self.now,
            after=made.after,
        )
        return _Tried(step, made.findings, made.down)

    def _judge(self, instrument: Instrument, law: Law, moment: Moment | None) -> Decision:
        """The decision on a proposal; where its law lets what is wrong fall alone, that asks for no votes."""
        judged = partial(decide, instrument, self.now, law, self.players, self.settings, moment, lawless=self.lawless)
        decision: Decision = judged()
        if not falls_alone(law):
            return decision
        self.forbidden[instrument.path] = decision.legality
        down = self._try(instrument, moment).down
        return judged(down=down) if down else decision

    def result(self) -> Replay:
        """The replay, with every proposal that is not decided judged by the law that is in force now."""
        for instrument in self.records.of_kind("proposal"):
            matter = instrument.matter
            if isinstance(matter, ProposalMatter) and matter.is_undecided:
                self._undecided(instrument)
        due, following, overdue = self.course.finish(self.now)
        return Replay(
            settings=self.settings,
            findings=(*self.findings, *self.course.findings),
            initial=self.initial,
            current=self.now,
            steps=tuple(self.steps),
            tallies=self.tallies,
            previews=self.previews,
            edits=self.edits,
            until=self.until,
            awards=tuple(self.course.lines),
            winner=self.course.winner,
            due=due,
            next_turn=following,
            overdue=overdue,
            effects=tuple(self.effects),
            corrections=tuple(self.corrections),
        )

    def _undecided(self, instrument: Instrument) -> None:
        law = self.law(self.until)
        # A vote that opens after the day of the replay is judged as if it were that day already.
        asked = instrument.matter.opened if isinstance(instrument.matter, ProposalMatter) else None
        moment = max(asked, self.until) if asked and self.until else asked or self.until
        if asked is not None and self._is_future(asked):
            self.findings.append(
                Finding(
                    slug="date-future",
                    span=instrument.source.at("opened"),
                    message=f"opened on {asked}, which is after {self.until}",
                    help="mend `opened`",
                )
            )
        decision = self._judge(instrument, law, moment)
        if not isinstance(instrument.matter, ProposalMatter) or instrument.matter.status == "open":
            self.tallies[instrument.path] = decision.tally
        tried = self._try(instrument, self.until)
        self.previews[instrument.path] = tried.step
        if instrument.number is None:
            self._register(instrument, self.until)
        self.findings.extend(kept_provisions(instrument, self.now))
        self.findings.extend(judge_own_day(instrument, law))
        self.findings.extend((*decision.findings, *decision.legality, *tried.findings))


def _errors(findings: tuple[Finding, ...]) -> list[Finding]:
    return [one for one in findings if one.is_error]
