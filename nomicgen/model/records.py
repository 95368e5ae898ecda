"""The records of a game: its files, read, each with the places of its keys and values."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import ClassVar, Literal, overload

from msgspec import Struct

from nomicgen.model.front_matters import (
    ActMatter,
    JudgementMatter,
    PlayerMatter,
    ProposalMatter,
    TurnMatter,
)
from nomicgen.model.identifiers import Digest, PlayerId
from nomicgen.model.import_record import Imported
from nomicgen.model.rule_matters import RuleBlock, RuleKeys, RuleMatter
from nomicgen.model.settings import Settings
from nomicgen.model.values import Moment, RuleRef, Source, Span

Verb = Literal["enact", "amend", "repeal", "transmute", "retitle", "renumber", "mark"]


class Instruction(Struct, frozen=True, kw_only=True):
    """One level-2 heading of an instrument and what stands under it.

    `text` is the full text for Enact and Amend; None if it is `lost` or the verb takes none.
    `title`, `tier` and `number` are those that the heading gives to the rule, `target` the rule
    that it names. `block` is its `yaml rule` block, if it has one. `index` counts the instructions
    of the instrument from 0. `text_line` is the line of the file on which the text begins; 0 if
    there is none.
    """

    verb: Verb
    index: int
    span: Span
    target: RuleRef | None = None
    title: str | None = None
    tier: str | None = None
    number: int | None = None
    text: str | None = None
    lost: bool = False
    block: RuleBlock | None = None
    block_source: Source | None = None
    text_line: int = 0

    @property
    def heading(self) -> str:
        """The instruction as its heading says it, without the marks."""
        words = {
            "enact": f"Enact Rule{f' {self.number}' if self.number else ''}"
            f"{f': {self.title}' if self.title else ''}",
            "transmute": f"Transmute Rule {self.target} to {self.tier}",
            "retitle": f"Retitle Rule {self.target}: {self.title}",
            "renumber": f"Renumber Rule {self.target} to {self.number}",
        }
        return words.get(self.verb, f"{self.verb.capitalize()} Rule {self.target}")


class RuleFile(Struct, frozen=True, kw_only=True):
    """A file of `rules/` or `rules/initial/`. `text` is None where it is lost."""

    matter: RuleMatter
    text: str | None
    source: Source
    text_line: int = 1


InstrumentKind = Literal["act", "judgement", "proposal"]
_KINDS: tuple[InstrumentKind, ...] = ("act", "judgement", "proposal")
"""The ledger's order of instruments of one moment and `seq`."""


class Instrument(Struct, frozen=True, kw_only=True):
    """A proposal, a judgement or an act.

    `preamble` is the body before the first instruction (a proposal's argument, a judgement's
    question and reasoning); `ruling` is the text under `## Ruling` of a judgement. `digest` is the
    SHA-256 (hex) of the instructions' bytes, and of `commences` if it is written; `whole_digest`
    covers title and argument, too. Both are None without instructions.
    """

    kind: ClassVar[InstrumentKind]
    path: str
    matter: ProposalMatter | JudgementMatter | ActMatter
    source: Source
    preamble: str = ""
    ruling: str = ""
    instructions: tuple[Instruction, ...] = ()
    digest: Digest | None = None
    whole_digest: Digest | None = None

    def is_bound_by(self, digest: Digest | None) -> bool:
        """Return whether a digest is that of these instructions, or of this whole text."""
        return digest is not None and digest in (self.digest, self.whole_digest)

    @property
    def number(self) -> int | None:
        return None if isinstance(self.matter, ActMatter) else self.matter.number

    @property
    def place(self) -> tuple[int, int, int, str]:
        """Where it stands in the ledger, among others of its moment."""
        return self.matter.seq, _KINDS.index(self.kind), self.number or 0, self.path

    @property
    def name(self) -> str:
        """Its name in sentences: `Proposal 305`, `Draft lamps`, `Judgement 4`, an act's cause."""
        if isinstance(self.matter, ActMatter):
            return self.matter.cause
        if self.number is None:
            return f"Draft {self.path.removeprefix('proposals/').removesuffix('.md')}"
        return f"{self.kind.capitalize()} {self.number}"

    @property
    def decided(self) -> Moment | None:
        """When it was decided, given, done or, while pending, asked for; None if not written."""
        return self.matter.decided if isinstance(self.matter, ProposalMatter) else self.matter.date

    @property
    def effective(self) -> Moment | None:
        """When its changes take effect: its `effective`, or else when it was decided."""
        return self.matter.effective or self.decided

    @property
    def title(self) -> str:
        """The title that its author gave it, or ''; an act has none."""
        return "" if isinstance(self.matter, ActMatter) else self.matter.title or ""

    @property
    def actor(self) -> PlayerId | None:
        """Who made it: the id of its author, its judge, or whoever an act is `by`.

        A rule that acts by itself is its number: `203`.
        """
        if isinstance(self.matter, ProposalMatter):
            return self.matter.author
        if isinstance(self.matter, JudgementMatter):
            return self.matter.judge
        return PlayerId(self.matter.by) if self.matter.by is not None else None


class Proposal(Instrument, frozen=True, kw_only=True):
    """A file of `proposals/`."""

    kind: ClassVar[InstrumentKind] = "proposal"
    matter: ProposalMatter

    @property
    def stem(self) -> str:
        """The name of its file without `.md`: its number, or what a draft is called."""
        return self.path.removeprefix("proposals/").removesuffix(".md")


