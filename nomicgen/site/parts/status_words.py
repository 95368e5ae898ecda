"""The words of pages for the state of an instrument, of a vote and of a player."""

from __future__ import annotations

from collections.abc import Sequence

from nomicgen.history.activity import PlayerStatus
from nomicgen.history.game_events import count_votes
from nomicgen.history.rule_history import RuleHistory
from nomicgen.law.voting.tally import Tally
from nomicgen.model.findings import counted
from nomicgen.model.records import Instrument, Judgement, Proposal
from nomicgen.model.values import Moment, RuleRef
from nomicgen.site.site_view import Site

STATUS = {"draft": "draft", "debate": "in debate", "open": "open for votes", "upheld": "given"}
"""The words for a status of a proposal or a judgement, if they differ from its name."""
# The tone of the badge of a status: its colour in the stylesheet.
_TONES = {
    "adopted": "good",
    "defeated": "bad",
    "void": "bad",
    "open": "open",
    "upheld": "good",
    "overruled": "bad",
    "pending": "open",
}


def standing_words(state: PlayerStatus) -> str:
    """Return the words for a player's status: `empty seat` for `dummy`."""
    return {"dummy": "empty seat", "to come": "joins later"}.get(state, state)


def vote_ended(site: Site, instrument: Instrument) -> Moment | None:
    """Return when the time of a vote was up, if the proposal is still open. None if it is not open,
    if the time is not up yet, or if no rule ends the vote.
    """
    tally = site.replay.tallies.get(instrument.path)
    is_open = isinstance(instrument, Proposal) and instrument.matter.status == "open"
    closes = tally.closes if tally is not None and is_open else None
    return closes if closes is not None and closes.precedes(site.today) else None


def status_words(site: Site, instrument: Instrument) -> tuple[str, str]:
    """Return the status of a proposal or a judgement in words, and the tone of its badge; ('',
    'plain') for an act.
    """
    if vote_ended(site, instrument) is not None:
        return "over, to be resolved", "open"
    if isinstance(instrument, Proposal | Judgement):
        status = instrument.matter.status
        return STATUS.get(status, status), _TONES.get(status, "plain")
    return "", "plain"


def knows_only_adopted(site: Site) -> bool:
    """Return whether the settings list lost proposals, and the game has no failed one: then nobody
    knows what failed.
    """
    records = site.records
    decided = (proposal.matter.status for proposal in records.of_kind("proposal"))
    return bool(records.settings.lost.proposals) and not {
        "defeated",
        "withdrawn",
        "void",
    }.intersection(decided)


def is_in_effect(site: Site, instrument: Instrument) -> bool:
    """Return whether an instrument has changed rules: its effect has come."""
    step = site.steps.get(instrument.path)
    return (
        step is not None
        and step.outcome == "applied"
        and instrument.path not in site.replay.previews
    )


def vote_words(tally: Tally) -> str:
    """Return the votes that were cast, in words: `3 for, 1 against`."""
    return count_votes(tally.votes_for, tally.votes_against, tally.abstentions)


def outlook(tally: Tally) -> str:
    """Return a sentence on what an open proposal still needs to pass; '' if nobody can say."""
    if tally.adopted is None and not tally.conditions:
        return ""
    if tally.fewest is None:
        return "It cannot pass any more."
    if tally.fewest == 0:
        if not tally.missing and not tally.silent:
            return "It has the votes that it needs."
        return (
            "It passes whatever they vote."
            if tally.must_vote
            else "It passes if nobody else votes."
        )
    return f"{counted(tally.fewest, 'more vote')} in favour would pass it."


def rules_changed_by(
    site: Site, instrument: Instrument
) -> Sequence[tuple[RuleHistory, RuleRef | None]]:
    """Return the rules that an instrument changed or would change, each once, with the reference by
    which the instrument names it (None for a new rule).
    """
    step = site.steps.get(instrument.path)
    done = {change.instruction.index: change for change in step.changes} if step else {}
    rules: dict[int, tuple[RuleHistory, RuleRef | None]] = {}
    for instruction in instrument.instructions:
        change = done.get(instruction.index)
        target = instruction.target
        identity = change.rule.identity if change else None
        history = site.histories.rules.get(identity) if identity is not None else None
        if history is None and target is not None:
            history = site.addresses.rule_named(target)
        if history is not None:
            rules.setdefault(history.identity, (history, target))
    return tuple(rules.values())


def moment_of(instrument: Instrument) -> Moment | None:
    """Return when an instrument was decided, given or done; for an undecided proposal, when its
    vote opened or it was put forward; for an awaited judgement, when it was asked for.
    """
    if isinstance(instrument, Proposal):
        return instrument.matter.decided or instrument.matter.opened or instrument.matter.date
    return instrument.matter.date


def year_of(instrument: Instrument) -> str:
    """Return the year of an instrument; '' if unknown."""
    moment = moment_of(instrument)
    return f"{moment.day.year:04}" if moment else ""
