"""The next step of a proposal, tried on a day: its number, its vote, the end of that vote, its
effect.

Previews, comments, pages and `nomicgen next` say in these words what prevents a step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from msgspec import Struct

from nomicgen.law.checks.derived import ruleset_status
from nomicgen.law.replay.results import Step
from nomicgen.model.records import Proposal
from nomicgen.model.values import Moment
from nomicgen.play.load import Game, as_of
from nomicgen.play.move import Move
from nomicgen.play.proposing import register
from nomicgen.play.refusal import Refused, Wait
from nomicgen.play.resolving import apply_rules, resolve
from nomicgen.play.voting.voting import open_vote, require_openable

StepKind = Literal["register", "open", "resolve", "apply", "advance", "begin"]

# What is said of a step by its kind; `{}` stands for "can" or "cannot".
_WORDS: dict[StepKind, str] = {
    "register": "It {} get its number",
    "open": "Its vote {} open",
    "resolve": "Its vote {} be ended",
    "apply": "rules/ {} be brought up to date",
    "advance": "What the rules do by themselves {} be written",
    "begin": "The next turn {} begin",
}


class NextStep(Struct, frozen=True, kw_only=True):
    """A step of a proposal, or of the game (`advance`, `begin`), tried on a day.

    It has the `move` that makes it, or the refusal. `words` say, without a full stop, what prevents
    it, or that nothing does; `remedy` says what to do about that, and may be empty.
    """

    kind: StepKind
    move: Move | None = None
    refused: Refused | None = None

    @property
    def waits(self) -> Wait | None:
        """What it waits for; None if it can be made now, or if something is wrong with it."""
        return self.refused.waits if self.refused is not None else None

    @property
    def is_lawful(self) -> bool:
        """Whether it can be made, today or once what it waits for has come."""
        return self.move is not None or self.waits is not None

    @property
    def words(self) -> str:
        if self.waits is not None:
            return self.waits.words
        if self.refused is None:
            return f"{_WORDS[self.kind].format('can')} now"
        why = self.refused.findings[0].message if self.refused.findings else self.refused.message
        return f"{_WORDS[self.kind].format('cannot')}: {why}"

    @property
    def remedy(self) -> str:
        if self.refused is None:
            return ""
        return (
            (self.refused.findings[0].help or "") if self.refused.findings else self.refused.remedy
        )


def try_step(kind: StepKind, make: Callable[[], Move]) -> NextStep:
    """Return a step with the move that `make` returns, or the refusal that it raises."""
    try:
        return NextStep(kind=kind, move=make())
    except Refused as refused:
        return NextStep(kind=kind, refused=refused)


def next_step(game: Game, path: str, on: Moment) -> NextStep | None:
    """Return the next step of the proposal at `path`, tried on `on`.

    None if no step is left, or no such proposal can be read.
    """
    proposal = game.records.proposal(path)
    if proposal is None:
        return None
    number = proposal.number or 0
    match proposal.matter.status:
        case "draft":
            return try_step("register", lambda: register(game, path, on))
        case "debate":
            return try_step("open", lambda: _open(game, proposal, on))
        case "open":
            return try_step("resolve", lambda: resolve(game, number, on))
        case "adopted" if any(step.instrument.path == path for step in _unwritten_effects(game)):
            return try_step("apply", lambda: _apply(game, proposal, on))
    return None


def hindered_steps(game: Game) -> Iterator[tuple[str, str]]:
    """Yield the path of each undecided proposal whose next step cannot be made now, and why not.

    A numbered proposal that only has to wait is left out; a draft that has to wait is not.
    """
    for proposal in game.records.of_kind("proposal"):
        step = next_step(game, proposal.path, game.until) if proposal.matter.is_undecided else None
        if (
            step is not None
            and step.move is None
            and (step.kind == "register" or not step.is_lawful)
        ):
            yield proposal.path, step.words


def _unwritten_effects(game: Game) -> tuple[Step, ...]:
    """Return the steps that are not in `rules/` yet: before their day, and due."""
    return (*game.replay.pending, *ruleset_status(game.records, game.replay).waiting)


def _open(game: Game, proposal: Proposal, on: Moment) -> Move:
    require_openable(game, proposal, on)
    return open_vote(game, proposal.number or 0, on)


def _apply(game: Game, proposal: Proposal, on: Moment) -> Move:
    for step in game.replay.pending:
        if step.instrument.path == proposal.path:
            when = "when the next turn begins" if step.effective is None else f"on {step.effective}"
            waits = Wait(predicate=f"takes effect {when}", since=step.effective)
            raise Refused(waits.words, waits=waits)
    return apply_rules(as_of(game, on))
