"""Agora's rules data, as a game's ledger tells them: what `import agora` reads, made of the game again.

What no file of the ledger can say stands in `agora.yml`, and `formats/agora_details.py` puts it in its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from nomicgen.history.rule_history import Histories, HistoryEntry, RuleHistory
from nomicgen.model.identifiers import PlayerId
from nomicgen.model import ActMatter, Instrument, Moment, ProposalMatter, Records
from nomicgen.patterns import lazy_pattern

Tree = dict[str, Any]
"""Keys of Agora's data: texts, lists of them, and such keys again."""

_AROUND = lazy_pattern(r"around (.+)")
_BETWEEN = lazy_pattern(r"between (.+) and (.+)")
_KNOWN = lazy_pattern(r"(power|omnipotent|chamber|disinterested): ([^;]+)")
_CALLED = lazy_pattern(r"called on ([0-9-]+);")
_RULE = lazy_pattern(r"Rule ([1-9][0-9]*)")
_PROPOSAL = lazy_pattern(r"Proposal (.+)")
_INDEX = ("Left out of the index", "Listed in the index")
_TYPES = {
    "enact": "enactment",
    "amend": "amendment",
    "transmute": "power-change",
    "retitle": "retitling",
    "repeal": "repeal",
    "renumber": "renumbering",
    "mark": "mark",
}


class AgoraData(Struct, kw_only=True):
    """The data: rules by number, proposals by name, and the index; each as its file has it, every scalar a text."""

    rules: dict[int, Tree] = {}
    proposals: dict[str, Tree] = {}
    index: list[Tree] = []


def file_trees(data: AgoraData) -> dict[str, object]:
    """What stands in each file of the data, by its path."""
    trees: dict[str, object] = {f"rules/{number}": rule for number, rule in sorted(data.rules.items())}
    # What is no name of a file cannot have been one.
    names = (name for name in data.proposals if "/" not in name and name not in ("", ".", "..") and "\0" not in name)
    trees |= {f"proposals/{name}": data.proposals[name] for name in names}
    return {**trees, "config/index": data.index}


def agora_data(records: Records, histories: Histories) -> AgoraData:
    """What the ledger tells. A rule's number is the last that it bore."""
    names = {ident: player.matter.name for ident, player in records.players.items()}
    data = AgoraData()
    cases = _cases(records)
    for number in histories.bearers:
        history = histories.of_number(number)
        if history is not None and history.last.number == number:
            data.rules[number] = _rule(history, names, cases.get(number, []))
    for proposal in records.of_kind("proposal"):
        if proposal.matter.number is not None and proposal.matter.status == "adopted":
            data.proposals[str(proposal.matter.number)] = _proposal(proposal.matter, names)
    data.index = _index(records, histories)
    return data


def _index(records: Records, histories: Histories) -> list[Tree]:
    """The rules in force by their sections, in the order of nomic.yml; those of none come last."""
    listed: dict[str, list[str]] = {name: [] for name in records.settings.sections}
    current = (history.current for history in histories.rules.values())
    for rule in sorted((rule for rule in current if rule is not None), key=lambda rule: rule.number):
        listed.setdefault(rule.section or "", []).append(str(rule.number))
    unnamed = listed.pop("", [])
    index = [
        {"name": name, "note": records.settings.sections.get(name, name), "rules": rules}
        for name, rules in listed.items()
    ]
    return [*index, {"name": "Rules", "note": "Rules of no section.", "rules": unnamed}] if unnamed else index


def power_of_tier(tier: str) -> str:
    """The power that a tier is called after: `power-1-7` is 1.7. A mutability stays what it is."""
    return tier.removeprefix("power-").replace("-", ".")


def _rule(history: RuleHistory, names: Mapping[PlayerId, str], cases: list[Tree]) -> Tree:
    last = history.last
    rule: Tree = {
        "id": str(last.number),
        "name": last.title,
        "power": power_of_tier(last.tier),
        "text": last.text,
        "history": list(_history(history, names)),
        "annotations": cases,
    }
    return {key: value for key, value in rule.items() if value}


def _history(history: RuleHistory, names: Mapping[PlayerId, str]) -> Iterator[Tree]:
    before: HistoryEntry | None = None
    for entry in history.entries:
        instrument = entry.instrument
        if instrument is not None and isinstance(instrument.matter, ActMatter) and instrument.matter.cause in _INDEX:
            continue
        tree: Tree = {"change": _change(entry, before), "date": _date(entry.decided)}
        agent = _agent(instrument, names) if instrument is not None else None
        yield {**tree, "agent": agent} if agent else tree
        before = entry


def _change(entry: HistoryEntry, before: HistoryEntry | None) -> Tree:
    if before is None and entry.verb == "initial":
        return {"type": "initial", "mutability": entry.rule.tier, "id": str(entry.rule.number)}
    if entry.verb == "enact" and before is not None:
        return {"type": "reenactment"}
    tree: Tree = {"type": _TYPES[entry.verb]}
    change = entry.change
    if entry.verb == "transmute" and change is not None and change.before is not None:
        old, new = power_of_tier(change.before.tier), power_of_tier(entry.rule.tier)
        tree |= {"old-power": old, "new-power": new}
    return tree


def _date(moment: Moment | None) -> str | Tree:
    """A date as the data have it; no other form of an inexact one is theirs."""
    if moment is None:
        return "unknown"
    if (between := _BETWEEN.fullmatch(moment.words)) is not None:
        return {"between": between[1], "and": between[2]}
    around = _AROUND.fullmatch(moment.words)
    return {"around": around[1]} if around is not None else "unknown" if moment.words else str(moment.day)


def _agent(instrument: Instrument, names: Mapping[PlayerId, str]) -> Tree | None:
    """Who or what made a change, as the data have it; of what else its data know, agora.yml has their words."""
    matter = instrument.matter
    if isinstance(matter, ProposalMatter):
        return {"proposal": str(matter.number)}
    if not isinstance(matter, ActMatter):
        return {"judgement": instrument.name}
    if (rule := _RULE.fullmatch(matter.cause)) is not None:
        return {"rule": rule[1]}
    if (proposal := _PROPOSAL.fullmatch(matter.cause)) is not None:
        return {"proposal": proposal[1]}
    if matter.cause in ("Cleaning", "Refiling"):
        return {matter.cause.lower(): {"by": names.get(PlayerId(matter.by), matter.by) if matter.by else ""}}
    return {"person": matter.cause}


def _proposal(matter: ProposalMatter, names: Mapping[PlayerId, str]) -> Tree:
    tree: Tree = {"id": str(matter.number), "title": matter.title}
    tree["author"] = names.get(matter.author, matter.author) if matter.author else None
    tree["coauthors"] = [names.get(player, player) for player in matter.coauthors]
    tree |= dict(_KNOWN.findall(matter.note or ""))
    return {key: value for key, value in tree.items() if value}


def _cases(records: Records) -> dict[int, list[Tree]]:
    """The annotations of each rule, in the order of the judgements."""
    cases: dict[int, list[Tree]] = {}
    for judgement in records.of_kind("judgement"):
        matter = judgement.matter
        if matter.status != "upheld":
            continue
        called = _CALLED.match(matter.note or "")
        case: Tree = {"id": str(matter.number)}
        case |= {"called": called[1]} if called is not None else {}
        for rule in matter.rules:
            cases.setdefault(rule.number, []).append({"cfjs": [case], "text": judgement.ruling or ""})
    return cases
