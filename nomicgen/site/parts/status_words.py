"""What several pages share: how the state of things is said, points, neighbours, and what filters read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from nomicgen.history.activity import PlayerStatus
from nomicgen.history.game_events import count_votes
from nomicgen.history.rule_history import RuleHistory
from nomicgen.model.findings import counted
from nomicgen.play.scores_text import signed
from nomicgen.law.replay.state import ScoreLine, Tally
from nomicgen.model import Award, Instrument, Judgement, Moment, Proposal, RuleRef
from nomicgen.site.site_view import Site, values_by_key
from nomicgen.site.charts.svg import shortened

STATUS = {"draft": "draft", "debate": "in debate", "open": "open for votes", "upheld": "given"}
"""How the status of a proposal or a judgement is said, where it is not said by its own word."""
_TONES = {
    "adopted": "good",
    "defeated": "bad",
    "void": "bad",
    "open": "open",
    "upheld": "good",
    "overruled": "bad",
    "pending": "open",
}
# Browsers make a list of choices as wide as its widest.
_NAME = 30


def standing_words(state: PlayerStatus) -> str:
    """Whether somebody plays, as a reader is told."""
    return {"dummy": "empty seat", "to come": "joins later"}.get(state, state)


def vote_ended(site: Site, instrument: Instrument) -> Moment | None:
    """When the vote on an open proposal ended that nobody has counted yet; None while it goes on, or without an end."""
    tally = site.replay.tallies.get(instrument.path)
    is_open = isinstance(instrument, Proposal) and instrument.matter.status == "open"
    closes = tally.closes if tally is not None and is_open else None
    return closes if closes is not None and not site.today.precedes(closes) else None


def status_words(site: Site, instrument: Instrument) -> tuple[str, str]:
    """What has become of a proposal or a judgement, in words, and the tone of its badge; ('', 'plain') for an act."""
    if vote_ended(site, instrument) is not None:
        return "over, to be resolved", "open"
    if isinstance(instrument, Proposal | Judgement):
        status = instrument.matter.status
        return STATUS.get(status, status), _TONES.get(status, "plain")
    return "", "plain"


def knows_only_adopted(site: Site) -> bool:
    """Whether the archive lacks proposals, and has none that was decided and not adopted: what failed is not known."""
    records = site.records
    decided = (proposal.matter.status for proposal in records.of_kind("proposal"))
    return bool(records.settings.lost.proposals) and not {"defeated", "withdrawn", "void"}.intersection(decided)


def neighbours(items: Sequence[object], index: int) -> dict[str, Any]:
    """The item `before` one and that `after` it; None at an end."""
    places = {"before": index - 1, "after": index + 1}
    return {name: items[at] if 0 <= at < len(items) else None for name, at in places.items()}


def is_in_effect(site: Site, instrument: Instrument) -> bool:
    """Whether an instrument has become law."""
    step = site.steps.get(instrument.path)
    return step is not None and step.outcome == "applied" and instrument.path not in site.replay.previews


def awarded(site: Site, instrument: Instrument) -> Sequence[tuple[Award | ScoreLine, int | None, Sequence[str]]]:
    """The points that an instrument brought, or that its file names till then: by which rule, and who got the same."""
    lines: Sequence[Award | ScoreLine] = site.awards_of.get(instrument.path) or instrument.matter.points or ()
    ruled = [(line.rule if isinstance(line, ScoreLine) else None, line) for line in lines]
    groups = values_by_key(((rule, line.amount, line.reason), line) for rule, line in ruled)
    return [(same[0], rule, [line.player for line in same]) for (rule, _, _), same in groups.items()]


def turn_of(path: str) -> str:
    """The turn that a file tells of; '' where it is another file."""
    return path.removeprefix("turns/").removesuffix(".yml") if path.startswith("turns/") else ""


def summed(lines: Iterable[ScoreLine]) -> str:
    """The sum of some lines, with its sign; '' where there are none."""
    amounts = [line.amount for line in lines]
    return (signed(total) if (total := sum(amounts, Fraction(0))) else "±0") if amounts else ""


def vote_words(tally: Tally) -> str:
    """`3 for, 1 against`: who has yet to vote is named beside it."""
    return count_votes(tally.votes_for, tally.votes_against, tally.abstentions)


def outlook(tally: Tally) -> str:
    """What is still needed to pass an open vote; '' where that cannot be said."""
    if tally.adopted is None and not tally.conditions:
        return ""
    if tally.fewest is None:
        return "It cannot pass any more."
    if tally.fewest == 0:
        if not tally.missing and not tally.silent:
            return "It has the votes that it needs."
        return "It passes whatever they vote." if tally.must_vote else "It passes if nobody else votes."
    return f"{counted(tally.fewest, 'more vote')} in favour would pass it."


def rules_changed_by(site: Site, instrument: Instrument) -> Sequence[tuple[RuleHistory, RuleRef | None]]:
    """The rules that an instrument changes, or would: each once, with the revision as the instrument names it."""
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


def choices(*values: object) -> str:
    """The values of an item that a select may ask for; several are parted by a bar."""
    return "|".join(" ".join(str(value).replace("|", "/").split()) for value in values if value not in (None, ""))


def select(name: str, label: str, options: Iterable[tuple[object, str]]) -> Mapping[str, Any]:
    """A select of a filter, by (value, words)."""
    return {
        "name": name,
        "label": label,
        "options": [{"value": choices(value), "text": words} for value, words in options],
    }


def with_choices(selects: Iterable[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """The selects that leave a choice."""
    return [choice for choice in selects if len(choice["options"]) > 1]


def moment_of(instrument: Instrument) -> Moment | None:
    """When an instrument was decided, given or done; else when it was put to the vote, or put forward."""
    if isinstance(instrument, Proposal):
        return instrument.matter.decided or instrument.matter.opened or instrument.matter.date
    return instrument.matter.date


def year_of(instrument: Instrument) -> str:
    """The year of an instrument; '' if unknown."""
    moment = moment_of(instrument)
    return f"{moment.day.year:04}" if moment else ""


def player_select(site: Site, name: str, label: str, idents: Iterable[str | None]) -> Mapping[str, Any]:
    """A select of players, by their names."""
    named = sorted({(site.name(ident), ident) for ident in idents if ident})
    return select(name, label, ((ident, shortened(words, _NAME)) for words, ident in named))
