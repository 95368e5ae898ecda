"""References in front matters: the players, turns, tiers, sections, rules and others that they name
must be there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgspec import Struct

from nomicgen.files.near_names import NearestNames
from nomicgen.law.replay.results import Replay
from nomicgen.model.findings import Finding
from nomicgen.model.records import Instrument, Records, Turn, turn_order
from nomicgen.model.values import RuleRef, Source

_Path = tuple[str | int, ...]
"""The keys and indexes that lead to a place in a front matter."""


class _Known(Struct, frozen=True):
    """The names of one kind of thing, such as players. `message` is about a name that is not among
    them, and `file` is the path that it would have.

    In both, `{}` stands for the name.
    """

    names: Collection[object]
    message: str
    file: str = ""


def check_names(records: Records, replay: Replay) -> Iterator[Finding]:
    """Yield each name in a front matter that nothing has."""
    known, near = _known(records, replay), NearestNames()
    for source, kind, name, path in _references(records):
        things = known.get(kind)
        if (
            things is None
            or name in things.names
            or (kind == "turn" and _is_archived(name, records, replay))
            or things.file.format(name) in records.withheld
        ):
            continue
        meant = (
            near.find(name, [str(other) for other in things.names])
            if isinstance(name, str)
            else None
        )
        yield Finding(
            slug="reference-unknown",
            span=source.key(*path) if "votes" in path else source.at(*path),  # voters are keys
            message=things.message.format(name),
            help=f"did you mean {meant}?" if meant else "correct the name, or add what it names",
        )


def _is_archived(turn: object, records: Records, replay: Replay) -> bool:
    """Return whether a turn comes before the first that is recorded, in a game that began as an
    archive, without provisions.
    """
    first = records.turns_in_order[0].order
    return not replay.initial.with_provisions and turn_order(str(turn)) < first


def _known(records: Records, replay: Replay) -> dict[str, _Known]:
    """Return the names that there are, by kind.

    A kind is left out if its names are not recorded in this game, or could not all be read.
    """
    settings = records.settings
    judgements = {judgement.number for judgement in records.of_kind("judgement")}
    proposals = {
        *(proposal.number for proposal in records.of_kind("proposal")),
        *settings.lost.proposals,
    }
    known = {
        "player": _Known(records.players.keys(), "there is no players/{}.yml", "players/{}.yml"),
        "tier": _Known(settings.tiers, "{} is no tier of this game"),
        "judgement": _Known(judgements, "there is no judgement {}", "judgements/{}.md"),
        "proposal": _Known(proposals, "there is no proposal {}", "proposals/{}.md"),
    }
    if records.turns:
        known["turn"] = _Known(records.turns.keys(), "there is no turns/{}.yml", "turns/{}.yml")
    if settings.sections:
        known["section"] = _Known(settings.sections.keys(), "{} is no section of nomic.yml")
    if not records.withheld:
        revisions = {(rule.number, rule.revision) for rule in replay.ever()}
        ever = {
            name
            for number, revision in revisions
            for name in (number, RuleRef(number), RuleRef(number, revision))
        }
        known["rule"] = _Known(ever, "there never was a Rule {}")
    return known


def _references(records: Records) -> Iterator[tuple[Source, str, object, _Path]]:
    """Yield every reference: its file, what kind of thing it names, such as `player`, the name, and
    its place in the front matter.
    """
    for group, tiers in records.settings.groups.items():
        for index, tier in enumerate(tiers):
            yield records.settings_source, "tier", tier, ("groups", group, index)
    files: tuple[Instrument | Turn, ...] = (*records.instruments.values(), *records.turns.values())
    for file in files:
        yield from ((file.source, *reference) for reference in file.matter.references())
    for keys, source in records.rule_keys():
        yield from ((source, *reference) for reference in keys.references())
