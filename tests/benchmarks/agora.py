"""A generator of rules data in Agora's form, and of the game that an import makes of it: the same
from the same seed.

`agora_data(1)` is about as large as the data of Agora's first thirty years: 335 rules, of which 150
stand, 3,400 entries of their histories, 1,700 proposals, 220 annotations. Only the last text of
each rule is known.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

from tests.benchmarks.prose import Prose

__all__ = ["agora_data", "import_agora", "write_agora"]

_START, _DAYS = date(1993, 6, 30), 11_000
_INITIAL, _RULES, _STANDING, _PROPOSALS, _ANNOTATIONS = 14, 335, 150, 1_700, 220
_FIRST = 1_001
_POWERS = ("1", "1", "1", "2", "2", "3")
_SECTIONS = tuple(
    f"Part {name}"
    for name in ("One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")
)
_NAMES = tuple(
    f"{first} {last}"
    for first in ("Ash", "Elm", "Fir", "Oak", "Yew")
    for last in "ABCDEFGHIJKLMNOPQRST"
)


@dataclass(slots=True)
class _Rule:
    """A rule as its file will say it. `power` is None once it was repealed."""

    number: int
    name: str
    power: str | None
    history: list[dict[str, Any]]
    annotations: list[dict[str, Any]] = field(default_factory=list)


def agora_data(times: float = 1, seed: int = 1) -> dict[str, bytes]:
    """The files of so many times the data of Agora, by path."""
    made = _Made(Random(seed), times)
    files = {f"proposals/{number}": _yaml(proposal) for number, proposal in made.proposals()}
    files |= {f"rules/{rule.number}": _yaml(made.told(rule)) for rule in made.rules}
    return files | {"config/index": b"".join(b"- %b\n" % _yaml(one) for one in made.sections())}


def write_agora(folder: Path, times: float = 1) -> None:
    """Writes such data beside `folder`, and the game that they make into it."""
    data = folder.with_name(f"{folder.name}-data")
    for path, content in agora_data(times).items():
        file = data / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    import_agora(data, folder)


def import_agora(data: Path, folder: Path) -> None:
    """Writes the game that `nomicgen import agora` makes of data, which may be a tar archive, as a
    repository.
    """
    command = (
        sys.executable,
        "-m",
        "nomicgen",
        "import",
        "agora",
        data,
        "--into",
        folder,
        "--commit",
    )
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _yaml(value: object) -> bytes:
    """JSON is YAML; days stand without quotation marks in either."""
    return json.dumps(value).encode()


class _Made:
    """The data while it is made. `rules` has all that there ever were."""

    def __init__(self, random: Random, times: float) -> None:
        self.random, self.times, self.prose = random, times, Prose(random)
        self.cases = 0
        self.rules: list[_Rule] = []
        for number in range(101, 101 + round(_INITIAL * times)):
            first = {
                "change": {"type": "initial", "id": number, "mutability": "mutable"},
                "date": str(_START),
            }
            self.rules.append(
                _Rule(number, self.prose.title(number), self.random.choice(_POWERS), [first])
            )

    def proposals(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Each proposal by its number, in their order; what it did is in the histories of the
        rules.
        """
        count = round(_PROPOSALS * self.times)
        enacting = set(
            self.random.sample(range(count), k=round(_RULES * self.times) - len(self.rules))
        )
        for place in range(count):
            number = _FIRST + place
            day = str(_START + timedelta(days=1 + place * _DAYS // count))
            agent = {"proposal": str(number)}
            if place in enacting:
                self._enact(number, day, agent)
            standing = [rule for rule in self.rules if rule.power is not None]
            touched = min(self.random.choice((1, 1, 2, 2, 2, 3)), len(standing))
            for rule in self.random.sample(standing, k=touched):
                self._change(
                    rule,
                    day,
                    agent if self.random.random() < 0.9 else {"rule": rule.number},
                    len(standing),
                )
            if place * _ANNOTATIONS // _PROPOSALS != (place + 1) * _ANNOTATIONS // _PROPOSALS:
                self._annotate(self.random.choice(standing), day)
            yield (
                number,
                {
                    "id": str(number),
                    "title": self.prose.title(number),
                    "author": self.random.choice(_NAMES),
                },
            )

    def _enact(self, number: int, day: str, agent: dict[str, Any]) -> None:
        entry = {"change": {"type": "enactment"}, "date": day, "agent": agent}
        self.rules.append(
            _Rule(number, self.prose.title(number), self.random.choice(_POWERS), [entry])
        )

    def _change(self, rule: _Rule, day: str, agent: dict[str, Any], standing: int) -> None:
        if rule.history[-1]["date"] == day:
            return
        change: dict[str, Any] = {"type": "amendment"}
        if standing > _STANDING * self.times and self.random.random() < 0.2:
            change, rule.power = {"type": "repeal"}, None
        elif self.random.random() < 0.03:
            power = self.random.choice(_POWERS)
            change, rule.power = (
                {"type": "power-change", "old-power": rule.power, "new-power": power},
                power,
            )
        rule.history.append({"change": change, "date": day, "agent": agent})

    def _annotate(self, rule: _Rule, day: str) -> None:
        self.cases += 1
        cases = [{"id": str(self.cases), "called": day}]
        rule.annotations.append({"cfjs": cases, "text": self.prose.paragraph(2, [rule.number], ())})

    def told(self, rule: _Rule) -> dict[str, Any]:
        numbers = [one.number for one in self.random.choices(self.rules, k=20)]
        last = rule.power or self.random.choice(_POWERS)
        told = {
            "id": rule.number,
            "name": rule.name,
            "power": last,
            "text": self.prose.rule(150, numbers, ()),
        }
        return {
            **told,
            "history": rule.history,
            **({"annotations": rule.annotations} if rule.annotations else {}),
        }

    def sections(self) -> list[dict[str, Any]]:
        standing = [rule.number for rule in self.rules if rule.power is not None]
        notes = [self.prose.sentence([101], ()) for _ in _SECTIONS]
        return [
            {"name": name, "note": note, "rules": standing[place :: len(_SECTIONS)]}
            for place, (name, note) in enumerate(zip(_SECTIONS, notes, strict=True))
        ]