class Judgement(Instrument, frozen=True, kw_only=True):
    """A file of `judgements/`."""

    kind: ClassVar[InstrumentKind] = "judgement"
    matter: JudgementMatter


class Act(Instrument, frozen=True, kw_only=True):
    """A file of `acts/`."""

    kind: ClassVar[InstrumentKind] = "act"
    matter: ActMatter


class Player(Struct, frozen=True, kw_only=True):
    """A file of `players/`; `ident` is its name."""

    ident: PlayerId
    matter: PlayerMatter
    source: Source

    def has_login(self, login: str) -> bool:
        """Return whether the file names this account on GitHub, in capitals or small letters."""
        account = self.matter.accounts.get("github")
        # casefold() would take look-alikes for the same: a login is ASCII, and anything else is
        # nobody's.
        return (
            account is not None
            and account.isascii()
            and login.isascii()
            and account.lower() == login.lower()
        )


Players = Mapping[PlayerId, Player]
"""The players of a game, by id."""


class Turn(Struct, frozen=True, kw_only=True):
    """A file of `turns/`; `ident` is its name, `R4T3`."""

    ident: str
    matter: TurnMatter
    source: Source

    @property
    def order(self) -> tuple[int, int]:
        return turn_order(self.ident)


def turn_order(ident: str) -> tuple[int, int]:
    """Return round and turn of a turn's id, for sorting: (4, 3) for `R4T3`."""
    round_, turn = ident[1:].split("T")
    return int(round_), int(turn)


class Records(Struct, frozen=True, kw_only=True, dict=True):
    """All files of a game, read. Mappings are by path in the game (players and turns by id).

    `initial` has the rules that the game began with; `derived_rules` the bytes of `rules/`, which
    are only compared with the rules that follow from the ledger. `images` has the pictures' paths.
    `withheld` has the paths that could not be read: findings that need one of them are left out.
    `imported` is the certificate of the import, None if the game was not imported.
    """

    settings: Settings
    settings_source: Source
    initial: Mapping[str, RuleFile] = {}
    derived_rules: Mapping[str, bytes] = {}
    instruments: Mapping[str, Instrument] = {}
    players: Mapping[PlayerId, Player] = {}
    turns: Mapping[str, Turn] = {}
    images: frozenset[str] = frozenset()
    withheld: frozenset[str] = frozenset()
    imported: Imported | None = None

    @property
    def names(self) -> dict[str, str]:
        """The name of each player, by id."""
        return {ident: player.matter.name for ident, player in self.players.items()}

    @functools.cached_property
    def turns_in_order(self) -> tuple[Turn, ...]:
        """The turns by round and number."""
        return tuple(sorted(self.turns.values(), key=lambda turn: turn.order))

    def player_at(self, path: str) -> Player | None:
        """Return the player whose file is `path`; None for any other path."""
        return player if isinstance(player := self.at(path), Player) else None

    def turn_at(self, path: str) -> Turn | None:
        """Return the turn whose file is `path`; None for any other path."""
        return turn if isinstance(turn := self.at(path), Turn) else None

    def at(self, path: str) -> Instrument | Player | Turn | None:
        """Return the record of the file at a path of `proposals/`, `acts/`, `turns/` and so on."""
        folder, _, name = path.partition("/")
        stem = name.removesuffix(".yml")
        if folder == "players":
            return self.players.get(PlayerId(stem))
        return self.turns.get(stem) if folder == "turns" else self.instruments.get(path)

    def rule_keys(self) -> Iterator[tuple[RuleKeys, Source]]:
        """Yield the keys of each rule of the initial set, and of each instruction's block."""
        for file in self.initial.values():
            yield file.matter, file.source
        for instrument in self.instruments.values():
            for instruction in instrument.instructions:
                if instruction.block is not None and instruction.block_source is not None:
                    yield instruction.block, instruction.block_source

    def proposal(self, path: str) -> Proposal | None:
        """Return the proposal at a path."""
        instrument = self.instruments.get(path)
        return instrument if isinstance(instrument, Proposal) else None

    def has_decided(self, path: str) -> bool:
        """Return whether a decided proposal is at `path`."""
        proposal = self.proposal(path)
        return proposal is not None and not proposal.matter.is_undecided

    @overload
    def of_kind(self, kind: Literal["proposal"]) -> tuple[Proposal, ...]: ...

    @overload
    def of_kind(self, kind: Literal["judgement"]) -> tuple[Judgement, ...]: ...

    @overload
    def of_kind(self, kind: Literal["act"]) -> tuple[Act, ...]: ...

    @overload
    def of_kind(self, kind: InstrumentKind) -> tuple[Instrument, ...]: ...

    def of_kind(self, kind: InstrumentKind) -> tuple[Instrument, ...]:
        """Return the instruments of one kind, by number, then by path."""
        return self._by_kind[kind]

    @functools.cached_property
    def _by_kind(self) -> Mapping[InstrumentKind, tuple[Instrument, ...]]:
        every = sorted(self.instruments.values(), key=_by_number)
        return {
            kind: tuple(instrument for instrument in every if instrument.kind == kind)
            for kind in _KINDS
        }


def _by_number(instrument: Instrument) -> tuple[bool, int, str]:
    number = instrument.number
    return number is None, number or 0, instrument.path
