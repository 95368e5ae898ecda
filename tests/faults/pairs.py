"""Two commands at once: while one stands before a call that writes, another is typed and runs to
its end.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tests.faults.scenes import copied
from tests.faults.state import State, folders_of, litter, state_of
from tests.faults.trap import Answer, Call, trapped
from tests.faults.typing import child, typed

__all__ = ["PAIRS", "Pair", "Together"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two commands that are typed in a game at the same time."""

    name: str
    place: str
    first: str
    second: str


PAIRS = {
    pair.name: pair
    for pair in (
        Pair(
            name="vote-vote",
            place="debate",
            first="vote 301 for --player wren --on 2026-01-09",
            second="vote 301 against --player quill --on 2026-01-09",
        ),
        Pair(
            name="register-register",
            place="draft",
            first="register tea --on 2026-01-08 --commit",
            second="register tea --on 2026-01-08",
        ),
        Pair(
            name="join-join",
            place="debate",
            first="player join osprey --on 2026-01-09",
            second="player join heron --on 2026-01-09",
        ),
        Pair(
            name="resolve-vote",
            place="voted",
            first="proposal resolve 301 --on 2026-01-10 --commit",
            second="vote 301 against --player tallow --on 2026-01-09 --commit",
        ),
    )
}


@dataclass
class Together:
    """The trials of a pair: what may come of it is what comes of the one after the other, or of one
    alone.
    """

    pair: Pair
    source: Path
    folder: Path
    allowed: list[tuple[bool, bool, State]] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)

    def __post_init__(self) -> None:
        first, second = self.pair.first, self.pair.second
        for order in ((first, second), (second, first), (first,), (second,)):
            place = self._place()
            went = {line: typed(place, self._words(place, line))[0] == 0 for line in order}
            self.allowed.append((went.get(first, False), went.get(second, False), state_of(place)))
            self.folders = folders_of(place)
            shutil.rmtree(place)
        if not all(self.allowed[at][at % 2] for at in range(4)):
            raise AssertionError(f"{self.pair.name}: one of them fails alone")
        place = self._place()
        self.calls = trapped(
            partial(child, place, self._words(place, first)), lambda _, __: None
        ).calls
        shutil.rmtree(place)

    def tried(self, at: int) -> list[str]:
        """What is wrong after a run in which the second command was typed before a call of the
        first.
        """
        place = self._place()
        second: list[tuple[int, str]] = []

        def decide(number: int, _: Call) -> Answer | None:
            if number != at:
                return None
            words = self._words(place, self.pair.second)
            return Answer(before=lambda: second.append(typed(place, words, is_patient=False)))

        ended = trapped(partial(child, place, self._words(place, self.pair.first)), decide)
        status, said = second[0]
        wrong = [f"a traceback: {text}" for text in (ended.output, said) if "Traceback" in text]
        if (ended.status == 0, status == 0, state_of(place)) not in self.allowed:
            wrong.append(f"neither: {ended.status} {ended.output} and {status} {said}")
        if left := litter(place, expected=self.folders):
            wrong.append(f"left about: {left}")
        shutil.rmtree(place)
        return wrong

    def _words(self, place: Path, line: str) -> list[str]:
        return ["-C", str(place / "game"), *line.split()]

    def _place(self) -> Path:
        return copied(self.source, self.folder / "place")
