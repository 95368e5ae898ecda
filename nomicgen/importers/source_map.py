"""A map says how a source is to be read: what begins a rule, how it is numbered, what ends it, what is left out.

Maps come from strangers, and `verify --source` runs their patterns again: `linear.py` matches them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Literal

import msgspec
from msgspec import Struct
from ruamel.yaml import YAML

from nomicgen.files.file_findings import Notes
from nomicgen.files.front_matter import YamlPlace, compose
from nomicgen.importers.front_matter import Meaning
from nomicgen.importers.linear import linear
from nomicgen.importers.omissions import Omission
from nomicgen.importers.tiers import TierMap, span_of
from nomicgen.model.values import Source

Counting = Literal["arabic", "roman", "letters", "order"]

_MAPS = files("nomicgen.importers") / "maps"
_WRONG = r"(?P<what>.*?)(?: - at `(?:key` in `)?\$(?P<place>[^`]*)`)?"
_QUOTED = r"(?:Object .* field|Invalid enum value) (?P<quoted>.*)"
_STEP = r"\[(?P<index>[0-9]+)\]|(?P<key>[^.\[\]]+)"
_NO_WORDS = r"\(\?P<\w+>|\(\?[a-zA-Z-]+:?|\\.|\[[^\]]*\]"
_LETTERS = r"[^\W\d_]{2,}"
_EXPECTED = {"array": "a list", "object": "keys with values", "int": "a number", "str": "one word or line"}


class BadMap(ValueError):
    """A map that cannot be used: a sentence that says why, and the `line` of the map, from 1, where that is known."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


