"""Shapes that several documents use: rules, lines of a history, instruments, votes, scores."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

from nomicgen.formats.documents import FORMAT, Shape, at, typed
from nomicgen.history.game_history import GameHistory
from nomicgen.history.history_lines import history_line, history_link
from nomicgen.history.redline import Segment
from nomicgen.history.rule_history import HistoryEntry
from nomicgen.history.standings import Score, Standings
from nomicgen.law.replay.results import Rule, ScoreLine, Winner
from nomicgen.law.sentences import sentences
from nomicgen.law.voting.tally import Tally
from nomicgen.model.records import Instrument
from nomicgen.model.values import Moment


def void_of(rule: Rule) -> bool | str:
    """Return whether a rule is void, or the day from which on it is."""
    return str(rule.void) if isinstance(rule.void, Moment) else bool(rule.void)


RULE_STATE = Shape(
    "RuleState",
    "A rule as it stands at some moment.",
    Rule,
    number="its number",
    revision="how often its text was amended",
    tier="its tier, such as `mutable`",
    title="what it is called",
    section="the part of the ruleset that it stands in",
    text="its text, as Markdown; null where it is lost",
    provisions="its provisions, as its file has them: every scalar is a text, as it is written "
    "there",
    sentences=at(lambda rule: sentences(rule.law), "the provisions in English", tuple[str, ...]),
    defines="the terms that it defines",
    unread="the passages that no program reads, as the rule says; true for all of it",
    void=at(
        void_of,
        "whether it is listed without force: false, true, or the day from which on it is",
        bool | str,
    ),
    note="a remark for readers, without force",
)
ENTRY = Shape(
    "EntryView",
    "A line of a rule's history.",
    HistoryEntry,
    line=typed(str, "the line as it is printed"),
    verb=at(
        "verb",
        "what was done to the rule",
        Literal["initial", "enact", "amend", "repeal", "transmute", "retitle", "renumber", "mark"],
    ),
    number=at("rule.number", "the number that the rule bore then"),
    revision=at("rule.revision", "the revision that it stood at then"),
    tier=at("rule.tier", "the tier that it stood in then"),
    by=at("instrument.name", "the instrument, such as `Proposal 301`; null for the initial set"),
    player=at("actor", "the id of the player who made it, or the number of a rule that acted"),
    decided="when it was decided",
    effective=at("moment", "when it took effect"),
    turn="the turn, such as `R4T3`",
    file=at("path", "the file of the game that made it"),
    commit="the commit that it came in",
    link=typed(str | None, "where it can be seen on the forge"),
)
SEGMENT = Shape(
    "SegmentView",
    "A stretch of a redline.",
    Segment,
    kind="what becomes of it",
    text="its words, as they stand in the rule",
)
INSTRUMENT = Shape(
    "InstrumentView",
    "A proposal, a judgement or an act, named.",
    Instrument,
    file=at("path", "its file in the game"),
    number="its number; null for a draft and for an act",
    title=at(lambda instrument: instrument.title or None, "the author's title", str | None),
    player=at("actor", "the id of the player who made it"),
)
TALLY = Shape(
    "TallyView",
    "A vote under the law of its day, by the ids of players.",
    Tally,
    for_="whose votes count for it, cast or not",
    against="whose votes count against it, cast or not",
    abstain="who abstained",
    silent="those of `for` and `against` who did not vote: by a rule, their silence is a vote",
    missing="who may vote and has not",
    closes="until when players may vote; null where no rule ends the vote",
    may_end="whether it can be counted as it stands",
    fewest="how many more votes for it would pass it; null if no number would, or it is not open",
    adopted="whether the votes adopt it; null if that is not settled",
)
WINNER = Shape(
    "WinnerView",
    "Who has won.",
    Winner,
    players="their ids",
    rule="the rule by which they won",
    date=at("moment", "when"),
)
SCORE_LINE = Shape(
    "ScoreLineView",
    "Points that a player got, or lost.",
    ScoreLine,
    amount="how many; less than 0 for a loss",
    reason="what for",
    rule="the rule that awards or permits it; null if a file gives it and no rule speaks of that",
    date=at("moment", "when"),
    file=at("span.file", "the file of the instrument or turn that it came from"),
)
_SCORE = Shape(
    "ScoreView",
    "A player's score.",
    Score,
    player="the player's id",
    total="the sum of all lines",
    plays="false for a player who has left, or has not joined yet",
    lines=SCORE_LINE("every gain and loss, in order"),
)
_GOAL = Shape(
    "GoalView",
    "What wins.",
    points=typed(Fraction, "how many"),
    rule=typed(int, "the rule that says so"),
)
SCORES = Shape(
    "ScoresView",
    "The scores of a game.",
    Standings,
    format=FORMAT,
    scores=_SCORE("the highest first"),
    goal=_GOAL.maybe("how many points win, and by which rule; null if no rule says so"),
    winner=WINNER("who has won; null while nobody has"),
)


def entry_document(
    game_history: GameHistory, identity: int, index: int, shape: Shape = ENTRY, **values: Any
) -> dict[str, Any]:
    """Return the document of one line of a rule's history, by its index.

    `values` are those of keys that a `shape` has besides those of `ENTRY`.
    """
    entry = game_history.histories.rules[identity].entries[index]
    origin = game_history.origins.get((identity, index))
    return shape.write(
        entry,
        line=history_line(entry, game_history.records.names),
        commit=origin.sha if origin else entry.commit,
        link=history_link(game_history, identity, index),
        **values,
    )


def scores_fields(standings: Standings, player: str | None = None) -> dict[str, Any]:
    """Return values for `SCORES.write`: all scores, or that of one player; and the goal."""
    goal = standings.goal
    return {
        "scores": tuple(score for score in standings.scores if player in (None, score.player)),
        "goal": _GOAL.write(points=goal[0], rule=goal[1]) if goal else None,
    }
