"""Citations of rules: `203`, `R203/1`, `R203/1@2020-07-27`. What they say, and which revision they
stand for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.history.game_history import GameHistory
from nomicgen.history.rule_history import TEXT_VERBS, HistoryEntry, RuleHistory
from nomicgen.law.replay.results import Rule
from nomicgen.model.values import Moment, RuleRef

# Only the digits of ASCII count.
_CITATION = r"(?ai)(?:r|rule)?\s*#?([1-9]\d{0,8}(?:/(?:0|[1-9]\d{0,5}))?)(?:\s*@\s*(\S+))?"


class Citation(Struct, frozen=True):
    """What a citation says: a rule, perhaps a revision of it, perhaps as it stood on a day."""

    rule: RuleRef
    on: Moment | None = None


class RevisionPeriod(Struct, frozen=True, kw_only=True):
    """A revision under one number, and how long it stood: from `since` to before `until`.

    Of the lines of the rule's history, the one at `entry_index` began it, and the one at
    `text_index` gave it its text. A moment is None where it is not known, `until` also while the
    revision stands (`ended` is False).
    """

    history: RuleHistory
    rule: Rule
    entry_index: int
    text_index: int
    since: Moment | None
    until: Moment | None = None
    ended: bool = False

    def stood_on(self, on: Moment) -> bool:
        """Return whether it stood at the end of a day, or came into force on that day."""
        if self.since is not None and on.day < self.since.day:
            return False
        began = self.since is not None and self.since.day == on.day
        return not self.ended or began or (self.until is not None and on.day < self.until.day)

    @property
    def citation(self) -> str:
        """The citation that will always stand for this revision: `R203/1@2020-07-27`; without the
        day if that is not known.
        """
        return f"R{self.rule.ref}{f'@{self.since.day}' if self.since else ''}"

    @property
    def span(self) -> str:
        """How long it stood, such as `2020-07-27 to 2020-08-14` (the day on which it ended), or
        `since 2020-07-27` if it still stands.
        """
        first = self.history.entries[self.entry_index].verb == "initial"
        since = (
            str(self.since.day)
            if self.since
            else "the beginning"
            if first
            else "a day that is not known"
        )
        if not self.ended:
            return f"since {since}"
        return f"{since} to {self.until.day if self.until else 'a day that is not known'}"


class Resolved(Struct, frozen=True, kw_only=True):
    """The revision that a citation stands for. `note` tells if the rule has another number now."""

    revision: RevisionPeriod
    note: str = ""


class Unresolved(Struct, frozen=True, kw_only=True):
    """Why a citation stands for nothing, or may stand for several things; `remedy` says what to
    type or cite instead.
    """

    message: str
    remedy: str


def parse_citation(text: str) -> Citation:
    """Read a citation. Raises ValueError for what cannot be one, such as a date that is not in the
    calendar.
    """
    match = re.fullmatch(_CITATION, " ".join(text.split()))
    if match is None:
        raise ValueError("a citation is such as 203, R203/1 or R203/1@2020-07-27")
    on = Moment.parse(match[2]) if match[2] else None
    if on is not None and on.timed:
        raise ValueError("is cited by the day, without a time")
    return Citation(RuleRef.parse(match[1]), on)


def revision_periods(history: RuleHistory) -> tuple[RevisionPeriod, ...]:
    """Return a rule's revisions in order, each under each number it bore, with its period."""
    periods: list[RevisionPeriod] = []
    text_index = 0
    for index, entry in enumerate(history.entries):
        text_index = index if entry.verb in TEXT_VERBS else text_index
        if periods and _goes_on(periods[-1], entry, text_index):
            periods[-1] = replace(periods[-1], rule=entry.rule)
            continue
        if periods and not periods[-1].ended:
            periods[-1] = replace(periods[-1], until=entry.moment, ended=True)
        if entry.verb != "repeal":
            periods.append(
                RevisionPeriod(
                    history=history,
                    rule=entry.rule,
                    entry_index=index,
                    text_index=text_index,
                    since=entry.moment,
                )
            )
    return tuple(periods)


def _goes_on(last: RevisionPeriod, entry: HistoryEntry, text_index: int) -> bool:
    return (
        not last.ended
        and entry.verb != "repeal"
        and last.text_index == text_index
        and last.rule.number == entry.rule.number
    )


