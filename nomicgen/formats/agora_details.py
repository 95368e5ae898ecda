"""What Agora's data say and no file of a ledger can, such as how a power is spelt: `agora.yml`, made and put in place.

It is a list of the differences between the data and what the ledger tells of them, so it is short where that is good.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nomicgen.formats.agora_data import AgoraData, Tree, file_trees

_MISSING = "(none)"
_OF_NOW = ("name", "power", "text")


def details_of(told: AgoraData, data: AgoraData) -> Tree:
    """The differences of the data from what the ledger tells; {} where there are none."""
    rules = {
        str(number): found for number, rule in data.rules.items() if (found := _rule(told.rules.get(number), rule))
    }
    proposals = _difference(told.proposals, data.proposals)
    index = [] if equivalent(told.index, data.index) else data.index
    return {key: value for key, value in (("rules", rules), ("proposals", proposals), ("index", index)) if value}


def with_details(told: AgoraData, details: Mapping[str, Any]) -> AgoraData:
    """What the ledger tells, with the details. What has changed since they were written is as the ledger has it."""
    rules = dict(told.rules)
    for number, changes in details.get("rules", {}).items():
        rules[int(number)] = _detailed_rule(rules.get(int(number), {}), changes)
    proposals = _detailed(told.proposals, details.get("proposals", {}))
    return AgoraData(rules=rules, proposals=proposals, index=_index(told.index, details.get("index", [])))


def differences(one: AgoraData, other: AgoraData) -> list[str]:
    """The files of the data that do not say the same in two, by path."""
    ours, theirs = file_trees(one), file_trees(other)
    return [path for path in ours | theirs if not equivalent(ours.get(path), theirs.get(path))]


def equivalent(one: object, other: object) -> bool:
    """Whether two values say the same: lines may break elsewhere in all but a rule's text, which has its own key."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        exact = "history" in one and one.get("text") != other.get("text")
        return (
            not exact
            and one.keys() == other.keys()
            and all(equivalent(value, other[key]) for key, value in one.items())
        )
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(equivalent, one, other))
    if isinstance(one, str) and isinstance(other, str):
        return one == other or (one.split() == other.split() and "\n\n" not in one + other)
    return one == other


def _rule(told: Tree | None, data: Tree) -> Tree:
    """The details of a rule; `entries` is how many of its history they are of."""
    if told is None:
        return data
    found: Tree = _difference(told, data)
    if told.get("text") != data.get("text"):
        found["text"] = data.get("text", _MISSING)
    return {**found, "entries": str(len(told.get("history", [])))} if found else {}


def _difference(told: Any, data: Any) -> Any:
    """What must stand in place of what is told: the keys that say something else, `(none)` for those that the data
    have not; the items of a list as long, by their indices; else what the data have.
    """
    if isinstance(told, Mapping) and isinstance(data, Mapping):
        changed = {key: told.get(key) for key, value in data.items() if not equivalent(told.get(key), value)}
        gone = {key: _MISSING for key in told if key not in data}
        return {key: _difference(value, data[key]) for key, value in changed.items()} | gone
    if isinstance(told, list) and isinstance(data, list) and len(told) == len(data):
        pairs = enumerate(zip(told, data, strict=True))
        return {str(at): _difference(one, other) for at, (one, other) in pairs if not equivalent(one, other)}
    return data


def _detailed(told: Any, details: Any) -> Any:
    """What `_difference` was made for."""
    if isinstance(told, Mapping) and isinstance(details, Mapping):
        changed = {key: _detailed(told.get(key), value) for key, value in details.items()}
        return {key: value for key, value in {**told, **changed}.items() if value != _MISSING}
    if isinstance(told, list) and isinstance(details, Mapping):
        return [_detailed(one, details[str(at)]) if str(at) in details else one for at, one in enumerate(told)]
    return details


def _detailed_rule(told: Tree, details: Mapping[str, Any]) -> Tree:
    history = told.get("history", [])
    covered = int(details.get("entries", 0))
    outdated = _OF_NOW if told and len(history) != covered else ()
    found: Tree = _detailed(told, {key: details[key] for key in details if key not in ("entries", *outdated)})
    if isinstance(details.get("history"), list):
        found["history"] = [*details["history"], *history[covered:]]
    return found


def _index(told: list[Tree], given: list[Tree]) -> list[Tree]:
    """The index in the order that is given, without the rules that are gone, and with those that are new at the end."""
    where = {rule: one["name"] for one in told for rule in one["rules"]}
    found, listed = [], set()
    for one in given:
        rules = [rule for rule in one.get("rules", []) if where.get(rule) == one["name"]]
        rules += [rule for rule, name in where.items() if name == one["name"] and rule not in rules]
        found.append({**one, "rules": rules})
        listed.add(one["name"])
    return [*found, *(one for one in told if one["name"] not in listed)]
