"""A generator of long legal games, as their files, to measure on: the same game from the same seed.

Each move is one that the law of its day allows. The generator knows the rules that stand, and of
the law what its own moves need; a test holds that the check finds nothing wrong with what it makes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from random import Random
from typing import TypeVar

from nomicgen.files.instructions import instructions_digest

__all__ = ["generate"]

_START = date(1990, 1, 1)
_FIRST = 1001
_PROVISIONS = "provisions:\n  {}\n"
_T = TypeVar("_T")
_PLAYERS = (
    "anvil",
    "briar",
    "cinder",
    "dapple",
    "ember",
    "finch",
    "gorse",
    "heron",
    "islet",
    "juniper",
)
_WORDS = (
    "rule",
    "player",
    "vote",
    "proposal",
    "turn",
    "judge",
    "change",
    "law",
    "round",
    "office",
    "clerk",
    "garden",
)
_LAW = {
    103: "entrenchment: {immutable: [transmute]}",
    105: "ballot: {electorate: active, silence: ignored, abstention: counts}",
    107: "effect: at-once",
    108: f"numbering: {{first: {_FIRST}, enacted: proposal, transmuted: proposal, changes: 3}}",
    109: "adoption: {needs: unanimous, of: cast, to: transmute}",
    112: "victory: {points: 900000000}",
    114: "floor: {immutable: 10}",
    115: "changeable: always",
    201: "turns: {order: alphabetical, passing: true}",
    202: "points: {on: turn, to: player, amount: 1}",
    203: "adoption: {needs: majority, of: cast, to: [enact, amend, repeal], and: {more_than: "
    "15%, of: players}}",
    204: "points: {on: adopted, to: against, amount: 10, if: unanimity-not-needed}",
    206: "points: {on: defeated, to: author, amount: -10}",
    207: "authority: {by: act, to: amend}",
    208: "authority: {by: judgement, to: amend}\n  judgements: {judge: anyone}",
    209: "cap: {mutable: 700}",
}
"""The rules that every game begins with, and that none repeals."""
_MINOR = (
    "points: {{on: adopted, to: author, amount: {}}}",
    "cap: {{mutable: 7{}}}",
    "ballot: {{resubmissions: {}}}",
    "adoption: {{needs: {{at_least: {}%}}, of: players, to: [enact, amend, repeal]}}",
)
"""What one in ten of the rules carries, with a number that changes; at 50 the votes below still
suffice.
"""
_ASKS = 3
"""The place of that which asks for votes."""
_NUMBERED = ("enact", "renumber", "transmute")
_SHARES = (1, 8, 8, 3)
"""How many of them carry which. A long game is to have no more law than a short one."""


@dataclass(frozen=True, slots=True)
class _Rule:
    """A rule that stands. `minor` is the place in `_MINOR` of what it carries."""

    number: int
    revision: int
    tier: str
    minor: int | None = None

    @property
    def ref(self) -> str:
        return f"{self.number}/{self.revision}"


@dataclass(frozen=True, slots=True)
class _Change:
    """An instruction as it is written, and the rule that it takes away and the one that it
    brings.
    """

    text: str
    before: _Rule | None
    after: _Rule | None


def generate(instruments: int, rules: int = 500, seed: int = 1) -> dict[str, bytes]:
    """The files of a game of so many instruments, by path, without `rules/`. `rules` is from 100 to
    800.
    """
    game = _Game(Random(seed), rules)
    game.begin()
    for index in range(instruments):
        game.move(index)
    return game.files


@dataclass
class _Game:
    random: Random
    size: int
    files: dict[str, bytes] = field(default_factory=dict)
    rules: dict[int, _Rule] = field(default_factory=dict)
    today: date = _START
    began: date = _START
    turns: int = 0
    proposals: int = 0
    judgements: int = 0
    changed: set[int] = field(default_factory=set)
    """The numbers of the rules that changed today: who changes one of them on the same day would
    have to say when.
    """

    def begin(self) -> None:
        self._write("nomic.yml", f"format: 1\nname: A long game\nstarted: {_START}\n")
        for name in _PLAYERS:
            self._write(f"players/{name}.yml", f"name: {name.capitalize()}\njoined: {_START}\n")
        immutable = [number for number in range(101, 200) if number not in _LAW][: self.size // 8]
        mutable = [number for number in range(200, 1001) if number not in _LAW]
        for number in sorted(
            (*_LAW, *immutable, *mutable[: self.size - len(_LAW) - len(immutable)])
        ):
            minor = self._minor() if number not in _LAW else None
            rule = _Rule(number, 0, "immutable" if number < 200 else "mutable", minor)
            self.rules[number] = rule
            said = _LAW.get(number) or self._provision(minor)
            self._write(
                f"rules/initial/{number}.md",
                f"---\nnumber: {number}\nmutability: {rule.tier}\nrevision: 0\n"
                f"title: {self._text(3)}\n"
                f"{said and _PROVISIONS.format(said)}---\n\n{self._text(60)}\n",
            )

    def move(self, index: int) -> None:
        # Two in five proposals share their day with the move before; acts and judgements would go
        # before that.
        if index % 20 in (7, 13) or self.random.random() < 0.6:
            self.today += timedelta(days=1)
            self.changed.clear()
        if index % 20 == 7:
            self._judgement()
        elif index % 20 == 13:
            self._act(index)
        else:
            self._proposal()
        if index % 4 == 3:
            self._end_turn()

    @property
    def _turn(self) -> str:
        """`R4T3`; nobody leaves, so that every round has a turn of each player."""
        return f"R{self.turns // len(_PLAYERS) + 1}T{self.turns % len(_PLAYERS) + 1}"

    @property
    def _player(self) -> str:
        return _PLAYERS[self.turns % len(_PLAYERS)]

    def _end_turn(self) -> None:
        self._write(
            f"turns/{self._turn}.yml",
            f"player: {self._player}\nbegan: {self.began}\nended: {self.today}\n",
        )
        self.turns += 1
        self.began = self.today

    def _proposal(self) -> None:
        number = _FIRST + self.proposals
        self.proposals += 1
        changes = self._changes(number)
        body = "\n\n".join(one.text for one in changes)
        adopted = self.random.random() < 0.8
        unanimous = any(one.text.startswith("## Transmute") for one in changes)
        votes = "".join(
            f"  {name}: {vote}\n" for name, vote in self._votes(adopted, unanimous).items()
        )
        self._write(
            f"proposals/{number}.md",
            f"---\nnumber: {number}\ntitle: {self._text(4)}\nauthor: {self._player}\n"
            f"date: {self.today}\n"
            f"turn: {self._turn}\nstatus: {'adopted' if adopted else 'defeated'}\n"
            f"opened: {self.today}\n"
            f"decided: {self.today}\nvotes:\n"
            f"{votes}digest: {instructions_digest(body.encode())}\n---\n\n"
            f"{self._text(20)}\n\n{body}\n",
        )
        if adopted:
            self._carry_out(changes)

    def _votes(self, adopted: bool, unanimous: bool) -> dict[str, str]:
        """Six or more of the ten for it, or three for and four or more against; an abstention
        breaks unanimity.
        """
        if adopted:
            choices = ["for"] * 6 + self.random.choices(["for", "against", "abstain", ""], k=4)
            choices = ["for" if unanimous and one else one for one in choices]
        else:
            choices = (
                ["for"] * 3 + ["against"] * 4 + self.random.choices(["against", "abstain", ""], k=3)
            )
        self.random.shuffle(choices)
        return {name: one for name, one in zip(_PLAYERS, choices, strict=True) if one}

    def _judgement(self) -> None:
        self.judgements += 1
        construed = self._pick(list(self.rules.values()))
        changes = [self._amended(self._mutable())] if self.judgements % 4 == 0 else []
        self._write(
            f"judgements/{self.judgements}.md",
            f"---\nnumber: {self.judgements}\ncalled_by: {self._player}\n"
            f"judge: {self._pick(_PLAYERS)}\n"
            f"date: {self.today}\nturn: {self._turn}\nrules: [{construed.ref}]\nstatus: upheld\n"
            "under: 208\n---\n\n"
            f"{self._text(30)}\n\n## Ruling\n\n{self._text(30)}\n"
            + "".join(f"\n{one.text}\n" for one in changes),
        )
        self._carry_out(changes)

    def _act(self, index: int) -> None:
        change = self._amended(self._mutable())
        self._write(
            f"acts/{self.today}-{index}.md",
            f"---\ncause: Rule 207\nby: {self._player}\nunder: 207\ndate: {self.today}\n"
            f"turn: {self._turn}\n---\n\n"
            f"{self._text(10)}\n\n{change.text}\n",
        )
        self._carry_out([change])

    def _carry_out(self, changes: list[_Change]) -> None:
        for change in changes:
            if change.before is not None:
                del self.rules[change.before.number]
                self.changed.add(change.before.number)
            if change.after is not None:
                self.rules[change.after.number] = change.after
                self.changed.add(change.after.number)

    def _changes(self, number: int) -> list[_Change]:
        """One to three changes of different rules; only one can take the proposal's number."""
        made: list[_Change] = []
        numbered = False
        for _ in range(self._pick((1, 1, 1, 2, 3))):
            kind = self._pick(
                ("enact",) * 3
                + ("amend",) * 10
                + ("repeal",) * 3
                + ("transmute", "mark", "renumber")
            )
            if kind in _NUMBERED and numbered:
                kind = "amend"
            if len(self.rules) > self.size + 20 and kind == "enact":
                kind = "repeal"
            if len(self.rules) < self.size - 20 and kind == "repeal":
                kind = "amend"
            numbered = numbered or kind in _NUMBERED
            made.append(
                self._change(
                    kind, number, self.changed | {one.before.number for one in made if one.before}
                )
            )
        return made

    def _change(self, kind: str, number: int, used: set[int]) -> _Change:
        if kind == "enact":
            return self._enacted(number)
        if kind == "transmute":
            # An immutable rule that asks for votes would take away what Rules 207 and 208 let acts
            # and judgements do.
            used = used | {number for number, rule in self.rules.items() if rule.minor == _ASKS}
        rule = self._mutable(used, free=kind in ("repeal", "transmute", "renumber"))
        if kind == "amend":
            return self._amended(rule)
        if kind == "repeal":
            return _Change(f"## Repeal Rule {rule.ref}", rule, None)
        if kind == "mark":
            block = f"```yaml rule\nnote: {self._text(5)}\n```"
            return _Change(f"## Mark Rule {rule.ref}\n\n{block}", rule, rule)
        if kind == "renumber":
            return _Change(
                f"## Renumber Rule {rule.ref} to {number}", rule, replace(rule, number=number)
            )
        immutable = [
            one
            for one in self.rules.values()
            if one.tier == "immutable" and one.number not in {*_LAW, *used}
        ]
        if len(immutable) > self.size // 8:
            rule = self._pick(immutable)
        tier = "mutable" if rule.tier == "immutable" else "immutable"
        return _Change(
            f"## Transmute Rule {rule.ref} to {tier}", rule, replace(rule, tier=tier, number=number)
        )

    def _enacted(self, number: int) -> _Change:
        rule = _Rule(number, 0, "mutable", self._minor())
        text = f"## Enact Rule: {self._text(3)}\n\n{self._block(rule)}{self._text(60)}"
        return _Change(text, None, rule)

    def _amended(self, rule: _Rule) -> _Change:
        text = f"## Amend Rule {rule.ref}\n\n{self._block(rule)}{self._text(60)}"
        return _Change(text, rule, replace(rule, revision=rule.revision + 1))

    def _mutable(self, used: set[int] | None = None, *, free: bool = False) -> _Rule:
        """A mutable rule to change; a `free` one is none that every game needs."""
        barred = {*(used or ()), *(_LAW if free else ())}
        return self._pick(
            [
                one
                for one in self.rules.values()
                if one.tier == "mutable" and one.number not in barred
            ]
        )

    def _block(self, rule: _Rule) -> str:
        said = self._provision(rule.minor)
        return f"```yaml rule\nprovisions:\n  {said}\n```\n\n" if said else ""

    def _minor(self) -> int | None:
        """What another rule is to carry: what is scarcest, or nothing where one in ten carries
        something.
        """
        found = Counter(rule.minor for rule in self.rules.values() if rule.minor is not None)
        if found.total() * 10 >= len(self.rules):
            return None
        return min(range(len(_MINOR)), key=lambda one: found[one] / _SHARES[one])

    def _provision(self, minor: int | None) -> str:
        return "" if minor is None else _MINOR[minor].format(self.random.randint(10, 50))

    def _text(self, words: int) -> str:
        return " ".join(self.random.choices(_WORDS, k=words)).capitalize()

    def _pick(self, among: Sequence[_T]) -> _T:
        return self.random.choice(among)

    def _write(self, path: str, text: str) -> None:
        self.files[path] = text.encode()
