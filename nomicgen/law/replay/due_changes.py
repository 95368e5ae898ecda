"""Rules that change by themselves (`sunset`): when that is due, and whether the act that carries it
out does what the rule says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from nomicgen.law.provisions.sunset import Sunset, sunset_result
from nomicgen.law.reading import parse_provisions
from nomicgen.law.replay.results import DueChange, Rule, Ruleset
from nomicgen.model.findings import Finding
from nomicgen.model.front_matters import ActMatter
from nomicgen.model.records import Instrument
from nomicgen.model.settings import Settings
from nomicgen.model.values import Moment, Span


class _RunningSunset(Struct, frozen=True):
    """A sunset that has begun to run `since` a moment, by the `provision` of a rule.

    As of that moment: the `revision` of the rule, the last `round` that had ended, and how many
    `turns` had.
    """

    provision: Sunset
    since: Moment | None
    revision: int
    round: int
    turns: int

    def lasts(self, rule: Rule, moment: Moment | None) -> bool:
        """Return whether it still holds for its rule as that stands."""
        amended = self.provision.unless == "amended" and rule.revision > self.revision
        return not amended and not rule.void_on(moment)


def sunset_rule(instrument: Instrument, ruleset: Ruleset) -> Rule | None:
    """Return the rule with a sunset that an act is under and changes; None for every other
    instrument.
    """
    matter = instrument.matter
    rule = (
        ruleset.once_numbered(matter.under)
        if isinstance(matter, ActMatter) and matter.under is not None
        else None
    )
    if rule is None or not rule.law.of(Sunset):
        return None
    targets = {
        instruction.target.number
        for instruction in instrument.instructions
        if instruction.target is not None
    }
    return rule if rule.number in targets else None


class Sunsets:
    """The rules that change by themselves, and when they are due: the replay tells it of changed
    rules, and of turns and rounds that ended.
    """

    def __init__(self, initial: Ruleset, settings: Settings) -> None:
        self.settings = settings
        self.round = self.turns = 0
        # Both by the identity of the rule; `_due` has when the rounds or the turns were over.
        self._started: dict[int, _RunningSunset] = {}
        self._due: dict[int, Moment] = {}
        for rule in initial:
            self._start(rule, settings.started)

    def _start(self, rule: Rule, moment: Moment | None) -> None:
        for sunset in rule.law.of(Sunset):
            known = self._started.get(rule.identity)
            if known is None or known.provision != sunset:
                self._started[rule.identity] = _RunningSunset(
                    sunset, moment, rule.revision, self.round, self.turns
                )
                self._due.pop(rule.identity, None)

    def changed(self, before: Rule | None, after: Rule | None, moment: Moment | None) -> None:
        """Note that a rule has changed: its sunset may begin to run, or be gone."""
        if after is not None and after.law.of(Sunset):
            self._start(after, moment)
        elif (gone := before or after) is not None:
            self.spent(gone)

    def spent(self, rule: Rule) -> None:
        """Note that a rule no longer changes by itself: an act has tried, or it has no sunset."""
        self._started.pop(rule.identity, None)
        self._due.pop(rule.identity, None)

    def turn_ended(self, moment: Moment | None) -> None:
        """Note that another turn is over."""
        self.turns += 1
        self._reach(moment)

    def round_ended(self, number: int, moment: Moment | None) -> None:
        """Note that a round is complete; `number` may be that of an earlier call, too."""
        self.round = max(self.round, number)
        self._reach(moment)

    def _reach(self, moment: Moment | None) -> None:
        """Note which sunsets are due at `moment`, by the rounds or turns that have ended."""
        for identity, running in self._started.items():
            after = running.provision.after
            rounds = after.circuits is not None and self.round >= running.round + after.circuits
            turns = after.turns is not None and self.turns >= running.turns + after.turns
            if (rounds or turns) and moment is not None:
                self._due.setdefault(identity, moment)

    def due(self, ruleset: Ruleset, moment: Moment | None) -> Iterator[DueChange]:
        """Yield the rules that should have changed by `moment` and have not."""
        for identity, running in self._started.items():
            rule = ruleset.by_identity(identity)
            since = _day_due(running, moment) or self._due.get(identity)
            if rule is not None and since is not None and running.lasts(rule, since):
                yield DueChange(rule, since, sunset_result(rule, running.provision))

    def judge(
        self, instrument: Instrument, rule: Rule, ruleset: Ruleset, moment: Moment | None
    ) -> Finding | None:
        """Return what is wrong with an act that carries out the sunset of a rule, if anything."""
        matter, started = instrument.matter, self._started.get(rule.identity)
        event = (
            started is not None
            and started.provision.after.event is not None
            and started.lasts(rule, moment)
        )
        is_due = any(due.rule.identity == rule.identity for due in self.due(ruleset, moment))
        if started is None or not (event or is_due):
            message = f"Rule {rule.ref} does not change by itself yet"
            return _wrong(instrument, instrument.source.at("under"), message, rule)
        # A program sees no event: somebody has to say that it has happened.
        if (
            event
            and isinstance(matter, ActMatter)
            and (matter.by is None or matter.by_rule is not None)
        ):
            message = f"the act does not say who saw the event that changes Rule {rule.ref}"
            span = instrument.source.at("cause" if matter.by is None else "by")
            return _wrong(instrument, span, message, rule, "write `by: ` and your id")
        wanted = sunset_result(rule, started.provision)
        remedy = _event_remedy(rule, wanted) if event else ""
        first, *others = instrument.instructions
        verb, done = ("repeal", "repealed") if wanted is None else ("amend", "amended")
        if (
            others
            or first.verb != verb
            or first.target is None
            or first.target.number != rule.number
        ):
            message = (
                f"it does something else: by its `sunset` Rule {rule.ref} is {done}, and nothing "
                "more"
            )
            return _wrong(instrument, first.span, message, rule, remedy)
        if wanted is None:
            return None
        text, provisions = wanted
        block = first.block
        says = block is not None and "provisions" in block.written
        provisions_then = block.provisions if block is not None and says else rule.provisions
        if first.text == text and self._read(provisions_then or {}) == self._read(provisions):
            return None
        what = "this is not the text" if first.text != text else "these are not the provisions"
        message = f"{what} that Rule {rule.ref} is to have by its sunset"
        return _wrong(instrument, first.span, message, rule, remedy)

    def _read(self, raw: Mapping[str, object]) -> object:
        return parse_provisions(raw, tuple(self.settings.tiers))[0]


def _event_remedy(rule: Rule, wanted: tuple[str | None, Mapping[str, object]] | None) -> str:
    """Return what to write in an act after an event: no command writes that act."""
    if wanted is None:
        return f"write `## Repeal Rule {rule.ref}`, and nothing else"
    return (
        f"write `## Amend Rule {rule.ref}` with the text and the provisions that its `sunset` "
        "says, and nothing else"
    )


def _day_due(running: _RunningSunset, moment: Moment | None) -> Moment | None:
    """Return the day that a sunset names, if it has come by `moment`; when the sunset began to run,
    if that was after the day.
    """
    day = running.provision.after.date
    if day is None or moment is None or moment.precedes(day):
        return None
    return running.since if day.precedes(running.since) else day


def _wrong(
    instrument: Instrument, span: Span, message: str, rule: Rule, remedy: str = ""
) -> Finding:
    return Finding(
        slug="sunset-wrong",
        span=span,
        message=message,
        help=remedy
        or f"delete {instrument.path}, then `nomicgen next --do`, which writes the act when it "
        "is due",
        rule=rule.number,
    )
