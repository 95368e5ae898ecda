"""Agora's rules data (`rules/N`, `proposals/N`, `config/index`), read: what each rule, proposal and category says.

Every scalar is its source text, so that a day that does not exist is what it says. Nothing here judges a history.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from msgspec import Struct, field

from nomicgen.diagnostics import Finding
from nomicgen.files.file_findings import Notes
from nomicgen.files.front_matter import Composed, Place, compose
from nomicgen.files.text_encoding import CONTROLS, HEAP, SIZE_LIMIT, heaps_of_marks
from nomicgen.importers.agora_dates import When, day_of
from nomicgen.importers.import_report import ArchiveWarning, ArchiveWarnings
from nomicgen.model import Span
from nomicgen.patterns import lazy_pattern

Raw = Mapping[str, Any]

_NUMBER = lazy_pattern(r"[1-9][0-9]{0,8}")
_WANTED = frozenset(f"config/{name}" for name in ("index", "names", "header", "flr_format", "slr_format"))
_COUNTED = ("amendment", "reenactment", "infection-amendment", "null-amendment")
_ENTRY_KEYS = frozenset({"change", "date", "agent"})
_RULE_KEYS = frozenset({"id", "name", "power", "text", "history", "annotations", "asciiart"})


class AgoraEntry(Struct, frozen=True, kw_only=True):
    """One entry of a rule's history; `change` are the keys besides `type`, `more` those besides the three known ones.

    `agent` is as it stands: a mapping, a text, or None where there is none.
    """

    path: str
    line: int
    kind: str
    change: Mapping[str, str]
    when: When
    agent: object = None
    more: Mapping[str, str] = {}

    @property
    def counts(self) -> bool:
        """Whether the change counts towards the revision number, as Agora's own report counts."""
        return counted(self.kind, self.change)

    @property
    def keeps_text(self) -> bool:
        """Whether the rule has the same text before and after, though the entry is of those that give one."""
        return self.kind == "null-amendment" or (isinstance(self.agent, Mapping) and "index" in self.agent)


def counted(kind: str, change: Mapping[str, str]) -> bool:
    """Whether a change of a kind counts towards the revision number, as Agora's own report counts."""
    return kind in _COUNTED and "uncounted" not in change


class Annotation(Struct, frozen=True, kw_only=True):
    """A note on a rule from calls for judgement: (id, day called) of each, and what they said."""

    path: str
    line: int
    cases: tuple[tuple[str, When], ...]
    text: str


class RuleData(Struct, frozen=True, kw_only=True):
    """One rule."""

    number: int
    path: str
    name: str
    power: str | None
    text: str
    drawn: bool
    history: tuple[AgoraEntry, ...]
    annotations: tuple[Annotation, ...]
    more: Mapping[str, str] = {}


class Proposal(Struct, frozen=True, kw_only=True):
    """What is known of a proposal besides what it did."""

    name: str
    title: str | None
    author: str | None
    coauthors: tuple[str, ...]
    more: Mapping[str, str]


class Category(Struct, frozen=True, kw_only=True):
    """A section of the ruleset."""

    name: str
    note: str
    rules: tuple[int, ...]


class Data(Struct, kw_only=True):
    """All that was read; `warnings` and `findings` grow as it is judged.

    `left` gives the first day on which an index is known to leave a rule out, that of a rule which none had at 0;
    `raw` is what each file says, by its path.
    """

    rules: dict[int, RuleData] = {}
    proposals: dict[str, Proposal] = {}
    categories: list[Category] = []
    left: Mapping[int, date] = {}
    raw: dict[str, object] = {}
    warnings: ArchiveWarnings = field(default_factory=ArchiveWarnings)
    findings: list[Finding] = []

    def warn(
        self, slug: str, path: str, line: int | None, message: str, made: str, *, quote: str = "", open_: bool = False
    ) -> None:
        """Adds a warning; `open_` says that nobody could tell what it was."""
        self.warnings.add(slug, message, made, quote=quote, path=path, line=line, unclassed=open_)

    def in_order(self) -> tuple[ArchiveWarning, ...]:
        """The warnings in the order of the files and their lines."""
        return tuple(sorted(self.warnings.all, key=lambda one: (*_in_order(one.path or ""), one.line or 0)))


def is_wanted(path: str) -> bool:
    """Whether a file of the data's folder is read, be it only to print as Agora prints."""
    return path.startswith(("rules/", "proposals/")) or path in _WANTED


