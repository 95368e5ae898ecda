"""The parts that documents of JSON are made of, as models: what commands print and what sites publish share them.

Of each the reference makes a JSON Schema. Dates are `2026-05-01`, or `2026-05-01T18:30`; what is not known is null.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from nomicgen.archive.archive_view import Archive
from nomicgen.archive.history_lines import history_line, history_link
from nomicgen.archive.rule_history import Entry
from nomicgen.archive.standings import Score, Standings
from nomicgen.law.replay_state import Rule, Tally, Winner
from nomicgen.law.sentences import sentences
from nomicgen.law.unread_provisions import Unread
from nomicgen.model import Instrument, Moment

Amount = Annotated[int | str, Field(description="exact: a whole number, or a fraction as text, such as `20/3`")]


class View(BaseModel):
    """A part of a document, made of what it shows."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", from_attributes=True, json_schema_serialization_defaults_required=True
    )


class Document(View):
    """A whole document."""

    format: Literal[1] = Field(1, description="the form of this document")


class RuleState(View):
    """A rule as it stands at some moment."""

    number: int = Field(description="its number")
    revision: int = Field(description="how often its text was amended")
    tier: str = Field(description="its tier, such as `mutable`")
    title: str | None = Field(description="how it is called")
    section: str | None = Field(description="the part of the ruleset that it stands in")
    text: str | None = Field(description="its text, as Markdown; null where it is lost")
    provisions: dict[str, Any] | None = Field(
        description="what a program reads of it, as its file has it: every scalar is the text that stands there"
    )
    sentences: tuple[str, ...] = Field(description="the provisions in English")
    defines: tuple[str, ...] = Field(description="the terms that it defines")
    unread: Unread = Field(description="the passages that no program reads, as the rule says; true for all of it")
    void: bool | str = Field(description="whether it stands there without force: false, true, or since which date")
    note: str | None = Field(description="the editor's comment, without regulatory force")


class EntryView(View):
    """A line of a rule's history."""

    line: str = Field(description="the line as it is printed")
    verb: Literal["initial", "enact", "amend", "repeal", "transmute", "retitle", "renumber", "mark"] = Field(
        description="what was done to the rule"
    )
    number: int = Field(description="the number that the rule bore then")
    revision: int = Field(description="the revision that it stood at then")
    tier: str = Field(description="the tier that it stood in then")
    by: str | None = Field(description="the instrument, such as `Proposal 301`; null for the initial set")
    player: str | None = Field(description="the id of who made it; the number of a rule that acted by itself")
    decided: str | None = Field(description="when it was decided")
    effective: str | None = Field(description="when it took effect")
    turn: str | None = Field(description="the turn, such as `R4T3`")
    file: str = Field(description="the file of the game that made it")
    commit: str | None = Field(description="the commit that it came in")
    link: str | None = Field(description="where it can be seen on the forge")


class SegmentView(View):
    """A stretch of a redline."""

    kind: Literal["equal", "delete", "insert"] = Field(description="what becomes of it")
    text: str = Field(description="its words, as they stand in the rule")


class InstrumentView(View):
    """A proposal or judgement, named."""

    file: str = Field(description="its file in the game")
    number: int | None = Field(description="its number; a draft has none")
    title: str | None = Field(description="as its author calls it")
    player: str | None = Field(description="the id of who made it")


class TallyView(View):
    """A vote under the law of its day, by the ids of players."""

    for_: tuple[str, ...] = Field(alias="for", description="who is for it, by hand or otherwise")
    against: tuple[str, ...] = Field(description="who is against it, by hand or otherwise")
    abstain: tuple[str, ...] = Field(description="who abstained")
    silent: tuple[str, ...] = Field(description="those of them whose silence is counted")
    missing: tuple[str, ...] = Field(description="who may vote and has not")
    closes: str | None = Field(description="the last day of the vote; null where no rule ends it")
    may_end: bool = Field(description="whether it can be counted as it stands")
    fewest: int | None = Field(description="the fewest further votes for that would pass it; null when none would")
    adopted: bool | None = Field(description="what the votes give; null while, or where, that is not settled")


class WinnerView(View):
    """Who has won."""

    players: tuple[str, ...] = Field(description="their ids")
    rule: int = Field(description="the rule by which they won")
    date: str | None = Field(description="when")


class ScoreLineView(View):
    """Points that a player got, or lost."""

    amount: Amount
    reason: str = Field(description="what for")
    rule: int | None = Field(description="the rule that awards it; null where a file says so by itself")
    date: str | None = Field(description="when")
    file: str = Field(description="the file of the instrument or turn that it came from")


