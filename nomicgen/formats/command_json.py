"""What commands print with `--format json`: rules, histories, differences, scores, the state of a game.

Every document carries `format: 1`; a key that is there stays.
"""

from __future__ import annotations

from typing import Any

from pydantic import Field

from nomicgen.archive.archive_view import Archive
from nomicgen.archive.game_status import Status
from nomicgen.archive.redline import redline
from nomicgen.archive.rule_history import RuleHistory
from nomicgen.archive.standings import Standings
from nomicgen.formats.json_parts import (
    Document,
    EntryView,
    InstrumentView,
    RuleState,
    ScoresView,
    SegmentView,
    TallyView,
    View,
    WinnerView,
    date_of,
    entry_view,
    instrument_fields,
    instrument_view,
    rule_fields,
    rule_state,
    scores_fields,
    tally_fields,
    winner_view,
)
from nomicgen.law.replay_state import Replay, Rule
from nomicgen.law.sentences import sentences
from nomicgen.model import ProposalMatter, Records


class RuleView(RuleState, Document):
    """A rule as it stands at some moment."""


class HistoryView(Document):
    """A rule through all its revisions and numbers."""

    number: int = Field(description="the number that it bears, or bore last")
    numbers: tuple[int, ...] = Field(description="the numbers that it bore, in order")
    current: RuleState | None = Field(description="the rule as it stands; null if it was repealed")
    entries: tuple[EntryView, ...] = Field(description="its history, line by line")


class SidesView(View):
    """What a program reads of two rules."""

    old: tuple[str, ...] = Field(description="of the first, in English")
    new: tuple[str, ...] = Field(description="of the second")


class DiffView(Document):
    """How one revision's text became another's."""

    old: str = Field(description="the first, such as `203/0`")
    new: str = Field(description="the second")
    segments: tuple[SegmentView, ...] | None = Field(
        description="`equal` and `delete` together are the old text, `equal` and `insert` the new one; null where one "
        "of them is lost"
    )
    sentences: SidesView = Field(description="what a program reads of them")


class TierView(View):
    """How full a tier is."""

    rules: int = Field(description="how many rules it has")
    cap: int | None = Field(description="how many it may have")


class TurnView(View):
    """The last turn that began."""

    turn: str = Field(description="such as `R4T3`")
    player: str = Field(description="whose it is")
    began: str | None = Field(description="when it began")
    ended: str | None = Field(description="when it ended")
    overdue: str | None = Field(description="when it passed by itself, where nobody has written that yet")


class NextTurnView(View):
    """The turn that comes next."""

    turn: str = Field(description="such as `R4T3`")
    player: str = Field(description="whose it is")


class DueView(View):
    """A rule that changes by itself, and has not."""

    rule: int = Field(description="its number")
    date: str | None = Field(description="since when")


class OpenView(TallyView, InstrumentView):
    """A proposal that is open, with the vote as it stands."""

    discussion: str | None = Field(description="where it is debated, an address that was written in its file")


class RuleLineView(View):
    """A rule in force, without its text."""

    number: int = Field(description="its number")
    revision: int = Field(description="how often its text was amended")
    tier: str = Field(description="its tier")
    title: str | None = Field(description="how it is called")


class StatusView(Document):
    """Where a game stands."""

    name: str = Field(description="the game's name")
    tiers: dict[str, TierView] = Field(description="how full each tier is, the most entrenched first")
    turn: TurnView | None = Field(description="the last turn that began")
    next_turn: NextTurnView | None = Field(description="null where no rule says whose it is")
    winner: WinnerView | None = Field(description="who has won; null while nobody has")
    due: tuple[DueView, ...] = Field(description="rules that change by themselves and have not")
    open: tuple[OpenView, ...] = Field(description="proposals that are open for votes")
    debate: tuple[InstrumentView, ...] = Field(description="proposals that are debated")
    decided_since: tuple[InstrumentView, ...] = Field(
        description="proposals whose votes were open on the day that was asked about, and which are decided by now"
    )
    drafts: tuple[InstrumentView, ...] = Field(description="proposals that have no number yet")
    pending: tuple[InstrumentView, ...] = Field(description="judgements that are not given yet")
    next_number: int = Field(description="the number that the next registered proposal gets")
    rules: tuple[RuleLineView, ...] = Field(description="the rules in force, by number")
    errors: int = Field(description="how many errors `nomicgen check` finds")


def rule_json(rule: Rule) -> dict[str, Any]:
    """A rule as it stands at some moment."""
    return _printed(RuleView(**rule_fields(rule)))


def history_json(archive: Archive, history: RuleHistory) -> dict[str, Any]:
    """A rule through all its revisions and numbers."""
    view = HistoryView(
        number=history.last.number,
        numbers=history.numbers,
        current=rule_state(history.current) if history.current else None,
        entries=tuple(
            entry_view(archive, history.identity, index, entry) for index, entry in enumerate(history.entries)
        ),
    )
    return _printed(view)


def diff_json(before: Rule, after: Rule) -> dict[str, Any]:
    """How one revision's text became another's."""
    segments = None
    if before.text is not None and after.text is not None:
        parts = redline(before.text, after.text)
        segments = tuple(SegmentView(kind=one.kind, text=one.text) for one in parts)
    sides = SidesView(old=sentences(before.law), new=sentences(after.law))
    return _printed(DiffView(old=before.ref, new=after.ref, segments=segments, sentences=sides))


def status_json(records: Records, replay: Replay, status: Status, errors: int) -> dict[str, Any]:
    """Where a game stands; `errors` is how many `check` finds."""
    return _printed(StatusView(**status_fields(records, replay, status, errors)))


def status_fields(records: Records, replay: Replay, status: Status, errors: int) -> dict[str, Any]:
    """The values of a `StatusView`, for the models that are one and more."""
    turn, following = status.turn, replay.next_turn
    return {
        "name": records.settings.name,
        "tiers": {tier: TierView(rules=count, cap=cap) for tier, (count, cap) in status.tiers.items()},
        "turn": turn
        and TurnView(
            turn=turn.ident,
            player=turn.matter.player,
            began=date_of(turn.matter.began),
            ended=date_of(turn.matter.ended),
            overdue=date_of(replay.overdue),
        ),
        "next_turn": following and NextTurnView(turn=following.ident, player=following.player),
        "winner": winner_view(replay.winner),
        "due": tuple(DueView(rule=one.rule.number, date=date_of(one.moment)) for one in replay.due),
        "open": tuple(
            OpenView(
                **instrument_fields(one),
                **tally_fields(tally),
                discussion=one.matter.discussion if isinstance(one.matter, ProposalMatter) else None,
            )
            for one, tally in status.voting
        ),
        "decided_since": tuple(map(instrument_view, status.decided_since)),
        "debate": tuple(map(instrument_view, status.debated)),
        "drafts": tuple(map(instrument_view, status.drafts)),
        "pending": tuple(map(instrument_view, status.pending)),
        "next_number": status.next_number,
        "rules": tuple(
            RuleLineView(number=rule.number, revision=rule.revision, tier=rule.tier, title=rule.title)
            for rule in replay.current
        ),
        "errors": errors,
    }


def scores_json(standings: Standings, player: str | None = None) -> dict[str, Any]:
    """All scores, or one player's, line by line."""
    return _printed(ScoresView(**scores_fields(standings, player)))


def _printed(view: Document) -> dict[str, Any]:
    return view.model_dump(mode="json", by_alias=True)