def read_data(files: Mapping[str, bytes]) -> Data:
    """Reads the files, by their paths in the data's folder. What cannot be read is a finding, and left out."""
    data = Data()
    for path in sorted(files, key=_in_order):
        folder, _, name = path.partition("/")
        if folder == "rules" and (read := _composed(path, files[path], data)):
            _rule(path, name, read, data)
        elif folder == "proposals" and (read := _composed(path, files[path], data)):
            _proposal(path, name, read, data)
    if "config/index" in files:
        read = _composed("config/index", files["config/index"], data, head="index:\n")
        data.categories = list(_categories(read, data)) if read else []
    return data


def in_words(value: object) -> str:
    """A value of the data on one line, for people."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {in_words(one)}" for key, one in value.items())
    if isinstance(value, list):
        return ", ".join(map(in_words, value))
    return " ".join(str(value).split())


def _in_order(path: str) -> tuple[str, int, str]:
    folder, _, name = path.partition("/")
    return folder, int(name) if _NUMBER.fullmatch(name) else 0, name


def _composed(path: str, data: bytes, found: Data, head: str = "") -> Composed | None:
    notes = Notes(path)
    text = _text(data, notes)
    # A list becomes a mapping's value, so that it is read like the rest.
    read = compose(head + text, notes, Place(path, 1 - head.count("\n"))) if text is not None else None
    found.raw[path] = read.data if read is not None else None
    found.findings += [one for one in notes.findings() if one.span.line >= 1]
    if read is None or notes:
        found.warn("unreadable", path, None, "the file is no YAML that can be read", "what can be read of it is kept")
    return read


def _text(data: bytes, notes: Notes) -> str | None:
    if len(data) > SIZE_LIMIT:
        notes.at("file-too-large", 1, 1, f"the file has {len(data)} bytes", "no rule has so many; it is left out")
        return None
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        notes.at("encoding", line, 1, "the file is not UTF-8 from this line on", "save it as UTF-8")
        return None
    if any(heaps_of_marks(text)):
        notes.at("marks-many", 1, 1, f"more than {HEAP} marks stand on one letter", "the file is left out")
        return None
    return plain_text(text)


def plain_text(text: str) -> str:
    """A text as a game's files have it: NFC, nothing invisible."""
    return unicodedata.normalize("NFC", CONTROLS.sub("", text))


class _Keys:
    """A mapping of the data, asked for what its keys should hold; what they hold besides is odd."""

    def __init__(self, raw: object, path: str, line: int, data: Data) -> None:
        self.raw: Raw = raw if isinstance(raw, Mapping) else {}
        self.path, self.line, self.data = path, line, data
        if not isinstance(raw, Mapping):
            self.data.warn("shape", path, line, "no keys stand here", "it is taken for empty", quote=in_words(raw))

    def text(self, key: str) -> str | None:
        """The text at a key; None where there is none."""
        value = self.raw.get(key)
        if value is None or isinstance(value, str):
            return value or None
        self.data.warn("shape", self.path, self.line, f"{key} is no text", "it is left out", quote=in_words(value))
        return None

    def items(self, key: str) -> list[Any]:
        """The list at a key."""
        value = self.raw.get(key)
        if isinstance(value, list):
            return value
        if value not in (None, ""):
            self.data.warn("shape", self.path, self.line, f"{key} is no list", "it is taken for one of one item")
            return [value]
        return []

    def rest(self, known: frozenset[str]) -> dict[str, str]:
        """What stands at other keys, in words."""
        return {key: in_words(value) for key, value in self.raw.items() if key not in known}


def _number(path: str, name: str, keys: _Keys, data: Data) -> int | None:
    said = keys.text("id")
    if not _NUMBER.fullmatch(name):
        message = "the file's name is no number of a rule"
        data.findings.append(Finding(slug="import-unread", span=Span(file=path), message=message, help=_LEFT_OUT))
        data.warn("file-name", path, None, message, "the file is left out", open_=True)
        return None
    if said != name:
        data.warn("id", path, 1, "the file's id is not its name", "the name is taken", quote=said or "")
    return int(name)


_LEFT_OUT = "name it by its number; it is left out"


def _rule(path: str, name: str, read: Composed, data: Data) -> None:
    keys = _Keys(read.data, path, 1, data)
    number = _number(path, name, keys, data) if keys.raw else None
    if number is None:
        if not keys.raw:
            data.warn("rule-empty", path, None, "the file says nothing of a rule", "it is left out")
        return
    at = read.source.at
    history = (
        _entry(_Keys(one, path, at("history", index).line, data), data)
        for index, one in enumerate(keys.items("history"))
    )
    annotations = (
        _annotation(_Keys(one, path, at("annotations", index).line, data), data)
        for index, one in enumerate(keys.items("annotations"))
    )
    data.rules[number] = RuleData(
        number=number,
        path=path,
        name=" ".join((keys.text("name") or "").split()),
        power=_power(keys.text("power"), path, data),
        text=keys.text("text") or "",
        drawn=keys.text("asciiart") == "true",
        history=tuple(history),
        annotations=tuple(annotations),
        more=keys.rest(_RULE_KEYS),
    )