class ScoreView(View):
    """A player's score."""

    player: str = Field(description="the player's id")
    total: Amount
    plays: bool = Field(description="false for who plays no longer, or not yet")
    lines: tuple[ScoreLineView, ...] = Field(description="every gain and loss, in order")


class GoalView(View):
    """What wins."""

    points: Amount
    rule: int = Field(description="the rule that says so")


class ScoresView(Document):
    """The scores of a game."""

    scores: tuple[ScoreView, ...] = Field(description="the highest first")
    goal: GoalView | None = Field(description="how many points win; null where no rule says so")
    winner: WinnerView | None = Field(description="who has won; null while nobody has")


def date_of(moment: Moment | None) -> str | None:
    """A moment as documents have it."""
    return None if moment is None else str(moment)


def exact(value: Fraction) -> int | str:
    """An amount as documents have it."""
    return int(value) if value.denominator == 1 else str(value)


def rule_fields(rule: Rule) -> dict[str, Any]:
    """The values of a `RuleState`, for the models that are one and more."""
    return {
        "number": rule.number,
        "revision": rule.revision,
        "tier": rule.tier,
        "title": rule.title,
        "section": rule.section,
        "text": rule.text,
        "provisions": rule.provisions,
        "sentences": sentences(rule.law),
        "defines": rule.defines,
        "unread": rule.unread,
        "void": str(rule.void) if isinstance(rule.void, Moment) else bool(rule.void),
        "note": rule.note,
    }


def rule_state(rule: Rule) -> RuleState:
    """A rule as it stands at some moment."""
    return RuleState(**rule_fields(rule))


def entry_fields(archive: Archive, identity: int, index: int, entry: Entry) -> dict[str, Any]:
    """The values of an `EntryView`, for the models that are one and more."""
    origin = archive.origins.get((identity, index))
    return {
        "line": history_line(entry, archive.records.names),
        "verb": entry.verb,
        "number": entry.rule.number,
        "revision": entry.rule.revision,
        "tier": entry.rule.tier,
        "by": entry.instrument.name if entry.instrument else None,
        "player": entry.actor,
        "decided": date_of(entry.decided),
        "effective": date_of(entry.moment),
        "turn": entry.turn,
        "file": entry.path,
        "commit": origin.sha if origin else entry.commit,
        "link": history_link(archive, identity, index),
    }


def entry_view(archive: Archive, identity: int, index: int, entry: Entry) -> EntryView:
    """The line of index `index` of a rule's history."""
    return EntryView(**entry_fields(archive, identity, index, entry))


def instrument_fields(instrument: Instrument) -> dict[str, Any]:
    """The values of an `InstrumentView`, for the models that are one and more."""
    return {
        "file": instrument.path,
        "number": instrument.number,
        "title": instrument.title or None,
        "player": instrument.actor,
    }


def instrument_view(instrument: Instrument) -> InstrumentView:
    return InstrumentView(**instrument_fields(instrument))


def tally_fields(tally: Tally) -> dict[str, Any]:
    """The values of a `TallyView`, for the models that are one and more."""
    return {
        "for": tally.for_,
        "against": tally.against,
        "abstain": tally.abstain,
        "silent": tally.silent,
        "missing": tally.missing,
        "closes": date_of(tally.closes),
        "may_end": tally.may_end,
        "fewest": tally.fewest,
        "adopted": tally.adopted,
    }


def winner_view(winner: Winner | None) -> WinnerView | None:
    if winner is None:
        return None
    return WinnerView(players=winner.players, rule=winner.rule, date=date_of(winner.moment))


def score_view(score: Score) -> ScoreView:
    """A player's score, with every line of it."""
    return ScoreView(
        player=score.player,
        total=exact(score.total),
        plays=score.plays,
        lines=tuple(
            ScoreLineView(
                amount=exact(line.amount),
                reason=line.reason,
                rule=line.rule,
                date=date_of(line.moment),
                file=line.span.file,
            )
            for line in score.lines
        ),
    )


def scores_fields(standings: Standings, player: str | None = None) -> dict[str, Any]:
    """The values of a `ScoresView`: of all players, or of one."""
    goal = standings.goal
    return {
        "scores": tuple(score_view(one) for one in standings.scores if player in (None, one.player)),
        "goal": GoalView(points=exact(goal[0]), rule=goal[1]) if goal else None,
        "winner": winner_view(standings.winner),
    }
