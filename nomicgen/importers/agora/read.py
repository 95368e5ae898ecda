"""Reading Agora's rules data (`rules/N`, `proposals/N`, `config/index`): what each rule, proposal
and category says.

Every scalar stays a string, so that a day which no calendar has is kept as it is written. Whether a
history can be true is not judged here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, TypeVar

from msgspec import Struct, ValidationError, convert, field

from nomicgen.files.file_findings import Notes
from nomicgen.files.front_matter import Composed, YamlPlace, compose
from nomicgen.files.text_encoding import CONTROLS, SIZE_LIMIT
from nomicgen.importers.agora.dates import When, day_of
from nomicgen.importers.decoding import decode_words
from nomicgen.importers.import_report import ArchiveWarning, ArchiveWarnings

_Shape = TypeVar("_Shape")

_NUMBER = r"[1-9][0-9]{0,8}"
_INDEX = "config/index"
_COUNTED = ("amendment", "reenactment", "infection-amendment", "null-amendment")
"""Kinds of changes that raise a rule's revision number."""


class AgoraEntry(Struct, frozen=True, kw_only=True):
    """One entry of a rule's history. `kind` is the `type` in its `change`, and `change` has the
    rest of that mapping; `more` has the entry's keys except `change`, `date` and `agent`.

    `agent` is as it stands: a mapping, a string, or None where there is none.
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
        """Whether the change raises the rule's revision number in Agora's own report."""
        return counts_as_revision(self.kind, self.change)

    @property
    def keeps_text(self) -> bool:
        """Whether the rule surely keeps its text: by its kind, or since the agent is an index."""
        return self.kind == "null-amendment" or (
            isinstance(self.agent, Mapping) and "index" in self.agent
        )


def counts_as_revision(kind: str, change: Mapping[str, str]) -> bool:
    """Return whether a change raises the rule's revision number in Agora's own report."""
    return kind in _COUNTED and "uncounted" not in change


class Annotation(Struct, frozen=True, kw_only=True):
    """A note on a rule from calls for judgement: the id of each with the day on which it was
    called, and what was said.
    """

    path: str
    line: int
    cases: tuple[tuple[str, When], ...]
    text: str


class RuleData(Struct, frozen=True, kw_only=True):
    """A rule's file. `power` is None where it says none; if the text
    `is_ascii_art`, it is a picture made of letters.
    """

    number: int
    path: str
    name: str
    power: str | None
    text: str
    is_ascii_art: bool
    history: tuple[AgoraEntry, ...]
    annotations: tuple[Annotation, ...]


class AgoraProposal(Struct, frozen=True, kw_only=True):
    """A proposal's file, which does not say what the proposal did; `more` has the other keys. A
    title or author that it does not say is None.
    """

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
    """All that was read, with the warnings about it, to which every later step adds.

    `left` has, by rule, the day on which an index last ceased to list it; at 0, for rules that no
    index listed, the day of the first index.
    """

    rules: dict[int, RuleData] = {}
    proposals: dict[str, AgoraProposal] = {}
    categories: list[Category] = []
    left: Mapping[int, date] = {}
    warnings: ArchiveWarnings = field(default_factory=ArchiveWarnings)

    def warn(
        self, slug: str, path: str, line: int | None, message: str, outcome: str, *, quote: str = ""
    ) -> None:
        """Add a warning."""
        self.warnings.add(slug, message, outcome, quote=quote, path=path, line=line)

    def in_order(self) -> tuple[ArchiveWarning, ...]:
        """Return the warnings in the order of the files and their lines."""
        return tuple(
            sorted(self.warnings.all, key=lambda one: (*_path_key(one.path or ""), one.line or 0))
        )


class _EntryShape(Struct):
    """What an entry of a history may hold in its file."""

    change: dict[str, str] = {}
    date: str | dict[str, str] = ""
    agent: Any = None


class _CaseShape(Struct):
    """What a call for judgement may hold."""

    id: str = ""
    called: str | dict[str, str] = ""


class _AnnotationShape(Struct):
    """What an annotation may hold."""

    cfjs: list[_CaseShape] = []
    text: str = ""


class _RuleShape(Struct):
    """What a rule's file may hold."""

    id: str = ""
    name: str = ""
    power: str | None = None
    text: str = ""
    asciiart: str = ""
    history: list[_EntryShape] = []
    annotations: list[_AnnotationShape] = []