class RulePattern(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What begins a rule.

    A `heading` is matched at the beginning of a line, and `below` has to match the line under it. `split` is matched
    anywhere in a text. `path` matches the whole path of a file that is one rule. The groups of all are `number`,
    `title`, `tier`, `revision`, `note`, `void` and `repealed`; what stands behind a match is the rule's text. Rules
    without numbers have those of their `order`.
    """

    heading: str | None = None
    below: str | None = None
    split: str | None = None
    path: str | None = None
    number: Counting = "arabic"
    sequence: Literal["rising", "any"] = "rising"
    range: str | None = None


class SourceMap(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a source is read. `paths` are globs of a repository, read from `commits` on, or up to it: `A..B`.

    `section` matches lines that set a tier (the group `tier`) and are no text; `ends` those with which a rule ends
    before the next begins. `tiers` are ranges of numbers, most entrenched first. With `authors: commits`, who committed
    is the author where nothing else says one. `first_proposal` is the number of the first proposal: those from there to
    the last rule's are spent.
    """

    description: str = ""
    paths: list[str] = []
    commits: str | None = None
    text: Literal["markdown", "plain"] = "markdown"
    rule: RulePattern
    section: list[str] = []
    ends: list[str] = []
    omit: list[dict[Literal["lines", "from", "to", "why"], str]] = []
    tiers: dict[str, str] = {}
    subjects: dict[Literal["proposal", "judgement", "act"], str] = {}
    front_matter: dict[Meaning, str] = {}
    authors: Literal["commits"] | None = None
    first_proposal: int | None = None

    @property
    def between(self) -> tuple[str | None, str | None]:
        """The first commit that is read, and the last; None where the map does not say it."""
        first, _, last = (self.commits or "..").partition("..")
        return first or None, last or None

    @property
    def heading_words(self) -> str:
        """The words that the pattern of a heading asks for, such as `Article`: they are of no rule's text."""
        bare = re.sub(_NO_WORDS, " ", self.rule.heading or self.rule.split or "")
        return " ".join(re.findall(_LETTERS, bare))

    @property
    def by_path(self) -> bool:
        """Whether each file is one rule."""
        return self.rule.path is not None

    @property
    def tier_map(self) -> TierMap | None:
        """The tiers of numbers; None where the map says none."""
        spans = (f"{name}={numbers}" if numbers else name for name, numbers in self.tiers.items())
        return TierMap.parse(",".join(spans)) if self.tiers else None

    @property
    def keys(self) -> Mapping[str, Meaning]:
        """What keys of front matter mean; none where files have none."""
        return {key.casefold(): meaning for meaning, key in self.front_matter.items()}

    @property
    def omissions(self) -> tuple[Omission, ...]:
        return tuple(
            Omission(lines=one.get("lines"), first=one.get("from"), last=one.get("to"), why=one.get("why", ""))
            for one in self.omit
        )


def parse_map(text: str) -> SourceMap:
    """Reads a map, with the limits of a game's own files. Raises BadMap."""
    notes = Notes("")
    composed = compose(text, notes, YamlPlace("", 1))
    for one in notes.findings():
        raise BadMap(f"{one.message}; {one.help}", one.span.line)
    assert composed is not None
    try:
        found = msgspec.convert(composed.data, SourceMap, strict=False)
    except msgspec.ValidationError as error:
        place, problem = _in_words(str(error))
        raise _bad(composed.source, place, problem) from None
    for place, problem in _problems(found):
        raise _bad(composed.source, place, problem)
    return found


def _in_words(error: str) -> tuple[str, str]:
    """The place and the problem of which msgspec tells, in our words."""
    match = re.fullmatch(_WRONG, error)
    assert match is not None
    what, place = match["what"], (match["place"] or "").removeprefix(".")
    named = re.fullmatch(_QUOTED, what)
    if named and what.startswith("Object contains unknown"):
        return f"{place}.{named['quoted'].strip('`')}".removeprefix("."), "there is no such key"
    if named:
        missing = what.startswith("Object")
        return place, f"{named['quoted']} {'is missing' if missing else 'is none of the words that may stand here'}"
    expected = what.removeprefix("Expected `").partition("`")[0].partition(" ")[0]
    return place, f"{_EXPECTED.get(expected, what)} should stand here"


def _bad(source: Source, place: str, problem: str) -> BadMap:
    """What is wrong at a place such as `section[1]`, with the line of as much of that as is there."""
    steps = (int(step["index"]) if step["index"] else step["key"] for step in re.finditer(_STEP, place))
    return BadMap(f"{place or 'the map'}: {problem}", source.key(*steps).line)


def _problems(found: SourceMap) -> Iterator[tuple[str, str]]:
    rule = found.rule
    begun = [key for key in ("heading", "split") if getattr(rule, key)]
    if len(begun) > 1:
        yield "rule", "a rule begins at a `heading` or at a `split`, and not at both"
    if not begun and rule.path is None:
        yield "rule", "nothing says what begins a rule: give `heading`, `split` or `path`"
    for key, pattern in _patterns(found):
        try:
            linear(pattern)
        except ValueError as error:
            yield key, str(error)
            return

    def ranges() -> object:
        return rule.range and spans(rule.range)

    groups = {name for key in ("heading", "split", "path") for name in _groups(getattr(rule, key))}
    counted = rule.number == "order" and rule.heading
    if "number" not in groups and "number" not in found.front_matter and not counted:
        yield "rule", "no group (?P<number>…) says which number a rule has"
    for key, tried in (("omit", lambda: found.omissions), ("tiers", lambda: found.tier_map), ("rule.range", ranges)):
        try:
            tried()
        except ValueError as error:
            yield key, str(error)


def _patterns(found: SourceMap) -> Iterator[tuple[str, str]]:
    for key in ("heading", "below", "split", "path"):
        if pattern := getattr(found.rule, key):
            yield f"rule.{key}", pattern
    yield from ((f"section[{at}]", pattern) for at, pattern in enumerate(found.section))
    yield from ((f"ends[{at}]", pattern) for at, pattern in enumerate(found.ends))
    yield from ((f"subjects.{kind}", pattern) for kind, pattern in found.subjects.items())


def _groups(pattern: str | None) -> list[str]:
    return [*linear(pattern).groupindex] if pattern else []


def spans(text: str) -> tuple[tuple[int, int], ...]:
    """Ranges of numbers such as `101-399, 405`. Raises ValueError."""
    return tuple(map(span_of, text.split(",")))


@cache
def shipped_maps() -> Mapping[str, SourceMap]:
    """The maps that ship, by name."""
    found = sorted(one.name for one in _MAPS.iterdir() if one.name.endswith(".yml"))
    return {name.removesuffix(".yml"): parse_map((_MAPS / name).read_text("utf-8")) for name in found}


def map_bytes(one: SourceMap) -> bytes:
    """A map as YAML, without what it does not say."""
    said = {key: value for key, value in msgspec.to_builtins(one).items() if value not in ("", [], {}, None)}
    said["rule"] = {key: value for key, value in said["rule"].items() if value is not None}
    stream, yaml = BytesIO(), YAML(typ="safe", pure=True)
    yaml.default_flow_style, yaml.sort_base_mapping_type_on_output, yaml.width = False, None, 1 << 16
    yaml.dump({key: said[key] for key in SourceMap.__struct_fields__ if key in said}, stream)
    return stream.getvalue()
