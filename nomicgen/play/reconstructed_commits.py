"""The commits that a game would have, had it been committed as it was played.

`nomicgen init --played` makes a repository of a ruleset's scripted game in this way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from nomicgen.law.checks.run import ruleset_files
from nomicgen.law.replay.results import Ruleset, Step
from nomicgen.model.front_matters import ProposalMatter
from nomicgen.model.records import Instrument, Turn
from nomicgen.model.values import Moment
from nomicgen.play.load import Game
from nomicgen.play.move import Part


class _Commit(Struct, frozen=True, kw_only=True):
    """A commit of an instrument: of its decision, or (`is_effect`) of its later effect.

    `step` is None if this commit changes no rule.
    """

    moment: Moment
    instrument: Instrument
    step: Step | None
    is_effect: bool = False

    @property
    def key(self) -> tuple[object, ...]:
        """The key that sorts commits as the ledger sorts instruments."""
        instrument = self.instrument
        decided = instrument.decided or self.moment
        return self.moment, decided, instrument.place, self.is_effect


def reconstructed_commits(game: Game) -> tuple[Part, ...]:
    """Return a part for the start of the game, one for each instrument as it was decided, and one
    for each later effect.

    The first holds settings, initial set, players and pictures. The file of a turn comes as soon as
    an instrument is of that turn or a later one, or the turn has ended. What is left comes last,
    such as what is not decided yet. Each file except those of `rules/` comes once, in its final
    form. Together they are the game, with `rules/` as its ledger gives them.
    """
    start = game.settings.started or game.until
    commits = sorted(_commits(game, start), key=lambda commit: commit.key)
    return tuple(_parts(game, start, commits))


def _commits(game: Game, start: Moment) -> Iterator[_Commit]:
    steps = {step.instrument.path: step for step in game.replay.steps if step.outcome == "applied"}
    for instrument in game.records.instruments.values():
        if instrument.matter.is_undecided:
            continue
        decided, step = instrument.decided or start, steps.get(instrument.path)
        if step is not None and step.effective is not None and decided < step.effective:
            yield _Commit(moment=decided, instrument=instrument, step=None)
            yield _Commit(moment=step.effective, instrument=instrument, step=step, is_effect=True)
        else:
            yield _Commit(moment=decided, instrument=instrument, step=step)


def _parts(game: Game, start: Moment, commits: Sequence[_Commit]) -> Iterator[Part]:
    """Yield the parts in their order."""
    rules: dict[str, bytes] = {}
    left = {
        path: data
        for path, data in game.tree.items()
        if isinstance(data, bytes)
        and (not path.startswith("rules/") or path.startswith("rules/initial/"))
    }

    def part(
        paths: Sequence[str],
        ruleset: Ruleset,
        on: Moment,
        subject: str,
        trailers: tuple[tuple[str, str], ...] = (),
    ) -> Part:
        """Return the part that brings the files at `paths`, and brings `rules/` to a ruleset."""
        wanted = ruleset_files(ruleset)
        writes = {path: left.pop(path) for path in sorted(paths) if path in left}
        writes |= {path: data for path, data in wanted.items() if rules.get(path) != data}
        gone = frozenset(rules.keys() - wanted.keys())
        rules.clear()
        rules.update(wanted)
        return Part(writes=writes, deletes=gone, subject=subject, trailers=trailers, on=on)

    founding = [
        path for path in left if path.split("/")[0] in ("nomic.yml", "rules", "players", "images")
    ]
    ruleset = game.replay.initial
    yield part(founding, ruleset, start, f"Begin {game.settings.name}")
    for commit in commits:
        ruleset = commit.step.after if commit.step is not None else ruleset
        paths = [commit.instrument.path, *_turn_files(game, commit)]
        yield part(paths, ruleset, commit.moment, *_message(commit))
    if left:
        last = commits[-1].moment if commits else start
        yield part([*left], ruleset, last, "What is not decided yet")


def _message(commit: _Commit) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the subject and the trailers of a commit."""
    instrument, matter = commit.instrument, commit.instrument.matter
    own = ("Instrument", instrument.path)
    if commit.is_effect:
        return f"Apply: {instrument.name}", (own,)
    if isinstance(matter, ProposalMatter):
        subject = (
            f"{matter.status.capitalize()}: proposal {instrument.number}, "
            f"{matter.title or instrument.path}"
        )
        return subject, (own, ("Outcome", matter.status))
    return f"{instrument.name}{f': {instrument.title}' if instrument.title else ''}", (own,)


def _turn_files(game: Game, commit: _Commit) -> list[str]:
    """Return the files of the turns up to that of a commit, and of those that had ended by then."""
    turns = game.records.turns
    own = turns.get(commit.instrument.matter.turn or "")
    last = own.order if own is not None else (0, 0)
    return [
        turn.source.file
        for turn in turns.values()
        if turn.order <= last or _has_ended(turn, commit.moment)
    ]


def _has_ended(turn: Turn, moment: Moment) -> bool:
    return turn.matter.ended is not None and turn.matter.ended <= moment