class _ProposalShape(Struct):
    """What a proposal's file may hold. The title stands at one of three keys."""

    id: str = ""
    title: str | None = None
    titles: str | None = None
    name: str | None = None
    author: str = ""
    coauthors: str | list[str] = []


class _CategoryShape(Struct):
    """What a category of the index may hold."""

    name: str = ""
    note: str = ""
    rules: list[str] = []


def is_wanted(path: str) -> bool:
    """Return whether a file of the data's folder is read."""
    return path.startswith(("rules/", "proposals/")) or path == _INDEX


def read_data(files: Mapping[str, bytes]) -> Data:
    """Read the files, which are given by their paths in the data's folder. What cannot be read is
    left out, with a warning.
    """
    data = Data()
    for path in sorted(files, key=_path_key):
        folder, _, name = path.partition("/")
        if folder == "rules" and (read := _compose_file(path, files[path], data)):
            _rule(path, name, read, data)
        elif folder == "proposals" and (read := _compose_file(path, files[path], data)):
            _proposal(path, name, read, data)
    if _INDEX in files:
        read = _compose_file(_INDEX, files[_INDEX], data, head="index:\n")
        data.categories = list(_categories(read, data)) if read else []
    return data


def in_words(value: object) -> str:
    """Return a value of the data on one line, as people read it."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {in_words(one)}" for key, one in value.items())
    if isinstance(value, list):
        return ", ".join(map(in_words, value))
    return " ".join(str(value).split())


def _path_key(path: str) -> tuple[str, int, str]:
    """Return a sort key for a path: files that are called by a number are sorted by it."""
    folder, _, name = path.partition("/")
    return folder, int(name) if re.fullmatch(_NUMBER, name) else 0, name


def _compose_file(path: str, content: bytes, data: Data, head: str = "") -> Composed | None:
    """Return what a file says, without empty keys; None where it cannot be read. `head` is put
    above it.
    """
    notes = Notes(path)
    text, slips = decode_words(content)
    for slip in slips:
        data.warn(slip.slug, path, slip.line, slip.message, slip.outcome)
    if len(content) > SIZE_LIMIT:
        notes.at(
            "file-too-large",
            1,
            1,
            f"the file has {len(content)} bytes",
            "no rule has so many; it is left out",
        )
        text = None
    # With a `head`, a file that is a list is read as the value of a key: only mappings can be read.
    read = (
        compose(head + text, notes, YamlPlace(path, 1 - head.count("\n")))
        if text is not None
        else None
    )
    for one in notes.findings():
        data.warn(one.slug, path, max(one.span.line, 1), one.message, one.help)
    if read is None or notes:
        data.warn(
            "unreadable",
            path,
            None,
            "the file cannot be read as it is",
            "it is left out" if read is None else "the readable part is kept",
        )
    if read is not None:
        read.data = _clean(read.data)
    return read


def _clean(value: Any) -> Any:
    if isinstance(value, Mapping):
        cleaned = {key: _clean(one) for key, one in value.items()}
        return {key: one for key, one in cleaned.items() if one not in (None, "", [], {})}
    if isinstance(value, list):
        return [_clean(one) for one in value]
    return plain_text(value).rstrip("\n") if isinstance(value, str) else value


def plain_text(text: str) -> str:
    """Return a text as a game's files have it: in NFC, without invisible characters."""
    return unicodedata.normalize("NFC", re.sub(CONTROLS, "", text))


def _with_shape(tree: Any, shape: type[_Shape], path: str, data: Data) -> _Shape | None:
    """Return what a file holds in the shape of such files of Agora's; None, with a warning, if it
    has another.
    """
    try:
        return convert(tree, shape)
    except ValidationError as error:
        data.warn(
            "shape",
            path,
            None,
            "the file is not as those of Agora's data are",
            "it is left out",
            quote=str(error),
        )
        return None


