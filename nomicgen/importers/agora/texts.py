"""The earlier texts of Agora's rules: what a repository held of each at each commit, and which
revision that was.

Pure: `importers/agora/repository.py` reads the repository. A file of a rule tells its history
beside its text, so what a text is of stands in the file itself.
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

_FOLDERS = ("rules_data/rules/", "rules/")
_NOT_RULES = frozenset({"index", "meta", "README"})
_NUMBER = r"[1-9][0-9]{0,8}"
_REVISION = r"[0-9]{1,6}"
_OLD_LINE = (
    r"""["']?(?:[Nn]ull-|[Ii]nfected and )?([A-Za-z-]+)(?:\(([0-9]+)\))?"""
    r".*?\bby (?:Proposal (\d+)|(\w+))"
)
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
_LISTED = r"(?m)^\s*- ([1-9][0-9]{0,8})\b"


class Seen(Struct, frozen=True, kw_only=True):
    """What a commit made of one file: its bytes, None where it took the file away."""

    path: str
    commit: str
    day: date | None
    data: bytes | None


class AgoraText(Struct, frozen=True, kw_only=True):
    """A text of a rule at a commit, its revision, and who or what gave it: `proposal 305`,
    `cleaning`.

    `name` and `power` are as the file says them, '' where it does not.
    """

    number: int
    text: str
    revision: int
    agent: str
    seen: Seen
    name: str = ""
    power: str = ""


At = tuple[int, int]
"""A rule's number in the data, and the index of a state of its history."""


def read_versions(seen: Iterable[Seen], data: Data) -> list[AgoraText]:
    """Return what the files of rules said at each commit, in the order of the commits."""
    versions = [version_of(one) for one in seen if one.data is not None and is_rule_path(one.path)]
    if unread := versions.count(None):
        message = f"{unread} versions of files hold no text of a rule that can be read"
        data.warn("text-unread", "rules", None, message, "they are left out")
    return [version for version in versions if version is not None]


def is_rule_path(path: str) -> bool:
    """Return whether a path of Agora's repository may be that of a rule's file."""
    return path.startswith(_FOLDERS) and PurePosixPath(path).name not in _NOT_RULES


def versions_of(
    versions: Iterable[AgoraText], histories: Sequence[AgoraHistory], data: Data
) -> dict[At, AgoraText]:
    """Return what rules are known to have been, each by its rule and state.

    Of several texts of one revision the last counts, unless it is already the next revision's. The
    others are odd.
    """
    by_rule = {history.rule.number: history for history in histories}
    placed: dict[At, list[AgoraText]] = defaultdict(list)
    loose: list[AgoraText] = []
    for version in versions:
        history = by_rule.get(version.number)
        at = _place(version, history) if history else None
        if at is None:
            loose.append(version)
        else:
            placed[version.number, at].append(version)
    for number, version in sorted(_place_loose_texts(loose, by_rule, placed).items()):
        message = f"a text of Rule {number} is of no revision that its history has"
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
    return {at: _chosen(at, by_rule[at[0]], placed, data) for at in sorted(placed)}


def _place_loose_texts(
    loose: Iterable[AgoraText],
    by_rule: Mapping[int, AgoraHistory],
    placed: dict[At, list[AgoraText]],
) -> dict[int, AgoraText]:
    """Add to `placed` texts whose cause no entry names, each to the entry of its revision, if that
    has none.

    Gives the first that is left of each rule.
    """
    known = frozenset(placed)
    left: dict[int, AgoraText] = {}
    for version in loose:
        history = by_rule.get(version.number)
        same = (
            [at for at in history.texts if history.states[at].revision == version.revision]
            if history
            else []
        )
        if len(same) == 1 and (version.number, same[0]) not in known:
            placed[version.number, same[0]].append(version)
        else:
            left.setdefault(version.number, version)
    return left


def days_left_out(seen: Iterable[Seen]) -> dict[int, date]:
    """Return the day on which an index first left out a rule that it had listed, by the rule's
    number; at 0, the day of the first index.
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
    at: At, history: AgoraHistory, placed: Mapping[At, Sequence[AgoraText]], data: Data
) -> AgoraText:
    later = {
        one.text for other in placed if other[0] == at[0] and other > at for one in placed[other]
    }
    kept = next((one for one in reversed(placed[at]) if one.text not in later), placed[at][-1])
    others = {one.text for one in placed[at]} - {kept.text} - later
    if others:
        message = (
            f"{len(others) + 1} texts of Rule {history.states[at[1]].ref} stand in the repository"
        )
        data.warn(
            "text-mended",
            kept.seen.path,
            None,
            message,
            "the last is taken",
            quote=kept.seen.commit[:12],
        )
    return kept


def version_of(seen: Seen) -> AgoraText | None:
    """Return what a version of a file says of a rule; None for what is no rule."""
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
    """Return the revision that a history leaves, and what gave the rule its text at the last."""
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
    """Return the index of the state that a text is of.

    Of the same cause and revision, or of the one or the other alone.
    """
    states = [(at, history.states[at]) for at in history.texts]
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
    if not isinstance(agent, Mapping) or len(agent) != 1:
        return ""
    ((kind, said),) = agent.items()
    return f"{kind} {said}" if isinstance(said, str) else str(kind)
