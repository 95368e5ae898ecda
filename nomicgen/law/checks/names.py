"""References of the front matters: players, turns, tiers, sections, rules and others that they name must be there."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from msgspec import Struct

from nomicgen.diagnostics import Finding
from nomicgen.law.checks.near import NearestNames
from nomicgen.law.replay_state import Replay
from nomicgen.model import ActMatter, Instrument, Matter, Records, RuleFile, RuleRef, Source, Turn

_Path = tuple[str | int, ...]
_KINDS = {
    **dict.fromkeys(("author", "by", "called_by", "coauthors", "judge", "late", "overruled_by", "player"), "player"),
    **dict.fromkeys(("proposal", "voids"), "proposal"),
    **dict.fromkeys(("rules", "under"), "rule"),
    "mutability": "tier",
    "section": "section",
    "turn": "turn",
}
"""What each key of a front matter names."""


class _Known(Struct, frozen=True):
    """The names of one kind of thing, what is wrong with another name, and the file that would bear it."""

    names: Collection[object]
    message: str
    file: str = ""


def check_names(records: Records, replay: Replay) -> Iterator[Finding]:
    """Every name that a front matter gives."""
    known, near = _known(records, replay), NearestNames()
    for source, kind, name, path in _references(records):
        things = known.get(kind)
        if things is None or name in things.names or things.file.format(name) in records.withheld:
            continue
        meant = near.to(name, [str(other) for other in things.names]) if isinstance(name, str) else None
        yield Finding(
            slug="reference-unknown",
            span=source.key(*path) if "votes" in path else source.at(*path),  # voters are keys
            message=things.message.format(name),
            help=f"did you mean {meant}?" if meant else "mend the name, or add what it names",
        )


def _known(records: Records, replay: Replay) -> dict[str, _Known]:
    """What there is to be named, by kind; without the kinds of which this game says nothing, or not all."""
    settings = records.settings
    judgements = {judgement.number for judgement in records.of_kind("judgement")}
    proposals = {*(proposal.number for proposal in records.of_kind("proposal")), *settings.lost.proposals}
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
        ever = {name for number, revision in revisions for name in (number, RuleRef(number), RuleRef(number, revision))}
        known["rule"] = _Known(ever, "there never was a Rule {}")
    return known


def _references(records: Records) -> Iterator[tuple[Source, str, object, _Path]]:
    """Every reference: the file in which it stands, what it is of, the name, and the path that leads to it."""
    for group, tiers in records.settings.groups.items():
        for index, tier in enumerate(tiers):
            yield records.settings_source, "tier", tier, ("groups", group, index)
    files: tuple[RuleFile | Instrument | Turn, ...]
    files = (*records.initial.values(), *records.instruments.values(), *records.turns.values())
    for file in files:
        yield from ((file.source, *reference) for reference in _names_in(file.matter))
    for instrument in records.instruments.values():
        for instruction in instrument.instructions:
            if instruction.block is not None and instruction.block_source is not None and instruction.block.section:
                yield instruction.block_source, "section", instruction.block.section, ("section",)


def _names_in(matter: Matter, path: _Path = ()) -> Iterator[tuple[str, object, _Path]]:
    """What the keys of a front matter name, also those in its lists and in tables within it."""
    for key, value in matter.entries().items():
        own = (*path, key)
        listed = isinstance(value, list)
        for place, name in [((*own, index), one) for index, one in enumerate(value)] if listed else [(own, value)]:
            if isinstance(name, Matter):
                yield from _names_in(name, place)
            elif path and key == "votes":
                yield from (("player", voter, (*place, voter)) for voter in name)
            elif key in _KINDS and name is not None and not (path and key == "under"):  # an award is judged by its rule
                yield (*_reference(matter, key, name), place)


def _reference(matter: Matter, key: str, name: Any) -> tuple[str, object]:
    """What a name is of, and the name. A rule may act by itself, and one judgement overrule another."""
    if key == "by" and isinstance(matter, ActMatter) and matter.by_rule is not None:
        return "rule", matter.by_rule
    return "judgement" if key == "overruled_by" and isinstance(name, int) else _KINDS[key], name
