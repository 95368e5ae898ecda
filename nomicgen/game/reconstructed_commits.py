"""A game that is there already, told from its start: what each commit of it would have held."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.files import set_keys
from nomicgen.game.load import Game
from nomicgen.game.move import Part
from nomicgen.law.checks import ruleset_files
from nomicgen.law.replay_state import Ruleset, Step
from nomicgen.model import ActMatter, Instrument, JudgementMatter, Moment, ProposalMatter, Turn

_KINDS = ("act", "judgement", "proposal")
_OF_THE_VOTE = ("opened", "decided", "effective", "votes", "ballot", "digest", "earlier", "points")
_OVERRULED = ("overruled", "overruled_by")


class _CommitOf(Struct, frozen=True, kw_only=True):
    """An instrument that was decided, or one decided earlier whose `step` takes effect; each at its moment."""

    moment: Moment
    instrument: Instrument
    step: Step | None
    later: bool = False

    @property
    def key(self) -> tuple[object, ...]:
        """The order of the ledger."""
        one = self.instrument
        decided = one.decided or self.moment
        return (self.moment, decided, one.matter.seq, _KINDS.index(one.kind), one.number or 0, one.path, self.later)


def reconstructed_commits(game: Game) -> tuple[Part, ...]:
    """A part for the start of the game, one for each instrument as it was decided, and one for each later effect.

    The first holds all that no instrument made: settings, initial set, players. A turn comes with the first instrument
    of that turn, or the first after its end; a proposal that a judgement is about is there from the judgement on; a
    judgement that another overruled stands until that one. What is not decided yet, and the turns of it, come last.
    Together they are the game, with `rules/` as its ledger gives them.
    """
    start, told = game.settings.started or game.until, _Reconstruction(game)
    parts = [told.part(told.founding(), game.replay.initial, start, f"Begin {game.settings.name}")]
    parts.extend(told.chapter(one) for one in sorted(_chapters(game, start), key=lambda one: one.key))
    if rest := told.rest():
        last = max([part.on for part in parts if part.on], default=start)
        day = max([last, *_moments(game, rest)])
        parts.append(told.part(rest, game.replay.current, day, "What is not decided yet"))
    return tuple(parts)


def _moments(game: Game, paths: list[str]) -> Iterator[Moment]:
    """When something happened that these files tell of."""
    for instrument in game.records.instruments.values():
        matter = instrument.matter
        opened = matter.opened if isinstance(matter, ProposalMatter) else None
        if instrument.path in paths:
            yield from (one for one in (matter.date, opened) if one is not None)
    for turn in game.records.turns.values():
        if turn.source.file in paths:
            yield from (one for one in (turn.matter.began, turn.matter.ended) if one is not None)


def _chapters(game: Game, start: Moment) -> Iterator[_CommitOf]:
    steps = {step.instrument.path: step for step in game.replay.steps if step.outcome == "applied"}
    for instrument in game.records.instruments.values():
        decided, step = instrument.decided or start, steps.get(instrument.path)
        if not _is_decided(instrument):
            continue
        waits = step is not None and step.effective is not None and decided < step.effective
        yield _CommitOf(moment=decided, instrument=instrument, step=None if waits else step)
        if step is not None and step.effective is not None and waits:
            yield _CommitOf(moment=step.effective, instrument=instrument, step=step, later=True)


def _is_decided(instrument: Instrument) -> bool:
    matter = instrument.matter
    return isinstance(matter, ActMatter) or not matter.is_undecided


def _has_ended(turn: Turn, moment: Moment) -> bool:
    return turn.matter.ended is not None and turn.matter.ended <= moment


class _Reconstruction:
    """How much of a game has been told."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.rules: dict[str, bytes] = {}
        self.untold = {
            path: data
            for path, data in game.tree.items()
            if isinstance(data, bytes) and (not path.startswith("rules/") or path.startswith("rules/initial/"))
        }

    def founding(self) -> list[str]:
        return [path for path in self.untold if path.split("/")[0] in ("nomic.yml", "rules", "players", "images")]

    def rest(self) -> list[str]:
        return list(self.untold)

    def chapter(self, chapter: _CommitOf) -> Part:
        instrument, matter = chapter.instrument, chapter.instrument.matter
        trailers: tuple[tuple[str, str], ...] = (("Instrument", instrument.path),)
        if chapter.later:
            subject = f"Apply: {instrument.name}"
        elif isinstance(matter, ProposalMatter):
            subject = f"{matter.status.capitalize()}: proposal {instrument.number}, {matter.title or instrument.path}"
            trailers += (("Outcome", matter.status),)
        else:
            subject = f"{instrument.name}{f': {instrument.title}' if instrument.title else ''}"
        paths = [instrument.path] if instrument.path in self.untold and not chapter.later else []
        paths += self._turns(matter.turn, chapter.moment)
        if isinstance(matter, JudgementMatter) and not chapter.later:
            paths += self._overruled(instrument.number)
        part = self.part(paths, chapter.step.after if chapter.step else None, chapter.moment, subject, trailers)
        return replace(part, writes={**part.writes, **self._judged(instrument), **self._standing(instrument)})

    def _judged(self, instrument: Instrument) -> dict[str, bytes]:
        """The proposals that a judgement is about, as they were put forward, where they are decided only later."""
        matter = instrument.matter
        numbers = (matter.proposal, matter.voids) if isinstance(matter, JudgementMatter) else ()
        paths = [path for number in numbers if (path := f"proposals/{number}.md") in self.untold]
        early = {"status": "debate", **dict.fromkeys(_OF_THE_VOTE)}
        return {path: set_keys(self.untold[path], early) for path in paths}

    def _standing(self, instrument: Instrument) -> dict[str, bytes]:
        """A judgement as it was given, where one that is not told yet overruled it; how it ended is told with that."""
        matter, path = instrument.matter, instrument.path
        by = matter.overruled_by if isinstance(matter, JudgementMatter) else None
        if not isinstance(by, int) or f"judgements/{by}.md" not in self.untold or path in self.untold:
            return {}
        data = self.game.tree[path]
        assert isinstance(data, bytes)
        self.untold[path] = data
        return {path: set_keys(data, {"status": "upheld", **dict.fromkeys(_OVERRULED)})}

    def _overruled(self, number: int | None) -> list[str]:
        """The judgements told already that this one overruled."""
        judgements = self.game.records.of_kind("judgement")
        return [
            one.path
            for one in judgements
            if one.matter.overruled_by == number and one.path in self.untold and one.path != f"judgements/{number}.md"
        ]

    def _turns(self, ident: str | None, moment: Moment) -> list[str]:
        """The files not told yet of a turn and of those before it, and of those that had ended."""
        turns = self.game.records.turns
        last = turns[ident].order if ident is not None and ident in turns else (0, 0)
        due = (one for one in turns.values() if one.order <= last or _has_ended(one, moment))
        return [one.source.file for one in due if one.source.file in self.untold]

    def part(
        self,
        paths: list[str],
        ruleset: Ruleset | None,
        on: Moment,
        subject: str,
        trailers: tuple[tuple[str, str], ...] = (),
    ) -> Part:
        """The part that tells `paths`, and brings `rules/` to a ruleset if there is one."""
        writes = {path: self.untold.pop(path) for path in sorted(paths)}
        gone: frozenset[str] = frozenset()
        if ruleset is not None:
            wanted: Mapping[str, bytes] = ruleset_files(ruleset)
            writes |= {path: data for path, data in wanted.items() if self.rules.get(path) != data}
            gone = frozenset(self.rules.keys() - wanted.keys())
            self.rules = dict(wanted)
        return Part(writes=writes, deletes=gone, subject=subject, trailers=trailers, on=on)
