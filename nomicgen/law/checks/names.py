"""References of the front matters: people, turns, tiers, sections, rules and proposals that they name must be there."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Sequence

from nomicgen.diagnostics import Finding
from nomicgen.identifiers import PlayerId
from nomicgen.law.checks.near import NearestNames
from nomicgen.law.electorate import are_together, has_left, is_player
from nomicgen.law.look_alikes import appearances
from nomicgen.law.replay_state import Replay
from nomicgen.model import (
    ActMatter,
    Award,
    Instrument,
    Judgement,
    JudgementMatter,
    Moment,
    Player,
    ProposalMatter,
    Records,
    RuleRef,
    Source,
    Span,
    bare_key,
)


def check_names(records: Records, replay: Replay) -> Iterator[Finding]:
    """Every name that a front matter gives."""
    names = _Names(records, replay)
    for group, tiers in records.settings.groups.items():
        for index, tier in enumerate(tiers):
            yield from names.tier(tier, records.settings_source.at("groups", group, index))
    for file in records.initial.values():
        yield from names.tier(file.matter.mutability, file.source.at("mutability"))
        yield from names.section(file.matter.section, file.source)
    for instrument in records.instruments.values():
        yield from names.instrument(instrument)
    playing = [one for one in records.players.values() if is_player(one, replay.until)]
    yield from _accounts(playing)
    yield from _keys(playing)
    doubled = _doubled(records.players.values(), replay.until)
    yield from doubled.values()
    yield from _alike(playing, doubled)
    for turn in records.turns.values():
        yield from names.player(turn.matter.player, turn.source, "player")
        yield from names.awards(turn.matter.points, turn.source)


def _accounts(playing: Sequence[Player]) -> Iterator[Finding]:
    """An account is one player's: whoever had two would vote twice. Forges take capitals and small letters for one."""
    known: dict[tuple[str, str], str] = {}
    for player in playing:
        for forge, account in player.matter.accounts.items():
            # A login is ASCII; of what looks like one, nothing is folded.
            plain = account.lower() if account.isascii() else account
            other = known.setdefault((forge, plain), player.ident)
            if other != player.ident:
                yield Finding(
                    slug="account-doubled",
                    span=player.source.at("accounts", forge),
                    message=f"{other} has that account on {forge} already, so nobody's votes from it could count",
                    help="give each player an account of their own, or say when one of the two has `left`",
                )


def _keys(playing: Sequence[Player]) -> Iterator[Finding]:
    """A key is one player's: whoever had two would sign for both."""
    known: dict[str, str] = {}
    for player in playing:
        for index, one in enumerate(player.matter.keys_):
            other = known.setdefault(bare_key(one.key), player.ident)
            if other != player.ident:
                yield Finding(
                    slug="account-doubled",
                    span=player.source.at("keys", index, "key"),
                    message=f"{other} has that key already, so nobody could tell who of the two signs with it",
                    help="give each player a key of their own (`ssh-keygen -t ed25519`)",
                )


def _doubled(players: Iterable[Player], until: Moment | None) -> dict[str, Finding]:
    """A name is one player's while both play: what is found of each who came to it later, by id.

    Those who have left by `until` have given their names up; those who will join have theirs from that day.
    """
    known: dict[str, list[Player]] = {}
    doubled: dict[str, Finding] = {}
    for player in sorted((one for one in players if not has_left(one, until)), key=_joining):
        holders = known.setdefault(player.matter.name, [])
        other = next((one for one in holders if are_together(one, player)), None)
        if other is None:
            holders.append(player)
            continue
        doubled[player.ident] = Finding(
            slug="name-doubled",
            span=player.source.at("name"),
            message=f"{other.ident} plays under that name too",
            help="give each a name of their own, or say when one of the two has `left`",
        )
    return doubled


def _joining(player: Player) -> tuple[str, str]:
    return str(player.matter.joined or ""), player.ident


def _alike(playing: Sequence[Player], doubled: Container[str]) -> Iterator[Finding]:
    """Of two who play, either may be taken for the other where their names or their ids look the same.

    Of the names of those who are `doubled` more is said already.
    """
    known: dict[tuple[str, int, str], str] = {}
    for player in playing:
        for kind, text in (("name", player.matter.name), ("id", player.ident)):
            if kind == "name" and player.ident in doubled:
                continue
            others = [known.setdefault((kind, way, look), player.ident) for way, look in enumerate(appearances(text))]
            other = next((one for one in others if one != player.ident), None)
            if other is not None:
                yield Finding(
                    slug="name-alike",
                    span=player.source.at("name"),
                    message=f"the {kind} of {player.ident} looks like that of {other}",
                    help="let one of the two play under another, so that nobody takes them for each other",
                )
                break


