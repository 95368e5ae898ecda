"""What commands print with `--format json`: rules, histories and the state of a game.

Every document has `format: 1`: as long as that is so, keys are added and none is taken out.
"""

from __future__ import annotations

from typing import Any

from nomicgen.formats.documents import FORMAT, Shape, at, typed
from nomicgen.formats.json_parts import ENTRY, INSTRUMENT, RULE_STATE, TALLY, WINNER, entry_document
from nomicgen.history.game_history import GameHistory
from nomicgen.history.rule_history import RuleHistory
from nomicgen.law.judging_kind import Due
from nomicgen.law.replay.results import DueChange, NextTurn, Replay, Rule, Step
from nomicgen.model.records import Records, Turn
from nomicgen.model.values import Moment
from nomicgen.play.game_status import Status

RULE = Shape(
    "RuleView", "A rule as it stands at some moment.", Rule, format=FORMAT, **RULE_STATE.keys
)
HISTORY = Shape(
    "HistoryView",
    "A rule through all its revisions and numbers.",
    RuleHistory,
    format=FORMAT,
    number=at("last.number", "the number that it bears, or bore last"),
    numbers="the numbers that it bore, in order",
    current=RULE_STATE("the rule as it stands; null if it was repealed"),
    entries=ENTRY.many("its history, line by line"),
)
TIER = Shape(
    "TierView",
    "How full a tier is.",
    rules=typed(int, "how many rules it has"),
    cap=typed(int | None, "how many it may have; null without a limit"),
)
TURN = Shape(
    "TurnView",
    "A turn that has begun.",
    Turn,
    turn=at("ident", "such as `R4T3`"),
    player=at("matter.player", "whose it is"),
    began=at("matter.began", "when it began"),
    ended=at("matter.ended", "when it ended; null if its file does not say so"),
    overdue=typed(
        Moment | None, "when it was over by the rules, where nobody has written that yet"
    ),
)
NEXT_TURN = Shape(
    "NextTurnView",
    "The turn that comes next.",
    NextTurn,
    turn=at("ident", "such as `R4T3`"),
    player="whose it is",
)
DUE = Shape(
    "DueView",
    "A rule that should have changed by itself.",
    DueChange,
    rule=at("rule.number", "its number"),
    date=at("moment", "since when", Moment | None),
)
COMING = Shape(
    "ComingView",
    "An instrument that is decided, and takes effect later.",
    Step,
    instrument=INSTRUMENT("what was decided"),
    effective="when it takes effect; null where it waits for the next turn to begin",
)
OPEN = Shape(
    "OpenView",
    "A proposal that is open, with the vote as it stands.",
    **INSTRUMENT.keys,
    **TALLY.keys,
    discussion=at(
        "matter.discussion",
        "where it is debated, an address that was written in its file",
        str | None,
    ),
)
RULE_LINE = Shape(
    "RuleLineView",
    "A rule in force, without its text.",
    Rule,
    number="its number",
    revision="how often its text was amended",
    tier="its tier",
    title="what it is called",
)
STATUS = Shape(
    "StatusView",
    "Where a game stands.",
    Status,
    format=FORMAT,
    name=typed(str, "the game's name"),
    tiers=TIER.by_name("how full each tier is, the most entrenched first"),
    turn=TURN.maybe("the last turn that began; null before the first"),
    running=TURN.many("the turns that have begun and not ended"),
    next_turn=NEXT_TURN.maybe("null where no rule says whose it is"),
    winner=WINNER.maybe("who has won; null while nobody has"),
    due=DUE.many("rules that should have changed by themselves"),
    open=OPEN.many("proposals that are open for votes"),
    debate=INSTRUMENT("proposals that are debated", "debated"),
    coming=COMING.many("what is decided, and takes effect later"),
    decided_since=INSTRUMENT(
        "proposals whose votes were open on the day that was asked about, and which are decided "
        "by now"
    ),
    drafts=INSTRUMENT("proposals that have no number yet"),
    pending=INSTRUMENT("judgements that are not given yet"),
    next_number="the number that the next registered proposal gets",
    unguarded="the tiers of an opened archive, above the least entrenched, that no provision "
    "guards: their rules are as easy to amend as others",
    rules=RULE_LINE.many("the rules in force, by number"),
    errors=typed(int, "how many errors `nomicgen check` finds"),
)


def history_json(game_history: GameHistory, history: RuleHistory) -> dict[str, Any]:
    """Return a rule through all its revisions and numbers."""
    entries = [
        entry_document(game_history, history.identity, index)
        for index in range(len(history.entries))
    ]
    return HISTORY.write(history, entries=entries)


def _turn(turn: Turn, due: Due | None) -> dict[str, Any]:
    """Return a turn; if `due` is about it, with the moment at which it was over."""
    is_late = due is not None and due.path == f"turns/{turn.ident}.yml"
    return TURN.write(turn, overdue=due.moment if due is not None and is_late else None)


def status_fields(records: Records, replay: Replay, status: Status, errors: int) -> dict[str, Any]:
    """Return the values of `STATUS` that are not attributes of a `Status`, or not as JSON has them.

    `errors` is how many `check` finds.
    """
    due = status.overdue
    return {
        "name": records.settings.name,
        "tiers": {
            tier: TIER.write(rules=count, cap=cap) for tier, (count, cap) in status.tiers.items()
        },
        "turn": _turn(status.turn, due) if status.turn else None,
        "running": [_turn(turn, due) for turn in status.running],
        "next_turn": replay.next_turn,
        "winner": replay.winner,
        "due": replay.due,
        "open": [
            OPEN.write(instrument, **TALLY.write(tally)) for instrument, tally in status.voting
        ],
        "rules": tuple(replay.current),
        "errors": errors,
    }