def _power(said: str | None, path: str, data: Data) -> str | None:
    if said is None:
        data.warn("power", path, None, "the rule has no power", "what its history says is kept")
    return said


def _entry(keys: _Keys, data: Data) -> AgoraEntry:
    change = _Keys(keys.raw.get("change", {}), keys.path, keys.line, data)
    return AgoraEntry(
        path=keys.path,
        line=keys.line,
        kind=change.text("type") or "",
        change=change.rest(frozenset({"type"})),
        when=_when(keys, "date", data),
        agent=keys.raw.get("agent"),
        more=keys.rest(_ENTRY_KEYS),
    )


def _annotation(keys: _Keys, data: Data) -> Annotation:
    cases = [_Keys(one, keys.path, keys.line, data) for one in keys.items("cfjs")]
    found = tuple((one.text("id") or "", _when(one, "called", data)) for one in cases)
    return Annotation(path=keys.path, line=keys.line, cases=found, text=keys.text("text") or "")


def _when(keys: _Keys, key: str, data: Data) -> When:
    """The day at a key: that of `{around: …}`, the first of `{between: …, and: …}`, the last of a month too short."""
    value = keys.raw.get(key)
    words, said = in_words(value if value is not None else ""), value
    if isinstance(value, Mapping):
        said = value.get("around") or value.get("between")
        words = f"around {said}" if "around" in value else f"between {said} and {value.get('and')}"
    day = day_of(said) if isinstance(said, str) else None
    if day is None:
        made = "it has none; where one must stand, that of what came before is taken"
        message = f"this is no {'date' if key == 'date' else 'day of a call'}"
        data.warn("date-unknown", keys.path, keys.line, message, made, quote=words)
        return When(day=None, words=words)
    if str(day) == words:
        return When(day=day)
    if isinstance(value, Mapping):
        slug, message, made = "date-inexact", "the date is inexact", f"it counts as {day} in order"
    else:
        slug, message, made = "date-impossible", "the date is in no calendar", f"{day} is taken, and the note says so"
    data.warn(slug, keys.path, keys.line, message, made, quote=words)
    return When(day=day, words=words)


def _proposal(path: str, name: str, read: Composed, data: Data) -> None:
    keys = _Keys(read.data, path, 1, data)
    if keys.text("id") != name:
        message = "the file's id is not its name"
        data.warn("id", path, 1, message, "the name is taken", quote=keys.text("id") or "")
    given = [key for key in ("title", "name", "titles") if key in keys.raw]
    if given and given[0] != "title":
        data.warn("key", path, 1, "the title stands at another key", "it is taken for the title", quote=given[0])
    author = keys.text("author")
    if author is None:
        data.warn("author-missing", path, 1, "the proposal has no author", "nobody is said to be its author")
    coauthors = keys.raw.get("coauthors", [])
    listed = coauthors if isinstance(coauthors, list) else [coauthors]
    if not isinstance(coauthors, list):
        message = "the coauthors are no list"
        data.warn("shape", path, 1, message, "they are taken for one of one", quote=in_words(coauthors))
    data.proposals[name] = Proposal(
        name=name,
        title=keys.text(given[0]) if given else None,
        author=" ".join(author.split()) or None if author else None,
        coauthors=tuple(in_words(one) for one in listed if in_words(one)),
        more=keys.rest(frozenset({"id", "author", "coauthors", *given[:1]})),
    )


def _categories(read: Composed, data: Data) -> Iterator[Category]:
    keys = _Keys(read.data, "config/index", 1, data)
    seen: dict[int, str] = {}
    names: set[str] = set()
    for index, one in enumerate(keys.items("index")):
        each = _Keys(one, "config/index", max(1, read.source.at("index", index).line), data)
        name = in_words(each.text("name") or "")
        if not name or name in names:
            message = "a category has no name of its own"
            data.warn("category", each.path, each.line, message, "it is left out", quote=name)
            continue
        names.add(name)
        rules = []
        for rule in each.items("rules"):
            number = int(rule) if isinstance(rule, str) and _NUMBER.fullmatch(rule) else 0
            if number not in data.rules or number in seen:
                message = "a rule of a category is not there, or stands in another already"
                data.warn("category", each.path, each.line, message, "it is left out there", quote=in_words(rule))
                continue
            seen[number] = name
            rules.append(number)
        yield Category(name=name, note=in_words(each.text("note") or "") or name, rules=tuple(rules))