class _Names:
    """What there is to be named in a game; each method judges one name.

    `revisions` has every (number, revision) that ever stood, and (number, -1) besides.
    """

    def __init__(self, records: Records, replay: Replay) -> None:
        self.records = records
        self.near = NearestNames()
        standing = {(rule.number, rule.revision) for rule in replay.ever()}
        self.revisions = standing | {(number, -1) for number, _ in standing}
        written = {one.number for one in records.of_kind("proposal")}
        self.proposals = written | set(records.settings.lost.proposals)
        self.turns = {*records.turns, *(path[6:-4] for path in records.withheld if path.startswith("turns/"))}

    def unknown(self, span: Span, message: str, known: Collection[str] = (), name: str = "") -> Finding:
        """That a name is of nothing; `known` are those that may be meant."""
        meant = self.near.to(name, known)
        remedy = f"did you mean {meant}?" if meant else "mend the name, or add what it names"
        return Finding(slug="reference-unknown", span=span, message=message, help=remedy)

    def tier(self, tier: str, span: Span) -> Iterator[Finding]:
        tiers = self.records.settings.tiers
        if tier not in tiers:
            yield self.unknown(span, f"{tier} is no tier of this game", tiers, tier)

    def section(self, section: str | None, source: Source) -> Iterator[Finding]:
        known = self.records.settings.sections
        if section is not None and known and section not in known:
            yield self.unknown(source.at("section"), f"{section} is no section of nomic.yml", known, section)

    def player(self, ident: PlayerId | None, source: Source, *path: str | int) -> Iterator[Finding]:
        players = self.records.players
        if ident is None or ident in players or f"players/{ident}.yml" in self.records.withheld:
            return
        span = source.key(*path) if "votes" in path else source.at(*path)  # voters are keys
        yield self.unknown(span, f"there is no players/{ident}.yml", players, ident)

    def awards(self, awards: list[Award] | None, source: Source) -> Iterator[Finding]:
        for index, award in enumerate(awards or ()):
            yield from self.player(award.player, source, "points", index, "player")

    def rule(self, reference: RuleRef, span: Span) -> Iterator[Finding]:
        revision = -1 if reference.revision is None else reference.revision
        if (reference.number, revision) not in self.revisions and not self.records.withheld:
            yield self.unknown(span, f"there never was a Rule {reference}")

    def instrument(self, instrument: Instrument) -> Iterator[Finding]:
        """Everything that an instrument names."""
        matter, source = instrument.matter, instrument.source
        for ident, path in _players_of(instrument):
            yield from self.player(ident, source, *path)
        if isinstance(instrument, Judgement):
            yield from self.judgement(instrument)
        elif isinstance(matter, ActMatter) and matter.by_rule is not None:
            yield from self.rule(RuleRef(matter.by_rule), source.at("by"))
        if not isinstance(matter, ProposalMatter) and matter.under is not None:
            yield from self.rule(RuleRef(matter.under), source.at("under"))
        if matter.turn is not None and self.records.turns and matter.turn not in self.turns:
            yield self.unknown(
                source.at("turn"), f"there is no turns/{matter.turn}.yml", self.records.turns, matter.turn
            )
        yield from self.awards(matter.points, source)
        for instruction in instrument.instructions:
            if instruction.block is not None and instruction.block_source is not None:
                yield from self.section(instruction.block.section, instruction.block_source)

    def judgement(self, judgement: Judgement) -> Iterator[Finding]:
        """What a judgement names besides players, its turn and the rule that it is under."""
        matter, source, withheld = judgement.matter, judgement.source, self.records.withheld
        by = matter.overruled_by
        if isinstance(by, int) and not {f"judgements/{by}.md"} & (self.records.instruments.keys() | withheld):
            yield self.unknown(source.at("overruled_by"), f"there is no judgement {by}")
        for index, reference in enumerate(matter.rules):
            yield from self.rule(reference, source.at("rules", index))
        for key, number in (("proposal", matter.proposal), ("voids", matter.voids)):
            if number is not None and number not in self.proposals and f"proposals/{number}.md" not in withheld:
                yield self.unknown(source.at(key), f"there is no proposal {number}")


def _players_of(instrument: Instrument) -> Iterator[tuple[PlayerId | None, tuple[str | int, ...]]]:
    """The players whom an instrument's keys name, each with the path that leads there."""
    matter = instrument.matter
    if isinstance(matter, ProposalMatter):
        yield matter.author, ("author",)
        lists: dict[str, Sequence[PlayerId]] = {"coauthors": matter.coauthors}
        for index, earlier in enumerate(matter.earlier or ()):
            yield from ((voter, ("earlier", index, "votes", voter)) for voter in earlier.votes)
    elif isinstance(matter, JudgementMatter):
        yield matter.called_by, ("called_by",)
        yield matter.judge, ("judge",)
        by = matter.overruled_by
        lists = {"late": matter.late, "overruled_by": by if isinstance(by, list) else ()}
    else:
        lists = {}
        if matter.by_rule is None:
            yield instrument.actor, ("by",)
    for key, idents in lists.items():
        yield from ((ident, (key, index)) for index, ident in enumerate(idents))
