"""The earlier texts of Agora's rules: what a repository held of each at each commit, and which
revision that was.

A rule's file has the rule's history beside its text, so it says itself which revision the text is.
Nothing here reads the repository: `repository.py` does.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct

from nomicgen.files.file_findings import Notes
from nomicgen.files.front_matter import YamlPlace, compose
from nomicgen.files.text_encoding import SIZE_LIMIT
from nomicgen.importers.agora.history import AgoraHistory
from nomicgen.importers.agora.read import Data, counts_as_revision, in_words, plain_text

INDEX = ("rules_data/config/index", "config/index")
"""Where the index has stood in Agora's repository."""

_FOLDERS = ("rules_data/rules/", "rules/")
"""Where the files of rules have stood there."""
_NOT_RULES = frozenset({"index", "meta", "README"})
"""Names in the folders of rules that are no rules' files."""
_NUMBER = r"[1-9][0-9]{0,8}"
_REVISION = r"[0-9]{1,6}"
_OLD_LINE = (
    r"""["']?(?:[Nn]ull-|[Ii]nfected and )?([A-Za-z-]+)(?:\(([0-9]+)\))?"""
    r".*?\bby (?:Proposal (\d+)|(\w+))"
)
"""A line of a history as old files have it: `Amended(1) by Proposal 3740 (Steve), May 8 1998`."""
_TEXTUAL = frozenset(
    {
        "enactment",
        "initial",
        "amendment",
        "infection-amendment",
        "null-amendment",
        "reenactment",
        "creation",
    }
)
_OLD_TEXTUAL = frozenset({"created", "enacted", "amended", "re-enacted", "reenacted"})
"""Kinds of changes that give a rule a text, and the same in old lines."""
_LISTED = r"(?m)^\s*- ([1-9][0-9]{0,8})\b"
"""The line of a rule in an index."""


class Seen(Struct, frozen=True, kw_only=True):
    """A file as a commit left it: its bytes, None where the commit took it away."""

    path: str
    commit: str
    day: date | None
    data: bytes | None


class AgoraText(Struct, frozen=True, kw_only=True):
    """A text of a rule at a commit, its revision, and the `agent` that gave it, such as `proposal
    305` or `cleaning`.

    `name` and `power` are as the file says them, '' where it does not.
    """

    number: int
    text: str
    revision: int
    agent: str
    seen: Seen
    name: str = ""
    power: str = ""


StateKey = tuple[int, int]
"""A rule's number in the data, and the index of a state of its history."""


def read_versions(seen: Iterable[Seen], data: Data) -> list[AgoraText]:
    """Return what the files of rules said at each commit, in the order of the commits."""
    versions = [_version_of(one) for one in seen if one.data is not None and is_rule_path(one.path)]
    if unread := versions.count(None):
        message = f"{unread} versions of files hold no text of a rule that can be read"
        data.warn("text-unread", "rules", None, message, "they are left out")
    return [version for version in versions if version is not None]


def is_rule_path(path: str) -> bool:
    """Return whether a path of Agora's repository may be that of a rule's file."""
    return path.startswith(_FOLDERS) and PurePosixPath(path).name not in _NOT_RULES


def versions_of(
    versions: Iterable[AgoraText], histories: Sequence[AgoraHistory], data: Data
) -> dict[StateKey, AgoraText]:
    """Return the text that each state of a rule had, as far as the repository shows it.

    Of several texts of one state, the last counts, or rather the last that no later state of the
    rule has as well. There is a warning if others go that no later state has.
    """
    by_rule = {history.rule.number: history for history in histories}
    placed: dict[StateKey, list[AgoraText]] = defaultdict(list)
    loose: list[AgoraText] = []
    for version in versions:
        history = by_rule.get(version.number)
        at = _place(version, history) if history else None
        if at is None:
            loose.append(version)
        else:
            placed[version.number, at].append(version)
    for number, version in sorted(_place_loose_texts(loose, by_rule, placed).items()):
        message = f"a text of Rule {number} belongs to no revision in its history"
        if number not in by_rule:
            message = f"the data has no Rule {number}, and the repository had texts of it"
        data.warn(
            "text-strange",
            version.seen.path,
            None,
            message,
            "it is left out",
            quote=version.seen.commit[:12],
        )
    return {key: _chosen(key, by_rule[key[0]], placed, data) for key in sorted(placed)}