def resolve_citation(game_history: GameHistory, citation: Citation) -> Resolved | Unresolved:
    """Return what a citation stands for. A day means the end of that day. A rule may be cited by
    any number that it bore.
    """
    ref, on = citation.rule, citation.on
    bearers = game_history.histories.bearers.get(ref.number, ())
    if not bearers:
        return Unresolved(
            message=f"there never was a Rule {ref.number}",
            remedy="`nomicgen status --rules` lists the rules",
        )
    started, until = game_history.replay.settings.started, game_history.replay.until
    if on is not None and started is not None and on.day < started.day:
        return Unresolved(
            message=f"the game began on {started.day}",
            remedy=f"nomicgen rule cite {ref}@{started.day}",
        )
    if on is not None and until is not None and until.day < on.day:
        return Unresolved(
            message=f"nobody knows the law of {on} yet", remedy=f"nomicgen rule cite {ref}"
        )
    revisions = [
        period
        for identity in bearers
        for period in revision_periods(game_history.histories.rules[identity])
    ]
    if ref.revision is not None:
        return _pinned(ref, on, revisions)
    return (
        _latest(ref.number, revisions)
        if on is None
        else _on_day(game_history, ref.number, on, revisions)
    )


def _latest(number: int, revisions: Sequence[RevisionPeriod]) -> Resolved | Unresolved:
    """Return the last revision of the rule that bore a number, if only one rule did."""
    identities = {period.history.identity for period in revisions}
    if len(identities) == 1:
        return _resolved(revisions[-1], number)
    # Several rules bore it: offer the last revision of each under this number.
    last = {period.history.identity: period for period in revisions if period.rule.number == number}
    return _choices(f"Rule {number} may be one of {len(last)}", last.values())


def _on_day(
    game_history: GameHistory, number: int, on: Moment, revisions: Sequence[RevisionPeriod]
) -> Resolved | Unresolved:
    """Return the revision, at the end of a day, of the rule that bore a number then or last before.
    If there was none, offer what may be meant.
    """
    rule = game_history.replay.on(on).once_numbered(number)
    if rule is None:
        then = [period for period in revisions if period.stood_on(on)]
        borne = [period for period in revisions if period.rule.number == number]
        return _choices(f"there was no Rule {number} on {on}", [*then, *borne])
    same = [
        period
        for period in revisions
        if (period.history.identity, period.rule.ref) == (rule.identity, rule.ref)
    ]
    return _resolved(
        next((period for period in reversed(same) if period.stood_on(on)), same[-1]), number
    )


def _pinned(
    ref: RuleRef, on: Moment | None, revisions: Sequence[RevisionPeriod]
) -> Resolved | Unresolved:
    """Return the revision that `203/1` names, on a day if one is given."""
    exact = [period for period in revisions if period.rule.ref == str(ref)]
    # The rule may have that revision only under another number: 203/1 then means 305/1.
    meant = exact or [period for period in revisions if period.rule.revision == ref.revision]
    if not meant:
        shown = ", ".join(dict.fromkeys(period.rule.ref for period in revisions))
        return Unresolved(message=f"there never was a Rule {ref}", remedy=f"revisions: {shown}")
    if on is None:
        is_sure = len(meant) == 1
        return (
            _resolved(meant[0], ref.number)
            if is_sure
            else _choices(f"Rule {ref} may be one of {len(meant)}", meant)
        )
    meant_then = [period for period in meant if period.stood_on(on)]
    if not meant_then:
        when = " and ".join(period.span for period in meant)
        then = [period for period in revisions if period.stood_on(on)]
        return _choices(f"Rule {ref} was not in force on {on}: it stood {when}", [*meant, *then])
    # Of several that stood on that day the last is meant.
    return _resolved(meant_then[-1], ref.number)


def _resolved(revision: RevisionPeriod, number: int) -> Resolved:
    """Return a revision, with a note if the rule has, or had, another number than the cited one."""
    history, borne = revision.history, revision.rule.number
    if history.current is not None and number != history.current.number:
        return Resolved(
            revision=revision, note=f"Rule {number} is Rule {history.current.number} now"
        )
    note = f"Rule {number} is the same rule as Rule {borne}" if number != borne else ""
    return Resolved(revision=revision, note=note)


def _choices(message: str, revisions: Iterable[RevisionPeriod]) -> Unresolved:
    """Return `message`, and the citations of all `revisions` that may be meant."""
    lines = (
        f"nomicgen rule cite {period.citation}   {_titled(period.rule)}, {period.span}"
        for period in revisions
    )
    return Unresolved(message=message, remedy="\n  ".join(["one of these:", *lines]))


def _titled(rule: Rule) -> str:
    return f"Rule {rule.ref}{f': {rule.title}' if rule.title else ''}"
