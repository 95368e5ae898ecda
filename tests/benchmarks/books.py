"""A generator of a game as a reader of its site meets it: long texts, many players, few provisions;
with its history.

`games.py` makes long games of short texts, to measure the law on. Here a game has as many
revisions, proposals and judgements as one of so many rules has in the end, each move on a day of
its own and each a commit.
"""

from __future__ import annotations

import subprocess
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from importlib import resources
from pathlib import Path
from random import Random

from nomicgen.files.game_files import read_game
from nomicgen.files.instructions import instructions_digest
from nomicgen.law.checks.run import rule_bytes, ruleset_files
from nomicgen.law.replay.results import Replay, Rule
from nomicgen.law.replay.run import replay
from nomicgen.model.records import Instrument, Records, Turn
from nomicgen.model.values import Moment
from tests.benchmarks.prose import TERMS, Prose

__all__ = ["Book", "bind", "write_book"]

_START, _END = date(2015, 1, 1), date(2025, 1, 1)
_PLAYERS = tuple(
    f"{first}{last}" for first in ("ash", "bay", "elm", "fir", "oak", "yew") for last in "abcde"
)
_SECTIONS = (
    "Foundations",
    "Votes",
    "Turns",
    "Points",
    "Offices",
    "Trade",
    "Disputes",
    "Ceremonies",
)
_FIRST = 2001
_SETTINGS = "format: 1\nname: A long book\nrepository: https://github.com/example/book\n"
_LAW = {
    101: "ballot: {electorate: active, silence: ignored, abstention: counts}",
    102: "effect: at-once",
    103: f"numbering: {{first: {_FIRST}, enacted: proposal}}",
    104: "adoption: {needs: majority, of: cast}",
    105: "turns: {order: alphabetical, passing: true}",
    106: "points: {on: turn, to: player, amount: 1}",
    107: "points: {on: adopted, to: author, amount: 5}",
    108: "authority: {by: act, to: amend}",
    109: "authority: {by: judgement, to: amend}\n  judgements: {judge: anyone}",
}
"""What a program reads in the first rules; none is repealed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """A game as it is on disk, and how it was played: `files` are those of today, with `rules/`."""

    files: Mapping[str, bytes]
    records: Records
    played: Replay


def bind(rules: int, seed: int = 1, moves: int | None = None) -> Book:
    """A game of so many rules, 16 or more, in the end; three times as many revisions, half as many
    again proposals.

    `moves` says how many instruments it is to have instead, whatever revisions come of that. No day
    of it is to come.
    """
    count = rules * 3 // 2 + rules // 10 if moves is None else moves
    game = _Game(Random(seed), rules, today=min(_START, _END - timedelta(days=count)))
    game.begin()
    for index in range(count):
        game.move(index)
    game.end_turn()
    records, unread = read_game(game.files)
    played = replay(records)
    assert not unread
    assert {step.outcome for step in played.steps} == {"applied"}
    files = game.files | ruleset_files(played.current)
    return Book(files=files, records=read_game(files)[0], played=played)


@dataclass
class _Game:
    """The game as it is being made. `texts` has the text of each rule that stands, with its
    revision, by number.
    """

    random: Random
    size: int
    files: dict[str, bytes] = field(default_factory=dict)
    texts: dict[int, tuple[int, str]] = field(default_factory=dict)
    today: date = _START
    turns: int = 0
    proposals: int = 0
    judgements: int = 0
    terms: int = 0

    def __post_init__(self) -> None:
        self.prose = Prose(self.random)
        self.start = self.began = self.today

    def begin(self) -> None:
        """The initial set: seven in ten of the rules."""
        site = resources.files("nomicgen").joinpath("rulesets", "mkdocs.yml").read_text("utf-8")
        self._write(
            "mkdocs.yml", f"site_name: A long book\nsite_url: https://example.org/book/\n{site}"
        )
        self._write("docs/.gitkeep", "")
        sections = "".join(f"  {name}: {self.prose.sentence([101], ())}\n" for name in _SECTIONS)
        self._write("nomic.yml", f"{_SETTINGS}started: {self.start}\nsections:\n{sections}")
        for name in _PLAYERS:
            self._write(f"players/{name}.yml", f"name: {name.capitalize()}\njoined: {self.start}\n")
        count = self.size * 7 // 10
        numbers = [*range(101, min(200, 101 + max(count // 4, len(_LAW)))), *range(201, 1200)][
            :count
        ]
        for number in numbers:
            text = self.prose.rule(
                self.random.randint(100, 260), self._near(number, numbers), TERMS[: self.size // 10]
            )
            self.texts[number] = 0, text
            said = f"provisions:\n  {_LAW[number]}\n" if number in _LAW else ""
            self._write(
                f"rules/initial/{number}.md",
                f"---\nnumber: {number}\n"
                f"mutability: {'immutable' if number < 200 else 'mutable'}\nrevision: 0\n"
                f"title: {self.prose.title(number)}\nsection: {self._section(number)}\n"
                f"{said}{self._defines()}---\n\n"
                f"{text}\n",
            )

    def move(self, index: int) -> None:
        self.today += timedelta(days=1)
        if index % 32 == 15:
            self._judgement()
        elif index % 32 == 23:
            self._act(index)
        else:
            self._proposal()
        if index % 5 == 4:
            self.end_turn()

    def end_turn(self) -> None:
        self._write(
            f"turns/{self._turn}.yml",
            f"player: {self._player}\nbegan: {self.began}\nended: {self.today}\n"
            f"dice: [{self.turns % 6 + 1}]\n",
        )
        self.turns += 1
        self.began = self.today

    @property
    def _turn(self) -> str:
        return f"R{self.turns // len(_PLAYERS) + 1}T{self.turns % len(_PLAYERS) + 1}"

    @property
    def _player(self) -> str:
        return _PLAYERS[self.turns % len(_PLAYERS)]

    def _proposal(self) -> None:
        number = _FIRST + self.proposals
        self.proposals += 1
        adopted = self.random.random() < 0.8
        body = "\n\n".join(self._changes(number, adopted))
        most, least = ("for", "against") if adopted else ("against", "for")
        voters = self.random.sample(_PLAYERS, k=self.random.randint(18, 30))
        votes = "".join(
            f"  {name}: {most if place < 10 or place % 3 else least if place % 2 else 'abstain'}\n"
            for place, name in enumerate(voters)
        )
        self._write(
            f"proposals/{number}.md",
            f"---\nnumber: {number}\ntitle: {self.prose.title(number)}\nauthor: {self._player}\n"
            f"date: {self.today}\n"
            f"turn: {self._turn}\nstatus: {'adopted' if adopted else 'defeated'}\n"
            f"opened: {self.today}\n"
            f"decided: {self.today}\nvotes:\n"
            f"{votes}digest: {instructions_digest(body.encode())}\n---\n\n"
            f"{self.prose.rule(80, list(self.texts), self._used)}\n\n{body}\n",
        )

    def _changes(self, number: int, adopted: bool) -> Iterator[str]:
        """One to three instructions; carried out where they are adopted. One of them may enact a
        rule.
        """
        texts, taken = self.texts if adopted else dict(self.texts), {0}
        for place in range(self.random.choice((1, 2, 2, 3, 3))):
            kind = self.random.random()
            if place == 0 and kind < (0.5 if len(self.texts) < self.size else 0.1):
                texts[number] = (
                    0,
                    self.prose.rule(self.random.randint(100, 260), list(texts), self._used),
                )
                block = f"```yaml rule\nsection: {self._section(number)}\n```"
                yield f"## Enact Rule: {self.prose.title(number)}\n\n{block}\n\n{texts[number][1]}"
                taken.add(number)
                continue
            target = self._other(taken, repeal=kind > 0.95)
            taken.add(target)
            revision, text = texts[target]
            if kind > 0.95:
                del texts[target]
                yield f"## Repeal Rule {target}/{revision}"
            else:
                new = self.prose.amended(text, list(texts), self._used)
                texts[target] = revision + 1, new
                yield f"## Amend Rule {target}/{revision}\n\n{new}"

    def _other(self, taken: set[int], *, repeal: bool = False) -> int:
        barred = {*taken, *(_LAW if repeal else ())}
        return self.random.choice([number for number in self.texts if number not in barred])

    def _amendment(self) -> str:
        target = self._other(set())
        revision, text = self.texts[target]
        self.texts[target] = revision + 1, self.prose.amended(text, list(self.texts), self._used)
        return f"## Amend Rule {target}/{revision}\n\n{self.texts[target][1]}"

    def _judgement(self) -> None:
        self.judgements += 1
        target = self._other(set())
        change = f"\n{self._amendment()}\n" if self.judgements % 3 == 0 else ""
        self._write(
            f"judgements/{self.judgements}.md",
            f"---\nnumber: {self.judgements}\ntitle: {self.prose.title(target)}\n"
            f"called_by: {self._player}\n"
            f"judge: {self.random.choice(_PLAYERS)}\ndate: {self.today}\nturn: {self._turn}\n"
            f"rules: [{target}/{self.texts[target][0] if not change else 0}]\nstatus: upheld\n"
            "under: 109\n---\n\n"
            f"{self.prose.rule(120, list(self.texts), self._used)}\n\n## Ruling\n\n"
            f"{self.prose.paragraph(3, list(self.texts), self._used)}\n{change}",
        )

    def _act(self, index: int) -> None:
        self._write(
            f"acts/{self.today}-{index}.md",
            f"---\ncause: Rule 108\nby: {self._player}\nunder: 108\ndate: {self.today}\n"
            f"turn: {self._turn}\n---\n\n"
            f"{self.prose.paragraph(2, list(self.texts), self._used)}\n\n{self._amendment()}\n",
        )

    @property
    def _used(self) -> tuple[str, ...]:
        return TERMS[: self.terms]

    def _near(self, number: int, numbers: list[int]) -> list[int]:
        """What a rule of the initial set cites: its neighbours, and the first rules."""
        place = numbers.index(number)
        return [*numbers[max(place - 10, 0) : place + 10], *numbers[:5]]

    def _section(self, number: int) -> str:
        return _SECTIONS[number // 3 % len(_SECTIONS)]

    def _defines(self) -> str:
        """One in seven rules of the initial set defines a term."""
        if len(self.texts) % 7 or self.terms >= len(TERMS):
            return ""
        self.terms += 1
        return f"defines: [{TERMS[self.terms - 1]}]\n"

    def _write(self, path: str, text: str) -> None:
        self.files[path] = text.encode()


def write_book(book: Book, folder: Path) -> None:
    """Writes a game to an empty folder, as a repository in which each instrument is a commit with
    what it did.
    """
    subprocess.run(("git", "init", "-q", "-b", "main", folder), check=True)
    stream = b"".join(_commits(book))
    subprocess.run(("git", "-C", folder, "fast-import", "--quiet"), check=True, input=stream)
    subprocess.run(("git", "-C", folder, "reset", "-q", "--hard", "main"), check=True)


def _commits(book: Book) -> Iterator[bytes]:
    """The game as `git fast-import` reads it: the start, each instrument on its day, each turn when
    it is over.
    """
    untold = dict(book.files)
    rules = {f"rules/{rule.number}.md": rule_bytes(rule) for rule in book.played.initial}
    start = {
        path: data
        for path, data in untold.items()
        if not path.startswith(("acts", "judge", "prop", "turns"))
    }
    start = {
        path: data
        for path, data in start.items()
        if not path.startswith("rules/") or "/initial/" in path
    }
    day = (book.records.settings.started or Moment.of(_START)).day
    yield from _commit(day, "Begin the game", start | rules)
    steps = {step.instrument.path: step for step in book.played.steps}
    told = sorted(
        book.records.instruments.values(), key=lambda one: (str(one.matter.date), one.path)
    )
    turns = deque(sorted(book.records.turns.values(), key=lambda one: one.order))
    for one in told:
        while turns and _is_over(turns[0], one):
            yield from _played(turns.popleft(), untold)
        day = one.matter.date.day if one.matter.date else day
        writes: dict[str, bytes | None] = {one.path: untold[one.path]}
        for change in steps[one.path].changes if one.path in steps else ():
            writes |= _written(change.before, change.after)
        yield from _commit(day, f"{one.name}\n\nInstrument: {one.path}", writes)
    yield from (commit for turn in turns for commit in _played(turn, untold))


def _is_over(turn: Turn, one: Instrument) -> bool:
    """Whether a turn ended on a day before that of an instrument."""
    return (
        turn.matter.ended is not None
        and one.matter.date is not None
        and turn.matter.ended.precedes(one.matter.date)
    )


def _played(turn: Turn, files: Mapping[str, bytes]) -> Iterator[bytes]:
    path = f"turns/{turn.ident}.yml"
    yield from _commit(
        (turn.matter.ended or Moment.of(_END)).day, f"Turn {turn.ident}", {path: files[path]}
    )


def _written(before: Rule | None, after: Rule | None) -> dict[str, bytes | None]:
    gone: dict[str, bytes | None] = {f"rules/{before.number}.md": None} if before else {}
    return gone | ({f"rules/{after.number}.md": rule_bytes(after)} if after else {})


def _commit(day: date, message: str, writes: Mapping[str, bytes | None]) -> Iterator[bytes]:
    seconds = int(datetime.combine(day, time(12), UTC).timestamp())
    said = message.encode()
    yield f"commit refs/heads/main\ncommitter clerk <clerk@example.org> {seconds} +0000\n".encode()
    yield b"data %d\n%s\n" % (len(said), said)
    for path, data in writes.items():
        if data is None:
            yield f"D {path}\n".encode()
        else:
            yield b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data)
