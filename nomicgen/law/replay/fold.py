"""The fold: it takes the events of the ledger in their order, carries out what was decided, and so
makes the ruleset of every moment.

An error in how a proposal was registered or decided is reported, and its changes are carried out
all the same, so that one slip is one finding and not a cascade. An instrument that cannot be
carried out changes nothing; nor does an act or a judgement that no rule permits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from msgspec.structs import replace

from nomicgen.law import subjects
from nomicgen.law.gate import license_effect
from nomicgen.law.limits import apply_instrument, overtaken_findings
from nomicgen.law.precedence import Laws
from nomicgen.law.provisions.effect import due_moment, falls_alone, is_next_turn
from nomicgen.law.provisions.judgements import is_voided
from nomicgen.law.provisions.numbering import surplus_changes
from nomicgen.law.provisions.sunset import Sunset
from nomicgen.law.replay.amendments import text_findings
from nomicgen.law.replay.carrying_out import CarriedOut
from nomicgen.law.replay.correction_acts import check_correction, corrections_of, is_correction
from nomicgen.law.replay.due_changes import sunset_rule
from nomicgen.law.replay.effects import Effect, Licence, Verdict
from nomicgen.law.replay.events import Event, began, is_after
from nomicgen.law.replay.gameplay import Gameplay, as_next_turn_begins, forked
from nomicgen.law.replay.moments import precedes
from nomicgen.law.replay.player_spans import revive_archived
from nomicgen.law.replay.players_at_vote import PlayerDays
from nomicgen.law.replay.results import Correction, Outcome, Replay, Rule, Ruleset, Step
from nomicgen.law.replay.since_opening import has_errors, states_since_opening, was_possible
from nomicgen.law.replay.watched_records import WatchedRecords
from nomicgen.law.rule_keys import initial_ruleset
from nomicgen.law.subjects import State, changes_under_authority, license_of, rule_words
from nomicgen.law.voting.assessment import Assessment, assess
from nomicgen.law.voting.tally import Tally
from nomicgen.law.voting.voting_rights import effect_of_edits
from nomicgen.model.findings import Finding, Findings
from nomicgen.model.records import Instrument, Judgement, Proposal, Records
from nomicgen.model.values import Moment, Span


class Fold:
    """The state of one replay: `take` each event, then ask for the `result`."""

    def __init__(self, records: Records, until: Moment | None) -> None:
        self.records, self.until = records, until
        self.watched = WatchedRecords(records)
        self.initial = self.ruleset = initial_ruleset(records)
        # Until some rule has a provision: nothing before that is judged.
        self.lawless = not self.initial.with_provisions
        self.findings: list[Finding] = []
        self.steps: list[Step] = []
        self.corrections: list[Correction] = []
        self.tallies: dict[str, Tally] = {}
        self.previews: dict[str, Step] = {}
        self.edits: dict[str, str] = {}
        # Paths of proposals that take effect when the next turn begins.
        self.with_next_turn: set[str] = set()
        # Of these, when those take effect whose files do not say so; None until the turn begins.
        self.undated: dict[str, Moment | None] = {}
        self.has_come: set[str] = set()  # paths of instruments whose effect has come
        # By path of a proposal, the findings against what the law forbids in it. It may be adopted,
        # but nothing of it is carried out, or only the rest (if its path is in `partly`).
        self.forbidden: dict[str, Findings] = {}
        self.partly: set[str] = set()
        # Paths of instruments that take effect later, and could be carried out when they were
        # decided. Also those of lawful acts by a sunset.
        self.valid_when_decided: set[str] = set()
        # By path of an act, the rule that changes by its own sunset.
        self.sunset_rules: dict[str, Rule] = {}
        # By path of an instrument, for each of its instructions, the rules that permit it.
        self.licences: dict[str, tuple[tuple[Licence, ...], ...]] = {}
        # Paths of instruments that the law does not permit; proposals are carried out all the same.
        self.not_permitted: set[str] = set()
        # By path of a judgement, whether it may void a proposal.
        self.may_void: dict[str, bool] = {}
        # By path of a proposal.
        self.rules_when_decided: dict[str, Ruleset] = {}
        # The judgements that were overruled lawfully.
        self.overruled: list[Judgement] = []
        self.effects: list[Effect] = []
        self.players_of_archive = revive_archived(records.players)
        self.player_days = PlayerDays(records.players, records.settings.started)
        self.laws = Laws(records.settings)
        self.game = Gameplay(self.watched, self.initial, until, self.findings, self.effects)

    def fork(self, records: Records, until: Moment | None) -> Fold:
        """Return a copy that has come as far, to go on with these records of the same game."""
        fork = forked(self)
        fork.records, fork.until = records, until
        fork.watched = WatchedRecords(records, self.watched.asked)
        fork.game = self.game.fork(fork.watched, until, fork.findings, fork.effects)
        return fork

    def _report_future(self, instrument: Instrument, key: str, message: str, help: str) -> None:
        """Report a date of an instrument that lies after the day of the replay."""
        span = instrument.source.at(key)
        self.findings.append(Finding(slug="date-future", span=span, message=message, help=help))

    def state(self, moment: Moment | None) -> State:
        """Return what an effect at `moment` is judged by: the rules as they are now, and more."""
        return State(
            ruleset=self.ruleset,
            laws=self.laws,
            players=self.players_of_archive if self.lawless else self.records.players,
            moment=moment,
            lawless=self.lawless,
            records=self.watched,
            played=self.game.played,
        )

    def take(self, event: Event) -> None:
        """Take the next event of the ledger, after what turns and players' files say before it."""
        is_effect, path = event.phase == "effective", event.instrument.path
        if is_effect and not self._comes(event):
            return
        self.game.advance_to(event, self.state, waits=is_effect and path in self.with_next_turn)
        if event.deed is not None:
            self.game.record_deed(event.deed, self.state(event.moment))
        else:
            _TAKES[event.phase](self, event.instrument, self.state(event.moment))

    def _comes(self, event: Event) -> bool:
        """Return whether an effect comes with this event: the first one that the law lets count."""
        path, moment = event.instrument.path, event.moment
        due = self.undated.get(path)
        if path in self.has_come or (due is not None and moment is not None and moment < due):
            return False
        self.has_come.add(path)
        return True

    def _register(self, instrument: Instrument, now: State) -> None:
        if isinstance(instrument, Proposal):
            self.game.on_registered(instrument, now)
        self.findings.extend(surplus_changes(instrument, now.law))

    def _open(self, instrument: Instrument, now: State) -> None:
        """Judge the opening of a vote, and note what the vote binds."""
        if isinstance(instrument, Proposal):
            states = (now, *states_since_opening(instrument, now, self.steps))
            judged = [
                license_effect(subjects.VoteOpened(instrument), state).findings for state in states
            ]
            # If one ruleset that may have been in force then lets the vote open, nothing is wrong.
            self.findings.extend(() if () in judged else judged[0])
            if (edits := effect_of_edits(now.law, instrument.matter)) is not None:
                self.edits[instrument.path] = edits

    def _decide(self, instrument: Instrument, now: State) -> None:
        """Judge a decision, and note what waits for its day; `_effect` carries it out."""
        path = instrument.path
        assessment, now = (
            self._judge(instrument, now) if isinstance(instrument, Proposal) else (None, now)
        )
        if not isinstance(instrument, Proposal) or instrument.matter.status == "adopted":
            turn, day = self.game.timeline.after(instrument), instrument.decided
            self.game.license_and_report(subjects.TakesEffect(instrument, turn), now)
            if isinstance(instrument, Proposal) and is_next_turn(now.law):
                self.with_next_turn.add(path)
                if instrument.matter.effective is None and day is not None:
                    self.undated[path] = due_moment(instrument, now.law, day, began(turn))
            is_deferred = self._is_deferred(instrument, now.moment)
            if is_deferred and self._attempt(instrument, now.moment)[0].outcome == "applied":
                self.valid_when_decided.add(instrument.path)
        if isinstance(instrument, Proposal) and assessment is not None:
            self._decide_proposal(instrument, assessment, now)
        else:
            self._decide_other(instrument, now)

    def _decide_proposal(self, instrument: Proposal, assessment: Assessment, now: State) -> None:
        matter, moment = instrument.matter, now.moment
        self.tallies[instrument.path] = assessment.tally
        self.rules_when_decided[instrument.path] = self.ruleset
        if is_after(moment, self.until):
            self._report_future(
                instrument,
                "decided",
                f"{matter.status} on {moment}, which is after {self.until}: not judged yet",
                "correct `decided`; what is not decided yet is `open`",
            )
            return
        self.findings.extend(assessment.findings)
        if matter.status in ("adopted", "defeated"):
            if matter.opened is None and assessment.tally.recorded:
                self._open(instrument, now)
            self.findings.extend(self.game.missed_sunsets(instrument, now))
        self.game.on_decided(instrument, now, assessment.tally)
        if matter.status == "adopted":
            self.findings.extend(assessment.illegal)
            self.licences[instrument.path] = assessment.licences
            if has_errors(assessment.illegal) or assessment.tally.adopted is False:
                self.not_permitted.add(instrument.path)
        else:
            if matter.status in ("withdrawn", "void"):
                voided = matter.status == "void" and is_voided(instrument, self.may_void, now)
                ended = subjects.ProposalWithdrawn(instrument, assessment.tally, voided)
                words = f"{instrument.name}: {matter.status}"
                self.game.record_effect(ended, now, "proposal", instrument.path, words)
            self.previews[instrument.path] = self._attempt(instrument, moment)[0]

    def _decide_other(self, instrument: Instrument, now: State) -> None:
        """Judge an act or a judgement, and give its points; `_effect` carries out its changes."""
        own_rule, future = sunset_rule(instrument, self.ruleset), is_after(now.moment, self.until)
        if is_correction(instrument):
            self.findings.extend(check_correction(instrument, self.ruleset))
            for correction in corrections_of(instrument):
                self.corrections.append(correction)
                was, is_now = correction.was or "missing", correction.now or "missing"
                words = (
                    f"{correction.file}: {correction.key} was {was}, is {is_now} "
                    f"({correction.evidence})"
                )
                self.effects.append(Verdict().effect("record", instrument.path, words, now.moment))
        elif own_rule is not None:
            if not future and self._changes_by_sunset(instrument, own_rule, now):
                self.valid_when_decided.add(instrument.path)
                self.sunset_rules[instrument.path] = own_rule
        else:
            self._license_changes(instrument, now)
            if instrument.instructions and not future:
                self.findings.extend(self.game.missed_sunsets(instrument, now))
        if future:
            return
        if isinstance(instrument, Judgement):
            then = self.rules_when_decided.get(
                f"proposals/{instrument.matter.voids}.md", self.ruleset
            )
            subject = subjects.JudgementGiven(instrument, tuple(self.overruled), then)
            verdict = self.game.record_effect(
                subject, now, "judgement", instrument.path, f"{instrument.name} is given"
            )
            self.may_void[instrument.path] = all(
                finding.slug != "voids-unlawful" for finding in verdict.findings
            )
            if not verdict.is_lawful:
                self.not_permitted.add(instrument.path)
                return
        self.game.on_decided(instrument, now)

    def _license_changes(self, instrument: Instrument, now: State) -> None:
        """Ask which rules permit each change of an act or a judgement, and report what is wrong."""
        verdicts = [
            self.game.license_and_report(change, now)
            for change in changes_under_authority(instrument, self.ruleset)
        ]
        self.licences[instrument.path] = tuple(verdict.licences for verdict in verdicts)
        if not all(verdict.is_lawful for verdict in verdicts):
            self.not_permitted.add(instrument.path)

    def _changes_by_sunset(self, instrument: Instrument, rule: Rule, now: State) -> bool:
        """Return whether an act is permitted by the sunset of the rule that it changes.

        If not, another rule may permit it; else it is reported.
        """
        wrong = self.game.sunsets.judge(instrument, rule, self.ruleset, now.moment)
        # If other rules permit the act, nothing is wrong with it.
        if wrong and all(
            license_effect(change, now).is_lawful
            for change in changes_under_authority(instrument, self.ruleset)
        ):
            self._license_changes(instrument, now)
            return False
        self.licences[instrument.path] = ((license_of(rule, Sunset),),)
        if wrong:
            self.findings.append(wrong)
            self.not_permitted.add(instrument.path)
            self.game.sunsets.spent(rule)
        return wrong is None

    def _overrule(self, instrument: Instrument, now: State) -> None:
        if isinstance(instrument, Judgement) and not is_after(now.moment, self.until):
            words = f"{instrument.name} is overruled"
            verdict = self.game.record_effect(
                subjects.JudgementOverruled(instrument), now, "judgement", instrument.path, words
            )
            self.overruled += [instrument] if verdict.is_lawful else []

    def _effect(self, instrument: Instrument, now: State) -> None:
        """Put an instrument into effect, unless its day has not come or it may not take effect."""
        path, moment = instrument.path, now.moment
        if is_after(moment, self.until):
            self._keep_rules(instrument, moment, "pending")
        elif path in self.undated and self.undated[path] is None:
            self._keep_rules(instrument, None, "pending")
        elif is_correction(instrument):
            self._keep_rules(instrument, moment, "applied")
        elif isinstance(instrument, Judgement) and precedes(instrument.matter.overruled, moment):
            self._keep_rules(instrument, moment, "failed")
        elif path in self.not_permitted and instrument.kind != "proposal":
            self._keep_rules(instrument, moment, "failed")
            self._refuse(
                instrument, moment, {instruction.span for instruction in instrument.instructions}
            )
        else:
            self._put_into_effect(instrument, moment)

    def _put_into_effect(self, instrument: Instrument, moment: Moment | None) -> None:
        path = instrument.path
        step, carried_out = self._attempt(instrument, moment)
        spans = (instruction.span for instruction in instrument.instructions)
        licences = dict(zip(spans, self.licences.get(path, ()), strict=False))
        for change in step.changes:
            verdict = Verdict(licences.get(change.instruction.span, ()))
            refused = path in self.not_permitted
            self.effects.append(
                verdict.effect("rule", path, rule_words(change), moment, refused=refused)
            )
        self._refuse(instrument, moment, carried_out.dropped)
        self.findings.extend(
            self._judge_step(step, carried_out, known=path in self.valid_when_decided)
        )
        self.steps.append(step)
        if step.outcome == "failed" and path in self.sunset_rules:
            self.game.sunsets.spent(self.sunset_rules[path])
        self.ruleset = step.after
        self.lawless = self.lawless and not self.ruleset.with_provisions
        for change in step.changes:
            self.game.sunsets.changed(change.before, change.after, moment)
        self.game.look_for_winner(self.state(moment))

    def _refuse(
        self, instrument: Instrument, moment: Moment | None, dropped: Collection[Span]
    ) -> None:
        """Record that the instructions at the places `dropped` are refused."""
        for instruction in instrument.instructions:
            if instruction.span in dropped:
                self.effects.append(
                    Verdict().effect(
                        "rule", instrument.path, instruction.heading, moment, refused=True
                    )
                )

    def _is_deferred(self, instrument: Instrument, decided: Moment | None) -> bool:
        """Return whether an instrument takes effect after its decision: others may come between."""
        later = decided is not None and decided.precedes(instrument.matter.effective)
        return later or instrument.path in self.with_next_turn

    def _step(
        self,
        instrument: Instrument,
        moment: Moment | None,
        outcome: Outcome,
        carried_out: CarriedOut,
    ) -> Step:
        return Step(
            instrument=instrument,
            effective=moment,
            outcome=outcome,
            changes=carried_out.changes,
            before=self.ruleset,
            after=carried_out.after,
            lacks_effective=instrument.path in self.undated,
        )

    def _keep_rules(self, instrument: Instrument, moment: Moment | None, outcome: Outcome) -> None:
        """Record a step that leaves the rules as they are."""
        self.steps.append(self._step(instrument, moment, outcome, CarriedOut(self.ruleset, (), ())))

    def _attempt(self, instrument: Instrument, moment: Moment | None) -> tuple[Step, CarriedOut]:
        """Return the step that an instrument would make from the rules as they are now.

        Nothing is recorded: `_put_into_effect` does that, previews do not.
        """
        forbidden, partly = (
            self.forbidden.get(instrument.path, ()),
            instrument.path in self.partly,
        )
        carried_out = apply_instrument(instrument, self.state(moment), forbidden, partly=partly)
        failed = not carried_out.dropped and has_errors(carried_out.findings)
        outcome: Outcome = "failed" if failed else "applied"
        return self._step(instrument, moment, outcome, carried_out), carried_out

    def _judge_step(self, step: Step, carried_out: CarriedOut, *, known: bool) -> Iterable[Finding]:
        """Return the findings about a step.

        If it could once be carried out, errors become warnings (`change-overtaken`). `known`: it is
        known that it could when it was decided.
        """
        dropped = carried_out.dropped
        known = known or (bool(dropped) and not step.instrument.matter.is_undecided)
        if known or (has_errors(carried_out.findings) and self._was_possible(step.instrument)):
            law = self.laws.of(self.ruleset, step.effective)
            return overtaken_findings(step, carried_out.findings, law, partly=bool(dropped))
        return carried_out.findings

    def _judge(self, instrument: Proposal, now: State) -> tuple[Assessment, State]:
        """Return the assessment of a proposal, and the state that it was judged by.

        A player who joined or left on the day of the decision, without a time, took part in the
        vote if they voted, or if its outcome shows it.
        """
        matter = instrument.matter
        views = self.player_days.views(
            now.players, now.moment, matter.votes or {}, is_undecided=matter.is_undecided
        )
        states = [
            now if self.lawless or seen is now.players else replace(now, players=seen)
            for seen in views
        ]
        judged = [(self._judge_by(instrument, state), state) for state in states]
        return min(judged, key=lambda pair: sum(finding.is_error for finding in pair[0].findings))

    def _judge_by(self, instrument: Proposal, now: State) -> Assessment:
        """Return the assessment of a proposal by one view of the players; set what of it is then
        carried out (`partly`, `forbidden`).

        - If the law drops wrong instructions alone (`impossible: that` in the provision `effect`),
          they are dropped, and ask for no votes.
        - Else, if it was lawful at some time since the vote opened, and is not now, it may be
          adopted, and nothing of it is carried out.
        - If it was never lawful, that is an error; if its file says that it was adopted, it is
          carried out all the same.
        """
        path, since = instrument.path, states_since_opening(instrument, now, self.steps)
        assessment = assess(instrument, now, since=since)
        if falls_alone(now.law):
            self.partly.add(path)
            self.forbidden[path] = assessment.illegal
            if dropped := self._attempt(instrument, now.moment)[1].dropped:
                return assess(instrument, now, dropped=dropped, since=since)
        self.forbidden[path] = ()
        if has_errors(assessment.illegal) and self._was_possible(instrument):
            self.forbidden[path] = assessment.illegal
            return replace(assessment, illegal=())
        return assessment

    def _was_possible(self, instrument: Instrument) -> bool:
        """Return whether a proposal could have been carried out at some time since its vote
        opened.
        """
        return was_possible(
            instrument, states_since_opening(instrument, self.state(self.until), self.steps)
        )

    def result(self) -> Replay:
        """Return the replay, with each undecided proposal judged by the law now in force."""
        for proposal in self.records.of_kind("proposal"):
            if proposal.matter.is_undecided:
                self._judge_undecided(proposal)
        now = self.state(self.until)
        coming = as_next_turn_begins(now, self.steps, self.forbidden, self.partly).law
        due, following = self.game.finish(now, coming, self.state)
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
            running=tuple(self.game.played.running.values()),
            archived=self.game.played.archived,
            effects=tuple(self.effects),
            corrections=tuple(self.corrections),
        )

    def _judge_undecided(self, instrument: Proposal) -> None:
        """Judge a draft, or a proposal that is in debate or open, as if it were decided now."""
        now, matter = self.state(self.until), instrument.matter
        # A vote that opens after the day of the replay is judged as if it were that day already.
        asked = matter.opened
        moment = max(asked, self.until) if asked and self.until else asked or self.until
        if is_after(asked, self.until):
            self._report_future(
                instrument,
                "opened",
                f"opened on {asked}, which is after {self.until}",
                "correct `opened`",
            )
        assessment, _ = self._judge(instrument, replace(now, moment=moment))
        if matter.status == "open":
            self.tallies[instrument.path] = assessment.tally
        step, carried_out = self._attempt(instrument, self.until)
        self.previews[instrument.path] = step
        if instrument.number is None:
            self._register(instrument, now)
        self.findings.extend(text_findings(instrument, self.ruleset))
        self.game.license_and_report(subjects.ProposalOffered(instrument), now)
        of_step = self._judge_step(step, carried_out, known=False)
        self.findings.extend((*assessment.findings, *assessment.illegal, *of_step))


_TAKES = {
    "registered": Fold._register,
    "opened": Fold._open,
    "decided": Fold._decide,
    "effective": Fold._effect,
    "overruled": Fold._overrule,
}
