"""The fold: initial set + every instrument, in the order of the ledger, gives the ruleset of every moment.

An error of registration or decision is reported, and the change is carried out all the same, so that one slip is one
finding and not a cascade; an instrument that cannot be carried out changes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from msgspec.structs import replace

from nomicgen.model.findings import Finding, Findings
from nomicgen.law.binding import words_bound
from nomicgen.law.replay.correction_acts import check_correction, corrections_of, is_correction
from nomicgen.law.voting.decision import Decision, decide, judge_opening
from nomicgen.law.replay.due_changes import sunset_rule
from nomicgen.law.replay.effects import Effect, Licence, Verdict
from nomicgen.law.replay.events import (
    Event,
    is_after,
)
from nomicgen.law.replay.game_state import GameState, forked
from nomicgen.law.gate import license_effect
from nomicgen.law.replay.initial import initial_ruleset
from nomicgen.law.replay.instruction_effect import CarriedOut, kept_provisions
from nomicgen.law.replay.ledger import Ledger
from nomicgen.law.licence import (
    JudgementGiven,
    JudgementOverruled,
    ProposalWithdrawn,
    State,
    license_of,
    rule_changes,
    rule_words,
)
from nomicgen.law.limits import carry_out, overtaken_findings
from nomicgen.law.moments import precedes
from nomicgen.law.replay.player_spans import revived
from nomicgen.law.precedence import Laws
from nomicgen.law.provisions.effect import falls_alone, is_next_turn, judge_effect, judge_own_day, waits_for_turn
from nomicgen.law.provisions.numbering import surplus_changes
from nomicgen.law.replay.state import Correction, Outcome, Replay, Rule, Ruleset, Step, Tally
from nomicgen.model import Instrument, Judgement, Moment, Proposal, Records, Span


class Fold:
    """The state of one replay; each `take` is one event."""

    def __init__(self, records: Records, until: Moment | None) -> None:
        self.records, self.until = records, until
        self.ledger = Ledger(records)
        self.initial = self.ruleset = initial_ruleset(records)
        self.lawless = not self.initial.speaking  # till some rule carries a provision: that does not reach back
        self.findings: list[Finding] = []
        self.steps: list[Step] = []
        self.corrections: list[Correction] = []
        self.tallies: dict[str, Tally] = {}
        self.previews: dict[str, Step] = {}
        self.edits: dict[str, str] = {}
        # By path: what takes effect with the next turn, and what could be carried out when it was decided.
        self.with_next_turn: set[str] = set()
        self.forbidden: dict[str, Findings] = {}  # of the proposals that are carried out in part
        self.valid_when_decided: set[str] = set()
        self.sunset_rules: dict[str, Rule] = {}
        self.licences: dict[str, tuple[tuple[Licence, ...], ...]] = {}
        self.refused: set[str] = set()
        self.may_void: dict[str, bool] = {}
        self.rules_when_decided: dict[str, Ruleset] = {}
        self.overruled: list[Judgement] = []
        self.effects: list[Effect] = []
        self.players_of_archive = revived(records.players)
        self.laws = Laws(records.settings)
        self.game = GameState(self)

    def fork(self, records: Records, until: Moment | None) -> Fold:
        """Another of the same state, to go on from with these records: alike are players, turns, settings, events."""
        fork = forked(self)
        fork.records, fork.until = records, until
        fork.ledger = Ledger(records, self.ledger.asked)
        fork.game = self.game.fork(fork)
        return fork

    def _future(self, instrument: Instrument, key: str, message: str, help: str) -> None:
        """A date of an instrument lies after the day of the replay."""
        span = instrument.source.at(key)
        self.findings.append(Finding(slug="date-future", span=span, message=message, help=help))

    def state(self, moment: Moment | None) -> State:
        """What an effect of a moment is judged by."""
        return State(
            ruleset=self.ruleset,
            laws=self.laws,
            players=self.players_of_archive if self.lawless else self.records.players,
            moment=moment,
            lawless=self.lawless,
            records=self.ledger,
            played=self.game.played,
        )

    def take(self, event: Event) -> None:
        self.game.advance_to(event, waits=event.phase == "effective" and event.instrument.path in self.with_next_turn)
        _TAKES[event.phase](self, event.instrument, self.state(event.moment))

    def _register(self, instrument: Instrument, now: State) -> None:
        if isinstance(instrument, Proposal):
            self.game.registered(instrument, now)
        self.findings.extend(surplus_changes(instrument, now.law))

    def _open(self, instrument: Instrument, now: State) -> None:
        """The vote opens: the debate must be over, and not every proposal may be put again."""
        if isinstance(instrument, Proposal):
            self.findings.extend(judge_opening(instrument, now.law))
            if (edits := words_bound(now.law, instrument.matter)) is not None:
                self.edits[instrument.path] = edits

    def _decide(self, instrument: Instrument, now: State) -> None:
        decision = self._judge(instrument, now) if isinstance(instrument, Proposal) else None
        if not isinstance(instrument, Proposal) or instrument.matter.status == "adopted":
            self.findings.extend(judge_effect(instrument, now.law, self.game.timeline))
            if is_next_turn(now.law):
                self.with_next_turn.add(instrument.path)
            if (
                self._is_deferred(instrument, now.moment)
                and self._tried(instrument, now.moment)[0].outcome == "applied"
            ):
                self.valid_when_decided.add(instrument.path)
        if isinstance(instrument, Proposal) and decision is not None:
            self._decide_proposal(instrument, decision, now)
        else:
            self._decide_other(instrument, now)

    def _decide_proposal(self, instrument: Proposal, decision: Decision, now: State) -> None:
        matter, moment = instrument.matter, now.moment
        self.tallies[instrument.path], self.rules_when_decided[instrument.path] = decision.tally, self.ruleset
        if is_after(moment, self.until):
            self._future(
                instrument,
                "decided",
                f"{matter.status} on {moment}, which is after {self.until}: not judged yet",
                "correct `decided`; what is not decided yet is `open`",
            )
            return
        self.findings.extend(decision.findings)
        if matter.status in ("adopted", "defeated"):
            if matter.opened is None and decision.tally.recorded:
                self._open(instrument, now)
            self.findings.extend(self.game.missed_sunsets(instrument, now))
        self.game.decided(instrument, now, decision.tally)
        if matter.status == "adopted":
            self.findings.extend(decision.legality)
            self.licences[instrument.path] = decision.licences
            if _has_errors(decision.legality) or decision.tally.adopted is False:
                self.refused.add(instrument.path)
        else:
            if matter.status in ("withdrawn", "void"):
                ended = ProposalWithdrawn(instrument, decision.tally, self.may_void)
                words = f"{instrument.name}: {matter.status}"
                self.game.record_effect(ended, now, "proposal", instrument.path, words)
            self.previews[instrument.path] = self._tried(instrument, moment)[0]

    def _decide_other(self, instrument: Instrument, now: State) -> None:
        """An act or a judgement: what it may change, what it gives, and whether it may be given."""
        own, future = sunset_rule(instrument, self.ruleset), is_after(now.moment, self.until)
        if is_correction(instrument):
            self.findings.extend(check_correction(instrument, self.ruleset))
            for correction in corrections_of(instrument):
                self.corrections.append(correction)
                was, is_now = correction.was or "missing", correction.now or "missing"
                words = f"{correction.file}: {correction.key} was {was}, is {is_now} ({correction.evidence})"
                self.effects.append(Verdict().effect("record", instrument.path, words, now.moment))
        elif own is not None:
            if not future and self._changes_by_sunset(instrument, own, now):
                self.valid_when_decided.add(instrument.path)
                self.sunset_rules[instrument.path] = own
        else:
            self._license_changes(instrument, now)
            if instrument.instructions and not future:
                self.findings.extend(self.game.missed_sunsets(instrument, now))
        if future:
            return
        if isinstance(instrument, Judgement):
            then = self.rules_when_decided.get(f"proposals/{instrument.matter.voids}.md", self.ruleset)
            subject = JudgementGiven(instrument, tuple(self.overruled), then)
            verdict = self.game.record_effect(subject, now, "judgement", instrument.path, f"{instrument.name} is given")
            self.may_void[instrument.path] = all(finding.slug != "voids-unlawful" for finding in verdict.findings)
            if not verdict.permits:
                self.refused.add(instrument.path)
                return
        self.game.decided(instrument, now)

    def _license_changes(self, instrument: Instrument, now: State) -> None:
        verdicts = [self.game.license(change, now) for change in rule_changes(instrument, self.ruleset)]
        self.licences[instrument.path] = tuple(verdict.licences for verdict in verdicts)
        if not all(verdict.permits for verdict in verdicts):
            self.refused.add(instrument.path)

    def _changes_by_sunset(self, instrument: Instrument, own: Rule, now: State) -> bool:
        """Whether an act carries out what a rule says of itself, and not what another provision lets it do."""
        wrong = self.game.sunsets.judge(instrument, own, self.ruleset, now.moment)
        # Asked without a finding.
        if wrong and all(license_effect(change, now).permits for change in rule_changes(instrument, self.ruleset)):
            self._license_changes(instrument, now)
            return False
        self.licences[instrument.path] = ((license_of(own, "sunset"),),)
        if wrong:
            self.findings.append(wrong)
            self.refused.add(instrument.path)
            self.game.sunsets.spent(own)
        return wrong is None

    def _overrule(self, instrument: Instrument, now: State) -> None:
        if isinstance(instrument, Judgement) and not is_after(now.moment, self.until):
            words = f"{instrument.name} is overruled"
            verdict = self.game.record_effect(JudgementOverruled(instrument), now, "judgement", instrument.path, words)
            self.overruled += [instrument] if verdict.permits else []

    def _effect(self, instrument: Instrument, now: State) -> None:
        """What was decided takes effect, unless its day has not come or nothing of it may."""
        path, moment = instrument.path, now.moment
        if is_after(moment, self.until):
            self._keep_rules(instrument, moment, "pending")
        elif self._waits(instrument):
            self._keep_rules(instrument, None, "pending")
        elif is_correction(instrument):
            self._keep_rules(instrument, moment, "applied")
        elif isinstance(instrument, Judgement) and precedes(instrument.matter.overruled, moment):
            self._keep_rules(instrument, moment, "refused")
        elif path in self.refused and instrument.kind != "proposal":
            self._keep_rules(instrument, moment, "refused")
            self._refuse(instrument, moment, {instruction.span for instruction in instrument.instructions})
        else:
            self._carry_out(instrument, moment)

    def _carry_out(self, instrument: Instrument, moment: Moment | None) -> None:
        path = instrument.path
        step, carried_out = self._tried(instrument, moment)
        spans = (instruction.span for instruction in instrument.instructions)
        licences = dict(zip(spans, self.licences.get(path, ()), strict=False))
        for change in step.changes:
            verdict = Verdict(licences.get(change.instruction.span, ()))
            refused = path in self.refused
            self.effects.append(verdict.effect("rule", path, rule_words(change), moment, refused=refused))
        self._refuse(instrument, moment, carried_out.down)
        overtaken = overtaken_findings(step, carried_out.findings, partly=bool(carried_out.down))
        self.findings.extend(overtaken if carried_out.down or path in self.valid_when_decided else carried_out.findings)
        self.steps.append(step)
        if step.outcome == "refused" and path in self.sunset_rules:
            self.game.sunsets.spent(self.sunset_rules[path])
        self.ruleset = step.after
        self.lawless = self.lawless and not self.ruleset.speaking
        for change in step.changes:
            self.game.sunsets.changed(change.before, change.after, moment)
        self.game.look_for_winner(self.state(moment))

    def _refuse(self, instrument: Instrument, moment: Moment | None, down: Collection[Span]) -> None:
        for instruction in instrument.instructions:
            if instruction.span in down:
                self.effects.append(
                    Verdict().effect("rule", instrument.path, instruction.heading, moment, refused=True)
                )

    def _is_deferred(self, instrument: Instrument, decided: Moment | None) -> bool:
        """Whether a change takes effect later than it was decided: others may come between."""
        effective = instrument.matter.effective
        later = decided is not None and decided.precedes(effective)
        return later or (instrument.kind == "proposal" and instrument.path in self.with_next_turn)

    def _waits(self, instrument: Instrument) -> bool:
        """Whether the turn that a change takes effect with has not begun."""
        decided = instrument.decided
        waits = decided is not None and waits_for_turn(instrument, self.laws.of(self.ruleset, decided))
        return waits and self.game.timeline.after(instrument) is None

    def _step(self, instrument: Instrument, moment: Moment | None, outcome: Outcome, carried_out: CarriedOut) -> Step:
        return Step(
            instrument=instrument,
            effective=moment,
            outcome=outcome,
            changes=carried_out.changes,
            before=self.ruleset,
            after=carried_out.after,
        )

    def _keep_rules(self, instrument: Instrument, moment: Moment | None, outcome: Outcome) -> None:
        """The rules stay as they are."""
        self.steps.append(self._step(instrument, moment, outcome, CarriedOut(self.ruleset, (), ())))

    def _tried(self, instrument: Instrument, moment: Moment | None) -> tuple[Step, CarriedOut]:
        """What an instrument would make of the rules as they are now."""
        carried_out = carry_out(instrument, self.state(moment), self.forbidden.get(instrument.path))
        refused = not carried_out.down and _has_errors(carried_out.findings)
        return self._step(instrument, moment, "refused" if refused else "applied", carried_out), carried_out

    def _judge(self, instrument: Proposal, now: State) -> Decision:
        """The decision on a proposal; where its law lets what is wrong fall alone, that asks for no votes."""
        decision = decide(instrument, now)
        if not falls_alone(now.law):
            return decision
        self.forbidden[instrument.path] = decision.legality
        down = self._tried(instrument, now.moment)[1].down
        return decide(instrument, now, down=down) if down else decision

    def result(self) -> Replay:
        """The replay, with every proposal that is not decided judged by the law that is in force now."""
        for proposal in self.records.of_kind("proposal"):
            if proposal.matter.is_undecided:
                self._undecided(proposal)
        due, following, overdue = self.game.finish(self.state(self.until))
        return Replay(
            settings=self.records.settings,
            findings=tuple(self.findings),
            initial=self.initial,
            current=self.ruleset,
            steps=tuple(self.steps),
            tallies=self.tallies,
            previews=self.previews,
            edits=self.edits,
            until=self.until,
            awards=tuple(self.game.lines),
            winner=self.game.winner,
            due=due,
            next_turn=following,
            overdue=overdue,
            effects=tuple(self.effects),
            corrections=tuple(self.corrections),
        )

    def _undecided(self, instrument: Proposal) -> None:
        now, matter = self.state(self.until), instrument.matter
        # A vote that opens after the day of the replay is judged as if it were that day already.
        asked = matter.opened
        moment = max(asked, self.until) if asked and self.until else asked or self.until
        if is_after(asked, self.until):
            self._future(instrument, "opened", f"opened on {asked}, which is after {self.until}", "correct `opened`")
        decision = self._judge(instrument, replace(now, moment=moment))
        if matter.status == "open":
            self.tallies[instrument.path] = decision.tally
        self.previews[instrument.path], carried_out = self._tried(instrument, self.until)
        if instrument.number is None:
            self._register(instrument, now)
        self.findings.extend(kept_provisions(instrument, self.ruleset))
        self.findings.extend(judge_own_day(instrument, now.law))
        self.findings.extend((*decision.findings, *decision.legality, *carried_out.findings))


_TAKES = {
    "registered": Fold._register,
    "opened": Fold._open,
    "decided": Fold._decide,
    "effective": Fold._effect,
    "overruled": Fold._overrule,
}


def _has_errors(findings: Iterable[Finding]) -> bool:
    return any(finding.is_error for finding in findings)
