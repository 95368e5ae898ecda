"""References of the front matters: players, turns, tiers, sections, rules and others that they name must be there."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgspec import Struct

from nomicgen.model.findings import Finding
from nomicgen.law.near_names import NearestNames
from nomicgen.law.replay.state import Replay
from nomicgen.model import ActMatter, Instrument, Matter, Records, RuleMatter, RuleRef, Source, Turn

_Path = tuple[str | int, ...]
_KINDS = {
    **dict.fromkeys(("author", "by", "called_by", "coauthors", "judge", "late", "overruled_by", "player"), "player"),
    **dict.fromkeys(("proposal", "voids"), "proposal"),
    **dict.fromkeys(("rules", "under"), "rule"),
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
            help=f"did you mean {meant}?" if meant else "correct the name, or add what it names",
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
    files: tuple[Instrument | Turn, ...] = (*records.instruments.values(), *records.turns.values())
    for file in files:
        yield from ((file.source, *reference) for reference in _names_in(file.matter))
    for keys, source in records.rule_keys():
        if isinstance(keys, RuleMatter):
            yield source, "tier", keys.mutability, ("mutability",)
        if keys.section is not None:
            yield source, "section", keys.section, ("section",)


def _names_in(matter: Matter) -> Iterator[tuple[str, object, _Path]]:
    """What the keys of a front matter name. A rule may act by itself, and one judgement overrule another."""
    for path, value in matter.leaves():
        key = next(step for step in reversed(path) if isinstance(step, str))
        if path[0] == "earlier" and key == "vote":
            yield "player", path[-2], path[:-1]
        elif key == "by" and isinstance(matter, ActMatter) and matter.by_rule is not None:
            yield "rule", matter.by_rule, path
        elif key == "overruled_by" and isinstance(value, int):
            yield "judgement", value, path
        elif key in _KINDS and (key != "under" or path == ("under",)):  # what points are under is judged with them
            yield _KINDS[key], value, path
