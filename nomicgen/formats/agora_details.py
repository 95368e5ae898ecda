"""What Agora's data say and no file of a ledger can, such as how a power is spelt: `agora.yml`, made and put in place.

It is a list of the differences between the data and what the ledger tells of them, so it is short where that is good.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nomicgen.formats.agora_data import AgoraData, Tree, file_trees

_MISSING = "(none)"
_PARTS = frozenset({"text", "history", "told", "annotations", "entries"})


def details_of(told: AgoraData, data: AgoraData) -> Tree:
    """The differences of the data from what the ledger tells; {} where there are none."""
    rules = {str(number): found for number, one in data.rules.items() if (found := _rule(told.rules.get(number), one))}
    names = (*data.proposals, *(name for name in told.proposals if name not in data.proposals))
    proposals = {
        name: found for name in names if (found := _keys(told.proposals.get(name, {}), data.proposals.get(name, {})))
    }
    index = [] if equivalent(told.index, data.index) else data.index
    return {key: value for key, value in (("rules", rules), ("proposals", proposals), ("index", index)) if value}


def with_details(told: AgoraData, details: Mapping[str, Any]) -> AgoraData:
    """What the ledger tells, with the details. What has changed since they were written is as the ledger has it."""
    rules, proposals = dict(told.rules), dict(told.proposals)
    for name, one in details.get("rules", {}).items():
        number = int(name)
        rules[number] = _detailed_rule(rules.get(number, {}), one)
    for name, one in details.get("proposals", {}).items():
        proposals[name] = _detailed(proposals.get(name, {}), one)
    index = _index(told.index, details.get("index", []))
    return AgoraData(rules=rules, proposals={name: one for name, one in proposals.items() if one}, index=index)


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
    ours, theirs = told.get("history", []), data.get("history", [])
    plain = {key: value for key, value in data.items() if key not in ("history", "annotations", "text")}
    found = _keys({key: value for key, value in told.items() if key not in ("history", "annotations", "text")}, plain)
    if told.get("text") != data.get("text"):
        found["text"] = data.get("text", "")
    if len(ours) == len(theirs):
        changed = {
            str(at): _keys(one, other)
            for at, (one, other) in enumerate(zip(ours, theirs, strict=True))
            if not equivalent(one, other)
        }
        found |= {"history": changed} if changed else {}
    else:
        found["told"] = theirs
    cases, others = told.get("annotations", []), data.get("annotations", [])
    if not equivalent(cases, others):
        order = [at for one in others for at, other in enumerate(cases) if equivalent(one, other)]
        found["annotations"] = (
            [str(at) for at in order]
            if sorted(order) == list(range(len(cases))) and len(order) == len(others)
            else others
        )
    return {**found, "entries": str(len(ours))} if found else {}


def _keys(told: Tree, data: Tree) -> Tree:
    """The keys that say something else, in the order of the data; what the data have not is `(none)`."""
    found = {key: value for key, value in data.items() if not equivalent(told.get(key), value)}
    return found | {key: _MISSING for key in told if key not in data}


def _detailed(told: Tree, details: Mapping[str, Any]) -> Tree:
    return {key: value for key, value in {**told, **details}.items() if value != _MISSING}


def _detailed_rule(told: Tree, details: Mapping[str, Any]) -> Tree:
    if not told:
        return dict(details)
    ours = told.get("history", [])
    covered = int(details.get("entries", 0))
    found = _detailed(told, {key: value for key, value in details.items() if key not in _PARTS})
    if "text" in details and len(ours) == covered:
        found["text"] = details["text"]
    if len(ours) != covered:
        found |= {key: told[key] for key in ("name", "power") if key in told}
    if "told" in details:
        found["history"] = [*details["told"], *ours[covered:]]
    else:
        changed = details.get("history", {})
        found["history"] = [
            _detailed(one, changed[str(at)]) if str(at) in changed else one for at, one in enumerate(ours)
        ]
    cases = told.get("annotations", [])
    given: Sequence[Any] = details.get("annotations", ())
    if given and isinstance(given[0], str):
        found["annotations"] = [cases[int(at)] for at in given if int(at) < len(cases)] + cases[len(given) :]
    elif given:
        found["annotations"] = list(given)
    order = {key: at for at, key in enumerate(("id", "name", "power", "text", "history", "annotations"))}
    return dict(sorted(found.items(), key=lambda item: order.get(item[0], -1)))


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