def _place_loose_texts(
    loose: Iterable[AgoraText],
    by_rule: Mapping[int, AgoraHistory],
    placed: dict[StateKey, list[AgoraText]],
) -> dict[int, AgoraText]:
    """Add to `placed` the `loose` texts, which fit no entry by their agent: each to the only state
    of its revision, if that had no text before.

    Return the first text of each rule that has no place even so.
    """
    known = frozenset(placed)
    left: dict[int, AgoraText] = {}
    for version in loose:
        history = by_rule.get(version.number)
        same = (
            [at for at in history.text_states if history.states[at].revision == version.revision]
            if history
            else []
        )
        if len(same) == 1 and (version.number, same[0]) not in known:
            placed[version.number, same[0]].append(version)
        else:
            left.setdefault(version.number, version)
    return left


def days_left_out(seen: Iterable[Seen]) -> dict[int, date]:
    """Return by rule the day on which an index last ceased to list it; at 0, for rules that no
    index listed, the day of the first index.
    """
    days: dict[int, date] = {}
    now: frozenset[int] = frozenset()
    for one in seen:
        if one.path not in INDEX or one.data is None or one.day is None:
            continue
        listed = frozenset(map(int, re.findall(_LISTED, one.data.decode("utf-8", "replace"))))
        days.setdefault(0, one.day)
        days |= dict.fromkeys(now - listed, one.day)
        now = listed
    return days


def _chosen(
    key: StateKey, history: AgoraHistory, placed: Mapping[StateKey, Sequence[AgoraText]], data: Data
) -> AgoraText:
    """Return the text of a state that counts, of those placed there; warn if others are dropped."""
    number, at = key
    later = {
        one.text
        for other in placed
        if other[0] == number and other[1] > at
        for one in placed[other]
    }
    kept = next((one for one in reversed(placed[key]) if one.text not in later), placed[key][-1])
    others = {one.text for one in placed[key]} - {kept.text} - later
    if others:
        message = f"the repository has {len(others) + 1} texts of Rule {history.states[at].ref}"
        data.warn(
            "text-mended",
            kept.seen.path,
            None,
            message,
            "the last is taken",
            quote=kept.seen.commit[:12],
        )
    return kept


def _version_of(seen: Seen) -> AgoraText | None:
    """Return what a version of a file says of a rule; None if it is no rule that can be read."""
    if seen.data is None or len(seen.data) > SIZE_LIMIT:
        return None
    body = seen.data.decode("utf-8", "replace").replace("\r\n", "\n").removeprefix("---\n")
    read = compose(body, Notes(seen.path), YamlPlace(seen.path, 1))
    rule: Mapping[str, Any] = read.data if read is not None else {}
    name = PurePosixPath(seen.path).name
    number = name if re.fullmatch(_NUMBER, name) else rule.get("id")
    text, history = rule.get("text"), rule.get("history")
    if not isinstance(number, str) or not isinstance(text, str) or not isinstance(history, list):
        return None
    if not re.fullmatch(_NUMBER, number):
        return None
    revision, agent = _last(history)
    told = in_words(rule.get("rev", ""))
    return AgoraText(
        number=int(number),
        text=plain_text(text).strip("\n"),
        revision=int(told) if re.fullmatch(_REVISION, told) else revision,
        agent=agent,
        seen=seen,
        name=plain_text(in_words(rule.get("name") or "")),
        power=in_words(rule.get("power") or ""),
    )


def _last(history: Sequence[object]) -> tuple[int, str]:
    """Return the revision at which a history ends, and the agent that last gave the rule a text."""
    revision, agent = 0, ""
    for entry in history:
        if isinstance(entry, Mapping):
            change = entry.get("change")
            if isinstance(change, Mapping) and change.get("type") in _TEXTUAL:
                revision += counts_as_revision(change["type"], change)
                agent = _agent(entry.get("agent"))
        elif (old := re.match(_OLD_LINE, str(entry))) is not None and old[
            1
        ].casefold() in _OLD_TEXTUAL:
            revision = int(old[2]) if old[2] else revision
            agent = f"proposal {old[3]}" if old[3] else old[4].casefold()
    return revision, agent


def _place(version: AgoraText, history: AgoraHistory) -> int | None:
    """Return the index of the state that a text is of: with the same agent and revision; if there
    is none, and the agent is a proposal, with the same agent and the nearest revision; else None.
    """
    states = [(at, history.states[at]) for at in history.text_states]
    caused = [
        at
        for at, one in states
        if one.entry is not None and _agent(one.entry.agent) == version.agent
    ]
    both = [at for at in caused if history.states[at].revision == version.revision]
    if both:
        return both[-1]
    if version.agent.startswith("proposal ") and caused:
        return min(caused, key=lambda at: abs(history.states[at].revision - version.revision))
    return None


def _agent(agent: object) -> str:
    """Return an agent for comparison, such as `proposal 305` or `cleaning`; '' for an odd one."""
    if not isinstance(agent, Mapping) or len(agent) != 1:
        return ""
    ((kind, said),) = agent.items()
    return f"{kind} {said}" if isinstance(said, str) else str(kind)
