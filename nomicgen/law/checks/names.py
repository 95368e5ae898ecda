"""References of the front matters: people, turns, tiers, sections, rules and proposals that they name must be there."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Sequence

from msgspec import Struct

from nomicgen.diagnostics import Finding
from nomicgen.law.checks.near import Near
from nomicgen.law.electorate import are_together, has_left
from nomicgen.law.look_alikes import looks
from nomicgen.law.replay_state import Replay
from nomicgen.law.voting_rights import is_player
from nomicgen.model import (
    Award,
    Instrument,
    JudgementMatter,
    Moment,
    Player,
    ProposalMatter,
    Records,
    RuleFile,
    RuleRef,
    Source,
    Span,
    bare_key,
)


def check_names(records: Records, replay: Replay) -> Iterator[Finding]:
    """Every name that a front matter gives."""
    near = Near()
    for one in _checked(records, replay):
        yield one if isinstance(one, Finding) else one.told(near)


class _Unknown(Struct, frozen=True):
    """A name of nothing; `known` are those that may be meant."""

    span: Span
    message: str
    known: Collection[str] = ()
    said: str = ""

    def told(self, near: Near) -> Finding:
        meant = near.to(self.said, self.known)
        remedy = f"did you mean {meant}?" if meant else "mend the name, or add what it names"
        return Finding(slug="reference-unknown", span=self.span, message=self.message, help=remedy)


_Said = Finding | _Unknown


def _checked(records: Records, replay: Replay) -> Iterator[_Said]:
    known = _Known.of(records, replay)
    yield from _groups(records)
    for file in records.initial.values():
        yield from _initial(file, records)
    for instrument in records.instruments.values():
        yield from _instrument(instrument, records, known)
    playing = [one for one in records.players.values() if is_player(one, replay.until)]
    yield from _accounts(playing)
    yield from _keys(playing)
    doubled = _doubled(records.players.values(), replay.until)
    yield from doubled.values()
    yield from _alike(playing, doubled)
    for turn in records.turns.values():
        yield from _player(turn.matter.player, turn.source, records, "player")
        yield from _awards(turn.matter.points, turn.source, records)


def _accounts(playing: Sequence[Player]) -> Iterator[_Said]:
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


def _keys(playing: Sequence[Player]) -> Iterator[_Said]:
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


def _alike(playing: Sequence[Player], doubled: Container[str]) -> Iterator[_Said]:
    """Of two who play, either may be taken for the other where their names or their ids look the same.

    Of the names of those who are `doubled` more is said already.
    """
    known: dict[tuple[str, int, str], str] = {}
    for player in playing:
        for kind, text in (("name", player.matter.name), ("id", player.ident)):
            if kind == "name" and player.ident in doubled:
                continue
            others = [known.setdefault((kind, way, look), player.ident) for way, look in enumerate(looks(text))]
            other = next((one for one in others if one != player.ident), None)
            if other is not None:
                yield Finding(
                    slug="name-alike",
                    span=player.source.at("name"),
                    message=f"the {kind} of {player.ident} looks like that of {other}",
                    help="let one of the two play under another, so that nobody takes them for each other",
                )
                break


class _Known(Struct, frozen=True):
    """What there is to be named. `revisions` has every (number, revision) that ever stood, and (number, -1) besides."""

    revisions: frozenset[tuple[int, int]]
    proposals: frozenset[int | None]
    turns: frozenset[str]

    @classmethod
    def of(cls, records: Records, replay: Replay) -> _Known:
        standing = {(rule.number, rule.revision) for rule in replay.ever()}
        written = {one.number for one in records.instruments.values() if one.kind == "proposal"}
        withheld = (path[6:-4] for path in records.withheld if path.startswith("turns/"))
        return cls(
            revisions=frozenset(standing | {(number, -1) for number, _ in standing}),
            proposals=frozenset(written | set(records.settings.lost.proposals)),
            turns=frozenset((*records.turns, *withheld)),
        )


def _groups(records: Records) -> Iterator[_Said]:
    settings = records.settings
    for name, tiers in settings.groups.items():
        for at, tier in enumerate(tiers):
            if tier not in settings.tiers:
                span = records.settings_source.at("groups", name, at)
                yield _Unknown(span, f"{tier} is no tier of this game", settings.tiers, tier)


def _initial(file: RuleFile, records: Records) -> Iterator[_Said]:
    tiers, tier = records.settings.tiers, file.matter.mutability
    if tier not in tiers:
        yield _Unknown(file.source.at("mutability"), f"{tier} is no tier of this game", tiers, tier)
    yield from _section(file.matter.section, file.source, records)


def _section(section: str | None, source: Source, records: Records) -> Iterator[_Said]:
    known = records.settings.sections
    if section is not None and known and section not in known:
        yield _Unknown(source.at("section"), f"{section} is no section of nomic.yml", known, section)


def _instrument(instrument: Instrument, records: Records, known: _Known) -> Iterator[_Said]:
    matter, source = instrument.matter, instrument.source
    if isinstance(matter, ProposalMatter):
        yield from _player(matter.author, source, records, "author")
        for index, one in enumerate(matter.coauthors):
            yield from _player(one, source, records, "coauthors", index)
        yield from _earlier(matter, source, records)
    elif isinstance(matter, JudgementMatter):
        yield from _judgement(matter, source, records, known)
    elif matter.by_rule is not None:
        yield from _rule(RuleRef(matter.by_rule), source.at("by"), records, known)
    else:
        yield from _player(matter.by, source, records, "by")
    if not isinstance(matter, ProposalMatter) and matter.under is not None:
        yield from _rule(RuleRef(matter.under), source.at("under"), records, known)
    if matter.turn is not None and records.turns and matter.turn not in known.turns:
        yield _Unknown(source.at("turn"), f"there is no turns/{matter.turn}.yml", records.turns, matter.turn)
    yield from _awards(matter.points, source, records)
    for instruction in instrument.instructions:
        if instruction.block is not None and instruction.block_source is not None:
            yield from _section(instruction.block.section, instruction.block_source, records)


def _judgement(matter: JudgementMatter, source: Source, records: Records, known: _Known) -> Iterator[_Said]:
    yield from _player(matter.called_by, source, records, "called_by")
    yield from _player(matter.judge, source, records, "judge")
    for index, late in enumerate(matter.late):
        yield from _player(late, source, records, "late", index)
    by = matter.overruled_by
    for index, ident in enumerate(by if isinstance(by, list) else ()):
        yield from _player(ident, source, records, "overruled_by", index)
    if isinstance(by, int) and not {f"judgements/{by}.md"} & (records.instruments.keys() | records.withheld):
        yield _Unknown(source.at("overruled_by"), f"there is no judgement {by}")
    for index, reference in enumerate(matter.rules):
        yield from _rule(reference, source.at("rules", index), records, known)
    for key, number in (("proposal", matter.proposal), ("voids", matter.voids)):
        withheld = f"proposals/{number}.md" in records.withheld
        if number is not None and number not in known.proposals and not withheld:
            yield _Unknown(source.at(key), f"there is no proposal {number}")


def _earlier(matter: ProposalMatter, source: Source, records: Records) -> Iterator[_Said]:
    for index, earlier in enumerate(matter.earlier or ()):
        for voter in earlier.votes:
            if _is_strange(voter, records):
                yield _stranger(voter, source.key("earlier", index, "votes", voter), records)


def _awards(awards: list[Award] | None, source: Source, records: Records) -> Iterator[_Said]:
    for index, award in enumerate(awards or ()):
        yield from _player(award.player, source, records, "points", index, "player")


def _player(ident: str | None, source: Source, records: Records, *path: str | int) -> Iterator[_Said]:
    if ident is not None and _is_strange(ident, records):
        yield _stranger(ident, source.at(*path), records)


def _is_strange(ident: str, records: Records) -> bool:
    return ident not in records.players and f"players/{ident}.yml" not in records.withheld


def _stranger(ident: str, span: Span, records: Records) -> _Unknown:
    return _Unknown(span, f"there is no players/{ident}.yml", records.players, ident)


def _rule(reference: RuleRef, span: Span, records: Records, known: _Known) -> Iterator[_Said]:
    revision = -1 if reference.revision is None else reference.revision
    if (reference.number, revision) not in known.revisions and not records.withheld:
        yield _Unknown(span, f"there never was a Rule {reference}")