def _rule(path: str, name: str, read: Composed, data: Data) -> None:
    if not read.data:
        data.warn("rule-empty", path, None, "the file says nothing of a rule", "it is left out")
        return
    if not re.fullmatch(_NUMBER, name):
        message = "the file's name is no number of a rule"
        data.warn("file-name", path, None, message, "the file is left out")
        return
    rule = _with_shape(read.data, _RuleShape, path, data)
    if rule is None:
        return
    if rule.id != name:
        data.warn(
            "id", path, 1, "the file's id is not its name", "the name is taken", quote=rule.id
        )
    at = read.source.at
    history = [
        _entry(path, at("history", index).line, entry, read.data["history"][index], data)
        for index, entry in enumerate(rule.history)
    ]
    annotations = [
        _annotation(path, at("annotations", index).line, annotation, data)
        for index, annotation in enumerate(rule.annotations)
    ]
    data.rules[int(name)] = RuleData(
        number=int(name),
        path=path,
        name=in_words(rule.name),
        power=rule.power,
        text=rule.text,
        is_ascii_art=rule.asciiart == "true",
        history=tuple(history),
        annotations=tuple(annotations),
    )


def _entry(
    path: str, line: int, entry: _EntryShape, tree: Mapping[str, Any], data: Data
) -> AgoraEntry:
    return AgoraEntry(
        path=path,
        line=line,
        kind=entry.change.get("type", ""),
        change={key: in_words(value) for key, value in entry.change.items() if key != "type"},
        when=_when(entry.date, "date", path, line, data),
        agent=entry.agent,
        more=_others(tree, _EntryShape),
    )


def _others(tree: Mapping[str, Any], shape: type[Struct]) -> dict[str, str]:
    """Return the values of the keys that a shape does not have, in words."""
    return {
        key: in_words(value) for key, value in tree.items() if key not in shape.__struct_fields__
    }


def _annotation(path: str, line: int, annotation: _AnnotationShape, data: Data) -> Annotation:
    cases = tuple(
        (case.id, _when(case.called, "day of a call", path, line, data)) for case in annotation.cfjs
    )
    return Annotation(path=path, line=line, cases=cases, text=annotation.text)


def _when(said: str | Mapping[str, str], what: str, path: str, line: int, data: Data) -> When:
    """Return the date at a key: a day, `{around: DAY}`, or `{between: DAY, and: DAY}`. Of two days,
    the first is taken. `what` is how a warning calls the date.
    """
    if isinstance(said, str):
        first, words = said, in_words(said)
    else:
        first = said.get("around") or said.get("between", "")
        words = f"around {first}" if "around" in said else f"between {first} and {said.get('and')}"
    day = day_of(first)
    if day is None:
        outcome = "the date is left out; a change that needs one gets that of the entry before it"
        data.warn("date-unknown", path, line, f"this is no {what}", outcome, quote=words)
        return When(day=None, words=words)
    if str(day) == words:
        return When(day=day)
    if isinstance(said, str):
        outcome = f"{day} is taken{', and the note says so' if what == 'date' else ''}"
        data.warn("date-impossible", path, line, "the date is in no calendar", outcome, quote=words)
    return When(day=day, words=words)


def _proposal(path: str, name: str, read: Composed, data: Data) -> None:
    proposal = _with_shape(read.data, _ProposalShape, path, data)
    if proposal is None:
        return
    if proposal.id != name:
        data.warn(
            "id", path, 1, "the file's id is not its name", "the name is taken", quote=proposal.id
        )
    coauthors = [proposal.coauthors] if isinstance(proposal.coauthors, str) else proposal.coauthors
    data.proposals[name] = AgoraProposal(
        name=name,
        title=proposal.title or proposal.titles or proposal.name,
        author=in_words(proposal.author) or None,
        coauthors=tuple(filter(None, map(in_words, coauthors))),
        more=_others(read.data, _ProposalShape),
    )


def _categories(read: Composed, data: Data) -> Iterator[Category]:
    categories = _with_shape(read.data.get("index", []), list[_CategoryShape], _INDEX, data) or []
    names: set[str] = set()
    listed: set[int] = set()
    for at, category in enumerate(categories):
        line = max(1, read.source.at("index", at).line)
        name = in_words(category.name)
        if not name or name in names:
            data.warn(
                "category",
                _INDEX,
                line,
                "a category has no name of its own",
                "it is left out",
                quote=name,
            )
            continue
        names.add(name)
        rules = []
        for rule in category.rules:
            number = int(rule) if re.fullmatch(_NUMBER, rule) else 0
            if number not in data.rules or number in listed:
                message = "a rule of a category is not there, or is listed already"
                data.warn(
                    "category", _INDEX, line, message, "it is left out there", quote=in_words(rule)
                )
                continue
            listed.add(number)
            rules.append(number)
        yield Category(name=name, note=in_words(category.note) or name, rules=tuple(rules))
