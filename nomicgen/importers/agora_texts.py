"""The earlier texts of Agora's rules: what a repository held of each at each commit, and which revision that was.

Pure: `repository/agora_repository.py` reads the repository. A file of a rule tells its history beside its text, so
what a text is of stands in the file itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import PurePosixPath

from msgspec import Struct

from nomicgen.files.file_findings import Notes
from nomicgen.files.front_matter import Place, compose
from nomicgen.files.text_encoding import SIZE_LIMIT
from nomicgen.importers.agora_history import AgoraHistory
from nomicgen.importers.agora_read import Data, counted, plain_text
from nomicgen.patterns import lazy_pattern

INDEX = ("rules_data/config/index", "config/index")

_FOLDERS = ("rules_data/rules/", "rules/")
_NOT_RULES = frozenset({"index", "meta", "README"})
_NUMBER = lazy_pattern(r"[1-9][0-9]{0,8}")
_KEY = lazy_pattern(r"(?m)^([a-z]+):")
_ID = lazy_pattern(r"""(?m)^id:[ ]*["']?([1-9][0-9]{0,8})["']?[ ]*(?:#.*)?$""")
_REVISION = lazy_pattern(r"(?m)^rev:[ ]*([0-9]{1,6})[ ]*$")
_ITEM = lazy_pattern(r"(?m)^[ ]*- (?=change:|[A-Z\"'])")
_TYPE = lazy_pattern(r"""type:[ ]*["']?([a-z-]+)""")
_AGENT = lazy_pattern(r"""\n\s+agent:\s*\{?\s*([a-z-]+):(?:[ ]*["']?([0-9A-Za-z -]+?)["']?[ ]*(?:\}|\n|\Z))?""")
_OLD_LINE = lazy_pattern(
    r"""["']?(?:[Nn]ull-|[Ii]nfected and )?([A-Za-z-]+)(?:\(([0-9]+)\))?.*?\bby (?:Proposal (\d+)|(\w+))"""
)
_TEXTUAL = frozenset(
    {"enactment", "initial", "amendment", "infection-amendment", "null-amendment", "reenactment", "creation"}
)
_OLD_TEXTUAL = frozenset({"created", "enacted", "amended", "re-enacted", "reenacted"})
_LISTED = lazy_pattern(r"(?m)^\s*- ([1-9][0-9]{0,8})\b")


class Seen(Struct, frozen=True, kw_only=True):
    """What a commit made of one file: its bytes, None where it took the file away."""

    path: str
    commit: str
    day: date | None
    data: bytes | None


class Version(Struct, frozen=True, kw_only=True):
    """A text of a rule at a commit, its revision, and who or what gave it: `proposal 305`, `cleaning`.

    `name` and `power` are as the file says them, '' where it does not.
    """

    number: int
    text: str
    revision: int
    agent: str
    seen: Seen
    name: str = ""
    power: str = ""


def is_rule_path(path: str) -> bool:
    """Whether a path of Agora's repository may be that of a rule's file."""
    return path.startswith(_FOLDERS) and PurePosixPath(path).name not in _NOT_RULES


At = tuple[int, int]
"""A rule's number in the data, and the index of a state of its history."""


def versions_of(seen: Iterable[Seen], histories: Sequence[AgoraHistory], data: Data) -> dict[At, Version]:
    """What rules are known to have been, each by its rule and state.

    Of several texts of one revision the last counts, unless it is already the next revision's. The others are odd.
    """
    by_rule = {history.rule.number: history for history in histories}
    found: dict[int, dict[int, list[Version]]] = {}
    loose: list[Version] = []
    counts = {"read": 0, "unread": 0}
    for one in seen:
        if one.data is None or not is_rule_path(one.path):
            continue
        version = version_of(one)
        counts["unread" if version is None else "read"] += 1
        history = by_rule.get(version.number) if version else None
        at = _place(version, history) if version and history else None
        if version is None:
            continue
        if at is None:
            loose.append(version)
        else:
            found.setdefault(version.number, {}).setdefault(at, []).append(version)
    if counts["unread"]:
        message = f"{counts['unread']} versions of files hold no text of a rule that can be read"
        data.warn("text-unread", "rules", None, message, "they are left out")
    for number, version in sorted(_left(loose, by_rule, found).items()):
        message = f"a text of Rule {number} is of no revision that its history has"
        if number not in by_rule:
            message = f"the data has no Rule {number}, and the repository had texts of it"
        data.warn("text-strange", version.seen.path, None, message, "it is left out", quote=version.seen.commit[:12])
    return {
        (number, at): kept for number, states in found.items() for at, kept in _chosen(by_rule[number], states, data)
    }


def _left(
    loose: Iterable[Version], by_rule: Mapping[int, AgoraHistory], found: dict[int, dict[int, list[Version]]]
) -> dict[int, Version]:
    """Adds to `found` texts whose cause no entry names, each to the entry of its revision, if that has none; gives the
    first that is left of each rule.
    """
    known = {number: frozenset(states) for number, states in found.items()}
    left: dict[int, Version] = {}
    for one in loose:
        history = by_rule.get(one.number)
        counted_ = [at for at in history.texts if history.states[at].revision == one.revision] if history else []
        if len(counted_) == 1 and counted_[0] not in known.get(one.number, ()):
            found.setdefault(one.number, {}).setdefault(counted_[0], []).append(one)
        else:
            left.setdefault(one.number, one)
    return left


def left_of(seen: Iterable[Seen]) -> dict[int, date]:
    """The day from which an index has left out a rule that it listed before; at 0, that of the first index."""
    found: dict[int, date] = {}
    now: frozenset[int] = frozenset()
    for one in seen:
        if one.path not in INDEX or one.data is None or one.day is None:
            continue
        listed = frozenset(map(int, _LISTED.findall(one.data.decode("utf-8", "replace"))))
        found.setdefault(0, one.day)
        found |= dict.fromkeys(now - listed, one.day)
        now = listed
    return found


def _chosen(history: AgoraHistory, states: Mapping[int, list[Version]], data: Data) -> Iterator[tuple[int, Version]]:
    for at, versions in sorted(states.items()):
        later = {one.text for other, all_ in states.items() if other > at for one in all_}
        kept = next((one for one in reversed(versions) if one.text not in later), versions[-1])
        yield at, kept
        others = {one.text for one in versions} - {kept.text} - later
        if others:
            message = f"{len(others) + 1} texts of Rule {history.states[at].ref} stand in the repository"
            where = kept.seen
            data.warn("text-mended", where.path, None, message, "the last is taken", quote=where.commit[:12])


def version_of(seen: Seen) -> Version | None:
    """What a version of a file says of a rule; None for what is no rule."""
    if seen.data is None or len(seen.data) > SIZE_LIMIT:
        return None
    body = seen.data.decode("utf-8", "replace").replace("\r\n", "\n")
    body = body.removeprefix("---\n")
    parts = _parts(body)
    name = PurePosixPath(seen.path).name
    said = _ID.search(body)
    number = name if _NUMBER.fullmatch(name) else said[1] if said else None
    if number is None or "text" not in parts or "history" not in parts:
        return None
    read = compose(parts["text"], Notes(seen.path), Place(seen.path, 1))
    text = read.data.get("text") if read is not None and isinstance(read.data, Mapping) else None
    if not isinstance(text, str):
        return None
    revision, agent = _last(parts["history"])
    if (given := _REVISION.search(body)) is not None:
        revision = int(given[1])
    return Version(
        number=int(number),
        text=plain_text(text).strip("\n"),
        revision=revision,
        agent=agent,
        seen=seen,
        name=plain_text(_one(parts, "name")),
        power=_one(parts, "power"),
    )


def _one(parts: Mapping[str, str], key: str) -> str:
    """The words at a key, '' where there are none."""
    read = compose(parts[key], Notes(""), Place("", 1)) if key in parts else None
    said = read.data.get(key) if read is not None and isinstance(read.data, Mapping) else None
    return " ".join(said.split()) if isinstance(said, str) else ""


def _parts(body: str) -> dict[str, str]:
    """The lines of each key at the top level, with the key."""
    starts = [*_KEY.finditer(body)]
    ends = [*(one.start() for one in starts[1:]), len(body)]
    return {one[1]: body[one.start() : end] for one, end in zip(starts, ends, strict=False)}


def _last(history: str) -> tuple[int, str]:
    """The revision that a history leaves, and what gave the rule its text at the last."""
    revision, agent = 0, ""
    for entry in _ITEM.split(history)[1:]:
        kind = _TYPE.search(entry)
        if kind is None:
            old = _OLD_LINE.match(entry)
            if old is not None and old[1].casefold() in _OLD_TEXTUAL:
                revision = int(old[2]) if old[2] else revision
                agent = f"proposal {old[3]}" if old[3] else old[4].casefold()
        elif kind[1] in _TEXTUAL:
            by = _AGENT.search(entry)
            revision += counted(kind[1], {"uncounted": ""} if "uncounted" in entry else {})
            agent = " ".join(filter(None, by.groups())) if by else ""
    return revision, agent


def _place(version: Version, history: AgoraHistory) -> int | None:
    """The index of the state that a text is of: of the same cause and revision, or of the one or the other alone."""
    states = [(at, history.states[at]) for at in history.texts]
    caused = [at for at, one in states if one.entry is not None and _agent(one.entry.agent) == version.agent]
    counted_ = [at for at, one in states if one.revision == version.revision]
    both = [at for at in caused if at in counted_]
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
